//! How new pieces are drawn, and which piece of terrain is chosen.

use bevy::prelude::*;

use super::join::JointForm;

/// How new pieces are drawn.
#[derive(Resource, Reflect, Clone, Debug, PartialEq)]
#[reflect(Resource, Default, Debug, PartialEq)]
pub struct DrawSettings {
    /// Points go to the ends, corners and centres that are near, and else to the grid. Default: on. With Ctrl it is the
    /// other way around.
    pub snap: bool,
    /// The restitution that new terrain carries, 0 to 1. Default: none of its own.
    pub restitution: Option<f32>,
    /// The radius of a bumper that a click draws, metres. Default: 0.5.
    pub bumper: f32,
    /// The width and the height of a block that a click draws, metres. Default: 1 × 1.
    pub block: Vec2,
    /// The kind of joints that are drawn. Default: a rod.
    pub joint: JointForm,
}

impl Default for DrawSettings {
    fn default() -> Self {
        Self { snap: true, restitution: None, bumper: 0.5, block: Vec2::ONE, joint: JointForm::Rod }
    }
}

/// The chosen piece of terrain. Where one is chosen no disc is.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChosenTerrain(pub Option<Entity>);
