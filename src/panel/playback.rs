//! Time: pause, single step, time scale, tick rate.

use bevy::prelude::*;
use bevy_egui::egui::{self, Ui};
use tr::tr;

use super::{
    field::Field,
    widgets::{edit, measured, tip},
};
use crate::{
    collision::{CollisionSettings, PhysicsSpace, SolverMode},
    input::actions::{Control, KeyMap},
    scene::{CurrentScene, Pace},
    timeline::{Playback, RealPace},
    view::{Named, ViewSettings},
};

pub(super) fn show(ui: &mut Ui, world: &mut World) {
    let pace = world.get_resource::<CurrentScene>().map_or_else(Pace::default, |scene| scene.file.pace.clone());
    let tick = world.resource::<PhysicsSpace>().clock.tick;
    let playback = world.resource::<Playback>();
    let mut scale = playback.speed(world.resource());
    let mut rate = playback.rate(world.resource());
    let before = (scale, rate);
    let hold = tip(world, &tr!("Pauses or resumes the simulation"), Control::Pause);
    let step = tip(world, &tr!("Pauses and runs a single tick"), Control::Step);
    let keys = world.get_resource::<KeyMap>();
    let keys = keys.and_then(|keys| Some((keys.short(Control::HalfSpeed)?, keys.short(Control::DoubleSpeed)?)));
    let scale_help = match keys {
        Some((half, double)) => {
            tr!("Simulated seconds per real second, 0.01 to 100. {} and {} halve and double it.", half, double)
        }
        None => tr!("Simulated seconds per real second, 0.01 to 100."),
    };
    edit(world, |playback: &mut Playback| {
        ui.horizontal(|ui| {
            let (sign, word) = if playback.paused { ("▶", tr!("Resume")) } else { ("⏸", tr!("Pause")) };
            let pause = ui.add(egui::Button::new([sign, &word].join("  ")).min_size(egui::vec2(92.0, 0.0))).named(word);
            if pause.on_hover_text(hold).clicked() {
                playback.toggle();
            }
            if ui.button(tr!("⏭  Step")).named(tr!("Step")).on_hover_text(step).clicked() {
                playback.paused = true;
                playback.step();
            }
            ui.weak(tr!("tick {}", tick)).on_hover_text(tr!("Ticks since the scene started"));
        });
        Field::new(tr!("Time scale"), scale_help).range(Playback::TIME_SCALES).unit(" ×").digits(2).log().slider(
            ui,
            &mut scale,
            pace.time_scale,
        );
        Field::new(
            tr!("Tick rate"),
            tr!("Ticks per simulated second, 1 to 10 000 Hz. More ticks catch faster discs but take more time."),
        )
        .range(Playback::TICK_RATES)
        .unit(" Hz")
        .digits(0)
        .log()
        .slider(ui, &mut rate, pace.tick_rate);
        if scale != before.0 {
            playback.time_scale = Some(scale);
        }
        if rate != before.1 {
            playback.tick_rate = Some(rate);
        }
    });
    let settings = world.resource::<CollisionSettings>();
    let (what, parts) = match settings.mode {
        SolverMode::Stepped => (tr!("substep"), settings.substeps.max(1)),
        SolverMode::Continuous => (tr!("tick"), 1),
    };
    let step = 1e3 / (rate.max(1.0) * f64::from(parts));
    let length = tr!("One {} is {}", what, measured(step, "ms"));
    let Some(pace) = world.get_resource::<RealPace>().and_then(RealPace::behind) else {
        ui.weak(length);
        return;
    };
    // The text over the table may already show it.
    let is_said = world.get_resource::<ViewSettings>().is_some_and(|view| view.overlay);
    // In the same line, so that the widgets below do not move during a drag.
    let line = if is_said {
        ui.weak(length)
    } else {
        ui.colored_label(ui.visuals().warn_fg_color, tr!("{}; runs at {} ×", length, format!("{pace:.2}")))
    };
    line.on_hover_text(tr!(
        "Simulated seconds per real second, averaged over the last second. This machine cannot keep up: use fewer \
        discs, a lower tick rate or fewer substeps."
    ));
}
