//! The arguments of `carom simulate`.

use std::path::PathBuf;

use clap::Args;

use super::{Beginning, STATUS, games::table_names, scene_source, seconds, ticks};
use crate::{
    program::{
        run::{Length, Start},
        settings,
        simulate::{Place, Request, Walls, table_named},
    },
    ron_text::any_of,
};

/// The exit status of a run that differs.
const DIFFERS: &str = "4 if a recorded run was repeated, but differs.";

/// The coordinate system of all outputs.
const FRAME: &str = "Frame: x points right, y up in the picture, z from the table to whoever looks at it, right-handed; a ball that rolls along +x has a \
                     positive wy, and a positive wz turns counter-clockwise. Of a billiard table the origin is the middle, x runs along it, \
                     and the foot end, where balls are racked, is at +x. Metres, seconds, kilograms, rad/s.";

// The comments are the help text in the terminal, where backticks would be noise.
#[allow(clippy::doc_markdown)]
#[derive(Args, Debug)]
#[command(after_help = format!("{FRAME}\n\n{STATUS} {DIFFERS}"))]
pub(super) struct SimulateArguments {
    /// The scene: a name that `carom scenes` lists, a file that ends in .ron, or a link; a recorded run is repeated and
    /// compared [default: nine-ball]
    scene: Option<String>,
    /// The number of ticks to run
    #[arg(long, value_name = "N", conflicts_with = "seconds", allow_hyphen_values = true, value_parser = ticks)]
    ticks: Option<u64>,
    /// The simulated seconds to run [default: 10, or all of a recorded run]
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = seconds)]
    seconds: Option<f64>,
    #[arg(long = "set", value_name = "KEY=VALUE", num_args = 1.., help = settings::help())]
    settings: Vec<String>,
    /// Start from a table of discs instead of a scene: columns id,x,y,vx,vy,r,m, of which x,y,r must be there; for
    /// discs that spin wx,wy,wz (rad/s) and ball: 1 for a ball, 0 for a flat disc, which turns about z alone; empty for
    /// a ball if one of wx,wy,wz is there, else for a disc without spin; cue: 1 for the cue ball, which --strike
    /// shoots; number: the one written on it; height,vz (m, m/s) of a ball above the cloth
    #[arg(long, value_name = "FILE.csv", conflicts_with = "scene")]
    from: Option<PathBuf>,
    #[arg(long, value_name = "NAME", conflicts_with = "walls", help = table_help())]
    table: Option<String>,
    /// Put four walls around the discs of --from, W metres wide and H metres high: centred on X,Y; without that on the
    /// origin or, if discs lie outside, with the lower left corner at the origin. A scene has its own terrain
    #[arg(long = "box", value_name = "W,H[,X,Y]", allow_hyphen_values = true)]
    walls: Option<String>,
    #[command(flatten)]
    beginning: Beginning,
    /// Write the summary as JSON; `-` is the standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the final state as a table that --from reads (m, m/s, kg, rad/s) bit-identically, without
    /// the discs in pockets; `-` is the standard output
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write every event of the run as a table: time (s since the start), tick, kind (ball, cushion, jaw, pocket,
    /// rolls, rests, lands, leaves the table, stopped), id and name (cue ball, ball 3, disc 17), other and other_name
    /// (what was hit: such a ball, right cushion, top left corner), x, y, vx, vy, wx, wy, wz before and after, height,
    /// and vz before and after; only where discs spin, in the continuous mode; `-` is the standard output
    #[arg(long, value_name = "FILE.csv")]
    events: Option<PathBuf>,
    /// Write a picture of the start, the paths and the end; `-` is the standard output
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write the final state as a scene, with terrain and settings. Running it continues bit-identically; `-` is the
    /// standard output
    #[arg(long, value_name = "FILE.ron")]
    save: Option<PathBuf>,
    /// Show no progress bar and no summary. Without this, the summary is shown unless a file goes to the standard
    /// output
    #[arg(long)]
    quiet: bool,
}

/// The help of `--table`, with the list of tables.
fn table_help() -> String {
    format!(
        "Put the discs of --from on a billiard table, with its cushions, pockets and cloth, in the continuous mode at \
         120 ticks a second: NAME is {}. There a disc is a ball unless its column ball is 0, and has the radius and the \
         mass of the table's balls where r and m are empty or left out",
        any_of(&table_names())
    )
}

impl SimulateArguments {
    /// Converts the arguments into a request.
    ///
    /// # Errors
    /// For an invalid argument, with the remedy.
    pub(super) fn request(self) -> Result<Request, String> {
        let start = match (&self.from, &self.walls, &self.table) {
            (None, Some(walls), _) => {
                return Err(format!(
                    "--box {walls}: it puts walls around the discs of --from FILE.csv; a scene has its own terrain"
                ));
            }
            (None, _, Some(name)) => {
                return Err(format!(
                    "--table {name}: it puts the discs of --from FILE.csv on a billiard table, and no --from is there; a scene has a table of \
                     its own or none, so leave --table out, and for billiard balls take nine-ball, snooker or carom"
                ));
            }
            (None, None, None) => Start::Scene(scene_source(self.scene.as_deref())?),
            (Some(table), walls, name) => {
                let place = match (walls, name) {
                    (Some(walls), _) => Place::Box(Walls::parse(walls)?),
                    (None, Some(name)) => Place::Table(table_named(name)?),
                    (None, None) => Place::Open,
                };
                Start::Table { table: table.clone(), place }
            }
        };
        let length = self.ticks.map(Length::Ticks).or(self.seconds.map(Length::Seconds));
        let (settings, strike) = (self.beginning.settings(&self.settings)?, self.beginning.strike()?);
        let Self { json, csv, events, svg, save, quiet, .. } = self;
        Ok(Request { start, length, settings, strike, json, csv, events, svg, save, quiet })
    }
}
