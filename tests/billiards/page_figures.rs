//! The figures in `docs/src/figures` are what the example draws.

use std::{fs, path::Path};

#[path = "../../examples/billiards_figures/chart.rs"]
mod chart;
#[path = "../../examples/billiards_figures/figures.rs"]
mod figures;
#[path = "../../examples/billiards_figures/shots.rs"]
mod shots;

/// The numbers of a text, and the text between them.
fn parts(text: &str) -> (Vec<f64>, Vec<&str>) {
    let is_number = |c: char| c.is_ascii_digit() || c == '.';
    let numbers = text.split(|c| !is_number(c)).filter_map(|number| number.parse().ok()).collect();
    (numbers, text.split(is_number).filter(|word| !word.is_empty()).collect())
}

#[test]
fn figures_are_what_the_example_draws() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src/figures");
    for (name, draw) in figures::ALL {
        let path = folder.join(name).with_extension("svg");
        let (there, drawn) = (fs::read_to_string(&path).unwrap_or_default(), draw());
        let ((numbers, words), (numbers_drawn, words_drawn)) = (parts(&there), parts(&drawn));
        // A difference of a tenth of a pixel is rounding.
        let same = numbers.len() == numbers_drawn.len()
            && words == words_drawn
            && numbers.iter().zip(&numbers_drawn).all(|(a, b)| (a - b).abs() < 0.11);
        assert!(
            same,
            "{} is not what the example draws: cargo run --example billiards_figures -- docs/src/figures",
            path.display()
        );
    }
}
