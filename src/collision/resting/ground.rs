//! What rests on terrain, or on a kinematic disc: which discs it supports, and which it stops.

use crate::collision::{
    broad_phase::{terrain_index::Piece, terrain_neighbours::CONTACT_MARGIN},
    filter::{Filters, LocalTerrain},
    geometry::{TerrainView, touch},
    resting::state::RestingSubstep,
    space::Space,
    stepped::kinematic::contacts,
};

impl Space {
    /// Finds the discs that rest on terrain, and those that it supports.
    pub(super) fn find_terrain_contacts(&mut self) {
        let now = self.now;
        let Self {
            discs,
            walls,
            fixed_circles,
            terrain_index,
            terrain_filter,
            terrain_neighbours,
            resting,
            moving,
            ..
        } = self;
        let (first, limits) = (resting.tick.substeps == 1, resting.limits);
        let RestingSubstep { grounded, supported, .. } = &mut resting.substep;
        supported.clear();
        if !first {
            // What sleeps was held in the first substep.
            supported.extend_from_slice(&resting.sleep.asleep);
        }
        supported.resize(discs.len(), false);
        grounded.clear();
        if !moving.is_empty() {
            for (i, velocity) in discs.velocity.iter().enumerate() {
                let reach = discs.radius[i] * (1.0 + CONTACT_MARGIN);
                moving.for_each_touching((i, discs.position[i]), reach, f64::from(now), |away, surface| {
                    supported[i] |= away.dot(limits.up) > 0.0;
                    let inward = surface.dot(away) - velocity.dot(away);
                    if inward * inward < limits.resting_squared || inward < 0.0 {
                        grounded.push((i as u32, away, surface.dot(away)));
                    }
                });
            }
        }
        if walls.is_empty() && fixed_circles.is_empty() {
            return self.find_kinematic_contacts();
        }
        let fixed = TerrainView { walls, fixed_circles, index: terrain_index };
        terrain_neighbours.prepare(discs.len(), &fixed);
        let mut touching = std::mem::take(&mut terrain_neighbours.touching);
        if first {
            // Later on those that were near terrain in the last substep.
            touching.clear();
            let all = discs.position.iter().zip(&discs.radius).enumerate();
            let near = all.filter(|&(i, (at, radius))| terrain_neighbours.is_near(i, *at, *radius));
            touching.extend(near.map(|(i, _)| i as u32));
        }
        let mut local = LocalTerrain::default();
        for &disc in &touching {
            let i = disc as usize;
            let (centre, radius) = (discs.position[i], discs.radius[i] * (1.0 + CONTACT_MARGIN));
            let pieces = terrain_neighbours.near(i, &fixed, centre, radius, 0.0).unwrap_or_default();
            let from = (i, centre.as_dvec2(), f64::from(discs.radius[i]));
            let met = local.met(pieces, &fixed, Filters::of(&discs.filter, terrain_filter), from);
            for &piece in met.pieces {
                let away = match piece {
                    Piece::Wall(wall) => {
                        touch(&met.fixed.walls[wall as usize], centre, centre, radius).map(|touch| touch.away)
                    }
                    Piece::FixedCircle(circle) => {
                        let circle = &met.fixed.fixed_circles[circle as usize];
                        let away = centre - circle.centre;
                        circle.is_touched(away, radius + circle.radius).then_some(away)
                    }
                };
                let Some(away) = away else { continue };
                // By division, so that what an upright wall or a level floor stops has no speed left at all.
                let distance = away.length();
                let away = if distance > 0.0 { away / distance } else { limits.up };
                supported[i] |= away.dot(limits.up) > 0.0;
                let inward = -discs.velocity[i].dot(away);
                if inward * inward < limits.resting_squared || inward < 0.0 {
                    grounded.push((disc, away, 0.0));
                }
            }
        }
        terrain_neighbours.touching = touching;
        self.find_kinematic_contacts();
    }

    /// The same for kinematic discs, which support as terrain does.
    fn find_kinematic_contacts(&mut self) {
        if self.discs.kinematic.is_empty() {
            return;
        }
        let contacts = contacts(self, CONTACT_MARGIN);
        let Self { discs, resting, .. } = self;
        let RestingSubstep { grounded, supported, .. } = &mut resting.substep;
        for (i, _) in discs.kinematic_ways() {
            supported[i] = true;
        }
        for (disc, away, velocity) in contacts {
            let i = disc as usize;
            supported[i] |= away.dot(resting.limits.up) > 0.0;
            let inward = (velocity - discs.velocity[i]).dot(away);
            if inward * inward < resting.limits.resting_squared || inward < 0.0 {
                grounded.push((disc, away, velocity.dot(away)));
            }
        }
    }

    /// Terrain takes from what rests on it the speed with which it sinks in.
    pub(super) fn stop_on_ground(&mut self) {
        for &(disc, away, speed) in &self.resting.substep.grounded {
            let velocity = &mut self.discs.velocity[disc as usize];
            let inward = if speed == 0.0 { -velocity.dot(away) } else { speed - velocity.dot(away) };
            *velocity += away * inward.max(0.0);
        }
    }
}
