//! Random fill: discs of random sizes at random places, none on another.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::{Chance, Contents, above_zero, check_count};
use crate::{
    disc::Mass,
    scene::{DiscEntry, Hex},
};

/// Discs of random sizes at random places within a rectangle. They overlap neither each other nor the discs before them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RandomFill {
    /// How many discs. Default: 100.
    pub count: usize,
    /// The middle of the rectangle, metres. Default: zero.
    pub centre: Vec2,
    /// Half the width and height of the rectangle, metres. No disc reaches beyond it. Default: 10 each.
    pub half_size: Vec2,
    /// The smallest and the largest radius, metres; uniform between them. Default: 0.2 and 0.5.
    pub radius: (f32, f32),
    /// Mass per area, kg/m². Default: 1.
    pub density: f32,
    /// The largest speed, m/s; speeds are uniform from 0 to it, directions from all sides. Default: 0.
    pub speed: f32,
    /// The colours, chosen in turn. Default: none, each by its number in the scene.
    pub colours: Vec<Hex>,
    /// Fixes the random numbers. Default: 0.
    pub seed: u64,
}

impl Default for RandomFill {
    fn default() -> Self {
        Self {
            count: 100,
            centre: Vec2::ZERO,
            half_size: Vec2::splat(10.0),
            radius: (0.2, 0.5),
            density: 1.0,
            speed: 0.0,
            colours: Vec::new(),
            seed: 0,
        }
    }
}

/// How many places are tried for a disc. At this many misses the rectangle is as full as random places get it.
const TRIES: usize = 2000;

impl RandomFill {
    pub(super) fn run(&self, contents: &mut Contents) -> Result<(), String> {
        let (smallest, largest) = self.radius;
        check_count(self.count)?;
        above_zero("radius", smallest)?;
        above_zero("radius", largest)?;
        above_zero("density", self.density)?;
        above_zero("half_size", self.half_size.min_element())?;
        above_zero("half_size", self.half_size.max_element())?;
        if smallest > largest {
            return Err(format!("radius is ({smallest}, {largest}); the smaller one comes first"));
        }
        if largest > self.half_size.min_element() {
            return Err(format!("radius goes up to {largest}, which half_size {} has no room for", self.half_size));
        }
        let mut chance = Chance::new(self.seed);
        let mut occupied = Occupied::new(self.centre - self.half_size, self.centre + self.half_size, largest);
        for disc in &contents.discs {
            occupied.add(disc.position, disc.radius);
        }
        for i in 0..self.count {
            let radius = chance.between(smallest, largest);
            let reach = self.half_size - radius;
            let free = (0..TRIES)
                .map(|_| self.centre + chance.within(-reach, reach))
                .find(|&place| occupied.is_free(place, radius));
            let Some(position) = free else {
                return Err(format!(
                    "only {i} of {} discs fit; ask for fewer or smaller ones, or a larger half_size",
                    self.count
                ));
            };
            occupied.add(position, radius);
            let velocity = chance.direction() * (self.speed * chance.unit());
            contents.discs.push(DiscEntry {
                position,
                velocity,
                radius,
                mass: Some(Mass::of_disc(radius, self.density).0),
                colour: (!self.colours.is_empty()).then(|| self.colours[i % self.colours.len()]),
                ..DiscEntry::default()
            });
        }
        Ok(())
    }
}

/// A grid over the rectangle. Every cell lists the discs whose bounding squares touch it.
struct Occupied {
    low: Vec2,
    cell: Vec2,
    columns: usize,
    rows: usize,
    cells: Vec<Vec<u32>>,
    discs: Vec<(Vec2, f32)>,
}

impl Occupied {
    /// The most cells along a side: more would only cost memory.
    const MAX_CELLS: f32 = 1024.0;

    fn new(low: Vec2, high: Vec2, largest: f32) -> Self {
        let size = high - low;
        let counts = (size / (2.0 * largest)).floor().clamp(Vec2::ONE, Vec2::splat(Self::MAX_CELLS));
        let (columns, rows) = (counts.x as usize, counts.y as usize);
        Self { low, cell: size / counts, columns, rows, cells: vec![Vec::new(); columns * rows], discs: Vec::new() }
    }

    fn touched(&self, centre: Vec2, radius: f32) -> impl Iterator<Item = usize> + use<> {
        // Casts from float to integer stop at zero and at the greatest number.
        let low = (centre - radius - self.low) / self.cell;
        let high = (centre + radius - self.low) / self.cell;
        let outside = high.min_element() < 0.0;
        let (left, right) = (low.x as usize, (high.x as usize).min(self.columns - 1));
        let (bottom, top) = (low.y as usize, (high.y as usize).min(self.rows - 1));
        let columns = self.columns;
        (bottom..=top)
            .flat_map(move |row| (left..=right).map(move |column| row * columns + column))
            .filter(move |_| !outside)
    }

    fn add(&mut self, centre: Vec2, radius: f32) {
        let index = self.discs.len() as u32;
        self.discs.push((centre, radius));
        for cell in self.touched(centre, radius) {
            self.cells[cell].push(index);
        }
    }

    fn is_free(&self, centre: Vec2, radius: f32) -> bool {
        self.touched(centre, radius).flat_map(|cell| &self.cells[cell]).all(|&other| {
            let (place, size) = self.discs[other as usize];
            let sum = size + radius;
            centre.distance_squared(place) > sum * sum
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn discs_lie_inside_and_apart_also_from_earlier_ones() {
        let mut contents = Contents::default();
        contents.discs.push(DiscEntry { radius: 3.0, ..DiscEntry::default() });
        RandomFill { count: 200, speed: 2.0, ..RandomFill::default() }.run(&mut contents).unwrap();
        for (i, a) in contents.discs.iter().enumerate() {
            assert!(a.position.abs().max_element() + a.radius <= 10.0 + 1e-5);
            assert!(a.velocity.length() <= 2.0 + 1e-5);
            for b in &contents.discs[..i] {
                assert!(a.position.distance(b.position) >= a.radius + b.radius - 1e-5);
            }
        }
    }

    #[test]
    fn too_many_discs_are_rejected_with_a_count() {
        let fill = RandomFill { count: 5000, half_size: Vec2::splat(2.0), ..RandomFill::default() };
        let problem = fill.run(&mut Contents::default()).unwrap_err();
        assert!(problem.contains("of 5000 discs fit"), "{problem}");
    }
}
