//! Compares the errors of both solver modes, each run for one tick from the current state.

use std::{collections::VecDeque, time::Duration};

use bevy::{math::DVec2, platform::time::Instant, prelude::*};
use bevy_egui::egui::{self, Ui};
use tr::tr;

use super::widgets::measured;
use crate::{
    collision::{
        CollisionSettings, Hit, HitTarget, PhysicsSpace, Snapshot, SolverMode,
        measure::{kinetic_energy, overlap},
        run_tick,
    },
    motion::{CurrentForces, Forces},
    scene::SceneStarted,
    timeline::Playback,
};

/// The number of ticks in the mean.
const SAMPLES: usize = 120;

/// The inverse of the largest share of time spent on comparing.
const SHARE: u32 = 12;

const MODES: [SolverMode; 2] = [SolverMode::Stepped, SolverMode::Continuous];

/// The result of a tick in one mode.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Outcome {
    /// The relative change of energy.
    energy: f64,
    /// The worst overlap afterwards, as a fraction of the smaller radius.
    overlap: f32,
    hits: usize,
    /// Contacts that only the other mode found.
    missed: usize,
}

/// Recent comparisons, stepped and continuous.
#[derive(Resource, Clone, Debug, Default)]
pub struct Comparison {
    samples: VecDeque<(f32, [Outcome; 2])>,
    tick: u64,
    taken: Option<(Instant, Duration)>,
}

/// Kinetic energy plus potential energy under this gravity (m/s²).
fn energy(space: &PhysicsSpace, gravity: Vec2) -> f64 {
    let height = |at: Vec2| -at.as_dvec2().dot(DVec2::new(f64::from(gravity.x), f64::from(gravity.y)));
    let potential: f64 =
        space.discs.mass.iter().zip(&space.discs.position).map(|(&mass, &at)| f64::from(mass) * height(at)).sum();
    kinetic_energy(&space.discs) + potential
}

/// Which disc hit what, each once.
fn contacts(hits: &[Hit]) -> Vec<(u32, u64)> {
    let mut contacts: Vec<(u32, u64)> = hits
        .iter()
        .map(|hit| match hit.target {
            HitTarget::Disc(other) => (hit.disc.min(other), u64::from(hit.disc.max(other))),
            HitTarget::Wall(piece) | HitTarget::FixedCircle(piece) => (hit.disc, piece.to_bits() | 1 << 63),
        })
        .collect();
    contacts.sort_unstable();
    contacts.dedup();
    contacts
}

/// Runs a tick in both modes from the same state.
fn compare(state: &PhysicsSpace, settings: &CollisionSettings, forces: &Forces, time_step: f32) -> [Outcome; 2] {
    let gravity = forces.settings().gravity;
    let before = energy(state, gravity);
    let scale = kinetic_energy(&state.discs).max(f64::MIN_POSITIVE);
    let runs = MODES.map(|mode| {
        let mut space = state.clone();
        let settings = CollisionSettings { mode, report_above: 0.0, ..settings.clone() };
        run_tick(&mut space, &settings, time_step, |space| forces.act(space));
        space
    });
    let found = [contacts(&runs[0].report.hits), contacts(&runs[1].report.hits)];
    [0, 1].map(|k| Outcome {
        energy: (energy(&runs[k], gravity) - before) / scale,
        overlap: overlap(&runs[k].discs).worst,
        hits: found[k].len(),
        missed: found[1 - k].iter().filter(|&contact| found[k].binary_search(contact).is_err()).count(),
    })
}

/// Clears the comparison when a scene starts.
pub(super) fn forget(_: On<SceneStarted>, mut comparison: ResMut<Comparison>) {
    *comparison = Comparison { taken: comparison.taken, ..Comparison::default() };
}

fn sample(
    mut comparison: ResMut<Comparison>,
    snapshot: Snapshot,
    (space, playback, clock): (Res<PhysicsSpace>, Res<Playback>, Res<Time<Fixed>>),
    (settings, forces): (Res<CollisionSettings>, CurrentForces),
) {
    let due = comparison.taken.is_none_or(|(at, cost)| at.elapsed() >= cost * SHARE);
    if space.clock.tick == comparison.tick || !due {
        return;
    }
    comparison.tick = space.clock.tick;
    let begin = Instant::now();
    let time_step = playback.time_step(&clock).as_secs_f32();
    let outcome = compare(&snapshot.space(), &settings, &forces.list(), time_step);
    comparison.samples.push_back((time_step, outcome));
    if comparison.samples.len() > SAMPLES {
        comparison.samples.pop_front();
    }
    comparison.taken = Some((Instant::now(), begin.elapsed()));
}

pub(super) fn show(ui: &mut Ui, world: &mut World) {
    if let Err(error) = world.run_system_cached(sample) {
        tracing::warn!("the modes are not compared: {error}");
    }
    let now = world.resource::<CollisionSettings>().mode;
    let comparison = world.resource::<Comparison>();
    let seconds: f64 = comparison.samples.iter().map(|(step, _)| f64::from(*step)).sum();
    if seconds == 0.0 {
        ui.weak(tr!("Let the simulation run to compare the two modes."));
        return;
    }
    let of = |k: usize| comparison.samples.iter().map(move |(_, outcomes)| outcomes[k]);
    let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
    let hits = [0, 1].map(|k| of(k).map(|outcome| outcome.hits).sum::<usize>());
    let missed = [0, 1].map(|k| of(k).map(|outcome| outcome.missed).sum::<usize>());
    let rows = [
        (
            tr!("Energy"),
            tr!("Change of kinetic and potential energy per second, as a share of the kinetic energy. Restitution \
                below 1, friction and drag lower it in both modes alike."),
            [0, 1].map(|k| {
                format!("{} %/s", measured(100.0 * of(k).map(|outcome| outcome.energy).sum::<f64>() / seconds, ""))
            }),
        ),
        (
            tr!("Worst overlap"),
            tr!("Deepest overlap of two discs after a tick, as a share of the smaller radius."),
            [0, 1].map(|k| {
                format!("{} %", measured(100.0 * f64::from(of(k).map(|o| o.overlap).fold(0.0, f32::max)), ""))
            }),
        ),
        (tr!("Contacts"), tr!("Contacts found, each pair once per tick."), hits.map(|count| count.to_string())),
        (
            tr!("Missed"),
            tr!("Contacts that the other mode found in the same tick and this one did not. A few of them are only \
                earlier or later in this mode, not missed."),
            [0, 1].map(|k| format!("{} · {:.1} %", missed[k], share(missed[k], hits[1 - k]))),
        ),
    ];
    egui::Grid::new("modes").num_columns(3).striped(true).spacing([14.0, 4.0]).show(ui, |ui| {
        ui.label("");
        for (mode, name) in [(SolverMode::Stepped, tr!("stepped")), (SolverMode::Continuous, tr!("continuous"))] {
            if mode == now {
                ui.strong(name).on_hover_text(tr!("Active mode."));
            } else {
                ui.weak(name).on_hover_text(tr!("Not the active mode."));
            }
        }
        ui.end_row();
        for (label, help, values) in rows {
            ui.weak(label).on_hover_text(&help);
            for value in values {
                ui.label(value).on_hover_text(&help);
            }
            ui.end_row();
        }
    });
    ui.add_space(3.0);
    ui.weak(tr!("The last {} ticks, each run in both modes from the same state.", comparison.samples.len()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::DiscState;

    #[test]
    fn a_disc_that_jumps_over_another_is_a_contact_missed() {
        let mut space = PhysicsSpace::default();
        space.discs.push(DiscState { velocity: Vec2::new(600.0, 0.0), ..DiscState::default() });
        space.discs.push(DiscState { id: 1, position: Vec2::new(5.0, 0.0), ..DiscState::default() });
        let [stepped, continuous] = compare(&space, &CollisionSettings::default(), &Forces::default(), 1.0 / 60.0);
        assert_eq!((stepped.hits, stepped.missed), (0, 1));
        assert_eq!((continuous.hits, continuous.missed), (1, 0));
        assert!(continuous.energy.abs() < 1e-6);
    }
}
