//! Optional components of a disc or a piece of terrain: every described component that people may add. A number or a
//! vector is shown generically; other types have their rows here.

use core::any::TypeId;
use std::sync::LazyLock;

use bevy::{prelude::*, reflect::ReflectMut};
use bevy_egui::egui::{self, Ui};
use tr::tr;

use super::Optional;
use crate::{
    collision::LIMIT,
    components::{
        AngularVelocity, CollisionLayers, ComponentVisitor, Described, Description, Friction, Inactive, LockedAxes,
        OneWay, Orbit, Oscillation, RestitutionRule, Sensed, Sensor, StableId, SurfaceVelocity, Terrain, TurnTo, acts,
        visit_all,
    },
    editor::is_same,
    notice::mark,
    panel::{field::Field, layers, physics::RULES, widgets::edit_component},
};

/// All of them, in display order.
pub(super) static OPTIONAL: LazyLock<Vec<Optional>> = LazyLock::new(|| {
    struct List(Vec<Optional>);
    impl ComponentVisitor for List {
        fn visit<C: Described>(&mut self) {
            let Description { title, help, .. } = C::DESCRIPTION;
            if title.is_empty() {
                return;
            }
            self.0.push(Optional {
                name: title,
                help,
                fits: |entity| C::first(entity, entity.contains::<Terrain>()).is_some(),
                acts: acts::<C>,
                has: |entity| entity.contains::<C>(),
                add: |entity| {
                    if let Some(first) = C::first((&*entity).into(), entity.contains::<Terrain>()) {
                        entity.insert(first);
                    }
                },
                remove: |entity| _ = entity.remove::<C>(),
                show: rows_of(TypeId::of::<C>()).unwrap_or(show_value::<C>),
            });
        }
    }
    let mut list = List(Vec::new());
    visit_all(&mut list);
    list.0
});

/// The function that shows a component that is neither a number nor a vector.
fn rows_of(component: TypeId) -> Option<fn(&mut Ui, &mut World, Entity)> {
    type Show = fn(&mut Ui, &mut World, Entity);
    let all: [(TypeId, Show); 11] = [
        (TypeId::of::<LockedAxes>(), |ui, world, piece| {
            edit(ui, world, piece, |ui, it: &mut LockedAxes| {
                ui.checkbox(&mut it.translation, tr!("pinned"));
                ui.checkbox(&mut it.rotation, tr!("never turns"));
            });
        }),
        (TypeId::of::<AngularVelocity>(), |ui, world, entity| {
            edit(ui, world, entity, |ui, it: &mut AngularVelocity| {
                Field::of::<AngularVelocity>().number(ui, &mut it.0.z);
            });
        }),
        (TypeId::of::<TurnTo>(), show_turn_to),
        (TypeId::of::<Oscillation>(), show_oscillation),
        (TypeId::of::<Orbit>(), show_orbit),
        (TypeId::of::<OneWay>(), show_one_way),
        (TypeId::of::<Sensor>(), show_sensed),
        (TypeId::of::<CollisionLayers>(), |ui, world, entity| edit(ui, world, entity, layers::show)),
        (TypeId::of::<RestitutionRule>(), show_rule),
        (TypeId::of::<SurfaceVelocity>(), |ui, world, piece| {
            show_value::<SurfaceVelocity>(ui, world, piece);
            show_value::<Friction>(ui, world, piece);
        }),
        (TypeId::of::<Inactive>(), |ui, _, _| _ = ui.weak(tr!("like an open door"))),
    ];
    all.into_iter().find(|(id, _)| *id == component).map(|(_, show)| show)
}

/// Lets `show` edit a component in one line.
fn edit<C: Described>(ui: &mut Ui, world: &mut World, entity: Entity, show: impl FnOnce(&mut Ui, &mut C)) {
    edit_component(world, entity, |it| ui.horizontal(|ui| show(ui, it)));
}

/// A component that is a number or a vector.
fn show_value<C: Described>(ui: &mut Ui, world: &mut World, entity: Entity) {
    let field = Field::of::<C>();
    edit(ui, world, entity, |ui, it: &mut C| {
        let ReflectMut::TupleStruct(it) = it.reflect_mut() else { return };
        let Some(value) = it.field_mut(0) else { return };
        if let Some(value) = value.try_downcast_mut::<f32>() {
            field.number(ui, value);
        } else if let Some(value) = value.try_downcast_mut::<Vec2>() {
            let speed = if C::DESCRIPTION.unit == " m/s" { 0.02 } else { 0.01 };
            field.speed(speed).vector(ui, value);
        }
    });
}

fn show_turn_to(ui: &mut Ui, world: &mut World, piece: Entity) {
    edit(ui, world, piece, |ui, it: &mut TurnTo| {
        let was = it.0.to_degrees();
        let mut degrees = was;
        Field::of::<TurnTo>().number(ui, &mut degrees);
        if !is_same(&degrees, &was) {
            it.0 = degrees.to_radians();
        }
    });
}

fn show_rule(ui: &mut Ui, world: &mut World, entity: Entity) {
    edit(ui, world, entity, |ui, it: &mut RestitutionRule| {
        Field::of::<RestitutionRule>().chooser(ui, &mut it.0, &RULES, |chooser| chooser);
    });
}

fn show_oscillation(ui: &mut Ui, world: &mut World, piece: Entity) {
    let vector = |ui: &mut Ui, name, value: &mut Vec2| Field::new(name, "").unit(" m").vector(ui, value);
    edit(ui, world, piece, |ui, it: &mut Oscillation| vector(ui, tr!("Centre of oscillation"), &mut it.centre));
    edit(ui, world, piece, |ui, it: &mut Oscillation| vector(ui, tr!("Amplitude"), &mut it.amplitude));
    edit(ui, world, piece, |ui, it: &mut Oscillation| {
        let field = Field::new(tr!("Frequency"), tr!("Oscillations per second, Hz"));
        field.unit(" Hz").digits(4).speed(0.005).number(ui, &mut it.frequency);
        let help = tr!("Phase in turns: 0 at the end the amplitude points to, 0.5 at the other end");
        Field::new(tr!("Phase"), help).speed(0.005).number(ui, &mut it.phase);
    });
}

fn show_orbit(ui: &mut Ui, world: &mut World, entity: Entity) {
    edit(ui, world, entity, |ui, it: &mut Orbit| {
        Field::new(tr!("Centre of the orbit"), "").unit(" m").vector(ui, &mut it.centre);
    });
    edit(ui, world, entity, |ui, it: &mut Orbit| {
        let radius = Field::new(tr!("Radius of the orbit"), tr!("How far from the centre it goes around, m"));
        radius.unit(" m").range(0.0..=LIMIT).number(ui, &mut it.radius);
    });
    edit(ui, world, entity, |ui, it: &mut Orbit| {
        let field = Field::new(
            tr!("Frequency of the orbit"),
            tr!("Turns per second, Hz: counter-clockwise, or clockwise if negative"),
        );
        field.unit(" Hz").digits(4).speed(0.005).number(ui, &mut it.frequency);
        let help = tr!("Where it is on the circle, in turns: 0 to the right of the centre, 0.25 above it");
        Field::new(tr!("Phase of the orbit"), help).speed(0.005).number(ui, &mut it.phase);
    });
}

fn show_one_way(ui: &mut Ui, world: &mut World, piece: Entity) {
    edit(ui, world, piece, |ui, it: &mut OneWay| {
        let direction = if let OneWay::Toward(direction) = *it { direction } else { Vec2::Y };
        let ways = [
            (OneWay::Left, mark("to the left")),
            (OneWay::Right, mark("to the right")),
            (OneWay::Toward(direction), mark("toward")),
        ];
        let help = tr!("The side of each wall that discs can pass to");
        let field = Field::new(tr!("One way"), &*help);
        field.chooser(ui, it, &ways, |chooser| chooser).on_hover_text(&help);
    });
    if !matches!(world.get(piece), Some(OneWay::Toward(_))) {
        return;
    }
    edit(ui, world, piece, |ui, it: &mut OneWay| {
        if let OneWay::Toward(direction) = it {
            Field::new(tr!("Toward"), "").vector(ui, direction);
        }
    });
}

/// With more discs than this in a sensor, no numbers are written.
const MOST: usize = 8;

fn show_sensed(ui: &mut Ui, world: &mut World, sensor: Entity) {
    let Some(sensed) = world.get::<Sensed>(sensor) else { return };
    let ids = sensed.iter().filter_map(|&disc| world.get::<StableId>(disc)).map(|id| id.0.to_string());
    let text = match sensed.len() {
        0 => tr!("nothing in it"),
        count if count > MOST => tr!("{} discs in it", count),
        _ => tr!("in it: {}", ids.collect::<Vec<_>>().join(", ")),
    };
    ui.add(egui::Label::new(text).wrap());
}
