//! Two gases mix, and unmix when all velocities are reversed (Loschmidt 1876).

use super::{
    Choice, Exact, Experiment, Meter, Modes, Outcome, Prediction, Start, Vary,
    meters::seconds,
};
use crate::{collision::PhysicsSpace, notice::mark, scene::generate::Generator};

/// The time at which the velocities are reversed, seconds.
const REVERSED: f64 = 4.0;

pub const MIX: Experiment = Experiment {
    name: "mix",
    question: mark("Red discs below and blue discs above mix for four seconds. Then all velocities are reversed at once. What \
        share of the discs is in its own half after four seconds more?"),
    quantity: mark("share of the discs that are back in their own half"),
    unit: "",
    prediction: Prediction::Choice(&[
        Choice { words: mark("about a half: they mix further"), up_to: 0.7 },
        Choice { words: mark("most of them"), up_to: 0.95 },
        Choice { words: mark("all of them"), up_to: 1.0 },
    ]),
    exact: Exact::Exactly,
    source: mark("All of them: the laws of motion are the same forwards and backwards in time"),
    why: mark("The reversed discs retrace every hit, and the entropy falls by what it rose before, at most N k ln 2. Yet this \
        state is one of extreme luck. Each hit makes a tiny error several times larger. With numbers of seven digits the way \
        back is lost after some fifteen hits per disc: make the discs faster, and they stay mixed. A real gas has a thousand \
        million hits per second and disc."),
    vary: &[Vary {
        name: "speed",
        words: mark("highest speed at the start"),
        unit: "m/s",
        range: [0.05, 5.0],
        is_whole: false,
        get: |file| file.generate.iter().find_map(|generator| match generator {
            Generator::RandomFill(fill) => Some(f64::from(fill.speed)),
            _ => None,
        }),
        set: |file, speed| {
            for generator in &mut file.generate {
                if let Generator::RandomFill(fill) = generator {
                    fill.speed = speed as f32;
                }
            }
        },
    }],
    modes: Modes::Continuous(mark("The stepped mode treats hits at the ends of its steps, so it does not find its way back.")),
    seconds: 2.0 * REVERSED + 1.0,
    begin,
};

struct Mix {
    /// Whether each disc began above the middle.
    is_upper: Vec<bool>,
    share: f64,
    now: f64,
    /// The time at which the velocities were reversed, seconds.
    reversed: Option<f64>,
}

fn begin(start: &Start) -> Result<Box<dyn Meter>, String> {
    let positions = &start.space.discs.position;
    let is_mixed = positions.is_empty() || positions.iter().all(|place| place.y > 0.0);
    if is_mixed || start.space.walls().is_empty() {
        return Err(mark("The scene needs discs in the lower and the upper half of a box.").to_owned());
    }
    Ok(Box::new(Mix {
        is_upper: positions.iter().map(|place| place.y > 0.0).collect(),
        share: 1.0,
        now: 0.0,
        reversed: None,
    }))
}

impl Meter for Mix {
    fn observe(&mut self, space: &PhysicsSpace) {
        if self.reverses() {
            // This tick was the first with reversed velocities.
            self.reversed = Some(self.now);
        }
        self.now = seconds(space);
        let places = space.discs.position.iter().zip(&self.is_upper);
        let own = places.filter(|(place, is_upper)| (place.y > 0.0) == **is_upper).count();
        self.share = own as f64 / self.is_upper.len() as f64;
    }

    fn outcome(&self) -> Outcome {
        let progress = self.reversed.map_or(0.5 * self.now / REVERSED, |reversed| 0.5 * self.now / reversed);
        match self.reversed {
            Some(reversed) if self.now >= 2.0 * reversed - 1e-6 => Outcome::done(self.share, None, 1.0),
            _ => Outcome::waiting(progress),
        }
    }

    fn reverses(&self) -> bool {
        self.reversed.is_none() && self.now >= REVERSED - 1e-6
    }
}
