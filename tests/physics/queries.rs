//! Queries compared with independent formulas in f64. The first hit of a ray or a disc must be one if everything were
//! slightly larger, and is at the latest the first hit if everything were slightly smaller. Paths are those of the
//! tick.

use bevy::{math::DVec2, prelude::*};
use carom::{
    collision::{CastHit, CastPath, CombineRule, DiscState, NearestPoint, PathCast, SpatialQueryFilter, run_tick},
    prelude::*,
};
use proptest::prelude::*;

use crate::support;

/// The margin, metres: the effect of rounding positions to f32 in scenes of this size.
const HAIR: f64 = 2e-5;

/// The margin for numbers of this size.
fn hair(size: f64) -> f64 {
    HAIR.max(size * 1e-6)
}

/// What a query can find, by its entity: a circle or a wall.
#[derive(Clone, Debug)]
struct Thing {
    entity: Entity,
    is_disc: bool,
    parts: Vec<[DVec2; 2]>,
    radius: f64,
}

struct Scene {
    space: PhysicsSpace,
    things: Vec<Thing>,
}

impl Scene {
    fn new(discs: &[(Vec2, f32)], terrain: &[(Terrain, Vec2, f32)]) -> Self {
        let mut space = PhysicsSpace::default();
        let mut things = Vec::new();
        let entity = |n: usize| Entity::from_raw_u32(n as u32).expect("a number");
        for (i, &(position, radius)) in discs.iter().enumerate() {
            let entity = entity(i);
            space.discs.push(DiscState { entity, id: i as u64, position, radius, ..DiscState::default() });
            let parts = vec![[position.as_dvec2(); 2]];
            things.push(Thing { entity, is_disc: true, parts, radius: radius.into() });
        }
        for (i, (shape, at, angle)) in terrain.iter().enumerate() {
            let entity = entity(1_000_000 + i);
            let (position, rotation) = (Position(*at), Rotation(*angle));
            space.add_terrain(entity, shape, position, rotation, None);
            let (points, closed) = shape.outline();
            let place = |point: &Vec2| (*at + rotation.turn(*point)).as_dvec2();
            let points: Vec<DVec2> = points.iter().map(place).collect();
            let walls = points.len().saturating_sub(usize::from(!closed));
            let mut parts: Vec<[DVec2; 2]> = (0..walls).map(|k| [points[k], points[(k + 1) % points.len()]]).collect();
            let mut radius = 0.0;
            if let Terrain::Circle { radius: of } = shape {
                parts = vec![[at.as_dvec2(); 2]];
                radius = f64::from(*of);
            }
            things.push(Thing { entity, is_disc: false, parts, radius });
        }
        space.finish_terrain();
        Self { space, things }
    }

    fn random(dice: &mut support::Dice, count: usize, half: f32, radii: [f32; 2]) -> Self {
        let discs: Vec<_> = (0..count)
            // Of all sizes in between, evenly by ratio.
            .map(|_| (dice.vec(half), radii[0] * bevy::math::ops::powf(radii[1] / radii[0], dice.range(0.0, 1.0))))
            .collect();
        let mut terrain = vec![(Terrain::Arena { half_size: Vec2::splat(half + 3.0) }, Vec2::ZERO, 0.0)];
        for _ in 0..count.min(40) / 2 {
            let shape = match dice.next() % 4 {
                0 => Terrain::Segment { a: dice.vec(2.0), b: dice.vec(2.0) },
                1 => Terrain::Circle { radius: dice.range(0.0, 1.0) },
                2 => Terrain::Block { half_size: dice.vec(1.0).abs() + 0.1 },
                _ => Terrain::Polygon { points: vec![dice.vec(2.0), dice.vec(2.0), dice.vec(2.0)] },
            };
            terrain.push((shape, dice.vec(half), dice.range(-3.0, 3.0)));
        }
        Self::new(&discs, &terrain)
    }
}

/// The distance of a point from a part of a thing.
fn distance_to([a, b]: [DVec2; 2], point: DVec2) -> f64 {
    let along = b - a;
    let share = if a == b { 0.0 } else { ((point - a).dot(along) / along.length_squared()).clamp(0.0, 1.0) };
    (point - a - along * share).length()
}

/// The distance of a point from the rim of a thing.
fn distance(thing: &Thing, point: DVec2) -> f64 {
    let parts = thing.parts.iter().map(|&part| distance_to(part, point));
    parts.fold(f64::INFINITY, f64::min) - thing.radius
}

/// When a point on a straight path first comes within `reach` of a part; now if it is inside and approaches.
fn entry([a, b]: [DVec2; 2], from: DVec2, direction: DVec2, reach: f64) -> f64 {
    let circle = |centre: DVec2| {
        let (p, mut first) = (centre - from, f64::INFINITY);
        let (ahead, beside) = (p.dot(direction), p.perp_dot(direction).abs());
        if beside < reach && ahead > 0.0 {
            first = (ahead - (reach * reach - beside * beside).sqrt()).max(0.0);
        }
        first
    };
    let mut first = circle(a).min(circle(b));
    if a != b {
        let along = (b - a).normalize();
        let side = along.perp_dot(from - a).signum();
        let (height, speed) = (along.perp_dot(from - a) * side, -along.perp_dot(direction) * side);
        if speed > 0.0 {
            let time = ((height - reach) / speed).max(0.0);
            let at = (from + direction * time - a).dot(along);
            if (0.0..=(b - a).length()).contains(&at) {
                first = first.min(time);
            }
        }
    }
    first
}

/// The same for a thing enlarged by this much.
fn entry_of(thing: &Thing, way: (DVec2, DVec2, f64), larger: f64) -> f64 {
    let reach = thing.radius + way.2 + larger;
    let shrink = |[a, b]: [DVec2; 2]| {
        // A ray has no radius that could be smaller.
        let length = (b - a).length();
        if reach > 0.0 || length < -2.0 * reach {
            [a, b]
        } else {
            [a.lerp(b, -reach / length), b.lerp(a, -reach / length)]
        }
    };
    let entries = thing.parts.iter().map(|&part| entry(shrink(part), way.0, way.1, reach.max(0.0)));
    entries.fold(f64::INFINITY, f64::min)
}

/// Whether a cast starts where things overlap it or nearly do, so that the margin decides.
fn begins_in_terrain(scene: &Scene, from: DVec2, radius: f64) -> bool {
    scene.things.iter().any(|thing| distance(thing, from) - radius < 1e-3 && !thing.is_disc)
}

fn check_cast(scene: &Scene, from: Vec2, radius: f32, direction: Dir2, limit: f32) {
    let (at, size) = (from.as_dvec2(), f64::from(radius));
    if begins_in_terrain(scene, at, size) || scene.things.iter().any(|thing| (distance(thing, at) - size).abs() < 1e-3)
    {
        return;
    }
    let way = (at, direction.as_dvec2().normalize(), size);
    let filter = SpatialQueryFilter::default();
    let found = scene.space.cast_disc(from, radius, direction, limit, &filter);
    let within = |time: f64| if time <= f64::from(limit) { time } else { f64::INFINITY };
    let earliest = scene.things.iter().map(|thing| entry_of(thing, way, HAIR)).fold(f64::INFINITY, f64::min);
    let latest = scene.things.iter().map(|thing| entry_of(thing, way, -HAIR)).fold(f64::INFINITY, f64::min);
    let time = found.map_or(f64::INFINITY, |hit| f64::from(hit.distance));
    let hair = hair(time.min(1e9) + at.length());
    let what = || format!("{from} {radius} {direction:?} {limit}: {found:?}, {earliest} to {latest}");
    assert!(time >= earliest - hair, "{}", what());
    assert!(time <= within(latest + hair) || within(latest) == f64::INFINITY, "{}", what());
    let Some(hit) = found else { return };
    let thing = scene.things.iter().find(|thing| thing.entity == hit.entity()).expect("it is there");
    assert!(time >= entry_of(thing, way, hair) - hair && time <= entry_of(thing, way, -hair) + hair, "{}", what());
    check_touch(scene, thing, &hit, way);
}

/// Point, centre and normal of a hit are consistent with each other and the thing.
fn check_touch(_: &Scene, thing: &Thing, hit: &CastHit, (from, direction, radius): (DVec2, DVec2, f64)) {
    let hair = hair(f64::from(hit.distance) + from.length());
    let (centre, point, normal) = (hit.centre.as_dvec2(), hit.point.as_dvec2(), hit.normal.as_dvec2());
    assert!((from + direction * f64::from(hit.distance)).distance(centre) < hair);
    assert!((normal.length() - 1.0).abs() < 1e-5 && normal.dot(direction) < 1e-6, "{hit:?}");
    assert!(distance(thing, point).abs() < hair || hit.distance == 0.0, "{hit:?} {thing:?}");
    assert!((point + normal * radius).distance(centre) < 10.0 * hair || hit.distance == 0.0, "{hit:?}");
}

fn check_nearest(scene: &Scene, point: Vec2, is_disc: bool, limit: f32, found: Option<NearestPoint>) {
    let at = point.as_dvec2();
    let hair = hair(at.length());
    let of = |thing: &&Thing| thing.is_disc == is_disc;
    let all = scene.things.iter().filter(of).map(|thing| distance(thing, at));
    let expected = all.fold(f64::INFINITY, f64::min);
    let Some(found) = found else {
        assert!(expected == f64::INFINITY || expected > f64::from(limit) - hair, "{point} {expected}");
        return;
    };
    assert!((f64::from(found.distance) - expected).abs() < hair, "{point}: {found:?}, {expected}");
    let thing = scene.things.iter().find(|thing| thing.entity == found.entity).expect("it is there");
    assert!((distance(thing, at) - expected).abs() < hair);
    assert!(distance(thing, found.point.as_dvec2()).abs() < hair, "{found:?}");
    assert!((found.point.as_dvec2().distance(at) - expected.abs()).abs() < hair, "{found:?}");
}

fn check_areas(scene: &Scene, at: Vec2, radius: f32, half: Vec2) {
    let filter = SpatialQueryFilter::default();
    let discs = || scene.things.iter().filter(|thing| thing.is_disc);
    let centre = |thing: &Thing| thing.parts[0][0];
    let ring = |thing: &&Thing| centre(thing).distance(at.as_dvec2()) <= thing.radius + f64::from(radius);
    let expected: Vec<Entity> = discs().filter(ring).map(|thing| thing.entity).collect();
    assert_eq!(scene.space.discs_overlapping(at, radius, &filter), expected, "{at} {radius}");
    let bounds = Rect { min: at - half, max: at + half };
    let inside = |thing: &&Thing| {
        let nearest = centre(thing).clamp(bounds.min.as_dvec2(), bounds.max.as_dvec2());
        centre(thing).distance(nearest) <= thing.radius
    };
    let expected: Vec<Entity> = discs().filter(inside).map(|thing| thing.entity).collect();
    assert_eq!(scene.space.discs_in_box(bounds, &filter), expected, "{bounds:?}");
}

/// Casts of all kinds in a scene.
fn check(scene: &Scene, dice: &mut support::Dice, half: f32, casts: usize) {
    let filter = SpatialQueryFilter::default();
    for k in 0..casts {
        let from = dice.vec(if k % 5 == 0 { 3.0 * half } else { half });
        let radius = if k % 2 == 0 { 0.0 } else { dice.range(0.0, 1.0) };
        let direction = if k % 7 == 0 { Dir2::X } else { Dir2::new(dice.vec(1.0)).unwrap_or(Dir2::Y) };
        let limit = [f32::INFINITY, dice.range(0.0, half)][k % 3 % 2];
        check_cast(scene, from, radius, direction, limit);
        check_nearest(scene, from, true, limit, scene.space.nearest_disc(from, limit, &filter));
        check_nearest(scene, from, false, limit, scene.space.nearest_terrain(from, limit, &filter));
        check_areas(scene, from, radius, dice.vec(half).abs());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_found_is_what_formulas_say(seed: u64, count in 0_usize..60, largest in 0.05_f32..3.0) {
        let mut dice = support::Dice(seed);
        let scene = Scene::random(&mut dice, count, 8.0, [0.05, largest]);
        check(&scene, &mut dice, 8.0, 40);
    }
}

#[test]
fn thousands_of_discs_of_all_sizes_are_searched_without_loss() {
    let mut dice = support::Dice(5);
    for (count, half, radii) in [(3_000, 40.0, [0.2, 0.2]), (2_000, 60.0, [0.05, 5.0]), (300, 2_000.0, [0.1, 30.0])] {
        let scene = Scene::random(&mut dice, count, half, radii);
        check(&scene, &mut dice, half, 120);
    }
}

#[test]
fn all_hits_of_a_ray_come_by_distance_and_each_thing_once() {
    let discs: Vec<_> = (0..20).map(|i| (Vec2::new(2.0 * i as f32, 0.1), 0.5)).collect();
    let block = (Terrain::Block { half_size: Vec2::splat(0.4) }, Vec2::new(7.0, 0.0), 0.0);
    let scene = Scene::new(&discs, &[block]);
    let all = SpatialQueryFilter::default();
    let hits = scene.space.ray_hits(Vec2::new(-5.0, 0.0), Dir2::X, 30.0, &all);
    let first = 5.0 - (0.25_f32 - 0.01).sqrt();
    let mut expected: Vec<f32> = (0..13).map(|i| first + 2.0 * i as f32).chain([11.6]).filter(|d| *d <= 30.0).collect();
    expected.sort_by(f32::total_cmp);
    let distances: Vec<f32> = hits.iter().map(|hit| hit.distance).collect();
    assert_eq!(distances.len(), expected.len());
    assert!(distances.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-5), "{distances:?}");
    let count = |filter: &SpatialQueryFilter| scene.space.ray_hits(Vec2::new(-5.0, 0.0), Dir2::X, 30.0, filter).len();
    assert_eq!((count(&all.only_discs()), count(&all.only_terrain())), (13, 1));
    let (third, even) = (scene.things[2].entity, |entity: Entity| entity.index_u32().is_multiple_of(2));
    assert_eq!(count(&all.only_discs().excluding(&[third])), 12);
    assert_eq!(count(&all.only_discs().with_predicate(&even)), 7);
    assert_eq!(scene.space.cast_ray(Vec2::new(3.0, 0.1), Dir2::X, 9.0, &all).map(|hit| hit.distance), Some(0.5));
}

#[test]
fn layers_and_sensors_are_looked_through() {
    let mut app = support::app();
    let [ghost, sensor, coin, door] =
        [1.0, 2.5, 4.0, 5.5].map(|x| support::disc(&mut app, Vec2::new(x, 0.0), Vec2::ZERO));
    app.world_mut().entity_mut(ghost).insert(CollisionLayers::NONE);
    app.world_mut().entity_mut(sensor).insert(Sensor);
    app.world_mut().entity_mut(coin).insert(CollisionLayers::new(2, u32::MAX));
    app.world_mut().despawn(door);
    let wall = Terrain::Segment { a: Vec2::new(6.0, -1.0), b: Vec2::new(6.0, 1.0) };
    let wall = app.world_mut().spawn((wall, CollisionLayers::new(4, u32::MAX))).id();
    support::ticks(&mut app, 2);
    let space = app.world().resource::<PhysicsSpace>();
    let all = SpatialQueryFilter::default();
    let met = |filter: &SpatialQueryFilter| -> Vec<Entity> {
        space.ray_hits(Vec2::NEG_X, Dir2::X, 20.0, filter).iter().map(CastHit::entity).collect()
    };
    assert_eq!(met(&all), [coin, wall]);
    assert_eq!(met(&all.with_layers(CollisionLayers::new(1, 4))), [wall]);
    assert_eq!(met(&all.with_layers(CollisionLayers::new(1, 2))), [coin]);
    assert_eq!(space.nearest_disc(Vec2::ZERO, 9.0, &all).map(|nearest| nearest.entity), Some(coin));
    assert_eq!(space.discs_overlapping(Vec2::new(2.5, 0.0), 9.0, &all), [coin]);
}

#[test]
fn numbers_that_are_none_find_nothing() {
    let mut dice = support::Dice(3);
    let scene = Scene::random(&mut dice, 30, 8.0, [0.1, 1.0]);
    let filter = SpatialQueryFilter::default();
    for bad in [Vec2::NAN, Vec2::INFINITY, Vec2::new(0.0, f32::NAN)] {
        assert_eq!(scene.space.cast_ray(bad, Dir2::X, f32::INFINITY, &filter), None);
        assert_eq!(scene.space.nearest_disc(bad, f32::INFINITY, &filter), None);
        assert_eq!(scene.space.nearest_terrain(bad, f32::INFINITY, &filter), None);
        assert!(scene.space.discs_overlapping(bad, 1.0, &filter).is_empty());
        assert!(scene.space.discs_in_box(Rect { min: bad, max: bad }, &filter).is_empty());
        let path = scene.space.cast_path(&PathCast { position: bad, velocity: Vec2::X, ..default() }, &filter);
        assert!(path.points.len() <= 2);
    }
    assert_eq!(scene.space.cast_ray(Vec2::ZERO, Dir2::X, f32::NAN, &filter), None);
    let nothing = PhysicsSpace::default();
    assert_eq!(nothing.cast_ray(Vec2::ZERO, Dir2::X, f32::INFINITY, &filter), None);
    assert_eq!(nothing.nearest_disc(Vec2::ZERO, f32::INFINITY, &filter), None);
}

#[test]
fn a_path_is_the_one_that_the_tick_takes() {
    let mut dice = support::Dice(11);
    let mut checked = 0;
    for round in 0..40 {
        let terrain: Vec<_> = (0..10)
            .map(|_| (Terrain::Block { half_size: dice.vec(1.0).abs() + 0.1 }, dice.vec(6.0), dice.range(-3.0, 3.0)))
            .chain([(Terrain::Arena { half_size: Vec2::splat(8.0) }, Vec2::ZERO, 0.0)])
            .collect();
        let target = (Vec2::new(7.0, 7.0), 0.5);
        let mut scene = Scene::new(&[target], &terrain);
        let (position, radius) = (Vec2::new(-7.0, -7.0) + dice.vec(0.4), 0.3);
        let velocity = Vec2::new(dice.range(1.0, 9.0), dice.range(1.0, 9.0));
        if scene.things.iter().any(|thing| distance(thing, position.as_dvec2()) < 0.31) {
            continue;
        }
        let e = [1.0, 0.8][round % 2];
        let settings = CollisionSettings { mode: SolverMode::Continuous, terrain_restitution: e, ..default() };
        scene.space.laws.settings = settings.clone();
        let cast = PathCast { position, velocity, radius, bounces: 12, length: f32::INFINITY, ..default() };
        let path = scene.space.cast_path(&cast, &SpatialQueryFilter::default());
        let mover = DiscState { id: 9, position, velocity, radius, ..DiscState::default() };
        scene.space.discs.push(mover);
        // In one tick, within which everything is in f64: corners would amplify a thousand rounding errors.
        run_tick(&mut scene.space, &settings, 60.0, |_| {});
        let vertices = scene.space.report.path_vertices.iter().filter(|vertex| vertex.disc == 1);
        for (point, vertex) in path.points.iter().skip(1).zip(vertices) {
            assert!(point.position.distance(vertex.position) < 1e-4, "{round}: {point:?} {}", vertex.position);
            checked += 1;
        }
        assert!(path.disc().is_some() || path.points.len() == 14, "{round}: {}", path.points.len());
    }
    assert!(checked > 200, "{checked}");
}

/// The position on a path after a time, in seconds.
fn after(path: &CastPath, mut seconds: f32) -> Vec2 {
    for leg in path.points.windows(2) {
        let lasts = (leg[1].distance - leg[0].distance) / leg[0].velocity.length();
        if lasts > seconds {
            return leg[0].position + leg[0].velocity * seconds;
        }
        seconds -= lasts;
    }
    panic!("the path ends before: {path:?}")
}

#[test]
fn a_path_knows_what_the_disc_and_the_pieces_carry() {
    type Give = fn(&mut EntityWorldMut);
    let all: [(Give, Give); 6] = [
        (|_| {}, |piece| _ = piece.insert(BumperKick(2.0))),
        (|disc| _ = disc.insert(BumperKick(1.0)), |piece| _ = piece.insert((Restitution(0.5), Friction(0.4)))),
        (|disc| _ = disc.insert(RestitutionRule(CombineRule::Largest)), |piece| _ = piece.insert(Restitution(0.2))),
        (|disc| _ = disc.insert(Friction(0.2)), |piece| _ = piece.insert((Friction(0.6), BumperKick(0.5)))),
        (|_| {}, |piece| _ = piece.insert(SurfaceVelocity(vec2(3.0, -1.0)))),
        (|_| {}, |piece| _ = piece.insert((SurfaceVelocity(vec2(3.0, -1.0)), Velocity::default(), Rotation(0.7)))),
    ];
    for (case, (to_disc, to_piece)) in all.into_iter().enumerate() {
        let mut app = support::app_in((SolverMode::Continuous, 1));
        let disc = (Disc, Position(vec2(0.3, -2.0)), Velocity(vec2(5.0, 4.0)), Radius(0.3), Restitution(0.9));
        let disc = app.world_mut().spawn(disc).id();
        to_disc(&mut app.world_mut().entity_mut(disc));
        let pieces = [Terrain::Arena { half_size: vec2(4.0, 3.0) }, Terrain::Block { half_size: vec2(1.0, 0.5) }];
        for piece in pieces {
            to_piece(&mut app.world_mut().spawn((piece, Rotation(0.7))));
        }
        support::ticks(&mut app, 1);
        let (position, velocity) = (support::position(&app, disc), support::velocity(&app, disc));
        let cast = PathCast { position, velocity, radius: 0.3, restitution: Some(0.9), disc: Some(disc), ..default() };
        let excluded = [disc];
        let filter = SpatialQueryFilter::default().excluding(&excluded);
        let path = app.world().resource::<PhysicsSpace>().cast_path(&cast, &filter);
        for tick in 1..=150_u16 {
            support::ticks(&mut app, 1);
            let off = support::position(&app, disc).distance(after(&path, f32::from(tick) / 60.0));
            assert!(off < 2e-3, "case {case}, tick {tick}: {off} m off the path");
        }
        assert!(path.points.len() > 4, "case {case}");
    }
}

#[test]
fn a_path_ends_after_its_length_or_its_bounces_or_at_a_disc() {
    let channel = (Terrain::Arena { half_size: Vec2::new(50.0, 1.0) }, Vec2::ZERO, 0.0);
    let scene = Scene::new(&[(Vec2::new(20.0, 0.0), 0.5)], &[channel]);
    let filter = SpatialQueryFilter::default();
    let cast = PathCast { velocity: Vec2::new(3.0, 4.0), radius: 0.5, ..default() };
    let path = |cast: PathCast| scene.space.cast_path(&cast, &filter).points;
    let short = path(PathCast { length: 1.5, ..cast });
    assert_eq!(short.len(), 3);
    assert!((short[1].distance - 0.625).abs() < 1e-6 && short[1].velocity.distance(Vec2::new(3.0, -4.0)) < 1e-5);
    assert!((short[2].distance - 1.5).abs() < 1e-6 && short[2].hit.is_none());
    let two = path(PathCast { bounces: 2, ..cast });
    assert_eq!(two.len(), 4);
    assert!((two[3].position.y - 0.5).abs() < 1e-5 && two[3].velocity.distance(Vec2::new(3.0, 4.0)) < 1e-5);
    let to_disc = scene.space.cast_path(&PathCast { velocity: Vec2::X, radius: 0.5, ..default() }, &filter);
    assert_eq!((to_disc.points.len(), to_disc.disc().map(|hit| hit.distance)), (2, Some(19.0)));
    assert_eq!(path(PathCast { velocity: Vec2::ZERO, ..cast }).len(), 1);
}

#[test]
fn systems_ask_on_the_state_of_the_last_tick() {
    #[derive(Resource, Default)]
    struct Seen(Option<CastHit>);
    let mut app = support::app();
    app.init_resource::<Seen>().add_systems(FixedUpdate, |query: SpatialQuery, mut seen: ResMut<Seen>| {
        seen.0 = query.cast_ray(Vec2::ZERO, Dir2::X, f32::INFINITY, &SpatialQueryFilter::default());
    });
    let disc = support::disc(&mut app, Vec2::new(3.0, 0.0), Vec2::new(6.0, 0.0));
    support::ticks(&mut app, 1);
    assert_eq!(app.world().resource::<Seen>().0, None, "before the first tick");
    for tick in 1..10 {
        support::ticks(&mut app, 1);
        let hit = app.world().resource::<Seen>().0.expect("it is there");
        assert_eq!(hit.target, HitTarget::Disc(disc));
        assert!((hit.distance - (2.5 + 0.1 * tick as f32)).abs() < 1e-5, "{tick}: {}", hit.distance);
    }
}

#[test]
fn terrain_that_moves_is_met_where_it_is() {
    let mut app = support::app();
    let mut dice = support::Dice(21);
    let mut pieces = Vec::new();
    for k in 0..12 {
        let shape = match k % 3 {
            0 => Terrain::Segment { a: dice.vec(2.0), b: dice.vec(2.0) },
            1 => Terrain::Circle { radius: dice.range(0.1, 1.0) },
            _ => Terrain::Block { half_size: dice.vec(1.0).abs() + 0.1 },
        };
        let motion = (Velocity(dice.vec(3.0)), AngularVelocity(Vec3::Z * dice.range(-5.0, 5.0)));
        pieces.push(app.world_mut().spawn((shape, Position(dice.vec(8.0)), motion)).id());
    }
    support::ticks(&mut app, 20);
    let placed: Vec<_> = pieces
        .iter()
        .map(|&piece| {
            let piece = app.world().entity(piece);
            let (shape, place, turn) = piece.components::<(&Terrain, &Position, &Rotation)>();
            (shape.clone(), place.0, turn.0)
        })
        .collect();
    let standing = Scene::new(&[], &placed);
    let moving = app.world().resource::<PhysicsSpace>();
    let filter = SpatialQueryFilter::default();
    let mut met = 0;
    for _ in 0..500 {
        let (from, radius, direction) =
            (dice.vec(12.0), dice.range(0.0, 0.5), Dir2::new(dice.vec(1.0)).unwrap_or(Dir2::X));
        let [a, b] = [moving, &standing.space].map(|space| space.cast_disc(from, radius, direction, 30.0, &filter));
        assert_eq!(a.is_some(), b.is_some(), "{from} {direction:?}");
        met += usize::from(a.is_some());
        assert!(a.zip(b).is_none_or(|(a, b)| (a.distance - b.distance).abs() < 1e-4), "{a:?} {b:?}");
        let [a, b] = [moving, &standing.space].map(|space| space.nearest_terrain(from, 30.0, &filter).unwrap());
        assert!((a.distance - b.distance).abs() < 1e-4 && pieces.contains(&a.entity));
    }
    assert!(met > 100, "{met}");
}

/// A force that queries, moves discs and queries again must not read beyond the arrays, and finds the discs at their
/// new positions once it has called for a refresh.
#[test]
fn a_force_that_moves_discs_between_two_questions_gets_an_answer_to_each() {
    let filter = SpatialQueryFilter::default();
    let discs: Vec<(Vec2, f32)> = (0..50_u8).map(|k| (Vec2::new(f32::from(k), 0.0), 0.25)).collect();
    let whom =
        |space: &PhysicsSpace| space.cast_ray(Vec2::new(20.5, 0.0), Dir2::X, 1e3, &filter).map(|hit| hit.distance);
    let near = |space: &PhysicsSpace| space.discs_overlapping(Vec2::new(48.0, 0.0), 1.5, &filter).len();
    for mode in [SolverMode::Stepped, SolverMode::Continuous] {
        let mut scene = Scene::new(&discs, &[]);
        let mut asked = 0;
        let settings = CollisionSettings { mode, ..default() };
        run_tick(&mut scene.space, &settings, 1e-3, |space| {
            asked += 1;
            if asked > 1 {
                return;
            }
            assert_eq!((whom(space), near(space)), (Some(0.25), 3), "{mode:?}");
            // The disc that was found is gone, and the others have moved.
            space.discs = (0..10).map(|i| space.discs.get(i)).collect();
            space.discs.position.iter_mut().for_each(|at| at.x += 100.0);
            _ = (whom(space), near(space));
            space.refresh_queries();
            assert_eq!((whom(space), near(space)), (Some(79.25), 0), "{mode:?}");
        });
        assert!(asked > 0);
    }
}

#[test]
fn each_force_asks_where_the_one_before_it_has_left_the_discs() {
    let filter = SpatialQueryFilter::default();
    let first = |space: &PhysicsSpace| space.cast_ray(Vec2::ZERO, Dir2::X, 1e3, &filter).map(|hit| hit.distance);
    let mut forces = carom::motion::Forces::default();
    forces.add(move |space: &mut PhysicsSpace| {
        _ = space.cast_ray(Vec2::ZERO, Dir2::X, 1e3, &SpatialQueryFilter::default());
        space.discs.position[0].x += 50.0;
    });
    forces.add(move |space: &mut PhysicsSpace| {
        let filter = SpatialQueryFilter::default();
        space.discs.velocity[0].x = space.cast_ray(Vec2::ZERO, Dir2::X, 1e3, &filter).map_or(0.0, |hit| hit.distance);
    });
    let mut scene = Scene::new(&[(Vec2::new(3.0, 0.0), 0.5)], &[]);
    assert_eq!(first(&scene.space), Some(2.5));
    forces.act(&mut scene.space);
    assert_eq!(scene.space.discs.velocity[0].x, 52.5);
}
