//! Scenes that once broke a promise, each a test of its own. The files can be run by `carom simulate`, too.

use carom::scene::SceneFile;

use crate::promises::Bench;

macro_rules! found {
    ($($name:ident),* $(,)?) => {$(
        #[test]
        fn $name() {
            let text = include_str!(concat!("found/", stringify!($name), ".ron"));
            let file = SceneFile::parse(text, stringify!($name)).unwrap_or_else(|error| panic!("{error}"));
            Bench::new().try_scene(&file).unwrap_or_else(|problem| panic!("{problem}"));
        }
    )*};
}

found! {
    a_disc_between_another_and_the_inside_of_an_arc,
    a_kinematic_disc_pushes_a_block_against_a_wall,
    a_kinematic_disc_pushes_a_round_block_against_a_wall,
    a_rod_whose_end_falls_into_a_pocket,
    joints_layers_and_pockets_at_10_hz,
    one_way_walls_in_a_periodic_cell_before_the_first_tick,
}

/// The walls of the second had been those of the first for the filter of one-way walls.
#[test]
fn one_way_walls_that_follow_another_scene() {
    let mut bench = Bench::new();
    for text in [include_str!("found/before_one_way_walls.ron"), include_str!("found/one_way_walls.ron")] {
        let file = SceneFile::parse(text, "one_way_walls").unwrap_or_else(|error| panic!("{error}"));
        bench.try_scene(&file).unwrap_or_else(|problem| panic!("{problem}"));
    }
}
