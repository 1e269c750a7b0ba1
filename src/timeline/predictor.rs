//! A system parameter with everything that a prediction needs from a world.

use bevy::{ecs::system::SystemParam, prelude::*};

use super::{Horizon, Prediction};
use crate::{
    collision::{CollisionSettings, PhysicsSpace, Snapshot},
    motion::{CurrentForces, Forces},
};

/// Starts predictions of a world, with its current discs, terrain, settings and forces, and the length of its ticks.
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::prelude::*;
/// # use std::time::Duration;
/// fn will_it_rest(predictor: Predictor) {
///     let mut prediction = predictor.predict(Horizon { seconds: 5.0, ..default() });
///     prediction.run_for(Duration::from_millis(2));
///     println!("{} impacts in the next {} s", prediction.impacts().len(), prediction.seconds());
/// }
///
/// /// Previews a shot of a waiting ball, then plays it.
/// fn shoot(predictor: Predictor, ball: Single<Entity, (With<Disc>, With<Inactive>)>, mut commands: Commands) {
///     let (ball, velocity) = (*ball, vec2(3.0, 0.0));
///     let Some(prediction) = predictor.shot(ball, velocity, Horizon::default()) else { return };
///     let preview = prediction.finished();
///     println!("{:?}", preview.path_of(ball).map(|path| &path.points));
///     // Now plays the shot.
///     commands.entity(ball).remove::<Inactive>().insert(Velocity(velocity));
/// }
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, PhysicsPlugins::default())).add_systems(Update, (will_it_rest, shoot));
/// # app.world_mut().spawn((Disc, Inactive));
/// # app.update();
/// ```
///
/// It reads the components of all discs, and [`PhysicsSpace`]. A system that also writes velocities uses `Commands`, as
/// above, or a `ParamSet`. Beside a `Query<&mut Velocity>` Bevy panics.
///
/// If you only have a [`World`], as in a test, use `SystemState::<Predictor>::new(world).get(world)`.
#[derive(SystemParam)]
pub struct Predictor<'w, 's> {
    snapshot: Snapshot<'w, 's>,
    forces: CurrentForces<'w>,
    settings: Res<'w, CollisionSettings>,
    clock: Res<'w, Time<Fixed>>,
}

impl Predictor<'_, '_> {
    /// Predicts the current state, provided that nothing interferes.
    #[must_use]
    pub fn predict(&self, horizon: Horizon) -> Prediction {
        self.predict_from(self.space(), horizon)
    }

    /// Predicts another state under the settings and forces of this world, such as [`Predictor::space`] with the
    /// velocity of a shot.
    #[must_use]
    pub fn predict_from(&self, space: PhysicsSpace, horizon: Horizon) -> Prediction {
        Prediction::of(space, self.forces(), &self.settings, self.time_step(), horizon)
    }

    /// What happens if a disc leaves with this velocity (m/s) now. A disc that still waits is released in the
    /// prediction, as if its [`Inactive`](crate::components::Inactive), its
    /// [`Kinematic`](crate::components::Kinematic) and its [`InPocket`](crate::components::InPocket) had been removed.
    /// Returns `None` if the entity is not a disc, or has a value that cannot be simulated.
    ///
    /// For a shot with spin, change the space that [`Predictor::space`] returns:
    /// `space.discs.set_spin(i, Some(Spin { angular_velocity, shape: Shape::Ball }))`.
    #[must_use]
    pub fn shot(&self, disc: Entity, velocity: Vec2, horizon: Horizon) -> Option<Prediction> {
        let (mut space, i) = self.snapshot.space_with_free(disc)?;
        space.discs.velocity[i] = velocity;
        Some(self.predict_from(space, horizon))
    }

    /// The current discs and terrain.
    #[must_use]
    pub fn space(&self) -> PhysicsSpace {
        self.snapshot.space()
    }

    /// The current forces.
    #[must_use]
    pub fn forces(&self) -> Forces {
        self.forces.list()
    }

    /// The current collision settings.
    #[must_use]
    pub fn settings(&self) -> &CollisionSettings {
        &self.settings
    }

    /// The length of the ticks, seconds, from `Time<Fixed>`. A tick rate that you set in [`Playback`](super::Playback)
    /// reaches that clock in the next frame.
    #[must_use]
    pub fn time_step(&self) -> f32 {
        self.clock.timestep().as_secs_f32()
    }
}
