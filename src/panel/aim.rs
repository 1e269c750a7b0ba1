//! How much of a shot is shown while it is aimed.

use bevy::prelude::*;
use bevy_egui::egui::Ui;
use tr::tr;

use super::widgets::{Row, SliderRange, edit, tip, usable};
use crate::{
    games::plugin::CoachSettings,
    input::{PreviewLength, PreviewSettings, actions::Control},
};

pub(super) fn show(ui: &mut Ui, world: &mut World) {
    let start = PreviewSettings::default();
    let preview = tr!(
        "How much of the future is drawn while you aim: nothing, the way to the first contact, the first impacts, or \
                       all until the discs rest. It is computed as the shot will be, so it is the shot."
    );
    let preview = tip(world, &preview, Control::PreviewLength);
    edit(world, |settings: &mut PreviewSettings| {
        Row { label: &tr!("Preview"), help: &preview }.choice(
            ui,
            &mut settings.length,
            &PreviewLength::ALL,
            start.length,
        );
        if settings.length == PreviewLength::Impacts {
            Row { label: &tr!("Impacts"), help: &tr!("How many impacts are drawn, 1 to 50.") }.slider(
                ui,
                &mut settings.impacts,
                &SliderRange::new(1..=50, "", 0),
                start.impacts,
            );
        }
        Row {
            label: &tr!("Horizon"),
            help: &tr!("How far the preview looks, seconds; where nothing slows the discs down, at most 3 s."),
        }
        .slider(ui, &mut settings.seconds, &SliderRange::new(0.5..=120.0, " s", 1).log(), start.seconds);
        usable(ui, settings.length == PreviewLength::All, |ui| {
            Row {
                label: &tr!("Doubt"),
                help: &tr!("Where the discs end if your hand is not quite steady: some hundred shots that differ a little, drawn as \
                       soft spots while you hold still."),
            }
            .switch(ui, &mut settings.doubt, start.doubt);
            usable(ui, settings.doubt, |ui| {
                Row { label: &tr!("Direction"), help: &tr!("The deviation of the unsteady shots' direction.") }.slider(
                    ui,
                    &mut settings.direction,
                    &SliderRange::new(0.0..=3.0, "°", 2),
                    start.direction,
                );
                Row { label: &tr!("Speed"), help: &tr!("The deviation of the unsteady shots' speed.") }.slider(
                    ui,
                    &mut settings.strength,
                    &SliderRange::new(0.0..=10.0, " %", 1),
                    start.strength,
                );
            });
        });
    });
    if world.contains_resource::<CoachSettings>() {
        let coach = tr!(
            "In a match the best shots of the person whose turn it is are drawn with their chances, and after a miss it \
                         says by how much it was off, and what would have been better."
        );
        let coach = tip(world, &coach, Control::Coach);
        let ideas = tr!("In a match it is drawn what a bot at the table considers, and what it has chosen.");
        let ideas = tip(world, &ideas, Control::BotIdeas);
        edit(world, |settings: &mut CoachSettings| {
            Row { label: &tr!("Coach"), help: &coach }.switch(ui, &mut settings.on, false);
            Row { label: &tr!("Bots' ideas"), help: &ideas }.switch(ui, &mut settings.ideas, false);
        });
    }
}
