//! Mouse, keys, touch, the editor and the parts of the window, without a window: each test runs frames of an app.
#![cfg(feature = "input")]

mod common;
mod drawing;
mod mouse_and_keys;
#[cfg(feature = "program")]
mod parts;
mod touch;
mod undo;
