//! Draws trails: the past paths of discs, which fade with age.

use std::collections::VecDeque;

use bevy::{ecs::entity::EntityHashMap, prelude::*};

use crate::{
    collision::{PathVertex, PhysicsSpace, SimulationSystems, tick_schedule},
    components::{Disc, Inactive, Position, Radius, StableId},
    interpolation::Drawn,
    scene::{CueBall, DiscColour, DiscLook, SceneStarted, Surroundings},
    timeline::ticked,
    view::{
        ViewSettings,
        camera::current_view::{CurrentView, ShownTo},
        canvas::{Canvas, Layer},
        fallen::Fallen,
        theme::Theme,
    },
};

/// The most discs for trails.
pub const MAX: usize = 500;

/// The spacing of a disc's marks, as a fraction of its radius. Every turn of its path also leaves a mark.
const STEP: f32 = 0.6;

/// A turn closer than this to the last mark leaves none, as a fraction of the radius. No zoom of a whole disc shows it,
/// and discs that are pressed together may turn in every substep.
const NEAREST: f32 = 1e-3;

/// The most marks per disc; the oldest are removed first. At a thousand hits per second they still last for seconds.
const MAX_MARKS: usize = 4096;

/// A disc with a trail: the inputs of its colour, its place and size, whether it is out of play, and its visibility.
type Trailing = (
    (&'static StableId, Option<&'static DiscLook>, Has<CueBall>),
    &'static Drawn,
    &'static Radius,
    Has<Fallen>,
    ShownTo,
);

/// The past positions of discs.
#[derive(Resource, Debug, Default)]
pub(crate) struct Trails {
    /// The marks of each disc, oldest first: the position (metres) and the time (seconds since the scene started).
    marks: EntityHashMap<VecDeque<(Vec2, f64)>>,
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
    let now = space.clock.seconds;
    let start = now - f64::from(space.clock.time_step);
    for (entity, _, radius, drawn) in &discs {
        let Some(marks) = trails.marks.get_mut(&entity) else { continue };
        // After a seek to the past, these have not been left yet. Half a tick is more than the rounding of the clock.
        while marks.back().is_some_and(|&(_, time)| time > 0.5 * (start + now)) {
            marks.pop_back();
        }
        // A teleported disc leaves no trail in between.
        let step = 1.01 * STEP * radius.0;
        let began = drawn.map(|drawn| drawn.previous).filter(|began| began.is_finite());
        if marks.back().zip(began).is_some_and(|((last, _), began)| last.distance_squared(began) > step * step) {
            marks.clear();
        }
    }
    for PathVertex { disc, time, position, .. } in space.turns() {
        let disc = disc as usize;
        let Some(&entity) = space.discs.entity.get(disc) else { continue };
        let marks = trails.marks.entry(entity).or_default();
        let nearest = NEAREST * space.discs.radius[disc];
        if marks.back().is_none_or(|(last, _)| last.distance_squared(position) > nearest * nearest) {
            marks.push_back((position, start + f64::from(time)));
        }
    }
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
const OPACITY: f32 = 0.75;

/// The cosine of the smallest turn with a round corner: 15 degrees.
const CORNER: f32 = 0.966;

/// Draws the trails in the order of their discs' numbers, which decides what is on top where they cross.
pub(crate) fn draw_trails(
    mut canvas: ResMut<Canvas>,
    (trails, view, settings, theme, space): (
        Res<Trails>,
        Res<CurrentView>,
        Res<ViewSettings>,
        Res<Theme>,
        Res<PhysicsSpace>,
    ),
    surroundings: Res<Surroundings>,
    discs: Query<Trailing, (With<Disc>, Without<Inactive>)>,
) {
    if !(settings.trails > 0.0) {
        return;
    }
    let shown = trails.marks.iter().filter_map(|(&entity, marks)| Some((discs.get(entity).ok()?, marks)));
    let mut shown: Vec<_> = shown.filter(|((.., shown), _)| view.shows(shown)).collect();
    shown.sort_unstable_by_key(|(((id, ..), ..), _)| **id);
    for (((id, look, is_cue), drawn, radius, has_fallen, _), marks) in shown {
        let is_cue_on_table = is_cue && *surroundings == Surroundings::Table;
        let colour = theme.of_path(theme.of_disc(DiscColour::of(*id, look, is_cue_on_table)), *surroundings);
        let width = (0.35 * radius.0).min(view.px(5.0)).max(view.px(1.5));
        let now = space.clock.seconds;
        let left = || marks.iter().filter(|(_, time)| *time <= now);
        let ends = left().map(|&(at, _)| at).skip(1);
        // The trail of a fallen disc ends at its last mark.
        let ends = ends.chain((!has_fallen).then_some(drawn.shown));
        let mut before = Vec2::ZERO;
        for (&(from, time), to) in left().zip(ends) {
            let young = 1.0 - (now - time) as f32 / settings.trails;
            let young = young.clamp(0.0, 1.0);
            let along = (to - from).normalize_or_zero();
            // No line crosses from one periodic edge to the other.
            if along == Vec2::ZERO || space.is_across_an_edge(from, to) {
                continue;
            }
            let (width, colour) = (width * (0.3 + 0.7 * young), colour.with_alpha(OPACITY * young * young));
            if along.dot(before) > CORNER {
                canvas.piece(Layer::Trail, from, to, width, colour);
            } else {
                canvas.line(Layer::Trail, from, to, width, colour);
            }
            before = along;
        }
    }
}

#[cfg(test)]
mod tests {
    use bevy::ecs::system::RunSystemOnce;

    use super::*;
    use crate::{
        PhysicsPlugins,
        collision::{CollisionSettings, SolverMode},
        components::{Terrain, Velocity},
        motion::MotionCommands,
        scene::{SceneSource, SceneStarted},
        timeline::{HistoryPlugin, advance, seek},
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
        app.world_mut().resource_mut::<PhysicsSpace>().clock.seconds = seconds;
        (app, disc)
    }

    #[test]
    fn trails_fade_as_fast_after_a_million_seconds_as_at_the_start() {
        let marks = [0.0, 1e6].map(|seconds| {
            let (mut app, disc) = after(seconds);
            advance(app.world_mut(), 3000);
            let trails = app.world().resource::<Trails>();
            let gone = app.world().resource::<PhysicsSpace>().clock.seconds - seconds;
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
    fn a_seek_to_the_past_takes_the_end_of_a_trail_away() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), HistoryPlugin::default(), plugin));
        app.insert_resource(ViewSettings { trails: 60.0, ..ViewSettings::default() });
        app.insert_resource(Time::<Fixed>::from_hz(64.0));
        let disc = app.world_mut().spawn((Disc, Radius(1e-3), Velocity(Vec2::X))).id();
        advance(app.world_mut(), 60);
        seek(app.world_mut(), 20).unwrap();
        app.world_mut().get_mut::<Velocity>(disc).unwrap().0 = Vec2::Y;
        advance(app.world_mut(), 5);
        let marks: Vec<Vec2> = app.world().resource::<Trails>().marks[&disc].iter().map(|mark| mark.0 * 64.0).collect();
        let expected: Vec<Vec2> =
            (1..=20).map(|x| (x, 0)).chain((1..=5).map(|y| (20, y))).map(|(x, y)| vec2(x as f32, y as f32)).collect();
        assert_eq!(marks, expected);
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
        assert!(app.world().resource::<Trails>().marks.is_empty());
    }

    #[test]
    fn the_trail_of_a_disc_that_bounces_in_the_stepped_mode_reaches_what_it_hits() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), plugin));
        app.insert_resource(ViewSettings { trails: 60.0, ..ViewSettings::default() });
        // About 10 cm per tick: no tick ends at the wall.
        let bouncing = (Disc, Radius(0.5), Position(vec2(0.03, 0.0)), Velocity(vec2(6.0, 1.0)));
        let disc = app.world_mut().spawn(bouncing).id();
        let (high, low) = (vec2(3.0, 9.0), vec2(3.0, -9.0));
        app.world_mut().spawn(Terrain::Segment { a: low, b: high });
        // Two discs of radius 0.5 m hit each other far from there.
        let pair = [(10.0, 6.0), (13.0, -6.0)].map(|(x, v)| {
            app.world_mut().spawn((Disc, Radius(0.5), Position(vec2(x, 0.0)), Velocity(vec2(v, 0.0)))).id()
        });
        advance(app.world_mut(), 60);
        let trails = app.world().resource::<Trails>();
        let farthest = |disc: &Entity, sign: f32| {
            trails.marks[disc].iter().map(|(at, _)| sign * at.x).fold(f32::NEG_INFINITY, f32::max) * sign
        };
        let turned = farthest(&disc, 1.0);
        assert!((turned - 2.5).abs() < 1e-4, "it turned at {turned} m");
        let apart = farthest(&pair[1], -1.0) - farthest(&pair[0], 1.0);
        assert!((apart - 1.0).abs() < 1e-4, "they turned {apart} m apart");
    }

    #[test]
    fn a_disc_that_rattles_in_one_place_leaves_one_mark() {
        for mode in [SolverMode::Stepped, SolverMode::Continuous] {
            let mut app = App::new();
            app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), plugin));
            app.insert_resource(ViewSettings { trails: 60.0, ..ViewSettings::default() });
            app.world_mut().resource_mut::<CollisionSettings>().mode = mode;
            let disc = app.world_mut().spawn((Disc, Radius(0.5), Velocity(Vec2::X))).id();
            // Ten micrometres between two walls, which it hits many times in a tick.
            for x in [-0.500_005, 0.500_005] {
                app.world_mut().spawn(Terrain::Segment { a: vec2(x, -9.0), b: vec2(x, 9.0) });
            }
            advance(app.world_mut(), 10);
            assert_eq!(app.world().resource::<Trails>().marks[&disc].len(), 1, "{mode:?}");
        }
    }

    #[test]
    fn trails_are_drawn_in_the_order_of_the_numbers_of_discs() {
        let drawn = |numbers: [u64; 3]| {
            let mut app = App::new();
            app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), plugin));
            app.register_required_components::<Disc, Drawn>();
            app.insert_resource(ViewSettings { trails: 5.0, ..ViewSettings::default() });
            app.init_resource::<Canvas>().init_resource::<CurrentView>();
            app.init_resource::<Theme>().init_resource::<Surroundings>();
            for number in numbers {
                let at = Position(vec2(0.0, 1.2 * number as f32));
                app.world_mut().spawn((Disc, StableId(number), at, Velocity(Vec2::X * 3.0)));
            }
            advance(app.world_mut(), 30);
            app.world_mut().run_system_once(draw_trails).unwrap();
            let canvas = app.world_mut().remove_resource::<Canvas>().unwrap();
            let mut shapes = Vec::new();
            canvas.pack(&[Layer::Trail], app.world().resource::<CurrentView>(), &mut shapes);
            shapes
        };
        let shapes = drawn([1, 2, 3]);
        assert!(shapes.len() > 3);
        assert_eq!(shapes, drawn([3, 1, 2]));
    }
}
