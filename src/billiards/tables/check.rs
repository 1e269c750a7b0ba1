//! Validation of the numbers of a table. An error names the field as in the file, its value, and the remedy.

use std::{borrow::Cow, ops::RangeInclusive};

use super::{
    pocket::{LocalPocket, PocketKind},
    spec::{BallSpec, PocketSpec, PocketsSpec, SightShape, TableSpec},
};
use crate::components::{InvalidValue, shortest};

/// An error in a table.
#[derive(thiserror::Error, Clone, Debug, PartialEq)]
pub enum TableError {
    /// An invalid number.
    #[error(transparent)]
    Value(#[from] InvalidValue),
    /// A spot required by a rack is missing.
    #[error("racks has `{rack}`, which needs the spot `{spot}`; add it to spots, or take the rack out")]
    Spot {
        /// The rack.
        rack: &'static str,
        /// The missing spot.
        spot: &'static str,
    },
    /// The text is not a valid table.
    #[cfg(feature = "scene")]
    #[error(transparent)]
    Syntax(#[from] crate::ron_text::SyntaxError),
    /// No shipped table has that name.
    #[error("there is no table `{name}`; the tables are {known}")]
    Unknown {
        /// The requested name.
        name: String,
        /// All known names.
        known: String,
    },
}

fn invalid(field: &str, value: f64, remedy: impl Into<Cow<'static, str>>) -> TableError {
    InvalidValue::new(field.to_owned(), value, remedy).into()
}

/// `Ok` if the value is in the range, which NaN is not.
fn within(field: &str, value: f64, range: RangeInclusive<f64>, unit: &str) -> Result<(), TableError> {
    if range.contains(&value) {
        return Ok(());
    }
    let (low, high) = (shortest(*range.start()), shortest(*range.end()));
    Err(invalid(field, value, format!("set it from {low} to {high}{unit}")))
}

impl TableSpec {
    /// Whether its numbers are valid. They must be finite and in the range of real tables, balls must fit through the
    /// pockets, and nothing may intersect. A ball that enters a pocket must either drop or come back.
    ///
    /// # Errors
    /// The first invalid one.
    pub fn check(&self) -> Result<(), TableError> {
        self.check_ball()?;
        within("length", self.length, 20.0 * self.ball.radius..=100.0, " m, at least ten balls")?;
        within("width", self.width, 10.0 * self.ball.radius..=100.0, " m, at least five balls")?;
        if self.width > self.length {
            let remedy = format!("set it to no more than length, {}; the table lies along x", shortest(self.length));
            return Err(invalid("width", self.width, remedy));
        }
        within("cushion_width", self.cushion_width, 1e-3..=0.25 * self.width, " m, a quarter of the width")?;
        within("rail_width", self.rail_width, self.cushion_width..=self.width, " m, at least the cushion_width")?;
        let BallSpec { radius, .. } = self.ball;
        within("nose_height", self.nose_height, radius..=2.0 * radius, " m, the middle and the top of a ball")?;
        within("slate_restitution", self.slate_restitution, 0.0..=1.0, "")?;
        within("cloth.sliding", self.cloth.sliding, 0.0..=10.0, "")?;
        within("cloth.rolling", self.cloth.rolling, 0.0..=10.0, "")?;
        within("cloth.spin_deceleration", self.cloth.spin_deceleration, 0.0..=1e6, " rad/s²")?;
        within("cushion.restitution", self.cushion.restitution, 0.0..=1.0, "")?;
        within("cushion.friction", self.cushion.friction, 0.0..=10.0, "")?;
        if let Some(pockets) = &self.pockets {
            self.check_pockets(pockets)?;
        }
        self.check_marks()?;
        self.check_racks()
    }

    fn check_ball(&self) -> Result<(), TableError> {
        within("ball.radius", self.ball.radius, 1e-3..=1.0, " m")?;
        within("ball.mass", self.ball.mass, 1e-6..=1e3, " kg")?;
        within("ball.restitution", self.ball.restitution, 0.0..=1.0, "")
    }

    fn check_pockets(&self, pockets: &PocketsSpec) -> Result<(), TableError> {
        within("pockets.liner_restitution", pockets.liner_restitution, 0.0..=1.0, "")?;
        let corner = self.check_pocket("pockets.corner", pockets.corner, PocketKind::Corner)?;
        let side = self.check_pocket("pockets.side", pockets.side, PocketKind::Side)?;
        let taken = [("short", self.width, corner.span()), ("long", self.length, corner.span() + side.span())];
        for (which, length, taken) in taken {
            if !(taken < 0.5 * length) {
                let remedy = format!(
                    "the pockets at the ends of a cushion on a {which} side take {} m of it, which leaves nothing; make mouth or jaw_radius smaller, or \
                     the table larger",
                    micrometres(2.0 * taken),
                );
                return Err(invalid("pockets.corner.jaw_radius", corner.spec.jaw_radius, remedy));
            }
        }
        Ok(())
    }

    fn check_pocket(&self, name: &str, spec: PocketSpec, kind: PocketKind) -> Result<LocalPocket, TableError> {
        let field = |field: &str| format!("{name}.{field}");
        let ball = self.ball.radius;
        within(&field("mouth"), spec.mouth, 2.0 * ball..=self.width, " m, at least a ball")?;
        let angles = match kind {
            PocketKind::Corner => 100.0..=170.0,
            PocketKind::Side => 60.0..=150.0,
        };
        within(&field("angle"), spec.angle, angles, " degrees")?;
        within(&field("depth"), spec.depth, 0.0..=self.width, " m")?;
        within(&field("radius"), spec.radius, 1e-3..=self.width, " m")?;
        within(&field("jaw_radius"), spec.jaw_radius, 0.0..=self.width, " m")?;
        within(&field("liner_radius"), spec.liner_radius, ball..=self.width, " m, at least that of a ball")?;
        let pocket = LocalPocket::new(&spec, kind, self.cushion_width);
        let throat = pocket.throat();
        if !(throat > 2.0 * ball) {
            let remedy = format!(
                "between the jaws it leaves {} m, and a ball has {} m; make the mouth wider, the angle smaller or cushion_width narrower",
                micrometres(throat),
                shortest(2.0 * ball)
            );
            return Err(invalid(&field("mouth"), spec.mouth, remedy));
        }
        let end = kind.on_axis(pocket.jaw.end);
        if !pocket.liner_centre.is_finite() {
            let remedy =
                format!("the ends of the jaws are {} m apart; make it at least half of that", micrometres(2.0 * end.y));
            return Err(invalid(&field("liner_radius"), spec.liner_radius, remedy));
        }
        if pocket.shelf() <= -ball {
            let remedy = "a ball that rolls along the cushion would drop; make the depth larger or the radius smaller";
            return Err(invalid(&field("radius"), spec.radius, remedy));
        }
        // The area in which the centre of a ball can be within the liner is a circle, too. All of it must be inside the
        // hole.
        let farthest = (pocket.liner_centre - spec.depth).abs() + spec.liner_radius - ball;
        if farthest > spec.radius {
            let remedy = format!(
                "a ball could lie at the liner and not drop; make it at least {}, or change the depth or the liner_radius",
                micrometres(farthest)
            );
            return Err(invalid(&field("radius"), spec.radius, remedy));
        }
        if pocket.reach() > self.rail_width {
            let remedy =
                format!("{name} reaches {} m behind the nose; make it at least that", micrometres(pocket.reach()));
            return Err(invalid("rail_width", self.rail_width, remedy));
        }
        Ok(pocket)
    }

    fn check_marks(&self) -> Result<(), TableError> {
        let half = self.half();
        for (i, spot) in self.spots.iter().enumerate() {
            let room = half - self.ball.radius;
            within(&format!("spots[{i}].place, x"), spot.place.x, -room.x..=room.x, " m, so that a ball has room")?;
            within(&format!("spots[{i}].place, y"), spot.place.y, -room.y..=room.y, " m, so that a ball has room")?;
        }
        if let Some(x) = self.head_string {
            within("head_string", x, -half.x..=half.x, " m")?;
        }
        for (i, line) in self.lines.iter().enumerate() {
            within(&format!("lines[{i}].x"), line.x, -half.x..=half.x, " m")?;
        }
        for (i, circle) in self.circles.iter().enumerate() {
            let room = half - circle.place.abs();
            within(
                &format!("circles[{i}].radius"),
                circle.radius,
                0.0..=room.min_element(),
                " m, so that it is on the table",
            )?;
        }
        if let Some(baulk) = self.baulk {
            within("baulk.line", baulk.line, -half.x..=half.x, " m")?;
            within(
                "baulk.radius",
                baulk.radius,
                0.0..=half.y.min(baulk.line + half.x),
                " m, so that the D is on the table",
            )?;
        }
        let Some(sights) = self.sights else { return Ok(()) };
        for (field, parts) in [("sights.parts_long", sights.parts_long), ("sights.parts_short", sights.parts_short)] {
            within(field, f64::from(parts), 1.0..=1000.0, "")?;
        }
        within(
            "sights.behind_nose",
            sights.behind_nose,
            self.cushion_width..=self.rail_width,
            " m, on the wood of the rail",
        )?;
        let sizes = match sights.shape {
            SightShape::Round { diameter } => vec![("sights.shape.diameter", diameter)],
            SightShape::Diamond { length, width } => {
                vec![("sights.shape.length", length), ("sights.shape.width", width)]
            }
        };
        sizes.into_iter().try_for_each(|(field, size)| within(field, size, 1e-4..=self.rail_width, " m"))
    }

    fn check_racks(&self) -> Result<(), TableError> {
        let needs = self.racks.iter().flat_map(|rack| rack.spots().iter().map(|spot| (rack.name(), *spot)));
        let missing = needs.into_iter().find(|(_, spot)| self.spot(spot).is_none());
        missing.map_or(Ok(()), |(rack, spot)| Err(TableError::Spot { rack, spot }))
    }
}

/// Formats a length in metres, to a micrometre.
fn micrometres(length: f64) -> String {
    shortest((length * 1e6).round() / 1e6)
}
