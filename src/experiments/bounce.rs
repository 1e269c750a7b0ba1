//! A bouncing ball: infinitely many bounces in a finite time.

use super::{
    Exact, Experiment, Meter, Modes, Outcome, Prediction, Start, Vary,
    meters::seconds,
};
use crate::{collision::PhysicsSpace, notice::mark};

pub const BOUNCE: Experiment = Experiment {
    name: "bounce",
    question: mark("A ball falls for 0.64 s and keeps four fifths of its speed at each bounce. So it never stops bouncing, by the \
        formula. After how many seconds does it lie still?"),
    quantity: mark("time until the ball lies still"),
    unit: "s",
    prediction: Prediction::Number { low: 0.0, high: 60.0, decimals: 2 },
    exact: Exact::Exactly,
    source: mark("t (1 + e) / (1 − e), with the time of the first fall t = √(2 h / g) (sum of a geometric series)"),
    why: mark("Each bounce takes four fifths of the time of the one before. There are infinitely many, but their times add up to a \
        finite number, as in Zeno's race of Achilles and the tortoise. A program that treats slow hits as rest \
        ends this sooner: set a resting speed to see it."),
    vary: &[
        Vary {
            name: "restitution",
            words: mark("restitution"),
            unit: "",
            range: [0.1, 0.95],
            is_whole: false,
            get: |file| Some(f64::from(file.collision.terrain_restitution)),
            set: |file, restitution| file.collision.terrain_restitution = restitution as f32,
        },
        Vary {
            name: "height",
            words: mark("height of the fall"),
            unit: "m",
            range: [0.1, 10.0],
            is_whole: false,
            get: |file| Some(f64::from(file.discs.first()?.position.y - file.discs.first()?.radius)),
            set: |file, height| {
                let disc = &mut file.discs[0];
                disc.position.y = height as f32 + disc.radius;
            },
        },
    ],
    modes: Modes::Both,
    seconds: 120.0,
    begin,
};

/// The shares of the speed of the first hit, and of the height of the fall, below which the ball lies still. A bounce
/// with this speed is as high as this. The bounces left take a thousandth of the time.
const SPEED: f64 = 2e-3;
const HEIGHT: f64 = 4e-6;

struct Bounce {
    floor: f64,
    height: f64,
    gravity: f64,
    expected: f64,
    now: f64,
    time_step: f64,
    /// The end of the tick in which it came to rest, seconds.
    still: Option<f64>,
}

fn begin(start: &Start) -> Result<Box<dyn Meter>, String> {
    let (space, gravity) = (start.space, -f64::from(start.gravity.y));
    let floor = space.walls().iter().flat_map(|wall| [wall.a.y, wall.b.y]).map(f64::from).reduce(f64::min);
    let restitution = f64::from(space.laws.settings.terrain_restitution);
    let discs = &space.discs;
    let (&[place], &[radius], Some(floor)) = (&discs.position[..], &discs.radius[..], floor) else {
        return Err(mark("The scene needs one ball above a floor.").to_owned());
    };
    let height = f64::from(place.y) - f64::from(radius) - floor;
    if !(height > 0.0 && gravity > 0.0 && restitution < 1.0) || discs.velocity[0] != bevy::math::Vec2::ZERO {
        return Err(mark("The ball must fall from rest, with a restitution below 1.").to_owned());
    }
    let fall = (2.0 * height / gravity).sqrt();
    let expected = fall * (1.0 + restitution) / (1.0 - restitution);
    let floor = floor + f64::from(radius);
    Ok(Box::new(Bounce { floor, height, gravity, expected, now: 0.0, time_step: 0.0, still: None }))
}

impl Meter for Bounce {
    fn observe(&mut self, space: &PhysicsSpace) {
        (self.now, self.time_step) = (seconds(space), space.clock.time_step.into());
        let height = f64::from(space.discs.position[0].y) - self.floor;
        let speed = f64::from(space.discs.velocity[0].y).abs();
        let first = (2.0 * self.gravity * self.height).sqrt();
        let is_still = speed < SPEED * first && height.abs() < HEIGHT * self.height;
        self.still = self.still.or(is_still.then_some(self.now));
    }

    fn outcome(&self) -> Outcome {
        match self.still {
            // It came to rest at any time within the tick.
            Some(end) => {
                let error = self.time_step / 12.0_f64.sqrt();
                Outcome::done(end - 0.5 * self.time_step, Some(error), self.expected)
            }
            None => Outcome::waiting(self.now / self.expected),
        }
    }
}
