//! Contact hooks: what a game says to single contacts before they are resolved, in the tick and in every prediction
//! alike.

use bevy::{math::DVec2, prelude::*};
use core::any::Any;
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use super::Answer;
use crate::{collision::hit::HitTarget, components::LIMIT};

/// Two that touch, as a [`ContactHook`] sees them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactView {
    /// The disc; of two, either: [`ContactView::other`] finds the other side.
    pub disc: Entity,
    /// What it touches.
    pub target: HitTarget,
    /// Where, metres.
    pub point: Vec2,
    /// Unit vector from the disc toward what it touches.
    pub normal: Vec2,
    /// The velocity of the disc relative to what it touches, m/s: to the other disc, or to terrain where they touch,
    /// but not to a surface that moves along itself.
    pub relative_velocity: Vec2,
    /// When this part of the tick began, seconds since the scene began:
    /// [`PhysicsSpace::elapsed`](crate::collision::PhysicsSpace::elapsed).
    pub elapsed: f64,
}

impl ContactView {
    /// How fast the two approach along the normal, m/s; negative where they part.
    #[must_use]
    pub fn approach_speed(&self) -> f32 {
        self.relative_velocity.dot(self.normal)
    }

    /// The other side, for one of the two entities; `None` for any other entity.
    #[must_use]
    pub fn other(&self, entity: Entity) -> Option<Entity> {
        let target = self.target.entity();
        if entity == self.disc { Some(target) } else { (entity == target).then_some(self.disc) }
    }
}

/// How a hit is about to be answered: what the components of the two and the settings say, for a [`ContactHook`] to
/// change. What is set to no number of its range counts as not changed, with a line in the log.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactResponse {
    /// Coefficient of restitution, 0 to 1e12; above 1 the hit gives energy. Slower than the resting speed it is 0 all
    /// the same.
    pub restitution: f32,
    /// How much faster than by their restitution the two part, m/s, 0 to 1e12: that of their
    /// [`BumperKick`](crate::components::BumperKick)s.
    pub kick: f32,
    /// Coefficient of friction, 0 to 1e12: that of their [`Friction`](crate::components::Friction)s. For a disc that
    /// spins on a table, the friction of the table acts instead.
    pub friction: f32,
    /// How fast the surface of terrain moves along itself, m/s, each component from -1e12 to 1e12 in the world: its
    /// [`SurfaceVelocity`](crate::components::SurfaceVelocity). Of no use between discs.
    pub surface_velocity: Vec2,
}

impl ContactResponse {
    fn is_valid(&self) -> bool {
        let fits = |value: f32| (0.0..=LIMIT).contains(&value);
        let velocity = self.surface_velocity.abs();
        fits(self.restitution) && fits(self.kick) && fits(self.friction) && velocity.cmple(Vec2::splat(LIMIT)).all()
    }
}

/// Something that sees contacts before they are resolved, and lets them pass, drops them or changes how they are
/// answered. Rapier calls it `PhysicsHooks`, Avian `CollisionHooks`.
///
/// It sees the contact and its own data alone, so that it does in a prediction just what it does in the tick. What
/// follows from components is put into its data by a system, with [`ContactHooks::set`]; what changes with time follows
/// from [`ContactView::elapsed`]. It must be a pure function of the two: it may be asked any number of times, and in
/// any order.
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::{collision::{ContactHook, ContactResponse, ContactView}, prelude::*};
/// /// Balls pass from below, and land on top.
/// struct Platform(Entity);
///
/// impl ContactHook for Platform {
///     fn filter_contact(&self, contact: &ContactView) -> bool {
///         contact.target.entity() != self.0 || contact.relative_velocity.y <= 0.0
///     }
/// }
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, PhysicsPlugins::default()));
/// # let platform = Entity::PLACEHOLDER;
/// app.add_contact_hook(Platform(platform));
/// // A function that changes answers is one, too: whatever is hit hard is dead.
/// app.add_contact_hook(|contact: &ContactView, response: &mut ContactResponse| {
///     if contact.approach_speed() > 10.0 {
///         response.restitution = 0.0;
///     }
/// });
/// ```
pub trait ContactHook: Send + Sync + 'static {
    /// Whether the two meet. Two that do not go through each other, without a push and without resting on each other,
    /// as if one of them ignored the other: until the substep ends, in the continuous mode the tick; if they still
    /// touch then, they are asked for again. It is asked before anything is done with two that touch, whether or not
    /// they approach. Default: they do.
    fn filter_contact(&self, contact: &ContactView) -> bool {
        _ = contact;
        true
    }

    /// Changes how a hit is answered: once for every hit, and also for what may come to rest on each other. Default: it
    /// does not.
    fn modify_contact(&self, contact: &ContactView, response: &mut ContactResponse) {
        _ = (contact, response);
    }
}

impl<F: Fn(&ContactView, &mut ContactResponse) + Send + Sync + 'static> ContactHook for F {
    fn modify_contact(&self, contact: &ContactView, response: &mut ContactResponse) {
        self(contact, response);
    }
}

/// A hook in the list.
#[derive(Clone)]
struct Entry {
    hook: Arc<dyn ContactHook>,
    /// The same, for reading its data.
    data: Arc<dyn Any + Send + Sync>,
    /// Whether it was said that it answers with no numbers; nothing that a result depends on.
    warned: Arc<AtomicBool>,
}

impl Entry {
    fn of<H: ContactHook>(hook: H) -> Self {
        let hook = Arc::new(hook);
        Self { hook: hook.clone(), data: hook, warned: Arc::default() }
    }
}

/// The contact hooks of a game, in order: each sees what those before it have made of an answer, and two meet only if
/// all let them. They are part of [`Forces`](crate::motion::Forces), and so of every prediction.
///
/// A clone shares the hooks' data; a hook that is set anew is another one, so a clone keeps what it was made with.
#[derive(Clone, Default)]
pub struct ContactHooks(Arc<Vec<Entry>>);

impl ContactHooks {
    /// Adds a hook after those that were added before it.
    pub fn add<H: ContactHook>(&mut self, hook: H) {
        Arc::make_mut(&mut self.0).push(Entry::of(hook));
    }

    /// Puts a hook in the place of the first one of its type; adds it if there is none.
    pub fn set<H: ContactHook>(&mut self, hook: H) {
        match self.position::<H>() {
            Some(at) => Arc::make_mut(&mut self.0)[at] = Entry::of(hook),
            None => self.add(hook),
        }
    }

    /// As [`ContactHooks::set`], but leaves a hook that is equal as it is: previews that know it need not begin anew.
    pub fn set_if_neq<H: ContactHook + PartialEq>(&mut self, hook: H) {
        if self.get::<H>() != Some(&hook) {
            self.set(hook);
        }
    }

    /// The first hook of a type, if one is in the list.
    #[must_use]
    pub fn get<H: ContactHook>(&self) -> Option<&H> {
        self.0.iter().find_map(|entry| (*entry.data).downcast_ref())
    }

    /// Takes the first hook of a type out of the list, and says whether there was one.
    pub fn remove<H: ContactHook>(&mut self) -> bool {
        let Some(at) = self.position::<H>() else { return false };
        Arc::make_mut(&mut self.0).remove(at);
        true
    }

    /// Whether there are none.
    #[must_use]
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn position<H: ContactHook>(&self) -> Option<usize> {
        self.0.iter().position(|entry| entry.data.is::<H>())
    }

    /// Whether all of them let two meet.
    pub(super) fn meet(&self, contact: &ContactView) -> bool {
        self.0.iter().all(|entry| entry.hook.filter_contact(contact))
    }

    /// What they make of an answer.
    pub(super) fn modified(&self, answer: Answer, contact: &ContactView) -> Answer {
        let before = ContactResponse {
            restitution: answer.restitution,
            kick: answer.kick,
            friction: answer.friction,
            surface_velocity: answer.surface_velocity,
        };
        let mut response = before;
        for entry in &*self.0 {
            let mut changed = response;
            entry.hook.modify_contact(contact, &mut changed);
            if changed.is_valid() {
                response = changed;
            } else if !entry.warned.swap(true, Ordering::Relaxed) {
                tracing::warn!(
                    "{}: a contact hook returned the invalid response {changed:?}, so the hit keeps its own; set \
                    restitution, kick and friction from 0 to 1e12, surface_velocity to finite components within 1e12 \
                    m/s",
                    contact.disc
                );
            }
        }
        let ContactResponse { restitution, kick, friction, surface_velocity } = response;
        // Where it is the same the digits of the cushion's own stay.
        Answer {
            restitution,
            is_default: answer.is_default && restitution == before.restitution,
            kick,
            friction,
            surface_velocity,
        }
    }
}

/// Lists are equal if they hold the very same hooks, none set anew.
impl PartialEq for ContactHooks {
    fn eq(&self, other: &Self) -> bool {
        let data =
            |hooks: &Self| -> Vec<_> { hooks.0.iter().map(|entry| Arc::as_ptr(&entry.data).cast::<()>()).collect() };
        Arc::ptr_eq(&self.0, &other.0) || data(self) == data(other)
    }
}

impl core::fmt::Debug for ContactHooks {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.debug_struct("ContactHooks").field("count", &self.0.len()).finish_non_exhaustive()
    }
}

/// How a disc touches something.
#[derive(Clone, Copy, Debug)]
pub struct Encounter {
    /// Where, metres.
    pub point: DVec2,
    /// From the disc toward it, of any length.
    pub normal: DVec2,
    /// The velocity of the disc relative to it, m/s.
    pub relative: DVec2,
}

impl Encounter {
    pub(super) fn view(&self, disc: Entity, target: HitTarget, elapsed: f64) -> ContactView {
        ContactView {
            disc,
            target,
            point: self.point.as_vec2(),
            normal: self.normal.normalize_or_zero().as_vec2(),
            relative_velocity: self.relative.as_vec2(),
            elapsed,
        }
    }
}
