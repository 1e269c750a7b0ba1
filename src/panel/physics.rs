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
        Field::new(tr!("Mode"), tr!("Stepped: discs move for a substep, and what overlaps then is resolved; for gases and piles. Continuous: the \
                   earliest impact first, at its exact time, so that nothing is missed; for billiards. The section Stepped and \
                   continuous shows what each gets wrong.")).choice(ui, &mut settings.mode, &SolverMode::ALL, start.mode);
        Field::new(
            tr!("Disc – disc"),
            tr!(
                "Coefficient of restitution between discs, 0 to 1: at 1 they part as fast as they met, at 0 they stay \
                   together."
            ),
        )
        .slider(ui, &mut settings.restitution, start.restitution);
        let help = if cushions {
            tr!(
                "On this table it does nothing: balls rebound by the Cushion restitution of the section Table, or by one that they or the cushion carry."
            )
        } else {
            tr!(
                "Coefficient of restitution between a disc and terrain, 0 to 1. Where a disc or a wall carries one of its own, that one holds."
            )
        };
        usable(ui, !cushions, |ui| {
            let (e, default) = (&mut settings.wall_restitution, start.wall_restitution);
            Field::new(tr!("Disc – wall"), help).slider(ui, e, default);
        });
        Field::new(
            tr!("Push apart"),
            tr!("Whether overlapping discs are moved apart, the lighter one further. Without it they can stay \
                   entangled. Terrain always pushes."),
        )
        .switch(ui, &mut settings.push_apart, start.push_apart);
        let stepped = settings.mode == SolverMode::Stepped;
        Field::new(
            tr!("Resting speed"),
            tr!(
                "Hits slower than this, along the line of centres, do not bounce, and under gravity discs that lie on \
                   each other are held by springs, so that piles come to rest. 0 obeys the restitution at every speed."
            ),
        )
        .range(0.0..=2.0)
        .unit(" m/s")
        .digits(4)
        .log()
        .beyond()
        .slider(ui, &mut settings.resting_speed, start.resting_speed);
        usable(ui, settings.resting_speed > 0.0 && stepped, |ui| {
            Field::new(tr!("Sleep speed"), tr!("Discs at rest that are slower than this, with the forces on them in balance, sleep until something \
                       comes near. 0: none sleeps.")).range(0.0..=0.1).unit(" m/s").digits(4).log().beyond().slider(ui, &mut settings.sleep_speed, start.sleep_speed);
        });
        let advanced = egui::CollapsingHeader::new(tr!("Advanced")).id_salt("advanced collisions").show(ui, |ui| {
            show_advanced(ui, settings, &start);
            if !has_table {
                switched_on = periodic::show(ui, &mut settings.periodic, &start.periodic);
            }
        });
        advanced.header_response.on_hover_text(tr!(
            "What becomes of two restitutions, substeps, the share of a push, when the solver gives up, and edges that lead to the other side"
        ));
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
        tr!("What becomes of two coefficients of restitution, where both sides of a hit carry one of their own."),
    )
    .choice(ui, &mut settings.restitution_rule, &RULES, start.restitution_rule);
    let stepped = settings.mode == SolverMode::Stepped;
    usable(ui, stepped, |ui| {
        Field::new(tr!("Substeps"), tr!("How many steps a tick of the stepped mode is divided into, 1 to 64. More of them catch faster discs and \
                   settle piles better.")).range(1..=CollisionSettings::MAX_SUBSTEPS).digits(0).log().slider(ui, &mut settings.substeps, start.substeps);
    });
    usable(ui, settings.push_apart && stepped, |ui| {
        Field::new(
            tr!("Push share"),
            tr!("The share of an overlap that one substep removes, 0 to 1. Less than 1 is gentler on crowds."),
        )
        .slider(ui, &mut settings.push_apart_share, start.push_apart_share);
    });
    usable(ui, !stepped, |ui| {
        Field::new(tr!("Budget"), tr!("How many impacts a disc may have within a tick of the continuous mode before the solver stops it against \
                   what it touches. Only impacts that never end come near it; the readouts count the discs.")).range(1..=100_000).digits(0).log().slider(ui, &mut settings.impact_budget, start.impact_budget);
    });
}
