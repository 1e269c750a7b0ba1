//! Galton's board (1889): balls fall through rows of pegs.

use super::{Exact, Experiment, Meter, Modes, Outcome, Prediction, Start, Vary};
use crate::{
    collision::PhysicsSpace,
    notice::mark,
    scene::{SceneFile, generate::{Generator, Lattice, Pegs}},
};

pub const GALTON: Experiment = Experiment {
    name: "galton",
    question: mark("Balls fall through 12 rows of pegs. If each row sent a ball to the left or right by chance, half a space \
        each, they would spread by 1.73 spaces. How far do these balls spread?"),
    quantity: mark("standard deviation of the places where the balls come out"),
    unit: "",
    prediction: Prediction::Number { low: 0.0, high: 10.0, decimals: 2 },
    exact: Exact::InTheLimit,
    source: mark("√n / 2 spaces for n rows of independent steps (binomial distribution); an independent program measured 1.90 with \
        4,000 balls in the shipped scene"),
    why: mark("Chance has to come from somewhere. Each hit on a round peg makes small differences large, so a ball that loses half \
        of its speed at each hit nearly forgets where it came from, and the board is nearly binomial. With small pegs and \
        lively balls it remembers its way and jumps several spaces. With dull balls that hardly fit between the \
        pegs, the spread is less than half of that by chance."),
    vary: &[
        Vary {
            name: "restitution",
            words: mark("restitution"),
            unit: "",
            range: [0.1, 0.9],
            is_whole: false,
            get: |file| Some(f64::from(file.collision.terrain_restitution)),
            set: |file, restitution| file.collision.terrain_restitution = restitution as f32,
        },
        Vary {
            name: "peg",
            words: mark("radius of a peg"),
            unit: "m",
            range: [0.05, 0.24],
            is_whole: false,
            get: |file| pegs(file).map(|pegs| f64::from(pegs.radius)),
            set: |file, radius| each(file, |pegs| pegs.radius = radius as f32, |_| ()),
        },
        Vary {
            name: "ball",
            words: mark("radius of a ball"),
            unit: "m",
            range: [0.05, 0.25],
            is_whole: false,
            get: |file| balls(file).map(|balls| f64::from(balls.radius)),
            set: |file, radius| each(file, |_| (), |balls| balls.radius = radius as f32),
        },
        Vary {
            name: "rows",
            words: mark("rows of pegs"),
            unit: "",
            range: [1.0, 16.0],
            is_whole: true,
            get: |file| pegs(file).map(|pegs| pegs.rows as f64),
            set: |file, rows| each(file, |pegs| pegs.rows = rows as usize, |_| ()),
        },
    ],
    modes: Modes::Both,
    seconds: 60.0,
    begin,
};

fn pegs(file: &SceneFile) -> Option<&Pegs> {
    file.generate.iter().find_map(|generator| match generator {
        Generator::Pegs(pegs) => Some(pegs),
        _ => None,
    })
}

fn balls(file: &SceneFile) -> Option<&Lattice> {
    file.generate.iter().find_map(|generator| match generator {
        Generator::Lattice(balls) => Some(balls),
        _ => None,
    })
}

/// Changes all pegs and all balls.
fn each(file: &mut SceneFile, mut of_pegs: impl FnMut(&mut Pegs), mut of_balls: impl FnMut(&mut Lattice)) {
    for generator in &mut file.generate {
        match generator {
            Generator::Pegs(pegs) => of_pegs(pegs),
            Generator::Lattice(balls) => of_balls(balls),
            _ => {}
        }
    }
}

/// The time after which balls that are still on the board are left out, seconds.
const PATIENCE: f64 = 40.0;

struct Galton {
    /// The height below which a ball has left the board, metres.
    exit: f32,
    /// The distance of neighbouring pegs, metres.
    spacing: f64,
    rows: usize,
    /// Where each ball left the board, metres.
    places: Vec<Option<f32>>,
    now: f64,
}

fn begin(start: &Start) -> Result<Box<dyn Meter>, String> {
    let wrong = mark("The scene needs rows of round pegs, and balls above them.");
    let mut heights: Vec<f32> = start.space.fixed_circles().iter().map(|peg| peg.centre.y).collect();
    heights.sort_by(f32::total_cmp);
    heights.dedup();
    let &[lowest, ..] = &heights[..] else { return Err(wrong.to_owned()) };
    let mut row: Vec<f32> =
        start.space.fixed_circles().iter().filter(|peg| peg.centre.y == lowest).map(|peg| peg.centre.x).collect();
    row.sort_by(f32::total_cmp);
    let spacing = row.windows(2).map(|pair| f64::from(pair[1] - pair[0])).reduce(f64::min);
    let count = start.space.discs.len();
    let Some(spacing) = spacing.filter(|_| count > 1) else { return Err(wrong.to_owned()) };
    let exit = lowest - 0.5 * spacing as f32;
    Ok(Box::new(Galton { exit, spacing, rows: heights.len(), places: vec![None; count], now: 0.0 }))
}

impl Meter for Galton {
    fn observe(&mut self, space: &PhysicsSpace) {
        self.now = super::meters::seconds(space);
        for (found, place) in self.places.iter_mut().zip(&space.discs.position) {
            if found.is_none() && place.y < self.exit {
                *found = Some(place.x);
            }
        }
    }

    fn outcome(&self) -> Outcome {
        let found: Vec<f64> = self.places.iter().flatten().map(|&place| f64::from(place) / self.spacing).collect();
        let (count, all) = (found.len() as f64, self.places.len() as f64);
        if count < 2.0 || count < all && (self.now < PATIENCE || count < 0.9 * all) {
            return Outcome::waiting(count / all);
        }
        let mean = found.iter().sum::<f64>() / count;
        let spread = (found.iter().map(|place| (place - mean) * (place - mean)).sum::<f64>() / (count - 1.0)).sqrt();
        Outcome::done(spread, Some(spread / (2.0 * count).sqrt()), 0.5 * (self.rows as f64).sqrt())
    }
}
