//! The values of channels after a tick.

use bevy::{math::DVec2, prelude::*};

use super::variable::{Channel, Subject, Variable};
use crate::{
    collision::{
        Hit, HitTarget, PhysicsSpace,
        measure::{self, BlockTotals},
        spin::{Body, Motion},
    },
    components::{
        AngularVelocity, GravityScale, Mass, MassProperties, MomentOfInertia, NotDriven, Position, Rotation, Sensor,
        StableId, Terrain, Velocity,
    },
};

/// The subjects of channels in the current world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    Table,
    /// The index of a disc in the space.
    Disc(usize),
    Terrain(Entity),
}

/// Sums over blocks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Blocks {
    totals: BlockTotals,
    /// Joules.
    potential: f64,
}

impl Blocks {
    /// The sums over all blocks of a world, with this gravity, m/s².
    pub fn of(world: &mut World, gravity: Vec2) -> Self {
        let totals = measure::blocks(world);
        let mut potential = 0.0;
        if totals.count > 0 && gravity != Vec2::ZERO {
            type Free = (NotDriven, Without<Sensor>);
            let mut blocks =
                world.query_filtered::<(&Terrain, &Mass, &Position, &Rotation, Option<&GravityScale>), Free>();
            for (terrain, mass, position, rotation, scale) in blocks.iter(world) {
                let centre = rotation.turn(MassProperties::of(terrain).centre.as_vec2()) + position.0;
                let scale = scale.map_or(1.0, |scale| f64::from(scale.0));
                potential -= scale * f64::from(mass.0) * gravity.as_dvec2().dot(centre.as_dvec2());
            }
        }
        Self { totals, potential }
    }
}

/// What the values of a tick follow from.
pub(super) struct Look<'a> {
    pub world: &'a World,
    pub space: &'a PhysicsSpace,
    pub blocks: Blocks,
    /// The hits between discs since recording began.
    pub disc_hits: f64,
}

impl Look<'_> {
    /// The value of a variable; `None` if there is none now.
    pub fn value(&self, found: Found, variable: Variable) -> Option<f64> {
        let value = match found {
            Found::Table => self.of_table(variable),
            Found::Disc(disc) => self.of_disc(disc, variable),
            Found::Terrain(piece) => self.of_terrain(piece, variable),
        };
        value.filter(|value| value.is_finite())
    }

    fn of_table(&self, variable: Variable) -> Option<f64> {
        let (discs, report) = (&self.space.discs, &self.space.report);
        let mass = || (0..discs.len()).map(|disc| self.mass(disc)).sum::<f64>();
        let momentum = || measure::momentum(discs);
        let all = || momentum() + self.blocks.totals.momentum;
        let centre = || {
            let each = (0..discs.len()).map(|disc| self.mass(disc) * discs.position[disc].as_dvec2());
            each.sum::<DVec2>() / mass()
        };
        let block_energy = self.blocks.totals.kinetic_energy + self.blocks.potential;
        Some(match variable {
            Variable::KineticEnergy => measure::kinetic_energy(discs),
            Variable::PotentialEnergy => self.potential_energy(),
            Variable::SpinEnergy => measure::spin_energy(discs),
            Variable::BlockEnergy => block_energy,
            Variable::TotalEnergy => {
                measure::kinetic_energy(discs) + measure::spin_energy(discs) + self.potential_energy() + block_energy
            }
            Variable::MomentumX => all().x,
            Variable::MomentumY => all().y,
            Variable::Momentum => all().length(),
            Variable::AngularMomentum => (0..discs.len()).map(|disc| self.angular_momentum(disc)).sum(),
            Variable::X => centre().x,
            Variable::Y => centre().y,
            Variable::VelocityX => momentum().x / mass(),
            Variable::VelocityY => momentum().y / mass(),
            Variable::Speed => momentum().length() / mass(),
            Variable::Contacts => self.space.contacts.len() as f64,
            Variable::Hits => report.collisions as f64,
            Variable::HitsPerDisc => 2.0 * self.disc_hits / discs.len() as f64,
            Variable::HitRate => report.hits.len() as f64 / self.time_step(),
            Variable::Direction
            | Variable::Angle
            | Variable::Spin
            | Variable::Force
            | Variable::Pressure
            | Variable::ImpulsePerHit => return None,
        })
    }

    fn of_disc(&self, disc: usize, variable: Variable) -> Option<f64> {
        let discs = &self.space.discs;
        let (position, velocity) = (discs.position[disc].as_dvec2(), discs.velocity[disc].as_dvec2());
        let mass = self.mass(disc);
        Some(match variable {
            Variable::KineticEnergy => 0.5 * mass * velocity.length_squared(),
            Variable::PotentialEnergy => self.potential_of(disc),
            Variable::SpinEnergy => {
                let spin = discs.spin_of(disc)?;
                let motion = Motion { angular_velocity: spin.angular_velocity.as_dvec3(), ..Motion::default() };
                let body = Body { mass, radius: f64::from(discs.radius[disc]), shape: spin.shape };
                motion.kinetic_energy(&body)
            }
            Variable::AngularMomentum => self.angular_momentum(disc),
            Variable::Spin => f64::from(discs.spin_of(disc)?.angular_velocity.z),
            Variable::Contacts => {
                let touches = |contact: &&crate::collision::Contact| [contact.a, contact.b].contains(&(disc as u32));
                self.space.contacts.iter().filter(touches).count() as f64
            }
            Variable::HitRate | Variable::ImpulsePerHit => {
                let disc = disc as u32;
                self.of_hits(variable, |hit| hit.disc == disc || hit.target == HitTarget::Disc(disc), None)?
            }
            _ => of_motion(variable, position, velocity, mass)?,
        })
    }

    fn of_terrain(&self, piece: Entity, variable: Variable) -> Option<f64> {
        let piece_ref = self.world.get_entity(piece).ok()?;
        let terrain = piece_ref.get::<Terrain>()?;
        let position = piece_ref.get::<Position>().copied().unwrap_or_default().0.as_dvec2();
        let velocity = piece_ref.get::<Velocity>().copied().unwrap_or_default().0.as_dvec2();
        let spin = piece_ref.get::<AngularVelocity>().map_or(0.0, |spin| f64::from(spin.0.z));
        let mass = piece_ref.get::<Mass>().map(|mass| f64::from(mass.0));
        Some(match variable {
            Variable::KineticEnergy => {
                let inertia = piece_ref.get::<MomentOfInertia>().map(|inertia| f64::from(inertia.0));
                let inertia =
                    inertia.unwrap_or_else(|| mass.unwrap_or(0.0) * MassProperties::of(terrain).inertia_per_mass);
                0.5 * (mass? * velocity.length_squared() + inertia * spin * spin)
            }
            Variable::Angle => f64::from(piece_ref.get::<Rotation>()?.0).to_degrees(),
            Variable::Spin => spin,
            Variable::HitRate | Variable::Force | Variable::Pressure | Variable::ImpulsePerHit => {
                let is_of = |hit: &Hit| match hit.target {
                    HitTarget::Wall(other) | HitTarget::FixedCircle(other) => other == piece,
                    HitTarget::Disc(_) => false,
                };
                self.of_hits(variable, is_of, Some(terrain))?
            }
            Variable::MomentumX | Variable::MomentumY | Variable::Momentum => {
                of_motion(variable, position, velocity, mass?)?
            }
            _ => of_motion(variable, position, velocity, 0.0)?,
        })
    }

    /// Variables of the hits of a disc or a piece of terrain.
    fn of_hits(&self, variable: Variable, is_of: impl Fn(&Hit) -> bool, terrain: Option<&Terrain>) -> Option<f64> {
        let (mut count, mut impulse) = (0.0, 0.0);
        for hit in self.space.report.hits.iter().filter(|hit| is_of(hit)) {
            count += 1.0;
            impulse += f64::from(hit.impulse);
        }
        match variable {
            Variable::HitRate => Some(count / self.time_step()),
            Variable::Force => Some(impulse / self.time_step()),
            Variable::Pressure => Some(impulse / self.time_step() / length(terrain?)),
            Variable::ImpulsePerHit => (count > 0.0).then(|| impulse / count),
            _ => None,
        }
    }

    fn time_step(&self) -> f64 {
        f64::from(self.space.clock.time_step)
    }

    /// The mass of a disc, kilograms; zero for a kinematic one.
    fn mass(&self, disc: usize) -> f64 {
        let discs = &self.space.discs;
        if !discs.kinematic.is_empty() && discs.is_kinematic(disc) { 0.0 } else { f64::from(discs.mass[disc]) }
    }

    fn potential_of(&self, disc: usize) -> f64 {
        let (discs, gravity) = (&self.space.discs, self.space.laws.gravity.as_dvec2());
        let own = discs.own_motion.binary_search_by_key(&(disc as u32), |own| own.disc).ok();
        let scale = own.map_or(1.0, |own| f64::from(discs.own_motion[own].gravity_scale));
        -scale * self.mass(disc) * gravity.dot(discs.position[disc].as_dvec2())
    }

    fn potential_energy(&self) -> f64 {
        if self.space.laws.gravity == Vec2::ZERO {
            return 0.0;
        }
        (0..self.space.discs.len()).map(|disc| self.potential_of(disc)).sum()
    }

    fn angular_momentum(&self, disc: usize) -> f64 {
        let discs = &self.space.discs;
        let mass = self.mass(disc);
        let orbital = mass * discs.position[disc].as_dvec2().perp_dot(discs.velocity[disc].as_dvec2());
        let spin = discs.spin_of(disc).map_or(0.0, |spin| {
            let radius = f64::from(discs.radius[disc]);
            spin.shape.inertia_factor() * mass * radius * radius * f64::from(spin.angular_velocity.z)
        });
        orbital + spin
    }
}

/// Variables of the position and the velocity of anything.
fn of_motion(variable: Variable, position: DVec2, velocity: DVec2, mass: f64) -> Option<f64> {
    Some(match variable {
        Variable::X => position.x,
        Variable::Y => position.y,
        Variable::VelocityX => velocity.x,
        Variable::VelocityY => velocity.y,
        Variable::Speed => velocity.length(),
        Variable::Direction if velocity != DVec2::ZERO => libm::atan2(velocity.y, velocity.x).to_degrees(),
        Variable::MomentumX => mass * velocity.x,
        Variable::MomentumY => mass * velocity.y,
        Variable::Momentum => mass * velocity.length(),
        _ => return None,
    })
}

/// The length of the outline of a piece of terrain, metres.
fn length(terrain: &Terrain) -> f64 {
    match terrain {
        Terrain::Circle { radius } => std::f64::consts::TAU * f64::from(*radius),
        Terrain::Arc { radius, extent, .. } => f64::from(*radius) * f64::from(extent.abs()),
        _ => {
            let (corners, closed) = terrain.outline();
            let joins = corners.len().saturating_sub(usize::from(!closed));
            let join = |i: usize| f64::from(corners[i].distance(corners[(i + 1) % corners.len()]));
            (0..joins).map(join).sum()
        }
    }
}

/// The piece of terrain of a number.
pub(super) fn terrain_of(world: &mut World, id: u64) -> Option<Entity> {
    let mut pieces = world.query_filtered::<(Entity, &StableId), With<Terrain>>();
    pieces.iter(world).find(|(_, stable)| stable.0 == id).map(|(piece, _)| piece)
}

/// The index of the disc of a number.
pub(super) fn disc_of(space: &PhysicsSpace, id: u64) -> Option<usize> {
    space.discs.id.binary_search(&id).ok()
}

/// The subject that a channel means, with the followed disc and piece of terrain filled in.
pub(super) fn meant(channel: Channel, followed: [Option<u64>; 2]) -> Option<Subject> {
    match channel.subject {
        Subject::FollowedDisc => followed[0].map(Subject::Disc),
        Subject::FollowedTerrain => followed[1].map(Subject::Terrain),
        subject => Some(subject),
    }
}
