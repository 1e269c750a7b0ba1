//! Two futures: a gas, and a copy of it that begins almost the same.
//!
//! The copy runs beside the scene, out of sight. Whenever the two are some way apart, the copy is brought near again
//! along their difference (Benettin 1980), so that a long run gives the mean growth.

use super::{
    Exact, Experiment, Meter, Modes, Outcome, Prediction, Start, Vary,
    meters::{Ratio, disc_hits},
};
use crate::{
    collision::{CollisionSettings, PhysicsSpace, run_tick},
    laboratory::Mixture,
    notice::mark,
    scene::generate::Generator,
};

/// The length of the measurement, seconds.
const SECONDS: f64 = 60.0;

pub const FUTURES: Experiment = Experiment {
    name: "futures",
    question: mark("A copy of this gas begins with one disc a thousandth of a diameter away. The difference grows by the same \
        factor, on average, each time that every disc has had one hit. What is the logarithm of this factor?"),
    quantity: mark("growth of the logarithm of the difference per hit of a disc"),
    unit: "",
    prediction: Prediction::Number { low: 0.0, high: 10.0, decimals: 2 },
    exact: Exact::Measured,
    source: mark("1.10 ± 0.03 for 64 discs that cover 0.3 of the area, measured by an independent program; it grows in a thinner \
        gas (van Zon, van Beijeren, Dellago 1998)"),
    why: mark("Round discs magnify differences: a disc that is hit a little off goes off at another angle, by the free path over \
        the radius. So differences grow threefold at each hit. From the last digit that this program keeps, a ten-millionth \
        of a diameter, to a whole diameter takes only fifteen hits. After that the two futures have nothing in common but \
        their statistics: that is all that can be predicted, and all that is needed."),
    vary: &[Vary {
        name: "speed",
        words: mark("standard deviation of each component of the velocities at the start"),
        unit: "m/s",
        range: [0.2, 2.0],
        is_whole: false,
        get: |file| file.generate.iter().find_map(|generator| match generator {
            Generator::Lattice(discs) => Some(f64::from(discs.speed_sigma)),
            _ => None,
        }),
        set: |file, speed| {
            for generator in &mut file.generate {
                if let Generator::Lattice(discs) = generator {
                    discs.speed_sigma = speed as f32;
                }
            }
        },
    }],
    modes: Modes::Both,
    seconds: SECONDS + 1.0,
    begin,
};

/// The distance at the start and after it was made smaller, and that from which it is made smaller, as shares of a
/// diameter. It is the root of the sum of squares over all discs.
const NEAR: f64 = 1e-3;
const FAR: f64 = 1e-2;

/// The largest distance of which the growth counts. Farther copies no longer follow the scene.
const LOST: f64 = 0.5;

/// While one of two hits has happened and the other not, velocities differ by far more than distances. This is the
/// largest difference at which the copy may be moved, as a share of the root of the sum of their squares.
const BETWEEN_HITS: f64 = 0.05;

/// The growth, and the hits of each disc, for 64 discs at this area fraction.
const MEASURED: f64 = 1.10;
const MEASURED_AT: f64 = 0.3;

struct Futures {
    copy: PhysicsSpace,
    settings: CollisionSettings,
    diameter: f64,
    expected: Option<f64>,
    hits: f64,
    growth: Ratio,
    now: f64,
}

fn begin(start: &Start) -> Result<Box<dyn Meter>, String> {
    let edges = &start.space.laws.settings.periodic;
    let gas = Mixture::of(&start.space.discs).filter(|gas| gas.count() > 1);
    let (Some(gas), Some(x), Some(y)) = (gas.and_then(|gas| Some((gas.single()?, gas))), edges.x, edges.y) else {
        return Err(mark("The scene needs equal discs with periodic edges.").to_owned());
    };
    let (disc, gas) = gas;
    let eta = gas.area_fraction(f64::from(x.1 - x.0) * f64::from(y.1 - y.0));
    let diameter = 2.0 * disc.radius;
    let mut copy = start.space.clone();
    copy.discs.position[0].x += (NEAR * diameter) as f32;
    Ok(Box::new(Futures {
        copy,
        settings: start.space.laws.settings.clone(),
        diameter,
        expected: ((eta / MEASURED_AT - 1.0).abs() < 0.02).then_some(MEASURED),
        hits: 0.0,
        growth: Ratio::default(),
        now: 0.0,
    }))
}

impl Futures {
    /// The distance of the two in diameters, and the difference of the velocities as a share.
    fn apart(&self, space: &PhysicsSpace) -> [f64; 2] {
        let (of, copy) = (&space.discs, &self.copy.discs);
        let (mut places, mut velocities, mut all) = (0.0, 0.0, 0.0);
        for disc in 0..of.len() {
            places += space.difference(of.position[disc], copy.position[disc]).as_dvec2().length_squared();
            velocities += (copy.velocity[disc] - of.velocity[disc]).as_dvec2().length_squared();
            all += of.velocity[disc].as_dvec2().length_squared();
        }
        [places.sqrt() / self.diameter, (velocities / all).sqrt()]
    }

    /// Moves the copy towards the scene, to this share of its distance.
    fn approach(&mut self, space: &PhysicsSpace, share: f64) {
        let of = &space.discs;
        for disc in 0..of.len() {
            let way = space.difference(of.position[disc], self.copy.discs.position[disc]);
            let change = self.copy.discs.velocity[disc] - of.velocity[disc];
            self.copy.discs.position[disc] = of.position[disc] + way * share as f32;
            self.copy.discs.velocity[disc] = of.velocity[disc] + change * share as f32;
        }
    }
}

impl Meter for Futures {
    fn observe(&mut self, space: &PhysicsSpace) {
        self.now += f64::from(space.clock.time_step);
        run_tick(&mut self.copy, &self.settings, space.clock.time_step, |_| {});
        self.hits += 2.0 * disc_hits(space).count() as f64 / space.discs.len() as f64;
        let [distance, turn] = self.apart(space);
        if distance >= FAR && turn < BETWEEN_HITS {
            self.growth.add(libm::log(distance / NEAR), self.hits);
        } else if distance < LOST {
            return;
        }
        self.hits = 0.0;
        self.approach(space, NEAR / distance);
    }

    fn outcome(&self) -> Outcome {
        let progress = (self.now / SECONDS + 1e-9).min(1.0);
        if self.growth.lower() == 0.0 {
            return Outcome::waiting(progress);
        }
        let (value, error) = self.growth.value();
        let value = crate::laboratory::Estimate { value, error, theory: self.expected };
        Outcome { value: Some(value), progress }
    }
}
