//! `carom --windows 3`: several windows on the desktop form one table. Each shows the part of the table beneath it.
//!
//! If the system does not report the positions of windows, as on Wayland, one window shows tiles instead.

use bevy::{
    camera::RenderTarget,
    ecs::system::NonSendMarker,
    prelude::*,
    window::{PresentMode, PrimaryWindow, WindowRef, WindowResolution},
    winit::WINIT_WINDOWS,
};

use crate::{
    input::Controls,
    notice::{Notices, mark},
    plane::{PlaneSettings, TableRect},
    scene::{
        SceneFile, SceneSource, TileEntry,
        generate::{Generator, RandomFill},
        spawn,
    },
    shell::Overlays,
    view::{Desktop, DesktopWindow, Measures, ViewCamera, ViewSettings, main_view},
};

/// The rectangles with which `carom --windows` and `carom --tiles` begin.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// The number of rectangles.
    pub count: u32,
    /// The size of each, physical pixels.
    pub size: UVec2,
}

/// The largest number of windows or tiles.
pub const MOST: u32 = 16;

/// The position of the first window, physical pixels from the upper left corner of the desktop.
const CORNER: IVec2 = IVec2::new(60, 40);

/// The largest total size of a few windows, physical pixels.
const ROOM: UVec2 = UVec2::new(1120, 720);

/// The gap between the insides of windows whose frames touch, side by side and one above the other, physical pixels.
/// Balls pass beneath it.
const FRAMES: Vec2 = Vec2::new(14.0, 48.0);

/// The number of discs in each rectangle at the start.
const DISCS: usize = 6;

impl Layout {
    /// A layout of this many rectangles, with this size or a suitable one.
    pub(super) fn new(count: u32, size: Option<Vec2>) -> Self {
        let count = count.clamp(1, MOST);
        let columns = columns(count);
        let own = ROOM / UVec2::new(columns, count.div_ceil(columns).max(columns));
        Self { count, size: size.map_or(own, Vec2::as_uvec2).max(UVec2::splat(120)) }
    }

    /// The upper left corner of a rectangle on the desktop, physical pixels. Neighbours touch, and every other column
    /// is lower.
    pub(super) fn corner(&self, number: u32) -> IVec2 {
        let columns = columns(self.count);
        let (column, row) = (number % columns, number / columns);
        let lower = if column % 2 == 1 { self.size.y / 5 } else { 0 };
        CORNER + UVec2::new(column * self.size.x, row * self.size.y + lower).as_ivec2()
    }

    /// The rectangles in the world, metres. The first is centred on the origin.
    fn rects(&self) -> Vec<Rect> {
        let desktop = Desktop { origin: Some(self.corner(0) + (self.size / 2).as_ivec2()), ..Desktop::default() };
        (0..self.count).map(|number| desktop.under(self.corner(number), self.size)).collect()
    }

    /// The scene: discs in all rectangles, and the tiles if they are not windows.
    pub(super) fn scene(&self, tiles: bool) -> Result<(SceneSource, SceneFile), String> {
        let source = SceneSource::Shipped("tiles");
        let mut file = source.load().map_err(|error| error.to_string())?;
        let rects = self.rects();
        let fill = |(number, rect): (u64, &Rect)| {
            let half_size = rect.half_size() * 0.85;
            let largest = (0.3 * half_size.min_element()).min(0.24);
            let radius = (0.5 * largest, largest);
            let (centre, count) = (rect.center(), DISCS);
            Generator::RandomFill(RandomFill {
                count,
                centre,
                half_size,
                radius,
                speed: 1.6,
                seed: 8 + number,
                ..default()
            })
        };
        file.generate = (0..).zip(&rects).map(fill).collect();
        let tile = |rect: &Rect| TileEntry { min: rect.min, max: rect.max };
        file.tiles = if tiles { rects.iter().map(tile).collect() } else { Vec::new() };
        Ok((source, file))
    }
}

fn columns(count: u32) -> u32 {
    (1..=count).find(|columns| columns * columns >= count).unwrap_or(1)
}

/// Opens the other windows, and keeps the table aligned with them. Needs the [`Layout`].
pub(super) fn plugin(app: &mut App) {
    app.add_observer(close_camera)
        .add_systems(Startup, open)
        // After the preferences were applied.
        .add_systems(PostStartup, make_room)
        .add_systems(PreUpdate, read_window_positions);
}

/// Opens the other windows, each with a camera.
fn open(mut commands: Commands, layout: Res<Layout>, primary: Single<(Entity, &Window), With<PrimaryWindow>>) {
    let (first, model) = *primary;
    commands.entity(first).insert(DesktopWindow::default());
    commands.spawn(ViewCamera);
    for number in 1..layout.count {
        let window = Window {
            title: format!("{} {}", model.title, number + 1),
            name: model.name.clone(),
            resolution: WindowResolution::new(layout.size.x, layout.size.y),
            position: WindowPosition::At(layout.corner(number)),
            // Only the first window waits for the screen. If each did, the frame rate would drop with their number.
            present_mode: PresentMode::AutoNoVsync,
            ..default()
        };
        let window = commands.spawn((window, DesktopWindow::default())).id();
        let camera = Camera { order: number as isize, ..default() };
        commands.spawn((ViewCamera, camera, RenderTarget::Window(WindowRef::Entity(window))));
    }
}

/// Hides everything but the table, because the windows are small. Keys show the rest again.
fn make_room(
    (mut view, mut measures, mut plane): (ResMut<ViewSettings>, ResMut<Measures>, ResMut<PlaneSettings>),
    desktop: Res<Desktop>,
    (mut overlays, mut controls): (ResMut<Overlays>, ResMut<Controls>),
) {
    view.overlay = false;
    measures.scale_bar = Some(false);
    plane.gap = FRAMES / desktop.pixels_per_metre;
    overlays.panel = false;
    // The positions of the windows determine what is visible, and at what scale.
    controls.camera = false;
}

/// Removes the camera of a closed window.
fn close_camera(gone: On<Remove, Window>, cameras: Query<(Entity, &RenderTarget)>, mut commands: Commands) {
    for (camera, target) in &cameras {
        if matches!(target, RenderTarget::Window(WindowRef::Entity(window)) if *window == gone.entity) {
            commands.entity(camera).try_despawn();
        }
    }
}

/// Asks the system for the positions of the windows. If it does not report them, the table becomes one of tiles.
fn read_window_positions(
    mut windows: Query<(Entity, &mut DesktopWindow)>,
    mut commands: Commands,
    (mut notices, mut told): (ResMut<Notices>, Local<bool>),
    // The system's windows are accessible on the main thread only.
    _: NonSendMarker,
) {
    WINIT_WINDOWS.with_borrow(|known| {
        for (entity, mut window) in &mut windows {
            match known.get_window(entity).map(|window| window.inner_position()) {
                Some(Ok(place)) => {
                    let inside = Some(IVec2::new(place.x, place.y));
                    window.set_if_neq(DesktopWindow { inside });
                    // Only once the windows exist, which takes a while on some machines.
                    if !std::mem::replace(&mut *told, true) {
                        notices.info(mark(
                            "These windows are one table: drag and resize them. Press a disc, pull back and let go; P shows the panel",
                        ));
                    }
                }
                Some(Err(_)) => return commands.queue(become_tiles),
                None => {}
            }
        }
    });
}

/// Replaces the windows by one window with tiles.
fn become_tiles(world: &mut World) {
    let mut windows = world.query_filtered::<(Entity, Has<PrimaryWindow>), With<DesktopWindow>>();
    let windows: Vec<(Entity, bool)> = windows.iter(world).collect();
    for (window, is_primary) in windows {
        if is_primary {
            world.entity_mut(window).remove::<(DesktopWindow, TableRect)>();
        } else {
            world.despawn(window);
        }
    }
    let Some(layout) = world.get_resource::<Layout>().copied() else { return };
    if let Some(mut controls) = world.get_resource_mut::<Controls>() {
        controls.camera = true;
    }
    if let Some(mut view) = main_view(world) {
        view.request_fit();
    }
    let told =
        layout.scene(true).and_then(|(source, file)| spawn(world, source, file).map_err(|error| error.to_string()));
    let Some(mut notices) = world.get_resource_mut::<Notices>() else { return };
    match told {
        Ok(()) => notices.info(mark(
            "This desktop does not tell windows where they are, so these are tiles: drag them by their bars",
        )),
        Err(problem) => notices.error(problem),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plane::{Outline, Tile};

    #[test]
    fn a_window_that_is_closed_takes_its_camera_along_and_no_other() {
        let mut app = App::new();
        app.add_observer(close_camera);
        let windows = [0, 1].map(|_| app.world_mut().spawn(Window::default()).id());
        let target = |window: Entity| RenderTarget::Window(WindowRef::Entity(window));
        let cameras = windows.map(|window| app.world_mut().spawn(target(window)).id());
        app.world_mut().despawn(windows[0]);
        app.update();
        let there = cameras.map(|camera| app.world().get_entity(camera).is_ok());
        assert_eq!(there, [false, true]);
    }

    #[test]
    fn where_windows_have_no_places_one_of_them_shows_tiles() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, crate::PhysicsPlugins::default(), crate::scene::ScenePlugin));
        app.init_resource::<Notices>().insert_resource(Layout::new(3, None));
        app.world_mut().spawn((Window::default(), PrimaryWindow, DesktopWindow::default()));
        for _ in 1..3 {
            app.world_mut().spawn((Window::default(), DesktopWindow::default()));
        }
        become_tiles(app.world_mut());
        app.update();
        let world = app.world_mut();
        assert_eq!(world.query::<&Window>().iter(world).count(), 1);
        assert_eq!(world.query::<&DesktopWindow>().iter(world).count(), 0);
        let rects: Vec<bool> = world.query::<(&TableRect, Has<Tile>)>().iter(world).map(|(_, tile)| tile).collect();
        assert_eq!(rects, [true; 3]);
        assert!(world.resource::<Notices>().iter().any(|notice| notice.text.contains("tiles")));
    }

    #[test]
    fn any_number_of_windows_is_one_table_at_first_with_all_discs_on_it() {
        for count in 1..=MOST {
            let layout = Layout::new(count, None);
            let rects = layout.rects();
            let outline = Outline::of(&rects);
            assert_eq!(outline.loops().len(), 1, "{count}");
            assert!(rects[0].center().length() < 0.01);
            let last = (0..count).map(|number| layout.corner(number) + layout.size.as_ivec2());
            assert!(last.map(IVec2::max_element).max() <= Some(1280), "{count}: {:?}", layout.size);
            let (_, file) = layout.scene(true).unwrap();
            assert_eq!(file.tiles.len(), count as usize);
            let contents = file.expand().unwrap();
            assert_eq!(contents.discs.len(), DISCS * count as usize);
            assert!(contents.discs.iter().all(|disc| outline.fits(disc.position, disc.radius)), "{count}");
        }
        assert_eq!(Layout::new(3, Some(Vec2::new(400.0, 300.0))).size, UVec2::new(400, 300));
    }
}
