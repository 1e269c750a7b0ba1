//! Plays a whole rack of 9-ball against a bot with a real mouse, from the start page to the end. It includes a foul, a
//! ball in hand, and a window that is closed during a shot.
//!
//! A bot of the library chooses the shots. Of all pixels to which the mouse can pull, the test takes one from which the
//! shot works and also works from most neighbouring pixels. Screenshots show what a person would see; the match file
//! has the facts.

use std::{
    fs,
    path::PathBuf,
    process::Command,
    thread,
    time::{Duration, Instant},
};

use bevy::math::{DVec2, Vec2};
use carom::{
    billiards::cue::{self, CueStrike},
    games::{
        Action, BallId, Call, Match, MatchRecord, Player, Simulator, Task,
        bot::{Bot, Level, Thinker},
    },
    input::Strength,
    scene::Surroundings,
};

use crate::screen::{Desktop, WINDOW, cue_ball, difference, skip, wait_for};

/// The player at the mouse, and the bot.
const PERSON: Player = Player(0);
const BOT: Player = Player(1);

/// From this time on, the person plays fouls so that the rack ends.
const LONG_ENOUGH: Duration = Duration::from_secs(90);

/// How thoroughly the person considers a shot.
const SKILL: Level =
    Level { noise: 0.1, aims: 4, speeds: 3, tips: 1, samples: 12, deep: 0, safeties: 8, breaks: 2, ..Level::STRONG };

/// The position of the table in the window. `centre` (pixels) is its middle.
#[derive(Clone, Copy, Debug)]
struct View {
    centre: Vec2,
    pixels_per_metre: f32,
}

impl View {
    fn pixel(self, world: Vec2) -> (u32, u32) {
        let at = (self.centre + Vec2::new(world.x, -world.y) * self.pixels_per_metre).round();
        (at.x as u32, at.y as u32)
    }

    /// Converts a displacement on the table to whole pixels of the window, y down.
    fn pixels(self, way: Vec2) -> (i32, i32) {
        let way = (Vec2::new(way.x, -way.y) * self.pixels_per_metre).round();
        (way.x as i32, way.y as i32)
    }

    fn metres(self, (x, y): (i32, i32)) -> Vec2 {
        Vec2::new(x as f32, -y as f32) / self.pixels_per_metre
    }
}

/// The match that is played in the window, read from its file.
struct Played {
    desktop: Desktop,
    begun: Instant,
}

impl Played {
    fn file(&self) -> PathBuf {
        self.desktop.folder.join("data/carom/matches/nine-ball-1.ron")
    }

    fn record(&self) -> Option<MatchRecord> {
        let text = fs::read_to_string(self.file()).ok()?;
        Some(MatchRecord::parse(&text, "the match").expect("it is a match"))
    }

    /// The match after the last recorded action. The window shows the same state once all balls rest.
    fn game(&self) -> Match {
        let record = wait_for(|| self.record()).expect("the match is kept");
        Match::replay(&record).expect("it replays bit-identically")
    }

    fn actions(&self) -> usize {
        self.record().map_or(0, |record| record.log.len())
    }

    /// Waits for a further action. Returns none if there is none in this time.
    fn wait_for_action(&self, before: usize, patience: Duration) -> Option<()> {
        let since = Instant::now();
        while since.elapsed() < patience {
            if self.actions() > before {
                return Some(());
            }
            thread::sleep(Duration::from_millis(60));
        }
        None
    }

    /// Waits until the person must act, or the match is over.
    fn wait_for_person(&mut self) {
        let ready = wait_for(|| {
            assert_eq!(self.desktop.ended(), None, "it goes on");
            ["Match", "Play again"].into_iter().find_map(|name| self.desktop.sees("Button", name))
        });
        assert!(ready.is_some(), "somebody has to act: {:?}", self.record().map(|record| record.log));
    }

    /// Presses at one place, moves along others, given in pixels from the first, and releases.
    fn drag(&self, from: (u32, u32), ways: &[(i32, i32)]) {
        self.hold(from, ways);
        self.desktop.mouse(&["mouseup", "1"]);
    }

    fn hold(&self, from: (u32, u32), ways: &[(i32, i32)]) {
        self.desktop.point(from.0, from.1);
        self.desktop.mouse(&["mousedown", "1"]);
        thread::sleep(Duration::from_millis(200));
        for &(x, y) in ways {
            let at = [from.0.saturating_add_signed(x), from.1.saturating_add_signed(y)].map(|at| at.to_string());
            self.desktop.mouse(&["mousemove", &at[0], &at[1]]);
            thread::sleep(Duration::from_millis(250));
        }
    }

    /// Pulls the cue ball back by this many pixels, until the match has recorded the shot.
    fn shoot(&self, view: View, pull: (i32, i32)) {
        for _ in 0..4 {
            let before = self.actions();
            let from = view.pixel(self.game().layout()[BallId(0)].on_table().expect("it lies on the table"));
            self.drag(from, &[(pull.0 / 2, pull.1 / 2), pull, pull]);
            if self.wait_for_action(before, Duration::from_secs(6)).is_some() {
                return;
            }
            // The balls may still have been rolling.
            thread::sleep(Duration::from_secs(1));
        }
        panic!("the shot is not played: {:?}", self.game().turn());
    }

    /// Drags the ball in hand to a place, as closely as whole pixels allow.
    fn place(&self, view: View, to: Vec2) {
        let before = self.actions();
        let at = self.game().layout()[BallId(0)].on_table().expect("it lies on the table");
        let way = view.pixels(to - at);
        if way.0.abs() + way.1.abs() > 6 {
            self.drag(view.pixel(at), &[(way.0 / 2, way.1 / 2), way, way]);
            if self.wait_for_action(before, Duration::from_secs(3)).is_some() {
                return;
            }
        }
        // At its place, or at the place that it reached before it came too close to another ball.
        self.desktop.press("Button", "Place the ball");
        self.wait_for_action(before, Duration::from_secs(20)).expect("the ball is put down");
    }
}

/// The stroke that this pull gives.
fn struck(game: &Match, view: View, pull: (i32, i32)) -> CueStrike {
    let velocity = Strength::of(Surroundings::Table, 1.0).velocity(view.metres(pull));
    let from = game.layout()[BallId(0)].on_table().expect("it lies on the table");
    let strike = CueStrike { direction: velocity.as_dvec2().normalize_or(DVec2::X), ..CueStrike::default() };
    let strike = game.table().raised(game.layout(), from, strike);
    let body = Simulator::new(game.table().clone()).body();
    let speed = cue::cue_speed(&game.spec().cue, &body, &strike, f64::from(velocity.length()));
    CueStrike { speed, ..strike }
}

/// Whether a shot keeps the turn, or wins.
fn works(game: &Match, strike: CueStrike) -> bool {
    let mut next = game.clone();
    let Ok(report) = next.apply(Action::Shoot { call: Call::default(), strike }) else { return false };
    let wins = report.rack.is_some_and(|outcome| outcome.winner == Some(PERSON));
    wins || report.rack.is_none() && next.turn().is_some_and(|(player, _)| player == PERSON)
}

/// The pull for the wanted stroke: close to it, and such that neighbouring pixels work too.
fn pull_for(game: &Match, view: View, wanted: &CueStrike) -> (i32, i32) {
    let body = Simulator::new(game.table().clone()).body();
    let motion = cue::strike(&game.spec().cue, &body, wanted).expect("it hits the ball");
    let per_metre = Strength::of(Surroundings::Table, 1.0).per_metre;
    let from = view.pixel(game.layout()[BallId(0)].on_table().expect("it lies on the table"));
    let inside = |(x, y): (i32, i32)| {
        let (x, y) = (from.0 as i32 + x, from.1 as i32 + y);
        (2..WINDOW.0 as i32 - 2).contains(&x) && (2..WINDOW.1 as i32 - 2).contains(&y)
    };
    // Softer if the window ends.
    let mut way = -motion.velocity.as_vec2() / per_metre;
    while !inside(view.pixels(way)) {
        way *= 0.95;
    }
    let middle = view.pixels(way);
    let beside = |way: (i32, i32), reach: i32| {
        (-reach..=reach).flat_map(move |x| (-reach..=reach).map(move |y| (way.0 + x, way.1 + y)))
    };
    let all: Vec<(i32, i32)> = beside(middle, 5).filter(|&way| inside(way)).collect();
    let good: Vec<bool> = all.iter().map(|&pull| works(game, struck(game, view, pull))).collect();
    let company = |place: usize| {
        let (x, y) = all[place];
        let near = all.iter().zip(&good).filter(|((a, b), good)| **good && (a - x).abs() <= 1 && (b - y).abs() <= 1);
        near.count()
    };
    let best = (0..all.len()).filter(|&place| good[place]).max_by_key(|&place| company(place));
    best.map_or(middle, |place| all[place])
}

/// The action of a good player, and the stroke that it consists of or that follows it.
fn think(game: &Match) -> (Action, Option<CueStrike>) {
    let mut player = Thinker::new("the person", SKILL);
    player.consider(game.game_state());
    let action = (0..10_000).find_map(|_| player.think(64)).expect("it decides");
    // Without the random error of its stroke.
    let ideas = player.ideas();
    let of_place = |place: Vec2| ideas.iter().find(|idea| idea.from.distance(place) < 1e-3);
    let idea = match action {
        Action::Place(place) => of_place(place),
        _ => None,
    };
    (action, idea.or(ideas.first()).map(|idea| idea.strike))
}

/// A soft shot that hits nothing: away from all other balls.
fn foul(game: &Match, view: View) -> (i32, i32) {
    let ways = [(8, 0), (0, 8), (-8, 0), (0, -8), (6, 6), (-6, 6), (6, -6), (-6, -6)];
    let is_foul = |pull: &(i32, i32)| {
        let strike = struck(game, view, *pull);
        let report = game.clone().apply(Action::Shoot { call: Call::default(), strike });
        report.is_ok_and(|report| !report.verdict.fouls.is_empty())
    };
    ways.into_iter().find(is_foul).unwrap_or((8, 0))
}

#[test]
fn a_mouse_plays_a_whole_rack_against_a_bot() {
    let mut desktop = match Desktop::open("rack") {
        Ok(desktop) => desktop,
        Err(reason) => return skip(&reason),
    };
    desktop.start(&[]).expect("the program starts");
    if let Err(said) = desktop.first_picture() {
        return skip(&said);
    }
    choose(&mut desktop);
    let mut played = Played { desktop, begun: Instant::now() };
    let view = place_behind_the_head_string(&mut played);

    // A deliberate foul that hits no ball. The window reports it at the top, and it is the bot's turn.
    let before = played.desktop.picture("5-before-the-foul").expect("it goes on");
    assert!(reds(&before) < 20, "no foul yet");
    played.shoot(view, foul(&played.game(), view));
    let actions = played.actions();
    let game = played.game();
    assert_eq!(game.turn().map(|(player, _)| player), Some(BOT), "it was a foul");
    let said = wait_for(|| {
        let now = played.desktop.picture("6-foul").expect("it goes on");
        (reds(&now) > 60).then_some(())
    });
    assert!(said.is_some(), "it is told below the scoreboard");
    played.wait_for_action(actions, Duration::from_mins(2)).expect("the bot plays");
    played.desktop.picture("7-bot").expect("it goes on");
    played.wait_for_person();

    if !play_on(&mut played, view) {
        // Very rarely, the 9 falls on the break.
        println!("the bot has won before the window could be closed in mid-shot");
    }
    let game = played.game();
    assert!(game.winner().is_some() && game.turn().is_none());
    played.desktop.place("Button", "Play again");
    played.desktop.picture("9-end").expect("it goes on");
    played.desktop.press("Button", "Start page");
    played.desktop.place("Button", "Play");
    played.desktop.picture("10-start-page-again").expect("it goes on");
    assert_eq!(played.desktop.sees("Button", "Resume"), None, "there is nothing to resume");

    let replay = Command::new(env!("CARGO_BIN_EXE_carom")).arg("replay").arg(played.file()).output();
    let said = String::from_utf8_lossy(&replay.expect("the program runs").stdout).into_owned();
    assert!(said.contains("bit-identical"), "{said}");
    println!("{said}in {:.0} s", played.begun.elapsed().as_secs_f32());
}

/// The number of pixels as red as a foul message, in the part of the window where it appears.
fn reds(picture: &image::RgbImage) -> usize {
    let is_red = |x, y| {
        let [red, green, blue] = picture.get_pixel(x, y).0;
        red > 170 && red > green.max(blue).saturating_add(50)
    };
    (60..105).flat_map(|y| (300..620).map(move |x| (x, y))).filter(|&(x, y)| is_red(x, y)).count()
}

/// Chooses 9-ball against a beginner, for one rack, on the start page, and begins.
fn choose(desktop: &mut Desktop) {
    desktop.press("Button", "Snooker");
    desktop.press("Button", "9-ball");
    desktop.press("ComboBox", "Second player");
    desktop.press("Button", "bot: beginner");
    let is_one = (0..8).any(|_| {
        // A click on the field selects the number. If a frame is slow, the typed digit may arrive earlier.
        desktop.press("SpinButton", "Race to");
        thread::sleep(Duration::from_secs(1));
        desktop.mouse(&["type", "--delay", "120", "1"]);
        thread::sleep(Duration::from_millis(600));
        desktop.mouse(&["key", "Return"]);
        thread::sleep(Duration::from_secs(1));
        desktop.value("SpinButton", "Race to").is_some_and(|value| value == "1")
    });
    assert!(is_one, "one rack is chosen: {:?}", desktop.value("SpinButton", "Race to"));
    desktop.picture("2-chosen").expect("it goes on");
    desktop.press("Button", "Play");
}

/// Drags the ball in hand to a place where it is not allowed, then to one where it is. The result gives the position of
/// the table in the window.
fn place_behind_the_head_string(played: &mut Played) -> View {
    played.wait_for_person();
    let game = played.game();
    let spec = game.spec();
    assert_eq!(
        (spec.players[1].to_string().as_str(), spec.race_to, spec.game.as_str()),
        ("bot:beginner", 1, "nine-ball")
    );
    let before = played.actions();
    let first = game.layout()[BallId(0)].on_table().expect("it lies on the table already");
    let picture = played.desktop.picture("3-ball-in-hand").expect("it goes on");
    let from = cue_ball(&picture, 100..420, 300..560).expect("the cue ball is seen");
    let way = (-60, -45);
    played.hold(from, &[(80, 5), (180, 10)]);
    let refused = played.desktop.picture("4-may-not-lie-there").expect("it goes on");
    let there = difference(&picture, &refused, from.0 + 165..from.0 + 195, from.1 - 5..from.1 + 25);
    assert!(there > 100, "it is shown that it may not lie there: {there} pixels");
    assert_eq!(played.actions(), before);
    played.drag_on(from, way);
    played.wait_for_action(before, Duration::from_mins(1)).expect("the ball is put down");
    let second = played.game().layout()[BallId(0)].on_table().expect("it lies on the table");
    let moved = second - first;
    let pixels_per_metre = way.0 as f32 / moved.x;
    assert!((-way.1 as f32 / moved.y / pixels_per_metre - 1.0).abs() < 1e-3, "it went with the mouse: {moved}");
    let from = Vec2::new(from.0 as f32, from.1 as f32);
    View { centre: from - Vec2::new(first.x, -first.y) * pixels_per_metre, pixels_per_metre }
}

impl Played {
    /// Continues a drag to this many pixels from where it was pressed, and releases.
    fn drag_on(&self, from: (u32, u32), (x, y): (i32, i32)) {
        for _ in 0..2 {
            let at = [from.0.saturating_add_signed(x), from.1.saturating_add_signed(y)].map(|at| at.to_string());
            self.desktop.mouse(&["mousemove", &at[0], &at[1]]);
            thread::sleep(Duration::from_millis(400));
        }
        self.desktop.mouse(&["mouseup", "1"]);
    }
}

/// Plays until the rack is over. The window is closed during its first shot and opened again. Returns whether that
/// happened.
fn play_on(played: &mut Played, view: View) -> bool {
    let (mut is_resumed, mut has_picture, mut planned) = (false, false, None);
    for _ in 0..80 {
        let game = played.game();
        let actions = played.actions();
        match game.turn() {
            None => break,
            Some((PERSON, Task::Choose(_))) => {
                played.wait_for_person();
                played.desktop.mouse(&["key", "1"]);
                played.wait_for_action(actions, Duration::from_mins(1)).expect("something is chosen");
            }
            Some((PERSON, Task::Shoot(stroke))) => {
                played.wait_for_person();
                // By now the ball in hand has a place.
                let game = played.game();
                if stroke.in_hand.is_some() && planned.is_none() {
                    let (action, idea) = think(&game);
                    let at = game.layout()[BallId(0)].on_table().expect("it lies on the table");
                    played.place(view, if let Action::Place(to) = action { to } else { at });
                    planned = Some(idea);
                    if !has_picture {
                        played.desktop.picture("8-placed-anywhere").expect("it goes on");
                        has_picture = true;
                    }
                    continue;
                }
                let idea = planned.take().unwrap_or_else(|| think(&game).1);
                let pull = match idea {
                    Some(strike) if played.begun.elapsed() < LONG_ENOUGH => pull_for(&game, view, &strike),
                    _ => foul(&game, view),
                };
                played.shoot(view, pull);
                if !is_resumed {
                    close_and_go_on(played);
                    is_resumed = true;
                    // Four times as fast from here on.
                    for _ in 0..2 {
                        played.desktop.mouse(&["key", "bracketright"]);
                    }
                }
            }
            Some(_) => {
                let patience = Duration::from_mins(2);
                played.wait_for_action(actions, patience).expect("the bot plays");
            }
        }
    }
    is_resumed
}

/// Closes the window while the balls roll, and continues the match from the start page.
fn close_and_go_on(played: &mut Played) {
    played.desktop.close();
    let left = played.record().expect("the match is kept");
    assert!(matches!(left.log.last().map(|entry| entry.action), Some(Action::Shoot { .. })), "in mid-shot");
    played.desktop.start(&[]).expect("the program starts again");
    played.desktop.picture("8-left-in-mid-shot").expect("it goes on");
    let go_on = wait_for(|| played.desktop.sees("Button", "Resume")).expect("the match is offered");
    assert!(go_on.contains("9-ball") && go_on.contains("beginner"), "{go_on}");
    played.desktop.press("Button", &go_on);
    let now = wait_for(|| played.desktop.sees("Button", &go_on).is_none().then(|| played.game())).expect("it goes on");
    // Earlier actions are unchanged, and later ones are checked by the same hashes.
    let log = now.record().log;
    assert_eq!(log[..left.log.len()], left.log[..]);
}
