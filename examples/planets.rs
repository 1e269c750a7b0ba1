//! Planets around a sun: attraction between discs and to a fixed point, as a custom force that acts in the tick and in
//! every prediction. Pull back from a planet, and the preview shows its new orbit before you release. F9 shows the
//! physics.
//!
//! ```sh
//! cargo run --release --example planets
//! cargo run --example planets -- --headless    # a minute without a window: energy, Kepler's third law, prediction
//! ```

use bevy::{ecs::system::SystemState, prelude::*};
use carom::{
    collision::Discs,
    debug::PhysicsDebugPlugin,
    input::{AimPlugin, Strength},
    prelude::*,
    scene::DiscLook,
    timeline::advance,
    view::{ViewPlugin, ViewSettings},
};

/// Newton's constant of this small world, m³/(kg s²).
const G: f32 = 0.02;
/// The sun in the centre: its mass in kilograms and its radius in metres.
const SUN: (f32, f32) = (200.0, 0.2);
/// The distance of each planet from the sun (m), its mass (kg), radius (m) and colour; the orbit of the last one is not
/// circular.
const PLANETS: [(f32, f32, f32, [u8; 3]); 4] = [
    (0.9, 0.01, 0.05, [0xc9, 0xad, 0xa7]),
    (1.5, 0.02, 0.08, [0x4c, 0xc9, 0xf0]),
    (2.4, 0.01, 0.06, [0xe7, 0x6f, 0x51]),
    (3.4, 0.001, 0.04, [0xf1, 0xfa, 0xee]),
];
const TICKS_PER_SECOND: f64 = 120.0;

/// All discs attract each other, and the sun attracts them all.
struct Attraction;

impl ForceLaw for Attraction {
    fn act(&self, space: &mut PhysicsSpace) {
        let h = space.substep();
        let Discs { position, velocity, mass, .. } = &mut space.discs;
        let pull = |way: Vec2, mass: f32| {
            let distance = way.length().max(0.01);
            way * (G * mass * h / (distance * distance * distance))
        };
        for i in 0..position.len() {
            velocity[i] += pull(-position[i], SUN.0);
            for j in (0..position.len()).filter(|&j| j != i) {
                velocity[i] += pull(position[j] - position[i], mass[j]);
            }
        }
    }

    fn only_accelerates(&self) -> bool {
        true
    }
}

fn main() {
    let headless = std::env::args().any(|argument| argument == "--headless");
    let mut app = App::new();
    if headless {
        app.add_plugins((MinimalPlugins, PhysicsPlugins::default()));
    } else {
        app.add_plugins((DefaultPlugins, PhysicsPlugins::default(), ViewPlugin, AimPlugin, PhysicsDebugPlugin))
            .insert_resource(Strength { per_metre: 2.0, most: 3.0 })
            .add_systems(Startup, |mut settings: ResMut<ViewSettings>| settings.trails = 6.0);
    }
    app.insert_resource(Time::<Fixed>::from_hz(TICKS_PER_SECOND))
        // In this mode half of a force acts before and half after the discs move: the leapfrog method of astronomers,
        // which keeps orbits stable forever.
        .insert_resource(CollisionSettings { mode: SolverMode::Continuous, ..default() })
        .add_force(Attraction);
    set_up(app.world_mut());
    if headless { check(app.world_mut()) } else { _ = app.run() }
}

fn set_up(world: &mut World) {
    world.spawn(Terrain::Circle { radius: SUN.1 });
    for (k, (distance, mass, radius, [red, green, blue])) in (0_u8..).zip(PLANETS) {
        let outward = Vec2::from_angle(2.0 * f32::from(k));
        // The speed on a circular orbit; the last planet is faster, and moves far out.
        let speed = (G * SUN.0 / distance).sqrt() * if k == 3 { 1.15 } else { 1.0 };
        let look = DiscLook { colour: Some(Color::srgb_u8(red, green, blue)), ..default() };
        let motion = (Position(outward * distance), Velocity(outward.perp() * speed));
        world.spawn((Disc, Radius(radius), Mass(mass), motion, look));
    }
}

/// The kinetic energy of all discs and the potential energy of attraction, J.
fn energy(discs: &Discs) -> f64 {
    let attraction = |a: f32, b: f32, way: Vec2| -f64::from(G) * f64::from(a) * f64::from(b) / f64::from(way.length());
    let each = (0..discs.len()).map(|i| {
        let (position, mass) = (discs.position[i], discs.mass[i]);
        let others = (0..i).map(|j| attraction(mass, discs.mass[j], position - discs.position[j])).sum::<f64>();
        0.5 * f64::from(mass) * f64::from(discs.velocity[i].length_squared())
            + attraction(mass, SUN.0, position)
            + others
    });
    each.sum()
}

/// One minute: energy is conserved, T² / a³ is the same for the three on circles, and everything happened as predicted.
fn check(world: &mut World) {
    let before = energy(&Discs::of(world));
    let mut predictor = SystemState::<Predictor>::new(world);
    let horizon = Horizon { seconds: 60.0, ..default() };
    let prediction = predictor.get(world).expect("the physics is there").predict(horizon).finished();
    let mut turns = [0.0_f32; PLANETS.len()];
    for _ in 0..prediction.ticks() {
        let was = Discs::of(world).position;
        advance(world, 1);
        let now = Discs::of(world).position;
        turns.iter_mut().zip(was.iter().zip(&now)).for_each(|(turn, (was, now))| *turn += was.angle_to(*now));
    }
    let discs = Discs::of(world);
    let lost = (energy(&discs) / before - 1.0).abs();
    println!("energy after a minute: {before:.6} J, changed by {lost:.1e} of it");
    assert!(lost < 1e-4 && discs.position == prediction.discs().position);
    for ((distance, ..), turn) in PLANETS.iter().zip(turns).take(3) {
        let period = std::f32::consts::TAU / (turn / prediction.seconds());
        let turn = std::f32::consts::TAU;
        let (ratio, expected) = (period * period / (distance * distance * distance), turn * turn / (G * SUN.0));
        println!("{distance} m: {period:.3} s, T²/a³ = {ratio:.3} s²/m³ (Kepler: {expected:.3})");
        assert!((ratio / expected - 1.0).abs() < 0.01);
    }
}
