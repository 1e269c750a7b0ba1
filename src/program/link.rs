//! `carom link`: a scene, a moment of a run, a shot or a match as a link.

use std::path::PathBuf;

use super::{
    Ending, account,
    output::Output,
    run::{Length, Ready, Start, headless},
    settings::Setting,
    strike::Shot,
    tournament::{match_name, read_match},
};
use crate::{
    collision::measure::{self, LeftOut},
    link::SAFE_LETTERS,
    scene::{self, SceneSource},
    timeline::advance,
};

/// A request of `carom link`.
#[derive(Clone, Debug)]
pub struct Request {
    /// The subject of the link.
    pub subject: Subject,
    /// The address before its `#`; may be empty.
    pub address: String,
}

/// The subject of a link.
#[derive(Clone, Debug)]
pub enum Subject {
    /// A moment of a run.
    Scene {
        /// The scene.
        source: SceneSource,
        /// The length of the run before.
        length: Length,
        /// Changes to the scene.
        settings: Vec<Setting>,
        /// The shot of the cue ball, or else of the first disc, at the start.
        strike: Option<Shot>,
        /// Its title, its description, and whether it is paused.
        look: Look,
    },
    /// A saved match, by its file.
    Match(PathBuf),
}

/// Overrides of the scene's look in a link.
#[derive(Clone, Debug, Default)]
pub struct Look {
    /// The title.
    pub title: Option<String>,
    /// The text below the title.
    pub description: Option<String>,
    /// Whether it starts paused. If false, as the scene says.
    pub paused: bool,
}

/// Writes the link.
///
/// # Errors
/// It cannot be done. The message says in one line how to fix it.
pub fn run(request: &Request) -> Result<Ending, String> {
    let (link, left_out) = match &request.subject {
        Subject::Scene { source, length, settings, strike, look } => {
            scene_link(source, (*length, settings, *strike), look)?
        }
        Subject::Match(path) => {
            let record = read_match(path)?;
            (record.to_link().map_err(|reason| format!("{}: {reason}", match_name(path)))?, Vec::new())
        }
    };
    let whole = format!("{}{link}", request.address);
    if whole.len() > SAFE_LETTERS {
        eprintln!(
            "carom: the link has {} letters, and some programs cut those of more than {SAFE_LETTERS}; a file is safer: carom simulate --save FILE.ron, or that of the match",
            whole.len()
        );
    }
    Output::standard().write(whole + "\n")?;
    account::say(&left_out);
    Ok(account::ending(&left_out))
}

fn scene_link(
    source: &SceneSource,
    (length, settings, strike): (Length, &[Setting], Option<Shot>),
    look: &Look,
) -> Result<(String, Vec<LeftOut>), String> {
    let mut ready = Ready::read(&Start::Scene(source.clone()), settings, strike)?;
    let file = &mut ready.scene.file;
    let ticks = length.in_ticks(file)?;
    if let Some(title) = &look.title {
        file.title.clone_from(title);
    }
    if let Some(description) = &look.description {
        file.description.clone_from(description);
    }
    file.pace.paused |= look.paused;
    let mut app = headless();
    let world = app.world_mut();
    account::warn(&ready.begin(world)?.warnings);
    advance(world, ticks);
    let left_out = measure::about_to_be_left_out(world);
    Ok((scene::link(world)?, left_out))
}
