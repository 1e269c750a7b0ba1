//! Sinai's billiard (1970): a square with a round bumper in the middle.

use super::{Exact, Experiment, Modes, Prediction, Vary, meters::Measured};
use crate::{components::Terrain, notice::mark};

/// The length of the measurement, seconds.
const SECONDS: f64 = 400.0;

pub const SINAI: Experiment = Experiment {
    name: "sinai",
    question: mark("A disc moves in a square with a round bumper in the middle. How far does it go from one hit to the next, on \
        average?"),
    quantity: mark("mean way between two hits"),
    unit: "m",
    prediction: Prediction::Number { low: 0.0, high: 3.0, decimals: 3 },
    exact: Exact::Exactly,
    source: mark("π A / P with the area A that the centre can reach and its boundary P, in the mean of a long run (Santaló 1936)"),
    why: mark("The round bumper spreads neighbouring paths like a convex mirror, so the disc forgets where it began, and in the \
        long run it is everywhere equally often, in all directions (Sinai 1970). Then only the area and the boundary count: the \
        mean way of all straight lines through a table is π times the area over the boundary, whatever its shape."),
    vary: &[
        Vary {
            name: "bumper",
            words: mark("radius of the bumper"),
            unit: "m",
            range: [0.06, 0.35],
            is_whole: false,
            get: |file| match file.terrain.get(1)?.shape {
                Terrain::Circle { radius } => Some(f64::from(radius)),
                _ => None,
            },
            set: |file, radius| file.terrain[1].shape = Terrain::Circle { radius: radius as f32 },
        },
        Vary {
            name: "speed",
            words: mark("speed of the disc"),
            unit: "m/s",
            range: [0.1, 20.0],
            is_whole: false,
            get: |file| Some(f64::from(file.discs.first()?.velocity.length())),
            set: |file, speed| {
                let velocity = &mut file.discs[0].velocity;
                *velocity = velocity.normalize_or(bevy::math::Vec2::X) * speed as f32;
            },
        },
    ],
    modes: Modes::Both,
    seconds: SECONDS + 1.0,
    begin: |_| Ok(Measured::meter("chord", [0.0, SECONDS], |chord| chord)),
};
