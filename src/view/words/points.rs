//! Conversion between the window's logical pixels and egui's points.
//!
//! A point is a logical pixel until the person zooms egui with Ctrl and plus or minus. The view, the pointer and all
//! drawing use logical pixels. All values to and from egui are converted here.

use bevy::math::{Rect, Vec2};
use bevy_egui::egui;

/// The current size of egui's points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Points {
    /// Logical pixels per point.
    pixels: f32,
}

impl Points {
    /// The size in the current frame.
    #[must_use]
    pub fn of(ctx: &egui::Context) -> Self {
        let zoom = ctx.zoom_factor();
        Self { pixels: if zoom > 0.0 { zoom } else { 1.0 } }
    }

    /// A length in points, from logical pixels.
    #[must_use]
    pub fn length(self, pixels: f32) -> f32 {
        pixels / self.pixels
    }

    /// A position in the window for egui, from logical pixels.
    #[must_use]
    pub fn place(self, pixels: Vec2) -> egui::Pos2 {
        egui::pos2(self.length(pixels.x), self.length(pixels.y))
    }

    /// A rectangle of the window for egui, from logical pixels.
    #[must_use]
    pub fn part(self, pixels: Rect) -> egui::Rect {
        egui::Rect::from_min_max(self.place(pixels.min), self.place(pixels.max))
    }

    /// A rectangle from egui, in logical pixels.
    #[must_use]
    pub fn pixels(self, part: egui::Rect) -> Rect {
        let pixels = |at: egui::Pos2| Vec2::new(at.x, at.y) * self.pixels;
        Rect::from_corners(pixels(part.min), pixels(part.max))
    }
}
