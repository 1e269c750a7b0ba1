//! The extension points for games: custom systems between any two steps, and an order free of ambiguity.

use bevy::{
    ecs::schedule::{InternedScheduleLabel, LogLevel, ScheduleBuildSettings, ScheduleLabel},
    prelude::*,
    time::TimeUpdateStrategy,
};
use carom::prelude::*;

use crate::support;

// The systems that the examples put between our steps, without their clock.
#[path = "../../examples/forces.rs"]
#[expect(dead_code, reason = "the program around the game")]
mod forces_example;
#[path = "../../examples/two_discs.rs"]
#[expect(dead_code, reason = "the program around the game")]
mod two_discs_example;
#[path = "../../examples/wind.rs"]
#[expect(dead_code, reason = "the program around the game")]
mod wind_example;

#[derive(Resource, Default)]
struct Trace(Vec<&'static str>);

fn record(name: &'static str) -> impl Fn(ResMut<Trace>) {
    move |mut trace: ResMut<Trace>| trace.0.push(name)
}

#[test]
fn a_system_fits_between_any_two_steps_and_the_steps_run_in_order() {
    for (mode, substeps, parts) in [(SolverMode::Stepped, 2, 2), (SolverMode::Continuous, 1, 1)] {
        let mut app = support::app();
        support::settings(&mut app, |s| (s.mode, s.substeps) = (mode, substeps));
        app.init_resource::<Trace>();
        app.add_systems(FixedUpdate, record("game"));
        app.add_systems(
            FixedPostUpdate,
            (record("start").before(SimulationSystems), record("end").after(SimulationSystems)),
        );
        app.add_systems(
            PhysicsSchedule,
            (
                record("gathered").after(TickSystems::Gather).before(TickSystems::BroadPhase),
                record("paired").after(TickSystems::BroadPhase).before(TickSystems::Substeps),
                record("stepped").after(TickSystems::Substeps).before(TickSystems::Scatter),
                record("scattered").after(TickSystems::Scatter).before(TickSystems::Report),
            ),
        );
        app.add_systems(
            Substep,
            (
                record("force").in_set(SubstepSystems::Forces),
                record("forced").after(SubstepSystems::Forces).before(SubstepSystems::Motion),
                record("driven").after(SubstepSystems::Motion).before(SubstepSystems::Settle),
                record("settled").after(SubstepSystems::Settle).before(SubstepSystems::Impacts),
                record("resolved").after(SubstepSystems::Impacts).before(SubstepSystems::Integrate),
                record("integrated").after(SubstepSystems::Integrate).before(SubstepSystems::PushApart),
                record("pushed").after(SubstepSystems::PushApart).before(SubstepSystems::Impulse),
                record("resolved").after(SubstepSystems::Impulse).before(SubstepSystems::Walls),
                record("walls").after(SubstepSystems::Walls).before(SubstepSystems::FixedCircles),
                record("fixed circles").after(SubstepSystems::FixedCircles),
            ),
        );
        support::ticks(&mut app, 2);
        let substep = [
            "force",
            "forced",
            "driven",
            "settled",
            "resolved",
            "integrated",
            "pushed",
            "resolved",
            "walls",
            "fixed circles",
        ];
        let mut tick = vec!["game", "start", "gathered", "paired"];
        for _ in 0..parts {
            tick.extend(substep);
        }
        if mode == SolverMode::Continuous {
            // The second half of the forces. Systems between the steps run then, too, and only the steps do not.
            tick.extend(substep);
        }
        tick.extend(["stepped", "scattered", "end"]);
        assert_eq!(app.world().resource::<Trace>().0, tick.repeat(2), "{mode:?}");
    }
}

#[test]
fn a_game_can_change_what_a_step_found() {
    // Ghost discs: a game that removes their contacts before they are resolved.
    for (are_ghosts, expected) in [(false, Vec2::ZERO), (true, Vec2::new(6.0, 0.0))] {
        let mut app = support::app();
        app.add_systems(
            Substep,
            (|mut space: ResMut<PhysicsSpace>| space.contacts.clear())
                .after(SubstepSystems::PushApart)
                .before(SubstepSystems::Impulse)
                .run_if(move || are_ghosts),
        );
        support::settings(&mut app, |s| s.push_apart = false);
        let a = support::disc(&mut app, Vec2::ZERO, Vec2::new(6.0, 0.0));
        support::disc(&mut app, Vec2::new(2.0, 0.0), Vec2::ZERO);
        support::ticks(&mut app, 60);
        assert_eq!(support::velocity(&app, a), expected);
    }
}

/// The ambiguities in the schedules of the physics, together with a game, as text; empty if there are none.
fn ambiguities(physics: PhysicsPlugins, schedule: InternedScheduleLabel, game: impl FnOnce(&mut App)) -> String {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, physics));
    game(&mut app);
    app.finish();
    app.cleanup();
    let labels = [schedule, Substep.intern(), FixedUpdate.intern(), FixedPostUpdate.intern(), First.intern()];
    let recorded = labels.map(|label| {
        app.init_schedule(label);
        app.world_mut().schedule_scope(label, |world, schedule| {
            schedule.set_build_settings(ScheduleBuildSettings {
                ambiguity_detection: LogLevel::Error,
                ..ScheduleBuildSettings::default()
            });
            let built = schedule.initialize(world);
            built.err().map_or(String::new(), |error| error.to_string(schedule.graph(), world))
        })
    });
    recorded.concat()
}

fn is_ambiguous(game: impl FnOnce(&mut App)) -> bool {
    !ambiguities(PhysicsPlugins::default(), FixedPostUpdate.intern(), game).is_empty()
}

/// The program in README.md.
fn readme(app: &mut App) {
    fn wind(space: &mut PhysicsSpace) {
        let change = vec2(0.5, 0.0) * space.substep();
        space.discs.velocity.iter_mut().for_each(|velocity| *velocity += change);
    }
    fn print_collisions(mut collisions: MessageReader<Collision>) {
        for hit in collisions.read() {
            println!("tick {}: {} met {:?} at {:.2} m/s", hit.tick, hit.a, hit.b, hit.approach_speed);
        }
    }
    app.add_force(wind).add_systems(FixedPostUpdate, print_collisions.after(SimulationSystems));
}

#[test]
fn neither_our_systems_race_nor_those_of_readme_and_examples() {
    let schedules = [FixedUpdate.intern(), FixedPostUpdate.intern(), FixedPreUpdate.intern(), Update.intern()];
    for schedule in schedules {
        assert_eq!(ambiguities(PhysicsPlugins::new(schedule), schedule, |_| {}), "", "{schedule:?}");
    }
    let games: [(&str, fn(&mut App)); 4] = [
        ("README", readme),
        ("two_discs", two_discs_example::game),
        ("wind", wind_example::game),
        ("forces", forces_example::game),
    ];
    for (name, game) in games {
        assert_eq!(ambiguities(PhysicsPlugins::default(), FixedPostUpdate.intern(), game), "", "{name}");
    }
}

#[test]
fn a_system_of_a_game_that_races_with_the_tick_is_reported() {
    fn kick(mut discs: Query<&mut Velocity>) {
        for mut velocity in &mut discs {
            velocity.x += 1.0;
        }
    }
    fn look(_: Query<&Position>) {}
    fn pull(mut space: ResMut<PhysicsSpace>) {
        space.laws.gravity = Vec2::X;
    }
    assert!(is_ambiguous(|app| _ = app.add_systems(FixedPostUpdate, kick)));
    assert!(is_ambiguous(|app| _ = app.add_systems(FixedPostUpdate, look)));
    assert!(is_ambiguous(|app| _ = app.add_systems(Substep, pull)));
    assert!(is_ambiguous(|app| _ = app.add_systems(Substep, (pull, pull).in_set(SubstepSystems::Forces))));
    assert!(!is_ambiguous(|app| _ = app.add_systems(FixedPostUpdate, kick.before(SimulationSystems))));
    assert!(!is_ambiguous(|app| _ = app.add_systems(FixedPostUpdate, (kick, look).chain().after(SimulationSystems))));
    assert!(!is_ambiguous(|app| _ = app.add_systems(FixedUpdate, kick)), "a game has this schedule to itself");
}

#[test]
fn the_tick_runs_in_the_schedule_that_it_is_given() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PhysicsPlugins::new(FixedPreUpdate)));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1)).insert_resource(Time::<Fixed>::from_hz(60.0));
    app.init_resource::<Trace>();
    app.add_systems(
        FixedPreUpdate,
        (record("before").before(SimulationSystems), record("after").after(SimulationSystems)),
    );
    app.add_systems(FixedUpdate, record("game"));
    app.update();
    let disc = support::disc(&mut app, Vec2::ZERO, Vec2::new(6.0, 0.0));
    support::ticks(&mut app, 1);
    assert_eq!(app.world().resource::<Trace>().0, ["before", "after", "game"]);
    assert!((support::position(&app, disc).x - 0.1).abs() < 1e-6);
    // Playback pauses it there, too.
    app.world_mut().resource_mut::<Playback>().toggle();
    app.world_mut().resource_mut::<Playback>().step();
    support::ticks(&mut app, 3);
    assert!((support::position(&app, disc).x - 0.2).abs() < 1e-6);
}
