//! Contacts: which entities touch, kept on the entities that ask for it, and reported when a contact starts or ends.
//!
//! Two discs, or a disc and a piece of terrain, are in contact in a tick in two cases. They have hit each other in it,
//! however slowly, or the gap between them at its end is at most [`CONTACT_SLOP`]. This holds in both modes with any
//! number of substeps, and follows from the tick alone. The components hold the earlier contacts.

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
/// The largest gap at which discs touch, as a share of the radius of the disc, or of the smaller of two.
pub const CONTACT_SLOP: f32 = 0.01;

/// Add this to a disc or a piece of terrain to track what it touches. Each tick updates the list of discs and pieces of
/// terrain in contact with it, in the order of their [`StableId`]s, and reports changes by [`ContactStarted`] and
/// [`ContactEnded`].
///
/// A contact lasts over several ticks, so the earlier ones have to be stored. This component is the only place where
/// they are, so contacts are reported only for entities with it. A disc with it costs one search of its neighbourhood
/// per tick. A piece of terrain with it costs one for every disc. If no entity has it, contacts cost nothing.
///
/// Two entities are in contact in a tick in two cases. They have hit each other in it, however slowly, or the gap at
/// its end is at most a hundredth of a radius ([`CONTACT_SLOP`]). So a ball that bounces off is in contact for one
/// tick, and a ball that comes to rest until it leaves. Discs in a row that touch are in contact though nothing moves.
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
pub struct CollidingEntities(#[entities] pub(crate) Vec<Entity>);

/// A contact has started: a message, and an event on an entity with [`CollidingEntities`]. Other entities get none,
/// even if they are observed. If both sides have the component, there are two, each from the view of its `entity`.
/// They are ordered by time, and at equal times by [`StableId`].
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq)]
pub struct ContactStarted {
    /// The observed entity.
    pub entity: Entity,
    /// The entity that it touches. An earlier observer may have despawned it.
    pub other: Entity,
    /// The point of contact, metres.
    pub point: Vec2,
    /// Unit vector from the other entity to the observed one.
    pub normal: Vec2,
    /// The tick in which it happened, counted from 1.
    pub tick: u64,
    /// The time of their first hit in the tick, or the end of the tick; seconds from its start.
    pub time: f32,
}

/// A contact has ended: a message, and an event on an entity with [`CollidingEntities`], after those of the contacts
/// that started. If both sides have the component, there are two.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContactEnded {
    /// The observed entity.
    pub entity: Entity,
    /// The entity that it touched. It may have been despawned, or have fallen into a pocket.
    pub other: Entity,
    /// The tick at the end of which they were separate, counted from 1.
    pub tick: u64,
}

/// A contact from the perspective of one side.
#[derive(Clone, Copy)]
struct Contact {
    /// The observed side, with its number.
    listener: (StableId, Entity),
    other: (StableId, Entity),
    point: Vec2,
    /// From the other side to the observed one.
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

/// Every contact of the listeners; some are listed several times.
fn find_contacts(space: &PhysicsSpace, listeners: &[(StableId, Entity)], ids: &Query<&StableId>) -> Vec<Contact> {
    let discs = &space.discs;
    let key = |i: usize| (StableId(discs.id[i]), discs.entity[i]);
    let entities: EntityHashSet = listeners.iter().map(|&(_, entity)| entity).collect();
    let listens = |key: (StableId, Entity)| entities.contains(&key.1);
    let mut contacts = Vec::new();
    // `normal` points from the first to the second, and each listener is the one that its normal points to.
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
                // The ends of walls belong to the walls.
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
