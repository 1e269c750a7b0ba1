//! Pull back from a disc and let go: it is shot the opposite way, the faster the longer the pull. What the cue makes of
//! it is in [`cue`].

use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use tr::tr;

use super::{
    ControlSystems, aim_line, can_draw,
    cue::{self, Aim, AimedShot, CueSettings},
    pointer::allow,
    preview::{self, Preview, PreviewSettings},
};
use crate::{
    collision::{LIMIT, Space, Wall},
    number::decimals,
    scene::Surroundings,
    view::{DrawPicture, MainView, Points, Theme, ViewSystems, sees_layer_0, theme::egui as ink},
};

/// Discs are pulled back and shot, by the mouse, by keys or by numbers; what the shot will do is computed, and drawn
/// where there is a [`Canvas`](crate::view::Canvas).
///
/// What a disc gets is written to its [`Velocity`](crate::components::Velocity), and to its
/// [`AngularVelocity`](crate::components::AngularVelocity) on a billiard table; [`ShotTaken`](super::ShotTaken) tells
/// of it.
pub struct AimPlugin;

impl Plugin for AimPlugin {
    fn build(&self, app: &mut App) {
        allow(app, |controls| controls.shoot = true);
        app.init_resource::<Preview>()
            .init_resource::<Aim>()
            .init_resource::<CueSettings>()
            .init_resource::<PreviewSettings>()
            .register_type::<CueSettings>()
            .register_type::<PreviewSettings>()
            .register_type::<Strength>()
            .add_message::<cue::ShotTaken>()
            .add_systems(
                PreUpdate,
                (preview::keys, cue::keys, cue::shoot, cue::set_up).chain().in_set(ControlSystems::Aim),
            )
            .add_systems(PostUpdate, preview::predict.before(ViewSystems::Draw))
            .add_systems(DrawPicture, aim_line::draw.run_if(sees_layer_0))
            .add_systems(EguiPrimaryContextPass, (aim_line::write_numbers, write_strength).chain().run_if(can_draw));
    }
}

/// How a pull becomes a speed. As a resource it holds for every shot; without it the [`Surroundings`] say, by
/// [`Strength::of`].
#[derive(Resource, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Resource, Debug, PartialEq)]
pub struct Strength {
    /// Speed per length of the pull, 1/s.
    pub per_metre: f32,
    /// The fastest shot, m/s.
    pub most: f32,
}

/// A hard break shot, m/s, and the pull that it takes, m. Break shots of 8 to 11 m/s are usual.
const BREAK: (f32, f32) = (10.0, 0.6);

/// In a laboratory a pull becomes twice its length per second.
const LABORATORY: f32 = 2.0;

impl Strength {
    /// The strength for a scene that is `size` metres long: on a table a break shot is 10 m/s at a pull of 0.6 m; in a
    /// laboratory a pull is twice its length per second, and the fastest shot crosses the scene within a second.
    #[must_use]
    pub fn of(surroundings: Surroundings, size: f32) -> Self {
        match surroundings {
            Surroundings::Table => Self { per_metre: BREAK.0 / BREAK.1, most: BREAK.0 },
            Surroundings::Laboratory => Self { per_metre: LABORATORY, most: size },
        }
    }

    /// The strength in the running scene.
    #[must_use]
    pub fn now(world: &World) -> Self {
        let surroundings = world.get_resource().copied().unwrap_or_default();
        let set = world.get_resource::<Self>().copied();
        set.unwrap_or_else(|| Self::of(surroundings, scene_size(world.resource::<Space>())))
    }

    /// The velocity (m/s) that a pull (metres, from the disc to the hand) gives.
    #[must_use]
    pub fn velocity(self, pull: Vec2) -> Vec2 {
        (-pull * self.per_metre).clamp_length_max(self.most)
    }
}

/// How long a scene is, in metres: the longer side of the box around its terrain, or without terrain around its discs;
/// at least 1.
#[must_use]
pub fn scene_size(space: &Space) -> f32 {
    let terrain =
        space.walls().iter().flat_map(Wall::pieces).flatten().chain(space.fixed_circles().iter().map(|c| c.centre));
    let discs = space.discs.position.iter().copied();
    let extent = |points: &mut dyn Iterator<Item = Vec2>| {
        points
            .map(|point| (point, point))
            .reduce(|(low, high), (a, b)| (low.min(a), high.max(b)))
            .map(|(low, high)| (high - low).max_element())
            .filter(|extent| extent.is_finite())
    };
    let size = if space.walls().is_empty() { extent(&mut terrain.chain(discs)) } else { extent(&mut { terrain }) };
    size.unwrap_or(1.0).clamp(1.0, LIMIT)
}

/// What [`Strength::now`] needs, as a parameter of systems.
#[derive(bevy::ecs::system::SystemParam)]
pub(super) struct PresentStrength<'w> {
    set: Option<Res<'w, Strength>>,
    surroundings: Option<Res<'w, Surroundings>>,
    space: Res<'w, Space>,
}

impl PresentStrength<'_> {
    pub(super) fn get(&self) -> Strength {
        let surroundings = self.surroundings.as_deref().copied();
        self.set
            .as_deref()
            .copied()
            .unwrap_or_else(|| Strength::of(surroundings.unwrap_or_default(), scene_size(&self.space)))
    }
}

/// The number and the bar beside the disc that is aimed with.
fn write_strength(
    mut contexts: EguiContexts,
    aim: Res<Aim>,
    strength: PresentStrength,
    (view, theme): (MainView, Res<Theme>),
) -> Result {
    let strength = strength.get();
    let Some(shot) = aim.shot else { return Ok(()) };
    let AimedShot { centre, radius, velocity, .. } = shot;
    let ctx = contexts.ctx_mut()?;
    let painter = ctx.layer_painter(egui::LayerId::background());
    let share = (velocity.length() / strength.most).clamp(0.0, 1.0);
    let words = painter.layout_no_wrap(strength_words(&shot), egui::FontId::proportional(14.0), ink(theme.text.first));
    let points = Points::of(ctx);
    let size = egui::vec2(words.size().x.max(112.0), 7.0);
    let (reach, way) =
        (points.length(radius * view.pixels_per_metre) + 26.0, view.in_window(velocity).normalize_or_zero());
    // Where the cue comes from below, and the hand with it, they stand beside the disc.
    let beside = if way.y < -0.7 { egui::vec2(reach + 0.5 * size.x, -9.0) } else { egui::vec2(0.0, reach) };
    let bar = egui::Rect::from_center_size(points.place(view.to_screen(centre)) + beside, size);
    let plate = bar.expand2(egui::vec2(10.0, 0.0)).with_max_y(bar.max.y + 28.0).with_min_y(bar.min.y - 9.0);
    let aside = way_into(plate, points.part(view.area));
    let (bar, plate) = (bar.translate(aside), plate.translate(aside));
    painter.rect_filled(plate, 8, ink(theme.text.notice));
    painter.rect_filled(bar, 4, ink(theme.panel.raised));
    let filled = bar.with_max_x(bar.min.x + bar.width() * share);
    painter.rect_filled(filled, 4, ink(heat(&theme, share)));
    painter.galley(bar.center_bottom() + egui::vec2(-0.5 * words.size().x, 4.0), words, ink(theme.text.first));
    Ok(())
}

/// How far a rectangle has to be moved to lie in another; where it is larger its left upper corner does.
fn way_into(rect: egui::Rect, whole: egui::Rect) -> egui::Vec2 {
    let along = |least: f32, most: f32, from: f32, to: f32| (to - most).min(0.0).max(from - least);
    egui::vec2(
        along(rect.min.x, rect.max.x, whole.min.x, whole.max.x),
        along(rect.min.y, rect.max.y, whole.min.y, whole.max.y),
    )
}

/// What stands beside the bar: speed and direction, the elevation where there is one, or that there is no shot.
fn strength_words(shot: &AimedShot) -> String {
    let speed = shot.velocity.length();
    let turned = shot.velocity.to_angle().to_degrees();
    let shot_words = format!("{speed:.2} m/s · {}°", decimals(turned, 2));
    match shot.stroke {
        Some(Err(_)) => tr!("miscue: aim nearer to the middle"),
        _ if shot.is_raised => tr!("{} · cue raised to {}°", shot_words, format!("{:.1}", shot.elevation)),
        _ if shot.elevation > 0.0 => tr!("{} · cue at {}°", shot_words, format!("{:.1}", shot.elevation)),
        _ => shot_words,
    }
}

/// From the colour of a weak shot through that in the middle to that of a strong one.
fn heat(theme: &Theme, share: f32) -> Srgba {
    if share < 0.5 {
        theme.aim.weak.mix(&theme.text.accent, share * 2.0)
    } else {
        theme.text.accent.mix(&theme.aim.strong, share * 2.0 - 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::components::{Position, Rotation, Terrain};

    #[test]
    fn a_pull_of_sixty_centimetres_is_a_break_shot_and_nothing_is_faster() {
        let strength = Strength::of(Surroundings::Table, 2.54);
        assert!((strength.velocity(vec2(-0.6, 0.0)) - vec2(10.0, 0.0)).length() < 1e-4);
        assert!((strength.velocity(vec2(0.0, 3.0)) - vec2(0.0, -10.0)).length() < 1e-4);
        assert!((strength.velocity(vec2(0.0, 0.06)) - vec2(0.0, -1.0)).length() < 1e-4);
    }

    #[test]
    fn in_a_laboratory_the_fastest_shot_crosses_the_scene_in_a_second() {
        let strength = Strength::of(Surroundings::Laboratory, 8.0);
        assert_eq!(strength.velocity(vec2(1.0, 0.0)), vec2(-2.0, 0.0));
        assert!((strength.velocity(vec2(100.0, 0.0)).length() - 8.0).abs() < 1e-4);
    }

    #[test]
    fn the_size_of_a_scene_is_that_of_its_walls() {
        let wall = Terrain::Segment { a: vec2(-2.0, 0.0), b: vec2(3.0, 1.0) };
        let mut space = Space::default();
        space.add_terrain(Entity::PLACEHOLDER, &wall, Position::default(), Rotation::default(), None);
        space.finish_terrain();
        assert!((scene_size(&space) - 5.0).abs() < 1e-6);
        assert!((scene_size(&Space::default()) - 1.0).abs() < 1e-6);
    }
}
