//! The discs while a tick runs, and how an impact is answered.

use bevy::math::DVec2;

use super::{
    super::{
        flight::{Bounce, Flight},
        grid::Grid,
        impulse::{restitution_of, speed_changes},
        push_apart::arbitrary_normal,
        report::{Hit, Struck},
        settings::{CollisionSettings, LIMIT},
        space::{Bodies, Corner, Space, Turn, Wall},
        terrain_index::{Piece, TerrainIndex, around},
    },
    Continuous,
    crowd::{self, padded},
    meeting::{NEVER, corner_entry, entry, wall_entry},
    rest::WAITS,
    scan,
};

/// A disc on its way through the tick: where it was at its last impact, and the straight path since. In f64, so that ten
/// thousand impacts within a tick leave no trace of rounding; f32 begins and ends the tick.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Mover {
    /// Where it was at `time`, metres.
    pub(super) position: DVec2,
    /// Metres per second.
    pub(super) velocity: DVec2,
    /// When its path began, seconds from the start of the tick.
    pub(super) time: f64,
    pub(super) radius: f64,
    pub(super) mass: f64,
    /// Counts its impacts, so that a meeting that was foreseen before the last of them is known to be stale.
    pub(super) stamp: u32,
    /// How much of its budget of impacts it has used.
    pub(super) spent: u32,
}

impl Mover {
    /// Where it is at a time of the tick.
    #[inline(always)]
    pub(super) fn at(&self, time: f64) -> DVec2 {
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
    const CORNER: u32 = 3 << 30;
    /// Nothing.
    pub(super) const NOBODY: Self = Self(u32::MAX);

    pub(super) fn wall(index: usize) -> Self {
        Self(Self::WALL | index as u32)
    }

    pub(super) fn corner(index: usize) -> Self {
        Self(Self::CORNER | index as u32)
    }

    pub(super) fn disc(self) -> Option<u32> {
        (self.0 < Self::WALL).then_some(self.0)
    }

    fn piece(self) -> usize {
        (self.0 & !Self::CORNER) as usize
    }

    fn is_wall(self) -> bool {
        self.0 < Self::CORNER
    }
}

impl From<Piece> for Partner {
    fn from(piece: Piece) -> Self {
        match piece {
            Piece::Wall(index) => Self::wall(index as usize),
            Piece::Corner(index) => Self::corner(index as usize),
        }
    }
}

/// A meeting that is foreseen. Meetings are answered by time, and at the same time by disc and partner; of two discs the one
/// with the lower [`StableId`](crate::body::StableId) counts as the disc. Terrain comes after discs, walls before corners.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Impact {
    pub(super) time: f64,
    pub(super) disc: u32,
    pub(super) partner: Partner,
}

/// All that an impact reads and writes.
pub(super) struct Course<'a> {
    pub(super) movers: &'a mut [Mover],
    pub(super) ids: &'a [u64],
    pub(super) restitution: &'a [Option<f32>],
    pub(super) walls: &'a [Wall],
    pub(super) corners: &'a [Corner],
    pub(super) terrain: &'a TerrainIndex,
    pub(super) settings: &'a CollisionSettings,
    pub(super) hits: &'a mut Vec<Hit>,
    pub(super) collisions: &'a mut u64,
    pub(super) turns: &'a mut Vec<Turn>,
    /// How many discs were brought to rest because they had used up their impacts.
    pub(super) rested: &'a mut u64,
    /// The length of the tick, seconds.
    pub(super) end: f64,
    /// The acceleration that acts on all discs, m/s².
    pub(super) gravity: DVec2,
    /// What gravity does to each disc in this tick; empty without gravity.
    pub(super) falls: &'a mut Vec<Fall>,
    /// How many impacts each disc has had that took no energy; empty until there is one.
    pub(super) elastic: &'a mut Vec<u32>,
    /// The discs that stand still until the tick ends, with the velocities that they have then.
    pub(super) standing: &'a mut Vec<(u32, DVec2)>,
    /// Whether the impact that was answered last took no energy.
    pub(super) kept_energy: bool,
}

/// What gravity does to a disc in the present tick; see [`Flight`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Fall {
    /// The acceleration of which the straight path is the mean, m/s²; less than gravity where something holds the disc.
    pub(super) pull: DVec2,
    /// What its velocity has besides where the tick ends, m/s.
    pub(super) kept: DVec2,
    /// Whether it lies on something.
    pub(super) lies: bool,
}

/// What lies on something is hit by nothing that is slower than this share of what gravity adds in a tick.
const SLOW_HIT: f64 = 1.0;

/// Overlaps up to this share of the smaller radius are roundings.
pub(super) const ROUNDING: f64 = 1e-4;

/// What an agenda works with.
pub(super) struct Tools<'a> {
    pub(super) scan: &'a mut scan::Memory,
    pub(super) crowd: &'a mut crowd::Memory,
    pub(super) grid: &'a mut Grid,
    pub(super) terrain: &'a TerrainIndex,
}

impl<'a> Course<'a> {
    /// The discs at the start of a tick; and what both kinds of agenda need.
    pub(super) fn begin(space: &'a mut Space) -> (Self, Tools<'a>) {
        let end = f64::from(space.time_step);
        let Space {
            bodies,
            walls,
            corners,
            settings,
            hits,
            collisions,
            turns,
            rested,
            continuous,
            grid,
            terrain_index,
            gravity,
            ..
        } = space;
        let Continuous { movers, scan, crowd, falls, elastic, standing, .. } = continuous;
        movers.clear();
        movers.extend((0..bodies.len()).map(|i| {
            // What a force has made of no use meets nothing in this tick; the next refuses it by name.
            let sound = is_sound(bodies, i);
            Mover {
                position: if sound { bodies.position[i].as_dvec2() } else { DVec2::splat(f64::from(LIMIT)) },
                velocity: if sound { bodies.velocity[i].as_dvec2() } else { DVec2::ZERO },
                time: 0.0,
                radius: if sound { f64::from(bodies.radius[i]) } else { f64::from(1.0 / LIMIT) },
                mass: f64::from(bodies.mass[i]),
                stamp: 0,
                spent: 0,
            }
        }));
        let (ids, restitution) = (&*bodies.id, &*bodies.restitution);
        let terrain = &*terrain_index;
        let gravity = gravity.as_dvec2();
        elastic.clear();
        standing.clear();
        falls.clear();
        if gravity != DVec2::ZERO {
            falls.resize(bodies.len(), Fall { pull: gravity, kept: DVec2::ZERO, lies: false });
        }
        let kept_energy = false;
        let course = Self {
            movers,
            ids,
            restitution,
            walls,
            corners,
            terrain,
            settings,
            hits,
            collisions,
            turns,
            rested,
            end,
            gravity,
            falls,
            elastic,
            standing,
            kept_energy,
        };
        (course, Tools { scan, crowd, grid, terrain })
    }
}

/// Whether place and velocity of a disc are numbers that the solver can work with.
#[inline(always)]
pub(super) fn is_sound(bodies: &Bodies, i: usize) -> bool {
    let fits = |value: f32| value.abs() <= LIMIT;
    let (position, velocity) = (bodies.position[i], bodies.velocity[i]);
    fits(position.x) & fits(position.y) & fits(velocity.x) & fits(velocity.y)
}

impl Course<'_> {
    /// Whether two discs, both at the start of their paths, overlap by more than a rounding and are to be parted.
    #[inline(always)]
    pub(super) fn overlap(&self, i: usize, j: usize) -> bool {
        let (a, b) = (&self.movers[i], &self.movers[j]);
        let sum = a.radius + b.radius - ROUNDING * a.radius.min(b.radius);
        self.settings.push_apart && a.position.distance_squared(b.position) < sum * sum
    }

    /// Whether a disc, at the start of its path, overlaps a piece of terrain by more than a rounding.
    pub(super) fn sinks(&self, i: usize, piece: Partner) -> bool {
        self.gap(i, piece).is_some_and(|gap| gap < -ROUNDING * self.movers[i].radius)
    }

    /// The distance from the rim of a disc, at the start of its path, to a piece of terrain, metres; none where another
    /// piece is closer, as beyond the ends of a wall.
    pub(super) fn gap(&self, i: usize, piece: Partner) -> Option<f64> {
        let mover = &self.movers[i];
        if piece.is_wall() {
            let wall = &self.walls[piece.piece()];
            let (a, b) = (wall.a.as_dvec2(), wall.b.as_dvec2());
            let (along, from) = (b - a, mover.position - a);
            let squared = along.length_squared();
            let between = (0.0..=1.0).contains(&(from.dot(along) / squared));
            between.then(|| along.perp_dot(from).abs() / squared.sqrt() - mover.radius)
        } else {
            let corner = &self.corners[piece.piece()];
            let away = mover.position - corner.centre.as_dvec2();
            let beside = corner.walls.iter().any(|along| away.dot(along.as_dvec2()) > 0.0);
            (!beside).then(|| away.length_squared().sqrt() - mover.radius - f64::from(corner.radius))
        }
    }

    /// When two discs meet, seconds from the start of the tick. It follows from their paths alone, whenever it is asked.
    #[inline(always)]
    pub(super) fn pair(&self, i: usize, j: usize) -> f64 {
        let (a, b) = (&self.movers[i], &self.movers[j]);
        let now = if a.time > b.time { a.time } else { b.time };
        now + entry(b.at(now) - a.at(now), b.velocity - a.velocity, a.radius + b.radius, || a.speed() + b.speed())
    }

    /// When a disc meets something, seconds from the start of the tick.
    pub(super) fn meeting(&self, i: usize, partner: Partner) -> f64 {
        if let Some(j) = partner.disc() {
            return self.pair(i, j as usize);
        }
        let mover = &self.movers[i];
        // A disc that was stopped for the rest of the tick, or rests, meets no terrain.
        if mover.velocity == DVec2::ZERO {
            return NEVER;
        }
        mover.time
            + if partner.is_wall() {
                wall_entry(mover.position, mover.velocity, mover.radius, &self.walls[partner.piece()])
            } else {
                corner_entry(mover.position, mover.velocity, mover.radius, &self.corners[partner.piece()])
            }
    }

    /// The pieces of terrain that a disc, at the start of its path, may touch; in any order.
    pub(super) fn terrain_near(&self, i: usize) -> Vec<Partner> {
        let mover = &self.movers[i];
        let centre = mover.position.as_vec2();
        let mut near = Vec::new();
        let bounds = around(centre.to_array(), padded(mover.radius as f32, centre));
        self.terrain.for_each_near(bounds, |piece| near.push(piece.into()));
        near
    }

    /// Takes a disc along its path.
    fn advance(&mut self, i: usize, time: f64) {
        let mover = &mut self.movers[i];
        mover.position = mover.at(time);
        mover.time = time;
    }

    /// Answers an impact with the impulses of the stepped mode, and gives the speed along the normal at which they met.
    #[inline(always)]
    pub(super) fn answer(&mut self, Impact { time, disc, partner }: Impact) -> f64 {
        let i = disc as usize;
        self.advance(i, time);
        let approach = if let Some(other) = partner.disc() {
            self.advance(other as usize, time);
            let approach = self.answer_pair(i, other as usize, None);
            self.turn(other, time);
            approach
        } else {
            self.answer_terrain(i, partner, None)
        };
        self.turn(disc, time);
        approach
    }

    /// Notes that the path of a disc turned, and that what was foreseen for it is stale.
    #[inline(always)]
    pub(super) fn turn(&mut self, disc: u32, time: f64) {
        let mover = &mut self.movers[disc as usize];
        mover.stamp = mover.stamp.wrapping_add(1);
        self.turns.push(Turn { disc, time: time as f32, position: mover.position.as_vec2() });
    }

    /// Whether a disc stands still until the end of the tick.
    pub(super) fn stands(&self, i: usize) -> bool {
        self.movers[i].spent >= WAITS
    }

    /// Unit vector from the centre of a disc to that of another, both at the same time.
    #[inline(always)]
    fn normal(&self, i: usize, j: usize) -> DVec2 {
        let line = self.movers[j].position - self.movers[i].position;
        let distance = line.length_squared().sqrt();
        if distance > 0.0 { line / distance } else { arbitrary_normal(self.ids[i], self.ids[j]).as_dvec2() }
    }

    /// The impulse between two discs where they are, with this restitution or their own; nothing if they recede.
    #[inline(always)]
    pub(super) fn answer_pair(&mut self, i: usize, j: usize, e: Option<f32>) -> f64 {
        let n = self.normal(i, j);
        let (a, b) = (self.movers[i], self.movers[j]);
        let approach = a.velocity.dot(n) - b.velocity.dot(n);
        if !(approach > 0.0) {
            return 0.0;
        }
        let worn = self.is_worn(i) || self.is_worn(j);
        let noted = e.is_none();
        if noted && !self.falls.is_empty() && self.lies_or_leaves(i, j, n, approach) {
            self.kept_energy = false;
            let (change_a, change_b) = speed_changes(a.mass, b.mass, approach, 0.0);
            self.movers[i].velocity += n * change_a;
            self.movers[j].velocity += n * change_b;
            return approach;
        }
        let e = e.unwrap_or_else(|| {
            let carried = (self.restitution[i], self.restitution[j], self.settings.restitution);
            if worn { 0.0 } else { restitution_of(approach as f32, carried, self.settings.resting_speed) }
        });
        self.kept_energy = e >= 1.0;
        let (change_a, change_b) = match (self.stands(i), self.stands(j)) {
            (true, true) => (0.0, 0.0),
            (true, false) => (0.0, (1.0 + f64::from(e)) * approach),
            (false, true) => (-(1.0 + f64::from(e)) * approach, 0.0),
            (false, false) => speed_changes(a.mass, b.mass, approach, f64::from(e)),
        };
        self.movers[i].velocity += n * change_a;
        self.movers[j].velocity += n * change_b;
        if noted && !self.falls.is_empty() {
            self.release(i);
            self.release(j);
        }
        if noted {
            let impulse = if self.stands(i) { b.mass * change_b } else { a.mass * -change_a };
            self.note(i, Struck::Disc(j as u32), a.position + n * a.radius, n, approach, impulse);
        }
        approach
    }

    /// The impulse between a disc and a piece of terrain where it is; nothing if it recedes.
    pub(super) fn answer_terrain(&mut self, i: usize, partner: Partner, e: Option<f32>) -> f64 {
        let mover = self.movers[i];
        let piece = partner.piece();
        let (away, point, struck, carried) = if partner.is_wall() {
            let wall = &self.walls[piece];
            let (a, b) = (wall.a.as_dvec2(), wall.b.as_dvec2());
            let (along, from) = (b - a, mover.position - a);
            let side = if along.perp_dot(from) >= 0.0 { 1.0 } else { -1.0 };
            let share = (from.dot(along) / along.length_squared()).clamp(0.0, 1.0);
            (along.perp() * side, a + along * share, Struck::Wall(wall.entity), wall.restitution)
        } else {
            let corner = &self.corners[piece];
            let centre = corner.centre.as_dvec2();
            let away = mover.position - centre;
            let away = if away == DVec2::ZERO { -mover.velocity } else { away };
            let point = centre + away.normalize_or_zero() * f64::from(corner.radius);
            (away, point, Struck::Corner(corner.entity), corner.restitution)
        };
        let worn = self.is_worn(i);
        let noted = e.is_none();
        let carried = (self.restitution[i], carried, self.settings.wall_restitution);
        let least = self.least_hit(i);
        let restitution = |approach: f64| match e {
            Some(e) => f64::from(e),
            None if worn => 0.0,
            None => match restitution_of(approach as f32, carried, self.settings.resting_speed) {
                e if e < 1.0 && approach < least => 0.0,
                e => f64::from(e),
            },
        };
        let (pull, kept) = match self.falls.get(i) {
            Some(fall) if noted => (fall.pull, fall.kept),
            _ => (DVec2::ZERO, DVec2::ZERO),
        };
        let approach = -mover.velocity.dot(away) / away.length_squared().sqrt();
        let mut flight = Flight { velocity: mover.velocity, pull, kept };
        let bounce = flight.bounce(away, [mover.time, self.end], restitution);
        self.movers[i].velocity = flight.velocity;
        if let (Some(fall), true) = (self.falls.get_mut(i), noted) {
            fall.lies |= flight.pull != fall.pull;
            (fall.pull, fall.kept) = (flight.pull, flight.kept);
        }
        self.kept_energy = bounce.is_some_and(|bounce| bounce.e >= 1.0);
        if let Some(Bounce { approach, e }) = bounce.filter(|bounce| noted && bounce.approach >= least) {
            let normal = -away / away.length_squared().sqrt();
            self.note(i, struck, point, normal, approach, (1.0 + e) * approach * mover.mass);
        }
        approach.max(0.0)
    }

    /// Slower than this, m/s, nothing hits that lies on something: gravity has pressed it against what it lies on for half a tick.
    fn least_hit(&self, i: usize) -> f64 {
        let lies = self.falls.get(i).is_some_and(|fall| fall.lies);
        if lies { SLOW_HIT * self.gravity.length() * self.end } else { 0.0 }
    }

    /// Two discs touch and their straight paths approach: whether that is because one of them falls and the other is held, while
    /// their true velocities do not, or hardly. Then the one that falls lies on the other.
    fn lies_or_leaves(&mut self, i: usize, j: usize, n: DVec2, approach: f64) -> bool {
        let (a, b) = (self.falls[i], self.falls[j]);
        if (a.pull == b.pull && !(a.lies || b.lies)) || self.stands(i) || self.stands(j) {
            return false;
        }
        let relative = (a.pull - b.pull).dot(n);
        let since_middle = self.movers[i].time - 0.5 * self.end;
        let true_approach = approach + relative * since_middle;
        let least = self.least_hit(i).max(self.least_hit(j));
        if true_approach > least {
            return false;
        }
        if relative > 0.0 {
            // Who is held goes on being held, and holds the other.
            let free = [a.pull == self.gravity, b.pull == self.gravity];
            let (mass_a, mass_b) = (self.movers[i].mass, self.movers[j].mass);
            let (share_a, share_b) = match free {
                [true, false] => (1.0, 0.0),
                [false, true] => (0.0, 1.0),
                _ => (mass_b / (mass_a + mass_b), mass_a / (mass_a + mass_b)),
            };
            self.falls[i].pull -= n * (relative * share_a);
            self.falls[j].pull += n * (relative * share_b);
        }
        self.falls[i].lies = true;
        self.falls[j].lies = true;
        true
    }

    /// A disc that was held and is hit away from what held it falls again.
    fn release(&mut self, i: usize) {
        let Fall { pull, kept, .. } = self.falls[i];
        let held = pull - self.gravity;
        let mover = &mut self.movers[i];
        if held == DVec2::ZERO || !(mover.velocity.dot(held) > 0.0) {
            return;
        }
        mover.velocity += held * (mover.time - 0.5 * self.end) + kept;
        self.falls[i] = Fall { pull: self.gravity, kept: DVec2::ZERO, lies: false };
    }

    #[inline(always)]
    fn note(&mut self, i: usize, struck: Struck, point: DVec2, normal: DVec2, approach: f64, impulse: f64) {
        let hit = Hit {
            disc: i as u32,
            struck,
            point: point.as_vec2(),
            normal: normal.as_vec2(),
            approach_speed: approach as f32,
            impulse: impulse as f32,
            time: self.movers[i].time as f32,
        };
        hit.note(self.settings, self.collisions, self.hits);
    }
}
