//! Cameras: which part of the world each shows, and the picture that it draws.
//!
//! | file | what |
//! |---|---|
//! | [`view2d`] | which part of the world a camera shows, and the way from metres to pixels and back |
//! | `views` | the views of all cameras, and which is the main one |
//! | `insets` | the room that overlays take from the pictures |
//! | [`picture`] | the pictures of several cameras, and what is seen in which |
//! | `bookmarks` | views that are kept to come back to |
//! | [`desktop`] | windows that show what lies beneath them on the desktop |
//! | `shake` | the answer to hard hits |

pub(super) mod bookmarks;
pub mod desktop;
pub(super) mod insets;
pub mod picture;
pub(super) mod shake;
pub mod view2d;
pub(crate) mod views;
