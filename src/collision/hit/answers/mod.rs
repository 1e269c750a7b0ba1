//! How a hit is answered: with which restitution, with which kick, with how much friction on a surface that moves how
//! fast. Of what the two sides carry, first; then the hooks of a game may change it. Both modes ask here, wherever a
//! disc is hit; blocks among themselves and on terrain go by the settings alone, and so does everything where nobody
//! has anything to say.
//!
//! | module | what it holds |
//! |---|---|
//! | `materials` | what single discs and pieces of terrain carry |
//! | `hooks` | what a game changes, hit by hit, and whom it lets through |
//! | `dropped` | who goes through whom until the substep or the tick ends, because a hook has said so |
//! | `friction` | what friction makes of a speed along a surface |

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

/// How a hit is answered: what the two sides carry, what hooks make of it, and what the settings say where neither
/// does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// The restitution of what is neither too slow for a hit nor kicked: see [`Answer::restitution_at`].
    pub restitution: f32,
    /// Whether that is the one of the settings or of the cushion, as nobody else has one.
    pub is_default: bool,
    /// How much faster the two part than by their restitution, m/s.
    pub kick: f32,
    /// Coulomb's coefficient.
    pub friction: f32,
    /// How fast the surface of terrain moves along itself, m/s.
    pub surface_velocity: Vec2,
}

impl Answer {
    /// A restitution, or the one of the settings, and nothing else.
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

    /// The restitution that the two sides or a hook ask for, if they do.
    pub fn carried(&self) -> Option<f32> {
        (!self.is_default).then_some(self.restitution)
    }

    /// The same without restitution and without a kick.
    pub fn without_bounce(self) -> Self {
        Self { restitution: 0.0, is_default: false, kick: 0.0, ..self }
    }

    /// The restitution at this approach speed, m/s: none below the resting speed, and else with what the kick adds.
    #[inline(always)]
    pub fn restitution_at(&self, approach: f64, resting_speed: f32) -> f64 {
        let e = f64::from(if (approach as f32) < resting_speed { 0.0 } else { self.restitution });
        if self.kick > 0.0 && approach > 0.0 && approach >= f64::from(resting_speed) {
            e + f64::from(self.kick) / approach
        } else {
            e
        }
    }

    /// The same where something presses on the two: a hit that loses energy needs an approach of at least `slowest`
    /// m/s.
    #[inline(always)]
    pub fn restitution_above(&self, slowest: f64, approach: f64, resting_speed: f32) -> f64 {
        let loses = self.restitution < 1.0 || (approach as f32) < resting_speed;
        if loses && approach < slowest { 0.0 } else { self.restitution_at(approach, resting_speed) }
    }

    /// How fast a surface moves along itself, m/s, `away` being a direction away from it.
    #[inline(always)]
    pub fn carries(&self, away: DVec2) -> DVec2 {
        if self.surface_velocity == Vec2::ZERO {
            return DVec2::ZERO;
        }
        let velocity = self.surface_velocity.as_dvec2();
        velocity - away * (velocity.dot(away) / away.length_squared())
    }
}

/// What answers the hits of a tick.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    pub materials: Materials,
    /// They are among the forces, and so there as long as those act.
    pub hooks: ContactHooks,
    /// When forces began to act, seconds since the scene began.
    pub elapsed: f64,
}

/// One side of a hit: its entity, and the restitution that it carries, if it does.
pub type Side = (Entity, Option<f32>);

impl Discs {
    /// A disc as one side of a hit.
    #[inline(always)]
    pub(crate) fn side(&self, i: usize) -> Side {
        (self.entity[i], self.restitution[i])
    }

    /// How two discs meet, along the unit vector from the first to the second.
    pub(crate) fn encounter(&self, [i, j]: [usize; 2], normal: Vec2) -> Encounter {
        Encounter {
            point: (self.position[i] + normal * self.radius[i]).as_dvec2(),
            normal: normal.as_dvec2(),
            relative: (self.velocity[i] - self.velocity[j]).as_dvec2(),
        }
    }
}

/// What a disc hits.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub target: HitTarget,
    /// The restitution that it carries, if it does.
    pub restitution: Option<f32>,
    /// Cosine and sine of the angle of its frame, if it moves.
    pub turn: DVec2,
}

impl Target {
    /// Something that does not turn.
    pub fn new(target: HitTarget, restitution: Option<f32>) -> Self {
        Self { target, restitution, turn: DVec2::X }
    }
}

impl Answers {
    /// How a hit of two discs is answered, `encounter` saying how they meet.
    #[inline(always)]
    pub fn of_discs(
        &self,
        settings: &CollisionSettings,
        [a, b]: [Side; 2],
        encounter: impl FnOnce() -> Encounter,
    ) -> Answer {
        self.of(settings, a, Target::new(HitTarget::Disc(b.0), b.1), settings.restitution, encounter)
    }

    /// How a hit of a disc is answered, `encounter` saying how the two meet and `default` being the restitution where
    /// nobody says one.
    #[inline(always)]
    pub fn of(
        &self,
        settings: &CollisionSettings,
        disc: Side,
        target: Target,
        default: f32,
        encounter: impl FnOnce() -> Encounter,
    ) -> Answer {
        if self.is_plain() {
            return Answer::plain(settings.restitution_rule.combine(disc.1, target.restitution), default);
        }
        self.ask(settings, disc, target, default, encounter)
    }

    /// How a hit of a disc with this velocity (m/s) at a surface is answered. A disc that spins on a table has the
    /// restitution of its cushion there, unless somebody says another one.
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
            (_, None) => settings.wall_restitution,
        };
        self.of(settings, disc, surface.target(entities), default, || surface.encounter(velocity))
    }

    /// Whether anything may have friction.
    pub fn may_rub(&self) -> bool {
        !self.hooks.is_empty() || self.materials.rub()
    }

    /// Whether nobody has anything to say but the settings.
    #[inline(always)]
    pub fn is_plain(&self) -> bool {
        self.materials.is_empty() && self.hooks.is_empty()
    }

    #[inline(never)]
    fn ask(
        &self,
        settings: &CollisionSettings,
        disc: Side,
        Target { target, restitution, turn }: Target,
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
            // The surfaces of discs do not move along themselves.
            HitTarget::Disc(_) => Answer { surface_velocity: Vec2::ZERO, ..answer },
            HitTarget::Wall(_) | HitTarget::FixedCircle(_) => answer,
        }
    }

    /// What the two sides carry, the second one in its own frame.
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

    /// Whether the hooks let two that touch meet.
    #[inline(always)]
    pub fn meet(&self, disc: Entity, target: HitTarget, encounter: impl FnOnce() -> Encounter) -> bool {
        self.hooks.is_empty() || self.hooks.meet(&encounter().view(disc, target, self.elapsed))
    }
}
