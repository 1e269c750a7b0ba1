//! Gather: components → arrays. The ordered list of everything gathered is defined once, by `gathered!` at the end of
//! this file. The systems of the tick, the run condition of rare components, and
//! [`Snapshot`](super::snapshot::Snapshot) all follow from that list, so a tick and its prediction gather the same.
//!
//! To add a property of single discs, implement [`DiscProperty`] in its own file and add a line to the list.

use bevy::{
    ecs::{
        query::{QueryFilter, QueryItem, ReadOnlyQueryData},
        schedule::ScheduleConfigs,
        system::{ReadOnlySystemParam, ScheduleSystem, StaticSystemParam, SystemParamItem},
    },
    prelude::*,
};

use super::{contacts::CollidingEntities, rare::ForRare};
use crate::{
    collision::{
        discs::{DiscFilter, DiscForce, DiscHeight, Discs, OwnMotion, PeriodicDisc, lists::OfDisc},
        hit::answers::Materials,
        joints::Joints,
        moving::MovingTerrain,
        pockets::Pockets,
        sensors::Sensors,
        space::PhysicsSpace,
        terrain::StandingTerrain,
        tick::Stage,
        validation::{
            InvalidEntities,
            ignored::{Values, Warned},
        },
    },
    components::{Disc, InPlay, InvalidValue, StableId},
};

/// A part of [`PhysicsSpace`] that is built from components.
pub trait Gather: Sized + 'static {
    /// The components that it is built from.
    type Components: ReadOnlySystemParam + 'static;

    /// Replaces the part in a space that already has the parts above it in the list.
    fn gather(components: &SystemParamItem<Self::Components>, space: &mut PhysicsSpace, log: &mut ValueLog);

    /// The system that gathers it in a tick.
    fn system() -> ScheduleConfigs<ScheduleSystem> {
        gather::<Self>.into_configs()
    }
}

/// A part that most scenes lack; see `rare`.
pub trait GatherRare: Gather {
    /// The entities that it is built from.
    type Has: QueryFilter + 'static;

    /// Whether a space contains any of it.
    fn is_in(space: &PhysicsSpace) -> bool;
}

/// A property of a few discs: a list in [`Discs`] beside the arrays. Discs that are not in the arrays are left
/// out.
pub trait DiscProperty: OfDisc + Send + Sync + Sized + 'static {
    /// The components that define it.
    type Components: ReadOnlyQueryData + 'static;
    /// The discs that have any of them.
    type Has: QueryFilter + 'static;

    /// The list.
    fn list(discs: &Discs) -> &Vec<Self>;

    /// The list, to be filled.
    fn list_mut(discs: &mut Discs) -> &mut Vec<Self>;

    /// The entry of a disc; `None` if its components are absent or have no effect.
    fn of(disc: u32, components: QueryItem<Self::Components>, values: &mut Values) -> Option<Self>;
}

impl<T: DiscProperty> Gather for T {
    type Components = Query<'static, 'static, (Entity, &'static StableId, T::Components), (With<Disc>, T::Has)>;

    fn gather(components: &SystemParamItem<Self::Components>, space: &mut PhysicsSpace, log: &mut ValueLog) {
        let mut list = std::mem::take(T::list_mut(&mut space.discs));
        list.clear();
        for (entity, id, components) in components {
            let Some(disc) = space.discs.index_of(entity, *id) else { continue };
            let mut values = Values::default();
            list.extend(T::of(disc as u32, components, &mut values));
            log.note(entity, values.ignored);
        }
        list.sort_unstable_by_key(T::disc);
        *T::list_mut(&mut space.discs) = list;
    }
}

impl<T: DiscProperty> GatherRare for T {
    type Has = (InPlay, T::Has);

    fn is_in(space: &PhysicsSpace) -> bool {
        !T::list(&space.discs).is_empty()
    }
}

/// Where invalid values are reported while gathering.
pub enum ValueLog<'a> {
    /// In a tick: rejects entities and logs warnings.
    Tick { invalid_entities: ResMut<'a, InvalidEntities>, warned: &'a mut Warned },
    /// Nowhere: a snapshot leaves reporting to the tick.
    Silent,
}

impl ValueLog<'_> {
    /// Records whether an entity can be simulated, or why not.
    pub fn judge<T>(&mut self, entity: Entity, checked: &Result<T, InvalidValue>) {
        if let Self::Tick { invalid_entities, .. } = self {
            invalid_entities.judge(entity, checked);
        }
    }

    /// Records the ignored value of an entity, if any.
    pub fn note(&mut self, entity: Entity, ignored: Option<InvalidValue>) {
        if let Self::Tick { warned, .. } = self {
            warned.note(entity, ignored);
        }
    }
}

/// Gathers a part or a list of parts in a tick.
fn gather<G: Gather>(
    mut space: ResMut<PhysicsSpace>,
    invalid_entities: ResMut<InvalidEntities>,
    components: StaticSystemParam<G::Components>,
    mut warned: Local<Warned>,
) {
    let mut log = ValueLog::Tick { invalid_entities, warned: &mut warned };
    space.timed(Stage::Gather, |space| G::gather(&components, space, &mut log));
    warned.finish();
}

/// Defines a part that consists of several parts, gathered in this order.
macro_rules! in_order {
    ($(#[$doc:meta])* $list:ident { $($name:ident: $part:ty,)* } by $system:expr) => {
        $(#[$doc])*
        pub struct $list;

        impl Gather for $list {
            type Components = ($(<$part as Gather>::Components,)*);

            fn gather(components: &SystemParamItem<Self::Components>, space: &mut PhysicsSpace, log: &mut ValueLog) {
                let ($($name,)*) = components;
                $(<$part as Gather>::gather($name, space, log);)*
            }

            fn system() -> ScheduleConfigs<ScheduleSystem> {
                $system
            }
        }
    };
}

/// Defines what is gathered, in order: first what every tick gathers, then what is rare.
macro_rules! gathered {
    ({ $($name:ident: $part:ty,)* } rare { $($rare_name:ident: $rare:ty,)* }) => {
        in_order! {
            /// Everything that is gathered; predictions read the same components.
            Everything { $($name: $part,)* rare: Rare, } by
                ($(<$part as Gather>::system(),)* Rare::system()).chain()
        }

        in_order! {
            /// The parts that most scenes lack: one system, skipped if there are none.
            Rare { $($rare_name: $rare,)* } by gather::<Self>.in_set(ForRare)
        }

        /// The entities with rare components, or with components that report on them.
        pub type IsRare = Or<($(<$rare as GatherRare>::Has,)* With<CollidingEntities>)>;

        /// Whether a space still contains rare parts that the last tick gathered.
        pub fn holds_rare(space: &PhysicsSpace) -> bool {
            $(<$rare as GatherRare>::is_in(space))||*
        }
    };
}

impl Everything {
    /// Gathers what is rare once more, for discs that have been added since.
    pub fn gather_rare(
        (.., rare): &SystemParamItem<<Self as Gather>::Components>,
        space: &mut PhysicsSpace,
        log: &mut ValueLog,
    ) {
        Rare::gather(rare, space, log);
    }
}

gathered! {
    {
        terrain: StandingTerrain,
        pockets: Pockets,
        discs: Discs,
    }
    rare {
        moving: MovingTerrain,
        filter: DiscFilter,
        materials: Materials,
        constant_forces: DiscForce,
        own_motion: OwnMotion,
        heights: DiscHeight,
        periodic: PeriodicDisc,
        joints: Joints,
        sensors: Sensors,
    }
}
