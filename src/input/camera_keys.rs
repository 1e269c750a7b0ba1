//! The camera by hand: the wheel zooms at the pointer, the middle button pushes the view about, F shows everything, C follows.

use bevy::{
    input::mouse::{AccumulatedMouseScroll, MouseScrollUnit},
    math::ops,
    prelude::*,
};

use super::{
    Aim, ControlSystems, Selection,
    gesture::Gesture,
    keys::is_shortcut,
    pointer::{Attention, Controls, PointedViewportMut, Pointer, allow},
};

/// The wheel zooms, the middle button pushes the view about, F shows everything, C follows the chosen disc.
pub struct CameraKeysPlugin;

impl Plugin for CameraKeysPlugin {
    fn build(&self, app: &mut App) {
        allow(app, |controls| controls.camera = true);
        app.add_systems(PreUpdate, (zoom, fit, follow).chain().in_set(ControlSystems::Keys))
            .add_systems(PreUpdate, pan.in_set(ControlSystems::Camera));
    }
}

/// The zoom of one notch of a wheel.
const NOTCH: f32 = 1.15;

/// How many pixels of a touch pad make a notch.
const PIXELS_PER_NOTCH: f32 = 40.0;

/// The factor by which so much turning of the wheel zooms.
#[must_use]
pub fn zoom_factor(unit: MouseScrollUnit, turned: f32) -> f32 {
    let notches = match unit {
        MouseScrollUnit::Line => turned,
        MouseScrollUnit::Pixel => turned / PIXELS_PER_NOTCH,
    };
    ops::powf(NOTCH, notches.clamp(-10.0, 10.0))
}

fn zoom(
    mut viewport: PointedViewportMut,
    scroll: Option<Res<AccumulatedMouseScroll>>,
    (pointer, attention, controls): (Res<Pointer>, Res<Attention>, Res<Controls>),
    (aim, keys): (Option<Res<Aim>>, Res<ButtonInput<KeyCode>>),
) {
    // With Ctrl it sets the speed of a shot.
    if aim.is_some_and(|aim| aim.by_numbers.is_some())
        && keys.any_pressed([KeyCode::ControlLeft, KeyCode::ControlRight])
    {
        return;
    }
    let (Some(scroll), Some(screen), true) = (scroll, pointer.screen, attention.mouse) else { return };
    if controls.camera && scroll.delta.y != 0.0 {
        viewport.zoom_at(screen, zoom_factor(scroll.unit, scroll.delta.y));
    }
}

fn pan(mut viewport: PointedViewportMut, gesture: Res<Gesture>) {
    if let Gesture::Panning { last, screen } = *gesture
        && last != screen
    {
        viewport.pan(screen - last);
    }
}

fn fit(
    mut viewport: PointedViewportMut,
    (attention, controls): (Res<Attention>, Res<Controls>),
    keys: Res<ButtonInput<KeyCode>>,
) {
    if controls.camera && attention.keys && keys.just_pressed(KeyCode::KeyF) && !is_shortcut(&keys) {
        viewport.request_fit();
    }
}

fn follow(
    mut viewport: PointedViewportMut,
    (attention, controls, selection): (Res<Attention>, Res<Controls>, Res<Selection>),
    keys: Res<ButtonInput<KeyCode>>,
) {
    if controls.camera && attention.keys && keys.just_pressed(KeyCode::KeyC) && !is_shortcut(&keys) {
        viewport.followed = if viewport.followed.is_some() { None } else { selection.single() };
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
