//! Connects the runner of a match with the world: feeds the runner and carries out its effects. The match stays in the
//! world throughout, so observers and systems always see it.

use std::sync::Arc;

use bevy::{
    prelude::*,
    tasks::{AsyncComputeTaskPool, futures::check_ready},
};

use super::{
    Beginning, CurrentMatch, Effect, MatchCommand, MatchEvent, MatchFolder, MatchRunner, MatchSettings, Phase, Seat,
    keep,
    look_back::Snapshot,
    seat::ask,
    table::{self, Things},
};
use crate::{
    collision::PhysicsSpace,
    components::{AngularVelocity, Velocity},
    games::rules::Refusal,
    notice::Notices,
    timeline::Playback,
};

/// Carries out the commands.
pub(super) fn obey(world: &mut World) {
    let commands: Vec<MatchCommand> = world.resource_mut::<Messages<MatchCommand>>().drain().collect();
    for command in commands {
        match command {
            MatchCommand::Begin(beginning) => begin(world, *beginning),
            _ if !world.contains_resource::<CurrentMatch>() => send(world, MatchEvent::Refused(Refusal::NoMatch)),
            MatchCommand::Leave => leave(world),
            _ => run(world, |runner| runner.obey(command)),
        }
    }
}

/// Advances the match, once per frame.
pub(super) fn go_on(world: &mut World) {
    let Some(live) = world.get_resource::<CurrentMatch>() else { return };
    // Keeps the match fair by undoing changes to the physics.
    let table = live.game().table().clone();
    table::restore_physics(world, &table);
    show_look_back(world);
    let real = world.get_resource::<Time<Real>>().map_or(0.0, Time::delta_secs);
    let paused = world.resource::<Playback>().paused;
    let seconds = world.get_resource::<Time>().filter(|_| !paused).map_or(0.0, Time::delta_secs);
    run(world, |runner| runner.advance(seconds, real));
    let decided = world.get_resource_mut::<CurrentMatch>().filter(|live| !live.is_held());
    if let Some(action) = decided.and_then(|mut live| check_ready(live.thought.as_mut()?)) {
        run(world, |runner| runner.decide(action));
    }
}

/// Records the events of a tick.
pub(super) fn watch(space: Res<PhysicsSpace>, live: Option<ResMut<CurrentMatch>>) {
    if let Some(mut live) = live {
        let CurrentMatch { runner, things, .. } = live.bypass_change_detection();
        runner.follow_tick(&space, &**things);
    }
}

/// Lays the balls again after the scene of the match restarted.
pub(super) fn lay_again(world: &mut World) {
    let Some(live) = world.get_resource::<CurrentMatch>() else { return };
    let game = live.game().clone();
    forget_look_back(world);
    let things = Arc::new(table::collect(world, &game));
    if let Some(mut live) = world.get_resource_mut::<CurrentMatch>() {
        live.things = things;
    }
    run(world, MatchRunner::lay_again);
}

/// Restarts the clock that a replay has stopped. The caller places the balls elsewhere.
pub(super) fn forget_look_back(world: &mut World) {
    if let Some(snapshot) = world.get_resource_mut::<CurrentMatch>().and_then(|mut live| live.snapshot.take()) {
        snapshot.let_clock_go_on(world);
    }
}

fn send(world: &mut World, event: MatchEvent) {
    world.write_message(event);
}

/// Starts a match, with its table as the scene.
fn begin(world: &mut World, Beginning { game, seats, file, keep, told }: Beginning) {
    // The running match ends with its scene. Both stay if this match cannot be laid out.
    let things = match table::lay(world, &game) {
        Ok(things) => Arc::new(things),
        Err(why) => return send(world, MatchEvent::Refused(why.into())),
    };
    if let (Some(told), Some(mut notices)) = (told, world.get_resource_mut::<Notices>()) {
        notices.error(told);
    }
    let file = file.or_else(|| keep::new_file(world.resource::<MatchFolder>(), &game.spec().game));
    let (runner, effects) = MatchRunner::begin(game, seats, *world.resource::<MatchSettings>());
    let file = file.filter(|_| keep);
    world.insert_resource(CurrentMatch { runner, thought: None, file, keep, things, snapshot: None });
    follow(world, effects);
}

/// Ends the match and leaves the table.
fn leave(world: &mut World) {
    let Some(mut live) = world.get_resource_mut::<CurrentMatch>() else { return };
    let (things, snapshot) = (live.things.clone(), live.snapshot.take());
    if let Some(snapshot) = snapshot {
        snapshot.put_back(world, &things);
    }
    table::release(world, &things);
    world.remove_resource::<CurrentMatch>();
    send(world, MatchEvent::Left);
}

/// Runs a step of the runner and carries out its effects.
fn run(world: &mut World, step: impl FnOnce(&mut MatchRunner) -> Vec<Effect>) {
    let settings = *world.resource::<MatchSettings>();
    let Some(mut live) = world.get_resource_mut::<CurrentMatch>() else { return };
    live.runner.settings = settings;
    let effects = step(&mut live.runner);
    let (things, looks_back) = (live.things.clone(), live.look_back().is_some());
    match live.snapshot.take() {
        None if looks_back => {
            let snapshot = Snapshot::of(world, &things);
            if let Some(mut live) = world.get_resource_mut::<CurrentMatch>() {
                live.snapshot = Some(snapshot);
            }
        }
        Some(snapshot) if !looks_back => snapshot.put_back(world, &things),
        snapshot => live.snapshot = snapshot,
    }
    follow(world, effects);
}

/// Carries out the runner's effects.
fn follow(world: &mut World, effects: Vec<Effect>) {
    for effect in effects {
        let Some(mut live) = world.get_resource_mut::<CurrentMatch>() else { return };
        match effect {
            Effect::Lay { layout, shootable } => {
                let things = live.things.clone();
                table::lay_out(world, &things, &layout);
                table::mark_shootable(world, &things, shootable);
            }
            Effect::Strike { ball, velocity, angular_velocity, height } => {
                let ball = live.entity_of(ball);
                if let Some(Ok(mut disc)) = ball.map(|ball| world.get_entity_mut(ball)) {
                    disc.insert((Velocity(velocity), AngularVelocity(angular_velocity)));
                    if let Some(height) = height {
                        disc.insert(height);
                    }
                }
            }
            Effect::Think(player) => {
                if let Seat::Bot(mind, _) = live.seat(player) {
                    let thought = ask(mind.clone(), live.game().clone());
                    live.thought = Some(AsyncComputeTaskPool::get().spawn(thought));
                }
            }
            // A failure is reported once, and the save is not retried.
            Effect::Save => {
                let written = live.file.as_ref().map(|path| keep::write(path, live.newest()));
                if let Some(Err(why)) = written {
                    live.file = None;
                    send(world, MatchEvent::Refused(why));
                }
            }
            Effect::Send(event) => send(world, event),
        }
    }
    // Cancels a thought whose result is not needed any more.
    if let Some(mut live) = world.get_resource_mut::<CurrentMatch>()
        && !matches!(live.phase(), Phase::Thinking)
    {
        live.thought = None;
    }
}

/// Shows the current moment of the replay, if there is one.
fn show_look_back(world: &mut World) {
    let Some(live) = world.get_resource::<CurrentMatch>() else { return };
    if let (Some(look_back), Some(snapshot)) = (live.look_back(), live.snapshot.clone()) {
        let (things, moment): (Arc<Things>, _) = (live.things.clone(), look_back.moment());
        snapshot.show(world, &things, &moment);
    }
}
