//! Programs that answer, and programs that fail to.

use super::*;
use crate::games::{
    matches::{Match, MatchSpec},
    rules::Refusal,
};

fn begun(game: &str) -> Match {
    Match::new(MatchSpec { game: game.to_owned(), ..MatchSpec::default() }).unwrap()
}

fn answer(command: &str) -> (Action, External) {
    let mut bot = External::new("a program", command).with_time_limit(Duration::from_millis(700));
    bot.consider(begun("practice").game_state());
    (answered(&mut bot), bot)
}

fn answered(bot: &mut External) -> Action {
    loop {
        if let Some(action) = bot.think(1) {
            return action;
        }
    }
}

#[test]
fn any_command_line_of_the_shell_is_a_program() {
    for command in [
        r#"PLACE='{"Place":[0.25,-0.5]}' sh -c 'read line; echo "$PLACE"'"#,
        r#"cd / && read line && echo '{"Place":[0.25,-0.5]}'"#,
        r#"read line; if [ -n "$line" ]; then echo '{"Place":[0.25,-0.5]}'; fi"#,
    ] {
        let (action, bot) = answer(command);
        assert_eq!(action, Action::Place(bevy::math::Vec2::new(0.25, -0.5)), "{command}: {bot:?}");
    }
}

#[test]
fn all_that_a_program_has_started_ends_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    // Both the background job and the foreground job of the shell hold the pipe open.
    let command = format!("exec 3> {}; sleep 600 & echo '\"Pass\"'; sleep 600", pipe.display());
    let (ended, is_ended) = channel();
    thread::spawn(move || {
        let read = std::fs::File::open(pipe).and_then(|mut pipe| std::io::copy(&mut pipe, &mut std::io::sink()));
        ended.send(read.is_ok())
    });
    let (action, bot) = answer(&command);
    assert!(action == Action::Pass && bot.complaint().is_none(), "{bot:?}");
    assert!(is_ended.try_recv().is_err(), "it continues until the next question");
    drop(bot);
    assert_eq!(is_ended.recv_timeout(Duration::from_secs(10)), Ok(true));
}

#[test]
fn a_late_answer_is_none_to_the_next_question() {
    let command = r#"while read line; do
        sleep 0.3
        case "$line" in *practice*) echo '{"Place":[1,0]}';; *) echo '{"Place":[2,0]}';; esac
    done"#;
    let mut bot = External::new("a program", command);
    bot.consider(begun("practice").game_state());
    assert_eq!(bot.think(1), None);
    // As after the shot clock of the match has run out.
    bot.consider(begun("snooker").game_state());
    for x in [2.0, 1.0, 2.0] {
        assert_eq!(answered(&mut bot), Action::Place(bevy::math::Vec2::new(x, 0.0)));
        bot.consider(begun(if x == 2.0 { "practice" } else { "snooker" }).game_state());
    }
}

#[test]
fn a_program_is_asked_in_a_line_and_answers_in_one() {
    let (action, bot) =
        answer(r#"sh -c 'read line; case "$line" in *shoot*cue_ball*) echo "{\"Place\":[0.25,-0.5]}";; esac; cat'"#);
    assert_eq!(action, Action::Place(bevy::math::Vec2::new(0.25, -0.5)), "{bot:?}");
}

#[test]
fn a_stroke_may_leave_out_what_it_does_not_need() {
    let (action, _) = answer(r#"echo '{"Shoot":{"strike":{"speed":2,"direction":[0,1]}}}'"#);
    let Action::Shoot { call, strike } = action else { panic!("{action:?}") };
    assert_eq!((call, strike.speed, strike.side), (crate::games::rules::Call::default(), 2.0, 0.0));
}

#[test]
fn one_that_hangs_or_talks_nonsense_or_is_not_there_loses_its_turn() {
    for (command, why) in [
        ("sleep 60", "no answer within 0.7 s"),
        ("echo I would rather not", "`I would rather not`, which is not a valid action"),
        ("true", "cannot be started, or ends before it answers"),
        ("/nowhere/bot 2>/dev/null", "cannot be started"),
        (r#"echo '{"Shoot":{"strike":{"direction":[0,1]}}}'"#, "its `strike` has no `speed`"),
        (r#"echo '{"Shoot":{"strike":{"speed":2}}}'"#, "its `strike` has no `direction`"),
        (r#"echo '{"Shoot":{"strike":{"speed":2,"direction":[0,0]}}}'"#, "give a vector of non-zero length"),
        (r#"echo '{"Shoot":{"strike":{"speed":2,"direction":[1e400,0]}}}'"#, "out of range"),
        ("yes a; true", "which is not a valid action"),
        ("head -c 1000000000 /dev/zero", "longer than 65536 bytes"),
        ("sh -c 'exec <&-; sleep 60'", "no answer within 0.7 s"),
        ("read line; kill -9 $$", "it has ended, signal: 9"),
    ] {
        let begin = Instant::now();
        let (action, bot) = answer(command);
        assert_eq!(action, Action::Pass, "{command}");
        let complaint = bot.complaint().unwrap();
        assert!(complaint.why.contains(why), "{command}: {complaint:?}");
        assert_eq!(complaint.is_hopeless, complaint.why.contains("it has ended"), "{command}");
        assert!(begin.elapsed() < Duration::from_secs(5), "{command}");
    }
}

#[test]
fn one_that_asks_to_take_a_shot_back_loses_its_turn() {
    let mut playing = begun("practice");
    playing.apply(Action::Pass).unwrap();
    let (answer, _) = answer("echo '\"TakeBack\"'");
    let answered = playing.apply_answer(answer).unwrap();
    assert_eq!((answered.action, answered.refused), (Action::Pass, Some(Refusal::OnlyPeopleTakeBack)));
    assert_eq!(playing.shots().len(), 2);
}

#[test]
fn a_direction_may_have_any_length() {
    for direction in ["[0,1e308]", "[0,1e-320]", "[0,-1e-320]", "[1.7e308,1.7e308]"] {
        let (action, _) = answer(&format!(r#"echo '{{"Shoot":{{"strike":{{"speed":2,"direction":{direction}}}}}}}'"#));
        let Action::Shoot { strike, .. } = action else { panic!("{direction}: {action:?}") };
        assert!((strike.direction.length() - 1.0).abs() < 1e-12, "{direction}: {strike:?}");
    }
}

/// A program that saves its question in a file and then gives `answer`.
fn asked_about(state: GameState, answer: &str) -> (serde_json::Value, Action) {
    let file = tempfile::NamedTempFile::new().unwrap();
    let path = file.path().display();
    let mut bot =
        External::new("a program", format!("sh -c 'read line; echo \"$line\" > {path}; echo \"$0\"' '{answer}'"));
    bot.consider(state);
    let action = answered(&mut bot);
    (serde_json::from_str(&std::fs::read_to_string(file.path()).unwrap()).unwrap(), action)
}

#[test]
fn it_is_told_all_that_it_takes_to_play_by_the_rules() {
    let mut playing = begun("eight-ball");
    // Whatever happens in the break, sooner or later a ball and a pocket have to be called.
    let call = loop {
        let (said, _) = asked_about(playing.game_state(), "nothing");
        if said["shoot"]["call"] == "ball and pocket" {
            break said;
        }
        playing.apply(Action::Pass).unwrap();
    };
    let may_call: Vec<u64> =
        call["shoot"]["may_call"].as_array().unwrap().iter().filter_map(serde_json::Value::as_u64).collect();
    assert!(!may_call.contains(&8) && !may_call.contains(&0), "{may_call:?}");
    assert_eq!((&call["shoot"]["is_free_ball"], &call["flat"]), (&false.into(), &false.into()));
    assert!(call["head_string"].as_f64().unwrap() < 0.0 && call["notes"][0].is_array());
    let (snooker, _) = asked_about(begun("snooker").game_state(), "nothing");
    assert_eq!((&snooker["shoot"]["in_hand"], &snooker["break"]), (&"D".into(), &0.into()));
    assert!(snooker["baulk"]["radius"].as_f64().unwrap() > 0.2 && snooker["spots"]["pink"][0].is_number());
    let points = |question: &serde_json::Value| {
        let of = question["balls"].as_array().unwrap().iter().map(|ball| ball["points"].as_i64().unwrap());
        of.max().unwrap()
    };
    assert_eq!((points(&snooker), points(&call)), (7, 1));
    let (curling, _) = asked_about(begun("curling").game_state(), "nothing");
    assert_eq!((points(&curling), &curling["game"]), (1, &"curling".into()));
    assert_eq!((&curling["flat"], curling["circles"].as_array().unwrap().len()), (&true.into(), 4));
    assert!(curling["lines"]["hog"].is_number() && curling["sliding"].as_f64().unwrap() < 0.1);
}

#[test]
fn its_cue_stands_in_no_ball_and_no_rail() {
    let mut playing = begun("nine-ball");
    playing.apply(Action::Place(bevy::math::vec2(-1.2, 0.0))).unwrap();
    let (_, action) = asked_about(playing.game_state(), r#"{"Shoot":{"strike":{"speed":2,"direction":[1,0]}}}"#);
    let Action::Shoot { strike, .. } = action else { panic!("{action:?}") };
    assert!(strike.elevation > 0.1 && strike.speed == 2.0, "{strike:?}");
    let (_, action) = asked_about(playing.game_state(), r#"{"Shoot":{"strike":{"speed":2,"direction":[-1,0]}}}"#);
    let Action::Shoot { strike, .. } = action else { panic!("{action:?}") };
    assert_eq!((strike.elevation, strike.speed), (0.0, 2.0));
}

#[test]
fn one_that_only_ever_places_the_ball_loses_its_turn() {
    let mut playing = begun("nine-ball");
    let mut bot = External::new("a program", r#"sh -c 'while read line; do echo "{\"Place\":[-1.0,0.1]}"; done'"#);
    let mut placed = 0;
    loop {
        bot.consider(playing.game_state());
        let action = answered(&mut bot);
        if action == Action::Pass {
            break;
        }
        assert!(matches!(action, Action::Place(_)), "{action:?}");
        playing.apply(action).unwrap();
        placed += 1;
    }
    assert!(placed == MOST_PREPARATIONS && bot.complaint().unwrap().why.contains("without a shot"), "{bot:?}");
}

#[test]
fn placements_count_only_until_its_turn_ends() {
    let mut playing = begun("practice");
    let mut bot = External::new("a program", r#"sh -c 'while read line; do echo "{\"Place\":[-1.0,0.1]}"; done'"#);
    for _ in 0..2 * MOST_PREPARATIONS {
        bot.consider(playing.game_state());
        let action = answered(&mut bot);
        assert!(matches!(action, Action::Place(_)), "{action:?}");
        // As when the shot clock runs out.
        playing.apply(Action::Pass).unwrap();
    }
}
