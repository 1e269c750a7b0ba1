use super::{dialog::labels, *};
use crate::{
    PhysicsPlugins,
    games::{Action, Match, MatchSpec, PlayerSpec},
    scene::ScenePlugin,
};

fn app() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), ScenePlugin, plugin)).init_resource::<Theme>();
    app.finish();
    app.cleanup();
    app
}

fn show_once(ctx: &egui::Context, app: &mut App) {
    show_with(ctx, app, Vec::new());
}

fn show_with(ctx: &egui::Context, app: &mut App, events: Vec<egui::Event>) {
    let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(1280.0, 800.0));
    let input = egui::RawInput { screen_rect: Some(screen), events, ..default() };
    ctx.run_ui(input, |ui| lay_out(ui.ctx(), app.world_mut())).textures_delta.clear();
}

fn commands(app: &mut App) -> Vec<SceneCommand> {
    app.world_mut().resource_mut::<Messages<SceneCommand>>().drain().collect()
}

/// The commands after a file was chosen in the dialog.
fn saved(app: &mut App, chosen: PathBuf) -> Vec<SceneCommand> {
    app.world_mut().resource_scope(|world, mut files: Mut<Files>| save_to(world, &mut files, chosen));
    commands(app)
}

fn notices(app: &App) -> Vec<String> {
    app.world().resource::<Notices>().iter().map(|notice| notice.text.clone()).collect()
}

#[test]
fn a_file_is_replaced_only_after_a_yes() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = app();
    let save = |app: &mut App, name: &str| saved(app, folder.path().join(name));
    assert_eq!(save(&mut app, "new"), [SceneCommand::SaveAs(folder.path().join("new.ron"))]);
    let path = folder.path().join("old.ron");
    std::fs::write(&path, "(title: \"kept\")").unwrap();
    for chosen in ["old", "old.ron.ron"] {
        app.world_mut().resource_mut::<Files>().replaces = None;
        assert!(save(&mut app, chosen).is_empty());
        assert_eq!(app.world().resource::<Files>().replaces, Some(path.clone()), "it is asked");
        assert!(app.world().resource::<Files>().is_busy());
    }
    assert!(save(&mut app, "new folder/").is_empty(), "a folder is no scene");
    assert!(notices(&app).last().is_some_and(|notice| notice.contains("is a folder")));
    assert_eq!(save(&mut app, "old.ron"), [SceneCommand::SaveAs(path)], "the dialog has asked");
}

#[test]
fn a_text_is_exported_to_the_chosen_file_and_not_the_scene() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = app();
    let save = |app: &mut App, name: &str| saved(app, folder.path().join(name));
    app.world_mut().resource_mut::<Files>().export("plots.csv", "a,b".to_owned());
    let ctx = egui::Context::default();
    show_once(&ctx, &mut app);
    assert!(app.world().resource::<Files>().is_busy(), "the dialog is open");
    assert!(save(&mut app, "run").is_empty() && save(&mut app, "run.txt").is_empty());
    for name in ["run.csv", "run.txt"] {
        assert_eq!(std::fs::read_to_string(folder.path().join(name)).unwrap(), "a,b", "{name}");
    }
    assert!(save(&mut app, "run").is_empty());
    let replaces = app.world().resource::<Files>().replaces.clone();
    assert_eq!(replaces, Some(folder.path().join("run.csv")), "the ending was added, so it is asked");
    app.world_mut().resource_mut::<Files>().replaces = None;
    // The next dialog is about the scene again.
    app.world_mut().resource_mut::<Files>().ask(Ask::SaveAs);
    show_once(&ctx, &mut app);
    assert_eq!(save(&mut app, "x"), [SceneCommand::SaveAs(folder.path().join("x.ron"))]);
}

#[test]
fn a_name_ends_in_ron_once() {
    for (typed, is) in [
        ("x", "x.ron"),
        ("x.ron", "x.ron"),
        ("x.ron.ron", "x.ron"),
        ("x.RON.ron", "x.RON"),
        ("x.scene.ron", "x.scene.ron"),
        ("x.png", "x.png.ron"),
        ("x v1.2", "x v1.2.ron"),
    ] {
        assert_eq!(meant(typed.into()), PathBuf::from(is), "{typed}");
    }
}

#[test]
fn a_dialog_takes_the_place_of_the_help_and_one_escape_ends_it() {
    let (mut app, ctx) = (app(), egui::Context::default());
    for ask in [Ask::Open, Ask::SaveAs] {
        app.insert_resource(Overlays { help: true, ..default() });
        app.world_mut().resource_mut::<Files>().ask(ask);
        for _ in 0..3 {
            show_once(&ctx, &mut app);
        }
        assert!(app.world().resource::<Files>().is_busy());
        assert!(!app.world().resource::<Overlays>().help);
        assert_eq!(ctx.memory(egui::Memory::focused).is_some(), ask == Ask::SaveAs, "a name can be typed at once");
        let escape = egui::Event::Key {
            key: egui::Key::Escape,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers: egui::Modifiers::NONE,
        };
        show_with(&ctx, &mut app, vec![escape]);
        assert!(!app.world().resource::<Files>().is_busy(), "{ask:?}");
    }
}

#[test]
fn the_dialogs_speak_the_language_of_the_window() {
    let english = labels();
    crate::view::words::language::in_japanese(|| {
        let japanese = labels();
        assert_ne!(japanese.save_button, english.save_button);
        assert_ne!(japanese.heading_places, english.heading_places);
        assert_ne!(config().file_filters[0].name, "Scenes (.ron)");
    });
}

#[test]
fn while_there_is_a_question_no_key_is_the_tables() {
    let mut app = app();
    app.update();
    assert!(app.world().resource::<Attention>().keys);
    app.world_mut().resource_mut::<Files>().replaces = Some("a.ron".into());
    app.update();
    assert!(!app.world().resource::<Attention>().keys);
}

#[test]
fn save_writes_where_the_scene_came_from_and_asks_for_a_name_where_that_is_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let (mut app, ctx) = (app(), egui::Context::default());
    let press = |app: &mut App, ctx: &egui::Context| {
        app.world_mut().resource_mut::<ButtonInput<KeyCode>>().reset_all();
        app.update();
        let mut keys = app.world_mut().resource_mut::<ButtonInput<KeyCode>>();
        keys.press(if cfg!(target_os = "macos") { KeyCode::SuperLeft } else { KeyCode::ControlLeft });
        keys.press(KeyCode::KeyS);
        app.update();
        show_once(ctx, app);
    };
    app.world_mut().write_message(SceneCommand::Load(SceneSource::Shipped("two-discs")));
    app.update();
    press(&mut app, &ctx);
    let files = app.world().resource::<Files>();
    assert!(files.is_busy() && files.is_saving, "a dialog is open");
    app.insert_resource(Files::default());
    let path = folder.path().join("mine.ron");
    app.world_mut().write_message(SceneCommand::SaveAs(path.clone()));
    app.update();
    assert_eq!(app.world().resource::<CurrentScene>().source, SceneSource::Path(path.clone()));
    assert_eq!(app.world().resource::<RecentFiles>().iter().collect::<Vec<_>>(), [path.as_path()]);
    app.world_mut().spawn(crate::components::Disc);
    press(&mut app, &ctx);
    assert!(!app.world().resource::<Files>().is_busy());
    app.update();
    let written = SceneSource::Path(path.clone()).load().map(|file| file.discs.len());
    assert_eq!(written, Ok(3), "{:?}", notices(&app));
    std::fs::write(&path, "(title: \"what somebody else has written\"").unwrap();
    press(&mut app, &ctx);
    assert_eq!(app.world().resource::<Files>().replaces, Some(path), "that would be lost");
}

#[test]
fn of_what_is_dropped_the_first_scene_begins() {
    let mut app = app();
    let drop = |app: &mut App, names: &[&str]| {
        for name in names {
            app.world_mut()
                .write_message(FileDragAndDrop::DroppedFile { window: Entity::PLACEHOLDER, path_buf: name.into() });
        }
        app.world_mut().run_system_cached(take_dropped).unwrap();
        commands(app)
    };
    let load = SceneCommand::Load(SceneSource::Path("b.RON".into()));
    assert_eq!(drop(&mut app, &["a.png", "b.RON", "c.ron"]), [load]);
    assert!(drop(&mut app, &["a.png"]).is_empty());
    assert!(notices(&app).last().is_some_and(|notice| notice.starts_with("a.png is not a scene")));
}

#[test]
fn a_match_that_is_dropped_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.ron");
    let spec =
        MatchSpec { game: "snooker".to_owned(), players: ["Ann", "bot:easy"].map(PlayerSpec::from), ..default() };
    let mut game = Match::new(spec).unwrap();
    game.apply(Action::Concede).unwrap();
    std::fs::write(&path, game.record().to_text().unwrap()).unwrap();
    let mut app = app();
    let drop = |app: &mut App| {
        let path_buf = path.clone();
        app.world_mut().write_message(FileDragAndDrop::DroppedFile { window: Entity::PLACEHOLDER, path_buf });
        app.world_mut().run_system_cached(take_dropped).unwrap();
    };
    drop(&mut app);
    assert_eq!(commands(&mut app).len(), 1, "no match is played here, and as a scene it is refused");
    app.add_message::<MatchCommand>();
    drop(&mut app);
    assert!(commands(&mut app).is_empty());
    let begun = app.world_mut().resource_mut::<Messages<MatchCommand>>().drain().next();
    let Some(MatchCommand::Begin(beginning)) = begun else { panic!("nothing has begun") };
    assert_eq!(beginning.game.hash(), game.hash());
    let text = game.record().to_text().unwrap().replace("bot:easy", "exec:touch started");
    std::fs::write(&path, text).unwrap();
    drop(&mut app);
    assert!(app.world_mut().resource_mut::<Messages<MatchCommand>>().drain().next().is_none());
    assert!(notices(&app).last().is_some_and(|notice| notice.contains("a program, `exec:touch started`")));
    let newer = game.record().to_text().unwrap().replacen("version: ", "version: 9", 1);
    std::fs::write(&path, newer).unwrap();
    drop(&mut app);
    assert!(notices(&app).last().is_some_and(|notice| notice.contains("was written by a newer carom")));
    assert!(commands(&mut app).is_empty(), "it is not a scene with a mistake");
}

#[test]
fn what_is_held_over_the_window_has_a_hint_until_it_leaves() {
    let (mut app, ctx) = (app(), egui::Context::default());
    app.world_mut()
        .write_message(FileDragAndDrop::HoveredFile { window: Entity::PLACEHOLDER, path_buf: "a.ron".into() });
    app.update();
    assert_eq!(app.world().resource::<Files>().hovering.len(), 1);
    show_once(&ctx, &mut app);
    app.world_mut().write_message(FileDragAndDrop::HoveredFileCanceled { window: Entity::PLACEHOLDER });
    app.update();
    assert!(app.world().resource::<Files>().hovering.is_empty());
}

#[test]
fn the_files_of_late_are_each_once_and_those_that_are_gone_are_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let mut recent = RecentFiles::default();
    for name in ["a.ron", "b.ron", "a.ron"] {
        recent.add(&at(name));
    }
    assert_eq!(recent.iter().collect::<Vec<_>>(), [at("a.ron"), at("b.ron")]);
    std::fs::write(at("b.ron"), "()").unwrap();
    recent.forget_missing();
    assert_eq!(recent.iter().collect::<Vec<_>>(), [at("b.ron")]);
    (0..20).for_each(|k| recent.add(&at(&format!("{k}.ron"))));
    assert_eq!(recent.iter().len(), RecentFiles::KEPT);
}
