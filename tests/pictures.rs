//! Every shipped scene looks as it did, in dark and in light colours: drawn without a window at a fixed tick and compared with a stored picture.
//!
//! After a change of the looks that is meant, draw the pictures anew and look at them:
//!
//! ```sh
//! CAROM_UPDATE_PICTURES=1 cargo test --test pictures
//! ```
//!
//! Adapters differ a little in how they round and blend, so single pixels may differ, and all of them a little. Without an
//! adapter (Mesa's software Vulkan will do) the test says so and passes.
#![cfg(feature = "program")]

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use carom::scene::shipped;
use image::{ImageReader, RgbImage};

const SIZE: &str = "240x150";

/// How far a channel of a pixel may be off before the pixel counts as different, of 255; edges of shapes that lie a rounding
/// apart are.
const DIFFERENT: u8 = 40;
/// The share of pixels that may differ.
const MOST_DIFFERENT: f64 = 0.01;
/// By how much the channels may be off on average, of 255.
const MOST_ON_AVERAGE: f64 = 1.5;

/// After how many ticks a scene is drawn: far enough that something has happened, near enough that nothing is chaotic yet.
fn ticks(scene: &str) -> u64 {
    match scene {
        "galperin" => 200,
        "cradle" => 150,
        _ => 40,
    }
}

/// Draws a scene; none where there is no graphics adapter.
fn draw(scene: &str, theme: &str, out: &Path) -> Option<RgbImage> {
    let output = Command::new(env!("CARGO_BIN_EXE_carom"))
        .args([
            "render",
            scene,
            "--ticks",
            &ticks(scene).to_string(),
            "--size",
            SIZE,
            "--scale",
            "0.5",
            "--theme",
            theme,
            "--out",
        ])
        .arg(out)
        .output()
        .expect("the program starts");
    let said = String::from_utf8_lossy(&output.stderr);
    if said.contains("no graphics adapter") {
        assert_eq!(output.status.code(), Some(2), "{said}");
        return None;
    }
    assert!(output.status.success(), "{scene}: {said}");
    Some(read(out))
}

fn read(path: &Path) -> RgbImage {
    let picture = ImageReader::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    picture.decode().expect("it is a picture").to_rgb8()
}

/// The share of pixels that differ, and the mean difference of a channel.
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
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pictures");
    let drawn = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("pictures");
    std::fs::create_dir_all(&drawn).unwrap();
    let update = std::env::var_os("CAROM_UPDATE_PICTURES").is_some();
    let mut wrong = Vec::new();
    let scenes = shipped().iter().flat_map(|scene| ["dark", "light"].map(|theme| (scene.name, theme)));
    for (scene, theme) in scenes {
        let name = format!("{scene}-{theme}.png");
        let out = drawn.join(&name);
        let Some(now) = draw(scene, theme, &out) else {
            println!("skipped: there is no graphics adapter that can draw");
            return;
        };
        let reference = stored.join(&name);
        if update {
            std::fs::copy(&out, &reference).unwrap();
            continue;
        }
        let (different, mean) = compare(&now, &read(&reference));
        if different > MOST_DIFFERENT || mean > MOST_ON_AVERAGE {
            wrong.push(format!("{name}: {:.2} % of the pixels differ, {mean:.2} on average", different * 100.0));
        }
    }
    assert!(wrong.is_empty(), "{}\nthe new pictures are in {}", wrong.join("\n"), drawn.display());
}

#[test]
fn a_picture_that_differs_is_told_apart() {
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pictures");
    let [a, b] =
        ["corner-right-angle", "corner-straight-back"].map(|scene| read(&stored.join(format!("{scene}-dark.png"))));
    let (different, _) = compare(&a, &b);
    assert!(different > MOST_DIFFERENT, "two discs in other places are different pictures: {different}");
}

#[test]
fn sequences_and_animations_are_written() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("sequence");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_carom"))
        .args(["render", "two-discs", "--ticks", "20", "--every", "10", "--size", "64x48", "--out", "s.png"])
        .args(["--gif", "a.gif", "--apng", "a.png"])
        .current_dir(&folder)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    if said.contains("no graphics adapter") {
        println!("skipped: there is no graphics adapter that can draw");
        return;
    }
    assert!(output.status.success(), "{said}");
    for name in ["s-00.png", "s-10.png", "s-20.png", "a.png"] {
        assert_eq!(read(&folder.join(name)).dimensions(), (64, 48), "{name}");
    }
    let gif = std::fs::read(folder.join("a.gif")).unwrap();
    assert!(gif.starts_with(b"GIF89a"));
    // The disc has moved.
    assert!(compare(&read(&folder.join("s-00.png")), &read(&folder.join("s-20.png"))).1 > 0.1);
}

#[test]
fn a_shot_that_is_aimed_is_seen_and_one_that_was_struck_has_moved_the_balls() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("shots");
    std::fs::create_dir_all(&folder).unwrap();
    let draw = |name: &str, arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_carom"))
            .args(["render", "break", "--size", "640x400", "--out", name])
            .args(arguments)
            .current_dir(&folder)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (!said.contains("no graphics adapter")).then(|| {
            assert!(output.status.success(), "{said}");
            read(&folder.join(name))
        })
    };
    let Some(still) = draw("still.png", &[]) else {
        println!("skipped: there is no graphics adapter that can draw");
        return;
    };
    let changed = |arguments: &[&str]| compare(&still, &draw("other.png", arguments).unwrap()).0;
    assert_eq!(changed(&["--ticks", "5"]), 0.0, "nothing moves by itself");
    let aimed = changed(&["--aim", "8,2"]);
    assert!(aimed > 0.005, "the cue and the paths: {aimed}");
    let struck = changed(&["--strike", "8,0.2", "--ticks", "120"]);
    assert!(struck > 0.005, "balls that have gone elsewhere: {struck}");
    let window = changed(&["--window"]);
    assert!(window > 0.2, "the panel takes a part of the picture: {window}");
}

#[test]
fn the_gallery_is_the_one_that_is_stored_and_shows_every_scene() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("gallery");
    let _ = std::fs::remove_dir_all(&folder);
    let output = Command::new(env!("CARGO_BIN_EXE_carom")).args(["render", "--gallery"]).arg(&folder).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    if said.contains("no graphics adapter") {
        println!("skipped: there is no graphics adapter that can draw");
        return;
    }
    assert!(output.status.success(), "{said}");
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/pictures");
    let page = std::fs::read_to_string(folder.join("README.md")).unwrap();
    let update = "`carom render --gallery assets/pictures` draws it anew";
    assert_eq!(page, std::fs::read_to_string(stored.join("README.md")).unwrap(), "{update}");
    for scene in shipped() {
        for theme in ["dark", "light"] {
            let name = format!("{}-{theme}.png", scene.name);
            assert!(page.contains(&name), "{name}");
            // Some are drawn after so many hits that other adapters may differ.
            assert_eq!(read(&folder.join(&name)).dimensions(), read(&stored.join(&name)).dimensions(), "{update}");
        }
    }
}

#[test]
fn what_cannot_be_drawn_is_told_in_a_line() {
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
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_carom")).args(arguments).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
}
