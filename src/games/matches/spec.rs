//! The specification of a match: the game, the players and the length.

use serde::{Deserialize, Serialize};

use crate::{
    billiards::cue::Cue,
    games::rules::{Options, Player, PlayerSpec},
};

/// The game, the players and the length of a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchSpec {
    /// The name of the game, such as `nine-ball`.
    pub game: String,
    /// Options that differ from their defaults. Default: none.
    #[serde(default)]
    pub options: Options,
    /// The name of the table, such as `pool-9ft`. Default: empty, for the usual table of the game.
    #[serde(default)]
    pub table: String,
    /// Both players.
    pub players: [PlayerSpec; 2],
    /// The number of racks that win the match, at least 1. Default: 1.
    #[serde(default = "usual_race")]
    pub race_to: u32,
    /// Who breaks from the second rack on. Default: the players alternate.
    #[serde(default)]
    pub breaks: Breaks,
    /// The player who breaks first. Default: the first player.
    #[serde(default)]
    pub first: Player,
    /// The seed of everything random. Default: 0.
    #[serde(default)]
    pub seed: u64,
    /// The time limit for a shot, seconds. The match does not measure it: the display does, and sends
    /// [`Action::Pass`](crate::games::Action::Pass). Default: no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shot_clock: Option<f32>,
    /// Whether shots may be taken back. Default: true.
    #[serde(default = "usual_take_back")]
    pub take_back: bool,
    /// The cue of both players. Default: a pool cue.
    #[serde(default)]
    pub cue: Cue,
    /// Whether balls leave the cloth. Default: true for a new match, false for a file or link without this field, in
    /// which no ball has flown.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub flight: bool,
}

impl MatchSpec {
    /// The check for a match from an untrusted link or file. The match must start no program, so no player may be one.
    /// `refused` produces the message.
    ///
    /// # Errors
    /// The message of `refused` for the first program.
    pub(crate) fn starts_no_program(&self, refused: impl FnOnce(&PlayerSpec) -> String) -> Result<(), String> {
        let program = self.players.iter().find(|player| matches!(player, PlayerSpec::Program(_)));
        program.map_or(Ok(()), |program| Err(refused(program)))
    }
}

fn usual_race() -> u32 {
    MatchSpec::default().race_to
}

fn usual_take_back() -> bool {
    MatchSpec::default().take_back
}

impl Default for MatchSpec {
    fn default() -> Self {
        Self {
            game: "practice".to_owned(),
            options: Options::new(),
            table: String::new(),
            players: ["Player 1", "Player 2"].map(PlayerSpec::from),
            race_to: 1,
            breaks: Breaks::default(),
            first: Player(0),
            seed: 0,
            shot_clock: None,
            take_back: true,
            cue: Cue::default(),
            flight: true,
        }
    }
}

/// Who breaks from the second rack on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Breaks {
    /// The players alternate.
    #[default]
    Alternate,
    /// The winner of the previous rack.
    Winner,
    /// The loser of the previous rack.
    Loser,
}
