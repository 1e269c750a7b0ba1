//! A gas under gravity: what does the floor bear?

use super::{
    Choice, Exact, Experiment, Meter, Modes, Prediction, Start, Vary,
    meters::Measured,
};
use crate::notice::mark;

/// The length of the measurement, and the time before it, seconds.
const SECONDS: f64 = 60.0;
const WARM_UP: f64 = 2.0;

pub const ATMOSPHERE: Experiment = Experiment {
    name: "atmosphere",
    question: mark("The discs fly about, and at any moment hardly one touches the floor. What share of their weight do the floor \
        and the ceiling bear together, on average?"),
    quantity: mark("mean force on the box, downwards, over the weight of the discs"),
    unit: "",
    prediction: Prediction::Choice(&[
        Choice { words: mark("less than their weight"), up_to: 0.9 },
        Choice { words: mark("just their weight"), up_to: 1.1 },
        Choice { words: mark("more than their weight"), up_to: 1000.0 },
    ]),
    exact: Exact::Exactly,
    source: mark("1: N m g in the mean of a long run, at any density and temperature (balance of momentum)"),
    why: mark("Gravity adds N m g of momentum in each second, and in the long run the discs gain none. So the box must take just \
        as much, in sharp kicks. It does not matter how the discs get there: a gas, a liquid and a heap weigh the same. The \
        discs are denser below, as the air is: a thin gas has a density of exp(−m g y / kT), and its mean height is kT/mg. \
        The temperature is the same at all heights."),
    vary: &[Vary {
        name: "gravity",
        words: mark("gravity"),
        unit: "m/s²",
        range: [1.0, 30.0],
        is_whole: false,
        get: |file| Some(-f64::from(file.motion.gravity.y)),
        set: |file, gravity| file.motion.gravity.y = -gravity as f32,
    }],
    modes: Modes::Both,
    seconds: WARM_UP + SECONDS + 1.0,
    begin,
};

fn begin(start: &Start) -> Result<Box<dyn Meter>, String> {
    let has_gravity = start.gravity.y < 0.0 && start.gravity.x == 0.0;
    if !has_gravity || start.space.discs.is_empty() || start.space.walls().is_empty() {
        return Err(mark("The scene needs discs in a box with gravity straight down.").to_owned());
    }
    Ok(Measured::meter("weight", [WARM_UP, SECONDS], Measured::share))
}
