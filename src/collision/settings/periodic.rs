//! Which axes are periodic.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use crate::components::{InvalidValue, LIMIT};

/// Which axes are periodic, and the ends of the cell along them, metres. Default: none.
///
/// A disc that leaves the cell on one side enters on the opposite side with the same velocity. Discs, terrain and
/// queries act across the edges, and so do forces that use
/// [`PhysicsSpace::difference`](crate::collision::PhysicsSpace::difference). An axis that is not periodic is unbounded.
///
/// ```
/// # use carom::collision::{CollisionSettings, Periodic};
/// // A torus of 2 m by 1 m.
/// let periodic = Periodic { x: Some((-1.0, 1.0)), y: Some((0.0, 1.0)) };
/// let settings = CollisionSettings { periodic, ..CollisionSettings::default() };
/// assert!(settings.check().is_ok());
/// ```
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[reflect(Default, Debug, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct Periodic {
    /// The left and right end of the cell if x is periodic, metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub x: Option<(f32, f32)>,
    /// The lower and upper end of the cell if y is periodic, metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub y: Option<(f32, f32)>,
}

impl Periodic {
    /// What to do about invalid ends.
    pub(crate) const REMEDY: &str = "set it to two ends within 1e12 m, the first below the second, such as (-1, 1)";

    /// Whether no axis is periodic.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.x.is_none() && self.y.is_none()
    }

    /// Whether the ends of each axis are within 1e12 m, the first below the second.
    ///
    /// # Errors
    /// The first axis with invalid ends.
    pub fn check(&self) -> Result<(), InvalidValue> {
        for (field, ends) in [("periodic.x", self.x), ("periodic.y", self.y)] {
            let Some((low, high)) = ends.filter(|&(low, high)| !is_valid(low, high)) else { continue };
            return Err(InvalidValue::new(field, vec2(low, high), Self::REMEDY));
        }
        Ok(())
    }

    /// These settings without axes whose ends are invalid.
    pub(crate) fn in_range(&self) -> Self {
        Self {
            x: self.x.filter(|&(low, high)| is_valid(low, high)),
            y: self.y.filter(|&(low, high)| is_valid(low, high)),
        }
    }
}

fn is_valid(low: f32, high: f32) -> bool {
    // Below that, a period is lost in the rounding of positions.
    low.abs() <= LIMIT && high.abs() <= LIMIT && high - low > 1e-5 * low.abs().max(high.abs())
}
