//! The impulses at contacts that do not bounce, solved together.
//!
//! They solve a linear complementarity problem: `λ >= 0`, `A λ >= d`, and at each contact only one of the two is
//! greater than zero. `d` is the required increase of the speed of separation, `A` the effect of an impulse at one
//! contact on another. This is the minimum of `λ A λ / 2 - d λ`, the change of the kinetic energy.
//!
//! The solver is the active-set method of C. L. Lawson and R. J. Hanson for nonnegative least squares ("Solving Least
//! Squares Problems", 1974). No step increases that energy except by rounding, so nothing gains energy wherever the
//! method stops. Two kinds of islands are swept (projected Gauss–Seidel) instead:
//! - those of more than [`MAX_DIRECT_CONTACTS`] contacts, for which the dense matrix would be too large;
//! - jammed ones, in which contacts squeeze a body from two sides. There rounding decides, and the direct impulses may
//!   have any size.

use bevy::math::DVec2;

use super::{MovingPiece, motion::Twist};

/// Islands with more contacts than this are swept: memory and time then grow linearly. The matrix takes 0.2 MB.
const MAX_DIRECT_CONTACTS: usize = 160;

/// The number of sweeps of an island. It bounds the time, not the error: an impulse passes about one contact in each
/// sweep against their order.
const SWEEPS: u32 = 64;

/// The smallest share of its mobility, dimensionless, that a contact keeps where others hold both of its bodies. It
/// keeps the pivots of the factors above zero, and is thousands of times the rounding of an `f64`.
const MIN_PIVOT: f64 = 1e-12;

/// The largest number of activations per contact: the limit in the program published by Lawson and Hanson.
const MAX_ACTIVATIONS: usize = 3;

/// Contacts are jammed if they give their bodies more than this many times the energy (dimensionless) that all of these
/// would have at the speed of the fastest approach. A wedge that moves others ten times as fast as itself is not
/// jammed.
const MAX_ENERGY_GAIN: f64 = 100.0;

/// Contacts are also jammed if one impulse is this many times (dimensionless) the impulse that separates its two bodies
/// alone. Such impulses cancel each other, and rounding errors decide the rest.
const MAX_IMPULSE_RATIO: f64 = 1e10;

/// Below this share of the fastest approach, dimensionless, a contact counts as solved. It is far above the rounding of
/// a sum over [`MAX_DIRECT_CONTACTS`] contacts.
const SOLVED: f64 = 1e-11;

/// A body at a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BodyId {
    /// Immovable and at rest.
    Fixed,
    /// The game moves it.
    Driven,
    /// A block, by its index among the pieces.
    Block(u32),
    /// A disc, by its index.
    Disc(u32),
}

impl BodyId {
    /// Whether impulses move it.
    fn is_free(self) -> bool {
        !matches!(self, Self::Fixed | Self::Driven)
    }
}

/// One side of a contact.
#[derive(Clone, Copy, Debug)]
pub struct BlockSide {
    pub body: BodyId,
    /// 1/kg.
    pub inverse_mass: f64,
    /// 1/(kg m²).
    inverse_inertia: f64,
    /// The lever arm of the normal about the pivot of the body, metres.
    lever: f64,
}

impl BlockSide {
    pub const FIXED: Self = Self { body: BodyId::Fixed, inverse_mass: 0.0, inverse_inertia: 0.0, lever: 0.0 };

    pub fn of_disc(disc: u32, mass: f64) -> Self {
        Self { body: BodyId::Disc(disc), inverse_mass: 1.0 / mass, inverse_inertia: 0.0, lever: 0.0 }
    }

    /// The side of the piece with this index, at a time of the tick (seconds).
    pub fn of_piece(index: u32, piece: &MovingPiece, time: f64, point: DVec2, normal: DVec2) -> Self {
        let [inverse_mass, inverse_inertia] = piece.inverse_masses();
        if inverse_mass == 0.0 && inverse_inertia == 0.0 {
            return Self::FIXED;
        }
        let lever = (point - piece.origin_at(time)).perp_dot(normal);
        Self { body: BodyId::Block(index), inverse_mass, inverse_inertia, lever }
    }

    /// The change of the speed of this side by a unit impulse at another side, 1/kg; `cosine` is the cosine of the
    /// angle between their normals.
    fn coupling(&self, other: &Self, cosine: f64) -> f64 {
        if !self.body.is_free() || self.body != other.body {
            return 0.0;
        }
        cosine * self.inverse_mass + self.lever * other.lever * self.inverse_inertia
    }
}

/// Where two bodies touch.
#[derive(Clone, Copy, Debug)]
pub struct BlockContact {
    pub sides: [BlockSide; 2],
    /// Metres.
    pub point: DVec2,
    /// The unit vector from the first side to the second.
    pub normal: DVec2,
    /// The required increase of the speed of separation, m/s; negative if they separate fast enough.
    pub wanted: f64,
}

impl BlockContact {
    /// The change of the speed of separation by a unit impulse at another contact, 1/kg.
    fn coupling(&self, other: &Self) -> f64 {
        let cosine = self.normal.dot(other.normal);
        let [a, b] = &self.sides;
        let [c, d] = &other.sides;
        a.coupling(c, cosine) + b.coupling(d, cosine) - a.coupling(d, cosine) - b.coupling(c, cosine)
    }

    /// The contact of a disc with static terrain, where `away` is the unit vector away from the terrain.
    pub fn of_held_disc(disc: BlockSide, away: DVec2, velocity: DVec2) -> Self {
        Self { sides: [BlockSide::FIXED, disc], point: DVec2::ZERO, normal: away, wanted: -velocity.dot(away) }
    }
}

/// The free bodies at contacts, numbered in the order of their kinds and indices.
pub struct Bodies {
    count: usize,
    /// The number of the body on each side of each contact; `None` for an immovable body.
    pub sides: Vec<[Option<usize>; 2]>,
}

impl Bodies {
    pub fn of(contacts: &[BlockContact]) -> Self {
        let all = contacts.iter().flat_map(|contact| contact.sides.map(|side| side.body));
        let mut bodies: Vec<BodyId> = all.filter(|body| body.is_free()).collect();
        bodies.sort_unstable();
        bodies.dedup();
        let number = |side: BlockSide| bodies.binary_search(&side.body).ok();
        Self { count: bodies.len(), sides: contacts.iter().map(|contact| contact.sides.map(number)).collect() }
    }

    /// The contacts of each body, in order.
    pub fn contacts(&self) -> Vec<Vec<usize>> {
        let mut contacts = vec![Vec::new(); self.count];
        for (contact, sides) in self.sides.iter().enumerate() {
            for &body in sides.iter().flatten() {
                contacts[body].push(contact);
            }
        }
        contacts
    }
}

/// The speed of the fastest approach, m/s.
pub fn fastest_of(contacts: &[BlockContact]) -> f64 {
    contacts.iter().map(|contact| contact.wanted).fold(0.0, f64::max)
}

/// Increases the speed of separation of the last contact by `by` m/s, unless that adds energy.
pub fn part_faster(contacts: &mut [BlockContact], by: f64) {
    let Some(last) = contacts.len().checked_sub(1) else { return };
    if !(by > 0.0) {
        return;
    }
    contacts[last].wanted += by;
    let impulses = solve(contacts).impulses;
    // The change of the kinetic energy, `λ A λ / 2 - d λ`.
    let gained: f64 = contacts
        .iter()
        .zip(&impulses)
        .map(|(one, push)| {
            let parts: f64 = contacts.iter().zip(&impulses).map(|(other, push)| one.coupling(other) * push).sum();
            push * (0.5 * parts - one.wanted)
        })
        .sum();
    if !(gained + impulses[last] * by <= 0.0) {
        contacts[last].wanted -= by;
    }
}

/// What [`solve`] finds.
pub struct Solution {
    /// One for each contact, N s.
    pub impulses: Vec<f64>,
    /// Whether the contacts are jammed, and so only swept.
    pub is_jammed: bool,
}

/// Finds the impulses of contacts.
pub fn solve(contacts: &[BlockContact]) -> Solution {
    if contacts.len() > MAX_DIRECT_CONTACTS {
        let impulses = sweep(contacts);
        let is_jammed = are_jammed(contacts, &impulses);
        return Solution { impulses, is_jammed };
    }
    let matrix: Vec<Vec<f64>> =
        contacts.iter().map(|one| contacts.iter().map(|other| one.coupling(other)).collect()).collect();
    let wanted: Vec<f64> = contacts.iter().map(|contact| contact.wanted).collect();
    let impulses = solve_directly(matrix, &wanted);
    let is_jammed = are_jammed(contacts, &impulses);
    Solution { impulses: if is_jammed { sweep(contacts) } else { impulses }, is_jammed }
}

/// Whether these impulses (N s) jam the contacts: see [`MAX_ENERGY_GAIN`] and [`MAX_IMPULSE_RATIO`].
fn are_jammed(contacts: &[BlockContact], impulses: &[f64]) -> bool {
    let fastest = fastest_of(contacts);
    if contacts.iter().zip(impulses).any(|(one, impulse)| !(impulse * one.coupling(one) <= MAX_IMPULSE_RATIO * fastest))
    {
        return true;
    }
    let bodies = Bodies::of(contacts);
    // The change of motion of each body, the last side that it was on, and its largest effective mass at a contact, kg.
    let mut changes = vec![(Twist::default(), BlockSide::FIXED, 0.0_f64); bodies.count];
    for (k, (contact, impulse)) in contacts.iter().zip(impulses).enumerate() {
        for ((side, body), sign) in contact.sides.iter().zip(bodies.sides[k]).zip([-1.0, 1.0]) {
            let Some(body) = body else { continue };
            let (change, last_side, mass) = &mut changes[body];
            side.push(change, contact.normal, sign * impulse);
            let coupling = side.coupling(side, 1.0);
            if coupling > 0.0 {
                (*last_side, *mass) = (*side, mass.max(1.0 / coupling));
            }
        }
    }
    let given: f64 = changes.iter().map(|(change, side, _)| side.kinetic_energy(change)).sum();
    let mass: f64 = changes.iter().map(|(.., mass)| mass).sum();
    !(given <= MAX_ENERGY_GAIN * 0.5 * mass * fastest * fastest)
}

/// The method of Lawson and Hanson: activates one contact after the other.
fn solve_directly(matrix: Vec<Vec<f64>>, wanted: &[f64]) -> Vec<f64> {
    let count = wanted.len();
    let mut impulse = vec![0.0; count];
    let mut active = ActiveSet::new(matrix);
    let fastest = wanted.iter().fold(0.0_f64, |most, &speed| most.max(speed));
    for _ in 0..MAX_ACTIVATIONS * count {
        // The contact that removes the most energy when it is activated alone.
        let mut next = None::<(f64, usize)>;
        for k in (0..count).filter(|k| !active.contacts.contains(k)) {
            let own = active.matrix[k][k];
            let parts: f64 = active.contacts.iter().map(|&other| active.matrix[k][other] * impulse[other]).sum();
            let approach = wanted[k] - parts;
            if own > 0.0 && approach > SOLVED * fastest {
                let energy = approach * approach / own;
                if next.is_none_or(|(most, _)| energy > most) {
                    next = Some((energy, k));
                }
            }
        }
        let Some((_, next)) = next else { break };
        active.add(next);
        loop {
            let found = active.solve(wanted);
            // How far the impulses can move towards the solution before a contact would pull, and that contact.
            let mut first = None::<(f64, usize)>;
            for (&k, &value) in active.contacts.iter().zip(&found) {
                let share = impulse[k] / (impulse[k] - value);
                if value < 0.0 && first.is_none_or(|(least, _)| share < least) {
                    first = Some((share, k));
                }
            }
            let share = first.map_or(1.0, |(share, _)| share);
            for (&k, &value) in active.contacts.iter().zip(&found) {
                impulse[k] += share * (value - impulse[k]);
            }
            let Some((_, first)) = first else { break };
            impulse[first] = 0.0;
            // Rounding may have brought others to zero at the same time.
            let places = active.contacts.iter().enumerate().filter(|(_, contact)| impulse[**contact] <= 0.0);
            let removed: Vec<usize> = places.map(|(place, _)| place).collect();
            for &place in &removed {
                impulse[active.contacts[place]] = 0.0;
            }
            active.remove(&removed);
        }
    }
    impulse
}

/// The contacts that push, in the order of their activation, and the Cholesky factor of their part of the matrix.
struct ActiveSet {
    matrix: Vec<Vec<f64>>,
    contacts: Vec<usize>,
    lower: Vec<Vec<f64>>,
}

impl ActiveSet {
    fn new(matrix: Vec<Vec<f64>>) -> Self {
        Self { matrix, contacts: Vec::new(), lower: Vec::new() }
    }

    fn add(&mut self, contact: usize) {
        let own = self.matrix[contact][contact];
        let mut row: Vec<f64> = Vec::with_capacity(self.contacts.len() + 1);
        for (before, &other) in self.lower.iter().zip(&self.contacts) {
            let dot: f64 = before.iter().zip(&row).map(|(a, b)| a * b).sum();
            row.push((self.matrix[contact][other] - dot) / before[row.len()]);
        }
        let left = own - row.iter().map(|value| value * value).sum::<f64>();
        // A contact that the others nearly determine is treated as softer than it is.
        let soft = (MIN_PIVOT * own - left).max(0.0);
        self.matrix[contact][contact] += soft;
        row.push((left + soft).sqrt());
        self.contacts.push(contact);
        self.lower.push(row);
    }

    /// Removes the contacts at these places, which are in ascending order.
    fn remove(&mut self, places: &[usize]) {
        let from = places[0];
        let after = self.contacts.split_off(from);
        self.lower.truncate(from);
        let stay = after.into_iter().enumerate().filter(|(k, _)| !places.contains(&(from + k)));
        stay.for_each(|(_, contact)| self.add(contact));
    }

    /// The impulses with which each active contact separates exactly as required.
    fn solve(&self, wanted: &[f64]) -> Vec<f64> {
        let mut values: Vec<f64> = Vec::with_capacity(self.contacts.len());
        for (row, &contact) in self.lower.iter().zip(&self.contacts) {
            let dot: f64 = row.iter().zip(&values).map(|(a, b)| a * b).sum();
            values.push((wanted[contact] - dot) / row[values.len()]);
        }
        for row in (0..values.len()).rev() {
            let dot: f64 = (row + 1..values.len()).map(|k| self.lower[k][row] * values[k]).sum();
            values[row] = (values[row] - dot) / self.lower[row][row];
        }
        values
    }
}

impl BlockSide {
    /// Adds to `change` the change of motion of the body of this side by an impulse along a normal (N s).
    fn push(&self, change: &mut Twist, normal: DVec2, push: f64) {
        change.velocity += normal * (push * self.inverse_mass);
        change.spin += push * self.lever * self.inverse_inertia;
    }

    /// The kinetic energy of its body at this motion, joules.
    fn kinetic_energy(&self, motion: &Twist) -> f64 {
        let half = |square: f64, inverse: f64| if inverse > 0.0 { 0.5 * square / inverse } else { 0.0 };
        half(motion.velocity.length_squared(), self.inverse_mass)
            + half(motion.spin * motion.spin, self.inverse_inertia)
    }
}

/// Projected Gauss–Seidel. Contacts act on each other through the motions of their bodies, so nothing is stored for
/// pairs of contacts.
fn sweep(contacts: &[BlockContact]) -> Vec<f64> {
    let bodies = Bodies::of(contacts);
    let own: Vec<f64> = contacts.iter().map(|contact| contact.coupling(contact)).collect();
    let mut changes = vec![Twist::default(); bodies.count];
    let mut impulses = vec![0.0; contacts.len()];
    for _ in 0..SWEEPS {
        for (k, contact) in contacts.iter().enumerate().filter(|&(k, _)| own[k] > 0.0) {
            let sides = || contact.sides.iter().zip(bodies.sides[k]).zip([-1.0, 1.0]);
            let parts: f64 = sides()
                .filter_map(|((side, body), sign)| {
                    let Twist { velocity, spin } = changes[body?];
                    Some(sign * (velocity.dot(contact.normal) + spin * side.lever))
                })
                .sum();
            let impulse = (impulses[k] + (contact.wanted - parts) / own[k]).max(0.0);
            let push = impulse - impulses[k];
            impulses[k] = impulse;
            for ((side, body), sign) in sides() {
                if let Some(body) = body {
                    side.push(&mut changes[body], contact.normal, sign * push);
                }
            }
        }
    }
    impulses
}

#[cfg(test)]
pub mod tests {
    use super::*;

    pub fn side(body: BodyId, inverse_mass: f64) -> BlockSide {
        BlockSide { body, inverse_mass, inverse_inertia: 0.0, lever: 0.0 }
    }

    /// A tower of blocks of these masses that falls on a floor at 1 m/s, with one contact each.
    pub fn tower(masses: &[f64]) -> Vec<BlockContact> {
        let body = |k: usize| side(BodyId::Block(k as u32), 1.0 / masses[k]);
        let contact = |k: usize| BlockContact {
            sides: [if k == 0 { BlockSide::FIXED } else { body(k - 1) }, body(k)],
            point: DVec2::ZERO,
            normal: DVec2::Y,
            wanted: if k == 0 { 1.0 } else { 0.0 },
        };
        (0..masses.len()).map(contact).collect()
    }

    #[test]
    fn an_island_of_forty_thousand_contacts_is_swept_in_little_memory() {
        // A row of blocks on a floor, each of which pushes the next: as a matrix, that would be 13 GB.
        let count = 40_000;
        let mut contacts = Vec::new();
        for k in 0..count / 2 {
            let [left, right] = [k, k + 1].map(|k| side(BodyId::Block(k), 1.0));
            contacts.push(BlockContact { sides: [left, right], point: DVec2::ZERO, normal: DVec2::X, wanted: 0.0 });
            contacts.push(BlockContact {
                sides: [BlockSide::FIXED, left],
                point: DVec2::ZERO,
                normal: DVec2::Y,
                wanted: 1.0,
            });
        }
        let impulses = solve(&contacts).impulses;
        for (contact, impulse) in contacts.iter().zip(impulses) {
            assert!((impulse - contact.wanted).abs() < 1e-12, "{contact:?}: {impulse} N s");
        }
    }

    #[test]
    fn a_tower_is_carried_by_what_lies_below_whatever_the_masses() {
        for masses in [vec![1.0; 20], vec![1e-3, 1e3, 1e-3, 1e3], vec![1e6, 1.0, 1e-6]] {
            let impulses = solve(&tower(&masses)).impulses;
            for (k, impulse) in impulses.iter().enumerate() {
                let above: f64 = masses[k..].iter().sum();
                // The softness counts by the share of a contact in the mobility of its bodies.
                assert!((impulse / above - 1.0).abs() < 1e-3, "{masses:?}, {k}: {impulse} for {above} kg");
            }
        }
    }

    #[test]
    fn no_contact_pulls_none_approaches_and_only_those_that_push_are_closed() {
        let mut state = 7_u64;
        let mut dice = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / f64::from(1 << 23) - 1.0
        };
        for case in 0..300 {
            // No more contacts than degrees of freedom.
            let (bodies, count) = (4 + case % 5, 1 + case % 11);
            let inverse: Vec<[f64; 2]> = (0..bodies).map(|_| [0.1 + dice().abs(), 10.0 * dice().abs()]).collect();
            let velocity: Vec<(DVec2, f64)> = (0..bodies).map(|_| (DVec2::new(dice(), dice()), dice())).collect();
            let mut contacts = Vec::new();
            for _ in 0..count {
                let pick = |value: f64| ((value.abs() * bodies as f64) as usize).min(bodies - 1);
                let (a, b) = (pick(dice()), pick(dice()));
                let mut of = |k: usize| BlockSide {
                    body: BodyId::Block(k as u32),
                    inverse_mass: inverse[k][0],
                    inverse_inertia: inverse[k][1],
                    lever: dice(),
                };
                let sides = [of(a), if a == b { BlockSide::FIXED } else { of(b) }];
                let normal = DVec2::new(dice(), 0.5 + dice().abs()).normalize();
                // At the speed of their approach, so there is a motion that all contacts allow: none.
                let speed = |side: &BlockSide| match side.body {
                    BodyId::Block(k) => {
                        let (velocity, spin) = velocity[k as usize];
                        velocity.dot(normal) + side.lever * spin
                    }
                    _ => 0.0,
                };
                let wanted = speed(&sides[0]) - speed(&sides[1]);
                contacts.push(BlockContact { sides, point: DVec2::ZERO, normal, wanted });
            }
            let impulses = solve(&contacts).impulses;
            for (k, one) in contacts.iter().enumerate() {
                let parts: f64 = contacts.iter().zip(&impulses).map(|(other, push)| one.coupling(other) * push).sum();
                let left = parts - one.wanted;
                assert!(impulses[k] >= -1e-9 && left > -1e-5, "case {case}, {k}: {} N s, {left} m/s", impulses[k]);
                assert!(impulses[k] * left < 1e-4, "case {case}, {k}: {} N s, {left} m/s", impulses[k]);
            }
        }
    }
}
