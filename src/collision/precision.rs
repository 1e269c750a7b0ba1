//! The limits of `f32`: far from the origin, representable numbers are far apart, so short steps and small radii are
//! lost in rounding.
//!
//! A position moves by `x + v h`, rounded to the nearest number. If `v h` is below half the spacing of numbers, `x`
//! never changes. If it is a few spacings, each step has a relative error. If the radius is below the spacing, there
//! may be no number between a wall and the centre of a disc that touches it. Then rounding may put the centre on the
//! other side. Nothing here is part of a tick: these checks run once, when a scene starts.

use std::fmt;

use bevy::math::Vec2;

use super::{CollisionSettings, Discs, PhysicsSpace, SolverMode};
use crate::{collision::shape::Wall, components::shortest};

/// The share of a step that may be lost without a warning: 1 %, which is not visible.
const TOLERATED_SHARE: f64 = 0.01;

/// A loss is ignored if it takes longer than this to reach [`TOLERATED_SHARE`] of the radius, seconds: a disc of a
/// resting pile creeps as slowly. Terrain that a disc does not reach within that time is ignored, too.
const WATCHED_SECONDS: f64 = 10.0;

/// The part of a movement that is lost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loss {
    /// The relative error of each step; 1 if nothing is left of it and the disc does not move.
    pub share: f32,
    /// The speed that is lost or gained, m/s.
    pub speed: f32,
    /// The spacing of numbers there, metres: the coarser one of the two coordinates that should change.
    pub spacing: f32,
    /// The distance from the origin, in each coordinate, within which the same steps have an error of at most a
    /// hundredth, metres.
    pub within: f32,
    /// The shortest time step with an error of at most a hundredth there, seconds.
    pub time_step: f32,
}

/// The loss in the movement of a disc at `position` (m) with `velocity` (m/s) and `radius` (m) by steps of `time_step`
/// (s). `None` if each step is correct to a hundredth, or if less than a hundredth of the radius is lost in ten
/// seconds.
#[must_use]
pub fn loss(position: Vec2, velocity: Vec2, radius: f32, time_step: f32) -> Option<Loss> {
    // The difference of two neighbouring numbers is exact in f64.
    let moved = (position + velocity * time_step).as_dvec2() - position.as_dvec2();
    let wanted = velocity.as_dvec2() * f64::from(time_step);
    let lost = (moved - wanted).length();
    let speed = lost / f64::from(time_step);
    let is_noticed =
        lost > TOLERATED_SHARE * wanted.length() && speed * WATCHED_SECONDS > TOLERATED_SHARE * f64::from(radius);
    if !is_noticed {
        return None;
    }
    let spacing = |coordinate: f32, wanted: f64| if wanted == 0.0 { 0.0 } else { f64::from(ulp(coordinate)) };
    let spacing = spacing(position.x, wanted.x).max(spacing(position.y, wanted.y));
    // The rounding error is at most half a spacing.
    let enough = 0.5 / TOLERATED_SHARE;
    let finest = (wanted.length() / enough).max(f64::from(f32::MIN_POSITIVE));
    Some(Loss {
        share: (lost / wanted.length()) as f32,
        speed: speed as f32,
        spacing: spacing as f32,
        within: power_of_two_below(finest * f64::from(1_u32 << f32::MANTISSA_DIGITS)) as f32,
        time_step: (enough * spacing / velocity.as_dvec2().length()) as f32,
    })
}

/// The distance from a finite number to the next, away from zero.
fn ulp(value: f32) -> f32 {
    value.abs().next_up() - value.abs()
}

fn power_of_two_below(value: f64) -> f64 {
    f64::from_bits(value.to_bits() & 0x7ff0_0000_0000_0000)
}

/// A disc whose movement `f32` cannot resolve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unresolved {
    /// Its [`StableId`](crate::components::StableId).
    pub disc: u64,
    /// Its position, metres.
    pub position: Vec2,
    /// Its intended velocity, metres per second.
    pub velocity: Vec2,
    /// The part that is lost.
    pub loss: Loss,
}

/// All discs whose movement `f32` cannot resolve with ticks of `time_step` seconds and these settings, in order.
#[must_use]
pub fn unresolved(discs: &Discs, settings: &CollisionSettings, time_step: f32) -> Vec<Unresolved> {
    let settings = settings.in_range();
    let step = match settings.mode {
        SolverMode::Stepped => time_step / settings.substeps as f32,
        SolverMode::Continuous => time_step,
    };
    (0..discs.len())
        .filter_map(|i| {
            let (position, velocity) = (discs.position[i], discs.velocity[i]);
            let loss = loss(position, velocity, discs.radius[i], step)?;
            Some(Unresolved { disc: discs.id[i], position, velocity, loss })
        })
        .collect()
}

impl fmt::Display for Unresolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { disc, position: Vec2 { x, y }, velocity, loss } = self;
        let Loss { share, speed, spacing, within, time_step } = loss;
        let wanted = velocity.length();
        if *share >= 1.0 {
            write!(f, "disc {disc} at ({x}, {y}) m does not move, although its speed is {wanted} m/s")?;
        } else {
            write!(f, "disc {disc} at ({x}, {y}) m moves with an error of {speed:.2e} of its {wanted} m/s")?;
        }
        write!(f, ": numbers are {spacing} m apart there; bring it within {within} m of the origin")?;
        // The tick rate cannot be lower than one per second.
        if *time_step <= 1.0 {
            write!(f, " or use time steps of {time_step:.2e} s or more")?;
        }
        Ok(())
    }
}

/// A disc whose radius is smaller than the spacing of numbers at its position, or where it hits terrain. Walls, corners
/// and other discs may not hold it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TooSmall {
    /// Its [`StableId`](crate::components::StableId).
    pub disc: u64,
    /// Its radius, metres.
    pub radius: f32,
    /// The magnitude of the coordinate at which the radius is lost, metres.
    pub coordinate: f32,
    /// The spacing of numbers there, metres.
    pub spacing: f32,
}

/// All discs whose radius `f32` cannot resolve at their coordinates, or at those of terrain in `space` that they reach
/// within ten seconds; in order.
#[must_use]
pub fn too_small(discs: &Discs, space: &PhysicsSpace) -> Vec<TooSmall> {
    let walls =
        space.terrain.walls.iter().map(Wall::bounds).flat_map(|bounds| [bounds.low, bounds.high]).map(Vec2::abs);
    let fixed_circles = space.terrain.fixed_circles.iter().map(|circle| circle.centre.abs() + circle.radius);
    let terrain = walls.chain(fixed_circles).fold(Vec2::ZERO, Vec2::max);
    (0..discs.len())
        .filter_map(|i| {
            let (radius, here) = (discs.radius[i], discs.position[i].abs());
            let later = here + discs.velocity[i].abs() * WATCHED_SECONDS as f32;
            let coordinate = here.max(terrain.min(later)).max_element();
            let spacing = ulp(coordinate);
            (radius < spacing).then_some(TooSmall { disc: discs.id[i], radius, coordinate, spacing })
        })
        .collect()
}

impl fmt::Display for TooSmall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { disc, radius, coordinate, spacing } = self;
        let within = power_of_two_below(f64::from(*radius) * f64::from(1_u32 << f32::MANTISSA_DIGITS)) as f32;
        let [radius, coordinate, spacing, within] =
            [*radius, *coordinate, *spacing, within].map(|m| shortest(f64::from(m)));
        write!(
            f,
            "disc {disc} has a radius of {radius} m, too small for a coordinate of {coordinate} m, where numbers are \
            {spacing} m apart, so that walls may let it through; give it a radius of {spacing} m or more, or bring it \
            and the terrain within {within} m of the origin"
        )
    }
}

/// The first of many and the number of the others, as a text for people.
#[must_use]
pub fn in_words(found: &[impl fmt::Display]) -> Option<String> {
    let first = found.first()?;
    let more = found.len() - 1;
    Some(if more > 0 { format!("{first} (and {more} more)") } else { first.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        collision::{DiscState, run_tick},
        components::{Position, Rotation, Terrain},
    };
    use bevy::prelude::Entity;

    /// The distance that a disc moves in a thousand ticks, as a share of the intended distance.
    fn share_of_the_way(x: f32, speed: f32, rate: f32) -> f64 {
        let mut space = PhysicsSpace::default();
        space.discs.push(DiscState {
            position: Vec2::new(x, 0.0),
            velocity: Vec2::new(speed, 0.0),
            ..DiscState::default()
        });
        for _ in 0..1000 {
            run_tick(&mut space, &CollisionSettings::default(), 1.0 / rate, |_| {});
        }
        let way = f64::from(space.discs.position[0].x) - f64::from(x);
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
                    // Small enough to detect every loss.
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
    fn what_nobody_would_notice_is_not_reported() {
        assert_eq!(at(1e6, 0.0, 240.0), None);
        assert_eq!(at(1.0, 1e-6, 240.0), None, "a disc of a pile at rest");
        // One coordinate does not change, but hardly any motion is in that direction.
        assert_eq!(loss(Vec2::new(1000.0, 0.0), Vec2::new(1e-3, 1.0), 0.5, 1.0 / 240.0), None);
        assert_eq!(loss(Vec2::NAN, Vec2::ONE, 0.5, 1.0 / 240.0), None);
    }

    fn in_an_arena(half: f32, disc: DiscState) -> PhysicsSpace {
        let mut space = PhysicsSpace { discs: [disc].into_iter().collect(), ..PhysicsSpace::default() };
        let half_size = Vec2::splat(half);
        space.add_terrain(
            Entity::PLACEHOLDER,
            &Terrain::Arena { half_size },
            Position::default(),
            Rotation::default(),
            None,
        );
        space.finish_terrain();
        space
    }

    #[test]
    fn a_radius_that_is_nothing_beside_the_coordinates_is_found_and_nothing_else() {
        let found = |half: f32, disc: DiscState| {
            let space = in_an_arena(half, disc);
            too_small(&space.discs, &space).first().map(|small| small.spacing)
        };
        let disc = DiscState { velocity: Vec2::new(1e6, 0.0), radius: 1e-12, mass: 1.0, ..DiscState::default() };
        let spacing = ulp(5.0);
        assert_eq!(found(5.0, disc), Some(spacing));
        assert_eq!(found(5.0, DiscState { radius: spacing.next_down(), ..disc }), Some(spacing));
        assert_eq!(found(5.0, DiscState { radius: spacing, ..disc }), None);
        assert_eq!(found(5.0, DiscState { radius: 0.5, ..disc }), None);
        // At its position, whatever is around it.
        let far = DiscState { position: Vec2::new(0.0, -1e6), velocity: Vec2::ZERO, radius: 0.05, ..disc };
        assert_eq!(found(5.0, far), Some(0.0625));
        // A floor much longer than the path of the disc.
        let slow = DiscState { velocity: Vec2::X, radius: 0.05, ..disc };
        assert_eq!(found(1e6, slow), None);
        assert_eq!(found(1e6, DiscState { velocity: Vec2::X * 2e5, ..slow }), Some(0.0625));
    }

    #[test]
    fn what_is_not_found_stays_within_its_walls() {
        for mode in [SolverMode::Stepped, SolverMode::Continuous] {
            let settings = CollisionSettings { mode, ..CollisionSettings::default() };
            let mut escaped = 0;
            for radius in [1e-12, 1e-9, ulp(5.0), 2.0 * ulp(5.0), 1e-5, 1e-3] {
                for k in 0..20_u8 {
                    let (sin, cos) = bevy::math::ops::sin_cos(0.3 * f32::from(k));
                    let disc =
                        DiscState { velocity: 1e6 * Vec2::new(cos, sin), radius, mass: 1.0, ..DiscState::default() };
                    let mut space = in_an_arena(5.0, disc);
                    let is_found = !too_small(&space.discs, &space).is_empty();
                    for _ in 0..20 {
                        run_tick(&mut space, &settings, 1.0 / 60.0, |_| {});
                    }
                    let at = space.discs.position[0];
                    let is_inside = at.abs().max_element() <= 5.0;
                    assert!(is_inside || is_found, "{mode:?}, radius {radius}, direction {k}: {at}");
                    escaped += u32::from(!is_inside);
                }
            }
            // The stepped mode checks the path of each centre again.
            assert_eq!(escaped > 0, mode == SolverMode::Continuous, "{mode:?}: {escaped}");
        }
    }

    #[test]
    fn the_line_about_a_radius_names_the_disc_the_value_and_a_remedy_that_helps() {
        let disc = DiscState { id: 7, velocity: Vec2::new(1e6, 0.0), radius: 1e-12, ..DiscState::default() };
        let space = in_an_arena(5.0, disc);
        let line = in_words(&too_small(&space.discs, &space)).unwrap();
        assert!(line.starts_with("disc 7 has a radius of 1e-12 m") && line.contains("a coordinate of 5 m"), "{line}");
        assert!(line.contains("a radius of 4.7683716e-7 m or more"), "{line}");
        assert!(line.contains("within 1.5258789e-5 m of the origin"), "{line}");
        let nearer = in_an_arena(1.525e-5, disc);
        assert_eq!(too_small(&nearer.discs, &nearer), []);
    }

    #[test]
    fn the_line_names_the_disc_and_the_remedy() {
        let disc = DiscState { id: 7, position: Vec2::new(1e6, 0.0), velocity: Vec2::X, ..DiscState::default() };
        let found = unresolved(&[disc].into_iter().collect(), &CollisionSettings::default(), 1.0 / 240.0);
        let line = in_words(&found).unwrap();
        assert!(line.starts_with("disc 7 at (1000000, 0) m does not move, although its speed is 1 m/s"), "{line}");
        assert!(line.contains("within 1024 m"), "{line}");
        let substeps = CollisionSettings { substeps: 64, ..CollisionSettings::default() };
        let near = DiscState { position: Vec2::new(1000.0, 0.0), ..disc };
        let count = |settings| unresolved(&[near].into_iter().collect(), settings, 1.0 / 240.0).len();
        assert_eq!((count(&CollisionSettings::default()), count(&substeps)), (0, 1), "substeps are short steps");
    }
}
