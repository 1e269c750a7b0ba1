//! `carom replay`: replays a recorded match and compares it with its record.

use std::path::{Path, PathBuf};

use super::summary::told_apart;
use crate::{
    games::{Departure, LinkedMatch, Match, MatchRecord},
    link::Link,
    program::{
        Ending,
        output::{Output, keep_apart, write_summary},
        say,
        shot_diagram::diagram_of_shot,
    },
    scene::read_text,
};

/// A match to replay.
#[derive(Clone, Debug)]
pub struct ReplayRequest {
    /// The file, or a link.
    pub file: PathBuf,
    /// The file for the statistics.
    pub json: Option<PathBuf>,
    /// The file for a diagram of a shot.
    pub svg: Option<PathBuf>,
    /// The number of that shot, from 1. Default: the last one.
    pub shot: Option<usize>,
    /// Whether to omit the summary.
    pub quiet: bool,
}

/// Replays a recorded match, and reports whether it matches the record.
///
/// # Errors
/// If the match cannot be read or started. The message is one line and names the remedy.
pub fn replay(request: &ReplayRequest) -> Result<Ending, String> {
    let json = Output::wanted("--json", request.json.as_deref())?;
    let svg = Output::wanted("--svg", request.svg.as_deref())?;
    keep_apart(json.iter().chain(&svg))?;
    let name = match_name(&request.file);
    let record = read_match(&request.file)?;
    let replayed = match Match::replay(&record) {
        Ok(replayed) => replayed,
        Err(beginning @ Departure::Beginning(_)) => return Err(format!("{name}: {beginning}")),
        Err(departure) => {
            say(&format!("{name}: {departure}"));
            return Ok(Ending::Differs);
        }
    };
    let statistics = replayed.statistics();
    if let Some(json) = &json {
        json.write_json(&statistics)?;
    }
    if let Some(svg) = &svg {
        svg.write(diagram_of_shot(&replayed, request.shot).map_err(|reason| format!("{name}: {reason}"))?)?;
    }
    let [one, two] = told_apart(&record.spec.players);
    let [a, b] = replayed.racks();
    let all = match record.log.len() {
        0 => "nothing has been done yet".to_owned(),
        1 => "its one action is bit-identical to the recording".to_owned(),
        count => format!("all {count} actions are bit-identical to the recording"),
    };
    write_summary(
        format!("{}: {one} {a}, {two} {b}; {all}\n", record.spec.game),
        request.quiet,
        json.iter().chain(&svg),
    )?;
    Ok(Ending::Whole)
}

/// Reads a saved match from a file or a link. If a replayed link differs from the match that was linked, this is
/// reported on standard error.
///
/// # Errors
/// If the match cannot be read. The message is one line that says what is wrong and where.
pub(in crate::program) fn read_match(path: &Path) -> Result<MatchRecord, String> {
    let argument = path.to_string_lossy();
    if Link::is_meant(&argument) {
        let link = Link::read(&argument).map_err(|error| error.to_string())?;
        let LinkedMatch { game, departure } = LinkedMatch::of(&link)?;
        if let Some(departure) = departure {
            say(&departure.to_string());
        }
        return Ok(game.record());
    }
    let text = read_text(path).map_err(|error| format!("{error}; give a file that carom play --save has written"))?;
    MatchRecord::parse(&text, &match_name(path))
}

/// The name of a match in messages: its file, or `a link`, because a link is too long.
pub(in crate::program) fn match_name(path: &Path) -> String {
    if Link::is_meant(&path.to_string_lossy()) { "a link".to_owned() } else { path.display().to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_match_is_said_with_where_matches_come_from() {
        let missing = ReplayRequest { file: "nowhere.ron".into(), json: None, svg: None, shot: None, quiet: true };
        assert!(replay(&missing).unwrap_err().contains("carom play --save"));
    }
}
