//! Pictures and animations as files: PNG, animated PNG, GIF.

use std::{
    fs::File,
    io::BufWriter,
    path::{Path, PathBuf},
};

use bevy::math::UVec2;

/// One picture: red, green, blue and opacity, a byte each, row by row.
pub(in crate::program) struct Frame {
    pub pixels: Vec<u8>,
    pub size: UVec2,
}

fn create(path: &Path) -> Result<BufWriter<File>, String> {
    let file = File::create(path);
    file.map(BufWriter::new).map_err(|error| format!("{}: cannot be written ({error})", path.display()))
}

fn failed(path: &Path, error: &dyn std::fmt::Display) -> String {
    format!("{}: cannot be written ({error})", path.display())
}

/// Writes a picture as small as PNG can, without opacity, since everything is opaque.
///
/// # Errors
/// Which file cannot be written, and why.
pub(super) fn write_png(path: &Path, frame: &Frame) -> Result<(), String> {
    let mut encoder = png::Encoder::new(create(path)?, frame.size.x, frame.size.y);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::High);
    let opaque: Vec<u8> = frame.pixels.as_chunks::<4>().0.iter().flat_map(|[r, g, b, _]| [*r, *g, *b]).collect();
    let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(&opaque));
    written.map_err(|error| failed(path, &error))
}

/// Writes a picture in 256 colours of its own: a third of the size, for pages.
///
/// # Errors
/// Which file cannot be written, and why.
pub(in crate::program) fn write_small_png(path: &Path, frame: &Frame) -> Result<(), String> {
    let UVec2 { x, y } = frame.size;
    let indexed = indexed(frame, 3)?;
    let mut encoder = png::Encoder::new(create(path)?, x, y);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_palette(indexed.palette.unwrap_or_default());
    encoder.set_compression(png::Compression::High);
    encoder.set_filter(png::Filter::NoFilter);
    let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(&indexed.buffer));
    written.map_err(|error| failed(path, &error))
}

/// A picture in the 256 colours that suit it best. From 1, the most careful choice, to 30, the quickest.
fn indexed(frame: &Frame, speed: i32) -> Result<gif::Frame<'static>, String> {
    let (width, height) = (gif_side(frame.size.x)?, gif_side(frame.size.y)?);
    Ok(gif::Frame::from_rgba_speed(width, height, &mut frame.pixels.clone(), speed))
}

/// An animation as GIF: 256 colours a picture, a hundredth of a second at least.
pub(super) struct Gif {
    path: PathBuf,
    encoder: gif::Encoder<BufWriter<File>>,
    delay: u16,
}

/// GIF knows no larger sides.
fn gif_side(side: u32) -> Result<u16, String> {
    u16::try_from(side).map_err(|_| "--gif: a side may have at most 65535 pixels".to_owned())
}

impl Gif {
    pub(super) fn create(path: &Path, size: UVec2, seconds: f64) -> Result<Self, String> {
        let (width, height) = (gif_side(size.x)?, gif_side(size.y)?);
        let encoder = gif::Encoder::new(create(path)?, width, height, &[]);
        let mut encoder = encoder.map_err(|error| failed(path, &error))?;
        encoder.set_repeat(gif::Repeat::Infinite).map_err(|error| failed(path, &error))?;
        let delay = (seconds * 100.0).round().clamp(2.0, 65535.0) as u16;
        Ok(Self { path: path.to_owned(), encoder, delay })
    }

    pub(super) fn add(&mut self, frame: &Frame) -> Result<(), String> {
        let mut picture = indexed(frame, 10)?;
        picture.delay = self.delay;
        self.encoder.write_frame(&picture).map_err(|error| failed(&self.path, &error))
    }
}

/// An animation as PNG: all colours.
pub(super) struct Apng {
    path: PathBuf,
    writer: png::Writer<BufWriter<File>>,
}

impl Apng {
    pub(super) fn create(path: &Path, size: UVec2, frames: usize, seconds: f64) -> Result<Self, String> {
        let mut encoder = png::Encoder::new(create(path)?, size.x, size.y);
        encoder.set_color(png::ColorType::Rgba);
        let milliseconds = (seconds * 1000.0).round().clamp(1.0, 65535.0) as u16;
        let writer = encoder
            .set_animated(frames as u32, 0)
            .and_then(|()| encoder.set_frame_delay(milliseconds, 1000))
            .and_then(|()| encoder.write_header())
            .map_err(|error| failed(path, &error))?;
        Ok(Self { path: path.to_owned(), writer })
    }

    pub(super) fn add(&mut self, frame: &Frame) -> Result<(), String> {
        self.writer.write_image_data(&frame.pixels).map_err(|error| failed(&self.path, &error))
    }

    pub(super) fn finish(self) -> Result<(), String> {
        self.writer.finish().map_err(|error| failed(&self.path, &error))
    }
}
