//! The largest Lyapunov exponent of single discs: the rate at which the distance of neighbouring paths grows, per
//! metre, per second and per hit. It follows from the tangent map of the flow along the measured hits.

use bevy::math::DVec2;

use super::one_disc::{self, Event};
use crate::{
    laboratory::{
        billiard::{Boundary, TangentMap},
        measurement::{Averages, Curve, Measurement, Moment, Quantity, Value, Values},
    },
    notice::mark,
};

const NEEDS: &str = mark("one disc, or discs that do not collide, among fixed elastic walls");

pub const LYAPUNOV: Quantity = Quantity {
    name: "lyapunov",
    title: mark("Lyapunov exponent"),
    about: mark("growth of the distance of neighbouring paths per metre"),
    unit: "1/m",
    needs: NEEDS,
    curve: Some(Curve { x: mark("disc"), y: mark("exponent (1/m)") }),
    begin: |moment| begin(moment, Per::Metre),
};

pub const LYAPUNOV_BY_TIME: Quantity = Quantity {
    name: "lyapunov-by-time",
    title: mark("Lyapunov exponent by time"),
    about: mark("growth of the distance of neighbouring paths per second"),
    unit: "1/s",
    needs: NEEDS,
    curve: Some(Curve { x: mark("disc"), y: mark("exponent (1/s)") }),
    begin: |moment| begin(moment, Per::Second),
};

pub const LYAPUNOV_BY_HITS: Quantity = Quantity {
    name: "lyapunov-by-hits",
    title: mark("Lyapunov exponent by hits"),
    about: mark("growth of the distance of neighbouring paths per hit on terrain"),
    unit: "",
    needs: NEEDS,
    curve: Some(Curve { x: mark("disc"), y: mark("exponent per hit") }),
    begin: |moment| begin(moment, Per::Hit),
};

#[derive(Clone, Copy, PartialEq)]
enum Per {
    Metre,
    Second,
    Hit,
}

/// The sums of each disc: the logarithm of the growth, metres, and hits.
const TERMS: usize = 3;

struct Lyapunov {
    per: Per,
    tangents: Vec<TangentMap>,
    /// Why the exponent is 0 in theory, if it is. The estimate then falls with the time t as `ln(t) / t`.
    zero: Option<&'static str>,
    changes_speed: bool,
}

fn begin(moment: &Moment, per: Per) -> Result<Box<dyn Measurement>, String> {
    one_disc::check(moment)?;
    let gravity = moment.space.laws.gravity.as_dvec2();
    let velocities = moment.space.discs.velocity.iter();
    let tangents = velocities.map(|velocity| {
        TangentMap::start(velocity.as_dvec2(), gravity, moment.gas.mean_radius)
            .ok_or(mark("a disc is at rest").to_owned())
    });
    let mut zeros = (0..moment.gas.count).map(|disc| match Boundary::of(moment.space, disc) {
        Ok(boundary) if boundary.is_polygon() => {
            Some(mark("all walls are straight: paths part in proportion to time, so the value falls to 0"))
        }
        Ok(boundary) if boundary.is_round() => {
            Some(mark("the table is round: paths part in proportion to time, so the value falls to 0"))
        }
        _ => None,
    });
    let zero = zeros.next().flatten().filter(|_| zeros.all(|zero| zero.is_some()));
    Ok(Box::new(Lyapunov {
        per,
        tangents: tangents.collect::<Result<_, _>>()?,
        zero: zero.filter(|_| gravity == DVec2::ZERO),
        changes_speed: false,
    }))
}

impl Measurement for Lyapunov {
    fn terms(&self) -> usize {
        TERMS * self.tangents.len()
    }

    fn add(&mut self, moment: &Moment, sums: &mut [f64]) {
        for (disc, tangent) in self.tangents.iter_mut().enumerate() {
            let [growth, metres, hits] = [0, 1, 2].map(|term| TERMS * disc + term);
            one_disc::follow(moment, disc, |event| match event {
                Event::Flight { seconds, metres: length } => {
                    tangent.fly(seconds);
                    sums[metres] += length;
                }
                Event::Hit(hit) => {
                    tangent.follow(moment.space, hit);
                    sums[hits] += 1.0;
                    self.changes_speed |= one_disc::changes_speed(hit);
                }
            });
            sums[growth] += tangent.renormalise();
        }
    }

    fn values(&self, averages: &Averages, sums: &[f64]) -> Result<Values, String> {
        one_disc::check_run(averages, self.changes_speed)?;
        if sums.chunks_exact(TERMS).any(|disc| disc[2] == 0.0) {
            return Err(mark("some disc hit nothing; measure for longer").to_owned());
        }
        let theory = self.zero.map(|_| 0.0);
        let exponents = sums.chunks_exact(TERMS).map(|disc| match self.per {
            Per::Metre => disc[0] / disc[1],
            Per::Second => disc[0] / averages.seconds,
            Per::Hit => disc[0] / disc[2],
        });
        let exponents: Vec<f64> = exponents.collect();
        let mean = exponents.iter().sum::<f64>() / exponents.len() as f64;
        let curve = exponents.iter().zip(1_u32..).map(|(&value, disc)| (f64::from(disc), Value { value, theory }));
        Ok(Values { value: Value { value: mean, theory }, curve: curve.collect() })
    }

    fn mixes_by_disc_hits(&self) -> bool {
        false
    }

    fn note(&self) -> Option<String> {
        self.zero.map(str::to_owned)
    }
}
