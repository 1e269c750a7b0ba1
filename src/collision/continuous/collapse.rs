//! Inelastic collapse: impacts that never end, and trains of bounces whose intervals shrink to nothing.
//!
//! The rule for impacts that take energy: a disc has a budget of impacts for each tick
//! ([`CollisionSettings::impact_budget`](crate::collision::CollisionSettings)); one below the resting speed takes a
//! sixty-fourth of it, and one that is too slow for a hit among discs that are held a 256th. With the last of them the
//! disc comes to rest against whatever it touches, be it terrain that moves: the group of all discs that touch each
//! other there gets the velocities of inelastic contact, pair by pair in the order of
//! [`StableId`](crate::disc::StableId), sweep after sweep, until no two of them approach. If some still do after 64
//! sweeps, the group goes on as one body, with the velocity of its centre of mass, along the terrain that is in its
//! way; between two pieces of it that leave no way it stands still until the tick ends, as if it were fixed.
//!
//! From then on the group's impacts are inelastic. A disc that has 64 more of them comes to rest again, against what it
//! touches by then; the sixteenth time it stands still. So every tick ends, and
//! [`Space::stopped`](crate::collision::Space) counts the discs each time.
//!
//! Impacts that take no energy do end (a light disc between a wall and one that is `r` times as heavy has up to `π √r`
//! of them, nearly all in one tick), and each is a hit that a disc lives through: there is no contact to hold, as there
//! is where energy is lost. A disc may have four times its budget of them in a tick, and up to twenty times as long as
//! it and those that it hits meanwhile have together had no more than a hundred budgets beyond those; one that has had
//! as many waits where it is for the next tick and keeps its velocity. That is 20,000 impacts and 5 to 8 ms for a light
//! disc in a wedge, and for however many that hit each other 100,000 impacts (30 to 40 ms) besides the 4,000 (some 1.5
//! ms) that each may always have. It is so before terrain that moves, too, as long as that leaves room: where it does
//! not, the disc stands still after 512 of its impacts.

use bevy::math::DVec2;

use super::{
    particles::{Particle, Partner},
    tick_state::TickState,
};
use crate::collision::{
    hit::{Surface, answers::Answer},
    path::{flight::Flight, trajectory::Trajectory},
    spin::Motion,
    terrain::crosses_any,
};

/// Gaps up to this share of the radii are none for a group that comes to rest.
const GROUP_GAP: f64 = 1e-6;

/// Closer than this share of the radii a disc touches what presses it.
const PRESSED_GAP: f64 = 1e-3;

/// How often the contacts of a group are gone through, and how many impacts a disc may have before it comes to rest
/// again.
const SWEEPS: u32 = 64;

/// So often a disc may be held anew in a tick by what is too slow for a hit, before it comes to rest.
const HOLDS: u32 = 256;

/// A disc may have so many times its budget of impacts that take no energy.
const ELASTIC: u32 = 20;

/// So many times its budget it may have them whatever the others have: in a gas as dense as a crystal that has a
/// ten-thousandth of its diameters left, a disc at 10 m/s has two or three thousand in a sixtieth of a second.
const OWN: u32 = 4;

/// Discs that hit each other so may together have so many times the budget of one, of such impacts that are beyond
/// their own.
const SHARED: u32 = 100;

/// So often terrain that moves may hit a disc within a tick before the disc counts as squeezed and stands still; one
/// that loses no energy does so only if there will be no room for it.
const SQUEEZED: u32 = 512;

/// How often a disc may come to rest within a tick before it stands still.
const RESTS: u32 = 16;

/// Two that touch. The first is a disc.
type TouchingPair = (u32, Partner);

/// What a disc has used of its budget of impacts in a tick; in four bytes, so that a particle fills one line of the
/// cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ImpactsUsed(u32);

/// What that means.
enum BudgetState {
    /// Some of the budget is left.
    Left,
    /// The disc has come to rest, and its impacts are inelastic; so many it has had since.
    Exhausted { since: u32 },
    /// It stands still until the tick ends, as if it were fixed.
    Fixed,
    /// It waits where it is for the next tick, in which it goes on with its velocity.
    Waiting,
}

impl ImpactsUsed {
    // No budget is as large: see `CollisionSettings::MAX_IMPACT_BUDGET`.
    const FIXED: Self = Self(u32::MAX);
    const WAITING: Self = Self(u32::MAX - 1);
    /// Of a kinematic disc, which nothing stops and which counts none.
    pub(super) const KINEMATIC: Self = Self(u32::MAX - 2);

    #[inline(always)]
    fn state(self, budget: u32) -> BudgetState {
        match self {
            Self::FIXED => BudgetState::Fixed,
            Self::WAITING => BudgetState::Waiting,
            Self::KINEMATIC => BudgetState::Left,
            Self(used) if used < budget => BudgetState::Left,
            Self(used) => BudgetState::Exhausted { since: used - budget },
        }
    }

    fn add(&mut self, price: u32) {
        self.0 += price;
    }

    /// Uses up what is left of the budget.
    fn exhaust(&mut self, budget: u32) {
        self.0 = self.0.max(budget);
    }

    /// Whether the disc stays where it is until the tick ends.
    #[inline(always)]
    pub(super) fn is_frozen(self) -> bool {
        self.0 >= Self::WAITING.0
    }

    /// Whether it is that of a kinematic disc.
    #[inline(always)]
    pub(super) fn is_kinematic(self) -> bool {
        self == Self::KINEMATIC
    }

    /// Whether no hit changes the velocity of the disc: it is kinematic, or stays where it is until the tick ends.
    #[inline(always)]
    pub(super) fn is_immovable(self) -> bool {
        self.0 >= Self::KINEMATIC.0
    }
}

impl TickState<'_> {
    /// Whether the impacts of a disc are inelastic for the rest of this tick, or it stands still.
    pub(super) fn budget_is_used(&self, i: usize) -> bool {
        let state = self.particles[i].impacts_used.state(self.laws.settings.impact_budget);
        matches!(state, BudgetState::Exhausted { .. } | BudgetState::Fixed)
    }

    /// Two meet of which one lies on something: where they lose energy, their impacts are inelastic for the rest of
    /// this tick.
    pub(super) fn exhaust_budget(&mut self, i: usize, partner: Partner) {
        let other = partner.disc().map(|j| j as usize);
        let e = match other {
            Some(j) => self.restitution_of_discs([i, j], self.particles[i].time),
            None => self.restitution_at(i, partner, self.particles[i].time),
        };
        if e >= 1.0 {
            return;
        }
        for i in [Some(i), other].into_iter().flatten() {
            self.particles[i].impacts_used.exhaust(self.laws.settings.impact_budget);
        }
    }

    /// Counts an impact of terrain that moves. Between two pieces that close in on it, a disc has no end of them.
    pub(super) fn count_moving_impact(&mut self, i: usize) {
        if self.moving_impacts.is_empty() {
            self.moving_impacts.resize(self.particles.len(), 0);
        }
        self.moving_impacts[i] += 1;
        let had = self.moving_impacts[i];
        // What takes no energy has a budget of its own.
        let is_squeezed = if self.was_elastic { had == SQUEEZED && !self.has_room(i) } else { had >= SQUEEZED };
        if is_squeezed && !self.is_frozen(i) {
            self.stop(i);
            self.report.stopped += 1;
        }
    }

    /// Whether there is room for a disc where the tick ends, if it stays where it is until terrain that moves takes it
    /// along.
    fn has_room(&mut self, i: usize) -> bool {
        let before = self.particles[i];
        let carried = self.moving.carried(i, before.position, before.radius, [before.time, self.end]);
        let place = carried.unwrap_or(before.position);
        if crosses_any(&self.terrain_view(), before.position.as_vec2(), place.as_vec2()) {
            return false;
        }
        (self.particles[i].position, self.particles[i].time) = (place, self.end);
        let least = -PRESSED_GAP * before.radius;
        let pieces = self.nearby_firm_terrain(i);
        let has_room = pieces.into_iter().all(|piece| self.gap(i, piece).is_none_or(|gap| gap >= least));
        self.particles[i] = before;
        has_room
    }

    /// Takes an impact with terrain or another disc off a disc's budget, and says whether the disc is to come to rest
    /// with it: where that was the last of its budget, or of what it has after each rest.
    pub(super) fn count_impact(&mut self, disc: u32, other: Option<u32>, approach: f64, too_slow: bool) -> bool {
        let i = disc as usize;
        if self.is_kinematic(i) {
            return false;
        }
        if self.was_elastic {
            self.count_elastic_impact(disc, other);
            return false;
        }
        let budget = self.laws.settings.impact_budget;
        let used = &mut self.particles[i].impacts_used;
        match used.state(budget) {
            BudgetState::Left => {
                let is_slow = approach < f64::from(self.laws.settings.resting_speed);
                used.add(match (is_slow, too_slow) {
                    (true, _) => (budget / SWEEPS).max(1),
                    (false, true) => (budget / HOLDS).max(1),
                    (false, false) => 1,
                });
                matches!(used.state(budget), BudgetState::Exhausted { .. })
            }
            BudgetState::Exhausted { since } => {
                used.add(1);
                if since + 1 >= RESTS * SWEEPS {
                    self.stop(i);
                }
                (since + 1).is_multiple_of(SWEEPS)
            }
            BudgetState::Fixed | BudgetState::Waiting => false,
        }
    }

    /// Counts an impact that took no energy. There is an end to such, however many there are; a disc that has had too
    /// many for one tick waits where it is, and goes on with its velocity in the next. So does one that has used up its
    /// own, where those that have hit each other since have together used up what they share besides.
    fn count_elastic_impact(&mut self, disc: u32, other: Option<u32>) {
        let i = disc as usize;
        if self.elastic_impacts.is_empty() {
            self.elastic_impacts.resize(self.particles.len(), 0);
        }
        let budget = self.laws.settings.impact_budget;
        self.elastic_impacts[i] += 1;
        let had = self.elastic_impacts[i];
        if had <= budget.saturating_mul(OWN) {
            return;
        }
        let other = other.filter(|&other| !self.is_kinematic(other as usize));
        self.elastic_surplus.join(&[disc, other.unwrap_or(disc)], self.particles.len());
        let surplus = self.elastic_surplus.used(disc) + 1;
        self.elastic_surplus.set(disc, surplus);
        let is_left = surplus < budget.saturating_mul(SHARED) as usize;
        let most = if is_left { budget.saturating_mul(ELASTIC) } else { 0 };
        if had >= most && !self.is_frozen(i) {
            // What is pressed so that it has no room has got its speed from nowhere.
            if self.is_pressed(i) {
                self.wait_pressed(i);
            } else {
                self.wait(i);
            }
            self.report.stopped += 1;
        }
    }

    /// Makes a disc that a kinematic one presses wait with the velocity that it had before the tick; forces that act
    /// meanwhile give it none.
    pub(super) fn wait_pressed(&mut self, i: usize) {
        self.frozen.push((i as u32, self.began[i].as_dvec2() - self.gravity_of(i) * self.end));
        self.freeze(i, ImpactsUsed::WAITING, |trajectory, _| trajectory.start);
    }

    /// Makes a disc stay where it is until the tick ends, and go on then as it does now; forces that act meanwhile give
    /// it nothing.
    pub(super) fn wait(&mut self, i: usize) {
        let particle = &self.particles[i];
        let acceleration = self.gravity_effects.get(i).map_or(DVec2::ZERO, |effect| effect.acceleration);
        self.frozen.push((i as u32, particle.velocity - acceleration * (self.end - particle.time)));
        self.freeze(i, ImpactsUsed::WAITING, |_, now| now);
    }

    /// Whether a disc, where it is, touches a kinematic one.
    fn is_pressed(&self, i: usize) -> bool {
        let particle = &self.particles[i];
        self.kinematic.iter().any(|kinematic| {
            let other = &self.particles[kinematic.disc as usize];
            let sum = (particle.radius + other.radius) * (1.0 + PRESSED_GAP);
            let line = self.nearest(other.position_at(particle.time) - particle.position);
            other.is_kinematic() && line.length_squared() <= sum * sum
        })
    }

    /// Makes a disc stand still until the tick ends. On a table it turns as it did.
    fn stop(&mut self, i: usize) {
        self.freeze(i, ImpactsUsed::FIXED, |_, now| Motion { velocity: DVec2::ZERO, ..now });
    }

    /// Keeps a disc where it is until the tick ends; `then` says, of its way on a table and its motion now, how it
    /// moves from then on.
    fn freeze(&mut self, i: usize, used: ImpactsUsed, then: impl Fn(&Trajectory, Motion) -> Motion) {
        let particle = &mut self.particles[i];
        if !particle.impacts_used.is_frozen() {
            if !self.moving.is_empty() {
                self.moving.stopped.push((i as u32, particle.time));
            }
            if let (Some(table), Some(trajectory)) =
                (self.laws.table.as_ref(), Trajectory::of_spinning_mut(self.trajectories, i))
            {
                let (now, _) = trajectory.at(&table.cloth, particle.time);
                trajectory.keep(particle.position, then(trajectory, now), particle.time);
            }
        }
        particle.velocity = DVec2::ZERO;
        particle.impacts_used = used;
    }

    /// Brings a disc, and all that touch it and each other, to rest against one another at this time; gives them all.
    /// `neighbours` lists the discs that may touch one.
    pub(super) fn rest(&mut self, disc: u32, time: f64, neighbours: impl Fn(&Self, usize, &mut Vec<u32>)) -> Vec<u32> {
        let mut group = vec![disc];
        let mut belongs = vec![false; self.particles.len()];
        belongs[disc as usize] = true;
        let mut touches: Vec<TouchingPair> = Vec::new();
        let mut neighbour_list = Vec::new();
        let mut next = 0;
        while next < group.len() {
            let i = group[next] as usize;
            next += 1;
            neighbour_list.clear();
            neighbours(self, i, &mut neighbour_list);
            for &j in &neighbour_list {
                let (a, b) = (&self.particles[i], &self.particles[j as usize]);
                let sum = a.radius + b.radius;
                if j as usize == i
                    || !self.meet(i, j as usize)
                    || self.nearest(b.position_at(time) - a.position_at(time)).length() > sum * (1.0 + GROUP_GAP)
                {
                    continue;
                }
                touches.push((j.min(i as u32), Partner(j.max(i as u32))));
                if self.is_kinematic(j as usize) {
                    // It is as fixed as terrain, wherever it is then.
                    self.advance(j as usize, time);
                    continue;
                }
                if !std::mem::replace(&mut belongs[j as usize], true) {
                    group.push(j);
                }
            }
        }
        group.sort_unstable();
        for &i in &group {
            self.advance(i as usize, time);
            let neighbours = self.nearby_firm_terrain(i as usize).into_iter();
            touches.extend(neighbours.filter(|&piece| self.lies_on(i as usize, piece)).map(|piece| (i, piece)));
        }
        touches.sort_unstable();
        touches.dedup();
        self.resolve_group(&group, &touches);
        let driven = touches.iter().any(|&touch| self.driver(touch).is_some_and(|velocity| velocity != DVec2::ZERO));
        for &i in &group {
            self.record_vertex(i, time);
            self.adopt_path(i as usize, time);
            let gravity = self.gravity_of(i as usize).length();
            let spins = self.spins(i as usize);
            let particle = &mut self.particles[i as usize];
            particle.impacts_used.exhaust(self.laws.settings.impact_budget);
            // What gravity has not got moving in half a tick it does not move.
            let half = 0.5 * self.end;
            if let Some(effect) = self.gravity_effects.get_mut(i as usize)
                && !spins
                && particle.velocity.length() < 0.5 * gravity * half
                && !driven
            {
                particle.velocity = DVec2::ZERO;
                (effect.acceleration, effect.residual) = (DVec2::ZERO, DVec2::ZERO);
                (effect.supported, effect.grouped) = (true, true);
            }
        }
        self.report.stopped += group.len() as u64;
        group
    }

    fn lies_on(&self, i: usize, piece: Partner) -> bool {
        let particle = &self.particles[i];
        // What an approach would meet at once.
        let gap = self.gap(i, piece);
        gap.is_some_and(|gap| gap <= GROUP_GAP * particle.radius)
    }

    /// Goes through the contacts until none of them approaches, and makes one body of a group in which some still do.
    fn resolve_group(&mut self, group: &[u32], touches: &[TouchingPair]) {
        for _ in 0..SWEEPS {
            let mut resolved = false;
            for &(i, partner) in touches {
                resolved |= self.resolve_inelastic(i as usize, partner);
            }
            if !resolved {
                return;
            }
        }
        let particles = group.iter().map(|&i| &self.particles[i as usize]);
        let (momentum, mass) = particles
            .fold((DVec2::ZERO, 0.0), |(p, m), particle| (p + particle.velocity * particle.mass, m + particle.mass));
        self.move_together(group, momentum / mass);
        let blocked = |state: &Self, &(i, partner): &TouchingPair| {
            let others = [Some(i), partner.disc()].map(|disc| disc.filter(|&i| !state.is_kinematic(i as usize)));
            others.iter().flatten().count() == 1 && state.approaches(i as usize, partner)
        };
        for touch in touches {
            if blocked(self, touch) {
                self.resolve_inelastic(touch.0 as usize, touch.1);
                let disc = touch.1.disc().filter(|_| self.is_kinematic(touch.0 as usize)).unwrap_or(touch.0);
                self.move_together(group, self.particles[disc as usize].velocity);
            }
        }
        // What somebody else's hand pushes, and nothing else holds up, goes along with it.
        let pushed = touches.iter().filter(|touch| blocked(self, touch)).find_map(|&touch| self.driver(touch));
        if let Some(velocity) = pushed {
            self.move_together(group, velocity);
        }
        if group.iter().any(|&i| self.is_frozen(i as usize)) || touches.iter().any(|touch| blocked(self, touch)) {
            for &i in group {
                self.stop(i as usize);
            }
        }
    }

    /// How fast the one of two that touch moves which somebody else's hand moves, m/s: a kinematic disc, or terrain;
    /// none where there is none.
    fn driver(&self, (i, partner): TouchingPair) -> Option<DVec2> {
        if partner.moving().is_some() {
            return self.surface(i as usize, partner).map(|surface| surface.velocity);
        }
        let kinematic = [Some(i), partner.disc()].into_iter().flatten().find(|&i| self.is_kinematic(i as usize));
        kinematic.map(|i| self.particles[i as usize].velocity)
    }

    fn move_together(&mut self, group: &[u32], velocity: DVec2) {
        for &i in group {
            self.particles[i as usize].velocity = velocity;
        }
    }

    /// Whether two that touch would meet again at once.
    fn approaches(&self, i: usize, partner: Partner) -> bool {
        self.time_of_impact_with(i, partner) <= self.particles[i].time
    }

    /// Resolves two that touch and approach without restitution.
    fn resolve_inelastic(&mut self, i: usize, partner: Partner) -> bool {
        if !self.approaches(i, partner) {
            return false;
        }
        self.was_elastic = false;
        let approach = match partner.disc() {
            Some(j) => match self.with_kinematic(i, j as usize) {
                Some([disc, kinematic]) => self.stop_at_surface(disc, Partner(kinematic as u32)),
                None => self.stop_pair(i, j as usize),
            },
            None => self.stop_at_surface(i, partner),
        };
        approach > 0.0
    }

    /// Takes from two discs the speed at which they approach; that speed, m/s.
    fn stop_pair(&mut self, i: usize, j: usize) -> f64 {
        let n = self.normal(i, j);
        let approach = self.particles[i].velocity.dot(n) - self.particles[j].velocity.dot(n);
        if !(approach > 0.0) {
            return 0.0;
        }
        self.mark_disc_hit([i, j]);
        self.push_pair([i, j], n, approach, 0.0);
        approach
    }

    /// Takes from a disc the speed at which it approaches terrain, or a kinematic disc, where it is; that speed, m/s.
    fn stop_at_surface(&mut self, i: usize, partner: Partner) -> f64 {
        let Some(surface) = self.surface(i, partner) else { return 0.0 };
        if let Some(block) = self.block_of(partner) {
            return self.stop_at_block(i, block, &surface);
        }
        // The inside of an arc is flat for what is to be at rest.
        let leaves_at = if surface.slides_below > 0.0 { 0.0 } else { surface.leaves_at };
        let surface = Surface { leaves_at, slides_below: 0.0, ..surface };
        let Particle { velocity, time, .. } = self.particles[i];
        let mut flight = Flight::ending_with(velocity, DVec2::ZERO, self.end);
        let inelastic = Answer::plain(Some(0.0), 0.0);
        let bounce = flight.bounce_off(&surface, &inelastic, [time, self.end], |_| 0.0);
        self.particles[i].velocity = flight.velocity;
        if let Some(effect) = self.gravity_effects.get_mut(i) {
            effect.damped = true;
            effect.has_hit_disc |= bounce.is_driven;
        }
        -bounce.before.dot(surface.away)
    }
}
