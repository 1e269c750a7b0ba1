//! What lies ahead: the same ticks on a copy of the state, as far as anybody wants to look.
//!
//! A [`Prediction`], begun by a [`Predictor`](super::Predictor), runs the functions of the tick itself, under the same
//! [`Forces`], so it tells what will happen to the bit, as long as nobody interferes. It can be asked for a little at a
//! time, in a frame or on a task (see [`BackgroundPrediction`](super::BackgroundPrediction)).

use bevy::{ecs::entity::EntityHashSet, platform::time::Instant, prelude::*};
use std::time::Duration;

use crate::{
    collision::{
        Collision, CollisionSettings, Discs, PhysicsSpace, Potted, SensorOverlapStarted, begin_ticks, run_next_tick,
        run_tick,
    },
    motion::Forces,
};

/// How far to look. A [`Prediction`] ends earlier where all rest for good.
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::prelude::*;
/// # let [ball, bucket] = [Entity::PLACEHOLDER; 2];
/// // Until the ball is in the bucket, or has hit something four times, and for three seconds at most.
/// let horizon = Horizon { seconds: 3.0, impacts: 4, of: Some(ball), until: Some(bucket) };
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Horizon {
    /// At most so many seconds. Default: 60.
    pub seconds: f32,
    /// At most so many impacts. Default: any number.
    pub impacts: usize,
    /// The disc whose impacts count, for `impacts` and for `until`. Default: `None`, all discs.
    pub of: Option<Entity>,
    /// Ends with the tick in which a disc hits this entity, enters it if it is a sensor, or falls into it if it is a
    /// pocket. Default: `None`.
    pub until: Option<Entity>,
}

impl Default for Horizon {
    fn default() -> Self {
        Self { seconds: 60.0, impacts: usize::MAX, of: None, until: None }
    }
}

impl Horizon {
    /// Whether an impact counts.
    fn counts(&self, hit: &Collision) -> bool {
        self.of.is_none_or(|disc| hit.other(disc).is_some())
    }

    /// Whether something that happens to a disc is what it looks for.
    fn ends_with(&self, target: Entity, disc: Entity) -> bool {
        self.until == Some(target) && self.of.is_none_or(|of| of == disc || of == target)
    }
}

/// The path of one disc: where it starts, where it turns, and where it gets to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    /// Places (metres) with the time at which it is there (seconds from the start).
    pub points: Vec<(Vec2, f32)>,
    /// Its velocity after the last point, for seeing where it bends.
    heading: Vec2,
}

impl Path {
    /// Adds a point where the path has bent since the last.
    fn bend(&mut self, position: Vec2, velocity: Vec2, now: f32) {
        let turned = self.heading.perp_dot(velocity);
        let lengths = self.heading.length_squared() * velocity.length_squared();
        if turned * turned > BEND * BEND * lengths || self.heading.dot(velocity) < 0.0 {
            self.points.push((position, now));
            self.heading = velocity;
        } else if self.heading == Vec2::ZERO {
            self.heading = velocity;
        }
    }

    /// Adds the place where it ends; nowhere for a disc that has fallen or vanished before.
    fn end(&mut self, position: Vec2, now: f32) {
        if position.is_finite() && self.points.last().is_some_and(|&(at, _)| at != position) {
            self.points.push((position, now));
        }
    }
}

/// A copy of a state that runs ahead of it, and what it has seen.
#[derive(Clone, Debug)]
pub struct Prediction {
    space: PhysicsSpace,
    forces: Forces,
    horizon: Horizon,
    start: Discs,
    paths: Vec<Path>,
    impacts: Vec<(f32, Collision)>,
    entered: Vec<(f32, SensorOverlapStarted)>,
    potted: Vec<(f32, Potted)>,
    /// What vanishes when it is hit, or entered.
    vanishing: EntityHashSet,
    /// Slower impacts are no messages, m/s.
    report_above: f32,
    /// How many impacts count for the horizon.
    counted: usize,
    ticks: u64,
    /// Where the discs were after the last tick, if none moved, as bits.
    at_rest: Option<Vec<[u32; 2]>>,
    done: bool,
}

/// A path has a point where it has turned by this sine since the last one.
const BEND: f32 = 0.02;

/// At most so many ticks are run before the clock is read again: reading it takes up to half as long as a tick of a few
/// discs in which nothing happens.
const MAX_TICKS_PER_LOOK: u32 = 16;

impl Prediction {
    /// What becomes of a state in ticks of `time_step` seconds with these settings, under these forces. For what
    /// becomes of a world there is [`Predictor`](super::Predictor), which takes all of them from it (those of the real
    /// ticks are in [`CurrentForces`](crate::motion::CurrentForces)). The speeds are those of `space.discs`; give a
    /// disc the velocity of a shot before. The length of the real ticks is
    /// [`Playback::time_step`](super::Playback::time_step); one that is not above zero is told in the log, and nothing
    /// is predicted.
    #[must_use]
    pub fn of(
        mut space: PhysicsSpace,
        forces: Forces,
        settings: &CollisionSettings,
        time_step: f32,
        horizon: Horizon,
    ) -> Self {
        let done = !(time_step > 0.0 && time_step.is_finite());
        if done {
            tracing::warn!(
                "a prediction needs a time step above zero, and was given {time_step} s: it predicts nothing"
            );
        }
        let report_above = settings.in_range().report_above;
        // Every impact is seen, whatever is worth a message.
        let settings = CollisionSettings { report_above: 0.0, ..settings.clone() };
        begin_ticks(&mut space, &settings, time_step);
        let start = space.discs.clone();
        let paths = (0..start.len())
            .map(|i| Path { points: vec![(start.position[i], 0.0)], heading: start.velocity[i] })
            .collect();
        Self {
            space,
            forces,
            horizon,
            start,
            paths,
            impacts: Vec::new(),
            entered: Vec::new(),
            potted: Vec::new(),
            vanishing: EntityHashSet::default(),
            report_above,
            counted: 0,
            ticks: 0,
            at_rest: None,
            done,
        }
    }

    /// The same prediction, in which these discs, pieces of terrain and sensors vanish when they are hit or entered.
    /// They are gone after the tick in which that happens. So the prediction is exact for a game that despawns them in
    /// an observer of [`CollisionEvent`](crate::collision::CollisionEvent) or [`SensorOverlapStarted`]. A hit that is
    /// slower than [`CollisionSettings::report_above`] triggers no event, so nothing vanishes by it.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use carom::prelude::*;
    /// # #[derive(Component)]
    /// # struct Peg;
    /// fn aim(predictor: Predictor, pegs: Query<Entity, With<Peg>>) {
    ///     let prediction = predictor.predict(Horizon { seconds: 3.0, ..default() }).vanishing(&pegs).finished();
    ///     println!("{} hits", prediction.impacts().len());
    /// }
    /// # let mut app = App::new();
    /// # app.add_plugins((MinimalPlugins, PhysicsPlugins::default())).add_systems(Update, aim);
    /// # app.update();
    /// ```
    #[must_use]
    pub fn vanishing(mut self, entities: impl IntoIterator<Item = Entity>) -> Self {
        self.vanishing.extend(entities);
        self
    }

    /// The same after it has looked as far as its horizon goes, however long that takes; with [`Prediction::run_for`] a
    /// long one is spread over frames.
    #[must_use]
    pub fn finished(mut self) -> Self {
        while !self.done {
            self.tick();
        }
        self
    }

    /// Looks further, for about as long as `duration`, and says whether all has been seen. It runs one tick at least,
    /// and ends with the one that takes it past the time; only where ticks suddenly take much longer than those before
    /// them, and nothing is hit in them, it may be some more. How often it is called, and how long each call takes, has
    /// no part in what is seen.
    pub fn run_for(&mut self, duration: Duration) -> bool {
        let begin = Instant::now();
        let (mut ticks, mut spent) = (1, Duration::ZERO);
        while !self.done {
            for _ in 0..ticks {
                self.tick();
                // Ticks with impacts take the longest.
                if self.done || !self.space.report.hits.is_empty() {
                    break;
                }
            }
            let now = begin.elapsed();
            if now >= duration {
                break;
            }
            // Twice as many take twice as long, about.
            let took = now.saturating_sub(spent);
            ticks = if took * 4 <= duration.saturating_sub(now) { (2 * ticks).min(MAX_TICKS_PER_LOOK) } else { 1 };
            spent = now;
        }
        self.done
    }

    /// Runs one tick, if there is anything left to see.
    pub fn tick(&mut self) {
        if self.done {
            return;
        }
        let began = self.seconds();
        if self.forces.only_accelerate() {
            run_next_tick(&mut self.space, |space| self.forces.act(space));
        } else {
            // A force of a game may have moved discs, and `Gather` reads anew what is not written back.
            let (space, start) = (&mut self.space, &self.start);
            space.discs.radius.clone_from(&start.radius);
            space.discs.mass.clone_from(&start.mass);
            space.discs.restitution.clone_from(&start.restitution);
            space.forget_fallen();
            let (settings, time_step) = (space.laws.settings.clone(), space.clock.time_step);
            run_tick(space, &settings, time_step, |space| self.forces.act(space));
        }
        self.ticks += 1;
        let now = self.seconds();
        self.trace_paths(began, now);
        let reached = self.record(began);
        let all_rest = self.rests();
        self.vanish(now);
        let Horizon { seconds, impacts, .. } = self.horizon;
        self.done = all_rest || reached || now >= seconds || self.counted >= impacts;
        if self.done {
            for (path, &position) in self.paths.iter_mut().zip(&self.space.discs.position) {
                path.end(position, now);
            }
        }
    }

    /// Adds the places where paths have turned in the tick that began and ended at these times, seconds.
    fn trace_paths(&mut self, began: f32, now: f32) {
        let Self { space, paths, ticks, .. } = self;
        for vertex in &space.report.path_vertices {
            paths[vertex.disc as usize].points.push((vertex.position, began + vertex.time));
        }
        for vertex in &space.report.path_vertices {
            paths[vertex.disc as usize].heading = space.discs.velocity[vertex.disc as usize];
        }
        // Forces bend paths slowly.
        if ticks.is_multiple_of(4) || !space.report.hits.is_empty() {
            for (i, path) in paths.iter_mut().enumerate() {
                path.bend(space.discs.position[i], space.discs.velocity[i], now);
            }
        }
    }

    /// Records what happened in the tick that began at this time, seconds. Returns whether that is what the horizon
    /// ends with.
    fn record(&mut self, began: f32) -> bool {
        let Self { space, horizon, impacts, entered, potted, counted, .. } = self;
        let (discs, tick) = (&space.discs, space.clock.tick);
        let mut reached = false;
        for hit in &space.report.hits {
            let hit = Collision::of(hit, discs, tick);
            let (a, b) = (hit.a, hit.b.entity());
            *counted += usize::from(horizon.counts(&hit));
            reached |= horizon.ends_with(a, b) || horizon.ends_with(b, a);
            impacts.push((began + hit.time, hit));
        }
        for overlap in SensorOverlapStarted::all(space) {
            reached |= horizon.ends_with(overlap.entity, overlap.other);
            entered.push((began + overlap.time, overlap));
        }
        for fallen in &space.report.potted {
            let fallen = Potted::of(fallen, discs, tick);
            reached |= horizon.ends_with(fallen.pocket, fallen.disc);
            potted.push((began + fallen.time, fallen));
        }
        reached
    }

    /// Whether all discs rest and nothing will move them. A disc at the top of its flight does not rest, and neither
    /// does one in a wind that is still to come.
    fn rests(&mut self) -> bool {
        let Self { space, forces, at_rest, .. } = self;
        let spins = space.discs.spin.iter().flatten().any(|spin| spin.angular_velocity != Vec3::ZERO);
        let mut motions = space.discs.position.iter().zip(&space.discs.velocity);
        // Whatever a force gives to one that has fallen.
        let moving = spins || motions.any(|(position, velocity)| position.is_finite() && *velocity != Vec2::ZERO);
        let places = || space.discs.position.iter().map(|position| position.to_array().map(f32::to_bits)).collect();
        let before = std::mem::replace(at_rest, (!moving).then(places));
        let led = space.terrain_moves() || !space.discs.periodic.is_empty();
        let pushed = led || !space.discs.constant_forces.is_empty() || space.has_joints();
        !moving && !pushed && before == *at_rest && forces.keep_rest()
    }

    /// Takes out what vanishes after the tick that ended at this time, seconds.
    fn vanish(&mut self, now: f32) {
        if self.vanishing.is_empty() {
            return;
        }
        let Self { space, paths, vanishing, report_above, .. } = self;
        let hits = space.report.hits.iter().filter(|hit| hit.approach_speed >= *report_above);
        let sides = hits.map(|hit| Collision::of(hit, &space.discs, 0)).flat_map(|hit| [hit.a, hit.b.entity()]);
        let sensors = SensorOverlapStarted::all(space).map(|overlap| overlap.entity);
        let gone: EntityHashSet = sides.chain(sensors).filter(|entity| vanishing.contains(entity)).collect();
        if gone.is_empty() {
            return;
        }
        for (i, path) in paths.iter_mut().enumerate().filter(|(i, _)| gone.contains(&space.discs.entity[*i])) {
            path.end(space.discs.position[i], now);
        }
        space.take_out(&gone);
        self.at_rest = None;
    }

    /// Whether everything within the horizon has been seen: all rest for good, or the time or the impacts are used up.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// How far it has looked, seconds.
    #[must_use]
    pub fn seconds(&self) -> f32 {
        (self.ticks as f64 * f64::from(self.space.clock.time_step)) as f32
    }

    /// How far it has looked, ticks.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// The discs at the start.
    #[must_use]
    pub fn start(&self) -> &Discs {
        &self.start
    }

    /// The discs as far as it has looked. The places of those that have fallen into pockets or vanished are no numbers.
    #[must_use]
    pub fn discs(&self) -> &Discs {
        &self.space.discs
    }

    /// The path of every disc, by its index. The last point of a prediction that is not done lies behind the disc.
    #[must_use]
    pub fn paths(&self) -> &[Path] {
        &self.paths
    }

    /// The path of a disc, or `None` if it takes no part.
    #[must_use]
    pub fn path_of(&self, disc: Entity) -> Option<&Path> {
        let i = self.start.entity.iter().position(|&entity| entity == disc)?;
        self.paths.get(i)
    }

    /// The discs that fall into pockets, by time (seconds from the start). These are the messages that the ticks will
    /// write.
    #[must_use]
    pub fn potted(&self) -> &[(f32, Potted)] {
        &self.potted
    }

    /// Every impact, by time (seconds from the start). These are the messages that the ticks will write. Here they
    /// include impacts slower than [`CollisionSettings::report_above`].
    #[must_use]
    pub fn impacts(&self) -> &[(f32, Collision)] {
        &self.impacts
    }

    /// The discs that enter sensors, by time (seconds from the start). These are the events that the ticks will
    /// trigger. A disc that is in a sensor at the start enters it only after it has left.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use carom::prelude::*;
    /// /// When a ball will be in the bucket, seconds.
    /// fn in_the_bucket(predictor: &Predictor, ball: Entity, bucket: Entity) -> Option<f32> {
    ///     let horizon = Horizon { seconds: 5.0, of: Some(ball), until: Some(bucket), ..default() };
    ///     let prediction = predictor.predict(horizon).finished();
    ///     let mut entered = prediction.entered().iter();
    ///     entered.find(|(_, it)| (it.entity, it.other) == (bucket, ball)).map(|&(time, _)| time)
    /// }
    /// ```
    #[must_use]
    pub fn entered(&self) -> &[(f32, SensorOverlapStarted)] {
        &self.entered
    }
}
