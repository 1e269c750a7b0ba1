//! Positions as drills, shots as links, custom drills, and the results of matches.

use super::*;
use crate::{
    components::Disc,
    games::{
        LinkedMatch,
        drills::{LaidDrill, OwnDrills, shipped},
    },
    link::Link,
    scene::{self, DiscEntry, DiscLook},
};

/// A scene on a shipped table with these balls, metres.
fn scene(table: &str, balls: &[(BallName, Vec2)]) -> App {
    let mut app = app();
    let spec = ShippedTable::named(table).unwrap().spec().unwrap();
    let discs = balls.iter().map(|&(name, place)| DiscEntry::of_ball(name, place, &spec)).collect();
    let file = scene::SceneFile { furniture: Some(table.to_owned()), discs, ..default() };
    scene::spawn(app.world_mut(), SceneSource::Shipped("position"), file).unwrap();
    app
}

#[test]
fn a_position_is_a_drill_with_the_same_places_bit_for_bit() {
    let touching = 2.0 * 0.028_575;
    let balls = [
        (BallName::Number(3), vec2(0.123_456_79, -0.2)),
        (BallName::Cue, vec2(-1.0 / 3.0, 0.07)),
        (BallName::Number(12), vec2(0.123_456_79 + touching, -0.2)),
    ];
    let mut app = scene("pool-9ft", &balls);
    let position = TablePosition::of_world(app.world_mut(), None).unwrap();
    assert_eq!((position.table_name.as_str(), position.cue_ball), ("pool-9ft", BallId(1)));
    let drill = position.drill("Mine");
    let text = drill.to_text().unwrap();
    assert!(text.contains("title: \"Mine\"") && text.contains("Number(12)"), "{text}");
    // In diamonds, the cue ball is at -1/3 m divided by an eighth of the length of the table.
    let Some(crate::games::drills::Place::At(x, _)) = drill.positions[0].balls.first().map(|ball| ball.1.clone())
    else {
        panic!("{drill:?}");
    };
    assert!((x + 8.0 / 3.0 / position.table.spec.length).abs() < 1e-6, "{x}");
    let laid = LaidDrill::new(&crate::games::drills::Drill::parse(&text, "mine").unwrap(), &position.table).unwrap();
    let places: Vec<(BallName, Vec2)> =
        laid.positions[0].layout.on_table().map(|(ball, place)| (laid.balls[ball.index()], place)).collect();
    assert_eq!(places, [balls[1], balls[0], balls[2]]);
    // It is one that can be played.
    assert!(Beginning::of(drill_spec(&drill).unwrap()).is_ok());
    assert!(Beginning::of(drill_text_spec(&text).unwrap()).is_ok());
}

#[test]
fn a_second_ball_with_a_number_gets_a_free_one() {
    let names = [BallName::Cue, BallName::Number(3), BallName::Number(3), BallName::Red, BallName::Red];
    let balls: Vec<_> = names.iter().zip(0_u8..).map(|(&name, i)| (name, vec2(0.1 * f32::from(i), 0.0))).collect();
    let position = TablePosition::of_world(scene("pool-9ft", &balls).world_mut(), None).unwrap();
    let given = [BallName::Cue, BallName::Number(3), BallName::Number(1), BallName::Red, BallName::Red];
    assert_eq!(position.balls, given);
    assert!(LaidDrill::new(&position.drill("Mine"), &position.table).is_ok());
}

#[test]
fn a_scene_without_a_table_a_ball_or_a_cue_ball_is_no_position() {
    let said = |app: &mut App| TablePosition::of_world(app.world_mut(), None).unwrap_err().to_string();
    assert!(said(&mut app()).contains("shipped billiard tables"));
    let mut without_cue = scene("pool-9ft", &[(BallName::Number(1), Vec2::ZERO)]);
    assert!(said(&mut without_cue).contains("no cue ball"));
    let disc = without_cue.world_mut().query_filtered::<Entity, With<Disc>>().single(without_cue.world()).unwrap();
    without_cue.world_mut().entity_mut(disc).remove::<(DiscLook, Ball)>();
    assert!(said(&mut without_cue).contains("is not a ball"));
}

#[test]
fn a_ball_without_a_name_gets_the_next_free_number() {
    let balls = [(BallName::Cue, vec2(-0.5, 0.0)), (BallName::Number(1), Vec2::ZERO), (BallName::Number(7), Vec2::X)];
    let mut app = scene("pool-9ft", &balls);
    let mut looks = app.world_mut().query_filtered::<&mut DiscLook, With<Ball>>();
    for mut look in looks.iter_mut(app.world_mut()).filter(|look| look.number == Some(7)) {
        look.number = None;
    }
    let position = TablePosition::of_world(app.world_mut(), None).unwrap();
    assert_eq!(position.balls, [BallName::Cue, BallName::Number(1), BallName::Number(2)]);
}

#[test]
fn a_shot_of_a_match_is_a_link_that_plays_it_from_the_same_position() {
    let mut app = app();
    begin(&mut app, MatchSpec { game: "practice".to_owned(), ..default() });
    ask(&mut app, shot(vec2(1.0, 0.01), 6.0));
    play_on(&mut app);
    let game = live(&app).game();
    let first = &game.shots()[0];
    let position = TablePosition::of_shot(game, first).unwrap();
    let Action::Shoot { strike, .. } = first.action else { panic!("{:?}", first.action) };
    let link = position.link("A shot", strike, game.spec().cue).unwrap();
    let LinkedMatch { game: linked, departure } = LinkedMatch::of(&Link::read(&link).unwrap()).unwrap();
    assert_eq!((departure, linked.shots().len()), (None, 1));
    let again = &linked.shots()[0];
    assert_eq!((again.action, again.potted.len()), (first.action, first.potted.len()));
    assert_eq!(again.before[again.cue_ball], first.before[first.cue_ball]);
    // The present position is another one by now.
    let now = TablePosition::of_world(app.world_mut(), None).unwrap();
    assert_ne!(now.layout, position.layout);
}

#[test]
fn a_shot_of_a_drill_has_the_targets_of_its_position() {
    let mut app = app();
    let options = [("drill".to_owned(), "wagon-wheel".into())].into_iter().collect();
    begin(&mut app, MatchSpec { game: "drill".to_owned(), options, ..default() });
    for _ in 0..2 {
        ask(&mut app, shot(vec2(-1.0, -0.3), 0.4));
        play_on(&mut app);
    }
    let game = live(&app).game();
    let (_, drill) = shipped().iter().find(|(name, _)| *name == "wagon-wheel").unwrap();
    let laid = LaidDrill::new(drill, game.table()).unwrap();
    let targets = |number: usize| TablePosition::of_shot(game, &game.shots()[number]).unwrap().targets;
    // All positions of this drill have the same balls, so the first one is found.
    assert_eq!(targets(0), laid.positions[0].targets);
    assert_eq!(TablePosition::of_world(app.world_mut(), None).unwrap().targets, laid.positions[2].targets);
}

#[test]
fn custom_drills_are_read_with_the_folder_of_matches() {
    let folder = tempfile::tempdir().unwrap();
    let matches = folder.path().join("matches");
    let mut mine = shipped()[0].1.clone();
    mine.title = "Mine".to_owned();
    OwnDrills::add(&OwnDrills::folder_beside(&matches), &mine).unwrap();
    let mut app = app();
    app.insert_resource(MatchFolder(Some(matches)));
    app.update();
    let own = &app.world().resource::<CustomDrills>().drills;
    assert_eq!((own.len(), &own[0].drill), (1, &mine));
}

#[test]
fn the_result_of_a_match_is_kept_once_and_a_drill_has_none() {
    let folder = tempfile::tempdir().unwrap();
    let matches = folder.path().join("matches");
    let mut app = app();
    app.insert_resource(MatchFolder(Some(matches.clone())));
    begin(&mut app, nine_ball(["You", "bot:recipe"]));
    ask(&mut app, MatchCommand::Act(Action::Concede));
    play_on(&mut app);
    let kept = crate::games::MatchResults::read(&crate::games::MatchResults::file_beside(&matches)).unwrap();
    assert_eq!((kept.results.len(), kept.results[0].winner), (1, Player(1)));
    assert_eq!(app.world().resource::<KeptResults>().0, kept);
    // The same match, opened again.
    let record = live(&app).game().record();
    let again = Beginning::resume(&record, None).unwrap();
    ask(&mut app, MatchCommand::Begin(Box::new(again)));
    app.update();
    assert_eq!(app.world().resource::<KeptResults>().results.len(), 1);
}
