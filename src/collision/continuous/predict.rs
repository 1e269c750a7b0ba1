//! Times of impact within the tick: when discs hit each other and terrain, and whether they overlap at the start of
//! their paths. This file reads the state of the tick and changes nothing.

use std::borrow::Cow;

use bevy::math::DVec2;

use super::{
    particles::{Meets, Particle, Partner},
    tick_state::TickState,
};
use crate::collision::{
    shape::{
        Bounds, Circle, FixedCircle, Wall,
        rounding::padded,
        time_of_impact::{NEVER, circle_time_of_impact, time_of_impact, wall_time_of_impact},
    },
    terrain::index::Piece,
    tick::OVERLAP_ROUNDING,
};

impl TickState<'_> {
    /// Whether two discs, both at the start of their paths, overlap by more than rounding and must be separated. A ball
    /// in the air is above another, or hits it on its path.
    #[inline(always)]
    pub(super) fn overlaps(&self, i: usize, j: usize) -> bool {
        let (a, b) = (&self.particles[i], &self.particles[j]);
        let sum = a.radius + b.radius - OVERLAP_ROUNDING * a.radius.min(b.radius);
        self.nearest(b.position - a.position).length_squared() < sum * sum
            && self.parts(i, j)
            && self.meet(i, j)
            && !self.meet_in_space(i, j)
    }

    /// Whether two overlapping discs must be separated. A kinematic disc acts like terrain, which always pushes.
    fn parts(&self, i: usize, j: usize) -> bool {
        match [self.is_kinematic(i), self.is_kinematic(j)] {
            [false, false] => self.laws.settings.push_apart,
            [a, b] => a != b,
        }
    }

    /// Whether a disc, at the start of its path, overlaps any terrain by more than rounding.
    pub(super) fn overlaps_any_terrain(&self, i: usize) -> bool {
        if self.is_above(i) {
            // It is above the noses, or meets them on its path.
            return false;
        }
        let Particle { position, radius, .. } = self.particles[i];
        let at = position.as_vec2();
        let bounds = Bounds::around(at, padded(radius as f32, at));
        let mut found = false;
        self.terrain.index.for_each_overlapping(bounds, |piece| found |= self.overlaps_terrain(i, piece.into()));
        self.for_each_moving(i, bounds, |part| found |= self.overlaps_terrain(i, part));
        found
    }

    /// Whether a disc, at the start of its path, overlaps a piece of terrain by more than rounding.
    pub(super) fn overlaps_terrain(&self, i: usize, piece: Partner) -> bool {
        !self.is_kinematic(i)
            && self.gap(i, piece).is_some_and(|gap| gap < -OVERLAP_ROUNDING * self.particles[i].radius)
    }

    /// The distance from the rim of a disc, at the start of its path, to a piece of terrain, metres. `None` where
    /// another piece is closer, as beyond the ends of a wall.
    pub(super) fn gap(&self, i: usize, piece: Partner) -> Option<f64> {
        let particle = &self.particles[i];
        match piece.meets() {
            Meets::Moving(part) => self.moving.gap(part, particle.position, particle.radius, particle.time),
            Meets::Piece(Piece::Wall(wall)) => self.wall_met(i, wall)?.gap(particle.position, particle.radius),
            Meets::Piece(Piece::FixedCircle(circle)) => {
                let circle = self.circle_met(i, circle)?;
                let away = particle.position - circle.centre.as_dvec2();
                let beside = circle.walls.iter().any(|along| away.dot(along.as_dvec2()) > 0.0);
                (!beside).then(|| away.length_squared().sqrt() - particle.radius - f64::from(circle.radius))
            }
            Meets::Disc(_) | Meets::Pocket(_) | Meets::Edge(_) | Meets::Support | Meets::Nothing => None,
        }
    }

    /// When two discs collide, seconds from the start of the tick. The result depends on their paths alone, whenever it
    /// is computed.
    #[inline(always)]
    pub(super) fn pair_time_of_impact(&self, i: usize, j: usize) -> f64 {
        let (a, b) = (&self.particles[i], &self.particles[j]);
        let now = if a.time > b.time { a.time } else { b.time };
        if self.meet_in_space(i, j) {
            return self.pair_time_in_space([i, j], b.position_at(now) - a.position_at(now), now);
        }
        now + time_of_impact(
            b.position_at(now) - a.position_at(now),
            b.velocity - a.velocity,
            a.radius + b.radius,
            || a.speed() + b.speed() + self.noise_of(i, j),
        )
    }

    /// The same for an image of the second disc with this shift, metres.
    pub(super) fn pair_time_of_impact_across(&self, i: usize, j: usize, shift: DVec2) -> f64 {
        let (a, b) = (&self.particles[i], &self.particles[j]);
        let now = a.time.max(b.time);
        let line = b.position_at(now) + shift - a.position_at(now);
        if self.meet_in_space(i, j) {
            return self.pair_time_in_space([i, j], line, now);
        }
        let speed = || a.speed() + b.speed() + self.noise_of(i, j);
        now + time_of_impact(line, b.velocity - a.velocity, a.radius + b.radius, speed)
    }

    /// The difference of two positions, to the nearest image across periodic edges.
    #[inline(always)]
    pub(super) fn nearest(&self, line: DVec2) -> DVec2 {
        match &self.cell {
            None => line,
            Some(cell) => cell.nearest_exactly(line),
        }
    }

    /// When a disc hits something, seconds from the start of the tick.
    pub(super) fn time_of_impact_with(&self, i: usize, partner: Partner) -> f64 {
        let Particle { position, velocity, radius, time, impacts_used, .. } = self.particles[i];
        if let Some(time) = self.nose_time(i, partner) {
            return time;
        }
        match partner.meets() {
            Meets::Disc(j) => self.pair_time_of_impact(i, j as usize),
            Meets::Pocket(pocket) => time + self.pocket_time(i, pocket),
            Meets::Moving(_) if impacts_used.is_frozen() => NEVER,
            Meets::Moving(part) => self.moving.time_of_impact(part, [position, velocity], radius, [time, self.end]),
            // A disc that is at rest, or stopped for the rest of the tick, hits no terrain.
            Meets::Piece(_) if velocity == DVec2::ZERO => NEVER,
            Meets::Piece(piece) => time + self.time_to_piece(i, piece),
            Meets::Support => self.support_time(i),
            Meets::Edge(_) | Meets::Nothing => NEVER,
        }
    }

    /// The time until a moving disc hits a piece of terrain, in seconds.
    #[inline(always)]
    fn time_to_piece(&self, i: usize, piece: Piece) -> f64 {
        let Particle { position, velocity, radius, .. } = self.particles[i];
        if self.has_filters {
            return self.filtered_time(i, piece);
        }
        self.terrain_view().time_of_impact(piece, [position, velocity], radius)
    }

    /// Calls `visit` with the parts of moving terrain that a disc may hit in a box.
    #[inline(always)]
    pub(super) fn for_each_moving(&self, i: usize, bounds: Bounds, mut visit: impl FnMut(Partner)) {
        if !self.moving.is_empty() {
            self.moving.for_each_near(i, bounds, &mut |part| visit(Partner::of_moving(part)));
        }
    }

    /// Whether two discs can collide, at any place.
    #[inline(always)]
    pub(super) fn meet(&self, i: usize, j: usize) -> bool {
        self.disc_filter.meet(i, j)
    }

    /// A wall as a disc collides with it, if it does.
    pub(super) fn wall_met(&self, i: usize, wall: u32) -> Option<Wall> {
        let (at, particle) = (&self.terrain.walls[wall as usize], &self.particles[i]);
        let Some(filters) = self.filters() else { return Some(*at) };
        let (seen, filter) = filters.seen(i, Circle { centre: particle.position, radius: particle.radius });
        filter.wall(&seen, wall, at)
    }

    /// A corner or bumper as a disc collides with it, if it does.
    pub(super) fn circle_met(&self, i: usize, circle: u32) -> Option<Cow<'_, FixedCircle>> {
        let (at, particle) = (&self.terrain.fixed_circles[circle as usize], &self.particles[i]);
        let Some(filters) = self.filters() else { return Some(Cow::Borrowed(at)) };
        let (seen, filter) = filters.seen(i, Circle { centre: particle.position, radius: particle.radius });
        filter.circle(&seen, circle, at, &self.terrain.walls)
    }

    /// The time until a disc hits a piece of terrain, in seconds, with collision filtering.
    #[inline(never)]
    fn filtered_time(&self, i: usize, piece: Piece) -> f64 {
        let Particle { position, velocity, radius, .. } = self.particles[i];
        let speed = self.particles[i].speed();
        let time = match piece {
            Piece::Wall(wall) => {
                self.wall_met(i, wall).map(|wall| wall_time_of_impact(position, velocity, radius, speed, &wall))
            }
            Piece::FixedCircle(circle) => self
                .circle_met(i, circle)
                .map(|circle| circle_time_of_impact(position, velocity, radius, speed, &circle)),
        };
        time.unwrap_or(NEVER)
    }

    /// The pieces of static terrain that a disc, at the start of its path, may touch; in any order.
    pub(super) fn nearby_terrain(&self, i: usize) -> Vec<Partner> {
        let mut pieces = Vec::new();
        self.terrain.index.for_each_overlapping(self.bounds_nearby(i), |piece| pieces.push(piece.into()));
        pieces
    }

    /// Calls `visit` with the parts of moving terrain that a disc, at the start of its path, may touch.
    pub(super) fn for_each_moving_nearby(&self, i: usize, visit: impl FnMut(Partner)) {
        self.for_each_moving(i, self.bounds_nearby(i), visit);
    }

    /// The immovable terrain that a disc, at the start of its path, may touch: static and kinematic terrain.
    pub(super) fn nearby_firm_terrain(&self, i: usize) -> Vec<Partner> {
        let mut pieces = self.nearby_terrain(i);
        self.for_each_moving_nearby(i, |part| {
            if part.moving().is_some_and(|part| self.moving.block_of(part).is_none()) {
                pieces.push(part);
            }
        });
        pieces
    }

    /// The box around a disc at the start of its path.
    fn bounds_nearby(&self, i: usize) -> Bounds {
        let particle = &self.particles[i];
        let centre = particle.position.as_vec2();
        Bounds::around(centre, padded(particle.radius as f32, centre))
    }
}
