//! carom: discs that collide.
#![forbid(unsafe_code)]

pub mod body;
pub mod collision;
pub mod motion;
#[cfg(feature = "program")]
pub mod panel;
#[cfg(feature = "program")]
pub mod program;
#[cfg(feature = "scene")]
pub mod scene;
#[cfg(feature = "program")]
pub mod table;
pub mod terrain;
pub mod timeline;
#[cfg(feature = "program")]
pub mod view;

/// What most users need.
pub mod prelude {
    pub use crate::PhysicsPlugins;
    pub use crate::body::{Ball, Density, Mass, Position, Radius, Restitution, StableId, Velocity};
    pub use crate::collision::{
        Collided, Collision, CollisionSettings, Other, ReportCollisions, Space, Substep, SubstepSystems, Tick,
        TickSystems,
    };
    pub use crate::motion::MotionSettings;
    pub use crate::terrain::{Rotation, Terrain};
    pub use crate::timeline::Playback;
}

use bevy::app::{PluginGroup, PluginGroupBuilder};

/// The simulation: components, terrain, collision, motion and playback. No window, no renderer, no asset system. It needs
/// Bevy's time plugin, which both `MinimalPlugins` and `DefaultPlugins` hold.
pub struct PhysicsPlugins;

impl PluginGroup for PhysicsPlugins {
    fn build(self) -> PluginGroupBuilder {
        PluginGroupBuilder::start::<Self>()
            .add(body::BodyPlugin)
            .add(terrain::TerrainPlugin)
            .add(collision::CollisionPlugin)
            .add(motion::MotionPlugin)
            .add(timeline::TimelinePlugin)
    }
}
