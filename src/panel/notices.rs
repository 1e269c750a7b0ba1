//! The last notices at the foot of the panel, whole: over the table each stays for a while only, and long ones are cut.

use bevy::prelude::*;
use bevy_egui::egui::{self, Ui};
use tr::tr;

use crate::{notice::Notices, view::words::language};

/// How many of the last notices are listed.
const LISTED: usize = 12;

/// The last notices, whole, the newest first.
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
