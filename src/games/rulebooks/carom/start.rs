//! The starting spots of carom games.

use bevy::math::Vec2;

use crate::games::rules::GameTable;

/// The positions of these spots, metres.
///
/// # Errors
/// The table lacks one. The message names all that the game needs.
pub(super) fn spots<const N: usize>(game: &str, names: [&str; N], table: &GameTable) -> Result<[Vec2; N], String> {
    let places = names.map(|name| table.spot(name));
    if places.contains(&None) {
        let [others @ .., last] = &names.map(|name| format!("`{name}`"))[..] else { unreachable!("give at least one") };
        return Err(format!("{game} needs a table with the spots {} and {last}", others.join(", ")));
    }
    Ok(places.map(Option::unwrap_or_default))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::test_support::table;

    #[test]
    fn a_table_that_lacks_a_spot_is_told_all_that_the_game_needs() {
        let table = table("carom-10ft");
        assert_eq!(spots("a game", ["foot", "head"], &table).unwrap()[0], table.spot("foot").unwrap());
        let why = spots("a game", ["foot", "attic", "head"], &table).unwrap_err();
        assert_eq!(why, "a game needs a table with the spots `foot`, `attic` and `head`");
    }
}
