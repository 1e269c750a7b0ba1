//! Entity events of hits from the perspective of each side, and contacts: when they start, how long they last, and that
//! both modes agree.

use std::collections::BTreeSet;

use bevy::prelude::*;
use carom::prelude::*;

use crate::support;

/// What observers and readers received, in order.
#[derive(Resource, Default)]
struct Told {
    hits: Vec<CollisionEvent>,
    began: Vec<ContactStarted>,
    ended: Vec<ContactEnded>,
    messages: [usize; 2],
}

fn app(mode: SolverMode, substeps: u32) -> App {
    let mut app = support::app();
    support::settings(&mut app, |s| (s.mode, s.substeps) = (mode, substeps));
    app.init_resource::<Told>()
        .add_observer(|event: On<CollisionEvent>, mut told: ResMut<Told>| told.hits.push(*event))
        .add_observer(|event: On<ContactStarted>, mut told: ResMut<Told>| told.began.push(*event))
        .add_observer(|event: On<ContactEnded>, mut told: ResMut<Told>| told.ended.push(*event))
        .add_systems(FixedPostUpdate, count_messages.after(SimulationSystems));
    app
}

fn count_messages(
    mut told: ResMut<Told>,
    mut began: MessageReader<ContactStarted>,
    mut ended: MessageReader<ContactEnded>,
) {
    told.messages[0] += began.read().count();
    told.messages[1] += ended.read().count();
}

fn told(app: &App) -> &Told {
    app.world().resource::<Told>()
}

fn ask<B: Bundle + Clone>(app: &mut App, entities: &[Entity], bundle: &B) {
    for &entity in entities {
        app.world_mut().entity_mut(entity).insert(bundle.clone());
    }
}

const MODES: [(SolverMode, u32); 3] = [(SolverMode::Stepped, 1), (SolverMode::Stepped, 5), (SolverMode::Continuous, 1)];

#[test]
fn each_side_of_a_hit_sees_itself_first() {
    for (mode, substeps) in MODES {
        let mut app = app(mode, substeps);
        let a = support::disc(&mut app, Vec2::ZERO, Vec2::new(6.0, 0.0));
        let b = support::disc(&mut app, Vec2::new(2.0, 0.0), Vec2::new(-3.0, 1e-3));
        let wall = app.world_mut().spawn(Terrain::Segment { a: Vec2::new(3.0, -9.0), b: Vec2::new(3.0, 9.0) }).id();
        ask(&mut app, &[a, b, wall], &ReportCollisions);
        support::ticks(&mut app, 30);
        let hits = &told(&app).hits;
        assert_eq!(hits.len(), 4, "{mode:?}: {hits:?}");
        for (hit, other, side) in [(hits[0], b, -1.0), (hits[1], a, 1.0)] {
            assert_eq!((hit.entity == a, hit.other()), (side < 0.0, other));
            assert!((hit.normal() - Vec2::X * side).length() < 1e-2, "{}", hit.normal());
            let expected = Vec2::new(9.0, -1e-3) * -side;
            assert!((hit.relative_velocity() - expected).length() < 1e-5, "{mode:?}: {}", hit.relative_velocity());
            assert!((hit.approach_speed() + hit.relative_velocity().dot(hit.normal())).abs() < 1e-5);
        }
        // The disc that bounces off the wall is pushed to the left, the wall to the right.
        for (hit, other, side) in [(hits[2], wall, -1.0), (hits[3], b, 1.0)] {
            assert_eq!((hit.other(), hit.normal()), (other, Vec2::X * side));
            assert!((hit.relative_velocity().x + 6.0 * side).abs() < 1e-2 && hit.impulse() > 11.0, "{hit:?}");
        }
    }
}

#[test]
fn a_collision_holds_the_velocities_of_both_discs_just_before_and_just_after_it() {
    let (e, masses) = (0.8, [2.0, 5.0]);
    for (mode, substeps) in MODES {
        // Without friction, and with friction between the discs.
        for friction in [None, Some(Friction(0.2))] {
            let mut app = app(mode, substeps);
            support::settings(&mut app, |s| s.restitution = e);
            let starts = [vec2(6.0, 0.5), vec2(-3.0, 0.0)];
            let discs = [0, 1].map(|k| {
                let disc = support::disc(&mut app, Vec2::new(2.0 * k as f32, 0.2 * k as f32), starts[k]);
                app.world_mut().entity_mut(disc).insert(Mass(masses[k]));
                if let Some(friction) = friction {
                    app.world_mut().entity_mut(disc).insert(friction);
                }
                disc
            });
            // Longer than the hit: nothing changes their velocities before and after it.
            support::ticks(&mut app, 30);
            let hits = support::collisions(&mut app);
            assert_eq!(hits.len(), 1, "{mode:?}: {hits:?}");
            let n = hits[0].normal;
            let changes = discs.map(|disc| hits[0].velocity_of(disc).expect("it took part"));
            assert_eq!(changes.map(|change| change.before), starts, "{mode:?}");
            let ends = discs.map(|disc| support::velocity(&app, disc));
            assert_eq!(changes.map(|change| change.after), ends, "{mode:?}");
            // Along the line of centres: one-dimensional restitution. Sums of a few f32 near 6 round to 1e-5.
            let approach = (starts[0] - starts[1]).dot(n);
            let parts = (ends[1] - ends[0]).dot(n);
            assert!((parts - e * approach).abs() < 1e-5, "{mode:?}: {parts}");
            let impulse = (1.0 + e) * approach / (1.0 / masses[0] + 1.0 / masses[1]);
            for (k, side) in [(0, -1.0), (1, 1.0)] {
                let change = changes[k].after - changes[k].before;
                assert!((change.dot(n) * masses[k] - impulse * side).abs() < 1e-4, "{mode:?}: {change}");
                let across = change.perp_dot(n).abs() * masses[k];
                assert!(if friction.is_some() { across > 0.05 } else { across < 1e-4 }, "{mode:?}: {across} N s");
            }
        }
    }
}

#[test]
fn a_collision_holds_the_true_velocity_of_a_disc_under_gravity_and_none_of_terrain() {
    for (mode, substeps) in MODES {
        let mut app = app(mode, substeps);
        app.insert_resource(MotionSettings { gravity: Vec2::new(0.0, -10.0), ..default() });
        support::settings(&mut app, |s| s.terrain_restitution = 0.5);
        let floor = app.world_mut().spawn(Terrain::Segment { a: Vec2::new(-9.0, 0.0), b: Vec2::new(9.0, 0.0) }).id();
        let disc = support::disc(&mut app, Vec2::new(0.0, 5.5), Vec2::new(2.0, 0.0));
        support::ticks(&mut app, 62);
        let hit = support::collisions(&mut app)[0];
        assert_eq!(hit.velocity_of(floor), None);
        let change = hit.velocity_of(disc).expect("it took part");
        // It fell five metres. The tolerance is that of the time of impact: 1e-4 s.
        assert!((change.before - Vec2::new(2.0, -10.0)).length() < 1e-3, "{mode:?}: {}", change.before);
        assert!((change.after - Vec2::new(2.0, 5.0)).length() < 1e-3, "{mode:?}: {}", change.after);
    }
}

#[test]
fn a_kinematic_disc_keeps_its_velocity_in_a_collision() {
    for (mode, substeps) in MODES {
        let mut app = app(mode, substeps);
        let disc = support::disc(&mut app, Vec2::ZERO, Vec2::new(3.0, 0.0));
        let mallet = support::disc(&mut app, Vec2::new(2.0, 0.0), Vec2::new(-1.0, 0.0));
        app.world_mut().entity_mut(mallet).insert(Kinematic);
        support::ticks(&mut app, 30);
        let hit = support::collisions(&mut app)[0];
        let [of_disc, of_mallet] = [disc, mallet].map(|it| hit.velocity_of(it).expect("it took part"));
        assert_eq!([of_mallet.before, of_mallet.after], [Vec2::NEG_X; 2], "{mode:?}");
        // v' = 2u - v
        assert_eq!(of_disc.before, Vec2::X * 3.0, "{mode:?}");
        assert!((of_disc.after - Vec2::X * -5.0).length() < 1e-5, "{mode:?}: {}", of_disc.after);
    }
}

#[test]
fn the_relative_velocity_of_a_hit_is_that_of_the_moment_under_gravity_too() {
    for (mode, substeps) in MODES {
        let mut app = app(mode, substeps);
        app.insert_resource(MotionSettings { gravity: Vec2::new(0.0, -10.0), ..default() });
        let floor = app.world_mut().spawn(Terrain::Segment { a: Vec2::new(-9.0, 0.0), b: Vec2::new(9.0, 0.0) }).id();
        support::disc(&mut app, Vec2::new(0.0, 5.5), Vec2::new(2.0, 0.0));
        ask(&mut app, &[floor], &ReportCollisions);
        support::ticks(&mut app, 62);
        let hit = told(&app).hits[0];
        // It fell five metres: 10 m/s, upward as seen by the floor.
        let expected = Vec2::new(-2.0, 10.0);
        assert!((hit.relative_velocity() - expected).length() < 1e-3, "{mode:?}: {}", hit.relative_velocity());
        assert_eq!(hit.normal(), Vec2::NEG_Y);
    }
}

#[test]
fn a_ball_that_bounces_off_is_in_contact_for_one_tick() {
    for (mode, substeps) in MODES {
        for speed in [0.7, 6.1, 300.0] {
            let mut app = app(mode, substeps);
            let wall = app.world_mut().spawn(Terrain::Segment { a: Vec2::new(3.0, -9.0), b: Vec2::new(3.0, 9.0) }).id();
            let disc = support::disc(&mut app, Vec2::new(0.2, 0.0), Vec2::new(speed, 0.0));
            ask(&mut app, &[disc, wall], &CollidingEntities::default());
            support::ticks(&mut app, 300);
            let Told { began, ended, messages, .. } = told(&app);
            let sides: Vec<_> = began.iter().map(|event| (event.entity, event.other, event.normal)).collect();
            assert_eq!(sides, [(wall, disc, Vec2::X), (disc, wall, Vec2::NEG_X)], "{mode:?} {speed}");
            let apart: Vec<_> = ended.iter().map(|event| (event.entity, event.other)).collect();
            assert_eq!(apart, [(wall, disc), (disc, wall)]);
            // The slow one is within the slop for a moment before and after.
            let lasts = ended[0].tick - began[0].tick;
            assert!((1..=if speed < 1.0 { 3 } else { 1 }).contains(&lasts), "{mode:?} {speed}: {lasts}");
            assert_eq!(*messages, [2, 2]);
            assert!(app.world().get::<CollidingEntities>(disc).unwrap().is_empty());
        }
    }
}

#[test]
fn what_comes_to_rest_stays_in_contact() {
    for (mode, substeps) in MODES {
        for resting_speed in [0.0, 0.5] {
            for restitution in [0.0, 0.3, 0.6] {
                let mut app = app(mode, substeps);
                support::settings(&mut app, |s| {
                    (s.terrain_restitution, s.resting_speed) = (restitution, resting_speed);
                });
                app.insert_resource(MotionSettings { gravity: Vec2::new(0.0, -10.0), ..default() });
                let floor =
                    app.world_mut().spawn(Terrain::Segment { a: Vec2::new(-9.0, 0.0), b: Vec2::new(9.0, 0.0) }).id();
                let disc = support::disc(&mut app, Vec2::new(0.0, 1.3), Vec2::ZERO);
                ask(&mut app, &[disc], &CollidingEntities::default());
                support::ticks(&mut app, 180);
                let Told { began, ended, .. } = told(&app);
                assert_eq!(began.len(), ended.len() + 1, "{mode:?} {resting_speed} {restitution}");
                assert!(began.len() <= 8, "{mode:?} {resting_speed} {restitution}: {}", began.len());
                let last = began.last().unwrap().tick;
                assert!(last < 120, "{mode:?} {resting_speed} {restitution}: {last}");
                assert_eq!(&app.world().get::<CollidingEntities>(disc).unwrap()[..], [floor]);
            }
        }
    }
}

#[test]
fn who_is_gone_is_touched_no_more() {
    for (mode, substeps) in MODES {
        let mut app = app(mode, substeps);
        let a = support::disc(&mut app, Vec2::ZERO, Vec2::ZERO);
        let b = support::disc(&mut app, Vec2::new(1.0, 0.0), Vec2::ZERO);
        let c = support::disc(&mut app, Vec2::new(-1.0, 0.0), Vec2::ZERO);
        ask(&mut app, &[a], &CollidingEntities::default());
        support::ticks(&mut app, 3);
        assert_eq!(&app.world().get::<CollidingEntities>(a).unwrap()[..], [b, c], "a row that nothing moves");
        app.world_mut().despawn(b);
        let pocket = app.world_mut().spawn(Pocket { radius: 0.1 }).id();
        app.world_mut().entity_mut(pocket).insert(Position(Vec2::new(9.0, 0.0)));
        app.world_mut().entity_mut(c).insert(InPocket { pocket });
        support::ticks(&mut app, 1);
        let ended: Vec<_> = told(&app).ended.iter().map(|event| event.other).collect();
        assert_eq!(ended, [b, c]);
        assert!(app.world().get::<CollidingEntities>(a).unwrap().is_empty());
    }
}

#[test]
fn observers_may_despawn_either_side() {
    for (mode, substeps) in MODES {
        let mut app = app(mode, substeps);
        // Two balls hit one brick in the same tick.
        let brick = |x: f32| (Terrain::Block { half_size: Vec2::splat(0.5) }, Position(Vec2::new(x, 3.0)));
        let bricks = [0.0, 1.0, 2.0].map(|x| app.world_mut().spawn(brick(x)).id());
        let balls = [0.0, 0.9, 1.8].map(|x| {
            let ball = support::disc(&mut app, Vec2::new(x, 0.95), Vec2::new(0.0, 6.0));
            app.world_mut().entity_mut(ball).insert(Radius(0.4));
            ball
        });
        ask(&mut app, &bricks, &(ReportCollisions, CollidingEntities::default()));
        ask(&mut app, &balls, &(ReportCollisions, CollidingEntities::default()));
        app.add_observer(|event: On<CollisionEvent>, mut commands: Commands, terrain: Query<&Terrain>| {
            if terrain.contains(event.entity) {
                commands.entity(event.entity).despawn();
            }
        });
        app.add_observer(|event: On<ContactStarted>, mut commands: Commands| {
            commands.entity(event.other).try_despawn();
        });
        support::ticks(&mut app, 60);
        let hits = &told(&app).hits;
        let of_bricks: Vec<_> = hits.iter().filter(|hit| bricks.contains(&hit.entity)).collect();
        let told: BTreeSet<_> = of_bricks.iter().map(|hit| hit.entity).collect();
        assert_eq!(of_bricks.len(), told.len(), "{mode:?}: a brick that is gone is told nothing");
        assert!(told.len() >= 2, "{mode:?}: {told:?}");
        assert!(told.iter().all(|&brick| app.world().get_entity(brick).is_err()));
    }
}

#[test]
fn slow_hits_are_contacts_and_no_messages() {
    for (mode, substeps) in MODES {
        let mut app = app(mode, substeps);
        support::settings(&mut app, |s| s.report_above = 2.0);
        let a = support::disc(&mut app, Vec2::ZERO, Vec2::new(1.5, 0.0));
        let b = support::disc(&mut app, Vec2::new(1.2, 0.0), Vec2::ZERO);
        ask(&mut app, &[a], &(CollidingEntities::default(), ReportCollisions));
        support::ticks(&mut app, 30);
        let Told { began, ended, hits, .. } = told(&app);
        assert_eq!((began.len(), ended.len(), began[0].other), (1, 1, b), "{mode:?}");
        assert!(hits.is_empty() && app.world().resource::<PhysicsSpace>().report.hits.is_empty());
        assert!(support::collisions(&mut app).is_empty());
    }
}

#[test]
fn in_a_crowd_contacts_are_what_has_hit_or_touches() {
    for (mode, substeps) in MODES {
        let mut app = app(mode, substeps);
        let mut random = support::Dice(7);
        let arena = app.world_mut().spawn(Terrain::Arena { half_size: Vec2::splat(6.0) }).id();
        let discs: Vec<Entity> = (0..60)
            .map(|i| {
                let at = Vec2::new((i % 8) as f32, (i / 8) as f32) * 1.45 - Vec2::splat(5.1);
                let velocity = Vec2::new(random.range(-5.0, 5.0), random.range(-5.0, 5.0));
                let disc = support::disc(&mut app, at, velocity);
                let radius = random.range(0.3, 0.7);
                app.world_mut().entity_mut(disc).insert((Radius(radius), CollidingEntities::default()));
                disc
            })
            .collect();
        for _ in 0..60 {
            support::ticks(&mut app, 1);
            let space = app.world().resource::<PhysicsSpace>();
            let mut expected: BTreeSet<(Entity, Entity)> = BTreeSet::new();
            for hit in &space.report.hits {
                let a = space.discs.entity[hit.disc as usize];
                let b = match hit.target {
                    HitTarget::Disc(j) => space.discs.entity[j as usize],
                    HitTarget::Wall(entity) | HitTarget::FixedCircle(entity) => entity,
                };
                expected.extend([(a, b), (b, a)]);
            }
            for (i, &a) in discs.iter().enumerate() {
                let place = |disc: Entity| support::position(&app, disc).as_dvec2();
                let radius = |disc: Entity| f64::from(app.world().get::<Radius>(disc).unwrap().0);
                for &b in &discs[i + 1..] {
                    let gap = place(a).distance(place(b)) - radius(a) - radius(b);
                    if gap <= 0.01 * radius(a).min(radius(b)) {
                        expected.extend([(a, b), (b, a)]);
                    }
                }
                if 6.0 - place(a).abs().max_element() <= radius(a) * 1.01 {
                    expected.insert((a, arena));
                }
            }
            for &disc in &discs {
                let kept: BTreeSet<Entity> =
                    app.world().get::<CollidingEntities>(disc).unwrap().iter().copied().collect();
                let expected: BTreeSet<Entity> =
                    expected.iter().filter(|pair| pair.0 == disc).map(|pair| pair.1).collect();
                assert_eq!(kept, expected, "{mode:?} {substeps}");
            }
        }
        let Told { began, ended, messages, .. } = told(&app);
        assert!(began.len() > 200 && ended.len() > 200, "{} {}", began.len(), ended.len());
        assert_eq!(*messages, [began.len(), ended.len()]);
    }
}

#[test]
fn what_a_lift_carries_stays_in_contact_with_it() {
    for (mode, substeps) in MODES {
        let mut app = app(mode, substeps);
        support::settings(&mut app, |s| s.terrain_restitution = 0.0);
        app.insert_resource(MotionSettings { gravity: Vec2::new(0.0, -10.0), ..default() });
        let block = (Terrain::Block { half_size: Vec2::new(4.0, 0.5) }, Velocity(Vec2::new(0.0, 1.0)));
        let lift = app.world_mut().spawn((block, Position(Vec2::new(0.0, -0.5)))).id();
        let disc = support::disc(&mut app, Vec2::new(0.0, 0.6), Vec2::ZERO);
        ask(&mut app, &[disc, lift], &CollidingEntities::default());
        support::ticks(&mut app, 120);
        assert!(support::position(&app, disc).y > 2.0, "{mode:?}");
        assert_eq!(&app.world().get::<CollidingEntities>(disc).unwrap()[..], [lift], "{mode:?} {substeps}");
        assert_eq!(&app.world().get::<CollidingEntities>(lift).unwrap()[..], [disc], "{mode:?} {substeps}");
        let Told { began, ended, .. } = told(&app);
        assert_eq!(began.len(), ended.len() + 2);
        assert!(began.len() <= 6, "{mode:?} {substeps}: {}", began.len());
    }
}
