//! New pieces: discs like the existing ones, and terrain. They are parts of the scene for saving and restarting.

use bevy::prelude::*;
use tr::tr;

use super::{join::join, record::record_spawn, sketch::Piece};
use crate::{
    components::{Ball, Disc, Mass, Orientation, Position, Radius, Restitution, StableId, Terrain},
    editor::{ChosenTerrain, DrawSettings, move_disc::warn_if_outside},
    input::Selection,
    notice::Notices,
    scene::{DiscLook, SceneEntity, Surroundings, TerrainLook, edges_cross, extent_problem},
};

/// Adds a disc at a place (metres), at rest, and returns it. It copies the disc whose radius is the median, such as a
/// ball among balls. With a `radius` (metres) it has the same density as that disc. In an empty scene it has the radius
/// `usual`.
pub fn add_disc(world: &mut World, position: Vec2, radius: Option<f32>, usual: f32) -> Entity {
    let position = Position(position);
    let is_table = world.get_resource::<Surroundings>() == Some(&Surroundings::Table);
    let mut others = world.query_filtered::<(&StableId, &Radius, &Mass, Has<Ball>), With<Disc>>();
    let sound =
        |mass: &Mass, radius: &Radius| [mass.0, radius.0].into_iter().all(|value| value > 0.0 && value.is_finite());
    let mut others: Vec<_> = others
        .iter(world)
        .filter(|(_, radius, mass, _)| sound(mass, radius))
        .map(|(id, r, m, b)| (*id, *r, *m, b))
        .collect();
    others.sort_by(|a, b| a.1.0.total_cmp(&b.1.0).then(a.0.cmp(&b.0)));
    let model = others.get(others.len() / 2).copied();
    let own = Radius(radius.or(model.map(|(_, radius, ..)| radius.0)).unwrap_or(usual));
    let disc = world.spawn((Disc, position, own, DiscLook::default(), SceneEntity)).id();
    let mut entity = world.entity_mut(disc);
    if let Some((_, like, mass, is_ball)) = model {
        let share = own.0 / like.0;
        entity.insert(if radius.is_some() { Mass(mass.0 * share * share) } else { mass });
        if is_ball {
            entity.insert(Ball);
        }
    }
    if is_table {
        entity.insert(Orientation { rolled_to: position.0, ..default() });
    }
    disc
}

/// Adds a completed drawing to the world, as one edit, and selects it.
pub(super) fn place(world: &mut World, piece: Piece) {
    match piece {
        Piece::Disc(centre, radius) => {
            let usual = world.get_resource::<DrawSettings>().map_or(0.5, |settings| settings.bumper);
            let disc = add_disc(world, centre, radius, usual);
            record_spawn(world, &[disc]);
            choose(world, Some(disc), None);
            // Fails in a game that draws without the action map, which then shows no warning.
            drop(world.run_system_cached_with(warn_if_outside, vec![disc]));
        }
        Piece::Joint(ends) => join(world, ends),
        Piece::Terrain(terrain, position) => {
            let mut warn = |words: String| {
                if let Some(mut notices) = world.get_resource_mut::<Notices>() {
                    notices.error(words);
                }
            };
            if terrain.check().is_err() {
                return warn(tr!("Nothing was drawn: it is too small or too far away"));
            }
            if extent_problem(&terrain).is_some() {
                return warn(tr!(
                    "Nothing was drawn: all corners lie on one line. Draw it again with a corner beside that line."
                ));
            }
            if let Terrain::Polygon { points } = &terrain
                && edges_cross(points)
            {
                warn(tr!("The polygon crosses itself, so it has no clear inside. Drag its corners, or undo it."));
            }
            let restitution = world.get_resource::<DrawSettings>().and_then(|settings| settings.restitution);
            let mut entity = world.spawn((SceneEntity, terrain, Position(position), TerrainLook::default()));
            if let Some(restitution) = restitution {
                entity.insert(Restitution(restitution));
            }
            let entity = entity.id();
            record_spawn(world, &[entity]);
            choose(world, None, Some(entity));
        }
    }
}

fn choose(world: &mut World, disc: Option<Entity>, terrain: Option<Entity>) {
    if let Some(mut selection) = world.get_resource_mut::<Selection>() {
        selection.choose(disc, false);
    }
    if let Some(mut chosen) = world.get_resource_mut::<ChosenTerrain>() {
        chosen.0 = terrain;
    }
}
