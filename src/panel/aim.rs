//! How much of a shot the preview shows.

use bevy::prelude::*;
use bevy_egui::egui::Ui;
use tr::tr;

use super::{
    field::Field,
    widgets::{edit, tip, usable},
};
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
        Field::new(tr!("Preview"), preview).choice(ui, &mut settings.length, &PreviewLength::ALL, start.length);
        if settings.length == PreviewLength::Impacts {
            Field::new(tr!("Impacts"), tr!("How many impacts are drawn, 1 to 50.")).range(1..=50).digits(0).slider(
                ui,
                &mut settings.impacts,
                start.impacts,
            );
        }
        Field::new(
            tr!("Horizon"),
            tr!("How far the preview looks, seconds; where nothing slows the discs down, at most 3 s."),
        )
        .range(0.5..=120.0)
        .unit(" s")
        .digits(1)
        .log()
        .slider(ui, &mut settings.seconds, start.seconds);
        Field::new(
            tr!("Keep paths"),
            tr!("The predicted paths stay on the table after the shot, so that you can compare. They go when the next shot is aimed."),
        )
        .switch(ui, &mut settings.keep, start.keep);
        usable(ui, settings.length == PreviewLength::All, |ui| {
            Field::new(tr!("Doubt"), tr!("Where the discs end if your hand is not quite steady: some hundred shots that differ a little, drawn as \
                       soft spots while you hold still.")).switch(ui, &mut settings.doubt, start.doubt);
            usable(ui, settings.doubt, |ui| {
                Field::new(tr!("Direction"), tr!("The deviation of the unsteady shots' direction."))
                    .range(0.0..=3.0)
                    .unit("°")
                    .digits(2)
                    .slider(ui, &mut settings.direction, start.direction);
                Field::new(tr!("Speed"), tr!("The deviation of the unsteady shots' speed."))
                    .range(0.0..=10.0)
                    .unit(" %")
                    .digits(1)
                    .slider(ui, &mut settings.strength, start.strength);
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
            Field::new(tr!("Coach"), coach).switch(ui, &mut settings.on, false);
            Field::new(tr!("Bots' ideas"), ideas).switch(ui, &mut settings.ideas, false);
        });
    }
}
