//! Computes which balls the cue ball can reach in a straight line: snookers, and balls in sight. These are plain
//! functions of positions.
//!
//! The definitions come from the World Professional Billiards and Snooker Association (WPBSA), "Official Rules of the
//! Games of Snooker and English Billiards": section 2, rule 17, and section 3, rule 14.
//!
//! All positions are centres, metres, and all balls have the same radius. `others` are the obstructing balls, those not
//! on. Balls on do not obstruct, nor do cushions.

use bevy::math::{DVec2, Vec2, dvec2};

use crate::games::rules::{BallId, GameTable, Layout, Region, TOUCHING_GAP};

/// The grid spacing of the search in the D, metres.
const GRID: f32 = 0.01;

/// The overlap of two balls below which they do not obstruct each other, metres: more than rounding errors, and
/// invisible.
const ROUNDING: f64 = 1e-6;

/// Whether the cue ball is snookered on all of these balls: it cannot hit both extreme edges of any of them in a
/// straight line.
#[must_use]
pub fn is_snookered(cue_ball: Vec2, on: &[Vec2], others: &[Vec2], radius: f32) -> bool {
    !on.iter().any(|&ball| can_hit_both_edges(cue_ball, ball, others, radius))
}

/// Whether a cue ball in hand is snookered on all of these balls from every place in the D. A free region narrower than
/// a centimetre may be missed; the ball then counts as snookered.
#[must_use]
pub fn is_snookered_in_hand(
    table: &GameTable,
    layout: &Layout,
    cue_ball: BallId,
    on: &[Vec2],
    others: &[Vec2],
) -> bool {
    let radius = table.ball_radius();
    let Some(baulk) = table.spec.baulk else { return false };
    let (line, size) = (baulk.line as f32, baulk.radius as f32);
    let steps = (size / GRID) as i16;
    let mut places = (0..=steps)
        .flat_map(|x| (-steps..=steps).map(move |y| Vec2::new(line - f32::from(x) * GRID, f32::from(y) * GRID)));
    let is_open = |place: Vec2| {
        Region::D.contains(place, table)
            && layout.is_free(place, radius, Some(cue_ball))
            && !is_snookered(place, on, others, radius)
    };
    !places.any(is_open)
}

/// Whether the cue ball can hit both extreme edges of a ball in a straight line, as thinly as possible.
#[must_use]
pub fn can_hit_both_edges(cue_ball: Vec2, ball: Vec2, others: &[Vec2], radius: f32) -> bool {
    let sight = LineOfSight::new(cue_ball, ball, others, radius);
    sight.is_touching() || sight.edges().into_iter().all(|end| sight.is_clear_to(end))
}

/// Whether the cue ball can hit a ball full in a straight line.
#[must_use]
pub fn can_hit_fully(cue_ball: Vec2, ball: Vec2, others: &[Vec2], radius: f32) -> bool {
    let sight = LineOfSight::new(cue_ball, ball, others, radius);
    let distance = sight.ball.length();
    sight.is_touching() || sight.is_clear_to(sight.ball * ((distance - sight.reach) / distance))
}

/// Whether the cue ball can hit any part of a ball in a straight line.
#[must_use]
pub fn can_hit(cue_ball: Vec2, ball: Vec2, others: &[Vec2], radius: f32) -> bool {
    let sight = LineOfSight::new(cue_ball, ball, others, radius);
    if sight.is_touching() {
        return true;
    }
    // Open directions form ranges. A range ends along an edge of the target or of an obstructing ball, or where the cue
    // ball would hit both at once. So testing one direction between each two of these is enough.
    let [left, right] = sight.edges().map(DVec2::normalize);
    let inside = |way: &DVec2| way.perp_dot(left) * way.perp_dot(right) <= 0.0 && way.dot(sight.ball) > 0.0;
    let mut ways = vec![left, right];
    for &other in &sight.others {
        ways.extend(sight.edges_of(other).into_iter().flatten().map(DVec2::normalize).filter(inside));
        let between = other - sight.ball;
        let half = 0.5 * between.length();
        if half > 0.0 && half < sight.reach {
            let aside = between.perp() / (2.0 * half) * (sight.reach * sight.reach - half * half).sqrt();
            let middle = 0.5 * (other + sight.ball);
            ways.extend([middle + aside, middle - aside].map(DVec2::normalize_or_zero).into_iter().filter(inside));
        }
    }
    let axis = sight.ball.normalize();
    ways.sort_by(|a, b| axis.perp_dot(*a).total_cmp(&axis.perp_dot(*b)));
    ways.windows(2).any(|pair| {
        let way = (pair[0] + pair[1]).normalize_or_zero();
        let Some(to_ball) = sight.time_to(sight.ball, way) else { return false };
        pair[0].distance(pair[1]) > ROUNDING
            && sight.others.iter().all(|&other| sight.time_to(other, way).is_none_or(|to_other| to_other > to_ball))
    })
}

/// The surroundings of the cue ball, which is at the origin.
struct LineOfSight {
    ball: DVec2,
    others: Vec<DVec2>,
    /// The distance at which two balls touch, metres.
    reach: f64,
}

impl LineOfSight {
    fn new(cue_ball: Vec2, ball: Vec2, others: &[Vec2], radius: f32) -> Self {
        let from = |place: Vec2| place.as_dvec2() - cue_ball.as_dvec2();
        Self {
            ball: from(ball),
            others: others.iter().map(|&other| from(other)).collect(),
            reach: 2.0 * f64::from(radius),
        }
    }

    fn is_touching(&self) -> bool {
        self.ball.length() <= self.reach + f64::from(TOUCHING_GAP)
    }

    /// The centres of the cue ball as it touches either edge of the target.
    fn edges(&self) -> [DVec2; 2] {
        self.edges_of(self.ball).expect("the balls do not touch")
    }

    /// The same for another ball, or `None` if it touches the cue ball.
    fn edges_of(&self, ball: DVec2) -> Option<[DVec2; 2]> {
        let squared = ball.length_squared();
        let sin = self.reach / squared.sqrt();
        let cos_squared = 1.0 - sin * sin;
        (cos_squared > 0.0).then(|| {
            let cos = cos_squared.sqrt();
            [1.0, -1.0].map(|side| (ball * cos + ball.perp() * (side * sin)) * cos)
        })
    }

    /// Whether the straight path of the cue ball to this place is free.
    fn is_clear_to(&self, end: DVec2) -> bool {
        let squared = end.length_squared();
        self.others.iter().all(|&other| {
            let share = if squared > 0.0 { (other.dot(end) / squared).clamp(0.0, 1.0) } else { 0.0 };
            other.distance(end * share) >= self.reach - ROUNDING
        })
    }

    /// How far the cue ball travels in this direction (of length 1) before it hits a ball, metres, or `None` if it
    /// misses.
    fn time_to(&self, ball: DVec2, way: DVec2) -> Option<f64> {
        let DVec2 { x: along, y: aside } = dvec2(ball.dot(way), ball.perp_dot(way));
        (along > 0.0 && aside.abs() < self.reach).then(|| along - (self.reach * self.reach - aside * aside).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::{ops, vec2};
    use proptest::prelude::*;

    use super::*;

    const R: f32 = 0.025;

    #[test]
    fn nothing_in_the_way_is_no_snooker_and_a_ball_before_the_middle_is_one() {
        let ball = vec2(1.0, 0.0);
        assert!(!is_snookered(Vec2::ZERO, &[ball], &[], R));
        assert!(is_snookered(Vec2::ZERO, &[ball], &[vec2(0.5, 0.0)], R));
        assert!(!is_snookered(Vec2::ZERO, &[ball], &[vec2(1.5, 0.0), vec2(-0.1, 0.0)], R), "behind one or the other");
        assert!(!is_snookered(Vec2::ZERO, &[ball, vec2(0.0, 1.0)], &[vec2(0.5, 0.0)], R), "one of them is enough");
        assert!(is_snookered(Vec2::ZERO, &[], &[], R));
    }

    /// A ball at half the distance obstructs one edge exactly if it lies closer than 2R to the tangent, which it
    /// touches at `y = 2R / cos(asin(2R / d)) + tan(asin(2R / d)) x`.
    #[test]
    fn the_edge_is_where_geometry_has_it() {
        let (ball, reach) = (vec2(1.0, 0.0), 2.0 * R);
        let sin = reach;
        let cos = (1.0 - sin * sin).sqrt();
        for (x, sign) in [(0.3, 1.0), (0.5, -1.0), (0.8, 1.0)] {
            let limit = reach / cos + sin / cos * x;
            let at = |past: f32| vec2(x, sign * (limit + past));
            assert!(can_hit_both_edges(Vec2::ZERO, ball, &[at(1e-5)], R));
            assert!(!can_hit_both_edges(Vec2::ZERO, ball, &[at(-1e-5)], R));
            assert!(can_hit(Vec2::ZERO, ball, &[at(-1e-5)], R), "the rest of it is in sight");
        }
    }

    #[test]
    fn a_full_hit_needs_the_middle_alone() {
        let ball = vec2(1.0, 0.0);
        for (aside, full) in [(2.0 * R + 1e-5, true), (2.0 * R - 1e-5, false)] {
            assert_eq!(can_hit_fully(Vec2::ZERO, ball, &[vec2(0.5, aside)], R), full);
            assert!(!can_hit_both_edges(Vec2::ZERO, ball, &[vec2(0.5, aside)], R));
        }
        // A ball to the side, beyond the point of contact.
        assert!(can_hit_fully(Vec2::ZERO, ball, &[vec2(1.0, 2.0 * R)], R));
        assert!(!can_hit_both_edges(Vec2::ZERO, ball, &[vec2(1.0, 2.0 * R)], R));
    }

    /// A ball half way hides all of another if it lies within `2R - R` of the line of centres, as the tangent to the
    /// far edge is `R` off it there. On the line it hides the other at any distance.
    #[test]
    fn a_ball_is_out_of_sight_only_if_all_of_it_is() {
        let ball = vec2(1.0, 0.0);
        assert!(!can_hit(Vec2::ZERO, ball, &[vec2(0.5, 0.0)], R));
        assert!(!can_hit(Vec2::ZERO, ball, &[vec2(0.9, 0.0)], R));
        let sin = 2.0 * R;
        let tan = sin / (1.0 - sin * sin).sqrt();
        let limit = 2.0 * R / (1.0 - sin * sin).sqrt() - tan * 0.5;
        assert!(!can_hit(Vec2::ZERO, ball, &[vec2(0.5, limit - 1e-4)], R));
        assert!(can_hit(Vec2::ZERO, ball, &[vec2(0.5, limit + 1e-4)], R));
        // Two balls with a gap narrower than a ball, and a wider one.
        let pair = |gap: f32| [vec2(0.5, R + 0.5 * gap), vec2(0.5, -R - 0.5 * gap)];
        assert!(!can_hit(Vec2::ZERO, ball, &pair(2.0 * R - 1e-4), R));
        assert!(can_hit(Vec2::ZERO, ball, &pair(2.0 * R + 1e-4), R));
        assert!(is_snookered(Vec2::ZERO, &[ball], &pair(2.0 * R + 1e-4), R));
    }

    #[test]
    fn a_touching_ball_is_in_sight_whatever_lies_around() {
        let others = [vec2(0.0, 2.0 * R), vec2(0.0, -2.0 * R)];
        let touching = [vec2(2.0 * R, 0.0)];
        assert!(!is_snookered(Vec2::ZERO, &touching, &others, R));
        assert!(can_hit(Vec2::ZERO, touching[0], &others, R) && can_hit_fully(Vec2::ZERO, touching[0], &others, R));
        // A ball that touches the cue ball's side does not obstruct a straight shot, but obstructs the edge beyond it.
        assert!(can_hit_fully(Vec2::ZERO, vec2(1.0, 0.0), &others, R));
        assert!(!can_hit_both_edges(Vec2::ZERO, vec2(1.0, 0.0), &others, R));
    }

    proptest! {
        #[test]
        fn what_can_be_hit_is_what_some_direction_hits(others in prop::collection::vec((-0.1_f32..1.1, -0.2_f32..0.2), 0..5)) {
            let ball = vec2(1.0, 0.0);
            let others: Vec<Vec2> = others
                .into_iter()
                .map(|(x, y)| vec2(x, y))
                .filter(|place| place.length() > 2.0 * R && place.distance(ball) > 2.0 * R)
                .collect();
            let sight = LineOfSight::new(Vec2::ZERO, ball, &others, R);
            let hits = |k: i16| {
                let (sin, cos) = ops::sin_cos(f32::from(k) * 5e-5);
                let way = dvec2(f64::from(cos), f64::from(sin)).normalize();
                sight.time_to(sight.ball, way).is_some_and(|to_ball| {
                    sight.others.iter().all(|&other| sight.time_to(other, way).is_none_or(|to_other| to_other > to_ball))
                })
            };
            let by_trying = (-1010..=1010).any(hits);
            // The tried directions may miss narrow ranges between them.
            prop_assert!(!by_trying || can_hit(Vec2::ZERO, ball, &others, R));
            let edges = can_hit_both_edges(Vec2::ZERO, ball, &others, R);
            prop_assert!(!edges || can_hit_fully(Vec2::ZERO, ball, &others, R), "between two open edges all is open");
            prop_assert!(!can_hit_fully(Vec2::ZERO, ball, &others, R) || can_hit(Vec2::ZERO, ball, &others, R));
        }
    }
}
