//! Charts as SVG text: panels with axes, lines, dots and words. A chart has its own background, so that it can be read
//! on dark pages, too.

use std::fmt::Write;

use bevy::math::{DVec2, dvec2};

pub const BLUE: &str = "#0064a4";
pub const ORANGE: &str = "#c24d00";
pub const GREEN: &str = "#00704f";
pub const PURPLE: &str = "#8f3f7d";
pub const INK: &str = "#1f2328";
pub const FAINT: &str = "#6a737d";

/// A chart in the making.
pub struct Chart {
    body: String,
    size: DVec2,
}

/// One axis of a panel: its quantity, its range, and its steps.
#[derive(Clone, Copy)]
pub struct Axis {
    pub label: &'static str,
    pub from: f64,
    pub to: f64,
    pub step: f64,
}

/// A part of a chart with axes: its place in pixels, and its axes.
#[derive(Clone, Copy)]
pub struct Panel {
    pub corner: DVec2,
    pub size: DVec2,
    pub x: Axis,
    pub y: Axis,
}

/// The side of its place on which a text is.
#[derive(Clone, Copy)]
pub enum Anchor {
    Start,
    Middle,
}

impl Panel {
    /// The place in the chart, pixels.
    fn place(&self, at: DVec2) -> DVec2 {
        let share = (at - dvec2(self.x.from, self.y.from)) / dvec2(self.x.to - self.x.from, self.y.to - self.y.from);
        self.corner + self.size * dvec2(share.x, 1.0 - share.y)
    }
}

impl Axis {
    fn ticks(self) -> impl Iterator<Item = (f64, String)> {
        let count = ((self.to - self.from) / self.step).round() as i32;
        let decimals = usize::from(self.step < 1.0) + usize::from(self.step < 0.1);
        (0..=count).map(move |k| {
            let value = self.from + self.step * f64::from(k);
            // No minus sign before zero.
            let value = if value.abs() < 1e-9 { 0.0 } else { value };
            (value, format!("{value:.decimals$}").replace('-', "−"))
        })
    }
}

impl Chart {
    /// A chart of this many pixels; `title` states the result, `subtitle` the conditions.
    pub fn new(width: f64, height: f64, title: &str, subtitle: &str) -> Self {
        let mut chart = Self { body: String::new(), size: dvec2(width, height) };
        let _ = writeln!(chart.body, "<title>{title}</title>");
        let _ = writeln!(chart.body, r##"<rect width="{width}" height="{height}" rx="6" fill="#fbfbf9"/>"##);
        chart.text(dvec2(20.0, 28.0), title, r#"font-size="16" font-weight="600""#);
        chart.text(dvec2(20.0, 47.0), subtitle, &format!(r#"font-size="12" fill="{FAINT}""#));
        chart
    }

    pub fn finish(self) -> String {
        let Self { body, size: DVec2 { x, y } } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {x} {y}\" width=\"{x}\" height=\"{y}\" font-family=\"system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif\" font-size=\"12\" fill=\"{INK}\">\n{body}</svg>\n"
        )
    }

    fn text(&mut self, at: DVec2, text: &str, style: &str) {
        let _ = writeln!(self.body, r#"<text x="{:.1}" y="{:.1}" {style}>{text}</text>"#, at.x, at.y);
    }

    fn rule(&mut self, from: DVec2, to: DVec2, colour: &str) {
        let [(x1, y1), (x2, y2)] = [(from.x, from.y), (to.x, to.y)];
        let _ = writeln!(self.body, r#"<line x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}" stroke="{colour}"/>"#);
    }

    /// Grid, numbers and labels of a panel.
    pub fn axes(&mut self, panel: &Panel) {
        let (low, high) = (panel.corner, panel.corner + panel.size);
        let shade = |value: f64| if value == 0.0 { "#b4b9bf" } else { "#e4e6e8" };
        for (x, number) in panel.x.ticks() {
            let at = panel.place(dvec2(x, panel.y.from));
            self.rule(dvec2(at.x, low.y), dvec2(at.x, high.y), shade(x));
            let style = format!(r#"text-anchor="middle" fill="{FAINT}""#);
            self.text(dvec2(at.x, high.y + 16.0), &number, &style);
        }
        for (y, number) in panel.y.ticks() {
            let at = panel.place(dvec2(panel.x.from, y));
            self.rule(dvec2(low.x, at.y), dvec2(high.x, at.y), shade(y));
            self.text(dvec2(low.x - 7.0, at.y + 4.0), &number, &format!(r#"text-anchor="end" fill="{FAINT}""#));
        }
        let middle = 0.5 * (low + high);
        self.text(dvec2(middle.x, high.y + 34.0), panel.x.label, r#"text-anchor="middle""#);
        let at = dvec2(low.x - 38.0, middle.y);
        let turned = format!(r#"text-anchor="middle" transform="rotate(-90 {:.1} {:.1})""#, at.x, at.y);
        self.text(at, panel.y.label, &turned);
    }

    /// A line through points, solid or dashed.
    pub fn line(&mut self, panel: &Panel, points: impl IntoIterator<Item = DVec2>, colour: &str, dashed: bool) {
        let mut path = String::new();
        for point in points {
            let at = panel.place(point);
            let _ = write!(path, "{:.1},{:.1} ", at.x, at.y);
        }
        let dash = if dashed { r#" stroke-dasharray="6 4""# } else { "" };
        let path = path.trim_end();
        let _ = writeln!(
            self.body,
            r#"<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2" stroke-linejoin="round"{dash}/>"#
        );
    }

    /// Dots, filled or hollow.
    pub fn dots(&mut self, panel: &Panel, points: impl IntoIterator<Item = DVec2>, colour: &str, filled: bool) {
        let fill = if filled { colour } else { "#fbfbf9" };
        for point in points {
            let at = panel.place(point);
            let _ = writeln!(
                self.body,
                r#"<circle cx="{:.1}" cy="{:.1}" r="3.5" fill="{fill}" stroke="{colour}" stroke-width="1.5"/>"#,
                at.x, at.y
            );
        }
    }

    /// A strip between two values of x.
    pub fn strip(&mut self, panel: &Panel, from: f64, to: f64) {
        let [a, b] = [dvec2(from, panel.y.to), dvec2(to, panel.y.from)].map(|at| panel.place(at));
        let size = b - a;
        let _ = writeln!(
            self.body,
            r##"<rect x="{:.1}" y="{:.1}" width="{:.1}" height="{:.1}" fill="#eef1e6"/>"##,
            a.x, a.y, size.x, size.y
        );
    }

    /// A word in a panel.
    pub fn note(&mut self, panel: &Panel, at: DVec2, text: &str, colour: &str, anchor: Anchor) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
        };
        let at = panel.place(at);
        // An outline in the colour of the background separates it from the lines.
        let edge = r##"paint-order="stroke" stroke="#fbfbf9" stroke-width="4" stroke-linejoin="round""##;
        self.text(at, text, &format!(r#"text-anchor="{anchor}" fill="{colour}" {edge}"#));
    }
}
