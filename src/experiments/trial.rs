//! [`Trial`]: the experiment of the running scene, and its measurement.

use bevy::prelude::*;

use super::{Experiment, Meter, Modes, Outcome, Start, experiment};
use crate::{
    collision::{
        CollisionSettings, PhysicsSchedule, PhysicsSpace, Replaying, SimulationSystems, SolverMode, TickSystems,
        require_physics, tick_schedule,
    },
    components::{Disc, Velocity},
    motion::MotionSettings,
    notice::{NoticeText, Notices, mark},
    scene::{CurrentScene, SceneEnded, SceneStarted},
    timeline::{Playback, advance, ticked, will_tick},
};

/// The experiment of the running scene, measured from its first tick. [`ExperimentPlugin`] feeds it.
///
/// The measurement is about one whole run. If discs, settings, forces or the length of a tick change during it, or the
/// history goes to another tick, it has no result until the scene restarts. A final result stays until then.
#[derive(Resource, Default)]
pub struct Trial {
    experiment: Option<&'static Experiment>,
    run: Option<Run>,
}

/// A run that is being measured.
struct Run {
    meter: Result<Box<dyn Meter>, String>,
    /// The last tick that was prepared.
    tick: u64,
    ids: Vec<u64>,
    settings: CollisionSettings,
    motion: MotionSettings,
    time_step: f32,
    /// The tick after which the velocities were reversed, if they were.
    reversed: Option<u64>,
}

const ELASTIC: &str =
    mark("The expected value holds without losses. Set both restitutions to 1, and drag and friction to 0.");

/// Whether its expected value holds without losses only: an experiment that varies the restitution knows of them.
fn needs_elastic_hits(experiment: &Experiment) -> bool {
    experiment.vary.iter().all(|vary| vary.name != "restitution")
}

fn loses_energy(settings: &CollisionSettings, motion: &MotionSettings) -> bool {
    settings.restitution < 1.0 || settings.terrain_restitution < 1.0 || motion.drag > 0.0 || motion.friction > 0.0
}

const CHANGED: &str = mark("The run was changed or is not from its start. Restart the scene to measure it.");

impl Trial {
    /// Starts to measure this experiment with the next tick, or stops without one.
    pub fn start(&mut self, experiment: Option<&'static Experiment>) {
        *self = Self { experiment, run: None };
    }

    /// The experiment.
    #[must_use]
    pub fn experiment(&self) -> Option<&'static Experiment> {
        self.experiment
    }

    /// The result so far. `None` before the first tick, and without an experiment.
    ///
    /// # Errors
    /// Why there is none, as a sentence.
    pub fn outcome(&self) -> Option<Result<Outcome, String>> {
        let run = self.run.as_ref()?;
        Some(run.meter.as_ref().map(|meter| meter.outcome()).map_err(Clone::clone))
    }

    /// Whether a final result is there.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.run.as_ref().is_some_and(Run::is_final)
    }

    /// How the experiment fails in this mode, if it does.
    #[must_use]
    pub fn caution(&self, mode: SolverMode) -> Option<&'static str> {
        match self.experiment?.modes {
            Modes::Continuous(fails) if mode == SolverMode::Stepped => Some(fails),
            _ => None,
        }
    }

    fn prepare(&mut self, space: &mut PhysicsSpace, settings: &CollisionSettings, motion: &MotionSettings) {
        let Some(experiment) = self.experiment else { return };
        let (clock, gravity) = (&space.clock, motion.gravity);
        match &mut self.run {
            Some(run) if run.is_final() => run.tick = clock.tick,
            Some(run) if clock.tick == run.tick + 1 && run.continues_in(space, settings, motion) => run.tick += 1,
            Some(run) if clock.tick > 1 => (run.tick, run.meter) = (clock.tick, Err(CHANGED.to_owned())),
            run => {
                *run = Some(Run {
                    meter: if needs_elastic_hits(experiment) && loses_energy(settings, motion) {
                        Err(ELASTIC.to_owned())
                    } else {
                        (experiment.begin)(&Start { space, gravity })
                    },
                    tick: clock.tick,
                    ids: space.discs.id.clone(),
                    settings: settings.clone(),
                    motion: motion.clone(),
                    time_step: clock.time_step,
                    reversed: None,
                });
            }
        }
        space.laws.settings.report_above = 0.0;
    }

    fn observe(&mut self, space: &PhysicsSpace) {
        if let Some(run) = &mut self.run
            && !run.is_final()
            && let Ok(meter) = &mut run.meter
        {
            meter.observe(space);
        }
    }
}

impl Run {
    fn is_final(&self) -> bool {
        self.meter.as_ref().is_ok_and(|meter| meter.outcome().is_final())
    }

    fn continues_in(&self, space: &PhysicsSpace, settings: &CollisionSettings, motion: &MotionSettings) -> bool {
        self.ids == space.discs.id
            && self.settings == *settings
            && self.motion == *motion
            && self.time_step == space.clock.time_step
    }
}

/// Adds the resource [`Trial`]. When a scene with an experiment starts, its measurement starts, too. While it measures,
/// the space reports every hit, however slow; messages still follow
/// [`report_above`](CollisionSettings::report_above).
///
/// It needs [`PhysicsPlugins`](crate::PhysicsPlugins) and [`ScenePlugin`](crate::scene::ScenePlugin).
pub struct ExperimentPlugin;

impl Plugin for ExperimentPlugin {
    fn build(&self, app: &mut App) {
        let schedule = tick_schedule(app);
        app.init_resource::<Trial>()
            .add_observer(begin)
            .add_observer(end)
            .add_systems(
                PhysicsSchedule,
                prepare
                    .after(TickSystems::Gather)
                    .before(TickSystems::BroadPhase)
                    .run_if(is_measuring.and_then(not(resource_exists::<Replaying>))),
            )
            .add_systems(FixedPreUpdate, reverse.run_if(is_measuring.and_then(will_tick)))
            .add_systems(schedule, observe.after(SimulationSystems).run_if(is_measuring.and_then(ticked)));
    }

    fn finish(&self, app: &mut App) {
        require_physics(self, app);
    }
}

fn begin(_: On<SceneStarted>, scene: Res<CurrentScene>, mut trial: ResMut<Trial>, notices: Option<ResMut<Notices>>) {
    let name = &scene.file.experiment;
    trial.start(experiment(name));
    if trial.experiment.is_none()
        && !name.is_empty()
        && let Some(mut notices) = notices
    {
        notices.error(NoticeText::new(mark("there is no experiment {}"), [name.clone()]));
    }
}

fn end(_: On<SceneEnded>, mut trial: ResMut<Trial>) {
    trial.start(None);
}

fn is_measuring(trial: Res<Trial>) -> bool {
    trial.experiment.is_some()
}

/// Reverses the velocities where the meter asks for it.
fn reverse(mut trial: ResMut<Trial>, space: Res<PhysicsSpace>, mut velocities: Query<&mut Velocity, With<Disc>>) {
    let tick = space.clock.tick;
    if let Some(Run { meter: Ok(meter), tick: last, reversed, .. }) = &mut trial.run
        && *last == tick
        && *reversed != Some(tick)
        && meter.reverses()
    {
        *reversed = Some(tick);
        for mut velocity in &mut velocities {
            velocity.0 = -velocity.0;
        }
    }
}

fn prepare(
    mut trial: ResMut<Trial>,
    mut space: ResMut<PhysicsSpace>,
    settings: Res<CollisionSettings>,
    motion: Res<MotionSettings>,
) {
    trial.prepare(&mut space, &settings, &motion);
}

fn observe(mut trial: ResMut<Trial>, space: Res<PhysicsSpace>) {
    trial.observe(&space);
}

/// Runs the scene of a world until its experiment has a final result, or for the longest time of the experiment.
///
/// # Errors
/// If the scene has no experiment, is not one for it, or has no result in that time.
pub fn run_to_end(world: &mut World) -> Result<Outcome, String> {
    let Some(experiment) = world.resource::<Trial>().experiment else {
        return Err("the scene has no experiment; set its field `experiment`".to_owned());
    };
    let rate = world.resource::<Playback>().rate(world.resource::<Time<Fixed>>());
    let longest = (experiment.seconds * rate).ceil() as u64;
    let at_once = ((rate / 8.0) as u64).max(1);
    let mut ticks = 0;
    while ticks < longest {
        advance(world, at_once);
        ticks += at_once;
        let trial = world.resource::<Trial>();
        if trial.is_done() || matches!(trial.outcome(), Some(Err(_))) {
            break;
        }
    }
    let outcome = world.resource::<Trial>().outcome().unwrap_or_else(|| Err("no tick was run".to_owned()))?;
    if outcome.value.is_none() {
        return Err(format!("there is no result after {} s", experiment.seconds));
    }
    Ok(outcome)
}
