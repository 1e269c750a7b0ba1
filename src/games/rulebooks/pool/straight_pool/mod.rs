//! Straight pool, also called 14.1 continuous, by section 4 of the rules. Any called ball scores a point. When one ball
//! is left, the other fourteen are racked again.

use std::sync::Arc;

use bevy::math::{Vec2, primitives::Segment2d};
use serde::Deserialize;

use super::{
    options::THREE_FOULS,
    rack::FoulsInARow,
    wpa::{CUE_BALL, Setting, TABLES, makes_call, potted_object_balls, shuffle},
};
use crate::{
    billiards::tables::{BallName, Rack},
    games::{
        rulebooks::ruling::{Chosen, Decision, RuleBook, Ruling, choose, judge, points_of},
        rules::{
            BallId, BallPlace, CallNeeded, Choice, Foul, Game, GameTable, Layout, Measure, Note, Player, Refusal,
            Region, Remark, Rules, Shot, ShotConstraints, Standing, Turn, Verdict,
            options::{OptionKind, OptionSpec, OptionValue, Options},
        },
    },
    notice::mark,
    random::Random,
};

/// The entry in the list of games.
pub const GAME: Game = Game {
    name: "straight-pool",
    title: "Straight pool (14.1)",
    about: "Call any ball; each scores a point. Long runs continue from rack to rack.",
    tables: TABLES,
    jump_cue: true,
    solo: false,
    measures: Measure::POTTED_POINTS,
    begin: |table, options| Ok(Box::new(StraightPool::new(table, options)?)),
    options: &[
        OptionSpec {
            name: "points",
            title: mark("Points"),
            help: mark("Points needed to win"),
            kind: OptionKind::Number { allowed: 1..=i32::MAX as u32, suggested: 1..=1000 },
            default: OptionValue::Number(100),
        },
        THREE_FOULS,
    ],
};

/// The options of straight pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct StraightPoolOptions {
    /// The points that win, at least 1. Default: 100.
    pub points: u32,
    /// Whether the third foul in a row costs fifteen more points. Default: true.
    pub three_fouls: bool,
}

/// Points lost by a foul (4.9), by a breaking foul (4.10), and in addition by the third foul in a row (4.11).
const FOUL: i32 = 1;
const BREAKING_FOUL: i32 = 2;
const THIRD_FOUL: i32 = 15;

/// The object balls, besides the cue ball, that an opening break without a pot has to drive to a rail (4.3).
const DRIVEN_BY_BREAK: usize = 2;

/// A game of straight pool.
#[derive(Clone, Debug)]
struct StraightPool {
    options: StraightPoolOptions,
    setting: Arc<Setting>,
    random: Random,
    standing: Standing,
    fouls: FoulsInARow,
}

impl StraightPool {
    fn new(table: &Arc<GameTable>, options: &Options) -> Result<Self, String> {
        let options: StraightPoolOptions = GAME.read_options(options)?;
        let setting = Arc::new(Setting::new(GAME.name, table, Rack::FifteenBall)?);
        let standing = Standing::new(Turn::shoot(Player(0), opening_break()));
        let fouls = FoulsInARow::new(options.three_fouls);
        Ok(Self { options, setting, random: Random::new(0), standing, fouls })
    }

    fn order(&mut self) -> Vec<BallId> {
        let mut order: Vec<BallId> = self.setting.object_balls().collect();
        shuffle(&mut order, &mut self.random);
        order
    }

    fn object_balls_on(&self, layout: &Layout) -> Vec<BallId> {
        self.setting.object_balls().filter(|&ball| layout.is_on_table(ball)).collect()
    }

    /// Whether an opening break neither potted the called ball nor drove the cue ball and two others to a rail (4.3).
    fn is_breaking_foul(&self, shot: &Shot) -> bool {
        let driven = self.setting.driven_to_rails(shot, 0);
        let object_balls = driven.iter().filter(|&&ball| ball != CUE_BALL).count();
        let is_driven = driven.contains(&CUE_BALL) && object_balls >= DRIVEN_BY_BREAK;
        !makes_call(shot) && !is_driven
    }

    /// Racks all fifteen balls for an opening break.
    fn rack_for_break(&mut self, layout: &mut Layout) {
        let order = self.order();
        *layout = self.setting.racked(&order);
    }

    /// The points that a player still needs.
    fn to_go(&self, player: Player) -> i32 {
        (self.options.points as i32).saturating_sub(self.standing.score[player.index()])
    }

    /// Whether a ball here interferes with a rack: it is within or over the outline of the fifteen balls (4.8).
    fn interferes(&self, place: Vec2) -> bool {
        let diameter = 2.0 * self.setting.table.ball_radius();
        let places = &self.setting.places;
        let [tip, left, right] = [0, 10, 14].map(|corner| places[corner]);
        let mut sides = [(tip, left), (left, right), (right, tip)].into_iter();
        sides.any(|(a, b)| Segment2d::new(a, b).closest_point(place).distance(place) < diameter)
            || places.iter().any(|racked| racked.distance(place) < diameter)
    }

    /// Whether a ball here blocks a spot.
    fn blocks(&self, place: Vec2, spot: Vec2) -> bool {
        place.distance(spot) < 2.0 * self.setting.table.ball_radius()
    }

    /// Racks fourteen balls, or fifteen if the last one was also potted (`fell_last` is the last ball to fall). The cue
    /// ball and the last ball go where the table in 4.8 puts them. The remark says how many balls were racked.
    fn rack_again(&mut self, fell_last: Option<BallId>, layout: &mut Layout) -> Remark {
        let [head, centre] = ["head", "centre"].map(|name| self.setting.spot_named(name));
        let cue_ball = layout[CUE_BALL].on_table();
        let cue_ball_in_rack = cue_ball.is_some_and(|place| self.interferes(place));
        let last = layout.on_table().find(|&(ball, _)| ball != CUE_BALL);
        let mut order = self.order();
        if cue_ball_in_rack {
            layout[CUE_BALL] = BallPlace::Hand;
        }
        match last {
            Some((last, place)) if !(cue_ball_in_rack && self.interferes(place)) => {
                if self.interferes(place) {
                    let head_is_blocked = cue_ball.is_some_and(|place| self.blocks(place, head));
                    layout[last] = BallPlace::Table(if head_is_blocked { centre } else { head });
                } else if cue_ball_in_rack && self.blocks(place, head) {
                    layout[CUE_BALL] = BallPlace::Table(centre);
                } else if cue_ball_in_rack && self.setting.is_behind_head_string(place) {
                    layout[CUE_BALL] = BallPlace::Table(head);
                }
                order.retain(|&ball| ball != last);
                // The apex stays empty.
                self.put_into_rack(&order, 1, layout);
                Remark::FourteenRacked
            }
            _ => {
                // The fifteenth ball goes to the foot spot, which is the apex.
                let fifteenth = last.map(|(last, _)| last).or(fell_last);
                order.sort_by_key(|&ball| Some(ball) != fifteenth);
                self.put_into_rack(&order, 0, layout);
                Remark::FifteenRacked
            }
        }
    }

    /// Puts balls on the places of the rack, starting at this one.
    fn put_into_rack(&self, balls: &[BallId], from: usize, layout: &mut Layout) {
        for (&ball, &place) in balls.iter().zip(&self.setting.places[from..]) {
            layout[ball] = BallPlace::Table(place);
        }
    }

    /// Carries out a choice.
    fn follow(&mut self, chosen: &mut Chosen) -> Turn {
        let Chosen { player, choice, ref mut layout, .. } = *chosen;
        if choice == Choice::LetBreak {
            self.rack_for_break(layout);
            return Turn::shoot(player.other(), opening_break());
        }
        if layout.is_on_table(CUE_BALL) {
            return Turn::shoot(player, stroke());
        }
        if choice == Choice::SpotNearest
            && let Some(nearest) = self.setting.nearest_behind_head_string(&stroke(), layout)
        {
            self.setting.spot(nearest, layout);
        }
        Turn::shoot(player, ShotConstraints { in_hand: Some(Region::BehindHeadString), ..stroke() })
    }
}

impl RuleBook for StraightPool {
    fn fouls(&self, ruling: &Ruling) -> Vec<Foul> {
        let Ruling { player, shot, stroke, .. } = ruling;
        let mut fouls = self.setting.fouls(shot, stroke, false);
        // If a shot is both a standard and a breaking foul, the breaking foul counts (4.10). It is not one of three in
        // a row (4.11).
        let is_breaking_foul = stroke.is_break && self.is_breaking_foul(shot);
        let third = self.fouls.third(*player, &fouls);
        fouls.extend(if is_breaking_foul { Some(Foul::IllegalBreak) } else { third });
        fouls
    }

    fn decide(&self, ruling: &Ruling) -> Decision {
        let [missing, points] = [self.to_go(ruling.player), ruling.points[ruling.player.index()]];
        if points >= missing {
            return Decision::Won(ruling.player);
        }
        // A safety or a miss ends the turn (4.6).
        Decision::go_on_if(ruling.is_clean() && makes_call(ruling.shot))
    }

    fn points(&self, ruling: &Ruling) -> [i32; 2] {
        let has = |foul| ruling.fouls.contains(&foul);
        let points = if has(Foul::IllegalBreak) {
            -BREAKING_FOUL
        } else if has(Foul::ThirdFoul) {
            -FOUL - THIRD_FOUL
        } else if !ruling.is_clean() {
            -FOUL
        } else if makes_call(ruling.shot) {
            potted_object_balls(ruling.shot).len() as i32
        } else {
            0
        };
        points_of(ruling.player, points)
    }

    fn count(&mut self, ruling: &mut Ruling) {
        let player = ruling.player;
        if ruling.fouls.contains(&Foul::ThirdFoul) {
            ruling.remarks.push(Remark::BreaksAgain);
            self.fouls.forget(player);
        } else if !ruling.fouls.contains(&Foul::IllegalBreak) {
            self.fouls.note(ruling);
            ruling.remarks.extend(self.fouls.warning(player));
        }
    }

    fn place(&mut self, ruling: &mut Ruling) {
        let Ruling { shot, ref mut layout, .. } = *ruling;
        if ruling.fouls.contains(&Foul::ThirdFoul) {
            self.rack_for_break(layout);
        } else if ruling.decision == Decision::Passes {
            // Balls that fell are spotted (4.6).
            let fallen = |&ball: &BallId| shot.before.is_on_table(ball) && !shot.after.is_on_table(ball);
            for ball in self.setting.object_balls().filter(fallen) {
                self.setting.spot(ball, layout);
            }
            if !layout.is_on_table(CUE_BALL) {
                layout[CUE_BALL] = BallPlace::Hand;
            }
        } else if ruling.decision == Decision::GoesOn && self.object_balls_on(layout).len() <= 1 {
            let racked = self.rack_again(potted_object_balls(shot).last().copied(), layout);
            ruling.remarks.push(racked);
        }
    }

    fn next(&mut self, ruling: &mut Ruling) -> Turn {
        let next = ruling.next_player();
        if ruling.fouls.contains(&Foul::IllegalBreak) {
            Turn::choose(next, [Choice::PlayOn, Choice::LetBreak])
        } else if ruling.fouls.contains(&Foul::ThirdFoul) {
            Turn::shoot(ruling.player, opening_break())
        } else if ruling.layout.is_on_table(CUE_BALL) {
            Turn::shoot(next, stroke())
        } else {
            // The cue ball in hand is played from behind the head string.
            self.setting.turn_behind_head_string(next, stroke(), &ruling.layout)
        }
    }

    fn standing_mut(&mut self) -> &mut Standing {
        &mut self.standing
    }
}

/// A shot at any ball, with a call.
fn stroke() -> ShotConstraints {
    ShotConstraints { call: CallNeeded::BallAndPocket, may_play_safe: true, ..ShotConstraints::of(CUE_BALL) }
}

fn opening_break() -> ShotConstraints {
    ShotConstraints { in_hand: Some(Region::BehindHeadString), is_break: true, ..stroke() }
}

impl Rules for StraightPool {
    fn balls(&self) -> &[BallName] {
        &self.setting.balls
    }

    fn layout(&mut self, seed: u64) -> Layout {
        self.random = Random::new(seed);
        let order = self.order();
        self.setting.racked(&order)
    }

    fn standing(&self) -> &Standing {
        &self.standing
    }

    fn judge(&mut self, shot: &Shot) -> Verdict {
        judge(self, shot)
    }

    fn choose(&mut self, choice: Choice, layout: &Layout) -> Result<Verdict, Refusal> {
        choose(self, choice, layout, Self::follow)
    }

    fn notes(&self, player: Player) -> Vec<Note> {
        let mut notes = vec![Note::ToGo(self.to_go(player))];
        notes.extend(self.fouls.note_of(player));
        notes
    }

    fn points_to_win(&self, _player: Player) -> Option<u32> {
        Some(self.options.points)
    }

    fn boxed(&self) -> Box<dyn Rules> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests;
