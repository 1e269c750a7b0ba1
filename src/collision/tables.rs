//! The tables of the ECS, in which discs lie, and how they get from there into the arrays of a tick and back. The data and
//! the inner loops of `Gather`, and what `Scatter` needs for the way back.

use bevy::prelude::*;
use core::ops::Range;

use super::{
    gather::{Refusal, check_disc},
    lanes::{Job, Lanes, Sixteen},
    settings::LIMIT,
    space::{Bodies, Disc, DiscComponentsContiguousItem},
    threads::{self, Threads, take},
};
use crate::body::{Ball, Mass, Position, Radius, Restitution, StableId, Velocity};

/// The query of `Gather` reads these tables, and that of `Scatter` writes them, in the same order.
pub(super) type IsDisc = (With<Ball>, With<StableId>, With<Position>, With<Velocity>, With<Radius>, With<Mass>);

/// How the tables of the ECS lie to the arrays of [`Bodies`], for the way there and back. What is in it follows from the
/// components; it is kept between ticks for its memory, and because the tables rarely change.
///
/// Rows that follow each other in a table and in the arrays are copied whole, as a stretch. Where every disc is of one kind there
/// is one stretch. One that is refused, one of another kind, and one that was despawned each cost another or two, and nothing
/// more. Where there would be a great many, as in tables in no order at all, the discs come as the tables have them and are
/// put in order afterwards.
#[derive(Clone, Debug, Default)]
pub(super) struct Tables {
    /// How many rows each table has.
    lengths: Vec<usize>,
    /// The rows that are copied, in the order in which they lie in the arrays.
    stretches: Vec<Stretch>,
    /// The table and row of each disc that is refused.
    refused: Vec<(usize, usize)>,
    /// Whether the stretches are just the tables, one after the other, without those that are refused.
    plain: bool,
    /// The stretches that would bring the discs in their order of resolution, if they are few; for the next tick.
    better: Vec<Stretch>,
    /// The discs as they came, if that is not their order of resolution.
    discs: Bodies,
    /// For each disc in its order its place among those; empty if they came in order.
    row: Vec<u32>,
}

/// Rows of a table that are discs of the arrays in the same order.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Stretch {
    /// The table, counted as the query gives them.
    pub(super) table: usize,
    /// Its rows.
    pub(super) rows: Range<usize>,
    /// The place of the first one among all discs that are copied.
    first: usize,
}

impl Stretch {
    /// The places of its discs among all that are copied.
    pub(super) fn places(&self) -> Range<usize> {
        self.first..self.first + self.rows.len()
    }
}

/// To copy a stretch costs as much as to put so many discs in order.
const STRETCH: usize = 16;

/// Discs as they were copied.
pub(super) struct Rows<'a> {
    pub(super) stretches: &'a [Stretch],
    pub(super) entity: &'a [Entity],
    pub(super) position: &'a [Vec2],
    pub(super) velocity: &'a [Vec2],
}

/// The discs of one table, column by column.
#[derive(Clone)]
pub(super) struct Columns<'a> {
    entity: &'a [Entity],
    id: &'a [StableId],
    position: &'a [Position],
    velocity: &'a [Velocity],
    radius: &'a [Radius],
    mass: &'a [Mass],
    restitution: Option<&'a [Restitution]>,
}

impl<'a> Columns<'a> {
    pub(super) fn of(table: DiscComponentsContiguousItem<'a, '_>) -> Self {
        let DiscComponentsContiguousItem { entity, id, position, velocity, radius, mass, restitution } = table;
        Self { entity, id, position, velocity, radius, mass, restitution }
    }

    fn rows(&self, rows: Range<usize>) -> Self {
        Self {
            entity: &self.entity[rows.clone()],
            id: &self.id[rows.clone()],
            position: &self.position[rows.clone()],
            velocity: &self.velocity[rows.clone()],
            radius: &self.radius[rows.clone()],
            mass: &self.mass[rows.clone()],
            restitution: self.restitution.map(|column| &column[rows]),
        }
    }

    fn disc(&self, row: usize) -> Disc {
        Disc {
            entity: self.entity[row],
            id: self.id[row].0,
            position: self.position[row].0,
            velocity: self.velocity[row].0,
            radius: self.radius[row].0,
            mass: self.mass[row].0,
            restitution: self.restitution.map(|column| column[row].0),
        }
    }

    /// Whether every disc can be simulated; see [`check_disc`].
    ///
    /// Positive numbers are ordered as their bits are, NaN is above them all and what is negative above that: so the least
    /// and the greatest of the bits tell, and are found for many discs at once.
    #[inline(always)]
    fn are_sound(&self) -> bool {
        let magnitude = |v: Vec2| (v.x.to_bits() & !SIGN).max(v.y.to_bits() & !SIGN);
        let finite = |magnitudes: (u32, u32)| magnitudes.1 <= LIMIT.to_bits();
        let positive = |values: (u32, u32)| values.0 >= (1.0 / LIMIT).to_bits() && values.1 <= LIMIT.to_bits();
        finite(least_and_greatest(self.position.iter().map(|position| magnitude(position.0))))
            && finite(least_and_greatest(self.velocity.iter().map(|velocity| magnitude(velocity.0))))
            && positive(least_and_greatest(self.radius.iter().map(|radius| radius.0.to_bits())))
            && positive(least_and_greatest(self.mass.iter().map(|mass| mass.0.to_bits())))
            && self.restitution.is_none_or(|column| column.iter().all(|e| (0.0..=1.0).contains(&e.0)))
    }
}

/// The sign bit of an `f32`.
const SIGN: u32 = 1 << 31;

#[inline(always)]
fn least_and_greatest(bits: impl Iterator<Item = u32>) -> (u32, u32) {
    bits.fold((u32::MAX, 0), |(least, greatest), bits| (least.min(bits), greatest.max(bits)))
}

/// Whether all are true; without leaving early, so that many are compared at once.
#[inline(always)]
fn all(each: impl Iterator<Item = bool>) -> bool {
    each.fold(true, |all, this| all & this)
}

/// Where the values of some discs go.
struct Slots<'a> {
    entity: &'a mut [Entity],
    id: &'a mut [u64],
    position: &'a mut [Vec2],
    velocity: &'a mut [Vec2],
    radius: &'a mut [f32],
    mass: &'a mut [f32],
    restitution: &'a mut [Option<f32>],
}

impl<'a> Slots<'a> {
    fn of(bodies: &'a mut Bodies) -> Self {
        let Bodies { entity, id, position, velocity, radius, mass, restitution, .. } = bodies;
        Self { entity, id, position, velocity, radius, mass, restitution }
    }

    /// The first `count` of them; the rest stays.
    fn take(&mut self, count: usize) -> Self {
        Self {
            entity: take(&mut self.entity, count),
            id: take(&mut self.id, count),
            position: take(&mut self.position, count),
            velocity: take(&mut self.velocity, count),
            radius: take(&mut self.radius, count),
            mass: take(&mut self.mass, count),
            restitution: take(&mut self.restitution, count),
        }
    }
}

/// Takes over the discs of some places.
struct Copy<'a> {
    tables: &'a [Columns<'a>],
    stretches: &'a [Stretch],
    places: Range<usize>,
    into: Slots<'a>,
}

/// Which discs that were taken over cannot be simulated, by table and row; whether they came in order, and the first and the
/// last id.
struct Copied {
    unsound: Vec<(usize, usize)>,
    in_order: bool,
    ends: Option<(u64, u64)>,
}

impl Job for Copy<'_> {
    type Output = Copied;

    #[inline(always)]
    fn run<L: Sixteen>(self, _: L) -> Copied {
        /// So many rows are read, checked and written before the next, while they are at hand.
        const BLOCK: usize = 512;
        let Self { tables, stretches, places, mut into } = self;
        let mut copied = Copied { unsound: Vec::new(), in_order: true, ends: None };
        let from = stretches.partition_point(|stretch| stretch.places().end <= places.start);
        for stretch in &stretches[from..] {
            let within = stretch.places();
            if within.start >= places.end {
                break;
            }
            let skip = places.start.saturating_sub(within.start);
            let rows = stretch.rows.start + skip..stretch.rows.end - within.end.saturating_sub(places.end);
            for start in rows.clone().step_by(BLOCK) {
                let rows = start..rows.end.min(start + BLOCK);
                let from = tables[stretch.table].rows(rows.clone());
                let Slots { entity, id, position, velocity, radius, mass, restitution } = into.take(rows.len());
                if !from.are_sound() {
                    let unsound = rows.filter(|&row| check_disc(&tables[stretch.table].disc(row)).is_err());
                    copied.unsound.extend(unsound.map(|row| (stretch.table, row)));
                }
                entity.copy_from_slice(from.entity);
                for k in 0..id.len() {
                    id[k] = from.id[k].0;
                }
                copied.in_order &= all(id.windows(2).map(|ids| ids[0] < ids[1]));
                let (first, last) = copied.ends.unwrap_or((id[0], id[0]));
                copied.in_order &= copied.ends.is_none() || last < id[0];
                copied.ends = Some((first, id[id.len() - 1]));
                for k in 0..position.len() {
                    position[k] = from.position[k].0;
                }
                for k in 0..velocity.len() {
                    velocity[k] = from.velocity[k].0;
                }
                for k in 0..radius.len() {
                    radius[k] = from.radius[k].0;
                }
                for k in 0..mass.len() {
                    mass[k] = from.mass[k].0;
                }
                match from.restitution {
                    Some(column) => {
                        for k in 0..restitution.len() {
                            restitution[k] = Some(column[k].0);
                        }
                    }
                    None => restitution.fill(None),
                }
            }
        }
        copied
    }
}

impl Tables {
    /// Takes over all discs that can be simulated, in their order of resolution, and tells of the others why not.
    pub(super) fn gather(
        &mut self,
        tables: &[Columns],
        bodies: &mut Bodies,
        (lanes, threads): (Lanes, Threads),
        mut refuse: impl FnMut(Entity, Refusal),
    ) {
        let same = self.lengths.iter().copied().eq(tables.iter().map(|table| table.entity.len()));
        let still_refused = |&(table, row): &(usize, usize)| check_disc(&tables[table].disc(row)).is_err();
        if !same || !self.refused.iter().all(still_refused) {
            self.lengths.clear();
            self.lengths.extend(tables.iter().map(|table| table.entity.len()));
            self.refused.clear();
            self.lay_out_plainly();
        } else if !self.better.is_empty() {
            std::mem::swap(&mut self.stretches, &mut self.better);
            self.plain = false;
        }
        self.better.clear();
        let in_order = loop {
            let (unsound, in_order) = self.copy(tables, bodies, lanes, threads);
            if unsound.is_empty() && (in_order || self.plain) {
                break in_order;
            }
            self.refused.extend(unsound);
            self.refused.sort_unstable();
            self.lay_out_plainly();
        };
        for &(table, row) in &self.refused {
            let disc = tables[table].disc(row);
            if let Err(refusal) = check_disc(&disc) {
                refuse(disc.entity, refusal);
            }
        }
        if in_order {
            self.row.clear();
        } else {
            self.restore_order(bodies);
        }
    }

    /// Every table as it is, without the rows that are refused.
    fn lay_out_plainly(&mut self) {
        self.plain = true;
        self.stretches.clear();
        let (mut refused, mut first) = (self.refused.iter().peekable(), 0);
        for (table, &length) in self.lengths.iter().enumerate() {
            let mut start = 0;
            while start <= length {
                let end = refused.next_if(|&&(other, _)| other == table).map_or(length, |&(_, row)| row);
                if start < end {
                    self.stretches.push(Stretch { table, rows: start..end, first });
                    first += end - start;
                }
                start = end + 1;
            }
        }
    }

    /// Copies all stretches; which rows cannot be simulated, and whether the discs came in order.
    fn copy(
        &self,
        tables: &[Columns],
        bodies: &mut Bodies,
        lanes: Lanes,
        threads: Threads,
    ) -> (Vec<(usize, usize)>, bool) {
        let count = self.stretches.last().map_or(0, |stretch| stretch.places().end);
        bodies.resize(count);
        let mut slots = Slots::of(bodies);
        let jobs = threads.divide(count, 3).into_iter().map(|places| {
            let job = Copy { tables, stretches: &self.stretches, into: slots.take(places.len()), places };
            move || lanes.run(job)
        });
        let copied = threads::run(jobs.collect());
        let ends: Vec<(u64, u64)> = copied.iter().filter_map(|part| part.ends).collect();
        let in_order = copied.iter().all(|part| part.in_order) && ends.windows(2).all(|two| two[0].1 < two[1].0);
        (copied.into_iter().flat_map(|part| part.unsound).collect(), in_order)
    }

    /// Puts the discs into their order of resolution, and notes how they can come in it the next time.
    fn restore_order(&mut self, bodies: &mut Bodies) {
        std::mem::swap(&mut self.discs, bodies);
        let discs = &self.discs;
        let rank = |row: u32| (discs.id[row as usize], discs.entity[row as usize]);
        if self.row.len() != discs.entity.len() || !self.row.is_sorted_by_key(|&row| rank(row)) {
            self.row.clear();
            self.row.extend(0..discs.entity.len() as u32);
            // The stable sort makes use of the runs in which the tables lie.
            self.row.sort_by_key(|&row| rank(row));
        }
        discs.reordered(&self.row, bodies);
        // Equal ids are told apart only by what is done above.
        if bodies.id.is_sorted_by(|a, b| a < b) {
            self.find_better_stretches();
        }
    }

    /// Finds the stretches that the order of resolution consists of, unless they are too many.
    fn find_better_stretches(&mut self) {
        let Self { stretches, row, better, .. } = self;
        let most = row.len() / STRETCH;
        let breaks = |two: &[u32]| two[0] + 1 != two[1];
        if row.windows(2).filter(|two| breaks(two)).count() + stretches.len() > most {
            return;
        }
        let mut first = 0;
        for run in row.chunk_by(|&a, &b| !breaks(&[a, b])) {
            let (start, end) = (run[0] as usize, run[0] as usize + run.len());
            // Rows that follow each other as they came may still lie in several tables, or have some between them that are refused.
            let from = stretches.partition_point(|stretch| stretch.places().end <= start);
            for stretch in stretches[from..].iter().take_while(|stretch| stretch.first < end) {
                let places = stretch.first.max(start)..stretch.places().end.min(end);
                let begin = stretch.rows.start + places.start - stretch.first;
                better.push(Stretch { table: stretch.table, rows: begin..begin + places.len(), first });
                first += places.len();
            }
        }
    }

    /// The discs as they were copied, with what the tick has made of them.
    pub(super) fn rows<'a>(&'a mut self, bodies: &'a Bodies) -> Rows<'a> {
        let Self { lengths, stretches, better, discs, row, .. } = self;
        if stretches.last().map_or(0, |stretch| stretch.places().end) != bodies.len() {
            // A system between the steps has added discs to the arrays or taken some out.
            row.clear();
            stretches.clear();
            better.clear();
            lengths.clear();
        }
        if !row.is_empty() {
            for (disc, &row) in row.iter().enumerate() {
                discs.position[row as usize] = bodies.position[disc];
                discs.velocity[row as usize] = bodies.velocity[disc];
            }
        }
        let discs = if row.is_empty() { bodies } else { discs };
        Rows { stretches, entity: &discs.entity, position: &discs.position, velocity: &discs.velocity }
    }
}
