//! The coach: the best shots of the person whose turn it is, faintly on the table with their chances; after a miss what was wrong with it; and what a bot considers.
//! All of it is thought of on Bevy's tasks, in slices, and dropped when the position changes.

use bevy::{
    prelude::*,
    tasks::{AsyncComputeTaskPool, Task as Thought, futures::check_ready, futures_lite::future::yield_now},
};
use bevy_egui::egui::{self, Align, Align2, FontId, LayerId, RichText};
use tr::tr;

use super::{Hud, persons_stroke, words};
use crate::{
    billiards::cue::Strike,
    disc::{InPlay, Position as DiscPosition},
    games::{
        Action, BallId, Call, PocketId, Simulator,
        bot::{Idea, Kind, Level, Position},
        coach::{Coach, Contact, Fault, Miss, Sketch, Tip, as_it_lies, missed, sketch},
        plugin::{CoachSettings, CurrentMatch, GameBall, MatchEvent, Stage},
    },
    input::actions::{Control, Inputs},
    scene::Notices,
    view::{Canvas, Layer, Picture, Points, Theme, View2d, language::mark, main_view, theme::egui as ink},
};

/// How many shots are simulated until other tasks have their turn.
const SLICE: u32 = 64;

/// So many ideas of a bot are drawn at most.
const IDEAS: usize = 8;

/// What the coach has in mind.
#[derive(Resource, Debug, Default)]
pub(super) struct CoachState {
    /// What the tips are for, or will be.
    question: Option<Question>,
    looking: Option<Thought<Vec<Tip>>>,
    tips: Vec<Tip>,
    /// The position in which a person has played the shot that rolls, with what was advised there.
    before: Option<(Position, Vec<Tip>)>,
    reviewing: Option<Thought<Option<Review>>>,
    review: Option<Review>,
    /// The ideas of the bot that are drawn, or will be.
    ideas: Vec<Idea>,
    sketching: Option<Thought<Vec<Sketch>>>,
    sketches: Vec<Sketch>,
}

/// A position that tips are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Question {
    state: u64,
    actions: usize,
    /// Whether the ball in hand is being placed, so that a place for it is part of the answer.
    is_placing: bool,
}

/// What there is to say of a shot that was played.
#[derive(Clone, Debug, PartialEq)]
struct Review {
    miss: Miss,
    /// A stroke that would have made the same pot, if one is known.
    better: Option<Tip>,
}

impl CoachState {
    /// The best strokes of the person whose turn it is, the best first.
    #[cfg(test)]
    pub(super) fn tips(&self) -> &[Tip] {
        &self.tips
    }

    /// The lines of what the bot at the table considers, the best first.
    #[cfg(test)]
    pub(super) fn sketches(&self) -> &[Sketch] {
        &self.sketches
    }

    /// Whether there is something to say of the last shot.
    #[cfg(test)]
    pub(super) fn has_review(&self) -> bool {
        self.review.is_some()
    }

    fn forget_tips(&mut self) {
        (self.question, self.looking) = (None, None);
        self.tips.clear();
    }

    fn forget_shot(&mut self) {
        (self.before, self.reviewing, self.review) = (None, None, None);
    }

    fn forget_ideas(&mut self) {
        self.sketching = None;
        self.ideas.clear();
        self.sketches.clear();
    }
}

/// Switches it on and off by keys.
pub(super) fn switch(
    inputs: Inputs,
    live: Option<Res<CurrentMatch>>,
    mut settings: ResMut<CoachSettings>,
    mut notices: Option<ResMut<Notices>>,
) {
    if live.is_none() {
        return;
    }
    let mut tell = |words: String| {
        if let Some(notices) = &mut notices {
            notices.info(words);
        }
    };
    if inputs.started(Control::Coach) {
        settings.on = !settings.on;
        tell(if settings.on { tr!("The coach shows the best shots") } else { tr!("No coach") });
    }
    if inputs.started(Control::BotIdeas) {
        settings.ideas = !settings.ideas;
        tell(if settings.ideas { tr!("What bots consider is drawn") } else { tr!("What bots consider is not drawn") });
    }
}

/// Takes note of the shots of people.
pub(super) fn hear(
    mut events: MessageReader<MatchEvent>,
    mut state: ResMut<CoachState>,
    (live, settings, coach): (Option<Res<CurrentMatch>>, Res<CoachSettings>, Res<Coach>),
) {
    for event in events.read() {
        match event {
            MatchEvent::Struck(player) => {
                state.forget_shot();
                let live = live.as_ref().filter(|live| {
                    settings.on && live.seat(*player).is_person() && matches!(live.stage(), Stage::Rolling(_))
                });
                // While it rolls the match is still as it was.
                state.before = live.map(|live| (as_it_lies(live.game().position()), std::mem::take(&mut state.tips)));
                state.forget_tips();
            }
            MatchEvent::Done(Action::Shoot { call, strike }, _) => {
                if let Some((position, tips)) = state.before.take() {
                    let thought = review(*coach, position, tips, (*call, *strike));
                    state.reviewing = Some(AsyncComputeTaskPool::get().spawn(thought));
                }
            }
            MatchEvent::Begun | MatchEvent::Left | MatchEvent::Done(Action::TakeBack, _) => state.forget_shot(),
            _ => {}
        }
    }
}

async fn review(coach: Coach, position: Position, tips: Vec<Tip>, (call, strike): (Call, Strike)) -> Option<Review> {
    let miss = missed(&position, call, &strike)?;
    let Some(pot) = miss.pot else { return Some(Review { miss, better: tips.into_iter().next() }) };
    let known = tips.into_iter().find(|tip| tip.pot == Some(pot));
    let better = match known {
        Some(tip) => Some(tip),
        None => look(coach, position, Some(pot)).await.into_iter().next(),
    };
    Some(Review { miss, better })
}

/// Looks at a position in slices.
async fn look(coach: Coach, position: Position, only: Option<(BallId, PocketId)>) -> Vec<Tip> {
    let mut look = coach.look(position, only);
    loop {
        if let Some(tips) = look.go_on(SLICE) {
            return tips;
        }
        yield_now().await;
    }
}

/// Looks for the best shots while a person is to play, and takes in what was found.
pub(super) fn advise(
    mut state: ResMut<CoachState>,
    live: Option<Res<CurrentMatch>>,
    (hud, settings, coach): (Res<Hud>, Res<CoachSettings>, Res<Coach>),
) {
    let state = state.bypass_change_detection();
    if !settings.on {
        state.forget_shot();
    }
    if let Some(found) = state.reviewing.as_mut().and_then(check_ready) {
        (state.reviewing, state.review) = (None, found);
    }
    let Some(live) = live.filter(|live| settings.on && persons_stroke(live).is_some()) else {
        if state.question.is_some() {
            state.forget_tips();
        }
        return;
    };
    let game = live.game();
    let question = Question { state: game.hash(), actions: game.log().len(), is_placing: hud.placing };
    if state.question != Some(question) || coach.is_changed() {
        state.forget_tips();
        let position = game.position();
        let position = if hud.placing { position } else { as_it_lies(position) };
        state.question = Some(question);
        state.looking = Some(AsyncComputeTaskPool::get().spawn(look(*coach, position, None)));
    } else if let Some(tips) = state.looking.as_mut().and_then(check_ready) {
        (state.looking, state.tips) = (None, tips);
    }
}

/// Draws up what the bot considers that is at the table.
pub(super) fn consider(
    mut state: ResMut<CoachState>,
    (live, settings): (Option<Res<CurrentMatch>>, Res<CoachSettings>),
) {
    let state = state.bypass_change_detection();
    let live = live.filter(|live| settings.ideas && matches!(live.stage(), Stage::Thinking(_) | Stage::Acting(_)));
    let Some((live, player)) = live.and_then(|live| live.game().turn().map(|turn| turn.0).map(|player| (live, player)))
    else {
        if !(state.ideas.is_empty() && state.sketching.is_none()) {
            state.forget_ideas();
        }
        return;
    };
    if let Some(thought) = &mut state.sketching {
        if let Some(sketches) = check_ready(thought) {
            (state.sketching, state.sketches) = (None, sketches);
        }
        return;
    }
    let mut ideas = live.seat(player).ideas();
    // Stable: when it has decided the first is the one.
    ideas.sort_by(|a, b| b.value.total_cmp(&a.value));
    ideas.truncate(IDEAS);
    if ideas == state.ideas {
        return;
    }
    state.ideas.clone_from(&ideas);
    let position = live.game().position();
    state.sketching = Some(AsyncComputeTaskPool::get().spawn(async move {
        let mut simulator = Simulator::new(position.table.clone());
        let mut sketches = Vec::new();
        for idea in &ideas {
            sketches.extend(sketch(&mut simulator, &position, idea));
            yield_now().await;
        }
        sketches
    }));
}

/// How strong the lines of the best shot are drawn, of the others, and of what a bot considers besides, from 0 to 1.
const BEST: f32 = 0.85;
const OTHERS: f32 = 0.42;
const CONSIDERED: f32 = 0.26;

/// Draws the shots below the balls.
pub(super) fn draw(
    mut canvas: ResMut<Canvas>,
    (state, live, hud): (Res<CoachState>, Option<Res<CurrentMatch>>, Res<Hud>),
    (picture, theme): (Res<Picture>, Res<Theme>),
) {
    let Some(live) = live.filter(|live| live.look_back().is_none()) else { return };
    let radius = live.game().table().ball_radius();
    // The best comes last, on top.
    for (place, tip) in state.tips.iter().enumerate().rev() {
        let strength = if place == 0 { BEST } else { OTHERS };
        draw_sketch(&mut canvas, &picture, &theme, (&tip.sketch, radius, strength));
        if hud.placing {
            let colour = theme.marks.selected.with_alpha(strength);
            canvas.disc(Layer::Trail, tip.from, radius, colour.with_alpha(0.3 * strength));
            canvas.ring(Layer::Trail, tip.from, radius, picture.px(1.6), colour);
        }
    }
    let has_decided = matches!(live.stage(), Stage::Acting(_));
    for (place, sketch) in state.sketches.iter().enumerate().rev() {
        let strength = if place == 0 && has_decided { BEST } else { CONSIDERED };
        draw_sketch(&mut canvas, &picture, &theme, (sketch, radius, strength));
    }
}

fn draw_sketch(canvas: &mut Canvas, picture: &Picture, theme: &Theme, (sketch, radius, strength): (&Sketch, f32, f32)) {
    let colour = theme.aim.on_cloth.with_alpha(strength * theme.aim.on_cloth.alpha);
    let width = picture.px(if strength > 0.6 { 2.0 } else { 1.5 });
    let mut way = |points: &[Vec2]| dashed(canvas, points, (width, picture.px(7.0)), colour);
    way(&sketch.cue);
    sketch.balls.iter().for_each(|(_, points)| way(points));
    if let Some(ghost) = sketch.ghost {
        canvas.disc(Layer::Trail, ghost, radius, colour.with_alpha(0.22 * strength));
        canvas.ring(Layer::Trail, ghost, radius, width, colour);
    }
    if let Some(rests) = sketch.rests {
        canvas.ring(Layer::Trail, rests, 0.5 * radius, width, colour);
    }
}

/// A dashed line along points, whose dashes go on round the corners; drawn whole and fainter where there would be very many of them.
fn dashed(canvas: &mut Canvas, points: &[Vec2], (width, dash): (f32, f32), colour: Srgba) {
    let length: f32 = points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    if !(length / dash <= MOST_DASHES) {
        canvas.polyline(Layer::Trail, points, false, width, colour.with_alpha(0.5 * colour.alpha));
        return;
    }
    // How far a dash has been drawn, or below 0 how much is still left out.
    let mut drawn = 0.0;
    for pair in points.windows(2) {
        let (along, length) = ((pair[1] - pair[0]).normalize_or_zero(), pair[0].distance(pair[1]));
        let mut at = 0.0;
        while at < length {
            let step = (if drawn < 0.0 { -drawn } else { dash - drawn }).max(1e-6).min(length - at);
            if drawn >= 0.0 {
                canvas.line(Layer::Trail, pair[0] + along * at, pair[0] + along * (at + step), width, colour);
            }
            at += step;
            drawn += step;
            if drawn >= dash {
                drawn = -dash;
            } else if drawn.abs() < 1e-6 {
                drawn = 0.0;
            }
        }
    }
}

/// Lines of more dashes are drawn whole.
const MOST_DASHES: f32 = 800.0;

/// The size of the letters on the table, logical pixels, and how far they stay off balls.
const LETTERS: f32 = 13.0;
const CLEAR: f32 = 4.0;

/// Writes the chance of each tip beside its line, clear of the balls.
pub(super) fn write(ctx: &egui::Context, world: &mut World) {
    let state = world.resource::<CoachState>();
    // While a shot is looked at again the balls lie elsewhere.
    let looks_back = world.get_resource::<CurrentMatch>().is_none_or(|live| live.look_back().is_some());
    if state.tips.is_empty() || looks_back {
        return;
    }
    let tips: Vec<(Vec<Vec2>, String)> =
        state.tips.iter().map(|tip| (spine(&tip.sketch), percent(tip.chance))).collect();
    let mut balls = world.query_filtered::<&DiscPosition, (With<GameBall>, InPlay)>();
    let balls: Vec<Vec2> = balls.iter(world).map(|position| position.0).collect();
    let radius = world.get_resource::<CurrentMatch>().map_or(0.0, |live| live.game().table().ball_radius());
    let Some(view) = main_view(world).map(|view| view.clone()) else { return };
    let Some(theme) = world.get_resource::<Theme>() else { return };
    let points = Points::of(ctx);
    let painter = ctx.layer_painter(LayerId::background()).with_clip_rect(points.part(view.area));
    let mut taken: Vec<Rect> = Vec::new();
    for (place, (spine, text)) in tips.iter().enumerate() {
        let colour = if place == 0 { theme.text.accent } else { theme.text.first };
        let galley = painter.layout_no_wrap(text.clone(), FontId::proportional(points.length(LETTERS)), ink(colour));
        let half =
            points.pixels(egui::Rect::from_min_size(egui::Pos2::ZERO, galley.size())).size() / 2.0 + vec2(5.0, 1.0);
        let Some(at) = label_place(spine, half, &view, (&balls, radius), &taken) else { continue };
        let rect = Rect::from_center_half_size(at, half);
        taken.push(rect);
        let part = points.part(rect);
        painter.rect_filled(part, points.length(6.0), ink(theme.text.notice.with_alpha(0.8)));
        painter.galley(part.center() - galley.size() / 2.0, galley, ink(colour));
    }
}

/// The line that a chance is written beside: that of the ball that is to be potted, or else that of the cue ball.
fn spine(sketch: &Sketch) -> Vec<Vec2> {
    sketch.balls.last().map_or_else(|| sketch.cue.clone(), |(_, way)| way.clone())
}

/// Where the middle of words of this half size can stand beside a line, logical pixels: as near to its middle as they are clear of balls and of other words.
fn label_place(
    spine: &[Vec2],
    half: Vec2,
    view: &View2d,
    (balls, radius): (&[Vec2], f32),
    taken: &[Rect],
) -> Option<Vec2> {
    let (from, to) = (view.to_screen(*spine.first()?), view.to_screen(*spine.last()?));
    let aside = (to - from).normalize_or_zero().perp();
    let reach = radius * view.pixels_per_metre + CLEAR;
    let out = half.dot(aside.abs()) + CLEAR;
    let shares = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9];
    let places = shares.into_iter().flat_map(|share| [1.0, -1.0, 2.2, -2.2].map(|side| (share, side)));
    let mut places = places.map(|(share, side)| from.lerp(to, share) + aside * (side * out));
    places.find(|&at| {
        let rect = Rect::from_center_half_size(at, half);
        let is_off = |ball: &Vec2| {
            let ball = view.to_screen(*ball);
            ball.distance(ball.clamp(rect.min, rect.max)) >= reach
        };
        view.area.contains(rect.min)
            && view.area.contains(rect.max)
            && balls.iter().all(is_off)
            && taken.iter().all(|other| other.inflate(2.0).intersect(rect).is_empty())
    })
}

/// A chance as people read it. No hand is certain, and little is hopeless.
fn percent(chance: f32) -> String {
    tr!("{} %", (100.0 * chance).round().clamp(1.0, 99.0))
}

/// How much of the area is kept free for what the coach says, so that the table stays where it is: points.
const HEIGHT: f32 = 48.0;

/// Says what the best shot is, or what was wrong with the last one, below the scoreboard, which takes `top` points of the area; returns how much both take.
pub(super) fn show(ctx: &egui::Context, area: egui::Rect, top: f32, world: &World) -> f32 {
    let (Some(live), Some(theme)) = (world.get_resource::<CurrentMatch>(), world.get_resource::<Theme>()) else {
        return top;
    };
    if !world.resource::<CoachSettings>().on {
        return top;
    }
    let (state, coach) = (world.resource::<CoachState>(), world.resource::<Coach>());
    let said = match &state.review {
        Some(review) => Some((review_words(live, review), theme.text.first)),
        None => advice_words(live, state, coach).map(|words| (words, theme.text.soft)),
    };
    if let Some((said, colour)) = said {
        let width = (area.width() - 40.0).clamp(120.0, 900.0);
        egui::Area::new("coach".into())
            .fixed_pos(egui::pos2(area.center().x, area.min.y + top))
            .pivot(Align2::CENTER_TOP)
            .order(egui::Order::Middle)
            .interactable(false)
            .constrain(false)
            .show(ctx, |ui| {
                let frame = egui::Frame::new().fill(ink(theme.text.notice)).corner_radius(10);
                frame.inner_margin(egui::Margin::symmetric(12, 4)).show(ui, |ui| {
                    ui.set_max_width(width);
                    let text = RichText::new(said).color(ink(colour)).size(13.0);
                    ui.add(egui::Label::new(text).wrap().halign(Align::Center).selectable(false));
                });
            });
    }
    top + HEIGHT
}

/// What the coach advises; none while nobody is to shoot whom it advises.
fn advice_words(live: &CurrentMatch, state: &CoachState, coach: &Coach) -> Option<String> {
    state.question?;
    if state.looking.is_some() {
        return Some(tr!("The coach looks at the table."));
    }
    let Some(best) = state.tips.first() else { return Some(tr!("The coach has nothing to suggest here.")) };
    let what = match (best.pot, best.kind) {
        (Some((ball, pocket)), _) => {
            tr!("{} into the pocket {}", words::ball_of(live, ball), words::pocket_of(live, pocket))
        }
        (None, Kind::Safety) => tr!("a safety"),
        (None, Kind::Kick) => tr!("by way of a cushion"),
        (None, Kind::Break) => tr!("the break"),
        (None, Kind::TakeOut) => tr!("a take-out"),
        (None, _) => tr!("along the line"),
    };
    let how = strike_words(best);
    let said = match level_of(coach) {
        Some(level) => tr!(
            "Best: {}, {}; {}. Chances of a hand as that of the bot ({}).",
            what,
            percent(best.chance),
            how,
            tr!(level)
        ),
        None => tr!("Best: {}, {}; {}.", what, percent(best.chance), how),
    };
    Some(said)
}

/// The level that has the hand that chances are judged for.
fn level_of(coach: &Coach) -> Option<&'static str> {
    Level::ALL.iter().find(|(_, level)| level.noise == coach.level.noise).map(|&(name, _)| name)
}

/// Where the tip hits: to the left and right, above and below the middle, by little, some and much.
const SIDES: [[&str; 3]; 4] = [
    [mark("a little left side"), mark("left side"), mark("much left side")],
    [mark("a little right side"), mark("right side"), mark("much right side")],
    [mark("a little draw"), mark("draw"), mark("much draw")],
    [mark("a little follow"), mark("follow"), mark("much follow")],
];

/// What is no side, what is a little, and what is no more than some, in radii of the ball.
const TIP: [f64; 3] = [0.05, 0.2, 0.4];

/// How a stroke is played, such as `2.1 m/s, a little left side`.
fn strike_words(tip: &Tip) -> String {
    let word = |offset: f64, [below, above]: [usize; 2]| {
        let row = SIDES[if offset < 0.0 { below } else { above }];
        let size = offset.abs();
        (size >= TIP[0]).then(|| {
            let words = row[usize::from(size >= TIP[1]) + usize::from(size >= TIP[2])];
            tr!(words)
        })
    };
    let speed = tr!("{} m/s", format!("{:.1}", tip.ball_speed));
    let said = [Some(speed), word(tip.strike.side, [0, 1]), word(tip.strike.top, [2, 3])];
    let said: Vec<String> = said.into_iter().flatten().collect();
    if said.len() == 1 { tr!("{}, the middle of the ball", said[0]) } else { said.join(", ") }
}

/// What was wrong with a shot, and what would have been better.
fn review_words(live: &CurrentMatch, Review { miss, better }: &Review) -> String {
    let mut sentences = vec![miss_words(live, miss)];
    if let Some(tip) = better.as_ref().filter(|tip| tip.pot == miss.pot) {
        let (how, chance) = (strike_words(tip), percent(tip.chance));
        sentences.push(match (tip.pot, tip.leaves) {
            (None, _) => tr!("Try {}: {}.", how, chance),
            (Some(_), Some(leaves)) => {
                tr!("Try {}: that pots it with {} and leaves the next ball with {}.", how, chance, percent(leaves))
            }
            (Some(_), None) => tr!("Try {}: that pots it with {}.", how, chance),
        });
    }
    sentences.join(" ")
}

fn miss_words(live: &CurrentMatch, miss: &Miss) -> String {
    let degrees = |angle: f32| {
        let angle = angle.abs();
        if angle < 0.995 { format!("{:.2}", angle.max(0.01)) } else { format!("{angle:.1}") }
    };
    let Some((ball, pocket)) = miss.pot else {
        let Fault::Cue(cue) = miss.fault else { return String::new() };
        return if cue > 0.0 {
            tr!("With the cue {}° farther to the right it would have been a point.", degrees(cue))
        } else {
            tr!("With the cue {}° farther to the left it would have been a point.", degrees(cue))
        };
    };
    let (ball_name, pocket) = (words::ball_of(live, ball), words::pocket_of(live, pocket));
    match miss.fault {
        Fault::Direction { ball, cue, hit } => {
            let off = degrees(ball);
            let missed = if ball > 0.0 {
                tr!("The {} went {}° too far to the left for the pocket {}", ball_name, off, pocket)
            } else {
                tr!("The {} went {}° too far to the right for the pocket {}", ball_name, off, pocket)
            };
            let cue = degrees(cue);
            match hit {
                Some(Contact::TooThin) => tr!("{}: hit too thin, by {}° of the cue.", missed, cue),
                Some(Contact::TooThick) => tr!("{}: hit too thick, by {}° of the cue.", missed, cue),
                None => tr!("{}, by {}° of the cue.", missed, cue),
            }
        }
        Fault::Cue(cue) if cue > 0.0 => {
            tr!("With the cue {}° farther to the right the {} falls ({}).", degrees(cue), ball_name, pocket)
        }
        Fault::Cue(cue) => {
            tr!("With the cue {}° farther to the left the {} falls ({}).", degrees(cue), ball_name, pocket)
        }
        Fault::TooSoft { played, needed } => {
            let [played, needed] = [played, needed].map(|speed| format!("{speed:.1}"));
            tr!("The {} was on its way and too soft: {} m/s instead of {} m/s.", ball_name, played, needed)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_written_clear_of_balls_and_of_each_other() {
        let mut view = View2d::default();
        view.pixels_per_metre = 400.0;
        view.set_frame(Rect::new(0.0, 0.0, 1200.0, 700.0));
        let (radius, half) = (0.028, vec2(18.0, 9.0));
        let spine = [vec2(0.0, 0.0), vec2(0.6, 0.1)];
        let balls: Vec<Vec2> = (0..8).map(|k| vec2(0.08 * k as f32, 0.07)).collect();
        let mut taken: Vec<Rect> = Vec::new();
        for _ in 0..4 {
            let at = label_place(&spine, half, &view, (&balls, radius), &taken).expect("there is room");
            let rect = Rect::from_center_half_size(at, half);
            for ball in &balls {
                let ball = view.to_screen(*ball);
                assert!(ball.distance(ball.clamp(rect.min, rect.max)) >= radius * 400.0);
            }
            assert!(taken.iter().all(|other| other.intersect(rect).is_empty()));
            taken.push(rect);
        }
    }

    #[test]
    fn a_dashed_line_is_half_drawn_and_goes_on_round_corners() {
        let mut canvas = Canvas::default();
        let points: Vec<Vec2> = (0..=100).map(|k| Vec2::new(0.01 * k as f32, 0.0)).collect();
        dashed(&mut canvas, &points, (0.001, 0.05), Srgba::WHITE);
        // Ten dashes of five centimetres, each of five or six pieces.
        assert!((50..=60).contains(&canvas.len()), "{}", canvas.len());
        let whole = canvas.len();
        dashed(&mut canvas, &points, (0.001, 1e-5), Srgba::WHITE);
        assert_eq!(canvas.len(), whole + 100, "too many dashes are none");
    }
}
