//! Finds a smaller scene that breaks the same promise.

use std::time::{Duration, Instant};

use bevy::prelude::*;
use carom::{
    collision::{CollisionSettings, CombineRule},
    components::{
        BumperKick, ClothFriction, CollisionLayers, ConstantForce, ConstantTorque, Friction, GravityScale, Inactive,
        Kinematic, LinearDamping, LockedAxes, MoveTo, OneWay, Restitution, RestitutionRule, Sensor, SurfaceVelocity,
    },
    motion::MotionSettings,
    scene::{DiscEntry, JointEndEntry, SceneFile, TerrainEntry},
};

use crate::promises::{Bench, Broken};

/// The time limit of the search.
const LONGEST: Duration = Duration::from_mins(2);

/// Removes everything that can be removed, until nothing more can or for two minutes.
pub fn smaller(file: &SceneFile, problem: &Broken) -> SceneFile {
    let (begin, mut file, mut bench) = (Instant::now(), file.clone(), Bench::new());
    let mut breaks =
        |candidate: &SceneFile| bench.try_scene(candidate).is_err_and(|found| found.promise == problem.promise);
    loop {
        let before = file.clone();
        let mut k = 0;
        while let Some(candidate) = without(&file, k) {
            if begin.elapsed() > LONGEST {
                return file;
            }
            if candidate != file && breaks(&candidate) {
                file = candidate;
            } else {
                k += 1;
            }
        }
        for simpler in SIMPLER {
            let mut candidate = file.clone();
            simpler(&mut candidate);
            if candidate != file && breaks(&candidate) {
                file = candidate;
            }
        }
        if file == before {
            return file;
        }
    }
}

/// The scene without its `k`th part, counted through joints, pockets, discs and terrain.
fn without(file: &SceneFile, mut k: usize) -> Option<SceneFile> {
    let mut file = file.clone();
    if k < file.joints.len() {
        file.joints.remove(k);
        return Some(file);
    }
    k -= file.joints.len();
    if k < file.pockets.len() {
        file.pockets.remove(k);
        return Some(file);
    }
    k -= file.pockets.len();
    if k < file.discs.len() {
        let gone = file.discs.remove(k).id;
        file.joints
            .retain(|joint| !joint.ends.iter().any(|end| matches!(end, JointEndEntry::Disc(id) if Some(*id) == gone)));
        file.discs.iter_mut().for_each(|disc| disc.ignores.retain(|id| Some(*id) != gone));
        return Some(file);
    }
    k -= file.discs.len();
    if k < file.terrain.len() {
        let gone = file.terrain.remove(k).id;
        file.discs.iter_mut().for_each(|disc| disc.ignores.retain(|id| Some(*id) != gone));
        return Some(file);
    }
    None
}

/// Settings and values that may return to their defaults.
const SIMPLER: &[fn(&mut SceneFile)] = &[
    |file| file.collision = CollisionSettings { mode: file.collision.mode, ..CollisionSettings::default() },
    |file| file.collision.substeps = 1,
    |file| file.collision.push_apart_share = 1.0,
    |file| file.collision.restitution_rule = CombineRule::default(),
    |file| file.collision.impact_budget = 1000,
    |file| file.collision.restitution = 1.0,
    |file| file.collision.terrain_restitution = 1.0,
    |file| file.collision.resting_speed = 0.0,
    |file| file.collision.sleep_speed = 0.0,
    |file| file.motion = MotionSettings::default(),
    |file| file.motion.drag = 0.0,
    |file| file.motion.friction = 0.0,
    |file| file.pace.tick_rate = 60.0,
    |file| file.table = None,
    |file| discs(file, |disc| disc.optional.remove::<CollisionLayers>()),
    |file| discs(file, |disc| disc.ignores.clear()),
    |file| discs(file, |disc| disc.mass = None),
    |file| discs(file, |disc| disc.optional.remove::<BumperKick>()),
    |file| discs(file, |disc| disc.optional.remove::<Friction>()),
    |file| discs(file, |disc| disc.optional.remove::<GravityScale>()),
    |file| {
        discs(file, |disc| {
            disc.optional.remove::<Restitution>();
            disc.optional.remove::<RestitutionRule>();
        });
    },
    |file| discs(file, |disc| (disc.ball, disc.angular_velocity) = (false, None)),
    |file| {
        discs(file, |disc| {
            disc.optional.remove::<LinearDamping>();
            disc.optional.remove::<ClothFriction>();
        });
    },
    |file| {
        discs(file, |disc| {
            disc.optional.remove::<ConstantForce>();
            disc.optional.remove::<ConstantTorque>();
        });
    },
    |file| discs(file, |disc| disc.velocity = Vec2::ZERO),
    |file| discs(file, |disc| disc.optional.remove::<MoveTo>()),
    |file| discs(file, |disc| disc.optional.remove::<Inactive>()),
    |file| discs(file, |disc| disc.optional.remove::<Kinematic>()),
    |file| terrain(file, |piece| piece.optional.remove::<CollisionLayers>()),
    |file| terrain(file, |piece| piece.optional.remove::<BumperKick>()),
    |file| terrain(file, |piece| piece.optional.remove::<Friction>()),
    |file| {
        terrain(file, |piece| {
            piece.optional.remove::<Restitution>();
            piece.optional.remove::<RestitutionRule>();
        });
    },
    |file| terrain(file, |piece| piece.optional.remove::<SurfaceVelocity>()),
    |file| terrain(file, |piece| piece.optional.remove::<OneWay>()),
    |file| terrain(file, |piece| piece.optional.remove::<Sensor>()),
    |file| terrain(file, |piece| piece.optional.remove::<Inactive>()),
    |file| terrain(file, |piece| piece.optional.remove::<LockedAxes>()),
    |file| terrain(file, |piece| piece.optional.remove::<GravityScale>()),
    |file| terrain(file, |piece| piece.angular_velocity = None),
    |file| terrain(file, |piece| piece.velocity = None),
    |file| {
        terrain(file, |piece| {
            piece.optional.remove::<ConstantForce>();
            piece.optional.remove::<ConstantTorque>();
        });
    },
    |file| {
        terrain(file, |piece| {
            piece.optional.remove::<LinearDamping>();
            piece.optional.remove::<ClothFriction>();
        });
    },
];

fn discs(file: &mut SceneFile, change: impl FnMut(&mut DiscEntry)) {
    file.discs.iter_mut().for_each(change);
}

fn terrain(file: &mut SceneFile, change: impl FnMut(&mut TerrainEntry)) {
    file.terrain.iter_mut().for_each(change);
}
