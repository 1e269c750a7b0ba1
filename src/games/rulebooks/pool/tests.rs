//! Hard breaks in every pool game.

use bevy::math::vec2;

use super::{eight_ball, nine_ball, straight_pool, ten_ball, wpa::CUE_BALL};
use crate::{
    billiards::{
        cue::{Cue, CueStrike},
        tables::BallName,
    },
    games::{
        rules::{BallId, BallPlace, Foul, Game, Region, Remark},
        simulator::Simulator,
        test_support::{Played, begin, table},
    },
};

/// Hard breaks by the solver, from both sides of the head spot, on all tables of a game. Returns the number of breaks,
/// and the number of legal ones.
fn breaks(game: &Game) -> (usize, usize) {
    let (mut all, mut legal) = (0, 0);
    for name in game.tables {
        let table = table(name);
        let foot = table.spot("foot").unwrap();
        let head = table.spot("head").unwrap();
        let mut simulator = Simulator::new(table.clone());
        for seed in 0..4_u8 {
            let mut rules = (game.begin)(&table, &game.default_options()).unwrap();
            let mut layout = rules.layout(u64::from(seed));
            let from = head + vec2(-0.05, 0.06 * (f32::from(seed) - 1.5));
            layout[CUE_BALL] = BallPlace::Table(from);
            let strike = CueStrike { speed: 7.0, direction: (foot - from).as_dvec2(), ..CueStrike::default() };
            let mut shot = simulator.play(&layout, CUE_BALL, &strike, &Cue::default()).unwrap();
            shot.call.safety = rules.turn().stroke().unwrap().may_play_safe;
            let verdict = rules.judge(&shot);
            let left = shot.after;
            let mut played = Played { rules, table: table.clone(), layout: left };
            verdict.place(&mut played.layout);
            played.check();
            all += 1;
            legal += usize::from(
                verdict.fouls.iter().all(|foul| !matches!(foul, Foul::IllegalBreak | Foul::NoHit))
                    && !verdict.remarks.contains(&Remark::IllegalBreak),
            );
        }
    }
    (all, legal)
}

#[test]
fn hard_breaks_by_the_solver_are_legal() {
    for game in [&eight_ball::GAME, &nine_ball::GAME, &ten_ball::GAME] {
        let (all, legal) = breaks(game);
        assert_eq!(all, legal, "{}", game.name);
    }
    // Straight pool also requires the cue ball to reach a rail, which a full hit may prevent.
    let (all, legal) = breaks(&straight_pool::GAME);
    assert!(legal > all / 2, "{legal} of {all}");
}

#[test]
fn a_ball_off_the_table_is_a_foul_and_counts_as_driven_to_a_rail() {
    let four_rails = "0-1 1/0 2/1 3/2 4/3";
    for game in [&eight_ball::GAME, &nine_ball::GAME, &ten_ball::GAME] {
        let begun = || {
            let mut played = begin(game, "{}");
            assert!(played.shot("", four_rails).fouls.is_empty());
            let player = played.player();
            (played, player)
        };
        // 8.4: no ball but the 1 has to reach a rail.
        let (mut played, player) = begun();
        assert_eq!(played.shot("", "0-1 1!").fouls, [Foul::OffTable(BallName::Number(1))], "{}", game.name);
        assert_eq!(played.layout[BallId(1)], BallPlace::Off, "{}", game.name);
        assert_eq!((played.player(), played.stroke().in_hand), (1 - player, Some(Region::Anywhere)), "{}", game.name);
        // 6.1: the cue ball.
        let (mut played, player) = begun();
        assert_eq!(played.shot("", "0-1 1/2 0!").fouls, [Foul::OffTable(BallName::Cue)], "{}", game.name);
        assert_eq!(played.layout[CUE_BALL], BallPlace::Hand, "{}", game.name);
        assert_eq!((played.player(), played.stroke().in_hand), (1 - player, Some(Region::Anywhere)), "{}", game.name);
        // A jump with a legal stroke is legal, over one ball or several.
        assert!(begun().0.shot("", "0^3 0^4 0-1 1/2").fouls.is_empty(), "{}", game.name);
        // A pass over a ball is not a rail.
        assert_eq!(begun().0.shot("", "0-1 0^2").fouls, [Foul::NoCushion], "{}", game.name);
    }
    // 14.1 spots every ball.
    let mut played = begin(&straight_pool::GAME, "{}");
    assert!(played.shot("safe", "0-1 0/1 1/2 2/3").fouls.is_empty());
    let player = played.player();
    let verdict = played.shot("", "0-1 1! 0!");
    assert_eq!(verdict.fouls, [BallName::Number(1), BallName::Cue].map(Foul::OffTable));
    assert!(played.layout.is_on_table(BallId(1)));
    assert_eq!((played.player(), played.stroke().in_hand), (1 - player, Some(Region::BehindHeadString)));
}
