//! Practice: a rack of any game, free placement of the balls, and no rules.

use std::sync::Arc;

use bevy::math::Vec2;
use serde::Deserialize;

use super::RACK_GAP;
use crate::{
    billiards::tables::{BallName, Rack, ShippedTable, TableSpec},
    games::rules::{
        BallId, BallPlace, Game, GameTable, Layout, Measure, Player, Region, Remark, Rules, Shot, ShotConstraints,
        Standing, Turn, Verdict,
        options::{OptionKind, OptionSpec, OptionValue, Options},
    },
    notice::mark,
};

/// The entry in the list of games.
pub const GAME: Game = Game {
    name: "practice",
    title: "Practice",
    about: "Any balls, anywhere, no rules.",
    tables: &["pool-9ft", "pool-8ft", "pool-7ft", "snooker-12ft", "carom-10ft"],
    jump_cue: true,
    solo: true,
    measures: &[Measure::Shots, Measure::Potted],
    begin: |table, options| Ok(Box::new(Practice::new(table, options)?)),
    options: &[OptionSpec {
        name: "rack",
        title: mark("Balls"),
        help: mark("Balls on the table at the start"),
        kind: OptionKind::Choice(&[
            (OptionValue::Null, mark("the table's own")),
            (OptionValue::Word("eight-ball"), "8-ball"),
            (OptionValue::Word("nine-ball"), "9-ball"),
            (OptionValue::Word("ten-ball"), "10-ball"),
            (OptionValue::Word("fifteen-ball"), "14.1"),
            (OptionValue::Word("snooker"), mark("Snooker")),
            (OptionValue::Word("straight-rail"), mark("Carom")),
            // The same balls as in straight rail.
            (OptionValue::Word("three-cushion"), ""),
        ]),
        default: OptionValue::Null,
    }],
};

/// The options of practice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct PracticeOptions {
    /// The balls on the table at the start. `None` uses the first rack of the table.
    pub rack: Option<Rack>,
}

/// A table for practice.
#[derive(Clone, Debug)]
pub struct Practice {
    table: Arc<GameTable>,
    balls: Vec<BallName>,
    places: Vec<Vec2>,
    standing: Standing,
}

impl Practice {
    fn new(table: &Arc<GameTable>, options: &Options) -> Result<Self, String> {
        let PracticeOptions { rack } = GAME.read_options(options)?;
        let rack =
            rack.or_else(|| table.spec.racks.first().copied()).ok_or("the table has no default rack; give one")?;
        let balls = rack.balls(&table.spec, RACK_GAP).ok_or_else(|| no_room(rack, &table.spec))?;
        let (names, places) = balls.iter().map(|ball| (ball.name, ball.place.as_vec2())).unzip();
        let standing = Standing::new(Turn::shoot(Player(0), stroke()));
        Ok(Self { table: table.clone(), balls: names, places, standing })
    }
}

/// Why a rack cannot be laid on a table, and on which tables of the game it can.
fn no_room(rack: Rack, table: &TableSpec) -> String {
    let missing = rack.spots().iter().find(|spot| table.spot(spot).is_none()).copied().unwrap_or_default();
    let has_spots = |name: &&str| {
        let table = ShippedTable::named(name).and_then(ShippedTable::spec);
        table.is_ok_and(|table| rack.spots().iter().all(|spot| table.spot(spot).is_some()))
    };
    let tables: Vec<&str> = GAME.tables.iter().copied().filter(has_spots).collect();
    let name = rack.name();
    format!(
        "option rack={name}: the table `{}` has no spot `{missing}`, which this rack needs; set table to {}, or choose another rack",
        table.title,
        tables.join(" or ")
    )
}

/// Any ball, from anywhere.
fn stroke() -> ShotConstraints {
    ShotConstraints { in_hand: Some(Region::Anywhere), ..ShotConstraints::of(BallId(0)) }
}

impl Rules for Practice {
    fn balls(&self) -> &[BallName] {
        &self.balls
    }

    fn layout(&mut self, _seed: u64) -> Layout {
        Layout(self.places.iter().map(|&place| BallPlace::Table(place)).collect())
    }

    fn standing(&self) -> &Standing {
        &self.standing
    }

    fn judge(&mut self, shot: &Shot) -> Verdict {
        let cue_ball = BallId(0);
        let potted = shot.potted().filter(|&(ball, _)| ball != cue_ball).count() as i32;
        self.standing.score[0] += potted;
        self.standing.current_break += potted;
        let mut verdict = Verdict { points: [potted, 0], goes_on: true, ..Verdict::default() };
        if shot.is_potted(cue_ball) {
            verdict.remarks.push(Remark::CueBallPotted);
        }
        verdict.remarks.extend(shot.off_table().map(|ball| Remark::LeftTable(self.balls[ball.index()])));
        if !shot.events.is_empty() && !shot.after.is_on_table(cue_ball) {
            let place = Region::Anywhere.any_place(&self.table, &shot.after, cue_ball);
            verdict.placed.extend(place.map(|place| (cue_ball, BallPlace::Table(place))));
        }
        verdict
    }

    fn boxed(&self) -> Box<dyn Rules> {
        Box::new(self.clone())
    }
}
