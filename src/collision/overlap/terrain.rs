//! Shared by `Walls` and `FixedCircles`: discs that overlap pieces of terrain of one kind are pushed out and bounce,
//! disc by disc and piece by piece. No centre gets through a wall, and a push that lifts is paid for with speed. The
//! continuous mode pushes them out at the start of its tick, and handles the bounces itself.

use bevy::prelude::*;

use super::Crowd;
use crate::collision::{
    discs::Discs,
    hit::{
        HitTarget, Surface,
        answers::{Answers, Encounter},
        bounce_in_place,
    },
    overlap::containment::{pay, reach, stay_inside},
    shape::wall::{crosses, touch},
    terrain::{
        StandingTerrain, TerrainView, away_from,
        index::Piece,
        local::{LocalTerrain, Met},
        neighbours::TerrainNeighbours,
    },
    tick::Laws,
};

/// An overlap of a disc with a piece of terrain.
pub struct TerrainContact {
    pub piece: Piece,
    /// The direction away from the piece, of any length.
    pub away: Vec2,
    /// The same with length 1.
    pub normal: Vec2,
    /// The new centre of the disc, so that it just touches, metres.
    pub centre: Vec2,
    /// The point of contact, metres.
    pub point: Vec2,
}

impl TerrainContact {
    /// The contact of a disc with this velocity.
    fn encounter(&self, velocity: Vec2) -> Encounter {
        Encounter { point: self.point.as_dvec2(), normal: -self.normal.as_dvec2(), relative: velocity.as_dvec2() }
    }
}

/// The overlap of a disc with a piece by more than a share of its radius. `None` if there is none, or if the step does
/// not handle this kind of piece.
pub type FindContact = fn(Piece, &TerrainView, &Discs, usize, f32) -> Option<TerrainContact>;

/// What happens to the velocity of a disc that has been pushed out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contacts {
    /// It bounces.
    Bounce,
    /// It keeps its velocity, which is the mean velocity of the next tick. If it were reversed here, at no time of its
    /// parabola, it would gain or lose the change by gravity in half a tick.
    Keep,
}

/// Pushes all discs out of terrain, at the start of a tick of the continuous mode. A disc that moves further into it
/// then hits it at once.
pub fn push_out_of_terrain(crowd: &mut Crowd) {
    if crowd.terrain.is_empty() {
        return;
    }
    crowd.terrain_neighbours.prepare(crowd.discs.len(), &crowd.terrain.view());
    // No step has listed the discs near terrain, so all are checked.
    let all: Vec<u32> = { 0..crowd.discs.len() as u32 }
        .filter(|&i| !crowd.discs.is_kinematic(i as usize))
        // A ball above the cloth meets terrain on its path.
        .filter(|&i| !crowd.laws.balls_fly() || crowd.discs.height_of(i as usize).is_none())
        .collect();
    push_out_of_standing(crowd, &all, Contacts::Keep);
}

/// Pushes some discs out of terrain.
pub fn push_out_of_standing(crowd: &mut Crowd, discs: &[u32], contacts: Contacts) {
    if crowd.terrain.is_empty() {
        return;
    }
    resolve_terrain_contacts(crowd, discs, find_wall, contacts);
    resolve_terrain_contacts(crowd, discs, find_circle, contacts);
}

/// Drops the walls that the centre of a disc has crossed since it was moved, if contact hooks say so.
fn drop_crossed(discs: &mut Discs, i: usize, met: &Met, answers: &Answers) {
    let (from, to) = (discs.previous[i], discs.position[i]);
    let Met { pieces, fixed, .. } = met;
    for piece in *pieces {
        let Piece::Wall(at) = *piece else { continue };
        let wall = &fixed.walls[at as usize];
        if !crosses(wall, from, to) {
            continue;
        }
        let (velocity, centre) = (discs.velocity[i].as_dvec2(), from.as_dvec2());
        let (away, point) = away_from(*piece, fixed, centre, velocity);
        let encounter = || Encounter { point, normal: -away, relative: velocity };
        if !answers.meet(discs.entity[i], HitTarget::Wall(wall.entity), encounter) {
            discs.filter.drop_terrain(i, wall.entity);
        }
    }
}

/// Pushes some discs out of the pieces of one kind, in the order of the list and of the pieces, and bounces them.
fn resolve_terrain_contacts(crowd: &mut Crowd, list: &[u32], find: FindContact, contacts: Contacts) {
    let Crowd { discs, terrain, terrain_neighbours, broad_phase, resting, laws, clock, report, .. } = crowd;
    let Laws { settings, table, answers, .. } = laws;
    let (acceleration, overlap_slop) = (laws.acceleration(resting), laws.overlap_slop());
    // The change by gravity since the position was exact.
    let ahead = if contacts == Contacts::Keep { acceleration * (0.5 * clock.time_step) } else { Vec2::ZERO };
    let fixed = terrain.view();
    let mut local = LocalTerrain::default();
    for &disc in list {
        let i = disc as usize;
        let (before, radius) = (discs.position[i], discs.radius[i]);
        let pieces = terrain_neighbours.list(i, &fixed, before, reach(discs, i), radius);
        let mut met = local.met_by(i, discs, pieces, &fixed, &terrain.filter);
        if !answers.hooks.is_empty() {
            drop_crossed(discs, i, &met, answers);
            met = local.met_by(i, discs, pieces, &fixed, &terrain.filter);
        }
        stay_inside(discs, met.pieces, &met.fixed, i);
        let touches = || met.pieces.iter().any(|&piece| find(piece, &met.fixed, discs, i, overlap_slop).is_some());
        if discs.position[i] == before && !touches() {
            continue;
        }
        let mut last: Option<Piece> = None;
        // A push out of one piece may lead into another.
        loop {
            let pieces = terrain_neighbours.list(i, &fixed, discs.position[i], radius, radius);
            let met = local.met_by(i, discs, pieces, &fixed, &terrain.filter);
            let later =
                met.pieces.iter().zip(met.sources).filter(|(_, source)| last.is_none_or(|last| **source > last));
            let mut found = later.map(|(&piece, source)| (find(piece, &met.fixed, discs, i, overlap_slop), source));
            let Some((Some(contact), &source)) = found.find(|(contact, _)| contact.is_some()) else { break };
            last = Some(source);
            let (target, velocity) = (met.fixed.obstacle(contact.piece).target, discs.velocity[i]);
            let entity = target.with_entity(&discs.entity);
            if !answers.meet(discs.entity[i], entity, || contact.encounter(velocity)) {
                discs.filter.drop_terrain(i, target.entity_of_terrain());
                continue;
            }
            discs.position[i] = contact.centre;
            if contacts == Contacts::Keep {
                continue;
            }
            let [away, point] = [contact.away, contact.point].map(Vec2::as_dvec2);
            let surface = Surface::standing(away, point, met.fixed.obstacle(contact.piece));
            let hit = bounce_in_place(discs, i, &surface, settings, answers, table.as_ref(), clock.now);
            if let Some(hit) = hit {
                report.record(hit, settings);
            }
        }
        let pieces = terrain_neighbours.list(i, &fixed, discs.position[i], reach(discs, i), radius);
        let met = local.met_by(i, discs, pieces, &fixed, &terrain.filter);
        stay_inside(discs, met.pieces, &met.fixed, i);
        let scale = discs.gravity_scale(i);
        pay(discs, i, before, [acceleration * scale, ahead * scale]);
        broad_phase.pushed_later([disc], discs);
    }
}

/// Resolves the contacts of discs that came near terrain on their paths or were pushed there, with the pieces of one
/// kind.
pub fn resolve_touching(crowd: &mut Crowd, find: FindContact) {
    let touching = std::mem::take(&mut crowd.terrain_neighbours.touching);
    resolve_terrain_contacts(crowd, &touching, find, Contacts::Bounce);
    crowd.terrain_neighbours.touching = touching;
}

/// Adds the discs that were pushed near terrain to those that came near it on their paths.
pub fn add_pushed(discs: &Discs, terrain: &StandingTerrain, terrain_neighbours: &mut TerrainNeighbours) {
    terrain_neighbours.prepare(discs.len(), &terrain.view());
    let pushed = std::mem::take(&mut terrain_neighbours.pushed);
    let known = terrain_neighbours.touching.len();
    for &disc in &pushed {
        let i = disc as usize;
        if i < discs.len() && terrain_neighbours.is_near(i, discs.position[i], discs.radius[i]) {
            terrain_neighbours.touching.push(disc);
        }
    }
    terrain_neighbours.pushed = pushed;
    if terrain_neighbours.touching.len() > known {
        terrain_neighbours.touching.sort_unstable();
        terrain_neighbours.touching.dedup();
    }
    terrain_neighbours.touching.retain(|&disc| (disc as usize) < discs.len());
}

/// The overlap of a disc with a piece of terrain, if that is a wall.
pub fn find_wall(
    piece: Piece,
    fixed: &TerrainView,
    discs: &Discs,
    i: usize,
    overlap_slop: f32,
) -> Option<TerrainContact> {
    let Piece::Wall(wall) = piece else { return None };
    let (centre, radius) = (discs.position[i], discs.radius[i]);
    let touch = touch(&fixed.walls[wall as usize], discs.previous[i], centre, radius)?;
    (touch.penetration > overlap_slop * radius).then(|| TerrainContact {
        piece,
        away: touch.away,
        normal: touch.away.normalize(),
        centre: centre + touch.away * (touch.penetration / touch.away.length()),
        point: touch.point,
    })
}

/// The overlap of a disc with a piece of terrain, if that is a corner or bumper.
pub fn find_circle(
    piece: Piece,
    fixed: &TerrainView,
    discs: &Discs,
    i: usize,
    overlap_slop: f32,
) -> Option<TerrainContact> {
    let Piece::FixedCircle(circle) = piece else { return None };
    let circle = &fixed.fixed_circles[circle as usize];
    let (away, radius) = (discs.position[i] - circle.centre, discs.radius[i]);
    if !circle.is_touched(away, radius * (1.0 - overlap_slop) + circle.radius) {
        return None;
    }
    let distance = away.length();
    let (away, normal) = if distance == 0.0 {
        // A centre exactly on the point goes back where it came from.
        let back = (discs.previous[i] - circle.centre).try_normalize().unwrap_or(Vec2::X);
        (back, back)
    } else {
        (away, away / distance)
    };
    let centre = circle.centre + normal * (radius + circle.radius);
    Some(TerrainContact { piece, away, normal, centre, point: circle.centre + normal * circle.radius })
}
