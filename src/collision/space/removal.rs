//! Removes entities from a space between two ticks. The result is what the next `Gather` would find without them. Used
//! by predictions in which entities vanish.

use bevy::{ecs::entity::EntityHashSet, prelude::*};
use std::sync::Arc;

use super::PhysicsSpace;
use crate::collision::terrain::{
    StandingTerrain, TerrainView,
    index::{TerrainArrays, TerrainChange},
};

impl PhysicsSpace {
    /// Removes the discs, the terrain and the sensors among these entities. Discs keep their indices. Their positions
    /// become NaN, as for discs in pockets.
    pub(crate) fn take_out(&mut self, entities: &EntityHashSet) {
        self.follows_last_tick = false;
        self.take_out_static(entities);
        self.take_out_moving(entities);
        self.sensors.areas.retain(|area| !entities.contains(&area.entity));
        let discs = (0..self.discs.len() as u32).filter(|&i| entities.contains(&self.discs.entity[i as usize]));
        let discs: Vec<u32> = discs.collect();
        for &disc in &discs {
            self.discs.take_out_of_play(disc as usize);
            self.discs.kinematic.retain(|kinematic| kinematic.disc != disc);
            self.discs.periodic.retain(|periodic| periodic.disc != disc);
        }
        self.forget_discs(&discs);
    }

    fn take_out_static(&mut self, entities: &EntityHashSet) {
        let StandingTerrain { walls, fixed_circles, index, pieces, filter, .. } = &mut self.terrain;
        let gone = pieces.keys().filter(|key| entities.contains(&key.1));
        let changes: Vec<_> = gone.map(|key| TerrainChange { key, placed: None }).collect();
        if !changes.is_empty() {
            Arc::make_mut(pieces).change(&changes, &mut TerrainArrays { walls, fixed_circles, index });
            filter.find(pieces, &TerrainView { walls, fixed_circles, index });
        }
    }

    fn take_out_moving(&mut self, entities: &EntityHashSet) {
        let moving = &mut self.moving;
        if !moving.pieces.iter().any(|piece| entities.contains(&piece.key.1)) {
            return;
        }
        moving.pieces.retain(|piece| !piece.is_image);
        // The new number of each piece that stays.
        let mut numbers = 0..;
        let number = |stays: bool| if stays { numbers.next() } else { None };
        let number: Vec<Option<u32>> =
            moving.pieces.iter().map(|piece| !entities.contains(&piece.key.1)).map(number).collect();
        moving.unmet.retain_mut(|(_, piece)| match number.get(*piece as usize).copied().flatten() {
            Some(number) => {
                *piece = number;
                true
            }
            None => false,
        });
        moving.pieces.retain(|piece| !entities.contains(&piece.key.1));
    }

    /// Forgets the spin, the height and the joints of discs that are out of play. The next `Gather` would find none of
    /// them.
    pub(super) fn forget_discs(&mut self, discs: &[u32]) {
        if discs.is_empty() {
            return;
        }
        self.discs.heights.retain(|height| !discs.contains(&height.disc));
        for &disc in discs {
            if let Some(spin) = self.discs.spin.get_mut(disc as usize) {
                *spin = None;
            }
        }
        if self.discs.spin.iter().all(Option::is_none) {
            self.discs.spin.clear();
        }
        if !self.joints.is_empty() {
            self.joints = std::mem::take(&mut self.joints).without_fallen(&self.discs);
        }
    }
}
