//! Draws trails: the past paths of discs, which fade with age.

use std::collections::VecDeque;

use bevy::{ecs::entity::EntityHashMap, prelude::*};

use super::discs::colour_of;
use crate::{
    collision::{PhysicsSpace, SimulationSystems, tick_schedule},
    components::{Disc, InPocket, Inactive, Position, Radius, StableId},
    interpolation::Drawn,
    scene::{DiscLook, SceneStarted},
    timeline::ticked,
    view::{
        ViewSettings,
        camera::picture::{Picture, ShownTo},
        canvas::{Canvas, Layer},
        theme::Theme,
    },
};

/// The most discs for trails.
pub const MAX: usize = 500;

/// The spacing of a disc's marks, as a fraction of its radius. Every turn of its path also leaves a mark.
const STEP: f32 = 0.6;

/// The most marks per disc; the oldest are removed first. At a thousand hits per second they still last for seconds.
const MAX_MARKS: usize = 4096;

/// The past positions of discs.
#[derive(Resource, Debug, Default)]
pub(crate) struct Trails {
    /// The marks of each disc, oldest first: the position (metres) and the time (see `now`).
    marks: EntityHashMap<VecDeque<(Vec2, f64)>>,
    /// Seconds of simulated time since the scene started. An `f32` would stop advancing once a tick is less than half a
    /// unit in the last place.
    now: f64,
}

/// Records and draws trails.
pub(crate) fn plugin(app: &mut App) {
    let schedule = tick_schedule(app);
    app.init_resource::<Trails>()
        .add_observer(|_: On<SceneStarted>, mut trails: ResMut<Trails>| *trails = Trails::default())
        .add_systems(schedule, leave_marks.after(SimulationSystems).run_if(ticked));
}

fn leave_marks(
    mut trails: ResMut<Trails>,
    settings: Res<ViewSettings>,
    space: Res<PhysicsSpace>,
    discs: Query<(Entity, &Position, &Radius, Option<&Drawn>), (With<Disc>, Without<Inactive>)>,
) {
    let trails = &mut *trails;
    let length = settings.trails;
    if !(length > 0.0) || space.discs.len() > MAX {
        if !trails.marks.is_empty() {
            trails.marks.clear();
        }
        return;
    }
    for (entity, _, radius, drawn) in &discs {
        // A teleported disc leaves no trail in between.
        let Some(marks) = trails.marks.get_mut(&entity) else { continue };
        let step = 1.01 * STEP * radius.0;
        let began = drawn.map(|drawn| drawn.previous).filter(|began| began.is_finite());
        if marks.back().zip(began).is_some_and(|((last, _), began)| last.distance_squared(began) > step * step) {
            marks.clear();
        }
    }
    for vertex in &space.report.path_vertices {
        if let Some(&entity) = space.discs.entity.get(vertex.disc as usize) {
            let time = trails.now + f64::from(vertex.time);
            trails.marks.entry(entity).or_default().push_back((vertex.position, time));
        }
    }
    trails.now += f64::from(space.clock.time_step);
    let now = trails.now;
    let oldest = now - f64::from(length);
    for (entity, position, radius, drawn) in &discs {
        let marks = trails.marks.entry(entity).or_default();
        // A teleported disc starts a new trail.
        if drawn.is_some_and(|drawn| drawn.is_teleported(position)) {
            marks.clear();
        }
        let step = STEP * radius.0;
        if marks.back().is_none_or(|(last, _)| last.distance_squared(position.0) > step * step) {
            marks.push_back((position.0, now));
        }
        while marks.len() > MAX_MARKS || marks.front().is_some_and(|&(_, time)| time < oldest) {
            marks.pop_front();
        }
    }
    trails.marks.retain(|&entity, _| discs.contains(entity));
}

/// The opacity of the newest end of a trail.
const OPACITY: f32 = 0.6;

pub(crate) fn draw_trails(
    mut canvas: ResMut<Canvas>,
    (trails, view, settings, theme, space): (
        Res<Trails>,
        Res<Picture>,
        Res<ViewSettings>,
        Res<Theme>,
        Res<PhysicsSpace>,
    ),
    discs: Query<
        (&Drawn, &Radius, &StableId, Option<&DiscLook>, Has<InPocket>, ShownTo),
        (With<Disc>, Without<Inactive>),
    >,
) {
    if !(settings.trails > 0.0) {
        return;
    }
    for (&entity, marks) in &trails.marks {
        let Ok((drawn, radius, id, look, has_fallen, shown)) = discs.get(entity) else { continue };
        if !view.shows(&shown) {
            continue;
        }
        let colour = colour_of(*id, look, &theme);
        let width = (0.35 * radius.0).min(view.px(5.0)).max(view.px(1.5));
        let ends = marks.iter().map(|&(at, _)| at).skip(1);
        // The trail of a fallen disc ends at its last mark.
        let ends = ends.chain((!has_fallen).then_some(drawn.shown));
        for (&(from, time), to) in marks.iter().zip(ends) {
            let young = 1.0 - (trails.now - time) as f32 / settings.trails;
            let young = young.clamp(0.0, 1.0);
            // No line crosses from one periodic edge to the other.
            if space.is_across_an_edge(from, to) {
                continue;
            }
            canvas.line(
                Layer::Trail,
                from,
                to,
                width * (0.3 + 0.7 * young),
                colour.with_alpha(OPACITY * young * young),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        PhysicsPlugins,
        components::Velocity,
        motion::MotionCommands,
        scene::{SceneSource, SceneStarted},
        timeline::advance,
    };

    #[test]
    fn what_is_teleported_leaves_no_trail_on_the_way() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), plugin));
        app.register_required_components::<Disc, Drawn>();
        app.insert_resource(ViewSettings { trails: 5.0, ..ViewSettings::default() });
        let disc = app.world_mut().spawn((Disc, Velocity(Vec2::X * 6.0))).id();
        advance(app.world_mut(), 60);
        let count = |app: &App| app.world().resource::<Trails>().marks[&disc].len();
        assert!(count(&app) > 10, "{}", count(&app));
        app.world_mut().entity_mut(disc).teleport(Vec2::new(0.0, 50.0));
        advance(app.world_mut(), 1);
        assert_eq!(count(&app), 1);
    }

    /// A moving disc with a trail of 0.1 s, after this many seconds of simulated time.
    fn after(seconds: f64) -> (App, Entity) {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), plugin));
        app.insert_resource(ViewSettings { trails: 0.1, ..ViewSettings::default() });
        app.insert_resource(Time::<Fixed>::from_hz(10_000.0));
        let disc = app.world_mut().spawn((Disc, Radius(1e-3), Velocity(Vec2::X * 100.0))).id();
        app.world_mut().resource_mut::<Trails>().now = seconds;
        (app, disc)
    }

    #[test]
    fn trails_fade_as_fast_after_a_million_seconds_as_at_the_start() {
        let marks = [0.0, 1e6].map(|seconds| {
            let (mut app, disc) = after(seconds);
            advance(app.world_mut(), 3000);
            let trails = app.world().resource::<Trails>();
            let gone = trails.now - seconds;
            assert!((gone - 0.3).abs() < 1e-4, "after {seconds} s the clock shows {gone} s more");
            trails.marks[&disc].len()
        });
        // One mark per tick: 1000 in 0.1 s, plus or minus one by rounding.
        assert!(marks.iter().all(|count| count.abs_diff(1000) <= 1), "{marks:?}");
    }

    #[test]
    fn a_long_trail_has_a_bounded_number_of_marks() {
        let (mut app, disc) = after(0.0);
        app.world_mut().resource_mut::<ViewSettings>().trails = 60.0;
        advance(app.world_mut(), MAX_MARKS as u64 + 100);
        assert_eq!(app.world().resource::<Trails>().marks[&disc].len(), MAX_MARKS);
    }

    #[test]
    fn a_scene_that_begins_paused_has_no_trails_of_the_one_before() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), plugin));
        app.insert_resource(ViewSettings { trails: 5.0, ..ViewSettings::default() });
        app.world_mut().spawn((Disc, Velocity(Vec2::X)));
        advance(app.world_mut(), 10);
        assert!(!app.world().resource::<Trails>().marks.is_empty());
        app.world_mut().trigger(SceneStarted { source: SceneSource::default(), restart: true });
        let trails = app.world().resource::<Trails>();
        assert!(trails.marks.is_empty());
        assert_eq!(trails.now, 0.0, "its clock starts with it");
    }
}
