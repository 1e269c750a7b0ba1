//! Runs once per frame: determines the area of each camera in its window or image, fits the content, keeps followed
//! discs at the centre, and moves Bevy's cameras.

use core::f32::consts::FRAC_PI_2;

use bevy::{
    camera::{NormalizedRenderTarget, RenderTarget, visibility::RenderLayers},
    ecs::system::SystemParam,
    prelude::*,
    render::{camera::NormalizedRenderTargetExt, texture::ManualTextureViews},
    window::{PrimaryWindow, Window},
};

use super::{ViewCamera, ViewSettings};
use crate::{
    components::{Disc, Position, Radius, Rotation, Terrain},
    interpolation::Drawn,
    plane::{TableEdge, TableRect},
    scene::{Camera as SceneCamera, CurrentScene, DrawnTable, SceneStarted, Surroundings},
    view::{
        camera::{
            insets::Insets,
            view2d::{Framing, View2d},
            views::main_of,
        },
        scene::fallen::Tray,
    },
};

/// The windows and images of the cameras in this frame. Bevy's own record of them is one step behind.
#[derive(SystemParam)]
pub(crate) struct Targets<'w, 's> {
    primary: Option<Single<'w, 's, Entity, With<PrimaryWindow>>>,
    windows: Query<'w, 's, (Entity, &'static Window)>,
    images: Option<Res<'w, Assets<Image>>>,
    textures: Option<Res<'w, ManualTextureViews>>,
    cameras: Query<'w, 's, &'static Camera>,
    aims: Query<'w, 's, &'static RenderTarget>,
    views: Query<'w, 's, (), With<View2d>>,
}

impl Targets<'_, '_> {
    /// The window or image of a camera.
    fn target(&self, camera: Entity) -> Option<NormalizedRenderTarget> {
        let target = self.aims.get(camera).cloned().unwrap_or_default();
        target.normalize(self.primary.as_ref().map(|window| **window))
    }

    /// Whether an entity is a view that draws into this window or image. A despawned camera is none.
    fn is_view_in(&self, camera: Entity, target: Option<&NormalizedRenderTarget>) -> bool {
        self.views.contains(camera) && self.target(camera).as_ref() == target
    }

    /// The area of its window or image that a camera fills, logical pixels, or `None` if there is none.
    fn frame(&self, camera: Entity) -> Option<Rect> {
        let target = self.target(camera)?;
        let camera = self.cameras.get(camera).ok()?;
        let (images, textures) = (self.images.as_ref()?, self.textures.as_ref()?);
        let target = target.get_render_target_info(self.windows.iter(), images, textures).ok()?;
        let part = camera.viewport.as_ref();
        let (from, size) =
            part.map_or((UVec2::ZERO, target.physical_size), |part| (part.physical_position, part.physical_size));
        let [from, to] = [from, from + size].map(|at| at.min(target.physical_size).as_vec2() / target.scale_factor);
        Some(Rect::from_corners(from, to))
    }
}

/// The content of the scene, which views are fitted to.
#[derive(SystemParam)]
pub(crate) struct Content<'w, 's> {
    scene: Option<Res<'w, CurrentScene>>,
    surroundings: Res<'w, Surroundings>,
    table: Option<Res<'w, DrawnTable>>,
    tray: Option<Res<'w, Tray>>,
    discs: Query<'w, 's, (&'static Position, &'static Radius, Option<&'static RenderLayers>), With<Disc>>,
    terrain: Query<
        'w,
        's,
        (&'static Terrain, &'static Position, &'static Rotation, Option<&'static RenderLayers>),
        Without<TableEdge>,
    >,
    rects: Query<'w, 's, (&'static TableRect, Option<&'static RenderLayers>)>,
}

impl Content<'_, '_> {
    /// The centre and the height of the part that the scene shows at its start, metres.
    fn start(&self) -> Option<(Vec2, f32)> {
        match self.scene.as_ref()?.file.camera {
            SceneCamera::At { centre, height } if height > 0.0 => Some((centre, height)),
            _ => None,
        }
    }

    /// Fits a view with these layers to the content, or to a part `at` a centre with a height, metres.
    fn fit(&self, view: &mut View2d, layers: &RenderLayers, turn_tables: bool, at: Option<(Vec2, f32)>) {
        let sees = |its: Option<&RenderLayers>| layers.intersects(its.unwrap_or_default());
        let furniture = self.table.as_ref().filter(|_| sees(None)).map(|table| table.built.bounds());
        view.may_turn = turn_tables && furniture.is_some() && view.bounds.is_none() && at.is_none();
        let furniture = furniture.map(|rails| self.tray.as_ref().map_or(rails, |tray| rails.union(tray.bounds)));
        let plane = self.rects.iter().filter(|(rect, its)| sees(*its) && !rect.is_empty()).map(|(rect, _)| rect.0);
        let furniture = plane.fold(furniture, |all, rect| Some(all.map_or(rect, |all| all.union(rect))));
        let discs = self.discs.iter().filter(|(.., its)| sees(*its)).map(|(position, radius, _)| (position, radius));
        let terrain = self.terrain.iter().filter(|(.., its)| sees(*its)).map(|(it, at, turn, _)| (it, at, turn));
        let bounds = view.bounds.or_else(|| scene_bounds(*self.surroundings, furniture, discs, terrain));
        if let Some((centre, height)) = at {
            view.fit(seen_at(centre, height, bounds));
        } else if let Some(bounds) = bounds {
            view.fit(bounds);
        }
    }
}

/// Determines the area of each view, and fits the scene where a fit is due.
pub(crate) fn frame_views(
    mut views: Query<(Entity, &mut View2d, Option<&Camera>, Option<&RenderLayers>)>,
    (targets, insets): (Targets, Res<Insets>),
    mut started: MessageReader<SceneStarted>,
    content: Content,
    (settings, mut turn_tables): (Res<ViewSettings>, Local<Option<bool>>),
) {
    let main = main_of(views.iter().map(|(entity, _, camera, _)| (entity, camera)));
    let turns_now = turn_tables.replace(settings.turn_tables).is_some_and(|before| before != settings.turn_tables);
    let began = started.read().filter(|started| !started.restart).count() > 0;
    // Without the overlay the whole area is free, except under the words of a lesson.
    let has_words = settings.overlay || insets.words() != [0.0; 2];
    for (entity, mut view, _, layers) in &mut views {
        let is_main = Some(entity) == main;
        let view = &mut *view;
        if turns_now && content.table.is_some() {
            view.framing = Framing::Due;
        }
        view.words = (is_main && has_words).then(|| insets.words());
        lay_out(entity, view, &targets, &insets);
        if began {
            // A followed disc of the game may outlive the scene, so following continues.
            view.framing = Framing::Due;
        }
        if view.framing == Framing::Due {
            let at = content.start().filter(|_| began && is_main && view.bounds.is_none());
            content.fit(view, layers.unwrap_or_default(), settings.turn_tables, at);
        } else {
            view.refit();
        }
    }
}

/// Sets the area of a camera's view, and the part of it that overlays leave free.
fn lay_out(camera: Entity, view: &mut View2d, targets: &Targets, insets: &Insets) {
    let frame = targets.frame(camera).unwrap_or(view.frame);
    let is_upright = |frame: Rect| frame.height() > frame.width();
    let is_turned_round = is_upright(view.frame) != is_upright(frame);
    let target = targets.target(camera);
    view.lay_out(frame, insets.free_of(frame, |other| targets.is_view_in(other, target.as_ref())));
    // A fitted view is refitted later. A view that a person has moved stays where it is.
    if is_turned_round && !matches!(view.framing, Framing::Fitted(..)) {
        view.turn_as_fitted();
    }
}

/// The visible part for a scene that sets a height around a centre (metres). In a narrow window it is as wide as the
/// scene. Of a scene more than three times as wide as the height, such as a long track, only a square is sure to be
/// visible.
fn seen_at(centre: Vec2, height: f32, bounds: Option<Rect>) -> Rect {
    const WIDEST: f32 = 3.0;
    let half_height = height / 2.0;
    let half_width = bounds.map_or(0.0, |all| (all.max.x - centre.x).max(centre.x - all.min.x).max(0.0));
    let is_whole = half_width <= WIDEST * half_height;
    Rect::from_center_half_size(centre, Vec2::new(if is_whole { half_width } else { half_height }, half_height))
}

/// Keeps followed discs at the centre, exactly as drawn, so that they do not jitter.
pub(super) fn follow(mut views: Query<&mut View2d>, discs: Query<&Drawn, With<Disc>>) {
    for mut view in &mut views {
        let Some(disc) = view.followed else { continue };
        match discs.get(disc) {
            Ok(drawn) if drawn.shown.is_finite() => {
                view.centre = drawn.shown;
                view.set_free();
            }
            _ => view.followed = None,
        }
    }
}

/// Moves Bevy's cameras to match their views, for anything else that a game draws in metres.
pub(super) fn aim_cameras(mut cameras: Query<(&View2d, &mut Transform, &mut Projection), With<ViewCamera>>) {
    for (view, mut transform, mut projection) in &mut cameras {
        let middle = view.to_world(view.frame.center()).extend(transform.translation.z);
        // The camera turns the opposite way to the view.
        let rotation = if view.is_turned() { Quat::from_rotation_z(-FRAC_PI_2) } else { Quat::IDENTITY };
        if (transform.translation, transform.rotation) != (middle, rotation) {
            (transform.translation, transform.rotation) = (middle, rotation);
        }
        let scale = view.px(1.0);
        if let Projection::Orthographic(now) = projection.as_ref()
            && now.scale != scale
            && let Projection::Orthographic(lens) = projection.as_mut()
        {
            lens.scale = scale;
        }
    }
}

/// The smallest rectangle around all discs and terrain, including frames and rails, and around a drawn table and its
/// tray. `None` if there is nothing.
fn scene_bounds<'a>(
    surroundings: Surroundings,
    furniture: Option<Rect>,
    discs: impl Iterator<Item = (&'a Position, &'a Radius)>,
    terrain: impl Iterator<Item = (&'a Terrain, &'a Position, &'a Rotation)>,
) -> Option<Rect> {
    let mut arena = furniture.is_some();
    let mut bounds = furniture;
    let mut add = |rect: Rect| bounds = Some(bounds.map_or(rect, |all| all.union(rect)));
    for (piece, position, rotation) in terrain {
        let Some(place) = piece.bounds(position.0, *rotation) else { continue };
        arena |= piece.is_arena();
        if let Terrain::Arena { half_size } = piece {
            add(place.inflate(crate::view::scene::terrain::frame_width(surroundings, *half_size)));
        } else {
            add(place);
        }
    }
    // A disc that has left its arena must not shrink the rest to dots.
    if !arena {
        let places = discs.filter(|(position, radius)| position.is_finite() && radius.is_finite());
        places
            .for_each(|(position, radius)| add(Rect::from_center_half_size(position.0, Vec2::splat(radius.max(0.0)))));
    }
    bounds
}

#[cfg(test)]
mod tests {
    use bevy::ecs::system::RunSystemOnce;

    use super::*;

    #[test]
    fn a_scene_that_asks_for_a_height_is_seen_whole_in_a_narrow_window() {
        let arena = Rect::new(-4.2, -3.2, 4.2, 3.2);
        // As long as a billiard table.
        let table = Rect::new(-6.6, -3.2, 6.6, 3.2);
        let fitted = |window: Vec2, bounds: Rect| {
            let mut view = View2d::default();
            view.set_frame(Rect::from_corners(Vec2::ZERO, window));
            view.fit(bounds);
            view
        };
        let narrow = vec2(400.0, 700.0);
        for whole in [arena, table] {
            let view = fitted(narrow, seen_at(Vec2::ZERO, 6.6, Some(whole)));
            let (left, right) = (view.to_screen(whole.min).x, view.to_screen(whole.max).x);
            assert!(left >= 0.0 && right <= narrow.x, "{left} to {right}");
        }
        // In a wide window, or when only a part of a large scene is shown, the height counts.
        for window in [vec2(1280.0, 800.0), vec2(1024.0, 600.0)] {
            let asked = fitted(window, Rect::from_center_half_size(Vec2::ZERO, vec2(0.0, 3.3)));
            assert_eq!(fitted(window, seen_at(Vec2::ZERO, 6.6, Some(arena))).pixels_per_metre, asked.pixels_per_metre);
        }
        let part = seen_at(Vec2::X, 2.0, Some(Rect::new(-500.0, -1.0, 500.0, 1.0)));
        assert_eq!((part.center(), part.size()), (Vec2::X, vec2(2.0, 2.0)));
        assert_eq!(seen_at(Vec2::ZERO, 2.0, None).width(), 0.0);
    }

    #[test]
    fn a_despawned_camera_leaves_the_window_to_the_others() {
        let mut world = World::new();
        world.init_resource::<Assets<Image>>();
        world.init_resource::<ManualTextureViews>();
        world.init_resource::<Surroundings>();
        world.init_resource::<ViewSettings>();
        world.init_resource::<Messages<SceneStarted>>();
        world.spawn((Window { resolution: (1000, 600).into(), ..default() }, PrimaryWindow));
        let [first, second] = [0, 1]
            .map(|order| world.spawn((View2d::default(), Camera { order, ..default() }, RenderTarget::default())).id());
        let mut insets = Insets::default();
        insets.leave_free(first, Rect::new(400.0, 0.0, 1000.0, 600.0));
        world.insert_resource(insets);
        let area = |world: &mut World| {
            world.run_system_once(frame_views).unwrap();
            world.get::<View2d>(second).unwrap().area
        };
        assert_eq!(area(&mut world), Rect::new(400.0, 0.0, 1000.0, 600.0));
        world.despawn(first);
        assert_eq!(area(&mut world), Rect::new(0.0, 0.0, 1000.0, 600.0));
    }
}
