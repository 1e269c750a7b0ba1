//! Half an hour of a gas of 10,000 discs in which somebody scrubs, branches, measures and plots.

use std::time::{Duration, Instant};

use bevy::prelude::*;
use carom::{
    laboratory::{
        Channel, Graph, Laboratory, LaboratoryPlugin, Memory, Recorder, RecorderPlugin, Subject, Variable, quantity,
    },
    prelude::*,
    timeline::{History, HistoryPlugin},
};

use crate::support::{self, Dice};

const SIDE: u32 = 100;

const TICKS_PER_MINUTE: u64 = 60 * 60;

/// The memory of this process in MiB, where the system tells it.
fn resident() -> Option<f64> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(pages.split_whitespace().nth(1)?.parse::<f64>().ok()? * 4096.0 / f64::from(1 << 20))
}

fn gas() -> App {
    let mut app = support::app();
    app.add_plugins((HistoryPlugin::default(), LaboratoryPlugin, RecorderPlugin));
    let half = 0.3 * SIDE as f32;
    app.world_mut().spawn(Terrain::Arena { half_size: Vec2::splat(half) });
    let mut dice = Dice(38);
    for i in 0..SIDE * SIDE {
        let place = Vec2::new((i % SIDE) as f32, (i / SIDE) as f32) * 0.6 + Vec2::splat(0.3 - half);
        let velocity = Vec2::new(dice.range(-3.0, 3.0), dice.range(-3.0, 3.0));
        app.world_mut().spawn((Disc, Position(place), Velocity(velocity), Radius(0.15), Mass(1.0)));
    }
    app.update();
    let quantities = ["speeds", "pressure", "wall-pressure", "collision-rate", "free-path", "diffusion"];
    app.world_mut().resource_mut::<Laboratory>().start(quantities.map(|name| quantity(name).expect("it is one")));
    let mut recorder = app.world_mut().resource_mut::<Recorder>();
    let table = [Variable::KineticEnergy, Variable::MomentumX, Variable::Hits];
    let disc = [Variable::X, Variable::Speed, Variable::KineticEnergy];
    let channels = table.map(|variable| Channel::new(Subject::Table, variable)).into_iter();
    for channel in channels.chain(disc.map(|variable| Channel::new(Subject::Disc(1), variable))) {
        recorder.record(Graph::over_time(channel), Memory::Whole { samples: 4096 });
    }
    app
}

/// The time of a frame.
fn frame(app: &mut App, times: &mut Vec<Duration>) {
    let start = Instant::now();
    app.update();
    times.push(start.elapsed());
}

#[test]
#[ignore = "takes minutes: cargo test --release --test physics long_run -- --ignored --nocapture"]
fn half_an_hour_of_scrubbing_branching_and_plotting_leaks_nothing() {
    let mut app = gas();
    let mut dice = Dice(39);
    let (mut ticks, mut seeks) = (Vec::new(), Vec::new());
    let mut memory = Vec::new();
    for minute in 1..=30_u64 {
        for second in 0..60 {
            for _ in 0..TICKS_PER_MINUTE / 60 {
                frame(&mut app, &mut ticks);
            }
            // The messages are not what is tested.
            let _ = support::collisions(&mut app);
            if second % 10 == 9 {
                // A hand drags along the bar, and time continues from there; every other time something is changed
                // there.
                let history = app.world().resource::<History>();
                let (start, end) = (history.start(), history.end());
                for _ in 0..3 {
                    let share = f64::from(dice.range(0.0, 1.0));
                    let tick = start + ((end - start) as f64 * share) as u64;
                    app.world_mut().resource_mut::<History>().seek(tick);
                    while app.world().resource::<History>().is_seeking() {
                        frame(&mut app, &mut seeks);
                    }
                }
                if second == 19 {
                    let world = app.world_mut();
                    let first = world.query_filtered::<Entity, With<Disc>>().iter(world).next().expect("a disc");
                    world.get_mut::<Velocity>(first).expect("it moves").0 *= 1.01;
                    app.update();
                }
                // Back to the end.
                let end = app.world().resource::<History>().end();
                app.world_mut().resource_mut::<History>().seek(end);
                while app.world().resource::<History>().is_seeking() {
                    frame(&mut app, &mut seeks);
                }
            }
        }
        let history = app.world().resource::<History>();
        assert!(history.memory() <= HistoryPlugin::default().memory, "{} bytes", history.memory());
        let results = app.world().resource::<Laboratory>().results();
        assert_eq!(results.len(), 6);
        memory.extend(resident());
        if minute % 5 == 0 {
            println!("minute {minute}: {:.0} MiB, {} tracks", memory.last().unwrap_or(&0.0), history.tracks().count());
        }
    }
    for (what, times) in [("ticks", &mut ticks), ("frames of seeks", &mut seeks)] {
        times.sort_unstable();
        let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
        println!(
            "{} {what}: median {:.2} ms, 99 % {:.2} ms, longest {:.2} ms",
            times.len(),
            at(0.5),
            at(0.99),
            at(1.0)
        );
    }
    // The history is full by the tenth minute.
    if let [.., last] = memory[..] {
        assert!(last < 1.05 * memory[14] + 8.0, "the memory grows: {memory:?} MiB");
    }
}
