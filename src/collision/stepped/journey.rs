//! The journey of one disc through a substep: straight on to the first piece of terrain or the first kinematic disc,
//! off it, and on to the next.

use bevy::math::DVec2;
use bevy::prelude::*;
use core::ops::ControlFlow;

use crate::collision::{
    discs::Discs,
    hit::{
        Collider, Hit, Obstacle, Surface,
        answers::{Answer, Answers},
        hop,
        response::arbitrary_normal,
    },
    moving::MovingTerrain,
    path::{
        flight::{Flight, energy_share, first_touch, rounding_speed},
        movers::{Mover, Movers},
        trajectory::Trajectory,
    },
    settings::CollisionSettings,
    shape::{Bounds, wall::crosses},
    spin::TablePhysics,
    terrain::{TerrainView, crosses_any, index::Piece, neighbours::CONTACT_MARGIN},
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

/// What a disc may meet on its way, and what decides how the two part.
#[derive(Clone, Copy)]
pub(super) struct Around<'a> {
    pub(super) discs: &'a Discs,
    /// Terrain that stands, as the disc meets it.
    pub(super) fixed: &'a TerrainView<'a>,
    pub(super) moving: &'a MovingTerrain,
    pub(super) settings: &'a CollisionSettings,
    pub(super) answers: &'a Answers,
}

/// What a disc touches on its way.
#[derive(Clone, Copy, Debug)]
pub(super) enum Touched {
    /// Terrain that stands.
    Standing(Piece),
    /// A part of terrain that moves.
    Moving(u32),
    /// A kinematic disc.
    Disc(Mover),
}

/// The way of a disc through a substep, as far as it has got.
#[derive(Clone, Copy)]
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
    pub(super) last: Vec2,
    /// When it got there, seconds since the substep began.
    pub(super) t: f64,
    pub(super) bounces: u32,
    /// Whether a rounding has carried its centre through a wall.
    through: bool,
    /// Whether something has taken energy from it.
    damped: bool,
    /// Whether something has held it.
    held: bool,
    /// Whether something that moves has done work on it.
    pub(super) driven: bool,
    /// Whether a kinematic disc has hit it.
    hit_by_kinematic: bool,
    /// Whether it has bounced too often, with a kinematic disc among what it bounced off.
    squeezed: bool,
}

impl Journey {
    pub(super) fn begin(discs: &Discs, disc: u32, acceleration: DVec2, [start, substep]: [f32; 2]) -> Self {
        let (i, h) = (disc as usize, f64::from(substep));
        let (from, radius) = (discs.previous[i], discs.radius[i]);
        let flight = Flight::ending_with(discs.velocity[i].as_dvec2(), acceleration, h);
        let (at, last) = (from.as_dvec2(), from);
        Self {
            disc,
            radius,
            from,
            start,
            h,
            flight,
            at,
            last,
            t: 0.0,
            bounces: 0,
            through: false,
            damped: false,
            held: false,
            driven: false,
            hit_by_kinematic: false,
            squeezed: false,
        }
    }

    /// The straight way from a place to where it is now. Where it has touched nothing in the substep, that is the way
    /// in the arrays, to the bit: whoever is looked at closely falls into a pocket where it would without that.
    pub(super) fn way_from(&self, began: DVec2, touches: bool, end: Vec2) -> [DVec2; 2] {
        if self.bounces == 0 && !touches { [self.from.as_dvec2(), end.as_dvec2()] } else { [began, self.at] }
    }

    /// The box around all that it can meet on the straight way that is before it.
    pub(super) fn bounds_ahead(&self) -> Bounds {
        let end = (self.at + self.flight.velocity * (self.h - self.t)).as_vec2();
        let rounding = 1e-6 * (self.at.as_vec2().abs() + end.abs());
        let margin = Vec2::splat(self.radius * (1.0 + 2.0 * CONTACT_MARGIN)) + rounding;
        Bounds::new(self.last.min(end) - margin, self.last.max(end) + margin)
    }

    /// Goes straight on to the first of some pieces of terrain, parts of terrain that moves and kinematic discs, which
    /// it returns, or to the end of the substep: `to`, if it meets nothing at all. Of several at once discs come first.
    pub(super) fn advance(
        &mut self,
        (pieces, fixed): (&[Piece], &TerrainView),
        (parts, moving): (&[u32], &MovingTerrain),
        movers: &[Mover],
        to: Vec2,
    ) -> Option<Touched> {
        let rest = self.h - self.t;
        let way = [self.at, self.flight.velocity];
        let touch = first_touch(pieces.iter(), fixed, way, f64::from(self.radius), rest);
        let mut touch = touch.map(|(time, piece)| (time, Touched::Standing(piece)));
        if !parts.is_empty() {
            let now = f64::from(self.start) + self.t;
            let until = now + touch.map_or(rest, |(time, _)| time);
            let first = moving.first_touch(parts, way, f64::from(self.radius), [now, until]);
            let first = first.map(|(time, part)| (time - now, Touched::Moving(part)));
            touch = first.filter(|first| touch.is_none_or(|touch| first.0 < touch.0)).or(touch);
        }
        if !movers.is_empty() {
            let first = Movers::first_met(movers, self.t, way, f64::from(self.radius), rest);
            if let Some((time, mover)) = first.filter(|first| touch.is_none_or(|touch| first.0 <= touch.0)) {
                touch = Some((time, Touched::Disc(mover)));
            }
        }
        let time = touch.map_or(rest, |(time, _)| time);
        let end = self.at + self.flight.velocity * time;
        let seen = if self.bounces == 0 && touch.is_none() { to } else { end.as_vec2() };
        self.through |= pieces
            .iter()
            .any(|piece| matches!(piece, Piece::Wall(wall) if crosses(&fixed.walls[*wall as usize], self.last, seen)));
        (self.at, self.last, self.t) = (end, seen, self.t + time);
        touch.map(|(_, touched)| touched)
    }

    /// Bounces off what it has touched; the hit, if it was one. Breaks off where there is nothing to bounce off.
    pub(super) fn bounce_off(
        &mut self,
        touched: Touched,
        around: &Around,
        on_table: Option<(&TablePhysics, &mut Trajectory)>,
    ) -> ControlFlow<(), Option<Hit>> {
        let Some(surface) = self.surface(touched, around) else { return ControlFlow::Break(()) };
        self.hit_by_kinematic |= matches!(touched, Touched::Disc(_));
        ControlFlow::Continue(match on_table {
            Some(on_table) => self.bounce_on_table(&surface, around, on_table),
            None => self.bounce(&surface, around),
        })
    }

    /// Whether contact hooks let it meet what it touches.
    pub(super) fn is_met(&self, touched: Touched, around: &Around) -> bool {
        let Around { discs, answers, .. } = around;
        let Some(surface) = self.surface(touched, around) else { return true };
        let collider = surface.collider.with_entity(&discs.entity);
        answers.meet(discs.entity[self.disc as usize], collider, || surface.encounter(self.true_velocity()))
    }

    /// Where and how it lies to what it touches.
    pub(super) fn surface(&self, touched: Touched, around: &Around) -> Option<Surface> {
        let (way, radius) = ([self.at, self.flight.velocity], f64::from(self.radius));
        match touched {
            Touched::Standing(piece) => Some(Surface::of_standing(piece, around.fixed, way, radius, self.h)),
            Touched::Moving(part) => around.moving.surface(part, way, f64::from(self.start) + self.t),
            Touched::Disc(mover) => {
                let restitution = around.discs.restitution[mover.disc as usize];
                let away = self.away_from(&mover, around.discs);
                let point = self.at - away * radius;
                let collider = Collider::Disc(mover.disc);
                Some(Surface {
                    velocity: mover.velocity,
                    ..Surface::standing(away, point, Obstacle { collider, restitution })
                })
            }
        }
    }

    /// Terrain that moves takes it along for the rest of the substep, where its bounces would not end, if none that
    /// stands is in the way; says whether any does.
    pub(super) fn be_carried(&mut self, fixed: &TerrainView, moving: &MovingTerrain) -> bool {
        let times = [self.t, self.h].map(|time| f64::from(self.start) + time);
        let carried = moving.carried(self.disc as usize, self.at, f64::from(self.radius), times);
        let from = self.at.as_vec2();
        let carried = carried.filter(|place| !crosses_any(fixed, from, place.as_vec2()));
        if let Some(place) = carried {
            self.at = place;
            self.last = place.as_vec2();
        }
        carried.is_some()
    }

    /// Bounces off what it touches; the hit, if it was one.
    fn bounce(&mut self, surface: &Surface, around: &Around) -> Option<Hit> {
        let Around { discs, settings, answers, .. } = *around;
        let i = self.disc as usize;
        let &Surface { away, velocity, leaves_at, slides_below, .. } = surface;
        let answer = answers.at_surface(settings, None, discs.side(i), surface, &discs.entity, self.true_velocity());
        let moves = velocity != DVec2::ZERO;
        if moves {
            self.driven = true;
            self.flight.velocity -= velocity;
        }
        // What kicks does work.
        self.driven |= answer.kick > 0.0;
        self.damped |= answer.restitution < 1.0 && self.flight.gravity != DVec2::ZERO;
        let flight = self.flight;
        let before = flight.velocity;
        let restitution = |approach: f64| answer.restitution_at(approach, settings.resting_speed);
        let bounce = self.flight.bounce(away, [self.t, self.h], restitution);
        let ahead = self.flight.ahead([self.t, self.h]);
        if slides_below > 0.0 {
            hop(before, &mut self.flight.velocity, ahead, surface);
        }
        self.rub(&answer, &flight, away);
        if moves {
            if leaves_at > 0.0 && slides_below == 0.0 {
                hop(before, &mut self.flight.velocity, ahead, surface);
            }
            self.flight.velocity += velocity;
        }
        self.held |= self.flight.acceleration != self.flight.gravity;
        let bounce = bounce?;
        let is_rounding = self.flight.gravity != DVec2::ZERO
            && bounce.approach <= rounding_speed(self.at, f64::from(self.radius), self.h);
        let slides = bounce.approach < (2.0 * leaves_at).max(slides_below);
        let impulse = (1.0 + bounce.e) * bounce.approach * f64::from(discs.mass[i]);
        (bounce.approach as f32 >= settings.resting_speed && !is_rounding && !slides)
            .then(|| surface.hit(self.disc, before, [bounce.approach, impulse], self.start + self.t as f32))
    }

    /// Its true velocity where it has got, m/s.
    fn true_velocity(&self) -> DVec2 {
        self.flight.velocity + self.flight.acceleration * (self.t - 0.5 * self.h)
    }

    /// Rubs on the surface that it has just bounced off; `before` is its flight before that, both seen from the surface
    /// as if that did not move along itself.
    fn rub(&mut self, answer: &Answer, before: &Flight, away: DVec2) {
        if !(answer.friction > 0.0) {
            return;
        }
        let carries = answer.carries(away);
        self.driven |= carries != DVec2::ZERO;
        self.damped = true;
        self.flight.velocity -= carries;
        self.flight.rub(before, away, [self.t, self.h], f64::from(answer.friction));
        self.flight.velocity += carries;
    }

    /// The unit vector away from a kinematic disc that it has come to.
    fn away_from(&self, mover: &Mover, discs: &Discs) -> DVec2 {
        let away = self.at - mover.at(self.t);
        let distance = away.length_squared().sqrt();
        if distance > 0.0 {
            away / distance
        } else {
            -arbitrary_normal(discs.id[self.disc as usize], discs.id[mover.disc as usize]).as_dvec2()
        }
    }

    /// Ends where it would get farther than so many metres from where it began, by what has made it faster.
    pub(super) fn stay_within(&mut self, most: f64) {
        let (left, speed) = (most - self.at.distance(self.from.as_dvec2()), self.flight.velocity.length());
        if speed * (self.h - self.t) > left {
            self.h = self.t + left.max(0.0) / speed;
        }
    }

    /// Goes no farther within the substep. What a kinematic disc presses so that it has no room keeps the velocity that
    /// it began with.
    pub(super) fn give_up(&mut self) {
        self.squeezed = self.hit_by_kinematic;
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
            let held = self.flight.acceleration != self.flight.gravity || self.held && !self.damped;
            if self.squeezed {
                end = discs.velocity[i].as_dvec2() - self.flight.gravity * self.h;
            } else if held && !self.driven {
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
