//! Drawing: the views of cameras, the canvas, and the marks on it. It reads the simulation and never changes it.
//!
//! [`ViewPlugin`] is enough for a game. It adds a camera if the game has spawned no [`ViewCamera`], draws every disc
//! and every piece of terrain, and fits them into the window. [`DiscLook`](crate::scene::DiscLook) and
//! [`TerrainLook`](crate::scene::TerrainLook) say how, [`Surroundings`] whether it is a table or a laboratory;
//! [`OwnLook`] leaves that to the game, whose sprites and meshes [follow](crate::interpolation).
//!
//! Among Bevy's sprites and other 2D objects, the drawing has these `z` values:
//!
//! | `z` | layer |
//! |---|---|
//! | 0 | floor |
//! | 1 | billiard table |
//! | 2 | marks |
//! | 3 | shadows |
//! | 4 | terrain and trails |
//! | 5 | discs |
//! | 6 | arrows and gestures |
//!
//! For example, a sprite at 4.5 covers the terrain and lies beneath the discs, and one at 7 covers everything.
//!
//! Each module imports only those above it:
//!
//! | module | contents |
//! |---|---|
//! | [`theme`] | all colours |
//! | [`camera`] | the part of the world that a camera shows, conversion between metres and pixels, the [`CurrentView`] that is being drawn, shake |
//! | [`canvas`] | the shapes of the current view |
//! | [`scene`] | drawing of the scene: discs, terrain, tables, joints, trails |
//! | [`words`] | text: its language, labels, the title, measures |
//! | `framing` | fitting views to the scene, and following discs |
//! | `render` | rendering: shapes and discs as instances |

pub mod camera;
pub mod canvas;
pub(crate) mod framing;
mod render;
pub mod scene;
pub mod theme;
pub mod words;

use bevy::{
    camera::{CameraUpdateSystems, visibility::VisibilitySystems},
    ecs::schedule::SingleThreadedExecutor,
    prelude::*,
};
use bevy_egui::{
    EguiGlobalSettings, EguiPlugin, EguiPostUpdateSet, EguiPreUpdateSet, EguiPrimaryContextPass, PrimaryEguiContext,
};

use serde::{Deserialize, Serialize};

use crate::{
    collision::require_physics,
    components::Disc,
    interpolation::InterpolationSystems,
    scene::{CurrentScene, SceneStarted, Surroundings},
};

pub use crate::{
    interpolation::{Drawn, DrawnHeight},
    scene::OwnLook,
};

pub use camera::{
    bookmarks::{Bookmark, Bookmarks},
    current_view::{CurrentView, DrawView, ShownTo, sees_layer_0},
    desktop::{Desktop, DesktopWindow},
    insets::Insets,
    view2d::View2d,
    views::{Views, ViewsMut, main_view},
};
pub use canvas::{Canvas, Layer, Plate};
pub use scene::colours::ColourBy;
#[cfg(feature = "input")]
pub(crate) use scene::plane::bar;
pub use theme::{Theme, ThemeChoice, Themes};
#[cfg(feature = "panel")]
pub(crate) use words::overlay::is_small;
pub use words::{
    headline::Headline,
    language::Language,
    measures::{Caption, Captions, Measures},
    named::{Named, keep_focus_in_sight},
    overlay::{Covered, KeyHint},
    points::Points,
};

use camera::{desktop, shake};
use scene::{arrows, colours, discs, fallen, furniture, grid, hits, joints, periodic, plane, terrain, trails};
#[cfg(target_arch = "wasm32")]
use words::page_fonts;
use words::{headline, heights, labels, language, measures, overlay, slow_frames};

/// The longest frame that counts for animations and held inputs, seconds. In a longer one, an input may not have been
/// held throughout.
pub(crate) const LONGEST_FRAME: f32 = 0.1;

/// The order of drawing, in [`PostUpdate`].
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ViewSystems {
    /// Discs have their positions, views are final, and Bevy's cameras match them. The panel and the labels are laid
    /// out afterwards.
    Begin,
    /// The schedule [`DrawView`] runs for each [`ViewCamera`]. Its systems add shapes to the [`Canvas`].
    Draw,
}

/// User settings for drawing.
#[derive(Resource, Reflect, Clone, Debug, PartialEq)]
#[reflect(Resource, Default)]
pub struct ViewSettings {
    /// Draw velocity arrows on all discs, not only on those that request one. Default: off, or as the scene says.
    pub arrows: bool,
    /// Also draw momentum arrows, scaled so that a disc of mean mass has equal velocity and momentum arrows. Default:
    /// off.
    pub momentum: bool,
    /// Draw the occupied cells of the broad phase and its candidate pairs. Default: off.
    pub grid: bool,
    /// [`Sensor`](crate::components::Sensor)s whose look has no colour are drawn, too, as faint outlines. Default: off;
    /// the program `carom` has it on.
    pub sensors: bool,
    /// Write numbers and labels on discs. Default: on.
    pub labels: bool,
    /// Show the title, the description and the hints. Default: on.
    pub overlay: bool,
    /// The colours of the view and the panel. Default: matching the desktop.
    pub theme: ThemeChoice,
    /// The language of the text. Default: the desktop's language if available, otherwise English.
    pub language: Language,
    /// The property that colours discs. Default: their own look.
    pub colour_by: ColourBy,
    /// Discs flash when hit hard. Default: on.
    pub flash: bool,
    /// The view shakes slightly when discs hit each other hard. Default: on.
    pub shake: bool,
    /// Reduces motion: nothing flashes and the view does not shake, whatever the two settings say. Default: as the
    /// desktop prefers.
    pub motion: MotionChoice,
    /// Whether the desktop prefers reduced motion. The code that queries the desktop sets it. Default: no.
    pub desktop_reduces_motion: bool,
    /// The length of the trails behind discs, seconds, in the range
    /// [`SceneFile::TRAILS`](crate::scene::SceneFile::TRAILS); 0 for none. Default: 0. Large crowds have no trails.
    pub trails: f32,
    /// Show hits as short flashes along their normals, with lengths that show their strength. Default: off.
    pub hits: bool,
    /// Turn a wide billiard table by a quarter in a tall window that shows it clearly larger that way. Default: on.
    pub turn_tables: bool,
}

impl Default for ViewSettings {
    fn default() -> Self {
        Self {
            arrows: false,
            momentum: false,
            grid: false,
            sensors: false,
            labels: true,
            overlay: true,
            theme: ThemeChoice::System,
            language: Language::System,
            colour_by: ColourBy::Look,
            flash: true,
            shake: true,
            motion: MotionChoice::System,
            desktop_reduces_motion: false,
            trails: 0.0,
            hits: false,
            turn_tables: true,
        }
    }
}

/// How much moves besides the discs.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum MotionChoice {
    /// As the desktop prefers, or everything if it has no preference.
    #[default]
    System,
    /// Reduced motion.
    Less,
    /// Full motion, whatever the desktop prefers.
    All,
}

impl MotionChoice {
    /// All values, with their displayed words.
    pub const ALL: [(Self, &str); 3] = [
        (Self::System, language::mark("same as the desktop")),
        (Self::Less, language::mark("less")),
        (Self::All, language::mark("all")),
    ];
}

impl ViewSettings {
    /// Whether motion is reduced: nothing flashes and the view does not shake.
    #[must_use]
    pub fn reduces_motion(&self) -> bool {
        match self.motion {
            MotionChoice::System => self.desktop_reduces_motion,
            MotionChoice::Less => true,
            MotionChoice::All => false,
        }
    }

    /// Whether discs flash.
    #[must_use]
    pub fn flashes(&self) -> bool {
        self.flash && !self.reduces_motion()
    }

    /// Whether the view shakes.
    #[must_use]
    pub fn shakes(&self) -> bool {
        self.shake && !self.reduces_motion()
    }
}

/// A camera that shows discs, terrain and tables. Its [`View2d`] sets the part of the world, its [`Camera`] the part of
/// the window, and its [`RenderLayers`](bevy::camera::visibility::RenderLayers) the visible entities. [`ViewPlugin`]
/// spawns one unless the game has spawned one at startup. Several cameras can share a window or draw into images. The
/// one with the lowest [`order`](Camera::order) is the main camera, with the text and the panel.
///
/// ```
/// # use bevy::{camera, prelude::*};
/// # use carom::view::{ViewCamera, View2d};
/// fn spawn_cameras(mut commands: Commands) {
///     commands.spawn(ViewCamera);
///     // Everything, small, in the lower left corner.
///     let corner = camera::Viewport { physical_position: uvec2(20, 560), physical_size: uvec2(320, 220), ..default() };
///     let minimap = Camera { order: 1, viewport: Some(corner), clear_color: ClearColorConfig::None, ..default() };
///     commands.spawn((ViewCamera, minimap));
/// }
/// # bevy::ecs::system::assert_is_system(spawn_cameras);
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default)]
#[reflect(Component, Default, Debug)]
#[require(Camera2d, View2d, render::Composition, Msaa::Off)]
pub struct ViewCamera;

/// The disc data for drawing, without a window and without drawing: [`Drawn`], [`colours::Trace`], [`discs::Paint`] and
/// the list [`discs::DiscInstances`]. It is part of [`ViewPlugin`], and separate for benchmarks.
pub struct DiscsPlugin;

impl Plugin for DiscsPlugin {
    fn build(&self, app: &mut App) {
        app.register_required_components::<Disc, Drawn>()
            .init_resource::<ViewSettings>()
            .init_resource::<CurrentView>()
            .init_resource::<Surroundings>()
            .add_plugins((theme::plugin, discs::plugin, colours::plugin, fallen::plugin));
    }
}

/// All drawing. Add it after Bevy's default plugins and the physics. It adds egui, which writes the labels, if the game
/// has not. Scenes, mouse and sound are optional. Windows are cleared with the colour of the theme, unless the game
/// sets a [`ClearColor`].
pub struct ViewPlugin;

impl Plugin for ViewPlugin {
    #[expect(clippy::too_many_lines, reason = "a list of what is drawn")]
    fn build(&self, app: &mut App) {
        assert!(
            app.world().contains_resource::<AssetServer>(),
            "{} needs bevy::DefaultPlugins, or those of them that draw: add them to the app before it",
            self.name()
        );
        if !app.is_plugin_added::<EguiPlugin>() {
            app.add_plugins(EguiPlugin::default());
        }
        app.world_mut().get_resource_or_init::<EguiGlobalSettings>().auto_create_primary_context = false;
        #[cfg(target_arch = "wasm32")]
        app.add_plugins(page_fonts::plugin);
        app.register_type::<ViewSettings>()
            .register_type::<View2d>()
            .register_type::<ViewCamera>()
            .init_resource::<Bookmarks>()
            .register_type::<Surroundings>()
            .register_type::<OwnLook>()
            .add_message::<SceneStarted>()
            .init_resource::<Canvas>()
            .init_resource::<overlay::Hint>()
            .init_resource::<KeyHint>()
            .init_resource::<Insets>()
            .init_resource::<Covered>()
            .init_resource::<Headline>()
            .init_resource::<furniture::Furniture>()
            .init_resource::<Measures>()
            .init_resource::<Captions>()
            .register_type::<Measures>()
            .add_plugins((
                DiscsPlugin,
                render::plugin,
                language::plugin,
                trails::plugin,
                hits::plugin,
                shake::plugin,
                desktop::plugin,
                slow_frames::plugin,
            ))
            .configure_sets(
                PostUpdate,
                (
                    // Bevy's cameras follow the views in the same frame.
                    ViewSystems::Begin
                        .after(InterpolationSystems::Interpolate)
                        .before(InterpolationSystems::SyncTransforms)
                        .before(EguiPostUpdateSet::EndPass)
                        .before(CameraUpdateSystems)
                        .before(TransformSystems::Propagate),
                    ViewSystems::Draw.after(EguiPostUpdateSet::EndPass).after(VisibilitySystems::VisibilityPropagate),
                )
                    .chain(),
            )
            .edit_schedule(DrawView, |schedule| _ = schedule.set_executor(SingleThreadedExecutor::new()))
            .add_systems(PostStartup, spawn_camera)
            .add_systems(PreUpdate, give_egui_to_main_camera.before(EguiPreUpdateSet::InitContexts))
            .add_systems(
                PostUpdate,
                (
                    follow_scene,
                    overlay::follow_hint,
                    fallen::set_up_tray,
                    fallen::place,
                    framing::frame_views,
                    framing::follow,
                    desktop::look_down.run_if(any_with_component::<DesktopWindow>),
                    shake::swing,
                    framing::aim_cameras,
                    terrain::fill_polygons,
                    discs::repaint,
                )
                    .chain()
                    .in_set(ViewSystems::Begin),
            )
            .add_systems(PostUpdate, render::draw_views.in_set(ViewSystems::Draw))
            .add_systems(
                DrawView,
                (
                    plane::draw_plane,
                    periodic::draw_cell,
                    furniture::draw_table,
                    terrain::draw_terrain,
                    joints::draw_joints,
                    furniture::draw_pockets,
                    measures::draw_lines.run_if(sees_layer_0),
                    grid::draw_grid.run_if(sees_layer_0),
                    trails::draw_trails,
                    discs::list_discs,
                    hits::draw_hits.run_if(sees_layer_0),
                    arrows::draw_arrows,
                )
                    .chain(),
            )
            .add_systems(
                EguiPrimaryContextPass,
                (
                    labels::write_labels,
                    heights::write_heights,
                    measures::write_measures,
                    overlay::write_title,
                    overlay::write_states,
                    overlay::write_paused,
                    overlay::write_pace,
                    overlay::write_hint,
                    headline::write_help,
                    overlay::write_notices,
                )
                    .chain(),
            );
    }

    fn finish(&self, app: &mut App) {
        require_physics(self, app);
    }
}

/// Spawns a camera if the game has none.
fn spawn_camera(mut commands: Commands, cameras: Query<(), With<ViewCamera>>) {
    if cameras.is_empty() {
        commands.spawn(ViewCamera);
    }
}

/// Makes egui draw over the main camera. By default it would take the first camera that it finds, which may be a
/// minimap.
fn give_egui_to_main_camera(mut commands: Commands, contexts: Query<(), With<PrimaryEguiContext>>, views: Views) {
    if contexts.is_empty()
        && let Some(camera) = views.camera(None)
    {
        commands.entity(camera).insert(PrimaryEguiContext);
    }
}

/// Applies the view settings of a scene when it starts.
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
            app.add_plugins((DiscsPlugin, trails::plugin, hits::plugin, shake::plugin));
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
