//! Links are read back bit-identically, damaged ones are reported, and no link can do harm.

use bevy::prelude::*;
use carom::{
    collision::{Discs, measure::state_hash},
    link::{Link, LinkError, LinkKind, PHYSICS},
    notice::Notices,
    prelude::*,
    scene::{
        CueBall, CurrentScene, SceneCommand, SceneError, SceneFile, ScenePlugin, SceneSource, link, shipped, spawn,
    },
    timeline::{advance, run_in_order},
};
use proptest::prelude::*;

fn app() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), ScenePlugin));
    run_in_order(&mut app);
    app
}

fn opened(source: SceneSource) -> App {
    let mut app = app();
    let file = source.load().unwrap_or_else(|error| panic!("{error}"));
    spawn(app.world_mut(), source, file).unwrap();
    app
}

/// An app with the scene of a link that matches what was linked.
fn followed(link: &str) -> App {
    let app = opened(SceneSource::from_argument(link).unwrap());
    let warnings = &app.world().resource::<CurrentScene>().warnings;
    assert!(!warnings.iter().any(|words| words.contains("link")), "{warnings:?}");
    app
}

fn hash(app: &mut App) -> u64 {
    state_hash(&Discs::of(app.world_mut()))
}

/// Continues both runs, and compares them.
fn run_on_alike(name: &str, one: &mut App, other: &mut App) {
    assert_eq!(hash(one), hash(other), "{name}");
    for app in [&mut *one, &mut *other] {
        advance(app.world_mut(), 20);
    }
    assert_eq!(hash(one), hash(other), "{name}, 20 ticks later");
}

#[test]
fn a_shipped_scene_is_a_short_link() {
    for scene in shipped() {
        let mut start = opened(SceneSource::Shipped(scene.name));
        let text = link(start.world_mut()).unwrap();
        assert!(text.len() < 60, "{}: {text}", scene.name);
        let mut again = followed(&format!("https://example.org/carom/?theme=light{text}"));
        assert_eq!(link(again.world_mut()).unwrap(), text, "of a link the same link is made");
        run_on_alike(scene.name, &mut start, &mut again);
    }
}

#[test]
fn a_setting_makes_it_little_longer() {
    for scene in shipped() {
        let mut start = opened(SceneSource::Shipped(scene.name));
        start.world_mut().resource_mut::<CollisionSettings>().restitution = 0.123;
        start.world_mut().resource_mut::<Playback>().paused = true;
        let text = link(start.world_mut()).unwrap();
        // The corners of the ellipse have no pattern that could be compressed.
        let most = if scene.name == "ellipse" { 6000 } else { 700 };
        assert!(text.len() < most, "{}: {} letters", scene.name, text.len());
        let mut again = followed(&text);
        assert_eq!(again.world().resource::<CollisionSettings>().restitution, 0.123);
        assert!(again.world().resource::<Playback>().paused);
        again.world_mut().resource_mut::<Playback>().paused = false;
        start.world_mut().resource_mut::<Playback>().paused = false;
        run_on_alike(scene.name, &mut start, &mut again);
    }
}

#[test]
fn a_state_goes_on_to_the_bit() {
    for scene in shipped() {
        let mut run = opened(SceneSource::Shipped(scene.name));
        let world = run.world_mut();
        for mut velocity in world.query_filtered::<&mut Velocity, With<CueBall>>().iter_mut(world) {
            velocity.0 = vec2(7.0, 0.1);
        }
        advance(world, 40);
        let state = SceneFile::capture(world);
        let text = link(world).unwrap();
        println!("{}: {} discs, {} letters", scene.name, state.discs.len(), text.len());
        let mut again = followed(&text);
        assert_eq!(SceneFile::capture(again.world_mut()), state, "{}", scene.name);
        run_on_alike(scene.name, &mut run, &mut again);
    }
}

#[test]
fn a_link_is_known_from_a_file() {
    for meant in ["#1sabc", " #1s", "#", "https://a.org/#1s-_", "https://a.org/#…", "file.html#1sabc", "#9zabc", "#1s…"]
    {
        assert!(Link::is_meant(meant), "{meant}");
    }
    for other in ["gas", "a#b.ron", "#1.ron", "a#1s.ron", "folder#2/a.ron", "a#", "", "https://a.org/"] {
        assert!(!Link::is_meant(other), "{other}");
    }
}

#[test]
fn what_is_wrong_with_a_link_is_told() {
    let link = link(opened(SceneSource::Shipped("gas")).world_mut()).unwrap();
    let cut = |by: usize| link[..link.len() - by].to_owned();
    let swapped = if link.contains('A') { link.replace('A', "B") } else { link.replace('B', "A") };
    for (text, error) in [
        ("https://example.org/", LinkError::None),
        ("#", LinkError::None),
        ("#s1", LinkError::None),
        ("#0sabc", LinkError::None),
        ("#99999999999s", LinkError::None),
        ("#1", LinkError::None),
        ("#2sabc", LinkError::Format { format: 2 }),
        ("#1xabc", LinkError::Kind { letter: 'x' }),
        ("#1sab.c", LinkError::Letter { letter: '.', place: 5 }),
        ("#1s", LinkError::Damaged),
        ("#1sAAAA", LinkError::Damaged),
        (cut(1).as_str(), LinkError::Damaged),
        (cut(4).as_str(), LinkError::Damaged),
        (swapped.as_str(), LinkError::Damaged),
        (link.replacen('s', "m", 1).as_str(), LinkError::Damaged),
        (format!("{link}…").as_str(), LinkError::Letter { letter: '…', place: link.len() }),
        (format!("#1s{}", "A".repeat(1_000_000)).as_str(), LinkError::TooLong),
    ] {
        assert_eq!(Link::read(text), Err(error.clone()), "{text:.60}");
        let line = error.to_string();
        assert!(line.lines().count() == 1 && line.len() > 40, "{line}");
    }
    let to_match = Link::new(LinkKind::Match, 0, String::new()).write().unwrap();
    assert_eq!(SceneSource::from_argument(&to_match), Err(SceneError::LinkToMatch));
}

#[test]
fn what_departs_is_said_and_opens() {
    let link = Link::read(&link(opened(SceneSource::Shipped("two-discs")).world_mut()).unwrap()).unwrap();
    let said = |link: Link| {
        let mut app = app();
        let written = link.write().unwrap();
        app.world_mut().write_message(SceneCommand::Load(SceneSource::from_argument(&written).unwrap()));
        app.update();
        assert_eq!(Discs::of(app.world_mut()).len(), 2, "it opens");
        let told: Vec<String> = app.world().resource::<Notices>().iter().map(|notice| notice.text.clone()).collect();
        assert_eq!(app.world().resource::<CurrentScene>().warnings, told);
        told.join("; ")
    };
    assert_eq!(said(link.clone()), "");
    let other = said(Link { hash: link.hash ^ 1, ..link.clone() });
    assert!(other.starts_with("The state differs from the one that was linked"), "{other}");
    let newer = said(Link { physics: "99.0.0-beta".to_owned(), ..link });
    assert!(newer.starts_with("The link was made by carom 99.0.0-beta") && newer.contains(PHYSICS), "{newer}");
}

#[test]
fn the_hash_of_a_link_covers_terrain_that_moves() {
    let linked = |velocity: &str| {
        let text = format!("(terrain: [(shape: Block(half_size: (1, 1)), velocity: ({velocity}, 0))], discs: [])");
        let file = SceneFile::parse(&text, "a.ron").unwrap();
        let mut app = app();
        spawn(app.world_mut(), SceneSource::Path("a.ron".into()), file).unwrap();
        let start = Link::read(&link(app.world_mut()).unwrap()).unwrap().hash;
        advance(app.world_mut(), 10);
        let text = link(app.world_mut()).unwrap();
        run_on_alike(velocity, &mut app, &mut followed(&text));
        [start, Link::read(&text).unwrap().hash]
    };
    let ([slow, slow_later], [fast, fast_later]) = (linked("1"), linked("2"));
    let all = [slow, slow_later, fast, fast_later];
    assert!((1..4).all(|i| !all[..i].contains(&all[i])), "{all:?}");
    // Another version of the physics may move it elsewhere.
    let text = "(terrain: [(shape: Block(half_size: (1, 1)), velocity: (1, 0))])";
    let mut app = app();
    let link = Link::new(LinkKind::Scene, fast, text.to_owned()).write().unwrap();
    app.world_mut().write_message(SceneCommand::Load(SceneSource::from_argument(&link).unwrap()));
    app.update();
    let warnings = &app.world().resource::<CurrentScene>().warnings;
    assert!(warnings.iter().any(|words| words.starts_with("The state differs")), "{warnings:?}");
}

#[test]
fn a_link_to_a_ball_in_the_air_matches_it() {
    let text = "(collision: (mode: Continuous), table: (flight: ()), discs: [
        (ball: true, position: (0.2, 0)), (ball: true, height: (height: 0.1, speed: 1), velocity: (0.1, 0))])";
    let file = SceneFile::parse(text, "a.ron").unwrap();
    let mut app = app();
    spawn(app.world_mut(), SceneSource::Path("a.ron".into()), file).unwrap();
    for _ in 0..3 {
        let text = link(app.world_mut()).unwrap();
        run_on_alike("a ball in the air", &mut app, &mut followed(&text));
    }
}

#[test]
fn what_comes_in_a_link_has_no_file() {
    let text = link(opened(SceneSource::Shipped("gas")).world_mut()).unwrap();
    let mut app = followed(&text);
    for command in [SceneCommand::Save, SceneCommand::Reload, SceneCommand::Restart] {
        app.world_mut().write_message(command);
        app.update();
    }
    let told: Vec<String> = app.world().resource::<Notices>().iter().map(|notice| notice.text.clone()).collect();
    assert_eq!(told, ["what came in a link has no file yet; save it as one"]);
}

#[test]
fn a_link_asks_for_no_more_than_it_may() {
    let reason = |text: &str| {
        let link = Link::new(LinkKind::Scene, 0, text.to_owned()).write().unwrap();
        SceneSource::from_argument(&link).unwrap().load().unwrap_err().to_string()
    };
    let rooms = |count: usize| format!("(generate: [{}])", "Lattice(count: 30000),".repeat(count));
    assert!(reason(&rooms(2)).contains("makes 60000 discs"), "{}", reason(&rooms(2)));
    assert!(reason(&rooms(17)).contains("17 generators"));
    assert!(reason(&format!("(generate: [Gas(count: {})])", u64::MAX)).contains("discs"));
    let many = format!("(discs: [{}])", "(),".repeat(100_000));
    assert_eq!(reason(&many), LinkError::TooLarge.to_string());
    assert_eq!(Link::new(LinkKind::Scene, 0, " ".repeat(2 << 20)).write(), Err(LinkError::TooLarge));
    for text in ["", "gaz", "../a.ron", "/etc/passwd"] {
        assert_eq!(reason(text), LinkError::Broken.to_string(), "{text}");
    }
    assert!(reason("(discs: [(radius: -1)])").starts_with("a link: discs[0].radius is -1"));
    assert!(reason(&"(discs:[".repeat(5000)).starts_with("a link:1:"));
    assert!(reason(&format!("(panel: [\"{}\"])", "ü".repeat(500_000))).len() < 10_000);
    // Control characters, which a terminal would obey.
    for text in ["(panel: [\"\\u{1b}[2J\\n\"])", "(lesson: r\u{1b}[2J)", "\u{1b}"] {
        assert!(!reason(text).contains(char::is_control), "{text:?}");
    }
}

/// Scenes that ask for as much as a link may, or for more.
fn hostile_scenes() -> Vec<(&'static str, String)> {
    let list = |count: usize, entry: &dyn Fn(usize) -> String| (1..=count).map(entry).collect::<String>();
    let name = "a".repeat(1_000_000);
    let points = "(0.5,0.5),(1.5,0.25),(0,1),".repeat(20_000);
    let ring = list(4000, &|i| {
        let (y, x) = bevy::math::ops::sin_cos(i as f32 * 1.5e-3);
        format!("({x},{y}),")
    });
    let crossing = list(3000, &|i| format!("(shape:Segment(a:({i},0),b:(0,{i}))),"));
    let crowd = "(position:(-0.9,-0.9),radius:1e-6),".repeat(29_000);
    let fill = "RandomFill(count:9,half_size:(1,1),radius:(0.01,0.51)),".repeat(16);
    let joint = "(ends:(Disc(0),Disc(1)),kind:Rod(length:3)),".repeat(10_000);
    vec![
        ("discs in one place", format!("(discs:[{}])", "(),".repeat(65_000))),
        ("discs in a row", format!("(discs:[{}])", list(21_000, &|i| format!("(position:({i},0)),")))),
        ("walls in one place", format!("(terrain:[{}])", "(shape:Circle(radius:1)),".repeat(32_000))),
        ("walls across each other", format!("(terrain:[{crossing}])")),
        ("a chain that goes round and round", format!("(terrain:[(shape:Polyline(points:[{points}]))])")),
        ("a polygon of many corners", format!("(terrain:[(shape:Polygon(points:[{ring}]))])")),
        ("a polygon across itself", format!("(terrain:[(shape:Polygon(points:[{points}]))])")),
        ("joints", format!("(discs:[(),(position:(3,0))],joints:[{joint}])")),
        ("tiles", format!("(tiles:[{}])", "(min:(0,0),max:(1,1)),".repeat(21_000))),
        ("pockets", format!("(pockets:[{}])", "(position:(0,0),radius:0.1),".repeat(30_000))),
        ("generators", format!("(generate:[{}])", "Lattice(count:3125),".repeat(16))),
        ("a gas", "(generate:[Gas(count:50000)])".to_owned()),
        ("a pile", "(generate:[Pile(count:50000)])".to_owned()),
        ("a fill", "(generate:[RandomFill(count:50000,half_size:(500,500),radius:(0.1,2))])".to_owned()),
        ("a crowded fill", "(generate:[RandomFill(count:50000,half_size:(30,30),radius:(0.1,0.1))])".to_owned()),
        ("a fill of a crowd", format!("(discs:[{crowd}],generate:[{fill}])")),
        ("tables", format!("(generate:[{}])", r#"Table(name:"snooker-12ft"),"#.repeat(16))),
        ("a section of the panel", format!(r#"(panel:["{name}"])"#)),
        ("sections of the panel", format!("(panel:[{}])", r#""a","#.repeat(250_000))),
        ("a lesson", format!("(lesson:{name})")),
        ("a field", format!("({name}:1)")),
        ("a generator", format!(r#"(generate:[Custom(name:"{name}")])"#)),
        ("settings", format!(r#"(generate:[Custom(name:"a",settings:[{}])])"#, "[0],".repeat(250_000))),
        ("deep settings", format!(r#"(generate:[Custom(name:"a",settings:{})])"#, "[".repeat(500_000))),
        ("components", format!("(discs:[(components:{{{}}})])", list(9000, &|i| format!(r#""{i}":1,"#)))),
        ("a comment", format!("(/*{})", "/*".repeat(400_000))),
        ("a title", format!(r#"(title:"{}")"#, r"\u{1F600}".repeat(100_000))),
    ]
}

/// Each takes less than half a second on one core in a test build. The limit leaves room for a busy machine, and
/// detects running times out of proportion.
#[test]
fn a_hostile_scene_in_a_link_is_opened_or_refused_at_once() {
    for (name, text) in hostile_scenes() {
        let written = Link::new(LinkKind::Scene, 0, text).write().unwrap_or_else(|error| panic!("{name}: {error}"));
        let begin = std::time::Instant::now();
        let source = SceneSource::from_argument(&written).unwrap();
        let said = match source.load() {
            Ok(file) => {
                let mut app = app();
                spawn(app.world_mut(), source, file).map_or_else(|error| error.to_string(), |()| "it opens".to_owned())
            }
            Err(error) => error.to_string(),
        };
        let (took, said) = (begin.elapsed(), said.chars().take(100).collect::<String>());
        println!("{name}: {took:.1?}: {said}");
        assert!(took < std::time::Duration::from_secs(8), "{name}: {took:?}: {said}");
    }
}

/// Links of format 1, made by carom 0.1.0, and their hashes. After the first release they are never made again,
/// because a link must stay readable.
#[test]
fn links_of_every_format_open() {
    let mut count = 0;
    for line in include_str!("links.txt").lines().filter(|line| !line.starts_with("//")) {
        let (hash, text) = line.split_once(' ').unwrap();
        let link = Link::read(text).unwrap_or_else(|error| panic!("{text:.40}: {error}"));
        assert_eq!(format!("{:016x}", link.hash), hash);
        if link.kind == LinkKind::Scene {
            let source = SceneSource::from_link(link.clone()).unwrap();
            source.load().unwrap_or_else(|error| panic!("{text:.40}: {error}"));
        }
        count += 1;
    }
    assert!(count >= 4);
}

/// Random numbers without a crate.
struct Dice(u64);

impl Dice {
    /// A number in `0..sides`.
    fn throw(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % sides.max(1) as u64) as usize
    }

    /// A random part of an ASCII text, in bytes.
    fn stretch<'a>(&mut self, text: &'a str, longest: usize) -> &'a str {
        let from = self.throw(text.len() + 1);
        &text[from..(from + self.throw(longest)).min(text.len())]
    }
}

const WILD: [&str; 14] = [
    "NaN",
    "inf",
    "-1",
    "1e38",
    "1e-45",
    "-0.0",
    "18446744073709551616",
    "49999",
    "(",
    ")",
    "[(),()]",
    "Some(None)",
    "\"\\u{7}\"",
    "{\"a\":()}",
];

/// Changes a text in one to four places.
fn mutate(dice: &mut Dice, text: &str, other: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..=dice.throw(4) {
        let at = dice.throw(text.len() + 1);
        let gone = dice.throw(12).min(text.len() - at);
        let put = match dice.throw(3) {
            0 => WILD[dice.throw(WILD.len())],
            1 => dice.stretch(other, 40),
            _ => "",
        };
        text.replace_range(at..at + gone, put);
    }
    text
}

/// Reads this many damaged links. Some have changed characters, most have changed contents in an intact envelope.
fn read_damaged(count: u64) {
    let mut sound: Vec<String> = Vec::new();
    for scene in shipped().iter().filter(|scene| !["gas", "many", "pile", "shock", "torus"].contains(&scene.name)) {
        let file = SceneSource::Shipped(scene.name).load().unwrap();
        sound.push(file.to_text().unwrap().chars().filter(char::is_ascii).collect());
    }
    let (mut dice, mut read) = (Dice(1), [0_u32; 2]);
    for i in 0..count {
        let [text, other] = [dice.throw(sound.len()), dice.throw(sound.len())].map(|i| &sound[i]);
        let written = if i % 8 == 0 {
            let whole = Link::new(LinkKind::Scene, i, text.clone()).write().unwrap();
            mutate(&mut dice, &whole, "#1sAb-_")
        } else {
            Link::new(LinkKind::Scene, i, mutate(&mut dice, text, other)).write().unwrap()
        };
        let loaded = SceneSource::from_argument(&written).and_then(|source| source.load());
        match loaded {
            Ok(_) => read[0] += 1,
            Err(error) => {
                assert!(error.to_string().lines().count() == 1, "{error}");
                read[1] += 1;
            }
        }
    }
    assert!(read.iter().all(|&reads| u64::from(reads) > count / 100), "some are sound, most are not: {read:?}");
}

#[test]
fn a_thousand_damaged_links_to_runs_do_no_harm() {
    use carom::{
        run_file::{self, RunFilePlugin},
        timeline::HistoryPlugin,
    };
    let app = || {
        let mut app = app();
        app.add_plugins((HistoryPlugin::default(), RunFilePlugin));
        app.finish();
        app
    };
    let mut whole = app();
    let source = SceneSource::Shipped("two-discs");
    spawn(whole.world_mut(), source.clone(), source.load().unwrap()).unwrap();
    for tick in 0..20 {
        let world = whole.world_mut();
        match tick % 5 {
            0 => _ = world.spawn((Disc, Position(vec2(tick as f32, 9.0)), Velocity(vec2(0.3, -1.0 / 3.0)))),
            1 => world.resource_mut::<MotionSettings>().gravity = vec2(0.0, -tick as f32),
            2 => {
                let disc = world.query_filtered::<Entity, With<Disc>>().iter(world).last().unwrap();
                if tick > 10 {
                    world.despawn(disc);
                } else {
                    world.entity_mut(disc).insert(Restitution(0.5));
                }
            }
            _ => {}
        }
        advance(world, 1);
    }
    let text = Link::read(&run_file::link(whole.world_mut()).unwrap()).unwrap().text;
    let (mut dice, mut read) = (Dice(3), [0_u32; 2]);
    let mut other = app();
    for _ in 0..1000 {
        let damaged = Link::new(LinkKind::Run, 0, mutate(&mut dice, &text, &text)).write().unwrap();
        let loaded = SceneSource::from_argument(&damaged).and_then(|source| source.load());
        let opened = loaded.map_err(|error| error.to_string()).and_then(|file| {
            // The scene starts anyway. A notice names what cannot be read.
            spawn(other.world_mut(), source.clone(), file).map_err(|error| error.to_string())
        });
        match opened {
            Ok(()) => {
                advance(other.world_mut(), 3);
                read[0] += 1;
            }
            Err(error) => {
                assert!(error.lines().count() == 1, "{error}");
                read[1] += 1;
            }
        }
    }
    assert!(read.iter().all(|&reads| reads > 10), "some are sound, most are not: {read:?}");
}

#[test]
fn ten_thousand_damaged_links_do_no_harm() {
    read_damaged(10_000);
}

#[cfg(feature = "games")]
#[test]
fn a_thousand_damaged_links_to_matches_do_no_harm() {
    use carom::games::{LinkedMatch, MatchRecord};
    let whole = MatchRecord::parse(include_str!("../../assets/matches/nine-ball.ron"), "nine-ball.ron").unwrap();
    let begun = MatchRecord { log: whole.log[..4].to_vec(), ..whole };
    let text = Link::read(&begun.to_link().unwrap()).unwrap().text;
    let (mut dice, mut read) = (Dice(2), [0_u32; 2]);
    for _ in 0..1000 {
        let damaged = Link::new(LinkKind::Match, 0, mutate(&mut dice, &text, &text));
        match LinkedMatch::of(&damaged) {
            Ok(_) => read[0] += 1,
            Err(error) => {
                assert!(error.lines().count() == 1, "{error}");
                read[1] += 1;
            }
        }
    }
    assert!(read.iter().all(|&reads| reads > 10), "some are sound, most are not: {read:?}");
}

#[test]
#[ignore = "it takes minutes"]
fn a_million_damaged_links_do_no_harm() {
    read_damaged(1_000_000);
}

proptest! {
    #[test]
    fn any_discs_come_back_to_the_bit(discs in proptest::collection::vec(any::<[u32; 4]>(), 0..40), ids in any::<bool>()) {
        let mut app = app();
        let mut entities = 0_u64;
        for bits in discs {
            let [x, y, vx, vy] = bits.map(f32::from_bits);
            if [x, y, vx, vy].iter().all(|number| number.abs() < 1e6) {
                let id = StableId(if ids { entities } else { entities * 7 + 3 });
                app.world_mut().spawn((Disc, Position(vec2(x, y)), Velocity(vec2(vx, vy)), Radius(0.1), id));
                entities += 1;
            }
        }
        let mut again = followed(&link(app.world_mut()).unwrap());
        prop_assert_eq!(hash(&mut again), hash(&mut app));
        prop_assert_eq!(SceneFile::capture(again.world_mut()).discs, SceneFile::capture(app.world_mut()).discs);
    }
}
