//! Removes from a running state everything that the solver ignores.
//!
//! The solver rejects discs, terrain, pockets and joints with invalid values, such as a disc that has flown beyond the
//! limit. It ignores invalid optional components. None of these take part in a tick, so a saved state continues in the
//! same way without them.

use std::collections::BTreeSet;

use super::values;
use crate::{
    components::InvalidValue,
    scene::{entries::JointEndEntry, format::SceneFile, optional::OptionalComponents},
};

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
        self.terrain.retain(|piece| is_sound("terrain", piece.id, values::check_terrain(piece)));
        let sound: Vec<bool> =
            self.pockets.iter().map(|pocket| is_sound("pocket", pocket.id, values::check_pocket(pocket))).collect();
        self.discs.retain(|disc| is_sound("disc", disc.id, values::check_disc(disc)));
        let mut numbers = 0..;
        self.joints.retain(|joint| is_sound("joint", numbers.next(), joint.kind.check()));
        let mut ignored = Vec::new();
        let mut ignore = |kind: &str, id: Option<u64>, optional: &mut OptionalComponents| {
            let id = id.unwrap_or_default();
            let left_out = |invalid| format!("a component of {kind} {id} is left out: {invalid}");
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
