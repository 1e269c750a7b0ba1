//! Calls of balls and pockets, by a press on them or with keys.

use bevy::prelude::*;

use super::{Hud, persons_stroke};
use crate::{
    games::{
        BallId, CallNeeded, PocketId, ShotConstraints,
        plugin::{CurrentMatch, GameBall},
    },
    input::{
        actions::{Control, Inputs},
        hand::{Hand, SLACK},
    },
};

/// The radius around a pocket in which a press selects it, in radii of the pocket.
const POCKET_REACH: f32 = 1.4;

/// Calls the pressed ball or pocket.
pub(super) fn by_press(mut hud: ResMut<Hud>, live: Option<Res<CurrentMatch>>, hand: Hand, balls: Query<&GameBall>) {
    let Some((live, stroke)) = live.as_ref().and_then(|live| Some((live, persons_stroke(live)?))) else { return };
    if stroke.call == CallNeeded::Nothing || hand.begun(&[Control::Pull]).is_none() {
        return;
    }
    let Some(at) = hand.pressed_at() else { return };
    let pressed = hand.disc_at(at, hand.reach(SLACK));
    if let Some(&GameBall(ball)) = pressed.and_then(|seen| balls.get(seen.disc).ok()) {
        if stroke.allows_call_of(ball) {
            call_ball(&mut hud, stroke, Some(ball));
        }
    } else if stroke.call == CallNeeded::BallAndPocket {
        let holes = &live.game().table().built.holes;
        let pressed = holes.iter().position(|hole| {
            hole.middle.as_vec2().distance(at) < POCKET_REACH * hole.liner_radius.max(hole.radius) as f32
        });
        if let Some(pocket) = pressed {
            call_pocket(&mut hud, Some(PocketId(pocket as u8)));
        }
    }
}

fn call_ball(hud: &mut Hud, stroke: &ShotConstraints, ball: Option<BallId>) {
    (hud.call.ball, hud.call.safety, hud.call.push_out) = (ball, false, false);
    // The call may be complete now.
    hud.refusal = None;
    if stroke.call == CallNeeded::Ball {
        hud.call.pocket = None;
    }
}

fn call_pocket(hud: &mut Hud, pocket: Option<PocketId>) {
    (hud.call.pocket, hud.call.safety, hud.call.push_out) = (pocket, false, false);
    hud.refusal = None;
}

/// Calls a safety, a push-out, or neither.
pub(super) fn declare(hud: &mut Hud, safety: bool, push_out: bool) {
    (hud.call.safety, hud.call.push_out) = (safety, push_out);
    hud.refusal = None;
}

/// The next or previous entry of a list, wrapping around.
fn neighbour<T: Copy + PartialEq>(all: &[T], now: Option<T>, forward: bool) -> Option<T> {
    let count = all.len();
    let at = now.and_then(|now| all.iter().position(|each| *each == now));
    let to = match at {
        Some(at) if forward => (at + 1) % count,
        Some(at) => (at + count - 1) % count,
        None if forward => 0,
        None => count.checked_sub(1)?,
    };
    all.get(to).copied()
}

/// Calls with keys: the next ball, the next pocket, a safety or a push-out.
pub(super) fn by_keys(mut hud: ResMut<Hud>, live: Option<Res<CurrentMatch>>, inputs: Inputs) {
    let Some((live, stroke)) = live.as_ref().and_then(|live| Some((live, persons_stroke(live)?))) else { return };
    if inputs.started(Control::Declare) {
        let offered = [(false, false), (stroke.may_play_safe, false), (false, stroke.may_push_out)];
        let offered = [Some(offered[0]), offered[1].0.then_some((true, false)), offered[2].1.then_some((false, true))];
        let all: Vec<(bool, bool)> = offered.into_iter().flatten().collect();
        if let Some((safety, push_out)) = neighbour(&all, Some((hud.call.safety, hud.call.push_out)), true) {
            declare(&mut hud, safety, push_out);
        }
    }
    if stroke.call == CallNeeded::Nothing {
        return;
    }
    for (control, forward) in [(Control::SelectNext, true), (Control::SelectPrevious, false)] {
        if inputs.started(control) {
            let on_table = live.game().layout().on_table().map(|(ball, _)| ball);
            let mut balls: Vec<BallId> = on_table.filter(|&ball| stroke.allows_call_of(ball)).collect();
            // Balls on come first.
            balls.sort_by_key(|ball| (!stroke.on.contains(ball), *ball));
            let next = neighbour(&balls, hud.call.ball, forward);
            call_ball(&mut hud, stroke, next);
        }
    }
    for (control, forward) in [(Control::CallPocket, true), (Control::CallPocketBefore, false)] {
        if inputs.started(control) && stroke.call == CallNeeded::BallAndPocket {
            let pockets: Vec<PocketId> =
                (0..live.game().table().built.holes.len()).map(|pocket| PocketId(pocket as u8)).collect();
            let next = neighbour(&pockets, hud.call.pocket, forward);
            call_pocket(&mut hud, next);
        }
    }
}
