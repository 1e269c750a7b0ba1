//! Builds a table from its numbers: the terrain, the pockets, the markings and the outlines for drawing. Everything is
//! computed for one quarter of the table and mirrored by signs, so that the mirror images are bit-identical.

use bevy::{
    math::{DVec2, Vec2, dvec2},
    prelude::{Rect, Reflect},
};

use super::{
    check::TableError,
    pocket::{LocalPocket, PocketKind},
    spec::{PocketsSpec, SightShape, SightsSpec, Spot, TableSpec},
};
use crate::components::Terrain;

/// A table in metres, in the frame of the [module](super).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BuiltTable {
    /// The terrain: for every cushion its nose, then for each of its ends the rounded tip and the face; after these the
    /// liners of the pockets.
    pub pieces: Vec<BuiltPiece>,
    /// The cushions, clockwise from the top left one.
    pub cushions: Vec<Cushion>,
    /// The holes of the pockets, clockwise from the top left one; none on a carom table.
    pub holes: Vec<Hole>,
    /// The marked spots.
    pub spots: Vec<Spot>,
    /// The lines on the cloth, each as points: the head string, or the baulk line and the D.
    pub lines: Vec<Vec<Vec2>>,
    /// The sights, along the top, bottom, left and right side.
    pub sights: Vec<Sight>,
    /// The outline of the area inside the cushions and liners, including the cushions, counter-clockwise. Within it the
    /// cloth is visible, except for the holes.
    pub bed: Vec<Vec2>,
    /// The outer outline of the table, counter-clockwise.
    pub rail: Vec<Vec2>,
}

/// A piece of terrain of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct BuiltPiece {
    /// Its shape.
    pub terrain: Terrain,
    /// Its origin, metres.
    pub position: Vec2,
    /// Its role.
    pub part: Part,
    /// The index of its cushion, or for a liner of its pocket.
    pub index: usize,
    /// The restitution of the piece itself; `None` if the restitution of the cushions applies.
    pub restitution: Option<f32>,
}

/// The role of a piece of terrain on a table.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// The straight front of a cushion.
    Nose,
    /// The rounded tip between nose and jaw face.
    Tip,
    /// A jaw face.
    Face,
    /// The wall that closes a pocket behind its hole.
    Liner,
}

/// A cushion.
#[derive(Clone, Debug, PartialEq)]
pub struct Cushion {
    /// Its name, such as `top left cushion`.
    pub name: &'static str,
    /// Its ends in clockwise order; `None` if cushions are joined without a pocket between them.
    pub jaws: Option<[Jaw; 2]>,
    /// Both ends of the straight nose, in clockwise order, metres.
    pub nose: [DVec2; 2],
    /// Its outline seen from above, including rounded tips, counter-clockwise, metres.
    pub outline: Vec<Vec2>,
}

/// One end of a cushion at a pocket.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jaw {
    /// The index of its pocket.
    pub pocket: usize,
    /// The intersection of the lines of the nose and the face, metres. The mouth is measured from here.
    pub tip: DVec2,
    /// The end of the nose, where the round starts, metres.
    pub nose_tangent: DVec2,
    /// The end of the round, where the face starts, metres; `None` if the jaw is round up to its end.
    pub face_tangent: Option<DVec2>,
    /// The centre of the round, metres.
    pub centre: DVec2,
    /// The radius of the round, metres.
    pub radius: f64,
    /// Its end on the back line of the cushion, metres.
    pub end: DVec2,
}

/// The hole of a pocket, with its surroundings.
#[derive(Clone, Debug, PartialEq)]
pub struct Hole {
    /// Its name, such as `top left corner`.
    pub name: &'static str,
    /// Its position on the table.
    pub kind: PocketKind,
    /// Its centre, metres.
    pub centre: DVec2,
    /// Its radius, metres: a ball drops once its centre is inside.
    pub radius: f64,
    /// The middle of the mouth, metres.
    pub mouth: DVec2,
    /// The centre of the round of the liner, metres: the middle of the visible part of the hole.
    pub middle: DVec2,
    /// The radius of the round of the liner, metres.
    pub liner_radius: f64,
    /// The distance from the mouth to the hole, metres; negative if the hole reaches in front of the mouth.
    pub shelf: f64,
    /// The outline of the visible part of it between the jaws and the liner, counter-clockwise, metres.
    pub outline: Vec<Vec2>,
}

/// A sight on a rail.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sight {
    /// Its centre, metres.
    pub place: Vec2,
    /// The unit vector from it to the table, along its longer diagonal.
    pub inward: Vec2,
    /// Its shape.
    pub shape: SightShape,
}

/// Builds a table from its numbers.
///
/// # Errors
/// The first invalid number, see [`TableSpec::check`].
pub fn build(spec: &TableSpec) -> Result<BuiltTable, TableError> {
    spec.check()?;
    let mut table = BuiltTable { spots: spec.spots.clone(), ..BuiltTable::default() };
    match &spec.pockets {
        Some(pockets) => Sides::new(spec, pockets).build(&mut table),
        None => build_without_pockets(spec, &mut table),
    }
    table.lines = lines(spec);
    table.sights = spec.placed_sights();
    table.rail = rail(spec);
    Ok(table)
}

/// The placement of a jaw. Its frame is laid out along a long side at a corner, along a short side at a corner, or
/// along a long side at its middle. Then it is mirrored by signs.
#[derive(Clone, Copy)]
struct Place {
    run: Run,
    signs: DVec2,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Run {
    LongToCorner,
    ShortToCorner,
    LongToSide,
}

const fn place(run: Run, x: f64, y: f64) -> Place {
    Place { run, signs: dvec2(x, y) }
}

/// The names of the pockets, clockwise.
const POCKETS: [&str; 6] =
    ["top left corner", "top side", "top right corner", "bottom right corner", "bottom side", "bottom left corner"];

/// The cushions clockwise, each with its two ends in clockwise order; cushion `i` is between the pockets `i` and
/// `i + 1`.
const CUSHIONS: [(&str, [Place; 2]); 6] = {
    use Run::{LongToCorner, LongToSide, ShortToCorner};
    [
        ("top left cushion", [place(LongToCorner, -1.0, 1.0), place(LongToSide, -1.0, 1.0)]),
        ("top right cushion", [place(LongToSide, 1.0, 1.0), place(LongToCorner, 1.0, 1.0)]),
        ("right cushion", [place(ShortToCorner, 1.0, 1.0), place(ShortToCorner, 1.0, -1.0)]),
        ("bottom right cushion", [place(LongToCorner, 1.0, -1.0), place(LongToSide, 1.0, -1.0)]),
        ("bottom left cushion", [place(LongToSide, -1.0, -1.0), place(LongToCorner, -1.0, -1.0)]),
        ("left cushion", [place(ShortToCorner, -1.0, -1.0), place(ShortToCorner, -1.0, 1.0)]),
    ]
};

/// The sides of a table with pockets.
struct Sides {
    half: DVec2,
    corner: LocalPocket,
    side: LocalPocket,
    liner_restitution: f64,
    ball_radius: f64,
}

impl Sides {
    fn new(spec: &TableSpec, pockets: &PocketsSpec) -> Self {
        Self {
            half: spec.half(),
            corner: LocalPocket::new(&pockets.corner, PocketKind::Corner, spec.cushion_width),
            side: LocalPocket::new(&pockets.side, PocketKind::Side, spec.cushion_width),
            liner_restitution: pockets.liner_restitution,
            ball_radius: spec.ball.radius,
        }
    }

    fn build(&self, table: &mut BuiltTable) {
        for (i, (name, places)) in CUSHIONS.into_iter().enumerate() {
            let jaws = [self.jaw(places[0], i), self.jaw(places[1], (i + 1) % 6)];
            let nose = jaws.map(|jaw| jaw.nose_tangent);
            table.pieces.push(piece(segment(nose), Part::Nose, i));
            for jaw in jaws {
                if jaw.radius > 0.0 {
                    let tip = piece(Terrain::Circle { radius: jaw.radius as f32 }, Part::Tip, i);
                    table.pieces.push(BuiltPiece { position: jaw.centre.as_vec2(), ..tip });
                }
                if let Some(start) = jaw.face_tangent {
                    table.pieces.push(piece(segment([start, jaw.end]), Part::Face, i));
                }
            }
            let [first, second] = places.map(|place| self.round(place));
            let outline = first.iter().rev().chain(&second).copied().map(DVec2::as_vec2);
            table.cushions.push(Cushion { name, jaws: Some(jaws), nose, outline: outline.collect() });
        }
        for (i, name) in POCKETS.into_iter().enumerate() {
            let liner = self.liner(i);
            let points = liner.iter().copied().map(DVec2::as_vec2).collect();
            let liner_piece = piece(Terrain::Polyline { points }, Part::Liner, i);
            let restitution = Some(self.liner_restitution as f32);
            table.pieces.push(BuiltPiece { restitution, ..liner_piece });
            table.holes.push(self.hole(i, name, &liner));
            table.bed.extend(liner.iter().copied().map(DVec2::as_vec2));
        }
        table.bed.reverse();
    }

    fn pocket(&self, run: Run) -> &LocalPocket {
        if run == Run::LongToSide { &self.side } else { &self.corner }
    }

    /// Transforms a point from the frame of a jaw to the frame of the table.
    fn put(&self, Place { run, signs }: Place, DVec2 { x: p, y: q }: DVec2) -> DVec2 {
        let DVec2 { x, y } = self.half;
        signs
            * match run {
                Run::LongToCorner => dvec2(x - p, y + q),
                Run::ShortToCorner => dvec2(x + q, y - p),
                Run::LongToSide => dvec2(p, y + q),
            }
    }

    /// From the axis of the pocket at this place to the frame of the table; positive `t` is on the side of the jaw at
    /// that place.
    fn put_on_axis(&self, Place { run, signs }: Place, DVec2 { x: s, y: t }: DVec2) -> DVec2 {
        let DVec2 { x, y } = self.half;
        let scale = std::f64::consts::FRAC_1_SQRT_2;
        signs
            * match run {
                Run::LongToCorner => dvec2(x + (s - t) * scale, y + (s + t) * scale),
                Run::ShortToCorner => dvec2(x + (s + t) * scale, y + (s - t) * scale),
                Run::LongToSide => dvec2(t, y + s),
            }
    }

    fn jaw(&self, place: Place, pocket: usize) -> Jaw {
        let local = self.pocket(place.run).jaw;
        let put = |point| self.put(place, point);
        Jaw {
            pocket,
            tip: put(local.tip),
            nose_tangent: put(local.nose_tangent),
            face_tangent: local.face_tangent.map(put),
            centre: put(local.centre),
            radius: self.pocket(place.run).spec.jaw_radius,
            end: put(local.end),
        }
    }

    /// Points from the nose over the rounded tip to the end of a jaw, for drawing.
    fn round(&self, place: Place) -> Vec<DVec2> {
        let local = self.pocket(place.run).jaw;
        let mut points: Vec<DVec2> = local.round().chain([local.end]).map(|point| self.put(place, point)).collect();
        points.dedup();
        points
    }

    /// The jaws of a pocket in clockwise order: the second end of the cushion before it, and the first end of the one
    /// after it.
    fn places(i: usize) -> [Place; 2] {
        [CUSHIONS[(i + 5) % 6].1[1], CUSHIONS[i].1[0]]
    }

    /// The liner of a pocket, clockwise, from the end of one jaw to the end of the other.
    fn liner(&self, i: usize) -> Vec<DVec2> {
        let places = Self::places(i);
        let local = self.pocket(places[0].run);
        let [first, last] = places.map(|place| self.put(place, local.jaw.end));
        let between = local.liner().map(|point| self.put_on_axis(places[0], point));
        [first].into_iter().chain(between).chain([last]).collect()
    }

    fn hole(&self, i: usize, name: &'static str, liner: &[DVec2]) -> Hole {
        let places = Self::places(i);
        let local = self.pocket(places[0].run);
        let on_axis = |s: f64| self.put_on_axis(places[0], dvec2(s, 0.0));
        let [centre, mouth] = [on_axis(local.spec.depth), on_axis(local.kind.on_axis(local.jaw.tip).x)];
        let (middle, liner_radius) = (on_axis(local.liner_centre), local.spec.liner_radius);
        // The open area there: the mouth, a part in front of it, and the area between the jaws and within the liner.
        let [first, last] = places.map(|place| self.round(place));
        let front = on_axis(-2.0 * self.ball_radius) - on_axis(0.0);
        let open: Vec<DVec2> = [first[0] + front]
            .into_iter()
            .chain(first.iter().copied())
            .chain(liner[1..liner.len() - 1].iter().copied())
            .chain(last.iter().rev().copied())
            .chain([last[0] + front])
            .collect();
        let outline = within_circle(&open, centre, local.spec.radius);
        let outline = outline.into_iter().rev().map(DVec2::as_vec2).collect();
        Hole {
            name,
            kind: local.kind,
            centre,
            radius: local.spec.radius,
            mouth,
            middle,
            liner_radius,
            shelf: local.shelf(),
            outline,
        }
    }
}

/// The part of an outline inside a circle, approximated by a polygon with this many corners. Each side of the polygon
/// clips the outline (Sutherland and Hodgman, 1974).
fn within_circle(outline: &[DVec2], centre: DVec2, radius: f64) -> Vec<DVec2> {
    const SIDES: u16 = 96;
    // The sides are tangent to the circle.
    let normal = |k: u16| {
        let (sin, cos) = bevy::math::ops::sin_cos(f32::from(k) / f32::from(SIDES) * std::f32::consts::TAU);
        dvec2(f64::from(cos), f64::from(sin))
    };
    let mut points = outline.to_vec();
    for n in (0..SIDES).map(normal) {
        let beyond = |point: DVec2| (point - centre).dot(n) - radius;
        let mut kept = Vec::with_capacity(points.len() + 1);
        for (i, &a) in points.iter().enumerate() {
            let b = points[(i + 1) % points.len()];
            let (from, to) = (beyond(a), beyond(b));
            if from <= 0.0 {
                kept.push(a);
            }
            if (from < 0.0 && to > 0.0) || (from > 0.0 && to < 0.0) {
                kept.push(a + (b - a) * (from / (from - to)));
            }
        }
        points = kept;
    }
    points
}

fn piece(terrain: Terrain, part: Part, index: usize) -> BuiltPiece {
    BuiltPiece { terrain, position: Vec2::ZERO, part, index, restitution: None }
}

fn segment([a, b]: [DVec2; 2]) -> Terrain {
    Terrain::Segment { a: a.as_vec2(), b: b.as_vec2() }
}

/// Four cushions, mitred at the corners.
fn build_without_pockets(spec: &TableSpec, table: &mut BuiltTable) {
    const SIDES: [(&str, [DVec2; 2]); 4] = [
        ("top cushion", [dvec2(-1.0, 1.0), dvec2(1.0, 1.0)]),
        ("right cushion", [dvec2(1.0, 1.0), dvec2(1.0, -1.0)]),
        ("bottom cushion", [dvec2(1.0, -1.0), dvec2(-1.0, -1.0)]),
        ("left cushion", [dvec2(-1.0, -1.0), dvec2(-1.0, 1.0)]),
    ];
    let half = spec.half();
    for (i, (name, signs)) in SIDES.into_iter().enumerate() {
        let nose = signs.map(|signs| signs * half);
        let back = signs.map(|signs| signs * (half + spec.cushion_width));
        table.pieces.push(piece(segment(nose), Part::Nose, i));
        let outline = [nose[0], nose[1], back[1], back[0]].map(DVec2::as_vec2).to_vec();
        table.cushions.push(Cushion { name, jaws: None, nose, outline });
        table.bed.push(back[0].as_vec2());
    }
    table.bed.reverse();
}

/// The outer outline: a rectangle with rounded corners whose radius is half of the width of the rail.
fn rail(spec: &TableSpec) -> Vec<Vec2> {
    const PARTS: u16 = 12;
    let outer = spec.half() + spec.rail_width;
    let radius = 0.5 * spec.rail_width;
    let quarter: Vec<DVec2> = (0..=PARTS)
        .map(|k| match k {
            0 => DVec2::X,
            PARTS => DVec2::Y,
            _ => {
                let (sin, cos) =
                    bevy::math::ops::sin_cos(f32::from(k) / f32::from(PARTS) * std::f32::consts::FRAC_PI_2);
                dvec2(f64::from(cos), f64::from(sin))
            }
        })
        .map(|direction| outer - radius + direction * radius)
        .collect();
    let mirrored = |signs: DVec2| quarter.iter().map(move |point| (*point * signs).as_vec2());
    mirrored(DVec2::ONE)
        .chain(mirrored(dvec2(-1.0, 1.0)).rev())
        .chain(mirrored(-DVec2::ONE))
        .chain(mirrored(dvec2(1.0, -1.0)).rev())
        .collect()
}

fn lines(spec: &TableSpec) -> Vec<Vec<Vec2>> {
    const PARTS: i16 = 24;
    let half = spec.half().y;
    let across = |x: f64| vec![dvec2(x, half).as_vec2(), dvec2(x, -half).as_vec2()];
    let mut lines: Vec<Vec<Vec2>> =
        spec.head_string.into_iter().chain(spec.lines.iter().map(|line| line.x)).map(across).collect();
    for circle in &spec.circles {
        let points = (0..=4 * PARTS).map(|k| {
            let (sin, cos) =
                bevy::math::ops::sin_cos(f32::from(k % (4 * PARTS)) / f32::from(PARTS) * std::f32::consts::FRAC_PI_2);
            circle.place.as_vec2() + circle.radius as f32 * Vec2::new(cos, sin)
        });
        lines.push(points.collect());
    }
    if let Some(baulk) = spec.baulk {
        lines.push(across(baulk.line));
        let d = (-PARTS..=PARTS).map(|k| {
            let (sin, cos) = match k {
                PARTS => (1.0, 0.0),
                k if k == -PARTS => (-1.0, 0.0),
                k => bevy::math::ops::sin_cos(f32::from(k) / f32::from(PARTS) * std::f32::consts::FRAC_PI_2),
            };
            dvec2(baulk.line - baulk.radius * f64::from(cos), baulk.radius * f64::from(sin)).as_vec2()
        });
        lines.push(d.collect());
    }
    lines
}

fn sights_of(spec: &TableSpec, sights: &SightsSpec) -> Vec<Sight> {
    let half = spec.half();
    let behind = half + sights.behind_nose;
    // The middle of a side is exactly at zero, and its halves are mirror images.
    let along = |parts: u32, length: f64| {
        (1..parts).map(move |k| (f64::from(k) - 0.5 * f64::from(parts)) * (length / f64::from(parts)))
    };
    let free = spec.pockets.map_or(0.0, |pockets| 0.5 * pockets.side.mouth);
    let is_free = |x: &f64| spec.pockets.is_none() || x.abs() > free;
    let sight = |place: DVec2, inward: Vec2| Sight { place: place.as_vec2(), inward, shape: sights.shape };
    let long = |sign: f64| {
        let inward = Vec2::new(0.0, -sign as f32);
        along(sights.parts_long, spec.length).filter(is_free).map(move |x| sight(dvec2(x, sign * behind.y), inward))
    };
    let short = |sign: f64| {
        let inward = Vec2::new(-sign as f32, 0.0);
        along(sights.parts_short, spec.width).map(move |y| sight(dvec2(sign * behind.x, y), inward))
    };
    long(1.0).chain(long(-1.0)).chain(short(-1.0)).chain(short(1.0)).collect()
}

impl TableSpec {
    /// The sights at their places.
    pub(crate) fn placed_sights(&self) -> Vec<Sight> {
        self.sights.as_ref().map(|sights| sights_of(self, sights)).unwrap_or_default()
    }

    /// Half of the length and width of the playing field, metres.
    #[must_use]
    pub fn half(&self) -> DVec2 {
        dvec2(self.length, self.width) * 0.5
    }
}

impl BuiltTable {
    /// The rectangle around the whole table, metres.
    #[must_use]
    pub fn bounds(&self) -> Rect {
        self.rail.iter().fold(Rect::EMPTY, |bounds, &point| bounds.union_point(point))
    }
}
