//! The checks while a scene runs.

use std::{
    cell::{Cell, RefCell},
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Once,
};

use bevy::{ecs::system::SystemState, prelude::*};
use carom::{
    PhysicsPlugins,
    collision::{Discs, PhysicsSpace, SimdLevel, SolverMode, Threads, measure},
    components::{
        CollisionLayers, Disc, InPocket, Inactive, Kinematic, LockedAxes, Orbit, Oscillation, Position, Sensor,
        StableId, Terrain, Velocity,
    },
    prelude::Mass,
    scene::{SceneFile, ScenePlugin, SceneSource, spawn},
    timeline::{Horizon, Predictor, advance, run_in_order},
};

use crate::energy::{allowed_rise, energy, step};

/// A promise that a scene breaks.
#[derive(Clone, Debug, PartialEq)]
pub struct Broken {
    pub promise: &'static str,
    pub details: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.promise, self.details)
    }
}

fn broken<T>(promise: &'static str, details: impl Into<String>) -> Result<T, Broken> {
    Err(Broken { promise, details: details.into() })
}

/// Two apps that run one scene after another. A scene must leave nothing behind for the next.
pub struct Bench {
    apps: [App; 2],
    simd: [SimdLevel; 2],
}

/// The number of ticks to run: about a second, within limits.
fn ticks(file: &SceneFile) -> u64 {
    (file.pace.tick_rate as u64).clamp(24, 90)
}

impl Bench {
    pub fn new() -> Self {
        let levels = SimdLevel::available();
        Self { apps: [app(), app()], simd: [levels[0], levels[levels.len() - 1]] }
    }

    /// Runs a scene in all ways, and reports the promise that it breaks. An invalid scene passes.
    pub fn try_scene(&mut self, file: &SceneFile) -> Result<(), Broken> {
        let result = self.try_here(file);
        let Err(problem) = result else { return Ok(()) };
        // The failed run may have left something behind.
        *self = Self::new();
        match self.try_here(file) {
            Err(problem) => {
                *self = Self::new();
                Err(problem)
            }
            Ok(()) => broken("a scene leaves nothing behind for the next", problem.to_string()),
        }
    }

    fn try_here(&mut self, file: &SceneFile) -> Result<(), Broken> {
        if file.check().is_err() {
            return Ok(());
        }
        quietly(|| {
            let end = self.run_whole(file)?;
            self.run_in_pieces(file, &end)
        })
    }

    /// Runs a scene tick by tick, together with its prediction, and returns its final state.
    fn run_whole(&mut self, file: &SceneFile) -> Result<String, Broken> {
        let world = self.apps[0].world_mut();
        start(world, file, self.simd[0], Threads::Auto)?;
        let mut prediction = {
            let mut state = SystemState::<Predictor>::new(world);
            let predictor = state
                .get(world)
                .map_err(|error| Broken { promise: "it can be predicted", details: error.to_string() })?;
            predictor.predict(Horizon { seconds: f32::INFINITY, ..Horizon::default() })
        };
        let (mut most, mut sharing) = energy(world, step(file));
        let half = extent(file);
        let rise = allowed_rise(file, most, half);
        for tick in 1..=ticks(file) {
            let before = impacts(world);
            advance(world, 1);
            bounded(file, before, impacts(world))
                .map_err(|problem| Broken { details: format!("{} (tick {tick})", problem.details), ..problem })?;
            inside_and_finite(world, file, half)
                .map_err(|problem| Broken { details: format!("{} (tick {tick})", problem.details), ..problem })?;
            if let Some(rise) = rise {
                let (now, count) = energy(world, step(file));
                if count != sharing {
                    // A disc in a pocket takes its energy with it.
                    (most, sharing) = (now, count);
                }
                if !(now <= most + rise) {
                    return broken(
                        "no energy from nothing",
                        format!("tick {tick}: {now} J after {most} J, {rise} J allowed"),
                    );
                }
            }
            prediction.tick();
            let real = measure::state_hash(&Discs::of(world));
            if !prediction.is_done() && real != measure::state_hash(prediction.discs()) {
                return broken("the prediction is what happens", format!("tick {tick}"));
            }
        }
        Ok(state(world))
    }

    /// Runs a scene in two parts, saved and read back in between, with another SIMD level and more tasks.
    fn run_in_pieces(&mut self, file: &SceneFile, expected: &str) -> Result<(), Broken> {
        let (simd, whole) = (self.simd[1], ticks(file));
        let half = whole / 2;
        let world = self.apps[1].world_mut();
        let end_after = |world: &mut World, simd, threads, saves: bool| -> Result<String, Broken> {
            start(world, file, simd, threads)?;
            advance(world, half);
            if saves {
                let saved = SceneFile::capture(world);
                let text = saved.to_text().expect("a scene can be written");
                let read = match SceneFile::parse(&text, "saved.ron") {
                    Ok(read) => read,
                    Err(error) => return broken("a save can be read back", error.to_string()),
                };
                if read != saved {
                    return broken("a save is read back as it was", "");
                }
                start(world, &read, simd, threads)?;
            }
            advance(world, whole - half);
            Ok(state(world))
        };
        let found = end_after(world, simd, Threads::Tasks(3), true)?;
        if found == expected {
            return Ok(());
        }
        let details = difference(expected, &found);
        // Finds which of the three differences matters.
        if end_after(world, simd, Threads::Tasks(3), false)? == expected {
            return broken("a save continues as the run did", details);
        }
        if end_after(world, self.simd[0], Threads::Auto, false)? != expected {
            return broken("ticks at once are ticks one by one", details);
        }
        if end_after(world, simd, Threads::Auto, false)? != expected {
            return broken("any instructions give the same bits", details);
        }
        broken("any number of tasks gives the same bits", details)
    }
}

fn app() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), ScenePlugin));
    run_in_order(&mut app);
    app.finish();
    app.cleanup();
    app
}

fn start(world: &mut World, file: &SceneFile, simd: SimdLevel, threads: Threads) -> Result<(), Broken> {
    if let Err(error) = spawn(world, SceneSource::Path("fuzz.ron".into()), file.clone()) {
        return broken("a valid scene begins", error.to_string());
    }
    let mut space = world.resource_mut::<PhysicsSpace>();
    (space.compute.simd, space.compute.threads) = (simd, threads);
    // As in a frame: the prediction's copies of resources are updated there.
    world.run_schedule(PreUpdate);
    Ok(())
}

/// The complete state as text, without signs of zeros.
fn state(world: &mut World) -> String {
    let text = SceneFile::capture(world).to_text().expect("a scene can be written");
    text.replace("-0.0,", "0.0,").replace("-0.0)", "0.0)")
}

/// The first line in which two states differ.
fn difference(expected: &str, found: &str) -> String {
    let mut lines = expected.lines().zip(found.lines()).enumerate().filter(|(_, (a, b))| a != b);
    lines.next().map_or_else(
        || "they differ in length".to_owned(),
        |(line, (a, b))| format!("line {line}: `{}` became `{}`", a.trim(), b.trim()),
    )
}

/// Half of the size of the area in which a scene lies.
fn extent(file: &SceneFile) -> Vec2 {
    let periodic = file.collision.periodic;
    let mut half = Vec2::new(periodic.x.map_or(0.0, |ends| ends.1), periodic.y.map_or(0.0, |ends| ends.1));
    for piece in file.terrain.iter().take(2) {
        half = half.max(match &piece.shape {
            Terrain::Arena { half_size } => *half_size,
            Terrain::Arc { radius, .. } if piece.id == Some(0) => Vec2::splat(*radius),
            Terrain::Segment { a, b } if piece.id < Some(2) => a.abs().max(b.abs()),
            _ => Vec2::ZERO,
        });
    }
    half
}

type Seen<'a> = (&'a StableId, &'a Position, &'a Velocity, Option<&'a CollisionLayers>, Has<Sensor>);
type Block<'a> =
    (&'a StableId, &'a Position, Option<&'a Velocity>, Option<&'a CollisionLayers>, Option<&'a LockedAxes>);

/// The number of hits of discs, and the number of hits of blocks with anything but discs.
fn impacts(world: &World) -> [u64; 2] {
    let space = world.resource::<PhysicsSpace>();
    [space.report.collisions, space.block_impacts()]
}

/// Checks that a tick has no more impacts than the budgets allow, and so ends.
fn bounded(file: &SceneFile, before: [u64; 2], after: [u64; 2]) -> Result<(), Broken> {
    let substeps = if file.collision.mode == SolverMode::Stepped { file.collision.substeps } else { 1 };
    let count = |entries: usize| entries as u64 * u64::from(substeps);
    let budget = u64::from(file.collision.impact_budget) + 64;
    let discs = count(file.discs.len());
    let blocks = count(file.terrain.iter().filter(|piece| piece.mass.is_some()).count());
    let allowed = [(discs * 25 + blocks * 16) * budget, blocks * 16 * budget];
    let had = [after[0] - before[0], after[1] - before[1]];
    if had[0] > allowed[0] || had[1] > allowed[1] {
        return broken("a tick has an end", format!("{had:?} impacts of discs and blocks, {allowed:?} allowed"));
    }
    Ok(())
}

/// Checks that everything has finite values, takes part in the simulation, and is inside its surroundings.
fn inside_and_finite(world: &mut World, file: &SceneFile, half: Vec2) -> Result<(), Broken> {
    if let Some(left_out) = measure::left_out(world).first() {
        return broken("nothing becomes invalid", left_out.to_string());
    }
    let walls: Option<CollisionLayers> =
        file.terrain.first().filter(|piece| piece.id == Some(0)).map(|piece| piece.get().copied().unwrap_or_default());
    let is_round = matches!(file.terrain.first().map(|piece| &piece.shape), Some(Terrain::Arc { radius, .. }) if Vec2::splat(*radius) == half);
    let periodic = file.collision.periodic;
    let margin = 1e-4 * half.max_element();
    let is_outside = |at: Vec2, layers: Option<&CollisionLayers>| {
        let meets = walls.is_some_and(|walls| walls.can_collide(layers.copied().unwrap_or_default()));
        let beyond = at.abs() - half;
        let out_of_walls = if is_round {
            at.length() > half.x + margin
        } else {
            beyond.x > margin && periodic.x.is_none() || beyond.y > margin && periodic.y.is_none()
        };
        let out_of_cell = beyond.x > margin && periodic.x.is_some() || beyond.y > margin && periodic.y.is_some();
        meets && out_of_walls || out_of_cell
    };
    let mut discs =
        world.query_filtered::<Seen, (With<Disc>, Without<InPocket>, Without<Inactive>, Without<Kinematic>)>();
    for (id, at, velocity, layers, is_sensor) in discs.iter(world) {
        let (id, at, velocity) = (id.0, at.0, velocity.0);
        if !(at.is_finite() && velocity.is_finite()) {
            return broken("every number is finite", format!("disc {id} at {at} with {velocity}"));
        }
        if !is_sensor && is_outside(at, layers) {
            return broken("nobody escapes", format!("disc {id} at {at} with {velocity}, outside {half}"));
        }
    }
    let mut blocks = world.query_filtered::<Block, (
        (With<Terrain>, With<Mass>),
        (Without<Sensor>, Without<Inactive>, Without<Oscillation>, Without<Orbit>),
    )>();
    for (id, at, velocity, layers, locked) in blocks.iter(world) {
        let (id, at, velocity) = (id.0, at.0, velocity.map_or(Vec2::ZERO, |velocity| velocity.0));
        if !(at.is_finite() && velocity.is_finite()) {
            return broken("every number is finite", format!("block {id} at {at} with {velocity}"));
        }
        // A block that crosses a periodic edge hits nothing there until the tick ends, so it may pass the end of a
        // wall.
        let is_held = locked.is_some_and(|locked| locked.translation) || !periodic.is_open();
        if !is_held && is_outside(at, layers) {
            return broken("nobody escapes", format!("block {id} at {at} with {velocity}, outside {half}"));
        }
    }
    Ok(())
}

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs a function, and turns a panic in it into a broken promise without printing it.
fn quietly<T>(run: impl FnOnce() -> Result<T, Broken>) -> Result<T, Broken> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if QUIET.get() {
                PANIC.set(info.to_string());
            } else {
                usual(info);
            }
        }));
    });
    QUIET.set(true);
    let result = catch_unwind(AssertUnwindSafe(run));
    QUIET.set(false);
    result.unwrap_or_else(|_| broken("nothing panics", PANIC.take()))
}
