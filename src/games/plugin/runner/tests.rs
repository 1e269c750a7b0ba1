use bevy::{math::DVec2, utils::default};

use super::*;
use crate::{
    billiards::cue::CueStrike,
    games::{
        matches::MatchSpec,
        rules::{CallRefusal, CushionId, PlayerSpec, PocketId},
    },
};

fn begun(players: [&str; 2], change: impl FnOnce(&mut MatchSpec)) -> (MatchRunner, Vec<Effect>) {
    let players = players.map(PlayerSpec::from);
    let mut spec = MatchSpec { game: "nine-ball".to_owned(), seed: 3, ..default() };
    change(&mut spec);
    let seats = [0, 1].map(|index| Seat::of(&players[index]).unwrap());
    MatchRunner::begin(Match::new(MatchSpec { players, ..spec }).unwrap(), seats, MatchSettings::AT_ONCE)
}

fn people() -> MatchRunner {
    begun(["you", "another"], |_| ()).0
}

fn shoot(y: f64, speed: f64) -> Action {
    Action::Shoot { call: default(), strike: CueStrike { speed, direction: DVec2::new(1.0, y), ..default() } }
}

fn act(runner: &mut MatchRunner, action: Action) -> Vec<Effect> {
    runner.obey(MatchCommand::Act(action))
}

/// The names of the effects.
fn names(effects: &[Effect]) -> Vec<&'static str> {
    let name = |effect: &Effect| match effect {
        Effect::Lay { .. } => "lay",
        Effect::Strike { .. } => "strike",
        Effect::Think(_) => "think",
        Effect::Save => "save",
        Effect::Send(event) => match event {
            MatchEvent::Begun => "begun",
            MatchEvent::Struck(_) => "struck",
            MatchEvent::Done(..) => "done",
            MatchEvent::ChoiceAsked(..) => "choice asked",
            MatchEvent::TakeBackAsked => "take-back asked",
            MatchEvent::Refused(_) => "refused",
            MatchEvent::Over { .. } => "over",
            MatchEvent::Left => "left",
        },
    };
    effects.iter().map(name).collect()
}

fn refused(why: impl Into<Refusal>) -> Vec<Effect> {
    vec![Effect::Send(MatchEvent::Refused(why.into()))]
}

/// A table without any parts of the match.
struct Nothing;

impl Seen for Nothing {
    fn ball(&self, _: bevy::prelude::Entity) -> Option<BallId> {
        None
    }

    fn cushion(&self, _: bevy::prelude::Entity) -> Option<CushionId> {
        None
    }

    fn pocket(&self, _: bevy::prelude::Entity) -> Option<PocketId> {
        None
    }
}

#[test]
fn a_shot_is_saved_and_struck_and_its_verdict_comes_when_it_rests() {
    let (mut runner, effects) = begun(["you", "another"], |_| ());
    // Placing the ball in hand is also saved.
    assert_eq!(names(&effects), ["save", "begun", "save", "lay"]);
    assert!(matches!(&effects[3], Effect::Lay { shootable: Some(BallId(0)), .. }));
    let mut alone = Match::clone(runner.game());
    let action = shoot(0.3, 1.0);
    let report = alone.apply(action).unwrap();

    let effects = act(&mut runner, action);
    assert_eq!(names(&effects), ["save", "lay", "strike", "struck"]);
    let Effect::Strike { ball, velocity, .. } = effects[2] else { panic!("{effects:?}") };
    assert_eq!((ball, velocity.x > 0.0), (BallId(0), true));
    assert_eq!((runner.newest().hash(), runner.game().shots().len()), (alone.hash(), 0), "the file is ahead");
    assert_eq!(act(&mut runner, action), refused(Refusal::NotYourTurn));
    assert!(runner.advance(1.0, 1.0).is_empty(), "it still rolls");

    let effects = runner.obey(MatchCommand::GoOn);
    assert_eq!(names(&effects)[..2], ["lay", "done"]);
    assert_eq!(effects[1], Effect::Send(MatchEvent::Done(action, Box::new(report.clone()))));
    assert_eq!(runner.last(), Some(&(action, report)));
    assert!(runner.waits_for_person() && runner.departures() == 0);
}

#[test]
fn ticks_that_come_to_something_else_are_counted_and_the_match_holds() {
    let mut runner = people();
    let mut alone = Match::clone(runner.game());
    act(&mut runner, shoot(0.3, 1.0));
    alone.apply(shoot(0.3, 1.0)).unwrap();
    let space = PhysicsSpace::default();
    for _ in 0..2 {
        assert!(matches!(runner.phase(), Phase::Rolling(_)));
        runner.follow_tick(&space, &Nothing);
    }
    let effects = runner.advance(0.0, 0.0);
    assert_eq!(names(&effects)[..2], ["lay", "done"]);
    assert_eq!(runner.departures(), 1);
    assert_eq!(runner.game().shots(), alone.shots());
}

#[test]
fn a_bot_is_asked_takes_its_time_and_is_not_listened_to_any_more_where_its_turn_is_taken_back() {
    let (mut runner, _) = begun(["you", "bot:recipe"], |_| ());
    runner.settings = MatchSettings::default();
    act(&mut runner, shoot(0.3, 1.0));
    runner.obey(MatchCommand::GoOn);
    assert!(matches!(runner.phase(), Phase::Review(_)), "the table is looked at");
    let effects = runner.advance(1.0, 1.0);
    assert!(effects.contains(&Effect::Think(Player(1))), "{effects:?}");
    assert!(runner.advance(10.0, 10.0).is_empty() && matches!(runner.phase(), Phase::Thinking));

    let place = Action::Place(Vec2::new(-0.8, 0.1));
    assert!(runner.decide(place).is_empty(), "it takes its time");
    assert!(runner.advance(0.5, 0.5).is_empty());
    assert_eq!(names(&runner.advance(0.5, 0.5))[..3], ["save", "lay", "done"]);
    assert!(runner.decide(shoot(0.0, 2.0)).is_empty());
    assert!(runner.stance().is_none());
    runner.advance(1.0, 1.0);
    assert_eq!(runner.stance().map(|stance| stance.cue_ball), Some(BallId(0)));

    let effects = runner.obey(MatchCommand::TakeBack);
    assert_eq!(names(&effects)[..2], ["done", "save"]);
    let hash = runner.game().hash();
    assert!(runner.decide(shoot(0.0, 2.0)).is_empty());
    assert!(runner.waits_for_person() && runner.game().hash() == hash);
}

#[test]
fn what_a_bot_must_not_do_counts_as_a_shot_that_hits_nothing() {
    let (mut runner, _) = begun(["bot:recipe", "you"], |_| ());
    assert!(matches!(runner.phase(), Phase::Thinking));
    runner.decide(Action::TakeBack);
    assert_eq!(runner.last().map(|last| last.0), Some(Action::Pass));
    assert_eq!(runner.game().turn().unwrap().0, Player(1));
    // Nor does it take back a shot of the person, who would not be asked.
    let (mut runner, _) = begun(["you", "bot:recipe"], |_| ());
    act(&mut runner, shoot(0.3, 1.0));
    runner.obey(MatchCommand::GoOn);
    assert!(matches!(runner.phase(), Phase::Thinking) && runner.game().shots().len() == 1);
    runner.decide(Action::TakeBack);
    assert_eq!(runner.last().map(|last| last.0), Some(Action::Pass));
    assert_eq!(runner.game().shots().len(), 2);
}

#[test]
fn the_clock_runs_for_whoever_is_to_act_and_not_while_the_match_is_held() {
    let (mut runner, _) = begun(["you", "another"], |spec| spec.shot_clock = Some(5.0));
    runner.advance(2.0, 2.0);
    runner.obey(MatchCommand::Hold(true));
    runner.advance(60.0, 60.0);
    assert_eq!(runner.clock(), Some(3.0));
    assert_eq!(act(&mut runner, Action::Concede), refused(Refusal::Held));
    runner.obey(MatchCommand::Hold(false));
    let effects = runner.advance(3.0, 3.0);
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Send(MatchEvent::Done(Action::Pass, _)))));
    assert_eq!((runner.clock(), runner.game().turn().unwrap().0), (Some(5.0), Player(1)));
}

#[test]
fn people_ask_each_other_to_take_a_shot_back_and_what_cannot_be_is_refused() {
    let mut runner = people();
    assert_eq!(runner.obey(MatchCommand::TakeBack), refused(Refusal::NothingToTakeBack));
    assert_eq!(runner.obey(MatchCommand::Answer(true)), refused(Refusal::NothingAsked));
    let call = crate::games::rules::Call { safety: true, ..default() };
    let refusal = act(&mut runner, Action::Shoot { call, strike: default() });
    assert_eq!(refusal, refused(CallRefusal::NoSafety));
    let hash = runner.game().hash();
    act(&mut runner, shoot(0.3, 1.0));
    assert_eq!(runner.obey(MatchCommand::TakeBack), refused(Refusal::BallsRoll));
    runner.obey(MatchCommand::GoOn);
    assert_eq!(names(&runner.obey(MatchCommand::TakeBack)), ["take-back asked"]);
    assert_eq!(runner.obey(MatchCommand::Answer(false)), refused(Refusal::ShotStands));
    runner.obey(MatchCommand::TakeBack);
    assert_eq!(names(&runner.obey(MatchCommand::Answer(true)))[..2], ["done", "save"]);
    assert_eq!(runner.game().hash(), hash);
}

#[test]
fn a_shot_is_looked_at_by_the_time_of_whoever_watches() {
    let mut runner = people();
    assert_eq!(runner.obey(MatchCommand::Look(Look::Play(true))), refused(Refusal::NothingLookedAt));
    assert_eq!(runner.obey(MatchCommand::Look(Look::Shot(0))), refused(Refusal::NoSuchShot));
    act(&mut runner, shoot(0.3, 1.0));
    assert_eq!(runner.obey(MatchCommand::Look(Look::Shot(0))), refused(Refusal::BallsRoll));
    runner.obey(MatchCommand::GoOn);
    runner.obey(MatchCommand::Look(Look::Shot(0)));
    assert!(runner.is_held() && !runner.waits_for_person());
    runner.obey(MatchCommand::Look(Look::Speed(0.5)));
    runner.advance(0.0, 1.0);
    assert_eq!(runner.look_back().map(LookBack::time), Some(0.5));
    runner.obey(MatchCommand::Look(Look::Shot(0)));
    let now = runner.look_back().unwrap();
    assert_eq!((now.time(), now.speed(), now.is_playing()), (0.0, 0.5, true));
    assert!(runner.obey(MatchCommand::Look(Look::Present)).is_empty());
    assert!(runner.waits_for_person());
}

#[test]
fn a_table_that_is_laid_anew_ends_the_shot_that_rolls() {
    let mut runner = people();
    act(&mut runner, shoot(0.3, 1.0));
    let effects = runner.lay_again();
    assert!(names(&effects).contains(&"done"), "{effects:?}");
    let layout = runner.game().layout().clone();
    assert_eq!(effects.last(), Some(&Effect::Lay { layout, shootable: Some(BallId(0)) }));
    assert!(runner.waits_for_person());
}

#[test]
fn a_bot_at_the_table_plays_its_shot_after_the_table_is_laid_anew() {
    let (mut runner, _) = begun(["bot:recipe", "you"], |_| ());
    runner.settings = MatchSettings::default();
    runner.decide(Action::Place(Vec2::new(-0.8, 0.1)));
    runner.advance(1.0, 1.0);
    runner.decide(shoot(0.0, 2.0));
    assert!(matches!(runner.phase(), Phase::Acting(_)), "{:?}", runner.phase());
    let effects = runner.lay_again();
    assert_eq!(names(&effects), ["lay"]);
    assert!(matches!(runner.phase(), Phase::Acting(_)) && runner.newest().shots().is_empty());
    assert_eq!(names(&runner.advance(10.0, 10.0)), ["save", "lay", "strike", "struck"]);
}

#[test]
fn what_is_the_task_of_the_caller_is_refused() {
    let mut runner = people();
    let effects = runner.obey(MatchCommand::Leave);
    assert!(matches!(&effects[..], [Effect::Send(MatchEvent::Refused(Refusal::Own(_)))]), "{effects:?}");
}
