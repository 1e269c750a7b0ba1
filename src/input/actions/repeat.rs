//! Keys that act once when pressed, and repeatedly while held.

use bevy::math::ops;

use super::{Control, Inputs};
use crate::view::LONGEST_FRAME;

/// The delay before a held key repeats, seconds.
const DELAY: f32 = 0.35;
/// The initial rate of repeats, 1/s.
const RATE: f32 = 30.0;
/// The time after which the rate quadruples, up to four times, seconds. Half a turn of a shot thus takes about three
/// seconds.
const FASTER_AFTER: f32 = 0.8;

/// The time that each of a set of keys has been held. The keys come in pairs: left and right, up and down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Repeat<const N: usize>([Key; N]);

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Key {
    /// The time that it has been held, seconds.
    held: f32,
    /// Whether its opposite was pressed later. It then has no effect until pressed again.
    is_overruled: bool,
}

impl<const N: usize> Default for Repeat<N> {
    fn default() -> Self {
        Self([Key::default(); N])
    }
}

impl<const N: usize> Repeat<N> {
    /// The number of steps of each control in a frame of `seconds`: one when pressed, and fractions while held. Every
    /// press counts, even if it follows so fast that the key seems to be held. Of two opposites, the later one counts.
    pub(crate) fn steps(&mut self, inputs: &Inputs, controls: [Control; N], seconds: f32) -> [f32; N] {
        let pressed = controls.map(|control| inputs.started(control) || inputs.pressed_again(control));
        self.advance(pressed, controls.map(|control| inputs.held(control)), seconds, f32::INFINITY)
    }

    /// [`Repeat::steps`] at a constant rate while held: fifteen per second.
    pub(crate) fn steady_steps(&mut self, inputs: &Inputs, controls: [Control; N], seconds: f32) -> [f32; N] {
        let pressed = controls.map(|control| inputs.started(control) || inputs.pressed_again(control));
        self.advance(pressed, controls.map(|control| inputs.held(control)), seconds, 0.5)
    }

    fn advance(&mut self, pressed: [bool; N], held: [bool; N], seconds: f32, fastest: f32) -> [f32; N] {
        let seconds = seconds.min(LONGEST_FRAME);
        std::array::from_fn(|k| {
            let key = &mut self.0[k];
            if pressed[k] {
                *key = Key::default();
                return 1.0;
            }
            if !held[k] {
                *key = Key::default();
                return 0.0;
            }
            key.is_overruled |= pressed.get(k ^ 1).is_some_and(|&opposite| opposite);
            let before = key.held;
            key.held += seconds;
            if key.is_overruled {
                return 0.0;
            }
            let pace = ops::powf(4.0, (key.held / FASTER_AFTER).floor().clamp(0.0, 4.0)).min(fastest);
            (key.held - before.max(DELAY)).max(0.0) * RATE * pace
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: f32 = 1.0 / 60.0;

    /// The total steps left and right over frames. Each frame lists which keys go down and which are held.
    fn walked(frames: &[([bool; 2], [bool; 2])]) -> [f32; 2] {
        let mut repeat = Repeat::default();
        frames.iter().fold([0.0; 2], |sum, &(pressed, held)| {
            let steps = repeat.advance(pressed, held, FRAME, f32::INFINITY);
            [sum[0] + steps[0], sum[1] + steps[1]]
        })
    }

    const LEFT: [bool; 2] = [true, false];
    const RIGHT: [bool; 2] = [false, true];
    const NONE: [bool; 2] = [false, false];

    #[test]
    fn taps_count_one_each_however_close_they_are() {
        let taps: Vec<_> = (0..60).flat_map(|_| [(LEFT, LEFT), (RIGHT, RIGHT)]).collect();
        assert_eq!(walked(&taps), [60.0, 60.0]);
        let again: Vec<_> = (0..60).map(|_| (RIGHT, RIGHT)).collect();
        assert_eq!(walked(&again), [0.0, 60.0]);
        assert_eq!(walked(&[([true; 2], [true; 2])]), [1.0, 1.0], "both within a frame");
    }

    #[test]
    fn a_held_key_waits_repeats_and_gets_faster() {
        let held = |frames: usize| walked(&[&[(RIGHT, RIGHT)][..], &vec![(NONE, RIGHT); frames]].concat())[1];
        assert_eq!(held(20), 1.0);
        assert!((held(27) - 4.0).abs() < 0.01, "{}", held(27));
        assert!(held(60) - held(50) > 3.0 * (held(40) - held(30)));
        let mut repeat = Repeat::default();
        repeat.advance(RIGHT, RIGHT, FRAME, f32::INFINITY);
        assert_eq!(
            repeat.advance(NONE, RIGHT, 2.0, f32::INFINITY),
            [0.0, 0.0],
            "a frame that takes long is not a long press"
        );
    }

    #[test]
    fn rolled_over_to_its_opposite_a_key_does_not_run_on() {
        let mut repeat = Repeat::default();
        repeat.advance(RIGHT, RIGHT, FRAME, f32::INFINITY);
        for _ in 0..60 {
            repeat.advance(NONE, RIGHT, FRAME, f32::INFINITY);
        }
        assert!(repeat.advance(NONE, RIGHT, FRAME, f32::INFINITY)[1] > 0.0);
        assert_eq!(repeat.advance(LEFT, [true, true], FRAME, f32::INFINITY), [1.0, 0.0]);
        assert_eq!(repeat.advance(NONE, [true, true], FRAME, f32::INFINITY), [0.0, 0.0]);
        assert_eq!(repeat.advance(NONE, RIGHT, FRAME, f32::INFINITY), [0.0, 0.0], "nor when the other is up again");
        assert_eq!(repeat.advance(NONE, NONE, FRAME, f32::INFINITY), [0.0, 0.0]);
        assert_eq!(repeat.advance(RIGHT, RIGHT, FRAME, f32::INFINITY), [0.0, 1.0]);
    }
}
