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

/// How the tables of the ECS lie to the arrays of [`Bodies`], for the way back. What is in it follows from the components;
/// it is kept between ticks for its memory, and because the order of the discs rarely changes.
#[derive(Clone, Debug, Default)]
pub(super) struct Tables {
    /// The rows of each table, counted over all of them; without the discs that were refused.
    spans: Vec<Range<usize>>,
    /// The discs as they came, if that is not their order of resolution.
    discs: Bodies,
    /// The row of each disc; empty if they came in order.
    row: Vec<u32>,
}

/// Discs row by row, as they lie in the tables.
pub(super) struct Rows<'a> {
    pub(super) spans: &'a [Range<usize>],
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

/// Takes over some rows of a table.
struct Copy<'a> {
    from: Columns<'a>,
    into: Slots<'a>,
}

/// Whether rows that were taken over can be simulated, whether they came in order, and the first and the last id.
struct Copied {
    sound: bool,
    in_order: bool,
    first: u64,
    last: u64,
}

impl Job for Copy<'_> {
    type Output = Copied;

    #[inline(always)]
    fn run<L: Sixteen>(self, _: L) -> Copied {
        /// So many rows are read, checked and written before the next, while they are at hand.
        const BLOCK: usize = 512;
        let Self { from, mut into } = self;
        let count = from.entity.len();
        let (first, last) = (from.id.first().map_or(0, |id| id.0), from.id.last().map_or(0, |id| id.0));
        let (mut sound, mut in_order, mut before) = (true, true, first);
        for start in (0..count).step_by(BLOCK) {
            let end = count.min(start + BLOCK);
            let from = from.rows(start..end);
            let Slots { entity, id, position, velocity, radius, mass, restitution } = into.take(end - start);
            sound &= from.are_sound();
            entity.copy_from_slice(from.entity);
            for k in 0..id.len() {
                id[k] = from.id[k].0;
            }
            in_order &= all(id.windows(2).map(|ids| ids[0] < ids[1]));
            in_order &= start == 0 || before < id[0];
            before = id[id.len() - 1];
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
        Copied { sound, in_order, first, last }
    }
}

impl Tables {
    /// Takes over all rows, and tells whether they came in order; or nothing if there is a disc among them that cannot be
    /// simulated.
    pub(super) fn copy(
        &mut self,
        tables: &[Columns],
        bodies: &mut Bodies,
        lanes: Lanes,
        threads: Threads,
    ) -> Option<bool> {
        self.spans.clear();
        let mut count = 0;
        for table in tables {
            self.spans.push(count..count + table.entity.len());
            count += table.entity.len();
        }
        bodies.resize(count);
        let mut slots = Slots::of(bodies);
        let mut jobs = Vec::new();
        for table in tables.iter().filter(|table| !table.entity.is_empty()) {
            for rows in threads.divide(table.entity.len(), 3) {
                let job = Copy { into: slots.take(rows.len()), from: table.rows(rows) };
                jobs.push(move || lanes.run(job));
            }
        }
        let copied = threads::run(jobs);
        let in_order =
            copied.iter().all(|part| part.in_order) && copied.windows(2).all(|two| two[0].last < two[1].first);
        copied.iter().all(|part| part.sound).then_some(in_order)
    }

    /// Takes over the discs that can be simulated, and tells of the others why not.
    pub(super) fn copy_one_by_one(
        &mut self,
        tables: &[Columns],
        bodies: &mut Bodies,
        mut refuse: impl FnMut(Entity, Refusal),
    ) {
        bodies.clear();
        self.spans.clear();
        for table in tables {
            let first = bodies.len();
            for row in 0..table.entity.len() {
                let disc = table.disc(row);
                match check_disc(&disc) {
                    Ok(()) => bodies.push(disc),
                    Err(refusal) => refuse(disc.entity, refusal),
                }
            }
            self.spans.push(first..bodies.len());
        }
    }

    /// The discs came in their order of resolution.
    pub(super) fn came_in_order(&mut self) {
        self.row.clear();
    }

    /// Puts the discs into their order of resolution.
    pub(super) fn restore_order(&mut self, bodies: &mut Bodies) {
        std::mem::swap(&mut self.discs, bodies);
        let discs = &self.discs;
        let rank = |row: u32| (discs.id[row as usize], discs.entity[row as usize]);
        if self.row.len() != discs.entity.len() || !self.row.is_sorted_by_key(|&row| rank(row)) {
            self.row.clear();
            self.row.extend(0..discs.entity.len() as u32);
            self.row.sort_unstable_by_key(|&row| rank(row));
        }
        discs.reordered(&self.row, bodies);
    }

    /// The discs as the tables have them, with what the tick has made of them.
    pub(super) fn rows<'a>(&'a mut self, bodies: &'a Bodies) -> Rows<'a> {
        let Self { spans, discs, row } = self;
        if spans.last().map_or(0, |span| span.end) != bodies.len() {
            // A system between the steps has added discs to the arrays or taken some out.
            row.clear();
            spans.clear();
            spans.push(0..bodies.len());
        }
        if !row.is_empty() {
            for (disc, &row) in row.iter().enumerate() {
                discs.position[row as usize] = bodies.position[disc];
                discs.velocity[row as usize] = bodies.velocity[disc];
            }
        }
        let discs = if row.is_empty() { bodies } else { discs };
        Rows { spans, entity: &discs.entity, position: &discs.position, velocity: &discs.velocity }
    }
}
