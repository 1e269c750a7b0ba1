//! For the tests of games: anything may happen in a shot, and what every game keeps to whatever does.

use std::sync::Arc;

use bevy::math::Vec2;

use super::{
    BallId, BallPlace, Call, Choice, CushionId, GameTable, Layout, PocketId, Rules, Shot, ShotEvent, Stroke, Task,
    Verdict, simulator::Simulator,
};
use crate::{
    billiards::cue::{Cue, Strike},
    scene::generate::Chance,
};

/// Plays so many shots and choices by lot, or until it is over; then, true. After each, `check` gets the rules and what they said.
///
/// # Panics
/// If a ball is nowhere or overlaps another, there is nothing to be done, something that is not offered can be chosen, or something that is offered cannot.
pub(super) fn play(
    rules: &mut dyn Rules,
    table: &GameTable,
    chance: &mut Chance,
    steps: usize,
    mut check: impl FnMut(&dyn Rules, &Verdict),
) -> bool {
    let mut layout = rules.layout(u64::from(chance.unit().to_bits()));
    assert_eq!(layout.len(), rules.balls().len());
    for _ in 0..steps {
        let before = rules.turn().clone();
        let verdict = match &before.task {
            Task::Over(_) => return true,
            Task::Shoot(stroke) => {
                assert!(rules.clone_box().choose(Choice::PlayOn, &layout).is_err_and(|why| !why.is_empty()));
                let shot = shot(stroke, rules, table, &layout, chance);
                layout = shot.after.clone();
                rules.judge(&shot)
            }
            Task::Choose(offered) => {
                assert!(!offered.is_empty());
                for choice in Choice::ALL {
                    let outcome = rules.clone_box().choose(choice, &layout);
                    assert_eq!(outcome.is_ok(), offered.contains(&choice), "{choice:?} of {offered:?}: {outcome:?}");
                    assert!(outcome.is_ok() || outcome.is_err_and(|why| !why.is_empty()));
                }
                let choice = offered[below(offered.len(), chance)];
                rules.choose(choice, &layout).expect("it is offered")
            }
        };
        verdict.place(&mut layout);
        for (ball, place) in layout.on_table() {
            assert!(table.is_on_cloth(place), "{ball:?} lies at {place}");
            assert!(layout.is_free(place, table.ball_radius(), Some(ball)), "{ball:?} overlaps after {verdict:?}");
        }
        if let Task::Shoot(stroke) = &rules.turn().task {
            assert_eq!(
                layout.is_on_table(stroke.cue_ball),
                stroke.in_hand.is_none(),
                "the cue ball, after {verdict:?}"
            );
            assert!(stroke.on.iter().all(|&ball| layout.is_on_table(ball)), "a ball on is gone, after {verdict:?}");
        }
        assert_eq!(verdict.goes_on, rules.turn().player == before.player && !is_over(rules), "{before:?} {verdict:?}");
        check(rules, &verdict);
    }
    is_over(rules)
}

/// Plays so many shots and choices with the balls really rolling, each shot aimed at a ball on, or until it is over; then, true.
///
/// # Panics
/// If something that is offered cannot be chosen, a ball is put where there is no room, or there is nothing to be done.
pub(super) fn play_for_real(rules: &mut dyn Rules, table: &Arc<GameTable>, chance: &mut Chance, steps: usize) -> bool {
    let mut simulator = Simulator::new(table.clone());
    let mut layout = rules.layout(u64::from(chance.unit().to_bits()));
    for _ in 0..steps {
        let verdict =
            match &rules.turn().task {
                Task::Over(_) => return true,
                Task::Choose(offered) => {
                    let choice = offered[below(offered.len(), chance)];
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
                    let target = (!on.is_empty()).then(|| on[below(on.len(), chance)]);
                    let at = target.and_then(|target| before[target].on_table()).unwrap_or(from + Vec2::X);
                    let aside = chance.direction() * (table.ball_radius() * 1.5 * chance.unit());
                    let speed = f64::from(chance.between(0.2, 3.0));
                    let strike = Strike { direction: (at + aside - from).as_dvec2(), ..Strike::default() }
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

fn below(count: usize, chance: &mut Chance) -> usize {
    ((chance.unit() * count as f32) as usize).min(count - 1)
}

fn any_place(layout: &Layout, table: &GameTable, chance: &mut Chance) -> Option<Vec2> {
    let room = table.half() - table.ball_radius() * 1.001;
    let mut tries = (0..100).map(|_| chance.within(-room, room));
    tries.find(|&place| table.is_on_cloth(place) && layout.is_free(place, table.ball_radius(), None))
}

/// Anything that may happen: more often than not the right ball is called and hit, and few others do much.
fn shot(stroke: &Stroke, rules: &dyn Rules, table: &GameTable, layout: &Layout, chance: &mut Chance) -> Shot {
    let mut before = layout.clone();
    if let Some(region) = stroke.in_hand {
        let place = region.any_place(table, layout, stroke.cue_ball).expect("there is room");
        before[stroke.cue_ball] = BallPlace::Table(place);
    }
    let objects: Vec<BallId> =
        before.on_table().map(|(ball, _)| ball).filter(|&ball| ball != stroke.cue_ball).collect();
    let any = |chance: &mut Chance| (!objects.is_empty()).then(|| objects[below(objects.len(), chance)]);
    let is_right = chance.unit() < 0.7;
    let target =
        if is_right && !stroke.on.is_empty() { Some(stroke.on[below(stroke.on.len(), chance)]) } else { any(chance) };
    let pockets = table.built.holes.len();
    let pocket = |chance: &mut Chance| PocketId(below(pockets.max(1), chance) as u8);
    let cushion = |chance: &mut Chance| CushionId(below(table.built.cushions.len(), chance) as u8);
    let ball = if chance.unit() < 0.9 { target } else { any(chance) };
    let call = Call { ball, pocket: Some(pocket(chance)), ..Call::default() };
    let call = if stroke.refusal(&call).is_some() && stroke.refusal(&Call::default()).is_none() {
        Call::default()
    } else {
        call
    };
    let mut events = Vec::new();
    let mut after = before.clone();
    if let Some(target) = target
        && chance.unit() < 0.95
    {
        events.push(ShotEvent::Balls(stroke.cue_ball, target));
        let falls = |chance: &mut Chance, likely: f32| pockets > 0 && chance.unit() < likely;
        if falls(chance, 0.6) {
            let pocket = if chance.unit() < 0.8 { call.pocket.unwrap_or(PocketId(0)) } else { pocket(chance) };
            events.push(ShotEvent::Potted(target, pocket));
            after[target] = BallPlace::Pocket(pocket);
        }
        for _ in 0..below(5, chance) {
            let Some(other) = any(chance).filter(|&other| after.is_on_table(other)) else { continue };
            events.push(match below(3, chance) {
                0 => ShotEvent::Cushion(other, cushion(chance)),
                1 if falls(chance, 0.2) => {
                    let pocket = pocket(chance);
                    after[other] = BallPlace::Pocket(pocket);
                    ShotEvent::Potted(other, pocket)
                }
                2 if chance.unit() < 0.05 => {
                    after[other] = BallPlace::Off;
                    ShotEvent::OffTable(other)
                }
                _ if other == target => ShotEvent::Cushion(stroke.cue_ball, cushion(chance)),
                _ => ShotEvent::Balls(stroke.cue_ball, other),
            });
        }
        if falls(chance, 0.08) {
            let pocket = pocket(chance);
            events.push(ShotEvent::Potted(stroke.cue_ball, pocket));
            after[stroke.cue_ball] = BallPlace::Pocket(pocket);
        }
    }
    // What was touched lies elsewhere, now and then near what it lay by.
    for ball in rules.balls().iter().enumerate().map(|(ball, _)| BallId(ball as u8)) {
        let moved = ball == stroke.cue_ball || chance.unit() < 0.2;
        if moved && after.is_on_table(ball) {
            let mut others = after.clone();
            others[ball] = BallPlace::Off;
            let beside = any(chance)
                .and_then(|other| others[other].on_table())
                .map(|at| at + chance.direction() * (table.ball_radius() * 2.00001));
            let beside = beside.filter(|&place| {
                chance.unit() < 0.2 && table.is_on_cloth(place) && others.is_free(place, table.ball_radius(), None)
            });
            if let Some(place) = beside.or_else(|| any_place(&others, table, chance)) {
                after[ball] = BallPlace::Table(place);
            }
        }
    }
    Shot { call, before, events, after }
}
