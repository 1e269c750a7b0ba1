//! Which scene runs: the picker, whose tooltips are the descriptions; restart, reload; dialogs and a field to open and to save files.

use bevy::prelude::*;
use bevy_egui::egui::{self, Ui};
use tr::tr;

use super::{
    files,
    widgets::{Named, edit, tip, usable},
};
use crate::{
    input::actions::Control,
    scene::{CurrentScene, HotReload, Notices, SceneCommand, SceneFile, SceneSource, shipped},
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

/// What is typed into the field for files.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub struct PathField(pub String);

pub(super) fn show(ui: &mut Ui, world: &mut World) {
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
    let previous = tip(world, &tr!("The scene before"), Control::PreviousScene);
    let next = tip(world, &tr!("The next scene"), Control::NextScene);
    let start =
        tip(world, &tr!("Puts discs and terrain back to their start and keeps what you have tuned"), Control::Restart);
    let entries = world.resource::<Catalogue>().0.clone();
    ui.horizontal(|ui| {
        if ui.button("◀").named(tr!("Previous scene")).on_hover_text(previous).clicked() {
            wanted = Some(SceneCommand::Previous);
        }
        let width = ui.available_width() - 44.0;
        let chooser = egui::ComboBox::from_id_salt("scene").width(width).height(420.0).truncate();
        let chooser = chooser.selected_text(tr!(running_title)).show_ui(ui, |ui| {
            for entry in entries {
                let (title, about) = (&entry.title[..], &entry.description[..]);
                let row = ui.selectable_label(running == Some(entry.name), tr!(title));
                if row.on_hover_text(tr!(about)).clicked() {
                    wanted = Some(SceneCommand::Load(SceneSource::Shipped(entry.name)));
                }
            }
        });
        let help = if description.is_empty() { tr!("Begins one of the shipped scenes") } else { tr!(about) };
        chooser.response.named(tr!("Scene")).on_hover_text(help);
        if ui.button("▶").named(tr!("Next scene")).on_hover_text(next).clicked() {
            wanted = Some(SceneCommand::Next);
        }
    });
    if let Some(SceneSource::Path(path)) = &source {
        ui.small(path.display().to_string());
        if world.contains_resource::<HotReload>() {
            edit(world, |reload: &mut HotReload| {
                ui.checkbox(&mut reload.0, tr!("Begin anew when the file changes")).on_hover_text(tr!(
                    "Edit the file beside this window, and see each version as soon as it is saved"
                ));
            });
        }
    }
    ui.horizontal(|ui| {
        let restart = ui.button(tr!("Restart"));
        if restart.on_hover_text(start).clicked() {
            wanted = Some(SceneCommand::Restart);
        }
        let reload = ui.button(tr!("Reload"));
        if reload.on_hover_text(tr!("Reads the scene again, with its own settings; yours are lost")).clicked() {
            wanted = Some(SceneCommand::Reload);
        }
        super::draw::show_history(ui, world);
    });
    wanted = files::show_buttons(ui, world).or(wanted);
    wanted = show_path(ui, world).or(wanted);
    if let Some(command) = wanted {
        world.write_message(command);
    }
}

/// How wide a button with this word is, with the space before it, points.
fn button_width(ui: &Ui, word: String) -> f32 {
    let font = egui::TextStyle::Button.resolve(ui.style());
    let word = ui.painter().layout_no_wrap(word, font, ui.visuals().text_color());
    word.size().x + 2.0 * ui.spacing().button_padding.x + ui.spacing().item_spacing.x
}

fn show_path(ui: &mut Ui, world: &mut World) -> Option<SceneCommand> {
    let mut wanted = None;
    let mut path = world.resource::<PathField>().0.clone();
    ui.horizontal(|ui| {
        let buttons: f32 = [tr!("Open"), tr!("Save as")].into_iter().map(|word| button_width(ui, word)).sum();
        let width = (ui.available_width() - buttons).max(80.0);
        let field = egui::TextEdit::singleline(&mut path)
            .hint_text("file.ron")
            .desired_width(width)
            .vertical_align(egui::Align::Center)
            .min_size(egui::vec2(0.0, ui.spacing().interact_size.y + 4.0));
        ui.add(field).named(tr!("Scene file")).on_hover_text(tr!("The path of a scene file, to open or to save"));
        let typed = path.trim();
        let open = usable(ui, !typed.is_empty(), |ui| ui.button(tr!("Open")));
        let open = open.on_disabled_hover_text(tr!("Type the path of a file first"));
        if open
            .on_hover_text(tr!("Begins the scene of this file, which may be named without its ending .ron"))
            .clicked()
        {
            match SceneSource::from_argument(typed) {
                Ok(source) => wanted = Some(SceneCommand::Load(source)),
                Err(error) => world.resource_mut::<Notices>().error(error.to_string()),
            }
        }
        let save = usable(ui, !typed.is_empty(), |ui| ui.button(tr!("Save as")));
        let save = save.on_disabled_hover_text(tr!("Type the path of a file first"));
        if save
            .on_hover_text(tr!(
                "Writes the present state, discs, terrain and settings, to this file; asks before it replaces another"
            ))
            .clicked()
        {
            files::save_to(world, typed.into());
        }
    });
    if world.resource::<PathField>().0 != path {
        world.resource_mut::<PathField>().0 = path;
    }
    wanted
}
