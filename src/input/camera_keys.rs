//! Camera controls. The wheel zooms at the pointer, and the middle button pans. Keys do both, show everything, follow a
//! disc, and store bookmarks.

use bevy::{
    input::mouse::{AccumulatedMouseScroll, MouseScrollUnit},
    math::ops,
    prelude::*,
};

use tr::tr;

use super::{
    ControlSystems, Selection,
    actions::{Control, Inputs, KeyMap, Repeat},
    gesture::Gesture,
    pointer::{Controls, Pointer},
};
use crate::{
    input::allow,
    notice::Notices,
    scene::CurrentScene,
    view::{Bookmark, Bookmarks, ViewsMut},
};

/// Camera controls: zoom with wheel and keys, and pan with the middle button and keys. Further keys show everything,
/// follow the selected disc, and store and show [`Bookmarks`].
pub struct CameraKeysPlugin;

impl Plugin for CameraKeysPlugin {
    fn build(&self, app: &mut App) {
        allow(app, |controls| (controls.camera, controls.bookmarks) = (true, true));
        app.init_resource::<Bookmarks>();
        app.add_systems(
            PreUpdate,
            (zoom, zoom_and_pan_by_keys, fit, follow, bookmark).chain().in_set(ControlSystems::Keys),
        )
        .add_systems(PreUpdate, pan.in_set(ControlSystems::Camera));
    }
}

/// The zoom of one notch of a wheel.
const NOTCH: f32 = 1.15;

/// The pixels of a touch pad per notch.
const PIXELS_PER_NOTCH: f32 = 40.0;

/// The notches of this much wheel motion.
pub(super) fn notches(unit: MouseScrollUnit, turned: f32) -> f32 {
    match unit {
        MouseScrollUnit::Line => turned,
        MouseScrollUnit::Pixel => turned / PIXELS_PER_NOTCH,
    }
}

/// The zoom factor for this much wheel motion.
#[must_use]
pub fn zoom_factor(unit: MouseScrollUnit, turned: f32) -> f32 {
    ops::powf(NOTCH, notches(unit, turned).clamp(-10.0, 10.0))
}

fn zoom(
    mut views: ViewsMut,
    scroll: Option<Res<AccumulatedMouseScroll>>,
    (pointer, controls): (Res<Pointer>, Res<Controls>),
    inputs: Inputs,
) {
    let (Some(scroll), Some(screen)) = (scroll, pointer.screen) else { return };
    if controls.camera && inputs.held(Control::Zoom) {
        views.of_mut(pointer.camera).zoom_at(screen, zoom_factor(scroll.unit, scroll.delta.y));
    }
}

/// The pan of a key press, logical pixels.
const PUSH: f32 = 20.0;

/// Zooms around the centre, and pans.
fn zoom_and_pan_by_keys(
    (mut views, pointer): (ViewsMut, Res<Pointer>),
    (inputs, controls, time): (Inputs, Res<Controls>, Res<Time<Real>>),
    mut held: Local<(Repeat<2>, Repeat<4>)>,
) {
    if !controls.camera {
        return;
    }
    let seconds = time.delta_secs();
    let [closer, farther] = held.0.steps(&inputs, [Control::ZoomIn, Control::ZoomOut], seconds);
    if closer != farther {
        let view = views.of_mut(pointer.camera);
        let middle = view.area.center();
        // A held key does not accelerate here, unlike keys with a long range.
        view.zoom_at(middle, ops::powf(NOTCH, (closer - farther).clamp(-1.0, 1.0)));
    }
    let sides = [Control::PanLeft, Control::PanRight, Control::PanUp, Control::PanDown];
    let [left, right, up, down] = held.1.steps(&inputs, sides, seconds);
    let push = vec2(left - right, up - down) * PUSH;
    if push != Vec2::ZERO {
        views.of_mut(pointer.camera).pan(push);
    }
}

fn pan(mut views: ViewsMut, (pointer, gesture): (Res<Pointer>, Res<Gesture>)) {
    if let Gesture::Panning { last, screen } = *gesture
        && last != screen
    {
        views.of_mut(pointer.camera).pan(screen - last);
    }
}

fn fit(mut views: ViewsMut, (inputs, controls, pointer): (Inputs, Res<Controls>, Res<Pointer>)) {
    if controls.camera && inputs.started(Control::Fit) {
        views.of_mut(pointer.camera).request_fit();
    }
}

fn follow(
    mut views: ViewsMut,
    (inputs, controls, pointer): (Inputs, Res<Controls>, Res<Pointer>),
    selection: Res<Selection>,
) {
    if controls.camera && inputs.started(Control::Follow) {
        let view = views.of_mut(pointer.camera);
        view.followed = if view.followed.is_some() { None } else { selection.single() };
    }
}

/// The controls of the bookmarks with keys: the number, the control that shows it, and the one that stores the view.
const BOOKMARKS: [(u8, Control, Control); 4] = [
    (1, Control::Bookmark1, Control::KeepBookmark1),
    (2, Control::Bookmark2, Control::KeepBookmark2),
    (3, Control::Bookmark3, Control::KeepBookmark3),
    (4, Control::Bookmark4, Control::KeepBookmark4),
];

/// Shows a bookmark of the scene, or stores the view as one.
fn bookmark(
    (mut views, pointer): (ViewsMut, Res<Pointer>),
    (inputs, controls, map): (Inputs, Res<Controls>, Res<KeyMap>),
    scene: Option<Res<CurrentScene>>,
    (mut bookmarks, notices): (ResMut<Bookmarks>, Option<ResMut<Notices>>),
) {
    if !(controls.camera && controls.bookmarks) {
        return;
    }
    let Some((number, _, keep)) =
        BOOKMARKS.into_iter().find(|(_, show, keep)| inputs.started(*show) || inputs.started(*keep))
    else {
        return;
    };
    let scene = scene.map(|scene| scene.source.to_string()).unwrap_or_default();
    let said = if inputs.started(keep) {
        bookmarks.keep(&scene, number, Bookmark::of(views.of(pointer.camera)));
        tr!("Saved this view as bookmark {}", number)
    } else if let Some(bookmark) = bookmarks.get(&scene, number) {
        bookmark.show(views.of_mut(pointer.camera));
        return;
    } else {
        let key = map.short(keep).unwrap_or_default();
        tr!("There is no bookmark {} yet. {} saves the view.", number, key)
    };
    if let Some(mut notices) = notices {
        notices.info(said);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn up_comes_closer_and_back_is_back() {
        let (closer, back) = (zoom_factor(MouseScrollUnit::Line, 1.0), zoom_factor(MouseScrollUnit::Line, -1.0));
        assert!(closer > 1.0);
        assert!((closer * back - 1.0).abs() < 1e-6);
        assert!((zoom_factor(MouseScrollUnit::Pixel, PIXELS_PER_NOTCH) - closer).abs() < 1e-6);
    }
}
