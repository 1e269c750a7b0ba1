//! `carom play --statistics`: the finished matches of the window against each bot.

use std::path::{Path, PathBuf};

use crate::{
    games::{AgainstBot, MatchResults},
    program::{
        Ending,
        output::{Output, write_summary},
        say,
    },
};

/// Sums up finished matches.
///
/// # Errors
/// The results cannot be read, or the output cannot be written. The message is one line and names the remedy.
pub fn statistics(results: Option<&Path>, json: Option<&Path>) -> Result<Ending, String> {
    let path = results.map(Path::to_owned).or_else(usual_results);
    let path = path.ok_or("there is no folder for data; give --results FILE")?;
    let json = Output::wanted("--json", json)?;
    let results = MatchResults::read(&path).map_err(|error| format!("{}: cannot be read ({error})", path.display()))?;
    if results.damaged > 0 {
        say(&format!("{}: damaged lines left out: {}", path.display(), results.damaged));
    }
    let all = results.against_bots();
    if let Some(json) = &json {
        json.write_json(&all)?;
    }
    let words: String = all.iter().map(in_words).collect();
    let none = "no match against a bot was played to its end\n".to_owned();
    write_summary(if words.is_empty() { none } else { words }, false, &json)?;
    Ok(Ending::Whole)
}

fn in_words(one: &AgainstBot) -> String {
    let AgainstBot { bot, game, played, won, racks: [own, its], pots_per_visit, you, .. } = one;
    format!(
        "{bot}, {game}: {won} of {played} matches won, racks {own} to {its}, {pots_per_visit:.2} balls potted a visit, \
         {:.0} % of attempts succeeded, longest break {}, fouls {}\n",
        100.0 * you.success_rate,
        you.longest_break,
        you.fouls
    )
}

/// The file of results of the window.
fn usual_results() -> Option<PathBuf> {
    #[cfg(feature = "program")]
    return crate::program::folders::matches().map(|folder| MatchResults::file_beside(&folder));
    #[cfg(not(feature = "program"))]
    None
}
