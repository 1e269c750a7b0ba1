//! The running scene: the picker with descriptions as tooltips, restart and reload, the file buttons, and links.

use bevy::prelude::*;
use bevy_egui::egui::{self, Ui};
use tr::tr;

use super::widgets::{edit, tip};
use crate::{
    input::{actions::Control, keys::MATCH_RUNS},
    scene::{CurrentScene, HotReload, SceneCommand, SceneFile, SceneSource, shipped},
    shell::{StartPageAsked, files, links},
    view::Named,
};

/// The shipped scenes with their titles and descriptions.
#[derive(Resource, Clone, Debug)]
pub struct Catalogue(Vec<Entry>);

/// One shipped scene.
#[derive(Clone, Debug)]
struct Entry {
    name: &'static str,
    title: String,
    description: String,
}

impl Default for Catalogue {
    fn default() -> Self {
        let entries = shipped().iter().filter_map(|scene| {
            let file = SceneFile::parse(scene.text, scene.name).ok()?;
            let title = if file.title.is_empty() { scene.name.to_owned() } else { file.title };
            Some(Entry { name: scene.name, title, description: file.description })
        });
        Self(entries.collect())
    }
}

pub(super) fn show(ui: &mut Ui, world: &mut World) {
    if !super::in_match(world) {
        scenes(ui, world);
    } else if !world.contains_resource::<Messages<StartPageAsked>>() {
        ui.weak(tr!(MATCH_RUNS));
    }
    links::show(ui, world);
    if world.contains_resource::<Messages<StartPageAsked>>() {
        let help =
            tip(world, &tr!("Choose a game and players. A match in progress waits meanwhile."), Control::StartPage);
        if ui.button(tr!("Start page")).on_hover_text(help).clicked() {
            world.write_message(StartPageAsked);
        }
    }
}

/// The running scene, the other scenes, and files.
fn scenes(ui: &mut Ui, world: &mut World) {
    let (source, title, description) = match world.get_resource::<CurrentScene>() {
        Some(scene) => (Some(scene.source.clone()), scene.file.title.clone(), scene.file.description.clone()),
        None => (None, tr!("no scene"), String::new()),
    };
    let running = match &source {
        Some(SceneSource::Shipped(name)) => Some(*name),
        _ => None,
    };
    let (running_title, about) = (&title[..], &description[..]);
    let mut wanted = None;
    let previous = tip(world, &tr!("Previous scene"), Control::PreviousScene);
    let next = tip(world, &tr!("Next scene"), Control::NextScene);
    let start =
        tip(world, &tr!("Returns discs and terrain to their start. Keeps the settings you changed."), Control::Restart);
    let entries = world.resource::<Catalogue>().0.clone();
    ui.horizontal(|ui| {
        if ui.button("◀").named(tr!("Previous scene")).on_hover_text(previous).clicked() {
            wanted = Some(SceneCommand::Previous);
        }
        let width = ui.available_width() - 44.0;
        let chooser = egui::ComboBox::from_id_salt("scene").width(width).height(420.0).truncate();
        // By default it would cut its text at the end of the row, and push the next button out of the panel.
        let chooser = ui.scope(|ui| {
            ui.set_max_width(width);
            chooser.selected_text(tr!(running_title)).show_ui(ui, |ui| {
                for entry in entries {
                    let (title, about) = (&entry.title[..], &entry.description[..]);
                    let row = ui.selectable_label(running == Some(entry.name), tr!(title));
                    if row.on_hover_text(tr!(about)).clicked() {
                        wanted = Some(SceneCommand::Load(SceneSource::Shipped(entry.name)));
                    }
                }
            })
        });
        let chooser = chooser.inner;
        let help = if description.is_empty() { tr!("Opens one of the included scenes") } else { tr!(about) };
        chooser.response.named(tr!("Scene")).on_hover_text(help);
        if ui.button("▶").named(tr!("Next scene")).on_hover_text(next).clicked() {
            wanted = Some(SceneCommand::Next);
        }
    });
    if let Some(SceneSource::Path(path)) = &source {
        ui.small(path.display().to_string());
        if world.contains_resource::<HotReload>() {
            edit(world, |reload: &mut HotReload| {
                ui.checkbox(&mut reload.0, tr!("Reload when the file changes"))
                    .on_hover_text(tr!("Edit the file beside this window and see each version as soon as you save it"));
            });
        }
    }
    ui.horizontal(|ui| {
        let restart = ui.button(tr!("Restart"));
        if restart.on_hover_text(start).clicked() {
            wanted = Some(SceneCommand::Restart);
        }
        let reload = ui.button(tr!("Reload"));
        if reload.on_hover_text(tr!("Reloads the scene with its own settings. Your settings are lost.")).clicked() {
            wanted = Some(SceneCommand::Reload);
        }
        super::draw::show_history(ui, world);
    });
    wanted = files::show_buttons(ui, world).or(wanted);
    if let Some(command) = wanted {
        world.write_message(command);
    }
}

#[cfg(test)]
mod tests {
    use super::{super::tests::app, *};

    #[test]
    fn a_long_title_does_not_make_the_panel_wider() {
        let mut app = app();
        let source = SceneSource::Shipped("two-discs");
        let mut file = source.load().unwrap();
        file.title = "A long title of a scene which somebody wrote for a class in school".to_owned();
        crate::scene::spawn(app.world_mut(), source, file).unwrap();
        let ctx = egui::Context::default();
        let mut width = 0.0;
        for _ in 0..3 {
            let mut shown = |ui: &mut Ui| {
                ui.set_max_width(300.0);
                show(ui, app.world_mut());
                width = ui.min_rect().width();
            };
            ctx.run_ui(egui::RawInput::default(), |ui| _ = ui.scope(&mut shown)).textures_delta.clear();
        }
        assert!(width <= 300.5, "{width}");
    }
}
