//! What a disc or a piece of terrain may have besides what all of its kind have: the list of it.

use bevy::prelude::*;
use bevy_egui::egui::{self, DragValue, Ui};
use tr::tr;

use super::{Optional, amount, edit};
use crate::{
    components::{
        AngularVelocity, Ball, ClothFriction, CollisionLayers, ConstantForce, ConstantTorque, Friction, GravityScale,
        Inactive, Kick, LinearDamping, LockedAxes, Mass, MassProperties, MomentOfInertia, MoveTo, OneWay, Oscillation,
        Position, RestitutionRule, Rotation, Sensed, Sensor, StableId, SurfaceVelocity, Terrain, TurnTo, Velocity,
    },
    editor::{Led, is_same},
    notice::mark,
    panel::{
        layers,
        physics::RULES,
        widgets::{number, pair},
    },
    view::Named,
};

/// All of them, in the order in which they are shown.
pub(super) static OPTIONAL: [Optional; 21] = [
    Optional::of::<Mass>(
        mark("Mass"),
        mark("With a mass it is a block that discs and other blocks push and turn, kg"),
        is_terrain,
        |piece| insert(piece, Mass(1.0)),
        |ui, world, piece| edit(ui, world, piece, |ui, it: &mut Mass| amount(ui, &tr!("Mass"), &mut it.0, " kg")),
    ),
    Optional::of::<MomentOfInertia>(
        mark("Inertia"),
        mark("How hard a block is to turn, kg m²: without it, as its shape and mass say"),
        is_terrain,
        |piece| {
            let per_mass = piece.get().map_or(1.0, |shape| MassProperties::of(shape).inertia_per_mass);
            let mass = piece.get::<Mass>().map_or(1.0, |mass| mass.0);
            insert(piece, MomentOfInertia(mass * per_mass as f32));
        },
        |ui, world, piece| {
            edit(ui, world, piece, |ui, it: &mut MomentOfInertia| amount(ui, &tr!("Inertia"), &mut it.0, " kg m²"));
        },
    ),
    Optional::of::<LockedAxes>(
        mark("Bearings"),
        mark("What of a block is held: pinned where it is, it only turns, as a spinner does; or it never turns"),
        is_terrain,
        |piece| insert(piece, LockedAxes::TRANSLATION),
        |ui, world, piece| {
            edit(ui, world, piece, |ui, it: &mut LockedAxes| {
                ui.checkbox(&mut it.translation, tr!("pinned"));
                ui.checkbox(&mut it.rotation, tr!("never turns"));
            });
        },
    ),
    Optional::of::<Velocity>(
        mark("Velocity"),
        mark("How fast it moves, m/s: to the right, upward. Discs are hit as by a moving wall."),
        is_terrain,
        |piece| insert(piece, Velocity::default()),
        |ui, world, piece| {
            edit(ui, world, piece, |ui, it: &mut Velocity| pair(ui, &tr!("Velocity"), &mut it.0, " m/s", 0.02));
        },
    ),
    Optional::of::<AngularVelocity>(
        mark("Turning"),
        mark("How fast it turns, rad/s, against the clock: terrain about its origin"),
        |entity| !entity.contains::<Ball>(),
        |entity| insert(entity, AngularVelocity::default()),
        |ui, world, entity| {
            edit(ui, world, entity, |ui, it: &mut AngularVelocity| amount(ui, &tr!("Turning"), &mut it.0.z, " rad/s"));
        },
    ),
    Optional::of::<MoveTo>(
        mark("Move to"),
        mark("Where it is when the next tick ends, m: what is on the way is hit. There it stands."),
        |piece| is_terrain(piece) && !piece.contains::<Led>(),
        |piece| {
            let here = piece.get::<Position>().map_or(Vec2::ZERO, |position| position.0);
            insert(piece, MoveTo(here));
        },
        |ui, world, piece| {
            edit(ui, world, piece, |ui, it: &mut MoveTo| pair(ui, &tr!("Move to"), &mut it.0, " m", 0.01));
        },
    ),
    Optional::of::<TurnTo>(
        mark("Turn to"),
        mark("By how much it is turned when the next tick ends, degrees: what is on the way is hit. So it stays."),
        |piece| is_terrain(piece) && !piece.contains::<Led>(),
        |piece| {
            let now = piece.get::<Rotation>().map_or(0.0, |rotation| rotation.0);
            insert(piece, TurnTo(now));
        },
        |ui, world, piece| {
            edit(ui, world, piece, |ui, it: &mut TurnTo| {
                let was = it.0.to_degrees();
                let mut degrees = was;
                amount(ui, &tr!("Turn to"), &mut degrees, "°");
                if !is_same(&degrees, &was) {
                    it.0 = degrees.to_radians();
                }
            });
        },
    ),
    Optional::of::<Oscillation>(
        mark("Swing"),
        mark("It swings to and fro: about a middle, as far as the amplitude, so often in a second"),
        is_terrain,
        |piece| {
            let centre = piece.get::<Position>().map_or(Vec2::ZERO, |position| position.0);
            // It begins in the middle, where it is.
            insert(piece, Oscillation { centre, amplitude: vec2(0.5, 0.0), frequency: 0.5, phase: 0.75 });
        },
        show_oscillation,
    ),
    Optional::of::<OneWay>(
        mark("One way"),
        mark(
            "Discs pass it in one direction: to the left or to the right of each wall, as one goes from its first point to its second, or toward somewhere",
        ),
        is_terrain,
        |piece| insert(piece, OneWay::default()),
        show_one_way,
    ),
    Optional::of::<Sensor>(
        mark("Sensor"),
        mark("It tells which discs are in it, and answers to nothing: discs go through"),
        |_| true,
        |entity| insert(entity, Sensor),
        show_sensed,
    ),
    Optional::of::<CollisionLayers>(
        mark("Layers"),
        mark("The layers that it is in, and those that it meets. Two meet if each is in a layer that the other meets."),
        |_| true,
        |entity| insert(entity, CollisionLayers::ALL),
        |ui, world, entity| edit(ui, world, entity, layers::show),
    ),
    Optional::of::<Kick>(
        mark("Kick"),
        mark("How much faster than by their restitution those that hit it part from it, m/s"),
        |_| true,
        |entity| insert(entity, Kick(1.0)),
        |ui, world, entity| edit(ui, world, entity, |ui, it: &mut Kick| amount(ui, &tr!("Kick"), &mut it.0, " m/s")),
    ),
    Optional::of::<RestitutionRule>(
        mark("Combine"),
        mark("What becomes of its restitution and that of the other, where both carry one"),
        |_| true,
        |entity| insert(entity, RestitutionRule::default()),
        |ui, world, entity| {
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
        },
    ),
    Optional::of::<Friction>(
        mark("Friction"),
        mark("Coefficient of friction where it touches what it hits or lies on; 0 is smooth"),
        |entity| !entity.contains::<Ball>() && !entity.contains::<SurfaceVelocity>(),
        |entity| insert(entity, Friction::default()),
        show_friction,
    ),
    Optional::of::<SurfaceVelocity>(
        mark("Conveyor"),
        mark(
            "How fast its surface moves along itself, m/s, and the coefficient of friction by which that takes others along",
        ),
        is_terrain,
        |piece| insert(piece, SurfaceVelocity(Vec2::X)),
        |ui, world, piece| {
            edit(ui, world, piece, |ui, it: &mut SurfaceVelocity| pair(ui, &tr!("Conveyor"), &mut it.0, " m/s", 0.02));
            show_friction(ui, world, piece);
        },
    ),
    Optional::of::<GravityScale>(
        mark("Gravity"),
        mark("By how much more than others it feels gravity: 0 not at all, below 0 it rises"),
        |_| true,
        |disc| insert(disc, GravityScale(0.5)),
        |ui, world, disc| {
            edit(ui, world, disc, |ui, it: &mut GravityScale| amount(ui, &tr!("Gravity"), &mut it.0, " ×"));
        },
    ),
    Optional::of::<LinearDamping>(
        mark("Drag"),
        mark("Its own drag, 1/s: how much of its speed it loses in a second, to begin with"),
        |_| true,
        |disc| insert(disc, LinearDamping(0.5)),
        |ui, world, disc| {
            edit(ui, world, disc, |ui, it: &mut LinearDamping| amount(ui, &tr!("Drag"), &mut it.0, " 1/s"));
        },
    ),
    Optional::of::<ClothFriction>(
        mark("Cloth"),
        mark("The deceleration that the cloth gives it alone, m/s²"),
        |entity| !entity.contains::<Ball>(),
        |disc| insert(disc, ClothFriction(0.5)),
        |ui, world, disc| {
            edit(ui, world, disc, |ui, it: &mut ClothFriction| amount(ui, &tr!("Cloth"), &mut it.0, " m/s²"));
        },
    ),
    Optional::of::<ConstantForce>(
        mark("Force"),
        mark("A force that acts on it all the time, N: to the right, upward"),
        |_| true,
        |disc| insert(disc, ConstantForce::default()),
        |ui, world, disc| {
            edit(ui, world, disc, |ui, it: &mut ConstantForce| pair(ui, &tr!("Force"), &mut it.0, " N", 0.01));
        },
    ),
    Optional::of::<ConstantTorque>(
        mark("Torque"),
        mark("A torque that acts on it all the time, N m, against the clock"),
        |_| true,
        |disc| insert(disc, ConstantTorque::default()),
        |ui, world, disc| {
            edit(ui, world, disc, |ui, it: &mut ConstantTorque| amount(ui, &tr!("Torque"), &mut it.0, " N m"));
        },
    ),
    Optional::of::<Inactive>(
        mark("Inactive"),
        mark("It takes no part, as an open door: discs go through it, and it moves nowhere"),
        is_terrain,
        |piece| insert(piece, Inactive),
        |ui, _, _| _ = ui.weak(tr!("an open door")),
    ),
];

fn is_terrain(entity: EntityRef) -> bool {
    entity.contains::<Terrain>()
}

fn insert(entity: &mut EntityWorldMut, component: impl Component) {
    entity.insert(component);
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

fn show_friction(ui: &mut Ui, world: &mut World, entity: Entity) {
    edit(ui, world, entity, |ui, it: &mut Friction| amount(ui, &tr!("Friction"), &mut it.0, ""));
}
