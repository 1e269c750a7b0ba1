//! 8-ball, by section 3 of the rules: each player pots one of the groups, solids or stripes, and then the 8.

use std::sync::Arc;

use super::{
    rack::RackState,
    wpa::{CUE_BALL, Setting, TABLES, makes_call, potted_object_balls, put, shuffle},
};
use crate::{
    billiards::tables::{BallName, Rack},
    games::rules::{
        BallId, BallPlace, CallNeeded, Choice, Game, GameTable, Layout, Measure, Note, Player, Refusal, Region, Remark,
        Rules, Shot, ShotConstraints, Turn, Verdict, options::Options,
    },
    random::Random,
};

mod opening;
mod options;
#[cfg(test)]
mod tests;

use opening::break_stroke;
pub use options::{Calls, EightBallOptions, EightOnBreak};

/// Its line in the list of games.
pub const GAME: Game = Game {
    name: "eight-ball",
    title: "8-ball",
    about: "Solids or stripes, then the 8. Ball and pocket are called.",
    tables: TABLES,
    solo: false,
    measures: Measure::RACKS,
    begin: |table, options| Ok(Box::new(EightBall::new(table, options)?)),
    options: options::OPTIONS,
};

const EIGHT: BallId = BallId(8);

/// Which places in the triangle are the two far corners, and which is the middle of the third row, counted row by row
/// from the tip.
const CORNERS: [usize; 2] = [10, 14];
const MIDDLE: usize = 4;

/// Solids or stripes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Group {
    Solids,
    Stripes,
}

impl Group {
    /// The group of a ball; the 8 has none.
    fn of(ball: BallId) -> Option<Self> {
        match ball.0 {
            1..=7 => Some(Self::Solids),
            9..=15 => Some(Self::Stripes),
            _ => None,
        }
    }

    fn other(self) -> Self {
        match self {
            Self::Solids => Self::Stripes,
            Self::Stripes => Self::Solids,
        }
    }
}

/// A rack of 8-ball.
#[derive(Clone, Debug)]
struct EightBall {
    options: EightBallOptions,
    setting: Arc<Setting>,
    random: Random,
    rack: RackState,
    /// The group of the first player, once it is known.
    group: Option<Group>,
}

impl EightBall {
    fn new(table: &Arc<GameTable>, options: &Options) -> Result<Self, String> {
        let options = GAME.read_options(options)?;
        let setting = Arc::new(Setting::new(GAME.name, table, Rack::EightBall)?);
        let rack = RackState::new(Turn::shoot(Player(0), break_stroke()));
        Ok(Self { options, setting, random: Random::new(0), rack, group: None })
    }

    /// The balls in an order that the rules allow: the 8 in the middle, one of each group in the far corners (3.2).
    fn order(&mut self) -> Vec<BallId> {
        let of = |group| self.setting.object_balls().filter(move |&ball| Group::of(ball) == Some(group));
        let mut solids: Vec<BallId> = of(Group::Solids).collect();
        let mut stripes: Vec<BallId> = of(Group::Stripes).collect();
        shuffle(&mut solids, &mut self.random);
        shuffle(&mut stripes, &mut self.random);
        let mut corners = [solids.pop(), stripes.pop()];
        shuffle(&mut corners, &mut self.random);
        let mut order = [solids, stripes].concat();
        shuffle(&mut order, &mut self.random);
        order.insert(MIDDLE, EIGHT);
        for (place, ball) in CORNERS.into_iter().zip(corners) {
            order.insert(place, ball.expect("there are seven of each group"));
        }
        order
    }

    fn group_of(&self, player: Player) -> Option<Group> {
        self.group.map(|group| if player == Player(0) { group } else { group.other() })
    }

    /// The balls that a player may hit first: those of his group, or the 8 once there are none, or any but the 8 while
    /// the table is open.
    fn balls_on(&self, player: Player, layout: &Layout) -> Vec<BallId> {
        let group = self.group_of(player);
        let is_on = |&ball: &BallId| {
            layout.is_on_table(ball) && Group::of(ball).is_some_and(|of| group.is_none_or(|group| group == of))
        };
        let on: Vec<BallId> = self.setting.object_balls().filter(is_on).collect();
        if on.is_empty() { vec![EIGHT] } else { on }
    }

    /// The shot of a player with the balls like this.
    fn stroke(&self, player: Player, layout: &Layout) -> ShotConstraints {
        let on = self.balls_on(player, layout);
        let calls = match self.options.calls {
            Calls::All => true,
            Calls::Eight => on == [EIGHT],
            Calls::Nothing => false,
        };
        let call = if calls { CallNeeded::BallAndPocket } else { CallNeeded::Nothing };
        ShotConstraints { may_call: on.clone(), on, call, may_play_safe: calls, ..ShotConstraints::of(CUE_BALL) }
    }

    /// Why the rack is lost with an 8 that is no longer on the table, if it is (3.8).
    fn loses(shot: &Shot, stroke: &ShotConstraints, fouled: bool) -> Option<Remark> {
        let uncalled = stroke.call == CallNeeded::BallAndPocket && !(makes_call(shot) && shot.call.ball == Some(EIGHT));
        if shot.is_off_table(EIGHT) {
            Some(Remark::EightOffTable)
        } else if fouled {
            Some(Remark::EightWithFoul)
        } else if stroke.on != [EIGHT] {
            Some(Remark::EightTooEarly)
        } else if uncalled {
            Some(Remark::EightUncalled)
        } else {
            None
        }
    }

    /// The group that a player takes by this shot without a foul, if the table was open.
    fn takes_group(&self, shot: &Shot, stroke: &ShotConstraints) -> Option<Group> {
        if self.group.is_some() {
            return None;
        }
        if stroke.call == CallNeeded::BallAndPocket {
            return shot.call.ball.filter(|_| makes_call(shot)).and_then(Group::of);
        }
        // Without calls: what fell first.
        potted_object_balls(shot).into_iter().find_map(Group::of)
    }
}

impl Rules for EightBall {
    fn balls(&self) -> &[BallName] {
        &self.setting.balls
    }

    fn layout(&mut self, seed: u64) -> Layout {
        self.random = Random::new(seed);
        let order = self.order();
        self.setting.racked(&order)
    }

    fn turn(&self) -> &Turn {
        &self.rack.turn
    }

    fn score(&self) -> [i32; 2] {
        self.rack.score()
    }

    fn current_break(&self) -> i32 {
        self.rack.potted
    }

    fn judge(&mut self, shot: &Shot) -> Verdict {
        let Some(stroke) = self.rack.turn.stroke().cloned() else { return Verdict::default() };
        if stroke.is_break {
            return self.judge_break(shot, &stroke);
        }
        let player = self.rack.turn.player;
        let mut layout = shot.after.clone();
        let mut verdict = Verdict { fouls: self.setting.fouls(shot, &stroke, false), ..Verdict::default() };
        let fouled = !verdict.fouls.is_empty() || !layout.is_on_table(CUE_BALL);
        if !layout.is_on_table(EIGHT) {
            let lost = Self::loses(shot, &stroke, fouled);
            let is_won = lost.is_none();
            verdict.remarks.extend(lost);
            self.rack.potted += i32::from(is_won);
            self.rack.win(if is_won { player } else { player.other() }, &mut verdict);
            return verdict;
        }
        if self.rack.note_foul(player, fouled, self.options.three_fouls, &mut verdict) {
            return verdict;
        }
        if fouled {
            self.rack.potted = 0;
            put(CUE_BALL, BallPlace::Hand, &mut layout, &mut verdict);
            let next = player.other();
            let stroke = ShotConstraints { in_hand: Some(Region::Anywhere), ..self.stroke(next, &layout) };
            self.rack.turn = Turn::shoot(next, stroke);
            return verdict;
        }
        if let Some(group) = self.takes_group(shot, &stroke) {
            self.group = Some(if player == Player(0) { group } else { group.other() });
            verdict.remarks.push(match group {
                Group::Solids => Remark::TakesSolids,
                Group::Stripes => Remark::TakesStripes,
            });
        }
        let potted = potted_object_balls(shot);
        let own = self.group_of(player);
        let counts = match stroke.call {
            CallNeeded::BallAndPocket => {
                makes_call(shot) && shot.call.ball.is_some_and(|ball| stroke.may_call.contains(&ball))
            }
            // Not called: any ball of the own group; the first one that fell has made it so.
            _ => !shot.call.safety && potted.iter().any(|&ball| Group::of(ball).is_some() && Group::of(ball) == own),
        };
        if !counts && stroke.call == CallNeeded::BallAndPocket && !shot.call.safety && !potted.is_empty() {
            verdict.remarks.push(Remark::NotAsCalled);
        }
        let next = if counts { player } else { player.other() };
        self.rack.potted = if counts { self.rack.potted + potted.len() as i32 } else { 0 };
        verdict.goes_on = counts;
        self.rack.turn = Turn::shoot(next, self.stroke(next, &layout));
        verdict
    }

    fn choose(&mut self, choice: Choice, layout: &Layout) -> Result<Verdict, Refusal> {
        self.rack.turn.offers(choice)?;
        let player = self.rack.turn.player;
        let mut layout = layout.clone();
        let mut verdict = Verdict { goes_on: choice != Choice::LetBreak, ..Verdict::default() };
        match choice {
            Choice::Break => self.break_anew(player, &layout, &mut verdict),
            Choice::LetBreak => self.break_anew(player.other(), &layout, &mut verdict),
            Choice::SpotNearest => {
                let stroke = self.stroke(player, &layout);
                if let Some(nearest) = self.setting.nearest_behind_head_string(&stroke, &layout) {
                    self.setting.spot(nearest, &mut layout, &mut verdict);
                }
                self.rack.turn =
                    Turn::shoot(player, ShotConstraints { in_hand: Some(Region::BehindHeadString), ..stroke });
            }
            _ => {
                if choice == Choice::SpotAndPlayOn {
                    self.setting.spot(EIGHT, &mut layout, &mut verdict);
                }
                if choice == Choice::BallInHand {
                    put(CUE_BALL, BallPlace::Hand, &mut layout, &mut verdict);
                }
                let stroke = self.stroke(player, &layout);
                let had_in_hand = !layout.is_on_table(CUE_BALL);
                self.rack.turn = if !had_in_hand {
                    Turn::shoot(player, stroke)
                } else if choice == Choice::PlayOn {
                    Turn::shoot(player, ShotConstraints { in_hand: Some(Region::BehindHeadString), ..stroke })
                } else {
                    self.setting.turn_behind_head_string(player, stroke, &layout)
                };
            }
        }
        Ok(verdict)
    }

    fn notes(&self, player: Player) -> Vec<Note> {
        let mut notes = vec![match self.group_of(player) {
            None => Note::OpenTable,
            Some(Group::Solids) => Note::Solids,
            Some(Group::Stripes) => Note::Stripes,
        }];
        if self.rack.turn.player == player && self.rack.turn.stroke().is_some_and(|stroke| stroke.on == [EIGHT]) {
            notes.push(Note::PlaysAt(self.setting.balls[EIGHT.index()]));
        }
        if self.options.three_fouls {
            notes.extend(self.rack.fouls.note_of(player));
        }
        notes
    }

    fn boxed(&self) -> Box<dyn Rules> {
        Box::new(self.clone())
    }
}
