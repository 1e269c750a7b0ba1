//! What is drawn.

use bevy::prelude::*;
use bevy_egui::egui::Ui;
use tr::tr;

use super::widgets::{Row, Spread, edit, tip};
use crate::{
    input::actions::Control,
    scene::CurrentScene,
    view::{ColourBy, Language, ThemeChoice, ViewSettings, main_viewport},
};

pub(super) fn show(ui: &mut Ui, world: &mut World) {
    let scene = world.get_resource::<CurrentScene>().map(|scene| (scene.file.arrows, scene.file.trails));
    let (arrows, trails) = scene.unwrap_or_default();
    let start = ViewSettings { arrows, trails, ..ViewSettings::default() };
    edit(world, |settings: &mut ViewSettings| {
        Row { label: &tr!("Colours"), help: &tr!("Dark, light, or as the desktop around the window.") }.choice(
            ui,
            &mut settings.theme,
            &ThemeChoice::ALL,
            start.theme,
        );
        Row { label: &tr!("Language"), help: &tr!("Of what is written in the window.") }.choice(
            ui,
            &mut settings.language,
            &Language::ALL,
            start.language,
        );
        Row {
            label: &tr!("Colour by"),
            help: &tr!("By what discs are coloured: as they ask for, or by something that is measured, from dark violet (little) \
                   to bright yellow (much), or by whether they slide, roll, spin or rest."),
        }
        .choice(ui, &mut settings.colour_by, &ColourBy::ALL, start.colour_by);
        Row {
            label: &tr!("Trails"),
            help: &tr!("How long the trails behind discs are, seconds; 0: none. Crowds have none."),
        }
        .slider(ui, &mut settings.trails, &Spread::new(0.0..=10.0, " s", 1), start.trails);
        Row { label: &tr!("Hit flash"), help: &tr!("Discs flash when they are hit hard.") }.switch(
            ui,
            &mut settings.flash,
            start.flash,
        );
        Row { label: &tr!("Screen shake"), help: &tr!("The picture shakes a little when discs hit each other hard.") }
            .switch(ui, &mut settings.shake, start.shake);
        Row {
            label: &tr!("Less motion"),
            help: &tr!("Whatever the two say, nothing flashes and the picture does not shake."),
        }
        .switch(ui, &mut settings.reduced_motion, start.reduced_motion);
        Row {
            label: &tr!("All arrows"),
            help: &tr!("Every disc shows its velocity: an arrow as long as its way in a quarter of a second, and at least as its radius."),
        }
        .switch(
            ui,
            &mut settings.arrows,
            start.arrows,
        );
        Row {
            label: &tr!("Momenta"),
            help: &tr!(
                "Every disc shows its momentum too: on a scale on which a disc of the mean mass has two equal arrows."
            ),
        }
        .switch(ui, &mut settings.momentum, start.momentum);
        Row { label: &tr!("Labels"), help: &tr!("Numbers and words on discs.") }.switch(
            ui,
            &mut settings.labels,
            start.labels,
        );
        Row {
            label: &tr!("Smooth motion"),
            help: &tr!("Draws discs between ticks. Off: exactly where the last tick left them."),
        }
        .switch(ui, &mut settings.interpolate, start.interpolate);
        Row {
            label: &tr!("Hits"),
            help: &tr!("Shows hits as short flashes along their normals; the longer, the harder they were."),
        }
        .switch(ui, &mut settings.hits, start.hits);
        Row {
            label: &tr!("Broad phase"),
            help: &tr!("Shows the cells of the grid that finds candidate pairs, and in the stepped mode the pairs."),
        }
        .switch(ui, &mut settings.grid, start.grid);
        Row { label: &tr!("Title and hints"), help: &tr!("The words over the table.") }.switch(
            ui,
            &mut settings.overlay,
            start.overlay,
        );
    });
    let fit = tip(world, &tr!("Shows the whole scene"), Control::Fit);
    if ui.button(tr!("Fit the view")).on_hover_text(fit).clicked() {
        if let Some(mut viewport) = main_viewport(world) {
            viewport.request_fit();
        }
    }
}
