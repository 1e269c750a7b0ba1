//! The outline as terrain, and discs that come in from outside.

use bevy::{ecs::entity::EntityHashMap, prelude::*};

use super::{
    SettledRect, TableRect,
    outline::{Outline, Side},
};
use crate::{
    disc::{InPlay, Position, Radius, StableId},
    terrain::Terrain,
};

/// A piece of [`Terrain`] that is a part of the outline of the table. It comes and goes with that; give it no other shape.
///
/// It is the same entity from tick to tick, as long as the side of its rectangle has as many parts in the outline. So what a game puts on it, such as a look or a
/// [`Restitution`](crate::disc::Restitution), stays.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[reflect(Component, Debug, PartialEq, Hash)]
#[require(Terrain = Terrain::Segment { a: Vec2::ZERO, b: Vec2::ZERO })]
pub struct TableEdge {
    /// The entity with the [`TableRect`] on whose side it lies.
    pub rect: Entity,
    /// Which side that is.
    pub side: Side,
    /// How many parts of that side come before it.
    pub part: u32,
}

/// The outline of the table as it is when the tick ends; empty where there is no [`TableRect`].
#[derive(Resource, Clone, Debug, Default, PartialEq, Deref)]
pub struct TableOutline(pub Outline);

/// Keeps the outline and the terrain along it at what the rectangles are.
pub(super) fn form(
    mut commands: Commands,
    rects: Query<(Entity, &StableId, &SettledRect), With<TableRect>>,
    mut outline: ResMut<TableOutline>,
    mut edges: Query<(Entity, &TableEdge, &mut Terrain)>,
    mut last: Local<Vec<Rect>>,
) {
    let mut order: Vec<_> = rects.iter().collect();
    order.sort_unstable_by_key(|(entity, id, _)| (**id, *entity));
    let now: Vec<Rect> = order.iter().map(|(.., settled)| settled.rect).collect();
    if *last == now && edges.iter().len() == outline.edges().len() {
        return;
    }
    let next = Outline::of(&now);
    *last = now;
    // Without any rectangle the table is no more; where none has an area it stays.
    if next.rects().is_empty() && !order.is_empty() {
        return;
    }
    let mut parts: EntityHashMap<[u32; 4]> = EntityHashMap::default();
    let wanted = next.edges().iter().map(|edge| {
        let rect = order[edge.rect].0;
        let part = &mut parts.entry(rect).or_default()[edge.side as usize];
        *part += 1;
        (TableEdge { rect, side: edge.side, part: *part - 1 }, Terrain::Segment { a: edge.from, b: edge.to })
    });
    let mut wanted: Vec<(TableEdge, Terrain)> = wanted.collect();
    wanted.sort_unstable_by_key(|(edge, _)| *edge);
    let mut there = vec![false; wanted.len()];
    for (entity, edge, mut terrain) in &mut edges {
        match wanted.binary_search_by_key(edge, |(edge, _)| *edge) {
            Ok(at) if !there[at] => {
                there[at] = true;
                terrain.set_if_neq(wanted[at].1.clone());
            }
            _ => commands.entity(entity).despawn(),
        }
    }
    let missing = wanted.into_iter().zip(there).filter(|(_, there)| !there);
    missing.for_each(|(piece, _)| _ = commands.spawn(piece));
    outline.set_if_neq(TableOutline(next));
}

/// Puts discs whose centres lie outside where they fit, by the nearest way.
pub(super) fn come_in(outline: Res<TableOutline>, mut discs: Query<(&mut Position, &Radius), InPlay>) {
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
