//! Collision settings: mode, restitution, push-apart, resting speed. Substeps, budgets and periodic edges are under
//! *Advanced*.

use bevy::prelude::*;
use bevy_egui::egui::{self, Ui};
use tr::tr;

use super::{
    field::Field,
    periodic, presets,
    table::{self, has_cushions_only},
    widgets::{edit, usable},
};
use crate::{
    collision::{CollisionSettings, CombineRule, SolverMode},
    notice::mark,
    scene::CurrentScene,
};

pub(super) fn show(ui: &mut Ui, world: &mut World) {
    let start = world.get_resource::<CurrentScene>().map(|scene| scene.file.collision.clone()).unwrap_or_default();
    presets::show_row(ui, world);
    let cushions = has_cushions_only(world);
    let (has_table, mut switched_on) = (table::applies(world), [false; 2]);
    edit(world, |settings: &mut CollisionSettings| {
        Field::new(
            tr!("Mode"),
            tr!(
                "Stepped: discs move for a substep, then overlaps are resolved. For gases and piles. Continuous: each \
                impact at its exact time, earliest first. For billiards. The section Stepped and continuous compares \
                their errors."
            ),
        )
        .choice(ui, &mut settings.mode, &SolverMode::ALL, start.mode);
        Field::new(
            tr!("Disc – disc"),
            tr!("Coefficient of restitution between discs. At 1 they separate as fast as they met. At 0 they stay \
                together."),
        )
        .slider(ui, &mut settings.restitution, start.restitution);
        let help = if cushions {
            tr!("Has no effect on this table. Balls rebound by the Cushion restitution of the Table section, or by \
                the ball's or cushion's own value.")
        } else {
            tr!("Coefficient of restitution between a disc and terrain, 0 to 1. A value set on the disc or on the \
                terrain takes precedence.")
        };
        usable(ui, !cushions, |ui| {
            let (e, default) = (&mut settings.terrain_restitution, start.terrain_restitution);
            Field::new(tr!("Disc – terrain"), help).slider(ui, e, default);
        });
        Field::new(
            tr!("Push apart"),
            tr!("Moves overlapping discs apart, the lighter one further. When off, discs can stay entangled. Terrain \
                always pushes."),
        )
        .switch(ui, &mut settings.push_apart, start.push_apart);
        let stepped = settings.mode == SolverMode::Stepped;
        Field::new(
            tr!("Resting speed"),
            tr!("Hits slower than this along the line of centres do not bounce. Under gravity, springs then hold \
                stacked discs, so that piles come to rest. 0: the restitution applies at every speed."),
        )
        .range(0.0..=2.0)
        .unit(" m/s")
        .digits(4)
        .log()
        .beyond()
        .slider(ui, &mut settings.resting_speed, start.resting_speed);
        usable(ui, settings.resting_speed > 0.0 && stepped, |ui| {
            Field::new(
                tr!("Sleep speed"),
                tr!("Resting discs slower than this, with balanced forces, sleep until something comes near. 0: none \
                    sleep."),
            )
            .range(0.0..=0.1)
            .unit(" m/s")
            .digits(4)
            .log()
            .beyond()
            .slider(ui, &mut settings.sleep_speed, start.sleep_speed);
        });
        let advanced = egui::CollapsingHeader::new(tr!("Advanced")).id_salt("advanced collisions").show(ui, |ui| {
            show_advanced(ui, settings, &start);
            if !has_table {
                switched_on = periodic::show(ui, &mut settings.periodic, &start.periodic);
            }
        });
        advanced
            .header_response
            .on_hover_text(tr!("Combining restitutions, substeps, push share, impact budget and periodic edges"));
    });
    if switched_on != [false; 2] {
        periodic::fit(world, switched_on);
    }
}

/// The rules for combining two coefficients of restitution, with their displayed words.
pub(super) const RULES: [(CombineRule, &str); 4] = [
    (CombineRule::Smallest, mark("the smaller one")),
    (CombineRule::Largest, mark("the larger one")),
    (CombineRule::Product, mark("their product")),
    (CombineRule::Mean, mark("their mean")),
];

/// Rarely needed settings: the rule for combining restitutions, the share of overlap removed per substep, the number of
/// substeps, and the solver's budgets.
fn show_advanced(ui: &mut Ui, settings: &mut CollisionSettings, start: &CollisionSettings) {
    Field::new(
        tr!("Combine"),
        tr!("How two coefficients of restitution combine if both sides of a hit have their own."),
    )
    .choice(ui, &mut settings.restitution_rule, &RULES, start.restitution_rule);
    let stepped = settings.mode == SolverMode::Stepped;
    usable(ui, stepped, |ui| {
        Field::new(
            tr!("Substeps"),
            tr!("Substeps per tick in the stepped mode, 1 to 64. More substeps catch faster discs and settle piles \
                better."),
        )
        .range(1..=CollisionSettings::MAX_SUBSTEPS)
        .digits(0)
        .log()
        .slider(ui, &mut settings.substeps, start.substeps);
    });
    usable(ui, settings.push_apart && stepped, |ui| {
        Field::new(
            tr!("Push share"),
            tr!("Share of an overlap removed per substep, 0 to 1. Values below 1 are gentler on crowds."),
        )
        .slider(ui, &mut settings.push_apart_share, start.push_apart_share);
    });
    usable(ui, !stepped, |ui| {
        Field::new(
            tr!("Budget"),
            tr!("Impacts allowed per disc and tick in the continuous mode. After that, the solver stops the disc. \
                Only endless impacts come near this limit; the readouts count them."),
        )
        .range(1..=100_000)
        .digits(0)
        .log()
        .slider(ui, &mut settings.impact_budget, start.impact_budget);
    });
}
