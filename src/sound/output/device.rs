//! Output to the system's default audio device, with the crate `cpal`.
//!
//! The stream is opened and held on a separate thread. Opening may take long, and on Windows it determines how the
//! thread uses COM, which must not affect the window's thread. A browser has one thread, so the stream is opened there.

use cpal::{
    ErrorKind, FromSample, I24, SampleFormat, SizedSample, Stream, StreamConfig,
    traits::{DeviceTrait, HostTrait, StreamTrait},
};
use std::time::Duration;

#[cfg(not(target_arch = "wasm32"))]
use super::NO_THREAD;
use super::{Inbox, Mixer, Reason, Report, Status, Tap, mark};
use crate::sound::mixer::BLOCK;

/// Frames in each of the browser's two buffers, 21 ms at 48 kHz. They are filled between two frames of the game.
#[cfg(target_arch = "wasm32")]
const BROWSER_BUFFER: u32 = 1024;

/// Plays until dropped.
#[cfg(target_arch = "wasm32")]
#[derive(Debug)]
pub(super) struct Player {
    _stream: Option<Held>,
}

/// A stream that implements `Debug`.
#[cfg(target_arch = "wasm32")]
struct Held(#[expect(dead_code, reason = "it plays while it is held")] Stream);

#[cfg(target_arch = "wasm32")]
impl std::fmt::Debug for Held {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Stream")
    }
}

#[cfg(target_arch = "wasm32")]
impl Player {
    pub(super) fn open(_name: &str, inbox: Inbox, report: Report) -> Self {
        Self { _stream: open(inbox, &report).map_err(|why| report.set(Status::Failed(why))).ok().map(Held) }
    }
}

/// Plays on a separate thread until dropped.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Debug)]
pub(super) struct Player {
    /// The thread waits for this to be dropped.
    _hold: std::sync::mpsc::SyncSender<()>,
}

#[cfg(not(target_arch = "wasm32"))]
impl Player {
    pub(super) fn open(_name: &str, inbox: Inbox, report: Report) -> Self {
        let (hold, released) = std::sync::mpsc::sync_channel(0);
        let thread = {
            let report = report.clone();
            std::thread::Builder::new().name("sound".into()).spawn(move || match open(inbox, &report) {
                Ok(stream) => {
                    let _ = released.recv();
                    drop(stream);
                }
                Err(why) => report.set(Status::Failed(why)),
            })
        };
        if let Err(why) = thread {
            report.set(Status::Failed(Reason::new(NO_THREAD, why)));
        }
        Self { _hold: hold }
    }
}

const NO_OUTPUT: &str = mark("the system has no audio output; connect one, or choose one in the system settings");
const REJECTED: &str = mark("the audio output cannot be opened ({}); choose another in the system settings");
const WENT_AWAY: &str = mark("the audio output was lost ({}); turn sound off and on again");

fn open(inbox: Inbox, report: &Report) -> Result<Stream, Reason> {
    let device = cpal::default_host().default_output_device().ok_or_else(|| Reason::new(NO_OUTPUT, ""))?;
    let rejected = |why: cpal::Error| Reason::new(REJECTED, why);
    let supported = device.default_output_config().map_err(rejected)?;
    let config = supported.config();
    #[cfg(target_arch = "wasm32")]
    let config = StreamConfig { buffer_size: cpal::BufferSize::Fixed(BROWSER_BUFFER), ..config };
    let mixer = Mixer::new(config.sample_rate, inbox);
    let stream = match supported.sample_format() {
        SampleFormat::F32 => build::<f32>(&device, config, mixer, report),
        SampleFormat::F64 => build::<f64>(&device, config, mixer, report),
        SampleFormat::I8 => build::<i8>(&device, config, mixer, report),
        SampleFormat::I16 => build::<i16>(&device, config, mixer, report),
        SampleFormat::I24 => build::<I24>(&device, config, mixer, report),
        SampleFormat::I32 => build::<i32>(&device, config, mixer, report),
        SampleFormat::I64 => build::<i64>(&device, config, mixer, report),
        SampleFormat::U8 => build::<u8>(&device, config, mixer, report),
        SampleFormat::U16 => build::<u16>(&device, config, mixer, report),
        SampleFormat::U32 => build::<u32>(&device, config, mixer, report),
        SampleFormat::U64 => build::<u64>(&device, config, mixer, report),
        _ => Err(ErrorKind::UnsupportedConfig.into()),
    }
    .map_err(rejected)?;
    stream.play().map_err(rejected)?;
    let frames = stream.buffer_size().unwrap_or(0);
    let latency = Duration::from_secs_f64(f64::from(frames) / f64::from(config.sample_rate.max(1)));
    report.set(Status::Playing { rate: config.sample_rate, latency });
    Ok(stream)
}

fn build<T: SizedSample + FromSample<f32>>(
    device: &cpal::Device,
    config: StreamConfig,
    mixer: Mixer,
    report: &Report,
) -> Result<Stream, cpal::Error> {
    let channels = usize::from(config.channels);
    let mut tap = Tap::new(mixer);
    let report = report.clone();
    device.build_output_stream(
        config,
        move |out: &mut [T], _| fill(&mut tap, out, channels),
        move |error| match error.kind() {
            ErrorKind::DeviceChanged | ErrorKind::Xrun | ErrorKind::RealtimeDenied => tracing::debug!("sound: {error}"),
            _ => report.set(Status::Failed(Reason::new(WENT_AWAY, error))),
        },
        None,
    )
}

/// Fills a device's buffer: the first two of several channels, or the mean for a single one.
fn fill<T: SizedSample + FromSample<f32>>(tap: &mut Tap, out: &mut [T], channels: usize) {
    let mut stereo = [[0.0; 2]; BLOCK];
    for block in out.chunks_mut(BLOCK * channels) {
        let frames = block.chunks_mut(channels);
        let stereo = &mut stereo[..frames.len()];
        tap.fill(stereo.as_flattened_mut());
        for (frame, &mut [left, right]) in frames.zip(stereo) {
            if let [only] = frame {
                *only = T::from_sample(0.5 * (left + right));
                continue;
            }
            for (sample, value) in frame.iter_mut().zip([left, right].into_iter().chain(std::iter::repeat(0.0))) {
                *sample = T::from_sample(value);
            }
        }
    }
}
