//! Windows as parts of the table: each shows the part of the world at its place on the desktop.
//!
//! Add a [`DesktopWindow`] to windows, and a [`ViewCamera`] that draws into each. A window's place on the desktop is
//! its place in the world. [`Desktop`] sets the scale in physical pixels per metre, whatever the scale factor of each
//! display.
//!
//! ```
//! # use bevy::{camera::RenderTarget, prelude::*, window::WindowRef};
//! # use carom::view::{DesktopWindow, ViewCamera};
//! fn open_another(mut commands: Commands) {
//!     let window = commands.spawn((Window::default(), DesktopWindow::default())).id();
//!     commands.spawn((ViewCamera, Camera { order: 1, ..default() }, RenderTarget::Window(WindowRef::Entity(window))));
//! }
//! # bevy::ecs::system::assert_is_system(open_another);
//! ```

use bevy::{
    app::{RunFixedMainLoop, RunFixedMainLoopSystems},
    camera::RenderTarget,
    prelude::*,
    window::{PrimaryWindow, WindowPosition, WindowRef},
};

use crate::{
    plane::TableRect,
    view::{ViewCamera, camera::view2d::View2d},
};

/// Makes the parts of the table follow the windows.
pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Desktop>().register_type::<Desktop>().register_type::<DesktopWindow>().add_systems(
        RunFixedMainLoop,
        follow_windows.run_if(any_with_component::<DesktopWindow>).in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
    );
}

/// A window whose client area is a part of the table. Its [`TableRect`] follows its place on the desktop. A window that
/// is minimised or whose place is unknown has no `TableRect`.
///
/// X11, Windows and macOS report window positions; Wayland and browsers do not.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Default, Debug, PartialEq)]
#[require(TableRect = TableRect(Rect::EMPTY))]
pub struct DesktopWindow {
    /// The upper left corner of its client area on the desktop, physical pixels. Default: `None`, which uses
    /// [`Window::position`]. On most systems that is the corner of the window frame.
    pub inside: Option<IVec2>,
}

/// The mapping from the desktop to the world.
#[derive(Resource, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Resource, Default, Debug, PartialEq)]
pub struct Desktop {
    /// The point of the desktop at the origin of the world, physical pixels from the desktop's upper left corner.
    /// Default: `None`, until the first window with a known place sets it to its centre.
    pub origin: Option<IVec2>,
    /// The scale, physical pixels per metre. Default: 200.
    pub pixels_per_metre: f32,
}

impl Default for Desktop {
    fn default() -> Self {
        Self { origin: None, pixels_per_metre: 200.0 }
    }
}

impl Desktop {
    /// The point of the world (metres) at a point of the desktop (physical pixels). Equal pixels give bit-identical
    /// points, so that adjacent windows also touch in the world.
    #[must_use]
    pub fn to_world(&self, pixel: IVec2) -> Vec2 {
        let from = pixel - self.origin.unwrap_or_default();
        Vec2::new(from.x as f32, -from.y as f32) / self.pixels_per_metre
    }

    /// The part of the world (metres) under a window whose client area has this upper left corner and size, physical
    /// pixels.
    #[must_use]
    pub fn under(&self, corner: IVec2, size: UVec2) -> Rect {
        let [low, high] = [corner, corner + size.as_ivec2()].map(|pixel| self.to_world(pixel));
        Rect { min: Vec2::new(low.x, high.y), max: Vec2::new(high.x, low.y) }
    }
}

impl DesktopWindow {
    /// The upper left corner and the size of its client area, physical pixels. `None` if unknown or empty.
    fn place(&self, window: &Window) -> Option<(IVec2, UVec2)> {
        let told = if let WindowPosition::At(place) = window.position { Some(place) } else { None };
        let size = window.physical_size();
        Some((self.inside.or(told)?, size)).filter(|_| size.min_element() > 0)
    }
}

/// Makes the rectangles of the table follow their windows.
pub(crate) fn follow_windows(
    mut desktop: ResMut<Desktop>,
    mut windows: Query<(&DesktopWindow, &Window, Has<PrimaryWindow>, &mut TableRect)>,
) {
    if desktop.origin.is_none() {
        let placed = windows.iter().filter_map(|(it, window, primary, _)| Some((!primary, it.place(window)?)));
        let first = placed.min_by_key(|&(secondary, (corner, _))| (secondary, corner.x, corner.y));
        let Some((_, (corner, size))) = first else { return };
        desktop.origin = Some(corner + (size / 2).as_ivec2());
    }
    for (it, window, _, mut rect) in &mut windows {
        let under = it.place(window).map_or(Rect::EMPTY, |(corner, size)| desktop.under(corner, size));
        rect.set_if_neq(TableRect(under));
    }
}

/// Makes the cameras of these windows show the world under them, to scale.
pub(crate) fn look_down(
    desktop: Res<Desktop>,
    windows: Query<(&Window, &DesktopWindow)>,
    primary: Option<Single<Entity, With<PrimaryWindow>>>,
    mut views: Query<(&mut View2d, &RenderTarget), With<ViewCamera>>,
) {
    for (mut view, target) in &mut views {
        let window = match target {
            RenderTarget::Window(WindowRef::Primary) => primary.as_ref().map(|window| **window),
            RenderTarget::Window(WindowRef::Entity(window)) => Some(*window),
            _ => None,
        };
        let Some((window, it)) = window.and_then(|window| windows.get(window).ok()) else { continue };
        if desktop.origin.is_some()
            && let Some((corner, size)) = it.place(window)
        {
            let under = desktop.under(corner, size);
            let scale = desktop.pixels_per_metre / window.scale_factor();
            view.lie_over(under, scale);
        }
    }
}

#[cfg(test)]
mod tests {
    use bevy::{ecs::system::RunSystemOnce, window::WindowResolution};

    use super::*;

    fn window(corner: IVec2, size: UVec2, scale: f32) -> Window {
        let resolution = WindowResolution::new(size.x, size.y).with_scale_factor_override(scale);
        Window { position: WindowPosition::At(corner), resolution, ..default() }
    }

    #[test]
    fn windows_that_touch_on_the_desktop_touch_in_the_world_whatever_their_displays_scale() {
        let mut world = World::new();
        world.init_resource::<Desktop>();
        let left =
            world.spawn((window(ivec2(37, 90), uvec2(613, 401), 1.0), DesktopWindow::default(), PrimaryWindow)).id();
        let right = world.spawn((window(ivec2(650, 113), uvec2(500, 401), 2.0), DesktopWindow::default())).id();
        let hidden =
            world.spawn((Window { position: WindowPosition::Automatic, ..default() }, DesktopWindow::default())).id();
        let framed = DesktopWindow { inside: Some(ivec2(650, 600)) };
        let framed = world.spawn((window(ivec2(640, 570), uvec2(500, 100), 1.0), framed)).id();
        world.run_system_once(follow_windows).unwrap();
        let rect = |entity: Entity| world.get::<TableRect>(entity).unwrap().0;
        assert_eq!(rect(left).max.x, rect(right).min.x, "bit-identical");
        assert_eq!(rect(right).min.x, rect(framed).min.x);
        assert_eq!(rect(hidden), Rect::EMPTY);
        assert!(rect(left).center().length() < 0.01, "the first one is in the middle: {:?}", rect(left));
        assert!((rect(left).max.y - rect(right).max.y - 23.0 / 200.0).abs() < 1e-6);

        let mut cameras = Vec::new();
        for (entity, scale) in [(left, 1.0), (right, 2.0)] {
            let size = world.get::<Window>(entity).unwrap().size();
            let mut view = View2d::default();
            // The panel covers a part of it.
            view.lay_out(Rect::from_corners(Vec2::ZERO, size), Rect::new(100.0, 0.0, size.x, size.y));
            let target = RenderTarget::Window(WindowRef::Entity(entity));
            let camera = world.spawn((view, target)).id();
            world.entity_mut(camera).insert(ViewCamera);
            cameras.push((camera, entity, scale));
        }
        world.run_system_once(look_down).unwrap();
        for (camera, entity, scale) in cameras {
            let (view, rect) = (world.get::<View2d>(camera).unwrap(), world.get::<TableRect>(entity).unwrap());
            assert_eq!(view.pixels_per_metre, 200.0 / scale);
            let corner = view.to_world(Vec2::ZERO);
            assert!(corner.distance(vec2(rect.min.x, rect.max.y)) < 1e-5, "{corner} {rect:?}");
        }
    }
}
