//! Trails: the ways that discs have come, fading with their age.

use std::collections::VecDeque;

use bevy::{ecs::entity::EntityHashMap, prelude::*};

use super::{
    Canvas, Drawn, Layer, Picture, ShownTo, Theme, ViewSettings, discs::colour_of, interpolate::remember_after,
};
use crate::{
    collision::{Space, Tick, tick_schedule},
    disc::{Disc, InPocket, Inactive, Position, Radius, StableId},
    scene::{DiscLook, SceneStarted},
    timeline::ticked,
};

/// Trails of more discs than this are not drawn.
pub const MAX: usize = 500;

/// A disc leaves a mark whenever it has gone this share of its radius, and wherever its path turns.
const STEP: f32 = 0.6;

/// Where discs have been.
#[derive(Resource, Debug, Default)]
pub(super) struct Trails {
    /// For each disc its marks, oldest first: where (metres) and when (seconds of simulated time).
    marks: EntityHashMap<VecDeque<(Vec2, f32)>>,
    now: f32,
}

/// Keeps and draws trails.
pub(super) fn plugin(app: &mut App) {
    let schedule = tick_schedule(app);
    app.init_resource::<Trails>()
        .add_observer(|_: On<SceneStarted>, mut trails: ResMut<Trails>| trails.marks.clear())
        .add_systems(schedule, leave_marks.after(Tick).after(remember_after).run_if(ticked));
}

fn leave_marks(
    mut trails: ResMut<Trails>,
    settings: Res<ViewSettings>,
    space: Res<Space>,
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
        // Whatever was put elsewhere has left no trail on the way.
        let Some(marks) = trails.marks.get_mut(&entity) else { continue };
        let step = 1.01 * STEP * radius.0;
        let began = drawn.map(|drawn| drawn.previous).filter(|began| began.is_finite());
        if marks.back().zip(began).is_some_and(|((last, _), began)| last.distance_squared(began) > step * step) {
            marks.clear();
        }
    }
    for vertex in &space.path_vertices {
        if let Some(&entity) = space.discs.entity.get(vertex.disc as usize) {
            trails.marks.entry(entity).or_default().push_back((vertex.position, trails.now + vertex.time));
        }
    }
    trails.now += space.time_step;
    let now = trails.now;
    for (entity, position, radius, _) in &discs {
        let marks = trails.marks.entry(entity).or_default();
        let step = STEP * radius.0;
        if marks.back().is_none_or(|(last, _)| last.distance_squared(position.0) > step * step) {
            marks.push_back((position.0, now));
        }
        while marks.front().is_some_and(|&(_, time)| time < now - length) {
            marks.pop_front();
        }
    }
    trails.marks.retain(|&entity, _| discs.contains(entity));
}

/// How opaque the newest end of a trail is.
const OPACITY: f32 = 0.6;

pub(super) fn draw_trails(
    mut canvas: ResMut<Canvas>,
    (trails, view, settings, theme, space): (Res<Trails>, Res<Picture>, Res<ViewSettings>, Res<Theme>, Res<Space>),
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
        // What has fallen has left its trail.
        let ends = ends.chain((!has_fallen).then_some(drawn.shown));
        for (&(from, time), to) in marks.iter().zip(ends) {
            let young = 1.0 - (trails.now - time) / settings.trails;
            let young = young.clamp(0.0, 1.0);
            // From one periodic edge to the other there is no line.
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
        disc::Velocity,
        motion::MotionCommands,
        scene::{SceneSource, SceneStarted},
        timeline::advance,
    };

    #[test]
    fn what_is_teleported_leaves_no_trail_on_the_way() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), plugin, crate::view::interpolate::plugin));
        app.insert_resource(ViewSettings { trails: 5.0, ..ViewSettings::default() });
        let disc = app.world_mut().spawn((Disc, Velocity(Vec2::X * 6.0))).id();
        advance(app.world_mut(), 60);
        let count = |app: &App| app.world().resource::<Trails>().marks[&disc].len();
        assert!(count(&app) > 10, "{}", count(&app));
        app.world_mut().entity_mut(disc).teleport(Vec2::new(0.0, 50.0));
        advance(app.world_mut(), 1);
        assert_eq!(count(&app), 1);
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
}
