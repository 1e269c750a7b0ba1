//! The features of a scene, one function each. Features that need a free place come before the discs. The others change
//! existing things.

use bevy::prelude::*;
use carom::{
    collision::{
        CombineRule,
        spin::{TablePhysics, cushion::CushionModel},
    },
    components::{
        BumperKick, ClothFriction, CollisionLayers, ConstantForce, ConstantTorque, Friction, GravityScale, Inactive,
        JointKind, Kinematic, LinearDamping, LockedAxes, MoveTo, OneWay, Orbit, Oscillation, Restitution,
        RestitutionRule, Sensor, SurfaceVelocity, Terrain, TurnTo,
    },
    scene::{JointEndEntry, JointEntry, PocketEntry},
};
use rand::RngExt;

use crate::random_scene::Builder;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    Periodic,
    Static,
    Arcs,
    Kinematic,
    Oscillation,
    Dynamic,
    KinematicDiscs,
    Pockets,
    Sensors,
    OneWay,
    Conveyors,
    Crowd,
    /// The last feature that needs a place. Next come the discs, and the features that change them.
    Gravity,
    GravityScales,
    Table,
    Spin,
    Joints,
    Layers,
    Kicks,
    Inactive,
    Friction,
    Restitution,
    Damping,
    ConstantForces,
}

impl Feature {
    pub const ALL: [Self; 24] = [
        Self::Periodic,
        Self::Static,
        Self::Arcs,
        Self::Kinematic,
        Self::Oscillation,
        Self::Dynamic,
        Self::KinematicDiscs,
        Self::Pockets,
        Self::Sensors,
        Self::OneWay,
        Self::Conveyors,
        Self::Crowd,
        Self::Gravity,
        Self::GravityScales,
        Self::Table,
        Self::Spin,
        Self::Joints,
        Self::Layers,
        Self::Kicks,
        Self::Inactive,
        Self::Friction,
        Self::Restitution,
        Self::Damping,
        Self::ConstantForces,
    ];

    pub const LAST_WITH_A_PLACE: Self = Self::Gravity;
}

pub fn add(feature: Feature, builder: &mut Builder) {
    match feature {
        Feature::Periodic => {}
        Feature::Static => pieces(builder, |_, _| ()),
        Feature::Arcs => arcs(builder),
        Feature::Kinematic => pieces(builder, kinematic),
        Feature::Oscillation => pieces(builder, oscillation),
        Feature::Dynamic => dynamic(builder),
        Feature::KinematicDiscs => kinematic_discs(builder),
        Feature::Pockets => pockets(builder),
        Feature::Sensors => pieces(builder, |builder, piece| {
            builder.file.terrain[piece].optional.set(Sensor);
            if builder.chance(0.3) {
                builder.file.terrain[piece].velocity = Some(builder.velocity());
            }
        }),
        Feature::OneWay => one_way(builder),
        Feature::Conveyors => pieces(builder, |builder, piece| {
            let velocity = builder.velocity();
            let friction = builder.range(0.0, 1.5);
            let piece = &mut builder.file.terrain[piece];
            piece.optional.set(SurfaceVelocity(velocity));
            piece.optional.set(Friction(friction));
        }),
        Feature::Crowd => crowd(builder),
        Feature::Gravity => gravity(builder),
        Feature::GravityScales => gravity_scales(builder),
        Feature::Table => table(builder),
        Feature::Spin => spin(builder),
        Feature::Joints => joints(builder),
        Feature::Layers => layers(builder),
        Feature::Kicks => kicks(builder),
        Feature::Inactive => inactive(builder),
        Feature::Friction => friction(builder),
        Feature::Restitution => restitution(builder),
        Feature::Damping => damping(builder),
        Feature::ConstantForces => constant_forces(builder),
    }
}

/// Some pieces of terrain, each changed by a function.
fn pieces(builder: &mut Builder, change: impl Fn(&mut Builder, usize)) {
    for _ in 0..builder.rng.random_range(1..5) {
        let (shape, reach) = builder.shape();
        if let Some(piece) = builder.terrain(shape, reach) {
            change(builder, piece);
        }
    }
}

fn arcs(builder: &mut Builder) {
    for _ in 0..builder.rng.random_range(1..4) {
        let radius = builder.log_range(0.2, 0.8) * builder.scale;
        let (start, extent) = (builder.range(-3.2, 3.2), builder.range(0.2, 5.5));
        builder.terrain(Terrain::Arc { radius, start, extent }, radius);
    }
}

fn kinematic(builder: &mut Builder, piece: usize) {
    let (velocity, turn) = (builder.velocity(), builder.range(-6.0, 6.0));
    let towards = builder.direction() * builder.scale;
    let which = builder.rng.random_range(0..4);
    let piece = &mut builder.file.terrain[piece];
    match which {
        0 => piece.velocity = Some(velocity),
        1 => piece.angular_velocity = Some(turn),
        2 => (piece.velocity, piece.angular_velocity) = (Some(velocity), Some(turn)),
        _ => {
            piece.optional.set(MoveTo(piece.position + towards));
            piece.optional.set(TurnTo(turn));
        }
    }
}

fn oscillation(builder: &mut Builder, piece: usize) {
    let amplitude = builder.direction() * builder.range(0.0, 1.0) * builder.scale;
    let frequency = builder.log_range(0.1, 10.0);
    let phase = f64::from(builder.range(0.0, 1.0));
    let centre = builder.file.terrain[piece].position;
    let optional = &mut builder.file.terrain[piece].optional;
    if builder.rng.random_bool(0.5) {
        optional.set(Oscillation { centre, amplitude, frequency, phase });
    } else {
        let radius = amplitude.length();
        optional.set(Orbit { centre: centre - vec2(radius, 0.0), radius, frequency, phase });
    }
}

fn dynamic(builder: &mut Builder) {
    let count = if builder.chance(0.3) { builder.rng.random_range(5..12) } else { builder.rng.random_range(1..5) };
    for _ in 0..count {
        let (shape, reach) = if builder.chance(0.15) { builder.rod() } else { builder.solid() };
        let Some(piece) = builder.terrain(shape, reach) else { continue };
        let (velocity, turn) = (builder.velocity() * 0.3, builder.range(-5.0, 5.0));
        let mass = builder.log_range(0.01, 100.0);
        let locked = builder.rng.random_range(0..8);
        let piece = &mut builder.file.terrain[piece];
        piece.mass = Some(mass);
        let axes = LockedAxes { translation: locked == 0, rotation: locked == 1 };
        if axes != LockedAxes::default() {
            piece.optional.set(axes);
        }
        if !axes.translation {
            piece.velocity = Some(velocity);
        }
        if !axes.rotation {
            piece.angular_velocity = Some(turn);
        }
    }
}

fn kinematic_discs(builder: &mut Builder) {
    for _ in 0..builder.rng.random_range(1..4) {
        let radius = builder.log_range(0.05, 0.4) * builder.scale;
        let Some(disc) = builder.disc(radius) else { continue };
        let target = builder.chance(0.3).then(|| builder.direction() * builder.scale);
        let orbit =
            builder.chance(0.3).then(|| (builder.range(0.0, 1.0) * builder.scale, builder.log_range(0.1, 10.0)));
        let disc = &mut builder.file.discs[disc];
        disc.optional.set(Kinematic);
        if let Some(target) = target {
            disc.optional.set(MoveTo(disc.position + target));
        }
        if let Some((radius, frequency)) = orbit {
            disc.optional.set(Orbit { centre: disc.position - vec2(radius, 0.0), radius, frequency, phase: 0.0 });
        }
    }
}

fn pockets(builder: &mut Builder) {
    for _ in 0..builder.rng.random_range(1..4) {
        let radius = builder.log_range(0.05, 0.4) * builder.scale;
        if let Some(position) = builder.place(radius) {
            let id = Some(builder.id());
            builder.file.pockets.push(PocketEntry { id, ..PocketEntry::new(position, radius) });
        }
    }
}

fn one_way(builder: &mut Builder) {
    for _ in 0..builder.rng.random_range(1..4) {
        let size = builder.log_range(0.2, 1.0) * builder.scale;
        let shape = Terrain::Segment { a: Vec2::new(-size, 0.0), b: Vec2::new(size, 0.0) };
        let Some(piece) = builder.terrain(shape, size) else { continue };
        let toward = builder.direction();
        let value = builder.pick(&[OneWay::Left, OneWay::Right, OneWay::Toward(toward)]);
        builder.file.terrain[piece].optional.set(value);
        if builder.chance(0.2) {
            kinematic(builder, piece);
        }
    }
}

/// Discs piled on top of each other.
fn crowd(builder: &mut Builder) {
    let radius = builder.log_range(0.02, 0.2) * builder.scale;
    let around = 3.0 * radius;
    let Some(first) = builder.place(around) else { return };
    for _ in 0..builder.rng.random_range(5..20) {
        let (position, velocity) = (first + builder.direction() * builder.range(0.0, 2.0 * radius), builder.velocity());
        let id = Some(builder.id());
        let disc = carom::scene::DiscEntry { id, position, velocity, radius, ..carom::scene::DiscEntry::default() };
        builder.file.discs.push(disc);
    }
}

fn gravity(builder: &mut Builder) {
    let down = if builder.chance(0.7) { Vec2::NEG_Y } else { builder.direction() };
    builder.file.motion.gravity = down * builder.pick(&[9.81, 9.81, 1.0, 100.0]) * builder.scale;
    builder.file.collision.resting_speed = builder.pick(&[0.0, 0.1, 1.0, 1.0]) * builder.scale;
    if builder.file.collision.resting_speed > 0.0 && builder.chance(0.5) {
        builder.file.collision.sleep_speed = 0.001 * builder.scale;
    }
}

fn gravity_scales(builder: &mut Builder) {
    if builder.file.motion.gravity == Vec2::ZERO {
        gravity(builder);
    }
    for i in 0..builder.file.discs.len() {
        if builder.chance(0.5) {
            let value = GravityScale(builder.pick(&[0.0, -1.0, 0.1, 3.0, 20.0]));
            builder.file.discs[i].optional.set(value);
        }
    }
    for i in 0..builder.file.terrain.len() {
        if builder.file.terrain[i].mass.is_some() && builder.chance(0.5) {
            let value = GravityScale(builder.pick(&[0.0, -1.0, 0.1, 3.0, 20.0]));
            builder.file.terrain[i].optional.set(value);
        }
    }
}

fn table(builder: &mut Builder) {
    let mut table = TablePhysics::default();
    table.cushion.model = builder.pick(&CushionModel::ALL).0;
    if builder.chance(0.2) {
        table.cloth.rolling = 0.0;
    }
    builder.file.table = Some(table);
    for i in 0..builder.file.discs.len() {
        let turn = builder.range(-100.0, 100.0);
        let [x, y] = [builder.range(-100.0, 100.0), builder.range(-100.0, 100.0)];
        if !builder.file.discs[i].has::<Kinematic>() && builder.chance(0.8) {
            builder.file.discs[i].ball = true;
            builder.file.discs[i].angular_velocity = Some(Vec3::new(x, y, turn));
        }
    }
}

fn spin(builder: &mut Builder) {
    if builder.file.table.is_none() && builder.chance(0.7) {
        builder.file.table = Some(TablePhysics::default());
    }
    for i in 0..builder.file.discs.len() {
        let turn = builder.range(-50.0, 50.0);
        if !builder.file.discs[i].has::<Kinematic>() && !builder.file.discs[i].ball && builder.chance(0.8) {
            builder.file.discs[i].angular_velocity = Some(Vec3::new(0.0, 0.0, turn));
        }
    }
}

fn joints(builder: &mut Builder) {
    let count = builder.file.discs.len();
    if count < 2 {
        return;
    }
    for _ in 0..builder.rng.random_range(1..8) {
        let (a, b) = (builder.rng.random_range(0..count), builder.rng.random_range(0..count));
        let at = builder.file.discs[a].position;
        let (other, place) = if a == b || builder.chance(0.2) {
            let point = at + builder.direction() * builder.range(0.1, 1.0) * builder.scale;
            (JointEndEntry::Point(point), point)
        } else {
            (JointEndEntry::Disc(builder.file.discs[b].id.unwrap_or_default()), builder.file.discs[b].position)
        };
        let distance = at.distance(place).max(1e-3 * builder.scale);
        let kind = match builder.rng.random_range(0..3) {
            0 => {
                let (length, stiffness) = (distance * builder.range(0.0, 1.5), builder.log_range(0.1, 1000.0));
                JointKind::Spring { length, stiffness, damping: builder.pick(&[0.0, 0.0, 0.5, 5.0]) }
            }
            1 => JointKind::Rod { length: distance },
            _ => JointKind::Rope {
                length: distance * builder.range(1.0, 1.5),
                restitution: builder.pick(&[0.0, 0.5, 1.0]),
            },
        };
        let ends = [JointEndEntry::Disc(builder.file.discs[a].id.unwrap_or_default()), other];
        builder.file.joints.push(JointEntry { ends, kind, inactive: false });
    }
}

fn layers(builder: &mut Builder) {
    let any = |builder: &mut Builder| CollisionLayers {
        memberships: builder.rng.random_range(0..8),
        filters: builder.rng.random_range(0..8),
    };
    let ids: Vec<u64> = builder.file.discs.iter().filter_map(|disc| disc.id).collect();
    for i in 0..builder.file.discs.len() {
        if builder.chance(0.4) {
            let value = any(builder);
            builder.file.discs[i].optional.set(value);
        }
        if builder.chance(0.2) {
            let other = builder.pick(&ids);
            builder.file.discs[i].ignores.push(other);
        }
    }
    for i in 0..builder.file.terrain.len() {
        if builder.file.terrain[i].id >= Some(100) && builder.chance(0.5) {
            let value = any(builder);
            builder.file.terrain[i].optional.set(value);
        }
    }
}

fn kicks(builder: &mut Builder) {
    for i in 0..builder.file.discs.len() {
        if builder.chance(0.2) {
            let value = BumperKick(builder.log_range(0.01, 3.0) * builder.scale);
            builder.file.discs[i].optional.set(value);
        }
    }
    for i in 0..builder.file.terrain.len() {
        if builder.file.terrain[i].mass.is_none() && builder.chance(0.4) {
            let value = BumperKick(builder.log_range(0.01, 3.0) * builder.scale);
            builder.file.terrain[i].optional.set(value);
        }
    }
}

fn inactive(builder: &mut Builder) {
    for i in 0..builder.file.discs.len() {
        if builder.chance(0.3) {
            builder.file.discs[i].optional.set(Inactive);
        }
    }
    for i in 0..builder.file.terrain.len() {
        if builder.file.terrain[i].id >= Some(100) && builder.chance(0.3) {
            builder.file.terrain[i].optional.set(Inactive);
        }
    }
    for i in 0..builder.file.joints.len() {
        builder.file.joints[i].inactive |= builder.chance(0.3);
    }
}

fn friction(builder: &mut Builder) {
    for i in 0..builder.file.discs.len() {
        if builder.chance(0.6) {
            let value = Friction(builder.range(0.0, 1.5));
            builder.file.discs[i].optional.set(value);
        }
        let turn = builder.range(-50.0, 50.0);
        if builder.chance(0.4) && builder.file.collision.periodic.is_open() && !builder.file.discs[i].ball {
            builder.file.discs[i].angular_velocity = Some(Vec3::new(0.0, 0.0, turn));
        }
    }
    for i in 0..builder.file.terrain.len() {
        if builder.file.terrain[i].mass.is_none() && builder.chance(0.5) {
            let value = Friction(builder.range(0.0, 1.5));
            builder.file.terrain[i].optional.set(value);
        }
    }
}

fn restitution(builder: &mut Builder) {
    let rules = [None, None, Some(CombineRule::Largest), Some(CombineRule::Product), Some(CombineRule::Mean)];
    for i in 0..builder.file.discs.len() {
        if builder.chance(0.6) {
            let value = Restitution(builder.pick(&[0.0, 0.3, 0.7, 1.0]));
            builder.file.discs[i].optional.set(value);
            if let Some(rule) = builder.pick(&rules) {
                builder.file.discs[i].optional.set(RestitutionRule(rule));
            }
        }
    }
    for i in 0..builder.file.terrain.len() {
        if builder.chance(0.6) {
            let value = Restitution(builder.pick(&[0.0, 0.3, 0.7, 1.0]));
            builder.file.terrain[i].optional.set(value);
            if let Some(rule) = builder.pick(&rules) {
                builder.file.terrain[i].optional.set(RestitutionRule(rule));
            }
        }
    }
}

fn damping(builder: &mut Builder) {
    builder.file.motion.drag = builder.pick(&[0.0, 0.0, 0.5, 20.0]);
    builder.file.motion.friction = builder.pick(&[0.0, 0.0, 0.5]) * builder.scale;
    for i in 0..builder.file.discs.len() {
        if builder.chance(0.3) {
            let value = LinearDamping(builder.log_range(0.01, 100.0));
            builder.file.discs[i].optional.set(value);
        }
        if builder.chance(0.3) {
            let value = ClothFriction(builder.log_range(0.01, 10.0) * builder.scale);
            builder.file.discs[i].optional.set(value);
        }
    }
    for i in 0..builder.file.terrain.len() {
        if builder.file.terrain[i].mass.is_some() && builder.chance(0.5) {
            let value = LinearDamping(builder.log_range(0.01, 100.0));
            builder.file.terrain[i].optional.set(value);
        }
    }
}

fn constant_forces(builder: &mut Builder) {
    for i in 0..builder.file.discs.len() {
        if builder.chance(0.4) {
            let size = builder.file.discs[i].mass().0 * builder.scale;
            let value = ConstantForce(builder.direction() * builder.log_range(0.1, 30.0) * size);
            builder.file.discs[i].optional.set(value);
        }
        if builder.file.discs[i].angular_velocity.is_some() && builder.chance(0.4) {
            let disc = &builder.file.discs[i];
            let inertia = 0.5 * disc.mass().0 * disc.radius * disc.radius;
            let value = ConstantTorque(builder.range(-20.0, 20.0) * inertia);
            builder.file.discs[i].optional.set(value);
        }
    }
    for i in 0..builder.file.terrain.len() {
        if let Some(mass) = builder.file.terrain[i].mass {
            let value = ConstantForce(builder.direction() * builder.range(0.0, 10.0) * mass * builder.scale);
            builder.file.terrain[i].optional.set(value);
            let value = ConstantTorque(builder.range(-0.1, 0.1) * mass);
            builder.file.terrain[i].optional.set(value);
        }
    }
}
