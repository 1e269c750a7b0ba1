//! What a coach says: before a shot which strokes a good player would consider, with the chance of each for a hand that errs; and after a miss by how much it was
//! off. Both come from the thoughts of a bot and from whole shots of the simulator, so that what is said can be played.

use bevy::{
    math::{DVec2, Vec2, ops},
    prelude::Resource,
};

use super::{
    BallId, BallPlace, Call, Choice, Layout, Note, Outcome, Player, PocketId, Refusal, Rules, Shot, Simulator, Stroke,
    Task, Trace, Turn, Verdict,
    bot::{
        Bot, Idea, Kind, Level, Noise, Position, Thinker,
        sight::{Sight, balls_on},
    },
};
use crate::{
    billiards::{
        cue::{Cue, Strike, strike},
        tables::BallName,
    },
    collision::spin::Shape,
    scene::generate::Chance,
};

/// How a coach looks at a position. As a resource it is the one of the window.
#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub struct Coach {
    /// What is looked at, and the hand that chances are judged for. Default: what [`Level::STRONG`] looks at, with the hand of [`Level::MEDIUM`].
    pub level: Level,
    /// How often each stroke is played with the errors of that hand, to know its chance. Default: 100, which makes it known to five in a hundred.
    pub samples: u32,
    /// How many strokes are named. Default: 3.
    pub tips: usize,
}

impl Default for Coach {
    fn default() -> Self {
        Self {
            level: Level { noise: Level::MEDIUM.noise, samples: 300, sweep: 800, ..Level::STRONG },
            samples: 100,
            tips: 3,
        }
    }
}

/// A stroke that is worth considering.
#[derive(Clone, Debug, PartialEq)]
pub struct Tip {
    /// What it is meant to do.
    pub kind: Kind,
    /// Where the cue ball is played from, metres: where a ball in hand lies well.
    pub from: Vec2,
    /// What is called.
    pub call: Call,
    /// The stroke.
    pub strike: Strike,
    /// The speed that it gives the cue ball, m/s.
    pub ball_speed: f32,
    /// What it pots, and where, if that is what it is for.
    pub pot: Option<(BallId, PocketId)>,
    /// How often it does what it is meant to do, from 0 to 1, for the hand of the coach's level: pots the ball where it is meant to, scores or leaves the player better off,
    /// or, of a safety, is no foul.
    pub chance: f32,
    /// What it is worth, from 0 (lost) to 1 (won).
    pub value: f32,
    /// The chance of the best pot that it leaves to the same player, by the look of it; none where that player does not go on, or there are no pockets.
    pub leaves: Option<f32>,
    /// Whether the same player goes on after it, or has won, if it is played without errors.
    pub scores: bool,
    /// The ways of the balls.
    pub sketch: Sketch,
}

/// What is drawn of a stroke that nobody has played.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sketch {
    /// The way of the cue ball, metres: to its first hit of a ball where something is to be potted, and else as far as it matters.
    pub cue: Vec<Vec2>,
    /// Where it hits the first ball: the ghost ball, metres.
    pub ghost: Option<Vec2>,
    /// The ways of the balls that matter, metres.
    pub balls: Vec<(BallId, Vec<Vec2>)>,
    /// Where the cue ball rests, metres, if it is drawn as far.
    pub rests: Option<Vec2>,
}

/// So many ideas of a bot are tried at most until there are enough tips.
const IDEAS: usize = 200;

/// Strokes without a pot whose directions differ by less are the same advice: 6 degrees.
const ALIKE: f32 = 0.1047;

/// Chances of what is left are judged a little worse than the direction of the cue alone would have it, for what the tip adds.
const TIP_ERROR: f32 = 1.15;

impl Coach {
    /// Begins to look at a position. `only`: at strokes for this pot alone.
    #[must_use]
    pub fn look(&self, position: Position, only: Option<(BallId, PocketId)>) -> Look {
        let mut thinker = Thinker::new("coach", self.level);
        thinker.consider(position.clone());
        let teacher = Teacher::of(position);
        Look { coach: *self, teacher, thinker, only, ideas: None, tried: 0, tips: Vec::new(), sampled: (0, 0, 0) }
    }

    /// All of it at once: the best strokes, the best first.
    #[must_use]
    pub fn advise(&self, position: Position) -> Vec<Tip> {
        let mut look = self.look(position, None);
        loop {
            if let Some(tips) = look.go_on(1000) {
                return tips;
            }
        }
    }
}

/// A look at a position, which is gone on with in slices.
#[derive(Debug)]
pub struct Look {
    coach: Coach,
    teacher: Teacher,
    thinker: Thinker,
    only: Option<(BallId, PocketId)>,
    ideas: Option<Vec<Idea>>,
    /// How many of them were tried.
    tried: usize,
    tips: Vec<Tip>,
    /// Which tip is being tried, how often it was, and how often it did what it is meant to.
    sampled: (usize, u32, u32),
}

impl Look {
    /// Looks on for about so many simulated shots; the best strokes once they are known, the best first. Where there is no shot to be played: none.
    pub fn go_on(&mut self, shots: u32) -> Option<Vec<Tip>> {
        let Some(stroke) = self.teacher.stroke().cloned() else { return Some(Vec::new()) };
        let Some(ideas) = &self.ideas else {
            if self.thinker.think(shots).is_some() {
                let mut ideas = self.thinker.ideas();
                // Stable: of two as good the one that was tried first.
                ideas.sort_by(|a, b| b.value.total_cmp(&a.value));
                self.ideas = Some(ideas);
            }
            return None;
        };
        let most = ideas.len().min(IDEAS);
        if self.tried < most && self.tips.len() < self.coach.tips {
            let slice = &ideas[self.tried..most.min(self.tried + shots.max(1) as usize)];
            self.tried += slice.len();
            for idea in slice {
                if self.tips.len() == self.coach.tips || self.tips.iter().any(|tip| tip.is_like(idea)) {
                    continue;
                }
                let tip = self.teacher.tip(idea, &stroke, self.coach.level.noise);
                let is_new = |tip: &Tip| {
                    self.only.is_none_or(|only| tip.pot == Some(only))
                        && (tip.pot.is_none() || self.tips.iter().all(|known| known.pot != tip.pot))
                };
                self.tips.extend(tip.filter(is_new));
            }
            return None;
        }
        for _ in 0..shots.max(1) {
            let (at, count, good) = self.sampled;
            let Some(tip) = self.tips.get_mut(at) else { return Some(std::mem::take(&mut self.tips)) };
            if count >= self.coach.samples.max(1) {
                tip.chance = good as f32 / count as f32;
                self.sampled = (at + 1, 0, 0);
                continue;
            }
            let seed = self.teacher.position.seed ^ (u64::from(count) << 8 | at as u64);
            let works = self.teacher.works(tip, &stroke, self.coach.level.noise, &mut Chance::new(seed));
            self.sampled = (at, count + 1, good + u32::from(works));
        }
        None
    }
}

impl Tip {
    /// Whether an idea is the same advice, where nothing is to be potted.
    fn is_like(&self, idea: &Idea) -> bool {
        let along = |strike: &Strike| strike.direction.as_vec2();
        let near = angle_between(along(&self.strike), along(&idea.strike)).abs() < ALIKE;
        self.pot.is_none() && !is_pot(idea.kind) && near && self.from.distance(idea.from) < 0.1
    }
}

/// Whether a stroke is meant to pot something.
fn is_pot(kind: Kind) -> bool {
    matches!(kind, Kind::Pot | Kind::Bank | Kind::Combination)
}

/// The lines of an idea of a bot in its position; none if it cannot be played.
#[must_use]
pub fn sketch(simulator: &mut Simulator, position: &Position, idea: &Idea) -> Option<Sketch> {
    let stroke = position.rules.turn().stroke()?;
    let layout = placed(&position.layout, stroke.cue_ball, idea.from);
    let (shot, trace) = simulator.trace(&layout, (stroke.cue_ball, &idea.strike, &position.cue)).ok()?;
    let pot = is_pot(idea.kind).then(|| meant(idea, stroke, &shot)).flatten();
    Some(Sketch::of(stroke.cue_ball, (&shot, &trace), (idea.kind, pot)))
}

/// The position with the cue ball where it lies: also where it might be put elsewhere, as it was in hand.
#[must_use]
pub fn as_it_lies(position: Position) -> Position {
    let Turn { player, task: Task::Shoot(stroke) } = position.rules.turn().clone() else { return position };
    if stroke.in_hand.is_none() || !position.layout.is_on_table(stroke.cue_ball) {
        return position;
    }
    let turn = Some(Turn::shoot(player, Stroke { in_hand: None, ..stroke }));
    let rules = position.rules.clone();
    Position { rules: Box::new(Lying { rules, turn }), ..position }
}

/// Rules, with the next shot from where the cue ball lies.
#[derive(Clone, Debug)]
struct Lying {
    rules: Box<dyn Rules>,
    turn: Option<Turn>,
}

impl Rules for Lying {
    fn balls(&self) -> &[BallName] {
        self.rules.balls()
    }

    fn layout(&mut self, seed: u64) -> Layout {
        self.rules.layout(seed)
    }

    fn turn(&self) -> &Turn {
        self.turn.as_ref().unwrap_or_else(|| self.rules.turn())
    }

    fn score(&self) -> [i32; 2] {
        self.rules.score()
    }

    fn current_break(&self) -> i32 {
        self.rules.current_break()
    }

    fn judge(&mut self, shot: &Shot) -> Verdict {
        self.turn = None;
        self.rules.judge(shot)
    }

    fn choose(&mut self, choice: Choice, layout: &Layout) -> Result<Verdict, Refusal> {
        self.turn = None;
        self.rules.choose(choice, layout)
    }

    fn notes(&self, player: Player) -> Vec<Note> {
        self.rules.notes(player)
    }

    fn outlook(&self, layout: &Layout) -> Option<f32> {
        self.rules.outlook(layout)
    }

    fn boxed(&self) -> Box<dyn Rules> {
        Box::new(self.clone())
    }
}

fn placed(layout: &Layout, ball: BallId, at: Vec2) -> Layout {
    let mut layout = layout.clone();
    layout[ball] = BallPlace::Table(at);
    layout
}

/// What a stroke without errors has potted of what it was meant to.
fn meant(idea: &Idea, stroke: &Stroke, shot: &Shot) -> Option<(BallId, PocketId)> {
    if let (Some(ball), Some(pocket)) = (idea.call.ball, idea.call.pocket) {
        return (shot.pocket_of(ball) == Some(pocket)).then_some((ball, pocket));
    }
    let first = shot.first_hit(stroke.cue_ball)?;
    let mut potted = shot.potted().filter(|&(ball, _)| ball != stroke.cue_ball);
    match idea.kind {
        Kind::Combination => potted.find(|&(ball, _)| ball != first),
        _ => potted.find(|&(ball, _)| ball == first),
    }
}

impl Sketch {
    /// What matters of a shot.
    fn of(cue_ball: BallId, (shot, trace): (&Shot, &Trace), (kind, pot): (Kind, Option<(BallId, PocketId)>)) -> Self {
        let with_cue =
            |&(_, a, b): &(f32, BallId, Option<BallId>)| (b.is_some() && a == cue_ball) || b == Some(cue_ball);
        let mut hits = trace.hits.iter().filter(|hit| with_cue(hit));
        let first = hits.next();
        let time = first.map(|hit| hit.0);
        let ghost = time.and_then(|time| trace.way(cue_ball, Some(time)).last().copied());
        let object = first.map(|&(_, a, b)| if a == cue_ball { b.unwrap_or(a) } else { a });
        if let Some((potted, _)) = pot {
            let mut balls = Vec::new();
            if let Some(object) = object.filter(|&object| object != potted) {
                // Of a combination: up to the hit that counts.
                let until = trace.hits.iter().find(|(_, a, b)| *a == potted || *b == Some(potted)).map(|hit| hit.0);
                balls.push((object, trace.way(object, until)));
            }
            balls.push((potted, trace.way(potted, None)));
            return Self { cue: trace.way(cue_ball, time), ghost, balls, rests: None };
        }
        // In carom up to the second ball.
        let second = hits.find(|&&(_, a, b)| object != Some(if a == cue_ball { b.unwrap_or(a) } else { a }));
        if let (Kind::Sweep | Kind::Kick, Some((time, ..))) = (kind, second) {
            return Self { cue: trace.way(cue_ball, Some(*time)), ghost, balls: Vec::new(), rests: None };
        }
        if kind == Kind::Break {
            return Self { cue: trace.way(cue_ball, time), ghost, balls: Vec::new(), rests: None };
        }
        let rests = shot.end_of(cue_ball).on_table();
        Self { cue: trace.way(cue_ball, None), ghost, balls: Vec::new(), rests }
    }
}

/// A position with what it takes to try strokes in it.
#[derive(Debug)]
struct Teacher {
    position: Position,
    simulator: Simulator,
    sight: Sight,
    shot: Shot,
}

impl Teacher {
    fn of(position: Position) -> Self {
        let (simulator, sight) = (Simulator::new(position.table.clone()), Sight::of(&position.table));
        Self { position, simulator, sight, shot: Shot::default() }
    }

    fn stroke(&self) -> Option<&Stroke> {
        self.position.rules.turn().stroke()
    }

    fn cue(&self) -> Cue {
        self.position.cue
    }

    /// The speed that a strike gives the cue ball, m/s.
    fn ball_speed(&self, stroke: &Strike) -> f32 {
        strike(&self.cue(), &self.simulator.body(), stroke).map_or(0.0, |motion| motion.velocity.length() as f32)
    }

    /// An idea as a tip, if it does without errors what it is meant to. Its chance is still to be found.
    fn tip(&mut self, idea: &Idea, stroke: &Stroke, noise: f64) -> Option<Tip> {
        let layout = placed(&self.position.layout, stroke.cue_ball, idea.from);
        let played = (stroke.cue_ball, &idea.strike, &self.position.cue);
        let (mut shot, trace) = self.simulator.trace(&layout, played).ok()?;
        shot.call = idea.call;
        let pot = if is_pot(idea.kind) { Some(meant(idea, stroke, &shot)?) } else { None };
        let (verdict, rules) = self.judge(&shot);
        if !self.is_good((idea.kind, pot, false), &shot, (&verdict, &*rules)) {
            return None;
        }
        let scores = self.scores(&verdict, &*rules);
        let mut after = shot.after.clone();
        verdict.place(&mut after);
        let sketch = Sketch::of(stroke.cue_ball, (&shot, &trace), (idea.kind, pot));
        let leaves = self.best_pot((&*rules, &after), noise);
        let Idea { kind, from, call, strike, value, .. } = *idea;
        let ball_speed = self.ball_speed(&strike);
        Some(Tip { kind, from, call, strike, ball_speed, pot, chance: 0.0, value, leaves, scores, sketch })
    }

    fn judge(&self, shot: &Shot) -> (Verdict, Box<dyn Rules>) {
        let mut rules = self.position.rules.clone();
        let verdict = rules.judge(shot);
        (verdict, rules)
    }

    /// Whether whoever has played goes on, has points for it, or has won.
    fn scores(&self, verdict: &Verdict, rules: &dyn Rules) -> bool {
        let player = self.position.rules.turn().player;
        let has_won = matches!(rules.turn().task, Task::Over(Outcome { winner: Some(winner) }) if winner == player);
        verdict.goes_on || has_won || verdict.points[player.index()] > 0
    }

    /// Whether a shot has done what it was meant to. A break may have to score, as one that is played softly need not.
    fn is_good(
        &self,
        (kind, pot, has_to_score): (Kind, Option<(BallId, PocketId)>, bool),
        shot: &Shot,
        (verdict, rules): (&Verdict, &dyn Rules),
    ) -> bool {
        let player = self.position.rules.turn().player;
        let has_lost = matches!(rules.turn().task, Task::Over(Outcome { winner: Some(winner) }) if winner != player);
        if !verdict.fouls.is_empty() || has_lost {
            return false;
        }
        let scores = self.scores(verdict, rules);
        match (pot, kind) {
            (Some((ball, pocket)), _) => shot.pocket_of(ball) == Some(pocket),
            (None, Kind::Break) => scores || !has_to_score,
            (None, _) if self.sight.pockets.is_empty() => {
                // Where stones count that lie well, it is to lie better than before.
                let mine = |outlook: f32| if player == Player(0) { outlook } else { 1.0 - outlook };
                let before = self.position.rules.outlook(&self.position.layout).map(mine);
                let mut left = shot.after.clone();
                verdict.place(&mut left);
                let after = rules.outlook(&left).map(mine);
                before.zip(after).map_or(scores, |(before, after)| after > before)
            }
            (None, _) => true,
        }
    }

    /// Whether a tip works with the errors of a hand, once.
    fn works(&mut self, tip: &Tip, stroke: &Stroke, noise: f64, chance: &mut Chance) -> bool {
        let layout = placed(&self.position.layout, stroke.cue_ball, tip.from);
        let cue = self.cue();
        let ball = [f64::from(self.sight.radius), cue.miscue_limit];
        let strike = Noise::olympiad(noise).disturb(&tip.strike, ball, chance);
        let mut shot = std::mem::take(&mut self.shot);
        shot.call = tip.call;
        let played = self.simulator.play_into(&mut shot, &layout, (stroke.cue_ball, &strike, &cue));
        let (verdict, rules) = self.judge(&shot);
        let works = played.is_ok() && self.is_good((tip.kind, tip.pot, tip.scores), &shot, (&verdict, &*rules));
        self.shot = shot;
        works
    }

    /// The chance of the best pot of whoever has played so far, in a position that follows.
    fn best_pot(&self, (rules, layout): (&dyn Rules, &Layout), noise: f64) -> Option<f32> {
        let Turn { player, task: Task::Shoot(stroke) } = rules.turn() else { return None };
        if *player != self.position.rules.turn().player || self.sight.pockets.is_empty() {
            return None;
        }
        let error = TIP_ERROR * (Noise::OLYMPIAD.direction * noise) as f32;
        let on = balls_on(stroke, layout);
        let cue = (stroke.cue_ball, layout[stroke.cue_ball].on_table()?);
        let pots = self.sight.pots(layout, cue, &on, error).map(|pot| pot.chance);
        Some(pots.fold(0.0, f32::max))
    }

    /// A strike turned to the left by an angle, radians, and played in this position.
    fn turned(&mut self, strike: &Strike, angle: f64) -> Option<(Shot, Strike)> {
        let turned = Strike { direction: turn(strike.direction, angle), ..*strike };
        let (cue, ball) = (self.cue(), self.stroke()?.cue_ball);
        let shot = self.simulator.play(&self.position.layout, ball, &turned, &cue).ok()?;
        Some((shot, turned))
    }
}

/// The angle from one direction to another, radians, counter-clockwise: right for the smallest, too.
fn angle_between(from: Vec2, to: Vec2) -> f32 {
    ops::atan2(from.perp_dot(to), from.dot(to))
}

fn turn(direction: DVec2, angle: f64) -> DVec2 {
    let (sin, cos) = libm::sincos(angle);
    DVec2::new(cos, sin).rotate(direction)
}

/// By how much a shot has missed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Miss {
    /// What it was meant to pot, and where; none in a game without pockets, where it was meant to score.
    pub pot: Option<(BallId, PocketId)>,
    /// What was wrong.
    pub fault: Fault,
}

/// What was wrong with a shot. Angles are in degrees, positive where it went too far to the left, as seen along its way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    /// The ball that was hit set out beside its way into the pocket.
    Direction {
        /// By how much it went beside the nearest way on which it would have fallen, with a cue that points a little elsewhere and is the same in all else.
        ball: f32,
        /// The same of the cue.
        cue: f32,
        /// How it was hit; none where it had to be hit nearly full.
        hit: Option<Contact>,
    },
    /// The cue pointed beside the nearest direction in which the shot would have come off, by so much; of the ball nothing as simple can be said.
    Cue(f32),
    /// The ball was on its way, and came to rest before the pocket.
    TooSoft {
        /// The speed of the cue ball, m/s.
        played: f32,
        /// The least speed that would have done, m/s.
        needed: f32,
    },
}

/// On which side of what was meant a ball was hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contact {
    /// Less of it: it was cut too much.
    TooThin,
    /// More of it: it was cut too little.
    TooThick,
}

/// A ball that sets out so far beside its way into a pocket, radians, or less, was meant to go there: 8 degrees.
const MEANT: f32 = 0.14;

/// A cut below that is called neither thin nor thick, radians: 3 degrees.
const CUT: f32 = 0.052;

/// A cue is not turned by more to find the shot that was meant, radians: 4 degrees.
const MOST_TURN: f64 = 0.07;

/// In steps of so much where nothing better is known, and how many to each side, radians.
const TURN_STEP: f64 = 0.05 * core::f64::consts::PI / 180.0;
const TURN_STEPS: u32 = 40;

/// Harder shots that are tried where one was too soft.
const HARDER: [f64; 4] = [1.15, 1.35, 1.65, 2.0];

/// By how much a shot from this position has missed what it was meant to do: what was called, or else what it evidently was at, a ball that went nearly into a
/// pocket. None where it has not missed, or nothing of the kind can be said: breaks, safeties, shots at nothing in particular.
///
/// What is said is tried: the same stroke with the cue turned by as little as it takes (or played harder) comes off.
#[must_use]
pub fn missed(position: &Position, call: Call, strike: &Strike) -> Option<Miss> {
    let mut teacher = Teacher::of(position.clone());
    let stroke = teacher.stroke()?.clone();
    if stroke.is_break || call.safety || call.push_out {
        return None;
    }
    let (mut shot, strike) = teacher.turned(strike, 0.0)?;
    shot.call = call;
    if teacher.sight.pockets.is_empty() {
        return if position.table.spec.ball.shape == Shape::Flat {
            None
        } else {
            teacher.missed_score(call, &shot, &strike)
        };
    }
    let called = call.ball.zip(call.pocket);
    let is_potted = |shot: &Shot, (ball, pocket): (BallId, PocketId)| shot.pocket_of(ball) == Some(pocket);
    let pots = |shot: &Shot| shot.potted().any(|(ball, _)| ball != stroke.cue_ball);
    if called.map_or_else(|| pots(&shot), |pot| is_potted(&shot, pot)) {
        return None;
    }
    let direct = teacher.direct(&stroke, (call.ball, called), (&shot, &strike));
    let pot = direct.map(|direct| direct.pot).or(called)?;
    let wants = |shot: &Shot| is_potted(shot, pot);
    if let Some(direct) = direct {
        if let Some((played, needed)) = teacher.too_soft(&direct, &shot, &strike) {
            return Some(Miss { pot: Some(pot), fault: Fault::TooSoft { played, needed } });
        }
        if let Some(angle) = teacher.turn_for(&direct, &strike, &wants) {
            let fault = teacher.direction_fault(&direct, &strike, angle).unwrap_or(Fault::Cue(degrees(-angle)));
            return Some(Miss { pot: Some(pot), fault });
        }
    }
    // By way of a cushion or another ball, or past what it was meant for: only where it was called.
    let pot = called?;
    let angle = teacher.search(&strike, &wants)?;
    Some(Miss { pot: Some(pot), fault: Fault::Cue(degrees(-angle)) })
}

fn degrees(angle: f64) -> f32 {
    angle.to_degrees() as f32
}

/// A pot that was meant, straight from the cue ball.
#[derive(Clone, Copy, Debug)]
struct Direct {
    pot: (BallId, PocketId),
    cue_place: Vec2,
    at: Vec2,
    /// Where it had to go, a unit vector.
    line: Vec2,
    /// Where it went, a unit vector.
    went: Vec2,
}

impl Teacher {
    /// The pot that was called if there is a straight way for it, or the one that was nearly made.
    fn direct(
        &mut self,
        stroke: &Stroke,
        (named, called): (Option<BallId>, Option<(BallId, PocketId)>),
        (shot, strike): (&Shot, &Strike),
    ) -> Option<Direct> {
        let ball = shot.first_hit(stroke.cue_ball)?;
        let is_on = stroke.on.is_empty() || stroke.on.contains(&ball);
        if !is_on || named.is_some_and(|named| named != ball) {
            return None;
        }
        let layout = &shot.before;
        let (cue_place, at) = (layout[stroke.cue_ball].on_table()?, layout[ball].on_table()?);
        let cue = self.cue();
        let went = self.simulator.first_hit([cue_place, at], strike, &cue)?.try_normalize()?;
        let pots = self.sight.pots(layout, (stroke.cue_ball, cue_place), core::slice::from_ref(&ball), 0.001);
        let beside = |line: Vec2| angle_between(went, line).abs();
        let lines = pots.map(|pot| (pot.pocket, (pot.target - at).normalize_or_zero(), pot.object_way));
        let (pocket, line, way) = match called {
            Some((_, pocket)) => lines.into_iter().find(|line| line.0 == pocket)?,
            None => lines.into_iter().min_by(|a, b| beside(a.1).total_cmp(&beside(b.1)))?,
        };
        // Without a call it has to be plain that this was meant: it was on its way, and went at least half of it.
        let rests = shot.end_of(ball).on_table();
        let too_short = rests.is_some_and(|rests| {
            let has_hit = shot.after_first_hit(stroke.cue_ball).iter().any(|&event| is_of(event, ball));
            !has_hit && rests.distance(at) < 0.5 * way
        });
        if called.is_none() && (beside(line) > MEANT || too_short) {
            return None;
        }
        Some(Direct { pot: (ball, pocket), cue_place, at, line, went })
    }

    /// The speeds of the cue ball that was played and that would have done, m/s, if speed was all that was lacking.
    fn too_soft(&mut self, direct: &Direct, shot: &Shot, strike: &Strike) -> Option<(f32, f32)> {
        let (ball, pocket) = direct.pot;
        let stroke = self.stroke()?.cue_ball;
        let has_hit = shot.after_first_hit(stroke).iter().any(|&event| is_of(event, ball));
        if has_hit || !shot.after.is_on_table(ball) {
            return None;
        }
        let mut low = 1.0;
        for harder in HARDER {
            if self.pots_harder(strike, harder, (ball, pocket)) {
                let mut high = harder;
                for _ in 0..5 {
                    let middle = 0.5 * (low + high);
                    if self.pots_harder(strike, middle, (ball, pocket)) {
                        high = middle;
                    } else {
                        low = middle;
                    }
                }
                let speed = |times: f64| self.ball_speed(&Strike { speed: strike.speed * times, ..*strike });
                return Some((speed(1.0), speed(high)));
            }
            low = harder;
        }
        None
    }

    fn pots_harder(&mut self, strike: &Strike, times: f64, (ball, pocket): (BallId, PocketId)) -> bool {
        let harder = Strike { speed: strike.speed * times, ..*strike };
        self.turned(&harder, 0.0).is_some_and(|(shot, _)| shot.pocket_of(ball) == Some(pocket))
    }

    /// The smallest turn of the cue to the left with which a direct pot comes off, radians.
    fn turn_for(&mut self, direct: &Direct, strike: &Strike, wants: &impl Fn(&Shot) -> bool) -> Option<f64> {
        // Where the ball sets out exactly for the middle of the mouth, by the secant method.
        let mut beside = |angle: f64| -> Option<f64> {
            let turned = Strike { direction: turn(strike.direction, angle), ..*strike };
            let cue = self.position.cue;
            let went = self.simulator.first_hit([direct.cue_place, direct.at], &turned, &cue)?;
            Some(f64::from(angle_between(direct.line, went)))
        };
        let (mut a, mut b) = (0.0, 5e-4);
        let mut at_a = beside(a)?;
        for _ in 0..8 {
            let at_b = beside(b)?;
            if (at_b - at_a).abs() < 1e-9 {
                break;
            }
            let next = b - at_b * (b - a) / (at_b - at_a);
            if !next.is_finite() {
                return None;
            }
            // Not past the ball at once.
            (a, at_a, b) = (b, at_b, next.clamp(b - 0.02, b + 0.02));
            if (b - a).abs() < 1e-7 {
                break;
            }
        }
        if b.abs() > MOST_TURN || !self.comes_off(strike, b, wants) {
            return None;
        }
        Some(self.nearest(strike, (0.0, b), wants))
    }

    fn comes_off(&mut self, strike: &Strike, angle: f64, wants: &impl Fn(&Shot) -> bool) -> bool {
        self.turned(strike, angle).is_some_and(|(shot, _)| wants(&shot))
    }

    /// Between a turn with which a shot does not come off and one with which it does: where that begins.
    fn nearest(&mut self, strike: &Strike, (mut fails, mut works): (f64, f64), wants: &impl Fn(&Shot) -> bool) -> f64 {
        for _ in 0..12 {
            let middle = 0.5 * (fails + works);
            if self.comes_off(strike, middle, wants) {
                works = middle;
            } else {
                fails = middle;
            }
        }
        works
    }

    /// The smallest turn with which a shot comes off, of those that are looked at, radians.
    fn search(&mut self, strike: &Strike, wants: &impl Fn(&Shot) -> bool) -> Option<f64> {
        (1..=TURN_STEPS).find_map(|step| {
            let [inner, outer] = [step - 1, step].map(|step| f64::from(step) * TURN_STEP);
            let sides = [1.0, -1.0].map(|side| {
                self.comes_off(strike, side * outer, wants)
                    .then(|| self.nearest(strike, (side * inner, side * outer), wants))
            });
            sides.into_iter().flatten().min_by(|a, b| a.abs().total_cmp(&b.abs()))
        })
    }

    /// What was wrong with the direction of the ball, if the cue had to be turned by this much.
    fn direction_fault(&mut self, direct: &Direct, strike: &Strike, angle: f64) -> Option<Fault> {
        let turned = Strike { direction: turn(strike.direction, angle), ..*strike };
        let cue = self.cue();
        let falls = self.simulator.first_hit([direct.cue_place, direct.at], &turned, &cue)?;
        let cut = |strike: &Strike, went: Vec2| angle_between(strike.direction.as_vec2(), went);
        let (was, had_to_be) = (cut(strike, direct.went), cut(&turned, falls));
        let hit = (had_to_be.abs() >= CUT && was.signum() == had_to_be.signum())
            .then(|| if was.abs() > had_to_be.abs() { Contact::TooThin } else { Contact::TooThick });
        let ball = angle_between(falls, direct.went).to_degrees();
        Some(Fault::Direction { ball, cue: degrees(-angle), hit })
    }

    /// The miss of a point in a game without pockets.
    fn missed_score(&mut self, call: Call, shot: &Shot, strike: &Strike) -> Option<Miss> {
        let player = self.position.rules.turn().player.index();
        let rules = self.position.rules.clone();
        let wants = move |shot: &Shot| {
            let verdict = rules.clone().judge(&Shot { call, ..shot.clone() });
            verdict.fouls.is_empty() && verdict.points[player] > 0
        };
        if wants(shot) {
            return None;
        }
        let angle = self.search(strike, &wants)?;
        Some(Miss { pot: None, fault: Fault::Cue(degrees(-angle)) })
    }
}

/// Whether something has happened to a ball.
fn is_of(event: super::ShotEvent, ball: BallId) -> bool {
    match event {
        super::ShotEvent::Balls(a, b) => a == ball || b == ball,
        super::ShotEvent::Cushion(one, _) | super::ShotEvent::Potted(one, _) | super::ShotEvent::OffTable(one) => {
            one == ball
        }
    }
}

#[cfg(test)]
mod tests;
