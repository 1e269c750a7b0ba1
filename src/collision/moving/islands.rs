//! Blocks that touch each other and other things, and do not bounce: all of their contacts at once.
//!
//! One after the other such contacts would hand on ever less of a speed and never end. The impulses with which none of them approaches, and none pulls, are the solution of a linear complementarity
//! problem: `λ >= 0`, `A λ >= d`, and only one of the two is more than zero at each contact, where `d` is by how much each has to part faster, and `A` what a push at one does
//! to another. It is found by block principal pivoting (J. J. Júdice and F. M. Pires, "A block principal pivoting algorithm for large-scale strictly monotone linear
//! complementarity problems", 1994), which takes a handful of steps; after a bound it is left as it is, and the next impact goes on from there.

use bevy::math::DVec2;

use super::{
    MovingPiece, MovingTerrain,
    block_impacts::{Met, Surroundings, touches_of},
    blocks::Block,
    contact::Surface,
    parts_contact::PartsContact,
};

/// Islands are cut where they get larger than this many blocks.
const MOST_BLOCKS: usize = 32;

/// Islands with more contacts are swept over.
const MOST_CONTACTS: usize = 96;

/// So often.
const SWEEPS: u32 = 64;

/// By this share of itself each contact is softer than it is, so that any number of contacts may hold the same block.
const SOFT: f64 = 1e-10;

/// So often all that are wrong are exchanged at once without their getting fewer.
const TRIES: u32 = 4;

/// Wrong by less than this share of the largest counts as right.
const RIGHT: f64 = 1e-12;

/// What a contact pushes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Body {
    /// What no push moves.
    Fixed,
    /// A piece with a mass.
    Block(u32),
    /// A disc, by its index.
    Disc(u32),
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
pub(super) struct Contact {
    sides: [Side; 2],
    /// Metres.
    point: DVec2,
    /// The unit vector from the first side to the second.
    normal: DVec2,
    /// By how much the two have to part faster than they do, m/s; below zero where they part.
    wanted: f64,
}

/// A contact of two pieces, and how fast they approach there, m/s.
pub(super) type Touch = (PartsContact, f64);

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

    /// How much a push at another side changes the speed of this one, 1/kg; `cosine` is that of the angle between their normals.
    fn coupling(&self, other: &Self, cosine: f64) -> f64 {
        if self.body == Body::Fixed || self.body != other.body {
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

    fn shares_a_body_with(&self, other: &Self) -> bool {
        let has = |body: Body| other.sides.iter().any(|side| side.body == body);
        self.sides.iter().any(|side| side.body != Body::Fixed && has(side.body))
    }
}

impl MovingTerrain {
    /// A contact of a block with what it meets.
    pub(super) fn contact_of(&self, (piece, met): (u32, Met), time: f64, at: &PartsContact, wanted: f64) -> Contact {
        let PartsContact { point, normal, .. } = *at;
        let other = if let Met::Moving(other) = met { Some((other, &self.pieces[other as usize])) } else { None };
        let own = Some((piece, &self.pieces[piece as usize]));
        let sides = [own, other].map(|piece| Side::of_piece(piece, time, point, normal));
        Contact { sides, point, normal, wanted }
    }

    /// A contact of a disc with a block on which it lies.
    pub(super) fn contact_of_disc(
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

    /// The contacts of a block, and of all blocks that it hangs together with by contacts that do not bounce at this time of the tick.
    pub(super) fn island_of(&self, block: u32, time: f64, around: &Surroundings) -> Vec<Contact> {
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
                let ahead = self.ahead_of((piece, met), time);
                contacts.extend(touches.iter().map(|(at, approach)| {
                    let wanted =
                        if *approach > 0.0 { approach.max(approach + ahead.dot(at.normal)) } else { *approach };
                    self.contact_of((piece, met), time, at, wanted)
                }));
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
        near.extend((0..self.hands.len() as u32).map(Met::Hand));
        near
    }

    /// Where a block touches what it meets, and how fast they approach there, m/s; each place once.
    pub(super) fn touches(&self, (piece, met): (u32, Met), time: f64, around: &Surroundings) -> Vec<Touch> {
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

    /// Resolves contacts at a time of the tick: pushes the blocks, and tells of each disc by how much its velocity changes, m/s, and with which impulse, N s. Says whether anything was pushed.
    pub(super) fn resolve_island(
        &mut self,
        contacts: &[Contact],
        time: f64,
        mut change_disc: impl FnMut(u32, DVec2, f64),
    ) -> bool {
        let mut pushed = false;
        for (contact, impulse) in contacts.iter().zip(impulses_of(contacts)) {
            // Where there are more contacts than the bodies have ways to move, some may pull by what others push more.
            if impulse == 0.0 || !impulse.is_finite() {
                continue;
            }
            pushed = true;
            for (side, sign) in contact.sides.iter().zip([-1.0, 1.0]) {
                let push = contact.normal * (sign * impulse);
                match side.body {
                    Body::Fixed => {}
                    Body::Block(block) => self.pieces[block as usize].push(time, contact.point, push),
                    Body::Disc(disc) => change_disc(disc, push * side.inverse_mass, impulse),
                }
            }
        }
        pushed
    }
}

/// Two places closer than this share of the size are one.
const SAME_PLACE: f64 = 1e-6;

/// Contacts that hang together by the bodies that they push.
pub(super) fn islands(mut contacts: Vec<Contact>) -> Vec<Vec<Contact>> {
    let mut islands = Vec::new();
    while !contacts.is_empty() {
        let mut island = vec![contacts.remove(0)];
        let mut at = 0;
        while at < island.len() {
            let of = island[at];
            let (near, far): (Vec<_>, Vec<_>) = contacts.iter().partition(|contact| contact.shares_a_body_with(&of));
            island.extend(near);
            contacts = far;
            at += 1;
        }
        islands.push(island);
    }
    islands
}

/// How fast the fastest approach, m/s.
pub(super) fn fastest_of(contacts: &[Contact]) -> f64 {
    contacts.iter().map(|contact| contact.wanted).fold(0.0, f64::max)
}

/// The impulses of contacts, N s.
fn impulses_of(contacts: &[Contact]) -> Vec<f64> {
    let matrix: Vec<Vec<f64>> =
        contacts.iter().map(|one| contacts.iter().map(|other| one.coupling(other)).collect()).collect();
    let wanted: Vec<f64> = contacts.iter().map(|contact| contact.wanted).collect();
    if contacts.len() <= MOST_CONTACTS { pivot(matrix, &wanted) } else { sweep(&matrix, &wanted) }
}

/// Block principal pivoting.
fn pivot(mut matrix: Vec<Vec<f64>>, wanted: &[f64]) -> Vec<f64> {
    let count = wanted.len();
    for (k, row) in matrix.iter_mut().enumerate() {
        row[k] *= 1.0 + SOFT;
    }
    let mut acts: Vec<bool> = vec![false; count];
    let mut impulse = vec![0.0; count];
    let (mut fewest, mut tries) = (count + 1, TRIES);
    for _ in 0..(20 + 4 * count) {
        let most = impulse.iter().fold(0.0_f64, |most, &impulse| most.max(impulse));
        let fastest = wanted.iter().fold(0.0_f64, |most, &speed| most.max(speed));
        let is_wrong = |k: usize| {
            if acts[k] {
                impulse[k] < -RIGHT * most
            } else {
                let parts: f64 = matrix[k].iter().zip(&impulse).map(|(a, b)| a * b).sum();
                wanted[k] - parts > RIGHT * fastest && matrix[k][k] > 0.0
            }
        };
        let wrong: Vec<usize> = (0..count).filter(|&k| is_wrong(k)).collect();
        if wrong.is_empty() {
            break;
        }
        if wrong.len() < fewest {
            (fewest, tries) = (wrong.len(), TRIES);
        } else {
            tries = tries.saturating_sub(1);
        }
        // Where exchanging all does not lead on, one at a time does: the last.
        let exchanged = if tries > 0 { &wrong[..] } else { &wrong[wrong.len() - 1..] };
        for &k in exchanged {
            acts[k] = !acts[k];
        }
        let acting: Vec<usize> = (0..count).filter(|&k| acts[k]).collect();
        impulse.fill(0.0);
        for (&k, value) in acting.iter().zip(solve(&matrix, wanted, &acting)) {
            impulse[k] = value;
        }
    }
    impulse
}

/// The solution for the contacts that act, by Cholesky's decomposition.
fn solve(matrix: &[Vec<f64>], wanted: &[f64], acting: &[usize]) -> Vec<f64> {
    let count = acting.len();
    let mut lower = vec![vec![0.0; count]; count];
    let mut values = vec![0.0; count];
    for row in 0..count {
        for column in 0..=row {
            let dot: f64 = (0..column).map(|k| lower[row][k] * lower[column][k]).sum();
            let left = matrix[acting[row]][acting[column]] - dot;
            lower[row][column] = if row == column {
                left.max(SOFT * SOFT * matrix[acting[row]][acting[row]]).sqrt()
            } else {
                left / lower[column][column]
            };
        }
        let dot: f64 = (0..row).map(|k| lower[row][k] * values[k]).sum();
        values[row] = (wanted[acting[row]] - dot) / lower[row][row];
    }
    for row in (0..count).rev() {
        let dot: f64 = (row + 1..count).map(|k| lower[k][row] * values[k]).sum();
        values[row] = (values[row] - dot) / lower[row][row];
    }
    values
}

/// Projected Gauss–Seidel.
fn sweep(matrix: &[Vec<f64>], wanted: &[f64]) -> Vec<f64> {
    let mut impulse = vec![0.0; wanted.len()];
    let rows: Vec<Vec<usize>> = matrix.iter().map(|row| (0..row.len()).filter(|&k| row[k] != 0.0).collect()).collect();
    for _ in 0..SWEEPS {
        for k in 0..wanted.len() {
            if matrix[k][k] > 0.0 {
                let parts: f64 = rows[k].iter().map(|&other| matrix[k][other] * impulse[other]).sum();
                impulse[k] = (impulse[k] + (wanted[k] - parts) / matrix[k][k]).max(0.0);
            }
        }
    }
    impulse
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
    fn a_tower_is_carried_by_what_lies_below_whatever_the_masses() {
        for masses in [vec![1.0; 20], vec![1e-3, 1e3, 1e-3, 1e3], vec![1e6, 1.0, 1e-6]] {
            let impulses = impulses_of(&tower(&masses));
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
            let impulses = impulses_of(&contacts);
            for (k, one) in contacts.iter().enumerate() {
                let parts: f64 = contacts.iter().zip(&impulses).map(|(other, push)| one.coupling(other) * push).sum();
                let left = parts - one.wanted;
                assert!(impulses[k] >= -1e-9 && left > -1e-5, "case {case}, {k}: {} N s, {left} m/s", impulses[k]);
                assert!(impulses[k] * left < 1e-4, "case {case}, {k}: {} N s, {left} m/s", impulses[k]);
            }
        }
    }
}
