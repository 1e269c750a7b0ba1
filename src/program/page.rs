//! The program on a page of the web: the address says what the command line says elsewhere, and the page is told how
//! far the program has come.
//!
//! What is told stands in the attributes `data-state`, `data-reason`, `data-title`, `data-notice`, `data-cover` and
//! `data-tick` of the page's body, where the page's own script reads it, and a test can. (`data-ask` is that of
//! `storage`: a person wants to choose a file.)

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

/// The arguments of `carom` that an address may hold, as in `?scene=gas&theme=light`. What else stands there is not the
/// program's.
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

/// The one that may stand there more than once.
const SEVERAL: &str = "option";

/// Those that stay beside a link, which says all else.
const LOOK: [&str; 3] = ["theme", "language", "panel"];

/// The picture whose appearance ends the wait: the first ones are drawn before everything is there.
const FIRST_PICTURE: u32 = 3;

/// How far the program has come.
#[derive(Clone, Copy, Debug)]
pub(super) enum State {
    /// The first picture is there.
    Ready,
    /// It cannot go on.
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

/// Tells the page how far the program has come, and in a line why.
pub(super) fn tell(state: State, reason: &str) {
    write("reason", reason);
    write("state", state.name());
}

/// Sets an attribute `data-NAME` of the page's body.
fn write(name: &str, value: &str) {
    let body = web_sys::window().and_then(|window| window.document()?.body());
    // Without the attributes the page says nothing, and there is nobody else to tell.
    if let Some(body) = body {
        let _ = body.dataset().set(name, value);
    }
}

/// A part of the address; empty where it has none.
fn part<E>(read: impl FnOnce(&Location) -> Result<String, E>) -> String {
    web_sys::window().and_then(|window| read(&window.location()).ok()).unwrap_or_default()
}

/// The address as a command line.
pub(super) fn arguments() -> Vec<OsString> {
    let (search, link) = (part(Location::search), part(Location::hash));
    // Spaces and line breaks that mail has put into a link stand in an address as numbers.
    let link = decode_uri_component(&link).map_or(link, String::from);
    let link = Some(link).filter(|link| Link::is_meant(link));
    let found = UrlSearchParams::new_with_str(&search).ok();
    let all = |name: &str| found.as_ref().map(|found| found.get_all(name)).unwrap_or_default();
    let values = |name: &str| all(name).iter().filter_map(|value| value.as_string()).collect::<Vec<_>>();
    let named = ARGUMENTS.into_iter().filter(|name| link.is_none() || LOOK.contains(name)).flat_map(|name| {
        let most = if name == SEVERAL { usize::MAX } else { 1 };
        values(name).into_iter().take(most).map(move |value| format!("--{name}={value}"))
    });
    // What follows the dashes is no option and no command.
    let scene = link.clone().or_else(|| values(SCENE).into_iter().next()).map(|scene| ["--".to_owned(), scene]);
    ["carom".to_owned()].into_iter().chain(named).chain(scene.into_iter().flatten()).map(OsString::from).collect()
}

/// Says in the browser's console which parameters of the address mean nothing to the program, or stand there again: a
/// lesson may have misspelt one. Nobody else is told, as links that are passed on grow parameters of others.
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

/// How large what is written is for fingers, which are wider than the tip of a mouse.
const FINGER_SIZE: f32 = 1.25;

/// Whether this is true of the page, in the words of a media query.
fn is(query: &str) -> bool {
    let query = web_sys::window().and_then(|window| window.match_media(query).ok()?);
    query.is_some_and(|query| query.matches())
}

/// What fingers are used on, and nothing that points more exactly.
const TOUCH_SCREEN: &str = "(pointer: coarse)";

/// The panel before a person has changed it: larger for fingers.
pub(super) fn adapt(panel: &mut PanelState) {
    if is(TOUCH_SCREEN) {
        panel.text_size = FINGER_SIZE;
    }
}

/// Whether the page is so small that the panel is out of the way at first.
pub(super) fn is_small() -> bool {
    is("(max-width: 700px), (max-height: 500px)")
}

/// Whether the page is a figure in another one: it is no place to choose what holds for the whole of carom.
pub(super) fn is_figure() -> bool {
    web_sys::window().is_some_and(|window| window.top().ok().flatten().as_ref() != Some(&window))
}

/// Tells the page when the first picture is there, the title and the notices, and takes the files that it has. Links
/// lead to the page.
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

/// What ticks take, games and all, for whoever measures the page.
#[derive(Resource, Default)]
struct TickTime {
    began: Option<Instant>,
    taken: Duration,
    ticks: u32,
}

impl TickTime {
    /// The mean of so many is told.
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

/// The title of the window is that of the page.
fn tell_title(window: Single<&Window, (With<PrimaryWindow>, Changed<Window>)>) {
    write("title", &window.title);
}

/// A page that fills the window, such as the start page, wants the place of the page's own button where there is
/// little, and so does a panel that covers the table.
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

/// What is written on the canvas can only be seen; the page says it to those who hear.
fn tell_notice(notices: Res<Notices>, mut told: Local<Option<Instant>>) {
    if let Some(last) = notices.iter().next_back()
        && *told != Some(last.at)
    {
        *told = Some(last.at);
        write("notice", &language::notice(last));
    }
}

/// Takes what was dragged over the page, dropped on it or chosen: the page's script puts it into the list `caromFiles`,
/// each an array of what happened (`over`, `gone` or `dropped`), the name, and the content of what was dropped.
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
