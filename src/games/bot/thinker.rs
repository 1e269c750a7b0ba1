//! How a bot thinks. It simulates candidates with the solver of the game, then simulates the best ones again with the
//! noise of its hand. If none of them is good, it tries safer strokes. Strong levels look one shot further. Then the
//! bot plays the best stroke.

use std::collections::VecDeque;

use super::{
    Bot, GameState, Idea,
    candidates::Candidate,
    level::Level,
    search::{Search, Todo, Tried},
};
use crate::{
    games::rules::{Action, Layout, Task},
    random::Random,
};

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
        // Among equals, the one tried first.
        let best = self.tried.iter_mut().reduce(|a, b| if b.promise() > a.promise() { b } else { a });
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
        if let Some(search) = &self.search
            && !self.widened
            && best < search.enough()
        {
            self.widened = true;
            self.todo = search.more_candidates(&mut self.random);
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
        self.search = Some(Search::new(state, self.level, last));
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
