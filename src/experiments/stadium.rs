//! Bunimovich's stadium (1974): two straight sides and two half circles.

use super::{Exact, Experiment, Meter, Modes, Prediction, Start, Vary, meters::Measured};
use crate::{components::Terrain, laboratory::Estimate, notice::mark, scene::SceneFile};

/// The length of the measurement, seconds.
const SECONDS: f64 = 400.0;

/// Straight sides in radii of the caps, and the growth per radius there, measured by an independent program.
const GROWTH: [[f64; 2]; 2] = [[1.0, 0.461], [2.0, 0.430]];

pub const STADIUM: Experiment = Experiment {
    name: "stadium",
    question: mark("Two balls start a hundredth of a millimetre apart. By which factor does the gap between neighbouring paths grow \
        on each metre?"),
    quantity: mark("growth of a small gap per metre"),
    unit: "",
    prediction: Prediction::Number { low: 1.0, high: 10.0, decimals: 2 },
    exact: Exact::Measured,
    source: mark("e to the power of 0.430 per radius of the caps for straight sides of two radii, 0.461 for one, measured by an \
        independent program; without straight sides there is no growth by a factor"),
    why: mark("A half circle first brings neighbouring paths together, but the straight sides give them so much room that they \
        cross and come apart further than before. So the gap grows by a factor with the way, and no measurement of the start is \
        good enough for long. In a full circle the angle at the wall is the same at every hit, and the gap only grows in \
        proportion to the way."),
    vary: &[Vary {
        name: "straight",
        words: mark("length of the straight sides"),
        unit: "m",
        range: [0.1, 6.0],
        is_whole: false,
        get: |file| straight(file).map(f64::from),
        set: |file, length| set_straight(file, 0.5 * length as f32),
    }],
    modes: Modes::Both,
    seconds: SECONDS + 1.0,
    begin,
};

fn straight(file: &SceneFile) -> Option<f32> {
    file.terrain.iter().find_map(|piece| match piece.shape {
        Terrain::Segment { a, b } => Some((b - a).length()),
        _ => None,
    })
}

fn set_straight(file: &mut SceneFile, half: f32) {
    for piece in &mut file.terrain {
        match &mut piece.shape {
            Terrain::Segment { a, b } => (a.x, b.x) = (half.copysign(a.x), half.copysign(b.x)),
            _ => piece.position.x = half.copysign(piece.position.x),
        }
    }
}

fn begin(start: &Start) -> Result<Box<dyn Meter>, String> {
    let walls = start.space.walls();
    let straight = walls.iter().filter(|wall| wall.curve.is_none()).map(|wall| f64::from((wall.b - wall.a).length()));
    let cap = walls.iter().find_map(|wall| wall.curve).map(|curve| f64::from(curve.radius));
    let (Some(straight), Some(cap), Some(&radius)) =
        (straight.reduce(f64::max), cap, start.space.discs.radius.first())
    else {
        return Err(mark("The scene needs discs between straight sides and half circles.").to_owned());
    };
    // The centre reaches a stadium with smaller caps.
    let cap = cap - f64::from(radius);
    let [[near, at_near], [far, at_far]] = GROWTH;
    let expected = Some(straight / cap)
        .filter(|sides| (0.9 * near..=1.1 * far).contains(sides))
        .map(|sides| libm::exp((at_near + (at_far - at_near) * (sides - near) / (far - near)) / cap));
    Ok(Measured::meter("lyapunov", [0.0, SECONDS], move |Estimate { value, error, .. }| {
        let factor = libm::exp(value);
        Estimate { value: factor, error: error.map(|error| factor * error), theory: expected }
    }))
}
