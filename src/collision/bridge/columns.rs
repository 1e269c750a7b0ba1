//! Columns: copies discs between the tables of the ECS and the arrays of a tick. It holds the data and inner loops of
//! `Gather`, and the layout that `Scatter` needs for the way back.

use bevy::prelude::*;
use core::ops::Range;

use crate::{
    collision::{
        discs::{DiscComponentsContiguousItem, DiscState, Discs, KinematicDisc, spin},
        simd::{Kernel, SimdLevel, SimdWidth},
        threads::{self, Threads, take},
        tick::Compute,
        validation::check_disc,
    },
    components::{
        AngularVelocity, Ball, InPlay, InvalidValue, Kinematic, LIMIT, Mass, MoveTo, Position, Radius, Restitution,
        StableId, Velocity, is_within_limit, is_within_limit_3d,
    },
};

/// The query of `Gather` reads these tables and the query of `Scatter` writes them, in the same order.
pub type IsDisc = (InPlay, With<StableId>, With<Position>, With<Velocity>, With<Radius>, With<Mass>);

/// How the tables of the ECS map to the arrays of [`Discs`], in both directions. It follows from the components. It is
/// kept between ticks to reuse its memory, and because the tables rarely change.
///
/// Rows that are consecutive both in a table and in the arrays are copied as one range. If all discs have the same
/// components, there is one range. Each rejected disc, each disc with other components and each despawned disc adds one
/// or two ranges. If there would be too many ranges, as with unordered tables, the discs are copied in table order and
/// sorted afterwards.
#[derive(Resource, Clone, Debug, Default)]
pub struct ColumnLayout {
    /// The number of rows of each table.
    lengths: Vec<usize>,
    /// The copied rows, in the order of the arrays.
    row_ranges: Vec<RowRange>,
    /// The table and row of each rejected disc.
    invalid: Vec<(usize, usize)>,
    /// Whether the ranges are just the tables in order, without the rejected rows.
    in_table_order: bool,
    /// The ranges that would copy the discs in their order of resolution, if they are few; for the next tick.
    ordered_ranges: Vec<RowRange>,
    /// The discs as copied, if that is not their order of resolution.
    unordered: Discs,
    /// For each disc in order, its place in `unordered`; empty if the discs were copied in order.
    row: Vec<u32>,
}

/// Rows of a table that are consecutive discs of the arrays.
#[derive(Clone, Debug, PartialEq)]
pub struct RowRange {
    /// The table, in the order of the query.
    pub table: usize,
    /// Its rows.
    pub rows: Range<usize>,
    /// The place of the first one among all copied discs.
    first: usize,
}

impl RowRange {
    /// The places of its discs among all copied discs.
    pub fn places(&self) -> Range<usize> {
        self.first..self.first + self.rows.len()
    }
}

/// The cost of copying a range, as the number of discs that can be sorted in the same time.
const RANGE_COST: usize = 16;

/// Discs as they were copied.
pub struct Rows<'a> {
    pub row_ranges: &'a [RowRange],
    pub entity: &'a [Entity],
    pub position: &'a [Vec2],
    pub velocity: &'a [Vec2],
}

/// Defines the columns of a table of discs and the arrays that they are copied to, from one list: the component, and
/// its value in the array. Entities are handled separately, and so is restitution, which not all tables have.
macro_rules! define_columns {
    ($($name:ident: $component:ty => $value:ty),* $(,)?) => {
        /// The discs of one table, column by column.
        #[derive(Clone)]
        pub struct Columns<'a> {
            entity: &'a [Entity],
            $($name: &'a [$component],)*
            restitution: Option<&'a [Restitution]>,
            angular_velocity: Option<&'a [AngularVelocity]>,
            ball: Option<&'a [Ball]>,
            kinematic: Option<&'a [Kinematic]>,
            move_to: Option<&'a [MoveTo]>,
        }

        impl<'a> Columns<'a> {
            pub fn of(table: DiscComponentsContiguousItem<'a, '_>) -> Self {
                let DiscComponentsContiguousItem {
                    entity, restitution, angular_velocity, ball, kinematic, move_to, ..
                } = table;
                Self { entity, $($name: table.$name,)* restitution, angular_velocity, ball, kinematic, move_to }
            }

            fn rows(&self, rows: Range<usize>) -> Self {
                Self {
                    entity: &self.entity[rows.clone()],
                    $($name: &self.$name[rows.clone()],)*
                    restitution: self.restitution.map(|column| &column[rows.clone()]),
                    angular_velocity: self.angular_velocity.map(|column| &column[rows.clone()]),
                    ball: self.ball.map(|column| &column[rows.clone()]),
                    kinematic: self.kinematic.map(|column| &column[rows.clone()]),
                    move_to: self.move_to.map(|column| &column[rows]),
                }
            }

            fn disc(&self, row: usize) -> DiscState {
                DiscState {
                    entity: self.entity[row],
                    $($name: self.$name[row].0,)*
                    restitution: self.restitution.map(|column| column[row].0),
                    spin: self.angular_velocity.map(|column| spin(column[row], self.ball.is_some())),
                    kinematic: self.kinematic.is_some(),
                    move_to: self.kinematic.and(self.move_to).map(|column| column[row].0),
                }
            }
        }

        /// Swaps the columns of two sets of discs, and nothing else.
        fn swap_columns(one: &mut Discs, other: &mut Discs) {
            std::mem::swap(&mut one.entity, &mut other.entity);
            $(std::mem::swap(&mut one.$name, &mut other.$name);)*
            std::mem::swap(&mut one.restitution, &mut other.restitution);
        }

        /// Copies the columns of these rows, in their order.
        fn pick_columns(from: &Discs, rows: &[u32], into: &mut Discs) {
            pick(rows, &from.entity, &mut into.entity);
            $(pick(rows, &from.$name, &mut into.$name);)*
            pick(rows, &from.restitution, &mut into.restitution);
        }

        /// The destination for the values of some discs.
        struct ColumnsMut<'a> {
            entity: &'a mut [Entity],
            $($name: &'a mut [$value],)*
            restitution: &'a mut [Option<f32>],
        }

        impl<'a> ColumnsMut<'a> {
            fn of(discs: &'a mut Discs) -> Self {
                let Discs { entity, $($name,)* restitution, .. } = discs;
                Self { entity, $($name,)* restitution }
            }

            /// Takes the first `count`; the rest remains.
            fn take(&mut self, count: usize) -> Self {
                Self {
                    entity: take(&mut self.entity, count),
                    $($name: take(&mut self.$name, count),)*
                    restitution: take(&mut self.restitution, count),
                }
            }

            /// Copies as many discs as fit.
            #[inline(always)]
            fn copy_from(&mut self, from: &Columns) {
                self.entity.copy_from_slice(from.entity);
                $(
                    let (column, values) = (from.$name, &mut *self.$name);
                    for k in 0..values.len() {
                        values[k] = column[k].0;
                    }
                )*
                match from.restitution {
                    Some(column) => {
                        let values = &mut *self.restitution;
                        for k in 0..values.len() {
                            values[k] = Some(column[k].0);
                        }
                    }
                    None => self.restitution.fill(None),
                }
            }
        }
    };
}

fn pick<T: Copy>(rows: &[u32], from: &[T], into: &mut Vec<T>) {
    into.clear();
    into.extend(rows.iter().map(|&row| from[row as usize]));
}

define_columns! {
    id: StableId => u64,
    position: Position => Vec2,
    velocity: Velocity => Vec2,
    radius: Radius => f32,
    mass: Mass => f32,
}

impl Columns<'_> {
    /// Whether every disc can be simulated; see [`check_disc`].
    ///
    /// Positive numbers have the same order as their bits; the bits of a NaN are above them, and those of negative
    /// numbers above that. So the smallest and the largest bits decide, which is found for many discs at once.
    #[inline(always)]
    fn are_valid(&self) -> bool {
        let magnitude = |v: Vec2| (v.x.to_bits() & !SIGN).max(v.y.to_bits() & !SIGN);
        let fits = |magnitudes: (u32, u32)| magnitudes.1 <= LIMIT.to_bits();
        let positive = |values: (u32, u32)| values.0 >= (1.0 / LIMIT).to_bits() && values.1 <= LIMIT.to_bits();
        fits(min_and_max(self.position.iter().map(|position| magnitude(position.0))))
            && fits(min_and_max(self.velocity.iter().map(|velocity| magnitude(velocity.0))))
            && positive(min_and_max(self.radius.iter().map(|radius| radius.0.to_bits())))
            && positive(min_and_max(self.mass.iter().map(|mass| mass.0.to_bits())))
            && self.restitution.is_none_or(|column| column.iter().all(|e| (0.0..=1.0).contains(&e.0)))
            && self.angular_velocity.is_none_or(|column| column.iter().all(|w| is_within_limit_3d(w.0)))
            && self.kinematic.and(self.move_to).is_none_or(|column| column.iter().all(|to| is_within_limit(to.0)))
    }
}

/// The sign bit of an `f32`.
const SIGN: u32 = 1 << 31;

#[inline(always)]
fn min_and_max(bits: impl Iterator<Item = u32>) -> (u32, u32) {
    bits.fold((u32::MAX, 0), |(min, max), bits| (min.min(bits), max.max(bits)))
}

/// Whether all are true, without an early exit, so that many are compared at once.
#[inline(always)]
fn all(each: impl Iterator<Item = bool>) -> bool {
    each.fold(true, |all, this| all & this)
}

/// Copies the discs to some places.
struct CopyColumns<'a> {
    tables: &'a [Columns<'a>],
    row_ranges: &'a [RowRange],
    places: Range<usize>,
    into: ColumnsMut<'a>,
}

/// The result of a copy: the table and row of each disc that cannot be simulated, whether the discs came in order, and
/// the first and last id.
struct Copied {
    invalid_rows: Vec<(usize, usize)>,
    in_order: bool,
    ends: Option<(u64, u64)>,
}

impl Kernel for CopyColumns<'_> {
    type Output = Copied;

    #[inline(always)]
    fn run<W: SimdWidth>(self, _: W) -> Copied {
        /// The number of rows that are read, checked and written in one go, while they are in the cache.
        const BLOCK: usize = 512;
        let Self { tables, row_ranges, places, mut into } = self;
        let mut copied = Copied { invalid_rows: Vec::new(), in_order: true, ends: None };
        let from = row_ranges.partition_point(|range| range.places().end <= places.start);
        for range in &row_ranges[from..] {
            let within = range.places();
            if within.start >= places.end {
                break;
            }
            let skip = places.start.saturating_sub(within.start);
            let rows = range.rows.start + skip..range.rows.end - within.end.saturating_sub(places.end);
            for start in rows.clone().step_by(BLOCK) {
                let rows = start..rows.end.min(start + BLOCK);
                let from = tables[range.table].rows(rows.clone());
                let mut part = into.take(rows.len());
                if !from.are_valid() {
                    let invalid_rows = rows.filter(|&row| check_disc(&tables[range.table].disc(row)).is_err());
                    copied.invalid_rows.extend(invalid_rows.map(|row| (range.table, row)));
                }
                part.copy_from(&from);
                let id = &*part.id;
                copied.in_order &= all(id.windows(2).map(|ids| ids[0] < ids[1]));
                let (first, last) = copied.ends.unwrap_or((id[0], id[0]));
                copied.in_order &= copied.ends.is_none() || last < id[0];
                copied.ends = Some((first, id[id.len() - 1]));
            }
        }
        copied
    }
}

impl ColumnLayout {
    /// Copies all discs that can be simulated, in their order of resolution, and reports why the others cannot.
    pub fn gather(
        &mut self,
        tables: &[Columns],
        discs: &mut Discs,
        compute: &Compute,
        mut reject: impl FnMut(Entity, InvalidValue),
    ) {
        let same = self.lengths.iter().copied().eq(tables.iter().map(|table| table.entity.len()));
        let still_invalid = |&(table, row): &(usize, usize)| check_disc(&tables[table].disc(row)).is_err();
        if !same || !self.invalid.iter().all(still_invalid) {
            self.lengths.clear();
            self.lengths.extend(tables.iter().map(|table| table.entity.len()));
            self.invalid.clear();
            self.lay_out_in_table_order();
        } else if !self.ordered_ranges.is_empty() {
            std::mem::swap(&mut self.row_ranges, &mut self.ordered_ranges);
            self.in_table_order = false;
        }
        self.ordered_ranges.clear();
        let in_order = loop {
            let (invalid_rows, in_order) = self.copy(tables, discs, compute.simd, compute.threads);
            if invalid_rows.is_empty() && (in_order || self.in_table_order) {
                break in_order;
            }
            self.invalid.extend(invalid_rows);
            self.invalid.sort_unstable();
            self.lay_out_in_table_order();
        };
        for &(table, row) in &self.invalid {
            let disc = tables[table].disc(row);
            if let Err(invalid) = check_disc(&disc) {
                reject(disc.entity, invalid);
            }
        }
        if in_order {
            self.row.clear();
        } else {
            self.restore_order(discs);
        }
    }

    /// Copies spin. Few discs have any, so this is done disc by disc.
    pub fn gather_spin(tables: &[Columns], discs: &mut Discs) {
        discs.spin.clear();
        for table in tables {
            let Some(column) = table.angular_velocity else { continue };
            for (row, angular_velocity) in column.iter().enumerate() {
                if let Some(i) = discs.index_of(table.entity[row], table.id[row]) {
                    discs.set_spin(i, Some(spin(*angular_velocity, table.ball.is_some())));
                }
            }
        }
    }

    /// Copies the kinematic discs and their targets. There are few, so this is done disc by disc.
    pub fn gather_kinematic(tables: &[Columns], discs: &mut Discs) {
        discs.kinematic.clear();
        for table in tables.iter().filter(|table| table.kinematic.is_some()) {
            for (row, &entity) in table.entity.iter().enumerate() {
                if let Some(i) = discs.index_of(entity, table.id[row]) {
                    let move_to = table.move_to.map(|column| column[row].0);
                    discs.kinematic.push(KinematicDisc::new(i as u32, move_to));
                }
            }
        }
        discs.kinematic.sort_unstable_by_key(|kinematic| kinematic.disc);
    }

    /// Lists every table as it is, without the rejected rows.
    fn lay_out_in_table_order(&mut self) {
        self.in_table_order = true;
        self.row_ranges.clear();
        let (mut invalid, mut first) = (self.invalid.iter().peekable(), 0);
        for (table, &length) in self.lengths.iter().enumerate() {
            let mut start = 0;
            while start <= length {
                let end = invalid.next_if(|&&(other, _)| other == table).map_or(length, |&(_, row)| row);
                if start < end {
                    self.row_ranges.push(RowRange { table, rows: start..end, first });
                    first += end - start;
                }
                start = end + 1;
            }
        }
    }

    /// Copies all ranges. Returns the rows that cannot be simulated, and whether the discs came in order.
    fn copy(
        &self,
        tables: &[Columns],
        discs: &mut Discs,
        simd: SimdLevel,
        threads: Threads,
    ) -> (Vec<(usize, usize)>, bool) {
        let count = self.row_ranges.last().map_or(0, |range| range.places().end);
        discs.resize(count);
        let mut columns_mut = ColumnsMut::of(discs);
        let tasks = threads.divide(count, 3).into_iter().map(|places| {
            let task =
                CopyColumns { tables, row_ranges: &self.row_ranges, into: columns_mut.take(places.len()), places };
            move || simd.run(task)
        });
        let copied = threads::run(tasks.collect());
        let ends: Vec<(u64, u64)> = copied.iter().filter_map(|part| part.ends).collect();
        let in_order = copied.iter().all(|part| part.in_order) && ends.windows(2).all(|two| two[0].1 < two[1].0);
        (copied.into_iter().flat_map(|part| part.invalid_rows).collect(), in_order)
    }

    /// Sorts the discs into their order of resolution, and records ranges that copy them in this order next time.
    fn restore_order(&mut self, discs: &mut Discs) {
        swap_columns(&mut self.unordered, discs);
        let unordered = &self.unordered;
        let rank = |row: u32| (unordered.id[row as usize], unordered.entity[row as usize]);
        if self.row.len() != unordered.entity.len() || !self.row.is_sorted_by_key(|&row| rank(row)) {
            self.row.clear();
            self.row.extend(0..unordered.entity.len() as u32);
            // The stable sort exploits the sorted runs of the tables.
            self.row.sort_by_key(|&row| rank(row));
        }
        pick_columns(unordered, &self.row, discs);
        // Only the sort above distinguishes equal ids.
        if discs.id.is_sorted_by(|a, b| a < b) {
            self.find_ordered_ranges();
        }
    }

    /// Finds the ranges that form the order of resolution, unless there are too many.
    fn find_ordered_ranges(&mut self) {
        let Self { row_ranges, row, ordered_ranges, .. } = self;
        let most = row.len() / RANGE_COST;
        let breaks = |two: &[u32]| two[0] + 1 != two[1];
        if row.windows(2).filter(|two| breaks(two)).count() + row_ranges.len() > most {
            return;
        }
        let mut first = 0;
        for run in row.chunk_by(|&a, &b| !breaks(&[a, b])) {
            let (start, end) = (run[0] as usize, run[0] as usize + run.len());
            // Consecutive copied rows may still be in several tables, or have rejected rows between them.
            let from = row_ranges.partition_point(|range| range.places().end <= start);
            for range in row_ranges[from..].iter().take_while(|range| range.first < end) {
                let places = range.first.max(start)..range.places().end.min(end);
                let begin = range.rows.start + places.start - range.first;
                ordered_ranges.push(RowRange { table: range.table, rows: begin..begin + places.len(), first });
                first += places.len();
            }
        }
    }

    /// The discs as they were copied, with the results of the tick.
    pub fn rows<'a>(&'a mut self, discs: &'a Discs) -> Rows<'a> {
        let Self { lengths, row_ranges, ordered_ranges, unordered, row, .. } = self;
        if row_ranges.last().map_or(0, |range| range.places().end) != discs.len() {
            // A system between the steps has added or removed discs.
            row.clear();
            row_ranges.clear();
            ordered_ranges.clear();
            lengths.clear();
        }
        if !row.is_empty() {
            for (disc, &row) in row.iter().enumerate() {
                unordered.position[row as usize] = discs.position[disc];
                unordered.velocity[row as usize] = discs.velocity[disc];
            }
        }
        let unordered = if row.is_empty() { discs } else { unordered };
        Rows { row_ranges, entity: &unordered.entity, position: &unordered.position, velocity: &unordered.velocity }
    }
}
