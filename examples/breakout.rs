//! Breakout. A brick is a piece of terrain that observes its hits, and becomes inactive when hit; the paddle is a piece
//! that a system moves. At a restitution of 1 the ball keeps moving without help. The mouse moves the paddle; while it
//! is outside the window, a bot does.
//!
//! ```sh
//! cargo run --release --example breakout
//! cargo run --example breakout -- --headless    # two minutes without a window, the machine drives the paddle
//! ```

use bevy::{input::common_conditions::input_just_pressed, math::ops, prelude::*};
use carom::{
    input::{Pointer, PointerPlugin},
    prelude::*,
    sound::SoundPlugin,
    view::{Canvas, CurrentView, DrawView, Headline, Layer, OwnLook, Plate, Theme, ViewPlugin},
};

/// Half of the field, of a brick, and of the width of the paddle; the height of its round top, and the radius of a
/// ball; metres.
const HALF: Vec2 = vec2(6.0, 4.2);
const BRICK: Vec2 = vec2(0.44, 0.16);
const PADDLE: f32 = 0.9;
const RISE: f32 = 0.22;
const BALL: f32 = 0.13;
const BALLS: u32 = 3;
const WALL: UVec2 = uvec2(12, 6);
/// The greatest speed of the paddle, and the speed of the first ball, m/s.
const HAND: f32 = 25.0;
const SLOWEST: f32 = 7.0;
/// How long a broken brick fades, seconds.
const FADING: f32 = 0.3;

/// Its row, and the time at which it was broken, seconds since the start. A golden brick contains another ball.
#[derive(Component)]
struct Brick {
    row: u32,
    golden: bool,
    broken: f32,
}

#[derive(Component)]
struct Ball;

#[derive(Component)]
struct Paddle;

#[derive(Resource, Debug, Default)]
struct Game {
    score: u32,
    walls: u32,
    served: u32,
}

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
            .add_systems(DrawView, draw_bricks)
            .add_systems(Update, (show_score, begin.run_if(input_just_pressed(KeyCode::KeyR))));
    }
    app.insert_resource(Time::<Fixed>::from_hz(120.0))
        // Restitution is 1 by default.
        .insert_resource(CollisionSettings { mode: SolverMode::Continuous, ..default() })
        .init_resource::<Game>()
        .add_systems(Startup, set_up)
        .add_systems(FixedUpdate, (build_wall, serve, lead_paddle, keep_pace).chain());
    if !headless {
        app.run();
        return;
    }
    for _ in 0..14400 {
        app.update();
    }
    let broken = app.world_mut().query_filtered::<(), (With<Brick>, With<Inactive>)>().iter(app.world()).count() as u32;
    let game = app.world().resource::<Game>();
    println!("{game:?}, {broken} bricks of this wall broken");
    assert!(game.walls >= 2 && game.score == broken + (game.walls - 1) * WALL.element_product());
}

fn set_up(mut commands: Commands) {
    commands.spawn(Terrain::Arena { half_size: HALF }).observe(lose_ball);
    // A round top, so that the place of the hit determines the direction.
    let radius = (PADDLE * PADDLE + RISE * RISE) / (2.0 * RISE);
    let top = (0..=12_u8).map(|k| PADDLE * (1.0 - f32::from(k) / 6.0));
    let points = top.map(|x| vec2(x, RISE - radius + (radius * radius - x * x).sqrt())).collect();
    let place = vec2(0.0, 0.5 - HALF.y);
    commands.spawn((Paddle, Terrain::Polygon { points }, Position(place), MoveTo(place)));
    for k in 0..WALL.element_product() {
        let (column, row) = (k % WALL.x, k / WALL.x);
        let apart = 2.0 * BRICK + 0.06;
        let x = apart.x * (column as f32 - 0.5 * (WALL.x - 1) as f32);
        let place = Position(vec2(x, HALF.y - 1.0 - apart.y * row as f32));
        let brick = Brick { row, golden: k % 17 == 4, broken: f32::NEG_INFINITY };
        // Inactive until the wall is built.
        let brick = (brick, Terrain::Block { half_size: BRICK }, place, Inactive, OwnLook);
        commands.spawn(brick).observe(break_brick);
    }
}

/// Makes a brick inactive when it is hit, so that it is in no ball's way.
fn break_brick(
    hit: On<CollisionEvent>,
    mut bricks: Query<(&mut Brick, &Position), Without<Inactive>>,
    (mut game, time): (ResMut<Game>, Res<Time<Fixed>>),
    mut commands: Commands,
) {
    // It becomes inactive before the next event of the tick, so it breaks only once.
    let Ok((mut brick, place)) = bricks.get_mut(hit.entity) else { return };
    brick.broken = time.elapsed_secs();
    game.score += 1;
    commands.entity(hit.entity).insert(Inactive);
    if brick.golden {
        commands.spawn((Ball, Disc, Radius(BALL), Position(place.0), Velocity(vec2(1.0, -2.0))));
    }
}

/// The normal points from the ball to the arena, so it points down where the ball hits the floor.
fn lose_ball(hit: On<CollisionEvent>, mut commands: Commands) {
    if hit.normal().y < -0.5 {
        commands.entity(hit.other()).try_despawn();
    }
}

/// When no brick is left, restores all of them and makes the balls faster.
fn build_wall(bricks: Query<(Entity, Has<Inactive>), With<Brick>>, mut game: ResMut<Game>, mut commands: Commands) {
    if bricks.iter().all(|(_, is_broken)| is_broken) {
        game.walls += 1;
        bricks.iter().for_each(|(brick, _)| _ = commands.entity(brick).remove::<Inactive>());
    }
}

fn serve(balls: Query<(), With<Ball>>, mut game: ResMut<Game>, mut commands: Commands) {
    if balls.is_empty() && game.served < BALLS {
        game.served += 1;
        commands.spawn((Ball, Disc, Radius(BALL), Position(vec2(0.0, -1.0)), Velocity(vec2(1.0, -2.0))));
    }
}

/// Terrain with a `MoveTo` hits what is on its way. Writing its `Position` would hit nothing.
fn lead_paddle(
    paddle: Single<(&Position, &mut MoveTo), With<Paddle>>,
    balls: Query<(&Position, &Velocity), With<Ball>>,
    (pointer, time): (Res<Pointer>, Res<Time>),
) {
    let (position, mut target) = paddle.into_inner();
    // The bot goes for the lowest falling ball, and varies the place of the hit.
    let falling = balls.iter().filter(|(_, velocity)| velocity.y < 0.0).map(|(ball, _)| ball.0);
    let lowest = falling.min_by(|a, b| a.y.total_cmp(&b.y)).map_or(position.x, |ball| ball.x);
    let machine = lowest + 0.6 * PADDLE * ops::sin(2.0 * time.elapsed_secs());
    let wanted = pointer.world.map_or(machine, |world| world.x).clamp(PADDLE - HALF.x, HALF.x - PADDLE);
    *target = MoveTo::toward(position.0, vec2(wanted, position.y), HAND * time.delta_secs());
}

/// Corrects the speed that the moving paddle added or removed, and keeps balls from bouncing forever between the sides.
fn keep_pace(game: Res<Game>, mut balls: Query<&mut Velocity, With<Ball>>) {
    let pace = SLOWEST + game.walls as f32;
    for mut velocity in &mut balls {
        let steep = velocity.y.abs().max(0.3 * velocity.x.abs()).copysign(velocity.y);
        velocity.0 = vec2(velocity.x, steep).normalize_or(Vec2::NEG_Y) * pace;
    }
}

fn begin(bricks: Query<Entity, With<Brick>>, mut game: ResMut<Game>, mut commands: Commands) {
    *game = Game::default();
    bricks.iter().for_each(|brick| _ = commands.entity(brick).insert(Inactive));
}

fn draw_bricks(
    mut canvas: ResMut<Canvas>,
    bricks: Query<(&Brick, &Position, Has<Inactive>)>,
    (view, theme, time): (Res<CurrentView>, Res<Theme>, Res<Time<Fixed>>),
) {
    for (brick, place, is_broken) in &bricks {
        let colour = if brick.golden { theme.marks.selected } else { theme.discs[brick.row as usize % 8] };
        let gone = (time.elapsed_secs() - brick.broken) / FADING;
        if !is_broken {
            canvas.bevel(Layer::Terrain, Plate::new(place.0, BRICK), view.px(4.0), colour);
        } else if gone < 1.0 {
            let plate = Plate::new(place.0, BRICK * (1.0 + gone)).rounded(BRICK.y * gone);
            canvas.soft_rect(Layer::Terrain, plate, BRICK.y * gone, colour.with_alpha(0.7 * (1.0 - gone)));
        }
    }
}

fn show_score(game: Res<Game>, balls: Query<(), With<Ball>>, mut headline: ResMut<Headline>) {
    let about = match BALLS - game.served {
        0 if balls.is_empty() => "Game over. R: restart".into(),
        left => format!("Wall {}, {left} more balls", game.walls),
    };
    let help = "Mouse: paddle   ·   a golden brick releases another ball   ·   R: restart".into();
    headline.set_if_neq(Headline { title: format!("Breakout   {}", game.score), about, help });
}
