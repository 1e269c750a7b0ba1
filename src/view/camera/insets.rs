//! The room that overlays take from the views below them. Each overlay registers its size, and [`View2d`] fits its
//! content into the rest.
//!
//! [`View2d`]: crate::view::View2d

use std::collections::BTreeMap;

use bevy::prelude::*;

/// The room that overlays take from views, logical pixels. A panel covers a part of its window, and all views in that
/// window use the rest. Text over the [main view](crate::view::Views) lies on its free area, and fitted content
/// stays clear of it.
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::view::Insets;
/// fn write_score(mut insets: ResMut<Insets>) {
///     // A line at the foot of the view.
///     insets.set_words("score", [0.0, 40.0]);
/// }
/// # bevy::ecs::system::assert_is_system(write_score);
/// ```
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct Insets {
    /// The heights of a game's text at the top and at the bottom of the free area, which replaces the title, the
    /// description and the hint. If set, only these heights count. Default: `None`.
    pub own_words: Option<[f32; 2]>,
    words: BTreeMap<&'static str, [f32; 2]>,
    free: BTreeMap<Entity, Rect>,
    feet: BTreeMap<Entity, f32>,
}

impl Insets {
    /// Sets the heights of an owner's text at the top and at the bottom of the main view's free area. They apply until
    /// changed.
    pub fn set_words(&mut self, owner: &'static str, heights: [f32; 2]) {
        self.words.insert(owner, heights);
    }

    /// The heights of all text at the top and at the bottom of the main view's free area.
    #[must_use]
    pub fn words(&self) -> [f32; 2] {
        let most = |a: [f32; 2], b: &[f32; 2]| [a[0].max(b[0]), a[1].max(b[1])];
        self.own_words.unwrap_or_else(|| self.words.values().fold([0.0; 2], most))
    }

    /// Sets the free part (y down) of the window or image into which this camera draws, for all views in it. It applies
    /// until changed.
    pub fn leave_free(&mut self, camera: Entity, part: Rect) {
        self.free.insert(camera, part);
    }

    /// The part that [`Insets::leave_free`] has set for a camera.
    #[must_use]
    pub fn free_part(&self, camera: Entity) -> Option<Rect> {
        self.free.get(&camera).copied()
    }

    /// Sets the upper edge (y down) of a bar at the bottom of the window or image into which this camera draws, or
    /// `None` for no bar. Views end there. It applies until changed.
    pub fn set_foot(&mut self, camera: Entity, edge: Option<f32>) {
        match edge {
            Some(edge) => _ = self.feet.insert(camera, edge),
            None => _ = self.feet.remove(&camera),
        }
    }

    /// The free rest of a camera's area, given the overlays of all cameras that draw into the same window.
    pub(crate) fn free_of(&self, frame: Rect, shares_window: impl Fn(Entity) -> bool) -> Rect {
        let covers = self.free.iter().filter(|(camera, _)| shares_window(**camera));
        let mut left = covers.fold(frame, |left, (_, part)| left.intersect(*part));
        for (_, edge) in self.feet.iter().filter(|(camera, _)| shares_window(**camera)) {
            left.max.y = left.max.y.min(edge.max(left.min.y));
        }
        left
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_at_the_same_edge_share_its_room_unless_a_game_has_its_own() {
        let mut insets = Insets::default();
        assert_eq!(insets.words(), [0.0; 2]);
        insets.set_words("title", [90.0, 0.0]);
        insets.set_words("lesson", [0.0, 148.0]);
        insets.set_words("help", [20.0, 46.0]);
        assert_eq!(insets.words(), [90.0, 148.0]);
        insets.set_words("lesson", [0.0; 2]);
        assert_eq!(insets.words(), [90.0, 46.0]);
        insets.own_words = Some([30.0, 0.0]);
        assert_eq!(insets.words(), [30.0, 0.0]);
    }

    #[test]
    fn a_panel_covers_the_views_of_its_own_window_alone() {
        let mut world = World::new();
        let [camera, panel] = [world.spawn_empty().id(), world.spawn_empty().id()];
        let mut insets = Insets::default();
        insets.leave_free(camera, Rect::new(0.0, 0.0, 540.0, 800.0));
        insets.leave_free(panel, Rect::new(100.0, 0.0, 900.0, 800.0));
        let frame = Rect::new(0.0, 0.0, 1000.0, 700.0);
        assert_eq!(insets.free_of(frame, |_| false), frame);
        assert_eq!(insets.free_of(frame, |other| other == camera), Rect::new(0.0, 0.0, 540.0, 700.0));
        assert_eq!(insets.free_of(frame, |_| true), Rect::new(100.0, 0.0, 540.0, 700.0));
        insets.set_foot(camera, Some(640.0));
        assert_eq!(insets.free_of(frame, |other| other == camera), Rect::new(0.0, 0.0, 540.0, 640.0));
        assert_eq!(insets.free_of(frame, |other| other == panel).max.y, 700.0);
        insets.set_foot(camera, None);
        assert_eq!(insets.free_of(frame, |other| other == camera).max.y, 700.0);
    }
}
