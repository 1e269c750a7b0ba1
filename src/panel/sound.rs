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
    let help = tr!("Plays hits of discs, cushions and bumpers. Harder hits are louder.");
    let help = tip(world, &help, Control::Sound);
    edit(world, |settings: &mut SoundSettings| {
        Field::new(tr!("Sound"), help).switch(ui, &mut settings.on, start.on);
        usable(ui, settings.on, |ui| {
            Field::new(tr!("Volume"), tr!("Volume, 0 to 1.")).digits(2).slider(ui, &mut settings.volume, start.volume);
        });
    });
    match world.resource::<Sound>().status() {
        None => {}
        Some(Status::Opening) => {
            ui.weak(tr!("Opening the system's audio."));
        }
        Some(Status::Playing { rate, latency }) => {
            ui.weak(tr!("Plays at {} kHz with {} ms latency.", f64::from(rate) / 1000.0, latency.as_millis()));
        }
        Some(Status::Failed(why)) => {
            let (template, system) = (why.template, &why.system);
            ui.label(RichText::new(tr!(template, tr!(system))).color(ui.visuals().error_fg_color).small());
        }
    }
}
