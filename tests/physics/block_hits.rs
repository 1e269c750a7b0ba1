//! Hits, heaps and crushed blocks: nothing gains energy, nothing hangs in the air, and no disc leaves its arena.

use bevy::{math::ops, prelude::*};
use carom::{
    collision::{Discs, measure},
    prelude::*,
};

use crate::support::{self, Dice, MODES};

const GRAVITY: f32 = 9.81;

fn in_arena(mode: (SolverMode, u32), half_size: Vec2, [e, wall_e]: [f32; 2]) -> App {
    let mut app = support::app_in(mode);
    support::settings(&mut app, |s| (s.restitution, s.terrain_restitution) = (e, wall_e));
    app.world_mut().resource_mut::<MotionSettings>().gravity = Vec2::new(0.0, -GRAVITY);
    app.world_mut().spawn(Terrain::Arena { half_size });
    app
}

fn block(app: &mut App, half_size: Vec2, at: Vec2, mass: f32) -> Entity {
    app.world_mut().spawn((Terrain::Block { half_size }, Position(at), Mass(mass))).id()
}

/// Kinetic and potential energy of discs and blocks, joules.
fn energy(app: &mut App) -> f64 {
    let discs = Discs::of(app.world_mut());
    let mut heights = app.world_mut().query_filtered::<(&Position, &Mass), Without<Velocity>>();
    assert_eq!(heights.iter(app.world()).count(), 0, "all move");
    let mut heights = app.world_mut().query::<(&Position, &Mass, &Velocity)>();
    let high: f64 =
        heights.iter(app.world()).map(|(at, mass, _)| f64::from(mass.0) * f64::from(GRAVITY) * f64::from(at.0.y)).sum();
    high + measure::kinetic_energy(&discs) + measure::blocks(app.world_mut()).kinetic_energy
}

/// Runs this many ticks. Returns when the energy exceeds its earlier minimum by more than a hundredth of `scale`,
/// joules.
fn gains(app: &mut App, ticks: u32, scale: f64) -> Option<(u32, f64)> {
    support::ticks(app, 1);
    let mut least = energy(app);
    (1..ticks).find_map(|tick| {
        support::ticks(app, 1);
        let now = energy(app);
        least = least.min(now);
        (now - least > 1e-2 * scale).then_some((tick, now - least))
    })
}

#[test]
fn a_tower_that_is_hit_gains_no_energy() {
    let half = Vec2::new(0.2, 0.75);
    for mode in MODES {
        for e in [[0.2, 0.0], [0.2, 0.2], [0.0, 0.0], [0.7, 0.5]] {
            for (away, tick_rate) in [(0.28, 120.0), (-1.0, 120.0), (-1.0, 60.0), (-1.3, 240.0)] {
                let mut app = in_arena(mode, Vec2::new(8.0, 6.0), e);
                app.world_mut().resource_mut::<Time<Fixed>>().set_timestep_hz(tick_rate);
                for (x, y) in [(1.0, -5.25), (3.0, -5.25), (1.0, -3.55), (3.0, -3.55)] {
                    block(&mut app, half, Vec2::new(x, y), 5.0);
                }
                block(&mut app, Vec2::new(1.4, 0.1), Vec2::new(2.0, -4.4), 4.0);
                let ball = support::disc(&mut app, Vec2::new(away, -5.5), Vec2::new(2.0, 0.0));
                app.world_mut().entity_mut(ball).insert((Radius(0.5), Mass(60.0)));
                let found = gains(&mut app, 60, 120.0);
                assert!(found.is_none(), "{mode:?}, e {e:?}, from {away} at {tick_rate} Hz: {found:?}");
            }
        }
    }
}

#[test]
fn a_wall_of_bricks_that_is_hit_falls_and_gains_no_energy() {
    for mode in MODES {
        for speed in [2.0, 8.0] {
            let mut app = in_arena(mode, Vec2::new(8.0, 6.0), [0.2, 0.0]);
            for row in 0..4_u16 {
                for column in 0..4_u16 {
                    let x = 1.0 + 0.81 * f32::from(column) + 0.2 * f32::from(row % 2);
                    block(&mut app, Vec2::new(0.4, 0.2), Vec2::new(x, -5.8 + 0.4 * f32::from(row)), 2.0);
                }
            }
            let ball = support::disc(&mut app, Vec2::new(-1.0, -5.5), Vec2::new(speed, 0.0));
            app.world_mut().entity_mut(ball).insert((Radius(0.5), Mass(20.0)));
            let scale = f64::from(10.0 * speed * speed);
            let found = gains(&mut app, 80, scale);
            assert!(found.is_none(), "{mode:?}, {speed} m/s: {found:?}");
        }
    }
}

#[test]
fn a_heap_of_blocks_settles_and_gains_no_energy() {
    for mode in MODES {
        for e in [0.0, 0.3] {
            let mut app = in_arena(mode, Vec2::new(0.8, 2.0), [e, e]);
            for k in 0..12_u16 {
                let at = Vec2::new(-0.55 + 0.35 * f32::from(k % 4), -1.7 + 0.35 * f32::from(k / 4));
                let block = block(&mut app, Vec2::splat(0.1), at, 1.0);
                app.world_mut().entity_mut(block).insert(Rotation(0.35 * f32::from(k % 5)));
            }
            let found = gains(&mut app, 120, 12.0 * 9.81 * 0.5);
            assert!(found.is_none(), "{mode:?}, e {e}: {found:?}");
        }
    }
}

#[test]
fn a_disc_that_a_heavy_block_falls_on_stays_in_its_arena() {
    let mut dice = Dice(11);
    for mode in MODES {
        for case in 0..24 {
            let e = [0.0, 0.3, 0.5, 0.9][case % 4];
            let mut app = in_arena(mode, Vec2::ONE, [e, e]);
            let radius = 0.001 * ops::powf(10.0, dice.range(0.0, 1.6));
            let mass = ops::powf(10.0, dice.range(0.0, 6.0));
            let hammer = block(&mut app, Vec2::new(0.1, 0.3), Vec2::new(dice.range(-0.3, 0.3), 0.0), mass);
            app.world_mut().entity_mut(hammer).insert((
                Rotation(dice.range(-1.5, 1.5)),
                Velocity(Vec2::new(0.0, dice.range(-20.0, 0.0))),
                AngularVelocity(Vec3::Z * dice.range(-10.0, 10.0)),
            ));
            let discs: Vec<Entity> = (0..5_u16)
                .map(|k| {
                    let disc = support::disc(&mut app, Vec2::new(-0.5 + 0.25 * f32::from(k), radius - 1.0), Vec2::ZERO);
                    app.world_mut().entity_mut(disc).insert((Radius(radius), Mass(1.0)));
                    disc
                })
                .collect();
            support::ticks(&mut app, 60);
            for &disc in &discs {
                let at = support::position(&app, disc);
                assert!(at.abs().max_element() <= 1.0, "{mode:?}, case {case}, {mass} kg on {radius} m: at {at}");
            }
            let at = support::position(&app, hammer);
            assert!(at.abs().max_element() <= 1.0, "{mode:?}, case {case}: the block is at {at}");
        }
    }
}

#[test]
fn a_tower_of_forty_stands() {
    for mode in MODES {
        let mut app = in_arena(mode, Vec2::new(4.0, 20.0), [0.0, 0.0]);
        let places: Vec<Vec2> = (0..40_u16).map(|k| Vec2::new(0.0, -19.8 + 0.4 * f32::from(k))).collect();
        let blocks: Vec<Entity> = places.iter().map(|&at| block(&mut app, Vec2::new(0.5, 0.2), at, 2.0)).collect();
        support::ticks(&mut app, 60);
        for (&block, &at) in blocks.iter().zip(&places) {
            let (way, speed) = (support::position(&app, block).distance(at), support::velocity(&app, block).length());
            assert!(way < 1e-3 && speed < 1e-3, "{mode:?}: {way} m, {speed} m/s");
        }
    }
}

/// Blocks and discs that start in the air above each other, with different masses, velocities and spins.
fn crowd(mode: (SolverMode, u32), e: [f32; 2], dice: &mut Dice) -> App {
    let mut app = in_arena(mode, Vec2::new(3.4, 3.0), e);
    let mass = |dice: &mut Dice| ops::powf(10.0, dice.range(-1.0, 1.5));
    for k in 0..2 + (dice.range(0.0, 7.0) as u16) {
        let half_size = Vec2::new(dice.range(0.1, 0.5), dice.range(0.1, 0.5));
        let at = Vec2::new(-2.6 + 1.3 * f32::from(k % 5), -1.9 + 1.2 * f32::from(k / 5));
        let block = block(&mut app, half_size, at, mass(dice));
        app.world_mut().entity_mut(block).insert((
            Rotation(dice.range(-1.0, 1.0).max(0.0)),
            Velocity(Vec2::new(dice.range(-4.0, 4.0), dice.range(-4.0, 4.0))),
            AngularVelocity(Vec3::Z * dice.range(-3.0, 3.0)),
        ));
    }
    for k in 0..3_u16 {
        let at = Vec2::new(dice.range(-2.5, 2.5), 1.2 + 0.5 * f32::from(k));
        let velocity = Vec2::new(dice.range(-6.0, 6.0), dice.range(-6.0, 6.0));
        let disc = support::disc(&mut app, at, velocity);
        app.world_mut().entity_mut(disc).insert((Radius(0.2), Mass(mass(dice))));
    }
    app
}

#[test]
fn a_crowd_of_blocks_and_discs_gains_no_energy() {
    let mut dice = Dice(241);
    for mode in MODES {
        for case in 0..12 {
            let e = [0, 1].map(|_| [0.0, 0.2, 0.5, 0.8][dice.range(0.0, 4.0) as usize]);
            let mut app = crowd(mode, e, &mut dice);
            // Of the initial kinetic energy. Push-apart in the stepped mode adds potential energy to discs, which they
            // lose again.
            let scale = 15.0
                * (measure::blocks(app.world_mut()).kinetic_energy
                    + measure::kinetic_energy(&Discs::of(app.world_mut())));
            let found = gains(&mut app, 90, scale);
            assert!(found.is_none(), "{mode:?}, case {case}, e {e:?}: {found:?} of {scale}");
        }
    }
}

/// Half size, position, rotation, mass, velocity and spin of a block.
type Block = ([f32; 2], [f32; 2], f32, f32, [f32; 2], f32);

/// Position, mass and velocity of a disc.
type Heavy = ([f32; 2], f32, [f32; 2]);

/// Scenes found by a search: in the stepped mode, blocks and discs of 0.2 m gain no energy in a second, to a hundredth
/// of `scale`, joules.
fn no_gain(e: [f32; 2], blocks: &[Block], discs: &[Heavy], scale: f64) {
    for substeps in [1, 2, 4] {
        let mut app = in_arena((SolverMode::Stepped, substeps), Vec2::new(3.4, 3.0), e);
        for &(half_size, at, rotation, mass, velocity, spin) in blocks {
            let block = block(&mut app, half_size.into(), at.into(), mass);
            let moves = (Rotation(rotation), Velocity(velocity.into()), AngularVelocity(Vec3::Z * spin));
            app.world_mut().entity_mut(block).insert(moves);
        }
        for &(at, mass, velocity) in discs {
            let disc = support::disc(&mut app, at.into(), velocity.into());
            app.world_mut().entity_mut(disc).insert((Radius(0.2), Mass(mass)));
        }
        let found = gains(&mut app, 120, scale);
        assert!(found.is_none(), "{substeps} substeps: {found:?}");
    }
}

#[test]
fn a_thin_block_that_two_faces_squeeze_gains_no_energy() {
    let blocks = [
        ([0.239, 0.402], [-2.6, -1.9], 0.668, 4.446, [-3.13, -2.81], -1.05),
        ([0.214, 0.325], [-1.3, -1.9], 0.0, 0.137, [1.10, -2.95], -0.85),
        ([0.476, 0.256], [0.0, -1.9], 0.0, 2.798, [2.34, -0.84], -0.15),
        ([0.191, 0.257], [1.3, -1.9], -0.514, 0.149, [-1.20, 2.94], 2.22),
        ([0.297, 0.411], [2.6, -1.9], 0.587, 2.549, [1.44, 0.15], 1.77),
        ([0.243, 0.175], [-2.6, -0.7], 0.0, 2.778, [3.10, -0.31], -2.37),
        ([0.170, 0.411], [-1.3, -0.7], 0.111, 2.226, [2.17, 2.59], -2.29),
        ([0.215, 0.449], [0.0, -0.7], 0.0, 8.868, [2.27, -1.66], 1.78),
    ];
    let discs = [
        ([-1.009, 1.2], 21.78, [-3.81, 4.81]),
        ([1.403, 1.7], 1.352, [-0.24, 3.35]),
        ([-0.340, 2.2], 6.715, [4.36, -0.85]),
    ];
    no_gain([0.2, 0.8], &blocks, &discs, 15.0 * 560.0);
}

#[test]
fn a_light_block_that_a_heavy_disc_turns_in_a_corner_gains_no_energy() {
    let blocks = [
        ([0.173, 0.276], [-2.6, -1.9], -0.773, 0.317, [0.75, -1.95], -0.27),
        ([0.418, 0.261], [-1.3, -1.9], 0.0, 1.662, [-1.26, -1.77], -0.25),
        ([0.192, 0.332], [0.0, -1.9], 0.0, 0.229, [-2.6, -0.23], 0.95),
        ([0.235, 0.453], [1.3, -1.9], 0.0, 0.145, [-2.21, -0.7], 1.25),
        ([0.338, 0.17], [2.6, -1.9], 0.879, 1.648, [3.01, -2.7], -1.69),
        ([0.277, 0.237], [-2.6, -0.7], 0.922, 0.267, [-0.88, 2.93], 2.86),
        ([0.201, 0.417], [-1.3, -0.7], 0.0, 0.498, [-3.46, 3.25], -2.69),
    ];
    let discs = [
        ([-2.403, 1.2], 0.281, [2.93, 1.28]),
        ([-1.802, 1.7], 27.111, [-4.39, -5.56]),
        ([2.242, 2.2], 0.411, [-2.57, -3.13]),
    ];
    no_gain([0.0, 0.5], &blocks, &discs, 1100.0);
}
