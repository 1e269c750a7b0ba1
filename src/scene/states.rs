//! The states that a game goes by: whether a scene runs, and whether anything in it moves.

use bevy::{prelude::*, state::app::StatesPlugin};

use crate::collision::PhysicsSpace;

/// Whether a scene runs. [`ScenePlugin`](super::ScenePlugin) keeps it.
///
/// Each scene that begins enters [`SceneState::Running`], also where another one ends for it and when it is restarted:
/// `OnExit(SceneState::Running)` and `OnEnter(SceneState::Running)` then run one after the other. As with all states
/// that is in Bevy's `StateTransition`, after [`PreUpdate`]; whoever wants to know at once reads
/// [`SceneStarted`](crate::scene::running::SceneStarted) and [`SceneEnded`](crate::scene::running::SceneEnded), or
/// observes them. What an observer of `SceneStarted` spawns gets a [`SceneEntity`](crate::scene::running::SceneEntity):
/// `DespawnOnExit(SceneState::Running)` would take it away again when the states follow.
#[derive(States, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SceneState {
    /// There is no scene.
    #[default]
    Empty,
    /// [`CurrentScene`](crate::scene::running::CurrentScene) runs.
    Running,
}

/// Whether anything moves: a disc in play that has a velocity or a spin, at the end of the last tick.
/// [`ScenePlugin`](super::ScenePlugin) keeps it, with scenes and without.
///
/// It changes once a picture, in Bevy's `StateTransition` after [`PreUpdate`]. What comes to rest and moves on between
/// two pictures changes nothing; the message [`AllAtRest`](crate::collision::AllAtRest) tells of every tick. A shot
/// moves its disc with the tick that follows it.
///
/// ```
/// # use bevy::{prelude::*, time::TimeUpdateStrategy};
/// use carom::{prelude::*, scene::{Motion, ScenePlugin}};
///
/// #[derive(Resource, Default)]
/// struct Turn(u32);
///
/// let mut app = App::new();
/// app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), ScenePlugin)).init_resource::<Turn>();
/// app.add_systems(OnTransition { exited: Motion::Moving, entered: Motion::AtRest }, |mut turn: ResMut<Turn>| turn.0 += 1);
/// # app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1)); // a tick with every update after the first
/// // A disc on a floor that stops it after a tenth of a second.
/// app.insert_resource(MotionSettings { friction: 10.0, ..default() });
/// app.world_mut().spawn((Disc, Velocity(vec2(1.0, 0.0))));
/// for _ in 0..20 {
///     app.update();
/// }
/// assert_eq!(app.world().resource::<Turn>().0, 1, "the shot is over, and the next player's turn has come");
/// ```
#[derive(States, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Motion {
    /// Nothing moves.
    #[default]
    AtRest,
    /// Something moves.
    Moving,
}

/// Adds the states, and Bevy's plugin for states where it is missing.
pub(super) fn plugin(app: &mut App) {
    if !app.is_plugin_added::<StatesPlugin>() {
        app.add_plugins(StatesPlugin);
    }
    app.init_state::<SceneState>()
        .init_state::<Motion>()
        .register_type_mutable_state::<SceneState>()
        .register_type_mutable_state::<Motion>()
        .add_systems(
            PreUpdate,
            follow_motion
                .after(crate::scene::running::ObeysCommands)
                .run_if(resource_exists_and_changed::<PhysicsSpace>),
        );
}

fn follow_motion(space: Res<PhysicsSpace>, mut next: ResMut<NextState<Motion>>) {
    NextState::set_if_neq(&mut next, if space.discs.any_moves() { Motion::Moving } else { Motion::AtRest });
}

/// Has the state follow a scene that begins or ends, where there are states.
pub(super) fn enter(world: &mut World, state: SceneState) {
    if let Some(mut next) = world.get_resource_mut::<NextState<SceneState>>() {
        next.set(state);
    }
}
