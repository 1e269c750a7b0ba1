//! Hard breaks in every pool game.

use bevy::math::vec2;

use super::{eight_ball, nine_ball, straight_pool, ten_ball, wpa::CUE_BALL};
use crate::{
    billiards::cue::{Cue, CueStrike},
    games::{
        rules::{BallPlace, Foul, Game, Remark},
        simulator::Simulator,
        test_support::{Played, table},
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
