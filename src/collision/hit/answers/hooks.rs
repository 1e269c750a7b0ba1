//! Contact hooks: code of a game that filters or changes single contacts before they are resolved, in the tick and in
//! every prediction.

use bevy::{math::DVec2, prelude::*};
use core::any::Any;
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use super::Answer;
use crate::{collision::hit::HitTarget, components::LIMIT};

/// A contact as a [`ContactHook`] sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactView {
    /// The disc. Of two discs, it may be either; [`ContactView::other`] returns the other side.
    pub disc: Entity,
    /// What it touches.
    pub target: HitTarget,
    /// The point of contact, metres.
    pub point: Vec2,
    /// Unit vector from the disc toward what it touches.
    pub normal: Vec2,
    /// The velocity of the disc relative to the other disc, or to the terrain at the point of contact, m/s. Conveyor
    /// speed is not included.
    pub relative_velocity: Vec2,
    /// The start of this part of the tick, seconds since the scene started:
    /// [`PhysicsSpace::elapsed`](crate::collision::PhysicsSpace::elapsed).
    pub elapsed: f64,
}

impl ContactView {
    /// The speed of approach along the normal, m/s; negative if the two separate.
    #[must_use]
    pub fn approach_speed(&self) -> f32 {
        self.relative_velocity.dot(self.normal)
    }

    /// The other side as seen from one of the two; `None` for any other entity.
    #[must_use]
    pub fn other(&self, entity: Entity) -> Option<Entity> {
        let target = self.target.entity();
        if entity == self.disc { Some(target) } else { (entity == target).then_some(self.disc) }
    }
}

/// The answer to a hit from the components of the two and the settings, for a [`ContactHook`] to change. A value out of
/// range is ignored, and a line is logged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactResponse {
    /// Coefficient of restitution, 0 to 1e12; above 1 the hit adds energy. Below the resting speed it is always 0.
    pub restitution: f32,
    /// The extra speed of separation, m/s, 0 to 1e12; initially from their
    /// [`BumperKick`](crate::components::BumperKick)s.
    pub kick: f32,
    /// Coefficient of friction, 0 to 1e12; initially from their [`Friction`](crate::components::Friction)s. A disc that
    /// spins on a table uses the friction of the table instead.
    pub friction: f32,
    /// The velocity of the surface of terrain, m/s, each component from -1e12 to 1e12 in the frame of the world;
    /// initially its [`SurfaceVelocity`](crate::components::SurfaceVelocity). It has no effect between discs.
    pub surface_velocity: Vec2,
}

impl ContactResponse {
    fn is_valid(&self) -> bool {
        let fits = |value: f32| (0.0..=LIMIT).contains(&value);
        let velocity = self.surface_velocity.abs();
        fits(self.restitution) && fits(self.kick) && fits(self.friction) && velocity.cmple(Vec2::splat(LIMIT)).all()
    }
}

/// Code that sees contacts before they are resolved, and accepts them, drops them or changes the answer. Rapier calls
/// it `PhysicsHooks`, Avian `CollisionHooks`.
///
/// It sees only the contact and its own data, so that it acts in a prediction exactly as in the tick. For anything that
/// depends on components, copy it into the data of the hook in a system, with [`ContactHooks::set`]. For anything that
/// depends on time, use [`ContactView::elapsed`]. The hook must be a pure function of the two: it may be called any
/// number of times and in any order.
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
/// // A function that changes responses is also a hook. Here, hard hits do not bounce.
/// app.add_contact_hook(|contact: &ContactView, response: &mut ContactResponse| {
///     if contact.approach_speed() > 10.0 {
///         response.restitution = 0.0;
///     }
/// });
/// ```
pub trait ContactHook: Send + Sync + 'static {
    /// Whether the two collide. If not, they pass through each other without push-apart and without resting on each
    /// other, as if one of them ignored the other. That lasts until the end of the substep, in the continuous mode of
    /// the tick; if they still touch then, the hook is called again. It is called for every contact before anything
    /// else, whether or not the two approach. Default: true.
    fn filter_contact(&self, contact: &ContactView) -> bool {
        _ = contact;
        true
    }

    /// Changes the answer to a hit. It is called once for every hit, and also for contacts that may come to rest.
    /// Default: no change.
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
    /// Whether the warning about invalid answers has been logged; no result depends on it.
    warned: Arc<AtomicBool>,
}

impl Entry {
    fn of<H: ContactHook>(hook: H) -> Self {
        let hook = Arc::new(hook);
        Self { hook: hook.clone(), data: hook, warned: Arc::default() }
    }
}

/// The contact hooks of a game, in order. Each sees the answer as changed by the ones before it, and two entities
/// collide only if all hooks agree. They are part of [`Forces`](crate::motion::Forces), and so of every prediction.
///
/// A clone shares the data of the hooks. Setting a hook replaces it, so a clone keeps its own version.
#[derive(Clone, Default)]
pub struct ContactHooks(Arc<Vec<Entry>>);

impl ContactHooks {
    /// Adds a hook after all earlier ones.
    pub fn add<H: ContactHook>(&mut self, hook: H) {
        Arc::make_mut(&mut self.0).push(Entry::of(hook));
    }

    /// Replaces the first hook of this type, or adds it if there is none.
    pub fn set<H: ContactHook>(&mut self, hook: H) {
        match self.position::<H>() {
            Some(at) => Arc::make_mut(&mut self.0)[at] = Entry::of(hook),
            None => self.add(hook),
        }
    }

    /// As [`ContactHooks::set`], but keeps a hook that is equal, so that previews need not restart.
    pub fn set_if_neq<H: ContactHook + PartialEq>(&mut self, hook: H) {
        if self.get::<H>() != Some(&hook) {
            self.set(hook);
        }
    }

    /// The first hook of a type, if any.
    #[must_use]
    pub fn get<H: ContactHook>(&self) -> Option<&H> {
        self.0.iter().find_map(|entry| (*entry.data).downcast_ref())
    }

    /// Removes the first hook of a type, and returns whether there was one.
    pub fn remove<H: ContactHook>(&mut self) -> bool {
        let Some(at) = self.position::<H>() else { return false };
        Arc::make_mut(&mut self.0).remove(at);
        true
    }

    /// Whether there are no hooks.
    #[must_use]
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn position<H: ContactHook>(&self) -> Option<usize> {
        self.0.iter().position(|entry| entry.data.is::<H>())
    }

    /// Whether all hooks let two entities collide.
    pub(super) fn meet(&self, contact: &ContactView) -> bool {
        self.0.iter().all(|entry| entry.hook.filter_contact(contact))
    }

    /// The answer as changed by all hooks.
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
        // An unchanged value keeps the digits of the cushion.
        Answer {
            restitution,
            is_default: answer.is_default && restitution == before.restitution,
            kick,
            friction,
            surface_velocity,
        }
    }
}

/// Two lists are equal if they hold the same hook objects, none of them replaced.
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

/// A contact of a disc.
#[derive(Clone, Copy, Debug)]
pub struct Encounter {
    /// The point of contact, metres.
    pub point: DVec2,
    /// From the disc toward the target, of any length.
    pub normal: DVec2,
    /// The velocity of the disc relative to the target, m/s.
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
