//! Balls above the cloth: their hits with other balls, their landings, and balls that a hit lifts off the cloth or pushes
//! into the slate. Noses that they climb or clear, tops of rails on which they roll, and the edge of the table.
//!
//! Discs that are not balls, moving terrain, and terrain within the cushions act as columns of infinite height: a ball
//! hits them at any height.

use bevy::math::{DVec2, DVec3};

use super::{
    collapse::GROUP_GAP,
    particles::{Meets, Particle, Partner},
    tick_state::TickState,
};
use crate::collision::{
    hit::LandedBall,
    path::{table_events::TableEventKind, trajectory::Trajectory},
    pockets::PocketCircle,
    shape::{
        Bounds, Wall,
        edge::{Edge, edge_time_of_impact},
        rounding::{SEAM, SQUARES_VANISH},
        time_of_impact::{NEVER, Rise, entry_time, is_beside_wall, time_of_impact_in_space},
    },
    spin::{
        Cloth, Motion, Rails, Shape, TablePhysics,
        rails::{RailProfile, tip_over},
        slate,
    },
    terrain::index::Piece,
    tick::OVERLAP_ROUNDING,
};

/// The sine of the elevation of what a flying ball hits, where terrain is a vertical wall above the cloth.
const HIGH_WALL: f64 = 0.0;

/// A ball that leaves a rail starts this far below its top, metres, so that it does not land there again.
const BELOW_RAIL: f64 = 1e-9;

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

/// What a ball above the cloth meets in a piece of terrain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NoseMet {
    /// The sine of the elevation of the nose, seen from the centre of the ball.
    pub(super) sin: f64,
    /// The horizontal unit vector from the edge of a nose to the ball; `None` at a wall of any height.
    pub(super) away: Option<DVec2>,
}

impl TickState<'_> {
    /// Whether a disc is a ball above the cloth, in the air or on a rail, or about to leave the cloth.
    #[inline(always)]
    pub(super) fn is_above(&self, i: usize) -> bool {
        self.any_flies && self.trajectories.get(i).is_some_and(Trajectory::is_above)
    }

    /// The height of the lowest point of a disc above the cloth at a time of the tick, metres. Zero unless it flies.
    #[inline(always)]
    pub(super) fn height_at(&self, i: usize, time: f64) -> f32 {
        if self.is_above(i) { self.height_in_flight(i, time) } else { 0.0 }
    }

    #[cold]
    fn height_in_flight(&self, i: usize, time: f64) -> f32 {
        self.laws.table.as_ref().map_or(0.0, |table| self.trajectories[i].height_at(&table.cloth, time) as f32)
    }

    /// Whether two discs are balls of which at least one is above the cloth.
    #[inline(always)]
    pub(super) fn meet_in_space(&self, i: usize, j: usize) -> bool {
        let is_ball = |i: usize| self.trajectories[i].shape == Some(Shape::Ball);
        (self.is_above(i) || self.is_above(j)) && is_ball(i) && is_ball(j)
    }

    /// How far the centre of the second of two balls is above that of the first, at a time of the tick.
    fn rise(&self, cloth: &Cloth, [i, j]: [usize; 2], time: f64) -> Rise {
        let [a, b] = [i, j].map(|i| self.trajectories[i].rise_at(cloth, time));
        let [from, to] = [i, j].map(|i| self.particles[i].radius);
        Rise {
            height: (b.height + to) - (a.height + from),
            speed: b.speed - a.speed,
            acceleration: b.acceleration - a.acceleration,
        }
    }

    /// When two balls collide in space, seconds from the start of the tick. `line` is the way from the first to the
    /// second at the time `now`, seen from above.
    #[cold]
    pub(super) fn pair_time_in_space(&self, [i, j]: [usize; 2], line: DVec2, now: f64) -> f64 {
        let Some(TablePhysics { cloth, .. }) = &self.laws.table else { return NEVER };
        let (a, b) = (&self.particles[i], &self.particles[j]);
        // A landing starts a new path.
        let until = self.support_time(i).min(self.support_time(j)).min(self.end) - now;
        if until < 0.0 {
            return NEVER;
        }
        let (rise, speed) = (self.rise(cloth, [i, j], now), a.speed() + b.speed());
        if (self.budget_is_used(i) || self.budget_is_used(j)) && self.lies_on_ball(cloth, [i, j], line, rise) {
            return NEVER;
        }
        let speed = speed + rise.speed.abs() + self.noise_of(i, j);
        now + time_of_impact_in_space(line, b.velocity - a.velocity, rise, a.radius + b.radius, until, speed)
    }

    /// Whether two balls touch in space and approach more slowly than they would after falling for a tick: one lies on
    /// the other until the tick ends. `line` and `rise` lead from the first to the second.
    fn lies_on_ball(&self, cloth: &Cloth, [i, j]: [usize; 2], line: DVec2, rise: Rise) -> bool {
        let (a, b) = (&self.particles[i], &self.particles[j]);
        let (line, velocity) = (line.extend(rise.height), (b.velocity - a.velocity).extend(rise.speed));
        let (distance, sum) = (line.length(), a.radius + b.radius);
        let approach = -line.dot(velocity) / distance;
        distance <= sum * (1.0 + GROUP_GAP) && approach < f64::from(cloth.gravity) * self.end
    }

    /// Unit vector from the centre of a ball to that of another in space, both at this time.
    pub(super) fn normal_in_space(&self, table: &TablePhysics, pair: [usize; 2], time: f64) -> DVec3 {
        let [i, j] = pair.map(|i| self.particles[i].position);
        let line = self.nearest(j - i).extend(self.rise(&table.cloth, pair, time).height);
        let distance = line.length_squared().sqrt();
        if distance > 0.0 { line / distance } else { DVec3::Z }
    }

    /// Moves two balls that overlap in space by more than rounding apart along the cloth, by their masses. Heights and
    /// velocities do not change, so no energy is created. A ball that lies on another sinks by less than `g h²` in a
    /// tick of length `h`, as no force supports it.
    pub(super) fn slide_apart(&mut self, cloth: &Cloth, [i, j]: [usize; 2], time: f64) {
        let (a, b) = (self.particles[i], self.particles[j]);
        let (sum, height) = (a.radius + b.radius, self.rise(cloth, [i, j], time).height);
        let least = sum - OVERLAP_ROUNDING * a.radius.min(b.radius);
        let across = self.nearest(b.position - a.position).length_squared();
        let squared = sum * sum - height * height;
        if across + height * height >= least * least || squared <= across {
            return;
        }
        let (push, normal) = (squared.sqrt() - across.sqrt(), self.normal(i, j));
        let Some(share) = self.share_of_first([i, j]) else { return };
        self.particles[i].position -= normal * (push * share);
        self.particles[j].position += normal * (push * (1.0 - share));
    }

    /// Corrects the straight paths of two balls that touch in space and approach along these paths, but not by their
    /// motions. Only the horizontal parts differ. A ball that the slate has pushed back approaches again, and is hit
    /// again.
    pub(super) fn give_way_in_space(&mut self, cloth: &Cloth, [i, j]: [usize; 2], normal: DVec3, time: f64) {
        let (across, rising) = (normal.truncate().length(), self.rise(cloth, [i, j], time).speed);
        let approach = |velocity: DVec2| velocity.dot(normal.truncate()) - rising * normal.z;
        let [a, b] = [i, j].map(|i| self.trajectories[i].at(cloth, time).0.velocity);
        let along_paths = approach(self.particles[i].velocity - self.particles[j].velocity);
        if across > 0.0 && along_paths > 0.0 && !(approach(a - b) > 0.0) {
            self.part([i, j], normal.truncate() / across, along_paths / across);
        }
    }

    /// The rails as the centre of a disc meets them, if the table has any.
    fn rails(&self, i: usize) -> Option<RailProfile> {
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
        let bed = (!trajectory.flies()).then(|| self.leaves_rail(&rails, i)).flatten();
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
        if !rails.is_over(place) {
            return false;
        }
        let mut is_open = false;
        self.pockets.for_each_meeting(Bounds::around(place.as_vec2(), SQUARES_VANISH), |_, pocket| {
            is_open |= place.distance_squared(pocket.centre.as_dvec2()) < self.opening(pocket).powi(2);
        });
        !is_open
    }

    /// The radius around the centre of a pocket without cushions and liners, metres: there the rail is open.
    fn opening(&self, pocket: &PocketCircle) -> f64 {
        let (centre, mut radius) = (pocket.centre.as_dvec2(), f64::from(pocket.radius));
        self.terrain.index.for_each_overlapping(Bounds::around(pocket.centre, pocket.radius), |piece| {
            let gap = match piece {
                Piece::Wall(wall) => self.terrain.walls[wall as usize].gap(centre, 0.0),
                Piece::FixedCircle(circle) => {
                    let circle = &self.terrain.fixed_circles[circle as usize];
                    Some(centre.distance(circle.centre.as_dvec2()) - f64::from(circle.radius))
                }
            };
            radius = radius.min(gap.unwrap_or(radius).max(0.0));
        });
        radius
    }

    /// When a ball on the top of a rail passes its inner edge, seconds from the start of the tick.
    fn leaves_rail(&self, rails: &RailProfile, i: usize) -> Option<(f64, Support)> {
        let Particle { position, velocity, time, .. } = self.particles[i];
        let mut first = rails.time_to_bed(position, velocity);
        let bounds =
            Bounds::of_points([position.as_vec2(), self.particles[i].position_at(self.end).as_vec2()].into_iter());
        self.pockets.for_each_meeting(bounds.padded(SQUARES_VANISH), |_, pocket| {
            let from = position - pocket.centre.as_dvec2();
            let enters = entry_time(from, velocity, self.opening(pocket));
            if enters < NEVER && first.is_none_or(|(time, _)| enters < time) {
                first = Some((enters, -(from + velocity * enters).normalize_or_zero()));
            }
        });
        first.map(|(passed, inward)| (time + passed, Support::LeavesRail(inward)))
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
                None if rails.is_some_and(|rails| rails.is_over(place)) => self.leave_table(i, time),
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
            if level > 0.0 && end == Motion::default() && !is_kept {
                self.advance(i, self.end);
                self.leave_table(i, self.end);
            }
        }
    }

    /// Whether a piece of terrain is part of the cushions, whose noses a ball can clear.
    fn is_cushion(&self, rails: &Rails, piece: Piece) -> bool {
        match piece {
            Piece::Wall(wall) => {
                let Wall { a, b, curve, .. } = self.terrain.walls[wall as usize];
                curve.is_none() && [a, b, a.midpoint(b)].into_iter().all(|at| rails.hold(at))
            }
            Piece::FixedCircle(circle) => rails.hold(self.terrain.fixed_circles[circle as usize].centre),
        }
    }

    /// The edge of the nose that a ball above the cloth sees in a piece of terrain; `None` if it is a wall of any
    /// height.
    fn edge_of(&self, i: usize, partner: Partner) -> Option<(Edge, RailProfile)> {
        let Meets::Piece(piece) = partner.meets() else { return None };
        if !self.is_above(i) || !self.is_cushion(&self.laws.table.as_ref()?.rails?, piece) {
            return None;
        }
        let (rails, place) = (self.rails(i)?, self.particles[i].position);
        let edge = match piece {
            Piece::Wall(wall) => {
                let Wall { a, b, .. } = self.terrain.walls[wall as usize];
                let (a, along) = (a.as_dvec2(), (b - a).as_dvec2());
                let across = along.perp() / along.length_squared().sqrt();
                let normal = if (place - a).dot(across) < 0.0 { -across } else { across };
                Edge::Line(a + normal * rails.overhang, normal)
            }
            Piece::FixedCircle(circle) => {
                let circle = &self.terrain.fixed_circles[circle as usize];
                Edge::Ring(circle.centre.as_dvec2(), f64::from(circle.radius) + rails.overhang)
            }
        };
        Some((edge, rails))
    }

    /// When a ball above the cloth touches the nose of a piece of terrain, seconds from the start of the tick; `None`
    /// if the piece is a wall of any height.
    pub(super) fn nose_time(&self, i: usize, partner: Partner) -> Option<f64> {
        let (edge, rails) = self.edge_of(i, partner)?;
        let (table, trajectory) = (self.laws.table.as_ref()?, &self.trajectories[i]);
        let Particle { position, velocity, radius, time, .. } = self.particles[i];
        // On the top of the rail it meets no nose.
        if !trajectory.flies() || trajectory.is_kept || !self.meets_piece(i, partner) {
            return Some(NEVER);
        }
        let until = self.support_time(i).min(self.end) - time;
        let rise = trajectory.rise_at(&table.cloth, time);
        let rise = Rise { height: rise.height + radius - rails.height, ..rise };
        let passed = edge_time_of_impact(&edge, [position, velocity], rise, radius, until);
        let at = position + velocity * passed;
        Some(if passed < NEVER && self.is_beside(partner, at, radius) { time + passed } else { NEVER })
    }

    /// Whether a disc and a piece of static terrain collide at all.
    fn meets_piece(&self, i: usize, partner: Partner) -> bool {
        match partner.meets() {
            _ if !self.has_filters => true,
            Meets::Piece(Piece::Wall(wall)) => self.wall_met(i, wall).is_some(),
            Meets::Piece(Piece::FixedCircle(circle)) => self.circle_met(i, circle).is_some(),
            _ => false,
        }
    }

    /// Whether a place is beside a piece of terrain: between the ends of a wall, or at a corner and not at its walls.
    fn is_beside(&self, partner: Partner, at: DVec2, radius: f64) -> bool {
        match partner.meets() {
            Meets::Piece(Piece::Wall(wall)) => {
                let Wall { a, b, .. } = self.terrain.walls[wall as usize];
                let (a, along) = (a.as_dvec2(), (b - a).as_dvec2());
                let (share, seam) = ((at - a).dot(along), SEAM * along.length_squared());
                (-seam..=along.length_squared() + seam).contains(&share)
            }
            Meets::Piece(Piece::FixedCircle(circle)) => {
                let circle = &self.terrain.fixed_circles[circle as usize];
                let away = at - circle.centre.as_dvec2();
                !is_beside_wall(circle, away, radius + f64::from(circle.radius))
            }
            _ => false,
        }
    }

    /// What a ball above the cloth meets at its current position in a piece of terrain. `None` on the cloth.
    pub(super) fn nose_met(&self, i: usize, partner: Partner, time: f64) -> Option<NoseMet> {
        if !self.is_above(i) {
            return None;
        }
        let (Some((edge, rails)), Some(table)) = (self.edge_of(i, partner), &self.laws.table) else {
            return Some(NoseMet { sin: HIGH_WALL, away: None });
        };
        let Particle { position, radius, .. } = self.particles[i];
        let ((across, away), rise) = (edge.across(position), self.trajectories[i].rise_at(&table.cloth, time));
        let height = rise.height + radius - rails.height;
        let distance = (across * across + height * height).sqrt();
        let sin = if distance > 0.0 { -height / distance } else { -1.0 };
        Some(NoseMet { sin, away: Some(if across < 0.0 { -away } else { away }) })
    }

    /// A box around the path of a disc, wider for a ball above the cloth: the edge of a nose is in front of its line.
    #[inline(always)]
    pub(super) fn reach(&self, i: usize, bounds: Bounds) -> Bounds {
        if self.is_above(i) { bounds.padded(self.particles[i].radius as f32) } else { bounds }
    }

    /// The motion of a ball after a hit: on the cloth, the slate pushes back what the hit pushes into it.
    pub(super) fn held_by_the_slate(&mut self, table: &TablePhysics, i: usize, motion: Motion, time: f64) -> Motion {
        let trajectory = &self.trajectories[i];
        let (Some(flight), Some(body)) = (&table.flight, trajectory.body(self.particles[i].mass)) else {
            return motion;
        };
        if motion.vertical == 0.0 || trajectory.flies() || body.shape != Shape::Ball || self.is_immovable(i) {
            return motion;
        }
        let after = slate::held(flight, &table.cloth, &body, &motion);
        if flight.takes_off(-motion.vertical) {
            self.record_event(i, TableEventKind::Lands, [motion, after], time);
        }
        after
    }
}
