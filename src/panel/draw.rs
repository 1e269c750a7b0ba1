//! Drawing: the tools, the settings of new pieces, the measures, and the values of the selected terrain. It also has
//! the undo and redo buttons.

use bevy::prelude::*;
use bevy_egui::egui::{Button, Ui};
use tr::tr;

use super::{
    field::{Field, help_of},
    optional,
    widgets::{edit, tip, usable},
};
use crate::{
    components::{Position, Restitution, Rotation, Terrain},
    editor::{self, ChosenTerrain, DrawSettings, EditHistory, Handle, JointForm, Placed, Tool},
    input::actions::{Control, KeyMap},
    scene::Surroundings,
    view::{Measures, main_view},
};

/// The undo and redo buttons, each with its edit.
pub(super) fn show_history(ui: &mut Ui, world: &mut World) {
    let Some(history) = world.get_resource::<EditHistory>() else { return };
    let (last, next) = (history.next_undo(), history.next_redo());
    let undo = usable(ui, last.is_some(), |ui| ui.button(tr!("Undo")));
    let text = last.map_or_else(|| tr!("Nothing to undo"), |last| tr!("Undo: {}", last));
    let text = tip(world, &text, Control::Undo);
    if undo.on_hover_text(&text).on_disabled_hover_text(&text).clicked() {
        editor::undo(world);
    }
    let redo = usable(ui, next.is_some(), |ui| ui.button(tr!("Redo")));
    let text = next.map_or_else(|| tr!("Nothing to redo"), |next| tr!("Redo: {}", next));
    let text = tip(world, &text, Control::Redo);
    if redo.on_hover_text(&text).on_disabled_hover_text(&text).clicked() {
        editor::redo(world);
    }
}

/// Whether terrain is selected or a tool is active.
pub(super) fn is_in_use(world: &World) -> bool {
    world.get_resource::<ChosenTerrain>().is_some_and(|chosen| chosen.0.is_some())
        || world.get_resource::<Tool>().is_some_and(|tool| *tool != Tool::Select)
}

pub(super) fn show(ui: &mut Ui, world: &mut World) {
    show_tools(ui, world);
    if let Some(piece) = world.resource::<ChosenTerrain>().0 {
        ui.strong(tr!("Selected terrain"));
        show_chosen(ui, world, piece);
        ui.strong(tr!("Options for drawing"));
    }
    show_new(ui, world);
    show_measures(ui, world);
}

fn show_tools(ui: &mut Ui, world: &mut World) {
    let tool = *world.resource::<Tool>();
    let mut now = tool;
    let map = world.resource::<KeyMap>();
    ui.horizontal_wrapped(|ui| {
        for (each, name, _) in Tool::ALL {
            if ui.add(Button::selectable(tool == each, tr!(name))).on_hover_text(each.help(map)).clicked() {
                now = each;
            }
        }
    });
    ui.weak(now.help(map));
    if now != tool {
        *world.resource_mut::<Tool>() = now;
    }
    ui.add_space(4.0);
}

/// The settings of new pieces.
fn show_new(ui: &mut Ui, world: &mut World) {
    let start = DrawSettings::default();
    let tool = *world.resource::<Tool>();
    let length =
        |name: String, help: String| Field::new(name, help).range(0.001..=10.0).unit(" m").digits(4).log().beyond();
    edit(world, |settings: &mut DrawSettings| {
        Field::new(
            tr!("Snap"),
            tr!("Snaps what you draw to nearby ends, corners and centres, otherwise to the grid. Ctrl inverts this."),
        )
        .switch(ui, &mut settings.snap, start.snap);
        if tool == Tool::Bumper {
            length(tr!("Bumper radius"), tr!("Radius of a bumper drawn with a click.")).slider(
                ui,
                &mut settings.bumper,
                start.bumper,
            );
        }
        if tool == Tool::Block {
            length(tr!("Block width"), tr!("Width of a block drawn with a click.")).slider(
                ui,
                &mut settings.block.x,
                start.block.x,
            );
            length(tr!("Block height"), tr!("Height of a block drawn with a click.")).slider(
                ui,
                &mut settings.block.y,
                start.block.y,
            );
        }
        if tool == Tool::Joint {
            Field::new(tr!("Joint"), tr!("Kind of joint to draw. Set its values in the Joints section.")).choice(
                ui,
                &mut settings.joint,
                &JointForm::ALL,
                start.joint,
            );
        }
        if !matches!(tool, Tool::Wall | Tool::Block | Tool::Polygon | Tool::Bumper | Tool::Arc) {
            return;
        }
        let mut own = settings.restitution.is_some();
        Field::new(
            tr!("Custom restitution"),
            optional::with_combine(&tr!("Gives new terrain its own coefficient of restitution.")),
        )
        .switch(ui, &mut own, false);
        settings.restitution = own.then_some(settings.restitution.unwrap_or(0.8));
        if let Some(restitution) = &mut settings.restitution {
            Field::new(tr!("Restitution"), tr!("Coefficient of restitution of new terrain, 0 to 1.")).slider(
                ui,
                restitution,
                0.8,
            );
        }
    });
}

fn show_measures(ui: &mut Ui, world: &mut World) {
    let surroundings = world.get_resource::<Surroundings>().copied().unwrap_or_default();
    let by_zoom = Measures { grid_width: None, ..world.resource::<Measures>().clone() };
    let by_zoom = main_view(world).map_or(1.0, |view| by_zoom.width(&view));
    edit(world, |measures: &mut Measures| {
        Field::new(tr!("Grid"), tr!("Shows the grid that drawing snaps to.")).switch(ui, &mut measures.grid, false);
        let mut fixed = measures.grid_width.is_some();
        Field::new(
            tr!("Fixed grid"),
            tr!("Keeps the grid width at every zoom. When off, the zoom chooses 1, 2, 5, 10 …"),
        )
        .switch(ui, &mut fixed, false);
        measures.grid_width = fixed.then_some(measures.grid_width.unwrap_or(by_zoom));
        if let Some(width) = &mut measures.grid_width {
            Field::new(tr!("Grid width"), tr!("Distance between grid lines."))
                .range(0.001..=100.0)
                .unit(" m")
                .digits(4)
                .log()
                .beyond()
                .slider(ui, width, by_zoom);
        }
        let start = surroundings == Surroundings::Laboratory;
        let was = measures.shows_scale_bar(surroundings);
        let mut bar = was;
        Field::new(tr!("Scale bar"), tr!("Shows a bar for scale in the corner. Laboratory scenes always have one."))
            .switch(ui, &mut bar, start);
        if bar != was {
            measures.scale_bar = (bar != start).then_some(bar);
        }
    });
}

/// The values of the selected piece, and a button that deletes it.
fn show_chosen(ui: &mut Ui, world: &mut World, piece: Entity) {
    let (Some(terrain), Some(position), Some(&rotation)) =
        (world.get::<Terrain>(piece).cloned(), world.get::<Position>(piece).copied(), world.get::<Rotation>(piece))
    else {
        return;
    };
    let was = Placed { terrain, position: position.0, rotation };
    let mut now = was.clone();
    let middle = was.middle();
    let mut to = middle;
    Field::new(tr!("Centre"), tr!("Centre, m: to the right, upward"))
        .unit(" m")
        .row(ui, |ui, field| field.vector(ui, &mut to));
    if !editor::is_same(&to, &middle) {
        now = now.pulled(Handle::Body, middle, to, false);
    }
    if !matches!(now.terrain, Terrain::Circle { .. }) && !matches!(now.terrain, Terrain::Arc { .. }) {
        let mut degrees = was.rotation.0.to_degrees();
        let angle = Field::new(tr!("Angle"), tr!("Degrees, counter-clockwise")).unit("°").digits(2).speed(0.5);
        Field::new(tr!("Angle"), tr!("Rotation about the centre, counter-clockwise"))
            .row(ui, |ui, _| angle.number(ui, &mut degrees));
        if !editor::is_same(&degrees, &was.rotation.0.to_degrees()) {
            now = now.turned_to(degrees.to_radians());
        }
    }
    show_size(ui, &mut now);
    if !editor::is_same(&now, &was) && now.terrain.check().is_ok() {
        world.entity_mut(piece).insert((now.terrain, Position(now.position), now.rotation));
    }
    let help = optional::with_combine(&help_of::<Restitution>());
    let field = Field::new(tr!("Restitution"), help).named(tr!("Terrain restitution")).range(0.0..=1.0);
    optional::show_restitution(ui, world, piece, &field, &tr!("Custom terrain restitution"), (0.8, ""));
    optional::show(ui, world, piece);
    let delete = tip(world, &tr!("Deletes the selected terrain"), Control::Delete);
    if ui.button(tr!("Delete terrain")).on_hover_text(delete).clicked() {
        editor::delete(world, &[piece]);
        world.resource_mut::<ChosenTerrain>().0 = None;
    }
    ui.add_space(6.0);
}

fn show_size(ui: &mut Ui, placed: &mut Placed) {
    let (ends, _) = placed.outline();
    let place = |name: &str, help: String| Field::new(name.to_owned(), help).unit(" m");
    match &mut placed.terrain {
        Terrain::Circle { radius } => show_radius(ui, radius, 0.0),
        Terrain::Arc { radius, start, extent } => show_arc(ui, radius, [start, extent]),
        Terrain::Block { half_size } | Terrain::Arena { half_size } => {
            let mut size = *half_size * 2.0;
            place(&tr!("Size"), tr!("Width and height, m")).row(ui, |ui, field| field.vector(ui, &mut size));
            if size != *half_size * 2.0 && size.min_element() > 0.0 {
                *half_size = size / 2.0;
            }
        }
        Terrain::Segment { .. } => {
            for (k, label) in [tr!("From"), tr!("To")].iter().enumerate() {
                let mut end = ends[k];
                place(label, tr!("End point, m: to the right, upward")).row(ui, |ui, field| field.vector(ui, &mut end));
                if !editor::is_same(&end, &ends[k]) {
                    *placed = placed.pulled(Handle::Point(k), ends[k], end, false);
                }
            }
        }
        Terrain::Polygon { points } | Terrain::Polyline { points } => {
            let count = points.len();
            let corners = Field::new(tr!("Corners"), tr!("Drag them with the mouse"));
            corners.row(ui, |ui, _| _ = ui.label(count.to_string()));
        }
    }
}

fn show_radius(ui: &mut Ui, radius: &mut f32, least: f32) {
    Field::new(tr!("Radius"), tr!("Radius, m"))
        .named(tr!("Terrain radius"))
        .unit(" m")
        .digits(5)
        .range(least..=1e9)
        .row(ui, |ui, field| field.number(ui, radius));
}

/// The radius, the start and the extent of an arc.
fn show_arc(ui: &mut Ui, radius: &mut f32, [start, extent]: [&mut f32; 2]) {
    show_radius(ui, radius, 1e-4);
    let angle = |ui: &mut Ui, field: Field, radians: &mut f32| {
        let mut degrees = radians.to_degrees();
        field.unit("°").digits(2).speed(0.5).row(ui, |ui, field| field.number(ui, &mut degrees));
        if degrees != radians.to_degrees() {
            // A full turn is exact, regardless of rounding.
            *radians = if degrees >= 360.0 { std::f32::consts::TAU } else { degrees.to_radians() };
        }
    };
    let help = tr!("Start angle, degrees counter-clockwise from the right");
    angle(ui, Field::new(tr!("Start angle"), help).range(-360.0..=359.99), start);
    let help = tr!("Counter-clockwise extent from the start. 360° makes a round arena.");
    angle(ui, Field::new(tr!("Extent"), help).range(1.0..=360.0), extent);
}

#[cfg(test)]
mod tests {
    use bevy::prelude::*;
    use bevy_egui::egui::{Key, Pos2, Ui, accesskit::Role};
    use egui_kittest::{Harness, kittest::Queryable};

    use super::super::{hold, physics, tests::app};
    use crate::{
        collision::CollisionSettings,
        editor::{self, EditHistory, Tool, UndoPlugin},
    };

    /// The collisions section in the panel.
    fn shown() -> Harness<'static, App> {
        let mut app = app();
        app.add_plugins(UndoPlugin);
        let show = |ui: &mut Ui, app: &mut App| {
            editor::watch(app.world_mut(), hold(ui.ctx()), |world| {
                super::show_history(ui, world);
                physics::show(ui, world);
            });
        };
        Harness::builder().with_size([480.0, 800.0]).build_ui_state(show, app)
    }

    #[test]
    fn only_what_the_tool_uses_is_shown() {
        let show = |ui: &mut Ui, app: &mut App| super::show(ui, app.world_mut());
        let rows = ["Block width", "Bumper radius", "Custom restitution"];
        for (tool, shown) in [
            (Tool::Select, [false, false, false]),
            (Tool::Wall, [false, false, true]),
            (Tool::Block, [true, false, true]),
            (Tool::Bumper, [false, true, true]),
            (Tool::Arc, [false, false, true]),
            (Tool::Joint, [false, false, false]),
            (Tool::Ruler, [false, false, false]),
        ] {
            let mut app = app();
            app.insert_resource(tool);
            let harness = Harness::builder().with_size([480.0, 800.0]).build_ui_state(show, app);
            let is_shown = rows.map(|row| {
                let of_row = |role| harness.query_by_role_and_label(role, row).is_some();
                of_row(Role::Slider) || of_row(Role::CheckBox)
            });
            assert_eq!(is_shown, shown, "{tool:?}");
        }
    }

    fn restitution(harness: &Harness<App>) -> f32 {
        harness.state().world().resource::<CollisionSettings>().restitution
    }

    fn edits(harness: &Harness<App>) -> usize {
        harness.state().world().resource::<EditHistory>().len()
    }

    fn click(harness: &mut Harness<App>, at: Pos2) {
        harness.hover_at(at);
        harness.drag_at(at);
        harness.drop_at(at);
        harness.run_steps(3);
    }

    #[test]
    fn a_drag_of_a_slider_and_a_typed_number_are_one_edit_each() {
        let mut harness = shown();
        let before = restitution(&harness);
        let place = harness.get_by_role_and_label(Role::Slider, "Disc – disc").rect();
        let along = |share: f32| place.left_center() + bevy_egui::egui::vec2(share * place.width(), 0.0);
        harness.hover_at(along(0.9));
        harness.drag_at(along(0.9));
        harness.run_steps(2);
        for share in [0.8, 0.6, 0.35] {
            harness.hover_at(along(share));
            harness.run_steps(2);
        }
        harness.drop_at(along(0.3));
        harness.run_steps(3);
        let dragged = restitution(&harness);
        assert!((0.2..0.4).contains(&dragged), "{dragged}");
        assert_eq!(edits(&harness), 1);
        let number = harness.get_by_role_and_label(Role::SpinButton, "Disc – disc, number").rect().center();
        click(&mut harness, number);
        for letter in ["0", ".", "7", "5"] {
            harness.event(bevy_egui::egui::Event::Text(letter.to_owned()));
            harness.run_steps(2);
        }
        harness.key_press(Key::Enter);
        harness.run_steps(3);
        assert_eq!((restitution(&harness), edits(&harness)), (0.75, 2));
        for wanted in [dragged, before] {
            let undo = harness.get_by_role_and_label(Role::Button, "Undo").rect().center();
            click(&mut harness, undo);
            assert_eq!(restitution(&harness), wanted);
        }
        assert_eq!(edits(&harness), 0, "taking back is not an edit");
        let redo = harness.get_by_role_and_label(Role::Button, "Redo").rect().center();
        click(&mut harness, redo);
        assert_eq!((restitution(&harness), edits(&harness)), (dragged, 1));
    }
}
