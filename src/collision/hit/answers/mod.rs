//! The answer to a hit: restitution, kick, friction, and the velocity of the surface. It starts from the materials of
//! the two sides, and the hooks of a game may then change it. Both modes ask here for every hit of a disc. Hits among
//! blocks and of blocks on terrain use only the settings, and so do all hits if there are no materials and no hooks.
//!
//! | module | contents |
//! |---|---|
//! | `materials` | the materials of single discs and pieces of terrain |
//! | `hooks` | hooks of a game that change or drop single hits |
//! | `dropped` | pairs that pass through each other until the end of the substep or tick, because a hook dropped them |
//! | `friction` | the effect of friction on a speed along a surface |

use bevy::{math::DVec2, prelude::*};

mod dropped;
mod friction;
mod hooks;
mod materials;

pub use friction::rubbed;
pub use hooks::Encounter;
pub use hooks::{ContactHook, ContactHooks, ContactResponse, ContactView};
pub use materials::{Material, Materials};

use crate::{
    collision::{
        discs::Discs,
        hit::{HitTarget, Surface},
        settings::CollisionSettings,
        spin::TablePhysics,
    },
    components::CombineRule,
};

/// The answer to a hit: from the two sides, as changed by hooks, and otherwise from the settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// The restitution of a hit above the resting speed without a kick: see [`Answer::restitution_at`].
    pub restitution: f32,
    /// Whether it is the default of the settings or the cushion, as no side has one.
    pub is_default: bool,
    /// The extra speed of separation, m/s.
    pub kick: f32,
    /// The Coulomb coefficient.
    pub friction: f32,
    /// The velocity of the surface of terrain, m/s.
    pub surface_velocity: Vec2,
}

impl Answer {
    /// An answer with only a restitution: the given one, or the default.
    #[inline(always)]
    pub fn plain(carried: Option<f32>, default: f32) -> Self {
        Self {
            restitution: carried.unwrap_or(default),
            is_default: carried.is_none(),
            kick: 0.0,
            friction: 0.0,
            surface_velocity: Vec2::ZERO,
        }
    }

    /// The restitution from the two sides or a hook, if any.
    pub fn carried(&self) -> Option<f32> {
        (!self.is_default).then_some(self.restitution)
    }

    /// The same answer without restitution and kick.
    pub fn without_bounce(self) -> Self {
        Self { restitution: 0.0, is_default: false, kick: 0.0, ..self }
    }

    /// The restitution at this speed of approach, m/s: zero below the resting speed, and otherwise including the kick.
    #[inline(always)]
    pub fn restitution_at(&self, approach: f64, resting_speed: f32) -> f64 {
        let e = f64::from(if (approach as f32) < resting_speed { 0.0 } else { self.restitution });
        if self.kick > 0.0 && approach > 0.0 && approach >= f64::from(resting_speed) {
            e + f64::from(self.kick) / approach
        } else {
            e
        }
    }

    /// The same for a pressed contact: a hit that loses energy needs a speed of approach of at least `slowest` m/s.
    #[inline(always)]
    pub fn restitution_above(&self, slowest: f64, approach: f64, resting_speed: f32) -> f64 {
        let loses = self.restitution < 1.0 || (approach as f32) < resting_speed;
        if loses && approach < slowest { 0.0 } else { self.restitution_at(approach, resting_speed) }
    }

    /// The conveyor velocity along a surface, m/s; `away` is a direction away from it.
    #[inline(always)]
    pub fn carries(&self, away: DVec2) -> DVec2 {
        if self.surface_velocity == Vec2::ZERO {
            return DVec2::ZERO;
        }
        let velocity = self.surface_velocity.as_dvec2();
        velocity - away * (velocity.dot(away) / away.length_squared())
    }
}

/// Everything that answers the hits of a tick.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    pub materials: Materials,
    /// Part of the forces, and so present while those act.
    pub hooks: ContactHooks,
    /// The time at which forces started to act, seconds since the scene started.
    pub elapsed: f64,
}

/// One side of a hit: its entity, and its restitution, if it has one.
pub type Side = (Entity, Option<f32>);

impl Discs {
    /// A disc as one side of a hit.
    #[inline(always)]
    pub(crate) fn side(&self, i: usize) -> Side {
        (self.entity[i], self.restitution[i])
    }

    /// The contact of two discs, along the unit vector from the first to the second.
    pub(crate) fn encounter(&self, [i, j]: [usize; 2], normal: Vec2) -> Encounter {
        Encounter {
            point: (self.position[i] + normal * self.radius[i]).as_dvec2(),
            normal: normal.as_dvec2(),
            relative: (self.velocity[i] - self.velocity[j]).as_dvec2(),
        }
    }
}

/// The target of a hit.
#[derive(Clone, Copy, Debug)]
pub struct TargetSurface {
    pub target: HitTarget,
    /// Its restitution, if it has one.
    pub restitution: Option<f32>,
    /// Cosine and sine of its rotation, if it moves.
    pub turn: DVec2,
}

impl TargetSurface {
    /// A target that does not turn.
    pub fn new(target: HitTarget, restitution: Option<f32>) -> Self {
        Self { target, restitution, turn: DVec2::X }
    }
}

impl Answers {
    /// The answer to a hit of two discs with this `encounter`.
    #[inline(always)]
    pub fn of_discs(
        &self,
        settings: &CollisionSettings,
        [a, b]: [Side; 2],
        encounter: impl FnOnce() -> Encounter,
    ) -> Answer {
        self.of(settings, a, TargetSurface::new(HitTarget::Disc(b.0), b.1), settings.restitution, encounter)
    }

    /// The answer to a hit of a disc with this `encounter`; `default` is the restitution if no side has one.
    #[inline(always)]
    pub fn of(
        &self,
        settings: &CollisionSettings,
        disc: Side,
        target: TargetSurface,
        default: f32,
        encounter: impl FnOnce() -> Encounter,
    ) -> Answer {
        if self.is_plain() {
            return Answer::plain(settings.restitution_rule.combine(disc.1, target.restitution), default);
        }
        self.ask(settings, disc, target, default, encounter)
    }

    /// The answer to a hit of a disc with this velocity (m/s) at a surface. A disc that spins on a table uses the
    /// restitution of its cushion, unless a side or a hook sets another.
    pub fn at_surface(
        &self,
        settings: &CollisionSettings,
        table: Option<&TablePhysics>,
        disc: Side,
        surface: &Surface,
        entities: &[Entity],
        velocity: DVec2,
    ) -> Answer {
        let default = match (surface.target, table) {
            (HitTarget::Disc(_), _) => settings.restitution,
            (_, Some(table)) => {
                let approach = (surface.velocity - velocity).dot(surface.away.normalize_or_zero());
                table.cushion.restitution.at(approach) as f32
            }
            (_, None) => settings.terrain_restitution,
        };
        self.of(settings, disc, surface.target(entities), default, || surface.encounter(velocity))
    }

    /// Whether any contact may have friction.
    pub fn may_rub(&self) -> bool {
        !self.hooks.is_empty() || self.materials.rub()
    }

    /// Whether only the settings matter.
    #[inline(always)]
    pub fn is_plain(&self) -> bool {
        self.materials.is_empty() && self.hooks.is_empty()
    }

    #[inline(never)]
    fn ask(
        &self,
        settings: &CollisionSettings,
        disc: Side,
        TargetSurface { target, restitution, turn }: TargetSurface,
        default: f32,
        encounter: impl FnOnce() -> Encounter,
    ) -> Answer {
        let mut answer = self.carried(settings, [disc, (target.entity(), restitution)], default);
        answer.surface_velocity = match target {
            HitTarget::Disc(_) => Vec2::ZERO,
            _ if turn == DVec2::X => answer.surface_velocity,
            _ => turn.rotate(answer.surface_velocity.as_dvec2()).as_vec2(),
        };
        if self.hooks.is_empty() {
            return answer;
        }
        let answer = self.hooks.modified(answer, &encounter().view(disc.0, target, self.elapsed));
        match target {
            // The surfaces of discs do not move.
            HitTarget::Disc(_) => Answer { surface_velocity: Vec2::ZERO, ..answer },
            HitTarget::Wall(_) | HitTarget::FixedCircle(_) => answer,
        }
    }

    /// The answer from the materials of the two sides, the second one in its own frame.
    pub fn carried(&self, settings: &CollisionSettings, sides: [Side; 2], default: f32) -> Answer {
        let [a, b] = sides.map(|side| self.materials.of_entity(side.0));
        let rule = CombineRule::stronger(a.rule, b.rule).unwrap_or(settings.restitution_rule);
        Answer {
            kick: a.kick + b.kick,
            friction: friction::combined(a.friction, b.friction),
            surface_velocity: b.surface_velocity,
            ..Answer::plain(rule.combine(sides[0].1, sides[1].1), default)
        }
    }

    /// Whether the hooks let two touching entities collide.
    #[inline(always)]
    pub fn meet(&self, disc: Entity, target: HitTarget, encounter: impl FnOnce() -> Encounter) -> bool {
        self.hooks.is_empty() || self.hooks.meet(&encounter().view(disc, target, self.elapsed))
    }
}
