//! Random strokes with sliding discs: draws, guards and take-outs.

use bevy::math::Vec2;

use super::{Candidate, FASTEST, Kind, between};
use crate::{
    billiards::cue::{Cue, CueStrike},
    games::{rules::may_place, sight::Situation},
    random::Random,
};

/// The share of deliveries aimed at another disc.
const TAKE_OUTS: f32 = 0.4;

/// The share of deliveries that are take-outs or end before or beside another disc. The rest go to a marked spot.
const TAKE_OUTS_AND_GUARDS: f32 = 0.6;

/// The speed range of a take-out, as a multiple of the speed that just reaches the disc.
const TAKE_OUT_SPEED: [f32; 2] = [1.0, 3.5];

/// The largest offset of a hit on a disc, in the sum of both radii.
const TAKE_OUT_FULL: f32 = 0.95;

/// The range of a guard's distance in front of another disc, in radii.
const GUARD_BEFORE: [f32; 2] = [2.0, 14.0];

/// The largest distance of a guard from that place, in radii.
const GUARD_BESIDE: f32 = 3.0;

/// The largest distance from a marked spot at which a delivery is aimed, in radii.
const AROUND_SPOT: f32 = 6.0;

impl Situation<'_> {
    /// A random stroke with a sliding disc. It may stop at a marked spot, before or beside another disc, or anywhere
    /// along the table. It may also drive into another disc, at the speed that just reaches it or more.
    #[must_use]
    pub fn delivery(&self, cue: &Cue, random: &mut Random) -> Option<Candidate> {
        let Self { stroke, layout, table, .. } = *self;
        let lies = self.any_place()?;
        let others: Vec<Vec2> =
            layout.on_table().filter(|&(ball, _)| ball != stroke.cue_ball).map(|(_, place)| place).collect();
        let one_of = |places: &[Vec2], random: &mut Random| places.get(random.below(places.len())).copied();
        let (from, radius) = (self.random_aside(lies, random), table.ball_radius());
        let lot = random.unit();
        let (kind, target, more) = if lot < TAKE_OUTS
            && let Some(place) = one_of(&others, random)
        {
            let way = place - from;
            let aside = way.normalize_or_zero().perp() * (2.0 * radius * random.between(-TAKE_OUT_FULL, TAKE_OUT_FULL));
            (Kind::TakeOut, place + aside, between(TAKE_OUT_SPEED, random))
        } else if lot < TAKE_OUTS_AND_GUARDS
            && let Some(place) = one_of(&others, random)
        {
            let before = (from - place).normalize_or_zero() * between(GUARD_BEFORE, random);
            let aside = random.direction() * random.between(0.0, GUARD_BESIDE);
            (Kind::Delivery, place + (before + aside) * radius, 1.0)
        } else {
            // Only spots far from the starting place are targets.
            let spots: Vec<Vec2> = table.spec.spots.iter().map(|spot| spot.place.as_vec2()).collect();
            let far: Vec<Vec2> = spots.into_iter().filter(|spot| spot.distance(from) > 0.5 * table.half().x).collect();
            let around = random.direction() * (radius * AROUND_SPOT * random.unit() * random.unit());
            let half = table.half() - radius;
            let anywhere = random.within(-half, half);
            (Kind::Delivery, one_of(&far, random).map_or(anywhere, |spot| spot + around), 1.0)
        };
        let way = target - from;
        // A sliding disc stops after v² / 2 μ g.
        let sliding = table.spec.physics().cloth.sliding_deceleration() as f32;
        let speed = (2.0 * sliding * way.length()).sqrt() * more;
        let body = table.body();
        let strike = CueStrike { direction: way.as_dvec2(), ..CueStrike::default() };
        let strike = strike.with_ball_speed(cue, &body, f64::from(speed.min(FASTEST)));
        Some(Candidate { kind, from, call: self.call(None, None), strike })
    }

    /// Half of the time, a random place to the side of the usual one, if the cue ball is in hand and may lie there. It
    /// helps to pass obstacles.
    fn random_aside(&self, usual: Vec2, random: &mut Random) -> Vec2 {
        let Self { stroke, layout, table, .. } = *self;
        let half = table.half().y - table.ball_radius();
        let aside = Vec2::new(usual.x, random.between(-half, half));
        let wants = random.unit() < 0.5;
        let may = stroke.in_hand.is_some_and(|region| may_place(region, layout, stroke.cue_ball, aside, table));
        if wants && may { aside } else { usual }
    }
}
