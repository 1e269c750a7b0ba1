//! Predictions: the same ticks on a copy of the state.
//!
//! A [`Prediction`], created by a [`Predictor`](super::Predictor), runs the functions of the tick itself under the same
//! [`Forces`]. Its result is bit-identical to the real ticks, as long as nothing interferes. It can run in small parts,
//! within a frame or on a task (see [`BackgroundPrediction`](super::BackgroundPrediction)).

use bevy::{ecs::entity::EntityHashSet, platform::time::Instant, prelude::*};
use std::time::Duration;

use super::arcs::{Arc, arcs};
use crate::{
    collision::{
        Collision, CollisionSettings, Discs, LeftTable, PhysicsSpace, Potted, SensorOverlapStarted, begin_ticks,
        run_next_tick, run_tick,
    },
    motion::Forces,
};

/// How far to predict. A [`Prediction`] ends earlier if all discs are permanently at rest.
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::prelude::*;
/// # let ball = Entity::PLACEHOLDER;
/// // Until the ball has hit something four times, and for three seconds at most.
/// let horizon = Horizon { seconds: 3.0, impacts: 4, of: Some(ball) };
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Horizon {
    /// The longest time, in seconds. Default: 60.
    pub seconds: f32,
    /// The largest number of impacts. Default: unlimited.
    pub impacts: usize,
    /// The disc whose impacts count, for `impacts` and for [`Prediction::until`]. Default: `None`, all discs.
    pub of: Option<Entity>,
}

impl Default for Horizon {
    fn default() -> Self {
        Self { seconds: 60.0, impacts: usize::MAX, of: None }
    }
}

impl Horizon {
    /// Whether an impact counts.
    fn counts(&self, hit: &Collision) -> bool {
        self.of.is_none_or(|disc| hit.other(disc).is_some())
    }
}

/// The path of one disc: its start, its turning points, and its end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    /// Positions (metres) with their times (seconds from the start).
    pub points: Vec<(Vec2, f32)>,
    /// The height of the lowest point of the disc above the cloth at each of the points, metres. Empty unless the disc
    /// flies. In the air there is a point at the end of every tick, at every hit and at every landing.
    pub heights: Vec<f32>,
    /// The velocity after the last point, for detecting bends.
    heading: Vec2,
}

impl Path {
    /// Adds a point if the path has bent since the last one. Adds nothing for a disc that has fallen or vanished.
    fn bend(&mut self, position: Vec2, velocity: Vec2, now: f32) {
        if !position.is_finite() {
            return;
        }
        let turned = self.heading.perp_dot(velocity);
        let lengths = self.heading.length_squared() * velocity.length_squared();
        if turned * turned > BEND * BEND * lengths || self.heading.dot(velocity) < 0.0 {
            self.push(position, now, 0.0);
            self.heading = velocity;
        } else if self.heading == Vec2::ZERO {
            self.heading = velocity;
        }
    }

    /// Adds the end of the path. Adds nothing for a disc that has fallen or vanished before.
    fn end(&mut self, position: Vec2, now: f32) {
        if position.is_finite() && self.points.last().is_some_and(|&(at, _)| at != position) {
            self.push(position, now, 0.0);
        }
    }

    /// Adds a point, at this height above the cloth.
    fn push(&mut self, position: Vec2, now: f32, height: f32) {
        if height > 0.0 && self.heights.is_empty() {
            self.heights.resize(self.points.len(), 0.0);
        }
        self.points.push((position, now));
        if height > 0.0 || !self.heights.is_empty() {
            self.heights.push(height);
        }
    }

    /// The parts of the path in the air, in order.
    #[must_use]
    pub fn arcs(&self) -> Vec<Arc> {
        arcs(&self.points, &self.heights)
    }
}

/// A copy of a state that runs ahead, and a record of what happened in it.
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
    left: Vec<(f32, LeftTable)>,
    /// The prediction ends when a disc reaches one of these entities.
    goals: EntityHashSet,
    /// The entities that vanish when they are hit or entered.
    vanishing: EntityHashSet,
    /// Slower impacts are not reported as messages, m/s.
    report_above: f32,
    /// The number of impacts that count for the horizon.
    counted: usize,
    ticks: u64,
    /// The positions after the last tick as bits, if no disc moved.
    at_rest: Option<Vec<[u32; 2]>>,
    done: bool,
}

/// A path gets a point once it has turned by this sine since the last one.
const BEND: f32 = 0.02;

/// The most ticks between two readings of the clock. Reading it takes up to half as long as a tick with a few discs and
/// no events.
const MAX_TICKS_PER_LOOK: u32 = 16;

impl Prediction {
    /// A prediction for a given space, in ticks of `time_step` seconds with these settings and forces. To predict a
    /// world, use [`Predictor`](super::Predictor), which takes all of these from it (the forces of the real ticks are
    /// in [`CurrentForces`](crate::motion::CurrentForces)). The velocities are those in `space.discs`; for a shot, set
    /// the velocity of the disc before. The length of the real ticks is
    /// [`Playback::time_step`](super::Playback::time_step). If `time_step` is not above zero, a warning is logged and
    /// nothing is predicted.
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
        // Records every impact, however slow.
        let settings = CollisionSettings { report_above: 0.0, ..settings.clone() };
        begin_ticks(&mut space, &settings, time_step);
        let start = space.discs.clone();
        let paths = (0..start.len())
            .map(|i| Path { points: vec![(start.position[i], 0.0)], heading: start.velocity[i], ..Path::default() })
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
            left: Vec::new(),
            goals: EntityHashSet::default(),
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

    /// The same prediction, which also ends with the tick in which a disc reaches one of these entities. A disc reaches
    /// a sensor when it enters, a pocket when it falls in, and anything else when it hits it. If [`Horizon::of`] is
    /// set, only that disc counts.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use carom::prelude::*;
    /// fn aim(predictor: Predictor, ball: Single<Entity, With<Disc>>, sensors: Query<Entity, With<Sensor>>) {
    ///     let horizon = Horizon { seconds: 3.0, of: Some(*ball), ..default() };
    ///     let Some(prediction) = predictor.shot(*ball, vec2(2.0, 0.0), horizon) else { return };
    ///     let prediction = prediction.until(&sensors).finished();
    ///     println!("reaches a sensor: {}", !prediction.entered().is_empty());
    /// }
    /// # let mut app = App::new();
    /// # app.add_plugins((MinimalPlugins, PhysicsPlugins::default())).add_systems(Update, aim);
    /// # app.world_mut().spawn(Disc);
    /// # app.update();
    /// ```
    #[must_use]
    pub fn until(mut self, entities: impl IntoIterator<Item = Entity>) -> Self {
        self.goals.extend(entities);
        self
    }

    /// Runs to the horizon, however long that takes. To spread a long prediction over frames, use
    /// [`Prediction::run_for`].
    #[must_use]
    pub fn finished(mut self) -> Self {
        while !self.done {
            self.tick();
        }
        self
    }

    /// Continues for about `duration`, and returns whether the prediction is done. It runs at least one tick, and ends
    /// with the tick that exceeds the time. If ticks without impacts suddenly take much longer, it may run a few more.
    /// The result does not depend on the number of calls or their durations.
    pub fn run_for(&mut self, duration: Duration) -> bool {
        let begin = Instant::now();
        let (mut ticks, mut spent) = (1, Duration::ZERO);
        while !self.done {
            for _ in 0..ticks {
                self.tick();
                // Ticks with impacts take longest.
                if self.done || !self.space.report.hits.is_empty() {
                    break;
                }
            }
            let now = begin.elapsed();
            if now >= duration {
                break;
            }
            // Twice as many ticks take about twice as long.
            let took = now.saturating_sub(spent);
            ticks = if took * 4 <= duration.saturating_sub(now) { (2 * ticks).min(MAX_TICKS_PER_LOOK) } else { 1 };
            spent = now;
        }
        self.done
    }

    /// Runs one tick, unless the prediction is done.
    pub fn tick(&mut self) {
        if self.done {
            return;
        }
        let began = self.seconds();
        if self.forces.only_accelerate() {
            run_next_tick(&mut self.space, |space| self.forces.act(space));
        } else {
            // A force of the game may have moved discs, and `Gather` reads values again that are not written back.
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
        let Self { space, paths, ticks, start, .. } = self;
        // The forces of the first tick have set the table. Until now, each path has one point.
        if *ticks == 1 && space.laws.balls_fly() {
            for above in start.heights.iter().filter(|above| start.can_fly(above.disc as usize)) {
                paths[above.disc as usize].heights = vec![above.height];
            }
        }
        for vertex in &space.report.path_vertices {
            paths[vertex.disc as usize].push(vertex.position, began + vertex.time, vertex.height);
        }
        for vertex in &space.report.path_vertices {
            paths[vertex.disc as usize].heading = space.discs.velocity[vertex.disc as usize];
        }
        // Arcs are straight from above, and bend from the side.
        let above = if space.laws.balls_fly() { space.discs.heights.as_slice() } else { &[] };
        for above in above.iter().filter(|above| space.discs.can_fly(above.disc as usize)) {
            let (disc, path) = (above.disc as usize, &mut paths[above.disc as usize]);
            path.push(space.discs.position[disc], now, above.height);
            path.heading = space.discs.velocity[disc];
        }
        // Forces bend paths slowly.
        if ticks.is_multiple_of(4) || !space.report.hits.is_empty() {
            for (i, path) in paths.iter_mut().enumerate() {
                path.bend(space.discs.position[i], space.discs.velocity[i], now);
            }
        }
    }

    /// Records the events of the tick that began at this time, seconds. Returns whether the horizon ends with them.
    fn record(&mut self, began: f32) -> bool {
        let Self { space, horizon, goals, impacts, entered, potted, left, counted, .. } = self;
        let (discs, tick) = (&space.discs, space.clock.tick);
        let ends_with = |target: Entity, disc: Entity| {
            goals.contains(&target) && horizon.of.is_none_or(|of| of == disc || of == target)
        };
        let mut reached = false;
        for hit in &space.report.hits {
            let hit = Collision::of(hit, discs, tick);
            let (a, b) = (hit.a, hit.b.entity());
            *counted += usize::from(horizon.counts(&hit));
            reached |= ends_with(a, b) || ends_with(b, a);
            impacts.push((began + hit.time, hit));
        }
        for overlap in SensorOverlapStarted::all(space) {
            reached |= ends_with(overlap.entity, overlap.other);
            entered.push((began + overlap.time, overlap));
        }
        for fallen in &space.report.fallen {
            let time = began + fallen.time;
            if let Some(fallen) = Potted::of(fallen, discs, tick) {
                reached |= ends_with(fallen.pocket, fallen.disc);
                potted.push((time, fallen));
            }
            left.extend(LeftTable::of(fallen, discs, tick).map(|fallen| (time, fallen)));
        }
        reached
    }

    /// Whether all discs rest and nothing will move them. A disc at the top of its flight does not rest, and neither
    /// does one in a wind that is still to come.
    fn rests(&mut self) -> bool {
        let Self { space, forces, at_rest, .. } = self;
        let spins = space.discs.spin.iter().flatten().any(|spin| spin.angular_velocity != Vec3::ZERO);
        let mut motions = space.discs.position.iter().zip(&space.discs.velocity);
        // Includes velocities that a force gives to a fallen disc.
        let moving = spins
            || space.any_flies()
            || motions.any(|(position, velocity)| position.is_finite() && *velocity != Vec2::ZERO);
        let places = || space.discs.position.iter().map(|position| position.to_array().map(f32::to_bits)).collect();
        let before = std::mem::replace(at_rest, (!moving).then(places));
        let led = space.terrain_moves() || !space.discs.periodic.is_empty();
        let pushed = led || !space.discs.constant_forces.is_empty() || space.has_joints();
        !moving && !pushed && before == *at_rest && forces.keep_rest()
    }

    /// Removes the entities that vanish after the tick that ended at this time, seconds.
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

    /// Whether the prediction is done: all discs are permanently at rest, or the time or the number of impacts is used
    /// up.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// The time simulated so far, seconds.
    #[must_use]
    pub fn seconds(&self) -> f32 {
        (self.ticks as f64 * f64::from(self.space.clock.time_step)) as f32
    }

    /// The ticks simulated so far.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// The discs at the start.
    #[must_use]
    pub fn start(&self) -> &Discs {
        &self.start
    }

    /// The discs at the time simulated so far. The positions of discs that have fallen into pockets or vanished are
    /// NaN.
    #[must_use]
    pub fn discs(&self) -> &Discs {
        &self.space.discs
    }

    /// The path of every disc, by its index. Until the prediction is done, the last point may be behind the disc.
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

    /// The balls that leave the table, by time (seconds from the start). These are the messages that the ticks will
    /// write.
    #[must_use]
    pub fn left_table(&self) -> &[(f32, LeftTable)] {
        &self.left
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
    ///     let horizon = Horizon { seconds: 5.0, of: Some(ball), ..default() };
    ///     let prediction = predictor.predict(horizon).until([bucket]).finished();
    ///     let mut entered = prediction.entered().iter();
    ///     entered.find(|(_, it)| (it.entity, it.other) == (bucket, ball)).map(|&(time, _)| time)
    /// }
    /// ```
    #[must_use]
    pub fn entered(&self) -> &[(f32, SensorOverlapStarted)] {
        &self.entered
    }
}
