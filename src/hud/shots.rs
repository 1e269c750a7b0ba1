//! A shot of a person becomes an action of the match.

use bevy::prelude::*;

use super::{Hud, persons_stroke};
use crate::{
    components::{AngularVelocity, Position, Velocity},
    games::{
        Action,
        plugin::{CurrentMatch, GameBall, MatchCommand},
    },
    input::ShotTaken,
};

/// Takes a shot up. The ball is not struck by the hand: the match strikes it, if the shot may be played, with the same
/// stroke.
pub(super) fn take(
    mut taken: MessageReader<ShotTaken>,
    live: Option<Res<CurrentMatch>>,
    hud: Res<Hud>,
    mut balls: Query<(&mut Velocity, &mut AngularVelocity, &Position), With<GameBall>>,
    mut commands: MessageWriter<MatchCommand>,
) {
    let Some(live) = live else {
        taken.clear();
        return;
    };
    for shot in taken.read() {
        let Ok((mut velocity, mut spin, position)) = balls.get_mut(shot.disc) else { continue };
        (velocity.0, spin.0) = (Vec2::ZERO, Vec3::ZERO);
        let (Some(stroke), Some(strike)) = (persons_stroke(&live), shot.strike) else { continue };
        if live.ball_of(shot.disc) != Some(stroke.cue_ball) {
            continue;
        }
        // It may have been moved by keys, and not been put down.
        if stroke.in_hand.is_some() && live.game().layout()[stroke.cue_ball].on_table() != Some(position.0) {
            commands.write(MatchCommand::Act(Action::Place(position.0)));
        }
        commands.write(MatchCommand::Act(Action::Shoot { call: hud.call, strike }));
    }
}
