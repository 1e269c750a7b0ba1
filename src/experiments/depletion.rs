//! Depletion: two big discs among small ones that ignore each other (Asakura and Oosawa 1954).
//!
//! The small ones are an ideal gas in the area that the big ones leave free, so the distance r of the big ones has the
//! exact weight `(free area)^N` besides that of the place. Discs of radius R and small ones of radius r keep centres of
//! small ones out of two circles of R + r; where these overlap, the free area is larger.

use std::f64::consts::PI;

use super::{
    Exact, Experiment, Meter, Modes, Outcome, Prediction, Start, Vary,
    meters::Ratio,
};
use crate::{collision::PhysicsSpace, notice::mark, scene::generate::Generator};

/// The length of the measurement, seconds.
const SECONDS: f64 = 300.0;

pub const DEPLETION: Experiment = Experiment {
    name: "depletion",
    question: mark("Two big discs move among many small ones that ignore each other. Nothing attracts anything. By chance, the \
        gap between the big ones would be less than a small diameter for 0.31 of the time. For what share of the time is it?"),
    quantity: mark("share of the time with a gap of less than a small diameter"),
    unit: "",
    prediction: Prediction::Number { low: 0.0, high: 1.0, decimals: 2 },
    exact: Exact::Exactly,
    source: mark("∫ A(r)^N r dr up to a gap of a small diameter, over that of all distances, with the area A(r) that is free for \
        the centres of N small discs (Asakura and Oosawa 1954)"),
    why: mark("Around each big disc is a rim where no centre of a small disc can be. When two rims overlap, the small discs have \
        more room. More room means more ways to be, so the big discs are together more often. Seen from nearby, no small disc \
        fits into the gap, and those outside push the big ones together. Chance acts like a force. It makes milk cream and \
        crowds the inside of cells."),
    vary: &[Vary {
        name: "count",
        words: mark("number of small discs"),
        unit: "",
        range: [1.0, 150.0],
        is_whole: true,
        get: |file| file.generate.iter().find_map(|generator| match generator {
            Generator::Lattice(small) => Some(small.count as f64),
            _ => None,
        }),
        set: |file, count| {
            for generator in &mut file.generate {
                if let Generator::Lattice(small) = generator {
                    small.count = count as usize;
                }
            }
        },
    }],
    modes: Modes::Continuous(mark("The stepped mode lets discs overlap for a moment and pushes them apart, so the big discs are near each \
        other less often.")),
    seconds: SECONDS + 1.0,
    begin,
};

/// The steps of the integral over the distance.
const STEPS: u32 = 4000;

/// The share of the time that two circles of radius `big` have a gap of less than a diameter of the `count` small ones,
/// on a torus with these sides.
fn expected(big: f64, small: f64, count: f64, [width, height]: [f64; 2]) -> f64 {
    let (touch, rim) = (2.0 * big, big + small);
    let free = |distance: f64| {
        let half = 0.5 * distance;
        let shared = if half < rim {
            2.0 * rim * rim * libm::acos(half / rim) - distance * (rim * rim - half * half).sqrt()
        } else {
            0.0
        };
        width * height - 2.0 * PI * rim * rim + shared
    };
    // The part of the circle of this radius in the cell around its centre, as an angle.
    let angle = |distance: f64| {
        let cut = |side: f64| libm::acos((0.5 * side / distance).min(1.0));
        (2.0 * PI - 4.0 * (cut(width) + cut(height))).max(0.0)
    };
    let (least, farthest) = (free(2.0 * rim), 0.5 * (width * width + height * height).sqrt());
    let step = (farthest - touch) / f64::from(STEPS);
    let weight = |distance: f64| angle(distance) * distance * libm::pow(free(distance) / least, count);
    let sum = |end: f64| {
        let places = (0..STEPS).map(|at| touch + (f64::from(at) + 0.5) * step);
        places.filter(|&distance| distance < end).map(weight).sum::<f64>()
    };
    sum(2.0 * rim) / sum(farthest)
}

struct Depletion {
    big: [usize; 2],
    /// The distance below which no small disc fits between them, metres.
    near: f32,
    expected: f64,
    time: Ratio,
}

fn begin(start: &Start) -> Result<Box<dyn Meter>, String> {
    let wrong = mark("The scene needs two big discs and small ones that ignore each other, with periodic edges.");
    let (discs, edges) = (&start.space.discs, &start.space.laws.settings.periodic);
    let (Some(x), Some(y)) = (edges.x, edges.y) else { return Err(wrong.to_owned()) };
    let small = discs.radius.iter().copied().reduce(f32::min).unwrap_or(0.0);
    let big: Vec<usize> = (0..discs.len()).filter(|&disc| discs.radius[disc] > small).collect();
    let &[first, second] = &big[..] else { return Err(wrong.to_owned()) };
    let radius = discs.radius[first];
    if discs.radius[second] != radius || discs.filter.is_empty() {
        return Err(wrong.to_owned());
    }
    let sides = [x, y].map(|(low, high)| f64::from(high) - f64::from(low));
    let count = (discs.len() - 2) as f64;
    Ok(Box::new(Depletion {
        big: [first, second],
        near: 2.0 * (radius + small),
        expected: expected(radius.into(), small.into(), count, sides),
        time: Ratio::default(),
    }))
}

impl Meter for Depletion {
    fn observe(&mut self, space: &PhysicsSpace) {
        let [a, b] = self.big.map(|disc| space.discs.position[disc]);
        let is_near = space.difference(a, b).length() < self.near;
        let step = f64::from(space.clock.time_step);
        self.time.add(if is_near { step } else { 0.0 }, step);
    }

    fn outcome(&self) -> Outcome {
        let seconds = self.time.lower();
        if seconds <= 0.0 {
            return Outcome::waiting(0.0);
        }
        let (value, error) = self.time.value();
        Outcome { progress: (seconds / SECONDS + 1e-9).min(1.0), ..Outcome::done(value, error, self.expected) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_small_discs_it_is_a_share_of_the_area() {
        let ring = PI * (1.6 * 1.6 - 1.2 * 1.2) / (16.0 - PI * 1.2 * 1.2);
        assert!((expected(0.6, 0.2, 0.0, [4.0, 4.0]) - ring).abs() < 1e-3, "{ring}");
    }

    #[test]
    fn few_small_discs_attract_by_their_number_times_the_shared_area() {
        // R = 2.5 s: at touch the rims share 2.2508 s², so a thin gas of n per s² has e^(2.2508 n) there.
        let (big, small, side) = (2.5_f64, 0.5, 1000.0);
        let rim = big + small;
        let shared = 2.0 * rim * rim * libm::acos(big / rim) - 2.0 * big * (rim * rim - big * big).sqrt();
        assert!((shared - 2.2508).abs() < 1e-4, "{shared}");
        let few = expected(big, small, 1000.0, [side, side]) / expected(big, small, 0.0, [side, side]);
        assert!(few > 1.0 && few < libm::exp(2.2508e-3), "{few}");
    }
}
