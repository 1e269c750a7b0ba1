//! Deletes the selected discs with a key.

use bevy::prelude::*;

use super::record;
use crate::input::{
    ControlSystems, Controls, Selection,
    actions::{Control, Inputs},
    allow,
    select::choose,
};

/// Deletes the selected discs. [`UndoPlugin`](crate::editor::UndoPlugin) can restore them.
pub struct DeletePlugin;

impl Plugin for DeletePlugin {
    fn build(&self, app: &mut App) {
        allow(app, |controls| controls.delete = true);
        app.add_systems(PreUpdate, delete.in_set(ControlSystems::Select).after(choose));
    }
}

fn delete(mut commands: Commands, mut selection: ResMut<Selection>, (inputs, controls): (Inputs, Res<Controls>)) {
    if controls.delete && inputs.started(Control::Delete) && !selection.0.is_empty() {
        let discs = std::mem::take(&mut selection.0);
        commands.queue(move |world: &mut World| record::delete(world, &discs));
    }
}
