use bevy::{math::vec2, prelude::*};
use bevy_egui::egui::{Event, Key, Ui};
use egui_kittest::{Harness, kittest::Queryable};

use super::section::SECTION;
use crate::{
    components::Position,
    editor::{self, EditHistory, PanelHold, UndoPlugin},
    instruments::test_support::started,
    laboratory::instruments::{InstrumentEvent, InstrumentKind, Instruments, Stopwatch},
    scene::SceneFile,
    timeline::advance,
};

/// The section in the panel of a scene.
fn harness() -> Harness<'static, App> {
    let mut app = started("two-discs");
    app.add_plugins(UndoPlugin);
    advance(app.world_mut(), 1);
    let show = |ui: &mut Ui, app: &mut App| {
        let hold = Some(PanelHold::Pointer { pressed: true });
        editor::watch(app.world_mut(), hold, |world| (SECTION.show)(ui, world));
    };
    Harness::builder().with_size([380.0, 1200.0]).build_ui_state(show, app)
}

fn instruments<'a>(harness: &'a Harness<App>) -> &'a Instruments {
    harness.state().world().resource()
}

fn click(harness: &mut Harness<App>, label: &str) {
    harness.get_by_label(label).click();
    harness.run_steps(3);
}

#[test]
fn one_of_each_kind_is_added_named_removed_and_comes_back() {
    let mut harness = harness();
    harness.run_steps(2);
    for kind in ["Photogate", "Photogate", "Stopwatch", "Counter", "Force gauge", "Tracer", "Centre of mass"] {
        click(&mut harness, &format!("Add: {kind}"));
    }
    let names: Vec<&str> = instruments(&harness).iter().map(|it| it.name.as_str()).collect();
    let all = ["Photogate", "Photogate 2", "Stopwatch", "Counter", "Force gauge", "Tracer", "Centre of mass"];
    assert_eq!(names, all);
    let passage = |gate: &str| InstrumentEvent::Passage(gate.to_owned());
    let watch = Stopwatch { start: passage("Photogate"), stop: passage("Photogate 2") };
    assert_eq!(instruments(&harness)[2].kind, InstrumentKind::Stopwatch(watch), "it takes the gates that are there");
    assert!(Instruments::check(instruments(&harness)).is_ok());
    let saved = SceneFile::capture(harness.state_mut().world_mut());
    assert_eq!(saved.instruments, instruments(&harness).0);
    click(&mut harness, "Remove Photogate 2");
    assert_eq!(instruments(&harness).len(), 6);
    editor::undo(harness.state_mut().world_mut());
    assert_eq!(instruments(&harness).len(), 7);
    editor::undo(harness.state_mut().world_mut());
    assert_eq!(instruments(&harness).len(), 6, "the last one that was added");
    editor::redo(harness.state_mut().world_mut());
    assert_eq!(instruments(&harness).len(), 7);
    assert!(!harness.state().world().resource::<EditHistory>().is_empty());
}

#[test]
fn a_new_name_is_known_to_the_others() {
    let mut harness = harness();
    harness.run_steps(2);
    click(&mut harness, "Add: Photogate");
    click(&mut harness, "Add: Counter");
    harness.get_by_label("Name of Photogate").focus();
    harness.run_steps(2);
    harness.key_press_modifiers(bevy_egui::egui::Modifiers::COMMAND, Key::A);
    harness.event(Event::Text("door".to_owned()));
    harness.run_steps(2);
    harness.key_press(Key::Enter);
    harness.run_steps(3);
    assert_eq!(instruments(&harness)[0].name, "door");
    let InstrumentKind::Counter(counter) = &instruments(&harness)[1].kind else { panic!() };
    assert_eq!(counter.of, InstrumentEvent::Passage("door".to_owned()));
}

#[test]
fn the_panel_shows_what_was_measured() {
    let mut harness = harness();
    harness.run_steps(2);
    click(&mut harness, "Add: Tracer");
    let world = harness.state_mut().world_mut();
    let before: Vec<Vec2> = world.query::<&Position>().iter(world).map(|position| position.0).collect();
    advance(world, 60);
    harness.run_steps(2);
    assert!(!before.contains(&vec2(f32::NAN, 0.0)));
    assert!(harness.query_by_label("length of the path").is_some());
    click(&mut harness, "Reset Tracer");
}
