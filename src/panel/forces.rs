//! Forces on all moving discs: drag, friction, gravity.

use bevy::prelude::*;
use bevy_egui::egui::Ui;
use tr::tr;

use super::{field::Field, widgets::edit};
use crate::{motion::MotionSettings, scene::CurrentScene};

pub(super) fn show(ui: &mut Ui, world: &mut World) {
    let start = world.get_resource::<CurrentScene>().map(|scene| scene.file.motion.clone()).unwrap_or_default();
    let help = if super::table::applies(world) {
        tr!("Constant deceleration until the disc rests, 0 or more. It adds to the cloth friction of the Table \
            section, so leave it at 0.")
    } else {
        tr!("Constant deceleration until the disc rests, 0 or more, as on billiard cloth.")
    };
    edit(world, |settings: &mut MotionSettings| {
        Field::new(tr!("Drag"), tr!("Deceleration proportional to the speed, 0 or more, as in air or water."))
            .range(0.0..=10.0)
            .unit(" /s")
            .log()
            .beyond()
            .slider(ui, &mut settings.drag, start.drag);
        Field::new(tr!("Friction"), help).range(0.0..=10.0).unit(" m/s²").log().beyond().slider(
            ui,
            &mut settings.friction,
            start.friction,
        );
        let pull =
            |name: String, help: String| Field::new(name, help).range(-20.0..=20.0).unit(" m/s²").digits(2).beyond();
        pull(tr!("Gravity x"), tr!("Acceleration of all discs to the right. Negative: to the left.")).slider(
            ui,
            &mut settings.gravity.x,
            start.gravity.x,
        );
        pull(tr!("Gravity y"), tr!("Acceleration of all discs upward. Earth: −9.81.")).slider(
            ui,
            &mut settings.gravity.y,
            start.gravity.y,
        );
    });
}
