//! The display of the coach. It shows the best shots of the person to act, faintly on the table with their chances, the
//! fault of a miss, and the shots that a bot considers. All of it is computed on Bevy's tasks, in slices, and dropped
//! when the position changes.
//!
//! | file | contents |
//! |---|---|
//! | this one | the questions to the coach, and when they are asked |
//! | `draw` | the lines on the table and the chances beside them |
//! | `sentences` | the text below the scoreboard |

use bevy::{
    prelude::*,
    tasks::{AsyncComputeTaskPool, Task as Thought, futures::check_ready},
};
use tr::tr;

use super::{Hud, persons_stroke};
use crate::{
    billiards::cue::CueStrike,
    games::{
        Action, BallId, Call, Match, PocketId, Simulator,
        bot::{GameState, Idea},
        coach::{Coach, Miss, Sketch, Tip, as_it_lies, missed, sketch},
        plugin::{CoachSettings, CurrentMatch, MatchEvent, Phase},
    },
    input::actions::{Control, Inputs},
    notice::Notices,
    timeline::slices::{SHOTS, next_slice},
};

mod draw;
mod sentences;

pub(super) use draw::{draw, write};
pub(super) use sentences::show;

/// The most ideas of a bot to draw.
const IDEAS: usize = 8;

/// The state of the coach.
#[derive(Resource, Debug, Default)]
pub(super) struct CoachState {
    /// The question that the tips answer or will answer.
    question: Option<Question>,
    looking: Option<Thought<Vec<Tip>>>,
    tips: Vec<Tip>,
    /// The position before a person's rolling shot, with the tips given there.
    before: Option<(GameState, Vec<Tip>)>,
    reviewing: Option<Thought<Option<Review>>>,
    review: Option<Review>,
    /// The ideas of the bot that are drawn, or will be.
    ideas: Vec<Idea>,
    sketching: Option<Thought<Vec<Sketch>>>,
    sketches: Vec<Sketch>,
}

/// A position that tips are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Question {
    state: u64,
    actions: usize,
    /// Whether the ball in hand is being placed, so that the answer includes a place for it.
    is_placing: bool,
}

/// The review of a shot.
#[derive(Clone, Debug, PartialEq)]
struct Review {
    miss: Miss,
    /// A stroke that would have made the same pot, if one is known.
    better: Option<Tip>,
}

impl CoachState {
    /// The best strokes for the person to act, best first.
    #[cfg(test)]
    pub(super) fn tips(&self) -> &[Tip] {
        &self.tips
    }

    /// The lines of the shots that the bot considers, best first.
    #[cfg(test)]
    pub(super) fn sketches(&self) -> &[Sketch] {
        &self.sketches
    }

    /// Whether there is a review of the last shot.
    #[cfg(test)]
    pub(super) fn has_review(&self) -> bool {
        self.review.is_some()
    }

    fn forget_tips(&mut self) {
        (self.question, self.looking) = (None, None);
        self.tips.clear();
    }

    fn forget_shot(&mut self) {
        (self.before, self.reviewing, self.review) = (None, None, None);
    }

    fn forget_ideas(&mut self) {
        self.sketching = None;
        self.ideas.clear();
        self.sketches.clear();
    }
}

/// Turns the coach on and off with keys.
pub(super) fn switch(
    inputs: Inputs,
    live: Option<Res<CurrentMatch>>,
    (mut settings, coach): (ResMut<CoachSettings>, Res<Coach>),
    mut notices: Option<ResMut<Notices>>,
) {
    if live.is_none() {
        return;
    }
    let mut notify = |words: String| {
        if let Some(notices) = &mut notices {
            notices.info(words);
        }
    };
    if inputs.started(Control::Coach) {
        settings.on = !settings.on;
        notify(if settings.on { sentences::on_words(&coach) } else { tr!("The coach is off") });
    }
    if inputs.started(Control::BotIdeas) {
        settings.ideas = !settings.ideas;
        notify(if settings.ideas { tr!("Bots' ideas are shown") } else { tr!("Bots' ideas are hidden") });
    }
}

/// The position of a match for the coach. The same position gets the same advice, regardless of earlier shots that were
/// taken back.
fn seen(game: &Match) -> GameState {
    GameState { seed: game.hash(), ..game.game_state() }
}

/// Records the shots of people.
pub(super) fn hear(
    mut events: MessageReader<MatchEvent>,
    mut state: ResMut<CoachState>,
    (live, settings, coach): (Option<Res<CurrentMatch>>, Res<CoachSettings>, Res<Coach>),
) {
    for event in events.read() {
        match event {
            MatchEvent::Struck(player) => {
                state.forget_shot();
                let live = live.as_ref().filter(|live| {
                    settings.on && live.seat(*player).is_person() && matches!(live.phase(), Phase::Rolling(_))
                });
                // While it rolls, the match is still in the state before the shot.
                state.before = live.map(|live| (as_it_lies(seen(live.game())), std::mem::take(&mut state.tips)));
                state.forget_tips();
            }
            MatchEvent::Done(Action::Shoot { call, strike }, _) => {
                if let Some((game_state, tips)) = state.before.take() {
                    let thought = review(*coach, game_state, tips, (*call, *strike));
                    state.reviewing = Some(AsyncComputeTaskPool::get().spawn(thought));
                }
            }
            MatchEvent::Begun | MatchEvent::Left | MatchEvent::Done(Action::TakeBack, _) => state.forget_shot(),
            _ => {}
        }
    }
}

async fn review(
    coach: Coach,
    game_state: GameState,
    tips: Vec<Tip>,
    (call, strike): (Call, CueStrike),
) -> Option<Review> {
    let miss = missed(&game_state, call, &strike)?;
    let Some(pot) = miss.pot else { return Some(Review { miss, better: tips.into_iter().next() }) };
    let known = tips.into_iter().find(|tip| tip.pot == Some(pot));
    let better = match known {
        Some(tip) => Some(tip),
        None => look(coach, game_state, Some(pot)).await.into_iter().next(),
    };
    Some(Review { miss, better })
}

/// Evaluates a position in slices.
async fn look(coach: Coach, game_state: GameState, only: Option<(BallId, PocketId)>) -> Vec<Tip> {
    let mut look = coach.look(game_state, only);
    loop {
        if let Some(tips) = look.go_on(SHOTS) {
            return tips;
        }
        next_slice().await;
    }
}

/// Searches for the best shots while a person is to act, and collects the results.
pub(super) fn advise(
    mut state: ResMut<CoachState>,
    live: Option<Res<CurrentMatch>>,
    (hud, settings, coach): (Res<Hud>, Res<CoachSettings>, Res<Coach>),
) {
    let state = state.bypass_change_detection();
    if !settings.on {
        state.forget_shot();
    }
    if let Some(found) = state.reviewing.as_mut().and_then(check_ready) {
        (state.reviewing, state.review) = (None, found);
    }
    let Some(live) = live.filter(|live| settings.on && persons_stroke(live).is_some()) else {
        if state.question.is_some() {
            state.forget_tips();
        }
        return;
    };
    let game = live.game();
    let question = Question { state: game.hash(), actions: game.log().len(), is_placing: hud.placing };
    if state.question != Some(question) || coach.is_changed() {
        state.forget_tips();
        let game_state = seen(game);
        let game_state = if hud.placing { game_state } else { as_it_lies(game_state) };
        state.question = Some(question);
        state.looking = Some(AsyncComputeTaskPool::get().spawn(look(*coach, game_state, None)));
    } else if let Some(tips) = state.looking.as_mut().and_then(check_ready) {
        (state.looking, state.tips) = (None, tips);
    }
}

/// Sketches the shots that the bot at the table considers.
pub(super) fn consider(
    mut state: ResMut<CoachState>,
    (live, settings): (Option<Res<CurrentMatch>>, Res<CoachSettings>),
) {
    let state = state.bypass_change_detection();
    let live = live.filter(|live| settings.ideas && matches!(live.phase(), Phase::Thinking | Phase::Acting(_)));
    let Some((live, player)) = live.and_then(|live| live.game().turn().map(|turn| turn.0).map(|player| (live, player)))
    else {
        if !(state.ideas.is_empty() && state.sketching.is_none()) {
            state.forget_ideas();
        }
        return;
    };
    if let Some(thought) = &mut state.sketching {
        if let Some(sketches) = check_ready(thought) {
            (state.sketching, state.sketches) = (None, sketches);
        }
        return;
    }
    let mut ideas = live.seat(player).ideas();
    // A stable sort: once the bot has decided, the first is its choice.
    ideas.sort_by(|a, b| b.value.total_cmp(&a.value));
    ideas.truncate(IDEAS);
    if ideas == state.ideas {
        return;
    }
    state.ideas.clone_from(&ideas);
    let game_state = live.game().game_state();
    state.sketching = Some(AsyncComputeTaskPool::get().spawn(async move {
        let mut simulator = Simulator::new(game_state.table.clone());
        let mut sketches = Vec::new();
        for idea in &ideas {
            sketches.extend(sketch(&mut simulator, &game_state, idea));
            next_slice().await;
        }
        sketches
    }));
}
