//! The motion of rectangles toward their targets: a part of the way in each tick, so that jerky input becomes smooth
//! motion.

use bevy::prelude::*;

use super::{
    TableRect,
    outline::{Outline, Side, is_sound},
    passages::parts,
};
use crate::{collision::LIMIT, timeline::Playback};

/// How the table follows its rectangles.
#[derive(Resource, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Resource, Default, Debug, PartialEq)]
pub struct PlaneSettings {
    /// The time constant: after this many seconds, about a third of the way is left; zero or more. Default: 0.03; 0
    /// follows at once.
    pub delay: f32,
    /// The greatest gap between two facing rectangles that is joined by a passage, metres: horizontally, and
    /// vertically. Default: none. Windows with title bars need some.
    pub gap: Vec2,
    /// The greatest speed of an edge, m/s. A faster edge jumps, and hits nothing. Default: 20.
    pub top_speed: f32,
}

impl Default for PlaneSettings {
    fn default() -> Self {
        Self { delay: 0.03, gap: Vec2::ZERO, top_speed: 20.0 }
    }
}

impl PlaneSettings {
    /// These settings with every invalid value replaced by its default.
    fn in_range(self) -> Self {
        let keep = |value: f32, or: f32| if (0.0..=LIMIT).contains(&value) { value } else { or };
        let default = Self::default();
        Self { delay: keep(self.delay, default.delay), top_speed: keep(self.top_speed, default.top_speed), ..self }
    }

    /// The outline of the table formed by these rectangles, metres, with the passages between them.
    #[must_use]
    pub fn outline(&self, rects: &[Rect]) -> Outline {
        Outline::of(&parts(rects, self.gap).iter().map(|part| part.rect).collect::<Vec<_>>())
    }
}

/// The current place of a [`TableRect`], and its place one tick earlier, metres. The table is the union of these.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Default, Debug, PartialEq)]
pub struct SettledRect {
    /// Its place at the end of the tick.
    pub rect: Rect,
    /// Its place at the start of the tick; it differs only while the rectangle moves.
    pub before: Rect,
}

impl Default for SettledRect {
    /// No place yet.
    fn default() -> Self {
        Self { rect: Rect::EMPTY, before: Rect::EMPTY }
    }
}

/// The remaining distance, as a share of the shorter side, at which a rectangle has arrived.
const ARRIVED: f32 = 1e-4;

impl SettledRect {
    /// The state one tick of `time_step` seconds later, with this target.
    #[must_use]
    pub fn after(self, target: Rect, settings: &PlaneSettings, time_step: f32) -> Self {
        let jump = Self { rect: target, before: target };
        let PlaneSettings { delay, top_speed, .. } = settings.in_range();
        if !(is_sound(target) && is_sound(self.rect) && time_step > 0.0) {
            return jump;
        }
        let arrived = ARRIVED * target.size().min_element();
        let share = time_step / (delay + time_step);
        let [min, max] = [(self.rect.min, target.min), (self.rect.max, target.max)].map(|(now, target)| {
            let next = now + (target - now) * share;
            Vec2::select((target - next).abs().cmple(Vec2::splat(arrived)), target, next)
        });
        let rect = Rect { min, max };
        let fastest = (min - self.rect.min).abs().max((max - self.rect.max).abs()).max_element();
        if fastest > top_speed * time_step || !is_sound(rect) {
            return jump;
        }
        Self { rect, before: self.rect }
    }

    /// The place at this share of the tick, 0 to 1.
    #[must_use]
    pub fn between(&self, share: f32) -> Rect {
        if self.before == self.rect || share >= 1.0 {
            return self.rect;
        }
        Rect { min: self.before.min.lerp(self.rect.min, share), max: self.before.max.lerp(self.rect.max, share) }
    }

    /// The displacement of a side in the tick along the axis across it, metres.
    #[must_use]
    pub fn way(&self, side: Side) -> f32 {
        let way = side.of(self.rect) - side.of(self.before);
        if way.is_finite() { way } else { 0.0 }
    }
}

/// Moves every rectangle one tick closer to its target, or all the way while no tick runs.
pub(super) fn settle(
    mut rects: Query<(&TableRect, &mut SettledRect)>,
    (settings, time): (Res<PlaneSettings>, Res<Time>),
    playback: Option<Res<Playback>>,
) {
    let runs = playback.is_none_or(crate::timeline::will_tick);
    for (target, mut settled) in &mut rects {
        let time_step = if runs { time.delta_secs() } else { 0.0 };
        let next = settled.after(target.0, &settings, time_step);
        settled.set_if_neq(next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: f32 = 1.0 / 64.0;

    fn square(x: f32, y: f32) -> Rect {
        Rect::new(x, y, x + 4.0, y + 3.0)
    }

    #[test]
    fn it_comes_to_where_it_is_told_in_ever_shorter_steps_and_stands() {
        let settings = PlaneSettings::default();
        let target = square(0.5, -0.1);
        let mut at = SettledRect::default().after(square(0.0, 0.0), &settings, STEP);
        assert_eq!(at, SettledRect { rect: square(0.0, 0.0), before: square(0.0, 0.0) }, "it begins where it is told");
        let mut last = f32::INFINITY;
        for _ in 0..200 {
            at = at.after(target, &settings, STEP);
            let way = at.way(Side::Left);
            // The last step covers the rest.
            assert!(way >= 0.0 && way <= last + 3.0 * ARRIVED, "{way} after {last}");
            assert!((at.way(Side::Right) - way).abs() < 1e-6 && at.way(Side::Top) <= 0.0);
            last = way;
        }
        assert_eq!((at.rect, at.before), (target, target), "bit-identical");
    }

    #[test]
    fn what_is_too_far_jumps_and_what_is_nowhere_is_followed_at_once() {
        let settings = PlaneSettings::default();
        let at = SettledRect { rect: square(0.0, 0.0), before: square(0.0, 0.0) };
        let far = square(9.0, 0.0);
        assert_eq!(at.after(far, &settings, STEP), SettledRect { rect: far, before: far });
        let none = Rect { min: Vec2::ZERO, max: Vec2::new(f32::NAN, 1.0) };
        assert!(!is_sound(at.after(none, &settings, STEP).rect));
        let near = square(0.2, 0.0);
        let at_once = PlaneSettings { delay: 0.0, ..settings };
        assert_eq!(at.after(near, &at_once, STEP), SettledRect { rect: near, before: at.rect });
        let strange = PlaneSettings { delay: f32::NAN, top_speed: -1.0, ..settings };
        assert_eq!(at.after(near, &strange, STEP), at.after(near, &settings, STEP));
        assert_eq!(at.after(near, &settings, 0.0), SettledRect { rect: near, before: near }, "no tick: at once");
    }
}
