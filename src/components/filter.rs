//! Collision filtering: layers, ignored pairs and sensors, for discs and terrain alike.

use super::{
    description::{Described, Description},
    invalid::{InvalidValue, LIMIT},
};
use crate::notice::mark;
use bevy::prelude::*;
use serde::{Deserialize, Serialize};

/// The layers of a disc or a piece of [`Terrain`](super::Terrain), and the layers that it collides with, one bit each.
/// Two entities can collide if `a.memberships & b.filters != 0` and `b.memberships & a.filters != 0`. Without this
/// component all bits are set.
///
/// Entities that cannot collide pass through each other, in both modes and in every prediction. Where several pieces of
/// terrain share a corner, the corner of the pieces that the disc collides with counts.
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::prelude::*;
/// const PLAYERS: u32 = 1 << 0;
/// const COINS: u32 = 1 << 1;
/// fn spawn(mut commands: Commands) {
///     // Coins collide with players and with walls, which are in all layers, but not with other coins.
///     commands.spawn((Disc, CollisionLayers::new(COINS, !COINS)));
///     commands.spawn((Disc, CollisionLayers::new(PLAYERS, u32::MAX)));
/// }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[type_path = "carom::components"]
#[reflect(Component, Default, Debug, PartialEq, Hash)]
#[serde(default, deny_unknown_fields)]
pub struct CollisionLayers {
    /// The layers that it is in. Default: all.
    pub memberships: u32,
    /// The layers that it collides with. Default: all.
    pub filters: u32,
}

impl Described for CollisionLayers {
    const DESCRIPTION: Description = Description::new(mark("layers")).in_field("layers").offered(
        mark("Layers"),
        mark(
            "The layers it is in, and the layers it collides with. Two collide only if each is in a layer the other \
            collides with.",
        ),
        "",
    );

    fn first(_: EntityRef, _: bool) -> Option<Self> {
        Some(Self::ALL)
    }
}

impl CollisionLayers {
    /// In all layers; collides with all.
    pub const ALL: Self = Self { memberships: u32::MAX, filters: u32::MAX };
    /// In no layer; collides with nothing.
    pub const NONE: Self = Self { memberships: 0, filters: 0 };

    /// A member of `memberships` that collides with `filters`.
    #[must_use]
    pub const fn new(memberships: u32, filters: u32) -> Self {
        Self { memberships, filters }
    }

    /// Whether two entities with these layers can collide.
    #[must_use]
    pub const fn can_collide(self, other: Self) -> bool {
        self.memberships & other.filters != 0 && other.memberships & self.filters != 0
    }
}

impl Default for CollisionLayers {
    fn default() -> Self {
        Self::ALL
    }
}

/// The discs and pieces of terrain that a disc does not collide with, whatever the layers. It is enough if one of the
/// two names the other. Despawned entities in the list have no effect.
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq, Eq)]
#[type_path = "carom::components"]
#[reflect(Component, Default, Debug, PartialEq)]
pub struct IgnoredPairs(#[entities] pub Vec<Entity>);

/// Makes a disc or a piece of [`Terrain`](super::Terrain) report the discs inside it instead of colliding with them.
///
/// A circle, a block, a polygon and an arena are areas; segments, polylines and arcs are lines. A disc is in a sensor
/// while it overlaps the area or line. [`Sensed`] lists the discs inside.
/// [`SensorOverlapStarted`](crate::collision::SensorOverlapStarted) and
/// [`SensorOverlapEnded`](crate::collision::SensorOverlapEnded) report each change with its time. The continuous mode
/// finds that time exactly along the straight paths of the tick, so no disc is too fast for a sensor. The stepped mode
/// takes a straight path from the start of a substep to its end.
///
/// A sensor obeys [`CollisionLayers`] and [`IgnoredPairs`], and ignores other sensors.
///
/// A disc that is a sensor moves by its velocity and by forces, through discs and walls. A static sensor stays where it
/// is for the whole tick.
///
/// A disc that starts inside enters at the start of the first tick. A disc that is despawned or made
/// [`Inactive`](super::Inactive) inside leaves at the start of the next tick. A disc that falls into a pocket leaves as
/// it falls. A sensor that is despawned or made inactive reports nothing. When it is active again, it compares with the
/// discs that were inside before.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[type_path = "carom::components"]
#[reflect(Component, Default, Debug, PartialEq)]
#[require(Sensed)]
pub struct Sensor;

impl Described for Sensor {
    const DESCRIPTION: Description = Description::new(mark("sensor")).in_field("sensor").offered(
        mark("Sensor"),
        mark("Reports the discs in it. Discs pass through."),
        "",
    );

    fn first(_: EntityRef, _: bool) -> Option<Self> {
        Some(Self)
    }
}

/// The discs in a [`Sensor`] at the end of the last tick, in the order of their [`StableId`](super::StableId)s. Each
/// tick updates it.
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq, Eq, Deref)]
#[type_path = "carom::components"]
#[reflect(Component, Default, Debug, PartialEq)]
pub struct Sensed(#[entities] pub(crate) Vec<Entity>);

/// Makes a disc or a piece of [`Terrain`](super::Terrain) a bumper that kicks what hits it. The value is the extra
/// speed along the normal with which the two separate, beyond their restitution, in metres per second from 0 to 1e12.
/// An invalid value counts as 0.
///
/// Two discs share the impulse as in any hit, so momentum is conserved; if both have the component, both kick. A
/// resting disc, slower than the resting speed, is not kicked.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[type_path = "carom::components"]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(transparent)]
pub struct BumperKick(pub f32);

impl Described for BumperKick {
    const DESCRIPTION: Description = Description::new(mark("kick")).in_field("kick").offered(
        mark("Kick"),
        mark("Speed added to the rebound of discs that hit it, m/s"),
        " m/s",
    );

    fn first(_: EntityRef, _: bool) -> Option<Self> {
        Some(Self(1.0))
    }

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check_range("", self.0, 0.0..=LIMIT, "m/s")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_can_collide_if_each_is_in_a_layer_that_the_other_collides_with() {
        let (a, b) = (CollisionLayers::new(0b01, 0b10), CollisionLayers::new(0b10, 0b01));
        assert!(a.can_collide(b) && b.can_collide(a) && !a.can_collide(a) && !b.can_collide(b));
        assert!(a.can_collide(CollisionLayers::ALL) && !CollisionLayers::NONE.can_collide(CollisionLayers::ALL));
        let deaf = CollisionLayers::new(0b10, 0);
        assert!(!a.can_collide(deaf) && !deaf.can_collide(a), "both have to agree");
    }
}
