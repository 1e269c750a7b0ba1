//! Granular cooling: a gas whose hits lose energy (Haff 1983).

use super::{Choice, Exact, Experiment, Meter, Modes, Outcome, Prediction, Start, Vary};
use crate::{
    collision::PhysicsSpace,
    laboratory::{Laboratory, quantity},
    notice::mark,
};

/// The longest run, seconds.
const SECONDS: f64 = 300.0;

/// The time at the end, in cooling times of Haff.
const END: f64 = 2.0;

pub const COOLING: Experiment = Experiment {
    name: "cooling",
    question: mark("At each hit the discs lose a tenth of the speed at which they approach. After some time a quarter of the energy \
        is left. What share is left after twice this time?"),
    quantity: mark("share of the energy that is left"),
    unit: "",
    prediction: Prediction::Choice(&[
        Choice { words: mark("a sixteenth"), up_to: 0.085 },
        Choice { words: mark("a ninth"), up_to: 0.16 },
        Choice { words: mark("a fifth"), up_to: 1.0 },
    ]),
    exact: Exact::InTheLimit,
    source: mark("1 / (1 + t/t_H)², here with t = 2 t_H and t_H = 4 / ((1 − e²) ν), the hits per second ν at the start, while the \
        gas is uniform (Haff 1983)"),
    why: mark("Each hit takes the same share of the energy. If hits came at a steady rate, the energy would fall by the same \
        factor in equal times: a quarter, then a sixteenth. But slower discs hit less often, so the cooling slows down, too. \
        Wait longer in a larger box, and swirls and clusters form: discs come together where they are slow. Dust between the \
        stars and the rings of Saturn cool like this."),
    vary: &[Vary {
        name: "restitution",
        words: mark("restitution"),
        unit: "",
        range: [0.5, 0.98],
        is_whole: false,
        get: |file| Some(f64::from(file.collision.restitution)),
        set: |file, restitution| file.collision.restitution = restitution as f32,
    }],
    modes: Modes::Both,
    seconds: SECONDS,
    begin,
};

struct Cooling {
    laboratory: Laboratory,
    outcome: Outcome,
}

fn begin(start: &Start) -> Result<Box<dyn Meter>, String> {
    let (discs, settings) = (&start.space.discs, &start.space.laws.settings);
    if discs.len() < 2 || settings.restitution >= 1.0 || settings.periodic.x.is_none() || settings.periodic.y.is_none() {
        return Err(mark("The scene needs discs that lose energy when they hit each other, with periodic edges.").to_owned());
    }
    let mut laboratory = Laboratory::default();
    laboratory.start(quantity("cooling"));
    Ok(Box::new(Cooling { laboratory, outcome: Outcome::waiting(0.0) }))
}

impl Meter for Cooling {
    fn observe(&mut self, space: &PhysicsSpace) {
        self.laboratory.observe(space);
        let Some(curve) = self.laboratory.results().into_iter().find_map(|measured| measured.outcome.ok()) else {
            return;
        };
        let last = curve.curve.last().map_or(0.0, |point| point.x);
        self.outcome = match curve.curve.iter().find(|point| point.x == END) {
            Some(end) => Outcome { value: Some(end.estimate), progress: 1.0 },
            None => Outcome::waiting(last / END),
        };
    }

    fn outcome(&self) -> Outcome {
        self.outcome
    }
}
