//! The viewport: which part of the world the window shows, and at what scale.
//!
//! It is plain arithmetic between metres (y up) and logical pixels of the window (y down, from its top left corner). The
//! part of the window that the panel covers is not seen, so the viewport looks through the middle of what is left.

use bevy::{
    prelude::*,
    window::{PrimaryWindow, Window},
};

use crate::{
    disc::{Disc, Position, Radius},
    scene::{Camera as SceneCamera, CurrentScene, DrawnTable, Lesson, SceneStarted, Surroundings},
    terrain::{Rotation, Terrain},
};

/// What the window shows of the world.
#[derive(Resource, Reflect, Clone, Debug, PartialEq)]
#[reflect(Resource)]
pub struct Viewport {
    /// The point in the middle of the free area, metres.
    pub centre: Vec2,
    /// The scale: logical pixels per metre.
    pub pixels_per_metre: f32,
    /// The part of the window that nothing covers, logical pixels, y down. The panel keeps it up to date.
    pub area: Rect,
    /// The size of the window, logical pixels.
    window: Vec2,
    /// How far a hard hit has moved the picture for the moment, logical pixels, y up.
    pub(super) jolt: Vec2,
    /// A fit is due as soon as the bounds of the scene are known.
    fit_due: bool,
    /// What was fitted last; none once the person has moved the view. It is fitted again when the window changes.
    fitted: Option<Rect>,
    /// The area and the margins that were fitted last.
    fitted_into: (Rect, Margin),
    /// The scale at which the scene was fitted last.
    fitted_scale: f32,
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
        let window = Vec2::new(1280.0, 800.0);
        Self {
            centre: Vec2::ZERO,
            pixels_per_metre: 100.0,
            area: Rect::from_corners(Vec2::ZERO, window),
            window,
            jolt: Vec2::ZERO,
            fit_due: true,
            fitted: None,
            fitted_into: (Rect::default(), Margin::default()),
            fitted_scale: 100.0,
            title: 0.0,
            foot: 0.0,
        }
    }
}

impl Viewport {
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

    /// Where the window shows the centre: in the middle of the free area, but for a jolt. Logical pixels, y down.
    pub(super) fn middle(&self) -> Vec2 {
        self.area.center() + self.jolt * Vec2::new(1.0, -1.0)
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
        let words = |height: f32, least: f32| height.min(size.y / 3.0).max(least);
        Margin { side, top: words(self.title, top), bottom: words(self.foot, bottom) }
    }

    /// The scales within which zooming stays, logical pixels per metre. One that was farther off or closer may stay so.
    fn zoom_range(&self) -> std::ops::RangeInclusive<f32> {
        let farthest = (self.fitted_scale / FARTHEST).min(self.pixels_per_metre).max(*ZOOM.start());
        let closest = CLOSEST.0.max(self.fitted_scale * CLOSEST.1).max(self.pixels_per_metre).min(*ZOOM.end());
        farthest..=closest
    }

    /// Asks for everything to be fitted into the free area with the next picture.
    pub fn request_fit(&mut self) {
        self.fit_due = true;
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

    /// Moves the picture by this many logical pixels (y down), as if it were dragged.
    pub fn pan(&mut self, screen_delta: Vec2) {
        if !screen_delta.is_finite() {
            return;
        }
        self.centre -= screen_delta * Vec2::new(1.0, -1.0) / self.pixels_per_metre;
        self.fitted = None;
    }

    /// The part of the world (metres) that the whole window shows, the part behind the panel included.
    #[must_use]
    pub fn window_in_world(&self) -> Rect {
        Rect::from_corners(self.to_world(Vec2::ZERO), self.to_world(self.window))
    }

    /// The size of the window, logical pixels.
    #[must_use]
    pub fn window_size(&self) -> Vec2 {
        self.window
    }

    /// Looks at an image of this size instead of a window, logical pixels, and fits the scene into it.
    pub fn set_window(&mut self, size: Vec2) {
        self.see_window(size);
        self.area = Rect::from_corners(Vec2::ZERO, self.window);
        self.request_fit();
    }

    /// Takes note of the size of the window. An area that was the whole window stays the whole window.
    fn see_window(&mut self, size: Vec2) {
        if size == self.window || size.min_element() < 1.0 {
            return;
        }
        if self.area == Rect::from_corners(Vec2::ZERO, self.window) {
            self.area = Rect::from_corners(Vec2::ZERO, size);
        }
        self.window = size;
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

/// Fits the viewport where that is due, and moves Bevy's camera to where the viewport looks.
pub(super) fn settle_viewport(
    mut viewport: ResMut<Viewport>,
    window: Option<Single<&Window, With<PrimaryWindow>>>,
    mut started: MessageReader<SceneStarted>,
    (scene, surroundings): (Option<Res<CurrentScene>>, Res<Surroundings>),
    (table, tray): (Option<Res<DrawnTable>>, Option<Res<super::fallen::Tray>>),
    discs: Query<(&Position, &Radius), With<Disc>>,
    terrain: Query<(&Terrain, &Position, &Rotation)>,
) {
    if let Some(window) = window {
        let size = window.size();
        if size != viewport.window {
            viewport.see_window(size);
        }
    }
    let camera = scene.as_ref().map(|scene| scene.file.camera);
    let foot = super::lessons::foot(scene.as_ref().map_or(Lesson::None, |scene| scene.file.lesson));
    if viewport.foot != foot {
        viewport.foot = foot;
    }
    if started.read().filter(|started| !started.restart).count() > 0 {
        match camera {
            Some(SceneCamera::At { centre, height }) if height > 0.0 => {
                viewport.fit(Rect::from_center_half_size(centre, Vec2::new(0.0, height / 2.0)));
            }
            _ => viewport.request_fit(),
        }
    }
    if viewport.fit_due {
        let furniture = table.map(|table| table.built.bounds());
        let furniture = furniture.map(|rails| tray.map_or(rails, |tray| rails.union(tray.bounds)));
        if let Some(bounds) = bounds_of(*surroundings, furniture, discs.iter(), terrain.iter()) {
            viewport.fit(bounds);
        }
    } else if let Some(bounds) = viewport.fitted
        && (viewport.area, viewport.margin()) != viewport.fitted_into
    {
        viewport.fit(bounds);
    }
}

/// The disc that the viewport follows, if any.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Followed(pub Option<Entity>);

/// Keeps the followed disc in the middle, exactly where it is drawn, so that it does not jitter.
pub(super) fn follow(
    mut viewport: ResMut<Viewport>,
    mut followed: ResMut<Followed>,
    discs: Query<&super::Drawn, With<Disc>>,
) {
    let Some(disc) = followed.0 else { return };
    match discs.get(disc) {
        Ok(drawn) if drawn.shown.is_finite() => {
            viewport.centre = drawn.shown;
            viewport.fitted = None;
        }
        _ => followed.0 = None,
    }
}

/// Moves Bevy's camera to where the viewport looks, for whatever else a game draws in metres.
pub(super) fn aim_camera(
    viewport: Res<Viewport>,
    camera: Option<Single<(&mut Transform, &mut Projection), With<super::ViewCamera>>>,
) {
    let Some(camera) = camera else { return };
    let (mut transform, mut projection) = camera.into_inner();
    let middle = viewport.to_world(viewport.window / 2.0).extend(transform.translation.z);
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
