//! A match in a link: its specification and its actions. Only the last action keeps its hash, which covers all of them.

use std::fmt::Display;

use ron::extensions::Extensions;
use serde::{Deserialize, Serialize};

use super::{Match, MatchRecord, MatchSpec};
use crate::{
    games::rules::Action,
    link::{Link, LinkError, LinkKind, PHYSICS},
    notice::{NoticeText, mark},
    ron_text::{self, in_one_line},
};

/// The most actions of a match in a link. More only fit if the actions repeat.
const MOST_ACTIONS: usize = 2000;

/// The most opening brackets of any kind in the text of a linked match, more than that many actions need. Each may cost
/// some hundred bytes of memory.
const MOST_BRACKETS: usize = 8 * MOST_ACTIONS;

/// The most [`work`](crate::games::Simulator::work) for all shots of a linked match. It is about a second, and more
/// than almost any match that fits into a link takes.
const MOST_WORK: u64 = 20_000_000;

/// The most letters of a player's name in a link.
const MOST_LETTERS: usize = 100;

/// The text of a match in a link.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Linked {
    spec: MatchSpec,
    actions: Vec<Action>,
}

/// A match from a link, replayed as far as possible.
#[derive(Debug)]
pub struct LinkedMatch {
    /// The current state of the match.
    pub game: Match,
    /// A difference from the match when the link was made, or a reason why it may continue differently. `None` if the
    /// replay is bit-identical.
    pub departure: Option<NoticeText>,
}

impl Match {
    /// The match as a link, starting at its `#`.
    ///
    /// # Errors
    /// The same as [`MatchRecord::to_link`].
    pub fn to_link(&self) -> Result<String, String> {
        let linked = self.record().linked()?;
        Self::new(self.spec.clone())?;
        check_work(self)?;
        linked.write(self.last_hash())
    }

    /// The hash that covers all actions.
    fn last_hash(&self) -> u64 {
        self.log.last().map_or_else(|| self.hash(), |entry| entry.hash)
    }
}

impl MatchRecord {
    /// The match as a link, starting at its `#`. It replays the match to measure the work of its shots, which
    /// [`Match::to_link`] already knows.
    ///
    /// # Errors
    /// A message says why there is no link:
    ///
    /// - a player is a program
    /// - the match does not belong to this program
    /// - it is too long
    /// - its balls roll so long that opening the link would take more than about a second
    pub fn to_link(&self) -> Result<String, String> {
        let linked = self.linked()?;
        let (played, _) = play(linked.spec.clone(), &linked.actions)?;
        linked.write(self.log.last().map_or_else(|| played.hash(), |entry| entry.hash))
    }

    fn linked(&self) -> Result<Linked, String> {
        check_players(&self.spec)?;
        let count = self.log.len();
        if count > MOST_ACTIONS {
            return Err(format!(
                "the match has {count} actions, and a link holds at most {MOST_ACTIONS}; share the match as a file"
            ));
        }
        Ok(Linked { spec: self.spec.clone(), actions: self.log.iter().map(|entry| entry.action).collect() })
    }
}

impl Linked {
    /// The link to a match with this final hash.
    fn write(&self, hash: u64) -> Result<String, String> {
        let text = dialect().to_string(self).map_err(|error| error.to_string())?;
        Link::new(LinkKind::Match, hash, text).write().map_err(|error| error.to_string())
    }
}

impl LinkedMatch {
    /// Replays the match of a link.
    ///
    /// # Errors
    /// A message says why:
    ///
    /// - the link holds something else, or no match
    /// - it names a program as a player
    /// - the match cannot start
    /// - its balls roll so long that replaying it would take more than about a second
    pub fn of(link: &Link) -> Result<Self, String> {
        let Linked { spec, actions } = read(link)?;
        let (game, played) = play(spec, &actions)?;
        let departure = departure(link, &game, [played, actions.len()]);
        Ok(Self { game, departure })
    }
}

/// Replays a match up to the first action that is rejected, and returns the number of accepted actions.
fn play(spec: MatchSpec, actions: &[Action]) -> Result<(Match, usize), String> {
    let mut game = Match::new(spec).map_err(no_match)?;
    for (played, &action) in actions.iter().enumerate() {
        if game.apply(action).is_err() {
            return Ok((game, played));
        }
        check_work(&game)?;
    }
    Ok((game, actions.len()))
}

/// Rejects a match that takes too long to replay, since opening its link waits for the replay.
fn check_work(game: &Match) -> Result<(), String> {
    if game.simulator().work() > MOST_WORK {
        return Err("the balls of the match roll longer than a link allows; share the match as a file".to_owned());
    }
    Ok(())
}

/// The specification and the actions of a linked match.
fn read(link: &Link) -> Result<Linked, String> {
    if link.kind != LinkKind::Match {
        return Err("this is a link to a scene; open it with `carom`, `carom simulate` or `carom render`".to_owned());
    }
    if link.text.bytes().filter(|byte| b"([{".contains(byte)).count() > MOST_BRACKETS {
        return Err(LinkError::TooLarge.to_string());
    }
    let linked: Linked =
        ron_text::read(&link.text, &dialect(), "the match").map_err(|mistake| no_match(mistake.reason))?;
    if linked.actions.len() > MOST_ACTIONS {
        return Err(LinkError::TooLarge.to_string());
    }
    check_players(&linked.spec)?;
    Ok(linked)
}

fn no_match(problem: impl Display) -> String {
    format!("a link: {}", in_one_line(&problem.to_string()))
}

/// Makes sure that nothing in a link is run as a program or written to a terminal as more than a name.
fn check_players(spec: &MatchSpec) -> Result<(), String> {
    let names = || spec.players.iter().map(ToString::to_string);
    if names().any(|name| name.contains(char::is_control) || name.chars().count() > MOST_LETTERS) {
        return Err(format!(
            "the name of a player has a control character or more than {MOST_LETTERS} letters; share the match as a \
            file"
        ));
    }
    spec.starts_no_program(|name| {
        format!("one of the players is a program, `{name}`, which a link must not name; share the match as a file")
    })
}

fn departure(link: &Link, game: &Match, [played, count]: [usize; 2]) -> Option<NoticeText> {
    let versions = [link.physics.clone(), PHYSICS.to_owned()];
    if played < count {
        let [version, own] = versions;
        return Some(NoticeText::new(
            mark(
                "Action {} of {} in the link is not possible, so the match stops before it. The link was made by \
                carom {}; this is carom {}.",
            ),
            [(played + 1).to_string(), count.to_string(), version, own],
        ));
    }
    if game.last_hash() != link.hash {
        return Some(NoticeText::new(
            mark(
                "The match differs from the one that the link was made from. It was made by carom {}; in carom {}, \
                the same shots end differently.",
            ),
            versions,
        ));
    }
    (link.physics != PHYSICS).then(|| {
        NoticeText::new(
            mark(
                "The link was made by carom {}; this is carom {}. The match is bit-identical so far, but further \
                shots may end differently.",
            ),
            versions,
        )
    })
}

fn dialect() -> ron::Options {
    ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::PlayerSpec;

    fn link_of(text: &str) -> Link {
        Link::new(LinkKind::Match, 1, text.to_owned())
    }

    fn played() -> MatchRecord {
        let text = include_str!("../../../assets/matches/nine-ball.ron");
        let record = MatchRecord::parse(text, "nine-ball.ron").unwrap();
        MatchRecord { log: record.log[..6].to_vec(), ..record }
    }

    #[test]
    fn a_match_comes_back_bit_identical() {
        for record in [played(), Match::new(MatchSpec::default()).unwrap().record()] {
            let link = Link::read(&record.to_link().unwrap()).unwrap();
            let LinkedMatch { game, departure } = LinkedMatch::of(&link).unwrap();
            assert_eq!((game.record(), departure), (record, None));
        }
    }

    #[test]
    fn what_departs_is_said_and_opens_as_far_as_it_goes() {
        let record = played();
        let link = Link::read(&record.to_link().unwrap()).unwrap();
        let said = |link: &Link| LinkedMatch::of(link).unwrap().departure.unwrap().to_string();
        assert!(said(&Link { hash: link.hash ^ 1, ..link.clone() }).starts_with("The match differs"));
        let newer = Link { physics: "9.9.9".to_owned(), ..link.clone() };
        assert!(said(&newer).starts_with("The link was made by carom 9.9.9"), "{}", said(&newer));
        let extra = link.text.replacen("actions:[", "actions:[TakeBack,", 1);
        let LinkedMatch { game, departure } = LinkedMatch::of(&Link { text: extra, ..link }).unwrap();
        assert_eq!(game.log().len(), 0);
        assert!(departure.unwrap().to_string().starts_with("Action 1 of 7 in the link is not possible"));
    }

    #[test]
    fn no_link_names_a_program_and_none_takes_long() {
        let with = |name: &str| MatchSpec { players: ["You", name].map(PlayerSpec::from), ..MatchSpec::default() };
        for (name, said) in [
            ("exec:touch a", "touch a"),
            (" exec:touch a", "touch a"),
            ("\u{1b}[2J", "control character"),
            (&"ü".repeat(MOST_LETTERS + 1), "100 letters"),
        ] {
            let linked = Linked { spec: with(name), actions: Vec::new() };
            let text = dialect().to_string(&linked).unwrap();
            assert!(LinkedMatch::of(&link_of(&text)).unwrap_err().contains(said));
            let record = MatchRecord { spec: with(name), log: Vec::new(), over: false };
            assert!(record.to_link().unwrap_err().contains(said));
        }
        let many =
            format!("(spec:(game:\"practice\",players:(\"a\",\"b\")),actions:[{}])", "Pass,".repeat(MOST_ACTIONS + 1));
        let [round, square, curly] = ["(", "[", "{"].map(|bracket| bracket.repeat(MOST_BRACKETS));
        for text in [&many, &format!("(spec:{round}"), &format!("(spec:{square}"), &format!("(spec:{curly}")] {
            assert_eq!(LinkedMatch::of(&link_of(text)).unwrap_err(), LinkError::TooLarge.to_string());
        }
    }

    /// The hardest break, taken back and played again.
    fn breaks(count: usize) -> String {
        let again = "Shoot(strike:(speed:20,direction:(1,-0.03))),TakeBack,".repeat(count);
        format!(r#"(spec:(game:"snooker",players:("a","b")),actions:[Place((-1.1,0.1)),{again}])"#)
    }

    #[test]
    fn a_match_whose_balls_roll_for_an_hour_is_refused() {
        let refused = LinkedMatch::of(&link_of(&breaks((MOST_ACTIONS - 1) / 2))).unwrap_err();
        assert!(refused.contains("roll longer than a link allows"), "{refused}");
    }

    #[test]
    fn a_match_is_linked_if_its_link_can_be_opened() {
        let LinkedMatch { mut game, .. } = LinkedMatch::of(&link_of(&breaks(20))).unwrap();
        assert_eq!(game.log().len(), 41);
        assert_eq!(game.to_link(), game.record().to_link());
        assert!(game.to_link().is_ok());
        let shoot = game.log()[1].action;
        for _ in 0..(MOST_ACTIONS - 41) / 2 {
            game.apply(shoot).unwrap();
            game.apply(Action::TakeBack).unwrap();
        }
        assert!(game.log().len() <= MOST_ACTIONS);
        assert!(game.to_link().unwrap_err().contains("roll longer than a link allows"));
    }
}
