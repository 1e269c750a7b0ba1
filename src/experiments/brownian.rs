//! Brownian motion: heavy discs among many light ones.

use super::{
    Choice, Exact, Experiment, Meter, Modes, Prediction, Start, Vary,
    meters::Measured,
};
use crate::{laboratory::Mixture, notice::mark};

/// The length of the measurement, and the time before it, seconds.
const SECONDS: f64 = 120.0;
const WARM_UP: f64 = 5.0;

pub const BROWNIAN: Experiment = Experiment {
    name: "brownian",
    question: mark("The big discs are twenty times as heavy as the small ones and begin at rest. After some time, how many times \
        the kinetic energy of a small disc does a big one have, on average?"),
    quantity: mark("mean kinetic energy of a big disc over that of a small one"),
    unit: "",
    prediction: Prediction::Choice(&[
        Choice { words: mark("about a twentieth"), up_to: 0.3 },
        Choice { words: mark("the same"), up_to: 3.0 },
        Choice { words: mark("about twenty times"), up_to: 1000.0 },
    ]),
    exact: Exact::Exactly,
    source: mark("1, in the mean of a long run, for any masses (equipartition)"),
    why: mark("Small discs push a big one from all sides, never quite evenly. If it is fast, those that it meets head-on slow it \
        down. Both balance when its mean energy is the same as theirs, so it moves about four and a half times as slowly. \
        Robert Brown saw grains from pollen tremble like this in 1827. Einstein explained it in 1905, and Perrin counted \
        molecules with it. Make the small discs invisible in your mind: that is what Brown saw."),
    vary: &[Vary {
        name: "mass",
        words: mark("mass of a big disc"),
        unit: "kg",
        range: [0.05, 5.0],
        is_whole: false,
        get: |file| file.discs.first()?.mass.map(f64::from),
        set: |file, mass| file.discs.iter_mut().for_each(|disc| disc.mass = Some(mass as f32)),
    }],
    modes: Modes::Both,
    seconds: WARM_UP + SECONDS + 1.0,
    begin,
};

fn begin(start: &Start) -> Result<Box<dyn Meter>, String> {
    if Mixture::of(&start.space.discs).is_none_or(|gas| gas.species.len() != 2) {
        return Err(mark("The scene needs discs of two masses.").to_owned());
    }
    Ok(Measured::meter("equipartition", [WARM_UP, SECONDS], |estimate| estimate))
}
