//! The section *Boundary map*: each hit of a billiard as a point of place and direction. A click on the map starts a
//! disc there.

use std::time::Duration;

use bevy::{platform::time::Instant, prelude::*};
use bevy_egui::egui::{self, Color32, ColorImage, Sense, TextureHandle, TextureOptions, Ui, WidgetInfo, WidgetType};
use tr::tr;

use crate::{
    collision::PhysicsSpace,
    components::{Position, StableId, Velocity},
    input::Selection,
    laboratory::billiard::{Boundary, BoundaryMap, BoundaryMapPlugin, MapPoint},
    notice::mark,
    number::{measured, trimmed},
    panel::{
        Field, PanelAppExt, Section,
        widgets::{edit_component, reading},
    },
    view::{Theme, theme::egui as ink},
};

/// How often the points are drawn again while they change.
const EVERY: Duration = Duration::from_millis(100);

/// The height of the map, as a share of its width.
const HEIGHT: f32 = 0.75;

/// The largest width of its picture, pixels.
const MOST_PIXELS: f32 = 2048.0;

/// The cells along each axis of the grid by which the share of the map that is visited is counted.
const CELLS: usize = 50;

/// The speed of a disc that starts from the map after it was at rest, m/s.
const SPEED: f32 = 1.0;

/// What the colour of a point means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ColourBy {
    /// The start of the path.
    #[default]
    Start,
    /// The component of the boundary.
    Component,
    /// The age: recent hits are bright.
    Age,
}

impl ColourBy {
    const ALL: [(Self, &str); 3] =
        [(Self::Start, mark("start")), (Self::Component, mark("component")), (Self::Age, mark("age"))];
}

/// What the picture of the points was drawn from.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Drawn {
    version: u64,
    last: Option<MapPoint>,
    size: [usize; 2],
    colour: ColourBy,
    ink: [Color32; 8],
}

/// The state of the section.
#[derive(Resource, Default)]
pub(super) struct MapView {
    colour: ColourBy,
    picture: Option<(Drawn, TextureHandle, Instant)>,
    /// The share of cells that are visited, at the time of the picture.
    coverage: f64,
}

pub(super) fn plugin(app: &mut App) {
    if !app.is_plugin_added::<BoundaryMapPlugin>() {
        app.add_plugins(BoundaryMapPlugin);
    }
    app.init_resource::<MapView>().add_panel_section(
        Section::new("boundary-map", mark("Boundary map"), show)
            .applies(|world| world.contains_resource::<MapView>() && world.contains_resource::<BoundaryMap>())
            .edits()
            .after("measure"),
    );
}

fn show(ui: &mut Ui, world: &mut World) {
    let mut on = world.resource::<BoundaryMap>().is_on();
    let help = tr!(
        "Draws each hit on terrain as a point: across, where on the boundary; upward, the direction after the hit. \
        Regular motion gives curves, chaotic motion fills areas. For single discs, or discs that do not collide."
    );
    Field::new(tr!("Record hits"), help).switch(ui, &mut on, false);
    if on != world.resource::<BoundaryMap>().is_on() {
        world.resource_mut::<BoundaryMap>().switch(on);
    }
    world.resource_scope(|world, mut view: Mut<MapView>| {
        match world.resource::<BoundaryMap>().boundary().map(|boundary| boundary.map(Boundary::length)) {
            None if on => _ = ui.weak(tr!("No tick has run yet.")),
            None => (),
            Some(Err(reason)) => {
                let text = tr!("No map: {}", tr!(reason));
                ui.add(egui::Label::new(egui::RichText::new(text).weak()).wrap());
            }
            Some(Ok(_)) => show_map(ui, world, &mut view),
        }
    });
}

fn show_map(ui: &mut Ui, world: &mut World, view: &mut MapView) {
    let help = tr!("The meaning of the colours: the start of the path, the part of the boundary, or the age.");
    Field::new(tr!("Colour of points"), help).choice(ui, &mut view.colour, &ColourBy::ALL, ColourBy::Start);
    let width = ui.available_width();
    let (rect, response) = ui.allocate_exact_size(egui::vec2(width, HEIGHT * width), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, tr!("Map of hits")));
    let theme = world.resource::<Theme>();
    let map = world.resource::<BoundaryMap>();
    view.draw(ui, map, theme.discs.map(ink), rect);
    let Some(Ok(boundary)) = map.boundary() else { return };
    let length = boundary.length();
    paint(ui, view, boundary, rect);
    let at = |place: egui::Pos2| {
        let share = (place - rect.min) / rect.size();
        [f64::from(share.x.clamp(0.0, 1.0)) * length, 1.0 - 2.0 * f64::from(share.y.clamp(0.0, 1.0))]
    };
    let response = response.on_hover_ui_at_pointer(|ui| {
        let place = ui.ctx().pointer_latest_pos().unwrap_or(rect.center());
        let [along, cosine] = at(place);
        ui.label(tr!("{} along the boundary, direction {}", measured(along, "m"), trimmed(cosine, 3)));
        ui.weak(tr!("Click to start the selected disc here, or the first one."));
    });
    ui.horizontal(|ui| {
        ui.small(tr!("boundary (m) →"));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.small(tr!("↑ direction, −1 to 1"));
        });
    });
    show_numbers(ui, map, boundary, view.coverage);
    let clicked = response.clicked().then(|| response.interact_pointer_pos()).flatten();
    if let Some(place) = clicked {
        let [along, cosine] = at(place);
        start(world, along, cosine);
    }
    let help = tr!("Removes all points. The map is then that of the selected disc, or of the first one.");
    if ui.button(tr!("Clear the map")).on_hover_text(help).clicked() {
        let selected = world.get_resource::<Selection>().and_then(Selection::single);
        let disc = selected.and_then(|disc| world.get::<StableId>(disc)).map(|id| id.0);
        let mut map = world.resource_mut::<BoundaryMap>();
        map.show_disc(disc);
        map.clear();
    }
}

fn show_numbers(ui: &mut Ui, map: &BoundaryMap, boundary: &Boundary, coverage: f64) {
    let help = tr!("Number of hits on the map. The latest 100,000 are kept.");
    reading(ui, &tr!("Hits on the map"), &help, map.points().len().to_string());
    let help = tr!("Share of the cells of a grid of 50 times 50 that hold a hit. Chaotic motion visits more and more.");
    reading(ui, &tr!("Visited"), &help, format!("{} %", trimmed(100.0 * coverage, 1)));
    let help = tr!(
        "Lengths of the parts of the boundary that the centre of the disc can reach: the outer one, then bumpers. \
        Vertical lines separate them on the map."
    );
    let lengths = boundary.components().iter().map(|component| trimmed(component.length(), 3));
    reading(ui, &tr!("Boundary"), &help, format!("{} m", lengths.collect::<Vec<_>>().join(" + ")));
    let help = tr!("Mean distance between two hits over all places and directions: π times area by length.");
    reading(ui, &tr!("Mean chord"), &help, measured(boundary.mean_chord(), "m"));
}

impl MapView {
    /// Draws the points into a picture, if they have changed and the last picture is old enough.
    fn draw(&mut self, ui: &Ui, map: &BoundaryMap, ink: [Color32; 8], rect: egui::Rect) {
        let scale = ui.ctx().pixels_per_point().min(MOST_PIXELS / rect.width());
        let size = [rect.width(), rect.height()].map(|side| ((side * scale) as usize).max(1));
        let now =
            Drawn { version: map.version(), last: map.points().next_back().copied(), size, colour: self.colour, ink };
        if let Some((drawn, _, at)) = &self.picture {
            let is_same_look = (drawn.size, drawn.colour, drawn.ink) == (now.size, now.colour, now.ink);
            if *drawn == now || is_same_look && at.elapsed() < EVERY {
                return;
            }
        }
        let image = picture(map, now, scale.round().max(1.0) as usize);
        let texture = ui.ctx().load_texture("boundary map", image, TextureOptions::NEAREST);
        self.coverage = map.coverage(CELLS);
        self.picture = Some((now, texture, Instant::now()));
    }
}

/// The points as a transparent picture; each is a square of `dot` pixels.
fn picture(map: &BoundaryMap, look: Drawn, dot: usize) -> ColorImage {
    let [width, height] = look.size;
    let mut image = ColorImage::filled(look.size, Color32::TRANSPARENT);
    let length = map.boundary().and_then(Result::ok).map_or(1.0, Boundary::length) as f32;
    let count = map.points().len().max(1) as f32;
    for (index, point) in map.points().enumerate() {
        let colour = match look.colour {
            ColourBy::Start => look.ink[usize::from(point.start) % look.ink.len()],
            ColourBy::Component => look.ink[usize::from(point.component) % look.ink.len()],
            ColourBy::Age => look.ink[0].gamma_multiply(0.15 + 0.85 * (index + 1) as f32 / count),
        };
        let x = (point.along / length * width as f32) as usize;
        let y = (0.5 * (1.0 - point.cosine) * height as f32) as usize;
        for row in y..(y + dot).min(height) {
            for column in x..(x + dot).min(width) {
                image.pixels[row * width + column] = colour;
            }
        }
    }
    image
}

/// Paints the frame, the lines between the components, the line of zero, and the picture.
fn paint(ui: &Ui, view: &MapView, boundary: &Boundary, rect: egui::Rect) {
    let painter = ui.painter_at(rect);
    let lines = ui.visuals().widgets.noninteractive.bg_stroke;
    painter.rect_filled(rect, 0.0, ui.visuals().extreme_bg_color);
    painter.hline(rect.x_range(), rect.center().y, lines);
    let mut along = 0.0;
    for component in boundary.components() {
        painter.vline(rect.min.x + rect.width() * (along / boundary.length()) as f32, rect.y_range(), lines);
        along += component.length();
    }
    if let Some((_, texture, _)) = &view.picture {
        let whole = egui::Rect::from_min_max(egui::Pos2::ZERO, egui::pos2(1.0, 1.0));
        painter.image(texture.id(), rect, whole, Color32::WHITE);
    }
    painter.rect_stroke(rect, 0.0, lines, egui::StrokeKind::Inside);
}

/// Starts the selected disc, or the first one, from a point of the map with its current speed.
fn start(world: &mut World, along: f64, cosine: f64) {
    let selected = world.get_resource::<Selection>().and_then(Selection::single);
    let space = world.resource::<PhysicsSpace>();
    let first = space.discs.entity.first().copied();
    let Some(disc) = selected.filter(|disc| space.discs.entity.contains(disc)).or(first) else { return };
    let Some(&StableId(id)) = world.get::<StableId>(disc) else { return };
    let speed = world.get::<Velocity>(disc).map_or(0.0, |velocity| velocity.0.length());
    let speed = if speed > 0.0 { speed } else { SPEED };
    let place = world.resource::<BoundaryMap>().start_at(along, cosine, f64::from(speed));
    let Some([position, velocity]) = place else { return };
    edit_component(world, disc, |old: &mut Position| old.0 = position);
    edit_component(world, disc, |old: &mut Velocity| old.0 = velocity);
    world.resource_mut::<BoundaryMap>().begin_start(id);
}

#[cfg(test)]
mod tests {
    use bevy_egui::egui::accesskit::Role;
    use egui_kittest::{Harness, kittest::Queryable};

    use super::*;
    use crate::{components::Disc, instruments::test_support::started, timeline::advance};

    fn shown(scene: &'static str) -> Harness<'static, App> {
        let show = |ui: &mut Ui, app: &mut App| super::show(ui, app.world_mut());
        Harness::builder().with_size([300.0, 700.0]).build_ui_state(show, started(scene))
    }

    fn map(harness: &Harness<'static, App>) -> BoundaryMap {
        harness.state().world().resource::<BoundaryMap>().clone()
    }

    #[test]
    fn hits_are_recorded_and_cleared_and_a_click_starts_the_disc_there() {
        let mut harness = shown("sinai");
        assert!(harness.query_by_label("Map of hits").is_none(), "it is off");
        harness.get_by_role_and_label(Role::CheckBox, "Record hits").click();
        harness.run_steps(3);
        advance(harness.state_mut().world_mut(), 2000);
        harness.run_steps(3);
        assert!(map(&harness).points().len() > 5);
        assert!(harness.query_by_label_contains("4 + 1.571 m").is_some(), "the lengths of both components");
        harness.get_by_label("Map of hits").click();
        harness.run_steps(3);
        let world = harness.state_mut().world_mut();
        let mut discs = world.query_filtered::<(&Position, &Velocity), With<Disc>>();
        let (position, velocity) = discs.single(world).unwrap();
        // The middle of the map: a direction along the normal, on the boundary at half of its length.
        let length = 4.0 + std::f64::consts::FRAC_PI_2;
        let [at, _] = world.resource::<BoundaryMap>().start_at(0.5 * length, 0.0, 1.0).unwrap();
        assert!(position.0.distance(at) < 0.05, "{position:?} instead of {at}");
        assert!((velocity.0.length() - 1.0).abs() < 1e-3);
        assert!(velocity.0.abs().min_element() < 0.05, "it leaves a straight wall at a right angle: {velocity:?}");
        advance(world, 2000);
        let points = map(&harness).points().map(|point| point.start).max();
        assert_eq!(points, Some(1), "later hits belong to a second start");
        harness.get_by_role_and_label(Role::Button, "Clear the map").click();
        harness.run_steps(3);
        assert_eq!(map(&harness).points().len(), 0);
    }

    #[test]
    fn a_table_without_a_boundary_says_why() {
        let mut harness = shown("two-discs");
        harness.state_mut().world_mut().resource_mut::<BoundaryMap>().switch(true);
        harness.state_mut().world_mut().spawn(Disc);
        advance(harness.state_mut().world_mut(), 2);
        harness.run_steps(3);
        assert!(harness.query_by_label_contains("No map").is_some() || map(&harness).boundary().unwrap().is_ok());
    }

    #[test]
    fn the_picture_has_a_dot_for_each_hit() {
        let mut app = started("circle");
        app.world_mut().resource_mut::<BoundaryMap>().switch(true);
        advance(app.world_mut(), 1000);
        let map = app.world().resource::<BoundaryMap>();
        let ink = [Color32::RED; 8];
        for colour in [ColourBy::Start, ColourBy::Component, ColourBy::Age] {
            let look = Drawn { version: 0, last: None, size: [400, 200], colour, ink };
            let image = picture(map, look, 1);
            let dots = image.pixels.iter().filter(|pixel| **pixel != Color32::TRANSPARENT).count();
            assert!(dots > 20 && dots <= map.points().len(), "{dots} dots of {} hits", map.points().len());
            // The angle stays the same, so all are in one or two rows for each ball.
            let rows = image.pixels.chunks(400).filter(|row| row.iter().any(|pixel| *pixel != Color32::TRANSPARENT));
            assert!(rows.count() <= 4);
        }
    }
}
