//! Cameras: the part of the world that each shows, and the view that is being drawn.
//!
//! | file | contents |
//! |---|---|
//! | [`view2d`] | the part of the world that a camera shows, and the conversion between metres and pixels |
//! | `views` | the views of all cameras, and the main one |
//! | `insets` | the room that overlays take from views |
//! | [`current_view`] | the view being drawn, and the visibility of entities in it |
//! | `bookmarks` | saved views |
//! | [`desktop`] | windows that show the world at their place on the desktop |
//! | `shake` | the response to hard hits |

pub(super) mod bookmarks;
pub mod current_view;
pub mod desktop;
pub(super) mod insets;
pub(super) mod shake;
pub mod view2d;
pub(crate) mod views;
