//! The preview of the aimed shot. The functions of the tick compute it on a copy of the state, so it is bit-identical
//! to the shot.
//!
//! It restarts whenever the aim or the table changes. Work that does not fit into a frame continues as a task, and
//! appears as it completes.

use bevy::{
    ecs::entity::EntityHashMap,
    prelude::*,
    tasks::{AsyncComputeTaskPool, Task, futures::check_ready},
};
use std::{ops::RangeInclusive, time::Duration};
use tr::tr;

use super::cue::{Aim, ShotTaken};
use crate::{
    collision::{CollisionSettings, Discs, HitTarget, InitialState, PhysicsSpace, VelocityChange},
    components::{Disc, Height},
    input::actions::{Control, Inputs},
    motion::Forces,
    notice::{Notices, mark},
    random::Random,
    timeline::{
        Arc, BackgroundPrediction, Horizon, Prediction, Predictor, arcs,
        slices::{SLICE, next_slice},
    },
};

/// How much of the prediction to show during aiming. Less makes the game harder.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PreviewLength {
    /// Only the cue.
    Off,
    /// The path of the shot disc to its first contact.
    FirstContact,
    /// Up to this many impacts: [`PreviewSettings::impacts`].
    #[default]
    Impacts,
    /// Until all discs rest.
    All,
}

impl PreviewLength {
    /// All values, from the hardest to the easiest, with their displayed words.
    pub const ALL: [(Self, &str); 4] = [
        (Self::Off, mark("off")),
        (Self::FirstContact, mark("first contact")),
        (Self::Impacts, mark("impacts")),
        (Self::All, mark("all")),
    ];

    /// The next value, wrapping around.
    #[must_use]
    pub fn next(self) -> Self {
        let at = Self::ALL.iter().position(|&(length, _)| length == self).unwrap_or(0);
        Self::ALL[(at + 1) % Self::ALL.len()].0
    }

    /// The displayed word.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|&&(length, _)| length == self).map_or("", |&(_, name)| name)
    }
}

/// Settings of the preview.
#[derive(Resource, Reflect, Clone, Debug, PartialEq)]
#[reflect(Resource, Default, Debug, PartialEq)]
pub struct PreviewSettings {
    /// The length. Default: the first impacts, which leaves some uncertainty. The key L switches it.
    pub length: PreviewLength,
    /// The number of impacts for that length, in the range [`Self::IMPACTS`]. Default: 3.
    pub impacts: u32,
    /// The longest time, seconds, in the range [`Self::SECONDS`]. If nothing slows the discs down, it is at most 3.
    /// Default: 60.
    pub seconds: f32,
    /// Whether the paths stay on the table after the shot, until the next one is aimed. Default: off.
    pub keep: bool,
    /// Whether to draw guides at the first ball that is hit: the line of centres, the tangent line and the line of the
    /// 30-degree rule. Default: off.
    pub guides: bool,
    /// Whether to show the cone of uncertainty: where the discs end with an unsteady hand. Default: off.
    pub doubt: bool,
    /// The number of unsteady shots for the cone, in the range [`Self::SHOTS`]. Default: 200.
    pub shots: u32,
    /// The standard deviation of their direction, degrees, in the range [`Self::DIRECTION`]. Default: 0.3.
    pub direction: f32,
    /// The standard deviation of their speed, percent, in the range [`Self::STRENGTH`]. Default: 2.
    pub strength: f32,
}

impl Default for PreviewSettings {
    fn default() -> Self {
        Self {
            length: PreviewLength::Impacts,
            impacts: 3,
            seconds: 60.0,
            keep: false,
            guides: false,
            doubt: false,
            shots: 200,
            direction: 0.3,
            strength: 2.0,
        }
    }
}

impl PreviewSettings {
    /// The range of [`Self::impacts`]. Values outside count as its ends.
    pub const IMPACTS: RangeInclusive<u32> = 1..=1000;
    /// The range of [`Self::seconds`]. Values outside count as its ends.
    pub const SECONDS: RangeInclusive<f32> = 0.1..=300.0;
    /// The range of [`Self::shots`]. Values outside count as its ends.
    pub const SHOTS: RangeInclusive<u32> = 10..=1000;
    /// The range of [`Self::direction`], degrees. Values outside count as its ends.
    pub const DIRECTION: RangeInclusive<f32> = 0.0..=10.0;
    /// The range of [`Self::strength`], percent. Values outside count as its ends.
    pub const STRENGTH: RangeInclusive<f32> = 0.0..=50.0;

    fn horizon(&self, shot: Entity, (forces, discs): (&Forces, &Discs)) -> Horizon {
        let ends = forces.bring_to_rest(discs);
        let seconds = if self.seconds.is_nan() { 60.0 } else { within(self.seconds, &Self::SECONDS) };
        let seconds = if ends { seconds } else { seconds.min(UNENDING) };
        match self.length {
            PreviewLength::Off | PreviewLength::FirstContact => Horizon { seconds, impacts: 1, of: Some(shot) },
            PreviewLength::Impacts => {
                Horizon { seconds, impacts: within(self.impacts, &Self::IMPACTS) as usize, ..Horizon::default() }
            }
            PreviewLength::All => Horizon { seconds, ..Horizon::default() },
        }
    }
}

/// The nearest value in a range.
fn within<T: Copy + PartialOrd>(value: T, range: &RangeInclusive<T>) -> T {
    if value < *range.start() {
        *range.start()
    } else if value > *range.end() {
        *range.end()
    } else {
        value
    }
}

/// The length of a prediction in which nothing comes to rest, seconds.
const UNENDING: f32 = 3.0;

/// The longest computation of one unsteady shot in a task.
const SHOT_TIME: Duration = Duration::from_millis(30);

/// The number of unsteady shots per task.
const SHOTS_PER_TASK: u32 = 16;

/// The most discs for a cone of uncertainty.
const MAX_FOR_DOUBT: usize = 100;

/// Shows more of the shot, or less.
pub(super) fn keys(inputs: Inputs, mut settings: ResMut<PreviewSettings>, mut notices: Option<ResMut<Notices>>) {
    if inputs.started(Control::PreviewLength) {
        settings.length = settings.length.next();
        if let Some(notices) = &mut notices {
            let length = settings.length.name();
            notices.info(tr!("Preview: {}", tr!(length)));
        }
    }
}

/// The inputs of the preview. It is recomputed only when they change.
#[derive(Clone, Debug, PartialEq)]
struct Question {
    disc: Entity,
    /// Includes the velocity and the spin of the shot.
    state: InitialState,
    collision: CollisionSettings,
    forces: Forces,
    /// The number of the tick, if forces may depend on it.
    tick: Option<u64>,
    time_step: f32,
    settings: PreviewSettings,
}

/// The prediction of the aimed shot.
#[derive(Resource, Debug, Default)]
pub struct Preview {
    question: Option<Question>,
    prediction: Option<BackgroundPrediction>,
    seen: Option<Seen>,
    kept: Option<Seen>,
    doubters: Vec<Task<Vec<(Entity, Vec2)>>>,
    doubts: Vec<(Entity, Vec2)>,
}

/// The visible part of a prediction.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Seen {
    /// The discs that the shot moves: the shot disc first, then in the order in which they are hit.
    pub discs: Vec<SeenDisc>,
    /// The first contact of the shot disc.
    pub contact: Option<FirstContact>,
    /// The positions of impacts, metres, with their times, seconds.
    pub impacts: Vec<(Vec2, f32)>,
    /// The predicted time, seconds.
    pub seconds: f32,
    /// Whether the prediction is complete.
    pub done: bool,
}

/// The first contact of the shot disc.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FirstContact {
    /// The centre of the shot disc at the contact, metres.
    pub at: Vec2,
    /// The unit vector from there toward the other object.
    pub toward: Vec2,
    /// The time, seconds.
    pub time: f32,
    /// The velocity of the shot disc just before and just after the contact, exactly as the tick will have it.
    pub velocity: VelocityChange,
    /// The velocity of the other disc just before and just after the contact; `None` for terrain.
    pub other: Option<VelocityChange>,
}

/// A disc of a prediction.
#[derive(Clone, Debug, PartialEq)]
pub struct SeenDisc {
    /// The disc.
    pub entity: Entity,
    /// Its radius, metres.
    pub radius: f32,
    /// Its path: points (metres) with times (seconds), starting when the shot first moves it.
    pub path: Vec<(Vec2, f32)>,
    /// The height of its lowest point above the cloth at each of the points, metres. Empty unless it flies.
    pub heights: Vec<f32>,
    /// The parts of its path in the air, in order.
    pub arcs: Vec<Arc>,
    /// Whether it rests at the end of its path.
    pub rests: bool,
    /// Whether it falls into a pocket there.
    pub potted: bool,
    /// Whether it leaves the table there.
    pub leaves: bool,
}

impl SeenDisc {
    /// Whether the disc is in the air between the point of its path with this index and the next.
    pub(super) fn is_in_the_air(&self, point: usize) -> bool {
        self.arcs.iter().any(|arc| (arc.first..arc.last).contains(&point))
    }
}

/// The most discs to draw.
const MAX_DRAWN: usize = 64;

impl Seen {
    /// The visible part of a prediction for a shot of disc `shot`.
    fn of(prediction: &Prediction, shot: Entity) -> Self {
        let (start, now) = (prediction.start(), prediction.discs());
        let index: EntityHashMap<usize> = start.entity.iter().enumerate().map(|(i, &disc)| (disc, i)).collect();
        // The discs that the shot has moved, and since when.
        let mut since: EntityHashMap<f32> = [(shot, 0.0)].into_iter().collect();
        let mut order = vec![shot];
        let mut impacts = Vec::new();
        let mut contact = None;
        for (time, hit) in prediction.impacts() {
            let other = if let HitTarget::Disc(other) = hit.b { Some(other) } else { None };
            let moved = |disc: Entity| since.get(&disc).is_some_and(|since| since <= time);
            if !(moved(hit.a) || other.is_some_and(moved)) {
                continue;
            }
            impacts.push((hit.point, *time));
            for disc in [Some(hit.a), other].into_iter().flatten() {
                if since.get(&disc).is_none_or(|since| since > time) {
                    since.insert(disc, *time);
                    order.push(disc);
                }
            }
            if contact.is_none() && (hit.a == shot || other == Some(shot)) {
                let (toward, velocity, other) = match hit.b_velocity {
                    Some(velocity) if hit.a != shot => (-hit.normal, velocity, Some(hit.a_velocity)),
                    other => (hit.normal, hit.a_velocity, other),
                };
                let at = hit.point - toward * start.radius[index[&shot]];
                contact = Some(FirstContact { at, toward, time: *time, velocity, other });
            }
        }
        let discs = order.into_iter().take(MAX_DRAWN).map(|entity| {
            let i = index[&entity];
            let points = &prediction.paths()[i].points;
            let first = points.partition_point(|&(_, time)| time < since[&entity] * 0.999_999);
            let mut path = points[first..].to_vec();
            let mut heights = prediction.paths()[i].heights.get(first..).unwrap_or_default().to_vec();
            let potted = prediction.potted().iter().any(|(_, fallen)| fallen.disc == entity);
            let leaves = prediction.left_table().iter().any(|(_, left)| left.disc == entity);
            if !prediction.is_done() && !potted && !leaves {
                path.push((now.position[i], prediction.seconds()));
                if !heights.is_empty() {
                    heights.push(now.height_of(i).map_or(0.0, |above| above.height));
                }
            }
            let arcs = arcs(&path, &heights);
            let rests = prediction.is_done() && !potted && !leaves && now.velocity[i] == Vec2::ZERO;
            SeenDisc { entity, radius: start.radius[i], path, heights, arcs, rests, potted, leaves }
        });
        Self { discs: discs.collect(), contact, impacts, seconds: prediction.seconds(), done: prediction.is_done() }
    }
}

impl Preview {
    /// The prediction of the aimed shot, if there is one and the settings show it.
    #[must_use]
    pub fn seen(&self) -> Option<&Seen> {
        self.seen.as_ref()
    }

    /// The preview of the last shot, if the settings keep it and no other shot is being aimed.
    #[must_use]
    pub fn kept(&self) -> Option<&Seen> {
        self.kept.as_ref()
    }

    /// The final positions of discs with an unsteady hand: the disc and the position, metres. Empty unless the settings
    /// request it.
    #[must_use]
    pub fn doubts(&self) -> &[(Entity, Vec2)] {
        &self.doubts
    }

    /// Collects the progress since the last frame.
    fn look(&mut self, shot: Entity) {
        if let Some(seen) = self.prediction.as_mut().and_then(|it| it.poll(|prediction| Seen::of(prediction, shot))) {
            self.seen = Some(seen);
        }
    }
}

/// Predicts the aimed shot.
pub(super) fn predict(
    mut preview: ResMut<Preview>,
    settings: Res<PreviewSettings>,
    aim: Res<Aim>,
    predictor: Predictor,
    (mut shots, discs): (MessageReader<ShotTaken>, Query<(), With<Disc>>),
) {
    let was_shot = shots.read().count() > 0;
    if preview
        .kept
        .as_ref()
        .is_some_and(|kept| !settings.keep || !kept.discs.iter().all(|it| discs.contains(it.entity)))
    {
        preview.kept = None;
    }
    let shot = aim.shot.and_then(|shot| Some((shot.disc, shot.start()?, shot.spin(), shot.height)));
    let (Some((disc, velocity, spin, height)), true) = (shot, settings.length != PreviewLength::Off) else {
        if preview.question.is_some() {
            let kept = preview.seen.take().filter(|_| was_shot && settings.keep);
            *preview = Preview { kept, ..Preview::default() };
        }
        return;
    };
    let mut state = predictor.space();
    let Some(i) = state.discs.entity.iter().position(|&entity| entity == disc) else { return };
    state.discs.velocity[i] = velocity;
    if let (Some(Some(of_disc)), Some(angular_velocity)) = (state.discs.spin.get_mut(i), spin) {
        of_disc.angular_velocity = angular_velocity;
    }
    state.discs.set_height(i, height);
    let forces = predictor.forces();
    let question = Question {
        disc,
        state: state.initial_state(),
        collision: predictor.settings().clone(),
        tick: (!forces.keep_rest() || state.terrain_moves()).then_some(state.clock.tick),
        forces,
        time_step: predictor.time_step(),
        settings: settings.clone(),
    };
    let preview = &mut *preview;
    if preview.question.as_ref() == Some(&question) {
        preview.look(disc);
        doubt(preview, &question, &state, i);
        return;
    }
    let horizon = settings.horizon(disc, (&question.forces, &state.discs));
    let prediction = Some(BackgroundPrediction::begin(predictor.predict_from(state, horizon)));
    *preview = Preview { question: Some(question), prediction, ..Preview::default() };
    preview.look(disc);
}

/// Starts the unsteady shots once the aim has not changed for a frame, and collects them.
fn doubt(preview: &mut Preview, question: &Question, state: &PhysicsSpace, shot: usize) {
    let settings = &question.settings;
    let begun = !(preview.doubters.is_empty() && preview.doubts.is_empty());
    if !settings.doubt || settings.length != PreviewLength::All || state.discs.len() > MAX_FOR_DOUBT {
        return;
    }
    preview.doubters.retain_mut(|task| match check_ready(task) {
        Some(ends) => {
            preview.doubts.extend(ends);
            false
        }
        None => true,
    });
    if begun {
        return;
    }
    let turn = within(settings.direction, &PreviewSettings::DIRECTION).to_radians();
    let change = within(settings.strength, &PreviewSettings::STRENGTH) / 100.0;
    let shots = within(settings.shots, &PreviewSettings::SHOTS);
    for first in (0..shots).step_by(SHOTS_PER_TASK as usize) {
        let (state, question) = (state.clone(), question.clone());
        let horizon = question.settings.horizon(question.disc, (&question.forces, &state.discs));
        preview.doubters.push(AsyncComputeTaskPool::get().spawn(async move {
            let mut ends = Vec::new();
            for seed in first..shots.min(first + SHOTS_PER_TASK) {
                let error = Random::new(u64::from(seed)).normal();
                let mut state = state.clone();
                let velocity = &mut state.discs.velocity[shot];
                let (sin, cos) = bevy::math::ops::sin_cos(error.x * turn);
                let share = f32::max(1.0 + error.y * change, 0.0);
                *velocity = Vec2::new(cos, sin).rotate(*velocity) * share;
                let above = state.discs.height_of(shot).map(|above| (above.height, above.speed));
                state.discs.set_height(shot, above.map(|(height, speed)| Height { height, speed: speed * share }));
                let forces = question.forces.clone();
                let mut prediction = Prediction::of(state, forces, &question.collision, question.time_step, horizon);
                let mut left = SHOT_TIME;
                while !prediction.run_for(SLICE) && left > SLICE {
                    left -= SLICE;
                    next_slice().await;
                }
                next_slice().await;
                let moved = prediction.paths().iter().enumerate().filter(|(_, path)| path.points.len() > 1);
                // A disc that falls ends in its pocket.
                let discs = &prediction.start().entity;
                ends.extend(moved.filter_map(|(i, path)| Some((discs[i], path.points.last()?.0))));
            }
            ends
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::DiscState;

    fn disc(id: usize) -> Entity {
        Entity::from_raw_u32(id as u32 + 1).expect("it is a valid index")
    }

    fn row() -> PhysicsSpace {
        let mut space = PhysicsSpace::default();
        for (id, x) in [0.0, 3.0, 6.0].into_iter().enumerate() {
            let position = Vec2::new(x, 0.0);
            space.discs.push(DiscState { entity: disc(id), id: id as u64, position, ..DiscState::default() });
        }
        // Nothing that the shot moves ever touches this disc.
        let position = Vec2::new(0.0, 9.0);
        space.discs.push(DiscState { entity: disc(3), id: 3, position, velocity: Vec2::X, ..DiscState::default() });
        space.discs.velocity[0] = Vec2::new(2.0, 0.0);
        space.finish_terrain();
        space
    }

    #[test]
    fn the_shot_and_what_it_moves_are_seen() {
        let settings =
            CollisionSettings { mode: crate::collision::SolverMode::Continuous, ..CollisionSettings::default() };
        let horizon = PreviewSettings::default().horizon(disc(0), (&Forces::default(), &row().discs));
        let mut prediction = Prediction::of(row(), Forces::default(), &settings, 1.0 / 60.0, horizon);
        prediction.run_for(Duration::from_secs(5));
        let seen = Seen::of(&prediction, disc(0));
        assert!(seen.done && (seen.seconds - UNENDING).abs() < 0.02);
        assert_eq!(seen.discs.len(), 3);
        let FirstContact { at, toward, velocity, other, .. } = seen.contact.expect("it meets the second");
        assert!((at - Vec2::new(2.0, 0.0)).length() < 1e-6 && toward == Vec2::X);
        // The second disc has since passed its velocity on to the third.
        let [before, after] = [Vec2::X * 2.0, Vec2::ZERO];
        assert_eq!(velocity, VelocityChange { before, after });
        assert_eq!(other, Some(VelocityChange { before: after, after: before }));
        assert_eq!(seen.impacts.len(), 2);
        assert!((seen.impacts[0].1 - 1.0).abs() < 1e-6);
        let second = &seen.discs[1].path;
        assert!((second[0].1 - 1.0).abs() < 1e-6 && (second[1].0 - Vec2::new(5.0, 0.0)).length() < 1e-5);
    }

    #[test]
    fn the_first_contact_ends_a_short_preview() {
        let settings =
            CollisionSettings { mode: crate::collision::SolverMode::Continuous, ..CollisionSettings::default() };
        let short = PreviewSettings { length: PreviewLength::FirstContact, ..PreviewSettings::default() };
        let mut prediction = Prediction::of(
            row(),
            Forces::default(),
            &settings,
            1.0 / 60.0,
            short.horizon(disc(0), (&Forces::default(), &row().discs)),
        );
        prediction.run_for(Duration::from_secs(5));
        assert!(prediction.is_done() && (prediction.seconds() - 1.0).abs() < 0.03, "{}", prediction.seconds());
        let seen = Seen::of(&prediction, disc(0));
        assert_eq!(seen.impacts.len(), 1);
        let contact = seen.contact.expect("it meets the second");
        let [before, after] = [Vec2::X * 2.0, Vec2::ZERO];
        assert_eq!(contact.velocity, VelocityChange { before, after });
        assert_eq!(contact.other, Some(VelocityChange { before: after, after: before }));
    }

    /// In one dimension the impulse is `(1 + e) v m₁ m₂ / (m₁ + m₂)`, if the second disc is at rest. Under friction,
    /// the speed `v` after the way `s` is `√(v₀² - 2 a s)`.
    #[test]
    fn the_velocities_at_the_first_contact_are_those_of_the_closed_form() {
        let (e, masses) = (0.6_f32, [2.0_f32, 0.5]);
        // The tolerance is rounding, or the change by friction in half of a tick times the factor of an impulse.
        for (shot, sign, brake, tolerance) in
            [(0, 1.0_f32, 0.0_f32, 1e-5_f32), (1, -1.0, 0.0, 1e-5), (0, 1.0, 0.5, 6e-3), (1, -1.0, 0.5, 6e-3)]
        {
            for mode in [crate::collision::SolverMode::Continuous, crate::collision::SolverMode::Stepped] {
                let mut space = PhysicsSpace::default();
                for (id, x) in [0.0, 3.0].into_iter().enumerate() {
                    let position = Vec2::new(x, 0.0);
                    let (entity, mass) = (disc(id), masses[id]);
                    space.discs.push(DiscState { entity, id: id as u64, position, mass, ..DiscState::default() });
                }
                space.discs.velocity[shot] = Vec2::X * 2.0 * sign;
                space.finish_terrain();
                let settings = CollisionSettings { mode, restitution: e, substeps: 64, ..CollisionSettings::default() };
                let motion = crate::motion::MotionSettings { friction: brake, ..default() };
                let forces = Forces::from(&motion);
                // Later hits and the rest of the path change nothing.
                let horizon = PreviewSettings { length: PreviewLength::All, ..default() };
                let horizon = horizon.horizon(disc(shot), (&forces, &space.discs));
                let mut prediction = Prediction::of(space, forces, &settings, 1.0 / 60.0, horizon);
                prediction.run_for(Duration::from_secs(5));
                let FirstContact { velocity, other, .. } =
                    Seen::of(&prediction, disc(shot)).contact.expect("they hit each other");
                // After two metres.
                let met = (4.0 - 2.0 * brake * 2.0_f32).sqrt();
                let [own, mass] = [masses[shot], masses[1 - shot]];
                let impulse = (1.0 + e) * met * own * mass / (own + mass);
                let expected = [met, 0.0, met - impulse / own, impulse / mass].map(|speed| Vec2::X * speed * sign);
                let other = other.expect("it is a disc");
                let found = [velocity.before, other.before, velocity.after, other.after];
                for (found, expected) in found.into_iter().zip(expected) {
                    assert!((found - expected).length() < tolerance, "{mode:?}, {shot}, {brake}: {found}, {expected}");
                }
            }
        }
    }
}
