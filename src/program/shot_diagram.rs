//! The diagram of a shot of a match, for `carom drill` and `carom replay`.

use crate::{
    diagram::Diagram,
    games::{Action, Match, plugin::TablePosition},
};

/// A diagram of a shot of a match as SVG. Its number counts from 1. Default: the last one.
///
/// # Errors
/// There is no such shot, or it cannot be drawn. The message is one line.
pub(super) fn diagram_of_shot(game: &Match, number: Option<usize>) -> Result<String, String> {
    let shots = game.shots();
    let index = number.unwrap_or(shots.len()).checked_sub(1);
    let shot = index.and_then(|index| shots.get(index)).ok_or_else(|| match (shots.len(), number) {
        (0, _) | (_, None) => "no shot was played, so there is none to draw".to_owned(),
        (count, Some(number)) => format!("there is no shot {number}; give 1 to {count}"),
    })?;
    let position = TablePosition::of_shot(game, shot).map_err(|error| error.to_string())?;
    let diagram = match &shot.action {
        Action::Shoot { strike, .. } => {
            Diagram::of_shot(&position, strike, &shot.cue).map_err(|error| error.to_string())?
        }
        _ => Diagram::of_position(&position),
    };
    let words: Vec<String> = diagram.words().iter().map(ToString::to_string).collect();
    Ok(diagram.to_svg(&words))
}
