//! A cushion as a rigid inclined half space with Coulomb friction: one impulse towards the centre, and one across it
//! that stops the slip or is limited by friction.
//!
//! This is the impact of I. Han, "Dynamics in Carom and Three Cushion Billiards", Journal of Mechanical Science and
//! Technology 19 (2005), 976. The coefficient of friction is added where it decides between gripping and slipping; the
//! printed condition, `P_zS <= P_zE`, lacks it.

use super::Impact;

pub(super) fn rebound(impact: Impact, e: f64, friction: f64) -> Impact {
    let normal = (1.0 + e) * impact.approach();
    let slip = impact.slip();
    let speed = slip.length();
    let size = (friction * normal).min(speed / impact.slip_response());
    impact.pushed(normal, if speed > 0.0 { slip * (size / speed) } else { slip })
}
