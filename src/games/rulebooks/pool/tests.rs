//! Invariants of every pool game, checked with random legal and illegal shots until the end.

use bevy::math::vec2;
use proptest::prelude::*;

use super::{eight_ball, nine_ball, straight_pool, ten_ball, wpa::CUE_BALL};
use crate::{
    billiards::cue::{Cue, CueStrike},
    games::{
        rules::{
            BallId, BallPlace, Call, Choice, CushionId, Foul, Game, Layout, PocketId, Region, Remark, Shot, ShotEvent,
            Task,
        },
        simulator::Simulator,
        test_support::{Played, begin, table},
    },
    random::Random,
};

fn below(count: usize, random: &mut Random) -> usize {
    ((random.unit() * count as f32) as usize).min(count - 1)
}

fn one_of<T: Copy>(things: &[T], random: &mut Random) -> T {
    things[below(things.len(), random)]
}

/// A random call, often one that fits.
fn random_call(game: &Played, balls: &[BallId], random: &mut Random) -> Call {
    let ball = one_of(balls, random);
    let pocket = PocketId(below(6, random) as u8);
    match below(10, random) {
        0 => Call::default(),
        1 => Call { safety: true, ..Call::default() },
        2 if game.stroke().may_push_out => Call { push_out: true, ..Call::default() },
        _ => Call::pot(ball, pocket),
    }
}

/// A random shot. Mostly it hits a ball on first, and often it pots the called ball.
fn random_shot(game: &Played, random: &mut Random) -> Shot {
    let stroke = game.stroke();
    let on_table: Vec<BallId> = game.layout.on_table().map(|(ball, _)| ball).filter(|&ball| ball != CUE_BALL).collect();
    let on = if stroke.on.is_empty() { on_table.clone() } else { stroke.on };
    let call = random_call(game, &on, random);
    let mut events = Vec::new();
    match below(10, random) {
        0 => {}
        1 => events.push(ShotEvent::Balls(CUE_BALL, one_of(&on_table, random))),
        _ => events.push(ShotEvent::Balls(CUE_BALL, one_of(&on, random))),
    }
    let mut left: Vec<BallId> = on_table.iter().copied().chain([CUE_BALL]).collect();
    for _ in 0..below(8, random) {
        let ball = one_of(&left, random);
        let event = match (below(12, random), call.ball.zip(call.pocket)) {
            (0..3, Some((ball, pocket))) if left.contains(&ball) => ShotEvent::Potted(ball, pocket),
            (3, _) => ShotEvent::Potted(ball, PocketId(below(6, random) as u8)),
            (4, _) if below(4, random) == 0 => ShotEvent::OffTable(ball),
            (5..7, _) if left.len() > 1 => {
                let others: Vec<BallId> = left.iter().copied().filter(|&other| other != ball).collect();
                ShotEvent::Balls(ball, one_of(&others, random))
            }
            _ => ShotEvent::Cushion(ball, CushionId(below(6, random) as u8)),
        };
        if let ShotEvent::Potted(gone, _) | ShotEvent::OffTable(gone) = event {
            left.retain(|&ball| ball != gone);
        }
        events.push(event);
        if left.is_empty() {
            break;
        }
    }
    let mut shot = game.make_shot(call, events, &[]);
    scatter(game, &mut shot.after, random);
    shot
}

/// Moves some balls to free places: sometimes all behind the head string, sometimes around the rack.
fn scatter(game: &Played, layout: &mut Layout, random: &mut Random) {
    let half = game.table.half();
    let (low, high) = match below(4, random) {
        0 => (-half, -half + half * vec2(0.5, 2.0)),
        1 => (half * vec2(0.4, -0.2), half * vec2(0.9, 0.2)),
        _ => (-half, half),
    };
    for ball in layout.balls() {
        let place = random.within(low, high);
        if layout.is_on_table(ball)
            && Region::Anywhere.contains(place, &game.table)
            && layout.is_free(place, game.table.ball_radius(), Some(ball))
        {
            layout[ball] = BallPlace::Table(place);
        }
    }
}

/// Every offered choice is accepted, and any other is an error with a reason.
fn check_choices(game: &Played) {
    let offered = match &game.rules.turn().task {
        Task::Choose(choices) => choices.clone(),
        _ => Vec::new(),
    };
    for choice in Choice::ALL {
        let chosen = game.rules.boxed().choose(choice, &game.layout);
        match chosen {
            Ok(_) => assert!(offered.contains(&choice), "{choice:?} was not offered: {game:?}"),
            Err(why) => assert!(!offered.contains(&choice), "{choice:?}: {why}"),
        }
    }
}

/// Plays until the end or for `most` shots. Returns the number of shots if it ended.
fn play(game: &Game, options: &str, seed: u64, most: usize) -> Option<usize> {
    let mut random = Random::new(seed);
    let mut played = begin(game, options);
    for shots in 0..most {
        check_choices(&played);
        let player = played.rules.turn().player;
        let score = played.rules.score();
        let verdict = match played.rules.turn().task.clone() {
            Task::Over(outcome) => {
                assert!(outcome.winner.is_some());
                let after = played.rules.judge(&Shot::default());
                assert_eq!(after, crate::games::rules::Verdict::default(), "nothing happens after the end");
                return Some(shots);
            }
            Task::Choose(choices) => played.choose(one_of(&choices, &mut random)),
            Task::Shoot(_) => {
                let shot = random_shot(&played, &mut random);
                played.judge(&shot)
            }
        };
        let after = played.rules.score();
        for side in 0..2 {
            assert_eq!(after[side] - score[side], verdict.points[side], "the verdict tells the points");
            let loses = game.name == straight_pool::GAME.name && side == player.index() && !verdict.fouls.is_empty();
            assert!(verdict.points[side] >= 0 || loses, "{verdict:?}");
        }
        if !matches!(played.rules.turn().task, Task::Over(_)) {
            assert_eq!(verdict.goes_on, played.rules.turn().player == player, "{verdict:?} {:?}", played.rules.turn());
        }
        let object_balls = played.layout.balls().filter(|&ball| ball != CUE_BALL);
        let in_hand = object_balls.filter(|&ball| played.layout[ball] == BallPlace::Hand).count();
        assert_eq!(in_hand, 0, "object balls are never in hand");
    }
    None
}

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

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn nine_ball_ends(seed in any::<u64>(), call_shots: bool, push_out: bool, three_fouls: bool) {
        let options = format!(r#"{{"call_shots": {call_shots}, "push_out": {push_out}, "three_fouls": {three_fouls}}}"#);
        prop_assert!(play(&nine_ball::GAME, &options, seed, 3000).is_some());
    }

    #[test]
    fn ten_ball_ends(seed in any::<u64>(), hand_back: bool, ten_wins_early: bool, three_fouls: bool) {
        let options =
            format!(r#"{{"hand_back": {hand_back}, "ten_wins_early": {ten_wins_early}, "three_fouls": {three_fouls}}}"#);
        prop_assert!(play(&ten_ball::GAME, &options, seed, 3000).is_some());
    }

    #[test]
    fn eight_ball_ends(
        seed in any::<u64>(),
        calls in prop_oneof![Just("all"), Just("eight"), Just("nothing")],
        eight_on_break in prop_oneof![Just("choose"), Just("win"), Just("spot"), Just("break")],
        three_fouls: bool,
    ) {
        let options =
            format!(r#"{{"calls": "{calls}", "eight_on_break": "{eight_on_break}", "three_fouls": {three_fouls}}}"#);
        prop_assert!(play(&eight_ball::GAME, &options, seed, 3000).is_some());
    }

    /// It need not end, as points are also lost, but it can always continue.
    #[test]
    fn straight_pool_goes_on(seed in any::<u64>(), three_fouls: bool) {
        let options = format!(r#"{{"points": 40, "three_fouls": {three_fouls}}}"#);
        play(&straight_pool::GAME, &options, seed, 600);
    }
}
