//! Returns a potted cue ball to the table once everything is at rest, so that play can continue.

use bevy::prelude::*;
use tr::tr;

use super::{
    ControlSystems, PointerPlugin,
    actions::{Control, KeyMap},
};
use crate::{
    collision::PhysicsSpace,
    components::{AngularVelocity, InPlay, InPocket, Kinematic, OffTable, Position, Radius, Velocity},
    notice::Notices,
    scene::{CueBall, OwnRespot, SceneStart},
    view,
};

/// Returns a potted cue ball once everything is at rest.
pub struct RespotPlugin;

impl Plugin for RespotPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(PointerPlugin);
        app.add_systems(PreUpdate, respot.in_set(ControlSystems::Aim));
    }
}

type Fallen = (With<CueBall>, Or<(With<InPocket>, With<OffTable>)>, Without<OwnRespot>);

/// Puts a cue ball that was potted, or that left the table, at its place at the start of the scene, or at the nearest
/// free place.
fn respot(
    mut commands: Commands,
    mut fallen: Query<(Entity, &mut Position, &Radius, Option<&view::scene::fallen::Fallen>), Fallen>,
    others: Query<(&Position, &Radius), InPlay>,
    moving: Query<(&Velocity, Option<&AngularVelocity>), (InPlay, Without<Kinematic>)>,
    (start, space): (Option<Res<SceneStart>>, Res<PhysicsSpace>),
    (map, mut notices): (Res<KeyMap>, Option<ResMut<Notices>>),
) {
    if fallen.is_empty() || !space.report.fallen.is_empty() || space.any_moves() {
        return;
    }
    // What has been pushed since the last tick.
    if moving.iter().any(|(velocity, spin)| velocity.0 != Vec2::ZERO || spin.is_some_and(|spin| spin.0 != Vec3::ZERO)) {
        return;
    }
    let start = start.and_then(|start| start.cue_ball);
    for (entity, mut position, radius, seen) in &mut fallen {
        // First its fall is shown.
        if seen.is_some_and(|seen| seen.is_on_its_way(&space)) {
            continue;
        }
        let is_free =
            |place: Vec2| others.iter().all(|(other, other_radius)| other.distance(place) >= radius.0 + other_radius.0);
        position.0 = free_place(start.unwrap_or_default(), radius.0, is_free);
        commands.entity(entity).remove::<(InPocket, OffTable)>().insert(Velocity::default());
        if let Some(notices) = &mut notices {
            notices.info(match map.short(Control::Hold) {
                Some(drag) => tr!("The cue ball is back on the table. Drag it with {} to move it.", drag),
                None => tr!("The cue ball is back on the table."),
            });
        }
    }
}

/// The nearest free place to `wanted`, out of places a quarter of a radius apart on either side.
fn free_place(wanted: Vec2, radius: f32, is_free: impl Fn(Vec2) -> bool) -> Vec2 {
    let aside = |k: i32| wanted + Vec2::Y * (radius * 0.25 * k as f32);
    (0..400)
        .map(|k| aside(if k % 2 == 0 { k / 2 } else { -(k + 1) / 2 }))
        .find(|&place| is_free(place))
        .unwrap_or(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_lies_as_near_as_there_is_room() {
        assert_eq!(free_place(Vec2::X, 0.1, |_| true), Vec2::X);
        let place = free_place(Vec2::X, 0.1, |place| place.distance(Vec2::X) >= 0.2);
        assert!((place.distance(Vec2::X) - 0.2).abs() < 1e-6, "{place}");
    }
}
