//! How a bot thinks. It simulates candidates with the solver of the game, then simulates the best ones again with the
//! noise of its hand. If none of them is good, it tries safer strokes. Strong levels look one shot further. Then the
//! bot plays the best stroke.
//!
//! The constants without a source were set by hand. The ladder of levels (`docs/src/bots.md`) guards them: each
//! level has to beat the one below.

use std::collections::VecDeque;

use super::{
    Bot, GameState, Idea,
    candidates::{Aim, Candidate, Kind, StrokeRange, Variant, aimed},
    level::Level,
    noise::Noise,
    trial::{After, Trial},
    value::{Eye, Side, after_choice},
};
use crate::{
    games::{
        rules::{Action, Call, Choice, Layout, Task},
        sight::Situation,
    },
    random::Random,
};

/// If no stroke is worth as much, the bot also tries safeties and the like. It is the value of a pot with a bit more
/// than an even chance (`NOTHING_ON` and `CERTAIN_POT` in `value`).
const GOOD_ENOUGH: f32 = 0.62;

/// The assumed deviation of one sample from the mean, in chances to win. The next sample goes to the candidate with the
/// highest upper bound, as in "UCB1" (P. Auer, N. Cesa-Bianchi and P. Fischer, "Finite-time analysis of the multiarmed
/// bandit problem", Machine Learning 47, 2002).
const DOUBT: f32 = 0.3;

/// How many of those deviations a mean is assumed to be too high. Of two equally good strokes, the bot thus plays the
/// better-known one.
const LUCK: f32 = 0.7;

/// In a game without pockets, a stroke worth this much has scored. It is above `WITHOUT_POCKETS` in `value`.
const SCORED: f32 = 0.55;

/// The search stops at this many scoring strokes, or at one per `SAMPLES_PER_SCORED` samples if that is more.
const SCORED_AT_LEAST: u32 = 12;
const SAMPLES_PER_SCORED: u32 = 64;

/// The cost of a shot with flat discs, in shots of pool. The path of a disc has no closed form, so its shot takes
/// longer and fewer are tried.
const SHOTS_PER_SHOT_OF_DISCS: u32 = 16;

/// The smallest number of strokes with flat discs to try.
const LEAST_SWEEP: u32 = 4;

/// The cost of a shot on a table without pockets, in shots of pool. Its balls roll for long.
const SHOTS_PER_SHOT_OF_CAROM: u32 = 8;

/// The value of a missed pot before it is tried with noise. It is a little above the value of a turn with nothing to
/// pot, as a miss may leave the opponent little.
const MISSED: f32 = 0.35;

/// The assumed extra factor on the chance of a bank or combination for a hand with noise.
const ROUNDABOUT: f32 = 0.5;

/// A hand with this much noise (in multiples of the Olympiad's) does not need an exact shot. Its trials use
/// `LONG_TICK`, in seconds, and are nearly three times as fast. Of 400 shots of all kinds, 396 then pot the same balls,
/// and the cue ball ends a centimetre away on average.
const ERRS: f64 = 0.25;
const LONG_TICK: f32 = 1.0 / 30.0;

/// How many fewer banks and combinations than pots to try.
const FEWER_ROUNDABOUT: usize = 3;

/// One in this many strokes at a ball goes off a cushion first.
const KICK_EVERY: u32 = 4;

/// Strokes in games without pockets, some of which go around the table.
const SWEEP: StrokeRange = StrokeRange { speeds: [1.0, 6.0], spin: 0.42 };

/// Soft breaks, as in snooker.
const SOFT_BREAK: StrokeRange = StrokeRange { speeds: [1.5, 4.0], spin: 0.3 };

/// Safeties, down to the ones that barely reach a ball.
const SAFETY: StrokeRange = StrokeRange { speeds: [0.5, 4.5], spin: 0.3 };

/// The assumed value of a position, one shot ahead, in which nothing can be tried.
const NOTHING_SEEN: f32 = 0.3;

/// A candidate still to try.
#[derive(Clone, Debug)]
enum Todo {
    /// An aim with its variant.
    Aim(Aim, Variant),
    /// A complete stroke.
    Ready(Candidate),
}

/// A candidate that was tried.
#[derive(Clone, Debug)]
struct Tried {
    candidate: Candidate,
    /// The estimated chance that it succeeds.
    chance: f32,
    /// Its value as known so far.
    value: f32,
    /// The sum and the number of samples with noise.
    sampled: (f32, u32),
}

/// A position under consideration.
#[derive(Clone, Debug)]
struct Search {
    trial: Trial,
    /// The player who is thinking.
    side: Side,
    /// The standard deviation of the cue's direction for judging pots, radians.
    error: f32,
    level: Level,
    first_hits: u64,
}

/// The next step of the search.
#[derive(Clone, Debug, PartialEq)]
enum Next {
    Idle,
    Begin,
    Try,
    Sample { left: u32 },
    Deepen(usize),
}

/// A bot that plans with the solver of the game.
#[derive(Debug)]
pub struct Thinker {
    name: String,
    level: Level,
    search: Option<Search>,
    next: Next,
    todo: VecDeque<Todo>,
    tried: Vec<Tried>,
    widened: bool,
    /// The number of scoring strokes found in a game without pockets.
    scored: usize,
    random: Random,
    /// The shot to play after placing the ball in hand.
    planned: Option<(Layout, Action)>,
    shots: u64,
}

impl Thinker {
    /// A bot with this level.
    #[must_use]
    pub fn new(name: impl Into<String>, level: Level) -> Self {
        Self {
            name: name.into(),
            level,
            search: None,
            next: Next::Idle,
            todo: VecDeque::new(),
            tried: Vec::new(),
            widened: false,
            scored: 0,
            random: Random::new(0),
            planned: None,
            shots: 0,
        }
    }

    /// Does one piece of work, and returns the action once it is decided.
    fn step(&mut self) -> Option<Action> {
        match self.next {
            Next::Idle => None,
            Next::Begin => self.begin(),
            Next::Try => {
                self.try_next();
                None
            }
            Next::Sample { left } => {
                self.sample(left);
                None
            }
            Next::Deepen(at) => self.deepen(at),
        }
    }

    /// Makes a choice, or collects the first candidates.
    fn begin(&mut self) -> Option<Action> {
        let search = self.search.as_ref()?;
        match &search.trial.state.rules.turn().task {
            Task::Over(_) => {
                self.next = Next::Idle;
                None
            }
            Task::Choose(choices) => {
                let choice = search.choose(choices);
                Some(self.decide(choice.map_or(Action::Pass, Action::Choose)))
            }
            Task::Shoot(_) => {
                self.todo = search.first_candidates(&mut self.random);
                self.next = Next::Try;
                None
            }
        }
    }

    /// Tries the next candidate without noise.
    fn try_next(&mut self) {
        let Some(search) = &mut self.search else { return };
        if let Some(todo) = self.todo.pop_front() {
            let tried = search.try_out(&todo);
            if search.has_enough(tried.as_ref(), &mut self.scored) {
                self.todo.clear();
            }
            self.tried.extend(tried);
        } else {
            // A stable sort: among equals, the candidate tried first.
            self.tried.sort_by(|a, b| b.rank().total_cmp(&a.rank()));
            // A hand without noise needs no samples.
            let samples = self.level.samples / search.costs();
            self.next = Next::Sample { left: if self.level.noise > 0.0 { samples } else { 0 } };
        }
    }

    /// Tries the most promising candidate with noise, if there are samples left.
    fn sample(&mut self, left: u32) {
        // The candidate with the highest upper bound. Among equals, the one tried first.
        let promise = |tried: &Tried| tried.mean() + DOUBT / (1.0 + tried.sampled.1 as f32).sqrt();
        let best = self.tried.iter_mut().reduce(|a, b| if promise(b) > promise(a) { b } else { a });
        let (Some(left), Some(tried), Some(search)) = (left.checked_sub(1), best, &mut self.search) else {
            self.end_sampling();
            return;
        };
        let value = search.sample(&tried.candidate, &mut self.random);
        tried.sampled.0 += value.unwrap_or(0.0);
        tried.sampled.1 += 1;
        self.next = Next::Sample { left };
    }

    /// Follows the next of the best candidates one shot further, or plays the best one.
    fn deepen(&mut self, at: usize) -> Option<Action> {
        if at >= self.level.deep.min(self.tried.len()) {
            return Some(self.play_best());
        }
        let tried = &mut self.tried[at];
        if let Some(value) = self.search.as_mut()?.look_further(&tried.candidate, &mut self.random) {
            tried.value = value;
        }
        self.next = Next::Deepen(at + 1);
        None
    }

    /// After the samples with noise: decides whether the best candidate is good enough or the search widens.
    fn end_sampling(&mut self) {
        self.sort();
        let best = self.tried.first().map_or(0.0, Tried::worth);
        let without_pockets = self.search.as_ref().is_some_and(|search| search.trial.sight.pockets.is_empty());
        let enough = if without_pockets { SCORED } else { GOOD_ENOUGH };
        if !self.widened && best < enough {
            self.widened = true;
            if let Some(search) = &self.search {
                self.todo = search.more_candidates(&mut self.random);
            }
            self.next = Next::Try;
        } else {
            self.next = Next::Deepen(0);
        }
    }

    /// Sorts the candidates, best first. Candidates sampled with noise come first, as one lucky trial says little.
    fn sort(&mut self) {
        let key = |tried: &Tried| (tried.sampled.1 > 0, tried.assured());
        self.tried.sort_by(|a, b| {
            let ((a, assured_a), (b, assured_b)) = (key(a), key(b));
            b.cmp(&a).then(assured_b.total_cmp(&assured_a))
        });
    }

    fn play_best(&mut self) -> Action {
        self.sort();
        let (Some(search), Some(best)) = (&self.search, self.tried.first()) else { return self.decide(Action::Pass) };
        let Candidate { from, call, strike, .. } = best.candidate;
        let state = &search.trial.state;
        let strike = state.disturbed(from, &strike, self.level.noise, &mut self.random);
        let shoot = Action::Shoot { call, strike };
        let placed = state.played_from(from);
        if state.layout == placed {
            return self.decide(shoot);
        }
        self.planned = Some((placed, shoot));
        self.decide(Action::Place(from))
    }

    fn decide(&mut self, action: Action) -> Action {
        self.next = Next::Idle;
        self.todo.clear();
        action
    }
}

impl Bot for Thinker {
    fn name(&self) -> &str {
        &self.name
    }

    fn consider(&mut self, state: GameState) {
        self.tried.clear();
        self.todo.clear();
        (self.widened, self.scored) = (false, 0);
        self.next = Next::Begin;
        if self.planned.as_ref().is_some_and(|(layout, _)| *layout != state.layout) {
            self.planned = None;
        }
        self.random = Random::new(state.seed);
        let last = self.search.take();
        self.shots += last.as_ref().map_or(0, Search::work);
        let known = last.filter(|search| search.trial.state.table == state.table);
        let trial = if let Some(search) = known {
            search.trial.with_state(state)
        } else {
            // Flat discs do not curve, so longer ticks change nothing for them.
            let errs = self.level.noise >= ERRS || state.table.plays_stones();
            let mut trial = Trial::of(state);
            if errs {
                trial.simulator = trial.simulator.with_time_step(LONG_TICK);
            }
            trial
        };
        self.search = Some(Search::new(trial, self.level));
    }

    fn think(&mut self, shots: u32) -> Option<Action> {
        if self.next == Next::Begin
            && let Some((_, action)) = self.planned.take()
        {
            self.next = Next::Idle;
            return Some(action);
        }
        let until = self.search.as_ref().map_or(0, Search::work) + u64::from(shots.max(1));
        while self.next != Next::Idle && self.search.as_ref().is_some_and(|search| search.work() < until) {
            let action = self.step();
            if action.is_some() {
                return action;
            }
        }
        None
    }

    fn shots(&self) -> u64 {
        self.shots + self.search.as_ref().map_or(0, Search::work)
    }

    fn ideas(&self) -> Vec<Idea> {
        let idea = |tried: &Tried| {
            let Candidate { kind, from, call, strike } = tried.candidate;
            Idea { kind, from, call, strike, chance: tried.chance, value: tried.worth() }
        };
        self.tried.iter().map(idea).collect()
    }
}

impl Tried {
    /// Its expected value before samples with noise.
    fn rank(&self) -> f32 {
        self.chance * self.value + (1.0 - self.chance) * MISSED.min(self.value)
    }

    fn worth(&self) -> f32 {
        match self.sampled {
            (_, 0) => self.rank(),
            (sum, count) => sum / count as f32,
        }
    }

    /// Its mean value, in which the trial without noise counts like one sample.
    fn mean(&self) -> f32 {
        let (sum, count) = self.sampled;
        (self.rank() + sum) / (1.0 + count as f32)
    }

    /// A lower bound on its value, in case the samples were lucky.
    fn assured(&self) -> f32 {
        match self.sampled {
            (_, 0) => self.rank(),
            (_, count) => self.mean() - LUCK * DOUBT / (1.0 + count as f32).sqrt(),
        }
    }
}

impl Search {
    fn new(mut trial: Trial, level: Level) -> Self {
        trial.simulator.forget_count();
        let error = Noise::sight_error(level.noise);
        let rules = &trial.state.rules;
        let side = Side { player: rules.turn().player, score: rules.score() };
        Self { trial, side, error, level, first_hits: 0 }
    }

    /// The simulated work so far, in shots. A first hit counts as a tenth of one.
    fn work(&self) -> u64 {
        self.trial.simulator.shots() + self.first_hits / 10
    }

    fn situation(&self) -> Option<Situation<'_>> {
        self.trial.situation(self.error)
    }

    fn eye(&self) -> Eye<'_> {
        Eye { sight: &self.trial.sight, table: &self.trial.state.table, error: self.error }
    }

    /// The cost of a shot, in shots of pool. On a table without pockets, balls roll for long. The path of a flat disc
    /// has no closed form.
    fn costs(&self) -> u32 {
        if self.is_flat() {
            SHOTS_PER_SHOT_OF_DISCS
        } else if self.has_no_pockets() {
            SHOTS_PER_SHOT_OF_CAROM
        } else {
            1
        }
    }

    /// Whether the game uses flat discs, which slide.
    fn is_flat(&self) -> bool {
        self.trial.state.table.plays_stones()
    }

    fn has_no_pockets(&self) -> bool {
        self.trial.sight.pockets.is_empty()
    }

    /// Whether the rules evaluate ball positions directly.
    fn has_outlook(&self) -> bool {
        self.trial.state.rules.outlook(&self.trial.state.layout).is_some()
    }

    /// The first candidates: pots, or a break.
    fn first_candidates(&self, random: &mut Random) -> VecDeque<Todo> {
        let (mut todo, level) = (VecDeque::new(), &self.level);
        let Some(situation) = self.situation() else { return todo };
        let ready = |candidate: Option<Candidate>| candidate.map(Todo::Ready);
        if self.has_no_pockets() {
            let count =
                if self.is_flat() { (level.sweep / SHOTS_PER_SHOT_OF_DISCS).max(LEAST_SWEEP) } else { level.sweep };
            if self.is_flat() && self.has_outlook() {
                let cue = self.trial.cue();
                todo.extend((0..count).filter_map(|_| ready(situation.delivery(&cue, random))));
                return todo;
            }
            for i in 0..count {
                let kind = if i % KICK_EVERY == KICK_EVERY - 1 { Kind::Kick } else { Kind::Sweep };
                let contact = situation.contact(kind, SWEEP, random);
                todo.extend(ready(contact.or_else(|| situation.anywhere(random))));
            }
            return todo;
        }
        if situation.stroke.is_break {
            for _ in 0..level.breaks {
                todo.extend(ready(situation.break_shot(random)));
            }
            // Soft breaks, as in snooker, where potting from the break would only help the opponent.
            for _ in 0..level.breaks / 2 {
                todo.extend(ready(situation.contact(Kind::Break, SOFT_BREAK, random)));
            }
            return todo;
        }
        for aim in situation.aims(level.aims) {
            todo.extend(situation.variants(&aim, level).map(|variant| Todo::Aim(aim, variant)));
        }
        todo
    }

    /// More candidates, for when the first ones are not good enough.
    fn more_candidates(&self, random: &mut Random) -> VecDeque<Todo> {
        let (mut todo, level) = (VecDeque::new(), &self.level);
        let Some(situation) = self.situation() else { return todo };
        let ready = |candidate: Option<Candidate>| candidate.map(Todo::Ready);
        // With sliding discs, the first candidates covered all kinds of strokes.
        if self.is_flat() && self.has_outlook() {
            return todo;
        }
        let roundabout = level.aims.saturating_sub(FEWER_ROUNDABOUT);
        let mut aims = situation.combinations(roundabout);
        aims.extend(situation.banks(roundabout, random));
        for aim in aims {
            todo.extend(situation.variants(&aim, level).map(|variant| Todo::Aim(aim, variant)));
        }
        if situation.stroke.may_push_out {
            let push_out = |candidate: Candidate| {
                let call = Call { push_out: true, ..Call::default() };
                Candidate { kind: Kind::Safety, call, ..candidate }
            };
            todo.extend((0..level.safeties / 4).filter_map(|_| ready(situation.anywhere(random).map(push_out))));
        }
        for i in 0..level.safeties {
            let kind = if i % KICK_EVERY == KICK_EVERY - 1 { Kind::Kick } else { Kind::Safety };
            let contact = situation.contact(kind, SAFETY, random);
            todo.extend(contact.or_else(|| situation.anywhere(random)).map(Todo::Ready));
        }
        todo
    }

    /// Tries a candidate once, without noise.
    fn try_out(&mut self, todo: &Todo) -> Option<Tried> {
        let state = &self.trial.state;
        let (candidate, chance) = match todo {
            Todo::Ready(candidate) => {
                (Candidate { strike: state.raised(candidate.from, candidate.strike), ..*candidate }, 1.0)
            }
            Todo::Aim(aim, variant) => {
                let (cue, before) = (state.cue, state.played_from(aim.from));
                self.first_hits += 2;
                let strike = aimed(&mut self.trial.simulator, &before, &cue, aim, *variant)?;
                let call = self.situation()?.call(Some(aim.ball), aim.pot);
                let chance = match (aim.kind, self.level.noise > 0.0) {
                    (_, false) => 1.0,
                    (Kind::Pot, true) => aim.chance,
                    (_, true) => ROUNDABOUT * aim.chance.clamp(0.2, 1.0),
                };
                (Candidate { kind: aim.kind, from: aim.from, call, strike }, chance)
            }
        };
        let value = self.value_of(&candidate)?;
        Some(Tried { candidate, chance, value, sampled: (0.0, 0) })
    }

    /// Whether enough strokes have scored, in a game without pockets, to stop the search.
    fn has_enough(&self, tried: Option<&Tried>, scored: &mut usize) -> bool {
        if !self.has_no_pockets() || self.has_outlook() {
            return false;
        }
        *scored += usize::from(tried.is_some_and(|tried| tried.value > SCORED));
        *scored >= SCORED_AT_LEAST.max(self.level.samples / SAMPLES_PER_SCORED) as usize
    }

    /// The value of one trial with the noise of the hand.
    fn sample(&mut self, candidate: &Candidate, random: &mut Random) -> Option<f32> {
        let strike = self.trial.state.disturbed(candidate.from, &candidate.strike, self.level.noise, random);
        self.value_of(&Candidate { strike, ..*candidate })
    }

    /// The value of the position after a stroke, or `None` if the stroke cannot be played.
    fn value_of(&mut self, candidate: &Candidate) -> Option<f32> {
        let After { rules, layout, .. } = self.follow(candidate)?;
        Some(self.eye().value(&*rules, &layout, self.side))
    }

    /// Plays a stroke on the copy.
    fn follow(&mut self, candidate: &Candidate) -> Option<After> {
        self.trial.play(candidate.from, &candidate.strike, candidate.call)
    }

    /// The value of the best follow-up stroke, or `None` if it is not the same player's turn.
    fn look_further(&mut self, candidate: &Candidate, random: &mut Random) -> Option<f32> {
        let After { rules, layout, .. } = self.follow(candidate)?;
        if rules.turn().player != self.side.player || rules.turn().stroke().is_none() {
            return None;
        }
        let next = GameState { rules, layout, ..self.trial.state.clone() };
        let here = std::mem::replace(&mut self.trial.state, next);
        let level = self.level;
        self.level = level.glance();
        let value = self.glance(random);
        (self.trial.state, self.level) = (here, level);
        Some(value)
    }

    /// The best value among a few candidates.
    fn glance(&mut self, random: &mut Random) -> f32 {
        let todo = self.first_candidates(random);
        let values = todo.iter().filter_map(|todo| Some(self.try_out(todo)?.value));
        values.reduce(f32::max).unwrap_or(NOTHING_SEEN)
    }

    /// The choice that leads to the best position.
    fn choose(&self, choices: &[Choice]) -> Option<Choice> {
        let GameState { rules, layout, .. } = &self.trial.state;
        let value = |choice: Choice| {
            let (rules, layout) = after_choice(&**rules, layout, choice)?;
            Some(self.eye().value(&*rules, &layout, self.side))
        };
        let mut best: Option<(f32, Choice)> = None;
        for &choice in choices {
            let Some(value) = value(choice) else { continue };
            if best.is_none_or(|(most, _)| value > most) {
                best = Some((value, choice));
            }
        }
        best.map(|(_, choice)| choice)
    }
}
