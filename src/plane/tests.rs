//! Tests of the table as a whole: discs on rectangles that are static, move, appear and disappear.

use bevy::{prelude::*, time::TimeUpdateStrategy};
use proptest::prelude::*;

use super::{PlaneSettings, SettledRect, TableEdge, TableOutline};
use crate::{PhysicsPlugins, components::MoveTo, prelude::*};

const STEP: f32 = 1.0 / 60.0;

fn app(mode: SolverMode) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PhysicsPlugins::default()));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.insert_resource(Time::<Fixed>::from_hz(60.0));
    app.insert_resource(CollisionSettings { mode, ..default() });
    app.update();
    app
}

fn ticks(app: &mut App, count: usize) {
    for _ in 0..count {
        app.update();
    }
}

fn rect(app: &mut App, rect: Rect) -> Entity {
    app.world_mut().spawn(TableRect(rect)).id()
}

fn disc(app: &mut App, position: Vec2, velocity: Vec2, radius: f32) -> Entity {
    app.world_mut().spawn((Disc, Position(position), Velocity(velocity), Radius(radius))).id()
}

fn motion(app: &App, disc: Entity) -> (Vec2, Vec2) {
    (app.world().get::<Position>(disc).unwrap().0, app.world().get::<Velocity>(disc).unwrap().0)
}

fn put(app: &mut App, entity: Entity, at: Rect) {
    app.world_mut().get_mut::<TableRect>(entity).unwrap().0 = at;
}

const MODES: [SolverMode; 2] = [SolverMode::Stepped, SolverMode::Continuous];

#[test]
fn a_disc_passes_where_two_touch_and_bounces_elsewhere() {
    for mode in MODES {
        let mut app = app(mode);
        // The right one is a metre higher and reaches farther up.
        rect(&mut app, Rect::new(0.0, 0.0, 4.0, 3.0));
        rect(&mut app, Rect::new(4.0, 1.0, 8.0, 5.0));
        let through = disc(&mut app, vec2(3.0, 2.0), vec2(3.0, 0.0), 0.25);
        let back = disc(&mut app, vec2(3.0, 0.5), vec2(3.0, 0.0), 0.25);
        ticks(&mut app, 60);
        let (at, velocity) = motion(&app, through);
        assert!(at.distance(vec2(6.0, 2.0)) < 1e-4 && velocity == vec2(3.0, 0.0), "{mode:?}: {at} {velocity}");
        let (at, velocity) = motion(&app, back);
        assert!(at.distance(vec2(1.5, 0.5)) < 1e-4 && velocity == vec2(-3.0, 0.0), "{mode:?}: {at} {velocity}");
        assert_eq!(app.world().resource::<TableOutline>().loops().len(), 1);
    }
}

#[test]
fn a_disc_that_is_left_outside_comes_in_by_the_nearest_way_with_its_velocity() {
    for mode in MODES {
        let mut app = app(mode);
        rect(&mut app, Rect::new(0.0, 0.0, 4.0, 3.0));
        let right = rect(&mut app, Rect::new(4.0, 0.0, 8.0, 3.0));
        let inside = disc(&mut app, vec2(1.0, 1.0), Vec2::ZERO, 0.25);
        let left = disc(&mut app, vec2(5.0, 2.0), vec2(-1.0, 0.0), 0.25);
        let nowhere = disc(&mut app, vec2(-90.0, 40.0), Vec2::ZERO, 0.5);
        let large = disc(&mut app, vec2(40.0, 2.5), Vec2::ZERO, 9.0);
        app.world_mut().entity_mut(large).insert(InPocket { pocket: right });
        ticks(&mut app, 1);
        put(&mut app, right, Rect::new(0.0, 40.0, 4.0, 43.0));
        ticks(&mut app, 1);
        assert_eq!(motion(&app, inside), (vec2(1.0, 1.0), Vec2::ZERO), "{mode:?}");
        let (at, velocity) = motion(&app, left);
        assert!(at.distance(vec2(3.75 - STEP, 2.0)) < 1e-5 && velocity == vec2(-1.0, 0.0), "{mode:?}: {at} {velocity}");
        assert!(motion(&app, nowhere).0.distance(vec2(0.5, 2.5)) < 1e-5, "{mode:?}: {}", motion(&app, nowhere).0);
        assert_eq!(motion(&app, large).0, vec2(40.0, 2.5), "it is in no play");
        // Now it fits nowhere, and is as far inside as possible.
        app.world_mut().entity_mut(large).remove::<InPocket>();
        ticks(&mut app, 1);
        let outline = app.world().resource::<TableOutline>().clone();
        assert!(outline.contains(motion(&app, large).0), "{mode:?}: {}", motion(&app, large).0);
    }
}

#[test]
fn an_edge_stays_the_same_entity_while_it_moves_and_goes_with_its_rectangle() {
    let mut app = app(SolverMode::Stepped);
    let one = rect(&mut app, Rect::new(0.0, 0.0, 4.0, 3.0));
    let two = rect(&mut app, Rect::new(2.0, 2.0, 6.0, 5.0));
    ticks(&mut app, 1);
    let edges = |app: &mut App| {
        let mut edges: Vec<(TableEdge, Entity)> =
            app.world_mut().query::<(&TableEdge, Entity)>().iter(app.world()).map(|(edge, it)| (*edge, it)).collect();
        edges.sort_unstable();
        edges
    };
    let first = edges(&mut app);
    assert_eq!(first.len(), 8);
    put(&mut app, two, Rect::new(2.4, 1.9, 6.1, 5.0));
    ticks(&mut app, 20);
    assert_eq!(edges(&mut app), first);
    assert_eq!(app.world().get::<SettledRect>(two).unwrap().rect, Rect::new(2.4, 1.9, 6.1, 5.0));
    // A scene that starts removes all terrain.
    app.world_mut().entity_mut(first[0].1).despawn();
    ticks(&mut app, 1);
    assert_eq!(edges(&mut app).len(), 8);
    app.world_mut().entity_mut(two).despawn();
    ticks(&mut app, 1);
    let left: Vec<Entity> = edges(&mut app).iter().map(|(edge, _)| edge.rect).collect();
    assert_eq!(left, [one; 4]);
    // Without an area it stays; without a rectangle there is no table.
    put(&mut app, one, Rect::new(1.0, 1.0, 1.0, 1.0));
    ticks(&mut app, 1);
    assert_eq!(edges(&mut app).len(), 4);
    app.world_mut().entity_mut(one).despawn();
    ticks(&mut app, 1);
    assert_eq!(edges(&mut app).len(), 0);
    assert_eq!(app.world().resource::<PhysicsSpace>().walls().len(), 0);
    assert!(app.world().resource::<TableOutline>().edges().is_empty());
}

/// A table that follows at once, so that its speed is known, with elastic hits.
fn at_once(app: &mut App) {
    app.insert_resource(PlaneSettings { delay: 0.0, ..default() });
}

#[test]
fn an_edge_that_is_dragged_hits_as_the_moving_wall_that_it_is() {
    for mode in MODES {
        for substeps in [1, 3] {
            let mut app = app(mode);
            at_once(&mut app);
            app.world_mut().resource_mut::<CollisionSettings>().substeps = substeps;
            let room = rect(&mut app, Rect::new(0.0, 0.0, 6.0, 3.0));
            let still = disc(&mut app, vec2(0.8, 1.5), Vec2::ZERO, 0.25);
            let against = disc(&mut app, vec2(2.0, 0.5), vec2(-3.0, 0.0), 0.25);
            let away = disc(&mut app, vec2(0.5, 2.5), vec2(2.5, 0.0), 0.25);
            ticks(&mut app, 1);
            // Two metres a second to the right: v' = 2 u - v.
            for tick in 1..=24 {
                let by = vec2(2.0 * STEP * tick as f32, 0.0);
                put(&mut app, room, Rect { min: by, max: vec2(6.0, 3.0) + by });
                ticks(&mut app, 1);
            }
            let velocities = [still, against, away].map(|disc| motion(&app, disc).1);
            let expected = [vec2(4.0, 0.0), vec2(7.0, 0.0), vec2(2.5, 0.0)];
            for (velocity, expected) in velocities.iter().zip(expected) {
                assert!(velocity.distance(expected) < 2e-4, "{mode:?}, {substeps}: {velocities:?}");
            }
            // It is at rest, so its wall is an ordinary one again.
            ticks(&mut app, 2);
            let moving = app.world_mut().query::<(&TableEdge, &MoveTo)>().iter(app.world()).count();
            assert_eq!(moving, 0);
        }
    }
}

#[test]
fn a_corner_between_two_rectangles_hits_with_the_velocity_of_both() {
    for mode in MODES {
        // The corner at (0, 1) moves down with the top of the narrow room, or left with the side of the wide one, or
        // both.
        for (down, left) in [(1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
            let mut app = app(mode);
            at_once(&mut app);
            let wide = rect(&mut app, Rect::new(-4.0, -4.0, 0.0, 4.0));
            let narrow = rect(&mut app, Rect::new(-2.0, -1.0, 4.0, 1.0));
            // In its way, half a metre away.
            let corner_velocity = -vec2(left, down);
            let from = vec2(-0.2, 0.5);
            let at = if left > 0.0 && down > 0.0 {
                vec2(-0.5, 0.6)
            } else if left > 0.0 {
                vec2(-0.5, 0.8)
            } else {
                from
            };
            let it = disc(&mut app, at, Vec2::ZERO, 0.25);
            ticks(&mut app, 1);
            let mut way = 0.0;
            while motion(&app, it).1 == Vec2::ZERO && way < 1.0 {
                way += STEP;
                put(&mut app, wide, Rect::new(-4.0, -4.0, -left * way, 4.0));
                put(&mut app, narrow, Rect::new(-2.0, -1.0, 4.0, 1.0 - down * way));
                ticks(&mut app, 1);
            }
            // The position of the corner when it touches: a root of |at - corner| = radius.
            let gap = at - vec2(0.0, 1.0);
            let (a, b, c) = (corner_velocity.length_squared(), gap.dot(corner_velocity), gap.length_squared() - 0.0625);
            let time = (b - (b * b - a * c).sqrt()) / a;
            let normal = (gap - corner_velocity * time) / 0.25;
            let expected = normal * (2.0 * corner_velocity.dot(normal));
            let velocity = motion(&app, it).1;
            let tolerance = if mode == SolverMode::Continuous { 2e-3 } else { 0.05 };
            assert!(velocity.distance(expected) < tolerance, "{mode:?}, {down}, {left}: {velocity} and not {expected}");
        }
    }
}

#[test]
fn a_dragged_table_loses_nobody_on_the_way() {
    for mode in MODES {
        let mut app = app(mode);
        let left = rect(&mut app, Rect::new(0.0, 0.0, 4.0, 3.0));
        let right = rect(&mut app, Rect::new(4.0, 0.5, 8.0, 3.5));
        let discs: Vec<Entity> = (0..24)
            .map(|k| {
                let at = vec2(0.6 + 0.9 * (k % 8) as f32, 0.9 + 0.7 * (k / 8) as f32);
                disc(&mut app, at, vec2(1.0, -0.7).rotate(Vec2::from_angle(k as f32)), 0.1 + 0.01 * (k % 9) as f32)
            })
            .collect();
        ticks(&mut app, 1);
        for tick in 0..400 {
            // Both oscillate at a few metres per second, toward each other and apart.
            let [a, b] = [37.0, 23.0].map(|slow| bevy::math::ops::sin(tick as f32 / slow));
            put(&mut app, left, Rect::new(0.3 * a, 0.4 * b, 4.0 + 0.3 * a, 3.0 + 0.4 * b));
            put(&mut app, right, Rect::new(4.0 - 0.5 * b, 0.5 + a, 8.0, 3.5 + a));
            ticks(&mut app, 1);
            let outline = app.world().resource::<TableOutline>().clone();
            for &disc in &discs {
                let (at, _) = motion(&app, disc);
                // Where two separate, a disc may be in the gap, and is moved inside in the next tick.
                let way = outline.nearest_place(at, 0.0).unwrap().distance(at);
                assert!(way < 0.08, "{mode:?}, tick {tick}: {at} is {way} m outside");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Rectangles are dragged, resized, minimised and thrown around: no disc is ever lost.
    #[test]
    fn no_disc_is_lost_whatever_the_rectangles_do(
        seed in 0..u64::MAX,
        stepped in any::<bool>(),
        substeps in 1..4_u32,
    ) {
        let mut dice = seed;
        let mut roll = move |low: f32, high: f32| {
            dice = dice.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            low + (high - low) * ((dice >> 40) as f32 / (1_u64 << 24) as f32)
        };
        let mut app = app(if stepped { SolverMode::Stepped } else { SolverMode::Continuous });
        app.world_mut().resource_mut::<CollisionSettings>().substeps = substeps;
        let mut rects: Vec<(Entity, Rect)> = Vec::new();
        for _ in 0..3 {
            let at = Rect::from_center_size(vec2(roll(-3.0, 3.0), roll(-2.0, 2.0)), vec2(roll(2.0, 6.0), roll(2.0, 4.0)));
            rects.push((rect(&mut app, at), at));
        }
        let discs: Vec<Entity> = (0..20)
            .map(|_| disc(&mut app, vec2(roll(-6.0, 6.0), roll(-5.0, 5.0)), vec2(roll(-9.0, 9.0), roll(-9.0, 9.0)), roll(0.05, 0.4)))
            .collect();
        ticks(&mut app, 1);
        for tick in 0..120 {
            for (entity, at) in &mut rects {
                if roll(0.0, 1.0) < 0.3 {
                    let by = vec2(roll(-0.2, 0.2), roll(-0.2, 0.2));
                    let grow = vec2(roll(-0.1, 0.1), roll(-0.1, 0.1));
                    *at = Rect::from_center_size(at.center() + by, (at.size() + grow).max(Vec2::splat(1.0)));
                }
                if roll(0.0, 1.0) < 0.01 {
                    *at = Rect::from_center_size(vec2(roll(-9.0, 9.0), roll(-9.0, 9.0)), at.size());
                }
                put(&mut app, *entity, *at);
            }
            ticks(&mut app, 1);
            let outline = app.world().resource::<TableOutline>().clone();
            for &disc in &discs {
                let (at, velocity) = motion(&app, disc);
                prop_assert!(at.is_finite() && velocity.is_finite());
                // A disc that a wall has just passed is moved inside in the next tick.
                let way = outline.nearest_place(at, 0.0).unwrap().distance(at);
                prop_assert!(way < 1.0, "tick {tick}: {at} is {way} m outside");
            }
        }
        // Once all are at rest, every disc is inside.
        ticks(&mut app, 60);
        let outline = app.world().resource::<TableOutline>().clone();
        for &disc in &discs {
            prop_assert!(outline.contains(motion(&app, disc).0));
        }
    }
}
