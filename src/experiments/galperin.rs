//! Galperin's billiard (2003): collisions of two discs and a wall count the digits of pi.

use std::f64::consts::PI;

use bevy::math::Vec2;

use super::{Exact, Experiment, Meter, Modes, Outcome, Prediction, Start, Vary, meters::{disc_hits, wall_hits}};
use crate::{collision::PhysicsSpace, notice::mark};

/// The light and the heavy disc of the lane that is counted, by number.
const LANE: [usize; 2] = [6, 7];

pub const GALPERIN: Experiment = Experiment {
    name: "galperin",
    question: mark("In the fourth lane, a disc that is a million times as heavy as the resting one moves in. How many \
        collisions will there be, including those with the wall?"),
    quantity: mark("collisions in the fourth lane"),
    unit: "",
    prediction: Prediction::Number { low: 0.0, high: 10_000.0, decimals: 0 },
    exact: Exact::Exactly,
    source: mark("The whole number below π / atan √(m / M) (Galperin 2003)"),
    why: mark("Energy and momentum keep the point (√M V, √m v) on a circle. Each collision turns it by the same angle, \
        2 atan √(m / M), until it has gone around half of the circle. With a mass ratio of 100 to the power of d, the \
        number of collisions is therefore the first d + 1 digits of π."),
    vary: &[Vary {
        name: "ratio",
        words: mark("mass of the heavy disc over that of the light one"),
        unit: "",
        range: [1.0, 1e6],
        is_whole: false,
        get: |file| Some(f64::from(file.discs.get(LANE[1])?.mass().0 / file.discs[LANE[0]].mass().0)),
        set: |file, ratio| file.discs[LANE[1]].mass = Some(ratio as f32 * file.discs[LANE[0]].mass().0),
    }],
    modes: Modes::Continuous(mark("The stepped mode resolves one collision per substep, so it misses most of them.")),
    seconds: 20.0,
    begin,
};

/// The expected number of collisions: the largest integer below pi divided by the angle of the wedge.
#[must_use]
pub fn expected(ratio: f32) -> u64 {
    let wedge = libm::atan(1.0 / f64::from(ratio).sqrt());
    ((PI / wedge).ceil() as u64).saturating_sub(1)
}

struct Lane {
    expected: u64,
    count: u64,
    is_over: bool,
}

fn begin(start: &Start) -> Result<Box<dyn Meter>, String> {
    let discs = &start.space.discs;
    let [light, heavy] = LANE;
    let is_lane = |(light, heavy): (usize, usize)| {
        let [near, far] = [discs.position[light], discs.position[heavy]];
        near.y == far.y && near.x < far.x && discs.velocity[light] == Vec2::ZERO && discs.velocity[heavy].x < 0.0
    };
    if discs.len() <= heavy || !is_lane((light, heavy)) {
        return Err(mark("The scene needs four lanes with two discs each.").to_owned());
    }
    Ok(Box::new(Lane {
        expected: expected(discs.mass[heavy] / discs.mass[light]),
        count: 0,
        is_over: false,
    }))
}

impl Meter for Lane {
    fn observe(&mut self, space: &PhysicsSpace) {
        let [light, heavy] = LANE;
        let of_walls = wall_hits(space).filter(|hit| hit.disc as usize == light);
        let of_pair = disc_hits(space).filter(|pair| pair.contains(&light));
        self.count += (of_walls.count() + of_pair.count()) as u64;
        let velocity = |disc: usize| space.discs.velocity[disc].x;
        self.is_over = self.count > 0 && velocity(light) >= 0.0 && velocity(heavy) >= velocity(light);
    }

    fn outcome(&self) -> Outcome {
        if self.is_over {
            return Outcome::done(self.count as f64, None, self.expected as f64);
        }
        Outcome::waiting(if self.count == 0 { 0.0 } else { 0.5 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digits_of_pi_and_the_counts_of_other_ratios() {
        assert_eq!([1.0, 1e2, 1e4, 1e6, 1e8].map(expected), [3, 31, 314, 3141, 31_415]);
        assert_eq!([2.0, 3.0, 5.0, 16.0].map(expected), [5, 5, 7, 12]);
    }
}
