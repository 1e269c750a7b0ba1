//! Periodic motion of terrain and kinematic discs: [`Orbit`], [`Oscillation`], and the part that they share.

use bevy::{
    ecs::{lifecycle::HookContext, world::DeferredWorld},
    prelude::*,
};
use serde::{Deserialize, Serialize};

use super::{
    Kinematic, LIMIT, MoveTo, Position, Terrain,
    description::{Described, Description, EntityKinds},
    frame::Frame,
    invalid::InvalidValue,
};
use crate::notice::mark;

const LEADS: &str = "it moves terrain and kinematic discs; add Kinematic, or take it off";

/// Moves a piece of terrain or a [`Kinematic`](super::Kinematic) disc around a circle.
///
/// At the end of each tick it is at `centre + radius (cos 2π phase, sin 2π phase)`, exactly on the circle. The phase
/// advances by `frequency` times the length of the tick. Within a tick it moves evenly along the chord, as with
/// [`MoveTo`]. It does not turn; add an [`AngularVelocity`](super::AngularVelocity) to terrain for that. Predictions
/// include the motion.
///
/// An entity that is spawned without a [`Position`] starts on the circle. One that starts elsewhere is on the circle at
/// the end of its first tick.
///
/// A [`MoveTo`] on the same entity overrides it, and it overrides an [`Oscillation`].
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::prelude::*;
/// fn spawn(mut commands: Commands) {
///     // Six pegs on one circle, once around in four seconds.
///     for k in 0..6_u8 {
///         let orbit = Orbit { radius: 1.5, frequency: 0.25, phase: f64::from(k) / 6.0, ..default() };
///         commands.spawn((Terrain::Circle { radius: 0.1 }, orbit));
///     }
/// }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[type_path = "carom::components"]
#[reflect(Component, Default, Debug, PartialEq)]
#[component(on_add = fill_position::<Self>)]
#[serde(default, deny_unknown_fields)]
pub struct Orbit {
    /// The centre of the circle, metres. Default: zero.
    pub centre: Vec2,
    /// The radius of the circle, metres; zero or more. Default: 0.
    pub radius: f32,
    /// Turns per second, hertz: counter-clockwise, or clockwise if negative. Default: 0.
    pub frequency: f32,
    /// The position on the circle, in turns counter-clockwise from the x axis: 0 is to the right of the centre, 0.25
    /// above it. Default: 0.
    pub phase: f64,
}

impl Described for Orbit {
    const DESCRIPTION: Description = Description::new(mark("orbit"))
        .in_field("orbit")
        .offered(mark("Orbit"), mark("Moves around a circle, with a radius and a frequency"), "")
        .on(EntityKinds::DRIVEN, LEADS)
        .rejecting(EntityKinds::TERRAIN);

    fn first(entity: EntityRef, is_terrain: bool) -> Option<Self> {
        let position = entity.get::<Position>().map_or(Vec2::ZERO, |position| position.0);
        // It starts at its current position.
        let radius = 0.5;
        let is_kinematic = entity.contains::<Kinematic>();
        (is_terrain || is_kinematic).then_some(Self {
            centre: position - vec2(radius, 0.0),
            radius,
            frequency: 0.25,
            phase: 0.0,
        })
    }

    fn check(&self) -> Result<(), InvalidValue> {
        let Self { centre, radius, frequency, phase } = *self;
        InvalidValue::check_coordinates("centre", centre)?;
        InvalidValue::check_range("radius", radius, 0.0..=LIMIT, "m")?;
        check_course(frequency, phase)
    }

    fn put_at(&mut self, frame: Frame) {
        self.centre = frame.place(self.centre);
        if frame.angle != 0.0 {
            let turns = f64::from(frame.angle) / std::f64::consts::TAU;
            self.phase = wrapped(self.phase + turns);
        }
    }
}

impl Orbit {
    /// The current position of the entity, metres.
    #[must_use]
    pub fn place(&self) -> Vec2 {
        PeriodicMotion::from(*self).place()
    }

    /// The orbit after this many seconds.
    #[must_use]
    pub fn after(self, seconds: f64) -> Self {
        Self { phase: PeriodicMotion::from(self).after(seconds).phase, ..self }
    }
}

/// Swings a piece of terrain or a [`Kinematic`](super::Kinematic) disc to and fro.
///
/// At the end of each tick it is at `centre + amplitude cos(2π phase)`. The phase advances by `frequency` times the
/// length of the tick. Within a tick it moves evenly, as with [`MoveTo`]. This component holds the whole state of the
/// motion, so predictions know it, and a saved copy continues in the same way.
///
/// An entity that is spawned without a [`Position`] starts on the path. One that starts elsewhere is on it when its
/// first tick ends.
///
/// A [`MoveTo`] or an [`Orbit`] on the same entity overrides it.
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::prelude::*;
/// fn spawn(mut commands: Commands) {
///     let swing = Oscillation { amplitude: vec2(0.5, 0.0), frequency: 2.0, ..default() };
///     commands.spawn((Terrain::Block { half_size: vec2(0.1, 1.0) }, swing));
/// }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[type_path = "carom::components"]
#[reflect(Component, Default, Debug, PartialEq)]
#[component(on_add = fill_position::<Self>)]
#[serde(default, deny_unknown_fields)]
pub struct Oscillation {
    /// The middle of the path, metres. Default: zero.
    pub centre: Vec2,
    /// From there to one end of the way, metres. Default: zero, and the entity stays there.
    pub amplitude: Vec2,
    /// The frequency in hertz. Default: 0.
    pub frequency: f32,
    /// The phase in turns: 0 at the end that the amplitude points to, 0.5 at the other end. Default: 0.
    pub phase: f64,
}

impl Described for Oscillation {
    const DESCRIPTION: Description = Description::new(mark("swing"))
        .in_field("oscillation")
        .offered(mark("Swing"), mark("Oscillates about a centre, with an amplitude and a frequency"), "")
        .on(EntityKinds::DRIVEN, LEADS)
        .rejecting(EntityKinds::TERRAIN);

    fn first(entity: EntityRef, is_terrain: bool) -> Option<Self> {
        let centre = entity.get::<Position>().map_or(Vec2::ZERO, |position| position.0);
        // It starts in the middle, which is its current position.
        let is_kinematic = entity.contains::<Kinematic>();
        (is_terrain || is_kinematic).then_some(Self { centre, amplitude: vec2(0.5, 0.0), frequency: 0.5, phase: 0.75 })
    }

    fn check(&self) -> Result<(), InvalidValue> {
        let Self { centre, amplitude, frequency, phase } = *self;
        InvalidValue::check_coordinates("centre", centre)?;
        InvalidValue::check_coordinates("amplitude", amplitude)?;
        check_course(frequency, phase)
    }

    fn put_at(&mut self, frame: Frame) {
        self.centre = frame.place(self.centre);
        self.amplitude = frame.turn(self.amplitude);
    }
}

impl Oscillation {
    /// The current position of the piece, metres.
    #[must_use]
    pub fn place(&self) -> Vec2 {
        PeriodicMotion::from(*self).place()
    }

    /// The state after this many seconds.
    #[must_use]
    pub fn after(self, seconds: f64) -> Self {
        Self { phase: PeriodicMotion::from(self).after(seconds).phase, ..self }
    }
}

impl From<Oscillation> for PeriodicMotion {
    fn from(Oscillation { centre, amplitude, frequency, phase }: Oscillation) -> Self {
        Self { centre, cosine: amplitude, sine: Vec2::ZERO, frequency, phase }
    }
}

/// Puts an entity that is spawned with this motion where the motion begins, if its position was left out. An entity
/// that exists already stays where it is.
fn fill_position<M: Component>(mut world: DeferredWorld, context: HookContext) {
    let entity = world.entity(context.entity);
    let is_spawned_with_it = entity.get_change_ticks::<Position>().map(|ticks| ticks.added)
        == entity.get_change_ticks::<M>().map(|ticks| ticks.added);
    let is_led = (entity.contains::<Terrain>() || entity.contains::<Kinematic>()) && !entity.contains::<MoveTo>();
    let Some(motion) = PeriodicMotion::of(entity.get(), entity.get()) else { return };
    let place = motion.place();
    if is_spawned_with_it
        && is_led
        && place.is_finite()
        && let Some(mut position) = world.get_mut::<Position>(context.entity)
        && *position == Position::default()
    {
        position.0 = place;
    }
}

/// Checks the frequency and the phase of a periodic motion.
fn check_course(frequency: f32, phase: f64) -> Result<(), InvalidValue> {
    InvalidValue::check_range("frequency", frequency, -LIMIT..=LIMIT, "Hz")?;
    let limit = f64::from(LIMIT);
    InvalidValue::check_range("phase", phase, -limit..=limit, "turns")
}

/// A periodic motion: the position is `centre + cosine cos(2π phase) + sine sin(2π phase)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PeriodicMotion {
    /// Metres.
    pub centre: Vec2,
    /// Metres.
    pub cosine: Vec2,
    /// Metres.
    pub sine: Vec2,
    /// Hertz.
    pub frequency: f32,
    /// Turns.
    pub phase: f64,
}

impl From<Orbit> for PeriodicMotion {
    fn from(Orbit { centre, radius, frequency, phase }: Orbit) -> Self {
        Self { centre, cosine: vec2(radius, 0.0), sine: vec2(0.0, radius), frequency, phase }
    }
}

impl PeriodicMotion {
    /// The periodic motion of an entity with these components. An orbit overrides an oscillation.
    pub fn of(oscillation: Option<&Oscillation>, orbit: Option<&Orbit>) -> Option<Self> {
        orbit.copied().map(Self::from).or_else(|| oscillation.copied().map(Self::from))
    }

    /// The current position, metres.
    pub fn place(&self) -> Vec2 {
        let angle = std::f64::consts::TAU * self.phase;
        let (cosine, sine) = (self.cosine.as_dvec2() * libm::cos(angle), self.sine.as_dvec2() * libm::sin(angle));
        (self.centre.as_dvec2() + cosine + sine).as_vec2()
    }

    /// The same motion after this many seconds.
    pub fn after(self, seconds: f64) -> Self {
        Self { phase: wrapped(self.phase + f64::from(self.frequency) * seconds), ..self }
    }
}

/// The same phase from 0 to below 1, in turns.
fn wrapped(phase: f64) -> f64 {
    phase - phase.floor()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::components::Disc;

    #[test]
    fn a_quarter_of_the_period_is_a_quarter_of_the_circle() {
        let orbit = Orbit { centre: vec2(1.0, 2.0), radius: 2.0, frequency: 0.5, phase: 0.0 };
        let places = [0.0, 0.5, 1.0, 1.5].map(|seconds| orbit.after(seconds).place());
        let expected = [vec2(3.0, 2.0), vec2(1.0, 4.0), vec2(-1.0, 2.0), vec2(1.0, 0.0)];
        for (place, expected) in places.into_iter().zip(expected) {
            assert!(place.distance(expected) < 1e-6, "{place}, {expected}");
        }
        let clockwise = Orbit { frequency: -0.5, ..orbit };
        assert!(clockwise.after(0.5).place().distance(vec2(1.0, 0.0)) < 1e-6);
    }

    #[test]
    fn a_slow_motion_in_short_ticks_keeps_time() {
        for frequency in [2e-4, -1e-3, 1.0 / 3.0, 7.0] {
            let mut orbit = Orbit { frequency, phase: 0.3, ..default() };
            for _ in 0..1_000_000 {
                orbit = orbit.after(1e-4);
            }
            let turned = 0.3 + f64::from(frequency) * 100.0;
            let off = (orbit.phase - turned + 0.5).rem_euclid(1.0) - 0.5;
            assert!(off.abs() < 1e-9, "{frequency} Hz is off by {off} turns");
        }
    }

    #[test]
    fn an_entity_spawned_without_a_position_starts_on_its_path() {
        let orbit = Orbit { centre: vec2(1.0, 2.0), radius: 2.0, frequency: 0.5, phase: 0.3 };
        let swing = Oscillation { centre: vec2(3.0, 0.0), amplitude: Vec2::Y, frequency: 1.0, phase: 0.1 };
        let peg = Terrain::Circle { radius: 0.1 };
        let mut world = World::new();
        let start = |entity: EntityWorldMut| entity.get::<Position>().map(|position| position.0);
        assert_eq!(start(world.spawn((peg.clone(), orbit))), Some(orbit.place()));
        assert_eq!(start(world.spawn((swing, peg.clone()))), Some(swing.place()), "in any order");
        assert_eq!(start(world.spawn((Disc, Kinematic, swing))), Some(swing.place()));
        assert_eq!(start(world.spawn((peg.clone(), swing, orbit))), Some(orbit.place()), "it overrides the swing");
        let elsewhere = Position(vec2(5.0, 5.0));
        assert_eq!(start(world.spawn((peg.clone(), orbit, elsewhere))), Some(elsewhere.0));
        assert_eq!(start(world.spawn((peg.clone(), orbit, MoveTo(Vec2::X)))), Some(Vec2::ZERO), "the target counts");
        assert_eq!(start(world.spawn((Disc, orbit))), Some(Vec2::ZERO), "hits move it");
        let piece = world.spawn(peg).id();
        world.increment_change_tick();
        world.entity_mut(piece).insert(orbit);
        assert_eq!(world.get(piece), Some(&Position(Vec2::ZERO)), "it goes there with the next tick");
    }

    #[test]
    fn a_turned_frame_turns_the_place_on_the_circle() {
        let frame = Frame { origin: vec2(5.0, -1.0), angle: 1.1 };
        let orbit = Orbit { centre: vec2(1.0, 2.0), radius: 2.0, frequency: 0.5, phase: 0.9 };
        let mut put = orbit;
        put.put_at(frame);
        assert!(put.place().distance(frame.place(orbit.place())) < 1e-5);
        let later = frame.place(orbit.after(0.3).place());
        assert!(put.after(0.3).place().distance(later) < 1e-5, "and goes around the same way");
    }
}
