//! The moving terrain of a [`PhysicsSpace`], including the blocks, which have a mass.

use bevy::prelude::*;

use super::PhysicsSpace;
use crate::{
    collision::{
        moving::{DiscsAtEnd, Pose, Surroundings},
        shape::Bounds,
    },
    components::{Position, Rotation, StableId},
};

impl PhysicsSpace {
    /// The number of impacts of blocks since the space was created: with terrain, with kinematic discs and with each
    /// other. It is a measure of work.
    #[must_use]
    pub fn block_impacts(&self) -> u64 {
        self.moving.block_impacts
    }

    /// Whether any terrain moves or turns, or has a target that it has not reached.
    #[must_use]
    pub fn terrain_moves(&self) -> bool {
        self.moving.moves()
    }

    /// Finds the discs that do not collide with moving pieces, by piece.
    pub(crate) fn find_unmet(&mut self) {
        let Self { discs, moving, terrain, .. } = self;
        moving.unmet.clear();
        if moving.pieces.is_empty() || discs.filter.is_empty() && terrain.filter.is_empty() {
            return;
        }
        for i in 0..discs.len() {
            let pieces = moving.pieces.iter().zip(0..);
            let unmet = pieces.filter(|(piece, _)| !terrain.filter.disc_meets(&discs.filter, i, piece.key.1));
            moving.unmet.extend(unmet.map(|(_, piece)| (i as u32, piece)));
        }
    }

    /// The position and rotation of a piece of moving terrain at a fraction of the last tick, 0 to 1. `now` is its
    /// current pose. Returns `None` for a piece that does not move, or that something other than the tick has moved.
    #[must_use]
    pub fn terrain_between_ticks(
        &self,
        (id, entity): (StableId, Entity),
        now: (Position, Rotation),
        share: f32,
    ) -> Option<(Position, Rotation)> {
        // The images come after the pieces.
        let pieces = &self.moving.pieces;
        let pieces = &pieces[..pieces.partition_point(|piece| !piece.is_image)];
        let piece = &pieces[pieces.binary_search_by_key(&(id, entity), |piece| piece.key).ok()?];
        let Pose { position, rotation } = piece.pose;
        if now != (Position(position), Rotation(rotation)) {
            return None;
        }
        if share >= 1.0 {
            return Some(now);
        }
        let turned = piece.before.rotation + (rotation - piece.before.rotation) * share;
        Some((Position(piece.before.position.lerp(position, share)), Rotation(turned)))
    }

    /// Prepares the motion of terrain for the new tick, and finds the discs that it covers.
    pub(crate) fn begin_moving_terrain(&mut self) {
        // After the last moving piece is gone, its results are dropped, too.
        if self.moving.is_empty() && self.moving.is_forgotten() {
            return;
        }
        self.moving.begin_tick(self.clock.time_step, self.cell);
        self.find_covered();
    }

    /// Moves terrain to its place at the end of the tick.
    pub(crate) fn end_moving_terrain(&mut self) {
        let time_step = self.clock.time_step;
        for piece in &mut self.moving.pieces {
            piece.end_tick(time_step);
            piece.wrap(self.cell);
        }
    }

    /// Adds `change` to the velocities of all blocks that can move, m/s; pinned ones swing.
    pub(crate) fn accelerate_blocks(&mut self, change: Vec2) {
        if self.moving.has_blocks() {
            self.moving.accelerate_blocks(change);
        }
    }

    /// Multiplies the velocities of all blocks by the result of `keeps` for their own drag, 1/s.
    pub(crate) fn drag_blocks(&mut self, keeps: impl Fn(Option<f32>) -> f32) {
        if self.moving.has_blocks() {
            self.moving.brake_blocks(|body, _| f64::from(keeps(body.drag)));
        }
    }

    /// Multiplies the velocities of all blocks by the result of `keeps` for their own cloth friction, m/s², and their
    /// speeds, m/s.
    pub(crate) fn rub_blocks(&mut self, keeps: impl Fn(Option<f32>, f64) -> f64) {
        if self.moving.has_blocks() {
            self.moving.brake_blocks(|body, speed| keeps(body.friction, speed));
        }
    }

    /// Applies the constant forces of blocks for `seconds`.
    pub(crate) fn force_blocks(&mut self, seconds: f32) {
        if self.moving.has_blocks() {
            self.moving.force_blocks(f64::from(seconds));
        }
    }

    /// Starts the paths of blocks between the two times of `way`, seconds since the start of the tick. The velocities
    /// already include the whole change by the acceleration along the path, in the continuous mode half of it.
    pub(crate) fn begin_blocks(&mut self, way: [f64; 2], acceleration: Vec2, ahead: Vec2) {
        if !self.moving.has_blocks() {
            return;
        }
        self.moving.find_kinematic_discs(&self.discs, self.cell);
        self.moving.change_falling(-ahead);
        self.moving.begin_ways(way, acceleration.as_dvec2(), self.laws.gravity.as_dvec2());
    }

    /// Ends the paths of blocks. Their true velocities differ by `ahead` from those along the path, m/s; `stays` says
    /// whether they, and the discs, keep that difference.
    pub(crate) fn end_blocks(&mut self, ahead: Vec2, stays: bool) {
        if !self.moving.has_blocks() {
            return;
        }
        let mut moving = std::mem::take(&mut self.moving);
        moving.end_ways();
        moving.change_falling(ahead);
        let mut discs = std::mem::take(&mut self.discs);
        let missing = if stays { Vec2::ZERO } else { ahead };
        let at_end = DiscsAtEnd { discs: &mut discs, ahead: missing };
        moving.rest_blocks(&self.surroundings(), at_end);
        moving.change_falling(-missing);
        (self.moving, self.discs) = (moving, discs);
    }

    /// What blocks collide with, besides other blocks and discs.
    pub(crate) fn surroundings(&self) -> Surroundings<'_> {
        let Self { terrain, laws, clock, .. } = self;
        Surroundings::new(terrain.view(), &terrain.filter, &laws.settings, laws.fall_speed(clock))
    }

    /// Finds the discs inside solid pieces at the start of the tick.
    fn find_covered(&mut self) {
        let Self { discs, moving, .. } = self;
        moving.witness.clear();
        if !moving.pieces.iter().any(|piece| piece.shape.solid) {
            return;
        }
        for (i, &at) in discs.position.iter().enumerate() {
            let bounds = Bounds::around(at, 0.0);
            if !moving.is_near(bounds) {
                continue;
            }
            for piece in moving.pieces_near(i, bounds) {
                let there = &moving.pieces[piece as usize];
                if there.shape.is_inside(there.frame.to_local(at.as_dvec2())) {
                    moving.covered.push((i as u32, piece));
                }
            }
        }
    }

    /// Records the position of each disc. From there, a disc may be pushed out of moving pieces but not through them.
    pub(crate) fn witness_moving_terrain(&mut self) {
        let Self { discs, moving, .. } = self;
        if !moving.is_empty() {
            moving.witness.clone_from(&discs.position);
        }
    }
}
