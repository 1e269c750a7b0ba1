//! The last black.

use super::*;

#[test]
fn a_foul_on_the_last_black_ends_the_frame() {
    let mut played = colours_from(21);
    let player = played.player();
    let verdict = played.shot("", "");
    assert_eq!((verdict.points[usize::from(1 - player)], played.winner()), (7, Some(1 - player)));
    // A foul that leaves only the black does not end it.
    let mut played = colours_from(PINK);
    played.shot("", "0-21 20@0");
    assert_eq!(played.winner(), None);
}

#[test]
fn level_scores_bring_the_black_back_and_lots_are_drawn() {
    let begin = |score: [i32; 2]| {
        let table = table("snooker-12ft");
        let mut frame = Snooker::new(&table, &Options::new()).unwrap();
        let mut layout = frame.layout(3);
        for ball in 1..21 {
            layout[BallId(ball)] = BallPlace::Pocket(PocketId(0));
        }
        layout[CUE_BALL] = BallPlace::Table(vec2(0.0, 0.3));
        (frame.standing.score, frame.on) = (score, On::Colour(BallId(21)));
        frame.standing.turn = frame.shoot(Player(0), &layout, false);
        Played { rules: Box::new(frame), table, layout }
    };
    // A foul may also make the scores level.
    let mut played = begin([57, 50]);
    assert_eq!((played.shot("", "").points, played.rules.score(), played.winner()), ([0, 7], [57, 57], None));
    assert_eq!(played.choices(), [Choice::GoFirst, Choice::LetGoFirst]);
    let mut played = begin([50, 57]);
    let verdict = played.shot("", "0-21 21@0");
    assert_eq!((verdict.points, played.winner()), ([7, 0], None));
    assert_eq!(played.choices(), [Choice::GoFirst, Choice::LetGoFirst]);
    assert_eq!((played.place(21), played.layout[CUE_BALL]), (spot(&played, "black"), BallPlace::Hand));
    let lot = played.player();
    let again = played.clone();
    for (choice, player) in [(Choice::GoFirst, lot), (Choice::LetGoFirst, 1 - lot)] {
        let mut played = again.clone();
        played.choose(choice);
        assert_eq!((played.player(), played.stroke().in_hand), (player, Some(Region::D)));
        assert_eq!(played.rules.notes(Player(player))[0], Note::BlackRespotted);
        let mut potted = played.clone();
        potted.shot("", "0-21 21@0");
        assert_eq!(potted.winner(), Some(player));
        played.shot("", "0-21");
        assert_eq!((played.winner(), played.player()), (None, 1 - player));
        played.shot("", "");
        assert_eq!(played.winner(), Some(player));
    }
    let lots: Vec<u8> = (0..20).map(|seed| u8::from(Random::new(seed).unit() < 0.5)).collect();
    assert!(lots.contains(&0) && lots.contains(&1));
    assert_eq!(lot, lots[3]);
}
