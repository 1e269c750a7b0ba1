//! Drags instruments on the table, by their displays or by the lines of photogates. The ends of a photogate turn it and
//! make it longer.

use bevy::prelude::*;

use super::{are_shown, draw::Displays};
use crate::{
    editor::{self, PanelHold, Tool},
    input::{
        ControlSystems, PointerCapture,
        actions::{Control, Inputs},
        allow,
        gesture::{self, Gesture},
        hand::{Drag, DragStep, Hand, SLACK},
    },
    laboratory::instruments::{Instrument, InstrumentKind, Instruments},
};

/// The reach of a press around a photogate, logical pixels.
const REACH: f32 = 7.0;

/// The name under which instruments capture the pointer.
const OWNER: &str = "instrument";

/// The part of an instrument that is held.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Grip {
    /// All of it.
    Whole,
    /// An end of a photogate: the one in the direction of its half, or the opposite one.
    End(f32),
}

/// An instrument that is held.
#[derive(Clone, Debug)]
struct Held {
    index: usize,
    grip: Grip,
    /// The instrument at the press.
    start: Instrument,
}

/// The drag of an instrument.
#[derive(Resource, Clone, Debug, Default)]
struct InstrumentPull(Option<Drag<Held>>);

pub(super) fn plugin(app: &mut App) {
    allow(app, |controls| controls.select = true);
    app.init_resource::<InstrumentPull>().add_systems(
        PreUpdate,
        pull.in_set(ControlSystems::Gesture)
            .before(gesture::drive)
            .run_if(are_shown.or_else(|pull: Res<InstrumentPull>| pull.0.is_some()))
            .run_if(resource_exists::<Gesture>),
    );
}

/// The grip of a press on a photogate at a point; all in metres.
fn grip_of_gate(position: Vec2, half: Vec2, point: Vec2, reach: f32) -> Option<Grip> {
    let ends = [1.0, -1.0].into_iter().find(|sign| point.distance(position + half * *sign) <= reach);
    let along = (point - position).dot(half) / half.length_squared();
    let foot = position + half * along.clamp(-1.0, 1.0);
    ends.map(Grip::End).or_else(|| (point.distance(foot) <= reach).then_some(Grip::Whole))
}

impl Held {
    /// The instrument after a pull from one point to another, metres.
    fn pulled(&self, from: Vec2, to: Vec2) -> Instrument {
        let mut now = self.start.clone();
        match (self.grip, &mut now.kind) {
            (Grip::End(sign), InstrumentKind::Photogate(gate)) => {
                let half = (to - now.position) * sign;
                if half.length_squared() > 0.0 {
                    gate.half = half;
                }
            }
            _ => now.position += to - from,
        }
        now
    }
}

fn pull(
    mut pull: ResMut<InstrumentPull>,
    (mut instruments, displays): (ResMut<Instruments>, Res<Displays>),
    (hand, mut inputs): (Hand, Inputs),
    (gesture, mut capture, tool): (Res<Gesture>, ResMut<PointerCapture>, Option<Res<Tool>>),
    mut commands: Commands,
) {
    let is_free = *gesture == Gesture::Idle
        && !capture.is_held_by_others(OWNER)
        && hand.controls.select
        && tool.is_none_or(|tool| *tool == Tool::Select);
    if pull.0.is_none() && is_free {
        pull.0 = grab(&hand, &instruments, &displays);
    }
    if let Some(drag) = &mut pull.0 {
        let step = drag.step(&hand, &mut inputs);
        let (from, held) = (drag.from, drag.held.clone());
        let (now, is_over) = match step {
            DragStep::Cancelled => (Some(held.start.clone()), true),
            DragStep::Follows { to, released } => (to.map(|to| held.pulled(from, to)), released),
        };
        match (instruments.get(held.index), now) {
            (Some(was), Some(now)) if *was != now => instruments[held.index] = now,
            _ => {}
        }
        if is_over {
            if instruments.get(held.index).is_some_and(|now| *now != held.start) {
                commands.queue(move |world: &mut World| record(world, held));
            }
            pull.0 = None;
        }
    }
    capture.set(OWNER, pull.0.is_some());
}

/// The drag that a press on an instrument starts in this frame. Discs win over instruments.
fn grab(hand: &Hand, instruments: &Instruments, displays: &Displays) -> Option<Drag<Held>> {
    let (_, by) = hand.begun(&[Control::Pull])?;
    let (at, on_screen) = (hand.pressed_at()?, hand.pressed_on_screen()?);
    if hand.disc_at(at, hand.view().px(SLACK)).is_some() {
        return None;
    }
    let grip = |(index, instrument): (usize, &Instrument)| {
        let by_line = match &instrument.kind {
            InstrumentKind::Photogate(gate) => grip_of_gate(instrument.position, gate.half, at, hand.reach(REACH)),
            _ => None,
        };
        let by_display = displays.0.get(index).is_some_and(|part| part.contains(on_screen)).then_some(Grip::Whole);
        Some((index, by_line.or(by_display)?))
    };
    let (index, grip) = instruments.iter().enumerate().rev().find_map(grip)?;
    Some(Drag::new(Held { index, grip, start: instruments[index].clone() }, at, by))
}

/// Records a pull as one edit.
fn record(world: &mut World, Held { index, start, .. }: Held) {
    let put = |world: &mut World, instrument: Instrument| {
        let mut instruments = world.resource_mut::<Instruments>();
        instruments.get_mut(index).map(|it| std::mem::replace(it, instrument))
    };
    let Some(now) = put(world, start) else { return };
    editor::watch(world, Some(PanelHold::Pointer { pressed: true }), |world| _ = put(world, now));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laboratory::instruments::Photogate;
    use bevy::math::vec2;

    #[test]
    fn a_photogate_is_moved_by_its_line_and_turned_by_its_ends() {
        let gate = Instrument::new("gate", vec2(1.0, 0.0), Photogate { half: vec2(0.0, 2.0) });
        let grip = |point| grip_of_gate(gate.position, vec2(0.0, 2.0), point, 0.1);
        assert_eq!(grip(vec2(1.05, 0.5)), Some(Grip::Whole));
        assert_eq!(grip(vec2(1.0, -2.05)), Some(Grip::End(-1.0)));
        assert_eq!((grip(vec2(1.2, 0.0)), grip(vec2(1.0, 2.2))), (None, None));
        let pulled = |grip, to| Held { index: 0, grip, start: gate.clone() }.pulled(vec2(1.0, 0.0), to);
        assert_eq!(pulled(Grip::Whole, vec2(3.0, 1.0)).position, vec2(3.0, 1.0));
        let turned = pulled(Grip::End(-1.0), vec2(0.0, 0.0));
        assert_eq!(turned.kind, Photogate { half: vec2(1.0, 0.0) }.into());
        assert_eq!(pulled(Grip::End(1.0), gate.position), gate, "a line without length is none");
    }
}
