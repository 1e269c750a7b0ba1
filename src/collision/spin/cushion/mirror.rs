//! A smooth vertical wall: what a light ray does at a mirror, less the restitution.

use super::Impact;

pub(super) fn rebound(mut impact: Impact, e: f64) -> Impact {
    impact.velocity.x *= -e;
    impact
}
