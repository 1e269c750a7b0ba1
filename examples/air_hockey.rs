//! Air hockey against a simple bot: the mouse moves the lower mallet.
//!
//! ```sh
//! cargo run --release --example air_hockey
//! cargo run --example air_hockey -- --headless    # a minute without a window, the machine drives both mallets
//! ```

use bevy::{input::common_conditions::input_just_pressed, math::ops, prelude::*};
use carom::{
    input::{Pointer, PointerPlugin},
    prelude::*,
    scene::{DiscLook, TerrainLook},
    sound::SoundPlugin,
    view::{Headline, ViewPlugin},
};

/// Half of the table and of a goal, and the cut-off part of a corner, metres.
const HALF: Vec2 = vec2(0.6, 1.1);
const CORNER: f32 = 0.2;
const GOAL: f32 = 0.22;
const PUCK: f32 = 0.05;
const MALLET: f32 = 0.07;
/// The greatest speed of a hand, m/s.
const HAND: f32 = 6.0;

#[derive(Component)]
struct Puck;

/// A mallet with the side that it plays on: -1 below, 1 above.
#[derive(Component)]
struct Mallet(f32);

/// The goals of the lower and of the upper player.
#[derive(Resource, Default, Debug)]
struct Score([u32; 2]);

fn main() {
    let headless = std::env::args().any(|argument| argument == "--headless");
    let mut app = App::new();
    if headless {
        app.add_plugins(MinimalPlugins)
            .insert_resource(bevy::time::TimeUpdateStrategy::FixedTimesteps(1))
            .init_resource::<Pointer>();
    } else {
        app.add_plugins(DefaultPlugins);
    }
    app.add_plugins(PhysicsPlugins::default());
    if !headless {
        app.add_plugins((ViewPlugin, PointerPlugin, SoundPlugin))
            .add_systems(Update, (show_score, begin.run_if(input_just_pressed(KeyCode::KeyR))));
    }
    app.insert_resource(Time::<Fixed>::from_hz(120.0))
        .insert_resource(CollisionSettings {
            mode: SolverMode::Continuous,
            restitution: 0.9,
            terrain_restitution: 0.9,
            ..default()
        })
        .insert_resource(MotionSettings { drag: 0.1, ..default() })
        .init_resource::<Score>()
        .add_systems(Startup, set_up)
        .add_systems(FixedUpdate, (lead_mallets, count_goals));
    if !headless {
        app.run();
        return;
    }
    for _ in 0..7200 {
        app.update();
    }
    let puck = app.world_mut().query_filtered::<&Position, With<Puck>>().single(app.world()).map(|place| place.0);
    let Score(goals) = *app.world().resource::<Score>();
    println!("{goals:?} goals, the puck at {puck:?}");
    assert!(goals[0] > 0 && goals[1] > 0, "both sides score");
    assert!(puck.is_ok_and(|place| place.abs().cmple(HALF + 0.2).all()), "the puck is on the table");
}

fn set_up(mut commands: Commands) {
    // Two sides with cut corners, and the goals between their ends.
    for x in [-1.0, 1.0] {
        let quarter = [vec2(GOAL, HALF.y), vec2(HALF.x - CORNER, HALF.y), vec2(HALF.x, HALF.y - CORNER)];
        let lower = quarter.iter().rev().map(|point| vec2(point.x, -point.y));
        let points = quarter.into_iter().chain(lower).map(|point| vec2(x * point.x, point.y)).collect();
        commands.spawn((Terrain::Polyline { points }, TerrainLook { colour: Some(Color::srgb_u8(0x5f, 0xa8, 0xd3)) }));
    }
    commands.spawn((
        Puck,
        Disc,
        Radius(PUCK),
        Mass(0.03),
        Velocity(vec2(0.3, -1.0)),
        look(Color::srgb_u8(0xe6, 0x39, 0x46)),
    ));
    for side in [-1.0, 1.0] {
        let place = vec2(0.0, 0.8 * side);
        let led = (Kinematic, Position(place), MoveTo(place));
        commands.spawn((Mallet(side), Disc, led, Radius(MALLET), look(Color::srgb_u8(0xf1, 0xfa, 0xee))));
    }
}

fn look(colour: Color) -> DiscLook {
    DiscLook { colour: Some(colour), ..default() }
}

/// Moves each mallet toward its target at most at the speed of a hand. It hits anything on its way.
fn lead_mallets(
    mut mallets: Query<(&Mallet, &Position, &mut MoveTo), Without<Puck>>,
    puck: Single<(&Position, &Velocity), With<Puck>>,
    (pointer, time): (Res<Pointer>, Res<Time>),
) {
    let (puck, velocity) = (puck.0.0, puck.1.0);
    for (&Mallet(side), position, mut target) in &mut mallets {
        let reach = HALF - MALLET;
        let in_my_half =
            |place: Vec2| vec2(place.x.clamp(-reach.x, reach.x), side * (place.y * side).clamp(MALLET, reach.y));
        let (wanted, hand) = if let Some(hand) = pointer.world.filter(|_| side < 0.0) {
            (in_my_half(hand), HAND)
        } else if puck.y * side > 0.0 && velocity.length() < 2.5 {
            // First behind the puck, then through it, into one corner of the goal or the other.
            let goal = vec2(0.8 * GOAL * ops::sin(5.0 * time.elapsed_secs()), -side * HALF.y);
            let behind = in_my_half(puck - (goal - puck).normalize() * (PUCK + MALLET + 0.04));
            let is_behind = (puck - position.0).angle_to(puck - behind).abs() < 0.15;
            if is_behind { (in_my_half(puck), HAND) } else { (behind, 0.3 * HAND) }
        } else {
            (vec2(puck.x.clamp(-GOAL, GOAL), 0.9 * HALF.y * side), 0.12 * HAND)
        };
        *target = MoveTo::toward(position.0, wanted, hand * time.delta_secs());
    }
}

/// A puck behind a goal line counts, and is placed before the player who conceded the goal.
fn count_goals(puck: Single<(&mut Position, &mut Velocity), With<Puck>>, mut score: ResMut<Score>) {
    let (mut position, mut velocity) = puck.into_inner();
    if position.y.abs() > HALF.y + PUCK {
        let below = position.y < 0.0;
        score.0[usize::from(below)] += 1;
        position.0 = vec2(0.0, if below { -0.3 } else { 0.3 });
        velocity.0 = Vec2::ZERO;
    }
}

fn begin(mut score: ResMut<Score>) {
    *score = default();
}

fn show_score(score: Res<Score>, mut headline: ResMut<Headline>) {
    let title = format!("Air hockey   you {} : {} machine", score.0[0], score.0[1]);
    headline.set_if_neq(Headline { title, help: "Mouse: your mallet   ·   R: restart".into(), ..default() });
}
