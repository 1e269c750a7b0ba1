//! Estimates of pots without a simulation: which balls can be potted from where, how thin the cut is, and the chance.
//! The formulas are closed and geometric (D. Alciatore, "The Illustrated Principles of Pool and Billiards", technical
//! proofs TP 3.1 to 3.6). They use the ghost ball (the place of the cue ball at the hit) and the visible mouth of a
//! pocket. They also use the effect of the cue's error on the object ball's direction.

use bevy::math::Vec2;

use crate::{
    billiards::tables::PocketKind,
    games::rules::{BallId, GameTable, Layout, PocketId, Region, ShotConstraints, may_place},
};

/// The geometry of a pocket for aiming.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PocketSight {
    /// The pocket.
    pub pocket: PocketId,
    /// The middle of its mouth, metres.
    pub mouth: Vec2,
    /// The centre of its hole, metres.
    pub centre: Vec2,
    /// The unit vector into it.
    pub axis: Vec2,
    /// The width of its mouth, metres.
    pub width: f32,
}

/// A cue ball and the place from which it is played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CueBall {
    /// The ball.
    pub ball: BallId,
    /// The place from which it is played, metres.
    pub place: Vec2,
}

/// A possible pot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pot {
    /// The place from which the cue ball is played, metres.
    pub from: Vec2,
    /// The object ball, which the cue ball hits and which is potted.
    pub ball: BallId,
    /// The pocket.
    pub pocket: PocketId,
    /// The point to send the object ball to, metres.
    pub target: Vec2,
    /// The centre of the cue ball at the hit, metres.
    pub ghost: Vec2,
    /// The cosine of the cut angle: 1 is straight.
    pub cut_cos: f32,
    /// The distance of the cue ball to the hit, metres.
    pub cue_way: f32,
    /// The distance of the object ball to the pocket, metres.
    pub object_way: f32,
    /// The chance that it falls, with the given error of the cue.
    pub chance: f32,
}

/// The geometry of a table for estimating pots.
#[derive(Clone, Debug, PartialEq)]
pub struct Sight {
    /// Its pockets.
    pub pockets: Vec<PocketSight>,
    /// The radius of a ball, metres.
    pub radius: f32,
    /// Half of the length and half of the width of the area for ball centres, metres.
    reach: Vec2,
}

/// The cosine of the thinnest cut to consider: 80 degrees.
const THINNEST: f32 = 0.173_65;

/// The error of an object ball's direction besides the cue's, radians: the unknown part of throw.
const STRAY: f32 = 0.001;

/// Distances behind the hit at which to place a cue ball in hand, metres.
const EASY_WAYS: [f32; 3] = [0.3, 0.15, 0.6];

/// Straight, and cuts of about 15, 30 and 45 degrees to both sides: cosine and sine.
const EASY_TURNS: [(f32, f32); 7] =
    [(1.0, 0.0), (0.966, 0.259), (0.966, -0.259), (0.866, 0.5), (0.866, -0.5), (0.707, 0.707), (0.707, -0.707)];

impl Sight {
    /// The geometry of this table.
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

    /// Whether a ball can move from one place to another without touching any ball except those in `but`.
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

    /// Where to aim a ball for a pocket, and half of the width in which it still falls, metres. It is `None` if the
    /// pocket shows no mouth from there.
    fn mouth(&self, pocket: &PocketSight, from: Vec2) -> Option<(Vec2, f32)> {
        let beyond = (from - pocket.mouth).dot(pocket.axis);
        if beyond > -0.5 * self.radius {
            // The ball is already between the jaws.
            return Some((pocket.centre, self.radius));
        }
        let along = (pocket.mouth - from).normalize_or_zero();
        let seen = pocket.width * along.dot(pocket.axis) - 2.0 * self.radius;
        (seen > 0.0).then_some((pocket.mouth, 0.5 * seen))
    }

    /// The ghost ball: the centre of a ball as it hits another at `at` (metres) and sends it along this unit vector.
    #[must_use]
    pub fn ghost(&self, at: Vec2, line: Vec2) -> Vec2 {
        at - line * (2.0 * self.radius)
    }

    /// The error of an object ball's direction, radians, if the ball that hits it starts `way` metres before the hit
    /// with this error of its direction, radians. `cut_cos` is the cosine of the cut angle.
    #[must_use]
    pub fn object_error(&self, error: f32, way: f32, cut_cos: f32) -> f32 {
        error * way / (2.0 * self.radius * cut_cos)
    }

    /// The pot of a ball into a pocket from a place of the cue ball, if possible. `error` is the standard deviation of
    /// the cue's direction, radians.
    #[must_use]
    pub fn pot(&self, layout: &Layout, cue: CueBall, ball: BallId, pocket: &PocketSight, error: f32) -> Option<Pot> {
        let at = layout[ball].on_table()?;
        let (target, margin) = self.mouth(pocket, at)?;
        let object_way = at.distance(target);
        let line = (target - at) / object_way.max(1e-6);
        let ghost = self.ghost(at, line);
        let way = ghost - cue.place;
        let cue_way = way.length();
        let cut_cos = if cue_way < 1e-4 { 1.0 } else { way.dot(line) / cue_way };
        if cut_cos < THINNEST || ghost.abs().cmpgt(self.reach + 1e-3).any() {
            return None;
        }
        let but = [cue.ball, ball];
        if !self.is_clear([at, target], layout, but) || !self.is_clear([cue.place, ghost], layout, but) {
            return None;
        }
        let turned = self.object_error(error, cue_way, cut_cos);
        let astray = object_way.max(self.radius) * (turned * turned + STRAY * STRAY).sqrt();
        let chance = libm::erff(margin / (astray * core::f32::consts::SQRT_2));
        Some(Pot { from: cue.place, ball, pocket: pocket.pocket, target, ghost, cut_cos, cue_way, object_way, chance })
    }

    /// All pots of these balls, from a place of the cue ball.
    pub fn pots<'a>(
        &'a self,
        layout: &'a Layout,
        cue: CueBall,
        balls: &'a [BallId],
        error: f32,
    ) -> impl Iterator<Item = Pot> + 'a {
        balls.iter().flat_map(move |&ball| {
            self.pockets.iter().filter_map(move |pocket| self.pot(layout, cue, ball, pocket, error))
        })
    }

    /// Whether the cue ball can hit a ball full: no ball obstructs the path between them.
    #[must_use]
    pub fn sees(&self, layout: &Layout, cue: CueBall, ball: BallId) -> bool {
        layout[ball].on_table().is_some_and(|at| self.is_clear([cue.place, at], layout, [cue.ball, ball]))
    }
}

/// A shot to play, with the geometry for estimating its pots.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// The geometry of the table.
    pub sight: &'a Sight,
    /// The table.
    pub table: &'a GameTable,
    /// The constraints on the shot.
    pub stroke: &'a ShotConstraints,
    /// Positions of the balls.
    pub layout: &'a Layout,
    /// The standard deviation of the cue's direction for judging pots, radians.
    pub error: f32,
}

impl Situation<'_> {
    /// The balls that may be hit first: the balls on, or all except the cue ball if any may be hit.
    #[must_use]
    pub fn balls_on(&self) -> Vec<BallId> {
        self.layout.on_table().map(|(ball, _)| ball).filter(|&ball| self.stroke.is_on(ball)).collect()
    }

    /// A place from which the cue ball can be played: where it lies, or any place in its region.
    #[must_use]
    pub fn any_place(&self) -> Option<Vec2> {
        let Self { table, stroke, layout, .. } = *self;
        let lies = layout[stroke.cue_ball].on_table();
        match stroke.in_hand {
            Some(region) => lies
                .filter(|&place| region.contains(place, table))
                .or_else(|| region.any_place(table, layout, stroke.cue_ball)),
            None => lies,
        }
    }

    /// All pots of the balls on, from where the cue ball lies. If it is in hand, from several places for each pot.
    #[must_use]
    pub fn pots(&self) -> Vec<Pot> {
        let Self { sight, stroke, layout, error, .. } = *self;
        let on = self.balls_on();
        match (stroke.in_hand, layout[stroke.cue_ball].on_table()) {
            (Some(region), _) => self.pots_in_hand(region, &on),
            (None, Some(place)) => sight.pots(layout, CueBall { ball: stroke.cue_ball, place }, &on, error).collect(),
            (None, None) => Vec::new(),
        }
    }

    /// The chance of the best pot from where the cue ball lies, 0 if there is none. `None` if the cue ball is in hand,
    /// or if the table has no pockets.
    #[must_use]
    pub fn best_chance(&self) -> Option<f32> {
        let lies = self.stroke.in_hand.is_none() && self.layout.is_on_table(self.stroke.cue_ball);
        (lies && !self.sight.pockets.is_empty())
            .then(|| self.pots().into_iter().map(|pot| pot.chance).fold(0.0, f32::max))
    }

    /// The pots for which a cue ball in hand can be placed: behind the ball on the line to the pocket, or beside that
    /// line.
    fn pots_in_hand(&self, region: Region, balls: &[BallId]) -> Vec<Pot> {
        let Self { sight, table, stroke, layout, error } = *self;
        let mut pots = Vec::new();
        for &ball in balls {
            let Some(at) = layout[ball].on_table() else { continue };
            for pocket in &sight.pockets {
                let Some((target, _)) = sight.mouth(pocket, at) else { continue };
                let line = (target - at).normalize_or_zero();
                let ghost = sight.ghost(at, line);
                let places = EASY_TURNS
                    .into_iter()
                    .flat_map(|(x, y)| EASY_WAYS.map(|way| ghost - Vec2::new(x, y).rotate(line) * way));
                let places = places.filter(|&place| may_place(region, layout, stroke.cue_ball, place, table));
                let cue = |place: Vec2| CueBall { ball: stroke.cue_ball, place };
                pots.extend(places.filter_map(|place| sight.pot(layout, cue(place), ball, pocket, error)));
            }
        }
        pots
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{rules::BallPlace, test_support};

    #[test]
    fn a_ball_is_potted_from_where_the_cue_ball_lies_and_in_hand_from_where_it_may_lie() {
        let table = test_support::table("pool-9ft");
        let sight = Sight::of(&table);
        let places = [Vec2::new(-0.5, 0.0), Vec2::new(0.5, 0.2), Vec2::new(0.5, -0.3)];
        let layout = Layout(places.map(BallPlace::Table).to_vec());
        let lies = ShotConstraints { on: vec![BallId(1)], ..ShotConstraints::of(BallId(0)) };
        let with = |stroke| Situation { sight: &sight, table: &table, stroke, layout: &layout, error: 0.002 };
        let pots = with(&lies).pots();
        assert!(!pots.is_empty() && pots.iter().all(|pot| pot.from == places[0] && pot.ball == BallId(1)));
        let best = pots.iter().map(|pot| pot.chance).fold(0.0, f32::max);
        assert_eq!(with(&lies).best_chance(), Some(best));

        let region = Region::BehindHeadString;
        let in_hand = ShotConstraints { in_hand: Some(region), ..lies.clone() };
        let placed = with(&in_hand).pots();
        assert!(placed.is_empty(), "no place behind the head string is near enough: {placed:?}");
        let in_hand = ShotConstraints { in_hand: Some(Region::Anywhere), ..lies.clone() };
        let placed = with(&in_hand).pots();
        let may_lie = |pot: &Pot| may_place(Region::Anywhere, &layout, BallId(0), pot.from, &table);
        assert!(placed.len() > pots.len() && placed.iter().all(may_lie));
        assert!(placed.iter().any(|pot| pot.chance > best), "a better place than where it lies");
        assert_eq!(with(&in_hand).best_chance(), None);
    }
}
