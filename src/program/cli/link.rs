//! The arguments of `carom link`.

use std::path::PathBuf;

use clap::Args;

use super::{Beginning, laboratory::names, scene_source, seconds, ticks};
use crate::program::{
    link::{Look, Request, Subject},
    run::Length,
};

// The comments are the help text in the terminal, where backticks would be noise.
#[allow(clippy::doc_markdown)]
#[derive(Args, Debug)]
pub(super) struct LinkArguments {
    /// The scene: a name that `carom scenes` lists, a file that ends in .ron, or another link [default: nine-ball]
    scene: Option<String>,
    /// A match instead of a scene: a file written by `carom play --save` or the window
    #[arg(long = "match", value_name = "FILE.ron", conflicts_with_all = ["scene", "ticks", "seconds", "settings", "strike", "seed", "title", "description", "paused"])]
    game: Option<PathBuf>,
    /// The number of ticks to run first
    #[arg(long, value_name = "N", conflicts_with = "seconds", allow_hyphen_values = true, value_parser = ticks)]
    ticks: Option<u64>,
    /// The simulated seconds to run first [default: 0]
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = seconds)]
    seconds: Option<f64>,
    /// Change a setting of the scene, as in `carom simulate`; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE", num_args = 1..)]
    settings: Vec<String>,
    #[command(flatten)]
    beginning: Beginning,
    /// A title instead of the scene's
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// A description instead of the scene's
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// Start paused; on a page, a button starts it
    #[arg(long)]
    paused: bool,
    /// Lock sections of the panel for a class, separated by commas; `all` locks every section that changes the scene
    #[arg(long, value_name = "SECTIONS", conflicts_with = "game")]
    lock: Option<String>,
    /// Put the address of a page in front
    #[arg(long, value_name = "URL", default_value = "", value_parser = address)]
    address: String,
}

impl LinkArguments {
    /// Converts the arguments into a request.
    ///
    /// # Errors
    /// For an invalid argument, with the remedy.
    pub(super) fn request(self) -> Result<Request, String> {
        let subject = match self.game {
            Some(path) => Subject::Match(path),
            None => Subject::Scene {
                source: scene_source(self.scene.as_deref())?,
                length: self.ticks.map_or(Length::Seconds(self.seconds.unwrap_or(0.0)), Length::Ticks),
                settings: self.beginning.settings(&self.settings)?,
                strike: self.beginning.strike()?,
                look: Look {
                    title: self.title,
                    description: self.description,
                    paused: self.paused,
                    locked: self.lock.as_deref().map(names),
                },
            },
        };
        Ok(Request { subject, address: self.address })
    }
}

fn address(text: &str) -> Result<String, String> {
    if text.contains('#') || text.chars().any(char::is_whitespace) {
        return Err("it must be an address without `#` and spaces; the link brings its own `#`".to_owned());
    }
    Ok(text.to_owned())
}
