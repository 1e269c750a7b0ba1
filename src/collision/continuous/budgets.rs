//! Budgets, so that every tick ends: each disc may have a number of impacts of each kind, and stops after the last one.
//!
//! | impacts | number in a tick | after the last one, the disc |
//! |---|---|---|
//! | that lose energy | [`CollisionSettings::impact_budget`](crate::collision::CollisionSettings); a slow one counts more than once | comes to rest against what it touches (`collapse`); after [`RESTS`] of these it freezes |
//! | that lose none | [`OWN`] budgets, and up to [`ELASTIC`] while the discs that hit each other have used at most [`SHARED`] beyond | waits for the next tick, and keeps its velocity |
//! | of moving terrain | [`SQUEEZED`]; if they lose no energy, only if the disc will have no room at the end of the tick | freezes |
//!
//! Impacts that lose no energy do end. A light disc between a wall and a disc that is `r` times as heavy has up to
//! `π √r` of them, nearly all in one tick. Each is a real hit; there is no contact that could be held, as there is
//! where energy is lost. With the default budget, a light disc in a wedge has 20,000 impacts, which take 5 to 8 ms. Any
//! number of discs that hit each other have 100,000 impacts (30 to 40 ms), besides the 4,000 (about 1.5 ms) that each
//! may always have.
//!
//! [`Report::stopped`](crate::collision::Report::stopped) counts the discs that are stopped.

use bevy::math::DVec2;

use super::{resolve::Met, shared_budget::SharedBudget, tick_state::TickState};
use crate::collision::{hit::Surface, path::trajectory::Trajectory, spin::Motion, terrain::crosses_any};

/// The number of impacts after which a disc that has come to rest comes to rest again. A slow impact costs the budget
/// divided by this number.
const IMPACTS_PER_REST: u32 = 64;

/// The largest gap, as a share of the radii, at which a disc touches what presses it.
const PRESSED_GAP: f64 = 1e-3;

/// How often a disc may be held again in a tick by impacts too slow for a hit, before it comes to rest.
const HOLDS: u32 = 256;

/// The largest number of impacts of a disc that lose no energy, as a multiple of its budget.
const ELASTIC: u32 = 20;

/// The number that each disc may always have, whatever the others use, as a multiple of its budget. In a gas as dense
/// as a crystal, with gaps of a ten-thousandth of a diameter, a disc at 10 m/s has 2,000 to 3,000 impacts in 1/60 s.
const OWN: u32 = 4;

/// The largest number of such impacts beyond that, of discs that hit each other together, as a multiple of the budget
/// of one.
const SHARED: u32 = 100;

/// The number of hits by moving terrain in a tick after which a disc counts as squeezed and freezes. If it loses no
/// energy, it freezes only if there will be no room for it.
const SQUEEZED: u32 = 512;

/// How often a disc may come to rest in a tick before it freezes.
const RESTS: u32 = 16;

/// The used part of the impact budget of a disc in a tick; in four bytes, so that a particle fills one cache line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ImpactsUsed(u32);

/// The meaning of an [`ImpactsUsed`].
enum BudgetState {
    /// Some of the budget is left.
    Left,
    /// The disc has come to rest, and its impacts are inelastic; `since` counts its impacts after that.
    Exhausted { since: u32 },
    /// It is frozen until the tick ends, as if it were fixed.
    Fixed,
    /// It stays in place until the next tick, in which it continues with its velocity.
    Waiting,
}

impl ImpactsUsed {
    // Budgets are smaller: see `CollisionSettings::MAX_IMPACT_BUDGET`.
    const FIXED: Self = Self(u32::MAX);
    const WAITING: Self = Self(u32::MAX - 1);
    /// For a kinematic disc, which nothing stops and whose impacts are not counted.
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

    /// Uses up the rest of the budget.
    pub(super) fn exhaust(&mut self, budget: u32) {
        self.0 = self.0.max(budget);
    }

    /// Whether the disc stays in place until the tick ends.
    #[inline(always)]
    pub(super) fn is_frozen(self) -> bool {
        self.0 >= Self::WAITING.0
    }

    /// Whether it belongs to a kinematic disc.
    #[inline(always)]
    pub(super) fn is_kinematic(self) -> bool {
        self == Self::KINEMATIC
    }

    /// Whether no hit changes the velocity of the disc: it is kinematic, or stays in place until the tick ends.
    #[inline(always)]
    pub(super) fn is_immovable(self) -> bool {
        self.0 >= Self::KINEMATIC.0
    }
}

/// Other counts of discs in a tick, besides their [`ImpactsUsed`]; each list is empty until something is counted.
#[derive(Clone, Debug, Default)]
pub(super) struct Budgets {
    /// The number of impacts of each disc that lost no energy.
    elastic: Vec<u32>,
    /// The number of those beyond the budgets of their discs, by groups of discs that hit each other in this way.
    surplus: SharedBudget,
    /// How often each disc was hit by moving terrain.
    moving: Vec<u32>,
    /// The number of periodic edges that each disc has crossed.
    pub(super) crossings: Vec<u32>,
}

impl Budgets {
    /// Resets all counts at the start of a tick.
    pub(super) fn clear(&mut self) {
        let Self { elastic, surplus, moving, crossings } = self;
        elastic.clear();
        surplus.clear();
        moving.clear();
        crossings.clear();
    }
}

impl TickState<'_> {
    /// Whether the impacts of a disc are inelastic for the rest of this tick, or it is frozen.
    pub(super) fn budget_is_used(&self, i: usize) -> bool {
        let state = self.particles[i].impacts_used.state(self.laws.settings.impact_budget);
        matches!(state, BudgetState::Exhausted { .. } | BudgetState::Fixed)
    }

    /// Exhausts the budgets of two that hit each other while one of them rests on something. If they lose energy, their
    /// impacts are inelastic for the rest of this tick.
    pub(super) fn exhaust_budget(&mut self, i: usize, other: Option<usize>, surface: Option<Surface>) {
        let time = self.particles[i].time;
        let e = match (other, surface) {
            (Some(j), _) => self.restitution_of_discs([i, j], time),
            (None, Some(surface)) => self.restitution_on(i, &surface, time),
            (None, None) => 0.0,
        };
        if e >= 1.0 {
            return;
        }
        for i in [Some(i), other].into_iter().flatten() {
            self.particles[i].impacts_used.exhaust(self.laws.settings.impact_budget);
        }
    }

    /// Counts an impact of moving terrain. A disc between two closing pieces has an endless number of them.
    pub(super) fn count_moving_impact(&mut self, i: usize, is_elastic: bool) {
        if self.budgets.moving.is_empty() {
            self.budgets.moving.resize(self.particles.len(), 0);
        }
        self.budgets.moving[i] += 1;
        let had = self.budgets.moving[i];
        // Impacts that lose no energy have a separate budget.
        let is_squeezed = if is_elastic { had == SQUEEZED && !self.has_room(i) } else { had >= SQUEEZED };
        if is_squeezed && !self.is_frozen(i) {
            self.stop(i);
            self.report.stopped += 1;
        }
    }

    /// Whether there will be room for a disc at the end of the tick, if it stays in place until moving terrain carries
    /// it along.
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

    /// Counts an impact with terrain or another disc. Returns whether the disc comes to rest with it: it was the last
    /// of the budget, or of the impacts after a rest.
    pub(super) fn count_impact(&mut self, disc: u32, other: Option<u32>, met: Met, too_slow: bool) -> bool {
        let i = disc as usize;
        if self.is_kinematic(i) {
            return false;
        }
        if met.is_elastic {
            self.count_elastic_impact(disc, other);
            return false;
        }
        let budget = self.laws.settings.impact_budget;
        let used = &mut self.particles[i].impacts_used;
        match used.state(budget) {
            BudgetState::Left => {
                let is_slow = met.approach < f64::from(self.laws.settings.resting_speed);
                used.add(match (is_slow, too_slow) {
                    (true, _) => (budget / IMPACTS_PER_REST).max(1),
                    (false, true) => (budget / HOLDS).max(1),
                    (false, false) => 1,
                });
                matches!(used.state(budget), BudgetState::Exhausted { .. })
            }
            BudgetState::Exhausted { since } => {
                used.add(1);
                if since + 1 >= RESTS * IMPACTS_PER_REST {
                    self.stop(i);
                }
                (since + 1).is_multiple_of(IMPACTS_PER_REST)
            }
            BudgetState::Fixed | BudgetState::Waiting => false,
        }
    }

    /// Counts an impact that lost no energy. Such series end, however long they are. A disc that has had too many in
    /// one tick stays in place, and continues with its velocity in the next tick. So does a disc that has used up its
    /// own, if those that have hit each other have together used up their shared budget.
    fn count_elastic_impact(&mut self, disc: u32, other: Option<u32>) {
        let i = disc as usize;
        if self.budgets.elastic.is_empty() {
            self.budgets.elastic.resize(self.particles.len(), 0);
        }
        let budget = self.laws.settings.impact_budget;
        self.budgets.elastic[i] += 1;
        let had = self.budgets.elastic[i];
        if had <= budget.saturating_mul(OWN) {
            return;
        }
        let other = other.filter(|&other| !self.is_kinematic(other as usize));
        self.budgets.surplus.join(&[disc, other.unwrap_or(disc)], self.particles.len());
        let surplus = self.budgets.surplus.used(disc) + 1;
        self.budgets.surplus.set(disc, surplus);
        let is_left = surplus < budget.saturating_mul(SHARED) as usize;
        let most = if is_left { budget.saturating_mul(ELASTIC) } else { 0 };
        if had >= most && !self.is_frozen(i) {
            // A disc that is pressed without room has gained its speed from the pressing.
            if self.is_pressed(i) {
                self.wait_pressed(i);
            } else {
                self.wait(i);
            }
            self.report.stopped += 1;
        }
    }

    /// Makes a disc that a kinematic one presses wait, with the velocity that it had before the tick; forces in the
    /// meantime have no effect.
    pub(super) fn wait_pressed(&mut self, i: usize) {
        self.frozen.push((i as u32, self.began[i].as_dvec2() - self.gravity_of(i) * self.end));
        self.freeze(i, ImpactsUsed::WAITING, |trajectory, now| {
            let (velocity, angular_velocity) = trajectory.start;
            Motion { velocity: velocity.as_dvec2(), angular_velocity: angular_velocity.as_dvec3(), ..now }
        });
    }

    /// Makes a disc stay in place until the tick ends, and then continue with its current motion; forces in the
    /// meantime have no effect.
    pub(super) fn wait(&mut self, i: usize) {
        let particle = &self.particles[i];
        let acceleration = self.gravity_effects.get(i).map_or(DVec2::ZERO, |effect| effect.acceleration);
        self.frozen.push((i as u32, particle.velocity - acceleration * (self.end - particle.time)));
        self.freeze(i, ImpactsUsed::WAITING, |_, now| now);
    }

    /// Whether a disc touches a kinematic disc at its current position.
    fn is_pressed(&self, i: usize) -> bool {
        let particle = &self.particles[i];
        self.kinematic.iter().any(|kinematic| {
            let other = &self.particles[kinematic.disc as usize];
            let sum = (particle.radius + other.radius) * (1.0 + PRESSED_GAP);
            let line = self.nearest(other.position_at(particle.time) - particle.position);
            other.is_kinematic() && line.length_squared() <= sum * sum
        })
    }

    /// Stops a disc until the tick ends. On a table its spin does not change.
    pub(super) fn stop(&mut self, i: usize) {
        self.freeze(i, ImpactsUsed::FIXED, |_, now| Motion { velocity: DVec2::ZERO, ..now });
    }

    /// Keeps a disc in place until the tick ends. `then` computes its motion after that from its trajectory on a table
    /// and its current motion.
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
                let then = then(trajectory, now);
                trajectory.keep(&table.cloth, particle.position, then, particle.time);
            }
        }
        particle.velocity = DVec2::ZERO;
        particle.impacts_used = used;
    }
}
