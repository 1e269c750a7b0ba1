//! The data that a game puts on entities: discs, terrain, joints, mass, materials, collision filters.
//!
//! Between ticks, components are the source of truth: the next tick reads whatever is written to them.
//!
//! | file | components |
//! |---|---|
//! | `disc` | [`Disc`] with what it requires, and the optional components of a disc |
//! | `terrain` | [`Terrain`], what discs bounce off: segments, arcs, bumpers, outlines; [`Pocket`]; motion of terrain |
//! | `mass_properties` | terrain with a mass, a *block*: moment of inertia, centre of mass, locked axes |
//! | `material` | how a hit of this disc or piece is answered: friction, rules that combine restitutions, conveyors |
//! | `filter` | which entities can collide; sensors; bumpers that kick |
//! | `joint` | springs, rods and ropes between two discs, or between a disc and a point |
//! | `effect` | which component acts on what; those that have no effect where they are get a warning |

mod disc;
mod effect;
mod filter;
mod joint;
mod mass_properties;
mod material;
mod terrain;

use bevy::prelude::*;

pub use disc::{
    AngularVelocity, Ball, ClothFriction, ConstantForce, ConstantTorque, Density, Disc, GravityScale, InPlay, InPocket,
    Inactive, Kinematic, LIMIT, LinearDamping, Mass, MoveTo, NextStableId, Orientation, Position, Radius, Restitution,
    StableId, TurnTo, Velocity,
};
pub use filter::{CollisionLayers, IgnoredPairs, Kick, Sensed, Sensor};
pub use joint::{Joint, JointEnd, JointKind};
pub use mass_properties::{LockedAxes, MassProperties, MomentOfInertia};
pub use material::{CombineRule, Friction, RestitutionRule, SurfaceVelocity};
pub use terrain::{OneWay, Oscillation, Pocket, Rotation, Terrain, TerrainError};

#[cfg(feature = "input")]
pub(crate) use effect::ForNow;
#[cfg(feature = "panel")]
pub(crate) use effect::acts;
#[cfg(feature = "cli")]
pub(crate) use effect::idle_components;
pub(crate) use effect::warn_of_idle_components;
pub(crate) use mass_properties::{Bearings, BlockComponents, BlockMotionComponents};
pub(crate) use terrain::{is_whole, on_circle};

/// Makes the components known to reflection, and adds the counter of [`StableId`]s.
pub struct ComponentsPlugin;

impl Plugin for ComponentsPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<NextStableId>()
            .register_type::<Position>()
            .register_type::<Velocity>()
            .register_type::<MoveTo>()
            .register_type::<TurnTo>()
            .register_type::<Radius>()
            .register_type::<Mass>()
            .register_type::<Density>()
            .register_type::<Restitution>()
            .register_type::<AngularVelocity>()
            .register_type::<ConstantForce>()
            .register_type::<ConstantTorque>()
            .register_type::<GravityScale>()
            .register_type::<LinearDamping>()
            .register_type::<ClothFriction>()
            .register_type::<Ball>()
            .register_type::<Kinematic>()
            .register_type::<InPocket>()
            .register_type::<Inactive>()
            .register_type::<Orientation>()
            .register_type::<StableId>()
            .register_type::<NextStableId>()
            .register_type::<Disc>()
            .register_type::<Terrain>()
            .register_type::<Pocket>()
            .register_type::<OneWay>()
            .register_type::<Rotation>()
            .register_type::<Oscillation>()
            .register_type::<MomentOfInertia>()
            .register_type::<LockedAxes>()
            .register_type::<RestitutionRule>()
            .register_type::<Friction>()
            .register_type::<SurfaceVelocity>()
            .register_type::<CollisionLayers>()
            .register_type::<IgnoredPairs>()
            .register_type::<Sensor>()
            .register_type::<Sensed>()
            .register_type::<Kick>()
            .register_type::<Joint>();
    }
}
