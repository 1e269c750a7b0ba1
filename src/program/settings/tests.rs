use super::{values::content, *};
use crate::{
    collision::{
        CombineRule, Periodic, SolverMode,
        spin::{
            Rails,
            cushion::{CushionModel, CushionRestitution},
            pair::PairFriction,
        },
    },
    components::{LIMIT, shortest},
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
        _ if info.is::<Rails>() => "0.04,2,1,0.1".to_owned(),
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
        "terrain_restitution",
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

/// The settings whose values are numbers in a range, with that range.
fn ranges() -> Vec<(Known, ValueRange)> {
    let range = |path: &str| {
        let (section, path) = path.split_once('.')?;
        match section {
            "collision" => ValueRange::of::<CollisionSettings>(path),
            "motion" => ValueRange::of::<MotionSettings>(path),
            "pace" => ValueRange::of::<Pace>(path),
            _ => ValueRange::of::<TablePhysics>(path),
        }
    };
    Known::all().into_iter().filter_map(|known| range(&known.path).map(|range| (known, range))).collect()
}

#[test]
fn every_number_has_a_range_whose_ends_are_valid_and_no_value_beyond_them() {
    let ranges = ranges();
    let is_number = |known: &Known| words(known.info).contains("number");
    for known in Known::all().iter().filter(|known| is_number(known)) {
        assert!(known.remedy.is_some(), "{} has no range", known.path);
    }
    assert_eq!(ranges.len(), 22, "all but the seed, the number of discs and the periodic edges");
    for (Known { path, info, .. }, ValueRange { low, high, .. }) in &ranges {
        let valid = |value: f64| {
            let y = if info.is::<Vec2>() { ",0" } else { "" };
            set(&format!("{path}={value}{y}"), &mut gas_on_a_table())
        };
        for end in [*low, *high] {
            assert_eq!(valid(end), Ok(()), "{path}");
        }
        for beyond in [low - low.abs().max(1.0), high + high.abs().max(1.0)] {
            let error = valid(beyond).unwrap_err();
            assert!(error.contains("; set it from "), "{error}");
        }
    }
}

#[test]
fn the_book_has_the_range_of_every_setting() {
    const PAGE: &str = include_str!("../../../docs/src/scene-files.md");
    for (Known { path, .. }, ValueRange { low, high, unit }) in ranges() {
        let (section, field) = path.split_once('.').unwrap();
        let (_, rest) = PAGE.split_once(&format!("## `{section}`")).unwrap();
        let rows = rest.split("\n## ").next().unwrap().lines();
        let mut cells = rows.filter_map(|row| row.strip_prefix(&format!("| `{field}` | "))?.split(" | ").next());
        let cell = cells.next().unwrap_or_else(|| panic!("the book does not list {path}"));
        let limit = f64::from(LIMIT);
        let range = match (low, high) {
            _ if high < limit => format!("{} to {}", shortest(low), shortest(high)),
            _ if low < 0.0 => String::new(),
            _ => "0 or more".to_owned(),
        };
        // Thousands have commas there.
        let digits = cell.split(',').collect::<Vec<_>>().join("");
        assert!(
            digits.contains(&range) && cell.contains(unit),
            "{path}: the book has `{cell}`, not `{range}`, `{unit}`"
        );
    }
}

#[test]
fn a_number_beyond_the_range_is_told_as_it_is_written() {
    let told = |text: &str| set(text, &mut gas_on_a_table()).unwrap_err();
    assert!(told("restitution=1e400").contains("collision.restitution is 1e400; set it from 0 to 1"));
    assert!(told("gravity=0,-1e39").contains("motion.gravity is 0,-1e39; set it"), "{}", told("gravity=0,-1e39"));
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
        ("terrain_restitution=-0.1", "from 0 to 1"),
        ("substeps=0", "from 1 to 64"),
        ("substeps=-1", "from 1 to 64"),
        ("substeps=65", "from 1 to 64"),
        ("push_apart_share=2", "from 0 to 1"),
        ("resting_speed=1e30", "from 0 to 1e12 m/s"),
        ("sleep_speed=-1", "from 0 to 1e12 m/s"),
        ("report_above=nan", "from 0 to 1e12 m/s"),
        ("impact_budget=0", "from 1 to 100000"),
        ("gravity=1e30,0", "from -1e12 to 1e12 m/s²"),
        ("gravity=0,-inf", "from -1e12 to 1e12 m/s²"),
        ("gravity=1", "from -1e12 to 1e12 m/s²"),
        ("drag=1e30", "from 0 to 1e12, in 1/s"),
        ("friction=-1", "from 0 to 1e12 m/s²"),
        ("sliding=11", "from 0 to 10"),
        ("rolling=-0.1", "from 0 to 10"),
        ("spinning=1e7", "from 0 to 1000000 rad/s²"),
        ("ball_friction=11", "from 0 to 10"),
        ("ball_friction=some", "None, a number or Alciatore; set it from 0 to 10"),
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
        ("terrain_restitution=0.5", nine_ball(), "set cushion_restitution instead"),
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
