//! The shot that is shown, as a diagram, as a picture or as a link.

use bevy::prelude::*;
use bevy_egui::egui::Ui;
use tr::tr;

use crate::{
    billiards::cue::{Cue, CueStrike},
    diagram::Diagram,
    games::{
        Action,
        plugin::{CurrentMatch, LookBack, TablePosition},
    },
    input::{
        Aim, CueSettings,
        actions::{Control, Inputs},
    },
    notice::{NoticeText, Notices, mark},
    panel::widgets::tip,
    shell::{CaptureRequest, copy_made, files::Files},
};

/// What is shown on the table: a position, and the stroke of a shot from it, if there is one.
pub(super) struct Shown {
    pub(super) position: TablePosition,
    stroke: Option<(CueStrike, Cue)>,
}

impl Shown {
    /// The shot that is being replayed, the one that is being aimed, or the position alone.
    ///
    /// # Errors
    /// The table is missing, or a disc is not a ball. The text is for people.
    pub(super) fn now(world: &mut World) -> Result<Self, NoticeText> {
        let live = world.get_resource::<CurrentMatch>();
        if let Some((live, shot)) = live.and_then(|live| Some((live, live.look_back().map(LookBack::shot)?)))
            && let Some(shot) = live.game().shots().get(shot)
        {
            let position = TablePosition::of_shot(live.game(), shot)?;
            let stroke = match shot.action {
                Action::Shoot { strike, .. } => Some((strike, shot.cue)),
                _ => None,
            };
            return Ok(Self { position, stroke });
        }
        let cue = match live {
            Some(live) => live.game().cue(),
            None => world.get_resource::<CueSettings>().map(|settings| settings.cue).unwrap_or_default(),
        };
        let aimed = world.get_resource::<Aim>().and_then(|aim| aim.shot);
        let stroke = aimed.and_then(|aimed| aimed.strike).map(|strike| (strike, cue));
        Ok(Self { position: TablePosition::of_world(world, aimed.map(|aimed| aimed.disc))?, stroke })
    }

    /// The diagram as SVG.
    ///
    /// # Errors
    /// The stroke is not possible. The text is for people.
    fn diagram(&self) -> Result<String, NoticeText> {
        let diagram = match &self.stroke {
            Some((strike, cue)) => Diagram::of_shot(&self.position, strike, cue),
            None => Ok(Diagram::of_position(&self.position)),
        };
        let diagram = diagram.map_err(|error| NoticeText::from(error.to_string()))?;
        let words = diagram.words();
        let words: Vec<String> = words.iter().map(|line| line.translated(|text| tr!(text).into())).collect();
        Ok(diagram.to_svg(&words))
    }

    /// The shot as a link, starting at its `#`.
    ///
    /// # Errors
    /// There is no shot, or it does not fit into a link.
    fn link(&self) -> Result<String, String> {
        let (strike, cue) = self.stroke.ok_or_else(|| tr!("Set up a shot first."))?;
        self.position.link(&tr!("A shot"), strike, cue)
    }
}

/// Opens the dialog that saves a diagram, or reports why there is none.
fn save_diagram(world: &mut World) {
    match Shown::now(world).and_then(|shown| Ok((shown.stroke.is_some(), shown.diagram()?))) {
        Ok((is_shot, svg)) => {
            world.resource_mut::<Files>().export(if is_shot { "shot.svg" } else { "position.svg" }, svg);
        }
        Err(why) => report(world, why),
    }
}

pub(super) fn report(world: &mut World, why: impl Into<NoticeText>) {
    if let Some(mut notices) = world.get_resource_mut::<Notices>() {
        notices.error(why);
    }
}

/// Saves a diagram when its key is pressed.
pub(in crate::panel) fn by_key(inputs: Inputs, mut commands: Commands) {
    if inputs.started(Control::Diagram) {
        commands.queue(save_diagram);
    }
}

pub(super) fn show(ui: &mut Ui, world: &mut World) {
    ui.horizontal_wrapped(|ui| {
        let help = tr!(
            "Saves a drawing (SVG) of the shot that you aim or replay, or else of the position: balls, paths, aim \
            line, tip, and the numbers of the stroke"
        );
        if ui.button(tr!("Diagram…")).on_hover_text(tip(world, &help, Control::Diagram)).clicked() {
            save_diagram(world);
        }
        if world.contains_resource::<Messages<CaptureRequest>>() {
            let help = tr!("Saves the window as a picture (PNG)");
            if ui.button(tr!("Picture")).on_hover_text(tip(world, &help, Control::Screenshot)).clicked() {
                world.write_message(CaptureRequest::Screenshot);
            }
        }
        let help =
            tr!("Copies the shot that you aim or replay as a link. It opens the position, with the shot played.");
        if ui.button(tr!("Copy the shot")).on_hover_text(help).clicked() {
            match Shown::now(world) {
                Ok(shown) => copy_made(ui.ctx(), world, shown.link()),
                Err(why) => report(world, why),
            }
        }
    });
}

/// The error for a text that is not a drill.
pub(super) const NO_DRILL: &str = mark("This is not a drill: {}");
