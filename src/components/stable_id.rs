//! The identity of discs and terrain, independent of entity numbers.

use bevy::{
    ecs::{
        entity::{ComponentCloneCtx, SourceComponent},
        lifecycle::HookContext,
        world::DeferredWorld,
    },
    prelude::*,
};
use serde::{Deserialize, Serialize};

use super::description::{Described, Description};
use crate::notice::mark;

/// The identity of a disc or a piece of terrain within its world, which also decides the order of resolution.
///
/// Entity numbers depend on what else an app has spawned and despawned. This number does not, which makes two runs of a
/// scene bit-identical. Leave it out to get the next free number, or give it to restore a saved state. Of two discs
/// with the same number, the one with the lower entity comes first.
///
/// The component is immutable: insert another to change it. So the counter knows all numbers and never assigns one
/// twice. A clone of an entity gets a new number. The number is assigned when the commands of the spawn are applied; an
/// observer of the spawn still sees [`StableId::NEXT`].
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[type_path = "carom::components"]
#[reflect(Component, Default, Debug, PartialEq, Hash)]
#[component(immutable, on_insert = give_stable_id, clone_behavior = Custom(ask_for_the_next))]
pub struct StableId(pub u64);

impl Described for StableId {
    const DESCRIPTION: Description = Description::new(mark("number"));
}

impl StableId {
    /// The placeholder for "the next free number". A disc keeps it if no number is left, after `u64::MAX - 1`.
    pub const NEXT: Self = Self(u64::MAX);
}

impl Default for StableId {
    fn default() -> Self {
        Self::NEXT
    }
}

/// The next [`StableId`] to give; `u64::MAX` if none is left. Loading a scene resets it to zero, so that a restart
/// repeats every number.
#[derive(Resource, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[type_path = "carom::components"]
#[reflect(Resource, Default)]
pub struct NextStableId(pub u64);

fn give_stable_id(mut world: DeferredWorld, context: HookContext) {
    let Some(&given) = world.get::<StableId>(context.entity) else { return };
    let Some(mut next) = world.get_resource_mut::<NextStableId>() else { return };
    if given != StableId::NEXT {
        next.0 = next.0.max(given.0.saturating_add(1));
        return;
    }
    let id = StableId(next.0);
    next.0 = next.0.saturating_add(1);
    if id == StableId::NEXT {
        tracing::error!("{}: no StableId is left because u64::MAX - 1 is in use; use lower numbers", context.entity);
        return;
    }
    world.commands().entity(context.entity).try_insert(id);
}

/// A clone of an entity asks for the next number instead of copying this one.
fn ask_for_the_next(_: &SourceComponent, context: &mut ComponentCloneCtx) {
    context.write_target_component(StableId::NEXT);
}
