//! What measurements need the space to report.

use bevy::prelude::*;

use crate::collision::{PhysicsSchedule, PhysicsSpace, TickSystems};

/// The systems that make the space report all hits; their order does not matter.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct ReportAllHits;

/// While this condition holds, the space reports every hit of the tick, however slow. Messages still follow
/// [`report_above`](crate::collision::CollisionSettings::report_above).
pub(super) fn report_all_hits_if<M>(app: &mut App, condition: impl SystemCondition<M>) {
    let system = report_all_hits.after(TickSystems::Gather).before(TickSystems::BroadPhase);
    app.add_systems(PhysicsSchedule, system.in_set(ReportAllHits).ambiguous_with(ReportAllHits).run_if(condition));
}

fn report_all_hits(mut space: ResMut<PhysicsSpace>) {
    space.laws.settings.report_above = 0.0;
}
