//! Sound: on or off, and how loudly.

use bevy::prelude::*;
use bevy_egui::egui::{RichText, Ui};
use tr::tr;

use super::widgets::{Row, SliderRange, edit, tip, usable};
use crate::{
    input::actions::Control,
    sound::{Sound, SoundSettings, output::Status},
};

pub(super) fn applies(world: &World) -> bool {
    world.contains_resource::<Sound>()
}

pub(super) fn show(ui: &mut Ui, world: &mut World) {
    let start = SoundSettings::default();
    let help = tr!("Hits are heard: discs, cushions and bumpers, the louder the harder");
    let help = tip(world, &help, Control::Sound);
    edit(world, |settings: &mut SoundSettings| {
        Row { label: &tr!("Sound"), help: &help }.switch(ui, &mut settings.on, start.on);
        usable(ui, settings.on, |ui| {
            Row { label: &tr!("Volume"), help: &tr!("How loudly, from 0 to 1.") }.slider(
                ui,
                &mut settings.volume,
                &SliderRange::new(0.0..=1.0, "", 2),
                start.volume,
            );
        });
    });
    match world.resource::<Sound>().status() {
        None => {}
        Some(Status::Opening) => {
            ui.weak(tr!("The system's audio is asked for."));
        }
        Some(Status::Playing { rate, latency }) => {
            ui.weak(tr!("Plays at {} kHz, {} ms ahead.", f64::from(rate) / 1000.0, latency.as_millis()));
        }
        Some(Status::Failed(why)) => {
            let (template, system) = (why.template, &why.system);
            ui.label(RichText::new(tr!(template, tr!(system))).color(ui.visuals().error_fg_color).small());
        }
    }
}
