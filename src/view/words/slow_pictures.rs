//! What egui needs where few pictures are drawn a second, as on a page without a graphics processor.

use bevy::{asset::AssetEventSystems, prelude::*};
use bevy_egui::{EguiContexts, EguiPostUpdateSet, EguiPrimaryContextPass, egui::InputOptions};

pub(crate) fn plugin(app: &mut App) {
    // Letters that are new in a picture are there with it, and not one picture later.
    app.configure_sets(PostUpdate, EguiPostUpdateSet::PostProcessOutput.before(AssetEventSystems))
        .add_systems(EguiPrimaryContextPass, take_slow_clicks);
}

/// A press is a click for so many pictures at least, and as many seconds as egui takes else.
const PICTURES: f32 = 4.0;

/// A press and its release come with pictures: where these are slow, every click seems long. One quick picture among
/// slow ones changes little.
fn take_slow_clicks(mut contexts: EguiContexts, time: Res<Time<Real>>, mut slowest: Local<f32>) -> Result {
    const FORGOTTEN: f32 = 0.8;
    *slowest = time.delta_secs().max(FORGOTTEN * *slowest);
    let wanted = longest_click(*slowest);
    let ctx = contexts.ctx_mut()?;
    if ctx.options(|options| options.input_options.max_click_duration) != wanted {
        ctx.options_mut(|options| options.input_options.max_click_duration = wanted);
    }
    Ok(())
}

/// How long a press may be to be a click, seconds, where a picture takes so long.
fn longest_click(picture: f32) -> f64 {
    f64::from(PICTURES * picture).max(InputOptions::default().max_click_duration)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_click_takes_some_pictures_where_these_are_slow() {
        let usual = InputOptions::default().max_click_duration;
        assert_eq!(longest_click(1.0 / 60.0), usual);
        assert_eq!(longest_click(1.0), 4.0);
    }
}
