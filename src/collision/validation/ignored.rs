//! Ignored values. An invalid value of a component that defines an entity rejects the entity, see
//! [`validation`](super::validation). An invalid value of a component that acts on an entity or changes its hits is
//! ignored. The entity is simulated without that component, in the tick and in every prediction. A warning names each
//! once, until the value is corrected or the component is removed.

use std::borrow::Cow;

use bevy::{platform::collections::HashSet, prelude::*};

use crate::components::{Described, InvalidValue, check_component};

/// Reads components that may be ignored, and keeps the last ignored value of an entity.
#[derive(Default)]
pub struct Values {
    pub ignored: Option<InvalidValue>,
}

impl Values {
    /// The component, if its value is valid.
    pub fn usable<'a, C: Described>(&mut self, component: Option<&'a C>) -> Option<&'a C> {
        match check_component(component?) {
            Ok(()) => component,
            Err(invalid) => {
                self.ignored = Some(invalid);
                None
            }
        }
    }
}

/// The warnings that a system has logged.
#[derive(Default)]
pub struct Warned {
    /// The components with an ignored value.
    known: HashSet<(Entity, Cow<'static, str>)>,
    /// Those found in the current tick.
    found: Vec<(Entity, Cow<'static, str>)>,
}

impl Warned {
    /// Logs a warning about a value of an entity, unless it has already been logged.
    pub fn note(&mut self, entity: Entity, ignored: Option<InvalidValue>) {
        let Some(invalid) = ignored else { return };
        if self.known.insert((entity, invalid.field.clone())) {
            tracing::warn!("{entity}: {invalid}; it is ignored until then");
        }
        self.found.push((entity, invalid.field));
    }

    /// Called after all entities of the tick were checked: forgets those that are corrected or gone.
    pub fn finish(&mut self) {
        if self.found.len() < self.known.len() {
            self.found.sort_unstable();
            let found = &self.found;
            self.known.retain(|of| found.binary_search(of).is_ok());
        }
        self.found.clear();
    }
}
