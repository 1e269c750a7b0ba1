//! Aims at pockets: pots, combinations and banks. The solver then finds the stroke for an aim.

use bevy::math::{DVec2, Vec2};

use super::{FASTEST, Kind, mirrors};
use crate::{
    billiards::cue::{Cue, CueStrike, squirt},
    games::{
        bot::level::Level,
        rules::{BallId, Layout, PocketId},
        sight::{CueBall, Pot, Situation},
        simulator::Simulator,
    },
    random::Random,
};

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

/// The number of places of a cue ball in hand to try for the same pot.
const PLACES_PER_POT: u8 = 3;

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
