//! Scatter: arrays → components. Writes [`Position`], [`Velocity`] and [`AngularVelocity`] of the discs that changed,
//! the same and [`Rotation`] for moving terrain, and nothing else.

use bevy::{ecs::change_detection::ContiguousMut, prelude::*};
use core::ops::DerefMut;

use super::{
    columns::{ColumnLayout, IsDisc, RowRange},
    gather_moving::Moves,
};
use crate::{
    collision::{
        simd::{Kernel, SimdWidth},
        space::PhysicsSpace,
        threads,
        tick::{Compute, Report, Stage},
    },
    components::{AngularVelocity, Orbit, Oscillation, Position, Rotation, StableId, Terrain, Velocity},
};

pub fn scatter(
    mut space: ResMut<PhysicsSpace>,
    mut column_layout: ResMut<ColumnLayout>,
    mut query: Query<(Entity, &mut Position, &mut Velocity), IsDisc>,
    mut spinning: Query<(Entity, &StableId, &mut AngularVelocity), IsDisc>,
) -> Result {
    space.query_index.take();
    space.timed(Stage::Scatter, |space| {
        let PhysicsSpace {
            discs,
            compute: Compute { simd, threads, .. },
            report: Report { fallen: all_fallen, .. },
            ..
        } = space;
        if !discs.spin.is_empty() {
            for (entity, id, mut angular_velocity) in &mut spinning {
                if let Some(spin) = discs.index_of(entity, *id).and_then(|i| discs.spin_of(i)) {
                    angular_velocity.set_if_neq(AngularVelocity(spin.angular_velocity));
                }
            }
        }
        let rows = column_layout.rows(discs);
        // Discs in the same place of their table as in `Gather` are written column by column, the others one by one. A
        // system between the steps may have despawned a disc, moved it to another table, or changed the rows beside it.
        let mut columns: Vec<_> = query.contiguous_iter_mut()?.collect();
        let in_place = |range: &&RowRange| {
            let entities = columns.get(range.table).and_then(|(entities, ..)| entities.get(range.rows.clone()));
            entities.is_some_and(|entities| *entities == rows.entity[range.places()])
        };
        let (row_ranges, moved): (Vec<&RowRange>, Vec<&RowRange>) = rows.row_ranges.iter().partition(in_place);
        let (positions, velocities) = columns.iter_mut().map(|(_, position, velocity)| (position, velocity)).unzip();
        let positions = Write { columns: positions, row_ranges: &row_ranges, values: rows.position };
        let velocities = Write { columns: velocities, row_ranges: &row_ranges, values: rows.velocity };
        let tasks: [Box<dyn FnOnce() + Send>; 2] =
            [Box::new(|| simd.run(positions)), Box::new(|| simd.run(velocities))];
        if threads.tasks(rows.entity.len(), 2) > 1 {
            threads::run(tasks.into());
        } else {
            for task in tasks {
                task();
            }
        }
        let unknown = if rows.row_ranges.is_empty() { 0..rows.entity.len() } else { 0..0 };
        for row in moved.into_iter().map(RowRange::places).chain([unknown]).flatten() {
            let Ok((_, mut position, mut velocity)) = query.get_mut(rows.entity[row]) else { continue };
            position.set_if_neq(Position(rows.position[row]));
            velocity.set_if_neq(Velocity(rows.velocity[row]));
        }
        for fallen in &*all_fallen {
            if let Ok((_, mut position, mut velocity)) = query.get_mut(discs.entity[fallen.disc as usize]) {
                (position.0, velocity.0) = (fallen.position, Vec2::ZERO);
            }
        }
        Ok(())
    })
}

/// Writes the positions and rotations of moving terrain. If a piece moved to a target and has velocity components, it
/// also writes the velocities of that motion. It also writes the phases of periodic motions of terrain and kinematic
/// discs.
pub fn scatter_moving(
    mut space: ResMut<PhysicsSpace>,
    mut pieces: Query<
        (&mut Position, &mut Rotation, Option<&mut Velocity>, Option<&mut AngularVelocity>),
        (With<Terrain>, Moves),
    >,
    mut periodic: Query<(Option<&mut Oscillation>, Option<&mut Orbit>), Or<(With<Oscillation>, With<Orbit>)>>,
) {
    if space.moving.is_empty() && space.discs.periodic.is_empty() {
        return;
    }
    space.timed(Stage::Scatter, |space| {
        for piece in space.moving.pieces.iter().filter(|piece| !piece.is_image) {
            let Ok((mut position, mut rotation, velocity, angular_velocity)) = pieces.get_mut(piece.key.1) else {
                continue;
            };
            position.set_if_neq(Position(piece.pose.position));
            rotation.set_if_neq(Rotation(piece.pose.rotation));
            let (moved, turned) = piece.velocities();
            if let Some(mut velocity) = velocity {
                velocity.set_if_neq(Velocity(moved));
            }
            if let Some(mut angular_velocity) = angular_velocity
                && (piece.drive.turn_to.is_some() || piece.body.is_some())
            {
                angular_velocity.set_if_neq(AngularVelocity(Vec3::Z * turned));
            }
        }
        let of_pieces = space.moving.pieces.iter().filter(|piece| !piece.is_image);
        let of_pieces = of_pieces.filter_map(|piece| Some((piece.key.1, piece.drive.periodic?.phase)));
        let of_discs = space.discs.periodic.iter().map(|led| (space.discs.entity[led.disc as usize], led.motion.phase));
        for (entity, phase) in of_pieces.chain(of_discs) {
            match periodic.get_mut(entity) {
                Ok((_, Some(mut orbit))) => _ = orbit.set_if_neq(Orbit { phase, ..*orbit }),
                Ok((Some(mut oscillation), None)) => _ = oscillation.set_if_neq(Oscillation { phase, ..*oscillation }),
                _ => {}
            }
        }
    });
}

/// Sets the components of columns, and marks those that changed.
struct Write<'a, 'w, T> {
    columns: Vec<&'a mut ContiguousMut<'w, T>>,
    row_ranges: &'a [&'a RowRange],
    values: &'a [Vec2],
}

impl<T: DerefMut<Target = Vec2>> Kernel for Write<'_, '_, T> {
    type Output = ();

    #[inline(always)]
    fn run<W: SimdWidth>(self, _: W) {
        // In blocks, by index and without branches, so that many values are compared and marked at once.
        const BLOCK: usize = 64;
        let Self { mut columns, row_ranges, values } = self;
        for range in row_ranges {
            let column = &mut *columns[range.table];
            let now = column.this_run_tick();
            for (block, values) in values[range.places()].chunks(BLOCK).enumerate() {
                let start = range.rows.start + block * BLOCK;
                let rows = start..start + values.len();
                let components = &mut column.bypass_change_detection()[rows.clone()];
                // A bit is set where a component changes.
                let mut changes = [0; BLOCK];
                let changes = &mut changes[..values.len()];
                for k in 0..values.len() {
                    let (old, new) = (*components[k], values[k]);
                    changes[k] = (old.x.to_bits() ^ new.x.to_bits()) | (old.y.to_bits() ^ new.y.to_bits());
                    *components[k] = new;
                }
                for (tick, change) in column.changed_ticks_slice_mut()[rows].iter_mut().zip(changes) {
                    *tick = if *change == 0 { *tick } else { now };
                }
            }
        }
    }
}
