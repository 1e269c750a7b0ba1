//! Drawing: the viewport, the canvas, and what is put on it. It reads the simulation and never changes it.
//!
//! [`ViewPlugin`] is enough for a game: it adds a camera, draws every disc and every piece of terrain, and fits them into the window. [`DiscLook`](crate::scene::DiscLook) and
//! [`TerrainLook`](crate::scene::TerrainLook) say how, [`Surroundings`] whether it is a table or a laboratory; [`SyncTransform`] lets sprites follow, and
//! [`OwnLook`] leaves all else to the game. Among sprites and other 2D things of Bevy's the floor lies
//! at `z = 0`, a billiard table at 1, marks at 2, shadows at 3, terrain and trails at 4, discs at 5, arrows and gestures at 6: a sprite at 4.5 covers the terrain and lies beneath the discs, one
//! at 7 lies over all.
//!
//! | file | what |
//! |---|---|
//! | [`viewport`] | which part of the world is seen |
//! | [`canvas`] | the shapes of one picture |
//! | `render` | the way to the screen: shapes and discs as instances |
//! | [`interpolate`] | where discs are between two ticks |
//! | `terrain`, [`discs`], [`arrows`], `grid` | what is drawn of the scene |
//! | `furniture` | a billiard table, and pockets without one |
//! | `follow` | transforms that follow discs, and looks that are a game's own |
//! | [`fallen`] | discs that have fallen into a pocket: how they sink, and the tray |
//! | `hits` | where discs were hit, along which normal, and how hard |
//! | `jolt` | the camera's answer to hard hits |
//! | `trails` | the ways that discs have come |
//! | [`colours`] | by what discs are coloured, and how they flash when hit |
//! | [`lessons`] | what a lesson shows on top |
//! | [`language`] | the language of what is written |
//! | `labels`, `overlay` | writing |
//! | [`points`] | from logical pixels to the points of egui, which Ctrl and plus enlarge |
//! | [`theme`] | every colour |

pub mod arrows;
pub mod canvas;
pub mod colours;
pub mod discs;
pub mod fallen;
mod follow;
mod furniture;
mod grid;
mod hits;
pub mod interpolate;
mod jolt;
mod labels;
pub mod language;
pub mod lessons;
mod overlay;
pub mod points;
mod render;
mod terrain;
pub mod theme;
mod trails;
pub mod viewport;

use bevy::prelude::*;
use bevy_egui::{EguiPlugin, EguiPostUpdateSet, EguiPrimaryContextPass};

use crate::scene::{CurrentScene, SceneStarted, Surroundings};

pub use canvas::{Canvas, Layer, Plate};
pub use colours::ColourBy;
pub use follow::{OwnLook, SyncTransform};
pub use interpolate::Drawn;
pub use language::Language;
pub use points::Points;
pub use theme::{Theme, ThemeChoice, Themes};
pub use viewport::{Followed, Viewport};

/// The order in which a picture is made, in [`PostUpdate`].
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ViewSystems {
    /// The viewport is settled, discs are placed, the [`Canvas`] is empty. The panel and the labels are laid out after it.
    Begin,
    /// Everybody who has something to draw puts it on the [`Canvas`].
    Draw,
    /// Canvas and discs become lists of instances.
    Upload,
}

/// What is drawn, as the person wants it.
#[derive(Resource, Reflect, Clone, Debug, PartialEq)]
#[reflect(Resource, Default)]
pub struct ViewSettings {
    /// Every disc has its velocity arrow, not only those that ask for one. Default: off, or as the scene says.
    pub arrows: bool,
    /// Discs have momentum arrows too, as long as the velocity arrow that a disc of the mean mass would have. Default: off.
    pub momentum: bool,
    /// Discs are drawn between ticks. Default: on.
    pub interpolate: bool,
    /// The occupied cells of the broad phase and its candidate pairs are drawn. Default: off.
    pub grid: bool,
    /// Numbers and labels are written on discs. Default: on.
    pub labels: bool,
    /// The title, the description and the hints are written. Default: on.
    pub overlay: bool,
    /// Which set of colours the picture and the panel have. Default: the one that suits the desktop.
    pub theme: ThemeChoice,
    /// By what discs are coloured. Default: as they ask for.
    pub colour_by: ColourBy,
    /// Discs flash when they are hit hard. Default: on.
    pub flash: bool,
    /// The picture jolts a little when discs hit each other hard. Default: on.
    pub jolt: bool,
    /// Whatever the two say, nothing flashes and the picture does not jolt. Default: off.
    pub reduced_motion: bool,
    /// How long the trails behind discs are, seconds; 0: none. Default: 0. Crowds have none.
    pub trails: f32,
    /// Hits are shown as short flashes along their normals, as long as they are hard. Default: off.
    pub hits: bool,
}

impl Default for ViewSettings {
    fn default() -> Self {
        Self {
            arrows: false,
            momentum: false,
            interpolate: true,
            grid: false,
            labels: true,
            overlay: true,
            theme: ThemeChoice::System,
            colour_by: ColourBy::Look,
            flash: true,
            jolt: true,
            reduced_motion: false,
            trails: 0.0,
            hits: false,
        }
    }
}

impl ViewSettings {
    /// Whether discs flash.
    #[must_use]
    pub fn flashes(&self) -> bool {
        self.flash && !self.reduced_motion
    }

    /// Whether the picture jolts.
    #[must_use]
    pub fn moves_camera(&self) -> bool {
        self.jolt && !self.reduced_motion
    }
}

/// Marks the camera that the [`Viewport`] moves.
#[derive(Component, Clone, Copy, Debug, Default)]
pub struct ViewCamera;

/// What is known of discs for drawing them, without a window and without drawing: [`Drawn`], [`colours::Trace`],
/// [`discs::Paint`] and the list [`discs::DiscInstances`]. Part of [`ViewPlugin`]; by itself for measurements.
pub struct DiscsPlugin;

impl Plugin for DiscsPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<ViewSettings>().init_resource::<Viewport>().init_resource::<Surroundings>().add_plugins((
            theme::plugin,
            interpolate::plugin,
            discs::plugin,
            colours::plugin,
            fallen::plugin,
        ));
    }
}

/// Everything that draws. Add it after Bevy's default plugins and the physics; it adds egui, which writes the labels, where a game has not. Scenes, mouse and sound
/// may be there or not.
pub struct ViewPlugin;

impl Plugin for ViewPlugin {
    fn build(&self, app: &mut App) {
        if !app.is_plugin_added::<EguiPlugin>() {
            app.add_plugins(EguiPlugin::default());
        }
        app.register_type::<ViewSettings>()
            .register_type::<Viewport>()
            .register_type::<Surroundings>()
            .register_type::<SyncTransform>()
            .register_type::<OwnLook>()
            .add_message::<SceneStarted>()
            .init_resource::<Canvas>()
            .init_resource::<viewport::Followed>()
            .init_resource::<overlay::Hint>()
            .init_resource::<furniture::Furniture>()
            .add_plugins((
                DiscsPlugin,
                render::plugin,
                language::plugin,
                lessons::plugin,
                trails::plugin,
                hits::plugin,
                jolt::plugin,
            ))
            .configure_sets(
                PostUpdate,
                (
                    ViewSystems::Begin.before(EguiPostUpdateSet::EndPass),
                    ViewSystems::Draw.after(EguiPostUpdateSet::EndPass),
                    ViewSystems::Upload.before(bevy::asset::AssetEventSystems),
                )
                    .chain()
                    .before(TransformSystems::Propagate),
            )
            .add_systems(
                PostUpdate,
                (
                    follow_scene,
                    overlay::follow_hint,
                    fallen::set_up_tray,
                    viewport::settle_viewport,
                    jolt::swing,
                    viewport::aim_camera,
                    interpolate::interpolate,
                    follow::write_transforms,
                    fallen::place,
                    viewport::follow,
                    discs::repaint,
                    canvas::clear,
                )
                    .chain()
                    .in_set(ViewSystems::Begin),
            )
            .add_systems(
                PostUpdate,
                (
                    terrain::draw_terrain,
                    furniture::draw_table,
                    furniture::draw_pockets,
                    grid::draw_grid,
                    trails::draw_trails,
                    discs::list_discs,
                    hits::draw_hits,
                    arrows::draw_arrows,
                )
                    .chain()
                    .in_set(ViewSystems::Draw),
            )
            .add_systems(
                EguiPrimaryContextPass,
                (
                    labels::write_labels,
                    lessons::write_lesson,
                    overlay::write_title,
                    overlay::write_states,
                    overlay::write_paused,
                    overlay::write_pace,
                    overlay::write_hint,
                    overlay::write_notices,
                )
                    .chain(),
            );
    }
}

/// Takes over what a scene says about its picture when it begins.
fn follow_scene(
    mut started: MessageReader<SceneStarted>,
    scene: Option<Res<CurrentScene>>,
    mut settings: ResMut<ViewSettings>,
) {
    let began = started.read().filter(|started| !started.restart).count() > 0;
    if let Some(scene) = scene.filter(|_| began) {
        settings.arrows = scene.file.arrows;
        settings.trails = scene.file.trails;
    }
}

#[cfg(test)]
mod tests {
    use bevy::ecs::schedule::{LogLevel, ScheduleBuildSettings, ScheduleLabel};

    use super::*;
    use crate::PhysicsPlugins;

    #[test]
    fn what_looks_at_each_tick_races_with_nobody_wherever_the_tick_runs() {
        for label in [FixedPostUpdate.intern(), FixedPreUpdate.intern()] {
            let mut app = App::new();
            app.add_plugins((MinimalPlugins, PhysicsPlugins::new(label)));
            app.add_plugins((DiscsPlugin, lessons::plugin, trails::plugin, hits::plugin, jolt::plugin));
            app.world_mut().schedule_scope(label, |world, schedule| {
                schedule.set_build_settings(ScheduleBuildSettings {
                    ambiguity_detection: LogLevel::Error,
                    ..ScheduleBuildSettings::default()
                });
                let built = schedule.initialize(world).map_err(|error| error.to_string(schedule.graph(), world));
                assert!(built.is_ok(), "{label:?}: {}", built.err().unwrap_or_default());
            });
        }
    }
}
