//! Warns of discs in unlikely places: inside terrain, in an arena smaller than the disc, or at the very centre of a
//! bumper.
//!
//! These are warnings, not errors: a run can end in such a state, and a saved state must be readable. A disc that
//! overlaps terrain only with its rim is not mentioned. The solver pushes the two apart.

use bevy::math::Vec2;

use crate::{
    collision::{Bounds, Tree},
    components::{EntityKind, Inactive, Kinematic, Rotation, Sensor, Terrain, shortest},
    scene::{
        contents::{Contents, Listed},
        entries::{DiscEntry, TerrainEntry},
        text::first_of_many,
    },
};

/// The number of pieces of terrain, or edges of one, with overlapping boxes that a disc is compared with. If there are
/// more, a bad place may be missed.
const MOST: usize = 256;

/// The number of edges of all polygons together that a disc is compared with.
const MOST_EDGES: usize = 1024;

/// Polygons with more edges than this have a tree of their edges.
const EDGES_WITHOUT_TREE: usize = 16;

/// A piece of terrain that has an inside.
struct Area<'a> {
    /// Its place in the file, as in [`Listed::terrain`].
    place: String,
    entry: &'a TerrainEntry,
    /// Where its origin is at the start, metres.
    origin: Vec2,
    /// The corners of a polygon in the frame of the scene, metres.
    corners: Vec<Vec2>,
    /// The edges of a polygon with many edges, by the index of their first corner.
    edges: Option<Tree>,
}

/// Warns of discs without room, and of discs inside terrain: a line for each kind.
pub(super) fn check(contents: &Contents, listed: Listed) -> [Option<String>; 2] {
    let terrain = contents.terrain.iter().enumerate();
    let areas: Vec<Area> = terrain.filter_map(|(i, entry)| Area::of(|| listed.terrain(i), entry)).collect();
    if areas.is_empty() {
        return [None, None];
    }
    let mut boxes: Vec<(Bounds, u32)> = areas.iter().map(Area::bounds).zip(0..).collect();
    let tree = Tree::new(&mut boxes);
    let (mut without_room, mut inside) = (Vec::new(), Vec::new());
    let (mut near, mut near_edges) = (Vec::new(), Vec::new());
    let needs_room = |disc: &DiscEntry| !disc.has::<Inactive>() && !disc.has::<Sensor>() && !disc.has::<Kinematic>();
    for (i, disc) in contents.discs.iter().enumerate().filter(|(_, disc)| needs_room(disc)) {
        let start = disc.start();
        tree.first_overlapping(Bounds::around(start, 0.0), MOST, &mut near);
        near.sort_unstable();
        let mut edges = MOST_EDGES;
        for piece in near.iter().map(|&k| &areas[k as usize]) {
            if !piece.contains(start, &mut near_edges, &mut edges) {
                continue;
            }
            if let Some(problem) = piece.lack_of_room(disc) {
                without_room.push((i, problem));
                break;
            }
            if !piece.entry.shape.is_arena() {
                inside.push((i, piece));
                break;
            }
        }
    }
    let describe = |(i, piece): (usize, &Area)| {
        let Vec2 { x, y } = contents.discs[i].start();
        let (name, remedy) = piece.name_and_remedy();
        format!("{} at ({x}, {y}) m is inside {}, a {name}{remedy}", listed.disc(i), piece.place)
    };
    [
        first_of_many(without_room.into_iter(), |(i, problem)| listed.disc(i) + &problem),
        first_of_many(inside.into_iter(), describe),
    ]
}

impl<'a> Area<'a> {
    fn of(place: impl FnOnce() -> String, entry: &'a TerrainEntry) -> Option<Self> {
        if entry.has::<Inactive>() || entry.has::<Sensor>() {
            return None;
        }
        let origin = entry.start();
        let corners = match &entry.shape {
            Terrain::Segment { .. } | Terrain::Polyline { .. } => return None,
            Terrain::Arc { .. } if !entry.shape.is_arena() => return None,
            Terrain::Circle { .. } | Terrain::Arc { .. } => Vec::new(),
            Terrain::Block { .. } | Terrain::Arena { .. } | Terrain::Polygon { .. } => {
                let turn = |corner: &Vec2| origin + Rotation(entry.rotation).turn(*corner);
                entry.shape.outline().0.iter().map(turn).collect()
            }
        };
        let mut piece = Self { place: place(), entry, origin, corners, edges: None };
        let count = piece.corners.len();
        if count > EDGES_WITHOUT_TREE {
            let edge = |i: usize| Bounds::of_points([piece.corners[i], piece.corners[(i + 1) % count]]);
            piece.edges = Some(Tree::new(&mut (0..count).map(|i| (edge(i), i as u32)).collect::<Vec<_>>()));
        }
        Some(piece)
    }

    fn bounds(&self) -> Bounds {
        match self.entry.shape {
            Terrain::Circle { radius } | Terrain::Arc { radius, .. } => Bounds::around(self.origin, radius),
            _ => Bounds::of_points(self.corners.iter().copied()),
        }
    }

    /// `edges` is the remaining number of edges to look at.
    fn contains(&self, point: Vec2, near: &mut Vec<u32>, edges: &mut usize) -> bool {
        let (origin, rotation) = (self.origin, self.entry.rotation);
        match self.entry.shape {
            Terrain::Circle { radius } | Terrain::Arc { radius, .. } => {
                point == origin || point.distance(origin) < radius
            }
            Terrain::Block { half_size } | Terrain::Arena { half_size } => {
                Rotation(-rotation).turn(point - origin).abs().cmplt(half_size).all()
            }
            _ => self.is_in_polygon(point, near, edges),
        }
    }

    /// Whether a ray to the right crosses the outline an odd number of times.
    fn is_in_polygon(&self, point: Vec2, near: &mut Vec<u32>, edges: &mut usize) -> bool {
        let count = self.corners.len();
        if *edges == 0 {
            return false;
        }
        match &self.edges {
            Some(tree) => tree.first_overlapping(Bounds::new(point, Vec2::new(f32::INFINITY, point.y)), MOST, near),
            None => *near = (0..count as u32).collect(),
        }
        *edges = edges.saturating_sub(near.len());
        let crosses = |&edge: &u32| {
            let (a, b) = (self.corners[edge as usize], self.corners[(edge as usize + 1) % count]);
            let (low, high) = if a.y < b.y { (a, b) } else { (b, a) };
            let is_beside = low.y <= point.y && point.y < high.y;
            let [low, high, point] = [low, high, point].map(Vec2::as_dvec2);
            is_beside && (high - low).perp_dot(point - low) > 0.0
        };
        near.len() < MOST && near.iter().filter(|edge| crosses(edge)).count() % 2 == 1
    }

    /// Why a disc inside has no room there, or no shortest way out. The text follows the place of the disc.
    fn lack_of_room(&self, disc: &DiscEntry) -> Option<String> {
        let (place, radius, start) = (&self.place, disc.radius, disc.start());
        let [r, x, y] = [radius, start.x, start.y].map(|number| shortest(f64::from(number)));
        match self.entry.shape {
            Terrain::Circle { .. } if start == self.origin => Some(format!(
                ".position is ({x}, {y}), the very centre of {place}, a Circle, from where no way out is the shortest; move it"
            )),
            Terrain::Arena { half_size } if radius > half_size.min_element() => Some(format!(
                ".radius is {r}, too large for {place}, an Arena; make it at most {} m, or enlarge the Arena",
                shortest(f64::from(half_size.min_element()))
            )),
            Terrain::Arc { radius: room, .. } if radius > room => Some(format!(
                ".radius is {r}, too large for {place}, a full Arc; make it at most {} m, or enlarge the Arc",
                shortest(f64::from(room))
            )),
            _ => None,
        }
    }

    /// The name of the terrain, and the remedy for a disc inside.
    fn name_and_remedy(&self) -> (&'static str, &'static str) {
        let moves = self.entry.kind() != EntityKind::StaticTerrain;
        match self.entry.shape {
            Terrain::Circle { .. } => ("Circle", ", which pushes it out; move it"),
            Terrain::Polygon { .. } if moves => ("Polygon", ", from which it comes out by the shortest way; move it"),
            _ if moves => ("Block", ", from which it comes out by the shortest way; move it"),
            Terrain::Polygon { .. } => (
                "Polygon",
                ", which it cannot leave; move it, or write a Polyline that ends where it begins for walls around discs",
            ),
            _ => ("Block", ", which it cannot leave; move it, or write an Arena for walls around discs"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disc_in_the_boxes_of_very_many_polygons_is_compared_with_so_many_edges_and_no_more() {
        // Every edge extends across the place of the disc.
        let tooth = |i: u16| Vec2::new(f32::from(i % 2) * 10.0 - 5.0, f32::from(i % 2) - 0.5 + f32::from(i) / 1000.0);
        let comb = Terrain::Polygon { points: (0..200).map(tooth).chain([Vec2::new(99.0, 0.0)]).collect() };
        let square = Terrain::Polygon { points: [(-1.0, -1.0), (1.0, -1.0), (0.0, 1.0)].map(Vec2::from).to_vec() };
        let [comb, square] = [comb, square].map(TerrainEntry::new);
        let [comb, square] = [&comb, &square].map(|entry| Area::of(String::new, entry).unwrap());
        let (mut near, mut edges) = (Vec::new(), MOST_EDGES);
        assert!(square.contains(Vec2::ZERO, &mut near, &mut edges));
        assert_eq!(edges, MOST_EDGES - 3);
        for _ in 0..MOST_EDGES {
            comb.contains(Vec2::new(-4.0, 0.0), &mut near, &mut edges);
        }
        assert_eq!(edges, 0);
        assert!(!square.contains(Vec2::ZERO, &mut near, &mut edges), "it may go unnoticed then");
    }
}
