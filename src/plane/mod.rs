//! Several windows, displays or tiles as one table: discs live in the union of axis-aligned rectangles.
//!
//! Add a [`TableRect`] to an entity, such as a window or a camera, and keep it up to date. All rectangles together form
//! the table: discs pass where two of them touch or overlap, and bounce off the outline elsewhere. Nothing else is
//! needed:
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
//! // Moves it too far for a smooth movement. The disc moves to the nearest place on the table.
//! app.world_mut().get_mut::<TableRect>(right).unwrap().0 = Rect::new(-9.0, 1.0, -5.0, 4.0);
//! app.update();
//! assert!(app.world().get::<Position>(disc).unwrap().x < 4.0);
//! ```
//!
//! # Moving rectangles
//! The position of a window changes in steps, of a few pixels or a hundred, and not in every tick. So the table follows
//! smoothly: each tick moves a rectangle a part of the way to its [`TableRect`], as set in [`PlaneSettings`], and
//! [`SettledRect`] holds its current position. A moving edge hits discs as a moving wall. If an edge would have to move
//! faster than its greatest speed, it jumps, and hits nothing.
//!
//! A disc whose centre is outside, for any reason, is moved to the nearest place where it fits, and keeps its velocity.
//! A disc that fits nowhere is placed where it sticks out the least.
//!
//! # Limits
//! Rectangles are axis-aligned. Edges are terrain like any other and collide with other terrain, too, so a scene with
//! an arena needs no table around it. While no rectangle has an area, for example when all windows are minimised, the
//! table stays unchanged.
//!
//! | file | what |
//! |---|---|
//! | `outline` | the outline of a union of rectangles |
//! | `nearest` | the nearest place where a disc fits into it |
//! | `passages` | passages between rectangles that nearly touch |
//! | `settle` | the motion of rectangles toward their targets |
//! | `edges` | the outline as terrain, and discs that are moved inside |

mod edges;
mod nearest;
mod outline;
mod passages;
mod settle;
#[cfg(test)]
mod tests;

use bevy::{ecs::schedule::InternedScheduleLabel, prelude::*};

use crate::{
    collision::SimulationSystems,
    components::StableId,
    timeline::{History, HistoryAppExt},
};

#[cfg(feature = "scene")]
pub(crate) use edges::form_at_once;
pub use edges::{TableEdge, TableOutline};
pub use outline::{Edge, Outline, Side};
pub use settle::{PlaneSettings, SettledRect};

/// One of the rectangles that form the table, metres, y up. Write it at any time; the table follows in the next ticks:
/// see [the module](self). An [`Inactive`](crate::components::Inactive) rectangle does not belong to the table.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Deref, DerefMut)]
#[reflect(Component, Debug, PartialEq)]
#[require(SettledRect, StableId)]
pub struct TableRect(pub Rect);

/// A [`TableRect`] without a window. It is drawn with a bar at its top, and can be dragged by the bar and resized at
/// its edges, with a mouse and keys.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Default, Debug, PartialEq)]
pub struct Tile;

/// Makes the union of all [`TableRect`]s the table. It is part of [`PhysicsPlugins`](crate::PhysicsPlugins), and does
/// nothing without a [`TableRect`].
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

    fn finish(&self, app: &mut App) {
        if app.world().contains_resource::<History>() {
            app.track_component::<TableRect>().track_component::<SettledRect>();
        }
    }
}

/// The systems that update the table, in the schedule of the [`SimulationSystems`], before it. A [`TableRect`] written
/// in `FixedUpdate` or earlier takes effect in the next tick.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlaneSystems;
