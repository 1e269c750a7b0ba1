//! Shows the cue of a bot as it turns to the line and is drawn back, by controlling the aim of a person's shot.

use bevy::prelude::*;

use crate::{
    games::plugin::CurrentMatch,
    input::{Aim, ByNumbers, CueSettings},
};

/// The displayed speed of a cue that has not been drawn back yet, as a fraction of the shot's speed.
const AT_REST: f32 = 0.25;

/// The angle of the cue when a bot came to the table, and the person's cue settings.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    from: f32,
    side: f32,
    top: f32,
    elevation: f32,
}

/// Shows the cue of the bot whose turn it is.
pub(super) fn aim(
    live: Option<Res<CurrentMatch>>,
    aim: Option<ResMut<Aim>>,
    cue: Option<ResMut<CueSettings>>,
    mut before: Local<Option<Turn>>,
    mut last: Local<f32>,
) {
    let (Some(mut aim), Some(mut cue)) = (aim, cue) else { return };
    let stance = live.as_ref().and_then(|live| {
        let stance = live.stance()?;
        Some((stance, live.entity_of(stance.cue_ball)?))
    });
    let Some((stance, disc)) = stance else {
        if let Some(Turn { side, top, elevation, .. }) = before.take() {
            // Restores the person's cue settings.
            (cue.side, cue.top, cue.elevation) = (side, top, elevation);
            *last = aim.by_numbers.map_or(*last, |shot| shot.angle);
            aim.by_numbers = None;
        }
        return;
    };
    let strike = stance.strike;
    let turn = *before.get_or_insert_with(|| {
        let CueSettings { side, top, elevation, .. } = *cue;
        Turn { from: *last, side, top, elevation }
    });
    (cue.side, cue.top) = (strike.side as f32, strike.top as f32);
    cue.elevation = (strike.elevation as f32).to_degrees();
    let to = strike.direction.as_vec2().to_angle().to_degrees();
    // The shorter way around.
    let way = (to - turn.from + 540.0).rem_euclid(360.0) - 180.0;
    let speed = strike.speed as f32 * (AT_REST + (1.0 - AT_REST) * stance.drawn);
    aim.by_numbers = Some(ByNumbers { disc, angle: turn.from + way * stance.turned, speed });
}
