//! What another game builds on: a system of its own between any two steps, and an order free of ambiguity.

use bevy::{
    ecs::schedule::{LogLevel, ScheduleBuildSettings, ScheduleLabel},
    prelude::*,
};
use carom::prelude::*;

use crate::support;

#[derive(Resource, Default)]
struct Trace(Vec<&'static str>);

fn note(name: &'static str) -> impl Fn(ResMut<Trace>) {
    move |mut trace: ResMut<Trace>| trace.0.push(name)
}

#[test]
fn a_system_fits_between_any_two_steps_and_the_steps_run_in_order() {
    let mut app = support::app();
    support::settings(&mut app, |s| s.substeps = 2);
    app.init_resource::<Trace>();
    app.add_systems(
        FixedUpdate,
        (
            note("start").before(Tick),
            note("gathered").after(TickSystems::Gather).before(TickSystems::BroadPhase),
            note("paired").after(TickSystems::BroadPhase).before(TickSystems::Substeps),
            note("stepped").after(TickSystems::Substeps).before(TickSystems::Scatter),
            note("scattered").after(TickSystems::Scatter).before(TickSystems::Report),
            note("end").after(Tick),
        ),
    );
    app.add_systems(
        Substep,
        (
            note("forced").after(SubstepSystems::Forces).before(SubstepSystems::Integrate),
            note("integrated").after(SubstepSystems::Integrate).before(SubstepSystems::PushApart),
            note("pushed").after(SubstepSystems::PushApart).before(SubstepSystems::Impulse),
            note("answered").after(SubstepSystems::Impulse).before(SubstepSystems::Walls),
            note("walls").after(SubstepSystems::Walls).before(SubstepSystems::Corners),
            note("corners").after(SubstepSystems::Corners),
        ),
    );
    support::ticks(&mut app, 1);
    let substep = ["forced", "integrated", "pushed", "answered", "walls", "corners"];
    let expected: Vec<&str> = ["start", "gathered", "paired"]
        .into_iter()
        .chain(substep)
        .chain(substep)
        .chain(["stepped", "scattered", "end"])
        .filter(|&name| name != "end")
        .collect();
    let trace = &app.world().resource::<Trace>().0;
    assert_eq!(trace[..expected.len()], expected[..]);
    assert_eq!(trace.last(), Some(&"end"));
}

#[test]
fn a_game_can_change_what_a_step_found() {
    // Ghost discs: a game that drops their contacts before they are answered.
    let mut app = support::app();
    app.add_systems(
        Substep,
        (|mut space: ResMut<Space>| space.contacts.clear())
            .after(SubstepSystems::PushApart)
            .before(SubstepSystems::Impulse),
    );
    support::settings(&mut app, |s| s.push_apart = false);
    let a = support::ball(&mut app, Vec2::ZERO, Vec2::new(6.0, 0.0));
    support::ball(&mut app, Vec2::new(2.0, 0.0), Vec2::ZERO);
    support::ticks(&mut app, 60);
    assert_eq!(support::velocity(&app, a), Vec2::new(6.0, 0.0));
}

#[test]
fn no_two_systems_of_ours_race() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PhysicsPlugins));
    for label in [FixedUpdate.intern(), Substep.intern(), FixedPostUpdate.intern(), First.intern()] {
        app.edit_schedule(label, |schedule| {
            schedule.set_build_settings(ScheduleBuildSettings {
                ambiguity_detection: LogLevel::Error,
                ..ScheduleBuildSettings::default()
            });
        });
    }
    app.finish();
    app.cleanup();
    app.insert_resource(bevy::time::TimeUpdateStrategy::FixedTimesteps(1));
    // Building a schedule with an ambiguity panics.
    support::ticks(&mut app, 2);
}
