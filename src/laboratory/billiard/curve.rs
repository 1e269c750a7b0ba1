//! Directed pieces of a boundary: straight lines and arcs of circles. The side on their left is free.

use bevy::math::DVec2;

/// A directed piece of a boundary.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Piece {
    Line {
        start: DVec2,
        end: DVec2,
    },
    Arc {
        centre: DVec2,
        radius: f64,
        /// The angle of the start from the x axis, radians.
        start: f64,
        /// The angle from there to the end, radians; counter-clockwise if positive.
        sweep: f64,
    },
}

const TURN: f64 = std::f64::consts::TAU;

fn on_circle(centre: DVec2, radius: f64, angle: f64) -> DVec2 {
    centre + DVec2::new(libm::cos(angle), libm::sin(angle)) * radius
}

impl Piece {
    /// Its length, metres.
    pub(super) fn length(&self) -> f64 {
        match *self {
            Self::Line { start, end } => (end - start).length(),
            Self::Arc { radius, sweep, .. } => radius * sweep.abs(),
        }
    }

    /// The place at a distance along it, metres.
    pub(super) fn place(&self, along: f64) -> DVec2 {
        match *self {
            Self::Line { start, end } => start + (end - start) * (along / self.length()),
            Self::Arc { centre, radius, start, sweep } => {
                on_circle(centre, radius, start + along / radius * sweep.signum())
            }
        }
    }

    /// The unit tangent at a distance along it.
    pub(super) fn tangent(&self, along: f64) -> DVec2 {
        match *self {
            Self::Line { start, end } => (end - start).normalize(),
            Self::Arc { centre, radius, sweep, .. } => ((self.place(along) - centre) / radius).perp() * sweep.signum(),
        }
    }

    pub(super) fn start(&self) -> DVec2 {
        self.place(0.0)
    }

    pub(super) fn end(&self) -> DVec2 {
        self.place(self.length())
    }

    /// Whether it is a whole circle.
    fn is_whole(&self) -> bool {
        matches!(self, Self::Arc { sweep, .. } if sweep.abs() >= TURN)
    }

    /// The distance along it of the closest point to a place, metres.
    pub(super) fn closest(&self, to: DVec2) -> f64 {
        match *self {
            Self::Line { start, end } => {
                let along = end - start;
                let length = along.length();
                ((to - start).dot(along) / length).clamp(0.0, length)
            }
            Self::Arc { radius, sweep, .. } => {
                let turned = self.turned(to);
                if turned <= sweep.abs() {
                    turned * radius
                } else if turned - sweep.abs() < TURN - turned {
                    self.length()
                } else {
                    0.0
                }
            }
        }
    }

    /// The angle from the start of an arc to the direction of a place, along its sense: from 0 to a full turn.
    fn turned(&self, to: DVec2) -> f64 {
        let Self::Arc { centre, start, sweep, .. } = *self else { return 0.0 };
        let from = to - centre;
        let turned = (libm::atan2(from.y, from.x) - start) * sweep.signum();
        turned - TURN * (turned / TURN).floor()
    }

    /// Twice the area that it adds to a closed chain, m².
    pub(super) fn doubled_area(&self) -> f64 {
        let [a, b] = [self.start(), self.end()];
        match *self {
            Self::Line { .. } => a.perp_dot(b),
            Self::Arc { centre, radius, sweep, .. } => radius * radius * sweep + centre.perp_dot(b - a),
        }
    }

    /// How often a ray crosses it from right to left, less the crossings from left to right.
    pub(super) fn crossings(&self, from: DVec2, direction: DVec2) -> i32 {
        match *self {
            Self::Line { start, end } => {
                let [a, b] = [start, end].map(|place| direction.perp_dot(place - from));
                if (a > 0.0) == (b > 0.0) {
                    return 0;
                }
                let crossing = start + (end - start) * (a / (a - b));
                if (crossing - from).dot(direction) <= 0.0 {
                    0
                } else if b > a {
                    1
                } else {
                    -1
                }
            }
            Self::Arc { centre, radius, sweep, .. } => {
                let to = centre - from;
                let (along, beside) = (to.dot(direction), direction.perp_dot(to));
                let half_squared = radius * radius - beside * beside;
                if half_squared <= 0.0 {
                    return 0;
                }
                let half = half_squared.sqrt();
                // The ray enters the circle at the first crossing. A counter-clockwise arc goes to the right there.
                let crossing = |at: f64, sign: i32| {
                    let is_on = at > 0.0 && self.turned(from + direction * at) <= sweep.abs();
                    if is_on { sign * sweep.signum() as i32 } else { 0 }
                };
                crossing(along - half, -1) + crossing(along + half, 1)
            }
        }
    }

    /// A box around it, as its lower left and upper right corner: for an arc, that of its circle.
    pub(super) fn bounds(&self) -> [DVec2; 2] {
        match *self {
            Self::Line { start, end } => [start.min(end), start.max(end)],
            Self::Arc { centre, radius, .. } => [centre - radius, centre + radius],
        }
    }

    /// The distances along this piece, metres, at which it crosses or touches another one, up to a gap of `slop`
    /// metres. A touch counts once.
    pub(super) fn crossed_by(&self, other: &Self, slop: f64) -> Vec<f64> {
        let places = match (*self, *other) {
            (Self::Line { start, end }, Self::Line { start: from, end: to }) => {
                let (along, across) = (end - start, to - from);
                let sine = along.perp_dot(across);
                if sine * sine < 1e-18 * along.length_squared() * across.length_squared() {
                    // Parallel: they may overlap between their ends.
                    vec![from, to]
                } else {
                    vec![start + along * ((from - start).perp_dot(across) / sine)]
                }
            }
            (Self::Line { start, end }, Self::Arc { centre, radius, .. })
            | (Self::Arc { centre, radius, .. }, Self::Line { start, end }) => {
                let along = (end - start).normalize();
                let foot = start + along * (centre - start).dot(along);
                on_both_sides(foot, along, radius, (centre - foot).length(), slop)
            }
            (Self::Arc { centre, radius, .. }, Self::Arc { centre: other_centre, radius: other_radius, .. }) => {
                let between = other_centre - centre;
                let distance = between.length();
                if distance < slop {
                    // Concentric: they may overlap between their ends.
                    vec![other.start(), other.end()]
                } else {
                    let towards = between / distance;
                    let share = 0.5 * (distance + (radius - other_radius) * (radius + other_radius) / distance);
                    on_both_sides(centre + towards * share, towards.perp(), radius, share.abs(), slop)
                }
            }
        };
        let near = |piece: &Self, place: DVec2| (piece.place(piece.closest(place)) - place).length() <= slop;
        places
            .into_iter()
            .filter(|&place| near(self, place) && near(other, place))
            .map(|place| self.closest(place))
            .collect()
    }

    /// The parts between these distances along it, metres. Parts shorter than `slop` are left out.
    pub(super) fn cut(&self, mut at: Vec<f64>, slop: f64) -> Vec<Self> {
        let length = self.length();
        if at.is_empty() {
            return vec![*self];
        }
        at.sort_by(f64::total_cmp);
        if self.is_whole() {
            // A whole circle has no ends: its last part runs across its start.
            at.push(at[0] + length);
        } else {
            at.insert(0, 0.0);
            at.push(length);
        }
        at.windows(2).filter(|ends| ends[1] - ends[0] > slop).map(|ends| self.part(ends[0], ends[1])).collect()
    }

    fn part(&self, from: f64, to: f64) -> Self {
        match *self {
            Self::Line { .. } => Self::Line { start: self.place(from), end: self.place(to) },
            Self::Arc { centre, radius, start, sweep } => Self::Arc {
                centre,
                radius,
                start: start + from / radius * sweep.signum(),
                sweep: (to - from) / radius * sweep.signum(),
            },
        }
    }
}

/// The points of a circle on a line: `foot` is their middle, at `distance` from the centre of the circle.
fn on_both_sides(foot: DVec2, along: DVec2, radius: f64, distance: f64, slop: f64) -> Vec<DVec2> {
    if (distance - radius).abs() <= slop {
        return vec![foot];
    }
    let half_squared = (radius - distance) * (radius + distance);
    if half_squared <= 0.0 {
        return Vec::new();
    }
    let half = along * half_squared.sqrt();
    vec![foot - half, foot + half]
}
