//! A shot without an ECS is bit-identical to the shot in the window, with the same events in the same order.

use std::{collections::HashMap, sync::Arc};

use bevy::{math::DVec2, prelude::*};
use carom::{
    billiards::{
        cue::{Cue, CueStrike},
        tables::{Part, Rack, shipped, spawn_ball, spawn_table},
    },
    games::{BallId, BallPlace, CushionId, GameTable, Layout, PocketId, Shot, ShotError, ShotEvent, Simulator},
    prelude::*,
    random::Random,
    scene::SceneFile,
    timeline::advance,
};

/// A world with a table and balls, as in the window.
struct Window {
    app: App,
    cushions: HashMap<Entity, CushionId>,
    pockets: HashMap<Entity, PocketId>,
}

impl Window {
    fn new(table: &GameTable) -> Self {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, PhysicsPlugins::default()));
        app.insert_resource(Simulator::settings(table));
        app.insert_resource(Playback { tick_rate: Some(SceneFile::TABLE_TICK_RATE), ..default() });
        let world = app.world_mut();
        let pockets = spawn_table(&mut world.commands(), &table.spec).unwrap();
        world.flush();
        world.insert_resource(table.physics());
        let mut pieces: Vec<_> = world.query_filtered::<(&StableId, Entity), With<Terrain>>().iter(world).collect();
        pieces.sort_unstable();
        let built = pieces.iter().zip(&table.built.pieces);
        let built = built.filter(|(_, piece)| piece.part != Part::Liner);
        let cushions = built.map(|(&(_, entity), piece)| (entity, CushionId(piece.index as u8))).collect();
        let pockets = pockets.into_iter().zip(0..).map(|(entity, i)| (entity, PocketId(i))).collect();
        app.update();
        Self { app, cushions, pockets }
    }

    /// Plays a shot until all balls rest.
    fn play(&mut self, table: &GameTable, layout: &Layout, cue_ball: BallId, stroke: &CueStrike) -> Shot {
        let ball = &table.spec.ball;
        let world = self.app.world_mut();
        let balls: HashMap<Entity, BallId> = layout
            .on_table()
            .map(|(id, place)| {
                let entity = spawn_ball(&mut world.commands(), ball, place).id();
                world.flush();
                (entity, id)
            })
            .collect();
        let motion = Simulator::new(Arc::new(table.clone())).struck(&Cue::default(), stroke).unwrap();
        let struck = balls.iter().find(|&(_, &id)| id == cue_ball).unwrap();
        world
            .entity_mut(*struck.0)
            .insert((Velocity(motion.velocity.as_vec2()), AngularVelocity(motion.angular_velocity.as_vec3())));
        if let Some(height) = motion.height_at(0.0) {
            world.entity_mut(*struck.0).insert(height);
        }
        let mut shot = Shot { before: layout.clone(), after: layout.clone(), ..default() };
        let mut hits = world.resource::<Messages<Collision>>().get_cursor_current();
        let mut falls = world.resource::<Messages<Potted>>().get_cursor_current();
        let mut leavings = world.resource::<Messages<LeftTable>>().get_cursor_current();
        let mut rests = world.resource::<Messages<AllAtRest>>().get_cursor_current();
        for _ in 0..120 * 120 {
            advance(world, 1);
            let mut events: Vec<(f32, ShotEvent)> = Vec::new();
            for hit in hits.read(world.resource::<Messages<Collision>>()) {
                let ball = balls[&hit.a];
                events.extend(match hit.b {
                    HitTarget::Disc(other) => Some((hit.time, ShotEvent::Balls(ball, balls[&other]))),
                    other => self.cushions.get(&other.entity()).map(|&at| (hit.time, ShotEvent::Cushion(ball, at))),
                });
            }
            for fall in leavings.read(world.resource::<Messages<LeftTable>>()) {
                events.push((fall.time, ShotEvent::OffTable(balls[&fall.disc])));
            }
            for fall in falls.read(world.resource::<Messages<Potted>>()) {
                events.push((fall.time, ShotEvent::Potted(balls[&fall.disc], self.pockets[&fall.pocket])));
            }
            events.sort_by(|a, b| a.0.total_cmp(&b.0));
            shot.events.extend(events.into_iter().map(|(_, event)| event));
            if rests.read(world.resource::<Messages<AllAtRest>>()).count() > 0 {
                break;
            }
        }
        for (&entity, &ball) in &balls {
            let place = world.get::<Position>(entity).unwrap().0;
            shot.after[ball] = match world.get::<carom::components::InPocket>(entity) {
                Some(fallen) => BallPlace::Pocket(self.pockets[&fallen.pocket]),
                None if world.get::<OffTable>(entity).is_some() => BallPlace::Off,
                None => BallPlace::Table(place),
            };
            world.despawn(entity);
        }
        shot
    }
}

fn any_strike(random: &mut Random) -> CueStrike {
    let tip = random.direction() * 0.5 * random.unit();
    CueStrike {
        speed: f64::from(0.3 + 6.0 * random.unit()),
        direction: random.direction().as_dvec2(),
        side: f64::from(tip.x),
        top: f64::from(tip.y),
        elevation: f64::from(0.3 * random.unit()),
    }
}

#[test]
fn a_shot_ends_as_in_the_window_with_the_same_events() {
    let shots = if cfg!(debug_assertions) { 10 } else { 60 };
    let mut random = Random::new(1);
    for (shipped, flight) in shipped().iter().flat_map(|shipped| [(shipped, false), (shipped, true)]) {
        let table = Arc::new(GameTable::new(shipped.spec().unwrap()).unwrap().with_flight(flight));
        let mut window = Window::new(&table);
        let mut simulator = Simulator::new(table.clone());
        let rack = table.spec.racks.first().copied();
        let racked = rack.map_or_else(Vec::new, |rack| rack.balls(&table.spec, 2e-5).unwrap());
        let mut start = Layout(racked.iter().map(|ball| BallPlace::Table(ball.place.as_vec2())).collect());
        if start.is_empty() {
            // Stones in a row.
            start.0 =
                (0..6_u8).map(|i| BallPlace::Table(Vec2::new(f32::from(i) * 0.4, 0.1 * f32::from(i % 2)))).collect();
        }
        let mut layout = start.clone();
        let mut potted = 0;
        for n in 0..shots {
            let mut stroke = any_strike(&mut random);
            if n == 0 && rack != Some(Rack::ThreeCushion) {
                // A break.
                stroke = CueStrike { speed: 8.0, direction: DVec2::new(1.0, 0.01), ..default() };
            }
            let mut played = simulator.play(&layout, BallId(0), &stroke, &Cue::default()).unwrap();
            // Messages do not report passes over balls.
            played.events.retain(|event| !matches!(event, ShotEvent::Over(..)));
            let seen = window.play(&table, &layout, BallId(0), &stroke);
            assert_eq!(played.events, seen.events, "{} {n} {stroke:?}", shipped.name);
            assert_eq!(played, seen, "{} {n} {stroke:?}", shipped.name);
            potted += played.potted().count();
            let few = played.after.on_table().count() < 3;
            layout = if few || !played.after.is_on_table(BallId(0)) { start.clone() } else { played.after };
        }
        assert!(cfg!(debug_assertions) || table.built.holes.is_empty() || potted > 5, "{potted} were potted");
    }
}

#[test]
fn a_shot_does_not_depend_on_those_before_it() {
    let table = Arc::new(GameTable::new(shipped()[0].spec().unwrap()).unwrap());
    let racked = Rack::NineBall.balls(&table.spec, 2e-5).unwrap();
    let layout = Layout(racked.iter().map(|ball| BallPlace::Table(ball.place.as_vec2())).collect());
    let mut random = Random::new(2);
    let mut used = Simulator::new(table.clone());
    for _ in 0..3 {
        let stroke = any_strike(&mut random);
        let new = Simulator::new(table.clone()).play(&layout, BallId(0), &stroke, &Cue::default());
        assert_eq!(used.play(&layout, BallId(0), &stroke, &Cue::default()), new);
    }
}

#[test]
fn what_cannot_be_played_says_why() {
    let table = Arc::new(GameTable::new(shipped()[0].spec().unwrap()).unwrap());
    let mut simulator = Simulator::new(table);
    let mut play = |layout: Layout, stroke: CueStrike| simulator.play(&layout, BallId(0), &stroke, &Cue::default());
    let here = || Layout(vec![BallPlace::Table(Vec2::ZERO)]);
    assert_eq!(play(Layout::in_hand(1), CueStrike::default()), Err(ShotError::NoCueBall));
    for stroke in [
        CueStrike { speed: f64::NAN, ..default() },
        CueStrike { speed: 21.0, ..default() },
        CueStrike { direction: DVec2::ZERO, ..default() },
        CueStrike { elevation: -0.1, ..default() },
    ] {
        assert_eq!(play(here(), stroke), Err(ShotError::Strike));
    }
    let miscue = play(here(), CueStrike { side: 0.6, ..default() });
    assert!(matches!(miscue, Err(ShotError::Miscue(_))), "{miscue:?}");
    // A stroke with speed zero is valid too.
    let shot = play(here(), CueStrike { speed: 0.0, ..default() }).unwrap();
    assert_eq!((shot.events.len(), shot.before == shot.after), (0, true));
}
