//! The heights of balls in the air, in words beside them.

use bevy::prelude::*;
use bevy_egui::EguiContexts;

use super::{labels::Pen, measures::metres_in_words};
use crate::{
    components::{Disc, Inactive, Radius},
    interpolation::{Drawn, DrawnHeight},
    scene::OwnLook,
    view::{
        ViewSettings,
        camera::{current_view::ShownTo, views::Views},
        theme::Theme,
    },
};

/// The most balls with a height beside them.
const MAX: usize = 400;

/// Lower balls look as if they were on the cloth, metres.
const LOWEST_READOUT: f32 = 5e-4;

/// The height of a ball in words, in whole millimetres; `None` if it is too low to say.
pub(crate) fn height_in_words(height: f32) -> Option<String> {
    (height >= LOWEST_READOUT).then(|| metres_in_words((height * 1e3).round() / 1e3))
}

/// The balls in the air.
type Above = (&'static Drawn, &'static DrawnHeight, &'static Radius, ShownTo);

/// Writes the heights of balls above the cloth beside them.
pub(crate) fn write_heights(
    mut contexts: EguiContexts,
    (views, settings, theme): (Views, Res<ViewSettings>, Res<Theme>),
    balls: Query<Above, (With<Disc>, Without<OwnLook>, Without<Inactive>)>,
) {
    let (view, layers) = (views.main(), views.layers(None));
    if !settings.labels || balls.is_empty() {
        return;
    }
    let Some(pen) = Pen::new(&mut contexts, view, &theme) else { return };
    let seen = balls.iter().take(MAX).filter_map(|(drawn, height, radius, shown)| {
        let words = height_in_words(height.shown).filter(|_| shown.to(layers))?;
        let (at, pixels) = (view.to_screen(drawn.shown), radius.0 * view.pixels_per_metre);
        (at.is_finite() && view.area.inflate(pixels).contains(at)).then_some((words, at, pixels))
    });
    let seen: Vec<_> = seen.collect();
    let mut taken: Vec<_> = seen.iter().map(|(_, at, pixels)| pen.part_of_disc(*at, 0.7 * pixels)).collect();
    for (words, at, pixels) in &seen {
        pen.beside((*at, 0.85 * pixels + 6.0), (words, 13.0, theme.text.first), &mut taken);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heights_are_said_in_whole_millimetres() {
        let said = [0.0, 4e-4, 6e-4, 0.0094, 0.0287, 0.1234, f32::NAN].map(height_in_words);
        let words = [None, None, Some("1 mm"), Some("9 mm"), Some("2.9 cm"), Some("12.3 cm"), None];
        assert_eq!(said, words.map(|words| words.map(str::to_owned)));
    }
}
