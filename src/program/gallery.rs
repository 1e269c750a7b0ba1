//! `carom render --gallery`: every shipped scene at a telling moment, in dark and light colours. Also draws the
//! animations, and writes a page that shows everything.

use std::{fmt::Write as _, fs, path::Path};

use bevy::math::{UVec2, Vec2};

use super::{
    output::Output,
    progress::progress_bar,
    render::{Resolution, Script, Show, Staging, Studio, draw_script},
    run::{Ready, Start},
    strike::Shot,
};
use crate::{
    games::{Match, MatchRecord, MatchSpec},
    program::image_files::{Frame, Gif, small_png},
    scene::{SceneFile, SceneSource, shipped},
    view::{ColourBy, Language, ThemeChoice, Themes},
};

/// The size of scene images.
const PICTURE: Resolution = Resolution { pixels: UVec2::new(800, 500), scale: 1.0 };

/// The size of the image of a long, low scene.
const STRIP: Resolution = Resolution { pixels: UVec2::new(800, 200), scale: 1.0 };

/// The size of images of the whole window.
const WINDOW: Resolution = Resolution { pixels: UVec2::new(1280, 800), scale: 1.0 };

/// A break shot, slightly off the line so that it is not symmetrical.
const BREAK: Vec2 = Vec2::new(9.0, 0.03);

/// A nine-ball break slightly off the middle of the rack, which pots two balls. This shot and those below are in the
/// format of `--strike`.
const OFF_CENTRE: &str = "9,-0.5";

/// A snooker break with follow, which opens the pack.
const OPEN_PACK: &str = "7,3,0,0.2";

/// A point at three-cushion. The cue ball hits the red ball, then four cushions with running side, then the
/// yellow ball.
const AROUND: &str = "5.2,4.4,0.4,0.1";

/// A match in which a person is to play, and the aim in the format of `--aim`. The shot has follow, and pots the 4 and
/// then the 8.
const MATCH: &str = include_str!("../../assets/matches/nine-ball.ron");
const IN_MATCH: &str = "1.8,-25.44,-0.026,0.36";

/// A drill, and an aim that pots its ball and reaches its target.
const DRILL: &str = "wagon-wheel";
const IN_DRILL: &str = "2,57.4";

/// The animations, by the names of their files.
const ANIMATIONS: [(&str, &str, &str); 4] = [
    ("aim", "A break is aimed, and plays as it was drawn.", include_str!("../../assets/animations/aim.ron")),
    ("wall", "A wall dragged through a gas, and back.", include_str!("../../assets/animations/wall.ron")),
    (
        "slider",
        "A gas runs slower while a slider of the panel lowers the time scale.",
        include_str!("../../assets/animations/slider.ron"),
    ),
    (
        "modes",
        "The same shot in both modes. The stepped mode misses hits of the fast disc; the continuous mode finds each one.",
        include_str!("../../assets/animations/modes.ron"),
    ),
];

/// Both sets of colours, with their names in file names.
const THEMES: [(ThemeChoice, &str); 2] = [(ThemeChoice::Dark, "dark"), (ThemeChoice::Light, "light")];

/// The size of a scene's image.
fn size(scene: &str) -> Resolution {
    if scene == "cradle" { STRIP } else { PICTURE }
}

/// The tick and the staging of a scene's image.
fn moment(scene: &str) -> (u64, Staging) {
    let show = |show: &[Show]| Staging { show: show.to_vec(), ..Staging::default() };
    let shot = |text| Shot::parse("the gallery", text).ok();
    match scene {
        "break" => (130, Staging { strike: Some(Shot { velocity: BREAK, tip: None }), ..show(&[Show::Trails(1.0)]) }),
        "nine-ball" => (310, Staging { strike: shot(OFF_CENTRE), ..show(&[Show::Trails(3.0)]) }),
        "snooker" => (450, Staging { strike: shot(OPEN_PACK), ..show(&[Show::Trails(8.0)]) }),
        "carom" => (505, Staging { strike: shot(AROUND), ..show(&[Show::Trails(9.0)]) }),
        "blocks" => (100, show(&[Show::Trails(1.0)])),
        "bumpers" => (260, show(&[Show::Trails(0.8)])),
        "corners" => (150, show(&[Show::Trails(2.0)])),
        // Just after the hit, while its normal is still drawn.
        "corner-right-angle" => (80, show(&[Show::Trails(3.0), Show::Hits])),
        "corner-straight-back" => (76, show(&[Show::Trails(3.0), Show::Hits])),
        "cradle" => (170, show(&[Show::Trails(1.5)])),
        // All digits are there, and no disc covers them yet.
        "galperin" => (380, show(&[])),
        // The energy is on its way, halfway through the chain.
        "chain" => (100, show(&[Show::Arrows])),
        "cannon" => (200, show(&[Show::Trails(1.0)])),
        "galton" => (800, show(&[])),
        "corridor" | "atmosphere" => (300, show(&[Show::Colour(ColourBy::Speed)])),
        "demon" => (900, show(&[])),
        "closing-wall" => (380, show(&[Show::Trails(3.0)])),
        "fermi" => (240, show(&[Show::Trails(4.0)])),
        // Long enough after the balls have parted, and their common path has not faded yet.
        "stadium" => (600, show(&[Show::Trails(12.0)])),
        "whispering" | "bounce" => (400, show(&[Show::Trails(6.0)])),
        "circle" => (400, show(&[Show::Trails(4.0)])),
        "ellipse" => (1200, show(&[Show::Trails(12.0)])),
        "sinai" => (1000, show(&[Show::Trails(10.0)])),
        "mushroom" => (900, show(&[Show::Trails(9.0)])),
        "gas" => (240, show(&[Show::Colour(ColourBy::Speed)])),
        "shock" => (200, show(&[Show::Colour(ColourBy::Speed)])),
        "leak" => (900, show(&[Show::Colour(ColourBy::Speed)])),
        // Just before the velocities would be reversed.
        "mix" => (238, show(&[Show::Trails(0.8)])),
        "brownian" => (600, show(&[Show::Trails(1.0)])),
        "depletion" => (150, show(&[])),
        "freezing" => (300, show(&[Show::Trails(0.5)])),
        "cooling" => (2400, show(&[Show::Trails(2.0)])),
        "lorentz" => (300, show(&[Show::Trails(2.5)])),
        "futures" => (240, show(&[Show::Trails(1.0)])),
        "wedge" => (900, show(&[Show::Trails(6.0)])),
        "many" => (200, show(&[Show::Trails(0.5)])),
        "pendulum" => (2000, show(&[Show::Trails(8.0)])),
        "wrecking-ball" => (190, show(&[Show::Trails(0.6)])),
        "pile" => (70, show(&[Show::Colour(ColourBy::Speed)])),
        "piston" => (1400, show(&[Show::Colour(ColourBy::Speed)])),
        "torus" => (240, show(&[Show::Trails(0.6)])),
        "see-saw" => (78, show(&[Show::Trails(2.0)])),
        "tiles" => (150, show(&[Show::Trails(0.6)])),
        "two-discs" => (130, show(&[Show::Trails(2.5)])),
        // Paused lessons. A step would push the overlapping discs apart.
        "quick-check" => (0, show(&[])),
        // Late enough that the discs hit within the next frame.
        "precise-check" => (28, show(&[])),
        _ => (30, show(&[])),
    }
}

/// Draws all images into a folder, and writes the page.
///
/// # Errors
/// An image cannot be drawn or written. The message is one line.
pub(super) fn draw(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|error| format!("--gallery {}: {error}", folder.display()))?;
    let scenes: Vec<(&'static str, SceneFile)> = shipped()
        .iter()
        .map(|scene| Ok((scene.name, SceneFile::parse(scene.text, scene.name).map_err(|error| error.to_string())?)))
        .collect::<Result<_, String>>()?;
    let bar = progress_bar((2 * scenes.len() + 10 + ANIMATIONS.len()) as u64, "pictures", false);
    let mut page = "# Every scene\n\nDrawn by `carom render --gallery assets/pictures`.\n".to_owned();

    let mut resolution = PICTURE;
    let mut studio = Studio::open(resolution, false)?;
    for (name, file) in &scenes {
        if size(name) != resolution {
            resolution = size(name);
            drop(studio);
            studio = Studio::open(resolution, false)?;
        }
        let (ticks, staging) = moment(name);
        let _ = write!(page, "\n## {}\n\n{}\n\n| | |\n|---|---|\n|", file.title, file.description);
        for (theme, word) in THEMES {
            let picture = format!("{name}-{word}.png");
            let staging = Staging { theme, language: Language::English, ..staging.clone() };
            studio.set_up(ready(name, &staging)?, &staging)?;
            studio.advance(ticks);
            write(&folder.join(&picture), &studio.take()?)?;
            let _ = write!(page, " ![{}, {word}]({picture}) |", file.title);
            bar.inc(1);
        }
        page.push('\n');
    }
    drop(studio);

    let mut studio = Studio::open(WINDOW, true)?;
    for (name, aim) in [("nine-ball", Some(Shot { velocity: Vec2::new(7.0, 0.0367), tip: None })), ("vector-lab", None)]
    {
        for (theme, word) in THEMES {
            let staging = Staging { theme, language: Language::English, window: true, ..Staging::default() };
            studio.set_up(ready(name, &staging)?, &staging)?;
            studio.aim(aim)?;
            write(&folder.join(format!("window-{name}-{word}.png")), &studio.take()?)?;
            bar.inc(1);
        }
    }
    let game = MatchRecord::parse(MATCH, "nine-ball.ron")?;
    for (theme, word) in THEMES {
        let game = Match::replay(&game).map_err(|departure| departure.to_string())?;
        let staging = Staging { theme, language: Language::English, window: true, ..Staging::default() };
        studio.set_up_match(game, &staging)?;
        studio.aim(Some(Shot::parse_aim("the gallery", IN_MATCH)?))?;
        write(&folder.join(format!("window-match-{word}.png")), &studio.take()?)?;
        studio.open_start_page(true);
        write(&folder.join(format!("window-start-{word}.png")), &studio.take()?)?;
        studio.open_start_page(false);
        bar.inc(2);
    }
    for (theme, word) in THEMES {
        let staging = Staging { theme, language: Language::English, window: true, ..Staging::default() };
        studio.set_up_match(drill()?, &staging)?;
        studio.aim(Some(Shot::parse_aim("the gallery", IN_DRILL)?))?;
        write(&folder.join(format!("window-drill-{word}.png")), &studio.take()?)?;
        bar.inc(1);
    }
    drop(studio);

    page.push_str("\n# Animations\n\nDrawn by the scripts in `assets/animations`.\n");
    for (name, what, text) in ANIMATIONS {
        let script = Script::parse(text, name)?;
        let path = folder.join(format!("{name}.gif"));
        let output = Output::to("--gallery", &path)?;
        let mut stream = output.begin()?;
        let format = script.format;
        let mut gif = Gif::begin(&mut stream, format.size()).map_err(|error| output.failed(&error))?;
        draw_script(
            script,
            ThemeChoice::Dark,
            &Themes::default(),
            || (),
            |frame| gif.add(frame, format.frame_time()).map_err(|error| output.failed(&error)),
        )?;
        gif.finish().map_err(|error| output.failed(&error))?;
        stream.finish()?;
        let _ = write!(page, "\n![{what}]({name}.gif)\n");
        bar.inc(1);
    }
    bar.finish_and_clear();
    Output::to("--gallery", &folder.join("README.md"))?.write(page)
}

/// The match that plays the drill.
fn drill() -> Result<Match, String> {
    let options = [("drill".to_owned(), DRILL.into())].into_iter().collect();
    Match::new(MatchSpec { game: "drill".to_owned(), options, ..MatchSpec::default() })
}

fn ready(scene: &'static str, staging: &Staging) -> Result<Ready, String> {
    Ok(Ready::read(&Start::Scene(SceneSource::Shipped(scene)), &[], staging.strike)?)
}

fn write(path: &Path, frame: &Frame) -> Result<(), String> {
    let output = Output::to("--gallery", path)?;
    output.write(small_png(frame).map_err(|error| output.failed(&error))?)
}
