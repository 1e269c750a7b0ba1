//! What an experiment is.

use std::ops::RangeInclusive;

use bevy::math::Vec2;

use crate::{
    collision::PhysicsSpace,
    laboratory::Estimate,
    scene::{SceneFile, SceneSource, ShippedScene},
};

/// An experiment with a scene. Each is a constant in its own file. Texts are English and [marked] for translation.
///
/// [marked]: crate::notice::mark
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    /// Its name, which is also that of its shipped scene.
    pub name: &'static str,
    /// The question, in one or two sentences.
    pub question: &'static str,
    /// What is measured, in a few words.
    pub quantity: &'static str,
    /// The unit of the measured value; empty for a number without one.
    pub unit: &'static str,
    /// The form of the prediction.
    pub prediction: Prediction,
    /// How exact the expected value is.
    pub exact: Exact,
    /// The formula of the expected value with its source.
    pub source: &'static str,
    /// Why the result is as it is, in a few sentences.
    pub why: &'static str,
    /// What to vary.
    pub vary: &'static [Vary],
    /// The modes of the solver in which it works.
    pub modes: Modes,
    /// The longest run, simulated seconds. A meter that is not done by then has no result.
    pub seconds: f64,
    /// Begins the measurement, before the first tick of the scene.
    ///
    /// # Errors
    /// Why the scene is not one for this experiment.
    pub begin: fn(&Start) -> Result<Box<dyn Meter>, String>,
}

impl Experiment {
    /// What was varied in a scene: the values that differ from those of the shipped scene, about which the question is.
    #[must_use]
    pub fn varied(&self, file: &SceneFile) -> Vec<(&'static Vary, f64)> {
        let shipped = ShippedScene::named(self.name).and_then(|scene| SceneSource::Shipped(scene.name).load().ok());
        let Some(shipped) = shipped else { return Vec::new() };
        let is_other = |vary: &'static Vary| {
            let (value, asked) = ((vary.get)(file)?, (vary.get)(&shipped)?);
            ((value - asked).abs() > 1e-5 * asked.abs()).then_some((vary, value))
        };
        self.vary.iter().filter_map(is_other).collect()
    }
}

/// The state before the first tick.
#[derive(Clone, Copy)]
pub struct Start<'a> {
    /// The discs, the terrain and the settings.
    pub space: &'a PhysicsSpace,
    /// The acceleration of gravity, m/s².
    pub gravity: Vec2,
}

/// Measures one run.
pub trait Meter: Send + Sync + 'static {
    /// Takes in a tick that has just run. The space reports every hit.
    fn observe(&mut self, space: &PhysicsSpace);

    /// The result so far.
    fn outcome(&self) -> Outcome;

    /// Whether the velocities of all discs are to be reversed before the next tick. Default: no. For a
    /// [history](crate::timeline::History) this is an edit.
    fn reverses(&self) -> bool {
        false
    }
}

/// The result of a run so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// The measured value with its standard error, and the expected value as its theory. `None` while there is none.
    /// Without an error the value is exact, such as a count.
    pub value: Option<Estimate>,
    /// How far along the run is, 0 to 1. At 1 the value is final.
    pub progress: f64,
}

impl Outcome {
    /// No value yet.
    #[must_use]
    pub fn waiting(progress: f64) -> Self {
        Self { value: None, progress: progress.clamp(0.0, 0.99) }
    }

    /// A final value.
    #[must_use]
    pub fn done(value: f64, error: Option<f64>, exact: f64) -> Self {
        Self { value: Some(Estimate { value, error, theory: Some(exact) }), progress: 1.0 }
    }

    /// Whether the value is final.
    #[must_use]
    pub fn is_final(&self) -> bool {
        self.value.is_some() && self.progress >= 1.0
    }
}

/// The form of a prediction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Prediction {
    /// A number from the first to the second value, in the unit of the experiment.
    Number {
        /// The smallest.
        low: f64,
        /// The largest.
        high: f64,
        /// The digits after the point.
        decimals: usize,
    },
    /// One of several answers, each for a range of values.
    Choice(&'static [Choice]),
}

/// A possible answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The answer.
    pub words: &'static str,
    /// The largest value for which it is right. The smallest is that of the answer before it.
    pub up_to: f64,
}

impl Prediction {
    /// The answer that is right for a value.
    #[must_use]
    pub fn choice_of(&self, value: f64) -> Option<usize> {
        match self {
            Self::Number { .. } => None,
            Self::Choice(choices) => choices.iter().position(|choice| value <= choice.up_to),
        }
    }
}

/// How exact an expected value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exact {
    /// It holds to rounding, or in the mean of a long run.
    Exactly,
    /// It holds in a limit, such as that of a slow wall or a dilute gas. The text of the source names it.
    InTheLimit,
    /// It was measured by an independent program.
    Measured,
}

impl Exact {
    /// All, with their displayed words.
    pub const ALL: [(Self, &str); 3] = [
        (Self::Exactly, crate::notice::mark("exact")),
        (Self::InTheLimit, crate::notice::mark("in the limit")),
        (Self::Measured, crate::notice::mark("measured elsewhere")),
    ];

    /// Its displayed words.
    #[must_use]
    pub fn words(self) -> &'static str {
        Self::ALL.into_iter().find(|(exact, _)| *exact == self).map_or("", |(_, words)| words)
    }
}

/// The modes of the solver in which an experiment works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Modes {
    /// Both.
    Both,
    /// Only the continuous mode. The text says how the stepped mode fails.
    Continuous(&'static str),
}

/// Something to vary in the scene of an experiment.
#[derive(Clone, Copy, Debug)]
pub struct Vary {
    /// Its name for the command line, in lower case with dashes.
    pub name: &'static str,
    /// Its displayed words.
    pub words: &'static str,
    /// Its unit; empty for a number without one.
    pub unit: &'static str,
    /// The smallest and the largest value.
    pub range: [f64; 2],
    /// Whether only whole numbers are allowed.
    pub is_whole: bool,
    /// The value in a scene; `None` if the scene has nothing of the kind.
    pub get: fn(&SceneFile) -> Option<f64>,
    /// Changes the value in a scene that has it.
    pub set: fn(&mut SceneFile, f64),
}

impl Vary {
    /// The allowed values.
    #[must_use]
    pub fn range(&self) -> RangeInclusive<f64> {
        self.range[0]..=self.range[1]
    }

    /// Changes the value in a scene.
    ///
    /// # Errors
    /// If the value is out of range, or the scene has nothing of the kind.
    pub fn apply(&self, file: &mut SceneFile, value: f64) -> Result<(), String> {
        let [low, high] = self.range;
        if !self.range().contains(&value) || self.is_whole && value.fract() != 0.0 {
            let kind = if self.is_whole { "a whole number" } else { "a number" };
            return Err(format!("{} must be {kind} from {low} to {high}", self.name));
        }
        if (self.get)(file).is_none() {
            return Err(format!("this scene has no {} to set", self.name));
        }
        (self.set)(file, value);
        Ok(())
    }
}
