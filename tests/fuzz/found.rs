//! Scenes that once broke a promise, one test each. `carom simulate` runs the files too.

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
    a_block_that_presses_a_rod_flat_against_a_wall,
    a_block_that_slides_over_a_rod_on_a_floor,
    a_block_that_turns_fast_between_another_and_an_arc,
    a_disc_between_another_and_the_inside_of_an_arc,
    a_disc_that_falls_into_a_pocket_after_a_save,
    a_kinematic_disc_pushes_a_block_against_a_wall,
    a_kinematic_disc_pushes_a_round_block_against_a_wall,
    a_rod_whose_end_falls_into_a_pocket,
    a_round_block_on_a_floor_whose_budget_is_spent,
    a_spring_whose_ends_pass_close_by_each_other,
    discs_inside_of_an_arc_under_gravity,
    discs_that_wait_under_gravity,
    joints_layers_and_pockets_at_10_hz,
    one_way_walls_in_a_periodic_cell_before_the_first_tick,
    springs_beside_rods_whose_discs_are_hit,
}

/// The filter of one-way walls confused the walls of the second scene with those of the first.
#[test]
fn one_way_walls_that_follow_another_scene() {
    let mut bench = Bench::new();
    for text in [include_str!("found/before_one_way_walls.ron"), include_str!("found/one_way_walls.ron")] {
        let file = SceneFile::parse(text, "one_way_walls").unwrap_or_else(|error| panic!("{error}"));
        bench.try_scene(&file).unwrap_or_else(|problem| panic!("{problem}"));
    }
}
