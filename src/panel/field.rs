//! A value that people edit: its name, what it is for, its unit and its range, and the widgets that edit it.
//!
//! A setting is a row with a reset ([`slider`](Field::slider), [`switch`](Field::switch), [`choice`](Field::choice)),
//! a value of an entity a plain one ([`row`](Field::row)). Each is one expression in its section:
//!
//! ```
//! # use carom::{bevy_egui::egui::Ui, panel::Field, motion::MotionSettings};
//! # fn show(ui: &mut Ui, settings: &mut MotionSettings, start: &MotionSettings) {
//! Field::new("Drag", "As in air or water.").unit(" /s").range(0.0..=10.0).slider(ui, &mut settings.drag, start.drag);
//! # }
//! ```
//!
//! Whatever can be operated has a name for screen readers, by which tests find it too: that of its field. Of the row
//! *Substeps* the slider is *Substeps*, the number beside it *Substeps, number* and the reset *Reset substeps*.

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
/// The smallest value above zero that a logarithmic slider tells from zero.
const SMALLEST: f64 = 1e-3;

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

/// The size of a value within bounds, from which fields take the speed of a drag. NaN counts as the smallest size, so
/// that the speed is always a number.
pub(super) fn size_within(value: f32, least: f32, most: f32) -> f64 {
    f64::from(value.abs().max(least).min(most))
}

/// A value that people edit. Its texts are given in the language of the window.
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
    /// A field with a name, which is its label too, and a sentence about what it does and what its range is.
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

    /// The name for screen readers, where the label alone does not tell the field from others. Default: the label.
    #[must_use]
    pub fn named(self, name: impl Into<Cow<'a, str>>) -> Self {
        Self { name: name.into(), ..self }
    }

    /// The unit, with the space before it. Default: none.
    #[must_use]
    pub fn unit(self, unit: &'a str) -> Self {
        Self { unit, ..self }
    }

    /// Digits after the point, at most. Default: 3.
    #[must_use]
    pub fn digits(self, digits: usize) -> Self {
        Self { digits, ..self }
    }

    /// By how much a number without a slider changes when it is dragged by a point. Default: 0.01.
    #[must_use]
    pub fn speed(self, speed: f64) -> Self {
        Self { speed, ..self }
    }

    /// The values that can be set; of a slider from the left end to the right. Default: any; 0 to 1 for a slider.
    #[must_use]
    pub fn range<N: Numeric>(self, ends: RangeInclusive<N>) -> Self {
        Self { range: Some(ends.start().to_f64()..=ends.end().to_f64()), ..self }
    }

    /// Makes small values easy to set with a slider.
    #[must_use]
    pub fn log(self) -> Self {
        Self { log: true, ..self }
    }

    /// Lets values beyond the ends of a slider be typed.
    #[must_use]
    pub fn beyond(self) -> Self {
        Self { beyond: true, ..self }
    }

    /// The name for screen readers.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A row with a slider and a number. A reset goes back to `default`.
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
            // Numbers of a kind have the same digits, however wide their sliders are.
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

    /// A row with a choice between a few values, each with its name, marked for translation.
    pub fn choice<T: Copy + PartialEq + Debug>(&self, ui: &mut Ui, value: &mut T, all: &[(T, &str)], default: T) {
        let text = name_of(all, default);
        self.setting(ui, value, default, &text, |ui, value| {
            let width = ui.available_width() - 8.0;
            // A long name does not make the panel wider.
            let chooser = self.chooser(ui, value, all, |chooser| chooser.width(width).truncate());
            self.explained(chooser, &text);
        });
    }

    /// A row with a reset that goes back to `default`, of which `text` tells.
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

    /// Shows the label, then `widget` with the width that is left, then a reset button that is enabled where the value
    /// `differs` from the scene's `default`. Returns whether reset was pressed.
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

    /// Says what the field is for under the pointer, also where it cannot be used: there it says why.
    pub fn explained(&self, widget: Response, default: &str) {
        let explain = |ui: &mut Ui| {
            ui.set_max_width(300.0);
            ui.label(&*self.help);
            ui.weak(tr!("In this scene: {}", default));
        };
        widget.on_hover_ui(explain).on_disabled_hover_ui(explain);
    }

    /// Shows the label, and what `show` adds to the right of it.
    pub fn row<T>(&self, ui: &mut Ui, show: impl FnOnce(&mut Ui, &Self) -> T) -> T {
        ui.horizontal(|ui| {
            label(ui, LABELS[1], egui::Label::new(&*self.label)).on_hover_text(&*self.help);
            // One width for all numbers, so that they do not jump about while they change, and that two have room in
            // a narrow panel.
            let half = (ui.available_width() - ui.spacing().item_spacing.x) / 2.0;
            ui.spacing_mut().interact_size.x = half.clamp(60.0, 96.0);
            show(ui, self)
        })
        .inner
    }

    /// A number alone.
    pub fn number<N: Numeric>(&self, ui: &mut Ui, value: &mut N) -> Response {
        self.add(ui, value, 0).on_hover_text(&*self.help)
    }

    /// The two parts of a vector, each a number.
    pub fn vector(&self, ui: &mut Ui, value: &mut Vec2) {
        for (part, axis, way) in [(&mut value.x, "x", tr!("to the right")), (&mut value.y, "y", tr!("upward"))] {
            let help = format!("{} {way},{}", self.name, self.unit);
            let field =
                Self { name: format!("{} {axis}", self.name).into(), help: help.clone().into(), ..self.clone() };
            field.add(ui, part, 2).on_hover_text(help);
        }
    }

    /// A switch alone, with a word behind it.
    pub fn tick(&self, ui: &mut Ui, value: &mut bool, word: impl Into<String>) -> Response {
        ui.checkbox(value, word.into()).named(&*self.name).on_hover_text(&*self.help)
    }

    /// A choice alone.
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

    /// Adds a number that writes its value only when it is edited. By default egui also clamps a value that is only
    /// shown, and turns NaN into infinity.
    fn add<N: Numeric>(&self, ui: &mut Ui, value: &mut N, least_digits: usize) -> Response {
        let mut field = DragValue::new(value).speed(self.speed).suffix(self.unit).clamp_existing_to_range(false);
        field = field.max_decimals(self.digits).min_decimals(least_digits);
        if let Some(ends) = self.range.clone().filter(|_| !self.beyond) {
            field = field.range(N::from_f64(*ends.start())..=N::from_f64(*ends.end()));
        }
        field.ui(ui).named(&*self.name)
    }

    /// By how much a number changes when it is dragged by a point: as the slider of this width (points) would.
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

/// The name of a value among those that can be chosen.
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
        // A slider of 100 points from 1 to 100 takes e to 1.047 e.
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
        assert_eq!(reset_name("Disc – wall"), "Reset disc – wall");
        assert_eq!(reset_name(""), "Reset ");
    }
}
