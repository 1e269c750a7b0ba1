//! Balls above the cloth: when they collide with other balls and in which direction, when they land, and balls that a
//! hit lifts off the cloth or pushes into the slate. Terrain and discs that are no balls act as columns of infinite
//! height: a ball hits them at any height.

use bevy::math::{DVec2, DVec3};

use super::{collapse::GROUP_GAP, tick_state::TickState};
use crate::collision::{
    hit::LandedBall,
    path::{table_events::TableEventKind, trajectory::Trajectory},
    shape::time_of_impact::{NEVER, Rise, time_of_impact_in_space},
    spin::{Cloth, Motion, Shape, TablePhysics, slate},
    tick::OVERLAP_ROUNDING,
};

impl TickState<'_> {
    /// Whether a disc is a ball above the cloth, or about to leave it.
    #[inline(always)]
    pub(super) fn flies(&self, i: usize) -> bool {
        self.any_flies && self.trajectories.get(i).is_some_and(Trajectory::flies)
    }

    /// The height of the lowest point of a disc above the cloth at a time of the tick, metres. Zero unless it flies.
    #[inline(always)]
    pub(super) fn height_at(&self, i: usize, time: f64) -> f32 {
        if self.flies(i) { self.height_in_flight(i, time) } else { 0.0 }
    }

    #[cold]
    fn height_in_flight(&self, i: usize, time: f64) -> f32 {
        self.laws.table.as_ref().map_or(0.0, |table| self.trajectories[i].height_at(&table.cloth, time) as f32)
    }

    /// Whether two discs are balls of which at least one is above the cloth.
    #[inline(always)]
    pub(super) fn meet_in_space(&self, i: usize, j: usize) -> bool {
        let is_ball = |i: usize| self.trajectories[i].shape == Some(Shape::Ball);
        (self.flies(i) || self.flies(j)) && is_ball(i) && is_ball(j)
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
        let until = self.landing_time(i).min(self.landing_time(j)).min(self.end) - now;
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

    /// Whether two balls touch in space and approach more slowly than they would after falling for a tick: one lies on the
    /// other until the tick ends. `line` and `rise` lead from the first to the second.
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
    /// velocities do not change, so no energy is created. A ball that lies on another sinks by less than `g h²` in a tick
    /// of length `h`, as no force supports it.
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
    /// motions. Only the horizontal parts differ. A ball that the slate has pushed back approaches again, and is hit again.
    pub(super) fn give_way_in_space(&mut self, cloth: &Cloth, [i, j]: [usize; 2], normal: DVec3, time: f64) {
        let (across, rising) = (normal.truncate().length(), self.rise(cloth, [i, j], time).speed);
        let approach = |velocity: DVec2| velocity.dot(normal.truncate()) - rising * normal.z;
        let [a, b] = [i, j].map(|i| self.trajectories[i].at(cloth, time).0.velocity);
        let along_paths = approach(self.particles[i].velocity - self.particles[j].velocity);
        if across > 0.0 && along_paths > 0.0 && !(approach(a - b) > 0.0) {
            self.part([i, j], normal.truncate() / across, along_paths / across);
        }
    }

    /// When a disc lands on the cloth, seconds from the start of the tick; never if it does not fly.
    pub(super) fn landing_time(&self, i: usize) -> f64 {
        let Some(table) = &self.laws.table else { return NEVER };
        self.trajectories.get(i).map_or(NEVER, |trajectory| trajectory.lands_at(&table.cloth))
    }

    /// Resolves the landing of a ball that has been moved to its place. Over a pocket it falls.
    pub(super) fn land(&mut self, i: usize, time: f64) {
        if let Some(pocket) = self.pocket_below(i) {
            self.fall(i, pocket, time);
            return;
        }
        let Some(table) = self.laws.table.as_ref() else { return };
        let trajectory = &mut self.trajectories[i];
        let (before, _) = trajectory.at(&table.cloth, time);
        trajectory.touch_down(before, time);
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
