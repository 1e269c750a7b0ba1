//! Matches that continue from their files.

use super::*;

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
