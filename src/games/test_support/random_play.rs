//! Random play for tests of games: arbitrary shots, with the invariants that every game must keep.

use std::sync::Arc;

use bevy::math::{Vec2, vec2};
use serde_json::Value;

use crate::{
    billiards::cue::{Cue, CueStrike},
    games::{
        rules::{
            BallId, BallPlace, Call, Choice, CushionId, Game, GameTable, Layout, OptionKind, Options, PocketId, Region,
            Rules, Shot, ShotConstraints, ShotEvent, Task, Verdict, may_place,
        },
        simulator::Simulator,
    },
    random::Random,
};

/// Numbers for options in these tests. They are small, so that no game takes long.
const NUMBERS: [u32; 10] = [0, 1, 2, 3, 5, 6, 8, 10, 15, 20];

/// All choices.
const CHOICES: [Choice; 11] = [
    Choice::PlayOn,
    Choice::PassBack,
    Choice::Break,
    Choice::LetBreak,
    Choice::SpotAndPlayOn,
    Choice::BallInHand,
    Choice::SpotNearest,
    Choice::Replay,
    Choice::GoFirst,
    Choice::LetGoFirst,
    Choice::SpotTouching,
];

/// Random options from all that a game accepts. The ones that determine its length are small.
pub(crate) fn options(game: &Game, table: &Arc<GameTable>, random: &mut Random) -> Options {
    let mut options = Options::new();
    for spec in game.options {
        let values: Vec<Value> = match &spec.kind {
            OptionKind::Switch => vec![true.into(), false.into()],
            OptionKind::Number { .. } => NUMBERS.map(Value::from).into(),
            // Without a limit, a carom game would take too long.
            OptionKind::Limit { .. } if spec.name == "innings" => NUMBERS.map(Value::from).into(),
            OptionKind::Limit { .. } => NUMBERS.map(Value::from).into_iter().chain([Value::Null]).collect(),
            OptionKind::Choice(choices) => choices.iter().map(|&(choice, _)| choice.into()).collect(),
            OptionKind::Text(_) => vec![Value::Null],
        };
        // The racks of practice and the drills depend on the table.
        let is_taken = |value: &&Value| {
            (game.begin)(table, &Options::from_iter([(spec.name.to_owned(), (*value).clone())])).is_ok()
        };
        let taken: Vec<&Value> = values.iter().filter(|value| spec.allows(value)).filter(is_taken).collect();
        assert!(!taken.is_empty(), "{} takes none of the values for {}", game.name, spec.name);
        options.insert(spec.name.to_owned(), taken[random.below(taken.len())].clone());
    }
    options
}

/// Plays random shots and choices, until the game is over or for `steps`. Returns whether it is over. After each,
/// `check` gets the rules and the verdict.
///
/// # Panics
/// A ball has no valid place or overlaps another, there is no task, an option that is not offered is accepted, or an
/// offered one is rejected.
pub(crate) fn play(
    rules: &mut dyn Rules,
    table: &GameTable,
    random: &mut Random,
    steps: usize,
    mut check: impl FnMut(&dyn Rules, &Verdict),
) -> bool {
    let mut layout = rules.layout(u64::from(random.unit().to_bits()));
    assert_eq!(layout.len(), rules.balls().len());
    for _ in 0..steps {
        let (before, score) = (rules.turn().clone(), rules.score());
        let verdict = match &before.task {
            Task::Over(_) => {
                assert_eq!(rules.judge(&Shot::default()), Verdict::default(), "nothing happens after the end");
                check_choices(rules, &[], &layout);
                return true;
            }
            Task::Shoot(stroke) => {
                check_choices(rules, &[], &layout);
                let shot = shot(stroke, rules, table, &layout, random);
                layout = shot.after.clone();
                rules.judge(&shot)
            }
            Task::Choose(offered) => {
                assert!(!offered.is_empty());
                check_choices(rules, offered, &layout);
                let choice = offered[random.below(offered.len())];
                rules.choose(choice, &layout).expect("it is offered")
            }
        };
        verdict.place(&mut layout);
        for (ball, place) in layout.on_table() {
            assert!(table.is_on_cloth(place), "{ball:?} lies at {place}");
            assert!(layout.is_free(place, table.ball_radius(), Some(ball)), "{ball:?} overlaps after {verdict:?}");
        }
        if let Task::Shoot(stroke) = &rules.turn().task {
            // In practice the ball lies on the table and may always be moved.
            let anywhere = |stroke: &ShotConstraints| stroke.in_hand == Some(Region::Anywhere);
            let may_be_moved = anywhere(stroke) && before.stroke().is_some_and(anywhere);
            let on_table = layout.is_on_table(stroke.cue_ball);
            assert!(
                on_table == stroke.in_hand.is_none() || on_table && may_be_moved,
                "the cue ball, after {verdict:?}"
            );
            assert!(stroke.on.iter().all(|&ball| layout.is_on_table(ball)), "a ball on is gone, after {verdict:?}");
        }
        assert_eq!(verdict.goes_on, rules.turn().player == before.player && !is_over(rules), "{before:?} {verdict:?}");
        let told = [0, 1].map(|player| score[player] + verdict.points[player]);
        assert_eq!(rules.score(), told, "the verdict tells the points: {verdict:?}");
        assert!(rules.current_break() >= 0, "{rules:?}");
        check(rules, &verdict);
    }
    is_over(rules)
}

/// Plays random shots and choices with simulated balls, each shot aimed at a ball on. Returns whether the game ended
/// within `steps`.
///
/// # Panics
/// An offered choice is rejected, a ball is placed where there is no room, or there is no task.
pub(crate) fn play_for_real(rules: &mut dyn Rules, table: &Arc<GameTable>, random: &mut Random, steps: usize) -> bool {
    let mut simulator = Simulator::new(table.clone());
    let mut layout = rules.layout(u64::from(random.unit().to_bits()));
    for _ in 0..steps {
        let verdict = match &rules.turn().task {
            Task::Over(_) => return true,
            Task::Choose(offered) => {
                let choice = offered[random.below(offered.len())];
                rules.choose(choice, &layout).expect("it is offered")
            }
            Task::Shoot(stroke) => {
                let mut before = layout.clone();
                if let Some(region) = stroke.in_hand {
                    let place = region.any_place(table, &layout, stroke.cue_ball).expect("there is room");
                    before[stroke.cue_ball] = BallPlace::Table(place);
                }
                let from = before[stroke.cue_ball].on_table().expect("the cue ball lies on the table");
                let objects = before.on_table().map(|(ball, _)| ball).filter(|&ball| ball != stroke.cue_ball);
                let on = if stroke.on.is_empty() { objects.collect() } else { stroke.on.clone() };
                let target = (!on.is_empty()).then(|| on[random.below(on.len())]);
                let at = target.and_then(|target| before[target].on_table()).unwrap_or(from + Vec2::X);
                let aside = random.direction() * (table.ball_radius() * 1.5 * random.unit());
                let speed = f64::from(random.between(0.2, 3.0));
                let strike = CueStrike { direction: (at + aside - from).as_dvec2(), ..CueStrike::default() }
                    .with_ball_speed(&Cue::default(), &simulator.body(), speed);
                let mut shot =
                    simulator.play(&before, stroke.cue_ball, &strike, &Cue::default()).expect("a plain stroke");
                shot.call.ball = target;
                layout = shot.after.clone();
                rules.judge(&shot)
            }
        };
        verdict.place(&mut layout);
        for &(ball, place) in &verdict.placed {
            if let BallPlace::Table(place) = place {
                assert!(
                    layout.is_free(place, table.ball_radius() - 1e-6, Some(ball)),
                    "{ball:?} overlaps after {verdict:?}"
                );
            }
        }
        if let Task::Shoot(stroke) = &rules.turn().task {
            assert_eq!(
                layout.is_on_table(stroke.cue_ball),
                stroke.in_hand.is_none(),
                "the cue ball, after {verdict:?}"
            );
        }
    }
    is_over(rules)
}

/// Checks that every offered choice is accepted, and that any other is rejected.
fn check_choices(rules: &dyn Rules, offered: &[Choice], layout: &Layout) {
    for choice in CHOICES {
        let outcome = rules.boxed().choose(choice, layout);
        assert_eq!(outcome.is_ok(), offered.contains(&choice), "{choice:?} of {offered:?}: {outcome:?}");
    }
}

fn is_over(rules: &dyn Rules) -> bool {
    matches!(rules.turn().task, Task::Over(_))
}

fn one_of(balls: &[BallId], random: &mut Random) -> Option<BallId> {
    balls.get(random.below(balls.len())).copied()
}

/// A free place between two corners, if one is found soon.
fn any_place(layout: &Layout, table: &GameTable, [low, high]: [Vec2; 2], random: &mut Random) -> Option<Vec2> {
    let mut tries = (0..100).map(|_| random.within(low, high));
    tries.find(|&place| table.is_on_cloth(place) && layout.is_free(place, table.ball_radius(), None))
}

/// A random place for a ball in hand: anywhere, at the edge of its region, or touching another ball.
fn put_down(region: Region, table: &GameTable, layout: &Layout, ball: BallId, random: &mut Random) -> Vec2 {
    let (edge, radius) = (table.half() - table.ball_radius(), table.ball_radius());
    let place = match (random.below(4), region) {
        (0, Region::BehindHeadString) => {
            let line = table.spec.head_string.map_or(0.0, |line| line as f32);
            vec2(line.next_down(), random.between(-edge.y, edge.y))
        }
        (0, Region::D) => table.spec.baulk.map_or(edge, |baulk| {
            let (radius, turn) = (baulk.radius as f32, random.direction());
            vec2(baulk.line as f32 - radius * turn.x.abs(), radius * turn.y)
        }),
        (0, _) => edge * vec2(-1.0, random.between(-1.0, 1.0)),
        (1, _) => {
            let near = layout.on_table().map(|(_, at)| at).nth(random.below(layout.len()));
            near.unwrap_or(edge) + random.direction() * (radius * 2.00001)
        }
        _ => random.within(-edge, edge),
    };
    if may_place(region, layout, ball, place, table) {
        return place;
    }
    region.any_place(table, layout, ball).expect("there is room")
}

fn pocket(table: &GameTable, random: &mut Random) -> PocketId {
    PocketId(random.below(table.built.holes.len()) as u8)
}

fn cushion(table: &GameTable, random: &mut Random) -> CushionId {
    CushionId(random.below(table.built.cushions.len()) as u8)
}

/// Rare cases: a shot without a hit, one that leaves nothing on the table, and calls without meaning.
fn odd_shot(stroke: &ShotConstraints, table: &GameTable, before: &Layout, random: &mut Random) -> Shot {
    let call = match random.below(3) {
        0 => Call::default(),
        1 => Call { safety: true, ..Call::default() },
        _ => Call {
            ball: Some(BallId(random.below(before.len()) as u8)),
            pocket: Some(pocket(table, random)),
            push_out: random.unit() < 0.5,
            ..Call::default()
        },
    };
    let (mut events, mut after) = (Vec::new(), before.clone());
    let fate = random.below(3);
    if fate > 0 {
        let mut left: Vec<BallId> = before.on_table().map(|(ball, _)| ball).collect();
        let first = left.iter().copied().find(|&ball| ball != stroke.cue_ball);
        events.extend(first.map(|first| ShotEvent::Balls(stroke.cue_ball, first)));
        while !left.is_empty() {
            let ball = left.swap_remove(random.below(left.len()));
            let falls = fate == 1 && !table.built.holes.is_empty();
            after[ball] = if falls { BallPlace::Pocket(pocket(table, random)) } else { BallPlace::Off };
            events.push(match after[ball] {
                BallPlace::Pocket(pocket) => ShotEvent::Potted(ball, pocket),
                _ => ShotEvent::OffTable(ball),
            });
        }
    }
    Shot { call, before: before.clone(), events, after }
}

/// A random shot. Usually the right ball is called and hit, and few other balls are involved.
fn shot(stroke: &ShotConstraints, rules: &dyn Rules, table: &GameTable, layout: &Layout, random: &mut Random) -> Shot {
    let mut before = layout.clone();
    if let Some(region) = stroke.in_hand {
        let place = put_down(region, table, layout, stroke.cue_ball, random);
        before[stroke.cue_ball] = BallPlace::Table(place);
    }
    if random.unit() < 0.03 {
        return odd_shot(stroke, table, &before, random);
    }
    let objects: Vec<BallId> =
        before.on_table().map(|(ball, _)| ball).filter(|&ball| ball != stroke.cue_ball).collect();
    let is_right = random.unit() < 0.7 && !stroke.on.is_empty();
    let target = one_of(if is_right { &stroke.on } else { &objects }, random);
    let named = if random.unit() < 0.9 { target } else { one_of(&objects, random) };
    let call = call(rules, table, named, random);
    let mut played = Shot { call, events: Vec::new(), after: before.clone(), before };
    if let Some(target) = target
        && random.unit() < 0.95
    {
        hit(&mut played, [stroke.cue_ball, target], &objects, table, random);
    }
    scatter(&mut played.after, (stroke.cue_ball, &objects), table, random);
    played
}

/// A random call, usually of this ball. As in a match, it is allowed where that is easy, and it names no ball that the
/// game does not have. Such calls are tried as well, and have to be refused.
fn call(rules: &dyn Rules, table: &GameTable, ball: Option<BallId>, random: &mut Random) -> Call {
    let usual = Call { ball, pocket: Some(pocket(table, random)), ..Call::default() };
    let any = BallId(random.below(256) as u8);
    let call = match random.below(20) {
        0 => Call::default(),
        1 => Call { safety: true, ..Call::default() },
        2 => Call { push_out: true, ..Call::default() },
        3 => Call { ball: Some(any), ..usual },
        4 => Call { ball: Some(any), push_out: true, ..usual },
        5 => Call { pocket: Some(PocketId(random.below(256) as u8)), ..usual },
        _ => usual,
    };
    let is_refused = rules.call_refusal(&call).is_some();
    let is_known = call.ball.is_none_or(|ball| ball.index() < rules.balls().len());
    assert!(is_refused || is_known, "{call:?} of {} balls", rules.balls().len());
    if is_refused && rules.call_refusal(&Call::default()).is_none() {
        Call::default()
    } else if is_known {
        call
    } else {
        usual
    }
}

/// The cue ball hits the target, and either may do more.
fn hit(played: &mut Shot, [cue_ball, target]: [BallId; 2], objects: &[BallId], table: &GameTable, random: &mut Random) {
    let Shot { call, events, after, .. } = played;
    events.push(ShotEvent::Balls(cue_ball, target));
    let falls = |random: &mut Random, likely: f32| !table.built.holes.is_empty() && random.unit() < likely;
    if falls(random, 0.6) {
        let called = call.pocket.filter(|called| usize::from(called.0) < table.built.holes.len());
        let pocket = if random.unit() < 0.8 { called.unwrap_or(PocketId(0)) } else { pocket(table, random) };
        events.push(ShotEvent::Potted(target, pocket));
        after[target] = BallPlace::Pocket(pocket);
    }
    for _ in 0..random.below(5) {
        let Some(other) = one_of(objects, random).filter(|&other| after.is_on_table(other)) else { continue };
        events.push(match random.below(3) {
            0 => ShotEvent::Cushion(other, cushion(table, random)),
            1 if falls(random, 0.2) => {
                let pocket = pocket(table, random);
                after[other] = BallPlace::Pocket(pocket);
                ShotEvent::Potted(other, pocket)
            }
            2 if random.unit() < 0.05 => {
                after[other] = BallPlace::Off;
                ShotEvent::OffTable(other)
            }
            _ if other == target => ShotEvent::Cushion(cue_ball, cushion(table, random)),
            _ => ShotEvent::Balls(cue_ball, other),
        });
    }
    if falls(random, 0.08) {
        let pocket = pocket(table, random);
        events.push(ShotEvent::Potted(cue_ball, pocket));
        after[cue_ball] = BallPlace::Pocket(pocket);
    }
}

/// Moves the cue ball and some other balls, sometimes all: to anywhere, behind the head string, around the foot spot,
/// or near an earlier neighbour.
fn scatter(layout: &mut Layout, (cue_ball, objects): (BallId, &[BallId]), table: &GameTable, random: &mut Random) {
    let room = table.half() - table.ball_radius() * 1.001;
    let corners = match random.below(8) {
        0 => [-room, room * vec2(-0.5, 1.0)],
        1 => [room * vec2(0.4, -0.2), room * vec2(0.9, 0.2)],
        _ => [-room, room],
    };
    let likely = if random.below(8) == 0 { 1.0 } else { 0.2 };
    for ball in layout.balls() {
        let moved = ball == cue_ball || random.unit() < likely;
        if moved && layout.is_on_table(ball) {
            let mut others = layout.clone();
            others[ball] = BallPlace::Off;
            let beside = one_of(objects, random)
                .and_then(|other| others[other].on_table())
                .map(|at| at + random.direction() * (table.ball_radius() * 2.00001));
            let beside = beside.filter(|&place| {
                random.unit() < 0.2 && table.is_on_cloth(place) && others.is_free(place, table.ball_radius(), None)
            });
            if let Some(place) = beside.or_else(|| any_place(&others, table, corners, random)) {
                layout[ball] = BallPlace::Table(place);
            }
        }
    }
}
