//! The components of a disc.
//!
//! They are the truth between ticks: whatever writes them is read by the next tick. Spawning a [`Disc`] brings all that
//! a disc needs; every other component here is optional or has a default.

use super::{
    description::{ANY_TERRAIN, Described, Description, EntityKind, FREE, ForNow, IS_LED},
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

/// Where the centre of a disc is, or the origin of a piece of [`Terrain`](super::Terrain), in metres.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(transparent)]
pub struct Position(pub Vec2);

impl Described for Position {
    const DESCRIPTION: Description = Description::new(mark("position"));

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check_vector("", self.0, "set it to finite coordinates within 1e12 m")
    }
}

/// The angle by which a piece of terrain is turned about its [`Position`], in radians, counter-clockwise.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(transparent)]
pub struct Rotation(pub f32);

impl Described for Rotation {
    const DESCRIPTION: Description = Description::new(mark("angle"));

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check_angle(self.0)
    }
}

impl Rotation {
    /// Turns a vector by this angle, the same on every platform.
    #[must_use]
    pub fn turn(self, vector: Vec2) -> Vec2 {
        Frame { angle: self.0, ..default() }.turn(vector)
    }
}

/// How fast a disc moves, in metres per second.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(transparent)]
pub struct Velocity(pub Vec2);

impl Described for Velocity {
    const DESCRIPTION: Description = Description::new(mark("velocity")).offered(
        mark("Velocity"),
        mark("How fast it moves, m/s: to the right, upward. Discs are hit as by a moving wall."),
        " m/s",
    );

    fn first(_: EntityRef, is_terrain: bool) -> Option<Self> {
        is_terrain.then_some(Self::default())
    }

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check_vector("", self.0, "set it to finite components within 1e12 m/s")
    }

    fn put_at(&mut self, frame: Frame) {
        self.0 = frame.turn(self.0);
    }
}

/// Where a [`Kinematic`] disc or a piece of [`Terrain`](super::Terrain) has its [`Position`] where the next
/// tick ends, metres. The tick derives the velocity from it, `(target - position) / time step`, and what is on the way
/// is hit with that velocity, which the [`Velocity`] of a disc tells afterwards. At the target it stands still until it
/// gets another one; to write the [`Position`] itself is a teleport, which hits nothing. A disc that is not
/// [`Kinematic`] takes no notice.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(transparent)]
pub struct MoveTo(pub Vec2);

impl Described for MoveTo {
    const DESCRIPTION: Description = Description::new(mark("move to"))
        .in_field("move_to")
        .offered(
            mark("Move to"),
            mark("Where it is when the next tick ends, m: what is on the way is hit. There it stands."),
            " m",
        )
        .on(
            &[EntityKind::KinematicDisc, EntityKind::Terrain, EntityKind::MovingTerrain, EntityKind::Block],
            "it leads kinematic discs and terrain; add Kinematic",
        );

    fn first(entity: EntityRef, is_terrain: bool) -> Option<Self> {
        if entity.contains::<ForNow>() {
            return None;
        }
        is_terrain.then_some(Self(entity.get::<Position>().map_or(Vec2::ZERO, |position| position.0)))
    }

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check_vector("", self.0, "set it to finite coordinates within 1e12 m")
    }

    fn put_at(&mut self, frame: Frame) {
        self.0 = frame.place(self.0);
    }
}

/// The [`Rotation`](super::Rotation) that a piece of [`Terrain`](super::Terrain) has where the next
/// tick ends, radians. As [`MoveTo`], for angles: from 0 to `TAU` is a whole turn within that tick. [`TurnTo::toward`]
/// turns no faster than one wants.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(transparent)]
pub struct TurnTo(pub f32);

impl Described for TurnTo {
    const DESCRIPTION: Description = Description::new(mark("turn to"))
        .in_field("turn_to")
        .offered(
            mark("Turn to"),
            mark("By how much it is turned when the next tick ends, degrees: what is on the way is hit. So it stays."),
            "°",
        )
        .on(ANY_TERRAIN, "it turns terrain; take it off");

    fn first(entity: EntityRef, is_terrain: bool) -> Option<Self> {
        if entity.contains::<ForNow>() {
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
    /// From a place toward a target, at most so far, metres: what a hand with a greatest speed does in a tick, where
    /// that is `speed * time step`.
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
    /// From an angle toward a target, at most so far, radians, and never beyond the target: a flipper, a crane, a door
    /// that is driven between two angles.
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

/// The radius of a disc in metres; more than zero. Default: 0.5.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(transparent)]
pub struct Radius(pub f32);

impl Described for Radius {
    const DESCRIPTION: Description = Description::new(mark("radius"));

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check_positive(self.0, "set it above zero, from 1e-12 to 1e12 m")
    }
}

impl Default for Radius {
    fn default() -> Self {
        Self(0.5)
    }
}

/// The mass of a disc in kilograms; more than zero. On a piece of [`Terrain`](super::Terrain) it makes a block
/// that discs push and turn, see [`MassProperties`](super::MassProperties).
///
/// A [`Disc`] spawned without one gets it from its [`Radius`] and [`Density`] at that moment. A later change of the
/// radius does not change the mass.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(transparent)]
pub struct Mass(pub f32);

impl Described for Mass {
    const DESCRIPTION: Description = Description::new(mark("mass"))
        .offered(mark("Mass"), mark("With a mass it is a block that discs and other blocks push and turn, kg"), " kg")
        .on(
            &[EntityKind::Disc, EntityKind::KinematicDisc, EntityKind::Block],
            "beside a MoveTo, a TurnTo or an Oscillation it has no meaning; take one of the two off",
        );

    fn first(_: EntityRef, is_terrain: bool) -> Option<Self> {
        is_terrain.then_some(Self(1.0))
    }

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check_positive(self.0, "set it above zero, from 1e-12 to 1e12 kg")
    }
}

impl Mass {
    /// A placeholder that spawning a [`Disc`] replaces by density times area. It is one certain NaN, so that a NaN
    /// which somebody computed by mistake is still rejected instead of being replaced.
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

/// Mass per area in kilograms per square metre, read once, when a [`Disc`] is spawned without a [`Mass`]. Default: 1.
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
/// A hit uses the smaller of the values that its two sides carry, or what another
/// [`CombineRule`](crate::collision::CombineRule) makes of them; where only one side carries one, that one; where
/// neither does, the setting for that kind of hit (see [`CollisionSettings`](crate::collision::CollisionSettings)).
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[reflect(Component, Debug, PartialEq)]
#[serde(transparent)]
pub struct Restitution(pub f32);

impl Described for Restitution {
    const DESCRIPTION: Description = Description::new(mark("restitution")).in_field("restitution");

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check("", self.0, [0.0, 1.0], "set it from 0 to 1")
    }
}

/// How fast a disc turns, in radians per second; z points up from the table. Optional: a disc without it is smooth.
///
/// It acts where a [`TablePhysics`](crate::collision::spin::TablePhysics) does, as in an app with
/// [`BilliardsPlugin`](crate::billiards::BilliardsPlugin): the cloth slows the disc down, and hits change its spin. A
/// disc that is a [`Ball`] may turn about any axis, and rolls along +x with a positive y component; another turns about
/// z alone.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(transparent)]
pub struct AngularVelocity(pub Vec3);

impl Described for AngularVelocity {
    const DESCRIPTION: Description = Description::new(mark("spin")).offered(
        mark("Turning"),
        mark("How fast it turns, rad/s, counter-clockwise: terrain about its origin"),
        " rad/s",
    );

    fn first(entity: EntityRef, _: bool) -> Option<Self> {
        (!entity.contains::<Ball>()).then(Self::default)
    }

    fn check(&self) -> Result<(), InvalidValue> {
        let fits = self.0.abs().cmple(Vec3::splat(LIMIT)).all();
        let invalid = || InvalidValue::new("", self.0, "set it to finite components within 1e12 rad/s");
        if fits { Ok(()) } else { Err(invalid()) }
    }
}

/// A force that acts on a disc all the time, newtons: a motor, a magnet's pull, a jet. Optional. Through its centre,
/// and in every tick until the component is changed or taken away; in both modes, and in every prediction.
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
        .offered(mark("Force"), mark("A force that acts on it all the time, N: to the right, upward"), " N")
        .on(FREE, IS_LED);

    fn first(_: EntityRef, _: bool) -> Option<Self> {
        Some(Self::default())
    }

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check_vector("", self.0, "set it to finite components within 1e12 N")
    }

    fn put_at(&mut self, frame: Frame) {
        self.0 = frame.turn(self.0);
    }
}

/// A torque that acts on a disc all the time about its centre, N m, counter-clockwise. Optional, as [`ConstantForce`]
/// is: its [`AngularVelocity`] about z changes by `torque / moment of inertia` with every second, which is `mass
/// radius² / 2` for a flat disc and `2 / 5` of `mass radius²` for a [`Ball`].
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[reflect(Component, Default, Debug, PartialEq)]
#[require(AngularVelocity)]
#[serde(transparent)]
pub struct ConstantTorque(pub f32);

impl Described for ConstantTorque {
    const DESCRIPTION: Description = Description::new(mark("torque"))
        .in_field("constant_torque")
        .offered(mark("Torque"), mark("A torque that acts on it all the time, N m, counter-clockwise"), " N m")
        .on(FREE, IS_LED);

    fn first(_: EntityRef, _: bool) -> Option<Self> {
        Some(Self::default())
    }

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check("", self.0, [-LIMIT, LIMIT], "set it to a finite number within 1e12 N m")
    }
}

/// By how much more than others a disc feels gravity: 0 not at all, 1 as all others, -1 it rises. Optional. It scales
/// [`MotionSettings::gravity`](crate::motion::MotionSettings::gravity) and every
/// [`motion::gravity`](crate::motion::gravity), in both modes and in every prediction; the disc lies on things, and
/// leaves them, by its own weight.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(transparent)]
pub struct GravityScale(pub f32);

impl Described for GravityScale {
    const DESCRIPTION: Description = Description::new(mark("gravity"))
        .in_field("gravity_scale")
        .offered(
            mark("Gravity"),
            mark("By how much more than others it feels gravity: 0 not at all, below 0 it rises"),
            " ×",
        )
        .on(FREE, IS_LED);

    fn first(_: EntityRef, _: bool) -> Option<Self> {
        Some(Self(0.5))
    }

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check("", self.0, [-LIMIT, LIMIT], "set it to a finite number within 1e12")
    }
}

impl Default for GravityScale {
    fn default() -> Self {
        Self(1.0)
    }
}

/// The drag of one disc, deceleration per speed, 1/s, zero or more: instead of
/// [`MotionSettings::drag`](crate::motion::MotionSettings::drag). Optional.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(transparent)]
pub struct LinearDamping(pub f32);

impl Described for LinearDamping {
    const DESCRIPTION: Description = Description::new(mark("drag"))
        .in_field("linear_damping")
        .offered(
            mark("Drag"),
            mark("Its own drag, 1/s: how much of its speed it loses in a second, to begin with"),
            " 1/s",
        )
        .on(FREE, IS_LED);

    fn first(_: EntityRef, _: bool) -> Option<Self> {
        Some(Self(0.5))
    }

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check("", self.0, [0.0, LIMIT], "set it from 0 to 1e12, in 1/s")
    }
}

/// The constant deceleration that the cloth gives one disc, m/s², zero or more: instead of
/// [`MotionSettings::friction`](crate::motion::MotionSettings::friction). Optional. It stops after `v² / 2a` metres.
/// Friction at what a disc hits is another thing: [`Friction`](super::Friction).
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(transparent)]
pub struct ClothFriction(pub f32);

impl Described for ClothFriction {
    const DESCRIPTION: Description = Description::new(mark("cloth"))
        .in_field("cloth_friction")
        .offered(mark("Cloth"), mark("The deceleration that the cloth gives it alone, m/s²"), " m/s²")
        .on(FREE, IS_LED);

    fn first(entity: EntityRef, _: bool) -> Option<Self> {
        (!entity.contains::<Ball>()).then_some(Self(0.5))
    }

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check("", self.0, [0.0, LIMIT], "set it from 0 to 1e12 m/s²")
    }
}

/// The highest speed of one disc, m/s, zero or more. Optional. Whatever is above it is taken off after all forces of
/// [`MotionSettings`](crate::motion::MotionSettings) have acted, in every substep and in every prediction; what a hit
/// gives beyond it lasts until then.
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
        .on(&[EntityKind::Disc], "it slows discs that move freely; take it off");

    fn first(_: EntityRef, is_terrain: bool) -> Option<Self> {
        (!is_terrain).then_some(Self(10.0))
    }

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check("", self.0, [0.0, LIMIT], "set it from 0 to 1e12 m/s")
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

/// A disc that somebody else's hand moves: a mallet, a paddle, a lift. It is as if its mass were infinite: whatever it
/// meets, and whatever force acts, it goes on straight with its [`Velocity`], or to where a [`MoveTo`] wants it.
///
/// Others bounce off it with the velocity that they have relative to it, `v' = v + (1 + e) ((u - v) · n) n` for its
/// velocity `u`, in both modes at the exact time at which they touch, so no speed lets it pass over a disc. It does not
/// meet terrain, pockets and other kinematic discs. Its [`Mass`] has no meaning, and the energy and the momentum of all
/// are those of the others. What it presses against a wall so that no room is left stays on its side of the wall: the
/// kinematic disc passes over it, and it is out, with the speed that it had, as soon as there is room.
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::prelude::*;
/// fn spawn(mut commands: Commands) {
///     commands.spawn((Disc, Kinematic, Radius(0.07), Position(vec2(0.0, -0.8))));
/// }
///
/// /// The hand wants it there by the end of the next tick.
/// fn lead(mallet: Single<Entity, With<Kinematic>>, mut commands: Commands) {
///     commands.entity(*mallet).insert(MoveTo(vec2(0.1, -0.7)));
/// }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[reflect(Component, Default, Debug, PartialEq)]
pub struct Kinematic;

impl Described for Kinematic {
    const DESCRIPTION: Description = Description::new(mark("kinematic")).in_field("kinematic").on(
        &[EntityKind::Disc, EntityKind::KinematicDisc],
        "it is for discs; terrain is moved by Velocity, MoveTo, TurnTo or Oscillation",
    );
}

/// A disc that has fallen into a [`Pocket`](super::Pocket) has this, and takes no part in any tick until it is
/// removed: then the disc is back, with the [`Position`] and [`Velocity`] that it has.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Component, Debug, PartialEq)]
pub struct InPocket {
    /// The entity of the pocket.
    pub pocket: Entity,
}

/// A disc, a piece of [`Terrain`](super::Terrain) or a [`Pocket`](super::Pocket) with this takes no
/// part in any tick until it is removed. Nothing moves it or collides with it, nothing falls into it, predictions leave
/// it out, and all its components stay as they are. Park discs with it instead of despawning them, open doors, and
/// close pockets.
///
/// A wall that is switched on again over a disc pushes it out, as one that is spawned there does.
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
        mark("It takes no part, as an open door: discs go through it, and it moves nowhere"),
        "",
    );

    fn first(_: EntityRef, is_terrain: bool) -> Option<Self> {
        is_terrain.then_some(Self)
    }
}

/// The filter of a query for the discs that are in play: those that are in no pocket, and not [`Inactive`].
pub type InPlay = (With<Disc>, Without<InPocket>, Without<Inactive>);

/// How a disc that is a ball is turned, and up to where it has rolled. Optional, for looking at: nothing collides by
/// it. [`motion`](crate::motion) turns it as the ball moves, by its [`AngularVelocity`] if it has one.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Default, Debug, PartialEq)]
pub struct Orientation {
    /// From the ball's own frame to the world's; z points up from the cloth.
    pub turn: Quat,
    /// The place up to which the turn counts, metres.
    pub rolled_to: Vec2,
}

/// The identity of a disc or a piece of terrain within its world, and its place in the order of resolution.
///
/// Entity numbers depend on what else an app has spawned and despawned; this number does not, which is what makes two
/// runs of a scene equal bit for bit. Leave it out and the next free number is given; give it to restore a saved state.
/// Of two discs with the same number the one with the lower entity goes first.
///
/// It changes only by inserting another: so the counter knows all numbers, and never gives one that was there before. A
/// clone of an entity gets a number of its own. The number is there when the spawning is done; an observer of the
/// spawning itself still sees [`StableId::NEXT`].
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[reflect(Component, Default, Debug, PartialEq, Hash)]
#[component(immutable, on_insert = give_stable_id, clone_behavior = Custom(ask_for_the_next))]
pub struct StableId(pub u64);

impl Described for StableId {
    const DESCRIPTION: Description = Description::new(mark("number"));
}

impl StableId {
    /// Stands for "the next free number". It stays where none is left: behind `u64::MAX - 1`.
    pub const NEXT: Self = Self(u64::MAX);
}

impl Default for StableId {
    fn default() -> Self {
        Self::NEXT
    }
}

/// The next [`StableId`] that will be given; `u64::MAX` if none is left. Loading a scene sets it back to zero, so that
/// a restart repeats every number.
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
        tracing::error!(
            "{}: no StableId is left, as one of u64::MAX - 1 was given; give lower numbers",
            context.entity
        );
        return;
    }
    world.commands().entity(context.entity).try_insert(id);
}

/// What a clone of an entity gets instead of the number of the first.
fn ask_for_the_next(_: &SourceComponent, context: &mut ComponentCloneCtx) {
    context.write_target_component(StableId::NEXT);
}

/// A disc that moves and collides. Everything it needs comes with it.
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
