//! Drills: positions to play again and again, with a score. A drill is a data file, and judging a shot is a pure
//! function of its events and of where the balls came to rest.
//!
//! | file | contents |
//! |---|---|
//! | `file` | [`Drill`]: the data file |
//! | `shipped` | the drills of `assets/drills` |
//! | `laid` | [`LaidDrill`]: a drill on a table, checked |
//! | `judge` | [`Judged`]: the score of a shot, and why it is not higher |
//! | `own` | [`OwnDrills`]: the custom drills of a folder |
//! | `progress` | [`Progress`]: the results of weeks in a file, with statistics |
//!
//! The rule book [`drill`](super::rulebooks::drill) plays a drill as a game, so matches, bots, the coach, links and
//! replays know drills too.
//!
//! ```
//! use carom::games::drills::shipped;
//!
//! for (name, drill) in shipped() {
//!     println!("{name}: {}", drill.description);
//! }
//! ```

mod file;
mod judge;
mod laid;
mod own;
mod progress;
mod shipped;

pub use file::{AreaSpec, Attempt, Demand, Drill, DrillError, Place, Position, TargetSpec, Unit};
pub use judge::Judged;
pub use laid::{LaidDrill, LaidPosition};
pub use own::{OwnDrill, OwnDrills, read_drill};
pub use progress::{Day, DrillResult, DrillSummary, Progress};
pub(in crate::games) use shipped::CHOICES;
pub use shipped::{name_of, named, shipped};
