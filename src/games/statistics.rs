//! A match in numbers: what both players have done, as a value that goes into a file.

use serde::{Deserialize, Serialize};

use super::{Player, Shot, Verdict};

/// The numbers of a match.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Statistics {
    /// Those of each player.
    pub players: [PlayerStatistics; 2],
}

/// The numbers of one player.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlayerStatistics {
    /// Racks won.
    pub racks: u32,
    /// Racks won from the break without the other having had a shot.
    pub runouts: u32,
    /// Racks in which they broke.
    pub breaks: u32,
    /// Breaks that potted a ball without a foul.
    pub breaks_with_pot: u32,
    /// Shots, breaks among them.
    pub shots: u32,
    /// Shots that were to pot or to score: all but breaks and what was called a safety or a push-out.
    pub attempts: u32,
    /// Those of them after which the player went on, or had won.
    pub successes: u32,
    /// Successes by attempts; 0 if there were none.
    pub success_rate: f64,
    /// Balls potted in shots without a foul.
    pub potted: u32,
    /// Shots with a foul.
    pub fouls: u32,
    /// Times at the table.
    pub innings: u32,
    /// Points, over all racks.
    pub points: i32,
    /// Points by innings; 0 if there were none.
    pub average: f64,
    /// The most points, or balls, in one inning.
    pub longest_break: i32,
}

/// What is counted while a match goes on.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    players: [PlayerStatistics; 2],
    /// Who shot last in this rack.
    last: Option<Player>,
    /// Who has had a shot in this rack.
    has_shot: [bool; 2],
}

impl Tally {
    /// A shot was played; `points` are those of the match's players, `run` what the player has made at the table by then, and `won` whether it has won the rack.
    pub(super) fn add_shot(
        &mut self,
        player: Player,
        shot: &Shot,
        (verdict, points): (&Verdict, [i32; 2]),
        (is_break, won): (bool, bool),
        run: i32,
    ) {
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
        let potted = shot.potted().count() as u32;
        if clean {
            of.potted += potted;
        }
        if is_break {
            of.breaks_with_pot += u32::from(clean && potted > 0);
        } else if !shot.call.safety && !shot.call.push_out {
            of.attempts += 1;
            of.successes += u32::from(clean && (verdict.goes_on || won));
        }
    }

    /// A rack is over.
    pub(super) fn end_rack(&mut self, breaker: Player, winner: Option<Player>) {
        self.players[breaker.index()].breaks += 1;
        if let Some(winner) = winner {
            let alone = winner == breaker && !self.has_shot[winner.other().index()] && self.has_shot[winner.index()];
            self.players[winner.index()].runouts += u32::from(alone);
        }
        (self.last, self.has_shot) = (None, [false; 2]);
    }

    /// The numbers, with these racks won.
    pub(super) fn statistics(&self, racks: [u32; 2]) -> Statistics {
        let mut statistics = Statistics { players: self.players.clone() };
        for (of, racks) in statistics.players.iter_mut().zip(racks) {
            of.racks = racks;
        }
        statistics.finish();
        statistics
    }
}

impl Statistics {
    /// Adds those of another match of the same players.
    pub fn add(&mut self, other: &Self) {
        for (of, more) in self.players.iter_mut().zip(&other.players) {
            of.racks += more.racks;
            of.runouts += more.runouts;
            of.breaks += more.breaks;
            of.breaks_with_pot += more.breaks_with_pot;
            of.shots += more.shots;
            of.attempts += more.attempts;
            of.successes += more.successes;
            of.potted += more.potted;
            of.fouls += more.fouls;
            of.innings += more.innings;
            of.points += more.points;
            of.longest_break = of.longest_break.max(more.longest_break);
        }
        self.finish();
    }

    /// The quotients.
    fn finish(&mut self) {
        let share = |part: f64, whole: u32| if whole == 0 { 0.0 } else { part / f64::from(whole) };
        for of in &mut self.players {
            of.success_rate = share(of.successes.into(), of.attempts);
            of.average = share(of.points.into(), of.innings);
        }
    }
}
