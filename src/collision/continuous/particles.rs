//! The discs while a tick runs, and how an impact is resolved.

use bevy::math::DVec2;

use super::{
    Continuous,
    collapse::WAITS,
    grid_scheduler::{self, padded},
    scan_scheduler,
    time_of_impact::{NEVER, circle_time_of_impact, time_of_impact, wall_time_of_impact},
};
use crate::collision::{
    bridge::report::{Collider, Hit},
    broad_phase::{
        grid::Grid,
        terrain_index::{Piece, TerrainIndex, around},
    },
    flight::{Bounce, Flight},
    response::{arbitrary_normal, restitution_of, speed_changes},
    settings::{CollisionSettings, LIMIT},
    space::{Discs, FixedCircle, PathVertex, Space, Wall},
};

/// A disc on its way through the tick: where it was at its last impact, and the straight path since. In f64, so that ten
/// thousand impacts within a tick leave no trace of rounding; f32 begins and ends the tick.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Particle {
    /// Where it was at `time`, metres.
    pub(super) position: DVec2,
    /// Metres per second.
    pub(super) velocity: DVec2,
    /// When its path began, seconds from the start of the tick.
    pub(super) time: f64,
    pub(super) radius: f64,
    pub(super) mass: f64,
    /// Counts its impacts, so that an impact that was predicted before the last of them is known to be stale.
    pub(super) stamp: u32,
    /// How much of its budget of impacts it has used.
    pub(super) impacts_used: u32,
}

impl Particle {
    /// Where it is at a time of the tick.
    #[inline(always)]
    pub(super) fn position_at(&self, time: f64) -> DVec2 {
        self.position + self.velocity * (time - self.time)
    }

    /// A bound of its speed that takes no root.
    fn speed(&self) -> f64 {
        self.velocity.x.abs() + self.velocity.y.abs()
    }
}

/// What a disc meets: another disc by its index, or a piece of terrain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Partner(pub(super) u32);

impl Partner {
    const WALL: u32 = 1 << 31;
    const FIXED_CIRCLE: u32 = 3 << 30;
    /// Nothing.
    pub(super) const NONE: Self = Self(u32::MAX);

    pub(super) fn wall(index: usize) -> Self {
        Self(Self::WALL | index as u32)
    }

    pub(super) fn circle(index: usize) -> Self {
        Self(Self::FIXED_CIRCLE | index as u32)
    }

    pub(super) fn disc(self) -> Option<u32> {
        (self.0 < Self::WALL).then_some(self.0)
    }

    fn piece(self) -> usize {
        (self.0 & !Self::FIXED_CIRCLE) as usize
    }

    fn is_wall(self) -> bool {
        self.0 < Self::FIXED_CIRCLE
    }
}

impl From<Piece> for Partner {
    fn from(piece: Piece) -> Self {
        match piece {
            Piece::Wall(index) => Self::wall(index as usize),
            Piece::FixedCircle(index) => Self::circle(index as usize),
        }
    }
}

/// An impact that is predicted. Impacts are resolved by time, and at the same time by disc and partner; of two discs the one
/// with the lower [`StableId`](crate::disc::StableId) counts as the disc. Terrain comes after discs, walls before corners.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Impact {
    pub(super) time: f64,
    pub(super) disc: u32,
    pub(super) partner: Partner,
}

/// All that an impact reads and writes.
pub(super) struct TickState<'a> {
    pub(super) particles: &'a mut [Particle],
    pub(super) ids: &'a [u64],
    pub(super) restitution: &'a [Option<f32>],
    pub(super) walls: &'a [Wall],
    pub(super) fixed_circles: &'a [FixedCircle],
    pub(super) terrain: &'a TerrainIndex,
    pub(super) settings: &'a CollisionSettings,
    pub(super) hits: &'a mut Vec<Hit>,
    pub(super) collisions: &'a mut u64,
    pub(super) path_vertices: &'a mut Vec<PathVertex>,
    /// How many discs were brought to rest because they had used up their impacts.
    pub(super) rested: &'a mut u64,
    /// The length of the tick, seconds.
    pub(super) end: f64,
    /// The acceleration that acts on all discs, m/s².
    pub(super) gravity: DVec2,
    /// What gravity does to each disc in this tick; empty without gravity.
    pub(super) gravity_effects: &'a mut Vec<GravityEffect>,
    /// How many impacts each disc has had that took no energy; empty until there is one.
    pub(super) elastic_impacts: &'a mut Vec<u32>,
    /// The discs that stand still until the tick ends, with the velocities that they have then.
    pub(super) frozen: &'a mut Vec<(u32, DVec2)>,
    /// Whether the impact that was resolved last took no energy.
    pub(super) was_elastic: bool,
}

/// What gravity does to a disc in the present tick; see [`Flight`].
#[derive(Clone, Copy, Debug)]
pub(super) struct GravityEffect {
    /// The acceleration of which the straight path is the mean, m/s²; less than gravity where something holds the disc.
    pub(super) acceleration: DVec2,
    /// What its velocity has besides where the tick ends, m/s.
    pub(super) residual: DVec2,
    /// Whether it lies on something.
    pub(super) supported: bool,
}

/// What lies on something is hit by nothing that is slower than this share of what gravity adds in a tick.
const SLOW_HIT: f64 = 1.0;

/// Overlaps up to this share of the smaller radius are roundings.
pub(super) const ROUNDING: f64 = 1e-4;

/// What a scheduler works with.
pub(super) struct SchedulerInputs<'a> {
    pub(super) scan_scheduler: &'a mut scan_scheduler::Memory,
    pub(super) grid_scheduler: &'a mut grid_scheduler::Memory,
    pub(super) grid: &'a mut Grid,
    pub(super) terrain: &'a TerrainIndex,
}

impl<'a> TickState<'a> {
    /// The discs at the start of a tick; and what both kinds of scheduler need.
    pub(super) fn begin(space: &'a mut Space) -> (Self, SchedulerInputs<'a>) {
        let end = f64::from(space.time_step);
        let Space {
            discs,
            walls,
            fixed_circles,
            settings,
            hits,
            collisions,
            path_vertices,
            rested,
            continuous,
            grid,
            terrain_index,
            gravity,
            ..
        } = space;
        let Continuous { particles, scan_scheduler, grid_scheduler, gravity_effects, elastic_impacts, frozen, .. } =
            continuous;
        particles.clear();
        particles.extend((0..discs.len()).map(|i| {
            // What a force has made of no use meets nothing in this tick; the next rejects it by name.
            let valid = is_valid(discs, i);
            Particle {
                position: if valid { discs.position[i].as_dvec2() } else { DVec2::splat(f64::from(LIMIT)) },
                velocity: if valid { discs.velocity[i].as_dvec2() } else { DVec2::ZERO },
                time: 0.0,
                radius: if valid { f64::from(discs.radius[i]) } else { f64::from(1.0 / LIMIT) },
                mass: f64::from(discs.mass[i]),
                stamp: 0,
                impacts_used: 0,
            }
        }));
        let (ids, restitution) = (&*discs.id, &*discs.restitution);
        let terrain = &*terrain_index;
        let gravity = gravity.as_dvec2();
        elastic_impacts.clear();
        frozen.clear();
        gravity_effects.clear();
        if gravity != DVec2::ZERO {
            gravity_effects
                .resize(discs.len(), GravityEffect { acceleration: gravity, residual: DVec2::ZERO, supported: false });
        }
        let was_elastic = false;
        let state = Self {
            particles,
            ids,
            restitution,
            walls,
            fixed_circles,
            terrain,
            settings,
            hits,
            collisions,
            path_vertices,
            rested,
            end,
            gravity,
            gravity_effects,
            elastic_impacts,
            frozen,
            was_elastic,
        };
        (state, SchedulerInputs { scan_scheduler, grid_scheduler, grid, terrain })
    }
}

/// Whether place and velocity of a disc are numbers that the solver can work with.
#[inline(always)]
pub(super) fn is_valid(discs: &Discs, i: usize) -> bool {
    let fits = |value: f32| value.abs() <= LIMIT;
    let (position, velocity) = (discs.position[i], discs.velocity[i]);
    fits(position.x) & fits(position.y) & fits(velocity.x) & fits(velocity.y)
}

impl TickState<'_> {
    /// Whether two discs, both at the start of their paths, overlap by more than a rounding and are to be parted.
    #[inline(always)]
    pub(super) fn overlaps(&self, i: usize, j: usize) -> bool {
        let (a, b) = (&self.particles[i], &self.particles[j]);
        let sum = a.radius + b.radius - ROUNDING * a.radius.min(b.radius);
        self.settings.push_apart && a.position.distance_squared(b.position) < sum * sum
    }

    /// Whether a disc, at the start of its path, overlaps a piece of terrain by more than a rounding.
    pub(super) fn overlaps_terrain(&self, i: usize, piece: Partner) -> bool {
        self.gap(i, piece).is_some_and(|gap| gap < -ROUNDING * self.particles[i].radius)
    }

    /// The distance from the rim of a disc, at the start of its path, to a piece of terrain, metres; none where another
    /// piece is closer, as beyond the ends of a wall.
    pub(super) fn gap(&self, i: usize, piece: Partner) -> Option<f64> {
        let particle = &self.particles[i];
        if piece.is_wall() {
            let wall = &self.walls[piece.piece()];
            let (a, b) = (wall.a.as_dvec2(), wall.b.as_dvec2());
            let (along, from) = (b - a, particle.position - a);
            let squared = along.length_squared();
            let between = (0.0..=1.0).contains(&(from.dot(along) / squared));
            between.then(|| along.perp_dot(from).abs() / squared.sqrt() - particle.radius)
        } else {
            let circle = &self.fixed_circles[piece.piece()];
            let away = particle.position - circle.centre.as_dvec2();
            let beside = circle.walls.iter().any(|along| away.dot(along.as_dvec2()) > 0.0);
            (!beside).then(|| away.length_squared().sqrt() - particle.radius - f64::from(circle.radius))
        }
    }

    /// When two discs meet, seconds from the start of the tick. It follows from their paths alone, whenever it is asked.
    #[inline(always)]
    pub(super) fn pair_time_of_impact(&self, i: usize, j: usize) -> f64 {
        let (a, b) = (&self.particles[i], &self.particles[j]);
        let now = if a.time > b.time { a.time } else { b.time };
        now + time_of_impact(
            b.position_at(now) - a.position_at(now),
            b.velocity - a.velocity,
            a.radius + b.radius,
            || a.speed() + b.speed(),
        )
    }

    /// When a disc meets something, seconds from the start of the tick.
    pub(super) fn time_of_impact_with(&self, i: usize, partner: Partner) -> f64 {
        if let Some(j) = partner.disc() {
            return self.pair_time_of_impact(i, j as usize);
        }
        let particle = &self.particles[i];
        // A disc that was stopped for the rest of the tick, or rests, meets no terrain.
        if particle.velocity == DVec2::ZERO {
            return NEVER;
        }
        particle.time
            + if partner.is_wall() {
                wall_time_of_impact(particle.position, particle.velocity, particle.radius, &self.walls[partner.piece()])
            } else {
                circle_time_of_impact(
                    particle.position,
                    particle.velocity,
                    particle.radius,
                    &self.fixed_circles[partner.piece()],
                )
            }
    }

    /// The pieces of terrain that a disc, at the start of its path, may touch; in any order.
    pub(super) fn nearby_terrain(&self, i: usize) -> Vec<Partner> {
        let particle = &self.particles[i];
        let centre = particle.position.as_vec2();
        let mut pieces = Vec::new();
        let bounds = around(centre.to_array(), padded(particle.radius as f32, centre));
        self.terrain.for_each_overlapping(bounds, |piece| pieces.push(piece.into()));
        pieces
    }

    /// Takes a disc along its path.
    fn advance(&mut self, i: usize, time: f64) {
        let particle = &mut self.particles[i];
        particle.position = particle.position_at(time);
        particle.time = time;
    }

    /// Resolves an impact with the impulses of the stepped mode, and gives the speed along the normal at which they met.
    #[inline(always)]
    pub(super) fn resolve(&mut self, Impact { time, disc, partner }: Impact) -> f64 {
        let i = disc as usize;
        self.advance(i, time);
        let approach = if let Some(other) = partner.disc() {
            self.advance(other as usize, time);
            let approach = self.resolve_pair(i, other as usize, None);
            self.record_vertex(other, time);
            approach
        } else {
            self.resolve_terrain(i, partner, None)
        };
        self.record_vertex(disc, time);
        approach
    }

    /// Records that the path of a disc turned, and that what was predicted for it is stale.
    #[inline(always)]
    pub(super) fn record_vertex(&mut self, disc: u32, time: f64) {
        let particle = &mut self.particles[disc as usize];
        particle.stamp = particle.stamp.wrapping_add(1);
        self.path_vertices.push(PathVertex { disc, time: time as f32, position: particle.position.as_vec2() });
    }

    /// Whether a disc stands still until the end of the tick.
    pub(super) fn is_frozen(&self, i: usize) -> bool {
        self.particles[i].impacts_used >= WAITS
    }

    /// Unit vector from the centre of a disc to that of another, both at the same time.
    #[inline(always)]
    fn normal(&self, i: usize, j: usize) -> DVec2 {
        let line = self.particles[j].position - self.particles[i].position;
        let distance = line.length_squared().sqrt();
        if distance > 0.0 { line / distance } else { arbitrary_normal(self.ids[i], self.ids[j]).as_dvec2() }
    }

    /// The impulse between two discs where they are, with this restitution or their own; nothing if they recede.
    #[inline(always)]
    pub(super) fn resolve_pair(&mut self, i: usize, j: usize, e: Option<f32>) -> f64 {
        let n = self.normal(i, j);
        let (a, b) = (self.particles[i], self.particles[j]);
        let approach = a.velocity.dot(n) - b.velocity.dot(n);
        if !(approach > 0.0) {
            return 0.0;
        }
        let budget_used = self.budget_is_used(i) || self.budget_is_used(j);
        let recorded = e.is_none();
        if recorded && !self.gravity_effects.is_empty() && self.rests_or_recedes(i, j, n, approach) {
            self.was_elastic = false;
            let (change_a, change_b) = speed_changes(a.mass, b.mass, approach, 0.0);
            self.particles[i].velocity += n * change_a;
            self.particles[j].velocity += n * change_b;
            return approach;
        }
        let e = e.unwrap_or_else(|| {
            let carried = (self.restitution[i], self.restitution[j], self.settings.restitution);
            if budget_used { 0.0 } else { restitution_of(approach as f32, carried, self.settings.resting_speed) }
        });
        self.was_elastic = e >= 1.0;
        let (change_a, change_b) = match (self.is_frozen(i), self.is_frozen(j)) {
            (true, true) => (0.0, 0.0),
            (true, false) => (0.0, (1.0 + f64::from(e)) * approach),
            (false, true) => (-(1.0 + f64::from(e)) * approach, 0.0),
            (false, false) => speed_changes(a.mass, b.mass, approach, f64::from(e)),
        };
        self.particles[i].velocity += n * change_a;
        self.particles[j].velocity += n * change_b;
        if recorded && !self.gravity_effects.is_empty() {
            self.release(i);
            self.release(j);
        }
        if recorded {
            let impulse = if self.is_frozen(i) { b.mass * change_b } else { a.mass * -change_a };
            self.record(i, Collider::Disc(j as u32), a.position + n * a.radius, n, approach, impulse);
        }
        approach
    }

    /// The impulse between a disc and a piece of terrain where it is; nothing if it recedes.
    pub(super) fn resolve_terrain(&mut self, i: usize, partner: Partner, e: Option<f32>) -> f64 {
        let particle = self.particles[i];
        let piece = partner.piece();
        let (away, point, collider, carried) = if partner.is_wall() {
            let wall = &self.walls[piece];
            let (a, b) = (wall.a.as_dvec2(), wall.b.as_dvec2());
            let (along, from) = (b - a, particle.position - a);
            let side = if along.perp_dot(from) >= 0.0 { 1.0 } else { -1.0 };
            let share = (from.dot(along) / along.length_squared()).clamp(0.0, 1.0);
            (along.perp() * side, a + along * share, Collider::Wall(wall.entity), wall.restitution)
        } else {
            let circle = &self.fixed_circles[piece];
            let centre = circle.centre.as_dvec2();
            let away = particle.position - centre;
            let away = if away == DVec2::ZERO { -particle.velocity } else { away };
            let point = centre + away.normalize_or_zero() * f64::from(circle.radius);
            (away, point, Collider::FixedCircle(circle.entity), circle.restitution)
        };
        let budget_used = self.budget_is_used(i);
        let recorded = e.is_none();
        let carried = (self.restitution[i], carried, self.settings.wall_restitution);
        let min_speed = self.min_hit_speed(i);
        let restitution = |approach: f64| match e {
            Some(e) => f64::from(e),
            None if budget_used => 0.0,
            None => match restitution_of(approach as f32, carried, self.settings.resting_speed) {
                e if e < 1.0 && approach < min_speed => 0.0,
                e => f64::from(e),
            },
        };
        let (acceleration, residual) = match self.gravity_effects.get(i) {
            Some(effect) if recorded => (effect.acceleration, effect.residual),
            _ => (DVec2::ZERO, DVec2::ZERO),
        };
        let approach = -particle.velocity.dot(away) / away.length_squared().sqrt();
        let mut flight = Flight { velocity: particle.velocity, acceleration, residual };
        let bounce = flight.bounce(away, [particle.time, self.end], restitution);
        self.particles[i].velocity = flight.velocity;
        if let (Some(effect), true) = (self.gravity_effects.get_mut(i), recorded) {
            effect.supported |= flight.acceleration != effect.acceleration;
            (effect.acceleration, effect.residual) = (flight.acceleration, flight.residual);
        }
        self.was_elastic = bounce.is_some_and(|bounce| bounce.e >= 1.0);
        if let Some(Bounce { approach, e }) = bounce.filter(|bounce| recorded && bounce.approach >= min_speed) {
            let normal = -away / away.length_squared().sqrt();
            self.record(i, collider, point, normal, approach, (1.0 + e) * approach * particle.mass);
        }
        approach.max(0.0)
    }

    /// Slower than this, m/s, nothing hits that lies on something: gravity has pressed it against what it lies on for half a tick.
    fn min_hit_speed(&self, i: usize) -> f64 {
        let supported = self.gravity_effects.get(i).is_some_and(|effect| effect.supported);
        if supported { SLOW_HIT * self.gravity.length() * self.end } else { 0.0 }
    }

    /// Two discs touch and their straight paths approach: whether that is because one of them falls and the other is held, while
    /// their true velocities do not, or hardly. Then the one that falls lies on the other.
    fn rests_or_recedes(&mut self, i: usize, j: usize, n: DVec2, approach: f64) -> bool {
        let (a, b) = (self.gravity_effects[i], self.gravity_effects[j]);
        if (a.acceleration == b.acceleration && !(a.supported || b.supported)) || self.is_frozen(i) || self.is_frozen(j)
        {
            return false;
        }
        let relative = (a.acceleration - b.acceleration).dot(n);
        let since_middle = self.particles[i].time - 0.5 * self.end;
        let true_approach = approach + relative * since_middle;
        let min_speed = self.min_hit_speed(i).max(self.min_hit_speed(j));
        if true_approach > min_speed {
            return false;
        }
        if relative > 0.0 {
            // Who is held goes on being held, and holds the other.
            let free = [a.acceleration == self.gravity, b.acceleration == self.gravity];
            let (mass_a, mass_b) = (self.particles[i].mass, self.particles[j].mass);
            let (share_a, share_b) = match free {
                [true, false] => (1.0, 0.0),
                [false, true] => (0.0, 1.0),
                _ => (mass_b / (mass_a + mass_b), mass_a / (mass_a + mass_b)),
            };
            self.gravity_effects[i].acceleration -= n * (relative * share_a);
            self.gravity_effects[j].acceleration += n * (relative * share_b);
        }
        self.gravity_effects[i].supported = true;
        self.gravity_effects[j].supported = true;
        true
    }

    /// A disc that was held and is hit away from what held it falls again.
    fn release(&mut self, i: usize) {
        let GravityEffect { acceleration, residual, .. } = self.gravity_effects[i];
        let held = acceleration - self.gravity;
        let particle = &mut self.particles[i];
        if held == DVec2::ZERO || !(particle.velocity.dot(held) > 0.0) {
            return;
        }
        particle.velocity += held * (particle.time - 0.5 * self.end) + residual;
        self.gravity_effects[i] = GravityEffect { acceleration: self.gravity, residual: DVec2::ZERO, supported: false };
    }

    #[inline(always)]
    fn record(&mut self, i: usize, collider: Collider<u32>, point: DVec2, normal: DVec2, approach: f64, impulse: f64) {
        let hit = Hit {
            disc: i as u32,
            collider,
            point: point.as_vec2(),
            normal: normal.as_vec2(),
            approach_speed: approach as f32,
            impulse: impulse as f32,
            time: self.particles[i].time as f32,
        };
        hit.record(self.settings, self.collisions, self.hits);
    }
}
