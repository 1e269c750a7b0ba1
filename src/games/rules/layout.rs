//! Positions of the balls in a game.

use std::ops::{Index, IndexMut};

use bevy::math::Vec2;
use serde::{Deserialize, Serialize};

/// The largest gap between two balls that touch each other, metres. It is the limit of what eyes can see.
pub const TOUCHING_GAP: f32 = 5e-5;

/// A ball of a game: an index into [`Rules::balls`](super::Rules::balls).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BallId(pub u8);

impl BallId {
    /// The id as an index.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A pocket of a table: an index into [`BuiltTable::holes`](crate::billiards::tables::BuiltTable::holes).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PocketId(pub u8);

/// A cushion of a table: an index into [`BuiltTable::cushions`](crate::billiards::tables::BuiltTable::cushions).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CushionId(pub u8);

/// The place of a ball. At every moment of a game a ball is in exactly one of these.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum BallPlace {
    /// On the table, with its centre here, metres.
    Table(Vec2),
    /// In a pocket.
    Pocket(PocketId),
    /// Off the table.
    Off,
    /// In the hand of the player whose turn it is, or not in play yet.
    Hand,
}

impl BallPlace {
    /// Its position on the table, metres, if it is there.
    #[must_use]
    pub fn on_table(self) -> Option<Vec2> {
        match self {
            Self::Table(place) => Some(place),
            _ => None,
        }
    }
}

/// The place of every ball in a game, indexed by [`BallId`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Layout(pub Vec<BallPlace>);

impl Layout {
    /// A layout of `count` balls, none of them in play yet.
    #[must_use]
    pub fn in_hand(count: usize) -> Self {
        Self(vec![BallPlace::Hand; count])
    }

    /// The number of balls, in any place.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no balls.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All balls, in any place.
    #[must_use]
    pub fn balls(&self) -> impl DoubleEndedIterator<Item = BallId> + use<> {
        (0..self.0.len()).map(|index| BallId(index as u8))
    }

    /// The balls on the table and their positions, metres.
    #[must_use]
    pub fn on_table(&self) -> impl DoubleEndedIterator<Item = (BallId, Vec2)> + '_ {
        self.balls().filter_map(|ball| Some((ball, self[ball].on_table()?)))
    }

    /// The balls whose place differs in another layout of the same balls, with their places there.
    pub(in crate::games) fn changes(&self, to: &Self) -> Vec<(BallId, BallPlace)> {
        self.balls().filter(|&ball| self[ball] != to[ball]).map(|ball| (ball, to[ball])).collect()
    }

    /// Whether a ball is on the table.
    #[must_use]
    pub fn is_on_table(&self, ball: BallId) -> bool {
        self.0.get(ball.index()).is_some_and(|place| place.on_table().is_some())
    }

    /// The balls that a ball on the table touches, for balls of this radius (metres): the gap is at most
    /// [`TOUCHING_GAP`].
    pub fn touching(&self, ball: BallId, radius: f32) -> impl Iterator<Item = BallId> + '_ {
        let reach = 2.0 * radius + TOUCHING_GAP;
        let place = self.0.get(ball.index()).and_then(|place| place.on_table());
        self.on_table()
            .filter(move |&(other, at)| other != ball && place.is_some_and(|place| place.distance(at) <= reach))
            .map(|(other, _)| other)
    }

    /// Whether a ball of this radius (metres) has room with its centre at `place`: it overlaps no ball except `itself`.
    #[must_use]
    pub fn is_free(&self, place: Vec2, radius: f32, itself: Option<BallId>) -> bool {
        self.on_table().all(|(ball, at)| Some(ball) == itself || at.distance(place) >= 2.0 * radius)
    }
}

impl Index<BallId> for Layout {
    type Output = BallPlace;

    fn index(&self, ball: BallId) -> &BallPlace {
        &self.0[ball.index()]
    }
}

impl IndexMut<BallId> for Layout {
    fn index_mut(&mut self, ball: BallId) -> &mut BallPlace {
        &mut self.0[ball.index()]
    }
}
