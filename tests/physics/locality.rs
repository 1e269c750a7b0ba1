//! Anything out of reach changes not one bit: neither the gravity of single discs nor the cost of a heap affects what
//! happens a kilometre away.

use bevy::prelude::*;
use carom::{
    collision::{DiscState, PhysicsSpace, run_tick, spin::Spin},
    prelude::*,
};

use crate::support::{self, Dice, MODES, app_in, continuous};

/// The position of the other scene, metres.
const FAR: f32 = 1000.0;

type Bits = [u32; 4];

/// Position and velocity of discs, as bits.
fn bits(app: &App, discs: &[Entity]) -> Vec<Bits> {
    let of = |&disc: &Entity| {
        let (at, velocity) = (support::position(app, disc), support::velocity(app, disc));
        [at.x, at.y, velocity.x, velocity.y].map(f32::to_bits)
    };
    discs.iter().map(of).collect()
}

/// A disc on a floor, and one that falls on it.
fn falling(mode: (SolverMode, u32), other: Option<f32>) -> (App, [Entity; 2]) {
    let mut app = app_in(mode);
    app.insert_resource(MotionSettings { gravity: vec2(0.0, -9.81), ..default() });
    support::settings(&mut app, |s| (s.restitution, s.terrain_restitution, s.resting_speed) = (0.8, 0.8, 0.0));
    app.world_mut().spawn(Terrain::Segment { a: vec2(-5.0, 0.0), b: vec2(5.0, 0.0) });
    let discs = [vec2(0.0, 0.5), vec2(0.0, 1.7)].map(|at| support::disc(&mut app, at, Vec2::ZERO));
    app.world_mut().get_mut::<Velocity>(discs[1]).unwrap().0.y = -2.0;
    if let Some(scale) = other {
        let disc = support::disc(&mut app, vec2(FAR, 0.0), Vec2::ZERO);
        app.world_mut().entity_mut(disc).insert(GravityScale(scale));
    }
    (app, discs)
}

#[test]
fn a_strong_gravity_of_one_disc_far_away_changes_no_bounce() {
    for mode in MODES {
        let (mut alone, discs) = falling(mode, None);
        let mut others = [20.0, -3.0, 0.0].map(|scale| falling(mode, Some(scale)));
        let mut upwards = f32::MIN;
        for tick in 0..240 {
            support::ticks(&mut alone, 1);
            upwards = upwards.max(support::velocity(&alone, discs[1]).y);
            for (app, discs_there) in &mut others {
                support::ticks(app, 1);
                assert_eq!(bits(&alone, &discs), bits(app, discs_there), "{mode:?}, tick {tick}");
            }
        }
        // Of 2.2 m/s: in the meantime the lower one bounces off the floor.
        assert!(upwards > 1.0, "{mode:?}: it bounces with {upwards} m/s");
    }
}

#[test]
fn discs_of_other_gravity_lie_on_each_other() {
    for scales in [[1.0, 20.0], [20.0, 1.0], [0.0, 20.0], [0.0, 1.0]] {
        let mut app = app_in(MODES[2]);
        app.insert_resource(MotionSettings { gravity: vec2(0.0, -9.81), ..default() });
        support::settings(&mut app, |s| (s.restitution, s.terrain_restitution) = (0.3, 0.3));
        app.world_mut().spawn(Terrain::Segment { a: vec2(-5.0, 0.0), b: vec2(5.0, 0.0) });
        let discs = [(0.5, scales[0]), (1.6, scales[1])].map(|(y, scale)| {
            let disc = support::disc(&mut app, vec2(0.0, y), Vec2::ZERO);
            app.world_mut().entity_mut(disc).insert(GravityScale(scale));
            disc
        });
        support::ticks(&mut app, 600);
        let rested = bits(&app, &discs);
        support::ticks(&mut app, 60);
        assert_eq!(rested, bits(&app, &discs), "{scales:?}: they lie still");
        let height = support::position(&app, discs[1]).y;
        assert!((height - 1.5).abs() < 1e-3, "{scales:?}: {height} m high");
        assert!(discs.iter().all(|&disc| support::velocity(&app, disc) == Vec2::ZERO), "{scales:?}");
    }
}

/// The content of the other scene.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Far {
    Nothing,
    /// Discs that do not spin.
    Smooth,
    /// Discs that spin.
    Spinning,
    /// A disc with ten thousand times the gravity of others.
    StrongGravity,
}

/// The rules of a crowd.
#[derive(Clone, Copy, Debug)]
struct Rules {
    mode: (SolverMode, u32),
    table: bool,
    gravity: f32,
    resting_speed: f32,
    /// Whether every third disc of the crowd spins.
    some_spin: bool,
}

/// Slow and fast discs in an arena with corners, a bumper, a conveyor, a kinematic disc, a turning beam and two blocks.
/// Returns the discs and the blocks.
fn crowd(rules: Rules, far: Far) -> (App, Vec<Entity>) {
    let mut app = app_in(rules.mode);
    let mut dice = Dice(11);
    if rules.table {
        app.insert_resource(TablePhysics::default());
    }
    app.insert_resource(MotionSettings { gravity: vec2(0.0, rules.gravity), ..default() });
    support::settings(&mut app, |s| {
        (s.restitution, s.terrain_restitution) = (0.9, 0.55);
        (s.resting_speed, s.sleep_speed) = (rules.resting_speed, rules.resting_speed * 0.001);
    });
    let world = app.world_mut();
    world.spawn(Terrain::Arena { half_size: vec2(6.0, 5.0) });
    world.spawn((Terrain::Block { half_size: vec2(0.8, 0.3) }, Position(vec2(2.0, 1.0)), Rotation(0.4)));
    world.spawn((Terrain::Circle { radius: 0.4 }, Position(vec2(-3.0, 2.0))));
    world.spawn((
        Terrain::Segment { a: vec2(-5.0, -3.5), b: vec2(-1.0, -3.9) },
        SurfaceVelocity(vec2(1.0, 0.0)),
        Friction(0.4),
    ));
    let beam = Terrain::Segment { a: vec2(-1.5, 0.0), b: vec2(1.5, 0.0) };
    let turns = AngularVelocity(Vec3::Z * 1.5);
    world.spawn((beam, Position(vec2(-2.0, -0.5)), Rotation(0.0), turns));
    let block = (Terrain::Block { half_size: vec2(0.5, 0.2) }, Mass(2.0));
    let blocks = [vec2(3.5, -4.2), vec2(3.6, -3.0)].map(|at| world.spawn((block.clone(), Position(at))).id());
    let discs: Vec<Entity> = (0..30)
        .map(|i: u16| {
            let cell = vec2(f32::from(i % 6) * 1.8 - 4.7, f32::from(i / 6) * 1.6 - 3.2) + dice.vec(0.2);
            // One in five crosses the arena within a tick or two.
            let velocity = dice.vec(if i.is_multiple_of(5) { 300.0 } else { 4.0 });
            let disc = (Disc, StableId(u64::from(i) * 10 + 5), Position(cell), Velocity(velocity), Radius(0.25));
            let mut disc = world.spawn((disc, Mass(dice.range(0.5, 2.0))));
            if i % 4 == 1 {
                disc.insert(Friction(0.3));
            }
            if i == 7 {
                disc.insert((Kinematic, Velocity(vec2(0.7, 0.2))));
            } else if rules.some_spin && i.is_multiple_of(3) {
                disc.insert((Ball, AngularVelocity(dice.vec(20.0).extend(dice.range(-20.0, 20.0)))));
            }
            disc.id()
        })
        .collect();
    for i in 0..if far == Far::Nothing { 0 } else { 5_u16 } {
        let at = vec2(FAR, 3.0 * f32::from(i));
        // Their ids are before, between and after the others.
        let disc = (Disc, StableId(u64::from(i) * 70), Position(at), Velocity(dice.vec(5.0)), Radius(0.4), Mass(1.0));
        let mut disc = world.spawn(disc);
        match far {
            Far::Spinning => drop(disc.insert((Ball, AngularVelocity(vec3(3.0, -2.0, 9.0))))),
            Far::StrongGravity => drop(disc.insert(GravityScale(1e4))),
            Far::Nothing | Far::Smooth => {}
        }
    }
    (app, discs.into_iter().chain(blocks).collect())
}

/// Runs a crowd under all rules, alone and with something far away, and compares the bits.
fn assert_no_part_in_a_crowd(far: &[Far]) {
    let both = [false, true];
    for mode in [MODES[0], MODES[1], (SolverMode::Stepped, 12), MODES[2]] {
        for (table, some_spin) in both.into_iter().flat_map(|table| both.map(|some_spin| (table, some_spin))) {
            for [gravity, resting_speed] in [[0.0, 0.0], [-9.81, 0.0], [-9.81, 0.5]] {
                let rules = Rules { mode, table, gravity, resting_speed, some_spin };
                let (mut alone, crowd_alone) = crowd(rules, Far::Nothing);
                let mut others: Vec<_> = far.iter().map(|&far| (far, crowd(rules, far))).collect();
                for tick in 0..90 {
                    support::ticks(&mut alone, 1);
                    let expected = bits(&alone, &crowd_alone);
                    for (far, (app, crowd)) in &mut others {
                        support::ticks(app, 1);
                        let here = bits(app, crowd);
                        let differ = expected.iter().zip(&here).position(|(a, b)| a != b);
                        assert_eq!(differ, None, "{rules:?}, {far:?}: which differs in tick {tick}");
                    }
                }
            }
        }
    }
}

#[test]
fn discs_far_away_that_spin_have_no_part_in_a_crowd() {
    assert_no_part_in_a_crowd(&[Far::Smooth, Far::Spinning]);
}

#[test]
fn a_strong_gravity_far_away_has_no_part_in_a_crowd() {
    assert_no_part_in_a_crowd(&[Far::StrongGravity]);
}

/// The content of two heaps.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// Discs in a box that fall on each other.
    Falling,
    /// The same, every second one tied to the next.
    Tied,
    /// Balls on a table that run into one another.
    Spinning,
}

/// Adds a heap of discs around a position, and returns them.
fn add_heap(app: &mut App, kind: Kind, at: Vec2, first_id: u64) -> Vec<Entity> {
    let mut dice = Dice(first_id + 5);
    let half_size = if kind == Kind::Spinning { Vec2::splat(6.0) } else { vec2(1.7, 9.0) };
    app.world_mut().spawn((Terrain::Arena { half_size }, Position(at)));
    let columns = if kind == Kind::Spinning { 12 } else { 5 };
    let discs: Vec<Entity> = (0..110)
        .map(|i| {
            let cell = vec2((i % columns) as f32 * 0.65, (i / columns) as f32 * 0.65) + dice.vec(0.02);
            let corner = if kind == Kind::Spinning { vec2(-3.6, -3.2) } else { vec2(-1.3, -8.7) };
            let radius = Radius(dice.range(0.2, 0.3));
            let velocity = if kind == Kind::Spinning { -(cell + corner) * 2.0 + dice.vec(1.0) } else { Vec2::ZERO };
            // The ids of one heap are between those of the other.
            let id = StableId(2 * i as u64 + first_id);
            let disc = (Disc, id, Position(at + corner + cell), Velocity(velocity), radius, Mass(dice.range(0.5, 2.0)));
            let disc = app.world_mut().spawn(disc).id();
            if kind == Kind::Spinning {
                let spin = dice.vec(20.0).extend(dice.range(-20.0, 20.0));
                app.world_mut().entity_mut(disc).insert((Ball, AngularVelocity(spin)));
            }
            disc
        })
        .collect();
    if kind == Kind::Tied {
        for pair in discs.as_chunks::<2>().0 {
            app.world_mut().spawn(Joint::rope(pair[0], pair[1], 0.9));
        }
    }
    discs
}

/// Runs one heap alone, the other alone and both, and checks that each behaves the same.
fn assert_each_is_as_it_is_alone(kind: Kind, mode: (SolverMode, u32), resting_speed: f32, ticks: usize) {
    let places = [(Vec2::ZERO, 0), (vec2(FAR, 0.0), 1)];
    let begin = |heaps: &[(Vec2, u64)]| {
        let mut app = app_in(mode);
        if kind == Kind::Spinning {
            app.insert_resource(TablePhysics::default());
        } else {
            app.insert_resource(MotionSettings { gravity: vec2(0.0, -9.81), ..default() });
        }
        support::settings(&mut app, |s| {
            (s.restitution, s.terrain_restitution) = (0.3, 0.3);
            (s.resting_speed, s.sleep_speed) = (resting_speed, resting_speed * 0.001);
        });
        let discs: Vec<_> = heaps.iter().map(|&(at, first_id)| add_heap(&mut app, kind, at, first_id)).collect();
        (app, discs)
    };
    let (mut both, heaps) = begin(&places);
    let mut alone = places.map(|place| begin(&[place]));
    for tick in 0..ticks {
        support::ticks(&mut both, 1);
        for (which, (app, discs)) in alone.iter_mut().enumerate() {
            support::ticks(app, 1);
            let what = format!("{kind:?}, {mode:?}, resting speed {resting_speed}: heap {which}, tick {tick}");
            assert!(bits(app, &discs[0]) == bits(&both, &heaps[which]), "{what}");
        }
    }
}

#[test]
fn two_heaps_that_collapse_far_from_each_other_have_no_part_in_each_other() {
    for resting_speed in [0.0, 1.0] {
        assert_each_is_as_it_is_alone(Kind::Falling, MODES[2], resting_speed, 45);
        for mode in [MODES[0], MODES[1]] {
            assert_each_is_as_it_is_alone(Kind::Falling, mode, resting_speed, 90);
        }
    }
}

#[test]
fn nor_have_heaps_with_joints_or_crowds_of_balls() {
    for mode in MODES {
        assert_each_is_as_it_is_alone(Kind::Tied, mode, 0.0, 40);
        assert_each_is_as_it_is_alone(Kind::Spinning, mode, 0.0, 60);
    }
}

/// Elastic discs between walls so close together that they have more impacts in a tick than their own budgets allow.
#[test]
fn discs_that_hit_too_often_for_a_tick_do_not_use_up_what_others_may() {
    let channel = |at: Vec2| {
        let wall = |y: f32| (Terrain::Segment { a: vec2(-2.0, y), b: vec2(2.0, y) }, at, 0.0);
        let disc = DiscState { position: at, velocity: vec2(0.1, 12.0), ..DiscState::default() };
        (disc, [wall(-0.501), wall(0.501)])
    };
    let run = |count: usize| {
        let channels = (0..count).map(|k| channel(if k == 0 { Vec2::ZERO } else { vec2(FAR, 3.0 * k as f32) }));
        let (discs, walls): (Vec<DiscState>, Vec<_>) = channels.unzip();
        let mut space = support::space(discs, walls.as_flattened());
        let settings = CollisionSettings { impact_budget: 10, ..continuous() };
        let way: Vec<[Vec2; 2]> = (0..30)
            .map(|_| {
                run_tick(&mut space, &settings, 1.0 / 60.0, |_| {});
                [space.discs.position[0], space.discs.velocity[0]]
            })
            .collect();
        (way, space.report.collisions / count as u64)
    };
    let (alone, hits) = run(1);
    assert!(hits > 30 * 40, "{hits} hits in 30 ticks are more than four times the budget in each");
    assert_eq!(alone, run(40).0);
}

/// A spinning disc far away on a table makes no difference to the spinning discs here.
#[test]
fn a_ball_more_is_no_matter_to_others() {
    let run = |others: usize| {
        let mut dice = Dice(3);
        let mut discs: Vec<DiscState> = (0..20)
            .map(|i| DiscState {
                position: vec2((i % 5) as f32, (i / 5) as f32) * 1.2,
                velocity: dice.vec(3.0),
                spin: Some(Spin { angular_velocity: dice.vec(9.0).extend(1.0), ..default() }),
                ..DiscState::default()
            })
            .collect();
        discs.extend((0..others).map(|i| DiscState {
            position: vec2(FAR, 1.01 * i as f32),
            velocity: vec2(0.0, 5.0 - i as f32),
            spin: Some(Spin::default()),
            ..DiscState::default()
        }));
        let mut space: PhysicsSpace = support::space(discs, &[]);
        let (settings, table) = (continuous(), TablePhysics::default());
        for _ in 0..120 {
            run_tick(&mut space, &settings, 1.0 / 60.0, |space| table.act(space));
        }
        (space.discs.position[..20].to_vec(), space.discs.velocity[..20].to_vec())
    };
    assert_eq!(run(0), run(30));
}

/// A tick that finds an overlap anywhere pushes discs apart. Discs that overlap only by rounding stay in place.
#[test]
fn an_overlap_far_away_moves_nobody() {
    for mode in MODES {
        for seed in 0..20 {
            let mut apps = [0.0, 0.7].map(|apart| {
                let mut dice = Dice(seed);
                let mut app = app_in(mode);
                app.insert_resource(MotionSettings { gravity: vec2(0.0, -9.81), ..default() });
                let e = dice.range(0.0, 1.0).round();
                support::settings(&mut app, |s| {
                    (s.restitution, s.terrain_restitution, s.resting_speed) = (e, 0.0, 0.0);
                });
                app.world_mut().spawn((StableId(1), Terrain::Arena { half_size: vec2(1.0, 1.0) }));
                let mut near = Vec::new();
                for k in 0..6 {
                    let at = vec2(-0.6 + 0.6 * (k % 3) as f32, -0.3 + 0.6 * (k / 3) as f32);
                    let disc = support::disc(&mut app, at, dice.vec(1.0));
                    let radius = if k == 0 { 0.2 } else { dice.range(0.01, 0.15) };
                    app.world_mut().entity_mut(disc).insert((Radius(radius), StableId(10 + k)));
                    near.push(disc);
                }
                app.world_mut().entity_mut(near[0]).insert((Kinematic, Velocity(dice.vec(0.7))));
                let far = [0.0, apart].map(|x| vec2(FAR + x, 0.0));
                let far = far.map(|at| (support::disc(&mut app, at, Vec2::ZERO), at));
                for (k, (disc, _)) in far.iter().enumerate() {
                    app.world_mut().entity_mut(*disc).insert((Radius(0.3), StableId(90 + k as u64), GravityScale(0.0)));
                }
                (app, near, far)
            });
            for tick in 0..90 {
                let found = apps.each_mut().map(|(app, near, far)| {
                    for (disc, at) in far {
                        app.world_mut().get_mut::<Position>(*disc).unwrap().0 = *at;
                    }
                    support::ticks(app, 1);
                    bits(app, near)
                });
                assert_eq!(found[0], found[1], "{mode:?}, {seed}, tick {tick}");
            }
        }
    }
}
