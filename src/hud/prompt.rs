//! The current task at the bottom of the view, with its buttons.

use std::ops::Range;

use bevy::prelude::*;
use bevy_egui::egui::{self, Align, RichText};
use tr::tr;

use super::{Hud, Offer, REFUSAL_SECONDS, StartPage, call::declare, foot, offers, persons_stroke, remarks, words};
use crate::{
    games::{
        Action, CueKind,
        plugin::{CoachSettings, CurrentMatch, MatchCommand, Phase},
    },
    input::{
        PointingDevice,
        actions::{Control, Inputs, KeyMap},
    },
    view::{Theme, theme::egui as ink},
};

/// The height reserved for it, points, so that the table does not move when the text changes.
pub(super) const HEIGHT: f32 = 78.0;

/// A pressed button.
enum Pressed {
    Offer(Offer),
    Command(MatchCommand),
    Declare(bool, bool),
    Place(bool),
    Shots,
    Coach(CoachSettings),
}

/// Shows it within a part of the window, points. Returns the height reserved at the bottom.
pub(super) fn show(ctx: &egui::Context, area: egui::Rect, world: &mut World) -> f32 {
    let now = world.get_resource::<Time<Real>>().map_or(0.0, Time::elapsed_secs);
    let pressed = {
        let world = &*world;
        let (Some(live), Some(theme)) = (world.get_resource::<CurrentMatch>(), world.get_resource::<Theme>()) else {
            return 0.0;
        };
        let (hud, keys) = (world.resource::<Hud>(), world.resource::<KeyMap>());
        let (coach, device) = (*world.resource::<CoachSettings>(), *world.resource::<PointingDevice>());
        // While the balls roll there is nothing to say.
        let watches = matches!(live.phase(), Phase::Rolling(_) | Phase::Review(_)) && offers::of(live, hud).is_empty();
        if watches && hud.refusal.as_ref().is_none_or(|(_, since)| now - since >= REFUSAL_SECONDS) {
            return HEIGHT;
        }
        foot(ctx, "prompt", area, theme, |ui, width| content(ui, width, (live, hud, coach), (theme, keys, device, now)))
    };
    if world.resource::<Hud>().to_buttons {
        world.resource_mut::<Hud>().to_buttons = false;
    }
    match pressed {
        Some(Pressed::Command(command)) => {
            world.write_message(command);
        }
        Some(Pressed::Declare(safety, push_out)) => declare(&mut world.resource_mut::<Hud>(), safety, push_out),
        Some(Pressed::Place(placing)) => place(world, placing),
        Some(Pressed::Shots) => {
            let mut hud = world.resource_mut::<Hud>();
            hud.shows_shots = !hud.shows_shots;
        }
        Some(Pressed::Offer(offer)) => offers::take(world, offer),
        Some(Pressed::Coach(settings)) => *world.resource_mut::<CoachSettings>() = settings,
        None => {}
    }
    HEIGHT
}

/// Moves the focus of keyboard and gamepad to the buttons.
pub(super) fn lead(
    mut hud: ResMut<Hud>,
    mut inputs: Inputs,
    (live, page): (Option<Res<CurrentMatch>>, Option<Res<StartPage>>),
) {
    if live.is_some() && !page.is_some_and(|page| page.open) && inputs.take(Control::ToButtons) {
        hud.to_buttons = true;
    }
}

/// Picks up the ball in hand, or places it.
fn place(world: &mut World, placing: bool) {
    let live = world.resource::<CurrentMatch>();
    let ball = persons_stroke(live).and_then(|stroke| live.entity_of(stroke.cue_ball));
    world.resource_mut::<Hud>().placing = placing;
    if let (false, Some(place)) =
        (placing, ball.and_then(|ball| world.get::<crate::components::Position>(ball)).copied())
    {
        world.write_message(MatchCommand::Act(Action::Place(place.0)));
    }
}

fn content(
    ui: &mut egui::Ui,
    width: f32,
    (live, hud, coach): (&CurrentMatch, &Hud, CoachSettings),
    (theme, keys, device, now): (&Theme, &KeyMap, PointingDevice, f32),
) -> Option<Pressed> {
    ui.set_max_width(width);
    let mut pressed = None;
    ui.with_layout(egui::Layout::top_down(Align::Center), |ui| {
        let refusal = hud.refusal.as_ref().filter(|(_, since)| now - since < REFUSAL_SECONDS);
        let names = (device == PointingDevice::Mouse).then(|| words::Keys {
            put_down: keys.short(Control::FinishShape).unwrap_or_default(),
            set_up: keys.short(Control::SetUpShot).unwrap_or_default(),
            declare: keys.short(Control::Declare).unwrap_or_default(),
            call_ball: keys.short(Control::SelectNext).unwrap_or_default(),
            call_pocket: keys.short(Control::CallPocket).unwrap_or_default(),
        });
        let (text, colour) = match refusal {
            Some((why, _)) => (remarks::refusal(why, words::plays_stones(live)), theme.text.error),
            None => (words::task(live, hud.placing, names.as_ref()), theme.text.first),
        };
        if !text.is_empty() {
            let text = RichText::new(text).color(ink(colour)).size(14.0);
            ui.add(egui::Label::new(text).wrap().halign(Align::Center).selectable(false));
        }
        if let Some(called) = words::call(live, hud.call) {
            let text = RichText::new(called).color(ink(theme.text.accent)).size(13.0);
            ui.add(egui::Label::new(text).selectable(false));
        }
        let buttons = buttons((live, hud), keys);
        let padding = 2.0 * ui.spacing().button_padding.x;
        let font = egui::TextStyle::Button.resolve(ui.style());
        let widths: Vec<f32> = { buttons.iter() }
            .map(|button| {
                let letters = ui.painter().layout_no_wrap(button.words.clone(), font.clone(), egui::Color32::WHITE);
                (letters.size().x + padding).max(ui.spacing().interact_size.x)
            })
            .collect();
        let (gap, room) = (ui.spacing().item_spacing.x, ui.available_width());
        let mut leads = hud.to_buttons;
        let mut all = buttons.into_iter();
        for row in rows(&widths, gap, room) {
            let width = widths[row.clone()].iter().sum::<f32>() + gap * (row.len() - 1) as f32;
            ui.horizontal(|ui| {
                ui.add_space((0.5 * (room - width)).max(0.0));
                for button in all.by_ref().take(row.len()) {
                    let response = button.show(ui, |ui| menu(ui, (hud, coach), keys, &mut pressed));
                    if std::mem::take(&mut leads) {
                        response.request_focus();
                    }
                    if response.clicked() && button.does.is_some() {
                        pressed = button.does;
                    }
                }
            });
        }
    });
    pressed
}

/// Distributes widgets of these widths over rows of width `room`, with a gap between them.
fn rows(widths: &[f32], gap: f32, room: f32) -> Vec<Range<usize>> {
    let mut rows: Vec<Range<usize>> = Vec::new();
    let mut end = 0.0;
    for (place, width) in widths.iter().enumerate() {
        match rows.last_mut() {
            Some(row) if end + gap + width <= room => {
                row.end = place + 1;
                end += gap + width;
            }
            _ => {
                rows.push(place..place + 1);
                end = *width;
            }
        }
    }
    rows
}

/// A button of the prompt. Without an action it opens the menu.
struct Button {
    words: String,
    tip: Option<String>,
    is_on: bool,
    does: Option<Pressed>,
}

impl Button {
    fn new(words: String, tip: Option<String>, does: Pressed) -> Self {
        Self { words, tip, is_on: false, does: Some(does) }
    }

    fn on(self, is_on: bool) -> Self {
        Self { is_on, ..self }
    }

    fn show(&self, ui: &mut egui::Ui, menu: impl FnOnce(&mut egui::Ui)) -> egui::Response {
        if self.does.is_none() {
            return ui.menu_button(&self.words, menu).response;
        }
        let response = ui.add(egui::Button::new(&self.words).selected(self.is_on));
        match &self.tip {
            Some(tip) => response.on_hover_text(tip),
            None => response,
        }
    }
}

fn buttons((live, hud): (&CurrentMatch, &Hud), keys: &KeyMap) -> Vec<Button> {
    let mut all = Vec::new();
    for (place, offer) in offers::of(live, hud).into_iter().enumerate() {
        all.push(Button::new(offer.words(live), None, Pressed::Offer(offer)).on(place == hud.marked));
    }
    if let Some(stroke) = persons_stroke(live) {
        let call = hud.call;
        if stroke.may_play_safe {
            let tip = keys.tip(&tr!("Declares that no pot is intended; the turn passes"), Control::Declare);
            let does = Pressed::Declare(!call.safety, false);
            all.push(Button::new(tr!("Safety"), Some(tip), does).on(call.safety));
        }
        if stroke.may_push_out {
            let tip =
                keys.tip(&tr!("No ball needs to be hit. The other player then chooses who shoots."), Control::Declare);
            let does = Pressed::Declare(false, !call.push_out);
            all.push(Button::new(tr!("Push-out"), Some(tip), does).on(call.push_out));
        }
        if stroke.in_hand.is_some() {
            let stones = words::plays_stones(live);
            let words = match (hud.placing, stones) {
                (true, false) => tr!("Place the ball"),
                (true, true) => tr!("Place the stone"),
                (false, false) => tr!("Move the ball"),
                (false, true) => tr!("Move the stone"),
            };
            let tip = if stones { tr!("The stone is in hand") } else { tr!("The ball is in hand") };
            let tip = keys.tip(&tip, Control::FinishShape);
            all.push(Button::new(words, Some(tip), Pressed::Place(!hud.placing)));
        }
        if live.game().has_jump_cue() {
            let has_it = live.game().cue_kind() == CueKind::Jump;
            let tip =
                tr!("For this shot, a light cue with a hard tip: it leaves the ball sooner, and gives it less speed");
            let takes = Action::TakeCue(if has_it { CueKind::Playing } else { CueKind::Jump });
            let does = Pressed::Command(MatchCommand::Act(takes));
            all.push(Button::new(tr!("Jump cue"), Some(tip), does).on(has_it));
        }
    }
    if !live.game().shots().is_empty() && !live.is_held() {
        let tip = keys.tip(&tr!("Lists the shots of the match for replay"), Control::Shots);
        all.push(Button::new(tr!("Shots"), Some(tip), Pressed::Shots).on(hud.shows_shots));
    }
    if live.waits_for_person() && !live.take_back_asked() {
        let has_shot = live.game().log().iter().any(|entry| !entry.action.is_preparation());
        if has_shot && live.game().spec().take_back {
            let tip = keys.tip(&tr!("Takes back the last shot"), Control::Undo);
            all.push(Button::new(tr!("Take back"), Some(tip), Pressed::Command(MatchCommand::TakeBack)));
        }
        all.push(Button { words: tr!("Match"), tip: None, is_on: false, does: None });
    }
    all
}

/// Rarer actions, in the menu of the match.
fn menu(ui: &mut egui::Ui, (hud, coach): (&Hud, CoachSettings), keys: &KeyMap, pressed: &mut Option<Pressed>) {
    let mut settings = coach;
    let tip = keys.tip(&tr!("Shows the best shots, and explains misses"), Control::Coach);
    ui.checkbox(&mut settings.on, tr!("Coach")).on_hover_text(tip);
    let tip = keys.tip(&tr!("Draws the shots that the bot at the table considers"), Control::BotIdeas);
    ui.checkbox(&mut settings.ideas, tr!("Bots' ideas")).on_hover_text(tip);
    if settings != coach {
        *pressed = Some(Pressed::Coach(settings));
    }
    if ui.button(tr!("Concede the rack")).clicked() {
        *pressed = Some(Pressed::Command(MatchCommand::Act(Action::Concede)));
        ui.close();
    }
    let tip = keys.tip(&tr!("Shows the statistics of the match"), Control::Statistics);
    if ui.button(tr!("Statistics")).on_hover_text(tip).clicked() {
        *pressed = Some(Pressed::Offer(Offer::Statistics));
        ui.close();
    }
    let tip = keys.tip(&tr!("The match waits. You can resume it from there."), Control::StartPage);
    if hud.has_page && ui.button(tr!("Start page")).on_hover_text(tip).clicked() {
        *pressed = Some(Pressed::Offer(Offer::StartPage));
        ui.close();
    }
    if ui.button(tr!("Leave the match")).clicked() {
        *pressed = Some(Pressed::Offer(Offer::Leave));
        ui.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buttons_stand_in_as_few_rows_as_there_is_room_for() {
        let widths = [40.0, 40.0, 40.0, 100.0, 10.0];
        assert_eq!(rows(&widths, 8.0, 400.0), vec![0..5]);
        assert_eq!(rows(&widths, 8.0, 140.0), vec![0..3, 3..5]);
        assert_eq!(rows(&widths, 8.0, 50.0), vec![0..1, 1..2, 2..3, 3..4, 4..5]);
        assert!(rows(&[], 8.0, 50.0).is_empty());
    }
}
