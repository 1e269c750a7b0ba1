//! Floating buttons without the panel: one starts a scene that begins paused, and in a small view another restarts it.
//! A reader of a lesson's figure does not know the keys. With touch input, the start button appears whenever time is
//! paused.

use bevy::prelude::*;
use bevy_egui::{
    EguiContexts,
    egui::{self, Align2, RichText},
};
use tr::tr;

use crate::{
    collision::PhysicsSpace,
    games::plugin::CurrentMatch,
    input::{
        PointingDevice,
        actions::{Control, KeyMap},
    },
    scene::{CurrentScene, SceneCommand},
    shell::{Overlays, widgets::floating_button},
    timeline::Playback,
    view::{Covered, Points, View2d, ViewSettings, Views, is_small},
};

/// The distance from the lower edge of the free area, logical pixels: above the hint, or in its place if there is no
/// room for both. In a low view the button is in the corner, beside centred text.
const FOOT: [f32; 2] = [72.0, 8.0];

/// Shows the start button over a scene that begins paused and has not run, and with touch input whenever time is
/// paused. While time runs, it shows the restart button for such a scene.
pub(crate) fn show(
    mut contexts: EguiContexts,
    (views, settings, covered): (Views, Option<Res<ViewSettings>>, Res<Covered>),
    (overlays, live, space, scene): (
        Res<Overlays>,
        Option<Res<CurrentMatch>>,
        Res<PhysicsSpace>,
        Option<Res<CurrentScene>>,
    ),
    (keys, device): (Res<KeyMap>, Option<Res<PointingDevice>>),
    (mut playback, mut has_run, mut commands): (ResMut<Playback>, Local<bool>, Option<MessageWriter<SceneCommand>>),
) -> Result {
    let view = views.main();
    *has_run = !playback.paused || *has_run && space.clock.tick > 0;
    let by_fingers = device.is_some_and(|device| *device == PointingDevice::Finger);
    let begins_paused = scene.is_some_and(|scene| scene.file.pace.paused);
    let is_wanted =
        if playback.paused { !*has_run || by_fingers } else { begins_paused && (by_fingers || is_small(view)) };
    let is_covered = overlays.panel || covered.0 || overlays.help || view.is_out_of_sight();
    // A match has its own controls, and a person who has turned the text off wants a plain view.
    if !is_wanted || is_covered || live.is_some() || settings.is_some_and(|settings| !settings.overlay) {
        return Ok(());
    }
    let (sign, what, control) = if !playback.paused {
        ("\u{21ba}", tr!("Restart"), Control::Restart)
    } else if *has_run || space.clock.tick > 0 {
        ("\u{25b6}", tr!("Resume"), Control::Pause)
    } else {
        ("\u{25b6}", tr!("Start"), Control::Pause)
    };
    let tip = (!by_fingers).then(|| keys.tip(&what, control));
    if !lay_out(contexts.ctx_mut()?, view, &[sign, &what].join("  "), tip) {
        return Ok(());
    }
    if playback.paused {
        playback.toggle();
    } else if let Some(commands) = &mut commands {
        commands.write(SceneCommand::Restart);
    }
    Ok(())
}

/// Returns whether it was pressed.
fn lay_out(ctx: &egui::Context, view: &View2d, words: &str, tip: Option<String>) -> bool {
    let area = view.area;
    let (x, pivot) = if is_small(view) && area.width() > area.height() {
        (area.max.x - 8.0, Align2::RIGHT_BOTTOM)
    } else {
        (area.center().x, Align2::CENTER_BOTTOM)
    };
    let foot = Points::of(ctx).place(Vec2::new(x, area.max.y - FOOT[usize::from(is_small(view))]));
    floating_button(ctx, "go on", (foot, pivot), |ui| {
        let words = RichText::new(words).size(16.0);
        let button = ui.add(egui::Button::new(words).min_size(egui::vec2(96.0, 34.0)));
        match tip {
            Some(tip) => button.on_hover_text(tip),
            None => button,
        }
    })
}

#[cfg(test)]
mod tests {
    use bevy_egui::PrimaryEguiContext;

    use super::*;
    use crate::{
        scene::{Pace, SceneFile},
        view::ViewCamera,
    };

    const WINDOW: [f32; 2] = [800.0, 600.0];

    /// Whether it is shown over a scene that begins paused, after these changes in order.
    fn is_shown<const N: usize>(changes: [fn(&mut World); N]) -> bool {
        shown(WINDOW, changes).is_some()
    }

    /// Its text then in a window of this size.
    fn shown<const N: usize>(window: [f32; 2], changes: [fn(&mut World); N]) -> Option<&'static str> {
        let mut app = App::new();
        app.init_resource::<bevy_egui::EguiUserTextures>()
            .init_resource::<PhysicsSpace>()
            .init_resource::<KeyMap>()
            .insert_resource(Overlays { panel: false, ..default() })
            .init_resource::<Covered>()
            .insert_resource(CurrentScene { source: default(), file: begins_paused(), warnings: Vec::new() })
            .insert_resource(Playback { paused: true, ..default() });
        let mut view = View2d::default();
        view.set_frame(Rect::from_corners(Vec2::ZERO, window.into()));
        let mut context = bevy_egui::EguiContext::default();
        let ctx = context.get_mut().clone();
        app.world_mut().spawn((ViewCamera, view));
        app.world_mut().spawn((context, PrimaryEguiContext));
        let mut frame = |change: fn(&mut World)| {
            change(app.world_mut());
            let input = egui::RawInput::default();
            let mut output = ctx.run_ui(input, |_| app.world_mut().run_system_cached::<(), _, _>(show).unwrap());
            output.textures_delta.clear();
            output.shapes.iter().find_map(|clipped| match &clipped.shape {
                egui::Shape::Text(text) => {
                    ["Start", "Resume", "Restart"].into_iter().find(|words| text.galley.text().contains(words))
                }
                _ => None,
            })
        };
        for change in changes {
            frame(change);
        }
        // In its first frame an egui area only measures its size.
        frame(|_| ());
        frame(|_| ())
    }

    fn begins_paused() -> SceneFile {
        SceneFile { pace: Pace { paused: true, ..default() }, ..default() }
    }

    #[test]
    fn a_figure_that_was_set_going_can_begin_anew() {
        let toggle: fn(&mut World) = |world| world.resource_mut::<Playback>().toggle();
        let finger: fn(&mut World) = |world| world.insert_resource(PointingDevice::Finger);
        let runs: fn(&mut World) = |world| world.resource_mut::<CurrentScene>().file.pace.paused = false;
        let figure = [500.0, 320.0];
        assert_eq!(shown(figure, []), Some("Start"));
        assert_eq!(shown(figure, [toggle]), Some("Restart"));
        // In a large window there are keys or the panel. Touch input has neither without the panel.
        assert_eq!(shown(WINDOW, [toggle]), None);
        assert_eq!(shown(WINDOW, [toggle, finger]), Some("Restart"));
        let step: fn(&mut World) = |world| world.resource_mut::<PhysicsSpace>().clock.tick += 1;
        assert_eq!(shown(figure, [toggle, step, finger, toggle]), Some("Resume"));
        // A scene that runs from the start needs no restart button.
        assert_eq!(shown(figure, [runs, toggle, finger]), None);
    }

    #[test]
    fn a_scene_that_begins_paused_can_be_set_going_without_the_panel() {
        let step: fn(&mut World) = |world| world.resource_mut::<PhysicsSpace>().clock.tick += 1;
        let toggle: fn(&mut World) = |world| world.resource_mut::<Playback>().toggle();
        assert!(is_shown([]));
        assert!(!is_shown([|world| world.resource_mut::<Overlays>().panel = true]));
        assert!(!is_shown([|world| world.resource_mut::<Covered>().0 = true]));
        assert!(!is_shown([|world| world.resource_mut::<Overlays>().help = true]));
        assert!(!is_shown([|world| world.insert_resource(ViewSettings { overlay: false, ..default() })]));
        assert!(!is_shown([toggle]));
        assert!(is_shown([step]), "single ticks do not set it going");
        // A person who pauses with a key knows the key.
        assert!(!is_shown([toggle, step, toggle]));
        assert!(is_shown([toggle, step, toggle, |world| world.insert_resource(PointingDevice::Finger)]));
        // A scene starts.
        assert!(is_shown([toggle, step, toggle, |world| world.resource_mut::<PhysicsSpace>().clock.tick = 0]));
    }
}
