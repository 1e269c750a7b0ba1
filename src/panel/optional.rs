//! What a disc or a piece of terrain may have besides what all of its kind have: a row for each that it has, with a button that takes it off, and a menu with the others.
//!
//! [`OPTIONAL`] is the list. Whatever stands in it can be undone, as [`UndoPlugin`](crate::input::UndoPlugin) knows the same components.

use bevy::{ecs::component::Mutable, prelude::*};
use bevy_egui::egui::{self, Align, Button, DragValue, Layout, Ui};
use tr::tr;

use super::{
    inspector::{pair, row},
    layers,
    widgets::{Named, number},
};
use crate::view::language::mark;
use crate::{
    disc::{
        AngularVelocity, Ball, ConstantForce, ConstantTorque, Disc, Inactive, Kinematic, Mass, MoveTo, Position,
        StableId, TurnTo, Velocity,
    },
    filter::{CollisionLayers, Kick, Sensed, Sensor},
    input::edit::Led,
    terrain::{OneWay, Oscillation, Rotation, Terrain},
};

/// A component that some have.
struct Optional {
    name: &'static str,
    help: &'static str,
    /// Whether it does something on this entity.
    fits: fn(EntityRef) -> bool,
    has: fn(EntityRef) -> bool,
    /// Adds it, so that at first it changes as little as can be.
    add: fn(&mut EntityWorldMut),
    remove: fn(&mut EntityWorldMut),
    show: fn(&mut Ui, &mut World, Entity),
}

/// All of them, in the order in which they are shown.
static OPTIONAL: [Optional; 13] = [
    Optional::of::<Mass>(
        mark("Mass"),
        mark("With a mass it is a block that discs and other blocks push and turn, kg"),
        is_terrain,
        |piece| insert(piece, Mass(1.0)),
        |ui, world, piece| edit(ui, world, piece, |ui, it: &mut Mass| amount(ui, &tr!("Mass"), &mut it.0, " kg")),
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
                if degrees != was {
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
        |entity| entity.get::<Terrain>().is_some_and(|terrain| !matches!(terrain, Terrain::Circle { .. })),
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
    Optional::of::<ConstantForce>(
        mark("Force"),
        mark("A force that acts on it all the time, N: to the right, upward"),
        is_free_disc,
        |disc| insert(disc, ConstantForce::default()),
        |ui, world, disc| {
            edit(ui, world, disc, |ui, it: &mut ConstantForce| pair(ui, &tr!("Force"), &mut it.0, " N", 0.01));
        },
    ),
    Optional::of::<ConstantTorque>(
        mark("Torque"),
        mark("A torque that acts on it all the time, N m, against the clock"),
        is_free_disc,
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

impl Optional {
    const fn of<C: Component>(
        name: &'static str,
        help: &'static str,
        fits: fn(EntityRef) -> bool,
        add: fn(&mut EntityWorldMut),
        show: fn(&mut Ui, &mut World, Entity),
    ) -> Self {
        Self {
            name,
            help,
            fits,
            has: |entity| entity.contains::<C>(),
            add,
            remove: |entity| _ = entity.remove::<C>(),
            show,
        }
    }
}

fn is_terrain(entity: EntityRef) -> bool {
    entity.contains::<Terrain>()
}

/// Whether it is a disc on which forces act.
fn is_free_disc(entity: EntityRef) -> bool {
    entity.contains::<Disc>() && !entity.contains::<Kinematic>()
}

fn insert(entity: &mut EntityWorldMut, component: impl Component) {
    entity.insert(component);
}

/// The rows of what it has, and the menu with what it may have.
pub(super) fn show(ui: &mut Ui, world: &mut World, entity: Entity) {
    let mut others = Vec::new();
    for each in &OPTIONAL {
        let Ok(it) = world.get_entity(entity) else { return };
        if (each.has)(it) && (each.fits)(it) {
            show_row(ui, world, entity, each);
        } else if (each.fits)(it) {
            others.push(each);
        }
    }
    let menu = egui::containers::menu::MenuButton::from_button(Button::new(tr!("Add …")));
    let (button, _) = menu.ui(ui, |ui| {
        for &Optional { name, help, add, .. } in others {
            let (name, help) = (tr!(name), tr!(help));
            let item = ui.button(&name).named(tr!("Add {}", &name));
            if item.on_hover_text(help).clicked()
                && let Ok(mut it) = world.get_entity_mut(entity)
            {
                add(&mut it);
            }
        }
    });
    button.on_hover_text(tr!("What else it can have: a motion, layers, a sensor, a kick …"));
}

fn show_row(ui: &mut Ui, world: &mut World, entity: Entity, &Optional { name, help, remove, show, .. }: &Optional) {
    let name = tr!(name);
    row(ui, &name, &tr!(help), |ui| {
        ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
            let button = ui.add(Button::new("×").frame(false).small()).named(tr!("Remove {}", &name));
            if button.on_hover_text(tr!("Takes it off: {}", &name)).clicked()
                && let Ok(mut it) = world.get_entity_mut(entity)
            {
                remove(&mut it);
            }
            let half = (ui.available_width() - ui.spacing().item_spacing.x) / 2.0;
            ui.spacing_mut().interact_size.x = half.clamp(56.0, 96.0);
            ui.with_layout(Layout::top_down(Align::Min), |ui| show(ui, world, entity));
        });
    });
}

/// Lets `show` edit a component, and writes it only if it was edited.
fn edit<C>(ui: &mut Ui, world: &mut World, entity: Entity, show: impl FnOnce(&mut Ui, &mut C))
where
    C: Component<Mutability = Mutable> + Clone + PartialEq,
{
    let Some(was) = world.get::<C>(entity).cloned() else { return };
    let mut now = was.clone();
    ui.horizontal(|ui| show(ui, &mut now));
    // What is not a number differs from itself.
    if now != was
        && let Some(mut it) = world.get_mut::<C>(entity)
    {
        *it = now;
    }
}

fn amount(ui: &mut Ui, name: &str, value: &mut f32, unit: &str) {
    let field = DragValue::new(value).speed(0.02).suffix(unit.to_owned()).max_decimals(4);
    number(ui, name, &format!("{name},{unit}"), field);
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

#[cfg(test)]
mod tests {
    use bevy_egui::egui::accesskit::Role;
    use egui_kittest::{Harness, kittest::Queryable};

    use super::{super::tests::app, *};
    use crate::{
        input::{ChosenTerrain, EditHistory, Selection, UndoPlugin, edit},
        panel::grip,
        scene::{self, SceneFile, SceneSource},
    };

    const SCENE: &str = "(terrain: [(shape: Segment(a: (0, 0), b: (1, 0)))], discs: [(position: (0, 3))])";

    /// A world with a disc and a wall, one of them chosen, and which that is.
    fn begin(file: SceneFile, is_disc: bool) -> (App, Entity) {
        let mut app = app();
        app.add_plugins(UndoPlugin);
        scene::spawn(app.world_mut(), SceneSource::Shipped("gas"), file).unwrap();
        app.update();
        let world = app.world_mut();
        let disc = world.query_filtered::<Entity, With<Disc>>().single(world).unwrap();
        let wall = world.query_filtered::<Entity, With<Terrain>>().single(world).unwrap();
        if is_disc {
            world.resource_mut::<Selection>().0 = vec![disc];
        } else {
            world.resource_mut::<ChosenTerrain>().0 = Some(wall);
        }
        (app, if is_disc { disc } else { wall })
    }

    fn shown(app: App, entity: Entity) -> Harness<'static, App> {
        let show = move |ui: &mut Ui, app: &mut App| {
            edit_watched(ui, app.world_mut(), entity);
        };
        Harness::builder().with_size([480.0, 800.0]).build_ui_state(show, app)
    }

    fn edit_watched(ui: &mut Ui, world: &mut World, entity: Entity) {
        edit::watch(world, grip(ui.ctx()), |world| show(ui, world, entity));
    }

    fn press(harness: &mut Harness<App>, name: &str) {
        let at = harness.get_by_role_and_label(Role::Button, name).rect().center();
        harness.hover_at(at);
        harness.drag_at(at);
        harness.drop_at(at);
        harness.run_steps(3);
    }

    #[test]
    fn each_is_added_saved_taken_off_and_taken_back() {
        let mut count = 0;
        for is_disc in [true, false] {
            for each in &OPTIONAL {
                let (app, entity) = begin(SceneFile::parse(SCENE, "test.ron").unwrap(), is_disc);
                if !(each.fits)(app.world().entity(entity)) {
                    continue;
                }
                count += 1;
                let name = each.name;
                let mut harness = shown(app, entity);
                let has = |harness: &Harness<App>| (each.has)(harness.state().world().entity(entity));
                press(&mut harness, "Add …");
                press(&mut harness, &format!("Add {name}"));
                assert!(has(&harness), "{name} is added");
                assert_eq!(harness.state().world().resource::<EditHistory>().len(), 1, "{name}: as one edit");
                harness.state_mut().update();
                harness.run_steps(2);
                press(&mut harness, &format!("Remove {name}"));
                assert!(!has(&harness), "{name} is taken off");
                edit::undo(harness.state_mut().world_mut());
                assert!(has(&harness), "{name} is back");
                edit::undo(harness.state_mut().world_mut());
                assert!(!has(&harness), "{name} was never there");
            }
        }
        assert_eq!(count, 6 + 11, "what discs can have, and walls");
    }

    #[test]
    fn what_is_set_is_in_the_saved_scene() {
        for is_disc in [true, false] {
            for each in &OPTIONAL {
                let (mut app, entity) = begin(SceneFile::parse(SCENE, "test.ron").unwrap(), is_disc);
                if !(each.fits)(app.world().entity(entity)) || ["Force", "Torque"].contains(&each.name) {
                    continue;
                }
                (each.add)(&mut app.world_mut().entity_mut(entity));
                let mut it = app.world_mut().entity_mut(entity);
                if let Some(mut layers) = it.get_mut::<CollisionLayers>() {
                    layers.memberships = 2;
                }
                if let Some(mut velocity) = it.get_mut::<Velocity>() {
                    velocity.x = 2.0;
                }
                if let Some(mut spin) = it.get_mut::<AngularVelocity>() {
                    spin.z = 2.0;
                }
                let text = SceneFile::capture(app.world_mut()).to_text().unwrap();
                let file = SceneFile::parse(&text, "saved.ron").unwrap();
                let (again, entity) = begin(file, is_disc);
                assert!((each.has)(again.world().entity(entity)), "{}: {text}", each.name);
            }
        }
    }
}
