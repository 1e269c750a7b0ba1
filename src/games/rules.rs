//! What a game is: a state, what may be done in it, and what a shot makes of it. Nothing here knows the simulation or
//! the ECS.

use std::fmt;

use bevy::math::Vec2;
use serde::{Deserialize, Serialize};

use super::{
    BallId, BallPlace, Call, CallRefusal, GameTable, Layout, Note, PlaceRefusal, PocketId, Refusal, Region, Remark,
    Shot,
};
use crate::{billiards::tables::BallName, scene::mark};

/// One of the two players: 0 or 1. In practice there is only the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Player(pub u8);

impl Player {
    /// As an index.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        Self(1 - self.0.min(1))
    }
}

/// A rack, frame or game in its present state, with its rules.
///
/// The frame of a match asks [`turn`](Rules::turn) what is to be done, has it done, and tells the rules by
/// [`judge`](Rules::judge) or [`choose`](Rules::choose). So all of a game is one type with these functions; a clone of
/// it is a position that a bot may think ahead from.
pub trait Rules: fmt::Debug + Send + Sync {
    /// The balls, by their [`BallId`]s.
    fn balls(&self) -> &[BallName];

    /// Where they lie at the start, asked for once, before the first shot. What the rules leave to chance, here and
    /// later on, follows from the seed.
    fn layout(&mut self, seed: u64) -> Layout;

    /// Whose turn it is, and what is to be done.
    fn turn(&self) -> &Turn;

    /// Points of both players.
    fn score(&self) -> [i32; 2];

    /// The points, or balls, that the player at the table has made since coming to it.
    fn current_break(&self) -> i32;

    /// What it counts to pot a ball, for bots and programs that weigh one pot against another. Default: 1; snooker has
    /// the points of its balls.
    fn value(&self, ball: BallId) -> i32 {
        let _ = ball;
        1
    }

    /// A shot has been played: what follows from it. Only while [`Turn::task`] is [`Task::Shoot`].
    fn judge(&mut self, shot: &Shot) -> Verdict;

    /// The player whose turn it is has chosen one of [`Task::Choose`], with the balls where they are. Games that never
    /// ask leave it as it is.
    ///
    /// # Errors
    /// Why that cannot be chosen now.
    fn choose(&mut self, choice: Choice, layout: &Layout) -> Result<Verdict, Refusal> {
        let _ = (choice, layout);
        Err(Refusal::NothingToChoose)
    }

    /// What people should see of a player's state beside points, such as that the stripes are his or which colour is
    /// on.
    fn notes(&self, player: Player) -> Vec<Note> {
        let _ = player;
        Vec::new()
    }

    /// The ball that a player plays with, or the colour of the own stones, where each has another. Default: none.
    fn own_ball(&self, player: Player) -> Option<BallName> {
        let _ = player;
        None
    }

    /// How many points a player needs, where points win. Default: none.
    fn points_to_win(&self, player: Player) -> Option<u32> {
        let _ = player;
        None
    }

    /// How likely player 0 is to win with the balls where they lie, from 0 to 1: a guess for bots, in games in which
    /// the places of balls by themselves say more than whose turn it is and what can be potted from there. Default:
    /// none.
    fn outlook(&self, layout: &Layout) -> Option<f32> {
        let _ = layout;
        None
    }

    /// The same state once more.
    fn boxed(&self) -> Box<dyn Rules>;
}

impl Clone for Box<dyn Rules> {
    fn clone(&self) -> Self {
        self.boxed()
    }
}

/// Whose turn it is, and what is to be done.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// Who is to do it.
    pub player: Player,
    /// What.
    pub task: Task,
}

impl Turn {
    /// A player is to play this shot.
    #[must_use]
    pub fn shoot(player: Player, stroke: Stroke) -> Self {
        Self { player, task: Task::Shoot(stroke) }
    }

    /// A player is to choose one of these.
    #[must_use]
    pub fn choose(player: Player, choices: impl Into<Vec<Choice>>) -> Self {
        Self { player, task: Task::Choose(choices.into()) }
    }

    /// It is over, and this player has won.
    #[must_use]
    pub fn won_by(player: Player) -> Self {
        Self { player, task: Task::Over(Outcome { winner: Some(player) }) }
    }

    /// The shot that is to be played, if it is one.
    #[must_use]
    pub fn stroke(&self) -> Option<&Stroke> {
        match &self.task {
            Task::Shoot(stroke) => Some(stroke),
            _ => None,
        }
    }

    /// Whether this may be chosen now.
    ///
    /// # Errors
    /// It is not among what is to be chosen, or nothing is.
    pub fn offers(&self, choice: Choice) -> Result<(), Refusal> {
        match &self.task {
            Task::Choose(choices) if choices.contains(&choice) => Ok(()),
            Task::Choose(_) => Err(Refusal::NotOffered(choice)),
            Task::Shoot(_) | Task::Over(_) => Err(Refusal::NothingToChoose),
        }
    }
}

/// What a player is to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Task {
    /// Play a shot.
    Shoot(Stroke),
    /// Choose one of these.
    Choose(Vec<Choice>),
    /// Nothing: it is over.
    Over(Outcome),
}

/// A shot that is to be played.
#[derive(Clone, Debug, PartialEq)]
pub struct Stroke {
    /// The ball that is struck.
    pub cue_ball: BallId,
    /// The balls on: those that may be hit first. Empty: any.
    pub on: Vec<BallId>,
    /// Where the cue ball may be placed before; none: it is played from where it lies.
    pub in_hand: Option<Region>,
    /// What has to be called before.
    pub call: CallNeeded,
    /// The balls that may be called with a pocket. Empty: any.
    pub may_call: Vec<BallId>,
    /// Whether a safety may be called.
    pub may_play_safe: bool,
    /// Whether it may be called a push-out.
    pub may_push_out: bool,
    /// Whether it is the break.
    pub is_break: bool,
    /// Whether it is a free ball.
    pub is_free_ball: bool,
}

impl Stroke {
    /// Any ball may be hit first by this one, which lies on the table; nothing is called.
    #[must_use]
    pub fn of(cue_ball: BallId) -> Self {
        Self {
            cue_ball,
            on: Vec::new(),
            in_hand: None,
            call: CallNeeded::Nothing,
            may_call: Vec::new(),
            may_play_safe: false,
            may_push_out: false,
            is_break: false,
            is_free_ball: false,
        }
    }

    /// Whether the rules let this ball be called, with a pocket or without one. Where nothing has to be called, any
    /// ball may be.
    #[must_use]
    pub fn allows_call_of(&self, ball: BallId) -> bool {
        let allowed: &[BallId] = match self.call {
            CallNeeded::Nothing => &[],
            CallNeeded::Ball => &self.on,
            CallNeeded::BallAndPocket => &self.may_call,
        };
        allowed.is_empty() || allowed.contains(&ball)
    }

    /// Why a shot may not be played with this call; none if it may.
    #[must_use]
    pub fn refusal(&self, call: &Call) -> Option<CallRefusal> {
        if call.push_out {
            return (!self.may_push_out).then_some(CallRefusal::NoPushOut);
        }
        if call.safety {
            return (!self.may_play_safe).then_some(CallRefusal::NoSafety);
        }
        match self.call {
            CallNeeded::Nothing => None,
            CallNeeded::Ball => match call.ball {
                None => Some(CallRefusal::BallFirst),
                Some(ball) if !self.allows_call_of(ball) => Some(CallRefusal::NotOn),
                Some(_) => None,
            },
            CallNeeded::BallAndPocket => match (call.ball, call.pocket) {
                (Some(ball), _) if !self.allows_call_of(ball) => Some(CallRefusal::NotThatBall),
                (Some(_), Some(_)) => None,
                (None, _) => Some(CallRefusal::BallAndPocketFirst),
                (_, None) => Some(CallRefusal::PocketFirst),
            },
        }
    }
}

/// What has to be called before a shot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallNeeded {
    /// Nothing.
    Nothing,
    /// A ball: snooker's nomination.
    Ball,
    /// A ball and a pocket, unless it is a safety.
    BallAndPocket,
}

/// What a player may be given to choose from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Choice {
    /// Play from here, with the balls as they lie.
    PlayOn,
    /// Let the other player shoot with the balls as they lie.
    PassBack,
    /// Have the balls racked anew, and break.
    Break,
    /// Have the balls racked anew, and let the other player break.
    LetBreak,
    /// Have the winning ball spotted, and play on.
    SpotAndPlayOn,
    /// Take the cue ball in hand.
    BallInHand,
    /// Have the nearest of the balls that may be hit spotted, as all of them lie behind the head string, where the cue
    /// ball in hand is.
    SpotNearest,
    /// Have the balls put back to where they lay before the shot, and let the other player play it again.
    Replay,
    /// Take the first turn, of two who may.
    GoFirst,
    /// Leave the first turn to the other.
    LetGoFirst,
    /// Have the balls that touch the cue ball spotted, and the cue ball too, and play from there.
    SpotTouching,
}

impl Choice {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::PlayOn,
        Self::PassBack,
        Self::Break,
        Self::LetBreak,
        Self::SpotAndPlayOn,
        Self::BallInHand,
        Self::SpotNearest,
        Self::Replay,
        Self::GoFirst,
        Self::LetGoFirst,
        Self::SpotTouching,
    ];
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::PlayOn => "play on from here",
            Self::PassBack => "the other player shoots",
            Self::Break => "rack again and break",
            Self::LetBreak => "rack again, the other breaks",
            Self::SpotAndPlayOn => "spot the ball and play on",
            Self::BallInHand => "take the ball in hand",
            Self::SpotNearest => "spot the nearest ball",
            Self::Replay => "put the balls back, the other plays again",
            Self::GoFirst => "go first",
            Self::LetGoFirst => "let the other go first",
            Self::SpotTouching => "spot the balls that touch",
        })
    }
}

/// How a rack, frame or game has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// Who has won; none: a draw, or practice.
    pub winner: Option<Player>,
}

/// What followed from a shot or a choice.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdict {
    /// What was against the rules.
    pub fouls: Vec<Foul>,
    /// What both players got for it, or lost.
    pub points: [i32; 2],
    /// Where balls go now, in this order: back to a spot, into the hand, or out of play.
    pub placed: Vec<(BallId, BallPlace)>,
    /// What people should know besides.
    pub remarks: Vec<Remark>,
    /// Whether the same player goes on; no where it is over.
    pub goes_on: bool,
}

impl Verdict {
    /// Puts the balls where they go.
    pub fn place(&self, layout: &mut Layout) {
        for &(ball, place) in &self.placed {
            layout[ball] = place;
        }
    }
}

/// Something against the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum Foul {
    /// The cue ball hit no ball.
    NoHit,
    /// The cue ball hit this ball first, which was not on.
    WrongBallFirst(BallName),
    /// After the cue ball's first hit no ball was potted and none reached a cushion.
    NoCushion,
    /// The cue ball fell into a pocket.
    Scratch(PocketId),
    /// A ball left the table.
    OffTable(BallName),
    /// This ball was potted, which was not on.
    WrongBallPotted(BallName),
    /// The cue ball, in hand behind the head string, hit this ball, which lies there too, before it had left that part
    /// of the table.
    PlayedBehindHeadString(BallName),
    /// The break drove too few balls to a cushion, and did not pot what it had to.
    IllegalBreak,
    /// The third foul in a row.
    ThirdFoul,
    /// A red was the ball on twice in a row, or another rule of order was broken.
    OutOfOrder,
    /// The player is snookered behind the ball that was nominated as free ball.
    SnookeredByFreeBall,
    /// No ball was nominated, where one had to be.
    NotNominated,
    /// The other player's cue ball was hit, where that is not allowed.
    OtherCueBallHit,
    /// Both object balls stayed in the same corner for more points than are allowed.
    StayedInCorner,
    /// The cue ball was played at this ball, which it touched: a push stroke.
    PushStroke(BallName),
    /// Something that is against the rules of a game of one's own, as a part of a sentence such as "the cue ball hit no
    /// ball": it is shown as it is, unless the window's language has a translation of it.
    Own(&'static str),
}

impl From<&'static str> for Foul {
    fn from(text: &'static str) -> Self {
        Self::Own(text)
    }
}

impl Foul {
    /// What it says, as part of a sentence, with `{}` for the name of the ball that it has, if it has one: so it can be
    /// put into other languages.
    #[must_use]
    pub const fn template(self) -> (&'static str, Option<BallName>) {
        match self {
            Self::NoHit => (mark("the cue ball hit no ball"), None),
            Self::WrongBallFirst(ball) => (mark("the {} was hit first and was not on"), Some(ball)),
            Self::NoCushion => (mark("after the hit no ball was potted and none reached a cushion"), None),
            Self::Scratch(_) => (mark("the cue ball was potted"), None),
            Self::OffTable(ball) => (mark("the {} left the table"), Some(ball)),
            Self::WrongBallPotted(ball) => (mark("the {} was potted and was not on"), Some(ball)),
            Self::PlayedBehindHeadString(ball) => (
                mark("the {} was hit first, which lies behind the head string, and the cue ball had not left there"),
                Some(ball),
            ),
            Self::IllegalBreak => {
                (mark("the break potted nothing that counts and drove too few balls to a cushion"), None)
            }
            Self::ThirdFoul => (mark("it was the third foul in a row"), None),
            Self::OutOfOrder => (mark("the ball was out of order"), None),
            Self::SnookeredByFreeBall => (mark("the other player is snookered behind the free ball"), None),
            Self::NotNominated => (mark("no ball was nominated"), None),
            Self::OtherCueBallHit => (mark("the cue ball of the other player was hit"), None),
            Self::StayedInCorner => (mark("both object balls have stayed in the corner"), None),
            Self::PushStroke(ball) => {
                (mark("the cue ball touched the {} and was played at it, not away from it"), Some(ball))
            }
            Self::Own(text) => (text, None),
        }
    }
}

impl fmt::Display for Foul {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.template() {
            (text, Some(ball)) => f.write_str(&text.replacen("{}", &ball.to_string(), 1)),
            (text, None) => f.write_str(text),
        }
    }
}

/// Whether a ball in hand may be put here, metres, with what its [`Region`] allows: asked by all who place one.
#[must_use]
pub fn may_place(region: Region, layout: &Layout, ball: BallId, place: Vec2, table: &GameTable) -> bool {
    place_refusal(region, layout, ball, place, table).is_none()
}

/// Why a ball in hand may not be put here, metres; none if it may.
#[must_use]
pub fn place_refusal(
    region: Region,
    layout: &Layout,
    ball: BallId,
    place: Vec2,
    table: &GameTable,
) -> Option<PlaceRefusal> {
    if !table.is_on_cloth(place) {
        return Some(PlaceRefusal::OffTheCloth);
    }
    if !region.contains(place, table) {
        return Some(match region {
            Region::BehindHeadString if table.built.holes.is_empty() => PlaceRefusal::BehindLine,
            Region::BehindHeadString => PlaceRefusal::BehindHeadString,
            Region::D => PlaceRefusal::InD,
            Region::Spot(_) | Region::Anywhere => PlaceRefusal::OnSpot,
        });
    }
    (!layout.is_free(place, table.ball_radius(), Some(ball))).then_some(PlaceRefusal::InTheWay)
}
