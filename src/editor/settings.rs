//! How new pieces are drawn, and which piece of terrain is chosen.

use bevy::prelude::*;

use serde::{Deserialize, Serialize};

use crate::{components::JointKind, notice::mark};

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

/// A kind of [`Joint`](crate::components::Joint) without its values.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum JointForm {
    /// A [`JointKind::Rod`].
    #[default]
    Rod,
    /// A [`JointKind::Rope`].
    Rope,
    /// A [`JointKind::Spring`].
    Spring,
}

impl JointForm {
    /// All of them, each with its name.
    pub const ALL: [(Self, &str); 3] =
        [(Self::Rod, mark("Rod")), (Self::Rope, mark("Rope")), (Self::Spring, mark("Spring"))];

    /// The stiffness of a new spring, N/m.
    const STIFFNESS: f32 = 100.0;

    /// The form of a joint.
    #[must_use]
    pub fn of(kind: &JointKind) -> Self {
        match kind {
            JointKind::Rod { .. } => Self::Rod,
            JointKind::Rope { .. } => Self::Rope,
            JointKind::Spring { .. } => Self::Spring,
        }
    }

    /// A joint of this form and length (metres): a spring of 100 N/m without damping, a rope without restitution.
    #[must_use]
    pub fn with_length(self, length: f32) -> JointKind {
        match self {
            Self::Rod => JointKind::Rod { length },
            Self::Rope => JointKind::Rope { length, restitution: 0.0 },
            Self::Spring => JointKind::Spring { length, stiffness: Self::STIFFNESS, damping: 0.0 },
        }
    }
}
