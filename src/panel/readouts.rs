//! Readings of the running simulation: counts, energy, momentum, overlap, invalid values, and the time of each stage.

use std::time::Duration;

use bevy::{platform::time::Instant, prelude::*};
use bevy_egui::egui::{self, Ui};
use tr::tr;

use super::widgets::{measured, reading};
use crate::{
    collision::{
        PhysicsSpace, SolverMode, Stage,
        measure::{LeftOut, Overlap, kinetic_energy, left_out, momentum, overlap},
    },
    components::{Disc, Inactive},
    scene::SceneStarted,
};

/// How often expensive readings are taken.
const EVERY: Duration = Duration::from_millis(250);

/// The weight of a new tick in the smoothed times.
const SMOOTHING: f64 = 0.05;

/// Readings that are not taken in every frame.
#[derive(Resource, Clone, Debug, Default)]
pub struct Readouts {
    taken: Option<Instant>,
    overlap: Overlap,
    energy: f64,
    momentum: bevy::math::DVec2,
    tick: u64,
    /// Smoothed times of the stages, microseconds.
    stages: [f64; Stage::ALL.len()],
}

impl Readouts {
    /// Adds the times of a tick.
    fn smooth(&mut self, tick: u64, times: &[Duration; Stage::ALL.len()]) {
        if tick == self.tick {
            return;
        }
        let first = self.tick == 0;
        self.tick = tick;
        for (smoothed, time) in self.stages.iter_mut().zip(times) {
            let now = time.as_secs_f64() * 1e6;
            *smoothed = if first { now } else { *smoothed + (now - *smoothed) * SMOOTHING };
        }
    }

    /// Takes the expensive readings if they are due.
    fn measure(&mut self, space: &PhysicsSpace) {
        if self.taken.is_none_or(|taken| taken.elapsed() >= EVERY) {
            self.taken = Some(Instant::now());
            self.overlap = overlap(&space.discs);
            self.energy = kinetic_energy(&space.discs);
            self.momentum = momentum(&space.discs);
        }
    }
}

/// Resets the readings when a scene starts.
pub(super) fn forget(_: On<SceneStarted>, mut readouts: ResMut<Readouts>) {
    *readouts = Readouts::default();
}

pub(super) fn show(ui: &mut Ui, world: &mut World) {
    let discs = world.query_filtered::<(), (With<Disc>, Without<Inactive>)>().iter(world).count();
    let left_out = left_out(world);
    world.resource_scope(|world, mut readouts: Mut<Readouts>| {
        let readouts = &mut *readouts;
        let space = world.resource::<PhysicsSpace>();
        readouts.smooth(space.clock.tick, &space.report.stage_times);
        readouts.measure(space);
        show_state(ui, discs, space, readouts);
        show_left_out(ui, &left_out);
        ui.add_space(4.0);
        show_stages(ui, readouts, discs);
    });
}

fn show_state(ui: &mut Ui, discs: usize, space: &PhysicsSpace, readouts: &Readouts) {
    reading(ui, &tr!("Discs"), &tr!("Number of discs"), discs.to_string());
    reading(
        ui,
        &tr!("Walls, fixed circles"),
        &tr!("Terrain in the solver: straight walls; corners and bumpers"),
        format!("{}, {}", space.walls().len(), space.fixed_circles().len()),
    );
    reading(
        ui,
        &tr!("Contacts"),
        &tr!(
            "Overlapping pairs in the last substep: pushed apart, and held by springs because the discs rest on each \
            other"
        ),
        tr!("{}, {} at rest", space.contacts.len(), space.contacts_at_rest()),
    );
    reading(ui, &tr!("Asleep"), &tr!("Discs that sleep until something comes near"), space.sleeping().to_string());
    // Stopped discs stay stopped, even after a change of mode.
    if space.laws.settings.mode == SolverMode::Continuous || space.report.stopped > 0 {
        reading(
            ui,
            &tr!("Stopped by the solver"),
            &tr!("Discs stopped since the scene started, because they used up their impact budget"),
            space.report.stopped.to_string(),
        );
    }
    reading(ui, &tr!("Hits"), &tr!("Impulses applied since the scene started"), space.report.collisions.to_string());
    reading(ui, &tr!("Kinetic energy"), &tr!("Sum of ½ m v² over all discs"), measured(readouts.energy, "J"));
    let momentum = readouts.momentum;
    reading(
        ui,
        &tr!("Momentum"),
        &tr!("Sum of m v over all discs: to the right, upward"),
        format!("{}, {} kg m/s", measured(momentum.x, ""), measured(momentum.y, "")),
    );
    let Overlap { worst, mean, pairs } = readouts.overlap;
    reading(
        ui,
        &tr!("Worst overlap"),
        &tr!("Deepest overlap of two discs, as a share of the smaller radius. Measured four times a second."),
        format!("{} %", measured(f64::from(worst) * 100.0, "")),
    );
    reading(
        ui,
        &tr!("Mean overlap"),
        &tr!("Mean over all overlapping pairs, and their number"),
        tr!("{} % of {}", measured(f64::from(mean) * 100.0, ""), pairs),
    );
}

fn show_left_out(ui: &mut Ui, left_out: &[LeftOut]) {
    const SHOWN: usize = 8;
    if left_out.is_empty() {
        return;
    }
    ui.add_space(4.0);
    let title = tr!("{} excluded from the simulation", left_out.len());
    ui.colored_label(ui.visuals().error_fg_color, title)
        .on_hover_text(tr!("Their values are invalid. They return as soon as the values are corrected."));
    for left_out in left_out.iter().take(SHOWN) {
        ui.small(left_out.to_string());
    }
    if left_out.len() > SHOWN {
        ui.small(tr!("and {} more", left_out.len() - SHOWN));
    }
}

fn show_stages(ui: &mut Ui, readouts: &Readouts, discs: usize) {
    let total: f64 = readouts.stages.iter().sum();
    let help = tr!("Duration of recent ticks, smoothed, summed over the substeps");
    let each = if discs > 0 { total * 1e3 / discs as f64 } else { 0.0 };
    reading(ui, &tr!("Tick"), &help, tr!("{} µs · {} ns per disc", format!("{total:.0}"), format!("{each:.0}")));
    let longest = readouts.stages.iter().copied().fold(1e-9, f64::max);
    for (&(_, name), &time) in Stage::ALL.iter().zip(&readouts.stages) {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            let (rect, _) = ui.allocate_exact_size(egui::vec2(92.0, 15.0), egui::Sense::hover());
            let ink = ui.visuals().weak_text_color();
            let font = egui::TextStyle::Small.resolve(ui.style());
            ui.painter().text(rect.left_center(), egui::Align2::LEFT_CENTER, tr!(name), font.clone(), ink);
            let width = (ui.available_width() - 58.0).max(20.0);
            let (bar, _) = ui.allocate_exact_size(egui::vec2(width, 7.0), egui::Sense::hover());
            ui.painter().rect_filled(bar, 3, ui.visuals().extreme_bg_color);
            let filled = bar.with_max_x(bar.min.x + bar.width() * (time / longest) as f32);
            ui.painter().rect_filled(filled, 3, ui.visuals().selection.bg_fill);
            let (rect, _) = ui.allocate_exact_size(egui::vec2(50.0, 15.0), egui::Sense::hover());
            let text = format!("{time:.1} µs");
            ui.painter().text(rect.right_center(), egui::Align2::RIGHT_CENTER, text, font, ink);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_smoothed_tick_by_tick() {
        let mut readouts = Readouts::default();
        let of = |micros| [Duration::from_micros(micros); Stage::ALL.len()];
        readouts.smooth(1, &of(100));
        assert!((readouts.stages[0] - 100.0).abs() < 1e-9, "the first tick is taken whole");
        readouts.smooth(2, &of(200));
        readouts.smooth(2, &of(900));
        assert!((readouts.stages[0] - 105.0).abs() < 1e-9, "a tick counts once");
    }
}
