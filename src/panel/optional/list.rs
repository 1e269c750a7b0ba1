//! What a disc or a piece of terrain may have besides what all of its kind have: every component that is described as
//! one that people may add. A number, or a vector, is shown as such; what is more has its own rows here.

use core::any::TypeId;
use std::sync::LazyLock;

use bevy::{prelude::*, reflect::ReflectMut};
use bevy_egui::egui::{self, DragValue, Ui};
use tr::tr;

use super::{Optional, amount, edit};
use crate::{
    components::{
        AngularVelocity, CollisionLayers, ComponentVisitor, Described, Description, Friction, Inactive, LockedAxes,
        OneWay, Oscillation, RestitutionRule, Sensed, Sensor, StableId, SurfaceVelocity, Terrain, TurnTo, acts,
        visit_all,
    },
    editor::is_same,
    panel::{
        layers,
        physics::RULES,
        widgets::{number, pair},
    },
    view::Named,
};

/// All of them, in the order in which they are shown.
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

/// What shows the components that are more than a number or a vector.
fn rows_of(component: TypeId) -> Option<fn(&mut Ui, &mut World, Entity)> {
    type Show = fn(&mut Ui, &mut World, Entity);
    let all: [(TypeId, Show); 10] = [
        (TypeId::of::<LockedAxes>(), |ui, world, piece| {
            edit(ui, world, piece, |ui, it: &mut LockedAxes| {
                ui.checkbox(&mut it.translation, tr!("pinned"));
                ui.checkbox(&mut it.rotation, tr!("never turns"));
            });
        }),
        (TypeId::of::<AngularVelocity>(), |ui, world, entity| {
            edit(ui, world, entity, |ui, it: &mut AngularVelocity| amount(ui, &tr!("Turning"), &mut it.0.z, " rad/s"));
        }),
        (TypeId::of::<TurnTo>(), show_turn_to),
        (TypeId::of::<Oscillation>(), show_oscillation),
        (TypeId::of::<OneWay>(), show_one_way),
        (TypeId::of::<Sensor>(), show_sensed),
        (TypeId::of::<CollisionLayers>(), |ui, world, entity| edit(ui, world, entity, layers::show)),
        (TypeId::of::<RestitutionRule>(), show_rule),
        (TypeId::of::<SurfaceVelocity>(), |ui, world, piece| {
            show_value::<SurfaceVelocity>(ui, world, piece);
            show_value::<Friction>(ui, world, piece);
        }),
        (TypeId::of::<Inactive>(), |ui, _, _| _ = ui.weak(tr!("an open door"))),
    ];
    all.into_iter().find(|(id, _)| *id == component).map(|(_, show)| show)
}

/// A component that is a number or a vector.
fn show_value<C: Described>(ui: &mut Ui, world: &mut World, entity: Entity) {
    let Description { title, unit, .. } = C::DESCRIPTION;
    let name = tr!(title);
    edit(ui, world, entity, |ui, it: &mut C| {
        let ReflectMut::TupleStruct(it) = it.reflect_mut() else { return };
        let Some(value) = it.field_mut(0) else { return };
        if let Some(value) = value.try_downcast_mut::<f32>() {
            amount(ui, &name, value, unit);
        } else if let Some(value) = value.try_downcast_mut::<Vec2>() {
            let speed = if unit == " m/s" { 0.02 } else { 0.01 };
            pair(ui, &name, value, unit, speed);
        }
    });
}

fn show_turn_to(ui: &mut Ui, world: &mut World, piece: Entity) {
    edit(ui, world, piece, |ui, it: &mut TurnTo| {
        let was = it.0.to_degrees();
        let mut degrees = was;
        amount(ui, &tr!("Turn to"), &mut degrees, "°");
        if !is_same(&degrees, &was) {
            it.0 = degrees.to_radians();
        }
    });
}

fn show_rule(ui: &mut Ui, world: &mut World, entity: Entity) {
    edit(ui, world, entity, |ui, it: &mut RestitutionRule| {
        let name = |rule| {
            let name = RULES.iter().find(|(is, _)| *is == rule).map_or("", |(_, name)| *name);
            tr!(name)
        };
        let chooser = egui::ComboBox::from_id_salt("combine").selected_text(name(it.0)).show_ui(ui, |ui| {
            for (rule, _) in RULES {
                ui.selectable_value(&mut it.0, rule, name(rule));
            }
        });
        chooser.response.named(tr!("Combine"));
    });
}

fn show_oscillation(ui: &mut Ui, world: &mut World, piece: Entity) {
    let part = |ui: &mut Ui, world: &mut World, show: fn(&mut Ui, &mut Oscillation)| edit(ui, world, piece, show);
    part(ui, world, |ui, it| pair(ui, &tr!("Middle of the swing"), &mut it.centre, " m", 0.01));
    part(ui, world, |ui, it| pair(ui, &tr!("Amplitude"), &mut it.amplitude, " m", 0.01));
    part(ui, world, |ui, it| {
        let field = DragValue::new(&mut it.frequency).speed(0.005).suffix(" Hz").max_decimals(4);
        number(ui, &tr!("Frequency"), &tr!("How often it goes to and fro, Hz"), field);
        let field = DragValue::new(&mut it.phase).speed(0.005).max_decimals(3);
        number(
            ui,
            &tr!("Phase"),
            &tr!("Where in its course it is, in turns: 0 where the amplitude points, 0.5 opposite"),
            field,
        );
    });
}

fn show_one_way(ui: &mut Ui, world: &mut World, piece: Entity) {
    edit(ui, world, piece, |ui, it: &mut OneWay| {
        let kinds = [OneWay::Left, OneWay::Right, OneWay::Toward(Vec2::Y)];
        let name = |way: OneWay| match way {
            OneWay::Left => tr!("to the left"),
            OneWay::Right => tr!("to the right"),
            OneWay::Toward(_) => tr!("toward"),
        };
        let is_same = |a: OneWay, b: OneWay| std::mem::discriminant(&a) == std::mem::discriminant(&b);
        let chooser = egui::ComboBox::from_id_salt("one way").selected_text(name(*it)).show_ui(ui, |ui| {
            for kind in kinds {
                if ui.selectable_label(is_same(*it, kind), name(kind)).clicked() && !is_same(*it, kind) {
                    *it = kind;
                }
            }
        });
        chooser.response.named(tr!("One way")).on_hover_text(tr!("To which side of each wall discs pass"));
    });
    if !matches!(world.get(piece), Some(OneWay::Toward(_))) {
        return;
    }
    edit(ui, world, piece, |ui, it: &mut OneWay| {
        if let OneWay::Toward(direction) = it {
            pair(ui, &tr!("Toward"), direction, "", 0.01);
        }
    });
}

/// Of more discs in a sensor no numbers are written.
const MOST: usize = 8;

fn show_sensed(ui: &mut Ui, world: &mut World, sensor: Entity) {
    let Some(sensed) = world.get::<Sensed>(sensor) else { return };
    let ids = sensed.iter().filter_map(|&disc| world.get::<StableId>(disc)).map(|id| id.0.to_string());
    let text = match sensed.len() {
        0 => tr!("nobody in it"),
        count if count > MOST => tr!("{} discs in it", count),
        _ => tr!("in it: {}", ids.collect::<Vec<_>>().join(", ")),
    };
    ui.add(egui::Label::new(text).wrap());
}
