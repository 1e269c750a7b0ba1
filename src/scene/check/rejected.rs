//! Removes from a running state everything that the solver ignores.
//!
//! The solver rejects discs, terrain, pockets and joints with invalid values, such as a disc that has flown beyond the
//! limit. It ignores invalid optional components. None of these take part in a tick, so a saved state continues in the
//! same way without them.

use std::collections::BTreeSet;

use super::values;
use crate::{
    components::{InvalidValue, LockedAxes, Mass, MomentOfInertia, check_field},
    scene::{
        entries::{JointEndEntry, TerrainEntry},
        format::SceneFile,
        optional::OptionalComponents,
    },
};

/// The line about a component without effect that is left out.
fn component_left_out(kind: &str, id: u64, invalid: &InvalidValue) -> String {
    format!("a component of {kind} {id} is left out: {invalid}")
}

/// Leaves out the invalid mass of a piece that the game drives, which has no effect, and the components that only a
/// piece with a mass has. Returns a line about it.
fn leave_out_ignored_mass(piece: &mut TerrainEntry) -> Option<String> {
    let mass = Mass(piece.mass.filter(|_| piece.is_driven())?);
    let invalid = check_field("mass", &mass).err()?;
    piece.mass = None;
    piece.optional.remove::<MomentOfInertia>();
    piece.optional.remove::<LockedAxes>();
    Some(component_left_out("terrain", piece.id.unwrap_or_default(), &invalid))
}

impl SceneFile {
    /// Leaves out everything that the solver rejects, and references to it. Returns a line for each, by its id.
    /// Everything must have an id.
    pub(in crate::scene) fn leave_out_rejected(&mut self) -> Vec<String> {
        let mut rejected = Vec::new();
        let mut is_sound = |kind: &str, id: Option<u64>, checked: Result<(), InvalidValue>| {
            let Err(problem) = checked else { return true };
            rejected.push(format!("{kind} {} is left out: {problem}", id.unwrap_or_default()));
            false
        };
        let mut ignored = Vec::new();
        for piece in &mut self.terrain {
            ignored.extend(leave_out_ignored_mass(piece));
        }
        self.terrain.retain(|piece| is_sound("terrain", piece.id, values::check_terrain(piece)));
        let sound: Vec<bool> =
            self.pockets.iter().map(|pocket| is_sound("pocket", pocket.id, values::check_pocket(pocket))).collect();
        self.discs.retain(|disc| is_sound("disc", disc.id, values::check_disc(disc)));
        let mut numbers = 0..;
        self.joints.retain(|joint| is_sound("joint", numbers.next(), joint.kind.check()));
        let mut ignore = |kind: &str, id: Option<u64>, optional: &mut OptionalComponents| {
            let id = id.unwrap_or_default();
            let left_out = |invalid| component_left_out(kind, id, &invalid);
            ignored.extend(optional.leave_out_invalid().into_iter().map(left_out));
        };
        self.terrain.iter_mut().for_each(|piece| ignore("terrain", piece.id, &mut piece.optional));
        self.discs.iter_mut().for_each(|disc| ignore("disc", disc.id, &mut disc.optional));
        if rejected.is_empty() {
            return ignored;
        }
        rejected.append(&mut ignored);
        let numbers = sound.iter().scan(0, |next, &is_sound| {
            let number = *next;
            *next += usize::from(is_sound);
            Some(is_sound.then_some(number))
        });
        let numbers: Vec<Option<usize>> = numbers.collect();
        // A disc in a pocket that is left out does not belong on the table either.
        self.discs.retain(|disc| disc.pocket.is_none_or(|pocket| numbers.get(pocket).is_some_and(Option::is_some)));
        for disc in &mut self.discs {
            disc.pocket = disc.pocket.and_then(|pocket| numbers[pocket]);
        }
        let mut kept = sound.into_iter();
        self.pockets.retain(|_| kept.next().unwrap_or_default());
        let discs: BTreeSet<u64> = self.discs.iter().filter_map(|disc| disc.id).collect();
        let terrain: BTreeSet<u64> = self.terrain.iter().filter_map(|piece| piece.id).collect();
        for disc in &mut self.discs {
            disc.ignores.retain(|id| discs.contains(id) || terrain.contains(id));
        }
        self.joints.retain(|joint| {
            joint.ends.iter().all(|end| match end {
                JointEndEntry::Disc(id) => discs.contains(id),
                JointEndEntry::Point(_) => true,
            })
        });
        rejected
    }
}

#[cfg(test)]
mod tests {
    use bevy::prelude::*;

    use crate::{
        PhysicsPlugins,
        collision::InvalidEntities,
        components::{ComponentVisitor, Described, Disc, EntityKind, Kinematic, Mass, Terrain, Velocity, visit_all},
        scene::text::dialect,
        timeline::advance,
    };

    /// Texts of which at least one is an invalid value of every component that can be invalid.
    const INVALID: [&str; 6] =
        ["NaN", "(NaN, NaN)", "(NaN, NaN, NaN)", "(frequency: NaN)", "Circle(radius: NaN)", "Toward((NaN, NaN))"];

    fn spawn(world: &mut World, kind: EntityKind) -> EntityWorldMut<'_> {
        let block = Terrain::Block { half_size: Vec2::ONE };
        match kind {
            EntityKind::Disc => world.spawn(Disc),
            EntityKind::KinematicDisc => world.spawn((Disc, Kinematic)),
            EntityKind::StaticTerrain => world.spawn(block),
            EntityKind::KinematicTerrain => world.spawn((block, Velocity::default())),
            EntityKind::DynamicTerrain => world.spawn((block, Mass(1.0))),
        }
    }

    /// The components with an invalid value, and the cases that were compared.
    #[derive(Default)]
    struct Compare {
        invalid: Vec<&'static str>,
        cases: usize,
    }

    impl ComponentVisitor for Compare {
        fn visit<C: Described>(&mut self) {
            let read = |text: &&str| dialect().from_str::<C>(text).ok();
            let Some(invalid) = INVALID.iter().filter_map(read).find(|component| component.check().is_err()) else {
                return;
            };
            let name = C::type_ident().unwrap_or_default();
            self.invalid.push(name);
            for kind in EntityKind::ALL {
                let mut app = App::new();
                app.add_plugins((MinimalPlugins, PhysicsPlugins::default()));
                let mut entity = spawn(app.world_mut(), kind);
                entity.insert(invalid.clone());
                // The component may have made it another kind.
                if EntityKind::of(&|id| entity.contains_type_id(id)) == Some(kind) {
                    let entity = entity.id();
                    advance(app.world_mut(), 1);
                    let is_rejected = app.world().resource::<InvalidEntities>().0.contains_key(&entity);
                    assert_eq!(is_rejected, C::DESCRIPTION.rejects.contains(kind), "{name} on {kind:?}");
                    self.cases += 1;
                }
            }
        }
    }

    #[test]
    fn the_solver_rejects_an_invalid_component_where_its_description_says_so() {
        let mut compare = Compare::default();
        visit_all(&mut compare);
        let Compare { invalid, cases } = compare;
        for name in ["Position", "Velocity", "AngularVelocity", "Mass", "MoveTo", "Orbit", "Terrain", "BumperKick"] {
            assert!(invalid.contains(&name), "{name}: {invalid:?}");
        }
        assert!(cases > 60, "{cases}");
    }
}
