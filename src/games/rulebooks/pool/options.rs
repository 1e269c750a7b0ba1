//! Options shared by several pool games.

use crate::{
    games::rules::options::{OptionKind, OptionSpec, OptionValue},
    notice::mark,
};

pub(super) const CALL_SHOTS: OptionSpec = OptionSpec::switch(
    "call_shots",
    mark("Called shots"),
    mark("Ball and pocket must be called, except on the break"),
    true,
);

/// The effect of potting the winning ball on a break without a foul, as [`OnBreak`](super::OnBreak).
pub(super) const ON_BREAK: OptionKind = OptionKind::Choice(&[
    (OptionValue::Word("win"), mark("it wins")),
    (OptionValue::Word("spot"), mark("it is spotted")),
]);

pub(super) const PUSH_OUT: OptionSpec =
    OptionSpec::switch("push_out", mark("Push-out"), mark("The shot after the break may be a push-out"), true);

pub(super) const THREE_FOULS: OptionSpec = OptionSpec::switch(
    "three_fouls",
    mark("Three fouls"),
    mark("Three fouls in a row lose the rack; in straight pool, fifteen points"),
    true,
);
