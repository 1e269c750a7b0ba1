//! The course of a match, without a world. Commands, time, decisions of bots and ticks go in. [`Effect`]s come out, in
//! the order in which the caller has to carry them out.

use std::sync::Arc;

use bevy::math::{Vec2, Vec3};

use super::{
    BotPace, Look, LookBack, MatchCommand, MatchEvent, MatchSettings, Phase, Seat,
    phase::{Acting, Stance},
    shot::{Rolling, Seen},
};
use crate::{
    collision::PhysicsSpace,
    components::Height,
    games::{
        matches::{Answered, Match},
        rules::{Action, BallId, Layout, Player, Refusal, Report, Task},
    },
};

/// A request of a [`MatchRunner`] to its caller.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Put the balls at rest as in the layout.
    Lay {
        /// The positions of the balls.
        layout: Layout,
        /// The only ball that may be struck next; `None` allows no ball.
        shootable: Option<BallId>,
    },
    /// Strike a ball. From the next tick on, report each tick with [`MatchRunner::follow_tick`].
    Strike {
        /// The ball.
        ball: BallId,
        /// Its velocity, m/s.
        velocity: Vec2,
        /// Its angular velocity, rad/s.
        angular_velocity: Vec3,
        /// Its height, if it leaves the cloth.
        height: Option<Height>,
    },
    /// Let this player, a bot, think about [`MatchRunner::game`]. Pass the action to [`MatchRunner::decide`]. It has no
    /// effect if the match has left [`Phase::Thinking`] by then.
    Think(Player),
    /// Write [`MatchRunner::newest`] to the file of the match.
    Save,
    /// Send an event.
    Send(MatchEvent),
}

/// A running match: its phase, its players, and the remaining time.
#[derive(Debug)]
pub struct MatchRunner {
    /// The settings, which may change at any time.
    pub settings: MatchSettings,
    game: Arc<Match>,
    seats: [Seat; 2],
    phase: Phase,
    last: Option<(Action, Report)>,
    /// The remaining time for a shot, seconds.
    clock: Option<f32>,
    /// Whether the opponent is asked to agree to taking a shot back.
    take_back_asked: bool,
    /// Whether the match is held.
    held: bool,
    /// The replay of a shot, if there is one.
    look_back: Option<Box<LookBack>>,
    departures: u32,
    effects: Vec<Effect>,
}

impl MatchRunner {
    /// Starts or resumes a match.
    #[must_use]
    pub fn begin(game: Match, seats: [Seat; 2], settings: MatchSettings) -> (Self, Vec<Effect>) {
        let mut runner = Self {
            settings,
            // A resumed match shows its last action.
            last: game.last().cloned(),
            game: Arc::new(game),
            seats,
            phase: Phase::Person,
            clock: None,
            take_back_asked: false,
            held: false,
            look_back: None,
            departures: 0,
            effects: vec![Effect::Save, Effect::Send(MatchEvent::Begun)],
        };
        runner.next_turn();
        let effects = runner.take_effects();
        (runner, effects)
    }

    /// The current match. While a shot rolls, it is the match before the shot.
    #[must_use]
    pub fn game(&self) -> &Arc<Match> {
        &self.game
    }

    /// The match as saved to its file, including a rolling shot.
    #[must_use]
    pub fn newest(&self) -> &Match {
        if let Phase::Rolling(rolling) = &self.phase { &rolling.next } else { &self.game }
    }

    /// The current phase.
    #[must_use]
    pub fn phase(&self) -> &Phase {
        &self.phase
    }

    /// A player.
    #[must_use]
    pub fn seat(&self, player: Player) -> &Seat {
        &self.seats[player.index()]
    }

    /// Both players.
    #[must_use]
    pub fn seats(&self) -> &[Seat; 2] {
        &self.seats
    }

    /// Whether a person has to act.
    #[must_use]
    pub fn waits_for_person(&self) -> bool {
        matches!(self.phase, Phase::Person) && !self.is_held()
    }

    /// Whether the match is held: see [`MatchCommand::Hold`] and [`MatchCommand::Look`].
    #[must_use]
    pub fn is_held(&self) -> bool {
        self.held || self.look_back.is_some()
    }

    /// The replay of a shot, if there is one.
    #[must_use]
    pub fn look_back(&self) -> Option<&LookBack> {
        self.look_back.as_deref()
    }

    /// Whether both players are people. A game for one person has only one.
    #[must_use]
    pub fn is_between_people(&self) -> bool {
        self.seats.iter().all(Seat::is_person) && !self.game.game().solo
    }

    /// The last action and its report.
    #[must_use]
    pub fn last(&self) -> Option<&(Action, Report)> {
        self.last.as_ref()
    }

    /// The remaining time for this shot, seconds, if a shot clock is running.
    #[must_use]
    pub fn clock(&self) -> Option<f32> {
        self.clock
    }

    /// Whether the opponent is asked to agree to taking a shot back.
    #[must_use]
    pub fn take_back_asked(&self) -> bool {
        self.take_back_asked
    }

    /// The number of shots that ended differently in the ticks than in the match. Anything but 0 means that something
    /// else moved a ball.
    #[must_use]
    pub fn departures(&self) -> u32 {
        self.departures
    }

    /// The stance of the bot whose turn it is, once it has decided on a shot.
    #[must_use]
    pub fn stance(&self) -> Option<Stance> {
        match (&self.phase, self.game.turn()?.1) {
            (Phase::Acting(acting), Task::Shoot(stroke)) if !self.is_held() => acting.stance(stroke.cue_ball),
            _ => None,
        }
    }

    /// Carries out a command. [`MatchCommand::Begin`] and [`MatchCommand::Leave`] are the caller's task, so they are
    /// refused.
    pub fn obey(&mut self, command: MatchCommand) -> Vec<Effect> {
        let done = match command {
            MatchCommand::Begin(_) | MatchCommand::Leave => {
                Err("A runner neither begins nor leaves a match; its caller does.".into())
            }
            MatchCommand::Hold(held) => {
                self.held = held;
                Ok(())
            }
            MatchCommand::Look(look) => self.look(look),
            _ if self.is_held() => Err(Refusal::Held),
            MatchCommand::Act(action) => match self.phase {
                Phase::Person => self.act(action),
                Phase::Over => Err(Refusal::Over),
                _ => Err(Refusal::NotYourTurn),
            },
            MatchCommand::TakeBack => self.ask_to_take_back(),
            MatchCommand::Answer(agreed) => self.answer(agreed),
            MatchCommand::GoOn => {
                self.end_wait();
                Ok(())
            }
        };
        if let Err(why) = done {
            self.send(MatchEvent::Refused(why));
        }
        self.take_effects()
    }

    /// Advances time: `seconds` of the match, and `real` seconds for a replay.
    pub fn advance(&mut self, seconds: f32, real: f32) -> Vec<Effect> {
        if let Some(look_back) = &mut self.look_back {
            look_back.advance(real);
        } else if !self.held {
            self.step(seconds);
        }
        self.take_effects()
    }

    /// Accepts the decision of the thinking bot.
    pub fn decide(&mut self, action: Action) -> Vec<Effect> {
        if matches!(self.phase, Phase::Thinking) {
            match self.settings.pace {
                BotPace::AtOnce => self.carry_out(action),
                BotPace::Human => self.phase = Phase::Acting(Acting { action, seconds: 0.0 }),
            }
        }
        self.take_effects()
    }

    /// Follows a tick. While a shot rolls, it records the events.
    pub fn follow_tick(&mut self, space: &PhysicsSpace, seen: &impl Seen) {
        if let Phase::Rolling(rolling) = &mut self.phase {
            rolling.follow_tick(space, seen);
        }
    }

    /// Lays the balls after the table was restored during the match. They move to the match's layout. A rolling shot
    /// and a pause end. A bot that stands at the table still plays its shot.
    pub fn lay_again(&mut self) -> Vec<Effect> {
        self.look_back = None;
        match self.phase {
            Phase::Person | Phase::Over | Phase::Thinking | Phase::Acting(_) => {}
            Phase::Rolling(_) => self.come_to_rest(),
            Phase::Review(_) => self.end_review(),
        }
        self.lay(self.game.layout().clone());
        self.take_effects()
    }

    fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    fn send(&mut self, event: MatchEvent) {
        self.effects.push(Effect::Send(event));
    }

    /// Lays the balls. Only the ball to be struck next can be struck.
    fn lay(&mut self, layout: Layout) {
        let shootable = match self.game.turn() {
            Some((_, Task::Shoot(stroke))) => Some(stroke.cue_ball),
            _ => None,
        };
        self.effects.push(Effect::Lay { layout, shootable });
    }

    fn step(&mut self, seconds: f32) {
        if matches!(self.phase, Phase::Person | Phase::Thinking)
            && let Some(left) = &mut self.clock
        {
            *left -= seconds;
            if *left <= 0.0 {
                self.clock = None;
                self.take_back_asked = false;
                if self.act(Action::Pass).is_ok() {
                    return;
                }
            }
        }
        match &mut self.phase {
            Phase::Person | Phase::Over | Phase::Thinking => {}
            Phase::Acting(acting) => {
                acting.seconds += seconds;
                if acting.seconds >= acting.lasts() {
                    let action = acting.action;
                    self.carry_out(action);
                }
            }
            Phase::Rolling(rolling) => {
                if rolling.is_over() {
                    self.come_to_rest();
                }
            }
            Phase::Review(left) => {
                *left -= seconds;
                if *left <= 0.0 {
                    self.end_review();
                }
            }
        }
    }

    /// Ends a wait for a person: a pause, a bot's delay, or rolling balls.
    fn end_wait(&mut self) {
        match self.phase {
            Phase::Person | Phase::Over | Phase::Thinking => {}
            Phase::Acting(Acting { action, .. }) => self.carry_out(action),
            Phase::Rolling(_) => self.come_to_rest(),
            Phase::Review(_) => self.end_review(),
        }
    }

    /// Carries out the decision of a bot.
    fn carry_out(&mut self, decision: Action) {
        let mut next = Match::clone(&self.game);
        let Ok(Answered { action, report, refused }) = next.apply_answer(decision) else {
            self.phase = Phase::Over;
            return;
        };
        if let Some(why) = refused {
            tracing::warn!("a bot tried {decision:?}: {why}");
        }
        self.follow(action, next, report);
    }

    fn end_review(&mut self) {
        self.lay(self.game.layout().clone());
        self.next_turn();
    }

    /// Asks the next player.
    fn next_turn(&mut self) {
        self.clock = self.game.spec().shot_clock;
        self.ask_next();
    }

    /// The same without resetting the shot clock.
    fn ask_next(&mut self) {
        self.take_back_asked = false;
        let Some((player, task)) = self.game.turn() else {
            self.phase = Phase::Over;
            self.clock = None;
            if let Some(winner) = self.game.winner() {
                self.send(MatchEvent::Over { winner });
            }
            return;
        };
        if let Task::Choose(choices) = task {
            let choices = choices.clone();
            self.send(MatchEvent::ChoiceAsked(player, choices));
        }
        if self.seat(player).is_person() {
            self.phase = Phase::Person;
            self.lay_down_ball_in_hand();
        } else {
            self.phase = Phase::Thinking;
            self.effects.push(Effect::Think(player));
        }
        self.lay(self.game.layout().clone());
    }

    /// Places a ball in hand at a usual place until the person moves it, so that it can be seen and grabbed.
    fn lay_down_ball_in_hand(&mut self) {
        let Some((_, Task::Shoot(stroke))) = self.game.turn() else { return };
        let (ball, Some(region)) = (stroke.cue_ball, stroke.in_hand) else { return };
        let layout = self.game.layout();
        if !layout.is_on_table(ball)
            && let Some(place) = region.any_place(self.game.table(), layout, ball)
            && Arc::make_mut(&mut self.game).apply(Action::Place(place)).is_ok()
        {
            self.effects.push(Effect::Save);
        }
    }

    /// Performs an action of a person, or a pass where the time is up.
    ///
    /// # Errors
    /// The action is not possible now. Nothing has changed then.
    fn act(&mut self, action: Action) -> Result<(), Refusal> {
        if action == Action::TakeBack {
            return self.ask_to_take_back();
        }
        let mut next = Match::clone(&self.game);
        let report = next.apply(action)?;
        self.follow(action, next, report);
        Ok(())
    }

    /// Shows an action that has led to this match: a shot rolls first.
    fn follow(&mut self, action: Action, next: Match, report: Report) {
        self.effects.push(Effect::Save);
        self.take_back_asked = false;
        if let Action::Shoot { .. } = action {
            self.strike(action);
            self.send(MatchEvent::Struck(report.player));
            self.phase = Phase::Rolling(Box::new(Rolling::new(action, next, report)));
            self.clock = None;
        } else {
            self.finish(action, next, report);
        }
    }

    /// Gives the cue ball the velocity and spin of a stroke.
    fn strike(&mut self, action: Action) {
        // Moves the balls to the match's layout, in case something pushed one.
        self.lay(self.game.layout().clone());
        let (Some((_, Task::Shoot(stroke))), Action::Shoot { strike: played, .. }) = (self.game.turn(), action) else {
            return;
        };
        if let Ok(motion) = self.game.simulator().struck(&self.game.cue(), &played) {
            self.effects.push(Effect::Strike {
                ball: stroke.cue_ball,
                velocity: motion.velocity.as_vec2(),
                angular_velocity: motion.angular_velocity.as_vec3(),
                height: motion.height_at(0.0),
            });
        }
    }

    /// Ends a shot and applies its verdict.
    fn come_to_rest(&mut self) {
        let Phase::Rolling(rolling) = std::mem::replace(&mut self.phase, Phase::Person) else { return };
        if rolling.departs() {
            self.departures += 1;
            tracing::warn!("a shot ended differently from the match, so the match pauses: something else moved a ball");
        }
        let Rolling { action, next, report, .. } = *rolling;
        self.finish(action, next, report);
    }

    /// Completes an action and places the balls.
    fn finish(&mut self, action: Action, next: Match, report: Report) {
        self.game = Arc::new(next);
        let ends_rack = report.rack.is_some();
        let pause = match action {
            _ if ends_rack => self.settings.between_racks,
            Action::Shoot { .. } | Action::Pass => self.settings.pause,
            _ => 0.0,
        };
        self.lay(report.left.clone());
        // After a preparation, the outcome of the previous shot still counts.
        let prepares = action.is_preparation();
        if !prepares {
            self.last = Some((action, report.clone()));
        }
        self.send(MatchEvent::Done(action, Box::new(report)));
        // A person need not wait for the pause.
        let is_over = self.game.turn().is_none();
        // After the match, the table stays as the last shot left it.
        if is_over || prepares {
            self.ask_next();
        } else if pause <= 0.0 || (self.is_persons_turn() && !ends_rack) {
            self.next_turn();
        } else {
            self.clock = None;
            self.phase = Phase::Review(pause);
        }
    }

    fn is_persons_turn(&self) -> bool {
        self.game.turn().is_some_and(|(player, _)| self.seat(player).is_person())
    }

    /// Takes back the last shot for a person. Between two people it asks the opponent first.
    fn ask_to_take_back(&mut self) -> Result<(), Refusal> {
        // A bot at the table has not shot yet.
        if matches!(self.phase, Phase::Rolling(_)) {
            return Err(Refusal::BallsRoll);
        }
        self.game.can_take_back()?;
        if self.is_between_people() {
            self.take_back_asked = true;
            self.send(MatchEvent::TakeBackAsked);
            Ok(())
        } else {
            self.take_back()
        }
    }

    /// Accepts the opponent's answer.
    fn answer(&mut self, agreed: bool) -> Result<(), Refusal> {
        if !std::mem::take(&mut self.take_back_asked) {
            return Err(Refusal::NothingAsked);
        }
        if agreed { self.take_back() } else { Err(Refusal::ShotStands) }
    }

    /// Takes back everything since the last turn of a person.
    fn take_back(&mut self) -> Result<(), Refusal> {
        let has_person = self.seats.iter().any(Seat::is_person);
        loop {
            let report = Arc::make_mut(&mut self.game).apply(Action::TakeBack)?;
            if self.is_persons_turn() || self.game.can_take_back().is_err() || !has_person {
                self.last = Some((Action::TakeBack, report.clone()));
                self.send(MatchEvent::Done(Action::TakeBack, Box::new(report)));
                break;
            }
        }
        self.effects.push(Effect::Save);
        self.next_turn();
        Ok(())
    }

    /// Replays a shot or returns to the match.
    fn look(&mut self, look: Look) -> Result<(), Refusal> {
        let Look::Shot(number) = look else {
            let now = self.look_back.as_mut().ok_or(Refusal::NothingLookedAt)?;
            now.obey(look);
            if look == Look::Present {
                self.look_back = None;
            }
            return Ok(());
        };
        if matches!(self.phase, Phase::Rolling(_)) {
            return Err(Refusal::BallsRoll);
        }
        let shot = self.game.shots().get(number).ok_or(Refusal::NoSuchShot)?;
        let speed = self.look_back.as_ref().map_or(LookBack::SPEED, |now| now.speed());
        self.look_back = Some(Box::new(LookBack::new(number, shot.film(&self.game), speed)));
        Ok(())
    }
}

#[cfg(test)]
mod tests;
