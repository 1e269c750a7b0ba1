//! A system parameter with everything that a prediction needs from a world.

use bevy::{ecs::system::SystemParam, prelude::*};

use super::{Horizon, Playback, Prediction};
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
/// /// A shot that nobody has played yet.
/// fn shoot(predictor: Predictor, discs: Query<(Entity, &StableId), With<Disc>>, mut commands: Commands) {
///     let Some((disc, &id)) = discs.iter().next() else { return };
///     let mut space = predictor.space();
///     if let Some(i) = space.discs.index_of(disc, id) {
///         space.discs.velocity[i] = vec2(3.0, 0.0);
///         // A ball's spin: `space.discs.set_spin(i, Some(Spin { angular_velocity, shape: Shape::Ball }))`.
///     }
///     let prediction = predictor.predict_from(space, Horizon::default());
///     # assert_eq!(prediction.discs().velocity, [vec2(3.0, 0.0)]);
///     // And now it is played.
///     commands.entity(disc).insert(Velocity(vec2(3.0, 0.0)));
/// }
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, PhysicsPlugins::default())).add_systems(Update, (will_it_rest, shoot));
/// # app.world_mut().spawn(Disc);
/// # app.update();
/// ```
///
/// It reads the components of all discs, and `PhysicsSpace`. A system that also writes velocities must use `Commands`,
/// as above, or a `ParamSet`: with a `Query<&mut Velocity>` beside this parameter, Bevy panics.
///
/// If you only have a [`World`], as in a test, use `SystemState::<Predictor>::new(world).get(world)`.
#[derive(SystemParam)]
pub struct Predictor<'w, 's> {
    snapshot: Snapshot<'w, 's>,
    forces: CurrentForces<'w>,
    settings: Res<'w, CollisionSettings>,
    playback: Res<'w, Playback>,
    clock: Res<'w, Time<Fixed>>,
}

impl Predictor<'_, '_> {
    /// Predicts the current state, as if nobody interferes.
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

    /// The length of the next tick, seconds.
    #[must_use]
    pub fn time_step(&self) -> f32 {
        self.playback.time_step(&self.clock).as_secs_f32()
    }
}
