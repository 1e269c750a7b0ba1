//! Tiles of a table are dragged by the bar at their top and resized by their edges. Their edges snap together when
//! close.

use bevy::prelude::*;
use tr::tr;

use crate::{
    components::{Inactive, StableId},
    editor,
    input::{
        ControlSystems, PointerCapture,
        actions::{Control, Inputs},
        allow,
        gesture::{self, Gesture},
        hand::{Drag, DragStep, Hand, SLACK},
    },
    plane::{TableRect, Tile},
    view::{ShownTo, bar},
};

/// Drags and resizes [`Tile`]s with the mouse.
pub struct TilePlugin;

impl Plugin for TilePlugin {
    fn build(&self, app: &mut App) {
        allow(app, |controls| controls.select = true);
        app.init_resource::<TilePull>()
            .add_systems(PreUpdate, pull.in_set(ControlSystems::Gesture).before(gesture::drive));
    }
}

/// The reach of a press around an edge, and of snapping between edges, logical pixels.
const REACH: f32 = 7.0;

/// The smallest width and height of a tile, logical pixels.
const LEAST: f32 = 60.0;

/// The held sides of a tile. Holding all of them moves it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct TileGrip {
    /// The sides of lowest x and y.
    min: BVec2,
    /// The sides of highest x and y.
    max: BVec2,
}

impl TileGrip {
    const ALL: Self = Self { min: BVec2::TRUE, max: BVec2::TRUE };

    /// The grip of a press at a point: an edge, two at a corner, or all by the bar. `reach` is the distance from an
    /// edge; all in metres.
    fn at(tile: Rect, bar: Rect, point: Vec2, reach: f32) -> Option<Self> {
        if !tile.inflate(reach).contains(point) {
            return None;
        }
        let near = |side: Vec2| (point - side).abs().cmple(Vec2::splat(reach));
        let (min, max) = (near(tile.min), near(tile.max));
        // A very narrow tile is held by one side only.
        let grip = Self { min, max: max & !min };
        if grip.min.any() || grip.max.any() {
            return Some(grip);
        }
        bar.contains(point).then_some(Self::ALL)
    }

    /// The tile after pulling by `by`. Its sides snap to sides of `others` within `reach`. All in metres.
    fn pulled(self, tile: Rect, by: Vec2, others: &[Rect], reach: f32, least: f32) -> Rect {
        let mut pulled = tile;
        for axis in 0..2 {
            let (min, max) = (self.min.test(axis), self.max.test(axis));
            let snap = |side: f32| {
                let sides = others.iter().flat_map(|other| [other.min[axis], other.max[axis]]);
                let nearest = sides.min_by(|a, b| (a - side).abs().total_cmp(&(b - side).abs()));
                nearest.filter(|other| (other - side).abs() <= reach)
            };
            let (low, high) = (tile.min[axis] + by[axis], tile.max[axis] + by[axis]);
            let size = tile.max[axis] - tile.min[axis];
            match (min, max) {
                (true, true) => {
                    let (to_low, to_high) = (snap(low), snap(high));
                    let off = |to: Option<f32>, side: f32| to.map_or(f32::INFINITY, |to| (to - side).abs());
                    (pulled.min[axis], pulled.max[axis]) = match (to_low, to_high) {
                        (Some(to), _) if off(to_low, low) <= off(to_high, high) => (to, to + size),
                        (_, Some(to)) => (to - size, to),
                        _ => (low, low + size),
                    };
                }
                (true, false) => pulled.min[axis] = snap(low).unwrap_or(low).min(tile.max[axis] - least),
                (false, true) => pulled.max[axis] = snap(high).unwrap_or(high).max(tile.min[axis] + least),
                (false, false) => {}
            }
        }
        pulled
    }
}

/// The drag of a tile.
#[derive(Resource, Clone, Debug, Default)]
struct TilePull(Option<Drag<HeldTile>>);

#[derive(Clone, Copy, Debug)]
struct HeldTile {
    tile: Entity,
    grip: TileGrip,
    /// The tile at the press.
    start: Rect,
}

/// The tiles that are drawn, as far as their own components say.
type ShownTile = (With<Tile>, Without<Inactive>);

/// A tile, with its number and its visibility.
type TileItem = (Entity, &'static StableId, &'static mut TableRect, ShownTo);

/// The same to read.
type TileReadItem = (Entity, &'static StableId, &'static TableRect, ShownTo);

/// The tiles that are visible to the camera under the pointer: entity, number and rectangle. The others cannot be
/// grabbed.
fn seen(hand: &Hand, tiles: Query<TileReadItem, ShownTile>) -> impl Iterator<Item = (Entity, StableId, Rect)> {
    let seen = tiles.into_iter().filter(move |(.., shown)| hand.shows(shown));
    seen.map(|(tile, id, rect, _)| (tile, *id, rect.0))
}

/// The name under which tiles capture the pointer.
const OWNER: &str = "tile";

/// Grabs, pulls and releases tiles.
fn pull(
    mut pull: ResMut<TilePull>,
    mut tiles: Query<TileItem, ShownTile>,
    (hand, mut inputs): (Hand, Inputs),
    (gesture, mut capture): (Res<Gesture>, ResMut<PointerCapture>),
    mut commands: Commands,
) {
    let is_free = *gesture == Gesture::Idle && !capture.is_held_by_others(OWNER) && hand.controls.select;
    if pull.0.is_none() && is_free {
        pull.0 = grab(&hand, tiles.as_readonly());
    }
    if let Some(drag) = &mut pull.0 {
        let HeldTile { tile, grip, start } = drag.held;
        let (now, is_over) = match drag.step(&hand, &mut inputs) {
            DragStep::Cancelled => (Some(start), true),
            DragStep::Follows { to, released } => {
                let others = seen(&hand, tiles.as_readonly()).filter(|(other, ..)| *other != tile);
                let others: Vec<Rect> = others.map(|(.., rect)| rect).collect();
                // A tile that is smaller already stays as it is.
                let least = hand.view().px(LEAST).min(start.size().min_element());
                let reach = hand.reach(REACH);
                (to.map(|to| grip.pulled(start, to - drag.from, &others, reach, least)), released)
            }
        };
        if let Ok((_, _, mut rect, _)) = tiles.get_mut(tile) {
            if let Some(now) = now {
                rect.set_if_neq(TableRect(now));
            }
            let now = rect.0;
            if is_over && now != start {
                let held = drag.held;
                commands.queue(move |world: &mut World| record(world, &held, now));
            }
        }
        if is_over {
            pull.0 = None;
        }
    }
    capture.set(OWNER, pull.0.is_some());
}

/// The drag that a press on the bar or an edge of a tile starts in this frame.
fn grab(hand: &Hand, tiles: Query<TileReadItem, ShownTile>) -> Option<Drag<HeldTile>> {
    let (_, by) = hand.begun(&[Control::Pull])?;
    let at = hand.pressed_at()?;
    if hand.disc_at(at, hand.view().px(SLACK)).is_some() {
        return None;
    }
    let gripped = seen(hand, tiles).filter_map(|(tile, id, rect)| {
        Some((id, tile, rect, TileGrip::at(rect, bar(rect, hand.view().px(1.0)), at, hand.reach(REACH))?))
    });
    // Among several, a bar wins over an edge, and then the newest tile.
    let (_, tile, start, grip) = gripped.max_by_key(|&(id, tile, _, grip)| (grip == TileGrip::ALL, id, tile))?;
    Some(Drag::new(HeldTile { tile, grip, start }, at, by))
}

/// Records a pull as one edit.
fn record(world: &mut World, held: &HeldTile, now: Rect) {
    let (tile, words) =
        (held.tile, if held.grip == TileGrip::ALL { tr!("move a tile") } else { tr!("reshape a tile") });
    let put = |world: &mut World, rect: Rect| {
        if let Some(mut tile) = world.get_mut::<TableRect>(tile) {
            tile.0 = rect;
        }
    };
    put(world, held.start);
    editor::change(world, words, &[tile], |world| put(world, now));
}

#[cfg(test)]
mod tests {
    use bevy::{camera::visibility::RenderLayers, window::PrimaryWindow};

    use super::*;
    use crate::{
        components::{Disc, Position, Radius},
        editor::{self, UndoPlugin},
        input::SelectPlugin,
        view::View2d,
    };

    const TILE: Rect = Rect { min: vec2(0.0, 0.0), max: vec2(4.0, 3.0) };

    fn grip(point: Vec2) -> Option<TileGrip> {
        TileGrip::at(TILE, Rect::new(0.0, 2.6, 4.0, 3.0), point, 0.1)
    }

    #[test]
    fn a_tile_is_taken_by_its_bar_its_edges_and_its_corners() {
        assert_eq!(grip(vec2(2.0, 2.8)), Some(TileGrip::ALL));
        assert_eq!(grip(vec2(2.0, 1.0)), None, "the table itself is for the discs");
        assert_eq!(grip(vec2(4.05, 1.0)), Some(TileGrip { min: BVec2::FALSE, max: BVec2::new(true, false) }));
        assert_eq!(grip(vec2(-0.05, 0.05)), Some(TileGrip { min: BVec2::TRUE, max: BVec2::FALSE }));
        assert_eq!(grip(vec2(2.0, 2.95)), Some(TileGrip { min: BVec2::FALSE, max: BVec2::new(false, true) }));
        assert_eq!(grip(vec2(4.2, 1.0)), None);
    }

    #[test]
    fn a_tile_follows_the_mouse_and_a_disc_on_it_stays_where_it_is() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, crate::PhysicsPlugins::default(), TilePlugin, SelectPlugin, UndoPlugin));
        app.world_mut().spawn((Window::default(), PrimaryWindow));
        let mut view = View2d::default();
        view.set_frame(Rect::new(0.0, 0.0, 1000.0, 600.0));
        app.world_mut().spawn((view, Camera::default()));
        let tile = app.world_mut().spawn((Tile, TableRect(Rect::new(-2.0, -1.0, 2.0, 1.0)))).id();
        app.world_mut().spawn((Disc, Position(vec2(1.0, 0.9)), Radius(0.09)));
        let go = |app: &mut App, at: Vec2| {
            let mut windows = app.world_mut().query::<&mut Window>();
            windows.single_mut(app.world_mut()).unwrap().set_cursor_position(Some(at));
            app.update();
            app.world_mut().resource_mut::<ButtonInput<MouseButton>>().clear();
            app.world().get::<TableRect>(tile).unwrap().0
        };
        let press = |app: &mut App| app.world_mut().resource_mut::<ButtonInput<MouseButton>>().press(MouseButton::Left);
        let release =
            |app: &mut App| app.world_mut().resource_mut::<ButtonInput<MouseButton>>().release(MouseButton::Left);
        // On the bar, ten pixels below the top.
        go(&mut app, vec2(500.0, 210.0));
        press(&mut app);
        go(&mut app, vec2(500.0, 210.0));
        let moved = go(&mut app, vec2(530.0, 200.0));
        assert!(moved.center().distance(vec2(0.3, 0.1)) < 1e-5, "{moved:?}");
        assert_eq!(*app.world().resource::<gesture::Gesture>(), gesture::Gesture::Idle, "no box is drawn");
        release(&mut app);
        go(&mut app, vec2(530.0, 200.0));
        assert_eq!(go(&mut app, vec2(900.0, 500.0)), moved, "it was let go");
        // A click changes nothing, not even where it could snap.
        let other = app.world_mut().spawn((Tile, TableRect(Rect::new(2.34, -0.9, 4.3, 1.1)))).id();
        app.world_mut().resource_mut::<ButtonInput<MouseButton>>().clear();
        go(&mut app, vec2(530.0, 200.0));
        press(&mut app);
        go(&mut app, vec2(530.0, 200.0));
        go(&mut app, vec2(532.0, 201.0));
        release(&mut app);
        assert_eq!(go(&mut app, vec2(532.0, 201.0)), moved);
        app.world_mut().despawn(other);
        // By its left edge.
        let edge = vec2(500.0 + 100.0 * moved.min.x, 290.0);
        go(&mut app, edge);
        press(&mut app);
        go(&mut app, edge);
        let wider = go(&mut app, edge - vec2(50.0, 0.0));
        assert!((wider.min.x - (moved.min.x - 0.5)).abs() < 1e-5 && wider.max == moved.max, "{wider:?}");
        // Cancelled, the tile is unchanged.
        app.world_mut().resource_mut::<ButtonInput<KeyCode>>().press(KeyCode::Escape);
        assert_eq!(go(&mut app, edge), moved);
        // The completed drag is one edit, and the cancelled one is none.
        assert_eq!(editor::undo(app.world_mut()).as_deref(), Some("move a tile"));
        assert_eq!(app.world().get::<TableRect>(tile).unwrap().0, Rect::new(-2.0, -1.0, 2.0, 1.0));
        assert_eq!(editor::undo(app.world_mut()), None);
        editor::redo(app.world_mut());
        assert_eq!(app.world().get::<TableRect>(tile).unwrap().0, moved);
    }

    /// A tile around the origin whose bar the pointer is on, in an app with this plugin alone.
    fn on_the_bar() -> (App, Entity) {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, crate::PhysicsPlugins::default(), TilePlugin));
        app.world_mut().spawn((Window::default(), PrimaryWindow));
        let mut view = View2d::default();
        view.set_frame(Rect::new(0.0, 0.0, 1000.0, 600.0));
        app.world_mut().spawn((view, Camera::default()));
        let tile = app.world_mut().spawn((Tile, TableRect(Rect::new(-2.0, -1.0, 2.0, 1.0)))).id();
        point(&mut app, vec2(500.0, 210.0));
        app.update();
        (app, tile)
    }

    fn point(app: &mut App, at: Vec2) {
        let mut windows = app.world_mut().query::<&mut Window>();
        windows.single_mut(app.world_mut()).unwrap().set_cursor_position(Some(at));
    }

    /// Whether a press takes a tile, after its release.
    fn is_taken(app: &mut App) -> bool {
        app.world_mut().resource_mut::<ButtonInput<MouseButton>>().press(MouseButton::Left);
        app.update();
        let taken = app.world().resource::<TilePull>().0.is_some();
        app.world_mut().resource_mut::<ButtonInput<MouseButton>>().clear();
        app.world_mut().resource_mut::<ButtonInput<MouseButton>>().release(MouseButton::Left);
        app.update();
        app.world_mut().resource_mut::<ButtonInput<MouseButton>>().clear();
        taken
    }

    #[test]
    fn a_disc_that_is_hidden_is_in_nobodys_way() {
        let (mut app, _) = on_the_bar();
        let disc = app.world_mut().spawn((Disc, Position(vec2(0.0, 0.9)), Radius(0.09))).id();
        assert!(!is_taken(&mut app), "the disc lies on the bar");
        app.world_mut().entity_mut(disc).insert(InheritedVisibility::HIDDEN);
        assert!(is_taken(&mut app));
    }

    #[test]
    fn a_tile_that_is_not_drawn_cannot_be_grabbed() {
        let (mut app, tile) = on_the_bar();
        assert!(is_taken(&mut app));
        app.world_mut().entity_mut(tile).insert(InheritedVisibility::HIDDEN);
        assert!(!is_taken(&mut app), "it is hidden");
        app.world_mut().entity_mut(tile).insert((InheritedVisibility::VISIBLE, RenderLayers::layer(3)));
        assert!(!is_taken(&mut app), "the camera does not see its layer");
        app.world_mut().entity_mut(tile).insert((RenderLayers::layer(0), Inactive));
        assert!(!is_taken(&mut app), "it is inactive");
        app.world_mut().entity_mut(tile).remove::<Inactive>();
        assert!(is_taken(&mut app));
    }

    #[test]
    fn the_plugin_alone_drags_a_tile() {
        let (mut app, tile) = on_the_bar();
        app.world_mut().resource_mut::<ButtonInput<MouseButton>>().press(MouseButton::Left);
        app.update();
        app.world_mut().resource_mut::<ButtonInput<MouseButton>>().clear();
        point(&mut app, vec2(530.0, 200.0));
        app.update();
        app.world_mut().resource_mut::<ButtonInput<MouseButton>>().release(MouseButton::Left);
        app.update();
        let moved = app.world().get::<TableRect>(tile).unwrap().0;
        assert!(moved.center().distance(vec2(0.3, 0.1)) < 1e-5, "{moved:?}");
    }

    #[test]
    fn edges_that_come_near_touch_to_the_bit_and_no_tile_is_made_too_small() {
        let other = Rect::new(5.3, -0.07, 9.1, 2.0);
        let pulled = |grip: TileGrip, by: Vec2| grip.pulled(TILE, by, &[other], 0.1, 0.5);
        let moved = pulled(TileGrip::ALL, vec2(1.25, 0.02));
        assert_eq!((moved.max.x, moved.min.y), (other.min.x, other.min.y));
        assert!((moved.width() - 4.0).abs() < 1e-6 && (moved.height() - 3.0).abs() < 1e-6);
        let free = pulled(TileGrip::ALL, vec2(0.5, 1.0));
        assert_eq!(free, Rect::new(0.5, 1.0, 4.5, 4.0));
        let right = TileGrip { min: BVec2::FALSE, max: BVec2::new(true, false) };
        assert_eq!(pulled(right, vec2(-9.0, 5.0)), Rect::new(0.0, 0.0, 0.5, 3.0));
        assert_eq!(pulled(right, vec2(1.35, 5.0)).max, vec2(other.min.x, 3.0));
    }
}
