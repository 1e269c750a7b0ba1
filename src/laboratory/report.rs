//! What measurements need the space to report.

use bevy::prelude::*;

use crate::collision::PhysicsSpace;

/// Makes the space report every hit of the tick, however slow. Messages still follow the settings.
pub(super) fn report_all_hits(mut space: ResMut<PhysicsSpace>) {
    space.laws.settings.report_above = 0.0;
}
