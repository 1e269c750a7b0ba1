//! The impulses on terrain per second, along gravity. In the long run they equal the weight of all discs exactly, at
//! any density: whatever gravity adds to the momentum, the terrain must take.

use bevy::math::DVec2;

use crate::{
    laboratory::measurement::{Averages, Measurement, Moment, Quantity, Values},
    notice::mark,
};

pub const WEIGHT: Quantity = Quantity {
    name: "weight",
    title: mark("Weight"),
    about: mark("impulses on terrain per second, along gravity"),
    unit: "N",
    needs: mark("gravity"),
    curve: None,
    begin: |moment| {
        let gravity = moment.gas.gravity;
        let Some(down) = gravity.try_normalize() else {
            return Err(mark("no gravity acts; set motion.gravity").to_owned());
        };
        if moment.gas.settings().resting_speed > 0.0 {
            return Err(
                mark("hits below the resting speed are not reported; set collision.resting_speed to 0").to_owned()
            );
        }
        let (space, discs) = (moment.space, &moment.space.discs);
        let reasons = [
            (!space.joints.listed.is_empty(), mark("there are joints")),
            (!discs.kinematic.is_empty(), mark("some discs are kinematic")),
            (
                !discs.constant_forces.is_empty() || !discs.own_motion.is_empty(),
                mark("some discs have their own forces"),
            ),
        ];
        if let Some((_, reason)) = reasons.into_iter().find(|(holds, _)| *holds) {
            return Err(reason.to_owned());
        }
        Ok(Box::new(Weight { down, weight: moment.gas.mass * gravity.length() }))
    },
};

struct Weight {
    down: DVec2,
    weight: f64,
}

impl Measurement for Weight {
    fn terms(&self) -> usize {
        1
    }

    fn add(&mut self, moment: &Moment, sums: &mut [f64]) {
        let each = moment.wall_hits().map(|hit| f64::from(hit.impulse) * hit.normal.as_dvec2().dot(self.down));
        sums[0] += each.sum::<f64>();
    }

    fn values(&self, averages: &Averages, sums: &[f64]) -> Result<Values, String> {
        Ok(Values::single(sums[0] / averages.seconds, Some(self.weight)))
    }
}
