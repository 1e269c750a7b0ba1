//! 8-ball, by section 3 of the rules: each player pots one group, solids or stripes, and then the 8.

use std::sync::Arc;

use super::{
    rack::{FoulsInARow, balls_in_a_row},
    wpa::{CUE_BALL, MIDDLE, Setting, TABLES, makes_call, potted_object_balls, shuffle},
};
use crate::{
    billiards::tables::{BallName, Rack},
    games::{
        rulebooks::ruling::{Decision, RuleBook, Ruling, choose, judge},
        rules::{
            BallId, BallPlace, CallNeeded, Choice, Foul, Game, GameTable, Layout, Measure, Note, Player, Refusal,
            Region, Remark, Rules, Shot, ShotConstraints, Standing, Turn, Verdict, options::Options,
        },
    },
    random::Random,
};

mod opening;
mod options;
#[cfg(test)]
mod tests;

use opening::break_stroke;
pub use options::{Calls, EightBallOptions, EightOnBreak};

/// The entry in the list of games.
pub const GAME: Game = Game {
    name: "eight-ball",
    title: "8-ball",
    about: "Solids or stripes, then the 8. Call ball and pocket.",
    tables: TABLES,
    jump_cue: true,
    solo: false,
    measures: Measure::RACKS,
    begin: |table, options| Ok(Box::new(EightBall::new(table, options)?)),
    options: options::OPTIONS,
};

const EIGHT: BallId = BallId(8);

/// The two far corners of the triangle, counted row by row from the apex.
const CORNERS: [usize; 2] = [10, 14];

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
    standing: Standing,
    fouls: FoulsInARow,
    /// The group of the first player, once assigned.
    group: Option<Group>,
}

impl EightBall {
    fn new(table: &Arc<GameTable>, options: &Options) -> Result<Self, String> {
        let options: EightBallOptions = GAME.read_options(options)?;
        let setting = Arc::new(Setting::new(GAME.name, table, Rack::EightBall)?);
        let standing = Standing::new(Turn::shoot(Player(0), break_stroke()));
        let fouls = FoulsInARow::new(options.three_fouls);
        Ok(Self { options, setting, random: Random::new(0), standing, fouls, group: None })
    }

    /// The balls in a legal order: the 8 in the middle, one of each group in the far corners (3.2).
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

    /// The balls that a player may hit first: the player's group, then the 8, or any but the 8 while the table is open.
    fn balls_on(&self, player: Player, layout: &Layout) -> Vec<BallId> {
        let group = self.group_of(player);
        let is_on = |&ball: &BallId| {
            layout.is_on_table(ball) && Group::of(ball).is_some_and(|of| group.is_none_or(|group| group == of))
        };
        let on: Vec<BallId> = self.setting.object_balls().filter(is_on).collect();
        if on.is_empty() { vec![EIGHT] } else { on }
    }

    /// The shot of a player with this layout.
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

    /// Whether the rack ends with this shot because the 8 fell or left the table, other than on the break.
    fn is_about_eight(ruling: &Ruling) -> bool {
        !ruling.stroke.is_break && !ruling.shot.after.is_on_table(EIGHT)
    }

    /// Why the rack is lost by an 8 that left the table, if it is (3.8).
    fn loses(ruling: &Ruling) -> Option<Remark> {
        let Ruling { shot, stroke, .. } = ruling;
        let uncalled = stroke.call == CallNeeded::BallAndPocket && !(makes_call(shot) && shot.call.ball == Some(EIGHT));
        if shot.is_off_table(EIGHT) {
            Some(Remark::EightOffTable)
        } else if !ruling.is_clean() {
            Some(Remark::EightWithFoul)
        } else if stroke.on != [EIGHT] {
            Some(Remark::EightTooEarly)
        } else if uncalled {
            Some(Remark::EightUncalled)
        } else {
            None
        }
    }

    /// The group that a player takes by this shot, if the table was open.
    fn takes_group(&self, ruling: &Ruling) -> Option<Group> {
        let Ruling { shot, stroke, .. } = ruling;
        if self.group.is_some() || stroke.is_break || !ruling.is_clean() {
            return None;
        }
        if stroke.call == CallNeeded::BallAndPocket {
            return shot.call.ball.filter(|_| makes_call(shot)).and_then(Group::of);
        }
        // Without calls, the first ball that fell decides.
        potted_object_balls(shot).into_iter().find_map(Group::of)
    }

    /// Whether a shot other than the break counts: without a foul, it potted a ball of the player's group, as called
    /// where calls are required.
    fn counts(&self, ruling: &Ruling) -> bool {
        let Ruling { player, shot, stroke, .. } = ruling;
        let has_potted = if stroke.call == CallNeeded::BallAndPocket {
            makes_call(shot) && shot.call.ball.is_some_and(|ball| stroke.allows_call_of(ball))
        } else {
            // Without calls, any ball of the player's group counts. The first ball that fell may have assigned the
            // group.
            let own = self.takes_group(ruling).or(self.group_of(*player));
            let is_own = |ball: BallId| Group::of(ball).is_some() && Group::of(ball) == own;
            !shot.call.safety && potted_object_balls(shot).into_iter().any(is_own)
        };
        ruling.is_clean() && has_potted
    }
}

impl RuleBook for EightBall {
    fn fouls(&self, ruling: &Ruling) -> Vec<Foul> {
        let mut fouls = self.setting.fouls(ruling.shot, &ruling.stroke, false);
        if !Self::is_about_eight(ruling) {
            fouls.extend(self.fouls.third(ruling.player, &fouls));
        }
        fouls
    }

    fn decide(&self, ruling: &Ruling) -> Decision {
        let other = ruling.player.other();
        if Self::is_about_eight(ruling) {
            Decision::Won(if Self::loses(ruling).is_some() { other } else { ruling.player })
        } else if ruling.fouls.contains(&Foul::ThirdFoul) {
            Decision::Won(other)
        } else if ruling.stroke.is_break {
            self.decide_break(ruling)
        } else {
            Decision::go_on_if(self.counts(ruling))
        }
    }

    fn points_for_rack(&self) -> i32 {
        1
    }

    fn current_break_after(&self, ruling: &Ruling) -> i32 {
        if self.eight_on_break(ruling) == Some(EightOnBreak::Break) {
            return 0;
        }
        // With the 8, only the 8 counts.
        let potted = if Self::is_about_eight(ruling) { 1 } else { potted_object_balls(ruling.shot).len() as i32 };
        balls_in_a_row(self.standing.current_break, ruling, potted)
    }

    fn count(&mut self, ruling: &mut Ruling) {
        if Self::is_about_eight(ruling) {
            ruling.remarks.extend(Self::loses(ruling));
            return;
        }
        self.fouls.note(ruling);
        if let Some(group) = self.takes_group(ruling) {
            self.group = Some(if ruling.player == Player(0) { group } else { group.other() });
            ruling.remarks.push(match group {
                Group::Solids => Remark::TakesSolids,
                Group::Stripes => Remark::TakesStripes,
            });
        }
        let called = ruling.stroke.call == CallNeeded::BallAndPocket && !ruling.shot.call.safety;
        if called
            && ruling.is_clean()
            && ruling.decision == Decision::Passes
            && !potted_object_balls(ruling.shot).is_empty()
        {
            ruling.remarks.push(Remark::NotAsCalled);
        }
    }

    fn place(&mut self, ruling: &mut Ruling) {
        if ruling.stroke.is_break {
            self.place_after_break(ruling);
        } else if !ruling.is_clean() && !ruling.is_over() {
            ruling.layout[CUE_BALL] = BallPlace::Hand;
        }
    }

    fn next(&mut self, ruling: &mut Ruling) -> Turn {
        if !ruling.is_clean() {
            ruling.remarks.extend(self.fouls.warning(ruling.player));
        }
        if ruling.stroke.is_break {
            return self.next_after_break(ruling);
        }
        let next = ruling.next_player();
        let in_hand = (!ruling.is_clean()).then_some(Region::Anywhere);
        Turn::shoot(next, ShotConstraints { in_hand, ..self.stroke(next, &ruling.layout) })
    }

    fn standing_mut(&mut self) -> &mut Standing {
        &mut self.standing
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

    fn standing(&self) -> &Standing {
        &self.standing
    }

    fn judge(&mut self, shot: &Shot) -> Verdict {
        judge(self, shot)
    }

    fn choose(&mut self, choice: Choice, layout: &Layout) -> Result<Verdict, Refusal> {
        choose(self, choice, layout, Self::follow)
    }

    fn notes(&self, player: Player) -> Vec<Note> {
        let mut notes = vec![match self.group_of(player) {
            None => Note::OpenTable,
            Some(Group::Solids) => Note::Solids,
            Some(Group::Stripes) => Note::Stripes,
        }];
        if self.standing.turn.player == player && self.standing.turn.stroke().is_some_and(|stroke| stroke.on == [EIGHT])
        {
            notes.push(Note::PlaysAt(self.setting.balls[EIGHT.index()]));
        }
        notes.extend(self.fouls.note_of(player));
        notes
    }

    fn boxed(&self) -> Box<dyn Rules> {
        Box::new(self.clone())
    }
}
