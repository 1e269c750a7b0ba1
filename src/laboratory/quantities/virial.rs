//! The virial of the hits between discs: the sum of impulse times distance of the centres, joule seconds. It is shared
//! by the quantities that follow from it.

use crate::laboratory::measurement::{Averages, Moment};
use crate::notice::mark;

/// The virial of the hits in a tick, joule seconds.
pub(super) fn of_hits(moment: &Moment) -> f64 {
    let radius = &moment.space.discs.radius;
    let each = moment.disc_hits().map(|(hit, [a, b])| f64::from(hit.impulse) * f64::from(radius[a] + radius[b]));
    each.sum()
}

/// `Z = 1 + sum(J s) / (2 K t)`, with the internal energy K.
pub(super) fn compression_factor(virial: f64, degrees: f64, averages: &Averages) -> f64 {
    1.0 + virial / (2.0 * degrees * averages.kt * averages.seconds)
}

/// `Ok` if the virial has no other parts than those of the motion and of the hits.
pub(super) fn check(moment: &Moment) -> Result<(), String> {
    if moment.gas.count < 2 {
        return Err(mark("it needs at least two discs").to_owned());
    }
    if moment.gas.gravity != bevy::math::DVec2::ZERO {
        return Err(
            mark("gravity acts, so the pressure differs from place to place; set motion.gravity to 0,0").to_owned()
        );
    }
    if moment.gas.settings().resting_speed > 0.0 {
        return Err(mark("hits below the resting speed are not reported; set collision.resting_speed to 0").to_owned());
    }
    Ok(())
}

/// `Ok` if the discs move.
pub(super) fn moving(averages: &Averages) -> Result<(), String> {
    if averages.kt > 0.0 { Ok(()) } else { Err(mark("the discs do not move").to_owned()) }
}

/// The note of a measurement whose theory does not apply.
pub(super) fn note(no_theory: Option<&String>) -> Option<String> {
    no_theory.map(|reason| format!("no theory: {reason}"))
}
