//! A match: two players, racks (frames, games) one after the other, and the log of all that was done. It is a plain value: [`Action`]s go in, the [`Report`] of each
//! comes out, or a [`Refusal`] that says why not. Whoever shows it, or plays in it, is somebody else.

use std::{fmt, sync::Arc};

use bevy::math::Vec2;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::{
    BallPlace, Call, Choice, Game, GameTable, Layout, Options, Outcome, PlayedShot, Player, Region, Rules, Shot,
    ShotError, Simulator, Stroke, Task, Turn, Verdict,
    bot::{
        Noise, Position,
        sight::{Sight, balls_on},
    },
    may_place,
    played::cue_ball_of,
    statistics::{Statistics, Tally},
};
use crate::billiards::{
    cue::{Cue, Strike},
    tables::ShippedTable,
};

/// What is played, by whom, and how long.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchSpec {
    /// The name of the game, such as `nine-ball`.
    pub game: String,
    /// Its options that differ from their defaults. Default: none do.
    #[serde(default)]
    pub options: Options,
    /// The name of the table, such as `pool-9ft`. Default: empty, the game's usual one.
    #[serde(default)]
    pub table: String,
    /// The names of both players.
    pub players: [String; 2],
    /// How many racks win the match, 1 at least. Default: 1.
    #[serde(default = "one")]
    pub race_to: u32,
    /// Who breaks from the second rack on. Default: both in turn.
    #[serde(default)]
    pub breaks: Breaks,
    /// Who breaks in the first. Default: the first player.
    #[serde(default)]
    pub first: Player,
    /// What is left to chance follows from it. Default: 0.
    #[serde(default)]
    pub seed: u64,
    /// How long a player may take for a shot, seconds; who measures it is whoever shows the match, and [`Action::Pass`] is what follows. Default: as long as
    /// they like.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shot_clock: Option<f32>,
    /// Whether shots may be taken back. Default: yes.
    #[serde(default = "yes")]
    pub take_back: bool,
    /// The cue of both. Default: a pool cue.
    #[serde(default)]
    pub cue: Cue,
}

fn one() -> u32 {
    1
}

fn yes() -> bool {
    true
}

impl Default for MatchSpec {
    fn default() -> Self {
        Self {
            game: "practice".to_owned(),
            options: Options::new(),
            table: String::new(),
            players: ["Player 1".to_owned(), "Player 2".to_owned()],
            race_to: 1,
            breaks: Breaks::default(),
            first: Player(0),
            seed: 0,
            shot_clock: None,
            take_back: true,
            cue: Cue::default(),
        }
    }
}

/// Who breaks from the second rack on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Breaks {
    /// Both in turn.
    #[default]
    Alternate,
    /// Who has won the rack before.
    Winner,
    /// Who has lost the rack before.
    Loser,
}

/// What a player does.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Action {
    /// Puts the ball in hand here, metres.
    Place(Vec2),
    /// Plays a shot.
    Shoot {
        /// What is called. Default: nothing.
        #[serde(default)]
        call: Call,
        /// The stroke.
        strike: Strike,
    },
    /// Chooses one of what is offered.
    Choose(Choice),
    /// Does nothing: the time is up, or what was answered makes no sense. It counts as a shot that hits no ball; of choices the first is taken.
    Pass,
    /// Gives this rack to the other player.
    Concede,
    /// Takes the last shot or choice back, whoever's it was, with all that followed from it.
    TakeBack,
}

/// Why something cannot be done now: a sentence for the player.
#[derive(thiserror::Error, Clone, Debug, PartialEq)]
pub enum Refusal {
    /// The match is over.
    #[error("The match is over.")]
    Over,
    /// A choice has to be made before.
    #[error("Choose first how it goes on.")]
    ChooseFirst,
    /// There is nothing to choose.
    #[error("There is nothing to choose now.")]
    NothingToChoose,
    /// The rules say no.
    #[error("{0}")]
    Rules(String),
    /// The call is not one that the rules want.
    #[error("{0}")]
    Call(&'static str),
    /// The cue ball is not in hand.
    #[error("The cue ball is played from where it lies.")]
    NotInHand,
    /// The cue ball has to be placed.
    #[error("Place the cue ball first.")]
    PlaceFirst,
    /// It may not lie there.
    #[error("The cue ball cannot lie there: {0}.")]
    Place(&'static str),
    /// The shot cannot be played.
    #[error("The shot cannot be played: {0}.")]
    Shot(#[from] ShotError),
    /// There is nothing to take back.
    #[error("There is nothing to take back.")]
    NothingToTakeBack,
    /// Shots stand.
    #[error("Shots are not taken back in this match.")]
    NoTakeBack,
}

/// What came of an action. Players are those of the match, whoever broke.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Who acted.
    pub player: Player,
    /// The shot, if it was one.
    pub shot: Option<Shot>,
    /// What followed by the rules.
    pub verdict: Verdict,
    /// How the rack has ended, if it has; the next one is racked then, unless the match is over.
    pub rack: Option<Outcome>,
    /// Where the balls were put after it, before the next rack.
    pub left: Layout,
}

/// An action as the log keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// What was done.
    pub action: Action,
    /// The hash of the state after it: see [`Match::hash`].
    pub hash: u64,
}

/// A match as a file keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchRecord {
    /// What is played.
    pub spec: MatchSpec,
    /// All that was done, in order.
    pub log: Vec<Entry>,
}

/// Where a replay is not what was recorded.
#[derive(thiserror::Error, Clone, Debug, PartialEq)]
pub enum Departure {
    /// The match cannot begin.
    #[error("{0}")]
    Beginning(String),
    /// An action is refused.
    #[error("action {number} of {count} cannot be done: {refusal}")]
    Refused {
        /// Which action, counted from 1.
        number: usize,
        /// How many there are.
        count: usize,
        /// Why.
        refusal: Refusal,
    },
    /// The balls lie elsewhere, or the score is another.
    #[error(
        "after action {number} of {count} the match is another than the one that was recorded: the file was changed, or comes from another version"
    )]
    Other {
        /// Which action, counted from 1.
        number: usize,
        /// How many there are.
        count: usize,
    },
}

/// All that an action may change.
#[derive(Clone, Debug)]
struct State {
    rules: Box<dyn Rules>,
    layout: Layout,
    /// The number of the rack, from 0.
    rack: u32,
    /// Who of the match is the first player of the rules: who breaks.
    breaker: Player,
    racks: [u32; 2],
    over: bool,
    tally: Tally,
    /// How many shots there were before.
    shots: usize,
}

/// A match in its present state.
#[derive(Clone, Debug)]
pub struct Match {
    spec: MatchSpec,
    game: &'static Game,
    simulator: Simulator,
    state: State,
    /// The states before each shot and each choice.
    past: Vec<State>,
    log: Vec<Entry>,
    shots: Vec<Arc<PlayedShot>>,
}

impl Match {
    /// Begins a match.
    ///
    /// # Errors
    /// There is no such game or table, an option makes no sense, or the race is to nothing.
    pub fn new(spec: MatchSpec) -> Result<Self, String> {
        let game = Game::named(&spec.game)?;
        let name = if spec.table.is_empty() { game.tables[0] } else { &spec.table };
        let table = ShippedTable::named(name).and_then(ShippedTable::spec).map_err(|error| error.to_string())?;
        let table = Arc::new(GameTable::new(table).map_err(|error| error.to_string())?);
        Self::on_table(spec, game, table)
    }

    /// Begins a match on a table of one's own, with a game that need not be in the list.
    ///
    /// # Errors
    /// An option makes no sense, the table does not suit the game, or the race is to nothing.
    pub fn on_table(spec: MatchSpec, game: &'static Game, table: Arc<GameTable>) -> Result<Self, String> {
        if spec.race_to == 0 {
            return Err("a race to 0 racks is over before it begins; race to 1 at least".to_owned());
        }
        if spec.first.0 > 1 {
            return Err(format!("there is no player {}; the players are 0 and 1", spec.first.0));
        }
        let mut rules = (game.begin)(&table, &spec.options)?;
        let layout = rules.layout(rack_seed(spec.seed, 0));
        let breaker = spec.first;
        let tally = Tally::default();
        let state = State { rules, layout, rack: 0, breaker, racks: [0; 2], over: false, tally, shots: 0 };
        let simulator = Simulator::new(table);
        let mut begun = Self { spec, game, simulator, state, past: Vec::new(), log: Vec::new(), shots: Vec::new() };
        begun.state.settle(begun.simulator.table());
        Ok(begun)
    }

    /// What is played.
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

    /// The rules in their present state. Their first player is who broke: [`Match::player_of`] says who that is.
    #[must_use]
    pub fn rules(&self) -> &dyn Rules {
        &*self.state.rules
    }

    /// Where the balls are.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.state.layout
    }

    /// Who of the match a player of the rules is, and the other way round.
    #[must_use]
    pub fn player_of(&self, player: Player) -> Player {
        self.state.player_of(player)
    }

    /// Whose turn it is, and what is to be done; none once the match is over.
    #[must_use]
    pub fn turn(&self) -> Option<(Player, &Task)> {
        let Turn { player, task } = self.state.rules.turn();
        (!self.state.over).then_some((self.player_of(*player), task))
    }

    /// Who has won, once it is over.
    #[must_use]
    pub fn winner(&self) -> Option<Player> {
        let State { over, racks, .. } = self.state;
        over.then_some(Player(u8::from(racks[1] > racks[0])))
    }

    /// How many racks both have won.
    #[must_use]
    pub fn racks(&self) -> [u32; 2] {
        self.state.racks
    }

    /// The number of the rack that is played, from 0.
    #[must_use]
    pub fn rack(&self) -> u32 {
        self.state.rack
    }

    /// Who broke in this rack.
    #[must_use]
    pub fn breaker(&self) -> Player {
        self.state.breaker
    }

    /// The points of both in this rack.
    #[must_use]
    pub fn score(&self) -> [i32; 2] {
        self.state.of_match(self.state.rules.score())
    }

    /// The position as a bot sees it. Its seed is another for every action.
    #[must_use]
    pub fn position(&self) -> Position {
        let State { rules, layout, .. } = &self.state;
        Position {
            rules: rules.clone(),
            layout: layout.clone(),
            table: self.simulator.table().clone(),
            cue: self.spec.cue,
            seed: xxh3_64_with_seed(&(self.log.len() as u64).to_le_bytes(), self.spec.seed ^ 0xB07),
        }
    }

    /// All that was done.
    #[must_use]
    pub fn log(&self) -> &[Entry] {
        &self.log
    }

    /// The shots that stand, in order; what was taken back is gone.
    #[must_use]
    pub fn shots(&self) -> &[Arc<PlayedShot>] {
        &self.shots
    }

    /// What the match looks like in numbers so far.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        self.state.tally.statistics(self.state.racks)
    }

    /// What a file keeps of it.
    #[must_use]
    pub fn record(&self) -> MatchRecord {
        MatchRecord { spec: self.spec.clone(), log: self.log.clone() }
    }

    /// A hash of where the balls lie (to the bit), of points and racks, and of whose turn it is.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let State { rules, layout, rack, racks, over, .. } = &self.state;
        let mut bytes: Vec<u8> = Vec::with_capacity(16 * layout.len() + 32);
        for place in &layout.0 {
            match *place {
                BallPlace::Table(Vec2 { x, y }) => {
                    bytes.push(0);
                    bytes.extend([x, y].into_iter().flat_map(|number| number.to_bits().to_le_bytes()));
                }
                BallPlace::Pocket(pocket) => bytes.extend([1, pocket.0]),
                BallPlace::Off => bytes.push(2),
                BallPlace::Hand => bytes.push(3),
            }
        }
        bytes.extend(rules.score().into_iter().chain([rules.current_break()]).flat_map(i32::to_le_bytes));
        bytes.extend([rack, &racks[0], &racks[1]].into_iter().flat_map(|number| number.to_le_bytes()));
        let task = match rules.turn().task {
            Task::Shoot(_) => 0,
            Task::Choose(_) => 1,
            Task::Over(_) => 2,
        };
        bytes.extend([self.player_of(rules.turn().player).0, task, u8::from(*over)]);
        xxh3_64(&bytes)
    }

    /// Does what a player wants done.
    ///
    /// # Errors
    /// It cannot be done now; nothing has changed then.
    pub fn apply(&mut self, action: Action) -> Result<Report, Refusal> {
        let before = (self.state.rack, cue_ball_of(&self.state.rules.turn().task));
        let report = match action {
            Action::TakeBack => self.take_back()?,
            _ if self.state.over => return Err(Refusal::Over),
            Action::Place(place) => self.place(place)?,
            Action::Shoot { call, strike } => self.shoot(call, &strike)?,
            Action::Choose(choice) => self.choose(choice)?,
            Action::Pass => self.pass()?,
            Action::Concede => self.concede(),
        };
        self.shots.extend(PlayedShot::of(before, action, &report).map(Arc::new));
        self.state.shots = self.shots.len();
        self.log.push(Entry { action, hash: self.hash() });
        Ok(report)
    }

    /// Plays a recorded match again, up to its last action.
    ///
    /// # Errors
    /// Where it is not what was recorded.
    pub fn replay(record: &MatchRecord) -> Result<Self, Departure> {
        let mut replayed = Self::new(record.spec.clone()).map_err(Departure::Beginning)?;
        let count = record.log.len();
        for (number, entry) in (1..).zip(&record.log) {
            replayed.apply(entry.action).map_err(|refusal| Departure::Refused { number, count, refusal })?;
            if replayed.hash() != entry.hash {
                return Err(Departure::Other { number, count });
            }
        }
        Ok(replayed)
    }

    /// The shot that is to be played.
    fn stroke(&self) -> Result<&Stroke, Refusal> {
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
        if !may_place(region, &self.state.layout, ball, place, table) {
            return Err(Refusal::Place(match region {
                _ if region.contains(place, table) => "another ball is in the way",
                _ if !table.is_on_cloth(place) => "it would not lie on the cloth",
                Region::BehindHeadString => "it has to lie behind the head string",
                Region::D => "it has to lie in the D",
                _ => "it has to lie on its spot",
            }));
        }
        let player = self.player_of(self.state.rules.turn().player);
        self.state.layout[ball] = BallPlace::Table(place);
        Ok(Report { player, left: self.state.layout.clone(), ..Report::default() })
    }

    fn shoot(&mut self, call: Call, strike: &Strike) -> Result<Report, Refusal> {
        let stroke = self.stroke()?;
        if let Some(reason) = stroke.refusal(&call) {
            return Err(Refusal::Call(reason));
        }
        let State { layout, .. } = &self.state;
        let lies = layout[stroke.cue_ball].on_table();
        let may_lie = |region: Region| lies.is_some_and(|place| region.contains(place, self.simulator.table()));
        if !stroke.in_hand.map_or(lies.is_some(), may_lie) {
            return Err(Refusal::PlaceFirst);
        }
        let mut shot = self.simulator.play(layout, stroke.cue_ball, strike, &self.spec.cue)?;
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

    /// A shot was played, or left out.
    fn judge(&mut self, shot: Shot) -> Report {
        self.past.push(self.state.clone());
        let state = &mut self.state;
        let player = state.player_of(state.rules.turn().player);
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
        state.tally.add_shot(player, &shot, (&verdict, points), (is_break, won), run);
        let has_position = !is_break && verdict.goes_on && verdict.fouls.is_empty();
        let has_position = has_position && !shot.call.safety && !shot.call.push_out;
        verdict.place(&mut state.layout);
        if has_position && let Some(chance) = state.chance_of_best_pot(self.simulator.table()) {
            state.tally.add_position(player, chance);
        }
        self.follow(player, verdict, Some(shot))
    }

    fn choose(&mut self, choice: Choice) -> Result<Report, Refusal> {
        let player = match &self.state.rules.turn().task {
            Task::Choose(choices) if choices.contains(&choice) => self.player_of(self.state.rules.turn().player),
            Task::Choose(_) => return Err(Refusal::Rules("That is not among what can be chosen now.".to_owned())),
            _ => return Err(Refusal::NothingToChoose),
        };
        let before = self.state.clone();
        let verdict = self.state.rules.choose(choice, &before.layout).map_err(|reason| {
            self.state = before.clone();
            Refusal::Rules(reason)
        })?;
        self.past.push(before);
        Ok(self.follow(player, verdict, None))
    }

    fn concede(&mut self) -> Report {
        self.past.push(self.state.clone());
        let player = self.player_of(self.state.rules.turn().player);
        let left = self.state.layout.clone();
        let winner = Some(player.other());
        let report = Report { player, rack: Some(Outcome { winner }), left, ..Report::default() };
        self.end_rack(winner);
        report
    }

    fn take_back(&mut self) -> Result<Report, Refusal> {
        if !self.spec.take_back {
            return Err(Refusal::NoTakeBack);
        }
        self.state = self.past.pop().ok_or(Refusal::NothingToTakeBack)?;
        self.shots.truncate(self.state.shots);
        let player = self.player_of(self.state.rules.turn().player);
        Ok(Report { player, left: self.state.layout.clone(), ..Report::default() })
    }

    /// Puts the balls where a verdict wants them, and ends the rack where it is over.
    fn follow(&mut self, player: Player, mut verdict: Verdict, shot: Option<Shot>) -> Report {
        let state = &mut self.state;
        verdict.place(&mut state.layout);
        state.settle(self.simulator.table());
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

    /// A rack is over, and the next begins unless the race is won. A draw is nobody's, and is played again.
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
            _ => state.breaker.other(),
        };
        state.rack += 1;
        // The options were read when the match began.
        if let Ok(mut rules) = (self.game.begin)(self.simulator.table(), &self.spec.options) {
            state.layout = rules.layout(rack_seed(self.spec.seed, state.rack));
            state.rules = rules;
            state.settle(self.simulator.table());
        }
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

    /// The chance of the best pot that is left where the cue ball lies, for the hand that the Computer Olympiads have; none where there are no pockets, or the
    /// next shot is not one from there.
    fn chance_of_best_pot(&self, table: &GameTable) -> Option<f32> {
        let Task::Shoot(stroke) = &self.rules.turn().task else { return None };
        let place = self.layout[stroke.cue_ball].on_table()?;
        if stroke.is_break || stroke.in_hand.is_some() || table.built.holes.is_empty() {
            return None;
        }
        let on = balls_on(stroke, &self.layout);
        let error = Noise::OLYMPIAD.direction as f32;
        Some(Sight::of(table).best_chance(&self.layout, (stroke.cue_ball, place), &on, error))
    }

    /// A cue ball that has only one place to lie at lies there.
    fn settle(&mut self, table: &GameTable) {
        if let Task::Shoot(Stroke { cue_ball, in_hand: Some(region @ Region::Spot(spot)), .. }) = self.rules.turn().task
            && !self.layout.is_on_table(cue_ball)
            && may_place(region, &self.layout, cue_ball, spot, table)
        {
            self.layout[cue_ball] = BallPlace::Table(spot);
        }
    }
}

/// The seed of a rack of a match.
fn rack_seed(seed: u64, rack: u32) -> u64 {
    xxh3_64_with_seed(&rack.to_le_bytes(), seed)
}

impl MatchRecord {
    /// Its text: RON, with a line for each action.
    ///
    /// # Errors
    /// None that is known: the options of a game are numbers and words.
    pub fn to_text(&self) -> Result<String, ron::Error> {
        use fmt::Write;
        let mut text = format!("(\n  spec: {},\n  log: [\n", ron::to_string(&self.spec)?);
        for entry in &self.log {
            writeln!(text, "    {},", ron::to_string(entry)?)?;
        }
        text.push_str("  ],\n)\n");
        Ok(text)
    }

    /// Reads one from its text. `name` is what an error calls it.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn parse(text: &str, name: &str) -> Result<Self, String> {
        let options = ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME);
        options.from_str(text).map_err(|error| {
            let ron::error::Position { line, col } = error.span.start;
            format!("{name}, line {line}, column {col}: {}", error.code)
        })
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::DVec2;

    use super::*;
    use crate::{
        billiards::tables::{BallName, Rack},
        games::{BallId, CallNeeded, Foul, default_options},
        scene::generate::Chance,
    };

    /// Whoever drives a ball to a cushion has a point and goes on, three win; a shot that hits nothing gives the cue ball into the other's hand. After the
    /// first shot the second player may choose who goes on.
    #[derive(Clone, Debug)]
    struct Rebound {
        turn: Turn,
        score: [i32; 2],
        places: Vec<Vec2>,
        shots: u32,
    }

    #[derive(Default, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    struct ReboundOptions {}

    const REBOUND: Game = Game {
        name: "rebound",
        title: "Rebound",
        tables: &["pool-9ft"],
        begin: |table, options| {
            let ReboundOptions {} = super::super::read_options("rebound", options)?;
            let places = Rack::ThreeCushion.balls(&table.spec, 1e-5);
            let places = places.or_else(|| Rack::NineBall.balls(&table.spec, 1e-5)).ok_or("no spots")?;
            Ok(Box::new(Rebound {
                turn: Turn { player: Player(0), task: Task::Shoot(Stroke { is_break: true, ..Stroke::of(BallId(0)) }) },
                score: [0; 2],
                places: places.iter().take(2).map(|ball| ball.place.as_vec2()).collect(),
                shots: 0,
            }))
        },
        options: default_options::<ReboundOptions>,
    };

    impl Rules for Rebound {
        fn balls(&self) -> &[BallName] {
            &[BallName::Cue, BallName::Red]
        }

        fn layout(&mut self, seed: u64) -> Layout {
            let aside = Vec2::Y * Chance::new(seed).between(-0.1, 0.1);
            Layout(self.places.iter().map(|&place| BallPlace::Table(place + aside)).collect())
        }

        fn turn(&self) -> &Turn {
            &self.turn
        }

        fn score(&self) -> [i32; 2] {
            self.score
        }

        fn current_break(&self) -> i32 {
            self.score[self.turn.player.index()]
        }

        fn judge(&mut self, shot: &Shot) -> Verdict {
            let Turn { player, .. } = self.turn;
            self.shots += 1;
            let points = i32::from(!shot.driven_to_cushions().is_empty());
            let mut verdict = Verdict { goes_on: points > 0, ..Verdict::default() };
            verdict.points[player.index()] = points;
            self.score[player.index()] += points;
            let mut stroke = Stroke { call: CallNeeded::Nothing, ..Stroke::of(BallId(0)) };
            if shot.events.is_empty() || !shot.after.is_on_table(BallId(0)) {
                verdict.fouls.push(Foul::NoHit);
                verdict.goes_on = false;
                verdict.placed.push((BallId(0), BallPlace::Hand));
                stroke.in_hand = Some(Region::BehindHeadString);
            }
            if !shot.after.is_on_table(BallId(1)) {
                verdict.placed.push((BallId(1), BallPlace::Table(self.places[1])));
            }
            let next = if verdict.goes_on { player } else { player.other() };
            let task = match self.score {
                score if score[player.index()] >= 3 => Task::Over(Outcome { winner: Some(player) }),
                _ if self.shots == 1 => Task::Choose(vec![Choice::PassBack, Choice::PlayOn]),
                _ => Task::Shoot(stroke),
            };
            self.turn = Turn { player: next, task };
            verdict
        }

        fn choose(&mut self, choice: Choice, layout: &Layout) -> Result<Verdict, String> {
            let player = if choice == Choice::PassBack { self.turn.player.other() } else { self.turn.player };
            let in_hand = (!layout.is_on_table(BallId(0))).then_some(Region::BehindHeadString);
            self.turn = Turn { player, task: Task::Shoot(Stroke { in_hand, ..Stroke::of(BallId(0)) }) };
            Ok(Verdict::default())
        }

        fn boxed(&self) -> Box<dyn Rules> {
            Box::new(self.clone())
        }
    }

    fn begun(spec: MatchSpec) -> Match {
        let table = ShippedTable::named("pool-9ft").unwrap().spec().unwrap();
        Match::on_table(spec, &REBOUND, Arc::new(GameTable::new(table).unwrap())).unwrap()
    }

    fn race(race_to: u32) -> MatchSpec {
        MatchSpec { game: "rebound".to_owned(), race_to, seed: 5, ..MatchSpec::default() }
    }

    /// Away from the other ball, to a cushion or not.
    fn shoot(speed: f64) -> Action {
        let strike = Strike { speed, direction: DVec2::new(-1.0, 0.3), ..Strike::default() };
        Action::Shoot { call: Call::default(), strike }
    }

    fn turn(playing: &Match) -> (u8, bool) {
        let (player, task) = playing.turn().unwrap();
        (player.0, matches!(task, Task::Shoot(_)))
    }

    #[test]
    fn a_match_is_won_by_racks_and_the_breaks_change() {
        let mut playing = begun(race(2));
        for rack in 0..2 {
            assert_eq!((playing.rack(), playing.breaker()), (rack, Player(rack as u8 % 2)));
            assert!(playing.apply(shoot(2.0)).unwrap().verdict.goes_on);
            assert_eq!(turn(&playing), (rack as u8 % 2, false));
            playing.apply(Action::Choose(Choice::PlayOn)).unwrap();
            playing.apply(shoot(2.0)).unwrap();
            let last = playing.apply(shoot(2.0)).unwrap();
            assert_eq!(last.rack, Some(Outcome { winner: Some(last.player) }));
        }
        assert_eq!((playing.racks(), playing.winner()), ([1, 1], None));
        playing.apply(Action::Concede).unwrap();
        // The first player broke in the third rack and gave it away.
        assert_eq!((playing.racks(), playing.winner(), playing.turn().is_none()), ([1, 2], Some(Player(1)), true));
        assert_eq!(playing.apply(shoot(1.0)), Err(Refusal::Over));
        let numbers = playing.statistics();
        let [first, second] = &numbers.players;
        assert_eq!((first.racks, first.runouts, first.shots, first.points), (1, 1, 3, 3));
        assert_eq!((second.racks, second.runouts, second.breaks, second.innings), (2, 1, 1, 1));
        assert_eq!((first.longest_break, first.attempts, first.successes), (3, 2, 2));
        assert_eq!((first.positions, second.positions), (1, 1), "not after breaks, nor where the rack is won");
        assert!([first, second].iter().all(|of| (0.0..=1.0).contains(&of.position_quality.unwrap())));
        let played: Vec<_> = playing.shots().iter().map(|shot| (shot.rack, shot.player.0, shot.won)).collect();
        let (one, two) = (Some(Player(0)), Some(Player(1)));
        let expected = [(0, 0, None), (0, 0, None), (0, 0, one), (1, 1, None), (1, 1, None), (1, 1, two)];
        assert_eq!(played, expected);
    }

    #[test]
    fn who_breaks_next_is_as_agreed() {
        for (breaks, expected) in [(Breaks::Alternate, 1), (Breaks::Winner, 1), (Breaks::Loser, 0)] {
            let mut playing = begun(MatchSpec { breaks, ..race(5) });
            playing.apply(Action::Concede).unwrap();
            assert_eq!(playing.breaker(), Player(expected), "{breaks:?}");
        }
        assert_eq!(begun(MatchSpec { first: Player(1), ..race(1) }).breaker(), Player(1));
    }

    #[test]
    fn what_is_refused_says_why_and_changes_nothing() {
        let mut playing = begun(race(1));
        let refused = |playing: &mut Match, action: Action| {
            let (hash, log) = (playing.hash(), playing.log().len());
            let refusal = playing.apply(action).unwrap_err().to_string();
            assert_eq!((playing.hash(), playing.log().len()), (hash, log));
            refusal
        };
        assert_eq!(refused(&mut playing, Action::Place(Vec2::ZERO)), "The cue ball is played from where it lies.");
        assert_eq!(refused(&mut playing, Action::Choose(Choice::PlayOn)), "There is nothing to choose now.");
        assert_eq!(refused(&mut playing, Action::TakeBack), "There is nothing to take back.");
        let strike = Strike { side: 0.9, ..Strike::default() };
        assert!(refused(&mut playing, Action::Shoot { call: Call::default(), strike }).contains("miscue"));
        let call = Call { safety: true, ..Call::default() };
        let strike = Strike::default();
        assert_eq!(refused(&mut playing, Action::Shoot { call, strike }), "A safety cannot be called here.");
        playing.apply(shoot(0.0)).unwrap();
        assert_eq!(refused(&mut playing, shoot(1.0)), "Choose first how it goes on.");
        assert!(refused(&mut playing, Action::Choose(Choice::Break)).contains("not among"));
        playing.apply(Action::Choose(Choice::PlayOn)).unwrap();
        assert_eq!(refused(&mut playing, shoot(1.0)), "Place the cue ball first.");
        for (place, why) in [
            (Vec2::new(-0.1, 0.0), "it has to lie behind the head string"),
            (Vec2::new(-1.26, 0.0), "it would not lie on the cloth"),
        ] {
            assert!(refused(&mut playing, Action::Place(place)).contains(why));
        }
        playing.apply(Action::Place(Vec2::new(-1.0, 0.1))).unwrap();
        playing.apply(Action::Place(Vec2::new(-1.0, 0.2))).unwrap();
        assert_eq!(playing.layout()[BallId(0)], BallPlace::Table(Vec2::new(-1.0, 0.2)), "as often as one likes");
        playing.apply(shoot(2.0)).unwrap();
        let mut strict = begun(MatchSpec { take_back: false, ..race(1) });
        strict.apply(shoot(1.0)).unwrap();
        assert_eq!(refused(&mut strict, Action::TakeBack), "Shots are not taken back in this match.");
    }

    #[test]
    fn a_shot_is_taken_back_to_the_bit_and_a_file_plays_it_all_again() {
        let mut playing = begun(race(2));
        let mut hashes = vec![playing.hash()];
        for action in [shoot(2.0), Action::Choose(Choice::PassBack), Action::Pass, Action::Place(Vec2::new(-0.9, 0.1))]
        {
            playing.apply(action).unwrap();
            hashes.push(playing.hash());
        }
        let rest = [shoot(2.0), shoot(2.0), shoot(1.5)];
        for action in rest {
            playing.apply(action).unwrap();
        }
        assert_eq!(playing.racks(), [1, 0]);
        for _ in rest {
            playing.apply(Action::TakeBack).unwrap();
        }
        assert_eq!((playing.hash(), playing.racks()), (hashes[4], [0, 0]), "the ball lies where it was placed");
        assert_eq!(playing.shots().len(), 2, "the shots that stand");
        assert_eq!(playing.statistics().players[0].shots, 1);
        playing.apply(Action::TakeBack).unwrap();
        assert_eq!(playing.hash(), hashes[2]);
        for _ in 0..2 {
            playing.apply(Action::TakeBack).unwrap();
        }
        assert_eq!(playing.hash(), hashes[0]);
        let text = playing.record().to_text().unwrap();
        assert_eq!(MatchRecord::parse(&text, "a.ron").unwrap(), playing.record(), "{text}");
    }

    #[test]
    fn a_record_replays_and_says_where_it_departs() {
        let spec = MatchSpec { game: "practice".to_owned(), seed: 3, ..MatchSpec::default() };
        let mut playing = Match::new(spec).unwrap();
        let break_shot = Strike { speed: 6.1, direction: DVec2::new(1.0, 0.0123), side: 0.1, ..Strike::default() };
        playing.apply(Action::Shoot { call: Call::default(), strike: break_shot }).unwrap();
        playing.apply(Action::TakeBack).unwrap();
        playing.apply(Action::Shoot { call: Call::default(), strike: break_shot }).unwrap();
        let record = MatchRecord::parse(&playing.record().to_text().unwrap(), "a.ron").unwrap();
        assert_eq!(Match::replay(&record).unwrap().hash(), playing.hash());
        let mut other = record.clone();
        let Action::Shoot { strike, .. } = &mut other.log[2].action else { panic!("{other:?}") };
        strike.speed += 1e-5;
        let departure = Match::replay(&other).unwrap_err();
        assert_eq!(departure, Departure::Other { number: 3, count: 3 });
        other.log[1].action = Action::Choose(Choice::Break);
        assert!(matches!(Match::replay(&other), Err(Departure::Refused { number: 2, .. })));
        other.spec.game = "chess".to_owned();
        assert!(Match::replay(&other).unwrap_err().to_string().contains("there is no game `chess`"));
        let broken = MatchRecord::parse("(\n  spec: 3)", "a.ron").unwrap_err();
        assert!(broken.starts_with("a.ron, line 2, column"), "{broken}");
    }
}
