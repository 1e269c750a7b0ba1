//! A bot that is another program: it gets the position as a line of JSON on its standard input, and answers with an action as a line of JSON on its standard output.
//! `docs/games.md` describes both. A bad answer is a [`Pass`](Action::Pass), which is a foul, and so is a late one: then the program is ended, and begun anew for the next
//! question.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, Command, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel},
    thread,
    time::{Duration, Instant},
};

use serde::Serialize;

use super::{Bot, Position, value::points_of};
use crate::games::{Action, BallId, BallPlace, CallNeeded, Choice, Region, Stroke, Task};

/// How long a program may take for an answer, unless somebody says otherwise.
pub const TIME_LIMIT: Duration = Duration::from_secs(10);

/// How long one slice of waiting is.
const SLICE: Duration = Duration::from_millis(2);

/// Answers are no longer than this, bytes: a program that writes without end is cut off.
const LONGEST_ANSWER: u64 = 1 << 16;

/// A program that plays.
#[derive(Debug)]
pub struct External {
    name: String,
    command: String,
    time_limit: Duration,
    program: Option<Program>,
    /// Since when an answer is awaited.
    asked: Option<Instant>,
    /// What it did wrong last, for a log.
    complaint: Option<String>,
}

/// A program that runs.
#[derive(Debug)]
struct Program {
    child: Child,
    questions: Sender<String>,
    answers: Receiver<String>,
}

/// So many answers wait to be read; a program that talks on waits then.
const UNREAD: usize = 16;

/// What the program is told: one line.
#[derive(Serialize)]
struct Question<'a> {
    /// Length and width between the noses, and the radius of a ball, metres.
    length: f64,
    width: f64,
    radius: f64,
    pockets: Vec<[f32; 2]>,
    balls: Vec<BallLine>,
    player: u8,
    score: [i32; 2],
    #[serde(flatten)]
    task: TaskLine<'a>,
}

#[derive(Serialize)]
struct BallLine {
    id: BallId,
    name: String,
    points: f32,
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
        may_play_safe: bool,
        may_push_out: bool,
        is_break: bool,
    },
    Choose(&'a [Choice]),
}

impl External {
    /// A program by the command line that begins it.
    #[must_use]
    pub fn new(name: impl Into<String>, command: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            command: command.into(),
            time_limit: TIME_LIMIT,
            program: None,
            asked: None,
            complaint: None,
        }
    }

    /// The same with so much time for an answer.
    #[must_use]
    pub fn with_time_limit(self, time_limit: Duration) -> Self {
        Self { time_limit, ..self }
    }

    /// What it did wrong last, in a sentence.
    #[must_use]
    pub fn complaint(&self) -> Option<&str> {
        self.complaint.as_deref()
    }

    /// Its turn is lost.
    fn pass(&mut self, why: String) -> Action {
        tracing::warn!("{}: {why}; it counts as a foul", self.name);
        self.complaint = Some(why);
        self.asked = None;
        Action::Pass
    }
}

impl Bot for External {
    fn name(&self) -> &str {
        &self.name
    }

    fn consider(&mut self, position: Position) {
        self.asked = Some(Instant::now());
        let Some(question) = question(&position) else { return };
        if self.program.is_none() {
            match Program::begin(&self.command) {
                Ok(program) => self.program = Some(program),
                Err(error) => {
                    self.complaint = Some(format!("`{}` cannot be started ({error})", self.command));
                }
            }
        }
        if let Some(program) = &self.program {
            // What it said unasked answers nothing.
            for _ in 0..=UNREAD {
                let _ = program.answers.try_recv();
            }
            // A program that has ended is found out when no answer comes.
            let _ = program.questions.send(question);
        }
    }

    fn think(&mut self, _shots: u32) -> Option<Action> {
        let asked = self.asked?;
        let Some(program) = &self.program else {
            let why = self.complaint.take().unwrap_or_else(|| "there is no program to ask".to_owned());
            return Some(self.pass(why));
        };
        match program.answers.recv_timeout(SLICE) {
            Ok(line) => match serde_json::from_str::<Action>(&line) {
                Ok(Action::TakeBack) => {
                    Some(self.pass("it wants to take a shot back, which players alone may".to_owned()))
                }
                Ok(action) => {
                    self.asked = None;
                    Some(action)
                }
                Err(error) => {
                    let said: String = line.chars().take(80).collect();
                    Some(self.pass(format!("it answered `{said}`, which is no action ({error})")))
                }
            },
            Err(RecvTimeoutError::Timeout) if asked.elapsed() < self.time_limit => None,
            Err(RecvTimeoutError::Timeout) => {
                // Whatever it would still answer is not an answer to the next question.
                self.program = None;
                Some(self.pass(format!("no answer within {} s", self.time_limit.as_secs_f32())))
            }
            Err(RecvTimeoutError::Disconnected) => {
                self.program = None;
                Some(self.pass("it has ended".to_owned()))
            }
        }
    }
}

/// The line that the program gets; none where there is nothing to be done.
fn question(position: &Position) -> Option<String> {
    let Position { rules, layout, table, .. } = position;
    let task = match &rules.turn().task {
        Task::Shoot(Stroke { cue_ball, on, in_hand, call, may_play_safe, may_push_out, is_break, .. }) => {
            TaskLine::Shoot {
                cue_ball: *cue_ball,
                on,
                in_hand: *in_hand,
                call: match call {
                    CallNeeded::Nothing => "nothing",
                    CallNeeded::Ball => "ball",
                    CallNeeded::BallAndPocket => "ball and pocket",
                },
                may_play_safe: *may_play_safe,
                may_push_out: *may_push_out,
                is_break: *is_break,
            }
        }
        Task::Choose(choices) => TaskLine::Choose(choices),
        Task::Over(_) => return None,
    };
    let ball = |id: BallId| {
        let name = rules.balls()[id.index()];
        BallLine { id, name: name.to_string(), points: points_of(name), place: layout[id] }
    };
    let question = Question {
        length: table.spec.length,
        width: table.spec.width,
        radius: table.spec.ball.radius,
        pockets: table.built.holes.iter().map(|hole| hole.mouth.as_vec2().to_array()).collect(),
        balls: layout.balls().map(ball).collect(),
        player: rules.turn().player.0,
        score: rules.score(),
        task,
    };
    serde_json::to_string(&question).ok()
}

impl Program {
    /// Starts it, with a thread that writes to it and one that reads: neither ever keeps the match waiting.
    fn begin(command: &str) -> std::io::Result<Self> {
        let mut shell = if cfg!(windows) { Command::new("cmd") } else { Command::new("sh") };
        // So that ending the shell ends the program.
        let shell =
            if cfg!(windows) { shell.args(["/C", command]) } else { shell.args(["-c", &format!("exec {command}")]) };
        let mut child = shell.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
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
                if !matches!(read, Ok(1..)) || say.send(String::from_utf8_lossy(&line).trim().to_owned()).is_err() {
                    break;
                }
            }
        });
        Ok(Self { child, questions, answers })
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::games::{Match, MatchSpec};

    fn answer(command: &str) -> (Action, External) {
        let spec = MatchSpec { game: "practice".to_owned(), ..MatchSpec::default() };
        let mut bot = External::new("a program", command).with_time_limit(Duration::from_millis(700));
        bot.consider(Match::new(spec).unwrap().position());
        let action = loop {
            if let Some(action) = bot.think(1) {
                break action;
            }
        };
        (action, bot)
    }

    #[test]
    fn a_program_is_asked_in_a_line_and_answers_in_one() {
        let (action, bot) = answer(
            r#"sh -c 'read line; case "$line" in *shoot*cue_ball*) echo "{\"Place\":[0.25,-0.5]}";; esac; cat'"#,
        );
        assert_eq!(action, Action::Place(bevy::math::Vec2::new(0.25, -0.5)), "{bot:?}");
    }

    #[test]
    fn a_stroke_may_leave_out_what_it_does_not_need() {
        let (action, _) = answer(r#"echo '{"Shoot":{"strike":{"speed":2,"direction":[0,1]}}}'"#);
        let Action::Shoot { call, strike } = action else { panic!("{action:?}") };
        assert_eq!((call, strike.speed, strike.side), (crate::games::Call::default(), 2.0, 0.0));
    }

    #[test]
    fn one_that_hangs_or_talks_nonsense_or_is_not_there_loses_its_turn() {
        for (command, why) in [
            ("sleep 60", "no answer within 0.7 s"),
            ("echo I would rather not", "`I would rather not`, which is no action"),
            ("echo '\"TakeBack\"'", "take a shot back"),
            ("true", "it has ended"),
            ("/nowhere/bot 2>/dev/null", "it has ended"),
            ("yes a; true", "which is no action"),
        ] {
            let begin = Instant::now();
            let (action, bot) = answer(command);
            assert_eq!(action, Action::Pass, "{command}");
            assert!(bot.complaint().unwrap().contains(why), "{command}: {:?}", bot.complaint());
            assert!(begin.elapsed() < Duration::from_secs(5), "{command}");
        }
    }
}
