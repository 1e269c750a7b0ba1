//! The plots as a table (CSV) and as a drawing (SVG).

use svg::{
    Document,
    node::element::{Group, Line, Polygon, Polyline, Rectangle, Text},
};

use super::{
    Against, Plots,
    draw::{Drawn, by_unit, colour, x_title},
    names::title_of,
};
use crate::{
    laboratory::{Recorder, Sample},
    number::{digits, trimmed},
    view::Theme,
};

/// The samples of all curves, one per row.
///
/// # Errors
/// If the table cannot be written. The message is one line.
pub(super) fn csv(plots: &Plots, recorder: &Recorder) -> Result<String, String> {
    let write = || -> Result<String, csv::Error> {
        let mut table = csv::Writer::from_writer(Vec::new());
        table.write_record(["curve", "time", "x", "value", "least", "greatest"])?;
        for (channel, recording) in plots.recordings(recorder) {
            let title = title_of(channel);
            for &Sample { time, x, y, low, high, .. } in recording.samples() {
                let numbers = [time, x, y, low, high].map(|number| number.to_string());
                table.write_record([&title].into_iter().chain(&numbers))?;
            }
        }
        let bytes = table.into_inner().map_err(|error| csv::Error::from(error.into_error()))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    write().map_err(|error| error.to_string())
}

/// The size of the drawing of a unit, and its margins: left, top, right and bottom. In units of the drawing.
const SIZE: [f64; 2] = [720.0, 260.0];
const MARGINS: [f64; 4] = [90.0, 14.0, 16.0, 30.0];
/// The height of a line of text.
const TEXT: f64 = 13.0;

/// A drawing of the plots: one for each unit, below each other.
pub(super) fn svg(plots: &Plots, recorder: &Recorder, theme: &Theme) -> String {
    let groups = by_unit(plots, recorder);
    let curves = groups.iter().flat_map(|(_, group)| group);
    let rows = curves.clone().count() as f64;
    let height = SIZE[1] * groups.len() as f64 + (rows + 2.0) * 1.4 * TEXT;
    let mut drawing = Document::new()
        .set("viewBox", (0, 0, SIZE[0], number(height)))
        .set("width", SIZE[0])
        .set("height", number(height))
        .set("font-family", "sans-serif")
        .set("font-size", TEXT)
        .add(Rectangle::new().set("width", "100%").set("height", "100%").set("fill", "#ffffff"));
    let times = ends(curves.clone().flat_map(|(.., recording)| recording.samples().map(|sample| sample.x)));
    for (place, (unit, group)) in groups.iter().enumerate() {
        let plot = draw_plot(plots, theme, unit, group, times);
        drawing = drawing.add(plot.set("transform", format!("translate(0 {})", number(SIZE[1] * place as f64))));
    }
    let mut y = SIZE[1] * groups.len() as f64 + TEXT;
    let title = Text::new(x_title(plots.against)).set("x", SIZE[0] / 2.0).set("y", number(y));
    drawing = drawing.add(title.set("text-anchor", "middle"));
    for &(curve, channel, _) in curves {
        y += 1.4 * TEXT;
        let line = Text::new(title_of(channel)).set("x", MARGINS[0]).set("y", number(y));
        drawing = drawing.add(line.set("fill", css(theme, curve)));
    }
    drawing.to_string() + "\n"
}

fn draw_plot(plots: &Plots, theme: &Theme, unit: &str, group: &[Drawn], times: [f64; 2]) -> Group {
    let [left, top, right, bottom] = MARGINS;
    let values = ends(group.iter().flat_map(|(.., recording)| {
        let is_over_time = plots.against == Against::Time;
        recording.samples().flat_map(move |it| if is_over_time { [it.low, it.high] } else { [it.y; 2] })
    }));
    let along = |x: f64| left + (x - times[0]) / (times[1] - times[0]) * (SIZE[0] - left - right);
    let up = |y: f64| SIZE[1] - bottom - (y - values[0]) / (values[1] - values[0]) * (SIZE[1] - top - bottom);
    let at = |points: &mut dyn Iterator<Item = [f64; 2]>| {
        points.map(|[x, y]| format!("{},{}", number(along(x)), number(up(y)))).collect::<Vec<_>>().join(" ")
    };
    let mut plot = Group::new();
    let line = |x: [f64; 2], y: [f64; 2]| {
        let ends = Line::new().set("x1", number(x[0])).set("x2", number(x[1]));
        ends.set("y1", number(y[0])).set("y2", number(y[1])).set("stroke", "#d0d0d0")
    };
    for mark in marks(times) {
        plot = plot.add(line([along(mark); 2], [top, SIZE[1] - bottom])).add(
            Text::new(digits(mark))
                .set("x", number(along(mark)))
                .set("y", number(SIZE[1] - bottom + 1.2 * TEXT))
                .set("text-anchor", "middle"),
        );
    }
    for mark in marks(values) {
        let text = format!("{} {unit}", digits(mark));
        plot = plot.add(line([left, SIZE[0] - right], [up(mark); 2])).add(
            Text::new(text.trim_end())
                .set("x", left - 6.0)
                .set("y", number(up(mark) + 0.35 * TEXT))
                .set("text-anchor", "end"),
        );
    }
    for &(place, _, recording) in group {
        let colour = css(theme, place);
        if plots.against == Against::Time && recording.spacing() > 0.0 {
            let mut low: Vec<[f64; 2]> = recording.samples().map(|it| [it.x, it.low]).collect();
            low.reverse();
            let band = at(&mut recording.samples().map(|it| [it.x, it.high]).chain(low));
            plot = plot.add(Polygon::new().set("points", band).set("fill", &*colour).set("fill-opacity", 0.2));
        }
        let points = at(&mut recording.samples().map(|it| [it.x, it.y]));
        plot = plot.add(
            Polyline::new()
                .set("points", points)
                .set("fill", "none")
                .set("stroke", colour)
                .set("stroke-width", 1.5)
                .set("stroke-linejoin", "round"),
        );
    }
    plot
}

/// The smallest and the largest of values, and never the same.
fn ends(values: impl Iterator<Item = f64>) -> [f64; 2] {
    let [low, high] = values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], it| [low.min(it), high.max(it)]);
    let margin = if low < high { 0.0 } else { 0.5 };
    if low <= high { [low - margin, high + margin] } else { [0.0, 1.0] }
}

/// Round numbers between two values, 3 to 8: multiples of 1, 2 or 5 times a power of ten.
fn marks([low, high]: [f64; 2]) -> Vec<f64> {
    let span = high - low;
    let decade = libm::pow(10.0, libm::floor(libm::log10(span / 5.0)));
    let step = [1.0, 2.0, 5.0, 10.0].map(|part| part * decade).into_iter().find(|step| span / step <= 6.0);
    let step = step.unwrap_or(span);
    let first = libm::ceil(low / step);
    (0..=7).map(|nth| (first + f64::from(nth)) * step).take_while(|mark| *mark <= high + 1e-9 * span).collect()
}

fn number(value: f64) -> String {
    trimmed(value, 2)
}

fn css(theme: &Theme, place: usize) -> String {
    let [red, green, blue, _] = colour(theme, place).to_array();
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_a_few_round_numbers_within_the_ends() {
        for (ends, expected) in [
            ([0.0, 10.0], vec![0.0, 2.0, 4.0, 6.0, 8.0, 10.0]),
            ([-1.2, 1.3], vec![-1.0, -0.5, 0.0, 0.5, 1.0]),
            ([1000.5, 1003.4], vec![1000.5, 1001.0, 1001.5, 1002.0, 1002.5, 1003.0]),
        ] {
            let found = marks(ends);
            let is_same = found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-9);
            assert!(is_same && found.len() == expected.len(), "{found:?}");
        }
        assert_eq!(ends([3.0, 3.0].into_iter()), [2.5, 3.5]);
        assert_eq!(ends(std::iter::empty()), [0.0, 1.0]);
    }
}
