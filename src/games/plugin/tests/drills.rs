//! Drills as matches: the balls return, and results are kept.

use super::*;
use crate::games::drills::{DrillResult, Progress, named};

fn drill(name: &str) -> MatchSpec {
    let options = [("drill".to_owned(), name.into())].into_iter().collect();
    MatchSpec { game: "drill".to_owned(), options, ..MatchSpec::default() }
}

#[test]
fn balls_return_after_each_attempt_and_the_result_is_kept_beside_the_matches() {
    let folder = tempfile::tempdir().unwrap();
    let matches = folder.path().join("matches");
    let path = Progress::file_beside(&matches);
    let earlier = DrillResult {
        at: 0,
        drill: "lag".to_owned(),
        table: "Pool, 9 ft".to_owned(),
        attempts: 10,
        score: 12,
        pass: 15,
    };
    Progress::add(&path, &earlier).unwrap();
    let mut app = app();
    app.insert_resource(MatchFolder(Some(matches)));
    begin(&mut app, drill("rail-cuts"));
    assert_eq!(app.world().resource::<DrillProgress>().results, std::slice::from_ref(&earlier));
    let drill = named("rail-cuts").unwrap();
    for _ in 0..drill.attempts {
        assert_eq!(app.world().resource::<DrillProgress>().results.len(), 1);
        // Away from the 1, so it misses.
        ask(&mut app, shot(vec2(-1.0, -0.3), 0.4));
        play_on(&mut app);
        assert_eq!(live(&app).departures(), 0);
        let [seen, of_match] = places(&mut app);
        assert_eq!(seen, of_match);
        assert!(seen.iter().all(Option::is_some), "both balls are back: {seen:?}");
    }
    let kept = Progress::read(&path).unwrap();
    let [first, last] = &kept.results[..] else { panic!("{kept:?}") };
    assert_eq!((first, last.drill.as_str(), last.score), (&earlier, "rail-cuts", 0));
    assert_eq!((last.attempts, last.pass, last.passed()), (drill.attempts, drill.pass, false));
    assert!(last.at > 1_700_000_000, "the time of the clock");
    assert_eq!(app.world().resource::<DrillProgress>().0, kept);
    // It starts again for the same person.
    assert!(live(&app).waits_for_person() && live(&app).game().score() == [0, 0]);
}

#[test]
fn a_drill_of_a_bot_is_not_kept() {
    let mut app = app();
    let players = ["bot:recipe@0", "bot:recipe@0"].map(PlayerSpec::from);
    begin(&mut app, MatchSpec { players, ..drill("rail-cuts") });
    for _ in 0..20_000 {
        if live(&app).game().rack() > 0 || matches!(live(&app).phase(), Phase::Over) {
            break;
        }
        app.update();
    }
    assert_eq!(live(&app).game().shots().len(), 10);
    assert!(app.world().resource::<DrillProgress>().results.is_empty());
}
