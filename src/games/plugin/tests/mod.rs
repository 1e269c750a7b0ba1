//! Matches in an app without a window.

use std::sync::Arc;

use bevy::{math::DVec2, time::TimeUpdateStrategy};

use super::*;
use crate::{
    PhysicsPlugins,
    billiards::{
        cue::CueStrike,
        tables::{BallName, ClothSpec, ShippedTable},
    },
    collision::CollisionSettings,
    components::{Ball, InPocket, OffTable, Position, Velocity},
    games::{
        PlayerSpec,
        matches::Entry,
        rulebooks::practice,
        rules::{
            BallPlace, CallNeeded, Foul, Game, GameTable, Layout, PlaceRefusal, Rules, Shot, Standing, Task, Verdict,
        },
    },
    scene::{SceneCommand, ScenePlugin, SceneSource, Shootable},
    timeline::Playback,
};

mod drills;
mod long_shots;
mod look_back;
mod off_table;
mod position;
mod saved;
mod take_back;
mod whole_matches;

/// A world without a window, with a second of ticks per update.
fn app() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), ScenePlugin, MatchPlugin))
        .insert_resource(MatchSettings::AT_ONCE)
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(60));
    app
}

fn nine_ball(players: [&str; 2]) -> MatchSpec {
    MatchSpec { game: "nine-ball".to_owned(), players: players.map(PlayerSpec::from), seed: 3, ..MatchSpec::default() }
}

fn begin(app: &mut App, spec: MatchSpec) {
    let beginning = Beginning::of(spec).unwrap();
    app.world_mut().write_message(MatchCommand::Begin(Box::new(beginning)));
    app.update();
}

fn ask(app: &mut App, command: MatchCommand) {
    app.world_mut().write_message(command);
    app.update();
}

fn live(app: &App) -> &CurrentMatch {
    app.world().resource::<CurrentMatch>()
}

fn events(app: &mut App) -> Vec<MatchEvent> {
    app.world_mut().resource_mut::<Messages<MatchEvent>>().drain().collect()
}

/// Continues until only a person can act, or nobody.
fn play_on(app: &mut App) {
    for _ in 0..20_000 {
        if matches!(live(app).phase(), Phase::Person | Phase::Over) {
            return;
        }
        app.update();
    }
    panic!("it never ends: {:?}", live(app).phase());
}

fn shot(direction: Vec2, speed: f64) -> MatchCommand {
    let strike = CueStrike { speed, direction: direction.as_dvec2(), ..default() };
    MatchCommand::Act(Action::Shoot { call: default(), strike })
}

/// The positions of the balls' entities, and those in the match.
fn places(app: &mut App) -> [Vec<Option<Vec2>>; 2] {
    let live = live(app);
    let of_match = live.game().layout().0.iter().map(|place| place.on_table()).collect();
    let world = app.world();
    let seen = live.things.balls.iter().map(|&ball| {
        let ball = world.entity(ball);
        let is_there = !ball.contains::<bevy::ecs::entity_disabling::Disabled>()
            && !ball.contains::<InPocket>()
            && !ball.contains::<OffTable>();
        ball.get::<Position>().filter(|_| is_there).map(|position| position.0)
    });
    [seen.collect(), of_match]
}

/// Everything visible about the balls.
fn seen(app: &App) -> Vec<(Option<Position>, [bool; 2], Option<InPocket>)> {
    let ball = |&ball: &Entity| {
        let ball = app.world().entity(ball);
        let is_aside = ball.contains::<bevy::ecs::entity_disabling::Disabled>();
        (ball.get().copied(), [is_aside, ball.contains::<OffTable>()], ball.get().copied())
    };
    live(app).things.balls.iter().map(ball).collect()
}

/// Starts a match between two people on a custom table.
fn own(spec: MatchSpec, game: &'static Game, table: Arc<GameTable>) -> MatchCommand {
    let game = Match::on_table(spec, game, table).unwrap();
    MatchCommand::Begin(Box::new(Beginning::with_seats(game, [Seat::Person, Seat::Person]).unkept()))
}

#[test]
fn a_match_of_bots_ends_in_the_ticks_as_it_does_without_them() {
    let mut app = app();
    begin(&mut app, nine_ball(["bot:recipe", "bot:recipe"]));
    play_on(&mut app);
    let live = live(&app);
    assert_eq!((live.departures(), live.game().winner().is_some()), (0, true));
    let shots = live.game().log().iter().filter(|entry| matches!(entry.action, Action::Shoot { .. })).count();
    assert!(shots > 1);
    let record = live.game().record();
    assert!(record.over && MatchRecord::parse(&record.to_text().unwrap(), "a.ron").as_ref() == Ok(&record));
    let replayed = Match::replay(&record).unwrap();
    assert_eq!(replayed.hash(), live.game().hash());
    let told = events(&mut app);
    assert!(told.iter().any(|event| matches!(event, MatchEvent::Over { .. })), "{told:?}");
}

#[test]
fn a_person_places_shoots_and_is_judged_when_the_balls_rest() {
    let mut app = app();
    begin(&mut app, nine_ball(["you", "another"]));
    assert_eq!(app.world_mut().query::<&Ball>().iter(app.world()).count(), 10);
    assert!(live(&app).waits_for_person());
    let mut shootable = app.world_mut().query_filtered::<&GameBall, With<Shootable>>();
    assert_eq!(shootable.iter(app.world()).map(|ball| ball.0).collect::<Vec<_>>(), [BallId(0)]);
    assert!(live(&app).game().layout().is_on_table(BallId(0)), "it lies where it may at once");
    ask(&mut app, MatchCommand::Act(Action::Place(vec2(0.5, 0.0))));
    let told = events(&mut app);
    assert!(
        matches!(&told[..], [.., MatchEvent::Refused(why)] if *why == PlaceRefusal::BehindHeadString.into()),
        "{told:?}"
    );
    ask(&mut app, MatchCommand::Act(Action::Place(vec2(-0.8, 0.1))));
    assert_eq!(places(&mut app)[0][0], Some(vec2(-0.8, 0.1)));
    events(&mut app);
    ask(&mut app, shot(vec2(1.0, 0.3), 1.0));
    assert!(matches!(live(&app).phase(), Phase::Rolling(_)));
    assert!(live(&app).last().is_none_or(|(action, _)| matches!(action, Action::Place(_))), "no verdict yet");
    ask(&mut app, shot(Vec2::X, 1.0));
    assert!(events(&mut app).contains(&MatchEvent::Refused(Refusal::NotYourTurn)));
    play_on(&mut app);
    let (action, report) = live(&app).last().unwrap().clone();
    assert!(matches!(action, Action::Shoot { .. }) && !report.verdict.fouls.is_empty(), "{report:?}");
    assert_eq!(live(&app).game().turn().unwrap().0, Player(1), "the other has ball in hand");
    assert_eq!(live(&app).departures(), 0);
    let [seen, of_match] = places(&mut app);
    assert_eq!(seen, of_match);
}

#[test]
fn observers_see_the_match_whatever_is_done_to_it() {
    let mut app = app();
    begin(&mut app, nine_ball(["you", "another"]));
    let seen = Arc::new(std::sync::Mutex::new((0, 0)));
    let count = seen.clone();
    app.add_observer(move |_: On<Insert, Velocity>, live: Option<Res<CurrentMatch>>| {
        let mut count = count.lock().unwrap();
        count.0 += 1;
        count.1 += u32::from(live.is_some_and(|live| live.game().layout().0.len() == 10));
    });
    ask(&mut app, shot(vec2(1.0, 0.3), 1.0));
    play_on(&mut app);
    ask(&mut app, MatchCommand::TakeBack);
    ask(&mut app, MatchCommand::Answer(true));
    app.world_mut().write_message(SceneCommand::Restart);
    app.update();
    let (all, with_match) = *seen.lock().unwrap();
    assert!(all > 20 && all == with_match, "{with_match} of {all}");
}

#[test]
fn what_the_rules_refuse_changes_nothing() {
    let mut app = app();
    begin(&mut app, MatchSpec { game: "ten-ball".to_owned(), ..nine_ball(["you", "another"]) });
    ask(&mut app, shot(vec2(1.0, 0.02), 6.0));
    play_on(&mut app);
    // Whatever happens in the break, a player has to choose or to call.
    for _ in 0..10 {
        let Some((_, task)) = live(&app).game().turn() else { panic!("it is not over") };
        match task.clone() {
            Task::Choose(choices) => ask(&mut app, MatchCommand::Act(Action::Choose(choices[0]))),
            Task::Shoot(stroke) if stroke.call == CallNeeded::BallAndPocket => break,
            Task::Shoot(_) => ask(&mut app, shot(vec2(1.0, 0.02), 6.0)),
            Task::Over(_) => panic!("it is not over"),
        }
        play_on(&mut app);
    }
    let before = (live(&app).game().hash(), places(&mut app));
    events(&mut app);
    ask(&mut app, shot(Vec2::X, 2.0));
    assert!(live(&app).waits_for_person());
    app.update();
    assert_eq!((live(&app).game().hash(), places(&mut app)), before);
    assert!(matches!(&events(&mut app)[..], [MatchEvent::Refused(Refusal::Call(_))]));
}

#[test]
fn the_clock_runs_out_into_a_foul() {
    let mut app = app();
    begin(&mut app, MatchSpec { shot_clock: Some(5.0), ..nine_ball(["you", "another"]) });
    app.update();
    app.update();
    let left = live(&app).clock().unwrap();
    assert!(left < 5.0 && left > 0.0, "{left}");
    ask(&mut app, MatchCommand::Act(Action::Place(vec2(-0.8, 0.1))));
    assert!(live(&app).clock().unwrap() < left, "placing takes time as well");
    for _ in 0..20 {
        app.update();
        if live(&app).last().is_some_and(|(action, _)| *action == Action::Pass) {
            break;
        }
    }
    let (action, report) = live(&app).last().unwrap();
    assert_eq!((*action, report.verdict.fouls.is_empty()), (Action::Pass, false));
    assert_eq!(live(&app).game().turn().unwrap().0, Player(1));
}

#[test]
fn another_scene_ends_it_and_the_same_again_does_not() {
    let mut app = app();
    begin(&mut app, nine_ball(["you", "another"]));
    ask(&mut app, MatchCommand::Act(Action::Place(vec2(-0.8, 0.1))));
    app.world_mut().write_message(SceneCommand::Restart);
    app.update();
    let [seen, of_match] = places(&mut app);
    assert_eq!(seen, of_match, "the balls are where the match has them");
    app.world_mut().write_message(SceneCommand::Load(SceneSource::Shipped("two-discs")));
    app.update();
    assert!(!app.world().contains_resource::<CurrentMatch>());
    assert!(events(&mut app).contains(&MatchEvent::Left));
    assert_eq!(app.world_mut().query::<&GameBall>().iter(app.world()).count(), 0);
}

#[test]
fn every_game_begins_on_each_of_its_tables() {
    for game in crate::games::rulebooks::GAMES {
        for table in game.tables {
            let mut app = app();
            let (game, table) = (game.name.to_owned(), (*table).to_owned());
            begin(&mut app, MatchSpec { game, table, ..MatchSpec::default() });
            let live = live(&app);
            assert!(live.waits_for_person());
            let count = live.game().rules().balls().len();
            assert_eq!(live.things.balls.len(), count);
            let [seen, of_match] = places(&mut app);
            assert_eq!(seen, of_match);
        }
    }
}

#[test]
fn whoever_changes_the_physics_changes_no_shot_and_whoever_moves_a_ball_is_noticed() {
    let mut app = app();
    begin(&mut app, nine_ball(["you", "another"]));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    ask(&mut app, shot(vec2(1.0, 0.05), 6.0));
    app.world_mut().resource_mut::<CollisionSettings>().restitution = 0.5;
    app.world_mut().resource_mut::<Playback>().tick_rate = Some(60.0);
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(60));
    play_on(&mut app);
    assert_eq!(live(&app).departures(), 0);
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    ask(&mut app, shot(vec2(1.0, 0.3), 1.0));
    let ball = live(&app).entity_of(BallId(9)).unwrap();
    app.world_mut().entity_mut(ball).insert(Position(vec2(0.0, 0.5)));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(60));
    play_on(&mut app);
    assert_eq!(live(&app).departures(), 1);
    let [seen, of_match] = places(&mut app);
    assert_eq!(seen, of_match);
    assert!(Match::replay(&live(&app).game().record()).is_ok());
}

#[test]
fn a_match_that_cannot_be_laid_leaves_the_one_that_runs_as_it_is() {
    /// Practice with all balls off the table.
    #[derive(Clone, Debug)]
    struct Nowhere(Box<dyn Rules>);

    impl Rules for Nowhere {
        fn balls(&self) -> &[BallName] {
            self.0.balls()
        }

        fn layout(&mut self, seed: u64) -> Layout {
            Layout(vec![BallPlace::Table(Vec2::NAN); self.0.layout(seed).len()])
        }

        fn standing(&self) -> &Standing {
            self.0.standing()
        }

        fn judge(&mut self, shot: &Shot) -> Verdict {
            self.0.judge(shot)
        }

        fn boxed(&self) -> Box<dyn Rules> {
            Box::new(self.clone())
        }
    }

    const NOWHERE: Game = Game {
        name: "nowhere",
        tables: &[],
        begin: |table, options| Ok(Box::new(Nowhere((practice::GAME.begin)(table, options)?))),
        ..practice::GAME
    };
    let mut app = app();
    begin(&mut app, nine_ball(["you", "another"]));
    ask(&mut app, shot(vec2(1.0, 0.3), 0.5));
    play_on(&mut app);
    events(&mut app);
    let (hash, before) = (live(&app).game().hash(), seen(&app));
    let table = live(&app).game().table().clone();
    ask(&mut app, own(MatchSpec { game: NOWHERE.name.to_owned(), ..default() }, &NOWHERE, table));
    let told = events(&mut app);
    assert!(matches!(&told[..], [MatchEvent::Refused(Refusal::Own(_))]), "{told:?}");
    assert_eq!((live(&app).game().hash(), seen(&app)), (hash, before));
    // The match continues, and another replaces it.
    assert!(live(&app).waits_for_person());
    ask(&mut app, shot(vec2(1.0, 0.1), 0.5));
    play_on(&mut app);
    assert_eq!(live(&app).departures(), 0);
    events(&mut app);
    begin(&mut app, nine_ball(["you", "another"]));
    assert!(matches!(&events(&mut app)[..], [MatchEvent::Left, MatchEvent::Begun, ..]));
}
