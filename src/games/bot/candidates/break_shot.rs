//! Breaks.

use bevy::math::Vec2;

use super::{Candidate, Kind, between};
use crate::{
    billiards::cue::CueStrike,
    games::{
        rules::may_place,
        sight::{CueBall, Situation},
    },
    random::Random,
};

/// The fastest break, m/s. D. Alciatore's list of typical speeds (<https://billiards.colostate.edu>)
/// has 11 to 13 for a hard one.
const FASTEST_BREAK: f32 = 10.0;

/// The largest offset of a break's hit on the front ball, in the sum of both radii.
const BREAK_FULL: f32 = 0.3;

/// The share of that offset in a usual break, from the front of the region.
const USUAL_BREAK: f32 = 0.1;

/// The slowest break, as a share of [`FASTEST_BREAK`].
const BREAK_SLOWEST: f32 = 0.7;

/// The largest side offset of the tip in a break, in radii.
const BREAK_SIDE: f32 = 0.1;

/// The range of the tip's height above the centre in a break, in radii.
const BREAK_TOP: [f32; 2] = [-0.2, 0.25];

/// The range of the cue ball's distance behind the line of its region in a usual break, in radii.
const BREAK_BEHIND: [f32; 2] = [0.02, 4.0];

impl Situation<'_> {
    /// A break: hard at the front ball, more or less full. Every second one is full, from the front of the allowed
    /// region, as most players break.
    #[must_use]
    pub fn break_shot(&self, random: &mut Random) -> Option<Candidate> {
        let Self { sight, stroke, layout, .. } = *self;
        let is_usual = random.unit() < 0.5;
        let from =
            if is_usual { self.front_place(random) } else { None }.map_or_else(|| self.random_place(random), Some)?;
        let cue = CueBall { ball: stroke.cue_ball, place: from };
        let seen = self.balls_on().into_iter().filter(|&ball| sight.sees(layout, cue, ball));
        let at = seen
            .filter_map(|ball| layout[ball].on_table())
            .min_by(|a, b| a.distance_squared(from).total_cmp(&b.distance_squared(from)))?;
        let way = at - from;
        let aside = way.normalize_or_zero().perp()
            * (2.0 * sight.radius * random.between(-BREAK_FULL, BREAK_FULL) * if is_usual { USUAL_BREAK } else { 1.0 });
        let strike = CueStrike {
            speed: f64::from(random.between(BREAK_SLOWEST, 1.0) * FASTEST_BREAK),
            direction: (way + aside).as_dvec2(),
            side: f64::from(random.between(-BREAK_SIDE, BREAK_SIDE)),
            top: f64::from(between(BREAK_TOP, random)),
            elevation: 0.0,
        };
        Some(Candidate { kind: Kind::Break, from, call: self.call(None, None), strike })
    }

    /// A random place at the front of the region in which the cue ball may lie for a break.
    fn front_place(&self, random: &mut Random) -> Option<Vec2> {
        let Self { stroke, layout, table, sight, .. } = *self;
        let region = stroke.in_hand?;
        let half = table.half() - 2.0 * sight.radius;
        let y = random.between(-half.y, half.y);
        let behind = table.spec.head_string.or(table.spec.baulk.map(|baulk| baulk.line))? as f32;
        let place = Vec2::new(behind - between(BREAK_BEHIND, random) * sight.radius, y);
        may_place(region, layout, stroke.cue_ball, place, table).then_some(place)
    }
}
