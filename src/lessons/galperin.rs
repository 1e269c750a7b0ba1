//! Galperin's billiard (2003). A disc rests before a wall, and another with 100^d times its mass moves in. The number
//! of collisions, including those with the wall, gives the first d + 1 digits of pi.

use bevy::{ecs::entity::EntityHashMap, prelude::*};
use bevy_egui::{
    EguiContexts, EguiPrimaryContextPass,
    egui::{self, RichText, Ui},
};
use tr::tr;

use super::WritesLesson;
use crate::{
    collision::{Collision, SimulationSystems, tick_schedule},
    components::{Disc, Mass, Position, Radius, StableId},
    experiments::galperin::expected,
    scene::{Lesson, SceneStarted, in_lesson},
    timeline::ticked,
    view::{Drawn, Theme, View2d, Views, words::labels::Pen},
};

pub(super) fn plugin(app: &mut App) {
    let schedule = tick_schedule(app);
    let runs = in_lesson(Lesson::GALPERIN.name);
    app.init_resource::<Tally>()
        .add_observer(forget)
        .add_systems(schedule, count.after(SimulationSystems).run_if(ticked.and_then(runs.clone())))
        .add_systems(EguiPrimaryContextPass, write_lanes.run_if(runs).in_set(WritesLesson));
}

/// Shows the numbers.
pub(super) fn show(ui: &mut Ui, world: &mut World) {
    if let Err(error) = world.run_system_cached_with(show_lanes, ui) {
        tracing::warn!("the lanes are not shown: {error}");
    }
}

fn write_lanes(
    mut contexts: EguiContexts,
    (views, theme): (Views, Res<Theme>),
    tally: Res<Tally>,
    lanes: Query<LaneDisc, With<Disc>>,
) {
    let view = views.main();
    if let Some(pen) = Pen::new(&mut contexts, view, &theme) {
        write(&pen, view, &tally, &lanes);
    }
}

/// The number of collisions of each disc since the scene started, counted only for this lesson. A collision of two
/// discs counts for the one with the lower [`StableId`].
#[derive(Resource, Clone, Debug, Default)]
pub struct Tally {
    counts: EntityHashMap<u64>,
}

/// A lane of the lesson: a light disc and a heavy one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lane {
    /// The light disc.
    pub light: Entity,
    /// The mass of the heavy disc as a multiple of the light disc's.
    pub ratio: f32,
    /// The height of the lane, metres, at which its number is written.
    pub height: f32,
    /// The collisions so far.
    pub count: u64,
}

/// The components read from a disc.
pub type LaneDisc =
    (Entity, &'static StableId, &'static Position, &'static Mass, &'static Radius, Option<&'static Drawn>);

impl Tally {
    /// The lanes, in order of their discs' [`StableId`]s. Each has two discs, the light one first.
    #[must_use]
    pub fn lanes(&self, discs: &Query<LaneDisc, With<Disc>>) -> Vec<Lane> {
        let mut discs: Vec<_> = discs.iter().collect();
        discs.sort_unstable_by_key(|(entity, id, ..)| (**id, *entity));
        discs
            .as_chunks::<2>()
            .0
            .iter()
            .map(|[light, heavy]| Lane {
                light: light.0,
                ratio: heavy.3.0 / light.3.0,
                height: light.2.y,
                count: self.counts.get(&light.0).copied().unwrap_or(0),
            })
            .collect()
    }
}

/// Resets the counts when a scene starts.
fn forget(_: On<SceneStarted>, mut tally: ResMut<Tally>) {
    tally.counts.clear();
}

fn count(mut tally: ResMut<Tally>, mut collisions: MessageReader<Collision>) {
    for collision in collisions.read() {
        *tally.counts.entry(collision.a).or_insert(0) += 1;
    }
}

fn write(pen: &Pen, view: &View2d, tally: &Tally, discs: &Query<LaneDisc, With<Disc>>) {
    let lanes = tally.lanes(discs);
    let apart = least_apart(&lanes) * view.pixels_per_metre;
    // In a small view only the number is shown, as the caption would be illegible.
    let caption = apart > 0.7 * WITH_CAPTION;
    let size = (apart / if caption { WITH_CAPTION } else { ALONE }).min(1.0);
    let right = view.to_world(view.area.max).x - view.px((0.18 * view.area.width()).min(150.0));
    for lane in lanes {
        let at = view.to_screen(Vec2::new(right, lane.height));
        let colour = if lane.count == expected(lane.ratio) { pen.theme.lesson.after } else { pen.theme.text.first };
        let count = lane.count.to_string();
        if caption {
            pen.middle(at - Vec2::Y * 9.0 * size, 34.0 * size, &count, colour);
            pen.middle(at + Vec2::Y * 20.0 * size, 13.0 * size, &tr!("mass {} : 1", lane.ratio), pen.theme.text.soft);
        } else {
            pen.middle(at, 34.0 * size, &count, colour);
        }
    }
}

/// The height of a lane's number with its caption, and alone, logical pixels.
const WITH_CAPTION: f32 = 56.0;
const ALONE: f32 = 40.0;

/// The smallest distance between two lanes, metres, or infinity with fewer than two.
fn least_apart(lanes: &[Lane]) -> f32 {
    let apart = lanes.windows(2).map(|pair| (pair[0].height - pair[1].height).abs());
    apart.filter(|apart| *apart > 0.0).fold(f32::INFINITY, f32::min)
}

fn show_lanes(ui: InMut<Ui>, tally: Res<Tally>, discs: Query<LaneDisc, With<Disc>>) {
    let ui = ui.0;
    egui::Grid::new("lanes").num_columns(3).striped(true).spacing([18.0, 4.0]).show(ui, |ui| {
        for title in [tr!("mass"), tr!("collisions"), tr!("of")] {
            ui.weak(title);
        }
        ui.end_row();
        for lane in tally.lanes(&discs) {
            ui.label(format!("{} : 1", lane.ratio));
            ui.label(RichText::new(lane.count.to_string()).strong());
            ui.weak(expected(lane.ratio).to_string()).on_hover_text(tr!("The whole number below π / atan √(m / M)"));
            ui.end_row();
        }
    });
    ui.weak(tr!("In the plane of the scaled positions, the discs are a point between two mirrors at the angle atan \
        √(m / M). Unfolded, its path is a straight line that crosses the mirrors π over that angle times (Galperin \
        2003)."));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closest_lanes_say_how_large_words_can_be() {
        let lane = |height| Lane { light: Entity::PLACEHOLDER, ratio: 1.0, height, count: 3 };
        let lanes = [1.9, 0.9, 0.0, 0.0].map(lane);
        assert_eq!(least_apart(&lanes), 0.9);
        assert_eq!(least_apart(&lanes[..1]), f32::INFINITY);
    }
}
