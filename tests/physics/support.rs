//! An app with the physics alone and a clock that the test turns, and short ways to fill and read it.

use bevy::{prelude::*, time::TimeUpdateStrategy};
use carom::{
    collision::{Bodies, Disc, measure},
    prelude::*,
};

/// The physics under `MinimalPlugins`. Each `app.update()` runs one tick of 1/60 s, without waiting.
pub fn app() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PhysicsPlugins));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.init_resource::<Heard>().add_systems(FixedUpdate, listen.after(Tick));
    // The first update only starts the clock.
    app.update();
    app
}

pub fn ticks(app: &mut App, count: usize) {
    for _ in 0..count {
        app.update();
    }
}

pub fn settings(app: &mut App, change: impl FnOnce(&mut CollisionSettings)) {
    change(&mut app.world_mut().resource_mut::<CollisionSettings>());
}

pub fn ball(app: &mut App, position: Vec2, velocity: Vec2) -> Entity {
    app.world_mut().spawn((Ball, Position(position), Velocity(velocity), Radius(0.5), Mass(1.0))).id()
}

pub fn position(app: &App, entity: Entity) -> Vec2 {
    app.world().get::<Position>(entity).expect("it has a position").0
}

pub fn velocity(app: &App, entity: Entity) -> Vec2 {
    app.world().get::<Velocity>(entity).expect("it has a velocity").0
}

#[derive(Resource, Default)]
struct Heard(Vec<Collision>);

fn listen(mut messages: MessageReader<Collision>, mut heard: ResMut<Heard>) {
    heard.0.extend(messages.read());
}

/// Every collision message since the last call.
pub fn collisions(app: &mut App) -> Vec<Collision> {
    std::mem::take(&mut app.world_mut().resource_mut::<Heard>().0)
}

/// The hash of the state as the components hold it.
pub fn hash(app: &mut App) -> u64 {
    measure::state_hash(&Bodies::of(app.world_mut()))
}

/// A small generator of test data (SplitMix64), so that a test's scene is the same everywhere.
pub struct Dice(pub u64);

impl Dice {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in `low..high`.
    pub fn range(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * ((self.next() >> 40) as f32 / (1u64 << 24) as f32)
    }

    pub fn vec(&mut self, half: f32) -> Vec2 {
        Vec2::new(self.range(-half, half), self.range(-half, half))
    }
}

/// `n` discs of mixed radii and masses on a lattice inside an arena, moving about.
pub fn crowd(n: usize, seed: u64) -> (Vec<Disc>, Vec2) {
    let mut dice = Dice(seed);
    let columns = (n as f32).sqrt().ceil() as usize;
    let half = columns as f32 * 0.6 + 0.5;
    let discs = (0..n)
        .map(|i| {
            let radius = dice.range(0.2, 0.5);
            let cell = Vec2::new((i % columns) as f32, (i / columns) as f32) * 1.2 - half + 1.1;
            Disc {
                id: i as u64,
                position: cell + dice.vec(0.55 - radius),
                velocity: dice.vec(6.0),
                radius,
                mass: dice.range(0.3, 3.0),
                ..Disc::default()
            }
        })
        .collect();
    (discs, Vec2::splat(half))
}

/// Puts discs and an arena into an app.
pub fn fill(app: &mut App, discs: &[Disc], half_size: Vec2) {
    for disc in discs {
        app.world_mut().spawn((
            Ball,
            StableId(disc.id),
            Position(disc.position),
            Velocity(disc.velocity),
            Radius(disc.radius),
            Mass(disc.mass),
        ));
    }
    app.world_mut().spawn(Terrain::Arena { half_size });
}
