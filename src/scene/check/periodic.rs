//! Periodic edges: whether what is in a scene fits into their cell.

use super::Listed;
use crate::{
    collision::{MIN_PERIOD, Periodic},
    scene::generate::Contents,
};

/// The first thing that does not, with what can be done.
pub(in crate::scene) fn check(periodic: &Periodic, contents: &Contents, listed: Listed) -> Result<(), String> {
    let periods = [("x", periodic.x), ("y", periodic.y)];
    let shortest = periods.into_iter().filter_map(|(axis, ends)| ends.map(|(low, high)| (axis, high - low)));
    let Some((axis, period)) = shortest.min_by(|a, b| a.1.total_cmp(&b.1)) else { return Ok(()) };
    if contents.table.is_some() || !contents.pockets.is_empty() {
        return Err("collision.periodic: tables and pockets have no periodic edges; leave them out".into());
    }
    for (i, disc) in contents.discs.iter().enumerate() {
        let place = listed.disc(i);
        if disc.ball || disc.angular_velocity.is_some() {
            return Err(format!(
                "{place} spins, which nothing does with collision.periodic; leave its angular_velocity out"
            ));
        }
        let most = period / (2.0 * MIN_PERIOD);
        if disc.radius > most {
            let radius = disc.radius;
            return Err(format!(
                "{place}.radius is {radius}; with a collision.periodic.{axis} of {period} m it must be {most} m at most"
            ));
        }
    }
    Ok(())
}
