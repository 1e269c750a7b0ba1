//! The card of an [experiment](crate::experiments), and the shipped lessons. Each is a file with its drawing, its text,
//! its numbers and its counts. The list below has one line per lesson, and [`Lesson`] says what a lesson allows.
//!
//! A game can add custom lessons in the same way: see
//! [`SceneAppExt::add_lesson`](crate::scene::SceneAppExt::add_lesson).

use bevy::prelude::*;
use bevy_egui::{EguiPrimaryContextPass, egui::Ui};

use crate::{
    experiments::ExperimentPlugin,
    notice::mark,
    panel::{PanelAppExt, Section},
    scene::{CurrentScene, Lesson},
    view::{
        DrawView, Insets,
        scene::arrows::draw_arrows,
        sees_layer_0,
        words::{labels::write_labels, overlay::write_title},
    },
};

pub mod answers;
pub mod experiment;
mod two_discs;

pub use two_discs::{LessonDiscs, Subjects};

/// The parts of a shipped lesson: its entry for scene files, its systems, and the function that shows its numbers in
/// the panel.
type Brings = (Lesson, fn(&mut App), fn(&mut Ui, &mut World));

macro_rules! lessons {
    ($($file:ident: $lesson:ident,)*) => {
        $(pub mod $file;)*

        const LESSONS: &[Brings] = &[$((Lesson::$lesson, $file::plugin, $file::show)),*];
    };
}

lessons! {
    vector_lab: VECTOR_LAB,
    quick_check: QUICK_CHECK,
    precise_check: PRECISE_CHECK,
    galperin: GALPERIN,
}

/// The shipped lessons, and the panel's section with their numbers. It needs [`ViewPlugin`](crate::view::ViewPlugin)
/// and [`PanelPlugin`](crate::panel::PanelPlugin). Dragging arrow tips also needs
/// [`EditorPlugins`](crate::editor::EditorPlugins).
pub struct LessonsPlugin;

/// The system set that draws a lesson on the canvas.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct DrawsLesson;

/// The system set that writes a lesson's text.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct WritesLesson;

impl Plugin for LessonsPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Insets>()
            .configure_sets(DrawView, DrawsLesson.run_if(sees_layer_0).after(draw_arrows))
            .configure_sets(EguiPrimaryContextPass, WritesLesson.after(write_labels).before(write_title))
            .add_systems(EguiPrimaryContextPass, two_discs::give_back_room.before(WritesLesson));
        if !app.is_plugin_added::<ExperimentPlugin>() {
            app.add_plugins(ExperimentPlugin);
        }
        experiment::plugin(app);
        app.add_panel_section(experiment::SECTION);
        for (_, plugin, _) in LESSONS {
            plugin(app);
        }
        app.add_panel_section(
            Section::new("lesson", mark("Lesson"), show).open().applies(applies).edits().after("experiment"),
        );
    }
}

/// The function that shows the numbers of the scene's lesson, if it is a shipped one.
fn shows(world: &World) -> Option<fn(&mut Ui, &mut World)> {
    let running = world.get_resource::<CurrentScene>()?.file.lesson;
    LESSONS.iter().find(|(lesson, ..)| lesson.name == running.name).map(|(.., show)| *show)
}

fn applies(world: &World) -> bool {
    shows(world).is_some()
}

fn show(ui: &mut Ui, world: &mut World) {
    if let Some(show) = shows(world) {
        show(ui, world);
    }
}
