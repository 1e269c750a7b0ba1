//! Who meets whom: layers, pairs that ignore each other, and sensors, for discs and terrain alike.

use super::{
    description::{Described, Description},
    invalid::{InvalidValue, LIMIT},
};
use crate::notice::mark;
use bevy::prelude::*;
use serde::{Deserialize, Serialize};

/// The layers that a disc or a piece of [`Terrain`](super::Terrain) is in, and those that it meets, a bit
/// each. Two meet if each is in a layer that the other meets: `a.memberships & b.filters != 0` and `b.memberships &
/// a.filters != 0`. Without it all bits are set.
///
/// Two that do not meet go through each other, in both modes and in every prediction. A corner where several pieces of
/// terrain come together acts on a disc as a corner of those that it meets.
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::prelude::*;
/// const PLAYERS: u32 = 1 << 0;
/// const COINS: u32 = 1 << 1;
/// fn spawn(mut commands: Commands) {
///     // Coins meet players and the walls, which have no layers of their own, and no other coins.
///     commands.spawn((Disc, CollisionLayers::new(COINS, !COINS)));
///     commands.spawn((Disc, CollisionLayers::new(PLAYERS, u32::MAX)));
/// }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[reflect(Component, Default, Debug, PartialEq, Hash)]
#[serde(default, deny_unknown_fields)]
pub struct CollisionLayers {
    /// The layers that it is in. Default: all.
    pub memberships: u32,
    /// The layers that it meets. Default: all.
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
    /// In all layers, and meets all.
    pub const ALL: Self = Self { memberships: u32::MAX, filters: u32::MAX };
    /// In no layer: it meets nobody.
    pub const NONE: Self = Self { memberships: 0, filters: 0 };

    /// In these layers, and meets those.
    #[must_use]
    pub const fn new(memberships: u32, filters: u32) -> Self {
        Self { memberships, filters }
    }

    /// Whether two meet.
    #[must_use]
    pub const fn meets(self, other: Self) -> bool {
        self.memberships & other.filters != 0 && other.memberships & self.filters != 0
    }
}

impl Default for CollisionLayers {
    fn default() -> Self {
        Self::ALL
    }
}

/// What a disc does not meet, whatever the layers: other discs and pieces of terrain, by their entities. It is enough
/// if one of the two names the other. Entities that are no more are passed over.
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Default, Debug, PartialEq)]
pub struct IgnoredPairs(#[entities] pub Vec<Entity>);

/// A disc or a piece of [`Terrain`](super::Terrain) that tells who is in it and answers to nothing: discs go
/// through it.
///
/// A circle, a block, a polygon and an arena are areas; segments, polylines and arcs are lines. A disc is in a sensor
/// while it overlaps it. That it has entered or left is told by [`SensorOverlapStarted`](crate::collision::SensorOverlapStarted) and
/// [`SensorOverlapEnded`](crate::collision::SensorOverlapEnded), with the time: in the continuous mode exactly, on the straight ways of
/// the tick, so that no speed carries a disc past unseen; in the stepped mode on the straight way from where a substep
/// begins to where it ends. Who is in it is in [`Sensed`]. It notices the discs that it meets by their
/// [`CollisionLayers`] and [`IgnoredPairs`], and no other sensors.
///
/// A disc that is a sensor moves by its velocity and by forces, through discs and walls. A sensor that stands counts as
/// standing for the whole tick.
///
/// A disc that begins inside enters with the first tick, at its start. One that is despawned or made
/// [`Inactive`](super::Inactive) inside has left where the next tick begins, and one that falls into a pocket as
/// it falls. A sensor that is itself despawned or made inactive tells nothing; one that is active again goes on from
/// what was in it before.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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

/// The discs that are in a [`Sensor`] where the last tick ended, in the order of their
/// [`StableId`](super::StableId)s. The tick keeps it.
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq, Eq, Deref)]
#[reflect(Component, Default, Debug, PartialEq)]
pub struct Sensed(#[entities] pub(crate) Vec<Entity>);

/// Throws back what hits it: a disc or a piece of [`Terrain`](super::Terrain) that is a bumper which kicks.
/// Metres per second, by which the two part faster along the normal than their restitution lets them; from 0 to 1e12,
/// and what is no such number counts as 0.
///
/// Of two discs the impulse is shared as in any hit, so momentum is kept, and both kick if both have it. What only lies
/// on it, slower than the resting speed, is not kicked.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
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
        InvalidValue::check("", self.0, [0.0, LIMIT], "set it from 0 to 1e12 m/s")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_meet_if_each_is_in_a_layer_that_the_other_meets() {
        let (a, b) = (CollisionLayers::new(0b01, 0b10), CollisionLayers::new(0b10, 0b01));
        assert!(a.meets(b) && b.meets(a) && !a.meets(a) && !b.meets(b));
        assert!(a.meets(CollisionLayers::ALL) && !CollisionLayers::NONE.meets(CollisionLayers::ALL));
        let deaf = CollisionLayers::new(0b10, 0);
        assert!(!a.meets(deaf) && !deaf.meets(a), "both have to agree");
    }
}
