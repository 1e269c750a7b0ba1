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
        Action, Game, LinkedMatch, Match, MatchRecord, MatchSpec, Measure, Player, PlayerSpec, PlayerStatistics,
        Report, Statistics,
        bot::{self, Bot},
    },
    link::Link,
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
    /// The file, or a link.
    pub file: PathBuf,
    /// Where its numbers go.
    pub json: Option<PathBuf>,
    /// Whether to leave out the progress bar and the summary.
    pub quiet: bool,
}

/// So many actions after each other may leave the score no better and the balls as many as they were; then a rack is
/// left, and nobody wins it. Safety duels end long before.
pub const LONGEST_STANDSTILL: u32 = 2000;

/// So many refused answers of each player are said in words.
const MOST_COMPLAINTS: u32 = 3;

/// What came of it.
#[derive(Clone, Debug, Serialize)]
struct Summary {
    game: String,
    table: String,
    players: [PlayerSpec; 2],
    seed: u64,
    /// How many racks were played to their ends.
    racks: u32,
    /// Those of them that nobody has won.
    draws: u32,
    /// Racks that were left, as nothing had come of [`LONGEST_STANDSTILL`] actions.
    unfinished: u32,
    /// How many answers of each player made no sense or were against the rules, and counted as shots that hit nothing.
    refused: [u32; 2],
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
    draws: u32,
    unfinished: bool,
    refused: [u32; 2],
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
    let names = told_apart(&request.spec.players);
    let complaints = Complaints { names: &names, said: Mutex::new([0; 2]), bar: &bar };
    let played = play_all(&specs, request, &complaints)?;
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

/// Reads a saved match, or that of a link; where the latter departs from what was linked, that is said on standard
/// error.
///
/// # Errors
/// In one line why it cannot be read, or what is wrong with it and where.
pub(super) fn read_match(path: &Path) -> Result<MatchRecord, String> {
    let argument = path.to_string_lossy();
    if Link::is_meant(&argument) {
        let link = Link::read(&argument).map_err(|error| error.to_string())?;
        let LinkedMatch { game, departure } = LinkedMatch::of(&link)?;
        if let Some(departure) = departure {
            eprintln!("carom: {departure}");
        }
        return Ok(game.record());
    }
    let text = read_text(path).map_err(|error| format!("{error}; give a file that carom play --save has written"))?;
    MatchRecord::parse(&text, &match_name(path))
}

/// What a match is called in messages: its file; a link is too long for that.
pub(super) fn match_name(path: &Path) -> String {
    if Link::is_meant(&path.to_string_lossy()) { "a link".to_owned() } else { path.display().to_string() }
}

/// Plays a recorded match again, and says whether it is what was recorded.
///
/// # Errors
/// In one line what cannot be done, and what to do about it.
pub fn replay(request: &ReplayRequest) -> Result<Ending, String> {
    let json = request.json.as_ref().map(|path| Output::to("--json", path)).transpose()?;
    let name = match_name(&request.file);
    let record = read_match(&request.file)?;
    let replayed = Match::replay(&record).map_err(|departure| format!("{name}: {departure}"))?;
    let statistics = replayed.statistics();
    if let Some(json) = &json {
        let text = serde_json::to_string_pretty(&statistics).map_err(|error| error.to_string())?;
        json.write(text + "\n")?;
    }
    if !request.quiet && !json.is_some_and(|json| json.is_standard()) {
        let [one, two] = told_apart(&record.spec.players);
        let [a, b] = replayed.racks();
        let all = match record.log.len() {
            0 => "nothing has been done yet".to_owned(),
            1 => "its one action is as it was recorded, to the bit".to_owned(),
            count => format!("all {count} actions are as they were recorded, to the bit"),
        };
        Output::standard().write(format!("{}: {one} {a}, {two} {b}; {all}\n", record.spec.game))?;
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

/// Both names; where they are one, with the number of the player.
fn told_apart([one, two]: &[PlayerSpec; 2]) -> [String; 2] {
    if one == two { [format!("{one} (1)"), format!("{two} (2)")] } else { [one.to_string(), two.to_string()] }
}

/// Where refused answers are said, the first of each player in words.
struct Complaints<'a> {
    names: &'a [String; 2],
    said: Mutex<[u32; 2]>,
    bar: &'a ProgressBar,
}

impl Complaints<'_> {
    /// An answer of a player was refused: why.
    fn say(&self, player: Player, why: &str) {
        let Ok(mut said) = self.said.lock() else { return };
        let (said, name) = (&mut said[player.index()], &self.names[player.index()]);
        *said += 1;
        // It would stand in the midst of the bar.
        self.bar.suspend(|| {
            if *said <= MOST_COMPLAINTS {
                eprintln!("carom: {name}: {why}; it counts as a shot that hits nothing");
            } else if *said == MOST_COMPLAINTS + 1 {
                eprintln!("carom: {name}: and so on");
            }
        });
    }
}

/// Plays them on as many threads as are wanted; the results are in the order of the matches.
fn play_all(specs: &[MatchSpec], request: &PlayRequest, complaints: &Complaints) -> Result<Vec<Played>, String> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = request.threads.unwrap_or(cores).clamp(1, specs.len().max(1));
    let next = AtomicUsize::new(0);
    let played: Mutex<Vec<Option<Result<Played, String>>>> = Mutex::new(specs.iter().map(|_| None).collect());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((i, spec)) =
                    Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|i| Some((i, specs.get(i)?)))
                {
                    let one = play_one(spec, request.racks.is_some(), complaints);
                    let failed = one.is_err();
                    if let Ok(mut played) = played.lock() {
                        played[i] = Some(one);
                    }
                    complaints.bar.inc(1);
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

/// For how many actions a rack stands still.
#[derive(Default)]
struct Standstill {
    rack: u32,
    /// The best that both had at any time, and the fewest balls that lay on the table.
    best: [i32; 2],
    fewest: Option<usize>,
    actions: u32,
}

impl Standstill {
    /// After an action: whether it lasts too long by now.
    fn is_over(&mut self, playing: &Match) -> bool {
        if playing.rack() != self.rack {
            // A draw is no step forward: a match of draws has to end, too.
            *self = Self { rack: playing.rack(), actions: self.actions, ..Self::default() };
        }
        let (score, balls) = (playing.score(), playing.layout().on_table().count());
        let is_better = score.iter().zip(self.best).any(|(now, best)| *now > best);
        let is_fewer = self.fewest.is_some_and(|fewest| balls < fewest);
        self.best = [0, 1].map(|i| self.best[i].max(score[i]));
        self.fewest = Some(self.fewest.map_or(balls, |fewest| fewest.min(balls)));
        self.actions = if is_better || is_fewer { 0 } else { self.actions + 1 };
        self.actions >= LONGEST_STANDSTILL
    }
}

/// Plays one match to its end, or to that of its first rack.
fn play_one(spec: &MatchSpec, one_rack: bool, complaints: &Complaints) -> Result<Played, String> {
    let mut playing = Match::new(spec.clone())?;
    let mut bots: Vec<Box<dyn Bot>> = Vec::with_capacity(2);
    for player in &spec.players {
        bots.push(bot::player(&player.to_string())?);
    }
    let (mut decisions, mut thought, mut refused) = ([0; 2], [Duration::ZERO; 2], [0; 2]);
    let (mut racks, mut draws, mut unfinished) = (0, 0, false);
    let mut standstill = Standstill::default();
    while let Some((player, _)) = playing.turn() {
        let begin = Instant::now();
        let bot = &mut bots[player.index()];
        let action = bot.decide(playing.position());
        thought[player.index()] += begin.elapsed();
        decisions[player.index()] += 1;
        let (report, complaint) = match playing.apply(action) {
            Ok(report) => (report, bot.complaint().map(|complaint| complaint.why.clone())),
            Err(refusal) => {
                let why = format!("its answer {} is refused: {refusal}", in_short(action));
                (
                    playing.apply(Action::Pass).map_err(|refusal| refusal.to_string())?,
                    Some(why.trim_end_matches('.').to_owned()),
                )
            }
        };
        if let Some(hopeless) = bot.complaint().filter(|complaint| complaint.is_hopeless) {
            return Err(format!("--players {}: {}", spec.players[player.index()], hopeless.why));
        }
        if let Some(why) = complaint {
            refused[player.index()] += 1;
            complaints.say(player, &why);
        }
        if let Report { rack: Some(outcome), .. } = report {
            racks += 1;
            draws += u32::from(outcome.winner.is_none());
            if one_rack {
                break;
            }
            if outcome.winner.is_some() {
                standstill.actions = 0;
            }
        }
        if standstill.is_over(&playing) {
            unfinished = true;
            break;
        }
    }
    Ok(Played {
        statistics: playing.statistics(),
        table: playing.table().spec.title.clone(),
        racks,
        draws,
        unfinished,
        refused,
        shots: bots.iter().map(|bot| bot.shots()).sum(),
        decisions,
        thought,
        record: playing.record(),
    })
}

/// An action as a program would write it.
fn in_short(action: Action) -> String {
    serde_json::to_string(&action).unwrap_or_else(|_| format!("{action:?}"))
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
        draws: played.iter().map(|one| one.draws).sum(),
        refused: [0, 1].map(|player| played.iter().map(|one| one.refused[player]).sum()),
        unfinished: played.iter().map(|one| u32::from(one.unfinished)).sum(),
        statistics,
        speed,
    }
}

/// A number with what it counts.
fn count(number: impl Into<i64>, one: &str, many: &str) -> String {
    let number = number.into();
    format!("{number} {}", if number == 1 { one } else { many })
}

/// What people read.
fn in_words(summary: &Summary) -> String {
    let Summary { game, table, players, racks, draws, unfinished, refused, statistics, speed, .. } = summary;
    let mut text = format!("{game} on {table}: {}", count(*racks, "rack", "racks"));
    if *draws > 0 {
        let _ = write!(text, ", {draws} drawn");
    }
    text.push('\n');
    for ((name, of), refused) in told_apart(players).iter().zip(&statistics.players).zip(refused) {
        let _ = write!(text, "  {name}: {}", player_in_words(game, of));
        if *refused > 0 {
            let _ = write!(
                text,
                ", {} (each a shot that hits nothing)",
                count(*refused, "answer refused", "answers refused")
            );
        }
        text.push('\n');
    }
    if *unfinished > 0 {
        let left = count(*unfinished, "rack was", "racks were");
        let _ = writeln!(
            text,
            "  {left} left, and nobody won: nothing was potted or scored in {LONGEST_STANDSTILL} shots and choices"
        );
    }
    let [one, two] = speed.seconds_per_decision;
    let _ = writeln!(
        text,
        "  {} simulated, {:.0} a second and core; {:.0} and {:.0} ms a decision; {:.1} s in all",
        count(i64::try_from(speed.shots_simulated).unwrap_or(i64::MAX), "shot", "shots"),
        speed.shots_per_second_and_core,
        1000.0 * one,
        1000.0 * two,
        speed.seconds
    );
    text
}

/// The numbers of a player that say something in a game.
fn player_in_words(game: &str, of: &PlayerStatistics) -> String {
    let measures = Game::named(game).map_or(Measure::POINTS, |game| game.measures);
    // In games of racks a break is made of balls.
    let unit = if measures.contains(&Measure::Points) { ["point", "points"] } else { ["ball", "balls"] };
    let said = measures.iter().filter_map(|measure| {
        Some(match measure {
            Measure::Racks => format!("won {}", of.racks),
            Measure::Runouts => format!("ran out {} of {}", of.runouts, count(of.breaks, "break", "breaks")),
            Measure::BreaksWithPot => format!("potted on {}", count(of.breaks_with_pot, "break", "breaks")),
            Measure::Points => count(of.points, "point", "points"),
            Measure::Average => format!("{:.3} an inning", of.average),
            Measure::SuccessRate if of.attempts == 0 => "no attempts".to_owned(),
            Measure::SuccessRate => {
                format!("success in {:.0} % of {}", 100.0 * of.success_rate, count(of.attempts, "attempt", "attempts"))
            }
            Measure::PositionQuality => format!("position {:.0} %", 100.0 * of.position_quality?),
            Measure::LongestBreak => format!("longest break {}", count(of.longest_break, unit[0], unit[1])),
            Measure::Innings => count(of.innings, "inning", "innings"),
            Measure::Potted => format!("{} potted", count(of.potted, "ball", "balls")),
            Measure::Fouls => count(of.fouls, "foul", "fouls"),
            Measure::Shots => count(of.shots, "shot", "shots"),
        })
    });
    said.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::bot::Level;

    fn request(players: [&str; 2], racks: u32, threads: usize) -> PlayRequest {
        let players = players.map(PlayerSpec::from);
        let spec = MatchSpec { game: "nine-ball".to_owned(), players, seed: 4, ..MatchSpec::default() };
        PlayRequest { spec, racks: Some(racks), threads: Some(threads), json: None, save: None, quiet: true }
    }

    fn play_quietly(request: &PlayRequest) -> Result<Vec<Played>, String> {
        let (names, bar) = (told_apart(&request.spec.players), ProgressBar::hidden());
        let complaints = Complaints { names: &names, said: Mutex::new([0; 2]), bar: &bar };
        play_all(&specs(request), request, &complaints)
    }

    fn summary_of(request: &PlayRequest) -> Summary {
        summary(request, &play_quietly(request).unwrap(), Duration::from_secs(1))
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

    /// Has a level play racks of 9-ball against another, and says how many each wins.
    fn duel(stronger: &str, weaker: &str, racks: u32) -> [u32; 2] {
        let players = [stronger, weaker].map(|level| format!("bot:{level}"));
        let mut request = request(players.each_ref().map(String::as_str), racks, 1);
        (request.spec.seed, request.threads) = (1, None);
        let won = summary_of(&request).statistics.players.map(|of| of.racks);
        println!("{stronger} against {weaker} {} : {}", won[0], won[1]);
        won
    }

    // Seeded, and so the same on every machine: what it asserts is known, and changes only where the bots do.
    #[test]
    fn easy_beats_beginner() {
        let [easy, beginner] = duel("easy", "beginner", 8);
        assert!(easy > beginner, "{easy} : {beginner}");
    }

    #[test]
    #[ignore = "takes minutes: cargo test --release --lib ladder -- --ignored --nocapture"]
    fn each_level_of_the_ladder_beats_the_one_below() {
        // The racks of the table in docs/games.md: fewer where bots think for long.
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
        let missing = ReplayRequest { file: "nowhere.ron".into(), json: None, quiet: true };
        assert!(replay(&missing).unwrap_err().contains("carom play --save"));
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
        let words = in_words(&summary);
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
        let words = in_words(&summary);
        assert!(words.starts_with("three-cushion on ") && words.contains(": 2 racks, 2 drawn\n"), "{words}");
        assert!(words.contains("(1): won 0, 0 points, 0.000 an inning") && !words.contains("ran out"), "{words}");
        request.spec.options.clear();
        request.racks = Some(1);
        let summary = summary_of(&request);
        assert_eq!((summary.racks, summary.draws, summary.unfinished), (0, 0, 1));
        assert!(in_words(&summary).contains("1 rack was left, and nobody won: nothing was potted or scored in 2000"));
        let all: u32 = summary.statistics.players.iter().map(|of| of.shots).sum();
        assert_eq!(all, LONGEST_STANDSTILL);
    }

    #[test]
    fn a_summary_says_what_means_something_in_its_game() {
        let of = PlayerStatistics {
            racks: 1,
            breaks: 1,
            fouls: 1,
            points: 1,
            longest_break: 1,
            ..PlayerStatistics::default()
        };
        let said = |game| player_in_words(game, &of);
        assert!(said("nine-ball").starts_with("won 1, ran out 0 of 1 break, no attempts, longest break 1 ball"));
        assert!(said("snooker").starts_with("won 1, 1 point, no attempts") && !said("snooker").contains("ran out"));
        assert_eq!(said("curling"), "won 1, 1 point, 0 shots");
        assert_eq!(told_apart(&["a", "b"].map(PlayerSpec::from)), ["a", "b"]);
        assert_eq!(told_apart(&["a", "a"].map(PlayerSpec::from)), ["a (1)", "a (2)"]);
    }
}
