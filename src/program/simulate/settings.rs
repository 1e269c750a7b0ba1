//! `--set key=value`: one setting of a scene by its name.

use std::str::FromStr;

use bevy::math::Vec2;

use crate::{
    collision::{
        CombineRule, Mode,
        spin::{
            TablePhysics,
            cushion::{CushionModel, CushionRestitution},
            pair::PairFriction,
        },
    },
    scene::{
        SceneFile, SceneRegistry,
        generate::{Contents, Generator, MAX_DISCS},
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
const KEYS: [&str; 28] = [
    "mode",
    "restitution",
    "wall_restitution",
    "restitution_rule",
    "periodic_x",
    "periodic_y",
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
    "sliding",
    "rolling",
    "spinning",
    "ball_friction",
    "cushion",
    "cushion_restitution",
    "cushion_friction",
    "nose_height",
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
        let Some(setting) = KEYS.iter().find(|setting| **setting == key.trim()) else {
            let hint = nearest_name(key, &KEYS).map(|near| format!(", did you mean `{near}`")).unwrap_or_default();
            return Err(format!("--set {text}: there is no setting `{key}`{hint}; the settings are {keys}"));
        };
        Ok(Self { key: setting, value: value.trim().to_owned() })
    }

    /// Sets it in a scene. What the generators make of it has to be checked afterwards.
    ///
    /// # Errors
    /// The value is not of the kind that the setting takes or outside of its range, or the scene has nothing to set.
    pub fn apply(&self, file: &mut SceneFile) -> Result<(), String> {
        self.put(file)?;
        file.check_settings(&SceneRegistry::default()).map_err(|problem| format!("--set {self}: {problem}"))
    }

    fn put(&self, file: &mut SceneFile) -> Result<(), String> {
        let SceneFile { collision, motion, pace, .. } = file;
        match self.key {
            "mode" => {
                collision.mode = self.named(&Mode::ALL).ok_or_else(|| self.not("stepped or continuous"))?;
            }
            "restitution" => collision.restitution = self.value("a number from 0 to 1")?,
            "wall_restitution" => {
                collision.wall_restitution = self.value("a number from 0 to 1")?;
                self.reject_where_balls_spin(
                    file,
                    "the cushions have a restitution of their own",
                    "cushion_restitution",
                )?;
            }
            "restitution_rule" => {
                let rule = self.named(&[
                    (CombineRule::Smallest, "smallest"),
                    (CombineRule::Largest, "largest"),
                    (CombineRule::Product, "product"),
                    (CombineRule::Mean, "mean"),
                ]);
                collision.restitution_rule = rule.ok_or_else(|| self.not("smallest, largest, product or mean"))?;
            }
            "periodic_x" => collision.periodic.x = self.ends()?,
            "periodic_y" => collision.periodic.y = self.ends()?,
            "substeps" => collision.substeps = self.value("a whole number from 1 to 64")?,
            "push_apart" => collision.push_apart = self.value("true or false")?,
            "push_apart_share" => collision.push_apart_share = self.value("a number from 0 to 1")?,
            "resting_speed" => collision.resting_speed = self.value("a speed from 0 to 1e12 m/s")?,
            "sleep_speed" => collision.sleep_speed = self.value("a speed from 0 to 1e12 m/s")?,
            "report_above" => collision.report_above = self.value("a speed from 0 to 1e12 m/s")?,
            "impact_budget" => collision.impact_budget = self.value("a whole number from 1 to 1000000")?,
            "gravity" => motion.gravity = self.vector()?,
            "drag" => motion.drag = self.value("a number from 0 to 1e12, in 1/s")?,
            "friction" => {
                motion.friction = self.value("a deceleration from 0 to 1e12 m/s²")?;
                if motion.friction > 0.0 {
                    let has_own = "the cloth has frictions of its own, and this would come on top";
                    self.reject_where_balls_spin(file, has_own, "sliding, rolling or spinning")?;
                }
            }
            "sliding" => {
                let sliding = self.value("a coefficient from 0 to 10")?;
                let table = self.table(file)?;
                // It is the same cloth that a nose presses the ball on.
                (table.cloth.sliding, table.cushion.cloth_friction) = (sliding, sliding);
            }
            "rolling" => self.table(file)?.cloth.rolling = self.value("a coefficient from 0 to 10")?,
            "spinning" => self.table(file)?.cloth.spinning = self.value("a deceleration from 0 to 1e6 rad/s²")?,
            "ball_friction" => {
                let friction = match self.named(&[(PairFriction::None, "none"), (PairFriction::Alciatore, "alciatore")])
                {
                    Some(friction) => friction,
                    None => PairFriction::Constant(self.value("none, Alciatore or a coefficient from 0 to 10")?),
                };
                self.table(file)?.balls = friction;
            }
            "cushion" => {
                let model = self.named(&CushionModel::ALL);
                let model = model.ok_or_else(|| self.not("Mirror, HalfSpace, Stronge, Mathavan or Han"))?;
                self.table(file)?.cushion.model = model;
            }
            "cushion_restitution" => {
                let restitution = match self.named(&[(CushionRestitution::Han, "han")]) {
                    Some(restitution) => restitution,
                    None => CushionRestitution::Constant(self.value("Han or a number from 0 to 1")?),
                };
                self.table(file)?.cushion.restitution = restitution;
            }
            "cushion_friction" => self.table(file)?.cushion.friction = self.value("a coefficient from 0 to 10")?,
            "nose_height" => {
                self.table(file)?.cushion.nose_height = self.value("a number from 0 to 1 diameters of a ball")?;
            }
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

    /// What has this name, in small or large letters, with or without spaces.
    fn named<T: Copy>(&self, all: &[(T, &str)]) -> Option<T> {
        let plain = |text: &str| text.to_lowercase().replace([' ', '_', '-'], "");
        all.iter().find(|(_, name)| plain(name) == plain(&self.value)).map(|&(thing, _)| thing)
    }

    /// The physics of the scene's billiard table, which from now on stands in the file.
    fn table<'a>(&self, file: &'a mut SceneFile) -> Result<&'a mut TablePhysics, String> {
        if file.table.is_none() {
            file.table = self.expand(file)?.table;
        }
        file.table.as_mut().ok_or_else(|| {
            format!(
                "--set {self}: this scene has no billiard table; try `nine-ball`, `snooker` or `carom`, or carom simulate --from FILE.csv --table NAME"
            )
        })
    }

    fn expand(&self, file: &SceneFile) -> Result<Contents, String> {
        file.expand().map_err(|problem| format!("--set {self}: {problem}"))
    }

    /// Rejects what acts on smooth discs, where discs spin on a table.
    fn reject_where_balls_spin(&self, file: &SceneFile, why: &str, instead: &str) -> Result<(), String> {
        let contents = self.expand(file)?;
        let has_table = file.table.is_some() || contents.table.is_some();
        if has_table && contents.discs.iter().any(|disc| disc.spin().is_some()) {
            return Err(format!("--set {self}: balls lie on a table here, and {why}; set {instead} instead"));
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

    /// The ends of the cell along an axis, or none.
    fn ends(&self) -> Result<Option<(f32, f32)>, String> {
        if self.named(&[((), "none")]).is_some() {
            return Ok(None);
        }
        let parts = self.value.split_once(',');
        let ends = parts.and_then(|(low, high)| Some((low.trim().parse().ok()?, high.trim().parse().ok()?)));
        ends.map(Some).ok_or_else(|| self.not("none, or two numbers in metres, such as -2,2"))
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
                "cushion" => "half space",
                "push_apart" => "false",
                "restitution_rule" => "mean",
                "periodic_x" | "periodic_y" => "-1,1.5",
                _ => "1",
            };
            let mut file = SceneFile {
                table: Some(TablePhysics::default()),
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
            ("sliding=11", "from 0 to 10"),
            ("rolling=-0.1", "from 0 to 10"),
            ("spinning=1e7", "from 0 to 1e6 rad/s²"),
            ("ball_friction=11", "from 0 to 10"),
            ("ball_friction=some", "none, Alciatore or a coefficient"),
            ("cushion=soft", "Mirror, HalfSpace, Stronge, Mathavan or Han"),
            ("cushion_restitution=1.1", "from 0 to 1"),
            ("cushion_friction=nan", "from 0 to 10"),
            ("nose_height=2", "from 0 to 1"),
            ("tick_rate=1e5", "from 1 to 10000"),
            ("time_scale=0", "from 0.01 to 100"),
            ("count=1000001", "from 0 to 1000000"),
            ("count=-1", "from 0 to 1000000"),
            ("restitution_rule=best", "smallest, largest, product or mean"),
            ("periodic_x=1", "none, or two numbers in metres"),
            ("periodic_y=1,-1", "the first below the second"),
            ("seed=-1", "from 0 to 18446744073709551615"),
        ] {
            let gas = Generator::Gas(crate::scene::generate::Gas::default());
            let table = Some(TablePhysics::default());
            let mut file = SceneFile { table, generate: vec![gas], ..SceneFile::default() };
            let line = Setting::parse(text).unwrap().apply(&mut file).unwrap_err();
            assert!(line.starts_with(&format!("--set {text}: ")) && line.contains(range), "{line}");
        }
    }

    fn nine_ball() -> SceneFile {
        let table = crate::scene::generate::Table {
            rack: Some(crate::billiards::tables::Rack::NineBall),
            ..crate::scene::generate::Table::default()
        };
        SceneFile { generate: vec![Generator::Table(table)], ..SceneFile::default() }
    }

    #[test]
    fn a_table_keeps_what_is_not_set() {
        let mut file = nine_ball();
        let own = file.expand().unwrap().table.unwrap();
        for text in ["cushion=stronge", "cushion_restitution=HAN", "sliding=0.3", "ball_friction=none"] {
            Setting::parse(text).unwrap().apply(&mut file).unwrap();
        }
        let mut expected = own;
        expected.cushion.model = CushionModel::Stronge;
        expected.cushion.restitution = CushionRestitution::Han;
        (expected.cloth.sliding, expected.cushion.cloth_friction) = (0.3, 0.3);
        expected.balls = PairFriction::None;
        assert_eq!(file.table, Some(expected));
    }

    #[test]
    fn what_a_scene_has_no_use_for_is_rejected_with_the_remedy() {
        for (text, mut file, expected) in [
            ("cushion=Han", SceneFile::default(), "this scene has no billiard table; try `nine-ball`"),
            ("friction=0.1", nine_ball(), "set sliding, rolling or spinning instead"),
            ("wall_restitution=0.5", nine_ball(), "set cushion_restitution instead"),
        ] {
            let line = Setting::parse(text).unwrap().apply(&mut file).unwrap_err();
            assert!(line.starts_with(&format!("--set {text}: ")) && line.contains(expected), "{line}");
        }
        Setting::parse("friction=0").unwrap().apply(&mut nine_ball()).unwrap();
    }

    #[test]
    fn an_unknown_key_lists_the_known_ones() {
        let error = Setting::parse("restitutoin=1").unwrap_err();
        assert!(error.contains("did you mean `restitution`") && error.contains("push_apart_share"), "{error}");
    }
}
