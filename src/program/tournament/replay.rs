//! `carom replay`: a recorded match is played again and compared with its record.

use std::path::{Path, PathBuf};

use super::summary::told_apart;
use crate::{
    games::{LinkedMatch, Match, MatchRecord},
    link::Link,
    program::{Ending, output::Output},
    scene::read_text,
};

/// A match that is to be played again.
#[derive(Clone, Debug)]
pub struct ReplayRequest {
    /// The file, or a link.
    pub file: PathBuf,
    /// Where its numbers go.
    pub json: Option<PathBuf>,
    /// Whether to leave out the progress bar and the summary.
    pub quiet: bool,
}

/// Plays a recorded match again, and says whether it is what was recorded.
///
/// # Errors
/// In one line what cannot be done, and what to do about it.
pub fn replay(request: &ReplayRequest) -> Result<Ending, String> {
    let json = Output::wanted("--json", request.json.as_deref())?;
    let name = match_name(&request.file);
    let record = read_match(&request.file)?;
    let replayed = Match::replay(&record).map_err(|departure| format!("{name}: {departure}"))?;
    let statistics = replayed.statistics();
    if let Some(json) = &json {
        json.write_json(&statistics)?;
    }
    if !request.quiet && !json.is_some_and(|json| json.is_standard()) {
        let [one, two] = told_apart(&record.spec.players);
        let [a, b] = replayed.racks();
        let all = match record.log.len() {
            0 => "nothing has been done yet".to_owned(),
            1 => "its one action is as it was recorded, to the bit".to_owned(),
            count => format!("all {count} actions are as they were recorded, to the bit"),
        };
        Output::standard().write(format!("{}: {one} {a}, {two} {b}; {all}\n", record.spec.game))?;
    }
    Ok(Ending::Whole)
}

/// Reads a saved match, or that of a link; where the latter departs from what was linked, that is said on standard
/// error.
///
/// # Errors
/// In one line why it cannot be read, or what is wrong with it and where.
pub(in crate::program) fn read_match(path: &Path) -> Result<MatchRecord, String> {
    let argument = path.to_string_lossy();
    if Link::is_meant(&argument) {
        let link = Link::read(&argument).map_err(|error| error.to_string())?;
        let LinkedMatch { game, departure } = LinkedMatch::of(&link)?;
        if let Some(departure) = departure {
            eprintln!("carom: {departure}");
        }
        return Ok(game.record());
    }
    let text = read_text(path).map_err(|error| format!("{error}; give a file that carom play --save has written"))?;
    MatchRecord::parse(&text, &match_name(path))
}

/// What a match is called in messages: its file; a link is too long for that.
pub(in crate::program) fn match_name(path: &Path) -> String {
    if Link::is_meant(&path.to_string_lossy()) { "a link".to_owned() } else { path.display().to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_match_is_said_with_where_matches_come_from() {
        let missing = ReplayRequest { file: "nowhere.ron".into(), json: None, quiet: true };
        assert!(replay(&missing).unwrap_err().contains("carom play --save"));
    }
}
