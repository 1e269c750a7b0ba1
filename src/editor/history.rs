//! The history of edits, with undo and redo.

use std::collections::VecDeque;

use bevy::prelude::*;
use tr::tr;

use super::{edit::Edit, property::Recording};
use crate::{
    notice::Notices,
    timeline::{History, TrackId},
};

/// How a person holds the panel. Changes during one hold are one edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PanelHold {
    /// A mouse button is down, or was released in this frame.
    Pointer {
        /// Whether it went down in this frame.
        pressed: bool,
    },
    /// A widget has the focus, by its number.
    Widget(u64),
}

impl PanelHold {
    /// The same without the start.
    pub(super) fn held(self) -> Self {
        match self {
            Self::Pointer { .. } => Self::Pointer { pressed: false },
            widget @ Self::Widget(_) => widget,
        }
    }
}

/// The edits that can be undone, and the undone ones that can be redone. A new edit clears the redo list. Another scene
/// clears both lists. A restart after an edit is itself an edit, and undoing it restores everything. If only settings
/// were edited, a restart keeps those edits.
#[derive(Resource)]
pub struct EditHistory {
    /// The largest number of edits; older ones are dropped. Default: 200.
    pub limit: usize,
    pub(super) done: VecDeque<Edit>,
    pub(super) undone: Vec<Edit>,
    /// The hold during which the last edit is still being made. Further changes in this hold belong to it.
    pub(super) open: Option<PanelHold>,
    /// The values to compare after the panel has been shown.
    pub(super) watched: Option<Recording>,
    /// The entities that a restart in progress has set aside.
    pub(super) leaving: Option<Vec<Entity>>,
    /// The track and the tick of the last edit, if there is a [`History`].
    pub(super) place: Option<(TrackId, u64)>,
}

impl Default for EditHistory {
    fn default() -> Self {
        Self {
            limit: 200,
            done: VecDeque::new(),
            undone: Vec::new(),
            open: None,
            watched: None,
            leaving: None,
            place: None,
        }
    }
}

impl EditHistory {
    /// The description of the edit that [`undo`] would revert: "delete 3 discs".
    #[must_use]
    pub fn next_undo(&self) -> Option<String> {
        self.done.back().map(Edit::in_words)
    }

    /// The description of the edit that [`redo`] would repeat.
    #[must_use]
    pub fn next_redo(&self) -> Option<String> {
        self.undone.last().map(Edit::in_words)
    }

    /// The number of edits that can be undone.
    #[must_use]
    pub fn len(&self) -> usize {
        self.done.len()
    }

    /// Whether there is nothing to undo.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.done.is_empty()
    }
}

/// The track and the tick of the run, if there is a history.
fn place(world: &World) -> Option<(TrackId, u64)> {
    world.get_resource::<History>().and_then(|history| Some((history.current_track()?, history.tick())))
}

/// Whether the run is at a moment before the last edit, or on another track.
fn is_elsewhere(world: &World) -> bool {
    let place = world.get_resource::<EditHistory>().and_then(|edits| edits.place);
    let elsewhere = place.zip(world.get_resource::<History>());
    elsewhere.is_some_and(|((track, tick), history)| {
        // A scene that has restarted has no earlier tracks.
        history.tracks().any(|other| other.id == track) && !history.has_passed(track, tick)
    })
}

/// The same, and says so if there was something to undo or redo.
fn is_out_of_reach(world: &mut World) -> bool {
    let is_elsewhere = is_elsewhere(world);
    if is_elsewhere {
        notify(
            world,
            tr!(
                "Undo does not reach from here: the edits are later, or on another track. Go to the end of that track."
            ),
        );
    }
    is_elsewhere
}

/// An edit in the past begins a track, on which it is from then on.
pub(super) fn follow_branch(history: Res<History>, mut edits: ResMut<EditHistory>) {
    let Some(place) = edits.place else { return };
    if let Some(track) = history.tracks().find(|track| track.is_current && track.parent == Some(place)) {
        edits.place = Some((track.id, place.1));
    }
}

/// Undoes the last edit, shows a notice, and returns its description.
pub fn undo(world: &mut World) -> Option<String> {
    if !world.get_resource::<EditHistory>()?.done.is_empty() && is_out_of_reach(world) {
        return None;
    }
    let edit = world.resource_mut::<EditHistory>().done.pop_back()?;
    let words = apply(world, &edit, false);
    notify(world, tr!("Undone: {}", words));
    world.resource_mut::<EditHistory>().undone.push(edit);
    Some(words)
}

/// Redoes the last undone edit, shows a notice, and returns its description.
pub fn redo(world: &mut World) -> Option<String> {
    if !world.get_resource::<EditHistory>()?.undone.is_empty() && is_out_of_reach(world) {
        return None;
    }
    let edit = world.resource_mut::<EditHistory>().undone.pop()?;
    let words = apply(world, &edit, true);
    notify(world, tr!("Redone: {}", words));
    world.resource_mut::<EditHistory>().done.push_back(edit);
    Some(words)
}

/// Applies or reverts an edit and returns its description. Later changes do not merge into it, and
/// [`watch`](super::watch) does not record it.
fn apply(world: &mut World, edit: &Edit, forward: bool) -> String {
    let place = place(world);
    let mut history = world.resource_mut::<EditHistory>();
    (history.open, history.watched, history.place) = (None, None, place);
    edit.apply(world, forward);
    edit.in_words()
}

pub(super) fn notify(world: &mut World, text: String) {
    if let Some(mut notices) = world.get_resource_mut::<Notices>() {
        notices.info(text);
    }
}

/// Adds an edit to the history. Changes during one hold merge into one edit.
pub(super) fn record(world: &mut World, edit: Edit, hold: Option<PanelHold>) {
    if edit.commands.is_empty() {
        return;
    }
    let is_elsewhere = is_elsewhere(world);
    let place = place(world);
    let Some(mut history) = world.get_resource_mut::<EditHistory>() else { return };
    history.place = place;
    if is_elsewhere {
        // The run leaves the track with the earlier edits.
        let (done, undone) = (std::mem::take(&mut history.done), std::mem::take(&mut history.undone));
        history.open = None;
        forget(world, [done.into(), undone]);
    }
    let Some(mut history) = world.get_resource_mut::<EditHistory>() else { return };
    let undone = std::mem::take(&mut history.undone);
    let goes_on = hold.is_some() && history.open == hold;
    history.open = hold;
    match history.done.back_mut() {
        Some(last) if goes_on => {
            last.join(edit);
            if last.commands.is_empty() {
                history.done.pop_back();
                history.open = None;
            }
        }
        _ => history.done.push_back(edit),
    }
    let excess = history.done.len().saturating_sub(history.limit);
    let old = history.done.drain(..excess).collect();
    forget(world, [old, undone]);
}

/// Drops edits that were done, and edits that were undone.
pub(super) fn forget(world: &mut World, [done, undone]: [Vec<Edit>; 2]) {
    for (edits, was_done) in [(undone, false), (done, true)] {
        for edit in edits {
            edit.forget(world, was_done);
        }
    }
}

#[cfg(test)]
mod tests {
    use bevy::{
        camera::RenderTarget,
        ecs::entity_disabling::Disabled,
        time::TimeUpdateStrategy,
        window::{CursorMoved, PrimaryWindow, WindowEvent, WindowRef},
    };

    use super::*;
    use crate::{
        PhysicsPlugins,
        collision::CollisionSettings,
        components::{Disc, InPocket, Mass, Position, Radius, StableId, Velocity},
        editor::{MoveDiscPlugin, UndoPlugin, change, delete, record_spawn, watch},
        input::{SelectPlugin, Selection},
        scene::{self, ScenePlugin, SceneSource},
        timeline::{History, HistoryPlugin, Playback, advance, seek},
        view::View2d,
    };

    fn app() -> App {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), SelectPlugin, MoveDiscPlugin, UndoPlugin))
            .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
        app
    }

    fn history(app: &App) -> &EditHistory {
        app.world().resource()
    }

    fn of<C: Component>(app: &App, entity: Entity) -> &C {
        app.world().get(entity).unwrap()
    }

    fn parked(app: &mut App) -> usize {
        app.world_mut().query_filtered::<(), (With<Disc>, With<Disabled>)>().iter(app.world()).count()
    }

    #[test]
    fn what_one_grip_changes_is_one_edit_from_the_first_value_to_the_last() {
        let mut app = app();
        let disc = app.world_mut().spawn((Disc, Radius(0.5), Mass(1.0))).id();
        app.world_mut().resource_mut::<Selection>().0 = vec![disc];
        let hold = Some(PanelHold::Widget(1));
        for step in 1..=9 {
            watch(app.world_mut(), hold, |world| {
                world.entity_mut(disc).insert(Radius(0.5 + step as f32 / 10.0));
                // Another value and a setting join later.
                if step > 3 {
                    world.entity_mut(disc).insert(Mass(step as f32));
                    world.resource_mut::<CollisionSettings>().substeps = step;
                }
            });
        }
        assert_eq!(history(&app).len(), 1);
        assert_eq!(history(&app).next_undo().as_deref(), Some("radius, 0.5 → 1.4"));
        watch(app.world_mut(), Some(PanelHold::Widget(2)), |world| _ = world.entity_mut(disc).insert(Radius(3.0)));
        assert_eq!(history(&app).len(), 2, "another hold is another edit");
        undo(app.world_mut());
        undo(app.world_mut());
        assert_eq!((of::<Radius>(&app, disc), of::<Mass>(&app, disc)), (&Radius(0.5), &Mass(1.0)));
        redo(app.world_mut());
        assert_eq!((of::<Radius>(&app, disc), of::<Mass>(&app, disc)), (&Radius(1.4), &Mass(9.0)));
        assert_eq!(app.world().resource::<CollisionSettings>().substeps, 9);
        watch(app.world_mut(), hold, |world| _ = world.entity_mut(disc).insert(Radius(7.0)));
        assert_eq!(history(&app).len(), 2, "nothing merges into an edit that was undone or redone");
    }

    #[test]
    fn a_new_edit_cuts_off_what_was_undone_and_what_was_parked_for_it() {
        let mut app = app();
        let discs = [0, 1, 2].map(|_| app.world_mut().spawn(Disc).id());
        for disc in discs {
            record_spawn(app.world_mut(), &[disc]);
        }
        undo(app.world_mut());
        undo(app.world_mut());
        assert_eq!((parked(&mut app), history(&app).undone.len()), (2, 2));
        change(app.world_mut(), "nothing", &discs, |_| ());
        assert_eq!(history(&app).undone.len(), 2, "an edit that changes nothing is not recorded");
        change(app.world_mut(), "grow", &discs[..1], |world| _ = world.entity_mut(discs[0]).insert(Radius(2.0)));
        assert_eq!((parked(&mut app), redo(app.world_mut())), (0, None));
        assert_eq!(discs.map(|disc| app.world().get_entity(disc).is_ok()), [true, false, false]);
        assert_eq!(history(&app).len(), 2);
    }

    #[test]
    fn the_history_keeps_no_more_than_its_limit_and_of_each_edit_what_it_changed() {
        let mut app = app();
        let selected: Vec<Entity> = (0..50).map(|_| app.world_mut().spawn((Disc, Radius(0.1))).id()).collect();
        app.world_mut().resource_mut::<Selection>().0.clone_from(&selected);
        for edit in 0..1000 {
            let disc = app.world_mut().spawn(Disc).id();
            delete(app.world_mut(), &[disc]);
            watch(app.world_mut(), Some(PanelHold::Widget(edit)), |world| {
                world.entity_mut(selected[0]).insert(Radius(1.0 + edit as f32));
            });
        }
        assert_eq!((history(&app).len(), parked(&mut app)), (200, 100));
        assert!(history(&app).done.iter().all(|edit| edit.commands.len() == 1));
        assert!(history(&app).watched.is_none(), "what was compared is not kept");
        while undo(app.world_mut()).is_some() {}
        assert_eq!((history(&app).undone.len(), parked(&mut app)), (200, 0));
        assert_eq!(of::<Radius>(&app, selected[0]), &Radius(900.0));
    }

    #[test]
    fn a_deleted_disc_comes_back_as_the_same_entity_with_the_same_id() {
        let mut app = app();
        let disc = app.world_mut().spawn((Disc, Radius(0.25))).id();
        app.update();
        let id = *of::<StableId>(&app, disc);
        delete(app.world_mut(), &[disc]);
        // Entities spawned meanwhile reuse neither of the two.
        let new: Vec<Entity> = (0..100).map(|_| app.world_mut().spawn(Disc).id()).collect();
        app.update();
        assert!(new.iter().all(|&other| other != disc && *of::<StableId>(&app, other) != id));
        for _ in 0..3 {
            undo(app.world_mut());
            app.update();
            assert_eq!((of::<StableId>(&app, disc), of::<Radius>(&app, disc)), (&id, &Radius(0.25)));
            assert!(!app.world().entity(disc).contains::<Disabled>());
            redo(app.world_mut());
            app.update();
            assert!(app.world().entity(disc).contains::<Disabled>());
        }
    }

    #[test]
    fn a_deleted_disc_that_the_history_shows_again_leaves_with_its_scene() {
        let mut app = app();
        app.add_plugins((HistoryPlugin::default(), ScenePlugin));
        let source = SceneSource::Shipped("two-discs");
        let file = source.load().unwrap();
        scene::spawn(app.world_mut(), source.clone(), file.clone()).unwrap();
        let disc = app.world_mut().query_filtered::<Entity, With<Disc>>().iter(app.world()).next().unwrap();
        let is_there = |app: &App| app.world().get_entity(disc).map(|disc| !disc.contains::<Disabled>()).ok();
        advance(app.world_mut(), 10);
        delete(app.world_mut(), &[disc]);
        advance(app.world_mut(), 10);
        assert_eq!(is_there(&app), Some(false));
        seek(app.world_mut(), 5).unwrap();
        assert_eq!(is_there(&app), Some(true), "it was there then");
        seek(app.world_mut(), 15).unwrap();
        assert_eq!(is_there(&app), Some(false));
        // A restart can be undone, with the deletion before it.
        scene::restart(app.world_mut()).unwrap();
        assert_eq!(is_there(&app), Some(false), "it is parked for undo");
        undo(app.world_mut());
        undo(app.world_mut());
        assert_eq!(is_there(&app), Some(true));
        redo(app.world_mut());
        assert_eq!(is_there(&app), Some(false));
        undo(app.world_mut());
        advance(app.world_mut(), 10);
        delete(app.world_mut(), &[disc]);
        advance(app.world_mut(), 5);
        let tick = app.world().resource::<History>().tick();
        seek(app.world_mut(), tick - 8).unwrap();
        assert_eq!(is_there(&app), Some(true));
        scene::spawn(app.world_mut(), source, file).unwrap();
        assert_eq!(is_there(&app), None, "shown by the history, it leaves with its scene");
        assert_eq!(parked(&mut app), 0);
    }

    #[test]
    fn what_runs_on_runs_on_when_another_value_is_undone() {
        let mut app = app();
        let disc = app.world_mut().spawn((Disc, Velocity(Vec2::X))).id();
        let ticks = |app: &mut App| (0..64).for_each(|_| app.update());
        ticks(&mut app);
        change(app.world_mut(), "grow", &[disc], |world| _ = world.entity_mut(disc).insert(Radius(2.0)));
        ticks(&mut app);
        let before = *of::<Position>(&app, disc);
        undo(app.world_mut());
        assert_eq!((of::<Position>(&app, disc), of::<Radius>(&app, disc)), (&before, &Radius::default()));
        ticks(&mut app);
        assert!(of::<Position>(&app, disc).x > before.x + 0.9);
        // Undo returns it to where it was placed by hand, wherever it has moved since, even into a pocket.
        let from = *of::<Position>(&app, disc);
        change(app.world_mut(), "put", &[disc], |world| _ = world.entity_mut(disc).insert(Position(vec2(0.0, 9.0))));
        ticks(&mut app);
        app.world_mut().entity_mut(disc).insert(InPocket { pocket: Entity::PLACEHOLDER });
        undo(app.world_mut());
        assert_eq!(of::<Position>(&app, disc), &from);
        assert!(!app.world().entity(disc).contains::<InPocket>());
    }

    #[test]
    fn undo_waits_for_the_moment_of_its_edit_and_an_edit_before_it_cuts_the_list() {
        let mut app = app();
        app.add_plugins(crate::timeline::HistoryPlugin::default());
        let discs = [0, 1].map(|k| app.world_mut().spawn((Disc, Position(vec2(5.0 * k as f32, 0.0)))).id());
        let ticks = |app: &mut App, count: usize| (0..count).for_each(|_| app.update());
        ticks(&mut app, 20);
        delete(app.world_mut(), &discs[..1]);
        ticks(&mut app, 20);
        crate::timeline::seek(app.world_mut(), 5).unwrap();
        assert_eq!(undo(app.world_mut()), None, "it has not been made yet");
        crate::timeline::seek(app.world_mut(), 30).unwrap();
        assert_eq!(undo(app.world_mut()).as_deref(), Some("delete a disc"));
        redo(app.world_mut()).unwrap();
        ticks(&mut app, 1);
        crate::timeline::seek(app.world_mut(), 5).unwrap();
        change(app.world_mut(), "grow", &discs[1..], |world| _ = world.entity_mut(discs[1]).insert(Radius(2.0)));
        assert_eq!((history(&app).len(), history(&app).next_undo().as_deref()), (1, Some("grow")));
        assert!(!app.world().entity(discs[0]).contains::<Disabled>(), "it is there at this moment");
        ticks(&mut app, 3);
        assert_eq!(undo(app.world_mut()).as_deref(), Some("grow"));
    }

    #[test]
    fn edits_in_several_windows_are_one_history() {
        let mut app = app();
        app.world_mut().resource_mut::<Playback>().paused = true;
        let first = app.world_mut().spawn((Window::default(), PrimaryWindow)).id();
        let second = app.world_mut().spawn(Window::default()).id();
        let places = [Vec2::ZERO, vec2(50.0, 0.0)];
        let discs = places.map(|place| app.world_mut().spawn((Disc, Position(place), Radius(0.5))).id());
        for (order, (target, centre)) in
            [(WindowRef::Primary, places[0]), (WindowRef::Entity(second), places[1])].into_iter().enumerate()
        {
            let mut view = View2d::default();
            view.centre = centre;
            view.set_frame(Rect::new(0.0, 0.0, 400.0, 300.0));
            let camera = Camera { order: order as isize, ..default() };
            app.world_mut().spawn((view, camera, RenderTarget::Window(target)));
        }
        let go = |app: &mut App, window: Entity, x: f32| {
            let position = vec2(x, 150.0);
            for other in [first, second] {
                let at = (other == window).then_some(position);
                app.world_mut().get_mut::<Window>(other).unwrap().set_cursor_position(at);
            }
            let moved = CursorMoved { window, position, delta: None };
            app.world_mut().write_message(WindowEvent::CursorMoved(moved));
            app.update();
            app.world_mut().resource_mut::<ButtonInput<KeyCode>>().clear();
            app.world_mut().resource_mut::<ButtonInput<MouseButton>>().clear();
        };
        for window in [first, second] {
            go(&mut app, window, 200.0);
            app.world_mut().resource_mut::<ButtonInput<KeyCode>>().press(KeyCode::ShiftLeft);
            app.world_mut().resource_mut::<ButtonInput<MouseButton>>().press(MouseButton::Left);
            for x in [200.0, 250.0, 300.0] {
                go(&mut app, window, x);
            }
            app.world_mut().resource_mut::<ButtonInput<MouseButton>>().release(MouseButton::Left);
            app.world_mut().resource_mut::<ButtonInput<KeyCode>>().release(KeyCode::ShiftLeft);
            go(&mut app, window, 300.0);
            go(&mut app, window, 300.0);
        }
        let xs = |app: &App| discs.map(|disc| of::<Position>(app, disc).x);
        assert_eq!((history(&app).len(), xs(&app)), (2, [1.0, 51.0]));
        assert_eq!(undo(app.world_mut()).as_deref(), Some("move a disc"));
        assert_eq!(xs(&app), [1.0, 50.0]);
        undo(app.world_mut());
        assert_eq!(xs(&app), [0.0, 50.0]);
        redo(app.world_mut());
        redo(app.world_mut());
        assert_eq!(xs(&app), [1.0, 51.0]);
    }
}
