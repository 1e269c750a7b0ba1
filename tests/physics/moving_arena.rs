//! A moving arena takes along the discs inside, however many it sweeps together: none is behind its wall at the end of
//! any tick.

use bevy::{math::ops, prelude::*};
use carom::prelude::*;

use crate::support::{self, Dice};

const RADIUS: f32 = 0.2;
const HALF: f32 = 4.0;

/// An arena and its content.
struct Case {
    mode: (SolverMode, u32),
    is_round: bool,
    rotation: f32,
    velocity: Vec2,
    count: usize,
    restitution: f32,
}

impl Case {
    /// How far the rim of a disc is beyond the wall, metres; negative inside.
    fn beyond(&self, middle: Vec2, at: Vec2) -> f32 {
        let place = Vec2::from_angle(-self.rotation).rotate(at - middle);
        let far = if self.is_round { place.length() } else { place.abs().max_element() };
        far + RADIUS - HALF
    }

    /// Discs at rest on a lattice about the centre of a moving arena; returns the first position outside, if any.
    fn escape(&self, ticks: usize) -> Option<String> {
        let &Self { mode, is_round, rotation, velocity, count, restitution } = self;
        let mut app = support::app_in(mode);
        support::settings(&mut app, |s| (s.restitution, s.terrain_restitution) = (restitution, restitution));
        let arena = Terrain::Arena { half_size: Vec2::splat(HALF) };
        let terrain =
            if is_round { Terrain::Arc { radius: HALF, start: 0.0, extent: std::f32::consts::TAU } } else { arena };
        let arena = app.world_mut().spawn((terrain, Rotation(rotation), Velocity(velocity))).id();
        let columns = (count as f32).sqrt().ceil() as usize;
        let half = 0.35 * (columns - 1) as f32;
        let discs: Vec<Entity> = (0..count)
            .map(|i| {
                let place = Vec2::new((i % columns) as f32, (i / columns) as f32) * 0.7 - half;
                app.world_mut().spawn((Disc, Position(place), Velocity(Vec2::ZERO), Radius(RADIUS), Mass(1.0))).id()
            })
            .collect();
        (1..=ticks).find_map(|tick| {
            support::ticks(&mut app, 1);
            let middle = support::position(&app, arena);
            discs.iter().find_map(|&disc| {
                let at = support::position(&app, disc);
                let rounding = 1e-3 * RADIUS + 4e-6 * (at.length() + middle.length() + HALF);
                let beyond = self.beyond(middle, at);
                (beyond > rounding).then(|| {
                    format!(
                        "{mode:?}, round: {is_round}, {rotation} rad, {velocity} m/s, {count} discs, e {restitution}, tick {tick}: one is \
                         {beyond} m beyond the wall, at {at}; the middle is at {middle}"
                    )
                })
            })
        })
    }
}

fn assert_none_escapes(cases: impl Iterator<Item = (Case, usize)>) {
    let mut count = 0;
    let failures: Vec<String> = cases.inspect(|_| count += 1).filter_map(|(case, ticks)| case.escape(ticks)).collect();
    assert!(failures.is_empty(), "{} of {count}: {:#?}", failures.len(), &failures[..failures.len().min(9)]);
}

#[test]
fn what_an_arena_sweeps_together_stays_inside() {
    let cases = [
        (false, 37, 5.0),
        (false, 40, 5.0),
        (false, 49, 5.0),
        (false, 37, 30.0),
        (false, 40, 100.0),
        (true, 40, 30.0),
        (true, 9, 1000.0),
    ];
    assert_none_escapes(cases.into_iter().map(|(is_round, count, speed)| {
        let (mode, velocity) = ((SolverMode::Continuous, 1), Vec2::X * speed);
        (Case { mode, is_round, rotation: 0.0, velocity, count, restitution: 0.0 }, 300)
    }));
}

#[test]
fn no_arena_loses_a_disc_at_any_speed() {
    assert_none_escapes((0..60).map(|seed| {
        let mut dice = Dice(seed);
        let mode = [
            (SolverMode::Continuous, 1),
            (SolverMode::Stepped, 1),
            (SolverMode::Continuous, 1),
            (SolverMode::Stepped, 4),
        ];
        let case = Case {
            mode: mode[(seed % 4) as usize],
            is_round: dice.next().is_multiple_of(2),
            rotation: if dice.next().is_multiple_of(2) { 0.0 } else { dice.range(-1.0, 1.0) },
            velocity: Vec2::from_angle(dice.range(-3.0, 3.0)) * ops::powf(10.0, dice.range(-1.0, 3.0)),
            count: 1 + (dice.next() % 49) as usize,
            restitution: [0.0, 0.5, 1.0][(dice.next() % 3) as usize],
        };
        (case, 60)
    }));
}
