//! Which component acts on what: the table by which the panel offers components and the log names those that do nothing
//! where they stand. `docs/src/bodies.md` is the same for people; a test holds the two together, and
//! `tests/physics/effects.rs` holds the page to what the physics does.

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
    AngularVelocity, Disc, Kinematic, Mass, MoveTo, Orbit, Oscillation, SurfaceVelocity, Terrain, TurnTo, Velocity,
    description::{ANY, ComponentVisitor, Described, Description, EntityKind, ForNow},
    visit_all,
};

impl EntityKind {
    /// What has these components is of this kind.
    pub(super) fn of(has: &dyn Fn(TypeId) -> bool) -> Option<Self> {
        let any = |components: &[fn() -> TypeId]| components.iter().any(|component| has(component()));
        if any(&[TypeId::of::<Terrain>]) {
            let drives = [TypeId::of::<MoveTo>, TypeId::of::<TurnTo>, TypeId::of::<Oscillation>, TypeId::of::<Orbit>];
            let is_led = any(&drives);
            return Some(if !is_led && any(&[TypeId::of::<Mass>]) {
                Self::Block
            } else if is_led || any(&[TypeId::of::<Velocity>, TypeId::of::<AngularVelocity>]) {
                Self::MovingTerrain
            } else {
                Self::Terrain
            });
        }
        let is_disc = any(&[TypeId::of::<Disc>]);
        is_disc.then(|| if any(&[TypeId::of::<Kinematic>]) { Self::KinematicDisc } else { Self::Disc })
    }
}

/// A component that does nothing on some kinds.
struct Effect {
    name: &'static str,
    component: TypeId,
    on: &'static [EntityKind],
    remedy: &'static str,
}

/// What is not here acts on all.
static EFFECTS: LazyLock<Vec<Effect>> = LazyLock::new(|| {
    struct Effects(Vec<Effect>);
    impl ComponentVisitor for Effects {
        fn visit<C: Described>(&mut self) {
            let Description { acts_on, remedy, .. } = C::DESCRIPTION;
            if acts_on != ANY {
                let name = C::type_ident().unwrap_or_default();
                self.0.push(Effect { name, component: TypeId::of::<C>(), on: acts_on, remedy });
            }
        }
    }
    let mut effects = Effects(Vec::new());
    visit_all(&mut effects);
    effects.0
});

/// The components of an entity that do nothing there.
fn idle(has: &dyn Fn(TypeId) -> bool) -> impl Iterator<Item = &'static Effect> {
    let kind = EntityKind::of(has);
    EFFECTS.iter().filter(move |effect| has(effect.component) && kind.is_some_and(|kind| !effect.on.contains(&kind)))
}

/// Whether a component does something on an entity, or would if it were added.
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

/// Whether it is what it is for the moment alone.
fn is_for_now(has: &dyn Fn(TypeId) -> bool) -> bool {
    has(TypeId::of::<ForNow>())
}

/// Writes a line about components that have no effect where they stand: one for each component and kind of entity, as
/// long as the app runs, that names an entity.
pub(crate) fn warn_of_idle_components(archetypes: &Archetypes, components: &Components, mut known: Local<Known>) {
    known.report(archetypes, components, |entity, line| tracing::warn!("{entity}: {line}"));
}

/// The same lines for a world as it is, each with the disc or the piece of terrain that it names by its id.
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

/// The sets of components that have been looked at.
#[derive(Default)]
pub(crate) struct Known {
    count: usize,
    /// What has been said.
    told: Vec<(&'static str, Option<EntityKind>)>,
    /// Those with something idle in which no entity was yet: one goes through some of them on its way to what it is in
    /// the end.
    empty: Vec<ArchetypeId>,
}

impl Known {
    fn report(&mut self, archetypes: &Archetypes, components: &Components, mut say: impl FnMut(Entity, String)) {
        let has = |archetype: &Archetype, id| components.get_id(id).is_some_and(|id| archetype.contains(id));
        if archetypes.len() != self.count {
            let new = archetypes.iter().skip(self.count);
            let new = new.filter(|archetype| {
                let has = |id| has(archetype, id);
                !is_for_now(&has) && idle(&has).next().is_some()
            });
            self.empty.extend(new.map(Archetype::id));
            self.count = archetypes.len();
        }
        self.empty.retain(|&id| {
            let Some(archetype) = archetypes.get(id) else { return false };
            let Some(first) = archetype.entities().first() else { return true };
            let has = |id| has(archetype, id);
            let kind = EntityKind::of(&has);
            for Effect { name, remedy, .. } in idle(&has) {
                // It comes with a surface that moves, and nobody has written it.
                let is_brought = *name == "Friction" && has(TypeId::of::<SurfaceVelocity>());
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
    use crate::components::{Disc, Friction, GravityScale, Kinematic, MoveTo, Velocity};

    /// What a component acts on, by the page: disc, kinematic disc, terrain that stands, that moves, block.
    fn on_the_page(name: &str) -> Option<Vec<bool>> {
        let page = include_str!("../../docs/src/bodies.md");
        let row = page.lines().find(|line| line.starts_with(&format!("| `{name}`")))?;
        Some(row.split('|').skip(2).take(5).map(|cell| cell.trim() == "yes").collect())
    }

    #[test]
    fn the_page_says_the_same() {
        const KINDS: [EntityKind; 5] = [
            EntityKind::Disc,
            EntityKind::KinematicDisc,
            EntityKind::Terrain,
            EntityKind::MovingTerrain,
            EntityKind::Block,
        ];
        for Effect { name, on, .. } in EFFECTS.iter() {
            // What makes a kind is no row, or is one of those that it does not make.
            if *name != "Mass" && *name != "Kinematic" {
                let page = on_the_page(name).unwrap_or_else(|| panic!("{name} has no row"));
                assert_eq!(page, KINDS.map(|kind| on.contains(&kind)), "{name}");
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
                assert!(
                    field.is_empty() || field == expected || (name, field) == ("CollisionLayers", "layers"),
                    "{name}"
                );
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
        // On its way to what it is in the end a disc that is led has a MoveTo alone.
        let mut led = world.spawn(Disc);
        led.insert(MoveTo::default());
        led.insert(Kinematic);
        assert!(lines(&mut known, &world).is_empty());
        let disc = world.spawn((Disc, MoveTo::default())).id();
        assert!(lines(&mut known, &world)[0].starts_with(&format!("{disc}: MoveTo has no effect")));
    }
}
