//! The section *Practice*.

use bevy_egui::egui::accesskit::Role;
use egui_kittest::{Harness, kittest::Queryable};

use super::{
    super::practice::{self, ChosenDrill},
    app, *,
};
use crate::{
    components::Position,
    games::{
        MatchResult, MatchResults, Player, PlayerSpec, PlayerStatistics, Statistics,
        drills::{DrillResult, Progress, shipped},
        plugin::{CustomDrills, DrillProgress, KeptResults, MatchCommand, MatchFolder},
    },
    notice::Notices,
    scene::CueBall,
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

/// A scene of nine-ball with a panel.
fn nine_ball() -> App {
    let mut app = app();
    let source = SceneSource::Shipped("nine-ball");
    let file = source.load().unwrap();
    scene::spawn(app.world_mut(), source, file).unwrap();
    app.update();
    app
}

#[test]
fn coordinates_of_all_balls_are_shown_in_diamonds() {
    let mut harness = open(nine_ball());
    harness.get_by_label("Position").click();
    harness.run_steps(3);
    let world = harness.state().world();
    let length = world.resource::<scene::DrawnTable>().spec.length;
    // The head string, on which the cue ball lies, is two diamonds from the middle.
    let cue = harness.get_by_label_contains("cue ball x");
    let shown = cue.value().unwrap_or_default();
    let mut balls = harness.state_mut().world_mut().query_filtered::<&Position, With<CueBall>>();
    let place = balls.single(harness.state().world()).unwrap().0.x;
    let expected = f64::from(place) / (length / 8.0);
    assert!((shown.trim().parse::<f64>().unwrap() - expected).abs() < 1e-3, "{shown}, not {expected}");
}

#[test]
fn the_position_is_saved_as_a_drill_and_listed() {
    let folder = tempfile::tempdir().unwrap();
    let matches = folder.path().join("matches");
    let mut app = nine_ball();
    app.insert_resource(MatchFolder(Some(matches)));
    let mut harness = open(app);
    harness.get_by_label("Position").click();
    harness.run_steps(3);
    harness.get_by_label("Save as a drill").click();
    harness.run_steps(3);
    let own = harness.state().world().resource::<CustomDrills>().clone();
    assert_eq!((own.drills.len(), own.drills[0].name.as_str()), (1, "my-position"));
    assert_eq!(own.drills[0].drill.positions[0].balls.len(), 10);
    // It can be chosen after the shipped ones, and is started with its text.
    *harness.state_mut().world_mut().resource_mut::<ChosenDrill>() = ChosenDrill(shipped().len());
    harness.run_steps(2);
    harness.get_by_role_and_label(Role::Button, "Start the drill").click();
    harness.run_steps(3);
    let world = harness.state_mut().world_mut();
    let commands: Vec<MatchCommand> = world.resource_mut::<Messages<MatchCommand>>().drain().collect();
    let [MatchCommand::Begin(beginning)] = &commands[..] else { panic!("{}", commands.len()) };
    assert_eq!(beginning.game.spec().options["file"].as_str(), Some(own.drills[0].text.as_str()));
}

#[test]
fn a_diagram_is_offered_and_a_shot_that_is_not_aimed_is_no_link() {
    let mut app = nine_ball();
    app.init_resource::<Notices>();
    let mut harness = open(app);
    harness.get_by_label("Diagram…").click();
    harness.run_steps(3);
    let saved =
        harness.state().world().resource::<Files>().exported().map(|(name, text)| (name.to_owned(), text.to_owned()));
    let (name, svg) = saved.unwrap();
    assert!(name == "position.svg" && svg.starts_with("<svg") && svg.contains(">\n9\n<"), "{name}: {svg}");
    harness.get_by_label("Copy the shot").click();
    harness.run_steps(3);
    let notices = harness.state().world().resource::<Notices>();
    let last = notices.iter().last().map(|notice| notice.text.clone()).unwrap_or_default();
    assert!(last.contains("Set up a shot first."), "{last}");
}

#[test]
fn matches_against_bots_are_summed_up() {
    let mut app = app();
    let statistics = Statistics {
        players: [8, 3].map(|potted| PlayerStatistics { potted, innings: 4, ..PlayerStatistics::default() }),
    };
    let result = MatchResult {
        at: 0,
        id: 1,
        game: "nine-ball".to_owned(),
        table: String::new(),
        players: ["You", "bot:medium"].map(PlayerSpec::from),
        racks: [3, 2],
        winner: Player(0),
        statistics,
    };
    app.insert_resource(KeptResults(MatchResults { results: vec![result], damaged: 0 }));
    let mut harness = open(app);
    harness.get_by_label("Against bots").click();
    harness.run_steps(3);
    for text in ["bot:medium, 9-ball", "1 of 1", "3 \u{2013} 2", "2.00"] {
        assert!(harness.query_by_label(text).is_some(), "{text}");
    }
}

#[test]
fn the_drill_that_begins_is_the_chosen_one() {
    let mut app = app();
    app.insert_resource(MatchSettings::AT_ONCE).add_plugins(MatchPlugin).add_systems(Update, practice::follow);
    for (name, rack) in [("lag", None), ("lag", Some("nine-ball")), ("kick-shot", None)] {
        let (game, option, value) = rack.map_or(("drill", "drill", name), |rack| ("practice", "rack", rack));
        let options = [(option.to_owned(), value.into())].into_iter().collect();
        let beginning = Beginning::of(MatchSpec { game: game.to_owned(), options, ..MatchSpec::default() }).unwrap();
        app.world_mut().write_message(MatchCommand::Begin(Box::new(beginning)));
        app.update();
        app.update();
        let chosen = app.world().resource::<ChosenDrill>().0;
        assert_eq!(shipped()[chosen].0, name);
    }
}
