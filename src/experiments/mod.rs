//! Experiments: a question, a prediction, a measurement of a running scene, and the exact result beside it.
//!
//! [`EXPERIMENTS`] lists them. Each is a file with a constant [`Experiment`] and its [`Meter`], and a line below. A
//! scene names its experiment in the field [`experiment`](crate::scene::SceneFile::experiment); the shipped scene of
//! the same name is its start. [`Trial`] with [`ExperimentPlugin`] measures the experiment of the running scene.
//!
//! | module | contents |
//! |---|---|
//! | `definition` | what an experiment is |
//! | `meters` | parts that several meters share |
//! | `trial` | [`Trial`] and its plugin |
//! | the others | the experiments, one file each |
//!
//! Sources of the exact results are in each experiment. Sizes are in metres, speeds in m/s.

mod definition;
mod meters;
mod trial;

pub use definition::{Choice, Exact, Experiment, Meter, Modes, Outcome, Prediction, Start, Vary};
pub use trial::{ExperimentPlugin, Trial, run_to_end};

macro_rules! experiments {
    ($($file:ident: $experiment:ident,)*) => {
        $(pub(crate) mod $file;)*

        /// All experiments, in the order of the menus.
        pub const EXPERIMENTS: &[&Experiment] = &[$(&$file::$experiment),*];
    };
}

experiments! {
    sinai: SINAI,
    stadium: STADIUM,
    galton: GALTON,
    galperin: GALPERIN,
    chain: CHAIN,
    cannon: CANNON,
    corridor: CORRIDOR,
    piston: PISTON,
    closing_wall: CLOSING_WALL,
    shock: SHOCK,
    fermi: FERMI,
    demon: DEMON,
    leak: LEAK,
    mix: MIX,
    brownian: BROWNIAN,
    depletion: DEPLETION,
    atmosphere: ATMOSPHERE,
    freezing: FREEZING,
    cooling: COOLING,
    lorentz: LORENTZ,
    bounce: BOUNCE,
    futures: FUTURES,
    wedge: WEDGE,
}

/// The experiment of this name.
#[must_use]
pub fn experiment(name: &str) -> Option<&'static Experiment> {
    EXPERIMENTS.iter().find(|experiment| experiment.name == name).copied()
}
