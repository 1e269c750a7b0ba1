//! A gas whose box is halved: slowly, and its temperature follows the equation of state; fast, and it gets hotter.

use bevy::prelude::*;
use carom::{
    collision::{DiscState, Discs, measure},
    prelude::*,
};

use crate::support::{self, Dice, app_in};

const LENGTH: f32 = 20.0;
const COUNT: usize = 144;

/// The temperature ratio of a gas at an area fraction of 0.02 after a piston has halved its box, with a speed given as
/// a share of the thermal speed. The second value is the ratio for an infinitely slow piston.
/// `ln T = const + ln η - 7/8 ln(1 - η) + 9/8 / (1 - η)` with the area accessible to centres (Henderson's equation of
/// state).
fn ratios(slowness: f32) -> (f64, f64) {
    let radius = (0.02 * LENGTH * LENGTH / (COUNT as f32 * std::f32::consts::PI)).sqrt();
    let thermal = 3.0;
    let u = slowness * thermal;
    let mut dice = Dice(8);
    let mut app = app_in((SolverMode::Continuous, 1));
    let discs: Vec<DiscState> = (0..COUNT)
        .map(|k| {
            let cell = Vec2::new((k % 12) as f32, (k / 12) as f32) - 5.5;
            // The sum of three is close enough to a normal distribution.
            let velocity = dice.vec(thermal) + dice.vec(thermal) + dice.vec(thermal);
            DiscState { id: k as u64, position: cell * 1.6, velocity, radius, mass: 1.0, ..DiscState::default() }
        })
        .collect();
    support::fill(&mut app, &discs, Vec2::splat(LENGTH / 2.0));
    let half_size = Vec2::new(2.0, LENGTH);
    app.world_mut().spawn((
        Terrain::Block { half_size },
        Position(Vec2::new(LENGTH / 2.0 + 2.0, 0.0)),
        Velocity(Vec2::new(-u, 0.0)),
        Restitution(1.0),
    ));
    let energy = |app: &mut App| measure::kinetic_energy(&Discs::of(app.world_mut()));
    let before = energy(&mut app);
    support::ticks(&mut app, (LENGTH / 2.0 / u * 60.0) as usize);
    let ratio = energy(&mut app) / before;
    let radius = f64::from(radius);
    let length = f64::from(LENGTH);
    let [first, last] = [length, length / 2.0].map(|side| {
        let eta = 0.02 * length * length / ((side - 2.0 * radius) * (length - 2.0 * radius));
        eta.ln() - 0.875 * (1.0 - eta).ln() + 1.125 / (1.0 - eta)
    });
    (ratio, (last - first).exp())
}

#[test]
fn a_slow_piston_heats_a_gas_by_its_equation_of_state_and_a_fast_one_by_more() {
    let (slow, theory) = ratios(0.03);
    assert!((slow / theory - 1.0).abs() < 0.05, "{slow} instead of {theory}");
    let (fast, _) = ratios(0.5);
    assert!(fast > 1.08 * slow, "{fast}, and {slow} slowly");
}
