//! Tests the whole program in a virtual desktop. It opens its window, a real mouse aims and shoots the cue ball, and
//! screenshots show the table before, during and after.
//!
//! The tests need Xvfb, xdotool and a graphics adapter (Mesa's software Vulkan suffices). If one is missing, they print
//! that and pass, unless `CAROM_MUST_DRAW` is set, as it is in CI. The screenshots stay in the target folder, under
//! `tmp/desktop`, for inspection.
#![cfg(all(feature = "program", target_os = "linux"))]

use std::{fs, path::Path, process::Command, thread, time::Duration};

mod rack;
mod screen;
mod windows;

use screen::{Desktop, WINDOW, cue_ball, difference, skip, wait_for};

#[test]
fn a_mouse_breaks_the_rack() {
    let mut desktop = match Desktop::open("break") {
        Ok(desktop) => desktop,
        Err(reason) => return skip(&reason),
    };
    desktop.start(&["break"]).expect("the program starts");
    let before = match desktop.first_picture() {
        Ok(picture) => picture,
        Err(said) => return skip(&said),
    };
    // In the left half of the table.
    let (x, y) = cue_ball(&before, 100..420, 300..550).expect("the cue ball is on its spot");

    // Press the cue ball and pull back to the left, slightly off the line so that the break is not symmetrical.
    desktop.point(x, y);
    desktop.mouse(&["mousedown", "1"]);
    for step in 1..=8 {
        desktop.mouse(&["mousemove", &(x - 20 * step).to_string(), &(y + step / 4).to_string()]);
        thread::sleep(Duration::from_millis(150));
    }
    let aiming = desktop.picture("aiming").expect("it goes on");
    let line = difference(&before, &aiming, x + 20..x + 300, y - 20..y + 20);
    assert!(line > 50, "an aim line appears in front of the ball: {line} pixels");

    desktop.mouse(&["mouseup", "1"]);
    thread::sleep(Duration::from_secs(3));
    let after = desktop.picture("after").expect("it goes on");
    let rack = difference(&before, &after, 600..740, 340..500);
    assert!(rack > 1500, "the rack is broken: {rack} pixels changed where it stood");
    let table = difference(&before, &after, 100..840, 240..600);
    assert!(table > rack, "balls lie elsewhere: {table} pixels changed on the table");
    tune(&mut desktop);
    record(&desktop);
    assert!(desktop.ended().is_none(), "it goes on");
}

/// Records the window with the panel's buttons, and finds the animation beside the screenshots.
fn record(desktop: &Desktop) {
    desktop.reveal("Button", "Screenshots and recordings");
    desktop.press("Button", "Screenshots and recordings");
    desktop.reveal("Button", "Record");
    desktop.press("Button", "Record");
    thread::sleep(Duration::from_secs(2));
    desktop.press("Button", "Stop");
    let animation = wait_for(|| {
        let files = fs::read_dir(&desktop.folder).ok()?;
        files.filter_map(Result::ok).map(|file| file.path()).find(|file| file.extension().is_some_and(|it| it == "gif"))
    });
    let file = fs::File::open(animation.expect("it is written")).expect("it can be read");
    let mut animation = gif::DecodeOptions::new().read_info(file).expect("it is a GIF");
    assert_eq!((u32::from(animation.width()), u32::from(animation.height())), WINDOW);
    let mut hundredths = 0;
    while let Some(frame) = animation.read_next_frame().expect("it is whole") {
        hundredths += u32::from(frame.delay);
    }
    assert!((100..3000).contains(&hundredths), "it lasts {hundredths} hundredths of a second");
}

/// Drags a slider of the panel, and finds the new value in the screenshot and in the scene that the panel saves. Mutes
/// by key, and finds that in the preferences.
fn tune(desktop: &mut Desktop) {
    let [low, top, high, bottom] = desktop.place("Slider", "Disc – disc");
    let y = u32::midpoint(top, bottom);
    let [left, _, right, _] = desktop.place("SpinButton", "Disc – disc, number");
    let before = desktop.picture("before-tuning").expect("it goes on");
    // The value 0.95 is close to the upper end.
    desktop.point(low + (high - low) * 89 / 100, y);
    desktop.mouse(&["mousedown", "1"]);
    for step in 1..=6 {
        thread::sleep(Duration::from_millis(150));
        desktop.mouse(&["mousemove", &(high - (high - low) / 12 * step).to_string(), &y.to_string()]);
    }
    thread::sleep(Duration::from_millis(600));
    desktop.mouse(&["mouseup", "1"]);
    desktop.mouse(&["key", "m"]);
    let after = desktop.picture("after-tuning").expect("it goes on");
    let value = difference(&before, &after, left..right, y - 10..y + 10);
    assert!(value > 20, "another number stands in the field: {value} pixels changed");

    let preferences = desktop.folder.join("config/carom/preferences.ron");
    let muted = wait_for(|| fs::read_to_string(&preferences).ok().filter(|text| text.contains("on: false")));
    assert!(muted.is_some(), "that sound is off is remembered");

    let scene = desktop.save("saved.ron");
    let e = scene.collision.restitution;
    assert!((0.3..0.7).contains(&e), "the slider has set the restitution: {e}");
}

/// A straight shot into the top right corner of a nine-foot table. The cue ball is half a metre behind the object ball.
const STRAIGHT: &str = r##"(
  title: "A straight shot",
  description: "The cue ball, an object ball and the top right corner pocket lie in a line. Hit the cue ball below its middle: it pots the other, stops where it has met it, and comes back.",
  panel: ["cue"],
  generate: [Table(name: "pool-9ft")],
  discs: [
    (ball: true, cue: true, position: (0.52, 0.075), radius: 0.028575, mass: 0.17, colour: "#f7f4ea"),
    (ball: true, number: 3, position: (0.92, 0.375), radius: 0.028575, mass: 0.17, colour: "#c92626"),
  ],
)"##;

#[test]
fn a_mouse_pots_a_ball_and_draws_the_cue_ball_back() {
    let mut desktop = match Desktop::open("draw") {
        Ok(desktop) => desktop,
        Err(reason) => return skip(&reason),
    };
    fs::write(desktop.folder.join("straight.ron"), STRAIGHT).expect("it can be written");
    desktop.start(&["straight.ron"]).expect("the program starts");
    let before = match desktop.first_picture() {
        Ok(picture) => picture,
        Err(said) => return skip(&said),
    };
    // Below the middle of the ball.
    let [left, top, right, bottom] = desktop.place("Unknown", "Tip position");
    desktop.click((u32::midpoint(left, right), u32::midpoint(top, bottom) + (bottom - top) / 5));
    let (x, y) = cue_ball(&before, 560..680, 320..430).expect("the cue ball is there");
    desktop.point(x, y);
    desktop.mouse(&["mousedown", "1"]);
    for step in 1..=10 {
        desktop.mouse(&["mousemove", &(x - 8 * step).to_string(), &(y + 6 * step).to_string()]);
        thread::sleep(Duration::from_millis(150));
    }
    let aiming = desktop.picture("aiming").expect("it goes on");
    let line = difference(&before, &aiming, x + 20..x + 220, y - 180..y);
    assert!(line > 100, "the way of both balls is shown: {line} pixels");
    desktop.mouse(&["mouseup", "1"]);
    let during = desktop.picture("during").expect("it goes on");
    assert!(difference(&before, &during, 62..858, 190..606) > 100, "the balls move");
    let mut last = during;
    let after = wait_for(|| {
        let next = desktop.picture("after").expect("it goes on");
        let same = difference(&last, &next, 62..858, 195..700) == 0;
        last = next;
        same.then(|| last.clone())
    });
    let after = after.expect("all come to rest");
    let tray = difference(&before, &after, 370..550, 622..672);
    assert!(tray > 100, "the ball lies in the tray: {tray} pixels");

    let scene = desktop.save("after.ron");
    let [cue, object] = &scene.discs[..] else { panic!("two balls: {}", scene.discs.len()) };
    assert!(object.pocket.is_some(), "the object ball has fallen: {object:?}");
    // The cue ball was at (0.874, 0.341) when it hit the other.
    assert!(cue.pocket.is_none() && cue.position.x < 0.8, "draw took the cue ball back: {cue:?}");
}

#[test]
fn without_a_display_it_says_so_and_names_the_way_without_one() {
    let output = Command::new(env!("CARGO_BIN_EXE_carom"))
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .current_dir(Path::new(env!("CARGO_TARGET_TMPDIR")))
        .output()
        .expect("the program runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert_eq!(said.trim_end().lines().count(), 1, "{said}");
    assert!(said.contains("display") && said.contains("carom simulate"), "{said}");
}
