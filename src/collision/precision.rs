//! What `f32` cannot carry: far from the origin the numbers lie far apart, and a short step between them is rounded.
//!
//! A position moves by `x + v h`, rounded to the nearest number. Where `v h` is below half the distance of two numbers, `x`
//! stays what it is for ever; where it is a few such distances, the path is off by a part of each step. Nothing here is
//! part of a tick: it is asked once, when a scene begins.

use std::fmt;

use bevy::math::Vec2;

use super::{Bodies, CollisionSettings, Mode};

/// The share of a step that may be lost without a word.
const SHARE: f64 = 0.01;

/// A loss that takes longer than so many seconds to amount to [`SHARE`] of the radius is nobody's concern: a disc of a pile
/// at rest creeps as slowly.
const SECONDS: f64 = 10.0;

/// What is lost of a movement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loss {
    /// By what share of it each step is off; 1 where nothing of it is left and the disc stands still.
    pub share: f32,
    /// The speed that is lost or made, m/s.
    pub speed: f32,
    /// How far apart two numbers are there, metres: of the two coordinates the coarser one that should change.
    pub spacing: f32,
    /// Within how many metres of the origin in each coordinate the same steps are carried to a hundredth.
    pub within: f32,
    /// The shortest time step that is carried there to a hundredth, seconds.
    pub time_step: f32,
}

/// What is lost of a disc's movement at `position` (m) with `velocity` (m/s) and `radius` (m) by steps of `time_step` (s); none
/// if each step is right to a hundredth, or if in ten seconds less than a hundredth of the radius is lost.
#[must_use]
pub fn loss(position: Vec2, velocity: Vec2, radius: f32, time_step: f32) -> Option<Loss> {
    // The difference of two numbers that lie next to each other is exact in f64.
    let moved = (position + velocity * time_step).as_dvec2() - position.as_dvec2();
    let wanted = velocity.as_dvec2() * f64::from(time_step);
    let lost = (moved - wanted).length();
    let speed = lost / f64::from(time_step);
    let is_noticed = lost > SHARE * wanted.length() && speed * SECONDS > SHARE * f64::from(radius);
    if !is_noticed {
        return None;
    }
    let spacing = |coordinate: f32, wanted: f64| if wanted == 0.0 { 0.0 } else { f64::from(ulp(coordinate)) };
    let spacing = spacing(position.x, wanted.x).max(spacing(position.y, wanted.y));
    // Rounding is off by half a spacing at most.
    let enough = 0.5 / SHARE;
    let finest = (wanted.length() / enough).max(f64::from(f32::MIN_POSITIVE));
    Some(Loss {
        share: (lost / wanted.length()) as f32,
        speed: speed as f32,
        spacing: spacing as f32,
        within: power_of_two_below(finest * f64::from(1_u32 << f32::MANTISSA_DIGITS)) as f32,
        time_step: (enough * spacing / velocity.as_dvec2().length()) as f32,
    })
}

/// How far the next number lies from a finite one, away from zero.
fn ulp(value: f32) -> f32 {
    value.abs().next_up() - value.abs()
}

fn power_of_two_below(value: f64) -> f64 {
    f64::from_bits(value.to_bits() & 0x7ff0_0000_0000_0000)
}

/// A disc whose movement the numbers cannot carry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unresolved {
    /// Its [`StableId`](crate::body::StableId).
    pub disc: u64,
    /// Where it is, metres.
    pub position: Vec2,
    /// How fast it should move, metres per second.
    pub velocity: Vec2,
    /// What is lost of that.
    pub loss: Loss,
}

/// All discs whose movement the numbers cannot carry with ticks of `time_step` seconds and these settings, in their order.
#[must_use]
pub fn unresolved(bodies: &Bodies, settings: &CollisionSettings, time_step: f32) -> Vec<Unresolved> {
    let settings = settings.in_range();
    let step = match settings.mode {
        Mode::Stepped => time_step / settings.substeps as f32,
        Mode::Continuous => time_step,
    };
    (0..bodies.len())
        .filter_map(|i| {
            let (position, velocity) = (bodies.position[i], bodies.velocity[i]);
            let loss = loss(position, velocity, bodies.radius[i], step)?;
            Some(Unresolved { disc: bodies.id[i], position, velocity, loss })
        })
        .collect()
}

impl fmt::Display for Unresolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { disc, position: Vec2 { x, y }, velocity, loss } = self;
        let Loss { share, speed, spacing, within, time_step } = loss;
        let wanted = velocity.length();
        if *share >= 1.0 {
            write!(f, "disc {disc} at ({x}, {y}) m stands still instead of moving at {wanted} m/s")?;
        } else {
            write!(f, "disc {disc} at ({x}, {y}) m is off by {speed:.2e} of its {wanted} m/s")?;
        }
        write!(f, ": numbers lie {spacing} m apart there; bring it within {within} m of the origin")?;
        // A rate below one a second is not to be had.
        if *time_step <= 1.0 {
            write!(f, " or take steps of {time_step:.2e} s or more")?;
        }
        Ok(())
    }
}

/// The first few of many, and how many more there are: for people.
#[must_use]
pub fn in_words(unresolved: &[Unresolved]) -> Option<String> {
    let first = unresolved.first()?;
    let more = unresolved.len() - 1;
    Some(if more > 0 { format!("{first} (and {more} more)") } else { first.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::{Disc, Space, run_tick};

    /// How far a disc gets in a thousand ticks, as a share of the way that it should.
    fn share_of_the_way(x: f32, speed: f32, rate: f32) -> f64 {
        let mut space = Space::default();
        space.bodies.push(Disc { position: Vec2::new(x, 0.0), velocity: Vec2::new(speed, 0.0), ..Disc::default() });
        for _ in 0..1000 {
            run_tick(&mut space, &CollisionSettings::default(), 1.0 / rate, |_| {});
        }
        let way = f64::from(space.bodies.position[0].x) - f64::from(x);
        way / (f64::from(speed) * 1000.0 / f64::from(rate))
    }

    fn at(x: f32, speed: f32, rate: f32) -> Option<Loss> {
        loss(Vec2::new(x, 0.0), Vec2::new(speed, 0.0), 0.5, 1.0 / rate)
    }

    #[test]
    fn what_stands_still_is_found() {
        for (x, speed, rate) in [(1e6, 1.0, 240.0), (1000.0, 0.2, 10_000.0), (-1e12, 1e4, 60.0)] {
            let loss = at(x, speed, rate).unwrap();
            assert_eq!((loss.share, loss.speed), (1.0, speed));
        }
    }

    #[test]
    fn what_is_off_by_more_than_a_hundredth_is_found_and_nothing_else() {
        let mut found = 0;
        for x in [3.0_f32, 70.0, 900.0, 12_345.0, 3e5, 1.5e6] {
            for speed in [0.01, 0.3, 2.0, 50.0] {
                for rate in [60.0, 1000.0, 10_000.0] {
                    // So small that it would notice everything.
                    let loss = loss(Vec2::new(x, 0.0), Vec2::new(speed, 0.0), 1e-6, 1.0 / rate);
                    let off = (share_of_the_way(x, speed, rate) - 1.0).abs();
                    let said = loss.map_or(0.0, |loss| f64::from(loss.share));
                    assert!((off - said).abs() < 0.011, "x {x}, v {speed}, {rate} Hz: {off}, {said}");
                    found += usize::from(loss.is_some());
                }
            }
        }
        assert!((20..50).contains(&found), "both sides are tried: {found} of 72");
    }

    #[test]
    fn the_remedies_help() {
        for (x, speed, rate) in [(1e6, 1.0, 240.0), (1000.0, 0.2, 10_000.0), (1e5, 1.0, 240.0), (7e4, 30.0, 10_000.0)] {
            let found = at(x, speed, rate).unwrap();
            assert_eq!(at(found.within * 0.99, speed, rate), None);
            assert!(at(x, speed, 0.999 / found.time_step).is_none());
        }
    }

    #[test]
    fn what_nobody_would_notice_is_not_told() {
        assert_eq!(at(1e6, 0.0, 240.0), None);
        assert_eq!(at(1.0, 1e-6, 240.0), None, "a disc of a pile at rest");
        // One coordinate stands still, but hardly anything goes that way.
        assert_eq!(loss(Vec2::new(1000.0, 0.0), Vec2::new(1e-3, 1.0), 0.5, 1.0 / 240.0), None);
        assert_eq!(loss(Vec2::NAN, Vec2::ONE, 0.5, 1.0 / 240.0), None);
    }

    #[test]
    fn the_line_names_the_disc_and_the_remedy() {
        let disc = Disc { id: 7, position: Vec2::new(1e6, 0.0), velocity: Vec2::X, ..Disc::default() };
        let found = unresolved(&[disc].into_iter().collect(), &CollisionSettings::default(), 1.0 / 240.0);
        let line = in_words(&found).unwrap();
        assert!(line.starts_with("disc 7 at (1000000, 0) m stands still instead of moving at 1 m/s"), "{line}");
        assert!(line.contains("within 1024 m"), "{line}");
        let substeps = CollisionSettings { substeps: 64, ..CollisionSettings::default() };
        let near = Disc { position: Vec2::new(1000.0, 0.0), ..disc };
        let count = |settings| unresolved(&[near].into_iter().collect(), settings, 1.0 / 240.0).len();
        assert_eq!((count(&CollisionSettings::default()), count(&substeps)), (0, 1), "substeps are short steps");
    }
}
