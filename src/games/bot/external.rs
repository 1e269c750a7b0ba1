//! A bot that is another program. It reads the position as a line of JSON on its standard input, and answers with an
//! action as a line of JSON on its standard output. `docs/src/bots.md` describes both. A bad answer is a
//! [`Pass`](Action::Pass), which is a foul. So is a late answer; the program is then killed, and restarted for the next
//! question. A program that still owes an answer when the next question comes is also restarted, for example after the
//! shot clock has run out.
//! A shell runs the command line unchanged. On Unix all processes that it starts form one process group, which ends
//! with the bot or with carom.

#[cfg(unix)]
use std::os::unix::process::CommandExt;
use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader, Write},
    process::{Child, Command, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel},
    thread,
    time::{Duration, Instant},
};

use bevy::math::DVec2;
use serde::Serialize;
use serde_json::Value;

use super::{Bot, Complaint, GameState};
use crate::{
    billiards::{
        cue::Cue,
        tables::{BaulkSpec, CircleSpec},
    },
    games::rules::{Action, BallId, BallPlace, CallNeeded, Choice, Layout, Player, Region, Task},
};

/// The default time limit for an answer.
pub const TIME_LIMIT: Duration = Duration::from_secs(10);

/// The length of one wait.
const SLICE: Duration = Duration::from_millis(2);

/// The longest answer, bytes. A longer line is cut off.
const LONGEST_ANSWER: u64 = 1 << 16;

/// The most preparations before a shot. Without this limit, a program that only places the ball in hand or changes the
/// cue could stall a match forever.
const MOST_PREPARATIONS: u32 = 8;

/// An external program as a player.
#[derive(Debug)]
pub struct External {
    name: String,
    command: String,
    time_limit: Duration,
    program: Option<Program>,
    /// When the pending question was asked.
    asked: Option<Instant>,
    /// The most recent complaint.
    complaint: Option<Complaint>,
    /// Whether the program has ever answered.
    has_answered: bool,
    /// The position in the last question.
    state: Option<GameState>,
    /// The layout after its last preparation, and the number of its preparations in a row.
    prepared: Option<(Layout, u32)>,
}

/// A running program.
#[derive(Debug)]
struct Program {
    child: Child,
    #[cfg(unix)]
    _group: Group,
    questions: Sender<String>,
    answers: Receiver<Answer>,
}

/// The output of the program.
#[derive(Debug)]
enum Answer {
    /// A complete line.
    Line(String),
    /// A line longer than [`LONGEST_ANSWER`].
    Endless,
}

/// The most unread answers. A program that writes more blocks until they are read.
const UNREAD: usize = 16;

/// The question, sent as one line.
#[derive(Serialize)]
struct Question<'a> {
    game: &'static str,
    #[serde(flatten)]
    table: TableLine<'a>,
    balls: Vec<BallLine>,
    player: Player,
    score: [i32; 2],
    #[serde(rename = "break")]
    current_break: i32,
    /// The notes of player 0 and of player 1.
    notes: [Vec<String>; 2],
    #[serde(flatten)]
    task: TaskLine<'a>,
}

/// The constant data of the table. Lengths are in metres.
#[derive(Serialize)]
struct TableLine<'a> {
    length: f64,
    width: f64,
    radius: f64,
    pockets: Vec<[f32; 2]>,
    /// Whether the balls are flat discs, which slide instead of rolling.
    flat: bool,
    sliding: f64,
    rolling: f64,
    ball_mass: f64,
    cue: &'a Cue,
    head_string: Option<f64>,
    baulk: Option<BaulkSpec>,
    spots: BTreeMap<&'a str, DVec2>,
    lines: BTreeMap<&'a str, f64>,
    circles: &'a [CircleSpec],
}

#[derive(Serialize)]
struct BallLine {
    id: BallId,
    name: String,
    points: i32,
    place: BallPlace,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum TaskLine<'a> {
    Shoot {
        cue_ball: BallId,
        on: &'a [BallId],
        in_hand: Option<Region>,
        call: &'static str,
        may_call: &'a [BallId],
        may_play_safe: bool,
        may_push_out: bool,
        is_break: bool,
        is_free_ball: bool,
    },
    Choose(&'a [Choice]),
}

impl External {
    /// A bot that runs this command line.
    #[must_use]
    pub fn new(name: impl Into<String>, command: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            command: command.into(),
            time_limit: TIME_LIMIT,
            program: None,
            asked: None,
            complaint: None,
            has_answered: false,
            state: None,
            prepared: None,
        }
    }

    /// The same bot with another time limit for an answer.
    #[must_use]
    pub fn with_time_limit(self, time_limit: Duration) -> Self {
        Self { time_limit, ..self }
    }

    /// Forfeits the turn.
    fn pass(&mut self, why: String) -> Action {
        self.give_up(why, false)
    }

    fn give_up(&mut self, why: String, is_hopeless: bool) -> Action {
        tracing::warn!("{}: {why}; it counts as a shot that hits nothing", self.name);
        self.complaint = Some(Complaint { why, is_hopeless });
        (self.asked, self.prepared) = (None, None);
        Action::Pass
    }

    /// Forfeits the turn because the program has ended.
    fn pass_as_it_has_ended(&mut self) -> Action {
        // The program has closed its output and probably ends soon.
        let mut program = self.program.take();
        let mut status = None;
        for _ in 0..50 {
            status = program.as_mut().and_then(|program| program.child.try_wait().ok().flatten());
            if status.is_some() {
                break;
            }
            thread::sleep(SLICE);
        }
        let ended =
            status.map_or_else(|| "it has closed its output".to_owned(), |status| format!("it has ended, {status}"));
        if self.has_answered {
            return self.pass(ended);
        }
        self.give_up(format!("`{}` cannot be started, or ends before it answers ({ended})", self.command), true)
    }

    /// Interprets a line of an answer.
    fn read(&mut self, line: &str) -> Action {
        self.has_answered = true;
        let action = match read_action(line) {
            Ok(action) => action,
            Err(why) => {
                let said: String = line.chars().take(80).collect();
                return self.pass(format!("it answered `{said}`, which is not a valid action ({why})"));
            }
        };
        if !action.is_preparation() {
            (self.asked, self.prepared) = (None, None);
            return self.raised(action);
        }
        let before = self.prepared.take().map_or(0, |(_, preparations)| preparations);
        if before >= MOST_PREPARATIONS {
            return self.pass(format!("it has prepared {MOST_PREPARATIONS} times without a shot"));
        }
        let layout = |state: &GameState| match action {
            Action::Place(place) => state.played_from(place),
            _ => state.layout.clone(),
        };
        self.prepared = self.state.as_ref().map(|state| (layout(state), before + 1));
        self.asked = None;
        action
    }

    /// The same action, with the cue raised over obstacles behind the cue ball.
    fn raised(&self, action: Action) -> Action {
        let Action::Shoot { call, strike } = action else { return action };
        let Some(state) = &self.state else { return action };
        let GameState { rules, layout, .. } = state;
        let from = rules.turn().stroke().and_then(|stroke| layout.0.get(stroke.cue_ball.index())?.on_table());
        Action::Shoot { call, strike: from.map_or(strike, |from| state.raised(from, strike)) }
    }
}

impl Bot for External {
    fn name(&self) -> &str {
        &self.name
    }

    fn consider(&mut self, state: GameState) {
        if self.asked.replace(Instant::now()).is_some() {
            // The program still owes an answer to the last question, which could be mistaken for an answer to this one.
            self.program = None;
        }
        self.complaint = None;
        // The turn may have ended in between, for example as the shot clock has run out or the placement was refused.
        if self.prepared.as_ref().is_some_and(|(layout, _)| *layout != state.layout) {
            self.prepared = None;
        }
        let question = question(&state);
        self.state = Some(state);
        let Some(question) = question else { return };
        if let Some(program) = &self.program {
            // Discards unrequested output. A program that starts now may answer at once.
            for _ in 0..=UNREAD {
                let _ = program.answers.try_recv();
            }
        } else {
            match Program::begin(&self.command) {
                Ok(program) => self.program = Some(program),
                Err(error) => {
                    let why = format!("`{}` cannot be started ({error})", self.command);
                    self.complaint = Some(Complaint { why, is_hopeless: true });
                }
            }
        }
        if let Some(program) = &self.program {
            // If the program has ended, the missing answer will show it.
            let _ = program.questions.send(question);
        }
    }

    fn complaint(&self) -> Option<&Complaint> {
        self.complaint.as_ref()
    }

    fn think(&mut self, _shots: u32) -> Option<Action> {
        let asked = self.asked?;
        let Some(program) = &self.program else {
            let complaint = self.complaint.take().map(|complaint| (complaint.why, complaint.is_hopeless));
            let (why, is_hopeless) = complaint.unwrap_or_else(|| ("there is no program to ask".to_owned(), false));
            return Some(self.give_up(why, is_hopeless));
        };
        match program.answers.recv_timeout(SLICE) {
            Ok(Answer::Line(line)) => Some(self.read(&line)),
            Ok(Answer::Endless) => {
                // The rest of the line could be mistaken for later answers.
                self.program = None;
                Some(self.pass(format!("its answer is longer than {LONGEST_ANSWER} bytes")))
            }
            Err(RecvTimeoutError::Timeout) if asked.elapsed() < self.time_limit => None,
            Err(RecvTimeoutError::Timeout) => {
                // A late answer could be mistaken for an answer to the next question.
                self.program = None;
                Some(self.pass(format!("no answer within {} s", self.time_limit.as_secs_f32())))
            }
            Err(RecvTimeoutError::Disconnected) => Some(self.pass_as_it_has_ended()),
        }
    }
}

/// Parses an action. Missing parts of a call are not called, and missing parts of a stroke are zero. Speed and
/// direction are required.
fn read_action(line: &str) -> Result<Action, String> {
    let value: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
    if let Some(strike) = value.get("Shoot").and_then(|shoot| shoot.get("strike"))
        && let Some(missing) = ["speed", "direction"].into_iter().find(|key| strike.get(key).is_none())
    {
        return Err(format!("its `strike` has no `{missing}`"));
    }
    let mut action: Action = serde_json::from_value(value).map_err(|error| error.to_string())?;
    if let Action::Shoot { strike, .. } = &mut action {
        strike.direction = strike.aim();
        if strike.direction == DVec2::ZERO {
            return Err("its `direction` is [0, 0]; give a vector of non-zero length".to_owned());
        }
    }
    Ok(action)
}

/// The line sent to the program, or `None` if there is nothing to do.
fn question(state: &GameState) -> Option<String> {
    let GameState { game, rules, layout, table, cue, .. } = state;
    let task = match &rules.turn().task {
        Task::Shoot(stroke) => TaskLine::Shoot {
            cue_ball: stroke.cue_ball,
            on: &stroke.on,
            in_hand: stroke.in_hand,
            call: match stroke.call {
                CallNeeded::Nothing => "nothing",
                CallNeeded::Ball => "ball",
                CallNeeded::BallAndPocket => "ball and pocket",
            },
            may_call: &stroke.may_call,
            may_play_safe: stroke.may_play_safe,
            may_push_out: stroke.may_push_out,
            is_break: stroke.is_break,
            is_free_ball: stroke.is_free_ball,
        },
        Task::Choose(choices) => TaskLine::Choose(choices),
        Task::Over(_) => return None,
    };
    let ball = |id: BallId| {
        let name = rules.balls()[id.index()];
        BallLine { id, name: name.to_string(), points: rules.value(id), place: layout[id] }
    };
    let spec = &table.spec;
    let question = Question {
        game,
        table: TableLine {
            length: spec.length,
            width: spec.width,
            radius: spec.ball.radius,
            pockets: table.built.holes.iter().map(|hole| hole.mouth.as_vec2().to_array()).collect(),
            flat: table.plays_stones(),
            sliding: spec.cloth.sliding,
            rolling: spec.cloth.rolling,
            ball_mass: spec.ball.mass,
            cue,
            head_string: spec.head_string,
            baulk: spec.baulk,
            spots: spec.spots.iter().map(|spot| (spot.name.as_str(), spot.place)).collect(),
            lines: spec.lines.iter().map(|line| (line.name.as_str(), line.x)).collect(),
            circles: &spec.circles,
        },
        balls: layout.balls().map(ball).collect(),
        player: rules.turn().player,
        score: rules.score(),
        current_break: rules.current_break(),
        notes: [Player(0), Player(1)].map(|player| rules.notes(player).iter().map(ToString::to_string).collect()),
        task,
    };
    serde_json::to_string(&question).ok()
}

impl Program {
    /// Starts the program, with a writer thread and a reader thread, so that the match never blocks on it.
    fn begin(command: &str) -> std::io::Result<Self> {
        let mut shell = if cfg!(windows) { Command::new("cmd") } else { Command::new("sh") };
        shell.args([if cfg!(windows) { "/C" } else { "-c" }, command]);
        shell.stdin(Stdio::piped()).stdout(Stdio::piped());
        #[cfg(unix)]
        let group = Group::begin()?;
        #[cfg(unix)]
        group.add(&mut shell);
        let mut child = shell.spawn()?;
        let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(std::io::Error::other("it has no standard input or output"));
        };
        let (questions, to_ask) = channel::<String>();
        thread::spawn(move || {
            for question in to_ask {
                if writeln!(stdin, "{question}").and_then(|()| stdin.flush()).is_err() {
                    break;
                }
            }
        });
        let (say, answers) = sync_channel(UNREAD);
        thread::spawn(move || {
            let mut reader = BufReader::new(stdout);
            loop {
                let mut line = Vec::new();
                let read = std::io::Read::take(&mut reader, LONGEST_ANSWER).read_until(b'\n', &mut line);
                let is_endless = line.len() as u64 >= LONGEST_ANSWER && line.last() != Some(&b'\n');
                let answer = if is_endless {
                    Answer::Endless
                } else {
                    Answer::Line(String::from_utf8_lossy(&line).trim().to_owned())
                };
                if !matches!(read, Ok(1..)) || say.send(answer).is_err() || is_endless {
                    break;
                }
            }
        });
        Ok(Self {
            child,
            #[cfg(unix)]
            _group: group,
            questions,
            answers,
        })
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // Dropping the group kills the child processes.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The process group of a program. Its leader is a shell that kills the group when the shell's input closes. That
/// happens when this value is dropped, and whenever carom ends.
#[cfg(unix)]
#[derive(Debug)]
struct Group(Child);

#[cfg(unix)]
impl Group {
    fn begin() -> std::io::Result<Self> {
        let mut leader = Command::new("sh");
        leader.args(["-c", "read -r _; kill -KILL 0"]).process_group(0);
        leader.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().map(Self)
    }

    /// Makes a program start in this group.
    fn add(&self, program: &mut Command) {
        program.process_group(self.0.id().cast_signed());
    }
}

#[cfg(unix)]
impl Drop for Group {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

#[cfg(all(test, unix))]
mod tests;
