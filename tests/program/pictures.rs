//! Every shipped scene looks as it did, in dark and light colours. Each is drawn without a window at a fixed tick and
//! compared with a stored picture.
//!
//! After an intended change, redraw the pictures and look at them:
//!
//! ```sh
//! CAROM_UPDATE_PICTURES=1 cargo test --test program pictures
//! ```
//!
//! Graphics adapters differ in rounding and blending, so a few pixels may differ clearly and all of them slightly.
//! Without an adapter (Mesa's software Vulkan suffices) the test prints that and passes, unless `CAROM_MUST_DRAW` is
//! set, as it is in CI.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

use carom::scene::shipped;
use image::{ImageReader, RgbImage};

const SIZE: &str = "240x150";

/// The difference in a channel, of 255, above which a pixel counts as different. It happens at edges of shapes that
/// differ by rounding.
const DIFFERENT: u8 = 40;
/// The fraction of pixels that may differ.
const MAX_DIFFERENT: f64 = 0.01;
/// The largest mean difference of a channel, of 255.
const MAX_ON_AVERAGE: f64 = 1.5;

/// The tick at which a scene is drawn: late enough to show something, early enough that nothing is chaotic yet.
fn ticks(scene: &str) -> u64 {
    match scene {
        "galperin" => 200,
        "cradle" => 150,
        _ => 40,
    }
}

/// Runs `carom render` in a folder. Returns none if there is no graphics adapter.
fn render_in(folder: &Path, arguments: &str) -> Option<Output> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
    command.arg("render").args(arguments.split_whitespace()).current_dir(folder);
    // Without this folder, graphics drivers print warnings.
    command.env("XDG_RUNTIME_DIR", folder);
    let output = command.output().expect("the program starts");
    let said = String::from_utf8_lossy(&output.stderr);
    if said.contains("no graphics adapter") {
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(std::env::var_os("CAROM_MUST_DRAW").is_none(), "{said}");
        println!("skipped: there is no graphics adapter that can draw");
        return None;
    }
    Some(output)
}

/// Like [`render_in`], for arguments that must succeed.
fn draw_in(folder: &Path, arguments: &str) -> Option<Output> {
    let output = render_in(folder, arguments)?;
    assert!(output.status.success(), "{arguments}: {output:?}");
    Some(output)
}

/// An empty folder for one test. Its contents stay for inspection.
fn empty_folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Draws a scene. Returns none if there is no graphics adapter.
fn draw(scene: &str, theme: &str, folder: &Path, name: &str) -> Option<RgbImage> {
    let ticks = ticks(scene);
    draw_in(folder, &format!("{scene} --ticks {ticks} --size {SIZE} --scale 0.5 --theme {theme} --out {name}"))?;
    Some(read(&folder.join(name)))
}

fn read(path: &Path) -> RgbImage {
    let picture = ImageReader::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    picture.decode().expect("it is a picture").to_rgb8()
}

/// The fraction of pixels that differ, and the mean difference of a channel.
fn compare(now: &RgbImage, before: &RgbImage) -> (f64, f64) {
    assert_eq!(now.dimensions(), before.dimensions());
    let (mut different, mut sum) = (0_u64, 0_u64);
    for (now, before) in now.pixels().zip(before.pixels()) {
        let off = [0, 1, 2].map(|channel| now.0[channel].abs_diff(before.0[channel]));
        different += u64::from(off.iter().any(|&off| off > DIFFERENT));
        sum += off.iter().map(|&off| u64::from(off)).sum::<u64>();
    }
    let pixels = f64::from(now.width() * now.height());
    (different as f64 / pixels, sum as f64 / (3.0 * pixels))
}

#[test]
fn every_scene_looks_as_it_did() {
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/pictures");
    let drawn = empty_folder("pictures");
    let update = std::env::var_os("CAROM_UPDATE_PICTURES").is_some();
    let mut wrong = Vec::new();
    let scenes = shipped().iter().flat_map(|scene| ["dark", "light"].map(|theme| (scene.name, theme)));
    for (scene, theme) in scenes {
        let name = format!("{scene}-{theme}.png");
        let Some(now) = draw(scene, theme, &drawn, &name) else { return };
        let reference = stored.join(&name);
        if update {
            std::fs::copy(drawn.join(&name), &reference).unwrap();
            continue;
        }
        let (different, mean) = compare(&now, &read(&reference));
        if different > MAX_DIFFERENT || mean > MAX_ON_AVERAGE {
            wrong.push(format!("{name}: {:.2} % of the pixels differ, {mean:.2} on average", different * 100.0));
        }
    }
    assert!(wrong.is_empty(), "{}\nthe new pictures are in {}", wrong.join("\n"), drawn.display());
}

#[test]
fn a_picture_that_differs_is_reported_apart() {
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/pictures");
    let [a, b] =
        ["corner-right-angle", "corner-straight-back"].map(|scene| read(&stored.join(format!("{scene}-dark.png"))));
    let (different, _) = compare(&a, &b);
    assert!(different > MAX_DIFFERENT, "two discs in other places are different pictures: {different}");
}

#[test]
fn sequences_and_animations_are_written() {
    let folder = empty_folder("sequence");
    let arguments = "two-discs --ticks 20 --every 10 --size 64x48 --out s.png --gif a.gif --apng a.png";
    let Some(_) = draw_in(&folder, arguments) else { return };
    for name in ["s-00.png", "s-10.png", "s-20.png", "a.png"] {
        assert_eq!(read(&folder.join(name)).dimensions(), (64, 48), "{name}");
    }
    let gif = std::fs::read(folder.join("a.gif")).unwrap();
    assert!(gif.starts_with(b"GIF89a") && gif.ends_with(b";"), "it is whole");
    // The disc has moved.
    assert!(compare(&read(&folder.join("s-00.png")), &read(&folder.join("s-20.png"))).1 > 0.1);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 5, "nothing else is left there");
}

#[test]
fn a_picture_can_go_to_the_standard_output() {
    let folder = empty_folder("standard-output");
    let Some(_) = draw_in(&folder, "two-discs --ticks 3 --size 64x48 --out file.png") else { return };
    let output = draw_in(&folder, "two-discs --ticks 3 --size 64x48 --out -").unwrap();
    assert_eq!(output.stdout, std::fs::read(folder.join("file.png")).unwrap());
    assert!(String::from_utf8_lossy(&output.stderr).contains("2 discs, 3 ticks"), "the summary is elsewhere");
    let gif = draw_in(&folder, "two-discs --ticks 3 --every 1 --size 64x48 --gif - --quiet").unwrap();
    assert!(gif.stdout.starts_with(b"GIF89a") && gif.stdout.ends_with(b";") && gif.stderr.is_empty());
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1, "no file is called `-`");
}

#[test]
fn a_shot_is_the_one_that_simulate_plays_and_what_is_left_out_is_reported() {
    let folder = empty_folder("summary");
    let Some(output) = draw_in(&folder, "break --ticks 200 --size 64x48 --strike 9,0.2 --out a.png") else { return };
    let text = String::from_utf8(output.stdout).unwrap();
    let mut simulate = Command::new(env!("CARGO_BIN_EXE_carom"));
    let simulated = simulate.args(["simulate", "break", "--ticks", "200", "--strike", "9,0.2"]).output().unwrap();
    let simulated = String::from_utf8(simulated.stdout).unwrap();
    for word in ["  strike ", "  collisions "] {
        let line = |text: &str| text.lines().find(|line| line.starts_with(word)).map(str::to_owned);
        assert!(line(&text).is_some(), "{text}");
        assert_eq!(line(&text), line(&simulated));
    }
    assert!(draw_in(&folder, "break --size 64x48 --out a.png --quiet").unwrap().stdout.is_empty());

    let discs = "discs: [(), (id: 9, position: (9e11, 3), velocity: (1e12, 0), radius: 1e6, mass: 1)]";
    std::fs::write(folder.join("beyond.ron"), format!("({discs}, camera: At(centre: (0, 0), height: 9))")).unwrap();
    let output = render_in(&folder, "beyond.ron --ticks 20 --size 64x48 --out a.png --quiet").unwrap();
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.starts_with("carom: left out: disc 9: Position is") && said.lines().count() == 1, "{said}");

    std::fs::write(folder.join("far.ron"), "(discs: [(id: 5, position: (1e6, 0), velocity: (1, 0))])").unwrap();
    let output = draw_in(&folder, "far.ron --size 64x48 --out a.png --quiet").unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.starts_with("carom: disc 5 at") && said.lines().count() == 1, "{said}");
}

#[test]
fn a_shot_that_is_aimed_is_seen_and_one_that_was_taken_has_moved_the_balls() {
    let folder = empty_folder("shots");
    let draw = |name: &str, arguments: &str| {
        draw_in(&folder, &format!("break --size 640x400 --out {name} {arguments}"))?;
        Some(read(&folder.join(name)))
    };
    let Some(still) = draw("still.png", "") else { return };
    let changed = |arguments: &str| compare(&still, &draw("other.png", arguments).unwrap()).0;
    assert_eq!(changed("--ticks 5"), 0.0, "nothing moves by itself");
    let aimed = changed("--aim 8,2");
    assert!(aimed > 0.005, "the cue and the paths: {aimed}");
    let shot = changed("--strike 8,0.2 --ticks 120");
    assert!(shot > 0.005, "balls that have gone elsewhere: {shot}");
    let window = changed("--window");
    assert!(window > 0.2, "the panel takes a part of the picture: {window}");
}

#[test]
fn the_gallery_is_the_one_that_is_stored_and_shows_every_scene() {
    let folder = empty_folder("gallery");
    let Some(_) = draw_in(&folder, "--gallery .") else { return };
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/pictures");
    let page = std::fs::read_to_string(folder.join("README.md")).unwrap();
    let update = "`carom render --gallery assets/pictures` draws it again";
    assert_eq!(page, std::fs::read_to_string(stored.join("README.md")).unwrap(), "{update}");
    compare_animations(&folder, &stored, update);
    for scene in shipped() {
        let [dark, light] = ["dark", "light"].map(|theme| {
            let name = format!("{}-{theme}.png", scene.name);
            assert!(page.contains(&name), "{name}");
            let picture = read(&folder.join(&name));
            // The drawn state is bit-identical on every machine, so only differences of adapters remain.
            let (different, mean) = compare(&picture, &read(&stored.join(&name)));
            let is_same = different <= MAX_DIFFERENT && mean <= MAX_ON_AVERAGE;
            assert!(is_same, "{name}: {:.2} % of the pixels differ, {mean:.2} on average; {update}", different * 100.0);
            let background = *picture.get_pixel(0, 0);
            assert!(picture.pixels().any(|&pixel| pixel != background), "{name} is empty");
            picture
        });
        assert!(compare(&dark, &light).0 > 0.02, "{}: dark is not light", scene.name);
    }
}

/// The frames of an animation, as they are seen.
fn frames(path: &Path) -> Vec<RgbImage> {
    let file = std::fs::File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(file).expect("it is an animation");
    let mut canvas = RgbImage::new(u32::from(decoder.width()), u32::from(decoder.height()));
    let mut frames = Vec::new();
    while let Some(frame) = decoder.read_next_frame().expect("it is whole") {
        for (i, &[r, g, b, opacity]) in frame.buffer.as_chunks::<4>().0.iter().enumerate() {
            let (x, y) = (i as u32 % u32::from(frame.width), i as u32 / u32::from(frame.width));
            if opacity > 0 {
                canvas.put_pixel(u32::from(frame.left) + x, u32::from(frame.top) + y, image::Rgb([r, g, b]));
            }
        }
        frames.push(canvas.clone());
    }
    frames
}

/// Compares the animations of a gallery with the stored ones.
fn compare_animations(folder: &Path, stored: &Path, update: &str) {
    for name in ["aim", "wall", "slider", "modes"] {
        let name = format!("{name}.gif");
        assert!(std::fs::metadata(stored.join(&name)).unwrap().len() <= 2_000_000, "{name} is quick to load");
        let [new, old] = [folder, stored].map(|folder| frames(&folder.join(&name)));
        assert_eq!(new.len(), old.len(), "{name}; {update}");
        for (i, (new, old)) in new.iter().zip(&old).enumerate() {
            let (different, mean) = compare(new, old);
            let is_same = different <= MAX_DIFFERENT && mean <= MAX_ON_AVERAGE;
            assert!(is_same, "frame {i} of {name}: {:.2} % of the pixels differ; {update}", different * 100.0);
        }
        assert!(compare(&new[0], &new[new.len() / 2]).0 > 0.001, "something moves in {name}");
    }
}

#[test]
fn a_script_that_cannot_be_played_is_reported_in_a_line() {
    let folder = empty_folder("script");
    std::fs::write(folder.join("bad.ron"), "(size: (320, 200), frame_rate: 99, takes: [])").unwrap();
    for (arguments, expected) in [
        ("--script bad.ron --gif a.gif", "--script bad.ron: frame_rate: set it from 1 to 60"),
        ("--script bad.ron", "--script bad.ron: name a file: --gif"),
        ("--script none.ron --gif a.gif", "--script none.ron"),
        ("gas --script bad.ron --gif a.gif", "--script"),
        ("--script bad.ron --every 2 --gif a.gif", "--every"),
    ] {
        let output = render_in(&folder, arguments).expect("this is found out before anything is drawn");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(expected) && said.lines().count() == 1, "{arguments}: {said}");
    }
}

#[test]
fn no_picture_is_touched_before_there_is_another() {
    let folder = empty_folder("kept");
    std::fs::write(folder.join("kept.png"), "kept").unwrap();
    for arguments in [
        "gas --out kept.png --every 5 --gif missing/x.gif",
        "gas --every 5 --apng kept.png --gif missing/x.gif",
        "gas --out kept.png --set restitution=2",
    ] {
        let output = render_in(&folder, arguments).expect("this is found out before anything is drawn");
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert_eq!(std::fs::read_to_string(folder.join("kept.png")).unwrap(), "kept", "{arguments}");
    }
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1, "nothing is left beside it");
}

#[test]
fn what_cannot_be_drawn_is_reported_in_a_line() {
    for (arguments, expected) in [
        (&["render", "two-discs"][..], "--out"),
        (&["render", "two-discs", "--size", "5x5", "--out", "x.png"], "--size 5x5"),
        (&["render", "no-such-scene", "--out", "x.png"], "no-such-scene"),
        (&["render", "gas", "--gif", "x.gif"], "--every"),
        (&["render", "gas", "--out", "x.png", "--theme", "mauve"], "mauve"),
        (&["render", "gas", "--out", "x.png", "--show", "auras"], "--show auras"),
        (&["render", "gas", "--out", "x.png", "--show", "colour=mood"], "energy"),
        (&["render", "gas", "--out", "x.png", "--scale", "9"], "0.5 to 4"),
        (&["render", "break", "--out", "x.png", "--aim", "fast"], "--aim fast"),
        (&["render", "gas", "--out", "x.png", "--colours", "Cargo.toml"], "--colours Cargo.toml: 1:"),
        (&["render", "gas", "--out", "x.png", "--colours", "no-such-file.ron"], "assets/themes.ron"),
        (&["render", "gas", "--out", "x.jpg"], "ends in .png"),
        (&["render", "gas", "--out", "x"], "ends in .png"),
        (&["render", "gas", "--every", "1", "--gif", "x.png"], "ends in .gif"),
        (&["render", "gas", "--every", "1", "--apng", "x.gif"], "ends in .png"),
        (&["render", "gas", "--every", "1", "--out", "-"], "--every"),
        (&["render", "gas", "--every", "1", "--gif", "-", "--apng", "-"], "standard output"),
        (&["render", "gas", "--every", "1", "--out", "x.png", "--apng", "src/../x-0.png"], "same file"),
        (&["render", "gas", "--out", "no-such-folder/x.png"], "cannot be written"),
        (&["render", "cradle", "--out", "x.png", "--seed", "4"], "no generator"),
        (&["render", "--match", "no-such-match.ron", "--out", "x.png"], "carom play --save"),
        (&["render", "--match", "assets/scenes/gas.ron", "--out", "x.png"], "gas.ron, line"),
        (&["render", "gas", "--match", "assets/matches/nine-ball.ron", "--out", "x.png"], "--match"),
        (&["gas", "--screenshot", "x.jpg"], "ends in .png"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_carom")).args(arguments).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
}

#[test]
fn a_match_is_drawn_as_it_stands_and_a_changed_one_is_not() {
    let folder = empty_folder("match");
    let text = std::fs::read_to_string("assets/matches/nine-ball.ron").unwrap();
    std::fs::write(folder.join("match.ron"), &text).unwrap();
    // Without the last shot, the ball that it potted is still on the table.
    let (_, last) = text.trim_end_matches("  ],\n)\n").trim_end().rsplit_once('\n').unwrap();
    std::fs::write(folder.join("before.ron"), text.replace(&format!("{last}\n"), "")).unwrap();
    std::fs::write(folder.join("changed.ron"), text.replace("hash:1", "hash:2")).unwrap();
    let mut pictures = Vec::new();
    for name in ["match", "before"] {
        for window in ["", "--window"] {
            let out = format!("{name}{window}.png");
            let arguments = format!("--match {name}.ron {window} --size {SIZE} --out {out}");
            if draw_in(&folder, &arguments).is_none() {
                return;
            }
            pictures.push(std::fs::read(folder.join(out)).unwrap());
        }
    }
    for (a, b) in [(0, 1), (0, 2), (1, 3)] {
        assert_ne!(pictures[a], pictures[b], "{a} and {b}");
    }
    let output = render_in(&folder, "--match changed.ron --out changed.png").unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(!folder.join("changed.png").exists());
}
