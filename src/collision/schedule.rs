//! The order of a tick: its sets and schedules for the ECS, and the same order without an ECS ([`run_tick`]). The steps
//! of a substep are listed once, in `STEPS`.

use core::fmt;

use bevy::{
    ecs::{
        message::signal_message_update_system,
        schedule::{InternedScheduleLabel, ScheduleLabel, SingleThreadedExecutor},
    },
    prelude::*,
};

use crate::components::{Joint, warn_of_idle_components};

use super::{
    AllAtRest, Cause, CollidingEntities, Collision, CollisionSettings, ContactEnded, ContactStarted, ForceStep,
    InvalidEntities, LeftTable, PhysicsSpace, Potted, ReportCollisions, SensorOverlapEnded, SensorOverlapStarted,
    SolverMode, Stage,
    account::{self, Entry},
    bridge::{
        columns::ColumnLayout,
        contacts,
        gather::{Everything, Gather},
        gather_height, gather_joints, gather_moving,
        rare::{ForRare, any_rare},
        report, scatter, sensors,
    },
    steps,
    tick::{Clock, Replaying},
};

/// The whole tick, in the schedule given to [`PhysicsPlugins`](crate::PhysicsPlugins), by default `FixedPostUpdate`.
/// It runs the [`PhysicsSchedule`]. Order your own systems before or after it, or hold it back with a run condition.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SimulationSystems;

/// The schedule of one tick; see [`TickSystems`]. A system in it is part of the physics: it also runs when
/// [`History`](crate::timeline::History) replays a tick.
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct PhysicsSchedule;

/// The system that runs the [`PhysicsSchedule`], inside [`SimulationSystems`].
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RunPhysics;

/// The steps of the tick, in order, inside the [`PhysicsSchedule`].
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TickSystems {
    /// Components → [`PhysicsSpace`].
    Gather,
    /// Candidate pairs for the whole tick.
    BroadPhase,
    /// Runs the schedule [`Substep`]. The stepped mode runs it once per substep. The continuous mode runs it twice:
    /// once for the first half of the forces and all steps, and once for the second half of the forces.
    Substeps,
    /// [`PhysicsSpace`] → components.
    Scatter,
    /// Messages and entity events.
    Report,
}

/// The schedule of one substep; see [`SubstepSystems`].
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Substep;

/// The steps of one substep, in order, inside the schedule [`Substep`]. Systems here read and write [`PhysicsSpace`].
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SubstepSystems {
    /// Systems of a game for forces that need the ECS in the middle of a tick. They change velocities. Predictions do
    /// not include them, so prefer [`motion::Forces`](crate::motion::Forces) where possible. Empty by default.
    ///
    /// It runs once per substep, in the continuous mode twice per tick, each time for [`PhysicsSpace::substep`]
    /// seconds: add `acceleration * space.substep()`, or call [`motion::force`](crate::motion::force). A single impulse
    /// is not a force: change the component [`Velocity`](crate::components::Velocity) before the [`SimulationSystems`],
    /// in `FixedUpdate`.
    ///
    /// Apply a constant acceleration of all discs by [`motion::gravity`](crate::motion::gravity). Otherwise piles
    /// cannot find their supports, get no springs, and never sleep.
    ///
    /// Give several systems in here an order (`.chain()`): sums are rounded, so the order changes bits.
    Forces,
    /// The list of [`motion::Forces`](crate::motion::Forces), including those of
    /// [`MotionSettings`](crate::motion::MotionSettings).
    Motion,
    /// Brings piles to rest, if the settings ask for it.
    Settle,
    /// Resolves the tick impact by impact, in the continuous mode. The steps below then have nothing to do. [`Joint`]s
    /// act just before it, and again after the second half of the forces.
    Impacts,
    /// Moves discs by their velocities; they bounce where their paths hit terrain. [`Joint`]s act just before it, and
    /// again at the end of the substep.
    Integrate,
    /// Separates overlapping discs and records contacts.
    PushApart,
    /// Resolves approaching contacts.
    Impulse,
    /// Discs and walls.
    Walls,
    /// Discs and corners, discs and bumpers.
    FixedCircles,
}

/// The schedule of [`SimulationSystems`], for a plugin that adds systems to it: the one given to [`CollisionPlugin`],
/// or [`FixedPostUpdate`] if that plugin has not been added yet.
#[must_use]
pub fn tick_schedule(app: &App) -> InternedScheduleLabel {
    app.world().get_resource::<TickSchedule>().map_or(FixedPostUpdate.intern(), |schedule| schedule.0)
}

#[derive(Resource)]
struct TickSchedule(InternedScheduleLabel);

/// Checks that an app has the physics. A plugin that needs it calls this in its [`finish`](Plugin::finish), so that
/// there is one clear error instead of many about missing resources.
///
/// ```should_panic
/// # use bevy::prelude::*;
/// # use carom::{collision::require_physics, prelude::*};
/// struct GamePlugin;
///
/// impl Plugin for GamePlugin {
///     fn build(&self, app: &mut App) {
///         app.add_systems(Update, |space: Res<PhysicsSpace>| println!("{} ticks", space.clock.tick));
///     }
///
///     fn finish(&self, app: &mut App) {
///         require_physics(self, app);
///     }
/// }
///
/// App::new().add_plugins((MinimalPlugins, GamePlugin)).run();
/// ```
///
/// # Panics
/// If [`PhysicsPlugins`](crate::PhysicsPlugins) are not added.
pub fn require_physics(plugin: &impl Plugin, app: &App) {
    assert!(
        app.world().contains_resource::<PhysicsSpace>(),
        "{} needs carom::PhysicsPlugins: add `PhysicsPlugins::default()` to the app",
        plugin.name()
    );
}

/// The steps of a substep after the forces, as one anonymous group.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Steps;

/// The steps of this crate among them in the stepped mode.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct SteppedSteps;

/// A step of a substep: its set, its stage for the timing, the mode in which it acts, its function, and its entry in
/// the account of energy.
struct Step {
    set: SubstepSystems,
    stage: Stage,
    mode: SolverMode,
    run: fn(&mut PhysicsSpace),
    /// What it does to the kinetic energy.
    entry: Entry,
}

/// The steps of a substep after the forces, in order. Both the schedule and [`run_tick`] are built from this table.
static STEPS: [Step; 7] = {
    use SolverMode::{Continuous, Stepped};
    use SubstepSystems as Set;
    [
        Step {
            set: Set::Settle,
            stage: Stage::Settle,
            mode: Stepped,
            run: steps::settle,
            entry: Entry::Of(Cause::Settle),
        },
        Step { set: Set::Impacts, stage: Stage::Impacts, mode: Continuous, run: steps::impacts, entry: Entry::Flight },
        Step {
            set: Set::Integrate,
            stage: Stage::Integrate,
            mode: Stepped,
            run: steps::integrate,
            entry: Entry::Flight,
        },
        Step {
            set: Set::PushApart,
            stage: Stage::PushApart,
            mode: Stepped,
            run: steps::push_apart,
            entry: Entry::PushApart,
        },
        Step {
            set: Set::Impulse,
            stage: Stage::Impulse,
            mode: Stepped,
            run: steps::impulse,
            entry: Entry::Of(Cause::DiscHits),
        },
        Step { set: Set::Walls, stage: Stage::Walls, mode: Stepped, run: steps::walls, entry: Entry::PushApart },
        Step {
            set: Set::FixedCircles,
            stage: Stage::FixedCircles,
            mode: Stepped,
            run: steps::fixed_circles,
            entry: Entry::PushApart,
        },
    ]
};

/// Adds the ordered pipeline to its schedule, and the schedule [`Substep`].
pub struct CollisionPlugin {
    /// The schedule that the tick runs in.
    pub schedule: InternedScheduleLabel,
}

impl Plugin for CollisionPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(TickSchedule(self.schedule))
            .register_type::<CollisionSettings>()
            .register_type::<ReportCollisions>()
            .register_type::<CollidingEntities>()
            .init_resource::<CollisionSettings>()
            .init_resource::<PhysicsSpace>()
            .init_resource::<ColumnLayout>()
            .init_resource::<InvalidEntities>()
            .add_message::<Collision>()
            .add_message::<ContactStarted>()
            .add_message::<ContactEnded>()
            .add_message::<Potted>()
            .add_message::<LeftTable>()
            .add_message::<SensorOverlapStarted>()
            .add_message::<SensorOverlapEnded>()
            .add_message::<AllAtRest>()
            .init_schedule(Substep)
            .configure_sets(
                PhysicsSchedule,
                (
                    TickSystems::Gather,
                    TickSystems::BroadPhase,
                    TickSystems::Substeps,
                    TickSystems::Scatter,
                    TickSystems::Report,
                )
                    .chain(),
            )
            .configure_sets(PhysicsSchedule, ForRare.run_if(any_rare))
            .add_systems(
                PhysicsSchedule,
                (
                    (
                        begin_tick,
                        warn_of_idle_components,
                        gather_moving::complete_blocks.in_set(ForRare),
                        Everything::system(),
                    )
                        .chain()
                        .in_set(TickSystems::Gather),
                    run_broad_phase.in_set(TickSystems::BroadPhase),
                    run_substeps.in_set(TickSystems::Substeps),
                    (scatter::scatter, gather_height::scatter_heights, scatter::scatter_moving.in_set(ForRare))
                        .chain()
                        .in_set(TickSystems::Scatter),
                    (report::report, contacts::report_contacts.pipe(sensors::report_sensors).in_set(ForRare))
                        .chain()
                        .in_set(TickSystems::Report),
                ),
            )
            .add_systems(
                self.schedule,
                (
                    gather_joints::drop_loose_joints.before(SimulationSystems).run_if(any_with_component::<Joint>),
                    // Bevy's own system beside it uses nothing of ours.
                    run_physics.in_set(RunPhysics).ambiguous_with(signal_message_update_system),
                ),
            );
        app.configure_sets(self.schedule, RunPhysics.in_set(SimulationSystems));
        app.edit_schedule(PhysicsSchedule, in_order).edit_schedule(Substep, build_substep);
    }

    fn finish(&self, app: &mut App) {
        for warning in misplaced_sets(app) {
            tracing::warn!("{warning}");
        }
    }
}

/// A warning for each schedule in which a step of the tick or of the substep is named, although it runs in another one.
fn misplaced_sets(app: &App) -> Vec<String> {
    const STEPS_OF_TICK: [TickSystems; 5] = [
        TickSystems::Gather,
        TickSystems::BroadPhase,
        TickSystems::Substeps,
        TickSystems::Scatter,
        TickSystems::Report,
    ];
    let is = |one: &dyn ScheduleLabel, other: &dyn ScheduleLabel| *one == *other;
    let mut warnings = Vec::new();
    for (label, schedule) in app.world().resource::<Schedules>().iter() {
        let name = |set: &dyn fmt::Debug, right: &str, remedy: &str| {
            format!(
                "a system or a set in {label:?} refers to {set:?}, which is empty there; add the system to {right}{remedy}"
            )
        };
        let sets = &schedule.graph().system_sets;
        if !is(label, &PhysicsSchedule)
            && let Some(set) = STEPS_OF_TICK.into_iter().find(|&set| sets.contains(set))
        {
            let remedy = ", or order it by SimulationSystems to run it before or after the whole tick";
            warnings.push(name(&set, "the schedule PhysicsSchedule", remedy));
        }
        let substep =
            [SubstepSystems::Forces, SubstepSystems::Motion].into_iter().chain(STEPS.iter().map(|step| step.set));
        if !is(label, &Substep)
            && let Some(set) = substep.into_iter().find(|&set| sets.contains(set))
        {
            warnings.push(name(&set, "the schedule Substep", ""));
        }
    }
    warnings
}

/// Runs a tick. It needs the whole world, for the systems of a game.
fn run_physics(world: &mut World) {
    world.run_schedule(PhysicsSchedule);
}

/// Runs a tick again that has run before, on the components as they are. No message and no entity event reports it.
/// The time step is that of `Time<Fixed>`, whose clock does not advance.
pub(crate) fn replay_physics(world: &mut World) {
    let now = *world.resource::<Time>();
    let mut clock = *world.resource::<Time<Fixed>>();
    clock.advance_by(clock.timestep());
    *world.resource_mut::<Time>() = clock.as_generic();
    let put_back = [
        set_aside::<Collision>(world),
        set_aside::<ContactStarted>(world),
        set_aside::<ContactEnded>(world),
        set_aside::<Potted>(world),
        set_aside::<LeftTable>(world),
        set_aside::<SensorOverlapStarted>(world),
        set_aside::<SensorOverlapEnded>(world),
        set_aside::<AllAtRest>(world),
    ];
    world.insert_resource(Replaying);
    run_physics(world);
    world.remove_resource::<Replaying>();
    *world.resource_mut::<Time>() = now;
    for put_back in put_back {
        put_back(world);
    }
}

/// Takes the messages of a kind away, and returns what puts them back in place of those sent meanwhile.
fn set_aside<M: Message>(world: &mut World) -> Box<dyn FnOnce(&mut World)> {
    let messages = std::mem::take(&mut *world.resource_mut::<Messages<M>>());
    Box::new(move |world| world.insert_resource(messages))
}

/// One system after the other: the steps depend on each other, and divide their own work among threads.
fn in_order(schedule: &mut Schedule) {
    schedule.set_executor(SingleThreadedExecutor::new());
}

/// The forces, then the steps of the table in order.
fn build_substep(schedule: &mut Schedule) {
    in_order(schedule);
    schedule.configure_sets((
        (SubstepSystems::Forces, SubstepSystems::Motion, Steps).chain(),
        Steps.run_if(steps_follow),
        SteppedSteps.run_if(is_stepped),
    ));
    let mut before: Option<SubstepSystems> = None;
    for step in &STEPS {
        schedule.configure_sets(step.set.in_set(Steps));
        if let Some(before) = before.replace(step.set) {
            schedule.configure_sets(step.set.after(before));
        }
        let run = move |mut space: ResMut<PhysicsSpace>| {
            if space.laws.settings.mode == step.mode {
                space.refresh_queries();
                space.timed(step.stage, step.run);
                account::enter(&mut space, step.entry);
            }
        };
        let system = IntoSystem::into_system(run).with_name(format!("{:?}", step.set)).in_set(step.set);
        schedule.add_systems(if step.mode == SolverMode::Stepped { system.in_set(SteppedSteps) } else { system });
    }
}

fn steps_follow(space: Res<PhysicsSpace>) -> bool {
    space.clock.force_step.has_steps()
}

fn is_stepped(space: Res<PhysicsSpace>) -> bool {
    space.laws.settings.mode == SolverMode::Stepped
}

fn begin_tick(
    mut space: ResMut<PhysicsSpace>,
    settings: Res<CollisionSettings>,
    time: Res<Time>,
    keepers: Query<(), With<CollidingEntities>>,
    mut warned: Local<bool>,
) {
    match settings.check() {
        Ok(()) => *warned = false,
        Err(error) if !*warned => {
            tracing::warn!("collision settings: {error}; the nearest allowed value is used");
            *warned = true;
        }
        Err(_) => {}
    }
    space.begin_tick(&settings, time.delta_secs());
    if !keepers.is_empty() {
        // Reports even the slowest hit.
        space.laws.settings.report_above = 0.0;
    }
}

fn run_broad_phase(mut space: ResMut<PhysicsSpace>) {
    space.timed(Stage::BroadPhase, begin_motion);
}

/// Prepares the motion before the first forces of a tick: positions, candidate pairs, and motion that is not caused by
/// forces.
fn begin_motion(space: &mut PhysicsSpace) {
    space.begin_cell();
    let (time_step, cell) = (space.clock.time_step, space.cell);
    space.discs.begin_kinematic(time_step, cell);
    // The continuous mode finds its own pairs.
    if space.laws.settings.mode == SolverMode::Stepped {
        steps::broad_phase(space);
    }
    space.begin_moving_terrain();
}

/// After the last step of a tick.
fn end_motion(space: &mut PhysicsSpace) {
    space.end_moving_terrain();
    space.query_index.take();
    space.discs.finish_kinematic(space.clock.time_step);
    space.wrap_discs(space.clock.time_step);
    space.follows_last_tick = true;
}

fn end_joints(space: &mut PhysicsSpace) {
    if space.has_joints() {
        space.end_joints();
        account::enter(space, Entry::Of(Cause::Joints));
    }
}

/// The runs of [`Substep`] in a tick.
fn force_steps(settings: &CollisionSettings) -> impl Iterator<Item = ForceStep> + use<> {
    let (steps, count): (&[ForceStep], u32) = match settings.mode {
        SolverMode::Stepped => (&[ForceStep::Substep], settings.substeps),
        SolverMode::Continuous => (&[ForceStep::FirstHalf, ForceStep::SecondHalf], 1),
    };
    (0..count).flat_map(|_| steps.iter().copied())
}

impl ForceStep {
    /// Whether the steps after the forces follow.
    fn has_steps(self) -> bool {
        self != Self::SecondHalf
    }
}

fn run_substeps(world: &mut World) {
    let steps = force_steps(&world.resource::<PhysicsSpace>().laws.settings);
    world.schedule_scope(Substep, |world, substep| {
        for step in steps {
            let mut space = world.resource_mut::<PhysicsSpace>();
            space.begin_forces(step);
            if step.has_steps() {
                space.begin_sensing();
            }
            substep.run(world);
            let mut space = world.resource_mut::<PhysicsSpace>();
            end_joints(&mut space);
            if step.has_steps() {
                space.sense();
            }
        }
    });
    end_motion(&mut world.resource_mut::<PhysicsSpace>());
}

/// Runs one tick of `time_step` seconds without an ECS, on a space that was filled by hand. The steps and their order
/// are those of the schedule. `forces` replaces [`SubstepSystems::Forces`] and [`SubstepSystems::Motion`]. For
/// none, pass `|_| {}`.
pub fn run_tick(
    space: &mut PhysicsSpace,
    settings: &CollisionSettings,
    time_step: f32,
    forces: impl FnMut(&mut PhysicsSpace),
) {
    space.begin_tick(settings, time_step);
    run_begun_tick(space, forces);
}

/// Sets the settings and the time step for [`run_next_tick`].
pub(crate) fn begin_ticks(space: &mut PhysicsSpace, settings: &CollisionSettings, time_step: f32) {
    let Clock { tick, seconds, .. } = space.clock;
    space.begin_tick(settings, time_step);
    (space.clock.tick, space.clock.seconds) = (tick, seconds);
}

/// Runs the next tick on a space that has not been changed since [`begin_ticks`].
pub(crate) fn run_next_tick(space: &mut PhysicsSpace, forces: impl FnMut(&mut PhysicsSpace)) {
    space.forget_fallen();
    space.begin_next_tick();
    run_begun_tick(space, forces);
}

fn run_begun_tick(space: &mut PhysicsSpace, mut forces: impl FnMut(&mut PhysicsSpace)) {
    let mode = space.laws.settings.mode;
    space.place_sensors();
    begin_motion(space);
    for step in force_steps(&space.laws.settings) {
        space.begin_forces(step);
        if step.has_steps() {
            space.begin_sensing();
        }
        forces(space);
        if step.has_steps() {
            for step in STEPS.iter().filter(|step| step.mode == mode) {
                space.refresh_queries();
                (step.run)(space);
                account::enter(space, step.entry);
            }
        }
        end_joints(space);
        if step.has_steps() {
            space.sense();
        }
    }
    end_motion(space);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PhysicsPlugins;

    #[test]
    fn a_set_in_a_schedule_where_it_is_empty_is_named_with_the_right_one() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, PhysicsPlugins::default()));
        app.add_systems(PhysicsSchedule, (|| ()).after(TickSystems::Gather));
        app.add_systems(Substep, (|| ()).in_set(SubstepSystems::Forces));
        assert_eq!(misplaced_sets(&app), Vec::<String>::new());
        app.add_systems(FixedPostUpdate, (|| ()).after(TickSystems::Gather).before(TickSystems::Scatter));
        app.add_systems(PhysicsSchedule, (|| ()).in_set(SubstepSystems::Forces));
        let mut warnings = misplaced_sets(&app);
        warnings.sort();
        let [tick, substep] = &warnings[..] else { panic!("{warnings:?}") };
        assert!(tick.contains("in FixedPostUpdate refers to Gather") && tick.contains("PhysicsSchedule"), "{tick}");
        assert!(substep.contains("in PhysicsSchedule refers to Forces") && substep.contains("Substep"), "{substep}");
    }
}
