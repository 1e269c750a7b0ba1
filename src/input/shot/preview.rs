//! What the shot that is being aimed would do, computed by the functions of the tick on a copy of the state: so the
//! preview is the shot.
//!
//! It is begun anew whenever the aim or the table changes. What a frame has no time for goes on as a task, and is shown
//! as it comes.

use bevy::{
    ecs::entity::EntityHashMap,
    prelude::*,
    tasks::{AsyncComputeTaskPool, Task, futures::check_ready},
};
use std::time::Duration;
use tr::tr;

use super::cue::{Aim, ShotTaken};
use crate::{
    collision::{CollisionSettings, Discs, HitTarget, InitialState, PhysicsSpace},
    components::Disc,
    input::actions::{Control, Inputs},
    motion::Forces,
    notice::{Notices, mark},
    random::Random,
    timeline::{
        BackgroundPrediction, Horizon, Prediction, Predictor,
        slices::{SLICE, next_slice},
    },
};

/// How much of the future is shown while a shot is aimed: the less, the harder the game.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PreviewLength {
    /// Nothing but the cue.
    Off,
    /// The path of the shot disc to the first thing that it meets.
    FirstContact,
    /// Until so many impacts have happened: [`PreviewSettings::impacts`].
    #[default]
    Impacts,
    /// Until all rest.
    All,
}

impl PreviewLength {
    /// All of them, from the hardest to the easiest, with the words that people read.
    pub const ALL: [(Self, &str); 4] = [
        (Self::Off, mark("off")),
        (Self::FirstContact, mark("first contact")),
        (Self::Impacts, mark("impacts")),
        (Self::All, mark("all")),
    ];

    /// The next of them, round and round.
    #[must_use]
    pub fn next(self) -> Self {
        let at = Self::ALL.iter().position(|&(length, _)| length == self).unwrap_or(0);
        Self::ALL[(at + 1) % Self::ALL.len()].0
    }

    /// The word that people read.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|&&(length, _)| length == self).map_or("", |&(_, name)| name)
    }
}

/// What is shown while a shot is aimed.
#[derive(Resource, Reflect, Clone, Debug, PartialEq)]
#[reflect(Resource, Default, Debug, PartialEq)]
pub struct PreviewSettings {
    /// How much of the future. Default: the first impacts, which leaves a question; L then shows all.
    pub length: PreviewLength,
    /// How many impacts, where the length says so; 1 to 1000. Default: 3.
    pub impacts: u32,
    /// At most so many seconds, 0.1 to 300; where nothing slows the discs down, at most 3. Default: 60.
    pub seconds: f32,
    /// Whether the paths stay on the table after the shot, until the next one is aimed. Default: off.
    pub keep: bool,
    /// Whether the cone of doubt is shown: where the discs end if the hand is not quite steady. Default: off.
    pub doubt: bool,
    /// How many unsteady shots the cone is made of, 10 to 1000. Default: 200.
    pub shots: u32,
    /// The deviation of their direction, degrees, 0 to 10. Default: 0.3.
    pub direction: f32,
    /// The deviation of their speed, percent, 0 to 50. Default: 2.
    pub strength: f32,
}

impl Default for PreviewSettings {
    fn default() -> Self {
        Self {
            length: PreviewLength::Impacts,
            impacts: 3,
            seconds: 60.0,
            keep: false,
            doubt: false,
            shots: 200,
            direction: 0.3,
            strength: 2.0,
        }
    }
}

impl PreviewSettings {
    fn horizon(&self, shot: Entity, (forces, discs): (&Forces, &Discs)) -> Horizon {
        let ends = forces.bring_to_rest(discs);
        let seconds = if self.seconds.is_nan() { 60.0 } else { self.seconds.clamp(0.1, 300.0) };
        let seconds = if ends { seconds } else { seconds.min(UNENDING) };
        match self.length {
            PreviewLength::Off | PreviewLength::FirstContact => {
                Horizon { seconds, impacts: 1, of: Some(shot), ..Horizon::default() }
            }
            PreviewLength::Impacts => {
                Horizon { seconds, impacts: self.impacts.clamp(1, 1000) as usize, ..Horizon::default() }
            }
            PreviewLength::All => Horizon { seconds, ..Horizon::default() },
        }
    }
}

/// How far to look where nothing ever comes to rest, seconds.
const UNENDING: f32 = 3.0;

/// How long a task looks ahead of one unsteady shot at most.
const SHOT_TIME: Duration = Duration::from_millis(30);

/// How many unsteady shots a task takes on.
const SHOTS_PER_TASK: u32 = 16;

/// Of more discs there is no cone of doubt.
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

/// What the preview was made from. As long as it is the same, so is the preview.
#[derive(Clone, Debug, PartialEq)]
struct Question {
    disc: Entity,
    /// With the velocity and the spin of the shot.
    state: InitialState,
    collision: CollisionSettings,
    forces: Forces,
    /// The number of the tick, where forces may change with it.
    tick: Option<u64>,
    time_step: f32,
    settings: PreviewSettings,
}

/// The prediction of the shot that is being aimed.
#[derive(Resource, Debug, Default)]
pub struct Preview {
    question: Option<Question>,
    prediction: Option<BackgroundPrediction>,
    seen: Option<Seen>,
    kept: Option<Seen>,
    doubters: Vec<Task<Vec<(Entity, Vec2)>>>,
    doubts: Vec<(Entity, Vec2)>,
}

/// What is drawn of a future.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Seen {
    /// The discs that the shot moves, the shot disc first, then as they are hit.
    pub discs: Vec<SeenDisc>,
    /// What the shot disc first meets.
    pub contact: Option<FirstContact>,
    /// Where impacts happen, metres, with their time, seconds.
    pub impacts: Vec<(Vec2, f32)>,
    /// How far it has been looked, seconds.
    pub seconds: f32,
    /// Whether everything that was asked for has been seen.
    pub done: bool,
}

/// What the shot disc first meets, and what comes of that. The velocities, m/s, are those at the end of the tick in
/// which it happens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FirstContact {
    /// Where the shot disc's centre is then, metres.
    pub at: Vec2,
    /// The unit vector from there toward what it meets.
    pub toward: Vec2,
    /// The time, seconds.
    pub time: f32,
    /// With which velocity the shot disc goes on.
    pub velocity: Vec2,
    /// With which velocity a disc that it meets sets out; none if it is terrain.
    pub other: Option<Vec2>,
}

/// One disc of a [`Seen`] future.
#[derive(Clone, Debug, PartialEq)]
pub struct SeenDisc {
    /// The disc.
    pub entity: Entity,
    /// Its radius, metres.
    pub radius: f32,
    /// Its path: places (metres) and times (seconds), from when the shot first moves it.
    pub path: Vec<(Vec2, f32)>,
    /// Whether it rests at the end of it.
    pub rests: bool,
    /// Whether it falls into a pocket there.
    pub potted: bool,
}

/// So many discs are drawn at most.
const MAX_DRAWN: usize = 64;

impl Seen {
    /// What the shot of disc `shot` does in a future.
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
                let toward = if hit.a == shot { hit.normal } else { -hit.normal };
                let met = if hit.a == shot { other } else { Some(hit.a) };
                contact = Some(FirstContact {
                    at: hit.point - toward * start.radius[index[&shot]],
                    toward,
                    time: *time,
                    velocity: now.velocity[index[&shot]],
                    other: met.map(|disc| now.velocity[index[&disc]]),
                });
            }
        }
        let discs = order.into_iter().take(MAX_DRAWN).map(|entity| {
            let i = index[&entity];
            let points = &prediction.paths()[i].points;
            let first = points.partition_point(|&(_, time)| time < since[&entity] * 0.999_999);
            let mut path = points[first..].to_vec();
            let potted = prediction.potted().iter().any(|(_, fallen)| fallen.disc == entity);
            if !prediction.is_done() && !potted {
                path.push((now.position[i], prediction.seconds()));
            }
            let rests = prediction.is_done() && !potted && now.velocity[i] == Vec2::ZERO;
            SeenDisc { entity, radius: start.radius[i], path, rests, potted }
        });
        Self { discs: discs.collect(), contact, impacts, seconds: prediction.seconds(), done: prediction.is_done() }
    }
}

impl Preview {
    /// What is ahead of the shot that is being aimed, if one is and the settings allow to see it.
    #[must_use]
    pub fn seen(&self) -> Option<&Seen> {
        self.seen.as_ref()
    }

    /// What was ahead of the last shot, if the settings keep that and no other shot is being aimed.
    #[must_use]
    pub fn kept(&self) -> Option<&Seen> {
        self.kept.as_ref()
    }

    /// Where discs end if the hand is not quite steady: the disc and the place, metres. Empty unless the settings ask
    /// for it.
    #[must_use]
    pub fn doubts(&self) -> &[(Entity, Vec2)] {
        &self.doubts
    }

    /// Takes in what has been seen since the last frame.
    fn look(&mut self, shot: Entity) {
        if let Some(seen) = self.prediction.as_mut().and_then(|it| it.poll(|prediction| Seen::of(prediction, shot))) {
            self.seen = Some(seen);
        }
    }
}

/// Looks ahead of the shot that is being aimed.
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
    let shot = aim.shot.and_then(|shot| Some((shot.disc, shot.start()?, shot.spin())));
    let (Some((disc, velocity, spin)), true) = (shot, settings.length != PreviewLength::Off) else {
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

/// Begins the unsteady shots as soon as the hand rests for a frame, and collects them.
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
    let (turn, change) = (settings.direction.clamp(0.0, 10.0).to_radians(), settings.strength.clamp(0.0, 50.0) / 100.0);
    let shots = settings.shots.clamp(10, 1000);
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
                *velocity = Vec2::new(cos, sin).rotate(*velocity) * f32::max(1.0 + error.y * change, 0.0);
                let forces = question.forces.clone();
                let mut prediction = Prediction::of(state, forces, &question.collision, question.time_step, horizon);
                let mut left = SHOT_TIME;
                while !prediction.run_for(SLICE) && left > SLICE {
                    left -= SLICE;
                    next_slice().await;
                }
                next_slice().await;
                let moved = prediction.paths().iter().enumerate().filter(|(_, path)| path.points.len() > 1);
                // One that falls ends in its pocket.
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
        // This one is never met by anything that the shot moves.
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
        let FirstContact { at, toward, other, .. } = seen.contact.expect("it meets the second");
        assert!((at - Vec2::new(2.0, 0.0)).length() < 1e-6 && toward == Vec2::X && other.is_some());
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
        assert_eq!(
            (contact.velocity, contact.other),
            (Vec2::ZERO, Some(Vec2::X * 2.0)),
            "as they part, not as they met"
        );
    }
}
