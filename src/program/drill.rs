//! `carom drill`: lists drills, shows one, plays one with strokes or with a bot, and sums up results.

use std::{
    fmt::{self, Write as _},
    path::{Path, PathBuf},
    sync::Arc,
};

use bevy::math::Vec2;
use serde::Serialize;
use serde_json::Value;

use super::{
    Ending,
    output::{Output, keep_apart, write_summary},
    say,
    shot_diagram::diagram_of_shot,
    strike::Shot,
};
use crate::{
    billiards::{cue::CueStrike, tables::ShippedTable},
    diagram::Diagram,
    games::{
        Action, Answered, BallId, BallPlace, Call, GameTable, Match, MatchSpec, Note, PlayerSpec, Region, Report, Task,
        bot, coach,
        drills::{
            Drill, DrillError, LaidDrill, LaidPosition, OwnDrill, OwnDrills, Progress, named, read_drill, shipped,
        },
        plugin::TablePosition,
    },
    number::count,
    ron_text::in_one_line,
    storage::ends_in,
};

/// What to do.
#[derive(Clone, Debug)]
pub enum Request {
    /// List the drills.
    List {
        /// The file for the list.
        json: Option<PathBuf>,
    },
    /// Show a drill.
    Show {
        /// Its name or its file.
        drill: String,
        /// The table. Default: the usual one.
        table: Option<String>,
        /// The file for the description.
        json: Option<PathBuf>,
        /// The file for a diagram of the first position.
        svg: Option<PathBuf>,
    },
    /// Play a drill.
    Play {
        /// Its name or its file.
        drill: String,
        /// The table. Default: the usual one.
        table: Option<String>,
        /// Who plays.
        players: Players,
        /// The file for the result.
        json: Option<PathBuf>,
        /// The file for a diagram of the last shot.
        svg: Option<PathBuf>,
    },
    /// Sum up the results in a file.
    Statistics {
        /// The drill to sum up by day. Default: all drills.
        drill: Option<String>,
        /// The file of results. Default: that of the window.
        progress: Option<PathBuf>,
        /// The file for the statistics.
        json: Option<PathBuf>,
    },
}

/// Who plays a drill.
#[derive(Clone, Debug)]
pub enum Players {
    /// These strokes, in order, until the drill is over or no stroke is left.
    Strokes {
        /// The strokes.
        strikes: Vec<Shot>,
        /// The places for a ball in hand, metres, in order. Without one, it is a usual place.
        places: Vec<Vec2>,
    },
    /// A bot, to the end of the drill.
    Bot {
        /// The bot.
        player: PlayerSpec,
        /// The seed of its hand.
        seed: u64,
    },
}

/// The list of drills for people.
#[must_use]
pub fn list() -> String {
    let entries: Vec<Entry> = shipped().iter().map(|(name, drill)| Entry::of(name, drill)).collect();
    lines(&entries)
}

/// A line for each drill: its name, and its description or else its title.
fn lines(entries: &[Entry]) -> String {
    let width = entries.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
    entries.iter().fold(String::new(), |mut list, Entry { name, title, description, .. }| {
        let words = in_one_line(if description.is_empty() { title } else { description });
        let _ = writeln!(list, "{name:width$}  {words}");
        list
    })
}

/// Does what is asked, and writes the result.
///
/// # Errors
/// If it cannot be done. The message is one line and names the remedy.
pub fn run(request: &Request) -> Result<Ending, String> {
    match request {
        Request::List { json } => {
            let own = own_drills();
            for reason in &own.invalid {
                say(&format!("left out: {reason}"));
            }
            let shipped = shipped().iter().map(|(name, drill)| Entry::of(name, drill));
            let entries: Vec<Entry> =
                shipped.chain(own.drills.iter().map(|own| Entry::of(&own.name, &own.drill))).collect();
            write(json.as_deref(), &entries, lines(&entries))
        }
        Request::Show { drill, table, json, svg } => {
            let svg = Output::wanted("--svg", svg.as_deref())?;
            let playing = begin(drill, table.as_deref(), &PlayerSpec::from("You"), 0)?;
            let shown = Shown::of(drill, &playing.laid, &playing.game);
            if let Some(svg) = &svg {
                svg.write(Diagram::of_position(&playing.first_position()).to_svg(&[]))?;
            }
            write_beside(json.as_deref(), svg.as_ref(), &shown, shown.to_string())
        }
        Request::Play { drill, table, players, json, svg } => {
            let svg = Output::wanted("--svg", svg.as_deref())?;
            let (playing, played) = match players {
                Players::Strokes { strikes, places } => play_strokes(drill, table.as_deref(), strikes, places)?,
                Players::Bot { player, seed } => play_bot(drill, table.as_deref(), player, *seed)?,
            };
            if let Some(svg) = &svg {
                svg.write(diagram_of_shot(&playing.game, None)?)?;
            }
            write_beside(json.as_deref(), svg.as_ref(), &played, played.to_string())
        }
        Request::Statistics { drill, progress, json } => {
            statistics(drill.as_deref(), progress.as_deref(), json.as_deref())
        }
    }
}

fn write(json: Option<&Path>, values: &impl Serialize, words: String) -> Result<Ending, String> {
    write_beside(json, None, values, words)
}

/// The same if another output was written too.
fn write_beside(
    json: Option<&Path>,
    other: Option<&Output>,
    values: &impl Serialize,
    words: String,
) -> Result<Ending, String> {
    let json = Output::wanted("--json", json)?;
    keep_apart(json.iter().chain(other))?;
    if let Some(json) = &json {
        json.write_json(values)?;
    }
    write_summary(words, false, json.iter().chain(other))?;
    Ok(Ending::Whole)
}

/// A drill in the list.
#[derive(Clone, Debug, Serialize)]
struct Entry {
    name: String,
    title: String,
    description: String,
    source: String,
    tables: Vec<String>,
    attempts: u32,
    pass: i32,
}

impl Entry {
    fn of(name: &str, drill: &Drill) -> Self {
        let Drill { title, description, source, tables, attempts, pass, .. } = drill.clone();
        Self { name: name.to_owned(), title, description, source, tables, attempts, pass }
    }
}

/// A drill on a table.
#[derive(Clone, Debug, Serialize)]
struct Shown {
    #[serde(flatten)]
    entry: Entry,
    /// The table on which it is laid out.
    table: String,
    positions: Vec<ShownPosition>,
    /// The length of a diamond, metres.
    diamond: f32,
}

/// A position of a drill.
#[derive(Clone, Debug, Serialize)]
struct ShownPosition {
    /// The balls on the table with their coordinates, metres.
    balls: Vec<(String, [f32; 2])>,
    /// Where the ball to strike may be placed, if it is in hand.
    in_hand: Option<Region>,
    /// The most points of a shot.
    best: i32,
}

impl Shown {
    fn of(name: &str, laid: &LaidDrill, game: &Match) -> Self {
        let position = |(index, position): (usize, &LaidPosition)| ShownPosition {
            balls: position
                .layout
                .on_table()
                .map(|(ball, place)| (laid.balls[ball.index()].to_string(), place.to_array()))
                .collect(),
            in_hand: position.in_hand,
            best: laid.best(index),
        };
        let positions = laid.positions.iter().enumerate().map(position).collect();
        let diamond = game.table().half().x / 4.0;
        Self { entry: Entry::of(name, &laid.drill), table: game.table().spec.title.clone(), positions, diamond }
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { entry, table, positions, diamond } = self;
        let [title, description, source] =
            [&entry.title, &entry.description, &entry.source].map(|text| in_one_line(text));
        writeln!(f, "{title} ({}), on {table}", entry.name)?;
        writeln!(f, "  {description}")?;
        writeln!(f, "  Source: {source}")?;
        let attempts = count(entry.attempts as usize, "attempt", "attempts");
        writeln!(f, "  {attempts}; {} of all attempts to pass. Places are in diamonds.", points(entry.pass))?;
        for (number, ShownPosition { balls, in_hand, best }) in positions.iter().enumerate() {
            let hand = in_hand.map(|region| format!("cue ball in hand {}", in_words(region)));
            let lying = balls.iter().map(|(ball, [x, y])| format!("{ball} ({:.2}, {:.2})", x / diamond, y / diamond));
            let all: Vec<String> = hand.into_iter().chain(lying).collect();
            writeln!(f, "  position {}, {}: {}", number + 1, points(*best), all.join(", "))?;
        }
        Ok(())
    }
}

fn points(number: i32) -> String {
    count(number.unsigned_abs() as usize, "point", "points")
}

/// Where a ball in hand may be placed, in words.
fn in_words(region: Region) -> &'static str {
    match region {
        Region::Anywhere => "anywhere",
        Region::BehindHeadString => "behind the head string",
        Region::D => "in the D",
    }
}

/// A drill that is being played.
struct Playing {
    game: Match,
    laid: LaidDrill,
}

impl Playing {
    fn first_position(&self) -> TablePosition {
        let first = &self.laid.positions[0];
        TablePosition {
            table_name: self.game.spec().table.clone(),
            table: self.game.table().clone(),
            balls: self.laid.balls.clone(),
            layout: first.layout.clone(),
            cue_ball: BallId(0),
            targets: first.targets.clone(),
        }
    }
}

/// Starts a drill: a shipped or a custom one by its name, or a file.
fn begin(drill: &str, table: Option<&str>, player: &PlayerSpec, seed: u64) -> Result<Playing, String> {
    let is_file = ends_in(Path::new(drill), "ron");
    let own = own_drills();
    let (option, value, read) = if is_file {
        let (text, read) = read_drill(Path::new(drill))?;
        ("file", text, read)
    } else {
        match (named(drill), own.named(drill)) {
            (Err(_), Some(OwnDrill { text, drill, .. })) => ("file", text.clone(), drill.clone()),
            (read, _) => ("drill", drill.to_owned(), read.map_err(|error| with_own(&error, &own))?.clone()),
        }
    };
    let name = table.map_or_else(|| read.usual_table().to_owned(), str::to_owned);
    let spec = ShippedTable::named(&name).and_then(ShippedTable::spec).map_err(|error| error.to_string())?;
    let on_table = Arc::new(GameTable::new(spec).map_err(|error| error.to_string())?);
    let laid = LaidDrill::new(&read, &on_table).map_err(|error| {
        let tables = read.tables.join(" or ");
        format!("{drill} on {name}: {error}; its tables are {tables}")
    })?;
    let spec = MatchSpec {
        game: crate::games::rulebooks::drill::GAME.name.to_owned(),
        options: [(option.to_owned(), Value::from(value))].into_iter().collect(),
        table: name,
        players: [player.clone(), player.clone()],
        seed,
        ..MatchSpec::default()
    };
    Ok(Playing { game: Match::new(spec)?, laid })
}

/// A drill that was played, to its end or as far as the strokes go.
#[derive(Clone, Debug, Serialize)]
struct Played {
    drill: String,
    title: String,
    table: String,
    attempts: u32,
    shots: Vec<PlayedShot>,
    score: i32,
    pass: i32,
    /// Whether all attempts were played.
    finished: bool,
    passed: bool,
}

/// A shot of a drill.
#[derive(Clone, Debug, Serialize)]
struct PlayedShot {
    /// The attempt, from 1.
    attempt: u32,
    strike: CueStrike,
    points: i32,
    /// Fouls and remarks.
    why: Vec<String>,
    /// How far off the shot was, by the coach.
    fault: Option<String>,
}

impl Played {
    fn new(drill: &str, Playing { game, laid }: &Playing) -> Self {
        Self {
            drill: drill.to_owned(),
            title: laid.drill.title.clone(),
            table: game.table().spec.title.clone(),
            attempts: laid.drill.attempts,
            shots: Vec::new(),
            score: 0,
            pass: laid.drill.pass,
            finished: false,
            passed: false,
        }
    }

    fn add(&mut self, before: &Match, strike: CueStrike, report: &Report) {
        let attempt = before.turn().into_iter().flat_map(|(player, _)| before.rules().notes(player));
        let attempt = attempt.filter_map(|note| match note {
            Note::Attempt { number, .. } => Some(number),
            _ => None,
        });
        let verdict = &report.verdict;
        let fouls = verdict.fouls.iter().map(|foul| format!("Foul: {foul}."));
        let why = fouls.chain(verdict.remarks.iter().map(ToString::to_string)).collect();
        let points = verdict.points[report.player.index()];
        let fault = (points == 0).then(|| coach::missed(&before.game_state(), Call::default(), &strike)).flatten();
        let fault = fault.map(|miss| miss.fault.to_string());
        self.shots.push(PlayedShot { attempt: attempt.last().unwrap_or(1), strike, points, why, fault });
        self.score += points;
        self.finished = report.rack.is_some();
        self.passed = self.finished && self.score >= self.pass;
    }
}

impl fmt::Display for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} on {}", in_one_line(&self.title), self.table)?;
        for shot in &self.shots {
            write!(f, "  attempt {}: {}", shot.attempt, shot.points)?;
            for why in &shot.why {
                write!(f, "  {why}")?;
            }
            if let Some(fault) = &shot.fault {
                write!(f, "  Coach: {fault}.")?;
            }
            writeln!(f)?;
        }
        let result = match (self.finished, self.passed) {
            (false, _) => "not finished",
            (true, true) => "passed",
            (true, false) => "not passed",
        };
        writeln!(f, "  {} of {} to pass: {result}", points(self.score), self.pass)
    }
}

fn play_strokes(
    drill: &str,
    table: Option<&str>,
    strikes: &[Shot],
    places: &[Vec2],
) -> Result<(Playing, Played), String> {
    let mut playing = begin(drill, table, &PlayerSpec::from("You"), 0)?;
    let mut played = Played::new(drill, &playing);
    let mut places = places.iter();
    for (number, shot) in strikes.iter().enumerate() {
        let option = format!("--strike, number {}", number + 1);
        if played.finished {
            return Err(format!("{option}: the drill is over after {number} strokes; leave out the others"));
        }
        let game = &mut playing.game;
        place(game, &mut places)?;
        let strike = shot.cue_strike(&game.cue(), &game.table().body());
        let before = game.clone();
        let report = game.apply(Action::Shoot { call: Call::default(), strike });
        played.add(&before, strike, &report.map_err(|why| format!("{option}: {why}"))?);
    }
    if let Some(place) = places.next() {
        return Err(format!(
            "--place {},{}: the cue ball is not in hand as many times as it is placed; leave this place out",
            place.x, place.y
        ));
    }
    Ok((playing, played))
}

/// Places the ball to strike if it is in hand.
fn place<'a>(game: &mut Match, places: &mut impl Iterator<Item = &'a Vec2>) -> Result<(), String> {
    let Some((_, Task::Shoot(stroke))) = game.turn() else { return Ok(()) };
    let (ball, in_hand) = (stroke.cue_ball, stroke.in_hand);
    let Some(region) = in_hand.filter(|_| game.layout()[ball] == BallPlace::Hand) else { return Ok(()) };
    let usual = || region.any_place(game.table(), game.layout(), ball);
    let place = places.next().copied().or_else(usual).ok_or("there is no room for the cue ball; give --place")?;
    game.apply(Action::Place(place)).map_err(|why| format!("--place {},{}: {why}", place.x, place.y))?;
    Ok(())
}

fn play_bot(drill: &str, table: Option<&str>, player: &PlayerSpec, seed: u64) -> Result<(Playing, Played), String> {
    let mut playing = begin(drill, table, player, seed)?;
    let mut played = Played::new(drill, &playing);
    let mut bot = bot::player(player.clone()).map_err(|reason| format!("--player: {reason}"))?;
    while !played.finished {
        let before = playing.game.clone();
        let answer = bot.decide(before.game_state());
        let Answered { action, report, refused } =
            playing.game.apply_answer(answer).map_err(|why| format!("--player: {why}"))?;
        if let Some(hopeless) = bot.complaint().filter(|complaint| complaint.is_hopeless) {
            return Err(format!("--player {player}: {}", hopeless.why));
        }
        if let Some(why) = refused {
            say(&format!("{player}: its answer is refused: {why}"));
        }
        match action {
            Action::Shoot { strike, .. } => played.add(&before, strike, &report),
            Action::Pass => played.add(&before, CueStrike::default(), &report),
            _ => {}
        }
    }
    Ok((playing, played))
}

fn statistics(drill: Option<&str>, progress: Option<&Path>, json: Option<&Path>) -> Result<Ending, String> {
    let path = progress.map(Path::to_owned).or_else(usual_progress);
    let path = path.ok_or("there is no folder for data; give --progress FILE")?;
    let progress = Progress::read(&path).map_err(|error| format!("{}: cannot be read ({error})", path.display()))?;
    if progress.damaged > 0 {
        say(&format!("{}: damaged lines left out: {}", path.display(), progress.damaged));
    }
    let mut words = String::new();
    if let Some(drill) = drill {
        // The results of a custom drill are kept under its title.
        let own = own_drills();
        let title = own.named(drill).map_or(drill, |own| own.drill.title.as_str());
        let days = progress.by_day(title);
        if days.is_empty() && own.named(drill).is_none() {
            named(drill).map_err(|error| with_own(&error, &own))?;
        }
        for day in &days {
            let times = count(day.times, "time", "times");
            let _ = writeln!(words, "{}  {times}, best {}, mean {:.1}", day.day, day.best, day.mean);
        }
        return write(json, &days, or_none(words));
    }
    let summaries = progress.by_drill();
    let names: Vec<String> = summaries.iter().map(|summary| in_one_line(&summary.drill)).collect();
    let width = names.iter().map(String::len).max().unwrap_or(0);
    for (drill, one) in names.iter().zip(&summaries) {
        let (times, passed) = (count(one.times, "time", "times"), one.passed);
        let _ = writeln!(
            words,
            "{drill:width$}  {times}, {passed} passed, best {}, mean {:.1}, last {}",
            one.best, one.mean, one.last
        );
    }
    write(json, &summaries, or_none(words))
}

/// An error about a drill. If there is none with that name, it lists the custom ones too.
fn with_own(error: &DrillError, own: &OwnDrills) -> String {
    let names: Vec<&str> = own.drills.iter().map(|own| own.name.as_str()).collect();
    match error {
        DrillError::Unknown { .. } if !names.is_empty() => format!("{error}; your own are {}", names.join(", ")),
        _ => error.to_string(),
    }
}

fn or_none(words: String) -> String {
    if words.is_empty() { "no drill was played to its end\n".to_owned() } else { words }
}

/// The custom drills of the window.
fn own_drills() -> OwnDrills {
    matches().map(|folder| OwnDrills::read(&OwnDrills::folder_beside(&folder))).unwrap_or_default()
}

/// The file of results of the window.
fn usual_progress() -> Option<PathBuf> {
    matches().map(|folder| Progress::file_beside(&folder))
}

/// The folder of matches of the window, if there can be one.
fn matches() -> Option<PathBuf> {
    #[cfg(feature = "program")]
    return super::folders::matches();
    #[cfg(not(feature = "program"))]
    None
}
