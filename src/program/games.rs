//! `carom play` and `carom replay`: matches without a window.

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use indicatif::ProgressBar;
use serde::Serialize;

use super::{
    Ending,
    output::{Output, keep_apart},
    progress::progress_bar,
};
use crate::{
    games::{
        Match, MatchRecord, MatchSpec, Player, Statistics,
        bot::{self, Bot},
    },
    scene::read_text,
};

/// A match that bots are to play.
#[derive(Clone, Debug)]
pub struct PlayRequest {
    /// What is played.
    pub spec: MatchSpec,
    /// So many racks, each of which stands for itself and may be played beside the others; none: the match as it is.
    pub racks: Option<u32>,
    /// How many are played at once; none: as many as the machine has cores.
    pub threads: Option<usize>,
    /// Where the result goes.
    pub json: Option<PathBuf>,
    /// Where the match goes, or its first rack.
    pub save: Option<PathBuf>,
    /// Whether to leave out the progress bar and the summary.
    pub quiet: bool,
}

/// A match that is to be played again.
#[derive(Clone, Debug)]
pub struct ReplayRequest {
    /// The file.
    pub file: PathBuf,
    /// Where its numbers go.
    pub json: Option<PathBuf>,
    /// Whether to leave out the progress bar and the summary.
    pub quiet: bool,
}

/// A rack takes no more actions: then nobody wins it. Safety duels end long before.
const LONGEST_RACK: u32 = 2000;

/// How many shots a bot thinks at a time.
const SLICE: u32 = 4096;

/// What came of it.
#[derive(Clone, Debug, Serialize)]
struct Summary {
    game: String,
    table: String,
    players: [String; 2],
    seed: u64,
    /// How many racks were played.
    racks: u32,
    /// Racks that had not ended after so many actions that they were left.
    unfinished: u32,
    statistics: Statistics,
    /// How fast it was; everything else is the same in every run.
    speed: Speed,
}

/// What the bots did, and how long it took.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Speed {
    /// Shots that the bots have simulated.
    shots_simulated: u64,
    /// How many of them in a second on one core.
    shots_per_second_and_core: f64,
    decisions: [u64; 2],
    /// How long each player thought about one, seconds.
    seconds_per_decision: [f64; 2],
    /// How long all of it took, seconds.
    seconds: f64,
}

/// One match, played.
#[derive(Debug)]
struct Played {
    record: MatchRecord,
    statistics: Statistics,
    table: String,
    racks: u32,
    unfinished: bool,
    shots: u64,
    decisions: [u64; 2],
    thought: [Duration; 2],
}

/// Plays what is asked for.
///
/// # Errors
/// In one line what cannot be done, and what to do about it.
pub fn play(request: &PlayRequest) -> Result<Ending, String> {
    let json = request.json.as_ref().map(|path| Output::to("--json", path)).transpose()?;
    let save = request.save.as_ref().map(|path| Output::to("--save", path)).transpose()?;
    keep_apart(json.iter().chain(&save))?;
    let specs = specs(request);
    // What is wrong with the first is wrong with all.
    Match::new(specs[0].clone())?;
    let begin = Instant::now();
    let bar = progress_bar(specs.len() as u64, "racks", request.quiet);
    let played = play_all(&specs, request.threads, &bar)?;
    bar.finish_and_clear();
    let summary = summary(request, &played, begin.elapsed());
    if let Some(save) = &save {
        save.write(played[0].record.to_text().map_err(|error| error.to_string())?)?;
    }
    if let Some(json) = &json {
        let text = serde_json::to_string_pretty(&summary).map_err(|error| error.to_string())?;
        json.write(text + "\n")?;
    }
    let taken = [&json, &save].into_iter().flatten().any(Output::is_standard);
    if !request.quiet && !taken {
        Output::standard().write(in_words(&summary))?;
    }
    Ok(Ending::Whole)
}

/// Reads a saved match.
///
/// # Errors
/// In one line why it cannot be read, or what is wrong with it and where.
pub(super) fn read_match(path: &Path) -> Result<MatchRecord, String> {
    let text = read_text(path).map_err(|error| format!("{error}; give a file that carom play --save has written"))?;
    MatchRecord::parse(&text, &path.display().to_string())
}

/// Plays a recorded match again, and says whether it is what was recorded.
///
/// # Errors
/// In one line what cannot be done, and what to do about it.
pub fn replay(request: &ReplayRequest) -> Result<Ending, String> {
    let json = request.json.as_ref().map(|path| Output::to("--json", path)).transpose()?;
    let name = request.file.display().to_string();
    let record = read_match(&request.file)?;
    let replayed = Match::replay(&record).map_err(|departure| format!("{name}: {departure}"))?;
    let statistics = replayed.statistics();
    if let Some(json) = &json {
        let text = serde_json::to_string_pretty(&statistics).map_err(|error| error.to_string())?;
        json.write(text + "\n")?;
    }
    if !request.quiet && !json.is_some_and(|json| json.is_standard()) {
        let [one, two] = &record.spec.players;
        let [a, b] = replayed.racks();
        let count = record.log.len();
        Output::standard().write(format!(
            "{}: {one} {a}, {two} {b}; all {count} actions are as they were recorded, to the bit\n",
            record.spec.game
        ))?;
    }
    Ok(Ending::Whole)
}

/// The matches to play: each rack is one, if they stand for themselves.
fn specs(request: &PlayRequest) -> Vec<MatchSpec> {
    let Some(racks) = request.racks else { return vec![request.spec.clone()] };
    let rack = |i: u32| MatchSpec {
        first: Player((i % 2) as u8),
        seed: request.spec.seed.wrapping_add(u64::from(i).wrapping_mul(0x9e37_79b9_7f4a_7c15)),
        ..request.spec.clone()
    };
    (0..racks).map(rack).collect()
}

/// Plays them on as many threads as are wanted; the results are in the order of the matches.
fn play_all(specs: &[MatchSpec], threads: Option<usize>, bar: &ProgressBar) -> Result<Vec<Played>, String> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.unwrap_or(cores).clamp(1, specs.len().max(1));
    let next = AtomicUsize::new(0);
    let played: Mutex<Vec<Option<Result<Played, String>>>> = Mutex::new(specs.iter().map(|_| None).collect());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((i, spec)) =
                    Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|i| Some((i, specs.get(i)?)))
                {
                    let one = play_one(spec);
                    let failed = one.is_err();
                    if let Ok(mut played) = played.lock() {
                        played[i] = Some(one);
                    }
                    bar.inc(1);
                    if failed {
                        // The others need not begin.
                        next.store(specs.len(), Ordering::Relaxed);
                    }
                }
            });
        }
    });
    let played = played.into_inner().map_err(|_| "a rack was not played to its end".to_owned())?;
    played.into_iter().flatten().collect()
}

/// Plays one match to its end.
fn play_one(spec: &MatchSpec) -> Result<Played, String> {
    let mut playing = Match::new(spec.clone())?;
    let mut bots: Vec<Box<dyn Bot>> = Vec::with_capacity(2);
    for name in &spec.players {
        bots.push(bot::player(name)?);
    }
    let (mut decisions, mut thought) = ([0; 2], [Duration::ZERO; 2]);
    let mut actions = 0;
    while let Some((player, _)) = playing.turn() {
        if actions > LONGEST_RACK * spec.race_to {
            break;
        }
        actions += 1;
        let begin = Instant::now();
        let bot = &mut bots[player.index()];
        bot.consider(playing.position());
        let mut action = None;
        // A bot that has nothing to say passes in the end.
        for _ in 0..1 << 20 {
            action = bot.think(SLICE);
            if action.is_some() {
                break;
            }
        }
        thought[player.index()] += begin.elapsed();
        decisions[player.index()] += 1;
        if let Some(Err(_)) = action.map(|action| playing.apply(action)) {
            action = None;
        }
        if action.is_none() {
            playing.apply(crate::games::Action::Pass).map_err(|refusal| refusal.to_string())?;
        }
    }
    let unfinished = playing.turn().is_some();
    Ok(Played {
        statistics: playing.statistics(),
        table: playing.table().spec.title.clone(),
        racks: playing.racks().iter().sum(),
        unfinished,
        shots: bots.iter().map(|bot| bot.shots()).sum(),
        decisions,
        thought,
        record: playing.record(),
    })
}

fn summary(request: &PlayRequest, played: &[Played], took: Duration) -> Summary {
    let mut statistics = Statistics::default();
    let mut speed = Speed { seconds: took.as_secs_f64(), ..Speed::default() };
    let mut thought = [Duration::ZERO; 2];
    for one in played {
        statistics.add(&one.statistics);
        speed.shots_simulated += one.shots;
        for i in 0..2 {
            speed.decisions[i] += one.decisions[i];
            thought[i] += one.thought[i];
        }
    }
    for i in 0..2 {
        speed.seconds_per_decision[i] = thought[i].as_secs_f64() / speed.decisions[i].max(1) as f64;
    }
    let all = (thought[0] + thought[1]).as_secs_f64();
    speed.shots_per_second_and_core = speed.shots_simulated as f64 / all.max(1e-9);
    Summary {
        game: request.spec.game.clone(),
        table: played.first().map_or_else(String::new, |one| one.table.clone()),
        players: request.spec.players.clone(),
        seed: request.spec.seed,
        racks: played.iter().map(|one| one.racks).sum(),
        unfinished: played.iter().map(|one| u32::from(one.unfinished)).sum(),
        statistics,
        speed,
    }
}

fn in_words(summary: &Summary) -> String {
    let Summary { game, table, players, racks, unfinished, statistics, speed, .. } = summary;
    let mut text = format!("{game} on {table}: {racks} racks\n");
    for (name, of) in players.iter().zip(&statistics.players) {
        let _ = writeln!(
            text,
            "  {name}: won {}, {} run out of {} breaks, success in {:.0} % of {} attempts, {}{} fouls, longest break {}, average {:.2}",
            of.racks,
            of.runouts,
            of.breaks,
            100.0 * of.success_rate,
            of.attempts,
            of.position_quality.map_or_else(String::new, |quality| format!("position {:.0} %, ", 100.0 * quality)),
            of.fouls,
            of.longest_break,
            of.average
        );
    }
    if *unfinished > 0 {
        let _ = writeln!(text, "  {unfinished} racks had no end");
    }
    let [one, two] = speed.seconds_per_decision;
    let _ = writeln!(
        text,
        "  {} shots simulated, {:.0} a second and core; {:.0} and {:.0} ms a decision; {:.1} s in all",
        speed.shots_simulated,
        speed.shots_per_second_and_core,
        1000.0 * one,
        1000.0 * two,
        speed.seconds
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(players: [&str; 2], racks: u32, threads: usize) -> PlayRequest {
        let players = players.map(str::to_owned);
        let spec = MatchSpec { game: "nine-ball".to_owned(), players, seed: 4, ..MatchSpec::default() };
        PlayRequest { spec, racks: Some(racks), threads: Some(threads), json: None, save: None, quiet: true }
    }

    #[test]
    fn racks_come_out_the_same_on_any_number_of_threads_and_replay() {
        let hidden = ProgressBar::hidden();
        let play = |threads| {
            let request = request(["bot:easy@0.5", "bot:recipe"], 3, threads);
            play_all(&specs(&request), request.threads, &hidden).unwrap()
        };
        let (alone, together) = (play(1), play(3));
        for (one, other) in alone.iter().zip(&together) {
            assert_eq!(one.record, other.record);
            assert!(!one.unfinished && one.racks == 1);
            assert_eq!(Match::replay(&one.record).unwrap().statistics(), one.statistics);
        }
        assert_eq!(alone[0].record.spec.first, Player(0));
        assert_eq!(alone[1].record.spec.first, Player(1));
    }

    #[test]
    fn frames_of_snooker_and_games_of_three_cushion_and_curling_come_to_their_ends() {
        let hidden = ProgressBar::hidden();
        for (game, options, players) in [
            ("snooker", r#"{"reds": 6}"#, ["bot:recipe@0", "bot:recipe@0"]),
            ("three-cushion", r#"{"points": 1}"#, ["bot:easy@1", "bot:recipe"]),
            ("curling", r#"{"ends": 1, "stones": 2}"#, ["bot:beginner", "bot:beginner"]),
        ] {
            let mut request = request(players, 1, 1);
            request.spec.game = game.to_owned();
            request.spec.options = serde_json::from_str(options).unwrap();
            let played = play_all(&specs(&request), request.threads, &hidden).unwrap();
            assert!(!played[0].unfinished && played[0].racks == 1, "{game}");
            assert!(Match::replay(&played[0].record).unwrap().winner().is_some(), "{game}");
        }
    }

    #[test]
    fn what_cannot_be_played_is_said_before_it_begins() {
        let mut wrong = request(["bot:easy", "bot:easy"], 1, 1);
        wrong.spec.table = "billiards".to_owned();
        assert!(play(&wrong).unwrap_err().contains("pool-9ft"));
        let missing = ReplayRequest { file: "nowhere.ron".into(), json: None, quiet: true };
        assert!(replay(&missing).unwrap_err().contains("carom play --save"));
    }
}
