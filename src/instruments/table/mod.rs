//! Instruments on the table: drawn, dragged, and listed in the panel.

mod drag;
mod draw;
mod section;
#[cfg(test)]
mod tests;

use bevy::prelude::*;

use crate::{
    editor::UndoAppExt, games::plugin::CurrentMatch, laboratory::instruments::Instruments, notice::mark,
    panel::PanelAppExt,
};

pub(super) fn plugin(app: &mut App) {
    app.undo_resource::<Instruments>(mark("instruments")).add_panel_section(section::SECTION);
    draw::plugin(app);
    drag::plugin(app);
}

/// Whether instruments are shown: there are some, and no match is running.
fn are_shown(instruments: Res<Instruments>, running: Option<Res<CurrentMatch>>) -> bool {
    !instruments.is_empty() && running.is_none()
}
