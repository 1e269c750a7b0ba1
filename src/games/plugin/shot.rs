//! A shot that rolls in the ticks.

use bevy::prelude::Entity;

use crate::{
    collision::PhysicsSpace,
    games::{
        matches::Match,
        rules::{Action, BallId, BallPlace, CushionId, Layout, PocketId, Report, Shot, ShotEvent},
        simulator::{EndOfShot, Tracked, record_tick},
    },
};

/// Maps the entities of a [`PhysicsSpace`] to parts of the match.
pub trait Seen {
    /// The ball of an entity, if it is one.
    fn ball(&self, entity: Entity) -> Option<BallId>;

    /// The cushion of a piece of terrain, if it is part of one.
    fn cushion(&self, entity: Entity) -> Option<CushionId>;

    /// The pocket of an entity, if it is one.
    fn pocket(&self, entity: Entity) -> Option<PocketId>;
}

/// A rolling shot.
#[derive(Debug)]
pub struct Rolling {
    /// The action.
    pub(super) action: Action,
    /// The match after it.
    pub(super) next: Match,
    /// The report of the shot.
    pub(super) report: Report,
    events: Vec<ShotEvent>,
    tracked: Tracked,
    end: EndOfShot,
    /// Whether the ticks and the match differ.
    departs: bool,
}

impl Rolling {
    pub(super) fn new(action: Action, next: Match, report: Report) -> Self {
        let end = next.simulator().end_of_shot();
        let tracked = report.shot.as_ref().map(|shot| Tracked::new(&shot.before)).unwrap_or_default();
        Self { action, next, report, events: Vec::new(), tracked, end, departs: false }
    }

    /// Whether the shot has ended in the ticks.
    pub(super) fn is_over(&self) -> bool {
        self.end.is_reached()
    }

    /// Whether the shot has ended differently in the ticks than in the match.
    pub(super) fn departs(&self) -> bool {
        self.departs
    }

    /// Records the events of a tick, until the shot is over.
    pub(super) fn follow_tick(&mut self, space: &PhysicsSpace, seen: &impl Seen) {
        if self.is_over() {
            return;
        }
        let ball_of = |disc: u32| seen.ball(space.discs.entity[disc as usize]);
        let others = (|piece| seen.cushion(piece), |pocket| seen.pocket(pocket));
        record_tick(space, &mut self.tracked, ball_of, others, &mut self.events);
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

    /// Where the ticks have moved the balls. A ball that was on the table and is not a disc any more has left it.
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
            match *event {
                ShotEvent::Potted(ball, pocket) => after[ball] = BallPlace::Pocket(pocket),
                ShotEvent::OffTable(ball) => after[ball] = BallPlace::Off,
                _ => {}
            }
        }
        after
    }
}
