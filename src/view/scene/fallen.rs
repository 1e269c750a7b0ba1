//! Discs that have fallen into a pocket or off the table: they sink from sight, and then lie in the tray below the
//! table in the order of their fall.

use bevy::prelude::*;

use crate::{
    collision::{LeftTable, PhysicsSpace, Potted, SimulationSystems, tick_schedule},
    components::{Disc, InPocket, OffTable, Pocket, Position, Radius, StableId},
    interpolation::{Drawn, Overstep},
    motion::rolled,
    scene::DrawnTable,
    timeline::ticked,
    view::ViewSettings,
};

/// The time that a disc takes to sink, seconds of simulated time.
pub const SINKING: f32 = 0.3;

/// The time that it then takes to roll to its place in the tray, seconds of simulated time.
pub const ROLLING: f32 = 0.5;

/// The time constant in which the leather of a pocket slows a disc down, seconds.
const STOP: f32 = 0.05;

/// The relative size of a disc when it disappears in a pocket.
const SMALLEST: f32 = 0.62;

/// The display of a fallen disc. Every entity with an [`InPocket`] or an [`OffTable`] has one.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub struct Fallen {
    /// Its place in the order of falling, or `None` until it is listed.
    order: Option<u64>,
    /// Its fall, if it was observed.
    fall: Option<Fall>,
    /// Its relative size; 0 hides it.
    pub(crate) size: f32,
    /// Its depth in the dark, from 0 to 1.
    pub(crate) sunk: f32,
    /// Its rotation, if it differs from its own orientation.
    pub(crate) turn: Option<Quat>,
}

impl Default for Fallen {
    fn default() -> Self {
        Self { order: None, fall: None, size: 0.0, sunk: 0.0, turn: None }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Fall {
    position: Vec2,
    velocity: Vec2,
    /// The tick, and seconds after its start.
    tick: u64,
    time: f32,
}

impl Fallen {
    /// Whether it is still falling and cannot be in the tray yet.
    #[must_use]
    pub fn is_on_its_way(&self, space: &PhysicsSpace) -> bool {
        self.fall.is_some_and(|fall| age(&fall, space, 1.0) < SINKING + ROLLING)
    }
}

/// The time since a disc fell, seconds of simulated time, at this fraction of the last tick.
fn age(fall: &Fall, space: &PhysicsSpace, share: f32) -> f32 {
    let ticks = space.clock.tick.saturating_sub(fall.tick) as f32 + share;
    (ticks * space.clock.time_step - fall.time).max(0.0)
}

/// The number of discs listed as fallen.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub(crate) struct Count(u64);

/// The tray below a table with pockets.
#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub struct Tray {
    /// Its outer outline, metres.
    pub bounds: Rect,
    /// The width of its walls, metres.
    pub wall: f32,
    /// The height of a row, metres.
    row: f32,
}

impl Tray {
    /// The tray for discs of these radii (metres) below a table, or `None` if it has no pockets.
    fn of(table: &DrawnTable, radii: impl Iterator<Item = f32>) -> Option<Self> {
        if table.built.holes.is_empty() {
            return None;
        }
        let ball = table.spec.ball.radius as f32;
        let (length, largest) =
            radii.fold((0.0, ball), |(sum, most), radius| (sum + 2.0 * radius, f32::max(most, radius)));
        let outline = table.built.bounds();
        let wall = 0.55 * ball;
        let most = outline.width() - table.spec.rail_width as f32 - 2.0 * wall;
        // Slightly more room than the discs need, in rows if there are many. Each row loses less than one disc.
        let length = (length * 1.02).max(4.0 * ball);
        let rows = (length / (most - 2.0 * largest).max(ball)).ceil().clamp(1.0, 100.0);
        let inner = Vec2::new(if rows > 1.0 { most } else { length.min(most) }, rows * 2.2 * largest);
        let size = inner + 2.0 * wall;
        let top = outline.min.y - 1.4 * ball;
        let bounds = Rect::from_center_size(Vec2::new(0.0, top - 0.5 * size.y), size);
        Some(Self { bounds, wall, row: 2.2 * largest })
    }

    /// The places for discs of these radii in the tray, metres, from the left and from the top.
    fn places(&self, radii: impl Iterator<Item = f32>) -> impl Iterator<Item = Vec2> {
        let inner = self.bounds.inflate(-self.wall);
        let (mut x, mut y) = (inner.min.x, inner.max.y - 0.5 * self.row);
        radii.map(move |radius| {
            if x + 2.0 * radius > inner.max.x && x > inner.min.x {
                (x, y) = (inner.min.x, y - self.row);
            }
            x += 2.0 * radius;
            Vec2::new(x - radius, y)
        })
    }
}

/// Lists falling discs.
pub(crate) fn plugin(app: &mut App) {
    let schedule = tick_schedule(app);
    app.init_resource::<Count>()
        .register_required_components::<InPocket, Fallen>()
        .register_required_components::<OffTable, Fallen>()
        .add_observer(|back: On<Remove, (InPocket, OffTable)>, mut commands: Commands| {
            commands.entity(back.entity).try_remove::<Fallen>();
        })
        .add_systems(schedule, list_fallen.after(SimulationSystems).run_if(ticked));
}

/// Lists discs whose fall was not observed, such as those of a scene that starts with discs in pockets, in the order of
/// their numbers.
fn list_unseen(count: &mut Count, fallen: &mut Query<(Entity, &StableId, &mut Fallen)>, seen: &[(Entity, Fall)]) {
    let is_new = |entity: Entity, it: &Fallen| it.order.is_none() && seen.iter().all(|&(disc, _)| disc != entity);
    let mut unseen: Vec<_> =
        fallen.iter().filter(|(entity, _, it)| is_new(*entity, it)).map(|(entity, id, _)| (*id, entity)).collect();
    unseen.sort_unstable();
    for (_, entity) in unseen {
        if let Ok((.., mut it)) = fallen.get_mut(entity) {
            it.order = Some(count.0);
            count.0 += 1;
        }
    }
}

fn list_fallen(
    mut count: ResMut<Count>,
    (mut potted, mut left): (MessageReader<Potted>, MessageReader<LeftTable>),
    mut fallen: Query<(Entity, &StableId, &mut Fallen)>,
) {
    let potted = potted
        .read()
        .map(|&Potted { disc, position, velocity, tick, time, .. }| (disc, Fall { position, velocity, tick, time }));
    let left = left
        .read()
        .map(|&LeftTable { disc, position, velocity, tick, time }| (disc, Fall { position, velocity, tick, time }));
    let mut seen: Vec<(Entity, Fall)> = potted.chain(left).collect();
    if seen.is_empty() {
        return;
    }
    seen.sort_by(|(_, a), (_, b)| a.tick.cmp(&b.tick).then(a.time.total_cmp(&b.time)));
    list_unseen(&mut count, &mut fallen, &seen);
    for &(disc, fall) in &seen {
        if let Ok((.., mut it)) = fallen.get_mut(disc) {
            it.order = Some(count.0);
            it.fall = Some(fall);
            count.0 += 1;
        }
    }
}

/// Sets up the tray if the scene has a table with pockets.
pub(crate) fn set_up_tray(
    mut commands: Commands,
    table: Option<Res<DrawnTable>>,
    tray: Option<Res<Tray>>,
    discs: Query<&Radius, With<Disc>>,
) {
    let radii = discs.iter().map(|radius| radius.0).filter(|radius| *radius > 0.0 && radius.is_finite());
    let wanted = table.and_then(|table| Tray::of(&table, radii));
    if wanted.as_ref() == tray.as_deref() {
        return;
    }
    match wanted {
        Some(tray) => commands.insert_resource(tray),
        None => commands.remove_resource::<Tray>(),
    }
}

/// An easing function from 0 to 1, fast at first.
fn ease_out(share: f32) -> f32 {
    let left = 1.0 - share.clamp(0.0, 1.0);
    1.0 - left * left
}

/// The display of a fallen disc at a moment.
struct Sight {
    /// Its position, metres.
    at: Vec2,
    /// Its relative size; 0 hides it.
    size: f32,
    /// Its depth in the dark, from 0 to 1.
    sunk: f32,
    /// Its rotation, if it differs from its own orientation.
    turn: Option<Quat>,
}

/// A sinking disc. It keeps its velocity at first, but never passes through the liner, and then moves to the middle of
/// the pocket. `room` is the radius of the liner, metres, and `age` is in seconds.
fn sinking(fall: &Fall, radius: f32, (middle, room): (Vec2, f32), age: f32) -> Sight {
    let share = (age / SINKING).clamp(0.0, 1.0);
    let size = size_of_sinking(share);
    // Initially at its incoming velocity.
    let on = fall.velocity * (STOP * (1.0 - bevy::math::ops::exp(-age / STOP)));
    let place = fall.position + on;
    let from_middle = (place - middle) * (1.0 - ease_out(1.6 * share));
    let free = (room - radius * size).max(0.0);
    // At the edge it is still over the slate, and soon within the hole.
    let bound = free.max(fall.position.distance(middle) * (1.0 - 2.0 * share));
    let at = middle + from_middle.clamp_length_max(bound);
    Sight { at, size, sunk: depth_of_sinking(share), turn: None }
}

/// A disc that drops beside the table: nothing holds it. `age` is in seconds.
fn dropping(fall: &Fall, age: f32) -> Sight {
    let share = (age / SINKING).clamp(0.0, 1.0);
    let at = fall.position + fall.velocity * age;
    Sight { at, size: size_of_sinking(share), sunk: depth_of_sinking(share), turn: None }
}

/// The relative size of a disc after this share of the time in which it sinks.
fn size_of_sinking(share: f32) -> f32 {
    1.0 - (1.0 - SMALLEST) * share * share
}

/// Its depth in the dark, from 0 to 1.
fn depth_of_sinking(share: f32) -> f32 {
    share * share * (3.0 - 2.0 * share)
}

/// A disc in the tray, at this fraction of the path from the right end to its place.
fn rolling(tray: &Tray, place: Vec2, radius: f32, share: f32) -> Sight {
    let start = Vec2::new(tray.bounds.max.x - tray.wall - radius, place.y);
    let at = start.lerp(place, share);
    // Its number ends on top.
    Sight { at, size: 1.0, sunk: 0.0, turn: Some(rolled(Quat::IDENTITY, at - place, radius)) }
}

/// The visible middle of a pocket and the radius of its liner, metres.
pub(crate) fn liner(pocket: Pocket, at: Vec2, table: Option<&DrawnTable>) -> (Vec2, f32) {
    let hole = table.and_then(|table| Some(&table.built.holes[table.hole_of(pocket, at)?]));
    hole.map_or((at, pocket.radius), |hole| (hole.middle.as_vec2(), hole.liner_radius as f32))
}

type FallenDisc<'a> = (&'a mut Fallen, &'a mut Drawn, &'a Radius, Option<&'a InPocket>);

/// Places the fallen discs.
pub(crate) fn place(
    mut count: ResMut<Count>,
    (overstep, settings, space): (Overstep, Res<ViewSettings>, Res<PhysicsSpace>),
    (table, tray): (Option<Res<DrawnTable>>, Option<Res<Tray>>),
    pockets: Query<(&Pocket, &Position)>,
    mut queries: ParamSet<(Query<(Entity, &StableId, &mut Fallen)>, Query<FallenDisc>)>,
) {
    list_unseen(&mut count, &mut queries.p0(), &[]);
    let mut discs = queries.p1();
    let mut all: Vec<_> = discs.iter_mut().collect();
    all.sort_unstable_by_key(|(fallen, ..)| fallen.order);
    let share = overstep.share();
    let radii: Vec<f32> = all.iter().map(|(.., radius, _)| radius.0).collect();
    let mut places = tray.as_ref().map(|tray| tray.places(radii.iter().copied()));
    for (fallen, drawn, radius, inside) in all {
        let place = places.as_mut().and_then(Iterator::next);
        let fallen = fallen.into_inner();
        let age = fallen.fall.map_or(f32::INFINITY, |fall| age(&fall, &space, share));
        let falling = || {
            let fall = fallen.fall.filter(|_| age < SINKING)?;
            let Some(inside) = inside else { return Some(dropping(&fall, age)) };
            let (pocket, position) = pockets.get(inside.pocket).ok()?;
            Some(sinking(&fall, radius.0, liner(*pocket, position.0, table.as_deref()), age))
        };
        let into_tray = || {
            let share = if settings.reduces_motion() { 1.0 } else { ease_out((age - SINKING) / ROLLING) };
            Some(rolling(tray.as_deref()?, place?, radius.0, share))
        };
        let gone = Sight { at: drawn.shown, size: 0.0, sunk: 1.0, turn: None };
        let sight = falling().or_else(into_tray).unwrap_or(gone);
        (fallen.size, fallen.sunk, fallen.turn) = (sight.size, sight.sunk, sight.turn);
        drawn.into_inner().shown = sight.at;
    }
}

/// Whether a disc is visible where it is drawn. A fallen disc is visible while it sinks and in the tray.
#[must_use]
pub fn is_seen(fallen: Option<&Fallen>) -> bool {
    fallen.is_none_or(|fallen| fallen.size > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        PhysicsPlugins,
        components::{Ball, Mass, Velocity},
        interpolation::InterpolationSystems,
        timeline::advance,
    };

    const RADIUS: f32 = 0.028575;

    /// A table with two balls at its pockets. The second in the list falls first.
    fn app() -> (App, [Entity; 3]) {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), crate::view::DiscsPlugin))
            .add_systems(PostUpdate, (set_up_tray, place).chain().after(InterpolationSystems::Interpolate));
        app.insert_resource(bevy::time::TimeUpdateStrategy::ManualDuration(core::time::Duration::ZERO));
        let table = DrawnTable::named("pool-9ft").unwrap();
        let holes: Vec<(Vec2, f32)> =
            table.built.holes.iter().map(|hole| (hole.centre.as_vec2(), hole.radius as f32)).collect();
        app.insert_resource(table);
        let pockets: Vec<Entity> = holes
            .iter()
            .map(|&(place, radius)| app.world_mut().spawn((Pocket { radius }, Position(place))).id())
            .collect();
        let mut ball = |position: Vec2, velocity: Vec2| {
            app.world_mut().spawn((Ball, Position(position), Velocity(velocity), Radius(RADIUS), Mass(0.17))).id()
        };
        let late = ball(holes[1].0 - Vec2::Y * 0.5, Vec2::Y);
        let early = ball(holes[4].0 + Vec2::Y * 0.2, -Vec2::Y);
        let inside = ball(holes[0].0, Vec2::ZERO);
        app.world_mut().entity_mut(inside).insert(InPocket { pocket: pockets[0] });
        app.update();
        (app, [late, early, inside])
    }

    fn shown(app: &App, disc: Entity) -> (Vec2, f32, f32) {
        let fallen = app.world().get::<Fallen>(disc).map_or((1.0, 0.0), |fallen| (fallen.size, fallen.sunk));
        (app.world().get::<Drawn>(disc).unwrap().shown, fallen.0, fallen.1)
    }

    #[test]
    fn in_the_tray_balls_lie_in_the_order_of_their_fall() {
        let (mut app, [late, early, inside]) = app();
        let tray = *app.world().resource::<Tray>();
        let (at, size, _) = shown(&app, inside);
        assert!(tray.bounds.contains(at) && size == 1.0, "what begins in a pocket lies there at once: {at}");
        advance(app.world_mut(), 120);
        app.update();
        let places = [inside, early, late].map(|disc| shown(&app, disc).0);
        for (pair, place) in places.windows(2).zip(&places) {
            assert!((pair[1] - pair[0] - Vec2::X * 2.0 * RADIUS).length() < 1e-5, "{place}: {places:?}");
        }
        assert!(places.iter().all(|place| tray.bounds.contains(*place)));
        // A disc taken out of the tray is an ordinary disc, and the next ones move up.
        app.world_mut().entity_mut(early).remove::<InPocket>();
        app.update();
        assert!(app.world().get::<Fallen>(early).is_none());
        assert!((shown(&app, late).0 - places[1]).length() < 1e-5);
    }

    #[test]
    fn a_ball_sinks_within_its_pocket_and_into_the_dark() {
        let (mut app, [_, early, _]) = app();
        let table = app.world().resource::<DrawnTable>().clone();
        let hole = &table.built.holes[4];
        let mut last = None;
        for _ in 0..60 {
            advance(app.world_mut(), 1);
            app.update();
            let (at, size, sunk) = shown(&app, early);
            if app.world().get::<Fallen>(early).is_none() {
                assert!(last.is_none());
                continue;
            }
            let is_on_its_way = app.world().get::<Fallen>(early).unwrap().is_on_its_way(app.world().resource());
            if app.world().resource::<Tray>().bounds.contains(at) {
                assert!(is_on_its_way, "it still rolls to its place");
                break;
            }
            if let Some((before, darkness)) = last {
                assert!(sunk > darkness && at.distance(before) < 0.05, "{at} {before}");
            }
            let room = hole.liner_radius as f32 - RADIUS * size;
            assert!(sunk < 0.3 || at.distance(hole.middle.as_vec2()) <= room + 1e-6, "{at} at {sunk}");
            last = Some((at, sunk));
        }
        assert!(last.is_some_and(|(_, sunk)| sunk > 0.7), "{last:?}");
    }

    #[test]
    fn many_balls_lie_in_rows_within_the_tray() {
        let table = DrawnTable::named("snooker-12ft").unwrap();
        let radii = || std::iter::repeat_n(0.03_f32, 150);
        let tray = Tray::of(&table, radii()).unwrap();
        let places: Vec<Vec2> = tray.places(radii()).collect();
        let inner = tray.bounds.inflate(-tray.wall);
        assert!(places.iter().all(|place| inner.contains(*place)), "{places:?}");
        assert!(places.windows(2).all(|pair| pair[0].distance(pair[1]) > 0.0599));
        assert!(Tray::of(&DrawnTable::named("carom-10ft").unwrap(), radii()).is_none());
    }
}
