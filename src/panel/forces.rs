//! What acts on every disc while it moves: drag, friction, gravity.

use bevy::prelude::*;
use bevy_egui::egui::Ui;
use tr::tr;

use super::widgets::{Row, SliderRange, edit};
use crate::{motion::MotionSettings, scene::CurrentScene};

pub(super) fn show(ui: &mut Ui, world: &mut World) {
    let start = world.get_resource::<CurrentScene>().map(|scene| scene.file.motion.clone()).unwrap_or_default();
    let help = if super::table::applies(world) {
        tr!(
            "A constant deceleration until the disc rests, 0 or more, besides the friction of the cloth, which is in the section Table: leave it at 0."
        )
    } else {
        tr!("A constant deceleration until the disc rests, 0 or more, as of a billiard cloth.")
    };
    edit(world, |settings: &mut MotionSettings| {
        Row {
            label: &tr!("Drag"),
            help: &tr!("Deceleration in proportion to the speed, 0 or more, as in air or water."),
        }
        .slider(ui, &mut settings.drag, &SliderRange::new(0.0..=10.0, " /s", 3).log().beyond(), start.drag);
        Row { label: &tr!("Friction"), help: &help }.slider(
            ui,
            &mut settings.friction,
            &SliderRange::new(0.0..=10.0, " m/s²", 3).log().beyond(),
            start.friction,
        );
        let pull = SliderRange::new(-20.0..=20.0, " m/s²", 2).beyond();
        Row { label: &tr!("Gravity x"), help: &tr!("Acceleration of all discs to the right; negative: to the left.") }
            .slider(ui, &mut settings.gravity.x, &pull, start.gravity.x);
        Row { label: &tr!("Gravity y"), help: &tr!("Acceleration of all discs upward; the earth's is −9.81.") }.slider(
            ui,
            &mut settings.gravity.y,
            &pull,
            start.gravity.y,
        );
    });
}
