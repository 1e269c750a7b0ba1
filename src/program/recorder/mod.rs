//! Screenshots and recordings of the window, requested in the panel or by key. They are saved in the folder *carom* in
//! the user's folder for pictures, or else in the current folder.
//!
//! During a recording, at most a few frames at a time are on their way back from the graphics adapter. A thread packs
//! each frame and finally writes the file, so the window does not wait for it. Each frame lasts as long as it was
//! visible. A slow machine therefore makes a recording with fewer frames, not a slower one.
//!
//! | file | contents |
//! |---|---|
//! | `recording` | [`Recording`]: the phase of a recording, as a state machine |
//! | `encode` | the thread: from frames to a file |

use std::{
    path::{Path, PathBuf},
    sync::{
        Mutex,
        mpsc::{self, Receiver, Sender},
    },
    thread,
};

use bevy::{
    prelude::*,
    render::view::screenshot::{Screenshot, ScreenshotCaptured},
    window::PrimaryWindow,
};
use tr::tr;

use super::folders;
use crate::{
    notice::Notices,
    program::image_files::{Frame, png},
    shell::{AnimationFormat, CaptureProgress, CaptureRequest, CaptureSettings},
    storage::{is_there, make_folder, write_whole},
    view::{View2d, Views},
};
use encode::{encode, failed};
use recording::Recording;

mod encode;
mod recording;

/// Carries out each [`CaptureRequest`].
pub(super) fn plugin(app: &mut App) {
    app.init_resource::<CaptureProgress>()
        .init_resource::<Recorder>()
        .add_systems(Update, (begin_and_stop, take_pictures, read_reports, show_progress).chain());
}

enum Report {
    /// A frame of this recording was packed to this size.
    Packed { recording: u64, bytes: usize },
    /// This many frames of this recording are in the file.
    Written { recording: u64, count: usize },
    /// The end of a recording, by its number, or of a screenshot (none): its file, or an error.
    Finished { recording: Option<u64>, outcome: Result<PathBuf, String> },
}

/// The current recording, and the channel from the threads.
#[derive(Resource)]
struct Recorder {
    running: Option<Recording>,
    /// The number of recordings so far. Late reports of an earlier one are recognized by it.
    recordings: u64,
    sender: Sender<Report>,
    reports: Mutex<Receiver<Report>>,
    /// The number of the last file, which may not be written yet.
    last_file: u32,
}

impl Default for Recorder {
    fn default() -> Self {
        let (sender, reports) = mpsc::channel();
        Self { running: None, recordings: 0, sender, reports: Mutex::new(reports), last_file: 0 }
    }
}

impl Recorder {
    /// The current recording, if it has this number.
    fn running(&mut self, number: u64) -> Option<&mut Recording> {
        self.running.as_mut().filter(|running| running.number == number)
    }

    /// Begins a recording. `now` is in real seconds since the start of the program.
    fn begin(&mut self, settings: CaptureSettings, part: Option<URect>, now: f64) -> Result<(), String> {
        let ending = match settings.format {
            AnimationFormat::Gif => "gif",
            AnimationFormat::Apng => "png",
        };
        let path = next_file(&folders::pictures(), &mut self.last_file, ending)?;
        let (pictures, inbox) = mpsc::channel();
        let (sender, wanted) = (self.sender.clone(), settings.clone());
        let number = self.recordings + 1;
        in_background(move || {
            let outcome = encode(&inbox, &wanted, part, &path, |report| _ = sender.send(report(number))).map(|()| path);
            let _ = sender.send(Report::Finished { recording: Some(number), outcome });
        })?;
        self.recordings = number;
        self.running = Some(Recording::new(number, settings, now, pictures));
        Ok(())
    }

    /// Processes a report of a thread.
    fn read(&mut self, report: Report, notices: &mut Notices) {
        match report {
            Report::Packed { recording, bytes } => {
                if let Some(running) = self.running(recording) {
                    running.packed(bytes);
                }
            }
            Report::Written { recording, count } => {
                if let Some(running) = self.running(recording) {
                    running.written(count);
                }
            }
            Report::Finished { recording, outcome } => {
                if recording.is_some_and(|number| self.running(number).is_some()) {
                    self.running = None;
                }
                match outcome {
                    Ok(path) if recording.is_some() => notices.info(tr!("Recording: {}", path.display())),
                    Ok(path) => notices.info(tr!("Screenshot: {}", path.display())),
                    Err(reason) => notices.error(reason),
                }
            }
        }
    }
}

/// The part of a frame that the panel does not cover, physical pixels. None: the whole frame.
fn part(settings: &CaptureSettings, view: &View2d, window: &Window) -> Option<URect> {
    let scale = window.scale_factor();
    let area = view.area;
    let seen = URect::from_corners((area.min * scale).round().as_uvec2(), (area.max * scale).round().as_uvec2());
    (!settings.panel && seen.size().min_element() > 0).then_some(seen)
}

/// The next free file name with this ending, with a number above `last`. Creates the folder.
fn next_file(folder: &Path, last: &mut u32, ending: &str) -> Result<PathBuf, String> {
    make_folder(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let taken =
        |number: u32| ["png", "gif"].iter().any(|ending| is_there(&folder.join(format!("carom-{number}.{ending}"))));
    let number = (*last + 1..10_000).find(|&number| !taken(number));
    let number = number.ok_or_else(|| tr!("there are 9,999 pictures in this folder already; move some away"))?;
    // The file is written later, so its number is taken from now on.
    *last = number;
    Ok(folder.join(format!("carom-{number}.{ending}")))
}

/// Takes a screenshot, or begins or ends a recording, as requested.
fn begin_and_stop(
    mut requests: MessageReader<CaptureRequest>,
    mut recorder: ResMut<Recorder>,
    settings: Res<CaptureSettings>,
    (views, window): (Views, Option<Single<&Window, With<PrimaryWindow>>>),
    time: Res<Time<Real>>,
    (mut commands, mut notices): (Commands, ResMut<Notices>),
) {
    let view = views.main();
    let now = time.elapsed_secs_f64();
    for request in requests.read() {
        let Some(window) = &window else { continue };
        let settings = settings.in_range();
        let part = part(&settings, view, window);
        let begun = match request {
            CaptureRequest::Screenshot => take_screenshot(&mut recorder, &mut commands, part),
            CaptureRequest::Record if recorder.running.is_none() => recorder.begin(settings, part, now),
            CaptureRequest::Record => Ok(()),
            CaptureRequest::Stop => {
                recorder.running.iter_mut().for_each(|running| running.stop(now));
                Ok(())
            }
        };
        if let Err(reason) = begun {
            notices.error(reason);
        }
    }
}

fn take_screenshot(recorder: &mut Recorder, commands: &mut Commands, part: Option<URect>) -> Result<(), String> {
    let path = next_file(&folders::pictures(), &mut recorder.last_file, "png")?;
    let sender = recorder.sender.clone();
    commands.spawn(Screenshot::primary_window()).observe(move |captured: On<ScreenshotCaptured>| {
        let (image, path, sender) = (captured.image.clone(), path.clone(), sender.clone());
        let write = {
            let sender = sender.clone();
            move || {
                let written = Frame::of(image, part, false).and_then(|frame| {
                    let bytes = png(&frame).map_err(|error| error.to_string())?;
                    write_whole(&path, &bytes).map_err(|error| failed(&path, &error))
                });
                let _ = sender.send(Report::Finished { recording: None, outcome: written.map(|()| path) });
            }
        };
        // Browsers have no second thread.
        let begun = if cfg!(target_arch = "wasm32") {
            write();
            Ok(())
        } else {
            in_background(write)
        };
        if let Err(reason) = begun {
            let _ = sender.send(Report::Finished { recording: None, outcome: Err(reason) });
        }
    });
    Ok(())
}

fn in_background(work: impl FnOnce() + Send + 'static) -> Result<(), String> {
    let begun = thread::Builder::new().name("recorder".to_owned()).spawn(work);
    begun.map(drop).map_err(|error| tr!("pictures cannot be written here ({})", error))
}

/// Requests frames for the current recording.
fn take_pictures(mut recorder: ResMut<Recorder>, time: Res<Time<Real>>, mut commands: Commands) {
    let Some(running) = &mut recorder.bypass_change_detection().running else { return };
    let Some(seconds) = running.next_picture(time.elapsed_secs_f64()) else { return };
    let number = running.number;
    commands.spawn(Screenshot::primary_window()).observe(
        move |captured: On<ScreenshotCaptured>, mut recorder: ResMut<Recorder>| {
            // The frame may arrive after that recording has ended and another has begun.
            if let Some(running) = recorder.running(number) {
                running.came_back(seconds, captured.image.clone());
            }
        },
    );
}

fn read_reports(mut recorder: ResMut<Recorder>, mut notices: ResMut<Notices>) {
    let recorder = recorder.bypass_change_detection();
    let reports: Vec<Report> =
        recorder.reports.get_mut().map(|reports| reports.try_iter().collect()).unwrap_or_default();
    for report in reports {
        recorder.read(report, &mut notices);
    }
}

fn show_progress(recorder: Res<Recorder>, mut progress: ResMut<CaptureProgress>, time: Res<Time<Real>>) {
    let now = time.elapsed_secs_f64();
    let running = recorder.running.as_ref();
    progress.set_if_neq(running.map_or(CaptureProgress::Idle, |running| running.progress(now)));
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_comes_late_of_one_recording_does_not_count_for_the_next() {
        let (mut recorder, mut notices) = (Recorder::default(), Notices::default());
        let begin = |recorder: &mut Recorder| {
            recorder.recordings += 1;
            let (pictures, inbox) = mpsc::channel();
            recorder.running = Some(Recording::new(recorder.recordings, CaptureSettings::default(), 0.0, pictures));
            inbox
        };
        let _first = begin(&mut recorder);
        let finished = |number| Report::Finished { recording: Some(number), outcome: Err("it is full".to_owned()) };
        recorder.read(finished(1), &mut notices);
        assert!(recorder.running.is_none());
        let second = begin(&mut recorder);
        assert!(recorder.running(1).is_none(), "a picture of the first is for nobody");
        recorder.read(Report::Written { recording: 1, count: 9 }, &mut notices);
        recorder.read(finished(1), &mut notices);
        let running = recorder.running(2).expect("the second continues");
        running.came_back(0.5, Image::default());
        assert_eq!(second.try_iter().count(), 1);
        recorder.read(finished(2), &mut notices);
        assert!(recorder.running.is_none());
    }

    #[test]
    fn a_notice_names_the_whole_path_of_a_picture() {
        assert!(folders::pictures().is_absolute(), "{:?}", folders::pictures());
    }

    #[test]
    fn names_are_not_given_twice() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("carom-2.gif"), "").unwrap();
        let mut last = 0;
        let inside = folder.path().join("pictures");
        assert_eq!(next_file(&inside, &mut last, "png").unwrap(), inside.join("carom-1.png"));
        let mut last = 0;
        let names: Vec<_> = (0..2).map(|_| next_file(folder.path(), &mut last, "png").unwrap()).collect();
        assert_eq!(names, [1, 3].map(|number| folder.path().join(format!("carom-{number}.png"))));
    }
}
