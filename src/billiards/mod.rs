//! Billiards: balls that spin on cloth, cushions with noses, pockets, the cue, and tables as data.
//!
//! The physics is in [`collision::spin`](crate::collision::spin); this module makes a plugin of it. [`BilliardsPlugin`]
//! reads the resource [`TablePhysics`] and adds it to the list of [`Forces`], so that it acts in the tick and in every
//! prediction. Without the resource, or without a disc that has an
//! [`AngularVelocity`](crate::components::AngularVelocity), it changes nothing and costs nothing.
//!
//! `docs/src/physics-validation.md` has the formulas, figures, limits, and comparisons with published numbers.
//!
//! | module | contents |
//! |---|---|
//! | [`cue`] | the motion that a stroke gives a ball |
//! | [`tables`] | tables as data, and the cushions, jaws, pockets, spots and racks built from them |
//!
//! ```
//! # use bevy::prelude::*;
//! # use carom::prelude::*;
//! # let mut app = App::new();
//! app.add_plugins((MinimalPlugins, PhysicsPlugins::default()));
//! app.insert_resource(TablePhysics::default());
//! app.world_mut().spawn((Ball, Radius(0.028575), Mass(0.170097), Velocity(vec2(2.0, 0.0))));
//! app.world_mut().spawn((Pocket { radius: 0.062 }, Position(vec2(1.3, 0.6))));
//! ```

pub mod cue;
pub mod tables;

use bevy::prelude::*;

use crate::{
    collision::{PhysicsSchedule, PhysicsSpace, TickSystems, spin::TablePhysics},
    motion::{ForceLaw, Forces},
};

/// Makes discs spin by the resource [`TablePhysics`], if it exists. It is part of
/// [`PhysicsPlugins`](crate::PhysicsPlugins); a game without spin can disable it there.
pub struct BilliardsPlugin;

impl Plugin for BilliardsPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<TablePhysics>()
            .init_resource::<Forces>()
            .add_systems(PreUpdate, list_table)
            .add_systems(PhysicsSchedule, list_table.before(TickSystems::Gather));
    }
}

/// Keeps the list of forces in sync with the resource.
fn list_table(table: Option<Res<TablePhysics>>, mut forces: ResMut<Forces>, mut warned: Local<bool>) {
    let problem = table.as_ref().and_then(|table| table.check().err());
    if let (Some(error), false) = (&problem, *warned) {
        tracing::warn!("table physics: {error}; the default is used instead");
    }
    *warned = problem.is_some();
    let wanted = table.map(|table| table.in_range());
    if forces.get::<TablePhysics>() == wanted.as_ref() {
        return;
    }
    match wanted {
        Some(table) => forces.set(table),
        None => {
            forces.remove::<TablePhysics>();
        }
    }
}

impl ForceLaw for TablePhysics {
    fn act(&self, space: &mut PhysicsSpace) {
        space.laws.table = Some(self.clone());
    }

    fn brakes(&self) -> bool {
        self.cloth.rolling > 0.0
    }

    fn keeps_rest(&self) -> bool {
        true
    }

    fn only_accelerates(&self) -> bool {
        true
    }
}
