//! `--set key=value`: one setting of a scene by its name.

use std::str::FromStr;

use bevy::math::Vec2;

use crate::{
    collision::Mode,
    scene::{
        SceneFile,
        generate::{Generator, MAX_DISCS},
        nearest_name,
    },
};

/// A setting that a command line changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    key: &'static str,
    value: String,
}

/// The names of all settings.
const KEYS: [&str; 17] = [
    "mode",
    "restitution",
    "wall_restitution",
    "substeps",
    "push_apart",
    "push_apart_share",
    "resting_speed",
    "sleep_speed",
    "report_above",
    "impact_budget",
    "gravity",
    "drag",
    "friction",
    "tick_rate",
    "time_scale",
    "count",
    "seed",
];

impl std::fmt::Display for Setting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}={}", self.key, self.value)
    }
}

impl Setting {
    /// The name of what is set.
    #[must_use]
    pub fn key(&self) -> &'static str {
        self.key
    }

    /// Reads `key=value`.
    ///
    /// # Errors
    /// There is no such key, or no value; the line lists the keys.
    pub fn parse(text: &str) -> Result<Self, String> {
        let keys = KEYS.join(", ");
        let Some((key, value)) = text.split_once('=') else {
            return Err(format!("--set {text}: write KEY=VALUE, with one of the keys {keys}"));
        };
        let Some(known) = KEYS.iter().find(|known| **known == key.trim()) else {
            let hint = nearest_name(key, &KEYS).map(|near| format!(", did you mean `{near}`")).unwrap_or_default();
            return Err(format!("--set {text}: there is no setting `{key}`{hint}; the settings are {keys}"));
        };
        Ok(Self { key: known, value: value.trim().to_owned() })
    }

    /// Sets it in a scene. What the generators make of it has to be checked afterwards.
    ///
    /// # Errors
    /// The value is not of the kind that the setting takes or outside of its range, or the scene has nothing to set.
    pub fn apply(&self, file: &mut SceneFile) -> Result<(), String> {
        self.put(file)?;
        file.check_settings().map_err(|problem| format!("--set {self}: {problem}"))
    }

    fn put(&self, file: &mut SceneFile) -> Result<(), String> {
        let SceneFile { collision, motion, pace, .. } = file;
        match self.key {
            "mode" => {
                let name = self.value.to_lowercase();
                let mode = Mode::ALL.iter().find(|(_, known)| *known == name).map(|&(mode, _)| mode);
                collision.mode = mode.ok_or_else(|| self.not("stepped or continuous"))?;
            }
            "restitution" => collision.restitution = self.value("a number from 0 to 1")?,
            "wall_restitution" => collision.wall_restitution = self.value("a number from 0 to 1")?,
            "substeps" => collision.substeps = self.value("a whole number from 1 to 64")?,
            "push_apart" => collision.push_apart = self.value("true or false")?,
            "push_apart_share" => collision.push_apart_share = self.value("a number from 0 to 1")?,
            "resting_speed" => collision.resting_speed = self.value("a speed from 0 to 1e12 m/s")?,
            "sleep_speed" => collision.sleep_speed = self.value("a speed from 0 to 1e12 m/s")?,
            "report_above" => collision.report_above = self.value("a speed from 0 to 1e12 m/s")?,
            "impact_budget" => collision.impact_budget = self.value("a whole number from 1 to 1000000")?,
            "gravity" => motion.gravity = self.vector()?,
            "drag" => motion.drag = self.value("a number from 0 to 1e12, in 1/s")?,
            "friction" => motion.friction = self.value("a deceleration from 0 to 1e12 m/s²")?,
            "tick_rate" => pace.tick_rate = self.value("a number of ticks per second, from 1 to 10000")?,
            "time_scale" => pace.time_scale = self.value("a number from 0.01 to 100")?,
            "count" => {
                let kind = format!("a whole number from 0 to {MAX_DISCS}");
                let count = self.value(&kind)?;
                if count > MAX_DISCS {
                    return Err(self.not(&kind));
                }
                self.each_generator(file, |generator| generator.count_mut().map(|slot| *slot = count))?;
            }
            "seed" => {
                let seed = self.value("a whole number from 0 to 18446744073709551615")?;
                self.each_generator(file, |generator| generator.seed_mut().map(|slot| *slot = seed))?;
            }
            other => unreachable!("`{other}` is not one of the keys that `parse` lets through"),
        }
        Ok(())
    }

    fn value<T: FromStr>(&self, kind: &str) -> Result<T, String> {
        self.value.parse().map_err(|_| self.not(kind))
    }

    fn vector(&self) -> Result<Vec2, String> {
        let parts = self.value.split_once(',');
        parts
            .and_then(|(x, y)| Some(Vec2::new(x.trim().parse().ok()?, y.trim().parse().ok()?)))
            .ok_or_else(|| self.not("two numbers from -1e12 to 1e12 m/s², such as 0,-9.81"))
    }

    fn not(&self, kind: &str) -> String {
        format!("--set {self}: the value must be {kind}")
    }

    fn each_generator(
        &self,
        file: &mut SceneFile,
        mut set: impl FnMut(&mut Generator) -> Option<()>,
    ) -> Result<(), String> {
        if file.generate.iter_mut().filter_map(&mut set).count() > 0 {
            Ok(())
        } else {
            Err(format!("--set {}: this scene has no generator with a {0}; try `gas`, `pile` or `many`", self.key))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_applied() {
        for key in KEYS {
            let value = match key {
                "gravity" => "0,-9.81",
                "mode" => "continuous",
                "push_apart" => "false",
                _ => "1",
            };
            let mut file = SceneFile {
                generate: vec![Generator::Gas(crate::scene::generate::Gas::default())],
                ..SceneFile::default()
            };
            Setting::parse(&format!("{key}={value}")).unwrap().apply(&mut file).unwrap();
            file.check().unwrap();
            assert!(Setting::parse(&format!("{key}=?")).unwrap().apply(&mut file).is_err(), "{key}");
        }
    }

    #[test]
    fn what_is_out_of_range_is_reported_with_its_name_its_value_and_the_range() {
        for (text, range) in [
            ("restitution=1.1", "from 0 to 1"),
            ("wall_restitution=-0.1", "from 0 to 1"),
            ("substeps=0", "from 1 to 64"),
            ("substeps=-1", "from 1 to 64"),
            ("substeps=65", "from 1 to 64"),
            ("push_apart_share=2", "from 0 to 1"),
            ("resting_speed=1e30", "from 0 to 1e12 m/s"),
            ("sleep_speed=-1", "from 0 to 1e12 m/s"),
            ("report_above=nan", "from 0 to 1e12 m/s"),
            ("impact_budget=0", "from 1 to 1000000"),
            ("gravity=1e30,0", "from -1e12 to 1e12 m/s²"),
            ("gravity=0,-inf", "from -1e12 to 1e12 m/s²"),
            ("gravity=1", "from -1e12 to 1e12 m/s²"),
            ("drag=1e30", "from 0 to 1e12, in 1/s"),
            ("friction=-1", "from 0 to 1e12 m/s²"),
            ("tick_rate=1e5", "from 1 to 10000"),
            ("time_scale=0", "from 0.01 to 100"),
            ("count=1000001", "from 0 to 1000000"),
            ("count=-1", "from 0 to 1000000"),
            ("seed=-1", "from 0 to 18446744073709551615"),
        ] {
            let gas = Generator::Gas(crate::scene::generate::Gas::default());
            let mut file = SceneFile { generate: vec![gas], ..SceneFile::default() };
            let line = Setting::parse(text).unwrap().apply(&mut file).unwrap_err();
            assert!(line.starts_with(&format!("--set {text}: ")) && line.contains(range), "{line}");
        }
    }

    #[test]
    fn an_unknown_key_lists_the_known_ones() {
        let error = Setting::parse("restitutoin=1").unwrap_err();
        assert!(error.contains("did you mean `restitution`") && error.contains("push_apart_share"), "{error}");
    }
}
