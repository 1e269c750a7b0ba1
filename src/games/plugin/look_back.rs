//! A shot of the match is looked at again: the table is put to how it lay before it, and it plays from any moment at
//! any speed. Meanwhile the match is held; afterwards all is where it was, to the bit.
//!
//! What is seen is a [`Film`], which the simulator makes anew of each shot that is looked at: one at a time, so that
//! long matches take no more memory. Bevy's virtual clock stands meanwhile, and with it the ticks.

use bevy::{ecs::entity_disabling::Disabled, prelude::*};

use super::table::{self, Things};
use crate::{
    components::{InPocket, Orientation, Position},
    games::{rules::Layout, simulator::Film},
};

/// What is asked of a look at a shot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Look {
    /// This shot of [`Match::shots`](crate::games::Match::shots), from 0, from its beginning.
    Shot(usize),
    /// To so many seconds after the stroke.
    Seek(f32),
    /// It plays, or stands still.
    Play(bool),
    /// It plays at this share of the speed that it had, more than 0.
    Speed(f32),
    /// Back to the match.
    Present,
}

/// A shot that is looked at.
#[derive(Debug)]
pub struct LookBack {
    shot: usize,
    film: Film,
    time: f32,
    plays: bool,
    speed: f32,
}

/// A moment of a shot, as it is seen.
#[derive(Debug)]
pub(super) struct Moment {
    layout: Layout,
    /// How each ball has turned since the stroke.
    turns: Vec<Quat>,
}

/// What is to be put back after a shot was looked at.
#[derive(Clone, Debug)]
pub(super) struct Present {
    balls: Vec<PresentBall>,
    /// Whether the clock stood before.
    clock_stood: bool,
}

/// Where a ball is in the match that waits.
#[derive(Clone, Copy, Debug, Default)]
struct PresentBall {
    position: Option<Position>,
    pocket: Option<InPocket>,
    is_aside: bool,
    orientation: Option<Orientation>,
}

impl LookBack {
    /// The speed at which a shot is looked at first, as a share of that which it had.
    pub const SPEED: f32 = 0.25;

    /// Which shot it is, from 0.
    #[must_use]
    pub fn shot(&self) -> usize {
        self.shot
    }

    /// What it is seen by.
    #[must_use]
    pub fn film(&self) -> &Film {
        &self.film
    }

    /// The moment that is seen, seconds after the stroke.
    #[must_use]
    pub fn time(&self) -> f32 {
        self.time
    }

    /// Whether it plays on.
    #[must_use]
    pub fn is_playing(&self) -> bool {
        self.plays
    }

    /// At which share of the speed that it had.
    #[must_use]
    pub fn speed(&self) -> f32 {
        self.speed
    }

    /// A shot from its beginning.
    pub(super) fn new(shot: usize, film: Film, speed: f32) -> Self {
        Self { shot, film, time: 0.0, plays: true, speed }
    }

    /// Looks at another moment of the shot, or at another speed.
    pub(super) fn obey(&mut self, look: Look) {
        match look {
            Look::Seek(time) => self.time = time.clamp(0.0, self.film.seconds()),
            Look::Play(plays) => {
                self.plays = plays;
                if plays && self.time >= self.film.seconds() {
                    self.time = 0.0;
                }
            }
            Look::Speed(speed) => self.speed = if speed > 0.0 && speed.is_finite() { speed } else { Self::SPEED },
            Look::Shot(_) | Look::Present => {}
        }
    }

    /// Advances by so many seconds of the person who watches.
    pub(super) fn advance(&mut self, seconds: f32) {
        if self.plays {
            self.time = (self.time + seconds * self.speed).min(self.film.seconds());
            self.plays = self.time < self.film.seconds();
        }
    }

    /// The moment that is seen.
    pub(super) fn moment(&self) -> Moment {
        let layout = self.film.layout(self.time);
        let turns = layout.balls().map(|ball| self.film.turn(ball, self.time)).collect();
        Moment { layout, turns }
    }
}

impl PresentBall {
    fn of(world: &World, ball: Entity) -> Self {
        let Ok(disc) = world.get_entity(ball) else { return Self::default() };
        Self {
            position: disc.get().copied(),
            pocket: disc.get().copied(),
            is_aside: disc.contains::<Disabled>(),
            orientation: disc.get().copied(),
        }
    }

    fn put_back(self, world: &mut World, ball: Entity) {
        let Ok(mut disc) = world.get_entity_mut(ball) else { return };
        if let Some(position) = self.position {
            disc.insert(position);
        }
        if let Some(orientation) = self.orientation {
            disc.insert(orientation);
        }
        match self.pocket {
            Some(pocket) if disc.get() != Some(&pocket) => _ = disc.insert(pocket),
            Some(_) => {}
            None => _ = disc.remove::<InPocket>(),
        }
        if self.is_aside {
            disc.insert(Disabled);
        } else {
            disc.remove::<Disabled>();
        }
    }
}

impl Present {
    /// What is there now; the clock of the ticks stands from here on.
    pub(super) fn of(world: &mut World, things: &Things) -> Self {
        let balls = things.balls.iter().map(|&ball| PresentBall::of(world, ball)).collect();
        Self { balls, clock_stood: stop_clock(world) }
    }

    /// Shows a moment of a shot instead.
    pub(super) fn show(&self, world: &mut World, things: &Things, Moment { layout, turns }: &Moment) {
        // Something may have started it again.
        stop_clock(world);
        table::lay_out(world, things, layout);
        for ((present, &entity), &turned) in self.balls.iter().zip(&things.balls).zip(turns) {
            if let Some(Orientation { turn, .. }) = present.orientation
                && let Some(mut orientation) = world.get_mut::<Orientation>(entity)
            {
                orientation.turn = turned * turn;
            }
        }
    }

    /// Back to the present.
    pub(super) fn put_back(self, world: &mut World, things: &Things) {
        self.let_clock_go_on(world);
        for (present, &ball) in self.balls.into_iter().zip(&things.balls) {
            present.put_back(world, ball);
        }
    }

    /// The same where the balls are put elsewhere anyway.
    pub(super) fn let_clock_go_on(&self, world: &mut World) {
        if !self.clock_stood
            && let Some(mut clock) = world.get_resource_mut::<Time<Virtual>>()
        {
            clock.unpause();
        }
    }
}

/// Stops the clock of the ticks, and tells whether it stood already.
fn stop_clock(world: &mut World) -> bool {
    let Some(mut clock) = world.get_resource_mut::<Time<Virtual>>() else { return true };
    let stood = clock.is_paused();
    clock.pause();
    stood
}
