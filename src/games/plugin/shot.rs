//! A shot that is rolled by the ticks.

use bevy::prelude::*;

use super::{CurrentMatch, Things, table};
use crate::{
    billiards::cue::{Strike, strike},
    collision::Space,
    components::{AngularVelocity, Velocity},
    games::{
        matches::Match,
        rules::{Action, BallId, PocketId, Report, Shot, ShotEvent, Task},
        simulator::{EndOfShot, record_tick},
    },
};

/// A shot on its way.
#[derive(Debug)]
pub struct Rolling {
    /// What was done.
    pub(super) action: Action,
    /// The match after it.
    pub(super) next: Match,
    /// What came of it.
    pub(super) report: Report,
    events: Vec<ShotEvent>,
    end: EndOfShot,
}

impl Rolling {
    /// Gives the cue ball what a stroke gives it; from the next tick on it rolls.
    pub(super) fn begin(
        world: &mut World,
        live: &CurrentMatch,
        (action, stroke): (Action, &Strike),
        (next, report): (Match, Report),
    ) -> Self {
        // It lies where the match has it, also where somebody has pushed it about.
        table::lay_out(world, &live.things, live.game.layout());
        let simulator = live.game.simulator();
        if let Some((_, Task::Shoot(task))) = live.game.turn()
            && let Some(&disc) = live.things.balls.get(task.cue_ball.index())
            && let Ok(motion) = strike(&live.game.spec().cue, &simulator.body(), stroke)
        {
            world
                .entity_mut(disc)
                .insert((Velocity(motion.velocity.as_vec2()), AngularVelocity(motion.angular_velocity.as_vec3())));
        }
        Self { action, next, report, events: Vec::new(), end: simulator.end_of_shot() }
    }

    /// Whether the ticks have come to the end of the shot.
    pub(super) fn is_over(&self) -> bool {
        self.end.is_reached()
    }

    /// Whether the ticks have come to what the match has.
    pub(super) fn is_as_foreseen(&self, world: &World, live: &CurrentMatch) -> bool {
        let Some(foreseen) = &self.report.shot else { return true };
        let after = table::seen_layout(world, &live.things, &foreseen.before);
        let seen = Shot { call: foreseen.call, before: foreseen.before.clone(), events: self.events.clone(), after };
        seen == *foreseen
    }

    /// Records what has happened in a tick.
    pub(super) fn record(&mut self, space: &Space, things: &Things) {
        let entities = &space.discs.entity;
        let ball_of = |disc: u32| {
            let entity = entities[disc as usize];
            things.balls.iter().position(|&ball| ball == entity).map(|index| BallId(index as u8))
        };
        let cushion_of = |entity: Entity| things.cushions.get(&entity).copied();
        let pocket_of = |entity: Entity| {
            things.pockets.iter().position(|&pocket| pocket == entity).map(|index| PocketId(index as u8))
        };
        record_tick(space, ball_of, (cushion_of, pocket_of), &mut self.events);
        self.end.follow_tick(space, &self.events);
    }
}
