//! Encoding of images and animations: PNG, animated PNG, GIF.

use std::{collections::HashMap, error::Error, io::Write};

use bevy::{
    image::Image,
    math::{URect, UVec2},
};
use tr::tr;

/// An image: red, green, blue and opacity, one byte each, row by row.
pub(in crate::program) struct Frame {
    pub pixels: Vec<u8>,
    pub size: UVec2,
}

impl Frame {
    /// Converts an image from the GPU, or a part of it. `half` halves the width and the height, and each pixel is the
    /// mean of four.
    pub(in crate::program) fn of(image: Image, part: Option<URect>, half: bool) -> Result<Self, String> {
        let mut picture = image.try_into_dynamic().map_err(|error| error.to_string())?;
        let whole = URect::new(0, 0, picture.width(), picture.height());
        let mut seen = part.map_or(whole, |part| part.intersect(whole));
        if seen.is_empty() {
            return Err(tr!("nothing of the window is beside the panel"));
        }
        let halved = seen.size() / 2;
        let half = half && halved.min_element() > 0;
        if half {
            // The last pixel of an odd side has no neighbour.
            seen.max = seen.min + 2 * halved;
        }
        if seen != whole {
            picture = picture.crop_imm(seen.min.x, seen.min.y, seen.width(), seen.height());
        }
        if half {
            picture = picture.thumbnail_exact(halved.x, halved.y);
        }
        let size = UVec2::new(picture.width(), picture.height());
        Ok(Self { pixels: picture.into_rgba8().into_raw(), size })
    }
}

impl Frame {
    /// Joins frames of the same height from left to right.
    pub(in crate::program) fn beside_each_other(frames: &[Self]) -> Self {
        let (width, height) = (frames.iter().map(|frame| frame.size.x).sum(), frames.first().map_or(0, |f| f.size.y));
        let row = |frame: &Self, y: u32| {
            let bytes = 4 * frame.size.x as usize;
            frame.pixels[y as usize * bytes..][..bytes].to_vec()
        };
        let pixels = (0..height).flat_map(|y| frames.iter().flat_map(move |frame| row(frame, y))).collect();
        Self { pixels, size: UVec2::new(width, height) }
    }
}

type Failure = Box<dyn Error>;

/// An image as the smallest possible PNG, without opacity, since everything is opaque.
pub(in crate::program) fn png(frame: &Frame) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, frame.size.x, frame.size.y);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::High);
    let opaque: Vec<u8> = frame.pixels.as_chunks::<4>().0.iter().flat_map(|[r, g, b, _]| [*r, *g, *b]).collect();
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&opaque)?;
    writer.finish()?;
    Ok(bytes)
}

/// An image with a palette of 256 colours: a third of the size, for web pages.
pub(in crate::program) fn small_png(frame: &Frame) -> Result<Vec<u8>, Failure> {
    let palette = indexed(&sample(frame), 1)?.palette.unwrap_or_default();
    let mut known = HashMap::new();
    let mut index = |&[r, g, b, _]: &[u8; 4]| *known.entry([r, g, b]).or_insert_with(|| nearest(&palette, [r, g, b]));
    let indices: Vec<u8> = frame.pixels.as_chunks::<4>().0.iter().map(&mut index).collect();
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, frame.size.x, frame.size.y);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_palette(palette);
    encoder.set_compression(png::Compression::High);
    encoder.set_filter(png::Filter::NoFilter);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&indices)?;
    writer.finish()?;
    Ok(bytes)
}

/// The pixels that determine a palette. Otherwise a cloth would take nearly all of its colours and leave none for the
/// few pixels of a ball. `n` pixels of similar colours count as `20 sqrt(n)`: with 20, gradients stay smooth.
fn sample(frame: &Frame) -> Frame {
    let pixels = frame.pixels.as_chunks::<4>().0;
    let similar = |&[r, g, b, _]: &[u8; 4]| [r >> 3, g >> 3, b >> 3];
    // How many there are, and the part of the next sample that has accumulated.
    let mut colours: HashMap<[u8; 3], (f32, f32)> = HashMap::new();
    for pixel in pixels {
        colours.entry(similar(pixel)).or_insert((0.0, 0.5)).0 += 1.0;
    }
    let mut samples = Vec::new();
    for pixel in pixels {
        let (count, part) = colours.entry(similar(pixel)).or_default();
        *part += 20.0 / count.sqrt();
        samples.extend(std::iter::repeat_n(*pixel, *part as usize));
        *part = part.fract();
    }
    let width = samples.len().min(frame.size.x as usize);
    let height = samples.len() / width.max(1);
    samples.truncate(width * height);
    Frame { pixels: samples.into_flattened(), size: UVec2::new(width as u32, height as u32) }
}

/// The index of the colour of a palette that is nearest to this one.
fn nearest(palette: &[u8], colour: [u8; 3]) -> u8 {
    let distance = |of: &[u8; 3]| (0..3).map(|i| u32::from(of[i].abs_diff(colour[i])).pow(2)).sum::<u32>();
    let colours = palette.as_chunks::<3>().0.iter().enumerate();
    colours.min_by_key(|(_, of)| distance(of)).map_or(0, |(index, _)| index as u8)
}

/// An image with an optimised palette of 256 colours. `speed` goes from 1, the most careful, to 30, the fastest.
fn indexed(frame: &Frame, speed: i32) -> Result<gif::Frame<'static>, Failure> {
    let (width, height) = (gif_side(frame.size.x)?, gif_side(frame.size.y)?);
    Ok(gif::Frame::from_rgba_speed(width, height, &mut frame.pixels.clone(), speed))
}

/// Rounds the durations of frames to whole parts of a second. The next frame makes up for the rounding of the one
/// before, so that the animation lasts as long as requested.
#[derive(Debug)]
struct Durations {
    parts_per_second: f64,
    /// The fewest parts of a frame.
    least: f64,
    /// The parts that previous frames lack, or have in excess if negative.
    owed: f64,
}

impl Durations {
    fn new(parts_per_second: f64, least: f64) -> Self {
        Self { parts_per_second, least, owed: 0.0 }
    }

    /// The parts of the next frame, of this duration in seconds.
    fn next(&mut self, seconds: f64) -> u16 {
        let due = seconds * self.parts_per_second + self.owed;
        let parts = due.round().clamp(self.least, f64::from(u16::MAX));
        self.owed = due - parts;
        parts as u16
    }
}

/// An animation as GIF. A frame has 256 colours, and lasts at least two hundredths of a second. After the first frame,
/// only the changed rectangle is written, and within it only the changed pixels.
pub(in crate::program) struct Gif<W: Write> {
    encoder: gif::Encoder<W>,
    durations: Durations,
    /// The pixels of the last frame.
    last: Vec<u8>,
}

/// Checks the side against the limit of GIF.
fn gif_side(side: u32) -> Result<u16, Failure> {
    u16::try_from(side).map_err(|_| "--gif: a side may have at most 65535 pixels".into())
}

impl<W: Write> Gif<W> {
    pub(in crate::program) fn begin(out: W, size: UVec2) -> Result<Self, Failure> {
        let (width, height) = (gif_side(size.x)?, gif_side(size.y)?);
        let mut encoder = gif::Encoder::new(out, width, height, &[])?;
        encoder.set_repeat(gif::Repeat::Infinite)?;
        Ok(Self { encoder, durations: Durations::new(100.0, 2.0), last: Vec::new() })
    }

    /// Adds a frame with this duration, seconds.
    pub(in crate::program) fn add(&mut self, frame: &Frame, seconds: f64) -> Result<(), Failure> {
        let part = changed(frame, &self.last);
        let mut seen = cut(frame, part);
        if self.last.len() == frame.pixels.len() {
            let before = cut(&Frame { pixels: std::mem::take(&mut self.last), size: frame.size }, part);
            for (now, before) in seen.pixels.as_chunks_mut::<4>().0.iter_mut().zip(before.pixels.as_chunks::<4>().0) {
                if now == before {
                    *now = [0; 4];
                }
            }
        }
        self.last.clone_from(&frame.pixels);
        // If little has changed, the most careful choice of colours is fast and leaves no artifacts.
        let speed = if seen.pixels.len() < frame.pixels.len() / 2 { 1 } else { 10 };
        let mut picture = indexed(&seen, speed)?;
        (picture.left, picture.top) = (gif_side(part.min.x)?, gif_side(part.min.y)?);
        picture.delay = self.durations.next(seconds);
        // Pixels that are not written keep their colours.
        picture.dispose = gif::DisposalMethod::Keep;
        Ok(self.encoder.write_frame(&picture)?)
    }

    pub(in crate::program) fn finish(self) -> Result<(), Failure> {
        self.encoder.into_inner()?;
        Ok(())
    }
}

/// The smallest rectangle that contains all changed pixels; one pixel if none has changed. If the size has changed, the
/// whole frame.
fn changed(frame: &Frame, before: &[u8]) -> URect {
    let whole = URect::from_corners(UVec2::ZERO, frame.size);
    if before.len() != frame.pixels.len() {
        return whole;
    }
    let pixels = frame.pixels.as_chunks::<4>().0.iter().zip(before.as_chunks::<4>().0);
    let places = pixels.enumerate().filter(|(_, (now, before))| now != before).map(|(i, _)| {
        let at = UVec2::new(i as u32 % frame.size.x, i as u32 / frame.size.x);
        URect::from_corners(at, at + 1)
    });
    places.reduce(|all, place| all.union(place)).unwrap_or(URect::new(0, 0, 1, 1))
}

/// A part of a frame.
fn cut(frame: &Frame, part: URect) -> Frame {
    let row = |y: u32| {
        let start = 4 * (y * frame.size.x + part.min.x) as usize;
        &frame.pixels[start..start + 4 * part.width() as usize]
    };
    Frame { pixels: (part.min.y..part.max.y).flat_map(row).copied().collect(), size: part.size() }
}

/// An animation as PNG, with all colours.
pub(in crate::program) struct Apng<W: Write> {
    writer: png::Writer<W>,
    durations: Durations,
}

impl<W: Write> Apng<W> {
    pub(in crate::program) fn begin(out: W, size: UVec2, frames: usize) -> Result<Self, Failure> {
        let mut encoder = png::Encoder::new(out, size.x, size.y);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_animated(frames as u32, 0)?;
        Ok(Self { writer: encoder.write_header()?, durations: Durations::new(1000.0, 1.0) })
    }

    /// Adds a frame with this duration, seconds.
    pub(in crate::program) fn add(&mut self, frame: &Frame, seconds: f64) -> Result<(), Failure> {
        self.writer.set_frame_delay(self.durations.next(seconds), 1000)?;
        Ok(self.writer.write_image_data(&frame.pixels)?)
    }

    pub(in crate::program) fn finish(self) -> Result<(), Failure> {
        Ok(self.writer.finish()?)
    }
}

/// An image compressed for temporary storage: quickly and without loss.
pub(in crate::program) fn pack(frame: &Frame) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, frame.size.x, frame.size.y);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&frame.pixels)?;
    writer.finish()?;
    Ok(bytes)
}

/// The image of a PNG with eight bits per channel and opacity, such as a [packed](pack) one.
pub(in crate::program) fn unpack(bytes: &[u8]) -> Result<Frame, Failure> {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info()?;
    let mut pixels = vec![0; reader.output_buffer_size().unwrap_or_default()];
    let info = reader.next_frame(&mut pixels)?;
    pixels.truncate(info.buffer_size());
    Ok(Frame { pixels, size: UVec2::new(info.width, info.height) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_rounding_takes_from_one_frame_it_gives_to_another() {
        for rate in [3.0, 7.0, 24.0, 30.0, 48.0] {
            let mut durations = Durations::new(100.0, 2.0);
            let total: u32 = (0..20 * rate as usize).map(|_| u32::from(durations.next(1.0 / rate))).sum();
            assert_eq!(total, 2000, "{rate}");
        }
        // A GIF cannot show more than 50 frames per second. A longer frame makes up for the shorter ones.
        let mut durations = Durations::new(100.0, 2.0);
        assert_eq!([0.01, 0.01, 0.1, 0.1].map(|seconds| durations.next(seconds)), [2, 2, 8, 10]);
    }
}
