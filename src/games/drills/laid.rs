//! A drill on a table: places in metres, balls and cushions as numbers. Everything is checked here.

use std::{collections::HashMap, sync::Arc};

use bevy::math::Vec2;

use super::file::{AreaSpec, Attempt, Demand, Drill, DrillError, Place, Position, TargetSpec, Unit};
use crate::{
    billiards::tables::{BallName, ShippedTable},
    games::rules::{Area, BallId, BallPlace, CushionId, GameTable, Layout, PocketId, Region, Target},
};

/// The gap of a frozen ball to its cushion and to its neighbours, metres. Eyes do not see it.
const FROZEN_GAP: f32 = 2e-5;

/// How much two balls may overlap, metres. Rounded coordinates of touching balls overlap by less.
const LARGEST_OVERLAP: f32 = 1e-5;

/// The highest number of attempts.
const MOST_ATTEMPTS: u32 = 1000;

/// The highest number of points for a shot or a target.
const MOST_POINTS: i32 = 1000;

/// The highest number of balls.
const MOST_BALLS: usize = 64;

/// A drill on a table.
#[derive(Clone, Debug, PartialEq)]
pub struct LaidDrill {
    /// The drill.
    pub drill: Drill,
    /// The balls of all positions. The first is the one to strike.
    pub balls: Vec<BallName>,
    /// The positions, at least one.
    pub positions: Vec<LaidPosition>,
}

/// A position of a drill on a table.
#[derive(Clone, Debug, PartialEq)]
pub struct LaidPosition {
    /// The places of the balls. Balls of other positions are off the table.
    pub layout: Layout,
    /// Where the ball to strike may be placed, if it is in hand.
    pub in_hand: Option<Region>,
    /// The targets.
    pub targets: Vec<Target>,
    pub(super) demands: Vec<LaidDemand>,
}

/// A demand with numbers instead of names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LaidDemand {
    Pot(BallId, Vec<PocketId>),
    PotAny,
    PotLowest,
    HitFirst(BallId),
    Kick(usize),
    Bank(BallId, usize),
    Cannon([BallId; 2], usize),
    JumpOver(BallId),
    Touch(CushionId),
    Avoid(Vec<CushionId>),
}

/// The table, the numbers of its balls by name, and the metres of a unit.
struct Laying<'a> {
    table: &'a GameTable,
    ids: HashMap<BallName, BallId>,
    metres: f64,
}

impl LaidDrill {
    /// Lays a drill on a table.
    ///
    /// # Errors
    /// The first invalid value. The error names the field and the remedy.
    pub fn new(drill: &Drill, table: &GameTable) -> Result<Self, DrillError> {
        check_numbers(drill)?;
        let metres = match drill.unit {
            Unit::Diamonds => table.spec.length / 8.0,
            Unit::Metres => 1.0,
        };
        let balls = all_balls(drill)?;
        let mut ids = HashMap::new();
        for (&name, id) in balls.iter().zip(0..) {
            ids.entry(name).or_insert(BallId(id));
        }
        let laying = Laying { table, ids, metres };
        let positions = drill.positions.iter().enumerate();
        let positions = positions.map(|(number, position)| laying.position(drill, &balls, number, position));
        let laid = Self { positions: positions.collect::<Result<_, _>>()?, balls, drill: drill.clone() };
        let most: i32 = (0..drill.attempts).map(|attempt| laid.best(laid.position_of(attempt))).sum();
        if drill.attempt == Attempt::Shot && drill.pass > most {
            let problem = format!("all attempts together have at most {most} points, so {} never pass", drill.pass);
            return Err(DrillError::value("pass", problem, format!("give at most {most}")));
        }
        Ok(laid)
    }

    /// Lays a drill on its usual table. Balls fly there.
    ///
    /// # Errors
    /// There is no such table, or a value is invalid.
    pub fn on_usual_table(drill: &Drill) -> Result<(Self, Arc<GameTable>), DrillError> {
        let spec = ShippedTable::named(drill.usual_table()).and_then(ShippedTable::spec)?;
        let table = Arc::new(GameTable::new(spec)?.with_flight(true));
        Ok((Self::new(drill, &table)?, table))
    }

    /// The position of an attempt, from 0.
    #[must_use]
    pub fn position_of(&self, attempt: u32) -> usize {
        attempt as usize % self.positions.len()
    }

    /// The most points that a shot can score in a position.
    #[must_use]
    pub fn best(&self, position: usize) -> i32 {
        let targets = &self.positions[position].targets;
        let best_of =
            |ball: BallId| targets.iter().filter(|target| target.ball == ball).map(|target| target.points).max();
        let ids = (0..self.balls.len()).map(|id| BallId(id as u8));
        self.drill.points + ids.filter_map(best_of).sum::<i32>()
    }
}

impl Drill {
    /// The name of its usual table.
    #[must_use]
    pub fn usual_table(&self) -> &str {
        self.tables.first().map_or("", String::as_str)
    }

    /// Whether a table is one of those of the drill.
    #[must_use]
    pub fn is_for(&self, table: &GameTable) -> bool {
        let specs = self.tables.iter().filter_map(|name| ShippedTable::named(name).and_then(ShippedTable::spec).ok());
        specs.into_iter().any(|spec| spec.title == table.spec.title)
    }
}

fn check_numbers(drill: &Drill) -> Result<(), DrillError> {
    if !(1..=MOST_ATTEMPTS).contains(&drill.attempts) {
        let problem = format!("{} attempts are not possible", drill.attempts);
        return Err(DrillError::value("attempts", problem, format!("give 1 to {MOST_ATTEMPTS}")));
    }
    if drill.tables.is_empty() {
        return Err(DrillError::value("tables", "there is none", "name at least one table, such as \"pool-9ft\""));
    }
    if drill.positions.is_empty() {
        return Err(DrillError::value("positions", "there is none", "give at least one position"));
    }
    if !(0..=MOST_POINTS).contains(&drill.points) {
        let problem = format!("{} points are not possible", drill.points);
        return Err(DrillError::value("points", problem, format!("give 0 to {MOST_POINTS}")));
    }
    if drill.pass < 1 {
        return Err(DrillError::value("pass", format!("{} passes every time", drill.pass), "give at least 1"));
    }
    Ok(())
}

/// The balls of all positions. A name that is there several times, such as `Red`, has as many balls.
fn all_balls(drill: &Drill) -> Result<Vec<BallName>, DrillError> {
    let mut balls: Vec<BallName> = Vec::new();
    let count = |names: &[BallName], name: BallName| names.iter().filter(|&&other| other == name).count();
    for (number, position) in drill.positions.iter().enumerate() {
        let field = format!("positions[{number}].balls");
        if position.balls.len() > MOST_BALLS {
            return Err(DrillError::value(field, "there are too many balls", format!("give at most {MOST_BALLS}")));
        }
        let names: Vec<BallName> = position.balls.iter().map(|(name, _)| *name).collect();
        let first =
            *names.first().ok_or_else(|| DrillError::value(&field, "there is none", "give the ball to strike"))?;
        if balls.first().is_some_and(|&struck| struck != first) || count(&names, first) > 1 {
            let problem = "the first ball is struck, and it must be the same single ball in all positions";
            return Err(DrillError::value(field, problem, "list that ball first, and only once"));
        }
        for &name in &names {
            if count(&balls, name) < count(&names, name) {
                balls.push(name);
            }
        }
        if balls.len() > MOST_BALLS {
            return Err(DrillError::value(field, "there are too many balls", format!("give at most {MOST_BALLS}")));
        }
    }
    Ok(balls)
}

impl Laying<'_> {
    fn position(
        &self,
        drill: &Drill,
        balls: &[BallName],
        number: usize,
        position: &Position,
    ) -> Result<LaidPosition, DrillError> {
        let field = |name: &str| format!("positions[{number}].{name}");
        let mut layout = Layout(vec![BallPlace::Off; balls.len()]);
        let mut in_hand = None;
        for (index, (name, place)) in position.balls.iter().enumerate() {
            let field = field(&format!("balls[{index}]"));
            // The first ball of this name that has no place yet.
            let free = layout.balls().find(|&ball| balls[ball.index()] == *name && layout[ball] == BallPlace::Off);
            let ball = free.unwrap_or(BallId(0));
            layout[ball] = match place {
                Place::Hand(region) if index == 0 => {
                    in_hand = Some(*region);
                    BallPlace::Hand
                }
                Place::Hand(_) => {
                    return Err(DrillError::value(field, "only the first ball may be in hand", "give its coordinates"));
                }
                Place::At(x, y) => BallPlace::Table(self.on_cloth(&field, *x, *y)?),
                Place::Spot(spot) => BallPlace::Table(self.spot(&field, spot)?),
            };
            if let BallPlace::Table(at) = layout[ball]
                && !layout.is_free(at, self.table.ball_radius() - 0.5 * LARGEST_OVERLAP, Some(ball))
            {
                return Err(DrillError::value(field, "the ball overlaps another", "move it, or leave one of them out"));
            }
        }
        if let Some(region) = in_hand
            && region.any_place(self.table, &layout, BallId(0)).is_none()
        {
            return Err(DrillError::value(field("balls[0]"), "the ball in hand has no room", "move other balls"));
        }
        let demands = drill.demands.iter().map(|demand| ("demands".to_owned(), demand));
        let demands = demands.chain(position.demands.iter().map(|demand| (field("demands"), demand)));
        let demands = demands.map(|(field, demand)| self.demand(&field, &layout, demand)).collect::<Result<_, _>>()?;
        let targets = drill.targets.iter().map(|target| ("targets".to_owned(), target));
        let targets = targets.chain(position.targets.iter().map(|target| (field("targets"), target)));
        let targets: Vec<Target> =
            targets.map(|(field, target)| self.target(&field, target)).collect::<Result<_, _>>()?;
        if drill.points == 0 && targets.is_empty() {
            let remedy = "add a target, or set points to 1 or more";
            return Err(DrillError::value(field("targets"), "no shot can score", remedy));
        }
        Ok(LaidPosition { layout, in_hand, targets, demands })
    }

    /// The place with these coordinates, metres. A ball that would be inside a cushion is frozen to it.
    fn on_cloth(&self, field: &str, x: f64, y: f64) -> Result<Vec2, DrillError> {
        let place = self.place(x, y);
        let half = self.table.half();
        if !place.abs().cmple(half).all() {
            let [long, wide] = [half.x, half.y].map(|half| f64::from(half) / self.metres);
            let remedy = format!("x is within ±{long:.4} and y within ±{wide:.4}");
            return Err(DrillError::value(field, format!("({x}, {y}) is not on the cloth"), remedy));
        }
        let most = half - self.table.ball_radius() - FROZEN_GAP;
        Ok(place.clamp(-most, most))
    }

    fn place(&self, x: f64, y: f64) -> Vec2 {
        Vec2::new((x * self.metres) as f32, (y * self.metres) as f32)
    }

    fn spot(&self, field: &str, name: &str) -> Result<Vec2, DrillError> {
        self.table.spot(name).ok_or_else(|| {
            let known: Vec<&str> = self.table.spec.spots.iter().map(|spot| spot.name.as_str()).collect();
            DrillError::value(
                field,
                format!("the table has no spot `{name}`"),
                format!("give one of {}", known.join(", ")),
            )
        })
    }

    fn ball(&self, field: &str, name: BallName) -> Result<BallId, DrillError> {
        let unknown =
            || DrillError::value(field, format!("no position has the ball {name:?}"), "name a ball of a position");
        self.ids.get(&name).copied().ok_or_else(unknown)
    }

    fn cushion(&self, field: &str, name: &str) -> Result<CushionId, DrillError> {
        let names: Vec<&str> = self.table.built.cushions.iter().map(|cushion| cushion.name).collect();
        Ok(CushionId(index_of(field, "cushion", name, &names)?))
    }

    fn demand(&self, field: &str, layout: &Layout, demand: &Demand) -> Result<LaidDemand, DrillError> {
        Ok(match demand {
            Demand::Pot { ball, pockets } => {
                let names: Vec<&str> = self.table.built.holes.iter().map(|hole| hole.name).collect();
                let pockets = pockets.iter().map(|name| Ok(PocketId(index_of(field, "pocket", name, &names)?)));
                LaidDemand::Pot(self.ball(field, *ball)?, pockets.collect::<Result<_, DrillError>>()?)
            }
            Demand::PotAny => LaidDemand::PotAny,
            Demand::PotLowest => LaidDemand::PotLowest,
            Demand::HitFirst(ball) => LaidDemand::HitFirst(self.ball(field, *ball)?),
            Demand::Kick(cushions) => LaidDemand::Kick(usize::from(*cushions)),
            Demand::Bank(ball, cushions) => LaidDemand::Bank(self.ball(field, *ball)?, usize::from(*cushions)),
            Demand::Cannon(cushions) => {
                let others: Vec<BallId> = layout.on_table().map(|(ball, _)| ball).filter(|ball| ball.0 > 0).collect();
                let [first, second] = others[..] else {
                    let problem = format!("a cannon needs two object balls, and there are {}", others.len());
                    return Err(DrillError::value(field, problem, "place two balls besides the one to strike"));
                };
                LaidDemand::Cannon([first, second], usize::from(*cushions))
            }
            Demand::JumpOver(ball) => LaidDemand::JumpOver(self.ball(field, *ball)?),
            Demand::Touch(cushion) => LaidDemand::Touch(self.cushion(field, cushion)?),
            Demand::Avoid(cushions) => {
                LaidDemand::Avoid(cushions.iter().map(|name| self.cushion(field, name)).collect::<Result<_, _>>()?)
            }
        })
    }

    fn target(&self, field: &str, target: &TargetSpec) -> Result<Target, DrillError> {
        let length = |metres: f64| (metres * self.metres) as f32;
        let area = match &target.area {
            AreaSpec::Circle { centre: (x, y), radius } => {
                Area::Circle { centre: self.place(*x, *y), radius: length(*radius) }
            }
            AreaSpec::AroundSpot { spot, radius } => {
                Area::Circle { centre: self.spot(field, spot)?, radius: length(*radius) }
            }
            AreaSpec::Rectangle { from, to } => {
                let (from, to) = (self.place(from.0, from.1), self.place(to.0, to.1));
                Area::Rectangle { min: from.min(to), max: from.max(to) }
            }
        };
        let half = self.table.half();
        let nearest = area.distance(match area {
            Area::Circle { centre, .. } => centre.clamp(-half, half),
            Area::Rectangle { min, .. } => min.clamp(-half, half),
        });
        // NaN is not valid either.
        let is_valid = match &target.area {
            AreaSpec::Circle { radius, .. } | AreaSpec::AroundSpot { radius, .. } => (0.0..=1e3).contains(radius),
            AreaSpec::Rectangle { from, to } => [from.0, from.1, to.0, to.1].iter().all(|number| number.is_finite()),
        };
        if !is_valid || !(nearest <= 0.0) {
            let remedy = "give coordinates on the cloth, and a radius of 0 to 1000";
            return Err(DrillError::value(field, "the area is not on the cloth", remedy));
        }
        if !(0.0..=1e3).contains(&target.tolerance) {
            let problem = format!("the tolerance {} is not a length", target.tolerance);
            return Err(DrillError::value(field, problem, "give 0 to 1000"));
        }
        if !(1..=MOST_POINTS).contains(&target.points) {
            let problem = format!("{} points are not possible", target.points);
            return Err(DrillError::value(field, problem, format!("give 1 to {MOST_POINTS}")));
        }
        let tolerance = length(target.tolerance);
        Ok(Target { ball: self.ball(field, target.ball)?, area, tolerance, points: target.points })
    }
}

/// The number of a named part of the table.
fn index_of(field: &str, kind: &str, name: &str, names: &[&str]) -> Result<u8, DrillError> {
    names.iter().position(|other| *other == name).map(|index| index as u8).ok_or_else(|| {
        let known = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        DrillError::value(field, format!("the table has no {kind} `{name}`"), format!("its names are: {known}"))
    })
}
