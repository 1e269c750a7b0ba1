//! Optional components of a disc or a piece of terrain: a row for each present one, with a button that removes it, and
//! a menu with the others.
//!
//! [`list::OPTIONAL`] is the list. All of it can be undone, as [`UndoPlugin`](crate::editor::UndoPlugin) covers the
//! same components.

mod list;

use bevy::prelude::*;
use bevy_egui::egui::{self, Align, Button, Layout, Ui};
use tr::tr;

use self::list::OPTIONAL;
use super::{field::Field, widgets::put};
use crate::{components::Restitution, view::Named};

/// An optional component.
struct Optional {
    name: &'static str,
    help: &'static str,
    /// Whether it suits this kind of entity.
    fits: fn(EntityRef) -> bool,
    /// Whether it has, or would have, an effect on this entity.
    acts: fn(EntityRef) -> bool,
    has: fn(EntityRef) -> bool,
    /// Adds it with a value that changes as little as possible.
    add: fn(&mut EntityWorldMut),
    remove: fn(&mut EntityWorldMut),
    show: fn(&mut Ui, &mut World, Entity),
}

/// The rows of the present components, and the menu of the others.
pub(super) fn show(ui: &mut Ui, world: &mut World, entity: Entity) {
    let mut others = Vec::new();
    for each in OPTIONAL.iter() {
        let Ok(it) = world.get_entity(entity) else { return };
        if (each.has)(it) && (each.fits)(it) {
            show_row(ui, world, entity, each);
        } else if (each.fits)(it) && (each.acts)(it) {
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
    button.on_hover_text(tr!("Adds an optional component: motion, layers, sensor, kick …"));
}

fn show_row(ui: &mut Ui, world: &mut World, entity: Entity, each: &Optional) {
    let &Optional { name, help, acts, remove, show, .. } = each;
    let name = tr!(name);
    Field::new(&*name, tr!(help)).row(ui, |ui, _| {
        ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
            let button = ui.add(Button::new("×").frame(false).small()).named(tr!("Remove {}", &name));
            if button.on_hover_text(tr!("Removes it: {}", &name)).clicked()
                && let Ok(mut it) = world.get_entity_mut(entity)
            {
                remove(&mut it);
            }
            let half = (ui.available_width() - ui.spacing().item_spacing.x) / 2.0;
            ui.spacing_mut().interact_size.x = half.clamp(56.0, 96.0);
            ui.with_layout(Layout::top_down(Align::Min), |ui| {
                show(ui, world, entity);
                if world.get_entity(entity).is_ok_and(|it| !acts(it)) {
                    ui.weak(tr!("no effect here"));
                }
            });
        });
    });
}

/// The help of a coefficient of restitution, followed by a sentence on two coefficients.
pub(super) fn with_combine(help: &str) -> String {
    tr!("{} If both sides of a hit have one, Combine decides; by default the smaller applies.", help)
}

/// The row of an optional coefficient of restitution: a switch named `own`, and the number. Without the component,
/// `words` describes the coefficient that applies. A new one starts with `first`.
pub(super) fn show_restitution(
    ui: &mut Ui,
    world: &mut World,
    entity: Entity,
    field: &Field,
    own: &str,
    (first, words): (f32, &str),
) {
    let mut now = world.get::<Restitution>(entity).copied();
    field.clone().speed(0.005).row(ui, |ui, field| {
        let mut has = now.is_some();
        if field.clone().named(own).tick(ui, &mut has, tr!("own")).changed() {
            now = has.then_some(Restitution(first));
        }
        match &mut now {
            Some(e) => _ = field.number(ui, &mut e.0),
            None => _ = ui.weak(words),
        }
    });
    put(world, entity, now);
}

#[cfg(test)]
mod tests {
    use bevy_egui::egui::accesskit::Role;
    use egui_kittest::{Harness, kittest::Queryable};

    use super::{super::tests::app, *};
    use crate::{
        collision::CombineRule,
        components::{AngularVelocity, CollisionLayers, Disc, Friction, RestitutionRule, Terrain, Velocity},
        editor::{self, ChosenTerrain, EditHistory, UndoPlugin},
        input::Selection,
        panel::hold,
        scene::{self, SceneFile, SceneSource},
    };

    const SCENE: &str = "(terrain: [(shape: Segment(a: (0, 0), b: (1, 0)))], discs: [(position: (0, 3))])";
    const BLOCK: &str = "(terrain: [(shape: Segment(a: (0, 0), b: (1, 0)), mass: 2)], discs: [(position: (0, 3))])";

    /// A disc, a wall and a block: the scene, and whether the disc is selected.
    const CASES: [(&str, bool); 3] = [(SCENE, true), (SCENE, false), (BLOCK, false)];

    /// A world with a disc and a wall, one of them selected, and the selected entity.
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
        editor::watch(world, hold(ui.ctx()), |world| show(ui, world, entity));
    }

    fn press(harness: &mut Harness<App>, name: &str) {
        let at = harness.get_by_role_and_label(Role::Button, name).rect().center();
        harness.hover_at(at);
        harness.drag_at(at);
        harness.drop_at(at);
        harness.run_steps(3);
    }

    fn is_offered(each: &Optional, entity: EntityRef) -> bool {
        (each.fits)(entity) && (each.acts)(entity) && !(each.has)(entity)
    }

    #[test]
    fn only_what_acts_is_offered() {
        let offered = |text: &str, is_disc: bool| {
            let (app, entity) = begin(SceneFile::parse(text, "test.ron").unwrap(), is_disc);
            let it = app.world().entity(entity);
            OPTIONAL.iter().filter(|each| is_offered(each, it)).map(|each| each.name).collect::<Vec<_>>()
        };
        let scene =
            |shape: &str, disc: &str| format!("(terrain: [(shape: {shape})], discs: [(position: (0, 3){disc})])");
        let on_terrain = |shape: &str| offered(&scene(shape, ""), false);
        let on_disc = |disc: &str| offered(&scene("Arena(half_size: (9, 9))", disc), true);
        let has = |names: &[&str], wanted: &[&str]| wanted.iter().map(|name| names.contains(name)).collect::<Vec<_>>();
        let rare = ["Mass", "One way", "Friction", "Conveyor", "Inertia", "Gravity"];
        assert_eq!(has(&on_terrain("Block(half_size: (1, 1))"), &rare), [true, true, true, true, false, false]);
        assert_eq!(has(&on_terrain("Arc(radius: 2)"), &rare), [false, true, true, true, false, false]);
        assert_eq!(has(&on_terrain("Circle(radius: 2)"), &rare), [true, false, true, true, false, false]);
        assert_eq!(
            has(&on_terrain("Block(half_size: (1, 1)), mass: 2"), &rare),
            [false, false, false, false, true, true]
        );
        let swings = "Block(half_size: (1, 1)), oscillation: (amplitude: (1, 0), frequency: 1)";
        assert_eq!(has(&on_terrain(swings), &rare), [false, false, true, true, false, false]);
        assert_eq!(has(&on_disc(""), &rare), [false, false, true, false, false, true]);
        assert_eq!(has(&on_disc(", kinematic: true"), &rare), [false, false, true, false, false, false]);
    }

    #[test]
    fn what_does_nothing_is_shown_as_such_and_can_be_taken_off() {
        let (mut app, wall) = begin(SceneFile::parse(BLOCK, "test.ron").unwrap(), false);
        app.world_mut().entity_mut(wall).insert(Friction(0.3));
        let mut harness = shown(app, wall);
        harness.run_steps(2);
        assert!(harness.query_by_label("no effect here").is_some());
        press(&mut harness, "Remove Friction");
        assert!(!harness.state().world().entity(wall).contains::<Friction>());
        assert!(harness.query_by_label("no effect here").is_none());
    }

    #[test]
    fn each_is_added_saved_taken_off_and_taken_back() {
        let mut count = 0;
        for (text, is_disc) in CASES {
            for each in OPTIONAL.iter() {
                let (app, entity) = begin(SceneFile::parse(text, "test.ron").unwrap(), is_disc);
                let entity_now = app.world().entity(entity);
                if !is_offered(each, entity_now) {
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
                editor::undo(harness.state_mut().world_mut());
                assert!(has(&harness), "{name} is back");
                editor::undo(harness.state_mut().world_mut());
                assert!(!has(&harness), "{name} was never there");
            }
        }
        assert_eq!(count, 12 + 15 + 16, "what discs can have, walls, and blocks besides their mass");
    }

    #[test]
    fn what_is_set_is_in_the_saved_scene() {
        for (text, is_disc) in CASES {
            for each in OPTIONAL.iter() {
                let (mut app, entity) = begin(SceneFile::parse(text, "test.ron").unwrap(), is_disc);
                if !is_offered(each, app.world().entity(entity)) && !(each.has)(app.world().entity(entity))
                    || ["Force", "Torque"].contains(&each.name)
                {
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
                if let Some(mut rule) = it.get_mut::<RestitutionRule>() {
                    rule.0 = CombineRule::Mean;
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
