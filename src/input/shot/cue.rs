//! The cue: its tip position, its elevation, and the shot that is set up with mouse or keys.
//!
//! [`Aim`] is the single source for the shot that would be played now. The preview, the drawing and the panel read it,
//! and `shoot` plays it.

use bevy::{input::mouse::AccumulatedMouseScroll, prelude::*};
use serde::{Deserialize, Serialize};
use tr::tr;

use crate::{
    billiards::cue::{self, Cue, CueStrike, Miscue},
    collision::{
        CollisionSettings, PhysicsSpace, Wall,
        spin::{Body, Motion, Shape, TablePhysics},
    },
    components::{AngularVelocity, Ball, Height, InPlay, Kinematic, Mass, Position, Radius, StableId, Velocity},
    input::{
        actions::{Control, Inputs, KeyMap, Repeat},
        camera_keys::notches,
        gesture::{Gesture, Gestured},
        hand::SLACK,
        pointer::{Controls, Pointer},
        select::Selection,
        shootable::ShootableDiscs,
        shot::strength::{PresentStrength, Strength},
    },
    notice::Notices,
    view::{Drawn, LONGEST_FRAME, Views},
};

/// The tip position and the cue. They apply to discs that spin on a table; other discs are hit through the centre.
#[derive(Resource, Reflect, Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[reflect(Resource, Default, Debug, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct CueSettings {
    /// The tip position right of the centre, in radii of the ball. Default: 0.
    pub side: f32,
    /// The tip position above the centre, in radii. Default: 0.
    pub top: f32,
    /// The elevation of the butt, degrees, 0 to 85. Default: 0. It increases automatically over a ball or a rail behind
    /// the disc.
    pub elevation: f32,
    /// The cue.
    pub cue: Cue,
}

/// When players may shoot.
#[derive(Resource, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Resource, Default, Debug, PartialEq)]
pub struct AimSettings {
    /// Whether players may shoot only while everything is at rest: see [`PhysicsSpace::any_moves`]. A shot that is
    /// played earlier has no effect, and a message says why. Aiming is possible at any time. Default: no.
    pub only_at_rest: bool,
}

/// The largest elevation of a cue, degrees.
pub const STEEPEST: f32 = 85.0;

/// A player has shot a disc. Written in [`ControlSystems::Aim`](crate::input::ControlSystems::Aim), before the tick in
/// which the shot takes effect.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub struct ShotTaken {
    /// The disc.
    pub disc: Entity,
    /// Its new velocity, m/s.
    pub velocity: Vec2,
    /// Its new angular velocity, rad/s, if it spins.
    pub angular_velocity: Option<Vec3>,
    /// Its new height, if it leaves the cloth.
    pub height: Option<Height>,
    /// The stroke of the cue that produces both, if it spins.
    pub strike: Option<CueStrike>,
}

/// The shot that is set up, if there is one.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub struct Aim {
    /// The shot that would be played now.
    pub shot: Option<AimedShot>,
    /// The shot that is set up with keys or numbers. It stays until it is played or cancelled.
    pub by_numbers: Option<ByNumbers>,
    /// The turn of a mouse pull by the arrow keys, radians.
    turn: f32,
    /// Whether to play the shot that is set up with numbers in this frame.
    play: bool,
    /// Whether to set up a shot with numbers as soon as possible.
    wanted: bool,
    /// Direction (degrees) and speed (m/s) of the last shot with keys, with which the next one starts.
    last: Option<(f32, f32)>,
}

/// A shot that is set up with keys or numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ByNumbers {
    /// The disc.
    pub disc: Entity,
    /// Its direction, degrees counter-clockwise from the right.
    pub angle: f32,
    /// Its speed, m/s.
    pub speed: f32,
}

impl Aim {
    /// Plays the shot that is set up with numbers, in the next frame.
    pub fn play(&mut self) {
        self.play = self.by_numbers.is_some();
    }

    /// Sets up a shot with numbers in the next frame, like its key. No effect if one is already set up.
    pub fn set_up(&mut self) {
        self.wanted = self.by_numbers.is_none();
    }
}

/// A shot that would be played now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AimedShot {
    /// The disc.
    pub disc: Entity,
    /// Its centre as drawn, metres.
    pub centre: Vec2,
    /// Its radius, metres.
    pub radius: f32,
    /// The velocity that the cue gives, m/s.
    pub velocity: Vec2,
    /// The motion of a disc that spins, or the miscue. `None` for a disc that does not spin.
    pub stroke: Option<Result<Motion, Miscue>>,
    /// The height of the disc, and the vertical speed that the cue gives. `None` if it stays on the cloth.
    pub height: Option<Height>,
    /// The stroke that produces it.
    pub strike: Option<CueStrike>,
    /// The elevation of the cue, degrees.
    pub elevation: f32,
    /// Whether an obstacle has raised it.
    pub is_raised: bool,
}

impl AimedShot {
    /// The initial velocity of the disc, m/s, or `None` for a miscue.
    #[must_use]
    pub fn start(&self) -> Option<Vec2> {
        match self.stroke {
            None => Some(self.velocity),
            Some(Ok(motion)) => Some(motion.velocity.as_vec2()),
            Some(Err(_)) => None,
        }
    }

    /// Its initial angular velocity, rad/s, if it spins.
    #[must_use]
    pub fn spin(&self) -> Option<Vec3> {
        self.stroke?.ok().map(|motion| motion.angular_velocity.as_vec3())
    }
}

type DiscItem<'a> = (
    Entity,
    (&'a Position, &'a Radius, &'a Mass, Option<&'a Drawn>, Option<&'a Height>),
    (Has<Ball>, Has<AngularVelocity>, &'a StableId),
);

/// The inputs for a shot.
#[derive(bevy::ecs::system::SystemParam)]
pub(super) struct Hand<'w, 's> {
    settings: Res<'w, CueSettings>,
    aiming: Res<'w, AimSettings>,
    table: Option<Res<'w, TablePhysics>>,
    collision: Res<'w, CollisionSettings>,
    strength: PresentStrength<'w>,
    space: Res<'w, PhysicsSpace>,
    discs: Query<'w, 's, DiscItem<'static>, InPlay>,
    shootable: ShootableDiscs<'w, 's>,
}

impl Hand<'_, '_> {
    /// The strength now: see [`PresentStrength::get`].
    fn strength(&self) -> Strength {
        self.strength.get()
    }

    /// The shot of a disc with this velocity along the cue, m/s.
    fn shot(&self, disc: Entity, velocity: Vec2) -> Option<AimedShot> {
        let (_, (position, radius, mass, drawn, height), (is_ball, spins, ..)) = self.discs.get(disc).ok()?;
        let (centre, radius) = (Drawn::or(drawn, position), radius.0);
        let height = height.copied();
        let mut shot = AimedShot {
            disc,
            centre,
            radius,
            velocity,
            stroke: None,
            height,
            strike: None,
            elevation: 0.0,
            is_raised: false,
        };
        let Some(direction) = velocity.try_normalize() else { return Some(shot) };
        let Some(table) = self.table.as_deref().filter(|_| spins) else { return Some(shot) };
        let table = table.in_mode(self.collision.mode);
        let CueSettings { side, top, elevation, cue } = *self.settings;
        let least = least_elevation(&self.space, disc, (position.0, radius), -direction, (side, top));
        shot.elevation = elevation.clamp(0.0, STEEPEST).max(least);
        // A small extra elevation over the rail behind is normal and not mentioned.
        shot.is_raised = least > elevation + 5.0;
        let shape = if is_ball { Shape::Ball } else { Shape::Flat };
        let body = Body { mass: f64::from(mass.0), radius: f64::from(radius), shape };
        let mut strike = CueStrike {
            direction: direction.as_dvec2(),
            side: f64::from(side),
            top: f64::from(top),
            elevation: f64::from(shot.elevation).to_radians(),
            ..CueStrike::default()
        };
        strike.speed = cue::cue_speed(&cue, &body, &strike, f64::from(velocity.length()));
        shot.strike = Some(strike);
        let stroke = cue::strike_on(&table, &cue, &body, &strike);
        if let (Some(_), Ok(motion)) = (&table.flight, &stroke) {
            shot.height = motion.height_at(height.map_or(0.0, |above| above.height));
        }
        shot.stroke = Some(stroke);
        Some(shot)
    }

    /// The disc for a shot with keys: the shootable one. If any disc can be shot, it is the selected one or the one
    /// with the lowest number.
    fn disc_to_shoot(&self, selection: &Selection) -> Option<Entity> {
        let can_be_shot = |disc| self.discs.contains(disc) && self.shootable.contains(disc);
        let first = || {
            let all = self.discs.iter().filter(|(disc, ..)| self.shootable.contains(*disc));
            all.min_by_key(|(.., (.., id))| **id).map(|(disc, ..)| disc)
        };
        selection.single().filter(|&disc| can_be_shot(disc)).or_else(first)
    }
}

/// The smallest elevation of a cue that clears balls and rails, degrees.
fn least_elevation(
    space: &PhysicsSpace,
    disc: Entity,
    (centre, radius): (Vec2, f32),
    back: Vec2,
    (side, top): (f32, f32),
) -> f32 {
    let discs = &space.discs;
    let others = (0..discs.len()).filter(|&i| discs.entity[i] != disc).map(|i| (discs.position[i], discs.radius[i]));
    let rails = space.walls().iter().flat_map(Wall::pieces);
    let strike =
        CueStrike { direction: -back.as_dvec2(), side: f64::from(side), top: f64::from(top), ..CueStrike::default() };
    let least = cue::least_elevation((centre, radius), &strike, others, rails);
    (least as f32).to_degrees().min(STEEPEST)
}

/// Sets up the shot with a mouse pull or with numbers.
pub(super) fn set_up(mut aim: ResMut<Aim>, gesture: Res<Gesture>, (views, mouse): (Views, Res<Pointer>), hand: Hand) {
    let shot = match *gesture {
        Gesture::Aiming { disc, grab, pointer, may_shoot: true }
            if pointer.distance(grab) > views.of(mouse.camera).px(SLACK) =>
        {
            let velocity = Vec2::from_angle(aim.turn).rotate(hand.strength().velocity(pointer - grab));
            hand.shot(disc, velocity)
        }
        _ => {
            if !matches!(*gesture, Gesture::Aiming { .. }) && aim.turn != 0.0 {
                aim.turn = 0.0;
            }
            aim.by_numbers.and_then(|ByNumbers { disc, angle, speed }| {
                let speed = speed.clamp(0.0, hand.strength().most);
                hand.shot(disc, Vec2::from_angle(angle.to_radians()) * speed)
            })
        }
    };
    if shot.is_none() && !matches!(*gesture, Gesture::Aiming { .. }) && aim.by_numbers.is_some() {
        aim.by_numbers = None;
    }
    if aim.shot != shot {
        aim.shot = shot;
    }
}

/// The steps of a key press: the turn, degrees, and the change of speed, m/s. Fine steps are a tenth of these.
const STEPS: (f32, f32) = (0.1, 0.1);

/// The rates of a fully deflected stick: the turn, degrees per second, and the change of speed, fractions of the
/// highest speed per second.
const STICKS: (f32, f32) = (60.0, 0.5);

/// The keys of a shot: set it up, turn it, change its speed, play it, cancel it.
pub(super) fn keys(
    mut aim: ResMut<Aim>,
    (mut inputs, time, controls): (Inputs, Res<Time<Real>>, Res<Controls>),
    (scroll, gesture, selection): (Option<Res<AccumulatedMouseScroll>>, Res<Gesture>, Res<Selection>),
    hand: Hand,
    mut held: Local<Repeat<4>>,
) {
    if !controls.shoot {
        return;
    }
    let [turn_stick, speed_stick] = [Control::TurnStick, Control::SpeedStick].map(|stick| inputs.value(stick));
    let by_stick = turn_stick != 0.0 && aim.by_numbers.is_none();
    let is_wanted = aim.wanted && std::mem::take(&mut aim.wanted);
    if (inputs.started(Control::SetUpShot) || by_stick || is_wanted) && *gesture == Gesture::Idle {
        aim.by_numbers = match aim.by_numbers {
            Some(_) => None,
            None => hand.disc_to_shoot(&selection).map(|disc| {
                let (angle, speed) = aim.last.unwrap_or((0.0, 0.3 * hand.strength().most));
                ByNumbers { disc, angle, speed: speed.min(hand.strength().most) }
            }),
        };
    }
    if aim.by_numbers.is_some() && inputs.take(Control::Cancel) {
        aim.by_numbers = None;
    }
    // Selecting another disc aims with that disc.
    if selection.is_changed()
        && let Some(disc) = hand.disc_to_shoot(&selection).filter(|disc| selection.single() == Some(*disc))
        && let Some(shot) = aim.by_numbers
        && shot.disc != disc
    {
        aim.by_numbers = Some(ByNumbers { disc, ..shot });
    }
    if inputs.started(Control::Shoot) && aim.by_numbers.is_some() {
        aim.play();
    }
    let arrows = [Control::TurnLeft, Control::TurnRight, Control::ShotFaster, Control::ShotSlower];
    let [left, right, up, down] = held.steps(&inputs, arrows, time.delta_secs());
    let fine = if inputs.held(Control::FineSteps) { 0.1 } else { 1.0 };
    let wheel =
        scroll.filter(|_| inputs.held(Control::ShotSpeed)).map_or(0.0, |scroll| notches(scroll.unit, scroll.delta.y));
    let stick_time = time.delta_secs().min(LONGEST_FRAME) * fine;
    // Right is clockwise.
    let turn = (left - right) * STEPS.0 * fine - turn_stick * turn_stick.abs() * STICKS.0 * stick_time;
    let pushed = if speed_stick == 0.0 { 0.0 } else { speed_stick * STICKS.1 * hand.strength().most * stick_time };
    let faster = (up - down + wheel) * STEPS.1 * fine + pushed;
    if turn == 0.0 && faster == 0.0 {
        return;
    }
    if matches!(*gesture, Gesture::Aiming { .. }) {
        aim.turn += turn.to_radians();
    } else if let Some(shot) = &mut aim.by_numbers {
        shot.angle = (shot.angle + turn + 540.0).rem_euclid(360.0) - 180.0;
        shot.speed = (shot.speed + faster).clamp(0.0, hand.strength().most);
    }
}

/// Plays a released pull or a shot that is set up with numbers.
pub(super) fn shoot(
    mut gestured: MessageReader<Gestured>,
    mut aim: ResMut<Aim>,
    hand: Hand,
    mut motions: Query<(&mut Velocity, Option<&mut AngularVelocity>, Has<Kinematic>), InPlay>,
    (mut taken, mut notices, mut commands): (MessageWriter<ShotTaken>, Option<ResMut<Notices>>, Commands),
    (map, controls): (Res<KeyMap>, Res<Controls>),
) {
    // A disc that was shot since the last tick moves in its components only.
    let moves = |(velocity, _, is_kinematic): (&Velocity, _, bool)| velocity.0 != Vec2::ZERO && !is_kinematic;
    let must_wait = hand.aiming.only_at_rest && (hand.space.any_moves() || motions.iter().any(moves));
    let mut shots = Vec::new();
    let mut may_not_shoot = false;
    for outcome in gestured.read() {
        match *outcome {
            Gestured::Shot { disc, pull } => {
                let velocity = Vec2::from_angle(aim.turn).rotate(hand.strength().velocity(pull));
                shots.extend(hand.shot(disc, velocity));
            }
            Gestured::MayNotShoot => may_not_shoot = true,
            Gestured::Click { .. } | Gestured::Box { .. } | Gestured::Grabbed { .. } => {}
        }
    }
    if std::mem::take(&mut aim.bypass_change_detection().play) {
        shots.extend(aim.shot);
        // A shot that has to wait stays set up.
        if !must_wait {
            aim.last = aim.by_numbers.map(|shot| (shot.angle, shot.speed));
            aim.by_numbers = None;
            aim.shot = None;
        }
    }
    let mut say = |words: String| {
        if let Some(notices) = &mut notices {
            notices.info(words);
        }
    };
    if must_wait && !shots.is_empty() {
        say(tr!("Wait until everything is at rest, then shoot."));
        shots.clear();
    }
    for shot in shots {
        let Ok((mut velocity, angular_velocity, _)) = motions.get_mut(shot.disc) else { continue };
        let Some(start) = shot.start() else {
            if let Some(Err(miscue)) = shot.stroke {
                say(tr!("No shot, because it would be a {}.", miscue));
            }
            continue;
        };
        velocity.0 = start;
        if let (Some(mut angular_velocity), Some(spin)) = (angular_velocity, shot.spin()) {
            angular_velocity.0 = spin;
        }
        match shot.height {
            Some(height) => commands.entity(shot.disc).insert(height),
            None => commands.entity(shot.disc).remove::<Height>(),
        };
        let AimedShot { disc, height, strike, .. } = shot;
        taken.write(ShotTaken { disc, velocity: start, angular_velocity: shot.spin(), height, strike });
        if shot.is_raised {
            let elevation = shot.elevation;
            say(tr!("The cue was raised to {}° to clear what is behind the ball.", format!("{elevation:.0}")));
        }
    }
    // Where nothing can be shot, a pull has no effect at all, and a sentence about other discs would be false.
    if may_not_shoot && controls.shoot {
        say(match (hand.shootable.are_cue_balls(), map.short(Control::Hold).filter(|_| controls.move_discs)) {
            (true, Some(drag)) => tr!("You can shoot only the cue ball here. Drag with {} to move another ball.", drag),
            (true, None) => tr!("You can shoot only the cue ball here."),
            (false, Some(drag)) => tr!("You cannot shoot this disc now. Drag it with {} to move it.", drag),
            (false, None) => tr!("You cannot shoot this disc now."),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        collision::DiscState,
        components::{Rotation, Terrain},
    };

    const R: f32 = 0.028575;

    fn ball(x: f32, y: f32, index: u32) -> DiscState {
        let entity = Entity::from_raw_u32(index).unwrap();
        DiscState { entity, id: u64::from(index), position: vec2(x, y), radius: R, ..DiscState::default() }
    }

    fn least(space: &PhysicsSpace, back: Vec2, top: f32) -> f32 {
        let disc = space.discs.entity[0];
        least_elevation(space, disc, (space.discs.position[0], R), back, (0.0, top))
    }

    #[test]
    fn a_cue_is_level_on_an_open_table_and_rises_over_balls_and_rails() {
        let discs = [ball(0.0, 0.0, 1), ball(-0.1, 0.0, 2), ball(0.0, 0.5, 3)].into_iter().collect();
        let mut space = PhysicsSpace { discs, ..PhysicsSpace::default() };
        let wall = Terrain::Segment { a: vec2(0.05, -1.0), b: vec2(0.05, 1.0) };
        space.add_terrain(Entity::PLACEHOLDER, &wall, Position::default(), Rotation::default(), None);
        space.finish_terrain();
        assert_eq!(least(&space, Vec2::NEG_Y, 0.0), 0.0);
        // Over a ball whose top is a radius higher than the centre, 0.1 m behind.
        let over_ball = least(&space, Vec2::NEG_X, 0.0);
        assert!(
            (over_ball - bevy::math::ops::atan((R + cue::CUE_RADIUS) / 0.1).to_degrees()).abs() < 1e-3,
            "{over_ball}"
        );
        assert!(least(&space, Vec2::NEG_X, 0.5) < over_ball, "a high hit needs less");
        let over_rail = least(&space, Vec2::X, -0.4);
        assert!(over_rail > 20.0 && over_rail < STEEPEST, "{over_rail}");
        assert!(least(&space, Vec2::Y, 0.0) > 1.0 && least(&space, Vec2::new(0.6, 0.8), 0.0) > 1.0);
    }
}
