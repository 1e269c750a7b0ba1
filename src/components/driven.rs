//! Terrain that the game drives: to the target of a [`MoveTo`] or a [`TurnTo`], or along an [`Oscillation`] or an
//! [`Orbit`]. It is kinematic, whatever its mass.

use core::any::TypeId;

use bevy::prelude::*;

use super::{MoveTo, Orbit, Oscillation, TurnTo};

/// Defines the filters and the function from one list of components.
macro_rules! drivers {
    ($($component:ident),*) => {
        /// The query filter for terrain that the game drives.
        pub(crate) type Driven = Or<($(With<$component>,)*)>;

        /// The query filter for terrain that the game does not drive.
        pub(crate) type NotDriven = ($(Without<$component>,)*);

        /// Which of the components that drive terrain an entity has.
        pub(crate) type HasDrivers = ($(Has<$component>,)*);

        /// Whether the game drives terrain with these components.
        pub(crate) fn is_driven(has: impl Fn(TypeId) -> bool) -> bool {
            [$(TypeId::of::<$component>()),*].into_iter().any(has)
        }
    };
}

drivers!(MoveTo, TurnTo, Oscillation, Orbit);
