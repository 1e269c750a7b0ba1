//! A piston that comes into a gas faster than sound: a front runs ahead of it.

use super::{
    Exact, Experiment, Meter, Modes, Outcome, Prediction, Start, Vary,
    meters::{Ratio, ends, height, seconds},
};
use crate::{
    collision::{PhysicsSpace, measure},
    laboratory::{Mixture, henderson},
    notice::mark,
};

pub const SHOCK: Experiment = Experiment {
    name: "shock",
    question: mark("The piston comes in at 1 m/s, faster than sound in the gas. How many times as dense as before is the gas \
        between the piston and the front that runs ahead of it?"),
    quantity: mark("density behind the front over that ahead of it"),
    unit: "",
    prediction: Prediction::Number { low: 1.0, high: 5.0, decimals: 2 },
    exact: Exact::InTheLimit,
    source: mark("Conservation of mass, momentum and energy across the front (Rankine, Hugoniot) with the gas law of Henderson \
        (1975); in a thin gas D / (D − u) with D = ¾ u + √((¾ u)² + 2 kT/m)"),
    why: mark("The discs cannot get out of the way of the piston. Behind the front they move with it on average, so all that the \
        front has swept is squeezed into the space between piston and front. However strong the shock, discs are never more \
        than three times as dense behind it, because it heats them: the hotter they are, the harder they resist."),
    vary: &[Vary {
        name: "speed",
        words: mark("speed of the piston"),
        unit: "m/s",
        range: [0.5, 5.0],
        is_whole: false,
        get: |file| Some(f64::from(file.terrain.get(1)?.velocity?.x)),
        set: |file, speed| file.terrain[1].velocity = Some(bevy::math::Vec2::new(speed as f32, 0.0)),
    }],
    modes: Modes::Both,
    seconds: 60.0,
    begin,
};

/// The share of the time until the front arrives at the far end in which the density is measured.
const MEASURED: [f64; 2] = [0.6, 0.9];

/// The share of the way from the piston to the front in which it is measured.
const REGION: [f64; 2] = [0.05, 0.8];

struct Shock {
    density: f64,
    compression: f64,
    /// The speed of the piston and of the front, m/s.
    speed: f64,
    front: f64,
    /// The time until the front arrives at the far end, seconds.
    arrival: f64,
    now: f64,
    found: Ratio,
}

/// The compression and the speed of the front for a piston of this speed, with the energy kT per kilogram.
fn behind(speed: f64, heat: f64, eta: f64) -> [f64; 2] {
    // Per mass and for a density of 1 ahead: momentum, then energy, for a front that leaves the density `c`.
    let pressure = heat * henderson(eta);
    let excess = |c: f64| {
        let front = speed * c / (c - 1.0);
        let behind = pressure + front * speed;
        let heat_behind = heat + 0.5 * (pressure + behind) * (1.0 - 1.0 / c);
        c * heat_behind * henderson(eta * c) - behind
    };
    // The pressure by the gas law is below that by the momentum for weak compressions, and above for strong ones.
    let (mut low, mut high) = (1.0 + 1e-9, 3.5_f64.min(0.9 / eta));
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if excess(middle) < 0.0 { low = middle } else { high = middle }
    }
    [low, speed * low / (low - 1.0)]
}

fn begin(start: &Start) -> Result<Box<dyn Meter>, String> {
    let space = start.space;
    let gas = Mixture::of(&space.discs).filter(|gas| gas.single().is_some());
    let speed = match &space.moving.pieces[..] {
        [piece] => f64::from(piece.drive.velocity.x),
        _ => 0.0,
    };
    let (Some(gas), Some([left, right]), Some(height), true) = (gas, ends(space), height(space), speed > 0.0) else {
        return Err(mark("The scene needs equal discs in a box with a piston that comes in from the left.").to_owned());
    };
    let (length, count) = (right - left, gas.count() as f64);
    let mass: f64 = space.discs.mass.iter().copied().map(f64::from).sum();
    let heat = measure::kinetic_energy(&space.discs) / mass;
    let [compression, front] = behind(speed, heat, gas.area_fraction(length * height));
    let diameter = gas.single().map_or(0.0, |disc| 2.0 * disc.radius);
    Ok(Box::new(Shock {
        density: count / (length - diameter),
        compression,
        speed,
        front,
        arrival: length / front,
        now: 0.0,
        found: Ratio::default(),
    }))
}

impl Meter for Shock {
    fn observe(&mut self, space: &PhysicsSpace) {
        self.now = seconds(space);
        let share = self.now / self.arrival;
        if !(MEASURED[0]..=MEASURED[1]).contains(&share) {
            return;
        }
        let Some(piston) = super::meters::MovingWall::face_of(space, f64::max) else { return };
        let way = (self.front - self.speed) * self.now;
        let [low, high] = REGION.map(|share| piston + share * way);
        let count = space.discs.position.iter().filter(|place| (low..high).contains(&f64::from(place.x))).count();
        self.found.add(count as f64, self.density * (high - low));
    }

    fn outcome(&self) -> Outcome {
        if self.now < MEASURED[1] * self.arrival {
            return Outcome::waiting(self.now / self.arrival);
        }
        // The same discs are counted again and again, so the error is that of one count.
        let (value, _) = self.found.value();
        let width = (REGION[1] - REGION[0]) * (self.front - self.speed) * self.now;
        Outcome::done(value, Some(value / (value * self.density * width).sqrt()), self.compression)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thin_gas_has_the_closed_form() {
        for (speed, heat) in [(2.0, 1.0), (1.0, 0.25), (0.5, 1.0)] {
            let part = 0.75 * speed;
            let front = part + f64::sqrt(part * part + 2.0 * heat);
            let [compression, found] = behind(speed, heat, 1e-9);
            assert!((found / front - 1.0).abs() < 1e-6 && (compression / (front / (front - speed)) - 1.0).abs() < 1e-6);
        }
        // For u = 2, kT = m: 3.562 and 2.281.
        let [compression, front] = behind(2.0, 1.0, 1e-9);
        assert!((compression - 2.281).abs() < 1e-3 && (front - 3.562).abs() < 1e-3);
    }

    #[test]
    fn a_dense_gas_is_compressed_less() {
        assert!(behind(2.0, 1.0, 0.1)[0] < behind(2.0, 1.0, 0.01)[0]);
    }
}
