//! Curling. The ice is a custom force that slows stones down and makes turning ones curl. Every prediction includes it:
//! the preview of a shot, the rings that show where stones will stop, and the bot, which tries its shots before it
//! plays one. In each end, the side whose stone is nearest to the button gets a point.
//!
//! ```sh
//! cargo run --release --example curling
//! cargo run --example curling -- --headless    # an end without a window, machine against machine
//! ```

use bevy::prelude::*;
use carom::{
    components::Orientation,
    input::{AimPlugin, Controls, PreviewLength, PreviewSettings},
    prelude::*,
    scene::{DiscLook, Shootable},
    sound::SoundPlugin,
    view::{Canvas, CurrentView, DrawView, Drawn, Headline, Layer, Theme, ViewPlugin},
};

/// Half of the sheet, the place of delivery, and the middle of the house with its radius; metres. A real sheet is three
/// times as long.
const HALF: Vec2 = vec2(6.8, 2.2);
const HACK: Vec2 = vec2(-5.0, 0.0);
const BUTTON: Vec2 = vec2(4.4, 0.0);
const HOUSE: f32 = 1.83;
/// The radius of a stone (m), the number per side, and their rotation, rad/s.
const STONE: f32 = 0.145;
const STONES: usize = 4;
const TURN: f32 = 1.5;

/// The friction, m/s² at 1 m/s, which is inversely proportional to the square root of the speed. `curl` is the share of
/// it that pushes sideways, to where the front of a stone turns.
#[derive(Clone, Copy, PartialEq)]
struct Ice {
    friction: f32,
    curl: f32,
}

/// Pebbled ice, and ice swept in front of the stone.
const ICE: [Ice; 2] = [Ice { friction: 0.22, curl: 0.13 }, Ice { friction: 0.16, curl: 0.05 }];

impl ForceLaw for Ice {
    fn act(&self, space: &mut PhysicsSpace) {
        for i in 0..space.discs.len() {
            let speed = space.discs.velocity[i].length();
            let Some(along) = space.discs.velocity[i].try_normalize() else { continue };
            let slower = speed - space.substep() * self.friction / speed.sqrt();
            let turn = space.discs.spin_of(i).map_or(0.0, |spin| spin.angular_velocity.z / TURN);
            space.discs.velocity[i] = along * slower + along.perp() * (self.curl * (speed - slower) * turn);
            if slower <= 0.0 {
                space.discs.velocity[i] = Vec2::ZERO;
                space.discs.set_spin(i, Some(default()));
            }
        }
    }

    /// Tells predictions that all stones stop, so they can end there.
    fn brakes(&self) -> bool {
        true
    }

    fn keeps_rest(&self) -> bool {
        true
    }
}

/// The side of a stone: 0, red, or 1. A `Shootable` stone waits for delivery and already turns, so that it curls.
#[derive(Component)]
struct Stone(usize);

#[derive(Resource, Debug, Default)]
struct Game {
    score: [u32; 2],
    delivered: usize,
    /// The final positions of the stones that the bot has predicted, and the number of its shots that matched.
    foreseen: Vec<Vec2>,
    came: usize,
}

fn main() {
    let headless = std::env::args().any(|argument| argument == "--headless");
    let mut app = App::new();
    if headless {
        app.add_plugins(MinimalPlugins).insert_resource(bevy::time::TimeUpdateStrategy::FixedTimesteps(1));
    } else {
        app.add_plugins(DefaultPlugins);
    }
    app.add_plugins(PhysicsPlugins::default());
    if !headless {
        app.add_plugins((ViewPlugin, AimPlugin, SoundPlugin))
            .insert_resource(PreviewSettings { length: PreviewLength::All, ..default() })
            .add_systems(DrawView, draw)
            .add_systems(Update, (read_keys, show_score, allow_shots));
    }
    app.insert_resource(Time::<Fixed>::from_hz(60.0))
        .insert_resource(CollisionSettings { mode: SolverMode::Continuous, terrain_restitution: 0.0, ..default() })
        .add_force(ICE[0])
        .init_resource::<Game>()
        .add_systems(Startup, |mut commands: Commands| _ = commands.spawn(Terrain::Arena { half_size: HALF }))
        .add_systems(FixedUpdate, (take_turns, play_by_itself).chain());
    if !headless {
        app.run();
        return;
    }
    while app.world().resource::<Game>().score == [0, 0] {
        app.update();
    }
    let Game { score, came, .. } = app.world().resource();
    println!("{score:?}; {came} of {} shots were bit-identical to their prediction", 2 * STONES);
    assert_eq!(*came, 2 * STONES);
}

/// Only the waiting stone can be shot. If none is `Shootable`, all are, so shots are off while stones slide.
fn allow_shots(mut controls: ResMut<Controls>, waiting: Query<(), With<Shootable>>) {
    controls.shoot = !waiting.is_empty();
}

/// Spawns the next stone as soon as all are at rest.
fn take_turns(
    stones: Query<(Entity, &Stone, &Position, &Velocity, Has<Shootable>)>,
    (mut game, mut commands): (ResMut<Game>, Commands),
) {
    if let Some((stone, .., waits)) = stones.iter().find(|(.., velocity, _)| velocity.0 != Vec2::ZERO) {
        commands.entity(stone).remove::<Shootable>();
        game.delivered += usize::from(waits);
    } else if !stones.iter().any(|(.., waits)| waits) {
        let foreseen = std::mem::take(&mut game.foreseen);
        let came = stones.iter().all(|(_, _, place, ..)| foreseen.contains(&place.0));
        game.came += usize::from(came && !foreseen.is_empty());
        let nearest = stones.iter().min_by(|a, b| a.2.distance(BUTTON).total_cmp(&b.2.distance(BUTTON)));
        if let (true, Some((_, stone, ..))) = (game.delivered == 2 * STONES, nearest) {
            game.score[stone.0] += 1;
            game.delivered = 0;
            stones.iter().for_each(|(stone, ..)| commands.entity(stone).despawn());
        }
        let side = (game.delivered + game.score.iter().sum::<u32>() as usize) % 2;
        let look = DiscLook {
            colour: Some([Color::srgb_u8(0xe6, 0x39, 0x46), Color::srgb_u8(0xf4, 0xd3, 0x5e)][side]),
            ..default()
        };
        let stone = (Stone(side), Shootable, Disc, Position(HACK), Radius(STONE), look);
        commands.spawn((stone, AngularVelocity(Vec3::Z * TURN), Orientation::default()));
    }
}

/// The bot tries shots on a copy of the sheet under the same forces, and plays the best. Without a window it plays red,
/// too.
fn play_by_itself(
    waiting: Single<(Entity, &StableId, &Stone), With<Shootable>>,
    (predictor, windows): (Predictor, Query<&Window>),
    (mut game, mut commands): (ResMut<Game>, Commands),
) {
    let (stone, &id, &Stone(side)) = waiting.into_inner();
    if side == 0 && !windows.is_empty() {
        return;
    }
    // From a guard to a take-out, in nine directions, turning to both sides.
    let shots = (0..72).filter_map(|k| {
        let (turn, angle) = (if k % 2 == 0 { TURN } else { -TURN }, 0.03 * ((k / 2 % 9) as f32 - 4.0));
        let velocity = [2.0, 2.05, 2.1, 3.2][k / 18] * Vec2::from_angle(angle);
        let mut space = predictor.space();
        let i = space.discs.index_of(stone, id)?;
        space.discs.velocity[i] = velocity;
        space.discs.spin[i].get_or_insert_default().angular_velocity.z = turn;
        let places = predictor.predict_from(space, Horizon::default()).finished().discs().position.clone();
        Some((places[i].distance(BUTTON), velocity, turn, places))
    });
    if let Some((_, velocity, turn, places)) = shots.min_by(|a, b| a.0.total_cmp(&b.0)) {
        commands.entity(stone).insert((Velocity(velocity), AngularVelocity(Vec3::Z * turn)));
        game.foreseen = places;
    }
}

fn read_keys(
    keys: Res<ButtonInput<KeyCode>>,
    (mut waiting, mut forces): (Query<&mut AngularVelocity, With<Shootable>>, ResMut<Forces>),
) {
    let ice = ICE[usize::from(keys.pressed(KeyCode::Space))];
    if forces.get() != Some(&ice) {
        forces.set(ice);
    }
    if keys.just_pressed(KeyCode::KeyT) {
        waiting.iter_mut().for_each(|mut turn| turn.z = -turn.z);
    }
}

fn show_score(game: Res<Game>, mut headline: ResMut<Headline>) {
    let title = format!("Curling   red {} : {} yellow", game.score[0], game.score[1]);
    let about = format!("{} of {} stones delivered", game.delivered, 2 * STONES);
    let help = "Pull back and release: deliver   ·   T: reverse the turn   ·   hold Space: sweep".into();
    headline.set_if_neq(Headline { title, about, help });
}

/// Draws the house, the handles of the stones, and rings at the predicted final positions of moving stones.
fn draw(
    mut canvas: ResMut<Canvas>,
    (stones, predictor): (Query<(&Drawn, &Orientation), With<Stone>>, Predictor),
    (view, theme): (Res<CurrentView>, Res<Theme>),
) {
    let (ice, [blue, .., red]) = (theme.ground.floor, theme.discs);
    for (share, colour) in [(1.0, blue), (0.667, ice), (0.333, red), (0.083, ice)] {
        canvas.disc(Layer::Marks, BUTTON, share * HOUSE, colour);
    }
    for (stone, orientation) in &stones {
        let handle = (orientation.turn * Vec3::X).truncate() * (0.55 * STONE);
        canvas.line(Layer::Highlight, stone.shown - handle, stone.shown + handle, 0.3 * STONE, theme.ground.room);
    }
    let prediction = predictor.predict(Horizon::default()).finished();
    let places = prediction.start().velocity.iter().zip(&prediction.discs().position);
    let moving = places.filter(|(velocity, _)| **velocity != Vec2::ZERO);
    moving.for_each(|(_, &at)| canvas.ring(Layer::Trail, at, STONE, view.px(2.0), theme.marks.selected));
}
