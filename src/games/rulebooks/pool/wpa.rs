//! The rules shared by the pool games: racks, fouls (6), balls driven to a rail (8.4), spotting (1.4), and the cue ball
//! in hand behind the head string (1.5).

use std::sync::Arc;

use bevy::math::{Vec2, primitives::Segment2d};

use crate::{
    billiards::tables::{BallName, Part, Rack},
    components::Terrain,
    games::{
        rulebooks::RACK_GAP,
        rules::{
            BallId, BallPlace, Choice, CushionId, Foul, GameTable, Layout, Player, Region, Shot, ShotConstraints,
            ShotEvent, Turn,
        },
    },
    random::Random,
};

/// The tables of all pool games, the usual one first.
pub(super) const TABLES: &[&str] = &["pool-9ft", "pool-8ft", "pool-7ft"];

/// The cue ball. Every other ball has its number as its id.
pub(super) const CUE_BALL: BallId = BallId(0);

/// The middle of the third row of a rack, counted row by row from the apex: the place of the ball that wins.
pub(super) const MIDDLE: usize = 4;

/// The object balls that a break without a pot has to drive to a rail (2.3, 3.3, 9.3).
const DRIVEN_BY_BREAK: usize = 4;

/// A ball within this distance of a cushion touches it, metres. A ball that comes to rest near a cushion is much nearer
/// or much farther away.
const FROZEN: f32 = 1e-4;

/// The gap between a spotted ball and the cue ball, metres: "a small separation must be maintained" (1.4).
const OFF_CUE_BALL: f32 = 0.001;

/// A table with the balls of a game.
#[derive(Clone, Debug)]
pub(super) struct Setting {
    pub(super) table: Arc<GameTable>,
    /// The balls by id: the cue ball, 1, 2, 3 and so on.
    pub(super) balls: Vec<BallName>,
    /// The places of the rack, row by row from the foot spot, metres.
    pub(super) places: Vec<Vec2>,
}

impl Setting {
    pub(super) fn new(game: &str, table: &Arc<GameTable>, rack: Rack) -> Result<Self, String> {
        if table.built.holes.is_empty() {
            return Err(format!("{game} needs a table with pockets"));
        }
        let racked = rack
            .balls(&table.spec, RACK_GAP)
            .ok_or_else(|| format!("{game} needs a table with the spots {}", rack.spots().join(" and ")))?;
        let places: Vec<Vec2> = racked[1..].iter().map(|ball| ball.place.as_vec2()).collect();
        let numbers = (1..=places.len()).map(|number| BallName::Number(number as u8));
        Ok(Self { table: table.clone(), balls: [BallName::Cue].into_iter().chain(numbers).collect(), places })
    }

    /// The layout with the balls racked in this order from the apex, and the cue ball in hand.
    pub(super) fn racked(&self, order: &[BallId]) -> Layout {
        let mut layout = Layout::in_hand(self.balls.len());
        for (&ball, &place) in order.iter().zip(&self.places) {
            layout[ball] = BallPlace::Table(place);
        }
        layout
    }

    /// All balls except the cue ball.
    pub(super) fn object_balls(&self) -> impl DoubleEndedIterator<Item = BallId> + use<> {
        (1..self.balls.len()).map(|number| BallId(number as u8))
    }

    /// The position of a spot, metres, or the centre of the table if it has no spot with this name.
    pub(super) fn spot_named(&self, name: &str) -> Vec2 {
        self.table.spot(name).unwrap_or(Vec2::ZERO)
    }

    /// The fouls of a shot, given its task. After a called push-out, the first ball hit does not matter (2.4).
    /// Requirements on a break are checked by each game.
    pub(super) fn fouls(&self, shot: &Shot, stroke: &ShotConstraints, push_out: bool) -> Vec<Foul> {
        let mut fouls = Vec::new();
        let first = shot.first_hit(CUE_BALL);
        match first {
            None if !push_out => fouls.push(Foul::NoHit),
            Some(first) if !push_out => {
                if !stroke.is_on(first) {
                    fouls.push(Foul::WrongBallFirst(self.balls[first.index()]));
                }
                if !stroke.is_break && !self.reaches_a_rail(shot) {
                    fouls.push(Foul::NoCushion);
                }
            }
            _ => {}
        }
        if let Some(first) = first
            && stroke.in_hand == Some(Region::BehindHeadString)
            && self.stays_behind_head_string(shot, first)
        {
            fouls.push(Foul::PlayedBehindHeadString(self.balls[first.index()]));
        }
        fouls.extend(shot.pocket_of(CUE_BALL).map(Foul::Scratch));
        fouls.extend(shot.off_table().map(|ball| Foul::OffTable(self.balls[ball.index()])));
        if fouls.is_empty() && !shot.after.is_on_table(CUE_BALL) {
            // No event reports where it went.
            fouls.push(Foul::OffTable(BallName::Cue));
        }
        fouls
    }

    /// Whether a break neither potted an object ball nor drove four of them to a rail (2.3, 3.3, 9.3).
    pub(super) fn is_illegal_break(&self, shot: &Shot) -> bool {
        let potted = shot.potted().any(|(ball, _)| ball != CUE_BALL);
        let driven = || self.driven_to_rails(shot, 0).into_iter().filter(|&ball| ball != CUE_BALL).count();
        !potted && driven() < DRIVEN_BY_BREAK
    }

    /// Whether a ball was potted, or driven to a rail after the cue ball's first hit (6.3).
    fn reaches_a_rail(&self, shot: &Shot) -> bool {
        let hit = shot.events.len() - shot.after_first_hit(CUE_BALL).len();
        shot.potted().next().is_some() || !self.driven_to_rails(shot, hit).is_empty()
    }

    /// The balls driven to a rail from this event on, each once. A ball frozen to a rail at the start has to leave it
    /// first. A ball that was potted or left the table counts as driven to a rail (8.4).
    pub(super) fn driven_to_rails(&self, shot: &Shot, from: usize) -> Vec<BallId> {
        let mut frozen = self.frozen(&shot.before);
        let mut first_partner = vec![None; self.balls.len()];
        let mut driven = Vec::new();
        for (index, event) in shot.events.iter().enumerate() {
            let reached = match *event {
                ShotEvent::Balls(a, b) => {
                    // The impact that sets a frozen ball in motion may press it against its rail, which does not count.
                    // A second ball hits it off the rail. The cue ball is set in motion by the cue.
                    for (ball, partner) in [(a, b), (b, a)] {
                        if *first_partner[ball.index()].get_or_insert(partner) != partner || ball == CUE_BALL {
                            frozen.retain(|&(it, _)| it != ball);
                        }
                    }
                    continue;
                }
                ShotEvent::Cushion(ball, cushion) => {
                    if frozen.contains(&(ball, cushion)) {
                        continue;
                    }
                    frozen.retain(|&(it, _)| it != ball);
                    ball
                }
                ShotEvent::Potted(ball, _) | ShotEvent::OffTable(ball) => ball,
                ShotEvent::Over(..) => continue,
            };
            if index >= from && !driven.contains(&reached) {
                driven.push(reached);
            }
        }
        driven
    }

    /// The balls that touch a cushion.
    fn frozen(&self, layout: &Layout) -> Vec<(BallId, CushionId)> {
        let radius = self.table.ball_radius();
        let mut frozen = Vec::new();
        for (ball, place) in layout.on_table() {
            if (place.abs() + radius + FROZEN).cmplt(self.table.half()).all() {
                continue;
            }
            for piece in self.table.built.pieces.iter().filter(|piece| piece.part != Part::Liner) {
                let distance = match piece.terrain {
                    Terrain::Segment { a, b } => Segment2d::new(a, b).closest_point(place).distance(place),
                    Terrain::Circle { radius } => piece.position.distance(place) - radius,
                    _ => continue,
                };
                let touching = (ball, CushionId(piece.index as u8));
                if distance <= radius + FROZEN && !frozen.contains(&touching) {
                    frozen.push(touching);
                }
            }
        }
        frozen
    }

    pub(super) fn is_behind_head_string(&self, place: Vec2) -> bool {
        self.table.is_behind_head_string(place) == Some(true)
    }

    /// Whether the cue ball hit this ball behind the head string without having left there (6.11). Events do not
    /// contain its position, so any cushion except the head one counts as leaving.
    fn stays_behind_head_string(&self, shot: &Shot, first: BallId) -> bool {
        let until = shot.events.len() - shot.after_first_hit(CUE_BALL).len();
        let is_head_cushion = |cushion: CushionId| {
            let nose = self.table.built.cushions.get(usize::from(cushion.0)).map(|cushion| cushion.nose);
            nose.is_some_and(|nose| nose.iter().all(|end| self.is_behind_head_string(end.as_vec2())))
        };
        let went_away = shot.events[..until].iter().any(
            |event| matches!(*event, ShotEvent::Cushion(ball, cushion) if ball == CUE_BALL && !is_head_cushion(cushion)),
        );
        !went_away && shot.before[first].on_table().is_some_and(|place| self.is_behind_head_string(place))
    }

    /// Spots a ball (1.4).
    pub(super) fn spot(&self, ball: BallId, layout: &mut Layout) {
        let clearance = |other| if other == CUE_BALL { OFF_CUE_BALL } else { 0.0 };
        let place = self.table.free_spot(layout, self.spot_named("foot"), ball, clearance);
        layout[ball] = BallPlace::Table(place);
    }

    /// The turn with the cue ball in hand behind the head string. If all balls on also lie there, the player may have
    /// the nearest one spotted (1.5).
    pub(super) fn turn_behind_head_string(&self, player: Player, stroke: ShotConstraints, layout: &Layout) -> Turn {
        match self.nearest_behind_head_string(&stroke, layout) {
            Some(_) => Turn::choose(player, [Choice::PlayOn, Choice::SpotNearest]),
            None => Turn::shoot(player, ShotConstraints { in_hand: Some(Region::BehindHeadString), ..stroke }),
        }
    }

    /// The ball on nearest to the head string, if all balls on lie behind it.
    pub(super) fn nearest_behind_head_string(&self, stroke: &ShotConstraints, layout: &Layout) -> Option<BallId> {
        let on: Vec<(BallId, Vec2)> = layout.on_table().filter(|&(ball, _)| stroke.is_on(ball)).collect();
        let all_behind = on.iter().all(|&(_, place)| self.is_behind_head_string(place));
        on.into_iter().filter(|_| all_behind).max_by(|a, b| a.1.x.total_cmp(&b.1.x)).map(|(ball, _)| ball)
    }
}

/// Whether the called ball fell into the called pocket (1.6).
pub(super) fn makes_call(shot: &Shot) -> bool {
    let call = shot.call;
    !call.safety && call.ball.is_some_and(|ball| call.pocket.is_some() && shot.pocket_of(ball) == call.pocket)
}

/// The potted object balls.
pub(super) fn potted_object_balls(shot: &Shot) -> Vec<BallId> {
    shot.potted().map(|(ball, _)| ball).filter(|&ball| ball != CUE_BALL).collect()
}

/// Shuffles a slice (Fisher and Yates 1938).
pub(super) fn shuffle<T>(things: &mut [T], random: &mut Random) {
    for last in (1..things.len()).rev() {
        things.swap(last, random.below(last + 1));
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::vec2;

    use super::*;
    use crate::{
        billiards::cue::{Cue, CueStrike},
        games::{
            simulator::Simulator,
            test_support::{read_events, table},
        },
    };

    fn setting() -> Setting {
        Setting::new("a test", &table("pool-9ft"), Rack::NineBall).unwrap()
    }

    /// A layout with only these balls on the table.
    fn layout(balls: &[(u8, Vec2)]) -> Layout {
        let mut layout = Layout::in_hand(10);
        for &(ball, place) in balls {
            layout[BallId(ball)] = BallPlace::Table(place);
        }
        layout
    }

    /// The fouls of a shot at any ball. The distances are in metres: the 1 from the top right cushion (cushion 1), and
    /// the cue ball from the foot cushion (cushion 2).
    fn fouls(one_off: f32, cue_ball_off: f32, events: &str) -> Vec<Foul> {
        let setting = setting();
        let edge = setting.table.half() - setting.table.ball_radius();
        let before =
            layout(&[(1, vec2(0.3, edge.y - one_off)), (0, vec2(edge.x - cue_ball_off, 0.1)), (5, Vec2::ZERO)]);
        let shot = Shot { before: before.clone(), events: read_events(events), after: before, ..Shot::default() };
        setting.fouls(&shot, &ShotConstraints::of(CUE_BALL), false)
    }

    #[test]
    fn a_ball_frozen_to_a_cushion_has_to_leave_it_and_return() {
        let none: [Foul; 0] = [];
        assert_eq!(fouls(0.0, 0.2, "0-1 1/1"), [Foul::NoCushion], "pressed against it");
        assert_eq!(fouls(0.0, 0.2, "0-1 1/1 0-1 1/1"), [Foul::NoCushion], "and once more");
        assert_eq!(fouls(0.00005, 0.2, "0-1 1/1"), [Foul::NoCushion], "nobody sees this gap");
        assert_eq!(fouls(0.001, 0.2, "0-1 1/1"), none, "it did not touch");
        assert_eq!(fouls(0.0, 0.2, "0-1 1/1 1/2"), none, "another cushion");
        assert_eq!(fouls(0.0, 0.2, "0-1 1/2 1/1"), none, "another cushion and back");
        assert_eq!(fouls(0.0, 0.2, "0-1 1-5 1/1"), none, "back from another ball");
        assert_eq!(fouls(0.0, 0.2, "0-1 1/1 0/1"), none, "the cue ball");
        assert_eq!(fouls(0.0, 0.2, "0-5 5-1 1/1"), [Foul::NoCushion], "pressed by another than the cue ball");
    }

    /// The solver's result of a shot at the 1, which is frozen to the top right cushion, with this place of the cue
    /// ball and this cue speed, m/s.
    fn played(from: Vec2, speed: f64) -> (Shot, Vec<Foul>) {
        let setting = setting();
        let target = vec2(0.3, setting.table.half().y - setting.table.ball_radius());
        let before = layout(&[(0, from), (1, target), (5, vec2(-1.0, -0.5))]);
        let strike = CueStrike { speed, direction: (target - from).as_dvec2(), ..CueStrike::default() };
        let mut simulator = Simulator::new(setting.table.clone());
        let shot = simulator.play(&before, CUE_BALL, &strike, &Cue::default()).unwrap();
        let fouls = setting.fouls(&shot, &ShotConstraints::of(CUE_BALL), false);
        (shot, fouls)
    }

    #[test]
    fn the_solver_presses_a_frozen_ball_against_its_cushion() {
        // Straight at it and slowly: both balls rebound toward the middle and reach nothing else.
        for speed in [0.1, 0.2, 0.3] {
            let (shot, fouls) = played(vec2(0.3, 0.54), speed);
            assert!(
                shot.events.iter().any(|event| matches!(event, ShotEvent::Cushion(BallId(1), CushionId(1)))),
                "{shot:?}"
            );
            assert_eq!(fouls, [Foul::NoCushion], "{speed} m/s: {:?}", shot.events);
        }
        // At a higher speed, one of them reaches the bottom cushion.
        assert_eq!(played(vec2(0.3, 0.4), 3.0).1, []);
        // Along the rail into it: the cue ball reaches the cushion, and counts.
        assert_eq!(played(vec2(0.1, 0.56), 1.0).1, []);
    }

    #[test]
    fn a_cue_ball_frozen_to_a_cushion_has_left_it_when_it_hits_a_ball() {
        assert_eq!(fouls(0.1, 0.0, "0-5 0/2"), []);
        assert_eq!(fouls(0.1, 0.0, "0/2 0-5"), [Foul::NoCushion]);
    }

    #[test]
    fn a_ball_frozen_to_a_jaw_is_frozen_to_its_cushion() {
        let setting = setting();
        let jaw = setting.table.built.cushions[1].jaws.unwrap()[0];
        // Off the rounded jaw, at 45 degrees to the nose.
        let outward = vec2(-1.0, -1.0).normalize();
        let place = jaw.centre.as_vec2() + outward * (jaw.radius as f32 + setting.table.ball_radius());
        assert_eq!(setting.frozen(&layout(&[(1, place)])), [(BallId(1), CushionId(1))]);
        assert_eq!(setting.frozen(&layout(&[(1, place + 0.001 * outward)])), []);
    }

    #[test]
    fn a_ball_that_fell_or_left_the_table_was_driven_to_a_rail() {
        let setting = setting();
        let before = setting.racked(&(1..10).map(BallId).collect::<Vec<_>>());
        let shot = Shot { before, events: read_events("0-1 1/2 1/3 2@1 3! 0/2"), ..Shot::default() };
        assert_eq!(setting.driven_to_rails(&shot, 0), [1, 2, 3, 0].map(BallId));
        assert_eq!(setting.driven_to_rails(&shot, 3), [2, 3, 0].map(BallId), "from the fourth event on");
    }

    #[test]
    fn a_ball_is_spotted_on_the_long_string_as_near_to_the_foot_spot_as_there_is_room() {
        let setting = setting();
        let foot = setting.spot_named("foot");
        let diameter = 2.0 * setting.table.ball_radius();
        let spot = |balls: &[(u8, Vec2)]| {
            let before = layout(balls);
            let mut after = before.clone();
            setting.spot(BallId(9), &mut after);
            let place = after[BallId(9)].on_table().unwrap();
            assert_eq!(before.changes(&after), [(BallId(9), BallPlace::Table(place))]);
            assert_eq!(place.y, foot.y);
            place.x - foot.x
        };
        assert_eq!(spot(&[]), 0.0);
        let behind = spot(&[(1, foot)]);
        assert!((behind - diameter).abs() < 1e-5, "in contact behind it: {behind}");
        let aside = spot(&[(1, foot + vec2(0.0, 0.5 * diameter))]);
        assert!((aside - 0.75_f32.sqrt() * diameter).abs() < 1e-5, "{aside}");
        let two = spot(&[(1, foot + vec2(0.2 * diameter, 0.0)), (2, foot + vec2(1.7 * diameter, 0.0))]);
        assert!((two - 2.7 * diameter).abs() < 1e-5, "not between two balls without room: {two}");
        let cue_ball = spot(&[(0, foot)]);
        assert!((cue_ball - diameter - OFF_CUE_BALL).abs() < 1e-5, "apart from the cue ball: {cue_ball}");
        // If the long string is full from the spot to the foot rail, in front of the spot.
        let full: Vec<(u8, Vec2)> =
            (1..9).map(|ball| (ball, foot + vec2(f32::from(ball - 1) * 1.4 * diameter, 0.0))).collect();
        let front = spot(&full);
        assert!((front + diameter).abs() < 1e-5, "{front}");
    }

    #[test]
    fn without_a_head_string_a_ball_in_hand_may_lie_anywhere_and_no_ball_lies_behind_it() {
        let mut spec = table("pool-9ft").spec.clone();
        let before = layout(&[(0, vec2(-1.0, 0.2)), (1, vec2(-1.0, 0.0))]);
        let events = read_events("0-1 1/2");
        let shot = Shot { before: before.clone(), events, after: before.clone(), ..Shot::default() };
        let stroke = ShotConstraints { in_hand: Some(Region::BehindHeadString), ..ShotConstraints::of(CUE_BALL) };
        for is_there in [true, false] {
            spec.head_string = spec.head_string.filter(|_| is_there);
            let table = Arc::new(GameTable::new(spec.clone()).unwrap());
            let setting = Setting::new("a test", &table, Rack::NineBall).unwrap();
            assert_eq!(Region::BehindHeadString.contains(vec2(1.0, 0.0), &table), !is_there);
            let foul = [Foul::PlayedBehindHeadString(BallName::Number(1))];
            assert_eq!(setting.fouls(&shot, &stroke, false), if is_there { &foul[..] } else { &[] });
            assert_eq!(setting.nearest_behind_head_string(&stroke, &before), is_there.then_some(BallId(1)));
        }
    }

    #[test]
    fn a_shuffle_keeps_all_and_favours_no_place() {
        let mut firsts = [0; 5];
        for seed in 0..5000 {
            let mut things = [0, 1, 2, 3, 4];
            shuffle(&mut things, &mut Random::new(seed));
            firsts[things[0]] += 1;
            things.sort_unstable();
            assert_eq!(things, [0, 1, 2, 3, 4]);
        }
        // 1000 each, with a deviation of 28; the tolerance is five of them.
        assert!(firsts.iter().all(|count| (860..1140).contains(count)), "{firsts:?}");
    }
}
