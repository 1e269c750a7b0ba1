//! Discs as a table (CSV): `id,x,y,vx,vy,r,m` in metres, metres per second and kilograms, every number to the bit.

use std::path::Path;

use bevy::math::Vec2;
use serde::{Deserialize, Serialize};

use crate::{
    collision::{Bodies, LIMIT},
    scene::{DiscEntry, SceneFile, TerrainEntry},
    terrain::Terrain,
};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    id: Option<u64>,
    x: f32,
    y: f32,
    vx: f32,
    vy: f32,
    r: f32,
    m: Option<f32>,
}

const COLUMNS: [&str; 7] = ["id", "x", "y", "vx", "vy", "r", "m"];

/// The table of a state.
pub(super) fn write(bodies: &Bodies) -> Result<String, String> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    // The header stands there for no discs as well.
    let mut written = writer.write_record(COLUMNS);
    for i in 0..bodies.len() {
        let disc = bodies.get(i);
        written = written.and_then(|()| {
            writer.serialize(Row {
                id: Some(disc.id),
                x: disc.position.x,
                y: disc.position.y,
                vx: disc.velocity.x,
                vy: disc.velocity.y,
                r: disc.radius,
                m: Some(disc.mass),
            })
        });
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

/// The scene of a table of discs: elastic, without forces, in an arena if one is given.
pub(super) fn scene(path: &Path, walls: Option<&Walls>) -> Result<SceneFile, String> {
    let name = path.display();
    let text =
        std::fs::read_to_string(path).map_err(|error| format!("{name}: cannot be read ({error}); check the path"))?;
    let discs = read(&text).map_err(|problem| format!("{name}: {problem}"))?;
    let mut terrain = Vec::new();
    if let Some(&Walls { size, centre }) = walls {
        let half_size = 0.5 * size;
        let lies_in = |centre: Vec2| discs.iter().all(|disc| (disc.position - centre).abs().cmple(half_size).all());
        let centres = centre.map_or_else(|| vec![Vec2::ZERO, half_size], |centre| vec![centre]);
        let Some(position) = centres.into_iter().find(|&centre| lies_in(centre)) else {
            return Err(format!(
                "{name}: a disc lies outside of the --box; make it larger, or give its centre: --box W,H,X,Y"
            ));
        };
        terrain.push(TerrainEntry { position, ..TerrainEntry::new(Terrain::Arena { half_size }) });
    }
    Ok(SceneFile { title: name.to_string(), terrain, discs, ..SceneFile::default() })
}

fn read(text: &str) -> Result<Vec<DiscEntry>, String> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let form = format!("the columns are {}", COLUMNS.join(","));
    let mut discs = Vec::new();
    for row in reader.deserialize() {
        let row: Row = row.map_err(|error| {
            let line = error.position().map(|position| format!("line {}: ", position.line())).unwrap_or_default();
            let reason = match error.kind() {
                csv::ErrorKind::Deserialize { err, .. } => err.to_string(),
                _ => error.to_string(),
            };
            format!("{line}{reason}; {form}").replace('\n', " ")
        })?;
        discs.push(DiscEntry {
            id: row.id,
            position: Vec2::new(row.x, row.y),
            velocity: Vec2::new(row.vx, row.vy),
            radius: row.r,
            mass: row.m,
            ..DiscEntry::default()
        });
    }
    if discs.is_empty() {
        return Err(format!("it holds no discs; {form}"));
    }
    Ok(discs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::Disc;

    #[test]
    fn a_table_comes_back_to_the_bit() {
        let mut bodies = Bodies::default();
        let disc = Disc {
            id: 7,
            position: Vec2::new(0.1 + 0.2, -0.0),
            velocity: Vec2::new(1.0e-30, f32::MIN_POSITIVE),
            radius: 1.0 / 3.0,
            mass: 16_777_217.0,
            ..Disc::default()
        };
        bodies.push(disc);
        let text = write(&bodies).unwrap();
        assert!(text.starts_with("id,x,y,vx,vy,r,m\n"), "{text}");
        let read = &read(&text).unwrap()[0];
        assert_eq!(read.id, Some(disc.id));
        let bits = |v: Vec2| v.to_array().map(f32::to_bits);
        assert_eq!(bits(read.position), bits(disc.position));
        assert_eq!(bits(read.velocity), bits(disc.velocity));
        assert_eq!((read.radius, read.mass), (disc.radius, Some(disc.mass)));
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
    fn a_bad_table_is_told_where() {
        for (text, expected) in [
            ("id,x,y,vx,vy,r,m\n0,0,0,0,0,1,1\n1,zero,0,0,0,1,1\n", "line 3"),
            ("id,x,y,vx,vy\n0,0,0,0,0\n", "missing field `r`"),
            ("id,x,y,vx,vy,r,m\n", "no discs"),
            ("id,x,y,vx,vy,r,m\n0,0,0\n", "line 2"),
        ] {
            let problem = read(text).unwrap_err();
            assert!(problem.contains(expected), "{problem}");
            assert!(!problem.contains('\n'));
        }
    }
}
