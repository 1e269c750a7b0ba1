//! Draws hits as short flashes: the place, the normal, and the strength.

use std::collections::VecDeque;

use bevy::prelude::*;

use crate::{
    collision::{PhysicsSpace, SimulationSystems, tick_schedule},
    scene::SceneStarted,
    timeline::ticked,
    view::{
        ViewSettings,
        camera::current_view::CurrentView,
        canvas::{Canvas, Layer},
        theme::Theme,
    },
};

/// The time that a hit is shown, seconds of simulated time.
const SHOWN: f32 = 0.35;

/// The most hits shown at once; the oldest are removed first.
const MAX: usize = 1500;

/// The length of the hardest hit's line, logical pixels.
const LENGTH: f32 = 44.0;

/// One hit.
#[derive(Clone, Copy, Debug)]
struct Shown {
    point: Vec2,
    normal: Vec2,
    impulse: f32,
    /// When it was, seconds since the scene started.
    time: f64,
}

/// The recent hits.
#[derive(Resource, Debug, Default)]
pub(crate) struct Hits {
    shown: VecDeque<Shown>,
}

/// Records hits while they are shown.
pub(crate) fn plugin(app: &mut App) {
    let schedule = tick_schedule(app);
    app.init_resource::<Hits>()
        .add_observer(|_: On<SceneStarted>, mut hits: ResMut<Hits>| *hits = Hits::default())
        .add_systems(schedule, record.after(SimulationSystems).run_if(ticked));
}

fn record(mut hits: ResMut<Hits>, settings: Res<ViewSettings>, space: Res<PhysicsSpace>) {
    if !settings.hits {
        hits.shown.clear();
        return;
    }
    let now = space.clock.seconds;
    let began = now - f64::from(space.clock.time_step);
    // After a seek to the past, these have not happened yet.
    while hits.shown.back().is_some_and(|hit| hit.time > now) {
        hits.shown.pop_back();
    }
    let latest = space.report.hits.iter().rev().take(MAX).rev().map(|hit| Shown {
        point: hit.point,
        normal: hit.normal,
        impulse: hit.impulse,
        time: began + f64::from(hit.time),
    });
    hits.shown.extend(latest);
    let too_many = hits.shown.len().saturating_sub(MAX);
    hits.shown.drain(..too_many);
    let old = now - f64::from(SHOWN);
    while hits.shown.front().is_some_and(|hit| hit.time < old) {
        hits.shown.pop_front();
    }
}

pub(crate) fn draw_hits(
    mut canvas: ResMut<Canvas>,
    (hits, space): (Res<Hits>, Res<PhysicsSpace>),
    (view, settings, theme): (Res<CurrentView>, Res<ViewSettings>, Res<Theme>),
) {
    if !settings.hits {
        return;
    }
    let now = space.clock.seconds;
    let recent = || hits.shown.iter().filter(|hit| hit.time <= now);
    let hardest = recent().map(|hit| hit.impulse).fold(0.0, f32::max);
    for hit in recent() {
        let young = (1.0 - (now - hit.time) as f32 / SHOWN).clamp(0.0, 1.0);
        // By the square root, so that soft hits are visible beside hard ones.
        let share = if hardest > 0.0 { (hit.impulse / hardest).sqrt() } else { 0.0 };
        let half = hit.normal * view.px(4.0 + 0.5 * LENGTH * share);
        let colour = theme.marks.hit.with_alpha(theme.marks.hit.alpha * young);
        canvas.line(Layer::Highlight, hit.point - half, hit.point + half, view.px(2.2), colour);
        let across = hit.normal.perp() * view.px(5.0);
        canvas.line(Layer::Highlight, hit.point - across, hit.point + across, view.px(1.4), colour);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        PhysicsPlugins,
        prelude::*,
        timeline::{HistoryPlugin, advance, seek},
    };

    #[test]
    fn a_hit_is_shown_for_a_moment_and_only_if_asked_for() {
        for (asked, seconds) in [(true, 0.0), (false, 0.0), (true, 1e6)] {
            let mut app = App::new();
            app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), plugin))
                .insert_resource(ViewSettings { hits: asked, ..ViewSettings::default() })
                .init_resource::<Canvas>()
                .init_resource::<CurrentView>()
                .init_resource::<Theme>()
                .add_systems(Update, draw_hits);
            app.world_mut().resource_mut::<PhysicsSpace>().clock.seconds = seconds;
            app.world_mut().spawn((Disc, Velocity(Vec2::X)));
            app.world_mut().spawn((Disc, Position(Vec2::new(1.05, 0.0))));
            let mut drawn = |ticks| {
                advance(app.world_mut(), ticks);
                app.world_mut().resource_mut::<Canvas>().clear();
                app.update();
                app.world().resource::<Canvas>().len()
            };
            assert_eq!(drawn(1), 0);
            assert_eq!(drawn(5) > 0, asked);
            assert_eq!(drawn(60), 0, "after {seconds} s it fades as fast");
        }
    }

    #[test]
    fn a_seek_to_the_past_takes_later_hits_away() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), HistoryPlugin::default(), plugin))
            .insert_resource(ViewSettings { hits: true, ..ViewSettings::default() })
            .init_resource::<Canvas>()
            .init_resource::<CurrentView>()
            .init_resource::<Theme>()
            .add_systems(Update, draw_hits);
        app.world_mut().resource_mut::<Playback>().paused = true;
        let disc = app.world_mut().spawn((Disc, Velocity(8.0 * Vec2::X))).id();
        app.world_mut().spawn((Disc, Position(Vec2::new(1.3, 0.0))));
        let drawn = |app: &mut App| {
            app.world_mut().resource_mut::<Canvas>().clear();
            app.update();
            app.world().resource::<Canvas>().len()
        };
        advance(app.world_mut(), 6);
        assert!(drawn(&mut app) > 0);
        seek(app.world_mut(), 1).unwrap();
        assert_eq!(drawn(&mut app), 0, "it has not happened yet");
        app.world_mut().get_mut::<Velocity>(disc).unwrap().0 = Vec2::Y;
        advance(app.world_mut(), 6);
        assert_eq!(drawn(&mut app), 0, "it does not happen on this track");
    }
}
