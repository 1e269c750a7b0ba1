//! Random strokes that hit a ball: for safeties, and for games without pockets.

use bevy::math::Vec2;

use super::{Candidate, Kind, mirrors};
use crate::{
    billiards::cue::CueStrike,
    games::{
        rules::BallId,
        sight::{CueBall, Situation},
    },
    random::Random,
};

/// The range of random strokes that hit some ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrokeRange {
    /// The lowest and the highest cue speed, m/s.
    pub speeds: [f32; 2],
    /// The largest tip offset from the centre, in radii.
    pub spin: f32,
}

/// The largest offset of a hit, in the sum of both radii. A thinner hit may miss.
const FULL_ENOUGH: f32 = 0.97;

/// The slowest stroke in a random direction, m/s.
const ANYWHERE_SLOWEST: f32 = 0.3;

/// The fastest stroke in a random direction, as a multiple of [`ANYWHERE_SLOWEST`].
const ANYWHERE_RANGE: f32 = 15.0;

impl Situation<'_> {
    /// A random stroke that hits a ball on: for safeties, and for games without pockets.
    #[must_use]
    pub fn contact(
        &self,
        kind: Kind,
        StrokeRange { speeds, spin }: StrokeRange,
        random: &mut Random,
    ) -> Option<Candidate> {
        let Self { sight, stroke, layout, .. } = *self;
        let from = self.random_place(random)?;
        let (on, cue) = (self.balls_on(), CueBall { ball: stroke.cue_ball, place: from });
        let seen: Vec<BallId> = on.iter().copied().filter(|&ball| sight.sees(layout, cue, ball)).collect();
        let among = if seen.is_empty() { &on } else { &seen };
        let ball = *among.get(random.below(among.len()))?;
        let mut at = layout[ball].on_table()?;
        if kind == Kind::Kick || seen.is_empty() {
            let half = self.table.half() - sight.radius;
            let images: Vec<Vec2> = mirrors(at, half)
                .into_iter()
                .flat_map(|once| {
                    let twice = mirrors(once, half);
                    [once, twice[0], twice[1], twice[2], twice[3]]
                })
                .collect();
            at = images[random.below(images.len())];
        }
        let way = at - from;
        let aside = way.normalize_or_zero().perp() * (2.0 * sight.radius * random.between(-FULL_ENOUGH, FULL_ENOUGH));
        let [low, high] = speeds;
        let speed = low * bevy::math::ops::powf(high / low, random.unit());
        let tip = random.direction() * (spin * random.unit().sqrt());
        let strike = CueStrike {
            speed: f64::from(speed),
            direction: (way + aside).as_dvec2(),
            side: f64::from(tip.x),
            top: f64::from(tip.y),
            elevation: 0.0,
        };
        Some(Candidate { kind, from, call: self.call(Some(ball), None), strike })
    }

    /// A stroke in a random direction, for when no ball can be hit.
    #[must_use]
    pub fn anywhere(&self, random: &mut Random) -> Option<Candidate> {
        let from = self.random_place(random)?;
        let speed = ANYWHERE_SLOWEST * bevy::math::ops::powf(ANYWHERE_RANGE, random.unit());
        let strike =
            CueStrike { speed: f64::from(speed), direction: random.direction().as_dvec2(), ..CueStrike::default() };
        Some(Candidate { kind: Kind::Sweep, from, call: self.call(None, None), strike })
    }
}
