//! A held disc follows the mouse and rests there, even while the simulation is paused. If it is selected, all selected
//! discs follow. In lessons that show velocities as arrows, discs keep their velocity.

use bevy::{ecs::system::SystemParam, prelude::*};
use tr::tr;

use crate::{
    collision::LIMIT,
    components::{Disc, InPlay, Kinematic, MoveTo, Orbit, Oscillation, Position, Radius, Rotation, Terrain, Velocity},
    editor::EditHistory,
    input::{
        ControlSystems,
        actions::{Control, Inputs, KeyMap, Repeat},
        allow,
        gesture::{Gesture, LongPress},
        pointer::{Controls, Pointer},
        select::Selection,
    },
    notice::Notices,
    scene::{CurrentScene, DrawnTable},
    timeline::Playback,
    view::{Canvas, CurrentView, DrawView, Drawn, Layer, Theme, Views, sees_layer_0},
};

/// Moves discs by dragging with Shift or Ctrl, and on touch screens after a long press.
pub struct MoveDiscPlugin;

impl Plugin for MoveDiscPlugin {
    fn build(&self, app: &mut App) {
        allow(app, |controls| controls.move_discs = true);
        app.init_resource::<HeldByKeys>().add_systems(PreUpdate, hold_by_keys.in_set(ControlSystems::Keys));
        app.add_systems(PreUpdate, (carry, warn_of_released, move_by_keys).chain().in_set(ControlSystems::Move))
            .add_systems(DrawView, draw_long_press.run_if(sees_layer_0));
    }
}

/// The place of a held disc (metres), or `None` if it is not finite and within [`LIMIT`].
#[must_use]
pub fn held_at(pointer: Vec2, offset: Vec2) -> Option<Vec2> {
    let place = pointer + offset;
    // A comparison with NaN is false.
    (place.x.abs() <= LIMIT && place.y.abs() <= LIMIT).then_some(place)
}

/// Puts the held disc at the mouse, at rest, and shifts the other selected discs with it. While time runs, kinematic
/// discs move there instead and hit anything in the way. `led` lists these discs, which stay where they are when
/// released.
pub(super) fn carry(
    (gesture, selection, playback): (Res<Gesture>, Res<Selection>, Option<Res<Playback>>),
    scene: Option<Res<CurrentScene>>,
    mut discs: Query<(Entity, &mut Position, &mut Velocity, Has<Kinematic>, Has<MoveTo>), InPlay>,
    mut courses: Query<(Option<&mut Oscillation>, Option<&mut Orbit>)>,
    mut led: Local<Vec<Entity>>,
    mut commands: Commands,
) {
    let Gesture::Moving { disc, offset, pointer, dragged: true, .. } = *gesture else {
        for disc in led.drain(..) {
            commands.entity(disc).try_remove::<MoveTo>().try_insert(Velocity::default());
            // Its swing or orbit continues from the new place.
            let Ok(place) = discs.get(disc).map(|(_, position, ..)| position.0) else { continue };
            let Ok((oscillation, orbit)) = courses.get_mut(disc) else { continue };
            if let Some(mut oscillation) = oscillation {
                let way = place - oscillation.place();
                oscillation.centre += way;
            }
            if let Some(mut orbit) = orbit {
                let way = place - orbit.place();
                orbit.centre += way;
            }
        }
        return;
    };
    let Ok(held) = discs.get(disc).map(|(_, position, ..)| position.0) else { return };
    let together = if selection.0.contains(&disc) { &selection.0[..] } else { &[disc] };
    let shows_velocity = scene.is_some_and(|scene| scene.file.lesson.is_about_two);
    let runs = playback.is_none_or(|playback| !playback.paused);
    let mut together = discs.iter_many_mut(together);
    while let Some((entity, mut position, mut velocity, is_kinematic, has_target)) = together.fetch_next() {
        // The difference between the discs comes first, as neither is far from the pointer.
        let Some(place) = held_at(pointer, offset + (position.0 - held)) else { continue };
        if is_kinematic {
            if !has_target {
                led.push(entity);
            }
            commands.entity(entity).try_insert(MoveTo(place));
            if runs {
                continue;
            }
        }
        if position.0 != place {
            position.0 = place;
        }
        if !shows_velocity && velocity.0 != Vec2::ZERO {
            velocity.0 = Vec2::ZERO;
        }
    }
}

/// The distance of a long press's ring from the disc, logical pixels, to be visible around the finger.
const RING: f32 = 34.0;

/// Draws a ring that grows around a disc under a finger until the disc is held.
fn draw_long_press(
    mut canvas: ResMut<Canvas>,
    (press, view, theme): (Res<LongPress>, Res<CurrentView>, Res<Theme>),
    discs: Query<(&Position, &Radius, Option<&Drawn>), InPlay>,
) {
    let Some((disc, share)) = press.share() else { return };
    let Ok((position, radius, drawn)) = discs.get(disc) else { return };
    let centre = Drawn::or(drawn, position);
    let (reach, width) = (radius.0 + view.px(RING * share), view.px(if share < 1.0 { 2.0 } else { 4.0 }));
    canvas.ring(Layer::Gesture, centre, reach, width, theme.marks.selected.with_alpha(0.3 + 0.7 * share));
}

/// The first of the selected discs, while keys move them.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct HeldByKeys(pub(super) Option<Entity>);

/// The keys that move the selection.
const SIDES: [Control; 4] = [Control::MoveLeft, Control::MoveRight, Control::MoveUp, Control::MoveDown];

fn hold_by_keys(inputs: Inputs, selection: Res<Selection>, mut held: ResMut<HeldByKeys>) {
    let moves = SIDES.iter().any(|&side| inputs.held(side));
    held.set_if_neq(HeldByKeys(selection.0.first().copied().filter(|_| moves)));
}

/// The step of a key press, logical pixels. Fine steps are a tenth of it.
const STEP: f32 = 10.0;

/// Moves the selected discs with keys, and leaves them at rest, as the mouse does.
fn move_by_keys(
    (inputs, controls, time): (Inputs, Res<Controls>, Res<Time<Real>>),
    (selection, views, pointer): (Res<Selection>, Views, Res<Pointer>),
    scene: Option<Res<CurrentScene>>,
    mut discs: Query<(&mut Position, &mut Velocity, Option<&mut MoveTo>), InPlay>,
    mut held: Local<Repeat<4>>,
) {
    let [left, right, up, down] = held.steps(&inputs, SIDES, time.delta_secs());
    let fine = if inputs.held(Control::FineSteps) { 0.1 } else { 1.0 };
    let view = views.of(pointer.camera);
    let step = view.in_world(vec2(right - left, down - up)) * view.px(STEP * fine);
    if !controls.move_discs || step == Vec2::ZERO {
        return;
    }
    let shows_velocity = scene.is_some_and(|scene| scene.file.lesson.is_about_two);
    let mut chosen = discs.iter_many_mut(&selection.0);
    while let Some((mut position, mut velocity, target)) = chosen.fetch_next() {
        let Some(place) = held_at(position.0, step) else { continue };
        position.0 = place;
        if let Some(mut target) = target {
            target.0 = place;
        }
        if !shows_velocity && velocity.0 != Vec2::ZERO {
            velocity.0 = Vec2::ZERO;
        }
    }
}

/// Discs being moved.
#[derive(Clone, Debug, PartialEq)]
struct Moved {
    first: Entity,
    by_keys: bool,
    /// The discs to warn about if they end outside.
    discs: Vec<Entity>,
}

/// The boundaries that contain discs: the table and all arenas.
#[derive(SystemParam)]
pub(super) struct Rooms<'w, 's> {
    table: Option<Res<'w, DrawnTable>>,
    walls: Query<'w, 's, (&'static Terrain, &'static Position, &'static Rotation)>,
    discs: Query<'w, 's, &'static Position, With<Disc>>,
}

impl Rooms<'_, '_> {
    /// Whether a disc lies outside the table and all arenas, if there are any.
    fn is_outside(&self, disc: Entity) -> bool {
        let Ok(&Position(place)) = self.discs.get(disc) else { return false };
        let is_within = |half: Vec2, local: Vec2| local.abs().cmple(half).all();
        let arenas = self.walls.iter().filter(|(shape, ..)| shape.is_arena()).map(|(shape, origin, rotation)| {
            let local = place - origin.0;
            match shape {
                Terrain::Arena { half_size } => is_within(*half_size, Vec2::from_angle(-rotation.0).rotate(local)),
                Terrain::Arc { radius, .. } => local.length() <= *radius,
                _ => false,
            }
        });
        let bed = |table: &Res<DrawnTable>| Vec2::new(table.spec.length as f32, table.spec.width as f32) / 2.0;
        let on_table = self.table.as_ref().map(|table| is_within(bed(table), place));
        let mut rooms = arenas.chain(on_table).peekable();
        rooms.peek().is_some() && !rooms.any(|holds| holds)
    }
}

/// Warns when discs are released outside the table and all arenas, where no wall contains them. Keys move in many small
/// steps, so the warning covers only discs that were inside before.
fn warn_of_released(
    (gesture, by_keys, selection): (Res<Gesture>, Res<HeldByKeys>, Res<Selection>),
    mut moved: Local<Option<Moved>>,
    rooms: Rooms,
    mut commands: Commands,
) {
    let held = match *gesture {
        Gesture::Moving { disc, dragged: true, .. } => Some((disc, false)),
        _ => by_keys.0.map(|disc| (disc, true)),
    };
    if let Some(moved) = moved.take_if(|moved| held != Some((moved.first, moved.by_keys))) {
        commands.run_system_cached_with(warn_if_outside, moved.discs);
    }
    if let (Some((first, by_keys)), None) = (held, moved.as_ref()) {
        let mut discs = if selection.0.contains(&first) { selection.0.clone() } else { vec![first] };
        discs.retain(|&disc| !(by_keys && rooms.is_outside(disc)));
        *moved = Some(Moved { first, by_keys, discs });
    }
}

/// Warns about discs among these that are outside, and says how to get them back.
pub(super) fn warn_if_outside(
    In(mut discs): In<Vec<Entity>>,
    rooms: Rooms,
    (map, history, notices): (Res<KeyMap>, Option<Res<EditHistory>>, Option<ResMut<Notices>>),
) {
    discs.retain(|&disc| rooms.is_outside(disc));
    let (false, Some(mut notices)) = (discs.is_empty(), notices) else { return };
    let back = if history.is_some() { Control::Undo } else { Control::Restart };
    notices.error(match (map.short(Control::Hold), map.short(back), discs.len()) {
        (Some(drag), Some(key), 1) => {
            tr!("The disc is outside the walls, where nothing stops it. Drag it back with {}, or press {}.", drag, key)
        }
        (Some(drag), Some(key), _) => tr!(
            "Some discs are outside the walls, where nothing stops them. Drag them back with {}, or press {}.",
            drag,
            key
        ),
        _ => tr!("The disc is outside the walls, where nothing stops it."),
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disc_is_never_put_out_of_the_finite_range() {
        assert_eq!(held_at(vec2(1.0, 2.0), vec2(0.5, 0.0)), Some(vec2(1.5, 2.0)));
        assert_eq!(held_at(Vec2::NAN, Vec2::ZERO), None);
        assert_eq!(held_at(Vec2::splat(1e13), Vec2::ZERO), None);
    }
}
