//! Blocks without room: kinematic terrain and discs push them against walls and each other. The work is bounded, static
//! terrain wins, and the kinematic object passes over the block, which comes out no faster than before.

use bevy::{
    math::{DVec2, ops},
    prelude::*,
};
use carom::{
    collision::{measure, spin::Cloth},
    prelude::*,
};

use crate::support::{self, Dice};

const HALF: Vec2 = Vec2::new(4.0, 3.0);

/// The stepped mode with few and many substeps, and the continuous one.
const MODES: [(SolverMode, u32); 3] = [(SolverMode::Stepped, 1), (SolverMode::Stepped, 8), (SolverMode::Continuous, 1)];

fn arena(mode: (SolverMode, u32), tick_rate: f64, e: f32) -> App {
    let mut app = support::app_in(mode);
    support::settings(&mut app, |s| (s.restitution, s.terrain_restitution) = (e, e));
    app.world_mut().resource_mut::<Time<Fixed>>().set_timestep_hz(tick_rate);
    app.world_mut().spawn((StableId(1), Terrain::Arena { half_size: HALF }));
    app
}

fn hand(app: &mut App, at: Vec2, velocity: Vec2) -> Entity {
    app.world_mut().spawn((Disc, Kinematic, Position(at), Velocity(velocity), Radius(0.1))).id()
}

fn polygon() -> Terrain {
    Terrain::Block { half_size: Vec2::new(0.5, 0.4) }
}

fn round() -> Terrain {
    Terrain::Circle { radius: 0.5 }
}

fn block(app: &mut App, shape: Terrain, at: Vec2) -> Entity {
    app.world_mut().spawn((shape, Position(at), Mass(10.0))).id()
}

/// The work of a tick has this bound for each block: see `docs/src/bodies.md`.
const MOST_IMPACTS: u64 = 4100;

/// Runs this many ticks. No block leaves the arena, exceeds its budget of impacts, or gets faster than `fastest`, m/s.
fn check(app: &mut App, blocks: &[Entity], ticks: usize, fastest: f32, what: &str) {
    for tick in 0..ticks {
        let before = app.world().resource::<PhysicsSpace>().block_impacts();
        support::ticks(app, 1);
        let impacts = app.world().resource::<PhysicsSpace>().block_impacts() - before;
        assert!(impacts <= MOST_IMPACTS * blocks.len() as u64, "{what}, tick {tick}: {impacts} impacts");
        for &block in blocks {
            let (at, speed) = (support::position(app, block), support::velocity(app, block).length());
            assert!(at.abs().cmple(HALF).all(), "{what}, tick {tick}: it is at {at}");
            assert!(speed <= fastest, "{what}, tick {tick}: {speed} m/s");
        }
    }
}

/// A kinematic disc at this speed pushes a row of this many blocks against a wall, and continues through it.
fn push_row(mode: (SolverMode, u32), [e, speed]: [f32; 2], shape: fn() -> Terrain, count: u16, tick_rate: f64) {
    let what = format!("{mode:?}, e {e}, {speed} m/s, {count} of {:?}, {tick_rate} Hz", shape());
    let mut app = arena(mode, tick_rate, e);
    hand(&mut app, Vec2::new(2.4 - 1.1 * f32::from(count), 0.0), Vec2::new(speed, 0.0));
    let places = (0..count).map(|k| Vec2::new(3.2 - 1.05 * f32::from(k), 0.0));
    let blocks: Vec<Entity> = places.map(|at| block(&mut app, shape(), at)).collect();
    let seconds = (4.0 + 1.1 * f32::from(count)) / speed;
    let ticks = (f64::from(seconds) * tick_rate) as usize;
    check(&mut app, &blocks, ticks.clamp(3, 60), 100.0 * speed, &what);
}

#[test]
fn a_kinematic_disc_that_pushes_blocks_against_a_wall_passes_over_them() {
    for mode in MODES {
        for e in [0.0, 1.0] {
            for shape in [polygon, round] {
                push_row(mode, [e, 10.0], shape, 1, 60.0);
            }
        }
        push_row(mode, [1.0, 0.5], polygon, 1, 60.0);
        push_row(mode, [0.5, 0.5], round, 1, 60.0);
        push_row(mode, [0.5, 10.0], polygon, 3, 60.0);
        push_row(mode, [1.0, 10.0], round, 3, 60.0);
        push_row(mode, [1.0, 10.0], polygon, 1, 10.0);
        push_row(mode, [0.0, 10.0], polygon, 2, 10.0);
        push_row(mode, [0.5, 10.0], polygon, 1, 1000.0);
    }
}

/// Rounding errors decide how hard a block is pushed between a floor, a wall and its neighbours; they must not throw
/// it.
#[test]
fn a_kinematic_disc_that_ploughs_through_a_heap_of_blocks_throws_none() {
    for mode in [(SolverMode::Stepped, 1), (SolverMode::Stepped, 4), (SolverMode::Continuous, 1)] {
        for seed in 0..3 {
            let mut dice = Dice(seed);
            let mut app = arena(mode, 60.0, 0.2);
            app.insert_resource(MotionSettings { gravity: Vec2::new(0.0, -9.81), ..MotionSettings::default() });
            let mut blocks = Vec::new();
            for k in 0..24_u16 {
                let at =
                    Vec2::new(-2.5 + 0.9 * f32::from(k % 6) + dice.range(-0.05, 0.05), -2.0 + 0.8 * f32::from(k / 6));
                let block = block(&mut app, Terrain::Block { half_size: Vec2::new(0.3, 0.25) }, at);
                app.world_mut().entity_mut(block).insert(Mass(dice.range(1.0, 5.0)));
                blocks.push(block);
            }
            let hand = hand(&mut app, Vec2::new(-3.6, -2.5), Vec2::X);
            app.world_mut().entity_mut(hand).insert(Radius(0.3));
            // A disc that falls the whole way reaches 10 m/s, and a wedge may make others ten times as fast as the
            // kinematic disc.
            check(&mut app, &blocks, 200, 20.0, &format!("{mode:?}, {seed}"));
        }
    }
}

#[test]
fn two_kinematic_discs_that_squeeze_a_block_pass_over_it() {
    for mode in MODES {
        for e in [0.0, 1.0] {
            for shape in [polygon, round] {
                let mut app = arena(mode, 60.0, e);
                let block = block(&mut app, shape(), Vec2::ZERO);
                for side in [-1.0, 1.0] {
                    hand(&mut app, Vec2::new(1.2 * side, 0.05), Vec2::new(-10.0 * side, 0.0));
                }
                check(&mut app, &[block], 30, 1000.0, &format!("{mode:?}, e {e}, {:?}", shape()));
            }
        }
    }
}

#[test]
fn terrain_that_the_game_moves_passes_over_a_block_at_a_wall() {
    for mode in MODES {
        for e in [0.0, 1.0] {
            for shape in [polygon, round] {
                let mut app = arena(mode, 60.0, e);
                let block = block(&mut app, shape(), Vec2::new(3.2, 0.0));
                let press = Terrain::Block { half_size: Vec2::new(0.2, 1.0) };
                app.world_mut().spawn((press, Position(Vec2::new(2.0, 0.0)), Velocity(Vec2::new(6.0, 0.0))));
                check(&mut app, &[block], 40, 600.0, &format!("{mode:?}, e {e}, {:?}", shape()));
            }
        }
    }
}

#[test]
fn a_block_that_was_jammed_is_free_when_the_pusher_has_passed() {
    for mode in MODES {
        let mut app = arena(mode, 60.0, 0.5);
        hand(&mut app, Vec2::new(2.0, 0.0), Vec2::new(10.0, 0.0));
        let block = block(&mut app, polygon(), Vec2::new(3.4, 0.0));
        support::ticks(&mut app, 40);
        app.world_mut().entity_mut(block).insert(Velocity(Vec2::new(-2.0, 0.0)));
        let from = support::position(&app, block);
        support::ticks(&mut app, 30);
        let way = from.x - support::position(&app, block).x;
        assert!((way - 1.0).abs() < 1e-3, "{mode:?}: it went {way} m in half a second");
    }
}

#[test]
fn a_jam_changes_not_one_bit_of_blocks_out_of_reach() {
    let play = |mode: (SolverMode, u32), jam: bool| {
        let mut app = arena(mode, 60.0, 0.9);
        let mut dice = Dice(5);
        let blocks: Vec<Entity> = (0..4_u16)
            .map(|k| {
                let at = Vec2::new(-3.0 + 1.6 * f32::from(k), 0.0);
                let block = block(&mut app, Terrain::Block { half_size: Vec2::new(0.4, 0.2) }, at);
                app.world_mut().entity_mut(block).insert((StableId(10 + u64::from(k)), Velocity(dice.vec(5.0))));
                block
            })
            .collect();
        for k in 0..6_u16 {
            let at = Vec2::new(-3.0 + f32::from(k), 1.5);
            let disc = support::disc(&mut app, at, dice.vec(8.0));
            app.world_mut().entity_mut(disc).insert((Radius(0.2), StableId(20 + u64::from(k))));
        }
        if jam {
            let wall = Terrain::Segment { a: Vec2::new(1004.0, -9.0), b: Vec2::new(1004.0, 9.0) };
            app.world_mut().spawn((StableId(100), wall));
            let block = block(&mut app, polygon(), Vec2::new(1003.2, 0.0));
            app.world_mut().entity_mut(block).insert(StableId(101));
            let hand = hand(&mut app, Vec2::new(1002.0, 0.0), Vec2::new(10.0, 0.0));
            app.world_mut().entity_mut(hand).insert(StableId(102));
        }
        support::ticks(&mut app, 30);
        blocks.iter().map(|&block| (support::position(&app, block), support::velocity(&app, block))).collect::<Vec<_>>()
    };
    for mode in MODES {
        assert_eq!(play(mode, false), play(mode, true), "{mode:?}");
    }
}

/// Discs, blocks and kinematic objects at random positions with room around each.
fn crowd(mode: (SolverMode, u32), dice: &mut Dice) -> (App, Vec<Entity>) {
    let e = [1.0, 0.9, 0.0][dice.range(0.0, 3.0) as usize];
    let mut app = arena(mode, 60.0, e);
    let mut blocks = Vec::new();
    for k in 0..6_u16 {
        let at = Vec2::new(-2.6 + 2.6 * f32::from(k % 3), -1.5 + 3.0 * f32::from(k / 3));
        let half_size = Vec2::new(dice.range(0.2, 0.7), dice.range(0.1, 0.7));
        let shape = if k % 2 == 0 { Terrain::Block { half_size } } else { Terrain::Circle { radius: half_size.x } };
        let block = block(&mut app, shape, at);
        let mass = ops::powf(10.0, dice.range(-1.0, 2.0));
        app.world_mut().entity_mut(block).insert((
            Mass(mass),
            Rotation(dice.range(-3.0, 3.0)),
            Velocity(dice.vec(5.0)),
        ));
        blocks.push(block);
    }
    for k in 0..30_u16 {
        let at = Vec2::new(-3.6 + 0.8 * f32::from(k % 10), -0.2 + 0.2 * f32::from(k / 10));
        let disc = support::disc(&mut app, at, dice.vec(10.0));
        app.world_mut().entity_mut(disc).insert(Radius(0.08));
    }
    hand(&mut app, Vec2::new(-3.8, 2.5), dice.vec(10.0));
    let beam = Terrain::Block { half_size: Vec2::new(0.8, 0.1) };
    app.world_mut().spawn((beam, Position(Vec2::new(0.0, 2.8)), AngularVelocity(Vec3::Z * dice.range(-9.0, 9.0))));
    (app, blocks)
}

#[test]
fn a_crowd_with_blocks_takes_bounded_work() {
    let mut dice = Dice(77);
    for mode in MODES {
        for case in 0..3 {
            let (mut app, blocks) = crowd(mode, &mut dice);
            check(&mut app, &blocks, 30, f32::INFINITY, &format!("{mode:?}, case {case}"));
        }
    }
}

#[test]
fn a_ball_that_lies_on_a_block_on_a_tilted_table_and_the_block_keep_their_momentum() {
    for mode in MODES {
        let mut app = support::app_in(mode);
        support::settings(&mut app, |s| (s.restitution, s.terrain_restitution) = (0.0, 0.0));
        let cloth = Cloth { sliding: 0.0, rolling: 0.0, spinning: 0.0, ..Cloth::default() };
        app.insert_resource(TablePhysics { cloth, ..TablePhysics::default() });
        let gravity = Vec2::new(0.0, -1.0);
        app.world_mut().resource_mut::<MotionSettings>().gravity = gravity;
        let shape = Terrain::Block { half_size: Vec2::new(0.5, 0.1) };
        let floats = app.world_mut().spawn((shape, Position(Vec2::new(0.0, -0.1)), Mass(2.0), GravityScale(0.0))).id();
        let ball = app.world_mut().spawn((Disc, Ball, Position(Vec2::new(0.0, 0.05)), Radius(0.05), Mass(1.0))).id();
        let ticks = 30;
        support::ticks(&mut app, ticks);
        let velocity = |entity| support::velocity(&app, entity).as_dvec2();
        let momentum: DVec2 = velocity(ball) + velocity(floats) * 2.0;
        let expected = gravity.as_dvec2() * (f64::from(ticks as u32) / 60.0);
        assert!(momentum.distance(expected) < 1e-3, "{mode:?}: {momentum} for {expected} kg m/s");
        let faster = velocity(ball).y - velocity(floats).y;
        assert!(faster.abs() < 1e-2, "{mode:?}: they part at {faster} m/s");
        let energy = measure::blocks(app.world_mut()).kinetic_energy;
        assert!(energy > 0.0, "{mode:?}: it pushes the block");
    }
}
