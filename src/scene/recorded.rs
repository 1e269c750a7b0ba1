//! The text of a run: the scene at its start, what was changed while it ran, and hashes of its states.
//!
//! This file knows the form only. [`run_file`](crate::run_file) makes runs from a history, and replays them.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{
    look::{BallColour, DiscLook, Hex},
    ron_value::RonValue,
    shipped::ShippedScene,
    text::without_preamble,
    whole::MAX_DISCS,
};
use crate::{components::InvalidValue, link::PHYSICS};

/// The version of the form that is written.
pub(super) const FORMAT: u32 = 1;

/// A run: the scene at its start, everything that others than the tick changed while it ran, each with its tick, and
/// hashes of its states. See [`run_file`](crate::run_file).
///
/// Its text is RON. [`SceneFile`](super::SceneFile) reads it too, and then has it in
/// [`SceneFile::run`](super::SceneFile::run).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunFile {
    /// The version of the form.
    run: u32,
    /// The version of the program that made it. In other versions the same scene may develop differently.
    pub(crate) version: String,
    /// The scene at its start: the name of a shipped one, in quotes, or a scene file.
    pub(crate) scene: RonValue,
    /// The number of ticks.
    pub(crate) ticks: u64,
    /// The [`world_hash`](super::world_hash) after some ticks, before the changes that follow them.
    pub(crate) hashes: BTreeMap<u64, Hash>,
    /// How the discs look that appear during the run, by their ids.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) looks: BTreeMap<u64, Look>,
    /// The changes, in order.
    #[serde(default)]
    pub(crate) changes: Vec<Change>,
}

/// What was changed at one time. Entities are named by the [`StableId`](crate::components::StableId)s that they had
/// when they were first there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Change {
    /// The tick before which it was changed, counted from 1 at the start.
    pub tick: u64,
    /// The entities that appear.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub appear: Vec<u64>,
    /// The components that are written, by the names of their fields, with the entities that have them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub set: BTreeMap<String, BTreeMap<u64, RonValue>>,
    /// The components that are removed.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub remove: BTreeMap<String, Vec<u64>>,
    /// The settings that are changed, by their names in scene files.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, RonValue>,
    /// The entities that disappear.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disappear: Vec<u64>,
}

/// A hash, written as 16 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hash(pub u64);

impl Serialize for Hash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&format!("{:016x}", self.0))
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let digits = Some(&text).filter(|text| text.len() == 16 && text.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let hash = digits.and_then(|digits| u64::from_str_radix(digits, 16).ok());
        hash.map(Self).ok_or_else(|| de::Error::custom(format!("`{text}` is not a hash of 16 hexadecimal digits")))
    }
}

/// How a disc is drawn that appears during a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Look {
    #[serde(skip_serializing_if = "Option::is_none")]
    colour: Option<Hex>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ball_colour: Option<BallColour>,
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<u8>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    striped: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    arrow: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
}

impl From<DiscLook> for Look {
    fn from(DiscLook { colour, ball_colour, number, striped, arrow, label }: DiscLook) -> Self {
        Self { colour: colour.map(Hex::from), ball_colour, number, striped, arrow, label }
    }
}

impl From<Look> for DiscLook {
    fn from(Look { colour, ball_colour, number, striped, arrow, label }: Look) -> Self {
        Self { colour: colour.map(Into::into), ball_colour, number, striped, arrow, label }
    }
}

/// Whether a text is meant as a run rather than a scene: it begins with the version of its form.
pub(super) fn is_run(text: &str) -> bool {
    let rest = without_preamble(text).and_then(|rest| rest.strip_prefix('('));
    rest.and_then(without_preamble)
        .and_then(|rest| rest.strip_prefix("run"))
        .is_some_and(|rest| without_preamble(rest).is_some_and(|rest| rest.starts_with(':')))
}

impl RunFile {
    /// The largest number of ticks.
    pub const MOST_TICKS: u64 = 1_000_000_000;

    /// The largest number of hashes.
    pub const MOST_HASHES: usize = 4096;

    /// The largest number of changes.
    pub const MOST_CHANGES: usize = 1_000_000;

    /// The largest number of entities that appear, each time counted.
    pub const MOST_APPEARANCES: usize = MAX_DISCS;

    pub(crate) fn new(scene: RonValue, ticks: u64, hashes: BTreeMap<u64, Hash>, changes: Vec<Change>) -> Self {
        Self { run: FORMAT, version: PHYSICS.to_owned(), scene, ticks, hashes, looks: BTreeMap::new(), changes }
    }

    /// The version of the program that made it.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The number of its ticks.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// The ticks after which its state was hashed, each with its [`world_hash`](super::world_hash). The start is
    /// tick 0.
    pub fn hashes(&self) -> impl Iterator<Item = (u64, u64)> {
        self.hashes.iter().map(|(&tick, hash)| (tick, hash.0))
    }

    /// The ticks before which something was changed, in order, each once.
    #[must_use]
    pub fn changed_ticks(&self) -> Vec<u64> {
        let mut ticks: Vec<u64> = self.changes.iter().map(|change| change.tick).collect();
        ticks.dedup();
        ticks
    }

    /// The name of the shipped scene that it starts from, if it starts from one.
    #[must_use]
    pub fn scene_name(&self) -> Option<&'static str> {
        let name: String = self.scene.read().ok()?;
        ShippedScene::named(&name).map(|scene| scene.name)
    }

    /// All values whose types the form does not know.
    pub(super) fn values(&mut self) -> impl Iterator<Item = &mut RonValue> {
        let changes = self.changes.iter_mut().flat_map(|change| {
            change.set.values_mut().flat_map(BTreeMap::values_mut).chain(change.settings.values_mut())
        });
        std::iter::once(&mut self.scene).chain(changes)
    }

    /// Checks counts and the order of ticks.
    pub(crate) fn check(&self) -> Result<(), InvalidValue> {
        let too_many = |place: &'static str, count: usize, most: usize| {
            let problem = format!("there are {count}, and a run has at most {most}; save a shorter run");
            if count > most { Err(InvalidValue::without_value(place, problem)) } else { Ok(()) }
        };
        let (ticks, most) = (self.ticks, Self::MOST_TICKS);
        if ticks > most {
            return Err(InvalidValue::new(
                "ticks",
                ticks.to_string(),
                format!("a run has at most {most}; save a shorter run"),
            ));
        }
        too_many("hashes", self.hashes.len(), Self::MOST_HASHES)?;
        too_many("changes", self.changes.len(), Self::MOST_CHANGES)?;
        let appearances = self.changes.iter().map(|change| change.appear.len()).sum();
        too_many("the entities in changes.appear", appearances, Self::MOST_APPEARANCES)?;
        if let Some((tick, _)) = self.hashes.last_key_value().filter(|(tick, _)| **tick > ticks) {
            return Err(InvalidValue::new(
                "hashes",
                tick.to_string(),
                format!("the run ends at tick {ticks}; leave it out"),
            ));
        }
        let mut last = 1;
        for (i, Change { tick, .. }) in self.changes.iter().enumerate() {
            if !(last..=ticks + 1).contains(tick) {
                let remedy = format!("it must be from {last}, the one before it, to {}, after the end", ticks + 1);
                return Err(InvalidValue::new(format!("changes[{i}].tick"), tick.to_string(), remedy));
            }
            last = *tick;
        }
        Ok(())
    }
}
