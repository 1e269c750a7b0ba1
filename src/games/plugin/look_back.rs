//! Replays a shot of the match. The table shows the layout before the shot, and the shot plays from any moment at any
//! speed. The match is held meanwhile; afterwards its state is bit-identical to before.
//!
//! The replay is a [`Film`], which the simulator computes for one shot at a time, so that long matches take no more
//! memory. Bevy's virtual clock is paused meanwhile, and the ticks with it.

use bevy::{ecs::entity_disabling::Disabled, prelude::*};

use super::table::{self, Things};
use crate::{
    components::{Height, InPocket, OffTable, Orientation, Position},
    games::{rules::Layout, simulator::Film},
};

/// A command to a replay.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Look {
    /// Replay this shot of [`Match::shots`](crate::games::Match::shots), from 0, from its start.
    Shot(usize),
    /// Jump to this time, seconds after the stroke.
    Seek(f32),
    /// Play or pause.
    Play(bool),
    /// Play at this fraction of the original speed, more than 0.
    Speed(f32),
    /// Return to the match.
    Present,
}

/// The replay of a shot.
#[derive(Debug)]
pub struct LookBack {
    shot: usize,
    film: Film,
    time: f32,
    plays: bool,
    speed: f32,
}

/// A visible moment of a shot.
#[derive(Debug)]
pub(super) struct Moment {
    layout: Layout,
    /// The rotation of each ball since the stroke.
    turns: Vec<Quat>,
    /// The height of each ball above the cloth, metres.
    heights: Vec<f32>,
}

/// The state to restore after a replay.
#[derive(Clone, Debug)]
pub(super) struct Snapshot {
    balls: Vec<BallSnapshot>,
    /// Whether the clock was already paused.
    clock_stood: bool,
}

/// The state of a ball in the held match.
#[derive(Clone, Copy, Debug, Default)]
struct BallSnapshot {
    position: Option<Position>,
    pocket: Option<InPocket>,
    off_table: Option<OffTable>,
    is_aside: bool,
    orientation: Option<Orientation>,
    height: Option<Height>,
}

impl LookBack {
    /// The initial speed of a replay, as a fraction of the original speed.
    pub const SPEED: f32 = 0.25;

    /// The shot, from 0.
    #[must_use]
    pub fn shot(&self) -> usize {
        self.shot
    }

    /// The film of the shot.
    #[must_use]
    pub fn film(&self) -> &Film {
        &self.film
    }

    /// The moment shown, seconds after the stroke.
    #[must_use]
    pub fn time(&self) -> f32 {
        self.time
    }

    /// Whether the replay is playing.
    #[must_use]
    pub fn is_playing(&self) -> bool {
        self.plays
    }

    /// The fraction of the original speed.
    #[must_use]
    pub fn speed(&self) -> f32 {
        self.speed
    }

    /// A replay from the start of a shot.
    pub(super) fn new(shot: usize, film: Film, speed: f32) -> Self {
        Self { shot, film, time: 0.0, plays: true, speed }
    }

    /// Carries out a command.
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

    /// Advances by `seconds` of real time.
    pub(super) fn advance(&mut self, seconds: f32) {
        if self.plays {
            self.time = (self.time + seconds * self.speed).min(self.film.seconds());
            self.plays = self.time < self.film.seconds();
        }
    }

    /// The moment shown.
    pub(super) fn moment(&self) -> Moment {
        let layout = self.film.layout(self.time);
        let turns = layout.balls().map(|ball| self.film.turn(ball, self.time)).collect();
        let heights = layout.balls().map(|ball| self.film.height(ball, self.time)).collect();
        Moment { layout, turns, heights }
    }
}

/// Puts a ball at a height, or on the cloth.
fn raise(disc: &mut EntityWorldMut, height: Option<Height>) {
    match height {
        Some(height) => _ = disc.insert(height),
        None if disc.contains::<Height>() => _ = disc.remove::<Height>(),
        None => {}
    }
}

impl BallSnapshot {
    fn of(world: &World, ball: Entity) -> Self {
        let Ok(disc) = world.get_entity(ball) else { return Self::default() };
        Self {
            position: disc.get().copied(),
            pocket: disc.get().copied(),
            off_table: disc.get().copied(),
            is_aside: disc.contains::<Disabled>(),
            orientation: disc.get().copied(),
            height: disc.get().copied(),
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
        raise(&mut disc, self.height);
        match self.pocket {
            Some(pocket) if disc.get() != Some(&pocket) => _ = disc.insert(pocket),
            Some(_) => {}
            None => _ = disc.remove::<InPocket>(),
        }
        match self.off_table {
            Some(off) => _ = disc.insert_if_new(off),
            None => _ = disc.remove::<OffTable>(),
        }
        if self.is_aside {
            disc.insert(Disabled);
        } else {
            disc.remove::<Disabled>();
        }
    }
}

impl Snapshot {
    /// Captures the current state and pauses the clock of the ticks.
    pub(super) fn of(world: &mut World, things: &Things) -> Self {
        let balls = things.balls.iter().map(|&ball| BallSnapshot::of(world, ball)).collect();
        Self { balls, clock_stood: stop_clock(world) }
    }

    /// Shows a moment of the replay.
    pub(super) fn show(&self, world: &mut World, things: &Things, Moment { layout, turns, heights }: &Moment) {
        // Another system may have restarted it.
        stop_clock(world);
        table::lay_out(world, things, layout);
        for (&entity, &height) in things.balls.iter().zip(heights) {
            if let Ok(mut disc) = world.get_entity_mut(entity) {
                raise(&mut disc, (height > 0.0).then_some(Height { height, speed: 0.0 }));
            }
        }
        for ((snapshot, &entity), &turned) in self.balls.iter().zip(&things.balls).zip(turns) {
            if let Some(Orientation { turn, .. }) = snapshot.orientation
                && let Some(mut orientation) = world.get_mut::<Orientation>(entity)
            {
                orientation.turn = turned * turn;
            }
        }
    }

    /// Returns to the held match.
    pub(super) fn put_back(self, world: &mut World, things: &Things) {
        self.let_clock_go_on(world);
        for (snapshot, &ball) in self.balls.into_iter().zip(&things.balls) {
            snapshot.put_back(world, ball);
        }
    }

    /// Restarts the clock, for callers that place the balls themselves.
    pub(super) fn let_clock_go_on(&self, world: &mut World) {
        if !self.clock_stood
            && let Some(mut clock) = world.get_resource_mut::<Time<Virtual>>()
        {
            clock.unpause();
        }
    }
}

/// Pauses the clock of the ticks and returns whether it was already paused.
fn stop_clock(world: &mut World) -> bool {
    let Some(mut clock) = world.get_resource_mut::<Time<Virtual>>() else { return true };
    let stood = clock.is_paused();
    clock.pause();
    stood
}
