//! A match in an app. Its table and balls are a scene, its shots run in the ticks, and people and bots take turns. It
//! needs no window.
//!
//! [`MatchPlugin`] obeys [`MatchCommand`]s and reports with [`MatchEvent`]s. The resource [`CurrentMatch`] is the
//! running match. A display such as [`hud`](crate::hud) reads the resource and writes commands:
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
//! # The course of a shot
//! The simulator first plays an [`Action::Shoot`] on a copy of the match. This decides whether the shot is legal, and
//! the file contains it before it rolls. Then the ball gets the velocity and the spin of the stroke, and the ticks roll
//! it. The simulator and the ticks record events with the same function. When all balls rest, events and positions are
//! bit-identical, and the verdict is applied. The physics settings stay those of the table.
//!
//! If something else moves a ball, the results differ. [`MatchRunner::departures`] counts such shots, and the balls
//! move to the match's layout, so that its file still replays.
//!
//! # Without an app
//! [`MatchRunner`] does all of this without a world. Commands, time, decisions and ticks go in, and [`Effect`]s come
//! out. A server or a test can drive it as [`MatchPlugin`] does:
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
//! // Continues at once, without drawing the shot.
//! runner.obey(MatchCommand::GoOn);
//! assert_eq!(runner.game().shots().len(), 1);
//! # Ok::<(), String>(())
//! ```
//!
//! | file | contents |
//! |---|---|
//! | `seat` | [`Seat`]: a player |
//! | `shot` | a shot that rolls in the ticks |
//! | `phase` | [`Phase`]: what a match is waiting for |
//! | `runner` | [`MatchRunner`]: the course of a match, without a world |
//! | `table` | the table and the balls of a match as a scene |
//! | `drive` | the systems that feed the runner and carry out its [`Effect`]s |
//! | `look_back` | the replay of a shot |
//! | `keep` | the file of a match, saved after every change |
//! | `drill_progress` | the file of results of drills, and the custom drills |
//! | `match_results` | the file of results of matches |
//! | `position` | [`TablePosition`]: the present position as a drill, a shot from it as a link |

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

mod drill_progress;
mod drive;
mod follow_scene;
mod keep;
mod look_back;
mod match_results;
mod phase;
mod position;
mod runner;
mod seat;
mod shot;
mod table;

pub use drill_progress::{CustomDrills, DrillProgress};
pub use keep::{MatchFolder, saved_matches, unfinished_matches};
pub use look_back::{Look, LookBack};
pub use match_results::KeptResults;
pub use phase::{Phase, Stance};
pub use position::{TablePosition, drill_spec, drill_text_spec};
pub use runner::{Effect, MatchRunner};
pub use seat::{Ideas, Mind, Seat};
pub use shot::Seen;
pub use table::{GameBall, MATCH_SCENE, scene_of};

use look_back::Snapshot;
use table::Things;

/// Runs matches. It needs [`PhysicsPlugins`](crate::PhysicsPlugins), and Bevy's task pools for bots. You may add it
/// more than once.
pub struct MatchPlugin;

/// Marks that the plugin was added.
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
            .init_resource::<DrillProgress>()
            .init_resource::<CustomDrills>()
            .init_resource::<KeptResults>()
            .register_type::<MatchSettings>()
            .register_type::<GameBall>()
            .add_message::<MatchCommand>()
            .add_message::<MatchEvent>()
            .add_message::<SceneStarted>()
            .add_message::<SceneEnded>()
            .add_observer(follow_scene::follow_end)
            .add_observer(follow_scene::follow_restart)
            .add_systems(PreUpdate, (drive::obey, drive::go_on).chain().in_set(MatchSystems))
            .add_systems(
                PreUpdate,
                (drill_progress::read, match_results::read)
                    .chain()
                    .before(MatchSystems)
                    .run_if(resource_changed::<MatchFolder>),
            )
            .add_systems(PreUpdate, (drill_progress::keep, match_results::keep).chain().after(MatchSystems))
            .add_systems(schedule, drive::watch.after(SimulationSystems).run_if(ticked));
    }

    fn is_unique(&self) -> bool {
        false
    }

    fn finish(&self, app: &mut App) {
        require_physics(self, app);
    }
}

/// Carries out commands and advances the match, in [`PreUpdate`]. Systems that write commands in the same frame run
/// before it.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MatchSystems;

/// Settings for all matches.
#[derive(Resource, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Resource, Default, Debug, PartialEq)]
pub struct MatchSettings {
    /// The pace of bots. Default: [`BotPace::Human`].
    pub pace: BotPace,
    /// The pause after a shot before a bot acts, seconds of simulated time. Default: 0.8.
    pub pause: f32,
    /// The pause after a rack, seconds of simulated time. Default: 4.
    pub between_racks: f32,
}

impl Default for MatchSettings {
    fn default() -> Self {
        Self { pace: BotPace::default(), pause: 0.8, between_racks: 4.0 }
    }
}

impl MatchSettings {
    /// No pauses, only rolling balls.
    pub const AT_ONCE: Self = Self { pace: BotPace::AtOnce, pause: 0.0, between_racks: 0.0 };
}

/// Help for players and spectators, for all matches. The display of a match, such as [`hud`](crate::hud), applies it.
#[derive(Resource, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[reflect(Resource, Default, Debug, PartialEq)]
#[serde(default)]
pub struct CoachSettings {
    /// Whether to suggest shots to a person at the table, and to explain misses. Default: false.
    pub on: bool,
    /// Whether to draw the shots that a bot at the table considers. Default: false.
    pub ideas: bool,
}

/// The pace of bots.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BotPace {
    /// As people do: the bot walks to the ball, turns the cue to the line, and strokes.
    #[default]
    Human,
    /// Immediately after deciding.
    AtOnce,
}

/// A command for [`MatchPlugin`]. A command that is not possible produces [`MatchEvent::Refused`] and changes nothing.
#[derive(Message)]
pub enum MatchCommand {
    /// Starts this match. It replaces the scene and the running match, which can be resumed from its file.
    Begin(Box<Beginning>),
    /// Performs an action for the person whose turn it is.
    Act(Action),
    /// Takes back the last shot of a person and everything after it. Between two people the opponent is asked first.
    TakeBack,
    /// The opponent's answer to that.
    Answer(bool),
    /// Skips a pause or a bot's delay.
    GoOn,
    /// Holds the match or releases it. Clocks and players wait meanwhile, and other commands are refused. A rolling
    /// shot still comes to rest.
    Hold(bool),
    /// Replays a shot or returns to the match, which is held meanwhile.
    Look(Look),
    /// Ends the match. It can be resumed from its file. The table stays, without rules.
    Leave,
}

/// An event of a match. Players are numbered as in the match.
#[derive(Message, Clone, Debug, PartialEq)]
pub enum MatchEvent {
    /// A match has started or resumed.
    Begun,
    /// A shot has started and is rolling.
    Struck(Player),
    /// An action is complete. For a shot, all balls rest and the rules have judged it.
    Done(Action, Box<Report>),
    /// A player has to choose.
    ChoiceAsked(Player, Vec<Choice>),
    /// The opponent is asked whether a shot may be taken back.
    TakeBackAsked,
    /// A command is not possible now, for this reason.
    Refused(Refusal),
    /// The match is over.
    Over {
        /// The winner.
        winner: Player,
    },
    /// The match was left.
    Left,
}

/// How to start or resume a match: from a [`MatchSpec`], from a record, or with a custom match and custom players.
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
    /// The players.
    pub seats: [Seat; 2],
    /// The file to save to. Default: `None`, a new file in the [`MatchFolder`] if there is one.
    pub file: Option<PathBuf>,
    /// Whether to save the match at all. Default: true.
    pub keep: bool,
    /// A notice to show at the start. Default: none.
    pub told: Option<NoticeText>,
}

impl Beginning {
    /// A new match. The names determine the players: see [`Seat::of`].
    ///
    /// # Errors
    /// The same as [`Match::new`] and [`Seat::of`].
    pub fn of(spec: MatchSpec) -> Result<Self, String> {
        Self::with(Match::new(spec)?)
    }

    /// A match that continues where its record ends.
    ///
    /// # Errors
    /// The replay departs from the record, or a player is not available.
    pub fn resume(record: &MatchRecord, file: Option<PathBuf>) -> Result<Self, String> {
        let game = Match::replay(record).map_err(|departure| departure.to_string())?;
        Ok(Self { file, ..Self::with(game)? })
    }

    /// The match of a link, which continues from as far as it can be replayed. A notice reports any departure.
    ///
    /// # Errors
    /// The same as [`LinkedMatch::of`] and [`Seat::of`].
    pub fn linked(link: &Link) -> Result<Self, String> {
        let LinkedMatch { game, departure } = LinkedMatch::of(link)?;
        Ok(Self { told: departure, ..Self::with(game)? })
    }

    /// This match, new or resumed, with these players instead of those named in its [`MatchSpec`]. Use it for custom
    /// games, whose matches come from [`Match::on_table`] or [`Match::replay_on`].
    #[must_use]
    pub fn with_seats(game: Match, seats: [Seat; 2]) -> Self {
        Self { game, seats, file: None, keep: true, told: None }
    }

    /// The same, saved to this file.
    #[must_use]
    pub fn kept_in(self, file: impl Into<PathBuf>) -> Self {
        Self { file: Some(file.into()), keep: true, ..self }
    }

    /// The same without a file.
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

/// The running match. It dereferences to its [`MatchRunner`] and also holds its entities and its file.
#[derive(Resource, Debug, Deref)]
pub struct CurrentMatch {
    #[deref]
    runner: MatchRunner,
    /// The thought of the bot whose turn it is.
    thought: Option<Thought<Action>>,
    file: Option<PathBuf>,
    keep: bool,
    things: Arc<Things>,
    /// The state to restore after a replay.
    snapshot: Option<Snapshot>,
}

impl CurrentMatch {
    /// Whether the match is saved, if there is a folder for it: see [`Beginning::keep`].
    #[must_use]
    pub fn is_kept(&self) -> bool {
        self.keep
    }

    /// The same match from its start, with another rack.
    ///
    /// # Errors
    /// The game cannot start on its table. This is not expected, as it did before.
    pub fn again(&self) -> Result<Beginning, String> {
        let game = self.game();
        let spec = MatchSpec { seed: game.spec().seed.wrapping_add(1), ..game.spec().clone() };
        let game = Match::on_table(spec, game.game(), game.table().clone())?;
        Ok(Beginning { keep: self.keep, ..Beginning::with_seats(game, self.seats().clone()) })
    }

    /// The file of the match, if it has one.
    #[must_use]
    pub fn file(&self) -> Option<&std::path::Path> {
        self.file.as_deref()
    }

    /// The entity of a ball.
    #[must_use]
    pub fn entity_of(&self, ball: BallId) -> Option<Entity> {
        self.things.balls.get(ball.index()).copied()
    }

    /// The ball of an entity.
    #[must_use]
    pub fn ball_of(&self, entity: Entity) -> Option<BallId> {
        self.things.ball(entity)
    }

    /// The pocket of an entity.
    #[must_use]
    pub fn pocket_of(&self, entity: Entity) -> Option<PocketId> {
        self.things.pocket(entity)
    }
}

#[cfg(test)]
mod tests;
