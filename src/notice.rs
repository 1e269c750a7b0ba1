//! Notices: short messages for the user, such as why a scene could not be loaded. `view` shows the newest for a while,
//! and the panel lists them.

use bevy::{platform::time::Instant, prelude::*};
use std::{borrow::Cow, collections::VecDeque};

/// Marks an English text that is translated when it is displayed, not where it is defined: in a table, or in the
/// template of a [`NoticeText`].
#[must_use]
pub const fn mark(text: &'static str) -> &'static str {
    text
}

/// The text of a notice: an English template, and the values for each `{}` in it. The template may be translated before
/// display. A plain text is displayed unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoticeText {
    template: &'static str,
    values: Vec<String>,
}

impl NoticeText {
    /// A template, [marked](mark) for translators, with its values in order.
    pub fn new<T: Into<String>>(template: &'static str, values: impl IntoIterator<Item = T>) -> Self {
        Self { template, values: values.into_iter().map(Into::into).collect() }
    }

    /// The whole text, with a translated template.
    pub fn translated<'a>(&'a self, translate: impl FnOnce(&'a str) -> Cow<'a, str>) -> String {
        let template = translate(self.template);
        let mut parts = template.split("{}");
        let mut text = parts.next().unwrap_or_default().to_owned();
        for (place, part) in parts.enumerate() {
            text += self.values.get(place).map_or("{}", String::as_str);
            text += part;
        }
        text
    }
}

impl std::fmt::Display for NoticeText {
    /// In English.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.translated(Cow::Borrowed))
    }
}

impl From<String> for NoticeText {
    fn from(text: String) -> Self {
        Self::new("{}", [text])
    }
}

impl From<&str> for NoticeText {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

/// One message for the user.
#[derive(Clone, Debug)]
pub struct Notice {
    /// Its text in English.
    pub text: String,
    /// The template and values, for translation.
    pub template: NoticeText,
    /// Whether something went wrong.
    pub is_error: bool,
    /// Its subject, such as a scene, for [`Notices::retract`]; usually `None`.
    pub about: Option<String>,
    /// The time at which it was written.
    pub at: Instant,
}

/// The latest notices, oldest first; at most [`Notices::KEPT`].
#[derive(Resource, Clone, Debug, Default)]
pub struct Notices(VecDeque<Notice>);

impl Notices {
    /// The number of notices that are kept; older ones are dropped.
    pub const KEPT: usize = 100;

    /// Reports a success.
    pub fn info(&mut self, text: impl Into<NoticeText>) {
        self.push(text.into(), false, None);
    }

    /// Reports an error and its remedy.
    pub fn error(&mut self, text: impl Into<NoticeText>) {
        self.push(text.into(), true, None);
    }

    /// The same for an error that can be fixed, such as in a scene: [`Notices::retract`] then removes it.
    pub fn error_about(&mut self, about: impl Into<String>, text: impl Into<NoticeText>) {
        self.push(text.into(), true, Some(about.into()));
    }

    /// Removes the notices of [`Notices::error_about`] on this subject.
    pub fn retract(&mut self, about: &str) {
        self.0.retain(|notice| notice.about.as_deref() != Some(about));
    }

    /// All notices, oldest first.
    #[must_use]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Notice> {
        self.0.iter()
    }

    fn push(&mut self, template: NoticeText, is_error: bool, about: Option<String>) {
        let text = template.to_string();
        if is_error {
            tracing::error!("{text}");
        } else {
            tracing::info!("{text}");
        }
        if self.0.len() == Self::KEPT {
            self.0.pop_front();
        }
        self.0.push_back(Notice { text, template, is_error, about, at: Instant::now() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stand_where_the_translation_has_them() {
        let text = NoticeText::new(mark("saved {} of {}"), ["3", "4 {}"]);
        assert_eq!(text.to_string(), "saved 3 of 4 {}");
        assert_eq!(text.translated(|_| "{} von {} gespeichert".into()), "3 von 4 {} gespeichert");
        assert_eq!(NoticeText::from("a {} b").to_string(), "a {} b");
    }

    #[test]
    fn what_is_fixed_is_retracted_and_nothing_else() {
        let mut notices = Notices::default();
        notices.error_about("a.ron", "it is wrong");
        notices.error_about("b.ron", "it is wrong too");
        notices.error("so is this");
        notices.retract("a.ron");
        let left: Vec<_> = notices.iter().map(|notice| notice.text.as_str()).collect();
        assert_eq!(left, ["it is wrong too", "so is this"]);
    }
}
