//! Everything about the game that is not physics: levels, rules, input, drawing, sound, and the two checks without a
//! window. The games exchange events with it.
//!
//! | event | sent by | the other side |
//! |---|---|---|
//! | [`LevelStarted`] | rules | spawns the pegs |
//! | [`Shot`] | rules, when the mouse is released | releases the ball |
//! | [`PegHit`] | game, which removes the peg | counts the score and plays a sound |
//! | [`BallGone`] | game, at the bucket or below the board | decides what follows |
//! | [`BallRacked`] | rules | puts the ball back |

use std::{env, ops::Deref};

use bevy::{camera::ScalingMode, input::common_conditions::input_just_pressed, prelude::*, time::TimeUpdateStrategy};
use carom::sound::{
    mixer::{Strike, Striker, queue},
    output::Output,
    voice::Timbre,
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Ticks per second.
pub const HERTZ: f64 = 120.0;
/// m/s².
pub const GRAVITY: Vec2 = vec2(0.0, -9.81);
/// The restitution of pegs and walls.
pub const RESTITUTION: f32 = 0.8;
/// Radii, metres.
pub const BALL: f32 = 0.12;
pub const PEG: f32 = 0.18;
/// Where the ball waits, metres.
pub const LAUNCHER: Vec2 = vec2(0.0, 4.6);
/// The walls: left, top and right.
pub const WALLS: [Vec2; 4] = [vec2(-4.0, -7.0), vec2(-4.0, 5.0), vec2(4.0, 5.0), vec2(4.0, -7.0)];
/// Half of the size of the bucket, the middle of its path, and the way from there to one end, metres.
pub const BUCKET: Vec2 = vec2(0.7, 0.15);
pub const BUCKET_CENTRE: Vec2 = vec2(0.0, -4.8);
pub const BUCKET_AMPLITUDE: Vec2 = vec2(3.2, 0.0);
/// Hertz.
pub const BUCKET_FREQUENCY: f32 = 0.25;
/// The ball is lost in a strip below the board: its centre and half of its size, metres.
pub const DRAIN_CENTRE: Vec2 = vec2(0.0, -6.0);
pub const DRAIN: Vec2 = vec2(4.0, 0.5);
/// The longest preview, seconds.
pub const PREVIEW: f32 = 2.0;

/// The speed of the shot per metre of the pull, 1/s, and its limits, m/s. A slower shot is none.
const PULL: f32 = 6.0;
const SLOWEST: f32 = 1.0;
const FASTEST: f32 = 12.0;
/// Shots per level.
const SHOTS: u32 = 10;
/// An `o` is a peg. The distance of rows and columns, and the height of the first row, metres.
const LEVELS: [&[&str]; 2] =
    [&["o.o..o.o", "..o..o..", "o..oo..o", "..o..o.."], &["...oo...", "..o..o..", ".o.oo.o.", "..o..o..", "o..oo..o"]];
const SPACING: f32 = 0.9;
const FIRST_ROW: f32 = 2.0;

#[derive(Component)]
pub struct Ball;

#[derive(Component)]
pub struct Peg;

#[derive(Component)]
pub struct Bucket;

#[derive(Event)]
pub struct LevelStarted(pub Vec<Vec2>);

/// With the velocity of the ball, m/s.
#[derive(Event)]
pub struct Shot(pub Vec2);

/// With the impulse, N s.
#[derive(Event)]
pub struct PegHit(pub f32);

#[derive(Event)]
pub struct BallGone {
    pub is_caught: bool,
}

#[derive(Event)]
pub struct BallRacked;

/// The velocity of the shot that the player aims, m/s.
#[derive(Resource, Default)]
pub struct Aim(pub Option<Vec2>);

/// The preview ends with the tick that contains this bounce.
#[derive(Resource)]
pub struct Bounces(pub usize);

/// The predicted path: points (metres) and times (seconds). The last one is at the end of a tick.
#[derive(Resource, Default)]
pub struct Preview(pub Vec<(Vec2, f32)>);

#[derive(Resource, Debug)]
struct Game {
    level: usize,
    score: u32,
    shots: u32,
    caught: u32,
    /// Pegs hit by this shot.
    streak: u32,
    is_flying: bool,
}

impl Default for Game {
    fn default() -> Self {
        Self { level: 0, score: 0, shots: SHOTS, caught: 0, streak: 0, is_flying: false }
    }
}

impl Game {
    fn is_won(&self) -> bool {
        self.level == LEVELS.len()
    }

    fn may_shoot(&self) -> bool {
        !self.is_flying && !self.is_won() && self.shots > 0
    }

    fn start_level(&self) -> LevelStarted {
        let rows = LEVELS[self.level].iter().enumerate();
        let pegs = rows.flat_map(|(row, text)| {
            let middle = 0.5 * (text.len() - 1) as f32;
            let place = move |column| SPACING * vec2(column as f32 - middle, -(row as f32));
            text.match_indices('o').map(move |(column, _)| vec2(0.0, FIRST_ROW) + place(column))
        });
        LevelStarted(pegs.collect())
    }
}

/// Plays a game: in a window, or with `--headless` or `--measure` without one. `Position` is that of its engine.
pub fn play<Position: Component + Deref<Target = Vec2>>(game: fn(&mut App)) {
    match env::args().nth(1).as_deref() {
        Some("--headless") => check::<Position>(game),
        Some("--measure") => measure::<Position>(game),
        _ => _ = App::new().add_plugins((DefaultPlugins, setting, game, rules, window)).run(),
    }
}

fn setting(app: &mut App) {
    app.insert_resource(Time::<Fixed>::from_hz(HERTZ))
        .insert_resource(Bounces(4))
        .init_resource::<Aim>()
        .init_resource::<Preview>()
        .init_resource::<Game>()
        .add_systems(PostStartup, |game: Res<Game>, mut commands: Commands| commands.trigger(game.start_level()));
}

fn rules(app: &mut App) {
    app.add_observer(count_shot).add_observer(count_hit).add_observer(go_on);
}

fn count_shot(_: On<Shot>, mut game: ResMut<Game>) {
    game.shots -= 1;
    game.streak = 0;
    game.is_flying = true;
}

fn count_hit(_: On<PegHit>, mut game: ResMut<Game>) {
    game.streak += 1;
    game.score += 100 * game.streak;
}

fn go_on(gone: On<BallGone>, pegs: Query<(), With<Peg>>, mut game: ResMut<Game>, mut commands: Commands) {
    if !game.is_flying {
        return;
    }
    game.is_flying = false;
    game.shots += u32::from(gone.is_caught);
    game.caught += u32::from(gone.is_caught);
    commands.trigger(BallRacked);
    if pegs.is_empty() {
        game.level += 1;
        if !game.is_won() {
            game.shots = SHOTS;
            commands.trigger(game.start_level());
        }
    }
}

fn window(app: &mut App) {
    app.insert_resource(ClearColor(Color::srgb(0.06, 0.07, 0.12)))
        .add_systems(Startup, (add_camera, open_sound))
        .add_systems(PreUpdate, aim.after(bevy::input::InputSystems))
        .add_systems(Update, (restart.run_if(input_just_pressed(KeyCode::KeyR)), show_game))
        .add_systems(PostUpdate, draw_lines)
        .add_observer(|it: On<Add, Ball>, look: Look| look.add(it.entity, Circle::new(BALL), Color::WHITE))
        .add_observer(|it: On<Add, Peg>, look: Look| look.add(it.entity, Circle::new(PEG), Color::srgb(1.0, 0.5, 0.1)))
        .add_observer(|it: On<Add, Bucket>, look: Look| {
            look.add(it.entity, Rectangle::from_size(2.0 * BUCKET), Color::srgb(0.3, 0.7, 0.9));
        })
        .add_observer(play_sound);
}

#[derive(bevy::ecs::system::SystemParam)]
struct Look<'w, 's> {
    meshes: ResMut<'w, Assets<Mesh>>,
    materials: ResMut<'w, Assets<ColorMaterial>>,
    commands: Commands<'w, 's>,
}

impl Look<'_, '_> {
    fn add(mut self, entity: Entity, shape: impl Into<Mesh>, colour: Color) {
        let material = MeshMaterial2d(self.materials.add(colour));
        self.commands.entity(entity).insert((Mesh2d(self.meshes.add(shape.into())), material));
    }
}

#[derive(Component)]
struct Hud;

fn add_camera(mut commands: Commands) {
    let scaling_mode = ScalingMode::AutoMin { min_width: 9.0, min_height: 12.0 };
    let projection = OrthographicProjection { scaling_mode, ..OrthographicProjection::default_2d() };
    commands.spawn((Camera2d, Projection::Orthographic(projection)));
    commands.spawn((Hud, Text2d::default(), Transform::from_xyz(0.0, 5.5, 1.0).with_scale(Vec3::splat(0.015))));
}

/// While the button is held, aims opposite to the drag. Shoots when it is released.
fn aim(
    buttons: Res<ButtonInput<MouseButton>>,
    window: Single<&Window>,
    camera: Single<(&Camera, &GlobalTransform)>,
    mut pressed: Local<Option<Vec2>>,
    (game, mut aim): (Res<Game>, ResMut<Aim>),
    mut commands: Commands,
) {
    let (camera, view) = *camera;
    if let Some(cursor) = window.cursor_position().and_then(|cursor| camera.viewport_to_world_2d(view, cursor).ok()) {
        if buttons.just_pressed(MouseButton::Left) {
            *pressed = game.may_shoot().then_some(cursor);
        }
        let velocity = pressed.map(|from| (PULL * (from - cursor)).clamp_length_max(FASTEST));
        aim.0 = velocity.filter(|velocity| velocity.length() > SLOWEST);
    }
    if buttons.just_released(MouseButton::Left) {
        *pressed = None;
        if let Some(velocity) = aim.0.take() {
            commands.trigger(Shot(velocity));
        }
    }
}

fn restart(pegs: Query<Entity, With<Peg>>, mut game: ResMut<Game>, mut commands: Commands) {
    *game = Game::default();
    pegs.iter().for_each(|peg| commands.entity(peg).despawn());
    commands.trigger(BallRacked);
    commands.trigger(game.start_level());
}

fn show_game(game: Res<Game>, mut text: Single<&mut Text2d, With<Hud>>) {
    let Game { level, score, shots, .. } = *game;
    text.0 = match (game.is_won(), game.may_shoot() || game.is_flying) {
        (true, _) => format!("Won with {score} points. R: restart"),
        (_, true) => format!("Level {}   Score {score}   Shots {shots}", level + 1),
        _ => format!("Lost with {score} points. R: restart"),
    };
}

fn draw_lines(preview: Res<Preview>, mut gizmos: Gizmos) {
    gizmos.linestrip_2d(WALLS, Color::WHITE);
    gizmos.linestrip_2d(preview.0.iter().map(|point| point.0), Color::srgb(0.6, 0.9, 0.5));
}

/// carom's mixer plays the sounds of both games. It needs no system package to build.
#[derive(Resource)]
struct Speaker(Striker, #[expect(dead_code, reason = "it plays until dropped")] Output);

fn open_sound(mut commands: Commands) {
    let (striker, inbox) = queue();
    commands.insert_resource(Speaker(striker, Output::open("pegs", inbox)));
}

fn play_sound(hit: On<PegHit>, speaker: Res<Speaker>) {
    speaker.0.strike(Strike { timbre: Timbre::Ping, impulse: hit.0, radius: BALL, pan: 0.0, delay: 0.0 });
}

fn without_a_window(game: fn(&mut App)) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, setting, game))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.finish();
    app.cleanup();
    // The first update runs no tick.
    app.update();
    app
}

/// Shoots at one peg after another until the first level is won, then misses until the game is lost.
fn check<Position: Component + Deref<Target = Vec2>>(game: fn(&mut App)) {
    let mut app = without_a_window(game);
    rules(&mut app);
    let mut pegs = app.world_mut().query_filtered::<&Position, With<Peg>>();
    let total = pegs.iter(app.world()).count();
    // Enough for any engine: how many pegs a shot hits by chance is not what this checks.
    app.world_mut().resource_mut::<Game>().shots = 100;
    while app.world().resource::<Game>().level == 0 {
        let peg =
            pegs.iter(app.world()).next().map(|place| **place - LAUNCHER).expect("a level ends with its last peg");
        let seconds = peg.length() / FASTEST;
        shoot(&mut app, peg / seconds - 0.5 * GRAVITY * seconds);
        let game = app.world().resource::<Game>();
        assert!(game.streak > 0, "the shot missed: {game:?}");
    }
    println!("{total} pegs hit: {:?}", app.world().resource::<Game>());
    assert!(pegs.iter(app.world()).count() > 0, "the second level has pegs");
    // The ball falls straight down, between the pegs. The waits let it arrive at different places of the bucket.
    for wait in (0..).step_by(13) {
        if !app.world().resource::<Game>().may_shoot() {
            break;
        }
        (0..wait).for_each(|_| app.update());
        shoot(&mut app, Vec2::NEG_Y);
    }
    let game = app.world().resource::<Game>();
    println!("the bucket caught {} balls: {game:?}", game.caught);
    assert!(game.caught > 0 && game.shots == 0 && !game.is_won());
}

/// Shoots, and waits until the ball is gone.
fn shoot(app: &mut App, velocity: Vec2) {
    app.world_mut().trigger(Shot(velocity));
    for _ in 0..60 * HERTZ as u32 {
        app.update();
        if !app.world().resource::<Game>().is_flying {
            return;
        }
    }
    panic!("the ball is still on the board after a minute");
}

/// Prints how far the ball is from the end of the preview, at the time of that end, in 100 shots of random angles.
fn measure<Position: Component + Deref<Target = Vec2>>(game: fn(&mut App)) {
    println!("bounces  median, m  90 %, m  largest, m  within 1 mm  exact");
    for bounces in 1..=4 {
        let mut random = Pcg64::seed_from_u64(1);
        let mut distances = [0.0; 100].map(|_: f32| {
            let mut app = without_a_window(game);
            // Without `rules`, nothing puts the ball back.
            app.insert_resource(Bounces(bounces));
            let angle = random.random_range(-80.0_f32..80.0).to_radians() - std::f32::consts::FRAC_PI_2;
            let velocity = FASTEST * Vec2::from_angle(angle);
            // At some place of the bucket.
            (0..random.random_range(1..120)).for_each(|_| app.update());
            app.insert_resource(Aim(Some(velocity)));
            app.update();
            let &(end, seconds) = app.world().resource::<Preview>().0.last().expect("a path has a start");
            app.insert_resource(Aim::default());
            app.world_mut().trigger(Shot(velocity));
            (0..(f64::from(seconds) * HERTZ).round() as u32).for_each(|_| app.update());
            let mut balls = app.world_mut().query_filtered::<&Position, With<Ball>>();
            let ball = **balls.single(app.world()).expect("there is one ball");
            // Nothing stops a ball that falls out of the board.
            let [ball, end] = [ball, end].map(|place| place.max(vec2(f32::NEG_INFINITY, DRAIN_CENTRE.y)));
            ball.distance(end)
        });
        distances.sort_by(f32::total_cmp);
        let within = |limit: f32| distances.iter().filter(|&&distance| distance <= limit).count();
        let [near, exact] = [1e-3, 0.0].map(within);
        let median = 0.5 * (distances[49] + distances[50]);
        println!("{bounces:7}  {median:9.6}  {:7.4}  {:10.6}  {near:11}  {exact:5}", distances[89], distances[99]);
    }
}
