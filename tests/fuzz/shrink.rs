//! A smaller scene that breaks the same promise.

use std::time::{Duration, Instant};

use bevy::prelude::*;
use carom::{
    collision::{CollisionSettings, CombineRule},
    components::{CollisionLayers, LockedAxes},
    motion::MotionSettings,
    scene::{DiscEntry, JointEndEntry, SceneFile, TerrainEntry},
};

use crate::promises::{Bench, Broken};

/// How long it is tried.
const LONGEST: Duration = Duration::from_mins(2);

/// Takes away whatever can go, until nothing more can, or for two minutes.
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

/// Settings and values that may go back to their defaults.
const SIMPLER: &[fn(&mut SceneFile)] = &[
    |file| file.collision = CollisionSettings { mode: file.collision.mode, ..CollisionSettings::default() },
    |file| file.collision.substeps = 1,
    |file| file.collision.push_apart_share = 1.0,
    |file| file.collision.restitution_rule = CombineRule::default(),
    |file| file.collision.impact_budget = 1000,
    |file| file.collision.restitution = 1.0,
    |file| file.collision.wall_restitution = 1.0,
    |file| file.collision.resting_speed = 0.0,
    |file| file.collision.sleep_speed = 0.0,
    |file| file.motion = MotionSettings::default(),
    |file| file.motion.drag = 0.0,
    |file| file.motion.friction = 0.0,
    |file| file.pace.tick_rate = 60.0,
    |file| file.table = None,
    |file| discs(file, |disc| disc.layers = CollisionLayers::ALL),
    |file| discs(file, |disc| disc.ignores.clear()),
    |file| discs(file, |disc| disc.mass = None),
    |file| discs(file, |disc| disc.kick = 0.0),
    |file| discs(file, |disc| disc.friction = None),
    |file| discs(file, |disc| disc.gravity_scale = 1.0),
    |file| discs(file, |disc| (disc.restitution, disc.restitution_rule) = (None, None)),
    |file| discs(file, |disc| (disc.ball, disc.angular_velocity) = (false, None)),
    |file| discs(file, |disc| (disc.linear_damping, disc.cloth_friction) = (None, None)),
    |file| discs(file, |disc| (disc.constant_force, disc.constant_torque) = (Vec2::ZERO, 0.0)),
    |file| discs(file, |disc| disc.velocity = Vec2::ZERO),
    |file| discs(file, |disc| disc.move_to = None),
    |file| discs(file, |disc| disc.inactive = false),
    |file| discs(file, |disc| disc.kinematic = false),
    |file| terrain(file, |piece| piece.layers = CollisionLayers::ALL),
    |file| terrain(file, |piece| piece.kick = 0.0),
    |file| terrain(file, |piece| piece.friction = None),
    |file| terrain(file, |piece| (piece.restitution, piece.restitution_rule) = (None, None)),
    |file| terrain(file, |piece| piece.surface_velocity = Vec2::ZERO),
    |file| terrain(file, |piece| piece.one_way = None),
    |file| terrain(file, |piece| piece.sensor = false),
    |file| terrain(file, |piece| piece.inactive = false),
    |file| terrain(file, |piece| piece.locked_axes = LockedAxes::default()),
    |file| terrain(file, |piece| piece.gravity_scale = 1.0),
    |file| terrain(file, |piece| piece.angular_velocity = None),
    |file| terrain(file, |piece| piece.velocity = None),
    |file| terrain(file, |piece| (piece.constant_force, piece.constant_torque) = (Vec2::ZERO, 0.0)),
    |file| terrain(file, |piece| (piece.linear_damping, piece.cloth_friction) = (None, None)),
];

fn discs(file: &mut SceneFile, change: impl FnMut(&mut DiscEntry)) {
    file.discs.iter_mut().for_each(change);
}

fn terrain(file: &mut SceneFile, change: impl FnMut(&mut TerrainEntry)) {
    file.terrain.iter_mut().for_each(change);
}
