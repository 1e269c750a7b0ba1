//! Few discs: every disc keeps its next meeting, and the earliest of them all is found by looking at each. What is too far
//! away to be met within the tick is left out sixteen at a time.

use bevy::math::{DVec2, Vec2};

use super::{
    super::{
        lanes::Sixteen,
        terrain_index::{TerrainIndex, around},
    },
    Agenda,
    meeting::NEVER,
    movers::{Course, Impact, Partner},
};

/// A circle around the path that a disc has before it until the end of the tick, for each of them; as many more that lie
/// nowhere as make a multiple of sixteen.
#[derive(Clone, Debug, Default)]
pub(in crate::collision) struct Circles {
    x: Vec<f32>,
    y: Vec<f32>,
    reach: Vec<f32>,
}

impl Circles {
    pub(in crate::collision) fn clear(&mut self, count: usize) {
        let count = count.next_multiple_of(16);
        for (values, nothing) in [(&mut self.x, f32::INFINITY), (&mut self.y, f32::INFINITY), (&mut self.reach, 0.0)] {
            values.clear();
            values.resize(count, nothing);
        }
    }

    /// A disc is at `x`, `y`, has this radius and goes no farther than `path`, metres. The circle is a little larger, so that
    /// rounding never leaves out a pair that meets.
    #[inline(always)]
    pub(super) fn set(&mut self, i: usize, [x, y]: [f32; 2], radius: f32, path: f32) {
        (self.x[i], self.y[i]) = (x, y);
        self.reach[i] = (radius + path) * 1.0001 + (x.abs() + y.abs()) * 1e-6;
    }

    /// Puts a circle at the end, or in the place of another.
    pub(in crate::collision) fn put(&mut self, at: usize, centre: Vec2, reach: f32) {
        if at >= self.x.len() {
            self.x.resize(self.x.len() + 16, f32::INFINITY);
            self.y.resize(self.y.len() + 16, f32::INFINITY);
            self.reach.resize(self.reach.len() + 16, 0.0);
        }
        (self.x[at], self.y[at], self.reach[at]) = (centre.x, centre.y, reach);
    }

    /// The smallest box around a circle: its left, bottom, right and top, metres.
    #[inline(always)]
    pub(super) fn bounds(&self, i: usize) -> [f32; 4] {
        around([self.x[i], self.y[i]], self.reach[i])
    }

    /// The members of group `group` of sixteen whose circles meet the one around `x`, `y`, as bits.
    #[inline(always)]
    fn near<L: Sixteen>(&self, lanes: L, [x, y]: [f32; 2], reach: f32, group: usize) -> u32 {
        fn eights(values: &[f32], group: usize) -> [&[f32; 8]; 2] {
            let (eights, _) = values[16 * group..16 * group + 16].as_chunks::<8>();
            [&eights[0], &eights[1]]
        }
        let [xs, ys, reaches] = [&self.x, &self.y, &self.reach].map(|values| eights(values, group));
        lanes.near([x, y], reach, xs, ys, reaches)
    }

    /// Calls `visit` with every circle that meets the one around `centre`, in their order.
    #[inline(always)]
    pub(in crate::collision) fn for_each_near<L: Sixteen>(
        &self,
        lanes: L,
        centre: Vec2,
        reach: f32,
        mut visit: impl FnMut(usize),
    ) {
        for group in 0..self.x.len() / 16 {
            let mut near = self.near(lanes, centre.to_array(), reach, group);
            while near != 0 {
                visit(16 * group + near.trailing_zeros() as usize);
                near &= near - 1;
            }
        }
    }

    /// Calls `visit` with every other circle that meets circle `i`, in their order.
    #[inline(always)]
    pub(super) fn for_each_near_to<L: Sixteen>(&self, lanes: L, i: usize, mut visit: impl FnMut(usize)) {
        self.for_each_near(lanes, Vec2::new(self.x[i], self.y[i]), self.reach[i], |j| {
            if j != i {
                visit(j);
            }
        });
    }

    /// Whether any other circle meets circle `i`.
    #[inline(always)]
    pub(super) fn is_met<L: Sixteen>(&self, lanes: L, i: usize) -> bool {
        // A loop: a closure would not be compiled for the lanes.
        for group in 0..self.x.len() / 16 {
            let itself = if i / 16 == group { 1 << (i % 16) } else { 0 };
            if self.near(lanes, [self.x[i], self.y[i]], self.reach[i], group) & !itself != 0 {
                return true;
            }
        }
        false
    }
}

/// What is kept from tick to tick, for its memory.
#[derive(Clone, Debug, Default)]
pub(in crate::collision) struct Memory {
    pub(super) circles: Circles,
    next: Vec<Next>,
}

/// The next meeting of a disc.
#[derive(Clone, Copy, Debug)]
struct Next {
    time: f64,
    partner: Partner,
}

impl Next {
    const NONE: Self = Self { time: NEVER, partner: Partner::NOBODY };

    /// Takes another meeting if it comes before this one.
    #[inline(always)]
    fn take(&mut self, time: f64, partner: Partner) {
        if time < self.time || (time == self.time && partner < self.partner) {
            *self = Self { time, partner };
        }
    }
}

/// The flat scan.
pub(super) struct Scan<'a, L> {
    lanes: L,
    circles: &'a mut Circles,
    next: &'a mut [Next],
    terrain: &'a TerrainIndex,
}

impl<'a, L: Sixteen> Scan<'a, L> {
    /// Begins a tick: `memory` holds the circles of all discs.
    #[inline(always)]
    pub(super) fn begin(lanes: L, memory: &'a mut Memory, terrain: &'a TerrainIndex, course: &Course) -> Self {
        let Memory { circles, next } = memory;
        next.clear();
        next.resize(course.movers.len(), Next::NONE);
        let mut scan = Self { lanes, circles, next, terrain };
        for i in 0..course.movers.len() {
            if course.movers[i].velocity != DVec2::ZERO {
                scan.look(course, i);
            }
        }
        scan
    }

    /// Foresees what a disc meets, for it and for those it meets.
    #[inline(always)]
    fn look(&mut self, course: &Course, i: usize) {
        let Self { lanes, circles, next, terrain } = self;
        circles.for_each_near_to(*lanes, i, |j| {
            let time = course.pair(i, j);
            if time <= course.end {
                next[i].take(time, Partner(j as u32));
                next[j].take(time, Partner(i as u32));
            }
        });
        terrain.for_each_near(circles.bounds(i), |piece| {
            let piece = piece.into();
            let time = course.meeting(i, piece);
            if time <= course.end {
                next[i].take(time, piece);
            }
        });
    }
}

impl<L: Sixteen> Agenda for Scan<'_, L> {
    #[inline(always)]
    fn next(&mut self, course: &Course) -> Option<Impact> {
        let mut first = Impact { time: NEVER, disc: 0, partner: Partner::NOBODY };
        for (i, next) in self.next.iter().enumerate() {
            if next.time < first.time {
                first = Impact { time: next.time, disc: i as u32, partner: next.partner };
            }
        }
        (first.time <= course.end).then_some(first)
    }

    #[inline(always)]
    fn touched(&mut self, course: &Course, discs: &[u32]) {
        for &i in discs {
            let i = i as usize;
            let mover = &course.movers[i];
            let path = (mover.velocity.length_squared().sqrt() * (course.end - mover.time)) as f32;
            self.circles.set(i, mover.position.as_vec2().to_array(), mover.radius as f32, path);
            self.next[i] = Next::NONE;
        }
        // Those who were to meet one of them next meet somebody else.
        for i in 0..self.next.len() {
            if self.next[i].partner.disc().is_some_and(|other| discs.contains(&other)) {
                self.next[i] = Next::NONE;
                self.look(course, i);
            }
        }
        for &i in discs {
            self.look(course, i as usize);
        }
    }

    fn near(&self, _: &Course, disc: usize, discs: &mut Vec<u32>) {
        self.circles.for_each_near_to(self.lanes, disc, |j| discs.push(j as u32));
    }
}
