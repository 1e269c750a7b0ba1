//! Snooker, by the World Professional Billiards and Snooker Association's (WPBSA) "Official Rules of the Games of
//! Snooker and English Billiards". Decisions that its text leaves to a referee are options here, see [`MissRule`].
//! `docs/src/rules.md` lists the differences.

mod options;
mod snookered;
mod stroke;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use bevy::math::Vec2;

pub use options::{MissRule, SnookerOptions};
pub use snookered::{can_hit, can_hit_both_edges, can_hit_fully, is_snookered, is_snookered_in_hand};

use super::{
    RACK_GAP, SPOT_CLEARANCE,
    ruling::{Chosen, Decision, RuleBook, Ruling, choose, judge, leader, points_of},
};
use crate::{
    billiards::tables::{BallName, Rack},
    games::rules::{
        BallId, BallPlace, CallNeeded, Choice, Foul, Game, GameTable, Layout, Measure, Note, Player, Refusal, Region,
        Remark, Rules, Shot, ShotConstraints, Standing, Task, Turn, Verdict, options::Options,
    },
    random::Random,
};

/// The entry in the list of games.
pub const GAME: Game = Game {
    name: "snooker",
    title: "Snooker",
    about: "Red, colour, red, on the twelve-foot table.",
    tables: &["snooker-12ft"],
    jump_cue: false,
    solo: false,
    measures: &[
        Measure::Racks,
        Measure::Points,
        Measure::SuccessRate,
        Measure::PositionQuality,
        Measure::LongestBreak,
        Measure::Innings,
        Measure::Potted,
        Measure::Fouls,
        Measure::Shots,
    ],
    begin: |table, options| Ok(Box::new(Snooker::new(table, options)?)),
    options: options::OPTIONS,
};

/// The balls by id: the cue ball, the reds, the six colours.
const CUE_BALL: BallId = BallId(0);
const COLOURS: [BallName; 6] =
    [BallName::Yellow, BallName::Green, BallName::Brown, BallName::Blue, BallName::Pink, BallName::Black];
const SPOTS: [&str; 6] = ["yellow", "green", "brown", "blue", "pink", "black"];
const BLACK: i32 = 7;
/// The smallest penalty of a foul.
const LEAST_PENALTY: i32 = 4;

/// The kind of ball that the player has to hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum On {
    /// A red.
    Red,
    /// The nominated colour, after a red.
    AnyColour,
    /// This colour, as there are no more reds.
    Colour(BallId),
}

/// The state before a foul, while the opponent chooses.
#[derive(Clone, Debug)]
struct AfterFoul {
    offender: Player,
    free_ball: bool,
    /// Whether it was also a miss.
    is_miss: bool,
    /// The offender's misses in a row from there with a ball on in full sight.
    misses: u8,
    before: Layout,
    on: On,
    stroke: ShotConstraints,
}

/// A frame of snooker.
#[derive(Clone, Debug)]
pub struct Snooker {
    table: Arc<GameTable>,
    options: SnookerOptions,
    balls: Vec<BallName>,
    places: Vec<Vec2>,
    seed: u64,
    standing: Standing,
    on: On,
    /// The points that can still be scored without fouls.
    points_left: i32,
    misses: u8,
    after_foul: Option<AfterFoul>,
    is_black_respotted: bool,
}

impl Snooker {
    fn new(table: &Arc<GameTable>, options: &Options) -> Result<Self, String> {
        let options: SnookerOptions = GAME.read_options(options)?;
        let missing = || format!("{} needs the spots and the D of a snooker table", GAME.name);
        table.spec.baulk.ok_or_else(missing)?;
        let mut racked = Rack::Snooker.balls(&table.spec, RACK_GAP).ok_or_else(missing)?;
        // The rows lie one behind another, so fewer reds form a smaller triangle.
        let fewer = usize::from(options.reds);
        let mut reds = 0;
        racked.retain(|ball| {
            reds += usize::from(ball.name == BallName::Red);
            ball.name != BallName::Red || reds <= fewer
        });
        let (balls, places) = racked.iter().map(|ball| (ball.name, ball.place.as_vec2())).unzip();
        let mut frame = Self {
            table: table.clone(),
            options,
            balls,
            places,
            seed: 0,
            standing: Standing::new(Turn::choose(Player(0), [])),
            on: On::Red,
            points_left: 0,
            misses: 0,
            after_foul: None,
            is_black_respotted: false,
        };
        let layout = frame.at_start();
        frame.points_left = frame.points_on(frame.on, &layout);
        frame.standing.turn = frame.shoot(Player(0), &layout, false);
        if let Task::Shoot(stroke) = &mut frame.standing.turn.task {
            stroke.is_break = true;
        }
        Ok(frame)
    }

    fn at_start(&self) -> Layout {
        let mut layout = Layout(self.places.iter().map(|&place| BallPlace::Table(place)).collect());
        layout[CUE_BALL] = BallPlace::Hand;
        layout
    }

    fn name(&self, ball: BallId) -> BallName {
        self.balls[ball.index()]
    }

    /// The ball with the highest id.
    fn black(&self) -> BallId {
        BallId(self.balls.len() as u8 - 1)
    }

    fn is_red(&self, ball: BallId) -> bool {
        self.name(ball) == BallName::Red
    }

    /// The kind of ball on at the start of a turn.
    fn first_on(&self, layout: &Layout) -> On {
        let objects = objects(layout);
        if objects.iter().any(|&ball| self.is_red(ball)) {
            return On::Red;
        }
        // The colours are in order of value.
        objects.first().map_or(On::Red, |&ball| On::Colour(ball))
    }

    /// The balls on, apart from a free ball.
    fn balls_on(&self, on: On, layout: &Layout) -> Vec<BallId> {
        let mut objects = objects(layout);
        objects.retain(|&ball| match on {
            On::Red => self.is_red(ball),
            On::AnyColour => !self.is_red(ball),
            On::Colour(colour) => ball == colour,
        });
        objects
    }

    /// The points that a player can still make without fouls, starting with this kind of ball.
    fn points_on(&self, on: On, layout: &Layout) -> i32 {
        let objects = objects(layout);
        let colours: i32 = objects.iter().filter(|&&ball| !self.is_red(ball)).map(|&ball| self.value(ball)).sum();
        let reds = objects.iter().filter(|&&ball| self.is_red(ball)).count() as i32;
        let this_colour = if on == On::AnyColour { BLACK } else { 0 };
        colours + reds * (1 + BLACK) + this_colour
    }

    /// The turn of a player with this layout.
    fn shoot(&self, player: Player, layout: &Layout, is_free_ball: bool) -> Turn {
        let needs_nomination = self.on == On::AnyColour && !self.options.implied_nomination;
        let stroke = ShotConstraints {
            on: if is_free_ball { objects(layout) } else { self.balls_on(self.on, layout) },
            in_hand: (!layout.is_on_table(CUE_BALL)).then_some(Region::D),
            call: if needs_nomination || is_free_ball { CallNeeded::Ball } else { CallNeeded::Nothing },
            is_free_ball,
            ..ShotConstraints::of(CUE_BALL)
        };
        Turn::shoot(player, stroke)
    }

    /// Spots colours that left the table: first those whose own spot is free, then the others, highest value first.
    fn spot(&self, colours: &[BallId], layout: &mut Layout) {
        let spot = |colour: usize| self.table.spot(SPOTS[colour]).unwrap_or_default();
        let own = |ball: BallId| spot((self.value(ball) - 2).max(0) as usize);
        let has_room = |place: Vec2, layout: &Layout, ball| {
            layout.is_free(place, self.table.ball_radius() + 0.5 * SPOT_CLEARANCE, Some(ball))
        };
        let mut left = Vec::new();
        for &ball in colours {
            if has_room(own(ball), layout, ball) {
                layout[ball] = BallPlace::Table(own(ball));
            } else {
                left.push(ball);
            }
        }
        left.sort_by_key(|&ball| -self.value(ball));
        for ball in left {
            let highest = (0..SPOTS.len()).rev().map(spot).find(|&place| has_room(place, layout, ball));
            let place = highest.unwrap_or_else(|| self.table.free_spot(layout, own(ball), ball, |_| SPOT_CLEARANCE));
            layout[ball] = BallPlace::Table(place);
        }
    }

    /// Whether the cue ball is snookered on the balls on, by `by` or by all other balls.
    fn is_snookered(&self, on: On, layout: &Layout, by: Option<BallId>) -> bool {
        let (on, mut others) = places_of(&self.balls_on(on, layout), layout);
        if let Some(ball) = by {
            others = layout[ball].on_table().into_iter().collect();
        }
        match layout[CUE_BALL].on_table() {
            Some(place) => is_snookered(place, &on, &others, self.table.ball_radius()),
            None => is_snookered_in_hand(&self.table, layout, CUE_BALL, &on, &others),
        }
    }

    /// The layout after a shot: the cue ball in hand if it left the table, and all colours spotted except one that
    /// stays down.
    fn spotted(&self, shot: &Shot, stays_down: Option<BallId>) -> Layout {
        let mut layout = shot.after.clone();
        if !layout.is_on_table(CUE_BALL) {
            layout[CUE_BALL] = BallPlace::Hand;
        }
        let is_back = |&ball: &BallId| {
            let has_gone = shot.before.is_on_table(ball) && !shot.after.is_on_table(ball);
            has_gone && !self.is_red(ball) && ball != CUE_BALL && stays_down != Some(ball)
        };
        let back: Vec<BallId> = layout.balls().filter(is_back).collect();
        self.spot(&back, &mut layout);
        layout
    }

    /// Whether the frame ends with this shot if the scores are not level afterwards: only the black was left, and it
    /// was potted or there was a foul.
    fn ends(&self, ruling: &Ruling) -> bool {
        let only_black = objects(&ruling.shot.before).iter().all(|&ball| self.value(ball) == BLACK);
        only_black && (!ruling.is_clean() || ruling.points[ruling.player.index()] > 0)
    }

    /// The opponent's choices after a foul with this layout, and the remarks on it.
    fn after_foul(&self, ruling: &mut Ruling) -> AfterFoul {
        let free_ball =
            self.options.free_ball && self.is_snookered(self.first_on(&ruling.layout), &ruling.layout, None);
        let (is_miss, misses) = self.miss(ruling);
        for (holds, remark) in
            [(free_ball, Remark::FreeBall), (is_miss, Remark::Miss), (ruling.is_over(), Remark::ThirdMiss)]
        {
            ruling.remarks.extend(holds.then_some(remark));
        }
        let (before, stroke) = (ruling.shot.before.clone(), ruling.stroke.clone());
        AfterFoul { offender: ruling.player, free_ball, is_miss, misses, before, on: self.on, stroke }
    }

    /// Carries out a choice.
    fn follow(&mut self, chosen: &mut Chosen) -> Turn {
        let Chosen { player, choice, ref mut layout, .. } = *chosen;
        let Some(foul) = self.after_foul.take() else {
            // A drawn lot decides who plays at the black first.
            return self.shoot(if choice == Choice::GoFirst { player } else { player.other() }, layout, false);
        };
        self.misses = 0;
        match choice {
            Choice::Replay => {
                if foul.misses == 2 && self.options.three_misses {
                    chosen.remarks.push(Remark::ThirdMissLoses);
                }
                self.misses = foul.misses;
                self.on = foul.on;
                self.points_left = self.points_on(self.on, &foul.before);
                *layout = foul.before;
                Turn::shoot(foul.offender, ShotConstraints { in_hand: None, ..foul.stroke })
            }
            Choice::PassBack => self.shoot(foul.offender, layout, false),
            _ => self.shoot(player, layout, foul.free_ball),
        }
    }
}

/// The points of a ball; 0 for the cue ball.
fn value_of(name: BallName) -> i32 {
    match name {
        BallName::Red => 1,
        _ => COLOURS.iter().position(|&colour| colour == name).map_or(0, |colour| colour as i32 + 2),
    }
}

/// The object balls on the table.
fn objects(layout: &Layout) -> Vec<BallId> {
    layout.on_table().map(|(ball, _)| ball).filter(|&ball| ball != CUE_BALL).collect()
}

/// The positions of these balls, and of all other object balls, metres.
fn places_of(on: &[BallId], layout: &Layout) -> (Vec<Vec2>, Vec<Vec2>) {
    let objects = objects(layout);
    let (on, others): (Vec<BallId>, Vec<BallId>) = objects.into_iter().partition(|ball| on.contains(ball));
    let places = |balls: Vec<BallId>| balls.into_iter().filter_map(|ball| layout[ball].on_table()).collect();
    (places(on), places(others))
}

impl RuleBook for Snooker {
    fn fouls(&self, ruling: &Ruling) -> Vec<Foul> {
        let Ruling { stroke, shot, .. } = ruling;
        let target = self.target(stroke, shot);
        let mut fouls = self.fouls_at(&target, shot);
        if fouls.is_empty() && self.snookers_behind_free_ball(&target, shot) {
            fouls.push(Foul::SnookeredByFreeBall);
        }
        fouls
    }

    fn decide(&self, ruling: &Ruling) -> Decision {
        let ends = self.ends(ruling);
        // If the scores are level, the black is respotted.
        if let Some(leader) = leader(self.score_after(ruling)).filter(|_| ends) {
            return Decision::Won(leader);
        }
        // A third miss loses the frame.
        let may_lose = self.options.three_misses && self.misses >= 2 && !ends && !ruling.is_clean();
        if may_lose && self.miss(ruling).1 > 2 {
            return Decision::Won(ruling.player.other());
        }
        Decision::go_on_if(ruling.points[ruling.player.index()] > 0)
    }

    fn points(&self, ruling: &Ruling) -> [i32; 2] {
        let target = self.target(&ruling.stroke, ruling.shot);
        if ruling.is_clean() {
            points_of(ruling.player, self.points_at(&target, ruling.shot))
        } else {
            points_of(ruling.player.other(), self.penalty(&target, &ruling.fouls))
        }
    }

    fn count(&mut self, ruling: &mut Ruling) {
        if ruling.is_clean() {
            self.misses = 0;
        }
    }

    fn place(&mut self, ruling: &mut Ruling) {
        let stays_down = match self.on {
            On::Colour(colour) if ruling.points[ruling.player.index()] > 0 => Some(colour),
            _ => None,
        };
        ruling.layout = self.spotted(ruling.shot, stays_down);
        if !self.ends(ruling) {
            self.after_foul = (!ruling.is_clean()).then(|| self.after_foul(ruling));
        } else if !ruling.is_over() {
            let black = self.black();
            for ball in [CUE_BALL, black] {
                ruling.layout[ball] = BallPlace::Hand;
            }
            self.spot(&[black], &mut ruling.layout);
        }
    }

    fn next(&mut self, ruling: &mut Ruling) -> Turn {
        if self.ends(ruling) {
            self.is_black_respotted = true;
            self.on = On::Colour(self.black());
            self.points_left = BLACK;
            ruling.remarks.push(Remark::BlackRespotted);
            let lot = Player(u8::from(Random::new(self.seed).unit() < 0.5));
            return Turn::choose(lot, [Choice::GoFirst, Choice::LetGoFirst]);
        }
        let is_colour_next = self.on == On::Red && ruling.decision == Decision::GoesOn;
        self.on = if is_colour_next { On::AnyColour } else { self.first_on(&ruling.layout) };
        self.points_left = self.points_on(self.on, &ruling.layout);
        match &self.after_foul {
            Some(foul) => {
                let replay = foul.is_miss.then_some(Choice::Replay);
                let choices = [Choice::PlayOn, Choice::PassBack].into_iter().chain(replay);
                Turn::choose(ruling.next_player(), choices.collect::<Vec<_>>())
            }
            None => self.shoot(ruling.next_player(), &ruling.layout, false),
        }
    }

    fn standing_mut(&mut self) -> &mut Standing {
        &mut self.standing
    }
}

impl Rules for Snooker {
    fn balls(&self) -> &[BallName] {
        &self.balls
    }

    fn layout(&mut self, seed: u64) -> Layout {
        self.seed = seed;
        self.at_start()
    }

    fn standing(&self) -> &Standing {
        &self.standing
    }

    /// The points of a ball; 0 for the cue ball.
    fn value(&self, ball: BallId) -> i32 {
        value_of(self.name(ball))
    }

    fn judge(&mut self, shot: &Shot) -> Verdict {
        judge(self, shot)
    }

    fn choose(&mut self, choice: Choice, layout: &Layout) -> Result<Verdict, Refusal> {
        choose(self, choice, layout, Self::follow)
    }

    fn notes(&self, player: Player) -> Vec<Note> {
        if player != self.standing.turn.player {
            return Vec::new();
        }
        let on = match (&self.standing.turn.task, self.on) {
            (Task::Over(_), _) => return Vec::new(),
            (Task::Shoot(stroke), _) if stroke.is_free_ball => Note::FreeBall,
            (_, On::Red) => Note::BallOn(BallName::Red),
            (_, On::AnyColour) => Note::ColourOn,
            (_, On::Colour(_)) if self.is_black_respotted => Note::BlackRespotted,
            (_, On::Colour(colour)) => Note::BallOn(self.name(colour)),
        };
        let mut notes = vec![on, Note::PointsOnTable(self.points_left)];
        let behind = self.standing.score[player.other().index()] - self.standing.score[player.index()];
        if behind > self.points_left {
            notes.push(Note::NeedsSnookers);
        }
        notes
    }

    fn boxed(&self) -> Box<dyn Rules> {
        Box::new(self.clone())
    }
}
