//! The view being drawn. In each frame, the schedule [`DrawView`] runs for every
//! [`ViewCamera`](crate::view::ViewCamera).
//!
//! Widths in pixels thus depend on the camera, and entities that a camera does not see cost it nothing. Visibility
//! follows Bevy's rules. The [`RenderLayers`] of a disc or a piece of terrain have to intersect those of the camera
//! (the default is layer 0), and its [`Visibility`] must not hide it. Discs need neither component. The drawn table and
//! marks without a disc, such as hits, gestures and lessons, are on layer 0.

use core::ops::Deref;

use bevy::{
    camera::visibility::RenderLayers,
    ecs::{query::QueryData, schedule::ScheduleLabel},
    prelude::*,
};

use super::view2d::View2d;

/// Draws the view of a camera. It runs for each active [`ViewCamera`](crate::view::ViewCamera), from the lowest to the
/// highest [`order`](Camera::order), in [`ViewSystems::Draw`](crate::view::ViewSystems::Draw). Its systems read the
/// [`CurrentView`] and add shapes to the [`Canvas`](crate::view::Canvas), which already holds the floor. The shapes
/// appear only in this view.
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::view::{Canvas, CurrentView, DrawView, Layer};
/// fn draw_goal(mut canvas: ResMut<Canvas>, view: Res<CurrentView>) {
///     canvas.ring(Layer::Marks, Vec2::ZERO, 0.5, view.px(2.0), Srgba::WHITE);
/// }
/// # let mut app = App::new();
/// app.add_systems(DrawView, draw_goal);
/// ```
#[derive(ScheduleLabel, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DrawView;

/// The view being drawn: its camera, and the camera's [`View2d`], to which it dereferences.
#[derive(Resource, Clone, Debug)]
pub struct CurrentView {
    /// The camera of the view.
    pub camera: Entity,
    view: View2d,
    layers: RenderLayers,
}

impl Default for CurrentView {
    fn default() -> Self {
        Self { camera: Entity::PLACEHOLDER, view: View2d::default(), layers: RenderLayers::default() }
    }
}

impl Deref for CurrentView {
    type Target = View2d;

    fn deref(&self) -> &View2d {
        &self.view
    }
}

impl CurrentView {
    /// The view of a camera that sees these layers.
    pub(crate) fn new(camera: Entity, view: View2d, layers: RenderLayers) -> Self {
        Self { camera, view, layers }
    }

    /// The layers that its camera sees.
    #[must_use]
    pub fn layers(&self) -> &RenderLayers {
        &self.layers
    }

    /// Whether its camera sees layer 0, which contains everything that belongs to no disc and no terrain.
    #[must_use]
    pub fn shows_layer_0(&self) -> bool {
        self.layers.intersects(&RenderLayers::default())
    }

    /// Whether a disc or a piece of terrain is visible in it, regardless of its position.
    #[must_use]
    pub fn shows(&self, it: &ShownToItem) -> bool {
        it.to(&self.layers)
    }
}

/// The visibility of a disc or a piece of terrain.
#[derive(QueryData)]
pub struct ShownTo {
    visibility: Option<&'static InheritedVisibility>,
    layers: Option<&'static RenderLayers>,
}

impl ShownToItem<'_, '_> {
    /// Whether it is visible to a camera with these layers.
    #[must_use]
    pub fn to(&self, layers: &RenderLayers) -> bool {
        is_shown(layers, self.visibility, self.layers)
    }
}

/// Whether an entity with these components is visible to a camera with these layers.
pub(crate) fn is_shown(
    layers: &RenderLayers,
    visibility: Option<&InheritedVisibility>,
    its_layers: Option<&RenderLayers>,
) -> bool {
    visibility.is_none_or(|visibility| visibility.get()) && layers.intersects(its_layers.unwrap_or_default())
}

/// A run condition for [`DrawView`]: [`CurrentView::shows_layer_0`].
#[must_use]
pub fn sees_layer_0(view: Res<CurrentView>) -> bool {
    view.shows_layer_0()
}
