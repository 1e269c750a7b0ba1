//! A table and its balls as entities.

use bevy::prelude::*;

use super::{
    built::{Hole, build},
    check::TableError,
    racks::RackedBall,
    spec::{BallSpec, TableSpec},
};
use crate::{
    disc::{Ball, Mass, Position, Radius, Restitution},
    terrain::Pocket,
};

/// Spawns a table, without balls: cushions, jaws and liners as [`Terrain`](crate::terrain::Terrain), holes as [`Pocket`]s. Its cloth and cushions act through
/// the resource [`TablePhysics`](crate::collision::spin::TablePhysics), which takes the place of one that was there. How balls bounce off each
/// other is up to [`CollisionSettings`](crate::collision::CollisionSettings); their restitution by the table's file is [`BallSpec::restitution`].
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::prelude::*;
/// # #[cfg(feature = "scene")]
/// # {
/// use carom::billiards::tables::{Rack, ShippedTable, spawn_table};
///
/// fn set_up(mut commands: Commands) -> Result {
///     let table = ShippedTable::named("pool-9ft")?.spec()?;
///     spawn_table(&mut commands, &table)?;
///     for ball in Rack::NineBall.balls(&table, 2e-5).into_iter().flatten() {
///         commands.spawn((ball.bundle(&table.ball), ball.name));
///     }
///     Ok(())
/// }
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, PhysicsPlugins::default())).add_systems(Startup, set_up);
/// # app.update();
/// # assert_eq!(app.world_mut().query::<&Ball>().iter(app.world()).count(), 10);
/// # assert_eq!(app.world_mut().query::<&Pocket>().iter(app.world()).count(), 6);
/// # }
/// ```
///
/// Each pocket has a [`Name`] such as `top left corner`. They are returned in the order of [`BuiltTable::holes`](super::BuiltTable::holes).
///
/// # Errors
/// A number of the table makes no sense; nothing is spawned then.
pub fn spawn_table(commands: &mut Commands, spec: &TableSpec) -> Result<Vec<Entity>, TableError> {
    let table = build(spec)?;
    for piece in table.pieces {
        let mut entity = commands.spawn((piece.terrain, Position(piece.position)));
        if let Some(restitution) = piece.restitution {
            entity.insert(Restitution(restitution));
        }
    }
    commands.insert_resource(spec.physics());
    let pocket =
        |hole: &Hole| (Pocket { radius: hole.radius as f32 }, Position(hole.centre.as_vec2()), Name::new(hole.name));
    Ok(table.holes.iter().map(|hole| commands.spawn(pocket(hole)).id()).collect())
}

impl RackedBall {
    /// The components of the ball: it lies still, at its place, with the size and the mass of the table's balls.
    #[must_use]
    pub fn bundle(&self, ball: &BallSpec) -> impl Bundle + use<> {
        (Ball, Position(self.place.as_vec2()), Radius(ball.radius as f32), Mass(ball.mass as f32))
    }
}
