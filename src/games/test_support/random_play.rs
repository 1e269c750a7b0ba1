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
        };
        // The racks of practice depend on the table.
        let is_taken = |value: &&Value| {
            (game.begin)(table, &Options::from_iter([(spec.name.to_owned(), (*value).clone())])).is_ok()
        };
        let taken: Vec<&Value> = values.iter().filter(|value| spec.allows(value)).filter(is_taken).collect();
        assert!(!taken.is_empty(), "{} takes none of the values for {}", game.name, spec.name);
        options.insert(spec.name.to_owned(), taken[below(taken.len(), random)].clone());
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
                assert!(rules.clone_box().choose(Choice::PlayOn, &layout).is_err());
                return true;
            }
            Task::Shoot(stroke) => {
                assert!(rules.clone_box().choose(Choice::PlayOn, &layout).is_err());
                let shot = shot(stroke, rules, table, &layout, random);
                layout = shot.after.clone();
                rules.judge(&shot)
            }
            Task::Choose(offered) => {
                assert!(!offered.is_empty());
                for choice in Choice::ALL {
                    let outcome = rules.clone_box().choose(choice, &layout);
                    assert_eq!(outcome.is_ok(), offered.contains(&choice), "{choice:?} of {offered:?}: {outcome:?}");
                }
                let choice = offered[below(offered.len(), random)];
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
                let choice = offered[below(offered.len(), random)];
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
                let target = (!on.is_empty()).then(|| on[below(on.len(), random)]);
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

fn is_over(rules: &dyn Rules) -> bool {
    matches!(rules.turn().task, Task::Over(_))
}

trait CloneBox {
    fn clone_box(&self) -> Box<dyn Rules>;
}

impl CloneBox for dyn Rules + '_ {
    fn clone_box(&self) -> Box<dyn Rules> {
        self.boxed()
    }
}

fn below(count: usize, random: &mut Random) -> usize {
    ((random.unit() * count as f32) as usize).min(count - 1)
}

fn any_place(layout: &Layout, table: &GameTable, random: &mut Random) -> Option<Vec2> {
    let room = table.half() - table.ball_radius() * 1.001;
    let mut tries = (0..100).map(|_| random.within(-room, room));
    tries.find(|&place| table.is_on_cloth(place) && layout.is_free(place, table.ball_radius(), None))
}

/// A random place for a ball in hand: anywhere, at the edge of its region, or touching another ball.
fn put_down(region: Region, table: &GameTable, layout: &Layout, ball: BallId, random: &mut Random) -> Vec2 {
    let (edge, radius) = (table.half() - table.ball_radius(), table.ball_radius());
    let place = match (below(4, random), region) {
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
            let near = layout.on_table().map(|(_, at)| at).nth(below(layout.len(), random));
            near.unwrap_or(edge) + random.direction() * (radius * 2.00001)
        }
        _ => random.within(-edge, edge),
    };
    if may_place(region, layout, ball, place, table) {
        return place;
    }
    region.any_place(table, layout, ball).expect("there is room")
}

/// Rare cases: a shot without a hit, one that leaves nothing on the table, and calls without meaning.
fn odd_shot(stroke: &ShotConstraints, table: &GameTable, before: &Layout, random: &mut Random) -> Shot {
    let (pockets, balls) = (table.built.holes.len(), before.len());
    let pocket = |random: &mut Random| PocketId(below(pockets.max(1), random) as u8);
    let call = match below(3, random) {
        0 => Call::default(),
        1 => Call { safety: true, ..Call::default() },
        _ => Call {
            ball: Some(BallId(below(balls, random) as u8)),
            pocket: Some(pocket(random)),
            push_out: random.unit() < 0.5,
            ..Call::default()
        },
    };
    let (mut events, mut after) = (Vec::new(), before.clone());
    let fate = below(3, random);
    if fate > 0 {
        let mut left: Vec<BallId> = before.on_table().map(|(ball, _)| ball).collect();
        let first = left.iter().copied().find(|&ball| ball != stroke.cue_ball);
        events.extend(first.map(|first| ShotEvent::Balls(stroke.cue_ball, first)));
        while !left.is_empty() {
            let ball = left.swap_remove(below(left.len(), random));
            let falls = fate == 1 && pockets > 0;
            after[ball] = if falls { BallPlace::Pocket(pocket(random)) } else { BallPlace::Off };
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
    let any = |random: &mut Random| (!objects.is_empty()).then(|| objects[below(objects.len(), random)]);
    let is_right = random.unit() < 0.7;
    let target =
        if is_right && !stroke.on.is_empty() { Some(stroke.on[below(stroke.on.len(), random)]) } else { any(random) };
    let pockets = table.built.holes.len();
    let pocket = |random: &mut Random| PocketId(below(pockets.max(1), random) as u8);
    let cushion = |random: &mut Random| CushionId(below(table.built.cushions.len(), random) as u8);
    let ball = if random.unit() < 0.9 { target } else { any(random) };
    let call = Call { ball, pocket: Some(pocket(random)), ..Call::default() };
    let call = if stroke.refusal(&call).is_some() && stroke.refusal(&Call::default()).is_none() {
        Call::default()
    } else {
        call
    };
    let mut events = Vec::new();
    let mut after = before.clone();
    if let Some(target) = target
        && random.unit() < 0.95
    {
        events.push(ShotEvent::Balls(stroke.cue_ball, target));
        let falls = |random: &mut Random, likely: f32| pockets > 0 && random.unit() < likely;
        if falls(random, 0.6) {
            let pocket = if random.unit() < 0.8 { call.pocket.unwrap_or(PocketId(0)) } else { pocket(random) };
            events.push(ShotEvent::Potted(target, pocket));
            after[target] = BallPlace::Pocket(pocket);
        }
        for _ in 0..below(5, random) {
            let Some(other) = any(random).filter(|&other| after.is_on_table(other)) else { continue };
            events.push(match below(3, random) {
                0 => ShotEvent::Cushion(other, cushion(random)),
                1 if falls(random, 0.2) => {
                    let pocket = pocket(random);
                    after[other] = BallPlace::Pocket(pocket);
                    ShotEvent::Potted(other, pocket)
                }
                2 if random.unit() < 0.05 => {
                    after[other] = BallPlace::Off;
                    ShotEvent::OffTable(other)
                }
                _ if other == target => ShotEvent::Cushion(stroke.cue_ball, cushion(random)),
                _ => ShotEvent::Balls(stroke.cue_ball, other),
            });
        }
        if falls(random, 0.08) {
            let pocket = pocket(random);
            events.push(ShotEvent::Potted(stroke.cue_ball, pocket));
            after[stroke.cue_ball] = BallPlace::Pocket(pocket);
        }
    }
    // Balls that were touched lie elsewhere, sometimes near an earlier neighbour.
    for ball in rules.balls().iter().enumerate().map(|(ball, _)| BallId(ball as u8)) {
        let moved = ball == stroke.cue_ball || random.unit() < 0.2;
        if moved && after.is_on_table(ball) {
            let mut others = after.clone();
            others[ball] = BallPlace::Off;
            let beside = any(random)
                .and_then(|other| others[other].on_table())
                .map(|at| at + random.direction() * (table.ball_radius() * 2.00001));
            let beside = beside.filter(|&place| {
                random.unit() < 0.2 && table.is_on_cloth(place) && others.is_free(place, table.ball_radius(), None)
            });
            if let Some(place) = beside.or_else(|| any_place(&others, table, random)) {
                after[ball] = BallPlace::Table(place);
            }
        }
    }
    Shot { call, before, events, after }
}
