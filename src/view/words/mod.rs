//! Writing.
//!
//! | file | what |
//! |---|---|
//! | [`language`] | the language of what is written |
//! | `labels` | numbers and labels of discs |
//! | `overlay`, `headline` | the title of a scene, or of a game without one; hints, notices |
//! | [`measures`] | a grid, the scale bar, captions of what is drawn by hand |
//! | `named` | names of widgets, for screen readers and for tests |
//! | [`points`] | from logical pixels to the points of egui, which Ctrl and plus enlarge |
//! | `page_fonts`, `slow_pictures` | what egui needs on a page, and where few pictures are drawn a second |

pub(super) mod headline;
pub(crate) mod labels;
pub mod language;
pub mod measures;
pub(super) mod named;
pub(crate) mod overlay;
#[cfg(any(target_arch = "wasm32", test))]
pub(super) mod page_fonts;
pub mod points;
pub(super) mod slow_pictures;
