//! `--set KEY=VALUE`: changes a setting of a scene. The key is the path of the setting in a scene file, such as
//! `collision.restitution`, or the end of that path.
//!
//! The settings and their allowed values follow from the types of the scene file.

use std::{fmt, iter};

use bevy::{
    math::Vec2,
    reflect::{GetPath, PartialReflect, Reflect, TypeInfo, Typed},
};

use self::values::{read, words};

use crate::{
    collision::{CollisionSettings, Periodic, spin::TablePhysics},
    components::{InvalidValue, RejectedValue, ValueRange},
    motion::MotionSettings,
    ron_text::{did_you_mean, nearest_name},
    scene::{
        Pace, SceneFile, SceneRegistry, SceneSource,
        generate::{Generator, MAX_DISCS},
    },
};

#[cfg(test)]
mod tests;
mod values;

/// A change of a setting by the command line.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The key as it was written.
    key: String,
    value: String,
    known: Known,
}

/// A setting that exists.
#[derive(Clone, Debug)]
struct Known {
    /// Its section and the names of its fields, separated by dots.
    path: String,
    info: &'static TypeInfo,
    /// What to do about a number out of its range, if it has a range.
    remedy: Option<String>,
}

/// Additional keys, and the paths that they mean.
const ALIASES: [(&str, &str); 2] = [("cushion", "table.cushion.model"), ("ball_friction", "table.balls")];

/// What setting the one also sets, unless that is set, too: it is the same cloth that a nose presses the ball on.
const IMPLIED: [&str; 2] = ["table.cloth.sliding", "table.cushion.cloth_friction"];

const COUNT: &str = "generate.count";
const SEED: &str = "generate.seed";

impl Known {
    /// All settings, in the order of the scene file.
    fn all() -> Vec<Self> {
        let mut all = Vec::new();
        for (section, info) in [
            ("collision", CollisionSettings::type_info()),
            ("motion", MotionSettings::type_info()),
            ("pace", Pace::type_info()),
            ("table", TablePhysics::type_info()),
        ] {
            Self { path: section.to_owned(), info, remedy: None }.add_to(&mut all);
        }
        let count = Self { path: COUNT.to_owned(), info: usize::type_info(), remedy: Some(up_to(MAX_DISCS as u64)) };
        all.extend([count, Self::seed()]);
        all
    }

    fn seed() -> Self {
        Self { path: SEED.to_owned(), info: u64::type_info(), remedy: Some(up_to(u64::MAX)) }
    }

    /// Adds this setting, or for a struct its fields.
    fn add_to(self, all: &mut Vec<Self>) {
        match self.info {
            TypeInfo::Struct(info) if !info.is::<Vec2>() => {
                for field in info.iter() {
                    if let Some(info) = field.type_info() {
                        let remedy = if info.is::<Option<(f32, f32)>>() {
                            Some(Periodic::REMEDY.to_owned())
                        } else {
                            ValueRange::of_field(field).map(ValueRange::remedy)
                        };
                        Self { path: format!("{}.{}", self.path, field.name()), info, remedy }.add_to(all);
                    }
                }
            }
            _ => all.push(self),
        }
    }

    /// The setting with this key. If several paths end with it, the one with the fewest dots.
    fn named(key: &str) -> Option<Self> {
        let alias = ALIASES.iter().find(|(alias, _)| *alias == key);
        let wanted = with_dots(alias.map_or(key, |(_, path)| path));
        let meant = Self::all().into_iter().filter(|known| ends(&known.path).any(|end| with_dots(end) == wanted));
        meant.min_by_key(|known| known.path.matches('.').count())
    }
}

/// The path with underscores replaced by dots, because both separate names in a key.
fn with_dots(path: &str) -> String {
    path.replace('_', ".")
}

/// A path, followed by its remainders after the first name, the first two names, and so on.
fn ends(path: &str) -> impl Iterator<Item = &str> {
    iter::successors(Some(path), |path| path.split_once('.').map(|(_, end)| end))
}

/// What to do about a whole number out of range.
fn up_to(most: u64) -> String {
    format!("set it from 0 to {most}")
}

/// The help text of `--set`.
pub(super) fn help() -> String {
    let settings = Known::all().into_iter().map(|Known { path, info, .. }| match info {
        TypeInfo::Enum(_) => format!("{path} ({})", words(info)),
        _ => path,
    });
    format!(
        "Change a setting of the scene; may be given several times. KEY is a path in a scene file, such as \
         collision.restitution or motion.gravity=0,-9.81, or the end of one, such as restitution: the least deep is \
         meant. Shorter: cushion for table.cushion.model, ball_friction for table.balls. table needs a billiard table, \
         generate a generator; table.cloth.sliding also sets table.cushion.cloth_friction. Settings: {}",
        settings.collect::<Vec<_>>().join(", ")
    )
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.key, self.value)
    }
}

impl Setting {
    /// Sets the seed of the scene's generators.
    pub(super) fn seed(seed: u64) -> Self {
        Self { key: "seed".to_owned(), value: seed.to_string(), known: Known::seed() }
    }

    /// Whether it sets the seed of the scene's generators.
    pub(super) fn is_seed(&self) -> bool {
        self.known.path == SEED
    }

    /// Adds it to others, none of which may change the same setting. Messages call it `written`.
    pub(super) fn add_to(self, settings: &mut Vec<Self>, written: &str) -> Result<(), String> {
        if let Some(other) = settings.iter().find(|other| other.known.path == self.known.path) {
            return Err(format!("{written} and --set {other}: give one of them"));
        }
        settings.push(self);
        Ok(())
    }

    /// Reads several `key=value`, each of a different setting.
    ///
    /// # Errors
    /// As for [`Setting::parse`], and if two change the same setting.
    pub fn parse_all(texts: &[String]) -> Result<Vec<Self>, String> {
        let mut settings = Vec::new();
        for text in texts {
            let setting = Self::parse(text)?;
            let written = format!("--set {setting}");
            setting.add_to(&mut settings, &written)?;
        }
        Ok(settings)
    }

    /// Reads `key=value`.
    ///
    /// # Errors
    /// If there is no such key or no `=`. The message lists the keys.
    pub fn parse(text: &str) -> Result<Self, String> {
        let all = Known::all();
        let paths: Vec<&str> = all.iter().map(|known| known.path.as_str()).collect();
        let list = paths.join(", ");
        let Some((key, value)) = text.split_once('=') else {
            let order = if is_scene(text) {
                format!("put the scene before --set ({text} --set …), or ")
            } else {
                String::new()
            };
            return Err(format!(
                "--set {text}: {order}write KEY=VALUE, with one of the keys {list}, or the end of one"
            ));
        };
        let (key, value) = (key.trim(), value.trim());
        let Some(known) = Known::named(key) else {
            let keys: Vec<&str> =
                paths.iter().flat_map(|path| ends(path)).chain(ALIASES.map(|(alias, _)| alias)).collect();
            let hint = did_you_mean(nearest_name(key, &keys));
            return Err(format!("--set {text}: there is no setting `{key}`{hint}; the settings are {list}"));
        };
        Ok(Self { key: key.to_owned(), value: value.to_owned(), known })
    }

    /// Sets all of them in a scene, in any order. The result of the generators has to be checked afterwards.
    ///
    /// # Errors
    /// A value is not of the kind that the setting takes or outside its range, or the scene has nothing to set.
    pub fn apply_all(settings: &[Self], file: &mut SceneFile) -> Result<(), String> {
        let [implying, implied] = IMPLIED;
        let is_set = |path: &str| settings.iter().any(|setting| setting.known.path == path);
        for setting in settings {
            let problem = |problem| format!("--set {setting}: {problem}");
            setting.put(file).map_err(problem)?;
            if setting.known.path == implying && !is_set(implied) {
                let known = Known { path: implied.to_owned(), ..setting.known.clone() };
                Self { known, ..setting.clone() }.put(file).map_err(problem)?;
            }
        }
        Ok(())
    }

    fn put(&self, file: &mut SceneFile) -> Result<(), String> {
        let value = read(self.known.info, &self.value).ok_or_else(|| self.not())?;
        match self.known.path.as_str() {
            path @ (COUNT | SEED) => return self.put_in_generators(path, file),
            path if path.starts_with("table.") && file.table.is_none() => file.table = file.expand()?.table,
            _ => {}
        }
        put(file, &self.known.path, &*value)?;
        match self.known.path.as_str() {
            "collision.terrain_restitution" => {
                let why = "the cushions have their own restitution";
                reject_where_balls_spin(file, why, "cushion_restitution")?;
            }
            "motion.friction" if file.motion.friction > 0.0 => {
                let why = "the cloth has its own friction, and this would be added";
                reject_where_balls_spin(file, why, "sliding, rolling or spinning")?;
            }
            _ => {}
        }
        // An `f32` may hold another number than the text, such as infinity.
        let as_written = |invalid: InvalidValue| {
            let overflows = matches!(invalid.value, Some(RejectedValue::Number(number)) if number.is_infinite());
            let is_part =
                invalid.field.strip_prefix(self.known.path.as_str()).is_some_and(|rest| rest.starts_with('.'));
            if invalid.field == self.known.path || overflows && is_part {
                let (field, value) = (self.known.path.clone().into(), Some(self.value.clone().into()));
                return InvalidValue { field, value, ..invalid };
            }
            invalid
        };
        Ok(file.check_settings(&SceneRegistry::default()).map_err(as_written)?)
    }

    fn put_in_generators(&self, path: &str, file: &mut SceneFile) -> Result<(), String> {
        let number: u64 = self.value.parse().map_err(|_| self.not())?;
        let count = usize::try_from(number).ok().filter(|count| *count <= MAX_DISCS);
        if path == COUNT && count.is_none() {
            return Err(self.not());
        }
        let set = |generator: &mut Generator| match count {
            Some(count) if path == COUNT => generator.count_mut().map(|slot| *slot = count),
            _ => generator.seed_mut().map(|slot| *slot = number),
        };
        if file.generate.iter_mut().filter_map(set).count() > 0 {
            return Ok(());
        }
        let name = path.trim_start_matches("generate.");
        Err(format!("this scene has no generator with a {name}; try `gas`, `pile` or `many`"))
    }

    /// Says what the value must be.
    fn not(&self) -> String {
        let Known { path, info, remedy } = &self.known;
        let remedy = remedy.as_ref().map(|remedy| format!("; {remedy}")).unwrap_or_default();
        format!("{path} must be {}{remedy}", words(info))
    }
}

/// Whether an argument is rather a scene than a key, which may have dots in it.
fn is_scene(text: &str) -> bool {
    match SceneSource::from_argument(text) {
        Ok(SceneSource::Path(path)) => path.extension().is_none_or(|ending| ending == "ron"),
        Ok(_) => true,
        Err(_) => false,
    }
}

/// Sets the value at a path of a scene file.
fn put(file: &mut SceneFile, path: &str, value: &dyn PartialReflect) -> Result<(), String> {
    let (section, path) = path.split_once('.').unwrap_or((path, ""));
    let section: &mut dyn Reflect = match section {
        "collision" => &mut file.collision,
        "motion" => &mut file.motion,
        "pace" => &mut file.pace,
        _ => file.table.as_mut().ok_or(
            "this scene has no billiard table; try `nine-ball`, `snooker` or `carom`, or carom simulate --from FILE.csv --table NAME",
        )?,
    };
    let field = section.reflect_path_mut(path).map_err(|error| error.to_string())?;
    field.try_apply(value).map_err(|error| error.to_string())
}

/// Rejects a setting for smooth discs if discs spin on a billiard table.
fn reject_where_balls_spin(file: &SceneFile, why: &str, instead: &str) -> Result<(), String> {
    let contents = file.expand()?;
    let has_table = file.table.is_some() || contents.table.is_some();
    if has_table && contents.discs.iter().any(|disc| disc.spin().is_some()) {
        return Err(format!("balls lie on a table here, and {why}; set {instead} instead"));
    }
    Ok(())
}
