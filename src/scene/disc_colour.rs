//! Which colour a disc has. The window and the pictures of `carom simulate` follow this rule.

use bevy::color::Color;

use super::look::{BallColour, DiscLook};
use crate::{billiards::tables::BallName, components::StableId};

/// Where the colour of a disc comes from. A theme has the colours themselves.
///
/// ```
/// # use carom::{components::StableId, scene::{DiscColour, DiscLook}};
/// let look = DiscLook { number: Some(3), ..DiscLook::default() };
/// assert_eq!(DiscColour::of(StableId(7), Some(&look), false), DiscColour::Numbered(2));
/// assert_eq!(DiscColour::of(StableId(7), None, false), DiscColour::ById(7));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DiscColour {
    /// Its own colour.
    Own(Color),
    /// The colour of a ball that is identified by its colour.
    Ball(BallColour),
    /// One of the eight colours of numbered balls, 0 to 7: that of balls 1 to 8, which balls 9 to 16 repeat, and so on.
    Numbered(usize),
    /// The white of balls.
    White,
    /// One of the eight colours of discs, 0 to 7, by its [`StableId`].
    ById(usize),
}

impl DiscColour {
    /// The colour of a disc. The first of these that it has applies:
    ///
    /// 1. its own colour
    /// 2. the colour of a ball identified by its colour
    /// 3. the colour of its number, which is white for 0
    /// 4. white, for a cue ball on a table
    /// 5. a colour by its id
    ///
    /// `is_cue_on_table` is whether it is a [`CueBall`](super::CueBall) in the surroundings
    /// [`Table`](super::Surroundings::Table). In a laboratory a cue ball has the colour of any other disc.
    #[must_use]
    pub fn of(id: StableId, look: Option<&DiscLook>, is_cue_on_table: bool) -> Self {
        let own = look.and_then(|look| look.colour).map(Self::Own);
        let ball = || look.and_then(|look| look.ball_colour).map(Self::Ball);
        let numbered = || look.and_then(|look| look.number).map(Self::of_number);
        let white = || is_cue_on_table.then_some(Self::White);
        own.or_else(ball).or_else(numbered).or_else(white).unwrap_or(Self::ById((id.0 % 8) as usize))
    }

    /// The colour of a ball of a game.
    #[must_use]
    pub fn of_ball(name: BallName) -> Self {
        Self::of(StableId(0), Some(&DiscLook::of_ball(name)), true)
    }

    /// The colour of the ball with this number: white for 0.
    #[must_use]
    pub fn of_number(number: u8) -> Self {
        number.checked_sub(1).map_or(Self::White, |before| Self::Numbered(usize::from(before % 8)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_explicit_colour_precedes_that_of_the_ball_and_that_precedes_the_white_of_a_cue_ball() {
        let (own, red) = (Some(Color::BLACK), Some(BallColour::Red));
        let look = |colour, ball_colour, number| DiscLook { colour, ball_colour, number, ..DiscLook::default() };
        for (look, is_cue, expected) in [
            (look(own, red, Some(3)), true, DiscColour::Own(Color::BLACK)),
            (look(None, red, Some(3)), true, DiscColour::Ball(BallColour::Red)),
            (look(None, None, Some(3)), true, DiscColour::Numbered(2)),
            (look(None, None, Some(9)), true, DiscColour::Numbered(0)),
            (look(None, None, Some(0)), false, DiscColour::White),
            (look(None, None, None), true, DiscColour::White),
            (look(None, None, None), false, DiscColour::ById(5)),
        ] {
            assert_eq!(DiscColour::of(StableId(5), Some(&look), is_cue), expected, "{look:?}, {is_cue}");
        }
        assert_eq!(DiscColour::of(StableId(5), None, true), DiscColour::White);
        assert_eq!(DiscColour::of(StableId(11), None, false), DiscColour::ById(3));
    }
}
