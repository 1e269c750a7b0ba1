//! Debug drawing for any game: [`PhysicsDebugPlugin`] draws discs, terrain, velocities, hits, contacts, layers,
//! sensors, cells and candidate pairs with Bevy's gizmos. It also displays how long each stage of the tick takes. It
//! needs Bevy's 2D drawing and no plugin of [`view`](crate::view), so a game with its own drawing gets it with one line
//! of code and one key. If a camera has a [`View2d`], the times are below its title.

mod filter;

use std::{collections::VecDeque, fmt::Write as _};

use bevy::{
    gizmos::GizmoPlugin, input::InputSystems, platform::collections::HashSet, prelude::*, transform::TransformSystems,
};

use crate::{
    collision::{HitTarget, PhysicsSpace, SimulationSystems, SolverMode, Stage, tick_schedule},
    timeline::ticked,
    view::View2d,
};

/// The settings of [`PhysicsDebugPlugin`]. Change them at any time.
///
/// Positions are those of the last tick. Objects that a game interpolates may be drawn up to one tick behind them.
#[derive(Resource, Reflect, Clone, Debug, PartialEq)]
#[reflect(Resource, Default, Debug, PartialEq)]
pub struct PhysicsDebug {
    /// Whether anything is drawn. Default: no; the key toggles it.
    pub shown: bool,
    /// The key that toggles it. Default: F9. With `None`, the control `ShowPhysics` of the feature `input` toggles it,
    /// if its action map is present.
    pub key: Option<KeyCode>,
    /// The number of Bevy world units per metre. Default: 1.
    pub units_per_metre: f32,
    /// Rims of discs. Default: yes.
    pub discs: bool,
    /// Walls and bumpers, one-way walls with arrows. Default: yes.
    pub terrain: bool,
    /// The length of velocity arrows, as the distance that a disc moves in this many seconds. Default: 0.1; zero draws
    /// none.
    pub velocities: f32,
    /// Recent hits with their normals, longer for larger impulses. Default: yes.
    pub hits: bool,
    /// Discs and terrain that are not in all [`CollisionLayers`](crate::components::CollisionLayers), in the colour of
    /// their first layer. Default: yes.
    pub layers: bool,
    /// [`Sensor`](crate::components::Sensor)s, with a line to each disc inside. Default: yes.
    pub sensors: bool,
    /// The overlaps found by the last substep of the stepped mode. Default: yes.
    pub contacts: bool,
    /// The occupied cells of the broad phase. Default: no.
    pub cells: bool,
    /// The candidate pairs of the broad phase. Default: no.
    pub candidate_pairs: bool,
    /// How long each stage of the tick takes, with counts of everything, in the upper left corner. Default: yes.
    pub times: bool,
}

impl Default for PhysicsDebug {
    fn default() -> Self {
        Self {
            shown: false,
            key: Some(KeyCode::F9),
            units_per_metre: 1.0,
            discs: true,
            terrain: true,
            velocities: 0.1,
            hits: true,
            layers: true,
            sensors: true,
            contacts: true,
            cells: false,
            candidate_pairs: false,
            times: true,
        }
    }
}

/// The gizmos of [`PhysicsDebugPlugin`], for setting their line width and layers in Bevy's `GizmoConfigStore`.
#[derive(Default, Reflect, GizmoConfigGroup)]
pub struct PhysicsGizmos;

/// Draws the physics over any game: press F9. See [`PhysicsDebug`]. Without Bevy's gizmos it does nothing.
///
/// ```no_run
/// # use bevy::prelude::*;
/// # use carom::{debug::PhysicsDebugPlugin, prelude::*};
/// App::new().add_plugins((DefaultPlugins, PhysicsPlugins::default(), PhysicsDebugPlugin)).run();
/// ```
pub struct PhysicsDebugPlugin;

impl Plugin for PhysicsDebugPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<PhysicsDebug>().register_type::<PhysicsDebug>();
        app.add_systems(PreUpdate, toggle.after(InputSystems));
    }

    fn finish(&self, app: &mut App) {
        if !app.is_plugin_added::<GizmoPlugin>() {
            return;
        }
        let schedule = tick_schedule(app);
        app.init_gizmo_group::<PhysicsGizmos>()
            .init_resource::<Seen>()
            .add_systems(
                schedule,
                remember.after(SimulationSystems).run_if(ticked).run_if(resource_exists::<PhysicsSpace>),
            )
            .add_systems(
                PostUpdate,
                (
                    draw_areas,
                    filter::draw_one_way,
                    draw_discs,
                    filter::draw_layers,
                    filter::draw_sensors,
                    draw_hits,
                    write_times,
                )
                    .chain()
                    .after(TransformSystems::Propagate)
                    .run_if(|debug: Res<PhysicsDebug>| debug.shown)
                    .run_if(resource_exists::<PhysicsSpace>),
            );
    }
}

fn toggle(mut debug: ResMut<PhysicsDebug>, keys: Option<Res<ButtonInput<KeyCode>>>) {
    if let (Some(keys), Some(key)) = (keys, debug.key)
        && keys.just_pressed(key)
    {
        debug.shown = !debug.shown;
    }
}

/// The largest number of things of one kind that are drawn.
const MAX: usize = 10_000;

/// The number of ticks for which a hit is drawn.
const HIT_TICKS: u64 = 20;

/// The weight of the last tick in the displayed times.
const LATEST: f32 = 0.05;

/// The state that is kept between ticks for drawing.
#[derive(Resource, Default)]
struct Seen {
    /// Point, normal and impulse of each hit, and its tick.
    hits: VecDeque<(Vec2, Vec2, f32, u64)>,
    /// The duration of each stage, milliseconds, smoothed.
    times: [f32; Stage::ALL.len()],
}

fn remember(mut seen: ResMut<Seen>, debug: Res<PhysicsDebug>, space: Res<PhysicsSpace>) {
    if !debug.shown {
        seen.hits.clear();
        return;
    }
    let Seen { hits, times } = &mut *seen;
    hits.retain(|&(.., tick)| tick + HIT_TICKS > space.clock.tick && tick <= space.clock.tick);
    let latest = space.report.hits.iter().rev().take(MAX).rev();
    hits.extend(latest.map(|hit| (hit.point, hit.normal, hit.impulse, space.clock.tick)));
    let too_many = hits.len().saturating_sub(MAX);
    hits.drain(..too_many);
    for (time, now) in times.iter_mut().zip(space.report.stage_times) {
        *time += (now.as_secs_f32() * 1000.0 - *time) * LATEST;
    }
}

type Lines<'w, 's> = Gizmos<'w, 's, PhysicsGizmos>;

/// Cells, candidate pairs and terrain.
fn draw_areas(mut lines: Lines, debug: Res<PhysicsDebug>, space: Res<PhysicsSpace>) {
    let scale = debug.units_per_metre;
    // A few discs are scanned without a grid; the stored one would be from another mode.
    let has_grid = space.laws.settings.mode == SolverMode::Stepped || !space.compute.scans(space.discs.len());
    if debug.cells && has_grid {
        let colour = Color::srgba(0.4, 0.6, 1.0, 0.35);
        for (corner, side, _) in space.grid().cells().take(MAX) {
            lines.rect_2d((corner + side / 2.0) * scale, Vec2::splat(side * scale), colour);
        }
    }
    if debug.candidate_pairs {
        for &[a, b] in space.pairs().iter().take(MAX) {
            if let (Some(a), Some(b)) = (space.discs.position.get(a as usize), space.discs.position.get(b as usize)) {
                let to = *a + space.difference(*a, *b);
                lines.line_2d(*a * scale, to * scale, Color::srgba(0.8, 0.5, 1.0, 0.6));
            }
        }
    }
    if debug.terrain {
        let [colour, moves] = [Color::srgb(0.3, 0.9, 0.5), Color::srgb(0.9, 0.8, 0.2)];
        for wall in space.walls().iter().take(MAX) {
            for [a, b] in wall.pieces() {
                lines.line_2d(a * scale, b * scale, colour);
            }
        }
        for circle in space.fixed_circles().iter().filter(|circle| circle.radius > 0.0).take(MAX) {
            lines.circle_2d(circle.centre * scale, circle.radius * scale, colour);
        }
        for [a, b] in space.moving_walls().into_iter().take(MAX) {
            lines.line_2d(a * scale, b * scale, moves);
        }
        for (centre, radius) in space.moving_circles().into_iter().take(MAX) {
            lines.circle_2d(centre * scale, radius * scale, moves);
        }
    }
}

/// Draws discs and their velocities.
fn draw_discs(mut lines: Lines, debug: Res<PhysicsDebug>, space: Res<PhysicsSpace>) {
    let scale = debug.units_per_metre;
    let discs = &space.discs;
    let shown = if debug.contacts { MAX } else { 0 };
    let touching: HashSet<u32> = space.contacts.iter().take(shown).flat_map(|contact| [contact.a, contact.b]).collect();
    for i in (0..discs.len()).filter(|&i| discs.position[i].is_finite()).take(MAX) {
        let (at, velocity) = (discs.position[i] * scale, discs.velocity[i]);
        if debug.discs {
            let colour = match (touching.contains(&(i as u32)), velocity == Vec2::ZERO) {
                (true, _) => Color::srgb(1.0, 0.6, 0.1),
                (false, true) => Color::srgb(0.5, 0.5, 0.55),
                (false, false) => Color::srgb(0.9, 0.95, 1.0),
            };
            lines.circle_2d(at, discs.radius[i] * scale, colour);
        }
        let way = velocity * debug.velocities * scale;
        if way != Vec2::ZERO {
            lines.arrow_2d(at, at + way, Color::srgb(0.2, 0.7, 1.0)).with_tip_length(0.2 * way.length());
        }
    }
    if debug.contacts {
        for contact in space.contacts.iter().take(MAX) {
            if let (Some(a), Some(b)) = (discs.position.get(contact.a as usize), discs.position.get(contact.b as usize))
            {
                lines.line_2d(*a * scale, *b * scale, Color::srgb(1.0, 0.6, 0.1));
            }
        }
    }
}

/// Draws recent hits: a line along the normal through the point, whose length is a share of the disc that depends on
/// the impulse.
fn draw_hits(mut lines: Lines, debug: Res<PhysicsDebug>, (space, seen): (Res<PhysicsSpace>, Res<Seen>)) {
    if !debug.hits {
        return;
    }
    let hardest = seen.hits.iter().map(|&(_, _, impulse, _)| impulse).fold(f32::MIN_POSITIVE, f32::max);
    let radius = space.discs.radius.iter().copied().fold(0.0, f32::max);
    for &(point, normal, impulse, tick) in &seen.hits {
        let age = (space.clock.tick - tick.min(space.clock.tick)) as f32 / HIT_TICKS as f32;
        let half = normal * (radius * (0.2 + 0.8 * impulse / hardest));
        let colour = Color::srgba(1.0, 0.25, 0.25, 1.0 - age);
        let [a, b] = [point - half, point + half].map(|end| end * debug.units_per_metre);
        lines.line_2d(a, b, colour);
    }
}

/// Displays the durations of the stages in the upper left corner of the first camera.
fn write_times(
    mut lines: Lines,
    debug: Res<PhysicsDebug>,
    (space, seen): (Res<PhysicsSpace>, Res<Seen>),
    cameras: Query<(&Camera, &GlobalTransform, Option<&View2d>), With<Camera2d>>,
) {
    /// The height of the letters, and the distance from the corner, logical pixels.
    const LETTERS: f32 = 13.0;
    const MARGIN: f32 = 12.0;
    let camera = cameras.iter().filter(|(camera, ..)| camera.is_active).min_by_key(|(camera, ..)| camera.order);
    let Some((camera, transform, view)) = camera.filter(|_| debug.times) else { return };
    // Below the title of a scene.
    let top = MARGIN + view.and_then(|view| view.words).map_or(0.0, |[above, _]| above);
    let place = |pixels: Vec2| camera.viewport_to_world_2d(transform, pixels).ok();
    let (Some(corner), Some(below)) = (place(Vec2::new(MARGIN, top)), place(Vec2::new(MARGIN, top + LETTERS))) else {
        return;
    };
    let anchor = Vec2::new(-0.5, 0.5);
    lines.text_2d(corner, &report(&space, &seen.times), corner.distance(below), anchor, Color::WHITE);
}

/// The displayed text: counts, and the stages that take any time.
fn report(space: &PhysicsSpace, times: &[f32]) -> String {
    let mut text = format!(
        "{} discs, {} walls, {} pairs, {} contacts, {} hits\n",
        space.discs.len(),
        space.walls().len(),
        space.pairs().len(),
        space.contacts.len(),
        space.report.hits.len()
    );
    let terrain = space.report.hits.iter().filter(|hit| !matches!(hit.target, HitTarget::Disc(_))).count();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{terrain} of them with terrain, tick {}", space.clock.tick);
    let _ = writeln!(text, "tick {:.3} ms", times.iter().sum::<f32>());
    for ((_, name), time) in Stage::ALL.iter().zip(times).filter(|(_, time)| **time >= 0.000_5) {
        let _ = writeln!(text, "  {name} {time:.3} ms");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        PhysicsPlugins,
        components::{CollisionLayers, Disc, OneWay, Position, Sensor, Terrain, Velocity},
        timeline::advance,
    };
    use bevy::asset::AssetPlugin;

    fn app() -> App {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, AssetPlugin::default(), PhysicsPlugins::default()));
        app.init_resource::<ButtonInput<KeyCode>>();
        app
    }

    #[test]
    fn the_key_shows_and_hides_it_and_everything_is_drawn() {
        let mut app = app();
        app.add_plugins((TransformPlugin, bevy::mesh::MeshPlugin, GizmoPlugin, PhysicsDebugPlugin));
        app.finish();
        app.cleanup();
        app.world_mut().spawn((Disc, Velocity(Vec2::X * 3.0)));
        app.world_mut().spawn((Disc, Position(Vec2::new(1.05, 0.0))));
        app.world_mut().spawn(Terrain::Arena { half_size: Vec2::splat(4.0) });
        app.world_mut().spawn((Terrain::Circle { radius: 1.0 }, Sensor));
        let stands = (Terrain::Segment { a: vec2(3.0, 3.0), b: vec2(3.0, 3.5) }, CollisionLayers::new(2, 0));
        app.world_mut().spawn((stands, OneWay::Left));
        app.world_mut().resource_mut::<ButtonInput<KeyCode>>().press(KeyCode::F9);
        app.update();
        assert!(app.world().resource::<PhysicsDebug>().shown);
        let mut debug = app.world_mut().resource_mut::<PhysicsDebug>();
        (debug.cells, debug.candidate_pairs) = (true, true);
        app.world_mut().resource_mut::<ButtonInput<KeyCode>>().clear();
        advance(app.world_mut(), 10);
        app.update();
        assert_eq!(app.world().resource::<Seen>().hits.len(), 1);
        let words = report(app.world().resource::<PhysicsSpace>(), &app.world().resource::<Seen>().times);
        assert!(words.starts_with("2 discs, 5 walls"), "{words}");
        app.world_mut().resource_mut::<ButtonInput<KeyCode>>().reset(KeyCode::F9);
        app.world_mut().resource_mut::<ButtonInput<KeyCode>>().press(KeyCode::F9);
        app.update();
        assert!(!app.world().resource::<PhysicsDebug>().shown);
    }

    #[test]
    fn without_gizmos_and_without_keys_nothing_happens() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, PhysicsDebugPlugin));
        app.finish();
        app.cleanup();
        app.update();
    }
}
