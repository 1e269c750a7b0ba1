//! Terrain with a mass: closed forms of single hits, and invariants: momentum, angular momentum, energy, and walls.

use bevy::{
    math::{DVec2, ops},
    prelude::*,
};
use carom::{collision::spin::Cloth, components::MassProperties, prelude::*};

use crate::support::{self, Dice, MODES};

/// Elastic in all hits.
fn elastic(mode: (SolverMode, u32)) -> App {
    with_restitution(mode, 1.0)
}

fn with_restitution(mode: (SolverMode, u32), e: f32) -> App {
    let mut app = support::app_in(mode);
    support::settings(&mut app, |s| {
        (s.restitution, s.terrain_restitution, s.resting_speed) = (e, e, 0.0);
    });
    app
}

fn block(app: &mut App, shape: Terrain, mass: f32, position: Vec2, velocity: Vec2) -> Entity {
    app.world_mut().spawn((shape, Mass(mass), Position(position), Velocity(velocity))).id()
}

fn spin(app: &App, block: Entity) -> f32 {
    app.world().get::<AngularVelocity>(block).expect("it is given one").z
}

fn angle(app: &App, block: Entity) -> f32 {
    app.world().get::<Rotation>(block).unwrap().0
}

fn bar(half_width: f32, half_height: f32) -> Terrain {
    Terrain::Block { half_size: Vec2::new(half_width, half_height) }
}

fn rod(half: f32) -> Terrain {
    Terrain::Segment { a: Vec2::new(0.0, -half), b: Vec2::new(0.0, half) }
}

#[test]
fn a_rod_that_is_hit_off_centre_goes_off_and_turns_as_its_mass_and_inertia_say() {
    for mode in MODES {
        for e in [0.0, 0.5, 1.0] {
            for offset in [-0.9, -0.3, 0.0, 0.6_f32] {
                let mut app = with_restitution(mode, e);
                let (speed, mass) = (5.0, 3.0);
                let target = block(&mut app, rod(1.0), mass, Vec2::ZERO, Vec2::ZERO);
                let disc = support::disc(&mut app, Vec2::new(-0.55, offset), Vec2::new(speed, 0.0));
                support::ticks(&mut app, 1);
                let inertia = mass * 4.0 / 12.0;
                let effective = 1.0 / (1.0 + 1.0 / mass + offset * offset / inertia);
                let impulse = (1.0 + e) * speed * effective;
                let what = format!("{mode:?}, e = {e}, at {offset} m");
                let off = |value: f32, expected: f32| (value - expected).abs() > 2e-3 * speed;
                let (v, w) = (support::velocity(&app, target), spin(&app, target));
                // Without restitution it continues to push while the rod turns away under it.
                let own = support::velocity(&app, disc);
                assert!(!off(own.x, speed - impulse) && !off(v.x, impulse / mass), "{what}: {own}, {v}");
                assert!(!off(w, -offset * impulse / inertia), "{what}: {w} rad/s");
                assert!(own.y.abs() < 0.05 && v.y.abs() < 0.05, "{what}: without friction, {own}, {v}");
                let hits = support::collisions(&mut app);
                assert!(!hits.is_empty() && (hits[0].impulse - impulse).abs() < 1e-3 * impulse, "{what}: {hits:?}");
                assert!((hits[0].approach_speed - speed).abs() < 1e-4, "{what}");
            }
        }
    }
}

#[test]
fn a_cradle_of_bars_passes_a_blow_on_one_in_one_out() {
    for mode in MODES {
        let mut app = elastic(mode);
        let bars: Vec<Entity> = (0..5)
            .map(|k| {
                let velocity = if k == 0 { Vec2::new(3.0, 0.0) } else { Vec2::ZERO };
                let gap = if k == 0 { -0.5 } else { 0.0 };
                block(&mut app, bar(0.25, 1.0), 2.0, Vec2::new(0.5 * k as f32 + gap, 0.0), velocity)
            })
            .collect();
        support::ticks(&mut app, 30);
        for (k, &bar) in bars.iter().enumerate() {
            let (v, w) = (support::velocity(&app, bar), spin(&app, bar));
            let expected = if k == 4 { 3.0 } else { 0.0 };
            assert!((v.x - expected).abs() < 1e-5 && v.y.abs() < 1e-5 && w.abs() < 1e-5, "{mode:?}, bar {k}: {v}, {w}");
        }
    }
}

#[test]
fn a_spinner_takes_angular_momentum_about_its_pin_and_stays_there() {
    for mode in MODES {
        let mut app = elastic(mode);
        let spinner = app.world_mut().spawn((bar(1.0, 0.1), Mass(2.0), LockedAxes::TRANSLATION)).id();
        let disc = support::disc(&mut app, Vec2::new(0.8, 0.65), Vec2::new(0.0, -4.0));
        support::ticks(&mut app, 2);
        let inertia = 2.0 * (1.0 + 0.01) / 3.0;
        let impulse = 2.0 * 4.0 / (1.0 + 0.64 / inertia);
        assert!((spin(&app, spinner) + 0.8 * impulse / inertia).abs() < 1e-4, "{mode:?}: {}", spin(&app, spinner));
        assert!((support::velocity(&app, disc).y + 4.0 - impulse).abs() < 1e-4);
        assert_eq!(support::position(&app, spinner), Vec2::ZERO);
        assert_eq!(support::velocity(&app, spinner), Vec2::ZERO);
    }
}

/// Cushions have friction, blocks have none: the impulse that stops the rim of a heavy ball would make a light spinner
/// a thousand times as fast.
#[test]
fn a_spinning_ball_gives_a_block_no_energy_by_its_spin() {
    for mode in MODES {
        for mass in [0.01, 1.0, 1000.0] {
            let mut app = elastic(mode);
            let cloth = Cloth { sliding: 0.0, rolling: 0.0, spinning: 0.0, ..Cloth::default() };
            app.insert_resource(TablePhysics { cloth, ..TablePhysics::default() });
            let spins = Vec3::new(90.0, -60.0, 200.0);
            let spinner = app.world_mut().spawn((bar(1.0, 0.5), Mass(0.1), LockedAxes::TRANSLATION)).id();
            // The normal passes almost through the pin.
            let at = (Position(Vec2::new(0.05, 1.05)), Velocity(Vec2::new(0.0, -4.0)), Radius(0.5), Mass(mass));
            let ball = app.world_mut().spawn((Disc, Ball, at, AngularVelocity(spins), Restitution(1.0))).id();
            let energy = |app: &App| {
                let (v, w) = (support::velocity(app, ball), spin(app, spinner));
                0.5 * mass * v.length_squared() + 0.5 * (0.1 * (1.0 + 0.25) / 3.0) * w * w
            };
            let before = 0.5 * mass * 16.0;
            support::ticks(&mut app, 4);
            let what =
                format!("{mode:?}, {mass} kg: {} m/s, {} rad/s", support::velocity(&app, ball), spin(&app, spinner));
            assert!(spin(&app, spinner) != 0.0, "{what}");
            assert!((energy(&app) / before - 1.0).abs() < 1e-4, "{what}");
            assert_eq!(app.world().get::<AngularVelocity>(ball).unwrap().0, spins, "{what}");
        }
    }
}

/// The invariants: momentum, angular momentum about the origin, kinetic energy; and the scale of each.
#[derive(Clone, Copy, Debug)]
struct Kept {
    momentum: DVec2,
    angular: f64,
    energy: f64,
}

/// Blocks and discs of a case.
struct Case {
    blocks: Vec<(Entity, Terrain, f32)>,
    discs: Vec<(Entity, f32, f32)>,
}

impl Case {
    fn kept(&self, app: &App) -> Kept {
        let mut kept = Kept { momentum: DVec2::ZERO, angular: 0.0, energy: 0.0 };
        let mut add = |mass: f64, at: DVec2, v: DVec2, inertia: f64, w: f64| {
            kept.momentum += v * mass;
            kept.angular += mass * at.perp_dot(v) + inertia * w;
            kept.energy += 0.5 * mass * v.length_squared() + 0.5 * inertia * w * w;
        };
        for &(disc, _, mass) in &self.discs {
            let (at, v) = (support::position(app, disc).as_dvec2(), support::velocity(app, disc).as_dvec2());
            add(f64::from(mass), at, v, 0.0, 0.0);
        }
        for (entity, shape, mass) in &self.blocks {
            let MassProperties { centre, inertia_per_mass } = MassProperties::of(shape);
            let turn = DVec2::from_angle(f64::from(angle(app, *entity)));
            let at = support::position(app, *entity).as_dvec2() + turn.rotate(centre);
            let (v, w) = (support::velocity(app, *entity).as_dvec2(), f64::from(spin(app, *entity)));
            add(f64::from(*mass), at, v, f64::from(*mass) * inertia_per_mass, w);
        }
        kept
    }

    fn corners(&self, app: &App, at: usize) -> Vec<Vec2> {
        let (entity, shape, _) = &self.blocks[at];
        let turn = Vec2::from_angle(angle(app, *entity));
        let place = support::position(app, *entity);
        shape.outline().0.into_iter().map(|point| place + turn.rotate(point)).collect()
    }

    /// The distance of the centre of a disc from the outline of a block, and whether it is inside.
    fn place_in(&self, app: &App, at: usize, centre: Vec2) -> (f32, bool) {
        if let Terrain::Circle { radius } = self.blocks[at].1 {
            let distance = centre.distance(support::position(app, self.blocks[at].0)) - radius;
            return (distance, distance < 0.0);
        }
        let corners = self.corners(app, at);
        let (mut nearest, mut inside) = (f32::INFINITY, false);
        for k in 0..corners.len() {
            let (a, b) = (corners[k], corners[(k + 1) % corners.len()]);
            let along = b - a;
            let share = ((centre - a).dot(along) / along.length_squared()).clamp(0.0, 1.0);
            nearest = nearest.min(centre.distance(a + along * share));
            if (a.y > centre.y) != (b.y > centre.y) {
                inside ^= (along.perp_dot(centre - a) > 0.0) == (b.y > a.y);
            }
        }
        (nearest, inside)
    }

    fn despawn(self, app: &mut App) {
        let discs = self.discs.iter().map(|disc| disc.0);
        for entity in self.blocks.iter().map(|block| block.0).chain(discs) {
            app.world_mut().despawn(entity);
        }
    }
}

fn random_shape(dice: &mut Dice) -> Terrain {
    match dice.next() % 4 {
        0 => bar(dice.range(0.2, 1.0), dice.range(0.2, 1.0)),
        1 => {
            let count = 3 + dice.next() % 4;
            let angle = |k: u64| (k as f32 + 0.5) / count as f32 * std::f32::consts::TAU;
            let point = |k: u64| Vec2::from_angle(angle(k)) * dice.range(0.5, 1.0) + Vec2::new(0.3, 0.1);
            Terrain::Polygon { points: (0..count).map(point).collect() }
        }
        2 => Terrain::Circle { radius: dice.range(0.2, 1.0) },
        _ => rod(dice.range(0.3, 1.0)),
    }
}

/// Blocks and discs on a lattice of this many cells of 3 m, moving at up to `fastest` m/s.
fn random_case(app: &mut App, dice: &mut Dice, (cells, discs): (u64, u64), fastest: f32) -> Case {
    let mut case = Case { blocks: Vec::new(), discs: Vec::new() };
    for cell in 0..cells * cells {
        let at = Vec2::new((cell % cells) as f32, (cell / cells) as f32) * 3.0 - 1.5 * (cells as f32 - 1.0);
        let velocity = Vec2::from_angle(dice.range(0.0, 6.3)) * dice.range(0.0, fastest);
        let mass = ops::powf(10.0, dice.range(-1.0, 1.0));
        if cell % 2 == 0 || discs == 0 {
            let shape = random_shape(dice);
            let spin = dice.range(-fastest, fastest);
            let motion = (Velocity(velocity), AngularVelocity(Vec3::Z * spin), Rotation(dice.range(-3.0, 3.0)));
            let entity = app.world_mut().spawn((shape.clone(), Mass(mass), Position(at), motion)).id();
            case.blocks.push((entity, shape, mass));
        } else {
            for k in 0..discs {
                let radius = dice.range(0.1, 0.3);
                let at = at + Vec2::new(0.7 * k as f32 - 0.35 * (discs as f32 - 1.0), 0.0);
                let bundle = (Disc, Position(at), Velocity(velocity * (k as f32 + 1.0)), Radius(radius), Mass(mass));
                case.discs.push((app.world_mut().spawn(bundle).id(), radius, mass));
            }
        }
    }
    case
}

#[test]
fn momentum_angular_momentum_and_energy_are_kept_to_rounding_and_no_disc_ends_inside() {
    for mode in MODES {
        let mut app = elastic(mode);
        let mut hits = 0;
        for seed in 0..if cfg!(debug_assertions) { 25 } else { 300 } {
            let mut dice = Dice(seed);
            let fastest = [3.0, 30.0, 150.0][(seed % 3) as usize];
            let case = random_case(&mut app, &mut dice, (3, 1 + seed % 2), fastest);
            // So that all have the components that the tick adds.
            support::ticks(&mut app, 1);
            let before = case.kept(&app);
            for tick in 0..40 {
                support::ticks(&mut app, 1);
                for &(disc, radius, _) in &case.discs {
                    let at = support::position(&app, disc);
                    for block in 0..case.blocks.len() {
                        let (distance, inside) = case.place_in(&app, block, at);
                        let solid = !matches!(case.blocks[block].1, Terrain::Segment { .. });
                        let rounding = 2e-3 * radius + 4e-6 * (at.length() + 2.0);
                        assert!(
                            distance > radius - rounding && !(inside && solid),
                            "{mode:?}, seed {seed}, tick {tick}: {disc} at {at} is {distance} m from {:?}, inside: {inside}",
                            case.blocks[block]
                        );
                    }
                }
            }
            let after = case.kept(&app);
            let what = format!("{mode:?}, seed {seed}: {before:?} to {after:?}");
            let energy = (after.energy - before.energy).abs() / before.energy;
            assert!(energy < 2e-5, "{what}: energy by {energy}");
            let scale = (before.energy * 10.0).sqrt();
            let momentum = (after.momentum - before.momentum).length() / scale;
            assert!(momentum < 2e-5, "{what}: momentum by {momentum}");
            if mode.0 == SolverMode::Continuous {
                let far = f64::from(fastest) + 10.0;
                let angular = (after.angular - before.angular).abs() / (scale * far);
                assert!(angular < 2e-5, "{what}: angular momentum by {angular}");
            }
            hits += support::collisions(&mut app).len();
            case.despawn(&mut app);
        }
        assert!(hits > 20, "{mode:?}: they hit each other, {hits} times");
    }
}

#[test]
fn walls_contain_blocks_and_discs_at_any_speed() {
    for mode in MODES {
        let mut app = elastic(mode);
        let half = 5.5_f32;
        app.world_mut().spawn(Terrain::Arena { half_size: Vec2::splat(half) });
        for seed in 0..if cfg!(debug_assertions) { 8 } else { 100 } {
            let mut dice = Dice(1000 + seed);
            let fastest = [3.0, 30.0, 200.0][(seed % 3) as usize];
            let case = random_case(&mut app, &mut dice, (3, (seed % 2) * 2), fastest);
            support::ticks(&mut app, 1);
            let before = case.kept(&app);
            for tick in 0..40 {
                support::ticks(&mut app, 1);
                for at in 0..case.blocks.len() {
                    let mut corners = case.corners(&app, at);
                    corners.push(support::position(&app, case.blocks[at].0));
                    for corner in corners {
                        let out = corner.abs().max_element() - half;
                        let what = format!("{mode:?}, seed {seed}, tick {tick}: {:?} at {corner}", case.blocks[at]);
                        assert!(out < 2e-3, "{what}: is out by {out} m");
                    }
                }
                for &(disc, radius, _) in &case.discs {
                    let out = support::position(&app, disc).abs().max_element() + radius - half;
                    assert!(out < 2e-3, "{mode:?}, seed {seed}, tick {tick}: {disc} is out by {out}");
                }
            }
            let after = case.kept(&app);
            let energy = (after.energy - before.energy).abs() / before.energy;
            assert!(energy < 5e-5, "{mode:?}, seed {seed}: energy by {energy}, {before:?} to {after:?}");
            case.despawn(&mut app);
        }
    }
}

#[test]
fn friction_brings_a_block_to_rest_where_it_should_and_there_it_stays() {
    for mode in MODES {
        let mut app = elastic(mode);
        app.insert_resource(MotionSettings { friction: 2.0, ..default() });
        let slides = block(&mut app, bar(0.5, 0.2), 3.0, Vec2::ZERO, Vec2::new(4.0, 0.0));
        let turns = block(&mut app, bar(0.5, 0.2), 3.0, Vec2::new(0.0, 5.0), Vec2::new(1.0, 0.0));
        app.world_mut().entity_mut(turns).insert(AngularVelocity(Vec3::Z * 6.0));
        support::ticks(&mut app, 60);
        assert!((support::velocity(&app, slides).x - 2.0).abs() < 1e-3, "{mode:?}: 4 m/s less 1 s of 2 m/s²");
        support::ticks(&mut app, 65);
        let way = support::position(&app, slides).x;
        assert!((way - 4.0).abs() < 0.05, "{mode:?}: v² / 2a = 4 m, and it went {way}");
        let state = |app: &App| [slides, turns].map(|b| (support::position(app, b), angle(app, b), spin(app, b)));
        let rest = state(&app);
        assert!(rest.iter().all(|state| state.2 == 0.0), "{mode:?}: {rest:?}");
        support::ticks(&mut app, 20);
        assert_eq!(state(&app), rest, "{mode:?}");
    }
}

#[test]
fn a_block_on_a_floor_and_a_disc_on_the_block_come_to_rest() {
    for mode in MODES {
        for e in [0.0, 0.5] {
            let mut app = with_restitution(mode, e);
            app.insert_resource(MotionSettings { gravity: Vec2::new(0.0, -9.81), ..default() });
            app.world_mut().spawn(Terrain::Segment { a: Vec2::new(-10.0, 0.0), b: Vec2::new(10.0, 0.0) });
            let lies = block(&mut app, bar(1.0, 0.5), 2.0, Vec2::new(0.0, 0.7), Vec2::ZERO);
            let disc = support::disc(&mut app, Vec2::new(0.0, 2.0), Vec2::ZERO);
            support::ticks(&mut app, 180);
            let (at, top) = (support::position(&app, lies), support::position(&app, disc));
            let what = format!("{mode:?}, e = {e}: {at} turned by {}, the disc at {top}", angle(&app, lies));
            assert!((at.y - 0.5).abs() < 2e-3 && angle(&app, lies).abs() < 2e-3, "{what}");
            assert!((top.y - 1.5).abs() < 5e-3, "{what}");
            let speeds = (support::velocity(&app, lies), support::velocity(&app, disc));
            assert!(speeds.0.length() < 0.01 && speeds.1.length() < 0.01, "{what}: {speeds:?}");
        }
    }
}

#[test]
fn a_rod_that_lies_flat_on_a_floor_stays_on_its_side() {
    for mode in MODES {
        let mut app = with_restitution(mode, 0.3);
        app.insert_resource(MotionSettings { gravity: Vec2::new(0.0, -9.81), ..default() });
        let floor = Vec2::new(0.0, -3.3);
        app.world_mut()
            .spawn((Terrain::Segment { a: Vec2::new(-10.0, 0.0), b: Vec2::new(10.0, 0.0) }, Position(floor)));
        let flat = Terrain::Segment { a: Vec2::new(-1.0, 0.0), b: Vec2::new(1.0, 0.0) };
        let lies = block(&mut app, flat, 1.0, Vec2::new(0.1, -3.2), Vec2::new(0.7, 0.0));
        for tick in 0..200 {
            support::ticks(&mut app, 1);
            let above = support::position(&app, lies).y - floor.y;
            assert!(above > 0.0, "{mode:?}, tick {tick}: {above} m");
        }
        let above = support::position(&app, lies).y - floor.y;
        // Its thickness, and less than a hundredth of that.
        assert!(
            (above - 3e-4).abs() < 3e-6 && angle(&app, lies).abs() < 1e-4,
            "{mode:?}: {above} m, {} rad",
            angle(&app, lies)
        );
        assert!((support::velocity(&app, lies).x - 0.7).abs() < 1e-4, "{mode:?}: nothing rubs");
    }
}

#[test]
fn a_see_saw_goes_down_on_the_heavier_side_and_is_level_with_two_alike() {
    for mode in MODES {
        for heavier in [1.0, 3.0] {
            let mut app = with_restitution(mode, 0.0);
            app.insert_resource(MotionSettings { gravity: Vec2::new(0.0, -9.81), ..default() });
            let plank = app.world_mut().spawn((bar(3.0, 0.1), Mass(2.0), LockedAxes::TRANSLATION)).id();
            for (x, mass) in [(-2.0, 1.0), (2.0, heavier)] {
                let bundle = (Disc, Position(Vec2::new(x, 0.6)), Radius(0.5), Mass(mass));
                app.world_mut().spawn(bundle);
            }
            support::ticks(&mut app, 20);
            let angle = angle(&app, plank);
            if heavier == 1.0 {
                assert!(angle.abs() < 1e-3, "{mode:?}: {angle} rad");
                continue;
            }
            // (M - m) g d / (I + (M + m) d²) in a third of a second.
            let alpha = 2.0 * 9.81 * 2.0 / (2.0 * (9.0 + 0.01) / 3.0 + 4.0 * 4.0);
            let expected = -0.5 * alpha * (20.0 / 60.0) * (20.0 / 60.0);
            assert!((angle / expected - 1.0).abs() < 0.2, "{mode:?}: {angle} rad instead of {expected}");
        }
    }
}

#[test]
fn a_pendulum_swings_with_its_period() {
    for mode in MODES {
        let mut app = elastic(mode);
        app.insert_resource(MotionSettings { gravity: Vec2::new(0.0, -10.0), ..default() });
        let hangs = Terrain::Segment { a: Vec2::ZERO, b: Vec2::new(0.0, -1.5) };
        let entity = app.world_mut().spawn((hangs, Mass(1.0), LockedAxes::TRANSLATION, Rotation(0.05))).id();
        // 2π √(2 l / 3 g) for a rod that hangs by its end: 120 ticks are two seconds.
        let period = std::f32::consts::TAU * (2.0 * 1.5 / 30.0_f32).sqrt();
        let mut last = 0;
        let mut crossings = Vec::new();
        for tick in 1..600 {
            let before = angle(&app, entity);
            support::ticks(&mut app, 1);
            if before > 0.0 && angle(&app, entity) <= 0.0 {
                crossings.push(tick - last);
                last = tick;
            }
        }
        let mean = crossings[1..].iter().sum::<i32>() as f32 / (crossings.len() - 1) as f32 / 60.0;
        assert!((mean / period - 1.0).abs() < 0.01, "{mode:?}: {mean} s instead of {period}");
    }
}

/// A box with blocks, discs, a spinner and a mallet.
fn busy(app: &mut App, order: impl Fn(usize) -> usize) -> Vec<Entity> {
    app.world_mut().spawn((Terrain::Arena { half_size: Vec2::splat(6.0) }, StableId(1)));
    let mut spawned = vec![Entity::PLACEHOLDER; 12];
    for k in (0..12).map(order) {
        let mut dice = Dice(k as u64 + 5);
        let at = Vec2::new((k % 4) as f32, (k / 4) as f32) * 3.0 - Vec2::new(4.5, 3.0);
        let motion = (Position(at), Velocity(dice.vec(9.0)), StableId(10 + k as u64));
        let world = app.world_mut();
        spawned[k] = match k % 3 {
            0 => world.spawn((random_shape(&mut dice), Mass(dice.range(0.5, 4.0)), motion)).id(),
            1 => world.spawn((Disc, Radius(0.4), Mass(dice.range(0.5, 4.0)), motion)).id(),
            _ if k == 2 => world.spawn((bar(1.0, 0.1), Mass(1.0), LockedAxes::TRANSLATION, motion)).id(),
            _ if k == 5 => world.spawn((Disc, Kinematic, Radius(0.3), motion)).id(),
            _ => world.spawn((Disc, Radius(0.2), motion)).id(),
        };
    }
    spawned
}

fn states(app: &App, entities: &[Entity]) -> Vec<[u32; 4]> {
    let bits = |&entity: &Entity| {
        let (at, v) = (support::position(app, entity), support::velocity(app, entity));
        [at.x, at.y, v.x, v.y].map(f32::to_bits)
    };
    entities.iter().map(bits).collect()
}

#[test]
fn the_order_of_spawning_changes_nothing_and_the_prediction_is_what_comes() {
    for mode in MODES {
        let mut one = elastic(mode);
        let mut other = elastic(mode);
        let (a, b) = (busy(&mut one, |k| k), busy(&mut other, |k| 11 - k));
        support::ticks(&mut one, 3);
        support::ticks(&mut other, 3);
        let prediction = support::prediction(&mut one, 1.0);
        support::ticks(&mut one, 60);
        support::ticks(&mut other, 60);
        assert_eq!(states(&one, &a), states(&other, &b), "{mode:?}");
        let discs = prediction.discs();
        for i in 0..discs.len() {
            let entity = discs.entity[i];
            let now = (support::position(&one, entity), support::velocity(&one, entity));
            assert_eq!((discs.position[i], discs.velocity[i]), now, "{mode:?}: disc {i}");
        }
    }
}

#[test]
fn many_discs_and_few_give_the_same_bits_in_the_continuous_mode() {
    let run = |limit: usize| {
        let mut app = elastic((SolverMode::Continuous, 1));
        app.world_mut().resource_mut::<PhysicsSpace>().compute.scan_limit = carom::collision::ScanLimit(limit);
        let entities = busy(&mut app, |k| k);
        support::ticks(&mut app, 90);
        states(&app, &entities)
    };
    assert_eq!(run(0), run(64), "grid and scan");
}

#[test]
fn a_block_with_a_bad_value_is_left_out_by_name_and_the_rest_goes_on() {
    for mode in MODES {
        let mut app = elastic(mode);
        let mut bad = Vec::new();
        for mass in [f32::NAN, f32::INFINITY, 0.0, -1.0] {
            bad.push(block(&mut app, bar(1.0, 1.0), mass, Vec2::ZERO, Vec2::ZERO));
        }
        let inertia = (bar(1.0, 1.0), Mass(1.0), MomentOfInertia(f32::NAN));
        bad.push(app.world_mut().spawn(inertia).id());
        let moving = (bar(1.0, 1.0), Mass(1.0), Velocity(Vec2::splat(f32::NAN)));
        bad.push(app.world_mut().spawn(moving).id());
        let point = block(&mut app, Terrain::Circle { radius: 0.0 }, 1.0, Vec2::new(3.0, 0.0), Vec2::ZERO);
        let disc = support::disc(&mut app, Vec2::ZERO, Vec2::new(6.0, 0.0));
        support::ticks(&mut app, 60);
        let invalid = app.world().resource::<InvalidEntities>();
        assert!(bad.iter().all(|entity| invalid.0.contains_key(entity)), "{mode:?}: {invalid:?}");
        // The disc and the point have exchanged their velocities.
        assert!((support::velocity(&app, point).x - 6.0).abs() < 1e-5 && support::velocity(&app, disc).x.abs() < 1e-5);
        app.world_mut().entity_mut(bad[0]).insert(Mass(1.0));
        support::ticks(&mut app, 1);
        assert!(!app.world().resource::<InvalidEntities>().0.contains_key(&bad[0]), "{mode:?}: mended");
    }
}

/// With collision filtering, the surroundings of a disc are a short list; the index of a piece in it is not its index
/// in all terrain.
#[test]
fn a_sensor_elsewhere_changes_not_one_bit() {
    for mode in MODES {
        let [mut with, mut without] = [elastic(mode), elastic(mode)];
        for app in [&mut with, &mut without] {
            app.world_mut().spawn((StableId(1000), Terrain::Arena { half_size: Vec2::splat(6.0) }));
            for (id, x) in [(1001, -3.0), (1002, 3.0)] {
                app.world_mut().spawn((StableId(id), bar(0.5, 0.5), Position(vec2(x, 2.0))));
            }
            app.world_mut().spawn((StableId(1003), bar(0.2, 2.0), Mass(2.0)));
            let mut dice = Dice(11);
            for k in 0..25_u16 {
                let place = vec2(f32::from(k % 5), f32::from(k / 5)) * 2.2 - 4.4;
                if place.abs().cmpgt(vec2(0.9, 2.9)).any() && (place - vec2(-3.0, 2.0)).abs().max_element() > 1.0 {
                    let motion = (Position(place), Velocity(dice.vec(15.0)));
                    app.world_mut().spawn((Disc, StableId(u64::from(k)), motion, Radius(0.3)));
                }
            }
        }
        with.world_mut().spawn((StableId(2000), Terrain::Circle { radius: 1.0 }, Position(vec2(1e4, 1e4)), Sensor));
        for tick in 0..60 {
            support::ticks(&mut with, 1);
            support::ticks(&mut without, 1);
            assert_eq!(support::hash(&mut with), support::hash(&mut without), "{mode:?}, tick {tick}");
        }
    }
}

/// The depth of two rectangular blocks in each other, metres, along the axis on which it is smallest.
fn depth(app: &App, [one, other]: [Entity; 2]) -> f32 {
    let corners = [one, other].map(|block| {
        let Terrain::Block { half_size: half } = *app.world().get(block).unwrap() else { panic!("a rectangle") };
        let turn = Vec2::from_angle(angle(app, block));
        let corner = |sign: [f32; 2]| support::position(app, block) + turn.rotate(half * Vec2::from(sign));
        ([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(corner), [turn, turn.perp()])
    });
    let axes = corners.iter().flat_map(|(_, axes)| *axes);
    let depths = axes.map(|axis| {
        let [a, b] = [0, 1].map(|k| {
            let along = corners[k].0.map(|corner| corner.dot(axis));
            [along.into_iter().fold(f32::INFINITY, f32::min), along.into_iter().fold(f32::NEG_INFINITY, f32::max)]
        });
        (a[1] - b[0]).min(b[1] - a[0])
    });
    depths.fold(f32::INFINITY, f32::min)
}

fn under_gravity(mode: (SolverMode, u32), e: f32) -> App {
    let mut app = with_restitution(mode, e);
    app.world_mut().resource_mut::<MotionSettings>().gravity = Vec2::new(0.0, -9.81);
    app
}

#[test]
fn a_block_on_a_block_and_blocks_that_fall_on_each_other_stay_apart() {
    for mode in MODES {
        for e in [0.0, 0.5] {
            // On top of each other; rotated, side by side in a small arena; and with a heavy one on a light one.
            for (places, masses) in [
                ([[0.0, -0.7, 0.0], [0.05, 0.0, 0.0]], [1.0, 1.0]),
                ([[-0.5, -0.5, 1.43], [-0.5, 0.5, 2.22]], [1.0, 1.0]),
                ([[-0.2, -0.5, 0.0], [0.1, 0.2, 0.3]], [1.0, 100.0]),
            ] {
                let mut app = under_gravity(mode, e);
                app.world_mut().spawn(Terrain::Arena { half_size: Vec2::ONE });
                let blocks = [0, 1].map(|k| {
                    let [x, y, turn] = places[k];
                    let block = block(&mut app, bar(0.3, 0.2), masses[k], Vec2::new(x, y), Vec2::ZERO);
                    app.world_mut().entity_mut(block).insert(Rotation(turn));
                    block
                });
                for tick in 0..240 {
                    support::ticks(&mut app, 1);
                    let deep = depth(&app, blocks);
                    assert!(deep < 2e-3, "{mode:?}, e {e}, from {places:?}, tick {tick}: {deep} m in each other");
                }
            }
        }
    }
}

#[test]
fn a_light_block_that_a_heavy_one_crushes_stays_outside_of_it() {
    for mode in MODES {
        for e in [0.0, 0.5, 1.0] {
            let mut app = with_restitution(mode, e);
            app.world_mut().spawn(Terrain::Arena { half_size: Vec2::splat(3.0) });
            let heavy = block(&mut app, bar(0.8, 0.8), 1000.0, Vec2::ZERO, Vec2::new(5.0, -5.0));
            let light = block(&mut app, bar(0.2, 0.2), 0.001, Vec2::new(2.5, -2.5), Vec2::ZERO);
            app.world_mut().entity_mut(light).insert(Rotation(0.3));
            for tick in 0..120 {
                support::ticks(&mut app, 1);
                let deep = depth(&app, [heavy, light]);
                assert!(deep < 2e-3, "{mode:?}, e {e}, tick {tick}: {deep} m in each other");
            }
        }
    }
}
