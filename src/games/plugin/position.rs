//! The position of the balls on the table as a drill, and a shot from it as a link.

use std::sync::Arc;

use bevy::{ecs::entity_disabling::Disabled, prelude::*};
use serde_json::Value;

use super::{CurrentMatch, GameBall};
use crate::{
    billiards::{
        cue::{Cue, CueStrike},
        tables::{BallName, ShippedTable},
    },
    collision::spin::TablePhysics,
    components::{Ball, Disc, InPlay, InPocket, OffTable, Position, StableId},
    games::{
        drills::{Attempt, Demand, Drill, DrillError, Place, Position as DrillPosition, Unit},
        matches::{Match, MatchSpec, PlayedShot},
        rulebooks::drill::{GAME, drill_of},
        rules::{Action, BallId, BallPlace, Call, GameTable, Layout, Region, Target, Task},
    },
    notice::{NoticeText, mark},
    scene::{CueBall, DiscLook, DrawnTable},
};

/// The attempts of a drill that is made of a position, and the points that pass.
const ATTEMPTS: u32 = 10;
const PASS: i32 = 7;

/// The balls on one of the shipped tables, and the ball to strike.
#[derive(Clone, Debug, PartialEq)]
pub struct TablePosition {
    /// The name of the table, such as `pool-9ft`.
    pub table_name: String,
    /// The table.
    pub table: Arc<GameTable>,
    /// The balls.
    pub balls: Vec<BallName>,
    /// Their places.
    pub layout: Layout,
    /// The ball to strike.
    pub cue_ball: BallId,
    /// The targets of the drill that is being played, if one is.
    pub targets: Vec<Target>,
}

/// Why a table is none of the shipped ones.
const NOT_SHIPPED: &str = mark("This needs one of the shipped billiard tables.");

impl TablePosition {
    /// The present position of the running match, or of the scene. `struck` is the disc to strike. Default: the cue
    /// ball. A ball of the scene without a number and without the colour of a ball gets the next free number. So does a
    /// second ball with the same number or colour, unless it is red.
    ///
    /// # Errors
    /// The scene has no billiard table, or a disc that is not a ball. The text is for people.
    pub fn of_world(world: &mut World, struck: Option<Entity>) -> Result<Self, NoticeText> {
        if world.contains_resource::<CurrentMatch>() {
            return Self::of_running_match(world);
        }
        let table = world.get_resource::<DrawnTable>().ok_or(NOT_SHIPPED)?;
        let flight = world.get_resource::<TablePhysics>().is_some_and(|physics| physics.flight.is_some());
        let (table_name, table) =
            (table.name.clone(), GameTable { spec: table.spec.clone(), built: table.built.clone(), flight });
        shipped_name([table_name.as_str()], &table)?;
        let mut query = world
            .query_filtered::<(Entity, &StableId, &Position, Option<&DiscLook>, Has<CueBall>, Has<Ball>), InPlay>();
        let mut discs: Vec<_> = query.iter(world).collect();
        discs.sort_unstable_by_key(|(_, id, ..)| **id);
        let known =
            |look: Option<&DiscLook>, is_cue: bool| look.and_then(DiscLook::ball).or(is_cue.then_some(BallName::Cue));
        let taken: Vec<BallName> = discs.iter().filter_map(|&(_, _, _, look, is_cue, _)| known(look, is_cue)).collect();
        let mut free = (1..=u8::MAX).map(BallName::Number).filter(|name| !taken.contains(name));
        let (mut balls, mut places, mut cue_ball) = (Vec::new(), Vec::new(), None);
        for (entity, id, position, look, is_cue, is_ball) in discs {
            let is_new = |name: &BallName| *name == BallName::Red || !balls.contains(name);
            let name = known(look, is_cue).filter(is_new).or_else(|| if is_ball { free.next() } else { None });
            let no_ball = || NoticeText::new(mark("Disc {} is not a ball. Delete it first."), [id.0.to_string()]);
            if struck.map_or(is_cue, |struck| struck == entity) && cue_ball.is_none() {
                cue_ball = Some(BallId(balls.len() as u8));
            }
            balls.push(name.ok_or_else(no_ball)?);
            places.push(BallPlace::Table(position.0));
        }
        let cue_ball = cue_ball.ok_or(mark("There is no cue ball on the table."))?;
        Ok(Self { table_name, table: Arc::new(table), balls, layout: Layout(places), cue_ball, targets: Vec::new() })
    }

    /// The present position of the running match. A ball that is being placed is where it is drawn.
    fn of_running_match(world: &mut World) -> Result<Self, NoticeText> {
        let mut drawn: Vec<(BallId, Vec2)> = world
            .query_filtered::<(&GameBall, &Position), (With<Disc>, Without<InPocket>, Without<OffTable>, Without<Disabled>)>()
            .iter(world)
            .map(|(ball, position)| (ball.0, position.0))
            .collect();
        let game = world.resource::<CurrentMatch>().game();
        let mut layout = game.layout().clone();
        drawn.retain(|(ball, _)| matches!(layout[*ball], BallPlace::Hand | BallPlace::Table(_)));
        for (ball, place) in drawn {
            layout[ball] = BallPlace::Table(place);
        }
        let cue_ball = match game.turn() {
            Some((_, Task::Shoot(stroke))) => stroke.cue_ball,
            _ => BallId(0),
        };
        Self::of_match(game, layout, cue_ball, game.rules().targets().to_vec())
    }

    /// The position before a shot of a match.
    ///
    /// # Errors
    /// The table is none of the shipped ones. The text is for people.
    pub fn of_shot(game: &Match, shot: &PlayedShot) -> Result<Self, NoticeText> {
        // The position of the drill from which this shot was played.
        let laid = (game.game().name == GAME.name).then(|| drill_of(game.table(), &game.spec().options).ok()).flatten();
        let is_same = |layout: &Layout| {
            layout.balls().all(|ball| layout[ball] == shot.before[ball] || layout[ball] == BallPlace::Hand)
        };
        let position = laid.and_then(|laid| laid.positions.into_iter().find(|position| is_same(&position.layout)));
        let targets = position.map(|position| position.targets).unwrap_or_default();
        Self::of_match(game, shot.before.clone(), shot.cue_ball, targets)
    }

    fn of_match(game: &Match, layout: Layout, cue_ball: BallId, targets: Vec<Target>) -> Result<Self, NoticeText> {
        let names = [game.spec().table.as_str()].into_iter().chain(game.game().tables.first().copied());
        let table_name = shipped_name(names, game.table())?.to_owned();
        let balls = game.rules().balls().to_vec();
        Ok(Self { table_name, table: game.table().clone(), balls, layout, cue_ball, targets })
    }

    /// The position as a drill of ten attempts, with lengths in diamonds. A shot scores a point if it pots a ball. On a
    /// table without pockets and with three balls, it scores a point if it hits both others.
    #[must_use]
    pub fn drill(&self, title: &str) -> Drill {
        let unit = self.table.spec.length / 8.0;
        let at = |place: Vec2| Place::At(shortest(place.x, unit), shortest(place.y, unit));
        let struck = self.layout[self.cue_ball].on_table().map_or(Place::Hand(Region::Anywhere), at);
        let others = self.layout.on_table().filter(|(ball, _)| *ball != self.cue_ball);
        let others: Vec<_> = others.map(|(ball, place)| (self.balls[ball.index()], at(place))).collect();
        let demands = match (self.table.built.holes.is_empty(), others.len()) {
            (false, 1..) => vec![Demand::PotAny],
            (true, 2) => vec![Demand::Cannon(0)],
            _ => Vec::new(),
        };
        let balls = [(self.balls[self.cue_ball.index()], struck)].into_iter().chain(others).collect();
        Drill {
            title: title.to_owned(),
            description: String::new(),
            source: "own".to_owned(),
            tables: vec![self.table_name.clone()],
            unit: Unit::Diamonds,
            attempt: Attempt::Shot,
            attempts: ATTEMPTS,
            pass: PASS,
            points: 1,
            demands,
            targets: Vec::new(),
            positions: vec![DrillPosition { balls, demands: Vec::new(), targets: Vec::new() }],
        }
    }

    /// A shot from this position as a link, starting at its `#`. It opens the position as a drill in which this shot
    /// was played. A ball within 0.02 mm of a cushion is moved to that distance.
    ///
    /// # Errors
    /// The position is not a valid drill, the shot is not possible, or the link is too long.
    pub fn link(&self, title: &str, strike: CueStrike, cue: Cue) -> Result<String, String> {
        let mut game = Match::new(MatchSpec { cue, ..drill_spec(&self.drill(title))? })?;
        game.apply(Action::Shoot { call: Call::default(), strike }).map_err(|refusal| refusal.to_string())?;
        game.to_link()
    }
}

/// A new match that plays a drill on its usual table.
///
/// # Errors
/// The drill cannot be written. None is known for which this happens.
pub fn drill_spec(drill: &Drill) -> Result<MatchSpec, String> {
    let text = drill.to_text().map_err(|error| error.to_string())?;
    Ok(spec_of_text(&text, drill))
}

/// A new match that plays the drill of this text on its usual table.
///
/// # Errors
/// The text is not a drill.
pub fn drill_text_spec(text: &str) -> Result<MatchSpec, DrillError> {
    Ok(spec_of_text(text, &Drill::parse(text, "drill")?))
}

fn spec_of_text(text: &str, drill: &Drill) -> MatchSpec {
    MatchSpec {
        game: GAME.name.to_owned(),
        options: [("file".to_owned(), Value::from(text))].into_iter().collect(),
        table: drill.usual_table().to_owned(),
        ..MatchSpec::default()
    }
}

/// The first of these names that a shipped table with the same specification has.
fn shipped_name<'a>(names: impl IntoIterator<Item = &'a str>, table: &GameTable) -> Result<&'a str, NoticeText> {
    let is_same =
        |name: &&str| ShippedTable::named(name).and_then(ShippedTable::spec).is_ok_and(|spec| spec == table.spec);
    names.into_iter().find(is_same).ok_or_else(|| NOT_SHIPPED.into())
}

/// A length in a unit, with as few digits as give the same length in metres.
fn shortest(metres: f32, unit: f64) -> f64 {
    let exact = f64::from(metres) / unit;
    let rounded = (0..17).filter_map(|digits| format!("{exact:.digits$}").parse::<f64>().ok());
    // Adding zero removes the sign of a negative zero.
    rounded.map(|value| value + 0.0).find(|value| (value * unit) as f32 == metres).unwrap_or(exact)
}
