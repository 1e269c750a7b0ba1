//! System parameters for the views of all cameras, with the main one.

use bevy::{
    camera::{RenderTarget, visibility::RenderLayers},
    ecs::system::SystemParam,
    prelude::*,
    window::WindowRef,
};

use crate::view::camera::{current_view::ShownToItem, view2d::View2d};

/// The main view: the view of the active camera with the lowest order. Among equal orders the lowest entity counts.
pub(crate) fn main_of<'a>(cameras: impl Iterator<Item = (Entity, Option<&'a Camera>)>) -> Option<Entity> {
    let key = |camera: Option<&Camera>| camera.map_or((false, 0), |camera| (!camera.is_active, camera.order));
    cameras.min_by_key(|&(entity, camera)| (key(camera), entity)).map(|(entity, _)| entity)
}

/// The views of all cameras. The main view is that of the active [`ViewCamera`](crate::view::ViewCamera) with the
/// lowest [`order`](Camera::order). It carries labels, notices and the panel.
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::view::Views;
/// fn print_scale(views: Views) {
///     println!("{} pixels per metre", views.main().pixels_per_metre);
/// }
/// # bevy::ecs::system::assert_is_system(print_scale);
/// ```
#[derive(SystemParam)]
pub struct Views<'w, 's> {
    views: Query<'w, 's, ViewItem>,
    none: Local<'s, View2d>,
}

/// A view with the camera that it belongs to.
type ViewItem =
    (Entity, &'static View2d, Option<&'static Camera>, Option<&'static RenderTarget>, Option<&'static RenderLayers>);

impl Views<'_, '_> {
    /// The main view. Without any view it is [`View2d::default`].
    #[must_use]
    pub fn main(&self) -> &View2d {
        self.of(None)
    }

    /// The view of a camera, or the main view if that is `None` or has no view, such as the view under the mouse:
    /// `views.of(pointer.camera)`. Without any view it is [`View2d::default`].
    #[must_use]
    pub fn of(&self, camera: Option<Entity>) -> &View2d {
        self.get(camera).unwrap_or(&self.none)
    }

    /// The same, or `None` without any view.
    #[must_use]
    pub fn get(&self, camera: Option<Entity>) -> Option<&View2d> {
        self.views.get(self.camera(camera)?).ok().map(|(_, view, ..)| view)
    }

    /// This camera if it has a view, or else the camera of the main view.
    #[must_use]
    pub fn camera(&self, camera: Option<Entity>) -> Option<Entity> {
        let has_view = camera.filter(|camera| self.views.contains(*camera));
        has_view.or_else(|| main_of(self.views.iter().map(|(entity, _, camera, ..)| (entity, camera))))
    }

    /// The render layers that a camera sees, or those of the main view: see [`Views::of`].
    #[must_use]
    pub fn layers(&self, camera: Option<Entity>) -> &RenderLayers {
        let item = self.camera(camera).and_then(|camera| self.views.get(camera).ok());
        item.and_then(|(.., layers)| layers).unwrap_or_default()
    }

    /// Whether a disc or a piece of terrain is visible in a view, regardless of its position: see [`Views::of`].
    #[must_use]
    pub fn shows(&self, camera: Option<Entity>, it: &ShownToItem) -> bool {
        it.to(self.layers(camera))
    }

    /// The topmost camera at this point of the primary window, logical pixels, y down.
    #[must_use]
    pub fn at(&self, screen: Vec2) -> Option<Entity> {
        self.at_in(WindowRef::Primary, screen)
    }

    /// The topmost camera at this point of a window, logical pixels, y down.
    #[must_use]
    pub fn at_in(&self, window: WindowRef, screen: Vec2) -> Option<Entity> {
        let in_window = |target: Option<&RenderTarget>| match (target, window) {
            (None | Some(RenderTarget::Window(WindowRef::Primary)), WindowRef::Primary) => true,
            (Some(RenderTarget::Window(WindowRef::Entity(its))), WindowRef::Entity(window)) => *its == window,
            _ => false,
        };
        self.views
            .iter()
            .filter(|(_, view, camera, target, _)| {
                view.frame.contains(screen) && in_window(*target) && camera.is_none_or(|camera| camera.is_active)
            })
            .max_by_key(|(entity, _, camera, ..)| (camera.map_or(0, |camera| camera.order), *entity))
            .map(|(entity, ..)| entity)
    }
}

/// Mutable access to the views of all cameras.
#[derive(SystemParam)]
pub struct ViewsMut<'w, 's> {
    views: Query<'w, 's, (Entity, &'static mut View2d, Option<&'static Camera>)>,
    none: Local<'s, View2d>,
}

impl ViewsMut<'_, '_> {
    fn camera(&self, camera: Option<Entity>) -> Option<Entity> {
        let has_view = camera.filter(|camera| self.views.contains(*camera));
        has_view.or_else(|| main_of(self.views.iter().map(|(entity, _, camera)| (entity, camera))))
    }

    /// The view of a camera, or the main view: see [`Views::of`].
    #[must_use]
    pub fn of(&self, camera: Option<Entity>) -> &View2d {
        let found = self.camera(camera).and_then(|camera| self.views.get(camera).ok());
        found.map_or(&*self.none, |(_, view, _)| view)
    }

    /// The same, mutable. Without any view, changes have no effect.
    pub fn of_mut(&mut self, camera: Option<Entity>) -> &mut View2d {
        match self.camera(camera).and_then(|camera| self.views.get_mut(camera).ok()) {
            Some((_, view, _)) => view.into_inner(),
            None => &mut self.none,
        }
    }
}

/// The main view of a world, or `None` without any view: see [`Views`].
pub fn main_view(world: &mut World) -> Option<Mut<'_, View2d>> {
    let mut views = world.query_filtered::<(Entity, Option<&Camera>), With<View2d>>();
    let main = main_of(views.iter(world))?;
    world.get_mut(main)
}
