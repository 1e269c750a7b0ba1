//! A recording of a shot for a replay. The simulator plays the shot again and stores the motion of each ball.

use bevy::prelude::*;

use super::{Simulator, pocket};
use crate::{
    billiards::cue::{Cue, CueStrike},
    collision::{FallenDisc, PathVertex, PhysicsSpace},
    games::rules::{BallId, BallPlace, Layout, Shot, ShotError},
    motion::turned,
};

/// The position of every ball at any moment of a shot. Balls at rest take no memory, so a shot of ten seconds takes
/// some hundred kilobytes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Film {
    tracks: Vec<Track>,
    before: Layout,
    after: Layout,
    seconds: f32,
}

/// The path of a ball.
#[derive(Clone, Debug, PartialEq)]
struct Track {
    ball: BallId,
    /// Points in order of time: the end of each tick in which the ball moved, and every point at which its path turned.
    knots: Vec<Knot>,
    /// When it fell, seconds, and where it is since: in a pocket or off the table.
    fell: Option<(f32, BallPlace)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Knot {
    /// Seconds after the stroke.
    time: f32,
    /// Metres.
    position: Vec2,
    /// The height of its lowest point above the cloth, metres.
    height: f32,
    /// Its rotation relative to before the shot.
    turn: Quat,
}

impl Film {
    /// A film of a shot that was not played, with the balls at rest.
    #[must_use]
    pub fn still(layout: &Layout) -> Self {
        Self { tracks: Vec::new(), before: layout.clone(), after: layout.clone(), seconds: 0.0 }
    }

    /// The duration until all balls rest, seconds.
    #[must_use]
    pub fn seconds(&self) -> f32 {
        self.seconds
    }

    /// The layout this many seconds after the stroke. At the start and from the end on, it is exactly the layout of the
    /// match. Within a tick, it is a straight line between two impacts.
    #[must_use]
    pub fn layout(&self, time: f32) -> Layout {
        if time <= 0.0 {
            return self.before.clone();
        }
        if time >= self.seconds {
            return self.after.clone();
        }
        let mut layout = self.before.clone();
        for track in &self.tracks {
            layout[track.ball] = match track.fell {
                Some((fell, place)) if fell <= time => place,
                _ => BallPlace::Table(track.at(time).position),
            };
        }
        layout
    }

    /// The rotation of a ball at this time, relative to before the shot.
    #[must_use]
    pub fn turn(&self, ball: BallId, time: f32) -> Quat {
        self.track(ball).map_or(Quat::IDENTITY, |track| track.at(time).turn)
    }

    /// The height of a ball's lowest point above the cloth at this time, metres.
    #[must_use]
    pub fn height(&self, ball: BallId, time: f32) -> f32 {
        // At the end every ball lies on the cloth.
        if time >= self.seconds { 0.0 } else { self.track(ball).map_or(0.0, |track| track.at(time).height) }
    }

    /// The path of a ball: its points (metres) with their times (seconds after the stroke), and the heights of its
    /// lowest point above the cloth there, metres. Empty for a ball that takes no part.
    #[must_use]
    pub fn path(&self, ball: BallId) -> (Vec<(Vec2, f32)>, Vec<f32>) {
        let knots = self.track(ball).map_or(&[][..], |track| &track.knots);
        knots.iter().map(|knot| ((knot.position, knot.time), knot.height)).unzip()
    }

    /// The ball that flies highest, if any leaves the cloth.
    #[must_use]
    pub fn highest(&self) -> Option<BallId> {
        let apex = |track: &Track| track.knots.iter().map(|knot| knot.height).fold(0.0, f32::max);
        let highest = self.tracks.iter().map(|track| (apex(track), track.ball)).filter(|(apex, _)| *apex > 0.0);
        highest.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, ball)| ball)
    }

    fn track(&self, ball: BallId) -> Option<&Track> {
        self.tracks.iter().find(|track| track.ball == ball)
    }
}

impl Track {
    /// The ball at a time, seconds.
    fn at(&self, time: f32) -> Knot {
        let next = self.knots.partition_point(|knot| knot.time <= time);
        let before = self.knots[next.saturating_sub(1)];
        let Some(after) = self.knots.get(next) else { return before };
        let span = after.time - before.time;
        let share = if span > 0.0 { ((time - before.time) / span).clamp(0.0, 1.0) } else { 1.0 };
        Knot {
            time,
            position: before.position.lerp(after.position, share),
            height: before.height + (after.height - before.height) * share,
            turn: before.turn.slerp(after.turn, share),
        }
    }

    /// Records a tick between these times, seconds.
    fn follow(&mut self, space: &PhysicsSpace, disc: usize, [start, end]: [f32; 2]) {
        let Some(&last) = self.knots.last() else { return };
        if self.fell.is_some() {
            return;
        }
        let vertices = space.report.path_vertices.iter().filter(|vertex| vertex.disc as usize == disc);
        let fallen = space.report.fallen.iter().find(|fallen| fallen.disc as usize == disc);
        let position = fallen.map_or(space.discs.position[disc], |fallen| fallen.position);
        let step = space.clock.time_step;
        let end = fallen.map_or(end, |fallen| start + fallen.time);
        let spin = space.discs.spin.get(disc).copied().flatten();
        let velocity = spin.map_or(Vec3::ZERO, |spin| spin.angular_velocity);
        let turn = if fallen.is_some() { last.turn } else { turned(last.turn, velocity, step) };
        let above = space.discs.height_of(disc).filter(|_| fallen.is_none());
        let height = above.map_or(0.0, |above| above.height);
        if (position, turn, height) == (last.position, last.turn, last.height) && fallen.is_none() {
            return;
        }
        // A ball at rest starts to move in this tick.
        if last.time < start {
            self.knots.push(Knot { time: start, ..last });
        }
        for vertex in vertices.filter(|vertex| vertex.time > 0.0 && start + vertex.time < end) {
            let share = vertex.time / step;
            let turn = last.turn.slerp(turn, share);
            let PathVertex { time, position, height, .. } = *vertex;
            self.knots.push(Knot { time: start + time, position, height, turn });
        }
        self.knots.push(Knot { time: end, position, height, turn });
        let place =
            |fallen: &FallenDisc| fallen.pocket.map_or(BallPlace::Off, |entity| BallPlace::Pocket(pocket(entity)));
        self.fell = fallen.map(|fallen| (end, place(fallen)));
    }
}

impl Simulator {
    /// Plays a shot to its end and stores the path of every ball. The end is bit-identical to the result of
    /// [`Simulator::play`].
    ///
    /// # Errors
    /// The cue ball is not on the table, or the stroke is invalid.
    pub fn film(
        &mut self,
        layout: &Layout,
        cue_ball: BallId,
        stroke: &CueStrike,
        cue: &Cue,
    ) -> Result<Film, ShotError> {
        let mut shot = Shot::default();
        self.begin(&mut shot, layout, cue_ball, stroke, cue)?;
        let track = |(ball, position)| Track {
            ball,
            knots: vec![Knot { time: 0.0, position, height: 0.0, turn: Quat::IDENTITY }],
            fell: None,
        };
        let mut tracks: Vec<Track> = layout.on_table().map(track).collect();
        let step = self.time_step;
        let mut ticks = 0_u32;
        self.run(&mut shot, |space| {
            let times = [ticks, ticks + 1].map(|tick| tick as f32 * step);
            ticks += 1;
            for (disc, track) in tracks.iter_mut().enumerate() {
                track.follow(space, disc, times);
            }
        });
        Ok(Film { tracks, before: shot.before, after: shot.after, seconds: self.seconds })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        collision::{
            CollisionSettings, DiscHeight, DiscState, SolverMode, run_tick,
            spin::{FlightPhysics, Shape, Spin, TablePhysics},
        },
        games::matches::{Match, MatchSpec},
        motion::ForceLaw,
    };

    fn begun(game: &str) -> Match {
        Match::new(MatchSpec { game: game.to_owned(), seed: 3, ..MatchSpec::default() }).unwrap()
    }

    #[test]
    fn a_film_begins_and_ends_where_the_shot_does_and_balls_go_no_faster_than_they_can() {
        for (game, speed, [x, y]) in [("practice", 7.0, [1.0, 0.012]), ("three-cushion", 4.0, [1.0, 0.31])] {
            let playing = begun(game);
            let (_, task) = playing.turn().unwrap();
            let crate::games::rules::Task::Shoot(stroke) = task else { panic!("{task:?}") };
            let strike = CueStrike { speed, direction: bevy::math::DVec2::new(x, y), ..CueStrike::default() };
            let (layout, cue) = (playing.layout(), playing.cue());
            let mut simulator = Simulator::new(playing.table().clone());
            let shot = simulator.play(layout, stroke.cue_ball, &strike, &cue).unwrap();
            let film = simulator.film(layout, stroke.cue_ball, &strike, &cue).unwrap();
            assert_eq!((film.layout(-1.0), film.layout(0.0)), (shot.before.clone(), shot.before.clone()));
            assert_eq!((film.layout(film.seconds()), film.layout(1e9)), (shot.after.clone(), shot.after.clone()));
            assert!((film.seconds() - simulator.seconds()).abs() < 1e-6);
            // At the end of every tick a ball is where the tick left it. The last tick gives the end of the shot.
            let last = film.layout(film.seconds() * (1.0 - 1e-7));
            for (ball, at) in shot.after.on_table() {
                assert!(last[ball].on_table().unwrap().distance(at) < 1e-4, "{game}");
            }
            let step = 1.0 / 1000.0;
            let mut before = film.layout(0.0);
            for k in 1..=(film.seconds() / step) as u32 {
                let now = film.layout(k as f32 * step);
                for (ball, at) in now.on_table() {
                    let way = before[ball].on_table().map_or(0.0, |from| from.distance(at));
                    assert!(way < 1.6 * speed as f32 * step, "{game}: {ball:?} jumps {way} m");
                    for (other, there) in now.on_table().filter(|(other, _)| *other > ball) {
                        let apart = at.distance(there) - 2.0 * playing.table().ball_radius();
                        assert!(apart > -4e-4, "{game}: {ball:?} and {other:?} overlap by {apart}");
                    }
                }
                before = now;
            }
            assert!(film.turn(stroke.cue_ball, film.seconds()) != Quat::IDENTITY, "it has rolled");
        }
    }

    #[test]
    fn a_film_has_the_heights_of_a_ball_that_falls_and_bounces() {
        let spin = Some(Spin { angular_velocity: Vec3::ZERO, shape: Shape::Ball });
        let state = DiscState { radius: 0.028575, mass: 0.17, velocity: Vec2::X, spin, ..default() };
        let mut space = PhysicsSpace { discs: [state].into_iter().collect(), ..default() };
        space.discs.heights = vec![DiscHeight { disc: 0, height: 0.05, speed: 0.0 }];
        space.finish_terrain();
        let table = TablePhysics { flight: Some(FlightPhysics::default()), ..default() };
        let settings = CollisionSettings { mode: SolverMode::Continuous, ..default() };
        let start = Knot { time: 0.0, position: Vec2::ZERO, height: 0.05, turn: Quat::IDENTITY };
        let mut track = Track { ball: BallId(0), knots: vec![start], fell: None };
        let step = 1.0 / 120.0;
        for tick in 0..120_u8 {
            run_tick(&mut space, &settings, step, |space| table.act(space));
            track.follow(&space, 0, [tick, tick + 1].map(|tick| f32::from(tick) * step));
        }
        let film = Film { tracks: vec![track], seconds: 1.0, ..default() };
        for time in [0.0, 0.03, 0.06, 0.09] {
            // A chord of a tick is at most g h²/8 = 0.09 mm below the parabola.
            let expected = 0.05 - 4.905 * time * time;
            assert!((film.height(BallId(0), time) - expected).abs() < 1e-4, "{time}");
        }
        let (points, heights) = film.path(BallId(0));
        let arcs = crate::timeline::arcs(&points, &heights);
        assert!(arcs.len() >= 2 && (arcs[1].apex - 0.0125).abs() < 1e-4, "{arcs:?}");
        assert_eq!((film.highest(), film.height(BallId(0), 1.0)), (Some(BallId(0)), 0.0));
        assert_eq!(Film::default().highest(), None);
    }

    #[test]
    fn a_shot_that_was_not_played_has_no_length() {
        let playing = begun("practice");
        let film = Film::still(playing.layout());
        assert_eq!((film.seconds(), film.layout(0.5)), (0.0, playing.layout().clone()));
    }
}
