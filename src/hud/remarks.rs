//! Messages of rules and matches in the language of the window.

use tr::tr;

use crate::{
    games::{Filling, PlaceRefusal, Refusal, Sentence, ShotError},
    hud::ball_name::ball,
};

/// The text of a remark, note, foul or refusal.
pub(super) fn said(Sentence { template, fillings }: Sentence) -> String {
    let in_words = |filling| match filling {
        Filling::Ball(name) => ball(name),
        Filling::Text(text) => text,
    };
    match &fillings.into_iter().map(in_words).collect::<Vec<_>>()[..] {
        [] => tr!(template),
        [one] => tr!(template, one),
        [one, two, ..] => tr!(template, one, two),
    }
}

/// The sentence of a refusal. `stones` selects the wording for stones instead of balls.
pub(super) fn refusal(refusal: &Refusal, stones: bool) -> String {
    match refusal {
        Refusal::PlaceFirst | Refusal::Shot(ShotError::NoCueBall) if stones => tr!("Place the stone first."),
        Refusal::Place(PlaceRefusal::InTheWay) if stones => tr!("Another stone is there."),
        Refusal::Place(PlaceRefusal::OffTheCloth) if stones => tr!("The stone must be on the sheet."),
        _ => said(refusal.sentence()),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{
        billiards::{cue::Miscue, tables::ShippedTable},
        games::{CallRefusal, Choice, GAMES, GameTable, Note, Remark, Task, test_support::random_play},
        random::Random,
        view::words::language::in_japanese,
    };

    /// Whether a sentence contains no English letters except the D.
    fn is_japanese(text: &str) -> bool {
        text.chars().all(|letter| !letter.is_ascii_alphabetic() || "D".contains(letter))
    }

    #[test]
    fn in_english_they_are_said_as_the_games_have_them() {
        for (text, meant) in [
            (said(Remark::Spotted(crate::billiards::tables::BallName::Number(9)).sentence()), "The 9 is spotted."),
            (said(Remark::from("Well done.").sentence()), "Well done."),
            (said(Note::Average { points: 1, innings: 3 }.sentence()), "average 0.333"),
            (said(Note::End { number: 2, of: 4 }.sentence()), "end 2 of 4"),
            (refusal(&Refusal::Call(CallRefusal::NotOn), false), "That ball is not on."),
            (refusal(&Refusal::Place(PlaceRefusal::InD), false), "The ball must be in the D."),
        ] {
            assert_eq!(text, meant);
        }
    }

    #[test]
    fn a_match_of_every_game_shows_no_english_in_japanese() {
        in_japanese(|| {
            let mut texts = Vec::new();
            for (game, seed) in GAMES.iter().flat_map(|game| (0..12).map(move |seed| (game, seed))) {
                let spec = ShippedTable::named(game.tables[0]).and_then(ShippedTable::spec).unwrap();
                let table = Arc::new(GameTable::new(spec).unwrap());
                let mut random = Random::new(seed);
                let options = random_play::options(game, &table, &mut random);
                let mut rules = (game.begin)(&table, &options).unwrap();
                random_play::play(rules.as_mut(), &table, &mut random, 150, |rules, verdict| {
                    texts.extend(verdict.remarks.iter().map(|remark| said(remark.sentence())));
                    texts.extend(verdict.fouls.iter().map(|foul| said(foul.sentence())));
                    for player in 0..2 {
                        texts
                            .extend(rules.notes(crate::games::Player(player)).iter().map(|note| said(note.sentence())));
                    }
                    if let Task::Choose(choices) = &rules.turn().task {
                        texts.extend(choices.iter().map(|choice| said(choice.sentence())));
                    }
                });
            }
            assert!(texts.len() > 1000, "{}", texts.len());
            for text in texts {
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
            Refusal::NoJumpCue,
            Refusal::PlaceFirst,
            PlaceRefusal::InTheWay.into(),
            PlaceRefusal::OffTheCloth.into(),
            PlaceRefusal::BehindHeadString.into(),
            PlaceRefusal::BehindLine.into(),
            PlaceRefusal::InD.into(),
            ShotError::NoCueBall.into(),
            ShotError::Miscue(miscue).into(),
            Refusal::NothingToTakeBack,
            Refusal::NoTakeBack,
            Refusal::OnlyPeopleTakeBack,
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
