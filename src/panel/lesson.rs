//! The numbers behind a lesson, live, in the words and colours of the articles that it comes from.

use bevy::prelude::*;
use bevy_egui::egui::{self, Color32, RichText, Ui};

use super::widgets::reading;
use crate::{
    collision::{Bodies, CollisionSettings, Disc, combine_restitution, impulse::Anatomy},
    scene::{CurrentScene, Lesson},
    view::theme as picture,
};

fn lesson(world: &World) -> Lesson {
    world.get_resource::<CurrentScene>().map_or(Lesson::None, |scene| scene.file.lesson)
}

pub(super) fn applies(world: &World) -> bool {
    lesson(world) != Lesson::None
}

pub(super) fn show(ui: &mut Ui, world: &mut World) {
    let Some((a, b)) = first_two(world) else {
        ui.weak("This lesson is about two discs: add some with the button in the section of the selected disc.");
        return;
    };
    match lesson(world) {
        Lesson::VectorLab => {
            let default = world.resource::<CollisionSettings>().restitution;
            let e = combine_restitution(a.restitution, b.restitution, default);
            show_anatomy(ui, &a, &b, e);
        }
        Lesson::QuickCheck => show_quick_check(ui, &a, &b),
        Lesson::None => {}
    }
}

/// The two discs with the lowest numbers.
fn first_two(world: &mut World) -> Option<(Disc, Disc)> {
    let bodies = Bodies::of(world);
    (bodies.len() >= 2).then(|| (bodies.get(0), bodies.get(1)))
}

fn vector(v: Vec2) -> String {
    format!("({:.3}, {:.3})", v.x, v.y)
}

/// A line of the table: the name for a, the name for b, what it is, the two values, and their colour.
type Line = (&'static str, &'static str, &'static str, String, String, Color32);

fn show_anatomy(ui: &mut Ui, a: &Disc, b: &Disc, e: f32) {
    let it = Anatomy::of(a, b, e);
    let plain = ui.visuals().text_color();
    let (before, along, across, along_after, after, mirror) = (
        picture::egui(picture::LESSON_BEFORE),
        picture::egui(picture::LESSON_ALONG),
        picture::egui(picture::LESSON_ACROSS),
        picture::egui(picture::LESSON_ALONG_AFTER),
        picture::egui(picture::LESSON_AFTER),
        picture::egui(picture::LESSON_MIRROR),
    );
    reading(ui, "e", "The coefficient of restitution of this pair", format!("{e:.3}"));
    reading(ui, "ab", "From the centre of a to that of b, m", vector(it.ab));
    reading(ui, "n", "ab with length 1", vector(it.n));
    let touch = if it.gap < 0.0 { "they touch" } else { "apart" };
    reading(ui, "gap", "|ab| − ar − br, m: the distance between the rims", format!("{:.4} m, {touch}", it.gap));
    ui.add_space(2.0);
    let number = |v: f32| format!("{v:.4}");
    let lines: [Line; 10] = [
        ("a", "b", "The position, m", vector(a.position), vector(b.position), plain),
        (
            "a moved",
            "b moved",
            "Pushed apart, by the other's share of the mass, m",
            vector(it.a_apart),
            vector(it.b_apart),
            plain,
        ),
        ("av", "bv", "The velocity before, m/s", vector(a.velocity), vector(b.velocity), before),
        ("as", "bs", "The speed along n before, m/s: v · n", number(it.a_s), number(it.b_s), along),
        ("avx", "bvx", "The part along n, before, m/s: n as", vector(it.avx), vector(it.bvx), along),
        ("avy", "bvy", "The part across n, which stays, m/s: av − avx", vector(it.avy), vector(it.bvy), across),
        (
            "as2",
            "bs2",
            "The speed along n after, m/s, from the masses and e",
            number(it.as2),
            number(it.bs2),
            along_after,
        ),
        ("avx2", "bvx2", "The part along n, after, m/s: n as2", vector(it.avx2), vector(it.bvx2), along_after),
        ("av2", "bv2", "The velocity after, m/s: avy + n as2", vector(it.av2), vector(it.bv2), after),
        (
            "mirror",
            "mirror",
            "What a plain mirror reflection would make of it, m/s: not the answer, for masses matter",
            vector(it.a_mirror),
            vector(it.b_mirror),
            mirror,
        ),
    ];
    egui::Grid::new("anatomy").num_columns(4).striped(true).spacing([8.0, 4.0]).show(ui, |ui| {
        for (name_a, name_b, help, value_a, value_b, colour) in lines {
            for (name, value) in [(name_a, value_a), (name_b, value_b)] {
                ui.label(RichText::new(name).color(colour).size(12.5)).on_hover_text(help);
                ui.label(RichText::new(value).color(colour).monospace().size(11.0)).on_hover_text(help);
            }
            ui.end_row();
        }
    });
    ui.weak("Lengths in m, velocities in m/s. Drag the arrows' tips and the discs; the values follow.");
}

fn show_quick_check(ui: &mut Ui, a: &Disc, b: &Disc) {
    let ab = b.position - a.position;
    let (squared, reach) = (ab.length_squared(), a.radius + b.radius);
    let overlap = reach - ab.length();
    let hit = squared < reach * reach;
    let colour = if hit { picture::egui(picture::LESSON_ACROSS) } else { picture::egui(picture::LESSON_AFTER) };
    reading(ui, "ab", "From the centre of a to that of b, m", vector(ab));
    reading(ui, "|ab|²", "The squared distance, m²: no square root is needed to compare", format!("{squared:.4} m²"));
    reading(ui, "(ar + br)²", "The squared sum of the radii, m²", format!("{:.4} m²", reach * reach));
    let verdict = if hit { "|ab|² < (ar + br)²: they overlap" } else { "|ab|² ≥ (ar + br)²: they do not touch" };
    ui.label(RichText::new(verdict).color(colour).strong());
    reading(ui, "overlap", "ar + br − |ab|, m", format!("{:.4} m", overlap.max(0.0)));
    reading(
        ui,
        "half push",
        "How far each is moved back along the line of centres, m",
        format!("{:.4} m", overlap.max(0.0) / 2.0),
    );
}
