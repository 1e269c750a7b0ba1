//! Game entities that follow discs and terrain, and discs and terrain that the game draws itself.

use bevy::prelude::*;

use crate::{
    components::{Disc, Position, Rotation, Terrain},
    view::scene::drawn_position::Drawn,
};

/// Makes the [`Transform`] of a disc or a piece of terrain follow its drawn position, so that sprites, lights, text and
/// children move with it. The translation is in metres. Its `z` and the scale stay as the game has set them. The
/// rotation of a disc also stays; that of terrain follows its [`Rotation`].
///
/// Drawing uses `z` from 0 to 6; the [module page](crate::view) lists the layers. Discs, for example, are at 5.
///
/// The entity must be a root, as the transform of a child is relative to its parent.
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::{prelude::*, view::{OwnLook, SyncTransform}};
/// fn spawn(mut commands: Commands) {
///     // A ship that is drawn by its sprite alone, above the discs.
///     commands.spawn((Disc, Radius(0.5), SyncTransform, OwnLook, Transform::from_xyz(0.0, 0.0, 5.5)));
/// }
/// # bevy::ecs::system::assert_is_system(spawn);
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Default, Debug, PartialEq)]
#[require(Transform, Visibility)]
pub struct SyncTransform;

/// Marks a disc or a piece of terrain that the game draws. Neither it nor its label is drawn here.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Default, Debug, PartialEq)]
pub struct OwnLook;

type Followers<'w, 's, Of> = Query<'w, 's, Of, (With<SyncTransform>, Without<Disc>, With<Terrain>)>;

/// Writes the transforms of followers.
pub(crate) fn write_transforms(
    mut discs: Query<(&Drawn, &mut Transform), (With<Disc>, With<SyncTransform>)>,
    mut terrain: Followers<(&Position, &Rotation, &mut Transform)>,
) {
    for (drawn, mut transform) in &mut discs {
        let place = drawn.shown.extend(transform.translation.z);
        if transform.translation != place {
            transform.translation = place;
        }
    }
    for (position, rotation, mut transform) in &mut terrain {
        let place = position.0.extend(transform.translation.z);
        transform.set_if_neq(Transform {
            translation: place,
            rotation: Quat::from_rotation_z(rotation.0),
            scale: transform.scale,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transforms_follow_and_keep_what_is_the_games() {
        let mut app = App::new();
        app.add_systems(Update, write_transforms);
        let mut drawn = Drawn::default();
        drawn.shown = vec2(1.0, 2.0);
        let start = Transform::from_xyz(0.0, 0.0, 5.0).with_scale(Vec3::splat(2.0));
        let disc = app.world_mut().spawn((drawn, Disc, SyncTransform, start)).id();
        let block = Terrain::Block { half_size: Vec2::ONE };
        let block = app.world_mut().spawn((block, Position(vec2(3.0, 0.0)), Rotation(1.0), SyncTransform)).id();
        let free = app.world_mut().spawn((drawn, Disc, start)).id();
        app.world_mut().entity_mut(disc).insert(drawn);
        app.update();
        let transform = |entity| *app.world().get::<Transform>(entity).unwrap();
        assert_eq!(transform(disc), Transform { translation: vec3(1.0, 2.0, 5.0), ..start });
        assert_eq!(transform(block).translation, vec3(3.0, 0.0, 0.0));
        assert!((transform(block).rotation.to_euler(EulerRot::XYZ).2 - 1.0).abs() < 1e-6);
        assert_eq!(transform(free), start, "nobody asked");
    }
}
