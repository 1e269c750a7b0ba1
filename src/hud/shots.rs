//! Turns a person's shot into an action of the match.

use bevy::prelude::*;

use super::{Hud, persons_stroke};
use crate::{
    components::{AngularVelocity, Height, Position, Velocity},
    games::{
        Action,
        plugin::{CurrentMatch, GameBall, MatchCommand},
    },
    input::ShotTaken,
};

/// Passes a shot to the match. The input does not strike the ball: the match does, with the same stroke, if the shot is
/// allowed.
pub(super) fn take(
    mut taken: MessageReader<ShotTaken>,
    live: Option<Res<CurrentMatch>>,
    hud: Res<Hud>,
    mut balls: Query<(&mut Velocity, &mut AngularVelocity, &Position), With<GameBall>>,
    (mut commands, mut edits): (MessageWriter<MatchCommand>, Commands),
) {
    let Some(live) = live else {
        taken.clear();
        return;
    };
    for shot in taken.read() {
        let Ok((mut velocity, mut spin, position)) = balls.get_mut(shot.disc) else { continue };
        (velocity.0, spin.0) = (Vec2::ZERO, Vec3::ZERO);
        edits.entity(shot.disc).remove::<Height>();
        let (Some(stroke), Some(strike)) = (persons_stroke(&live), shot.strike) else { continue };
        if live.ball_of(shot.disc) != Some(stroke.cue_ball) {
            continue;
        }
        // The ball may have been moved with keys without being placed.
        if stroke.in_hand.is_some() && live.game().layout()[stroke.cue_ball].on_table() != Some(position.0) {
            commands.write(MatchCommand::Act(Action::Place(position.0)));
        }
        commands.write(MatchCommand::Act(Action::Shoot { call: hud.call, strike }));
    }
}
