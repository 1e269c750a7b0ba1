//! What has got into a moving piece, or was pushed into it, is pushed out. What lies inside of a solid one comes out by the nearest way
//! that terrain which stands leaves open; where there is none, it stands still and waits.

use bevy::{math::DVec2, prelude::*};

use super::{MovingPiece, MovingTerrain, Surroundings, block_impacts::HittingDisc, contact::collider_of};
use crate::collision::{
    hit::{Collider, Surface, answers::Encounter, bounce_in_place},
    shape::{Bounds, wall::crosses},
    space::Space,
    stepped::terrain_contacts::{Contacts, push_out_of_standing},
    terrain::{TerrainView, index::Piece},
};
/// So often a disc that is pushed out of one piece into another is looked at again.
const ROUNDS: u32 = 8;

/// What rounding leaves of a gap, as a share of the coordinates and the radius.
const ROUNDING: f64 = 5e-7;

/// What is still deeper in a piece than this share of its radius has no place to go.
const PINNED: f64 = 1e-3;

/// Where a disc goes that is in a piece.
enum Placed {
    /// It is inside, and stays there.
    Stays,
    /// It comes out, to this place.
    Out(DVec2),
    /// It is pushed out, to this place, and touches the piece.
    Touches(DVec2, Surface),
}

impl Placed {
    /// How a disc at this place, with this velocity, meets the piece.
    fn encounter(&self, at: Vec2, velocity: Vec2) -> Encounter {
        let (at, relative) = (at.as_dvec2(), velocity.as_dvec2());
        match self {
            Self::Stays => Encounter { point: at, normal: DVec2::ZERO, relative },
            Self::Out(exit) => Encounter { point: at, normal: at - *exit, relative },
            Self::Touches(_, surface) => surface.encounter(relative),
        }
    }
}

impl MovingPiece {
    /// Where a disc has to go that has come from `witness`, the piece being where it is at this time; nothing if it may stay.
    fn place(
        &self,
        [witness, at]: [DVec2; 2],
        [radius, slop]: [f64; 2],
        time: f64,
        is_free: impl Fn(DVec2) -> bool,
    ) -> Option<Placed> {
        let frame = self.frame_at(time);
        let [from, to] = [witness, at].map(|place| frame.to_local(place));
        let crossed = self.shape.is_crossed(from, to);
        let place = if crossed { from } else { to };
        if self.shape.is_inside(place) {
            let exit = self
                .shape
                .exits(place, radius)
                .into_iter()
                .map(|exit| frame.to_world(exit))
                .find(|&exit| is_free(exit));
            return Some(exit.map_or(Placed::Stays, Placed::Out));
        }
        let radius = self.shape.curved(Piece::Wall(0)).map_or(radius, |curved| curved.radius_at(place, radius));
        let least = radius - slop - ROUNDING * (at.abs().max_element() + radius);
        let Some(closest) = self.shape.closest(place, least) else {
            return crossed.then(|| Placed::Out(frame.to_world(place)));
        };
        let away = frame.turn(closest.away.try_normalize().unwrap_or(DVec2::X));
        let point = frame.to_world(closest.point);
        let surface = Surface {
            away,
            point,
            velocity: self.velocity_at(&frame, point),
            collider: collider_of(closest.part, self.key.1),
            restitution: self.restitution,
            leaves_at: 0.0,
            turn: frame.turn,
            slides_below: 0.0,
        };
        Some(Placed::Touches(point + away * radius, surface))
    }
}

impl MovingTerrain {
    /// Where something comes to at `until` that stands in the way of a piece from `from` on: the piece takes it along.
    pub(in crate::collision) fn carried(
        &self,
        disc: usize,
        place: DVec2,
        radius: f64,
        times: [f64; 2],
    ) -> Option<DVec2> {
        let mut parts = Vec::new();
        self.list_near(disc, Bounds::of_way([place.as_vec2(); 2], radius as f32), &mut parts);
        let (time, part) = self.first_touch(&parts, [place, DVec2::ZERO], radius, times)?;
        let (piece, _) = self.part(part)?;
        Some(piece.frame_at(times[1]).to_world(piece.frame_at(time).to_local(place)))
    }
}

impl Space {
    /// Finds the discs that lie inside of solid pieces where the tick begins.
    pub(super) fn find_covered(&mut self) {
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

    /// Of the discs that were pushed, those that came out are covered no more, and those that stay are.
    fn update_covered(&mut self, pushed: &[u32], time: f64) {
        let Self { discs, moving, .. } = self;
        let mut covered = std::mem::take(&mut moving.covered);
        covered.retain(|(disc, _)| pushed.binary_search(disc).is_err());
        for &disc in pushed {
            let at = discs.position[disc as usize];
            for piece in moving.pieces_near(disc as usize, Bounds::around(at, 0.0)) {
                let there = &moving.pieces[piece as usize];
                if there.shape.is_inside(there.frame_at(time).to_local(at.as_dvec2())) {
                    covered.push((disc, piece));
                }
            }
        }
        covered.sort_unstable();
        moving.covered = covered;
    }

    /// Where each disc is now, is where it belongs to the pieces that move: what follows may push it, but not through them.
    pub(in crate::collision) fn witness_moving_terrain(&mut self) {
        let Self { discs, moving, .. } = self;
        if !moving.is_empty() {
            moving.witness.clone_from(&discs.position);
        }
    }
}

/// Pushes discs out of moving terrain as it is at this time of the tick, and lets them bounce, if they are to; says whether any were.
pub(in crate::collision) fn push_out_of_moving(space: &mut Space, time: f64, contacts: Contacts) -> bool {
    if space.moving.is_empty() {
        return false;
    }
    let mut pushed = std::mem::take(&mut space.moving.pushed);
    pushed.clear();
    for i in 0..space.discs.len() {
        if space.push_out(i, time, contacts) {
            pushed.push(i as u32);
        }
    }
    if !space.moving.carried.is_empty() {
        pushed.append(&mut space.moving.carried);
        pushed.sort_unstable();
        pushed.dedup();
    }
    let any = !pushed.is_empty();
    space.update_covered(&pushed, time);
    // Terrain that stands may be where they are now.
    space.terrain_neighbours.pushed.extend_from_slice(&pushed);
    space.broad_phase.pushed_later(pushed.iter().copied(), &space.discs);
    space.moving.pushed = pushed;
    any
}

/// Stops the discs that were pushed out of moving terrain and have no place to go.
pub(in crate::collision) fn stop_pinned(space: &mut Space, time: f64, contacts: Contacts) {
    if space.moving.pushed.is_empty() {
        return;
    }
    let pushed = std::mem::take(&mut space.moving.pushed);
    let touching = std::mem::take(&mut space.terrain_neighbours.touching);
    for &disc in &pushed {
        let i = disc as usize;
        for round in 0..=ROUNDS {
            if !space.is_in_moving(i, time) {
                break;
            }
            if round == ROUNDS {
                space.discs.velocity[i] = Vec2::ZERO;
            } else {
                space.push_out(i, time, contacts);
                push_out_of_standing(space, disc, contacts);
            }
        }
    }
    space.terrain_neighbours.touching = touching;
    space.moving.pushed = pushed;
}

/// Takes along the discs that were stopped in the tick, and that a piece has met since.
pub(in crate::collision) fn carry_stopped(space: &mut Space) {
    let Space { discs, moving, .. } = space;
    for (disc, time) in std::mem::take(&mut moving.stopped) {
        let i = disc as usize;
        let (place, radius) = (discs.position[i].as_dvec2(), f64::from(discs.radius[i]));
        if let Some(carried) = moving.carried(i, place, radius, [time, moving.time_step]) {
            discs.previous[i] = discs.position[i];
            discs.position[i] = carried.as_vec2();
            moving.carried.push(disc);
        }
    }
}

impl Space {
    /// Whether a disc is in a moving piece by more than what a rounding may leave.
    fn is_in_moving(&self, i: usize, time: f64) -> bool {
        let (at, radius) = (self.discs.position[i], self.discs.radius[i]);
        let (place, wide) = (at.as_dvec2(), f64::from(radius));
        self.moving.pieces_near(i, Bounds::of_way([at; 2], radius)).into_iter().any(|piece| {
            self.moving.pieces[piece as usize].place([place; 2], [wide, PINNED * wide], time, |_| true).is_some()
        })
    }

    /// Pushes a disc out of all pieces; says whether it was in one.
    fn push_out(&mut self, i: usize, time: f64, contacts: Contacts) -> bool {
        let fall = self.fall_speed();
        let Self { discs, moving, terrain, hits, settings, collisions, now, table, overlap_slop, answers, .. } = self;
        let (began, radius) = (discs.position[i], discs.radius[i]);
        let witness = moving.witness.get(i).copied().unwrap_or(began);
        let bounds = Bounds::of_way([began, witness], radius);
        if !began.is_finite() || !moving.is_near(bounds) || discs.is_kinematic(i) {
            return false;
        }
        let fixed = terrain.view();
        let wide = f64::from(radius);
        let (mut witness, mut was_in) = (witness, false);
        for _ in 0..ROUNDS {
            let mut moved = false;
            for piece in moving.pieces_near(i, Bounds::of_way([discs.position[i], witness], radius)) {
                let at = discs.position[i];
                let is_free = |exit: DVec2| is_free(&fixed, at, exit, wide);
                let places = [witness, at].map(Vec2::as_dvec2);
                let placed =
                    moving.pieces[piece as usize].place(places, [wide, f64::from(*overlap_slop) * wide], time, is_free);
                let Some(placed) = placed else { continue };
                let collider = Collider::Wall(moving.pieces[piece as usize].key.1);
                let meet = answers.meet(discs.entity[i], collider, || placed.encounter(at, discs.velocity[i]));
                if !meet {
                    moving.drop_piece(i as u32, piece);
                    continue;
                }
                was_in = true;
                let surface = match placed {
                    Placed::Stays => {
                        discs.velocity[i] = Vec2::ZERO;
                        continue;
                    }
                    Placed::Out(place) => {
                        (discs.position[i], moved) = (place.as_vec2(), true);
                        continue;
                    }
                    Placed::Touches(place, surface) => {
                        (discs.position[i], moved) = (place.as_vec2(), true);
                        surface
                    }
                };
                if contacts == Contacts::Keep {
                    continue;
                }
                if moving.pieces[piece as usize].is_block() {
                    let velocity = discs.velocity[i].as_dvec2();
                    let answer = answers.at_surface(settings, None, discs.side(i), &surface, &discs.entity, velocity);
                    let around = Surroundings::new(fixed, &terrain.filter, settings, fall);
                    let weight = moving.weight_of(piece).max(f64::from(discs.gravity_scale(i).abs()));
                    let slowest = around.slowest * weight;
                    let e = |approach: f64| answer.restitution_above(slowest, approach, settings.resting_speed);
                    let mass = f64::from(discs.mass[i]);
                    let disc = HittingDisc { mass, velocity, ahead: DVec2::ZERO, held: &[] };
                    if let Some(hit) = moving.hit_block(piece, time, &surface, disc, &around, e) {
                        discs.velocity[i] = hit.velocity.as_vec2();
                    }
                    continue;
                }
                let hit = bounce_in_place(discs, i, &surface, (settings, answers), table.as_ref(), *now);
                if let Some(hit) = hit {
                    hit.record(settings, collisions, hits);
                }
            }
            if !moved {
                break;
            }
            witness = discs.position[i];
        }
        if let Some(seen) = moving.witness.get_mut(i) {
            *seen = witness;
        }
        was_in
    }
}

/// Whether terrain that stands leaves room for a disc at a place, and on the way there.
fn is_free(fixed: &TerrainView, from: Vec2, exit: DVec2, radius: f64) -> bool {
    let to = exit.as_vec2();
    let mut free = true;
    fixed.index.for_each_overlapping(Bounds::of_way([to, from], radius as f32), |piece| {
        let crossed = matches!(piece, Piece::Wall(wall) if crosses(&fixed.walls[wall as usize], from, to));
        free &= !crossed && fixed.distance(piece, exit) >= radius * (1.0 - PINNED);
    });
    free
}
