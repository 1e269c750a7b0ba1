//! Saved views: nine bookmarks per scene.

use std::collections::BTreeMap;

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use crate::view::camera::view2d::View2d;

/// A saved part of the world.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bookmark {
    /// Its centre, metres.
    centre: Vec2,
    /// Its width and height, metres.
    size: Vec2,
}

impl Bookmark {
    /// The part of the world that a view shows.
    #[must_use]
    pub fn of(view: &View2d) -> Self {
        Self { centre: view.centre, size: view.lying(view.area.size()) / view.pixels_per_metre }
    }

    /// Makes a view show it. If the window is unchanged, the view is exactly as saved; otherwise it shows all of the
    /// saved part.
    pub fn show(self, view: &mut View2d) {
        let scale = (view.lying(view.area.size()) / self.size).min_element();
        view.zoom_at(view.area.center(), scale / view.pixels_per_metre);
        let away = view.in_window(view.centre - self.centre) * view.pixels_per_metre;
        view.pan(away);
    }

    /// Whether it can be shown. Files may contain invalid values.
    fn is_sound(self) -> bool {
        self.centre.is_finite() && self.size.is_finite() && self.size.min_element() > 0.0
    }
}

/// The bookmarks of each scene, by scene name and number, 1 to 9.
#[derive(Resource, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Bookmarks(BTreeMap<String, BTreeMap<u8, Bookmark>>);

impl Bookmarks {
    /// The valid numbers.
    pub const NUMBERS: std::ops::RangeInclusive<u8> = 1..=9;

    /// The bookmark of a scene with this number.
    #[must_use]
    pub fn get(&self, scene: &str, number: u8) -> Option<Bookmark> {
        self.0.get(scene)?.get(&number).copied().filter(|bookmark| bookmark.is_sound())
    }

    /// Saves a bookmark under a number from 1 to 9, replacing the previous one.
    pub fn keep(&mut self, scene: &str, number: u8, bookmark: Bookmark) {
        if Self::NUMBERS.contains(&number) && bookmark.is_sound() {
            self.0.entry(scene.to_owned()).or_default().insert(number, bookmark);
        }
    }

    /// Removes all bookmarks of a scene.
    pub fn forget(&mut self, scene: &str) {
        self.0.remove(scene);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_is_found_again_and_in_another_window_all_of_it_is_seen() {
        let mut view = View2d::default();
        (view.centre, view.pixels_per_metre) = (vec2(3.0, -2.0), 250.0);
        let bookmark = Bookmark::of(&view);
        view.zoom_at(vec2(10.0, 700.0), 0.4);
        view.pan(vec2(120.0, -31.0));
        bookmark.show(&mut view);
        assert!((view.pixels_per_metre - 250.0).abs() < 0.01, "{}", view.pixels_per_metre);
        assert!(view.centre.distance(vec2(3.0, -2.0)) < 1e-4, "{}", view.centre);
        view.area.max.x -= 400.0;
        bookmark.show(&mut view);
        let seen = Bookmark::of(&view);
        assert!(seen.size.cmpge(bookmark.size - 1e-3).all(), "{seen:?} of {bookmark:?}");
        assert!(seen.centre.distance(bookmark.centre) < 1e-4);
    }

    #[test]
    fn what_cannot_be_shown_is_not_kept_and_scenes_are_apart() {
        let mut bookmarks = Bookmarks::default();
        let bookmark = Bookmark { centre: Vec2::ZERO, size: vec2(2.0, 1.0) };
        bookmarks.keep("gas", 3, bookmark);
        bookmarks.keep("gas", 10, bookmark);
        bookmarks.keep("gas", 4, Bookmark { size: Vec2::NAN, ..bookmark });
        assert_eq!(bookmarks.get("gas", 3), Some(bookmark));
        assert_eq!([bookmarks.get("gas", 10), bookmarks.get("gas", 4), bookmarks.get("pile", 3)], [None; 3]);
        bookmarks.forget("gas");
        assert_eq!(bookmarks, Bookmarks::default());
    }
}
