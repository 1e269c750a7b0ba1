//! The coefficients measured by I. Han, "Dynamics in Carom and Three Cushion Billiards", Journal of Mechanical Science
//! and Technology 19 (2005), 976.
//!
//! The impact is as in [`half_space`](super::half_space): it distinguishes gripping from slipping and treats the
//! vertical impulse as lost. Only the coefficients differ: a restitution by speed and a friction by the angle of
//! incidence.

use bevy::math::DVec3;

/// Coefficient of restitution at a speed towards the cushion (m/s). Beyond its maximum the fit falls, and below 0 at
/// 7.2 m/s, where nothing was measured; so it stays constant from the maximum on.
pub(super) fn restitution(approach: f64) -> f64 {
    const FASTEST: f64 = 0.257 / (2.0 * 0.044);
    let v = approach.clamp(0.0, FASTEST);
    0.39 + 0.257 * v - 0.044 * v * v
}

/// Coefficient of friction for a velocity in the frame of the cushion: `0.471 - 0.241 a`, where `a` is the angle of
/// incidence from the normal, rad, at most a right angle: a ball that falls on the nose may move away from the cushion.
pub(super) fn friction(velocity: DVec3) -> f64 {
    0.471 - 0.241 * libm::atan2(velocity.y.abs(), velocity.x.max(0.0))
}
