//! A gas in a box that becomes shorter, slowly or fast.

use super::{
    Exact, Experiment, Meter, Modes, Outcome, Prediction, Start, Vary,
    meters::{MovingWall, ends, height, seconds},
};
use crate::{
    collision::{PhysicsSpace, measure},
    components::Oscillation,
    laboratory::{Mixture, henderson},
    notice::mark,
};

pub const PISTON: Experiment = Experiment {
    name: "piston",
    question: mark("The piston makes the box half as long. By which factor does the temperature of the gas rise?"),
    quantity: mark("temperature at the smallest length over that at the start"),
    unit: "",
    prediction: Prediction::Number { low: 0.0, high: 8.0, decimals: 2 },
    exact: Exact::InTheLimit,
    source: mark("ln T = ∫ Z(η) dL / (L − s), with the length L, the diameter s and Z of Henderson (1975), for a slow piston"),
    why: mark("Each hit on the moving piston makes a disc a little faster. The work is the force times the way, and the force is \
        that of the gas law. In two dimensions halving the area of points without size doubles the temperature. Discs have a \
        size, so the force is larger and the gas gets hotter still. A fast piston does even more work: the discs pile up in \
        front of it, and the way back does not return all of it."),
    vary: &[Vary {
        name: "frequency",
        words: mark("frequency of the piston"),
        unit: "Hz",
        range: [0.002, 0.2],
        is_whole: false,
        get: |file| Some(f64::from(file.terrain.get(1)?.get::<Oscillation>()?.frequency)),
        set: |file, frequency| {
            let piece = &mut file.terrain[1];
            if let Some(&swing) = piece.get::<Oscillation>() {
                *piece = piece.clone().with(Oscillation { frequency: frequency as f32, ..swing });
            }
        },
    }],
    modes: Modes::Both,
    seconds: 260.0,
    begin,
};

struct Piston {
    left: f64,
    height: f64,
    /// The length at the start, and the smallest so far, metres.
    first: f64,
    least: f64,
    /// The energy at the start and at the smallest length, joules.
    energy: [f64; 2],
    gas: Mixture,
    diameter: f64,
    /// The time of half a swing, seconds.
    half: f64,
    now: f64,
}

fn begin(start: &Start) -> Result<Box<dyn Meter>, String> {
    let space = start.space;
    let wall = MovingWall::of(space).and_then(|wall| Some((wall.face, wall.swing?)));
    let gas = Mixture::of(&space.discs).filter(|gas| gas.single().is_some());
    let (Some((face, [.., frequency])), Some([left, _]), Some(height), Some(gas)) =
        (wall, ends(space), height(space), gas)
    else {
        return Err(mark("The scene needs equal discs in a box with a piston that swings.").to_owned());
    };
    let energy = measure::kinetic_energy(&space.discs);
    let diameter = gas.single().map_or(0.0, |disc| 2.0 * disc.radius);
    let first = face - left;
    let half = 0.5 / frequency;
    Ok(Box::new(Piston { left, height, first, least: first, energy: [energy; 2], gas, diameter, half, now: 0.0 }))
}

/// The steps of the integral.
const STEPS: usize = 200;

impl Piston {
    /// The ratio of temperatures for a slow piston. The integral is that of the rule of midpoints.
    fn expected(&self) -> f64 {
        let step = (self.first - self.least) / STEPS as f64;
        let work = (0..STEPS).map(|at| {
            let length = self.least + (at as f64 + 0.5) * step;
            henderson(self.gas.area_fraction(length * self.height)) / (length - self.diameter) * step
        });
        libm::exp(work.sum())
    }
}

impl Meter for Piston {
    fn observe(&mut self, space: &PhysicsSpace) {
        self.now = seconds(space);
        let length = MovingWall::face_of(space, f64::min).map_or(self.least, |face| face - self.left);
        if length < self.least {
            self.least = length;
            self.energy[1] = measure::kinetic_energy(&space.discs);
        }
    }

    fn outcome(&self) -> Outcome {
        if self.now < 1.02 * self.half {
            return Outcome::waiting(self.now / self.half);
        }
        Outcome::done(self.energy[1] / self.energy[0], None, self.expected())
    }
}
