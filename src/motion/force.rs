//! A force on one disc.

use bevy::prelude::*;

use crate::collision::PhysicsSpace;

/// Applies a force (newtons) to one disc for a substep: the velocity changes by `force / mass * substep`. Over a tick
/// that adds up to `force / mass * time_step`, in both modes. Use it in the [`ForceLaw`](super::ForceLaw)s of a game
/// and in systems in [`SubstepSystems::Forces`](crate::collision::SubstepSystems::Forces).
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::{motion, prelude::*};
/// /// A motor; newtons.
/// #[derive(Component)]
/// struct Thrust(Vec2);
///
/// fn push(mut space: ResMut<PhysicsSpace>, motors: Query<(Entity, &StableId, &Thrust)>) {
///     for (entity, id, thrust) in &motors {
///         if let Some(disc) = space.discs.index_of(entity, *id) {
///             motion::force(&mut space, disc, thrust.0);
///         }
///     }
/// }
/// # let mut app = App::new();
/// app.add_systems(Substep, push.in_set(SubstepSystems::Forces));
/// ```
///
/// # Panics
/// If no disc has this index.
pub fn force(space: &mut PhysicsSpace, disc: usize, force: Vec2) {
    let change = force * (space.substep() / space.discs.mass[disc]);
    space.discs.velocity[disc] += change;
}
