//! The state of a continuous tick: the data for prediction, resolution and report of impacts.

use bevy::{
    math::{DVec2, Vec2},
    prelude::Entity,
};

use super::{
    Continuous,
    budgets::{Budgets, ImpactsUsed},
    cell_scheduler, grid_scheduler,
    particles::{Particle, is_valid},
    resting_groups, scan_scheduler,
};
use crate::{
    collision::{
        broad_phase::grid::Grid,
        discs::{DiscFilter, Discs, KinematicDisc, OwnMotion, lists::entry_of},
        hit::answers::Side,
        moving::MovingTerrain,
        path::trajectory::Trajectory,
        periodic::Cell,
        pockets::Pockets,
        space::PhysicsSpace,
        terrain::{StandingTerrain, TerrainView, index::TerrainIndex, local::Filters},
        tick::{Laws, Report},
    },
    components::LIMIT,
};

/// The data of impacts.
pub(super) struct TickState<'a> {
    pub(super) particles: &'a mut [Particle],
    pub(super) ids: &'a [u64],
    pub(super) restitution: &'a [Option<f32>],
    /// The velocities of the straight paths at the start of the tick, m/s.
    pub(super) began: &'a [Vec2],
    /// The kinematic discs.
    pub(super) kinematic: &'a [KinematicDisc],
    pub(super) terrain: &'a StandingTerrain,
    /// The filters of discs that do not collide with all others, and of terrain.
    pub(super) disc_filter: &'a mut DiscFilter,
    pub(super) has_filters: bool,
    pub(super) entities: &'a [Entity],
    pub(super) pockets: &'a Pockets,
    pub(super) moving: &'a mut MovingTerrain,
    /// The cell of periodic edges.
    pub(super) cell: Option<Cell>,
    /// The paths of spinning discs since their last impacts; entries of smooth discs are not updated. Empty unless some
    /// discs spin on a table.
    pub(super) trajectories: &'a mut [Trajectory],
    /// Whether any ball may be above the cloth.
    pub(super) any_flies: bool,
    pub(super) laws: &'a Laws,
    pub(super) report: &'a mut Report,
    /// The length of the tick, seconds.
    pub(super) end: f64,
    /// The acceleration of all discs, m/s²; single discs may differ, see [`TickState::gravity_of`].
    pub(super) gravity: DVec2,
    pub(super) own_motion: &'a [OwnMotion],
    /// The possible error of a speed among smooth discs that rest on each other, in the unit of
    /// [`time_of_impact`](crate::collision::shape::time_of_impact::time_of_impact).
    pub(super) noise: f64,
    /// The effect of gravity on each disc in this tick; empty without gravity.
    pub(super) gravity_effects: &'a mut Vec<GravityEffect>,
    /// The budgets that discs have used in this tick.
    pub(super) budgets: &'a mut Budgets,
    /// The discs that are frozen until the tick ends, with their velocities after that.
    pub(super) frozen: &'a mut Vec<(u32, DVec2)>,
}

/// The effect of gravity on a disc in the current tick; see [`Flight`].
#[derive(Clone, Copy, Debug)]
pub(super) struct GravityEffect {
    /// The acceleration of the parabola whose mean is the straight path, m/s²; less than gravity if something holds the
    /// disc.
    pub(super) acceleration: DVec2,
    /// An additional velocity at the end of the tick, m/s.
    pub(super) residual: DVec2,
    /// Whether it rests on something.
    pub(super) supported: bool,
    /// Whether terrain has removed energy from it.
    pub(super) damped: bool,
    /// Whether it is held in a group, or alone as one; see [`resting_groups`].
    pub(super) grouped: bool,
    /// The same number for discs that are held together; 0 for a disc that is not held.
    pub(super) group: u32,
    /// Whether it has hit another disc.
    pub(super) has_hit_disc: bool,
}

/// For touching discs, speeds of approach below a billionth of what gravity adds in a tick count as zero. Given as a
/// multiple of the rounding of their speeds.
const NOISE: f64 = 1e5;

/// The same on a table, for speeds of approach below a billionth of a metre per second.
const TABLE_NOISE: f64 = 1e5;

/// The inputs of a scheduler.
pub(super) struct SchedulerInputs<'a> {
    pub(super) scan_scheduler: &'a mut scan_scheduler::Memory,
    pub(super) grid_scheduler: &'a mut grid_scheduler::Memory,
    pub(super) cell_scheduler: &'a mut cell_scheduler::Memory,
    pub(super) resting_groups: &'a mut resting_groups::Memory,
    pub(super) grid: &'a mut Grid,
    pub(super) terrain: &'a TerrainIndex,
}

/// The discs at the start of the tick.
fn begin_particles(discs: &Discs, particles: &mut Vec<Particle>) {
    particles.clear();
    particles.extend((0..discs.len()).map(|i| {
        // A disc that a force has made invalid hits nothing in this tick; the next tick rejects it with a warning.
        let valid = is_valid(discs, i);
        Particle {
            position: if valid { discs.position[i].as_dvec2() } else { DVec2::splat(f64::from(LIMIT)) },
            velocity: if valid { discs.velocity[i].as_dvec2() } else { DVec2::ZERO },
            time: 0.0,
            radius: if valid { f64::from(discs.radius[i]) } else { f64::from(1.0 / LIMIT) },
            mass: f64::from(discs.mass[i]),
            stamp: 0,
            impacts_used: ImpactsUsed::default(),
        }
    }));
    for (i, way) in discs.kinematic_ways() {
        let particle = &mut particles[i];
        (particle.position, particle.velocity) = (way.at(0.0), way.velocity);
        particle.impacts_used = ImpactsUsed::KINEMATIC;
    }
}

/// The effect of gravity on each disc at the start of the tick.
fn begin_gravity_effects(discs: &Discs, gravity: DVec2, effects: &mut Vec<GravityEffect>) {
    let free = GravityEffect {
        acceleration: gravity,
        residual: DVec2::ZERO,
        supported: false,
        damped: false,
        grouped: false,
        group: 0,
        has_hit_disc: false,
    };
    effects.resize(discs.len(), free);
    for own in &discs.own_motion {
        if let Some(effect) = effects.get_mut(own.disc as usize) {
            effect.acceleration = gravity * f64::from(own.gravity_scale);
        }
    }
    for (i, _) in discs.kinematic_ways() {
        effects[i].acceleration = DVec2::ZERO;
    }
}

impl<'a> TickState<'a> {
    /// The discs at the start of a tick, and the inputs of all schedulers.
    pub(super) fn begin(space: &'a mut PhysicsSpace) -> (Self, SchedulerInputs<'a>) {
        let end = f64::from(space.clock.time_step);
        let PhysicsSpace {
            discs,
            terrain,
            scratch,
            broad_phase,
            pockets,
            moving,
            trajectories,
            laws,
            report,
            cell,
            ..
        } = space;
        let Continuous {
            particles,
            scan_scheduler,
            grid_scheduler,
            cell_scheduler,
            resting_groups,
            gravity_effects,
            budgets,
            frozen,
            pinned,
            ..
        } = scratch.get();
        begin_particles(discs, particles);
        let (ids, restitution) = (&*discs.id, &*discs.restitution);
        let gravity = laws.gravity.as_dvec2();
        budgets.clear();
        frozen.clear();
        gravity_effects.clear();
        if gravity != DVec2::ZERO {
            begin_gravity_effects(discs, gravity, gravity_effects);
        }
        let pinned = std::mem::take(pinned);
        let any_flies = laws.balls_fly() && !discs.heights.is_empty();
        let mut state = Self {
            particles,
            ids,
            restitution,
            began: &discs.velocity,
            kinematic: &discs.kinematic,
            terrain,
            has_filters: Filters::of(&discs.filter, &terrain.filter).is_some(),
            disc_filter: &mut discs.filter,
            entities: &discs.entity,
            pockets,
            moving,
            cell: *cell,
            trajectories,
            any_flies,
            laws,
            report,
            end,
            gravity,
            own_motion: &discs.own_motion,
            noise: NOISE * gravity.length_squared().sqrt() * end,
            gravity_effects,
            budgets,
            frozen,
        };
        for &disc in &pinned {
            state.wait_pressed(disc as usize);
        }
        (
            state,
            SchedulerInputs {
                scan_scheduler,
                grid_scheduler,
                cell_scheduler,
                resting_groups,
                grid: &mut broad_phase.grid,
                terrain: &terrain.index,
            },
        )
    }

    /// The collision filters, if there are any.
    #[inline(always)]
    pub(super) fn filters(&self) -> Option<Filters<'_>> {
        if self.has_filters { Filters::of(self.disc_filter, &self.terrain.filter) } else { None }
    }

    /// The static terrain.
    pub(super) fn terrain_view(&self) -> TerrainView<'_> {
        self.terrain.view()
    }

    /// The acceleration that gravity gives a disc, m/s².
    #[inline(always)]
    pub(super) fn gravity_of(&self, i: usize) -> DVec2 {
        if self.own_motion.is_empty() { self.gravity } else { self.gravity * self.gravity_scale_of(i) }
    }

    /// The factor by which gravity acts on a disc.
    pub(super) fn gravity_scale_of(&self, i: usize) -> f64 {
        entry_of(self.own_motion, i).map_or(1.0, |own| f64::from(own.gravity_scale))
    }

    /// A disc as one side of a hit.
    #[inline(always)]
    pub(super) fn side_of(&self, i: usize) -> Side {
        (self.entities[i], self.restitution[i])
    }

    /// The possible error of the speeds of two discs that rest on each other, in the unit of
    /// [`time_of_impact`](crate::collision::shape::time_of_impact::time_of_impact).
    #[inline(always)]
    pub(super) fn noise_of(&self, i: usize, j: usize) -> f64 {
        if self.spins(i) || self.spins(j) { TABLE_NOISE } else { self.noise }
    }

    /// Whether a disc is frozen until the end of the tick.
    pub(super) fn is_frozen(&self, i: usize) -> bool {
        self.particles[i].impacts_used.is_frozen()
    }

    /// Whether a disc is kinematic.
    pub(super) fn is_kinematic(&self, i: usize) -> bool {
        self.particles[i].is_kinematic()
    }

    /// Whether no hit changes the velocity of a disc.
    pub(super) fn is_immovable(&self, i: usize) -> bool {
        self.particles[i].impacts_used.is_immovable()
    }

    /// Sorts two colliding discs: first the other, then the kinematic one. `None` if neither is kinematic.
    #[inline(always)]
    pub(super) fn with_kinematic(&self, i: usize, j: usize) -> Option<[usize; 2]> {
        match [self.is_kinematic(i), self.is_kinematic(j)] {
            [false, false] => None,
            [true, _] => Some([j, i]),
            _ => Some([i, j]),
        }
    }

    /// Whether two discs whose paths meet pass through each other: neither can be moved.
    #[inline(always)]
    pub(super) fn go_through(&self, i: usize, j: usize) -> bool {
        self.is_immovable(i) && self.is_immovable(j)
    }
}
