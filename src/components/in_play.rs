//! Discs and terrain that take no part in the simulation.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::{
    description::{Described, Description},
    disc::Disc,
};
use crate::notice::mark;

/// Marks a disc that has fallen into a [`Pocket`](super::Pocket). It takes part in no ticks. Remove the component to
/// return the disc with its current [`Position`](super::Position) and [`Velocity`](super::Velocity).
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[type_path = "carom::components"]
#[reflect(Component, Debug, PartialEq)]
pub struct InPocket {
    /// The entity of the pocket.
    pub pocket: Entity,
}

/// Marks a ball that has left the table over a rail, or has come to rest on one, where
/// [balls fly](crate::collision::spin::TablePhysics::rails). It takes part in no ticks. Remove the component to return
/// the ball with its current [`Position`](super::Position) and [`Velocity`](super::Velocity).
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[type_path = "carom::components"]
#[reflect(Component, Default, Debug, PartialEq)]
pub struct OffTable;

impl Described for OffTable {
    const DESCRIPTION: Description = Description::new(mark("off the table"))
        .in_field("off_table")
        .with_help(mark("A ball that has left the table takes no part"));
}

/// Takes a disc, a piece of [`Terrain`](super::Terrain) or a [`Pocket`](super::Pocket) out of the simulation until you
/// remove it. Nothing moves it or collides with it, nothing falls into it, predictions ignore it, and its other
/// components keep their values. Use it to park discs instead of despawning them, to open doors and to close pockets.
///
/// A wall that becomes active over a disc pushes the disc out, as a wall spawned there does.
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::prelude::*;
/// fn open(doors: Query<Entity, (With<Terrain>, Without<Inactive>)>, mut commands: Commands) {
///     for door in &doors {
///         commands.entity(door).insert(Inactive);
///     }
/// }
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, PhysicsPlugins::default())).add_systems(FixedUpdate, open);
/// # app.update();
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[type_path = "carom::components"]
#[reflect(Component, Default, Debug, PartialEq)]
pub struct Inactive;

impl Described for Inactive {
    const DESCRIPTION: Description = Description::new(mark("inactive")).in_field("inactive").offered(
        mark("Inactive"),
        mark("Takes no part, like an open door. Discs pass through it, and it does not move."),
        "",
    );

    fn first(_: EntityRef, is_terrain: bool) -> Option<Self> {
        is_terrain.then_some(Self)
    }
}

/// The query filter for discs in play: neither in a pocket, nor off the table, nor [`Inactive`].
pub type InPlay = (With<Disc>, Without<InPocket>, Without<OffTable>, Without<Inactive>);
