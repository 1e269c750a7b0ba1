//! Maxwell's demon as a valve: discs pass to the right and never back.

use super::{
    Choice, Exact, Experiment, Meter, Modes, Outcome, Prediction, Start, Vary,
    meters::seconds,
};
use crate::{collision::PhysicsSpace, components::Terrain, notice::mark};

/// The length of the measurement, seconds.
const SECONDS: f64 = 120.0;

pub const DEMON: Experiment = Experiment {
    name: "demon",
    question: mark("A wall with a hole divides the box. A demon sits in the hole and lets discs pass to the right, but not back. \
        Half of the discs start on each side. What share of them is on the right after two minutes?"),
    quantity: mark("share of the discs on the right"),
    unit: "",
    prediction: Prediction::Choice(&[
        Choice { words: mark("about a half"), up_to: 0.65 },
        Choice { words: mark("about three quarters"), up_to: 0.9 },
        Choice { words: mark("all of them"), up_to: 1.0 },
    ]),
    exact: Exact::InTheLimit,
    source: mark("All of them after a long time, against a chance of 1 in 2 to the power of N that it happens by itself"),
    why: mark("With all N discs on one side, the entropy of the gas is lower by N k ln 2 than before, and no energy was used: the \
        second law seems to be broken. It is not, because the one-way wall is no mechanical thing. A real valve is made of \
        discs itself. It gets as hot as the gas, trembles, and lets discs back. A demon that looks must remember which discs \
        it has seen, and forgetting costs at least as much entropy (Landauer 1961, Bennett 1982)."),
    vary: &[Vary {
        name: "hole",
        words: mark("width of the hole"),
        unit: "m",
        range: [0.2, 3.0],
        is_whole: false,
        get: |file| Some(match file.terrain.get(VALVE)?.shape {
            Terrain::Segment { a, b } => f64::from((b - a).length()),
            _ => return None,
        }),
        set: |file, width| {
            let half = (0.5 * width) as f32;
            for (piece, sign) in [(VALVE - 2, 1.0), (VALVE - 1, -1.0)] {
                if let Terrain::Segment { a, .. } = &mut file.terrain[piece].shape {
                    a.y = sign * half;
                }
            }
            if let Terrain::Segment { a, b } = &mut file.terrain[VALVE].shape {
                (a.y, b.y) = (-half, half);
            }
        },
    }],
    modes: Modes::Both,
    seconds: SECONDS + 1.0,
    begin,
};

/// The index of the valve in the terrain of the scene. The walls above and below it come before it, each from the hole.
const VALVE: usize = 3;

struct Demon {
    share: f64,
    now: f64,
}

fn begin(start: &Start) -> Result<Box<dyn Meter>, String> {
    if start.space.discs.is_empty() || start.space.terrain.filter.is_empty() {
        return Err(mark("The scene needs discs and a one-way wall in the middle.").to_owned());
    }
    Ok(Box::new(Demon { share: 0.0, now: 0.0 }))
}

impl Meter for Demon {
    fn observe(&mut self, space: &PhysicsSpace) {
        self.now = seconds(space);
        let on_the_right = space.discs.position.iter().filter(|place| place.x > 0.0).count();
        self.share = on_the_right as f64 / space.discs.len() as f64;
    }

    fn outcome(&self) -> Outcome {
        let progress = if self.share == 1.0 { 1.0 } else { (self.now / SECONDS + 1e-9).min(1.0) };
        Outcome { progress, ..Outcome::done(self.share, None, 1.0) }
    }
}
