//! A smooth vertical wall: mirror reflection with restitution.

use super::Impact;

pub(super) fn rebound(mut impact: Impact, e: f64) -> Impact {
    impact.velocity.x *= -e;
    impact
}
