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
    a_kinematic_disc_pushes_a_block_against_a_wall,
    a_kinematic_disc_pushes_a_round_block_against_a_wall,
    joints_layers_and_pockets_at_10_hz,
}
