//! From the window's logical pixels to the points of egui, and back.
//!
//! A point is a logical pixel until somebody zooms egui with Ctrl and plus or minus. The view, the pointer and all that
//! is drawn count in logical pixels; what egui is told, and what it tells, goes through here.

use bevy::math::{Rect, Vec2};
use bevy_egui::egui;

/// How large the points of egui are at present.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Points {
    /// Logical pixels to a point.
    pixels: f32,
}

impl Points {
    /// As they are in the present picture.
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

    /// A place of the window as egui takes it, from logical pixels.
    #[must_use]
    pub fn place(self, pixels: Vec2) -> egui::Pos2 {
        egui::pos2(self.length(pixels.x), self.length(pixels.y))
    }

    /// A part of the window as egui takes it, from logical pixels.
    #[must_use]
    pub fn part(self, pixels: Rect) -> egui::Rect {
        egui::Rect::from_min_max(self.place(pixels.min), self.place(pixels.max))
    }

    /// A part of the window in logical pixels, as egui has it.
    #[must_use]
    pub fn pixels(self, part: egui::Rect) -> Rect {
        let pixels = |at: egui::Pos2| Vec2::new(at.x, at.y) * self.pixels;
        Rect::from_corners(pixels(part.min), pixels(part.max))
    }
}
