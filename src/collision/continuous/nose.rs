//! Noses of cushions that a ball above the cloth climbs or clears.
//!
//! Discs that are not balls, moving terrain, and terrain within the cushions act as columns of infinite height: a ball
//! hits them at any height.

use bevy::math::DVec2;

use super::{
    particles::{Meets, Particle, Partner},
    tick_state::TickState,
};
use crate::collision::{
    shape::{
        Bounds, Wall,
        edge::{Edge, edge_time_of_impact},
        rounding::SEAM,
        time_of_impact::{NEVER, Rise, entry_time, is_beside_wall},
    },
    spin::{Cloth, Rails, rails::RailProfile},
    terrain::index::Piece,
};

/// The sine of the elevation of terrain that is a vertical wall: level with the centre of the ball.
const VERTICAL: f64 = 0.0;

/// The part of a piece of terrain that a ball above the cloth touches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Touched {
    /// A wall of any height.
    Wall,
    /// The edge of a nose.
    Edge {
        /// The sine of its elevation, seen from the centre of the ball.
        sin: f64,
        /// The horizontal unit vector from it to the ball.
        away: DVec2,
    },
    /// The top of a rail at this height, metres: the ball has rolled outward over the edge, and touches it from behind.
    Top(f64),
}

/// So close to an edge a ball is over it, metres.
const OVER_EDGE: f64 = 1e-9;

/// When a point that moves straight passes an edge towards the rail, seconds from the start of its path.
fn passes_outward(edge: &Edge, [place, velocity]: [DVec2; 2]) -> f64 {
    let (across, normal) = edge.across(place);
    let speed = velocity.dot(normal);
    match *edge {
        _ if across <= 0.0 => NEVER,
        Edge::Line(..) if speed < 0.0 => across / -speed,
        Edge::Line(..) => NEVER,
        Edge::Ring(centre, radius) => entry_time(place - centre, velocity, radius),
    }
}

/// Whether a ball over an edge, with its lowest point this far below the top of the rail (metres), comes onto it.
/// Nothing else supports it there. Its speed has to take it up.
fn climbs(cloth: &Cloth, velocity: DVec2, below: f64) -> bool {
    below > 0.0 && velocity.length_squared() > 2.0 * f64::from(cloth.gravity) * below
}

impl Touched {
    /// The sine of the elevation of what a ball hits, seen from its centre.
    pub(super) fn sin(self) -> f64 {
        if let Self::Edge { sin, .. } = self { sin } else { VERTICAL }
    }

    /// The horizontal unit vector from an edge to the ball.
    pub(super) fn edge(self) -> Option<DVec2> {
        if let Self::Edge { away, .. } = self { Some(away) } else { None }
    }
}

impl TickState<'_> {
    /// Whether a piece of terrain is part of the cushions, whose noses a ball can clear.
    fn is_cushion(&self, rails: &Rails, piece: Piece) -> bool {
        match piece {
            Piece::Wall(wall) => {
                let Wall { a, b, curve, .. } = self.terrain.walls[wall as usize];
                curve.is_none() && [a, b, a.midpoint(b)].into_iter().all(|at| rails.hold(at))
            }
            Piece::FixedCircle(circle) => rails.hold(self.terrain.fixed_circles[circle as usize].centre),
        }
    }

    /// The edge of the nose that a ball above the cloth sees in a piece of terrain; `None` if it is a wall of any
    /// height.
    fn edge_of(&self, i: usize, partner: Partner) -> Option<(Edge, RailProfile)> {
        let Meets::Piece(piece) = partner.meets() else { return None };
        if !self.is_above(i) || !self.is_cushion(&self.laws.table.as_ref()?.rails?, piece) {
            return None;
        }
        let (rails, place) = (self.rails(i)?, self.particles[i].position);
        let edge = match piece {
            Piece::Wall(wall) => {
                let Wall { a, b, .. } = self.terrain.walls[wall as usize];
                let (a, along) = (a.as_dvec2(), (b - a).as_dvec2());
                let across = along.perp() / along.length_squared().sqrt();
                let normal = if (place - a).dot(across) < 0.0 { -across } else { across };
                Edge::Line(a + normal * rails.overhang, normal)
            }
            Piece::FixedCircle(circle) => {
                let circle = &self.terrain.fixed_circles[circle as usize];
                Edge::Ring(circle.centre.as_dvec2(), f64::from(circle.radius) + rails.overhang)
            }
        };
        Some((edge, rails))
    }

    /// When a ball above the cloth touches the nose of a piece of terrain, seconds from the start of the tick; `None`
    /// if the piece is a wall of any height.
    pub(super) fn nose_time(&self, i: usize, partner: Partner) -> Option<f64> {
        let (edge, rails) = self.edge_of(i, partner)?;
        let (table, trajectory) = (self.laws.table.as_ref()?, &self.trajectories[i]);
        let Particle { position, velocity, radius, time, .. } = self.particles[i];
        // On the top of the rail it meets no nose.
        if !trajectory.flies() || trajectory.is_kept || !self.meets_piece(i, partner) {
            return Some(NEVER);
        }
        let from = self.comes_beside(partner, [position, velocity]);
        let until = self.support_time(i).min(self.end) - time;
        if !(from <= until) {
            return Some(NEVER);
        }
        let rise = trajectory.rise_at(&table.cloth, time + from);
        let rise = Rise { height: rise.height + radius - rails.height, ..rise };
        let way = [position + velocity * from, velocity];
        let comes_over = passes_outward(&edge, way);
        let climbs = comes_over <= until - from && climbs(&table.cloth, velocity, radius - rise.after(comes_over)[0]);
        let touches = edge_time_of_impact(&edge, way, rise, radius, until - from);
        let passed = from + if climbs { comes_over.min(touches) } else { touches };
        let at = position + velocity * passed;
        Some(if passed < NEVER && self.is_beside(partner, at, radius) { time + passed } else { NEVER })
    }

    /// When a point that moves straight comes between the ends of a wall, seconds from the start of its path. In a
    /// joint that is open to it, a ball touches the line of a wall beyond the end before it touches the wall.
    fn comes_beside(&self, partner: Partner, [place, velocity]: [DVec2; 2]) -> f64 {
        let Meets::Piece(Piece::Wall(wall)) = partner.meets() else { return 0.0 };
        let Wall { a, b, .. } = self.terrain.walls[wall as usize];
        let (a, along) = (a.as_dvec2(), (b - a).as_dvec2());
        let (share, speed) = ((place - a).dot(along), velocity.dot(along));
        let way = share.clamp(0.0, along.length_squared()) - share;
        match way {
            0.0 => 0.0,
            _ if way * speed > 0.0 => way / speed,
            _ => NEVER,
        }
    }

    /// Whether a disc and a piece of static terrain collide at all.
    fn meets_piece(&self, i: usize, partner: Partner) -> bool {
        match partner.meets() {
            _ if !self.has_filters => true,
            Meets::Piece(Piece::Wall(wall)) => self.wall_met(i, wall).is_some(),
            Meets::Piece(Piece::FixedCircle(circle)) => self.circle_met(i, circle).is_some(),
            _ => false,
        }
    }

    /// Whether a place is beside a piece of terrain: between the ends of a wall, or at a corner and not at its walls.
    fn is_beside(&self, partner: Partner, at: DVec2, radius: f64) -> bool {
        match partner.meets() {
            Meets::Piece(Piece::Wall(wall)) => {
                let Wall { a, b, .. } = self.terrain.walls[wall as usize];
                let (a, along) = (a.as_dvec2(), (b - a).as_dvec2());
                let (share, seam) = ((at - a).dot(along), SEAM * along.length_squared());
                (-seam..=along.length_squared() + seam).contains(&share)
            }
            Meets::Piece(Piece::FixedCircle(circle)) => {
                let circle = &self.terrain.fixed_circles[circle as usize];
                let away = at - circle.centre.as_dvec2();
                !is_beside_wall(circle, away, radius + f64::from(circle.radius))
            }
            _ => false,
        }
    }

    /// What a ball above the cloth touches at its current position in a piece of terrain. `None` on the cloth.
    pub(super) fn touched_nose(&self, i: usize, partner: Partner, time: f64) -> Option<Touched> {
        if !self.is_above(i) {
            return None;
        }
        let (Some((edge, rails)), Some(table)) = (self.edge_of(i, partner), &self.laws.table) else {
            return Some(Touched::Wall);
        };
        let Particle { position, velocity, radius, .. } = self.particles[i];
        let ((across, away), rise) = (edge.across(position), self.trajectories[i].rise_at(&table.cloth, time));
        let height = rise.height + radius - rails.height;
        if across < OVER_EDGE && velocity.dot(away) < 0.0 && climbs(&table.cloth, velocity, radius - height) {
            return Some(Touched::Top(rails.height));
        }
        let distance = (across * across + height * height).sqrt();
        let sin = if distance > 0.0 { -height / distance } else { -1.0 };
        Some(Touched::Edge { sin, away: if across < 0.0 { -away } else { away } })
    }

    /// A box around the path of a disc, wider for a ball above the cloth: the edge of a nose is in front of its line.
    #[inline(always)]
    pub(super) fn reach(&self, i: usize, bounds: Bounds) -> Bounds {
        if self.is_above(i) { bounds.padded(self.particles[i].radius as f32) } else { bounds }
    }
}
