//! The section *Momenta*: the momenta of some discs tip to tail with their sum, and the changes of momentum in the last
//! hit. The changes are also drawn on the table, where they fade.

use bevy::{math::DVec2, prelude::*};
use bevy_egui::egui::{self, Sense, Stroke, Ui};
use tr::tr;

use crate::{
    collision::{PhysicsSpace, measure},
    components::StableId,
    games::plugin::CurrentMatch,
    input::Selection,
    laboratory::{HitChange, HitChanges, instruments::Centre},
    notice::mark,
    number::measured,
    panel::{
        Field, InMatch, PanelAppExt, Section,
        widgets::{edit, reading},
    },
    view::{Canvas, CurrentView, DrawView, Layer, Theme, sees_layer_0, theme::egui as ink},
};

/// The most discs in the diagram.
const MOST: usize = 12;

/// The height of the diagram, points.
const HEIGHT: f32 = 200.0;

/// The time that an arrow on the table spans for a disc of mean mass, seconds.
const ARROW_SECONDS: f64 = 0.25;

/// How long a change of momentum is drawn in full, and how long it then fades, seconds of simulated time.
const FULL: f64 = 0.5;
const FADE: f64 = 0.5;

/// How the momenta are shown.
#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub(crate) struct MomentumDiagram {
    /// The magnification of the diagram, 1/8 to 8. At 1, the discs at their speeds fit into it.
    zoom: f32,
    /// Whether the arrows begin where the one before ends. Otherwise all begin in the middle.
    tip_to_tail: bool,
}

impl Default for MomentumDiagram {
    fn default() -> Self {
        Self { zoom: 1.0, tip_to_tail: true }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<MomentumDiagram>()
        .add_systems(
            DrawView,
            draw_changes
                .run_if(sees_layer_0)
                .run_if(|changes: Res<HitChanges>| changes.keeps)
                .run_if(not(resource_exists::<CurrentMatch>)),
        )
        .add_panel_section(
            Section::new("momenta", mark("Momenta"), show)
                .applies(World::contains_resource::<HitChanges>)
                .in_match(InMatch::LeftOut)
                .before("view"),
        );
}

/// The momentum of a disc, kg m/s, with its id.
type Momentum = (u64, DVec2);

/// The momenta of the selected discs, or of the first ones if none is selected.
fn momenta(world: &World) -> Vec<Momentum> {
    let selection = world.get_resource::<Selection>().map(|selection| selection.0.as_slice()).unwrap_or_default();
    let chosen: Vec<u64> = selection.iter().filter_map(|&disc| world.get::<StableId>(disc)).map(|id| id.0).collect();
    let discs = &world.resource::<PhysicsSpace>().discs;
    let all = discs.id.iter().zip(measure::masses(discs)).zip(&discs.velocity);
    let free = all.filter(|((id, mass), _)| *mass > 0.0 && (chosen.is_empty() || chosen.contains(id)));
    free.take(MOST).map(|((&id, mass), velocity)| (id, f64::from(mass) * velocity.as_dvec2())).collect()
}

/// The polyline of momenta, from zero.
fn tips(momenta: &[Momentum]) -> Vec<DVec2> {
    let mut tips = vec![DVec2::ZERO];
    for (_, momentum) in momenta {
        tips.push(*tips.last().unwrap_or(&DVec2::ZERO) + *momentum);
    }
    tips
}

/// A size of at least `least` that does not change all the time: a power of two.
fn steady(least: f64) -> f64 {
    if least > 0.0 && least.is_finite() { least.log2().ceil().exp2() } else { 1.0 }
}

fn show(ui: &mut Ui, world: &mut World) {
    let momenta = momenta(world);
    edit(world, |diagram: &mut MomentumDiagram| {
        let zoom = Field::new(tr!("Zoom"), tr!("Magnification of the diagram, 1/8 to 8"));
        zoom.range(0.125..=8.0).log().digits(2).slider(ui, &mut diagram.zoom, 1.0);
        let help = tr!("Each arrow begins where the one before ends, so the last tip is the sum.");
        Field::new(tr!("Tip to tail"), help).switch(ui, &mut diagram.tip_to_tail, true);
    });
    let diagram = *world.resource::<MomentumDiagram>();
    let sum: DVec2 = momenta.iter().map(|(_, momentum)| *momentum).sum();
    draw_diagram(ui, world.resource::<Theme>(), diagram, &momenta, sum);
    reading(ui, &tr!("Sum"), &tr!("The sum of the momenta in the diagram"), vector(sum));
    let space = world.resource::<PhysicsSpace>();
    if let Some(centre) = Centre::of(&space.discs, &[]) {
        let total = centre.velocity * centre.mass;
        reading(ui, &tr!("All discs"), &tr!("The sum of the momenta of all discs"), vector(total));
    }
    if momenta.len() == MOST {
        ui.weak(tr!("The diagram shows {} discs at most. Select some to choose them.", MOST));
    }
    ui.separator();
    let mut keeps = world.resource::<HitChanges>().keeps;
    let help = tr!("Draws the change of momentum of each disc at a hit. The arrows fade after a second.");
    Field::new(tr!("Changes at hits"), help).switch(ui, &mut keeps, false);
    if keeps != world.resource::<HitChanges>().keeps {
        world.resource_mut::<HitChanges>().keeps = keeps;
    }
    if let Some(last) = world.resource::<HitChanges>().newest_first().next() {
        for (id, change) in last.discs.into_iter().flatten() {
            reading(
                ui,
                &tr!("Momentum of disc {}", id),
                &tr!("The change of its momentum in the last hit"),
                vector(change),
            );
        }
    }
}

fn vector(momentum: DVec2) -> String {
    let size = measured(momentum.length(), "kg m/s");
    format!("{size}, {:.1}°", momentum.to_angle().to_degrees())
}

fn draw_diagram(ui: &mut Ui, theme: &Theme, diagram: MomentumDiagram, momenta: &[Momentum], sum: DVec2) {
    let size = egui::vec2(ui.available_width(), HEIGHT);
    let (response, painter) = ui.allocate_painter(size, Sense::hover());
    let area = response.rect;
    painter.rect_filled(area, 4.0, ink(theme.panel.well));
    let tips = if diagram.tip_to_tail { tips(momenta) } else { vec![DVec2::ZERO; momenta.len() + 1] };
    let ends: Vec<[DVec2; 2]> =
        momenta.iter().zip(&tips).map(|((_, momentum), from)| [*from, *from + *momentum]).collect();
    // The sum of the magnitudes stays the same while directions change, so the scale seldom does.
    let most: f64 = momenta.iter().map(|(_, momentum)| momentum.length()).sum();
    let scale = 0.9 * f64::from(area.width().min(area.height())) / steady(most) * f64::from(diagram.zoom);
    let all = || ends.iter().flatten().copied().chain([DVec2::ZERO, sum]);
    let (low, high) = all().fold((DVec2::ZERO, DVec2::ZERO), |(low, high), point| (low.min(point), high.max(point)));
    let middle = (low + high) / 2.0;
    let place = |point: DVec2| {
        let off = (point - middle) * scale;
        area.center() + egui::vec2(off.x as f32, -off.y as f32)
    };
    let arrow = |[from, to]: [DVec2; 2], width: f32, colour: egui::Color32| {
        let (from, to) = (place(from), place(to));
        painter.arrow(from, to - from, Stroke::new(width, colour));
    };
    arrow([DVec2::ZERO, sum], 4.0, ink(theme.marks.momentum));
    for ((id, _), ends) in momenta.iter().zip(&ends) {
        arrow(*ends, 2.0, ink(theme.marks.arrow));
        let at = place((ends[0] + ends[1]) / 2.0);
        let font = egui::FontId::proportional(11.0);
        painter.text(at, egui::Align2::CENTER_CENTER, id.to_string(), font, ink(theme.text.first));
    }
    response.on_hover_text(tr!("The thick arrow is the sum. Numbers are those of the discs."));
}

/// How visible a change is after some seconds, 0 to 1.
fn strength(age: f64) -> f32 {
    (1.0 - (age - FULL) / FADE).clamp(0.0, 1.0) as f32
}

fn draw_changes(
    mut canvas: ResMut<Canvas>,
    (changes, space): (Res<HitChanges>, Res<PhysicsSpace>),
    (view, theme): (Res<CurrentView>, Res<Theme>),
) {
    let Some(centre) = Centre::of(&space.discs, &[]) else { return };
    let free = measure::masses(&space.discs).filter(|mass| *mass > 0.0).count();
    let per_momentum = ARROW_SECONDS * free as f64 / centre.mass;
    for HitChange { tick, time, point, discs } in changes.newest_first() {
        let ticks = space.clock.tick.saturating_sub(*tick) as f64 + 1.0;
        let strength = strength(ticks * f64::from(space.clock.time_step) - f64::from(*time));
        if strength == 0.0 {
            break;
        }
        for (_, change) in discs.iter().flatten() {
            let to = *point + (*change * per_momentum).as_vec2();
            canvas.arrow(Layer::Arrow, *point, to, view.px(3.0), theme.marks.hit.with_alpha(strength));
        }
    }
}

#[cfg(test)]
mod tests {
    use egui_kittest::{Harness, kittest::Queryable};

    use super::*;
    use crate::{instruments::test_support::started, timeline::advance};
    use bevy_egui::egui::accesskit::Role;

    #[test]
    fn the_last_tip_is_the_sum() {
        let momenta = [(0, DVec2::new(1.0, 2.0)), (1, DVec2::new(-3.0, 0.5))];
        assert_eq!(tips(&momenta), [DVec2::ZERO, DVec2::new(1.0, 2.0), DVec2::new(-2.0, 2.5)]);
        assert_eq!([0.0, 3.0, 4.0, 4.1].map(steady), [1.0, 4.0, 4.0, 8.0]);
        assert_eq!([0.2, 0.75, 2.0].map(strength), [1.0, 0.5, 0.0]);
    }

    #[test]
    fn a_hit_changes_both_momenta_by_the_same_amount() {
        let mut app = started("two-discs");
        app.world_mut().resource_mut::<HitChanges>().keeps = true;
        let hit = (0..300).find_map(|_| {
            advance(app.world_mut(), 1);
            match *app.world().resource::<HitChanges>().newest_first().next()? {
                HitChange { discs: [Some((_, a)), Some((_, b))], .. } => Some([a, b]),
                _ => None,
            }
        });
        let [a, b] = hit.expect("the two discs meet");
        assert!(a.length() > 0.0 && (a + b).length() < 1e-5 * a.length(), "{a} {b}");
        let show = |ui: &mut Ui, app: &mut App| super::show(ui, app.world_mut());
        let mut harness = Harness::builder().with_size([320.0, 500.0]).build_ui_state(show, app);
        harness.run_steps(2);
        assert!(harness.query_all_by_label_contains("Momentum of disc").count() > 0);
        harness.get_by_role_and_label(Role::CheckBox, "Changes at hits").click();
        harness.run_steps(2);
        assert!(!harness.state().world().resource::<HitChanges>().keeps);
    }
}
