//! Queries: what lies where, between ticks. Rays, discs that are cast, whole paths with their bounces, what is nearest,
//! what overlaps; exact, in f64, by the same times of impact as the continuous mode. Nothing here changes anything, and
//! nothing is spent where nobody asks.
//!
//! | module | what it answers |
//! |---|---|
//! | `cast` | what a ray or a disc touches first on a straight way, and all that it touches |
//! | `path` | where a disc gets to off terrain, bounce by bounce |
//! | `near` | which disc, which point of terrain is nearest; which discs overlap a disc or a box |
//! | `across` | the same across periodic edges |
//! | `filter` | whom to leave out |
//! | `index` | where all is, made when somebody first asks after a tick |

use core::ops::Deref;

use bevy::{ecs::system::SystemParam, prelude::*};

use super::PhysicsSpace;

mod across;
mod cast;
mod filter;
mod index;
mod near;
mod path;

pub use cast::CastHit;
pub use filter::SpatialQueryFilter;
pub use index::QueryIndex;
pub use near::NearestPoint;
pub use path::{CastPath, PathCast, PathPoint};

/// Questions about what lies where, for systems: the methods of [`PhysicsSpace`] that begin with `cast`, `ray`, `disc` and
/// `nearest`.
///
/// They are answered on the state of the last tick, as [`PhysicsSpace`] keeps it: what was spawned, moved, changed or
/// despawned since is seen after the next one, and before the first tick there is nothing. Places are exact: a ray
/// meets a rim where the continuous mode would. The first question after a tick sorts the discs into a grid, once for
/// all that follow; what they cost: `cargo bench --bench queries`.
///
/// With periodic edges they see across them, as far as half a period: a way goes on at the other side, for up to 1024
/// edges, and places are those within the cell.
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::{collision::SpatialQueryFilter, prelude::*};
/// # #[derive(Component)]
/// # struct Turret;
/// fn aim(query: SpatialQuery, turrets: Query<(Entity, &Position), With<Turret>>) {
///     for (turret, position) in &turrets {
///         let own = [turret];
///         let filter = SpatialQueryFilter::default().excluding(&own);
///         if let Some(hit) = query.cast_ray(position.0, Dir2::X, 20.0, &filter) {
///             println!("{} in {} m, at {}", hit.entity(), hit.distance, hit.point);
///         }
///     }
/// }
/// ```
#[derive(SystemParam)]
pub struct SpatialQuery<'w> {
    space: Res<'w, PhysicsSpace>,
}

impl Deref for SpatialQuery<'_> {
    type Target = PhysicsSpace;

    fn deref(&self) -> &PhysicsSpace {
        &self.space
    }
}
