//! How a match goes on: from one [`Phase`] to the next.

use bevy::{
    prelude::*,
    tasks::{AsyncComputeTaskPool, futures::check_ready},
};

use super::{
    BotPace, CurrentMatch, MatchEvent, MatchSettings, Phase, Seat, keep, lie, look_back,
    phase::{Acting, Thinking},
    seat::ask,
    shot::Rolling,
    table, tell,
};
use crate::{
    collision::Space,
    games::{
        matches::Match,
        rules::{Action, Refusal, Report, Task},
    },
    timeline::Playback,
};

/// Lets time pass: once a frame.
pub(super) fn go_on(world: &mut World) {
    let Some(mut live) = world.remove_resource::<CurrentMatch>() else { return };
    let seconds = world.get_resource::<Time>().map_or(0.0, Time::delta_secs);
    let paused = world.resource::<Playback>().paused;
    // A match is fair whoever sets what.
    table::restore_physics(world, &live.game);
    look_back::go_on(world, &mut live);
    if !live.is_held() {
        step(world, &mut live, if paused { 0.0 } else { seconds });
    }
    world.insert_resource(live);
}

fn step(world: &mut World, live: &mut CurrentMatch, seconds: f32) {
    if matches!(live.phase, Phase::Person | Phase::Thinking(_))
        && let Some(left) = &mut live.clock
    {
        *left -= seconds;
        if *left <= 0.0 {
            live.clock = None;
            live.take_back_asked = false;
            if act(world, live, Action::Pass).is_ok() {
                return;
            }
        }
    }
    match &mut live.phase {
        Phase::Person | Phase::Over => {}
        Phase::Thinking(Thinking(thought)) => {
            if let Some(action) = check_ready(thought) {
                live.phase = Phase::Acting(Acting { action, seconds: 0.0 });
                if world.resource::<MatchSettings>().pace == BotPace::AtOnce {
                    hurry(world, live);
                }
            }
        }
        Phase::Acting(acting) => {
            acting.seconds += seconds;
            if acting.seconds >= acting.lasts() {
                hurry(world, live);
            }
        }
        Phase::Rolling(rolling) => {
            if rolling.is_over() {
                come_to_rest(world, live);
            }
        }
        Phase::Review(left) => {
            *left -= seconds;
            if *left <= 0.0 {
                hurry(world, live);
            }
        }
    }
}

/// Ends what is only waited for: a look at the table, a bot that takes its time, balls that roll.
pub(super) fn hurry(world: &mut World, live: &mut CurrentMatch) {
    match live.phase {
        Phase::Person | Phase::Over | Phase::Thinking(_) => {}
        Phase::Acting(Acting { action, .. }) => {
            // What a bot answers that makes no sense counts as a shot that hits nothing.
            if let Err(why) = act(world, live, action) {
                tracing::warn!("a bot wanted {action:?}: {why}");
                if act(world, live, Action::Pass).is_err() {
                    live.phase = Phase::Over;
                }
            }
        }
        Phase::Rolling(_) => come_to_rest(world, live),
        Phase::Review(_) => {
            let layout = live.game.layout().clone();
            lie(world, live, &layout);
            next_turn(world, live);
        }
    }
}

/// Asks whoever is next.
pub(super) fn next_turn(world: &mut World, live: &mut CurrentMatch) {
    live.clock = live.game.spec().shot_clock;
    ask_next(world, live);
}

/// The same without another time for the shot.
fn ask_next(world: &mut World, live: &mut CurrentMatch) {
    live.take_back_asked = false;
    let Some((player, task)) = live.game.turn() else {
        live.phase = Phase::Over;
        live.clock = None;
        if let Some(winner) = live.game.winner() {
            tell(world, MatchEvent::Over { winner });
        }
        return;
    };
    if let Task::Choose(choices) = task {
        tell(world, MatchEvent::ChoiceAsked(player, choices.clone()));
    }
    match &live.seats[player.index()] {
        Seat::Person => {
            live.phase = Phase::Person;
            lay_down_ball_in_hand(world, live);
        }
        Seat::Bot(mind, _) => {
            let thought = ask(mind.clone(), live.game.clone());
            live.phase = Phase::Thinking(Thinking(AsyncComputeTaskPool::get().spawn(thought)));
        }
    }
    let layout = live.game.layout().clone();
    lie(world, live, &layout);
}

/// A ball in hand lies at a usual place until the person puts it elsewhere, so that it is seen, and can be taken hold
/// of.
fn lay_down_ball_in_hand(world: &mut World, live: &mut CurrentMatch) {
    let Some((_, Task::Shoot(stroke))) = live.game.turn() else { return };
    let (ball, Some(region)) = (stroke.cue_ball, stroke.in_hand) else { return };
    let (table, layout) = (live.game.table().clone(), live.game.layout());
    if !layout.is_on_table(ball)
        && let Some(place) = region.any_place(&table, layout, ball)
        && live.game.apply(Action::Place(place)).is_ok()
    {
        let game = live.game.clone();
        keep::write(world, live, &game);
    }
}

/// Does something for the player whose turn it is.
///
/// # Errors
/// Why it cannot be done now; nothing has changed then.
pub(super) fn act(world: &mut World, live: &mut CurrentMatch, action: Action) -> Result<(), Refusal> {
    if action == Action::TakeBack {
        return ask_to_take_back(world, live);
    }
    let mut next = live.game.clone();
    let report = next.apply(action)?;
    keep::write(world, live, &next);
    live.take_back_asked = false;
    if let Action::Shoot { strike, .. } = action {
        let player = report.player;
        let rolling = Rolling::begin(world, live, (action, &strike), (next, report));
        live.phase = Phase::Rolling(Box::new(rolling));
        live.clock = None;
        tell(world, MatchEvent::Struck(player));
        return Ok(());
    }
    finish(world, live, action, (next, report));
    Ok(())
}

/// The shot is over: the verdict holds.
fn come_to_rest(world: &mut World, live: &mut CurrentMatch) {
    let Phase::Rolling(rolling) = std::mem::replace(&mut live.phase, Phase::Person) else { return };
    if rolling.is_over() && !rolling.is_as_foreseen(world, live) {
        live.departures += 1;
        tracing::warn!("a shot has ended otherwise than in the match, which holds: something else has moved a ball");
    }
    let Rolling { action, next, report, .. } = *rolling;
    finish(world, live, action, (next, report));
}

/// An action is done: the balls are put where they go by it.
fn finish(world: &mut World, live: &mut CurrentMatch, action: Action, (next, report): (Match, Report)) {
    live.game = next;
    let settings = *world.resource::<MatchSettings>();
    let pause = match action {
        _ if report.rack.is_some() => settings.between_racks,
        Action::Shoot { .. } | Action::Pass => settings.pause,
        _ => 0.0,
    };
    let is_over = live.game.turn().is_none();
    lie(world, live, &report.left);
    let ends_rack = report.rack.is_some();
    // Where a ball is placed what came of the shot before still counts.
    if !matches!(action, Action::Place(_)) {
        live.last = Some((action, report.clone()));
    }
    tell(world, MatchEvent::Done(action, Box::new(report)));
    // A person need not wait for the table to be looked at.
    let next_is_person = live.game.turn().is_some_and(|(player, _)| live.seat(player).is_person());
    // Where it is over the table stays as the last shot has left it.
    if is_over || matches!(action, Action::Place(_)) {
        ask_next(world, live);
    } else if pause <= 0.0 || (next_is_person && !ends_rack) {
        next_turn(world, live);
    } else {
        live.clock = None;
        live.phase = Phase::Review(pause);
    }
}

/// A person wants the last shot back: between two people the other is asked.
pub(super) fn ask_to_take_back(world: &mut World, live: &mut CurrentMatch) -> Result<(), Refusal> {
    // A bot that stands at the table has not shot yet.
    if matches!(live.phase, Phase::Rolling(_)) {
        return Err(Refusal::BallsRoll);
    }
    // Whether it can be done at all.
    live.game.clone().apply(Action::TakeBack)?;
    if live.is_between_people() {
        live.take_back_asked = true;
        tell(world, MatchEvent::TakeBackAsked);
        Ok(())
    } else {
        take_back(world, live)
    }
}

/// The other's answer.
pub(super) fn answer(world: &mut World, live: &mut CurrentMatch, agreed: bool) -> Result<(), Refusal> {
    if !std::mem::take(&mut live.take_back_asked) {
        return Err(Refusal::NothingAsked);
    }
    if agreed { take_back(world, live) } else { Err(Refusal::ShotStands) }
}

/// Takes back up to the last time that a person had the turn.
fn take_back(world: &mut World, live: &mut CurrentMatch) -> Result<(), Refusal> {
    let has_person = live.seats.iter().any(Seat::is_person);
    loop {
        let report = live.game.apply(Action::TakeBack)?;
        let is_persons = live.game.turn().is_some_and(|(player, _)| live.seat(player).is_person());
        let is_first = live.game.clone().apply(Action::TakeBack).is_err();
        if is_persons || is_first || !has_person {
            live.last = Some((Action::TakeBack, report.clone()));
            tell(world, MatchEvent::Done(Action::TakeBack, Box::new(report)));
            break;
        }
    }
    let game = live.game.clone();
    keep::write(world, live, &game);
    next_turn(world, live);
    Ok(())
}

/// Records what happens in a tick, until the shot is over.
pub(super) fn watch(space: Res<Space>, live: Option<ResMut<CurrentMatch>>) {
    let Some(mut live) = live else { return };
    let CurrentMatch { phase: Phase::Rolling(rolling), things, .. } = live.bypass_change_detection() else { return };
    if !rolling.is_over() {
        rolling.record(&space, things);
    }
}
