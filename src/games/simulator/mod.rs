//! Complete shots without an ECS. A layout and a stroke go in, and the events come out, in order. It runs the functions
//! of the tick, with the same settings and tick rate as the table in the window, so the results are bit-identical. Bots
//! try thousands of shots with it.

use std::sync::Arc;

use bevy::{math::DVec2, prelude::*};

mod film;
mod over;
mod trace;

pub use film::Film;
pub use over::Tracked;
pub use trace::{Trace, simplified};

use crate::{
    billiards::{
        cue::{Cue, CueStrike, Miscue, strike_on},
        tables::Part,
    },
    collision::{
        CollisionSettings, DiscState, Hit, HitTarget, PhysicsSpace, SolverMode, begin_ticks,
        path::table_events::FAINTEST,
        run_next_tick,
        spin::{Body, Motion, Spin, TablePhysics},
    },
    components::{Position, Rotation},
    games::rules::{
        BallId, BallPlace, Call, CushionId, FASTEST_CUE, GameTable, Layout, PocketId, Shot, ShotError, ShotEvent,
    },
    scene::SceneFile,
    timeline::Playback,
};

/// The longest shot, seconds. Whatever still moves then is stopped.
const LONGEST: f32 = 120.0;

/// The cost of a tick and of a hit in [`Simulator::work`], where a ball in a tick costs 1.
const TICK: u64 = 4;
const HIT: u64 = 16;

/// A table for playing shots without an ECS. Reuse one simulator for many shots: it keeps its memory, and no shot
/// affects the next.
#[derive(Clone, Debug)]
pub struct Simulator {
    table: Arc<GameTable>,
    space: PhysicsSpace,
    settings: CollisionSettings,
    physics: TablePhysics,
    time_step: f32,
    /// The ball of each disc.
    balls: Vec<BallId>,
    /// The balls before the next tick.
    tracked: Tracked,
    /// The duration of the last shot, seconds.
    seconds: f32,
    /// The number of shots played.
    shots: u64,
    work: u64,
}

impl Simulator {
    /// A simulator with the ticks of the window, 1/120 s.
    #[must_use]
    pub fn new(table: Arc<GameTable>) -> Self {
        let playback = Playback { tick_rate: Some(SceneFile::TABLE_TICK_RATE), ..Playback::default() };
        let time_step = playback.time_step(&Time::default()).as_secs_f32();
        let mut space = PhysicsSpace::default();
        for (i, piece) in table.built.pieces.iter().enumerate() {
            let position = Position(piece.position);
            space.add_terrain(entity(i), &piece.terrain, position, Rotation::default(), piece.restitution);
        }
        space.finish_terrain();
        for (i, hole) in table.built.holes.iter().enumerate() {
            space.add_pocket(entity(i), hole.centre.as_vec2(), hole.radius as f32);
        }
        let settings = Self::settings(&table);
        let physics = table.physics().in_range();
        let (balls, tracked) = Default::default();
        Self { table, space, settings, physics, time_step, balls, tracked, seconds: 0.0, shots: 0, work: 0 }
    }

    /// The same with another length of ticks, seconds. Motion is exact for any length, but paths are straight within a
    /// tick. On a sliding curve, the point of impact may therefore be off by up to `a h² / 8`. That is 0.017 mm with
    /// the ticks of the window, and 0.25 mm with ticks four times as long.
    #[must_use]
    pub fn with_time_step(self, time_step: f32) -> Self {
        Self { time_step, ..self }
    }

    /// The collision settings of a table: impact by impact, with the restitution of its balls.
    #[must_use]
    pub fn settings(table: &GameTable) -> CollisionSettings {
        CollisionSettings {
            mode: SolverMode::Continuous,
            restitution: table.spec.ball.restitution as f32,
            ..CollisionSettings::default()
        }
    }

    /// The table.
    #[must_use]
    pub fn table(&self) -> &Arc<GameTable> {
        &self.table
    }

    /// The duration of the last shot until nothing could move any more, seconds.
    #[must_use]
    pub fn seconds(&self) -> f32 {
        self.seconds
    }

    /// The number of shots played.
    #[must_use]
    pub fn shots(&self) -> u64 {
        self.shots
    }

    /// Resets the count of shots.
    pub(super) fn forget_count(&mut self) {
        self.shots = 0;
    }

    /// The computed work of all shots so far, equal on every machine. Each tick counts [`TICK`], plus 1 for each ball
    /// on the table and [`HIT`] for each hit.
    pub(super) fn work(&self) -> u64 {
        self.work
    }

    /// A ball of the table, as the impact models see it.
    #[must_use]
    pub fn body(&self) -> Body {
        let ball = &self.table.spec.ball;
        Body { mass: f64::from(ball.mass as f32), radius: f64::from(ball.radius as f32), shape: ball.shape }
    }

    /// The motion that a stroke gives a ball at rest on this table.
    ///
    /// # Errors
    /// The tip would slip off.
    pub fn struck(&self, cue: &Cue, stroke: &CueStrike) -> Result<Motion, Miscue> {
        strike_on(&self.physics, cue, &self.body(), stroke)
    }

    /// Plays a shot to its end, without a call.
    ///
    /// # Errors
    /// The cue ball is not on the table, or the stroke is invalid.
    pub fn play(
        &mut self,
        layout: &Layout,
        cue_ball: BallId,
        strike: &CueStrike,
        cue: &Cue,
    ) -> Result<Shot, ShotError> {
        let mut shot = Shot::default();
        self.play_into(&mut shot, layout, cue_ball, strike, cue)?;
        Ok(shot)
    }

    /// The same, into an existing shot whose memory is reused. Its call is kept.
    ///
    /// # Errors
    /// The cue ball is not on the table, or the stroke is invalid. The shot then has no events.
    pub fn play_into(
        &mut self,
        shot: &mut Shot,
        layout: &Layout,
        cue_ball: BallId,
        strike: &CueStrike,
        cue: &Cue,
    ) -> Result<(), ShotError> {
        self.begin(shot, layout, cue_ball, strike, cue)?;
        self.run(shot, |_| ());
        Ok(())
    }

    /// Places the balls and strikes one.
    fn begin(
        &mut self,
        shot: &mut Shot,
        layout: &Layout,
        cue_ball: BallId,
        stroke: &CueStrike,
        cue: &Cue,
    ) -> Result<(), ShotError> {
        shot.events.clear();
        shot.before.0.clone_from(&layout.0);
        shot.after.0.clone_from(&layout.0);
        if !layout.is_on_table(cue_ball) {
            return Err(ShotError::NoCueBall);
        }
        self.lay_out_and_strike(layout.on_table(), cue_ball, stroke, cue)
    }

    /// Places these balls and strikes one of them.
    fn lay_out_and_strike(
        &mut self,
        balls: impl IntoIterator<Item = (BallId, Vec2)>,
        cue_ball: BallId,
        stroke: &CueStrike,
        cue: &Cue,
    ) -> Result<(), ShotError> {
        if !makes_sense(stroke) {
            return Err(ShotError::Strike);
        }
        let motion = self.struck(cue, stroke)?;
        self.lay_out(balls);
        let struck = self.balls.iter().position(|&ball| ball == cue_ball).unwrap_or_default();
        self.space.discs.velocity[struck] = motion.velocity.as_vec2();
        let spin = Spin { angular_velocity: motion.angular_velocity.as_vec3(), shape: self.table.spec.ball.shape };
        self.space.discs.set_spin(struck, Some(spin));
        self.space.discs.set_height(struck, motion.height_at(0.0));
        Ok(())
    }

    /// Plays a shot up to its first hit of one ball, on an otherwise empty table. Returns the initial velocity of that
    /// ball, m/s, including throw. Returns `None` if it is missed or a cushion comes first.
    pub fn first_hit(&mut self, [cue_ball, object_ball]: [Vec2; 2], stroke: &CueStrike, cue: &Cue) -> Option<Vec2> {
        self.lay_out_and_strike([(BallId(0), cue_ball), (BallId(1), object_ball)], BallId(0), stroke, cue).ok()?;
        begin_ticks(&mut self.space, &self.settings, self.time_step);
        for _ in 0..(LONGEST / self.time_step) as u32 {
            let Self { space, physics, .. } = self;
            run_next_tick(space, |space| space.laws.table = Some(physics.clone()));
            if let Some(hit) = space.report.hits.first() {
                return matches!(hit.target, HitTarget::Disc(_)).then(|| space.discs.velocity[1]);
            }
            if !can_move(space) || !space.report.fallen.is_empty() {
                return None;
            }
        }
        None
    }

    /// Places balls on the table, at rest.
    fn lay_out(&mut self, balls: impl IntoIterator<Item = (BallId, Vec2)>) {
        let ball = &self.table.spec.ball;
        let (radius, mass, shape) = (ball.radius as f32, ball.mass as f32, ball.shape);
        self.balls.clear();
        self.space.discs.clear();
        for (ball, position) in balls {
            self.balls.push(ball);
            self.space.discs.push(DiscState {
                id: u64::from(ball.0),
                position,
                radius,
                mass,
                spin: Some(Spin { shape, ..Spin::default() }),
                ..DiscState::default()
            });
        }
    }

    /// The detector for the end of the shot that starts now.
    pub(super) fn end_of_shot(&self) -> EndOfShot {
        EndOfShot { ticks: 0, most: (LONGEST / self.time_step) as u32, rested: false, is_over: false }
    }

    /// Runs until nothing can move any more, and calls `see` after each tick.
    fn run(&mut self, shot: &mut Shot, mut see: impl FnMut(&PhysicsSpace)) {
        begin_ticks(&mut self.space, &self.settings, self.time_step);
        let mut end = self.end_of_shot();
        self.tracked.begin(shot.before.on_table());
        while !end.is_reached() {
            let Self { space, physics, balls, table, tracked, .. } = self;
            run_next_tick(space, |space| space.laws.table = Some(physics.clone()));
            see(space);
            let parts = |entity: Entity| part(table, entity.index_u32() as usize);
            let pockets = |entity: Entity| Some(pocket(entity));
            let ball_of = |disc: u32| balls.get(disc as usize).copied();
            record_tick(space, tracked, ball_of, (parts, pockets), &mut shot.events);
            self.work += TICK + self.balls.len() as u64 + HIT * self.space.report.hits.len() as u64;
            end.follow_tick(&self.space, &shot.events);
        }
        self.seconds = end.ticks as f32 * self.time_step;
        self.shots += 1;
        for (i, &ball) in self.balls.iter().enumerate() {
            let position = self.space.discs.position[i];
            if position.is_finite() {
                shot.after[ball] = BallPlace::Table(position);
            }
        }
        for event in &shot.events {
            match *event {
                ShotEvent::Potted(ball, pocket) => shot.after[ball] = BallPlace::Pocket(pocket),
                ShotEvent::OffTable(ball) => shot.after[ball] = BallPlace::Off,
                _ => {}
            }
        }
    }
}

/// Detects the end of a shot: as soon as nothing can move any more, and at the latest after [`LONGEST`]. The simulator
/// and the ticks of an app ask it after each tick, so both end a shot at the same moment.
///
/// A ball that only spins about its vertical axis does not prolong a shot. It may spin for seconds, but it stays in
/// place and cannot affect anything.
#[derive(Clone, Copy, Debug)]
pub(super) struct EndOfShot {
    ticks: u32,
    most: u32,
    /// Whether nothing could move after the last tick.
    rested: bool,
    is_over: bool,
}

impl EndOfShot {
    /// Whether it is over.
    pub(super) fn is_reached(&self) -> bool {
        self.is_over || self.ticks >= self.most
    }

    /// Follows a tick. `events` are those of the shot so far.
    pub(super) fn follow_tick(&mut self, space: &PhysicsSpace, events: &[ShotEvent]) {
        self.ticks += 1;
        let rests = !can_move(space);
        // Waits for a second tick, in case balls were placed on top of each other or in a pocket.
        self.is_over = rests && (self.rested || !events.is_empty());
        self.rested = rests;
    }
}

/// Whether the numbers of a strike are valid.
fn makes_sense(strike: &CueStrike) -> bool {
    let CueStrike { speed, direction, side, top, elevation } = *strike;
    (0.0..=FASTEST_CUE).contains(&speed)
        && direction.is_finite()
        && direction != DVec2::ZERO
        && side.is_finite()
        && top.is_finite()
        && (0.0..=core::f64::consts::FRAC_PI_2).contains(&elevation)
}

/// The entity for a piece or a pocket of a table.
fn entity(index: usize) -> Entity {
    Entity::from_raw_u32(index as u32).unwrap_or(Entity::PLACEHOLDER)
}

/// The pocket of an [`entity`].
fn pocket(entity: Entity) -> PocketId {
    PocketId(entity.index_u32() as u8)
}

/// The cushion of a piece of a table. A liner has none.
fn part(table: &GameTable, piece: usize) -> Option<CushionId> {
    let piece = table.built.pieces.get(piece)?;
    (piece.part != Part::Liner).then_some(CushionId(piece.index as u8))
}

/// Whether a disc has a velocity or will get one, or a ball falls. A disc that only spins about its vertical axis stays
/// in place, and a kinematic disc may never stop.
fn can_move(space: &PhysicsSpace) -> bool {
    let discs = &space.discs;
    let turns = |i| discs.spin_of(i).is_some_and(|spin| spin.angular_velocity.truncate() != Vec2::ZERO);
    space.any_flies()
        || (0..discs.len()).any(|i| (discs.velocity[i] != Vec2::ZERO || turns(i)) && !discs.is_kinematic(i))
}

/// The hits of the last tick that belong to a shot: the faintest are rounding.
fn recorded_hits(space: &PhysicsSpace) -> impl Iterator<Item = &Hit> {
    space.report.hits.iter().filter(|hit| f64::from(hit.approach_speed) > FAINTEST)
}

/// Appends the events of the last tick to those of a shot, in order. Both the simulator and an app's match call it.
/// `tracked` has followed the shot up to this tick. `ball_of` maps a disc (an index into [`PhysicsSpace::discs`]) to
/// its ball. The other two map a piece of terrain to its cushion and an entity to its pocket. Anything mapped to `None`
/// is skipped, such as the liners of pockets.
pub fn record_tick(
    space: &PhysicsSpace,
    tracked: &mut Tracked,
    ball_of: impl Fn(u32) -> Option<BallId>,
    (cushion_of, pocket_of): (impl Fn(Entity) -> Option<CushionId>, impl Fn(Entity) -> Option<PocketId>),
    events: &mut Vec<ShotEvent>,
) {
    if space.report.hits.is_empty() && space.report.fallen.is_empty() && !space.balls_fly() {
        return;
    }
    // Everything but the hits, by time.
    let falls = space.report.fallen.iter().filter_map(|fallen| {
        let ball = ball_of(fallen.disc)?;
        let event = match fallen.pocket {
            Some(pocket) => ShotEvent::Potted(ball, pocket_of(pocket)?),
            None => ShotEvent::OffTable(ball),
        };
        Some((fallen.time, event))
    });
    let mut others: Vec<(f32, ShotEvent)> = falls.collect();
    let passes = tracked.follow_tick(space, &ball_of);
    if !passes.is_empty() {
        others.extend(passes.into_iter().map(|pass| (pass.time, ShotEvent::Over(pass.ball, pass.over))));
        others.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    }
    let mut others = others.into_iter().peekable();
    for hit in recorded_hits(space) {
        while let Some((_, event)) = others.next_if(|(time, _)| *time < hit.time) {
            events.push(event);
        }
        let Some(ball) = ball_of(hit.disc) else { continue };
        events.extend(match hit.target {
            HitTarget::Disc(other) => ball_of(other).map(|other| ShotEvent::Balls(ball, other)),
            HitTarget::Wall(piece) | HitTarget::FixedCircle(piece) => {
                cushion_of(piece).map(|cushion| ShotEvent::Cushion(ball, cushion))
            }
        });
    }
    for (_, event) in others {
        // A pass in the moment at which a tick ends is seen by both ticks.
        let is_known = matches!(event, ShotEvent::Over(..)) && events.last() == Some(&event);
        events.extend((!is_known).then_some(event));
    }
}

impl Shot {
    /// A shot that was not played, for example because the time was up. Nothing has moved.
    #[must_use]
    pub fn not_played(layout: &Layout) -> Self {
        Self { call: Call::default(), before: layout.clone(), events: Vec::new(), after: layout.clone() }
    }
}
