//! Effusion: discs leak out of a box through a slit that is narrower than their free path.

use super::{
    Exact, Experiment, Meter, Modes, Outcome, Prediction, Start, Vary,
    meters::Ratio,
};
use crate::{collision::PhysicsSpace, components::Terrain, notice::mark};

/// The share of the discs that have leaked out at the end.
const LEAKED: f64 = 0.5;

pub const LEAK: Experiment = Experiment {
    name: "leak",
    question: mark("Discs leak through a slit into the empty half of the box. How many times the energy of a disc inside does a \
        disc that leaks out carry, on average?"),
    quantity: mark("mean energy of discs that leak out over that of the discs inside"),
    unit: "",
    prediction: Prediction::Number { low: 0.5, high: 3.0, decimals: 2 },
    exact: Exact::InTheLimit,
    source: mark("3/2 for a gas in two dimensions (4/2 in three), if the slit is narrower than the free path (kinetic theory)"),
    why: mark("A fast disc comes to the slit more often than a slow one. So those that leak out are not a fair sample: each speed \
        counts in proportion to itself. Their mean energy is 1.5 kT instead of kT. What stays behind cools, in proportion to \
        the square root of the number of discs that are left. Beams of atoms from an oven have such a surplus, too."),
    vary: &[Vary {
        name: "slit",
        words: mark("width of the slit"),
        unit: "m",
        range: [0.05, 2.0],
        is_whole: false,
        get: |file| Some(match file.terrain.get(SLIT)?.shape {
            Terrain::Segment { a, b } => f64::from((b - a).length()),
            _ => return None,
        }),
        set: |file, width| {
            let half = (0.5 * width) as f32;
            for (piece, sign) in [(SLIT - 2, 1.0), (SLIT - 1, -1.0)] {
                if let Terrain::Segment { a, .. } = &mut file.terrain[piece].shape {
                    a.y = sign * half;
                }
            }
            if let Terrain::Segment { a, b } = &mut file.terrain[SLIT].shape {
                (a.y, b.y) = (-half, half);
            }
        },
    }],
    modes: Modes::Both,
    seconds: 300.0,
    begin,
};

/// The index of the one-way slit in the terrain of the scene. The walls above and below it come before it, each from
/// the slit.
const SLIT: usize = 3;

struct Leak {
    is_out: Vec<bool>,
    energy: Ratio,
    /// The discs that have leaked out.
    count: usize,
}

fn begin(start: &Start) -> Result<Box<dyn Meter>, String> {
    let positions = &start.space.discs.position;
    if positions.is_empty() || positions.iter().any(|place| place.x > 0.0) || start.space.terrain.filter.is_empty() {
        return Err(mark("The scene needs discs in its left half and a one-way slit in the middle.").to_owned());
    }
    Ok(Box::new(Leak { is_out: vec![false; positions.len()], energy: Ratio::default(), count: 0 }))
}

impl Meter for Leak {
    fn observe(&mut self, space: &PhysicsSpace) {
        let discs = &space.discs;
        let energy = |disc: usize| 0.5 * f64::from(discs.mass[disc]) * discs.velocity[disc].as_dvec2().length_squared();
        let inside = self.is_out.iter().enumerate().filter(|(_, is_out)| !**is_out);
        let (sum, count) = inside.fold((0.0, 0), |(sum, count), (disc, _)| (sum + energy(disc), count + 1));
        for disc in 0..discs.len() {
            if !self.is_out[disc] && discs.position[disc].x > 0.0 {
                self.is_out[disc] = true;
                self.count += 1;
                self.energy.add(energy(disc), sum / f64::from(count));
            }
        }
    }

    fn outcome(&self) -> Outcome {
        let progress = (self.count as f64 / (LEAKED * self.is_out.len() as f64)).min(1.0);
        if self.count == 0 {
            return Outcome::waiting(progress);
        }
        let (value, error) = self.energy.value();
        Outcome { progress, ..Outcome::done(value, error, 1.5) }
    }
}
