//! Invariants of every game with any options, checked with random legal and illegal shots.

use proptest::prelude::*;

use super::test_support::random_play::{options, play};
use crate::{
    games::{
        rulebooks::{GAMES, carom, curling, pool, practice},
        rules::{BallPlace, Game, Outcome, Task},
        test_support::table,
    },
    random::Random,
};

/// Games in which fouls cost points.
const LOSES_POINTS: [&str; 2] = [pool::straight_pool::GAME.name, carom::four_ball::GAME.name];

/// Games that may not end: points are also lost, or it is practice.
const NEED_NOT_END: [&str; 3] = [LOSES_POINTS[0], LOSES_POINTS[1], practice::GAME.name];

/// The most shots and choices of a random game, except in the games above.
const LONGEST: usize = 20_000;

/// Plays a random game on one of its tables. Returns its outcome, if it ended.
fn play_by_lot(game: &Game, seed: u64, steps: usize) -> Option<Outcome> {
    let mut random = Random::new(seed);
    let tables = game.tables.len();
    let table = table(game.tables[random.below(tables)]);
    let options = options(game, &table, &mut random);
    let mut rules = (game.begin)(&table, &options).unwrap_or_else(|why| panic!("{} {options:?}: {why}", game.name));
    let mut score = [0; 2];
    play(rules.as_mut(), &table, &mut random, steps, |rules, verdict| {
        let falls = (0..2).any(|player| rules.score()[player] < score[player]);
        assert!(!falls || LOSES_POINTS.contains(&game.name) && !verdict.fouls.is_empty(), "{verdict:?}");
        score = rules.score();
        // Only the cue ball and stones are ever taken in hand.
        let to_hand = verdict.placed.iter().filter(|(_, place)| *place == BallPlace::Hand);
        assert!(
            game.name == curling::GAME.name || to_hand.map(|(ball, _)| ball.0).all(|ball| ball == 0),
            "{verdict:?}"
        );
    });
    match rules.turn().task {
        Task::Over(outcome) => Some(outcome),
        _ => None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn whatever_happens_every_game_stays_whole_and_ends(seed: u64) {
        for game in GAMES {
            let need_not_end = NEED_NOT_END.contains(&game.name);
            let outcome = play_by_lot(game, seed, if need_not_end { 300 } else { LONGEST });
            prop_assert!(outcome.is_some() || need_not_end, "{}", game.name);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn whatever_happens_a_rack_of_pool_ends_and_is_won(seed: u64) {
        for game in [&pool::eight_ball::GAME, &pool::nine_ball::GAME, &pool::ten_ball::GAME] {
            let outcome = play_by_lot(game, seed, LONGEST);
            prop_assert!(outcome.is_some_and(|outcome| outcome.winner.is_some()), "{}: {outcome:?}", game.name);
        }
        // It need not end, as points are also lost, but it can always continue.
        play_by_lot(&pool::straight_pool::GAME, seed, 600);
    }
}
