//! Which component acts on which kind of entity, compared with `docs/src/bodies.md`. Each kind with each component is
//! hit by discs from all sides, and compared with a run without the component.

use bevy::prelude::*;
use carom::{
    collision::{CombineRule, InvalidEntities, SolverMode},
    prelude::*,
};

use crate::support;

/// Makes an entity of a kind.
const KINDS: [(&str, fn(&mut EntityWorldMut)); 5] = [
    ("disc", |it| _ = it.insert((Disc, Radius(0.5), Mass(1.0), Velocity::default(), AngularVelocity::default()))),
    ("kinematic disc", |it| {
        let motion = (Velocity(vec2(0.2, 0.1)), AngularVelocity::default());
        it.insert((Disc, Kinematic, Radius(0.5), Mass(1.0), motion));
    }),
    ("terrain", |it| _ = it.insert(BAR)),
    ("moving terrain", |it| _ = it.insert((BAR, Velocity(vec2(0.2, 0.1))))),
    ("block", |it| _ = it.insert((BAR, Mass(1.0), AngularVelocity(Vec3::Z * 0.5)))),
];
const BAR: Terrain = Terrain::Block { half_size: vec2(0.6, 0.3) };

/// Adds a component to an entity, given another entity that always exists.
type Give = fn(&mut EntityWorldMut, Entity);

const COMPONENTS: [(&str, Give); 24] = [
    ("Restitution", |it, _| _ = it.insert(Restitution(0.3))),
    ("RestitutionRule", |it, _| _ = it.insert(RestitutionRule(CombineRule::Largest))),
    ("BumperKick", |it, _| _ = it.insert(BumperKick(2.0))),
    ("Friction", |it, _| _ = it.insert(Friction(0.8))),
    ("SurfaceVelocity", |it, _| _ = it.insert(SurfaceVelocity(vec2(3.0, 1.0)))),
    ("CollisionLayers", |it, _| _ = it.insert(CollisionLayers::NONE)),
    ("IgnoredPairs", |it, other| _ = it.insert(IgnoredPairs(vec![other]))),
    ("Sensor", |it, _| _ = it.insert(Sensor)),
    ("OneWay", |it, _| _ = it.insert(OneWay::Left)),
    ("Inactive", |it, _| _ = it.insert(Inactive)),
    ("GravityScale", |it, _| _ = it.insert(GravityScale(-0.5))),
    ("LinearDamping", |it, _| _ = it.insert(LinearDamping(2.0))),
    ("ClothFriction", |it, _| _ = it.insert(ClothFriction(3.0))),
    ("SpeedLimit", |it, _| _ = it.insert(SpeedLimit(0.05))),
    ("ConstantForce", |it, _| _ = it.insert(ConstantForce(vec2(3.0, 1.0)))),
    ("ConstantTorque", |it, _| _ = it.insert(ConstantTorque(2.0))),
    ("MoveTo", |it, _| _ = it.insert(MoveTo(vec2(0.1, 0.05)))),
    ("TurnTo", |it, _| _ = it.insert(TurnTo(0.4))),
    ("Oscillation", |it, _| {
        it.insert(Oscillation { amplitude: vec2(0.1, 0.1), frequency: 1.0, phase: 0.75, ..default() });
    }),
    ("Orbit", |it, _| {
        it.insert(Orbit { radius: 0.1, frequency: 1.0, phase: 0.25, ..default() });
    }),
    ("Mass", |it, _| _ = it.insert(Mass(5.0))),
    ("MomentOfInertia", |it, _| _ = it.insert(MomentOfInertia(3.0))),
    ("LockedAxes", |it, _| _ = it.insert(LockedAxes::ROTATION)),
    ("Joint", |it, other| {
        let end = it.id();
        it.world_scope(|world| _ = world.spawn(Joint::spring(end, other, 0.5, 20.0)));
    }),
];

/// All positions after half a second, and the rotation and spin of the entity; `None` if it is left out of the
/// simulation.
fn outcome(mode: (SolverMode, u32), make: fn(&mut EntityWorldMut), give: Option<Give>) -> Option<Vec<Vec2>> {
    let mut app = support::app_in(mode);
    app.world_mut().resource_mut::<MotionSettings>().gravity = vec2(0.0, -3.0);
    app.world_mut().spawn(Terrain::Arena { half_size: Vec2::splat(2.5) });
    let around: Vec<Entity> =
        [(vec2(-1.5, 0.1), vec2(4.0, 0.3)), (vec2(1.4, 0.0), vec2(-5.0, 1.0)), (vec2(0.2, 1.2), vec2(0.7, -3.0))]
            .map(|(at, velocity)| {
                let disc = (Disc, Position(at), Velocity(velocity), Radius(0.2), Mass(0.5), Restitution(0.9));
                app.world_mut().spawn(disc).id()
            })
            .into();
    let mut it = app.world_mut().spawn((Position::default(), Restitution(0.6), Friction(0.05)));
    make(&mut it);
    if let Some(give) = give {
        give(&mut it, around[0]);
    }
    let it = it.id();
    support::ticks(&mut app, 30);
    let mut found: Vec<Vec2> = around.iter().chain([&it]).map(|&disc| support::position(&app, disc)).collect();
    let world = app.world();
    let spin = world.get::<AngularVelocity>(it).map_or(0.0, |spin| spin.z);
    found.push(vec2(world.get::<Rotation>(it).map_or(0.0, |rotation| rotation.0), spin));
    (!world.resource::<InvalidEntities>().iter().any(|(entity, _)| entity == it)).then_some(found)
}

/// The row of a component on the page, kind by kind.
fn on_the_page(name: &str) -> Vec<bool> {
    let page = include_str!("../../docs/src/bodies.md");
    let row = page
        .lines()
        .find(|line| line.starts_with(&format!("| `{name}`")))
        .unwrap_or_else(|| panic!("{name} has no row"));
    row.split('|').skip(2).take(KINDS.len()).map(|cell| cell.trim() == "yes").collect()
}

/// Adds each component to an entity, and returns those for which the page is wrong.
fn wrong_on_the_page(column: usize, make: fn(&mut EntityWorldMut)) -> Vec<String> {
    let mut wrong = Vec::new();
    for (mode, word) in SolverMode::ALL {
        let mode = (mode, 4);
        let without = outcome(mode, make, None).expect("it is simulated");
        for (name, give) in COMPONENTS {
            let with = outcome(mode, make, Some(give));
            // Moving terrain uses other formulas than static terrain, so the difference must exceed rounding.
            let differs = |with: Vec<Vec2>| without.iter().zip(&with).any(|(a, b)| a.distance(*b) > 1e-3);
            if with.is_some_and(differs) != on_the_page(name)[column] {
                wrong.push(format!("{name}, {word}"));
            }
        }
    }
    wrong
}

#[test]
fn each_component_acts_where_the_page_says_so_and_nowhere_else() {
    let wrong = KINDS.iter().enumerate().map(|(column, (kind, make))| (*kind, wrong_on_the_page(column, *make)));
    let wrong: Vec<_> = wrong.filter(|(_, wrong)| !wrong.is_empty()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn an_arc_takes_all_that_terrain_does_but_a_mass() {
    let arc = |it: &mut EntityWorldMut| _ = it.insert(Terrain::Arc { radius: 0.6, start: 0.3, extent: 5.5 });
    assert_eq!(wrong_on_the_page(2, arc), ["Mass, stepped", "Mass, continuous"]);
}
