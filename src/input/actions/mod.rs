//! The action map: the controls, and their keys, buttons, wheel and sticks.
//!
//! [`CONTROLS`] is the table of all controls, [`KeyMap`] has their current bindings, and systems ask [`Inputs`] for a
//! person's requests in this frame. No system reads keys directly. The help, the tooltips and the panel's section
//! *Keys* all follow from the table and the map.
//!
//! It is built on [`bevy_enhanced_input`]. Every [`Control`] is the [`Action`] of an entity with that component. Every
//! [`Context`] is a context on one entity, activated according to [`Attention`], [`Gesture`](super::Gesture) and
//! [`Aim`](super::Aim). A game can observe the actions, mock them, and add its own contexts:
//!
//! ```
//! # use bevy::prelude::*;
//! # use carom::{input::{PointerPlugin, actions::{Control, KeyMap}}, prelude::*};
//! use carom::bevy_enhanced_input::prelude::{Binding, ModKeys, Start};
//!
//! #[derive(Resource, Default)]
//! struct Shouts(u32);
//!
//! fn shout(start: On<Start<Control>>, controls: Query<&Control>, mut shouts: ResMut<Shouts>) {
//!     if controls.get(start.action) == Ok(&Control::Pause) {
//!         shouts.0 += 1;
//!     }
//! }
//!
//! # let mut app = App::new();
//! # app.add_plugins((MinimalPlugins, PhysicsPlugins::default()));
//! app.add_plugins(PointerPlugin).init_resource::<Shouts>().add_observer(shout);
//! let key = Binding::Keyboard { key: KeyCode::KeyK, mod_keys: ModKeys::empty() };
//! app.world_mut().resource_mut::<KeyMap>().set(Control::Pause, vec![key]);
//! # app.finish();
//! # app.update();
//! # app.world_mut().resource_mut::<ButtonInput<KeyCode>>().press(KeyCode::KeyK);
//! # app.update();
//! # assert_eq!(app.world().resource::<Shouts>().0, 1);
//! ```
//!
//! An app that never runs, such as that of a test, has to call [`App::finish`] before its first update, which sets up
//! the contexts.
//!
//! Small additions cover cases that `bevy_enhanced_input` does not:
//!
//! - A key that goes down and up within one slow frame counts as held in it (`corrections`).
//! - A key pressed in a text field of the panel does not count as held when the keyboard returns to the table
//!   (`corrections`).
//! - A plain key does not respond while Ctrl, Alt or the window key is held, nor with Shift if that combination is
//!   bound (`blockers`).
//! - Only the first system that can cancel something gets Escape ([`Inputs::take`]).
//! - Only [`Gesture`](super::Gesture) knows where and in which order mouse buttons went down and up within a frame. It
//!   queries the map through `PointerButtons`.

use bevy::{ecs::system::SystemParam, prelude::*};
use bevy_enhanced_input::{context::instance::ContextInstances, prelude::*};

use super::{ControlSystems, pointer::Attention};

pub mod control;
mod corrections;
pub mod key_map;
mod pointer_buttons;
pub mod rebind;
mod repeat;
pub mod words;

pub use control::{CONTROLS, Context, Control, ControlInfo, Group};
pub use key_map::{KeyChanges, KeyMap};
pub(crate) use pointer_buttons::{Held, PointerButtons};
pub use rebind::Rebinding;
pub(crate) use repeat::Repeat;

use corrections::{Bound, Corrections, correct};

/// The action map. [`PointerPlugin`](super::PointerPlugin) adds it.
pub(super) struct ActionsPlugin;

impl Plugin for ActionsPlugin {
    fn build(&self, app: &mut App) {
        if !app.is_plugin_added::<EnhancedInputPlugin>() {
            app.add_plugins(EnhancedInputPlugin);
        }
        app.add_input_context::<Modifiers>()
            .add_input_context::<Always>()
            .add_input_context::<Table>()
            .add_input_context::<Aiming>()
            .add_input_context::<NotAiming>()
            .add_input_context::<Choosing>()
            .init_resource::<Asked>()
            .init_resource::<Hands>()
            .init_resource::<KeyMap>()
            .init_resource::<Rebinding>()
            .init_resource::<PressedAgain>()
            .init_resource::<Corrections>()
            .register_type::<Control>()
            .configure_sets(
                PreUpdate,
                (EnhancedInputSystems::Prepare, EnhancedInputSystems::Update, EnhancedInputSystems::Apply)
                    .in_set(ControlSystems::Read),
            )
            // The storage of contexts is created when `EnhancedInputPlugin` finishes. An app that never finishes has no
            // contexts.
            .add_systems(PreStartup, spawn.run_if(resource_exists::<ContextInstances<PreUpdate>>))
            .add_systems(PreUpdate, rebind::rebind.after(ControlSystems::Look).before(ControlSystems::Read))
            .add_systems(
                PreUpdate,
                (
                    (activate, bind.run_if(resource_changed::<KeyMap>), correct)
                        .chain()
                        .run_if(resource_exists::<ActionEntities>)
                        .in_set(ControlSystems::Read)
                        .before(EnhancedInputSystems::Prepare),
                    find_pressed_again.in_set(ControlSystems::Read).after(EnhancedInputSystems::Apply),
                ),
            );
    }
}

/// Ctrl, Alt, Shift and the window key.
#[derive(Component)]
struct Modifiers;

/// [`Context::Always`].
#[derive(Component)]
struct Always;

/// [`Context::Table`].
#[derive(Component)]
struct Table;

/// [`Context::Aiming`].
#[derive(Component)]
struct Aiming;

/// [`Context::NotAiming`].
#[derive(Component)]
struct NotAiming;

/// [`Context::Choosing`].
#[derive(Component)]
struct Choosing;

/// Whether a game asks the player to choose, which activates [`Context::Choosing`]. The asking code sets it. Default:
/// no.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asked(pub bool);

/// A modifier is held.
#[derive(InputAction)]
#[action_output(bool)]
struct Modifier;

/// The entity of all contexts, and those of the actions: one per control in the order of [`CONTROLS`], and one per
/// modifier.
#[derive(Resource)]
struct ActionEntities {
    contexts: Entity,
    controls: [Entity; CONTROLS.len()],
    modifiers: [(ModKeys, Entity); 4],
}

fn spawn(world: &mut World) {
    let contexts = world
        .spawn((
            Name::new("controls"),
            (Modifiers, ContextPriority::<Modifiers>::new(2)),
            // The wheel does not zoom while it sets the speed of a shot.
            (Aiming, ContextPriority::<Aiming>::new(1)),
            // A key for a choice has no other effect.
            (Choosing, ContextPriority::<Choosing>::new(1)),
            (Always, Table, NotAiming),
        ))
        .id();
    let modifiers = [ModKeys::CONTROL, ModKeys::ALT, ModKeys::SHIFT, ModKeys::SUPER].map(|modifier| {
        let action = world.spawn((ActionOf::<Modifiers>::new(contexts), Action::<Modifier>::new())).id();
        for key in modifier.iter_keys().flatten() {
            world.spawn((BindingOf(action), Binding::from(key), Bound(key.into())));
        }
        (modifier, action)
    });
    let controls = CONTROLS.map(|info| {
        let settings =
            ActionSettings { consume_input: matches!(info.context, Context::Aiming | Context::Choosing), ..default() };
        let mut action = world.spawn((Action::<Control>::new(), info.control, settings, Name::new(info.name)));
        match info.context {
            Context::Always => action.insert(ActionOf::<Always>::new(contexts)),
            Context::Table => action.insert(ActionOf::<Table>::new(contexts)),
            Context::Aiming => action.insert(ActionOf::<Aiming>::new(contexts)),
            Context::NotAiming => action.insert(ActionOf::<NotAiming>::new(contexts)),
            Context::Choosing => action.insert(ActionOf::<Choosing>::new(contexts)),
        };
        action.id()
    });
    world.insert_resource(ActionEntities { contexts, controls, modifiers });
}

/// The person's current activity, which determines the meaning of keys and buttons.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Hands {
    /// A shot is being aimed.
    pub(super) aim: bool,
    /// A gesture is in progress.
    pub(super) hold: bool,
}

/// Activates and deactivates contexts, and leaves mouse and wheel to the panel where it needs them.
fn activate(
    mut commands: Commands,
    entities: Res<ActionEntities>,
    (attention, hands, asked): (Res<Attention>, Res<Hands>, Res<Asked>),
    mut sources: ResMut<ActionSources>,
    mut last: Local<Option<[bool; 5]>>,
) {
    // A gesture that started on the table continues over the panel.
    let now = [attention.keys, hands.aim, asked.0, attention.mouse || hands.hold, attention.mouse];
    if *last == Some(now) {
        return;
    }
    *last = Some(now);
    let [table, aiming, asked, buttons, wheel] = now;
    commands.entity(entities.contexts).insert((
        ContextActivity::<Table>::new(table),
        ContextActivity::<Aiming>::new(table && aiming && !asked),
        ContextActivity::<NotAiming>::new(table && !aiming && !asked),
        ContextActivity::<Choosing>::new(table && asked),
    ));
    (sources.mouse_buttons, sources.mouse_wheel) = (buttons, wheel);
}

/// Applies the map's bindings to the actions.
fn bind(mut commands: Commands, map: Res<KeyMap>, entities: Res<ActionEntities>) {
    for info in &CONTROLS {
        let action = entities.controls[info.control as usize];
        commands.entity(action).despawn_related::<Bindings>();
        for &binding in map.of(info.control) {
            let mut spawned = commands.spawn((BindingOf(action), binding, Bound(binding)));
            match binding {
                Binding::Keyboard { .. } => {
                    let blocking = blockers(binding, &map);
                    let actions = entities.modifiers.iter().filter(|(modifier, _)| blocking.contains(*modifier));
                    let actions: Vec<Entity> = actions.map(|(_, action)| *action).collect();
                    spawned.insert(BlockBy::new(actions));
                }
                // The wheel reports on y, and a scalar action reads x.
                Binding::MouseWheel { .. } => _ = spawned.insert(SwizzleAxis::YXZ),
                Binding::GamepadAxis(_) => _ = spawned.insert(DeadZone::default()),
                _ => {}
            }
        }
    }
}

/// The modifiers that disable a key: those that form a system shortcut with it, and Shift if that combination is bound.
fn blockers(binding: Binding, map: &KeyMap) -> ModKeys {
    let Binding::Keyboard { key, mod_keys } = binding else { return ModKeys::empty() };
    let with_shift = Binding::Keyboard { key, mod_keys: mod_keys | ModKeys::SHIFT };
    let shift_is_else = CONTROLS.iter().any(|info| map.of(info.control).contains(&with_shift));
    let shift = if shift_is_else { ModKeys::SHIFT } else { ModKeys::empty() };
    let shortcut = ModKeys::CONTROL | ModKeys::ALT | ModKeys::SUPER;
    // A modifier that is bound as a key does not block itself.
    (shortcut | shift).difference(mod_keys | ModKeys::from(key))
}

/// The controls whose key was released and pressed again since the last evaluation. To the actions they seem to be
/// held.
#[derive(Resource, Default)]
struct PressedAgain(Vec<Control>);

fn find_pressed_again(
    keys: Option<Res<ButtonInput<KeyCode>>>,
    map: Res<KeyMap>,
    mut again: ResMut<PressedAgain>,
    actions: Query<(&Control, &ActionEvents, &TriggerState)>,
) {
    again.0.clear();
    let Some(keys) = keys.filter(|keys| keys.get_just_pressed().len() > 0) else { return };
    let is_struck = |binding: &Binding| matches!(*binding, Binding::Keyboard { key, .. } if keys.just_pressed(key));
    let held = actions
        .iter()
        .filter(|(_, events, state)| **state == TriggerState::Fired && !events.contains(ActionEvents::START));
    again.0.extend(held.map(|(control, ..)| *control).filter(|&control| map.of(control).iter().any(is_struck)));
}

/// The requests of a person in this frame, from [`ControlSystems::Keys`] on.
#[derive(SystemParam)]
pub struct Inputs<'w, 's> {
    entities: Option<Res<'w, ActionEntities>>,
    again: Option<Res<'w, PressedAgain>>,
    actions: Query<'w, 's, (&'static mut ActionEvents, &'static TriggerState, &'static ActionValue), With<Control>>,
}

impl Inputs<'_, '_> {
    fn action(&self, control: Control) -> Option<Entity> {
        Some(self.entities.as_ref()?.controls[control as usize])
    }

    /// Whether a control was pressed in this frame.
    #[must_use]
    pub fn started(&self, control: Control) -> bool {
        self.action(control)
            .and_then(|action| self.actions.get(action).ok())
            .is_some_and(|(events, ..)| events.contains(ActionEvents::START))
    }

    /// Whether the key of a held control was released and pressed again since the last frame.
    pub(super) fn pressed_again(&self, control: Control) -> bool {
        self.again.as_ref().is_some_and(|again| again.0.contains(&control))
    }

    /// The same as [`Inputs::started`], but hides the press from later systems in this frame.
    pub fn take(&mut self, control: Control) -> bool {
        let Some(action) = self.action(control) else { return false };
        let Ok((mut events, ..)) = self.actions.get_mut(action) else { return false };
        let started = events.contains(ActionEvents::START);
        if started {
            *events = events.difference(ActionEvents::START);
        }
        started
    }

    /// Whether a control is held.
    #[must_use]
    pub fn held(&self, control: Control) -> bool {
        self.action(control)
            .and_then(|action| self.actions.get(action).ok())
            .is_some_and(|(_, state, _)| *state == TriggerState::Fired)
    }

    /// The value of a control: a stick -1 to 1, a trigger 0 to 1, a pressed key or button 1, otherwise 0.
    #[must_use]
    pub fn value(&self, control: Control) -> f32 {
        self.action(control)
            .and_then(|action| self.actions.get(action).ok())
            .map_or(0.0, |(_, _, value)| value.as_axis1d())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_blocked_by_what_makes_another_of_it() {
        let (map, none) = (KeyMap::default(), ModKeys::empty());
        let shortcut = ModKeys::CONTROL | ModKeys::ALT | ModKeys::SUPER;
        let of = |key, mod_keys| blockers(Binding::Keyboard { key, mod_keys }, &map);
        assert_eq!(of(KeyCode::KeyR, none), shortcut, "Shift + R is R");
        assert_eq!(of(KeyCode::KeyN, none), shortcut | ModKeys::SHIFT);
        assert_eq!(of(KeyCode::KeyN, ModKeys::SHIFT), shortcut);
        assert_eq!(of(KeyCode::KeyA, ModKeys::CONTROL), ModKeys::ALT | ModKeys::SUPER);
        assert_eq!(of(KeyCode::ControlLeft, none), ModKeys::ALT | ModKeys::SUPER);
    }
}
