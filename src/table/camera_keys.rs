//! The camera by hand: the wheel zooms at the pointer, the middle button pushes the view about, F shows everything.

use bevy::{
    input::mouse::{AccumulatedMouseScroll, MouseScrollUnit},
    math::ops,
    prelude::*,
};

use super::{
    cue::Aim,
    gesture::Gesture,
    pointer::{Attention, Pointer},
};
use crate::view::{Followed, Viewport};

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

pub(super) fn zoom(
    mut viewport: ResMut<Viewport>,
    scroll: Option<Res<AccumulatedMouseScroll>>,
    (pointer, attention): (Res<Pointer>, Res<Attention>),
    (aim, keys): (Res<Aim>, Res<ButtonInput<KeyCode>>),
) {
    // With Ctrl it sets the speed of a shot.
    if aim.by_numbers.is_some() && keys.any_pressed([KeyCode::ControlLeft, KeyCode::ControlRight]) {
        return;
    }
    let (Some(scroll), Some(screen), true) = (scroll, pointer.screen, attention.mouse) else { return };
    if scroll.delta.y != 0.0 {
        viewport.zoom_at(screen, zoom_factor(scroll.unit, scroll.delta.y));
    }
}

pub(super) fn pan(mut viewport: ResMut<Viewport>, mut followed: ResMut<Followed>, gesture: Res<Gesture>) {
    if let Gesture::Panning { last, screen } = *gesture
        && last != screen
    {
        followed.0 = None;
        viewport.pan(screen - last);
    }
}

pub(super) fn fit(mut viewport: ResMut<Viewport>, attention: Res<Attention>, keys: Res<ButtonInput<KeyCode>>) {
    if attention.keys && keys.just_pressed(KeyCode::KeyF) {
        viewport.request_fit();
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
