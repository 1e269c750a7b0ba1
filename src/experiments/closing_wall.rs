//! One disc between a wall and one that comes in: gap times closing speed is the same at every hit.

use super::{
    Choice, Exact, Experiment, Meter, Modes, Outcome, Prediction, Start, Vary,
    meters::{MovingWall, ends, wall_hits},
};
use crate::{collision::PhysicsSpace, notice::mark};

pub const CLOSING_WALL: Experiment = Experiment {
    name: "closing-wall",
    question: mark("The wall on the right comes in, and each hit on it makes the disc faster. What happens to the free gap times \
        the speed at which disc and wall approach each other, from hit to hit?"),
    quantity: mark("gap times closing speed when the gap is a quarter, over that of the first hit"),
    unit: "",
    prediction: Prediction::Choice(&[
        Choice { words: mark("it shrinks"), up_to: 0.9 },
        Choice { words: mark("it stays the same"), up_to: 1.1 },
        Choice { words: mark("it grows"), up_to: f64::INFINITY },
    ]),
    exact: Exact::Exactly,
    source: mark("L (v + u) is the same at every hit: geometry of two straight paths"),
    why: mark("Between two hits the disc goes to the fixed wall and back, while the moving wall comes closer. Both ways together \
        give a gap that is smaller by the factor (v + u) / (v + 3 u), and the hit makes the closing speed larger by the same \
        factor. For a slow wall, gap times speed is the adiabatic invariant: the reason why a compressed gas gets hot."),
    vary: &[
        Vary {
            name: "wall-speed",
            words: mark("speed of the wall"),
            unit: "m/s",
            range: [0.01, 0.5],
            is_whole: false,
            get: |file| Some(f64::from(-file.terrain.get(1)?.velocity?.x)),
            set: |file, speed| file.terrain[1].velocity = Some(bevy::math::Vec2::new(-speed as f32, 0.0)),
        },
        Vary {
            name: "speed",
            words: mark("speed of the disc"),
            unit: "m/s",
            range: [0.5, 10.0],
            is_whole: false,
            get: |file| Some(f64::from(file.discs.first()?.velocity.x)),
            set: |file, speed| file.discs[0].velocity.x = speed as f32,
        },
    ],
    modes: Modes::Both,
    seconds: 400.0,
    begin,
};

struct Gap {
    /// The place of the fixed wall, metres.
    left: f64,
    /// The speed of the moving one, m/s.
    wall_speed: f64,
    diameter: f64,
    first: Option<[f64; 2]>,
    last: [f64; 2],
}

fn begin(start: &Start) -> Result<Box<dyn Meter>, String> {
    let wall = MovingWall::of(start.space).filter(|wall| wall.velocity < 0.0);
    match (wall, ends(start.space), &start.space.discs.radius[..]) {
        (Some(wall), Some([left, _]), &[radius]) => Ok(Box::new(Gap {
            left,
            wall_speed: -wall.velocity,
            diameter: 2.0 * f64::from(radius),
            first: None,
            last: [0.0; 2],
        })),
        _ => Err(mark("The scene needs one disc between a fixed wall and one that moves to the left.").to_owned()),
    }
}

impl Meter for Gap {
    fn observe(&mut self, space: &PhysicsSpace) {
        for hit in wall_hits(space).filter(|hit| hit.normal.x > 0.5) {
            let gap = f64::from(hit.point.x) - self.left - self.diameter;
            let closing = f64::from(hit.velocity.before.x) + self.wall_speed;
            self.last = [gap, gap * closing];
            self.first.get_or_insert(self.last);
        }
    }

    fn outcome(&self) -> Outcome {
        let Some([gap, product]) = self.first else { return Outcome::waiting(0.0) };
        let value = Outcome::done(self.last[1] / product, None, 1.0);
        Outcome { progress: ((1.0 - self.last[0] / gap) / 0.75).clamp(0.0, 1.0), ..value }
    }
}
