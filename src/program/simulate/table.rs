//! Discs as a table (CSV): `id,x,y,vx,vy,r,m` in metres, metres per second and kilograms, and where discs spin `wx,wy,wz,ball` in radians per
//! second; every number to the bit. And what they are put into: a box, or a billiard table.

use std::{collections::HashMap, path::Path};

use bevy::math::{Vec2, Vec3};
use serde::Serialize;

use crate::{
    billiards::tables::{BallSpec, Hole, ShippedTable, TableError, build},
    collision::{Discs, LIMIT, Mode, spin::Shape},
    scene::{
        self, DiscEntry, Pace, SceneFile, Surroundings, TerrainEntry,
        generate::{Generator, Table},
    },
    terrain::Terrain,
};

/// A row as it is written.
#[derive(Serialize)]
struct Written {
    id: u64,
    x: f32,
    y: f32,
    vx: f32,
    vy: f32,
    r: f32,
    m: f32,
}

/// What a row has more in a table in which discs spin; nothing for one that does not.
#[derive(Serialize)]
struct WrittenSpin {
    angular_velocity: [Option<f32>; 3],
    ball: u8,
}

const COLUMNS: [&str; 11] = ["id", "x", "y", "vx", "vy", "r", "m", "wx", "wy", "wz", "ball"];

/// How many of them there are in a table in which nothing spins.
const WITHOUT_SPIN: usize = 7;

/// The columns that a table may do without: numbers are then given, masses follow from the radii, and nothing spins.
const OPTIONAL: [&str; 6] = ["id", "m", "wx", "wy", "wz", "ball"];

/// The table of a state.
pub(super) fn write(discs: &Discs) -> Result<String, String> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    let discs = (0..discs.len()).map(|i| discs.get(i));
    let some_spin = discs.clone().any(|disc| disc.spin.is_some());
    // The header stands there for no discs as well.
    let mut written = writer.write_record(if some_spin { &COLUMNS[..] } else { &COLUMNS[..WITHOUT_SPIN] });
    for disc in discs {
        let row = Written {
            id: disc.id,
            x: disc.position.x,
            y: disc.position.y,
            vx: disc.velocity.x,
            vy: disc.velocity.y,
            r: disc.radius,
            m: disc.mass,
        };
        let angular_velocity = disc.spin.map(|spin| spin.angular_velocity);
        let spin = WrittenSpin {
            angular_velocity: [0, 1, 2].map(|axis| angular_velocity.map(|w| w[axis])),
            ball: disc.spin.is_some_and(|spin| spin.shape == Shape::Ball).into(),
        };
        written = written.and_then(|()| if some_spin { writer.serialize((row, spin)) } else { writer.serialize(row) });
    }
    let failed = |error: &dyn std::fmt::Display| format!("the table cannot be made: {error}");
    written.map_err(|error| failed(&error))?;
    let bytes = writer.into_inner().map_err(|error| failed(&error))?;
    String::from_utf8(bytes).map_err(|error| failed(&error))
}

/// An arena around the discs of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walls {
    /// Width and height, metres.
    pub size: Vec2,
    /// Its centre, metres. None: the origin if all discs' centres lie in that; else the origin is its lower left corner.
    pub centre: Option<Vec2>,
}

impl Walls {
    /// Reads `W,H` or `W,H,X,Y`, metres.
    ///
    /// # Errors
    /// What is wrong, and what it takes.
    pub fn parse(text: &str) -> Result<Self, String> {
        let numbers: Option<Vec<f32>> = text.split(',').map(|number| number.trim().parse().ok()).collect();
        let walls = match numbers.as_deref() {
            Some(&[w, h]) => Some(Self { size: Vec2::new(w, h), centre: None }),
            Some(&[w, h, x, y]) => Some(Self { size: Vec2::new(w, h), centre: Some(Vec2::new(x, y)) }),
            _ => None,
        };
        let within = |vector: Vec2| vector.abs().cmplt(Vec2::splat(LIMIT)).all();
        walls
            .filter(|walls| within(walls.size) && walls.size.min_element() > 0.0 && walls.centre.is_none_or(within))
            .ok_or_else(|| {
                format!("--box {text}: give a width and a height above zero in metres, and if you like its centre: --box 20,10 or --box 20,10,10,5")
            })
    }
}

/// What the discs of a table are put into.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// Nothing.
    Open,
    /// Four walls.
    Box(Walls),
    /// A billiard table.
    Table(&'static ShippedTable),
}

/// The shipped billiard table of this name.
///
/// # Errors
/// There is none; the line lists those that there are.
pub fn table_named(name: &str) -> Result<&'static ShippedTable, String> {
    ShippedTable::named(name).map_err(|error| format!("--table {name}: {error}"))
}

/// How many ticks a second has on a billiard table.
const TABLE_TICK_RATE: f64 = 120.0;

/// The scene of a table of discs: elastic and without forces, or a billiard table with its physics. And warnings: the file may be cut
/// short, or nothing acts on discs that spin.
pub(super) fn read_scene(path: &Path, place: &Place) -> Result<(SceneFile, Vec<String>), String> {
    let name = path.display();
    let text = scene::read_text(path).map_err(|error| error.to_string())?;
    let at = |problem: String| format!("{name}: {problem}");
    let mut scene = SceneFile { title: name.to_string(), ..SceneFile::default() };
    let rows = match place {
        Place::Open => read(&text, None).map_err(at)?,
        Place::Box(walls) => {
            let rows = read(&text, None).map_err(at)?;
            scene.terrain.extend(walls.around(&rows).map_err(at)?);
            rows
        }
        Place::Table(table) => on_table(&mut scene, table, &text).map_err(at)?,
    };
    let mut warnings = Vec::new();
    if may_be_cut(&text) {
        let line = text.lines().count();
        warnings.push(at(format!(
            "line {line}: the last line has no line end; the file may be cut short, so check its last number"
        )));
    }
    if !matches!(place, Place::Table(_))
        && let Some((line, _)) = rows.iter().find(|(_, disc)| disc.spin().is_some())
    {
        warnings.push(at(format!(
            "line {line}: the disc spins, and nothing acts on its spin; --table NAME puts it on cloth between cushions"
        )));
    }
    scene.discs = rows.into_iter().map(|(_, disc)| disc).collect();
    Ok((scene, warnings))
}

impl Walls {
    /// The arena, if the discs find room in it.
    fn around(&self, rows: &[(u64, DiscEntry)]) -> Result<Option<TerrainEntry>, String> {
        let &Self { size, centre } = self;
        let half_size = 0.5 * size;
        room_for(rows, half_size, "box")?;
        let outside =
            |centre: Vec2| rows.iter().find(|(_, disc)| !(disc.position - centre).abs().cmple(half_size).all());
        let centres = centre.map_or_else(|| vec![Vec2::ZERO, half_size], |centre| vec![centre]);
        if let Some(&position) = centres.iter().find(|&&centre| outside(centre).is_none()) {
            return Ok(Some(TerrainEntry { position, ..TerrainEntry::new(Terrain::Arena { half_size }) }));
        }
        let Some((line, DiscEntry { position: Vec2 { x, y }, .. })) = outside(centres[0]) else { return Ok(None) };
        Err(format!(
            "line {line}: the disc at ({x}, {y}) m lies outside of the --box; make it larger, or give its centre: --box W,H,X,Y"
        ))
    }
}

/// Whether no disc is larger than a box or a table.
fn room_for(rows: &[(u64, DiscEntry)], half_size: Vec2, place: &str) -> Result<(), String> {
    let most = half_size.min_element();
    let Some((line, disc)) = rows.iter().find(|(_, disc)| disc.radius > most) else { return Ok(()) };
    Err(format!(
        "line {line}: r is {}, for which there is no room in the --{place}; make it {most} m at most, or the {place} larger",
        disc.radius
    ))
}

/// Makes a scene a billiard table, and reads what lies on it.
fn on_table(scene: &mut SceneFile, table: &ShippedTable, text: &str) -> Result<Vec<(u64, DiscEntry)>, String> {
    let words = |error: TableError| error.to_string();
    let spec = table.spec().map_err(words)?;
    let holes = build(&spec).map_err(words)?.holes;
    let rows = read(text, Some(&spec.ball))?;
    let half = spec.half();
    room_for(&rows, half.as_vec2(), "table")?;
    // A ball in the jaws of a pocket may lie behind the line of the noses.
    let in_jaws = |place: Vec2, hole: &Hole| {
        let reach = hole.centre.distance(hole.mouth) + spec.ball.radius;
        place.as_dvec2().distance(hole.centre) <= reach
    };
    let inside =
        |place: Vec2| place.as_dvec2().abs().cmple(half).all() || holes.iter().any(|hole| in_jaws(place, hole));
    if let Some((line, DiscEntry { position: Vec2 { x, y }, .. })) =
        rows.iter().find(|(_, disc)| !inside(disc.position))
    {
        return Err(format!(
            "line {line}: the disc at ({x}, {y}) m lies outside of the --table {name}, whose origin is its middle; x goes from -{0} to {0} m and \
             y from -{1} to {1} m",
            half.x,
            half.y,
            name = table.name
        ));
    }
    scene.surroundings = Surroundings::Table;
    scene.pace = Pace { tick_rate: TABLE_TICK_RATE, ..Pace::default() };
    scene.collision.mode = Mode::Continuous;
    scene.collision.restitution = spec.ball.restitution as f32;
    scene.generate = vec![Generator::Table(Table { name: table.name.to_owned(), rack: None, ..Table::default() })];
    Ok(rows)
}

/// A table that is whole ends with a line end, as [`write`] makes it.
fn may_be_cut(text: &str) -> bool {
    !text.ends_with(['\n', '\r'])
}

/// The discs of a table, each with its line, from 1. On a billiard table they are such balls, unless the rows say otherwise.
fn read(text: &str, ball: Option<&BallSpec>) -> Result<Vec<(u64, DiscEntry)>, String> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| in_a_line(&error))?;
    let first = text.trim_start().lines().next().unwrap_or_default();
    if first.is_empty() {
        return Err(format!(
            "it is empty; write a line with the names of the columns, and a line for each disc: {}",
            form()
        ));
    }
    if let Some((separator, name)) =
        [(';', "`;`"), ('\t', "tabs")].into_iter().find(|(separator, _)| first.contains(*separator))
    {
        let decimal = if text.lines().skip(1).any(|line| line.contains(',') && line.contains(separator)) {
            ", and a point in numbers"
        } else {
            ""
        };
        return Err(format!(
            "line 1: its fields are separated by {name}; write commas between them{decimal}: {}",
            form()
        ));
    }
    let columns = columns(header, ball.is_some())?;
    let mut rows = Vec::new();
    let mut lines = HashMap::new();
    for record in reader.records() {
        let record = record.map_err(|error| in_a_line(&error))?;
        let line = record.position().map_or(0, csv::Position::line);
        let row = Row { record: &record, columns, ball };
        let disc = row.disc().map_err(|problem| format!("line {line}: {problem}"))?;
        if let Some(id) = disc.id
            && let Some(other) = lines.insert(id, line)
        {
            return Err(format!(
                "line {line}: id is {id}, as in line {other}; give each disc its own, or leave it empty"
            ));
        }
        rows.push((line, disc));
    }
    if rows.is_empty() { Err(format!("it holds no discs; {}", form())) } else { Ok(rows) }
}

/// What a table has to look like.
fn form() -> String {
    let (plain, spin) = COLUMNS.split_at(WITHOUT_SPIN);
    format!("the columns are {}, and {} for discs that spin", plain.join(","), spin.join(","))
}

fn in_a_line(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::UnequalLengths { pos: Some(position), expected_len, len } => {
            format!("line {}: it has {len} fields instead of {expected_len}; give one for each column", position.line())
        }
        _ => format!("{error}; {}", form()).replace('\n', " "),
    }
}

/// Where each of [`COLUMNS`] stands in a table.
type Places = [Option<usize>; COLUMNS.len()];

fn columns(header: &csv::StringRecord, size_is_known: bool) -> Result<Places, String> {
    let mut places = Places::default();
    for (place, name) in header.iter().enumerate() {
        let problem = match COLUMNS.iter().position(|column| *column == name) {
            Some(column) if places[column].replace(place).is_none() => continue,
            Some(_) => "stands there twice",
            None => "is unknown",
        };
        return Err(format!("line 1: the column `{name}` {problem}; {}", form()));
    }
    let optional = |name: &str| OPTIONAL.contains(&name) || (name == "r" && size_is_known);
    let missing = COLUMNS.iter().zip(places).find(|(name, place)| place.is_none() && !optional(name));
    missing.map_or(Ok(places), |(name, _)| Err(format!("line 1: there is no column `{name}`; {}", form())))
}

/// A disc as it stands in a table.
struct Row<'a> {
    record: &'a csv::StringRecord,
    columns: Places,
    /// The balls of the billiard table that it lies on.
    ball: Option<&'a BallSpec>,
}

impl Row<'_> {
    fn disc(&self) -> Result<DiscEntry, String> {
        let vector = |x, y, unit| Ok::<_, String>(Vec2::new(self.coordinate(x, unit)?, self.coordinate(y, unit)?));
        let radius = match self.ball {
            Some(ball) if self.text("r").is_empty() => ball.radius as f32,
            _ => self.positive("r", "m")?,
        };
        let mass = match self.text("m") {
            "" => self.ball.map(|ball| ball.mass as f32),
            _ => Some(self.positive("m", "kg")?),
        };
        let angular_velocity = self.angular_velocity()?;
        let disc = DiscEntry {
            id: self.id()?,
            position: vector("x", "y", "m")?,
            velocity: vector("vx", "vy", "m/s")?,
            radius,
            mass,
            ball: self.is_ball()?.unwrap_or(angular_velocity.is_some() || self.ball.is_some()),
            angular_velocity,
            ..DiscEntry::default()
        };
        match disc.mass().0 {
            mass if (1.0 / LIMIT..=LIMIT).contains(&mass) => Ok(disc),
            mass => Err(format!(
                "m is empty, and a disc of this radius would have {mass:e} kg; set it to a number from 1e-12 to 1e12 kg"
            )),
        }
    }

    fn angular_velocity(&self) -> Result<Option<Vec3>, String> {
        const AXES: [&str; 3] = ["wx", "wy", "wz"];
        if AXES.iter().all(|axis| self.text(axis).is_empty()) {
            return Ok(None);
        }
        let about = |axis| if self.text(axis).is_empty() { Ok(0.0) } else { self.coordinate(axis, "rad/s") };
        let [x, y, z] = AXES.map(about);
        Ok(Some(Vec3::new(x?, y?, z?)))
    }

    fn is_ball(&self) -> Result<Option<bool>, String> {
        match self.text("ball") {
            "" => Ok(None),
            "0" => Ok(Some(false)),
            "1" => Ok(Some(true)),
            _ => Err(self.not("ball", "0 or 1, or leave it empty")),
        }
    }

    fn text(&self, column: &str) -> &str {
        let place = COLUMNS.iter().position(|known| *known == column).and_then(|column| self.columns[column]);
        place.and_then(|place| self.record.get(place)).unwrap_or_default()
    }

    fn id(&self) -> Result<Option<u64>, String> {
        match self.text("id") {
            "" => Ok(None),
            text => match text.parse() {
                Ok(id) if id < u64::MAX => Ok(Some(id)),
                _ => Err(self.not("id", &format!("a whole number from 0 to {}, or leave it empty", u64::MAX - 1))),
            },
        }
    }

    fn coordinate(&self, column: &str, unit: &str) -> Result<f32, String> {
        let number = self.text(column).parse().ok().filter(|number| (-LIMIT..=LIMIT).contains(number));
        number.ok_or_else(|| self.not(column, &format!("a number from -1e12 to 1e12 {unit}")))
    }

    fn positive(&self, column: &str, unit: &str) -> Result<f32, String> {
        let number = self.text(column).parse().ok().filter(|number| (1.0 / LIMIT..=LIMIT).contains(number));
        number.ok_or_else(|| self.not(column, &format!("a number from 1e-12 to 1e12 {unit}")))
    }

    fn not(&self, column: &str, kind: &str) -> String {
        match self.text(column) {
            "" => format!("{column} is empty; set it to {kind}"),
            text => format!("{column} is `{text}`; set it to {kind}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::{DiscState, check_disc, spin::Spin};

    #[test]
    fn a_table_without_commas_or_without_anything_is_told_what_to_write() {
        for (text, wanted) in [
            ("", "it is empty; write a line with the names"),
            (" \n\n", "it is empty; write a line with the names"),
            (
                "x;y;vx;vy;r\n0;0;0;0;1\n",
                "line 1: its fields are separated by `;`; write commas between them: the columns are",
            ),
            ("x;y;vx;vy;r\n0,5;0;0;0;1\n", "write commas between them, and a point in numbers: the columns"),
            ("x\ty\tvx\tvy\tr\n0\t0\t0\t0\t1\n", "separated by tabs; write commas"),
        ] {
            let problem = read(text, None).unwrap_err();
            assert!(problem.contains(wanted), "{text:?}: {problem}");
        }
    }

    #[test]
    fn a_table_comes_back_to_the_bit() {
        let mut discs = Discs::default();
        let disc = DiscState {
            id: 7,
            position: Vec2::new(0.1 + 0.2, -0.0),
            velocity: Vec2::new(1.0e-30, f32::MIN_POSITIVE),
            radius: 1.0 / 3.0,
            mass: 16_777_217.0,
            ..DiscState::default()
        };
        discs.push(disc);
        let text = write(&discs).unwrap();
        assert!(text.starts_with("id,x,y,vx,vy,r,m\n"), "{text}");
        let read = &read(&text, None).unwrap()[0].1;
        assert_eq!(read.id, Some(disc.id));
        let bits = |v: Vec2| v.to_array().map(f32::to_bits);
        assert_eq!(bits(read.position), bits(disc.position));
        assert_eq!(bits(read.velocity), bits(disc.velocity));
        assert_eq!((read.radius, read.mass), (disc.radius, Some(disc.mass)));
    }

    #[test]
    fn spin_comes_back_to_the_bit_and_a_disc_without_it_stays_without() {
        let angular_velocity = Vec3::new(0.1 + 0.2, -0.0, -1.0e-30);
        let spins = [Some(Shape::Ball), None, Some(Shape::Flat)];
        let discs: Discs = (0..)
            .zip(spins)
            .map(|(id, shape)| DiscState {
                id,
                spin: shape.map(|shape| Spin { angular_velocity, shape }),
                ..DiscState::default()
            })
            .collect();
        let text = write(&discs).unwrap();
        assert!(text.starts_with("id,x,y,vx,vy,r,m,wx,wy,wz,ball\n"), "{text}");
        assert!(text.contains("\n1,0.0,0.0,0.0,0.0,0.5,1.0,,,,0\n"), "{text}");
        let bits = |spin: Option<Spin>| spin.map(|s| (s.angular_velocity.to_array().map(f32::to_bits), s.shape));
        for (i, (_, disc)) in read(&text, None).unwrap().iter().enumerate() {
            assert_eq!(bits(disc.spin()), bits(discs.get(i).spin));
        }
    }

    #[test]
    fn a_disc_with_an_angular_velocity_is_a_ball_unless_it_says_otherwise() {
        let spin = |fields: &str, ball: Option<&BallSpec>| {
            let text = format!("x,y,vx,vy,r,wx,wz,ball\n0,0,0,0,1,{fields}\n");
            read(&text, ball).map(|rows| rows[0].1.spin().map(|spin| (spin.shape, spin.angular_velocity)))
        };
        let (still, turning) = (Vec3::ZERO, Vec3::new(0.0, 0.0, 2.0));
        assert_eq!(spin(",,", None), Ok(None));
        assert_eq!(spin(",,0", None), Ok(None));
        assert_eq!(spin(",,1", None), Ok(Some((Shape::Ball, still))));
        assert_eq!(spin(",2,", None), Ok(Some((Shape::Ball, turning))));
        assert_eq!(spin("0,2,0", None), Ok(Some((Shape::Flat, turning))));
        let ball = ShippedTable::named("pool-9ft").unwrap().spec().unwrap().ball;
        assert_eq!(spin(",,", Some(&ball)), Ok(Some((Shape::Ball, still))));
        assert_eq!(spin(",,0", Some(&ball)), Ok(None));
        for (fields, expected) in [
            ("nan,,", "line 2: wx is `nan`; set it to a number from -1e12 to 1e12 rad/s"),
            (",1e13,", "line 2: wz is `1e13`"),
            (",,2", "line 2: ball is `2`; set it to 0 or 1, or leave it empty"),
        ] {
            let problem = spin(fields, None).unwrap_err();
            assert!(problem.contains(expected), "{problem}");
        }
    }

    #[test]
    fn the_balls_of_a_billiard_table_need_no_size() {
        let ball = ShippedTable::named("snooker-12ft").unwrap().spec().unwrap().ball;
        let (_, disc) = &read("x,y,vx,vy\n0,0,0,0\n", Some(&ball)).unwrap()[0];
        assert_eq!((disc.radius, disc.mass), (ball.radius as f32, Some(ball.mass as f32)));
        let (_, disc) = &read("x,y,vx,vy,r,m\n0,0,0,0,,2\n", Some(&ball)).unwrap()[0];
        assert_eq!((disc.radius, disc.mass), (ball.radius as f32, Some(2.0)));
    }

    #[test]
    fn a_box_has_a_size_and_may_have_a_centre() {
        let size = Vec2::new(20.0, 10.5);
        assert_eq!(Walls::parse("20, 10.5"), Ok(Walls { size, centre: None }));
        assert_eq!(Walls::parse("20,10.5,-3,0"), Ok(Walls { size, centre: Some(Vec2::new(-3.0, 0.0)) }));
        for wrong in ["20", "20,", "0,1", "-1,1", "nan,1", "1,inf", "1,1,1", "1,1,nan,0", "1,1,0,0,0"] {
            assert!(Walls::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_bad_table_is_reported_where() {
        let row = |row: &str| format!("id,x,y,vx,vy,r,m\n0,9,9,0,0,1,1\n{row}\n");
        let place = "set it to a number from -1e12 to 1e12 m";
        for (text, expected) in [
            (row("1,zero,0,0,0,1,1"), format!("line 3: x is `zero`; {place}")),
            (row("1,0,nan,0,0,1,1"), format!("line 3: y is `nan`; {place}")),
            (row("1,1e30,0,0,0,1,1"), format!("line 3: x is `1e30`; {place}")),
            (row("1,0,1e50,0,0,1,1"), format!("line 3: y is `1e50`; {place}")),
            (row("1,,0,0,0,1,1"), format!("line 3: x is empty; {place}")),
            (row("1,0,0,-inf,0,1,1"), format!("line 3: vx is `-inf`; {place}/s")),
            (row("1,0,0,0,2e12,1,1"), format!("line 3: vy is `2e12`; {place}/s")),
            (row("1,0,0,0,0,0,1"), "line 3: r is `0`; set it to a number from 1e-12 to 1e12 m".into()),
            (row("1,0,0,0,0,1,-1"), "line 3: m is `-1`; set it to a number from 1e-12 to 1e12 kg".into()),
            (row("1,0,0,0,0,1e-8,"), "line 3: m is empty, and a disc of this radius would have 3.14".into()),
            (row("-1,0,0,0,0,1,1"), "line 3: id is `-1`; set it to a whole number".into()),
            (row("18446744073709551615,0,0,0,0,1,1"), "line 3: id is `18446744073709551615`".into()),
            (row("0,0,0,0,0,1,1"), "line 3: id is 0, as in line 2".into()),
            (row("0,0,0"), "line 3: it has 3 fields instead of 7".into()),
            ("id,x,y,vx,vy\n0,0,0,0,0\n".into(), "line 1: there is no column `r`".into()),
            ("x,y,vx,vy,r,e\n0,0,0,0,0,1\n".into(), "line 1: the column `e` is unknown".into()),
            ("x,y,vx,vy,r,x\n0,0,0,0,0,1\n".into(), "line 1: the column `x` stands there twice".into()),
            ("id,x,y,vx,vy,r,m\n".into(), "no discs".into()),
            (String::new(), "it is empty; write a line with the names".into()),
        ] {
            let problem = read(&text, None).unwrap_err();
            assert!(problem.contains(&expected), "{problem}");
            assert!(!problem.contains('\n'));
        }
    }

    #[test]
    fn columns_stand_in_any_order_and_id_and_mass_may_be_left_out() {
        let text = "r, x,y,vy,vx\n0.5,1,2,3,4\n";
        let (line, disc) = &read(text, None).unwrap()[0];
        let expected =
            DiscEntry { position: Vec2::new(1.0, 2.0), velocity: Vec2::new(4.0, 3.0), ..DiscEntry::default() };
        assert_eq!((*line, disc), (2, &expected));
    }

    #[test]
    fn a_table_takes_what_the_solver_takes_and_nothing_else() {
        let values = ["1", "-1", "0", "-0.0", "1e-12", "9e-13", "1e12", "1.0001e12", "-1e12", "1e-45", "inf", "NaN"];
        // All columns of numbers.
        for column in 1..COLUMNS.len() - 1 {
            for value in values {
                let mut fields = ["0"; COLUMNS.len()];
                (fields[5], fields[6], fields[column]) = ("1", "1", value);
                let number = |i: usize| fields[i].parse::<f32>().unwrap();
                let disc = DiscState {
                    position: Vec2::new(number(1), number(2)),
                    velocity: Vec2::new(number(3), number(4)),
                    radius: number(5),
                    mass: number(6),
                    spin: Some(Spin {
                        angular_velocity: Vec3::new(number(7), number(8), number(9)),
                        shape: Shape::Flat,
                    }),
                    ..DiscState::default()
                };
                let text = format!("{}\n{}\n", COLUMNS.join(","), fields.join(","));
                assert_eq!(read(&text, None).is_ok(), check_disc(&disc).is_ok(), "{text}");
            }
        }
    }

    #[test]
    fn a_file_without_a_last_line_end_may_be_cut() {
        assert!(may_be_cut("x\n1"));
        assert!(!may_be_cut("x\n1\n") && !may_be_cut("x\r\n1\r\n"));
    }
}
