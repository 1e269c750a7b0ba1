//! A shot of the match is looked at again: the table is put to how it lay before it, and it plays from any moment at
//! any speed. Meanwhile the match is held; afterwards all is where it was, to the bit.
//!
//! What is seen is a [`Film`], which the simulator makes anew of each shot that is looked at: one at a time, so that
//! long matches take no more memory. Bevy's virtual clock stands meanwhile, and with it the ticks.

use bevy::{ecs::entity_disabling::Disabled, prelude::*};

use super::{CurrentMatch, Phase, table};
use crate::{
    components::{InPocket, Orientation, Position},
    games::{
        rules::{BallId, Refusal},
        simulator::Film,
    },
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
    /// What is to be put back, by ball.
    present: Vec<Present>,
    /// Whether the clock stood before.
    clock_stood: bool,
}

/// Where a ball is in the match that waits.
#[derive(Clone, Copy, Debug, Default)]
struct Present {
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
}

/// Does what is asked for.
///
/// # Errors
/// There is no such shot, or balls roll, or no shot is looked at.
pub(super) fn obey(world: &mut World, live: &mut CurrentMatch, look: Look) -> Result<(), Refusal> {
    if let Look::Shot(number) = look {
        return begin(world, live, number);
    }
    let Some(now) = &mut live.look_back else { return Err(Refusal::NothingLookedAt) };
    match look {
        Look::Seek(time) => now.time = time.clamp(0.0, now.film.seconds()),
        Look::Play(plays) => {
            now.plays = plays;
            if plays && now.time >= now.film.seconds() {
                now.time = 0.0;
            }
        }
        Look::Speed(speed) => now.speed = if speed > 0.0 && speed.is_finite() { speed } else { LookBack::SPEED },
        Look::Shot(_) => {}
        Look::Present => end(world, live),
    }
    Ok(())
}

fn begin(world: &mut World, live: &mut CurrentMatch, number: usize) -> Result<(), Refusal> {
    if matches!(live.phase, Phase::Rolling(_)) {
        return Err(Refusal::BallsRoll);
    }
    let shot = live.game.shots().get(number).cloned().ok_or(Refusal::NoSuchShot)?;
    let film = shot.film(&live.game);
    if let Some(now) = &mut live.look_back {
        (now.shot, now.film, now.time, now.plays) = (number, film, 0.0, true);
        return Ok(());
    }
    let present = live.things.balls.iter().map(|&ball| Present::of(world, ball)).collect();
    let clock_stood = stop_clock(world);
    let speed = LookBack::SPEED;
    let look_back = LookBack { shot: number, film, time: 0.0, plays: true, speed, present, clock_stood };
    live.look_back = Some(Box::new(look_back));
    Ok(())
}

impl Present {
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

/// Stops the clock of the ticks, and tells whether it stood already.
fn stop_clock(world: &mut World) -> bool {
    let Some(mut clock) = world.get_resource_mut::<Time<Virtual>>() else { return true };
    let stood = clock.is_paused();
    clock.pause();
    stood
}

/// Back to the present.
pub(super) fn end(world: &mut World, live: &mut CurrentMatch) {
    let Some(LookBack { present, .. }) = forget(world, live) else { return };
    for (present, &ball) in present.into_iter().zip(&live.things.balls) {
        present.put_back(world, ball);
    }
}

/// The same where the balls are put elsewhere anyway.
pub(super) fn forget(world: &mut World, live: &mut CurrentMatch) -> Option<LookBack> {
    let look_back = live.look_back.take()?;
    if !look_back.clock_stood
        && let Some(mut clock) = world.get_resource_mut::<Time<Virtual>>()
    {
        clock.unpause();
    }
    Some(*look_back)
}

/// Shows the moment, and goes on to the next.
pub(super) fn go_on(world: &mut World, live: &mut CurrentMatch) {
    let Some(mut now) = live.look_back.take() else { return };
    // Somebody may have let it go on.
    stop_clock(world);
    let layout = now.film.layout(now.time);
    table::lay_out(world, &live.things, &layout);
    for ((present, &entity), ball) in now.present.iter().zip(&live.things.balls).zip(0..) {
        if let Some(Orientation { turn, .. }) = present.orientation
            && let Some(mut orientation) = world.get_mut::<Orientation>(entity)
        {
            orientation.turn = now.film.turn(BallId(ball), now.time) * turn;
        }
    }
    if now.plays {
        let seconds = world.get_resource::<Time<Real>>().map_or(0.0, Time::delta_secs);
        now.time = (now.time + seconds * now.speed).min(now.film.seconds());
        now.plays = now.time < now.film.seconds();
    }
    live.look_back = Some(now);
}
