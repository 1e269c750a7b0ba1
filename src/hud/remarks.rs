//! What rules and matches say, in the language of the window: remarks, notes and refusals.

use tr::tr;

use crate::{
    billiards::cue::Miscue,
    games::{CallRefusal, FASTEST_CUE, Note, PlaceRefusal, Refusal, Remark, ShotError},
    hud::ball_name::ball,
};

/// A sentence about what has happened.
pub(super) fn remark(remark: &Remark) -> String {
    match remark {
        Remark::SecondFoul => tr!("That is the second foul in a row; a third one is a serious foul."),
        Remark::Spotted(name) => tr!("The {} is spotted.", ball(*name)),
        Remark::IllegalBreak => tr!(
            "The break was not legal: no ball was potted, and fewer than four were driven to a rail; the other player chooses."
        ),
        Remark::NotAsCalled => tr!("It was not called so: the turn passes."),
        Remark::HitNoBall => tr!("No ball was hit."),
        Remark::HitOneBall => tr!("Only one ball was hit."),
        Remark::TooFewCushions(had, needed) => {
            tr!("Cushions before the second ball: {}; it takes {}.", had, needed)
        }
        Remark::EightOnBreak => tr!(
            "The 8 fell on the break: it is spotted, or the balls are broken again, as the player at the table chooses."
        ),
        Remark::EightBreaksAgain => tr!("The 8 fell on the break: it is broken again."),
        Remark::TakesSolids => tr!("The groups are chosen: the player at the table has solids, the other stripes."),
        Remark::TakesStripes => tr!("The groups are chosen: the player at the table has stripes, the other solids."),
        Remark::EightOffTable => tr!("The 8 left the table: the rack is lost."),
        Remark::EightWithFoul => tr!("The 8 was potted with a foul: the rack is lost."),
        Remark::EightTooEarly => tr!("The 8 was potted before its time: the rack is lost."),
        Remark::EightUncalled => tr!("The 8 fell into a pocket that was not called: the rack is lost."),
        Remark::PushOut => tr!("It was a push-out: the other player chooses who shoots now."),
        Remark::PottedUncalled => {
            tr!("A ball was potted that was not called so: the other player chooses who shoots now.")
        }
        Remark::FourteenRacked => tr!("Fourteen balls are racked again."),
        Remark::FifteenRacked => tr!("All fifteen balls are racked again."),
        Remark::BreaksAgain => tr!("All balls are racked, and the player breaks again."),
        Remark::FreeBall => tr!("Free ball."),
        Remark::Miss => tr!("Foul and a miss."),
        Remark::ThirdMissLoses => tr!("A third miss loses the frame."),
        Remark::ThirdMiss => {
            tr!("It was the third miss in a row with a ball on in full sight: the frame is lost.")
        }
        Remark::BlackRespotted => {
            tr!("The scores are level: the black is re-spotted, and the next score or foul ends the frame.")
        }
        Remark::EqualisingInning => tr!("The other player has the equalising inning, from the starting position."),
        Remark::LastByThreeCushions => tr!("The last point takes three cushions before the second red."),
        Remark::StoneTouchedBoard(side) => tr!("A {} stone touched a board and is out.", ball(*side)),
        Remark::StoneBeyondBackLine(side) => tr!("A {} stone is beyond the back line and is out.", ball(*side)),
        Remark::StoneShort(side) => tr!("A {} stone is short of the hog line and is out.", ball(*side)),
        Remark::StonesCount(side, 1) => tr!("1 {} stone counts.", ball(*side)),
        Remark::StonesCount(side, count) => tr!("{} {} stones count.", count, ball(*side)),
        Remark::BlankEnd => tr!("It is a blank end: the hammer stays."),
        Remark::ExtraEnd => tr!("The score is level: an extra end is played."),
        Remark::NearestStoneWins(side) => tr!("The score stays level: the nearest stone is {} and wins.", ball(*side)),
        Remark::WithoutHammerWins => tr!("The score stays level: the side without the hammer wins."),
        Remark::Own(text) => tr!(text),
    }
}

/// A note on the state of a player.
pub(super) fn note(note: &Note) -> String {
    match note {
        Note::OpenTable => tr!("open table"),
        Note::Solids => tr!("solids"),
        Note::Stripes => tr!("stripes"),
        Note::PlaysAt(name) => tr!("on the {}", ball(*name)),
        Note::Fouls(1) => tr!("on one foul"),
        Note::Fouls(2) => tr!("on two fouls"),
        Note::Fouls(count) => tr!("on {} fouls", count),
        Note::ToGo(points) => tr!("{} to go", points),
        Note::Innings(1) => tr!("1 inning"),
        Note::Innings(innings) => tr!("{} innings", innings),
        Note::Average { .. } => tr!("average {}", format!("{:.3}", note.average())),
        Note::LongestRun(points) => tr!("longest break {}", points),
        Note::LastByThreeCushions => tr!("three cushions for the last point"),
        Note::BallOn(name) => tr!("{} on", ball(*name)),
        Note::ColourOn => tr!("colour on"),
        Note::FreeBall => tr!("free ball"),
        Note::BlackRespotted => tr!("re-spotted black"),
        Note::PointsOnTable(points) => tr!("{} points on the table", points),
        Note::NeedsSnookers => tr!("needs snookers"),
        Note::Side(name) => ball(*name),
        Note::End { number, of } => tr!("end {} of {}", number, of),
        Note::ExtraEnd => tr!("extra end"),
        Note::StonesLeft(1) => tr!("1 stone left"),
        Note::StonesLeft(count) => tr!("{} stones left", count),
        Note::Hammer => tr!("hammer"),
        Note::Own(text) => tr!(text),
    }
}

/// Why something cannot be done now, a sentence; `stones` where those are played, and not balls.
pub(super) fn refusal(refusal: &Refusal, stones: bool) -> String {
    match refusal {
        Refusal::PlaceFirst | Refusal::Shot(ShotError::NoCueBall) if stones => tr!("Place the stone first."),
        Refusal::Place(PlaceRefusal::InTheWay) if stones => tr!("Another stone lies there."),
        Refusal::Place(PlaceRefusal::OffTheCloth) if stones => tr!("The stone has to lie on the sheet."),
        Refusal::Place(_) if stones => tr!("The stone has to lie behind the line."),
        Refusal::Over => tr!("The match is over."),
        Refusal::ChooseFirst => tr!("Choose first how it goes on."),
        Refusal::NothingToChoose => tr!("There is nothing to choose now."),
        Refusal::NotOffered(_) => tr!("That is not among what can be chosen now."),
        Refusal::Call(why) => call(*why),
        Refusal::NotInHand => tr!("The cue ball is played from where it lies."),
        Refusal::PlaceFirst | Refusal::Shot(ShotError::NoCueBall) => tr!("Place the cue ball first."),
        Refusal::Place(why) => place(*why),
        Refusal::Shot(ShotError::Miscue(Miscue { offset, limit })) => tr!(
            "The tip would hit {} radii from the middle and slip off: {} is the most that holds.",
            format!("{offset:.2}"),
            format!("{limit:.2}")
        ),
        Refusal::Shot(ShotError::Strike) => tr!(
            "A stroke needs a direction, a speed of the cue up to {} m/s and an elevation up to a right angle.",
            FASTEST_CUE
        ),
        Refusal::NothingToTakeBack => tr!("There is nothing to take back."),
        Refusal::NoTakeBack => tr!("Shots are not taken back in this match."),
        Refusal::NotYourTurn => tr!("It is not your turn yet."),
        Refusal::BallsRoll => tr!("Wait until the balls rest."),
        Refusal::ShotStands => tr!("The shot stands."),
        Refusal::NothingAsked => tr!("Nobody has asked for anything."),
        Refusal::NotKept { path, why } => tr!("The match is not kept any more: {}: {}", path, why),
        Refusal::Held => tr!("The match is held: nobody plays now."),
        Refusal::NoSuchShot => tr!("There is no such shot."),
        Refusal::NothingLookedAt => tr!("No shot is looked at."),
        Refusal::NoMatch => tr!("There is no match."),
        Refusal::Own(text) => tr!(text),
    }
}

fn call(why: CallRefusal) -> String {
    match why {
        CallRefusal::NoPushOut => tr!("A push-out is allowed only in the shot after the break."),
        CallRefusal::NoSafety => tr!("A safety cannot be called here."),
        CallRefusal::BallFirst => tr!("Choose the ball that you play at."),
        CallRefusal::NotOn => tr!("That ball is not on."),
        CallRefusal::NotThatBall => tr!("That ball cannot be called here."),
        CallRefusal::BallAndPocketFirst => tr!("Call a ball and a pocket, or a safety."),
        CallRefusal::PocketFirst => tr!("Call the pocket, too."),
    }
}

fn place(why: PlaceRefusal) -> String {
    match why {
        PlaceRefusal::InTheWay => tr!("Another ball lies there."),
        PlaceRefusal::OffTheCloth => tr!("The ball has to lie on the cloth."),
        PlaceRefusal::BehindHeadString => tr!("The ball has to lie behind the head string."),
        PlaceRefusal::BehindLine => tr!("The stone has to lie behind the line."),
        PlaceRefusal::InD => tr!("The ball has to lie in the D."),
        PlaceRefusal::OnSpot => tr!("The ball has to lie on its spot."),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{
        billiards::{cue::Miscue, tables::ShippedTable},
        games::{Choice, GAMES, GameTable, Task, test_support::random_play},
        hud::words,
        random::Random,
        view::words::language::in_japanese,
    };

    /// Whether a sentence has no letters of English but those of the D.
    fn is_japanese(text: &str) -> bool {
        text.chars().all(|letter| !letter.is_ascii_alphabetic() || "D".contains(letter))
    }

    #[test]
    fn in_english_they_are_said_as_the_games_have_them() {
        for (said, meant) in [
            (remark(&Remark::Spotted(crate::billiards::tables::BallName::Number(9))), "The 9 is spotted."),
            (remark(&"Well done.".into()), "Well done."),
            (note(&Note::Average { points: 1, innings: 3 }), "average 0.333"),
            (note(&Note::End { number: 2, of: 4 }), "end 2 of 4"),
            (refusal(&Refusal::Call(CallRefusal::NotOn), false), "That ball is not on."),
            (refusal(&Refusal::Place(PlaceRefusal::InD), false), "The ball has to lie in the D."),
        ] {
            assert_eq!(said, meant);
        }
    }

    #[test]
    fn a_match_of_every_game_shows_no_english_in_japanese() {
        in_japanese(|| {
            let mut said = Vec::new();
            for (game, seed) in GAMES.iter().flat_map(|game| (0..12).map(move |seed| (game, seed))) {
                let spec = ShippedTable::named(game.tables[0]).and_then(ShippedTable::spec).unwrap();
                let table = Arc::new(GameTable::new(spec).unwrap());
                let mut random = Random::new(seed);
                let options = random_play::options(game, &table, &mut random);
                let mut rules = (game.begin)(&table, &options).unwrap();
                random_play::play(rules.as_mut(), &table, &mut random, 150, |rules, verdict| {
                    said.extend(verdict.remarks.iter().map(remark));
                    said.extend(verdict.fouls.iter().copied().map(words::foul));
                    for player in 0..2 {
                        said.extend(rules.notes(crate::games::Player(player)).iter().map(note));
                    }
                    if let Task::Choose(choices) = &rules.turn().task {
                        said.extend(choices.iter().copied().map(words::choice));
                    }
                });
            }
            assert!(said.len() > 1000, "{}", said.len());
            for text in said {
                assert!(is_japanese(&text), "{text}");
            }
        });
    }

    #[test]
    fn refusals_are_japanese() {
        let miscue = Miscue { offset: 0.6, limit: 0.5 };
        let refusals = [
            Refusal::Over,
            Refusal::ChooseFirst,
            Refusal::NothingToChoose,
            Refusal::NotOffered(Choice::Break),
            CallRefusal::NoPushOut.into(),
            CallRefusal::NoSafety.into(),
            CallRefusal::BallFirst.into(),
            CallRefusal::NotOn.into(),
            CallRefusal::NotThatBall.into(),
            CallRefusal::BallAndPocketFirst.into(),
            CallRefusal::PocketFirst.into(),
            Refusal::NotInHand,
            Refusal::PlaceFirst,
            PlaceRefusal::InTheWay.into(),
            PlaceRefusal::OffTheCloth.into(),
            PlaceRefusal::BehindHeadString.into(),
            PlaceRefusal::BehindLine.into(),
            PlaceRefusal::InD.into(),
            PlaceRefusal::OnSpot.into(),
            ShotError::NoCueBall.into(),
            ShotError::Miscue(miscue).into(),
            Refusal::NothingToTakeBack,
            Refusal::NoTakeBack,
            Refusal::NotYourTurn,
            Refusal::BallsRoll,
            Refusal::ShotStands,
            Refusal::NothingAsked,
            Refusal::Held,
            Refusal::NoSuchShot,
            Refusal::NothingLookedAt,
            Refusal::NoMatch,
        ];
        in_japanese(|| {
            for (why, stones) in refusals.iter().flat_map(|why| [(why, false), (why, true)]) {
                assert!(is_japanese(&refusal(why, stones)), "{why:?}: {}", refusal(why, stones));
            }
        });
    }
}
