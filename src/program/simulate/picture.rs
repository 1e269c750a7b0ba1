//! The picture of a run: a [`Diagram`] of its terrain, its discs and their paths.

use bevy::prelude::*;

use crate::{
    collision::Discs,
    components::{Pocket, Position, Rotation, StableId, Terrain},
    diagram::{Diagram, DrawnDisc, DrawnTerrain},
    scene::{CueBall, DiscColour, DiscLook, Hex, Surroundings, TerrainLook},
};

/// The largest total number of points on all paths. It limits a picture to a few megabytes.
const MAX_POINTS: u64 = 200_000;
/// The largest number of moments of a run at which paths are sampled.
const MAX_MOMENTS: u64 = 4000;

/// The path of each disc that exists at the start.
pub(super) struct Paths {
    entity: Vec<Entity>,
    paths: Vec<Vec<Vec2>>,
}

impl Paths {
    pub(super) fn new(start: &Discs) -> Self {
        let paths = start.position.iter().map(|&position| vec![position]).collect();
        Self { entity: start.entity.clone(), paths }
    }

    /// The number of moments of a run at which to [`add`](Self::add).
    pub(super) fn moments(&self) -> u64 {
        (MAX_POINTS / (self.paths.len() as u64).max(1)).clamp(1, MAX_MOMENTS)
    }

    pub(super) fn add(&mut self, now: &Discs) {
        // In the order of the start, without discs that have fallen into pockets.
        let mut now = now.entity.iter().zip(&now.position).peekable();
        for (path, entity) in self.paths.iter_mut().zip(&self.entity) {
            let Some((_, &position)) = now.next_if(|(present, _)| *present == entity) else { continue };
            // A disc at rest needs no more points.
            if path.last() != Some(&position) {
                path.push(position);
            }
        }
    }
}

/// The picture as SVG.
pub(super) fn draw(world: &mut World, paths: &Paths, before: &Discs, after: &Discs) -> String {
    let terrain = world
        .query::<(&Terrain, &Position, &Rotation, Option<&TerrainLook>)>()
        .iter(world)
        .map(|(shape, position, rotation, look)| DrawnTerrain {
            shape: shape.clone(),
            position: position.0,
            rotation: *rotation,
            colour: look.and_then(|look| look.colour).map(Hex::from),
        })
        .collect();
    let pockets = world
        .query::<(&Pocket, &Position)>()
        .iter(world)
        .map(|(pocket, position)| (position.0, pocket.radius))
        .collect();
    let discs = discs(world, paths, before, after);
    Diagram { terrain, pockets, discs, ..Diagram::default() }.to_svg(&[])
}

fn discs(world: &World, paths: &Paths, before: &Discs, after: &Discs) -> Vec<DrawnDisc> {
    let on_table = world.get_resource() == Some(&Surroundings::Table);
    let mut ends = after.entity.iter().zip(&after.position).peekable();
    let drawn = before.entity.iter().zip(&paths.paths).enumerate().map(|(i, (&disc, path))| {
        let is_cue_on_table = on_table && world.get::<CueBall>(disc).is_some();
        let look = world.get::<DiscLook>(disc);
        let mut path = path.clone();
        let end = ends.next_if(|(entity, _)| **entity == disc).map(|(_, &position)| position);
        if end.is_none() {
            // The point at which it fell into a pocket.
            path.extend(world.get::<Position>(disc).map(|position| position.0));
        }
        DrawnDisc {
            colour: DiscColour::of(StableId(before.id[i]), look, is_cue_on_table),
            number: look.and_then(|look| look.number),
            radius: before.radius[i],
            path,
            flights: Vec::new(),
            end,
        }
    });
    drawn.collect()
}
