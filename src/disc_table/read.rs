//! Reads a table of discs, and reports invalid lines by their number.

use std::collections::HashMap;

use bevy::math::{Vec2, Vec3};

use crate::{
    billiards::tables::BallSpec,
    collision::{LIMIT, spin::Shape},
    components::{Height, POSITIVE},
    disc_table::write::{COLUMNS, Group},
    scene::DiscEntry,
};

/// A disc and the number of its line, counted from 1.
pub(super) type Line = (u64, DiscEntry);

/// The discs of a table.
#[derive(Debug)]
pub(super) struct Rows {
    pub(super) lines: Vec<Line>,
    has_cue_column: bool,
}

impl Rows {
    /// Whether it is clear which disc is shot: the cue ball, or the only disc of a table without a column `cue`.
    pub(super) fn says_which_is_shot(&self) -> bool {
        let has_cue = self.lines.iter().any(|(_, disc)| disc.cue);
        has_cue || (self.lines.len() == 1 && !self.has_cue_column)
    }
}

/// Reads the discs of a table. On a billiard table they are balls of that table, unless a line says otherwise.
pub(super) fn read(text: &str, ball: Option<&BallSpec>) -> Result<Rows, String> {
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
    let mut rows: Vec<Line> = Vec::new();
    let (mut lines, mut cue_line) = (HashMap::new(), None);
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
        if disc.cue
            && let Some(other) = cue_line.replace(line)
        {
            return Err(format!(
                "line {line}: cue is 1, as in line {other}; write 0 where the disc is not the one that is shot"
            ));
        }
        rows.push((line, disc));
    }
    if rows.is_empty() {
        return Err(format!("it holds no discs; {}", form()));
    }
    Ok(Rows { lines: rows, has_cue_column: columns[CUE].is_some() })
}

/// The index of the column `cue` in [`COLUMNS`].
const CUE: usize = 11;

/// Describes the expected format in words.
fn form() -> String {
    let of = |wanted: Group| {
        let names = COLUMNS.iter().filter(|(_, group)| *group == wanted).map(|(name, _)| *name);
        names.collect::<Vec<_>>().join(",")
    };
    format!(
        "the columns are {}, of which x, y and r have to be there, {} for discs that spin, {} for the cue ball, {} for balls with numbers and {} for balls above the cloth",
        of(Group::Motion),
        of(Group::Spin),
        of(Group::Cue),
        of(Group::Number),
        of(Group::Height)
    )
}

fn in_a_line(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::UnequalLengths { pos: Some(position), expected_len, len } => {
            format!("line {}: it has {len} fields instead of {expected_len}; give one for each column", position.line())
        }
        _ => format!("{error}; {}", form()).replace('\n', " "),
    }
}

/// The position of each of [`COLUMNS`] in a table.
type Places = [Option<usize>; COLUMNS.len()];

fn columns(header: &csv::StringRecord, size_is_known: bool) -> Result<Places, String> {
    let mut places = Places::default();
    for (place, name) in header.iter().enumerate() {
        let problem = match COLUMNS.iter().position(|(column, _)| *column == name) {
            Some(column) if places[column].replace(place).is_none() => continue,
            Some(_) => "appears twice",
            None => "is unknown",
        };
        return Err(format!("line 1: the column `{name}` {problem}; {}", form()));
    }
    let is_needed = |name: &str| matches!(name, "x" | "y") || (name == "r" && !size_is_known);
    let missing = COLUMNS.iter().zip(places).find(|((name, _), place)| place.is_none() && is_needed(name));
    missing.map_or(Ok(places), |((name, _), _)| Err(format!("line 1: there is no column `{name}`; {}", form())))
}

/// A disc as written in a table.
struct Row<'a> {
    record: &'a csv::StringRecord,
    columns: Places,
    /// The balls of the billiard table that the disc lies on.
    ball: Option<&'a BallSpec>,
}

impl Row<'_> {
    fn disc(&self) -> Result<DiscEntry, String> {
        let radius = match self.ball {
            Some(ball) if self.text("r").is_empty() => ball.radius as f32,
            _ => self.positive("r", "m")?,
        };
        let mass = match self.text("m") {
            "" => self.ball.map(|ball| ball.mass as f32),
            _ => Some(self.positive("m", "kg")?),
        };
        // Discs on a table for flat discs turn and slow down as flat discs do.
        let is_flat_table = self.ball.is_some_and(|ball| ball.shape == Shape::Flat);
        let angular_velocity = self.angular_velocity()?.or(is_flat_table.then_some(Vec3::ZERO));
        let is_ball = !is_flat_table && (angular_velocity.is_some() || self.ball.is_some());
        let disc = DiscEntry {
            id: self.id()?,
            position: Vec2::new(self.coordinate("x", "m")?, self.coordinate("y", "m")?),
            velocity: Vec2::new(self.or_zero("vx", "m/s")?, self.or_zero("vy", "m/s")?),
            radius,
            mass,
            ball: self.mark("ball")?.unwrap_or(is_ball),
            angular_velocity,
            cue: self.mark("cue")?.unwrap_or(false),
            number: self.number()?,
            ..DiscEntry::default()
        };
        let disc = match self.height()? {
            Some(height) => disc.with(height),
            None => disc,
        };
        match disc.mass().0 {
            mass if POSITIVE.contains(&mass) => Ok(disc),
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
        let [x, y, z] = AXES.map(|axis| self.or_zero(axis, "rad/s"));
        Ok(Some(Vec3::new(x?, y?, z?)))
    }

    fn height(&self) -> Result<Option<Height>, String> {
        if ["height", "vz"].iter().all(|column| self.text(column).is_empty()) {
            return Ok(None);
        }
        let height = Height { height: self.or_zero("height", "m")?, speed: self.or_zero("vz", "m/s")? };
        if height.height < 0.0 { Err(self.not("height", "a number from 0 to 1e12 m")) } else { Ok(Some(height)) }
    }

    fn mark(&self, column: &str) -> Result<Option<bool>, String> {
        match self.text(column) {
            "" => Ok(None),
            "0" => Ok(Some(false)),
            "1" => Ok(Some(true)),
            _ => Err(self.not(column, "0 or 1, or leave it empty")),
        }
    }

    fn number(&self) -> Result<Option<u8>, String> {
        match self.text("number") {
            "" => Ok(None),
            text => text
                .parse()
                .map(Some)
                .map_err(|_| self.not("number", "a whole number from 0 to 255, or leave it empty")),
        }
    }

    fn text(&self, column: &str) -> &str {
        let place = COLUMNS.iter().position(|(name, _)| *name == column).and_then(|column| self.columns[column]);
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

    /// The value of a column, or zero if it is empty or left out.
    fn or_zero(&self, column: &str, unit: &str) -> Result<f32, String> {
        if self.text(column).is_empty() { Ok(0.0) } else { self.coordinate(column, unit) }
    }

    fn positive(&self, column: &str, unit: &str) -> Result<f32, String> {
        let number = self.text(column).parse().ok().filter(|number| POSITIVE.contains(number));
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
    use crate::{
        billiards::tables::ShippedTable,
        collision::{
            DiscState, Discs, check_disc,
            spin::{Shape, Spin},
        },
        disc_table::write::unmarked as write,
    };

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
        let read = &read(&text, None).unwrap().lines[0].1;
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
        for (i, (_, disc)) in read(&text, None).unwrap().lines.iter().enumerate() {
            assert_eq!(bits(disc.spin()), bits(discs.get(i).spin));
        }
    }

    #[test]
    fn a_disc_with_an_angular_velocity_is_a_ball_unless_it_says_otherwise() {
        let spin = |fields: &str, ball: Option<&BallSpec>| {
            let text = format!("x,y,vx,vy,r,wx,wz,ball\n0,0,0,0,1,{fields}\n");
            read(&text, ball).map(|rows| rows.lines[0].1.spin().map(|spin| (spin.shape, spin.angular_velocity)))
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
        let stone = ShippedTable::named("curling").unwrap().spec().unwrap().ball;
        assert_eq!(spin(",,", Some(&stone)), Ok(Some((Shape::Flat, still))));
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
        let (_, disc) = &read("x,y,vx,vy\n0,0,0,0\n", Some(&ball)).unwrap().lines[0];
        assert_eq!((disc.radius, disc.mass), (ball.radius as f32, Some(ball.mass as f32)));
        let (_, disc) = &read("x,y,vx,vy,r,m\n0,0,0,0,,2\n", Some(&ball)).unwrap().lines[0];
        assert_eq!((disc.radius, disc.mass), (ball.radius as f32, Some(2.0)));
    }

    #[test]
    fn a_place_is_enough_and_the_rest_is_at_rest() {
        let (_, disc) = &read("x,y,r\n1,2,0.5\n", None).unwrap().lines[0];
        assert_eq!(disc, &DiscEntry { position: Vec2::new(1.0, 2.0), ..DiscEntry::default() });
        let (_, disc) = &read("x,y,vx,vy,r\n1,2,,3,0.5\n", None).unwrap().lines[0];
        assert_eq!(disc.velocity, Vec2::new(0.0, 3.0));
    }

    #[test]
    fn a_table_says_which_disc_is_shot_and_what_number_a_ball_has() {
        let rows = read("x,y,r,cue,number\n0,0,1,0,3\n5,0,1,1,\n", None).unwrap();
        let marks: Vec<_> = rows.lines.iter().map(|(_, disc)| (disc.cue, disc.number)).collect();
        assert_eq!(marks, [(false, Some(3)), (true, None)]);
        for (text, is_clear) in [
            ("x,y,r\n0,0,1\n", true),
            ("x,y,r\n0,0,1\n5,0,1\n", false),
            ("x,y,r,cue\n0,0,1,0\n", false),
            ("x,y,r,cue\n0,0,1,\n5,0,1,1\n", true),
        ] {
            assert_eq!(read(text, None).unwrap().says_which_is_shot(), is_clear, "{text}");
        }
        for (text, expected) in [
            ("x,y,r,cue\n0,0,1,1\n5,0,1,1\n", "line 3: cue is 1, as in line 2"),
            ("x,y,r,cue\n0,0,1,yes\n", "line 2: cue is `yes`; set it to 0 or 1"),
            ("x,y,r,number\n0,0,1,256\n", "line 2: number is `256`; set it to a whole number from 0 to 255"),
        ] {
            let problem = read(text, None).unwrap_err();
            assert!(problem.contains(expected), "{problem}");
        }
        assert_eq!(COLUMNS[CUE].0, "cue");
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
            ("x,y,vx,vy,r,x\n0,0,0,0,0,1\n".into(), "line 1: the column `x` appears twice".into()),
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
        let (line, disc) = &read(text, None).unwrap().lines[0];
        let expected =
            DiscEntry { position: Vec2::new(1.0, 2.0), velocity: Vec2::new(4.0, 3.0), ..DiscEntry::default() };
        assert_eq!((*line, disc), (2, &expected));
    }

    #[test]
    fn a_table_takes_what_the_solver_takes_and_nothing_else() {
        let values = ["1", "-1", "0", "-0.0", "1e-12", "9e-13", "1e12", "1.0001e12", "-1e12", "1e-45", "inf", "NaN"];
        // All columns of numbers.
        for column in 1..10 {
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
                let text = format!("{}\n{}\n", COLUMNS.map(|(name, _)| name).join(","), fields.join(","));
                assert_eq!(read(&text, None).is_ok(), check_disc(&disc).is_ok(), "{text}");
            }
        }
    }
}
