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
    components::{Ball, InPocket, Position, Velocity},
    games::{
        PlayerSpec,
        matches::Entry,
        rulebooks::practice,
        rules::{BallPlace, CallNeeded, Game, GameTable, Layout, PlaceRefusal, Rules, Shot, Standing, Task, Verdict},
    },
    scene::{SceneCommand, ScenePlugin, SceneSource, Shootable},
    timeline::Playback,
};

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
        let is_there = !ball.contains::<bevy::ecs::entity_disabling::Disabled>() && !ball.contains::<InPocket>();
        ball.get::<Position>().filter(|_| is_there).map(|position| position.0)
    });
    [seen.collect(), of_match]
}

#[test]
fn a_match_that_was_only_begun_comes_after_one_in_which_a_shot_was_played() {
    let folder = tempfile::tempdir().unwrap();
    let begun = Match::new(nine_ball(["Ann", "Ben"])).unwrap().record();
    let shot = Action::Shoot { call: default(), strike: default() };
    let played = MatchRecord { log: vec![Entry { action: shot, hash: 0 }], ..begun.clone() };
    let over = MatchRecord { over: true, ..played.clone() };
    for (age, (name, record)) in [("begun", begun), ("over", over), ("played", played)].into_iter().enumerate() {
        let path = folder.path().join(format!("{name}.ron"));
        std::fs::write(&path, record.to_text().unwrap()).unwrap();
        let time = std::time::SystemTime::now() - std::time::Duration::from_secs(60 * age as u64);
        std::fs::File::options().append(true).open(&path).unwrap().set_modified(time).unwrap();
    }
    let names = |found: Vec<(PathBuf, MatchRecord)>| {
        found.into_iter().map(|(path, _)| path.file_stem().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(saved_matches(folder.path())), ["begun", "over", "played"]);
    assert_eq!(names(unfinished_matches(folder.path())), ["played", "begun"]);
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
fn between_people_both_agree_to_take_a_shot_back_and_a_bot_is_not_asked() {
    let mut app = app();
    begin(&mut app, nine_ball(["you", "another"]));
    let before = live(&app).game().hash();
    ask(&mut app, shot(vec2(1.0, 0.3), 1.0));
    ask(&mut app, MatchCommand::TakeBack);
    assert!(events(&mut app).iter().any(|event| matches!(event, MatchEvent::Refused(_))), "it rolls");
    play_on(&mut app);
    ask(&mut app, MatchCommand::TakeBack);
    assert!(live(&app).take_back_asked());
    ask(&mut app, MatchCommand::Answer(false));
    assert!(!live(&app).take_back_asked() && live(&app).game().hash() != before);
    ask(&mut app, MatchCommand::TakeBack);
    ask(&mut app, MatchCommand::Answer(true));
    assert_eq!(live(&app).game().hash(), before);
    let [seen, of_match] = places(&mut app);
    assert_eq!(seen, of_match);

    begin(&mut app, nine_ball(["you", "bot:recipe"]));
    let before = live(&app).game().hash();
    ask(&mut app, shot(vec2(1.0, 0.3), 1.0));
    play_on(&mut app);
    ask(&mut app, MatchCommand::TakeBack);
    assert!(live(&app).waits_for_person());
    assert_eq!(live(&app).game().hash(), before, "with all that the bot did in the meantime");
}

#[test]
fn a_match_goes_on_from_its_file_after_an_end_in_mid_shot() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = app();
    app.insert_resource(MatchFolder(Some(folder.path().to_owned())));
    begin(&mut app, nine_ball(["you", "another"]));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    ask(&mut app, shot(vec2(1.0, 0.05), 6.0));
    assert!(matches!(live(&app).phase(), Phase::Rolling(_)));
    let saved = saved_matches(folder.path());
    let [(path, record)] = &saved[..] else { panic!("{saved:?}") };
    // The same shot played to its end, for comparison.
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(60));
    play_on(&mut app);
    assert_eq!(live(&app).departures(), 0);
    let (hash, [seen, _]) = (live(&app).game().hash(), places(&mut app));

    let mut again = self::app();
    let beginning = Beginning::resume(record, Some(path.clone())).unwrap();
    ask(&mut again, MatchCommand::Begin(Box::new(beginning)));
    assert_eq!(live(&again).game().hash(), hash);
    let [seen_again, of_match] = places(&mut again);
    let to_lie_in_hand = |mut places: Vec<Option<Vec2>>| {
        places[0] = None;
        places
    };
    assert_eq!(to_lie_in_hand(seen_again.clone()), to_lie_in_hand(seen));
    assert_eq!(seen_again, of_match);
    ask(&mut again, shot(Vec2::X, 1.0));
    assert_eq!(saved_matches(folder.path()).len(), 1, "in the same file");
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

/// Plays a match to its end between a bot and a person who follows the script.
fn play_to_the_end(spec: MatchSpec, mut script: impl FnMut(&Match) -> Action) -> (App, usize) {
    let mut app = app();
    begin(&mut app, spec);
    let mut acted = 0;
    for _ in 0..2000 {
        play_on(&mut app);
        if !live(&app).waits_for_person() {
            break;
        }
        let action = script(live(&app).game());
        ask(&mut app, MatchCommand::Act(action));
        acted += 1;
    }
    assert_eq!(live(&app).departures(), 0);
    assert!(live(&app).game().winner().is_some(), "it is over");
    let refused = events(&mut app).into_iter().find(|event| matches!(event, MatchEvent::Refused(_)));
    assert_eq!(refused, None);
    let record = live(&app).game().record();
    assert_eq!(Match::replay(&record).unwrap().hash(), live(&app).game().hash());
    (app, acted)
}

#[test]
fn a_frame_of_snooker_between_a_person_and_a_bot_is_played_to_its_end() {
    let options = crate::games::rules::Options::from_iter([("reds".to_owned(), 6.into())]);
    let players = ["you", "bot:recipe@0"].map(PlayerSpec::from);
    let spec = MatchSpec { game: "snooker".to_owned(), players, options, seed: 3, ..MatchSpec::default() };
    // A person who pots the straightest ball and plays on at every choice.
    let mut hand = crate::games::bot::player("bot:recipe@0").unwrap();
    let (app, acted) = play_to_the_end(spec, |game| {
        hand.consider(game.game_state());
        hand.think(1).unwrap()
    });
    let statistics = live(&app).game().statistics();
    assert!(acted > 2 && statistics.players.iter().all(|of| of.shots > 2), "{statistics:?}");
    assert!(statistics.players.iter().map(|of| of.potted).sum::<u32>() > 6, "{statistics:?}");
}

#[test]
fn a_match_of_three_cushion_between_a_person_and_a_bot_goes_to_its_points() {
    let options = crate::games::rules::Options::from_iter([("points".to_owned(), 1.into())]);
    let players = ["you", "bot:easy@1"].map(PlayerSpec::from);
    let spec = MatchSpec { game: "three-cushion".to_owned(), players, options, seed: 1, ..MatchSpec::default() };
    // A person who hits the red full, and has touching balls spotted.
    let (app, acted) = play_to_the_end(spec, |game| match game.turn() {
        Some((_, crate::games::rules::Task::Choose(choices))) => Action::Choose(choices[0]),
        Some((_, crate::games::rules::Task::Shoot(stroke))) => {
            let places = [stroke.cue_ball, BallId(2)].map(|ball| game.layout()[ball].on_table().unwrap());
            let direction = (places[1] - places[0]).as_dvec2();
            let strike = crate::billiards::cue::CueStrike { speed: 3.0, direction, ..default() };
            Action::Shoot { call: default(), strike }
        }
        _ => Action::Concede,
    });
    let statistics = live(&app).game().statistics();
    assert!(acted > 0 && statistics.players.iter().any(|of| of.points >= 1), "{statistics:?}");
}

/// Everything visible about the balls.
fn seen(app: &App) -> Vec<(Option<Position>, bool, Option<InPocket>)> {
    let ball = |&ball: &Entity| {
        let ball = app.world().entity(ball);
        let is_aside = ball.contains::<bevy::ecs::entity_disabling::Disabled>();
        (ball.get().copied(), is_aside, ball.get().copied())
    };
    live(app).things.balls.iter().map(ball).collect()
}

#[test]
fn a_shot_is_looked_at_again_and_the_match_is_bit_identical_afterwards() {
    let mut app = app();
    begin(&mut app, MatchSpec { shot_clock: Some(60.0), ..nine_ball(["you", "another"]) });
    ask(&mut app, shot(vec2(1.0, 0.02), 7.0));
    play_on(&mut app);
    ask(&mut app, shot(vec2(0.4, 0.7), 3.0));
    play_on(&mut app);
    let shots = live(&app).game().shots().to_vec();
    assert_eq!(shots.len(), 2);
    assert_eq!(shots[0].player, Player(0));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.update();
    let (hash, log) = (live(&app).game().hash(), live(&app).game().log().len());
    let (before, clock) = (seen(&app), live(&app).clock());
    ask(&mut app, MatchCommand::Look(Look::Shot(0)));
    let now = live(&app).look_back().unwrap();
    assert!(now.is_playing() && now.film().seconds() > 2.0);
    assert!(!live(&app).waits_for_person() && live(&app).is_held());
    assert_eq!(places(&mut app)[0], shots[0].before.0.iter().map(|place| place.on_table()).collect::<Vec<_>>());
    let tick = app.world().resource::<crate::collision::PhysicsSpace>().clock.tick;
    for _ in 0..240 {
        app.update();
    }
    let now = live(&app).look_back().unwrap();
    assert!((now.time() - 241.0 / 120.0 * LookBack::SPEED).abs() < 1e-3, "{}", now.time());
    assert_eq!(app.world().resource::<crate::collision::PhysicsSpace>().clock.tick, tick, "no tick runs");
    let wanted = now.film().layout(now.time() - LookBack::SPEED / 120.0);
    let wanted: Vec<_> = wanted.0.iter().map(|place| place.on_table()).collect();
    assert_eq!(places(&mut app)[0], wanted);
    // From any moment, at any speed, any number of times.
    for (look, time) in [(Look::Play(false), None), (Look::Seek(1.25), Some(1.25)), (Look::Seek(1e9), Some(-1.0))] {
        ask(&mut app, MatchCommand::Look(look));
        let now = live(&app).look_back().unwrap();
        assert!(!now.is_playing());
        if let Some(time) = time {
            assert_eq!(now.time(), if time < 0.0 { now.film().seconds() } else { time });
        }
    }
    ask(&mut app, MatchCommand::Look(Look::Shot(1)));
    ask(&mut app, MatchCommand::Look(Look::Speed(1.0)));
    assert_eq!((live(&app).look_back().unwrap().shot(), live(&app).look_back().unwrap().speed()), (1, 1.0));
    // Other commands are refused meanwhile.
    events(&mut app);
    for command in [shot(Vec2::X, 2.0), MatchCommand::Act(Action::Concede), MatchCommand::TakeBack, MatchCommand::GoOn]
    {
        ask(&mut app, command);
        assert!(matches!(&events(&mut app)[..], [MatchEvent::Refused(_)]));
    }
    ask(&mut app, MatchCommand::Look(Look::Shot(2)));
    assert!(matches!(&events(&mut app)[..], [MatchEvent::Refused(Refusal::NoSuchShot)]));
    assert_eq!((live(&app).game().hash(), live(&app).game().log().len()), (hash, log));
    ask(&mut app, MatchCommand::Look(Look::Present));
    assert!(live(&app).look_back().is_none());
    assert_eq!((live(&app).game().hash(), live(&app).game().log().len()), (hash, log));
    assert_eq!(seen(&app), before);
    assert!((live(&app).clock().unwrap() - clock.unwrap()).abs() < 0.05, "the clock stood");
    // The match continues unchanged.
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(60));
    ask(&mut app, shot(vec2(-0.3, 0.6), 3.0));
    play_on(&mut app);
    assert_eq!(live(&app).departures(), 0);
    assert!(live(&app).game().shots().len() == 3);
    assert_eq!(Match::replay(&live(&app).game().record()).unwrap().shots(), live(&app).game().shots());
}

#[test]
fn a_match_that_is_over_can_be_looked_back_at_and_a_bot_waits() {
    let mut app = app();
    begin(&mut app, nine_ball(["bot:recipe", "bot:recipe"]));
    // No replay while balls roll.
    for _ in 0..20_000 {
        if matches!(live(&app).phase(), Phase::Rolling(_)) && !live(&app).game().shots().is_empty() {
            break;
        }
        app.update();
    }
    events(&mut app);
    ask(&mut app, MatchCommand::Look(Look::Shot(0)));
    assert!(events(&mut app).contains(&MatchEvent::Refused(Refusal::BallsRoll)));
    for _ in 0..20_000 {
        if matches!(live(&app).phase(), Phase::Thinking) {
            break;
        }
        app.update();
    }
    if matches!(live(&app).phase(), Phase::Thinking) {
        ask(&mut app, MatchCommand::Look(Look::Shot(0)));
        let log = live(&app).game().log().len();
        for _ in 0..200 {
            app.update();
        }
        assert_eq!(live(&app).game().log().len(), log, "the bot waits");
        ask(&mut app, MatchCommand::Look(Look::Present));
    }
    play_on(&mut app);
    assert!(matches!(live(&app).phase(), Phase::Over));
    let (hash, before) = (live(&app).game().hash(), seen(&app));
    for shot in 0..live(&app).game().shots().len() {
        ask(&mut app, MatchCommand::Look(Look::Shot(shot)));
        app.update();
    }
    ask(&mut app, MatchCommand::Look(Look::Present));
    assert_eq!((live(&app).game().hash(), seen(&app), live(&app).departures()), (hash, before, 0));
    assert!(matches!(live(&app).phase(), Phase::Over));
    // Another match or another scene during a replay: the clock resumes.
    let is_paused = |app: &App| app.world().resource::<Time<Virtual>>().is_paused();
    ask(&mut app, MatchCommand::Look(Look::Shot(0)));
    assert!(is_paused(&app));
    begin(&mut app, nine_ball(["you", "another"]));
    assert!(!is_paused(&app) && live(&app).waits_for_person());
    ask(&mut app, shot(vec2(1.0, 0.02), 7.0));
    play_on(&mut app);
    ask(&mut app, MatchCommand::Look(Look::Shot(0)));
    app.world_mut().write_message(SceneCommand::Restart);
    app.update();
    app.update();
    assert!(!is_paused(&app) && live(&app).look_back().is_none());
    let [seen_now, of_match] = places(&mut app);
    assert_eq!(seen_now, of_match);
    ask(&mut app, MatchCommand::Look(Look::Shot(0)));
    app.world_mut().write_message(SceneCommand::Load(SceneSource::Shipped("cradle")));
    app.update();
    app.update();
    assert!(!is_paused(&app) && !app.world().contains_resource::<CurrentMatch>());
}

#[test]
fn a_match_of_a_game_of_ones_own_goes_on_with_players_of_ones_own() {
    /// Practice under another name, without a shipped table.
    const OWN: crate::games::rules::Game =
        crate::games::rules::Game { name: "own", title: "Own", tables: &[], ..crate::games::rulebooks::practice::GAME };
    let table = Match::new(MatchSpec::default()).unwrap().table().clone();
    let spec = MatchSpec { game: OWN.name.to_owned(), players: ["Ada", "bot:mine"].map(PlayerSpec::from), ..default() };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("own.ron");
    let seats = || [Seat::Person, Seat::thinking(crate::games::bot::player("bot:beginner").unwrap())];
    let mut app = app();
    let begun = Beginning::with_seats(Match::on_table(spec, &OWN, table.clone()).unwrap(), seats()).kept_in(&file);
    app.world_mut().write_message(MatchCommand::Begin(Box::new(begun)));
    app.update();
    ask(&mut app, shot(vec2(1.0, 0.05), 3.0));
    play_on(&mut app);
    let hash = live(&app).game().hash();
    let record = MatchRecord::parse(&std::fs::read_to_string(&file).unwrap(), "own.ron").unwrap();
    let replayed = Match::replay_on(&record, &OWN, table).unwrap();
    assert_eq!((replayed.hash(), record.log.is_empty()), (hash, false));
    let goes_on = Beginning::with_seats(replayed, seats());
    assert_eq!((&goes_on.file, goes_on.keep), (&None, true));
    let goes_on = goes_on.unkept();
    app.world_mut().write_message(MatchCommand::Begin(Box::new(goes_on)));
    app.update();
    assert!(live(&app).waits_for_person() && live(&app).game().hash() == hash && live(&app).file().is_none());
}

#[test]
fn a_shot_is_taken_back_while_the_bot_stands_at_the_table() {
    let mut app = app();
    app.insert_resource(MatchSettings::default()).insert_resource(TimeUpdateStrategy::FixedTimesteps(6));
    begin(&mut app, nine_ball(["you", "bot:recipe"]));
    let [before, _] = places(&mut app);
    ask(&mut app, shot(vec2(1.0, 0.3), 0.3));
    for _ in 0..20_000 {
        if matches!(live(&app).phase(), Phase::Acting(_)) {
            break;
        }
        app.update();
    }
    assert!(matches!(live(&app).phase(), Phase::Acting(_)), "{:?}", live(&app).phase());
    events(&mut app);
    ask(&mut app, MatchCommand::TakeBack);
    let told = events(&mut app);
    assert!(matches!(&told[..], [MatchEvent::Done(Action::TakeBack, _), ..]), "{told:?}");
    assert!(live(&app).waits_for_person() && live(&app).stance().is_none());
    let [seen, of_match] = places(&mut app);
    assert_eq!(seen, before);
    assert_eq!(seen, of_match);
    for _ in 0..200 {
        app.update();
    }
    assert!(live(&app).waits_for_person(), "the bot does nothing any more");
}

/// Starts a match between two people on a custom table.
fn own(spec: MatchSpec, game: &'static Game, table: Arc<GameTable>) -> MatchCommand {
    let game = Match::on_table(spec, game, table).unwrap();
    MatchCommand::Begin(Box::new(Beginning::with_seats(game, [Seat::Person, Seat::Person]).unkept()))
}

#[test]
fn in_a_game_for_one_nobody_is_asked_to_take_a_shot_back() {
    const ALONE: Game = Game { name: "alone", tables: &[], ..practice::GAME };
    let table = Match::new(MatchSpec::default()).unwrap().table().clone();
    let mut app = app();
    ask(&mut app, own(MatchSpec { game: ALONE.name.to_owned(), ..default() }, &ALONE, table));
    ask(&mut app, shot(vec2(-1.0, 0.1), 0.5));
    play_on(&mut app);
    ask(&mut app, MatchCommand::TakeBack);
    assert!(!live(&app).take_back_asked() && live(&app).game().shots().is_empty());
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

/// The three-cushion table with another cloth.
fn carom_table(change: impl FnOnce(&mut ClothSpec)) -> Arc<GameTable> {
    let mut spec = ShippedTable::named("carom-10ft").unwrap().spec().unwrap();
    change(&mut spec.cloth);
    Arc::new(GameTable::new(spec).unwrap())
}

/// Plays a shot in practice with three balls, `ticks` per frame. Returns the number of frames until the verdict, and
/// the number of ticks that the simulator ran.
fn frames_of_shot(app: &mut App, table: Arc<GameTable>, strike: CueStrike, ticks: u32) -> (u32, u32) {
    ask(app, own(MatchSpec::default(), Game::named("practice").unwrap(), table));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(ticks));
    ask(app, MatchCommand::Act(Action::Shoot { call: default(), strike }));
    let frames = (0..1000).take_while(|_| {
        app.update();
        matches!(live(app).phase(), Phase::Rolling(_))
    });
    let frames = frames.count() as u32;
    assert!(live(app).waits_for_person(), "{:?}", live(app).phase());
    assert_eq!(live(app).departures(), 0);
    let game = live(app).game();
    (frames, (game.shots()[0].film(game).seconds() * 120.0).round() as u32)
}

#[test]
fn a_shot_on_a_table_without_rolling_friction_ends_when_the_simulator_ends_it() {
    let table = carom_table(|cloth| cloth.rolling = 0.0);
    let strike = CueStrike { speed: 0.05, direction: DVec2::new(-1.0, 0.3), ..default() };
    // Bevy's clock drops more than 30 per frame.
    let (frames, ticks) = frames_of_shot(&mut app(), table, strike, 30);
    assert_eq!(ticks, 120 * 120);
    assert!(frames.abs_diff(ticks / 30) <= 1, "{frames} frames");
}

#[test]
fn a_ball_that_only_turns_in_its_place_keeps_nobody_waiting() {
    let table = carom_table(|cloth| cloth.spin_deceleration = 1.0);
    let strike = CueStrike { speed: 0.5, direction: DVec2::new(-1.0, 0.3), side: 0.4, ..default() };
    let (frames, ticks) = frames_of_shot(&mut app(), table, strike, 1);
    assert!(frames.abs_diff(ticks) <= 2, "{frames} frames of a tick, and {ticks} ticks in the simulator");
}
