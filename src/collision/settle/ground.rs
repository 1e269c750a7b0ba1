//! Discs that rest on terrain or on a kinematic disc: those that it supports, and those that it stops.

use bevy::prelude::*;

use super::Pile;
use crate::collision::{
    discs::Discs,
    hit::{
        Surface,
        answers::{Answers, rubbed},
    },
    overlap::kinematic::{contacts, drop_overlapping},
    periodic::Cell,
    resting::state::{Grounded, Resting, RestingSubstep},
    settings::CollisionSettings,
    shape::{Circle, wall::touch},
    terrain::{
        TerrainView,
        index::Piece,
        local::{Filters, LocalTerrain},
        neighbours::CONTACT_MARGIN,
    },
    tick::Laws,
};

/// A disc that touches terrain, with its velocity, m/s.
struct GroundTouch {
    i: usize,
    velocity: Vec2,
    /// Including the unit vector away from it.
    surface: Surface,
}

impl GroundTouch {
    /// Whether contact hooks let the two collide.
    fn is_met(&self, discs: &Discs, answers: &Answers) -> bool {
        let target = self.surface.target.with_entity(&discs.entity);
        answers.meet(discs.entity[self.i], target, || self.surface.encounter(self.velocity.as_dvec2()))
    }

    /// The disc as one that rests there.
    fn grounded(
        &self,
        away: Vec2,
        speed: f32,
        discs: &Discs,
        answers: &Answers,
        settings: &CollisionSettings,
    ) -> Grounded {
        let (disc, velocity) = (discs.side(self.i), self.velocity.as_dvec2());
        let answer = answers.at_surface(settings, None, disc, &self.surface, &discs.entity, velocity);
        let carries = (self.surface.velocity + answer.carries(self.surface.away)).as_vec2();
        Grounded { friction: answer.friction, carries, ..Grounded::smooth(self.i as u32, away, speed) }
    }
}

/// The direction away from a piece that a disc touches, of any length.
#[inline(always)]
fn away_from_touched(piece: Piece, fixed: &TerrainView, centre: Vec2, radius: f32) -> Option<Vec2> {
    match piece {
        Piece::Wall(wall) => touch(&fixed.walls[wall as usize], centre, centre, radius).map(|touch| touch.away),
        Piece::FixedCircle(circle) => {
            let circle = &fixed.fixed_circles[circle as usize];
            let away = centre - circle.centre;
            circle.is_touched(away, radius + circle.radius).then_some(away)
        }
    }
}

/// Finds the discs that rest on terrain or on kinematic discs, and those that are supported there.
pub fn find_contacts(pile: &mut Pile) {
    begin_substep(pile.resting, pile.discs.len());
    find_moving_contacts(pile);
    find_standing_contacts(pile);
    let Pile { discs, resting, laws, cell, .. } = pile;
    find_kinematic_contacts(discs, resting, &laws.answers, *cell);
}

/// Discards the results of the last substep.
fn begin_substep(resting: &mut Resting, discs: usize) {
    let RestingSubstep { grounded, supported, .. } = &mut resting.substep;
    grounded.clear();
    supported.clear();
    if resting.tick.substeps > 1 {
        // Sleeping discs were held in the first substep.
        supported.extend_from_slice(&resting.sleep.asleep);
    }
    supported.resize(discs, false);
}

/// Finds the discs that rest on moving terrain, and those that it supports.
fn find_moving_contacts(pile: &mut Pile) {
    let Pile { discs, resting, moving, laws: Laws { settings, answers, .. }, clock, .. } = pile;
    let (limits, now) = (resting.limits, clock.now);
    let RestingSubstep { grounded, supported, .. } = &mut resting.substep;
    if moving.is_empty() {
        return;
    }
    let mut dropped = Vec::new();
    for (i, velocity) in discs.velocity.iter().enumerate() {
        let reach = discs.radius[i] * (1.0 + CONTACT_MARGIN);
        moving.for_each_touching(i, discs.position[i], reach, f64::from(now), |piece, surface| {
            let touch = GroundTouch { i, velocity: *velocity, surface };
            if !touch.is_met(discs, answers) {
                dropped.push((i as u32, piece));
                return;
            }
            let (away, speed) = (surface.away.as_vec2(), surface.velocity.as_vec2().dot(surface.away.as_vec2()));
            supported[i] |= away.dot(limits.up) > 0.0;
            let inward = speed - velocity.dot(away);
            if inward * inward < limits.resting_squared || inward < 0.0 {
                grounded.push(touch.grounded(away, speed, discs, answers, settings));
            }
        });
    }
    for (disc, piece) in dropped {
        moving.drop_piece(disc, piece);
    }
}

/// Finds the discs that rest on static terrain, and those that it supports.
fn find_standing_contacts(pile: &mut Pile) {
    let Pile { discs, terrain, terrain_neighbours, resting, laws: Laws { settings, answers, .. }, .. } = pile;
    let (first, limits) = (resting.tick.substeps == 1, resting.limits);
    let RestingSubstep { grounded, supported, .. } = &mut resting.substep;
    if terrain.is_empty() {
        return;
    }
    let fixed = terrain.view();
    terrain_neighbours.prepare(discs.len(), &fixed);
    let mut touching = std::mem::take(&mut terrain_neighbours.touching);
    if first {
        // In later substeps, those that were near terrain in the last substep.
        touching.clear();
        let all = discs.position.iter().zip(&discs.radius).enumerate();
        let near = all.filter(|&(i, (at, radius))| terrain_neighbours.is_near(i, *at, *radius));
        touching.extend(near.map(|(i, _)| i as u32));
    }
    let (mut local, mut dropped, plain) = (LocalTerrain::default(), Vec::new(), answers.is_plain());
    for &disc in &touching {
        let i = disc as usize;
        let (centre, radius) = (discs.position[i], discs.radius[i] * (1.0 + CONTACT_MARGIN));
        let pieces = terrain_neighbours.near(i, &fixed, centre, radius, 0.0).unwrap_or_default();
        let start = Circle::of(centre, discs.radius[i]);
        let met = local.met(pieces, &fixed, Filters::of(&discs.filter, &terrain.filter), i, start);
        for &piece in met.pieces {
            let away = away_from_touched(piece, &met.fixed, centre, radius);
            let Some(away) = away else { continue };
            // By division, so that a disc stopped by a vertical wall or a level floor has exactly zero speed.
            let distance = away.length();
            let away = if distance > 0.0 { away / distance } else { limits.up };
            let touch = || {
                let point = (centre - away * discs.radius[i]).as_dvec2();
                let surface = Surface::standing(away.as_dvec2(), point, met.fixed.obstacle(piece));
                GroundTouch { i, velocity: discs.velocity[i], surface }
            };
            if !plain && !touch().is_met(discs, answers) {
                dropped.push((i, met.fixed.obstacle(piece).target.entity_of_terrain()));
                continue;
            }
            supported[i] |= away.dot(limits.up) > 0.0;
            let inward = -discs.velocity[i].dot(away);
            if inward * inward < limits.resting_squared || inward < 0.0 {
                grounded.push(if plain {
                    Grounded::smooth(disc, away, 0.0)
                } else {
                    touch().grounded(away, 0.0, discs, answers, settings)
                });
            }
        }
    }
    for (i, piece) in dropped {
        discs.filter.drop_terrain(i, piece);
    }
    terrain_neighbours.touching = touching;
}

/// The same for kinematic discs, which support like terrain.
fn find_kinematic_contacts(discs: &mut Discs, resting: &mut Resting, answers: &Answers, cell: Option<Cell>) {
    if discs.kinematic.is_empty() {
        return;
    }
    drop_overlapping(discs, answers, cell, CONTACT_MARGIN);
    let contacts = contacts(discs, cell, CONTACT_MARGIN);
    let RestingSubstep { grounded, supported, .. } = &mut resting.substep;
    for (i, _) in discs.kinematic_ways() {
        supported[i] = true;
    }
    for (disc, away, velocity) in contacts {
        let i = disc as usize;
        supported[i] |= away.dot(resting.limits.up) > 0.0;
        let inward = (velocity - discs.velocity[i]).dot(away);
        if inward * inward < resting.limits.resting_squared || inward < 0.0 {
            grounded.push(Grounded::smooth(disc, away, velocity.dot(away)));
        }
    }
}

/// Stops the speed at which resting discs sink into terrain, and applies friction in proportion to that.
pub fn stop_on_ground(discs: &mut Discs, resting: &Resting) {
    for &Grounded { disc, away, speed, friction, carries } in &resting.substep.grounded {
        let velocity = &mut discs.velocity[disc as usize];
        let inward = if speed == 0.0 { -velocity.dot(away) } else { speed - velocity.dot(away) };
        *velocity += away * inward.max(0.0);
        if friction > 0.0 {
            let (relative, pressed) = ((*velocity - carries).as_dvec2(), f64::from(friction * inward.max(0.0)));
            *velocity += rubbed(relative, away.as_dvec2(), pressed).as_vec2();
        }
    }
}
