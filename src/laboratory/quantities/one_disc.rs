//! Single discs among fixed walls: dynamical billiards. Several discs are followed if they never hit each other.

use bevy::math::Vec2;

use crate::{
    collision::{Hit, HitTarget},
    laboratory::measurement::{Averages, Moment},
    notice::mark,
};

/// The largest number of discs that are followed.
const MOST: usize = 16;

/// The largest change of the square of the speed at a hit, as a share of it, that counts as rounding.
const LOSS: f32 = 2e-5;

/// What a disc does next in a tick.
pub(super) enum Event<'a> {
    /// It flies for some seconds, over some metres.
    Flight { seconds: f64, metres: f64 },
    /// It hits terrain.
    Hit(&'a Hit),
}

/// Checks that the discs of a scene are billiards, as far as the scene tells.
///
/// # Errors
/// Why they are not.
pub(super) fn check(moment: &Moment) -> Result<(), String> {
    let (space, discs) = (moment.space, &moment.space.discs);
    let reasons = [
        (discs.len() > MOST, mark("it needs a single disc, or at most 16 that do not collide with each other")),
        (
            moment.gas.settings().resting_speed > 0.0,
            mark("hits below the resting speed are not reported; set collision.resting_speed to 0"),
        ),
        (discs.velocity.contains(&Vec2::ZERO), mark("a disc is at rest")),
        (!space.moving.is_empty(), mark("terrain moves")),
        (!space.pockets.circles().is_empty(), mark("there are pockets")),
        (discs.spin.iter().any(Option::is_some), mark("some discs spin")),
        (!discs.kinematic.is_empty(), mark("some discs are kinematic")),
        (!space.joints.listed.is_empty(), mark("there are joints")),
        (!discs.constant_forces.is_empty() || !discs.own_motion.is_empty(), mark("some discs have their own forces")),
    ];
    reasons.into_iter().find(|(holds, _)| *holds).map_or(Ok(()), |(_, reason)| Err(reason.to_owned()))
}

/// Checks what only a run can tell.
///
/// # Errors
/// The discs hit each other, or hits change their speed.
pub(super) fn check_run(averages: &Averages, changes_speed: bool) -> Result<(), String> {
    if averages.disc_hits > 0.0 {
        return Err(mark("the discs hit each other; give them layers so that they do not collide").to_owned());
    }
    if changes_speed {
        return Err(mark("hits change the speed; set collision.terrain_restitution to 1").to_owned());
    }
    Ok(())
}

/// Whether a hit changes the speed of the disc.
pub(super) fn changes_speed(hit: &Hit) -> bool {
    let [before, after] = [hit.velocity.before, hit.velocity.after].map(Vec2::length_squared);
    (after - before).abs() > LOSS * before
}

/// Goes through the flights and hits of a disc in a tick, in order.
pub(super) fn follow(moment: &Moment, disc: usize, mut event: impl FnMut(Event)) {
    let mut now = 0.0;
    let mut velocity = moment.velocities_before[disc].as_dvec2();
    let hits = moment.space.report.hits.iter();
    for hit in hits.filter(|hit| hit.disc as usize == disc && !matches!(hit.target, HitTarget::Disc(_))) {
        let seconds = (f64::from(hit.time) - now).max(0.0);
        // With gravity, the speed changes on the way.
        let speed = 0.5 * (velocity.length() + hit.velocity.before.as_dvec2().length());
        event(Event::Flight { seconds, metres: speed * seconds });
        event(Event::Hit(hit));
        (now, velocity) = (now + seconds, hit.velocity.after.as_dvec2());
    }
    let seconds = (moment.time_step() - now).max(0.0);
    let speed = 0.5 * (velocity.length() + moment.space.discs.velocity[disc].as_dvec2().length());
    event(Event::Flight { seconds, metres: speed * seconds });
}
