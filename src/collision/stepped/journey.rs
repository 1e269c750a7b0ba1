//! The journey of one disc through a substep: straight to the first piece of terrain or kinematic disc, off it, and on
//! to the next.

use bevy::math::DVec2;
use bevy::prelude::*;
use core::ops::ControlFlow;

use crate::collision::{
    discs::Discs,
    hit::{Hit, HitTarget, Surface, answers::Answers, response::arbitrary_normal},
    moving::MovingTerrain,
    path::{
        flight::{Bounce, Flight, SurfaceBounce, energy_share, first_touch, rounding_speed},
        movers::{Mover, Movers},
        trajectory::Trajectory,
    },
    settings::CollisionSettings,
    shape::{Bounds, wall::crosses},
    spin::TablePhysics,
    terrain::{TerrainView, crosses_any, index::Piece, neighbours::CONTACT_MARGIN},
};

/// The effect of terrain on the path of a disc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flown {
    /// No terrain was near.
    Free,
    /// It may touch terrain at its position, or nearly.
    Near,
    /// Terrain has changed its path.
    Turned,
    /// It has fallen into a pocket on the way.
    Fallen,
}

/// What a disc may hit, and the settings that decide how the two separate.
#[derive(Clone, Copy)]
pub(super) struct Around<'a> {
    pub(super) discs: &'a Discs,
    pub(super) moving: &'a MovingTerrain,
    pub(super) settings: &'a CollisionSettings,
    pub(super) answers: &'a Answers,
}

/// The surroundings of the straight path of a disc, filtered for the disc.
#[derive(Clone, Copy)]
pub(super) struct OnTheWay<'a> {
    /// Pieces of static terrain.
    pub(super) pieces: &'a [Piece],
    pub(super) fixed: &'a TerrainView<'a>,
    /// Parts of moving terrain.
    pub(super) parts: &'a [u32],
    pub(super) moving: &'a MovingTerrain,
    /// Kinematic discs.
    pub(super) movers: &'a [Mover],
}

/// What a disc touches on its path.
#[derive(Clone, Copy, Debug)]
pub(super) enum Touched {
    /// Static terrain, filtered for the disc.
    Standing(Surface),
    /// A part of moving terrain.
    Moving(u32),
    /// A kinematic disc.
    Disc(Mover),
}

/// The path of a disc through a substep, up to its current position.
#[derive(Clone, Copy)]
pub(super) struct Journey {
    pub(super) disc: u32,
    radius: f32,
    /// Its start, metres.
    from: Vec2,
    /// The start of the substep, seconds since the start of the tick.
    pub(super) start: f32,
    /// The length of the substep, seconds.
    pub(super) h: f64,
    pub(super) flight: Flight,
    /// The current position, metres, and its f32 value.
    pub(super) at: DVec2,
    pub(super) last: Vec2,
    /// The current time, seconds since the start of the substep.
    pub(super) t: f64,
    pub(super) bounces: u32,
    /// Whether rounding has carried its centre through a wall.
    through: bool,
    /// Whether something has removed energy from it.
    damped: bool,
    /// Whether something has held it.
    held: bool,
    /// Whether something that moves has done work on it.
    pub(super) driven: bool,
    /// Whether a kinematic disc has hit it.
    hit_by_kinematic: bool,
    /// Whether it has bounced too often, including off a kinematic disc.
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

    /// The straight path from a position to its current one. If it has touched nothing in the substep, that is exactly
    /// the path in the arrays. So a disc with a closer look falls into a pocket where it would without one.
    pub(super) fn way_from(&self, began: DVec2, touches: bool, end: Vec2) -> [DVec2; 2] {
        if self.bounces == 0 && !touches { [self.from.as_dvec2(), end.as_dvec2()] } else { [began, self.at] }
    }

    /// The box around everything that it can hit on the straight path ahead.
    pub(super) fn bounds_ahead(&self) -> Bounds {
        let end = (self.at + self.flight.velocity * (self.h - self.t)).as_vec2();
        let rounding = 1e-6 * (self.at.as_vec2().abs() + end.abs());
        let margin = Vec2::splat(self.radius * (1.0 + 2.0 * CONTACT_MARGIN)) + rounding;
        Bounds::new(self.last.min(end) - margin, self.last.max(end) + margin)
    }

    /// Moves straight to the first contact with some pieces of terrain, parts of moving terrain and kinematic discs,
    /// and returns it. Without a contact it moves to the end of the substep, which is `to` if there was none at all. At
    /// equal times discs come first.
    pub(super) fn advance(
        &mut self,
        OnTheWay { pieces, fixed, parts, moving, movers }: OnTheWay,
        to: Vec2,
    ) -> Option<Touched> {
        let rest = self.h - self.t;
        let way = [self.at, self.flight.velocity];
        let standing = first_touch(pieces.iter(), fixed, way, f64::from(self.radius), rest);
        let mut earliest = standing.map_or(rest, |(time, _)| time);
        let mut moved = None;
        if !parts.is_empty() {
            let now = f64::from(self.start) + self.t;
            let first = moving.first_touch(parts, way, f64::from(self.radius), [now, now + earliest]);
            let first = first.map(|(time, part)| (time - now, part));
            if let Some((time, part)) = first.filter(|&(time, _)| standing.is_none() || time < earliest) {
                (earliest, moved) = (time, Some(Touched::Moving(part)));
            }
        }
        if !movers.is_empty() {
            let first = Movers::first_met(movers, self.t, way, f64::from(self.radius), rest);
            let is_alone = standing.is_none() && moved.is_none();
            if let Some((time, mover)) = first.filter(|&(time, _)| is_alone || time <= earliest) {
                (earliest, moved) = (time, Some(Touched::Disc(mover)));
            }
        }
        let is_free = standing.is_none() && moved.is_none();
        let end = self.at + self.flight.velocity * earliest;
        let seen = if self.bounces == 0 && is_free { to } else { end.as_vec2() };
        self.through |= pieces
            .iter()
            .any(|piece| matches!(piece, Piece::Wall(wall) if crosses(&fixed.walls[*wall as usize], self.last, seen)));
        (self.at, self.last, self.t) = (end, seen, self.t + earliest);
        let surface = |(_, piece)| {
            let way = [self.at, self.flight.velocity];
            Touched::Standing(Surface::of_standing(piece, fixed, way, f64::from(self.radius), self.h))
        };
        moved.or_else(|| standing.map(surface))
    }

    /// Bounces off a contact; returns the hit, if it was one. Breaks if there is nothing to bounce off. `spinning` is
    /// its curved path, if it spins on the table.
    pub(super) fn bounce_off(
        &mut self,
        touched: Touched,
        around: &Around,
        table: Option<&TablePhysics>,
        spinning: Option<&mut Trajectory>,
    ) -> ControlFlow<(), Option<Hit>> {
        let Some(surface) = self.surface(touched, around) else { return ControlFlow::Break(()) };
        self.hit_by_kinematic |= matches!(touched, Touched::Disc(_));
        ControlFlow::Continue(match (table, spinning) {
            (Some(table), Some(trajectory)) => self.bounce_on_table(&surface, around, table, trajectory),
            _ => self.bounce(&surface, around),
        })
    }

    /// The contact as a target, if contact hooks drop it.
    pub(super) fn dropped(&self, touched: Touched, around: &Around) -> Option<HitTarget> {
        let Around { discs, answers, .. } = around;
        let surface = self.surface(touched, around)?;
        let target = surface.target.with_entity(&discs.entity);
        let entity = discs.entity[self.disc as usize];
        let meet = answers.meet(entity, target, || surface.encounter(self.true_velocity()));
        (!meet).then_some(target)
    }

    /// The surface of a contact.
    pub(super) fn surface(&self, touched: Touched, around: &Around) -> Option<Surface> {
        let (way, radius) = ([self.at, self.flight.velocity], f64::from(self.radius));
        match touched {
            Touched::Standing(surface) => Some(surface),
            Touched::Moving(part) => around.moving.surface(part, way, f64::from(self.start) + self.t),
            Touched::Disc(mover) => {
                let restitution = around.discs.restitution[mover.disc as usize];
                let normal = self.normal_to(&mover, around.discs);
                Some(Surface::of_disc(mover.disc, self.at, radius, normal, mover.velocity, restitution))
            }
        }
    }

    /// Moves along with moving terrain for the rest of the substep, if the bounces would not end and no static terrain
    /// is in the way; returns whether any carries it.
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

    /// Bounces off what it touches; returns the hit, if it was one.
    fn bounce(&mut self, surface: &Surface, around: &Around) -> Option<Hit> {
        let Around { discs, settings, answers, .. } = *around;
        let i = self.disc as usize;
        let velocity = self.true_velocity();
        let answer = answers.at_surface(settings, None, discs.side(i), surface, &discs.entity, velocity);
        let restitution = |approach: f64| answer.restitution_at(approach, settings.resting_speed);
        let SurfaceBounce { before, hit, is_damped, is_driven } =
            self.flight.bounce_off(surface, &answer, [self.t, self.h], restitution);
        self.damped |= is_damped;
        self.driven |= is_driven;
        self.held |= self.flight.acceleration != self.flight.gravity;
        let Bounce { approach, e } = hit?;
        let is_rounding =
            self.flight.gravity != DVec2::ZERO && approach <= rounding_speed(self.at, f64::from(self.radius), self.h);
        let is_hit = approach as f32 >= settings.resting_speed && !is_rounding && approach >= surface.slowest_hit();
        let impulse = (1.0 + e) * approach * f64::from(discs.mass[i]);
        is_hit.then(|| {
            let hit = surface.hit(self.disc, before, [approach, impulse], self.start + self.t as f32);
            hit.with_velocity(self.disc, [velocity, self.true_velocity()])
        })
    }

    /// Its true velocity at its current position, m/s.
    fn true_velocity(&self) -> DVec2 {
        self.flight.velocity + self.flight.acceleration * (self.t - 0.5 * self.h)
    }

    /// The unit vector to a kinematic disc that it touches.
    fn normal_to(&self, mover: &Mover, discs: &Discs) -> DVec2 {
        let line = mover.at(self.t) - self.at;
        let distance = line.length_squared().sqrt();
        if distance > 0.0 {
            line / distance
        } else {
            arbitrary_normal(discs.id[self.disc as usize], discs.id[mover.disc as usize]).as_dvec2()
        }
    }

    /// Stops where it would get farther than `most` metres from its start, after something has made it faster.
    pub(super) fn stay_within(&mut self, most: f64) {
        let (left, speed) = (most - self.at.distance(self.from.as_dvec2()), self.flight.velocity.length());
        if speed * (self.h - self.t) > left {
            self.h = self.t + left.max(0.0) / speed;
        }
    }

    /// Stops for the rest of the substep. A disc that a kinematic one presses without room keeps its initial velocity.
    pub(super) fn give_up(&mut self) {
        self.squeezed = self.hit_by_kinematic;
    }

    /// Puts the disc at the end of its path, with its velocity there.
    pub(super) fn arrive(self, discs: &mut Discs) -> Flown {
        let i = self.disc as usize;
        if self.through {
            discs.position[i] = self.from;
        } else if self.bounces > 0 {
            // The path around an end or a corner was not straight; later steps start from the current position.
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
