//! Sentences of the rules and of the match that are written as they are. They stand in the games, which know no languages.

use crate::view::language::mark;

/// What is translated of what games, matches and their refusals say.
pub const TEXTS_OF_GAMES: [&str; 44] = [
    mark("8-ball"),
    mark("9-ball"),
    mark("10-ball"),
    mark("Straight pool (14.1)"),
    mark("Snooker"),
    mark("Straight rail"),
    mark("One-cushion"),
    mark("Three-cushion"),
    mark("Four-ball (sagu)"),
    mark("Table curling"),
    mark("Practice"),
    mark("The match is over."),
    mark("Choose first how it goes on."),
    mark("There is nothing to choose now."),
    mark("The cue ball is played from where it lies."),
    mark("Place the cue ball first."),
    mark("There is nothing to take back."),
    mark("Shots are not taken back in this match."),
    mark("A push-out is allowed only in the shot after the break."),
    mark("A safety cannot be called here."),
    mark("Choose the ball that you play at."),
    mark("That ball is not on."),
    mark("That ball cannot be called here."),
    mark("Call a ball and a pocket, or a safety."),
    mark("Call the pocket, too."),
    mark("It is not your turn yet."),
    mark("Wait until the balls rest."),
    mark("The shot stands."),
    mark("The match is held: nobody plays now."),
    mark("There is no such shot."),
    mark("No shot is looked at."),
    mark("That is the second foul in a row; a third one is a serious foul."),
    mark("It was a push-out: the other player chooses who shoots now."),
    mark("The 8 is spotted."),
    mark("Fourteen balls are racked again."),
    mark("All fifteen balls are racked again."),
    mark("All balls are racked, and the player breaks again."),
    mark("Foul and a miss."),
    mark("Free ball."),
    mark("The scores are level: the black is re-spotted, and the next score or foul ends the frame."),
    mark("open table"),
    mark("solids"),
    mark("stripes"),
    mark("on the 8"),
];

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::*;

    fn read(folder: &Path, text: &mut String) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                read(&path, text);
            } else {
                text.push_str(&fs::read_to_string(&path).unwrap());
            }
        }
    }

    #[test]
    fn games_say_what_is_translated_of_them() {
        let mut source = String::new();
        read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/games"), &mut source);
        for text in TEXTS_OF_GAMES {
            assert!(source.contains(&format!("\"{text}\"")), "{text}");
        }
    }
}
