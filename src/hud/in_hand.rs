//! Placement of the ball in hand, by dragging, with keys or with a stick, within its region. Enter places it and picks
//! it up again. The key that starts a shot also places it.

use bevy::prelude::*;

use super::{Hud, persons_stroke};
use crate::{
    components::Position,
    games::{
        Action, BallId, PlaceRefusal, Region, place_refusal,
        plugin::{CurrentMatch, GameBall, MatchCommand},
    },
    input::{
        Gesture, Pointer,
        actions::{Control, Inputs, Repeat},
        hand::SLACK,
    },
    view::{LONGEST_FRAME, Views},
};

/// The step of a key press, logical pixels. Fine steps are a tenth of it.
const STEP: f32 = 10.0;

/// The speed of a fully deflected stick, logical pixels per second.
const STICK: f32 = 400.0;

/// The ball in hand and its region, if the person has one.
fn ball_in_hand(live: &CurrentMatch) -> Option<(BallId, Region)> {
    let stroke = persons_stroke(live)?;
    Some((stroke.cue_ball, stroke.in_hand?))
}

/// Why a ball in hand may not lie there, or `None` if it may.
fn why_not(live: &CurrentMatch, (ball, region): (BallId, Region), place: Vec2) -> Option<PlaceRefusal> {
    place_refusal(region, live.game().layout(), ball, place, live.game().table())
}

/// The ball follows the mouse within its region, and stays where it is released.
pub(super) fn by_drag(
    mut hud: ResMut<Hud>,
    (live, gesture, time): (Option<Res<CurrentMatch>>, Res<Gesture>, Option<Res<Time<Real>>>),
    (views, mouse): (Views, Res<Pointer>),
    mut balls: Query<&mut Position, With<GameBall>>,
    mut commands: MessageWriter<MatchCommand>,
) {
    let Some((live, held)) = live.as_ref().and_then(|live| Some((live, ball_in_hand(live)?))) else {
        hud.dragged = false;
        return;
    };
    let Some(entity) = live.entity_of(held.0) else { return };
    let Ok(mut position) = balls.get_mut(entity) else { return };
    match *gesture {
        Gesture::Moving { disc, grab, offset, pointer, .. }
            if hud.placing
                && disc == entity
                && (hud.dragged || pointer.distance(grab) > views.of(mouse.camera).px(SLACK)) =>
        {
            hud.dragged = true;
            let place = pointer + offset;
            if why_not(live, held, place).is_none() {
                position.set_if_neq(Position(place));
                hud.refused_at = None;
            } else {
                hud.refused_at = Some(place);
            }
        }
        _ if hud.dragged => {
            hud.dragged = false;
            match hud.refused_at.take() {
                Some(place) => {
                    if let Some(why) = why_not(live, held, place) {
                        hud.refuse(why, time.map_or(0.0, |time| time.elapsed_secs()));
                    }
                }
                None => put_down(&mut hud, position.0, &mut commands),
            }
        }
        _ => {}
    }
}

fn put_down(hud: &mut Hud, place: Vec2, commands: &mut MessageWriter<MatchCommand>) {
    hud.placing = false;
    hud.refusal = None;
    commands.write(MatchCommand::Act(Action::Place(place)));
}

/// Moves the ball with keys and a stick. A key places it and picks it up again.
pub(super) fn by_keys(
    mut hud: ResMut<Hud>,
    (live, inputs, time): (Option<Res<CurrentMatch>>, Inputs, Option<Res<Time<Real>>>),
    (views, mouse): (Views, Res<Pointer>),
    mut balls: Query<&mut Position, With<GameBall>>,
    mut commands: MessageWriter<MatchCommand>,
    mut steps: Local<Repeat<4>>,
) {
    let Some((live, held)) = live.as_ref().and_then(|live| Some((live, ball_in_hand(live)?))) else { return };
    let Some(mut position) = live.entity_of(held.0).and_then(|entity| balls.get_mut(entity).ok()) else { return };
    if inputs.started(Control::FinishShape) {
        if hud.placing {
            put_down(&mut hud, position.0, &mut commands);
        } else {
            hud.placing = true;
        }
    } else if hud.placing && inputs.started(Control::SetUpShot) {
        // Starting a shot accepts the current place of the ball.
        match why_not(live, held, position.0) {
            None => {
                put_down(&mut hud, position.0, &mut commands);
                hud.sets_up = true;
            }
            Some(why) => hud.refuse(why, time.as_ref().map_or(0.0, |time| time.elapsed_secs())),
        }
    }
    let (seconds, now) = time.map_or((0.0, 0.0), |time| (time.delta_secs(), time.elapsed_secs()));
    let sides = [Control::MoveLeft, Control::MoveRight, Control::MoveUp, Control::MoveDown];
    let [left, right, up, down] = steps.steps(&inputs, sides, seconds);
    let fine = if inputs.held(Control::FineSteps) { 0.1 } else { 1.0 };
    // Finer near the centre of the stick.
    let stick = vec2(inputs.value(Control::TurnStick), -inputs.value(Control::MoveStick));
    let by_stick = stick * stick.abs() * STICK * seconds.min(LONGEST_FRAME);
    let view = views.of(mouse.camera);
    let step = view.in_world((vec2(right - left, down - up) * STEP + by_stick) * view.px(fine));
    if !hud.placing || step == Vec2::ZERO {
        return;
    }
    // If the way is blocked, the ball slides along.
    let ways = [step, vec2(step.x, 0.0), vec2(0.0, step.y)];
    let mut places = ways.into_iter().filter(|way| *way != Vec2::ZERO).map(|way| position.0 + way);
    if let Some(place) = places.find(|&place| why_not(live, held, place).is_none()) {
        position.0 = place;
        hud.refusal = None;
    } else if let Some(why) = why_not(live, held, position.0 + step) {
        hud.refuse(why, now);
    }
}
