//! Sound: on or off, and how loudly.

use bevy::prelude::*;
use bevy_egui::egui::{RichText, Ui};
use tr::tr;

use super::{
    field::Field,
    widgets::{edit, tip, usable},
};
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
        Field::new(tr!("Sound"), help).switch(ui, &mut settings.on, start.on);
        usable(ui, settings.on, |ui| {
            Field::new(tr!("Volume"), tr!("How loudly, from 0 to 1.")).digits(2).slider(
                ui,
                &mut settings.volume,
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
