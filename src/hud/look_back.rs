//! The replay of a shot: its keys, and a bar at the bottom in place of the [`prompt`](super::prompt).

use bevy::prelude::*;
use bevy_egui::egui::{self, RichText};
use tr::tr;

use super::{Hud, foot, words};
use crate::{
    games::plugin::{CurrentMatch, Look, LookBack, MatchCommand},
    input::actions::{Control, Inputs, KeyMap, Repeat},
    scene::SceneFile,
    view::{Named, Theme, theme::egui as ink},
};

/// The available replay speeds as fractions of the original, with their labels.
const SPEEDS: [(f32, &str); 4] = [(1.0, "1 ×"), (0.5, "1/2 ×"), (0.25, "1/4 ×"), (0.1, "1/10 ×")];

/// The step of an arrow key, seconds. Fine steps are one tick.
const STEP: f32 = 0.05;
const TICK: f32 = 1.0 / SceneFile::TABLE_TICK_RATE as f32;

/// The next faster or slower speed of the list.
fn neighbour(speed: f32, faster: bool) -> f32 {
    let at = SPEEDS.iter().position(|(each, _)| *each <= speed).unwrap_or(SPEEDS.len() - 1);
    let to = if faster { at.saturating_sub(1) } else { (at + 1).min(SPEEDS.len() - 1) };
    SPEEDS[to].0
}

/// Handles the keys that show and hide the list of shots and the statistics, and that control a replay.
pub(super) fn by_keys(
    mut inputs: Inputs,
    mut hud: ResMut<Hud>,
    (live, time): (Option<Res<CurrentMatch>>, Option<Res<Time<Real>>>),
    mut commands: MessageWriter<MatchCommand>,
    mut steps: Local<Repeat<2>>,
) {
    let Some(live) = live else { return };
    if inputs.started(Control::Shots) {
        hud.shows_shots = !hud.shows_shots;
    }
    if inputs.started(Control::Statistics) {
        hud.shows_statistics = !hud.shows_statistics;
    }
    let seconds = time.map_or(0.0, |time| time.delta_secs());
    let [back, on] = steps.steps(&inputs, [Control::MoveLeft, Control::MoveRight], seconds);
    let Some(now) = live.look_back() else {
        // Cancel closes the topmost page first.
        if hud.shows_statistics && inputs.take(Control::Cancel) {
            hud.shows_statistics = false;
        } else if hud.shows_shots && inputs.take(Control::Cancel) {
            hud.shows_shots = false;
        }
        return;
    };
    let mut ask = |look| _ = commands.write(MatchCommand::Look(look));
    // These controls have no other effect meanwhile.
    let [cancel, pause, step, slower, faster, restart, next, previous] = [
        Control::Cancel,
        Control::Pause,
        Control::Step,
        Control::HalfSpeed,
        Control::DoubleSpeed,
        Control::Restart,
        Control::NextScene,
        Control::PreviousScene,
    ]
    .map(|control| inputs.take(control));
    if cancel {
        ask(Look::Present);
        return;
    }
    if pause {
        ask(Look::Play(!now.is_playing()));
    }
    if slower || faster {
        ask(Look::Speed(neighbour(now.speed(), faster)));
    }
    if restart {
        ask(Look::Seek(0.0));
        ask(Look::Play(true));
    }
    let by_ticks = inputs.held(Control::FineSteps);
    let way = (on - back) * if by_ticks { TICK } else { STEP } + if step { TICK } else { 0.0 };
    if way != 0.0 {
        ask(Look::Play(false));
        ask(Look::Seek(now.time() + way));
    }
    let count = live.game().shots().len();
    if next && now.shot() + 1 < count {
        ask(Look::Shot(now.shot() + 1));
    }
    if previous && now.shot() > 0 {
        ask(Look::Shot(now.shot() - 1));
    }
}

/// Shows the bar within a part of the window, points, during a replay. Returns whether there is one.
pub(super) fn show(ctx: &egui::Context, area: egui::Rect, world: &mut World) -> bool {
    let asked = {
        let world = &*world;
        let (Some(live), Some(theme)) = (world.get_resource::<CurrentMatch>(), world.get_resource::<Theme>()) else {
            return false;
        };
        let Some(now) = live.look_back() else { return false };
        let keys = world.resource::<KeyMap>();
        foot(ctx, "look back", area, theme, |ui, width| bar(ui, width, (live, now), (theme, keys)))
    };
    for look in asked {
        world.write_message(MatchCommand::Look(look));
    }
    true
}

fn bar(
    ui: &mut egui::Ui,
    width: f32,
    (live, now): (&CurrentMatch, &LookBack),
    (theme, keys): (&Theme, &KeyMap),
) -> Vec<Look> {
    let mut asked = Vec::new();
    ui.set_width(width);
    let shots = live.game().shots();
    if let Some(shot) = shots.get(now.shot()) {
        let place = tr!("Shot {} of {}", now.shot() + 1, shots.len());
        let words = format!("{place} · {} · {}", words::player(live, shot.player), words::shot(live, shot));
        let text = RichText::new(words).color(ink(theme.text.first)).size(14.0);
        ui.add(egui::Label::new(text).truncate().selectable(false));
    }
    let seconds = now.film().seconds();
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 5.0;
        let button = |ui: &mut egui::Ui, sign: &str, name: String, control: Control, works: bool| {
            let tip = keys.tip(&name, control);
            ui.add_enabled(works, egui::Button::new(sign)).named(name).on_hover_text(tip).clicked()
        };
        if button(ui, "◀", tr!("Previous shot"), Control::PreviousScene, now.shot() > 0) {
            asked.push(Look::Shot(now.shot() - 1));
        }
        let (sign, word) = if now.is_playing() { ("⏸", tr!("Pause")) } else { ("▶", tr!("Resume")) };
        if button(ui, sign, word, Control::Pause, seconds > 0.0) {
            asked.push(Look::Play(!now.is_playing()));
        }
        if button(ui, "▶▶", tr!("Next shot"), Control::NextScene, now.shot() + 1 < shots.len()) {
            asked.push(Look::Shot(now.shot() + 1));
        }
        let (mut speed, written) = (now.speed(), |speed: f32| {
            SPEEDS.iter().find(|(each, _)| *each == speed).map_or_else(|| format!("{speed:.2} ×"), |s| s.1.to_owned())
        });
        let chooser = egui::ComboBox::from_id_salt("speed of the shot").width(58.0).selected_text(written(speed));
        let chosen = chooser.show_ui(ui, |ui| {
            for (each, words) in SPEEDS {
                ui.selectable_value(&mut speed, each, words);
            }
        });
        let tip = keys.tip(&tr!("Playback speed of the shot"), Control::HalfSpeed);
        chosen.response.named(tr!("Playback speed")).on_hover_text(tip);
        if speed != now.speed() {
            asked.push(Look::Speed(speed));
        }
        let back = tr!("Back to the match");
        let tip = keys.tip(&tr!("Continues the match where it stands"), Control::Cancel);
        let galley = ui.painter().layout_no_wrap(back.clone(), egui::FontId::proportional(14.0), egui::Color32::WHITE);
        let is_narrow = ui.available_width() < galley.size().x + 150.0;
        let back_width = if is_narrow { 24.0 } else { galley.size().x + 24.0 };
        let mut time = now.time();
        ui.spacing_mut().slider_width = (ui.available_width() - back_width - 74.0).max(20.0);
        // Only the text is rounded. Rounding the value would change the time.
        let slider = egui::Slider::new(&mut time, 0.0..=seconds.max(TICK)).suffix(" s");
        let slider = slider.custom_formatter(|time, _| format!("{time:.2}"));
        let slider = ui.add_enabled(seconds > 0.0, slider).named(tr!("Time in the shot"));
        if slider.on_hover_text(keys.tip(&tr!("The moment shown"), Control::MoveRight)).changed() {
            asked.extend([Look::Play(false), Look::Seek(time)]);
        }
        let button = egui::Button::new(if is_narrow { "✖" } else { &back });
        if ui.add(button).named(&back).on_hover_text(tip).clicked() {
            asked.push(Look::Present);
        }
    });
    asked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_go_up_and_down_and_stay_in_the_list() {
        assert_eq!([neighbour(1.0, true), neighbour(1.0, false)], [1.0, 0.5]);
        assert_eq!([neighbour(0.25, true), neighbour(0.25, false)], [0.5, 0.1]);
        assert_eq!([neighbour(0.1, true), neighbour(0.1, false)], [0.25, 0.1]);
    }
}
