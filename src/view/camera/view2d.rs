//! The view of a camera: the part of the world that it shows, and its scale.
//!
//! Drawing happens on a sheet on which the world's up is up. The whole sheet may be turned by a quarter before display.
//!
//! The mapping between metres (y up) and logical pixels of the window (y down, from its top left corner) is plain
//! arithmetic. The panel may cover a part of the camera's area, so a view is centred on the rest.

use bevy::prelude::*;

/// The part of the world that a camera shows: pan, zoom, and the conversion between metres and pixels. Every
/// [`ViewCamera`](crate::view::ViewCamera) has one, and [`Views`](crate::view::Views) finds them. The camera's place in
/// the window is set by Bevy's [`Viewport`](bevy::camera::Viewport).
#[derive(Component, Reflect, Clone, Debug, PartialEq)]
#[reflect(Component, Default, Debug, PartialEq)]
#[require(Shake)]
pub struct View2d {
    /// The point at the centre of the free area, metres. Default: the origin, until the first frame fits everything.
    pub centre: Vec2,
    /// The scale, logical pixels per metre. Default: 100, until everything is fitted.
    pub pixels_per_metre: f32,
    /// The uncovered part of the camera's area, logical pixels, y down. It is updated once per frame from
    /// [`Insets`](crate::view::Insets).
    pub area: Rect,
    /// The disc that stays exactly at the centre, as drawn. Default: `None`.
    pub followed: Option<Entity>,
    /// The area of the window that the camera fills, logical pixels, y down.
    pub(crate) frame: Rect,
    /// The part of the world to fit, or `None` for everything.
    pub(crate) bounds: Option<Rect>,
    /// Whether fitting may turn the view.
    pub(crate) may_turn: bool,
    /// Whether the view is turned by a quarter.
    turned: bool,
    /// The current displacement by a shake, logical pixels, y up.
    pub(crate) shaken: Vec2,
    /// Whether it keeps showing the fitted part.
    pub(crate) framing: Framing,
    /// The last fitted part, whatever the user has done since.
    home: Option<Rect>,
    /// The last scale at which the scene was fitted.
    fitted_scale: f32,
    /// The heights of the text at the top and at the bottom of the area, logical pixels, in the main view. `None` in
    /// other views, which reserve no room for text.
    pub(crate) words: Option<[f32; 2]>,
}

/// Whether a view keeps showing the last fitted part.
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
pub(crate) enum Framing {
    /// It will be fitted as soon as the bounds of the scene are known.
    Due,
    /// It was fitted into this area with these margins, and will be refitted when they change.
    Fitted(Rect, Margin),
    /// The person has moved it, or it follows a disc.
    Free,
}

/// The range of scales for which the computations work, logical pixels per metre.
const ZOOM: std::ops::RangeInclusive<f32> = 1e-4..=1e6;
/// The limit of zooming out, as a factor on the fitted scale. Beyond it there is only blank cloth.
const FARTHEST: f32 = 20.0;
/// The limit of zooming in: a logical pixel per hundredth of a millimetre, or this factor on the fitted scale if that
/// is more.
const CLOSEST: (f32, f32) = (1e5, 20.0);

/// The smallest gain in scale for which a fitted table is turned.
const WORTH_TURNING: f32 = 1.2;

impl Default for View2d {
    fn default() -> Self {
        let window = Rect::new(0.0, 0.0, 1280.0, 800.0);
        Self {
            centre: Vec2::ZERO,
            pixels_per_metre: 100.0,
            area: window,
            followed: None,
            frame: window,
            bounds: None,
            may_turn: false,
            turned: false,
            shaken: Vec2::ZERO,
            framing: Framing::Due,
            home: None,
            fitted_scale: 100.0,
            words: Some([0.0; 2]),
        }
    }
}

impl View2d {
    /// A view that shows this part of the world (metres) instead of everything, as large as the camera's area allows.
    #[must_use]
    pub fn showing(bounds: Rect) -> Self {
        Self { bounds: Some(bounds), ..Self::default() }
    }

    /// Keeps this disc at the centre. The fitted part gives the scale.
    #[must_use]
    pub fn following(self, disc: Entity) -> Self {
        Self { followed: Some(disc), ..self }
    }

    /// Converts a point of the window (logical pixels, y down) to the world (metres).
    #[must_use]
    pub fn to_world(&self, screen: Vec2) -> Vec2 {
        self.centre + self.in_world(screen - self.middle()) / self.pixels_per_metre
    }

    /// Converts a point of the world (metres) to the window (logical pixels, y down).
    #[must_use]
    pub fn to_screen(&self, world: Vec2) -> Vec2 {
        self.middle() + self.in_window(world - self.centre) * self.pixels_per_metre
    }

    /// Whether the view is turned by a quarter counter-clockwise, so that the world's right is at the top. This happens
    /// to a wide billiard table in a tall window that shows it clearly larger this way
    /// ([`ViewSettings::turn_tables`](crate::view::ViewSettings::turn_tables)).
    #[must_use]
    pub fn is_turned(&self) -> bool {
        self.turned
    }

    /// Converts the direction of a window vector (y down) to the world (y up), keeping its length.
    #[must_use]
    pub fn in_world(&self, way: Vec2) -> Vec2 {
        if self.turned { Vec2::new(-way.y, -way.x) } else { Vec2::new(way.x, -way.y) }
    }

    /// Converts the direction of a world vector (y up) to the window (y down), keeping its length.
    #[must_use]
    pub fn in_window(&self, way: Vec2) -> Vec2 {
        if self.turned { Vec2::new(-way.y, -way.x) } else { Vec2::new(way.x, -way.y) }
    }

    /// The window position of the centre: the middle of the free area plus the shake. Logical pixels, y down.
    fn middle(&self) -> Vec2 {
        self.area.center() + self.shaken * Vec2::new(1.0, -1.0)
    }

    /// Converts a point of the world (metres) to the sheet, which is turned as a whole later: logical pixels from the
    /// centre of the camera's area, y up.
    #[must_use]
    pub(crate) fn to_sheet(&self, world: Vec2) -> Vec2 {
        (world - self.centre) * self.pixels_per_metre + self.middle_of_sheet()
    }

    /// The position of the centre on the sheet.
    pub(crate) fn middle_of_sheet(&self) -> Vec2 {
        self.in_world(self.middle() - self.frame.center())
    }

    /// Half of the width and half of the height of the sheet, logical pixels.
    pub(crate) fn half_sheet(&self) -> Vec2 {
        self.lying(self.frame.half_size())
    }

    /// Converts a width and a height from the window to the world, or the reverse.
    pub(crate) fn lying(&self, size: Vec2) -> Vec2 {
        lying(self.turned, size)
    }

    /// The length of this many logical pixels in metres, for widths that do not depend on the zoom.
    #[must_use]
    pub fn px(&self, pixels: f32) -> f32 {
        pixels / self.pixels_per_metre
    }

    /// Shows this part of the world (metres) as large as the free area allows, with room for the title and the hints.
    /// It is refitted when the area changes, until the person moves the view. A billiard table is turned if it is shown
    /// clearly larger that way.
    pub fn fit(&mut self, bounds: Rect) {
        let margin = self.margin();
        self.framing = if self.home.is_some() { Framing::Fitted(self.area, margin) } else { Framing::Free };
        let size = self.area.size();
        let finite = bounds.min.is_finite() && bounds.max.is_finite();
        if size.min_element() < 1.0 || !finite {
            return;
        }
        let scale;
        (self.turned, scale) = self.best_fit(bounds);
        self.pixels_per_metre = scale.clamp(*ZOOM.start(), *ZOOM.end());
        // The middle of the room, not of the area, shows the centre of the bounds.
        let lift = (margin.top - margin.bottom) / 2.0;
        self.centre = bounds.center() + self.in_world(Vec2::new(0.0, -self.px(lift)));
        (self.home, self.framing) = (Some(bounds), Framing::Fitted(self.area, margin));
        self.fitted_scale = self.pixels_per_metre;
    }

    /// Refits the view if its room has changed and the person has not moved it.
    pub(crate) fn refit(&mut self) {
        if let (Framing::Fitted(area, margin), Some(home)) = (self.framing, self.home)
            && (area, margin) != (self.area, self.margin())
        {
            self.fit(home);
        }
    }

    /// Stops refitting. A pending first fit stays pending.
    pub(crate) fn set_free(&mut self) {
        if self.framing != Framing::Due {
            self.framing = Framing::Free;
        }
    }

    /// Whether to turn the view to show this part of the world (metres), and the resulting scale.
    fn best_fit(&self, bounds: Rect) -> (bool, f32) {
        let margin = self.margin();
        let room = self.area.size() - Vec2::new(2.0 * margin.side, margin.top + margin.bottom);
        let (room, extent) = (room.max(Vec2::splat(1.0)), bounds.size().max(Vec2::splat(1e-6)));
        let [straight, turned] = [false, true].map(|turned| (room / lying(turned, extent)).min_element());
        let is_turned = self.may_turn && turned > WORTH_TURNING * straight;
        (is_turned, if is_turned { turned } else { straight })
    }

    /// Turns the view as a fit would, around its centre and without changing the scale.
    pub(crate) fn turn_as_fitted(&mut self) {
        if let Some(home) = self.home {
            self.turned = self.best_fit(home).0;
        }
    }

    /// The free strips around the fitted part of the world. Words above and below get the room that they need, up to a
    /// third of the area each.
    pub(crate) fn margin(&self) -> Margin {
        let size = self.area.size();
        let Margin { side, top, bottom } = Margin::of(size);
        let Some([above, below]) = self.words else { return Margin { side, top: side, bottom: side } };
        let words = |height: f32, least: f32| height.min(size.y / 3.0).max(least);
        Margin { side, top: words(above, top), bottom: words(below, bottom) }
    }

    /// Makes the camera's whole area show this part of the world (metres) at this scale (logical pixels per metre),
    /// ignoring overlays.
    pub(crate) fn lie_over(&mut self, part: Rect, pixels_per_metre: f32) {
        (self.may_turn, self.turned) = (false, false);
        let free = self.in_world(self.area.center() - self.frame.center());
        self.pixels_per_metre = pixels_per_metre;
        self.centre = part.center() + free / pixels_per_metre;
        (self.framing, self.home, self.followed) = (Framing::Free, None, None);
    }

    /// The range of scales for zooming, logical pixels per metre. It includes the current scale.
    fn zoom_range(&self) -> std::ops::RangeInclusive<f32> {
        let farthest = (self.fitted_scale / FARTHEST).min(self.pixels_per_metre).max(*ZOOM.start());
        let closest = CLOSEST.0.max(self.fitted_scale * CLOSEST.1).max(self.pixels_per_metre).min(*ZOOM.end());
        farthest..=closest
    }

    /// Whether the last fitted part has been moved completely out of the free area. It is never true while a disc is
    /// followed.
    #[must_use]
    pub fn is_out_of_sight(&self) -> bool {
        /// A visible part smaller than this does not count, logical pixels.
        const LEAST: f32 = 12.0;
        let Some(home) = self.home.filter(|_| self.followed.is_none() && self.framing != Framing::Due) else {
            return false;
        };
        let home = Rect::from_corners(self.to_screen(home.min), self.to_screen(home.max));
        // `Rect` has no negative sizes.
        let seen = (home.max.min(self.area.max) - home.min.max(self.area.min)).min_element();
        seen < LEAST.min(home.size().min_element())
    }

    /// Whether a person has moved or zoomed it since it was fitted. It is never true while a disc is followed.
    #[must_use]
    pub fn is_moved(&self) -> bool {
        self.home.is_some() && self.framing == Framing::Free && self.followed.is_none()
    }

    /// Requests a fit of everything (or of [`Self::showing`]) in the next frame. Stops following.
    pub fn request_fit(&mut self) {
        self.framing = Framing::Due;
        self.followed = None;
    }

    /// Zooms by a factor (more than 1: closer) around the point `screen` (logical pixels).
    pub fn zoom_at(&mut self, screen: Vec2, factor: f32) {
        if !(factor > 0.0 && factor.is_finite() && screen.is_finite()) {
            return;
        }
        let held = self.to_world(screen);
        let range = self.zoom_range();
        self.pixels_per_metre = (self.pixels_per_metre * factor).clamp(*range.start(), *range.end());
        self.centre += held - self.to_world(screen);
        self.set_free();
    }

    /// Moves the view by this many logical pixels (y down), like a drag. Stops following.
    pub fn pan(&mut self, screen_delta: Vec2) {
        if !screen_delta.is_finite() {
            return;
        }
        self.centre -= self.in_world(screen_delta) / self.pixels_per_metre;
        self.set_free();
        self.followed = None;
    }

    /// The area of the window that the camera fills, logical pixels, y down.
    #[must_use]
    pub fn frame(&self) -> Rect {
        self.frame
    }

    /// The part of the world (metres) that the camera shows, including what the panel covers.
    #[must_use]
    pub fn frame_in_world(&self) -> Rect {
        Rect::from_corners(self.to_world(self.frame.min), self.to_world(self.frame.max))
    }

    /// Sets the camera's area of the window, logical pixels, y down. Cameras set it themselves; call it where there is
    /// no camera, such as in tests. An area too small to show anything is ignored.
    pub fn set_frame(&mut self, frame: Rect) {
        self.lay_out(frame, frame);
    }

    /// Sets the camera's area and its free part. If hardly anything is free, the whole area counts as free.
    pub(crate) fn lay_out(&mut self, frame: Rect, free: Rect) {
        if frame.size().min_element() >= 1.0 {
            self.frame = frame;
            self.area = if free.size().min_element() >= 1.0 { free } else { frame };
        }
    }
}

/// A width and a height, swapped after a quarter turn.
fn lying(turned: bool, size: Vec2) -> Vec2 {
    if turned { size.yx() } else { size }
}

/// The margins around the fitted part, logical pixels.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Margin {
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

/// The current shake of a view.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Shake {
    /// Logical pixels, y up.
    pub(super) offset: Vec2,
    /// Logical pixels per second.
    pub(super) speed: Vec2,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view() -> View2d {
        View2d { area: Rect::new(0.0, 0.0, 900.0, 700.0), ..View2d::default() }
    }

    #[test]
    fn to_screen_undoes_to_world() {
        let mut view = view();
        view.centre = Vec2::new(3.0, -2.0);
        view.pixels_per_metre = 37.0;
        for point in [Vec2::ZERO, Vec2::new(12.0, 650.0), Vec2::new(-40.0, 3.5)] {
            let back = view.to_screen(view.to_world(point));
            assert!(back.distance(point) < 1e-3, "{point} became {back}");
        }
    }

    #[test]
    fn up_in_the_world_is_up_in_the_window() {
        let view = view();
        assert!(view.to_screen(view.centre + Vec2::Y).y < view.to_screen(view.centre).y);
    }

    #[test]
    fn zooming_keeps_the_point_under_the_pointer() {
        let mut view = view();
        let pointer = Vec2::new(120.0, 530.0);
        let held = view.to_world(pointer);
        view.zoom_at(pointer, 3.7);
        assert!(view.to_world(pointer).distance(held) < 1e-4);
        view.zoom_at(pointer, 1e30);
        assert!(view.pixels_per_metre <= *ZOOM.end() && view.centre.is_finite());
    }

    #[test]
    fn panning_moves_the_view_with_the_pointer() {
        let mut view = view();
        let grabbed = view.to_world(Vec2::new(200.0, 200.0));
        view.pan(Vec2::new(30.0, -45.0));
        assert!(view.to_world(Vec2::new(230.0, 155.0)).distance(grabbed) < 1e-4);
        view.followed = Some(Entity::PLACEHOLDER);
        view.pan(Vec2::X);
        assert_eq!(view.followed, None);
    }

    #[test]
    fn what_is_fitted_lies_inside_of_the_free_area() {
        for area in [
            Rect::new(0.0, 0.0, 900.0, 700.0),
            Rect::new(0.0, 0.0, 300.0, 1200.0),
            Rect::new(50.0, 20.0, 2000.0, 400.0),
        ] {
            let mut view = View2d { area, ..View2d::default() };
            let bounds = Rect::new(-5.0, 2.0, 8.0, 4.5);
            view.fit(bounds);
            let (a, b) = (view.to_screen(bounds.min), view.to_screen(bounds.max));
            let shown = Rect::from_corners(a, b);
            assert!(area.contains(shown.min) && area.contains(shown.max), "{shown:?} sticks out of {area:?}");
            assert!(shown.width() > 0.5 * area.width() || shown.height() > 0.5 * area.height());
        }
    }

    #[test]
    fn a_table_is_turned_where_it_is_larger_so() {
        let table = Rect::new(-1.42, -0.8, 1.42, 0.8);
        let fitted = |area: Vec2, may_turn: bool| {
            let mut view = View2d { may_turn, ..View2d::default() };
            view.set_frame(Rect::from_corners(Vec2::ZERO, area));
            view.fit(table);
            view
        };
        let phone = vec2(412.0, 860.0);
        let (across, along) = (fitted(phone, false), fitted(phone, true));
        assert!(along.is_turned() && !across.is_turned());
        assert!(along.pixels_per_metre > 1.5 * across.pixels_per_metre);
        for window in [vec2(1280.0, 800.0), vec2(860.0, 412.0), vec2(600.0, 620.0)] {
            assert!(!fitted(window, true).is_turned(), "{window}");
        }
        // The cue ball, on the left of a wide table, is at the bottom. The former top is on the left.
        let [foot, head] = [vec2(-0.7, 0.0), vec2(0.7, 0.0)].map(|at| along.to_screen(at));
        assert!(foot.y > head.y + 100.0 && (foot.x - head.x).abs() < 1e-3, "{foot} {head}");
        assert!(along.to_screen(vec2(0.0, 0.5)).x < along.to_screen(Vec2::ZERO).x);
        let corners = [table.min, table.max].map(|corner| along.to_screen(corner));
        let seen = Rect::from_corners(corners[0], corners[1]);
        assert!(along.area.contains(seen.min) && along.area.contains(seen.max), "{seen:?}");
        assert!(!along.is_out_of_sight());
    }

    #[test]
    fn a_turned_view_is_dragged_and_zoomed_like_another() {
        let mut view = View2d { may_turn: true, ..View2d::default() };
        view.set_frame(Rect::new(0.0, 0.0, 412.0, 860.0));
        view.fit(Rect::new(-1.42, -0.8, 1.42, 0.8));
        for point in [vec2(10.0, 20.0), vec2(400.0, 777.0)] {
            assert!(view.to_screen(view.to_world(point)).distance(point) < 1e-3);
        }
        let held = view.to_world(vec2(120.0, 530.0));
        view.zoom_at(vec2(120.0, 530.0), 3.0);
        assert!(view.to_world(vec2(120.0, 530.0)).distance(held) < 1e-5);
        view.pan(vec2(30.0, -45.0));
        assert!(view.to_world(vec2(150.0, 485.0)).distance(held) < 1e-5);
        // The sheet is turned as a whole.
        let at = vec2(0.3, -0.2);
        let sheet = view.to_sheet(at);
        let in_frame = (view.to_screen(at) - view.frame.center()) * vec2(1.0, -1.0);
        assert!(in_frame.distance(vec2(-sheet.y, sheet.x)) < 1e-3, "{in_frame} {sheet}");
        assert_eq!(view.half_sheet(), vec2(430.0, 206.0));
        // A phone in the other orientation shows the same centre.
        let (centre, scale) = (view.centre, view.pixels_per_metre);
        view.set_frame(Rect::new(0.0, 0.0, 860.0, 412.0));
        view.turn_as_fitted();
        assert!(!view.is_turned() && view.is_moved());
        assert_eq!((view.centre, view.pixels_per_metre), (centre, scale));
        assert!(view.to_screen(centre).distance(vec2(430.0, 206.0)) < 1e-3);
        view.set_frame(Rect::new(0.0, 0.0, 412.0, 860.0));
        view.turn_as_fitted();
        assert!(view.is_turned());
    }

    #[test]
    fn a_view_is_moved_until_it_is_fitted_again() {
        let mut view = view();
        assert!(!view.is_moved(), "nothing was fitted");
        let bounds = Rect::new(-1.0, -1.0, 1.0, 1.0);
        view.fit(bounds);
        assert!(!view.is_moved());
        view.pan(Vec2::X);
        assert!(view.is_moved());
        view.request_fit();
        assert!(!view.is_moved(), "it is about to be fitted");
        view.fit(bounds);
        view.zoom_at(Vec2::splat(100.0), 1.5);
        assert!(view.is_moved());
        view.followed = Some(Entity::PLACEHOLDER);
        assert!(!view.is_moved());
    }

    #[test]
    fn what_is_fitted_keeps_clear_of_the_words_above_and_below() {
        let bounds = Rect::new(-1.0, -1.0, 1.0, 1.0);
        let area = Rect::new(0.0, 0.0, 440.0, 600.0);
        let mut view = View2d { area, words: Some([130.0, 148.0]), ..View2d::default() };
        view.fit(bounds);
        let (top, bottom) = (view.to_screen(bounds.max).y, view.to_screen(bounds.min).y);
        assert!(top >= 129.9 && bottom <= 600.0 - 147.9, "{top} to {bottom}");
    }

    #[test]
    fn zooming_ends_before_the_scene_is_lost_and_where_nothing_more_is_to_be_seen() {
        let mut view = view();
        view.fit(Rect::new(-1.27, -0.635, 1.27, 0.635));
        let fitted = view.pixels_per_metre;
        let middle = view.middle();
        for _ in 0..100 {
            view.zoom_at(middle, 0.5);
        }
        assert_eq!(view.pixels_per_metre, fitted / 20.0);
        for _ in 0..100 {
            view.zoom_at(middle, 2.0);
        }
        assert_eq!(view.px(1.0), 1e-5);
    }

    #[test]
    fn what_was_fitted_is_out_of_sight_once_nothing_of_it_is_in_the_free_area() {
        let mut view = view();
        assert!(!view.is_out_of_sight(), "nothing was fitted");
        view.fit(Rect::new(-1.27, -0.635, 1.27, 0.635));
        for step in [Vec2::new(870.0, 0.0), Vec2::new(0.0, 600.0), Vec2::new(-1500.0, -1200.0)] {
            assert!(!view.is_out_of_sight());
            view.pan(step);
            assert!(view.is_out_of_sight(), "moved by {step}");
            view.pan(-step);
        }
        view.zoom_at(view.middle(), 1e-6);
        assert!(!view.is_out_of_sight(), "it is small, and in sight");
        view.fit(Rect::new(-1.27, -0.635, 1.27, 0.635));
        view.zoom_at(view.middle(), 1e6);
        assert!(!view.is_out_of_sight(), "a part of it fills the view");
        view.pan(Vec2::new(1e9, 0.0));
        assert!(view.is_out_of_sight());
        view.followed = Some(Entity::PLACEHOLDER);
        assert!(!view.is_out_of_sight());
        view.request_fit();
        assert!(!view.is_out_of_sight(), "it is on its way back");
    }

    #[test]
    fn nonsense_changes_nothing() {
        let mut view = view();
        let before = view.clone();
        view.zoom_at(Vec2::NAN, 2.0);
        view.zoom_at(Vec2::ONE, 0.0);
        view.pan(Vec2::INFINITY);
        assert_eq!(view, before);
    }
}
