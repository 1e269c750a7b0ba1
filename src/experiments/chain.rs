//! A heavy disc hits a light one through a chain of discs, whose masses fall by the same factor each.

use super::{Exact, Experiment, Meter, Modes, Outcome, Prediction, Start, Vary};
use crate::{
    collision::PhysicsSpace,
    notice::mark,
    scene::{Camera, DiscEntry, SceneFile},
};

pub const CHAIN: Experiment = Experiment {
    name: "chain",
    question: mark("A disc of 100 kg hits one of 1 kg at 1 m/s and sends it off at 1.98 m/s. Now three discs are between \
        them, whose masses fall by the same factor each. How fast is the last disc?"),
    quantity: mark("speed of the last disc"),
    unit: "m/s",
    prediction: Prediction::Number { low: 0.0, high: 20.0, decimals: 2 },
    exact: Exact::Exactly,
    source: mark("Each hit multiplies the speed by 2 M / (M + m): energy and momentum of a central elastic hit"),
    why: mark("A central elastic hit at speed v sends a resting disc off at 2 M / (M + m) times v. The factor is nearly 2 if \
        the other disc is much lighter, but little energy goes with it. Between discs of similar masses nearly all of the \
        energy is passed on. With ever more discs in between, the last one gets all of it, and its speed approaches the \
        square root of the mass ratio: 10 m/s."),
    vary: &[
        Vary {
            name: "between",
            words: mark("discs in between"),
            unit: "",
            range: [0.0, 20.0],
            is_whole: true,
            get: |file| Some(file.discs.len().checked_sub(2)? as f64),
            set: |file, between| {
                let ratio = masses(file);
                set(file, ratio, between as usize);
            },
        },
        Vary {
            name: "ratio",
            words: mark("mass of the first disc over that of the last"),
            unit: "",
            range: [1.0, 10_000.0],
            is_whole: false,
            get: |file| (file.discs.len() >= 2).then(|| masses(file)),
            set: |file, ratio| {
                let between = file.discs.len() - 2;
                set(file, ratio, between);
            },
        },
    ],
    modes: Modes::Continuous(mark("The stepped mode treats hits at the ends of its steps. In a long chain of very different masses \
        there may be no result.")),
    seconds: 60.0,
    begin,
};

/// The mass of the first disc over that of the last.
fn masses(file: &SceneFile) -> f64 {
    let mass = |disc: Option<&DiscEntry>| disc.map_or(1.0, |disc| f64::from(disc.mass().0));
    mass(file.discs.first()) / mass(file.discs.last())
}

/// The gap between neighbours, metres.
const GAP: f64 = 0.1;

/// Makes the chain, and fits the view to it. The last disc has 1 kg. The area of a disc grows with the root of its
/// mass.
fn set(file: &mut SceneFile, ratio: f64, between: usize) {
    let [first, last] = [0, file.discs.len() - 1].map(|disc| file.discs[disc].clone());
    let links = (between + 1) as f64;
    let mut x = 0.0;
    file.discs.clear();
    for disc in 0..between + 2 {
        let mass = libm::pow(ratio, 1.0 - disc as f64 / links);
        let radius = 0.1 * libm::pow(mass, 0.25);
        let model = if disc == 0 { &first } else { &last };
        file.discs.push(DiscEntry {
            id: None,
            position: bevy::math::Vec2::new((x + radius) as f32, 0.0),
            mass: Some(mass as f32),
            radius: radius as f32,
            ..model.clone()
        });
        x += 2.0 * radius + GAP;
    }
    // Room on the right, where the last disc flies off.
    let width = 1.6 * x;
    let height = (0.6 * width).max(3.4);
    file.camera = Camera::At { centre: bevy::math::Vec2::new((0.5 * width) as f32, 0.0), height: height as f32 };
}

struct Chain {
    exact: f64,
    speeds: Vec<f32>,
}

fn begin(start: &Start) -> Result<Box<dyn Meter>, String> {
    let discs = &start.space.discs;
    let others_rest = discs.velocity.iter().skip(1).all(|&velocity| velocity == bevy::math::Vec2::ZERO);
    let is_line = discs.position.windows(2).all(|pair| pair[0].x < pair[1].x && pair[0].y == pair[1].y);
    let get_lighter = discs.mass.windows(2).all(|pair| pair[0] >= pair[1]);
    if discs.len() < 2 || discs.velocity[0].x <= 0.0 || !(others_rest && is_line && get_lighter) {
        let remedy = "The scene needs a line of ever lighter discs, the first of which moves to the others.";
        return Err(mark(remedy).to_owned());
    }
    let factor = |pair: &[f32]| {
        let [heavy, light] = [pair[0], pair[1]].map(f64::from);
        2.0 * heavy / (heavy + light)
    };
    let exact = f64::from(discs.velocity[0].x) * discs.mass.windows(2).map(factor).product::<f64>();
    Ok(Box::new(Chain { exact, speeds: vec![0.0; discs.len()] }))
}

impl Meter for Chain {
    fn observe(&mut self, space: &PhysicsSpace) {
        self.speeds.clear();
        self.speeds.extend(space.discs.velocity.iter().map(|velocity| velocity.x));
    }

    fn outcome(&self) -> Outcome {
        let last = self.speeds[self.speeds.len() - 1];
        // Then no disc catches up with another.
        if last > 0.0 && self.speeds.is_sorted() {
            return Outcome::done(f64::from(last), None, self.exact);
        }
        Outcome::waiting(self.speeds.iter().filter(|speed| **speed > 0.0).count() as f64 / self.speeds.len() as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{SceneSource, ShippedScene};

    #[test]
    fn the_shipped_chain_is_the_one_that_is_made() {
        let file = SceneSource::Shipped(ShippedScene::named("chain").unwrap().name).load().unwrap();
        let mut made = file.clone();
        set(&mut made, masses(&file), file.discs.len() - 2);
        for (disc, other) in file.discs.iter().zip(&made.discs) {
            let off = (disc.position - other.position).length().max((disc.radius - other.radius).abs());
            assert!(off < 1e-3 && (disc.mass().0 / other.mass().0 - 1.0).abs() < 1e-3, "{disc:?} and {other:?}");
        }
    }
}
