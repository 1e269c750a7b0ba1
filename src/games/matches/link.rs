//! A match in a link: what is played and what was done, without the hash of every action, which the last one's stands
//! for.

use std::fmt::Display;

use ron::extensions::Extensions;
use serde::{Deserialize, Serialize};

use super::{Match, MatchRecord, MatchSpec};
use crate::{
    games::rules::Action,
    link::{Link, LinkError, LinkKind, PHYSICS},
    notice::{NoticeText, mark},
    ron_text,
    scene::in_one_line,
};

/// The most actions of a match in a link: more than fit into one, but for those that repeat each other.
const MOST_ACTIONS: usize = 2000;

/// The most opening brackets of any kind in the text of a match in a link: more than so many actions have. Each may
/// cost some hundred bytes of memory.
const MOST_BRACKETS: usize = 8 * MOST_ACTIONS;

/// The most [`work`](crate::games::Simulator::work) that all shots of a match in a link may take: about a second, and
/// more than the shots of almost any match that fits into a link.
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

/// A match out of a link, played again as far as it goes.
#[derive(Debug)]
pub struct LinkedMatch {
    /// The match as it stands.
    pub game: Match,
    /// Where it is not what it was when the link was made, or may go on otherwise; none if all is to the bit.
    pub departure: Option<NoticeText>,
}

impl Match {
    /// The match as a link, from its `#` on.
    ///
    /// # Errors
    /// Those of [`MatchRecord::to_link`].
    pub fn to_link(&self) -> Result<String, String> {
        let linked = self.record().linked()?;
        Self::new(self.spec.clone())?;
        check_work(self)?;
        linked.write(self.last_hash())
    }

    /// The hash that stands for all that was done.
    fn last_hash(&self) -> u64 {
        self.log.last().map_or_else(|| self.hash(), |entry| entry.hash)
    }
}

impl MatchRecord {
    /// The match as a link, from its `#` on. The match is played again to find out how long its shots take;
    /// [`Match::to_link`] knows that already.
    ///
    /// # Errors
    /// In words why it cannot be one: a player is a program, it is no match of this program, it is too long, or its
    /// balls roll so long that opening the link would take more than about a second.
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
                "the match has {count} actions, and one in a link has at most {MOST_ACTIONS}; pass its file on"
            ));
        }
        Ok(Linked { spec: self.spec.clone(), actions: self.log.iter().map(|entry| entry.action).collect() })
    }
}

impl Linked {
    /// The link to a match that has come to this hash.
    fn write(&self, hash: u64) -> Result<String, String> {
        let text = dialect().to_string(self).map_err(|error| error.to_string())?;
        Link::new(LinkKind::Match, hash, text).write().map_err(|error| error.to_string())
    }
}

impl LinkedMatch {
    /// Plays the match of a link.
    ///
    /// # Errors
    /// In words: it is a link to something else, no match, names a program as a player, cannot begin, or its balls
    /// roll so long that playing it would take more than about a second.
    pub fn of(link: &Link) -> Result<Self, String> {
        let Linked { spec, actions } = read(link)?;
        let (game, played) = play(spec, &actions)?;
        let departure = departure(link, &game, [played, actions.len()]);
        Ok(Self { game, departure })
    }
}

/// Plays a match up to the first action that cannot be done, and tells how many could.
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

/// Whoever opens a link waits until its match has been played again.
fn check_work(game: &Match) -> Result<(), String> {
    if game.simulator().work() > MOST_WORK {
        return Err(
            "the balls of the match roll longer than they may in a link; pass the match on as a file".to_owned()
        );
    }
    Ok(())
}

/// What is played in the match of a link, and what was done.
fn read(link: &Link) -> Result<Linked, String> {
    if link.kind != LinkKind::Match {
        return Err("the link is one to a scene; give it to `carom`, `carom simulate` or `carom render`".to_owned());
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

/// Nothing that a link says is run as a program, or written to a terminal as more than a name.
fn check_players(spec: &MatchSpec) -> Result<(), String> {
    let names = || spec.players.iter().map(ToString::to_string);
    if names().any(|name| name.contains(char::is_control) || name.chars().count() > MOST_LETTERS) {
        return Err(format!(
            "the name of a player has a control character in it, or more than {MOST_LETTERS} letters; pass the match on as a file"
        ));
    }
    spec.starts_no_program(|name| {
        format!("one of the players is a program, `{name}`, which no link may name; pass the match on as a file")
    })
}

fn departure(link: &Link, game: &Match, [played, count]: [usize; 2]) -> Option<NoticeText> {
    let versions = [link.physics.clone(), PHYSICS.to_owned()];
    if played < count {
        let [version, own] = versions;
        return Some(NoticeText::new(
            mark(
                "Action {} of the {} in the link cannot be done, and the match stands before it. The link was made by carom {}, and this is carom {}.",
            ),
            [(played + 1).to_string(), count.to_string(), version, own],
        ));
    }
    if game.last_hash() != link.hash {
        return Some(NoticeText::new(
            mark(
                "The match is another than when the link was made, by carom {}; this is carom {}, and the same shots go otherwise in it.",
            ),
            versions,
        ));
    }
    (link.physics != PHYSICS).then(|| {
        NoticeText::new(
            mark("The link was made by carom {}, and this is carom {}: all is to the bit so far, and the same shots may go otherwise from here."),
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
    fn a_match_comes_back_to_the_bit() {
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
        assert!(said(&Link { hash: link.hash ^ 1, ..link.clone() }).starts_with("The match is another"));
        let newer = Link { physics: "9.9.9".to_owned(), ..link.clone() };
        assert!(said(&newer).starts_with("The link was made by carom 9.9.9"), "{}", said(&newer));
        let extra = link.text.replacen("actions:[", "actions:[TakeBack,", 1);
        let LinkedMatch { game, departure } = LinkedMatch::of(&Link { text: extra, ..link }).unwrap();
        assert_eq!(game.log().len(), 0);
        assert!(departure.unwrap().to_string().starts_with("Action 1 of the 7 in the link cannot be done"));
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

    /// The hardest of breaks, taken back and played again.
    fn breaks(count: usize) -> String {
        let again = "Shoot(strike:(speed:20,direction:(1,-0.03))),TakeBack,".repeat(count);
        format!(r#"(spec:(game:"snooker",players:("a","b")),actions:[Place((-1.1,0.1)),{again}])"#)
    }

    #[test]
    fn a_match_whose_balls_roll_for_an_hour_is_refused() {
        let refused = LinkedMatch::of(&link_of(&breaks((MOST_ACTIONS - 1) / 2))).unwrap_err();
        assert!(refused.contains("roll longer than they may in a link"), "{refused}");
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
        assert!(game.to_link().unwrap_err().contains("roll longer than they may in a link"));
    }
}
