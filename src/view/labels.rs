//! Writing on and beside discs: ball numbers and labels, in sizes that follow the zoom.

use bevy::prelude::*;
use bevy_egui::{
    EguiContexts,
    egui::{self, Align2, FontId, LayerId, Painter},
};

use super::{Drawn, Eye, ViewSettings, discs::colour_of, theme};
use crate::{
    body::{Ball, Radius, StableId},
    scene::{CurrentScene, DiscLook, Surroundings},
};

/// Writes into the free area, below everything that can be clicked, and never takes the pointer.
pub(super) struct Pen {
    painter: Painter,
}

impl Pen {
    /// A pen for this picture; none while there is no window to write in.
    pub(super) fn new(contexts: &mut EguiContexts, eye: &Eye) -> Option<Self> {
        let context = contexts.ctx_mut().ok()?;
        let area = egui::Rect::from_min_max(point(eye.area.min), point(eye.area.max));
        Some(Self { painter: context.layer_painter(LayerId::background()).with_clip_rect(area) })
    }

    pub(super) fn painter(&self) -> &Painter {
        &self.painter
    }

    /// Text whose middle is at this point of the window.
    pub(super) fn middle(&self, at: Vec2, size: f32, text: &str, colour: Srgba) {
        self.painter.text(point(at), Align2::CENTER_CENTER, text, FontId::proportional(size), theme::egui(colour));
    }

    /// Text that begins at this point of the window, centred in height.
    pub(super) fn left(&self, at: Vec2, size: f32, text: &str, colour: Srgba) {
        self.painter.text(point(at), Align2::LEFT_CENTER, text, FontId::proportional(size), theme::egui(colour));
    }

    /// A short bar of colour that begins at this point of the window, for a legend.
    pub(super) fn swatch(&self, at: Vec2, colour: Srgba) {
        let bar = egui::Rect::from_center_size(point(at + Vec2::X * 7.0), egui::vec2(14.0, 4.0));
        self.painter.rect_filled(bar, 2.0, theme::egui(colour));
    }
}

/// A point of the window as egui takes it.
pub(super) fn point(at: Vec2) -> egui::Pos2 {
    egui::pos2(at.x, at.y)
}

/// Letters in few sizes only, since every size of every letter is drawn once and kept.
fn quantised(size: f32) -> f32 {
    let step = match size {
        ..20.0 => 1.0,
        20.0..48.0 => 4.0,
        _ => 16.0,
    };
    ((size / step).floor() * step).min(160.0)
}

/// The smallest letters that can be read, logical pixels.
const SMALLEST: f32 = 6.0;

/// More discs than this within the window are not labelled.
const MOST: usize = 400;

pub(super) fn write_labels(
    mut contexts: EguiContexts,
    eye: Res<Eye>,
    settings: Res<ViewSettings>,
    scene: Option<Res<CurrentScene>>,
    discs: Query<(&Drawn, &Radius, &StableId, &DiscLook), With<Ball>>,
) {
    if !settings.labels {
        return;
    }
    let surroundings = scene.map(|scene| scene.file.surroundings).unwrap_or_default();
    let Some(pen) = Pen::new(&mut contexts, &eye) else { return };
    let mut written = 0;
    for (drawn, radius, id, look) in &discs {
        let at = eye.to_screen(drawn.shown);
        let pixels = radius.0 * eye.pixels_per_metre;
        if !at.is_finite() || !eye.area.inflate(pixels).contains(at) || written == MOST {
            continue;
        }
        if let Some(number) = look.number.filter(|number| *number > 0) {
            let size = quantised(pixels * 0.62);
            if size >= SMALLEST {
                let colour = match surroundings {
                    Surroundings::Table => theme::NUMBER,
                    Surroundings::Laboratory => readable_on(colour_of(*id, Some(look))),
                };
                pen.middle(at, size, &number.to_string(), colour);
                written += 1;
            }
        }
        if let Some(label) = look.label.as_deref().filter(|label| !label.is_empty()) {
            let out = Vec2::new(0.707, -0.707) * (pixels + 9.0);
            let size = quantised((pixels * 0.5).clamp(12.0, 19.0));
            pen.middle(at + out, size, label, theme::LABEL);
            written += 1;
        }
    }
}

/// Dark letters on light discs, light letters on dark ones.
fn readable_on(colour: Srgba) -> Srgba {
    if Color::from(colour).luminance() > 0.3 { theme::NUMBER } else { theme::LABEL }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_few_sizes() {
        let mut sizes: Vec<u32> = (60..4000).map(|tenth| quantised(tenth as f32 / 10.0) as u32).collect();
        sizes.dedup();
        assert!(sizes.len() < 32, "{} sizes", sizes.len());
    }
}
