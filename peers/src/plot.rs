//! The plot: a row for each engine in each scene, nanoseconds per disc and step on a logarithmic axis.
//!
//! A full dot is one thread, rings are more; the figures beside them are in the order of the threads.

use std::f64::consts::LN_10;

use svg::{
    Document,
    node::element::{Circle, Group, Line, Text},
};

use crate::{engine::Name, report::Row};

const WIDTH: f64 = 760.0;
/// The start and end of the axis, pixels from the left.
const AXIS: (f64, f64) = (190.0, 730.0);
const TOP: f64 = 78.0;
const LINE: f64 = 19.0;
const GAP: f64 = 14.0;
const GREY: &str = "#5b6670";

/// Draws the rows, which are sorted by scene and number of discs. `origin` describes when and where they were measured.
pub fn draw(rows: &[Row], origin: &str) -> Document {
    let axis = Axis::around(rows.iter().map(|row| row.ns_per_disc_step));
    let mut marks = Group::new();
    let mut y = TOP;
    for block in rows.chunk_by(|a, b| (a.scene, a.discs) == (b.scene, b.discs)) {
        let name = format!("{} {}", block[0].scene, thousands(block[0].discs));
        marks = marks.add(label(name, 20.0, y + 4.0, "start").set("font-weight", "bold"));
        let mut engines: Vec<Name> = block.iter().map(|row| row.engine).collect();
        engines.sort_unstable();
        engines.dedup();
        for engine in engines {
            let colour = colour(engine);
            marks = marks.add(rule(AXIS.0, AXIS.1, y, y, "#eef0f2"));
            marks = marks.add(label(engine.to_string(), AXIS.0 - 12.0, y + 4.0, "end").set("fill", colour));
            let mut points: Vec<&Row> = block.iter().filter(|row| row.engine == engine).collect();
            points.sort_by_key(|row| row.threads);
            marks = dots(marks, &points, &axis, y, colour);
            y += LINE;
        }
        y += GAP;
    }

    let bottom = y - GAP;
    let mut grid = Group::new();
    for (value, is_decade) in axis.ticks() {
        let x = axis.place(value);
        grid = grid.add(rule(x, x, TOP - LINE, bottom, if is_decade { "#c3c9cf" } else { "#e9ecef" }));
        if is_decade {
            grid = grid
                .add(label(format!("{} ns", thousands(value as usize)), x, bottom + 16.0, "middle").set("fill", GREY));
        }
    }
    let height = bottom + 52.0;
    let note = |text: &str, y: f64| label(text, 20.0, y, "start").set("fill", GREY).set("font-size", 11);
    Document::new()
        .set("viewBox", (0.0, 0.0, WIDTH, height))
        .set("font-family", "'Helvetica Neue', Arial, 'Liberation Sans', sans-serif")
        .set("font-size", 13)
        .set("fill", "#1f2933")
        .add(svg::node::element::Rectangle::new().set("width", "100%").set("height", "100%").set("fill", "white"))
        .add(
            label("Nanoseconds per disc and step", 20.0, 28.0, "start").set("font-size", 17).set("font-weight", "bold"),
        )
        .add(note(&key(rows), 47.0))
        .add(grid)
        .add(marks)
        .add(note(origin, height - 12.0))
}

/// The marks of one engine in one scene, in the order of the threads.
fn dots(mut marks: Group, points: &[&Row], axis: &Axis, y: f64, colour: &str) -> Group {
    let places: Vec<f64> = points.iter().map(|row| axis.place(row.ns_per_disc_step)).collect();
    let (left, right) = places.iter().fold((f64::INFINITY, 0.0_f64), |(left, right), &x| (left.min(x), right.max(x)));
    marks = marks.add(rule(left, right, y, y, colour).set("stroke-width", 2));
    // The dot is smaller than a ring and drawn last, so that both are visible where they coincide.
    for (row, &x) in points.iter().zip(&places).rev() {
        let (radius, fill) = if row.threads == 1 { (2.5, colour) } else { (5.5, "white") };
        let circle = Circle::new().set("cx", x).set("cy", y).set("r", radius).set("fill", fill);
        marks = marks.add(circle.set("stroke", colour).set("stroke-width", 2));
    }
    let text: Vec<String> = points.iter().map(|row| format!("{:.0}", row.ns_per_disc_step)).collect();
    marks.add(label(text.join(" / "), right + 12.0, y + 4.0, "start").set("font-size", 11).set("fill", GREY))
}

/// A logarithmic axis from one value to another.
struct Axis {
    low: f64,
    high: f64,
}

impl Axis {
    /// Includes room for a label at the right.
    fn around(values: impl Iterator<Item = f64>) -> Self {
        let (low, high) = values.fold((f64::INFINITY, 0.0_f64), |(low, high), x| (low.min(x), high.max(x)));
        Self { low: 0.8 * low, high: 2.0 * high }
    }

    fn place(&self, value: f64) -> f64 {
        let share = (value / self.low).ln() / (self.high / self.low).ln();
        AXIS.0 + share * (AXIS.1 - AXIS.0)
    }

    /// The round values on it, and whether each is a power of ten.
    fn ticks(&self) -> Vec<(f64, bool)> {
        let decades = (self.low.ln() / LN_10).floor() as i32..=(self.high.ln() / LN_10).ceil() as i32;
        decades
            .flat_map(|decade| (1..10).map(move |digit| (f64::from(digit) * 10_f64.powi(decade), digit == 1)))
            .filter(|&(value, _)| (self.low..=self.high).contains(&value))
            .collect()
    }
}

/// The legend of the marks.
fn key(rows: &[Row]) -> String {
    let mut threads: Vec<usize> = rows.iter().map(|row| row.threads).filter(|&threads| threads > 1).collect();
    threads.sort_unstable();
    threads.dedup();
    let rings: Vec<String> = threads.iter().map(|threads| format!("ring: {threads} threads")).collect();
    let kinds: Vec<String> = std::iter::once("Fewer is better. Dot: 1 thread".to_owned()).chain(rings).collect();
    kinds.join("; ") + "."
}

fn colour(engine: Name) -> &'static str {
    // The palette of Okabe and Ito, which people with colour vision deficiencies can distinguish.
    match engine {
        Name::Box2d => "#0072b2",
        Name::Rapier => "#b36b00",
        Name::Avian => "#7a4f9a",
        Name::Carom => "#007a5a",
    }
}

fn label(text: impl Into<String>, x: f64, y: f64, anchor: &str) -> Text {
    Text::new(text).set("x", x).set("y", y).set("text-anchor", anchor)
}

fn rule(x1: f64, x2: f64, y1: f64, y2: f64, colour: &str) -> Line {
    Line::new().set("x1", x1).set("x2", x2).set("y1", y1).set("y2", y2).set("stroke", colour)
}

/// The number with a comma at every third digit.
fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).unwrap_or_default()).collect();
    groups.join(",")
}
