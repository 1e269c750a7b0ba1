//! How collisions are answered: restitution, push-apart, resting speed.

use bevy::prelude::*;
use bevy_egui::egui::Ui;

use super::widgets::{Row, Spread, edit};
use crate::{collision::CollisionSettings, scene::CurrentScene};

pub(super) fn show(ui: &mut Ui, world: &mut World) {
    let start = world.get_resource::<CurrentScene>().map(|scene| scene.file.collision.clone()).unwrap_or_default();
    edit(world, |settings: &mut CollisionSettings| {
        let share = Spread::new(0.0..=1.0, "", 3);
        Row {
            label: "Disc – disc",
            help: "Coefficient of restitution between discs, 0 to 1: at 1 they part as fast as they met, at 0 they stay \
                   together.",
        }
        .slider(ui, &mut settings.restitution, &share, start.restitution);
        Row {
            label: "Disc – wall",
            help: "Coefficient of restitution between a disc and terrain, 0 to 1. The smaller value holds where a disc or \
                   a wall carries one of its own.",
        }
        .slider(ui, &mut settings.wall_restitution, &share, start.wall_restitution);
        Row {
            label: "Push apart",
            help: "Whether overlapping discs are moved apart, the lighter one further. Without it they can stay \
                   entangled. Terrain always pushes.",
        }
        .switch(ui, &mut settings.push_apart, start.push_apart);
        ui.add_enabled_ui(settings.push_apart, |ui| {
            Row {
                label: "Push share",
                help: "The share of an overlap that one substep removes, 0 to 1. Less than 1 is gentler on crowds.",
            }
            .slider(ui, &mut settings.push_apart_share, &share, start.push_apart_share);
        });
        Row {
            label: "Resting speed",
            help: "Hits slower than this, along the line of centres, do not bounce, and under gravity discs that lie on \
                   each other are held by springs, so that piles come to rest. 0 obeys the restitution at every speed.",
        }
        .slider(
            ui,
            &mut settings.resting_speed,
            &Spread::new(0.0..=2.0, " m/s", 3).log().beyond(),
            start.resting_speed,
        );
        ui.add_enabled_ui(settings.resting_speed > 0.0, |ui| {
            Row {
                label: "Sleep speed",
                help: "Discs at rest that are slower than this, with the forces on them in balance, sleep until something \
                       comes near. 0: none sleeps.",
            }
            .slider(
                ui,
                &mut settings.sleep_speed,
                &Spread::new(0.0..=0.1, " m/s", 4).log().beyond(),
                start.sleep_speed,
            );
        });
    });
}
