//! Snooker, by the rules of the World Professional Billiards and Snooker Association (WPBSA), "Official Rules of the Games of Snooker and English Billiards":
//! what its text leaves to a referee's judgement is an option here, see [`MissRule`]. `docs/games.md` tells what departs from it.

mod snookered;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use bevy::math::Vec2;
use serde::{Deserialize, Serialize};

pub use snookered::{can_hit, can_hit_both_edges, can_hit_fully, is_snookered, is_snookered_in_hand};

use super::{
    BallId, BallPlace, CallNeeded, Choice, Foul, Game, GameTable, Layout, Player, Region, Rules, Shot, Stroke, Task,
    Turn, Verdict,
    list::{Options, default_options, read_options},
    practice::RACK_GAP,
};
use crate::{
    billiards::tables::{BallName, Rack},
    scene::generate::Chance,
};

/// Its line in the list of games.
pub const GAME: Game = Game {
    name: "snooker",
    title: "Snooker",
    tables: &["snooker-12ft"],
    begin: |table, options| Ok(Box::new(Snooker::new(table, options)?)),
    options: default_options::<SnookerOptions>,
};

/// What can be chosen of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SnookerOptions {
    /// How many reds there are: 15, 10 or 6. Default: 15.
    pub reds: u8,
    /// When a foul is a miss besides. Default: [`MissRule::InSight`].
    pub miss: MissRule,
    /// Whether the third miss in a row from the same place, with a ball on in full sight, loses the frame. Default: yes.
    pub three_misses: bool,
    /// Whether there is a free ball. Default: yes.
    pub free_ball: bool,
    /// Whether a colour need not be nominated: the one that is hit first is the one. Default: no.
    pub implied_nomination: bool,
}

impl Default for SnookerOptions {
    fn default() -> Self {
        Self { reds: 15, miss: MissRule::default(), three_misses: true, free_ball: true, implied_nomination: false }
    }
}

/// When a player who has not hit a ball on first is taken not to have tried well enough, so that the other may have the balls put back and the stroke played again.
/// Never where a player needs the points of fouls to win.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MissRule {
    /// Never.
    Off,
    /// Where any part of a ball on could have been hit in a straight line: the part of the rule that leaves nothing to judgement.
    #[default]
    InSight,
    /// Always, as between professionals.
    Always,
}

/// The balls in the order of their ids: the cue ball, the reds, the six colours.
const CUE_BALL: BallId = BallId(0);
const COLOURS: [BallName; 6] =
    [BallName::Yellow, BallName::Green, BallName::Brown, BallName::Blue, BallName::Pink, BallName::Black];
const SPOTS: [&str; 6] = ["yellow", "green", "brown", "blue", "pink", "black"];
const BLACK: i32 = 7;
/// The least that a foul costs.
const LEAST_PENALTY: i32 = 4;
/// How far apart a spotted ball and its neighbours stay, metres: they must not touch, and what is nearer looks as if.
const CLEARANCE: f32 = 1e-4;

/// What the player at the table has to play at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum On {
    /// A red.
    Red,
    /// The colour that is nominated, after a red.
    AnyColour,
    /// This colour: there are no more reds.
    Colour(BallId),
}

/// What was before a foul, while the other player chooses.
#[derive(Clone, Debug)]
struct AfterFoul {
    offender: Player,
    free_ball: bool,
    /// How often in a row the offender has missed from there with a ball on in full sight.
    misses: u8,
    before: Layout,
    on: On,
    stroke: Stroke,
}

/// What a stroke was played at.
struct Aim {
    on: On,
    /// The colour that was nominated after a red, or as the free ball.
    nominated: Option<BallId>,
    /// The points of the ball on.
    value: i32,
}

/// A frame of snooker.
#[derive(Clone, Debug)]
pub struct Snooker {
    table: Arc<GameTable>,
    options: SnookerOptions,
    balls: Vec<BallName>,
    places: Vec<Vec2>,
    seed: u64,
    score: [i32; 2],
    current_break: i32,
    on: On,
    turn: Turn,
    /// What can still be scored without fouls.
    points_left: i32,
    misses: u8,
    after_foul: Option<AfterFoul>,
    is_black_respotted: bool,
}

impl Snooker {
    fn new(table: &Arc<GameTable>, options: &Options) -> Result<Self, String> {
        let options: SnookerOptions = read_options(GAME.name, options)?;
        if ![6, 10, 15].contains(&options.reds) {
            return Err(format!("an option of {}: reds is {}; there are 15, 10 or 6", GAME.name, options.reds));
        }
        let missing = || format!("{} needs the spots and the D of a snooker table", GAME.name);
        table.spec.baulk.ok_or_else(missing)?;
        let mut racked = Rack::Snooker.balls(&table.spec, RACK_GAP).ok_or_else(missing)?;
        // The rows lie one behind the other: fewer reds are a smaller triangle.
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
            score: [0; 2],
            current_break: 0,
            on: On::Red,
            turn: Turn::choose(Player(0), []),
            points_left: 0,
            misses: 0,
            after_foul: None,
            is_black_respotted: false,
        };
        let layout = frame.at_start();
        frame.points_left = frame.points_on(&layout);
        frame.shoot(Player(0), &layout, false);
        if let Task::Shoot(stroke) = &mut frame.turn.task {
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

    fn is_red(&self, ball: BallId) -> bool {
        self.name(ball) == BallName::Red
    }

    /// The points of a ball; 0 of the cue ball.
    fn value(&self, ball: BallId) -> i32 {
        match self.name(ball) {
            BallName::Red => 1,
            name => COLOURS.iter().position(|&colour| colour == name).map_or(0, |colour| colour as i32 + 2),
        }
    }

    /// What is on for a player who comes to the table.
    fn first_on(&self, layout: &Layout) -> On {
        let objects = objects(layout);
        if objects.iter().any(|&ball| self.is_red(ball)) {
            return On::Red;
        }
        // The colours stand in the order of their values.
        objects.first().map_or(On::Red, |&ball| On::Colour(ball))
    }

    /// The balls on, a free ball aside.
    fn balls_on(&self, on: On, layout: &Layout) -> Vec<BallId> {
        let mut objects = objects(layout);
        objects.retain(|&ball| match on {
            On::Red => self.is_red(ball),
            On::AnyColour => !self.is_red(ball),
            On::Colour(colour) => ball == colour,
        });
        objects
    }

    /// The points that a player can still make without fouls who plays at what is on.
    fn points_on(&self, layout: &Layout) -> i32 {
        let objects = objects(layout);
        let colours: i32 = objects.iter().filter(|&&ball| !self.is_red(ball)).map(|&ball| self.value(ball)).sum();
        let reds = objects.iter().filter(|&&ball| self.is_red(ball)).count() as i32;
        let this_colour = if self.on == On::AnyColour { BLACK } else { 0 };
        colours + reds * (1 + BLACK) + this_colour
    }

    /// The points by which one player leads the other.
    fn lead(&self) -> i32 {
        (self.score[0] - self.score[1]).abs()
    }

    /// A player is to play at what is on, with the balls where they are.
    fn shoot(&mut self, player: Player, layout: &Layout, is_free_ball: bool) {
        let needs_nomination = self.on == On::AnyColour && !self.options.implied_nomination;
        let stroke = Stroke {
            on: if is_free_ball { objects(layout) } else { self.balls_on(self.on, layout) },
            in_hand: (!layout.is_on_table(CUE_BALL)).then_some(Region::D),
            call: if needs_nomination || is_free_ball { CallNeeded::Ball } else { CallNeeded::Nothing },
            is_free_ball,
            ..Stroke::of(CUE_BALL)
        };
        self.turn = Turn::shoot(player, stroke);
    }

    /// What a stroke was played at, by what was nominated.
    fn aim(&self, stroke: &Stroke, shot: &Shot) -> Aim {
        let called = shot.call.ball.filter(|&ball| stroke.on.contains(&ball));
        match self.on {
            On::AnyColour => {
                let by_hit = shot.first_hit(CUE_BALL).filter(|&ball| !self.is_red(ball));
                let nominated = called.or(by_hit.filter(|_| self.options.implied_nomination));
                // A foul before a colour is nominated costs as much as any.
                Aim { on: self.on, nominated, value: nominated.map_or(BLACK, |ball| self.value(ball)) }
            }
            on => {
                let value = if let On::Colour(colour) = on { self.value(colour) } else { 1 };
                let is_on = |ball| if let On::Colour(colour) = on { ball == colour } else { self.is_red(ball) };
                Aim { on, nominated: called.filter(|&ball| stroke.is_free_ball && !is_on(ball)), value }
            }
        }
    }

    /// Whether a ball may be hit first.
    fn may_be_hit(&self, aim: &Aim, ball: BallId) -> bool {
        aim.nominated.map_or(aim.on != On::AnyColour && self.is_ball_on(aim, ball), |nominated| nominated == ball)
    }

    /// Whether a ball may be potted.
    fn may_be_potted(&self, aim: &Aim, ball: BallId) -> bool {
        aim.nominated == Some(ball) || self.is_ball_on(aim, ball)
    }

    fn is_ball_on(&self, aim: &Aim, ball: BallId) -> bool {
        match aim.on {
            On::Red => self.is_red(ball),
            On::AnyColour => aim.nominated == Some(ball),
            On::Colour(colour) => colour == ball,
        }
    }

    /// The ball that counts as hit first: one on that the cue ball touched and was played away from, or else the first that it hit.
    fn first_hit(&self, aim: &Aim, shot: &Shot) -> Option<BallId> {
        let mut touching = shot.before.touching(CUE_BALL, self.table.ball_radius());
        touching.find(|&ball| self.may_be_hit(aim, ball)).or_else(|| shot.first_hit(CUE_BALL))
    }

    /// What was against the rules in a stroke, and what that costs.
    fn fouls(&self, aim: &Aim, shot: &Shot) -> (Vec<Foul>, i32) {
        let (mut fouls, mut penalty) = (Vec::new(), LEAST_PENALTY.max(aim.value));
        let mut foul = |foul: Foul, concerned: i32| {
            fouls.push(foul);
            penalty = penalty.max(concerned);
        };
        // The free ball has the points of the ball on.
        let value = |ball: BallId| if aim.nominated == Some(ball) { aim.value } else { self.value(ball) };
        if aim.on == On::AnyColour && aim.nominated.is_none() {
            let at_red = shot.call.ball.or_else(|| shot.first_hit(CUE_BALL)).is_some_and(|ball| self.is_red(ball));
            foul(if at_red { Foul::OutOfOrder } else { Foul::NotNominated }, BLACK);
        } else if let Some(ball) = shot.pushed(CUE_BALL, self.table.ball_radius()) {
            foul(Foul::PushStroke(self.name(ball)), value(ball));
        } else {
            match self.first_hit(aim, shot) {
                None => foul(Foul::NoHit, 0),
                Some(ball) if !self.may_be_hit(aim, ball) => foul(Foul::WrongBallFirst(self.name(ball)), value(ball)),
                Some(_) => {}
            }
        }
        for (ball, pocket) in shot.potted() {
            if ball == CUE_BALL {
                foul(Foul::Scratch(pocket), 0);
            } else if !self.may_be_potted(aim, ball) {
                foul(Foul::WrongBallPotted(self.name(ball)), value(ball));
            }
        }
        for ball in shot.off_table() {
            foul(Foul::OffTable(self.name(ball)), value(ball));
        }
        (fouls, penalty)
    }

    /// What a stroke without a foul scores.
    fn points(&self, aim: &Aim, shot: &Shot) -> i32 {
        let potted: Vec<BallId> = shot.potted().map(|(ball, _)| ball).collect();
        let reds = potted.iter().filter(|&&ball| self.is_red(ball)).count() as i32;
        let nominated = aim.nominated.is_some_and(|ball| potted.contains(&ball));
        match aim.on {
            On::Red => reds + i32::from(nominated),
            On::AnyColour if nominated => aim.value,
            // Of a free ball and the ball on, one counts.
            On::Colour(colour) if nominated || potted.contains(&colour) => aim.value,
            _ => 0,
        }
    }

    /// Brings colours that are not on the table any more back to it, those for whose own spot there is room first, then those of more points.
    fn spot(&self, colours: &[BallId], layout: &mut Layout, verdict: &mut Verdict) {
        let spot = |colour: usize| self.table.spot(SPOTS[colour]).unwrap_or_default();
        let own = |ball: BallId| spot((self.value(ball) - 2).max(0) as usize);
        let has_room = |place: Vec2, layout: &Layout, ball| {
            layout.is_free(place, self.table.ball_radius() + 0.5 * CLEARANCE, Some(ball))
        };
        let mut put = |ball: BallId, place: Vec2, layout: &mut Layout| {
            layout[ball] = BallPlace::Table(place);
            verdict.placed.push((ball, layout[ball]));
        };
        let mut left = Vec::new();
        for &ball in colours {
            if has_room(own(ball), layout, ball) { put(ball, own(ball), layout) } else { left.push(ball) }
        }
        left.sort_by_key(|&ball| -self.value(ball));
        for ball in left {
            let highest = (0..SPOTS.len()).rev().map(spot).find(|&place| has_room(place, layout, ball));
            let place = highest.unwrap_or_else(|| self.table.free_spot(layout, own(ball), ball, |_| CLEARANCE));
            put(ball, place, layout);
        }
    }

    /// Whether a foul is a miss besides, and how many misses in a row with a ball on in full sight it makes. `lead` and `points_left` are those before the stroke.
    fn miss(&self, aim: &Aim, shot: &Shot, lead: i32, points_left: i32) -> (bool, u8) {
        let any_colour = aim.on == On::AnyColour && aim.nominated.is_none();
        let may_be_hit = |ball| if any_colour { !self.is_red(ball) } else { self.may_be_hit(aim, ball) };
        let has_hit = self.first_hit(aim, shot).is_some_and(may_be_hit);
        let Some(cue_ball) = shot.before[CUE_BALL].on_table() else { return (false, 0) };
        if has_hit || self.options.miss == MissRule::Off {
            return (false, 0);
        }
        let mut on = self.balls_on(aim.on, &shot.before);
        if let (Some(free_ball), On::Red | On::Colour(_)) = (aim.nominated, aim.on) {
            on = vec![free_ball];
        }
        let (on, others) = places_of(&on, &shot.before);
        let radius = self.table.ball_radius();
        let is_full = on.iter().any(|&ball| can_hit_fully(cue_ball, ball, &others, radius));
        let is_in_sight = || on.iter().any(|&ball| can_hit(cue_ball, ball, &others, radius));
        let needs_fouls = lead >= points_left || self.lead() >= self.points_left;
        let again = self.misses > 0 && is_full;
        let is_miss = again || (!needs_fouls && (self.options.miss == MissRule::Always || is_in_sight()));
        (is_miss, if is_miss && is_full { self.misses + 1 } else { 0 })
    }

    /// Whether the cue ball is snookered on what is on, by these balls or by all that are not on.
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

    /// The frame is over, unless the scores are level.
    fn end(&mut self, layout: &mut Layout, verdict: &mut Verdict) {
        let [a, b] = self.score;
        if a != b {
            self.win(Player(u8::from(b > a)));
            return;
        }
        self.is_black_respotted = true;
        let black = BallId(self.balls.len() as u8 - 1);
        for ball in [CUE_BALL, black] {
            layout[ball] = BallPlace::Hand;
        }
        verdict.placed.retain(|&(ball, _)| ball != CUE_BALL && ball != black);
        verdict.placed.push((CUE_BALL, BallPlace::Hand));
        self.spot(&[black], layout, verdict);
        self.on = On::Colour(black);
        self.points_left = BLACK;
        let lot = Player(u8::from(Chance::new(self.seed).unit() < 0.5));
        self.turn = Turn::choose(lot, [Choice::GoFirst, Choice::LetGoFirst]);
        verdict.remarks.push(
            "The scores are level: the black is re-spotted, and the next score or foul ends the frame.".to_owned(),
        );
    }

    fn win(&mut self, winner: Player) {
        self.turn = Turn::won_by(winner);
    }
}

/// The object balls on the table.
fn objects(layout: &Layout) -> Vec<BallId> {
    layout.on_table().map(|(ball, _)| ball).filter(|&ball| ball != CUE_BALL).collect()
}

/// Where these balls are, and where all other object balls are, metres.
fn places_of(on: &[BallId], layout: &Layout) -> (Vec<Vec2>, Vec<Vec2>) {
    let objects = objects(layout);
    let (on, others): (Vec<BallId>, Vec<BallId>) = objects.into_iter().partition(|ball| on.contains(ball));
    let places = |balls: Vec<BallId>| balls.into_iter().filter_map(|ball| layout[ball].on_table()).collect();
    (places(on), places(others))
}

impl Rules for Snooker {
    fn balls(&self) -> &[BallName] {
        &self.balls
    }

    fn layout(&mut self, seed: u64) -> Layout {
        self.seed = seed;
        self.at_start()
    }

    fn turn(&self) -> &Turn {
        &self.turn
    }

    fn score(&self) -> [i32; 2] {
        self.score
    }

    fn current_break(&self) -> i32 {
        self.current_break
    }

    fn judge(&mut self, shot: &Shot) -> Verdict {
        let Turn { player, task: Task::Shoot(stroke) } = self.turn.clone() else { return Verdict::default() };
        let mut verdict = Verdict::default();
        let mut layout = shot.after.clone();
        let aim = self.aim(&stroke, shot);
        let (mut fouls, penalty) = self.fouls(&aim, shot);
        let points = if fouls.is_empty() { self.points(&aim, shot) } else { 0 };
        let only_black = objects(&shot.before).iter().all(|&ball| self.value(ball) == BLACK);
        let (lead, points_left) = (self.lead(), self.points_left);

        if !layout.is_on_table(CUE_BALL) {
            layout[CUE_BALL] = BallPlace::Hand;
            verdict.placed.push((CUE_BALL, BallPlace::Hand));
        }
        let stays_down = |ball: BallId| points > 0 && aim.on == On::Colour(ball);
        let gone = |ball: &BallId| !self.is_red(*ball) && *ball != CUE_BALL && !layout.is_on_table(*ball);
        let back: Vec<BallId> =
            layout.balls().filter(gone).filter(|&ball| shot.before.is_on_table(ball) && !stays_down(ball)).collect();
        self.spot(&back, &mut layout, &mut verdict);

        // A snooker behind the free ball is looked for where the other player comes to the table.
        if let (true, Some(free_ball), On::Red | On::Colour(_)) =
            (fouls.is_empty() && points == 0, aim.nominated, aim.on)
            && objects(&layout).iter().any(|&ball| self.value(ball) < BLACK - 1)
            && self.is_snookered(self.first_on(&layout), &layout, Some(free_ball))
        {
            fouls.push(Foul::SnookeredByFreeBall);
        }
        if !fouls.is_empty() {
            verdict.points[player.other().index()] = penalty;
            self.score[player.other().index()] += penalty;
            self.current_break = 0;
            verdict.fouls = fouls;
            let on = self.on;
            self.on = self.first_on(&layout);
            self.points_left = self.points_on(&layout);
            if only_black {
                self.end(&mut layout, &mut verdict);
                return verdict;
            }
            let (is_miss, misses) = self.miss(&aim, shot, lead, points_left);
            let mut choices = vec![Choice::PlayOn, Choice::PassBack];
            let free_ball = self.options.free_ball && self.is_snookered(self.on, &layout, None);
            if free_ball {
                verdict.remarks.push("Free ball.".to_owned());
            }
            if is_miss {
                choices.push(Choice::Replay);
                verdict.remarks.push("Foul and a miss.".to_owned());
                if misses > 2 && self.options.three_misses {
                    verdict.remarks.push("It was the third miss in a row with a ball on in full sight.".to_owned());
                    self.win(player.other());
                    return verdict;
                }
            }
            self.after_foul =
                Some(AfterFoul { offender: player, free_ball, misses, before: shot.before.clone(), on, stroke });
            self.turn = Turn::choose(player.other(), choices);
            return verdict;
        }
        self.misses = 0;
        verdict.points[player.index()] = points;
        self.score[player.index()] += points;
        self.current_break = if points > 0 { self.current_break + points } else { 0 };
        if points > 0 && only_black {
            self.end(&mut layout, &mut verdict);
            return verdict;
        }
        verdict.goes_on = points > 0;
        self.on = if points > 0 && aim.on == On::Red { On::AnyColour } else { self.first_on(&layout) };
        self.points_left = self.points_on(&layout);
        self.shoot(if points > 0 { player } else { player.other() }, &layout, false);
        verdict
    }

    fn choose(&mut self, choice: Choice, layout: &Layout) -> Result<Verdict, String> {
        let player = self.turn.player;
        self.turn.offers(choice)?;
        let mut verdict = Verdict::default();
        let Some(foul) = self.after_foul.take() else {
            // Lots were drawn for the black.
            verdict.goes_on = choice == Choice::GoFirst;
            self.shoot(if verdict.goes_on { player } else { player.other() }, layout, false);
            return Ok(verdict);
        };
        self.misses = 0;
        match choice {
            Choice::Replay => {
                let moved = foul.before.balls().filter(|&ball| foul.before[ball] != layout[ball]);
                verdict.placed.extend(moved.map(|ball| (ball, foul.before[ball])));
                if foul.misses == 2 && self.options.three_misses {
                    verdict.remarks.push("A third miss loses the frame.".to_owned());
                }
                self.misses = foul.misses;
                self.on = foul.on;
                self.points_left = self.points_on(&foul.before);
                self.turn = Turn::shoot(foul.offender, Stroke { in_hand: None, ..foul.stroke });
            }
            Choice::PassBack => self.shoot(foul.offender, layout, false),
            _ => {
                verdict.goes_on = true;
                self.shoot(player, layout, foul.free_ball);
            }
        }
        Ok(verdict)
    }

    fn notes(&self, player: Player) -> Vec<String> {
        if player != self.turn.player {
            return Vec::new();
        }
        let on = match (&self.turn.task, self.on) {
            (Task::Over(_), _) => return Vec::new(),
            (Task::Shoot(stroke), _) if stroke.is_free_ball => "free ball".to_owned(),
            (_, On::Red) => "red on".to_owned(),
            (_, On::AnyColour) => "colour on".to_owned(),
            (_, On::Colour(_)) if self.is_black_respotted => "re-spotted black".to_owned(),
            (_, On::Colour(colour)) => format!("{} on", self.name(colour)),
        };
        let mut notes = vec![on, format!("{} points on the table", self.points_left)];
        let behind = self.score[player.other().index()] - self.score[player.index()];
        if behind > self.points_left {
            notes.push("needs snookers".to_owned());
        }
        notes
    }

    fn boxed(&self) -> Box<dyn Rules> {
        Box::new(self.clone())
    }
}
