//! Adjusts egui to low frame rates, such as on a page without a GPU.

use bevy::{asset::AssetEventSystems, prelude::*};
use bevy_egui::{EguiContexts, EguiPostUpdateSet, EguiPrimaryContextPass, egui::InputOptions};

pub(crate) fn plugin(app: &mut App) {
    // New letters appear in the same frame, not one frame later.
    app.configure_sets(PostUpdate, EguiPostUpdateSet::PostProcessOutput.before(AssetEventSystems))
        .add_systems(EguiPrimaryContextPass, take_slow_clicks);
}

/// The longest press that is a click, in frames. It is never shorter than egui's default in seconds.
const FRAMES: f32 = 4.0;

/// Input arrives once per frame, so at a low frame rate every click seems long. A single fast frame among slow ones
/// changes little.
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

/// The longest press that is a click, seconds, at this frame time.
fn longest_click(frame: f32) -> f64 {
    f64::from(FRAMES * frame).max(InputOptions::default().max_click_duration)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_click_may_take_several_frames_where_they_are_slow() {
        let usual = InputOptions::default().max_click_duration;
        assert_eq!(longest_click(1.0 / 60.0), usual);
        assert_eq!(longest_click(1.0), 4.0);
    }
}
