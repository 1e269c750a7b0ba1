//! The viewport: which part of the world a camera shows, and at what scale.
//!
//! It is plain arithmetic between metres (y up) and logical pixels of the window (y down, from its top left corner). What the
//! panel covers of the camera's part of the window is not seen, so the viewport looks through the middle of what is left.

use core::ops::{Deref, DerefMut};

use bevy::{
    camera::{RenderTarget, visibility::RenderLayers},
    ecs::system::SystemParam,
    prelude::*,
    render::{camera::NormalizedRenderTargetExt, texture::ManualTextureViews},
    window::{PrimaryWindow, Window, WindowRef},
};

use super::{ViewCamera, shake::Shake};
use crate::{
    disc::{Disc, Position, Radius},
    scene::{Camera as SceneCamera, CurrentScene, DrawnTable, SceneStarted, Surroundings},
    terrain::{Rotation, Terrain},
};

/// What a camera shows of the world. Every [`ViewCamera`] has one; [`MainViewport`] is that of the first of them.
#[derive(Component, Reflect, Clone, Debug, PartialEq)]
#[reflect(Component, Default, Debug, PartialEq)]
#[require(Shake)]
pub struct Viewport {
    /// The point in the middle of the free area, metres. Default: the origin, until everything is fitted into the first picture.
    pub centre: Vec2,
    /// The scale: logical pixels per metre. Default: 100, until everything is fitted.
    pub pixels_per_metre: f32,
    /// The part of the camera's part of the window that nothing covers, logical pixels, y down. It is settled once a picture; [`Self::leave_free`] changes it.
    pub area: Rect,
    /// The disc that is kept in the middle, exactly where it is drawn. Default: none.
    pub followed: Option<Entity>,
    /// The part of the window that the camera fills, logical pixels, y down.
    frame: Rect,
    /// What whatever covers the window leaves free of it, logical pixels; none: all.
    free: Option<Rect>,
    /// What is fitted; none: everything.
    bounds: Option<Rect>,
    /// How far a hard hit has moved the picture for the moment, logical pixels, y up.
    pub(super) shaken: Vec2,
    /// A fit is due as soon as the bounds of the scene are known.
    fit_due: bool,
    /// What was fitted last; none once the person has moved the view. It is fitted again when the window changes.
    fitted: Option<Rect>,
    /// The area and the margins that were fitted last.
    fitted_into: (Rect, Margin),
    /// The scale at which the scene was fitted last.
    fitted_scale: f32,
    /// Whether words are written over the picture: the main viewport has them, and leaves room for them.
    has_words: bool,
    /// How much of the area the title and the description take, logical pixels from its top.
    pub(super) title: f32,
    /// How much of the area the words of a lesson take, logical pixels from its bottom.
    foot: f32,
}

/// The scales that can be computed with, logical pixels per metre.
const ZOOM: std::ops::RangeInclusive<f32> = 1e-4..=1e6;
/// Zooming out ends where the scene is so many times smaller than fitted: beyond there is blank cloth.
const FARTHEST: f32 = 20.0;
/// Zooming in ends at a logical pixel to a hundredth of a millimetre, or so many times closer than fitted where that is more.
const CLOSEST: (f32, f32) = (1e5, 20.0);

impl Default for Viewport {
    fn default() -> Self {
        let window = Rect::new(0.0, 0.0, 1280.0, 800.0);
        Self {
            centre: Vec2::ZERO,
            pixels_per_metre: 100.0,
            area: window,
            followed: None,
            frame: window,
            free: None,
            bounds: None,
            shaken: Vec2::ZERO,
            fit_due: true,
            fitted: None,
            fitted_into: (Rect::default(), Margin::default()),
            fitted_scale: 100.0,
            has_words: true,
            title: 0.0,
            foot: 0.0,
        }
    }
}

impl Viewport {
    /// A viewport that shows this part of the world (metres), as large as the camera's part of the window allows, instead of everything.
    #[must_use]
    pub fn showing(bounds: Rect) -> Self {
        Self { bounds: Some(bounds), ..Self::default() }
    }

    /// Keeps this disc in the middle; what is fitted gives the scale.
    #[must_use]
    pub fn following(self, disc: Entity) -> Self {
        Self { followed: Some(disc), ..self }
    }

    /// The point of the world (metres) under a point of the window (logical pixels, y down).
    #[must_use]
    pub fn to_world(&self, screen: Vec2) -> Vec2 {
        self.centre + (screen - self.middle()) * Vec2::new(1.0, -1.0) / self.pixels_per_metre
    }

    /// Where a point of the world (metres) is in the window (logical pixels, y down).
    #[must_use]
    pub fn to_screen(&self, world: Vec2) -> Vec2 {
        self.middle() + (world - self.centre) * Vec2::new(1.0, -1.0) * self.pixels_per_metre
    }

    /// Where the window shows the centre: in the middle of the free area, but for a shake. Logical pixels, y down.
    fn middle(&self) -> Vec2 {
        self.area.center() + self.shaken * Vec2::new(1.0, -1.0)
    }

    /// Where the picture shows a point of the world (metres): logical pixels from the middle of the camera's part of the window, y up.
    #[must_use]
    pub fn to_frame(&self, world: Vec2) -> Vec2 {
        (world - self.centre) * self.pixels_per_metre + self.middle_of_frame()
    }

    /// Where the picture shows the centre: logical pixels from the middle of the camera's part of the window, y up.
    pub(super) fn middle_of_frame(&self) -> Vec2 {
        (self.middle() - self.frame.center()) * Vec2::new(1.0, -1.0)
    }

    /// How many metres this many logical pixels are, for widths that stay the same at any zoom.
    #[must_use]
    pub fn px(&self, pixels: f32) -> f32 {
        pixels / self.pixels_per_metre
    }

    /// Shows this part of the world (metres) as large as the free area allows, with room for the title above it and for
    /// the hints below. It is fitted again when the area changes, until the person moves the view.
    pub fn fit(&mut self, bounds: Rect) {
        self.fit_due = false;
        let size = self.area.size();
        let finite = bounds.min.is_finite() && bounds.max.is_finite();
        if size.min_element() < 1.0 || !finite {
            return;
        }
        let margin = self.margin();
        let room = (size - Vec2::new(2.0 * margin.side, margin.top + margin.bottom)).max(Vec2::splat(1.0));
        let extent = bounds.size().max(Vec2::splat(1e-6));
        self.pixels_per_metre = (room / extent).min_element().clamp(*ZOOM.start(), *ZOOM.end());
        // The room is not in the middle of the area: what lies in the middle of the room is the middle of the bounds.
        let lift = (margin.top - margin.bottom) / 2.0;
        self.centre = bounds.center() + Vec2::new(0.0, self.px(lift));
        self.fitted = Some(bounds);
        self.fitted_into = (self.area, margin);
        self.fitted_scale = self.pixels_per_metre;
    }

    /// The free strips around what is fitted: as much as the words above and below need, up to a third of the area each.
    fn margin(&self) -> Margin {
        let size = self.area.size();
        let Margin { side, top, bottom } = Margin::of(size);
        if !self.has_words {
            return Margin { side, top: side, bottom: side };
        }
        let words = |height: f32, least: f32| height.min(size.y / 3.0).max(least);
        Margin { side, top: words(self.title, top), bottom: words(self.foot, bottom) }
    }

    /// The scales within which zooming stays, logical pixels per metre. One that was farther off or closer may stay so.
    fn zoom_range(&self) -> std::ops::RangeInclusive<f32> {
        let farthest = (self.fitted_scale / FARTHEST).min(self.pixels_per_metre).max(*ZOOM.start());
        let closest = CLOSEST.0.max(self.fitted_scale * CLOSEST.1).max(self.pixels_per_metre).min(*ZOOM.end());
        farthest..=closest
    }

    /// Asks for everything (or what [`Self::showing`] says) to be fitted into the free area with the next picture. Nothing is followed then.
    pub fn request_fit(&mut self) {
        self.fit_due = true;
        self.followed = None;
    }

    /// Zooms by a factor (more than 1: closer) so that the point of the world under `screen` (logical pixels) stays there.
    pub fn zoom_at(&mut self, screen: Vec2, factor: f32) {
        if !(factor > 0.0 && factor.is_finite() && screen.is_finite()) {
            return;
        }
        let held = self.to_world(screen);
        let range = self.zoom_range();
        self.pixels_per_metre = (self.pixels_per_metre * factor).clamp(*range.start(), *range.end());
        self.centre += held - self.to_world(screen);
        self.fitted = None;
    }

    /// Moves the picture by this many logical pixels (y down), as if it were dragged. Nothing is followed then.
    pub fn pan(&mut self, screen_delta: Vec2) {
        if !screen_delta.is_finite() {
            return;
        }
        self.centre -= screen_delta * Vec2::new(1.0, -1.0) / self.pixels_per_metre;
        self.fitted = None;
        self.followed = None;
    }

    /// The part of the window that the camera fills, logical pixels, y down.
    #[must_use]
    pub fn frame(&self) -> Rect {
        self.frame
    }

    /// The part of the world (metres) that the camera shows, what lies behind the panel included.
    #[must_use]
    pub fn frame_in_world(&self) -> Rect {
        Rect::from_corners(self.to_world(self.frame.min), self.to_world(self.frame.max))
    }

    /// Fills this part of a window, logical pixels, y down. Cameras tell it themselves; where there is none, as in tests, it is told here. What is too small to show
    /// anything changes nothing.
    pub fn set_frame(&mut self, frame: Rect) {
        if frame.size().min_element() >= 1.0 {
            self.frame = frame;
            self.settle_area();
        }
    }

    /// Says that everything but this part of the window (logical pixels, y down) is covered, by a panel for instance; from the next picture on.
    pub fn leave_free(&mut self, part: Rect) {
        if self.free != Some(part) {
            self.free = Some(part);
        }
    }

    fn settle_area(&mut self) {
        let free = self.free.map_or(self.frame, |free| free.intersect(self.frame));
        self.area = if free.size().min_element() >= 1.0 { free } else { self.frame };
    }
}

/// The free strips around what is fitted, logical pixels.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq)]
struct Margin {
    side: f32,
    top: f32,
    bottom: f32,
}

impl Margin {
    fn of(area: Vec2) -> Self {
        let share = |of: f32, part: f32, most: f32| (of * part).min(most);
        Self { side: share(area.x, 0.03, 28.0), top: share(area.y, 0.14, 100.0), bottom: share(area.y, 0.09, 64.0) }
    }
}

/// What is known of a camera for finding the part of the window that it fills.
type Framed = (Entity, &'static Camera, &'static RenderTarget);

/// The windows and images into which cameras draw, as they are in this frame: Bevy's own note of them is a step behind.
#[derive(SystemParam)]
pub(super) struct Targets<'w, 's> {
    primary: Option<Single<'w, 's, Entity, With<PrimaryWindow>>>,
    windows: Query<'w, 's, (Entity, &'static Window)>,
    images: Option<Res<'w, Assets<Image>>>,
    textures: Option<Res<'w, ManualTextureViews>>,
    cameras: Query<'w, 's, Framed>,
}

impl Targets<'_, '_> {
    /// The part of its window or image that a camera fills, logical pixels; none where there is nothing to fill.
    fn frame(&self, camera: Entity) -> Option<Rect> {
        let (_, camera, target) = self.cameras.get(camera).ok()?;
        let target = target.normalize(self.primary.as_ref().map(|window| **window))?;
        let (images, textures) = (self.images.as_ref()?, self.textures.as_ref()?);
        let target = target.get_render_target_info(self.windows.iter(), images, textures).ok()?;
        let part = camera.viewport.as_ref();
        let (from, size) =
            part.map_or((UVec2::ZERO, target.physical_size), |part| (part.physical_position, part.physical_size));
        let [from, to] = [from, from + size].map(|at| at.min(target.physical_size).as_vec2() / target.scale_factor);
        Some(Rect::from_corners(from, to))
    }
}

/// Finds out which part of the window each viewport fills, and fits the scene into it where that is due.
pub(super) fn settle_viewports(
    mut viewports: Query<(Entity, &mut Viewport, Option<&Camera>, Option<&RenderLayers>)>,
    targets: Targets,
    mut started: MessageReader<SceneStarted>,
    (scene, surroundings): (Option<Res<CurrentScene>>, Res<Surroundings>),
    (table, tray): (Option<Res<DrawnTable>>, Option<Res<super::fallen::Tray>>),
    discs: Query<(&Position, &Radius, Option<&RenderLayers>), With<Disc>>,
    terrain: Query<(&Terrain, &Position, &Rotation, Option<&RenderLayers>)>,
) {
    let main = main_of(viewports.iter().map(|(entity, _, camera, _)| (entity, camera)));
    let began = started.read().filter(|started| !started.restart).count() > 0;
    let foot = scene.as_ref().map_or(0.0, |scene| scene.file.lesson.foot);
    for (entity, mut viewport, _, layers) in &mut viewports {
        let is_main = Some(entity) == main;
        let viewport = &mut *viewport;
        let frame = targets.frame(entity).unwrap_or(viewport.frame);
        viewport.set_frame(frame);
        (viewport.has_words, viewport.foot) = (is_main, if is_main { foot } else { 0.0 });
        if began {
            match scene.as_ref().map(|scene| scene.file.camera) {
                Some(SceneCamera::At { centre, height }) if is_main && viewport.bounds.is_none() && height > 0.0 => {
                    viewport.fit(Rect::from_center_half_size(centre, Vec2::new(0.0, height / 2.0)));
                }
                // A game's disc may stay, and be followed on.
                _ => viewport.fit_due = true,
            }
        }
        if viewport.fit_due {
            let layers = layers.unwrap_or_default();
            let sees = |its: Option<&RenderLayers>| layers.intersects(its.unwrap_or_default());
            let furniture = table.as_ref().filter(|_| sees(None)).map(|table| table.built.bounds());
            let furniture = furniture.map(|rails| tray.as_ref().map_or(rails, |tray| rails.union(tray.bounds)));
            let discs = discs.iter().filter(|(.., its)| sees(*its)).map(|(position, radius, _)| (position, radius));
            let terrain = terrain.iter().filter(|(.., its)| sees(*its)).map(|(it, at, turn, _)| (it, at, turn));
            if let Some(bounds) = viewport.bounds.or_else(|| bounds_of(*surroundings, furniture, discs, terrain)) {
                viewport.fit(bounds);
            }
        } else if let Some(bounds) = viewport.fitted
            && (viewport.area, viewport.margin()) != viewport.fitted_into
        {
            viewport.fit(bounds);
        }
    }
}

/// Keeps followed discs in the middle, exactly where they are drawn, so that they do not jitter.
pub(super) fn follow(mut viewports: Query<&mut Viewport>, discs: Query<&super::Drawn, With<Disc>>) {
    for mut viewport in &mut viewports {
        let Some(disc) = viewport.followed else { continue };
        match discs.get(disc) {
            Ok(drawn) if drawn.shown.is_finite() => {
                viewport.centre = drawn.shown;
                viewport.fitted = None;
            }
            _ => viewport.followed = None,
        }
    }
}

/// Moves Bevy's cameras to where their viewports look, for whatever else a game draws in metres.
pub(super) fn aim_cameras(mut cameras: Query<(&Viewport, &mut Transform, &mut Projection), With<ViewCamera>>) {
    for (viewport, mut transform, mut projection) in &mut cameras {
        let middle = viewport.to_world(viewport.frame.center()).extend(transform.translation.z);
        if transform.translation != middle {
            transform.translation = middle;
        }
        let scale = viewport.px(1.0);
        if let Projection::Orthographic(now) = projection.as_ref()
            && now.scale != scale
            && let Projection::Orthographic(lens) = projection.as_mut()
        {
            lens.scale = scale;
        }
    }
}

/// The main one of several viewports: that of the camera with the lowest order of those that are active, and of equal ones that of the first entity.
fn main_of<'a>(cameras: impl Iterator<Item = (Entity, Option<&'a Camera>)>) -> Option<Entity> {
    let key = |camera: Option<&Camera>| camera.map_or((false, 0), |camera| (!camera.is_active, camera.order));
    cameras.min_by_key(|&(entity, camera)| (key(camera), entity)).map(|(entity, _)| entity)
}

/// The main viewport: that of the [`ViewCamera`] with the lowest [`order`](Camera::order) of those that are active. Labels, notices and the panel belong to it.
/// Where there is no viewport it is [`Viewport::default`].
#[derive(SystemParam)]
pub struct MainViewport<'w, 's> {
    viewports: Viewports<'w, 's>,
    layers: Query<'w, 's, &'static RenderLayers>,
    none: Local<'s, Viewport>,
}

impl MainViewport<'_, '_> {
    /// The render layers that its camera sees.
    #[must_use]
    pub fn layers(&self) -> &RenderLayers {
        self.viewports.main().and_then(|(camera, _)| self.layers.get(camera).ok()).unwrap_or_default()
    }
}

impl Deref for MainViewport<'_, '_> {
    type Target = Viewport;

    fn deref(&self) -> &Viewport {
        self.viewports.main().map_or(&*self.none, |(_, viewport)| viewport)
    }
}

/// The [`MainViewport`], to be changed. Where there is none, changes are lost.
#[derive(SystemParam)]
pub struct MainViewportMut<'w, 's> {
    viewports: ViewportsMut<'w, 's>,
}

impl Deref for MainViewportMut<'_, '_> {
    type Target = Viewport;

    fn deref(&self) -> &Viewport {
        self.viewports.get(None)
    }
}

impl DerefMut for MainViewportMut<'_, '_> {
    fn deref_mut(&mut self) -> &mut Viewport {
        self.viewports.get_mut(None)
    }
}

/// All viewports, with their cameras.
#[derive(SystemParam)]
pub struct Viewports<'w, 's> {
    viewports: Query<'w, 's, (Entity, &'static Viewport, Option<&'static Camera>, Option<&'static RenderTarget>)>,
}

impl Viewports<'_, '_> {
    /// The main one and its camera: see [`MainViewport`].
    #[must_use]
    pub fn main(&self) -> Option<(Entity, &Viewport)> {
        let main = main_of(self.viewports.iter().map(|(entity, _, camera, _)| (entity, camera)))?;
        Some((main, self.get(main)?))
    }

    /// The viewport of a camera.
    #[must_use]
    pub fn get(&self, camera: Entity) -> Option<&Viewport> {
        self.viewports.get(camera).ok().map(|(_, viewport, ..)| viewport)
    }

    /// The uppermost camera that shows this point of the primary window, logical pixels, y down.
    #[must_use]
    pub fn at(&self, screen: Vec2) -> Option<Entity> {
        let in_window =
            |target: Option<&RenderTarget>| matches!(target, None | Some(RenderTarget::Window(WindowRef::Primary)));
        self.viewports
            .iter()
            .filter(|(_, viewport, camera, target)| {
                viewport.frame.contains(screen) && in_window(*target) && camera.is_none_or(|camera| camera.is_active)
            })
            .max_by_key(|(entity, _, camera, _)| (camera.map_or(0, |camera| camera.order), *entity))
            .map(|(entity, ..)| entity)
    }
}

/// All viewports, to be changed.
#[derive(SystemParam)]
pub struct ViewportsMut<'w, 's> {
    viewports: Query<'w, 's, (Entity, &'static mut Viewport, Option<&'static Camera>)>,
    none: Local<'s, Viewport>,
}

impl ViewportsMut<'_, '_> {
    fn or_main(&self, camera: Option<Entity>) -> Option<Entity> {
        camera
            .filter(|camera| self.viewports.contains(*camera))
            .or_else(|| main_of(self.viewports.iter().map(|(entity, _, camera)| (entity, camera))))
    }

    /// The viewport of a camera, or the main one; where there is none, a default one that nobody sees.
    #[must_use]
    pub fn get(&self, camera: Option<Entity>) -> &Viewport {
        let found = self.or_main(camera).and_then(|camera| self.viewports.get(camera).ok());
        found.map_or(&*self.none, |(_, viewport, _)| viewport)
    }

    /// The same, to be changed.
    pub fn get_mut(&mut self, camera: Option<Entity>) -> &mut Viewport {
        match self.or_main(camera).and_then(|camera| self.viewports.get_mut(camera).ok()) {
            Some((_, viewport, _)) => viewport.into_inner(),
            None => &mut self.none,
        }
    }
}

/// The [`MainViewport`] of a world; none where there is no viewport.
pub fn main_viewport(world: &mut World) -> Option<Mut<'_, Viewport>> {
    let mut viewports = world.query_filtered::<(Entity, Option<&Camera>), With<Viewport>>();
    let main = main_of(viewports.iter(world))?;
    world.get_mut(main)
}

/// The smallest rectangle around all discs and terrain, frames and rails included, and around a drawn table and its tray. None where there is nothing.
fn bounds_of<'a>(
    surroundings: Surroundings,
    furniture: Option<Rect>,
    discs: impl Iterator<Item = (&'a Position, &'a Radius)>,
    terrain: impl Iterator<Item = (&'a Terrain, &'a Position, &'a Rotation)>,
) -> Option<Rect> {
    let mut bounds = furniture;
    let mut add = |centre: Vec2, half: f32| {
        if centre.is_finite() && half.is_finite() {
            let rect = Rect::from_center_half_size(centre, Vec2::splat(half.max(0.0)));
            bounds = Some(bounds.map_or(rect, |all| all.union(rect)));
        }
    };
    let mut arena = furniture.is_some();
    for (piece, position, rotation) in terrain {
        let frame = match piece {
            Terrain::Circle { radius } => {
                add(position.0, *radius);
                continue;
            }
            Terrain::Arena { half_size } => {
                arena = true;
                super::terrain::frame_width(surroundings, *half_size)
            }
            _ => 0.0,
        };
        for point in piece.outline().0 {
            add(position.0 + rotation.turn(point), frame);
        }
    }
    for (position, radius) in discs {
        // A disc that has left its arena does not shrink everybody else to dots.
        if !arena {
            add(position.0, radius.0);
        }
    }
    bounds
}

#[cfg(test)]
mod tests {
    use super::*;

    fn viewport() -> Viewport {
        Viewport { area: Rect::new(0.0, 0.0, 900.0, 700.0), ..Viewport::default() }
    }

    #[test]
    fn to_screen_undoes_to_world() {
        let mut viewport = viewport();
        viewport.centre = Vec2::new(3.0, -2.0);
        viewport.pixels_per_metre = 37.0;
        for point in [Vec2::ZERO, Vec2::new(12.0, 650.0), Vec2::new(-40.0, 3.5)] {
            let back = viewport.to_screen(viewport.to_world(point));
            assert!(back.distance(point) < 1e-3, "{point} became {back}");
        }
    }

    #[test]
    fn up_in_the_world_is_up_in_the_window() {
        let viewport = viewport();
        assert!(viewport.to_screen(viewport.centre + Vec2::Y).y < viewport.to_screen(viewport.centre).y);
    }

    #[test]
    fn zooming_keeps_the_point_under_the_pointer() {
        let mut viewport = viewport();
        let pointer = Vec2::new(120.0, 530.0);
        let held = viewport.to_world(pointer);
        viewport.zoom_at(pointer, 3.7);
        assert!(viewport.to_world(pointer).distance(held) < 1e-4);
        viewport.zoom_at(pointer, 1e30);
        assert!(viewport.pixels_per_metre <= *ZOOM.end() && viewport.centre.is_finite());
    }

    #[test]
    fn panning_moves_the_picture_with_the_pointer() {
        let mut viewport = viewport();
        let grabbed = viewport.to_world(Vec2::new(200.0, 200.0));
        viewport.pan(Vec2::new(30.0, -45.0));
        assert!(viewport.to_world(Vec2::new(230.0, 155.0)).distance(grabbed) < 1e-4);
        viewport.followed = Some(Entity::PLACEHOLDER);
        viewport.pan(Vec2::X);
        assert_eq!(viewport.followed, None);
    }

    #[test]
    fn what_is_fitted_lies_inside_of_the_free_area() {
        for area in [
            Rect::new(0.0, 0.0, 900.0, 700.0),
            Rect::new(0.0, 0.0, 300.0, 1200.0),
            Rect::new(50.0, 20.0, 2000.0, 400.0),
        ] {
            let mut viewport = Viewport { area, ..Viewport::default() };
            let bounds = Rect::new(-5.0, 2.0, 8.0, 4.5);
            viewport.fit(bounds);
            let (a, b) = (viewport.to_screen(bounds.min), viewport.to_screen(bounds.max));
            let shown = Rect::from_corners(a, b);
            assert!(area.contains(shown.min) && area.contains(shown.max), "{shown:?} sticks out of {area:?}");
            assert!(shown.width() > 0.5 * area.width() || shown.height() > 0.5 * area.height());
        }
    }

    #[test]
    fn what_is_fitted_keeps_clear_of_the_words_above_and_below() {
        let bounds = Rect::new(-1.0, -1.0, 1.0, 1.0);
        let area = Rect::new(0.0, 0.0, 440.0, 600.0);
        let mut viewport = Viewport { area, title: 130.0, foot: 148.0, ..Viewport::default() };
        viewport.fit(bounds);
        let (top, bottom) = (viewport.to_screen(bounds.max).y, viewport.to_screen(bounds.min).y);
        assert!(top >= 129.9 && bottom <= 600.0 - 147.9, "{top} to {bottom}");
    }

    #[test]
    fn zooming_ends_before_the_scene_is_lost_and_where_nothing_more_is_to_be_seen() {
        let mut viewport = viewport();
        viewport.fit(Rect::new(-1.27, -0.635, 1.27, 0.635));
        let fitted = viewport.pixels_per_metre;
        let middle = viewport.middle();
        for _ in 0..100 {
            viewport.zoom_at(middle, 0.5);
        }
        assert_eq!(viewport.pixels_per_metre, fitted / 20.0);
        for _ in 0..100 {
            viewport.zoom_at(middle, 2.0);
        }
        assert_eq!(viewport.px(1.0), 1e-5);
    }

    #[test]
    fn nonsense_changes_nothing() {
        let mut viewport = viewport();
        let before = viewport.clone();
        viewport.zoom_at(Vec2::NAN, 2.0);
        viewport.zoom_at(Vec2::ONE, 0.0);
        viewport.pan(Vec2::INFINITY);
        assert_eq!(viewport, before);
    }
}
