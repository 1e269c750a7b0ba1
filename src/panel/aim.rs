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
        "How much of the shot is drawn while you aim: nothing, up to the first contact, the first impacts, or until \
        all discs rest. The preview is bit-identical to the shot."
    );
    let preview = tip(world, &preview, Control::PreviewLength);
    edit(world, |settings: &mut PreviewSettings| {
        Field::new(tr!("Preview"), preview).choice(ui, &mut settings.length, &PreviewLength::ALL, start.length);
        if settings.length == PreviewLength::Impacts {
            Field::new(tr!("Impacts"), tr!("Number of impacts drawn, 1 to 1000."))
                .range(PreviewSettings::IMPACTS)
                .digits(0)
                .log()
                .slider(ui, &mut settings.impacts, start.impacts);
        }
        Field::new(
            tr!("Horizon"),
            tr!("How far ahead the preview looks, in seconds. Limited to 3 s if nothing slows the discs down."),
        )
        .range(PreviewSettings::SECONDS)
        .unit(" s")
        .digits(1)
        .log()
        .slider(ui, &mut settings.seconds, start.seconds);
        Field::new(tr!("Keep paths"), tr!("Keeps the predicted paths on the table until you aim the next shot."))
            .switch(ui, &mut settings.keep, start.keep);
        Field::new(
            tr!("Guides"),
            tr!("At the first ball that is hit: the line of centres, the tangent line of a stunned ball at 90°, and \
                the line of a rolling ball, which turns by 30°."),
        )
        .switch(ui, &mut settings.guides, start.guides);
        usable(ui, settings.length == PreviewLength::All, |ui| {
            Field::new(
                tr!("Uncertainty"),
                tr!("Where the discs may end up if your hand is unsteady. Soft spots show the ends of slightly \
                    different shots while you hold still."),
            )
            .switch(ui, &mut settings.doubt, start.doubt);
            usable(ui, settings.doubt, |ui| {
                Field::new(tr!("Direction"), tr!("Standard deviation of the direction of these shots."))
                    .range(PreviewSettings::DIRECTION)
                    .unit("°")
                    .digits(2)
                    .log()
                    .slider(ui, &mut settings.direction, start.direction);
                Field::new(tr!("Speed"), tr!("Standard deviation of the speed of these shots."))
                    .range(PreviewSettings::STRENGTH)
                    .unit(" %")
                    .digits(1)
                    .log()
                    .slider(ui, &mut settings.strength, start.strength);
            });
        });
    });
    if world.contains_resource::<CoachSettings>() {
        let coach = tr!(
            "In a match, draws the best shots of the person at the table with their chances. After a miss, explains \
            how far off the shot was and what would have been better."
        );
        let coach = tip(world, &coach, Control::Coach);
        let ideas = tr!("In a match, draws the shots that the bot at the table considers, and the one it has chosen.");
        let ideas = tip(world, &ideas, Control::BotIdeas);
        edit(world, |settings: &mut CoachSettings| {
            Field::new(tr!("Coach"), coach).switch(ui, &mut settings.on, false);
            Field::new(tr!("Bots' ideas"), ideas).switch(ui, &mut settings.ideas, false);
        });
    }
}
