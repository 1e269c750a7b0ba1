//! A drill as a game for one person: each attempt starts from a position of the drill, and the balls return by
//! themselves. The rack is over after all attempts. It is won with the points that pass, and otherwise a draw.

use std::sync::Arc;

use serde::Deserialize;

use crate::{
    billiards::tables::BallName,
    games::{
        drills::{self, Attempt, Drill, Judged, LaidDrill, LaidPosition},
        rules::{
            BallId, Game, GameTable, Layout, Measure, Note, OptionKind, OptionSpec, OptionValue, Options, Outcome,
            Player, Remark, Rules, Shot, ShotConstraints, Standing, Target, Task, Turn, Verdict,
        },
    },
    notice::mark,
};

/// The entry in the list of games.
pub const GAME: Game = Game {
    name: "drill",
    title: "Drills",
    about: "Positions to play again and again, with a score.",
    tables: &["pool-9ft", "pool-8ft", "pool-7ft", "snooker-12ft", "carom-10ft"],
    jump_cue: true,
    solo: true,
    measures: &[Measure::Points, Measure::Potted, Measure::Shots],
    begin: |table, options| Ok(Box::new(DrillRules::new(table, options)?)),
    options: &[
        OptionSpec {
            name: "drill",
            title: mark("Drill"),
            help: mark("What to practise"),
            kind: OptionKind::Choice(drills::CHOICES),
            default: OptionValue::Null,
        },
        OptionSpec {
            name: "file",
            title: mark("Custom drill"),
            help: mark("A drill from your folder, instead of one that comes with carom"),
            kind: OptionKind::Text("the text of a drill file, or null"),
            default: OptionValue::Null,
        },
    ],
};

/// The longest run of one attempt, shots.
const LONGEST_RUN: u32 = 100;

/// The options of a drill.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct DrillOptions {
    /// The name of a shipped drill. `None` is the first drill of the table.
    pub drill: Option<String>,
    /// The text of a drill file. It comes before `drill`.
    pub file: Option<String>,
}

/// The drill that these options of the game name on this table.
///
/// # Errors
/// An option is invalid, or the drill cannot be laid on this table.
pub fn drill_of(table: &GameTable, options: &Options) -> Result<LaidDrill, String> {
    let DrillOptions { drill, file } = GAME.read_options(options)?;
    if let Some(text) = file {
        let short = if text.len() > 20 { "…" } else { &text };
        let error = |error| format!("option file={short}: give the text of a drill file: {error}");
        return LaidDrill::new(&Drill::parse(&text, "file").map_err(error)?, table).map_err(error);
    }
    if let Some(name) = drill {
        let drill = drills::named(&name).map_err(|error| error.to_string())?;
        return LaidDrill::new(drill, table).map_err(|error| {
            let tables = drill.tables.join(" or ");
            format!("option drill={name}: {error}; set table to {tables}, or choose another drill")
        });
    }
    let mut on_this = drills::shipped().iter().filter(|(_, drill)| drill.is_for(table));
    let first = on_this.find_map(|(_, drill)| LaidDrill::new(drill, table).ok());
    first.ok_or_else(|| "no shipped drill can be laid on this table; set option drill".to_owned())
}

/// A drill that is being played.
#[derive(Clone, Debug)]
pub struct DrillRules {
    drill: Arc<LaidDrill>,
    standing: Standing,
    /// The current attempt, from 0.
    attempt: u32,
    /// The shots of this attempt.
    shots: u32,
}

impl DrillRules {
    fn new(table: &Arc<GameTable>, options: &Options) -> Result<Self, String> {
        let drill = Arc::new(drill_of(table, options)?);
        let standing = Standing::new(Turn::shoot(Player(0), stroke(&drill, 0)));
        Ok(Self { drill, standing, attempt: 0, shots: 0 })
    }

    fn position(&self) -> &LaidPosition {
        &self.drill.positions[self.drill.position_of(self.attempt)]
    }

    /// Whether the attempt continues after a shot with these points.
    fn runs_on(&self, points: i32, shot: &Shot) -> bool {
        let objects = shot.after.on_table().any(|(ball, _)| ball != BallId(0));
        self.drill.drill.attempt == Attempt::Run && points > 0 && objects && self.shots < LONGEST_RUN
    }

    /// Starts the next attempt, or ends the rack after the last one.
    fn end_attempt(&mut self, verdict: &mut Verdict, after: &Layout) {
        let Drill { attempts, pass, .. } = self.drill.drill;
        verdict.remarks.push(Remark::AttemptScored(self.standing.current_break));
        self.attempt += 1;
        self.shots = 0;
        let score = self.standing.score[0];
        if self.attempt >= attempts {
            verdict.remarks.push(Remark::DrillOver(score, pass));
            verdict.goes_on = false;
            let winner = (score >= pass).then_some(Player(0));
            self.standing.turn.task = Task::Over(Outcome { winner });
            return;
        }
        self.standing.current_break = 0;
        verdict.placed = after.changes(&self.position().layout);
        self.standing.turn = Turn::shoot(Player(0), stroke(&self.drill, self.attempt));
    }
}

/// The first stroke of an attempt, from 0.
fn stroke(drill: &LaidDrill, attempt: u32) -> ShotConstraints {
    let position = drill.position_of(attempt);
    let LaidPosition { layout, in_hand, .. } = &drill.positions[position];
    let on = drill.balls_on(position, layout);
    ShotConstraints { in_hand: *in_hand, on, ..ShotConstraints::of(BallId(0)) }
}

impl Rules for DrillRules {
    fn balls(&self) -> &[BallName] {
        &self.drill.balls
    }

    fn layout(&mut self, _seed: u64) -> Layout {
        self.position().layout.clone()
    }

    fn standing(&self) -> &Standing {
        &self.standing
    }

    fn judge(&mut self, shot: &Shot) -> Verdict {
        if self.standing.turn.stroke().is_none() {
            return Verdict::default();
        }
        let Judged { points, fouls, remarks } = self.drill.judge(self.drill.position_of(self.attempt), shot);
        self.standing.score[0] += points;
        self.standing.current_break += points;
        self.shots += 1;
        let mut verdict = Verdict { points: [points, 0], goes_on: true, fouls, remarks, ..Verdict::default() };
        if self.runs_on(points, shot) {
            let on = self.drill.balls_on(self.drill.position_of(self.attempt), &shot.after);
            self.standing.turn = Turn::shoot(Player(0), ShotConstraints { on, ..ShotConstraints::of(BallId(0)) });
        } else {
            self.end_attempt(&mut verdict, &shot.after);
        }
        verdict
    }

    fn notes(&self, player: Player) -> Vec<Note> {
        let of = self.drill.drill.attempts;
        let number = (self.attempt + 1).min(of);
        if player == Player(0) { vec![Note::Attempt { number, of }] } else { Vec::new() }
    }

    fn points_to_win(&self, player: Player) -> Option<u32> {
        (player == Player(0)).then(|| self.drill.drill.pass.unsigned_abs())
    }

    fn title(&self) -> Option<&str> {
        Some(&self.drill.drill.title)
    }

    fn targets(&self) -> &[Target] {
        &self.position().targets
    }

    fn boxed(&self) -> Box<dyn Rules> {
        Box::new(self.clone())
    }
}
