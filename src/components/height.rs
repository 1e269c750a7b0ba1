//! The height of a ball above the cloth.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::{
    description::{Described, Description, EntityKind, EntityKinds, IS_LED},
    invalid::{InvalidValue, LIMIT},
};
use crate::notice::mark;

/// The height of a ball above the cloth, and its vertical speed. Optional: a ball without it is on the cloth.
///
/// It acts on a [`Ball`](super::Ball) in the continuous mode, on a table with a
/// [`flight`](crate::collision::spin::TablePhysics::flight). The tick adds it to a ball that takes off, and removes it
/// when the ball stays down. Elsewhere it has no effect.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[type_path = "carom::components"]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct Height {
    /// Height of its lowest point above the cloth, m, from 0 to 1e12. Default: 0.
    pub height: f32,
    /// Vertical speed, m/s, positive up, from -1e12 to 1e12. Default: 0.
    pub speed: f32,
}

impl Described for Height {
    const DESCRIPTION: Description = Description::new(mark("height"))
        .in_field("height")
        .with_help(mark("Height of a ball above the cloth, m, and its vertical speed, m/s, on a table where balls fly"))
        .on(EntityKinds::of(&[EntityKind::Disc]), IS_LED);

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check_range("height", self.height, 0.0..=LIMIT, "m")?;
        InvalidValue::check_range("speed", self.speed, -LIMIT..=LIMIT, "m/s")
    }
}
