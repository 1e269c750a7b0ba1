//! Balls above the cloth and their hits with other balls, and balls that a hit lifts off the cloth or pushes into the
//! slate.

use bevy::math::{DVec2, DVec3};

use super::{collapse::GROUP_GAP, particles::Particle, tick_state::TickState};
use crate::collision::{
    path::{table_events::TableEventKind, trajectory::Trajectory},
    shape::{
        Bounds,
        time_of_impact::{NEVER, Rise, time_of_impact_in_space},
    },
    spin::{Cloth, Motion, Shape, TablePhysics, slate},
    tick::OVERLAP_ROUNDING,
};

impl TickState<'_> {
    /// Whether a disc is a ball above the cloth, in the air or on a rail, or about to leave the cloth.
    #[inline(always)]
    pub(super) fn is_above(&self, i: usize) -> bool {
        self.any_flies && self.is_above_cloth(i)
    }

    #[cold]
    fn is_above_cloth(&self, i: usize) -> bool {
        self.trajectories.get(i).is_some_and(Trajectory::is_above)
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
        self.any_flies && self.are_balls_above(i, j)
    }

    #[cold]
    fn are_balls_above(&self, i: usize, j: usize) -> bool {
        let is_ball = |i: usize| self.trajectories[i].shape == Some(Shape::Ball);
        (self.is_above_cloth(i) || self.is_above_cloth(j)) && is_ball(i) && is_ball(j)
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

    /// Moves two balls that overlap in space by more than rounding apart. No force supports a ball that lies on others,
    /// so it sinks in by up to `2 g h²` with ticks of length `h`. The upper ball is lifted, and its fall and the energy
    /// that its hits have lost in this tick pay for that. If they do not suffice, both slide along the cloth by their
    /// masses.
    pub(super) fn push_apart_in_space(&mut self, table: &TablePhysics, pair: [usize; 2], time: f64) {
        if let Some(need) = self.overlap_in_space(&table.cloth, pair, time) {
            let upper = pair[usize::from(self.rise(&table.cloth, pair, time).height > 0.0)];
            self.lift(table, upper, need, time);
        }
        // A ball that lies on others sinks by less in a tick.
        let sinks = f64::from(table.cloth.gravity) * self.end * self.end;
        if self.overlap_in_space(&table.cloth, pair, time).is_some_and(|need| need > sinks) {
            self.slide_apart(&table.cloth, pair, time);
        }
    }

    /// How far the upper of two balls must rise so that they do not overlap, metres; `None` if they overlap by no more
    /// than rounding.
    fn overlap_in_space(&self, cloth: &Cloth, [i, j]: [usize; 2], time: f64) -> Option<f64> {
        let (a, b) = (&self.particles[i], &self.particles[j]);
        let (sum, height) = (a.radius + b.radius, self.rise(cloth, [i, j], time).height);
        let least = sum - OVERLAP_ROUNDING * a.radius.min(b.radius);
        let across = self.nearest(b.position - a.position).length_squared();
        let overlaps = across + height * height < least * least;
        overlaps.then(|| (sum * sum - across).sqrt() - height.abs())
    }

    /// Lifts a ball by up to this many metres, as far as its vertical speed and its credit pay for.
    fn lift(&mut self, table: &TablePhysics, i: usize, need: f64, time: f64) {
        let (gravity, rise) = (f64::from(table.cloth.gravity), self.trajectories[i].rise_at(&table.cloth, time));
        if self.is_immovable(i) || !(gravity > 0.0) {
            return;
        }
        let (mass, trajectory) = (self.particles[i].mass, &mut self.trajectories[i]);
        let fall = rise.speed.min(0.0);
        let [by_speed, by_credit] = [0.5 * fall * fall, trajectory.credit / mass].map(|work| work / gravity);
        let left = if need < by_speed {
            -(2.0 * gravity * (by_speed - need)).sqrt()
        } else {
            rise.speed.max(-f64::MIN_POSITIVE)
        };
        let credit = (need - by_speed).min(by_credit).max(0.0);
        trajectory.credit = (trajectory.credit - credit * mass * gravity).max(0.0);
        let (motion, _) = trajectory.at(&table.cloth, time);
        let motion = Motion { vertical: left, ..motion };
        trajectory.lift(motion, time, rise.height + need.min(by_speed + credit));
        self.set_out(table, i, motion, time);
    }

    /// Notes the energy that a hit of two balls in space has lost, joules, with the upper one.
    pub(super) fn credit(&mut self, pair: [usize; 2], lost: f64, time: f64) {
        let Some(TablePhysics { cloth, .. }) = &self.laws.table else { return };
        let upper = pair[usize::from(self.rise(cloth, pair, time).height > 0.0)];
        self.trajectories[upper].credit += lost.max(0.0);
    }

    /// Moves two balls apart along the cloth, by their masses. A ball that terrain stops leaves the way to the other.
    fn slide_apart(&mut self, cloth: &Cloth, [i, j]: [usize; 2], time: f64) {
        let (a, b) = (self.particles[i], self.particles[j]);
        let (sum, height) = (a.radius + b.radius, self.rise(cloth, [i, j], time).height);
        let across = self.nearest(b.position - a.position).length_squared();
        let apart = (sum * sum - height * height).max(across).sqrt();
        // By half: a ball between others would be pushed to and fro.
        let (push, normal) = (0.5 * (apart - across.sqrt()), self.normal(i, j));
        let Some(share) = self.share_of_first([i, j]) else { return };
        let places = |share: f64| [a.position - normal * (push * share), b.position + normal * (push * (1.0 - share))];
        let is_free = |share: &f64| {
            let [first, second] = places(*share);
            (*share == 0.0 || self.is_clear_of_terrain(i, first, time))
                && (*share == 1.0 || self.is_clear_of_terrain(j, second, time))
        };
        let shares = [Some(share), (!self.is_immovable(j)).then_some(0.0), (!self.is_immovable(i)).then_some(1.0)];
        if let Some(share) = shares.into_iter().flatten().find(is_free) {
            [self.particles[i].position, self.particles[j].position] = places(share);
        }
    }

    /// Whether a ball at this place would be in no static terrain, or no deeper than it is.
    fn is_clear_of_terrain(&self, i: usize, place: DVec2, time: f64) -> bool {
        let Particle { position, radius, .. } = self.particles[i];
        if self.rails(i).is_some_and(|rails| f64::from(self.height_at(i, time)) >= rails.height) {
            return true;
        }
        let mut is_free = true;
        self.terrain.index.for_each_overlapping(Bounds::around(place.as_vec2(), radius as f32), |piece| {
            let gap = |at: DVec2| self.gap_to(piece, at);
            let there = gap(place);
            is_free &= there >= radius || there >= gap(position);
        });
        is_free
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
