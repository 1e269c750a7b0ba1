//! The list of forces that act on the discs in every substep: in the tick and in every
//! [`Prediction`](crate::timeline::Prediction), so also in the preview of a shot.

use bevy::{ecs::system::SystemParam, prelude::*};
use core::any::Any;
use std::sync::Arc;

use super::MotionSettings;
use crate::collision::{Cause, ContactHook, ContactHooks, Discs, OwnMotion, PhysicsSpace, account};

/// A force, a field or a rule that changes velocities in every substep. A plain function `fn(&mut PhysicsSpace)` is
/// one, and so is a small type with data.
///
/// It sees only the arrays and its own data, so it acts in a prediction exactly as in the tick. For anything that
/// depends on time, use [`PhysicsSpace::elapsed`]. For anything that depends on components, copy it into the data of
/// the force in a system, with [`Forces::set`].
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::{motion::{ForceLaw, ForceAppExt}, prelude::*};
/// /// Air that moves, and takes the discs along.
/// struct Wind {
///     /// Metres per second.
///     velocity: Vec2,
///     /// How much of the difference a second takes away, 1/s.
///     grip: f32,
/// }
///
/// impl ForceLaw for Wind {
///     fn act(&self, space: &mut PhysicsSpace) {
///         let share = self.grip * space.substep();
///         for velocity in &mut space.discs.velocity {
///             *velocity += (self.velocity - *velocity) * share;
///         }
///     }
/// }
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, PhysicsPlugins::default()));
/// app.add_force(Wind { velocity: vec2(1.0, 0.0), grip: 0.2 });
/// ```
pub trait ForceLaw: Send + Sync + 'static {
    /// Changes the velocities by the effect of the force over [`PhysicsSpace::substep`] seconds.
    ///
    /// It may also move discs, as a portal does. Changes to radii, masses and restitutions last until the end of the
    /// tick, as the next one reads the components again. Queries see the discs as they are when `act` starts; after
    /// moving some, call [`PhysicsSpace::refresh_queries`].
    fn act(&self, space: &mut PhysicsSpace);

    /// Whether it slows discs down until they stop, as friction does. Default: no.
    fn brakes(&self) -> bool {
        false
    }

    /// Whether a disc at rest stays at rest under it, now and at any later time. A prediction can then end when all
    /// discs are at rest; otherwise it runs to its horizon. Default: no.
    fn keeps_rest(&self) -> bool {
        false
    }

    /// Whether it writes only velocities and the values that [`PhysicsSpace`] keeps for a substep, such as gravity and
    /// the table. Default: no; a prediction then checks every disc again in every tick.
    fn only_accelerates(&self) -> bool {
        false
    }
}

impl<F: Fn(&mut PhysicsSpace) + Send + Sync + 'static> ForceLaw for F {
    fn act(&self, space: &mut PhysicsSpace) {
        self(space);
    }
}

/// A force in the list.
#[derive(Clone)]
struct Entry {
    force: Arc<dyn ForceLaw>,
    /// The same force, for reading its data.
    data: Arc<dyn Any + Send + Sync>,
}

impl Entry {
    fn of<F: ForceLaw>(force: F) -> Self {
        let force = Arc::new(force);
        Self { force: force.clone(), data: force }
    }

    fn act(&self, space: &mut PhysicsSpace) {
        self.force.act(space);
        if !self.force.only_accelerates() {
            // The force may have moved discs.
            space.refresh_queries();
        }
    }
}

/// All forces on the discs, in order: the forces of the game, then those of [`MotionSettings`], so that friction acts
/// after the others, then those added by [`Forces::add_last`].
///
/// A clone shares the data of the forces. Setting a force replaces it, so a clone keeps its own version.
#[derive(Resource, Clone, Default)]
pub struct Forces {
    list: Vec<Entry>,
    /// The number of forces that act before the settings.
    before: usize,
    hooks: ContactHooks,
    /// Zero in the list of the app, where the resource acts instead.
    settings: MotionSettings,
}

impl Forces {
    /// Adds a force after all earlier ones.
    pub fn add<F: ForceLaw>(&mut self, force: F) {
        self.list.insert(self.before, Entry::of(force));
        self.before += 1;
    }

    /// Adds a force that acts after the friction of the settings.
    pub fn add_last<F: ForceLaw>(&mut self, force: F) {
        self.list.push(Entry::of(force));
    }

    /// Replaces the first force of this type, or adds it if there is none.
    pub fn set<F: ForceLaw>(&mut self, force: F) {
        match self.position::<F>() {
            Some(at) => self.list[at] = Entry::of(force),
            None => self.add(force),
        }
    }

    /// As [`Forces::set`], but keeps a force that is equal, so that previews need not restart.
    pub fn set_if_neq<F: ForceLaw + PartialEq>(&mut self, force: F) {
        if self.get::<F>() != Some(&force) {
            self.set(force);
        }
    }

    /// The first force of a type, if any.
    #[must_use]
    pub fn get<F: ForceLaw>(&self) -> Option<&F> {
        self.list.iter().find_map(|entry| (*entry.data).downcast_ref())
    }

    /// Removes the first force of a type, and returns whether there was one.
    pub fn remove<F: ForceLaw>(&mut self) -> bool {
        let Some(at) = self.position::<F>() else { return false };
        self.list.remove(at);
        self.before -= usize::from(at < self.before);
        true
    }

    /// The hooks that see contacts before they are resolved. They are active while the forces of this list act.
    #[must_use]
    pub fn contact_hooks(&self) -> &ContactHooks {
        &self.hooks
    }

    /// The hooks, for adding, setting and removing some.
    pub fn contact_hooks_mut(&mut self) -> &mut ContactHooks {
        &mut self.hooks
    }

    /// The gravity, drag and friction in the list.
    #[must_use]
    pub fn settings(&self) -> &MotionSettings {
        &self.settings
    }

    /// This list with other settings. Values out of range count as zero.
    #[must_use]
    pub fn with(&self, settings: &MotionSettings) -> Self {
        Self { settings: settings.in_range(), ..self.clone() }
    }

    /// Whether all of them leave positions and radii unchanged.
    pub(crate) fn only_accelerate(&self) -> bool {
        self.list.iter().all(|entry| entry.force.only_accelerates())
    }

    /// Applies all of them in order, for [`PhysicsSpace::substep`] seconds.
    pub fn act(&self, space: &mut PhysicsSpace) {
        self.act_with(&self.settings, space);
    }

    /// As [`Forces::with`] and [`Forces::act`], without building a list.
    pub(super) fn act_with(&self, settings: &MotionSettings, space: &mut PhysicsSpace) {
        if !self.hooks.is_empty() {
            space.set_contact_hooks(&self.hooks);
        }
        let (before, last) = self.list.split_at(self.before);
        for entry in before {
            entry.act(space);
        }
        super::act(space, settings);
        for entry in last {
            entry.act(space);
        }
        account::enter(space, account::Entry::Of(Cause::Forces));
    }

    /// Whether a disc at rest stays at rest under all of them, at any time.
    #[must_use]
    pub fn keep_rest(&self) -> bool {
        self.settings.gravity == Vec2::ZERO && self.list.iter().all(|entry| entry.force.keeps_rest())
    }

    /// Whether these discs come to rest under the forces and stay at rest. All of them must be braked, and nothing may
    /// set them in motion, including constant forces of single discs.
    #[must_use]
    pub fn bring_to_rest(&self, discs: &Discs) -> bool {
        let MotionSettings { drag, friction, .. } = self.settings;
        let brakes = |own: &OwnMotion| own.drag.unwrap_or(drag) > 0.0 || own.friction.unwrap_or(friction) > 0.0;
        let brake = (drag > 0.0 || friction > 0.0) && discs.own_motion.iter().all(brakes);
        (brake || self.list.iter().any(|entry| entry.force.brakes()))
            && self.keep_rest()
            && discs.constant_forces.is_empty()
    }

    fn position<F: ForceLaw>(&self) -> Option<usize> {
        self.list.iter().position(|entry| entry.data.is::<F>())
    }
}

/// Two lists are equal if they hold the same force and contact hook objects, none of them replaced, and equal settings.
impl PartialEq for Forces {
    fn eq(&self, other: &Self) -> bool {
        self.before == other.before
            && self.settings == other.settings
            && self.list == other.list
            && self.hooks == other.hooks
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.data, &other.data)
    }
}

impl From<&MotionSettings> for Forces {
    fn from(settings: &MotionSettings) -> Self {
        Self::default().with(settings)
    }
}

impl core::fmt::Debug for Forces {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let count = self.list.len();
        formatter
            .debug_struct("Forces")
            .field("count", &count)
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

/// The current forces on the discs: [`Forces`] and [`MotionSettings`].
#[derive(SystemParam)]
pub struct CurrentForces<'w> {
    forces: Res<'w, Forces>,
    settings: Res<'w, MotionSettings>,
}

impl CurrentForces<'_> {
    /// The combined list, for a [`Prediction`](crate::timeline::Prediction) or
    /// [`run_tick`](crate::collision::run_tick).
    #[must_use]
    pub fn list(&self) -> Forces {
        self.forces.with(&self.settings)
    }
}

/// Adds forces while an app is built.
pub trait ForceAppExt {
    /// Adds a force to [`Forces`], after all earlier ones; one type can be added several times. A closure
    /// needs a parameter type: `app.add_force(|space: &mut PhysicsSpace| gravity(space, Vec2::NEG_Y))`.
    fn add_force<F: ForceLaw>(&mut self, force: F) -> &mut Self;

    /// Adds a hook that sees contacts before they are resolved, after all that were added earlier. A closure needs
    /// parameter types: `app.add_contact_hook(|contact: &ContactView, response: &mut ContactResponse| …)`.
    fn add_contact_hook<H: ContactHook>(&mut self, hook: H) -> &mut Self;
}

impl ForceAppExt for App {
    fn add_force<F: ForceLaw>(&mut self, force: F) -> &mut Self {
        self.init_resource::<Forces>();
        self.world_mut().resource_mut::<Forces>().add(force);
        self
    }

    fn add_contact_hook<H: ContactHook>(&mut self, hook: H) -> &mut Self {
        self.init_resource::<Forces>();
        self.world_mut().resource_mut::<Forces>().contact_hooks_mut().add(hook);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::{DiscForce, DiscState};

    /// Appends a digit to the speed.
    fn digit(space: &mut PhysicsSpace, digit: f32) {
        space.discs.velocity[0].x = 10.0 * space.discs.velocity[0].x + digit;
    }

    #[derive(PartialEq)]
    struct Two(f32);

    impl ForceLaw for Two {
        fn act(&self, space: &mut PhysicsSpace) {
            digit(space, self.0);
        }
    }

    fn one(space: &mut PhysicsSpace) {
        digit(space, 1.0);
    }

    fn last(space: &mut PhysicsSpace) {
        digit(space, 9.0);
    }

    fn speed_after(forces: &Forces) -> f32 {
        let mut space = PhysicsSpace::default();
        space.clock.time_step = 1.0;
        space.discs.push(DiscState::default());
        forces.act(&mut space);
        space.discs.velocity[0].x
    }

    #[test]
    fn they_act_in_their_order_and_the_settings_between() {
        let mut forces = Forces::default();
        forces.add_last(last);
        forces.set(one);
        forces.set(Two(2.0));
        assert_eq!(speed_after(&forces), 129.0);
        let settings = MotionSettings { gravity: Vec2::new(0.5, 0.0), ..MotionSettings::default() };
        assert_eq!(speed_after(&forces.with(&settings)), 134.0, "(12 + 0.5) 10 + 9");
        forces.set(Two(4.0));
        assert_eq!(speed_after(&forces), 149.0, "in its old place");
        assert!(forces.remove::<Two>() && !forces.remove::<Two>());
        forces.add(Two(3.0));
        assert_eq!(speed_after(&forces), 139.0);
        assert_eq!(speed_after(&forces.with(&settings).with(&settings)), 144.0, "the settings are there once");
    }

    #[test]
    fn a_clone_keeps_what_it_was_made_with() {
        let mut forces = Forces::default();
        forces.set(Two(2.0));
        let clone = forces.clone();
        assert_eq!(forces, clone);
        forces.set_if_neq(Two(2.0));
        assert_eq!(forces, clone, "nothing has changed");
        forces.set_if_neq(Two(3.0));
        assert_ne!(forces, clone);
        assert_eq!(forces.with(&MotionSettings::default()), forces.with(&MotionSettings::default()));
        assert_eq!((speed_after(&clone), speed_after(&forces)), (2.0, 3.0));
        assert_eq!(forces.get::<Two>().map(|two| two.0), Some(3.0));
    }

    #[test]
    fn the_same_type_may_be_there_several_times() {
        let mut forces = Forces::default();
        forces.add(Two(2.0));
        forces.add(Two(3.0));
        assert_eq!(speed_after(&forces), 23.0);
        forces.set(Two(4.0));
        assert_eq!(speed_after(&forces), 43.0, "the first is replaced");
        assert!(forces.remove::<Two>() && forces.remove::<Two>() && !forces.remove::<Two>());
    }

    #[test]
    fn what_brakes_brings_to_rest_unless_something_else_moves() {
        let settings = MotionSettings { drag: 0.1, ..MotionSettings::default() };
        let mut discs = Discs::default();
        discs.push(DiscState::default());
        assert!(!Forces::from(&MotionSettings::default()).bring_to_rest(&discs));
        assert!(Forces::from(&settings).bring_to_rest(&discs));
        assert!(!Forces::from(&MotionSettings { gravity: Vec2::X, ..settings.clone() }).bring_to_rest(&discs));
        let mut forces = Forces::from(&settings);
        discs.constant_forces.push(DiscForce { disc: 0, force: Vec2::X, torque: 0.0 });
        assert!(!forces.bring_to_rest(&discs), "a motor drives it");
        discs.constant_forces.clear();
        discs.own_motion.push(OwnMotion {
            disc: 0,
            gravity_scale: 1.0,
            drag: Some(0.0),
            friction: None,
            speed_limit: None,
        });
        assert!(!forces.bring_to_rest(&discs), "nothing brakes it");
        discs.own_motion.clear();
        forces.add(one);
        assert!(!forces.bring_to_rest(&discs));
    }
}
