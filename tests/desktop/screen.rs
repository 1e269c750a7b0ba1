//! A virtual desktop that runs the program, with mouse, keys and screenshots.

use std::{
    fs,
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::{Mutex, MutexGuard},
    thread,
    time::{Duration, Instant},
};

use carom::scene::SceneFile;

/// The default size of the window, logical pixels.
pub const WINDOW: (u32, u32) = (1280, 800);
/// How long an operation may take on a busy machine with a software renderer.
const PATIENCE: Duration = Duration::from_mins(2);

/// A separate display with the program. Both end when it is dropped.
pub struct Desktop {
    server: Child,
    program: Option<Child>,
    display: String,
    /// The folder for everything that the program writes.
    pub folder: PathBuf,
    /// The number of the last screenshot.
    pictures: u32,
    _alone: MutexGuard<'static, ()>,
}

/// A software renderer uses all cores, so only one window is open at a time.
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
    /// A desktop whose screenshots go to the folder of this name.
    pub fn open(name: &str) -> Result<Self, String> {
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
        // The server picks a free number and prints it on its standard output. With `-noreset` it does not restart when
        // its last client leaves, which would reject the next client meanwhile.
        let numbers = folder.join("display");
        let out = fs::File::create(&numbers).map_err(|error| error.to_string())?;
        let server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-noreset", "-nolisten", "tcp"])
            .args(["-screen", "0", &format!("{}x{}x24", WINDOW.0, WINDOW.1)])
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
            .env("XDG_DATA_HOME", self.folder.join("data"))
            .env("XDG_RUNTIME_DIR", &self.folder)
            .env("CAROM_WIDGETS", self.folder.join("widgets.json"))
            .current_dir(&self.folder);
        command
    }

    pub fn start(&mut self, arguments: &[&str]) -> Result<(), String> {
        let log = fs::File::create(self.folder.join("log")).map_err(|error| error.to_string())?;
        let program = self.command(env!("CARGO_BIN_EXE_carom")).args(arguments).stderr(log).spawn();
        self.program = Some(program.map_err(|error| error.to_string())?);
        Ok(())
    }

    /// The exit status and messages of the program, if it has ended.
    pub fn ended(&mut self) -> Option<String> {
        let status = self.program.as_mut()?.try_wait().ok()??;
        Some(format!("{status}: {}", fs::read_to_string(self.folder.join("log")).unwrap_or_default().trim()))
    }

    pub fn mouse(&self, arguments: &[&str]) {
        let status = self.command("xdotool").args(arguments).status();
        assert!(status.is_ok_and(|status| status.success()), "xdotool {arguments:?}");
    }

    /// The windows with this text in their titles, as xdotool numbers them.
    pub fn windows(&self, title: &str) -> Vec<String> {
        let found = self.command("xdotool").args(["search", "--name", title]).output();
        let found = found.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
        found.lines().map(str::to_owned).collect()
    }

    /// Asks a window to close, as a person does. Returns whether xdotool supports that.
    pub fn quit(&self, window: &str) -> bool {
        let asked = self.command("xdotool").args(["windowquit", window]).stderr(Stdio::null()).status();
        asked.is_ok_and(|status| status.success())
    }

    /// The newest screenshot since the last one, and its number.
    fn newest(&self) -> Option<(u32, image::RgbImage)> {
        let number = (self.pictures + 1..self.pictures + 10).rev().find(|&number| self.file(number).exists())?;
        // A file that is still being written cannot be read.
        Some((number, image::open(self.file(number)).ok()?.to_rgb8()))
    }

    fn file(&self, number: u32) -> PathBuf {
        self.folder.join(format!("carom-{number}.png"))
    }

    /// Presses F12 until the program has saved a screenshot, and reads it.
    ///
    /// # Errors
    /// If the program has ended instead, with its messages.
    pub fn picture(&mut self, name: &str) -> Result<image::RgbImage, String> {
        let mut pressed: Option<Instant> = None;
        let picture = wait_for(|| {
            if let Some(said) = self.ended() {
                return Some(Err(said));
            }
            // One press suffices once the window listens. Earlier presses are lost.
            if pressed.is_none_or(|pressed| pressed.elapsed() > Duration::from_secs(20)) {
                // Without a window manager, the keyboard focus must be set here. The search fails until the window
                // exists.
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

    /// The first screenshot, once the window is open.
    ///
    /// # Errors
    /// If the program reports that it cannot open a window.
    pub fn first_picture(&mut self) -> Result<image::RgbImage, String> {
        self.picture("before").inspect_err(|said| {
            // Without an adapter the program must report that. Nothing more can be tested.
            assert!(said.contains("exit status: 2") && said.contains("carom simulate"), "{said}");
        })
    }

    /// Moves the mouse, and waits until the program has noticed.
    pub fn point(&self, x: u32, y: u32) {
        self.mouse(&["mousemove", &x.to_string(), &y.to_string()]);
        thread::sleep(Duration::from_millis(600));
    }

    pub fn click(&self, (x, y): (u32, u32)) {
        self.point(x, y);
        self.mouse(&["click", "1"]);
        thread::sleep(Duration::from_millis(600));
    }

    /// Closes the window, and waits until the program has ended.
    pub fn close(&mut self) {
        let asked =
            self.command("xdotool").args(["search", "--name", "carom", "windowquit"]).stderr(Stdio::null()).status();
        let patience = if asked.is_ok_and(|status| status.success()) { PATIENCE } else { Duration::ZERO };
        let asked = Instant::now();
        while self.ended().is_none() && asked.elapsed() < patience {
            thread::sleep(Duration::from_millis(50));
        }
        if let Some(mut program) = self.program.take() {
            // Older versions of xdotool cannot ask it to close.
            let _ = program.kill();
            let _ = program.wait();
        }
        let _ = fs::remove_file(self.folder.join("widgets.json"));
    }

    /// The widgets of the window now.
    fn widgets(&self) -> Vec<serde_json::Value> {
        let text = fs::read_to_string(self.folder.join("widgets.json")).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    /// The name of an enabled widget of this role whose name starts like this, if there is one now.
    pub fn sees(&self, role: &str, begins: &str) -> Option<String> {
        let widgets = self.widgets();
        let mut names = widgets.iter().filter(|it| it["role"] == role && it["usable"] == true);
        names.find_map(|it| it["name"].as_str().filter(|name| name.starts_with(begins)).map(str::to_owned))
    }

    /// The current value of a widget of this role and name.
    pub fn value(&self, role: &str, name: &str) -> Option<String> {
        let widgets = self.widgets();
        let widget = widgets.iter().find(|it| it["role"] == role && it["name"] == name)?;
        widget["value"].as_str().map(str::to_owned)
    }

    /// The rectangle of an enabled widget, as soon as there is one: left, top, right and bottom.
    pub fn place(&self, role: &str, name: &str) -> [u32; 4] {
        let place = wait_for(|| {
            let widgets = self.widgets();
            let widget = widgets.iter().find(|it| it["role"] == role && it["name"] == name && it["usable"] == true)?;
            Some([0, 1, 2, 3].map(|edge| widget["rect"][edge].as_f64().unwrap_or_default().round() as u32))
        });
        place.unwrap_or_else(|| panic!("there is no {role} {name}; see {}", self.folder.display()))
    }

    /// Scrolls the panel until this widget is completely visible.
    pub fn reveal(&self, role: &str, name: &str) {
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

    /// Clicks the middle of a widget, as soon as it no longer moves.
    pub fn press(&self, role: &str, name: &str) {
        loop {
            let place @ [left, top, right, bottom] = self.place(role, name);
            let (x, y) = (u32::midpoint(left, right), u32::midpoint(top, bottom));
            self.point(x, y);
            if self.place(role, name) == place {
                return self.click((x, y));
            }
        }
    }

    /// The current state, saved by the panel's dialog.
    pub fn save(&self, name: &str) -> SceneFile {
        self.press("Button", "Save as…");
        // The field contains a name that is selected up to its ending, so typing replaces it.
        self.place("TextInput", "File name");
        self.mouse(&["type", "--delay", "120", name]);
        self.mouse(&["key", "Return"]);
        let saved = self.folder.join(name);
        let text = wait_for(|| fs::read_to_string(&saved).ok().filter(|text| text.trim_end().ends_with(')')));
        SceneFile::parse(&text.expect("the scene is written"), name).expect("it is a scene")
    }
}

pub fn wait_for<T>(mut ready: impl FnMut() -> Option<T>) -> Option<T> {
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

/// The middle of the cue ball: the only group of bright pixels as large as a ball in a part of the window.
pub fn cue_ball(picture: &image::RgbImage, x: std::ops::Range<u32>, y: std::ops::Range<u32>) -> Option<(u32, u32)> {
    let bright = |x: u32, y: u32| brightness(picture, x, y) > 200;
    let (mut sum_x, mut sum_y, mut count) = (0, 0, 0);
    for y in y {
        for x in x.clone() {
            // A ball is bright in all directions, a line or a letter is not.
            if [(0, 0), (3, 0), (0, 3), (3, 3)].iter().all(|(dx, dy)| bright(x + dx, y + dy)) {
                sum_x += x + 1;
                sum_y += y + 1;
                count += 1;
            }
        }
    }
    (count > 0).then(|| (sum_x / count, sum_y / count))
}

/// The number of pixels of a part of the window that differ visibly.
pub fn difference(a: &image::RgbImage, b: &image::RgbImage, x: std::ops::Range<u32>, y: std::ops::Range<u32>) -> usize {
    let far = |x, y| a.get_pixel(x, y).0.iter().zip(b.get_pixel(x, y).0).any(|(&one, other)| one.abs_diff(other) > 24);
    y.flat_map(|y| x.clone().map(move |x| (x, y))).filter(|&(x, y)| far(x, y)).count()
}

pub fn skip(reason: &str) {
    assert!(std::env::var_os("CAROM_MUST_DRAW").is_none(), "{reason}");
    println!("skipped: {reason}");
}
