//! The pictures of one frame: each [`ViewCamera`](crate::view::ViewCamera) has one, drawn by the schedule
//! [`DrawPicture`], which runs once for each of them.
//!
//! So widths in pixels are those of each camera, and what a camera does not see costs it nothing. What a camera sees is
//! what Bevy's cameras see: the [`RenderLayers`] of a disc or a piece of terrain meet those of the camera (without any:
//! layer 0), and its [`Visibility`] does not hide it. Discs need neither component. Marks that belong to no disc, such
//! as hits, gestures and lessons, and the drawn table lie on layer 0.

use core::ops::Deref;

use bevy::{
    camera::visibility::RenderLayers,
    ecs::{query::QueryData, schedule::ScheduleLabel},
    prelude::*,
};

use super::view2d::View2d;

/// Draws one picture. It runs for each [`ViewCamera`](crate::view::ViewCamera) that is active, from the lowest to the
/// highest [`order`](Camera::order), in [`ViewSystems::Draw`](crate::view::ViewSystems::Draw). Its systems read the
/// [`Picture`] and put shapes on the [`Canvas`](crate::view::Canvas), which holds the floor when they begin; whatever
/// they put there is seen in this picture alone.
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::view::{Canvas, DrawPicture, Layer, Picture};
/// fn draw_goal(mut canvas: ResMut<Canvas>, picture: Res<Picture>) {
///     canvas.ring(Layer::Marks, Vec2::ZERO, 0.5, picture.px(2.0), Srgba::WHITE);
/// }
/// # let mut app = App::new();
/// app.add_systems(DrawPicture, draw_goal);
/// ```
#[derive(ScheduleLabel, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DrawPicture;

/// The picture that is being drawn: whose it is, and through which [`View2d`], which it dereferences to.
#[derive(Resource, Clone, Debug)]
pub struct Picture {
    /// The camera whose picture it is.
    pub camera: Entity,
    view: View2d,
    layers: RenderLayers,
}

impl Default for Picture {
    fn default() -> Self {
        Self { camera: Entity::PLACEHOLDER, view: View2d::default(), layers: RenderLayers::default() }
    }
}

impl Deref for Picture {
    type Target = View2d;

    fn deref(&self) -> &View2d {
        &self.view
    }
}

impl Picture {
    /// The picture of a camera with this view, which sees these layers.
    pub(crate) fn new(camera: Entity, view: View2d, layers: RenderLayers) -> Self {
        Self { camera, view, layers }
    }

    /// The layers that its camera sees.
    #[must_use]
    pub fn layers(&self) -> &RenderLayers {
        &self.layers
    }

    /// Whether its camera sees what belongs to no disc and no piece of terrain: layer 0.
    #[must_use]
    pub fn shows_layer_0(&self) -> bool {
        self.layers.intersects(&RenderLayers::default())
    }

    /// Whether a disc or a piece of terrain is in it, wherever it lies.
    #[must_use]
    pub fn shows(&self, it: &ShownToItem) -> bool {
        it.to(&self.layers)
    }
}

/// To whom a disc or a piece of terrain is shown.
#[derive(QueryData)]
pub struct ShownTo {
    visibility: Option<&'static InheritedVisibility>,
    layers: Option<&'static RenderLayers>,
}

impl ShownToItem<'_, '_> {
    /// Whether it is shown to whoever sees these layers.
    #[must_use]
    pub fn to(&self, layers: &RenderLayers) -> bool {
        is_shown(layers, self.visibility, self.layers)
    }
}

/// Whether what has these components is shown to whoever sees these layers.
pub(crate) fn is_shown(
    layers: &RenderLayers,
    visibility: Option<&InheritedVisibility>,
    its_layers: Option<&RenderLayers>,
) -> bool {
    visibility.is_none_or(|visibility| visibility.get()) && layers.intersects(its_layers.unwrap_or_default())
}

/// A run condition for [`DrawPicture`]: [`Picture::shows_layer_0`].
#[must_use]
pub fn sees_layer_0(picture: Res<Picture>) -> bool {
    picture.shows_layer_0()
}
