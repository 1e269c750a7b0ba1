//! The side view of a shot in the air: an inset with the height of the ball over the distance along its path. It shows
//! the balls that the shot passes or hits, and the cushion at the end. Both axes have the same scale.
//!
//! The other balls are drawn where they are at the start of the shot. A ball that is moved before the shot ball reaches
//! it is therefore elsewhere.

use bevy::prelude::*;
use bevy_egui::egui::{self, Align2};
use tr::tr;

use crate::{
    collision::{PhysicsSpace, Wall, spin::TablePhysics},
    components::{InPlay, StableId},
    input::shot::{
        aim_line::readable_tops,
        cue::Aim,
        preview::{Preview, SeenDisc},
    },
    scene::{CueBall, DiscColour, DiscLook},
    timeline::{Arc, arcs},
    view::{
        Insets, Theme, View2d, Views,
        theme::egui as ink,
        words::{heights::height_in_words, labels::Pen},
    },
};

/// The path after the last landing that is shown, in radii of the ball; and the longest one, to a cushion.
const BEYOND: [f32; 2] = [4.0, 16.0];

/// Another ball: its centre, its radius (metres), and its colour if it is known.
pub(crate) type OtherBall = (Vec2, f32, Option<Srgba>);

/// A ball that is passed: as seen from the side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SideBall {
    /// The distance along the path at which the shot ball is closest to it, metres.
    pub along: f32,
    /// Its radius, metres.
    pub radius: f32,
    /// The smallest distance between the surfaces of the two balls, metres: 0 if they touch.
    pub clearance: f32,
    /// Its colour, if it is known.
    pub colour: Option<Srgba>,
}

/// The cushion at the end of the path, or below it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SideCushion {
    /// The distance along the path to the edge of its nose, metres.
    pub along: f32,
    /// The height of its nose above the cloth, metres.
    pub height: f32,
}

/// A shot seen from the side.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SideView {
    /// The radius of the ball, metres.
    pub radius: f32,
    /// The place of the solid ball, as in `path`: its start, or where a replay is.
    pub ball: Vec2,
    /// Its path: the distance along the path, and the height of its lowest point above the cloth, metres.
    pub path: Vec<Vec2>,
    /// The highest point of each arc, as in `path`, metres.
    pub tops: Vec<Vec2>,
    /// The distances of the landings along the path, metres.
    pub landings: Vec<f32>,
    /// The balls on the way, in order.
    pub balls: Vec<SideBall>,
    /// The first cushion, if the path reaches one. Behind its nose, the rail has the same height.
    pub cushion: Option<SideCushion>,
}

impl SideView {
    /// The side view of a path with its heights (metres), for a ball of this radius (metres): up to a cushion that it
    /// does not cross, or else slightly beyond the last landing. `walls` are the pieces of the cushions, and
    /// `nose_height` is the height of their noses (metres). `None` if the ball hardly leaves the cloth.
    pub(crate) fn of(
        radius: f32,
        (points, heights): (&[(Vec2, f32)], &[f32]),
        others: impl IntoIterator<Item = OtherBall>,
        (walls, nose_height): (&[[Vec2; 2]], f32),
    ) -> Option<Self> {
        let arcs: Vec<Arc> = arcs(points, heights).into_iter().filter(Arc::is_shown).collect();
        let end = arcs.last()?.last;
        let mut way = Way::new(points, heights);
        let landed = way.along[end];
        let reach = way.reach(walls, radius);
        let reach = reach.filter(|reach| *reach <= landed + BEYOND[1] * radius);
        let ends = reach.filter(|reach| !way.crosses(walls, *reach));
        let length = ends.unwrap_or(landed + BEYOND[0] * radius);
        way.cut(length);
        // The nose touches the ball above its centre, so its edge is a little closer.
        let nose = |along: f32| {
            let above = (nose_height - radius).abs().min(radius);
            SideCushion { along: along + (radius * radius - above * above).sqrt(), height: nose_height }
        };
        let is_within = |arc: &&Arc| way.along.get(arc.first).is_some_and(|along| *along < length);
        let top = |arc: &Arc| Vec2::new(way.along_at(arc.top), arc.apex);
        let landing = |arc: &Arc| arc.lands.then(|| way.along.get(arc.last).copied()).flatten();
        let mut balls: Vec<SideBall> = others.into_iter().filter_map(|other| way.pass(radius, other)).collect();
        balls.sort_by(|a, b| a.along.total_cmp(&b.along));
        Some(Self {
            radius,
            ball: Vec2::new(0.0, way.heights[0]),
            tops: arcs.iter().filter(is_within).map(top).collect(),
            landings: arcs.iter().filter(is_within).filter_map(landing).collect(),
            balls,
            cushion: reach.map(nose),
            path: way.along.iter().zip(&way.heights).map(|(along, height)| Vec2::new(*along, *height)).collect(),
        })
    }

    /// The side view of a predicted disc on the table of a space.
    pub(crate) fn of_preview(
        disc: &SeenDisc,
        (space, table): (&PhysicsSpace, &TablePhysics),
        colour_of: impl Fn(Entity) -> Option<Srgba>,
    ) -> Option<Self> {
        // Most shots stay on the cloth.
        if disc.arcs.is_empty() {
            return None;
        }
        let (discs, own) = (&space.discs, disc.entity);
        let other = |i: usize| (discs.position[i], discs.radius[i], colour_of(discs.entity[i]));
        let others = (0..discs.len()).filter(|&i| discs.entity[i] != own).map(other);
        let walls: Vec<[Vec2; 2]> = space.walls().iter().flat_map(Wall::pieces).collect();
        let nose = 2.0 * disc.radius * table.cushion.nose_height;
        Self::of(disc.radius, (&disc.path, &disc.heights), others, (&walls, nose))
    }

    /// The side view of a recorded ball at a time, seconds: its path with its times and heights (metres), and the other
    /// arguments of [`Self::of`]. After the part that is shown, the ball waits at its end.
    #[cfg(any(test, feature = "hud"))]
    pub(crate) fn of_recorded(
        radius: f32,
        (points, heights): (&[(Vec2, f32)], &[f32]),
        others: impl IntoIterator<Item = OtherBall>,
        (space, nose_height): (&PhysicsSpace, f32),
        time: f32,
    ) -> Option<Self> {
        let walls: Vec<[Vec2; 2]> = space.walls().iter().flat_map(Wall::pieces).collect();
        let mut side = Self::of(radius, (points, heights), others, (&walls, nose_height))?;
        let next = points.partition_point(|(_, at)| *at <= time).min(side.path.len() - 1);
        let (from, to) = (next.saturating_sub(1), next);
        let span = points[to].1 - points[from].1;
        let share = if span > 0.0 { ((time - points[from].1) / span).clamp(0.0, 1.0) } else { 1.0 };
        side.ball = side.path[from].lerp(side.path[to], share);
        Some(side)
    }

    /// The size of the drawing, metres: from the back of the ball at the start to the end of the path, and up to the
    /// highest point.
    fn size(&self) -> Vec2 {
        let far = self.path.last().map_or(0.0, |end| end.x);
        let cushion = self.cushion.map_or(Vec2::ZERO, |it| Vec2::new(it.along + 1.5 * self.radius, it.height));
        let highest = self.tops.iter().map(|top| top.y).fold(self.path[0].y, f32::max) + 2.0 * self.radius;
        let balls = self.balls.iter().map(|ball| 2.0 * ball.radius).fold(0.0, f32::max);
        Vec2::new((far + self.radius).max(cushion.x) + self.radius, highest.max(cushion.y).max(balls))
    }
}

/// A path with the distances along it.
struct Way {
    places: Vec<Vec2>,
    along: Vec<f32>,
    heights: Vec<f32>,
}

impl Way {
    fn new(points: &[(Vec2, f32)], heights: &[f32]) -> Self {
        let places: Vec<Vec2> = points.iter().map(|(place, _)| *place).collect();
        let mut along = vec![0.0];
        for pair in places.windows(2) {
            along.push(along[along.len() - 1] + pair[0].distance(pair[1]));
        }
        Self { along, heights: (0..places.len()).map(|k| heights.get(k).copied().unwrap_or(0.0)).collect(), places }
    }

    /// The distance along the path at which a ball of this radius first touches a piece of a wall, if it does.
    fn reach(&self, walls: &[[Vec2; 2]], radius: f32) -> Option<f32> {
        // A recorded hit is at the radius, to rounding.
        let touch = radius * 1.002;
        let gap = |place: Vec2| {
            let gaps = walls.iter().map(|&[a, b]| {
                let share = ((place - a).dot(b - a) / (b - a).length_squared().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
                place.distance(a + (b - a) * share) - touch
            });
            gaps.fold(f32::INFINITY, f32::min)
        };
        let mut before = gap(self.places[0]);
        for k in 1..self.places.len() {
            let now = gap(self.places[k]);
            // A ball that starts at a cushion moves away from it.
            if now <= 0.0 && now < before {
                let share = if before > 0.0 { before / (before - now) } else { 0.0 };
                return Some(self.along[k - 1] + share * (self.along[k] - self.along[k - 1]));
            }
            before = now;
        }
        None
    }

    /// Whether the path crosses a piece of a wall from this distance on.
    fn crosses(&self, walls: &[[Vec2; 2]], from: f32) -> bool {
        let legs = (1..self.places.len()).filter(|&k| self.along[k] >= from);
        legs.map(|k| [self.places[k - 1], self.places[k]]).any(|[p, q]| {
            walls.iter().any(|&[a, b]| {
                let side_of = |line: [Vec2; 2], at: Vec2| (line[1] - line[0]).perp_dot(at - line[0]);
                side_of([a, b], p) * side_of([a, b], q) < 0.0 && side_of([p, q], a) * side_of([p, q], b) < 0.0
            })
        })
    }

    /// Ends the path at this distance.
    fn cut(&mut self, length: f32) {
        let kept = self.along.partition_point(|along| *along < length);
        if kept == 0 || kept == self.along.len() {
            return;
        }
        let (from, to) = (self.along[kept - 1], self.along[kept]);
        let share = if to > from { (length - from) / (to - from) } else { 1.0 };
        self.places[kept] = self.places[kept - 1].lerp(self.places[kept], share);
        self.heights[kept] = self.heights[kept - 1] + share * (self.heights[kept] - self.heights[kept - 1]);
        self.along[kept] = length;
        self.places.truncate(kept + 1);
        self.heights.truncate(kept + 1);
        self.along.truncate(kept + 1);
    }

    /// The distance along the path to its point closest to a place.
    fn along_at(&self, place: Vec2) -> f32 {
        let on_leg = |k: usize| {
            let (from, way) = (self.places[k], self.places[k + 1] - self.places[k]);
            let share = ((place - from).dot(way) / way.length_squared().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
            ((from + way * share).distance(place), self.along[k] + share * way.length())
        };
        let legs = (0..self.places.len().saturating_sub(1)).map(on_leg);
        legs.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(0.0, |(_, along)| along)
    }

    /// How a ball of a radius passes another, if it would hit it on the cloth.
    fn pass(&self, radius: f32, (place, other, colour): OtherBall) -> Option<SideBall> {
        let sum = radius + other;
        let (mut nearest, mut along, mut clearance) = (f32::INFINITY, 0.0, f32::INFINITY);
        for k in 0..self.places.len().saturating_sub(1) {
            let (from, way) = (self.places[k], self.places[k + 1] - self.places[k]);
            let rise = |height: f32| height + radius - other;
            let (low, climb) = (rise(self.heights[k]), self.heights[k + 1] - self.heights[k]);
            let share = |along: f32, squared: f32| (along / squared.max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
            let seen_from_above = share((place - from).dot(way), way.length_squared());
            let across = (from + way * seen_from_above).distance(place);
            if across < nearest {
                (nearest, along) = (across, self.along[k] + seen_from_above * way.length());
            }
            let (line, leg) = ((place - from).extend(-low), way.extend(climb));
            let in_space = share(line.dot(leg), leg.length_squared());
            clearance = clearance.min((line - leg * in_space).length() - sum);
        }
        (nearest < sum).then_some(SideBall { along, radius: other, clearance: clearance.max(0.0), colour })
    }
}

/// The widest and the highest inset, as shares of the free area, and its widest, logical pixels.
const LARGEST: (Vec2, f32) = (Vec2::new(0.42, 0.34), 460.0);

/// The largest radius of a ball in the inset, logical pixels.
const LARGEST_BALL: f32 = 17.0;

/// The room around the drawing, logical pixels: at the sides, above for heights, and below for clearances.
const ROOM: [f32; 3] = [14.0, 24.0, 26.0];

/// The distance of the inset from the edges of the free area, logical pixels.
const EDGE: f32 = 12.0;

/// The height of the badges below the words at the top, such as that of the pace, logical pixels.
const BADGE: f32 = 30.0;

/// The rectangle of the inset in the free area (logical pixels, y down), and its scale, logical pixels per metre. It is
/// in a corner that covers none of `points`, if there is one. `words` are the heights of text at the top and at the
/// bottom.
fn place(side: &SideView, area: Rect, words: [f32; 2], points: &[Vec2]) -> (Rect, f32) {
    let [beside, above, below] = ROOM;
    let room = Vec2::new(2.0 * beside, above + below);
    let most = (area.size() * LARGEST.0).min(Vec2::splat(LARGEST.1)) - room;
    let size = side.size();
    let scale = (most / size).min_element().min(LARGEST_BALL / side.radius).max(1.0);
    let size = size * scale + room;
    let (low, high) = (area.min + EDGE + Vec2::Y * (words[0] + BADGE), area.max - EDGE - Vec2::Y * words[1] - size);
    let corners = [Vec2::new(high.x, low.y), low, high, Vec2::new(low.x, high.y)];
    let rects = corners.map(|corner| Rect::from_corners(corner, corner + size));
    let is_free = |rect: &Rect| !points.iter().any(|point| rect.inflate(EDGE).contains(*point));
    (rects.into_iter().find(is_free).unwrap_or(rects[0]), scale)
}

/// Draws the inset into the free area of the view. `covers` are points of the table (metres) to keep visible.
pub(crate) fn draw(pen: &Pen, view: &View2d, words: [f32; 2], side: &SideView, covers: &[Vec2]) {
    let points: Vec<Vec2> = covers.iter().map(|point| view.to_screen(*point)).collect();
    let (rect, scale) = place(side, view.area, words, &points);
    let (theme, painter) = (pen.theme, pen.painter());
    let whole = pen.points.part(rect);
    painter.rect_filled(whole, pen.points.length(8.0), ink(theme.text.notice));
    // Metres along and up, from the cloth below the start.
    let origin = Vec2::new(rect.min.x + ROOM[0] + side.radius * scale, rect.max.y - ROOM[2]);
    let at = |along: f32, height: f32| pen.points.place(origin + Vec2::new(along, -height) * scale);
    let length = |metres: f32| pen.points.length(metres * scale);
    let pixels = |pixels: f32| pen.points.length(pixels);
    let (first, soft) = (ink(theme.text.first), ink(theme.text.soft));
    let cloth = egui::Rect::from_x_y_ranges(
        whole.min.x + pixels(6.0)..=whole.max.x - pixels(6.0),
        at(0.0, 0.0).y..=at(0.0, 0.0).y + pixels(4.0),
    );
    painter.rect_filled(cloth, 0.0, ink(theme.table.cloth));
    let letters = pen.letters(12.0);
    if let Some(SideCushion { along, height }) = side.cushion {
        let far = whole.max.x - pixels(6.0);
        let nose = [at(along, height), egui::pos2(far, at(0.0, height).y), egui::pos2(far, at(0.0, 0.0).y)];
        let foot = egui::pos2((nose[0].x + pixels(5.0)).min(far), at(0.0, 0.0).y);
        let shape = [nose.as_slice(), &[foot]].concat();
        painter.add(egui::Shape::convex_polygon(shape, ink(theme.table.cushion), egui::Stroke::new(pixels(1.0), soft)));
        if let Some(words) = height_in_words(height) {
            let place = egui::pos2(far, nose[0].y - pixels(3.0));
            painter.text(place, Align2::RIGHT_BOTTOM, words, letters.clone(), soft);
        }
    }
    for ball in &side.balls {
        let is_hit = ball.clearance < TOUCH;
        let (centre, radius) = (at(ball.along, ball.radius), length(ball.radius));
        let fill = ball.colour.map_or(soft.gamma_multiply(0.35), ink);
        painter.circle(centre, radius, fill, egui::Stroke::new(pixels(1.0), soft));
        let colour = if is_hit { ink(theme.aim.strong) } else { first };
        let below = egui::pos2(centre.x, cloth.max.y + pixels(3.0));
        painter.text(below, Align2::CENTER_TOP, clearance_in_words(ball.clearance), letters.clone(), colour);
    }
    let aim = ink(theme.text.accent);
    let bottoms: Vec<egui::Pos2> = side.path.iter().map(|point| at(point.x, point.y)).collect();
    let centres: Vec<egui::Pos2> = side.path.iter().map(|point| at(point.x, point.y + side.radius)).collect();
    painter.line(centres, egui::Stroke::new(pixels(1.8), aim));
    painter.extend(egui::Shape::dashed_line(
        &bottoms,
        egui::Stroke::new(pixels(1.0), aim.gamma_multiply(0.7)),
        pixels(4.0),
        pixels(3.0),
    ));
    painter.circle_filled(at(side.ball.x, side.ball.y + side.radius), length(side.radius), ink(theme.balls.white));
    let tops = side.tops.iter().map(|top| (Vec2::X * top.x * scale, top.y));
    for (top, apex) in readable_tops(tops, LABEL) {
        let along = top.x / scale;
        let stroke = egui::Stroke::new(pixels(1.2), aim.gamma_multiply(0.8));
        painter.circle_stroke(at(along, apex + side.radius), length(side.radius), stroke);
        if let Some(words) = height_in_words(apex) {
            let above = at(along, apex + 2.0 * side.radius) - egui::vec2(0.0, pixels(3.0));
            painter.text(above, Align2::CENTER_BOTTOM, words, letters.clone(), first);
        }
    }
    for landing in &side.landings {
        painter.circle_filled(at(*landing, 0.0), pixels(2.6), aim);
    }
}

/// The distance between heights, logical pixels.
const LABEL: Vec2 = Vec2::new(46.0, 1.0);

/// Balls closer than this touch, metres.
const TOUCH: f32 = 5e-5;

/// A clearance in words: in millimetres, one decimal below a centimetre, or `hit` if there is none.
fn clearance_in_words(clearance: f32) -> String {
    let millimetres = clearance * 1e3;
    let digits = usize::from(millimetres < 9.95);
    if clearance < TOUCH { tr!("hit") } else { format!("{millimetres:.digits$} mm") }
}

/// Draws the side view of the aimed shot, if the ball leaves the cloth.
pub(super) fn show(
    mut contexts: bevy_egui::EguiContexts,
    (aim, preview): (Res<Aim>, Res<Preview>),
    (space, table): (Res<PhysicsSpace>, Option<Res<TablePhysics>>),
    (views, theme, insets): (Views, Res<Theme>, Option<Res<Insets>>),
    looks: Query<(&StableId, Option<&DiscLook>, Has<CueBall>), InPlay>,
) {
    let (Some(shot), Some(seen), Some(table)) = (aim.shot, preview.seen(), table) else { return };
    let Some(disc) = seen.discs.first().filter(|disc| disc.entity == shot.disc) else { return };
    let colour = |disc: Entity| {
        let (id, look, is_cue) = looks.get(disc).ok()?;
        Some(theme.of_disc(DiscColour::of(*id, look, is_cue)))
    };
    let Some(side) = SideView::of_preview(disc, (&space, &table), colour) else { return };
    let view = views.main();
    let Some(pen) = Pen::new(&mut contexts, view, &theme) else { return };
    let covers: Vec<Vec2> = disc.path.iter().map(|(point, _)| *point).collect();
    draw(&pen, view, insets.map_or([0.0; 2], |insets| insets.words()), &side, &covers);
}

#[cfg(test)]
mod tests {
    use super::*;

    const R: f32 = 0.028575;

    /// The speed at which the shots of these tests take off, m/s.
    const UP: f32 = 1.2;

    /// Where they are highest, metres.
    const APEX: Vec2 = Vec2::new(2.0 * UP / 9.81, UP * UP / 19.62);

    /// A shot from the origin along x at 2 m/s, every 120th of a second until it has rolled to 1.2 m.
    fn jump() -> (Vec<(Vec2, f32)>, Vec<f32>) {
        let lands = 2.0 * UP / 9.81;
        let times = (0..100_u8).map(|k| f32::from(k) / 120.0).take_while(|time| *time < lands).chain([lands, 0.6]);
        let height = |time: f32| if time < lands { (UP - 4.905 * time) * time } else { 0.0 };
        times.map(|time| ((Vec2::X * 2.0 * time, time), height(time))).unzip()
    }

    fn side(others: &[Vec2], walls: &[[Vec2; 2]]) -> SideView {
        let (points, heights) = jump();
        let others = others.iter().map(|place| (*place, R, None));
        SideView::of(R, (&points, &heights), others, (walls, 1.27 * R)).unwrap()
    }

    #[test]
    fn a_jump_has_its_arc_its_apex_and_its_landing() {
        let side = side(&[], &[]);
        let [top] = side.tops[..] else { panic!("one arc") };
        assert!((top - APEX).length() < 1e-3, "{top}");
        let [landing] = side.landings[..] else { panic!("one landing") };
        assert!((landing - 2.0 * APEX.x).abs() < 1e-5, "{landing}");
        let end = side.path.last().unwrap();
        assert!((end.x - landing - BEYOND[0] * R).abs() < 1e-5 && end.y == 0.0, "{end}");
        assert!(side.cushion.is_none());
        assert!(side.path.iter().all(|point| point.y <= top.y + 1e-6));
    }

    #[test]
    fn balls_on_the_way_are_passed_with_their_clearance_and_others_are_left_out() {
        let below = Vec2::new(APEX.x, 0.0);
        let landing = Vec2::new(2.0 * APEX.x, 0.0);
        let side = side(&[landing, below, below + Vec2::Y * 2.1 * R, Vec2::new(0.9, 0.0)], &[]);
        let [passed, hit] = side.balls[..] else { panic!("two balls: {:?}", side.balls) };
        // Both balls have the same radius, so from centre to centre it is the height.
        assert!((passed.clearance - (APEX.y - 2.0 * R)).abs() < 2e-4, "{passed:?}");
        assert!((passed.along - APEX.x).abs() < 1e-3);
        assert_eq!(hit.clearance, 0.0, "the shot lands on it");
    }

    #[test]
    fn a_small_ball_is_cleared_by_the_height_above_it() {
        let (points, heights) = jump();
        let small = 0.5 * R;
        let others = [(Vec2::new(APEX.x, 0.0), small, None)];
        let side = SideView::of(R, (&points, &heights), others, (&[], 0.0)).unwrap();
        // At the apex the lowest point of the ball is above the top of the small one.
        let expected = APEX.y - 2.0 * small;
        assert!((side.balls[0].clearance - expected).abs() < 2e-4, "{:?} {expected}", side.balls);
    }

    #[test]
    fn a_cushion_ends_the_view_with_the_edge_of_its_nose() {
        let wall = [Vec2::new(0.3, -1.0), Vec2::new(0.3, 1.0)];
        let side = side(&[], &[wall]);
        let cushion = side.cushion.unwrap();
        // The ball touches at its radius, 0.27 R above its centre.
        let edge = 0.3 - R + R * (1.0_f32 - 0.27 * 0.27).sqrt();
        assert!((cushion.along - edge).abs() < 2e-4 && cushion.height == 1.27 * R, "{cushion:?} {edge}");
        assert!((side.path.last().unwrap().x - (0.3 - R)).abs() < 2e-4);
        assert!(side.landings.is_empty() && side.tops.len() == 1);
    }

    #[test]
    fn a_cushion_that_is_crossed_does_not_end_the_view() {
        let wall = [Vec2::new(APEX.x, -1.0), Vec2::new(APEX.x, 1.0)];
        let (points, heights) = jump();
        let side = SideView::of(R, (&points, &heights), [], (&[wall], 1.27 * R)).unwrap();
        let cushion = side.cushion.unwrap();
        assert!(cushion.along < APEX.x && side.path.last().unwrap().x > 2.0 * APEX.x, "{cushion:?}");
        assert_eq!((side.landings.len(), side.tops.len()), (1, 1));
    }

    #[test]
    fn in_a_replay_the_ball_is_where_it_was() {
        let (points, heights) = jump();
        let space = PhysicsSpace::default();
        let at = |time: f32| SideView::of_recorded(R, (&points, &heights), [], (&space, 1.27 * R), time).unwrap().ball;
        assert_eq!(at(0.0), Vec2::ZERO);
        // Between two ticks the height is on the chord, at most g h²/8 = 0.1 mm below the parabola.
        assert!((at(0.1) - Vec2::new(0.2, 0.1 * UP - 0.04905)).length() < 2e-4, "{}", at(0.1));
        let end = at(9.0);
        assert!(end.y == 0.0 && end.x > 2.0 * APEX.x, "{end}");
    }

    #[test]
    fn a_level_shot_has_no_side_view() {
        let (points, _) = jump();
        let low = vec![5e-4; points.len()];
        for heights in [&[][..], &low] {
            assert_eq!(SideView::of(R, (&points, heights), [], (&[], R)), None);
        }
    }

    #[test]
    fn the_inset_fits_and_leaves_the_path_visible() {
        let side = side(&[], &[]);
        for size in [Vec2::new(1280.0, 800.0), Vec2::new(700.0, 500.0), Vec2::new(390.0, 700.0)] {
            let area = Rect::from_corners(Vec2::ZERO, size);
            let (rect, scale) = place(&side, area, [60.0, 40.0], &[]);
            assert!(area.contains(rect.min) && area.contains(rect.max), "{rect:?} in {size}");
            assert!(rect.min.y >= 60.0 && scale * side.radius <= LARGEST_BALL + 1e-3);
            let taken = [rect.center()];
            let (other, _) = place(&side, area, [60.0, 40.0], &taken);
            assert!(!other.contains(taken[0]), "{other:?}");
        }
    }

    #[test]
    fn clearances_are_said_in_millimetres() {
        assert_eq!([0.0, 0.0012, 0.0099, 0.0123].map(clearance_in_words), ["hit", "1.2 mm", "9.9 mm", "12 mm"]);
    }
}
