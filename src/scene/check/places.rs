//! Discs in places where they cannot be: in an arena or a block that is smaller than they are, in the very centre of a bumper.
//! And in places where they hardly are meant to be: inside of what they should bounce off.
//!
//! What overlaps terrain with its rim alone is left to the solver, which parts the two.

use bevy::math::Vec2;

use super::{Listed, first_of_many};
use crate::{
    collision::{Bounds, Tree, settings::shortest},
    scene::{
        format::{DiscEntry, TerrainEntry},
        generate::Contents,
    },
    terrain::{Rotation, Terrain},
};

/// A disc is compared with no more than so many pieces of terrain, or edges of one, whose boxes meet its place; where they are more,
/// a bad place may go unnoticed.
const MOST: usize = 256;

/// Polygons of more edges have a tree of them.
const EDGES_WITHOUT_TREE: usize = 16;

/// A piece of terrain that has an inside.
struct Closed<'a> {
    /// Its number among the terrain.
    number: usize,
    entry: &'a TerrainEntry,
    /// The corners of a polygon in their places, metres.
    corners: Vec<Vec2>,
    /// The edges of a polygon of many, by the numbers of their first corners.
    edges: Option<Tree>,
}

pub(super) fn check(contents: &Contents, listed: Listed) -> Result<Option<String>, String> {
    let terrain = contents.terrain.iter().enumerate();
    let closed: Vec<Closed> = terrain.filter_map(|(number, entry)| Closed::of(number, entry)).collect();
    if closed.is_empty() {
        return Ok(None);
    }
    let mut boxes: Vec<(Bounds, u32)> = closed.iter().map(Closed::bounds).zip(0..).collect();
    let tree = Tree::new(&mut boxes);
    let mut inside = Vec::new();
    let (mut near, mut near_edges) = (Vec::new(), Vec::new());
    for (i, disc) in contents.discs.iter().enumerate().filter(|(_, disc)| !disc.inactive && !disc.sensor) {
        tree.first_overlapping(at(disc.position), MOST, &mut near);
        near.sort_unstable();
        for piece in near.iter().map(|&k| &closed[k as usize]) {
            if !piece.contains(disc.position, &mut near_edges) {
                continue;
            }
            piece.check_room(disc).map_err(|problem| format!("{}{problem}", listed.disc(i)))?;
            let is_known = inside.last().is_some_and(|&(last, _)| last == i);
            if !piece.entry.shape.is_arena() && !is_known {
                inside.push((i, piece));
            }
        }
    }
    let describe = |(i, piece): (usize, &Closed)| {
        let Vec2 { x, y } = contents.discs[i].position;
        let (name, remedy) = piece.name_and_remedy();
        let place = listed.disc(i);
        format!("{place} at ({x}, {y}) m lies inside of terrain[{}], a {name}{remedy}", piece.number)
    };
    Ok(first_of_many(inside.into_iter(), describe))
}

/// The box around a point.
fn at(point: Vec2) -> Bounds {
    [point.x, point.y, point.x, point.y]
}

impl<'a> Closed<'a> {
    fn of(number: usize, entry: &'a TerrainEntry) -> Option<Self> {
        if entry.inactive || entry.sensor {
            return None;
        }
        let mut piece = Self { number, entry, corners: Vec::new(), edges: None };
        match &entry.shape {
            Terrain::Segment { .. } | Terrain::Polyline { .. } => return None,
            Terrain::Arc { .. } if !entry.shape.is_arena() => return None,
            Terrain::Circle { .. } | Terrain::Arc { .. } => {}
            Terrain::Block { .. } | Terrain::Arena { .. } | Terrain::Polygon { .. } => {
                let turn = |corner: &Vec2| entry.position + Rotation(entry.rotation).turn(*corner);
                piece.corners = entry.shape.outline().0.iter().map(turn).collect();
            }
        }
        let count = piece.corners.len();
        if count > EDGES_WITHOUT_TREE {
            let edge = |i: usize| around(&[piece.corners[i], piece.corners[(i + 1) % count]]);
            piece.edges = Some(Tree::new(&mut (0..count).map(|i| (edge(i), i as u32)).collect::<Vec<_>>()));
        }
        Some(piece)
    }

    fn bounds(&self) -> Bounds {
        let centre = self.entry.position;
        match self.entry.shape {
            Terrain::Circle { radius } | Terrain::Arc { radius, .. } => around(&[centre - radius, centre + radius]),
            _ => around(&self.corners),
        }
    }

    fn contains(&self, point: Vec2, near: &mut Vec<u32>) -> bool {
        let &TerrainEntry { position, rotation, .. } = self.entry;
        match self.entry.shape {
            Terrain::Circle { radius } | Terrain::Arc { radius, .. } => {
                point == position || point.distance(position) < radius
            }
            Terrain::Block { half_size } | Terrain::Arena { half_size } => {
                Rotation(-rotation).turn(point - position).abs().cmplt(half_size).all()
            }
            _ => self.is_in_polygon(point, near),
        }
    }

    /// Whether a ray to the right crosses the outline an odd number of times.
    fn is_in_polygon(&self, point: Vec2, near: &mut Vec<u32>) -> bool {
        let count = self.corners.len();
        match &self.edges {
            Some(tree) => tree.first_overlapping([point.x, point.y, f32::INFINITY, point.y], MOST, near),
            None => *near = (0..count as u32).collect(),
        }
        let crosses = |&edge: &u32| {
            let (a, b) = (self.corners[edge as usize], self.corners[(edge as usize + 1) % count]);
            let (low, high) = if a.y < b.y { (a, b) } else { (b, a) };
            let is_beside = low.y <= point.y && point.y < high.y;
            let [low, high, point] = [low, high, point].map(Vec2::as_dvec2);
            is_beside && (high - low).perp_dot(point - low) > 0.0
        };
        near.len() < MOST && near.iter().filter(|edge| crosses(edge)).count() % 2 == 1
    }

    /// Whether a disc that is inside has any room there, and any way out of what has none; else what is wrong, to be written behind
    /// the place of the disc.
    fn check_room(&self, disc: &DiscEntry) -> Result<(), String> {
        let (number, radius) = (self.number, disc.radius);
        let half = |half_size: Vec2| half_size.min_element();
        let [r, x, y] = [radius, disc.position.x, disc.position.y].map(|number| shortest(f64::from(number)));
        match self.entry.shape {
            Terrain::Circle { .. } if disc.position == self.entry.position => Err(format!(
                ".position is ({x}, {y}), the very centre of terrain[{number}], a Circle, from where no way out is the shortest; move it"
            )),
            Terrain::Arena { half_size } if radius > half(half_size) => Err(format!(
                ".radius is {r}, for which there is no room in terrain[{number}], an Arena; make it {} m at most, or the Arena larger",
                shortest(f64::from(half(half_size)))
            )),
            Terrain::Arc { radius: room, .. } if radius > room => Err(format!(
                ".radius is {r}, for which there is no room in terrain[{number}], an Arc all around; make it {} m at most, or the Arc larger",
                shortest(f64::from(room))
            )),
            Terrain::Block { half_size } if radius > half(half_size) => {
                Err(format!(" at ({x}, {y}) m lies inside of terrain[{number}], a Block; move it out of there"))
            }
            _ => Ok(()),
        }
    }

    /// What it is, and what to do about a disc inside.
    fn name_and_remedy(&self) -> (&'static str, &'static str) {
        match self.entry.shape {
            Terrain::Circle { .. } => ("Circle", ", which pushes it out; move it"),
            Terrain::Polygon { .. } => (
                "Polygon",
                ", which it cannot leave; move it, or write a Polyline that ends where it begins for walls around discs",
            ),
            _ => ("Block", ", which it cannot leave; move it, or write an Arena for walls around discs"),
        }
    }
}

/// The box around points.
fn around(points: &[Vec2]) -> Bounds {
    let low = points.iter().copied().fold(Vec2::INFINITY, Vec2::min);
    let high = points.iter().copied().fold(Vec2::NEG_INFINITY, Vec2::max);
    [low.x, low.y, high.x, high.y]
}
