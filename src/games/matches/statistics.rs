//! The statistics of a match, as a value that can be saved.

use serde::{Deserialize, Serialize};

use crate::games::rules::{BallId, Player, Shot, Verdict};

/// The statistics of a match.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Statistics {
    /// The statistics of each player.
    pub players: [PlayerStatistics; 2],
}

/// The statistics of one player.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlayerStatistics {
    /// Racks won.
    pub racks: u32,
    /// Racks won from the break without a shot by the opponent.
    pub runouts: u32,
    /// Breaks played.
    pub breaks: u32,
    /// Breaks that potted a ball without a foul.
    pub breaks_with_pot: u32,
    /// Shots, including breaks.
    pub shots: u32,
    /// Shots meant to pot or to score: all except breaks and called safeties and push-outs.
    pub attempts: u32,
    /// Attempts after which the player continued or had won.
    pub successes: u32,
    /// Successes divided by attempts; 0 without attempts.
    pub success_rate: f64,
    /// Balls potted in shots without a foul, not counting the cue ball.
    pub potted: u32,
    /// Shots with a foul.
    pub fouls: u32,
    /// Innings at the table.
    pub innings: u32,
    /// Points, over all racks.
    pub points: i32,
    /// Points divided by innings; 0 without innings.
    pub average: f64,
    /// The most points or balls in one inning.
    pub longest_break: i32,
    /// Successes after which the player had a shot from where the cue ball lay. These positions were judged. Games
    /// without pockets have none.
    #[serde(default)]
    pub positions: u32,
    /// The mean quality of these positions: the estimated chance of the best pot, for a hand with the noise of the
    /// Computer Olympiad. The estimate uses the ghost ball and the visible width of the pocket, without banks and
    /// combinations. It is 0 if nothing could be potted directly, and `None` without such a position.
    #[serde(default)]
    pub position_quality: Option<f64>,
}

/// The counts during a match.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    players: [PlayerStatistics; 2],
    /// The sum of the chances in the judged positions.
    chances: [f64; 2],
    /// The player of the last shot in this rack.
    last: Option<Player>,
    /// The players who have had a shot in this rack.
    has_shot: [bool; 2],
}

/// A shot to count.
#[derive(Clone, Copy, Debug)]
pub(super) struct CountedShot<'a> {
    pub player: Player,
    pub shot: &'a Shot,
    pub cue_ball: Option<BallId>,
    pub verdict: &'a Verdict,
    /// The points that the players of the match get for it.
    pub points: [i32; 2],
    pub is_break: bool,
    /// Whether it won the rack.
    pub won: bool,
    /// The player's points or balls in this inning so far.
    pub run: i32,
}

impl CountedShot<'_> {
    /// Whether it was meant to pot or to score: see [`PlayerStatistics::attempts`].
    pub(super) fn is_attempt(&self) -> bool {
        let call = self.shot.call;
        !self.is_break && !call.safety && !call.push_out
    }
}

/// The mean quality of positions, from the sum of their chances.
fn mean_quality(chances: f64, positions: u32) -> Option<f64> {
    (positions > 0).then(|| chances / f64::from(positions))
}

impl Tally {
    /// Counts a shot.
    pub(super) fn add_shot(&mut self, counted: &CountedShot) {
        let CountedShot { player, shot, cue_ball, verdict, points, is_break, won, run } = *counted;
        let clean = verdict.fouls.is_empty();
        let begins = self.last.replace(player) != Some(player);
        self.has_shot[player.index()] = true;
        for (of, points) in self.players.iter_mut().zip(points) {
            of.points += points;
        }
        let of = &mut self.players[player.index()];
        of.innings += u32::from(begins);
        of.shots += 1;
        of.fouls += u32::from(!clean);
        of.longest_break = of.longest_break.max(run);
        let potted = shot.potted().filter(|&(ball, _)| Some(ball) != cue_ball).count() as u32;
        if clean {
            of.potted += potted;
        }
        if is_break {
            of.breaks += 1;
            of.breaks_with_pot += u32::from(clean && potted > 0);
        } else if counted.is_attempt() {
            of.attempts += 1;
            of.successes += u32::from(clean && (verdict.goes_on || won));
        }
    }

    /// Counts a position after a success, with the chance of its best pot.
    pub(super) fn add_position(&mut self, player: Player, chance: f32) {
        self.players[player.index()].positions += 1;
        self.chances[player.index()] += f64::from(chance);
    }

    /// Counts the end of a rack.
    pub(super) fn end_rack(&mut self, breaker: Player, winner: Option<Player>) {
        if let Some(winner) = winner {
            let alone = winner == breaker && !self.has_shot[winner.other().index()] && self.has_shot[winner.index()];
            self.players[winner.index()].runouts += u32::from(alone);
        }
        (self.last, self.has_shot) = (None, [false; 2]);
    }

    /// The statistics, with these racks won.
    pub(super) fn statistics(&self, racks: [u32; 2]) -> Statistics {
        let mut statistics = Statistics { players: self.players.clone() };
        for ((of, racks), chances) in statistics.players.iter_mut().zip(racks).zip(self.chances) {
            of.racks = racks;
            of.position_quality = mean_quality(chances, of.positions);
        }
        statistics.finish();
        statistics
    }
}

impl Statistics {
    /// Adds the statistics of another match of the same players.
    pub fn add(&mut self, other: &Self) {
        let chances = |of: &PlayerStatistics| of.position_quality.unwrap_or_default() * f64::from(of.positions);
        for (of, more) in self.players.iter_mut().zip(&other.players) {
            let chances = chances(of) + chances(more);
            // Names every field, so that none is forgotten.
            let PlayerStatistics {
                racks,
                runouts,
                breaks,
                breaks_with_pot,
                shots,
                attempts,
                successes,
                success_rate: _,
                potted,
                fouls,
                innings,
                points,
                average: _,
                longest_break,
                positions,
                position_quality: _,
            } = more;
            of.racks += racks;
            of.runouts += runouts;
            of.breaks += breaks;
            of.breaks_with_pot += breaks_with_pot;
            of.shots += shots;
            of.attempts += attempts;
            of.successes += successes;
            of.potted += potted;
            of.fouls += fouls;
            of.innings += innings;
            of.points += points;
            of.longest_break = of.longest_break.max(*longest_break);
            of.positions += positions;
            of.position_quality = mean_quality(chances, of.positions);
        }
        self.finish();
    }

    /// Computes the quotients.
    fn finish(&mut self) {
        let share = |part: f64, whole: u32| if whole == 0 { 0.0 } else { part / f64::from(whole) };
        for of in &mut self.players {
            of.success_rate = share(of.successes.into(), of.attempts);
            of.average = share(of.points.into(), of.innings);
        }
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::Vec2;

    use super::*;
    use crate::games::{
        bot::Noise,
        rules::{BallId, BallPlace, Layout, ShotConstraints},
        sight::{Sight, Situation},
        test_support,
    };

    #[test]
    fn the_quality_of_positions_is_the_mean_of_all_of_them() {
        let with = |positions: u32, position_quality: Option<f64>| {
            let of = PlayerStatistics { positions, position_quality, ..PlayerStatistics::default() };
            Statistics { players: [of, PlayerStatistics::default()] }
        };
        let mut sum = with(3, Some(0.5));
        sum.add(&with(1, Some(0.9)));
        sum.add(&with(0, None));
        assert_eq!((sum.players[0].positions, sum.players[1].position_quality), (4, None));
        assert!((sum.players[0].position_quality.unwrap() - 0.6).abs() < 1e-12);
        let mut tally = Tally::default();
        for chance in [1.0, 0.0] {
            tally.add_position(Player(1), chance);
        }
        assert_eq!(tally.statistics([0; 2]).players.map(|of| of.position_quality), [None, Some(0.5)]);
    }

    #[test]
    fn a_ball_before_the_pocket_is_certain_a_long_one_less_so_and_one_that_is_hidden_nothing() {
        let table = test_support::table("pool-9ft");
        let sight = Sight::of(&table);
        let error = Noise::OLYMPIAD.direction as f32;
        let half = table.half();
        let chance = |cue: Vec2, balls: &[Vec2]| {
            let layout = Layout([cue].iter().chain(balls).map(|&at| BallPlace::Table(at)).collect());
            let stroke = ShotConstraints { on: vec![BallId(1)], ..ShotConstraints::of(BallId(0)) };
            Situation { sight: &sight, table: &table, stroke: &stroke, layout: &layout, error }.best_chance().unwrap()
        };
        let corner = half - 0.1;
        assert!(chance(corner - 0.4, &[corner]) > 0.99);
        let far = chance(-half + 0.2, &[Vec2::ZERO]);
        assert!((0.05..0.95).contains(&far), "{far}");
        assert_eq!(chance(-half + 0.2, &[Vec2::ZERO, 0.5 * (0.2 - half)]), 0.0);
    }
}
