//! `carom link`: writes a scene, a moment of a run, a shot or a match as a link.

use std::path::PathBuf;

use super::{
    Ending, account,
    output::Output,
    run::{Length, Ready, Start, headless},
    say,
    settings::Setting,
    strike::Shot,
    tournament::{match_name, read_match},
};
use crate::{
    collision::measure::{self, LeftOut},
    link::SAFE_LETTERS,
    scene::{self, SceneRegistry, SceneSource},
    timeline::advance,
};

/// The link to write.
#[derive(Clone, Debug)]
pub struct Request {
    /// The target of the link.
    pub subject: Subject,
    /// The address before its `#`; may be empty.
    pub address: String,
}

/// The target of a link.
#[derive(Clone, Debug)]
pub enum Subject {
    /// A moment of a run.
    Scene {
        /// The scene.
        source: SceneSource,
        /// How long the scene runs before the link is made.
        length: Length,
        /// Settings to change in the scene.
        settings: Vec<Setting>,
        /// The shot at the start: of the cue ball, or else of the first disc.
        strike: Option<Shot>,
        /// Its title and description, and whether it starts paused.
        look: Look,
    },
    /// The file of a saved match.
    Match(PathBuf),
}

/// Differences between the link and its scene.
#[derive(Clone, Debug, Default)]
pub struct Look {
    /// The title, if it differs.
    pub title: Option<String>,
    /// The text below the title, if it differs.
    pub description: Option<String>,
    /// Whether it starts paused, even if the scene does not.
    pub paused: bool,
    /// The sections of the panel that it locks, if they differ.
    pub locked: Option<Vec<String>>,
}

/// Writes the link to the standard output.
///
/// # Errors
/// If the link cannot be made. The message is one line and names the remedy.
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
        say(&format!(
            "the link has {} letters, and some programs cut those of more than {SAFE_LETTERS}; a file is safer: carom simulate --save FILE.ron, or that of the match",
            whole.len()
        ));
    }
    Output::standard().write(whole + "\n")?;
    account::say_left_out(&left_out);
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
    if let Some(locked) = &look.locked {
        file.locked.clone_from(locked);
        file.check_settings(&SceneRegistry::default()).map_err(|invalid| format!("--lock: {invalid}"))?;
    }
    let mut app = headless(());
    let world = app.world_mut();
    account::warn(&ready.begin(world)?.warnings);
    advance(world, ticks);
    let left_out = measure::about_to_be_left_out(world);
    Ok((scene::link(world)?, left_out))
}
