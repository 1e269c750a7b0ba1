//! States for games: whether a scene runs, and whether anything in it moves.

use bevy::{prelude::*, state::app::StatesPlugin};

use crate::collision::PhysicsSpace;

/// Whether a scene runs. [`ScenePlugin`](super::ScenePlugin) updates it.
///
/// Every scene that begins enters [`SceneState::Running`], even if it replaces another one or is restarted.
/// `OnExit(SceneState::Running)` and `OnEnter(SceneState::Running)` then run one after the other.
///
/// Like all states, it changes in Bevy's `StateTransition`, after [`PreUpdate`]. To react at once, read or observe
/// [`SceneStarted`](crate::scene::running::SceneStarted) and [`SceneEnded`](crate::scene::running::SceneEnded).
///
/// Give entities that you spawn in an observer of `SceneStarted` a [`SceneEntity`](crate::scene::running::SceneEntity).
/// `DespawnOnExit(SceneState::Running)` would despawn them when the state changes shortly afterwards.
#[derive(States, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SceneState {
    /// There is no scene.
    #[default]
    Empty,
    /// [`CurrentScene`](crate::scene::running::CurrentScene) runs.
    Running,
}

/// Whether anything dynamic moves: [`Motion::Moving`] if a disc in play or a piece of dynamic terrain has a velocity or
/// a spin at the end of the last tick. Kinematic discs and terrain do not count. [`ScenePlugin`](super::ScenePlugin)
/// updates it, with or without a scene.
///
/// It changes once per frame, in Bevy's `StateTransition` after [`PreUpdate`]. It does not change if discs come to rest
/// and move again between two frames. The message [`AllAtRest`](crate::collision::AllAtRest) reports every tick. A shot
/// moves its disc in the following tick.
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
    /// Nothing dynamic moves.
    #[default]
    AtRest,
    /// Something dynamic moves.
    Moving,
}

/// Adds the states, and Bevy's plugin for states if it is missing.
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
    NextState::set_if_neq(&mut next, if space.any_moves() { Motion::Moving } else { Motion::AtRest });
}

/// Sets the state when a scene begins or ends, if the app has states.
pub(super) fn enter(world: &mut World, state: SceneState) {
    if let Some(mut next) = world.get_resource_mut::<NextState<SceneState>>() {
        next.set(state);
    }
}
