//! A match: two players, a sequence of racks (frames, games), and a log of all actions. It is a plain value.
//! [`Match::apply`] takes an [`Action`] and returns a [`Report`], or a [`Refusal`] with the reason. A match neither
//! displays itself nor plays for anybody.
//!
//! | file | contents |
//! |---|---|
//! | `spec` | [`MatchSpec`]: game, table, players and length |
//! | `record` | the match as a file, its hash and its replay |
//! | `link` | the match in a link |
//! | `played` | its shots, each for a replay |
//! | `statistics` | its statistics |
//! | `results` | the results of finished matches in a file, with statistics against each bot |

use std::sync::Arc;

use bevy::math::Vec2;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::{
    billiards::{
        cue::{Cue, CueStrike},
        tables::ShippedTable,
    },
    games::{
        bot::{GameState, Noise},
        rules::{
            Action, BallPlace, Call, Choice, CueKind, Game, GameTable, Layout, Outcome, Player, Refusal, Region,
            Report, Rules, Shot, ShotConstraints, Task, Turn, Verdict, place_refusal,
        },
        sight::{Sight, Situation},
        simulator::Simulator,
    },
};

use played::cue_ball_of;
use statistics::{CountedShot, Tally};

mod link;
mod played;
mod record;
mod results;
mod spec;
mod statistics;
#[cfg(test)]
mod tests;

pub use link::LinkedMatch;
pub use played::PlayedShot;
pub use record::{Departure, Entry, MatchRecord};
pub use results::{AgainstBot, MatchResult, MatchResults};
pub use spec::{Breaks, MatchSpec};
pub use statistics::{PlayerStatistics, Statistics};

/// Everything that an action may change.
#[derive(Clone, Debug)]
struct State {
    rules: Box<dyn Rules>,
    layout: Layout,
    /// The cue for the next shot.
    cue: CueKind,
    /// The rack number, from 0.
    rack: u32,
    /// The player of the match who is the first player of the rules and breaks.
    breaker: Player,
    racks: [u32; 2],
    over: bool,
    tally: Tally,
    /// The number of earlier shots.
    shots: usize,
}

/// A match in its current state.
#[derive(Clone, Debug)]
pub struct Match {
    spec: MatchSpec,
    game: &'static Game,
    simulator: Simulator,
    /// The rules at the start of each rack, before the balls are laid out.
    fresh: Arc<dyn Rules>,
    state: State,
    /// The states before each shot and each choice.
    past: Vec<Arc<State>>,
    log: Vec<Entry>,
    shots: Vec<Arc<PlayedShot>>,
    last: Option<Box<(Action, Report)>>,
}

/// What has become of a bot's answer: see [`Match::apply_answer`].
#[derive(Clone, Debug, PartialEq)]
pub struct Answered {
    /// The action performed: the answer, or a pass.
    pub action: Action,
    /// Its report.
    pub report: Report,
    /// Why the answer was refused, if it was.
    pub refused: Option<Refusal>,
}

impl Match {
    /// Starts a match.
    ///
    /// # Errors
    /// There is no such game or table, the table does not suit the game, an option is invalid, or the race length is
    /// zero.
    pub fn new(spec: MatchSpec) -> Result<Self, String> {
        let game = Game::named(&spec.game)?;
        let usual = game.tables.first().copied().unwrap_or_default();
        let name = if spec.table.is_empty() { usual } else { &spec.table };
        if !game.tables.contains(&name) && ShippedTable::named(name).is_ok() {
            return Err(format!("{} cannot be played on {name}; its tables are {}", game.name, game.tables.join(", ")));
        }
        let table = ShippedTable::named(name).and_then(ShippedTable::spec).map_err(|error| error.to_string())?;
        let table = Arc::new(GameTable::new(table).map_err(|error| error.to_string())?);
        Self::on_table(spec, game, table)
    }

    /// Starts a match on a custom table, with a game that need not be in the list. Its record contains neither, so pass
    /// both to [`Match::replay_on`]. To continue it in a window, use
    /// [`Beginning::with_seats`](super::plugin::Beginning::with_seats).
    ///
    /// # Errors
    /// An option, the cue or the shot clock is invalid, the table does not suit the game, or the race length is zero.
    pub fn on_table(spec: MatchSpec, game: &'static Game, table: Arc<GameTable>) -> Result<Self, String> {
        if spec.race_to == 0 {
            return Err("a race to 0 racks is over before it starts; race to at least 1".to_owned());
        }
        if spec.first.0 > 1 {
            return Err(format!("there is no player {}; the players are 0 and 1", spec.first.0));
        }
        if let Some(seconds) = spec.shot_clock
            && !(seconds > 0.0 && seconds.is_finite())
        {
            return Err(format!("a shot clock of {seconds} s leaves no time; use more than 0 s, or no clock"));
        }
        spec.cue.check()?;
        let table = if table.flight == spec.flight {
            table
        } else {
            Arc::new(Arc::unwrap_or_clone(table).with_flight(spec.flight))
        };
        let mut rules = (game.begin)(&table, &spec.options)?;
        let fresh = Arc::from(rules.boxed());
        let layout = rules.layout(rack_seed(spec.seed, 0));
        let breaker = spec.first;
        let tally = Tally::default();
        let state = State {
            rules,
            layout,
            cue: CueKind::default(),
            rack: 0,
            breaker,
            racks: [0; 2],
            over: false,
            tally,
            shots: 0,
        };
        let simulator = Simulator::new(table);
        let (past, log, shots) = Default::default();
        Ok(Self { spec, game, simulator, fresh, state, past, log, shots, last: None })
    }

    /// The specification of the match.
    #[must_use]
    pub fn spec(&self) -> &MatchSpec {
        &self.spec
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &'static Game {
        self.game
    }

    /// The table.
    #[must_use]
    pub fn table(&self) -> &Arc<GameTable> {
        self.simulator.table()
    }

    /// The simulator of its shots.
    pub(super) fn simulator(&self) -> &Simulator {
        &self.simulator
    }

    /// The current rules. Their first player is the one who broke; [`Match::player_of`] converts.
    #[must_use]
    pub fn rules(&self) -> &dyn Rules {
        &*self.state.rules
    }

    /// Positions of the balls.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.state.layout
    }

    /// Converts a player of the rules to a player of the match, and the reverse.
    #[must_use]
    pub fn player_of(&self, player: Player) -> Player {
        self.state.player_of(player)
    }

    /// The player to act and the task, or `None` once the match is over.
    #[must_use]
    pub fn turn(&self) -> Option<(Player, &Task)> {
        let Turn { player, task } = self.state.rules.turn();
        (!self.state.over).then_some((self.player_of(*player), task))
    }

    /// The winner, once the match is over.
    #[must_use]
    pub fn winner(&self) -> Option<Player> {
        let State { over, racks, .. } = self.state;
        over.then_some(Player(u8::from(racks[1] > racks[0])))
    }

    /// The racks won by each player.
    #[must_use]
    pub fn racks(&self) -> [u32; 2] {
        self.state.racks
    }

    /// The number of the current rack, from 0.
    #[must_use]
    pub fn rack(&self) -> u32 {
        self.state.rack
    }

    /// The player who broke in this rack.
    #[must_use]
    pub fn breaker(&self) -> Player {
        self.state.breaker
    }

    /// The points of both players in this rack.
    #[must_use]
    pub fn score(&self) -> [i32; 2] {
        self.state.of_match(self.state.rules.score())
    }

    /// The cue that the player has in hand.
    #[must_use]
    pub fn cue_kind(&self) -> CueKind {
        self.state.cue
    }

    /// The cue for the next shot.
    #[must_use]
    pub fn cue(&self) -> Cue {
        match self.state.cue {
            CueKind::Playing => self.spec.cue,
            CueKind::Jump => Cue::JUMP,
        }
    }

    /// Whether a player may take a jump cue: the game allows it, and balls fly.
    #[must_use]
    pub fn has_jump_cue(&self) -> bool {
        self.game.jump_cue && self.spec.flight
    }

    /// The position for a bot. Its seed is different for every action.
    #[must_use]
    pub fn game_state(&self) -> GameState {
        let State { rules, layout, .. } = &self.state;
        GameState {
            game: self.game.name,
            rules: rules.clone(),
            layout: layout.clone(),
            table: self.simulator.table().clone(),
            cue: self.cue(),
            seed: xxh3_64_with_seed(&(self.log.len() as u64).to_le_bytes(), self.spec.seed ^ 0xB07),
        }
    }

    /// The log of all actions.
    #[must_use]
    pub fn log(&self) -> &[Entry] {
        &self.log
    }

    /// The shots in order, without those that were taken back.
    #[must_use]
    pub fn shots(&self) -> &[Arc<PlayedShot>] {
        &self.shots
    }

    /// The last action that was no [preparation](Action::is_preparation), with its report.
    #[must_use]
    pub fn last(&self) -> Option<&(Action, Report)> {
        self.last.as_deref()
    }

    /// The statistics so far.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        self.state.tally.statistics(self.state.racks)
    }

    /// Performs an action.
    ///
    /// # Errors
    /// The action is not allowed now. The match is then unchanged.
    pub fn apply(&mut self, action: Action) -> Result<Report, Refusal> {
        let (rack, cue, cue_ball) = (self.state.rack, self.cue(), cue_ball_of(&self.state.rules.turn().task));
        let report = match action {
            Action::TakeBack => self.take_back()?,
            _ if self.state.over => return Err(Refusal::Over),
            Action::Place(place) => self.place(place)?,
            Action::TakeCue(kind) => self.take_cue(kind)?,
            Action::Shoot { call, strike } => self.shoot(call, &strike)?,
            Action::Choose(choice) => self.choose(choice)?,
            Action::Pass => self.pass()?,
            Action::Concede => self.concede(),
        };
        self.shots.extend(PlayedShot::of(rack, cue, cue_ball, action, &report).map(Arc::new));
        self.state.shots = self.shots.len();
        let hash = self.proof(action, report.shot.as_ref());
        self.log.push(Entry { action, hash });
        if !action.is_preparation() {
            self.last = Some(Box::new((action, report.clone())));
        }
        Ok(report)
    }

    /// Performs the answer of a bot. An answer that is not allowed counts as [`Action::Pass`]. So does taking a shot
    /// back, which only people can do.
    ///
    /// # Errors
    /// The match is over, so that a pass is not possible either.
    pub fn apply_answer(&mut self, answer: Action) -> Result<Answered, Refusal> {
        let done = if answer == Action::TakeBack { Err(Refusal::OnlyPeopleTakeBack) } else { self.apply(answer) };
        match done {
            Ok(report) => Ok(Answered { action: answer, report, refused: None }),
            Err(why) => {
                let report = self.apply(Action::Pass)?;
                Ok(Answered { action: Action::Pass, report, refused: Some(why) })
            }
        }
    }

    /// The shot to play.
    fn stroke(&self) -> Result<&ShotConstraints, Refusal> {
        match &self.state.rules.turn().task {
            Task::Shoot(stroke) => Ok(stroke),
            Task::Choose(_) => Err(Refusal::ChooseFirst),
            Task::Over(_) => Err(Refusal::Over),
        }
    }

    fn place(&mut self, place: Vec2) -> Result<Report, Refusal> {
        let stroke = self.stroke()?;
        let (ball, region) = (stroke.cue_ball, stroke.in_hand.ok_or(Refusal::NotInHand)?);
        let table = self.simulator.table();
        if let Some(why) = place_refusal(region, &self.state.layout, ball, place, table) {
            return Err(why.into());
        }
        let player = self.player_of(self.state.rules.turn().player);
        self.state.layout[ball] = BallPlace::Table(place);
        Ok(Report { player, left: self.state.layout.clone(), ..Report::default() })
    }

    fn take_cue(&mut self, kind: CueKind) -> Result<Report, Refusal> {
        self.stroke()?;
        if kind == CueKind::Jump && !self.has_jump_cue() {
            return Err(Refusal::NoJumpCue);
        }
        self.state.cue = kind;
        let player = self.player_of(self.state.rules.turn().player);
        Ok(Report { player, left: self.state.layout.clone(), ..Report::default() })
    }

    fn shoot(&mut self, call: Call, strike: &CueStrike) -> Result<Report, Refusal> {
        let stroke = self.stroke()?;
        if let Some(why) = self.state.rules.call_refusal(&call) {
            return Err(why.into());
        }
        let State { layout, .. } = &self.state;
        let lies = layout[stroke.cue_ball].on_table();
        let may_lie = |region: Region| lies.is_some_and(|place| region.contains(place, self.simulator.table()));
        if !stroke.in_hand.map_or(lies.is_some(), may_lie) {
            return Err(Refusal::PlaceFirst);
        }
        let mut shot = self.simulator.play(layout, stroke.cue_ball, strike, &self.cue())?;
        shot.call = call;
        Ok(self.judge(shot))
    }

    fn pass(&mut self) -> Result<Report, Refusal> {
        match &self.state.rules.turn().task {
            Task::Choose(choices) => {
                let choice = *choices.first().ok_or(Refusal::NothingToChoose)?;
                self.choose(choice)
            }
            Task::Over(_) => Err(Refusal::Over),
            Task::Shoot(stroke) => {
                let (ball, region) = (stroke.cue_ball, stroke.in_hand.unwrap_or(Region::Anywhere));
                let mut shot = Shot::not_played(&self.state.layout);
                if !shot.before.is_on_table(ball)
                    && let Some(place) = region.any_place(self.simulator.table(), &shot.before, ball)
                {
                    shot.before[ball] = BallPlace::Table(place);
                    shot.after[ball] = BallPlace::Table(place);
                }
                Ok(self.judge(shot))
            }
        }
    }

    /// Judges a shot that was played or passed.
    fn judge(&mut self, shot: Shot) -> Report {
        self.past.push(Arc::new(self.state.clone()));
        let state = &mut self.state;
        let player = state.player_of(state.rules.turn().player);
        let cue_ball = cue_ball_of(&state.rules.turn().task);
        let is_break = matches!(&state.rules.turn().task, Task::Shoot(stroke) if stroke.is_break);
        let was_break = state.rules.current_break();
        let verdict = state.rules.judge(&shot);
        state.layout.clone_from(&shot.after);
        let points = state.of_match(verdict.points);
        let run = was_break.max(state.rules.current_break()).max(was_break + points[player.index()]);
        let won = match state.rules.turn().task {
            Task::Over(Outcome { winner }) => winner.map(|winner| state.player_of(winner)) == Some(player),
            _ => false,
        };
        let counted = CountedShot { player, shot: &shot, cue_ball, verdict: &verdict, points, is_break, won, run };
        state.tally.add_shot(&counted);
        let has_position = counted.is_attempt() && verdict.goes_on && verdict.fouls.is_empty();
        verdict.place(&mut state.layout);
        if has_position && let Some(chance) = state.chance_of_best_pot(self.simulator.table()) {
            state.tally.add_position(player, chance);
        }
        self.follow(player, verdict, Some(shot))
    }

    fn choose(&mut self, choice: Choice) -> Result<Report, Refusal> {
        let turn = self.state.rules.turn();
        turn.offers(choice)?;
        let player = self.player_of(turn.player);
        let before = self.state.clone();
        let verdict = self.state.rules.choose(choice, &before.layout).inspect_err(|_| {
            self.state = before.clone();
        })?;
        verdict.place(&mut self.state.layout);
        self.past.push(Arc::new(before));
        Ok(self.follow(player, verdict, None))
    }

    fn concede(&mut self) -> Report {
        self.past.push(Arc::new(self.state.clone()));
        let player = self.player_of(self.state.rules.turn().player);
        let left = self.state.layout.clone();
        let winner = Some(player.other());
        let report = Report { player, rack: Some(Outcome { winner }), left, ..Report::default() };
        self.end_rack(winner);
        report
    }

    /// Whether the last shot or choice can be taken back.
    ///
    /// # Errors
    /// The match does not allow it, or there is nothing to take back.
    pub fn can_take_back(&self) -> Result<(), Refusal> {
        match self.past.last() {
            _ if !self.spec.take_back => Err(Refusal::NoTakeBack),
            None => Err(Refusal::NothingToTakeBack),
            Some(_) => Ok(()),
        }
    }

    fn take_back(&mut self) -> Result<Report, Refusal> {
        self.can_take_back()?;
        self.state = self.past.pop().map(Arc::unwrap_or_clone).ok_or(Refusal::NothingToTakeBack)?;
        self.shots.truncate(self.state.shots);
        let player = self.player_of(self.state.rules.turn().player);
        Ok(Report { player, left: self.state.layout.clone(), ..Report::default() })
    }

    /// Ends the rack if it is over by this verdict, whose balls have been placed.
    fn follow(&mut self, player: Player, mut verdict: Verdict, shot: Option<Shot>) -> Report {
        let state = &mut self.state;
        state.cue = CueKind::default();
        verdict.points = state.of_match(verdict.points);
        let left = state.layout.clone();
        let rack = match state.rules.turn().task {
            Task::Over(Outcome { winner }) => Some(Outcome { winner: winner.map(|winner| state.player_of(winner)) }),
            _ => None,
        };
        if let Some(Outcome { winner }) = rack {
            self.end_rack(winner);
        }
        Report { player, shot, verdict, rack, left }
    }

    /// Ends a rack, and starts the next unless the race is won. A drawn rack counts for neither player and is replayed.
    fn end_rack(&mut self, winner: Option<Player>) {
        let state = &mut self.state;
        state.tally.end_rack(state.breaker, winner);
        if let Some(winner) = winner {
            state.racks[winner.index()] += 1;
            if state.racks[winner.index()] >= self.spec.race_to {
                state.over = true;
                return;
            }
        }
        state.breaker = match (self.spec.breaks, winner) {
            (Breaks::Winner, Some(winner)) => winner,
            (Breaks::Loser, Some(winner)) => winner.other(),
            _ if self.game.solo => state.breaker,
            _ => state.breaker.other(),
        };
        state.rack += 1;
        state.rules = self.fresh.boxed();
        state.layout = state.rules.layout(rack_seed(self.spec.seed, state.rack));
    }
}

impl State {
    fn player_of(&self, player: Player) -> Player {
        if self.breaker == Player(0) { player } else { player.other() }
    }

    /// Both players' values in the order of the match.
    fn of_match(&self, [first, second]: [i32; 2]) -> [i32; 2] {
        if self.breaker == Player(0) { [first, second] } else { [second, first] }
    }

    /// The chance of the best pot from where the cue ball lies, with the hand of the Computer Olympiads. It is `None`
    /// if there are no pockets or the next shot is not played from there.
    fn chance_of_best_pot(&self, table: &GameTable) -> Option<f32> {
        let Task::Shoot(stroke) = &self.rules.turn().task else { return None };
        if stroke.is_break {
            return None;
        }
        let (sight, error) = (&Sight::of(table), Noise::sight_error(1.0));
        Situation { sight, table, stroke, layout: &self.layout, error }.best_chance()
    }
}

/// The seed of a rack.
fn rack_seed(seed: u64, rack: u32) -> u64 {
    xxh3_64_with_seed(&rack.to_le_bytes(), seed)
}
