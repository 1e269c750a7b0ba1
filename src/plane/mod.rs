//! Several windows, displays or tiles as one table: discs live in the union of upright rectangles.
//!
//! Put a [`TableRect`] on an entity, a window's, a camera's or any other, and keep it where that is. All of them
//! together are the table: discs pass where two touch or overlap, and bounce off the outline elsewhere. There is
//! nothing else to do:
//!
//! ```
//! # use bevy::{prelude::*, time::TimeUpdateStrategy};
//! # use carom::prelude::*;
//! # let mut app = App::new();
//! # app.add_plugins((MinimalPlugins, PhysicsPlugins::default())).insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
//! app.world_mut().spawn(TableRect(Rect::new(0.0, 0.0, 4.0, 3.0)));
//! let right = app.world_mut().spawn(TableRect(Rect::new(4.0, 1.0, 8.0, 4.0))).id();
//! let disc = app.world_mut().spawn((Disc, Position(vec2(2.0, 2.0)), Velocity(vec2(3.0, 0.0)))).id();
//! for _ in 0..64 {
//!     app.update();
//! }
//! assert!(app.world().get::<Position>(disc).unwrap().x > 4.5, "it has passed into the right one");
//! // That goes elsewhere, too far to be a movement; the disc comes in by the nearest way.
//! app.world_mut().get_mut::<TableRect>(right).unwrap().0 = Rect::new(-9.0, 1.0, -5.0, 4.0);
//! app.update();
//! assert!(app.world().get::<Position>(disc).unwrap().x < 4.0);
//! ```
//!
//! # What is in motion
//! A window is told to be elsewhere in steps, a few pixels or a hundred, and not with every tick. So the table follows:
//! each tick brings a rectangle a part of the way to where its [`TableRect`] says, [`PlaneSettings`] which, and
//! [`SettledRect`] is where it has come. An edge in motion hits discs as the moving wall that it is. What goes farther
//! at once than an edge may travel jumps there, and hits nobody.
//!
//! A disc whose centre lies outside, wherever it came from, is put at the nearest place where it fits, with the
//! velocity that it has. One that fits nowhere is put where it sticks out the least.
//!
//! # Limits
//! Rectangles are upright. Edges are terrain like any other, so that they bound other terrain, too: a scene that has an
//! arena needs no table around it. While no rectangle has an area, as when all windows are minimised, the table stays
//! what it was.
//!
//! | file | what |
//! |---|---|
//! | `outline` | the outline of a union of rectangles |
//! | `nearest` | where a disc fits into it |
//! | `passages` | what joins rectangles that nearly touch |
//! | `settle` | how rectangles follow |
//! | `edges` | the outline as terrain, and discs that come in |

mod edges;
mod nearest;
mod outline;
mod passages;
mod settle;
#[cfg(test)]
mod tests;

use bevy::{ecs::schedule::InternedScheduleLabel, prelude::*};

use crate::{collision::SimulationSystems, components::StableId};

#[cfg(feature = "scene")]
pub(crate) use edges::form_at_once;
pub use edges::{TableEdge, TableOutline};
pub use outline::{Edge, Outline, Side};
pub use settle::{PlaneSettings, SettledRect};

/// One of the rectangles that the table is made of, metres, y up. Write it at any time; the table follows with the next
/// ticks: see [the module](self). With [`Inactive`](crate::components::Inactive) it is no part of it.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Deref, DerefMut)]
#[reflect(Component, Debug, PartialEq)]
#[require(SettledRect, StableId)]
pub struct TableRect(pub Rect);

/// A [`TableRect`] that belongs to no window: it is drawn with a bar at its top, by which people drag it, and can be
/// resized by its edges, where there are mouse and keys.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Default, Debug, PartialEq)]
pub struct Tile;

/// Makes the union of all [`TableRect`]s the table. It is one of [`PhysicsPlugins`](crate::PhysicsPlugins), and without
/// a [`TableRect`] does nothing.
pub struct PlanePlugin {
    /// The schedule that the tick runs in.
    pub schedule: InternedScheduleLabel,
}

impl Plugin for PlanePlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<TableRect>()
            .register_type::<Tile>()
            .register_type::<SettledRect>()
            .register_type::<TableEdge>()
            .register_type::<PlaneSettings>()
            .init_resource::<PlaneSettings>()
            .init_resource::<TableOutline>()
            .init_resource::<edges::OutlineBefore>()
            .add_systems(
                self.schedule,
                (settle::settle, edges::form, edges::come_in)
                    .chain()
                    .run_if(any_with_component::<TableRect>.or_else(any_with_component::<TableEdge>))
                    .in_set(PlaneSystems)
                    .before(SimulationSystems),
            );
    }
}

/// When the table follows its rectangles: in the schedule of the [`SimulationSystems`], before it. What writes a [`TableRect`] in
/// `FixedUpdate` or before is heeded by the tick that follows.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlaneSystems;
