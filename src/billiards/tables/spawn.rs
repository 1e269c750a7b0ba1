//! A table and its balls as entities.

use bevy::prelude::*;

use super::{
    built::{Hole, build},
    check::TableError,
    racks::RackedBall,
    spec::{BallSpec, TableSpec},
};
use crate::{
    collision::spin::Shape,
    components::{AngularVelocity, Ball, Disc, Mass, Pocket, Position, Radius, Restitution},
};

/// Spawns a table without balls: cushions, jaws and liners as [`Terrain`](crate::components::Terrain), holes as
/// [`Pocket`]s. Its cloth and cushions act through the resource [`TablePhysics`](crate::collision::spin::TablePhysics),
/// which it replaces. Collisions between balls use [`CollisionSettings`](crate::collision::CollisionSettings); the file
/// of the table has their restitution in [`BallSpec::restitution`].
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
/// Each pocket has a [`Name`] such as `top left corner`. They are returned in the order of
/// [`BuiltTable::holes`](super::BuiltTable::holes).
///
/// # Errors
/// A number of the table is invalid; nothing is spawned then.
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
    /// Spawns the ball, as [`spawn_ball`] does.
    pub fn spawn<'a>(&self, commands: &'a mut Commands, ball: &BallSpec) -> EntityCommands<'a> {
        spawn_ball(commands, ball, self.place.as_vec2())
    }

    /// The components of a ball that is not a flat disc: at rest at its position, with the size and mass of the balls
    /// of the table.
    #[must_use]
    pub fn bundle(&self, ball: &BallSpec) -> impl Bundle + use<> {
        (Ball, Position(self.place.as_vec2()), Radius(ball.radius as f32), Mass(ball.mass as f32))
    }
}

/// Spawns a ball of a table, or a flat disc, by [`BallSpec::shape`], at rest with its centre at this position, metres.
pub fn spawn_ball<'a>(commands: &'a mut Commands, ball: &BallSpec, place: Vec2) -> EntityCommands<'a> {
    let mut entity = commands.spawn((
        Disc,
        AngularVelocity::default(),
        Position(place),
        Radius(ball.radius as f32),
        Mass(ball.mass as f32),
    ));
    if ball.shape == Shape::Ball {
        entity.insert(Ball);
    }
    entity
}

#[cfg(all(test, feature = "scene"))]
mod tests {
    use super::*;
    use crate::billiards::tables::ShippedTable;

    #[test]
    fn stones_are_flat_and_balls_are_balls() {
        let mut world = World::new();
        for (table, is_ball) in [("pool-9ft", true), ("curling", false)] {
            let spec = ShippedTable::named(table).unwrap().spec().unwrap();
            let id = spawn_ball(&mut world.commands(), &spec.ball, Vec2::X).id();
            world.flush();
            let entity = world.entity(id);
            assert_eq!(entity.contains::<Ball>(), is_ball, "{table}");
            assert!(entity.contains::<AngularVelocity>() && entity.contains::<Disc>());
            assert_eq!(
                (entity.get::<Position>(), entity.get::<Mass>()),
                (Some(&Position(Vec2::X)), Some(&Mass(spec.ball.mass as f32)))
            );
        }
    }
}
