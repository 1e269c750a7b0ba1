//! Keys for going back in time.

use bevy::prelude::*;

use super::state::{Request, Rewind, TimeBar, apply, is_allowed};
use crate::{
    input::{
        Selection,
        actions::{Control, Inputs},
    },
    shell::Overlays,
    timeline::{History, Playback},
    view::LONGEST_FRAME,
};

/// The selected disc, if there is exactly one.
pub(super) fn chosen(world: &World) -> Option<Entity> {
    world.get_resource::<Selection>().and_then(Selection::single)
}

/// Handles the keys.
pub(super) fn keys(mut commands: Commands, inputs: Inputs, mut held: Local<bool>) {
    let hit = |forward, own: bool| {
        move |world: &mut World| {
            let of = own.then(|| chosen(world)).flatten();
            // Without a selected disc there is nothing to look for.
            if !own || of.is_some() {
                apply(world, Request::Hit { forward, of });
            }
        }
    };
    if inputs.started(Control::StepBack) {
        commands.queue(|world: &mut World| apply(world, Request::Tick { forward: false }));
    }
    for (control, forward, own) in [
        (Control::PreviousHit, false, false),
        (Control::NextHit, true, false),
        (Control::PreviousDiscHit, false, true),
        (Control::NextDiscHit, true, true),
    ] {
        if inputs.started(control) {
            commands.queue(hit(forward, own));
        }
    }
    if inputs.started(Control::BookmarkMoment) {
        commands.queue(|world: &mut World| apply(world, Request::Bookmark));
    }
    if inputs.started(Control::TimeBar) {
        commands.queue(|world: &mut World| {
            let shown = world.resource::<TimeBar>().is_shown(world.resource::<Overlays>());
            apply(world, Request::Show(!shown));
        });
    }
    let holds = inputs.held(Control::Rewind);
    if holds || *held {
        commands.queue(move |world: &mut World| rewind(world, holds));
    }
    *held = holds;
}

/// The number of times that the pace of a rewind doubles, and the real seconds between.
const DOUBLINGS: f32 = 5.0;
const DOUBLED_AFTER: f32 = 1.5;

/// The simulated seconds that a rewind goes back per real second, after this many real seconds.
fn rewind_pace(lasted: f32) -> f32 {
    bevy::math::ops::exp2((lasted / DOUBLED_AFTER).floor().clamp(0.0, DOUBLINGS))
}

/// Goes back as long as a key or button is held. It begins at the speed of the run, and gets faster. On release, time
/// runs on if it ran before.
pub(super) fn rewind(world: &mut World, holds: bool) {
    let holds = holds && is_allowed(world);
    let frame = world.get_resource::<Time<Real>>().map_or(0.0, Time::delta_secs).min(LONGEST_FRAME);
    let step = world.resource::<Time<Fixed>>().timestep().as_secs_f64();
    let speed = world.resource::<Playback>().speed(world.resource::<Time<Virtual>>());
    world.resource_scope(|world, mut bar: Mut<TimeBar>| {
        let mut playback = world.resource_mut::<Playback>();
        if !holds {
            bar.rewind = None;
            bar.release(&mut playback);
            return;
        }
        bar.to_hit = None;
        bar.hold(&mut playback);
        let mut history = world.resource_mut::<History>();
        let from = history.tick();
        let rewind = bar.rewind.get_or_insert(Rewind { from, lasted: 0.0, seconds: 0.0 });
        rewind.lasted += frame;
        let most = rewind.from.saturating_sub(history.start()) as f64 * step;
        rewind.seconds = (rewind.seconds + f64::from(frame * speed * rewind_pace(rewind.lasted))).min(most);
        let tick = rewind.from - ((rewind.seconds / step).round() as u64).min(rewind.from);
        if !history.is_seeking() && tick != history.tick() {
            history.seek(tick);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rewind_begins_at_the_speed_of_the_run_and_gets_faster_to_a_limit() {
        assert_eq!([0.0, 1.4, 1.6, 4.0, 100.0].map(rewind_pace), [1.0, 1.0, 2.0, 4.0, 32.0]);
    }
}
