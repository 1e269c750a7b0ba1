//! The section *Practice*.

use bevy_egui::egui::accesskit::Role;
use egui_kittest::{Harness, kittest::Queryable};

use super::{
    super::practice::{self, ChosenDrill},
    app, *,
};
use crate::games::{
    drills::{DrillResult, Progress, shipped},
    plugin::{DrillProgress, MatchCommand},
};

fn open(app: App) -> Harness<'static, App> {
    let show = |ui: &mut Ui, app: &mut App| practice::show(ui, app.world_mut());
    Harness::builder().with_size([400.0, 800.0]).build_ui_state(show, app)
}

#[test]
fn the_button_starts_the_chosen_drill_on_its_table() {
    let chosen = shipped().iter().position(|(name, _)| *name == "line-up").unwrap();
    let mut app = app();
    app.insert_resource(ChosenDrill(chosen));
    let mut harness = open(app);
    assert!(harness.query_by_label_contains("Start from the D").is_some(), "the task");
    harness.get_by_role_and_label(Role::Button, "Start the drill").click();
    harness.run_steps(3);
    let world = harness.state_mut().world_mut();
    let commands: Vec<MatchCommand> = world.resource_mut::<Messages<MatchCommand>>().drain().collect();
    let [MatchCommand::Begin(beginning)] = &commands[..] else { panic!("{}", commands.len()) };
    let spec = beginning.game.spec();
    assert_eq!((spec.options["drill"].as_str(), spec.table.as_str()), (Some("line-up"), "snooker-12ft"));
}

#[test]
fn results_of_the_chosen_drill_are_summed_up() {
    let result = |drill: &str, score: i32| DrillResult {
        at: 0,
        drill: drill.to_owned(),
        table: "Pool, 9 ft".to_owned(),
        attempts: 10,
        score,
        pass: 14,
    };
    let name = shipped()[0].0;
    let mut app = app();
    assert!(open(app).query_by_label("No results of this drill yet.").is_some());
    app = super::app();
    let results = vec![result(name, 9), result("lag", 30), result(name, 15)];
    app.insert_resource(DrillProgress(Progress { results, damaged: 0 }));
    let harness = open(app);
    assert!(harness.query_by_label("Played: 2. Passed: 1. Best score: 15.").is_some());
}
