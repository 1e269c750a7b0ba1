//! The settings of drawing, and the selected terrain.

use bevy::prelude::*;

use serde::{Deserialize, Serialize};

use crate::{components::JointKind, notice::mark};

/// The settings of drawing.
#[derive(Resource, Reflect, Clone, Debug, PartialEq)]
#[reflect(Resource, Default, Debug, PartialEq)]
pub struct DrawSettings {
    /// Whether points snap to nearby ends, corners and centres, or else to the grid. Ctrl inverts it. Default: on.
    pub snap: bool,
    /// The restitution of new terrain, 0 to 1. Default: `None`, without the component.
    pub restitution: Option<f32>,
    /// The radius of a bumper drawn with a click, metres. Default: 0.5.
    pub bumper: f32,
    /// The width and the height of a block drawn with a click, metres. Default: 1 × 1.
    pub block: Vec2,
    /// The kind of new joints. Default: a rod.
    pub joint: JointForm,
}

impl Default for DrawSettings {
    fn default() -> Self {
        Self { snap: true, restitution: None, bumper: 0.5, block: Vec2::ONE, joint: JointForm::Rod }
    }
}

/// The selected piece of terrain. While one is selected, no disc is.
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
    /// All kinds, with their names.
    pub const ALL: [(Self, &str); 3] =
        [(Self::Rod, mark("Rod")), (Self::Rope, mark("Rope")), (Self::Spring, mark("Spring"))];

    /// The stiffness of a new spring, N/m.
    const STIFFNESS: f32 = 100.0;

    /// The kind of a joint.
    #[must_use]
    pub fn of(kind: &JointKind) -> Self {
        match kind {
            JointKind::Rod { .. } => Self::Rod,
            JointKind::Rope { .. } => Self::Rope,
            JointKind::Spring { .. } => Self::Spring,
        }
    }

    /// A joint of this kind and length (metres). A spring has 100 N/m and no damping, a rope has no restitution.
    #[must_use]
    pub fn with_length(self, length: f32) -> JointKind {
        match self {
            Self::Rod => JointKind::Rod { length },
            Self::Rope => JointKind::Rope { length, restitution: 0.0 },
            Self::Spring => JointKind::Spring { length, stiffness: Self::STIFFNESS, damping: 0.0 },
        }
    }
}
