//! Measures of a state: energy, momentum, overlap, a hash, and the entities left out. They change nothing.

use bevy::{math::DVec2, prelude::*};
use xxhash_rust::xxh3::Xxh3Default;

use super::{
    space::{PhysicsSpace, broad_phase},
    spin::{Body, Motion, Shape, Spin},
};
use crate::{
    collision::{
        discs::{DiscState, Discs},
        validation::{InvalidEntities, check_disc},
    },
    components::{
        AngularVelocity, Disc, InvalidValue, Mass, MassProperties, MomentOfInertia, NotDriven, Sensor, StableId,
        Terrain, Velocity,
    },
};

/// The kinetic energy of all discs in joules, summed in f64, without their spin (see [`spin_energy`]). It includes the
/// vertical motion of balls.
/// [`Kinematic`](crate::components::Kinematic) discs, whose mass is infinite, do not count.
#[must_use]
pub fn kinetic_energy(discs: &Discs) -> f64 {
    let each = masses(discs).zip(&discs.velocity).map(|(m, v)| 0.5 * f64::from(m) * v.as_dvec2().length_squared());
    let vertical = discs.heights.iter().map(|height| {
        let i = height.disc as usize;
        let mass = if discs.is_kinematic(i) { 0.0 } else { f64::from(discs.mass[i]) };
        0.5 * mass * f64::from(height.speed) * f64::from(height.speed)
    });
    // The sum of an empty list is -0.0.
    each.chain(vertical).sum::<f64>() + 0.0
}

/// The masses of all discs, kilograms; zero for kinematic discs.
pub(crate) fn masses(discs: &Discs) -> impl Iterator<Item = f32> {
    let counts = |i: usize| discs.kinematic.is_empty() || !discs.is_kinematic(i);
    discs.mass.iter().enumerate().map(move |(i, &mass)| if counts(i) { mass } else { 0.0 })
}

/// The rotational energy of all discs in joules, summed in f64: `2/5 m r² w²/2` for a ball, `1/2 m r² w²/2` for a flat
/// disc, which turns about z only.
#[must_use]
pub fn spin_energy(discs: &Discs) -> f64 {
    let each = (0..discs.len()).filter(|&i| !discs.is_kinematic(i)).filter_map(|i| {
        let Spin { angular_velocity, shape } = discs.spin_of(i)?;
        let body = Body { mass: f64::from(discs.mass[i]), radius: f64::from(discs.radius[i]), shape };
        let motion = Motion { angular_velocity: angular_velocity.as_dvec3(), ..Motion::default() };
        Some(motion.kinetic_energy(&body))
    });
    each.sum::<f64>() + 0.0
}

/// The momentum of all discs in kg m/s, summed in f64, without [`Kinematic`](crate::components::Kinematic) discs.
#[must_use]
pub fn momentum(discs: &Discs) -> DVec2 {
    masses(discs).zip(&discs.velocity).map(|(m, v)| f64::from(m) * v.as_dvec2()).sum()
}

/// Totals over the blocks (dynamic terrain) of a world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BlockTotals {
    /// The number of blocks.
    pub count: usize,
    /// Translational and rotational, joules.
    pub kinetic_energy: f64,
    /// In kg m/s.
    pub momentum: DVec2,
}

/// Sums over the blocks of a world, in f64.
pub fn blocks(world: &mut World) -> BlockTotals {
    type Motion<'a> = (Option<&'a Velocity>, Option<&'a AngularVelocity>, Option<&'a MomentOfInertia>);
    type Free = (NotDriven, Without<Sensor>);
    let mut totals = BlockTotals::default();
    let mut blocks = world.query_filtered::<(&Terrain, &Mass, Motion), Free>();
    let blocks = blocks.iter(world).filter(|(terrain, ..)| !matches!(terrain, Terrain::Arc { .. }));
    for (terrain, mass, (velocity, angular_velocity, inertia)) in blocks {
        let mass = f64::from(mass.0);
        let velocity = velocity.map_or(DVec2::ZERO, |velocity| velocity.0.as_dvec2());
        let spin = angular_velocity.map_or(0.0, |spin| f64::from(spin.0.z));
        let own = || mass * MassProperties::of(terrain).inertia_per_mass;
        let inertia = inertia.map_or_else(own, |inertia| f64::from(inertia.0));
        totals.count += 1;
        totals.kinetic_energy += 0.5 * (mass * velocity.length_squared() + inertia * spin * spin);
        totals.momentum += mass * velocity;
    }
    totals
}

/// The overlaps of discs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Overlap {
    /// The largest overlap of two discs, as a share of the smaller radius.
    pub worst: f32,
    /// The mean over all pairs that overlap, as a share of the smaller radius; 0 if there are none.
    pub mean: f32,
    /// How many pairs overlap.
    pub pairs: usize,
}

/// Measures the overlaps at the current positions: of balls above the cloth in space. It builds a separate grid, so it
/// costs about as much as a broad phase.
#[must_use]
pub fn overlap(discs: &Discs) -> Overlap {
    let mut space = PhysicsSpace { discs: discs.clone(), ..PhysicsSpace::default() };
    // Without motion, the candidates are just the pairs that touch.
    space.discs.velocity.fill(Vec2::ZERO);
    space.laws.settings.substeps = 1;
    broad_phase(&mut space);
    let (mut worst, mut sum, mut pairs) = (0.0_f32, 0.0_f64, 0);
    for &[a, b] in space.pairs() {
        let (i, j) = (a as usize, b as usize);
        let sum_of_radii = discs.radius[i] + discs.radius[j];
        let across = discs.position[j] - discs.position[i];
        let depth = sum_of_radii - across.extend(rise(discs, [i, j])).length();
        if depth > 0.0 {
            let share = depth / discs.radius[i].min(discs.radius[j]);
            worst = worst.max(share);
            sum += f64::from(share);
            pairs += 1;
        }
    }
    Overlap { worst, mean: if pairs > 0 { (sum / pairs as f64) as f32 } else { 0.0 }, pairs }
}

/// How far the centre of the second disc is above that of the first if both are balls and one is above the cloth,
/// metres; otherwise 0.
fn rise(discs: &Discs, [i, j]: [usize; 2]) -> f32 {
    let is_ball = |i: usize| discs.spin_of(i).is_some_and(|spin| spin.shape == Shape::Ball);
    let above = [i, j].map(|i| discs.height_of(i));
    if above == [None; 2] || !is_ball(i) || !is_ball(j) {
        return 0.0;
    }
    let [a, b] = above.map(|above| above.map_or(0.0, |above| above.height));
    (b + discs.radius[j]) - (a + discs.radius[i])
}

/// A 64-bit hash (XXH3) of the state of all discs in order: the bits of id, position, velocity, radius, mass, and of
/// angular velocity and height if present. Zeros have no sign. Discs in pockets are excluded. Two runs with the same
/// hash at every tick are the same run.
#[must_use]
pub fn state_hash(discs: &Discs) -> u64 {
    let mut hasher = Xxh3Default::new();
    for i in 0..discs.len() {
        let DiscState { id, position, velocity, radius, mass, spin, .. } = discs.get(i);
        if position.is_nan() {
            continue;
        }
        hasher.update(&id.to_le_bytes());
        let turns = spin.map(|spin| spin.angular_velocity.to_array());
        let rises = discs.height_of(i).map(|above| [above.height, above.speed]);
        for value in [position.x, position.y, velocity.x, velocity.y, radius, mass]
            .into_iter()
            .chain(turns.into_iter().flatten())
            .chain(rises.into_iter().flatten())
        {
            let value = if value == 0.0 { 0.0 } else { value };
            hasher.update(&value.to_bits().to_le_bytes());
        }
    }
    hasher.digest()
}

/// A disc or a piece of terrain that the simulation leaves out, with its displayed name.
#[derive(Clone, Debug, PartialEq)]
pub struct LeftOut {
    /// Whether it is a disc; otherwise it is a piece of terrain.
    pub is_disc: bool,
    /// Its [`StableId`].
    pub id: u64,
    /// The invalid value, and the remedy.
    pub invalid: InvalidValue,
}

impl std::fmt::Display for LeftOut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kind = if self.is_disc { "disc" } else { "terrain" };
        write!(f, "{kind} {}: {}", self.id, self.invalid)
    }
}

/// The entities that the last tick left out, terrain first, by number.
#[must_use]
pub fn left_out(world: &World) -> Vec<LeftOut> {
    let invalid = world.resource::<InvalidEntities>().0.iter();
    let mut all: Vec<LeftOut> = invalid.filter_map(|(&entity, invalid)| name(world, entity, invalid.clone())).collect();
    all.sort_unstable_by_key(|left_out| (left_out.is_disc, left_out.id));
    all
}

/// The entities that the next tick will leave out: as [`left_out`], plus the discs whose values became invalid in the
/// last tick.
#[must_use]
pub fn about_to_be_left_out(world: &mut World) -> Vec<LeftOut> {
    let discs = Discs::of(world);
    let mut all = left_out(world);
    all.retain(|left_out| !left_out.is_disc);
    let discs = (0..discs.len()).filter_map(|i| {
        let disc = discs.get(i);
        check_disc(&disc).err().map(|invalid| LeftOut { is_disc: true, id: disc.id, invalid })
    });
    all.extend(discs);
    all
}

fn name(world: &World, entity: Entity, invalid: InvalidValue) -> Option<LeftOut> {
    let entity = world.get_entity(entity).ok()?;
    let id = entity.get::<StableId>()?.0;
    Some(LeftOut { is_disc: entity.contains::<Disc>(), id, invalid })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::spin::Shape;

    #[test]
    fn the_energy_of_spin_is_that_of_a_ball_or_of_a_flat_disc() {
        let spinning = |shape, angular_velocity| DiscState {
            radius: 0.5,
            mass: 2.0,
            spin: Some(Spin { angular_velocity, shape }),
            ..DiscState::default()
        };
        let energy = |disc: DiscState| spin_energy(&[disc].into_iter().collect());
        let turns = Vec3::new(1.0, 2.0, 2.0);
        assert!((energy(spinning(Shape::Ball, turns)) - 0.4 * 2.0 * 0.25 * 9.0 / 2.0).abs() < 1e-12);
        assert!((energy(spinning(Shape::Flat, turns)) - 0.5 * 2.0 * 0.25 * 4.0 / 2.0).abs() < 1e-12);
        assert_eq!(energy(DiscState { velocity: Vec2::ONE, ..DiscState::default() }), 0.0);
    }

    #[test]
    fn a_zero_has_no_sign_and_every_other_bit_counts() {
        let hash = |disc: DiscState| state_hash(&[disc].into_iter().collect());
        let disc = DiscState { position: Vec2::new(0.0, 1.0), ..DiscState::default() };
        let negative = Vec2::new(-0.0, 1.0);
        assert_ne!(disc.position.x.to_bits(), negative.x.to_bits());
        assert_eq!(hash(disc), hash(DiscState { position: negative, velocity: -Vec2::ZERO, ..disc }));
        let others = [
            DiscState { id: 1, ..disc },
            DiscState { position: Vec2::new(f32::from_bits(1), 1.0), ..disc },
            DiscState { velocity: Vec2::new(0.0, -f32::from_bits(1)), ..disc },
            DiscState { radius: disc.radius.next_up(), ..disc },
            DiscState { mass: disc.mass.next_down(), ..disc },
        ];
        for other in others {
            assert_ne!(hash(disc), hash(other), "{other:?}");
        }
    }
}
