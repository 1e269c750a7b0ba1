//! The results of racks that bots have played, as JSON and as text.

use std::{fmt::Write as _, time::Duration};

use serde::Serialize;

use super::{
    run::{Effort, Played},
    standstill::LONGEST_STANDSTILL,
};
use crate::{
    games::{Game, MatchSpec, Measure, PlayerSpec, PlayerStatistics, Statistics},
    number::count,
};

#[derive(Clone, Debug, Serialize)]
pub(super) struct Summary {
    game: String,
    table: String,
    players: [PlayerSpec; 2],
    seed: u64,
    /// Racks that were played to their end.
    pub(super) racks: u32,
    /// Racks without a winner, among `racks`.
    pub(super) draws: u32,
    /// Racks that were stopped after [`LONGEST_STANDSTILL`] actions without progress.
    pub(super) unfinished: u32,
    /// Invalid answers of each player and answers against the rules, which counted as shots that hit nothing.
    pub(super) refused: [u32; 2],
    pub(super) statistics: Statistics,
    /// The speed. Everything else is the same in every run.
    speed: Speed,
}

/// The work of the bots, and the time that it took.
#[derive(Clone, Copy, Debug, Serialize)]
struct Speed {
    /// Shots that the bots have simulated.
    shots_simulated: u64,
    /// Simulated shots per second and core.
    shots_per_second_and_core: f64,
    decisions: [u64; 2],
    /// The mean thinking time of each player per decision, seconds.
    seconds_per_decision: [f64; 2],
    /// Total time, seconds.
    seconds: f64,
}

impl Summary {
    /// Sums up matches that were played by `spec`, apart from their seeds and first players, in this time.
    pub(super) fn of(spec: &MatchSpec, played: &[Played], took: Duration) -> Self {
        let mut statistics = Statistics::default();
        let mut efforts = [Effort::default(); 2];
        for one in played {
            statistics.add(&one.statistics);
            efforts.iter_mut().zip(one.efforts).for_each(|(effort, of)| *effort += of);
        }
        let shots_simulated = played.iter().map(|one| one.shots).sum::<u64>();
        let thought: Duration = efforts.iter().map(|effort| effort.thought).sum();
        let speed = Speed {
            shots_simulated,
            shots_per_second_and_core: shots_simulated as f64 / thought.as_secs_f64().max(1e-9),
            decisions: efforts.map(|effort| effort.decisions),
            seconds_per_decision: efforts.map(|effort| effort.thought.as_secs_f64() / effort.decisions.max(1) as f64),
            seconds: took.as_secs_f64(),
        };
        Self {
            game: spec.game.clone(),
            table: played.first().map_or_else(String::new, |one| one.table.clone()),
            players: spec.players.clone(),
            seed: spec.seed,
            racks: played.iter().map(|one| one.racks).sum(),
            draws: played.iter().map(|one| one.draws).sum(),
            unfinished: played.iter().map(|one| u32::from(one.unfinished)).sum(),
            refused: efforts.map(|effort| effort.refused),
            statistics,
            speed,
        }
    }

    /// The summary as text.
    pub(super) fn in_words(&self) -> String {
        let Summary { game, table, players, racks, draws, unfinished, refused, statistics, speed, .. } = self;
        let mut text = format!("{game} on {table}: {}", count(*racks, "rack", "racks"));
        if *draws > 0 {
            let _ = write!(text, ", {draws} drawn");
        }
        text.push('\n');
        for ((name, of), refused) in told_apart(players).iter().zip(&statistics.players).zip(refused) {
            let _ = write!(text, "  {name}: {}", player_in_words(game, of));
            if *refused > 0 {
                let _ = write!(
                    text,
                    ", {} (each a shot that hits nothing)",
                    count(*refused, "answer refused", "answers refused")
                );
            }
            text.push('\n');
        }
        if *unfinished > 0 {
            let left = count(*unfinished, "rack was", "racks were");
            let _ = writeln!(
                text,
                "  {left} left, and nobody won: nothing was potted or scored in {LONGEST_STANDSTILL} actions"
            );
        }
        let [one, two] = speed.seconds_per_decision;
        let _ = writeln!(
            text,
            "  {} simulated, {:.0} a second and core; {:.0} and {:.0} ms a decision; {:.1} s in all",
            count(speed.shots_simulated, "shot", "shots"),
            speed.shots_per_second_and_core,
            1000.0 * one,
            1000.0 * two,
            speed.seconds
        );
        text
    }
}

/// The names of both players. If they are equal, their numbers are added.
pub(super) fn told_apart([one, two]: &[PlayerSpec; 2]) -> [String; 2] {
    if one == two { [format!("{one} (1)"), format!("{two} (2)")] } else { [one.to_string(), two.to_string()] }
}

/// The statistics of a player that are meaningful in a game.
fn player_in_words(game: &str, of: &PlayerStatistics) -> String {
    let measures = Game::named(game).map_or(Measure::POINTS, |game| game.measures);
    // In games of racks, a run is counted in balls.
    let unit = if measures.contains(&Measure::Points) { ["point", "points"] } else { ["ball", "balls"] };
    let said = measures.iter().filter_map(|measure| {
        Some(match measure {
            Measure::Racks => format!("won {}", of.racks),
            Measure::Runouts => format!("ran out {} of {}", of.runouts, count(of.breaks, "break", "breaks")),
            Measure::BreaksWithPot => format!("potted on {}", count(of.breaks_with_pot, "break", "breaks")),
            Measure::Points => count(of.points, "point", "points"),
            Measure::Average => format!("{:.3} an inning", of.average),
            Measure::SuccessRate if of.attempts == 0 => "no attempts".to_owned(),
            Measure::SuccessRate => {
                format!("success in {:.0} % of {}", 100.0 * of.success_rate, count(of.attempts, "attempt", "attempts"))
            }
            Measure::PositionQuality => format!("position {:.0} %", 100.0 * of.position_quality?),
            Measure::LongestBreak => format!("longest break {}", count(of.longest_break, unit[0], unit[1])),
            Measure::Innings => count(of.innings, "inning", "innings"),
            Measure::Potted => format!("{} potted", count(of.potted, "ball", "balls")),
            Measure::Fouls => count(of.fouls, "foul", "fouls"),
            Measure::Shots => count(of.shots, "shot", "shots"),
        })
    });
    said.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_says_what_means_something_in_its_game() {
        let of = PlayerStatistics {
            racks: 1,
            breaks: 1,
            fouls: 1,
            points: 1,
            longest_break: 1,
            ..PlayerStatistics::default()
        };
        let said = |game| player_in_words(game, &of);
        assert!(said("nine-ball").starts_with("won 1, ran out 0 of 1 break, no attempts, longest break 1 ball"));
        assert!(said("snooker").starts_with("won 1, 1 point, no attempts") && !said("snooker").contains("ran out"));
        assert_eq!(said("curling"), "won 1, 1 point, 0 shots");
        assert_eq!(told_apart(&["a", "b"].map(PlayerSpec::from)), ["a", "b"]);
        assert_eq!(told_apart(&["a", "a"].map(PlayerSpec::from)), ["a (1)", "a (2)"]);
    }
}
