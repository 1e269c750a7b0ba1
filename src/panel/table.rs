//! The table: friction of the cloth and between balls, and the cushions.

use bevy::prelude::*;
use bevy_egui::egui::Ui;
use tr::tr;

use super::{field::Field, widgets::edit};
use crate::{
    collision::spin::{
        Cloth, FlightPhysics, TablePhysics,
        cushion::{Cushion, CushionModel, CushionRestitution},
        pair::PairFriction,
    },
    components::{AngularVelocity, Disc},
    editor::is_same,
    notice::mark,
    scene::SceneStart,
};

/// If there is a table.
pub(super) fn applies(world: &World) -> bool {
    world.contains_resource::<TablePhysics>()
}

/// The initial coefficient when a speed-independent one is chosen: the middle of the measured range.
const CONSTANT: f32 = 0.06;

/// Whether every wall acts as a cushion in the current scene: there is a table, and every disc spins.
pub(super) fn has_cushions_only(world: &World) -> bool {
    applies(world)
        && world
            .try_query_filtered::<(), (With<Disc>, Without<AngularVelocity>)>()
            .is_none_or(|mut smooth| smooth.iter(world).next().is_none())
}

/// The table of the scene, or else the default one.
pub(super) fn of_scene(world: &World) -> TablePhysics {
    world.get_resource::<SceneStart>().and_then(|start| start.table.clone()).unwrap_or_default()
}

pub(super) fn show(ui: &mut Ui, world: &mut World) {
    let start = of_scene(world);
    edit(world, |table: &mut TablePhysics| {
        let sliding = table.cloth.sliding;
        show_cloth(ui, &mut table.cloth, &start.cloth);
        // A nose presses the ball onto the same cloth.
        if !is_same(&table.cloth.sliding, &sliding) {
            table.cushion.cloth_friction = table.cloth.sliding;
        }
        show_balls(ui, &mut table.balls, start.balls);
        show_flight(ui, &mut table.flight, start.flight);
        show_cushions(ui, &mut table.cushion, &start.cushion);
    });
}

fn show_cloth(ui: &mut Ui, cloth: &mut Cloth, start: &Cloth) {
    Field::new(
        tr!("Sliding"),
        tr!("Coefficient of friction of a ball sliding on the cloth: 0.15 to 0.4. The higher, the sooner it rolls."),
    )
    .beyond()
    .slider(ui, &mut cloth.sliding, start.sliding);
    Field::new(tr!("Rolling"), tr!("Coefficient of friction of a rolling ball: 0.005 (fast cloth) to 0.015 (slow)."))
        .range(0.0..=0.1)
        .digits(4)
        .log()
        .beyond()
        .slider(ui, &mut cloth.rolling, start.rolling);
    Field::new(tr!("Spinning"), tr!("How much the cloth slows spin about the vertical axis: 5 to 15 rad/s²."))
        .range(0.0..=50.0)
        .unit(" rad/s²")
        .digits(1)
        .beyond()
        .slider(ui, &mut cloth.spinning, start.spinning);
}

fn show_balls(ui: &mut Ui, balls: &mut PairFriction, start: PairFriction) {
    let kind = |friction: &PairFriction| match friction {
        PairFriction::None => 0,
        PairFriction::Constant(_) => 1,
        PairFriction::Alciatore => 2,
    };
    let mut chosen = kind(balls);
    let kinds = [(0, mark("none")), (1, mark("constant")), (2, mark("by speed (Alciatore)"))];
    Field::new(
        tr!("Ball on ball"),
        tr!("Friction between balls throws the object ball off the line of centres and transfers spin. Measurements \
            show less friction at faster slip."),
    )
    .choice(ui, &mut chosen, &kinds, kind(&start));
    if chosen != kind(balls) {
        *balls = match (chosen, start) {
            (0, _) => PairFriction::None,
            (1, PairFriction::Constant(_)) => start,
            (1, _) => PairFriction::Constant(CONSTANT),
            _ => PairFriction::Alciatore,
        };
    }
    if let PairFriction::Constant(coefficient) = balls {
        let default = if let PairFriction::Constant(start) = start { start } else { CONSTANT };
        Field::new(tr!("Coefficient"), tr!("Coefficient of friction between balls: 0.03 to 0.08."))
            .range(0.0..=0.5)
            .beyond()
            .slider(ui, coefficient, default);
    }
}

fn show_flight(ui: &mut Ui, flight: &mut Option<FlightPhysics>, start: Option<FlightPhysics>) {
    let first = start.unwrap_or_default();
    let mut flies = flight.is_some();
    Field::new(
        tr!("Flight"),
        tr!("Balls leave the cloth: an elevated cue makes them jump, they bounce on the slate, and they pass over \
            others. Only in the continuous mode."),
    )
    .switch(ui, &mut flies, start.is_some());
    if flies != flight.is_some() {
        *flight = flies.then_some(first);
    }
    if let Some(flight) = flight {
        Field::new(
            tr!("Slate restitution"),
            tr!("Share of its vertical speed that a ball keeps when it bounces on the slate, 0 to 1. Measured: 0.5."),
        )
        .digits(2)
        .slider(ui, &mut flight.slate_restitution, first.slate_restitution);
    }
}

fn show_cushions(ui: &mut Ui, cushion: &mut Cushion, start: &Cushion) {
    Field::new(
        tr!("Cushions"),
        tr!("Cushion model. Mirror: frictionless. Half space: rigid, with friction. Stronge: compliant along the \
            nose. Mathavan: friction at nose and cloth together. Han: friction depends on the angle."),
    )
    .choice(ui, &mut cushion.model, &CushionModel::ALL, start.model);
    let by_speed = |restitution: &CushionRestitution| *restitution == CushionRestitution::Han;
    let (mut chosen, first) = (by_speed(&cushion.restitution), by_speed(&start.restitution));
    Field::new(tr!("Rebound"), tr!("Cushion restitution: constant, or depending on speed as measured by Han.")).choice(
        ui,
        &mut chosen,
        &[(false, mark("constant")), (true, mark("by speed (Han)"))],
        first,
    );
    if chosen != by_speed(&cushion.restitution) {
        cushion.restitution = match (chosen, start.restitution) {
            (true, _) => CushionRestitution::Han,
            (false, CushionRestitution::Han) => CushionRestitution::default(),
            (false, constant) => constant,
        };
    }
    if let CushionRestitution::Constant(e) = &mut cushion.restitution {
        let default = if let CushionRestitution::Constant(start) = start.restitution { start } else { 0.85 };
        Field::new(
            tr!("Cushion restitution"),
            tr!("Share of the speed towards the cushion that a ball keeps, 0 (dead) to 1. Typical: 0.6 to 0.9."),
        )
        .digits(2)
        .slider(ui, e, default);
    }
    Field::new(tr!("Nose friction"), tr!("Coefficient of friction between ball and cushion."))
        .digits(2)
        .beyond()
        .slider(ui, &mut cushion.friction, start.friction);
    Field::new(
        tr!("Nose height"),
        tr!("Height of the cushion nose, as a share of the ball's diameter: 0.635 for pool, 0.6 for carom."),
    )
    .range(0.5..=0.9)
    .unit(" D")
    .slider(ui, &mut cushion.nose_height, start.nose_height);
}
