//! The text of the coach below the scoreboard: the best shot, or the fault of the last one.

use bevy::prelude::*;
use bevy_egui::egui::{self, Align, Align2, RichText};
use tr::tr;

use super::{
    super::{persons_stroke, words},
    CoachState, Review,
};
use crate::{
    games::{
        bot::{Kind, Level},
        coach::{Coach, Fault, Miss, Thickness, Tip},
        plugin::{CoachSettings, CurrentMatch},
    },
    notice::mark,
    view::{Theme, theme::egui as ink},
};

/// The height reserved for the coach's text, points, so that the table does not move.
const HEIGHT: f32 = 48.0;

/// Shows the best shot, or the fault of the last one, below the scoreboard, which takes `top` points of the area.
/// Returns the height of both.
pub(in crate::hud) fn show(ctx: &egui::Context, area: egui::Rect, top: f32, world: &World) -> f32 {
    let (Some(live), Some(theme)) = (world.get_resource::<CurrentMatch>(), world.get_resource::<Theme>()) else {
        return top;
    };
    if !world.resource::<CoachSettings>().on {
        return top;
    }
    let state = world.resource::<CoachState>();
    let said = match &state.review {
        Some(review) => Some((review_words(live, review), theme.text.first)),
        None => advice_words(live, state).map(|words| (words, theme.text.soft)),
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

/// The advice, or `None` if no person that the coach advises is to shoot.
fn advice_words(live: &CurrentMatch, state: &CoachState) -> Option<String> {
    state.question?;
    if state.looking.is_some() {
        return Some(tr!("The coach is studying the table."));
    }
    let Some(best) = state.tips.first() else { return Some(tr!("The coach has nothing to suggest here.")) };
    let stones = words::plays_stones(live);
    let is_break = !stones && persons_stroke(live).is_some_and(|stroke| stroke.is_break);
    let what = match (best.pot, best.kind) {
        // However it is played.
        _ if is_break => tr!("the break"),
        (Some((ball, pocket)), _) => {
            tr!("{} into the {} pocket", words::ball_of(live, ball), words::pocket_of(live, pocket))
        }
        (None, Kind::Safety) => tr!("a safety"),
        (None, Kind::Kick) => tr!("off a cushion"),
        (None, Kind::Jump) => tr!("a jump"),
        (None, Kind::Break) => tr!("the break"),
        (None, Kind::TakeOut) => tr!("a take-out"),
        (None, _) => tr!("along the line"),
    };
    let best_words = tr!("Best: {}, {}; {}.", what, chance_words(live, best), strike_words(best, stones));
    let likelier = state.tips.iter().any(|tip| tip.chance > best.chance + LIKELIER);
    Some(if likelier {
        format!("{best_words} {}", tr!("Another shot is more likely to succeed, but this one leaves more."))
    } else {
        best_words
    })
}

/// A smaller difference between chances is ignored.
const LIKELIER: f32 = 0.02;

/// The chance of a stroke, with its meaning if that is not obvious.
fn chance_words(live: &CurrentMatch, tip: &Tip) -> String {
    let has_pockets = !live.game().table().built.holes.is_empty();
    let chance = percent(tip.chance);
    match (tip.pot, tip.kind) {
        (None, Kind::Break) if tip.scores && has_pockets => tr!("{} chance of a pot", chance),
        (None, Kind::Break | Kind::Safety | Kind::Jump) if has_pockets => tr!("{} chance of no foul", chance),
        _ => chance,
    }
}

/// Says that the coach is on, and whose chances it gives.
pub(super) fn on_words(coach: &Coach) -> String {
    level_of(coach).map_or_else(
        || tr!("The coach is on"),
        |level| tr!("The coach is on, with chances for the bot ({})", tr!(level)),
    )
}

/// The level with the hand for which chances are judged.
fn level_of(coach: &Coach) -> Option<&'static str> {
    Level::ALL.iter().find(|(_, level)| level.noise == coach.level.noise).map(|&(name, _)| name)
}

/// The tip position: left and right, above and below the centre, each a little, medium and much.
const SIDES: [[&str; 3]; 4] = [
    [mark("a little left side"), mark("left side"), mark("much left side")],
    [mark("a little right side"), mark("right side"), mark("much right side")],
    [mark("a little draw"), mark("draw"), mark("much draw")],
    [mark("a little follow"), mark("follow"), mark("much follow")],
];

/// The largest offsets that count as none, a little, and medium, in radii of the ball.
const TIP: [f64; 3] = [0.05, 0.2, 0.4];

/// A lower elevation of the cue is not mentioned, degrees.
const RAISED: f64 = 10.0;

/// The description of a stroke, such as `2.1 m/s, a little left side`.
fn strike_words(tip: &Tip, stones: bool) -> String {
    let word = |offset: f64, [below, above]: [usize; 2]| {
        let row = SIDES[if offset < 0.0 { below } else { above }];
        let size = offset.abs();
        (size >= TIP[0]).then(|| {
            let words = row[usize::from(size >= TIP[1]) + usize::from(size >= TIP[2])];
            tr!(words)
        })
    };
    let speed = tr!("{} m/s", format!("{:.1}", tip.ball_speed));
    let elevation = tip.strike.elevation.to_degrees();
    let raised = (elevation >= RAISED).then(|| tr!("cue raised {}°", format!("{elevation:.0}")));
    let said = [Some(speed), word(tip.strike.side, [0, 1]), word(tip.strike.top, [2, 3]), raised];
    let said: Vec<String> = said.into_iter().flatten().collect();
    if said.len() == 1 && !stones { tr!("{}, centre of the ball", said[0]) } else { said.join(", ") }
}

/// The fault of a shot, and a better alternative.
fn review_words(live: &CurrentMatch, Review { miss, better }: &Review) -> String {
    let mut sentences = vec![miss_words(live, miss)];
    if let Some(tip) = better.as_ref().filter(|tip| tip.pot == miss.pot) {
        let (how, chance) = (strike_words(tip, words::plays_stones(live)), percent(tip.chance));
        sentences.push(match (tip.pot, tip.leaves) {
            (None, _) => tr!("Try {}: {}.", how, chance),
            (Some(_), Some(leaves)) => {
                tr!("Try {}: a {} chance of the pot, then {} for the next ball.", how, chance, percent(leaves))
            }
            (Some(_), None) => tr!("Try {}: a {} chance of the pot.", how, chance),
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
            tr!("Aiming {}° further right would have scored.", degrees(cue))
        } else {
            tr!("Aiming {}° further left would have scored.", degrees(cue))
        };
    };
    let (ball_name, pocket) = (words::ball_of(live, ball), words::pocket_of(live, pocket));
    match miss.fault {
        Fault::Direction { ball, cue, hit } => {
            let off = degrees(ball);
            let missed = if ball > 0.0 {
                tr!("The {} went {}° too far left for the {} pocket", ball_name, off, pocket)
            } else {
                tr!("The {} went {}° too far right for the {} pocket", ball_name, off, pocket)
            };
            let cue = degrees(cue);
            match hit {
                Some(Thickness::TooThin) => tr!("{}: hit too thin. The aim was {}° off.", missed, cue),
                Some(Thickness::TooThick) => tr!("{}: hit too thick. The aim was {}° off.", missed, cue),
                None => tr!("{}: the aim was {}° off.", missed, cue),
            }
        }
        Fault::Cue(cue) if cue > 0.0 => {
            tr!("Aiming {}° further right pots the {} ({}).", degrees(cue), ball_name, pocket)
        }
        Fault::Cue(cue) => {
            tr!("Aiming {}° further left pots the {} ({}).", degrees(cue), ball_name, pocket)
        }
        Fault::TooSoft { played, needed } => {
            let [played, needed] = [played, needed].map(|speed| format!("{speed:.1}"));
            tr!("The {} was on line but too soft: {} m/s instead of {} m/s.", ball_name, played, needed)
        }
    }
}

/// A displayed chance. No hand is certain, and little is hopeless, so it is between 1 % and 99 %.
pub(super) fn percent(chance: f32) -> String {
    tr!("{} %", (100.0 * chance).round().clamp(1.0, 99.0))
}
