//! The components of a disc.
//!
//! Between ticks, components are the source of truth: the next tick reads what you write to them. Spawning a [`Disc`]
//! adds every component that a disc needs. Every other component here is optional.

use super::{
    description::{Described, Description, EntityKind, EntityKinds, HeldByHand, IS_LED},
    frame::Frame,
    invalid::{InvalidValue, LIMIT},
};
use crate::notice::mark;
use bevy::{
    ecs::{
        entity::{ComponentCloneCtx, SourceComponent},
        lifecycle::HookContext,
        world::DeferredWorld,
    },
    prelude::*,
};
use serde::{Deserialize, Serialize};

/// The centre of a disc, or the origin of a piece of [`Terrain`](super::Terrain), in metres.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(transparent)]
pub struct Position(pub Vec2);

impl Described for Position {
    const DESCRIPTION: Description = Description::new(mark("position")).rejecting(EntityKinds::ALL);

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check_coordinates("", self.0)
    }
}

/// The angle by which a piece of terrain is rotated about its [`Position`], in radians, counter-clockwise.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(transparent)]
pub struct Rotation(pub f32);

impl Described for Rotation {
    const DESCRIPTION: Description = Description::new(mark("angle")).rejecting(EntityKinds::TERRAIN);

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check_angle(self.0)
    }
}

impl Rotation {
    /// Rotates a vector by this angle, with the same bits on every platform.
    #[must_use]
    pub fn turn(self, vector: Vec2) -> Vec2 {
        Frame { angle: self.0, ..default() }.turn(vector)
    }
}

/// The velocity of a disc or a piece of terrain, in metres per second.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(transparent)]
pub struct Velocity(pub Vec2);

impl Described for Velocity {
    const DESCRIPTION: Description = Description::new(mark("velocity"))
        .offered(
            mark("Velocity"),
            mark("Velocity, m/s: to the right, upward. Terrain hits discs as a moving wall."),
            " m/s",
        )
        .rejecting(EntityKinds::ALL);

    fn first(_: EntityRef, is_terrain: bool) -> Option<Self> {
        is_terrain.then_some(Self::default())
    }

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check_components("", self.0, "m/s")
    }

    fn put_at(&mut self, frame: Frame) {
        self.0 = frame.turn(self.0);
    }
}

/// The [`Position`] that a [`Kinematic`] disc or a piece of [`Terrain`](super::Terrain) will have at the end of the
/// next tick, in metres.
///
/// The tick derives the velocity, `(target - position) / time step`, and the disc or piece hits anything on its way
/// with that velocity. Afterwards the [`Velocity`] of a disc holds that value. At the target it stays at rest until you
/// write another target. Writing [`Position`] instead teleports it, and hits nothing. A disc that is not [`Kinematic`]
/// ignores this component.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
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

/// The [`Rotation`](super::Rotation) that a piece of [`Terrain`](super::Terrain) will have at the end of the next tick,
/// in radians.
///
/// It works as [`MoveTo`] does, for angles: going from 0 to `TAU` is a full turn within that tick. Use
/// [`TurnTo::toward`] to limit the speed.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
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

/// The radius of a disc in metres, above zero. Default: 0.5.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(transparent)]
pub struct Radius(pub f32);

impl Described for Radius {
    const DESCRIPTION: Description = Description::new(mark("radius")).rejecting(EntityKinds::DISCS);

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check_positive("", self.0, "m")
    }
}

impl Default for Radius {
    fn default() -> Self {
        Self(0.5)
    }
}

/// The mass of a disc in kilograms, above zero. A piece of [`Terrain`](super::Terrain) with a mass is a dynamic block
/// that discs push and turn; see [`MassProperties`](super::MassProperties).
///
/// A [`Disc`] spawned without a mass gets one from its [`Radius`] and [`Density`] at that moment. Changing the radius
/// later does not change the mass.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(transparent)]
pub struct Mass(pub f32);

impl Described for Mass {
    const DESCRIPTION: Description = Description::new(mark("mass"))
        .offered(
            mark("Mass"),
            mark("Mass, kg. Terrain with a mass is a block that discs and other blocks push and turn."),
            " kg",
        )
        .on(Self::ACTS_ON, "it cannot be combined with MoveTo, TurnTo, Oscillation or Orbit; remove one of the two")
        .rejecting(Self::ACTS_ON);

    fn first(_: EntityRef, is_terrain: bool) -> Option<Self> {
        is_terrain.then_some(Self(1.0))
    }

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check_positive("", self.0, "kg")
    }
}

impl Mass {
    const ACTS_ON: EntityKinds = EntityKinds::DISCS.or(EntityKinds::of(&[EntityKind::DynamicTerrain]));

    /// A placeholder that spawning a [`Disc`] replaces by density times area. It is one particular NaN, so a NaN from a
    /// faulty computation is still rejected.
    pub const FROM_DENSITY: Self = Self(f32::from_bits(0x7fc0_ca40));

    /// The mass of a disc of this radius (metres) and density (kilograms per square metre): `density * pi * radius^2`.
    #[must_use]
    pub fn of_disc(radius: f32, density: f32) -> Self {
        Self(density * std::f32::consts::PI * radius * radius)
    }

    fn is_placeholder(self) -> bool {
        self.0.to_bits() == Self::FROM_DENSITY.0.to_bits()
    }
}

impl Default for Mass {
    fn default() -> Self {
        Self::FROM_DENSITY
    }
}

/// Mass per area in kilograms per square metre. It is read once, when a [`Disc`] is spawned without a [`Mass`].
/// Default: 1.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[reflect(Component, Default, Debug, PartialEq)]
pub struct Density(pub f32);

impl Default for Density {
    fn default() -> Self {
        Self(1.0)
    }
}

/// The coefficient of restitution of one disc or one piece of terrain, from 0 (dead) to 1 (elastic). Optional.
///
/// A hit combines the values of its two sides by a [`CombineRule`](crate::collision::CombineRule); by default the
/// smaller value counts. If only one side has a value, that value counts. If neither has one, the setting for that kind
/// of hit counts (see [`CollisionSettings`](crate::collision::CollisionSettings)).
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[reflect(Component, Debug, PartialEq)]
#[serde(transparent)]
pub struct Restitution(pub f32);

impl Described for Restitution {
    const DESCRIPTION: Description =
        Description::new(mark("restitution")).in_field("restitution").rejecting(EntityKinds::ALL);

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check_range("", self.0, 0.0..=1.0, "")
    }
}

/// The angular velocity of a disc or a piece of terrain, in radians per second; z points up from the table. Optional: a
/// disc without it is smooth.
///
/// A disc spins only where a [`TablePhysics`](crate::collision::spin::TablePhysics) acts; with
/// [`BilliardsPlugin`](crate::billiards::BilliardsPlugin) it is a resource. The cloth then slows the disc down, and
/// hits change its spin. A [`Ball`] can turn about any axis: a ball that rolls along +x has a positive y component. Any
/// other disc turns about z only. A piece of terrain turns by its z component.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(transparent)]
pub struct AngularVelocity(pub Vec3);

impl Described for AngularVelocity {
    const DESCRIPTION: Description = Description::new(mark("spin"))
        .offered(
            mark("Rotation speed"),
            mark("Angular velocity, rad/s, counter-clockwise. Terrain turns about its origin."),
            " rad/s",
        )
        .rejecting(EntityKinds::ALL);

    fn first(entity: EntityRef, _: bool) -> Option<Self> {
        (!entity.contains::<Ball>()).then(Self::default)
    }

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check_components_3d("", self.0, "rad/s")
    }
}

/// A constant force on a disc, in newtons: a motor, the pull of a magnet, a jet. Optional. It acts through the centre,
/// in every tick until you change or remove the component, in both modes and in every prediction.
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::prelude::*;
/// fn spawn(mut commands: Commands) {
///     commands.spawn((Disc, Mass(2.0), ConstantForce(vec2(3.0, 0.0)))); // 1.5 m/s²
/// }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(transparent)]
pub struct ConstantForce(pub Vec2);

impl Described for ConstantForce {
    const DESCRIPTION: Description = Description::new(mark("force"))
        .in_field("constant_force")
        .offered(mark("Force"), mark("Constant force, N: to the right, upward"), " N")
        .on(EntityKinds::FREE, IS_LED);

    fn first(_: EntityRef, _: bool) -> Option<Self> {
        Some(Self::default())
    }

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check_components("", self.0, "N")
    }

    fn put_at(&mut self, frame: Frame) {
        self.0 = frame.turn(self.0);
    }
}

/// A constant torque on a disc about its centre, in N m, counter-clockwise. Optional, like [`ConstantForce`].
///
/// The z component of its [`AngularVelocity`] changes by `torque / moment of inertia` per second. The moment of inertia
/// is `mass radius² / 2` for a flat disc and `2 / 5 mass radius²` for a [`Ball`].
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[reflect(Component, Default, Debug, PartialEq)]
#[require(AngularVelocity)]
#[serde(transparent)]
pub struct ConstantTorque(pub f32);

impl Described for ConstantTorque {
    const DESCRIPTION: Description = Description::new(mark("torque"))
        .in_field("constant_torque")
        .offered(mark("Torque"), mark("Constant torque, N m, counter-clockwise"), " N m")
        .on(EntityKinds::FREE, IS_LED);

    fn first(_: EntityRef, _: bool) -> Option<Self> {
        Some(Self::default())
    }

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check_range("", self.0, -LIMIT..=LIMIT, "N m")
    }
}

/// The factor by which gravity acts on a disc: 1 as on all others, 0 not at all, -1 upward. Optional.
///
/// It scales [`MotionSettings::gravity`](crate::motion::MotionSettings::gravity) and every
/// [`motion::gravity`](crate::motion::gravity), in both modes and in every prediction. Resting contacts use the scaled
/// weight.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(transparent)]
pub struct GravityScale(pub f32);

impl Described for GravityScale {
    const DESCRIPTION: Description = Description::new(mark("gravity"))
        .in_field("gravity_scale")
        .offered(mark("Gravity"), mark("Multiplies gravity. 0: none. Below 0, it rises."), " ×")
        .on(EntityKinds::FREE, IS_LED);

    fn first(_: EntityRef, _: bool) -> Option<Self> {
        Some(Self(0.5))
    }

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check_range("", self.0, -LIMIT..=LIMIT, "")
    }
}

impl Default for GravityScale {
    fn default() -> Self {
        Self(1.0)
    }
}

/// The drag of one disc, as deceleration per speed in 1/s, zero or more. It replaces
/// [`MotionSettings::drag`](crate::motion::MotionSettings::drag) for this disc. Optional.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(transparent)]
pub struct LinearDamping(pub f32);

impl Described for LinearDamping {
    const DESCRIPTION: Description = Description::new(mark("drag"))
        .in_field("linear_damping")
        .offered(mark("Drag"), mark("Drag coefficient instead of the scene's, 1/s"), " 1/s")
        .on(EntityKinds::FREE, IS_LED);

    fn first(_: EntityRef, _: bool) -> Option<Self> {
        Some(Self(0.5))
    }

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check_range("", self.0, 0.0..=LIMIT, "1/s")
    }
}

/// The constant deceleration of one disc by the cloth, in m/s², zero or more. It replaces
/// [`MotionSettings::friction`](crate::motion::MotionSettings::friction) for this disc, which stops after `v² / 2a`
/// metres. Optional. For friction at the surface of what a disc hits, see [`Friction`](super::Friction).
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(transparent)]
pub struct ClothFriction(pub f32);

impl Described for ClothFriction {
    const DESCRIPTION: Description = Description::new(mark("cloth"))
        .in_field("cloth_friction")
        .offered(mark("Cloth"), mark("Constant deceleration instead of the scene's friction, m/s²"), " m/s²")
        .on(EntityKinds::FREE, IS_LED);

    fn first(entity: EntityRef, _: bool) -> Option<Self> {
        (!entity.contains::<Ball>()).then_some(Self(0.5))
    }

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check_range("", self.0, 0.0..=LIMIT, "m/s²")
    }
}

/// The highest speed of one disc, m/s, zero or more. Optional.
///
/// A faster disc is slowed down to this speed and keeps its direction. This happens in every substep, right after the
/// forces of [`MotionSettings`](crate::motion::MotionSettings), and in predictions too. The cause of the speed does not
/// matter: it may be a force, a hit, or a [`Velocity`] that the game writes. A hit may make the disc faster than the
/// limit until the forces act again. Forces of the game act before the limit, except those of
/// [`Forces::add_last`](crate::motion::Forces::add_last).
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::prelude::*;
/// fn spawn(mut commands: Commands) {
///     commands.spawn((Disc, Radius(0.1), SpeedLimit(12.0)));
/// }
/// # bevy::ecs::system::assert_is_system(spawn);
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(transparent)]
pub struct SpeedLimit(pub f32);

impl Default for SpeedLimit {
    /// None.
    fn default() -> Self {
        Self(LIMIT)
    }
}

impl Described for SpeedLimit {
    const DESCRIPTION: Description = Description::new(mark("speed limit"))
        .in_field("speed_limit")
        .offered(mark("Speed limit"), mark("The highest speed that forces leave it, m/s"), " m/s")
        .on(EntityKinds::of(&[EntityKind::Disc]), "it slows discs that move freely; take it off");

    fn first(_: EntityRef, is_terrain: bool) -> Option<Self> {
        (!is_terrain).then_some(Self(10.0))
    }

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check_range("", self.0, 0.0..=LIMIT, "m/s")
    }
}

/// A disc that is a billiard ball: a sphere that slides, rolls and spins.
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::prelude::*;
/// fn spawn(mut commands: Commands) {
///     commands.spawn((Ball, Position(vec2(-0.635, 0.0)), Radius(0.028575), Mass(0.170097)));
/// }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Default, Debug, PartialEq)]
#[require(Disc, AngularVelocity)]
pub struct Ball;

/// A disc that the game moves, such as a mallet, a paddle or a lift. It behaves as if its mass were infinite: hits and
/// forces do not change its motion. It moves straight with its [`Velocity`] or to the target of a [`MoveTo`], or it
/// follows an [`Orbit`](super::Orbit) or an [`Oscillation`](super::Oscillation).
///
/// - It pushes blocks, which are terrain with a mass. It does not collide with other terrain, pockets or kinematic
///   discs.
/// - Its [`Mass`] has no effect, and it does not count toward energy and momentum.
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
#[reflect(Component, Default, Debug, PartialEq)]
pub struct Kinematic;

impl Described for Kinematic {
    const DESCRIPTION: Description = Description::new(mark("kinematic")).in_field("kinematic").on(
        EntityKinds::DISCS,
        "it works only on discs; move terrain with Velocity, MoveTo, TurnTo, Oscillation or Orbit",
    );
}

/// Marks a disc that has fallen into a [`Pocket`](super::Pocket). It takes part in no ticks. Remove the component to
/// return the disc with its current [`Position`] and [`Velocity`].
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Component, Debug, PartialEq)]
pub struct InPocket {
    /// The entity of the pocket.
    pub pocket: Entity,
}

/// Takes a disc, a piece of [`Terrain`](super::Terrain) or a [`Pocket`](super::Pocket) out of the simulation until you
/// remove it. Nothing moves it or collides with it, nothing falls into it, predictions ignore it, and its other
/// components keep their values. Use it to park discs instead of despawning them, to open doors and to close pockets.
///
/// A wall that becomes active over a disc pushes the disc out, as a wall spawned there does.
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::prelude::*;
/// fn open(doors: Query<Entity, (With<Terrain>, Without<Inactive>)>, mut commands: Commands) {
///     for door in &doors {
///         commands.entity(door).insert(Inactive);
///     }
/// }
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, PhysicsPlugins::default())).add_systems(FixedUpdate, open);
/// # app.update();
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[reflect(Component, Default, Debug, PartialEq)]
pub struct Inactive;

impl Described for Inactive {
    const DESCRIPTION: Description = Description::new(mark("inactive")).in_field("inactive").offered(
        mark("Inactive"),
        mark("Takes no part, like an open door. Discs pass through it, and it does not move."),
        "",
    );

    fn first(_: EntityRef, is_terrain: bool) -> Option<Self> {
        is_terrain.then_some(Self)
    }
}

/// The query filter for discs in play: neither in a pocket nor [`Inactive`].
pub type InPlay = (With<Disc>, Without<InPocket>, Without<Inactive>);

/// The orientation of a ball, for drawing. Optional: collisions ignore it. [`motion`](crate::motion) updates it as the
/// ball moves, by its [`AngularVelocity`] if it has one.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Default, Debug, PartialEq)]
pub struct Orientation {
    /// From the frame of the ball to the world; z points up from the cloth.
    pub turn: Quat,
    /// The position at which `turn` was last updated, metres.
    pub rolled_to: Vec2,
}

/// The identity of a disc or a piece of terrain within its world, which also decides the order of resolution.
///
/// Entity numbers depend on what else an app has spawned and despawned. This number does not, which makes two runs of a
/// scene bit-identical. Leave it out to get the next free number, or give it to restore a saved state. Of two discs
/// with the same number, the one with the lower entity comes first.
///
/// The component is immutable: insert another to change it. So the counter knows all numbers and never assigns one
/// twice. A clone of an entity gets a new number. The number is assigned when the commands of the spawn are applied; an
/// observer of the spawn still sees [`StableId::NEXT`].
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[reflect(Component, Default, Debug, PartialEq, Hash)]
#[component(immutable, on_insert = give_stable_id, clone_behavior = Custom(ask_for_the_next))]
pub struct StableId(pub u64);

impl Described for StableId {
    const DESCRIPTION: Description = Description::new(mark("number"));
}

impl StableId {
    /// The placeholder for "the next free number". A disc keeps it if no number is left, after `u64::MAX - 1`.
    pub const NEXT: Self = Self(u64::MAX);
}

impl Default for StableId {
    fn default() -> Self {
        Self::NEXT
    }
}

/// The next [`StableId`] to give; `u64::MAX` if none is left. Loading a scene resets it to zero, so that a restart
/// repeats every number.
#[derive(Resource, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Resource, Default)]
pub struct NextStableId(pub u64);

fn give_stable_id(mut world: DeferredWorld, context: HookContext) {
    let Some(&given) = world.get::<StableId>(context.entity) else { return };
    let Some(mut next) = world.get_resource_mut::<NextStableId>() else { return };
    if given != StableId::NEXT {
        next.0 = next.0.max(given.0.saturating_add(1));
        return;
    }
    let id = StableId(next.0);
    next.0 = next.0.saturating_add(1);
    if id == StableId::NEXT {
        tracing::error!("{}: no StableId is left because u64::MAX - 1 is in use; use lower numbers", context.entity);
        return;
    }
    world.commands().entity(context.entity).try_insert(id);
}

/// A clone of an entity asks for the next number instead of copying this one.
fn ask_for_the_next(_: &SourceComponent, context: &mut ComponentCloneCtx) {
    context.write_target_component(StableId::NEXT);
}

/// A disc that moves and collides. It requires every component that it needs.
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::prelude::*;
/// fn spawn(mut commands: Commands) {
///     commands.spawn((Disc, Position(vec2(1.0, 0.0)), Velocity(vec2(-2.0, 0.0)), Radius(0.25)));
/// }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Default, Debug, PartialEq)]
#[require(Position, Velocity, Radius, Mass, StableId)]
#[component(on_add = fill_mass)]
pub struct Disc;

fn fill_mass(mut world: DeferredWorld, context: HookContext) {
    let entity = context.entity;
    if !world.get::<Mass>(entity).is_some_and(|mass| mass.is_placeholder()) {
        return;
    }
    let radius = world.get::<Radius>(entity).copied().unwrap_or_default();
    let density = world.get::<Density>(entity).copied().unwrap_or_default();
    if let Some(mut mass) = world.get_mut::<Mass>(entity) {
        *mass = Mass::of_disc(radius.0, density.0);
    }
}
