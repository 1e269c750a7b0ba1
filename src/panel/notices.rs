//! Recent notices at the bottom of the panel, in full. Over the table each is shown only for a while, and long ones are
//! cut.

use bevy::prelude::*;
use bevy_egui::egui::{self, Ui};
use tr::tr;

use crate::{notice::Notices, view::words::language};

/// The number of recent notices to list.
const LISTED: usize = 12;

/// The recent notices in full, newest first.
pub(super) fn show(ui: &mut Ui, world: &World) {
    let Some(notices) = world.get_resource::<Notices>().filter(|notices| notices.iter().next().is_some()) else {
        return;
    };
    egui::CollapsingHeader::new(egui::RichText::new(tr!("Notices")).strong().size(14.5))
        .id_salt("notices")
        .show_unindented(ui, |ui| {
            for notice in notices.iter().rev().take(LISTED) {
                let colour = if notice.is_error { ui.visuals().error_fg_color } else { ui.visuals().text_color() };
                ui.colored_label(colour, language::notice(notice));
            }
        });
}
