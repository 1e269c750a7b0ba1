//! What a player sees without trying: which balls can be potted where from here, how thin the cut is, and with which
//! chance. Closed formulas over the geometry of the table: the ghost ball (where the cue ball has to be when it hits),
//! the mouth that a pocket shows, and what an error of the cue makes of the object ball's direction (D. Alciatore, "The
//! Illustrated Principles of Pool and Billiards", technical proofs TP 3.1 to 3.6).

use bevy::math::Vec2;

use crate::{
    billiards::tables::PocketKind,
    games::rules::{BallId, GameTable, Layout, PocketId, Region, Stroke, may_place},
};

/// A pocket, as a player sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PocketSight {
    /// Which it is.
    pub pocket: PocketId,
    /// The middle of its mouth, metres.
    pub mouth: Vec2,
    /// The centre of its hole, metres.
    pub centre: Vec2,
    /// The unit vector into it.
    pub axis: Vec2,
    /// How wide its mouth is, metres.
    pub width: f32,
}

/// A pot that is there to be played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pot {
    /// The ball that is potted, and hit by the cue ball.
    pub ball: BallId,
    /// Where it goes.
    pub pocket: PocketId,
    /// The point that it has to be sent to, metres.
    pub target: Vec2,
    /// The centre of the cue ball where it hits, metres.
    pub ghost: Vec2,
    /// The cosine of the cut angle: 1 is straight.
    pub cut_cos: f32,
    /// How far the cue ball goes to the hit, metres.
    pub cue_way: f32,
    /// How far the object ball goes to the pocket, metres.
    pub object_way: f32,
    /// The chance that it falls, for a cue that errs as much as was asked.
    pub chance: f32,
}

/// A table with the numbers that a look at it needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Sight {
    /// Its pockets.
    pub pockets: Vec<PocketSight>,
    /// The radius of a ball, metres.
    pub radius: f32,
    /// Half of the length and of the width within which the centre of a ball can lie, metres.
    reach: Vec2,
}

/// Thinner cuts are not looked at: 80 degrees.
const THINNEST: f32 = 0.173_65;

/// By how much an object ball strays whatever the cue does, radians: what is not known of throw.
const STRAY: f32 = 0.001;

/// A cue ball in hand is placed so far behind the hit, metres.
const EASY_WAYS: [f32; 3] = [0.3, 0.15, 0.6];

impl Sight {
    /// Of this table.
    #[must_use]
    pub fn of(table: &GameTable) -> Self {
        let width = |kind: PocketKind| {
            let pockets = table.spec.pockets.as_ref();
            pockets.map_or(0.0, |pockets| match kind {
                PocketKind::Corner => pockets.corner.mouth as f32,
                PocketKind::Side => pockets.side.mouth as f32,
            })
        };
        let pockets = table.built.holes.iter().zip(0..).map(|(hole, i)| {
            let axis = match hole.kind {
                PocketKind::Corner => hole.mouth.as_vec2().signum() * core::f32::consts::FRAC_1_SQRT_2,
                PocketKind::Side => Vec2::new(0.0, hole.mouth.y.signum() as f32),
            };
            let (mouth, centre) = (hole.mouth.as_vec2(), hole.centre.as_vec2());
            PocketSight { pocket: PocketId(i), mouth, centre, axis, width: width(hole.kind) }
        });
        let radius = table.ball_radius();
        Self { pockets: pockets.collect(), radius, reach: table.half() - radius }
    }

    /// Whether a ball gets from one place to another without touching any other but those two.
    #[must_use]
    pub fn is_clear(&self, [from, to]: [Vec2; 2], layout: &Layout, but: [BallId; 2]) -> bool {
        let way = to - from;
        let length = way.length();
        let along = way / length.max(1e-6);
        let wide = 4.0 * self.radius * self.radius;
        layout.on_table().filter(|(ball, _)| !but.contains(ball)).all(|(_, at)| {
            let beside = at - from;
            let nearest = beside.dot(along).clamp(0.0, length);
            (beside - along * nearest).length_squared() >= wide
        })
    }

    /// Where to send a ball for a pocket, and half of the width in which it still falls, metres; none where the pocket
    /// shows it no mouth.
    fn mouth(&self, pocket: &PocketSight, from: Vec2) -> Option<(Vec2, f32)> {
        let beyond = (from - pocket.mouth).dot(pocket.axis);
        if beyond > -0.5 * self.radius {
            // Between the jaws already.
            return Some((pocket.centre, self.radius));
        }
        let along = (pocket.mouth - from).normalize_or_zero();
        let seen = pocket.width * along.dot(pocket.axis) - 2.0 * self.radius;
        (seen > 0.0).then_some((pocket.mouth, 0.5 * seen))
    }

    /// The pot of a ball into a pocket from a place of the cue ball, if it is there. `error` is the deviation of the
    /// cue's direction, radians.
    #[must_use]
    pub fn pot(
        &self,
        layout: &Layout,
        (cue_ball, cue_place): (BallId, Vec2),
        ball: BallId,
        pocket: &PocketSight,
        error: f32,
    ) -> Option<Pot> {
        let at = layout[ball].on_table()?;
        let (target, margin) = self.mouth(pocket, at)?;
        let object_way = at.distance(target);
        let line = (target - at) / object_way.max(1e-6);
        let ghost = at - line * (2.0 * self.radius);
        let way = ghost - cue_place;
        let cue_way = way.length();
        let cut_cos = if cue_way < 1e-4 { 1.0 } else { way.dot(line) / cue_way };
        if cut_cos < THINNEST || ghost.abs().cmpgt(self.reach + 1e-3).any() {
            return None;
        }
        let but = [cue_ball, ball];
        if !self.is_clear([at, target], layout, but) || !self.is_clear([cue_place, ghost], layout, but) {
            return None;
        }
        let turned = error * cue_way / (2.0 * self.radius * cut_cos);
        let astray = object_way.max(self.radius) * (turned * turned + STRAY * STRAY).sqrt();
        let chance = libm::erff(margin / (astray * core::f32::consts::SQRT_2));
        Some(Pot { ball, pocket: pocket.pocket, target, ghost, cut_cos, cue_way, object_way, chance })
    }

    /// All pots of these balls, from a place of the cue ball.
    pub fn pots<'a>(
        &'a self,
        layout: &'a Layout,
        cue: (BallId, Vec2),
        balls: &'a [BallId],
        error: f32,
    ) -> impl Iterator<Item = Pot> + 'a {
        balls.iter().flat_map(move |&ball| {
            self.pockets.iter().filter_map(move |pocket| self.pot(layout, cue, ball, pocket, error))
        })
    }

    /// The chance of the best pot of these balls, from a place of the cue ball; 0 if there is none.
    #[must_use]
    pub fn best_chance(&self, layout: &Layout, cue: (BallId, Vec2), balls: &[BallId], error: f32) -> f32 {
        self.pots(layout, cue, balls, error).map(|pot| pot.chance).fold(0.0, f32::max)
    }

    /// The pots that a cue ball in hand can be placed for, each with the place: behind the ball on the line to the
    /// pocket, or beside that line.
    pub fn pots_in_hand<'a>(
        &'a self,
        (table, region): (&'a GameTable, Region),
        layout: &'a Layout,
        cue_ball: BallId,
        (balls, error): (&'a [BallId], f32),
    ) -> impl Iterator<Item = (Vec2, Pot)> + 'a {
        let pairs = balls.iter().flat_map(|&ball| self.pockets.iter().map(move |pocket| (ball, pocket)));
        pairs.flat_map(move |(ball, pocket)| {
            let line = layout[ball].on_table().and_then(|at| {
                let (target, _) = self.mouth(pocket, at)?;
                let line = (target - at).normalize_or_zero();
                Some((at - line * (2.0 * self.radius), line))
            });
            line.into_iter().flat_map(move |(ghost, line)| {
                // Straight, and cut by some 15, 30 and 45 degrees to both sides.
                let turns = [
                    (1.0, 0.0),
                    (0.966, 0.259),
                    (0.966, -0.259),
                    (0.866, 0.5),
                    (0.866, -0.5),
                    (0.707, 0.707),
                    (0.707, -0.707),
                ];
                let places = turns
                    .into_iter()
                    .flat_map(move |(x, y)| EASY_WAYS.map(|way| ghost - Vec2::new(x, y).rotate(line) * way));
                places.filter_map(move |place| {
                    if !may_place(region, layout, cue_ball, place, table) {
                        return None;
                    }
                    Some((place, self.pot(layout, (cue_ball, place), ball, pocket, error)?))
                })
            })
        })
    }

    /// Whether any ball bars the way between two places that the cue ball and one ball have: whether it can be hit
    /// full.
    #[must_use]
    pub fn sees(&self, layout: &Layout, cue: (BallId, Vec2), ball: BallId) -> bool {
        layout[ball].on_table().is_some_and(|at| self.is_clear([cue.1, at], layout, [cue.0, ball]))
    }
}

/// The balls that may be hit first: those on, or all but the cue ball where any may be.
#[must_use]
pub fn balls_on(stroke: &Stroke, layout: &Layout) -> Vec<BallId> {
    let on = |ball: &BallId| *ball != stroke.cue_ball && (stroke.on.is_empty() || stroke.on.contains(ball));
    layout.on_table().map(|(ball, _)| ball).filter(on).collect()
}
