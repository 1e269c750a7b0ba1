//! A shot as the rules see it: its call, its hits in order, and the positions of the balls before and after.

use serde::{Deserialize, Serialize};

use super::{BallId, BallPlace, CushionId, Filling, Layout, PocketId, Sentence};
use crate::{billiards::cue::Miscue, notice::mark};

/// An event of a shot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ShotEvent {
    /// Two balls hit each other.
    Balls(BallId, BallId),
    /// A ball hit a cushion: its nose or a jaw.
    Cushion(BallId, CushionId),
    /// A ball fell into a pocket.
    Potted(BallId, PocketId),
    /// A ball left the table.
    OffTable(BallId),
    /// A ball in the air passed over another: in the direction of its flight its centre passed that of the other, at a
    /// horizontal distance below two radii.
    Over(BallId, BallId),
}

/// The call of a player before a shot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Call {
    /// The ball to be potted; in snooker the nominated ball.
    pub ball: Option<BallId>,
    /// The pocket for that ball.
    pub pocket: Option<PocketId>,
    /// Whether it is a safety: no pot is intended, and the turn passes.
    pub safety: bool,
    /// Whether it is a push-out.
    pub push_out: bool,
}

impl Call {
    /// The call of a ball and a pocket.
    #[must_use]
    pub fn pot(ball: BallId, pocket: PocketId) -> Self {
        Self { ball: Some(ball), pocket: Some(pocket), ..Self::default() }
    }
}

/// A complete shot.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Shot {
    /// The call.
    pub call: Call,
    /// Positions of the balls when the cue ball was struck.
    pub before: Layout,
    /// The events, in order.
    pub events: Vec<ShotEvent>,
    /// The places of the balls at the end.
    pub after: Layout,
}

impl Shot {
    /// The first ball that a ball hit or was hit by.
    #[must_use]
    pub fn first_hit(&self, by: BallId) -> Option<BallId> {
        self.events.iter().find_map(|event| match *event {
            ShotEvent::Balls(a, b) if a == by => Some(b),
            ShotEvent::Balls(a, b) if b == by => Some(a),
            _ => None,
        })
    }

    /// The ball that the cue ball touched when it was struck and was played into: a push stroke. The cue ball has to be
    /// played away from a touching ball.
    #[must_use]
    pub fn pushed(&self, cue_ball: BallId, radius: f32) -> Option<BallId> {
        let first = self.events.iter().find_map(|event| match *event {
            ShotEvent::Balls(a, b) if a == cue_ball => Some(Some(b)),
            ShotEvent::Balls(a, b) if b == cue_ball => Some(Some(a)),
            ShotEvent::Cushion(ball, _) if ball == cue_ball => Some(None),
            _ => None,
        })??;
        self.before.touching(cue_ball, radius).find(|&ball| ball == first)
    }

    /// The potted balls in order, each with its pocket.
    pub fn potted(&self) -> impl Iterator<Item = (BallId, PocketId)> + '_ {
        self.events.iter().filter_map(|event| match *event {
            ShotEvent::Potted(ball, pocket) => Some((ball, pocket)),
            _ => None,
        })
    }

    /// The pocket of a ball, if the ball was potted.
    #[must_use]
    pub fn pocket_of(&self, ball: BallId) -> Option<PocketId> {
        self.potted().find(|&(potted, _)| potted == ball).map(|(_, pocket)| pocket)
    }

    /// Whether a ball was potted.
    #[must_use]
    pub fn is_potted(&self, ball: BallId) -> bool {
        self.pocket_of(ball).is_some()
    }

    /// The balls that left the table, in order.
    pub fn off_table(&self) -> impl Iterator<Item = BallId> + '_ {
        self.events.iter().filter_map(|event| match *event {
            ShotEvent::OffTable(ball) => Some(ball),
            _ => None,
        })
    }

    /// Whether a ball left the table.
    #[must_use]
    pub fn is_off_table(&self, ball: BallId) -> bool {
        self.off_table().any(|off| off == ball)
    }

    /// The events after the first hit of this ball with another, or none if there was no hit.
    #[must_use]
    pub fn after_first_hit(&self, by: BallId) -> &[ShotEvent] {
        let first = self.events.iter().position(|event| matches!(*event, ShotEvent::Balls(a, b) if a == by || b == by));
        first.map_or(&[], |first| &self.events[first + 1..])
    }

    /// The balls that hit a cushion, each once, in order.
    #[must_use]
    pub fn driven_to_cushions(&self) -> Vec<BallId> {
        let mut driven = Vec::new();
        for event in &self.events {
            if let ShotEvent::Cushion(ball, _) = *event
                && !driven.contains(&ball)
            {
                driven.push(ball);
            }
        }
        driven
    }

    /// The place of a ball at the end.
    #[must_use]
    pub fn end_of(&self, ball: BallId) -> BallPlace {
        self.after[ball]
    }
}

/// The highest speed of the cue, m/s. The fastest measured breaks had about 15.
pub const FASTEST_CUE: f64 = 20.0;

/// Why a shot cannot be played.
#[derive(thiserror::Error, Clone, Copy, Debug, PartialEq)]
#[error("{}", self.sentence())]
pub enum ShotError {
    /// The cue ball is not on the table.
    NoCueBall,
    /// The tip would miscue.
    Miscue(#[from] Miscue),
    /// A number of the stroke is invalid.
    Strike,
}

impl ShotError {
    /// The sentence for the player.
    #[must_use]
    pub fn sentence(self) -> Sentence<'static> {
        match self {
            Self::NoCueBall => mark("Place the cue ball first.").into(),
            Self::Miscue(Miscue { offset, limit }) => Sentence::new(
                mark("The tip would hit {} radii from the centre and slip off. The limit is {}."),
                [offset, limit].map(|radii| Filling::text(format_args!("{radii:.2}"))),
            ),
            Self::Strike => Sentence::new(
                mark("A stroke needs a direction, a cue speed up to {} m/s and an elevation up to 90°."),
                [Filling::text(FASTEST_CUE)],
            ),
        }
    }
}
