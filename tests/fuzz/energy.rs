//! The energy of everything in a world, and by how much it may rise.

use bevy::{math::DVec2, prelude::*};
use carom::{
    collision::{
        SolverMode,
        spin::{Body, Motion, Shape},
    },
    components::{
        AngularVelocity, Ball, BumperKick, ConstantForce, ConstantTorque, Disc, GravityScale, InPocket, Inactive,
        Joint, JointEnd, JointKind, Kinematic, LockedAxes, MassProperties, MomentOfInertia, MoveTo, Orbit, Oscillation,
        Position, Rotation, Sensor, SurfaceVelocity, Terrain, TurnTo, Velocity,
    },
    motion::MotionSettings,
    prelude::{Mass, Radius},
    scene::{JointEndEntry, SceneFile},
};

type DiscState<'a> = (&'a Position, &'a Velocity, &'a Radius, &'a Mass);
type Block<'a> = (&'a Terrain, &'a Mass, &'a Position, &'a Rotation);
type Moving<'a> = (Option<&'a Velocity>, Option<&'a AngularVelocity>, Option<&'a MomentOfInertia>);
type Free =
    (Without<MoveTo>, Without<TurnTo>, Without<Oscillation>, Without<Orbit>, Without<Sensor>, Without<Inactive>);

/// Translational, rotational, potential and spring energy, joules, and the number of discs that share it.
///
/// `step` is the time over which forces act at once, seconds. It limits the stiffness of springs.
pub fn energy(world: &mut World, step: f64) -> (f64, usize) {
    let gravity = world.resource::<MotionSettings>().gravity.as_dvec2();
    let height = |mass: f64, scale: Option<&GravityScale>, at: DVec2| {
        -mass * scale.map_or(1.0, |scale| f64::from(scale.0)) * gravity.dot(at)
    };
    let (mut total, mut count) = (0.0, 0);
    let mut discs = world.query_filtered::<
        (DiscState, Option<&AngularVelocity>, Has<Ball>, Option<&GravityScale>),
        (With<Disc>, Without<InPocket>, Without<Inactive>, Without<Kinematic>),
    >();
    for ((at, velocity, radius, mass), turning, is_ball, scale) in discs.iter(world) {
        let (mass, radius) = (f64::from(mass.0), f64::from(radius.0));
        let shape = if is_ball { Shape::Ball } else { Shape::Flat };
        let angular_velocity = turning.map_or(Vec3::ZERO, |turning| turning.0).as_dvec3();
        let motion = Motion { velocity: velocity.0.as_dvec2(), angular_velocity, vertical: 0.0 };
        total += motion.kinetic_energy(&Body { mass, radius, shape }) + height(mass, scale, at.0.as_dvec2());
        count += 1;
    }
    let mut blocks = world.query_filtered::<(Block, Moving, Option<&GravityScale>, Option<&LockedAxes>), Free>();
    for ((terrain, mass, at, rotation), (velocity, turning, inertia), scale, locked) in blocks.iter(world) {
        let (mass, properties) = (f64::from(mass.0), MassProperties::of(terrain));
        let velocity = velocity.map_or(DVec2::ZERO, |velocity| velocity.0.as_dvec2());
        let turning = turning.map_or(0.0, |turning| f64::from(turning.0.z));
        let own = || mass * properties.inertia_per_mass;
        let inertia = inertia.map_or_else(own, |inertia| f64::from(inertia.0));
        let centre = at.0.as_dvec2() + rotation.turn(properties.centre.as_vec2()).as_dvec2();
        let locked = locked.copied().unwrap_or_default();
        if !locked.translation {
            total += 0.5 * mass * velocity.length_squared();
        }
        if !locked.rotation {
            total += 0.5 * inertia * turning * turning;
        }
        total += height(mass, scale, centre);
    }
    let mut joints = world.query_filtered::<&Joint, Without<Inactive>>();
    let joints: Vec<Joint> = joints.iter(world).copied().collect();
    for &Joint { ends, kind } in &joints {
        let JointKind::Spring { length, stiffness, .. } = kind else { continue };
        let place = |end: JointEnd| match end {
            JointEnd::Point(point) => Some(point.as_dvec2()),
            JointEnd::Disc(disc) => {
                let disc = world.entity(disc);
                let is_there = !disc.contains::<InPocket>() && !disc.contains::<Inactive>();
                is_there.then(|| disc.get::<Position>().map(|at| at.0.as_dvec2())).flatten()
            }
        };
        let [Some(a), Some(b)] = ends.map(place) else { continue };
        let carried = ends.map(|end| softness(world, &joints, end, step)).into_iter().fold(1.0, f64::min);
        let stretched = (a - b).length_squared().sqrt() - f64::from(length);
        total += 0.5 * f64::from(stiffness) * carried * stretched * stretched;
    }
    (total, count)
}

/// The fraction of their stiffness with which the springs at an end act. Together they reach at most `ω h = 1`.
fn softness(world: &World, joints: &[Joint], end: JointEnd, step: f64) -> f64 {
    let JointEnd::Disc(disc) = end else { return 1.0 };
    let Some(mass) = world.get::<Mass>(disc).filter(|_| world.get::<Kinematic>(disc).is_none()) else { return 1.0 };
    let springs = joints.iter().filter(|joint| joint.ends.contains(&end)).map(|joint| match joint.kind {
        JointKind::Spring { stiffness, .. } => f64::from(stiffness),
        _ => 0.0,
    });
    let reached = springs.sum::<f64>() / f64::from(mass.0) * step * step;
    1.0 / reached.max(1.0)
}

/// By how much the energy of a scene may rise above earlier values, joules. None if something drives the scene.
///
/// `start` is its initial energy, and `half` half of its size, metres.
pub fn allowed_rise(file: &SceneFile, start: f64, half: Vec2) -> Option<f64> {
    let drives = |piece: &carom::scene::TerrainEntry| {
        let moves = piece.velocity.is_some() || piece.angular_velocity.is_some();
        let is_led =
            piece.has::<MoveTo>() || piece.has::<TurnTo>() || piece.has::<Oscillation>() || piece.has::<Orbit>();
        let is_sensor = piece.has::<Sensor>() || piece.has::<Inactive>();
        !is_sensor
            && (piece.mass.is_none() && moves || is_led || piece.has::<BumperKick>() || piece.has::<SurfaceVelocity>())
            || piece.has::<ConstantForce>()
            || piece.has::<ConstantTorque>()
    };
    let drives_disc = |disc: &carom::scene::DiscEntry| {
        disc.has::<Kinematic>()
            || disc.has::<BumperKick>()
            || disc.has::<ConstantForce>()
            || disc.has::<ConstantTorque>()
    };
    let gravity = file.motion.gravity;
    let periodic = file.collision.periodic;
    let falls_around = periodic.x.is_some() && gravity.x != 0.0 || periodic.y.is_some() && gravity.y != 0.0;
    if file.terrain.iter().any(drives) || file.discs.iter().any(drives_disc) || falls_around {
        return None;
    }
    let has_crowd = file.description.contains("Crowd");
    let has_gravity = gravity != Vec2::ZERO;
    if has_gravity && file.collision.mode == SolverMode::Stepped && goes_far(file, half) {
        // Discs overlap by their movement in a substep, and are pushed apart upwards.
        return None;
    }
    if file.collision.mode == SolverMode::Continuous && falls_far(file) {
        // A documented limit of blocks and balls.
        return None;
    }
    // Rounding in some thousands of hits.
    let mut share = 1e-4;
    if has_gravity {
        // Discs that are pushed out of each other and of terrain may be lifted.
        share += if has_crowd { 1.0 } else { 0.03 };
    }
    if !file.joints.is_empty() {
        if !periodic.is_open() || has_crowd {
            // The length of a joint across an edge differs from the distance of its ends. Overlapping discs stretch
            // springs when they are pushed apart.
            return None;
        }
        share += swing(file);
    }
    Some(share * at_hand(file, start, half) + lag(file, half) + rounding(file, half))
}

/// The energy of speeds that rounding of positions produces in a step.
fn rounding(file: &SceneFile, half: Vec2) -> f64 {
    let speed = f64::from(f32::EPSILON * half.max_element()) / step(file);
    file.discs.iter().map(|disc| 0.5 * f64::from(disc.mass().0) * speed * speed).sum()
}

/// Whether discs travel farther in a step than the diameter of the smallest.
fn goes_far(file: &SceneFile, half: Vec2) -> bool {
    let smallest = file.discs.iter().map(|disc| disc.radius).fold(f32::INFINITY, f32::min);
    let fastest =
        file.discs.iter().map(|disc| fastest(file, gravity_scale(disc.get()), disc.velocity, half)).fold(0.0, f64::max);
    fastest * step(file) > 2.0 * f64::from(smallest)
}

/// Whether gravity alone moves a block, or a ball on a table, farther in a tick than its width.
fn falls_far(file: &SceneFile) -> bool {
    let fall = |scale: f32| f64::from((file.motion.gravity * scale).length()) * step(file).powi(2);
    let mut balls = file.discs.iter().filter(|disc| file.table.is_some() && disc.spin().is_some());
    let mut blocks = file.terrain.iter().filter(|piece| piece.mass.is_some());
    balls.any(|ball| fall(gravity_scale(ball.get())) > 2.0 * f64::from(ball.radius))
        || blocks.any(|block| fall(gravity_scale(block.get())) > width(&block.shape))
}

/// An upper bound for the smallest width of a piece of terrain, metres.
fn width(shape: &Terrain) -> f64 {
    f64::from(match shape {
        Terrain::Circle { radius } => 2.0 * radius,
        Terrain::Block { half_size } => 2.0 * half_size.min_element(),
        Terrain::Polygon { points } => 2.0 * points.iter().map(|point| point.length()).fold(f32::INFINITY, f32::min),
        _ => 0.0,
    })
}

/// The largest speed that something reaches without being driven, m/s.
fn fastest(file: &SceneFile, gravity_scale: f32, velocity: Vec2, half: Vec2) -> f64 {
    let acceleration = f64::from((file.motion.gravity * gravity_scale).length());
    f64::from(velocity.length()) + (4.0 * acceleration * f64::from(half.length())).sqrt()
}

/// The time over which forces act at once, seconds.
pub fn step(file: &SceneFile) -> f64 {
    let substeps = if file.collision.mode == SolverMode::Stepped { file.collision.substeps } else { 1 };
    1.0 / (file.pace.tick_rate * f64::from(substeps))
}

/// The error of the energy of falling discs and blocks, joules. The stepped mode, and spinning discs on a tilted table,
/// move by the velocity at the end of a substep. The error is up to half of the change in a substep of the fastest
/// fall. It does not accumulate.
fn lag(file: &SceneFile, half: Vec2) -> f64 {
    if file.collision.mode == SolverMode::Continuous && file.table.is_none() {
        return 0.0;
    }
    let step = step(file);
    let of = |mass: f32, scale: f32, velocity: Vec2| {
        let acceleration = f64::from((file.motion.gravity * scale).length());
        f64::from(mass)
            * acceleration
            * (fastest(file, scale, velocity, half) * step / 2.0 + acceleration * step * step)
    };
    let discs = file.discs.iter().map(|disc| of(disc.mass().0, gravity_scale(disc.get()), disc.velocity));
    let blocks = file
        .terrain
        .iter()
        .filter_map(|piece| Some(of(piece.mass?, gravity_scale(piece.get()), piece.velocity.unwrap_or_default())));
    discs.chain(blocks).sum()
}

/// The fraction by which the energy of joints oscillates: `(ω h)² / 4` for the fastest frequency, of springs and of
/// discs that rotate on rods. Hits in between add three times that.
fn swing(file: &SceneFile) -> f64 {
    let step = step(file);
    let mut fastest = 0.0_f64;
    for disc in &file.discs {
        let is_end = |end: &JointEndEntry| matches!(end, JointEndEntry::Disc(id) if Some(*id) == disc.id);
        let mut stiffness = 0.0;
        for joint in file.joints.iter().filter(|joint| joint.ends.iter().any(is_end)) {
            match joint.kind {
                JointKind::Spring { stiffness: k, .. } => stiffness += f64::from(k),
                JointKind::Rod { length } => {
                    let quickest = file.discs.iter().map(|disc| disc.velocity.length()).fold(0.0, f32::max);
                    fastest = fastest.max(f64::from(quickest / length));
                }
                JointKind::Rope { .. } => {}
            }
        }
        fastest = fastest.max((stiffness / f64::from(disc.mass().0)).sqrt());
    }
    // Springs are never stiffer than the step allows.
    let turned = (fastest * step).min(1.0);
    0.01 + turned * turned
}

/// The available energy: initial energy, plus that of a fall through the whole scene.
fn at_hand(file: &SceneFile, start: f64, half: Vec2) -> f64 {
    let gravity = f64::from(file.motion.gravity.length());
    let scaled = |mass: f32, scale: f32| f64::from(mass) * f64::from(scale.abs());
    let discs: f64 = file.discs.iter().map(|disc| scaled(disc.mass().0, gravity_scale(disc.get()))).sum();
    let blocks: f64 =
        file.terrain.iter().map(|piece| scaled(piece.mass.unwrap_or(0.0), gravity_scale(piece.get()))).sum();
    start.abs() + (discs + blocks) * gravity * 2.0 * f64::from(half.length())
}

/// The gravity scale of a disc or a block, 1 without the component.
fn gravity_scale(own: Option<&GravityScale>) -> f32 {
    own.map_or(1.0, |scale| scale.0)
}
