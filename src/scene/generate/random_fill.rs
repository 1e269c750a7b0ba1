//! Random fill: discs of random sizes at random places, without overlaps.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::{Generate, check_count, check_speed};
use crate::{
    collision::{Bounds, Tree},
    components::{InvalidValue, Mass, Radius, check_field},
    random::Random,
    scene::{Hex, contents::Contents, entries::DiscEntry, registry::SceneRegistry, whole::read_count},
};

/// Discs of random sizes at random places within a rectangle. They overlap neither each other nor earlier discs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RandomFill {
    /// Number of discs. Default: 100.
    #[serde(deserialize_with = "read_count")]
    pub count: usize,
    /// The centre of the rectangle, metres. Default: zero.
    pub centre: Vec2,
    /// Half the width and height of the rectangle, metres. Discs lie entirely inside. Default: 10 each.
    pub half_size: Vec2,
    /// The smallest and the largest radius, metres; uniform between them. Default: 0.2 and 0.5.
    pub radius: (f32, f32),
    /// Mass per area, kg/m². Default: 1.
    pub density: f32,
    /// The largest speed, m/s, zero or more; speeds are uniform from 0 to it, directions from all sides. Default: 0.
    pub speed: f32,
    /// The colours, used in turn. Default: none, so that each disc has a colour by its number in the scene.
    pub colours: Vec<Hex>,
    /// The seed of the random numbers. Default: 0.
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

/// The number of places tried for each disc. After this many failures, the rectangle is as full as random places allow.
const TRIES: usize = 2000;

/// The budget of comparisons with other discs, per disc to make, before the rectangle counts as full. Equal discs that
/// fill 0.45 of it take less than a tenth of this. At 0.547 random places run out.
const LOOKS_PER_DISC: usize = 2000;

/// An additional budget for all discs together, because a few discs may use all of their tries.
const MORE_LOOKS: usize = 200_000;

impl Generate for RandomFill {
    fn run(&self, contents: &mut Contents, _: &SceneRegistry) -> Result<(), InvalidValue> {
        let (smallest, largest) = self.radius;
        check_count(self.count, contents)?;
        check_field("radius", &Radius(smallest))?;
        check_field("radius", &Radius(largest))?;
        InvalidValue::check_positive("density", self.density, "kg/m²")?;
        InvalidValue::check_coordinates("centre", self.centre)?;
        check_speed("speed", self.speed)?;
        InvalidValue::check_positive("half_size", self.half_size.min_element(), "m")?;
        InvalidValue::check_positive("half_size", self.half_size.max_element(), "m")?;
        if smallest > largest {
            return Err(InvalidValue::new("radius", vec2(smallest, largest), "the smaller one comes first"));
        }
        if largest > self.half_size.min_element() {
            let remedy = format!("half_size {} has no room for the larger one", self.half_size);
            return Err(InvalidValue::new("radius", vec2(smallest, largest), remedy));
        }
        if self.count == 0 {
            return Ok(());
        }
        let mut random = Random::new(self.seed);
        let rect = Rect { min: self.centre - self.half_size, max: self.centre + self.half_size };
        let mut occupied = Occupied::new(rect, largest, self.count, &contents.discs);
        for i in 0..self.count {
            let radius = random.between(smallest, largest);
            let reach = self.half_size - radius;
            let free = (0..TRIES)
                .map(|_| self.centre + random.within(-reach, reach))
                .find(|&place| occupied.is_free(place, radius));
            let Some(position) = free else {
                let remedy = format!(
                    "only {i} of {} discs fit; ask for fewer or smaller ones, or a larger half_size",
                    self.count
                );
                return Err(InvalidValue::without_value("count", remedy));
            };
            occupied.add(position, radius);
            let velocity = random.direction() * (self.speed * random.unit());
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

    fn count_mut(&mut self) -> Option<&mut usize> {
        Some(&mut self.count)
    }

    fn seed_mut(&mut self) -> Option<&mut u64> {
        Some(&mut self.seed)
    }
}

/// The discs in the rectangle: earlier discs in a tree, its own discs in a grid.
///
/// Memory and time are proportional to the number of discs, whatever their sizes.
struct Occupied {
    earlier: Tree,
    earlier_discs: Vec<(Vec2, f32)>,
    near: Vec<u32>,
    low: Vec2,
    cell: Vec2,
    columns: usize,
    rows: usize,
    /// Every cell lists the discs whose bounding squares overlap it.
    cells: Vec<Vec<u32>>,
    discs: Vec<(Vec2, f32)>,
    /// The remaining number of comparisons.
    looks: usize,
}

impl Occupied {
    /// The largest number of cells along a side. More would only cost memory.
    const MAX_CELLS: f32 = 1024.0;

    /// The largest number of cells per disc to make. In a full rectangle there are about two.
    const CELLS_PER_DISC: usize = 4;

    fn new(rect: Rect, largest: f32, count: usize, earlier: &[DiscEntry]) -> Self {
        let whole = Bounds::new(rect.min, rect.max);
        let mut earlier_discs = Vec::new();
        let mut boxes = Vec::new();
        for disc in earlier {
            let bounds = bounds_of(disc.position, disc.radius);
            if bounds.overlaps(whole) {
                boxes.push((bounds, earlier_discs.len() as u32));
                earlier_discs.push((disc.position, disc.radius));
            }
        }
        let size = rect.size();
        let mut counts = (size / (2.0 * largest)).floor().clamp(Vec2::ONE, Vec2::splat(Self::MAX_CELLS));
        let most = (Self::CELLS_PER_DISC * count) as f32;
        if counts.element_product() > most {
            counts = (counts * (most / counts.element_product()).sqrt()).floor().max(Vec2::ONE);
            // A thin rectangle is divided along one side only.
            counts = counts.min(most / counts.yx()).floor();
        }
        let (columns, rows) = (counts.x as usize, counts.y as usize);
        Self {
            earlier: Tree::new(&mut boxes),
            earlier_discs,
            near: Vec::new(),
            low: rect.min,
            cell: size / counts,
            columns,
            rows,
            cells: vec![Vec::new(); columns * rows],
            discs: Vec::new(),
            looks: count.saturating_mul(LOOKS_PER_DISC).saturating_add(MORE_LOOKS),
        }
    }

    /// The cells that overlap the bounding square of a disc within the rectangle.
    fn touched(&self, centre: Vec2, radius: f32) -> impl Iterator<Item = usize> + use<> {
        // Casts from float to integer saturate at zero and at the largest number.
        let low = (centre - radius - self.low) / self.cell;
        let high = (centre + radius - self.low) / self.cell;
        let (left, right) = (low.x as usize, (high.x as usize).min(self.columns - 1));
        let (bottom, top) = (low.y as usize, (high.y as usize).min(self.rows - 1));
        let columns = self.columns;
        (bottom..=top).flat_map(move |row| (left..=right).map(move |column| row * columns + column))
    }

    fn add(&mut self, centre: Vec2, radius: f32) {
        let index = self.discs.len() as u32;
        self.discs.push((centre, radius));
        for cell in self.touched(centre, radius) {
            self.cells[cell].push(index);
        }
    }

    /// Whether a disc touches no other. Once the budget of comparisons is spent, no place is free.
    fn is_free(&mut self, centre: Vec2, radius: f32) -> bool {
        let is_apart = |&(place, size): &(Vec2, f32)| {
            let sum = size + radius;
            centre.distance_squared(place) > sum * sum
        };
        let mut looks = 1;
        let mut is_free = true;
        for cell in self.touched(centre, radius) {
            let hit = self.cells[cell].iter().position(|&other| !is_apart(&self.discs[other as usize]));
            looks += hit.map_or(self.cells[cell].len(), |before| before + 1);
            is_free &= hit.is_none();
            if !is_free {
                break;
            }
        }
        if is_free && !self.earlier_discs.is_empty() {
            self.earlier.first_overlapping(bounds_of(centre, radius), self.looks.max(1), &mut self.near);
            looks += self.near.len();
            is_free = self.near.iter().all(|&other| is_apart(&self.earlier_discs[other as usize]));
        }
        is_free &= looks < self.looks;
        self.looks = self.looks.saturating_sub(looks);
        is_free
    }
}

/// The bounding box of a disc, enlarged by more than the rounding error of a distance.
fn bounds_of(centre: Vec2, radius: f32) -> Bounds {
    let reach = radius + 1e-6 * (radius + centre.abs().max_element());
    Bounds::around(centre, reach)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(fill: &RandomFill, contents: &mut Contents) -> Result<(), InvalidValue> {
        fill.run(contents, &SceneRegistry::default())
    }

    #[test]
    fn discs_lie_inside_and_apart_also_from_earlier_ones() {
        let mut contents = Contents::default();
        contents.discs.push(DiscEntry { radius: 3.0, ..DiscEntry::default() });
        run(&RandomFill { count: 200, speed: 2.0, ..RandomFill::default() }, &mut contents).unwrap();
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
        let problem = run(&fill, &mut Contents::default()).unwrap_err().to_string();
        assert!(problem.contains("of 5000 discs fit"), "{problem}");
    }

    /// Runs the generator after `earlier` copies of a disc.
    fn filled(earlier: usize, disc: &DiscEntry, fill: &RandomFill) -> (Contents, Result<(), InvalidValue>) {
        let mut contents = Contents { discs: vec![disc.clone(); earlier], ..Contents::default() };
        let result = run(fill, &mut contents);
        (contents, result)
    }

    #[test]
    fn the_grid_is_no_larger_than_the_discs_asked_for_pay_for() {
        for (half_size, largest) in [(1.0, 0.0005), (1e12, 1e-12), (1e6, 0.1), (10.0, 0.5)] {
            for count in [1, 10, 1000, 50_000] {
                let rect = Rect { min: Vec2::splat(-half_size), max: Vec2::splat(half_size) };
                let occupied = Occupied::new(rect, largest, count, &[]);
                assert!(occupied.cells.len() <= 4 * count, "{count} discs, {} cells", occupied.cells.len());
            }
        }
        let thin = Occupied::new(Rect::new(0.0, 0.0, 1e9, 1.0), 0.5, 10, &[]);
        assert!(thin.cells.len() <= 40, "{}", thin.cells.len());
    }

    #[test]
    fn large_discs_over_a_rectangle_of_tiny_ones_take_one_place_each() {
        let large = DiscEntry { radius: 9.0, ..DiscEntry::default() };
        let rect = Rect::new(-1.0, -1.0, 1.0, 1.0);
        let occupied = Occupied::new(rect, 0.0005, 1, &vec![large.clone(); 60_000]);
        assert_eq!(occupied.earlier_discs.len(), 60_000);
        assert!(occupied.cells.iter().all(Vec::is_empty));
        let fill =
            |count| RandomFill { count, half_size: Vec2::ONE, radius: (0.0005, 0.0005), ..RandomFill::default() };
        assert_eq!(filled(60_000, &large, &fill(0)).1, Ok(()));
        let problem = filled(60_000, &large, &fill(100)).1.unwrap_err().to_string();
        assert!(problem.contains("only 0 of 100 discs fit"), "{problem}");
    }

    /// The earlier discs lie in the corner of every candidate's box without touching the candidate, so each try
    /// compares with all of them.
    #[test]
    fn a_crowd_that_every_place_is_compared_with_does_not_take_for_ever() {
        let crowd = DiscEntry { position: Vec2::splat(0.99), radius: 1e-6, ..DiscEntry::default() };
        let fill = RandomFill { count: 500, half_size: Vec2::ONE, radius: (0.9, 0.9), ..RandomFill::default() };
        let mut contents = Contents { discs: vec![crowd; 10_000], ..Contents::default() };
        let rect = Rect::new(-1.0, -1.0, 1.0, 1.0);
        let mut occupied = Occupied::new(rect, 0.9, 500, &contents.discs);
        let paid = occupied.looks;
        let mut tries = 0;
        while occupied.looks > 0 {
            occupied.is_free(Vec2::splat(0.09), 0.9);
            tries += 1;
        }
        assert!(tries <= paid / 10_000 + 1, "{tries} tries");
        assert!(run(&fill, &mut contents).unwrap_err().to_string().contains("of 500 discs fit"));
    }

    #[test]
    fn discs_that_fill_a_rectangle_take_a_tenth_of_the_comparisons_at_most() {
        let radius = 0.2;
        let (half_size, reach) = (Vec2::splat(20.0), Vec2::splat(20.0 - radius));
        let count = (0.45 * 40.0 * 40.0 / (std::f32::consts::PI * radius * radius)) as usize;
        let rect = Rect::from_center_half_size(Vec2::ZERO, half_size);
        let mut occupied = Occupied::new(rect, radius, count, &[]);
        let paid = occupied.looks;
        let mut random = Random::new(0);
        for _ in 0..count {
            let mut places = std::iter::repeat_with(|| random.within(-reach, reach));
            let place = places.find(|&place| occupied.is_free(place, radius)).unwrap();
            occupied.add(place, radius);
        }
        let looks = paid - occupied.looks;
        assert!(looks < paid / 10, "{looks} of {paid}");
        let fill = |count| RandomFill { count, half_size, radius: (radius, radius), ..RandomFill::default() };
        assert_eq!(run(&fill(count), &mut Contents::default()), Ok(()));
        assert!(run(&fill(2 * count), &mut Contents::default()).is_err());
    }
}
