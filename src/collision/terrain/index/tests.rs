//! Tests of the index and what is built on it, against exhaustive searches, and of incremental changes against
//! rebuilding.

use bevy::{ecs::entity_disabling::Disabled, ecs::system::SystemState, prelude::*, time::TimeUpdateStrategy};
use proptest::{prelude::*, sample::Index};

use super::{
    Piece,
    weld::{MOST_THROUGH, coincide, corner_directions, corner_directions_by_wall, corners_among},
};
use crate::{
    collision::{
        FixedCircle, PhysicsSpace, Snapshot, Wall,
        shape::{Bounds, wall::closest_point},
    },
    prelude::*,
};

/// Terrain by exhaustive search: each corner against all others and against all walls. `closest_point` gives the
/// closest point of a wall to a place.
fn by_looking_at_everything(
    raw_walls: &[Wall],
    raw_circles: &[FixedCircle],
    closest_point: impl Fn(&Wall, Vec2) -> Vec2,
) -> (Vec<Wall>, Vec<FixedCircle>) {
    let mut fixed_circles: Vec<FixedCircle> = Vec::new();
    for circle in raw_circles.iter().cloned() {
        let twin = fixed_circles
            .iter_mut()
            .find(|other| other.radius == 0.0 && circle.radius == 0.0 && coincide(other.centre, circle.centre));
        match twin {
            Some(twin) => {
                twin.restitution = match (twin.restitution, circle.restitution) {
                    (Some(a), Some(b)) => Some(a.min(b)),
                    (a, b) => a.or(b),
                }
            }
            None => fixed_circles.push(circle),
        }
    }
    let mut walls = raw_walls.to_vec();
    for wall in &mut walls {
        let at =
            |end| fixed_circles.iter().find(|c| c.radius == 0.0 && coincide(c.centre, end)).map_or(end, |c| c.centre);
        let (a, b) = (at(wall.a), at(wall.b));
        if a != b {
            (wall.a, wall.b) = (a, b);
        }
    }
    for circle in fixed_circles.iter_mut().filter(|circle| circle.radius == 0.0) {
        for wall in &walls {
            let onward = wall.curved().map_or(wall.b - wall.a, |curved| curved.directions_at(circle.centre)[0]);
            if !coincide(closest_point(wall, circle.centre), circle.centre) {
                continue;
            }
            if !coincide(circle.centre, wall.b) || wall.a == wall.b {
                circle.walls.push(onward);
            }
            if !coincide(circle.centre, wall.a) || wall.a == wall.b {
                circle.walls.push(-onward);
            }
        }
    }
    (walls, fixed_circles)
}

/// The pieces that the index finds.
fn found(space: &PhysicsSpace, bounds: Bounds) -> Vec<Piece> {
    let mut found = Vec::new();
    space.terrain.index.for_each_overlapping(bounds, |piece| found.push(piece));
    found.sort_unstable();
    found
}

/// The pieces that it should find.
fn overlapping(space: &PhysicsSpace, bounds: Bounds) -> Vec<Piece> {
    let meets = |other: Bounds| other.overlaps(bounds);
    let walls =
        space.terrain.walls.iter().zip(0..).filter(|(wall, _)| meets(wall.bounds())).map(|(_, i)| Piece::Wall(i));
    let fixed_circles = space.terrain.fixed_circles.iter().zip(0..).filter(|(circle, _)| meets(circle.bounds()));
    walls.chain(fixed_circles.map(|(_, i)| Piece::FixedCircle(i))).collect()
}

/// Boxes within the empty box are skipped, as nothing is there.
fn check_questions(space: &PhysicsSpace, questions: &[(Vec2, Vec2)]) -> Result<(), TestCaseError> {
    let questions = questions.iter().map(|&(at, half)| Bounds::new(at - half, at + half));
    for bounds in questions.chain([Bounds::EVERYTHING, space.terrain.index.empty_box()]) {
        let strictly_inside = bounds == space.terrain.index.empty_box();
        if strictly_inside {
            let inside = |Bounds { low, high }: Bounds| low.cmplt(bounds.high).all() && high.cmpgt(bounds.low).all();
            prop_assert!(!space.terrain.walls.iter().map(Wall::bounds).any(inside));
            prop_assert!(!space.terrain.fixed_circles.iter().map(FixedCircle::bounds).any(inside));
        } else {
            prop_assert_eq!(found(space, bounds), overlapping(space, bounds));
        }
    }
    Ok(())
}

/// Positions where corners may coincide: on a coarse lattice, some a few roundings beside it, some far out, and some
/// anywhere.
fn place() -> impl Strategy<Value = Vec2> {
    let lattice = (-4_i8..4, -4_i8..4).prop_map(|(x, y)| Vec2::new(x.into(), y.into()));
    let beside = (lattice.clone(), -4_i8..4, -4_i8..4)
        .prop_map(|(at, x, y)| at + Vec2::new(x.into(), y.into()) * (4e-7 * at.abs().max_element().max(1e-3)));
    let far = (lattice.clone(), -4_i8..4).prop_map(|(at, x)| at * 1e5 + Vec2::new(x.into(), 0.0) * 0.1);
    let anywhere = (-5.0_f32..5.0, -5.0_f32..5.0).prop_map(Vec2::from);
    prop_oneof![4 => lattice, 4 => beside, 1 => far, 1 => anywhere]
}

fn shape() -> impl Strategy<Value = Terrain> {
    let half_size = || (1_u8..4, 1_u8..4).prop_map(|(x, y)| Vec2::new(x.into(), y.into()) * 0.5);
    prop_oneof![
        4 => half_size().prop_map(|half_size| Terrain::Block { half_size }),
        1 => half_size().prop_map(|half_size| Terrain::Arena { half_size }),
        3 => (place(), place()).prop_map(|(a, b)| Terrain::Segment { a, b }),
        1 => prop_oneof![Just(0.0_f32), Just(0.5)].prop_map(|radius| Terrain::Circle { radius }),
        1 => prop::collection::vec(place(), 3..6).prop_map(|points| Terrain::Polygon { points }),
        1 => prop::collection::vec(place(), 2..6).prop_map(|points| Terrain::Polyline { points }),
        2 => (1_u8..4, angle(), prop_oneof![Just(std::f32::consts::PI), Just(7.0_f32), 0.1_f32..6.2])
            .prop_map(|(radius, start, extent)| Terrain::Arc { radius: radius.into(), start, extent }),
        // Rejected.
        1 => Just(Terrain::Circle { radius: -1.0 }),
    ]
}

fn angle() -> impl Strategy<Value = f32> {
    prop_oneof![3 => Just(0.0_f32), 1 => Just(std::f32::consts::FRAC_PI_2), 1 => -3.0_f32..3.0]
}

fn restitution() -> impl Strategy<Value = Option<f32>> {
    prop_oneof![3 => Just(None), 1 => Just(Some(0.5)), 1 => (0.0_f32..1.0).prop_map(Some), 1 => Just(Some(2.0))]
}

#[derive(Clone, Debug)]
enum Edit {
    Spawn(u64, Terrain, Vec2, f32, Option<f32>),
    Despawn(Index),
    Move(Index, Vec2),
    /// By a small distance, so that corners separate and coincide.
    Nudge(Index, Vec2),
    PathVertex(Index, f32),
    Reshape(Index, Terrain),
    Restitution(Index, Option<f32>),
    Number(Index, u64),
    Hide(Index),
    Show(Index),
}

fn edit() -> impl Strategy<Value = Edit> {
    let spawn = (0_u64..40, shape(), place(), angle(), restitution());
    let index = any::<Index>;
    prop_oneof![
        4 => spawn.prop_map(|(id, shape, at, angle, e)| Edit::Spawn(id, shape, at, angle, e)),
        1 => index().prop_map(Edit::Despawn),
        4 => (index(), place()).prop_map(|(i, at)| Edit::Move(i, at)),
        4 => (index(), -4_i8..4, -4_i8..4).prop_map(|(i, x, y)| Edit::Nudge(i, Vec2::new(x.into(), y.into()) * 4e-7)),
        1 => (index(), angle()).prop_map(|(i, angle)| Edit::PathVertex(i, angle)),
        1 => (index(), shape()).prop_map(|(i, shape)| Edit::Reshape(i, shape)),
        1 => (index(), restitution()).prop_map(|(i, e)| Edit::Restitution(i, e)),
        1 => (index(), 0_u64..40).prop_map(|(i, id)| Edit::Number(i, id)),
        1 => index().prop_map(Edit::Hide),
        1 => index().prop_map(Edit::Show),
    ]
}

/// Makes a change. `pieces` are all entities, including hidden ones.
fn make(world: &mut World, pieces: &mut Vec<Entity>, edit: Edit) {
    let pick = |index: Index| pieces[index.index(pieces.len())];
    match edit {
        Edit::Spawn(id, shape, at, angle, e) => {
            let mut piece = world.spawn((shape, Position(at), Rotation(angle), StableId(id)));
            if let Some(e) = e {
                piece.insert(Restitution(e));
            }
            pieces.push(piece.id());
        }
        _ if pieces.is_empty() => {}
        Edit::Despawn(index) => {
            let piece = pieces.swap_remove(index.index(pieces.len()));
            world.despawn(piece);
        }
        Edit::Move(index, at) => world.get_mut::<Position>(pick(index)).expect("it has one").0 = at,
        Edit::Nudge(index, by) => world.get_mut::<Position>(pick(index)).expect("it has one").0 += by,
        Edit::PathVertex(index, angle) => world.get_mut::<Rotation>(pick(index)).expect("it has one").0 = angle,
        Edit::Reshape(index, shape) => *world.get_mut::<Terrain>(pick(index)).expect("it has one") = shape,
        Edit::Restitution(index, Some(e)) => drop(world.entity_mut(pick(index)).insert(Restitution(e))),
        Edit::Restitution(index, None) => drop(world.entity_mut(pick(index)).remove::<Restitution>()),
        Edit::Number(index, id) => drop(world.entity_mut(pick(index)).insert(StableId(id))),
        Edit::Hide(index) => drop(world.entity_mut(pick(index)).insert(Disabled)),
        Edit::Show(index) => drop(world.entity_mut(pick(index)).remove::<Disabled>()),
    }
}

fn app() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PhysicsPlugins::default()));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.update();
    app
}

fn cases() -> ProptestConfig {
    ProptestConfig {
        max_shrink_iters: 2_000,
        ..ProptestConfig::with_cases(if cfg!(debug_assertions) { 32 } else { 256 })
    }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn changes_piece_by_piece_give_what_building_anew_gives(
        first in prop::collection::vec(edit(), 0..80),
        ticks in prop::collection::vec(prop::collection::vec(edit(), 1..4), 1..12),
        questions in prop::collection::vec((place(), place()), 8),
    ) {
        let mut app = app();
        let mut pieces = Vec::new();
        let mut version = None;
        for edits in [first].into_iter().chain(ticks) {
            for edit in edits {
                make(app.world_mut(), &mut pieces, edit);
            }
            let before = app.world().resource::<PhysicsSpace>().walls().to_vec();
            app.update();
            let mut snapshot = SystemState::<Snapshot>::new(app.world_mut());
            let anew = snapshot.get(app.world()).expect("terrain can be read").space();
            let space = app.world().resource::<PhysicsSpace>();
            prop_assert_eq!(&space.terrain.walls, &anew.terrain.walls);
            prop_assert_eq!(&space.terrain.fixed_circles, &anew.terrain.fixed_circles);
            check_questions(space, &questions)?;
            check_questions(&anew, &questions)?;
            prop_assert!(before == space.terrain.walls || version != Some(space.terrain.index.version()));
            version = Some(space.terrain.index.version());
        }
    }

    #[test]
    fn the_index_welds_corners_as_looking_at_everything_does(
        pieces in prop::collection::vec((shape(), place(), angle(), restitution()), 0..60),
    ) {
        let mut space = PhysicsSpace::default();
        for (i, (shape, at, angle, e)) in pieces.iter().enumerate() {
            if shape.check().is_ok() {
                let entity = Entity::from_raw_u32(i as u32).expect("it is a small number");
                space.add_terrain(entity, shape, Position(*at), Rotation(*angle), *e);
            }
        }
        let (walls, fixed_circles) = by_looking_at_everything(&space.terrain.walls, &space.terrain.fixed_circles, closest_point);
        space.finish_terrain();
        prop_assert_eq!(&space.terrain.walls, &walls);
        prop_assert_eq!(&space.terrain.fixed_circles, &fixed_circles);
        let corners = corners(&space);
        for &(corner, _) in &corners {
            space.terrain.fixed_circles[corner as usize].walls.clear();
        }
        corner_directions_by_wall(&corners, &space.terrain.walls, |corner, along, _| {
            space.terrain.fixed_circles[corner as usize].walls.push(along);
        });
        prop_assert_eq!(&space.terrain.fixed_circles, &fixed_circles, "wall by wall");
    }

    #[test]
    fn terrain_on_a_lattice_is_what_it_has_always_been(
        pieces in prop::collection::vec(((1_u8..3, 1_u8..3), (-8_i8..8, -8_i8..8), restitution()), 0..60),
    ) {
        let mut space = PhysicsSpace::default();
        for &((width, height), (x, y), e) in &pieces {
            let half_size = Vec2::new(width.into(), height.into()) * 0.5;
            let at = Vec2::new(x.into(), y.into()) * 0.5;
            space.add_terrain(Entity::PLACEHOLDER, &Terrain::Block { half_size }, Position(at), Rotation(0.0), e);
        }
        // The original formula, in f32.
        let (walls, fixed_circles) = by_looking_at_everything(&space.terrain.walls, &space.terrain.fixed_circles, |wall, place| {
            let along = wall.b - wall.a;
            let share = (place - wall.a).dot(along) / along.length_squared();
            wall.a + along * share.clamp(0.0, 1.0)
        });
        prop_assert_eq!(&space.terrain.walls, &walls, "ends that are the same stay as they are");
        space.finish_terrain();
        prop_assert_eq!(&space.terrain.walls, &walls);
        prop_assert_eq!(&space.terrain.fixed_circles, &fixed_circles);
    }
}

#[test]
fn walls_that_end_a_rounding_apart_end_in_one_place() {
    let mut space = PhysicsSpace::default();
    let (joint, beside) = (Vec2::new(0.1, 0.3), Vec2::new(0.1, 0.300_000_04));
    assert_ne!(joint, beside);
    for (a, b) in [(Vec2::new(-1.0, 0.0), joint), (beside, Vec2::new(1.0, 0.1))] {
        space.add_terrain(Entity::PLACEHOLDER, &Terrain::Segment { a, b }, Position::default(), Rotation(0.0), None);
    }
    space.finish_terrain();
    assert_eq!((space.terrain.walls[0].b, space.terrain.walls[1].a), (joint, joint));
    assert_eq!((space.terrain.fixed_circles.len(), space.terrain.fixed_circles[1].walls.len()), (3, 2));
}

#[test]
fn ten_thousand_walls_that_start_in_one_spot_are_no_trap() {
    let mut app = app();
    let spoke = |i: u16| (bevy::math::ops::cos(f32::from(i)), bevy::math::ops::sin(f32::from(i)));
    let spokes: Vec<Entity> = (0..10_000)
        .map(|i| app.world_mut().spawn(Terrain::Segment { a: Vec2::ZERO, b: Vec2::from(spoke(i)) * 10.0 }).id())
        .collect();
    app.update();
    let fixed_circles = |app: &App| app.world().resource::<PhysicsSpace>().fixed_circles().len();
    assert_eq!(fixed_circles(&app), 10_001);
    app.world_mut().get_mut::<Position>(spokes[0]).expect("it has one").0 = Vec2::X;
    app.update();
    assert_eq!(fixed_circles(&app), 10_002);
    app.world_mut().get_mut::<Position>(spokes[0]).expect("it has one").0 = Vec2::ZERO;
    app.update();
    assert_eq!(fixed_circles(&app), 10_001);
    assert_eq!(app.world().resource::<PhysicsSpace>().fixed_circles()[0].walls.len(), 10_000);
}

/// The corners of a space with their positions.
fn corners(space: &PhysicsSpace) -> Vec<(u32, Vec2)> {
    corners_among(0..space.terrain.fixed_circles.len() as u32, &space.terrain.fixed_circles).collect()
}

/// A space with these segments.
fn with_segments(segments: impl IntoIterator<Item = [Vec2; 2]>) -> PhysicsSpace {
    let mut space = PhysicsSpace::default();
    for [a, b] in segments {
        space.add_terrain(Entity::PLACEHOLDER, &Terrain::Segment { a, b }, Position::default(), Rotation(0.0), None);
    }
    space.finish_terrain();
    space
}

/// Random positions in a square of two metres.
fn scattered() -> impl FnMut() -> Vec2 {
    // The generator of Knuth's MMIX.
    let mut state = 1_u64;
    let mut share = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1_u64 << 23) as f32 - 1.0
    };
    move || Vec2::new(share(), share())
}

#[test]
fn four_times_as_many_walls_that_cross_take_eight_times_the_work() {
    let work = |count: usize| {
        let mut place = scattered();
        let space = with_segments((0..count).map(|_| [place(), place()]));
        let (corners, mut directions) = (corners(&space), 0);
        let looked_at =
            corner_directions(&corners, &space.terrain.walls, &space.terrain.index, |_, _, _| directions += 1);
        assert!(corners.len() > 2 * count - 10 && directions >= 2 * count, "{count} walls have their ends");
        looked_at
    };
    let [few, many] = [3_000, 12_000].map(work);
    // As if every wall were compared with every corner near it, sixteen times.
    assert!(many < 10 * few, "{few} boxes for 3,000 walls, {many} for 12,000");
}

#[test]
fn walls_that_lie_on_each_other_take_memory_in_proportion_to_their_number() {
    const COUNT: usize = 20_000;
    // All in one line, each across a third of the others. All their directions would take several gigabytes.
    let mut place = scattered();
    let space = with_segments((0..COUNT).map(|_| [place(), place()].map(|place| Vec2::new(place.x, 0.0))));
    let directions: usize = space.terrain.fixed_circles.iter().map(|circle| circle.walls.len()).sum();
    assert!(
        space.terrain.fixed_circles.len() > COUNT && directions <= 2 * COUNT * (1 + 2 * MOST_THROUGH),
        "{directions}"
    );
    let fullest = space.terrain.fixed_circles.iter().map(|circle| circle.walls.len()).max();
    assert!(fullest >= Some(2 * MOST_THROUGH), "walls that run through corners are found");
}

#[test]
fn the_first_walls_that_run_through_a_corner_are_its_walls_whatever_has_changed() {
    let mut app = app();
    let segment = |a: Vec2, b: Vec2| Terrain::Segment { a, b };
    let mut world_walls: Vec<Entity> = Vec::new();
    for i in 0..2 * MOST_THROUGH as u16 {
        let across = Vec2::new(bevy::math::ops::cos(f32::from(i)), bevy::math::ops::sin(f32::from(i)));
        world_walls.push(app.world_mut().spawn(segment(-across, across)).id());
        world_walls.push(app.world_mut().spawn(segment(Vec2::ZERO, across.perp() * 2.0)).id());
    }
    for (what, at) in [None, Some((0, Vec2::Y)), Some((6, Vec2::Y)), Some((0, Vec2::ZERO)), Some((9, Vec2::X))]
        .into_iter()
        .enumerate()
    {
        if let Some((wall, place)) = at {
            app.world_mut().get_mut::<Position>(world_walls[wall]).expect("it has one").0 = place;
        }
        app.update();
        let mut snapshot = SystemState::<Snapshot>::new(app.world_mut());
        let anew = snapshot.get(app.world()).expect("terrain can be read").space();
        let space = app.world().resource::<PhysicsSpace>();
        assert_eq!(space.terrain.fixed_circles, anew.terrain.fixed_circles, "change {what}");
        let middle =
            space.terrain.fixed_circles.iter().find(|circle| circle.centre == Vec2::ZERO).expect("there is one");
        let ends = if what == 4 { 2 * MOST_THROUGH - 1 } else { 2 * MOST_THROUGH };
        assert_eq!(middle.walls.len(), ends + 2 * MOST_THROUGH, "change {what}");
    }
}

#[test]
fn terrain_can_be_finished_again_after_more_was_added() {
    let add = |space: &mut PhysicsSpace, x: f32| {
        let block = Terrain::Block { half_size: Vec2::splat(0.5) };
        space.add_terrain(Entity::PLACEHOLDER, &block, Position(Vec2::new(x, 0.0)), Rotation(0.0), None);
    };
    let (mut twice, mut once) = (PhysicsSpace::default(), PhysicsSpace::default());
    for x in [0.0, 1.0] {
        add(&mut twice, x);
        twice.finish_terrain();
        add(&mut once, x);
    }
    once.finish_terrain();
    assert_eq!((twice.walls(), twice.fixed_circles()), (once.walls(), once.fixed_circles()));
}

#[test]
fn a_corner_on_a_long_wall_is_on_it() {
    // In f32, the share of the way along the wall is known to about 1e-4 m here, and the corner to 1e-8.
    let mut space = PhysicsSpace::default();
    for (a, b) in [(Vec2::new(-1000.0, 0.0), Vec2::new(777.0, 0.0)), (Vec2::new(0.1, 0.0), Vec2::new(0.1, -1.0))] {
        space.add_terrain(Entity::PLACEHOLDER, &Terrain::Segment { a, b }, Position::default(), Rotation(0.0), None);
    }
    space.finish_terrain();
    assert_eq!(space.terrain.fixed_circles[2].walls.len(), 3, "both ways along the long wall, and down");
}

/// Prints the cost of changes among 100,000 walls.
#[test]
#[ignore = "a measurement"]
fn what_changes_cost() {
    let mut app = app();
    let block = || Terrain::Block { half_size: Vec2::splat(0.5) };
    for i in 0..25_000_u16 {
        app.world_mut().spawn((block(), Position(Vec2::new(f32::from(i % 160), f32::from(i / 160)) * 1.5)));
    }
    let one = app.world_mut().spawn((block(), Position(Vec2::splat(-5.0)))).id();
    let tick = |app: &mut App, what: &str| {
        let start = std::time::Instant::now();
        app.update();
        println!("{what}: {:?}", start.elapsed());
    };
    tick(&mut app, "built");
    tick(&mut app, "still");
    for at in [Vec2::splat(-4.0), Vec2::splat(-1.0), Vec2::new(-1.0, 0.5)] {
        app.world_mut().get_mut::<Position>(one).expect("it has one").0 = at;
        tick(&mut app, "moved, the second time to share a corner");
    }
    app.world_mut().spawn((block(), Position(Vec2::splat(-9.0))));
    tick(&mut app, "came");
    app.world_mut().despawn(one);
    tick(&mut app, "went");
}
