//! Promises of the stepped mode: no wall lets a centre through, under any push, and no head-on hit is missed within the
//! documented limits. Distant changes affect no bit, energy is conserved, and sleep needs support. Each is tested over
//! substeps, masses, radii, speeds and crowds.
//!
//! `PROPTEST_CASES` sets the number of scenes for each property.

use bevy::{
    math::{DVec2, ops::powf},
    prelude::*,
};
use carom::{
    collision::{CollisionSettings, DiscState, HitTarget, PhysicsSpace, SimdLevel, Threads, measure, run_tick},
    motion,
    prelude::*,
};
use proptest::prelude::*;

use crate::support::{self, Dice};

const TICK: f32 = 1.0 / 60.0;

fn cases() -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(64);
    ProptestConfig { cases, ..ProptestConfig::default() }
}

fn tick(space: &mut PhysicsSpace, settings: &CollisionSettings, gravity: Vec2) {
    run_tick(space, settings, TICK, |space| motion::gravity(space, gravity));
}

/// A piece of terrain with a position and an angle.
type Piece = (Terrain, Vec2, f32);

/// Closed outlines, and chains of walls from one side of the arena to the other. A disc stays on its side.
struct World {
    pieces: Vec<Piece>,
    /// For each piece with walls: the direction in which to count the walls between a point and infinity. Chains end
    /// outside the arena, so that no end is ever visible.
    looks: Vec<Vec2>,
}

const HALF: Vec2 = Vec2::new(6.0, 4.0);

impl World {
    fn new(dice: &mut Dice, furnished: bool, angle: f32) -> Self {
        let points = |points: &[[f32; 2]]| points.iter().copied().map(Vec2::from_array).collect();
        let mut world = Self { pieces: Vec::new(), looks: Vec::new() };
        let mut add = |piece: Terrain, at: Vec2, own: f32, look: Vec2| {
            world.pieces.push((piece, Rotation(angle).turn(at), angle + own));
            world.looks.push(Rotation(angle).turn(look));
        };
        add(Terrain::Arena { half_size: HALF }, Vec2::ZERO, 0.0, Vec2::X);
        if furnished {
            let block = Terrain::Block { half_size: Vec2::new(dice.range(0.05, 0.8), dice.range(0.05, 0.8)) };
            add(block, Vec2::new(-4.0, -2.0), dice.range(0.0, 3.0), Vec2::X);
            add(Terrain::Segment { a: Vec2::new(-2.0, -6.0), b: Vec2::new(-1.8, 6.0) }, Vec2::ZERO, 0.0, Vec2::X);
            let wedge = Terrain::Polygon { points: points(&[[4.0, -2.0], [4.4, 1.0], [3.6, 1.0]]) };
            add(wedge, Vec2::ZERO, 0.0, Vec2::X);
            let chain = [[-7.0, 2.0], [-3.0, 2.1], [0.0, 2.1003], [2.0, 1.0], [4.0, 3.0], [7.0, 2.0]];
            add(Terrain::Polyline { points: points(&chain) }, Vec2::ZERO, 0.0, Vec2::Y);
            add(Terrain::Circle { radius: dice.range(0.1, 0.8) }, Vec2::new(1.0, -1.0), 0.0, Vec2::X);
            add(Terrain::Circle { radius: 0.0 }, Vec2::new(2.5, -2.5), 0.0, Vec2::X);
        }
        world
    }

    /// The walls of each piece.
    fn walls(&self, space: &PhysicsSpace) -> Vec<Vec<[DVec2; 2]>> {
        let mut all = space.walls().iter().map(|wall| [wall.a.as_dvec2(), wall.b.as_dvec2()]);
        let count = |piece: &Terrain| match piece.outline() {
            (points, true) => points.len(),
            (points, false) => points.len().saturating_sub(1),
        };
        self.pieces.iter().map(|(piece, ..)| all.by_ref().take(count(piece)).collect()).collect()
    }

    /// For each piece, whether a centre is on its far side; `None` if it is so close to a wall that rounding decides.
    fn sides(&self, walls: &[Vec<[DVec2; 2]>], at: Vec2) -> Vec<Option<bool>> {
        let at = at.as_dvec2();
        let side = |(walls, look): (&Vec<[DVec2; 2]>, &Vec2)| {
            let look = look.as_dvec2();
            let mut far = false;
            for &[a, b] in walls {
                let along = b - a;
                let share = ((at - a).dot(along) / along.length_squared()).clamp(0.0, 1.0);
                if at.distance(a + along * share) < 1e-5 {
                    return None;
                }
                let (left, right) = (look.perp_dot(a - at), look.perp_dot(b - at));
                if (left > 0.0) != (right > 0.0) {
                    let share = left / (left - right);
                    far ^= (a + along * share - at).dot(look) > 0.0;
                }
            }
            Some(far)
        };
        walls.iter().zip(&self.looks).map(side).collect()
    }
}

/// The parameters of a random scene.
#[derive(Clone, Copy, Debug)]
struct Recipe {
    seed: u64,
    count: usize,
    substeps: u32,
    furnished: bool,
    turned: bool,
    /// 0: spread out, 1: in overlapping heaps, 2: all at one point.
    crowding: usize,
    /// Mass as the square of the radius, or anything up to a million to one.
    heavy: bool,
    /// 0: none, 1: gravity, 2: with a resting speed, 3: with sleep.
    weight: usize,
    e: [usize; 2],
}

fn recipe() -> impl Strategy<Value = Recipe> {
    (any::<u64>(), 1usize..60, 1u32..=16, any::<[bool; 3]>(), 0usize..3, 0usize..4, [0usize..4, 0usize..4]).prop_map(
        |(seed, count, substeps, [furnished, turned, heavy], crowding, weight, e)| Recipe {
            seed,
            count,
            substeps,
            furnished,
            turned,
            crowding,
            heavy,
            weight,
            e,
        },
    )
}

/// A scene made from a recipe.
struct Scene {
    world: World,
    space: PhysicsSpace,
    settings: CollisionSettings,
    gravity: Vec2,
    dice: Dice,
}

impl Scene {
    fn new(recipe: Recipe) -> Self {
        let mut dice = Dice(recipe.seed);
        let angle = if recipe.turned { dice.range(0.0, 6.0) } else { 0.0 };
        let world = World::new(&mut dice, recipe.furnished, angle);
        let empty = support::space([], &world.pieces);
        let walls = world.walls(&empty);
        let heaps: Vec<Vec2> = (0..3).map(|_| dice.vec(1.0) * (HALF - 0.5)).collect();
        let mut discs: Vec<DiscState> = Vec::new();
        // A heap may be inside something as a whole; then there are fewer discs.
        for _ in 0..20 * recipe.count {
            if discs.len() == recipe.count {
                break;
            }
            let radius = 0.5 * powf(10.0, -dice.range(0.0, 2.0));
            let place = match recipe.crowding {
                0 => dice.vec(1.0) * HALF,
                1 => heaps[discs.len() % 3] + dice.vec(0.4),
                _ => heaps[0],
            };
            let position = Rotation(angle).turn(place);
            let in_bumper =
                empty.fixed_circles().iter().any(|corner| position.distance(corner.centre) <= corner.radius + 1e-3);
            let clear = walls.iter().flatten().all(|&[a, b]| {
                let (at, along) = (position.as_dvec2(), b - a);
                let share = ((at - a).dot(along) / along.length_squared()).clamp(0.0, 1.0);
                at.distance(a + along * share) > 1e-3
            });
            if in_bumper || !clear || (place.abs() - HALF).max_element() > -1e-3 {
                continue;
            }
            let mass = if recipe.heavy { powf(10.0, dice.range(-3.0, 3.0)) } else { radius * radius };
            discs.push(DiscState { position, radius, mass, ..DiscState::default() });
        }
        let e = |which: usize, dice: &mut Dice| [1.0, 0.0, 0.3, dice.range(0.0, 1.0)][which];
        let settings = CollisionSettings {
            substeps: recipe.substeps,
            restitution: e(recipe.e[0], &mut dice),
            terrain_restitution: e(recipe.e[1], &mut dice),
            resting_speed: if recipe.weight >= 2 { dice.range(0.1, 3.0) } else { 0.0 },
            sleep_speed: if recipe.weight >= 3 { 0.02 } else { 0.0 },
            push_apart_share: if dice.next().is_multiple_of(4) { dice.range(0.0, 1.0) } else { 1.0 },
            ..CollisionSettings::default()
        };
        let direction = Vec2::from_angle(dice.range(0.0, 6.3));
        let gravity = if recipe.weight > 0 { direction * powf(10.0, dice.range(0.0, 2.0)) } else { Vec2::ZERO };
        let mut space = support::space(discs, &world.pieces);
        space.compute.simd = SimdLevel::default();
        Self { world, space, settings, gravity, dice }
    }

    /// Gives some of the discs new speeds: zero, slow, or up to a thousand radii per tick.
    fn kick(&mut self) {
        let discs = &mut self.space.discs;
        for (velocity, radius) in discs.velocity.iter_mut().zip(&discs.radius) {
            let speed = match self.dice.next() % 5 {
                0 => 0.0,
                1 => self.dice.range(0.0, 3.0),
                2 => powf(10.0, self.dice.range(0.0, 3.0)) * radius / TICK,
                _ => continue,
            };
            *velocity = self.dice.vec(1.0).normalize_or(Vec2::X) * speed;
        }
    }

    fn tick(&mut self) {
        tick(&mut self.space, &self.settings, self.gravity);
    }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn no_wall_is_crossed_by_a_centre_whoever_pushes(recipe in recipe()) {
        let mut scene = Scene::new(recipe);
        let walls = scene.world.walls(&scene.space);
        let sides = |scene: &Scene| -> Vec<Vec<Option<bool>>> {
            scene.space.discs.position.iter().map(|at| scene.world.sides(&walls, *at)).collect()
        };
        let before = sides(&scene);
        for count in 0..24 {
            if count % 6 == 0 {
                scene.kick();
            }
            let from = scene.space.discs.position.clone();
            scene.tick();
            let discs = &scene.space.discs;
            for (disc, (now, before)) in sides(&scene).iter().zip(&before).enumerate() {
                let at = discs.position[disc];
                prop_assert!(at.is_finite() && discs.velocity[disc].is_finite(), "tick {count}: disc {disc} is at {at}");
                for (piece, sides) in now.iter().zip(before).enumerate() {
                    if let (Some(now), Some(before)) = sides {
                        prop_assert_eq!(
                            now, before, "tick {}: disc {} of radius {} went through piece {} from {} to {}",
                            count, disc, discs.radius[disc], piece, from[disc], at
                        );
                    }
                }
                for corner in scene.space.fixed_circles() {
                    let distance = at.distance(corner.centre);
                    prop_assert!(
                        distance >= corner.radius - 1e-5,
                        "tick {}: disc {} of radius {} went from {} to {}, {} m from the middle of the bumper of {} m",
                        count, disc, discs.radius[disc], from[disc], at, distance, corner.radius
                    );
                }
            }
        }
    }

    #[test]
    fn simd_level_and_threads_do_not_matter_however_many_the_discs(recipe in recipe()) {
        let run = |simd: SimdLevel, threads: Threads| -> Vec<u64> {
            let mut scene = Scene::new(recipe);
            (scene.space.compute.simd, scene.space.compute.threads) = (simd, threads);
            (0..8)
                .map(|count| {
                    if count % 6 == 0 {
                        scene.kick();
                    }
                    scene.tick();
                    measure::state_hash(&scene.space.discs)
                })
                .collect()
        };
        let plain = run(SimdLevel::available()[0], Threads::Tasks(1));
        for simd in SimdLevel::available() {
            for tasks in [1, 2, 3, 8] {
                prop_assert_eq!(&plain, &run(simd, Threads::Tasks(tasks)), "{}, {} tasks", simd.name(), tasks);
            }
        }
    }

    #[test]
    fn what_is_out_of_reach_changes_not_one_bit(recipe in recipe(), kind in 0usize..8, above: bool, wall: bool) {
        let recipe = Recipe { substeps: recipe.substeps.div_ceil(2), ..recipe };
        let scene = Scene::new(recipe);
        let near: Vec<DiscState> = (0..scene.space.discs.len())
            .map(|i| DiscState { id: 1000 + i as u64, ..scene.space.discs.get(i) })
            .collect();
        let far: Vec<DiscState> = far_away(kind, &scene, &mut Dice(recipe.seed ^ 1))
            .into_iter()
            .zip(if above { 5000.. } else { 0.. })
            .map(|(disc, id)| DiscState { id, ..disc })
            .collect();
        let mut pieces = scene.world.pieces.clone();
        let alone = with_ids(&near, &pieces);
        let first = if above { 0 } else { far.len() };
        let all: Vec<DiscState> =
            if above { near.iter().chain(&far).copied().collect() } else { far.iter().chain(&near).copied().collect() };
        if wall {
            let far_wall = (Terrain::Segment { a: Vec2::new(-5.0, 0.0), b: Vec2::new(9.0, 1.0) }, Vec2::splat(-400.0), 0.3);
            pieces.insert(if above { pieces.len() } else { 0 }, far_wall);
        }
        let crowded = with_ids(&all, &pieces);
        let mut alone = Scene { space: alone, world: World { pieces: Vec::new(), looks: Vec::new() }, ..scene };
        let mut space = crowded;
        for count in 0..24 {
            if count % 8 == 0 {
                alone.kick();
                space.discs.velocity[first..first + near.len()].copy_from_slice(&alone.space.discs.velocity);
            }
            alone.tick();
            tick(&mut space, &alone.settings, alone.gravity);
            for i in 0..near.len() {
                let state = |space: &PhysicsSpace, i: usize| {
                    let (position, velocity) = (space.discs.position[i], space.discs.velocity[i]);
                    (position.to_array().map(f32::to_bits), velocity.to_array().map(f32::to_bits), position, velocity)
                };
                let (here, there) = (state(&alone.space, i), state(&space, first + i));
                prop_assert_eq!((here.0, here.1), (there.0, there.1), "tick {}, disc {}: {:?}, {:?}", count, i, here, there);
            }
        }
    }

    #[test]
    fn head_on_hits_are_not_missed_as_long_as_they_are_slower_than_the_radii_allow(
        seed: u64, substeps in 1u32..=64, share in 0.05f32..0.99, around in 0usize..5, e in 0.0f32..=1.0,
    ) {
        let mut dice = Dice(seed);
        let radii = [0.5, 0.5 * powf(10.0, -dice.range(0.0, 2.0))];
        let sum = radii[0] + radii[1];
        let speed = share * sum * substeps as f32 / TICK;
        let (part, direction) = (dice.range(0.0, 1.0), Vec2::from_angle(dice.range(0.0, 6.3)));
        let gap = sum + dice.range(0.0, 1.0) * speed * TICK;
        let pair = [(0, -part, -0.5), (1, 1.0 - part, 0.5)].map(|(which, velocity, place)| DiscState {
            position: direction * (place * gap),
            velocity: direction * (-velocity * speed) * -1.0,
            radius: radii[which],
            mass: powf(10.0, dice.range(-3.0, 3.0)),
            ..DiscState::default()
        });
        let pair = pair.map(|disc| DiscState { velocity: -disc.velocity, ..disc });
        let mut space = support::space(pair.into_iter().chain(company(around, &mut dice)), &[]);
        let settings = CollisionSettings { substeps, restitution: e, ..CollisionSettings::default() };
        for _ in 0..4 {
            run_tick(&mut space, &settings, TICK, |_| {});
        }
        let apart = (space.discs.position[1] - space.discs.position[0]).dot(direction);
        prop_assert!(apart > 0.0, "passed through each other, {} m apart", apart);
        prop_assert!(space.report.hits.len() < 100 && space.report.collisions > 0);
    }

    #[test]
    fn a_disc_that_gets_fast_within_the_tick_is_not_missed(
        seed: u64, substeps in 1u32..=64, share in 0.1f32..0.99, around in 0usize..5,
    ) {
        let mut dice = Dice(seed);
        let radii: [f32; 3] = std::array::from_fn(|_| 0.5 * powf(10.0, -dice.range(0.0, 1.5)));
        let mass = [powf(10.0, dice.range(0.0, 4.0)), 1.0, powf(10.0, dice.range(-3.0, 3.0))];
        // After an elastic hit by the first, the second is as fast as the docs allow for the third.
        let step = TICK / substeps as f32;
        let fast = share * (radii[1] + radii[2]) / step;
        let speed = (0.5 * fast * (mass[0] + mass[1]) / mass[0]).min(share * (radii[0] + radii[1]) / step);
        let direction = Vec2::from_angle(dice.range(0.0, 6.3));
        // The push by the first hit does not reach the third.
        let gaps = [dice.range(0.0, 1.0) * speed * TICK, radii[1] + dice.range(0.0, 1.0) * fast * TICK];
        let second = radii[0] + radii[1] + gaps[0];
        let places = [0.0, second, second + radii[1] + radii[2] + gaps[1]];
        let three = (0..3).map(|i| DiscState {
            position: direction * (places[i] - second),
            velocity: if i == 0 { direction * speed } else { Vec2::ZERO },
            radius: radii[i],
            mass: mass[i],
            ..DiscState::default()
        });
        let three: Vec<DiscState> = three.collect();
        let mut space = support::space(three.into_iter().chain(company(around, &mut dice)), &[]);
        let settings = CollisionSettings { substeps, ..CollisionSettings::default() };
        let mut hit = false;
        for _ in 0..400 {
            if hit {
                break;
            }
            run_tick(&mut space, &settings, TICK, |_| {});
            hit = space.report.hits.iter().any(|hit| hit.disc == 1 && hit.target == HitTarget::Disc(2));
            // Between two heavy discs it may become too fast afterwards.
            let along = |i: usize| space.discs.position[i].dot(direction);
            prop_assert!(hit || along(0) < along(1) && along(1) < along(2), "{} {} {}", along(0), along(1), along(2));
        }
        prop_assert!(hit, "missed");
    }

    #[test]
    fn gravity_alone_is_exact(seed: u64, substeps in 1u32..=64, log_rate in 0.0f32..3.0) {
        let mut dice = Dice(seed);
        let (velocity, gravity) = (dice.vec(10.0), dice.vec(10.0));
        let step = 1.0 / powf(10.0, log_rate).round();
        let mut space = support::space([DiscState { velocity, ..DiscState::default() }], &[]);
        let settings = CollisionSettings { substeps, ..CollisionSettings::default() };
        let ticks = (2.0 / step).round() as usize;
        for _ in 0..ticks {
            run_tick(&mut space, &settings, step, |space| motion::gravity(space, gravity));
        }
        let time = f64::from(step) * ticks as f64;
        let expected = velocity.as_dvec2() * time + gravity.as_dvec2() * (0.5 * time * time);
        let off = space.discs.position[0].as_dvec2().distance(expected);
        // Each substep rounds a velocity of up to 40 m/s, which acts for a second on average, and a position of up to
        // 60 m. In the worst case always in the same direction.
        let roundings = (ticks * substeps as usize) as f64;
        prop_assert!(off < 4e-6 * roundings.max(2.0), "{off} m off after {roundings} substeps");
    }
}

/// Discs in the given order with their own ids.
fn with_ids(discs: &[DiscState], pieces: &[Piece]) -> PhysicsSpace {
    let mut space = support::space([], pieces);
    for disc in discs {
        space.discs.push(*disc);
    }
    space
}

/// Discs that never come near the arena, whatever gravity does.
fn far_away(kind: usize, scene: &Scene, dice: &mut Dice) -> Vec<DiscState> {
    let away =
        if scene.gravity == Vec2::ZERO { Vec2::from_angle(dice.range(0.0, 6.3)) } else { scene.gravity.normalize() };
    let place = away * powf(10.0, dice.range(2.0, 5.0));
    let many = 1 + (dice.next() % 90) as usize;
    match kind {
        0 => vec![DiscState { position: place, ..DiscState::default() }],
        1 => vec![DiscState {
            position: place,
            velocity: away * powf(10.0, dice.range(0.0, 6.0)),
            ..DiscState::default()
        }],
        2 => vec![DiscState { position: place, radius: 50.0, mass: 1e4, ..DiscState::default() }],
        3 => vec![DiscState { position: place, radius: 1e-4, mass: 1e-6, ..DiscState::default() }],
        4 => (0..many)
            .map(|_| DiscState { position: place + dice.vec(0.5), radius: 0.3, ..DiscState::default() })
            .collect(),
        5 => (0..many)
            .map(|_| DiscState {
                position: place + dice.vec(9.0),
                velocity: dice.vec(9.0),
                radius: 0.3,
                ..DiscState::default()
            })
            .collect(),
        6 => (0..many)
            .map(|_| {
                let radius = powf(10.0, dice.range(-3.0, 1.0));
                let velocity = away * powf(10.0, dice.range(0.0, 3.0));
                DiscState { position: place + dice.vec(40.0), velocity, radius, ..DiscState::default() }
            })
            .collect(),
        // Around the scene on all sides.
        _ => (0..many)
            .map(|_| {
                let out = Vec2::from_angle(dice.range(0.0, 6.3));
                let velocity = out * dice.range(0.0, 300.0) - scene.gravity * 0.5;
                DiscState {
                    position: out * dice.range(300.0, 400.0),
                    velocity,
                    radius: dice.range(0.1, 2.0),
                    ..DiscState::default()
                }
            })
            .collect(),
    }
}

/// Discs far from the origin.
fn company(kind: usize, dice: &mut Dice) -> Vec<DiscState> {
    let far = Vec2::new(3e3, 0.0);
    match kind {
        0 => Vec::new(),
        1 => vec![DiscState { position: far, radius: 300.0, mass: 1e6, ..DiscState::default() }],
        2 => vec![DiscState { position: far * 1e4, velocity: Vec2::X * 1e5, radius: 1e-3, ..DiscState::default() }],
        3 => (0..80)
            .map(|_| DiscState { position: far + dice.vec(20.0), velocity: dice.vec(50.0), ..DiscState::default() })
            .collect(),
        _ => {
            (0..80).map(|_| DiscState { position: far + dice.vec(0.1), radius: 0.01, ..DiscState::default() }).collect()
        }
    }
}

/// Light discs among heavy ones in a closed box, without overlaps.
fn light_among_heavy(count: usize, speed: f32, fill: f32, seed: u64) -> (PhysicsSpace, Vec2) {
    let mut dice = Dice(seed);
    let columns = (count as f32).sqrt().ceil() as usize;
    let half = Vec2::splat(columns as f32 * 0.5 * fill + 0.1);
    let discs = (0..count).map(|i| {
        let radius = if dice.next().is_multiple_of(2) { 0.05 } else { 0.5 };
        let cell = Vec2::new((i % columns) as f32, (i / columns) as f32) + 0.5;
        // Approximately normal, with this standard deviation.
        let mut component = || speed * (0..12).map(|_| dice.range(-0.5, 0.5)).sum::<f32>();
        let velocity = Vec2::new(component(), component());
        DiscState {
            position: cell * fill - half + 0.1,
            velocity,
            radius,
            mass: radius * radius,
            ..DiscState::default()
        }
    });
    let discs: Vec<DiscState> = discs.collect();
    (support::space(discs, &[(Terrain::Arena { half_size: half }, Vec2::ZERO, 0.0)]), half)
}

fn outside(space: &PhysicsSpace, half: Vec2) -> usize {
    space.discs.position.iter().filter(|at| (at.abs() - half).max_element() > 1e-4).count()
}

#[test]
fn light_discs_among_heavy_ones_stay_in_their_box() {
    for substeps in [1, 4, 8] {
        let (mut space, half) = light_among_heavy(2500, 20.0, 1.2, 1);
        let settings = CollisionSettings { substeps, ..CollisionSettings::default() };
        for count in 0..300 {
            run_tick(&mut space, &settings, TICK, |_| {});
            assert_eq!(outside(&space, half), 0, "tick {count}, {substeps} substeps");
        }
    }
}

#[test]
fn a_heap_of_light_discs_among_heavy_ones_stays_in_its_box() {
    for (substeps, resting_speed) in [(4, 0.0), (8, 0.0), (4, 1.0)] {
        let (mut space, half) = light_among_heavy(2500, 5.0, 1.05, 2);
        let settings = CollisionSettings {
            substeps,
            resting_speed,
            restitution: 0.3,
            terrain_restitution: 0.3,
            ..CollisionSettings::default()
        };
        for count in 0..600 {
            tick(&mut space, &settings, Vec2::new(0.0, -10.0));
            assert_eq!(outside(&space, half), 0, "tick {count}, {substeps} substeps, resting speed {resting_speed}");
        }
    }
}

#[test]
fn a_disc_does_not_fall_through_a_funnel_that_is_too_narrow() {
    let segment = |a: [f32; 2], b: [f32; 2]| Terrain::Segment { a: a.into(), b: b.into() };
    for substeps in [1, 2, 4, 8, 16] {
        for resting_speed in [0.0, 1.0] {
            for (terrain_restitution, start) in [(0.0, 0.0), (0.3, 0.5), (0.9, -1.0), (1.0, 0.2)] {
                for slope in [0.5, 1.0, 3.0] {
                    let left = segment([-0.3, 0.0], [-2.3, 2.0 * slope]);
                    let right = segment([0.3, 0.0], [2.3, 2.0 * slope]);
                    let walls = [-3.0, 3.0].map(|x| (segment([x, -1.0], [x, 9.0]), Vec2::ZERO, 0.0));
                    let funnel = [(left, Vec2::ZERO, 0.0), (right, Vec2::ZERO, 0.0)].into_iter().chain(walls);
                    let position = Vec2::new(start, 4.0 + slope);
                    let disc = DiscState { position, radius: 0.4, ..DiscState::default() };
                    let mut space = support::space([disc], &funnel.collect::<Vec<_>>());
                    let settings = CollisionSettings {
                        substeps,
                        resting_speed,
                        terrain_restitution,
                        ..CollisionSettings::default()
                    };
                    for count in 0..600 {
                        tick(&mut space, &settings, Vec2::new(0.0, -10.0));
                        let at = space.discs.position[0];
                        assert!(
                            at.y > 0.25 || at.x.abs() > 2.0,
                            "tick {count}, {substeps} substeps, resting {resting_speed}, e {terrain_restitution}, slope {slope}: {at}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn nine_metres_a_second_head_on_are_not_missed() {
    for substeps in [1, 4, 64] {
        for radii in [[0.5, 0.5], [0.5, 0.05], [0.05, 0.05]] {
            let travelled = 9.0 * TICK / substeps as f32;
            if travelled >= radii[0] + radii[1] {
                continue;
            }
            for offset in 0..20 {
                let discs = [
                    DiscState { radius: radii[0], ..DiscState::default() },
                    DiscState {
                        position: Vec2::new(1.5 + 0.05 * offset as f32 * travelled, 0.0),
                        velocity: Vec2::new(-9.0, 0.0),
                        radius: radii[1],
                        ..DiscState::default()
                    },
                ];
                let mut space = support::space(discs, &[]);
                let settings = CollisionSettings { substeps, ..CollisionSettings::default() };
                for _ in 0..30 {
                    run_tick(&mut space, &settings, TICK, |_| {});
                }
                assert_eq!(space.report.collisions, 1, "{substeps} substeps, radii {radii:?}, offset {offset}");
            }
        }
    }
}

/// Kinetic and potential energy above `floor`, down to the lowest point of each disc, joules.
fn energy(space: &PhysicsSpace, gravity: f32, floor: f32) -> f64 {
    let discs = &space.discs;
    let height = |i: usize| f64::from(discs.position[i].y) - f64::from(discs.radius[i]) - f64::from(floor);
    let lifted: f64 = (0..discs.len()).map(|i| f64::from(discs.mass[i] * gravity) * height(i)).sum();
    measure::kinetic_energy(discs) + lifted
}

/// How long the energy is tracked, seconds; the long run is optional.
fn seconds() -> usize {
    std::env::var("ENERGY_SECONDS").ok().and_then(|seconds| seconds.parse().ok()).unwrap_or(20)
}

/// The ratio at the end and the largest deviation from one.
fn drift(space: &mut PhysicsSpace, substeps: u32, floor: f32) -> (f64, f64) {
    let settings = CollisionSettings { substeps, ..CollisionSettings::default() };
    let (start, mut worst) = (energy(space, 9.81, floor), 0.0_f64);
    let mut ratio = 1.0;
    for _ in 0..seconds() * 60 {
        tick(space, &settings, Vec2::new(0.0, -9.81));
        ratio = energy(space, 9.81, floor) / start;
        worst = worst.max((ratio - 1.0).abs());
    }
    (ratio, worst)
}

#[test]
fn one_elastic_disc_bounces_to_its_height_for_ever() {
    for height in [0.05, 1.0, 1.5, 4.0, 20.0] {
        for substeps in [1, 2, 4] {
            let floor = Terrain::Segment { a: Vec2::new(-50.0, 0.0), b: Vec2::new(50.0, 0.0) };
            let disc = DiscState { position: Vec2::new(0.0, 0.5 + height), ..DiscState::default() };
            let mut space = support::space([disc], &[(floor, Vec2::ZERO, 0.0)]);
            let (ratio, worst) = drift(&mut space, substeps, 0.0);
            println!("one disc, {height} m, {substeps} substeps: ratio {ratio:.6}, at most {worst:.2e} off");
            assert!(worst < 0.01, "{height} m, {substeps} substeps: {ratio}, {worst}");
        }
    }
}

#[test]
fn an_elastic_gas_under_gravity_keeps_its_energy() {
    let half_size = Vec2::new(8.0, 5.0);
    for count in [20, 60, 150] {
        for substeps in [1, 2, 4] {
            let mut dice = Dice(2);
            let mut discs: Vec<DiscState> = Vec::new();
            while discs.len() < count {
                let radius = dice.range(0.1, 0.45);
                let position = dice.vec(1.0) * (half_size - radius);
                if discs.iter().all(|disc| disc.position.distance(position) > disc.radius + radius) {
                    let velocity = dice.vec(1.0).normalize_or(Vec2::X) * 4.0;
                    discs.push(DiscState { position, velocity, radius, mass: radius * radius, ..DiscState::default() });
                }
            }
            let mut space = support::space(discs, &[(Terrain::Arena { half_size }, Vec2::ZERO, 0.0)]);
            let (ratio, worst) = drift(&mut space, substeps, -half_size.y);
            println!("{count} discs, {substeps} substeps: ratio {ratio:.6}, at most {worst:.2e} off");
            assert!(worst < 0.01, "{count} discs, {substeps} substeps: {ratio}, {worst}");
        }
    }
}

const RESTING: CollisionSettings = CollisionSettings {
    mode: carom::collision::SolverMode::Stepped,
    restitution: 0.3,
    terrain_restitution: 0.3,
    restitution_rule: CombineRule::Smallest,
    substeps: 4,
    push_apart: true,
    push_apart_share: 1.0,
    resting_speed: 1.0,
    sleep_speed: 0.001,
    report_above: 1.0,
    impact_budget: 1000,
    periodic: carom::collision::Periodic { x: None, y: None },
};

#[test]
fn discs_that_touch_in_free_air_fall() {
    let places = [Vec2::ZERO, Vec2::new(1.0, 0.0), Vec2::new(0.5, 0.75_f32.sqrt())];
    let discs = places.map(|position| DiscState { position, ..DiscState::default() });
    for (sleep_speed, substeps) in [(0.001, 1), (0.001, 4), (0.1, 4), (10.0, 1)] {
        let mut space = support::space(discs, &[]);
        let settings = CollisionSettings { sleep_speed, substeps, ..RESTING };
        for _ in 0..10_000 {
            run_tick(&mut space, &settings, 1e-4, |space| motion::gravity(space, Vec2::new(0.0, -10.0)));
        }
        for (at, from) in space.discs.position.iter().zip(places) {
            // 5 m in a second, with rounding in each substep.
            assert!((from.y - at.y - 5.0).abs() < 0.05, "{sleep_speed} m/s, {substeps} substeps: from {from} to {at}");
        }
    }
}

#[test]
fn a_sleeping_pile_falls_at_once_when_its_floor_is_gone() {
    let mut dice = Dice(1);
    let half_size = Vec2::new(4.0, 20.0);
    let discs = (0..100).map(|i| DiscState {
        position: Vec2::new((i % 7) as f32 * 1.1 - 3.3, (i / 7) as f32 * 1.1 - 19.4) + dice.vec(0.04),
        velocity: dice.vec(0.1),
        ..DiscState::default()
    });
    let mut space = support::space(discs.collect::<Vec<_>>(), &[(Terrain::Arena { half_size }, Vec2::ZERO, 0.0)]);
    for _ in 0..900 {
        tick(&mut space, &RESTING, Vec2::new(0.0, -10.0));
    }
    assert!(space.sleeping() > 50, "only {} sleep", space.sleeping());
    let heap: Vec<DiscState> = (0..space.discs.len()).map(|i| space.discs.get(i)).collect();
    for fresh in [true, false] {
        let mut bare = if fresh { with_ids(&heap, &[]) } else { space.clone() };
        bare.clear_terrain();
        tick(&mut bare, &RESTING, Vec2::new(0.0, -10.0));
        assert_eq!(bare.sleeping(), 0);
        for (i, velocity) in bare.discs.velocity.iter().enumerate() {
            let still = *velocity == Vec2::ZERO || bare.discs.position[i] == heap[i].position;
            assert!(!still, "disc {i} hangs in the air");
        }
        // Some are squeezed out upward or sideways, but nothing supports them.
        let momentum = measure::momentum(&bare.discs) / heap.len() as f64;
        assert!((momentum - DVec2::new(0.0, -10.0 / 60.0)).length() < 1e-4, "{momentum} m/s");
    }
}
