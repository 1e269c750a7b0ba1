//! What I. Han, "Dynamics in Carom and Three Cushion Billiards", Journal of Mechanical Science and Technology 19
//! (2005), 976, measured.
//!
//! Its impact is that of [`half_space`](super::half_space): it tells gripping from slipping and takes the vertical
//! impulse as lost. Only its coefficients are its own: a restitution by speed and a friction by the angle of incidence.

use bevy::math::DVec3;

/// Coefficient of restitution at a speed towards the cushion (m/s). The fit falls beyond its maximum, and below 0 at
/// 7.2 m/s, where nothing was measured; it is held there.
pub(super) fn restitution(approach: f64) -> f64 {
    const FASTEST: f64 = 0.257 / (2.0 * 0.044);
    let v = approach.clamp(0.0, FASTEST);
    0.39 + 0.257 * v - 0.044 * v * v
}

/// Coefficient of friction for a velocity in the frame of the cushion: `0.471 - 0.241 a`, `a` being the angle of
/// incidence from the normal, rad.
pub(super) fn friction(velocity: DVec3) -> f64 {
    0.471 - 0.241 * libm::atan2(velocity.y.abs(), velocity.x)
}
