//! System parameters for the views of all cameras, with the main one.

use core::ops::{Deref, DerefMut};

use bevy::{
    camera::{RenderTarget, visibility::RenderLayers},
    ecs::system::SystemParam,
    prelude::*,
    window::WindowRef,
};

use crate::view::camera::view2d::View2d;

/// The main view: the view of the active camera with the lowest order. Among equal orders the lowest entity counts.
pub(crate) fn main_of<'a>(cameras: impl Iterator<Item = (Entity, Option<&'a Camera>)>) -> Option<Entity> {
    let key = |camera: Option<&Camera>| camera.map_or((false, 0), |camera| (!camera.is_active, camera.order));
    cameras.min_by_key(|&(entity, camera)| (key(camera), entity)).map(|(entity, _)| entity)
}

/// The main view: the view of the active [`ViewCamera`](crate::view::ViewCamera) with the lowest
/// [`order`](Camera::order).
/// It carries labels, notices and the panel. Without any view it is [`View2d::default`].
#[derive(SystemParam)]
pub struct MainView<'w, 's> {
    views: Views<'w, 's>,
    layers: Query<'w, 's, &'static RenderLayers>,
    none: Local<'s, View2d>,
}

impl MainView<'_, '_> {
    /// The render layers that its camera sees.
    #[must_use]
    pub fn layers(&self) -> &RenderLayers {
        self.views.main().and_then(|(camera, _)| self.layers.get(camera).ok()).unwrap_or_default()
    }
}

impl Deref for MainView<'_, '_> {
    type Target = View2d;

    fn deref(&self) -> &View2d {
        self.views.main().map_or(&*self.none, |(_, view)| view)
    }
}

/// Mutable access to the [`MainView`]. Without a view, changes have no effect.
#[derive(SystemParam)]
pub struct MainViewMut<'w, 's> {
    views: ViewsMut<'w, 's>,
}

impl Deref for MainViewMut<'_, '_> {
    type Target = View2d;

    fn deref(&self) -> &View2d {
        self.views.get(None)
    }
}

impl DerefMut for MainViewMut<'_, '_> {
    fn deref_mut(&mut self) -> &mut View2d {
        self.views.get_mut(None)
    }
}

/// All views, with their cameras.
#[derive(SystemParam)]
pub struct Views<'w, 's> {
    views: Query<'w, 's, (Entity, &'static View2d, Option<&'static Camera>, Option<&'static RenderTarget>)>,
}

impl Views<'_, '_> {
    /// The main view and its camera: see [`MainView`].
    #[must_use]
    pub fn main(&self) -> Option<(Entity, &View2d)> {
        let main = main_of(self.views.iter().map(|(entity, _, camera, _)| (entity, camera)))?;
        Some((main, self.get(main)?))
    }

    /// The view of a camera.
    #[must_use]
    pub fn get(&self, camera: Entity) -> Option<&View2d> {
        self.views.get(camera).ok().map(|(_, view, ..)| view)
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
            .filter(|(_, view, camera, target)| {
                view.frame.contains(screen) && in_window(*target) && camera.is_none_or(|camera| camera.is_active)
            })
            .max_by_key(|(entity, _, camera, _)| (camera.map_or(0, |camera| camera.order), *entity))
            .map(|(entity, ..)| entity)
    }
}

/// Mutable access to all views.
#[derive(SystemParam)]
pub struct ViewsMut<'w, 's> {
    views: Query<'w, 's, (Entity, &'static mut View2d, Option<&'static Camera>)>,
    none: Local<'s, View2d>,
}

impl ViewsMut<'_, '_> {
    fn or_main(&self, camera: Option<Entity>) -> Option<Entity> {
        camera
            .filter(|camera| self.views.contains(*camera))
            .or_else(|| main_of(self.views.iter().map(|(entity, _, camera)| (entity, camera))))
    }

    /// The view of a camera, or the main view. Without any view it is an unused default.
    #[must_use]
    pub fn get(&self, camera: Option<Entity>) -> &View2d {
        let found = self.or_main(camera).and_then(|camera| self.views.get(camera).ok());
        found.map_or(&*self.none, |(_, view, _)| view)
    }

    /// The same, mutable.
    pub fn get_mut(&mut self, camera: Option<Entity>) -> &mut View2d {
        match self.or_main(camera).and_then(|camera| self.views.get_mut(camera).ok()) {
            Some((_, view, _)) => view.into_inner(),
            None => &mut self.none,
        }
    }
}

/// The [`MainView`] of a world, or `None` if there is no view.
pub fn main_view(world: &mut World) -> Option<Mut<'_, View2d>> {
    let mut views = world.query_filtered::<(Entity, Option<&Camera>), With<View2d>>();
    let main = main_of(views.iter(world))?;
    world.get_mut(main)
}
