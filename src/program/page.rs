//! The program on a web page. The address replaces the command line, and the page follows the state of the program.
//!
//! The program reports its state in the attributes `data-state`, `data-reason`, `data-title`, `data-notice`,
//! `data-cover` and `data-tick` of the page's body. The page's script and tests read them. (`storage` owns the
//! attribute `data-ask`, which opens a file dialog.)

use std::{ffi::OsString, time::Duration};

use bevy::{
    diagnostic::FrameCount,
    platform::time::Instant,
    prelude::*,
    window::{FileDragAndDrop, PrimaryWindow},
};
use web_sys::{
    Location, UrlSearchParams,
    js_sys::{Array, Reflect, Uint8Array, decode_uri_component},
    wasm_bindgen::JsCast,
};

use crate::{
    input::PointingDevice,
    link::Link,
    notice::Notices,
    panel::PanelState,
    shell::LinkAddress,
    storage::hold,
    view::{Covered, Views, words::language},
};

/// The arguments of `carom` that an address may contain, as in `?scene=gas&theme=light`. Other parameters are ignored.
const ARGUMENTS: [&str; 12] = [
    "match",
    "players",
    "race-to",
    "breaks",
    "table",
    "option",
    "shot-clock",
    "seed",
    "tiles",
    "theme",
    "language",
    "panel",
];

/// The parameter that names a scene.
const SCENE: &str = "scene";

/// The only parameter that may appear more than once.
const SEVERAL: &str = "option";

/// The parameters that still apply if the address contains a link. The link determines everything else.
const LOOK: [&str; 3] = ["theme", "language", "panel"];

/// The frame at which the page stops waiting. Earlier frames are drawn before everything is loaded.
const FIRST_FRAME: u32 = 3;

/// The state of the program as the page sees it.
#[derive(Clone, Copy, Debug)]
pub(super) enum State {
    /// The first complete frame is visible.
    Ready,
    /// The program cannot continue.
    Failed,
}

impl State {
    const fn name(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::Failed => "failed",
        }
    }
}

/// Reports the state to the page, with a reason in one line.
pub(super) fn report(state: State, reason: &str) {
    write("reason", reason);
    write("state", state.name());
}

/// Sets an attribute `data-NAME` of the page's body.
fn write(name: &str, value: &str) {
    let body = web_sys::window().and_then(|window| window.document()?.body());
    // If the attributes cannot be set, there is no other way to report.
    if let Some(body) = body {
        let _ = body.dataset().set(name, value);
    }
}

/// A part of the address, empty if the address has none.
fn part<E>(read: impl FnOnce(&Location) -> Result<String, E>) -> String {
    web_sys::window().and_then(|window| read(&window.location()).ok()).unwrap_or_default()
}

/// The address as a command line.
pub(super) fn arguments() -> Vec<OsString> {
    let (search, link) = (part(Location::search), part(Location::hash));
    // Mail programs put spaces and line breaks into links, which arrive percent-encoded.
    let link = decode_uri_component(&link).map_or(link, String::from);
    let link = Some(link).filter(|link| Link::is_meant(link));
    let found = UrlSearchParams::new_with_str(&search).ok();
    let all = |name: &str| found.as_ref().map(|found| found.get_all(name)).unwrap_or_default();
    let values = |name: &str| all(name).iter().filter_map(|value| value.as_string()).collect::<Vec<_>>();
    let named = ARGUMENTS.into_iter().filter(|name| link.is_none() || LOOK.contains(name)).flat_map(|name| {
        let most = if name == SEVERAL { usize::MAX } else { 1 };
        values(name).into_iter().take(most).map(move |value| format!("--{name}={value}"))
    });
    // After the dashes, the name of a scene cannot be mistaken for an option or a command.
    let scene = link.clone().or_else(|| values(SCENE).into_iter().next()).map(|scene| ["--".to_owned(), scene]);
    ["carom".to_owned()].into_iter().chain(named).chain(scene.into_iter().flatten()).map(OsString::from).collect()
}

/// Warns in the browser's console of unknown or repeated parameters, which may be misspelt.
///
/// The warning is not shown on the page, because links that people share often gain foreign parameters.
fn warn_of_others() {
    let Ok(found) = UrlSearchParams::new_with_str(&part(Location::search)) else { return };
    let mut seen = Vec::new();
    for name in found.keys().into_iter().flatten().filter_map(|name| name.as_string()) {
        if name != SEVERAL && seen.contains(&name) {
            warn!("`{name}` stands in the address of this page more than once; the first one counts");
        }
        seen.push(name.clone());
        if name != SCENE && !ARGUMENTS.contains(&&*name) {
            warn!(
                "`{name}` in the address of this page means nothing here; what does: {SCENE}, {}",
                ARGUMENTS.join(", ")
            );
        }
    }
}

/// The text size for touch screens: fingers are wider than a mouse pointer.
const FINGER_SIZE: f32 = 1.25;

/// Whether a media query matches.
fn is(query: &str) -> bool {
    let query = web_sys::window().and_then(|window| window.match_media(query).ok()?);
    query.is_some_and(|query| query.matches())
}

/// Matches devices whose main input is a finger.
const TOUCH_SCREEN: &str = "(pointer: coarse)";

/// Sets the defaults of the panel: larger text on a touch screen.
pub(super) fn adapt(panel: &mut PanelState) {
    if is(TOUCH_SCREEN) {
        panel.text_size = FINGER_SIZE;
    }
}

/// Whether the page is so small that the panel is hidden at first.
pub(super) fn is_small() -> bool {
    is("(max-width: 700px), (max-height: 500px)")
}

/// Whether the page is a figure embedded in another page. Figures do not save preferences.
pub(super) fn is_figure() -> bool {
    web_sys::window().is_some_and(|window| window.top().ok().flatten().as_ref() != Some(&window))
}

/// Reports the first frame, the title and the notices to the page, and reads the files that it provides. Links point to
/// the page.
pub(super) fn plugin(app: &mut App) {
    app.insert_resource(LinkAddress(part(Location::origin) + &part(Location::pathname)));
    if is(TOUCH_SCREEN) {
        app.insert_resource(PointingDevice::Finger);
    }
    app.add_systems(Startup, warn_of_others)
        .add_systems(Last, (report_ready, write_title, write_notice, write_cover))
        .add_systems(First, take_files);
    app.init_resource::<TickTime>().add_systems(FixedFirst, TickTime::begin).add_systems(FixedLast, TickTime::end);
}

/// Measures the time of ticks, including game logic, for measurements of the page.
#[derive(Resource, Default)]
struct TickTime {
    began: Option<Instant>,
    taken: Duration,
    ticks: u32,
}

impl TickTime {
    /// The number of ticks over which the time is averaged.
    const TICKS: u32 = 60;

    fn begin(mut time: ResMut<Self>) {
        time.began = Some(Instant::now());
    }

    /// Reports the mean in milliseconds.
    fn end(mut time: ResMut<Self>) {
        let Some(began) = time.began.take() else { return };
        time.taken += began.elapsed();
        time.ticks += 1;
        if time.ticks == Self::TICKS {
            write("tick", &format!("{:.3}", 1e3 * time.taken.as_secs_f64() / f64::from(time.ticks)));
            *time = Self::default();
        }
    }
}

fn report_ready(frame: Res<FrameCount>) {
    if frame.0 == FIRST_FRAME {
        report(State::Ready, "");
    }
}

/// The title of the window is the title of the page.
fn write_title(window: Single<&Window, (With<PrimaryWindow>, Changed<Window>)>) {
    write("title", &window.title);
}

/// Writes whether a full page, such as the start page, or a wide panel covers the table. The page's button then
/// makes room.
fn write_cover(covered: Res<Covered>, views: Views, mut told: Local<&'static str>) {
    let view = views.main();
    let cover = if covered.0 {
        "page"
    } else if view.area.width() < 0.4 * view.frame().width() {
        "panel"
    } else {
        ""
    };
    if *told != cover {
        *told = cover;
        write("cover", cover);
    }
}

/// Passes notices to the page, which makes them available to screen readers. On the canvas they are only visible.
fn write_notice(notices: Res<Notices>, mut told: Local<Option<Instant>>) {
    if let Some(last) = notices.iter().next_back()
        && *told != Some(last.at)
    {
        *told = Some(last.at);
        write("notice", &language::notice(last));
    }
}

/// Reads the files that were dragged over the page, dropped on it or chosen.
///
/// The page's script puts them into the list `caromFiles`. Each entry is an array: the event (`over`, `gone` or
/// `dropped`), the name, and the content of a dropped file.
fn take_files(window: Single<Entity, With<PrimaryWindow>>, mut messages: MessageWriter<FileDragAndDrop>) {
    let list = web_sys::window().and_then(|page| Reflect::get(&page, &"caromFiles".into()).ok());
    let Some(list) = list.and_then(|list| list.dyn_into::<Array>().ok()).filter(|list| list.length() > 0) else {
        return;
    };
    let window = *window;
    let entries = Array::from(&list);
    list.set_length(0);
    for entry in entries.iter() {
        let entry = Array::from(&entry);
        let name = entry.get(1).as_string().unwrap_or_default();
        messages.write(match entry.get(0).as_string().as_deref() {
            Some("over") => FileDragAndDrop::HoveredFile { window, path_buf: name.into() },
            Some("dropped") => {
                let path_buf = hold(&name, Uint8Array::new(&entry.get(2)).to_vec());
                FileDragAndDrop::DroppedFile { window, path_buf }
            }
            _ => FileDragAndDrop::HoveredFileCanceled { window },
        });
    }
}
