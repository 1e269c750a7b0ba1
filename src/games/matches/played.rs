//! The shots of a match as a list: what came of each, and all that it takes to look at it again.

use super::Match;
use crate::games::{
    rules::{Action, BallId, Foul, Layout, Player, Report, Task},
    simulator::{Film, Simulator},
};

/// A shot that stands, some hundred bytes of it. Players are those of the match.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedShot {
    /// Who played it.
    pub player: Player,
    /// The rack that it belongs to, from 0.
    pub rack: u32,
    /// The ball that was struck.
    pub cue_ball: BallId,
    /// The shot, or that none was played in time.
    pub action: Action,
    /// Where the balls lay when it was struck.
    pub before: Layout,
    /// The balls that fell, in order.
    pub potted: Vec<BallId>,
    /// What was against the rules.
    pub fouls: Vec<Foul>,
    /// The points that both players got for it, or lost.
    pub points: [i32; 2],
    /// Whether it has ended the rack.
    pub ends_rack: bool,
    /// Who has won the rack by it, if anybody has.
    pub won: Option<Player>,
}

impl PlayedShot {
    /// What a list keeps of a shot in a rack, struck at this ball; none where nothing was shot.
    pub(super) fn of(rack: u32, cue_ball: Option<BallId>, action: Action, report: &Report) -> Option<Self> {
        let shot = report.shot.as_ref()?;
        Some(Self {
            player: report.player,
            rack,
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

    /// The shot from its first moment to its last, as it was played in this match.
    #[must_use]
    pub fn film(&self, of: &Match) -> Film {
        let Action::Shoot { strike, .. } = &self.action else { return Film::still(&self.before) };
        let mut simulator = Simulator::new(of.table().clone());
        let film = simulator.film(&self.before, self.cue_ball, strike, &of.spec().cue);
        film.unwrap_or_else(|_| Film::still(&self.before))
    }
}

/// The ball that is struck next in a match, if one is.
pub(super) fn cue_ball_of(task: &Task) -> Option<BallId> {
    match task {
        Task::Shoot(stroke) => Some(stroke.cue_ball),
        _ => None,
    }
}
