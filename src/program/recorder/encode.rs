//! Encodes a recording. Each frame is cropped and packed as it arrives; the file is written after the last one.

use std::{io, path::Path, sync::mpsc::Receiver};

use bevy::prelude::*;
use tr::tr;

use super::Report;
use crate::{
    program::image_files::{Apng, Frame, Gif, pack, unpack},
    shell::{AnimationFormat, CaptureSettings},
    storage::whole_file::Destination,
};

pub(super) fn failed(path: &Path, error: &dyn std::fmt::Display) -> String {
    tr!("{} cannot be written ({})", path.display(), error)
}

/// Packs frames as they arrive, each with its time in seconds, and writes the file when no more follow.
///
/// `report` receives the progress, and adds the number of the recording to it.
pub(super) fn encode(
    inbox: &Receiver<(f64, Image)>,
    settings: &CaptureSettings,
    part: Option<URect>,
    path: &Path,
    report: impl Fn(&dyn Fn(u64) -> Report),
) -> Result<(), String> {
    let mut pictures: Vec<(f64, Vec<u8>)> = Vec::new();
    let mut size = None;
    for (time, image) in inbox {
        let frame = Frame::of(image, part, settings.half_size)?;
        // All frames have the size of the first. Those taken at another size of the window are left out.
        let mut bytes = 0;
        if *size.get_or_insert(frame.size) == frame.size {
            let packed = pack(&frame).map_err(|error| error.to_string())?;
            bytes = packed.len();
            pictures.push((time, packed));
        }
        report(&|recording| Report::Packed { recording, bytes });
    }
    // The frames may arrive in a different order.
    pictures.sort_by(|a, b| a.0.total_cmp(&b.0));
    let size = size.ok_or_else(|| tr!("no picture came back from the graphics adapter"))?;
    let written =
        write(&pictures, size, settings, path, |count| report(&|recording| Report::Written { recording, count }));
    written.map_err(|error| failed(path, &error))
}

/// How long each frame is shown, seconds: until the next one was taken.
fn lengths(times: &[f64], rate: f32) -> Vec<f64> {
    let last = times.last().map(|last| last + 1.0 / f64::from(rate));
    let times: Vec<f64> = times.iter().copied().chain(last).collect();
    times.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

fn write(
    pictures: &[(f64, Vec<u8>)],
    size: UVec2,
    settings: &CaptureSettings,
    path: &Path,
    written: impl Fn(usize),
) -> Result<(), Box<dyn std::error::Error>> {
    let times: Vec<f64> = pictures.iter().map(|(time, _)| *time).collect();
    let lengths = lengths(&times, settings.rate);
    let mut file = io::BufWriter::new(Destination::of(path)?.begin()?);
    let each = |add: &mut dyn FnMut(&Frame, f64) -> Result<(), Box<dyn std::error::Error>>| {
        for (i, ((_, bytes), seconds)) in pictures.iter().zip(&lengths).enumerate() {
            add(&unpack(bytes)?, *seconds)?;
            written(i + 1);
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

#[cfg(test)]
mod tests {
    use std::{fs, sync::mpsc};

    use bevy::{
        asset::RenderAssetUsages,
        render::render_resource::{Extent3d, TextureDimension, TextureFormat},
    };

    use super::*;

    /// An image of one colour with a white column at `x`.
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
        let (sender, reports) = mpsc::channel();
        // In a different order, and one taken at another size of the window.
        for (time, x, size) in [(0.1, 1, (8, 6)), (0.0, 0, (8, 6)), (0.15, 0, (9, 9)), (0.5, 2, (8, 6))] {
            pictures.send((time, image(UVec2::from(size), x))).unwrap();
        }
        drop(pictures);
        encode(&inbox, settings, part, &path, |report| sender.send(report(7)).unwrap()).unwrap();
        let written =
            reports.try_iter().filter(|report| matches!(report, Report::Written { recording: 7, .. })).count();
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
            // After the first, a frame is only the part that has changed.
            let white = frame.buffer.chunks(4).position(|pixel| pixel[0] == 255).unwrap();
            seen.push((frame.delay, usize::from(frame.left) + white % usize::from(frame.width)));
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
}
