//! The picture of a run: a [`Diagram`] of its terrain, its discs and their paths.

use bevy::{ecs::entity::EntityHashMap, prelude::*};

use crate::{
    collision::{Discs, PathVertex, PhysicsSpace},
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
    all: Vec<Path>,
    /// The index of each disc in them.
    index: EntityHashMap<usize>,
    /// The number of points of the paths at which they turned.
    turns: u64,
}

#[derive(Default)]
struct Path {
    /// Positions (metres) with their times (seconds since the start).
    points: Vec<(Vec2, f32)>,
    /// The heights above the cloth there, metres.
    heights: Vec<f32>,
    /// The points at which a new piece begins, beyond a periodic edge.
    breaks: Vec<usize>,
}

impl Path {
    /// Adds a point with its height, metres. A disc at rest needs no more of them.
    fn add(&mut self, position: Vec2, height: f32, seconds: f32) {
        if self.points.last().is_none_or(|&(last, _)| last != position) || self.heights.last() != Some(&height) {
            self.points.push((position, seconds));
            self.heights.push(height);
        }
    }

    /// The pieces between periodic edges.
    fn pieces(&self) -> Vec<Vec<Vec2>> {
        let ends = self.breaks.iter().copied().chain([self.points.len()]);
        let starts = std::iter::once(0).chain(self.breaks.iter().copied());
        let piece = |(start, end): (usize, usize)| self.points[start..end].iter().map(|&(place, _)| place).collect();
        starts.zip(ends).map(piece).collect()
    }
}

impl Paths {
    pub(super) fn new(start: &Discs) -> Self {
        let index = start.entity.iter().enumerate().map(|(i, disc)| (*disc, i)).collect();
        let mut paths = Self { all: Vec::new(), index, turns: 0 };
        paths.all.resize_with(start.len(), Path::default);
        paths.add(start, 0.0);
        paths
    }

    /// The number of moments of a run at which to [`add`](Self::add).
    pub(super) fn moments(&self) -> u64 {
        (MAX_POINTS / (self.all.len() as u64).max(1)).clamp(1, MAX_MOMENTS)
    }

    /// Adds the positions this many seconds after the start.
    pub(super) fn add(&mut self, now: &Discs, seconds: f32) {
        for (i, disc) in now.entity.iter().enumerate() {
            if let Some(&path) = self.index.get(disc) {
                let height = now.height_of(i).map_or(0.0, |above| above.height);
                self.all[path].add(now.position[i], height, seconds);
            }
        }
    }

    /// Adds the points at which paths turned in the last tick, which ends this many seconds after the start.
    pub(super) fn add_turns(&mut self, space: &PhysicsSpace, seconds: f32) {
        let start = seconds - space.clock.time_step;
        let mut before: Option<PathVertex> = None;
        for vertex in space.turns() {
            let PathVertex { disc, time, position, height } = vertex;
            let of_disc = space.discs.entity.get(disc as usize).and_then(|disc| self.index.get(disc));
            if let Some(&path) = of_disc.filter(|_| self.turns < MAX_POINTS) {
                let path = &mut self.all[path];
                // At a periodic edge, two distant points of a disc follow each other at one time.
                let is_far = |it: PathVertex| it.position.distance(position) > space.discs.radius[disc as usize];
                if before.is_some_and(|it| (it.disc, it.time) == (disc, time) && is_far(it)) {
                    path.breaks.push(path.points.len());
                }
                path.add(position, height, start + time);
                self.turns += 1;
            }
            before = Some(vertex);
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
    let drawn = before.entity.iter().zip(&paths.all).enumerate().map(|(i, (&disc, path))| {
        let is_cue_on_table = on_table && world.get::<CueBall>(disc).is_some();
        let look = world.get::<DiscLook>(disc);
        let mut way = path.pieces();
        let end = ends.next_if(|(entity, _)| **entity == disc).map(|(_, &position)| position);
        if end.is_none() {
            // The point at which it fell into a pocket.
            let fell = world.get::<Position>(disc).map(|position| position.0);
            if let Some(piece) = way.last_mut() {
                piece.extend(fell);
            }
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
