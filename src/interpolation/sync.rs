//! Synchronizes [`Transform`]s with the physics.

use bevy::{
    ecs::{query::QueryData, system::SystemParam},
    math::{Affine3A, Vec3Swizzles},
    prelude::*,
};

use super::{drawn::Drawn, overstep::Overstep};
use crate::{
    collision::PhysicsSpace,
    components::{
        AngularVelocity, Disc, InPocket, Inactive, OffTable, Orientation, Position, Radius, Rotation, StableId,
    },
    motion::{rolled, turned},
};

/// Leaves the [`Transform`] of a disc, a piece of terrain or a pocket to the game. The transform then does not follow
/// the [`Position`](crate::components::Position).
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::prelude::*;
/// fn spawn(mut commands: Commands) {
///     // A ghost that stays where it was spawned while its disc moves away.
///     commands.spawn((Disc, Velocity(Vec2::X), Transform::from_xyz(1.0, 0.0, 0.0), NoTransformSync));
/// }
/// # bevy::ecs::system::assert_is_system(spawn);
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Default, Debug, PartialEq)]
pub struct NoTransformSync;

/// The discs with a [`Transform`] that have no [`Drawn`] yet.
type NotDrawn = (With<Disc>, With<Transform>, Without<Drawn>, Without<NoTransformSync>);

/// Adds a [`Drawn`] to every disc whose transform follows.
pub(super) fn give_drawn(discs: Query<Entity, NotDrawn>, mut commands: Commands) {
    for disc in &discs {
        commands.entity(disc).try_insert(Drawn::default());
    }
}

/// The data of an entity whose transform follows.
#[derive(QueryData)]
pub(super) struct Followed {
    entity: Entity,
    id: Option<&'static StableId>,
    position: &'static Position,
    rotation: Option<&'static Rotation>,
    drawn: Option<&'static Drawn>,
    ball: Option<(&'static Orientation, &'static Radius)>,
    spin: Option<&'static AngularVelocity>,
    is_inactive: Has<Inactive>,
    is_in_pocket: Has<InPocket>,
    is_off_table: Has<OffTable>,
}

/// The rotation of an entity in the world.
enum Turn {
    /// The game sets it.
    Own,
    /// By this angle, radians.
    By(f32),
    /// The orientation of a ball.
    To(Quat),
}

/// The moment that a frame shows, and the physics to look it up.
#[derive(SystemParam)]
pub(super) struct ShownMoment<'w> {
    overstep: Overstep<'w>,
    space: Res<'w, PhysicsSpace>,
}

impl ShownMoment<'_> {
    /// The position of an entity in the frame, metres, and its rotation.
    fn pose(&self, it: &FollowedItem) -> (Vec2, Turn) {
        let share = self.overstep.share();
        let turn = it.rotation.map_or(Turn::Own, |rotation| Turn::By(rotation.0));
        let Some(drawn) = it.drawn else {
            let moving = it.id.zip(it.rotation).and_then(|(&id, &rotation)| {
                self.space.terrain_between_ticks((id, it.entity), (*it.position, rotation), share)
            });
            return moving.map_or((it.position.0, turn), |(position, rotation)| (position.0, Turn::By(rotation.0)));
        };
        let Some((&Orientation { turn, rolled_to }, radius)) = it.ball else { return (drawn.shown, turn) };
        // As it was at this moment of the tick, as far as that is known.
        let turn = match it.spin {
            Some(_) if it.is_inactive || it.is_in_pocket || it.is_off_table => turn,
            Some(spin) => turned(turn, -spin.0, (1.0 - share) * self.space.clock.time_step),
            None => rolled(turn, self.space.difference(rolled_to, drawn.shown), radius.0),
        };
        (drawn.shown, Turn::To(turn))
    }
}

/// Writes the transforms of entities that have no parent.
pub(super) fn sync_roots(
    moment: ShownMoment,
    mut followers: Query<(Followed, &mut Transform), (Without<ChildOf>, Without<NoTransformSync>)>,
) {
    for (followed, mut transform) in &mut followers {
        let (place, turn) = moment.pose(&followed);
        write(
            &mut transform,
            place,
            match turn {
                Turn::Own => None,
                Turn::By(angle) => Some(Quat::from_rotation_z(angle)),
                Turn::To(turn) => Some(turn),
            },
        );
    }
}

/// Writes a position, metres, and a rotation, unless either is not finite.
fn write(transform: &mut Mut<Transform>, place: Vec2, rotation: Option<Quat>) {
    let rotation = rotation.unwrap_or(transform.rotation);
    if !place.is_finite() || !rotation.is_finite() {
        return;
    }
    let translation = place.extend(transform.translation.z);
    if (transform.translation, transform.rotation) != (translation, rotation) {
        (transform.translation, transform.rotation) = (translation, rotation);
    }
}

/// Writes the transforms of children, so that their global transforms match the physics. Parents come before their
/// children, as a parent may follow as well.
pub(super) fn sync_children(
    moment: ShownMoment,
    followers: Query<(Followed, &ChildOf), (With<Transform>, Without<NoTransformSync>)>,
    parents: Query<&ChildOf>,
    mut transforms: Query<&mut Transform>,
) {
    if followers.is_empty() {
        return;
    }
    let mut nested: Vec<_> = followers.iter().collect();
    nested.sort_by_cached_key(|(_, child_of)| parents.iter_ancestors(child_of.parent()).count());
    for (followed, child_of) in nested {
        let (place, turn) = moment.pose(&followed);
        let parent = in_world(child_of.parent(), &parents, &transforms);
        let Ok(mut transform) = transforms.get_mut(followed.entity) else { continue };
        // Maps the plane z = 0 of the parent's frame to the plane of the world. The game sets the height, so this
        // determines the other two coordinates.
        let plane = Mat2::from_cols(parent.matrix3.x_axis.xy(), parent.matrix3.y_axis.xy());
        if plane.determinant() == 0.0 {
            continue;
        }
        let into_plane = plane.inverse();
        let origin = parent.transform_point3(Vec3::Z * transform.translation.z).xy();
        let rotation = match turn {
            Turn::Own => None,
            Turn::By(angle) => Some(Quat::from_rotation_z((into_plane * Vec2::from_angle(angle)).to_angle())),
            Turn::To(turn) => Some(parent.to_scale_rotation_translation().1.inverse() * turn),
        };
        write(&mut transform, into_plane * (place - origin), rotation);
    }
}

/// The frame of an entity in the world, from the current transforms.
fn in_world(entity: Entity, parents: &Query<&ChildOf>, transforms: &Query<&mut Transform>) -> Affine3A {
    let up = core::iter::once(entity).chain(parents.iter_ancestors(entity));
    // Bevy's propagation stops at an entity without a transform.
    up.map_while(|entity| transforms.get(entity).ok())
        .fold(Affine3A::IDENTITY, |frame, transform| transform.compute_affine() * frame)
}
