//! Gestures of the mouse or a finger: press, drag and release as a state machine.
//!
//! [`Gesture::begin`], [`Gesture::follow`] and [`Gesture::finish`] are the whole machine, independent of the ECS.
//! `drive` feeds them. A completed gesture with an effect is sent as a [`Gestured`] message.

use bevy::{ecs::system::SystemParam, prelude::*};

use super::{
    actions::{Control, Held, Inputs},
    fingers::FINGER_SLACK,
    hand::{Hand, SLACK, VisibleDisc},
    pointer::{Controls, PointerCapture},
    shootable::ShootableDiscs,
};
use crate::{scene::CurrentScene, view::LONGEST_FRAME};

/// The gesture in progress. All points are in metres unless stated otherwise.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub enum Gesture {
    /// No gesture.
    #[default]
    Idle,
    /// A disc was pressed. The pull is from `grab` to `pointer`.
    Aiming {
        /// The disc.
        disc: Entity,
        /// The point of the press.
        grab: Vec2,
        /// The position of the pointer.
        pointer: Vec2,
        /// Whether this disc may be shot in this scene.
        may_shoot: bool,
    },
    /// A disc is held, and follows the mouse once that is dragged.
    Moving {
        /// The disc.
        disc: Entity,
        /// The point of the press.
        grab: Vec2,
        /// The vector from the pointer to the disc's centre.
        offset: Vec2,
        /// The position of the pointer.
        pointer: Vec2,
        /// Whether it follows. A press without a drag is a click.
        dragged: bool,
        /// Whether a click toggles the disc in the selection.
        add: bool,
    },
    /// One of the [`Handles`] is held. The code that listed it makes it follow the pointer.
    HoldingHandle {
        /// The disc of the handle.
        disc: Entity,
        /// The vector from the pointer to the handle.
        offset: Vec2,
        /// The position of the pointer.
        pointer: Vec2,
    },
    /// A selection box is being drawn.
    Boxing {
        /// The corner where it started.
        from: Vec2,
        /// The position of the pointer.
        to: Vec2,
        /// Whether its discs are added to the selection.
        add: bool,
    },
    /// A finger is on the empty table: a tap, or a pan once it is dragged.
    Tapping {
        /// The point of the press, logical pixels.
        from: Vec2,
        /// Whether a tap clears the selection.
        selects: bool,
    },
    /// The view is being panned.
    Panning {
        /// The position of the pointer in the last frame, logical pixels.
        last: Vec2,
        /// The position of the pointer, logical pixels.
        screen: Vec2,
    },
}

/// Draggable handles of discs, such as the tips of arrows: each with its disc and its position, metres. The list is
/// rebuilt in each frame, in [`ControlSystems::Keys`](super::ControlSystems::Keys).
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct Handles(pub Vec<(Entity, Vec2)>);

impl Handles {
    /// The handle nearest to `point`, within `slack` (all in metres).
    #[must_use]
    pub fn at(&self, point: Vec2, slack: f32) -> Option<(Entity, Vec2)> {
        self.0
            .iter()
            .copied()
            .filter(|(_, place)| place.distance(point) <= slack)
            .min_by(|a, b| a.1.distance(point).total_cmp(&b.1.distance(point)))
    }
}

/// Removes the handles of the last frame.
pub(super) fn forget_handles(mut handles: ResMut<Handles>) {
    if !handles.0.is_empty() {
        handles.0.clear();
    }
}

/// The object under a press.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Under {
    /// One of the [`Handles`].
    Handle {
        /// The disc of the handle.
        disc: Entity,
        /// Its exact position, metres.
        place: Vec2,
    },
    /// A disc.
    Disc {
        /// The disc.
        disc: Entity,
        /// Its centre, metres.
        centre: Vec2,
        /// Whether it may be shot in this scene.
        may_shoot: bool,
    },
    /// The empty table.
    Nothing,
}

/// A press of a mouse button or a finger on the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Press {
    /// Whether it was the button that pans the view.
    pub middle: bool,
    /// Whether it was a finger, which also pans the view from the empty table.
    pub finger: bool,
    /// Its position, metres.
    pub world: Vec2,
    /// Its position, logical pixels.
    pub screen: Vec2,
    /// The object there.
    pub under: Under,
    /// Whether it was the control that moves discs and adds to the selection, by default with Shift or Ctrl.
    pub modifier: bool,
    /// Whether a plain drag moves discs here instead of shooting them.
    pub moves: bool,
    /// The enabled controls.
    pub controls: Controls,
}

/// A completed gesture.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub enum Gestured {
    /// A disc was pulled back and released.
    Shot {
        /// The disc.
        disc: Entity,
        /// The vector from the press to the release, metres.
        pull: Vec2,
    },
    /// A disc was pulled that may not be shot here.
    MayNotShoot,
    /// A drag of a disc has started.
    Grabbed {
        /// The disc.
        disc: Entity,
    },
    /// A click on a disc, or on the empty table.
    Click {
        /// The disc, if it was one.
        on: Option<Entity>,
        /// Whether it is added to the selection.
        add: bool,
    },
    /// A box was drawn around discs.
    Box {
        /// One corner, metres.
        from: Vec2,
        /// The opposite corner, metres.
        to: Vec2,
        /// Whether its discs are added to the selection.
        add: bool,
    },
}

impl Gesture {
    /// The gesture that a press starts.
    #[must_use]
    pub fn begin(press: Press) -> Self {
        let Press { middle, finger, world, screen, under, modifier, moves, controls } = press;
        match under {
            _ if middle && controls.camera => Self::Panning { last: screen, screen },
            _ if middle => Self::Idle,
            Under::Handle { disc, place } if controls.move_discs => {
                Self::HoldingHandle { disc, offset: place - world, pointer: world }
            }
            Under::Disc { disc, centre, .. }
                if controls.hold_by_drag || ((modifier || moves) && (controls.move_discs || controls.select)) =>
            {
                Self::Moving {
                    disc,
                    grab: world,
                    offset: centre - world,
                    pointer: world,
                    dragged: false,
                    add: modifier,
                }
            }
            Under::Disc { disc, may_shoot, .. } if controls.shoot || controls.select => {
                Self::Aiming { disc, grab: world, pointer: world, may_shoot }
            }
            Under::Nothing if finger && controls.camera => Self::Tapping { from: screen, selects: controls.select },
            Under::Nothing if controls.select => Self::Boxing { from: world, to: world, add: modifier },
            _ => Self::Idle,
        }
    }

    /// Moves the pointer to `at_world` (metres) and `at_screen` (logical pixels).
    pub fn follow(&mut self, at_world: Vec2, at_screen: Vec2) {
        match self {
            Self::Idle => {}
            Self::Aiming { pointer, .. }
            | Self::Moving { pointer, .. }
            | Self::HoldingHandle { pointer, .. }
            | Self::Boxing { to: pointer, .. } => *pointer = at_world,
            Self::Tapping { from, .. } if at_screen.distance(*from) <= FINGER_SLACK => {}
            Self::Tapping { from, .. } => *self = Self::Panning { last: *from, screen: at_screen },
            Self::Panning { last, screen } => {
                *last = *screen;
                *screen = at_screen;
            }
        }
    }

    /// Starts to drag a pressed disc whose pointer has gone farther than `slack` (metres), and returns that disc.
    fn start_drag(&mut self, slack: f32) -> Option<Entity> {
        match self {
            Self::Moving { disc, grab, pointer, dragged, .. } if !*dragged && pointer.distance(*grab) > slack => {
                *dragged = true;
                Some(*disc)
            }
            _ => None,
        }
    }

    /// Ends the gesture. A pull or a box of at most `slack` (metres) is a click.
    #[must_use]
    pub fn finish(self, slack: f32) -> Option<Gestured> {
        match self {
            Self::Aiming { disc, grab, pointer, may_shoot } => {
                let pull = pointer - grab;
                Some(match (pull.length() > slack, may_shoot) {
                    (false, _) => Gestured::Click { on: Some(disc), add: false },
                    (true, true) => Gestured::Shot { disc, pull },
                    (true, false) => Gestured::MayNotShoot,
                })
            }
            Self::Boxing { from, to, add } => Some(if from.distance(to) > slack {
                Gestured::Box { from, to, add }
            } else {
                Gestured::Click { on: None, add }
            }),
            Self::Moving { disc, dragged: false, add, .. } => Some(Gestured::Click { on: Some(disc), add }),
            Self::Tapping { selects: true, .. } => Some(Gestured::Click { on: None, add: false }),
            Self::Idle
            | Self::Moving { .. }
            | Self::HoldingHandle { .. }
            | Self::Tapping { .. }
            | Self::Panning { .. } => None,
        }
    }
}

/// The time that a finger has been on a disc without moving. After [`LongPress::SECONDS`] the disc is held, as with
/// Shift and the mouse.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub struct LongPress(Option<(Entity, f32)>);

impl LongPress {
    /// The time after which a press holds a disc, real seconds.
    pub const SECONDS: f32 = 0.5;

    /// The pressed disc, and the progress of the press, which is 1 when it holds the disc.
    #[must_use]
    pub fn share(&self) -> Option<(Entity, f32)> {
        self.0.map(|(disc, seconds)| (disc, (seconds / Self::SECONDS).min(1.0)))
    }

    /// Advances a finger's gesture by some seconds. After a long enough press the disc is held. A drag longer than
    /// `slack` (metres) is a pull instead.
    fn go_on(&mut self, gesture: &mut Gesture, seconds: f32, slack: f32, centre: impl FnOnce(Entity) -> Option<Vec2>) {
        let Gesture::Aiming { disc, grab, pointer, .. } = *gesture else { return };
        let Some((_, held)) = self.0.as_mut().filter(|(held, _)| *held == disc && grab.distance(pointer) <= slack)
        else {
            self.0 = None;
            return;
        };
        *held += seconds;
        if *held >= Self::SECONDS
            && let Some(centre) = centre(disc)
        {
            let offset = centre - pointer;
            *gesture = Gesture::Moving { disc, grab: pointer, offset, pointer, dragged: false, add: false };
        }
    }
}

/// Feeds the mouse or the finger to the state machine.
pub(crate) fn drive(
    (mut gesture, mut long_press, time): (ResMut<Gesture>, ResMut<LongPress>, Res<Time<Real>>),
    mut gestured: MessageWriter<Gestured>,
    (hand, mut inputs, ground): (Hand, Inputs, Ground),
    mut held: Local<Option<Held>>,
) {
    if hand.buttons.finger_gives_up() && *held == Some(Held::Finger) {
        *gesture = Gesture::Idle;
    }
    if *gesture == Gesture::Idle {
        long_press.set_if_neq(LongPress::default());
    }
    let (Some(pressed), Some(released)) = (hand.pressed_on_screen(), hand.released_on_screen()) else { return };
    let to = hand.view().to_world(released);
    let slack = hand.slack();
    match *gesture {
        Gesture::Aiming { disc, .. } | Gesture::Moving { disc, .. } | Gesture::HoldingHandle { disc, .. }
            if hand.drawn_at(disc).is_none() =>
        {
            *gesture = Gesture::Idle;
        }
        Gesture::Idle => {}
        _ => gesture.follow(to, released),
    }
    if *gesture != Gesture::Idle && inputs.take(Control::Cancel) {
        *gesture = Gesture::Idle;
        return;
    }
    if *gesture == Gesture::Idle
        && let Some((control, by)) = hand.begun(ground.controls_that_begin())
    {
        *held = Some(by);
        *gesture = Gesture::begin(ground.press(&hand, control, pressed));
        match *gesture {
            Gesture::HoldingHandle { disc, .. } => _ = gestured.write(Gestured::Grabbed { disc }),
            Gesture::Aiming { disc, .. } if by == Held::Finger && hand.controls.move_discs => {
                long_press.0 = Some((disc, 0.0));
            }
            _ => {}
        }
        // All within one slow frame: pressed, moved, perhaps released.
        gesture.follow(to, released);
    }
    if long_press.0.is_some() {
        // A tap while the window is busy holds nothing.
        let seconds = time.delta_secs().min(LONGEST_FRAME);
        long_press.go_on(&mut gesture, seconds, slack, |disc| hand.drawn_at(disc));
    }
    if hand.controls.move_discs
        && let Some(disc) = gesture.start_drag(slack)
    {
        gestured.write(Gestured::Grabbed { disc });
    }
    // This tests "not pressed" instead of "just released", so that a release outside the window does not leave the
    // gesture stuck.
    if *gesture != Gesture::Idle && !held.is_some_and(|by| hand.buttons.pressed(by)) {
        if let Some(outcome) = gesture.finish(slack) {
            gestured.write(outcome);
        }
        *gesture = Gesture::Idle;
    }
}

/// The objects on the table that a press may start with, beside the discs under the hand.
#[derive(SystemParam)]
pub(crate) struct Ground<'w, 's> {
    capture: Res<'w, PointerCapture>,
    handles: Res<'w, Handles>,
    scene: Option<Res<'w, CurrentScene>>,
    shootable: ShootableDiscs<'w, 's>,
}

impl Ground<'_, '_> {
    /// The controls that start a gesture. While a tool has the left button, only the view can be panned.
    fn controls_that_begin(&self) -> &'static [Control] {
        if self.capture.is_held() { &[Control::Pan] } else { &[Control::Pull, Control::Hold, Control::Pan] }
    }

    /// The press of a control at a point of the window, logical pixels.
    fn press(&self, hand: &Hand, control: Control, screen: Vec2) -> Press {
        let world = hand.view().to_world(screen);
        Press {
            middle: control == Control::Pan,
            finger: hand.buttons.is_finger(),
            world,
            screen,
            under: self.under(hand, world),
            modifier: control == Control::Hold,
            moves: self.scene.as_ref().is_some_and(|scene| scene.file.lesson.is_about_two),
            controls: *hand.controls,
        }
    }

    /// The object at a point, metres.
    fn under(&self, hand: &Hand, at: Vec2) -> Under {
        if let Some((disc, place)) = self.handles.at(at, hand.reach(2.0 * SLACK)) {
            return Under::Handle { disc, place };
        }
        hand.disc_at(at, hand.reach(SLACK)).map_or(Under::Nothing, |VisibleDisc { disc, drawn, .. }| Under::Disc {
            disc,
            centre: drawn,
            may_shoot: hand.controls.shoot && self.shootable.contains(disc),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_handle_is_taken_and_only_a_near_one() {
        let (a, b) = (Entity::from_bits(1), Entity::from_bits(2));
        let handles = Handles(vec![(a, vec2(1.0, 0.0)), (b, vec2(1.1, 0.0))]);
        assert_eq!(handles.at(vec2(1.02, 0.0), 0.2), Some((a, vec2(1.0, 0.0))));
        assert_eq!(handles.at(vec2(0.5, 0.0), 0.2), None);
    }

    const DISC: Entity = Entity::PLACEHOLDER;

    fn press(under: Under) -> Press {
        Press {
            middle: false,
            finger: false,
            world: vec2(1.0, 1.0),
            screen: vec2(50.0, 60.0),
            under,
            modifier: false,
            moves: false,
            controls: Controls::ALL,
        }
    }

    fn disc(may_shoot: bool) -> Under {
        Under::Disc { disc: DISC, centre: vec2(1.1, 1.0), may_shoot }
    }

    #[test]
    fn a_pull_is_a_shot_and_a_click_is_not() {
        let mut gesture = Gesture::begin(press(disc(true)));
        assert_eq!(gesture.finish(0.1), Some(Gestured::Click { on: Some(DISC), add: false }));
        gesture.follow(vec2(0.0, 1.0), Vec2::ZERO);
        assert_eq!(gesture.finish(0.1), Some(Gestured::Shot { disc: DISC, pull: vec2(-1.0, 0.0) }));
    }

    #[test]
    fn a_disc_that_may_not_be_shot_is_not() {
        let mut gesture = Gesture::begin(press(disc(false)));
        gesture.follow(vec2(0.0, 1.0), Vec2::ZERO);
        assert_eq!(gesture.finish(0.1), Some(Gestured::MayNotShoot));
    }

    #[test]
    fn with_a_modifier_the_disc_is_held_where_it_was_taken() {
        let mut gesture = Gesture::begin(Press { modifier: true, ..press(disc(false)) });
        let Gesture::Moving { offset, .. } = gesture else { panic!("{gesture:?}") };
        assert!((offset - vec2(0.1, 0.0)).length() < 1e-6);
        assert_eq!(gesture.finish(0.1), Some(Gestured::Click { on: Some(DISC), add: true }), "not dragged yet");
        let Gesture::Moving { dragged, .. } = &mut gesture else { panic!("{gesture:?}") };
        *dragged = true;
        assert_eq!(gesture.finish(0.1), None);
    }

    #[test]
    fn what_is_switched_off_does_not_begin() {
        let off = |press: Press| Gesture::begin(Press { controls: Controls::default(), ..press });
        let modified = Press { modifier: true, ..press(disc(true)) };
        let middle = Press { middle: true, ..press(Under::Nothing) };
        for press in [press(disc(true)), press(Under::Nothing), modified, middle] {
            assert_eq!(off(press), Gesture::Idle);
        }
    }

    #[test]
    fn the_empty_table_takes_a_box_or_a_click() {
        let mut gesture = Gesture::begin(press(Under::Nothing));
        assert_eq!(gesture.finish(0.1), Some(Gestured::Click { on: None, add: false }));
        gesture.follow(vec2(3.0, 0.0), Vec2::ZERO);
        assert_eq!(gesture.finish(0.1), Some(Gestured::Box { from: vec2(1.0, 1.0), to: vec2(3.0, 0.0), add: false }));
    }

    #[test]
    fn a_finger_on_the_empty_table_taps_or_moves_the_view() {
        let finger = Press { finger: true, ..press(Under::Nothing) };
        let mut gesture = Gesture::begin(finger);
        gesture.follow(Vec2::ZERO, vec2(55.0, 60.0));
        assert_eq!(
            gesture.finish(0.1),
            Some(Gestured::Click { on: None, add: false }),
            "a finger is never quite still"
        );
        gesture.follow(Vec2::ZERO, vec2(50.0, 90.0));
        assert_eq!(
            gesture,
            Gesture::Panning { last: vec2(50.0, 60.0), screen: vec2(50.0, 90.0) },
            "from where it came down"
        );
        assert_eq!(gesture.finish(0.1), None);
        let controls = Controls { camera: false, ..Controls::ALL };
        assert!(matches!(Gesture::begin(Press { controls, ..finger }), Gesture::Boxing { .. }));
    }

    #[test]
    fn panning_remembers_one_step() {
        let mut gesture = Gesture::begin(Press { middle: true, ..press(disc(true)) });
        gesture.follow(Vec2::ZERO, vec2(70.0, 60.0));
        assert_eq!(gesture, Gesture::Panning { last: vec2(50.0, 60.0), screen: vec2(70.0, 60.0) });
    }
}
