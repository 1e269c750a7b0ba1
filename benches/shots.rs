//! Whole shots: how many a bot can simulate per second on one core, with the ticks of the window and with longer ones.
//! For comparison, also a prediction, which keeps the paths.

use std::{sync::Arc, time::Duration};

use bevy::{math::DVec2, prelude::*};
use carom::{
    billiards::{
        cue::{Cue, CueStrike, strike},
        tables::{Rack, ShippedTable},
    },
    collision::{
        DiscState, PhysicsSpace,
        spin::{Shape, Spin},
    },
    components::Rotation,
    games::{BallId, BallPlace, GameTable, Layout, Shot, Simulator},
    motion::Forces,
    random::Random,
    timeline::{Horizon, Prediction},
};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

/// The number of shots in a round, all different.
const SHOTS: u32 = 64;

/// A table with balls in the middle of a game, after a break.
fn after_the_break(rack: Rack, name: &str) -> (Arc<GameTable>, Layout) {
    let spec = ShippedTable::named(name).and_then(ShippedTable::spec).expect("it is shipped");
    let table = Arc::new(GameTable::new(spec).expect("shipped tables make sense"));
    let racked = rack.balls(&table.spec, 2e-5).expect("the table has the spots");
    let layout = Layout(racked.iter().map(|ball| BallPlace::Table(ball.place.as_vec2())).collect());
    let stroke = CueStrike { speed: 7.0, direction: DVec2::new(1.0, 0.02), ..CueStrike::default() };
    let mut broken = Simulator::new(table.clone())
        .play(&layout, BallId(0), &stroke, &Cue::default())
        .expect("the cue ball is there")
        .after;
    broken[BallId(0)] = BallPlace::Table(Vec2::new(-0.5, 0.1));
    (table, broken)
}

fn strokes() -> Vec<CueStrike> {
    let mut random = Random::new(1);
    let stroke = |_| CueStrike {
        speed: f64::from(random.between(0.7, 4.0)),
        direction: random.direction().as_dvec2(),
        side: f64::from(random.between(-0.3, 0.3)),
        top: f64::from(random.between(-0.3, 0.3)),
        elevation: 0.0,
    };
    (0..SHOTS).map(stroke).collect()
}

fn shots(criterion: &mut Criterion) {
    for (game, rack, table) in [
        ("nine-ball", Rack::NineBall, "pool-9ft"),
        ("eight-ball", Rack::EightBall, "pool-9ft"),
        ("snooker", Rack::Snooker, "snooker-12ft"),
        ("three-cushion", Rack::ThreeCushion, "carom-10ft"),
    ] {
        let mut group = criterion.benchmark_group(format!("shots/{game}"));
        group.sample_size(10).measurement_time(Duration::from_secs(3)).throughput(Throughput::Elements(SHOTS.into()));
        let (table, layout) = after_the_break(rack, table);
        let (strokes, cue) = (strokes(), Cue::default());
        for rate in [120, 60, 30, 10] {
            let mut simulator = Simulator::new(table.clone());
            if rate != 120 {
                simulator = simulator.with_time_step(1.0 / rate as f32);
            }
            let mut shot = Shot::default();
            group.bench_function(BenchmarkId::from_parameter(format!("{rate} ticks a second")), |bencher| {
                bencher.iter(|| {
                    for stroke in &strokes {
                        simulator.play_into(&mut shot, &layout, BallId(0), stroke, &cue).expect("it can be struck");
                    }
                });
            });
        }
        let start = space(&table, &layout);
        let settings = Simulator::settings(&table);
        let mut forces = Forces::default();
        forces.set(table.spec.physics());
        let body = Simulator::new(table.clone()).body();
        group.bench_function("prediction", |bencher| {
            bencher.iter(|| {
                for stroke in &strokes {
                    let mut space = start.clone();
                    let motion = strike(&cue, &body, stroke).expect("it can be struck");
                    space.discs.velocity[0] = motion.velocity.as_vec2();
                    let angular_velocity = motion.angular_velocity.as_vec3();
                    space.discs.set_spin(0, Some(Spin { angular_velocity, shape: Shape::Ball }));
                    let horizon = Horizon { seconds: 100.0, ..Horizon::default() };
                    let mut prediction = Prediction::of(space, forces.clone(), &settings, 1.0 / 120.0, horizon);
                    prediction.run_for(Duration::MAX);
                }
            });
        });
        group.finish();
    }
}

/// The same table for a prediction.
fn space(table: &GameTable, layout: &Layout) -> PhysicsSpace {
    let mut space = PhysicsSpace::default();
    for piece in &table.built.pieces {
        let position = carom::components::Position(piece.position);
        space.add_terrain(Entity::PLACEHOLDER, &piece.terrain, position, Rotation::default(), piece.restitution);
    }
    space.finish_terrain();
    for hole in &table.built.holes {
        space.add_pocket(Entity::PLACEHOLDER, hole.centre.as_vec2(), hole.radius as f32);
    }
    let ball = &table.spec.ball;
    for (id, position) in layout.on_table() {
        space.discs.push(DiscState {
            id: id.0.into(),
            position,
            radius: ball.radius as f32,
            mass: ball.mass as f32,
            spin: Some(Spin::default()),
            ..DiscState::default()
        });
    }
    space
}

criterion_group!(benches, shots);
criterion_main!(benches);
