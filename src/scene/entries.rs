//! What stands in a scene file one by one: discs, pieces of terrain, pockets, tiles, joints.

use std::collections::BTreeMap;

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::{
    look::{BallColour, DiscLook, Hex},
    ron_value::RonValue,
};
use crate::components::Rotation;
use crate::{
    collision::{
        CombineRule,
        spin::{Shape, Spin},
    },
    components::{CollisionLayers, Density, JointKind, LockedAxes, Mass, OneWay, Oscillation, Terrain},
};

/// How time runs in a scene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Pace {
    /// Ticks per simulated second, in hertz; 1 to 10 000. Default: 60; 120 for a scene with a billiard table.
    pub tick_rate: f64,
    /// Simulated seconds per real second; 0.01 to 100. Default: 1.
    pub time_scale: f32,
    /// Whether it starts paused. Default: no.
    pub paused: bool,
}

impl Default for Pace {
    fn default() -> Self {
        Self { tick_rate: 60.0, time_scale: 1.0, paused: false }
    }
}

/// A piece of terrain in a scene file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TerrainEntry {
    /// Its [`StableId`](crate::components::StableId). Default: the next free number.
    #[serde(default, skip_serializing_if = "is_default")]
    pub id: Option<u64>,
    /// Its shape, in its own frame.
    pub shape: Terrain,
    /// Its origin, metres. Default: zero.
    #[serde(default)]
    pub position: Vec2,
    /// The angle by which it is turned about its origin, radians, counter-clockwise. Default: 0.
    #[serde(default)]
    pub rotation: f32,
    /// How fast it moves, m/s. Default: none, and it stands; zero makes it terrain that may move, and stands for now.
    #[serde(default, skip_serializing_if = "is_default")]
    pub velocity: Option<Vec2>,
    /// How fast it turns about its origin, rad/s, counter-clockwise. Default: none.
    #[serde(default, skip_serializing_if = "is_default")]
    pub angular_velocity: Option<f32>,
    /// Where its origin is where the first tick ends and from then on, metres. Default: nowhere else.
    #[serde(default, skip_serializing_if = "is_default")]
    pub move_to: Option<Vec2>,
    /// The angle by which it is turned where the first tick ends and from then on, radians. Default: the same.
    #[serde(default, skip_serializing_if = "is_default")]
    pub turn_to: Option<f32>,
    /// How it swings to and fro, if it does; then it begins where that says, whatever its position. Default: it does
    /// not.
    #[serde(default, skip_serializing_if = "is_default")]
    pub oscillation: Option<Oscillation>,
    /// Its mass, kilograms, above zero: it is a block that discs push and turn. Default: none, and nothing moves it but
    /// what is said above.
    #[serde(default, skip_serializing_if = "is_default")]
    pub mass: Option<f32>,
    /// The moment of inertia of a block about its centre of mass, kg m², above zero. Default: that of its shape, see
    /// [`MassProperties`](crate::components::MassProperties).
    #[serde(default, skip_serializing_if = "is_default")]
    pub moment_of_inertia: Option<f32>,
    /// What of a block is held: `(translation: true)` pins it at its position, `(rotation: true)` lets it not turn.
    /// Default: nothing.
    #[serde(default, skip_serializing_if = "is_default")]
    pub locked_axes: LockedAxes,
    /// Its own coefficient of restitution, 0 to 1. Default: none, the scene's.
    #[serde(default, skip_serializing_if = "is_default")]
    pub restitution: Option<f32>,
    /// The layers that it is in and those that it meets, as `(memberships: 1, filters: 6)`, a bit a layer. Default:
    /// all.
    #[serde(default, skip_serializing_if = "is_default")]
    pub layers: CollisionLayers,
    /// How its restitution and that of a disc become one: `Smallest`, `Largest`, `Product` or `Mean`. Default: as the
    /// scene says.
    #[serde(default, skip_serializing_if = "is_default")]
    pub restitution_rule: Option<CombineRule>,
    /// By how much more than others a block feels gravity. Default: 1, as all others.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub gravity_scale: f32,
    /// The drag of a block of its own, 1/s. Default: none, the scene's.
    #[serde(default, skip_serializing_if = "is_default")]
    pub linear_damping: Option<f32>,
    /// The deceleration that the cloth gives a block, m/s². Default: none, the scene's.
    #[serde(default, skip_serializing_if = "is_default")]
    pub cloth_friction: Option<f32>,
    /// A force that acts on a block all the time at its centre of mass, newtons. Default: zero.
    #[serde(default, skip_serializing_if = "is_default")]
    pub constant_force: Vec2,
    /// A torque that acts on a block all the time, N m, counter-clockwise. Default: 0.
    #[serde(default, skip_serializing_if = "is_default")]
    pub constant_torque: f32,
    /// Its coefficient of friction, zero or more. Default: none, it is smooth; 0.5 where its surface moves.
    #[serde(default, skip_serializing_if = "is_default")]
    pub friction: Option<f32>,
    /// How fast its surface moves along itself, in its own frame, m/s: it is a conveyor. Default: zero.
    #[serde(default, skip_serializing_if = "is_default")]
    pub surface_velocity: Vec2,
    /// How much faster than by their restitution discs part from it, m/s: it is a bumper that kicks. Default: 0.
    #[serde(default, skip_serializing_if = "is_default")]
    pub kick: f32,
    /// Which way discs pass its walls: `Left` or `Right` of each, from its first point to its second, or `Toward(x, y)`
    /// in its own frame. Default: none, they pass no way.
    #[serde(default, skip_serializing_if = "is_default")]
    pub one_way: Option<OneWay>,
    /// Whether it tells which discs are in it and answers to nothing; see [`Sensor`](crate::components::Sensor).
    /// Default: no.
    #[serde(default, skip_serializing_if = "is_default")]
    pub sensor: bool,
    /// Whether it takes no part in any tick, as an open door; see [`Inactive`](crate::components::Inactive). Default:
    /// no.
    #[serde(default, skip_serializing_if = "is_default")]
    pub inactive: bool,
    /// Its colour. Default: the one of its surroundings.
    #[serde(default, skip_serializing_if = "is_default")]
    pub colour: Option<Hex>,
    /// Components of a game, by their type paths, such as `"my_game::Health": (5)` or `"Health": (5)`: those that are
    /// registered with [`SceneApp::add_scene_component`](super::SceneApp::add_scene_component). Default: none.
    #[serde(default, skip_serializing_if = "is_default")]
    pub components: BTreeMap<String, RonValue>,
}

impl TerrainEntry {
    /// A piece with everything but its shape left at the default.
    #[must_use]
    pub fn new(shape: Terrain) -> Self {
        let components = BTreeMap::new();
        Self {
            id: None,
            shape,
            position: Vec2::ZERO,
            velocity: None,
            angular_velocity: None,
            move_to: None,
            turn_to: None,
            oscillation: None,
            rotation: 0.0,
            mass: None,
            moment_of_inertia: None,
            locked_axes: LockedAxes::default(),
            restitution: None,
            layers: CollisionLayers::ALL,
            restitution_rule: None,
            gravity_scale: 1.0,
            linear_damping: None,
            cloth_friction: None,
            constant_force: Vec2::ZERO,
            constant_torque: 0.0,
            friction: None,
            surface_velocity: Vec2::ZERO,
            kick: 0.0,
            one_way: None,
            sensor: false,
            inactive: false,
            colour: None,
            components,
        }
    }
}

/// A tile in a scene file: an upright rectangle, which people drag and resize.
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
    #[serde(default, skip_serializing_if = "is_default")]
    pub id: Option<u64>,
    /// Its centre, metres.
    pub position: Vec2,
    /// Its radius, metres: a disc whose centre is nearer falls.
    pub radius: f32,
    /// Components of a game, as those of [`TerrainEntry`]. Default: none.
    #[serde(default, skip_serializing_if = "is_default")]
    pub components: BTreeMap<String, RonValue>,
}

impl PocketEntry {
    /// A pocket with everything but its place and radius (metres) left at the default.
    #[must_use]
    pub fn new(position: Vec2, radius: f32) -> Self {
        Self { id: None, position, radius, components: BTreeMap::new() }
    }
}

/// A disc in a scene file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DiscEntry {
    /// Its [`StableId`](crate::components::StableId). Default: the next free number.
    #[serde(skip_serializing_if = "is_default")]
    pub id: Option<u64>,
    /// Its centre, metres. Default: zero.
    pub position: Vec2,
    /// Its velocity, metres per second. Default: zero.
    pub velocity: Vec2,
    /// Its radius, metres; above zero. Default: 0.5.
    pub radius: f32,
    /// Its mass, kilograms; above zero. Default: from its density, and only one of them may be given.
    #[serde(skip_serializing_if = "is_default")]
    pub mass: Option<f32>,
    /// Its mass per area, kg/m², where it has no mass of its own. Default: 1.
    #[serde(skip_serializing_if = "is_default")]
    pub density: Option<f32>,
    /// Its own coefficient of restitution, 0 to 1. Default: none, the scene's.
    #[serde(skip_serializing_if = "is_default")]
    pub restitution: Option<f32>,
    /// Whether it is a billiard ball: it rolls and spins where the scene has a table. Default: no.
    #[serde(skip_serializing_if = "is_default")]
    pub ball: bool,
    /// Its angular velocity, rad/s, z up; a disc that is no ball turns about z alone. Default: none; zero for a ball.
    #[serde(skip_serializing_if = "is_default")]
    pub angular_velocity: Option<Vec3>,
    /// Whether somebody else's hand moves it: it is [`Kinematic`](crate::components::Kinematic), and its mass has no
    /// meaning. Default: no.
    #[serde(skip_serializing_if = "is_default")]
    pub kinematic: bool,
    /// Where a kinematic disc is where the first tick ends, and stays, metres. Default: none, it goes on with its
    /// velocity.
    #[serde(skip_serializing_if = "is_default")]
    pub move_to: Option<Vec2>,
    /// The pocket that it lies in, counted from 0 in the order of the pockets' ids. Default: none, it is in play.
    #[serde(skip_serializing_if = "is_default")]
    pub pocket: Option<usize>,
    /// The layers that it is in and those that it meets, as `(memberships: 1, filters: 6)`, a bit a layer. Default:
    /// all.
    #[serde(skip_serializing_if = "is_default")]
    pub layers: CollisionLayers,
    /// The discs and pieces of terrain that it does not meet, by their ids. Default: none.
    #[serde(skip_serializing_if = "is_default")]
    pub ignores: Vec<u64>,
    /// How its restitution and that of what it hits become one: `Smallest`, `Largest`, `Product` or `Mean`. Default: as
    /// the scene says.
    #[serde(skip_serializing_if = "is_default")]
    pub restitution_rule: Option<CombineRule>,
    /// Its coefficient of friction, zero or more, with what it hits. Default: none, it is smooth.
    #[serde(skip_serializing_if = "is_default")]
    pub friction: Option<f32>,
    /// By how much more than others it feels gravity. Default: 1, as all others.
    #[serde(skip_serializing_if = "is_one")]
    pub gravity_scale: f32,
    /// Its own drag, 1/s. Default: none, the scene's.
    #[serde(skip_serializing_if = "is_default")]
    pub linear_damping: Option<f32>,
    /// The deceleration that the cloth gives it, m/s². Default: none, the scene's.
    #[serde(skip_serializing_if = "is_default")]
    pub cloth_friction: Option<f32>,
    /// A force that acts on it all the time, newtons. Default: zero.
    #[serde(skip_serializing_if = "is_default")]
    pub constant_force: Vec2,
    /// A torque that acts on it all the time, N m, counter-clockwise. Default: 0.
    #[serde(skip_serializing_if = "is_default")]
    pub constant_torque: f32,
    /// How much faster than by their restitution those that hit it part from it, m/s. Default: 0.
    #[serde(skip_serializing_if = "is_default")]
    pub kick: f32,
    /// Whether it tells which discs are in it and answers to nothing; see [`Sensor`](crate::components::Sensor).
    /// Default: no.
    #[serde(skip_serializing_if = "is_default")]
    pub sensor: bool,
    /// Whether it takes no part in any tick: it is parked; see [`Inactive`](crate::components::Inactive). Default: no.
    #[serde(skip_serializing_if = "is_default")]
    pub inactive: bool,
    /// Its colour. Default: that of the ball that it is, or one by its number in the scene.
    #[serde(skip_serializing_if = "is_default")]
    pub colour: Option<Hex>,
    /// The ball that it is, where that goes by its colour, as in snooker. Default: none.
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
    /// A word written beside it. Default: none.
    #[serde(skip_serializing_if = "is_default")]
    pub label: Option<String>,
    /// Whether it is the one that is shot, of which there should be one. Default: no.
    #[serde(skip_serializing_if = "is_default")]
    pub cue: bool,
    /// Components of a game, by their type paths, such as `"my_game::Health": (5)` or `"Health": (5)`: those that are
    /// registered with [`SceneApp::add_scene_component`](super::SceneApp::add_scene_component). Default: none.
    #[serde(skip_serializing_if = "is_default")]
    pub components: BTreeMap<String, RonValue>,
}

impl Default for DiscEntry {
    fn default() -> Self {
        Self {
            id: None,
            position: Vec2::ZERO,
            velocity: Vec2::ZERO,
            radius: 0.5,
            mass: None,
            density: None,
            restitution: None,
            ball: false,
            angular_velocity: None,
            kinematic: false,
            move_to: None,
            pocket: None,
            layers: CollisionLayers::ALL,
            ignores: Vec::new(),
            restitution_rule: None,
            friction: None,
            gravity_scale: 1.0,
            linear_damping: None,
            cloth_friction: None,
            constant_force: Vec2::ZERO,
            constant_torque: 0.0,
            kick: 0.0,
            sensor: false,
            inactive: false,
            colour: None,
            ball_colour: None,
            number: None,
            striped: false,
            arrow: false,
            label: None,
            cue: false,
            components: BTreeMap::new(),
        }
    }
}

impl DiscEntry {
    /// Its mass in kilograms: its own, or that of a disc of its radius and density.
    #[must_use]
    pub fn mass(&self) -> Mass {
        self.mass.map_or_else(|| Mass::of_disc(self.radius, self.density.unwrap_or(Density::default().0)), Mass)
    }

    /// How it spins, if it does.
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
            colour: self.colour,
            ball_colour: self.ball_colour,
            number: self.number,
            striped: self.striped,
            arrow: self.arrow,
            label: self.label.clone(),
        }
    }
}

fn one() -> f32 {
    1.0
}

/// Whether a scale is that of all.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_one(scale: &f32) -> bool {
    *scale == 1.0
}

pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// A joint in a scene file, such as `(ends: (Disc(0), Point(0, 2)), kind: Rod(length: 1.5))`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JointEntry {
    /// What it holds.
    pub ends: [JointEndEntry; 2],
    /// How it holds them.
    pub kind: JointKind,
    /// Whether it takes no part in any tick: it is unhitched; see [`Inactive`](crate::components::Inactive). Default:
    /// no.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub inactive: bool,
}

/// What a joint in a scene file holds at one of its ends.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum JointEndEntry {
    /// The disc of this id. Discs that have no ids in the file are numbered after all that have, terrain first: see
    /// [`DiscEntry::id`](crate::scene::entries::DiscEntry::id).
    Disc(u64),
    /// A point that stands, metres.
    Point(Vec2),
}

impl JointEntry {
    /// Brings it from the frame of its scene into the world's.
    pub(super) fn put_at(&mut self, offset: Vec2, rotation: Rotation) {
        for end in &mut self.ends {
            if let JointEndEntry::Point(point) = end {
                *point = rotation.turn(*point) + offset;
            }
        }
    }

    /// Gives the discs at its ends other ids.
    pub(super) fn renumber(&mut self, new: impl Fn(u64) -> u64) {
        for end in &mut self.ends {
            if let JointEndEntry::Disc(id) = end {
                *id = new(*id);
            }
        }
    }
}
