//! Finds the disc under a point.

use bevy::prelude::*;

/// The disc at `point` (metres), out of discs given as entity, centre and radius (metres). Among the discs that contain
/// the point, the nearest centre wins. Otherwise it is the disc with the nearest rim within `slack` (metres), so that
/// tiny discs can also be picked.
#[must_use]
pub fn disc_at(point: Vec2, slack: f32, discs: impl IntoIterator<Item = (Entity, Vec2, f32)>) -> Option<Entity> {
    discs
        .into_iter()
        .map(|(entity, centre, radius)| {
            let distance = centre.distance(point);
            (entity, (distance - radius).max(0.0), distance)
        })
        // NaN compares as false, so a disc without a valid position is never picked.
        .filter(|&(_, rim, distance)| rim <= slack && distance >= 0.0)
        .min_by(|a, b| a.1.total_cmp(&b.1).then(a.2.total_cmp(&b.2)).then(a.0.cmp(&b.0)))
        .map(|(entity, ..)| entity)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entity(index: u64) -> Entity {
        Entity::from_bits(index + 1)
    }

    #[test]
    fn of_two_discs_over_the_point_the_nearer_centre_wins() {
        let discs = [(entity(0), Vec2::ZERO, 1.0), (entity(1), vec2(0.8, 0.0), 1.0)];
        assert_eq!(disc_at(vec2(0.5, 0.0), 0.0, discs), Some(entity(1)));
        assert_eq!(disc_at(vec2(0.3, 0.0), 0.0, discs), Some(entity(0)));
    }

    #[test]
    fn a_near_miss_counts_only_within_the_slack() {
        let discs = [(entity(0), Vec2::ZERO, 1.0)];
        assert_eq!(disc_at(vec2(1.05, 0.0), 0.1, discs), Some(entity(0)));
        assert_eq!(disc_at(vec2(1.2, 0.0), 0.1, discs), None);
    }

    #[test]
    fn a_disc_that_is_nowhere_is_not_picked() {
        assert_eq!(disc_at(Vec2::ZERO, 1.0, [(entity(0), Vec2::NAN, 1.0)]), None);
    }
}
