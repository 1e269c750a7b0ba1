//! An editable value: its name, its help, its unit and its range, and the widgets that edit it.
//!
//! A setting is a row with a reset ([`slider`](Field::slider), [`switch`](Field::switch), [`choice`](Field::choice)). A
//! value of an entity is a plain row ([`row`](Field::row)). Each is one expression in its section:
//!
//! ```
//! # use carom::{bevy_egui::egui::Ui, panel::Field, motion::MotionSettings};
//! # fn show(ui: &mut Ui, settings: &mut MotionSettings, start: &MotionSettings) {
//! Field::new("Drag", "As in air or water.").unit(" /s").range(0.0..=10.0).slider(ui, &mut settings.drag, start.drag);
//! # }
//! ```
//!
//! Every control has a name for screen readers and tests, which comes from its field. In the row *Substeps* the slider
//! is *Substeps*, the number beside it *Substeps, number* and the reset *Reset substeps*.

use core::fmt::Debug;
use std::{borrow::Cow, ops::RangeInclusive};

use bevy::math::Vec2;
use bevy_egui::egui::{
    self, Align, ComboBox, DragValue, Layout, Response, Slider, SliderClamping, Ui, Widget, emath::Numeric,
};
use tr::tr;

use super::widgets::usable;
use crate::{
    components::{Described, Description},
    editor::is_same,
    number::trimmed,
    view::Named,
};

/// The width of the labels of settings and of plain rows, logical pixels.
const LABELS: [f32; 2] = [98.0, 76.0];
/// The width of a reset button, logical pixels.
const RESET: f32 = 24.0;
/// The width that a slider leaves to its number, logical pixels.
const NUMBER: f32 = 88.0;
/// The smallest value above zero on a logarithmic slider.
const SMALLEST: f64 = 1e-3;

/// A name within a sentence: *Substeps* becomes *substeps*.
fn within(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// The name of the reset button for a name.
#[must_use]
pub fn reset_name(name: &str) -> String {
    tr!("Reset {}", within(name))
}

/// The absolute value, clamped to bounds, from which fields derive their drag speed. NaN counts as the smallest size,
/// so that the speed is always valid.
fn size_within(value: f32, least: f32, most: f32) -> f64 {
    f64::from(value.abs().max(least).min(most))
}

/// The help of a component's description.
pub(super) fn help_of<C: Described>() -> String {
    let help = C::DESCRIPTION.help;
    tr!(help)
}

/// The absolute value of a disc's radius, metres, from which its fields derive their drag speed.
pub(super) fn reach_of(radius: f32) -> f64 {
    size_within(radius, 1e-3, 1e3)
}

/// The absolute value of a mass, kilograms, from which its fields derive their drag speed.
pub(super) fn heft_of(mass: f32) -> f64 {
    size_within(mass, 1e-6, 1e6)
}

/// An editable value. Its texts are in the language of the window.
#[derive(Clone, Debug)]
pub struct Field<'a> {
    label: Cow<'a, str>,
    name: Cow<'a, str>,
    help: Cow<'a, str>,
    unit: &'a str,
    digits: usize,
    speed: f64,
    range: Option<RangeInclusive<f64>>,
    log: bool,
    beyond: bool,
}

impl<'a> Field<'a> {
    /// A field with a name, which is also its label, and a sentence on its effect and its range.
    #[must_use]
    pub fn new(name: impl Into<Cow<'a, str>>, help: impl Into<Cow<'a, str>>) -> Self {
        let name = name.into();
        Self {
            label: name.clone(),
            name,
            help: help.into(),
            unit: "",
            digits: 3,
            speed: 0.01,
            range: None,
            log: false,
            beyond: false,
        }
    }

    /// A field with the name and the unit of a component's description.
    #[must_use]
    pub(super) fn of<C: Described>() -> Self {
        let Description { title, unit, .. } = C::DESCRIPTION;
        let name = tr!(title);
        let help = format!("{name},{unit}");
        Self::new(name, help).unit(unit).digits(4).speed(0.02)
    }

    /// The name for screen readers, if the label alone is ambiguous. Default: the label.
    #[must_use]
    pub fn named(self, name: impl Into<Cow<'a, str>>) -> Self {
        Self { name: name.into(), ..self }
    }

    /// The unit, with the space before it. Default: none.
    #[must_use]
    pub fn unit(self, unit: &'a str) -> Self {
        Self { unit, ..self }
    }

    /// The most digits after the decimal point. Default: 3.
    #[must_use]
    pub fn digits(self, digits: usize) -> Self {
        Self { digits, ..self }
    }

    /// The change of a number without a slider per point of a drag. Default: 0.01.
    #[must_use]
    pub fn speed(self, speed: f64) -> Self {
        Self { speed, ..self }
    }

    /// The range of values. For a slider it goes from the left end to the right. Default: unlimited, or 0 to 1 for a
    /// slider.
    #[must_use]
    pub fn range<N: Numeric>(self, ends: RangeInclusive<N>) -> Self {
        Self { range: Some(ends.start().to_f64()..=ends.end().to_f64()), ..self }
    }

    /// Makes small values easy to set with a slider.
    #[must_use]
    pub fn log(self) -> Self {
        Self { log: true, ..self }
    }

    /// Allows typing values beyond the ends of a slider.
    #[must_use]
    pub fn beyond(self) -> Self {
        Self { beyond: true, ..self }
    }

    /// The name for screen readers.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A row with a slider and a number. The reset restores `default`.
    pub fn slider<N: Numeric>(&self, ui: &mut Ui, value: &mut N, default: N) {
        let text = trimmed(default.to_f64(), self.digits) + self.unit;
        let ends = self.range.clone().unwrap_or(0.0..=1.0);
        self.setting(ui, value, default, &text, |ui, value| {
            let width = (ui.available_width() - NUMBER - ui.spacing().item_spacing.x).max(30.0);
            ui.spacing_mut().slider_width = width;
            ui.spacing_mut().interact_size.x = NUMBER;
            let slider = Slider::new(value, N::from_f64(*ends.start())..=N::from_f64(*ends.end()))
                .logarithmic(self.log)
                .smallest_positive(SMALLEST)
                .max_decimals(self.digits)
                .clamping(if self.beyond { SliderClamping::Never } else { SliderClamping::Edits })
                .show_value(false);
            self.explained(ui.add(slider).named(&*self.name), &text);
            let number = self.clone().named(tr!("{}, number", self.name)).speed(self.per_point(&ends, *value, width));
            // Fields with equal digits show the same number of digits, whatever the width of their sliders.
            let least = if self.log { 0 } else { self.digits };
            self.explained(number.add(ui, value, least), &text);
        });
    }

    /// A row with a switch.
    pub fn switch(&self, ui: &mut Ui, value: &mut bool, default: bool) {
        let word = |on: bool| if on { tr!("on") } else { tr!("off") };
        let text = word(default);
        self.setting(ui, value, default, &text, |ui, value| {
            let word = word(*value);
            self.explained(ui.checkbox(value, word).named(&*self.name), &text);
        });
    }

    /// A row with a choice between a few values, each with a name that is marked for translation.
    pub fn choice<T: Copy + PartialEq + Debug>(&self, ui: &mut Ui, value: &mut T, all: &[(T, &str)], default: T) {
        let text = name_of(all, default);
        self.setting(ui, value, default, &text, |ui, value| {
            let width = ui.available_width() - 8.0;
            // A long name does not widen the panel.
            let chooser = self.chooser(ui, value, all, |chooser| chooser.width(width).truncate());
            self.explained(chooser, &text);
        });
    }

    /// A row with a reset to `default`, which `text` describes.
    fn setting<T: PartialEq>(
        &self,
        ui: &mut Ui,
        value: &mut T,
        default: T,
        text: &str,
        show: impl FnOnce(&mut Ui, &mut T),
    ) {
        if self.with_reset(ui, *value != default, text, |ui| show(ui, value)) {
            *value = default;
        }
    }

    /// Shows the label, then `widget` in the remaining width, then a reset button. The button is enabled if the value
    /// `differs` from the scene's `default`. Returns whether it was pressed.
    pub fn with_reset(&self, ui: &mut Ui, differs: bool, default: &str, widget: impl FnOnce(&mut Ui)) -> bool {
        let height = ui.spacing().interact_size.y;
        ui.horizontal(|ui| {
            let label = label(ui, LABELS[0], egui::Label::new(&*self.label).truncate());
            self.explained(label, default);
            let gap = ui.spacing().item_spacing.x;
            let width = (ui.available_width() - RESET - gap).max(40.0);
            ui.allocate_ui_with_layout(egui::vec2(width, height), Layout::left_to_right(Align::Center), |ui| {
                ui.set_min_width(width);
                widget(ui);
            });
            let button = egui::Button::new("↺").frame(false).min_size(egui::vec2(RESET, height));
            usable(ui, differs, |ui| ui.add(button))
                .on_hover_text(tr!("Back to the scene's value: {}", default))
                .on_disabled_hover_text(tr!("This is the scene's value: {}", default))
                .named(reset_name(&self.label))
                .clicked()
        })
        .inner
    }

    /// Adds the help as a tooltip, even when the widget is disabled. It then gives the reason.
    pub fn explained(&self, widget: Response, default: &str) {
        let explain = |ui: &mut Ui| {
            ui.set_max_width(300.0);
            ui.label(&*self.help);
            ui.weak(tr!("In this scene: {}", default));
        };
        widget.on_hover_ui(explain).on_disabled_hover_ui(explain);
    }

    /// Shows the label, and the content of `show` to its right.
    pub fn row<T>(&self, ui: &mut Ui, show: impl FnOnce(&mut Ui, &Self) -> T) -> T {
        ui.horizontal(|ui| {
            label(ui, LABELS[1], egui::Label::new(&*self.label)).on_hover_text(&*self.help);
            // An equal width for all numbers, so that they do not move while they change, and two fit in a narrow
            // panel.
            let half = (ui.available_width() - ui.spacing().item_spacing.x) / 2.0;
            ui.spacing_mut().interact_size.x = half.clamp(60.0, 96.0);
            show(ui, self)
        })
        .inner
    }

    /// Only a number.
    pub fn number<N: Numeric>(&self, ui: &mut Ui, value: &mut N) -> Response {
        self.add(ui, value, 0).on_hover_text(&*self.help)
    }

    /// The two components of a vector, each as a number.
    pub fn vector(&self, ui: &mut Ui, value: &mut Vec2) {
        for (part, axis, way) in [(&mut value.x, "x", tr!("to the right")), (&mut value.y, "y", tr!("upward"))] {
            let help = format!("{} {way},{}", self.name, self.unit);
            let field =
                Self { name: format!("{} {axis}", self.name).into(), help: help.clone().into(), ..self.clone() };
            field.add(ui, part, 2).on_hover_text(help);
        }
    }

    /// Only a switch, followed by a word.
    pub fn tick(&self, ui: &mut Ui, value: &mut bool, word: impl Into<String>) -> Response {
        ui.checkbox(value, word.into()).named(&*self.name).on_hover_text(&*self.help)
    }

    /// Only a choice.
    pub fn chooser<T: Copy + PartialEq + Debug>(
        &self,
        ui: &mut Ui,
        value: &mut T,
        all: &[(T, &str)],
        fit: impl FnOnce(ComboBox) -> ComboBox,
    ) -> Response {
        let chooser = fit(ComboBox::from_id_salt(&*self.name).selected_text(name_of(all, *value)));
        let chooser = chooser.show_ui(ui, |ui| {
            for &(each, name) in all {
                if ui.selectable_label(is_same(value, &each), tr!(name)).clicked() {
                    *value = each;
                }
            }
        });
        chooser.response.named(&*self.name)
    }

    /// Adds a number that writes its value only when edited. By default egui also clamps a value that is only
    /// displayed, and turns NaN into infinity.
    fn add<N: Numeric>(&self, ui: &mut Ui, value: &mut N, least_digits: usize) -> Response {
        let mut field = DragValue::new(value).speed(self.speed).suffix(self.unit).clamp_existing_to_range(false);
        field = field.max_decimals(self.digits).min_decimals(least_digits);
        if let Some(ends) = self.range.clone().filter(|_| !self.beyond) {
            field = field.range(N::from_f64(*ends.start())..=N::from_f64(*ends.end()));
        }
        field.ui(ui).named(&*self.name)
    }

    /// The change of a number per point of a drag, as with a slider of this width (points).
    fn per_point<N: Numeric>(&self, ends: &RangeInclusive<f64>, value: N, width: f32) -> f64 {
        let (low, high) = (*ends.start(), *ends.end());
        let width = f64::from(width.max(1.0));
        if !self.log {
            return (high - low) / width;
        }
        let least = if low > 0.0 { low } else { SMALLEST };
        let size = value.to_f64().abs();
        let size = if size.is_finite() { size.clamp(least, high) } else { high };
        size * (high / least).ln() / width
    }
}

/// The name of a value among the choices.
fn name_of<T: PartialEq + Debug>(all: &[(T, &str)], value: T) -> String {
    all.iter().find(|(each, _)| is_same(each, &value)).map_or_else(String::new, |(_, name)| tr!(name))
}

/// A label of this width, logical pixels.
fn label(ui: &mut Ui, width: f32, label: egui::Label) -> Response {
    let size = egui::vec2(width, ui.spacing().interact_size.y);
    ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_width(width);
        ui.add(label)
    })
    .inner
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_dragged_as_fast_as_its_slider() {
        let field = Field::new("", "");
        assert_eq!([0.0, 0.7].map(|value| field.per_point(&(0.0..=1.0), value, 100.0)), [0.01, 0.01]);
        // A slider of 100 points from 1 to 100 changes e to 1.047 e.
        let log = field.log();
        let step = log.per_point(&(1.0..=100.0), std::f64::consts::E, 100.0);
        assert!((step / std::f64::consts::E - 100_f64.ln() / 100.0).abs() < 1e-12, "{step}");
        for value in [0.0, f64::NAN, f64::INFINITY, 1e30] {
            let step = log.per_point(&(0.0..=10.0), value, 100.0);
            assert!(step > 0.0 && step < 10.0, "{step} at {value}");
        }
    }

    #[test]
    fn the_size_of_what_is_not_a_number_is_the_smallest() {
        assert_eq!([-2.0, 1e9, 0.0, f32::NAN].map(|value| size_within(value, 0.5, 1e3)), [2.0, 1e3, 0.5, 0.5]);
    }

    #[test]
    fn a_reset_is_named_as_in_a_sentence() {
        assert_eq!(reset_name("Disc – terrain"), "Reset disc – terrain");
        assert_eq!(reset_name(""), "Reset ");
    }
}
