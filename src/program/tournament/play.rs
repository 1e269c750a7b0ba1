//! `carom play`: bots play a match or independent racks without a window.

use std::{path::PathBuf, time::Instant};

use super::{
    run::{Complaints, play_all},
    summary::{Summary, told_apart},
};
use crate::{
    games::{Match, MatchSpec, Player},
    program::{
        Ending,
        output::{Output, keep_apart, write_summary},
        progress::progress_bar,
    },
};

/// A match for bots to play.
#[derive(Clone, Debug)]
pub struct PlayRequest {
    /// The match.
    pub spec: MatchSpec,
    /// The number of independent racks, which may be played in parallel. None: the match as a whole.
    pub racks: Option<u32>,
    /// The number of racks played in parallel. None: one per core.
    pub threads: Option<usize>,
    /// The file for the result.
    pub json: Option<PathBuf>,
    /// The file for the match, or for the first rack.
    pub save: Option<PathBuf>,
    /// Whether to omit the progress bar and the summary.
    pub quiet: bool,
}

/// Plays the match or the racks, and writes the results.
///
/// # Errors
/// If the request is invalid, or a result cannot be written. The message is one line and names the remedy.
pub fn play(request: &PlayRequest) -> Result<Ending, String> {
    let json = Output::wanted("--json", request.json.as_deref())?;
    let save = Output::wanted("--save", request.save.as_deref())?;
    keep_apart(json.iter().chain(&save))?;
    let specs = specs(request);
    // The racks differ only in seed and first player, so checking the first suffices.
    Match::new(specs[0].clone())?;
    let begin = Instant::now();
    let bar = progress_bar(specs.len() as u64, "racks", request.quiet);
    let complaints = Complaints::new(told_apart(&request.spec.players), &bar);
    let played = play_all(&specs, request.racks.is_some(), request.threads, &complaints)?;
    bar.finish_and_clear();
    let summary = Summary::of(&request.spec, &played, begin.elapsed());
    if let Some(save) = &save {
        save.write(played[0].record.to_text().map_err(|error| error.to_string())?)?;
    }
    if let Some(json) = &json {
        json.write_json(&summary)?;
    }
    write_summary(summary.in_words(), request.quiet, json.iter().chain(&save))?;
    Ok(Ending::Whole)
}

/// The matches to play: one per rack if the racks are independent.
fn specs(request: &PlayRequest) -> Vec<MatchSpec> {
    let Some(racks) = request.racks else { return vec![request.spec.clone()] };
    let rack = |i: u32| MatchSpec {
        first: Player((i % 2) as u8),
        seed: request.spec.seed.wrapping_add(u64::from(i).wrapping_mul(0x9e37_79b9_7f4a_7c15)),
        ..request.spec.clone()
    };
    (0..racks).map(rack).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{
        games::{PlayerSpec, bot::Level},
        program::tournament::{LONGEST_STANDSTILL, run::Played},
    };

    fn request(players: [&str; 2], racks: u32, threads: usize) -> PlayRequest {
        let players = players.map(PlayerSpec::from);
        let spec = MatchSpec { game: "nine-ball".to_owned(), players, seed: 4, ..MatchSpec::default() };
        PlayRequest { spec, racks: Some(racks), threads: Some(threads), json: None, save: None, quiet: true }
    }

    fn play_quietly(request: &PlayRequest) -> Result<Vec<Played>, String> {
        let bar = progress_bar(0, "racks", request.quiet);
        let complaints = Complaints::new(told_apart(&request.spec.players), &bar);
        play_all(&specs(request), request.racks.is_some(), request.threads, &complaints)
    }

    fn summary_of(request: &PlayRequest) -> Summary {
        Summary::of(&request.spec, &play_quietly(request).unwrap(), Duration::from_secs(1))
    }

    #[test]
    fn racks_come_out_the_same_on_any_number_of_threads_and_replay() {
        let play = |threads| play_quietly(&request(["bot:easy@0.5", "bot:recipe"], 3, threads)).unwrap();
        let (alone, together) = (play(1), play(3));
        for (one, other) in alone.iter().zip(&together) {
            assert_eq!(one.record, other.record);
            assert!(!one.unfinished && one.racks == 1);
            assert_eq!(Match::replay(&one.record).unwrap().statistics(), one.statistics);
        }
        assert_eq!(alone[0].record.spec.first, Player(0));
        assert_eq!(alone[1].record.spec.first, Player(1));
    }

    /// Lets one level play racks of 9-ball against another, and returns how many each wins.
    fn duel(stronger: &str, weaker: &str, racks: u32) -> [u32; 2] {
        let players = [stronger, weaker].map(|level| format!("bot:{level}"));
        let mut request = request(players.each_ref().map(String::as_str), racks, 1);
        (request.spec.seed, request.threads) = (1, None);
        let won = summary_of(&request).statistics.players.map(|of| of.racks);
        println!("{stronger} against {weaker} {} : {}", won[0], won[1]);
        won
    }

    // Seeded, so the result is the same on every machine and changes only with the bots.
    #[test]
    fn easy_beats_beginner() {
        let [easy, beginner] = duel("easy", "beginner", 8);
        assert!(easy > beginner, "{easy} : {beginner}");
    }

    #[test]
    #[ignore = "takes minutes: cargo test --release --lib ladder -- --ignored --nocapture"]
    fn each_level_of_the_ladder_beats_the_one_below() {
        // The numbers of racks in the table of docs/src/bots.md. Levels whose bots think for long play fewer.
        let rungs = Level::ALL.windows(2).zip([40, 40, 20, 12]);
        let won: Vec<[u32; 2]> = rungs.map(|(levels, racks)| duel(levels[1].0, levels[0].0, racks)).collect();
        assert!(won.iter().all(|[stronger, weaker]| stronger > weaker), "{won:?}");
    }

    #[test]
    fn frames_of_snooker_and_games_of_three_cushion_and_curling_come_to_their_ends() {
        for (game, options, players) in [
            ("snooker", r#"{"reds": 6}"#, ["bot:recipe@0", "bot:recipe@0"]),
            ("three-cushion", r#"{"points": 1}"#, ["bot:easy@1", "bot:recipe"]),
            ("curling", r#"{"ends": 1, "stones": 2}"#, ["bot:beginner", "bot:beginner"]),
        ] {
            let mut request = request(players, 1, 1);
            request.spec.game = game.to_owned();
            request.spec.options = serde_json::from_str(options).unwrap();
            let played = play_quietly(&request).unwrap();
            assert!(!played[0].unfinished && played[0].racks == 1, "{game}");
            assert!(Match::replay(&played[0].record).unwrap().winner().is_some(), "{game}");
        }
    }

    #[test]
    fn what_cannot_be_played_is_said_before_it_begins() {
        let mut wrong = request(["bot:easy", "bot:easy"], 1, 1);
        wrong.spec.table = "billiards".to_owned();
        assert!(play(&wrong).unwrap_err().contains("pool-9ft"));
    }

    #[cfg(unix)]
    #[test]
    fn refused_answers_are_counted_and_a_program_that_never_answers_ends_the_run() {
        let nonsense = r#"exec:sh -c 'while read line; do echo "{\"Choose\":\"PlayOn\"}"; done'"#;
        let mut request = request([nonsense, "bot:recipe@0"], 1, 1);
        request.spec.options = serde_json::from_str(r#"{"push_out": false}"#).unwrap();
        let summary = summary_of(&request);
        let [one, two] = summary.refused;
        assert!(one >= 1 && two == 0 && summary.statistics.players[0].fouls >= one, "{summary:?}");
        let words = summary.in_words();
        assert!(words.contains("refused (each a shot that hits nothing)"), "{words}");
        assert!(serde_json::to_string(&summary).unwrap().contains(&format!(r#""refused":[{one},0]"#)));
        request.spec.players[0] = "exec:/nowhere/bot".into();
        let error = play_quietly(&request).unwrap_err();
        assert!(error.contains("--players exec:/nowhere/bot: ") && error.contains("cannot be started"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn a_rack_that_stands_still_is_left_and_a_draw_is_one() {
        let mut request = request(["exec:sh -c 'while read line; do echo \\\"Pass\\\"; done'", "bot:easy"], 2, 1);
        request.spec.players[1] = request.spec.players[0].clone();
        request.spec.game = "three-cushion".to_owned();
        request.spec.options = serde_json::from_str(r#"{"innings": 2}"#).unwrap();
        let summary = summary_of(&request);
        assert_eq!((summary.racks, summary.draws, summary.unfinished), (2, 2, 0));
        let words = summary.in_words();
        assert!(words.starts_with("three-cushion on ") && words.contains(": 2 racks, 2 drawn\n"), "{words}");
        assert!(words.contains("(1): won 0, 0 points, 0.000 an inning") && !words.contains("ran out"), "{words}");
        request.spec.options.clear();
        request.racks = Some(1);
        let summary = summary_of(&request);
        assert_eq!((summary.racks, summary.draws, summary.unfinished), (0, 0, 1));
        assert!(summary.in_words().contains("1 rack was left, and nobody won: nothing was potted or scored in 2000"));
        let all: u32 = summary.statistics.players.iter().map(|of| of.shots).sum();
        assert_eq!(all, LONGEST_STANDSTILL);
    }
}
