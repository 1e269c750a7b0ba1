//! The bar on the terminal that tells how far a run has come.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressStyle};

/// A bar for so many of something, such as `ticks`; none that is seen where it is not wanted, or where nobody looks at
/// a terminal.
pub(super) fn progress_bar(count: u64, of_what: &str, quiet: bool) -> ProgressBar {
    if quiet || count < 2 || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let template = format!("{{bar:40.cyan/blue}} {{pos}}/{{len}} {of_what}, {{eta}} left");
    let style = ProgressStyle::with_template(&template);
    ProgressBar::new(count).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
