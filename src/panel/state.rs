//! The panel's saved state: its width, its text size, whether it is shown, and which sections are open.

use std::collections::BTreeMap;

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

/// The narrowest and the widest panel, points.
pub(super) const WIDTHS: std::ops::RangeInclusive<f32> = 300.0..=560.0;

/// The width that a narrow window keeps free beside a requested panel, points.
pub(super) const LEAST_BESIDE: f32 = 24.0;

/// The smallest window that has room for the narrowest panel, points.
pub(super) const LEAST_WINDOW: f32 = *WIDTHS.start() + LEAST_BESIDE;

/// The panel's saved state.
#[derive(Resource, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PanelState {
    /// Its width, logical pixels. Default: 360.
    pub width: f32,
    /// Whether it is shown. Default: yes.
    pub shown: bool,
    /// The scale of the panel and all text. Default: 1.
    pub text_size: f32,
    /// The sections that the person has opened (true) or closed (false). The others follow the scene.
    pub open: BTreeMap<String, bool>,
}

impl Default for PanelState {
    fn default() -> Self {
        Self { width: 360.0, shown: true, text_size: 1.0, open: BTreeMap::new() }
    }
}

/// Changes the state, and marks it as changed only if it differs.
pub(super) fn change(world: &mut World, change: impl FnOnce(&mut PanelState)) {
    let mut state = world.resource::<PanelState>().clone();
    change(&mut state);
    world.resource_mut::<PanelState>().set_if_neq(state);
}
