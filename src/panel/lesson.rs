//! The numbers behind a lesson, live, in the words and colours of the articles that it comes from.

use bevy::prelude::*;
use bevy_egui::egui::{self, Color32, RichText, Ui};
use tr::tr;

use super::widgets::{Row, SliderRange, edit, reading, usable};
use crate::{
    collision::{CollisionSettings, DiscState, Discs, TimeOfImpact, response::ImpulseBreakdown},
    components::Disc,
    notice::mark,
    number::decimals,
    scene::{CurrentScene, Lesson},
    view::{
        Theme,
        lessons::{
            galperin::{LaneDisc, Tally, expected},
            precise_check::{Moment, verdict},
        },
        theme::egui as ink,
    },
};

fn lesson(world: &World) -> Lesson {
    world.get_resource::<CurrentScene>().map_or(Lesson::NONE, |scene| scene.file.lesson)
}

/// The shipped lessons, and what shows their numbers. A game adds a section for its own.
const LESSONS: [(Lesson, fn(&mut Ui, &mut World)); 4] = [
    (Lesson::VECTOR_LAB, |ui, world| {
        about_two(ui, world, |ui, world, a, b| {
            let e = world.resource::<CollisionSettings>().restitution_between(a.restitution, b.restitution);
            show_breakdown(ui, world.resource::<Theme>(), a, b, e);
        });
    }),
    (Lesson::QUICK_CHECK, |ui, world| {
        about_two(ui, world, |ui, world, a, b| show_quick_check(ui, world.resource::<Theme>(), a, b));
    }),
    (Lesson::PRECISE_CHECK, |ui, world| about_two(ui, world, show_precise_check)),
    (Lesson::GALPERIN, |ui, world| {
        if let Err(error) = world.run_system_cached_with(show_lanes, ui) {
            tracing::warn!("the lanes are not shown: {error}");
        }
    }),
];

/// What shows the numbers of the scene's lesson, if it is a shipped one.
fn shows(world: &World) -> Option<fn(&mut Ui, &mut World)> {
    let running = lesson(world);
    LESSONS.iter().find(|(lesson, _)| lesson.name == running.name).map(|(_, show)| *show)
}

pub(super) fn applies(world: &World) -> bool {
    shows(world).is_some() && world.contains_resource::<Moment>()
}

pub(super) fn show(ui: &mut Ui, world: &mut World) {
    if let Some(show) = shows(world) {
        show(ui, world);
    }
}

/// Shows a lesson about the first two discs, or says that they are missing.
fn about_two(ui: &mut Ui, world: &mut World, show: impl FnOnce(&mut Ui, &mut World, &DiscState, &DiscState)) {
    match first_two(world) {
        Some((a, b)) => show(ui, world, &a, &b),
        None => {
            ui.weak(tr!(
                "This lesson is about two discs: add some with the button in the section of the selected disc."
            ));
        }
    }
}

/// The two discs with the lowest numbers.
fn first_two(world: &mut World) -> Option<(DiscState, DiscState)> {
    let discs = Discs::of(world);
    (discs.len() >= 2).then(|| (discs.get(0), discs.get(1)))
}

fn vector(v: Vec2) -> String {
    format!("({}, {})", decimals(v.x, 3), decimals(v.y, 3))
}

/// A line of the table: the name for a, the name for b, what it is, the two values, and their colour.
type Line = (&'static str, &'static str, &'static str, String, String, Color32);

fn show_breakdown(ui: &mut Ui, theme: &Theme, a: &DiscState, b: &DiscState, e: f32) {
    let it = ImpulseBreakdown::of(a, b, e);
    let plain = ui.visuals().text_color();
    let (before, along, across, along_after, after, mirror) = (
        ink(theme.lesson.before),
        ink(theme.lesson.along),
        ink(theme.lesson.across),
        ink(theme.lesson.along_after),
        ink(theme.lesson.after),
        ink(theme.lesson.mirror),
    );
    reading(ui, "e", &tr!("The coefficient of restitution of this pair"), format!("{e:.3}"));
    reading(ui, "ab", &tr!("From the centre of a to that of b, m"), vector(it.ab));
    reading(ui, "n", &tr!("ab with length 1"), vector(it.n));
    let touch = if it.gap < 0.0 { tr!("they touch") } else { tr!("apart") };
    reading(
        ui,
        &tr!("gap"),
        &tr!("|ab| − ar − br, m: the distance between the rims"),
        format!("{} m, {touch}", decimals(it.gap, 4)),
    );
    ui.add_space(2.0);
    let number = |v: f32| decimals(v, 4);
    let lines: [Line; 10] = [
        ("a", "b", mark("The position, m"), vector(a.position), vector(b.position), plain),
        (
            mark("a moved"),
            mark("b moved"),
            mark("Pushed apart, by the other's share of the mass, m"),
            vector(it.a_apart),
            vector(it.b_apart),
            plain,
        ),
        ("av", "bv", mark("The velocity before, m/s"), vector(a.velocity), vector(b.velocity), before),
        ("as", "bs", mark("The speed along n before, m/s: v · n"), number(it.a_s), number(it.b_s), along),
        ("avx", "bvx", mark("The part along n, before, m/s: n as"), vector(it.avx), vector(it.bvx), along),
        ("avy", "bvy", mark("The part across n, which stays, m/s: av − avx"), vector(it.avy), vector(it.bvy), across),
        (
            "as2",
            "bs2",
            mark("The speed along n after, m/s, from the masses and e"),
            number(it.as2),
            number(it.bs2),
            along_after,
        ),
        ("avx2", "bvx2", mark("The part along n, after, m/s: n as2"), vector(it.avx2), vector(it.bvx2), along_after),
        ("av2", "bv2", mark("The velocity after, m/s: avy + n as2"), vector(it.av2), vector(it.bv2), after),
        (
            mark("mirror"),
            mark("mirror"),
            mark("What a plain mirror reflection would make of it, m/s: not the answer, for masses matter"),
            vector(it.a_mirror),
            vector(it.b_mirror),
            mirror,
        ),
    ];
    // It is wider than a narrow panel.
    egui::ScrollArea::horizontal().show(ui, |ui| {
        egui::Grid::new("anatomy").num_columns(4).striped(true).spacing([8.0, 4.0]).show(ui, |ui| {
            for (name_a, name_b, help, value_a, value_b, colour) in lines {
                for (name, value) in [(name_a, value_a), (name_b, value_b)] {
                    ui.label(RichText::new(tr!(name)).color(colour).size(12.5)).on_hover_text(tr!(help));
                    ui.label(RichText::new(value).color(colour).monospace().size(11.0)).on_hover_text(tr!(help));
                }
                ui.end_row();
            }
        });
    });
    ui.weak(tr!("Lengths in m, velocities in m/s. Drag the arrows' tips and the discs; the values follow."));
}

fn show_quick_check(ui: &mut Ui, theme: &Theme, a: &DiscState, b: &DiscState) {
    let ab = b.position - a.position;
    let (squared, reach) = (ab.length_squared(), a.radius + b.radius);
    let overlap = reach - ab.length();
    let hit = squared < reach * reach;
    let colour = if hit { ink(theme.lesson.across) } else { ink(theme.lesson.after) };
    reading(ui, "ab", &tr!("From the centre of a to that of b, m"), vector(ab));
    reading(
        ui,
        "|ab|²",
        &tr!("The squared distance, m²: no square root is needed to compare"),
        format!("{squared:.4} m²"),
    );
    reading(ui, "(ar + br)²", &tr!("The squared sum of the radii, m²"), format!("{:.4} m²", reach * reach));
    let verdict =
        if hit { tr!("|ab|² < (ar + br)²: they overlap") } else { tr!("|ab|² ≥ (ar + br)²: they do not touch") };
    ui.label(RichText::new(verdict).color(colour).strong());
    reading(ui, &tr!("overlap"), "ar + br − |ab|, m", format!("{:.4} m", overlap.max(0.0)));
    reading(
        ui,
        &tr!("half push"),
        &tr!("How far each is moved back along the line of centres, m"),
        format!("{:.4} m", overlap.max(0.0) / 2.0),
    );
}

fn show_precise_check(ui: &mut Ui, world: &mut World, a: &DiscState, b: &DiscState) {
    let theme = world.resource::<Theme>();
    let frame = Moment::frame();
    let (p, d, sum) = (b.position - a.position, (b.velocity - a.velocity) * frame, a.radius + b.radius);
    let time_of_impact = TimeOfImpact::of(a, b, frame);
    reading(ui, "p", &tr!("From the centre of a to that of b, m"), vector(p));
    reading(ui, "d", &tr!("The velocity of b as a sees it, m per frame"), vector(d));
    reading(ui, "A = d · d", &tr!("What stands with f²"), format!("{:.4} m²", d.length_squared()));
    reading(
        ui,
        "B = 2 p · d",
        &tr!("What stands with f; negative if they approach"),
        format!("{} m²", decimals(2.0 * p.dot(d), 4)),
    );
    reading(
        ui,
        "C = p · p − (ar + br)²",
        &tr!("Negative if they overlap now"),
        format!("{} m²", decimals(p.length_squared() - sum * sum, 4)),
    );
    let times = time_of_impact.times();
    for (k, name, help, colour) in [
        (0, "f0", tr!("When they touch, frames from now"), theme.lesson.after),
        (1, "f1", tr!("When they part if they go through each other, frames from now"), theme.lesson.across),
    ] {
        let text = times.map_or_else(|| tr!("none"), |times| decimals(times[k], 4));
        reading(ui, name, &help, RichText::new(text).color(ink(colour)).strong());
    }
    let verdict = verdict(time_of_impact);
    ui.label(RichText::new(tr!(verdict)).color(ink(theme.lesson.after)).strong());
    ui.add_space(3.0);
    edit(world, |moment: &mut Moment| {
        Row {
            label: &tr!("Time"),
            help: &tr!("The moment at which the white rings show the discs, in frames from now."),
        }
        .slider(ui, &mut moment.0, &SliderRange::new(Moment::RANGE, " f", 2), 0.0);
        ui.horizontal(|ui| {
            let moments = [
                (tr!("At contact"), tr!("The moment at which they touch")),
                (tr!("At separation"), tr!("The moment at which they part")),
            ];
            for (k, (name, help)) in moments.into_iter().enumerate() {
                let time = times.map(|times| times[k] as f32).filter(|time| Moment::RANGE.contains(time));
                let button = usable(ui, time.is_some(), |ui| ui.button(name));
                let button =
                    button.on_hover_text(help).on_disabled_hover_text(tr!("It is not within the slider's range"));
                if let (true, Some(time)) = (button.clicked(), time) {
                    moment.0 = time;
                }
            }
        });
    });
    ui.weak(tr!("A frame is a second here. Drag the arrows' tips and the discs; the values follow."));
}

fn show_lanes(ui: InMut<Ui>, tally: Res<Tally>, discs: Query<LaneDisc, With<Disc>>) {
    let ui = ui.0;
    egui::Grid::new("lanes").num_columns(3).striped(true).spacing([18.0, 4.0]).show(ui, |ui| {
        for title in [tr!("mass"), tr!("collisions"), tr!("of")] {
            ui.weak(title);
        }
        ui.end_row();
        for lane in tally.lanes(&discs) {
            ui.label(format!("{} : 1", lane.ratio));
            ui.label(RichText::new(lane.count.to_string()).strong());
            ui.weak(expected(lane.ratio).to_string()).on_hover_text(tr!("The whole number below π / atan √(m / M)"));
            ui.end_row();
        }
    });
    ui.weak(tr!("In the plane of the two scaled positions the discs are a point between two mirrors at the angle atan √(m / M): \
             unfolded, its path is a straight line that crosses them π over that angle times (Galperin 2003)."));
}
