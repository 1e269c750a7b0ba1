//! The table as the rules see it: its dimensions, and where balls may be placed.

use bevy::math::{DVec2, Vec2};
use serde::{Deserialize, Serialize};

use super::{BallId, Layout, PlaceRefusal};
use crate::{
    billiards::{
        cue::{self, CueStrike},
        tables::{BuiltTable, TableError, TableSpec, build},
    },
    collision::spin::{Body, Shape, TablePhysics},
};

/// A billiard table with its derived geometry.
#[derive(Clone, Debug, PartialEq)]
pub struct GameTable {
    /// Its specification.
    pub spec: TableSpec,
    /// The geometry derived from it.
    pub built: BuiltTable,
    /// Whether its balls leave the cloth.
    pub flight: bool,
}

impl GameTable {
    /// The table with this specification. Its balls stay on the cloth; see [`GameTable::with_flight`].
    ///
    /// # Errors
    /// The first invalid number.
    pub fn new(spec: TableSpec) -> Result<Self, TableError> {
        let built = build(&spec)?;
        Ok(Self { spec, built, flight: false })
    }

    /// The same table whose balls leave the cloth, or do not.
    #[must_use]
    pub fn with_flight(self, flight: bool) -> Self {
        Self { flight, ..self }
    }

    /// The physics of its cloth, balls and cushions, without the restitution between balls.
    #[must_use]
    pub fn physics(&self) -> TablePhysics {
        if self.flight { self.spec.flying_physics() } else { self.spec.physics() }
    }

    /// The radius of its balls, metres.
    #[must_use]
    pub fn ball_radius(&self) -> f32 {
        self.spec.ball.radius as f32
    }

    /// Half of the length and half of the width between the noses, metres.
    #[must_use]
    pub fn half(&self) -> Vec2 {
        self.spec.half().as_vec2()
    }

    /// Whether its balls are flat discs, such as curling stones, which slide.
    #[must_use]
    pub fn plays_stones(&self) -> bool {
        self.spec.ball.shape == Shape::Flat
    }

    /// The position of a spot by its name, metres.
    #[must_use]
    pub fn spot(&self, name: &str) -> Option<Vec2> {
        self.spec.spot(name).map(DVec2::as_vec2)
    }

    /// A ball of the table as the cue hits it.
    #[must_use]
    pub fn body(&self) -> Body {
        let ball = &self.spec.ball;
        Body { mass: ball.mass, radius: ball.radius, shape: ball.shape }
    }

    /// A stroke at the ball at `from` (metres), with the cue raised over the balls and rails behind it. It is raised as
    /// little as necessary and never lowered.
    #[must_use]
    pub fn raised(&self, layout: &Layout, from: Vec2, stroke: CueStrike) -> CueStrike {
        let radius = self.ball_radius();
        let others =
            layout.on_table().map(|(_, place)| place).filter(|place| place.distance_squared(from) > radius * radius);
        let rails = self.built.pieces.iter().flat_map(|piece| {
            let (corners, is_closed) = piece.terrain.outline();
            let place = piece.position;
            let sides = if is_closed { corners.len() } else { corners.len().saturating_sub(1) };
            (0..sides).map(move |i| [place + corners[i], place + corners[(i + 1) % corners.len()]])
        });
        let least = cue::least_elevation((from, radius), &stroke, others.map(|place| (place, radius)), rails);
        CueStrike { elevation: least.max(stroke.elevation), ..stroke }
    }

    /// Whether a ball with its centre here lies on the cloth, clear of all cushions.
    #[must_use]
    pub fn is_on_cloth(&self, place: Vec2) -> bool {
        (place.abs() + self.ball_radius()).cmple(self.half()).all()
    }

    /// Whether a place, metres, is behind the head string: at a smaller x than the line. `None` if the table has no
    /// head string. A ball in hand may then lie anywhere, and no ball lies behind it.
    #[must_use]
    pub fn is_behind_head_string(&self, place: Vec2) -> Option<bool> {
        self.spec.head_string.map(|line| f64::from(place.x) < line)
    }

    /// The place for a spotted ball: the spot itself, or the nearest free place on the line from it toward the foot
    /// rail (along x). That line is the long string if the spot lies on it. Places behind the spot come before places
    /// in front of it. `clearance` is the required gap to another ball, metres; at 0 it may touch that ball.
    #[must_use]
    pub fn free_spot(&self, layout: &Layout, spot: Vec2, ball: BallId, clearance: impl Fn(BallId) -> f32) -> Vec2 {
        // The nearest free place on a line is one at which the ball is as close as allowed to another.
        let radius = self.ball_radius();
        let others: Vec<(Vec2, f32)> = layout
            .on_table()
            .filter(|&(other, _)| other != ball)
            .map(|(other, at)| (at, 2.0 * radius + clearance(other)))
            .collect();
        let is_free =
            |place: Vec2| self.is_on_cloth(place) && others.iter().all(|&(at, apart)| at.distance(place) >= apart);
        if is_free(spot) {
            return spot;
        }
        let touching = |sign: f32| {
            let mut places: Vec<f32> = others
                .iter()
                .filter_map(|&(at, apart)| {
                    let aside = at.y - spot.y;
                    let along = (apart * apart - aside * aside).max(0.0).sqrt();
                    // Slightly farther, so that rounding cannot cause an overlap.
                    Some(sign * (at.x - spot.x) + along + radius * 1e-5).filter(|&way| way > 0.0)
                })
                .collect();
            places.sort_by(f32::total_cmp);
            places.into_iter().map(|way| spot + Vec2::X * (sign * way)).find(|&place| is_free(place))
        };
        touching(1.0).or_else(|| touching(-1.0)).unwrap_or(spot)
    }
}

/// The allowed region for a ball in hand.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Region {
    /// Anywhere on the table.
    Anywhere,
    /// Behind the head string: its centre at a smaller x than the line. Anywhere on a table without the line.
    BehindHeadString,
    /// In the D of a snooker table, including its lines.
    D,
}

impl Region {
    /// Whether a ball may lie with its centre here.
    #[must_use]
    pub fn contains(self, place: Vec2, table: &GameTable) -> bool {
        let spec = &table.spec;
        table.is_on_cloth(place)
            && match self {
                Self::Anywhere => true,
                Self::BehindHeadString => table.is_behind_head_string(place) != Some(false),
                Self::D => spec.baulk.is_none_or(|baulk| {
                    let from = place.as_dvec2() - bevy::math::dvec2(baulk.line, 0.0);
                    from.x <= 1e-6 && from.length() <= baulk.radius + 1e-6
                }),
            }
    }

    /// Any free place in the region: a usual one, or the first free one of a grid.
    #[must_use]
    pub fn any_place(self, table: &GameTable, layout: &Layout, ball: BallId) -> Option<Vec2> {
        let radius = table.ball_radius();
        let spec = &table.spec;
        let usual: Option<Vec2> = match self {
            Self::D => spec.baulk.map(|baulk| Vec2::new(baulk.line as f32, 0.5 * baulk.radius as f32)),
            Self::Anywhere | Self::BehindHeadString => {
                let head = table.spot("head").map(|head| head - Vec2::X * radius);
                head.or_else(|| table.spot("hack"))
            }
        };
        let half = table.half();
        let grid = (0..64_u8).flat_map(|row| {
            (0..32_u8).map(move |column| {
                Vec2::new(f32::from(row) / 64.0 * 2.0 - 1.0, f32::from(column) / 32.0 * 2.0 - 1.0) * half
            })
        });
        usual
            .into_iter()
            .chain(grid)
            .find(|&place| self.contains(place, table) && layout.is_free(place, radius, Some(ball)))
    }
}

/// Whether a ball in hand may be put here, metres, within its [`Region`]. All code that places a ball uses it.
#[must_use]
pub fn may_place(region: Region, layout: &Layout, ball: BallId, place: Vec2, table: &GameTable) -> bool {
    place_refusal(region, layout, ball, place, table).is_none()
}

/// Why a ball in hand may not be put here, metres, or `None` if it may.
#[must_use]
pub fn place_refusal(
    region: Region,
    layout: &Layout,
    ball: BallId,
    place: Vec2,
    table: &GameTable,
) -> Option<PlaceRefusal> {
    if !region.contains(place, table) {
        let is_on_cloth = table.is_on_cloth(place);
        return Some(match region {
            Region::BehindHeadString if is_on_cloth && table.plays_stones() => PlaceRefusal::BehindLine,
            Region::BehindHeadString if is_on_cloth => PlaceRefusal::BehindHeadString,
            Region::D if is_on_cloth => PlaceRefusal::InD,
            Region::Anywhere | Region::BehindHeadString | Region::D => PlaceRefusal::OffTheCloth,
        });
    }
    (!layout.is_free(place, table.ball_radius(), Some(ball))).then_some(PlaceRefusal::InTheWay)
}
