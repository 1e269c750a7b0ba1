//! A match that is played in an app: its table and balls are a scene, its shots are rolled by the ticks, people and
//! bots take turns. Nothing here needs a window.
//!
//! [`MatchPlugin`] obeys [`MatchCommand`]s and tells of what happens by [`MatchEvent`]s; the resource [`CurrentMatch`]
//! is the match that runs, if one does. Whoever shows it, such as [`hud`](crate::hud), reads the resource and writes
//! commands:
//!
//! ```
//! # use bevy::{prelude::*, time::TimeUpdateStrategy};
//! # use carom::prelude::*;
//! use carom::games::{MatchSpec, plugin::{Beginning, CurrentMatch, MatchCommand, MatchPlugin}};
//!
//! # let mut app = App::new();
//! # app.add_plugins((MinimalPlugins, PhysicsPlugins::default()));
//! # app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
//! app.add_plugins(MatchPlugin);
//! let practice = Beginning::of(MatchSpec::default()).unwrap();
//! app.world_mut().write_message(MatchCommand::Begin(Box::new(practice)));
//! app.update();
//! assert_eq!(app.world_mut().query::<&Ball>().iter(app.world()).count(), 10);
//! assert!(app.world().resource::<CurrentMatch>().waits_for_person());
//! ```
//!
//! # What a shot is
//! An [`Action::Shoot`] is first played on a copy of the match, by the simulator: so it is known whether the shot may
//! be played, and the file has it before it rolls. Then the ball gets the velocity and the spin of the stroke, and the
//! ticks roll it. Their events are recorded with the function that the simulator uses; when all rest, they and the
//! places of the balls are the same to the bit, and the verdict holds. The physics is kept at that of the table. Where
//! something else has moved a ball they are not the same: [`MatchRunner::departures`] counts that, and the balls go
//! where the match has them, so that its file still replays.
//!
//! # Without an app
//! [`MatchRunner`] is all of that without a world. Commands, time, decisions and ticks go in, and [`Effect`]s come out.
//! A server or a test can drive it as [`MatchPlugin`] does:
//!
//! ```
//! # use carom::games::{Action, Match, MatchSpec};
//! use carom::games::plugin::{Effect, MatchCommand, MatchRunner, MatchSettings, Seat};
//!
//! let practice = Match::new(MatchSpec::default())?;
//! let (mut runner, _) = MatchRunner::begin(practice, [Seat::Person, Seat::Person], MatchSettings::AT_ONCE);
//! let shoot = Action::Shoot { call: Default::default(), strike: Default::default() };
//! let effects = runner.obey(MatchCommand::Act(shoot));
//! assert!(effects.iter().any(|effect| matches!(effect, Effect::Strike { .. })));
//! // Nobody has to see it roll.
//! runner.obey(MatchCommand::GoOn);
//! assert_eq!(runner.game().shots().len(), 1);
//! # Ok::<(), String>(())
//! ```
//!
//! | file | what |
//! |---|---|
//! | `seat` | [`Seat`]: who plays |
//! | `shot` | a shot that is rolled by the ticks |
//! | `phase` | [`Phase`]: what a match is waiting for |
//! | `runner` | [`MatchRunner`]: the course of a match, without a world |
//! | `table` | the table and the balls of a match as a scene |
//! | `drive` | the systems: what goes into the runner, and what the world does about its [`Effect`]s |
//! | `look_back` | a shot is looked at again |
//! | `keep` | a match as a file that is always up to date |

use std::{path::PathBuf, sync::Arc};

use bevy::{prelude::*, tasks::Task as Thought};
use serde::{Deserialize, Serialize};

use crate::{
    collision::{SimulationSystems, require_physics, tick_schedule},
    games::{
        matches::{LinkedMatch, Match, MatchRecord, MatchSpec},
        rules::{Action, BallId, Choice, Player, PocketId, Refusal, Report},
    },
    link::Link,
    notice::NoticeText,
    scene::{SceneEnded, SceneStarted},
    timeline::ticked,
};

mod drive;
mod follow_scene;
mod keep;
mod look_back;
mod phase;
mod runner;
mod seat;
mod shot;
mod table;

pub use keep::{MatchFolder, saved_matches, unfinished_matches};
pub use look_back::{Look, LookBack};
pub use phase::{Phase, Stance};
pub use runner::{Effect, MatchRunner};
pub use seat::{Ideas, Mind, Seat};
pub use shot::Seen;
pub use table::{GameBall, MATCH_SCENE, scene_of};

use look_back::Present;
use table::Things;

/// Runs matches. It needs [`PhysicsPlugins`](crate::PhysicsPlugins), and Bevy's task pools for bots. To add it twice is
/// no mistake.
pub struct MatchPlugin;

/// It was added.
#[derive(Resource)]
struct Added;

impl Plugin for MatchPlugin {
    fn build(&self, app: &mut App) {
        if app.world().contains_resource::<Added>() {
            return;
        }
        let schedule = tick_schedule(app);
        app.insert_resource(Added)
            .init_resource::<MatchSettings>()
            .init_resource::<MatchFolder>()
            .register_type::<MatchSettings>()
            .register_type::<GameBall>()
            .add_message::<MatchCommand>()
            .add_message::<MatchEvent>()
            .add_message::<SceneStarted>()
            .add_message::<SceneEnded>()
            .add_observer(follow_scene::follow_end)
            .add_observer(follow_scene::follow_restart)
            .add_systems(PreUpdate, (drive::obey, drive::go_on).chain().in_set(MatchSystems))
            .add_systems(schedule, drive::watch.after(SimulationSystems).run_if(ticked));
    }

    fn is_unique(&self) -> bool {
        false
    }

    fn finish(&self, app: &mut App) {
        require_physics(self, app);
    }
}

/// Commands are obeyed and the match goes on, in [`PreUpdate`]. Who writes commands in the same frame comes before it.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MatchSystems;

/// How matches are played, whichever they are.
#[derive(Resource, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Resource, Default, Debug, PartialEq)]
pub struct MatchSettings {
    /// How bots act. Default: [`BotPace::Human`].
    pub pace: BotPace,
    /// How long the table is left alone after a shot, before a bot acts, seconds of simulated time. Default: 0.8.
    pub pause: f32,
    /// How long a rack that is over is left to be looked at, seconds of simulated time. Default: 4.
    pub between_racks: f32,
}

impl Default for MatchSettings {
    fn default() -> Self {
        Self { pace: BotPace::default(), pause: 0.8, between_racks: 4.0 }
    }
}

impl MatchSettings {
    /// Nobody waits for anything but for the balls.
    pub const AT_ONCE: Self = Self { pace: BotPace::AtOnce, pause: 0.0, between_racks: 0.0 };
}

/// What helps those who play or watch, whichever match it is. Whoever shows matches heeds it, such as
/// [`hud`](crate::hud).
#[derive(Resource, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[reflect(Resource, Default, Debug, PartialEq)]
#[serde(default)]
pub struct CoachSettings {
    /// Whether the best shots are shown to the person who is to play, and after a miss what was wrong. Default: no.
    pub on: bool,
    /// Whether it is drawn what a bot at the table considers. Default: no.
    pub ideas: bool,
}

/// How bots act.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BotPace {
    /// As people do: they walk to the ball, turn the cue to the line, and stroke.
    #[default]
    Human,
    /// At once when they have thought.
    AtOnce,
}

/// What is asked of [`MatchPlugin`]. What cannot be done is told by [`MatchEvent::Refused`], and nothing changes.
#[derive(Message)]
pub enum MatchCommand {
    /// Begins this match, in place of the scene and of the match that runs; that one can be gone on with by its file.
    Begin(Box<Beginning>),
    /// Does this for the person whose turn it is.
    Act(Action),
    /// Takes the last shot of a person back, with all that followed from it. Between two people the other is asked
    /// first.
    TakeBack,
    /// The other's answer to that.
    Answer(bool),
    /// Goes on at once, where the table is left to be looked at, or a bot takes its time.
    GoOn,
    /// Holds the match, or lets it go on: clocks and players wait meanwhile, and what is asked of it is refused. A shot
    /// that rolls comes to rest.
    Hold(bool),
    /// Looks at a shot again, and back at the match, which is held meanwhile.
    Look(Look),
    /// Ends the match; it can be gone on with by its file. The table stays as it is, without a referee.
    Leave,
}

/// What has happened in a match. Players are those of the match.
#[derive(Message, Clone, Debug, PartialEq)]
pub enum MatchEvent {
    /// A match has begun, or goes on.
    Begun,
    /// A shot was begun, which now rolls.
    Struck(Player),
    /// An action is done: of a shot all balls rest, and the rules have judged it.
    Done(Action, Box<Report>),
    /// Somebody is to choose.
    ChoiceAsked(Player, Vec<Choice>),
    /// The other player is asked whether a shot may be taken back.
    TakeBackAsked,
    /// What was asked for cannot be done now: why.
    Refused(Refusal),
    /// The match is over.
    Over {
        /// Who has won.
        winner: Player,
    },
    /// The match was left.
    Left,
}

/// How a match begins or goes on: by a [`MatchSpec`], by a record, or with a match and players of one's own.
///
/// ```
/// use carom::games::{Match, MatchSpec, bot, plugin::{Beginning, Seat}};
///
/// let spec = MatchSpec { game: "nine-ball".to_owned(), ..MatchSpec::default() };
/// // Any `Bot` may sit there, whatever the names in the `spec` are.
/// let seats = [Seat::Person, Seat::thinking(bot::player("bot:easy")?)];
/// // Any match may be played: one of `Match::on_table`, or of `Match::replay_on`.
/// let beginning = Beginning::with_seats(Match::new(spec)?, seats).unkept();
/// assert!(beginning.seats[0].is_person() && !beginning.keep);
/// # Ok::<(), String>(())
/// ```
#[derive(Debug)]
pub struct Beginning {
    /// The match.
    pub game: Match,
    /// Who plays.
    pub seats: [Seat; 2],
    /// The file that is kept up to date; none: one of its own in the [`MatchFolder`], if there is such a folder.
    pub file: Option<PathBuf>,
    /// Whether there is such a file at all. Default: yes.
    pub keep: bool,
    /// What people are told when it begins. Default: nothing.
    pub told: Option<NoticeText>,
}

impl Beginning {
    /// A new match; who plays follows from the names: see [`Seat::of`].
    ///
    /// # Errors
    /// Those of [`Match::new`] and [`Seat::of`].
    pub fn of(spec: MatchSpec) -> Result<Self, String> {
        Self::with(Match::new(spec)?)
    }

    /// A match that goes on where its record ends.
    ///
    /// # Errors
    /// The record departs from what it should be, or a player cannot be had.
    pub fn resume(record: &MatchRecord, file: Option<PathBuf>) -> Result<Self, String> {
        let game = Match::replay(record).map_err(|departure| departure.to_string())?;
        Ok(Self { file, ..Self::with(game)? })
    }

    /// The match of a link, which goes on as far as it can be played again; where it departs from what was linked,
    /// people are told.
    ///
    /// # Errors
    /// Those of [`LinkedMatch::of`] and [`Seat::of`].
    pub fn linked(link: &Link) -> Result<Self, String> {
        let LinkedMatch { game, departure } = LinkedMatch::of(link)?;
        Ok(Self { told: departure, ..Self::with(game)? })
    }

    /// This match, begun or gone on with, with these players, whatever the names in its [`MatchSpec`] are. A game of
    /// one's own begins and goes on so: its match comes from [`Match::on_table`] or [`Match::replay_on`].
    #[must_use]
    pub fn with_seats(game: Match, seats: [Seat; 2]) -> Self {
        Self { game, seats, file: None, keep: true, told: None }
    }

    /// The same, kept in this file.
    #[must_use]
    pub fn kept_in(self, file: impl Into<PathBuf>) -> Self {
        Self { file: Some(file.into()), keep: true, ..self }
    }

    /// The same without a file that is kept up to date.
    #[must_use]
    pub fn unkept(self) -> Self {
        Self { file: None, keep: false, ..self }
    }

    fn with(game: Match) -> Result<Self, String> {
        let [first, second] = &game.spec().players;
        let seats = [Seat::of(first)?, Seat::of(second)?];
        Ok(Self::with_seats(game, seats))
    }
}

/// The match that is played: what its [`MatchRunner`] says of it, its entities and its file.
#[derive(Resource, Debug, Deref)]
pub struct CurrentMatch {
    #[deref]
    runner: MatchRunner,
    /// What the bot whose turn it is thinks.
    thought: Option<Thought<Action>>,
    file: Option<PathBuf>,
    keep: bool,
    things: Arc<Things>,
    /// What is put back once no shot is looked at any more.
    present: Option<Present>,
}

impl CurrentMatch {
    /// Whether the match is kept in a file, if there is a folder for it: see [`Beginning::keep`].
    #[must_use]
    pub fn is_kept(&self) -> bool {
        self.keep
    }

    /// The same match from its beginning, with another rack.
    ///
    /// # Errors
    /// The game cannot begin on its table, which it has done before.
    pub fn again(&self) -> Result<Beginning, String> {
        let game = self.game();
        let spec = MatchSpec { seed: game.spec().seed.wrapping_add(1), ..game.spec().clone() };
        let game = Match::on_table(spec, game.game(), game.table().clone())?;
        Ok(Beginning { keep: self.keep, ..Beginning::with_seats(game, self.seats().clone()) })
    }

    /// The file that is kept up to date, if there is one.
    #[must_use]
    pub fn file(&self) -> Option<&std::path::Path> {
        self.file.as_deref()
    }

    /// The entity of a ball.
    #[must_use]
    pub fn entity_of(&self, ball: BallId) -> Option<Entity> {
        self.things.balls.get(ball.index()).copied()
    }

    /// The ball that an entity is.
    #[must_use]
    pub fn ball_of(&self, entity: Entity) -> Option<BallId> {
        self.things.ball(entity)
    }

    /// The pocket that an entity is.
    #[must_use]
    pub fn pocket_of(&self, entity: Entity) -> Option<PocketId> {
        self.things.pocket(entity)
    }
}

#[cfg(test)]
mod tests;
