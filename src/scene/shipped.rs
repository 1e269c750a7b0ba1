//! The scenes that are part of the program.

/// A scene that is part of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShippedScene {
    /// Its name: the name of its file without the ending.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

impl ShippedScene {
    /// The shipped scene of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        shipped().iter().find(|scene| scene.name == name)
    }
}

macro_rules! scenes {
    ($($name:literal),* $(,)?) => {
        &[$(ShippedScene { name: $name, text: include_str!(concat!("../../assets/scenes/", $name, ".ron")) }),*]
    };
}

/// All shipped scenes, in the order of the menus. The first is the default.
#[must_use]
pub fn shipped() -> &'static [ShippedScene] {
    scenes![
        "nine-ball",
        "snooker",
        "carom",
        "break",
        "two-discs",
        "vector-lab",
        "quick-check",
        "precise-check",
        "many",
        "corners",
        "corner-right-angle",
        "corner-straight-back",
        "bumpers",
        "tiles",
        "cradle",
        "galperin",
        "chain",
        "cannon",
        "galton",
        "corridor",
        "closing-wall",
        "fermi",
        "stadium",
        "whispering",
        "circle",
        "ellipse",
        "sinai",
        "mushroom",
        "gas",
        "torus",
        "piston",
        "shock",
        "demon",
        "leak",
        "mix",
        "brownian",
        "depletion",
        "atmosphere",
        "freezing",
        "cooling",
        "lorentz",
        "bounce",
        "futures",
        "wedge",
        "pile",
        "pendulum",
        "wrecking-ball",
        "blocks",
        "see-saw",
    ]
}
