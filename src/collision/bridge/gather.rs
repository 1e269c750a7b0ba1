//! Gather: components → arrays. Reads the components of discs and terrain, writes only [`Space`] and [`InvalidEntities`].
//!
//! A disc or a piece of terrain with a value that cannot be simulated is left out until the value is mended, with one
//! warning that names the entity and the field; everything else goes on, whole columns at a time.

use bevy::{ecs::entity::EntityHashSet, prelude::*};
use tracing::warn;

use crate::{
    collision::{
        bridge::{
            columns::{Columns, IsDisc},
            validation::InvalidEntities,
        },
        settings::CollisionSettings,
        space::{DiscComponents, ForceStep, Space, Stage},
    },
    terrain::Terrain,
};

impl Space {
    /// Starts a tick of `time_step` seconds: takes over the settings and forgets what the last tick reported.
    pub fn begin_tick(&mut self, settings: &CollisionSettings, time_step: f32) {
        self.settings = settings.in_range();
        self.time_step = time_step;
        self.tick += 1;
        self.hits.clear();
        self.contacts.clear();
        self.path_vertices.clear();
        self.begin_forces(ForceStep::Substep);
        self.now = 0.0;
        self.continuous.follows_last_tick = false;
        self.stage_times = Default::default();
    }
}

pub(in crate::collision) fn begin_tick(
    mut space: ResMut<Space>,
    settings: Res<CollisionSettings>,
    time: Res<Time>,
    mut warned: Local<bool>,
) {
    match settings.check() {
        Ok(()) => *warned = false,
        Err(error) if !*warned => {
            warn!("collision settings: {error}; the nearest allowed value is used");
            *warned = true;
        }
        Err(_) => {}
    }
    space.begin_tick(&settings, time.delta_secs());
}

pub(in crate::collision) fn gather_discs(
    mut space: ResMut<Space>,
    mut invalid_entities: ResMut<InvalidEntities>,
    discs: Query<DiscComponents, IsDisc>,
    terrain: Query<(), With<Terrain>>,
) -> Result {
    let columns = discs.contiguous_iter()?.map(Columns::of);
    space.timed(Stage::Gather, |space| {
        let Space { discs, column_layout, simd, threads, .. } = space;
        let columns: Vec<Columns> = columns.collect();
        let mut found_invalid = EntityHashSet::default();
        column_layout.gather(&columns, discs, (*simd, *threads), |entity, invalid| {
            invalid_entities.reject(entity, invalid);
            found_invalid.insert(entity);
        });
        if !invalid_entities.0.is_empty() {
            invalid_entities.0.retain(|entity, _| found_invalid.contains(entity) || terrain.contains(*entity));
        }
    });
    Ok(())
}
