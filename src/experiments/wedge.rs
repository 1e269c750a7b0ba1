//! The gravity wedge: a ball that bounces between two slopes (Lehtihet and Miller 1986).

use super::{
    Choice, Exact, Experiment, Meter, Modes, Prediction, Start, Vary,
    meters::Measured,
};
use crate::{components::Terrain, laboratory::Estimate, notice::mark, scene::SceneFile};

/// The length of the measurement, seconds.
const SECONDS: f64 = 240.0;

pub const WEDGE: Experiment = Experiment {
    name: "wedge",
    question: mark("A ball bounces between two slopes without any loss. Each slope is 45 degrees from the vertical, so the corner \
        is a right angle. Is its motion chaotic? Then turn the slopes: is it at 60 degrees?"),
    quantity: mark("growth of the logarithm of a small difference per hit"),
    unit: "",
    prediction: Prediction::Choice(&[
        Choice { words: mark("regular: no growth"), up_to: 0.1 },
        Choice { words: mark("chaotic"), up_to: 100.0 },
    ]),
    exact: Exact::Measured,
    source: mark("0 at 45 degrees, exactly; 0.51, 0.61 and 0.49 at 50, 60 and 70 degrees, measured by an independent program as \
        means over 40 starts (Lehtihet and Miller 1986)"),
    why: mark("At a right angle each wall turns only the motion across itself, and leaves that along the other wall as it is. So \
        the energies of the two motions are conserved one by one, as for two balls that bounce on floors of their own. At any \
        other angle the walls mix them. At 50, 60 and 70 degrees all of 40 starts were chaotic; at 40 and 20 about half, and at 30 none: there, islands of \
        regular motion lie in seas of chaos."),
    vary: &[Vary {
        name: "angle",
        words: mark("angle of a slope from the vertical"),
        unit: "°",
        range: [20.0, 75.0],
        is_whole: false,
        get: angle,
        set: |file, degrees| {
            let (sin, cos) = (libm::sin(degrees.to_radians()), libm::cos(degrees.to_radians()));
            for (piece, side) in file.terrain.iter_mut().zip([-1.0, 1.0]) {
                if let Terrain::Segment { b, .. } = &mut piece.shape {
                    let length = f64::from(b.length());
                    *b = bevy::math::Vec2::new((side * length * sin) as f32, (length * cos) as f32);
                }
            }
        },
    }],
    modes: Modes::Both,
    seconds: SECONDS + 1.0,
    begin,
};

/// The angle of the first slope from the vertical, degrees.
fn angle(file: &SceneFile) -> Option<f64> {
    match file.terrain.first()?.shape {
        Terrain::Segment { a, b } if a.length() == 0.0 => Some(of_slope(b.x.into(), b.y.into())),
        _ => None,
    }
}

fn of_slope(x: f64, y: f64) -> f64 {
    libm::atan2(x.abs(), y).to_degrees()
}

/// The growth per hit, where it is known.
fn expected(degrees: f64) -> Option<f64> {
    let known = [(45.0, 0.0), (50.0, 0.51), (60.0, 0.61), (70.0, 0.49)];
    known.into_iter().find(|(angle, _)| (degrees - angle).abs() < 0.01).map(|(_, growth)| growth)
}

fn begin(start: &Start) -> Result<Box<dyn Meter>, String> {
    let space = start.space;
    let slopes = space.walls().iter().map(|wall| {
        let way = if wall.a.length() < wall.b.length() { wall.b } else { wall.a };
        of_slope(way.x.into(), way.y.into())
    });
    let slopes: Vec<f64> = slopes.collect();
    let (&[left, right], true) = (&slopes[..], space.discs.len() == 1 && start.gravity.y < 0.0) else {
        return Err(mark("The scene needs one ball between two slopes, and gravity.").to_owned());
    };
    let theory = expected(left).filter(|_| (left - right).abs() < 1e-3);
    Ok(Measured::meter("lyapunov-by-hits", [0.0, SECONDS], move |estimate| Estimate { theory, ..estimate }))
}
