//! Screen shake in response to hard hits: short, damped, along the line of impact. It moves the whole view, so the
//! mouse still points at what is drawn under it.

use bevy::prelude::*;

use crate::{
    collision::{PhysicsSpace, SimulationSystems, tick_schedule},
    timeline::ticked,
    view::{
        LONGEST_FRAME, ViewSettings,
        camera::view2d::{Shake, View2d},
    },
};

/// The oscillation of the view: its angular frequency, rad/s, and its damping ratio.
const SWING: f32 = 55.0;
const DAMPING: f32 = 0.45;

/// The largest shake, logical pixels.
const LARGEST: f32 = 5.0;

/// Approach speeds, logical pixels per second: below the first a hit has no effect, and from the second on it has full
/// effect.
const FELT: [f32; 2] = [500.0, 2500.0];

/// The most discs for shaking. In larger crowds every single hit is small.
const MAX: usize = 300;

/// Responds to hits and animates the shake.
pub(crate) fn plugin(app: &mut App) {
    let schedule = tick_schedule(app);
    app.add_systems(schedule, feel.after(SimulationSystems).run_if(ticked));
}

fn feel(mut shaken: Query<(&View2d, &mut Shake)>, space: Res<PhysicsSpace>, settings: Res<ViewSettings>) {
    let discs = &space.discs;
    if !settings.shakes() || space.report.hits.is_empty() || discs.len() > MAX {
        return;
    }
    // Kinematic discs do not count, as the game moves them.
    let movers = (0..discs.len()).filter(|&i| !discs.is_kinematic(i));
    let all: f32 = movers.map(|i| discs.velocity[i].length() * discs.mass[i]).sum();
    for (view, mut shake) in &mut shaken {
        for hit in &space.report.hits {
            let seen = hit.approach_speed * view.pixels_per_metre;
            let felt = ((seen - FELT[0]) / (FELT[1] - FELT[0])).clamp(0.0, 1.0);
            // One of many moving discs shakes nothing.
            let share = (hit.impulse / all.max(f32::MIN_POSITIVE)).min(1.0);
            let push = hit.normal * (felt * share * LARGEST * SWING);
            if push.is_finite() {
                shake.speed = (shake.speed + push).clamp_length_max(LARGEST * SWING);
            }
        }
    }
}

/// Animates the shake in real time.
pub(crate) fn swing(
    mut shaken: Query<(&mut View2d, &mut Shake)>,
    settings: Res<ViewSettings>,
    time: Option<Res<Time<Real>>>,
) {
    let seconds = time.map_or(0.0, |time| time.delta_secs().min(LONGEST_FRAME));
    // In steps that are short compared with the oscillation, at any frame rate.
    let steps = (seconds / 0.002).ceil().max(1.0);
    let step = seconds / steps;
    for (mut view, mut shake) in &mut shaken {
        if *shake == Shake::default() {
            continue;
        }
        for _ in 0..steps as usize {
            let pull = shake.offset * SWING * SWING + shake.speed * (2.0 * DAMPING * SWING);
            shake.speed -= pull * step;
            let speed = shake.speed;
            shake.offset += speed * step;
        }
        let calm = shake.offset.length() < 0.05 && shake.speed.length() < 0.05 * SWING;
        if calm || !settings.shakes() {
            *shake = Shake::default();
        }
        view.shaken = shake.offset;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PhysicsPlugins, components::Disc, prelude::*, timeline::advance, view::MotionChoice};
    use core::time::Duration;

    fn largest_shake(speed: f32, settings: ViewSettings) -> (f32, f32) {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), plugin))
            .insert_resource(settings)
            .add_systems(PostUpdate, swing);
        let camera = app.world_mut().spawn(View2d::default()).id();
        let shaken = |app: &App| app.world().get::<View2d>(camera).unwrap().shaken.length();
        app.insert_resource(bevy::time::TimeUpdateStrategy::ManualDuration(Duration::ZERO));
        app.world_mut().spawn((Disc, Radius(1.0), Velocity(Vec2::X * speed)));
        app.world_mut().spawn((Disc, Radius(1.0), Position(Vec2::new(2.1, 0.0))));
        advance(app.world_mut(), 12);
        app.insert_resource(bevy::time::TimeUpdateStrategy::ManualDuration(Duration::from_millis(4)));
        let mut largest = 0.0_f32;
        for _ in 0..200 {
            app.world_mut().resource_mut::<crate::timeline::Playback>().paused = true;
            app.update();
            largest = largest.max(shaken(&app));
        }
        (largest, shaken(&app))
    }

    #[test]
    fn a_hard_hit_is_felt_for_a_moment_and_a_soft_one_is_not() {
        let (hard, end) = largest_shake(30.0, ViewSettings::default());
        assert!((1.0..LARGEST).contains(&hard) && end == 0.0, "{hard}, then {end}");
        assert_eq!(largest_shake(2.0, ViewSettings::default()).0, 0.0);
    }

    #[test]
    fn who_wants_less_motion_has_none() {
        for settings in [
            ViewSettings { shake: false, ..ViewSettings::default() },
            ViewSettings { motion: MotionChoice::Less, ..ViewSettings::default() },
        ] {
            assert_eq!(largest_shake(30.0, settings).0, 0.0);
        }
    }
}
