//! `--set KEY=VALUE`: changes a setting of a scene. The key is the path of the setting in a scene file, such as
//! `collision.restitution`, or the end of that path.
//!
//! The settings and their allowed values follow from the types of the scene file.

use std::{fmt, iter, str::FromStr};

use bevy::{
    math::Vec2,
    reflect::{
        GetPath, PartialReflect, Reflect, TypeInfo, Typed,
        enums::{DynamicEnum, DynamicVariant, VariantInfo},
        tuple::DynamicTuple,
    },
};

use crate::{
    collision::{CollisionSettings, spin::TablePhysics},
    motion::MotionSettings,
    ron_text::{any_of, did_you_mean, nearest_name},
    scene::{
        Pace, SceneFile, SceneRegistry, SceneSource,
        generate::{Generator, MAX_DISCS},
    },
};

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
            (COUNT, usize::type_info()),
            (SEED, u64::type_info()),
        ] {
            Self { path: section.to_owned(), info }.add_to(&mut all);
        }
        all
    }

    /// Adds this setting, or for a struct its fields.
    fn add_to(self, all: &mut Vec<Self>) {
        match self.info {
            TypeInfo::Struct(info) if !info.is::<Vec2>() => {
                for field in info.iter() {
                    if let Some(info) = field.type_info() {
                        Self { path: format!("{}.{}", self.path, field.name()), info }.add_to(all);
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

/// The help text of `--set`.
pub(super) fn help() -> String {
    let settings = Known::all().into_iter().map(|Known { path, info }| match info {
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
        let known = Known { path: SEED.to_owned(), info: u64::type_info() };
        Self { key: "seed".to_owned(), value: seed.to_string(), known }
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
                let path = Known { path: implied.to_owned(), info: setting.known.info };
                Self { known: path, ..setting.clone() }.put(file).map_err(problem)?;
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
            "collision.wall_restitution" => {
                let why = "the cushions have their own restitution";
                reject_where_balls_spin(file, why, "cushion_restitution")?;
            }
            "motion.friction" if file.motion.friction > 0.0 => {
                let why = "the cloth has its own friction, and this would be added";
                reject_where_balls_spin(file, why, "sliding, rolling or spinning")?;
            }
            _ => {}
        }
        Ok(file.check_settings(&SceneRegistry::default())?)
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
        let Known { path, info } = &self.known;
        let range = self.range().map(|range| format!("; {range}")).unwrap_or_default();
        format!("{path} must be {}{range}", words(info))
    }

    /// The range of its numbers, taken from the scene check's message for a number outside.
    fn range(&self) -> Option<String> {
        let Known { path, info } = &self.known;
        let most = match path.as_str() {
            COUNT => Some(MAX_DISCS as u64),
            SEED => Some(u64::MAX),
            _ => None,
        };
        if let Some(most) = most {
            return Some(format!("set it from 0 to {most}"));
        }
        let outside = ["nan", "nan,nan", "4294967295"];
        let value = outside.into_iter().find_map(|text| read(info, text))?;
        let mut file = SceneFile { table: Some(TablePhysics::default()), ..SceneFile::default() };
        put(&mut file, path, &*value).ok()?;
        Some(file.check_sections().err()?.remedy.into_owned())
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

/// A type of value other than an enum: its description, and how it is read.
struct Kind {
    is: fn(&TypeInfo) -> bool,
    words: &'static str,
    read: fn(&str) -> Option<Box<dyn PartialReflect>>,
}

const KINDS: [Kind; 8] = [
    Kind::single::<bool>("true or false"),
    Kind::single::<f32>("a number"),
    Kind::single::<f64>("a number"),
    Kind::single::<u32>("a whole number"),
    Kind::single::<u64>("a whole number"),
    Kind::single::<usize>("a whole number"),
    Kind {
        is: TypeInfo::is::<Vec2>,
        words: "two numbers, such as 0,-9.81",
        read: |text| boxed(Vec2::from(pair(text)?)),
    },
    Kind { is: TypeInfo::is::<(f32, f32)>, words: "two numbers, such as -2,2", read: |text| boxed(pair(text)?) },
];

impl Kind {
    const fn single<T: Reflect + FromStr>(words: &'static str) -> Self {
        Self { is: TypeInfo::is::<T>, words, read: |text| boxed(text.trim().parse::<T>().ok()?) }
    }

    fn of(info: &TypeInfo) -> Option<&'static Self> {
        KINDS.iter().find(|kind| (kind.is)(info))
    }
}

#[allow(clippy::unnecessary_wraps)]
fn boxed<T: PartialReflect>(value: T) -> Option<Box<dyn PartialReflect>> {
    Some(Box::new(value))
}

/// Reads `x,y`, with or without parentheses.
fn pair(text: &str) -> Option<(f32, f32)> {
    let text = text.trim();
    let (x, y) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text).split_once(',')?;
    Some((x.trim().parse().ok()?, y.trim().parse().ok()?))
}

/// Reads a value of a type. For enums, case, spaces, underscores and hyphens in the name of a variant do not matter.
/// The name of a variant with a value may be omitted.
fn read(info: &TypeInfo, text: &str) -> Option<Box<dyn PartialReflect>> {
    let TypeInfo::Enum(info) = info else { return (Kind::of(info)?.read)(text) };
    let plain = |text: &str| text.to_lowercase().replace([' ', '_', '-'], "");
    info.iter().find_map(|variant| {
        let is_named = |text: &str| plain(text) == plain(variant.name());
        let content = match content(variant) {
            None => is_named(text).then_some(DynamicVariant::Unit)?,
            Some(info) => {
                let whole = text.trim().split_once('(').filter(|(name, _)| is_named(name));
                let inside = whole.and_then(|(_, value)| value.strip_suffix(')')).unwrap_or(text);
                let mut content = DynamicTuple::default();
                content.insert_boxed(read(info, inside)?);
                DynamicVariant::Tuple(content)
            }
        };
        boxed(DynamicEnum::new(variant.name(), content))
    })
}

/// The type of the value in a variant.
fn content(variant: &VariantInfo) -> Option<&'static TypeInfo> {
    variant.as_tuple_variant().ok()?.field_at(0)?.type_info()
}

/// Describes the values of a type.
fn words(info: &TypeInfo) -> String {
    let TypeInfo::Enum(info) = info else { return Kind::of(info).map_or("", |kind| kind.words).to_owned() };
    let variants = info.iter().map(|variant| content(variant).map_or_else(|| variant.name().to_owned(), words));
    any_of(&variants.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::{
        collision::{
            CombineRule, Periodic, SolverMode,
            spin::{
                cushion::{CushionModel, CushionRestitution},
                pair::PairFriction,
            },
        },
        scene::generate::Gas,
    };

    fn gas_on_a_table() -> SceneFile {
        let table = Some(TablePhysics::default());
        SceneFile { table, generate: vec![Generator::Gas(Gas::default())], ..SceneFile::default() }
    }

    fn set(text: &str, file: &mut SceneFile) -> Result<(), String> {
        Setting::apply_all(&[Setting::parse(text).unwrap()], file)
    }

    /// An example of a valid value.
    fn an_example(info: &TypeInfo) -> String {
        match info {
            TypeInfo::Enum(info) => {
                let last = info.iter().last().unwrap();
                content(last).map_or_else(|| last.name().to_owned(), an_example)
            }
            _ if info.is::<bool>() => "false".to_owned(),
            _ if info.is::<Vec2>() || info.is::<(f32, f32)>() => "-1,1.5".to_owned(),
            _ => "1".to_owned(),
        }
    }

    #[test]
    fn every_key_is_applied() {
        let names = Known::all().into_iter().map(|known| known.path);
        // Keys from before there were paths.
        let short = [
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
        for key in names.chain(short.map(str::to_owned)) {
            let known = Known::named(&key).unwrap();
            let mut file = gas_on_a_table();
            set(&format!("{key}={}", an_example(known.info)), &mut file).unwrap();
            file.check().unwrap();
            assert!(set(&format!("{key}=?"), &mut file).is_err(), "{key}");
        }
    }

    #[test]
    fn a_short_key_means_the_least_deep_path_that_ends_with_it() {
        for (key, path) in [
            ("restitution", "collision.restitution"),
            ("collision.restitution", "collision.restitution"),
            ("cushion.restitution", "table.cushion.restitution"),
            ("friction", "motion.friction"),
            ("cushion_friction", "table.cushion.friction"),
            ("cloth_friction", "table.cushion.cloth_friction"),
            ("gravity", "motion.gravity"),
            ("cloth.gravity", "table.cloth.gravity"),
            ("periodic_x", "collision.periodic.x"),
            ("cushion", "table.cushion.model"),
            ("ball_friction", "table.balls"),
            ("seed", "generate.seed"),
        ] {
            assert_eq!(Known::named(key).unwrap().path, path, "{key}");
        }
        // A part of a name is not a key.
        for key in ["rate", "speed", "collision", "gravity.x", ""] {
            assert!(Known::named(key).is_none(), "{key}");
        }
        let both = ["gravity=0,1", "motion.gravity=0,2"].map(str::to_owned);
        let error = Setting::parse_all(&both).unwrap_err();
        assert_eq!(error, "--set motion.gravity=0,2 and --set gravity=0,1: give one of them");
    }

    #[test]
    fn a_value_is_written_as_in_a_scene_file_or_shorter() {
        let after = |texts: &[&str]| {
            let mut file = gas_on_a_table();
            for text in texts {
                set(text, &mut file).unwrap();
            }
            file
        };
        for text in ["gravity=(0.0, -9.81)", "motion.gravity=0,-9.81", "gravity = 0 , -9.81"] {
            assert_eq!(after(&[text]).motion.gravity, Vec2::new(0.0, -9.81), "{text}");
        }
        for text in ["periodic_x=Some((-1.0, 1.0))", "collision.periodic.x=(-1, 1)", "periodic.x=-1,1"] {
            let expected = Periodic { x: Some((-1.0, 1.0)), y: None };
            assert_eq!(after(&[text]).collision.periodic, expected, "{text}");
            assert!(after(&[text, "periodic_x=none"]).collision.periodic.is_open());
        }
        for text in ["table.balls=Constant(0.3)", "ball_friction=0.3", "balls=constant(0.3)"] {
            assert_eq!(after(&[text]).table.unwrap().balls, PairFriction::Constant(0.3), "{text}");
        }
        for text in ["table.cushion.model=HalfSpace", "cushion=half space", "cushion.model=HALF_SPACE"] {
            assert_eq!(after(&["cushion=Han", text]).table.unwrap().cushion.model, CushionModel::HalfSpace, "{text}");
        }
        let file = after(&["mode=continuous", "restitution_rule=mean", "pace.paused=true", "seed=5", "count=7"]);
        assert_eq!((file.collision.mode, file.collision.restitution_rule), (SolverMode::Continuous, CombineRule::Mean));
        assert!(file.pace.paused);
        let gas = Gas { seed: 5, count: 7, ..Gas::default() };
        assert_eq!(file.generate, [Generator::Gas(gas)]);
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
            ("ball_friction=some", "None, a number or Alciatore; set it to a coefficient from 0 to 10"),
            ("cushion=soft", "Mirror, HalfSpace, Stronge, Mathavan or Han"),
            ("cushion_restitution=1.1", "from 0 to 1"),
            ("cushion_friction=nan", "from 0 to 10"),
            ("nose_height=2", "from 0 to 1"),
            ("tick_rate=1e5", "from 1 to 10000"),
            ("time_scale=0", "from 0.01 to 100"),
            ("count=1000001", "from 0 to 1000000"),
            ("count=-1", "from 0 to 1000000"),
            ("restitution_rule=best", "Smallest, Largest, Product or Mean"),
            ("periodic_x=1", "None or two numbers, such as -2,2; set it to two ends within 1e12 m"),
            ("periodic_y=1,-1", "the first below the second"),
            ("seed=-1", "from 0 to 18446744073709551615"),
            ("restitution=high", "collision.restitution must be a number; set it from 0 to 1"),
            ("push_apart=maybe", "collision.push_apart must be true or false"),
            ("table.cloth.gravity=1001", "from 0 to 1000 m/s²"),
        ] {
            let line = set(text, &mut gas_on_a_table()).unwrap_err();
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
            set(text, &mut file).unwrap();
        }
        let mut expected = own;
        expected.cushion.model = CushionModel::Stronge;
        expected.cushion.restitution = CushionRestitution::Han;
        (expected.cloth.sliding, expected.cushion.cloth_friction) = (0.3, 0.3);
        expected.balls = PairFriction::None;
        assert_eq!(file.table, Some(expected));
    }

    #[test]
    fn an_explicit_value_wins_over_an_implied_one_in_any_order() {
        let after = |texts: [&str; 2]| {
            let mut file = nine_ball();
            Setting::apply_all(&texts.map(|text| Setting::parse(text).unwrap()), &mut file).unwrap();
            let table = file.table.unwrap();
            (table.cloth.sliding, table.cushion.cloth_friction)
        };
        assert_eq!(after(["cloth_friction=0.9", "sliding=0.15"]), (0.15, 0.9));
        assert_eq!(after(["sliding=0.15", "cushion.cloth_friction=0.9"]), (0.15, 0.9));
        assert_eq!(after(["rolling=0.02", "sliding=0.15"]), (0.15, 0.15));
    }

    #[test]
    fn a_scene_after_set_is_told_to_go_before_it() {
        for scene in ["gas", "mine.ron", "folder/mine"] {
            let error = Setting::parse(scene).unwrap_err();
            assert!(error.starts_with(&format!("--set {scene}: put the scene before --set")), "{error}");
        }
        for key in ["fast", "restitution", "collision.restitution"] {
            let error = Setting::parse(key).unwrap_err();
            assert!(error.starts_with(&format!("--set {key}: write KEY=VALUE")), "{error}");
        }
    }

    #[test]
    fn what_a_scene_has_no_use_for_is_rejected_with_the_remedy() {
        for (text, mut file, expected) in [
            ("cushion=Han", SceneFile::default(), "this scene has no billiard table; try `nine-ball`"),
            ("friction=0.1", nine_ball(), "set sliding, rolling or spinning instead"),
            ("wall_restitution=0.5", nine_ball(), "set cushion_restitution instead"),
        ] {
            let line = set(text, &mut file).unwrap_err();
            assert!(line.starts_with(&format!("--set {text}: ")) && line.contains(expected), "{line}");
        }
        set("friction=0", &mut nine_ball()).unwrap();
    }

    #[test]
    fn an_unknown_key_lists_the_known_ones() {
        let error = Setting::parse("restitutoin=1").unwrap_err();
        assert!(error.contains("did you mean `restitution`") && error.contains("push_apart_share"), "{error}");
    }
}
