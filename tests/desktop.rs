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
    sync::{Mutex, MutexGuard},
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
    _alone: MutexGuard<'static, ()>,
}

/// A software renderer takes all cores: one window at a time.
static ONE_WINDOW: Mutex<()> = Mutex::new(());

impl Drop for Desktop {
    fn drop(&mut self) {
        for child in self.program.iter_mut().chain([&mut self.server]) {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Desktop {
    /// A desktop whose pictures go to the folder of this name.
    fn open(name: &str) -> Result<Self, String> {
        let alone = ONE_WINDOW.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        for tool in ["Xvfb", "xdotool"] {
            Command::new("sh")
                .args(["-c", &format!("command -v {tool}")])
                .stdout(Stdio::null())
                .status()
                .is_ok_and(|status| status.success())
                .then_some(())
                .ok_or_else(|| format!("{tool} is not installed"))?;
        }
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("desktop").join(name);
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
        let mut desktop = Self { server, program: None, display: String::new(), folder, pictures: 0, _alone: alone };
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
            .env("CAROM_WIDGETS", self.folder.join("widgets.json"))
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

    /// The first picture, once the window is there; none, and a reason, where it says that it cannot have one.
    fn first_picture(&mut self) -> Result<image::RgbImage, String> {
        self.picture("before").inspect_err(|said| {
            // Without an adapter it says so, which is what it should do, and nothing more can be tested.
            assert!(said.contains("exit status: 2") && said.contains("carom simulate"), "{said}");
        })
    }

    /// Moves the mouse there, and lets the program see it.
    fn point(&self, x: u32, y: u32) {
        self.mouse(&["mousemove", &x.to_string(), &y.to_string()]);
        thread::sleep(Duration::from_millis(600));
    }

    fn click(&self, (x, y): (u32, u32)) {
        self.point(x, y);
        self.mouse(&["click", "1"]);
        thread::sleep(Duration::from_millis(600));
    }

    /// Where the widget of this role and name is, as soon as it can be used: left, top, right and bottom.
    fn place(&self, role: &str, name: &str) -> [u32; 4] {
        let list = self.folder.join("widgets.json");
        let place = wait_for(|| {
            let text = fs::read_to_string(&list).ok()?;
            let widgets: Vec<serde_json::Value> = serde_json::from_str(&text).ok()?;
            let widget = widgets.iter().find(|it| it["role"] == role && it["name"] == name && it["usable"] == true)?;
            Some([0, 1, 2, 3].map(|edge| widget["rect"][edge].as_f64().unwrap_or_default().round() as u32))
        });
        place.unwrap_or_else(|| panic!("there is no {role} {name}; see {}", list.display()))
    }

    /// Turns the wheel over the panel until this widget is seen whole.
    fn reveal(&self, role: &str, name: &str) {
        for _ in 0..40 {
            let [left, top, _, bottom] = self.place(role, name);
            if bottom + 8 < WINDOW.1 {
                return;
            }
            self.point(left, top.min(WINDOW.1 - 100));
            self.mouse(&["click", "5"]);
            thread::sleep(Duration::from_millis(600));
        }
        panic!("{role} {name} does not come into sight");
    }

    /// Clicks in the middle of the widget of this role and name.
    fn press(&self, role: &str, name: &str) {
        let [left, top, right, bottom] = self.place(role, name);
        self.click((u32::midpoint(left, right), u32::midpoint(top, bottom)));
    }

    /// The present state, saved by the panel's dialog.
    fn save(&self, name: &str) -> SceneFile {
        self.press("Button", "Save as…");
        // A name stands there, chosen up to its ending; what is typed takes its place.
        self.place("TextInput", "File name");
        self.mouse(&["type", "--delay", "120", name]);
        self.mouse(&["key", "Return"]);
        let saved = self.folder.join(name);
        let text = wait_for(|| fs::read_to_string(&saved).ok().filter(|text| text.trim_end().ends_with(')')));
        SceneFile::parse(&text.expect("the scene is written"), name).expect("it is a scene")
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

/// The middle of the cue ball: the only blob of bright pixels as large as a ball in a part of the window.
fn cue_ball(picture: &image::RgbImage, x: std::ops::Range<u32>, y: std::ops::Range<u32>) -> Option<(u32, u32)> {
    let bright = |x: u32, y: u32| brightness(picture, x, y) > 200;
    let (mut sum_x, mut sum_y, mut count) = (0, 0, 0);
    for y in y {
        for x in x.clone() {
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
    let mut desktop = match Desktop::open("break") {
        Ok(desktop) => desktop,
        Err(reason) => return skip(&reason),
    };
    desktop.start(&["break"]).expect("the program starts");
    let before = match desktop.first_picture() {
        Ok(picture) => picture,
        Err(said) => return skip(&said),
    };
    // On the left half of the table.
    let (x, y) = cue_ball(&before, 100..420, 300..550).expect("the cue ball is on its spot");

    // Press the cue ball, pull back to the left, a little off the line so that the break is not symmetrical.
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

/// Records the window by the panel's buttons, and finds the animation beside the pictures.
fn record(desktop: &Desktop) {
    desktop.reveal("Button", "Picture and recording");
    desktop.press("Button", "Picture and recording");
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

/// Drags a slider of the panel, and finds the new value in the picture and in the scene that the panel then writes; mutes by
/// the key, and finds that in the preferences.
fn tune(desktop: &mut Desktop) {
    let [low, top, high, bottom] = desktop.place("Slider", "Disc – disc");
    let y = u32::midpoint(top, bottom);
    let [left, _, right, _] = desktop.place("SpinButton", "Disc – disc, number");
    let before = desktop.picture("before-tuning").expect("it goes on");
    // 0.95 stands close to the upper end.
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

/// A straight shot into the top right corner of a nine-foot table, the cue ball half a metre behind the object ball.
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
    let [left, top, right, bottom] = desktop.place("Unknown", "Where the tip hits");
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
    let tray = difference(&before, &after, 370..550, 650..680);
    assert!(tray > 100, "the ball lies in the tray: {tray} pixels");

    let scene = desktop.save("after.ron");
    let [cue, object] = &scene.discs[..] else { panic!("two balls: {}", scene.discs.len()) };
    assert!(object.pocket.is_some(), "the object ball has fallen: {object:?}");
    // It met the other at (0.874, 0.341).
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
