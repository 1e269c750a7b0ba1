//! An app with only the physics and a manual clock, and short helpers to fill and read it.

use bevy::{ecs::system::SystemState, math::ops, prelude::*, time::TimeUpdateStrategy};
use carom::{
    collision::{DiscState, Discs, SolverMode, measure, run_tick},
    prelude::*,
    timeline::Prediction,
};

/// The physics under `MinimalPlugins`. Each `app.update()` runs one tick of 1/60 s, without waiting.
pub fn app() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PhysicsPlugins::default()));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.insert_resource(Time::<Fixed>::from_hz(60.0));
    app.init_resource::<Received>().add_systems(FixedPostUpdate, listen.after(SimulationSystems));
    // The first update only starts the clock.
    app.update();
    app
}

/// Both modes, the stepped one also with substeps.
pub const MODES: [(SolverMode, u32); 3] =
    [(SolverMode::Stepped, 1), (SolverMode::Stepped, 5), (SolverMode::Continuous, 1)];

/// [`app`] in a mode with this many substeps.
pub fn app_in(mode: (SolverMode, u32)) -> App {
    let mut app = app();
    settings(&mut app, |settings| (settings.mode, settings.substeps) = mode);
    app
}

/// A prediction of the current discs for this many seconds, which has not started yet.
pub fn predict(app: &mut App, seconds: f32) -> Prediction {
    let mut state = SystemState::<Predictor>::new(app.world_mut());
    let predictor = state.get(app.world()).expect("it can be predicted");
    predictor.predict(Horizon { seconds, ..Horizon::default() })
}

/// The finished prediction of the current discs for this many seconds.
pub fn prediction(app: &mut App, seconds: f32) -> Prediction {
    predict(app, seconds).finished()
}

pub fn ticks(app: &mut App, count: usize) {
    for _ in 0..count {
        app.update();
    }
}

pub fn settings(app: &mut App, change: impl FnOnce(&mut CollisionSettings)) {
    change(&mut app.world_mut().resource_mut::<CollisionSettings>());
}

pub fn disc(app: &mut App, position: Vec2, velocity: Vec2) -> Entity {
    app.world_mut().spawn((Disc, Position(position), Velocity(velocity), Radius(0.5), Mass(1.0))).id()
}

pub fn position(app: &App, entity: Entity) -> Vec2 {
    app.world().get::<Position>(entity).expect("it has a position").0
}

pub fn velocity(app: &App, entity: Entity) -> Vec2 {
    app.world().get::<Velocity>(entity).expect("it has a velocity").0
}

#[derive(Resource, Default)]
struct Received(Vec<Collision>);

fn listen(mut messages: MessageReader<Collision>, mut received: ResMut<Received>) {
    received.0.extend(messages.read());
}

/// Every collision message since the last call.
pub fn collisions(app: &mut App) -> Vec<Collision> {
    std::mem::take(&mut app.world_mut().resource_mut::<Received>().0)
}

/// The hash of the state in the components.
pub fn hash(app: &mut App) -> u64 {
    measure::state_hash(&Discs::of(app.world_mut()))
}

/// A small generator of test data (SplitMix64), so that the scene of a test is the same everywhere.
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

    /// Two independent normal deviates (Box and Muller).
    pub fn normal(&mut self) -> Vec2 {
        let (sin, cos) = ops::sin_cos(self.range(0.0, std::f32::consts::TAU));
        Vec2::new(cos, sin) * ops::sqrt(-2.0 * ops::ln(self.range(1e-7, 1.0)))
    }

    pub fn vec(&mut self, half: f32) -> Vec2 {
        Vec2::new(self.range(-half, half), self.range(-half, half))
    }
}

/// `n` discs of mixed radii and masses on a lattice inside an arena, in motion.
pub fn random_discs(n: usize, seed: u64) -> (Vec<DiscState>, Vec2) {
    let mut dice = Dice(seed);
    let columns = (n as f32).sqrt().ceil() as usize;
    let half = columns as f32 * 0.6 + 0.5;
    let discs = (0..n)
        .map(|i| {
            let radius = dice.range(0.2, 0.5);
            let cell = Vec2::new((i % columns) as f32, (i / columns) as f32) * 1.2 - half + 1.1;
            DiscState {
                id: i as u64,
                position: cell + dice.vec(0.55 - radius),
                velocity: dice.vec(6.0),
                radius,
                mass: dice.range(0.3, 3.0),
                ..DiscState::default()
            }
        })
        .collect();
    (discs, Vec2::splat(half))
}

/// Adds discs and an arena to an app.
pub fn fill(app: &mut App, discs: &[DiscState], half_size: Vec2) {
    for disc in discs {
        app.world_mut().spawn((
            Disc,
            StableId(disc.id),
            Position(disc.position),
            Velocity(disc.velocity),
            Radius(disc.radius),
            Mass(disc.mass),
        ));
    }
    app.world_mut().spawn(Terrain::Arena { half_size });
}

/// The default settings in the continuous mode.
pub fn continuous() -> CollisionSettings {
    CollisionSettings { mode: SolverMode::Continuous, ..CollisionSettings::default() }
}

/// A space with these discs, with ids in order, and these pieces of terrain.
pub fn space(discs: impl IntoIterator<Item = DiscState>, terrain: &[(Terrain, Vec2, f32)]) -> PhysicsSpace {
    let mut space = PhysicsSpace::default();
    for (id, disc) in discs.into_iter().enumerate() {
        space.discs.push(DiscState { id: id as u64, ..disc });
    }
    for (piece, position, angle) in terrain {
        space.add_terrain(Entity::PLACEHOLDER, piece, Position(*position), Rotation(*angle), None);
    }
    space.finish_terrain();
    space
}

pub fn run(space: &mut PhysicsSpace, settings: &CollisionSettings, time_step: f32, ticks: usize) {
    for _ in 0..ticks {
        run_tick(space, settings, time_step, |_| {});
    }
}

/// The largest overlap of two discs or of a disc and a wall, metres, beyond rounding. That is a ten-thousandth of the
/// smaller radius, which the continuous mode ignores, and a few rounding errors of the coordinates.
pub fn excess_overlap(space: &PhysicsSpace) -> f64 {
    let discs = &space.discs;
    let rounding =
        |i: usize| 1e-4 * f64::from(discs.radius[i]) + 5e-7 * f64::from(discs.position[i].abs().max_element());
    let mut worst = f64::NEG_INFINITY;
    for i in 0..discs.len() {
        let (at, radius) = (discs.position[i].as_dvec2(), f64::from(discs.radius[i]));
        for j in 0..i {
            let sum = radius + f64::from(discs.radius[j]);
            let allowed = rounding(i).min(rounding(j));
            worst = worst.max(sum - at.distance(discs.position[j].as_dvec2()) - allowed);
        }
        for wall in space.walls() {
            let (a, along) = (wall.a.as_dvec2(), (wall.b - wall.a).as_dvec2());
            let share = ((at - a).dot(along) / along.length_squared()).clamp(0.0, 1.0);
            worst = worst.max(radius - at.distance(a + along * share) - rounding(i));
        }
        for corner in space.fixed_circles() {
            let sum = radius + f64::from(corner.radius);
            worst = worst.max(sum - at.distance(corner.centre.as_dvec2()) - rounding(i));
        }
    }
    worst
}
