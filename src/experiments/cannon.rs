//! The Galilean cannon: a small disc just above a big one, dropped together.

use super::{Exact, Experiment, Meter, Modes, Outcome, Prediction, Start, Vary, meters::wall_hits};
use crate::{
    collision::{HitTarget, PhysicsSpace},
    notice::mark,
};

/// The big disc below and the small one above, by number.
const BIG: usize = 0;
const SMALL: usize = 1;

pub const CANNON: Experiment = Experiment {
    name: "cannon",
    question: mark("A small disc falls just above one of three times its mass. Nothing loses energy. How many times as fast as \
        it came down does the small disc fly up?"),
    quantity: mark("speed upward over the speed of the fall"),
    unit: "",
    prediction: Prediction::Number { low: 0.0, high: 5.0, decimals: 2 },
    exact: Exact::InTheLimit,
    source: mark("(3 − μ) / (1 + μ) with μ = small mass / big mass, for a small gap between them"),
    why: mark("The big disc bounces first and hits the small one at twice the speed of the fall. Seen from the common centre of \
        mass, both turn around. If the big disc is very heavy, the small one gains twice the speed of the fall: it leaves \
        three times as fast and flies nine times as high. At a mass ratio of three the big disc stops and the small one \
        has all of the energy: twice as fast, four times as high."),
    vary: &[Vary {
        name: "ratio",
        words: mark("mass of the small disc over that of the big one"),
        unit: "",
        range: [0.001, 1.0],
        is_whole: false,
        get: |file| Some(f64::from(file.discs.get(SMALL)?.mass().0 / file.discs[BIG].mass().0)),
        set: |file, ratio| file.discs[SMALL].mass = Some(ratio as f32 * file.discs[BIG].mass().0),
    }],
    modes: Modes::Both,
    seconds: 20.0,
    begin,
};

struct Cannon {
    exact: f64,
    /// The speed of the fall, m/s.
    fall: Option<f64>,
    up: Option<f64>,
}

fn begin(start: &Start) -> Result<Box<dyn Meter>, String> {
    let discs = &start.space.discs;
    if discs.len() != 2 || start.gravity.y >= 0.0 {
        return Err(mark("The scene needs two discs, the second above the first, and gravity downward.").to_owned());
    }
    let ratio = f64::from(discs.mass[SMALL]) / f64::from(discs.mass[BIG]);
    Ok(Box::new(Cannon { exact: (3.0 - ratio) / (1.0 + ratio), fall: None, up: None }))
}

impl Meter for Cannon {
    fn observe(&mut self, space: &PhysicsSpace) {
        if self.fall.is_none() {
            let first = wall_hits(space).find(|hit| hit.disc as usize == BIG);
            self.fall = first.map(|hit| f64::from(hit.approach_speed));
        }
        if self.fall.is_some() && self.up.is_none() {
            self.up = space.report.hits.iter().find_map(|hit| match hit.target {
                HitTarget::Disc(other) if hit.disc as usize == SMALL || other as usize == SMALL => {
                    let of_small = if hit.disc as usize == SMALL { Some(hit.velocity) } else { hit.other_velocity };
                    of_small.map(|velocity| f64::from(velocity.after.y))
                }
                _ => None,
            });
        }
    }

    fn outcome(&self) -> Outcome {
        match (self.fall, self.up) {
            (Some(fall), Some(up)) => Outcome::done(up / fall, None, self.exact),
            (fall, _) => Outcome::waiting(if fall.is_some() { 0.9 } else { 0.0 }),
        }
    }
}
