//! Screenshots and recordings of the window, and the progress of a recording.

use bevy::prelude::*;
use bevy_egui::egui::{ProgressBar, Ui};
use tr::tr;

use super::{
    field::Field,
    widgets::{edit, usable},
};
use crate::{
    shell::{AnimationFormat, CaptureProgress, CaptureRequest, CaptureSettings},
    view::Named,
};

/// If the app can take screenshots.
pub(super) fn applies(world: &World) -> bool {
    world.contains_resource::<CaptureProgress>()
        && world.contains_resource::<CaptureSettings>()
        && world.contains_resource::<Messages<CaptureRequest>>()
}

pub(super) fn show(ui: &mut Ui, world: &mut World) {
    let progress = *world.resource::<CaptureProgress>();
    let mut wanted = None;
    ui.horizontal(|ui| {
        let picture = ui.button(tr!("Screenshot")).named(tr!("Take a screenshot"));
        if picture.on_hover_text(tr!("Saves a picture of the window to your pictures folder")).clicked() {
            wanted = Some(CaptureRequest::Screenshot);
        }
        let (symbol, name, help, asks) = if let CaptureProgress::Recording { .. } = progress {
            ("⏹", tr!("Stop"), tr!("Stops the recording and saves it"), CaptureRequest::Stop)
        } else {
            ("⏺", tr!("Record"), tr!("Starts a recording"), CaptureRequest::Record)
        };
        let can = !matches!(progress, CaptureProgress::Writing { .. });
        let button = usable(ui, can, |ui| ui.button([symbol, &name].join("  "))).named(name);
        if button
            .on_hover_text(help)
            .on_disabled_hover_text(tr!("The previous recording is still being written"))
            .clicked()
        {
            wanted = Some(asks);
        }
    });
    match progress {
        CaptureProgress::Idle => {}
        CaptureProgress::Recording { seconds, of } => {
            let text = tr!("{} of {} s", format!("{seconds:.1}"), format!("{of:.1}"));
            ui.add(ProgressBar::new(seconds / of.max(0.1)).text(text)).named(tr!("Recording"));
        }
        CaptureProgress::Writing { done, of } => {
            let text = tr!("{} of {} frames written", done, of);
            ui.add(ProgressBar::new(done as f32 / of.max(1) as f32).text(text)).named(tr!("Writing the recording"));
        }
    }
    let start = CaptureSettings::default();
    edit(world, |settings: &mut CaptureSettings| {
        Field::new(
            tr!("Format"),
            tr!("File format of recordings. GIF has 256 colours and plays everywhere. Animated PNG has all colours \
                and is larger."),
        )
        .choice(ui, &mut settings.format, &AnimationFormat::ALL, start.format);
        Field::new(tr!("Length"), tr!("Length of a recording, in seconds of real time."))
            .range(CaptureSettings::SECONDS)
            .unit(" s")
            .digits(1)
            .log()
            .slider(ui, &mut settings.seconds, start.seconds);
        Field::new(
            tr!("Frame rate"),
            tr!("Frames per second of a recording. A machine that cannot keep up records fewer, with the timing \
                unchanged."),
        )
        .range(CaptureSettings::RATE)
        .unit(" /s")
        .digits(0)
        .slider(ui, &mut settings.rate, start.rate);
        Field::new(tr!("Include panel"), tr!("Includes the panel. When off, the panel is cropped out.")).switch(
            ui,
            &mut settings.panel,
            start.panel,
        );
        Field::new(tr!("Half size"), tr!("Records at half the width and height, a quarter of the size.")).switch(
            ui,
            &mut settings.half_size,
            start.half_size,
        );
    });
    if let Some(wanted) = wanted {
        world.write_message(wanted);
    }
}

#[cfg(test)]
mod tests {
    use egui_kittest::{Harness, kittest::Queryable};

    use super::*;

    fn harness(progress: CaptureProgress) -> Harness<'static, World> {
        let mut world = World::new();
        world.insert_resource(progress);
        world.init_resource::<CaptureSettings>();
        world.init_resource::<Messages<CaptureRequest>>();
        assert!(applies(&world));
        Harness::builder().with_size([400.0, 400.0]).build_ui_state(show, world)
    }

    fn asked(harness: &mut Harness<World>) -> Vec<CaptureRequest> {
        harness.run_steps(2);
        harness.state_mut().resource_mut::<Messages<CaptureRequest>>().drain().collect()
    }

    #[test]
    fn buttons_ask_for_a_picture_and_a_recording_and_its_end() {
        let mut idle = harness(CaptureProgress::Idle);
        idle.get_by_label("Take a screenshot").click();
        assert_eq!(asked(&mut idle), [CaptureRequest::Screenshot]);
        idle.get_by_label("Record").click();
        assert_eq!(asked(&mut idle), [CaptureRequest::Record]);
        assert!(idle.query_by_label("Recording").is_none());

        let mut recording = harness(CaptureProgress::Recording { seconds: 1.0, of: 4.0 });
        assert!(recording.query_by_label("Recording").is_some());
        recording.get_by_label("Stop").click();
        assert_eq!(asked(&mut recording), [CaptureRequest::Stop]);

        let mut writing = harness(CaptureProgress::Writing { done: 3, of: 4 });
        assert!(writing.query_by_label("Writing the recording").is_some());
        writing.get_by_label("Record").click();
        assert_eq!(asked(&mut writing), [], "one at a time");
    }
}
