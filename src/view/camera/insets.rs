//! The room that overlays take from the views below them. Each overlay registers how much, and [`View2d`] fits what it
//! shows into the rest.
//!
//! [`View2d`]: crate::view::View2d

use std::collections::BTreeMap;

use bevy::prelude::*;

/// The room that overlays take from the pictures, logical pixels. A panel covers a part of its window, so all views in
/// that window look through the rest. Words over the [`MainView`](crate::view::MainView) are written on its free area,
/// and what is fitted keeps clear of them.
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::view::Insets;
/// fn write_score(mut insets: ResMut<Insets>) {
///     // A line at the foot of the picture.
///     insets.set_words("score", [0.0, 40.0]);
/// }
/// # bevy::ecs::system::assert_is_system(write_score);
/// ```
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct Insets {
    /// How much of the free area a game writes over in place of the title, the description and the hint, from its top
    /// and from its bottom. Only this counts then. Default: none, and they are written.
    pub own_words: Option<[f32; 2]>,
    words: BTreeMap<&'static str, [f32; 2]>,
    free: BTreeMap<Entity, Rect>,
}

impl Insets {
    /// Says how much of the main view's free area the words of an owner take, from its top and from its bottom. It
    /// holds until the owner says otherwise.
    pub fn set_words(&mut self, owner: &'static str, heights: [f32; 2]) {
        self.words.insert(owner, heights);
    }

    /// How much of the main view's free area is written over, from its top and from its bottom.
    #[must_use]
    pub fn words(&self) -> [f32; 2] {
        let most = |a: [f32; 2], b: &[f32; 2]| [a[0].max(b[0]), a[1].max(b[1])];
        self.own_words.unwrap_or_else(|| self.words.values().fold([0.0; 2], most))
    }

    /// Says that everything but this part (y down) is covered of the window or image into which this camera draws, for
    /// all views in it. It holds until it is said otherwise.
    pub fn leave_free(&mut self, camera: Entity, part: Rect) {
        self.free.insert(camera, part);
    }

    /// What is left of the part of a window that a camera fills, after what lies over the cameras that draw into the
    /// same window.
    pub(crate) fn free_of(&self, frame: Rect, shares_window: impl Fn(Entity) -> bool) -> Rect {
        let covers = self.free.iter().filter(|(camera, _)| shares_window(**camera));
        covers.fold(frame, |left, (_, part)| left.intersect(*part))
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
    }
}
