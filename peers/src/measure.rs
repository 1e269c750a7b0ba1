//! Runs one case and measures the time of each step, and the discs that the engine returns.
//!
//! One function evaluates all engines, in f64, from positions and velocities alone.

use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::{
    engine::Body,
    plan::Case,
    scene::{Disc, State},
};

/// The results of a run.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Figures {
    /// Nanoseconds per disc and step: the median of the second half of the run.
    pub nanoseconds: f64,
    /// Kinetic energy at the end divided by kinetic energy at the start.
    pub energy_ratio: f64,
    /// Root mean square of the speeds at the end, m/s.
    pub rms_speed: f64,
    /// The deepest overlap of two discs at the end, as a share of the smaller radius.
    pub overlap_max: f64,
    /// The mean overlap of the pairs that overlap at the end, as a share of the smaller radius; 0 if none does.
    pub overlap_mean: f64,
    /// The number of discs whose centre is outside the box at the end, or is not finite.
    pub outside: usize,
}

/// Builds the engine, steps it, and measures.
pub fn run(case: &Case) -> Figures {
    let state = State::new(case.scene, case.discs);
    let mut engine = case.engine.build(&state, case.threads);
    let mut times: Vec<f64> = (0..case.steps)
        .map(|_| {
            let start = Instant::now();
            engine.step();
            start.elapsed().as_secs_f64() * 1e9
        })
        .collect();
    let bodies = engine.bodies();
    let energy = kinetic_energy(&state.discs, &bodies);
    let (overlap_max, overlap_mean) = overlaps(&state, &bodies);
    Figures {
        nanoseconds: median(times.split_off(times.len() / 2)) / case.discs as f64,
        energy_ratio: energy / kinetic_energy(&state.discs, &at_start(&state)),
        rms_speed: (bodies.iter().map(speed_squared).sum::<f64>() / bodies.len() as f64).sqrt(),
        overlap_max,
        overlap_mean,
        outside: bodies.iter().filter(|body| !is_inside(&state, body)).count(),
    }
}

/// The discs before the first step.
fn at_start(state: &State) -> Vec<Body> {
    state.discs.iter().map(|disc| Body { position: disc.position, velocity: disc.velocity }).collect()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { f64::midpoint(values[middle - 1], values[middle]) }
}

fn speed_squared(body: &Body) -> f64 {
    body.velocity.map(|v| f64::from(v).powi(2)).iter().sum()
}

/// In joules.
fn kinetic_energy(discs: &[Disc], bodies: &[Body]) -> f64 {
    discs.iter().zip(bodies).map(|(disc, body)| 0.5 * f64::from(disc.mass()) * speed_squared(body)).sum()
}

fn is_inside(state: &State, body: &Body) -> bool {
    body.position.iter().zip(state.half_size).all(|(x, half)| x.abs() <= half)
}

/// The largest and the mean overlap of all pairs that overlap, as shares of the smaller radius of the pair.
///
/// The box is cut into cells as wide as the largest disc, so that partners are in the same cell or in one of the eight
/// around it. Discs outside the box count to the nearest cell.
fn overlaps(state: &State, bodies: &[Body]) -> (f64, f64) {
    let widest = 2.0 * state.discs.iter().map(|disc| f64::from(disc.radius)).fold(0.0, f64::max);
    let [columns, rows] = state.half_size.map(|half| ((2.0 * f64::from(half) / widest) as usize).max(1));
    let index =
        |x: f32, half: f32, count: usize| (f64::from(x + half) / widest).clamp(0.0, (count - 1) as f64) as usize;
    let cells: Vec<[usize; 2]> = bodies
        .iter()
        .map(|Body { position: [x, y], .. }| {
            [index(*x, state.half_size[0], columns), index(*y, state.half_size[1], rows)]
        })
        .collect();
    let mut members = vec![Vec::new(); columns * rows];
    for (i, [column, row]) in cells.iter().enumerate() {
        members[row * columns + column].push(i);
    }

    let (mut largest, mut sum, mut pairs) = (0.0_f64, 0.0, 0_u32);
    let around = |index: usize, count: usize| index.saturating_sub(1)..=(index + 1).min(count - 1);
    for (i, &[column, row]) in cells.iter().enumerate() {
        for row in around(row, rows) {
            for column in around(column, columns) {
                for &j in members[row * columns + column].iter().filter(|&&j| j > i) {
                    let share = overlap(&state.discs[i], &bodies[i], &state.discs[j], &bodies[j]);
                    if share > 0.0 {
                        largest = largest.max(share);
                        sum += share;
                        pairs += 1;
                    }
                }
            }
        }
    }
    (largest, sum / f64::from(pairs.max(1)))
}

/// The overlap of two discs as a share of the smaller radius; negative if they do not overlap.
fn overlap(disc_a: &Disc, a: &Body, disc_b: &Disc, b: &Body) -> f64 {
    let [x, y] = [0, 1].map(|axis| f64::from(a.position[axis]) - f64::from(b.position[axis]));
    let (radius_a, radius_b) = (f64::from(disc_a.radius), f64::from(disc_b.radius));
    (radius_a + radius_b - (x * x + y * y).sqrt()) / radius_a.min(radius_b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Scene;

    #[test]
    fn overlaps_are_shares_of_the_smaller_radius() {
        let disc = |x: f32, radius: f32| Disc { position: [x, 0.0], velocity: [0.0; 2], radius };
        // The first two overlap by 0.5, the next two by 0.25; the last touches no other disc.
        let discs = vec![disc(-4.0, 2.0), disc(-1.5, 1.0), disc(0.0, 0.5), disc(0.75, 0.5), disc(3.0, 1.0)];
        let state = State { scene: Scene::Radii, discs, half_size: [10.0, 5.0], restitution: 1.0, gravity: 0.0 };
        assert_eq!(overlaps(&state, &at_start(&state)), (0.5, 0.5));
    }

    #[test]
    fn every_scene_starts_inside_of_its_box_without_overlaps() {
        for scene in [Scene::Gas, Scene::Pile, Scene::Radii] {
            let state = State::new(scene, 2_000);
            let bodies = at_start(&state);
            assert_eq!(bodies.len(), 2_000);
            assert_eq!(overlaps(&state, &bodies), (0.0, 0.0), "{scene}");
            assert!(bodies.iter().all(|body| is_inside(&state, body)), "{scene}");
        }
    }

    #[test]
    fn the_median_of_an_even_number_is_between_the_middle_two() {
        assert_eq!(median(vec![9.0, 1.0, 3.0, 2.0]), 2.5);
        assert_eq!(median(vec![9.0, 1.0, 3.0]), 3.0);
    }
}
