//! The specification of a player.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A player of a match. In files, links and on command lines it is a text: `bot:LEVEL` for a bot, `exec:COMMAND` for
/// another program, and anything else for the name of a person.
///
/// ```
/// use carom::games::PlayerSpec;
///
/// assert_eq!(PlayerSpec::from("bot:strong@0.3"), PlayerSpec::Bot("strong@0.3".to_owned()));
/// assert_eq!(PlayerSpec::from("Ada").to_string(), "Ada");
/// assert!(PlayerSpec::you().is_you() && PlayerSpec::from("you").is_you());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum PlayerSpec {
    /// A person with this name, which may be empty.
    Person(String),
    /// A bot of this level, such as `strong`, or `strong@0.3` to override the noise of its hand.
    Bot(String),
    /// A program with this command line.
    Program(String),
}

/// The name of the person addressed as "you".
const YOU: &str = "You";

impl PlayerSpec {
    /// A person with this name. A name that would read as a bot or a program loses its colon.
    #[must_use]
    pub fn person(name: &str) -> Self {
        match Self::from(name.trim()) {
            Self::Person(name) => Self::Person(name),
            other => Self::Person(other.to_string().replacen(':', " ", 1)),
        }
    }

    /// The person addressed as "you".
    #[must_use]
    pub fn you() -> Self {
        Self::Person(YOU.to_owned())
    }

    /// Whether it is the person addressed as "you".
    #[must_use]
    pub fn is_you(&self) -> bool {
        matches!(self, Self::Person(name) if name.eq_ignore_ascii_case(YOU))
    }

    /// Whether it is a person.
    #[must_use]
    pub fn is_person(&self) -> bool {
        matches!(self, Self::Person(_))
    }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Person(name) => f.write_str(name),
            Self::Bot(level) => write!(f, "bot:{level}"),
            Self::Program(command) => write!(f, "exec:{command}"),
        }
    }
}

impl From<&str> for PlayerSpec {
    fn from(text: &str) -> Self {
        let name = text.trim_start();
        match (name.strip_prefix("bot:"), name.strip_prefix("exec:")) {
            (Some(level), _) => Self::Bot(level.to_owned()),
            (_, Some(command)) => Self::Program(command.to_owned()),
            _ => Self::Person(text.to_owned()),
        }
    }
}

impl From<String> for PlayerSpec {
    fn from(text: String) -> Self {
        text.as_str().into()
    }
}

impl From<PlayerSpec> for String {
    fn from(player: PlayerSpec) -> Self {
        player.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_a_player_and_comes_back() {
        for text in ["Ada", "Dr: Who", "bot:easy@1", "exec:FOO=1 ./bot, 2", "You"] {
            assert_eq!(PlayerSpec::from(text).to_string(), text);
        }
        assert_eq!(PlayerSpec::from(" exec:touch a"), PlayerSpec::Program("touch a".to_owned()));
    }

    #[test]
    fn nobody_becomes_a_bot_by_a_name() {
        for (name, kept) in [(" bot:x ", "bot x"), ("exec:rm", "exec rm"), ("Dr: Who", "Dr: Who")] {
            let person = PlayerSpec::person(name);
            assert_eq!(person, PlayerSpec::Person(kept.to_owned()));
            assert_eq!(PlayerSpec::from(person.to_string()), person);
        }
    }
}
