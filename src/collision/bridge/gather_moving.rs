//! Gathers moving terrain: components → pieces in their own frames. A shape is rebuilt only if it has changed.

use std::sync::Arc;

use bevy::{ecs::system::SystemParamItem, prelude::*};

use super::gather::{Gather, GatherRare, ValueLog};
use crate::{
    collision::{
        moving::{BlockBody, Drive, MovingPiece, MovingTerrain, PieceShape, Pose},
        space::PhysicsSpace,
        validation::{check_restitution, check_terrain, ignored::Values},
    },
    components::{
        AngularVelocity, BlockComponents, BlockMotionComponents, Described, Driven, Inactive, InvalidValue, Mass,
        MoveTo, Orbit, Oscillation, PeriodicMotion, Position, Restitution, Rotation, StableId, Terrain, TurnTo,
        Velocity, check_component,
    },
};

/// The components of a piece.
type MovingItem<'a> = (
    (Entity, &'a StableId, Ref<'a, Terrain>, &'a Position, &'a Rotation, Option<&'a Restitution>),
    DriveItem<'a>,
    (BlockComponents<'a>, BlockMotionComponents<'a>),
);

/// Active terrain that moves or may move: it has a component that controls its motion.
pub type Moves = (Or<(With<Velocity>, With<AngularVelocity>, Driven, With<Mass>)>, Without<Inactive>);

/// Adds missing velocity components to blocks, as the tick writes its results there.
pub fn complete_blocks(
    incomplete: Query<Entity, (With<Terrain>, With<Mass>, Or<(Without<Velocity>, Without<AngularVelocity>)>)>,
    mut commands: Commands,
) {
    for entity in &incomplete {
        commands.entity(entity).insert_if_new((Velocity::default(), AngularVelocity::default()));
    }
}

impl Gather for MovingTerrain {
    type Components = Query<'static, 'static, MovingItem<'static>, Moves>;

    fn gather(pieces: &SystemParamItem<Self::Components>, space: &mut PhysicsSpace, log: &mut ValueLog) {
        let mut known = std::mem::take(&mut space.moving.pieces);
        known.retain(|piece| !piece.is_image);
        space.moving.pieces = collect_moving(pieces, &known, log);
    }
}

impl GatherRare for MovingTerrain {
    type Has = (With<Terrain>, Moves);

    fn is_in(space: &PhysicsSpace) -> bool {
        !space.moving.is_empty()
    }
}

/// Collects the pieces in order and reuses known shapes.
fn collect_moving(
    pieces: &Query<MovingItem<'static>, Moves>,
    known: &[MovingPiece],
    log: &mut ValueLog,
) -> Vec<MovingPiece> {
    let mut found: Vec<MovingPiece> = Vec::new();
    for ((entity, &id, terrain, &position, &rotation, restitution), drive, block) in pieces {
        let (checked_drive, mut values) = (check_drive(&drive), Values::default());
        let mut drive = drive_of(drive);
        let checked = check_terrain(&terrain, position, rotation)
            .and(checked_drive)
            .and_then(|()| {
                if drive.has_target() { Ok(None) } else { BlockBody::of(&terrain, block.0, block.1, &mut values) }
            })
            .and_then(|body| check_restitution(restitution).map(|restitution| (restitution, body)));
        log.judge(entity, &checked);
        let Ok((restitution, body)) = checked else { continue };
        log.note(entity, values.ignored);
        let key = (id, entity);
        let before = known.binary_search_by_key(&key, |piece| piece.key).ok().map(|at| &known[at]);
        let centre = |body: Option<BlockBody>| body.map(|body| body.centre);
        let shape = match before {
            Some(piece) if !terrain.is_changed() && centre(piece.body) == centre(body) => piece.shape.clone(),
            _ => {
                let centred = body.map(|body| body.centred(&terrain));
                Arc::new(PieceShape::of(centred.as_ref().unwrap_or(&terrain), entity))
            }
        };
        if let Some(body) = body {
            (drive.velocity, drive.spin) = body.held(drive.velocity, drive.spin);
        }
        let pose = Pose { position: position.0, rotation: rotation.0 };
        found.push(MovingPiece::new(key, shape, restitution, pose, drive, body));
    }
    found.sort_unstable_by_key(|piece| piece.key);
    found
}

type DriveItem<'a> = (
    Option<&'a Velocity>,
    Option<&'a AngularVelocity>,
    Option<&'a MoveTo>,
    Option<&'a TurnTo>,
    Option<&'a Oscillation>,
    Option<&'a Orbit>,
);

fn drive_of((velocity, angular_velocity, move_to, turn_to, oscillation, orbit): DriveItem) -> Drive {
    Drive {
        velocity: velocity.map_or(Vec2::ZERO, |velocity| velocity.0),
        spin: angular_velocity.map_or(0.0, |angular_velocity| angular_velocity.z),
        move_to: move_to.map(|target| target.0),
        turn_to: turn_to.map(|target| target.0),
        periodic: PeriodicMotion::of(oscillation, orbit),
    }
}

fn check_drive(
    (velocity, angular_velocity, move_to, turn_to, oscillation, orbit): &DriveItem,
) -> Result<(), InvalidValue> {
    fn check<C: Described>(component: Option<&C>) -> Result<(), InvalidValue> {
        component.map_or(Ok(()), check_component)
    }
    check(*velocity)?;
    check_component(&AngularVelocity(Vec3::Z * angular_velocity.map_or(0.0, |spin| spin.z)))?;
    check(*move_to)?;
    check(*turn_to)?;
    check(*oscillation)?;
    check(*orbit)
}
