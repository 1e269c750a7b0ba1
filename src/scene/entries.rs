//! The entries that are listed in a scene file: discs, pieces of terrain, pockets, tiles, joints.

use std::collections::BTreeMap;

use bevy::prelude::*;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{
    entry_format::{OtherFields, ReadEntry, WriteEntry},
    look::{BallColour, DiscLook, Hex},
    optional::{EntryKind, OptionalComponents},
    ron_value::RonValue,
    whole::read_id,
};
use crate::{
    collision::spin::{Shape, Spin},
    components::{
        Density, Described, EntityKind, Frame, InvalidValue, JointKind, Kinematic, Mass, PeriodicMotion, Terrain,
        ValueRange, check_ranges, is_driven,
    },
    timeline::Playback,
};

/// The rate of simulated time in a scene.
#[derive(Reflect, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[reflect(Default, Debug, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct Pace {
    /// Ticks per simulated second, hertz; 1 to 10 000. Default: 60, or 120 for a scene with a billiard table.
    #[reflect(@ValueRange::new(*Playback::TICK_RATES.start(), *Playback::TICK_RATES.end(), "Hz"))]
    pub tick_rate: f64,
    /// Simulated seconds per real second; 0.01 to 100. Default: 1.
    #[reflect(@ValueRange::new(f64::from(*Playback::TIME_SCALES.start()), f64::from(*Playback::TIME_SCALES.end()), ""))]
    pub time_scale: f32,
    /// Whether it starts paused. Default: no.
    pub paused: bool,
}

impl Default for Pace {
    fn default() -> Self {
        Self { tick_rate: 60.0, time_scale: 1.0, paused: false }
    }
}

impl Pace {
    /// Checks the ranges of all values.
    ///
    /// # Errors
    /// The first field out of range, with the range.
    pub fn check(&self) -> Result<(), InvalidValue> {
        check_ranges(self)
    }
}

/// Implements serde and accessors for an entry with [`OptionalComponents`] beside its fields.
macro_rules! serde_with_optional {
    ($entry:ty, $kind:expr) => {
        impl Serialize for $entry {
            fn serialize<S: Serializer>(&self, inner: S) -> Result<S::Ok, S::Error> {
                let leaves_out_position = self.start_path().is_some();
                Self::serialize(self, WriteEntry { inner, optional: &self.optional, leaves_out_position })
            }
        }

        impl<'de> Deserialize<'de> for $entry {
            fn deserialize<D: Deserializer<'de>>(inner: D) -> Result<Self, D::Error> {
                let mut others = OtherFields::default();
                let entry = Self::deserialize(ReadEntry { inner, kind: $kind, others: &mut others })?;
                let OtherFields { optional, has_position } = others;
                let entry = Self { optional, ..entry };
                Ok(if has_position { entry.placed() } else { entry })
            }
        }

        impl $entry {
            /// The same entry with this optional component, which replaces one of the same type.
            #[must_use]
            pub fn with<C: Described>(mut self, component: C) -> Self {
                self.optional.set(component);
                self
            }

            /// The optional component of this type, if it has one.
            #[must_use]
            pub fn get<C: Described>(&self) -> Option<&C> {
                self.optional.get()
            }

            /// Whether it has an optional component of this type.
            #[must_use]
            pub fn has<C: Described>(&self) -> bool {
                self.get::<C>().is_some()
            }

            /// The same entry, starting at its position even if that is zero and the entry follows a path.
            #[must_use]
            pub fn placed(mut self) -> Self {
                self.is_placed |= self.start_path().is_some();
                self
            }

            /// Where it is at the start, metres: at its position.
            ///
            /// A position of zero counts as left out if the entry follows an [`Orbit`](crate::components::Orbit) or an
            /// [`Oscillation`](crate::components::Oscillation) and is not [`placed`](Self::placed). It then starts on
            /// that path. With a [`MoveTo`](crate::components::MoveTo), which overrides the path, its position counts.
            #[must_use]
            pub fn start(&self) -> Vec2 {
                self.start_path().map_or(self.position, |path| path.place())
            }

            /// The path on which it starts because its position is left out.
            pub(super) fn start_path(&self) -> Option<PeriodicMotion> {
                let path = self.path().filter(|path| path.place().is_finite());
                path.filter(|_| self.position == Vec2::ZERO && !self.is_placed)
            }
        }
    };
}

/// A piece of terrain in a scene file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct TerrainEntry {
    /// Its [`StableId`](crate::components::StableId). Default: the next free number.
    #[serde(default, skip_serializing_if = "is_default", deserialize_with = "read_id")]
    pub id: Option<u64>,
    /// Its shape, in its local frame.
    pub shape: Terrain,
    /// Its origin at the start, metres. Default: the start of its `orbit` or `oscillation`, or else zero. See
    /// [`TerrainEntry::start`].
    #[serde(default)]
    pub position: Vec2,
    /// Whether its position is given although it is zero and the piece follows a path; see [`TerrainEntry::placed`].
    /// Default: no.
    #[serde(skip)]
    pub is_placed: bool,
    /// Its rotation about its origin, radians, counter-clockwise. Default: 0.
    #[serde(default)]
    pub rotation: f32,
    /// Its velocity, m/s. Default: none, so the terrain is static. Zero makes it kinematic, at rest for now.
    #[serde(default, skip_serializing_if = "is_default")]
    pub velocity: Option<Vec2>,
    /// Its angular velocity about its origin, rad/s, counter-clockwise. Default: none.
    #[serde(default, skip_serializing_if = "is_default")]
    pub angular_velocity: Option<f32>,
    /// Its mass, kilograms; above zero. It makes the terrain a block, which discs push and turn. Default: none, so that
    /// only its velocities above move it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub mass: Option<f32>,
    /// Its colour. Default: the colour of its surroundings.
    #[serde(default, skip_serializing_if = "is_default")]
    pub colour: Option<Hex>,
    /// Whether the game draws it itself: it has an [`OwnLook`](super::OwnLook). Default: no.
    #[serde(default, skip_serializing_if = "is_default")]
    pub own_look: bool,
    /// Components of a game by their type paths, such as `"my_game::Health": (5)` or `"Health": (5)`. Register them
    /// with [`SceneAppExt::add_scene_component`](super::SceneAppExt::add_scene_component). Default: none.
    #[serde(default, skip_serializing_if = "is_default")]
    pub components: BTreeMap<String, RonValue>,
    /// Its other components. Each is a field, named as in its [`Description`](crate::components::Description), such as
    /// `friction: 0.3`. Default: none.
    #[serde(skip)]
    pub optional: OptionalComponents,
}

impl TerrainEntry {
    /// A piece with this shape and defaults for everything else.
    #[must_use]
    pub fn new(shape: Terrain) -> Self {
        let components = BTreeMap::new();
        Self {
            id: None,
            shape,
            position: Vec2::ZERO,
            is_placed: false,
            velocity: None,
            angular_velocity: None,
            rotation: 0.0,
            mass: None,
            colour: None,
            own_look: false,
            components,
            optional: OptionalComponents::default(),
        }
    }

    /// The periodic motion that it follows.
    pub(super) fn path(&self) -> Option<PeriodicMotion> {
        self.optional.path()
    }

    /// Whether the game drives it to a target or along a path.
    pub(super) fn is_driven(&self) -> bool {
        is_driven(|component| self.optional.contains(component))
    }

    /// Its kind as an entity.
    pub(super) fn kind(&self) -> EntityKind {
        let moves = self.velocity.is_some() || self.angular_velocity.is_some();
        match (self.is_driven(), self.mass.is_some()) {
            (false, true) => EntityKind::DynamicTerrain,
            (is_driven, _) if is_driven || moves => EntityKind::KinematicTerrain,
            _ => EntityKind::StaticTerrain,
        }
    }
}

/// A tile in a scene file: an axis-aligned rectangle that people drag and resize.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TileEntry {
    /// Its lower left corner, metres.
    pub min: Vec2,
    /// Its upper right corner, metres.
    pub max: Vec2,
}

/// A pocket in a scene file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PocketEntry {
    /// Its [`StableId`](crate::components::StableId). Default: the next free number.
    #[serde(default, skip_serializing_if = "is_default", deserialize_with = "read_id")]
    pub id: Option<u64>,
    /// Its centre, metres.
    pub position: Vec2,
    /// Its radius, metres. A disc whose centre comes closer falls in.
    pub radius: f32,
    /// Components of a game, as in [`TerrainEntry`]. Default: none.
    #[serde(default, skip_serializing_if = "is_default")]
    pub components: BTreeMap<String, RonValue>,
}

impl PocketEntry {
    /// A pocket at this position with this radius (metres), and defaults for everything else.
    #[must_use]
    pub fn new(position: Vec2, radius: f32) -> Self {
        Self { id: None, position, radius, components: BTreeMap::new() }
    }
}

/// A disc in a scene file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", default, deny_unknown_fields)]
pub struct DiscEntry {
    /// Its [`StableId`](crate::components::StableId). Default: the next free number.
    #[serde(skip_serializing_if = "is_default", deserialize_with = "read_id")]
    pub id: Option<u64>,
    /// Its centre at the start, metres. Default: the start of its `orbit` or `oscillation` if it is kinematic, or else
    /// zero. See [`DiscEntry::start`].
    pub position: Vec2,
    /// Whether its position is given although it is zero and the disc follows a path; see [`DiscEntry::placed`].
    /// Default: no.
    #[serde(skip)]
    pub is_placed: bool,
    /// Its velocity, metres per second. Default: zero.
    pub velocity: Vec2,
    /// Its radius, metres; above zero. Default: 0.5.
    pub radius: f32,
    /// Its mass, kilograms; above zero. Default: from its density. Give only one of the two.
    #[serde(skip_serializing_if = "is_default")]
    pub mass: Option<f32>,
    /// Its mass per area, kg/m², if its mass is not given. Default: 1.
    #[serde(skip_serializing_if = "is_default")]
    pub density: Option<f32>,
    /// Whether it is a billiard ball, which rolls and spins if the scene has a table. Default: no.
    #[serde(skip_serializing_if = "is_default")]
    pub ball: bool,
    /// Its angular velocity, rad/s, z up. A disc that is not a ball turns only about z. Default: none, or zero for a
    /// ball.
    #[serde(skip_serializing_if = "is_default")]
    pub angular_velocity: Option<Vec3>,
    /// The pocket that it lies in, counted from 0 in the order of the pockets' ids. Default: none, it is in play.
    #[serde(skip_serializing_if = "is_default")]
    pub pocket: Option<usize>,
    /// The ids of discs and pieces of terrain that it does not collide with. Default: none.
    #[serde(skip_serializing_if = "is_default")]
    pub ignores: Vec<u64>,
    /// Its colour. Default: the colour of its ball, or one by its number in the scene.
    #[serde(skip_serializing_if = "is_default")]
    pub colour: Option<Hex>,
    /// The ball that it is in games that name balls by colour, such as snooker. Default: none.
    #[serde(skip_serializing_if = "is_default")]
    pub ball_colour: Option<BallColour>,
    /// The number written on it. Default: none.
    #[serde(skip_serializing_if = "is_default")]
    pub number: Option<u8>,
    /// Whether it is white with a stripe of its colour. Default: no.
    #[serde(skip_serializing_if = "is_default")]
    pub striped: bool,
    /// Whether its velocity arrow is drawn. Default: no.
    #[serde(skip_serializing_if = "is_default")]
    pub arrow: bool,
    /// A label drawn beside it. Default: none.
    #[serde(skip_serializing_if = "is_default")]
    pub label: Option<String>,
    /// Whether the game draws it itself: it has an [`OwnLook`](super::OwnLook). Default: no.
    #[serde(skip_serializing_if = "is_default")]
    pub own_look: bool,
    /// Whether it is the cue ball, the disc to shoot. There should be one. Default: no.
    #[serde(skip_serializing_if = "is_default")]
    pub cue: bool,
    /// Components of a game by their type paths, such as `"my_game::Health": (5)` or `"Health": (5)`. Register them
    /// with [`SceneAppExt::add_scene_component`](super::SceneAppExt::add_scene_component). Default: none.
    #[serde(skip_serializing_if = "is_default")]
    pub components: BTreeMap<String, RonValue>,
    /// Its other components. Each is a field, named as in its [`Description`](crate::components::Description), such as
    /// `friction: 0.3`. Default: none.
    #[serde(skip)]
    pub optional: OptionalComponents,
}

impl Default for DiscEntry {
    fn default() -> Self {
        Self {
            id: None,
            position: Vec2::ZERO,
            is_placed: false,
            velocity: Vec2::ZERO,
            radius: 0.5,
            mass: None,
            density: None,
            ball: false,
            angular_velocity: None,
            pocket: None,
            ignores: Vec::new(),
            colour: None,
            ball_colour: None,
            number: None,
            striped: false,
            arrow: false,
            label: None,
            own_look: false,
            cue: false,
            components: BTreeMap::new(),
            optional: OptionalComponents::default(),
        }
    }
}

serde_with_optional!(DiscEntry, EntryKind::Disc);
serde_with_optional!(TerrainEntry, EntryKind::Terrain);

impl DiscEntry {
    /// Its kind as an entity.
    pub(super) fn kind(&self) -> EntityKind {
        if self.has::<Kinematic>() { EntityKind::KinematicDisc } else { EntityKind::Disc }
    }

    /// The periodic motion that it follows.
    pub(super) fn path(&self) -> Option<PeriodicMotion> {
        self.optional.path().filter(|_| self.has::<Kinematic>())
    }

    /// Its mass in kilograms, as given, or from its radius and density.
    #[must_use]
    pub fn mass(&self) -> Mass {
        self.mass.map_or_else(|| Mass::of_disc(self.radius, self.density.unwrap_or(Density::default().0)), Mass)
    }

    /// Its spin, if it has one.
    #[must_use]
    pub fn spin(&self) -> Option<Spin> {
        let shape = if self.ball { Shape::Ball } else { Shape::Flat };
        let angular_velocity = self.angular_velocity.or(self.ball.then_some(Vec3::ZERO))?;
        Some(Spin { angular_velocity, shape })
    }

    /// How it is drawn.
    #[must_use]
    pub fn look(&self) -> DiscLook {
        DiscLook {
            colour: self.colour.map(Color::from),
            ball_colour: self.ball_colour,
            number: self.number,
            striped: self.striped,
            arrow: self.arrow,
            label: self.label.clone(),
        }
    }
}

pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// A joint in a scene file, such as `(ends: (Disc(0), Point(0, 2)), kind: Rod(length: 1.5))`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JointEntry {
    /// The two ends that it connects.
    pub ends: [JointEndEntry; 2],
    /// The kind of joint.
    pub kind: JointKind,
    /// Whether it is unhitched and takes no part in ticks; see [`Inactive`](crate::components::Inactive). Default: no.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub inactive: bool,
}

/// An end of a joint in a scene file.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum JointEndEntry {
    /// The disc with this id. Discs without ids in the file are numbered after those that have one, terrain first: see
    /// [`DiscEntry::id`](crate::scene::entries::DiscEntry::id).
    Disc(u64),
    /// A fixed point, metres.
    Point(Vec2),
}

impl JointEntry {
    /// Transforms it from the frame of its scene to the world.
    pub(super) fn put_at(&mut self, frame: Frame) {
        for end in &mut self.ends {
            if let JointEndEntry::Point(point) = end {
                *point = frame.place(*point);
            }
        }
    }

    /// Changes the ids of the discs at its ends.
    pub(super) fn renumber(&mut self, new: impl Fn(u64) -> u64) {
        for end in &mut self.ends {
            if let JointEndEntry::Disc(id) = end {
                *id = new(*id);
            }
        }
    }
}
