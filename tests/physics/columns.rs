//! Gather and scatter with any tables of the ECS: rejected discs, discs with other components, gaps left by despawning.
//! Each tick must give the bits that the plain functions give for the same discs, and leave rejected discs unchanged.

use std::collections::BTreeMap;

use bevy::prelude::*;
use carom::{
    collision::{CollisionSettings, DiscState, Discs, Threads, check_disc, run_tick},
    prelude::*,
};
use proptest::prelude::*;

use crate::support;

/// Components of a game, each of which moves a disc into another table.
#[derive(Component)]
struct Red;
#[derive(Component)]
struct Blue;

/// A change of a disc by a game between two ticks.
#[derive(Clone, Copy, Debug)]
enum Act {
    Spoil,
    Mend,
    Paint,
    Wash,
    Own,
    Renumber(u64),
    Despawn,
    Spawn,
}

fn acts() -> impl Strategy<Value = Vec<(usize, Act)>> {
    let act = prop_oneof![
        4 => Just(Act::Spoil),
        4 => Just(Act::Mend),
        3 => Just(Act::Paint),
        2 => Just(Act::Wash),
        1 => Just(Act::Own),
        1 => (0..3000_u64).prop_map(Act::Renumber),
        2 => Just(Act::Despawn),
        2 => Just(Act::Spawn),
    ];
    prop::collection::vec((any::<usize>(), act), 0..6)
}

fn do_it(world: &mut World, discs: &mut Vec<Entity>, which: usize, act: Act) {
    let spawned = (Disc, Position(Vec2::new(0.3, 0.2)), Velocity(Vec2::Y));
    if discs.is_empty() || matches!(act, Act::Spawn) {
        discs.push(world.spawn(spawned).id());
        return;
    }
    let place = which % discs.len();
    let mut disc = world.entity_mut(discs[place]);
    match act {
        Act::Spoil if which.is_multiple_of(2) => _ = disc.insert(Mass(0.0)),
        Act::Spoil => _ = disc.insert(Velocity(Vec2::new(1.0, f32::NAN))),
        Act::Mend => _ = disc.insert((Mass(1.0), Velocity(Vec2::X))),
        Act::Paint if which.is_multiple_of(2) => _ = disc.insert(Red),
        Act::Paint => _ = disc.insert(Blue),
        Act::Wash => _ = disc.remove::<(Red, Blue)>(),
        Act::Own => _ = disc.insert(Restitution(0.5)),
        Act::Renumber(id) => _ = disc.insert(StableId(id)),
        Act::Despawn => {
            world.despawn(discs.swap_remove(place));
        }
        Act::Spawn => {}
    }
}

/// The bits of a disc that a tick may change.
type Bits = [u32; 4];

fn bits(disc: &DiscState) -> Bits {
    [disc.position.x, disc.position.y, disc.velocity.x, disc.velocity.y].map(f32::to_bits)
}

fn each(discs: &Discs) -> impl Iterator<Item = DiscState> {
    (0..discs.len()).map(|i| discs.get(i))
}

fn state(world: &mut World) -> BTreeMap<Entity, Bits> {
    each(&Discs::of(world)).map(|disc| (disc.entity, bits(&disc))).collect()
}

/// The expected result of a tick: valid discs are simulated, the others stay unchanged.
fn expected(world: &mut World, half_size: Vec2) -> BTreeMap<Entity, Bits> {
    let mut after = state(world);
    let mut space = support::space([], &[(Terrain::Arena { half_size }, Vec2::ZERO, 0.0)]);
    space.discs = each(&Discs::of(world)).filter(|disc| check_disc(disc).is_ok()).collect();
    let settings = world.resource::<CollisionSettings>();
    let time_step = world.resource::<Time<Fixed>>().timestep().as_secs_f32();
    run_tick(&mut space, settings, time_step, |_| {});
    after.extend(each(&space.discs).map(|disc| (disc.entity, bits(&disc))));
    after
}

#[derive(Resource, Default)]
struct Moved(Vec<Entity>);

fn watch(moved: Query<Entity, (With<Disc>, Or<(Changed<Position>, Changed<Velocity>)>)>, mut seen: ResMut<Moved>) {
    seen.0 = moved.iter().collect();
}

fn random_discs(count: usize, tasks: usize) -> (App, Vec<Entity>, Vec2) {
    let mut app = support::app();
    app.init_resource::<Moved>();
    app.add_systems(FixedPostUpdate, watch.after(SimulationSystems));
    app.world_mut().resource_mut::<PhysicsSpace>().compute.threads = Threads::Tasks(tasks);
    let (discs, half_size) = support::random_discs(count, 11);
    support::fill(&mut app, &discs, half_size);
    let discs = app.world_mut().query_filtered::<Entity, With<Disc>>().iter(app.world()).collect();
    (app, discs, half_size)
}

fn tick_and_compare(app: &mut App, half_size: Vec2) {
    let expected = expected(app.world_mut(), half_size);
    app.update();
    assert_eq!(state(app.world_mut()), expected);
}

/// A tick without other changes before it, so that everything marked as changed was changed by the tick.
fn tick_alone_and_compare(app: &mut App, half_size: Vec2) {
    let before = state(app.world_mut());
    tick_and_compare(app, half_size);
    let after = state(app.world_mut());
    let mut moved = std::mem::take(&mut app.world_mut().resource_mut::<Moved>().0);
    moved.sort_unstable();
    let changed = after.iter().filter(|&(disc, bits)| before[disc] != *bits).map(|(disc, _)| *disc);
    assert_eq!(moved, changed.collect::<Vec<_>>(), "marked as changed");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases / 8))]

    #[test]
    fn whatever_lies_in_the_tables(
        count in prop_oneof![1..80_usize, 1000..1300_usize],
        tasks in 1..5_usize,
        ticks in prop::collection::vec(acts(), 1..12),
    ) {
        let (mut app, mut discs, half_size) = random_discs(count, tasks);
        for acts in ticks {
            for (which, act) in acts {
                do_it(app.world_mut(), &mut discs, which, act);
            }
            tick_and_compare(&mut app, half_size);
            // The second tick uses what the first one has learned.
            tick_alone_and_compare(&mut app, half_size);
        }
    }
}

#[test]
fn the_first_the_last_every_second_and_all() {
    let (mut app, discs, half_size) = random_discs(1100, 2);
    let choices: [fn(usize) -> bool; 5] = [|i| i == 0, |i| i == 1099, |i| i % 2 == 1, |i| i % 512 < 2, |_| true];
    for choose in choices {
        let chosen = |(i, disc): (usize, &Entity)| choose(i).then_some(*disc);
        for disc in discs.iter().enumerate().filter_map(chosen) {
            app.world_mut().entity_mut(disc).insert(Radius(f32::NAN));
        }
        tick_and_compare(&mut app, half_size);
        tick_alone_and_compare(&mut app, half_size);
        for disc in discs.iter().enumerate().filter_map(chosen) {
            app.world_mut().entity_mut(disc).insert(Radius(0.3));
        }
        tick_and_compare(&mut app, half_size);
    }
}

#[test]
fn a_system_between_the_steps_may_take_discs_out() {
    #[derive(Resource)]
    struct Gone(usize);
    fn take_out(mut space: ResMut<PhysicsSpace>, gone: Res<Gone>) {
        let kept: Discs = (0..space.discs.len() - gone.0).map(|i| space.discs.get(i)).collect();
        space.discs = kept;
    }
    let (mut app, discs, half_size) = random_discs(40, 1);
    app.insert_resource(Gone(0));
    app.add_systems(PhysicsSchedule, take_out.after(TickSystems::Gather).before(TickSystems::BroadPhase));
    tick_and_compare(&mut app, half_size);
    app.insert_resource(Gone(7));
    let before = state(app.world_mut());
    app.update();
    let after = state(app.world_mut());
    for (i, disc) in discs.iter().enumerate() {
        assert_eq!(before[disc] == after[disc], i >= 33, "disc {i}");
    }
    app.insert_resource(Gone(0));
    tick_and_compare(&mut app, half_size);
}
