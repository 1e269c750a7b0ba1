//! Blocks that touch each other and other things, and do not bounce: all of their contacts at once.
//!
//! One after the other such contacts would hand on ever less of a speed and never end. The impulses with which none of
//! them approaches, and none pulls, are the solution of a linear complementarity problem: `λ >= 0`, `A λ >= d`, and
//! only one of the two is more than zero at each contact, where `d` is by how much each has to part faster, and `A`
//! what a push at one does to another. That is where `λ A λ / 2 - d λ` is smallest, which is the change of the kinetic
//! energy, and it is found by closing one contact after the other, as in the nonnegative least squares of C. L. Lawson
//! and R. J. Hanson ("Solving Least Squares Problems", 1974): no step makes that larger but by rounding, so wherever it
//! ends, nothing gains energy. Where contacts squeeze a body from two sides, rounding decides, and the impulses may be
//! of any size: those are swept instead.

use bevy::math::DVec2;

use super::{
    MovingPiece, MovingTerrain,
    block_impacts::{Met, Surroundings, touches_of},
    blocks::Block,
    parts_contact::PartsContact,
};
use crate::collision::hit::Surface;

/// Islands are cut where they get larger than this many blocks.
const MOST_BLOCKS: usize = 64;

/// Islands with more contacts are swept over, which takes memory and time in proportion to their number.
const MOST_CONTACTS: usize = 160;

/// So often.
const SWEEPS: u32 = 64;

/// A contact whose two bodies others hold to each other moves by at least this share of what it would move by alone.
const SOFT: f64 = 1e-12;

/// Closings of contacts, for each of them, after which it is left as it is.
const MOST_CLOSINGS: usize = 3;

/// Contacts are jammed if they give their bodies more than so many times the energy that all of them would have at the
/// speed of the fastest approach: something squeezes them against what does not give way. A wedge that moves others up
/// to ten times as fast as itself is not jammed.
const JAMMED: f64 = 100.0;

/// They are jammed as well if one pushes so many times as hard as it takes to part its bodies alone: such pushes cancel
/// each other, and rounding errors decide what is left.
const CANCELLED: f64 = 1e10;

/// What approaches slower than this share of the fastest counts as still.
const RIGHT: f64 = 1e-11;

/// What a contact pushes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Body {
    /// What no push moves, and does not move either.
    Fixed,
    /// What the game moves.
    Driven,
    /// A piece with a mass.
    Block(u32),
    /// A disc, by its index.
    Disc(u32),
}

impl Body {
    /// Whether pushes move it.
    fn is_free(self) -> bool {
        !matches!(self, Self::Fixed | Self::Driven)
    }
}

/// One side of a contact.
#[derive(Clone, Copy, Debug)]
struct Side {
    body: Body,
    /// 1/kg
    inverse_mass: f64,
    /// 1/(kg m²)
    inverse_inertia: f64,
    /// The lever of the normal about the point about which it turns, metres.
    lever: f64,
}

/// Where two bodies touch.
#[derive(Clone, Copy, Debug)]
pub struct Contact {
    sides: [Side; 2],
    /// Metres.
    point: DVec2,
    /// The unit vector from the first side to the second.
    normal: DVec2,
    /// By how much the two have to part faster than they do, m/s; below zero where they part.
    wanted: f64,
}

/// A contact of two pieces, and how fast they approach there, m/s.
pub type Touch = (PartsContact, f64);

impl Side {
    const FIXED: Self = Self { body: Body::Fixed, inverse_mass: 0.0, inverse_inertia: 0.0, lever: 0.0 };

    fn of_piece(piece: Option<(u32, &MovingPiece)>, time: f64, point: DVec2, normal: DVec2) -> Self {
        let Some((index, piece)) = piece else { return Self::FIXED };
        let [inverse_mass, inverse_inertia] = piece.inverse_masses();
        if inverse_mass == 0.0 && inverse_inertia == 0.0 {
            return Self::FIXED;
        }
        let lever = (point - piece.origin_at(time)).perp_dot(normal);
        Self { body: Body::Block(index), inverse_mass, inverse_inertia, lever }
    }

    /// How much a push at another side changes the speed of this one, 1/kg; `cosine` is that of the angle between their
    /// normals.
    fn coupling(&self, other: &Self, cosine: f64) -> f64 {
        if !self.body.is_free() || self.body != other.body {
            return 0.0;
        }
        cosine * self.inverse_mass + self.lever * other.lever * self.inverse_inertia
    }
}

impl Contact {
    /// How much a push at another contact parts this one, 1/kg.
    fn coupling(&self, other: &Self) -> f64 {
        let cosine = self.normal.dot(other.normal);
        let [a, b] = &self.sides;
        let [c, d] = &other.sides;
        a.coupling(c, cosine) + b.coupling(d, cosine) - a.coupling(d, cosine) - b.coupling(c, cosine)
    }

    /// That of a disc of this mass (kg) and velocity with terrain that stands, `away` from which is a unit vector.
    pub fn of_held_disc((disc, mass): (u32, f64), away: DVec2, velocity: DVec2) -> Self {
        let disc = Side { body: Body::Disc(disc), inverse_mass: 1.0 / mass, inverse_inertia: 0.0, lever: 0.0 };
        Self { sides: [Side::FIXED, disc], point: DVec2::ZERO, normal: away, wanted: -velocity.dot(away) }
    }
}

impl MovingTerrain {
    /// A contact of a block with what it meets.
    pub fn contact_of(&self, (piece, met): (u32, Met), time: f64, at: &PartsContact, wanted: f64) -> Contact {
        let PartsContact { point, normal, .. } = *at;
        let other = if let Met::Moving(other) = met { Some((other, &self.pieces[other as usize])) } else { None };
        let own = Some((piece, &self.pieces[piece as usize]));
        let mut sides = [own, other].map(|piece| Side::of_piece(piece, time, point, normal));
        if self.is_driving(met) {
            sides[1].body = Body::Driven;
        }
        Contact { sides, point, normal, wanted }
    }

    /// A contact of a disc with a block on which it lies.
    pub fn contact_of_disc(
        &self,
        (disc, mass): (u32, f64),
        (block, time): (u32, f64),
        surface: &Surface,
        wanted: f64,
    ) -> Contact {
        let (point, normal) = (surface.point, surface.away.normalize_or_zero());
        let own = Side::of_piece(Some((block, &self.pieces[block as usize])), time, point, normal);
        let other = Side { body: Body::Disc(disc), inverse_mass: 1.0 / mass, inverse_inertia: 0.0, lever: 0.0 };
        Contact { sides: [own, other], point, normal, wanted }
    }

    /// The contacts of a block, and of all blocks that it hangs together with by contacts that do not bounce at this
    /// time of the tick.
    pub fn island_of(&self, block: u32, time: f64, around: &Surroundings) -> Vec<Contact> {
        let (mut members, mut contacts) = (vec![block], Vec::new());
        let mut done = 0;
        while let Some(&piece) = members.get(done) {
            done += 1;
            let Some(own) = self.blocks.iter().find(|block| block.piece == piece) else { continue };
            for met in self.all_near(own, around) {
                let is_done = |other: u32| members[..done].contains(&other);
                if matches!(met, Met::Moving(other) if is_done(other)) {
                    continue;
                }
                let touches = self.touches((piece, met), time, around);
                let fastest = touches.iter().map(|touch| touch.1).fold(0.0, f64::max);
                if touches.is_empty() || self.bounce((piece, met), around)(fastest) > 0.0 {
                    continue;
                }
                contacts
                    .extend(touches.iter().map(|(at, approach)| self.contact_of((piece, met), time, at, *approach)));
                if let Met::Moving(other) = met
                    && self.pieces[other as usize].is_block()
                    && !members.contains(&other)
                    && members.len() < MOST_BLOCKS
                {
                    members.push(other);
                }
            }
        }
        contacts
    }

    /// What a block may touch, in order: terrain that stands, pieces that move, kinematic discs.
    fn all_near(&self, block: &Block, around: &Surroundings) -> Vec<Met> {
        let mut near = self.standing_near(block, around);
        near.extend(self.moving_near(block, &self.blocks, around));
        near.extend(self.hands_met_by(block.piece).into_iter().map(Met::Hand));
        near
    }

    /// Where a block touches what it meets, and how fast they approach there, m/s; each place once.
    pub fn touches(&self, (piece, met): (u32, Met), time: f64, around: &Surroundings) -> Vec<Touch> {
        let hand = if let Met::Hand(hand) = met { Some(self.hand_as_piece(hand)) } else { None };
        let own = &self.pieces[piece as usize];
        let pairs = self.pairs_of(own, met, self.other_of(met, hand.as_ref()), around);
        let (touches, size) = touches_of(&pairs, time);
        let mut unique: Vec<Touch> = Vec::with_capacity(touches.len());
        for touch in touches {
            let is_same = |other: &Touch| {
                other.0.point.distance(touch.0.point) < SAME_PLACE * size
                    && other.0.normal.dot(touch.0.normal) > 1.0 - 1e-9
            };
            if !unique.iter().any(is_same) {
                unique.push(touch);
            }
        }
        unique
    }

    /// Resolves contacts at a time of the tick: pushes the blocks, and tells of each disc by how much its velocity
    /// changes, m/s, and with which impulse, N s. Says whether anything was pushed; none if what the game moves has
    /// jammed them, which is resolved by nothing.
    pub fn resolve_island(
        &mut self,
        contacts: &[Contact],
        time: f64,
        change_disc: impl FnMut(u32, DVec2, f64),
    ) -> Option<bool> {
        let blocks = || {
            contacts.iter().flat_map(|contact| contact.sides).filter_map(|side| match side.body {
                Body::Block(block) => Some(block),
                _ => None,
            })
        };
        let is_driven =
            contacts.iter().any(|contact| contact.sides[1].body == Body::Driven) || self.is_driven(blocks());
        if is_driven {
            self.mark_driven(blocks());
        }
        let (impulses, is_jammed) = impulses_of(contacts);
        (!is_driven || !is_jammed).then(|| self.push_island(contacts, impulses, time, change_disc))
    }

    fn push_island(
        &mut self,
        contacts: &[Contact],
        impulses: Vec<f64>,
        time: f64,
        mut change_disc: impl FnMut(u32, DVec2, f64),
    ) -> bool {
        let mut pushed = false;
        for (contact, impulse) in contacts.iter().zip(impulses) {
            if !(impulse > 0.0 && impulse.is_finite()) {
                continue;
            }
            pushed = true;
            for (side, sign) in contact.sides.iter().zip([-1.0, 1.0]) {
                let push = contact.normal * (sign * impulse);
                match side.body {
                    Body::Fixed | Body::Driven => {}
                    Body::Block(block) => self.pieces[block as usize].push(time, contact.point, push),
                    Body::Disc(disc) => change_disc(disc, push * side.inverse_mass, impulse),
                }
            }
        }
        pushed
    }
}

/// Two places closer than this share of the size are one.
const SAME_PLACE: f64 = 1e-4;

/// The bodies that contacts push, numbered in the order of their kinds and indices.
struct Bodies {
    count: usize,
    /// The number of the body on each side of each contact; none for what no push moves.
    sides: Vec<[Option<usize>; 2]>,
}

impl Bodies {
    fn of(contacts: &[Contact]) -> Self {
        let all = contacts.iter().flat_map(|contact| contact.sides.map(|side| side.body));
        let mut bodies: Vec<Body> = all.filter(|body| body.is_free()).collect();
        bodies.sort_unstable();
        bodies.dedup();
        let number = |side: Side| bodies.binary_search(&side.body).ok();
        Self { count: bodies.len(), sides: contacts.iter().map(|contact| contact.sides.map(number)).collect() }
    }

    /// The contacts of each body, in their order.
    fn contacts(&self) -> Vec<Vec<usize>> {
        let mut contacts = vec![Vec::new(); self.count];
        for (contact, sides) in self.sides.iter().enumerate() {
            for &body in sides.iter().flatten() {
                contacts[body].push(contact);
            }
        }
        contacts
    }
}

/// Contacts that hang together by the bodies that they push.
pub fn islands(contacts: &[Contact]) -> Vec<Vec<Contact>> {
    let bodies = Bodies::of(contacts);
    let mut of_body = bodies.contacts();
    let mut is_taken = vec![false; contacts.len()];
    let mut islands = Vec::new();
    for first in 0..contacts.len() {
        if is_taken[first] {
            continue;
        }
        let mut island = vec![first];
        is_taken[first] = true;
        let mut at = 0;
        while let Some(&contact) = island.get(at) {
            // A body is looked at once: all of its contacts are in the island then.
            let all = bodies.sides[contact].iter().flatten().flat_map(|&body| std::mem::take(&mut of_body[body]));
            let mut near: Vec<usize> = all.filter(|&other| !is_taken[other]).collect();
            near.sort_unstable();
            near.dedup();
            for &other in &near {
                is_taken[other] = true;
            }
            island.extend(near);
            at += 1;
        }
        islands.push(island.into_iter().map(|contact| contacts[contact]).collect());
    }
    islands
}

/// How fast the fastest approach, m/s.
pub fn fastest_of(contacts: &[Contact]) -> f64 {
    contacts.iter().map(|contact| contact.wanted).fold(0.0, f64::max)
}

/// Lets the two of the last contact part by so much faster, m/s, than all of them have to; unless that gives energy.
pub fn part_faster(contacts: &mut [Contact], by: f64) {
    let Some(last) = contacts.len().checked_sub(1) else { return };
    if !(by > 0.0) {
        return;
    }
    contacts[last].wanted += by;
    let impulses = impulses_of(contacts).0;
    // Half of what the contacts push against what they have changed, less what was there before.
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

/// The impulses of contacts, N s, and whether they are jammed: then they are only swept over.
fn impulses_of(contacts: &[Contact]) -> (Vec<f64>, bool) {
    if contacts.len() > MOST_CONTACTS {
        let impulses = sweep(contacts);
        let is_jammed = are_jammed(contacts, &impulses);
        return (impulses, is_jammed);
    }
    let matrix: Vec<Vec<f64>> =
        contacts.iter().map(|one| contacts.iter().map(|other| one.coupling(other)).collect()).collect();
    let wanted: Vec<f64> = contacts.iter().map(|contact| contact.wanted).collect();
    let impulses = close_one_by_one(matrix, &wanted);
    if are_jammed(contacts, &impulses) { (sweep(contacts), true) } else { (impulses, false) }
}

/// Whether these impulses (N s) jam the contacts, see [`JAMMED`] and [`CANCELLED`].
fn are_jammed(contacts: &[Contact], impulses: &[f64]) -> bool {
    let fastest = fastest_of(contacts);
    if contacts.iter().zip(impulses).any(|(one, impulse)| !(impulse * one.coupling(one) <= CANCELLED * fastest)) {
        return true;
    }
    let bodies = Bodies::of(contacts);
    // How the motion of each body changes, what has made it, and the largest mass that it is at a contact, kg.
    let mut changes = vec![(Change::default(), Side::FIXED, 0.0_f64); bodies.count];
    for (k, (contact, impulse)) in contacts.iter().zip(impulses).enumerate() {
        for ((side, body), sign) in contact.sides.iter().zip(bodies.sides[k]).zip([-1.0, 1.0]) {
            let Some(body) = body else { continue };
            let (change, of, mass) = &mut changes[body];
            change.push(side, contact.normal, sign * impulse);
            let coupling = side.coupling(side, 1.0);
            if coupling > 0.0 {
                (*of, *mass) = (*side, mass.max(1.0 / coupling));
            }
        }
    }
    let given: f64 = changes.iter().map(|(change, side, _)| change.energy(side)).sum();
    let mass: f64 = changes.iter().map(|(.., mass)| mass).sum();
    !(given <= JAMMED * 0.5 * mass * fastest * fastest)
}

/// The method of Lawson and Hanson.
fn close_one_by_one(matrix: Vec<Vec<f64>>, wanted: &[f64]) -> Vec<f64> {
    let count = wanted.len();
    let mut impulse = vec![0.0; count];
    let mut closed = Closed::new(matrix);
    let fastest = wanted.iter().fold(0.0_f64, |most, &speed| most.max(speed));
    for _ in 0..MOST_CLOSINGS * count {
        // The one that takes the most energy when it is closed alone.
        let mut next = None::<(f64, usize)>;
        for k in (0..count).filter(|k| !closed.contacts.contains(k)) {
            let own = closed.matrix[k][k];
            let parts: f64 = closed.contacts.iter().map(|&other| closed.matrix[k][other] * impulse[other]).sum();
            let approach = wanted[k] - parts;
            if own > 0.0 && approach > RIGHT * fastest {
                let energy = approach * approach / own;
                if next.is_none_or(|(most, _)| energy > most) {
                    next = Some((energy, k));
                }
            }
        }
        let Some((_, next)) = next else { break };
        closed.add(next);
        loop {
            let found = closed.solve(wanted);
            // How far one can go towards what was found before a contact would pull, and which one that is.
            let mut first = None::<(f64, usize)>;
            for (&k, &value) in closed.contacts.iter().zip(&found) {
                let share = impulse[k] / (impulse[k] - value);
                if value < 0.0 && first.is_none_or(|(least, _)| share < least) {
                    first = Some((share, k));
                }
            }
            let share = first.map_or(1.0, |(share, _)| share);
            for (&k, &value) in closed.contacts.iter().zip(&found) {
                impulse[k] += share * (value - impulse[k]);
            }
            let Some((_, first)) = first else { break };
            impulse[first] = 0.0;
            // With it those that rounding has brought to nothing.
            let places = closed.contacts.iter().enumerate().filter(|(_, contact)| impulse[**contact] <= 0.0);
            let opened: Vec<usize> = places.map(|(place, _)| place).collect();
            for &place in &opened {
                impulse[closed.contacts[place]] = 0.0;
            }
            closed.open(&opened);
        }
    }
    impulse
}

/// The contacts that are closed, in the order in which they were, and Cholesky's decomposition of what they do to each
/// other.
struct Closed {
    matrix: Vec<Vec<f64>>,
    contacts: Vec<usize>,
    lower: Vec<Vec<f64>>,
}

impl Closed {
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
        // What the others hold nearly as well is softer than it is.
        let soft = (SOFT * own - left).max(0.0);
        self.matrix[contact][contact] += soft;
        row.push((left + soft).sqrt());
        self.contacts.push(contact);
        self.lower.push(row);
    }

    /// Opens those at these places, in their order.
    fn open(&mut self, places: &[usize]) {
        let from = places[0];
        let after = self.contacts.split_off(from);
        self.lower.truncate(from);
        let stay = after.into_iter().enumerate().filter(|(k, _)| !places.contains(&(from + k)));
        stay.for_each(|(_, contact)| self.add(contact));
    }

    /// The impulses with which none of them approaches.
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

/// By how much the pushes of contacts have changed the motion of a body.
#[derive(Clone, Copy, Default)]
struct Change {
    /// Metres per second.
    velocity: DVec2,
    /// Radians per second.
    spin: f64,
}

impl Change {
    /// Adds that of a push on a side along a normal, N s.
    fn push(&mut self, side: &Side, normal: DVec2, push: f64) {
        self.velocity += normal * (push * side.inverse_mass);
        self.spin += push * side.lever * side.inverse_inertia;
    }

    /// The energy of such a motion of the body of a side, joules.
    fn energy(&self, side: &Side) -> f64 {
        let half = |square: f64, inverse: f64| if inverse > 0.0 { 0.5 * square / inverse } else { 0.0 };
        half(self.velocity.length_squared(), side.inverse_mass) + half(self.spin * self.spin, side.inverse_inertia)
    }
}

/// Projected Gauss–Seidel. What a contact does to the others is known by the motions of its bodies, so that nothing is
/// kept for pairs of contacts.
fn sweep(contacts: &[Contact]) -> Vec<f64> {
    let bodies = Bodies::of(contacts);
    let own: Vec<f64> = contacts.iter().map(|contact| contact.coupling(contact)).collect();
    let mut changes = vec![Change::default(); bodies.count];
    let mut impulses = vec![0.0; contacts.len()];
    for _ in 0..SWEEPS {
        for (k, contact) in contacts.iter().enumerate().filter(|&(k, _)| own[k] > 0.0) {
            let sides = || contact.sides.iter().zip(bodies.sides[k]).zip([-1.0, 1.0]);
            let parts: f64 = sides()
                .filter_map(|((side, body), sign)| {
                    let Change { velocity, spin } = changes[body?];
                    Some(sign * (velocity.dot(contact.normal) + spin * side.lever))
                })
                .sum();
            let impulse = (impulses[k] + (contact.wanted - parts) / own[k]).max(0.0);
            let push = impulse - impulses[k];
            impulses[k] = impulse;
            for ((side, body), sign) in sides() {
                if let Some(body) = body {
                    changes[body].push(side, contact.normal, sign * push);
                }
            }
        }
    }
    impulses
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(body: Body, inverse_mass: f64) -> Side {
        Side { body, inverse_mass, inverse_inertia: 0.0, lever: 0.0 }
    }

    /// A tower of blocks of these masses that falls on a floor at 1 m/s, one contact each.
    fn tower(masses: &[f64]) -> Vec<Contact> {
        let body = |k: usize| side(Body::Block(k as u32), 1.0 / masses[k]);
        let contact = |k: usize| Contact {
            sides: [if k == 0 { Side::FIXED } else { body(k - 1) }, body(k)],
            point: DVec2::ZERO,
            normal: DVec2::Y,
            wanted: if k == 0 { 1.0 } else { 0.0 },
        };
        (0..masses.len()).map(contact).collect()
    }

    #[test]
    fn contacts_that_hang_together_are_one_island_each_in_one_order() {
        // Three towers, level by level.
        let towers = [tower(&[1.0; 4]), tower(&[1.0; 3]), tower(&[1.0; 2])];
        let renumbered = |contact: &Contact, by: u32| {
            let mut contact = *contact;
            for side in &mut contact.sides {
                if let Body::Block(block) = &mut side.body {
                    *block = *block * 3 + by;
                }
            }
            contact
        };
        let mut contacts = Vec::new();
        for level in 0..4 {
            for (by, tower) in (0..).zip(&towers) {
                contacts.extend(tower.get(level).map(|contact| renumbered(contact, by)));
            }
        }
        let islands = islands(&contacts);
        assert_eq!(islands.iter().map(Vec::len).collect::<Vec<_>>(), [4, 3, 2]);
        for (by, island) in (0..).zip(&islands) {
            for (level, contact) in (0..).zip(island) {
                assert_eq!(contact.sides[1].body, Body::Block(level * 3 + by));
            }
        }
    }

    #[test]
    fn an_island_of_forty_thousand_contacts_is_swept_in_little_memory() {
        // A row of blocks on a floor, each of which pushes the next: as a matrix, that is 13 GB.
        let count = 40_000;
        let mut contacts = Vec::new();
        for k in 0..count / 2 {
            let [left, right] = [k, k + 1].map(|k| side(Body::Block(k), 1.0));
            contacts.push(Contact { sides: [left, right], point: DVec2::ZERO, normal: DVec2::X, wanted: 0.0 });
            contacts.push(Contact { sides: [Side::FIXED, left], point: DVec2::ZERO, normal: DVec2::Y, wanted: 1.0 });
        }
        let islands = islands(&contacts);
        assert_eq!(islands.len(), 1);
        let (impulses, _) = impulses_of(&islands[0]);
        for (contact, impulse) in islands[0].iter().zip(impulses) {
            assert!((impulse - contact.wanted).abs() < 1e-12, "{contact:?}: {impulse} N s");
        }
    }

    #[test]
    fn a_tower_is_carried_by_what_lies_below_whatever_the_masses() {
        for masses in [vec![1.0; 20], vec![1e-3, 1e3, 1e-3, 1e3], vec![1e6, 1.0, 1e-6]] {
            let (impulses, _) = impulses_of(&tower(&masses));
            for (k, impulse) in impulses.iter().enumerate() {
                let above: f64 = masses[k..].iter().sum();
                // The softness counts by the share of a contact in what moves its bodies.
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
            // No more contacts than the bodies have ways to move.
            let (bodies, count) = (4 + case % 5, 1 + case % 11);
            let inverse: Vec<[f64; 2]> = (0..bodies).map(|_| [0.1 + dice().abs(), 10.0 * dice().abs()]).collect();
            let velocity: Vec<(DVec2, f64)> = (0..bodies).map(|_| (DVec2::new(dice(), dice()), dice())).collect();
            let mut contacts = Vec::new();
            for _ in 0..count {
                let pick = |value: f64| ((value.abs() * bodies as f64) as usize).min(bodies - 1);
                let (a, b) = (pick(dice()), pick(dice()));
                let mut of = |k: usize| Side {
                    body: Body::Block(k as u32),
                    inverse_mass: inverse[k][0],
                    inverse_inertia: inverse[k][1],
                    lever: dice(),
                };
                let sides = [of(a), if a == b { Side::FIXED } else { of(b) }];
                let normal = DVec2::new(dice(), 0.5 + dice().abs()).normalize();
                // As fast as they approach: so there is a motion that all contacts allow, which is none.
                let speed = |side: &Side| match side.body {
                    Body::Block(k) => {
                        let (velocity, spin) = velocity[k as usize];
                        velocity.dot(normal) + side.lever * spin
                    }
                    _ => 0.0,
                };
                let wanted = speed(&sides[0]) - speed(&sides[1]);
                contacts.push(Contact { sides, point: DVec2::ZERO, normal, wanted });
            }
            let (impulses, _) = impulses_of(&contacts);
            for (k, one) in contacts.iter().enumerate() {
                let parts: f64 = contacts.iter().zip(&impulses).map(|(other, push)| one.coupling(other) * push).sum();
                let left = parts - one.wanted;
                assert!(impulses[k] >= -1e-9 && left > -1e-5, "case {case}, {k}: {} N s, {left} m/s", impulses[k]);
                assert!(impulses[k] * left < 1e-4, "case {case}, {k}: {} N s, {left} m/s", impulses[k]);
            }
        }
    }
}
