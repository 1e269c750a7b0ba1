//! Cameras: the part of the world that each shows, and its picture.
//!
//! | file | contents |
//! |---|---|
//! | [`view2d`] | the part of the world that a camera shows, and the conversion between metres and pixels |
//! | `views` | the views of all cameras, and the main one |
//! | `insets` | the room that overlays take from views |
//! | [`picture`] | the pictures of several cameras, and the visibility in each |
//! | `bookmarks` | saved views |
//! | [`desktop`] | windows that show the world at their place on the desktop |
//! | `shake` | the response to hard hits |

pub(super) mod bookmarks;
pub mod desktop;
pub(super) mod insets;
pub mod picture;
pub(super) mod shake;
pub mod view2d;
pub(crate) mod views;
