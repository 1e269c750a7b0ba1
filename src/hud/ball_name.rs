//! Names of balls in sentences.

use tr::tr;

use crate::billiards::tables::BallName;

/// A ball in a sentence: `the 3`, `the cue ball`.
pub(super) fn ball(name: BallName) -> String {
    match name {
        BallName::Number(number) => number.to_string(),
        BallName::Cue => tr!("cue ball"),
        BallName::Red => tr!("red"),
        BallName::Yellow => tr!("yellow"),
        BallName::Green => tr!("green"),
        BallName::Brown => tr!("brown"),
        BallName::Blue => tr!("blue"),
        BallName::Pink => tr!("pink"),
        BallName::Black => tr!("black"),
    }
}
