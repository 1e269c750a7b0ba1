//! Support for tests of games: shipped tables, and games played by shots in a short notation.

pub(crate) mod random_play;

use std::sync::Arc;

use bevy::math::Vec2;
use serde_json::Value;

use crate::{
    billiards::tables::ShippedTable,
    games::rules::{
        BallId, BallPlace, Call, Choice, CushionId, Game, GameTable, Layout, PocketId, Rules, Shot, ShotConstraints,
        ShotEvent, Task, Verdict,
    },
};

/// A shipped table.
pub(super) fn table(name: &str) -> Arc<GameTable> {
    Arc::new(GameTable::new(ShippedTable::named(name).unwrap().spec().unwrap()).unwrap())
}

/// A game with its balls on a table.
#[derive(Clone, Debug)]
pub(super) struct Played {
    pub(super) rules: Box<dyn Rules>,
    pub(super) table: Arc<GameTable>,
    pub(super) layout: Layout,
}

/// Starts a game on its usual table. The options are JSON, such as `{"push_out": false}`.
pub(super) fn begin(game: &Game, options: &str) -> Played {
    let Value::Object(options) = serde_json::from_str(options).unwrap() else { panic!("{options}") };
    let table = table(game.tables[0]);
    let mut rules = (game.begin)(&table, &options).unwrap();
    let layout = rules.layout(7);
    Played { rules, table, layout }
}

impl Played {
    /// Plays a shot. The call is empty, `3@1` for the 3 into pocket 1, `safe` or `push`. The events, in order, are:
    ///
    /// - `0-3`: balls 0 and 3 hit each other
    /// - `3/2`: ball 3 hits cushion 2
    /// - `3@1`: ball 3 falls into pocket 1
    /// - `3!`: ball 3 leaves the table
    ///
    /// Balls stay in place unless they fall. A cue ball in hand is placed somewhere.
    pub(super) fn shot(&mut self, call: &str, events: &str) -> Verdict {
        self.shot_to(call, events, &[])
    }

    /// Like [`Played::shot`], with these final positions of some balls.
    pub(super) fn shot_to(&mut self, call: &str, events: &str, ends: &[(u8, Vec2)]) -> Verdict {
        let shot = self.make_shot(read_call(call), read_events(events), ends);
        self.judge(&shot)
    }

    /// The shot with these events and the current layout.
    pub(super) fn make_shot(&self, call: Call, events: Vec<ShotEvent>, ends: &[(u8, Vec2)]) -> Shot {
        let stroke = self.stroke();
        let mut before = self.layout.clone();
        if let Some(region) = stroke.in_hand
            && !before.is_on_table(stroke.cue_ball)
        {
            let place = region.any_place(&self.table, &before, stroke.cue_ball).expect("room for the cue ball");
            before[stroke.cue_ball] = BallPlace::Table(place);
        }
        let mut after = before.clone();
        for &(ball, place) in ends {
            after[BallId(ball)] = BallPlace::Table(place);
        }
        for event in &events {
            match *event {
                ShotEvent::Potted(ball, pocket) => after[ball] = BallPlace::Pocket(pocket),
                ShotEvent::OffTable(ball) => after[ball] = BallPlace::Off,
                _ => {}
            }
        }
        Shot { call, before, events, after }
    }

    /// Judges a shot and places the balls.
    pub(super) fn judge(&mut self, shot: &Shot) -> Verdict {
        self.layout = shot.after.clone();
        let verdict = self.rules.judge(shot);
        verdict.place(&mut self.layout);
        self.check();
        verdict
    }

    /// Makes a choice for the player whose turn it is.
    pub(super) fn choose(&mut self, choice: Choice) -> Verdict {
        let verdict = self.rules.choose(choice, &self.layout).unwrap();
        verdict.place(&mut self.layout);
        self.check();
        verdict
    }

    /// The shot to play.
    pub(super) fn stroke(&self) -> ShotConstraints {
        self.rules
            .turn()
            .stroke()
            .unwrap_or_else(|| panic!("no shot is to be played but {:?}", self.rules.turn()))
            .clone()
    }

    /// The available choices.
    pub(super) fn choices(&self) -> Vec<Choice> {
        match &self.rules.turn().task {
            Task::Choose(choices) => choices.clone(),
            task => panic!("nothing is to be chosen but {task:?}"),
        }
    }

    /// The winner, if the game is over and has one.
    pub(super) fn winner(&self) -> Option<u8> {
        match &self.rules.turn().task {
            Task::Over(outcome) => outcome.winner.map(|player| player.0),
            _ => None,
        }
    }

    /// The number of the player to act.
    pub(super) fn player(&self) -> u8 {
        self.rules.turn().player.0
    }

    /// The position of a ball on the table.
    pub(super) fn place(&self, ball: u8) -> Vec2 {
        self.layout[BallId(ball)].on_table().unwrap_or_else(|| panic!("ball {ball} is not on the table"))
    }

    /// Puts balls into a pocket before the next shot.
    pub(super) fn take_away(&mut self, balls: impl IntoIterator<Item = u8>) {
        for ball in balls {
            self.layout[BallId(ball)] = BallPlace::Pocket(PocketId(0));
        }
    }

    /// Checks invariants: the balls on the table do not overlap, and the task is possible with this layout.
    pub(super) fn check(&self) {
        let radius = self.table.ball_radius();
        for (ball, place) in self.layout.on_table() {
            assert!(self.layout.is_free(place, radius, Some(ball)), "{ball:?} overlaps in {self:?}");
        }
        match &self.rules.turn().task {
            Task::Choose(choices) => assert!(!choices.is_empty(), "{self:?}"),
            Task::Shoot(stroke) => {
                let on_table = self.layout.is_on_table(stroke.cue_ball);
                assert_eq!(on_table, stroke.in_hand.is_none(), "the cue ball is on the table or in hand: {self:?}");
                assert!(stroke.on.iter().all(|&ball| self.layout.is_on_table(ball)), "a ball on is gone: {self:?}");
            }
            Task::Over(_) => {}
        }
    }
}

/// Parses a call for [`Played::shot`].
fn read_call(call: &str) -> Call {
    match call {
        "" => Call::default(),
        "safe" => Call { safety: true, ..Call::default() },
        "push" => Call { push_out: true, ..Call::default() },
        _ => match read_events(call)[..] {
            [ShotEvent::Potted(ball, pocket)] => Call::pot(ball, pocket),
            _ => panic!("no call: {call}"),
        },
    }
}

/// Parses events for [`Played::shot`].
pub(super) fn read_events(events: &str) -> Vec<ShotEvent> {
    let number = |text: &str| text.parse::<u8>().unwrap_or_else(|_| panic!("no number in {events}: {text}"));
    let read = |event: &str| match event.split_once(['-', '/', '@', '^']) {
        Some((a, b)) => {
            let (ball, other) = (BallId(number(a)), number(b));
            match event.as_bytes()[a.len()] {
                b'-' => ShotEvent::Balls(ball, BallId(other)),
                b'^' => ShotEvent::Over(ball, BallId(other)),
                b'/' => ShotEvent::Cushion(ball, CushionId(other)),
                _ => ShotEvent::Potted(ball, PocketId(other)),
            }
        }
        None => ShotEvent::OffTable(BallId(number(event.trim_end_matches('!')))),
    };
    events.split_whitespace().map(read).collect()
}
