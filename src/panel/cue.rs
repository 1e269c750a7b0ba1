//! The cue: its tip position, its elevation, and a shot with numbers.

use bevy::prelude::*;
use bevy_egui::egui::{self, Sense, Ui};
use tr::tr;

use super::{
    field::Field,
    widgets::{edit, tip},
};
use crate::{
    collision::{CollisionSettings, SolverMode, spin::TablePhysics},
    components::{AngularVelocity, Ball, Disc},
    editor::is_same,
    input::{
        Aim, Controls, CueSettings,
        actions::{Control, KeyMap},
        shot::cue::STEEPEST,
    },
    view::{Named, Theme, theme::egui as ink},
};

/// If discs spin.
pub(super) fn applies(world: &World) -> bool {
    world.contains_resource::<TablePhysics>()
        && world.contains_resource::<CueSettings>()
        && world
            .try_query_filtered::<(), (With<Disc>, With<AngularVelocity>)>()
            .is_some_and(|mut spinning| spinning.iter(world).next().is_some())
}

/// Whether the shot is of a flat disc: the aimed disc, or else every disc that spins. The tip then hits its rim, and
/// only the side counts.
fn is_flat(world: &World) -> bool {
    let aim = world.resource::<Aim>();
    match aim.shot.map(|shot| shot.disc).or(aim.by_numbers.map(|shot| shot.disc)) {
        Some(disc) => world.get::<Ball>(disc).is_none(),
        None => world
            .try_query_filtered::<(), (With<Disc>, With<Ball>)>()
            .is_none_or(|mut balls| balls.iter(world).next().is_none()),
    }
}

pub(super) fn show(ui: &mut Ui, world: &mut World) {
    let start = CueSettings::default();
    let theme = world.resource::<Theme>().clone();
    let is_flat = is_flat(world);
    let keys = world.get_resource::<KeyMap>().cloned().unwrap_or_default();
    let [raise, lower] = [Control::RaiseCue, Control::LowerCue].map(|control| keys.words(control));
    let flies = world.resource::<TablePhysics>().flight.is_some()
        && world.get_resource::<CollisionSettings>().is_some_and(|settings| settings.mode == SolverMode::Continuous);
    let elevation = tr!(
        "How far the butt of the cue is raised. With side, the ball curves: swerve, or massé if steep. Where balls fly, \
         it jumps. The cue is raised automatically over a ball or rail in its way. While a shot is aimed: {} and {}.",
        raise,
        lower
    );
    edit(world, |settings: &mut CueSettings| {
        ui.horizontal(|ui| {
            show_ball(ui, settings, is_flat, &theme);
            show_elevation(ui, settings, &theme);
        });
        let limit = settings.cue.miscue_limit as f32;
        Field::new(
            tr!("Side"),
            tr!("How far right of the centre the tip hits, in ball radii: right or left english. The ball squirts \
                slightly to the other side."),
        )
        .range(-limit..=limit)
        .unit(" R")
        .digits(2)
        .slider(ui, &mut settings.side, start.side);
        if !is_flat {
            Field::new(
                tr!("Top"),
                tr!("How far above the centre the tip hits, in ball radii: follow above, draw below. At 0.4 the ball \
                    rolls at once."),
            )
            .range(-limit..=limit)
            .unit(" R")
            .digits(2)
            .slider(ui, &mut settings.top, start.top);
        }
        Field::new(tr!("Elevation"), elevation).range(0.0..=STEEPEST).unit("°").digits(1).slider(
            ui,
            &mut settings.elevation,
            start.elevation,
        );
        if settings.elevation > 0.0 && !is_flat && !flies {
            ui.weak(tr!(
                "Balls do not jump here. They do in the continuous mode, with Flight on in the section Table."
            ));
        }
        let itself = ui.collapsing(tr!("Cue properties"), |ui| {
            Field::new(tr!("Cue mass"), tr!("Pool cues weigh 0.5 to 0.6 kg.")).range(0.1..=1.0).unit(" kg").slider(
                ui,
                &mut settings.cue.mass,
                start.cue.mass,
            );
            Field::new(tr!("Tip restitution"), tr!("0.71 to 0.75 for leather tips, 0.81 to 0.87 for phenolic tips."))
                .digits(2)
                .slider(ui, &mut settings.cue.tip_restitution, start.cue.tip_restitution);
            Field::new(
                tr!("End mass"),
                tr!("Mass of the end of the shaft, which is pushed aside with the ball and causes squirt. 0: no \
                    squirt."),
            )
            .range(0.0..=0.05)
            .unit(" kg")
            .digits(4)
            .slider(ui, &mut settings.cue.end_mass, start.cue.end_mass);
            Field::new(
                tr!("Miscue limit"),
                tr!("How far from the centre the tip can hit before it slips off, in ball radii."),
            )
            .range(0.1..=0.9)
            .unit(" R")
            .digits(2)
            .slider(ui, &mut settings.cue.miscue_limit, start.cue.miscue_limit);
        });
        itself.header_response.on_hover_text(tr!("Mass, tip and miscue limit"));
    });
    show_numbers(ui, world);
}

/// The ball from the player's view. Drag to set the tip position, which stays within the circle. A flat disc has no top
/// and no bottom.
fn show_ball(ui: &mut Ui, settings: &mut CueSettings, is_flat: bool, theme: &Theme) {
    const SIZE: f32 = 150.0;
    let (area, response) = ui.allocate_exact_size(egui::Vec2::splat(SIZE), Sense::click_and_drag());
    let response = response.named(tr!("Tip position"));
    let (centre, radius) = (area.center(), 0.5 * SIZE - 4.0);
    let limit = settings.cue.miscue_limit as f32;
    if let Some(at) = response.interact_pointer_pos() {
        let mut tip = Vec2::new(at.x - centre.x, if is_flat { 0.0 } else { centre.y - at.y }) / radius;
        tip = tip.clamp_length_max(limit * 0.9999);
        // Snaps to the centre and to the two lines through it.
        for part in [&mut tip.x, &mut tip.y] {
            if part.abs() < 0.025 {
                *part = 0.0;
            }
        }
        settings.side = tip.x;
        if !is_flat {
            settings.top = tip.y;
        }
    }
    if response.double_clicked() {
        (settings.side, settings.top) = (0.0, 0.0);
    }
    let painter = ui.painter_at(area);
    painter.circle_filled(centre, radius, ink(theme.balls.white));
    let thin = egui::Stroke::new(1.0, ink(theme.balls.white.mix(&theme.balls.number, 0.25)));
    painter.line_segment([centre - egui::vec2(radius, 0.0), centre + egui::vec2(radius, 0.0)], thin);
    if !is_flat {
        painter.line_segment([centre - egui::vec2(0.0, radius), centre + egui::vec2(0.0, radius)], thin);
    }
    painter.circle_stroke(centre, limit * radius, egui::Stroke::new(1.5, ink(theme.aim.strong)));
    painter.circle_stroke(centre, radius, egui::Stroke::new(1.5, ink(theme.panel.raised)));
    let tip = centre + egui::vec2(settings.side, if is_flat { 0.0 } else { -settings.top }) * radius;
    painter.circle_filled(tip, 9.0, ink(theme.cue.tip));
    painter.circle_stroke(tip, 9.0, egui::Stroke::new(1.5, ink(theme.text.accent)));
    // During a drag, a tooltip would cover the numbers below.
    if !response.is_pointer_button_down_on() {
        response.on_hover_text(tr!(
            "Drag to choose where the tip hits the ball. Outside the circle it slips off. Double-click: centre."
        ));
    }
}

/// The cue from the side.
fn show_elevation(ui: &mut Ui, settings: &mut CueSettings, theme: &Theme) {
    const SIZE: egui::Vec2 = egui::vec2(96.0, 150.0);
    let (area, response) = ui.allocate_exact_size(SIZE, Sense::click_and_drag());
    let response = response.named(tr!("Side view of the cue"));
    let foot = area.left_bottom() + egui::vec2(14.0, -36.0);
    if let Some(at) = response.interact_pointer_pos() {
        let away = at - foot;
        let angle = bevy::math::ops::atan2(-away.y, away.x.max(0.0)).to_degrees();
        settings.elevation = if angle < 2.0 { 0.0 } else { angle.min(STEEPEST).round() };
    }
    if response.double_clicked() {
        settings.elevation = 0.0;
    }
    let painter = ui.painter_at(area);
    let (sin, cos) = bevy::math::ops::sin_cos(settings.elevation.to_radians());
    let along = egui::vec2(cos, -sin);
    let soft = egui::Stroke::new(1.0, ink(theme.panel.raised));
    painter.line_segment([foot + egui::vec2(-10.0, 12.0), foot + egui::vec2(80.0, 12.0)], soft);
    painter.circle(foot, 11.0, ink(theme.balls.white), egui::Stroke::new(1.0, ink(theme.text.soft)));
    painter.line_segment([foot + along * 13.0, foot + along * 78.0], egui::Stroke::new(4.0, ink(theme.cue.shaft)));
    painter.text(
        foot + egui::vec2(80.0, 16.0),
        egui::Align2::RIGHT_TOP,
        format!("{:.0}°", settings.elevation),
        egui::FontId::proportional(14.0),
        ink(theme.text.first),
    );
    response.on_hover_text(tr!("Drag to raise the butt of the cue. Double-click: level."));
}

/// A shot with numbers: direction and speed can be typed.
fn show_numbers(ui: &mut Ui, world: &mut World) {
    let Some(mut by_numbers) = world.resource::<Aim>().by_numbers else {
        let help = tip(world, &tr!("Sets direction and speed by numbers or keys"), Control::SetUpShot);
        let may_shoot = world.get_resource::<Controls>().is_none_or(|controls| controls.shoot);
        if ui.add_enabled(may_shoot, egui::Button::new(tr!("Set up a shot"))).on_hover_text(help).clicked() {
            world.resource_mut::<Aim>().set_up();
        }
        return;
    };
    let keys = world.get_resource::<KeyMap>().cloned().unwrap_or_default();
    let [left, right, fine] = [Control::TurnLeft, Control::TurnRight, Control::FineSteps].map(|it| keys.words(it));
    let [faster, slower, wheel] =
        [Control::ShotFaster, Control::ShotSlower, Control::ShotSpeed].map(|it| keys.words(it));
    let direction = tr!("Degrees counter-clockwise from the right. {} and {}: 0.1°, with {} 0.01°.", left, right, fine);
    let speed = tr!("{} and {}, or {}.", faster, slower, wheel);
    let before = by_numbers;
    let mut play = false;
    ui.horizontal(|ui| {
        let direction = Field::new(tr!("Direction"), direction).unit("°").digits(2).speed(0.1).range(-180.0..=180.0);
        let speed = Field::new(tr!("Speed"), speed).unit(" m/s").digits(2).speed(0.02).range(0.0..=100.0);
        ui.label(tr!("Direction"));
        direction.number(ui, &mut by_numbers.angle);
        ui.label(tr!("Speed"));
        speed.number(ui, &mut by_numbers.speed);
        play = ui
            .button(tr!("Shoot"))
            .on_hover_text(keys.tip(&tr!("Plays the shot that is set up"), Control::Shoot))
            .clicked();
    });
    if !is_same(&by_numbers, &before) {
        world.resource_mut::<Aim>().by_numbers = Some(by_numbers);
    }
    if play {
        world.resource_mut::<Aim>().play();
    }
}
