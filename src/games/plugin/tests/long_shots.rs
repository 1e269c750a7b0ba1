//! Shots that would take long to come to rest.

use super::*;

/// The three-cushion table with another cloth.
fn carom_table(change: impl FnOnce(&mut ClothSpec)) -> Arc<GameTable> {
    let mut spec = ShippedTable::named("carom-10ft").unwrap().spec().unwrap();
    change(&mut spec.cloth);
    Arc::new(GameTable::new(spec).unwrap())
}

/// Plays a shot in practice with three balls, `ticks` per frame. Returns the number of frames until the verdict, and
/// the number of ticks that the simulator ran.
fn frames_of_shot(app: &mut App, table: Arc<GameTable>, strike: CueStrike, ticks: u32) -> (u32, u32) {
    ask(app, own(MatchSpec::default(), Game::named("practice").unwrap(), table));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(ticks));
    ask(app, MatchCommand::Act(Action::Shoot { call: default(), strike }));
    let frames = (0..1000).take_while(|_| {
        app.update();
        matches!(live(app).phase(), Phase::Rolling(_))
    });
    let frames = frames.count() as u32;
    assert!(live(app).waits_for_person(), "{:?}", live(app).phase());
    assert_eq!(live(app).departures(), 0);
    let game = live(app).game();
    (frames, (game.shots()[0].film(game).seconds() * 120.0).round() as u32)
}

#[test]
fn a_shot_on_a_table_without_rolling_friction_ends_when_the_simulator_ends_it() {
    let table = carom_table(|cloth| cloth.rolling = 0.0);
    let strike = CueStrike { speed: 0.05, direction: DVec2::new(-1.0, 0.3), ..default() };
    // Bevy's clock drops more than 30 per frame.
    let (frames, ticks) = frames_of_shot(&mut app(), table, strike, 30);
    assert_eq!(ticks, 120 * 120);
    assert!(frames.abs_diff(ticks / 30) <= 1, "{frames} frames");
}

#[test]
fn a_ball_that_only_turns_in_its_place_keeps_nobody_waiting() {
    let table = carom_table(|cloth| cloth.spin_deceleration = 1.0);
    let strike = CueStrike { speed: 0.5, direction: DVec2::new(-1.0, 0.3), side: 0.4, ..default() };
    let (frames, ticks) = frames_of_shot(&mut app(), table, strike, 1);
    assert!(frames.abs_diff(ticks) <= 2, "{frames} frames of a tick, and {ticks} ticks in the simulator");
}
