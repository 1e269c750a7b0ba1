//! The outline as terrain, and discs that are moved inside.

use bevy::{ecs::entity::EntityHashMap, prelude::*};

use super::{
    PlaneSettings, SettledRect, TableRect,
    outline::{Edge, Outline, Side},
    passages::{Part, parts},
};
use crate::components::{InPlay, Inactive, MoveTo, Position, Radius, StableId, Terrain};

/// A piece of [`Terrain`] that is a part of the outline of the table. It is spawned and despawned with the outline; do
/// not change its shape.
///
/// The entity stays the same from tick to tick while the side of its rectangle has the same number of parts in the
/// outline. So components that a game adds, such as a look or a [`Restitution`](crate::components::Restitution), are
/// kept.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[reflect(Component, Debug, PartialEq, Hash)]
#[require(Terrain = Terrain::Segment { a: Vec2::ZERO, b: Vec2::ZERO })]
pub struct TableEdge {
    /// The entity of the [`TableRect`] to whose side it belongs.
    pub rect: Entity,
    /// The side.
    pub side: Side,
    /// The number of parts of that side before it.
    pub part: u32,
    /// Whether it is the corner at the end of the part instead of the part itself. A moving corner that reaches into
    /// the table is a separate piece.
    pub corner: bool,
}

/// The outline of the table at the end of the tick; empty without a [`TableRect`].
#[derive(Resource, Clone, Debug, Default, PartialEq, Deref)]
pub struct TableOutline(pub Outline);

/// The outline of the table at the start of the tick, if it differs because something moves.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub(super) struct OutlineBefore(Option<Outline>);

/// A piece in the tick: its shape at the end of the tick, in the world, and its displacement during it, metres.
#[derive(Clone, Debug, PartialEq)]
struct Placed {
    edge: TableEdge,
    shape: Terrain,
    /// Its origin at the end of the tick, metres.
    at: Vec2,
    way: Vec2,
}

/// Updates the outline and the terrain along it to the rectangles.
pub(super) fn form(
    mut commands: Commands,
    settings: Res<PlaneSettings>,
    rects: Query<(Entity, &StableId, &SettledRect), (With<TableRect>, Without<Inactive>)>,
    (mut outline, mut before): (ResMut<TableOutline>, ResMut<OutlineBefore>),
    mut edges: Query<(Entity, &TableEdge, &mut Terrain, &mut Position, Option<&mut MoveTo>)>,
    mut last: Local<Vec<SettledRect>>,
) {
    let mut order: Vec<_> = rects.iter().collect();
    order.sort_unstable_by_key(|(entity, id, _)| (**id, *entity));
    let settled: Vec<SettledRect> = order.iter().map(|(.., settled)| **settled).collect();
    if *last == settled && !settings.is_changed() && before.0.is_none() && edges.iter().len() == outline.edges().len() {
        return;
    }
    let of = |place: fn(&SettledRect) -> Rect| {
        let parts = parts(&settled.iter().map(place).collect::<Vec<_>>(), settings.gap);
        (Outline::of(&parts.iter().map(|part| part.rect).collect::<Vec<_>>()), parts)
    };
    let (next, joined) = of(|settled| settled.rect);
    before.0 = settled.iter().any(|settled| settled.rect != settled.before).then(|| of(|settled| settled.before).0);
    // Without any rectangle there is no table. If none has an area, the table stays.
    if next.rects().is_empty() && !order.is_empty() {
        return;
    }
    let entities: Vec<Entity> = order.iter().map(|(entity, ..)| *entity).collect();
    let mut wanted = pieces(&next, &joined, &entities, &settled);
    wanted.sort_unstable_by_key(|piece| piece.edge);
    let mut there = vec![false; wanted.len()];
    for (entity, edge, mut terrain, mut position, move_to) in &mut edges {
        match wanted.binary_search_by_key(edge, |piece| piece.edge) {
            Ok(at) if !there[at] => {
                there[at] = true;
                let Placed { shape, at, way, .. } = &wanted[at];
                if *terrain != *shape {
                    terrain.clone_from(shape);
                }
                position.set_if_neq(Position(at - way));
                match move_to {
                    Some(mut target) if *way != Vec2::ZERO => _ = target.set_if_neq(MoveTo(*at)),
                    Some(_) => _ = commands.entity(entity).remove::<MoveTo>(),
                    None if *way != Vec2::ZERO => _ = commands.entity(entity).insert(MoveTo(*at)),
                    None => {}
                }
            }
            _ => commands.entity(entity).despawn(),
        }
    }
    for (Placed { edge, shape, at, way }, _) in wanted.into_iter().zip(there).filter(|(_, there)| !there) {
        let mut piece = commands.spawn((edge, shape, Position(at - way)));
        if way != Vec2::ZERO {
            piece.insert(MoveTo(at));
        }
    }
    outline.set_if_neq(TableOutline(next));
    *last = settled;
}

/// Forms the table at once, for code that reads it before the first tick.
#[cfg(feature = "scene")]
pub(crate) fn form_at_once(world: &mut World) {
    if world.contains_resource::<TableOutline>()
        && let Err(error) = world.run_system_cached(form)
    {
        tracing::warn!("the table is formed with the first tick: {error}");
    }
}

/// The terrain along an outline. A part moves with its side. Its ends are on other sides, which may move along it
/// during the tick. At a convex corner of the table the part reaches to the farther end of that motion, so that there
/// is no gap. At a corner that reaches into the table it ends at the nearer one, and the corner is a separate piece.
fn pieces(outline: &Outline, joined: &[Part], entities: &[Entity], settled: &[SettledRect]) -> Vec<Placed> {
    let edges = outline.edges();
    let owner = |edge: &Edge| joined[edge.rect].owner(edge.side);
    let mut counts: EntityHashMap<[u32; 4]> = EntityHashMap::default();
    let number = |edge: &Edge| {
        let rect = entities[owner(edge)];
        let part = &mut counts.entry(rect).or_default()[edge.side as usize];
        *part += 1;
        TableEdge { rect, side: edge.side, part: *part - 1, corner: false }
    };
    let names: Vec<TableEdge> = edges.iter().map(number).collect();
    let way = |edge: &Edge| edge.side.inward().abs() * settled[owner(edge)].way(edge.side);
    let mut pieces = Vec::with_capacity(edges.len());
    for chain in outline.chains() {
        for (k, &at) in chain.iter().enumerate() {
            let beside = |step: usize| &edges[chain[(k + step) % chain.len()]];
            let (previous, edge, next) = (beside(chain.len() - 1), &edges[at], beside(1));
            let along = |edge: &Edge| -edge.side.inward().perp();
            let forward = along(edge);
            // How far an end has moved along the edge in this tick, and whether the corner there reaches into the
            // table.
            let end = |other: &Edge, turn: f32| {
                (way(other).dot(forward) * f32::from(u8::from(other.side != edge.side)), turn < 0.0)
            };
            let (begun, reflex) = end(previous, along(previous).perp_dot(forward));
            let from = edge.from - forward * if reflex { begun.min(0.0) } else { begun.max(0.0) };
            let (ended, reflex) = end(next, forward.perp_dot(along(next)));
            let to = edge.to - forward * if reflex { ended.max(0.0) } else { ended.min(0.0) };
            let [a, b] = if (to - from).dot(forward) > 0.0 { [from, to] } else { [edge.from, edge.to] };
            pieces.push(Placed { edge: names[at], shape: Terrain::Segment { a, b }, at: Vec2::ZERO, way: way(edge) });
            let corner = way(edge) + way(next) * f32::from(u8::from(next.side != edge.side));
            if reflex && corner != Vec2::ZERO {
                let name = TableEdge { corner: true, ..names[at] };
                pieces.push(Placed { edge: name, shape: Terrain::Circle { radius: 0.0 }, at: edge.to, way: corner });
            }
        }
    }
    pieces
}

/// Moves discs whose centres are outside to the nearest place where they fit.
pub(super) fn come_in(
    (outline, before): (Res<TableOutline>, Res<OutlineBefore>),
    mut discs: Query<(&mut Position, &Radius), InPlay>,
) {
    // The tick starts with the earlier table.
    let outline = before.0.as_ref().unwrap_or(&outline);
    if outline.rects().is_empty() {
        return;
    }
    for (mut position, radius) in &mut discs {
        if !outline.contains(position.0)
            && let Some(place) = outline.nearest_place(position.0, radius.0)
        {
            position.0 = place;
        }
    }
}
