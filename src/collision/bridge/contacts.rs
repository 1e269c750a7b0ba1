//! Contacts: who touches whom, kept on the entities that ask for it, and told when it begins and when it ends.
//!
//! A disc and another disc, or a disc and a piece of terrain, are in contact in a tick if they have hit each other in
//! it, however slowly, or if there is no more than [`CONTACT_SLOP`] between them where it ends. That is the same in
//! both modes, whatever the substeps, and follows from the tick alone; which contacts there were before it is in the
//! components.

use bevy::{ecs::entity::EntityHashSet, prelude::*};

use super::report::trigger_all;
use crate::{
    collision::{
        hit::HitTarget,
        settings::CollisionSettings,
        shape::{Bounds, rounding::padded},
        space::PhysicsSpace,
        terrain::{TerrainView, away_from, index::Piece},
        tick::Stage,
    },
    components::StableId,
};
/// Discs this close touch, as a share of the radius of the disc, or of the smaller one of two.
pub const CONTACT_SLOP: f32 = 0.01;

/// Put this on a disc or a piece of terrain to know what it touches: the tick keeps in it the discs and the pieces of
/// terrain that it is in contact with, in the order of their [`StableId`]s, and tells of changes by [`ContactStarted`]
/// and [`ContactEnded`]. Nothing is spent on those without it.
///
/// They are in contact in a tick if they have hit each other in it, however slowly, or if there is no more than a
/// hundredth of a radius ([`CONTACT_SLOP`]) between them where it ends. So a ball that bounces off is in contact for
/// one tick, and one that comes to rest until it leaves; and a row of touching discs touches, though nothing moves.
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::prelude::*;
/// # #[derive(Component)]
/// # struct Player;
/// fn may_jump(player: Single<&CollidingEntities, With<Player>>) -> bool {
///     !player.is_empty()
/// }
/// ```
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq, Eq, Deref)]
#[reflect(Component, Default, Debug, PartialEq)]
pub struct CollidingEntities(#[entities] Vec<Entity>);

/// Two have come into contact: a message, and an event on the entity that asked for it with [`CollidingEntities`].
/// Where both sides ask, there are two, each with the one that listens as its `entity`. By time, and at the same time
/// in the order of their [`StableId`]s.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq)]
pub struct ContactStarted {
    /// The entity that asked.
    pub entity: Entity,
    /// What it touches. An observer that came before may have despawned it.
    pub other: Entity,
    /// Where, metres.
    pub point: Vec2,
    /// Unit vector from the other to the entity that asked.
    pub normal: Vec2,
    /// The tick in which it happened, counted from 1.
    pub tick: u64,
    /// When, seconds from the start of the tick: the time of their first hit in it, or its end.
    pub time: f32,
}

/// Two are not in contact any more: a message, and an event on the entity that asked for it with [`CollidingEntities`],
/// after those of the contacts that began. Where both sides ask, there are two.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContactEnded {
    /// The entity that asked.
    pub entity: Entity,
    /// What it touched. It may have been despawned, or have fallen into a pocket.
    pub other: Entity,
    /// The tick at the end of which they were apart, counted from 1.
    pub tick: u64,
}

/// A contact as one side sees it.
#[derive(Clone, Copy)]
struct Contact {
    /// The side that listens, and its number.
    listener: (StableId, Entity),
    other: (StableId, Entity),
    point: Vec2,
    /// From the other to the one that listens.
    normal: Vec2,
    time: f32,
}

pub fn report_contacts(
    mut space: ResMut<PhysicsSpace>,
    settings: Res<CollisionSettings>,
    mut listeners: Query<(Entity, &StableId, &mut CollidingEntities)>,
    ids: Query<&StableId>,
    mut began: MessageWriter<ContactStarted>,
    mut ended: MessageWriter<ContactEnded>,
    mut commands: Commands,
) {
    if listeners.is_empty() {
        return;
    }
    space.timed(Stage::Report, |space| {
        let mut order: Vec<(StableId, Entity)> = listeners.iter().map(|(entity, id, _)| (*id, entity)).collect();
        order.sort_unstable();
        let mut contacts = find_contacts(space, &order, &ids);
        contacts
            .sort_by(|a, b| (a.listener, a.other).cmp(&(b.listener, b.other)).then_with(|| a.time.total_cmp(&b.time)));
        contacts.dedup_by_key(|contact| (contact.listener, contact.other));
        let (mut begins, mut ends) = (Vec::new(), Vec::new());
        let mut rest = &contacts[..];
        for listener in order {
            let count = rest.partition_point(|contact| contact.listener <= listener);
            let (now, later) = rest.split_at(count);
            rest = later;
            let Ok((entity, _, mut kept)) = listeners.get_mut(listener.1) else { continue };
            if kept.iter().copied().eq(now.iter().map(|contact| contact.other.1)) {
                continue;
            }
            let tick = space.clock.tick;
            let is_new = |contact: &&Contact| !kept.contains(&contact.other.1);
            begins.extend(now.iter().filter(is_new).map(|&Contact { other, point, normal, time, .. }| {
                ContactStarted { entity, other: other.1, point, normal, tick, time }
            }));
            let touches = |other: Entity| now.iter().any(|contact| contact.other.1 == other);
            let gone = kept.iter().filter(|&&other| !touches(other));
            ends.extend(gone.map(|&other| ContactEnded { entity, other, tick }));
            kept.0 = now.iter().map(|contact| contact.other.1).collect();
        }
        begins.sort_by(|a, b| a.time.total_cmp(&b.time));
        began.write_batch(begins.iter().copied());
        ended.write_batch(ends.iter().copied());
        trigger_all(&mut commands, begins);
        trigger_all(&mut commands, ends);
        let report_above = settings.in_range().report_above;
        space.report.hits.retain(|hit| hit.approach_speed >= report_above);
    });
}

/// Every contact that one of these takes part in, some of them several times.
fn find_contacts(space: &PhysicsSpace, listeners: &[(StableId, Entity)], ids: &Query<&StableId>) -> Vec<Contact> {
    let discs = &space.discs;
    let key = |i: usize| (StableId(discs.id[i]), discs.entity[i]);
    let entities: EntityHashSet = listeners.iter().map(|&(_, entity)| entity).collect();
    let listens = |key: (StableId, Entity)| entities.contains(&key.1);
    let mut contacts = Vec::new();
    // `normal` from the first to the second; each that listens sees itself as the one that it points to.
    let mut add = |[a, b]: [(StableId, Entity); 2], point: Vec2, normal: Vec2, time: f32| {
        for (listener, other, normal) in [(a, b, -normal), (b, a, normal)] {
            if listens(listener) {
                contacts.push(Contact { listener, other, point, normal, time });
            }
        }
    };
    for hit in &space.report.hits {
        let other = match hit.target {
            HitTarget::Disc(j) => Some(key(j as usize)),
            HitTarget::Wall(entity) | HitTarget::FixedCircle(entity) => ids.get(entity).ok().map(|id| (*id, entity)),
        };
        let Some(other) = other else { continue };
        add([key(hit.disc as usize), other], hit.point, hit.normal, hit.time);
    }
    let end = space.clock.time_step;
    let mut near = Vec::new();
    let mut terrain_listens = false;
    for &(id, entity) in listeners {
        let Some(i) = discs.index_of(entity, id) else {
            terrain_listens = true;
            continue;
        };
        let (centre, radius) = (discs.position[i], discs.radius[i]);
        if !centre.is_finite() {
            continue;
        }
        near.clear();
        space.list_discs_near(centre.as_dvec2(), f64::from(radius * (1.0 + CONTACT_SLOP)), &mut near);
        for j in &mut near {
            *j = space.owner(*j);
        }
        for j in near.iter().map(|&j| j as usize).filter(|&j| j != i && discs.meet(i, j)) {
            let line = space.difference(centre, discs.position[j]);
            let (sum, slop) = (radius + discs.radius[j], CONTACT_SLOP * radius.min(discs.radius[j]));
            if line.length_squared() <= (sum + slop) * (sum + slop) {
                let normal = line.normalize_or_zero();
                add([key(i), key(j)], centre + normal * radius, normal, end);
            }
        }
    }
    let terrains: Vec<TerrainView> = space.terrains().collect();
    let mut look_at_terrain = |i: usize| {
        let (centre, radius) = (discs.position[i], discs.radius[i]);
        let reach = f64::from(radius) * (1.0 + f64::from(CONTACT_SLOP));
        let bounds = Bounds::around(centre, padded(reach as f32, centre));
        for terrain in &terrains {
            terrain.index.for_each_overlapping(bounds, |piece| {
                // The ends of walls are theirs.
                let is_corner =
                    matches!(piece, Piece::FixedCircle(k) if !terrain.fixed_circles[k as usize].walls.is_empty());
                if is_corner || terrain.is_beyond(piece, centre.as_dvec2(), reach) {
                    return;
                }
                let entity = terrain.obstacle(piece).target.entity_of_terrain();
                if !space.disc_meets_terrain(i, entity) {
                    return;
                }
                let Ok(&id) = ids.get(entity) else { return };
                let (_, point) = away_from(piece, terrain, centre.as_dvec2(), bevy::math::DVec2::X);
                let normal = (point.as_vec2() - centre).normalize_or_zero();
                add([key(i), (id, entity)], point.as_vec2(), normal, end);
            });
        }
    };
    let is_in_play = |i: &usize| discs.position[*i].is_finite();
    if terrain_listens {
        (0..discs.len()).filter(is_in_play).for_each(&mut look_at_terrain);
    } else {
        let indices = listeners.iter().filter_map(|&(id, entity)| discs.index_of(entity, id));
        indices.filter(is_in_play).for_each(&mut look_at_terrain);
    }
    contacts
}
