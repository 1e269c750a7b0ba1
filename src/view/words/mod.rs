//! Text.
//!
//! | file | contents |
//! |---|---|
//! | [`language`] | the language of the text |
//! | `labels` | numbers and labels of discs |
//! | `heights` | heights of balls in the air |
//! | `overlay`, `headline` | the title of a scene, or of a game without one; hints, notices |
//! | [`measures`] | a grid, the scale bar, captions for drawing by hand |
//! | `named` | names of widgets, for screen readers and for tests |
//! | [`points`] | conversion from logical pixels to egui points, which Ctrl and plus enlarge |
//! | `page_fonts`, `slow_frames` | egui's fonts for the web page, and clicks at low frame rates |

pub(super) mod headline;
pub(crate) mod heights;
pub(crate) mod labels;
pub mod language;
pub mod measures;
pub(super) mod named;
pub(crate) mod overlay;
#[cfg(any(target_arch = "wasm32", test))]
pub(super) mod page_fonts;
pub mod points;
pub(super) mod slow_frames;
