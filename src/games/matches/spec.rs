//! What is played in a match, by whom, and how long.

use serde::{Deserialize, Serialize};

use crate::{
    billiards::cue::Cue,
    games::rules::{Options, Player, PlayerSpec},
};

/// What is played, by whom, and how long.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchSpec {
    /// The name of the game, such as `nine-ball`.
    pub game: String,
    /// Its options that differ from their defaults. Default: none do.
    #[serde(default)]
    pub options: Options,
    /// The name of the table, such as `pool-9ft`. Default: empty, the game's usual one.
    #[serde(default)]
    pub table: String,
    /// Both players.
    pub players: [PlayerSpec; 2],
    /// How many racks win the match, 1 at least. Default: 1.
    #[serde(default = "one")]
    pub race_to: u32,
    /// Who breaks from the second rack on. Default: both in turn.
    #[serde(default)]
    pub breaks: Breaks,
    /// Who breaks in the first. Default: the first player.
    #[serde(default)]
    pub first: Player,
    /// What is left to chance follows from it. Default: 0.
    #[serde(default)]
    pub seed: u64,
    /// How long a player may take for a shot, seconds; who measures it is whoever shows the match, and
    /// [`Action::Pass`](crate::games::Action::Pass) is what follows. Default: as long as they like.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shot_clock: Option<f32>,
    /// Whether shots may be taken back. Default: yes.
    #[serde(default = "yes")]
    pub take_back: bool,
    /// The cue of both. Default: a pool cue.
    #[serde(default)]
    pub cue: Cue,
}

impl MatchSpec {
    /// The rule for a match that comes from elsewhere, in a link or in a file that nobody has read: it starts no
    /// program, so none of its players may be one. `refused` puts that into words.
    ///
    /// # Errors
    /// What `refused` says of the first program.
    pub(crate) fn starts_no_program(&self, refused: impl FnOnce(&PlayerSpec) -> String) -> Result<(), String> {
        let program = self.players.iter().find(|player| matches!(player, PlayerSpec::Program(_)));
        program.map_or(Ok(()), |program| Err(refused(program)))
    }
}

fn one() -> u32 {
    1
}

fn yes() -> bool {
    true
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
        }
    }
}

/// Who breaks from the second rack on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Breaks {
    /// Both in turn.
    #[default]
    Alternate,
    /// Who has won the rack before.
    Winner,
    /// Who has lost the rack before.
    Loser,
}
