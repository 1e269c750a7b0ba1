//! stub
use bevy::{math::DVec2, prelude::*};
use serde::{Deserialize, Serialize};
use super::{Body, Motion};
use crate::collision::settings::SettingError;
#[derive(Reflect, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cushion { pub restitution: CushionRestitution }
#[derive(Reflect, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum CushionRestitution { Constant(f32) }
impl Default for CushionRestitution { fn default() -> Self { Self::Constant(0.85) } }
impl CushionRestitution { pub fn at(&self, _: f64) -> f64 { let Self::Constant(e) = self; f64::from(*e) } }
impl Cushion { pub fn check(&self) -> Result<(), SettingError> { Ok(()) } }
pub struct CushionHit { pub approach: f64, pub impulse: f64, pub motion: Motion }
pub fn rebound(c: &Cushion, body: &Body, motion: &Motion, normal: DVec2, e: Option<f64>) -> Option<CushionHit> {
    let approach = -motion.velocity.dot(normal);
    if !(approach > 0.0) { return None; }
    let e = e.unwrap_or_else(|| c.restitution.at(approach));
    Some(CushionHit { approach, impulse: (1.0 + e) * approach * body.mass, motion: Motion { velocity: motion.velocity + normal * ((1.0 + e) * approach), ..*motion } })
}
