//! The data that a game puts on entities: discs, terrain, joints, mass, materials, collision filters.
//!
//! Between ticks, components are the source of truth: the next tick reads what you write to them.
//!
//! | file | components |
//! |---|---|
//! | `disc` | [`Disc`] with what it requires |
//! | `position` | where discs and terrain are, and how they move |
//! | `height` | the height of balls above the cloth |
//! | `kinematic` | kinematic discs; targets for discs and terrain |
//! | `spin` | how discs and terrain turn; [`Ball`] |
//! | `mass` | mass and density |
//! | `force` | forces on single discs |
//! | `in_play` | discs and terrain that take no part |
//! | `stable_id` | the identity of discs and terrain |
//! | `terrain` | [`Terrain`], the walls and obstacles that discs bounce off: segments, arcs, bumpers, outlines; [`Pocket`] |
//! | `periodic` | periodic motion of terrain and kinematic discs: swings and orbits |
//! | `mass_properties` | terrain with a mass, called a *block*: moment of inertia, centre of mass, locked axes |
//! | `material` | how hits of a disc or piece are resolved: restitution, the rules that combine it, friction, conveyors |
//! | `filter` | which entities can collide; sensors; bumpers that kick |
//! | `joint` | springs, rods and ropes between two discs, or between a disc and a point |
//! | `frame` | frames of reference, such as the frame of a scene within a scene |
//! | `invalid` | the report of an invalid value |
//! | `value_range` | ranges of settings, as data |
//! | `description` | one description per component: names, units, the kinds of entities that it acts on |
//! | `driven` | what makes terrain kinematic whatever its mass: targets and periodic motions |
//! | `effect` | the kinds of entities that each component acts on; a warning where a component has no effect |

mod description;
mod disc;
mod driven;
mod effect;
mod filter;
mod force;
mod frame;
mod height;
mod in_play;
mod invalid;
mod joint;
mod kinematic;
mod mass;
mod mass_properties;
mod material;
mod periodic;
mod position;
mod spin;
mod stable_id;
mod terrain;
mod value_range;

use bevy::prelude::*;

pub use description::{
    ComponentVisitor, Described, Description, EntityKind, EntityKinds, HeldByHand, check_component, check_field,
};
pub use disc::{Disc, Radius};
pub use filter::{BumperKick, CollisionLayers, IgnoredPairs, Sensed, Sensor};
pub use force::{ClothFriction, ConstantForce, ConstantTorque, GravityScale, LinearDamping, SpeedLimit};
pub use frame::Frame;
pub use height::Height;
pub use in_play::{InPlay, InPocket, Inactive, OffTable};
pub use invalid::{InvalidValue, LIMIT, RejectedValue};
pub use joint::{Joint, JointEnd, JointKind};
pub use kinematic::{Kinematic, MoveTo, TurnTo};
pub use mass::{Density, Mass};
pub use mass_properties::{LockedAxes, MassProperties, MomentOfInertia};
pub use material::{CombineRule, Friction, Restitution, RestitutionRule, SurfaceVelocity};
pub use periodic::{Orbit, Oscillation};
pub use position::{Position, Rotation, Velocity};
pub use spin::{AngularVelocity, Ball, Orientation};
pub use stable_id::{NextStableId, StableId};
pub use terrain::{OneWay, Pocket, Terrain};
pub use value_range::{ValueRange, check_ranges};

pub(crate) use driven::{Driven, HasDrivers, NotDriven, is_driven};
#[cfg(feature = "panel")]
pub(crate) use effect::acts;
#[cfg(feature = "cli")]
pub(crate) use effect::idle_components;
pub(crate) use effect::warn_of_idle_components;
#[cfg(feature = "cli")]
pub(crate) use invalid::POSITIVE;
pub(crate) use invalid::{is_within_limit, is_within_limit_3d, shortest};
pub(crate) use mass_properties::{Bearings, BlockComponents, BlockMotionComponents};
pub(crate) use periodic::PeriodicMotion;
pub(crate) use terrain::{is_whole, on_circle};

/// Registers the components for reflection, and adds the counter of [`StableId`]s.
pub struct ComponentsPlugin;

impl Plugin for ComponentsPlugin {
    fn build(&self, app: &mut App) {
        struct Register<'a>(&'a mut App);
        impl ComponentVisitor for Register<'_> {
            fn visit<C: Described>(&mut self) {
                self.0.register_type::<C>();
            }
        }
        visit_all(&mut Register(app));
        app.init_resource::<NextStableId>()
            .register_type::<Density>()
            .register_type::<Ball>()
            .register_type::<InPocket>()
            .register_type::<Orientation>()
            .register_type::<NextStableId>()
            .register_type::<Disc>()
            .register_type::<Pocket>()
            .register_type::<IgnoredPairs>()
            .register_type::<Sensed>();
    }
}

/// Visits all described components, in the order in which the user interface shows them.
pub fn visit_all(visitor: &mut impl ComponentVisitor) {
    visitor.visit::<Position>();
    visitor.visit::<Velocity>();
    visitor.visit::<AngularVelocity>();
    visitor.visit::<Height>();
    visitor.visit::<Radius>();
    visitor.visit::<Mass>();
    visitor.visit::<MomentOfInertia>();
    visitor.visit::<LockedAxes>();
    visitor.visit::<Kinematic>();
    visitor.visit::<Restitution>();
    visitor.visit::<MoveTo>();
    visitor.visit::<TurnTo>();
    visitor.visit::<Oscillation>();
    visitor.visit::<Orbit>();
    visitor.visit::<OneWay>();
    visitor.visit::<Sensor>();
    visitor.visit::<CollisionLayers>();
    visitor.visit::<BumperKick>();
    visitor.visit::<RestitutionRule>();
    visitor.visit::<Friction>();
    visitor.visit::<SurfaceVelocity>();
    visitor.visit::<GravityScale>();
    visitor.visit::<LinearDamping>();
    visitor.visit::<ClothFriction>();
    visitor.visit::<SpeedLimit>();
    visitor.visit::<ConstantForce>();
    visitor.visit::<ConstantTorque>();
    visitor.visit::<OffTable>();
    visitor.visit::<Inactive>();
    visitor.visit::<Joint>();
    visitor.visit::<StableId>();
    visitor.visit::<Terrain>();
    visitor.visit::<Rotation>();
}
