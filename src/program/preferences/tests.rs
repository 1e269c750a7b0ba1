use std::{fs, path::PathBuf};

use bevy::window::WindowResolution;

use super::{stored::SIZES, *};
use crate::{
    storage::is_there,
    view::{Language, ThemeChoice},
};

fn folder(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("carom-preferences-{name}-{}", std::process::id()))
}

#[test]
fn what_is_written_is_read() {
    let path = folder("roundtrip").join("deep").join("preferences.ron");
    let mut written = Preferences::default();
    written.panel.width = 420.0;
    written.panel.open.insert("energy".to_owned(), true);
    written.view.theme = ThemeChoice::Light;
    written.coach.on = true;
    written.window.position = Some(IVec2::new(-30, 12));
    written.keys.insert("Pause".to_owned(), vec!["Ctrl + KeyK".to_owned()]);
    written.write(&path).unwrap();
    assert_eq!(Preferences::read(&path).map(|read| read.map(|read| read.value)), Ok(Some(written.clone())));
    assert_eq!(Memory::at(Some(path)).kept, written);
    fs::remove_dir_all(folder("roundtrip")).unwrap();
}

/// For a file with this content: the notices, the preferences read, and the contents of the folder after a change.
fn changed(name: &str, text: &str) -> (String, Preferences, Vec<(String, String)>) {
    let path = folder(name).join("preferences.ron");
    fs::create_dir_all(folder(name)).unwrap();
    fs::write(&path, text).unwrap();
    let mut memory = Memory::at(Some(path.clone()));
    let read = memory.kept.clone();
    memory.kept.panel.width = 333.0;
    memory.write().unwrap();
    memory.write().unwrap();
    assert_eq!(Memory::at(Some(path)).kept, memory.kept);
    let mut files: Vec<_> = fs::read_dir(folder(name)).unwrap().map(|file| file.unwrap()).collect();
    files.sort_by_key(fs::DirEntry::file_name);
    let content = |file: &fs::DirEntry| fs::read_to_string(file.path()).unwrap();
    let files = files.iter().map(|file| (file.file_name().to_string_lossy().into_owned(), content(file))).collect();
    fs::remove_dir_all(folder(name)).unwrap();
    (memory.problems.iter().map(ToString::to_string).collect(), read, files)
}

#[test]
fn no_file_is_nothing_and_a_bad_one_is_said_and_kept() {
    assert_eq!(Preferences::read(&folder("none").join("preferences.ron")), Ok(None));
    let bad = "(panel: (width: wide), view: (theme: Light";
    let (said, read, files) = changed("bad", bad);
    assert_eq!(read, Preferences::default());
    assert!(said.contains("preferences.ron: ") && said.ends_with("preferences.ron.unreadable"), "{said}");
    assert_eq!(files.len(), 2);
    assert_eq!(files[1], ("preferences.ron.unreadable".to_owned(), bad.to_owned()));
}

#[test]
fn one_bad_value_costs_no_other_and_the_file_is_kept() {
    let text = "(panel: (width: wide), view: (theme: Light, language: Klingon), keys: {\"Pause\": [\"KeyK\"]})";
    let (said, read, files) = changed("one", text);
    assert_eq!(read.view.theme, ThemeChoice::Light);
    assert_eq!(read.keys.len(), 1);
    assert!(said.contains("panel.width, view.language"), "{said}");
    assert_eq!(files[1].1, text);
}

#[test]
fn what_a_later_version_wrote_is_kept() {
    let text = "(panel: (width: 300), telescope: (zoom: 3), keys: {\"Fly\": [\"KeyK\"]})";
    let (said, read, files) = changed("later", text);
    assert_eq!(read.panel.width, 300.0);
    assert!(said.contains("telescope") && said.contains("Fly"), "{said}");
    assert_eq!(files[1].1, text);
    let (said, _, files) = changed("known", "(panel: (width: 300), view: (jolt: false, reduced_motion: true))");
    assert_eq!((&said[..], files.len()), ("", 1), "all of it is known");
}

#[test]
fn what_was_kept_before_stays() {
    let path = folder("twice").join("preferences.ron");
    fs::create_dir_all(folder("twice")).unwrap();
    for (text, kept) in [("(", "unreadable"), ("((", "unreadable-2"), ("(", "unreadable")] {
        fs::write(&path, text).unwrap();
        Memory::at(Some(path.clone())).write().unwrap();
        assert_eq!(fs::read_to_string(path.with_extension(format!("ron.{kept}"))).unwrap(), text);
    }
    assert_eq!(fs::read_dir(folder("twice")).unwrap().count(), 3);
    fs::remove_dir_all(folder("twice")).unwrap();
}

#[test]
fn what_an_argument_says_holds_for_its_run_alone() {
    let path = folder("run").join("preferences.ron");
    let mut before = Preferences::default();
    (before.view.theme, before.window.full_screen) = (ThemeChoice::Light, true);
    before.write(&path).unwrap();
    let size = vec2(640.0, 480.0);
    let (theme, language) = (Some(ThemeChoice::Dark), Some(Language::Japanese));
    let options = PlayOptions { size: Some(size), theme, language, panel: Some(false), ..default() };
    let mut memory = Memory::at(Some(path.clone())).with_arguments(&options);
    // The state at the start of such a run, then with a wider panel.
    let mut now = memory.kept.clone();
    (now.window.size, now.window.full_screen) = (size, false);
    (now.view.theme, now.view.language) = (ThemeChoice::Dark, Language::Japanese);
    now.panel.shown = false;
    assert!(!memory.note(now.clone()), "nothing was chosen");
    now.panel.width = 400.0;
    assert!(memory.note(now.clone()));
    before.panel.width = 400.0;
    memory.write().unwrap();
    assert_eq!(Memory::at(Some(path)).kept, before);
    // A choice in the window is saved, even if it returns to the value of the argument.
    now.view.theme = ThemeChoice::Light;
    memory.note(now.clone());
    now.view.theme = ThemeChoice::Dark;
    now.window.size = vec2(700.0, 480.0);
    now.panel.shown = true;
    memory.note(now.clone());
    now.panel.shown = false;
    memory.note(now.clone());
    assert!(!memory.kept.panel.shown);
    assert_eq!(memory.kept.view.theme, ThemeChoice::Dark);
    assert_eq!(memory.kept.view.language, before.view.language);
    assert_eq!(memory.kept.window, now.window);
    fs::remove_dir_all(folder("run")).unwrap();
}

#[test]
fn no_window_is_too_small_to_be_found_and_no_volume_is_none() {
    let path = folder("small").join("preferences.ron");
    fs::create_dir_all(folder("small")).unwrap();
    fs::write(&path, "(window: (size: (1.0, 1e9)), sound: (volume: NaN))").unwrap();
    let read = Preferences::read(&path).unwrap().unwrap().value;
    assert_eq!(read.window.size, Vec2::new(SIZES[0].x, SIZES[1].y));
    assert_eq!(read.sound, SoundSettings::default());
    fs::remove_dir_all(folder("small")).unwrap();
}

#[test]
fn a_frame_without_news_does_nothing_and_a_change_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("preferences.ron");
    let mut app = App::new();
    app.init_resource::<PanelState>()
        .init_resource::<ViewSettings>()
        .init_resource::<SoundSettings>()
        .init_resource::<RecentFiles>()
        .init_resource::<Bookmarks>()
        .init_resource::<CaptureSettings>()
        .init_resource::<KeyMap>()
        .init_resource::<CoachSettings>()
        .init_resource::<Notices>()
        .add_message::<WindowCloseRequested>()
        .insert_resource(Memory::at(Some(path.clone())))
        .add_systems(Last, remember);
    let resolution = WindowResolution::new(1280, 800);
    let window = app.world_mut().spawn((Window { resolution, ..default() }, PrimaryWindow)).id();
    let memory = |app: &App| app.world().resource::<Memory>().clone();
    let end = |app: &mut App| {
        app.world_mut().write_message(AppExit::Success);
        app.update();
        is_there(&path)
    };
    app.update();
    assert!(!end(&mut app), "everything is as it was at first");
    // A comparison would correct this value.
    app.world_mut().resource_mut::<Memory>().kept.panel.width = 1.0;
    app.update();
    app.world_mut().get_mut::<Window>(window).unwrap().set_cursor_position(Some(Vec2::ONE));
    app.update();
    assert_eq!(memory(&app).kept.panel.width, 1.0);
    app.world_mut().resource_mut::<PanelState>().width = 333.0;
    app.update();
    app.world_mut().get_mut::<Window>(window).unwrap().resolution.set(640.0, 480.0);
    app.update();
    assert!(memory(&app).changed.is_some() && !is_there(&path), "more may follow");
    assert!(end(&mut app));
    let kept = Memory::at(Some(path.clone())).kept;
    assert_eq!((kept.panel.width, kept.window.size), (333.0, vec2(640.0, 480.0)));
    fs::remove_file(&path).unwrap();
    app.update();
    assert!(!end(&mut app), "it is written once");
}
