//! Discs without any attraction freeze if they are crowded (Alder and Wainwright 1962).

use std::f64::consts::PI;

use super::{
    Exact, Experiment, Meter, Modes, Prediction, Start, Vary,
    meters::Measured,
};
use crate::{
    laboratory::{Estimate, Mixture, henderson},
    notice::mark,
    scene::{SceneFile, generate::{Generator, Lattice}},
};

/// The length of the measurement, and the time before it, seconds.
const SECONDS: f64 = 30.0;
const WARM_UP: f64 = 10.0;

/// Below the first area fraction the discs are liquid, above the second solid (Bernard and Krauth 2011, Engel 2013).
const LIQUID: f64 = 0.7;
const SOLID: f64 = 0.72;

/// The pressure between the two, in kT per square of a diameter.
const COEXISTENCE: f64 = 9.185;

/// The area fraction of discs as close as they can be, `π / (2 √3)`.
const CLOSEST: f64 = 0.906_899_682_117_089_3;

pub const FREEZING: Experiment = Experiment {
    name: "freezing",
    question: mark("The discs cover three quarters of the area. By the law of liquids (Henderson), their pressure would be 17 \
        times that of points without size. How many times is it?"),
    quantity: mark("pressure over that of points without size"),
    unit: "",
    prediction: Prediction::Number { low: 0.0, high: 40.0, decimals: 1 },
    exact: Exact::InTheLimit,
    source: mark("solid: 2/α + 1.90 + 0.67 α + 1.5 α² with the free share of the area α = 0.9069/η − 1 (Alder, Hoover, Young \
        1968); liquid, below η = 0.700: Henderson (1975), 14 % too high at its end; between 0.700 and 0.720: 7.21/η"),
    why: mark("No disc attracts another, and yet they stay in rows. In a crystal each disc has a cage to rattle in; without order, discs get into each other's way. Order leaves more room for each, so chance prefers it: above an area fraction of 0.72 \
        the discs are solid, and the pressure is lower than that of the liquid. Let them cover less than 0.70, and the \
        crystal melts. Alder and Wainwright found this with a computer before anybody believed it."),
    vary: &[Vary {
        name: "area-fraction",
        words: mark("share of the area that the discs cover"),
        unit: "",
        range: [0.2, 0.85],
        is_whole: false,
        get: |file| lattice(file).and_then(|discs| Some(of_radius(f64::from(discs.radius), area_per_disc(file)?))),
        set: |file, share| {
            let Some(area) = area_per_disc(file) else { return };
            for generator in &mut file.generate {
                if let Generator::Lattice(discs) = generator {
                    discs.radius = (share * area / PI).sqrt() as f32;
                }
            }
        },
    }],
    modes: Modes::Both,
    seconds: WARM_UP + SECONDS + 1.0,
    begin,
};

fn lattice(file: &SceneFile) -> Option<&Lattice> {
    file.generate.iter().find_map(|generator| match generator {
        Generator::Lattice(discs) => Some(discs),
        _ => None,
    })
}

/// The area of the cell per disc, m².
fn area_per_disc(file: &SceneFile) -> Option<f64> {
    let ((left, right), (low, high)) = (file.collision.periodic.x?, file.collision.periodic.y?);
    Some(f64::from(right - left) * f64::from(high - low) / lattice(file)?.count as f64)
}

/// The area fraction of discs of this radius, metres, with this area for each, m².
fn of_radius(radius: f64, area: f64) -> f64 {
    PI * radius * radius / area
}

/// The pressure at this area fraction, over that of points.
fn expected(eta: f64) -> f64 {
    if eta <= LIQUID {
        henderson(eta)
    } else if eta < SOLID {
        COEXISTENCE * PI / 4.0 / eta
    } else {
        let free = CLOSEST / eta - 1.0;
        2.0 / free + 1.9 + 0.67 * free + 1.5 * free * free
    }
}

fn begin(start: &Start) -> Result<Box<dyn Meter>, String> {
    let edges = &start.space.laws.settings.periodic;
    let gas = Mixture::of(&start.space.discs).filter(|gas| gas.single().is_some());
    let (Some(gas), Some(x), Some(y)) = (gas, edges.x, edges.y) else {
        return Err(mark("The scene needs equal discs with periodic edges.").to_owned());
    };
    let eta = gas.area_fraction(f64::from(x.1 - x.0) * f64::from(y.1 - y.0));
    let of_phase = move |estimate| Estimate { theory: Some(expected(eta)), ..estimate };
    Ok(Measured::meter("compression-factor", [WARM_UP, SECONDS], of_phase))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_solid_begins_at_the_pressure_of_coexistence() {
        let coexistence = COEXISTENCE * PI / 4.0 / SOLID;
        assert!((expected(SOLID) / coexistence - 1.0).abs() < 0.02, "{} and {coexistence}", expected(SOLID));
        assert!((expected(0.5) - 4.125).abs() < 1e-9);
        // Close to the densest, each disc has its own cage: Z = 2 / α.
        assert!((expected(0.9) * 0.5 * (CLOSEST / 0.9 - 1.0) - 1.0).abs() < 0.01);
    }
}
