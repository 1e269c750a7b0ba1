//! Drills: how shots are judged, whole sessions as matches, and whether every shipped drill can be done.

use bevy::math::{DVec2, Vec2, vec2};
use carom::{
    billiards::{
        cue::{Cue, CueStrike},
        tables::BallName,
    },
    games::{
        Action, BallId, BallPlace, Call, Foul, Layout, Match, MatchSpec, Note, PocketId, Remark, Shot, ShotEvent,
        Simulator,
        drills::{Attempt, Demand, Drill, LaidDrill, shipped},
    },
    random::Random,
};
use serde_json::Value;

/// A drill with one demand and two targets for the cue ball.
const STOP: &str = r#"(
    title: "Stop", description: "Stop.", source: "test", tables: ["pool-9ft"], unit: Metres,
    attempts: 3, pass: 4,
    demands: [Pot(ball: Number(1), pockets: ["top right corner"])],
    targets: [
        (ball: Cue, area: Circle(centre: (0, 0), radius: 0.1), points: 2),
        (ball: Cue, area: Rectangle(from: (-0.5, -0.5), to: (0.5, 0.5))),
    ],
    positions: [(balls: [(Cue, At(-0.3, -0.3)), (Number(1), At(0.05, 0.05))])],
)"#;

fn laid(text: &str) -> LaidDrill {
    LaidDrill::on_usual_table(&Drill::parse(text, "test").unwrap()).unwrap().0
}

/// A shot of [`STOP`] that pots the 1 in a pocket and leaves the cue ball at a place.
fn pot(pocket: u8, cue_ball: BallPlace) -> Shot {
    let drill = laid(STOP);
    let before = drill.positions[0].layout.clone();
    let mut events = vec![ShotEvent::Balls(BallId(0), BallId(1)), ShotEvent::Potted(BallId(1), PocketId(pocket))];
    if let BallPlace::Pocket(pocket) = cue_ball {
        events.push(ShotEvent::Potted(BallId(0), pocket));
    }
    let after = Layout(vec![cue_ball, BallPlace::Pocket(PocketId(pocket))]);
    Shot { before, events, after, ..Shot::default() }
}

#[test]
fn a_shot_scores_its_points_and_the_best_target() {
    let drill = laid(STOP);
    let at = |x: f32, y: f32| BallPlace::Table(vec2(x, y));
    // The pockets count clockwise from the top left one.
    for (shot, points) in [
        (pot(2, at(0.0, 0.05)), 3),
        (pot(2, at(0.3, -0.3)), 2),
        (pot(2, at(1.0, 0.0)), 1),
        (pot(1, at(0.0, 0.05)), 0),
        (pot(2, BallPlace::Pocket(PocketId(2))), 0),
        (Shot::not_played(&drill.positions[0].layout), 0),
    ] {
        assert_eq!(drill.judge(0, &shot).points, points, "{shot:?}");
    }
    assert_eq!(drill.best(0), 3);
}

#[test]
fn a_miss_says_why() {
    let drill = laid(STOP);
    let name = |id: usize| drill.balls[id];
    let beside = drill.judge(0, &pot(2, BallPlace::Table(vec2(0.7504, 0.0))));
    // 0.2504 m outside the rectangle, which is nearer than the circle; rounded up to a millimetre.
    assert_eq!(beside.remarks, [Remark::BesideTarget(name(0), 251)]);
    let other = drill.judge(0, &pot(1, BallPlace::Table(Vec2::ZERO)));
    assert_eq!(other.remarks, [Remark::OtherPocket(name(1))]);
    let scratch = drill.judge(0, &pot(2, BallPlace::Pocket(PocketId(2))));
    assert_eq!(scratch.fouls, [Foul::Scratch(PocketId(2))]);
    let nothing = drill.judge(0, &Shot::not_played(&drill.positions[0].layout));
    assert_eq!(nothing.remarks, [Remark::NotPotted(name(1))]);
}

#[test]
fn demands_on_cushions_follow_the_order_of_the_events() {
    let demand = |demand: &str| {
        let balls = "(Cue, At(-1, 0)), (Yellow, At(0, 0.3)), (Red, At(1, 0))";
        laid(&format!(
            "(title: \"\", description: \"\", source: \"\", tables: [\"carom-10ft\"], attempts: 1, pass: 1, \
             demands: [{demand}], positions: [(balls: [{balls}])])"
        ))
    };
    let cushion = |ball: u8, cushion: u8| ShotEvent::Cushion(BallId(ball), carom::games::CushionId(cushion));
    let hit = |ball: u8| ShotEvent::Balls(BallId(0), BallId(ball));
    let points = |text: &str, events: &[ShotEvent]| {
        let drill = demand(text);
        let before = drill.positions[0].layout.clone();
        let mut after = before.clone();
        after[BallId(0)] = BallPlace::Table(vec2(0.0, -0.3));
        drill.judge(0, &Shot { before, events: events.to_vec(), after, ..Shot::default() }).points
    };
    let three = [hit(1), cushion(0, 0), cushion(0, 1), cushion(0, 2), hit(2)];
    // The cushions count clockwise from the top one; the red's own cushion does not count.
    let two = [hit(1), cushion(0, 0), cushion(2, 1), cushion(0, 2), hit(2), cushion(0, 3)];
    for (text, events, expected) in [
        ("Cannon(3)", &three[..], 1),
        ("Cannon(3)", &two, 0),
        ("Cannon(2)", &two, 1),
        ("Kick(1)", &two, 0),
        ("Kick(1)", &two[1..], 1),
        ("HitFirst(Red)", &three, 0),
        ("HitFirst(Yellow)", &three, 1),
        ("JumpOver(Yellow)", &three, 0),
        ("JumpOver(Yellow)", &[ShotEvent::Over(BallId(0), BallId(1)), hit(2)], 1),
        ("JumpOver(Yellow)", &[ShotEvent::Over(BallId(0), BallId(2)), hit(2)], 0),
        ("JumpOver(Yellow)", &[hit(2), ShotEvent::Over(BallId(0), BallId(1))], 0),
        ("Touch(\"left cushion\")", &three, 0),
        ("Touch(\"left cushion\")", &two, 1),
        ("Avoid([\"left cushion\"])", &three, 1),
        ("Avoid([])", &three, 0),
        ("Avoid([])", &[hit(1), cushion(1, 0)], 1),
    ] {
        assert_eq!(points(text, events), expected, "{text}");
    }
}

#[test]
fn an_invalid_drill_names_the_place_and_the_remedy() {
    let said = |from: &str, to: &str| {
        let text = STOP.replacen(from, to, 1);
        assert_ne!(text, STOP, "{from}");
        let error = Drill::parse(&text, "a.ron").and_then(|drill| LaidDrill::on_usual_table(&drill)).unwrap_err();
        error.to_string()
    };
    for (from, to, place, remedy) in [
        ("tables: [\"pool-9ft\"]", "tables: []", "tables", "name a table"),
        ("attempts: 3", "attempts: 0", "attempts", "give 1 to 1000"),
        ("pass: 4", "pass: 0", "pass", "at least 1"),
        ("At(0.05, 0.05)", "At(1.3, 0)", "positions[0].balls[1]", "x is within ±1.27"),
        ("At(0.05, 0.05)", "At(-0.3, -0.27)", "positions[0].balls[1]", "move it"),
        ("At(0.05, 0.05)", "Spot(\"middle\")", "positions[0].balls[1]", "foot, centre, head"),
        ("At(0.05, 0.05)", "Hand(Anywhere)", "positions[0].balls[1]", "give its coordinates"),
        ("(ball: Number(1), pockets", "(ball: Number(2), pockets", "demands", "name a ball of a position"),
        ("top right corner", "upper right", "demands", "top left corner, top side"),
        ("centre: (0, 0)", "centre: (5, 0)", "targets", "on the cloth"),
        ("radius: 0.1", "radius: NaN", "targets", "lengths of up to 1000"),
        ("radius: 0.1", "radius: inf", "targets", "lengths of up to 1000"),
        ("from: (-0.5, -0.5)", "from: (NaN, -0.5)", "targets", "NaN is not a length"),
        ("radius: 0.1)", "radius: 0.1), tolerance: -1", "targets", "lengths of up to 1000"),
        ("pass: 4", "pass: 10", "pass", "at most 9"),
        ("points: 2", "points: 0", "targets", "give 1 to 1000"),
        ("\"pool-9ft\"", "\"pool\"", "tables", "pool-9ft"),
        ("title", "name", "a.ron:2:", "title"),
    ] {
        let said = said(from, to);
        assert!(said.starts_with(place) && said.contains(remedy), "{to}: {said}");
    }
}

fn spec(drill: &str, table: &str) -> MatchSpec {
    let options = [("drill".to_owned(), Value::from(drill))].into_iter().collect();
    MatchSpec { game: "drill".to_owned(), options, table: table.to_owned(), ..MatchSpec::default() }
}

fn shoot(speed: f64, direction: DVec2) -> Action {
    Action::Shoot { call: Call::default(), strike: CueStrike { speed, direction, ..CueStrike::default() } }
}

#[test]
fn each_attempt_starts_from_a_position_and_the_last_one_ends_the_rack() {
    let mut playing = Match::new(spec("stop-shot", "pool-9ft")).unwrap();
    assert_eq!(playing.rules().title(), Some("Stop shots"));
    assert!(playing.rules().turn().stroke().unwrap().on.is_empty(), "any ball may be hit first");
    let jump = Match::new(spec("jump-shots", "pool-9ft")).unwrap();
    let names = jump.rules().turn().stroke().unwrap().on.iter().map(|ball| jump.rules().balls()[ball.index()]);
    assert_eq!(names.collect::<Vec<_>>(), [BallName::Number(1)]);
    let drill = &shipped().iter().find(|(name, _)| *name == "stop-shot").unwrap().1;
    let laid = LaidDrill::on_usual_table(drill).unwrap().0;
    for attempt in 0..drill.attempts {
        assert_eq!(playing.layout(), &laid.positions[laid.position_of(attempt)].layout);
        let (player, _) = playing.turn().unwrap();
        let note = Note::Attempt { number: attempt + 1, of: drill.attempts };
        assert_eq!(playing.rules().notes(player), [note]);
        // A soft shot away from the ball misses.
        let report = playing.apply(shoot(0.3, DVec2::new(-1.0, 0.2))).unwrap();
        assert_eq!(report.rack.is_some(), attempt + 1 == drill.attempts);
    }
    // Not passed: the drill starts again, for the same person.
    let (player, _) = playing.turn().unwrap();
    assert_eq!((player.0, playing.rack(), playing.racks(), playing.score()), (0, 1, [0, 0], [0, 0]));
    assert_eq!(Match::replay(&playing.record()).unwrap().hash(), playing.hash());
}

#[test]
fn a_drill_of_a_file_is_a_match_too() {
    let options = [("file".to_owned(), Value::from(STOP))].into_iter().collect();
    let mut playing = Match::new(MatchSpec { options, table: "pool-9ft".to_owned(), ..spec("", "") }).unwrap();
    // Straight along the diagonal, so that the 1 goes to the top right; the pot is not certain, the end is.
    for _ in 0..3 {
        playing.apply(shoot(2.0, DVec2::ONE)).unwrap();
    }
    assert_eq!(playing.shots().len(), 3);
    let wrong = MatchSpec { options: [("file".to_owned(), Value::from("("))].into_iter().collect(), ..spec("", "") };
    assert!(Match::new(wrong).unwrap_err().contains("option file=(: give the text of a drill file"));
}

/// A random stroke: in any direction, or at a ball so that any cut is likely.
fn stroke(random: &mut Random, layout: &Layout) -> CueStrike {
    let mut between = |low: f64, high: f64| low + (high - low) * f64::from(random.unit());
    let from = layout[BallId(0)].on_table().unwrap_or_default();
    let others: Vec<Vec2> = layout.on_table().filter(|(ball, _)| ball.0 > 0).map(|(_, place)| place).collect();
    let angle = between(0.0, std::f64::consts::TAU);
    let mut direction = DVec2::new(angle.cos(), angle.sin());
    let nth = between(0.0, 1.5 * others.len() as f64) as usize;
    if let Some(&at) = others.get(nth) {
        let line = (at - from).as_dvec2();
        direction = line + line.perp().normalize_or_zero() * between(-0.06, 0.06);
    }
    let speed = between(0.4, 3.5);
    let (side, top) = (between(-0.3, 0.3), between(-0.4, 0.4));
    CueStrike { speed, direction, side, top, elevation: 0.0 }
}

/// The same stroke with a raised cue and little side, as for a jump.
fn jump(random: &mut Random, stroke: CueStrike) -> CueStrike {
    let elevation = 0.5 + 0.5 * f64::from(random.unit());
    CueStrike { elevation, side: 0.1 * stroke.side, top: 0.1 * stroke.top, ..stroke }
}

/// The layout with the cue ball at a random place, if it is in hand.
fn placed(random: &mut Random, laid: &LaidDrill, position: usize, simulator: &Simulator) -> Layout {
    let mut layout = laid.positions[position].layout.clone();
    let (Some(region), table) = (laid.positions[position].in_hand, simulator.table()) else { return layout };
    for _ in 0..1000 {
        let place = vec2(2.0 * random.unit() - 1.0, 2.0 * random.unit() - 1.0) * table.half();
        if carom::games::may_place(region, &layout, BallId(0), place, table) {
            layout[BallId(0)] = BallPlace::Table(place);
            break;
        }
    }
    layout
}

/// Searches strokes until an attempt from this position has as many points as passing takes on average. Returns the
/// best attempt and the needed points.
fn best_attempt(laid: &LaidDrill, position: usize, simulator: &mut Simulator) -> [i32; 2] {
    let needed = (f64::from(laid.drill.pass) / f64::from(laid.drill.attempts)).ceil() as i32;
    let mut random = Random::new(7);
    let mut start: Option<(Layout, i32)> = None;
    let mut best = 0;
    for _ in 0..60_000 {
        let (layout, before) = start.clone().unwrap_or_else(|| (placed(&mut random, laid, position, simulator), 0));
        let mut strike = stroke(&mut random, &layout);
        if laid.drill.demands.iter().any(|demand| matches!(demand, Demand::JumpOver(_))) {
            strike = jump(&mut random, strike);
        }
        let Ok(shot) = simulator.play(&layout, BallId(0), &strike, &Cue::default()) else { continue };
        let points = laid.judge(position, &shot).points;
        best = best.max(before + points);
        if best >= needed {
            break;
        }
        if points > 0 && laid.drill.attempt == Attempt::Run {
            start = Some((shot.after, before + points));
        }
    }
    [best, needed]
}

#[test]
fn every_shipped_drill_can_be_done_from_each_position() {
    assert!(shipped().len() >= 12);
    let mut failed = Vec::new();
    for (name, drill) in shipped() {
        let (laid, table) = LaidDrill::on_usual_table(drill).unwrap();
        let mut simulator = Simulator::new(table);
        for position in 0..laid.positions.len() {
            let [best, needed] = best_attempt(&laid, position, &mut simulator);
            println!("{name} {position}: {best} of {needed} points, {} shots so far", simulator.shots());
            if best < needed {
                failed.push((name, position, best, needed));
            }
        }
    }
    assert!(failed.is_empty(), "name, position, best and needed points: {failed:?}");
}
