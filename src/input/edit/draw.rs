//! Drawing and reshaping with the mouse: feeds the pointer to the [`Sketch`] and to the handles of the chosen terrain, and shows both.

use bevy::{ecs::system::SystemParam, prelude::*};
use bevy_enhanced_input::prelude::ModKeys;

use super::{
    history::{self, what},
    reshape::{Handle, Placed},
    sketch::{Piece, Sizes, Sketch, Tool, metres},
    snap::{places, snapped},
    spawn,
};
use crate::{
    disc::{InPlay, Position, Radius},
    input::{
        ControlSystems, Controls, Gestured, Pointer, Selection,
        actions::{Control, Inputs, PointerButtons},
        gesture::{self, Gesture, SLACK},
        pick::disc_at,
        pointer::{Attention, HeldByTool, PointedView, PointerPlugin},
        select,
        touch::{FINGER_REACH, FINGER_SLACK},
    },
    scene::DrawnTable,
    terrain::{Rotation, Terrain},
    view::{
        Canvas, Caption, Captions, DrawPicture, Drawn, Layer, Measures, Picture, Plate, Theme, View2d, sees_layer_0,
    },
};

/// Discs and terrain are drawn with the mouse, terrain is selected, moved, reshaped, turned and deleted, lengths and angles are measured: by the [`Tool`].
pub struct DrawPlugin;

impl Plugin for DrawPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(PointerPlugin);
        app.init_resource::<Tool>()
            .init_resource::<Sketch>()
            .init_resource::<DrawSettings>()
            .init_resource::<ChosenTerrain>()
            .init_resource::<Pull>()
            .init_resource::<Measures>()
            .init_resource::<Captions>()
            .register_type::<Tool>()
            .register_type::<DrawSettings>()
            .add_systems(PreUpdate, forget_the_gone.in_set(ControlSystems::Keys))
            .add_systems(
                PreUpdate,
                (follow_tool, sketch, reshape, hold).chain().in_set(ControlSystems::Gesture).before(gesture::drive),
            )
            .add_systems(
                PreUpdate,
                (choose.after(select::choose), delete.before(select::give_up), caption)
                    .chain()
                    .in_set(ControlSystems::Select),
            )
            .add_systems(DrawPicture, draw.run_if(sees_layer_0));
    }
}

/// How new pieces are drawn.
#[derive(Resource, Reflect, Clone, Debug, PartialEq)]
#[reflect(Resource, Default, Debug, PartialEq)]
pub struct DrawSettings {
    /// Points go to the ends, corners and centres that are near, and else to the grid. Default: on. With Ctrl it is the other way around.
    pub snap: bool,
    /// The restitution that new terrain carries, 0 to 1. Default: none of its own.
    pub restitution: Option<f32>,
    /// The radius of a bumper that a click draws, metres. Default: 0.5.
    pub bumper: f32,
    /// The width and the height of a block that a click draws, metres. Default: 1 × 1.
    pub block: Vec2,
}

impl Default for DrawSettings {
    fn default() -> Self {
        Self { snap: true, restitution: None, bumper: 0.5, block: Vec2::ONE }
    }
}

/// The chosen piece of terrain. Where one is chosen no disc is.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChosenTerrain(pub Option<Entity>);

/// A piece of terrain of which a handle is held.
#[derive(Resource, Clone, Debug, Default)]
struct Pull(Option<Held>);

#[derive(Clone, Debug)]
struct Held {
    entity: Entity,
    handle: Handle,
    /// Where it was pressed, metres.
    from: Vec2,
    /// What it was then.
    start: Placed,
    /// What it is now.
    now: Placed,
    /// Whether it follows; a press without a drag changes nothing.
    dragged: bool,
}

type Pieces<'w, 's> = Query<'w, 's, (Entity, &'static Terrain, &'static Position, &'static Rotation)>;

/// The mouse, and what it can snap to.
#[derive(SystemParam)]
struct Hand<'w, 's> {
    pointer: Res<'w, Pointer>,
    attention: Res<'w, Attention>,
    controls: Res<'w, Controls>,
    view: PointedView<'w, 's>,
    buttons: PointerButtons<'w>,
    settings: Res<'w, DrawSettings>,
    measures: Res<'w, Measures>,
    discs: Query<'w, 's, (Entity, &'static Position, &'static Radius, Option<&'static Drawn>), InPlay>,
    table: Option<Res<'w, DrawnTable>>,
}

/// The controls whose buttons draw while a tool has the mouse: with Shift and Ctrl as well as without.
const DRAWS: [Control; 2] = [Control::Pull, Control::Hold];

/// A press within this many logical pixels of a handle takes it, and of an edge its piece.
const REACH: f32 = 9.0;

/// The knob that turns a piece is so far beyond its outline, logical pixels.
const KNOB: f32 = 30.0;

impl Hand<'_, '_> {
    /// Whether the button that draws went down on the table in this frame.
    fn presses(&self) -> bool {
        self.attention.mouse && self.buttons.begun(&DRAWS).is_some()
    }

    /// Whether the mouse or a finger, and not the keyboard, cancels something in this frame.
    fn cancels(&self) -> bool {
        self.buttons.finger_gives_up() || self.buttons.begun(&[Control::Cancel]).is_some()
    }

    /// How near a press must be to what it takes, metres.
    fn reach(&self) -> f32 {
        self.view.px(if self.buttons.is_finger() { FINGER_REACH } else { REACH })
    }

    /// How far a press must be dragged to be more than a click, metres.
    fn slack(&self) -> f32 {
        self.view.px(if self.buttons.is_finger() { FINGER_SLACK } else { SLACK })
    }

    /// Where the button went down, or is; metres.
    fn pressed_at(&self) -> Option<Vec2> {
        self.pointer.pressed.or(self.pointer.screen).map(|at| self.view.to_world(at))
    }

    /// Where it went up, or is; metres.
    fn released_at(&self) -> Option<Vec2> {
        self.pointer.released.or(self.pointer.screen).map(|at| self.view.to_world(at))
    }

    /// Where a point goes, unless snapping is off; to no place of the piece `without`.
    fn snapped(&self, point: Vec2, snap: bool, pieces: &Pieces, without: Option<Entity>) -> Vec2 {
        if !snap {
            return point;
        }
        let others = pieces.iter().filter(|(entity, ..)| Some(*entity) != without);
        let ends = others.flat_map(|(_, terrain, position, rotation)| places(terrain, position.0, *rotation));
        let centres = self.discs.iter().map(|(_, position, ..)| position.0);
        let grid = self.measures.width(&self.view);
        snapped(point, self.view.px(REACH), grid, ends.chain(centres))
    }

    fn is_on_disc(&self, point: Vec2) -> bool {
        let places = self
            .discs
            .iter()
            .map(|(entity, position, radius, drawn)| (entity, drawn.map_or(position.0, |drawn| drawn.shown), radius.0));
        disc_at(point, self.view.px(SLACK), places).is_some()
    }

    /// Whether a piece is one that a plain click leaves alone: an arena, or a part of a table.
    fn is_fixture(&self, placed: &Placed) -> bool {
        let is_furniture = |table: &DrawnTable| table.has_piece(&placed.terrain, placed.position, placed.rotation);
        matches!(placed.terrain, Terrain::Arena { .. }) || self.table.as_deref().is_some_and(is_furniture)
    }

    /// The piece at a point: the nearest edge within reach, of several the smallest that holds the point.
    fn piece_at(&self, point: Vec2, pieces: &Pieces, fixtures: bool) -> Option<Entity> {
        let reach = self.reach();
        let near = pieces.iter().filter_map(|piece| {
            let placed = placed(piece);
            let distance = placed.distance(point);
            let fits = distance <= reach && (fixtures || !self.is_fixture(&placed));
            fits.then(|| (piece.0, distance, placed.middle().distance(point)))
        });
        near.min_by(|a, b| a.1.total_cmp(&b.1).then(a.2.total_cmp(&b.2))).map(|(entity, ..)| entity)
    }
}

fn placed((_, terrain, position, rotation): (Entity, &Terrain, &Position, &Rotation)) -> Placed {
    Placed { terrain: terrain.clone(), position: position.0, rotation: *rotation }
}

/// Whether Shift is held, and whether points are snapped.
fn modifiers(hand: &Hand) -> (bool, bool) {
    let held = hand.buttons.modifiers();
    (held.contains(ModKeys::SHIFT), hand.settings.snap != held.contains(ModKeys::CONTROL))
}

fn forget_the_gone(mut chosen: ResMut<ChosenTerrain>, pieces: Query<(), With<Terrain>>) {
    if chosen.0.is_some_and(|piece| !pieces.contains(piece)) {
        chosen.0 = None;
    }
}

/// With another tool nothing goes on of what was begun with the last; what a plain click leaves alone is not chosen without the tool for it.
fn follow_tool(
    tool: Res<Tool>,
    (mut sketch, mut chosen): (ResMut<Sketch>, ResMut<ChosenTerrain>),
    (hand, pieces): (Hand, Pieces),
) {
    if !tool.is_changed() || tool.is_added() {
        return;
    }
    sketch.give_up();
    let is_fixture = |piece| pieces.get(piece).is_ok_and(|piece| hand.is_fixture(&placed(piece)));
    if *tool == Tool::Select && chosen.0.is_some_and(is_fixture) {
        chosen.0 = None;
    }
}

/// Feeds mouse and keys to the sketch.
fn sketch(
    (mut sketch, mut tool): (ResMut<Sketch>, ResMut<Tool>),
    mut inputs: Inputs,
    (hand, pieces): (Hand, Pieces),
    gesture: Res<Gesture>,
    mut commands: Commands,
) {
    if *tool == Tool::Select || *gesture != Gesture::Idle {
        return;
    }
    let tool_now = *tool;
    if tool_now != Tool::Terrain && (hand.buttons.finger_gives_up() || inputs.take(Control::Cancel)) {
        if hand.cancels() {
            sketch.back();
        } else if !sketch.give_up() {
            *tool = Tool::Select;
        }
    }
    if tool_now == Tool::Terrain || *tool != tool_now {
        return;
    }
    let (constrained, snap) = modifiers(&hand);
    let slack = hand.slack();
    let place = |at: Vec2| hand.snapped(at, snap, &pieces, None);
    let mut piece: Option<Piece> = None;
    if hand.presses()
        && let Some(at) = hand.pressed_at().map(place)
    {
        sketch.follow(tool_now, at, constrained);
        let at = sketch.end().filter(|_| constrained).unwrap_or(at);
        piece = sketch.press(tool_now, at, hand.reach());
    }
    if sketch.end().is_some()
        && let Some(at) = hand.released_at().map(place)
    {
        sketch.follow(tool_now, at, constrained);
    }
    // Asked as "not pressed": a release that the window never saw must not leave it stuck.
    if matches!(*sketch, Sketch::Drag { .. }) && !hand.buttons.any_pressed(&DRAWS) {
        let sizes = Sizes { block: hand.settings.block / 2.0, bumper: hand.settings.bumper };
        piece = piece.or(sketch.release(tool_now, slack, sizes));
    }
    if matches!(*sketch, Sketch::Points { .. }) && inputs.started(Control::FinishShape) {
        piece = piece.or(sketch.enter(tool_now));
    }
    if let Some(piece) = piece {
        commands.queue(move |world: &mut World| spawn::place(world, piece));
    }
}

/// Takes, pulls and lets go of the handles of the chosen terrain.
fn reshape(
    (mut pull, mut chosen, mut selection): (ResMut<Pull>, ResMut<ChosenTerrain>, ResMut<Selection>),
    (mut tool, gesture): (ResMut<Tool>, Res<Gesture>),
    mut inputs: Inputs,
    mut queries: ParamSet<((Hand, Pieces), Query<(&mut Terrain, &mut Position, &mut Rotation)>)>,
    mut commands: Commands,
) {
    let is_ours = matches!(*tool, Tool::Select | Tool::Terrain) && *gesture == Gesture::Idle;
    if !is_ours {
        pull.0 = None;
        return;
    }
    let (hand, pieces) = queries.p0();
    if pull.0.as_ref().is_some_and(|held| !pieces.contains(held.entity)) {
        pull.0 = None;
    }
    if (pull.0.is_some() || *tool == Tool::Terrain) && (hand.buttons.finger_gives_up() || inputs.take(Control::Cancel))
    {
        if pull.0.is_none() && !hand.cancels() {
            *tool = Tool::Select;
        }
        if let Some(held) = pull.0.take()
            && let Ok(parts) = queries.p1().get_mut(held.entity)
        {
            put(&held.start, parts);
        }
        return;
    }
    if hand.presses()
        && hand.controls.select
        && let Some(at) = hand.pressed_at()
    {
        let with_tool = *tool == Tool::Terrain;
        let (reach, knob) = (hand.reach(), hand.view.px(KNOB));
        let now = chosen.0.and_then(|entity| pieces.get(entity).ok()).map(|piece| (piece.0, placed(piece)));
        let handle = now.as_ref().and_then(|(entity, placed)| {
            let handle = placed.handle_at(at, reach, knob);
            let on_body = || placed.distance(at) <= reach && (with_tool || !hand.is_on_disc(at));
            Some((*entity, handle.or(on_body().then_some(Handle::Body))?))
        });
        let other = || hand.piece_at(at, &pieces, true).map(|entity| (entity, Handle::Body));
        let taken = if with_tool { handle.or_else(other) } else { handle };
        if with_tool && chosen.0 != taken.map(|(entity, _)| entity) {
            chosen.0 = taken.map(|(entity, _)| entity);
        }
        if taken.is_some() && !selection.0.is_empty() {
            selection.0.clear();
        }
        pull.0 = taken.and_then(|(entity, handle)| {
            let start = placed(pieces.get(entity).ok()?);
            Some(Held { entity, handle, from: at, now: start.clone(), start, dragged: false })
        });
    }
    let Some(held) = &mut pull.0 else { return };
    let (constrained, snap) = modifiers(&hand);
    if let Some(to) = hand.released_at() {
        held.dragged |= to.distance(held.from) > hand.slack();
        if held.dragged {
            held.now = pulled(held, to, constrained, |point| hand.snapped(point, snap, &pieces, Some(held.entity)));
        }
    }
    let is_over = !hand.buttons.any_pressed(&DRAWS);
    let (entity, now) = (held.entity, held.now.clone());
    if let Ok(parts) = queries.p1().get_mut(entity) {
        put(&now, parts);
    }
    if is_over
        && let Some(held) = pull.0.take()
        && held.now != held.start
    {
        commands.queue(move |world: &mut World| record(world, &held));
    }
}

/// What the held piece becomes when the pointer is at a point.
fn pulled(held: &Held, to: Vec2, constrained: bool, snap: impl Fn(Vec2) -> Vec2) -> Placed {
    let Held { handle, from, start, .. } = held;
    match (handle, start.anchor(*handle)) {
        (Handle::Turn, _) => start.pulled(*handle, *from, to, constrained),
        (Handle::Rim, _) => start.pulled(*handle, *from, snap(to), constrained),
        (_, Some(anchor)) => start.pulled(*handle, anchor, snap(anchor + (to - from)), constrained),
        (_, None) => start.pulled(*handle, *from, to, constrained),
    }
}

fn put(placed: &Placed, (mut terrain, mut position, mut rotation): (Mut<Terrain>, Mut<Position>, Mut<Rotation>)) {
    if *terrain != placed.terrain {
        *terrain = placed.terrain.clone();
    }
    position.set_if_neq(Position(placed.position));
    rotation.set_if_neq(placed.rotation);
}

/// Remembers a pull as one edit.
fn record(world: &mut World, held: &Held) {
    let verb = match held.handle {
        Handle::Body => "move",
        Handle::Turn => "turn",
        Handle::Point(_) | Handle::Corner(_) | Handle::Rim => "reshape",
    };
    let words = format!("{verb} {}", what(world, &[held.entity]));
    let insert = |world: &mut World, Placed { terrain, position, rotation }: &Placed| {
        if let Ok(mut entity) = world.get_entity_mut(held.entity) {
            entity.insert((terrain.clone(), Position(*position), *rotation));
        }
    };
    insert(world, &held.start);
    history::change(world, words, &[held.entity], |world| insert(world, &held.now));
}

/// While a tool or a handle has the mouse, the discs do not see it.
fn hold(tool: Res<Tool>, pull: Res<Pull>, mut held: ResMut<HeldByTool>) {
    held.set_if_neq(HeldByTool(tool.takes_the_mouse() || pull.0.is_some()));
}

/// A click on terrain where no disc is chooses it; whatever else is chosen, it is not.
fn choose(
    mut gestured: MessageReader<Gestured>,
    (mut chosen, tool): (ResMut<ChosenTerrain>, Res<Tool>),
    (hand, pieces): (Hand, Pieces),
) {
    for outcome in gestured.read() {
        let now = match outcome {
            Gestured::Click { on: None, add: false } if *tool == Tool::Select && hand.controls.select => {
                hand.released_at().and_then(|at| hand.piece_at(at, &pieces, false))
            }
            Gestured::Click { on: None, add: true } | Gestured::MayNotShoot | Gestured::Shot { .. } => chosen.0,
            _ => None,
        };
        chosen.set_if_neq(ChosenTerrain(now));
    }
}

/// Removes the chosen terrain, or gives it up.
fn delete(mut commands: Commands, mut chosen: ResMut<ChosenTerrain>, (mut inputs, controls): (Inputs, Res<Controls>)) {
    let Some(piece) = chosen.0 else { return };
    if controls.delete && inputs.started(Control::Delete) {
        chosen.0 = None;
        commands.queue(move |world: &mut World| history::delete(world, &[piece]));
    } else if inputs.take(Control::Cancel) {
        chosen.0 = None;
    }
}

/// Writes the measures of what is drawn or pulled.
fn caption(
    mut captions: ResMut<Captions>,
    (sketch, tool, pull, pointer): (Res<Sketch>, Res<Tool>, Res<Pull>, Res<Pointer>),
) {
    let drawn = sketch.in_words(*tool).and_then(|text| {
        let at = match &*sketch {
            Sketch::Measured(points) => *points.get(1)?,
            _ => sketch.end()?,
        };
        Some(Caption { at, text })
    });
    let pulled = pull
        .0
        .as_ref()
        .filter(|held| held.dragged)
        .and_then(|held| Some(Caption { at: pointer.world?, text: pulled_in_words(held)? }));
    captions.set_if_neq(Captions(drawn.into_iter().chain(pulled).collect()));
}

fn pulled_in_words(Held { handle, start, now, .. }: &Held) -> Option<String> {
    let degrees = |radians: f32| format!("{}°", (radians.to_degrees() * 10.0).round() / 10.0);
    Some(match (handle, &now.terrain) {
        (Handle::Turn, _) => degrees(now.rotation.0),
        (Handle::Body, _) => {
            let way = now.position - start.position;
            format!("Δx {}, Δy {}", metres(way.x), metres(way.y))
        }
        (_, Terrain::Circle { radius }) => format!("r {}", metres(*radius)),
        (_, Terrain::Block { half_size } | Terrain::Arena { half_size }) => {
            format!("{} × {}", metres(2.0 * half_size.x), metres(2.0 * half_size.y))
        }
        (_, Terrain::Segment { .. }) => {
            let (ends, _) = now.outline();
            format!("{}, {}", metres(ends[0].distance(ends[1])), degrees((ends[1] - ends[0]).to_angle()))
        }
        (Handle::Point(k), _) => {
            let (points, _) = now.outline();
            let point = points.get(*k)?;
            format!("x {}, y {}", metres(point.x), metres(point.y))
        }
        _ => return None,
    })
}

/// Shows the chosen terrain with its handles, and what is being drawn or measured.
fn draw(
    mut canvas: ResMut<Canvas>,
    (sketch, tool, chosen): (Res<Sketch>, Res<Tool>, Res<ChosenTerrain>),
    (picture, theme): (Res<Picture>, Res<Theme>),
    pieces: Pieces,
) {
    if let Some(piece) = chosen.0.and_then(|entity| pieces.get(entity).ok()) {
        draw_chosen(&mut canvas, &placed(piece), &picture, &theme);
    }
    draw_sketch(&mut canvas, &sketch, *tool, &picture, &theme);
}

fn draw_chosen(canvas: &mut Canvas, placed: &Placed, view: &View2d, theme: &Theme) {
    let px = |pixels: f32| view.px(pixels);
    if let Terrain::Circle { radius } = placed.terrain {
        canvas.ring(Layer::Gesture, placed.position, radius + px(4.0), px(2.0), theme.marks.selected);
    } else {
        let (points, closed) = placed.outline();
        canvas.polyline(Layer::Gesture, &points, closed, px(2.0), theme.marks.selected);
    }
    let middle = placed.middle();
    for (handle, at) in placed.handles(px(KNOB)) {
        if handle == Handle::Turn {
            canvas.dashed(Layer::Gesture, middle, at, px(1.2), px(3.0), theme.marks.selected);
            canvas.ring(Layer::Gesture, at, px(6.5), px(2.0), theme.marks.selected);
        } else {
            canvas.disc(Layer::Gesture, at, px(5.5), theme.marks.selected);
            canvas.disc(Layer::Gesture, at, px(3.5), theme.ground.room);
        }
    }
}

fn draw_sketch(canvas: &mut Canvas, sketch: &Sketch, tool: Tool, view: &View2d, theme: &Theme) {
    let px = |pixels: f32| view.px(pixels);
    let (colour, fill) = (theme.marks.selected, theme.marks.selected.with_alpha(0.15));
    let cross = |canvas: &mut Canvas, at: Vec2| {
        for arm in [Vec2::X, Vec2::Y] {
            canvas.line(Layer::Gesture, at - arm * px(5.0), at + arm * px(5.0), px(1.2), colour);
        }
    };
    match (sketch, tool) {
        (Sketch::Idle, _) => {}
        (Sketch::Drag { from, to }, Tool::Disc | Tool::Bumper) => {
            let radius = from.distance(*to);
            canvas.disc(Layer::Gesture, *from, radius, fill);
            canvas.ring(Layer::Gesture, *from, radius, px(2.0), colour);
            canvas.dashed(Layer::Gesture, *from, *to, px(1.2), px(4.0), colour);
            cross(canvas, *from);
        }
        (Sketch::Drag { from, to }, Tool::Block) => {
            let plate = Plate::new(from.midpoint(*to), (*to - *from).abs() / 2.0);
            canvas.rect(Layer::Gesture, plate, fill);
            canvas.rect_outline(Layer::Gesture, plate, px(2.0), colour);
        }
        (Sketch::Drag { from, to }, Tool::Ruler) => draw_ruler(canvas, [*from, *to], view, theme),
        (Sketch::Drag { from, to }, _) => canvas.line(Layer::Gesture, *from, *to, px(3.0), colour),
        (Sketch::Points { points, to }, Tool::Protractor) => {
            let legs: Vec<Vec2> = points.iter().copied().chain([*to]).collect();
            draw_legs(canvas, &legs, view, theme);
        }
        (Sketch::Points { points, to }, _) => {
            canvas.polyline(Layer::Gesture, points, false, px(3.0), colour);
            if let [first, .., last] | [first @ last] = points[..] {
                canvas.dashed(Layer::Gesture, last, *to, px(2.0), px(5.0), colour);
                let is_closing = points.len() >= 3 && first.distance(*to) <= px(REACH);
                canvas.ring(Layer::Gesture, first, px(if is_closing { 9.0 } else { 6.0 }), px(2.0), colour);
            }
        }
        (Sketch::Measured(points), _) => match points[..] {
            [from, to] => draw_ruler(canvas, [from, to], view, theme),
            _ => draw_legs(canvas, points, view, theme),
        },
    }
}

/// A line with a tick at either end and, where it is slanted, how far it goes across and up.
fn draw_ruler(canvas: &mut Canvas, [from, to]: [Vec2; 2], view: &View2d, theme: &Theme) {
    let px = |pixels: f32| view.px(pixels);
    let corner = Vec2::new(to.x, from.y);
    for (a, b) in [(from, corner), (corner, to)] {
        canvas.dashed(Layer::Gesture, a, b, px(1.0), px(4.0), theme.marks.selected.with_alpha(0.6));
    }
    canvas.line(Layer::Gesture, from, to, px(2.0), theme.marks.selected);
    let tick = (to - from).perp().normalize_or_zero() * px(7.0);
    for end in [from, to] {
        canvas.line(Layer::Gesture, end - tick, end + tick, px(2.0), theme.marks.selected);
    }
}

/// The legs of an angle and the arc between them: the first point is its corner.
fn draw_legs(canvas: &mut Canvas, points: &[Vec2], view: &View2d, theme: &Theme) {
    let px = |pixels: f32| view.px(pixels);
    let Some((&corner, legs)) = points.split_first() else { return };
    for &leg in legs {
        canvas.line(Layer::Gesture, corner, leg, px(2.0), theme.marks.selected);
    }
    if let [a, b] = *legs {
        let (from, by) = ((a - corner).to_angle(), (a - corner).angle_to(b - corner));
        let radius = px(34.0).min(a.distance(corner)).min(b.distance(corner));
        let arc: Vec<Vec2> =
            (0..=24).map(|k| corner + Vec2::from_angle(from + by * k as f32 / 24.0) * radius).collect();
        canvas.polyline(Layer::Gesture, &arc, false, px(1.5), theme.marks.selected);
    }
}
