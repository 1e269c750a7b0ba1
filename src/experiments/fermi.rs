//! Fermi's accelerator: one disc between a wall and one that swings.

use std::f64::consts::TAU;

use super::{
    Exact, Experiment, Meter, Modes, Outcome, Prediction, Start, Vary,
    meters::{MovingWall, ends, seconds},
};
use crate::{collision::PhysicsSpace, components::Oscillation, notice::mark};

/// The length of the measurement, seconds.
const SECONDS: f64 = 600.0;

/// The highest speed in units of ω √(ε L), by an independent program (3 million bounces at ε / L of 0.01 and 0.001).
const BARRIER: f64 = 2.1;

pub const FERMI: Experiment = Experiment {
    name: "fermi",
    question: mark("The wall swings at up to 0.16 m/s, and its hits add or remove speed as if by chance. The disc starts with \
        0.4 m/s. How fast is it at most in ten minutes?"),
    quantity: mark("highest speed of the disc"),
    unit: "m/s",
    prediction: Prediction::Number { low: 0.0, high: 20.0, decimals: 2 },
    exact: Exact::Measured,
    source: mark("2.1 ω √(ε L) with the amplitude ε and the mean gap L, measured over 3 million hits by an independent program for ε / L up to 0.01; larger swings may overshoot it by a kick or two"),
    why: mark("A slow disc meets the wall at phases that have nothing to do with each other: its speed wanders. A fast disc comes \
        back before the wall has moved much, and the kicks of one swing cancel. Above a certain speed the motion is regular, \
        and its curves form a barrier that the disc never crosses (Kolmogorov, Arnold, Moser). With random kicks instead, as \
        Fermi assumed for cosmic rays, there would be no limit."),
    vary: &[Vary {
        name: "amplitude",
        words: mark("amplitude of the wall"),
        unit: "m",
        range: [0.02, 0.2],
        is_whole: false,
        get: |file| Some(f64::from(file.terrain.get(1)?.get::<Oscillation>()?.amplitude.x)),
        set: |file, amplitude| {
            let piece = &mut file.terrain[1];
            if let Some(&swing) = piece.get::<Oscillation>() {
                let amplitude = bevy::math::Vec2::new(amplitude as f32, 0.0);
                *piece = piece.clone().with(Oscillation { amplitude, ..swing });
                piece.position = swing.centre + amplitude;
            }
        },
    }],
    modes: Modes::Both,
    seconds: SECONDS + 1.0,
    begin,
};

struct Fermi {
    barrier: f64,
    highest: f64,
    now: f64,
}

fn begin(start: &Start) -> Result<Box<dyn Meter>, String> {
    let swing = MovingWall::of(start.space).and_then(|wall| wall.swing);
    match (swing, ends(start.space), &start.space.discs.radius[..]) {
        (Some([middle, amplitude, frequency]), Some([left, _]), &[radius]) => {
            let gap = middle - left - 2.0 * f64::from(radius);
            let barrier = BARRIER * TAU * frequency * (amplitude * gap).sqrt();
            Ok(Box::new(Fermi { barrier, highest: 0.0, now: 0.0 }))
        }
        _ => Err(mark("The scene needs one disc between a fixed wall and one that swings.").to_owned()),
    }
}

impl Meter for Fermi {
    fn observe(&mut self, space: &PhysicsSpace) {
        self.now = seconds(space);
        self.highest = self.highest.max(f64::from(space.discs.velocity[0].length()));
    }

    fn outcome(&self) -> Outcome {
        let progress = (self.now / SECONDS + 1e-9).min(1.0);
        Outcome { progress, ..Outcome::done(self.highest, None, self.barrier) }
    }
}
