//! Checks that the contents of a scene fit into the cell of periodic edges.

use crate::{
    collision::{MIN_PERIOD, Periodic},
    components::{Inactive, InvalidValue, Rotation, Sensor, Terrain},
    scene::{
        contents::{Contents, Listed},
        entries::TerrainEntry,
    },
};

/// The largest total number of walls and corners of all terrain, counting its images across the edges. A piece within
/// the cell has up to nine images, a piece many periods long up to 256.
const MAX_IMAGES: usize = 1_000_000;

/// The largest number of images of a piece along an axis.
const MAX_ALONG_AXIS: f32 = 16.0;

/// Checks that terrain has few enough images across the edges for memory in proportion to the scene.
pub(in crate::scene) fn check_images(periodic: &Periodic, contents: &Contents) -> Result<(), InvalidValue> {
    if periodic.is_open() {
        return Ok(());
    }
    let parts = |piece: &TerrainEntry| match &piece.shape {
        Terrain::Polygon { points } | Terrain::Polyline { points } => points.len(),
        Terrain::Block { .. } | Terrain::Arena { .. } => 4,
        Terrain::Segment { .. } | Terrain::Arc { .. } => 2,
        Terrain::Circle { .. } => 1,
    };
    let all = contents.terrain.iter().filter(|piece| !piece.has::<Inactive>() && !piece.has::<Sensor>());
    let count = all.map(|piece| parts(piece) * images_of(piece, periodic)).fold(0, usize::saturating_add);
    if count > MAX_IMAGES {
        let problem = format!(
            "the terrain reaches across its edges so often that it would be {count} walls and corners; make the cell \
             larger, for {MAX_IMAGES} at most"
        );
        return Err(InvalidValue::without_value("collision.periodic", problem));
    }
    Ok(())
}

/// An upper bound for the number of images of a piece of terrain. Images count if they reach into the cell or into the
/// half period around it.
fn images_of(piece: &TerrainEntry, periodic: &Periodic) -> usize {
    let Some(bounds) = piece.shape.bounds(piece.start(), Rotation(piece.rotation)) else { return 0 };
    let along = |ends: Option<(f32, f32)>, size: f32| {
        ends.map_or(1, |(low, high)| (size / (high - low) + 3.0).min(MAX_ALONG_AXIS) as usize)
    };
    along(periodic.x, bounds.width()) * along(periodic.y, bounds.height())
}

/// Warns of the first thing that does not fit, with the remedy. That is a pocket across an edge, because pockets have
/// no images, or a disc for which the solver leaves the edges open.
pub(super) fn check(periodic: &Periodic, contents: &Contents, listed: Listed) -> Option<String> {
    let periods = [("x", periodic.x), ("y", periodic.y)];
    let shortest = periods.into_iter().filter_map(|(axis, ends)| ends.map(|(low, high)| (axis, high - low)));
    let (axis, period) = shortest.min_by(|a, b| a.1.total_cmp(&b.1))?;
    let beyond = contents.pockets.iter().position(|pocket| {
        let reaches = |ends: Option<(f32, f32)>, at: f32| {
            ends.is_some_and(|(low, high)| at - pocket.radius < low || at + pocket.radius > high)
        };
        reaches(periodic.x, pocket.position.x) || reaches(periodic.y, pocket.position.y)
    });
    if let Some(i) = beyond {
        return Some(format!(
            "{} reaches beyond an edge of collision.periodic, where it has no image; move it into the cell",
            listed.pocket(i)
        ));
    }
    contents.discs.iter().enumerate().find_map(|(i, disc)| {
        let place = listed.disc(i);
        if disc.ball || disc.angular_velocity.is_some() {
            return Some(format!(
                "{place} spins, so that the edges of collision.periodic are open; leave its angular_velocity out"
            ));
        }
        let most = period / (2.0 * MIN_PERIOD);
        let radius = disc.radius;
        (radius > most).then(|| {
            format!(
                "{place}.radius is {radius}, so that the edges of collision.periodic are open; with a collision.periodic.{axis} of \
                 {period} m make it {most} m at most"
            )
        })
    })
}
