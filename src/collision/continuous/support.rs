//! What supports a ball: landings on the cloth and on the tops of rails, edges of rails that a ball passes, and the
//! outer edge of the table. See section 5 of `docs/src/flight.md`.

use bevy::math::DVec2;

use super::{particles::Particle, tick_state::TickState};
use crate::collision::{
    hit::LandedBall,
    path::{table_events::TableEventKind, trajectory::Trajectory},
    shape::{
        Bounds,
        rounding::padded,
        time_of_impact::{NEVER, entry_time},
        wall::crosses,
    },
    spin::{
        Motion, TablePhysics,
        rails::{RailProfile, tip_over},
        slate,
    },
    terrain::index::Piece,
};

/// A ball that leaves a rail starts this far below its top, metres, so that it does not land there again.
const BELOW_RAIL: f64 = 1e-9;

/// A place this far past an edge is beyond it, metres: more than what positions on a table lose by rounding.
const JUST_PAST: f64 = 1e-6;

/// A change of what supports a ball above the cloth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Support {
    /// It comes down to this height, metres: of the rails, or zero for the cloth.
    ComesDown(f64),
    /// It passes the inner edge of the rail on which it lies, in the direction of this unit vector.
    LeavesRail(DVec2),
    /// It passes the outer edge of the table.
    LeavesTable,
}

impl TickState<'_> {
    /// The rails as the centre of a disc meets them, if the table has any.
    pub(super) fn rails(&self, i: usize) -> Option<RailProfile> {
        let rails = self.laws.table.as_ref()?.rails?;
        Some(rails.for_ball(self.trajectories.get(i)?.radius))
    }

    /// When the next change of what supports a ball above the cloth happens, seconds from the start of the tick; never
    /// if there is none.
    pub(super) fn support_time(&self, i: usize) -> f64 {
        self.next_support(i).map_or(NEVER, |(time, _)| time)
    }

    /// The next change of what supports a ball above the cloth, and its time, seconds from the start of the tick.
    pub(super) fn next_support(&self, i: usize) -> Option<(f64, Support)> {
        if !self.is_above(i) {
            return None;
        }
        let (table, trajectory, rails) = (self.laws.table.as_ref()?, &self.trajectories[i], self.rails(i));
        let lands = match rails.filter(|rails| self.lies_over_rail(rails, i)) {
            Some(rails) => Some((trajectory.began, rails.height)),
            None => trajectory.lands_at(&table.cloth, rails.map(|rails| rails.height)),
        };
        let lands = lands.map(|(time, level)| (time, Support::ComesDown(level)));
        let Some(rails) = rails.filter(|_| !trajectory.is_kept) else { return lands };
        let Particle { position, velocity, time, .. } = self.particles[i];
        let outside = (time + rails.time_to_outside(position, velocity), Support::LeavesTable);
        let bed = match trajectory.flies() {
            true => None,
            // Set down on air by other code.
            false if self.is_over_mouth(&rails, position) => Some((time, Support::ComesDown(rails.height))),
            false => self.leaves_rail(&rails, i),
        };
        // Of two at the same time, the first counts.
        let first = |a: (f64, Support), b: (f64, Support)| if b.0 < a.0 { b } else { a };
        Some([lands, bed].into_iter().flatten().fold(outside, first))
    }

    /// Whether a ball that moves down starts at the top of a rail, to the last digit.
    fn lies_over_rail(&self, rails: &RailProfile, i: usize) -> bool {
        let trajectory = &self.trajectories[i];
        trajectory.height == rails.height
            && trajectory.motion.vertical < 0.0
            && !trajectory.is_kept
            && self.is_over_rail(rails, trajectory.place)
    }

    /// Whether a place is over the top of a rail.
    fn is_over_rail(&self, rails: &RailProfile, place: DVec2) -> bool {
        rails.is_over(place) && !self.is_over_mouth(rails, place)
    }

    /// Whether a place beyond the noses is over the hole of a pocket, or over its mouth in front of the hole. There no
    /// terrain is below it, or between it and the centre of the hole, or the bed.
    fn is_over_mouth(&self, rails: &RailProfile, place: DVec2) -> bool {
        // The nearest place of the bed that is clearly inside the noses.
        let inner = (rails.inner - DVec2::splat(rails.height)).max(DVec2::ZERO);
        let bed = |place: DVec2| place.clamp(-inner, inner);
        let (reach, depth) = ((rails.outer - rails.inner).max_element() as f32, place.distance(bed(place)));
        let (mut is_in_hole, mut is_in_front) = (false, false);
        self.pockets.for_each_meeting(Bounds::around(place.as_vec2(), reach), |_, pocket| {
            let (centre, radius) = (pocket.centre.as_dvec2(), f64::from(pocket.radius));
            is_in_hole |= place.distance(centre) < radius && self.is_clear_way(rails, place, centre);
            is_in_front |= depth < centre.distance(bed(centre));
        });
        is_in_hole || is_in_front && self.is_clear_way(rails, place, bed(place))
    }

    /// Whether no static terrain is at the start of a way, up to the overhang of a nose, or crosses it.
    fn is_clear_way(&self, rails: &RailProfile, from: DVec2, to: DVec2) -> bool {
        let ends = [from.as_vec2(), to.as_vec2()];
        let bounds = Bounds::of_points(ends).padded(padded(rails.overhang as f32, ends[0]));
        let mut is_clear = true;
        self.terrain.index.for_each_overlapping(bounds, |piece| {
            let crosses = match piece {
                Piece::Wall(wall) => crosses(&self.terrain.walls[wall as usize], ends[0], ends[1]),
                Piece::FixedCircle(circle) => {
                    let circle = &self.terrain.fixed_circles[circle as usize];
                    entry_time(from - circle.centre.as_dvec2(), to - from, f64::from(circle.radius)) <= 1.0
                }
            };
            is_clear &= !crosses && self.gap_to(piece, from) >= rails.overhang;
        });
        is_clear
    }

    /// The distance from a place to a piece of static terrain, metres; infinite if it is not beside the piece.
    pub(super) fn gap_to(&self, piece: Piece, place: DVec2) -> f64 {
        match piece {
            Piece::Wall(wall) => self.terrain.walls[wall as usize].gap(place, 0.0).unwrap_or(f64::INFINITY),
            Piece::FixedCircle(circle) => {
                let circle = &self.terrain.fixed_circles[circle as usize];
                place.distance(circle.centre.as_dvec2()) - f64::from(circle.radius)
            }
        }
    }

    /// When a ball on the top of a rail passes its inner edge, seconds from the start of the tick.
    fn leaves_rail(&self, rails: &RailProfile, i: usize) -> Option<(f64, Support)> {
        let Particle { position, velocity, time, .. } = self.particles[i];
        let mut first = rails.time_to_bed(position, velocity);
        let ends = [position.as_vec2(), self.particles[i].position_at(self.end).as_vec2()];
        let bounds = Bounds::of_points(ends).padded(padded(rails.overhang as f32, ends[0]));
        self.terrain.index.for_each_overlapping(bounds, |piece| {
            if let Some((passed, inward)) = self.passes_edge(rails, piece, position, velocity)
                && first.is_none_or(|(time, _)| passed < time)
                && self.is_over_mouth(rails, position + velocity * passed + inward * JUST_PAST)
            {
                first = Some((passed, inward));
            }
        });
        first.map(|(passed, inward)| (time + passed, Support::LeavesRail(inward)))
    }

    /// When a point over a rail has passed a segment or circle of static terrain and the overhang of its nose, and the
    /// unit vector across that edge. The point moves straight, and the time is in seconds from the start of its path.
    fn passes_edge(&self, rails: &RailProfile, piece: Piece, place: DVec2, velocity: DVec2) -> Option<(f64, DVec2)> {
        match piece {
            Piece::Wall(wall) => {
                let wall = &self.terrain.walls[wall as usize];
                let across = (wall.b - wall.a).as_dvec2().perp().normalize_or_zero();
                let across = if across.dot(velocity) < 0.0 { -across } else { across };
                let (way, speed) = (rails.overhang - (place - wall.a.as_dvec2()).dot(across), across.dot(velocity));
                let is_beside = |passed: f64| wall.gap(place + velocity * passed, 0.0).is_some();
                let passed = (way >= 0.0 && speed > 0.0 && wall.curve.is_none()).then(|| way / speed);
                passed.filter(|&passed| is_beside(passed)).map(|passed| (passed, across))
            }
            Piece::FixedCircle(circle) => {
                let circle = &self.terrain.fixed_circles[circle as usize];
                let (from, radius) = (place - circle.centre.as_dvec2(), f64::from(circle.radius) + rails.overhang);
                let square = velocity.length_squared();
                let discriminant = square * radius * radius - from.perp_dot(velocity).powi(2);
                let passed = (discriminant.sqrt() - from.dot(velocity)) / square;
                // Also for NaN.
                (0.0..NEVER).contains(&passed).then(|| (passed, (from + velocity * passed).normalize_or_zero()))
            }
        }
    }

    /// Resolves a change of what supports a ball that has been moved to its place.
    pub(super) fn change_support(&mut self, i: usize, support: Support, time: f64) {
        let Some(table) = self.laws.table.as_ref() else { return };
        let rails = self.rails(i);
        let place = self.particles[i].position;
        let pocket = self.pocket_below(i);
        let over_rail = rails.is_some_and(|rails| self.is_over_rail(&rails, place));
        match support {
            Support::LeavesTable => self.leave_table(i, time),
            Support::LeavesRail(inward) => self.leave_rail(table, i, inward, time),
            // Down between the noses of a rail and a pocket: it passes the height of the rails.
            Support::ComesDown(level) if level > 0.0 && !over_rail => {
                let (motion, _) = self.trajectories[i].at(&table.cloth, time);
                // It cannot be above the rails any longer, whatever rounding says.
                self.trajectories[i].lift(
                    Motion { vertical: motion.vertical.min(-f64::MIN_POSITIVE), ..motion },
                    time,
                    level,
                );
                self.set_out(table, i, self.trajectories[i].motion, time);
                self.particles[i].stamp = self.particles[i].stamp.wrapping_add(1);
            }
            Support::ComesDown(level) if level > 0.0 => self.land(table, i, level, time),
            Support::ComesDown(_) => match pocket {
                Some(pocket) => self.fall(i, pocket, time),
                None if over_rail => self.leave_table(i, time),
                None => self.land(table, i, 0.0, time),
            },
        }
    }

    /// A ball lands on the cloth, or on the top of a rail at this height (metres).
    fn land(&mut self, table: &TablePhysics, i: usize, level: f64, time: f64) {
        let trajectory = &mut self.trajectories[i];
        let (before, _) = trajectory.at(&table.cloth, time);
        trajectory.touch_down(before, time, level);
        let body = trajectory.body(self.particles[i].mass);
        let landing =
            table.flight.zip(body).and_then(|(flight, body)| slate::land(&flight, &table.cloth, &body, &before));
        if let Some(landing) = landing {
            let (disc, position) = (i as u32, self.particles[i].position.as_vec2());
            let impulse = landing.impulse as f32;
            self.report.landed.push(LandedBall { disc, position, impulse, time: time as f32 });
        }
        let after = landing.map_or_else(|| before.on_the_cloth(), |landing| landing.after);
        self.record_event(i, TableEventKind::Lands, [before, after], time);
        self.set_out(table, i, after, time);
        self.record_vertex(i as u32, time);
    }

    /// A ball has rolled over the edge of a nose: from there the rail, at this height (metres), supports it. Its speed
    /// pays for what it is still below.
    pub(super) fn come_onto_rail(&mut self, table: &TablePhysics, i: usize, level: f64, time: f64) {
        let (motion, _) = self.trajectories[i].at(&table.cloth, time);
        let climb = level - self.trajectories[i].height_at(&table.cloth, time);
        let work = 2.0 * f64::from(table.cloth.gravity) * climb.max(0.0);
        let kept = (1.0 - work / motion.velocity.length_squared()).max(0.0).sqrt();
        let motion = Motion { velocity: motion.velocity * kept, ..motion };
        self.trajectories[i].lift(motion, time, level);
        if motion.vertical > 0.0 {
            self.set_out(table, i, motion, time);
        } else {
            self.land(table, i, level, time);
        }
    }

    /// A ball on the top of a rail passes its inner edge: it falls, or tips over the edge.
    fn leave_rail(&mut self, table: &TablePhysics, i: usize, inward: DVec2, time: f64) {
        let trajectory = &mut self.trajectories[i];
        let (motion, _) = trajectory.at(&table.cloth, time);
        let (velocity, drop) = tip_over(motion.velocity, inward, trajectory.radius, f64::from(table.cloth.gravity));
        let motion = Motion { velocity, vertical: -f64::MIN_POSITIVE, ..motion };
        let height = (trajectory.level - drop.max(BELOW_RAIL)).max(0.0);
        trajectory.lift(motion, time, height);
        self.set_out(table, i, motion, time);
        self.record_vertex(i as u32, time);
    }

    /// A ball leaves the table over the outer edge of a rail, or lies at rest on a rail.
    fn leave_table(&mut self, i: usize, time: f64) {
        self.take_out(i, None, TableEventKind::LeavesTable, time);
    }

    /// Takes the balls that have come to rest on the tops of rails off the table.
    pub(super) fn clear_rails(&mut self) {
        if !self.any_flies {
            return;
        }
        for i in 0..self.trajectories.len() {
            let Trajectory { level, end, is_kept, .. } = self.trajectories[i];
            if level > 0.0 && end.is_rest() && !is_kept {
                self.advance(i, self.end);
                self.leave_table(i, self.end);
            }
        }
    }
}
