//! Values that are ignored. A component that says what an entity is rejects it if its value is invalid, see
//! [`validation`](super::validation). A component that says what acts on an entity, or how hits change it, counts as
//! missing instead: the entity goes on as one without it, in the tick and in every prediction. The log names each once,
//! until the value is corrected or the component is removed.

use core::fmt;

use bevy::{platform::collections::HashSet, prelude::*};

use super::finite;
use crate::components::{ClothFriction, ConstantForce, ConstantTorque, GravityScale, LIMIT, LinearDamping};

/// A value that is ignored: which component has it, what it is, and which values are allowed.
#[derive(Clone, Debug, PartialEq)]
pub struct Ignored {
    component: &'static str,
    problem: String,
}

impl Ignored {
    pub fn new(component: &'static str, problem: impl fmt::Display) -> Self {
        Self { component, problem: problem.to_string() }
    }
}

/// Reads the values of components that may be ignored, and keeps the last of an entity that is.
#[derive(Default)]
pub struct Values {
    pub ignored: Option<Ignored>,
}

impl Values {
    /// The value of a component, if it lies in its range; `remedy` names that.
    pub fn within(&mut self, component: &'static str, value: f32, low: f32, remedy: &str) -> Option<f32> {
        let fits = (low..=LIMIT).contains(&value);
        if !fits {
            self.ignored = Some(Ignored::new(component, format_args!("is {value}; set it {remedy}")));
        }
        fits.then_some(value)
    }

    /// The value of a component, if both of its components lie within [`LIMIT`].
    pub fn finite(&mut self, component: &'static str, value: Vec2, unit: &str) -> Option<Vec2> {
        let fits = finite(value);
        if !fits {
            let problem = format_args!("is {value}; set it to finite components within 1e12 {unit}");
            self.ignored = Some(Ignored::new(component, problem));
        }
        fits.then_some(value)
    }

    pub fn gravity_scale(&mut self, scale: Option<&GravityScale>) -> f32 {
        let remedy = "to a finite number within 1e12";
        scale.and_then(|scale| self.within("GravityScale", scale.0, -LIMIT, remedy)).unwrap_or(1.0)
    }

    pub fn drag(&mut self, drag: Option<&LinearDamping>) -> Option<f32> {
        self.within("LinearDamping", drag?.0, 0.0, "from 0 to 1e12, in 1/s")
    }

    pub fn friction(&mut self, friction: Option<&ClothFriction>) -> Option<f32> {
        self.within("ClothFriction", friction?.0, 0.0, "from 0 to 1e12 m/s²")
    }

    pub fn force(&mut self, force: Option<&ConstantForce>) -> Vec2 {
        force.and_then(|force| self.finite("ConstantForce", force.0, "N")).unwrap_or_default()
    }

    pub fn torque(&mut self, torque: Option<&ConstantTorque>) -> f32 {
        let remedy = "to a finite number within 1e12 N m";
        torque.and_then(|torque| self.within("ConstantTorque", torque.0, -LIMIT, remedy)).unwrap_or_default()
    }
}

/// What a system has warned of.
#[derive(Default)]
pub struct Warned {
    /// The components with a value that is ignored.
    known: HashSet<(Entity, &'static str)>,
    /// Those of the present tick.
    found: Vec<(Entity, &'static str)>,
}

impl Warned {
    /// Warns of a value of an entity, unless that was done.
    pub fn note(&mut self, entity: Entity, ignored: Option<Ignored>) {
        let Some(Ignored { component, problem }) = ignored else { return };
        self.found.push((entity, component));
        if self.known.insert((entity, component)) {
            tracing::warn!("{entity}: {component} {problem}; it is ignored until then");
        }
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
