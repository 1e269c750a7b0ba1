//! The Lorentz gas: points among round bumpers on a triangular lattice (Lorentz 1905, Machta and Zwanzig 1983).

use std::f64::consts::PI;

use bevy::math::{DVec2, Vec2};

use super::{
    Exact, Experiment, Meter, Modes, Outcome, Prediction, Start, Vary,
    meters::Ratio,
};
use crate::{
    collision::PhysicsSpace,
    components::Terrain,
    notice::mark,
    scene::{SceneFile, generate::Generator},
};

/// The length of the measurement, seconds.
const SECONDS: f64 = 120.0;

pub const LORENTZ: Experiment = Experiment {
    name: "lorentz",
    question: mark("Discs that ignore each other move among bumpers. Three bumpers form a cell with three gaps of 0.3 m for the \
        centre of a disc. How far does a disc move on average before it finds the way out of a cell?"),
    quantity: mark("mean way of a disc in a cell"),
    unit: "m",
    prediction: Prediction::Number { low: 0.0, high: 20.0, decimals: 2 },
    exact: Exact::Exactly,
    source: mark("π A / (3 w), with the area A of a cell and the width w of a gap, both for centres, in the mean of a long run"),
    why: mark("A disc is equally often at any place and in any direction. So in each second the share of those that leave is the \
        same as that of a gas that leaks through gaps of 3 w: it depends only on area and gaps. From cell to cell the \
        discs wander at random, though nothing is random: they diffuse. Lorentz explained the resistance of metals like \
        this, with electrons among ions."),
    vary: &[Vary {
        name: "gap",
        words: mark("width of a gap, for the centre of a disc"),
        unit: "m",
        range: [0.05, 0.6],
        is_whole: false,
        get: |file| Some(spacing(file)? - 2.0 * (bumper(file)? + disc(file)?)),
        set: |file, gap| {
            let (Some(spacing), Some(disc)) = (spacing(file), disc(file)) else { return };
            for piece in &mut file.terrain {
                if let Terrain::Circle { radius } = &mut piece.shape {
                    *radius = (0.5 * (spacing - gap) - disc) as f32;
                }
            }
        },
    }],
    modes: Modes::Both,
    seconds: SECONDS + 1.0,
    begin,
};

/// The radius of a bumper, metres.
fn bumper(file: &SceneFile) -> Option<f64> {
    file.terrain.iter().find_map(|piece| match piece.shape {
        Terrain::Circle { radius } => Some(f64::from(radius)),
        _ => None,
    })
}

/// The radius of a disc, metres.
fn disc(file: &SceneFile) -> Option<f64> {
    file.generate.iter().find_map(|generator| match generator {
        Generator::Lattice(discs) => Some(f64::from(discs.radius)),
        _ => None,
    })
}

/// The distance between the first two bumpers, metres.
fn spacing(file: &SceneFile) -> Option<f64> {
    let [first, second, ..] = &file.terrain[..] else { return None };
    Some(f64::from((second.position - first.position).length()))
}

/// Bumpers on a triangular lattice with a row along x.
#[derive(Clone, Copy, Debug)]
struct Lattice {
    /// The centre of one bumper, metres.
    origin: DVec2,
    /// The distance of neighbours, metres.
    spacing: f64,
}

impl Lattice {
    /// The place in units of the two shortest steps of the lattice: along x, and at 60 degrees to it.
    fn steps(&self, place: DVec2) -> [f64; 2] {
        let from = (place - self.origin) / self.spacing;
        let up = from.y * 2.0 / 3.0_f64.sqrt();
        [from.x - 0.5 * up, up]
    }

    /// The triangle of three bumpers around a place.
    fn cell(&self, place: DVec2) -> [i64; 3] {
        let [u, v] = self.steps(place);
        let [across, up] = [u.floor(), v.floor()];
        let is_upper = (u - across) + (v - up) > 1.0;
        [across as i64, up as i64, i64::from(is_upper)]
    }
}

struct Lorentz {
    lattice: Lattice,
    expected: f64,
    /// The places of the discs in the last tick, and where they would be without edges.
    last: Vec<Vec2>,
    places: Vec<DVec2>,
    cells: Vec<[i64; 3]>,
    way: Ratio,
    now: f64,
}

fn begin(start: &Start) -> Result<Box<dyn Meter>, String> {
    let wrong = mark("The scene needs equal discs among equal bumpers on a triangular lattice, with periodic edges.");
    let (space, discs) = (start.space, &start.space.discs);
    let bumpers = space.fixed_circles();
    let ([first, ..], &[radius, ..]) = (bumpers, &discs.radius[..]) else { return Err(wrong.to_owned()) };
    let ways = bumpers.iter().map(|other| f64::from((other.centre - first.centre).length()));
    let Some(spacing) = ways.filter(|&way| way > 0.0).reduce(f64::min) else { return Err(wrong.to_owned()) };
    let lattice = Lattice { origin: first.centre.as_dvec2(), spacing };
    let is_on = |place: DVec2| lattice.steps(place).iter().all(|step| (step - step.round()).abs() < 1e-3);
    let are_equal = bumpers.iter().all(|other| other.radius == first.radius && is_on(other.centre.as_dvec2()))
        && discs.radius.iter().all(|&other| other == radius);
    let full = f64::from(first.radius) + f64::from(radius);
    let gap = spacing - 2.0 * full;
    if !are_equal || !(gap > 0.0) {
        return Err(wrong.to_owned());
    }
    let area = 0.25 * 3.0_f64.sqrt() * spacing * spacing - 0.5 * PI * full * full;
    let places: Vec<DVec2> = discs.position.iter().map(|place| place.as_dvec2()).collect();
    Ok(Box::new(Lorentz {
        lattice,
        expected: PI * area / (3.0 * gap),
        last: discs.position.clone(),
        cells: places.iter().map(|&place| lattice.cell(place)).collect(),
        places,
        way: Ratio::default(),
        now: 0.0,
    }))
}

impl Meter for Lorentz {
    fn observe(&mut self, space: &PhysicsSpace) {
        self.now += f64::from(space.clock.time_step);
        let (mut metres, mut left) = (0.0, 0.0);
        for (disc, &place) in space.discs.position.iter().enumerate() {
            metres += f64::from(space.discs.velocity[disc].length() * space.clock.time_step);
            self.places[disc] += space.difference(self.last[disc], place).as_dvec2();
            self.last[disc] = place;
            let cell = self.lattice.cell(self.places[disc]);
            if cell != self.cells[disc] {
                self.cells[disc] = cell;
                left += 1.0;
            }
        }
        self.way.add(metres, left);
    }

    fn outcome(&self) -> Outcome {
        let progress = (self.now / SECONDS + 1e-9).min(1.0);
        if self.way.lower() == 0.0 {
            return Outcome::waiting(progress);
        }
        let (value, error) = self.way.value();
        Outcome { progress, ..Outcome::done(value, error, self.expected) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_triangles_of_three_bumpers() {
        let lattice = Lattice { origin: DVec2::new(1.0, 0.0), spacing: 2.0 };
        let height = 3.0_f64.sqrt();
        let middle = DVec2::new(2.0, height / 3.0);
        let below = DVec2::new(2.0, -height / 3.0);
        assert_eq!(lattice.cell(middle), [0, 0, 0]);
        assert_ne!(lattice.cell(below), lattice.cell(middle));
        // The three corners of the cell, each moved a little towards its middle.
        for corner in [DVec2::new(1.0, 0.0), DVec2::new(3.0, 0.0), DVec2::new(2.0, height)] {
            assert_eq!(lattice.cell(corner.lerp(middle, 0.01)), lattice.cell(middle), "{corner}");
            assert_ne!(lattice.cell(corner.lerp(middle, -0.01)), lattice.cell(middle), "{corner}");
        }
    }
}
