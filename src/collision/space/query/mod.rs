//! Spatial queries between ticks: rays, cast discs, whole paths with their bounces, nearest points, overlaps. They are
//! exact, in f64, with the same times of impact as the continuous mode. They change nothing, and cost nothing if
//! unused.
//!
//! | module | answers |
//! |---|---|
//! | `cast` | the first hit of a ray or a disc on a straight path, and all of its hits |
//! | `path` | the path of a disc off terrain, bounce by bounce |
//! | `near` | the nearest disc, the nearest point of terrain; the discs that overlap a disc or a box |
//! | `across` | the same across periodic edges |
//! | `filter` | which entities to consider |
//! | `index` | the positions, built for the first query after a tick |

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

/// Spatial queries for systems: the methods of [`PhysicsSpace`] that start with `cast`, `ray`, `disc` and `nearest`.
///
/// They see the state of the last tick in [`PhysicsSpace`]. Spawns, despawns and changes since then are seen after the
/// next tick; before the first tick there is nothing. Positions are exact: a ray hits a rim where the continuous mode
/// would. The first query after a tick sorts the discs into a grid for all later queries. To measure the cost, run
/// `cargo bench --bench queries`.
///
/// With periodic edges, queries see across them up to half a period. A path continues on the other side, for up to 1024
/// edges, and positions are within the cell.
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
