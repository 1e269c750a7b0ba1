//! A progress bar on the terminal.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressStyle};

/// A progress bar for `count` items, named by `of_what`, such as `ticks`. It is hidden if `quiet`, if there are fewer
/// than two items, or if standard error is not a terminal.
pub(super) fn progress_bar(count: u64, of_what: &str, quiet: bool) -> ProgressBar {
    if quiet || count < 2 || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let template = format!("{{bar:40.cyan/blue}} {{pos}}/{{len}} {of_what}, {{eta}} left");
    let style = ProgressStyle::with_template(&template);
    ProgressBar::new(count).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
