//! The Tonks gas (1936): equal discs in a corridor that is just wide enough for one.

use super::{
    Exact, Experiment, Meter, Modes, Outcome, Prediction, Start, Vary,
    meters::{Ratio, ends, wall_hits},
};
use crate::{collision::{PhysicsSpace, measure}, components::Terrain, notice::mark, scene::SceneFile};

/// The length of the measurement, seconds.
const SECONDS: f64 = 160.0;

pub const CORRIDOR: Experiment = Experiment {
    name: "corridor",
    question: mark("Ten discs fill half of a narrow corridor. Points without size would push on its ends with twice their energy \
        over its length. How many times as large is the force of the discs?"),
    quantity: mark("force on an end over that of points without size"),
    unit: "",
    prediction: Prediction::Number { low: 0.0, high: 10.0, decimals: 2 },
    exact: Exact::Exactly,
    source: mark("L / (L − 2 r N), in the mean of a long run (Tonks 1936)"),
    why: mark("Equal discs in a line exchange their velocities. Follow a velocity instead of a disc: it runs on as if there were \
        no other disc, but at each hit it jumps ahead by a diameter. So it moves in a corridor that is shorter by all of the \
        diameters, and reaches the ends more often. The formula is exact at any density and for any speeds."),
    vary: &[
        Vary {
            name: "length",
            words: mark("length of the corridor"),
            unit: "m",
            range: [5.5, 50.0],
            is_whole: false,
            get: |file| arena(file).map(|half| 2.0 * f64::from(half)),
            set: set_length,
        },
    ],
    modes: Modes::Continuous(mark("The stepped mode treats hits at the ends of its steps. In a corridor that is nearly full the force \
        comes out too small.")),
    seconds: SECONDS + 1.0,
    begin,
};

/// Half of the length of the corridor, metres.
fn arena(file: &SceneFile) -> Option<f32> {
    file.terrain.iter().find_map(|piece| match piece.shape {
        Terrain::Arena { half_size } => Some(half_size.x),
        _ => None,
    })
}

fn set_length(file: &mut SceneFile, length: f64) {
    let count = file.discs.len() as f64;
    for (disc, place) in file.discs.iter_mut().zip(0..) {
        disc.position.x = (length * ((f64::from(place) + 0.5) / count - 0.5)) as f32;
    }
    for piece in &mut file.terrain {
        if let Terrain::Arena { half_size } = &mut piece.shape {
            half_size.x = (0.5 * length) as f32;
        }
    }
}

struct Corridor {
    exact: f64,
    /// The force of points without size, newtons.
    ideal: f64,
    force: Ratio,
}

fn begin(start: &Start) -> Result<Box<dyn Meter>, String> {
    let discs = &start.space.discs;
    let [left, right] = ends(start.space).ok_or(mark("The scene needs a corridor with walls at its ends."))?;
    let length = right - left;
    let filled: f64 = discs.radius.iter().map(|&radius| 2.0 * f64::from(radius)).sum();
    let is_in_line = discs.velocity.iter().all(|velocity| velocity.y == 0.0);
    let is_in_line = is_in_line && discs.position.windows(2).all(|pair| pair[0].y == pair[1].y);
    if discs.is_empty() || filled >= length || !is_in_line || measure::kinetic_energy(discs) == 0.0 {
        return Err(mark("The scene needs discs in a line that move along a corridor.").to_owned());
    }
    let ideal = 2.0 * measure::kinetic_energy(discs) / length;
    Ok(Box::new(Corridor { exact: length / (length - filled), ideal, force: Ratio::default() }))
}

impl Meter for Corridor {
    fn observe(&mut self, space: &PhysicsSpace) {
        // Both ends, so half of the impulses.
        let impulses: f64 = wall_hits(space).map(|hit| f64::from((hit.impulse * hit.normal.x).abs())).sum();
        self.force.add(0.5 * impulses / self.ideal, f64::from(space.clock.time_step));
    }

    fn outcome(&self) -> Outcome {
        let seconds = self.force.lower();
        if seconds <= 0.0 {
            return Outcome::waiting(0.0);
        }
        let (value, error) = self.force.value();
        Outcome { progress: (seconds / SECONDS + 1e-9).min(1.0), ..Outcome::done(value, error, self.exact) }
    }
}
