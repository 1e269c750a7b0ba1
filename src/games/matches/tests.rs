//! Uses a small game of two balls in place of the real ones.

use std::sync::atomic::{AtomicBool, Ordering};

use bevy::math::DVec2;

use super::*;
use crate::{
    billiards::tables::{BallName, Rack},
    games::{
        rulebooks::GAMES,
        rules::{BallId, CallNeeded, CallRefusal, Foul, Note, PlaceRefusal, PocketId, Standing},
    },
    random::Random,
};

/// A shot that drives a ball to a cushion scores a point and continues; three points win. A shot that hits nothing
/// gives the opponent the cue ball in hand. After the first shot the second player may choose who continues.
#[derive(Clone, Debug)]
struct Rebound {
    standing: Standing,
    places: Vec<Vec2>,
    shots: u32,
}

const REBOUND: Game = Game {
    tables: &["pool-9ft"],
    measures: crate::games::rules::Measure::POINTS,
    ..Game::new("rebound", "Rebound", |table, options| {
        let _: crate::games::rules::Options = REBOUND.read_options(options)?;
        let places = Rack::ThreeCushion.balls(&table.spec, 1e-5);
        let places = places.or_else(|| Rack::NineBall.balls(&table.spec, 1e-5)).ok_or("no spots")?;
        Ok(Box::new(Rebound {
            standing: Standing::new(Turn::shoot(
                Player(0),
                ShotConstraints { is_break: true, ..ShotConstraints::of(BallId(0)) },
            )),
            places: places.iter().take(2).map(|ball| ball.place.as_vec2()).collect(),
            shots: 0,
        }))
    })
};

impl Rebound {
    fn turn_to(&mut self, turn: Turn) {
        self.standing.current_break = self.standing.score[turn.player.index()];
        self.standing.turn = turn;
    }
}

impl Rules for Rebound {
    fn balls(&self) -> &[BallName] {
        &[BallName::Cue, BallName::Red]
    }

    fn layout(&mut self, seed: u64) -> Layout {
        let aside = Vec2::Y * Random::new(seed).between(-0.1, 0.1);
        Layout(self.places.iter().map(|&place| BallPlace::Table(place + aside)).collect())
    }

    fn standing(&self) -> &Standing {
        &self.standing
    }

    fn judge(&mut self, shot: &Shot) -> Verdict {
        let Turn { player, .. } = self.standing.turn;
        self.shots += 1;
        let points = i32::from(!shot.driven_to_cushions().is_empty());
        let mut verdict = Verdict { goes_on: points > 0, ..Verdict::default() };
        verdict.points[player.index()] = points;
        self.standing.score[player.index()] += points;
        let mut stroke = ShotConstraints { call: CallNeeded::Nothing, ..ShotConstraints::of(BallId(0)) };
        if shot.events.is_empty() || !shot.after.is_on_table(BallId(0)) {
            verdict.fouls.push(Foul::NoHit);
            verdict.goes_on = false;
            verdict.placed.push((BallId(0), BallPlace::Hand));
            stroke.in_hand = Some(Region::BehindHeadString);
        }
        if !shot.after.is_on_table(BallId(1)) {
            verdict.placed.push((BallId(1), BallPlace::Table(self.places[1])));
        }
        let next = if verdict.goes_on { player } else { player.other() };
        let task = match self.standing.score {
            score if score[player.index()] >= 3 => Task::Over(Outcome { winner: Some(player) }),
            _ if self.shots == 1 => Task::Choose(vec![Choice::PassBack, Choice::PlayOn]),
            _ => Task::Shoot(stroke),
        };
        self.turn_to(Turn { player: next, task });
        verdict
    }

    fn choose(&mut self, choice: Choice, layout: &Layout) -> Result<Verdict, Refusal> {
        let player =
            if choice == Choice::PassBack { self.standing.turn.player.other() } else { self.standing.turn.player };
        let in_hand = (!layout.is_on_table(BallId(0))).then_some(Region::BehindHeadString);
        self.turn_to(Turn::shoot(player, ShotConstraints { in_hand, ..ShotConstraints::of(BallId(0)) }));
        Ok(Verdict::default())
    }

    fn boxed(&self) -> Box<dyn Rules> {
        Box::new(self.clone())
    }
}

fn begun(spec: MatchSpec) -> Match {
    let table = ShippedTable::named("pool-9ft").unwrap().spec().unwrap();
    Match::on_table(spec, &REBOUND, Arc::new(GameTable::new(table).unwrap())).unwrap()
}

fn race(race_to: u32) -> MatchSpec {
    MatchSpec { game: "rebound".to_owned(), race_to, seed: 5, ..MatchSpec::default() }
}

/// Shoots away from the other ball, with or without reaching a cushion.
fn shoot(speed: f64) -> Action {
    let strike = CueStrike { speed, direction: DVec2::new(-1.0, 0.3), ..CueStrike::default() };
    Action::Shoot { call: Call::default(), strike }
}

fn turn(playing: &Match) -> (u8, bool) {
    let (player, task) = playing.turn().unwrap();
    (player.0, matches!(task, Task::Shoot(_)))
}

#[test]
fn a_match_is_won_by_racks_and_the_breaks_change() {
    let mut playing = begun(race(2));
    for rack in 0..2 {
        assert_eq!((playing.rack(), playing.breaker()), (rack, Player(rack as u8 % 2)));
        assert!(playing.apply(shoot(2.0)).unwrap().verdict.goes_on);
        assert_eq!(turn(&playing), (rack as u8 % 2, false));
        playing.apply(Action::Choose(Choice::PlayOn)).unwrap();
        playing.apply(shoot(2.0)).unwrap();
        let last = playing.apply(shoot(2.0)).unwrap();
        assert_eq!(last.rack, Some(Outcome { winner: Some(last.player) }));
    }
    assert_eq!((playing.racks(), playing.winner()), ([1, 1], None));
    playing.apply(Action::Concede).unwrap();
    // The first player broke in the third rack and lost it.
    assert_eq!((playing.racks(), playing.winner(), playing.turn().is_none()), ([1, 2], Some(Player(1)), true));
    assert_eq!(playing.apply(shoot(1.0)), Err(Refusal::Over));
    let numbers = playing.statistics();
    let [first, second] = &numbers.players;
    assert_eq!((first.racks, first.runouts, first.shots, first.points), (1, 1, 3, 3));
    assert_eq!((second.racks, second.runouts, second.breaks, second.innings), (2, 1, 1, 1));
    assert_eq!((first.longest_break, first.attempts, first.successes), (3, 2, 2));
    assert_eq!((first.positions, second.positions), (1, 1), "not after breaks, nor where the rack is won");
    assert!([first, second].iter().all(|of| (0.0..=1.0).contains(&of.position_quality.unwrap())));
    let played: Vec<_> = playing.shots().iter().map(|shot| (shot.rack, shot.player.0, shot.won)).collect();
    let (one, two) = (Some(Player(0)), Some(Player(1)));
    let expected = [(0, 0, None), (0, 0, None), (0, 0, one), (1, 1, None), (1, 1, None), (1, 1, two)];
    assert_eq!(played, expected);
}

#[test]
fn who_breaks_next_is_as_agreed() {
    for (breaks, expected) in [(Breaks::Alternate, 1), (Breaks::Winner, 1), (Breaks::Loser, 0)] {
        let mut playing = begun(MatchSpec { breaks, ..race(5) });
        playing.apply(Action::Concede).unwrap();
        assert_eq!(playing.breaker(), Player(expected), "{breaks:?}");
    }
    assert_eq!(begun(MatchSpec { first: Player(1), ..race(1) }).breaker(), Player(1));
}

#[test]
fn what_is_refused_says_why_and_changes_nothing() {
    let mut playing = begun(race(1));
    let refused = |playing: &mut Match, action: Action| {
        let (hash, log) = (playing.hash(), playing.log().len());
        let refusal = playing.apply(action).unwrap_err();
        assert_eq!((playing.hash(), playing.log().len()), (hash, log));
        refusal
    };
    assert_eq!(refused(&mut playing, Action::Place(Vec2::ZERO)), Refusal::NotInHand);
    assert_eq!(refused(&mut playing, Action::Choose(Choice::PlayOn)), Refusal::NothingToChoose);
    assert_eq!(refused(&mut playing, Action::TakeBack), Refusal::NothingToTakeBack);
    let strike = CueStrike { side: 0.9, ..CueStrike::default() };
    assert!(refused(&mut playing, Action::Shoot { call: Call::default(), strike }).to_string().contains("slip off"));
    let call = Call { safety: true, ..Call::default() };
    let strike = CueStrike::default();
    assert_eq!(refused(&mut playing, Action::Shoot { call, strike }), CallRefusal::NoSafety.into());
    playing.apply(shoot(0.0)).unwrap();
    assert_eq!(refused(&mut playing, shoot(1.0)), Refusal::ChooseFirst);
    assert_eq!(refused(&mut playing, Action::Choose(Choice::Break)), Refusal::NotOffered(Choice::Break));
    playing.apply(Action::Choose(Choice::PlayOn)).unwrap();
    assert_eq!(refused(&mut playing, shoot(1.0)), Refusal::PlaceFirst);
    let red = playing.layout()[BallId(1)].on_table().unwrap();
    for (place, why) in [
        (Vec2::new(-0.1, 0.0), PlaceRefusal::BehindHeadString),
        (red, PlaceRefusal::BehindHeadString),
        (Vec2::new(-1.26, 0.0), PlaceRefusal::OffTheCloth),
    ] {
        assert_eq!(refused(&mut playing, Action::Place(place)), why.into());
    }
    playing.apply(Action::Place(Vec2::new(-1.0, 0.1))).unwrap();
    playing.apply(Action::Place(Vec2::new(-1.0, 0.2))).unwrap();
    assert_eq!(playing.layout()[BallId(0)], BallPlace::Table(Vec2::new(-1.0, 0.2)), "as often as one likes");
    playing.apply(shoot(2.0)).unwrap();
    let mut strict = begun(MatchSpec { take_back: false, ..race(1) });
    strict.apply(shoot(1.0)).unwrap();
    assert_eq!(refused(&mut strict, Action::TakeBack), Refusal::NoTakeBack);
}

#[test]
fn a_call_of_a_ball_that_the_game_does_not_have_is_refused() {
    for game in GAMES {
        let mut playing = Match::new(MatchSpec { game: game.name.to_owned(), ..MatchSpec::default() }).unwrap();
        let (_, task) = playing.turn().unwrap();
        let Task::Shoot(ShotConstraints { cue_ball, in_hand, .. }) = *task else { panic!("{task:?}") };
        if let Some(place) = in_hand.and_then(|region| region.any_place(playing.table(), playing.layout(), cue_ball)) {
            playing.apply(Action::Place(place)).unwrap();
        }
        let count = playing.rules().balls().len() as u8;
        for ball in [count, 200, u8::MAX] {
            let call = Call { ball: Some(BallId(ball)), ..Call::default() };
            let refused =
                playing.apply(Action::Shoot { call, strike: CueStrike { speed: 0.01, ..CueStrike::default() } });
            assert!(matches!(refused, Err(Refusal::Call(_))), "{}: {refused:?}", game.name);
        }
    }
}

#[test]
fn an_answer_that_is_not_allowed_counts_as_a_pass() {
    let mut playing = begun(race(1));
    let good = playing.apply_answer(shoot(2.0)).unwrap();
    assert_eq!((good.action, good.refused), (shoot(2.0), None));
    let wrong = Action::Choose(Choice::Break);
    for (answer, why) in [(wrong, Refusal::NotOffered(Choice::Break)), (Action::TakeBack, Refusal::OnlyPeopleTakeBack)]
    {
        let mut playing = playing.clone();
        let passed = playing.apply_answer(answer).unwrap();
        assert_eq!((passed.action, passed.refused), (Action::Pass, Some(why)));
        assert_eq!((playing.log().len(), playing.shots().len()), (2, 1), "the shot is not taken back");
    }
    playing.apply(Action::Concede).unwrap();
    assert_eq!(playing.apply_answer(shoot(2.0)), Err(Refusal::Over));
}

#[test]
fn a_direction_of_any_length_moves_the_ball() {
    let shot = |direction: DVec2| {
        let strike = CueStrike { speed: 2.0, direction, ..CueStrike::default() };
        begun(race(1)).apply(Action::Shoot { call: Call::default(), strike }).unwrap().shot.unwrap()
    };
    let usual = shot(DVec2::Y);
    assert_ne!(usual.after, usual.before);
    for length in [1e200, 1e-200] {
        assert_eq!(shot(DVec2::Y * length), usual, "{length}");
    }
}

/// A match file of snooker with implied nominations, in which a red falls and then ball 200 is called.
const UNKNOWN_BALL: &str = r#"(
  version: 2,
  spec: (game:"snooker",options:{"implied_nomination":true,"reds":6},players:("a","b"),seed:3),
  log: [
    (action:Place((-1.0475,0.146)),hash:0),
    (action:Shoot(strike:(
      speed:6.418140551941195,direction:(1.9932700395584106,-0.1459999978542328),elevation:0.023000806459376123
    )),hash:0),
    (action:Choose(PlayOn),hash:0),
    (action:Shoot(strike:(
      speed:1.4367224313281257,direction:(0.2329605221748352,0.010254323482513428)
    )),hash:0),
    (action:Shoot(call:(ball:200),strike:(speed:0.01,direction:(1,0))),hash:0),
  ],
)"#;

#[test]
fn a_match_file_that_calls_a_ball_which_does_not_exist_is_refused_where_it_does() {
    let record = MatchRecord::parse(UNKNOWN_BALL, "a.ron").unwrap();
    let mut playing = Match::new(record.spec.clone()).unwrap();
    for entry in &record.log[..4] {
        playing.apply(entry.action).unwrap();
    }
    assert!(playing.rules().notes(playing.turn().unwrap().0).contains(&Note::ColourOn), "a red has fallen");
    assert_eq!(playing.apply(record.log[4].action), Err(CallRefusal::NotThatBall.into()));
}

#[test]
fn a_shot_taken_back_leaves_a_bit_identical_match_and_a_file_plays_it_all_again() {
    let mut playing = begun(race(2));
    let mut hashes = vec![playing.hash()];
    for action in [shoot(2.0), Action::Choose(Choice::PassBack), Action::Pass, Action::Place(Vec2::new(-0.9, 0.1))] {
        playing.apply(action).unwrap();
        hashes.push(playing.hash());
    }
    let rest = [shoot(2.0), shoot(2.0), shoot(1.5)];
    for action in rest {
        playing.apply(action).unwrap();
    }
    assert_eq!(playing.racks(), [1, 0]);
    for _ in rest {
        playing.apply(Action::TakeBack).unwrap();
    }
    assert_eq!((playing.hash(), playing.racks()), (hashes[4], [0, 0]), "the ball lies where it was placed");
    assert_eq!(playing.shots().len(), 2, "the shots that stand");
    assert_eq!(playing.statistics().players[0].shots, 1);
    playing.apply(Action::TakeBack).unwrap();
    assert_eq!(playing.hash(), hashes[2]);
    for _ in 0..2 {
        playing.apply(Action::TakeBack).unwrap();
    }
    assert_eq!(playing.hash(), hashes[0]);
    let text = playing.record().to_text().unwrap();
    assert_eq!(MatchRecord::parse(&text, "a.ron").unwrap(), playing.record(), "{text}");
}

#[test]
fn a_record_replays_and_says_where_it_departs() {
    let spec = MatchSpec { game: "practice".to_owned(), seed: 3, ..MatchSpec::default() };
    let mut playing = Match::new(spec).unwrap();
    let break_shot = CueStrike { speed: 6.1, direction: DVec2::new(1.0, 0.0123), side: 0.1, ..CueStrike::default() };
    playing.apply(Action::Shoot { call: Call::default(), strike: break_shot }).unwrap();
    playing.apply(Action::TakeBack).unwrap();
    playing.apply(Action::Shoot { call: Call::default(), strike: break_shot }).unwrap();
    let record = MatchRecord::parse(&playing.record().to_text().unwrap(), "a.ron").unwrap();
    assert_eq!(Match::replay(&record).unwrap().hash(), playing.hash());
    let mut other = record.clone();
    let Action::Shoot { strike, .. } = &mut other.log[2].action else { panic!("{other:?}") };
    strike.speed += 1e-5;
    let departure = Match::replay(&other).unwrap_err();
    assert_eq!(departure, Departure::Other { number: 3, count: 3 });
    other.log[1].action = Action::Choose(Choice::Break);
    assert!(matches!(Match::replay(&other), Err(Departure::Refused { number: 2, .. })));
    other.spec.game = "chess".to_owned();
    assert!(Match::replay(&other).unwrap_err().to_string().contains("there is no game `chess`"));
    let broken = MatchRecord::parse("(\n  spec: 3)", "a.ron").unwrap_err();
    assert!(broken.starts_with("a.ron, line 2, column"), "{broken}");
}

#[test]
fn whatever_is_changed_in_a_record_is_found_out() {
    let spec = MatchSpec { game: "nine-ball".to_owned(), seed: 3, ..MatchSpec::default() };
    let mut playing = Match::new(spec).unwrap();
    let strike = |y: f64| CueStrike { speed: 1.0, direction: DVec2::new(0.0, y), ..CueStrike::default() };
    playing.apply(Action::Place(Vec2::new(-0.9, 0.0))).unwrap();
    for y in [1.0, -1.0] {
        // The opponent then has the ball in hand, so that the cue ball's path leaves no trace.
        playing.apply(Action::Shoot { call: Call::default(), strike: strike(y) }).unwrap();
        playing.apply(Action::Place(Vec2::new(-0.9, 0.0))).unwrap();
    }
    let record = playing.record();
    assert_eq!(Match::replay(&record).unwrap().record(), record);
    let departs = |change: &dyn Fn(&mut MatchRecord), number: usize| {
        let mut other = record.clone();
        change(&mut other);
        assert_eq!(Match::replay(&other).unwrap_err(), Departure::Other { number, count: 5 });
    };
    departs(&|other| other.spec.players[1] = "somebody else".into(), 1);
    departs(&|other| _ = other.spec.options.insert("three_fouls".to_owned(), false.into()), 1);
    departs(&|other| other.spec.race_to = 7, 1);
    departs(&|other| other.log[1].action = Action::Shoot { call: Call::default(), strike: strike(-1.0) }, 2);
    departs(&|other| other.log[3].action = Action::Shoot { call: Call::default(), strike: strike(-1.5) }, 4);
    departs(&|other| other.log[2].hash ^= 1, 3);
    // Without its last actions it is an unfinished match, unless the record says that it is over.
    let short = MatchRecord { log: record.log[..4].to_vec(), ..record.clone() };
    assert!(Match::replay(&short).is_ok());
    assert_eq!(Match::replay(&MatchRecord { over: true, ..short }).unwrap_err(), Departure::NotOver { count: 4 });
}

#[test]
fn what_is_wrong_with_a_file_is_said_in_plain_words() {
    let spec = MatchSpec { game: "nine-ball".to_owned(), ..MatchSpec::default() };
    let mut playing = Match::new(spec).unwrap();
    playing.apply(Action::Pass).unwrap();
    let text = playing.record().to_text().unwrap();
    assert_eq!(MatchRecord::parse(&format!("\u{feff}{text}"), "a.ron").unwrap(), playing.record());
    for (from, to, said) in [
        ("version: 2", "version: 9", "a newer carom (format 9"),
        ("version: 2,", "", "an older carom"),
        ("version: 2,", "version: 1,", "an older carom (format 1"),
        ("version: 2,", "version: 3, weather: Rain(heavy: [1, 2]),", "a newer carom"),
        (
            "Pass",
            "Dance",
            "log[0].action is Dance; write Place(number, number), TakeCue(…), Shoot(call: …, strike: …), ",
        ),
        (
            "action:Pass",
            "action:Shoot(calc:(),strike:())",
            "log[0].action: there is no field `calc`, did you mean `call`",
        ),
        ("seed:", "sead:", "spec: there is no field `sead`, did you mean `seed`; the fields are game,"),
        ("game:\"nine-ball\",", "", "spec lacks the field `game`; add it"),
        ("race_to:1", "race_to:-1", "spec.race_to is -1; write a whole number from 0 to 4294967295"),
        ("race_to:1", "race_to:-1", "line 3"),
        ("race_to:1", "race_to:true", "spec.race_to is true; write a whole number from 0 to 4294967295"),
        ("version: 2", "3", "expected the name of a field, not 3; the fields are version, spec"),
        ("  ],\n)", "", "the file ends before the match does; it was cut off, so copy the whole of it again"),
        ("version: 2,", "", "it is not a match; give a file that carom play --save or the window has written"),
        (
            "action:Pass",
            "act:Pass",
            "log[0]: there is no field `act`, did you mean `action`; the fields are action, hash",
        ),
        ("(\n  version", "# A page\n", "this is not a match: Expected an `#![enable(...)]` attribute where `"),
    ] {
        assert!(text.contains(from), "{text}");
        let wrong = MatchRecord::parse(&text.replacen(from, to, 1), "a.ron").unwrap_err();
        assert!(wrong.starts_with("a.ron") && wrong.contains(said), "{wrong}");
        assert!(
            !["u32", "struct", "MatchRecord", "MatchSpec", "File"].iter().any(|word| wrong.contains(word)),
            "{wrong}"
        );
    }
}

#[test]
fn a_match_of_a_game_of_ones_own_replays_with_its_game_and_its_table() {
    let playing = {
        let mut playing = begun(race(1));
        playing.apply(shoot(2.0)).unwrap();
        playing
    };
    let (record, table) = (playing.record(), playing.table().clone());
    assert!(Match::replay(&record).is_err());
    assert_eq!(Match::replay_on(&record, playing.game(), table).unwrap().record(), record);
}

#[test]
fn a_cue_and_a_clock_with_which_nobody_can_play_are_refused() {
    let with = |change: fn(&mut MatchSpec)| {
        let mut spec = MatchSpec { game: "nine-ball".to_owned(), ..MatchSpec::default() };
        change(&mut spec);
        Match::new(spec).err()
    };
    assert_eq!(with(|_| ()), None);
    for (change, said) in [
        ((|spec| spec.cue.mass = f64::NAN) as fn(&mut MatchSpec), "the cue's mass is NaN"),
        (|spec| spec.cue.mass = 0.0, "the cue's mass is 0"),
        (|spec| spec.cue.tip_restitution = 1e9, "tip_restitution"),
        (|spec| spec.cue.end_mass = -1.0, "end_mass"),
        (|spec| spec.cue.miscue_limit = 9.0, "from 0 to 1"),
        (|spec| spec.shot_clock = Some(-1.0), "leaves no time"),
        (|spec| spec.shot_clock = Some(f32::NAN), "leaves no time"),
    ] {
        assert!(with(change).is_some_and(|error| error.contains(said)), "{said}");
    }
}

#[test]
fn a_game_is_played_on_its_tables() {
    let on =
        |table: &str| MatchSpec { game: "three-cushion".to_owned(), table: table.to_owned(), ..MatchSpec::default() };
    assert!(Match::new(on("carom-10ft")).is_ok());
    let refused = Match::new(on("pool-9ft")).unwrap_err();
    assert_eq!(refused, "three-cushion cannot be played on pool-9ft; its tables are carom-10ft");
    assert!(Match::new(on("billiards")).unwrap_err().contains("snooker-12ft"));
}

#[test]
fn the_next_rack_begins_even_where_its_game_would_not_begin_again() {
    static HAS_BEGUN: AtomicBool = AtomicBool::new(false);
    static ONCE: Game = Game {
        begin: |table, options| {
            if HAS_BEGUN.swap(true, Ordering::Relaxed) {
                return Err("it begins once".to_owned());
            }
            (REBOUND.begin)(table, options)
        },
        ..REBOUND
    };
    let table = begun(race(2)).table().clone();
    let mut once = Match::on_table(race(2), &ONCE, table).unwrap();
    let mut usual = begun(race(2));
    for playing in [&mut once, &mut usual] {
        playing.apply(shoot(2.0)).unwrap();
        playing.apply(Action::Concede).unwrap();
    }
    assert_eq!((once.rack(), turn(&once), once.hash()), (1, (1, true), usual.hash()));
    assert_eq!(once.layout(), usual.layout());
    once.apply(shoot(2.0)).unwrap();
}

#[test]
fn a_cue_ball_that_falls_without_a_foul_is_no_ball_potted() {
    let mut playing = Match::new(MatchSpec::default()).unwrap();
    let pocket = playing.table().built.holes[0].mouth.as_vec2();
    let from = pocket - pocket.signum() * 0.3;
    playing.apply(Action::Place(from)).unwrap();
    let strike = CueStrike { speed: 1.5, direction: (pocket - from).as_dvec2(), ..CueStrike::default() };
    let report = playing.apply(Action::Shoot { call: Call::default(), strike }).unwrap();
    assert_eq!(report.shot.unwrap().pocket_of(BallId(0)), Some(PocketId(0)));
    assert!(report.verdict.fouls.is_empty());
    let of = &playing.statistics().players[0];
    assert_eq!((of.shots, of.potted), (1, 0));
}
