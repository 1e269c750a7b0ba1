//! The arguments of `carom drill`.

use std::path::PathBuf;

use bevy::math::Vec2;
use clap::Args;

use super::whole;
use crate::{
    games::{PlayerSpec, bot},
    program::{
        DASHES,
        drill::{self, Players, Request},
        strike::Shot,
    },
};

/// The list of drills after the help.
fn drills_help() -> String {
    format!("Drills:\n{}", drill::list())
}

/// `carom drill`.
// The comments are the help text in the terminal, where backticks would be noise.
#[allow(clippy::doc_markdown)]
#[derive(Args, Debug)]
#[command(after_help = drills_help())]
pub(super) struct DrillArguments {
    /// The drill: a name from the list below, that of a custom drill, or a file that ends in .ron; without it, the
    /// list. Alone it is shown
    drill: Option<String>,
    /// The table [default: the drill's usual one]
    #[arg(long, value_name = "NAME", requires = "drill")]
    table: Option<String>,
    /// Play a stroke, as in carom simulate: speed of the ball in m/s and angle in degrees, if you like with the place
    /// of the tip and the elevation of the cue; may be given several times, in order
    #[arg(
        long = "strike",
        value_name = "SPEED,ANGLE[,SIDE,TOP[,ELEVATION]]",
        allow_hyphen_values = true,
        requires = "drill"
    )]
    strikes: Vec<String>,
    /// Where to place a cue ball that is in hand, in metres from the middle of the table; may be given several times,
    /// in order [default: a usual place]
    #[arg(long = "place", value_name = "X,Y", allow_hyphen_values = true, requires = "strikes")]
    places: Vec<String>,
    /// Let a bot play the drill, such as bot:strong
    #[arg(long, value_name = "BOT", requires = "drill", conflicts_with = "strikes")]
    player: Option<String>,
    /// The seed of the bot's hand
    #[arg(long, value_name = "N", default_value = "0", requires = "player", value_parser = whole)]
    seed: u64,
    /// Sum up the results that the window has kept; with a drill, day by day
    #[arg(long, conflicts_with_all = ["strikes", "player", "table"])]
    statistics: bool,
    /// The file of results [default: that of the window]
    #[arg(long, value_name = "FILE", requires = "statistics")]
    progress: Option<PathBuf>,
    /// Write the result as JSON; `-` is the standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write a diagram of the first position, or of the last shot that was played; `-` is the standard output
    #[arg(long, value_name = "FILE", requires = "drill", conflicts_with = "statistics")]
    svg: Option<PathBuf>,
}

impl DrillArguments {
    /// Converts the arguments into a request.
    ///
    /// # Errors
    /// For an invalid argument, with the remedy.
    pub(super) fn request(self) -> Result<Request, String> {
        let Self { drill, table, strikes, places, player, seed, statistics, progress, json, svg } = self;
        if statistics {
            return Ok(Request::Statistics { drill, progress, json });
        }
        let Some(drill) = drill else { return Ok(Request::List { json }) };
        let players = if let Some(player) = player {
            let spec = PlayerSpec::from(player.as_str());
            bot::player(spec.clone()).map_err(|reason| format!("{DASHES}player: {reason}"))?;
            Players::Bot { player: spec, seed }
        } else if strikes.is_empty() {
            return Ok(Request::Show { drill, table, json, svg });
        } else {
            let strikes = strikes.iter().map(|text| Shot::parse("--strike", text)).collect::<Result<_, _>>()?;
            Players::Strokes { strikes, places: places.iter().map(|text| place(text)).collect::<Result<_, _>>()? }
        };
        Ok(Request::Play { drill, table, players, json, svg })
    }
}

/// Reads `X,Y`.
fn place(text: &str) -> Result<Vec2, String> {
    let place = text.split_once(',').and_then(|(x, y)| {
        let place = Vec2::new(x.trim().parse().ok()?, y.trim().parse().ok()?);
        place.is_finite().then_some(place)
    });
    place.ok_or_else(|| format!("{DASHES}place {text}: give two numbers in metres, such as -0.8,0.1"))
}
