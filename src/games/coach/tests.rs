use std::sync::Arc;

use super::*;
use crate::{
    billiards::cue::Cue,
    games::{
        matches::MatchSpec,
        rulebooks::{carom, pool::nine_ball, practice},
        rules::{BallPlace, Game, GameTable, Layout, Player, Rules, Shot, may_place},
        sight::Sight,
        simulator::Simulator,
        test_support,
    },
};

/// A position of a game with only these balls on the table.
fn state(game: &Game, balls: &[(u8, Vec2)]) -> GameState {
    let played = test_support::begin(game, "{}");
    let mut layout = Layout(vec![BallPlace::Off; played.layout.len()]);
    for &(ball, at) in balls {
        layout[BallId(ball)] = BallPlace::Table(at);
    }
    GameState { game: "", rules: played.rules, layout, table: played.table, cue: Cue::default(), seed: 1 }
}

/// A coach with a small budget.
fn coach() -> Coach {
    let level = Level { noise: 1.0, aims: 3, speeds: 2, tips: 1, samples: 0, safeties: 6, sweep: 60, ..Level::EASY };
    Coach { level, samples: 40, tips: 2 }
}

/// A position with ball 1 before a corner pocket and the cue ball behind it, `angle` radians off the straight line; and
/// the pocket.
fn cut(angle: f32) -> (GameState, PocketId) {
    let table = test_support::table("pool-9ft");
    let sight = Sight::of(&table);
    let corner = sight.pockets.iter().find(|pocket| pocket.axis.x > 0.5 && pocket.axis.y > 0.5).unwrap();
    let at = Vec2::new(0.3, 0.1);
    let line = (corner.mouth - at).normalize();
    let ghost = at - line * (2.0 * sight.radius);
    let from = ghost - Vec2::from_angle(angle).rotate(line) * 0.5;
    (as_it_lies(state(&practice::GAME, &[(0, from), (1, at)])), corner.pocket)
}

/// A strike with this cue speed, m/s, that pots ball 1. The two angles are the turns of the cue, right and left, at
/// which it stops potting, radians.
fn window(state: &GameState, pocket: PocketId, speed: f64) -> (CueStrike, [f64; 2]) {
    let mut teacher = Teacher::of(state.clone());
    let [from, at] = [0, 1].map(|ball| state.layout[BallId(ball)].on_table().unwrap());
    let target = teacher.trial.sight.pockets[usize::from(pocket.0)].mouth;
    let ghost = at - (target - at).normalize() * (2.0 * teacher.trial.sight.radius);
    let strike = CueStrike { speed, direction: (ghost - from).as_dvec2().normalize(), ..CueStrike::default() };
    let step = 1e-4;
    let mut falls = |k: i32| {
        let (shot, _) = teacher.turned(&strike, f64::from(k) * step).unwrap();
        shot.pocket_of(BallId(1)) == Some(pocket)
    };
    // Friction throws the ball off the line of centres in a cut, so the search finds where it falls.
    let first = (0..200).flat_map(|k| [k, -k]).find(|&k| falls(k)).unwrap();
    let [right, left] = [-1, 1].map(|way| (0..200).map(|k| first + way * k).take_while(|&k| falls(k)).last().unwrap());
    (strike, [right, left].map(|k| f64::from(k) * step))
}

/// The starting direction of ball 1.
fn sets_out(state: &GameState, strike: &CueStrike) -> Vec2 {
    let [from, at] = [0, 1].map(|ball| state.layout[BallId(ball)].on_table().unwrap());
    let mut simulator = Simulator::new(state.table.clone());
    simulator.first_hit([from, at], strike, &state.cue).unwrap()
}

#[test]
fn a_straight_pot_missed_by_half_a_degree_says_so() {
    let (state, pocket) = cut(0.0);
    let (strike, [right, left]) = window(&state, pocket, 2.0);
    let turned = |angle: f64| CueStrike { direction: turn(strike.direction, angle), ..strike };
    // A cue that points too far right sends the ball to the left.
    for (edge, way) in [(right, -1.0), (left, 1.0)] {
        let falls = sets_out(&state, &turned(edge));
        let (mut low, mut high) = (edge, edge + way * 0.02);
        for _ in 0..40 {
            let middle = 0.5 * (low + high);
            let beside = angle_between(falls, sets_out(&state, &turned(middle))).to_degrees();
            if beside.abs() < 0.5 { low = middle } else { high = middle }
        }
        let miss = missed(&state, Call::default(), &turned(low)).expect("it was meant");
        assert_eq!(miss.pot, Some((BallId(1), pocket)));
        let Fault::Direction { ball, cue, hit } = miss.fault else { panic!("{miss:?}") };
        // The edge is known to one step of the window; the ball's error is about ten times that.
        assert!((ball + way as f32 * 0.5).abs() < 0.08, "{miss:?}");
        assert!(cue * way as f32 > 0.0 && cue.abs() < 0.1, "{miss:?}");
        assert_eq!(hit, None, "nobody speaks of thin and thick where it has to be hit full");
        // The advice is correct.
        let better = turned(low - f64::from(cue).to_radians() * 1.001);
        let (shot, _) = Teacher::of(state.clone()).turned(&better, 0.0).unwrap();
        assert_eq!(shot.pocket_of(BallId(1)), Some(pocket));
    }
    assert_eq!(missed(&state, Call::default(), &turned(0.5 * (left + right))), None, "it has not missed");
}

#[test]
fn a_cut_is_missed_thin_or_thick() {
    let (state, pocket) = cut(0.6);
    let (strike, [right, left]) = window(&state, pocket, 2.0);
    // The cue ball comes from the left of the line and hits the ball on its left. Turning the cue to the left hits less
    // of the ball.
    let faults = [(left + 0.006, Thickness::TooThin), (right - 0.006, Thickness::TooThick)].map(|(angle, contact)| {
        let turned = CueStrike { direction: turn(strike.direction, angle), ..strike };
        (missed(&state, Call::pot(BallId(1), pocket), &turned).expect("it was called").fault, contact)
    });
    for (fault, contact) in faults {
        assert!(matches!(fault, Fault::Direction { hit: Some(hit), .. } if hit == contact), "{fault:?} is {contact:?}");
    }
}

#[test]
fn a_pot_that_was_too_soft_says_by_how_much() {
    let (state, pocket) = cut(0.0);
    let (strike, [right, left]) = window(&state, pocket, 2.0);
    let middle = turn(strike.direction, 0.5 * (left + right));
    let mut speed = 2.0;
    let mut teacher = Teacher::of(state.clone());
    let pots = |teacher: &mut Teacher, speed| {
        let strike = CueStrike { direction: middle, speed, ..strike };
        teacher.turned(&strike, 0.0).is_some_and(|(shot, _)| shot.pocket_of(BallId(1)) == Some(pocket))
    };
    while pots(&mut teacher, speed) {
        speed *= 0.95;
    }
    let soft = CueStrike { direction: middle, speed: speed * 0.95, ..strike };
    let miss = missed(&state, Call::default(), &soft).expect("it was on its way");
    let Fault::TooSoft { played, needed } = miss.fault else { panic!("{miss:?}") };
    assert!(needed > 1.04 * played && needed < 1.2 * played, "{miss:?}");
}

#[test]
fn nothing_is_said_where_nothing_was_meant() {
    let (state, pocket) = cut(0.0);
    let (strike, _) = window(&state, pocket, 2.0);
    let away = |angle: f64| CueStrike { direction: turn(strike.direction, angle), ..strike };
    // The ball goes to the middle of a cushion, or nothing is hit.
    for angle in [-0.06, 0.3] {
        assert_eq!(missed(&state, Call::default(), &away(angle)), None, "{angle}");
    }
    for call in [Call { safety: true, ..Call::default() }, Call { push_out: true, ..Call::default() }] {
        assert_eq!(missed(&state, call, &away(0.01)), None);
    }
    let soft = CueStrike { speed: 0.4, ..strike };
    assert_eq!(missed(&state, Call::default(), &soft), None, "it went a hand's breadth");
}

#[test]
fn the_easy_pot_is_the_best_advice_and_a_hard_one_has_a_worse_chance() {
    let (easy, pocket) = cut(0.2);
    let tips = coach().advise(easy);
    let best = tips.first().expect("there is a pot");
    assert_eq!((best.kind, best.pot), (Kind::Pot, Some((BallId(1), pocket))));
    assert!(best.chance > 0.8 && best.chance <= 1.0, "{}", best.chance);
    let ghost = best.sketch.ghost.unwrap();
    assert_eq!(best.sketch.cue.last(), Some(&ghost));
    assert!((ghost.distance(Vec2::new(0.3, 0.1)) - 2.0 * 0.028575).abs() < 1e-4);
    let (ball, way) = &best.sketch.balls[0];
    assert_eq!((*ball, way[0]), (BallId(1), Vec2::new(0.3, 0.1)));
    let hole = Sight::of(&test_support::table("pool-9ft")).pockets[usize::from(pocket.0)].centre;
    assert!(way.last().unwrap().distance(hole) < 0.1, "{way:?}");
    let (from, at) = (Vec2::new(-1.0, -0.45), Vec2::new(0.3, 0.1));
    let hard = coach().advise(as_it_lies(state(&practice::GAME, &[(0, from), (1, at)])));
    let chance = |tips: &[Tip]| tips.iter().filter(|tip| tip.pot.is_some()).map(|tip| tip.chance).fold(0.0, f32::max);
    assert!(chance(&hard) < best.chance - 0.2, "{} {}", chance(&hard), best.chance);
}

#[test]
fn a_ball_in_hand_is_placed_where_it_may_lie_and_one_that_lies_is_played_from_there() {
    let balls = [(0, Vec2::new(0.9, -0.3)), (1, Vec2::new(-0.9, 0.3)), (9, Vec2::new(0.2, -0.2))];
    let mut state = state(&nine_ball::GAME, &balls);
    // A foul by the other player, after the break.
    let mut played = test_support::begin(&nine_ball::GAME, "{}");
    played.shot("", "0-1 1/0 2/1 3/2 4/3");
    played.shot("", "");
    state.rules = played.rules;
    let region = state.rules.turn().stroke().and_then(|stroke| stroke.in_hand).expect("ball in hand");
    let (cue_ball, table) = (BallId(0), state.table.clone());
    let tips = coach().advise(state.clone());
    assert!(!tips.is_empty());
    for tip in &tips {
        assert!(may_place(region, &state.layout, cue_ball, tip.from, &table), "{tip:?}");
        assert_eq!(tip.sketch.cue[0], tip.from);
    }
    assert_ne!(tips[0].from, balls[0].1, "there is a better place");
    let lies = coach().advise(as_it_lies(state));
    assert!(!lies.is_empty() && lies.iter().all(|tip| tip.from == balls[0].1), "{lies:?}");
}

#[test]
fn in_carom_the_way_to_the_point_is_shown_and_a_miss_by_the_cue_is_told() {
    let balls = [(0, Vec2::new(-0.3, -0.1)), (1, Vec2::new(0.2, 0.2)), (2, Vec2::new(0.3, -0.15))];
    let state = state(&carom::STRAIGHT_RAIL, &balls);
    let state = GameState { rules: begun_rail(&state.table), ..state };
    let tips = coach().advise(state.clone());
    let best = tips.first().expect("a point is easy here");
    assert!(best.pot.is_none() && best.sketch.cue.len() >= 3 && best.sketch.ghost.is_some(), "{best:?}");
    let mut teacher = Teacher::of(state.clone());
    let points = |teacher: &mut Teacher, strike: &CueStrike| {
        let (shot, _) = teacher.turned(strike, 0.0).unwrap();
        teacher.trial.state.judge(&shot).verdict.points[0]
    };
    assert_eq!(points(&mut teacher, &best.strike), 1);
    let by = |angle: f64| CueStrike { direction: turn(best.strike.direction, angle), ..best.strike };
    let off = (1..400).map(|k| f64::from(k) * 2e-3).find(|&angle| points(&mut teacher, &by(angle)) == 0).unwrap();
    let miss = missed(&state, Call::default(), &by(off)).expect("a point was meant");
    let Fault::Cue(cue) = miss.fault else { panic!("{miss:?}") };
    let better = by(off - f64::from(cue).to_radians());
    assert!(miss.pot.is_none() && points(&mut teacher, &better) == 1, "{miss:?}");
}

/// Straight rail after the opening shot.
fn begun_rail(table: &Arc<GameTable>) -> Box<dyn Rules> {
    let mut rules = (carom::STRAIGHT_RAIL.begin)(table, &crate::games::rules::Options::new()).unwrap();
    let layout = rules.layout(1);
    let miss = Shot::not_played(&layout);
    for _ in 0..2 {
        let verdict = rules.judge(&miss);
        assert!(!verdict.goes_on);
    }
    assert_eq!(rules.turn().stroke().unwrap().cue_ball, BallId(0));
    rules
}

#[test]
fn the_ways_of_a_shot_are_those_of_its_balls() {
    let playing = crate::games::matches::Match::new(MatchSpec { seed: 2, ..MatchSpec::default() }).unwrap();
    let GameState { layout, table, cue, .. } = playing.game_state();
    let mut simulator = Simulator::new(table.clone());
    let strike = CueStrike { speed: 3.0, direction: DVec2::new(1.0, 0.02), ..CueStrike::default() };
    let shot = simulator.play(&layout, BallId(0), &strike, &cue).unwrap();
    let (traced, trace) = simulator.trace(&layout, BallId(0), &strike, &cue).unwrap();
    assert_eq!(traced, shot);
    for (ball, at) in shot.after.on_table() {
        assert_eq!(trace.paths[ball.index()].last().unwrap().0, at);
        let way = trace.way(ball, None);
        assert_eq!(way.first().copied(), layout[ball].on_table());
        assert_eq!(way.last(), Some(&at));
        let near = |place: Vec2| {
            way.windows(2).map(move |ends| {
                let (along, from) = (ends[1] - ends[0], place - ends[0]);
                let share = (from.dot(along) / along.length_squared().max(1e-12)).clamp(0.0, 1.0);
                (from - along * share).length()
            })
        };
        for &(place, _) in &trace.paths[ball.index()] {
            let beside = near(place).fold(if way.len() == 1 { place.distance(way[0]) } else { f32::MAX }, f32::min);
            assert!(beside < 2e-3, "{ball:?} is {beside} m beside its way");
        }
    }
    assert!(trace.hits.len() > 5 && trace.hits.is_sorted_by(|a, b| a.0 <= b.0));
}

#[test]
fn where_nothing_comes_off_as_it_is_meant_the_coach_names_what_a_good_player_would_do() {
    // Six balls surround the cue ball, so every shot hits one of them first.
    let at = Vec2::new(-1.1, 0.0);
    let around = (0..6_u8).map(|k| (k + 2, at + 0.0573 * Vec2::from_angle(f32::from(k) * std::f32::consts::FRAC_PI_3)));
    let mut balls: Vec<(u8, Vec2)> = around.collect();
    balls.extend([(0, at), (1, Vec2::new(1.1, 0.5))]);
    let tips = coach().advise(as_it_lies(state(&nine_ball::GAME, &balls)));
    assert!(!tips.is_empty());
}

#[test]
fn a_ball_that_lies_changes_nothing_else_of_the_rules() {
    for (name, options) in [("snooker", "{}"), ("straight-pool", r#"{"points": 50}"#), ("curling", "{}")] {
        let game = Game::named(name).unwrap();
        let test_support::Played { rules, table, mut layout } = test_support::begin(game, options);
        let cue_ball = rules.turn().stroke().unwrap().cue_ball;
        let region = rules.turn().stroke().unwrap().in_hand.unwrap();
        layout[cue_ball] = BallPlace::Table(region.any_place(&table, &layout, cue_ball).unwrap());
        let state = GameState { game: name, rules: rules.clone(), layout, table, cue: Cue::default(), seed: 1 };
        let lying = as_it_lies(state).rules;
        assert!(lying.turn().stroke().unwrap().in_hand.is_none(), "{name}");
        for ball in (0..rules.balls().len() as u8).map(BallId) {
            assert_eq!(lying.value(ball), rules.value(ball), "{name}, {ball:?}");
        }
        for player in [Player(0), Player(1)] {
            assert_eq!(lying.own_ball(player), rules.own_ball(player), "{name}");
            assert_eq!(lying.points_to_win(player), rules.points_to_win(player), "{name}");
            assert_eq!(lying.notes(player), rules.notes(player), "{name}");
        }
    }
}
