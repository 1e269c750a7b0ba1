//! `carom drill`, run as from a terminal.

use serde_json::Value;

use crate::support::Folder;

fn json(folder: &Folder, arguments: &str) -> Value {
    let output = folder.run(&format!("drill {arguments} --json -"));
    assert!(output.status.success(), "{arguments}: {output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn drills_are_listed_and_shown_with_their_sources() {
    let folder = Folder::new();
    let list = json(&folder, "");
    assert!(list.as_array().unwrap().len() >= 12, "{list}");
    let said = String::from_utf8(folder.run("drill lag").stdout).unwrap();
    assert!(
        said.contains("World Pool-Billiard Association") && said.contains("cue ball in hand behind the head string"),
        "{said}"
    );
    let shown = json(&folder, "stop-shot --table pool-8ft");
    // The 1 is two diamonds, a quarter of the length of 92 inches, from the middle.
    let ball = &shown["positions"][0]["balls"][1];
    assert!(ball[0] == "1" && (ball[1][0].as_f64().unwrap() - 2.3368 / 4.0).abs() < 1e-6, "{shown}");
}

#[test]
fn a_straight_shot_pots_and_a_shot_beside_it_is_explained() {
    let folder = Folder::new();
    // The 1 lies on the line from the cue ball at 45 degrees to the middle of the pocket.
    let played = json(&folder, "stop-shot --strike 2.2,45,0,-0.2 --strike 2.2,46.5 --strike 1,200");
    let shots = played["shots"].as_array().unwrap();
    assert!(shots[0]["points"].as_i64().unwrap() >= 1, "{played}");
    assert_eq!((&shots[1]["points"], &shots[1]["attempt"]), (&0.into(), &2.into()), "{played}");
    assert_eq!(shots[1]["why"][0], "The 1 was not potted.");
    let fault = shots[1]["fault"].as_str().unwrap();
    assert!(fault.starts_with("the aim was ") && fault.ends_with("° too far left"), "{fault}");
    assert_eq!((&played["finished"], &played["passed"]), (&false.into(), &false.into()));
}

#[test]
fn a_bot_plays_a_drill_to_its_end_the_same_way_each_time() {
    let folder = Folder::new();
    let play = || json(&folder, "rail-cuts --player bot:recipe --seed 3");
    let played = play();
    assert_eq!((&played["finished"], played["shots"].as_array().unwrap().len()), (&true.into(), 10));
    assert_eq!(play(), played);
}

#[test]
fn results_are_summed_up_and_damaged_lines_are_left_out() {
    let folder = Folder::new();
    let line = |at: u64, score: i32| {
        format!("(at:{at},drill:\"lag\",table:\"Pool, 9 ft\",attempts:10,score:{score},pass:15)\n")
    };
    let text = [line(951_782_400, 11), "(at:\n".to_owned(), line(951_868_800, 16)].concat();
    folder.write("results.ron", &text);
    let all = json(&folder, "--statistics --progress results.ron");
    assert_eq!((&all[0]["times"], &all[0]["passed"], &all[0]["best"]), (&2.into(), &1.into(), &16.into()));
    let days = json(&folder, "lag --statistics --progress results.ron");
    assert_eq!((&days[0]["day"], &days[1]["day"]), (&"2000-02-29".into(), &"2000-03-01".into()));
}

#[test]
fn what_cannot_be_done_is_explained_in_a_line() {
    let folder = Folder::new();
    folder.write("mine.ron", "(title: \"Mine\", tables: [\"pool-9ft\"])");
    for (arguments, expected) in [
        ("drill lug", "there is no drill `lug`; the drills are stop-shot"),
        ("drill mine.ron", "mine.ron:1:"),
        ("drill gone.ron", "gone.ron: cannot be read"),
        ("drill lag --table pool", "there is no table `pool`"),
        ("drill line-up --table pool-9ft", "its tables are snooker-12ft"),
        ("drill lag --strike 3", "--strike 3: give a speed"),
        ("drill lag --strike 3,0,0.9,0", "--strike, number 1: "),
        ("drill lag --strike 3,0 --place here", "--place here: give two numbers"),
        ("drill lag --strike 3,0 --place 0.5,0", "--place 0.5,0: "),
        ("drill stop-shot --strike 3,0 --place 0.5,0", "--place 0.5,0: the cue ball is not in hand"),
        ("drill lug --statistics --progress gone.txt", "there is no drill `lug`"),
        ("drill lag --player bot:god", "there is no player `bot:god`"),
        ("drill lag --player bot:easy --strike 3,0", "cannot be used with"),
    ] {
        let said = folder.rejected(arguments);
        assert!(said.contains(expected), "{arguments}: {said}");
    }
}

#[test]
fn a_position_and_a_shot_are_drawn_with_numbers_and_targets() {
    let folder = Folder::new();
    let draw = |arguments: &str| {
        let output = folder.run(&format!("drill {arguments} --svg -"));
        assert!(output.status.success(), "{arguments}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let position = draw("wagon-wheel");
    // The number of the ball, the points of the target, no stroke.
    assert!(position.starts_with("<svg") && position.contains(">\n1\n<") && position.contains(">\n2\n<"), "{position}");
    assert!(!position.contains("Speed:") && !position.contains("stroke-dasharray"));
    let shot = draw("wagon-wheel --strike 2.5,62.1,0,0.2");
    assert!(shot.contains("Speed: 2.50 m/s. Direction: 62.10°."), "{shot}");
    assert!(shot.contains("Side: 0.00 R. Top: 0.20 R. Elevation: ") && shot.contains("stroke-dasharray"), "{shot}");
}

#[test]
fn a_shot_of_a_saved_match_is_drawn() {
    let folder = Folder::new();
    let played = folder.run("play --game nine-ball --players bot:recipe,bot:recipe --save match.ron --quiet");
    assert!(played.status.success(), "{played:?}");
    let drawn = folder.run("replay match.ron --svg - --shot 1");
    let svg = String::from_utf8(drawn.stdout).unwrap();
    assert!(drawn.status.success() && svg.contains("Speed: ") && svg.contains(">\n9\n<"), "{svg}");
    let none = folder.run("replay match.ron --svg - --shot 9999");
    let said = String::from_utf8(none.stderr).unwrap();
    assert!(none.status.code() == Some(2) && said.contains("there is no shot 9999; give 1 to "), "{said}");
}

#[test]
fn finished_matches_are_summed_up_by_bot() {
    let folder = Folder::new();
    folder.write("results.ron", "(at: 1\n");
    let output = folder.run("play --statistics --results results.ron");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "no match against a bot was played to its end\n");
    assert!(String::from_utf8(output.stderr).unwrap().contains("damaged lines left out: 1"));
}
