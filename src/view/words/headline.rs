//! The text of a game without a scene: its name or its score, a line below, and the controls at the bottom.

use bevy::prelude::*;
use bevy_egui::EguiContexts;

use super::labels::Pen;
use crate::{
    scene::CurrentScene,
    view::{
        ViewSettings,
        camera::{insets::Insets, views::Views},
        theme::Theme,
    },
};

/// Text over the main view of a game with neither a scene, whose title would be there, nor a HUD. Write it whenever it
/// changes. The view stays clear of it. Default: empty.
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::view::Headline;
/// # #[derive(Resource)]
/// # struct Score(u32);
/// fn show_score(score: Res<Score>, mut headline: ResMut<Headline>) {
///     *headline = Headline {
///         title: format!("{} points", score.0),
///         about: "Two balls left".into(),
///         help: "Space: serve   ·   R: again".into(),
///     };
/// }
/// # bevy::ecs::system::assert_is_system(show_score);
/// ```
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub struct Headline {
    /// In large type, top left.
    pub title: String,
    /// Below it.
    pub about: String,
    /// At the bottom, centred.
    pub help: String,
}

/// The distance from the bottom of the view to the middle of the help, and the height reserved for it, logical pixels.
const FOOT: [f32; 2] = [24.0, 46.0];

impl Headline {
    /// The text at the top.
    pub(crate) fn top(&self) -> Option<(String, String)> {
        (!self.title.is_empty() || !self.about.is_empty()).then(|| (self.title.clone(), self.about.clone()))
    }

    /// The height that it takes at the bottom, logical pixels.
    pub(crate) fn foot(&self) -> f32 {
        if self.help.is_empty() { 0.0 } else { FOOT[1] }
    }

    fn write_help(&self, pen: &Pen, area: Rect) {
        pen.line(Vec2::new(area.center().x, area.max.y - FOOT[0]), 14.0, &self.help, pen.theme.text.soft);
    }
}

/// Writes the help, and reserves room for it.
pub(crate) fn write_help(
    mut contexts: EguiContexts,
    (views, settings, theme): (Views, Res<ViewSettings>, Res<Theme>),
    (headline, scene, mut insets): (Res<Headline>, Option<Res<CurrentScene>>, ResMut<Insets>),
) {
    let view = views.main();
    insets.set_words("headline", [0.0, if scene.is_none() { headline.foot() } else { 0.0 }]);
    if headline.help.is_empty() || scene.is_some() || insets.own_words.is_some() || !settings.overlay {
        return;
    }
    if let Some(pen) = Pen::new(&mut contexts, view, &theme) {
        headline.write_help(&pen, view.area);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::camera::view2d::View2d;
    use bevy_egui::egui;

    #[test]
    fn the_help_stands_at_the_foot_within_what_the_table_leaves_free() {
        let theme = Theme::default();
        let headline =
            Headline { help: "arrows: flippers   ·   hold Space: plunger   ·   R: again".into(), ..default() };
        for size in [Vec2::new(1280.0, 800.0), Vec2::new(240.0, 320.0)] {
            let mut view = View2d::default();
            view.set_frame(Rect::from_corners(Vec2::ZERO, size));
            let ctx = egui::Context::default();
            let mut written = 0;
            for _ in 0..2 {
                let mut output = ctx.run_ui(egui::RawInput::default(), |ui| {
                    headline.write_help(&Pen::on(ui.ctx(), &view, &theme), view.area);
                });
                output.textures_delta.clear();
                written = output.shapes.len();
                for clipped in &output.shapes {
                    let place = clipped.shape.visual_bounding_rect();
                    assert!(place.min.x >= 0.0 && place.max.x <= size.x, "{place:?} in {size}");
                    assert!(place.min.y >= size.y - headline.foot() && place.max.y <= size.y, "{place:?} in {size}");
                }
            }
            assert_eq!(written, 1);
        }
    }

    #[test]
    fn nothing_to_say_takes_no_room() {
        assert_eq!((Headline::default().foot(), Headline::default().top()), (0.0, None));
        let score = Headline { title: "3 : 2".into(), ..default() };
        assert_eq!((score.foot(), score.top()), (0.0, Some(("3 : 2".into(), String::new()))));
    }
}
