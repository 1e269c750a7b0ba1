//! Random strokes that hit a ball: for safeties, over other balls, and for games without pockets.

use bevy::math::Vec2;

use super::{Candidate, Kind, between, mirrors};
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

/// The range of jumps, m/s: a slower one does not clear a ball, or only one far away.
const JUMP_SPEEDS: [f32; 2] = [2.5, 7.0];

/// The range of the elevation of a cue for a jump, degrees. Farther up, it would touch the ball twice (F27 in
/// `docs/src/flight.md`).
const JUMP_ELEVATIONS: [f32; 2] = [20.0, 32.0];

/// The largest offset of a hit after a jump, in the sum of both radii.
const JUMP_FULLNESS: f32 = 0.7;

/// The largest offset of the tip above or below the centre for a jump, in radii.
const JUMP_TOP: f32 = 0.2;

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

    /// A random stroke over what is in the way of a ball on. `None` if balls do not fly on this table, if the cue ball
    /// is in hand, or if a ball on is in sight.
    #[must_use]
    pub fn jump(&self, random: &mut Random) -> Option<Candidate> {
        let Self { sight, stroke, layout, table, .. } = *self;
        let from = layout[stroke.cue_ball].on_table().filter(|_| table.flight && stroke.in_hand.is_none())?;
        let (on, cue) = (self.balls_on(), CueBall { ball: stroke.cue_ball, place: from });
        if on.iter().any(|&ball| sight.sees(layout, cue, ball)) {
            return None;
        }
        let ball = *on.get(random.below(on.len()))?;
        let way = layout[ball].on_table()? - from;
        let offset = random.between(-JUMP_FULLNESS, JUMP_FULLNESS);
        let aside = way.normalize_or_zero().perp() * (2.0 * sight.radius * offset);
        let strike = CueStrike {
            speed: f64::from(between(JUMP_SPEEDS, random)),
            direction: (way + aside).as_dvec2(),
            side: 0.0,
            top: f64::from(random.between(-JUMP_TOP, JUMP_TOP)),
            elevation: f64::from(between(JUMP_ELEVATIONS, random).to_radians()),
        };
        Some(Candidate { kind: Kind::Jump, from, call: self.call(Some(ball), None), strike })
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{
        billiards::cue::Cue,
        games::{
            rules::{BallPlace, GameTable, Layout, Region, ShotConstraints, ShotEvent},
            sight::Sight,
            simulator::Simulator,
            test_support,
        },
    };

    #[test]
    fn a_ball_hidden_behind_another_is_hit_by_a_jump_where_balls_fly() {
        let table = GameTable::clone(&test_support::table("pool-9ft")).with_flight(true);
        let sight = Sight::of(&table);
        let places = [Vec2::new(-0.6, 0.0), Vec2::new(0.6, 0.02), Vec2::new(-0.35, 0.0)];
        let layout = Layout(places.map(BallPlace::Table).to_vec());
        let [cue_ball, on, between] = [0, 1, 2].map(BallId);
        let stroke = ShotConstraints { on: vec![on], ..ShotConstraints::of(cue_ball) };
        let situation = Situation { sight: &sight, table: &table, stroke: &stroke, layout: &layout, error: 0.0 };
        let mut random = Random::new(1);
        let mut simulator = Simulator::new(Arc::new(table.clone()));
        let mut hits = 0;
        for _ in 0..100 {
            let jump = situation.jump(&mut random).unwrap();
            let shot = simulator.play(&layout, cue_ball, &jump.strike, &Cue::default()).unwrap();
            let first = shot.events.iter().find_map(|event| match *event {
                ShotEvent::Balls(a, b) => Some([a, b]),
                _ => None,
            });
            hits += u32::from(first.is_some_and(|first| first.contains(&on) && !first.contains(&between)));
        }
        assert!((10..100).contains(&hits), "{hits}");
        // In sight, in hand, or without flight, there is nothing to jump over.
        let open = Layout(places[..2].iter().copied().map(BallPlace::Table).collect());
        assert!(Situation { layout: &open, ..situation }.jump(&mut random).is_none());
        let in_hand = ShotConstraints { in_hand: Some(Region::Anywhere), ..stroke.clone() };
        assert!(Situation { stroke: &in_hand, ..situation }.jump(&mut random).is_none());
        let flat = table.clone().with_flight(false);
        assert!(Situation { table: &flat, ..situation }.jump(&mut random).is_none());
    }
}
