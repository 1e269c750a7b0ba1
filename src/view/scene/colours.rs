//! Colours of discs: their own look, or a measured property on a perceptually uniform colour map (viridis; Smith and
//! van der Walt 2015). Its steps look equal with all common kinds of colour vision.

use bevy::prelude::*;
use std::sync::LazyLock;

use crate::{
    collision::{
        HitTarget, PhysicsSpace, SimulationSystems,
        spin::{BallState, Motion},
        tick_schedule,
    },
    components::{AngularVelocity, Disc, Mass, Radius, StableId, Velocity},
    notice::mark,
    timeline::ticked,
    view::theme::Theme,
};

/// The property that colours discs.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColourBy {
    /// Their own look, or their number in the scene.
    #[default]
    Look,
    /// Speed, up to twice the root mean square of all.
    Speed,
    /// Kinetic energy, up to four times the mean.
    Energy,
    /// Hits in the last second, up to ten.
    Contacts,
    /// Mass, from the lightest to the heaviest, on a logarithmic scale.
    Mass,
    /// Age, up to a minute.
    Age,
    /// Number in the order of resolution.
    Id,
    /// Whether they slide, roll, spin in place or rest: see [`BallState`].
    State,
}

impl ColourBy {
    /// All values, with their displayed words.
    pub const ALL: [(Self, &str); 8] = [
        (Self::Look, mark("look")),
        (Self::Speed, mark("speed")),
        (Self::Energy, mark("kinetic energy")),
        (Self::Contacts, mark("contacts")),
        (Self::Mass, mark("mass")),
        (Self::Age, mark("age")),
        (Self::Id, mark("number")),
        (Self::State, mark("state")),
    ];
}

/// The states of balls on the cloth, with their displayed words.
pub const STATES: [(BallState, &str); 4] = [
    (BallState::Sliding, mark("sliding")),
    (BallState::Rolling, mark("rolling")),
    (BallState::Spinning, mark("spinning in place")),
    (BallState::Resting, mark("resting")),
];

/// The colour of a ball in this state. The four colours are distinguishable with any colour vision.
#[must_use]
pub fn state_colour(state: BallState, theme: &Theme) -> Srgba {
    theme.discs[match state {
        BallState::Sliding => 7,
        BallState::Rolling => 0,
        BallState::Spinning => 4,
        BallState::Resting => 6,
    }]
}

/// The state of a disc on the cloth. A disc without spin is smooth, and slides while it moves.
#[must_use]
pub fn state_of(velocity: Velocity, angular_velocity: Option<&AngularVelocity>, radius: Radius) -> BallState {
    let angular_velocity = angular_velocity.map_or(Vec3::ZERO, |spin| spin.0);
    let motion = Motion { velocity: velocity.as_dvec2(), angular_velocity: angular_velocity.as_dvec3(), vertical: 0.0 };
    BallState::of(&motion, f64::from(radius.0))
}

/// The visible history of a disc.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component)]
pub struct Trace {
    /// Recent hits. Each hit decays with time.
    pub hits: f32,
    /// The brightness of its flash after a hard hit, from 0 to 1.
    pub flash: f32,
    /// Its age, seconds of simulated time.
    pub age: f32,
}

/// The half-lives of hits and of flashes, seconds.
const HALF_LIVES: [f32; 2] = [0.7, 0.07];

/// Records the history of the discs.
pub(crate) fn plugin(app: &mut App) {
    let schedule = tick_schedule(app);
    app.register_type::<Trace>()
        .register_required_components::<Disc, Trace>()
        .add_systems(schedule, record.after(SimulationSystems).run_if(ticked));
}

/// A hit at this fraction of the highest recent approach speed flashes fully.
const HARD: f32 = 0.8;

/// The most discs for flashes. In larger crowds there are hits everywhere.
pub(crate) const MAX_FLASHING: usize = 300;

/// The most discs for recording hits. In larger crowds a single hit is invisible.
const MAX_HIT: usize = 20_000;

fn record(space: Res<PhysicsSpace>, mut traces: Query<&mut Trace>, mut hardest: Local<f32>) {
    let [fewer, darker] = HALF_LIVES.map(|half| bevy::math::ops::exp2(-space.clock.time_step / half));
    let count = space.discs.len();
    for mut trace in &mut traces {
        // Change detection is bypassed because no system uses it.
        let Trace { hits, flash, age } = trace.bypass_change_detection();
        *hits *= fewer;
        *flash *= darker;
        *age += space.clock.time_step;
    }
    *hardest *= bevy::math::ops::exp2(-space.clock.time_step / 4.0);
    if count > MAX_HIT {
        return;
    }
    for hit in &space.report.hits {
        *hardest = hardest.max(hit.approach_speed);
        let other = if let HitTarget::Disc(other) = hit.target { Some(other) } else { None };
        for disc in [Some(hit.disc), other].into_iter().flatten() {
            let Some(&entity) = space.discs.entity.get(disc as usize) else { continue };
            if let Ok(mut trace) = traces.get_mut(entity) {
                trace.hits += 1.0;
                if count <= MAX_FLASHING {
                    let share = hit.approach_speed / (HARD * *hardest);
                    trace.flash = trace.flash.max((share * share).min(1.0));
                }
            }
        }
    }
}

/// The map in 256 steps, as bytes red, green, blue, 255.
static MAP: LazyLock<[u32; 256]> = LazyLock::new(|| {
    std::array::from_fn(|step| {
        let colorous::Color { r, g, b } = colorous::VIRIDIS.eval_rational(step, 256);
        u32::from_le_bytes([r, g, b, 255])
    })
});

/// The colour at a position from 0 to 1 on the map, as bytes red, green, blue, 255.
#[must_use]
pub fn mapped(share: f32) -> u32 {
    MAP[(share.clamp(0.0, 1.0) * 255.0 + 0.5) as usize]
}

/// The mapping from a measured value to the map, in the current scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    by: ColourBy,
    /// The value at the low end, and 1 divided by the span.
    low: f32,
    per_span: f32,
}

/// The statistics of all discs that determine the ends of the map.
#[derive(Clone, Copy, Debug)]
pub struct Ends {
    count: f64,
    squares: f64,
    energies: f64,
    lightest: f32,
    heaviest: f32,
    ids: u64,
}

impl Default for Ends {
    fn default() -> Self {
        Self { count: 0.0, squares: 0.0, energies: 0.0, lightest: f32::INFINITY, heaviest: 0.0, ids: 0 }
    }
}

impl Ends {
    /// Adds some discs, as far as this property needs them.
    pub fn take<'a>(&mut self, by: ColourBy, discs: impl Iterator<Item = (&'a Velocity, &'a Mass, &'a StableId)>) {
        if matches!(by, ColourBy::Look | ColourBy::Contacts | ColourBy::Age | ColourBy::State) {
            return;
        }
        for (velocity, mass, id) in discs {
            let square = f64::from(velocity.length_squared());
            self.count += 1.0;
            self.squares += square;
            self.energies += 0.5 * f64::from(mass.0) * square;
            self.lightest = self.lightest.min(mass.0);
            self.heaviest = self.heaviest.max(mass.0);
            self.ids = self.ids.max(id.0);
        }
    }

    /// Merges the statistics of another part.
    pub fn join(&mut self, other: Self) {
        self.count += other.count;
        self.squares += other.squares;
        self.energies += other.energies;
        self.lightest = self.lightest.min(other.lightest);
        self.heaviest = self.heaviest.max(other.heaviest);
        self.ids = self.ids.max(other.ids);
    }

    /// The scale between the ends.
    #[must_use]
    pub fn scale(&self, by: ColourBy) -> Scale {
        let mean = |sum: f64| (sum / self.count.max(1.0)) as f32;
        let (low, high) = match by {
            ColourBy::Look | ColourBy::State => (0.0, 1.0),
            ColourBy::Speed => (0.0, 2.0 * mean(self.squares).sqrt()),
            ColourBy::Energy => (0.0, 4.0 * mean(self.energies)),
            ColourBy::Contacts => (0.0, 10.0),
            ColourBy::Mass => (bevy::math::ops::ln(self.lightest), bevy::math::ops::ln(self.heaviest)),
            ColourBy::Age => (0.0, 60.0),
            ColourBy::Id => (0.0, self.ids as f32),
        };
        let span = high - low;
        Scale { by, low, per_span: if span > 0.0 && span.is_finite() { 1.0 / span } else { 0.0 } }
    }
}

impl Scale {
    /// The colour of a disc, as bytes red, green, blue, 255. `None` if discs keep their look or show their state.
    #[must_use]
    pub fn colour(&self, velocity: Velocity, mass: Mass, id: StableId, trace: Trace) -> Option<u32> {
        let value = match self.by {
            ColourBy::Look | ColourBy::State => return None,
            ColourBy::Speed => velocity.length_squared().sqrt(),
            ColourBy::Energy => 0.5 * mass.0 * velocity.length_squared(),
            ColourBy::Contacts => trace.hits,
            ColourBy::Mass => bevy::math::ops::ln(mass.0),
            ColourBy::Age => trace.age,
            ColourBy::Id => id.0 as f32,
        };
        Some(mapped((value - self.low) * self.per_span))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_of_a_ball_has_a_colour_of_its_own() {
        let (radius, rolls) = (Radius(0.5), Velocity(Vec2::X));
        let state = |velocity, w: Vec3| state_of(velocity, Some(&AngularVelocity(w)), radius);
        let still = Velocity::default();
        assert_eq!(state(rolls, Vec3::Y * 2.0), BallState::Rolling);
        assert_eq!(state(rolls, Vec3::ZERO), BallState::Sliding);
        assert_eq!(state(still, Vec3::Z), BallState::Spinning);
        assert_eq!(state(still, Vec3::ZERO), BallState::Resting);
        assert_eq!([rolls, still].map(|v| state_of(v, None, radius)), [BallState::Sliding, BallState::Resting]);
        let theme = Theme::default();
        let colours = STATES.map(|(state, _)| state_colour(state, &theme).to_hex());
        for (k, colour) in colours.iter().enumerate() {
            assert!(!colours[k + 1..].contains(colour), "{colours:?}");
        }
    }

    #[test]
    fn the_ends_of_the_map_are_the_ends_of_what_is_measured() {
        let discs = [(1.0, 1.0), (3.0, 100.0)].map(|(speed, mass)| (Velocity(Vec2::X * speed), Mass(mass)));
        let id = StableId(0);
        let scale = |by| {
            let mut ends = Ends::default();
            ends.take(by, discs.iter().map(|(v, m)| (v, m, &id)));
            ends.scale(by)
        };
        let by_mass = scale(ColourBy::Mass);
        let colour = |scale: &Scale, k: usize| scale.colour(discs[k].0, discs[k].1, id, Trace::default());
        assert_eq!([colour(&by_mass, 0), colour(&by_mass, 1)], [Some(mapped(0.0)), Some(mapped(1.0))]);
        let by_look = scale(ColourBy::Look);
        assert_eq!(colour(&by_look, 0), None);
    }

    #[test]
    fn nonsense_has_a_colour_too() {
        let scale = Ends::default().scale(ColourBy::Speed);
        assert!(scale.colour(Velocity(Vec2::NAN), Mass(f32::NAN), StableId(0), Trace::default()).is_some());
    }
}
