//! How a hit is answered: with which restitution, with which kick, with how much friction on a surface that moves how fast. Of what the two sides carry, first;
//! then the hooks of a game may change it. Both modes ask here, wherever an impulse is computed; where nobody has anything to say, the settings alone answer.
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

pub(in crate::collision) use friction::rubbed;
pub(in crate::collision) use hooks::Encounter;
pub use hooks::{ContactHook, ContactHooks, ContactResponse, ContactView};
pub(in crate::collision) use materials::{Material, Materials, kicked};

use crate::{
    collision::{
        hit::Collider,
        settings::{CollisionSettings, CombineRule},
        space::Space,
    },
    terrain::Rotation,
};
/// What a hit is answered with.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::collision) struct Answer {
    /// The restitution that the two carry, or that a hook wants; without it, that of the settings or of the cushion.
    pub(in crate::collision) restitution: Option<f32>,
    /// How much faster the two part than by their restitution, m/s.
    pub(in crate::collision) kick: f32,
    /// Coulomb's coefficient.
    pub(in crate::collision) friction: f32,
    /// How fast the surface of terrain moves along itself, m/s.
    pub(in crate::collision) surface_velocity: Vec2,
}

impl Answer {
    /// How fast a surface moves along itself, m/s, `away` being a direction away from it.
    #[inline(always)]
    pub(in crate::collision) fn carries(&self, away: DVec2) -> DVec2 {
        if self.surface_velocity == Vec2::ZERO {
            return DVec2::ZERO;
        }
        let velocity = self.surface_velocity.as_dvec2();
        velocity - away * (velocity.dot(away) / away.length_squared())
    }
}

/// What discs and terrain say about their hits; for noticing that a prediction has become another.
#[cfg(feature = "input")]
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AnswerState(Materials);

impl Space {
    /// What discs and terrain say about their hits.
    #[cfg(feature = "input")]
    pub(crate) fn answer_state(&self) -> AnswerState {
        AnswerState(self.answers.materials.clone())
    }

    /// How a hit of a disc that is cast at a piece of terrain is answered by what the two carry, where the piece is now. Hooks are not asked.
    pub(in crate::collision) fn answer_to_cast(&self, disc: Side, piece: Side) -> Answer {
        let mut answer = self.answers.carried(&self.settings, [disc, piece]);
        if let Some(moving) = self.moving.pieces.iter().find(|moving| moving.key.1 == piece.0) {
            answer.surface_velocity = Rotation(moving.pose.rotation).turn(answer.surface_velocity);
            if moving.body.is_some() {
                // Nothing rubs on a block.
                answer.friction = 0.0;
            }
        }
        answer
    }
}

/// What answers the hits of a tick.
#[derive(Clone, Debug, Default)]
pub(in crate::collision) struct Answers {
    pub(in crate::collision) materials: Materials,
    /// They are among the forces, and so there as long as those act.
    pub(in crate::collision) hooks: ContactHooks,
    /// When forces began to act, seconds since the scene began.
    pub(in crate::collision) elapsed: f64,
}

/// One side of a hit: its entity, and the restitution that it carries, if it does.
pub(in crate::collision) type Side = (Entity, Option<f32>);

/// A piece of terrain that is hit.
#[derive(Clone, Copy, Debug)]
pub(in crate::collision) struct Piece {
    pub(in crate::collision) collider: Collider<u32>,
    /// The restitution that it carries, if it does.
    pub(in crate::collision) restitution: Option<f32>,
    /// Cosine and sine of the angle of its frame, if it moves.
    pub(in crate::collision) turn: DVec2,
}

impl Piece {
    /// One that stands.
    pub(in crate::collision) fn standing((collider, restitution): (Collider<u32>, Option<f32>)) -> Self {
        Self { collider, restitution, turn: DVec2::X }
    }
}

impl Answers {
    /// How a hit of two discs is answered, `encounter` saying how they meet.
    #[inline(always)]
    pub(in crate::collision) fn of_discs(
        &self,
        settings: &CollisionSettings,
        [a, b]: [Side; 2],
        encounter: impl FnOnce() -> Encounter,
    ) -> Answer {
        if self.is_plain() {
            return Answer { restitution: settings.restitution_rule.combine(a.1, b.1), ..Answer::default() };
        }
        self.answer(settings, [a, b], (Collider::Disc(b.0), DVec2::X), || (settings.restitution, encounter()))
    }

    /// How a hit of a disc and terrain is answered, `encounter` saying how they meet and which restitution they have where neither carries one.
    #[inline(always)]
    pub(in crate::collision) fn at_terrain(
        &self,
        settings: &CollisionSettings,
        disc: Side,
        Piece { collider, restitution, turn }: Piece,
        encounter: impl FnOnce() -> (f32, Encounter),
    ) -> Answer {
        if self.is_plain() {
            return Answer { restitution: settings.restitution_rule.combine(disc.1, restitution), ..Answer::default() };
        }
        let (piece, collider) = match collider {
            Collider::Wall(piece) => (piece, Collider::Wall(piece)),
            Collider::FixedCircle(piece) => (piece, Collider::FixedCircle(piece)),
            Collider::Disc(_) => (Entity::PLACEHOLDER, Collider::Disc(Entity::PLACEHOLDER)),
        };
        self.answer(settings, [disc, (piece, restitution)], (collider, turn), encounter)
    }

    /// Whether anything may have friction.
    pub(in crate::collision) fn may_rub(&self) -> bool {
        !self.hooks.is_empty() || self.materials.rub()
    }

    /// Whether nobody has anything to say but the settings.
    #[inline(always)]
    pub(in crate::collision) fn is_plain(&self) -> bool {
        self.materials.is_empty() && self.hooks.is_empty()
    }

    #[inline(never)]
    fn answer(
        &self,
        settings: &CollisionSettings,
        sides: [Side; 2],
        (collider, turn): (Collider, DVec2),
        encounter: impl FnOnce() -> (f32, Encounter),
    ) -> Answer {
        let mut answer = self.carried(settings, sides);
        answer.surface_velocity = match collider {
            Collider::Disc(_) => Vec2::ZERO,
            _ if turn == DVec2::X => answer.surface_velocity,
            _ => turn.rotate(answer.surface_velocity.as_dvec2()).as_vec2(),
        };
        if self.hooks.is_empty() {
            return answer;
        }
        let (default, encounter) = encounter();
        self.hooks.modified(answer, default, &encounter.view(sides[0].0, collider, self.elapsed))
    }

    /// What the two sides carry, the second one in its own frame.
    fn carried(&self, settings: &CollisionSettings, sides: [Side; 2]) -> Answer {
        let [a, b] = sides.map(|side| self.materials.of_entity(side.0));
        let rule = CombineRule::stronger(a.rule, b.rule).unwrap_or(settings.restitution_rule);
        Answer {
            restitution: rule.combine(sides[0].1, sides[1].1),
            kick: a.kick + b.kick,
            friction: friction::combined(a.friction, b.friction),
            surface_velocity: b.surface_velocity,
        }
    }

    /// Whether the hooks let two that touch meet.
    #[inline(always)]
    pub(in crate::collision) fn meet(
        &self,
        disc: Entity,
        collider: Collider,
        encounter: impl FnOnce() -> Encounter,
    ) -> bool {
        self.hooks.is_empty() || self.hooks.meet(&encounter().view(disc, collider, self.elapsed))
    }
}
