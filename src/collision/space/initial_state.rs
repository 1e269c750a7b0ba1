//! The state at the start of a tick, for comparison.

use bevy::prelude::*;

use super::PhysicsSpace;
use crate::collision::{
    FixedCircle, Wall,
    discs::Discs,
    hit::answers::Materials,
    joints::PlacedJoint,
    moving::{BlockBody, Drive, Pose},
    pockets::PocketCircle,
    terrain::filter::TerrainFilter,
};

/// Everything that a space has gathered. Two spaces with equal states develop identically under the same settings,
/// forces and time step, unless forces change with time. New kinds of gathered data belong here too.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct InitialState {
    discs: Discs,
    walls: Vec<Wall>,
    fixed_circles: Vec<FixedCircle>,
    filter: TerrainFilter,
    pieces: Vec<(Entity, Option<f32>, Pose, Drive, Option<BlockBody>)>,
    pockets: Vec<PocketCircle>,
    joints: Vec<PlacedJoint>,
    materials: Materials,
}

impl PhysicsSpace {
    pub(crate) fn initial_state(&self) -> InitialState {
        let pieces = self.moving.pieces.iter().filter(|piece| !piece.is_image);
        InitialState {
            discs: self.discs.clone(),
            walls: self.walls().to_vec(),
            fixed_circles: self.fixed_circles().to_vec(),
            filter: self.terrain.filter.clone(),
            pieces: pieces.map(|piece| (piece.key.1, piece.restitution, piece.pose, piece.drive, piece.body)).collect(),
            pockets: self.pockets().to_vec(),
            joints: self.joints.listed.clone(),
            materials: self.laws.answers.materials.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use bevy::ecs::system::SystemState;

    use super::*;
    use crate::{
        PhysicsPlugins,
        collision::Snapshot,
        components::{
            Ball, BumperKick, CollisionLayers, Disc, Friction, GravityScale, Height, IgnoredPairs, Joint, Kinematic,
            Mass, MoveTo, Orbit, Position, Radius, Restitution, SurfaceVelocity, Terrain, Velocity,
        },
    };

    fn state(world: &mut World) -> InitialState {
        SystemState::<Snapshot>::new(world).get(world).unwrap().space().initial_state()
    }

    #[test]
    fn it_tells_whatever_is_gathered() {
        let changes: [fn(&mut World, [Entity; 3]); 17] = [
            |world, [a, ..]| _ = world.entity_mut(a).insert(Restitution(0.5)),
            |world, [a, ..]| _ = world.entity_mut(a).insert(Kinematic),
            |world, [a, ..]| _ = world.entity_mut(a).insert((Kinematic, MoveTo(vec2(9.0, 9.0)))),
            |world, [a, ..]| _ = world.entity_mut(a).insert((Kinematic, Orbit { radius: 0.0, ..default() })),
            |world, [a, ..]| _ = world.entity_mut(a).insert(CollisionLayers { memberships: 2, filters: 4 }),
            |world, [a, b, _]| _ = world.entity_mut(a).insert(IgnoredPairs(vec![b])),
            |world, [a, _, wall]| _ = world.entity_mut(a).insert(IgnoredPairs(vec![wall])),
            |world, [a, b, _]| _ = world.spawn(Joint::rod(a, b, 3.0)),
            |world, [a, ..]| _ = world.entity_mut(a).insert(Mass(2.0)),
            |world, [a, ..]| _ = world.entity_mut(a).insert(Radius(0.4)),
            |world, [a, ..]| _ = world.entity_mut(a).insert(Velocity(vec2(0.0, 1.0))),
            |world, [a, ..]| _ = world.entity_mut(a).insert(Friction(0.2)),
            |world, [a, ..]| _ = world.entity_mut(a).insert(GravityScale(0.2)),
            |world, [a, ..]| _ = world.entity_mut(a).insert(Height { height: 0.1, speed: 0.0 }),
            |world, [a, ..]| _ = world.entity_mut(a).insert(Ball),
            |world, [.., wall]| _ = world.entity_mut(wall).insert(BumperKick(1.0)),
            |world, [.., wall]| _ = world.entity_mut(wall).insert(SurfaceVelocity(vec2(0.0, 1.0))),
        ];
        for (k, change) in changes.into_iter().enumerate() {
            let mut app = App::new();
            app.add_plugins((MinimalPlugins, PhysicsPlugins::default()));
            let world = app.world_mut();
            let a = world.spawn((Disc, Position(vec2(0.0, 0.0)))).id();
            let b = world.spawn((Disc, Position(vec2(3.0, 0.0)))).id();
            let wall = world.spawn((Terrain::Block { half_size: vec2(1.0, 1.0) }, Position(vec2(0.0, 5.0)))).id();
            let before = state(world);
            assert_eq!(state(world), before);
            change(world, [a, b, wall]);
            assert_ne!(state(world), before, "change {k}");
        }
    }
}
