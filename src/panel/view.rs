//! The settings of drawing.

use bevy::prelude::*;
use bevy_egui::egui::{self, Ui};
use tr::tr;

use super::{
    field::Field,
    text_size,
    widgets::{edit, tip},
};
use crate::{
    debug::PhysicsDebug,
    input::actions::{
        Control,
        words::{spoken, with_key},
    },
    interpolation::InterpolationSettings,
    scene::{CurrentScene, SceneFile},
    view::{Bookmark, Bookmarks, ColourBy, Language, MotionChoice, Named, ThemeChoice, ViewSettings, main_view},
};

pub(super) fn show(ui: &mut Ui, world: &mut World) {
    let scene = world.get_resource::<CurrentScene>().map(|scene| (scene.file.arrows, scene.file.trails));
    let (arrows, trails) = scene.unwrap_or_default();
    let start = ViewSettings { arrows, trails, ..ViewSettings::default() };
    text_size::show_row(ui, world);
    let mut smooth = *world.resource::<InterpolationSettings>();
    edit(world, |settings: &mut ViewSettings| {
        Field::new(tr!("Colours"), tr!("Dark, light, or the same as the desktop.")).choice(
            ui,
            &mut settings.theme,
            &ThemeChoice::ALL,
            start.theme,
        );
        Field::new(tr!("Language"), tr!("Language of the texts in the window.")).choice(
            ui,
            &mut settings.language,
            &Language::ALL,
            start.language,
        );
        Field::new(
            tr!("Colour by"),
            tr!("Colours discs by their own colour, by a measured value from dark violet (low) to bright yellow \
                (high), or by sliding, rolling, spinning and rest."),
        )
        .choice(ui, &mut settings.colour_by, &ColourBy::ALL, start.colour_by);
        Field::new(
            tr!("Trails"),
            tr!("Length of the trails behind discs, in seconds. 0: none. Large crowds have none."),
        )
        .range(SceneFile::TRAILS)
        .unit(" s")
        .digits(1)
        .log()
        .slider(ui, &mut settings.trails, start.trails);
        Field::new(tr!("Hit flash"), tr!("Flashes discs on hard hits.")).switch(ui, &mut settings.flash, start.flash);
        Field::new(tr!("Screen shake"), tr!("Shakes the view slightly when discs hit each other hard.")).switch(
            ui,
            &mut settings.shake,
            start.shake,
        );
        Field::new(
            tr!("Motion"),
            tr!("Less: no flashes and no shaking, regardless of Hit flash and Screen shake. Follows the desktop's \
                reduced-motion setting if it has one."),
        )
        .choice(ui, &mut settings.motion, &MotionChoice::ALL, start.motion);
        Field::new(
            tr!("Turn tables"),
            tr!("Rotates a billiard table by 90° in an upright window if that makes it clearly larger."),
        )
        .switch(ui, &mut settings.turn_tables, start.turn_tables);
        Field::new(
            tr!("All arrows"),
            tr!("Shows every disc's velocity. Each arrow is as long as the distance covered in a quarter second, and \
                at least the radius."),
        )
        .switch(ui, &mut settings.arrows, start.arrows);
        Field::new(
            tr!("Momenta"),
            tr!("Also shows every disc's momentum, scaled so that both arrows of a disc of mean mass are equal."),
        )
        .switch(ui, &mut settings.momentum, start.momentum);
        Field::new(tr!("Labels"), tr!("Numbers and words on discs.")).switch(ui, &mut settings.labels, start.labels);
        Field::new(
            tr!("Smooth motion"),
            tr!("Interpolates positions between ticks. Off: draws discs exactly where the last tick left them."),
        )
        .switch(ui, &mut smooth.enabled, InterpolationSettings::default().enabled);
        Field::new(
            tr!("Hits"),
            tr!("Shows hits as short flashes along their normals. Longer flashes mean harder hits."),
        )
        .switch(ui, &mut settings.hits, start.hits);
        Field::new(
            tr!("Broad phase"),
            tr!("Shows the grid cells that find candidate pairs. In the stepped mode, also shows the pairs."),
        )
        .switch(ui, &mut settings.grid, start.grid);
        Field::new(tr!("Title and hints"), tr!("Shows the texts over the table.")).switch(
            ui,
            &mut settings.overlay,
            start.overlay,
        );
    });
    world.resource_mut::<InterpolationSettings>().set_if_neq(smooth);
    show_physics(ui, world);
    show_bookmarks(ui, world);
    let fit = tip(world, &tr!("Shows the whole scene"), Control::Fit);
    if ui.button(tr!("Fit the view")).on_hover_text(fit).clicked()
        && let Some(mut view) = main_view(world)
    {
        view.request_fit();
    }
}

/// Debug drawing of the physics, if available.
fn show_physics(ui: &mut Ui, world: &mut World) {
    if !world.contains_resource::<PhysicsDebug>() {
        return;
    }
    let row = Field::new(tr!("Physics"), physics_help(world));
    edit(world, |debug: &mut PhysicsDebug| row.switch(ui, &mut debug.shown, false));
}

/// The help of the debug drawing, with the key that toggles it: its own, or else that of its control.
fn physics_help(world: &World) -> String {
    let help = tr!(
        "Overlays the physics: discs, walls, velocities, hits, layers, sensors, and the duration of each stage of the \
        tick."
    );
    match world.resource::<PhysicsDebug>().key {
        Some(key) => with_key(&help, &spoken(key.into())),
        None => tip(world, &help, Control::ShowPhysics),
    }
}

/// The bookmarks of the current scene.
fn show_bookmarks(ui: &mut Ui, world: &mut World) {
    let Some(bookmarks) = world.get_resource::<Bookmarks>() else { return };
    let scene = world.get_resource::<CurrentScene>().map(|scene| scene.source.to_string()).unwrap_or_default();
    let kept: Vec<_> = Bookmarks::NUMBERS.map(|number| (number, bookmarks.get(&scene, number))).collect();
    let mut pressed = None;
    let row = Field::new(
        tr!("Bookmarks"),
        tr!("Saved views of each scene. Click an empty one to save the current view, a saved one to show it. Ctrl or \
            right-click saves again."),
    );
    let any = kept.iter().any(|(_, kept)| kept.is_some());
    let none = tr!("none");
    let reset = row.with_reset(ui, any, &none, |ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        ui.spacing_mut().button_padding.x = 2.0;
        let width = (ui.available_width() - 16.0) / 9.0;
        for &(number, kept) in &kept {
            let button = egui::Button::selectable(kept.is_some(), number.to_string());
            let button = button.frame_when_inactive(true).min_size(egui::vec2(width, 0.0));
            let button = ui.add(button).named(tr!("Bookmark {}", number));
            let again = button.secondary_clicked() || ui.input(|input| input.modifiers.command);
            if button.clicked() || button.secondary_clicked() {
                pressed = Some((number, kept.filter(|_| !again)));
            }
            row.explained(button, &none);
        }
    });
    if reset {
        edit(world, |bookmarks: &mut Bookmarks| bookmarks.forget(&scene));
    }
    let Some((number, kept)) = pressed else { return };
    let Some(mut view) = main_view(world) else { return };
    if let Some(bookmark) = kept {
        bookmark.show(&mut view);
    } else {
        let bookmark = Bookmark::of(&view);
        edit(world, |bookmarks: &mut Bookmarks| bookmarks.keep(&scene, number, bookmark));
    }
}

#[cfg(test)]
mod tests {
    use egui_kittest::{Harness, kittest::Queryable};

    use super::*;
    use crate::{input::actions::KeyMap, view::View2d};

    #[test]
    fn the_key_of_the_debug_drawing_is_the_one_that_acts() {
        let mut world = World::new();
        let mut map = KeyMap::default();
        map.set(Control::ShowPhysics, vec![KeyCode::KeyJ.into()]);
        world.insert_resource(map);
        world.insert_resource(PhysicsDebug { key: Some(KeyCode::F9), ..PhysicsDebug::default() });
        assert!(physics_help(&world).ends_with("(F9)"), "{}", physics_help(&world));
        world.insert_resource(PhysicsDebug { key: None, ..PhysicsDebug::default() });
        assert!(physics_help(&world).ends_with("(J)"), "{}", physics_help(&world));
    }

    #[test]
    fn a_bookmark_keeps_the_view_and_shows_it_again() {
        let mut world = World::new();
        world.init_resource::<Bookmarks>();
        let mut view = View2d::default();
        view.centre = vec2(1.0, 2.0);
        world.spawn(view);
        let mut harness = Harness::builder().with_size([400.0, 100.0]).build_ui_state(show_bookmarks, world);
        let centre = |harness: &mut Harness<World>| main_view(harness.state_mut()).unwrap().centre;
        harness.get_by_label("Bookmark 4").click();
        harness.run_steps(2);
        main_view(harness.state_mut()).unwrap().pan(vec2(300.0, 0.0));
        assert!(centre(&mut harness).x < 0.0);
        harness.get_by_label("Bookmark 4").click();
        harness.run_steps(2);
        assert!(centre(&mut harness).distance(vec2(1.0, 2.0)) < 1e-4);
        main_view(harness.state_mut()).unwrap().pan(vec2(300.0, 0.0));
        harness.get_by_label("Bookmark 4").click_secondary();
        harness.run_steps(2);
        assert!(centre(&mut harness).x < 0.0, "it is kept again");
        harness.get_by_label("Reset bookmarks").click();
        harness.run_steps(2);
        assert_eq!(*harness.state().resource::<Bookmarks>(), Bookmarks::default());
    }
}
