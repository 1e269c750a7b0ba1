//! The editor. It moves and deletes discs, draws discs and terrain, reshapes terrain, drags tiles, measures lengths and
//! angles, and undoes and redoes edits.
//!
//! Each part is a plugin, and [`EditorPlugins`] is all of them.
//!
//! | file | contents |
//! |---|---|
//! | `move_disc` | [`MoveDiscPlugin`]: held discs follow the mouse or keys |
//! | `arrow_tip` | [`ArrowTipPlugin`]: dragging the tips of velocity arrows in lessons |
//! | `delete` | [`DeletePlugin`]: deleting the selected discs |
//! | `tiles` | [`TilePlugin`]: dragging and resizing the tiles of a table |
//! | `settings` | [`DrawSettings`], [`ChosenTerrain`] |
//! | `draw` | [`DrawPlugin`]: feeds the mouse to the sketch, selects and deletes terrain |
//! | `hand` | presses with a tool, the objects there, and snapping |
//! | `sketch` | [`Sketch`]: the drawing in progress, as a state machine |
//! | `pull` | pulling the handles of terrain |
//! | `lead` | kinematic motion of terrain dragged while time runs |
//! | `handle` | [`Handle`]: a handle of a piece of terrain |
//! | `reshape` | the shape of a piece after a pull |
//! | `show` | displays of drawing, selection and measuring |
//! | `snap` | the grid and other snapping targets |
//! | `spawn` | new discs and terrain |
//! | `join` | new joints |
//! | `tool` | [`Tool`]: the action of the left button |
//! | `history` | [`EditHistory`]: the undo and redo lists; [`undo`], [`redo`] |
//! | `edit` | a step of the history: commands that are applied and reverted together |
//! | `record` | recording edits: [`delete`], [`record_spawn`], [`change`], and [`watch`] for the panel |
//! | `moves` | makes a drag of discs one edit |
//! | `restart` | the history when a scene ends or restarts |
//! | `property` | the components and settings whose changes are edits: [`UndoAppExt`] |
//! | `difference` | the change between two values in words |
//! | `park` | hides deleted entities until they return or are despawned |
//!
//! A deleted disc is parked with Bevy's [`Disabled`](bevy::ecs::entity_disabling::Disabled), so queries skip it. It
//! keeps its [`Entity`] and all components, including a game's, so that undo can restore it. It is despawned when its
//! deletion drops out of the history or another scene starts.

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
    timeline::{History, Playback},
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
pub use history::{EditHistory, PanelHold, redo, undo};
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

/// All editing. Add it after [`InputPlugins`](crate::input::InputPlugins).
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

/// Undo and redo. It covers deleted, moved and added discs and terrain, their changes in the panel, and its settings of
/// collisions, forces, table and clocks. Games add their own components and settings with [`UndoAppExt`].
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
            .add_systems(Last, history::follow_branch.run_if(resource_exists::<History>))
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

/// Undoes or redoes an edit, while nothing is held.
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
