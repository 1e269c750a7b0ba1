//! `StableId`: no number is given twice, by spawning, replacing or cloning.

use std::collections::HashSet;

use bevy::prelude::*;
use carom::{components::NextStableId, prelude::*};
use proptest::prelude::*;

use crate::support;

fn id(app: &App, entity: Entity) -> u64 {
    app.world().get::<StableId>(entity).expect("every disc and piece of terrain has one").0
}

fn spawn(app: &mut App) -> u64 {
    let disc = app.world_mut().spawn(Disc).id();
    id(app, disc)
}

#[test]
fn they_are_given_in_the_order_of_spawning_and_a_given_one_is_respected() {
    let mut app = support::app();
    assert_eq!([spawn(&mut app), spawn(&mut app)], [0, 1]);
    let given = app.world_mut().spawn((Disc, StableId(40))).id();
    assert_eq!(id(&app, given), 40);
    assert_eq!(spawn(&mut app), 41);
    let wall = app.world_mut().spawn(Terrain::Circle { radius: 1.0 }).id();
    assert_eq!(id(&app, wall), 42);
    let many: Vec<Entity> = app.world_mut().spawn_batch((0..3).map(|_| Disc)).collect();
    assert_eq!(many.into_iter().map(|disc| id(&app, disc)).collect::<Vec<_>>(), [43, 44, 45]);
}

#[test]
fn one_that_is_replaced_on_a_live_disc_is_known_to_the_counter() {
    let mut app = support::app();
    let disc = app.world_mut().spawn(Disc).id();
    app.world_mut().entity_mut(disc).insert(StableId(7));
    assert_eq!(id(&app, disc), 7);
    assert_eq!(spawn(&mut app), 8);
    // The next free number can be asked for again.
    app.world_mut().entity_mut(disc).insert(StableId::NEXT);
    assert_eq!(id(&app, disc), 9);
    assert_eq!(spawn(&mut app), 10);
}

#[test]
fn a_clone_is_another_disc() {
    let mut app = support::app();
    let disc = app.world_mut().spawn((Disc, Mass(3.0), Velocity(Vec2::X))).id();
    let twin = app.world_mut().entity_mut(disc).clone_and_spawn();
    assert_eq!([id(&app, disc), id(&app, twin), spawn(&mut app)], [0, 1, 2]);
    assert_eq!((support::velocity(&app, twin), app.world().get::<Mass>(twin)), (Vec2::X, Some(&Mass(3.0))));
    let wall = app.world_mut().spawn(Terrain::Circle { radius: 1.0 }).id();
    let other = app.world_mut().entity_mut(wall).clone_and_spawn();
    assert_eq!([id(&app, wall), id(&app, other)], [3, 4]);
}

#[test]
fn when_all_are_used_up_none_is_given_again() {
    for last in [u64::MAX - 1, u64::MAX - 2] {
        let mut app = support::app();
        let given = app.world_mut().spawn((Disc, StableId(last))).id();
        assert_eq!(id(&app, given), last);
        let mut seen = HashSet::from([last]);
        for _ in 0..4 {
            let next = spawn(&mut app);
            assert!(next == StableId::NEXT.0 || (next > last && seen.insert(next)), "{next} after {last}");
        }
        // They still collide: the later one in the order, by entity.
        let disc = support::disc(&mut app, Vec2::new(50.0, 0.0), Vec2::X);
        support::ticks(&mut app, 3);
        assert!(support::position(&app, disc).x > 50.0);
    }
}

#[derive(Clone, Debug)]
enum Act {
    Spawn,
    Give(u64),
    Replace(usize, u64),
    Renew(usize),
    Clone(usize),
    Despawn(usize),
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let number = prop_oneof![0..50_u64, Just(1 << 40)];
    let act = prop_oneof![
        4 => Just(Act::Spawn),
        1 => number.clone().prop_map(Act::Give),
        1 => (any::<usize>(), number).prop_map(|(which, id)| Act::Replace(which, id)),
        1 => any::<usize>().prop_map(Act::Renew),
        2 => any::<usize>().prop_map(Act::Clone),
        1 => any::<usize>().prop_map(Act::Despawn),
    ];
    prop::collection::vec(act, 1..40)
}

proptest! {
    #[test]
    fn no_number_is_given_that_was_ever_seen(acts in acts()) {
        let mut app = support::app();
        let (mut discs, mut seen) = (Vec::<Entity>::new(), HashSet::new());
        for act in acts {
            let world = app.world_mut();
            let pick = |which: usize| discs.get(which % discs.len().max(1)).copied();
            let mut put = |which: usize, id: StableId| pick(which).map(|disc| world.entity_mut(disc).insert(id).id());
            let (disc, by_hand) = match act {
                Act::Replace(which, id) => (put(which, StableId(id)), Some(id)),
                Act::Renew(which) => (put(which, StableId::NEXT), None),
                Act::Spawn => (Some(world.spawn(Disc).id()), None),
                Act::Give(id) => (Some(world.spawn((Disc, StableId(id))).id()), Some(id)),
                Act::Clone(which) => (pick(which).map(|disc| world.entity_mut(disc).clone_and_spawn()), None),
                Act::Despawn(which) => {
                    if !discs.is_empty() {
                        world.despawn(discs.swap_remove(which % discs.len()));
                    }
                    continue;
                }
            };
            let Some(disc) = disc else { continue };
            let now = id(&app, disc);
            match by_hand {
                Some(given) => prop_assert_eq!(now, given),
                None => prop_assert!(!seen.contains(&now), "{} again", now),
            }
            seen.insert(now);
            if !discs.contains(&disc) {
                discs.push(disc);
            }
            prop_assert!(app.world().resource::<NextStableId>().0 > *seen.iter().max().unwrap());
        }
    }
}
