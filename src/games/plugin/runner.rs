//! The course of a match, without a world. Commands, time, decisions of bots and ticks go in, and [`Effect`]s come out
//! in the order in which they have to happen.

use std::sync::Arc;

use bevy::math::{Vec2, Vec3};

use super::{
    BotPace, Look, LookBack, MatchCommand, MatchEvent, MatchSettings, Phase, Seat,
    phase::{Acting, Stance},
    shot::{Rolling, Seen},
};
use crate::{
    billiards::cue::strike,
    collision::PhysicsSpace,
    games::{
        matches::Match,
        rules::{Action, BallId, Layout, Player, Refusal, Report, Task},
    },
};

/// What a [`MatchRunner`] wants done.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// The balls lie at rest where the layout has them.
    Lay {
        /// Where they lie.
        layout: Layout,
        /// The only ball that may be struck next; none may where it is `None`.
        shootable: Option<BallId>,
    },
    /// A ball is struck. From the next tick on, each tick has to be reported by [`MatchRunner::follow_tick`].
    Strike {
        /// The ball.
        ball: BallId,
        /// Its velocity, m/s.
        velocity: Vec2,
        /// Its angular velocity, rad/s.
        angular_velocity: Vec3,
    },
    /// This player, a bot, thinks about [`MatchRunner::game`]. The action goes to [`MatchRunner::decide`]. It has no
    /// effect if the match has left [`Phase::Thinking`] by then.
    Think(Player),
    /// [`MatchRunner::newest`] is written to the file of the match.
    Save,
    /// Something has happened.
    Tell(MatchEvent),
}

/// A match that is played: what it is waiting for, who plays, and the time that is left.
#[derive(Debug)]
pub struct MatchRunner {
    /// How it is played. It may change at any time.
    pub settings: MatchSettings,
    game: Arc<Match>,
    seats: [Seat; 2],
    phase: Phase,
    last: Option<(Action, Report)>,
    /// What is left of the time for a shot, seconds.
    clock: Option<f32>,
    /// Whether the other player is asked to have a shot taken back.
    take_back_asked: bool,
    /// Whether everybody waits.
    held: bool,
    /// The shot that is looked at, if one is.
    look_back: Option<Box<LookBack>>,
    departures: u32,
    effects: Vec<Effect>,
}

impl MatchRunner {
    /// Begins a match, or continues it.
    #[must_use]
    pub fn begin(game: Match, seats: [Seat; 2], settings: MatchSettings) -> (Self, Vec<Effect>) {
        let mut runner = Self {
            settings,
            // A match that is continued says where it was left.
            last: game.last().cloned(),
            game: Arc::new(game),
            seats,
            phase: Phase::Person,
            clock: None,
            take_back_asked: false,
            held: false,
            look_back: None,
            departures: 0,
            effects: vec![Effect::Save, Effect::Tell(MatchEvent::Begun)],
        };
        runner.next_turn();
        let effects = runner.take_effects();
        (runner, effects)
    }

    /// The match as it stands: while a shot rolls, as it was before.
    #[must_use]
    pub fn game(&self) -> &Arc<Match> {
        &self.game
    }

    /// The match as its file has it: with the shot that rolls, if one does.
    #[must_use]
    pub fn newest(&self) -> &Match {
        if let Phase::Rolling(rolling) = &self.phase { &rolling.next } else { &self.game }
    }

    /// What it is waiting for.
    #[must_use]
    pub fn phase(&self) -> &Phase {
        &self.phase
    }

    /// Who plays.
    #[must_use]
    pub fn seat(&self, player: Player) -> &Seat {
        &self.seats[player.index()]
    }

    /// Both players.
    #[must_use]
    pub fn seats(&self) -> &[Seat; 2] {
        &self.seats
    }

    /// Whether a person is to act.
    #[must_use]
    pub fn waits_for_person(&self) -> bool {
        matches!(self.phase, Phase::Person) && !self.is_held()
    }

    /// Whether the match is held: see [`MatchCommand::Hold`] and [`MatchCommand::Look`].
    #[must_use]
    pub fn is_held(&self) -> bool {
        self.held || self.look_back.is_some()
    }

    /// The shot that is looked at again, if one is.
    #[must_use]
    pub fn look_back(&self) -> Option<&LookBack> {
        self.look_back.as_deref()
    }

    /// Whether both players are people, which they are not in a game for one.
    #[must_use]
    pub fn is_between_people(&self) -> bool {
        self.seats.iter().all(Seat::is_person) && !self.game.game().solo
    }

    /// What was done last, and what came of it.
    #[must_use]
    pub fn last(&self) -> Option<&(Action, Report)> {
        self.last.as_ref()
    }

    /// What is left of the time for this shot, seconds, where there is a shot clock and it runs.
    #[must_use]
    pub fn clock(&self) -> Option<f32> {
        self.clock
    }

    /// Whether the other player is asked to have a shot taken back.
    #[must_use]
    pub fn take_back_asked(&self) -> bool {
        self.take_back_asked
    }

    /// How many shots have ended otherwise in the ticks than in the match. Anything but 0 means that something else
    /// moved a ball meanwhile.
    #[must_use]
    pub fn departures(&self) -> u32 {
        self.departures
    }

    /// How the bot whose turn it is stands at the table, once it has decided on a shot.
    #[must_use]
    pub fn stance(&self) -> Option<Stance> {
        match (&self.phase, self.game.turn()?.1) {
            (Phase::Acting(acting), Task::Shoot(stroke)) if !self.is_held() => acting.stance(stroke.cue_ball),
            _ => None,
        }
    }

    /// Does what is asked of the match. [`MatchCommand::Begin`] and [`MatchCommand::Leave`] are not up to it.
    pub fn obey(&mut self, command: MatchCommand) -> Vec<Effect> {
        let done = match command {
            MatchCommand::Begin(_) | MatchCommand::Leave => Ok(()),
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
                self.hurry();
                Ok(())
            }
        };
        if let Err(why) = done {
            self.tell(MatchEvent::Refused(why));
        }
        self.take_effects()
    }

    /// Lets time pass: `seconds` of the match, and `real` seconds of the person who watches a shot again.
    pub fn advance(&mut self, seconds: f32, real: f32) -> Vec<Effect> {
        if let Some(look_back) = &mut self.look_back {
            look_back.advance(real);
        } else if !self.held {
            self.step(seconds);
        }
        self.take_effects()
    }

    /// The bot that thinks has decided.
    pub fn decide(&mut self, action: Action) -> Vec<Effect> {
        if matches!(self.phase, Phase::Thinking) {
            self.phase = Phase::Acting(Acting { action, seconds: 0.0 });
            if self.settings.pace == BotPace::AtOnce {
                self.hurry();
            }
        }
        self.take_effects()
    }

    /// A tick has run; while a shot rolls, what happened in it is recorded.
    pub fn follow_tick(&mut self, space: &PhysicsSpace, seen: &impl Seen) {
        if let Phase::Rolling(rolling) = &mut self.phase {
            rolling.follow_tick(space, seen);
        }
    }

    /// The table was laid again during the match. The balls go where the match has them, and a shot that rolls has come
    /// to rest.
    pub fn lay_again(&mut self) -> Vec<Effect> {
        self.look_back = None;
        self.hurry();
        self.lay(self.game.layout().clone());
        self.take_effects()
    }

    fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    fn tell(&mut self, event: MatchEvent) {
        self.effects.push(Effect::Tell(event));
    }

    /// Only the ball that is struck next can be.
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
        let is_due = match &mut self.phase {
            Phase::Person | Phase::Over | Phase::Thinking => false,
            Phase::Acting(acting) => {
                acting.seconds += seconds;
                acting.seconds >= acting.lasts()
            }
            Phase::Rolling(rolling) => rolling.is_over(),
            Phase::Review(left) => {
                *left -= seconds;
                *left <= 0.0
            }
        };
        if is_due {
            self.hurry();
        }
    }

    /// Ends what is only waited for: a look at the table, a bot that takes its time, balls that roll.
    fn hurry(&mut self) {
        match self.phase {
            Phase::Person | Phase::Over | Phase::Thinking => {}
            Phase::Acting(Acting { action, .. }) => {
                // What a bot answers that makes no sense counts as a shot that hits nothing.
                if let Err(why) = self.act(action) {
                    tracing::warn!("a bot tried {action:?}: {why}");
                    if self.act(Action::Pass).is_err() {
                        self.phase = Phase::Over;
                    }
                }
            }
            Phase::Rolling(_) => self.come_to_rest(),
            Phase::Review(_) => {
                self.lay(self.game.layout().clone());
                self.next_turn();
            }
        }
    }

    /// Asks the next player.
    fn next_turn(&mut self) {
        self.clock = self.game.spec().shot_clock;
        self.ask_next();
    }

    /// The same without another time for the shot.
    fn ask_next(&mut self) {
        self.take_back_asked = false;
        let Some((player, task)) = self.game.turn() else {
            self.phase = Phase::Over;
            self.clock = None;
            if let Some(winner) = self.game.winner() {
                self.tell(MatchEvent::Over { winner });
            }
            return;
        };
        if let Task::Choose(choices) = task {
            let choices = choices.clone();
            self.tell(MatchEvent::ChoiceAsked(player, choices));
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

    /// A ball in hand lies at a usual place until the person puts it elsewhere, so that it is seen, and can be taken
    /// hold of.
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

    /// Does something for the player whose turn it is.
    ///
    /// # Errors
    /// Why it cannot be done now; nothing has changed then.
    fn act(&mut self, action: Action) -> Result<(), Refusal> {
        if action == Action::TakeBack {
            return self.ask_to_take_back();
        }
        let mut next = Match::clone(&self.game);
        let report = next.apply(action)?;
        self.effects.push(Effect::Save);
        self.take_back_asked = false;
        if let Action::Shoot { .. } = action {
            self.strike(action);
            self.tell(MatchEvent::Struck(report.player));
            self.phase = Phase::Rolling(Box::new(Rolling::new(action, next, report)));
            self.clock = None;
        } else {
            self.finish(action, next, report);
        }
        Ok(())
    }

    /// Gives the cue ball what a stroke gives it.
    fn strike(&mut self, action: Action) {
        // It lies where the match has it, also where somebody has pushed it about.
        self.lay(self.game.layout().clone());
        let (Some((_, Task::Shoot(stroke))), Action::Shoot { strike: played, .. }) = (self.game.turn(), action) else {
            return;
        };
        if let Ok(motion) = strike(&self.game.spec().cue, &self.game.simulator().body(), &played) {
            self.effects.push(Effect::Strike {
                ball: stroke.cue_ball,
                velocity: motion.velocity.as_vec2(),
                angular_velocity: motion.angular_velocity.as_vec3(),
            });
        }
    }

    /// The shot is over: the verdict holds.
    fn come_to_rest(&mut self) {
        let Phase::Rolling(rolling) = std::mem::replace(&mut self.phase, Phase::Person) else { return };
        if rolling.departs() {
            self.departures += 1;
            tracing::warn!("a shot ended differently from the match, so the match pauses: something else moved a ball");
        }
        let Rolling { action, next, report, .. } = *rolling;
        self.finish(action, next, report);
    }

    /// An action is done: the balls are put where they go by it.
    fn finish(&mut self, action: Action, next: Match, report: Report) {
        self.game = Arc::new(next);
        let ends_rack = report.rack.is_some();
        let pause = match action {
            _ if ends_rack => self.settings.between_racks,
            Action::Shoot { .. } | Action::Pass => self.settings.pause,
            _ => 0.0,
        };
        self.lay(report.left.clone());
        // Where a ball is placed what came of the shot before still counts.
        let places = matches!(action, Action::Place(_));
        if !places {
            self.last = Some((action, report.clone()));
        }
        self.tell(MatchEvent::Done(action, Box::new(report)));
        // A person need not wait for the table to be looked at.
        let is_over = self.game.turn().is_none();
        // Where it is over the table stays as the last shot has left it.
        if is_over || places {
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

    /// A person wants the last shot back: between two people the other is asked.
    fn ask_to_take_back(&mut self) -> Result<(), Refusal> {
        // A bot that stands at the table has not shot yet.
        if matches!(self.phase, Phase::Rolling(_)) {
            return Err(Refusal::BallsRoll);
        }
        self.game.can_take_back()?;
        if self.is_between_people() {
            self.take_back_asked = true;
            self.tell(MatchEvent::TakeBackAsked);
            Ok(())
        } else {
            self.take_back()
        }
    }

    /// The other's answer.
    fn answer(&mut self, agreed: bool) -> Result<(), Refusal> {
        if !std::mem::take(&mut self.take_back_asked) {
            return Err(Refusal::NothingAsked);
        }
        if agreed { self.take_back() } else { Err(Refusal::ShotStands) }
    }

    /// Takes back up to the last time that a person had the turn.
    fn take_back(&mut self) -> Result<(), Refusal> {
        let has_person = self.seats.iter().any(Seat::is_person);
        loop {
            let report = Arc::make_mut(&mut self.game).apply(Action::TakeBack)?;
            if self.is_persons_turn() || self.game.can_take_back().is_err() || !has_person {
                self.last = Some((Action::TakeBack, report.clone()));
                self.tell(MatchEvent::Done(Action::TakeBack, Box::new(report)));
                break;
            }
        }
        self.effects.push(Effect::Save);
        self.next_turn();
        Ok(())
    }

    /// Looks at a shot again, or back at the match.
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
