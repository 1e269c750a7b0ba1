//! A shot that is rolled by the ticks.

use bevy::prelude::Entity;

use crate::{
    collision::PhysicsSpace,
    games::{
        matches::Match,
        rules::{Action, BallId, BallPlace, CushionId, Layout, PocketId, Report, Shot, ShotEvent},
        simulator::{EndOfShot, record_tick},
    },
};

/// What the entities of a [`PhysicsSpace`] are in a match.
pub trait Seen {
    /// The ball that an entity is, if it is one.
    fn ball(&self, entity: Entity) -> Option<BallId>;

    /// The cushion that a piece of terrain belongs to, if it is part of one.
    fn cushion(&self, entity: Entity) -> Option<CushionId>;

    /// The pocket that an entity is, if it is one.
    fn pocket(&self, entity: Entity) -> Option<PocketId>;
}

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
    /// Whether the ticks have come to something else than the match.
    departs: bool,
}

impl Rolling {
    pub(super) fn new(action: Action, next: Match, report: Report) -> Self {
        let end = next.simulator().end_of_shot();
        Self { action, next, report, events: Vec::new(), end, departs: false }
    }

    /// Whether the ticks have come to the end of the shot.
    pub(super) fn is_over(&self) -> bool {
        self.end.is_reached()
    }

    /// Whether the ticks have come to an end other than what the match has.
    pub(super) fn departs(&self) -> bool {
        self.departs
    }

    /// Records what has happened in a tick, until the shot is over.
    pub(super) fn follow_tick(&mut self, space: &PhysicsSpace, seen: &impl Seen) {
        if self.is_over() {
            return;
        }
        let ball_of = |disc: u32| seen.ball(space.discs.entity[disc as usize]);
        let others = (|piece| seen.cushion(piece), |pocket| seen.pocket(pocket));
        record_tick(space, ball_of, others, &mut self.events);
        self.end.follow_tick(space, &self.events);
        if self.is_over()
            && let Some(foreseen) = &self.report.shot
        {
            let after = self.layout_after(&foreseen.before, space, seen);
            let events = std::mem::take(&mut self.events);
            let shot = Shot { call: foreseen.call, before: foreseen.before.clone(), events, after };
            self.departs = shot != *foreseen;
        }
    }

    /// Where the ticks have brought the balls. A ball that was on the table, and is no longer a disc, has left it.
    fn layout_after(&self, before: &Layout, space: &PhysicsSpace, seen: &impl Seen) -> Layout {
        let mut after = before.clone();
        for (ball, _) in before.on_table() {
            after[ball] = BallPlace::Off;
        }
        for (&entity, &position) in space.discs.entity.iter().zip(&space.discs.position) {
            if let Some(ball) = seen.ball(entity) {
                after[ball] = BallPlace::Table(position);
            }
        }
        for event in &self.events {
            if let ShotEvent::Potted(ball, pocket) = *event {
                after[ball] = BallPlace::Pocket(pocket);
            }
        }
        after
    }
}
