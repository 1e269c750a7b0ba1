//! The program on a web page: the address takes the place of the command line, and the page gets reports of the
//! program's progress.
//!
//! The reports are the attributes `data-state`, `data-reason`, `data-title`, `data-notice`, `data-cover` and
//! `data-tick` of the page's body, for the page's script and for tests. (`storage` sets `data-ask`: a person wants to
//! choose a file.)

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
    view::{Covered, MainView, words::language},
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

/// The parameter with the scene.
const SCENE: &str = "scene";

/// The parameter that may be repeated.
const SEVERAL: &str = "option";

/// The parameters that also apply to a link, which contains all else.
const LOOK: [&str; 3] = ["theme", "language", "panel"];

/// The frame that ends the wait. The first ones are drawn before everything is loaded.
const FIRST_PICTURE: u32 = 3;

/// The progress of the program.
#[derive(Clone, Copy, Debug)]
pub(super) enum State {
    /// The first frame is visible.
    Ready,
    /// It cannot continue.
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

/// Reports the progress to the page, with a one-line reason.
pub(super) fn tell(state: State, reason: &str) {
    write("reason", reason);
    write("state", state.name());
}

/// Sets an attribute `data-NAME` of the page's body.
fn write(name: &str, value: &str) {
    let body = web_sys::window().and_then(|window| window.document()?.body());
    // If the attributes cannot be set, nothing else can report it.
    if let Some(body) = body {
        let _ = body.dataset().set(name, value);
    }
}

/// A part of the address, or empty if it is missing.
fn part<E>(read: impl FnOnce(&Location) -> Result<String, E>) -> String {
    web_sys::window().and_then(|window| read(&window.location()).ok()).unwrap_or_default()
}

/// The address as a command line.
pub(super) fn arguments() -> Vec<OsString> {
    let (search, link) = (part(Location::search), part(Location::hash));
    // Spaces and line breaks that a mail program has inserted into a link are percent-encoded in an address.
    let link = decode_uri_component(&link).map_or(link, String::from);
    let link = Some(link).filter(|link| Link::is_meant(link));
    let found = UrlSearchParams::new_with_str(&search).ok();
    let all = |name: &str| found.as_ref().map(|found| found.get_all(name)).unwrap_or_default();
    let values = |name: &str| all(name).iter().filter_map(|value| value.as_string()).collect::<Vec<_>>();
    let named = ARGUMENTS.into_iter().filter(|name| link.is_none() || LOOK.contains(name)).flat_map(|name| {
        let most = if name == SEVERAL { usize::MAX } else { 1 };
        values(name).into_iter().take(most).map(move |value| format!("--{name}={value}"))
    });
    // Arguments after the dashes are neither options nor commands.
    let scene = link.clone().or_else(|| values(SCENE).into_iter().next()).map(|scene| ["--".to_owned(), scene]);
    ["carom".to_owned()].into_iter().chain(named).chain(scene.into_iter().flatten()).map(OsString::from).collect()
}

/// Warns in the browser's console about unknown or repeated parameters of the address, such as a misspelt one in a
/// lesson. The page shows nothing, as links that are passed on collect unrelated parameters.
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

/// The text size for fingers, which are less precise than a mouse.
const FINGER_SIZE: f32 = 1.25;

/// Whether a media query matches.
fn is(query: &str) -> bool {
    let query = web_sys::window().and_then(|window| window.match_media(query).ok()?);
    query.is_some_and(|query| query.matches())
}

/// A touch screen without a more precise pointer.
const TOUCH_SCREEN: &str = "(pointer: coarse)";

/// The panel before a person has changed it: larger for fingers.
pub(super) fn adapt(panel: &mut PanelState) {
    if is(TOUCH_SCREEN) {
        panel.text_size = FINGER_SIZE;
    }
}

/// Whether the page is so small that the panel is hidden at first.
pub(super) fn is_small() -> bool {
    is("(max-width: 700px), (max-height: 500px)")
}

/// Whether the page is embedded as a figure in another page, where preferences are not saved.
pub(super) fn is_figure() -> bool {
    web_sys::window().is_some_and(|window| window.top().ok().flatten().as_ref() != Some(&window))
}

/// Reports the first frame, the title and the notices to the page, and takes its files. Links use the page's address.
pub(super) fn plugin(app: &mut App) {
    app.insert_resource(LinkAddress(part(Location::origin) + &part(Location::pathname)));
    if is(TOUCH_SCREEN) {
        app.insert_resource(PointingDevice::Finger);
    }
    app.add_systems(Startup, warn_of_others)
        .add_systems(Last, (tell_when_ready, tell_title, tell_notice, tell_cover))
        .add_systems(First, take_files);
    app.init_resource::<TickTime>().add_systems(FixedFirst, TickTime::begin).add_systems(FixedLast, TickTime::end);
}

/// The mean time of ticks, including games, for measurements of the page.
#[derive(Resource, Default)]
struct TickTime {
    began: Option<Instant>,
    taken: Duration,
    ticks: u32,
}

impl TickTime {
    /// The number of ticks in the mean.
    const TICKS: u32 = 60;

    fn begin(mut time: ResMut<Self>) {
        time.began = Some(Instant::now());
    }

    /// In milliseconds.
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

fn tell_when_ready(frame: Res<FrameCount>) {
    if frame.0 == FIRST_PICTURE {
        tell(State::Ready, "");
    }
}

/// Uses the title of the window for the page.
fn tell_title(window: Single<&Window, (With<PrimaryWindow>, Changed<Window>)>) {
    write("title", &window.title);
}

/// Reports that a page such as the start page fills the window, or that the panel covers the table, so that the page's
/// own button makes room.
fn tell_cover(covered: Res<Covered>, view: MainView, mut told: Local<&'static str>) {
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

/// Text on the canvas is invisible to screen readers, so the page announces it.
fn tell_notice(notices: Res<Notices>, mut told: Local<Option<Instant>>) {
    if let Some(last) = notices.iter().next_back()
        && *told != Some(last.at)
    {
        *told = Some(last.at);
        write("notice", &language::notice(last));
    }
}

/// Takes files that were dragged over the page, dropped on it or chosen. The page's script adds them to the list
/// `caromFiles`. Each entry is an array of the event (`over`, `gone` or `dropped`), the name, and the content of a
/// dropped file.
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
