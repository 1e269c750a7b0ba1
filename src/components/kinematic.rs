//! What the game moves itself: kinematic discs, and targets for discs and terrain. Periodic motions are in `periodic`.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::{
    description::{Described, Description, EntityKinds, HeldByHand},
    frame::Frame,
    invalid::InvalidValue,
    position::{Position, Rotation},
};
use crate::notice::mark;

/// A disc that the game moves, such as a mallet, a paddle or a lift. It behaves as if its mass were infinite: hits and
/// forces do not change its motion. It moves straight with its [`Velocity`](super::Velocity) or to the target of a
/// [`MoveTo`], or it follows an [`Orbit`](super::Orbit) or an [`Oscillation`](super::Oscillation).
///
/// - It pushes blocks, which are terrain with a mass. It does not collide with other terrain, pockets or kinematic
///   discs.
/// - Its [`Mass`](super::Mass) has no effect, and it does not count toward energy and momentum.
/// - It passes over a disc that it presses against a wall: the disc stays on its side of the wall. As soon as there is
///   room, the disc comes out with its previous speed.
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::prelude::*;
/// fn spawn(mut commands: Commands) {
///     commands.spawn((Disc, Kinematic, Radius(0.07), Position(vec2(0.0, -0.8))));
/// }
///
/// /// The game moves the mallet there by the end of the next tick.
/// fn lead(mallet: Single<Entity, With<Kinematic>>, mut commands: Commands) {
///     commands.entity(*mallet).insert(MoveTo(vec2(0.1, -0.7)));
/// }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[type_path = "carom::components"]
#[reflect(Component, Default, Debug, PartialEq)]
pub struct Kinematic;

impl Described for Kinematic {
    const DESCRIPTION: Description = Description::new(mark("kinematic"))
        .in_field("kinematic")
        .with_help(mark("Keeps its velocity regardless of hits and forces. Other discs bounce off it."))
        .on(
            EntityKinds::DISCS,
            "it works only on discs; move terrain with Velocity, MoveTo, TurnTo, Oscillation or Orbit",
        );
}

/// The [`Position`] that a [`Kinematic`] disc or a piece of [`Terrain`](super::Terrain) will have at the end of the
/// next tick, in metres.
///
/// The tick derives the velocity, `(target - position) / time step`, and the disc or piece hits anything on its way
/// with that velocity. Afterwards the [`Velocity`](super::Velocity) of a disc holds that value. At the target it stays
/// at rest until you write another target. Writing [`Position`] instead teleports it, and hits nothing. A disc that is
/// not [`Kinematic`] ignores this component.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[type_path = "carom::components"]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(transparent)]
pub struct MoveTo(pub Vec2);

impl Described for MoveTo {
    const DESCRIPTION: Description = Description::new(mark("move to"))
        .in_field("move_to")
        .offered(
            mark("Move to"),
            mark("Target for the end of the next tick, m. Hits everything on the way, then stays there."),
            " m",
        )
        .on(EntityKinds::DRIVEN, "it moves only kinematic discs and terrain; add Kinematic")
        .rejecting(EntityKinds::DRIVEN);

    fn first(entity: EntityRef, is_terrain: bool) -> Option<Self> {
        if entity.contains::<HeldByHand>() {
            return None;
        }
        is_terrain.then_some(Self(entity.get::<Position>().map_or(Vec2::ZERO, |position| position.0)))
    }

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check_coordinates("", self.0)
    }

    fn put_at(&mut self, frame: Frame) {
        self.0 = frame.place(self.0);
    }
}

impl MoveTo {
    /// The next target on the way from `from` to `target`, at most `most` metres away. To limit the speed, pass
    /// `speed * time step`.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use carom::prelude::*;
    /// assert_eq!(MoveTo::toward(vec2(1.0, 0.0), vec2(4.0, 4.0), 2.5), MoveTo(vec2(2.5, 2.0)));
    /// assert_eq!(MoveTo::toward(vec2(1.0, 0.0), vec2(4.0, 4.0), 9.0), MoveTo(vec2(4.0, 4.0)));
    /// ```
    #[must_use]
    pub fn toward(from: Vec2, target: Vec2, most: f32) -> Self {
        let line = target - from;
        let length = line.length();
        Self(if length <= most { target } else { from + line * (most.max(0.0) / length) })
    }
}

/// The [`Rotation`](super::Rotation) that a piece of [`Terrain`](super::Terrain) will have at the end of the next tick,
/// in radians.
///
/// It works as [`MoveTo`] does, for angles: going from 0 to `TAU` is a full turn within that tick. Use
/// [`TurnTo::toward`] to limit the speed.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[type_path = "carom::components"]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(transparent)]
pub struct TurnTo(pub f32);

impl Described for TurnTo {
    const DESCRIPTION: Description = Description::new(mark("turn to"))
        .in_field("turn_to")
        .offered(
            mark("Turn to"),
            mark("Target angle for the end of the next tick, degrees. Hits everything on the way, then stays there."),
            "°",
        )
        .on(EntityKinds::TERRAIN, "it turns only terrain; remove it")
        .rejecting(EntityKinds::TERRAIN);

    fn first(entity: EntityRef, is_terrain: bool) -> Option<Self> {
        if entity.contains::<HeldByHand>() {
            return None;
        }
        is_terrain.then_some(Self(entity.get::<Rotation>().map_or(0.0, |rotation| rotation.0)))
    }

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check_angle(self.0)
    }

    fn put_at(&mut self, frame: Frame) {
        self.0 += frame.angle;
    }
}

impl TurnTo {
    /// The next angle on the way from `from` to `target`, at most `most` radians away and never beyond the target. Use
    /// it for flippers, cranes and doors.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use carom::prelude::*;
    /// let [hangs, raised] = [-0.5, 0.5];
    /// assert_eq!(TurnTo::toward(hangs, raised, 0.25), TurnTo(-0.25));
    /// assert_eq!(TurnTo::toward(0.4, raised, 0.25), TurnTo(raised));
    /// ```
    #[must_use]
    pub fn toward(from: f32, target: f32, most: f32) -> Self {
        let most = most.max(0.0);
        Self(if (target - from).abs() <= most { target } else { from + (target - from).clamp(-most, most) })
    }
}
