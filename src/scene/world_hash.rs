//! The hash of a state: its discs, and its terrain that moves. A link contains it.

use bevy::prelude::*;
use xxhash_rust::xxh3::Xxh3Default;

use super::{capture::capture_terrain, entries::TerrainEntry, source::SceneSource};
use crate::{
    collision::{Discs, measure},
    components::{MoveTo, Orbit, Oscillation, TurnTo},
    link::PHYSICS,
    notice::{NoticeText, mark},
};

/// A 64-bit hash (XXH3) of the state of a world. Two runs with the same hash at every tick are the same run.
///
/// It covers the discs as [`measure::state_hash`] does, and then the terrain that moves, in the order of ids. For each
/// piece it contains the bits of id, position, rotation, velocity, angular velocity, and of the phase of a periodic
/// motion. Zeros have no sign. Without terrain that moves it equals [`measure::state_hash`].
///
/// Terrain moves if it has a velocity, a mass, or one of [`MoveTo`], [`TurnTo`], [`Oscillation`] and [`Orbit`]. The
/// edges of tiles are not included.
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::{collision::{Discs, measure::state_hash}, prelude::*, scene::world_hash};
/// let mut app = App::new();
/// app.add_plugins((MinimalPlugins, PhysicsPlugins::default()));
/// let world = app.world_mut();
/// assert_eq!(world_hash(world), state_hash(&Discs::of(world)));
/// world.spawn((Terrain::Circle { radius: 1.0 }, Velocity(Vec2::X)));
/// assert_ne!(world_hash(world), state_hash(&Discs::of(world)));
/// ```
pub fn world_hash(world: &mut World) -> u64 {
    let mut terrain = capture_terrain(world);
    terrain.sort_by_key(|(key, _)| *key);
    let terrain: Vec<TerrainEntry> = terrain.into_iter().map(|(_, piece)| piece).collect();
    hash_of(&Discs::of(world), &terrain)
}

/// The hash of these discs and this terrain, which is in the order of its ids. A piece without an id has its index as
/// its id.
pub(super) fn hash_of(discs: &Discs, terrain: &[TerrainEntry]) -> u64 {
    let of_discs = measure::state_hash(discs);
    let mut moving = (0..).zip(terrain).filter(|(_, piece)| moves(piece)).peekable();
    if moving.peek().is_none() {
        return of_discs;
    }
    let mut hasher = Xxh3Default::new();
    hasher.update(&of_discs.to_le_bytes());
    for (index, piece) in moving {
        let id: u64 = piece.id.unwrap_or(index);
        let (position, velocity) = (piece.position, piece.velocity.unwrap_or_default());
        let spin = piece.angular_velocity.unwrap_or_default();
        let phases = [piece.get().map(|orbit: &Orbit| orbit.phase), piece.get().map(|swing: &Oscillation| swing.phase)];
        hasher.update(&id.to_le_bytes());
        for value in [position.x, position.y, piece.rotation, velocity.x, velocity.y, spin] {
            let value = if value == 0.0 { 0.0 } else { value };
            hasher.update(&value.to_bits().to_le_bytes());
        }
        for phase in phases.into_iter().flatten() {
            let phase = if phase == 0.0 { 0.0 } else { phase };
            hasher.update(&phase.to_bits().to_le_bytes());
        }
    }
    hasher.digest()
}

fn moves(piece: &TerrainEntry) -> bool {
    let is_driven =
        piece.has::<MoveTo>() || piece.has::<TurnTo>() || piece.has::<Oscillation>() || piece.has::<Orbit>();
    is_driven || piece.mass.is_some() || piece.velocity.is_some() || piece.angular_velocity.is_some()
}

/// Describes the difference if the state of a scene from a link differs from the linked one, or if the physics has
/// another version.
pub(super) fn departure(world: &mut World, source: &SceneSource) -> Option<NoticeText> {
    let SceneSource::Link(link) = source else { return None };
    let versions = [link.physics.as_str(), PHYSICS].map(str::to_owned);
    if world_hash(world) != link.hash {
        return Some(NoticeText::new(
            mark(
                "The state differs from the one that was linked, by carom {}; this is carom {}. One of your settings, the scene or the physics has changed since.",
            ),
            versions,
        ));
    }
    (link.physics != PHYSICS).then(|| {
        NoticeText::new(
            mark("The link was made by carom {}, and this is carom {}: the start is bit-identical, but the rest may differ."),
            versions,
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::components::Terrain;

    fn hash(piece: TerrainEntry) -> u64 {
        hash_of(&Discs::default(), &[piece])
    }

    #[test]
    fn pose_and_motion_of_moving_terrain_count_and_those_of_static_terrain_do_not() {
        let discs = measure::state_hash(&Discs::default());
        let piece = TerrainEntry::new(Terrain::Circle { radius: 1.0 });
        assert_eq!(hash(piece.clone()), discs);
        assert_eq!(hash(TerrainEntry { position: Vec2::X, ..piece.clone() }), discs);
        let moving = TerrainEntry { velocity: Some(Vec2::ZERO), ..piece };
        let alike = [
            TerrainEntry { id: Some(0), ..moving.clone() },
            TerrainEntry { velocity: Some(-Vec2::ZERO), ..moving.clone() },
            TerrainEntry { mass: Some(1.0), velocity: None, ..moving.clone() },
        ];
        for other in alike {
            assert_eq!(hash(moving.clone()), hash(other.clone()), "{other:?}");
        }
        let swing = |phase| {
            let mut piece = moving.clone();
            piece.optional.set(Oscillation { phase, ..Oscillation::default() });
            piece
        };
        let others = [
            TerrainEntry { id: Some(1), ..moving.clone() },
            TerrainEntry { position: Vec2::new(f32::from_bits(1), 0.0), ..moving.clone() },
            TerrainEntry { rotation: f32::from_bits(1), ..moving.clone() },
            TerrainEntry { velocity: Some(Vec2::new(0.0, f32::from_bits(1))), ..moving.clone() },
            TerrainEntry { angular_velocity: Some(f32::from_bits(1)), ..moving.clone() },
            swing(0.25),
            swing(0.75),
        ];
        let hashes: Vec<u64> = [moving.clone()].into_iter().chain(others).map(hash).chain([discs]).collect();
        for (i, one) in hashes.iter().enumerate() {
            assert!(!hashes[..i].contains(one), "{i}");
        }
    }
}
