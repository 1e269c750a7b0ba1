//! The list of the shots of a match: the outcome of each, and the data to replay it.

use super::Match;
use crate::{
    billiards::cue::Cue,
    games::{
        rules::{Action, BallId, Foul, Layout, Player, Report, Task},
        simulator::{Film, Simulator},
    },
};

/// A shot that was not taken back, in some hundred bytes. Players are numbered as in the match.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedShot {
    /// The player who shot.
    pub player: Player,
    /// The rack, from 0.
    pub rack: u32,
    /// The cue.
    pub cue: Cue,
    /// The ball struck by it.
    pub cue_ball: BallId,
    /// The shot, or a pass when the time ran out.
    pub action: Action,
    /// Positions of the balls before the shot.
    pub before: Layout,
    /// Potted balls, in order.
    pub potted: Vec<BallId>,
    /// The fouls.
    pub fouls: Vec<Foul>,
    /// The points that both players gained or lost by it.
    pub points: [i32; 2],
    /// Whether it ended the rack.
    pub ends_rack: bool,
    /// The player who won the rack by it, if any.
    pub won: Option<Player>,
}

impl PlayedShot {
    /// The list entry of a shot in a rack with this cue ball, or `None` if nothing was shot.
    pub(super) fn of(rack: u32, cue: Cue, cue_ball: Option<BallId>, action: Action, report: &Report) -> Option<Self> {
        let shot = report.shot.as_ref()?;
        Some(Self {
            player: report.player,
            rack,
            cue,
            cue_ball: cue_ball?,
            action,
            before: shot.before.clone(),
            potted: shot.potted().map(|(ball, _)| ball).collect(),
            fouls: report.verdict.fouls.clone(),
            points: report.verdict.points,
            ends_rack: report.rack.is_some(),
            won: report.rack.and_then(|outcome| outcome.winner),
        })
    }

    /// The whole shot, as played in this match.
    #[must_use]
    pub fn film(&self, of: &Match) -> Film {
        let Action::Shoot { strike, .. } = &self.action else { return Film::still(&self.before) };
        let mut simulator = Simulator::new(of.table().clone());
        let film = simulator.film(&self.before, self.cue_ball, strike, &self.cue);
        film.unwrap_or_else(|_| Film::still(&self.before))
    }
}

/// The cue ball of the next shot, if there is one.
pub(super) fn cue_ball_of(task: &Task) -> Option<BallId> {
    match task {
        Task::Shoot(stroke) => Some(stroke.cue_ball),
        _ => None,
    }
}
