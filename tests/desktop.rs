//! The whole program in a virtual desktop: it opens its window, a real mouse aims and shoots the cue ball, and pictures of
//! the window show the table before, during and after.
//!
//! It needs Xvfb, xdotool and a graphics adapter (Mesa's software Vulkan will do); where one is missing it says so and
//! passes, unless `CAROM_MUST_DRAW` is set, as where they have been installed. The pictures stay in the target folder, under `tmp/desktop`, for a person to look at.
#![cfg(all(feature = "program", target_os = "linux"))]

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use carom::scene::SceneFile;

/// The window's size as the program opens it, and the panel's width as it is by default, logical pixels.
const WINDOW: (u32, u32) = (1280, 800);
/// How long anything may take on a busy machine with a software renderer.
const PATIENCE: Duration = Duration::from_mins(2);

/// A display of its own, and the program on it. Both end with it.
struct Desktop {
    server: Child,
    program: Option<Child>,
    display: String,
    folder: PathBuf,
    /// The number of the last picture.
    pictures: u32,
}

impl Drop for Desktop {
    fn drop(&mut self) {
        for child in self.program.iter_mut().chain([&mut self.server]) {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Desktop {
    fn open() -> Result<Self, String> {
        for tool in ["Xvfb", "xdotool"] {
            Command::new("sh")
                .args(["-c", &format!("command -v {tool}")])
                .stdout(Stdio::null())
                .status()
                .is_ok_and(|status| status.success())
                .then_some(())
                .ok_or_else(|| format!("{tool} is not installed"))?;
        }
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("desktop");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("config")).map_err(|error| error.to_string())?;
        // The server picks a free number and tells it on its standard output.
        let numbers = folder.join("display");
        let out = fs::File::create(&numbers).map_err(|error| error.to_string())?;
        let server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-nolisten", "tcp", "-screen", "0", &format!("{}x{}x24", WINDOW.0, WINDOW.1)])
            .stdout(out)
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| error.to_string())?;
        let mut desktop = Self { server, program: None, display: String::new(), folder, pictures: 0 };
        let number = wait_for(|| {
            let text = fs::read_to_string(&numbers).ok()?;
            text.ends_with('\n').then(|| text.trim().to_owned())
        })
        .ok_or("Xvfb did not start")?;
        desktop.display = format!(":{number}");
        Ok(desktop)
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .env("DISPLAY", &self.display)
            .env_remove("WAYLAND_DISPLAY")
            .env("XDG_CONFIG_HOME", self.folder.join("config"))
            .env("XDG_RUNTIME_DIR", &self.folder)
            .current_dir(&self.folder);
        command
    }

    fn start(&mut self, arguments: &[&str]) -> Result<(), String> {
        let log = fs::File::create(self.folder.join("log")).map_err(|error| error.to_string())?;
        let program = self.command(env!("CARGO_BIN_EXE_carom")).args(arguments).stderr(log).spawn();
        self.program = Some(program.map_err(|error| error.to_string())?);
        Ok(())
    }

    /// What the program said, if it has ended.
    fn ended(&mut self) -> Option<String> {
        let status = self.program.as_mut()?.try_wait().ok()??;
        Some(format!("{status}: {}", fs::read_to_string(self.folder.join("log")).unwrap_or_default().trim()))
    }

    fn mouse(&self, arguments: &[&str]) {
        let status = self.command("xdotool").args(arguments).status();
        assert!(status.is_ok_and(|status| status.success()), "xdotool {arguments:?}");
    }

    /// The newest picture that the program has saved since the last one, and its number.
    fn newest(&self) -> Option<(u32, image::RgbImage)> {
        let number = (self.pictures + 1..self.pictures + 10).rev().find(|&number| self.file(number).exists())?;
        // While it is being written it cannot be read.
        Some((number, image::open(self.file(number)).ok()?.to_rgb8()))
    }

    fn file(&self, number: u32) -> PathBuf {
        self.folder.join(format!("carom-{number}.png"))
    }

    /// Presses F12 until the program has saved a picture, and reads it.
    ///
    /// # Errors
    /// What the program said if it has ended instead.
    fn picture(&mut self, name: &str) -> Result<image::RgbImage, String> {
        let mut pressed: Option<Instant> = None;
        let picture = wait_for(|| {
            if let Some(said) = self.ended() {
                return Some(Err(said));
            }
            // Once is enough when the window listens; before that nobody hears it.
            if pressed.is_none_or(|pressed| pressed.elapsed() > Duration::from_secs(20)) {
                // Without a window manager nobody gives the window the keyboard; until it is there the search fails.
                let _ =
                    self.command("xdotool").args(["search", "--name", "carom", "windowfocus", "key", "F12"]).status();
                pressed = Some(Instant::now());
            }
            self.newest().map(Ok)
        });
        let (number, picture) = picture.unwrap_or_else(|| panic!("no picture {name}"))?;
        self.pictures = number;
        picture.save(self.folder.join(format!("{name}.png"))).expect("it can be kept");
        Ok(picture)
    }
}

fn wait_for<T>(mut ready: impl FnMut() -> Option<T>) -> Option<T> {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        if let Some(value) = ready() {
            return Some(value);
        }
        thread::sleep(Duration::from_millis(100));
    }
    None
}

fn brightness(picture: &image::RgbImage, x: u32, y: u32) -> u32 {
    picture.get_pixel(x, y).0.iter().map(|&channel| u32::from(channel)).sum::<u32>() / 3
}

/// The middle of the cue ball: on the left half of the table the only blob of bright pixels as large as a ball.
fn cue_ball(picture: &image::RgbImage) -> Option<(u32, u32)> {
    let bright = |x: u32, y: u32| brightness(picture, x, y) > 200;
    let (mut sum_x, mut sum_y, mut count) = (0, 0, 0);
    for y in 300..550 {
        for x in 100..420 {
            // A ball is bright all around, a line or a letter is not.
            if [(0, 0), (3, 0), (0, 3), (3, 3)].iter().all(|(dx, dy)| bright(x + dx, y + dy)) {
                sum_x += x + 1;
                sum_y += y + 1;
                count += 1;
            }
        }
    }
    (count > 0).then(|| (sum_x / count, sum_y / count))
}

/// How many pixels of a part of the window differ visibly.
fn difference(a: &image::RgbImage, b: &image::RgbImage, x: std::ops::Range<u32>, y: std::ops::Range<u32>) -> usize {
    let far = |x, y| a.get_pixel(x, y).0.iter().zip(b.get_pixel(x, y).0).any(|(&one, other)| one.abs_diff(other) > 24);
    y.flat_map(|y| x.clone().map(move |x| (x, y))).filter(|&(x, y)| far(x, y)).count()
}

fn skip(reason: &str) {
    assert!(std::env::var_os("CAROM_MUST_DRAW").is_none(), "{reason}");
    println!("skipped: {reason}");
}

#[test]
fn a_mouse_breaks_the_rack() {
    let mut desktop = match Desktop::open() {
        Ok(desktop) => desktop,
        Err(reason) => return skip(&reason),
    };
    desktop.start(&["break"]).expect("the program starts");
    let before = match desktop.picture("before") {
        Ok(picture) => picture,
        Err(said) => {
            // Without an adapter it says so, which is what it should do, and nothing more can be tested.
            assert!(said.contains("exit status: 2") && said.contains("carom simulate"), "{said}");
            return skip(&said);
        }
    };
    let (x, y) = cue_ball(&before).expect("the cue ball is on its spot");

    // Press the cue ball, pull back to the left, a little off the line so that the break is not symmetrical.
    desktop.mouse(&["mousemove", &x.to_string(), &y.to_string()]);
    thread::sleep(Duration::from_millis(600));
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
    assert!(desktop.ended().is_none(), "it goes on");
}

/// The row of the restitution of disc on disc in the panel: its height, the ends of its slider, and its value field.
const RESTITUTION: (u32, [u32; 2], std::ops::Range<u32>) = (505, [1043, 1138], 1147..1235);
/// The field for a scene's file, and the button that writes it.
const FILE: [(u32, u32); 2] = [(1030, 187), (1235, 187)];

/// Drags a slider of the panel, and finds the new value in the picture and in the scene that the panel then writes; mutes by
/// the key, and finds that in the preferences.
fn tune(desktop: &mut Desktop) {
    let (y, [low, high], field) = RESTITUTION;
    let before = desktop.picture("before-tuning").expect("it goes on");
    // 0.95 stands close to the upper end.
    desktop.mouse(&["mousemove", &(low + (high - low) * 89 / 100).to_string(), &y.to_string()]);
    thread::sleep(Duration::from_millis(600));
    desktop.mouse(&["mousedown", "1"]);
    for step in 1..=6 {
        thread::sleep(Duration::from_millis(150));
        desktop.mouse(&["mousemove", &(high - (high - low) / 12 * step).to_string(), &y.to_string()]);
    }
    thread::sleep(Duration::from_millis(600));
    desktop.mouse(&["mouseup", "1"]);
    desktop.mouse(&["key", "m"]);
    let after = desktop.picture("after-tuning").expect("it goes on");
    let value = difference(&before, &after, field, y - 10..y + 10);
    assert!(value > 20, "another number stands in the field: {value} pixels changed");

    let preferences = desktop.folder.join("config/carom/preferences.ron");
    let muted = wait_for(|| fs::read_to_string(&preferences).ok().filter(|text| text.contains("on: false")));
    assert!(muted.is_some(), "that sound is off is remembered");

    let click = |(x, y): (u32, u32)| {
        desktop.mouse(&["mousemove", &x.to_string(), &y.to_string()]);
        thread::sleep(Duration::from_millis(600));
        desktop.mouse(&["click", "1"]);
        thread::sleep(Duration::from_millis(600));
    };
    let saved = desktop.folder.join("saved.ron");
    click(FILE[0]);
    desktop.mouse(&["type", "--delay", "120", "saved.ron"]);
    click(FILE[1]);
    let text = wait_for(|| fs::read_to_string(&saved).ok().filter(|text| text.trim_end().ends_with(')')));
    let scene = SceneFile::parse(&text.expect("the scene is written"), "saved.ron").expect("it is a scene");
    let e = scene.collision.restitution;
    assert!((0.3..0.7).contains(&e), "the slider has set the restitution: {e}");
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
