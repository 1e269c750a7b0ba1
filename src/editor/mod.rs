//! The editor: discs are moved and deleted, discs and terrain are drawn, terrain is reshaped, tiles are dragged,
//! lengths and angles are measured; edits are taken back, and made again.
//!
//! Each of it is a plugin of its own, and [`EditorPlugins`] are all of them.
//!
//! | file | what |
//! |---|---|
//! | `move_disc` | [`MoveDiscPlugin`]: held discs follow the mouse, or keys |
//! | `arrow_tip` | [`ArrowTipPlugin`]: the velocity arrows of lessons are pulled at their tips |
//! | `delete` | [`DeletePlugin`]: the chosen discs are removed |
//! | `tiles` | [`TilePlugin`]: tiles of a table of several are dragged and resized |
//! | `settings` | [`DrawSettings`], [`ChosenTerrain`] |
//! | `draw` | [`DrawPlugin`]: feeds the mouse to the sketch, chooses and deletes terrain |
//! | `hand` | where the mouse presses with a tool, what lies there, and to where points snap |
//! | `sketch` | [`Sketch`]: what is being drawn, as a state machine |
//! | `pull` | terrain is pulled by its handles |
//! | `lead` | terrain that is pulled while time runs moves there, and hits |
//! | `handle` | [`Handle`]: what of a piece of terrain can be pulled |
//! | `reshape` | what a piece becomes when it is pulled |
//! | `show` | what is being drawn, chosen and measured is shown |
//! | `snap` | the grid, and the places to which points go |
//! | `spawn` | new discs and terrain |
//! | `join` | new joints |
//! | `tool` | [`Tool`]: what the left button does |
//! | `history` | [`EditHistory`]: the edits that were done and those that were undone; [`undo`], [`redo`] |
//! | `edit` | one step of it: commands that are applied and reverted together |
//! | `record` | makes edits: [`delete`], [`record_spawn`], [`change`], and [`watch`] for the panel |
//! | `moves` | a drag of discs becomes one edit |
//! | `restart` | the history when a scene ends or restarts |
//! | `property` | the components and settings whose changes are edits: [`UndoAppExt`] |
//! | `difference` | what changes from one value to another, in words |
//! | `park` | deleted entities are hidden until they come back or are despawned |
//!
//! A deleted disc is parked with Bevy's [`Disabled`](bevy::ecs::entity_disabling::Disabled), so no query sees it. It
//! keeps its [`Entity`] and every component, those of a game too, for the undo. When its deletion falls off the
//! history, or another scene starts, it is despawned.

use bevy::{
    app::{PluginGroup, PluginGroupBuilder},
    prelude::*,
};

use crate::{
    collision::{CollisionSettings, spin::TablePhysics},
    components::{ComponentVisitor, Described, visit_all},
    input::{
        ControlSystems, PointerPlugin,
        actions::{Control, Inputs},
        gesture::Gesture,
        pointer::EditLock,
    },
    motion::MotionSettings,
    notice::mark,
    plane::TableRect,
    scene::{DiscLook, TerrainLook},
    timeline::Playback,
};

mod arc;
mod arrow_tip;
mod delete;
mod difference;
mod draw;
mod edit;
mod hand;
mod handle;
mod history;
mod join;
mod lead;
pub(crate) mod move_disc;
mod moves;
mod park;
mod property;
mod pull;
mod record;
mod reshape;
mod restart;
mod settings;
mod show;
mod sketch;
mod snap;
mod spawn;
mod tiles;
mod tool;

pub use arrow_tip::ArrowTipPlugin;
pub use delete::DeletePlugin;
#[cfg(test)]
pub(crate) use difference::names_in_edits;
pub use draw::DrawPlugin;
pub use handle::Handle;
pub use history::{EditHistory, Grip, redo, undo};
pub use move_disc::MoveDiscPlugin;
pub use property::UndoAppExt;
#[cfg(feature = "panel")]
pub(crate) use property::is_same;
pub use record::{change, delete, record_spawn, watch, watch_also};
pub use reshape::Placed;
pub use settings::{ChosenTerrain, DrawSettings, JointForm};
pub use sketch::{Piece, Sizes, Sketch};
pub use spawn::add_disc;
pub use tiles::TilePlugin;
pub use tool::Tool;

/// All that edits. Add it after [`InputPlugins`](crate::input::InputPlugins).
pub struct EditorPlugins;

impl PluginGroup for EditorPlugins {
    fn build(self) -> PluginGroupBuilder {
        PluginGroupBuilder::start::<Self>()
            .add(MoveDiscPlugin)
            .add(ArrowTipPlugin)
            .add(DeletePlugin)
            .add(DrawPlugin)
            .add(UndoPlugin)
            .add(TilePlugin)
    }
}

/// Edits can be taken back and made again. Deleted, moved and added discs and terrain, what the panel changes of them,
/// and its settings of collisions, forces, table and clocks; a game adds components and settings of its own by
/// [`UndoAppExt`].
pub struct UndoPlugin;

/// Makes changes of every described component edits.
struct Undo<'a>(&'a mut App);

impl ComponentVisitor for Undo<'_> {
    fn visit<C: Described>(&mut self) {
        self.0.undo_component::<C>(C::DESCRIPTION.noun);
    }
}

impl Plugin for UndoPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(PointerPlugin);
        visit_all(&mut Undo(app));
        app.init_resource::<EditHistory>()
            .init_resource::<moves::OpenMove>()
            .undo_component::<TableRect>(mark("tile"))
            .undo_component::<DiscLook>(mark("appearance"))
            .undo_component::<TerrainLook>(mark("appearance"))
            .undo_resource::<CollisionSettings>(mark("collision settings"))
            .undo_resource::<MotionSettings>(mark("forces"))
            .undo_resource::<TablePhysics>(mark("table"))
            .undo_part::<Playback, _>(
                mark("time scale"),
                |playback| playback.time_scale,
                |playback, to| playback.time_scale = to,
            )
            .undo_part::<Playback, _>(
                mark("tick rate"),
                |playback| playback.tick_rate,
                |playback, to| playback.tick_rate = to,
            )
            .add_observer(restart::follow_end)
            .add_observer(restart::follow_start)
            .add_systems(PreUpdate, keys.in_set(ControlSystems::Keys))
            .add_systems(
                PreUpdate,
                (
                    moves::before.after(ControlSystems::Aim).before(ControlSystems::Move),
                    moves::after.after(ControlSystems::Move).before(ControlSystems::Select),
                )
                    .chain()
                    .run_if(moves::is_due),
            );
    }
}

/// Takes an edit back, or makes it again, while nothing is held.
fn keys(mut commands: Commands, (inputs, gesture, lock): (Inputs, Res<Gesture>, Res<EditLock>)) {
    if *gesture != Gesture::Idle || lock.0.is_some() {
        return;
    }
    if inputs.started(Control::Undo) {
        commands.queue(|world: &mut World| drop(undo(world)));
    }
    if inputs.started(Control::Redo) {
        commands.queue(|world: &mut World| drop(redo(world)));
    }
}
