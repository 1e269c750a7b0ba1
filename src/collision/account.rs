//! The account of kinetic energy by cause. Each step of a tick enters what it has changed. While there is no account,
//! an entry is one test.
//!
//! An entry compares the energy with that at the last entry. Landings on the cloth count as cloth. Under gravity, the
//! change of the potential energy is counted as work of gravity, so a disc that flies or bounces elastically appears
//! there only. Hits are split by partner with the velocities that the report holds for each. The sum of all causes is
//! the change of the energy.

use bevy::{math::DVec2, prelude::*};

use super::{
    Cause, DiscHeight, Hit, HitTarget,
    measure::{kinetic_energy, masses},
    space::PhysicsSpace,
    tick::Accounts,
};

/// What has changed the energy since the last entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// One cause only.
    Of(Cause),
    /// The change of velocity of discs by gravity. Together with the work along their paths it adds up to zero.
    GravityOnDiscs,
    /// Motion along paths, with hits.
    Flight,
    /// Push-apart, with hits of what was pushed.
    PushApart,
}

impl Entry {
    /// The cause of what is left after hits and gravity.
    fn rest(self, space: &PhysicsSpace) -> Cause {
        match self {
            Self::Of(cause) => cause,
            Self::PushApart => Cause::PushApart,
            Self::Flight if space.laws.table.is_some() && space.discs.spin.iter().any(Option::is_some) => Cause::Cloth,
            Self::Flight | Self::GravityOnDiscs => Cause::NotSplit,
        }
    }
}

/// The kinetic energy of discs, without their spin, and of blocks, joules.
fn energy(space: &PhysicsSpace) -> f64 {
    kinetic_energy(&space.discs) + space.moving.kinetic_energy()
}

/// Begins the account of a tick, and returns the energy, joules.
pub(crate) fn begin(space: &mut PhysicsSpace) -> f64 {
    let energy = energy(space);
    let (positions, heights) = (space.discs.position.clone(), space.discs.heights.clone());
    space.accounts = Some(Box::new(Accounts { energy, positions, heights, ..Accounts::default() }));
    energy
}

/// Ends the account of a tick. Returns what each cause has added, and the energy, joules.
pub(crate) fn end(space: &mut PhysicsSpace) -> Option<([f64; Cause::ALL.len()], f64)> {
    enter(space, Entry::Of(Cause::NotSplit));
    space.accounts.take().map(|accounts| (accounts.sums, accounts.energy))
}

/// Enters what has changed since the last entry.
pub(crate) fn enter(space: &mut PhysicsSpace, entry: Entry) {
    let Some(mut accounts) = space.accounts.take() else { return };
    let now = energy(space);
    let mut rest = now - std::mem::replace(&mut accounts.energy, now);
    let mut add = |cause: Cause, energy: f64| {
        accounts.sums[cause as usize] += energy;
        rest -= energy;
    };
    add(Cause::Gravity, work_of_gravity(space, &accounts.positions) + work_of_falls(space, &accounts.heights));
    if matches!(entry, Entry::Flight | Entry::PushApart) {
        for hit in &space.report.hits[accounts.hits.min(space.report.hits.len())..] {
            if let Some((cause, energy)) = of_hit(space, hit) {
                add(cause, energy);
            }
        }
        for fallen in &space.report.fallen[accounts.fallen.min(space.report.fallen.len())..] {
            let mass = f64::from(space.discs.mass[fallen.disc as usize]);
            add(Cause::Pockets, -0.5 * mass * fallen.velocity.as_dvec2().length_squared());
        }
    }
    accounts.sums[entry.rest(space) as usize] += rest;
    (accounts.hits, accounts.fallen) = (space.report.hits.len(), space.report.fallen.len());
    accounts.positions.clone_from(&space.discs.position);
    accounts.heights.clone_from(&space.discs.heights);
    space.accounts = Some(accounts);
}

/// The work of gravity on the discs since they were at these positions, joules. Across periodic edges there is no
/// potential; the change of velocity by gravity is then not attributed.
fn work_of_gravity(space: &PhysicsSpace, before: &[Vec2]) -> f64 {
    let gravity = space.laws.gravity.as_dvec2();
    if gravity == DVec2::ZERO || space.cell.is_some() || before.len() != space.discs.len() {
        return 0.0;
    }
    let moved = before.iter().zip(&space.discs.position).zip(masses(&space.discs)).enumerate();
    let work = moved.map(|(i, ((from, to), mass))| {
        let way = to.as_dvec2() - from.as_dvec2();
        // A disc in a pocket has no position.
        let work = f64::from(mass) * f64::from(space.discs.gravity_scale(i)) * gravity.dot(way);
        if work.is_finite() { work } else { 0.0 }
    });
    work.sum()
}

/// The work of gravity on balls above the cloth since they were at these heights, joules.
fn work_of_falls(space: &PhysicsSpace, before: &[DiscHeight]) -> f64 {
    let Some(table) = space.laws.table.as_ref().filter(|_| space.laws.balls_fly()) else { return 0.0 };
    let weight = |above: &DiscHeight| {
        let mass = f64::from(space.discs.mass[above.disc as usize]);
        mass * f64::from(table.cloth.gravity) * f64::from(above.height)
    };
    // The sum of an empty list is -0.0.
    before.iter().map(weight).sum::<f64>() - space.discs.heights.iter().map(weight).sum::<f64>() + 0.0
}

/// What a hit has added to the energy of its discs, joules; `None` if it hit a block, whose own change is not known.
fn of_hit(space: &PhysicsSpace, hit: &Hit) -> Option<(Cause, f64)> {
    let discs = &space.discs;
    let change = |disc: usize, before: Vec2, after: Vec2| {
        let change = after.as_dvec2().length_squared() - before.as_dvec2().length_squared();
        if discs.is_kinematic(disc) { 0.0 } else { 0.5 * f64::from(discs.mass[disc]) * change }
    };
    let a = hit.disc as usize;
    let own = change(a, hit.velocity.before, hit.velocity.after);
    match hit.target {
        HitTarget::Disc(b) => {
            let b = b as usize;
            let other = hit.other_velocity.map_or(0.0, |other| change(b, other.before, other.after));
            let is_driven = discs.is_kinematic(a) || discs.is_kinematic(b);
            Some((if is_driven { Cause::DrivenHits } else { Cause::DiscHits }, own + other))
        }
        HitTarget::Wall(entity) | HitTarget::FixedCircle(entity) => {
            match space.moving.pieces.iter().find(|piece| piece.key.1 == entity) {
                Some(piece) if piece.is_block() => None,
                Some(_) => Some((Cause::DrivenHits, own)),
                None => Some((Cause::TerrainHits, own)),
            }
        }
    }
}
