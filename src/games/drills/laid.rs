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

/// The radius, the tolerance and the amounts of the coordinates of a target, in the unit of the drill.
const LENGTHS: std::ops::RangeInclusive<f64> = 0.0..=1000.0;

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
    balls: &'a [BallName],
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
        let laying = Laying { table, balls: &balls, ids, metres };
        let positions = drill.positions.iter().enumerate();
        let positions = positions.map(|(number, position)| laying.position(drill, number, position));
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
    fn position(&self, drill: &Drill, number: usize, position: &Position) -> Result<LaidPosition, DrillError> {
        let field = |name: &str| format!("positions[{number}].{name}");
        let mut layout = Layout(vec![BallPlace::Off; self.balls.len()]);
        let mut in_hand = None;
        for (index, (name, place)) in position.balls.iter().enumerate() {
            let field = field(&format!("balls[{index}]"));
            // The first ball of this name that has no place yet.
            let free = layout.balls().find(|&ball| self.balls[ball.index()] == *name && layout[ball] == BallPlace::Off);
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
        if name != BallName::Red && self.balls.iter().filter(|&&other| other == name).count() > 1 {
            let remedy = "give each its own number; only Red can be several";
            return Err(DrillError::value(field, format!("several balls are the {name}"), remedy));
        }
        let unknown =
            || DrillError::value(field, format!("no position has the ball {name:?}"), "name a ball of a position");
        self.ids.get(&name).copied().ok_or_else(unknown)
    }

    /// A ball that is not the one to strike.
    fn object_ball(&self, field: &str, name: BallName) -> Result<BallId, DrillError> {
        let ball = self.ball(field, name)?;
        if ball == BallId(0) {
            return Err(DrillError::value(field, format!("the {name} is the ball to strike"), "name another ball"));
        }
        Ok(ball)
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
                LaidDemand::Pot(self.object_ball(field, *ball)?, pockets.collect::<Result<_, DrillError>>()?)
            }
            Demand::PotAny => LaidDemand::PotAny,
            Demand::PotLowest => LaidDemand::PotLowest,
            Demand::HitFirst(ball) => LaidDemand::HitFirst(self.object_ball(field, *ball)?),
            Demand::Kick(cushions) => LaidDemand::Kick(usize::from(*cushions)),
            Demand::Bank(ball, cushions) => LaidDemand::Bank(self.object_ball(field, *ball)?, usize::from(*cushions)),
            Demand::Cannon(cushions) => {
                let others: Vec<BallId> = layout.on_table().map(|(ball, _)| ball).filter(|ball| ball.0 > 0).collect();
                let [first, second] = others[..] else {
                    let problem = format!("a cannon needs two object balls, and there are {}", others.len());
                    return Err(DrillError::value(field, problem, "place two balls besides the one to strike"));
                };
                LaidDemand::Cannon([first, second], usize::from(*cushions))
            }
            Demand::JumpOver(ball) => LaidDemand::JumpOver(self.object_ball(field, *ball)?),
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
        let lengths = match target.area {
            AreaSpec::Circle { centre: (x, y), radius } => vec![x.abs(), y.abs(), radius],
            AreaSpec::AroundSpot { radius, .. } => vec![radius],
            AreaSpec::Rectangle { from, to } => [from.0, from.1, to.0, to.1].map(f64::abs).to_vec(),
        };
        // Also for NaN.
        if let Some(invalid) = lengths.into_iter().chain([target.tolerance]).find(|length| !LENGTHS.contains(length)) {
            let problem = format!("{invalid} is not a length");
            return Err(DrillError::value(
                field,
                problem,
                format!("give coordinates and lengths of up to {}", LENGTHS.end()),
            ));
        }
        let (radius, tolerance) = (self.table.ball_radius(), length(target.tolerance));
        // As far as the centre of a ball gets: up to its radius from the noses, or into the mouth of a pocket.
        let half = self.table.half() - radius;
        let nearest = match area {
            Area::Circle { centre, .. } => centre.clamp(-half, half),
            Area::Rectangle { min, .. } => min.clamp(-half, half),
        };
        let is_in_reach = |place: Vec2, reach: f32| area.distance(place) <= tolerance + reach;
        let mouths = self.table.built.holes.iter().map(|hole| hole.mouth.as_vec2());
        if !is_in_reach(nearest, 0.0) && !mouths.into_iter().any(|mouth| is_in_reach(mouth, 2.0 * radius)) {
            let problem = "the centre of a ball on the cloth cannot be in the area";
            return Err(DrillError::value(field, problem, "give coordinates on the cloth"));
        }
        if !(1..=MOST_POINTS).contains(&target.points) {
            let problem = format!("{} points are not possible", target.points);
            return Err(DrillError::value(field, problem, format!("give 1 to {MOST_POINTS}")));
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The error of a drill with these demands and targets and a ball in a position, on a nine-foot table.
    fn error(demand: &str, target: &str, ball: &str) -> String {
        let text = format!(
            "(title: \"t\", description: \"\", source: \"\", tables: [\"pool-9ft\"], attempts: 1, pass: 1, \
             demands: [{demand}], targets: [{target}], positions: [(balls: [(Cue, At(0, 0)), (Number(1), At(1, 0)), {ball}])])"
        );
        let drill = Drill::parse(&text, "t").unwrap();
        let laid = LaidDrill::new(&drill, &crate::games::test_support::table("pool-9ft"));
        laid.map_or_else(|error| error.to_string(), |_| String::new())
    }

    #[test]
    fn what_nobody_can_play_is_an_error_that_names_the_place_and_the_remedy() {
        for demand in ["JumpOver(Cue)", "HitFirst(Cue)", "Pot(ball: Cue)", "Bank(Cue, 1)"] {
            assert_eq!(error(demand, "", ""), "demands: the cue ball is the ball to strike; name another ball");
        }
        for (ball, words) in [
            ("(Number(2), At(5, 0))", "positions[0].balls[2]: (5, 0) is not on the cloth"),
            ("(Number(2), At(1.1, 0))", "positions[0].balls[2]: the ball overlaps another"),
        ] {
            let said = error("", "", ball);
            assert!(said.starts_with(words), "{said}");
        }
        let area = |area: &str| error("", &format!("(ball: Cue, area: {area})"), "");
        for unreachable in [
            "Circle(centre: (4, 0), radius: 0.05)",
            "Rectangle(from: (3.95, 0), to: (9, 1))",
            "Circle(centre: (4.2, 2.2), radius: 0.05)",
        ] {
            let said = area(unreachable);
            assert!(
                said.starts_with("targets: the centre of a ball on the cloth cannot be in the area; give"),
                "{said}"
            );
        }
        for (endless, number) in [
            ("Circle(centre: (1e6, 0), radius: 1e6)", "1000000"),
            ("Rectangle(from: (-1e30, -1), to: (1, 1))", "1000000000000000000000000000000"),
            ("Rectangle(from: (NaN, 0), to: (1, 1))", "NaN"),
            ("Circle(centre: (0, 0), radius: -1)", "-1"),
        ] {
            assert_eq!(
                area(endless),
                format!("targets: {number} is not a length; give coordinates and lengths of up to 1000")
            );
        }
        for fine in [
            "Circle(centre: (4, 0), radius: 0.5)",
            "Rectangle(from: (3.5, 0), to: (9, 9))",
            "Circle(centre: (4, 0), radius: 0.02), tolerance: 0.1",
            "Circle(centre: (3.95, 1.95), radius: 0.02)",
        ] {
            assert_eq!(area(fine), "");
        }
        // Two balls with one number can be played, but not named.
        let twice = "(Number(1), At(2, 0))";
        assert_eq!((error("", "", twice), error("PotLowest", "", twice)), Default::default());
        let named = error("HitFirst(Number(1))", "", twice);
        assert_eq!(named, "demands: several balls are the 1; give each its own number; only Red can be several");
        assert_eq!(error("JumpOver(Number(1)), HitFirst(Red)", "", "(Red, At(2, 0)), (Red, At(2, 1))"), "");
    }
}
