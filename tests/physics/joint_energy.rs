//! Groups of joints that turn far within a step, hang for a long time, have extreme mass ratios, or collapse onto
//! themselves. Their energy never grows, and their lengths are correct.

use bevy::{
    ecs::system::SystemState,
    math::{DVec2, ops},
    prelude::*,
};
use carom::{
    collision::{Discs, measure},
    prelude::*,
    timeline::Prediction,
};

use crate::support::{self, Dice};

/// m/s².
const GRAVITY: f32 = 9.81;

/// The length of every joint of a chain, metres.
const LENGTH: f32 = 0.3;

const ROD: JointKind = JointKind::Rod { length: LENGTH };
const ROPE: JointKind = JointKind::Rope { length: LENGTH, restitution: 0.0 };

/// The stepped mode with one substep and with four, and the continuous one.
const MODES: [(SolverMode, u32); 3] = [(SolverMode::Stepped, 1), (SolverMode::Stepped, 4), (SolverMode::Continuous, 1)];

/// An end of a joint, before there are entities.
#[derive(Clone, Copy)]
enum End {
    Disc(usize),
    Point(Vec2),
}

/// Joined discs with mass, position and velocity that collide with nothing.
#[derive(Default)]
struct Frame {
    discs: Vec<(f32, Vec2, Vec2)>,
    /// The number of kinematic discs, which come first.
    kinematic: usize,
    joints: Vec<([End; 2], JointKind)>,
    gravity: f32,
}

/// The result of a run.
#[derive(Debug, Default)]
struct Found {
    /// The largest gain and loss of energy, as shares of the energy for lifting all discs by the size of the frame.
    gained: f64,
    lost: f64,
    /// The largest error of the length of a rod, or excess length of a rope, as a share of its length.
    off: f64,
}

/// A prediction of unlimited length: the ticks without the ECS.
fn predict(app: &mut App) -> Prediction {
    let mut state = SystemState::<Predictor>::new(app.world_mut());
    let predictor = state.get(app.world()).expect("it can be predicted");
    predictor.predict(Horizon { seconds: 1e9, ..Horizon::default() })
}

impl Frame {
    /// A chain from a point, as level as possible or hanging straight down.
    fn chain(masses: &[f32], direction: Vec2, kind: JointKind) -> Self {
        let mut frame = Self { gravity: GRAVITY, ..Self::default() };
        for (i, &mass) in masses.iter().enumerate() {
            frame.discs.push((mass, direction * (LENGTH * (i + 1) as f32), Vec2::ZERO));
            let before = if i == 0 { End::Point(Vec2::ZERO) } else { End::Disc(i - 1) };
            frame.joints.push(([before, End::Disc(i)], kind));
        }
        frame
    }

    /// A square cloth, level at first, held at the two corners of the first row.
    fn cloth(side: usize, kind: JointKind) -> Self {
        let mut frame = Self { gravity: GRAVITY, ..Self::default() };
        let place = |row: usize, column: usize| Vec2::new(column as f32, -(row as f32)) * LENGTH;
        for k in 0..side * side {
            let (row, column) = (k / side, k % side);
            frame.discs.push((0.1, place(row, column), Vec2::ZERO));
            if column > 0 {
                frame.joints.push(([End::Disc(k - 1), End::Disc(k)], kind));
            }
            if row > 0 {
                frame.joints.push(([End::Disc(k - side), End::Disc(k)], kind));
            }
        }
        for corner in [0, side - 1] {
            // A short arm above it, as a disc itself cannot be fixed.
            let above = frame.discs[corner].1 + Vec2::Y * LENGTH;
            frame.joints.push(([End::Disc(corner), End::Point(above)], kind));
        }
        frame
    }

    fn spawn(&self, mode: (SolverMode, u32)) -> App {
        let mut app = support::app_in(mode);
        app.world_mut().resource_mut::<MotionSettings>().gravity = Vec2::new(0.0, -self.gravity);
        let discs: Vec<_> = self
            .discs
            .iter()
            .enumerate()
            .map(|(i, &(mass, position, velocity))| {
                let disc = support::disc(&mut app, position, velocity);
                app.world_mut().entity_mut(disc).insert((Mass(mass), Radius(0.05), CollisionLayers::NONE));
                if i < self.kinematic {
                    app.world_mut().entity_mut(disc).insert(Kinematic);
                }
                disc
            })
            .collect();
        for &(ends, kind) in &self.joints {
            let [a, b] = ends.map(|end| match end {
                End::Disc(i) => JointEnd::Disc(discs[i]),
                End::Point(point) => JointEnd::Point(point),
            });
            app.world_mut().spawn(Joint { ends: [a, b], kind });
        }
        app
    }

    fn predict(&self, mode: (SolverMode, u32)) -> Prediction {
        predict(&mut self.spawn(mode))
    }

    fn way(discs: &Discs, ends: [End; 2]) -> DVec2 {
        let [a, b] = ends.map(|end| match end {
            End::Disc(i) => discs.position[i].as_dvec2(),
            End::Point(point) => point.as_dvec2(),
        });
        b - a
    }

    /// Kinetic, potential and spring energy, joules.
    fn energy(&self, discs: &Discs) -> f64 {
        let height = |i: usize| f64::from(discs.mass[i]) * f64::from(self.gravity) * f64::from(discs.position[i].y);
        let springs = self.joints.iter().map(|&(ends, kind)| match kind {
            JointKind::Spring { length, stiffness, .. } => {
                let stretch = Self::way(discs, ends).length() - f64::from(length);
                0.5 * f64::from(stiffness) * stretch * stretch
            }
            _ => 0.0,
        });
        measure::kinetic_energy(discs) + (0..discs.len()).map(height).sum::<f64>() + springs.sum::<f64>()
    }

    fn off(&self, discs: &Discs) -> f64 {
        let off = self.joints.iter().map(|&(ends, kind)| {
            let share = Self::way(discs, ends).length() / f64::from(kind.length()) - 1.0;
            match kind {
                JointKind::Spring { .. } => 0.0,
                JointKind::Rod { .. } => share.abs(),
                JointKind::Rope { .. } => share.max(0.0),
            }
        });
        off.fold(0.0, f64::max)
    }

    /// The energy for lifting all discs by the sum of all joints, or for stopping them, joules.
    fn scale(&self) -> f64 {
        let mass: f64 = self.discs.iter().map(|&(mass, ..)| f64::from(mass)).sum();
        let size = (self.joints.len() as f64).min(2.0 * (self.discs.len() as f64)) * f64::from(LENGTH);
        let kinetic: f64 =
            self.discs.iter().map(|(mass, _, v)| 0.5 * f64::from(*mass) * v.as_dvec2().length_squared()).sum();
        (mass * f64::from(self.gravity) * size).max(kinetic)
    }

    /// Runs it for this many ticks.
    fn run(&self, mode: (SolverMode, u32), ticks: u32) -> Found {
        let mut prediction = self.predict(mode);
        let (start, scale, mut found) = (self.energy(prediction.discs()), self.scale(), Found::default());
        for tick in 1..=ticks {
            prediction.tick();
            let discs = prediction.discs();
            let is_finite = discs.velocity.iter().chain(&discs.position).all(|v| v.is_finite());
            assert!(is_finite, "{mode:?}, tick {tick}");
            let gained = (self.energy(discs) - start) / scale;
            found.gained = found.gained.max(gained);
            found.lost = found.lost.max(-gained);
            found.off = found.off.max(self.off(discs));
        }
        found
    }
}

/// Rounding to f32 over several thousand ticks, as a share of the scale.
const ROUNDINGS: f64 = 2e-5;

#[test]
fn chains_of_rods_keep_their_energy_and_their_lengths() {
    for mode in MODES {
        for (count, ticks) in [(2, 3600), (6, 3600), (15, 600), (20, 600), (50, 150)] {
            let found = Frame::chain(&vec![1.0; count], Vec2::X, ROD).run(mode, ticks);
            assert!(found.gained.max(found.lost) < ROUNDINGS, "{mode:?}, {count} rods: {found:?}");
            assert!(found.off < ROUNDINGS, "{mode:?}, {count} rods: {found:?}");
        }
    }
}

#[test]
fn a_light_disc_before_a_heavy_one_gains_nothing() {
    for mode in MODES {
        for (light, ticks) in [(0.1, 3600), (0.01, 600), (0.001, 60)] {
            for kind in [ROD, ROPE] {
                let found = Frame::chain(&[light, 1.0], Vec2::X, kind).run(mode, ticks);
                assert!(found.gained < ROUNDINGS && found.off < ROUNDINGS, "{mode:?}, {light} kg, {kind:?}: {found:?}");
                assert!(kind == ROPE || found.lost < ROUNDINGS, "{mode:?}, {light} kg: {found:?}");
            }
        }
    }
}

#[test]
fn ropes_with_a_light_disc_between_heavy_ones_gain_nothing() {
    for mode in MODES {
        for restitution in [0.0, 0.5, 1.0] {
            let kind = JointKind::Rope { length: LENGTH, restitution };
            let found = Frame::chain(&[1.0, 0.01, 1.0], Vec2::X, kind).run(mode, 300);
            assert!(found.gained < ROUNDINGS && found.off < ROUNDINGS, "{mode:?}, {restitution}: {found:?}");
        }
    }
}

#[test]
fn chains_hung_straight_stay_as_long_as_they_are() {
    let mixed = |count, light: f32| (0..count).map(|i| if i % 2 == 0 { 1.0 } else { light }).collect::<Vec<_>>();
    for mode in MODES {
        // At 60 m the error of a coordinate is 2e-6 m, so that of a difference is 1.3e-5 of a rod.
        for (masses, allowed) in [(vec![1.0; 200], 1.3e-5), (mixed(20, 1e-6), 2e-6), (mixed(21, 1e6), 2e-6)] {
            let found = Frame::chain(&masses, -Vec2::Y, ROD).run(mode, 30);
            assert!(found.off < allowed, "{mode:?}, {} rods: {found:?}", masses.len());
            assert!(found.gained.max(found.lost) < 1e-6, "{mode:?}, {} rods: {found:?}", masses.len());
        }
    }
}

#[test]
fn masses_far_apart_swing_within_their_rods() {
    for mode in MODES {
        for (light, off) in [(1e-2, ROUNDINGS), (1e-4, ROUNDINGS), (1e-6, 0.05)] {
            let masses: Vec<f32> = (0..6).map(|i| if i % 2 == 0 { 1.0 } else { light }).collect();
            let found = Frame::chain(&masses, Vec2::X, ROD).run(mode, 60);
            // Oscillations too fast for any small step are damped out.
            assert!(found.gained < ROUNDINGS && found.lost < 0.05, "{mode:?}, {light}: {found:?}");
            assert!(found.off < off, "{mode:?}, {light}: {found:?}");
        }
    }
}

#[test]
fn cloth_of_rods_and_of_ropes_hangs_from_its_corners() {
    for mode in MODES {
        for kind in [ROD, ROPE] {
            let found = Frame::cloth(8, kind).run(mode, 60);
            assert!(found.gained < ROUNDINGS && found.off < ROUNDINGS, "{mode:?}, {kind:?}: {found:?}");
            assert!(kind == ROPE || found.lost < ROUNDINGS, "{mode:?}: {found:?}");
        }
    }
}

/// A hub with spokes, a rim, and the same number of redundant braces.
fn wheel(turning: f32) -> Frame {
    let mut frame = Frame { discs: vec![(1.0, Vec2::ZERO, Vec2::new(0.3, 0.1))], ..Frame::default() };
    let count = 12;
    for i in 0..count {
        let place = {
            let angle = std::f32::consts::TAU * i as f32 / count as f32;
            Vec2::new(ops::cos(angle), ops::sin(angle))
        };
        frame.discs.push((0.5, place, place.perp() * turning + Vec2::new(0.3, 0.1)));
    }
    for i in 0..count {
        for [a, b] in [[0, i + 1], [i + 1, (i + 1) % count + 1], [i + 1, (i + 2) % count + 1]] {
            let length = frame.discs[a].1.distance(frame.discs[b].1);
            frame.joints.push(([End::Disc(a), End::Disc(b)], JointKind::Rod { length }));
        }
    }
    frame
}

/// Twelve rods in a row, each end with another velocity: a whip.
fn whip() -> Frame {
    let mut frame = Frame::chain(&[1.0; 13], Vec2::X, ROD);
    frame.joints.remove(0);
    frame.gravity = 0.0;
    for (i, (mass, _, velocity)) in frame.discs.iter_mut().enumerate() {
        *mass = 1.0 / (1.0 + i as f32);
        *velocity = Vec2::new(0.0, (i as f32 - 4.0) * if i % 3 == 0 { 8.0 } else { 2.0 });
    }
    frame
}

/// About the origin, kg m²/s.
fn angular_momentum(discs: &Discs) -> f64 {
    let at = |i: usize| discs.position[i].as_dvec2();
    (0..discs.len()).map(|i| f64::from(discs.mass[i]) * at(i).perp_dot(discs.velocity[i].as_dvec2())).sum()
}

#[test]
fn free_groups_keep_momentum_angular_momentum_and_energy() {
    for mode in MODES {
        for (name, frame) in [("slow wheel", wheel(3.0)), ("fast wheel", wheel(30.0)), ("whip", whip())] {
            let mut prediction = frame.predict(mode);
            // The first tick removes speeds along the rods.
            let start = prediction.discs().clone();
            prediction.tick();
            let energy = measure::kinetic_energy(prediction.discs());
            for tick in 0..600 {
                prediction.tick();
                let change = measure::kinetic_energy(prediction.discs()) / energy - 1.0;
                assert!(change.abs() < ROUNDINGS, "{mode:?}, {name}, tick {tick}: energy off by {change}");
            }
            let discs = prediction.discs();
            let speed: f64 = start.velocity.iter().zip(&start.mass).map(|(v, m)| f64::from(v.length() * m)).sum();
            let lost = (measure::momentum(discs) - measure::momentum(&start)).length() / speed;
            assert!(lost < ROUNDINGS, "{mode:?}, {name}: momentum off by {lost}");
            let turned = (angular_momentum(discs) / angular_momentum(&start) - 1.0).abs();
            assert!(turned < 1e-3, "{mode:?}, {name}: angular momentum off by {turned}");
            assert!(frame.off(discs) < 5e-5, "{mode:?}, {name}: {}", frame.off(discs));
        }
    }
}

/// A chain between two moving kinematic discs.
fn bridge(velocities: [Vec2; 2]) -> Frame {
    let mut frame = Frame { gravity: GRAVITY, kinematic: 2, ..Frame::default() };
    let place = |k: usize| Vec2::new(2.0 * LENGTH * k as f32, 0.0);
    frame.discs = vec![(1.0, place(0), velocities[0]), (1.0, place(6), velocities[1])];
    // A zigzag: every second disc hangs below the line.
    let mut before = 0;
    for k in 1..6 {
        for below in [true, false] {
            let disc = frame.discs.len();
            let at = place(k) - if below { Vec2::new(LENGTH, 0.2) } else { Vec2::ZERO };
            frame.discs.push((1.0, at, velocities[0]));
            frame.joints.push(([End::Disc(before), End::Disc(disc)], ROD));
            before = disc;
        }
    }
    let last = frame.discs.len();
    frame.discs.push((1.0, place(6) - Vec2::new(LENGTH, 0.2), velocities[0]));
    frame.joints.push(([End::Disc(before), End::Disc(last)], ROD));
    frame.joints.push(([End::Disc(last), End::Disc(1)], ROD));
    for (ends, kind) in &mut frame.joints {
        let [a, b] = ends.map(|end| if let End::Disc(i) = end { frame.discs[i].1 } else { Vec2::ZERO });
        *kind = JointKind::Rod { length: a.distance(b) };
    }
    frame
}

#[test]
fn a_chain_that_two_ends_carry_along_swings_as_between_two_that_stand() {
    for mode in MODES {
        for velocity in [Vec2::ZERO, Vec2::new(0.5, 0.25)] {
            let frame = bridge([velocity; 2]);
            let mut prediction = frame.predict(mode);
            let energy = |discs: &Discs, seconds: f64| {
                let (v, t) = (velocity.as_dvec2(), seconds);
                let each = |i: usize| {
                    let relative = discs.velocity[i].as_dvec2() - v;
                    0.5 * relative.length_squared() + f64::from(GRAVITY) * (f64::from(discs.position[i].y) - v.y * t)
                };
                (2..discs.len()).map(each).sum::<f64>()
            };
            let start = energy(prediction.discs(), 0.0);
            for tick in 1..=300 {
                prediction.tick();
                let off = (energy(prediction.discs(), f64::from(tick) / 60.0) - start) / frame.scale();
                assert!(off.abs() < 1e-4, "{mode:?}, {velocity}, tick {tick}: {off}");
                assert!(frame.off(prediction.discs()) < 1e-4, "{mode:?}, tick {tick}");
            }
        }
    }
}

#[test]
fn a_chain_whose_ends_come_and_go_keeps_its_lengths() {
    for mode in MODES {
        // They meet halfway, pass each other, and separate again to less than the length of the chain.
        let frame = bridge([Vec2::new(0.7, 0.0), Vec2::new(-0.7, 0.1)]);
        let found = frame.run(mode, 280);
        assert!(found.off < 1e-3 && found.gained < 1.0, "{mode:?}: {found:?}");
    }
}

/// A random tree of rods, ropes and springs, partly attached to a point.
fn random(seed: u64) -> Frame {
    let mut dice = Dice(seed);
    let mut frame = Frame { gravity: if seed.is_multiple_of(3) { 0.0 } else { GRAVITY }, ..Frame::default() };
    for i in 0..10 {
        let place = Vec2::new((i % 4) as f32, (i / 4) as f32) * 0.5 + dice.vec(0.1);
        frame.discs.push((dice.range(0.1, 3.0), place, dice.vec(3.0)));
    }
    for i in 1..10 {
        let j = (dice.next() % i as u64) as usize;
        let distance = frame.discs[i].1.distance(frame.discs[j].1);
        let kind = match dice.next() % 4 {
            0 => JointKind::Spring { length: distance, stiffness: dice.range(1.0, 100.0), damping: 0.0 },
            1 => {
                JointKind::Rope { length: distance * dice.range(1.0, 1.3), restitution: dice.range(-1.0, 1.0).max(0.0) }
            }
            _ => JointKind::Rod { length: distance },
        };
        frame.joints.push(([End::Disc(j), End::Disc(i)], kind));
    }
    let nail = Vec2::new(-0.5, 0.5);
    let length = nail.distance(frame.discs[0].1);
    frame.joints.push(([End::Point(nail), End::Disc(0)], JointKind::Rod { length }));
    frame
}

#[test]
fn random_groups_gain_nothing() {
    for seed in 0..24 {
        let mode = MODES[seed as usize % 3];
        let frame = random(seed);
        let mut prediction = frame.predict(mode);
        prediction.tick();
        let mut least = frame.energy(prediction.discs());
        for tick in 0..300 {
            prediction.tick();
            let energy = frame.energy(prediction.discs());
            let gained = (energy - least) / frame.scale();
            least = least.min(energy);
            assert!(gained < 1e-4, "{mode:?}, seed {seed}, tick {tick}: {gained}");
            assert!(frame.off(prediction.discs()) < 1e-4, "{mode:?}, seed {seed}, tick {tick}");
        }
    }
}

#[test]
fn springs_beside_rods_keep_energy() {
    for mode in MODES {
        for stiffness in [10.0, 300.0, 800.0] {
            let mut frame = Frame::chain(&[1.0; 6], Vec2::X, ROD);
            for k in [2, 4] {
                frame.joints[k].1 = JointKind::Spring { length: LENGTH, stiffness, damping: 0.0 };
            }
            let found = frame.run(mode, 600);
            assert!(found.gained.max(found.lost) < 3.0 * ROUNDINGS, "{mode:?}, {stiffness} N/m: {found:?}");
        }
    }
}

#[test]
fn crowds_that_hit_chains_gain_nothing() {
    for mode in MODES {
        for kind in [ROD, ROPE] {
            let mut app = support::app_in(mode);
            let (discs, half) = support::random_discs(36, 11);
            support::fill(&mut app, &discs, half);
            let mut all: Vec<_> = app
                .world_mut()
                .query_filtered::<(&StableId, Entity), With<Disc>>()
                .iter(app.world())
                .map(|(id, entity)| (*id, entity))
                .collect();
            all.sort_unstable();
            for first in [3, 16] {
                for i in first..first + 8 {
                    let length = discs[i].position.distance(discs[i + 1].position);
                    let kind = match kind {
                        JointKind::Rod { .. } => JointKind::Rod { length },
                        _ => JointKind::Rope { length, restitution: 0.0 },
                    };
                    app.world_mut().spawn(Joint::new(all[i].1, all[i + 1].1, kind));
                }
            }
            let mut prediction = predict(&mut app);
            let mut least = measure::kinetic_energy(prediction.discs());
            for tick in 0..600 {
                prediction.tick();
                let energy = measure::kinetic_energy(prediction.discs());
                assert!(energy < least * 1.001, "{mode:?}, {kind:?}, tick {tick}: {energy} of {least} J");
                least = least.min(energy);
            }
        }
    }
}

#[test]
fn a_long_level_chain_falls_in_a_time_in_proportion_to_its_length() {
    // A thousand rods: a dense solve would take minutes.
    let found = Frame::chain(&[1.0; 1000], Vec2::X, ROD).run((SolverMode::Continuous, 1), 20);
    assert!(found.gained.max(found.lost) < ROUNDINGS && found.off < 3e-4, "{found:?}");
}
