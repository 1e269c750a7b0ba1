//! Walls and corners: the two experiments of the article on corners, and that no contact is resolved twice.

use bevy::prelude::*;
use carom::prelude::*;

use crate::support;

fn block(app: &mut App, half_size: Vec2, centre: Vec2) -> Entity {
    app.world_mut().spawn((Terrain::Block { half_size }, Position(centre))).id()
}

#[test]
fn a_disc_that_hits_a_corner_at_45_degrees_leaves_at_a_right_angle() {
    let mut app = support::app();
    support::settings(&mut app, |s| s.substeps = 8);
    // The corner is at the origin. At contact, the centre is on the diagonal at a distance of 0.5.
    block(&mut app, Vec2::splat(1.0), Vec2::splat(-1.0));
    let reach = 0.5 / 2.0_f32.sqrt();
    let disc = support::disc(&mut app, Vec2::new(reach + 3.0, reach), Vec2::new(-6.0, 0.0));
    support::ticks(&mut app, 30);
    let touch = support::collisions(&mut app);
    assert_eq!(touch.len(), 1, "{touch:?}");
    let (at, speed) = (support::position(&app, disc), support::velocity(&app, disc));
    // The disc moves up to 6 / 480 = 0.0125 m into the corner before a substep detects it, which rotates the normal by
    // that much.
    assert!(speed.x.abs() < 0.15 && (speed.y - 6.0).abs() < 0.01, "{speed}");
    assert!((at.x - reach).abs() < 0.1, "{at}");
    assert!((speed.length() - 6.0).abs() < 1e-5);
}

#[test]
fn a_disc_aimed_at_the_corner_goes_back_where_it_came_from() {
    let mut app = support::app();
    block(&mut app, Vec2::splat(1.0), Vec2::splat(-1.0));
    let start = Vec2::splat(2.0);
    let disc = support::disc(&mut app, start, Vec2::splat(-3.0));
    let mut came = Vec::new();
    for _ in 0..70 {
        support::ticks(&mut app, 1);
        came.push(support::position(&app, disc));
    }
    assert!((support::velocity(&app, disc) - Vec2::splat(3.0)).length() < 1e-5);
    let farthest = came.iter().map(|p| (p.x - p.y).abs()).fold(0.0, f32::max);
    assert!(farthest < 1e-5, "it left the diagonal by {farthest}");
}

#[test]
fn two_blocks_with_a_common_edge_are_one_wall() {
    // A disc that slides along the seam of two blocks must not notice it, and a disc that falls on the seam is resolved
    // once.
    let mut app = support::app();
    for x in [-2.0, 0.0, 2.0] {
        block(&mut app, Vec2::splat(1.0), Vec2::new(x, -1.0));
    }
    app.world_mut().resource_mut::<MotionSettings>().gravity = Vec2::new(0.0, -10.0);
    support::settings(&mut app, |s| s.terrain_restitution = 0.0);
    let disc = support::disc(&mut app, Vec2::new(-2.5, 0.5), Vec2::new(2.0, 0.0));
    for _ in 0..130 {
        support::ticks(&mut app, 1);
        let (p, v) = (support::position(&app, disc), support::velocity(&app, disc));
        assert!((p.y - 0.5).abs() < 2e-3 && (v.x - 2.0).abs() < 1e-6, "at {p} with {v}");
    }
    let mut app = support::app();
    block(&mut app, Vec2::splat(1.0), Vec2::new(-1.0, -1.0));
    block(&mut app, Vec2::splat(1.0), Vec2::new(1.0, -1.0));
    support::settings(&mut app, |s| s.terrain_restitution = 0.5);
    let disc = support::disc(&mut app, Vec2::new(0.0, 2.0), Vec2::new(0.0, -5.0));
    support::ticks(&mut app, 60);
    assert_eq!(support::collisions(&mut app).len(), 1);
    assert!((support::velocity(&app, disc).y - 2.5).abs() < 1e-6);
}

#[test]
fn an_edge_and_its_end_act_once() {
    // The disc comes down close to the end of the edge, nearer to it than its radius.
    for offset in [-0.4_f32, -0.2, -0.05, 0.0, 0.05, 0.2, 0.4] {
        let mut app = support::app();
        support::settings(&mut app, |s| {
            s.terrain_restitution = 0.5;
            s.substeps = 4;
        });
        app.world_mut().spawn(Terrain::Segment { a: Vec2::new(-3.0, 0.0), b: Vec2::ZERO });
        let disc = support::disc(&mut app, Vec2::new(offset, 2.0), Vec2::new(0.0, -5.0));
        support::ticks(&mut app, 60);
        let hits = support::collisions(&mut app);
        assert_eq!(hits.len(), 1, "offset {offset}: {hits:?}");
        if offset <= 0.0 {
            assert!((support::velocity(&app, disc) - Vec2::new(0.0, 2.5)).length() < 1e-5, "offset {offset}");
        }
    }
}

#[test]
fn a_disc_that_would_cut_past_the_end_of_a_wall_bounces_off_the_end() {
    // Straight on, one tick would take it past the end to below the wall, without its centre crossing it.
    let (from, to) = (Vec2::new(0.6, 0.5), Vec2::new(-0.1, -0.4));
    for substeps in [1, 2, 7] {
        let mut app = support::app();
        support::settings(&mut app, |settings| settings.substeps = substeps);
        app.world_mut().spawn(Terrain::Segment { a: Vec2::new(-3.0, 0.0), b: Vec2::ZERO });
        let disc = support::disc(&mut app, from, (to - from) * 60.0);
        support::ticks(&mut app, 1);
        let (at, velocity) = (support::position(&app, disc), support::velocity(&app, disc));
        assert!(at.length() > 0.5 && at.y > 0.0, "{substeps} substeps: {at}");
        assert!((velocity.length() / ((to - from) * 60.0).length() - 1.0).abs() < 1e-6);
        assert_eq!(support::collisions(&mut app).len(), 1);
    }
}

#[test]
fn a_disc_that_was_put_across_the_end_of_a_wall_is_on_the_side_where_it_is() {
    let mut app = support::app();
    app.world_mut().spawn(Terrain::Segment { a: Vec2::new(-3.0, 0.0), b: Vec2::ZERO });
    let disc = support::disc(&mut app, Vec2::new(-0.1, -0.4), Vec2::new(0.0, -1e-3));
    support::ticks(&mut app, 1);
    let at = support::position(&app, disc);
    assert!((at - Vec2::new(-0.1, -0.5)).length() < 1e-4, "pushed out below, not above: {at}");
    assert_eq!(support::velocity(&app, disc), Vec2::new(0.0, -1e-3), "it recedes: no hit");
}

#[test]
fn a_corridor_too_narrow_for_a_disc_does_not_throw_it_out() {
    for speed in [0.5, 5.0, 50.0] {
        let mut app = support::app();
        for y in [-0.4, 0.4] {
            let tilt = 0.05 * y;
            let (a, b) = (Vec2::new(-5.0, y + tilt), Vec2::new(5.0, y - tilt));
            app.world_mut().spawn(Terrain::Segment { a, b });
        }
        let disc = support::disc(&mut app, Vec2::new(-3.0, 0.0), Vec2::new(speed, 0.3 * speed));
        for _ in 0..120 {
            support::ticks(&mut app, 1);
            let at = support::position(&app, disc);
            assert!(at.x.abs() > 5.0 || at.y.abs() < 0.45, "{speed} m/s: thrown through a wall to {at}");
        }
    }
}

#[test]
fn a_junction_of_walls_is_no_bump() {
    // A disc that rolls along the top of a wall must not notice another wall that ends there from below.
    let mut app = support::app();
    app.world_mut().spawn(Terrain::Segment { a: Vec2::new(-5.0, 0.0), b: Vec2::new(5.0, 0.0) });
    app.world_mut().spawn(Terrain::Segment { a: Vec2::ZERO, b: Vec2::new(0.3, -2.0) });
    app.world_mut().resource_mut::<MotionSettings>().gravity = Vec2::new(0.0, -10.0);
    support::settings(&mut app, |s| s.terrain_restitution = 0.0);
    let disc = support::disc(&mut app, Vec2::new(-2.0, 0.5), Vec2::new(2.0, 0.0));
    for _ in 0..120 {
        support::ticks(&mut app, 1);
        assert!((support::velocity(&app, disc).x - 2.0).abs() < 1e-6, "{}", support::velocity(&app, disc));
    }
}

#[test]
fn the_two_walls_of_an_inner_corner_turn_a_disc_straight_back() {
    let mut app = support::app();
    app.world_mut().spawn(Terrain::Arena { half_size: Vec2::splat(3.0) });
    let disc = support::disc(&mut app, Vec2::splat(1.0), Vec2::splat(4.0));
    support::ticks(&mut app, 60);
    assert_eq!(support::velocity(&app, disc), Vec2::splat(-4.0));
    assert_eq!(support::collisions(&mut app).len(), 2, "one hit with each wall");
}

#[test]
fn the_angle_of_a_bounce_off_a_turned_block() {
    let mut app = support::app();
    app.world_mut().spawn((
        Terrain::Block { half_size: Vec2::new(5.0, 1.0) },
        Rotation(std::f32::consts::FRAC_PI_4),
        Position(Vec2::ZERO),
    ));
    let disc = support::disc(&mut app, Vec2::new(-3.0, 1.0), Vec2::new(3.0, 0.0));
    support::ticks(&mut app, 60);
    let v = support::velocity(&app, disc);
    assert!((v - Vec2::new(0.0, 3.0)).length() < 1e-5, "{v}");
}

#[test]
fn a_rectangle_of_segments_bounces_like_a_block() {
    let run = |pieces: Vec<Terrain>| {
        let mut app = support::app();
        for piece in pieces {
            app.world_mut().spawn(piece);
        }
        let discs: Vec<Entity> = (0..24)
            .map(|i| {
                let angle = i as f32 * std::f32::consts::TAU / 24.0;
                let direction = Vec2::from_angle(angle + 0.01);
                support::disc(&mut app, direction * 8.0, -direction * 4.0)
            })
            .collect();
        // Their mutual collisions are not tested here.
        for (i, &disc) in discs.iter().enumerate() {
            app.world_mut().entity_mut(disc).insert(Radius(0.01 + 0.01 * i as f32));
        }
        support::ticks(&mut app, 120);
        discs.iter().map(|&disc| support::position(&app, disc)).collect::<Vec<_>>()
    };
    let h = Vec2::new(2.0, 1.0);
    let corners = [-h, Vec2::new(h.x, -h.y), h, Vec2::new(-h.x, h.y)];
    let segments = (0..4).map(|i| Terrain::Segment { a: corners[i], b: corners[(i + 1) % 4] }).collect();
    let block = run(vec![Terrain::Block { half_size: h }]);
    assert_eq!(block, run(segments));
    assert_eq!(block, run(vec![Terrain::Polygon { points: corners.to_vec() }]));
}

#[test]
fn bounces_under_gravity_die_out_when_the_sum_says() {
    // Dropped from rest, the series of bounces ends at t0 (1 + e) / (1 - e), where t0 is the time to the first impact.
    let mut app = support::app();
    app.world_mut().resource_mut::<Playback>().tick_rate = Some(1000.0);
    app.world_mut().resource_mut::<MotionSettings>().gravity = Vec2::new(0.0, -10.0);
    support::settings(&mut app, |s| {
        s.terrain_restitution = 0.5;
        s.substeps = 8;
    });
    app.world_mut().spawn(Terrain::Segment { a: Vec2::new(-5.0, 0.0), b: Vec2::new(5.0, 0.0) });
    let disc = support::disc(&mut app, Vec2::new(0.0, 0.5 + 1.25), Vec2::ZERO);
    support::ticks(&mut app, 1);
    let mut last_flight = 0;
    for tick in 0..2500 {
        support::ticks(&mut app, 1);
        if support::position(&app, disc).y > 0.5 + 1e-3 {
            last_flight = tick;
        }
    }
    // t0 = 0.5 s, so the end is at 1.5 s; a hop below the threshold of a millimetre takes up to 0.03 s.
    assert!((1440..=1510).contains(&last_flight), "in the air until {last_flight} ms");
}
