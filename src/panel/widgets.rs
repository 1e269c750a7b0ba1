//! What all sections are made of: a row with a label, a value with its unit, and a reset; and how a resource is edited.
//!
//! Whatever can be operated has a name for screen readers, by which tests find it too: that of its row. Of the row
//! *Substeps* the slider is *Substeps*, the field beside it *Substeps, number* and the reset *Reset substeps*.

use core::fmt::Debug;
use std::ops::RangeInclusive;

use bevy::{ecs::component::Mutable, prelude::*};
use bevy_egui::egui::{self, Align, DragValue, Layout, Response, Slider, SliderClamping, Ui};
use tr::tr;

use crate::{
    editor::is_same,
    number::{decimals, zero_without_sign},
};

pub use crate::{
    shell::widgets::{tip, usable},
    view::Named,
};

/// The width of the labels, logical pixels.
const LABEL: f32 = 98.0;
/// The width of a reset button, logical pixels.
const RESET: f32 = 24.0;
/// The width that a slider leaves to its number, logical pixels.
const NUMBER: f32 = 88.0;

/// Lets `change` edit a copy of a resource, and writes it back only if it differs, so that an untouched resource does
/// not count as changed.
pub fn edit<R, T>(world: &mut World, change: impl FnOnce(&mut R) -> T) -> T
where
    R: Resource<Mutability = Mutable> + Clone + PartialEq + Debug,
{
    let mut copy = world.resource::<R>().clone();
    let response = change(&mut copy);
    if !is_same(world.resource::<R>(), &copy) {
        *world.resource_mut::<R>() = copy;
    }
    response
}

/// A name within a sentence: *Substeps* becomes *substeps*.
fn within(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// The name of the button that resets what has this name.
#[must_use]
pub fn reset_name(name: &str) -> String {
    tr!("Reset {}", within(name))
}

/// A field for a number, with its name and what it is for.
pub fn number(ui: &mut Ui, name: &str, help: &str, field: DragValue<'_>) -> Response {
    add_field(ui, name, field).on_hover_text(help)
}

/// Adds a field that writes its value only when it is edited. By default egui also clamps a value that is only shown,
/// and turns NaN into infinity.
fn add_field(ui: &mut Ui, name: &str, field: DragValue<'_>) -> Response {
    ui.add(field.clamp_existing_to_range(false)).named(name)
}

/// The size of a value within bounds, from which fields take the speed of a drag. NaN counts as the smallest size, so
/// that the speed is always a number.
pub(super) fn size_within(value: f32, least: f32, most: f32) -> f64 {
    f64::from(value.abs().max(least).min(most))
}

/// What a row says about itself.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// Its label.
    pub label: &'a str,
    /// What it does and what its range is.
    pub help: &'a str,
}

impl Row<'_> {
    /// Shows the label, then `widget` with the width that is left, then a reset button that is enabled where the value
    /// `differs` from the scene's `default`. Returns whether reset was pressed.
    pub fn show(self, ui: &mut Ui, differs: bool, default: &str, widget: impl FnOnce(&mut Ui)) -> bool {
        let height = ui.spacing().interact_size.y;
        ui.horizontal(|ui| {
            let left = Layout::left_to_right(Align::Center);
            ui.allocate_ui_with_layout(egui::vec2(LABEL, height), left, |ui| {
                ui.set_min_width(LABEL);
                let label = ui.add(egui::Label::new(self.label).truncate());
                self.explained(label, default);
            });
            let gap = ui.spacing().item_spacing.x;
            let width = (ui.available_width() - RESET - gap).max(40.0);
            ui.allocate_ui_with_layout(egui::vec2(width, height), left, |ui| {
                ui.set_min_width(width);
                widget(ui);
            });
            let button = egui::Button::new("↺").frame(false).min_size(egui::vec2(RESET, height));
            usable(ui, differs, |ui| ui.add(button))
                .on_hover_text(tr!("Back to the scene's value: {}", default))
                .on_disabled_hover_text(tr!("This is the scene's value: {}", default))
                .named(reset_name(self.label))
                .clicked()
        })
        .inner
    }

    /// A slider for a number. A reset goes back to `default`.
    pub fn slider<N: Number>(self, ui: &mut Ui, value: &mut N, range: &SliderRange<N>, default: N) {
        let differs = *value != default;
        let text = format!("{}{}", default.text(range.digits), range.unit);
        let reset = self.show(ui, differs, &text, |ui| {
            let width = (ui.available_width() - NUMBER - ui.spacing().item_spacing.x).max(30.0);
            ui.spacing_mut().slider_width = width;
            ui.spacing_mut().interact_size.x = NUMBER;
            let slider = Slider::new(value, range.ends.clone())
                .logarithmic(range.log)
                .smallest_positive(range.smallest)
                .max_decimals(range.digits)
                .clamping(if range.beyond { SliderClamping::Never } else { SliderClamping::Edits })
                .show_value(false);
            self.explained(ui.add(slider).named(self.label), &text);
            let speed = range.per_point(*value, width);
            let mut field = DragValue::new(value).speed(speed).max_decimals(range.digits).suffix(range.unit);
            if !range.log {
                // Numbers of a kind have the same digits, however wide their sliders are.
                field = field.fixed_decimals(range.digits);
            }
            if !range.beyond {
                field = field.range(range.ends.clone());
            }
            self.explained(add_field(ui, &tr!("{}, number", self.label), field), &text);
        });
        if reset {
            *value = default;
        }
    }

    /// A switch.
    pub fn switch(self, ui: &mut Ui, value: &mut bool, default: bool) {
        let word = |on: bool| if on { tr!("on") } else { tr!("off") };
        let text = word(default);
        let reset = self.show(ui, *value != default, &text, |ui| {
            self.explained(ui.checkbox(value, word(*value)).named(self.label), &text);
        });
        if reset {
            *value = default;
        }
    }

    /// A choice between a few values, each with its name.
    pub fn choice<T: Copy + PartialEq>(self, ui: &mut Ui, value: &mut T, all: &[(T, &str)], default: T) {
        let name_of =
            |value: T| all.iter().find(|(each, _)| *each == value).map_or_else(String::new, |(_, name)| tr!(name));
        let text = name_of(default);
        let reset = self.show(ui, *value != default, &text, |ui| {
            let width = ui.available_width() - 8.0;
            let chooser = egui::ComboBox::from_id_salt(self.label).selected_text(name_of(*value)).width(width);
            // A long name does not make the panel wider.
            let chooser = chooser.truncate();
            let chooser = chooser.show_ui(ui, |ui| {
                for &(each, name) in all {
                    ui.selectable_value(value, each, tr!(name));
                }
            });
            self.explained(chooser.response.named(self.label), &text);
        });
        if reset {
            *value = default;
        }
    }

    /// Says what the row is for under the pointer, also where it cannot be used: there it says why.
    pub fn explained(self, widget: Response, default: &str) {
        let explain = |ui: &mut Ui| {
            ui.set_max_width(300.0);
            ui.label(self.help);
            ui.weak(tr!("In this scene: {}", default));
        };
        widget.on_hover_ui(explain).on_disabled_hover_ui(explain);
    }
}

/// The range of a slider and how it is written.
#[derive(Clone, Debug)]
pub struct SliderRange<N> {
    /// From the left end to the right.
    pub ends: RangeInclusive<N>,
    /// The unit, with the space before it.
    pub unit: &'static str,
    /// Digits after the point, at most.
    pub digits: usize,
    /// Whether the slider is logarithmic.
    pub log: bool,
    /// The smallest value above zero that a logarithmic slider tells from zero.
    pub smallest: f64,
    /// Whether values beyond the ends can be typed.
    pub beyond: bool,
}

impl<N> SliderRange<N> {
    /// A plain range with a unit.
    pub fn new(ends: RangeInclusive<N>, unit: &'static str, digits: usize) -> Self {
        Self { ends, unit, digits, log: false, smallest: 1e-3, beyond: false }
    }

    /// Makes small values easy to set.
    #[must_use]
    pub fn log(self) -> Self {
        Self { log: true, ..self }
    }

    /// Lets values beyond the ends be typed.
    #[must_use]
    pub fn beyond(self) -> Self {
        Self { beyond: true, ..self }
    }
}

impl<N: Number> SliderRange<N> {
    /// By how much a number changes when it is dragged by a point: as the slider of this width (points) would.
    fn per_point(&self, value: N, width: f32) -> f64 {
        let (low, high) = (self.ends.start().to_f64(), self.ends.end().to_f64());
        let width = f64::from(width.max(1.0));
        if !self.log {
            return (high - low) / width;
        }
        let least = if low > 0.0 { low } else { self.smallest };
        let size = value.to_f64().abs();
        let size = if size.is_finite() { size.clamp(least, high) } else { high };
        size * (high / least).ln() / width
    }
}

/// A number that a slider can hold.
pub trait Number: egui::emath::Numeric {
    /// As text with at most so many digits after the point.
    fn text(self, digits: usize) -> String {
        trimmed(self.to_f64(), digits)
    }
}

impl<N: egui::emath::Numeric> Number for N {}

fn trimmed(value: f64, digits: usize) -> String {
    let text = decimals(value, digits);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// A measured value with its unit, four digits, with an exponent where it is very large or very small.
#[must_use]
pub fn measured(value: f64, unit: &str) -> String {
    let size = value.abs();
    let number = if value == 0.0 || !value.is_finite() {
        zero_without_sign(format!("{value}"))
    } else if (1e-3..1e5).contains(&size) {
        // log10 of a number in this range needs no more than a comparison.
        let digits = [1e-2, 1e-1, 1.0, 10.0, 100.0, 1000.0].iter().filter(|&&step| size < step).count();
        decimals(value, digits)
    } else {
        format!("{value:.3e}")
    };
    if unit.is_empty() { number } else { format!("{number} {unit}") }
}

/// A line of a table of readings: what, and its value.
pub fn reading(ui: &mut Ui, label: &str, help: &str, value: impl Into<egui::WidgetText>) -> Response {
    ui.horizontal(|ui| {
        ui.weak(label).on_hover_text(help);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| ui.label(value).on_hover_text(help)).inner
    })
    .inner
}

/// A row with a label of its own width.
pub(super) fn row(ui: &mut Ui, label: &str, help: &str, widget: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        let size = egui::vec2(76.0, ui.spacing().interact_size.y);
        ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_width(size.x);
            ui.label(label).on_hover_text(help);
        });
        // One width for all numbers, so that they do not jump about while they change, and that two have room in a
        // narrow panel.
        let half = (ui.available_width() - ui.spacing().item_spacing.x) / 2.0;
        ui.spacing_mut().interact_size.x = half.clamp(60.0, 96.0);
        widget(ui);
    });
}

/// The two parts of a vector.
pub(super) fn pair(ui: &mut Ui, name: &str, value: &mut Vec2, unit: &str, speed: f64) {
    for (part, axis, way) in [(&mut value.x, "x", tr!("to the right")), (&mut value.y, "y", tr!("upward"))] {
        let field = DragValue::new(part).speed(speed).suffix(unit.to_owned()).max_decimals(4).min_decimals(2);
        number(ui, &format!("{name} {axis}"), &format!("{name} {way},{unit}"), field);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_keep_four_digits() {
        assert_eq!(measured(1234.5678, "J"), "1235 J");
        assert_eq!(measured(12.345_678, "J"), "12.35 J");
        assert_eq!(measured(0.012_345, ""), "0.01235");
        assert_eq!(measured(1e-9, "m"), "1.000e-9 m");
        assert_eq!([0.0, -0.0].map(|zero| measured(zero, "m")), ["0 m", "0 m"]);
        assert_eq!(measured(f64::NAN, "m"), "NaN m");
    }

    #[test]
    fn defaults_are_written_without_idle_zeros() {
        assert_eq!(0.8_f32.text(3), "0.8");
        assert_eq!(60.0_f64.text(0), "60");
        assert_eq!(3_u32.text(0), "3");
    }

    #[test]
    fn a_number_is_dragged_as_fast_as_its_slider() {
        let plain = SliderRange::new(0.0..=1.0_f64, "", 3);
        assert_eq!([0.0, 0.7].map(|value| plain.per_point(value, 100.0)), [0.01, 0.01]);
        // A slider of 100 points from 1 to 100 takes e to 1.047 e.
        let log = SliderRange::new(1.0..=100.0_f64, "", 3).log();
        let step = log.per_point(std::f64::consts::E, 100.0);
        assert!((step / std::f64::consts::E - 100_f64.ln() / 100.0).abs() < 1e-12, "{step}");
        let from_zero = SliderRange::new(0.0..=10.0_f64, "", 3).log();
        for value in [0.0, f64::NAN, f64::INFINITY, 1e30] {
            let step = from_zero.per_point(value, 100.0);
            assert!(step > 0.0 && step < 10.0, "{step} at {value}");
        }
    }

    #[test]
    fn the_size_of_what_is_not_a_number_is_the_smallest() {
        assert_eq!([-2.0, 1e9, 0.0, f32::NAN].map(|value| size_within(value, 0.5, 1e3)), [2.0, 1e3, 0.5, 0.5]);
    }

    #[test]
    fn a_reset_is_named_as_in_a_sentence() {
        assert_eq!(reset_name("Disc – wall"), "Reset disc – wall");
        assert_eq!(reset_name(""), "Reset ");
    }

    #[test]
    fn an_untouched_resource_is_not_changed() {
        use crate::timeline::Playback;
        let mut world = World::new();
        world.init_resource::<Playback>();
        world.clear_trackers();
        edit::<Playback, _>(&mut world, |_| ());
        assert!(!world.is_resource_changed::<Playback>());
        edit::<Playback, _>(&mut world, |playback| playback.paused = true);
        assert!(world.is_resource_changed::<Playback>());
    }
}
