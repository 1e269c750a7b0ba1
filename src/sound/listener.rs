//! Selects the audible hits of a tick: the loudest, each at its time and place, every landing on the cloth, and every
//! fall into a pocket.

use bevy::prelude::*;

use super::{
    Hushed, Sound, SoundSettings,
    mixer::{Strike, VOICES},
    voice::Timbre,
};
use crate::{
    collision::{FallenDisc, Hit, HitTarget, LandedBall, PhysicsSpace, SimulationSystems, tick_schedule},
    components::Terrain,
    motion::MotionSettings,
    timeline::ticked,
};

/// The most hits of a tick to play: half of the voices, so that those of the previous tick can end.
const MAX: usize = VOICES / 2;

/// The slowest audible hit, m/s.
const SLOWEST: f32 = 0.02;

/// The number of ticks of gravity below whose speed a hit counts as resting contact. The weight of a resting disc
/// causes such a hit in every tick.
const RESTING_TICKS: f32 = 3.0;

/// The landing speed of an almost motionless disc in a pocket, m/s: after a fall of 5 cm.
const LANDING: f32 = 1.0;

/// The delay between entering a pocket and landing, seconds of simulated time.
const FALLING: f32 = 0.1;

/// The stereo position of a hit at the edge of the view, from 0 to 1.
const WIDTH: f32 = 0.7;

/// The position of the ears. Hits to its right and left are heard from there. With drawing it follows the camera.
/// Otherwise all sounds are in the middle, unless a game sets it.
#[derive(Resource, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Resource, Default, Debug, PartialEq)]
pub struct Listener {
    /// Its position, metres.
    pub position: Vec2,
    /// The distance to the sides of the view, metres. Hits there are heard from the side. At 0 all sounds are in the
    /// middle.
    pub reach: f32,
    /// The world direction of its right, length 1. Default: along x.
    pub right: Vec2,
}

impl Default for Listener {
    fn default() -> Self {
        Self { position: Vec2::ZERO, reach: 0.0, right: Vec2::X }
    }
}

impl Listener {
    /// The stereo position of a point of the world, from -1 to 1.
    fn pan(&self, point: Vec2) -> f32 {
        if !(self.reach > 0.0) {
            return 0.0;
        }
        WIDTH * ((point - self.position).dot(self.right) / self.reach).clamp(-1.0, 1.0)
    }
}

/// Makes the listener follow the main view.
#[cfg(feature = "view")]
fn follow_view(views: crate::view::Views, mut listener: ResMut<Listener>) {
    let Some(view) = views.get(None) else { return };
    let seen = Listener {
        position: view.to_world(view.area.center()),
        reach: view.px(0.5 * view.area.width()),
        right: view.in_world(Vec2::X),
    };
    listener.set_if_neq(seen);
}

/// The time covered by this frame's earlier ticks, real seconds.
#[derive(Resource, Debug, Default)]
struct Passed(f32);

pub(super) fn plugin(app: &mut App) {
    let schedule = tick_schedule(app);
    #[cfg(feature = "view")]
    app.add_systems(First, follow_view);
    app.init_resource::<Passed>()
        .init_resource::<Listener>()
        .register_type::<Listener>()
        .add_systems(First, |mut passed: ResMut<Passed>| passed.0 = 0.0)
        .add_systems(schedule, send_hits.after(SimulationSystems).run_if(ticked));
}

/// Sends the audible hits of the tick to the mixer.
fn send_hits(
    (space, mut passed): (Res<PhysicsSpace>, ResMut<Passed>),
    (sound, settings, hushed): (Res<Sound>, Res<SoundSettings>, Res<Hushed>),
    (motion, clock, listener): (Res<MotionSettings>, Res<Time<Virtual>>, Res<Listener>),
    terrain: Query<&Terrain>,
) {
    let began = passed.0;
    let real = 1.0 / clock.relative_speed().max(0.01);
    passed.0 += space.clock.time_step * real;
    let Some(striker) = sound.striker().filter(|_| settings.hits && !hushed.0) else { return };
    let audible = SLOWEST.max(RESTING_TICKS * motion.gravity.length() * space.clock.time_step);
    for hit in loudest(&space.report.hits, audible) {
        let radius = |disc: u32| space.discs.radius.get(disc as usize).copied().unwrap_or(0.0);
        let is_bumper = |piece| matches!(terrain.get(piece), Ok(&Terrain::Circle { radius }) if radius > 0.0);
        let (timbre, radius) = match hit.target {
            HitTarget::Disc(other) => (Timbre::Click, radius(hit.disc).min(radius(other))),
            HitTarget::FixedCircle(piece) if is_bumper(piece) => (Timbre::Ping, radius(hit.disc)),
            HitTarget::Wall(_) | HitTarget::FixedCircle(_) => (Timbre::Thud, radius(hit.disc)),
        };
        let pan = listener.pan(hit.point);
        // The ticks of a frame run at once, but their sounds play one after another.
        let delay = began + hit.time * real;
        striker.strike(Strike { timbre, impulse: hit.impulse, radius, pan, delay });
    }
    for landed in space.report.landed.iter().take(MAX) {
        let LandedBall { disc, position, impulse, time } = *landed;
        let radius = space.discs.radius.get(disc as usize).copied().unwrap_or(0.0);
        let delay = began + time * real;
        striker.strike(Strike { timbre: Timbre::Knock, impulse, radius, pan: listener.pan(position), delay });
    }
    for fall in space.report.fallen.iter().take(MAX) {
        let Some(impulse) = landing(&space, fall) else { continue };
        let radius = space.discs.radius.get(fall.disc as usize).copied().unwrap_or(0.0);
        let delay = began + (fall.time + FALLING) * real;
        striker.strike(Strike { timbre: Timbre::Drop, impulse, radius, pan: listener.pan(fall.position), delay });
    }
}

/// The impulse of a disc that lands in its pocket, N s, from its speed and its fall.
fn landing(space: &PhysicsSpace, fall: &FallenDisc) -> Option<f32> {
    let mass = space.discs.mass.get(fall.disc as usize)?;
    Some(mass * fall.velocity.extend(LANDING).length())
}

/// The hits with the largest impulses among those faster than `audible`, in no particular order.
fn loudest(hits: &[Hit], audible: f32) -> Vec<Hit> {
    let mut kept: Vec<Hit> = Vec::with_capacity(MAX);
    let mut softest = 0;
    for hit in hits.iter().filter(|hit| hit.approach_speed >= audible) {
        if kept.len() < MAX {
            kept.push(*hit);
        } else if hit.impulse > kept[softest].impulse {
            kept[softest] = *hit;
        } else {
            continue;
        }
        softest = (0..kept.len()).min_by(|&a, &b| kept[a].impulse.total_cmp(&kept[b].impulse)).unwrap_or(0);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sound::{
        mixer::{Mixer, queue},
        output::Output,
    };

    fn hit(impulse: f32, approach_speed: f32) -> Hit {
        let (point, normal, relative_velocity) = (Vec2::ZERO, Vec2::X, Vec2::X * approach_speed);
        Hit {
            disc: 0,
            target: HitTarget::Disc(1),
            point,
            normal,
            approach_speed,
            relative_velocity,
            impulse,
            time: 0.0,
            velocity: crate::collision::VelocityChange::default(),
            other_velocity: None,
        }
    }

    #[test]
    fn of_many_hits_the_loudest_are_heard() {
        let hits: Vec<Hit> = (0..1000_u16).map(|n| hit(f32::from(n * 7 % 1000), 1.0)).collect();
        let mut impulses: Vec<f32> = loudest(&hits, 0.5).iter().map(|hit| hit.impulse).collect();
        impulses.sort_by(f32::total_cmp);
        let expected: Vec<f32> = (1000 - MAX as u16..1000).map(f32::from).collect();
        assert_eq!(impulses, expected);
    }

    #[test]
    fn a_faster_fall_is_louder_and_a_slow_one_is_heard_too() {
        let mut space = PhysicsSpace::default();
        space.discs.push(crate::collision::DiscState { mass: 0.17, ..Default::default() });
        let fall = |speed: f32| {
            let (position, velocity) = (Vec2::ZERO, Vec2::X * speed);
            landing(&space, &FallenDisc { disc: 0, pocket: None, position, velocity, time: 0.0 })
        };
        assert!((fall(0.0).unwrap() - 0.17).abs() < 1e-6);
        assert!(fall(4.0).unwrap() > 4.0 * fall(0.0).unwrap());
    }

    #[test]
    fn what_is_seen_on_the_right_is_heard_from_the_right() {
        let listener = Listener { position: Vec2::X, reach: 2.0, ..default() };
        assert_eq!(listener.pan(Vec2::new(1.0, 9.0)), 0.0);
        assert_eq!([listener.pan(Vec2::X * 3.0), listener.pan(Vec2::X * -9.0)], [WIDTH, -WIDTH]);
        assert_eq!(Listener::default().pan(Vec2::X), 0.0, "nobody said where");
        // In a view turned by a quarter, the bottom of the world is on the right.
        let turned = Listener { right: Vec2::NEG_Y, ..listener };
        assert_eq!([turned.pan(Vec2::new(9.0, -3.0)), turned.pan(Vec2::Y * 3.0)], [WIDTH, -WIDTH]);
    }

    #[test]
    fn a_game_with_its_own_sounds_of_hits_turns_only_ours_off() {
        let is_heard = |hits: bool| heard(hits, |report| report.hits.push(hit(1.0, 1.0)));
        assert_eq!([true, false].map(is_heard), [true, false]);
    }

    #[test]
    fn a_landing_is_heard() {
        let land = |impulse: f32| {
            heard(true, |report| {
                report.landed.push(LandedBall { disc: 0, position: Vec2::ZERO, impulse, time: 0.0 });
            })
        };
        assert_eq!([0.2, 0.0].map(land), [true, false]);
    }

    /// Whether a tick with this report is heard.
    fn heard(hits: bool, fill: impl Fn(&mut crate::collision::Report)) -> bool {
        let ((striker, inbox), (_, unused)) = (queue(), queue());
        let mut mixer = Mixer::new(48_000, inbox);
        let mut world = World::new();
        world.insert_resource(SoundSettings { hits, ..default() });
        world.insert_resource(Sound { playing: Some((striker, Output::open("carom", unused))) });
        let discs = (0..2).map(|id| crate::collision::DiscState { id, ..default() }).collect();
        let mut space = PhysicsSpace { discs, ..default() };
        fill(&mut space.report);
        world.insert_resource(space);
        world.init_resource::<Passed>();
        world.init_resource::<Hushed>();
        world.init_resource::<MotionSettings>();
        world.init_resource::<Time<Virtual>>();
        world.init_resource::<Listener>();
        world.run_system_cached(send_hits).unwrap();
        let mut samples = vec![0.0; 9600];
        mixer.fill(&mut samples);
        samples.iter().any(|&sample| sample != 0.0)
    }

    #[test]
    fn discs_at_rest_are_silent() {
        assert!(loudest(&[hit(5.0, 0.1)], 0.2).is_empty());
        assert_eq!(loudest(&[hit(5.0, 0.3)], 0.2).len(), 1);
    }
}
