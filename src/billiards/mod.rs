//! Billiards: what makes a game of balls that spin.

pub mod cue;
