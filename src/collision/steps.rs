//! The steps of a tick, in their order, each a plain function over [`Space`](super::Space): what the systems of the
//! schedule call, and predictions, tests and benches.

pub use super::{
    continuous::impacts,
    overlap::push_apart::push_apart,
    settle::settle,
    space::broad_phase,
    stepped::{fixed_circles::fixed_circles, impulse::impulse, integrate::integrate, walls::walls},
};
