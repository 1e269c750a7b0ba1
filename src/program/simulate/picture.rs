//! The picture of a run: a [`Diagram`] of its terrain, its discs and their paths.

use bevy::prelude::*;

use crate::{
    collision::Discs,
    components::{Pocket, Position, Rotation, StableId, Terrain},
    diagram::{Diagram, DrawnDisc, DrawnFlight, DrawnTerrain},
    scene::{CueBall, DiscColour, DiscLook, Hex, Surroundings, TerrainLook},
};

/// The largest total number of points on all paths. It limits a picture to a few megabytes.
const MAX_POINTS: u64 = 200_000;
/// The largest number of moments of a run at which paths are sampled.
const MAX_MOMENTS: u64 = 4000;

/// The path of each disc that exists at the start.
pub(super) struct Paths {
    entity: Vec<Entity>,
    paths: Vec<Path>,
}

#[derive(Default)]
struct Path {
    /// Positions (metres) with their times (seconds since the start).
    points: Vec<(Vec2, f32)>,
    /// The heights above the cloth there, metres.
    heights: Vec<f32>,
}

impl Path {
    /// Adds a point. A disc at rest needs no more of them.
    fn add(&mut self, discs: &Discs, i: usize, seconds: f32) {
        let (position, height) = (discs.position[i], discs.height_of(i).map_or(0.0, |above| above.height));
        if self.points.last().is_none_or(|&(last, _)| last != position) || self.heights.last() != Some(&height) {
            self.points.push((position, seconds));
            self.heights.push(height);
        }
    }
}

impl Paths {
    pub(super) fn new(start: &Discs) -> Self {
        let mut paths = Self { entity: start.entity.clone(), paths: Vec::new() };
        paths.paths.resize_with(start.len(), Path::default);
        paths.add(start, 0.0);
        paths
    }

    /// The number of moments of a run at which to [`add`](Self::add).
    pub(super) fn moments(&self) -> u64 {
        (MAX_POINTS / (self.paths.len() as u64).max(1)).clamp(1, MAX_MOMENTS)
    }

    /// Adds the positions this many seconds after the start.
    pub(super) fn add(&mut self, now: &Discs, seconds: f32) {
        // In the order of the start, without discs that have fallen into pockets.
        let mut present = now.entity.iter().enumerate().peekable();
        for (path, entity) in self.paths.iter_mut().zip(&self.entity) {
            if let Some((i, _)) = present.next_if(|(_, present)| *present == entity) {
                path.add(now, i, seconds);
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
        let mut way: Vec<Vec2> = path.points.iter().map(|&(position, _)| position).collect();
        let end = ends.next_if(|(entity, _)| **entity == disc).map(|(_, &position)| position);
        if end.is_none() {
            // The point at which it fell into a pocket.
            way.extend(world.get::<Position>(disc).map(|position| position.0));
        }
        DrawnDisc {
            colour: DiscColour::of(StableId(before.id[i]), look, is_cue_on_table),
            number: look.and_then(|look| look.number),
            striped: look.is_some_and(|look| look.striped),
            radius: before.radius[i],
            path: way,
            flights: DrawnFlight::all(&path.points, &path.heights),
            end,
        }
    });
    drawn.collect()
}
