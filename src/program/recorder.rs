//! Pictures and recordings of the window, as the panel and the keys ask for them. They lie in the folder *carom* in the person's folder for pictures, or
//! where there is none in the current folder.
//!
//! While a recording runs, pictures of the window come back from the graphics adapter, a few at a time. A thread packs each, and in the end makes the file of
//! them: the window does not wait for it. Each picture is shown for as long as it was seen, so a slow machine makes a recording with fewer pictures, not a
//! slower one.

use std::{
    fs, io,
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

use super::render::{Apng, Frame, Gif, pack, png, unpack};
use crate::{
    scene::{Destination, Notices, write_whole},
    view::{AnimationFormat, Capture, CaptureProgress, CaptureSettings, MainView, View2d},
};

/// How many pictures may be on their way at once. More would only fill the memory of a machine that cannot keep up.
const ON_THE_WAY: usize = 4;

/// How much memory the packed pictures of a recording may take, bytes; then it ends.
const MEMORY: usize = 1 << 30;

/// How long the last pictures may take to come back, real seconds.
const PATIENCE: f64 = 5.0;

/// Takes what [`Capture`] asks for.
pub(super) fn plugin(app: &mut App) {
    app.init_resource::<CaptureProgress>()
        .init_resource::<Recorder>()
        .add_systems(Update, (hear, record, report).chain());
}

/// What the threads tell.
enum Told {
    /// A picture was packed, and takes so many bytes.
    Packed(usize),
    /// So many pictures are in the file.
    Written(usize),
    /// What came of a picture or a recording: its file, or why there is none.
    Done { recording: bool, outcome: Result<PathBuf, String> },
}

/// The recording that runs, and what the threads tell.
#[derive(Resource)]
struct Recorder {
    running: Option<Running>,
    tell: Sender<Told>,
    told: Mutex<Receiver<Told>>,
    /// The number of the last file, which may not be written yet.
    last: u32,
}

impl Default for Recorder {
    fn default() -> Self {
        let (tell, told) = mpsc::channel();
        Self { running: None, tell, told: Mutex::new(told), last: 0 }
    }
}

/// A recording that runs.
struct Running {
    settings: CaptureSettings,
    /// When it began and when the next picture is due, real seconds since the program began.
    began: f64,
    next: f64,
    /// Since when no more pictures are taken.
    ended: Option<f64>,
    /// How many pictures were asked for, have come back, and were packed.
    asked: usize,
    returned: usize,
    packed: usize,
    /// What the packed pictures take, bytes.
    memory: usize,
    /// To the thread; none once it has all.
    pictures: Option<Sender<(f64, Image)>>,
}

/// The part of a picture that the panel does not cover, pixels; none: all of it.
fn part(settings: &CaptureSettings, view: &View2d, window: &Window) -> Option<URect> {
    let scale = window.scale_factor();
    let area = view.area;
    let seen = URect::from_corners((area.min * scale).round().as_uvec2(), (area.max * scale).round().as_uvec2());
    (!settings.panel && seen.size().min_element() > 0).then_some(seen)
}

/// The picture that came back, or a part of it, and of half the width and height if that is asked for.
fn frame(image: Image, part: Option<URect>, half: bool) -> Result<Frame, String> {
    let picture = image.try_into_dynamic().map_err(|error| error.to_string())?.into_rgba8();
    if let Some(part) = part {
        let whole = URect::new(0, 0, picture.width(), picture.height());
        let seen = part.intersect(whole);
        if seen.is_empty() {
            return Err("nothing of the window is beside the panel".to_owned());
        }
        let from = &picture;
        let rows =
            (seen.min.y..seen.max.y).flat_map(|y| (seen.min.x..seen.max.x).flat_map(move |x| from.get_pixel(x, y).0));
        let pixels = rows.collect();
        return Ok(halved(Frame { pixels, size: seen.size() }, half));
    }
    let size = UVec2::new(picture.width(), picture.height());
    Ok(halved(Frame { pixels: picture.into_raw(), size }, half))
}

/// Of half the width and height: each pixel is the mean of four.
fn halved(frame: Frame, half: bool) -> Frame {
    let size = frame.size / 2;
    if !half || size.min_element() == 0 {
        return frame;
    }
    let width = frame.size.x as usize;
    let at = |x: usize, y: usize, channel: usize| u32::from(frame.pixels[(y * width + x) * 4 + channel]);
    let mut pixels = Vec::with_capacity((size.x * size.y * 4) as usize);
    for y in 0..size.y as usize {
        for x in 0..size.x as usize {
            for channel in 0..4 {
                let (x, y) = (2 * x, 2 * y);
                let sum = at(x, y, channel) + at(x + 1, y, channel) + at(x, y + 1, channel) + at(x + 1, y + 1, channel);
                pixels.push((sum / 4) as u8);
            }
        }
    }
    Frame { pixels, size }
}

/// Where pictures and recordings go.
fn folder() -> PathBuf {
    let folders = directories::UserDirs::new();
    folders.and_then(|folders| Some(folders.picture_dir()?.join("carom"))).unwrap_or_default()
}

/// The next name that is free, with this ending, after the file of the number `last`; the folder is made.
fn next_file(folder: &Path, last: &mut u32, ending: &str) -> Result<PathBuf, String> {
    if !folder.as_os_str().is_empty() {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let taken =
        |number: u32| ["png", "gif"].iter().any(|ending| folder.join(format!("carom-{number}.{ending}")).exists());
    let number = (*last + 1..10_000).find(|&number| !taken(number));
    let number = number.ok_or("there are 9,999 pictures in this folder already; move some away")?;
    // The file is written a little later, so the number counts as taken from now on.
    *last = number;
    Ok(folder.join(format!("carom-{number}.{ending}")))
}

/// Begins what is asked for.
fn hear(
    mut asked: MessageReader<Capture>,
    mut recorder: ResMut<Recorder>,
    mut progress: ResMut<CaptureProgress>,
    settings: Res<CaptureSettings>,
    (view, window): (MainView, Option<Single<&Window, With<PrimaryWindow>>>),
    time: Res<Time<Real>>,
    (mut commands, mut notices): (Commands, ResMut<Notices>),
) {
    for asked in asked.read() {
        let Some(window) = &window else { continue };
        let settings = settings.in_range();
        let part = part(&settings, &view, window);
        let begun = match asked {
            Capture::Picture => take_picture(&mut recorder, &mut commands, part),
            Capture::Record if *progress == CaptureProgress::Idle => {
                begin(&mut recorder, settings, part, time.elapsed_secs_f64())
            }
            Capture::Record => Ok(()),
            Capture::Stop => {
                if let Some(running) = &mut recorder.running {
                    running.ended.get_or_insert(time.elapsed_secs_f64());
                }
                Ok(())
            }
        };
        if let Err(reason) = begun {
            notices.error(reason);
        } else if let (Capture::Record, Some(running)) = (asked, &recorder.running) {
            progress.set_if_neq(CaptureProgress::Recording { seconds: 0.0, of: running.settings.seconds });
        }
    }
}

fn take_picture(recorder: &mut Recorder, commands: &mut Commands, part: Option<URect>) -> Result<(), String> {
    let path = next_file(&folder(), &mut recorder.last, "png")?;
    let tell = recorder.tell.clone();
    commands.spawn(Screenshot::primary_window()).observe(move |captured: On<ScreenshotCaptured>| {
        let (image, path, tell) = (captured.image.clone(), path.clone(), tell.clone());
        let begun = in_background({
            let tell = tell.clone();
            move || {
                let written = frame(image, part, false).and_then(|frame| {
                    let bytes = png(&frame).map_err(|error| error.to_string())?;
                    write_whole(&path, &bytes).map_err(|error| failed(&path, &error))
                });
                let _ = tell.send(Told::Done { recording: false, outcome: written.map(|()| path) });
            }
        });
        if let Err(reason) = begun {
            let _ = tell.send(Told::Done { recording: false, outcome: Err(reason) });
        }
    });
    Ok(())
}

fn failed(path: &Path, error: &dyn std::fmt::Display) -> String {
    format!("{} cannot be written ({error})", path.display())
}

fn in_background(work: impl FnOnce() + Send + 'static) -> Result<(), String> {
    let begun = thread::Builder::new().name("recorder".to_owned()).spawn(work);
    begun.map(drop).map_err(|error| format!("pictures cannot be written here ({error})"))
}

fn begin(recorder: &mut Recorder, settings: CaptureSettings, part: Option<URect>, now: f64) -> Result<(), String> {
    let ending = match settings.format {
        AnimationFormat::Gif => "gif",
        AnimationFormat::Apng => "png",
    };
    let path = next_file(&folder(), &mut recorder.last, ending)?;
    let (pictures, inbox) = mpsc::channel();
    let (tell, wanted) = (recorder.tell.clone(), settings.clone());
    in_background(move || {
        let outcome = make(&inbox, &wanted, part, &path, &tell).map(|()| path);
        let _ = tell.send(Told::Done { recording: true, outcome });
    })?;
    recorder.running = Some(Running {
        settings,
        began: now,
        next: now,
        ended: None,
        asked: 0,
        returned: 0,
        packed: 0,
        memory: 0,
        pictures: Some(pictures),
    });
    Ok(())
}

/// Packs the pictures as they come, each with its time (seconds), and when there are no more makes the file of them.
fn make(
    inbox: &Receiver<(f64, Image)>,
    settings: &CaptureSettings,
    part: Option<URect>,
    path: &Path,
    tell: &Sender<Told>,
) -> Result<(), String> {
    let mut pictures: Vec<(f64, Vec<u8>)> = Vec::new();
    let mut size = None;
    for (time, image) in inbox {
        let frame = frame(image, part, settings.half_size)?;
        // All have the size of the first: what was seen while the window changed is left out.
        let bytes = if *size.get_or_insert(frame.size) == frame.size {
            let bytes = pack(&frame).map_err(|error| error.to_string())?;
            pictures.push((time, bytes));
            pictures.last().map_or(0, |(_, bytes)| bytes.len())
        } else {
            0
        };
        let _ = tell.send(Told::Packed(bytes));
    }
    // They may come back in another order.
    pictures.sort_by(|a, b| a.0.total_cmp(&b.0));
    let size = size.ok_or("no picture came back from the graphics adapter")?;
    let written = write(&pictures, size, settings, path, tell);
    written.map_err(|error| failed(path, &error))
}

/// How long each picture is shown, seconds: until the next one was taken, in whole hundredths, and so that the mistakes do not add up.
fn lengths(times: &[f64], rate: f32) -> Vec<f64> {
    let last = times.last().map(|last| last + 1.0 / f64::from(rate));
    let hundredths: Vec<f64> = times.iter().copied().chain(last).map(|time| (time * 100.0).round()).collect();
    hundredths.windows(2).map(|pair| (pair[1] - pair[0]).max(2.0) / 100.0).collect()
}

fn write(
    pictures: &[(f64, Vec<u8>)],
    size: UVec2,
    settings: &CaptureSettings,
    path: &Path,
    tell: &Sender<Told>,
) -> Result<(), Box<dyn std::error::Error>> {
    let times: Vec<f64> = pictures.iter().map(|(time, _)| *time).collect();
    let lengths = lengths(&times, settings.rate);
    let mut file = io::BufWriter::new(Destination::of(path)?.begin()?);
    let each = |add: &mut dyn FnMut(&Frame, f64) -> Result<(), Box<dyn std::error::Error>>| {
        for (i, ((_, bytes), seconds)) in pictures.iter().zip(&lengths).enumerate() {
            add(&unpack(bytes)?, *seconds)?;
            let _ = tell.send(Told::Written(i + 1));
        }
        Ok::<(), Box<dyn std::error::Error>>(())
    };
    match settings.format {
        AnimationFormat::Gif => {
            let mut gif = Gif::begin(&mut file, size)?;
            each(&mut |frame, seconds| gif.add(frame, seconds))?;
            gif.finish()?;
        }
        AnimationFormat::Apng => {
            let mut apng = Apng::begin(&mut file, size, pictures.len())?;
            each(&mut |frame, seconds| apng.add(frame, seconds))?;
            apng.finish()?;
        }
    }
    file.into_inner().map_err(io::IntoInnerError::into_error)?.finish()?;
    Ok(())
}

/// Takes the pictures of the recording that runs.
fn record(
    mut recorder: ResMut<Recorder>,
    mut progress: ResMut<CaptureProgress>,
    time: Res<Time<Real>>,
    mut commands: Commands,
) {
    let Some(running) = &mut recorder.running else { return };
    let now = time.elapsed_secs_f64();
    let seconds = now - running.began;
    if seconds >= f64::from(running.settings.seconds) || running.memory > MEMORY {
        running.ended.get_or_insert(now);
    }
    let Some(ended) = running.ended else {
        if now >= running.next && running.asked - running.packed < ON_THE_WAY {
            running.next = (running.next + 1.0 / f64::from(running.settings.rate)).max(now);
            running.asked += 1;
            commands.spawn(Screenshot::primary_window()).observe(
                move |captured: On<ScreenshotCaptured>, mut recorder: ResMut<Recorder>| {
                    let Some(running) = &mut recorder.running else { return };
                    running.returned += 1;
                    if let Some(pictures) = &running.pictures {
                        let _ = pictures.send((seconds, captured.image.clone()));
                    }
                },
            );
        }
        let of = running.settings.seconds;
        progress.set_if_neq(CaptureProgress::Recording { seconds: (seconds as f32).min(of), of });
        return;
    };
    if running.returned == running.asked || now - ended > PATIENCE {
        // That is all: the thread goes on to the file.
        running.pictures = None;
        progress.set_if_neq(CaptureProgress::Writing { done: 0, of: running.returned });
        recorder.running = None;
    }
}

/// Passes on what the threads tell.
fn report(mut recorder: ResMut<Recorder>, mut progress: ResMut<CaptureProgress>, mut notices: ResMut<Notices>) {
    let recorder = recorder.bypass_change_detection();
    let Ok(told) = recorder.told.get_mut() else { return };
    while let Ok(told) = told.try_recv() {
        match told {
            Told::Packed(bytes) => {
                if let Some(running) = &mut recorder.running {
                    running.packed += 1;
                    running.memory += bytes;
                }
            }
            Told::Written(done) => {
                if let CaptureProgress::Writing { of, .. } = *progress {
                    *progress = CaptureProgress::Writing { done, of };
                }
            }
            Told::Done { recording, outcome } => {
                if recording {
                    recorder.running = None;
                    progress.set_if_neq(CaptureProgress::Idle);
                }
                match outcome {
                    Ok(path) if recording => notices.info(format!("Recording: {}", path.display())),
                    Ok(path) => notices.info(format!("Picture: {}", path.display())),
                    Err(reason) => notices.error(reason),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use bevy::{
        asset::RenderAssetUsages,
        render::render_resource::{Extent3d, TextureDimension, TextureFormat},
    };

    use super::*;

    /// A picture of one colour with a white column at `x`.
    fn image(size: UVec2, x: u32) -> Image {
        let extent = Extent3d { width: size.x, height: size.y, depth_or_array_layers: 1 };
        let pixels =
            (0..size.y).flat_map(|_| (0..size.x).flat_map(move |at| if at == x { [255; 4] } else { [0, 0, 90, 255] }));
        let format = TextureFormat::Rgba8UnormSrgb;
        Image::new(extent, TextureDimension::D2, pixels.collect(), format, RenderAssetUsages::default())
    }

    fn recorded(settings: &CaptureSettings, part: Option<URect>) -> (Vec<u8>, usize) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("it");
        let (pictures, inbox) = mpsc::channel();
        let (tell, told) = mpsc::channel();
        // In another order, and one taken while the window had another size.
        for (time, x, size) in [(0.1, 1, (8, 6)), (0.0, 0, (8, 6)), (0.15, 0, (9, 9)), (0.5, 2, (8, 6))] {
            pictures.send((time, image(UVec2::from(size), x))).unwrap();
        }
        drop(pictures);
        make(&inbox, settings, part, &path, &tell).unwrap();
        let written = told.try_iter().filter(|told| matches!(told, Told::Written(_))).count();
        (fs::read(path).unwrap(), written)
    }

    #[test]
    fn a_gif_has_the_pictures_in_their_order_each_as_long_as_it_was_seen() {
        let settings = CaptureSettings { rate: 10.0, ..default() };
        let (bytes, written) = recorded(&settings, None);
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(&bytes[..]).unwrap();
        assert_eq!((decoder.width(), decoder.height()), (8, 6));
        let mut seen = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            let white = frame.buffer.chunks(4).position(|pixel| pixel[0] == 255).unwrap();
            seen.push((frame.delay, white));
        }
        assert_eq!(seen, [(10, 0), (40, 1), (10, 2)]);
        assert_eq!(written, 3);
    }

    #[test]
    fn an_animated_png_has_the_part_that_is_asked_for_in_half_the_size() {
        let settings = CaptureSettings { format: AnimationFormat::Apng, half_size: true, ..default() };
        let (bytes, _) = recorded(&settings, Some(URect::new(0, 0, 4, 6)));
        let reader = png::Decoder::new(io::Cursor::new(&bytes)).read_info().unwrap();
        let info = reader.info();
        assert_eq!((info.width, info.height), (2, 3));
        assert_eq!(info.animation_control.map(|control| control.num_frames), Some(4));
    }

    #[test]
    fn what_rounding_takes_from_one_picture_it_gives_to_another() {
        let times: Vec<f64> = (0..30).map(|i| f64::from(i) / 30.0).collect();
        let total: f64 = lengths(&times, 30.0).iter().sum();
        assert!((total - 1.0).abs() < 1e-9, "{total}");
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
