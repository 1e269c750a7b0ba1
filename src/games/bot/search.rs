//! A search for the best stroke in one state of a game: which candidates to try, and what each is worth.
//!
//! The constants without a source were set by hand. The ladder of levels (`docs/src/bots.md`) guards them: each
//! level has to beat the one below.

use std::collections::VecDeque;

use super::{
    GameState,
    candidates::{Aim, Candidate, Kind, StrokeRange, Variant, aimed},
    level::Level,
    noise::Noise,
    trial::{After, Trial},
    value::{Eye, Side, after_choice},
};
use crate::{
    games::{
        rules::{Call, Choice},
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
pub(super) enum Todo {
    /// An aim with its variant.
    Aim(Aim, Variant),
    /// A complete stroke.
    Ready(Candidate),
}

/// A candidate that was tried.
#[derive(Clone, Debug)]
pub(super) struct Tried {
    pub(super) candidate: Candidate,
    /// The estimated chance that it succeeds.
    pub(super) chance: f32,
    /// Its value as known so far.
    pub(super) value: f32,
    /// The sum and the number of samples with noise.
    pub(super) sampled: (f32, u32),
}

impl Tried {
    /// Its expected value before samples with noise.
    pub(super) fn rank(&self) -> f32 {
        self.chance * self.value + (1.0 - self.chance) * MISSED.min(self.value)
    }

    pub(super) fn worth(&self) -> f32 {
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
    pub(super) fn assured(&self) -> f32 {
        match self.sampled {
            (_, 0) => self.rank(),
            (_, count) => self.mean() - LUCK * DOUBT / (1.0 + count as f32).sqrt(),
        }
    }

    /// An upper bound on its value. The next sample goes to the candidate with the highest.
    pub(super) fn promise(&self) -> f32 {
        self.mean() + DOUBT / (1.0 + self.sampled.1 as f32).sqrt()
    }
}

/// A state of a game under consideration.
#[derive(Clone, Debug)]
pub(super) struct Search {
    pub(super) trial: Trial,
    /// The player who is thinking.
    side: Side,
    /// The standard deviation of the cue's direction for judging pots, radians.
    error: f32,
    level: Level,
    first_hits: u64,
}

impl Search {
    /// A search in this state. It reuses the simulator of the last one if the table is the same.
    pub(super) fn new(state: GameState, level: Level, last: Option<Self>) -> Self {
        let known = last.filter(|search| search.trial.state.table == state.table);
        let mut trial = if let Some(search) = known {
            search.trial.with_state(state)
        } else {
            // Flat discs do not curve, so longer ticks change nothing for them.
            let errs = level.noise >= ERRS || state.table.plays_stones();
            let mut trial = Trial::of(state);
            if errs {
                trial.simulator = trial.simulator.with_time_step(LONG_TICK);
            }
            trial
        };
        trial.simulator.forget_count();
        let error = Noise::sight_error(level.noise);
        let rules = &trial.state.rules;
        let side = Side { player: rules.turn().player, score: rules.score() };
        Self { trial, side, error, level, first_hits: 0 }
    }

    /// The simulated work so far, in shots. A first hit counts as a tenth of one.
    pub(super) fn work(&self) -> u64 {
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
    pub(super) fn costs(&self) -> u32 {
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
    pub(super) fn first_candidates(&self, random: &mut Random) -> VecDeque<Todo> {
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
    pub(super) fn more_candidates(&self, random: &mut Random) -> VecDeque<Todo> {
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
        todo.extend((0..level.safeties).filter_map(|_| ready(situation.jump(random))));
        todo
    }

    /// Tries a candidate once, without noise.
    pub(super) fn try_out(&mut self, todo: &Todo) -> Option<Tried> {
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

    /// The value of a stroke that makes safeties and the like unnecessary.
    pub(super) fn enough(&self) -> f32 {
        if self.has_no_pockets() { SCORED } else { GOOD_ENOUGH }
    }

    /// Whether enough strokes have scored, in a game without pockets, to stop the search.
    pub(super) fn has_enough(&self, tried: Option<&Tried>, scored: &mut usize) -> bool {
        if !self.has_no_pockets() || self.has_outlook() {
            return false;
        }
        *scored += usize::from(tried.is_some_and(|tried| tried.value > SCORED));
        *scored >= SCORED_AT_LEAST.max(self.level.samples / SAMPLES_PER_SCORED) as usize
    }

    /// The value of one trial with the noise of the hand.
    pub(super) fn sample(&mut self, candidate: &Candidate, random: &mut Random) -> Option<f32> {
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
    pub(super) fn look_further(&mut self, candidate: &Candidate, random: &mut Random) -> Option<f32> {
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
    pub(super) fn choose(&self, choices: &[Choice]) -> Option<Choice> {
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
