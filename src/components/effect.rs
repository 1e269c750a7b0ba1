//! Which component acts on which kind of entity. The panel uses this table to offer components, and the log names
//! components that have no effect. `docs/src/bodies.md` contains the same table for people. A test here compares the
//! two, and `tests/physics/effects.rs` compares the page with the physics.

use core::any::TypeId;
use std::sync::LazyLock;

use bevy::{
    ecs::{
        archetype::{Archetype, ArchetypeId, Archetypes},
        component::Components,
    },
    prelude::*,
};

#[cfg(feature = "panel")]
use super::OneWay;
#[cfg(feature = "cli")]
use super::StableId;
use super::{
    AngularVelocity, Disc, Friction, Kinematic, Mass, SurfaceVelocity, Terrain, Velocity,
    description::{ComponentVisitor, Described, Description, EntityKind, EntityKinds, HeldByHand},
    driven::is_driven,
    visit_all,
};

impl EntityKind {
    /// The kind of an entity with these components. `None` if it is neither a disc nor terrain.
    pub(crate) fn of(has: &dyn Fn(TypeId) -> bool) -> Option<Self> {
        if has(TypeId::of::<Terrain>()) {
            let is_driven = is_driven(has);
            return Some(if !is_driven && has(TypeId::of::<Mass>()) {
                Self::DynamicTerrain
            } else if is_driven || has(TypeId::of::<Velocity>()) || has(TypeId::of::<AngularVelocity>()) {
                Self::KinematicTerrain
            } else {
                Self::StaticTerrain
            });
        }
        let is_kinematic = || has(TypeId::of::<Kinematic>());
        has(TypeId::of::<Disc>()).then(|| if is_kinematic() { Self::KinematicDisc } else { Self::Disc })
    }
}

/// A component that has no effect on some kinds.
struct Effect {
    name: &'static str,
    component: TypeId,
    on: EntityKinds,
    remedy: &'static str,
}

/// The components that act on some kinds only. All others act on all kinds.
static EFFECTS: LazyLock<Vec<Effect>> = LazyLock::new(|| {
    struct Effects(Vec<Effect>);
    impl ComponentVisitor for Effects {
        fn visit<C: Described>(&mut self) {
            let Description { acts_on, remedy, .. } = C::DESCRIPTION;
            if acts_on != EntityKinds::ALL {
                let name = C::type_ident().unwrap_or_default();
                self.0.push(Effect { name, component: TypeId::of::<C>(), on: acts_on, remedy });
            }
        }
    }
    let mut effects = Effects(Vec::new());
    visit_all(&mut effects);
    effects.0
});

/// The components of an entity that have no effect there.
fn idle(has: &dyn Fn(TypeId) -> bool) -> impl Iterator<Item = &'static Effect> {
    let kind = EntityKind::of(has);
    EFFECTS.iter().filter(move |effect| has(effect.component) && kind.is_some_and(|kind| !effect.on.contains(kind)))
}

/// Whether a component has an effect on an entity, or would have one if added.
#[cfg(feature = "panel")]
pub(crate) fn acts<C: Component>(entity: EntityRef) -> bool {
    let component = TypeId::of::<C>();
    let fits = match entity.get() {
        Some(Terrain::Arc { .. }) => component != TypeId::of::<Mass>(),
        Some(Terrain::Circle { .. }) => component != TypeId::of::<OneWay>(),
        _ => true,
    };
    fits && !idle(&|id| id == component || entity.contains_type_id(id)).any(|effect| effect.component == component)
}

/// Whether the entity has its kind only while it is held.
fn is_held_by_hand(has: &dyn Fn(TypeId) -> bool) -> bool {
    has(TypeId::of::<HeldByHand>())
}

/// Logs components that have no effect on their entity: one line for each component and kind in the lifetime of the
/// app, naming one entity.
pub(crate) fn warn_of_idle_components(archetypes: &Archetypes, components: &Components, mut known: Local<Known>) {
    known.report(archetypes, components, |entity, line| tracing::warn!("{entity}: {line}"));
}

/// The same lines for the current state of a world. Each names its disc or piece of terrain by id.
#[cfg(feature = "cli")]
pub(crate) fn idle_components(world: &World) -> Vec<String> {
    let mut lines = Vec::new();
    Known::default().report(world.archetypes(), world.components(), |entity, line| {
        let what = if world.get::<Terrain>(entity).is_some() { "terrain" } else { "disc" };
        let id = world.get::<StableId>(entity).map_or(0, |id| id.0);
        lines.push(format!("{what} with id {id}: {line}"));
    });
    lines
}

/// The archetypes that have been checked.
#[derive(Default)]
pub(crate) struct Known {
    count: usize,
    /// The lines already reported.
    told: Vec<(&'static str, Option<EntityKind>)>,
    /// Archetypes with an idle component and no entity so far. An entity may pass through such an archetype while its
    /// components are inserted.
    empty: Vec<ArchetypeId>,
}

impl Known {
    fn report(&mut self, archetypes: &Archetypes, components: &Components, mut say: impl FnMut(Entity, String)) {
        let has = |archetype: &Archetype, id| components.get_id(id).is_some_and(|id| archetype.contains(id));
        if archetypes.len() != self.count {
            let new = archetypes.iter().skip(self.count);
            let new = new.filter(|archetype| {
                let has = |id| has(archetype, id);
                !is_held_by_hand(&has) && idle(&has).next().is_some()
            });
            self.empty.extend(new.map(Archetype::id));
            self.count = archetypes.len();
        }
        self.empty.retain(|&id| {
            let Some(archetype) = archetypes.get(id) else { return false };
            let Some(first) = archetype.entities().first() else { return true };
            let has = |id| has(archetype, id);
            let kind = EntityKind::of(&has);
            for Effect { name, component, remedy, .. } in idle(&has) {
                // A moving surface requires `Friction`, so the game has not added it.
                let is_brought = *component == TypeId::of::<Friction>() && has(TypeId::of::<SurfaceVelocity>());
                if !is_brought && !self.told.contains(&(*name, kind)) {
                    self.told.push((*name, kind));
                    say(first.id(), format!("{name} has no effect: {remedy}"));
                }
            }
            false
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::components::{GravityScale, MoveTo};

    /// The kinds that a component acts on according to the page: disc, kinematic disc, static, kinematic and dynamic
    /// terrain.
    fn on_the_page(name: &str) -> Option<Vec<bool>> {
        let page = include_str!("../../docs/src/bodies.md");
        let row = page.lines().find(|line| line.starts_with(&format!("| `{name}`")))?;
        Some(row.split('|').skip(2).take(5).map(|cell| cell.trim() == "yes").collect())
    }

    #[test]
    fn the_page_says_the_same() {
        for Effect { name, component, on, .. } in EFFECTS.iter() {
            // A component that decides the kind has no row, or does not belong to the kinds that it does not make.
            if ![TypeId::of::<Mass>(), TypeId::of::<Kinematic>()].contains(component) {
                let page = on_the_page(name).unwrap_or_else(|| panic!("{name} has no row"));
                assert_eq!(page, EntityKind::ALL.map(|kind| on.contains(kind)), "{name}");
            }
        }
    }

    #[test]
    fn fields_of_scene_files_are_named_as_the_page_says() {
        struct Fields;
        impl ComponentVisitor for Fields {
            fn visit<C: Described>(&mut self) {
                let name = C::type_ident().unwrap_or_default();
                let mut expected = String::new();
                for letter in name.chars() {
                    if letter.is_ascii_uppercase() && !expected.is_empty() {
                        expected.push('_');
                    }
                    expected.push(letter.to_ascii_lowercase());
                }
                let field = C::DESCRIPTION.field;
                let is_short = [("CollisionLayers", "layers"), ("BumperKick", "kick")].contains(&(name, field));
                assert!(field.is_empty() || field == expected || is_short, "{name}");
            }
        }
        visit_all(&mut Fields);
    }

    fn lines(known: &mut Known, world: &World) -> Vec<String> {
        let mut lines = Vec::new();
        known.report(world.archetypes(), world.components(), |entity, line| lines.push(format!("{entity}: {line}")));
        lines
    }

    #[test]
    fn one_line_names_the_entity_and_the_remedy() {
        let (mut world, mut known) = (World::new(), Known::default());
        let terrain = Terrain::Block { half_size: Vec2::ONE };
        world.spawn((terrain.clone(), SurfaceVelocity(Vec2::X)));
        world.spawn((Disc, Kinematic, MoveTo::default()));
        world.spawn((Disc, GravityScale(0.5), Friction(0.5)));
        assert!(lines(&mut known, &world).is_empty(), "all of that acts");
        let belt = world.spawn((terrain.clone(), SurfaceVelocity(Vec2::X), Mass(1.0))).id();
        let lines_now = lines(&mut known, &world);
        assert_eq!(lines_now.len(), 1, "{lines_now:?}");
        assert!(lines_now[0].starts_with(&format!("{belt}: SurfaceVelocity has no effect: ")), "{lines_now:?}");
        world.spawn((terrain.clone(), SurfaceVelocity(Vec2::Y), Mass(2.0)));
        let rubs = world.spawn((terrain, Friction(0.5), Mass(2.0))).id();
        let lines_now = lines(&mut known, &world);
        assert!(lines_now.len() == 1 && lines_now[0].starts_with(&format!("{rubs}: Friction")), "{lines_now:?}");
        world.entity_mut(rubs).insert(Velocity(Vec2::X));
        assert!(lines(&mut known, &world).is_empty(), "the same mistake is told once");
        // While its components are inserted, a kinematic disc may briefly have only a MoveTo.
        let mut led = world.spawn(Disc);
        led.insert(MoveTo::default());
        led.insert(Kinematic);
        assert!(lines(&mut known, &world).is_empty());
        let disc = world.spawn((Disc, MoveTo::default())).id();
        assert!(lines(&mut known, &world)[0].starts_with(&format!("{disc}: MoveTo has no effect")));
    }
}
