//! What a learner and a teacher do with the card of an experiment, through the accessibility tree.

use bevy::prelude::*;
use bevy_egui::egui::{self, Key, accesskit::Role};
use egui_kittest::{
    Harness,
    kittest::{NodeT, Queryable},
};

use super::{super::sections, app};
use crate::{
    collision::CollisionSettings,
    experiments::Trial,
    input::Controls,
    lessons::experiment::Card,
    link::Link,
    notice::Notices,
    scene::{self, CurrentScene, SceneSource},
    timeline::{Playback, advance},
};

/// The whole panel beside this scene, changed.
fn begin(name: &'static str, change: impl FnOnce(&mut scene::SceneFile)) -> Harness<'static, App> {
    let mut app = app();
    app.init_resource::<Notices>().insert_resource(Controls::ALL);
    let source = SceneSource::Shipped(name);
    let mut file = source.load().unwrap();
    change(&mut file);
    scene::spawn(app.world_mut(), source, file).unwrap();
    app.update();
    let show = |ui: &mut egui::Ui, app: &mut App| sections::show(ui, app.world_mut());
    let mut harness = Harness::builder().with_size([400.0, 4000.0]).build_ui_state(show, app);
    harness.run_steps(3);
    harness
}

fn press(harness: &mut Harness<App>, name: &str) {
    harness.get_by_role_and_label(Role::Button, name).click();
    harness.run_steps(4);
}

fn type_number(harness: &mut Harness<App>, name: &str, text: &str) {
    let place = harness.get_by_role_and_label(Role::SpinButton, name).rect();
    harness.hover_at(place.center());
    harness.drag_at(place.center());
    harness.drop_at(place.center());
    harness.run_steps(3);
    harness.event(egui::Event::Text(text.to_owned()));
    harness.key_press(Key::Enter);
    harness.run_steps(4);
}

fn run(harness: &mut Harness<App>, ticks: u64) {
    advance(harness.state_mut().world_mut(), ticks);
    // The systems of a frame, without another tick.
    harness.state_mut().world_mut().run_schedule(Update);
    harness.run_steps(4);
}

fn is_disabled(harness: &Harness<App>, role: Role, name: &str) -> bool {
    harness.get_by_role_and_label(role, name).accesskit_node().is_disabled()
}

#[test]
fn a_learner_commits_a_number_and_sees_it_beside_the_result() {
    let mut harness = begin("chain", |_| ());
    assert!(is_disabled(&harness, Role::Button, "Commit and play"), "nothing is predicted");
    type_number(&mut harness, "Prediction", "4.5");
    run(&mut harness, 50);
    harness.state_mut().world_mut().resource_mut::<Playback>().paused = true;
    press(&mut harness, "Commit and play");
    let world = harness.state().world();
    assert!(!world.resource::<Playback>().paused, "it plays");
    assert!(world.resource::<Trial>().outcome().is_none(), "from the start");
    assert_eq!(harness.query_all_by_role_and_label(Role::SpinButton, "Prediction").count(), 0, "it is fixed");
    assert_eq!(harness.query_all_by_label("Why?").count(), 0);
    run(&mut harness, 600);
    for text in ["4.5 m/s", "5.3308 m/s", "Your prediction is off by 16 %.", "Why?"] {
        assert!(harness.query_all_by_label(text).count() > 0, "{text}");
    }
    assert!(harness.query_by_label("Save an answer…").is_some());
    press(&mut harness, "Restart");
    harness.state_mut().update();
    harness.run_steps(4);
    assert!(harness.query_by_role_and_label(Role::SpinButton, "Prediction").is_some(), "after a restart");
}

#[test]
fn a_choice_is_right_or_not_and_each_prediction_is_a_row_for_the_teacher() {
    let mut harness = begin("closing-wall", |_| ());
    for (choice, verdict) in
        [("it grows", "It comes out differently."), ("it stays the same", "Your prediction is right.")]
    {
        harness.get_by_role_and_label(Role::RadioButton, choice).click();
        harness.run_steps(3);
        press(&mut harness, "Commit and play");
        run(&mut harness, 3000);
        assert!(harness.query_by_label(verdict).is_some(), "{choice}");
        press(&mut harness, "Predict again");
    }
    assert!(harness.query_by_label("Save 2 answers…").is_some());
    let text = format!("{:?}", harness.state().world().resource::<Card>());
    assert!(text.contains("prediction: \"it grows\"") && text.contains("right: Some(true)"), "{text}");
}

#[test]
fn what_is_varied_starts_the_scene_anew_and_changes_what_is_expected() {
    let mut harness = begin("chain", |_| ());
    press(&mut harness, "What to vary");
    type_number(&mut harness, "discs in between", "1");
    let discs = harness.state().world().resource::<CurrentScene>().file.discs.len();
    assert_eq!(discs, 3);
    type_number(&mut harness, "Prediction", "3.3");
    press(&mut harness, "Commit and play");
    run(&mut harness, 600);
    assert!(harness.query_by_label("Your prediction is right.").is_some());
    let text = format!("{:?}", harness.state().world().resource::<Card>());
    assert!(text.contains("varied: \"between=1\""), "{text}");
}

#[test]
fn a_setting_changed_during_the_run_leaves_no_result() {
    let mut harness = begin("chain", |_| ());
    type_number(&mut harness, "Prediction", "4.5");
    press(&mut harness, "Commit and play");
    run(&mut harness, 5);
    harness.state_mut().world_mut().resource_mut::<CollisionSettings>().restitution = 0.5;
    run(&mut harness, 600);
    let said = "The run was changed or is not from its start. Restart the scene to measure it.";
    assert!(harness.query_by_label(said).is_some());
    assert!(harness.query_by_label("Save an answer…").is_none());
}

#[test]
fn a_setting_changed_after_the_run_leaves_its_result() {
    let mut harness = begin("chain", |_| ());
    type_number(&mut harness, "Prediction", "4.5");
    press(&mut harness, "Commit and play");
    run(&mut harness, 600);
    harness.state_mut().world_mut().resource_mut::<CollisionSettings>().restitution = 0.5;
    run(&mut harness, 10);
    assert!(harness.query_by_label("Your prediction is off by 16 %.").is_some());
}

#[test]
fn a_teacher_hands_out_a_link_and_the_learner_finds_the_controls_locked() {
    let mut harness = begin("chain", |_| ());
    press(&mut harness, "For teachers");
    for name in ["Lock Collisions", "Lock what the experiment varies"] {
        harness.get_by_role_and_label(Role::CheckBox, name).click();
        harness.run_steps(3);
    }
    harness.get_by_role_and_label(Role::Button, "Copy link for the class").click();
    harness.step();
    let copied = |harness: &Harness<App>| {
        harness.output().platform_output.commands.iter().find_map(|command| match command {
            egui::OutputCommand::CopyText(text) => Some(text.clone()),
            _ => None,
        })
    };
    let mut link = copied(&harness);
    for _ in 0..3 {
        if link.is_none() {
            harness.step();
            link = copied(&harness);
        }
    }
    let link = Link::read(&link.expect("it is in the clipboard")).unwrap();
    let teachers = harness.state().world().resource::<CurrentScene>().file.locked.clone();
    assert!(teachers.is_empty(), "the teacher's own scene stays open");

    let source = SceneSource::Link(Box::new(link));
    let file = source.load().unwrap();
    assert_eq!(file.locked, ["experiment", "physics"]);
    let locked = file.locked;
    let mut learner = begin("chain", |file| file.locked = locked);
    assert!(learner.query_all_by_label("Locked for this lesson").count() > 0);
    assert!(is_disabled(&learner, Role::Slider, "Disc – disc"));
    assert!(learner.query_by_label("For teachers").is_none());
    press(&mut learner, "What to vary");
    assert!(is_disabled(&learner, Role::SpinButton, "discs in between"));
    assert!(!is_disabled(&learner, Role::SpinButton, "Prediction"), "a prediction is always possible");
}

#[test]
fn a_scene_that_locks_everything_also_locks_mouse_and_keys_until_it_ends() {
    let mut harness = begin("chain", |file| file.locked = vec!["all".to_owned()]);
    assert!(is_disabled(&harness, Role::Slider, "Disc – disc"));
    let controls = *harness.state().world().resource::<Controls>();
    assert!(!controls.shoot && !controls.move_discs && !controls.delete && controls.camera);
    let world = harness.state_mut().world_mut();
    let source = SceneSource::Shipped("gas");
    let file = source.load().unwrap();
    scene::spawn(world, source, file).unwrap();
    assert_eq!(*world.resource::<Controls>(), Controls::ALL);
    harness.run_steps(3);
    assert!(!is_disabled(&harness, Role::Slider, "Disc – disc"));
}
