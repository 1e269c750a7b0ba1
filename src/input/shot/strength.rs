//! Converts a pull to a speed.

use bevy::prelude::*;

use crate::{
    collision::{LIMIT, PhysicsSpace, Wall},
    scene::Surroundings,
};

/// Converts a pull to a speed. As a resource it applies to every shot. Without the resource, [`Strength::of`] derives
/// it from the [`Surroundings`].
#[derive(Resource, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Resource, Debug, PartialEq)]
pub struct Strength {
    /// Speed per length of the pull, 1/s.
    pub per_metre: f32,
    /// The highest speed, m/s.
    pub most: f32,
}

/// A hard break shot, m/s, and its pull, m. Break shots of 8 to 11 m/s are usual.
const BREAK: (f32, f32) = (10.0, 0.6);

/// In a laboratory, the speed is twice the length of the pull per second.
const LABORATORY: f32 = 2.0;

impl Strength {
    /// The strength for a scene with a length of `size` metres. On a table, a pull of 0.6 m gives a break shot of 10
    /// m/s. In a laboratory, the speed is twice the length of the pull per second, and the fastest shot crosses the
    /// scene within a second.
    #[must_use]
    pub fn of(surroundings: Surroundings, size: f32) -> Self {
        match surroundings {
            Surroundings::Table => Self { per_metre: BREAK.0 / BREAK.1, most: BREAK.0 },
            Surroundings::Laboratory => Self { per_metre: LABORATORY, most: size },
        }
    }

    /// The strength in the running scene.
    #[must_use]
    pub fn now(world: &World) -> Self {
        Self::set_or_of(world.get_resource(), world.get_resource(), world.resource())
    }

    /// The strength that is set, or else the one of a scene. The scene is measured only if no strength is set.
    fn set_or_of(set: Option<&Self>, surroundings: Option<&Surroundings>, space: &PhysicsSpace) -> Self {
        set.copied().unwrap_or_else(|| Self::of(surroundings.copied().unwrap_or_default(), scene_size(space)))
    }

    /// The velocity (m/s) of a pull (metres, from the disc to the hand).
    #[must_use]
    pub fn velocity(self, pull: Vec2) -> Vec2 {
        (-pull * self.per_metre).clamp_length_max(self.most)
    }
}

/// The length of a scene, metres: the longer side of the box around its terrain, or without terrain around its discs;
/// at least 1.
#[must_use]
pub fn scene_size(space: &PhysicsSpace) -> f32 {
    let terrain =
        space.walls().iter().flat_map(Wall::pieces).flatten().chain(space.fixed_circles().iter().map(|c| c.centre));
    let discs = space.discs.position.iter().copied();
    let extent = |points: &mut dyn Iterator<Item = Vec2>| {
        points
            .map(|point| (point, point))
            .reduce(|(low, high), (a, b)| (low.min(a), high.max(b)))
            .map(|(low, high)| (high - low).max_element())
            .filter(|extent| extent.is_finite())
    };
    let size = if space.walls().is_empty() { extent(&mut terrain.chain(discs)) } else { extent(&mut { terrain }) };
    size.unwrap_or(1.0).clamp(1.0, LIMIT)
}

/// The inputs of [`Strength::now`] as a system parameter.
#[derive(bevy::ecs::system::SystemParam)]
pub(super) struct PresentStrength<'w> {
    set: Option<Res<'w, Strength>>,
    surroundings: Option<Res<'w, Surroundings>>,
    space: Res<'w, PhysicsSpace>,
}

impl PresentStrength<'_> {
    /// The strength now. In a laboratory this visits all terrain, so call it only when something is aimed.
    pub(super) fn get(&self) -> Strength {
        Strength::set_or_of(self.set.as_deref(), self.surroundings.as_deref(), &self.space)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::components::{Position, Rotation, Terrain};

    #[test]
    fn a_pull_of_sixty_centimetres_is_a_break_shot_and_nothing_is_faster() {
        let strength = Strength::of(Surroundings::Table, 2.54);
        assert!((strength.velocity(vec2(-0.6, 0.0)) - vec2(10.0, 0.0)).length() < 1e-4);
        assert!((strength.velocity(vec2(0.0, 3.0)) - vec2(0.0, -10.0)).length() < 1e-4);
        assert!((strength.velocity(vec2(0.0, 0.06)) - vec2(0.0, -1.0)).length() < 1e-4);
    }

    #[test]
    fn in_a_laboratory_the_fastest_shot_crosses_the_scene_in_a_second() {
        let strength = Strength::of(Surroundings::Laboratory, 8.0);
        assert_eq!(strength.velocity(vec2(1.0, 0.0)), vec2(-2.0, 0.0));
        assert!((strength.velocity(vec2(100.0, 0.0)).length() - 8.0).abs() < 1e-4);
    }

    #[test]
    fn the_size_of_a_scene_is_that_of_its_walls() {
        let wall = Terrain::Segment { a: vec2(-2.0, 0.0), b: vec2(3.0, 1.0) };
        let mut space = PhysicsSpace::default();
        space.add_terrain(Entity::PLACEHOLDER, &wall, Position::default(), Rotation::default(), None);
        space.finish_terrain();
        assert!((scene_size(&space) - 5.0).abs() < 1e-6);
        assert!((scene_size(&PhysicsSpace::default()) - 1.0).abs() < 1e-6);
    }
}
