//! Forces on the discs in every substep. [`Forces`] is one ordered list of plain functions and small types: those of
//! the game, and those of [`MotionSettings`] (gravity, drag, friction of the cloth). They change velocities just before
//! `Integrate`, in the tick and in every prediction. The module also rolls balls after the tick.
//!
//! A force that needs the ECS in the middle of a tick goes into [`SubstepSystems::Forces`] instead; predictions do not
//! include it. Both kinds can call [`force`] and [`gravity`] on the arrays.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use crate::{
    collision::{
        Cause, LIMIT, PhysicsSchedule, PhysicsSpace, Substep, SubstepSystems, TickSystems,
        account::{self, Entry},
    },
    components::{InvalidValue, ValueRange, check_ranges},
};

mod commands;
mod constant;
mod drag;
mod force;
mod forces;
mod friction;
mod gravity;
mod rolling;
mod speed_limit;

pub use commands::MotionCommands;
pub use drag::drag;
pub use force::force;
pub use forces::{CurrentForces, ForceAppExt, ForceLaw, Forces};
pub use friction::friction;
pub use gravity::gravity;
pub use rolling::{rolled, turned};

const ACCELERATION: ValueRange = ValueRange::new(-LIMIT as f64, LIMIT as f64, "m/s²");
const DRAG: ValueRange = ValueRange::new(0.0, LIMIT as f64, "1/s");
const DECELERATION: ValueRange = ValueRange::new(0.0, LIMIT as f64, "m/s²");

/// The forces on every disc. A disc with a [`GravityScale`](crate::components::GravityScale), a
/// [`LinearDamping`](crate::components::LinearDamping) or a [`ClothFriction`](crate::components::ClothFriction) uses
/// that value instead. Change the settings at any time: the next tick reads them.
#[derive(Resource, Reflect, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[reflect(Resource, Default, Debug, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct MotionSettings {
    /// Acceleration of all discs, m/s². Default: zero.
    #[reflect(@ACCELERATION)]
    pub gravity: Vec2,
    /// Linear drag: deceleration per speed, 1/s; zero or more. Default: 0.
    #[reflect(@DRAG)]
    pub drag: f32,
    /// Friction of the cloth: a constant deceleration until the disc stops, m/s²; zero or more. Default: 0.
    #[reflect(@DECELERATION)]
    pub friction: f32,
}

impl MotionSettings {
    /// Whether every value is in range.
    ///
    /// # Errors
    /// The first field out of range, with the range.
    pub fn check(&self) -> Result<(), InvalidValue> {
        check_ranges(self)
    }

    /// These settings, with every value out of range replaced by its default, zero.
    #[must_use]
    pub fn in_range(&self) -> Self {
        let keep = |value: f32, range: ValueRange| if range.contains(value.into()) { value } else { 0.0 };
        Self {
            gravity: Vec2::new(keep(self.gravity.x, ACCELERATION), keep(self.gravity.y, ACCELERATION)),
            drag: keep(self.drag, DRAG),
            friction: keep(self.friction, DECELERATION),
        }
    }
}

/// Adds [`MotionSettings`] and [`Forces`], which act in [`SubstepSystems::Motion`], and the rolling of balls at the end
/// of the tick.
pub struct MotionPlugin;

impl Plugin for MotionPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<MotionSettings>()
            .init_resource::<MotionSettings>()
            .init_resource::<Forces>()
            .add_systems(Substep, apply_forces.in_set(SubstepSystems::Motion))
            .add_systems(PhysicsSchedule, (rolling::roll, rolling::turn).after(TickSystems::Scatter));
    }
}

fn apply_forces(
    mut space: ResMut<PhysicsSpace>,
    forces: Res<Forces>,
    settings: Res<MotionSettings>,
    mut warned: Local<bool>,
) {
    let problem = settings.check().err();
    if let (Some(error), false) = (&problem, *warned) {
        tracing::warn!("motion settings: {error}; it is taken as zero");
    }
    *warned = problem.is_some();
    forces.act_with(&settings, &mut space);
}

/// Applies the forces of [`MotionSettings`] for one substep, in order: gravity, the constant forces of single discs,
/// drag, friction, speed limits.
fn act(space: &mut PhysicsSpace, settings: &MotionSettings) {
    let settings = settings.in_range();
    gravity(space, settings.gravity);
    constant::constant_forces(space);
    account::enter(space, Entry::Of(Cause::Forces));
    drag::drag_of_each(space, settings.drag);
    account::enter(space, Entry::Of(Cause::Drag));
    friction::friction_of_each(space, settings.friction);
    account::enter(space, Entry::Of(Cause::Friction));
    speed_limit::limit_each(space);
    account::enter(space, Entry::Of(Cause::SpeedLimits));
}
