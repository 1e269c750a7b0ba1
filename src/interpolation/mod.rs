//! Interpolates discs and terrain between two ticks for each frame, and makes [`Transform`]s follow them.
//!
//! A disc, a piece of terrain or a pocket with a [`Transform`] is drawn at its physical position. This includes every
//! entity with a `Sprite` or a `Mesh2d`. You need not add anything:
//!
//! ```
//! # use bevy::{prelude::*, time::TimeUpdateStrategy, transform::TransformPlugin};
//! # use carom::prelude::*;
//! # let mut app = App::new();
//! # app.add_plugins((MinimalPlugins, TransformPlugin, PhysicsPlugins::default()));
//! # app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
//! // The game sets the height and the scale.
//! let looks = Transform::from_xyz(0.0, 0.0, 5.5).with_scale(Vec3::splat(0.01));
//! let ship = app.world_mut().spawn((Disc, Position(vec2(3.0, 4.0)), looks)).id();
//! app.update();
//! let place = app.world().get::<GlobalTransform>(ship).unwrap().translation();
//! assert_eq!(place, vec3(3.0, 4.0, 5.5));
//! ```
//!
//! | field of the [`Transform`] | follows |
//! |---|---|
//! | x and y of the translation | [`Position`](crate::components::Position), between the last two ticks |
//! | rotation of terrain | [`Rotation`](crate::components::Rotation), between the last two ticks |
//! | rotation of a disc | its [`Orientation`](crate::components::Orientation), if it has one; else it is the game's |
//! | z of the translation, scale | nothing: they are the game's |
//!
//! The visible height of a ball above the cloth is in its [`DrawnHeight`].
//!
//! The physics decides: x and y of a transform are overwritten. To move a disc, write its
//! [`Position`](crate::components::Position) or its velocity. An entity with [`NoTransformSync`] is left alone.
//!
//! The global transform of a child matches the physics, whatever the transform of its parent is. Its own children
//! follow as children do.
//!
//! # Frames and ticks
//! Frames and ticks come at different rates. A frame shows each thing between its last two ticks, at the share of a
//! tick that [`Overstep`] gives. So motion is smooth at any rate, with a delay of at most a tick.
//!
//! A disc that a system, a command or an observer has moved is shown at its new place at once, and never on the way.
//! Across [periodic edges](crate::collision::Periodic) the shorter way counts.
//!
//! Entities without a [`Transform`] cost nothing, unless something such as `ViewPlugin` draws them by [`Drawn`].

mod drawn;
mod overstep;
mod sync;

use bevy::prelude::*;

use crate::{
    collision::{PhysicsSchedule, TickSystems},
    components::Height,
};

pub use drawn::{Drawn, DrawnHeight, interpolate, interpolate_heights};
pub use overstep::{InterpolationSettings, Overstep};
pub use sync::NoTransformSync;

/// The order of interpolation in [`PostUpdate`], before Bevy propagates transforms.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InterpolationSystems {
    /// Updates every [`Drawn`] and [`DrawnHeight`] for the current frame. A system that shows a disc elsewhere runs
    /// after this.
    Interpolate,
    /// Writes the [`Transform`]s.
    SyncTransforms,
}

/// Makes [`Transform`]s follow, and updates [`Drawn`]. It is part of [`PhysicsPlugins`](crate::PhysicsPlugins).
pub struct InterpolationPlugin;

impl Plugin for InterpolationPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<Drawn>()
            .register_type::<DrawnHeight>()
            .register_required_components::<Height, DrawnHeight>()
            .register_type::<NoTransformSync>()
            .register_type::<InterpolationSettings>()
            .init_resource::<InterpolationSettings>()
            .configure_sets(
                PostUpdate,
                (InterpolationSystems::Interpolate, InterpolationSystems::SyncTransforms)
                    .chain()
                    .before(TransformSystems::Propagate),
            )
            .add_systems(
                PhysicsSchedule,
                (
                    // After everything that a game does before the tick, and before all observers of the tick. So what
                    // these move is not interpolated.
                    ((sync::give_drawn, drawn::remember_before).chain(), drawn::remember_heights_before)
                        .before(TickSystems::Gather),
                    (drawn::remember_after, drawn::remember_heights_after)
                        .after(TickSystems::Scatter)
                        .before(TickSystems::Report),
                ),
            )
            .add_systems(
                PostUpdate,
                (
                    ((sync::give_drawn, interpolate).chain(), interpolate_heights)
                        .in_set(InterpolationSystems::Interpolate),
                    (sync::sync_roots, sync::sync_children).chain().in_set(InterpolationSystems::SyncTransforms),
                ),
            );
    }
}
