//! The journey of one disc through a substep: straight on to the first piece of terrain, off it, and on to the next.

use bevy::math::DVec2;
use bevy::prelude::*;

use crate::collision::{
    bridge::report::{Hit, relative_velocity},
    broad_phase::{terrain_index::Piece, terrain_neighbours::CONTACT_MARGIN},
    flight::{Flight, energy_share, first_touch, rounding_speed},
    geometry::{TerrainView, away_from, crosses},
    response::restitution_of,
    settings::{CollisionSettings, combine_restitution},
    space::Discs,
};

/// What terrain has made of a disc's way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flown {
    /// None was near.
    Free,
    /// It may touch some where it is, or nearly.
    Near,
    /// It is not where it would be without.
    Turned,
    /// It has fallen into a pocket on the way.
    Fallen,
}

/// The way of a disc through a substep, as far as it has got.
pub(super) struct Journey {
    pub(super) disc: u32,
    radius: f32,
    /// Where it begins, metres.
    from: Vec2,
    /// When the substep begins, seconds since the tick did.
    pub(super) start: f32,
    /// How long the substep is, seconds.
    pub(super) h: f64,
    pub(super) flight: Flight,
    /// Where it has got, metres, and the same as it is seen.
    pub(super) at: DVec2,
    last: Vec2,
    /// When it got there, seconds since the substep began.
    pub(super) t: f64,
    pub(super) bounces: u32,
    /// Whether a rounding has carried its centre through a wall.
    through: bool,
    /// Whether something has taken energy from it.
    damped: bool,
    /// Whether something has held it.
    held: bool,
}

impl Journey {
    pub(super) fn begin(discs: &Discs, disc: u32, acceleration: DVec2, [start, substep]: [f32; 2]) -> Self {
        let (i, h) = (disc as usize, f64::from(substep));
        let (from, radius) = (discs.previous[i], discs.radius[i]);
        let flight = Flight::ending_with(discs.velocity[i].as_dvec2(), acceleration, h);
        let (at, last) = (from.as_dvec2(), from);
        let (through, damped, held) = (false, false, false);
        Self { disc, radius, from, start, h, flight, at, last, t: 0.0, bounces: 0, through, damped, held }
    }

    /// The box around all that it can meet on the straight way that is before it: left, bottom, right, top, metres.
    pub(super) fn bounds_ahead(&self) -> [f32; 4] {
        let end = (self.at + self.flight.velocity * (self.h - self.t)).as_vec2();
        let rounding = 1e-6 * (self.at.as_vec2().abs() + end.abs());
        let margin = Vec2::splat(self.radius * (1.0 + 2.0 * CONTACT_MARGIN)) + rounding;
        let (low, high) = (self.last.min(end) - margin, self.last.max(end) + margin);
        [low.x, low.y, high.x, high.y]
    }

    /// Goes straight on to the first of some pieces of terrain, which it returns, or to the end of the substep: `to`, if it meets
    /// nothing at all.
    pub(super) fn advance(&mut self, pieces: &[Piece], fixed: &TerrainView, to: Vec2) -> Option<Piece> {
        let rest = self.h - self.t;
        let way = [self.at, self.flight.velocity];
        let touch = first_touch(pieces.iter(), fixed, way, f64::from(self.radius), rest);
        let time = touch.map_or(rest, |(time, _)| time);
        let end = self.at + self.flight.velocity * time;
        let seen = if self.bounces == 0 && touch.is_none() { to } else { end.as_vec2() };
        self.through |= pieces
            .iter()
            .any(|piece| matches!(piece, Piece::Wall(wall) if crosses(&fixed.walls[*wall as usize], self.last, seen)));
        (self.at, self.last, self.t) = (end, seen, self.t + time);
        touch.map(|(_, piece)| piece)
    }

    /// Bounces off a piece of terrain; the hit, if it was one.
    pub(super) fn bounce(
        &mut self,
        piece: Piece,
        fixed: &TerrainView,
        discs: &Discs,
        settings: &CollisionSettings,
    ) -> Option<Hit> {
        let i = self.disc as usize;
        let (away, point) = away_from(piece, fixed, self.at, self.flight.velocity);
        let (collider, carried) = fixed.collider(piece);
        let carried = (discs.restitution[i], carried, settings.wall_restitution);
        let e = |approach: f64| f64::from(restitution_of(approach as f32, carried, settings.resting_speed));
        self.damped |= combine_restitution(carried.0, carried.1, carried.2) < 1.0 && self.flight.gravity != DVec2::ZERO;
        let before = self.flight.velocity;
        let bounce = self.flight.bounce(away, [self.t, self.h], e);
        self.held |= self.flight.acceleration != self.flight.gravity;
        let bounce = bounce?;
        let is_rounding = self.flight.gravity != DVec2::ZERO
            && bounce.approach <= rounding_speed(self.at, f64::from(self.radius), self.h);
        let normal = -away.normalize_or_zero();
        (bounce.approach as f32 >= settings.resting_speed && !is_rounding).then(|| Hit {
            disc: self.disc,
            collider,
            point: point.as_vec2(),
            normal: normal.as_vec2(),
            approach_speed: bounce.approach as f32,
            relative_velocity: relative_velocity(before, normal, bounce.approach),
            impulse: ((1.0 + bounce.e) * bounce.approach * f64::from(discs.mass[i])) as f32,
            time: self.start + self.t as f32,
        })
    }

    /// Puts the disc where the way has ended, with the velocity that it has there.
    pub(super) fn arrive(self, discs: &mut Discs) -> Flown {
        let i = self.disc as usize;
        if self.through {
            discs.position[i] = self.from;
        } else if self.bounces > 0 {
            // The way around an end or a corner was no straight one; what follows is seen from where the disc is now.
            (discs.position[i], discs.previous[i]) = (self.last, self.last);
        }
        if self.bounces > 0 {
            let mut end = self.flight.end(self.h);
            if self.flight.acceleration != self.flight.gravity || self.held && !self.damped {
                let began = discs.velocity[i].as_dvec2() - self.flight.gravity * self.h;
                let work = self.flight.gravity.dot((self.last - self.from).as_dvec2());
                if let Some(share) = energy_share([began, end], work, self.damped) {
                    end *= share;
                } else {
                    (discs.position[i], discs.previous[i], end) = (self.from, self.from, -began);
                }
            }
            discs.velocity[i] = end.as_vec2();
        }
        if self.through || self.bounces > 0 { Flown::Turned } else { Flown::Near }
    }
}
