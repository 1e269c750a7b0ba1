//! What can be chosen of snooker.

use serde::{Deserialize, Serialize};

/// What can be chosen of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SnookerOptions {
    /// How many reds there are: 15, 10 or 6. Default: 15.
    pub reds: u8,
    /// When a foul is a miss besides. Default: [`MissRule::InSight`].
    pub miss: MissRule,
    /// Whether the third miss in a row from the same place, with a ball on in full sight, loses the frame. Default:
    /// yes.
    pub three_misses: bool,
    /// Whether there is a free ball. Default: yes.
    pub free_ball: bool,
    /// Whether a colour need not be nominated: the one that is hit first is the one. Default: no.
    pub implied_nomination: bool,
}

impl Default for SnookerOptions {
    fn default() -> Self {
        Self { reds: 15, miss: MissRule::default(), three_misses: true, free_ball: true, implied_nomination: false }
    }
}

/// When a player who has not hit a ball on first is taken not to have tried well enough, so that the other may have the
/// balls put back and the stroke played again. Never where a player needs the points of fouls to win.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MissRule {
    /// Never.
    Off,
    /// Where any part of a ball on could have been hit in a straight line: the part of the rule that leaves nothing to
    /// judgement.
    #[default]
    InSight,
    /// Always, as between professionals.
    Always,
}
