//! Interpolates disc positions between the last two ticks, so that motion is smooth at any frame rate.

use bevy::{ecs::entity::EntityHashMap, prelude::*};
use core::ops::Range;

use super::overstep::Overstep;
use crate::{
    collision::{PhysicsSpace, Threads, threads},
    components::{Height, Position},
};

/// The visible position of a disc. Every [`Disc`](crate::components::Disc) with a [`Transform`] has this component, and
/// with `ViewPlugin` every disc does.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component)]
pub struct Drawn {
    /// Its centre before the last tick, metres.
    pub previous: Vec2,
    /// Its centre in the current frame, metres.
    pub shown: Vec2,
    /// Its centre at the end of the last tick, metres. If [`Position`] differs from it, something other than the tick
    /// has moved the disc. The disc then appears exactly at its `Position`.
    after: Vec2,
}

impl Default for Drawn {
    fn default() -> Self {
        Self { previous: Vec2::NAN, shown: Vec2::ZERO, after: Vec2::NAN }
    }
}

impl Drawn {
    /// The visible position of a disc, metres: as drawn, or its actual position if nothing draws it.
    #[must_use]
    pub fn or(drawn: Option<&Self>, position: &Position) -> Vec2 {
        drawn.map_or(position.0, |drawn| drawn.shown)
    }

    /// Whether something other than the last tick has placed the disc.
    #[must_use]
    pub fn is_teleported(&self, position: &Position) -> bool {
        position.0 != self.after
    }
}

/// The visible height of a ball above the cloth. A disc gets it with its [`Height`], and keeps it for a tick longer, so
/// that it comes down smoothly.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component)]
pub struct DrawnHeight {
    /// The height of its lowest point before the last tick, metres. NaN for a ball that took off within the tick.
    previous: f32,
    /// The height of its lowest point in the current frame, metres. 0 is on the cloth.
    pub shown: f32,
    /// The height at the end of the last tick, metres. If [`Height`] differs from it, something other than the tick has
    /// moved the ball.
    after: f32,
}

impl Default for DrawnHeight {
    fn default() -> Self {
        Self { previous: f32::NAN, shown: 0.0, after: f32::NAN }
    }
}

impl DrawnHeight {
    /// The visible height of a disc above the cloth, metres: 0 for a disc without this component.
    #[must_use]
    pub fn of(height: Option<&Self>) -> f32 {
        height.map_or(0.0, |height| height.shown)
    }
}

/// The balls above the cloth, and those that landed in the last tick.
type Raised<'w, 's> = Query<'w, 's, (Entity, Option<&'static Height>, &'static mut DrawnHeight)>;

fn metres(height: Option<&Height>) -> f32 {
    height.map_or(0.0, |height| height.height)
}

/// Records the heights of balls at the start of a tick. A ball that has landed before loses its [`DrawnHeight`].
pub fn remember_heights_before(mut balls: Raised, mut commands: Commands) {
    for (ball, height, mut drawn) in &mut balls {
        match height {
            Some(height) => drawn.previous = height.height,
            None => _ = commands.entity(ball).try_remove::<DrawnHeight>(),
        }
    }
}

/// Records the heights of balls at the end of a tick, before observers react to it.
pub fn remember_heights_after(mut balls: Raised) {
    for (_, height, mut drawn) in &mut balls {
        drawn.after = metres(height);
        if drawn.previous.is_nan() {
            drawn.previous = 0.0;
        }
    }
}

/// Computes the height of each ball in the current frame. Between the turns of its path it changes evenly, which is
/// less than a millimetre from the parabola.
pub fn interpolate_heights(overstep: Overstep, space: Res<PhysicsSpace>, mut balls: Raised) {
    let share = overstep.share();
    let (step, now) = (space.clock.time_step, share * space.clock.time_step);
    for (ball, height, mut drawn) in &mut balls {
        let height = metres(height);
        // One that something else has moved appears exactly at its height.
        if height != drawn.after || share >= 1.0 {
            *drawn = DrawnHeight { previous: height, shown: height, after: height };
            continue;
        }
        let mut leg = [(0.0, drawn.previous), (step, height)];
        for vertex in &space.report.path_vertices {
            if space.discs.entity.get(vertex.disc as usize) != Some(&ball) {
                continue;
            }
            if vertex.time > now {
                leg[1] = (vertex.time, vertex.height);
                break;
            }
            leg[0] = (vertex.time, vertex.height);
        }
        let [(start, from), (end, to)] = leg;
        drawn.shown = if end > start { from + (to - from) * ((now - start) / (end - start)) } else { to };
    }
}

type Places<'w, 's> = Query<'w, 's, (&'static Position, &'static mut Drawn)>;

/// Visits all discs, table by table, in parallel if there are many. Bypasses change detection of [`Drawn`].
fn for_each(discs: &mut Places, change: impl Fn(Vec2, &mut Drawn) + Sync) -> Result {
    for (positions, mut drawn) in discs.contiguous_iter_mut()? {
        let drawn = drawn.bypass_change_detection();
        let ranges = Threads::Auto.divide(drawn.len(), 1);
        let parts = ranges.iter().zip(threads::cut(drawn, &ranges));
        let task = |(range, drawn): (&Range<usize>, &mut [Drawn])| {
            for (position, drawn) in positions[range.clone()].iter().zip(drawn) {
                change(position.0, drawn);
            }
        };
        threads::run(parts.map(|part| || task(part)).collect());
    }
    Ok(())
}

/// Records the positions of discs at the start of a tick.
pub fn remember_before(mut discs: Places) -> Result {
    for_each(&mut discs, |position, drawn| drawn.previous = position)
}

/// Records the positions of discs at the end of a tick, before observers react to it.
pub fn remember_after(mut discs: Places) -> Result {
    for_each(&mut discs, |position, drawn| {
        // A disc spawned within the tick has no earlier position.
        drawn.previous = if drawn.previous.is_nan() { position } else { drawn.previous };
        drawn.after = position;
    })
}

/// Computes the position of each disc in the current frame.
///
/// # Errors
/// None: all of these components use table storage.
pub fn interpolate(overstep: Overstep, space: Res<PhysicsSpace>, mut discs: Places) -> Result {
    let share = overstep.share();
    for_each(&mut discs, |position, drawn| {
        // A disc moved by something other than the tick appears exactly at its position. While paused, a disc stays
        // where the pause began, also in the first frames after the pause.
        let is_between = position == drawn.after && share < 1.0;
        let previous = if is_between { drawn.previous } else { position };
        *drawn = Drawn { previous, after: position, shown: between(&space, previous, position, share) };
    })?;
    if share < 1.0 && !space.report.path_vertices.is_empty() && !discs.is_empty() {
        follow_path_vertices(&space, share * space.clock.time_step, &mut discs);
    }
    Ok(())
}

/// Interpolates between two points. Across periodic edges it takes the shorter way.
fn between(space: &PhysicsSpace, from: Vec2, to: Vec2, share: f32) -> Vec2 {
    match space.periodic_cell() {
        None => from.lerp(to, share),
        Some(_) => space.wrapped(from + space.difference(from, to) * share),
    }
}

/// Corrects discs whose paths turned within the last tick: they appear at their exact position at this time of the tick
/// (seconds). So colliding discs visibly touch.
fn follow_path_vertices(space: &PhysicsSpace, now: f32, discs: &mut Places) {
    // For each such disc, the path vertices before and after `now`, with their times.
    let mut legs: EntityHashMap<[Option<(Vec2, f32)>; 2]> = EntityHashMap::default();
    for vertex in &space.report.path_vertices {
        let Some(&entity) = space.discs.entity.get(vertex.disc as usize) else { continue };
        let leg = legs.entry(entity).or_default();
        let place = Some((vertex.position, vertex.time));
        if vertex.time <= now {
            leg[0] = place;
        } else if leg[1].is_none() {
            leg[1] = place;
        }
    }
    for (entity, leg) in legs {
        let Ok((_, mut drawn)) = discs.get_mut(entity) else { continue };
        // Something other than the tick has moved it.
        if drawn.previous == drawn.after {
            continue;
        }
        let (from, start) = leg[0].unwrap_or((drawn.previous, 0.0));
        let (to, end) = leg[1].unwrap_or((drawn.after, space.clock.time_step));
        drawn.shown = if end > start { between(space, from, to, (now - start) / (end - start)) } else { to };
    }
}

#[cfg(test)]
mod tests {
    use bevy::{math::vec2, time::TimeUpdateStrategy};
    use core::time::Duration;

    use super::*;
    use crate::{
        PhysicsPlugins,
        collision::{
            CollisionSettings, SolverMode,
            spin::{FlightPhysics, TablePhysics},
        },
        components::{AngularVelocity, Ball, Mass, Radius},
        timeline::Playback,
    };

    /// The frames of these tests are eight to a tick.
    const TICK: f32 = 1.0 / 60.0;
    const FRAME: f32 = TICK / 8.0;

    /// A table on which a ball falls from 5 cm.
    fn app() -> (App, Entity) {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, PhysicsPlugins::default()))
            .insert_resource(CollisionSettings { mode: SolverMode::Continuous, ..default() })
            .insert_resource(TablePhysics { flight: Some(FlightPhysics::default()), ..default() })
            .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
        app.world_mut().resource_mut::<Playback>().tick_rate = Some(f64::from(TICK.recip()));
        let ball = (Ball, Position(vec2(0.3, 0.2)), Radius(0.028575), Mass(0.17), AngularVelocity::default());
        let ball = app.world_mut().spawn((ball, Height { height: 0.05, speed: 0.0 }, Drawn::default())).id();
        app.update();
        app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f32(FRAME)));
        (app, ball)
    }

    fn shown(app: &App, ball: Entity) -> f32 {
        DrawnHeight::of(app.world().get::<DrawnHeight>(ball))
    }

    #[test]
    fn a_falling_ball_follows_the_parabola_in_every_frame_and_ends_on_the_cloth() {
        let (mut app, ball) = app();
        assert_eq!(shown(&app, ball), 0.05);
        let falls = (2.0 * 0.05 / 9.81_f32).sqrt();
        let (mut lowest, mut highest_after) = (f32::INFINITY, 0.0_f32);
        for frame in 1..600 {
            app.update();
            // A frame shows the state a tick ago.
            let time = frame as f32 * FRAME - TICK;
            let height = shown(&app, ball);
            assert!(height >= 0.0);
            if (0.0..falls - FRAME).contains(&time) {
                // Between two points a tick apart, a chord is g h²/8 = 0.34 mm below the parabola.
                let expected = 0.05 - 4.905 * time * time;
                assert!((height - expected).abs() < 4e-4, "{time}: {height} {expected}");
            } else if time > falls + FRAME {
                highest_after = highest_after.max(height);
            }
            lowest = lowest.min(height);
        }
        // The path has a point at each landing, and the first bounce reaches a quarter of the height.
        assert!(lowest < 0.002, "{lowest}");
        assert!((highest_after - 0.0125).abs() < 4e-4, "{highest_after}");
        assert!(app.world().get::<Height>(ball).is_none() && app.world().get::<DrawnHeight>(ball).is_none());
    }

    #[test]
    fn a_ball_that_is_lifted_by_hand_appears_at_its_height_at_once() {
        let (mut app, ball) = app();
        for _ in 0..11 {
            app.update();
        }
        app.world_mut().entity_mut(ball).insert(Height { height: 0.4, speed: 0.0 });
        app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
        app.update();
        assert_eq!(shown(&app, ball), 0.4);
        app.world_mut().entity_mut(ball).remove::<Height>();
        app.update();
        assert_eq!(shown(&app, ball), 0.0);
    }
}
