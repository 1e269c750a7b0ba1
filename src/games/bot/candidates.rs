//! Generates candidate strokes: direct pots, combinations, banks, kicks, safeties and breaks. In a game that it knows
//! nothing about it picks random strokes that hit something.
//!
//! This module only proposes strokes; the solver and the rules decide their value. The constants bound that search. A
//! constant without a source or a derivation was set by hand. The ladder of levels (`docs/src/bots.md`) guards
//! them all.

use bevy::math::{DVec2, Vec2};

use super::level::Level;
use crate::{
    billiards::cue::{Cue, CueStrike, squirt},
    collision::spin::Body,
    games::{
        rules::{BallId, Call, CallNeeded, Layout, PocketId, may_place},
        sight::{CueBall, Pot, Situation},
        simulator::Simulator,
    },
    random::Random,
};

/// The purpose of a stroke.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Pot the first ball hit.
    Pot,
    /// Pot the ball off a cushion.
    Bank,
    /// Hit one ball into another that is potted.
    Combination,
    /// Hit a ball after a cushion.
    Kick,
    /// Hit a ball and leave the opponent nothing.
    Safety,
    /// Break.
    Break,
    /// Score in any way.
    Sweep,
    /// Slide a disc to a place of rest, such as a draw to the button or a guard.
    Delivery,
    /// Drive a disc away.
    TakeOut,
}

/// The purpose of a stroke and the intended direction of the first ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim {
    /// The purpose of the stroke.
    pub kind: Kind,
    /// The place from which the cue ball is played, metres.
    pub from: Vec2,
    /// The first ball to hit.
    pub ball: BallId,
    /// The point that the first ball is aimed at, metres.
    pub target: Vec2,
    /// The ball to pot, and its pocket.
    pub pot: Option<(BallId, PocketId)>,
    /// The estimated chance that the pot succeeds.
    pub chance: f32,
    /// The lowest cue-ball speed that suffices, m/s.
    pub least_speed: f32,
}

/// The cue-ball speed and tip position for an aim.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Variant {
    /// The speed of the cue ball, m/s.
    pub speed: f32,
    /// The tip position, right of and above the centre, in radii.
    pub tip: [f64; 2],
}

/// The range of random strokes that hit some ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrokeRange {
    /// The lowest and the highest cue speed, m/s.
    pub speeds: [f32; 2],
    /// The largest tip offset from the centre, in radii.
    pub spin: f32,
}

/// A complete stroke that can be played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The purpose of the stroke.
    pub kind: Kind,
    /// The place from which the cue ball is played, metres.
    pub from: Vec2,
    /// The call.
    pub call: Call,
    /// The stroke itself.
    pub strike: CueStrike,
}

/// Tip positions to try, in order, right of and above the centre, in radii: stun, draw, follow, then each with side.
/// All are within 0.43 radii, so that the noise of a hand does not cause a miscue (at 0.5).
const TIPS: [[f64; 2]; 9] = [
    [0.0, 0.0],
    [0.0, -0.35],
    [0.0, 0.35],
    [0.3, 0.1],
    [-0.3, 0.1],
    [0.25, -0.25],
    [-0.25, -0.25],
    [0.3, 0.3],
    [-0.3, 0.3],
];

/// The factor between successive speeds to try. It roughly doubles the energy, and six speeds span 1 to 6.4.
const SPEED_STEP: f32 = 1.45;

/// The fastest shot other than a break, m/s. D. Alciatore's list of typical speeds (<https://billiards.colostate.edu>)
/// has 5.4 for a fast shot, and 6.7 to 8.9 for a power shot.
const FASTEST: f32 = 6.5;

/// The fastest break, m/s. The same list has 11 to 13 for a hard one.
const FASTEST_BREAK: f32 = 10.0;

/// How much faster than its final rolling speed a sliding ball must start: it keeps 5/7 of its speed.
const SLIDES_BEFORE: f32 = 7.0 / 5.0;

/// The share of the cue ball's speed along the line of centres that the object ball receives: (1 + e) / 2 for a
/// restitution of 0.94.
const PASSED_ON: f32 = 0.97;

/// How far beyond the mouth of its pocket a ball must be able to roll, metres.
const BEYOND_MOUTH: f32 = 0.1;

/// The margin over the estimated lowest speed of a pot, as a factor.
const SPARE_SPEED: f32 = 1.2;

/// A further margin for combinations, where one more ball slides before it rolls.
const SPARE_SPEED_OF_COMBINATIONS: f32 = 1.3;

/// The margin for banks, where a cushion takes speed.
const SPARE_SPEED_OF_BANKS: f32 = 1.8;

/// The speed added to banks, m/s.
const BANK_SPEED: f32 = 0.6;

/// The cosine of the thinnest cut of the first ball of a combination: 73 degrees.
const THINNEST_COMBINATION: f32 = 0.3;

/// The cosine of the thinnest cut in a bank: 66 degrees.
const THINNEST_BANK: f32 = 0.4;

/// The largest distance between the two object balls of a combination, metres.
const LONGEST_COMBINATION: f32 = 1.0;

/// The error of a combination's second ball at its pocket that halves its chance, metres. It is less than a ball's
/// radius.
const ASTRAY: f32 = 0.02;

/// The largest distance of a bank's aim from the mirrored pocket, metres along each axis. The angle of a rebound is
/// known only after a trial.
const BANK_PLAY: f32 = 0.08;

/// The largest offset of a hit, in the sum of both radii. A thinner hit may miss.
const FULL_ENOUGH: f32 = 0.97;

/// The number of places of a cue ball in hand to try for the same pot.
const PLACES_PER_POT: u8 = 3;

/// The slowest stroke in a random direction, m/s.
const ANYWHERE_SLOWEST: f32 = 0.3;

/// The fastest stroke in a random direction, as a multiple of [`ANYWHERE_SLOWEST`].
const ANYWHERE_RANGE: f32 = 15.0;

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

/// Aims are corrected until the object ball starts within this angle, radians.
const AIMED: f32 = 1e-4;

/// The cosine of the largest error to correct: 37 degrees. Beyond it, the ball was hit by chance.
const ASTRAY_COS: f32 = 0.8;

impl Situation<'_> {
    /// The most promising pots, from where the cue ball lies or can be placed.
    #[must_use]
    pub fn aims(&self, count: usize) -> Vec<Aim> {
        let mut aims: Vec<Aim> = self.pots().into_iter().map(|pot| self.aim_of(pot)).collect();
        // A stable sort, so that the order depends only on the position.
        aims.sort_by(|a, b| b.chance.total_cmp(&a.chance));
        if self.stroke.in_hand.is_some() {
            // Limits the places tried for the same pot.
            let mut seen: Vec<(BallId, Option<(BallId, PocketId)>, u8)> = Vec::new();
            aims.retain(|aim| {
                let key = (aim.ball, aim.pot);
                if let Some((_, _, times)) = seen.iter_mut().find(|(ball, pot, _)| (*ball, *pot) == key) {
                    *times += 1;
                    return *times <= PLACES_PER_POT;
                }
                seen.push((key.0, key.1, 1));
                true
            });
        }
        aims.truncate(count);
        aims
    }

    fn aim_of(&self, pot: Pot) -> Aim {
        let rolling = self.rolling();
        // The object ball keeps 5/7 of its speed once it rolls. So does the cue ball before its hit.
        let object = SLIDES_BEFORE * (2.0 * rolling * (pot.object_way + BEYOND_MOUTH)).sqrt();
        let hit = object / (PASSED_ON * pot.cut_cos);
        let least_speed = SPARE_SPEED * (hit * hit + 2.0 * rolling * pot.cue_way).sqrt();
        Aim {
            kind: Kind::Pot,
            from: pot.from,
            ball: pot.ball,
            target: pot.target,
            pot: Some((pot.ball, pot.pocket)),
            chance: pot.chance,
            least_speed,
        }
    }

    /// The deceleration of a rolling ball, m/s².
    fn rolling(&self) -> f32 {
        self.table.spec.physics().cloth.rolling_deceleration() as f32
    }

    /// Combinations: a ball on hits a second ball, which is potted.
    #[must_use]
    pub fn combinations(&self, count: usize) -> Vec<Aim> {
        let Self { sight, stroke, layout, error, .. } = *self;
        let Some(from) = self.any_place() else { return Vec::new() };
        let on = self.balls_on();
        let mut aims = Vec::new();
        for &first in &on {
            let Some(at) = layout[first].on_table() else { continue };
            let others: Vec<BallId> = layout
                .on_table()
                .map(|(ball, _)| ball)
                .filter(|&ball| ball != first && ball != stroke.cue_ball)
                .collect();
            // The first ball acts as the cue ball of the second pot.
            let without = |ball: BallId| ball != stroke.cue_ball;
            for pot in
                sight.pots(layout, CueBall { ball: first, place: at }, &others, error).filter(|pot| without(pot.ball))
            {
                let line = (pot.ghost - at).normalize_or_zero();
                let ghost = sight.ghost(at, line);
                let way = ghost - from;
                let cut_cos = way.normalize_or_zero().dot(line);
                let seen = sight.is_clear([from, ghost], layout, [stroke.cue_ball, first]);
                if cut_cos < THINNEST_COMBINATION || pot.cue_way > LONGEST_COMBINATION || !seen {
                    continue;
                }
                // Each of the two hits amplifies the cue's error.
                let turned = sight.object_error(error, way.length(), cut_cos);
                let grown = sight.object_error(turned, pot.cue_way, pot.cut_cos);
                let chance = pot.chance * (ASTRAY / (ASTRAY + grown * pot.object_way));
                let least_speed = self.aim_of(pot).least_speed * SPARE_SPEED_OF_COMBINATIONS / cut_cos;
                let (target, pot) = (pot.ghost, Some((pot.ball, pot.pocket)));
                aims.push(Aim { kind: Kind::Combination, from, ball: first, target, pot, chance, least_speed });
            }
        }
        aims.sort_by(|a, b| b.chance.total_cmp(&a.chance));
        aims.truncate(count);
        aims
    }

    /// Pots off one cushion, with random variation of the point of impact.
    #[must_use]
    pub fn banks(&self, count: usize, random: &mut Random) -> Vec<Aim> {
        let Self { sight, stroke, layout, table, .. } = *self;
        let Some(from) = self.any_place() else { return Vec::new() };
        let half = table.half() - sight.radius;
        let mut aims = Vec::new();
        for ball in self.balls_on() {
            let Some(at) = layout[ball].on_table() else { continue };
            for pocket in &sight.pockets {
                for mirrored in mirrors(pocket.mouth, half) {
                    let line = (mirrored - at).normalize_or_zero();
                    let ghost = sight.ghost(at, line);
                    let cut_cos = (ghost - from).normalize_or_zero().dot(line);
                    let but = [stroke.cue_ball, ball];
                    if cut_cos < THINNEST_BANK || !sight.is_clear([from, ghost], layout, but) {
                        continue;
                    }
                    let way = at.distance(mirrored);
                    let least_speed = SPARE_SPEED_OF_BANKS * (2.0 * self.rolling() * way).sqrt() / cut_cos + BANK_SPEED;
                    let target = mirrored + random.within(Vec2::splat(-BANK_PLAY), Vec2::splat(BANK_PLAY));
                    let pot = Some((ball, pocket.pocket));
                    aims.push(Aim { kind: Kind::Bank, from, ball, target, pot, chance: cut_cos / way, least_speed });
                }
            }
        }
        aims.sort_by(|a, b| b.chance.total_cmp(&a.chance));
        aims.truncate(count);
        aims
    }

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
        let body = Body { mass: table.spec.ball.mass, radius: table.spec.ball.radius, shape: table.spec.ball.shape };
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

    /// The place of the cue ball, or a random place where it may be put.
    fn random_place(&self, random: &mut Random) -> Option<Vec2> {
        let Self { stroke, layout, table, .. } = *self;
        let lies = self.any_place();
        let Some(region) = stroke.in_hand else { return lies };
        let half = table.half();
        let places = (0..64).map(|_| random.within(-half, half));
        let free: Option<Vec2> =
            places.into_iter().find(|&place| may_place(region, layout, stroke.cue_ball, place, table));
        free.or(lies)
    }

    /// The call for a stroke.
    #[must_use]
    pub fn call(&self, ball: Option<BallId>, pot: Option<(BallId, PocketId)>) -> Call {
        let stroke = self.stroke;
        let may_be_called = |ball: &BallId| stroke.allows_call_of(*ball);
        let any = || {
            let on = self.balls_on();
            ball.filter(may_be_called).or_else(|| on.iter().copied().find(may_be_called)).or(on.first().copied())
        };
        match (stroke.call, pot) {
            (CallNeeded::Nothing, _) => Call::default(),
            (CallNeeded::Ball, _) => {
                let ball = ball.or_else(|| self.balls_on().first().copied());
                Call { ball, ..Call::default() }
            }
            (CallNeeded::BallAndPocket, Some((ball, pocket))) => Call::pot(ball, pocket),
            (CallNeeded::BallAndPocket, None) if stroke.may_play_safe => Call { safety: true, ..Call::default() },
            (CallNeeded::BallAndPocket, None) => Call { ball: any(), pocket: Some(PocketId(0)), ..Call::default() },
        }
    }

    /// The strokes that could carry out an aim.
    pub fn variants(&self, aim: &Aim, level: &Level) -> impl Iterator<Item = Variant> + use<> {
        let (speeds, tips) = match aim.kind {
            Kind::Pot | Kind::Combination => (level.speeds, level.tips),
            _ => (level.speeds.min(2), 1),
        };
        let least = aim.least_speed.min(FASTEST);
        let speeds: Vec<f32> = (0..speeds)
            .scan(least, |speed, _| Some(std::mem::replace(speed, *speed * SPEED_STEP)))
            .filter(move |&speed| speed <= FASTEST)
            .collect();
        let tips = TIPS.into_iter().take(tips.clamp(1, TIPS.len()));
        speeds.into_iter().flat_map(move |speed| tips.clone().map(move |tip| Variant { speed, tip }))
    }
}

/// A random number in a range.
fn between([low, high]: [f32; 2], random: &mut Random) -> f32 {
    random.between(low, high)
}

/// A place mirrored in each of the four lines on which centres rebound, `half` from the centre of the table, metres.
fn mirrors(place: Vec2, half: Vec2) -> [Vec2; 4] {
    [
        Vec2::new(2.0 * half.x - place.x, place.y),
        Vec2::new(-2.0 * half.x - place.x, place.y),
        Vec2::new(place.x, 2.0 * half.y - place.y),
        Vec2::new(place.x, -2.0 * half.y - place.y),
    ]
}

/// The stroke that sends the aim's ball to its target, with this cue-ball speed and tip position. It starts from the
/// ghost ball. Trials then correct for squirt and throw, each a first hit on an empty table. The cue is raised over
/// obstacles behind the cue ball, which in `layout` already lies where it is played from.
#[must_use]
pub fn aimed(
    simulator: &mut Simulator,
    layout: &Layout,
    cue: &Cue,
    aim: &Aim,
    Variant { speed, tip: [side, top] }: Variant,
) -> Option<CueStrike> {
    let at = layout[aim.ball].on_table()?;
    let wanted = (aim.target - at).normalize_or_zero();
    let radius = simulator.table().ball_radius();
    let (body, table) = (simulator.body(), simulator.table().clone());
    let turn = -squirt(cue, body.mass, side);
    let unsquirt = DVec2::new(1.0, turn).normalize();
    let stroke = |line: Vec2| {
        let ghost = at - line * (2.0 * radius);
        let direction = unsquirt.rotate((ghost - aim.from).as_dvec2());
        let strike = table.raised(layout, aim.from, CueStrike { direction, side, top, ..CueStrike::default() });
        // A raised cue also drives the ball into the cloth.
        strike.with_ball_speed(cue, &body, f64::from(speed) / libm::cos(strike.elevation))
    };
    let mut line = wanted;
    for _ in 0..2 {
        let Some(sets_out) = simulator.first_hit([aim.from, at], &stroke(line), cue) else { break };
        let off = sets_out.normalize_or_zero();
        let (sin, cos) = (wanted.perp_dot(off), wanted.dot(off));
        if cos < ASTRAY_COS || sin.abs() < AIMED {
            break;
        }
        line = Vec2::new(cos, -sin).rotate(line).normalize_or_zero();
    }
    Some(stroke(line))
}
