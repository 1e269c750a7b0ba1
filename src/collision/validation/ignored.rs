//! Values that are ignored. A component that says what an entity is rejects it if its value is invalid, see
//! [`validation`](super::validation). A component that says what acts on an entity, or how hits change it, counts as
//! missing instead: the entity goes on as one without it, in the tick and in every prediction. The log names each once,
//! until the value is corrected or the component is removed.

use std::borrow::Cow;

use bevy::{platform::collections::HashSet, prelude::*};

use crate::components::{Described, InvalidValue, check_component};

/// Reads the values of components that may be ignored, and keeps the last of an entity that is.
#[derive(Default)]
pub struct Values {
    pub ignored: Option<InvalidValue>,
}

impl Values {
    /// The value of a component, if it can be used.
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

/// What a system has warned of.
#[derive(Default)]
pub struct Warned {
    /// The components with a value that is ignored.
    known: HashSet<(Entity, Cow<'static, str>)>,
    /// Those of the present tick.
    found: Vec<(Entity, Cow<'static, str>)>,
}

impl Warned {
    /// Warns of a value of an entity, unless that was done.
    pub fn note(&mut self, entity: Entity, ignored: Option<InvalidValue>) {
        let Some(invalid) = ignored else { return };
        if self.known.insert((entity, invalid.field.clone())) {
            tracing::warn!("{entity}: {invalid}; it is ignored until then");
        }
        self.found.push((entity, invalid.field));
    }

    /// All entities of the tick were looked at: forgets those whose values are right by now, or gone.
    pub fn finish(&mut self) {
        if self.found.len() < self.known.len() {
            self.found.sort_unstable();
            let found = &self.found;
            self.known.retain(|of| found.binary_search(of).is_ok());
        }
        self.found.clear();
    }
}
