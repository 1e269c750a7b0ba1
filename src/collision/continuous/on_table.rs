//! Impacts on a table, where discs spin: with friction, and with the motions that the curved paths have at the time of
//! the impact.
//!
//! Within a tick a disc moves straight to the end of its curved path (see [`spin`](crate::collision::spin)). So two
//! touching discs may approach along their straight paths although their motions do not. Then there is no impulse, and
//! the straight paths are corrected.

use bevy::math::DVec2;

use super::{
    nose::Touched,
    particles::{Impact, Particle, Partner},
    resolve::Met,
    tick_state::TickState,
};
use crate::collision::{
    hit::{
        CushionBounce, HitTarget, Surface,
        answers::Encounter,
        bounce_off_cushion,
        on_table::{IMMOVABLE, Response, TableDisc, hit_pair, hit_pair_in_space},
    },
    path::{
        table_events::{FAINTEST, TableEvent, TableEventKind},
        trajectory::Trajectory,
    },
    spin::{Motion, TablePhysics},
};

/// The speed at which corrected straight paths separate, m/s: less than the rounding of positions within a tick, and
/// enough that the discs do not touch again.
const GIVES_WAY: f64 = 1e-6;

impl TickState<'_> {
    /// Whether a disc spins on a table.
    #[inline(always)]
    pub(super) fn spins(&self, i: usize) -> bool {
        Trajectory::of_spinning(self.trajectories, i).is_some()
    }

    /// Whether a disc or the other disc of an impact spins on a table.
    #[inline(always)]
    pub(super) fn meets_on_table(&self, i: usize, partner: Partner) -> bool {
        self.spins(i) || partner.disc().is_some_and(|other| self.spins(other as usize))
    }

    /// The motion of a disc that spins on a table, at a time of the tick.
    pub(super) fn motion_on_table(&self, i: usize, time: f64) -> Option<Motion> {
        let (table, trajectory) = (self.laws.table.as_ref()?, Trajectory::of_spinning(self.trajectories, i)?);
        Some(trajectory.at(&table.cloth, time).0)
    }

    /// Resolves an impact of discs that have been moved to their contact.
    pub(super) fn resolve_on_table(&mut self, Impact { time, disc, partner }: Impact, surface: Option<Surface>) -> Met {
        let Some(table) = self.laws.table.as_ref() else { return Met::NOTHING };
        match (partner.disc(), surface) {
            (Some(other), _) => self.meet_disc(table, [disc as usize, other as usize], time),
            (None, Some(surface)) => self.meet_terrain(table, disc as usize, partner, &surface),
            (None, None) => Met::NOTHING,
        }
    }

    fn meet_disc(&mut self, table: &TablePhysics, [i, j]: [usize; 2], time: f64) -> Met {
        if self.meet_in_space(i, j) {
            self.push_apart_in_space(table, [i, j], time);
        }
        let normal = self.normal(i, j);
        let sides = [i, j].map(|i| self.side(i, time));
        let point = self.particles[i].position + normal * self.particles[i].radius;
        let relative = sides[0].motion.velocity - sides[1].motion.velocity;
        let answer = self.answer_of_discs([i, j], || Encounter { point, normal, relative });
        let budget_used = self.budget_is_used(i) || self.budget_is_used(j);
        let restitution = |approach: f64| {
            if budget_used { 0.0 } else { answer.restitution_at(approach, self.laws.settings.resting_speed) }
        };
        let in_space = self.meet_in_space(i, j).then(|| self.normal_in_space(table, [i, j], time));
        let hit = match in_space {
            Some(normal) => hit_pair_in_space(sides, normal, table, restitution),
            None => hit_pair(sides, normal, table, restitution),
        };
        let approach = hit.as_ref().map_or(0.0, |hit| hit.approach);
        self.mark_disc_hit([i, j]);
        if let Some(Response { approach, impulse, after }) = hit {
            let held = [i, j].map(|disc| self.is_immovable(disc));
            let energy = |k: usize, motion: &Motion| {
                sides[k].body.filter(|_| !held[k]).map_or(0.0, |body| motion.kinetic_energy(&body))
            };
            let mut lost = energy(0, &sides[0].motion) + energy(1, &sides[1].motion);
            for (k, motion) in after.into_iter().enumerate() {
                let (disc, other) = ([i, j][k], [j, i][k]);
                let motion = if held[k] { sides[k].motion } else { motion };
                if approach > FAINTEST {
                    let kind = TableEventKind::Hit(HitTarget::Disc(other as u32));
                    self.record_event(disc, kind, [sides[k].motion, motion], time);
                }
                let motion = self.held_by_the_slate(table, disc, motion, time);
                self.set_out(table, disc, motion, time);
                lost -= energy(k, &motion);
            }
            if in_space.is_some() {
                self.credit([i, j], lost, time);
            }
            let Particle { position, radius, .. } = self.particles[i];
            let surface = Surface::of_disc(j as u32, position, radius, normal, DVec2::ZERO, self.restitution[j]);
            self.record(i, &surface, relative, [approach, impulse]);
        }
        match in_space {
            Some(normal) => self.give_way_in_space(&table.cloth, [i, j], normal, time),
            None => self.give_way([i, j], normal),
        }
        Met { approach, is_elastic: false }
    }

    fn meet_terrain(&mut self, table: &TablePhysics, i: usize, partner: Partner, surface: &Surface) -> Met {
        let time = self.particles[i].time;
        let nose = self.touched_nose(i, partner, time);
        if let Some(Touched::Top(level)) = nose {
            self.come_onto_rail(table, i, level, time);
            return Met::NOTHING;
        }
        let edge = nose.and_then(Touched::edge);
        let surface = &Surface { away: edge.unwrap_or(surface.away), ..*surface };
        let away = surface.away / surface.away.length_squared().sqrt();
        if let Some(block) = self.block_of(partner) {
            let met = self.resolve_block(i, block, surface);
            let velocity = self.surface(i, partner).map_or(surface.velocity, |surface| surface.velocity);
            Surface::give_way(&mut self.particles[i].velocity, away, velocity, GIVES_WAY);
            return met;
        }
        let side = TableDisc { nose: nose.map(Touched::sin), ..self.side(i, time) };
        let mut answer = self.answer_at(i, surface, side.motion.velocity, Some(table));
        if self.budget_is_used(i) {
            answer = answer.without_bounce();
        }
        let CushionBounce { surface_velocity, before, response } = bounce_off_cushion(side, surface, table, &answer);
        let approach = response.as_ref().map_or(0.0, |response| response.approach);
        if let Some(Response { approach, impulse, after }) = response {
            if approach > FAINTEST {
                self.record_event(i, TableEventKind::Hit(surface.target), [side.motion, after], time);
            }
            self.set_out(table, i, after, time);
            self.record(i, surface, before, [approach, impulse]);
        }
        if edge.is_some() {
            // Its straight path is exact, and may lead over the nose.
            return Met { approach, is_elastic: approach > 0.0 };
        }
        let leaves_at = if surface.slides_below > 0.0 { surface.leaves_at } else { 0.0 };
        Surface::give_way(&mut self.particles[i].velocity, away, surface_velocity, leaves_at.max(GIVES_WAY));
        Met { approach, is_elastic: false }
    }

    /// A disc as one side of a hit. A frozen disc acts like a fixed one, and its spin does not change.
    fn side(&self, i: usize, time: f64) -> TableDisc {
        let frozen = self.is_frozen(i);
        let mass = if self.is_kinematic(i) || frozen { IMMOVABLE } else { self.particles[i].mass };
        let smooth = || Motion { velocity: self.true_velocity(i, time), ..Motion::default() };
        let mut motion = self.motion_on_table(i, time).unwrap_or_else(smooth);
        if frozen {
            (motion.velocity, motion.vertical) = (DVec2::ZERO, 0.0);
        }
        TableDisc { body: self.trajectories[i].body(mass), mass, motion, nose: None }
    }

    /// Continues the path of a disc after an impact with this motion.
    pub(super) fn set_out(&mut self, table: &TablePhysics, i: usize, motion: Motion, time: f64) {
        if self.is_immovable(i) {
            return;
        }
        if !self.spins(i) {
            let ahead = self.true_velocity(i, time) - self.particles[i].velocity;
            self.particles[i].velocity = motion.velocity - ahead;
            return;
        }
        let (particle, trajectory) = (&mut self.particles[i], &mut self.trajectories[i]);
        particle.velocity = trajectory.set_out(&table.cloth, particle.position, motion, [time, self.end]);
        self.any_flies |= trajectory.is_above();
    }

    /// Whether table events are recorded.
    fn records_events(&self) -> bool {
        self.report.record_events && !self.trajectories.is_empty()
    }

    /// Records an event of a disc at its current position, if events are recorded.
    pub(super) fn record_event(&mut self, i: usize, kind: TableEventKind, [before, after]: [Motion; 2], time: f64) {
        if !self.spins(i) || !self.records_events() {
            return;
        }
        let cloth = self.laws.table.as_ref().map(|table| &table.cloth);
        let height = cloth.map_or(0.0, |cloth| self.trajectories[i].height_at(cloth, time));
        self.report.events.push(TableEvent {
            time,
            disc: i as u32,
            kind,
            position: self.particles[i].position,
            height,
            before,
            after,
        });
    }

    /// Records the events of a disc on its straight path until a time, if events are recorded.
    pub(super) fn record_way(&mut self, i: usize, time: f64) {
        let Some(table) = self.laws.table.as_ref().filter(|_| self.records_events()) else { return };
        let particle = &self.particles[i];
        // A stopped disc does not move, whatever its curved path says.
        if !particle.impacts_used.is_frozen() {
            let between = [particle.time, time];
            let place_at = |time| particle.position_at(time);
            self.report.record_way(i as u32, &self.trajectories[i], &table.cloth, between, place_at);
        }
    }

    /// Records the events of all discs from their last impacts to the end of the tick, if events are recorded.
    pub(super) fn record_last_ways(&mut self) {
        if self.records_events() {
            (0..self.particles.len()).for_each(|i| self.record_way(i, self.end));
        }
    }

    /// Corrects the straight paths of two touching discs so that they separate, or at least do not approach.
    fn give_way(&mut self, [i, j]: [usize; 2], normal: DVec2) {
        let (a, b) = (&self.particles[i], &self.particles[j]);
        let approach = (a.velocity - b.velocity).dot(normal);
        if !(approach > 0.0) {
            return;
        }
        self.part([i, j], normal, approach);
    }

    /// Changes the straight paths of two discs along the unit vector from the first to the second by a little more than
    /// a speed, m/s.
    pub(super) fn part(&mut self, [i, j]: [usize; 2], normal: DVec2, approach: f64) {
        let change = approach + GIVES_WAY;
        let Some(share) = self.share_of_first([i, j]) else { return };
        self.particles[i].velocity -= normal * (change * share);
        self.particles[j].velocity += normal * (change * (1.0 - share));
    }

    /// The share of the first of two discs in a push that parts them; `None` if neither can be moved.
    pub(super) fn share_of_first(&self, [i, j]: [usize; 2]) -> Option<f64> {
        let (a, b) = (&self.particles[i], &self.particles[j]);
        match (self.is_immovable(i), self.is_immovable(j)) {
            (true, true) => None,
            (true, false) => Some(0.0),
            (false, true) => Some(1.0),
            (false, false) => Some(b.mass / (a.mass + b.mass)),
        }
    }

    /// Makes a disc that has come to rest against others continue with the velocity of its straight path. A frozen disc
    /// already has its motion.
    pub(super) fn adopt_path(&mut self, i: usize, time: f64) {
        let trajectory = Trajectory::of_spinning_mut(self.trajectories, i);
        let (Some(table), Some(trajectory)) = (self.laws.table.as_ref(), trajectory) else { return };
        let (before, _) = trajectory.at(&table.cloth, time);
        let after = Motion { velocity: self.particles[i].velocity, ..before };
        if !self.particles[i].impacts_used.is_frozen() {
            // Its straight path does not change.
            let _ = trajectory.set_out(&table.cloth, self.particles[i].position, after, [time, self.end]);
        }
        self.record_event(i, TableEventKind::Stopped, [before, after], time);
    }
}
