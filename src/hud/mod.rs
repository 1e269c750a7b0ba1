//! What is seen of a match, and how people play in it: the scoreboard, what is to be done, calls, the ball in hand,
//! choices, and the cue of a bot.
//!
//! [`HudPlugin`] shows the [`CurrentMatch`] of [`MatchPlugin`], and turns what people do with mouse, keys and gamepad
//! into its commands. A game adds it beside the view and the hands, without the program:
//!
//! ```
//! # use bevy::prelude::*;
//! # use carom::prelude::*;
//! use carom::hud::HudPlugin;
//!
//! # let mut app = App::new();
//! # app.add_plugins((MinimalPlugins, PhysicsPlugins::default()));
//! app.add_plugins(HudPlugin);
//! ```
//!
//! [`MatchInputPlugin`] is its hands alone, for a HUD of one's own: it shows what [`Hud`] and [`CurrentMatch`] say.
//!
//! While a match runs nothing but the cue ball of the player whose turn it is can be shot, and nothing can be moved,
//! deleted, drawn or tuned, so that a match is fair and replays: [`Controls`] and [`EditLock`] are switched, and put
//! back as they were when it ends.
//!
//! | file | what |
//! |---|---|
//! | `follow` | [`Controls`], the cue and the words over the picture, as the match has them |
//! | `shots` | a shot of a person becomes an action |
//! | `call` | balls and pockets are called |
//! | `in_hand` | the ball in hand is placed |
//! | `offers` | what can be chosen, by keys |
//! | `shot_list`, `look_back` | the shots of the match, each to be looked at again |
//! | `statistics` | the match in numbers |
//! | `opponent` | a bot's cue is seen |
//! | `coach` | the best shots, what was wrong with a miss, and what a bot considers |
//! | `draw` | rings, pockets, and where a ball in hand may lie |
//! | `scoreboard`, `prompt` | what is written, and the buttons |
//! | [`StartPagePlugin`] | the page on which a match is chosen |
//! | `words`, `remarks` | fouls, choices and verdicts in words; what else rules and matches say |

use bevy::prelude::*;
use bevy_egui::{EguiContext, EguiPrimaryContextPass, PrimaryEguiContext, egui};

use crate::{
    billiards::cue::Cue,
    collision::require_physics,
    games::{
        Call, Refusal, ShotConstraints, Task,
        coach::Coach,
        plugin::{CoachSettings, CurrentMatch, MatchPlugin, MatchSystems},
    },
    input::{AimPlugin, ControlSystems, Controls, EditLock, PointerPlugin, ShotTaken},
    view::{Canvas, DrawPicture, Insets, Points, Theme, main_view, sees_layer_0, theme::egui as ink},
};

mod ball_name;
mod call;
mod coach;
mod draw;
mod follow;
mod in_hand;
mod look_back;
mod offers;
mod opponent;
mod prompt;
mod remarks;
mod scoreboard;
mod shot_list;
mod shots;
mod start_page;
mod statistics;
mod words;

pub use offers::Offer;
pub use start_page::{StartPage, StartPagePlugin};

#[cfg(test)]
mod tests;

/// What people do in a match, by mouse, keys and gamepad: shots, calls, the ball in hand, choices; and the cue of a bot
/// as it aims. Without a word on the screen: a HUD of one's own reads [`Hud`] and writes it. [`MatchPlugin`] comes with
/// it; shots are aimed by [`AimPlugin`](crate::input::AimPlugin).
pub struct MatchInputPlugin;

/// The hands are there.
#[derive(Resource)]
struct Added;

impl Plugin for MatchInputPlugin {
    fn build(&self, app: &mut App) {
        if app.world().contains_resource::<Added>() {
            return;
        }
        app.insert_resource(Added);
        app.add_plugins((PointerPlugin, MatchPlugin))
            .add_message::<ShotTaken>()
            .init_resource::<Hud>()
            .configure_sets(PreUpdate, MatchSystems.after(ControlSystems::Camera))
            .add_systems(
                PreUpdate,
                (follow::hear, follow::follow).chain().after(ControlSystems::Look).before(ControlSystems::Read),
            )
            .add_systems(
                PreUpdate,
                (offers::choose, call::by_keys, call::by_press).chain().in_set(ControlSystems::Keys),
            )
            .add_systems(PreUpdate, shots::take.after(ControlSystems::Aim).before(ControlSystems::Move))
            .add_systems(PreUpdate, opponent::aim.after(ControlSystems::Gesture).before(ControlSystems::Aim))
            .add_systems(PreUpdate, (in_hand::by_drag, in_hand::by_keys).chain().in_set(ControlSystems::Move));
    }

    fn is_unique(&self) -> bool {
        false
    }

    fn finish(&self, app: &mut App) {
        require_physics(self, app);
    }
}

/// Shows matches, and lets people play them: [`MatchInputPlugin`] and [`AimPlugin`], which it adds, and all that is
/// written and drawn. Where there is no [`ViewPlugin`](crate::view::ViewPlugin) nothing is seen of it.
pub struct HudPlugin;

impl Plugin for HudPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins((MatchInputPlugin, AimPlugin))
            .init_resource::<Coach>()
            .init_resource::<CoachSettings>()
            .init_resource::<coach::CoachState>()
            .register_type::<CoachSettings>()
            .init_resource::<Insets>()
            .init_resource::<Theme>()
            .add_systems(PreUpdate, (prompt::lead, coach::switch).after(offers::choose).in_set(ControlSystems::Keys))
            .add_systems(PreUpdate, look_back::by_keys.after(ControlSystems::Read).before(ControlSystems::Keys))
            .add_systems(Update, (coach::hear, coach::advise, coach::consider).chain())
            .add_systems(
                DrawPicture,
                (coach::draw, draw::draw).chain().run_if(sees_layer_0.and_then(resource_exists::<Canvas>)),
            )
            .add_systems(EguiPrimaryContextPass, show.run_if(any_with_component::<PrimaryEguiContext>));
    }

    fn finish(&self, app: &mut App) {
        require_physics(self, app);
    }
}

/// What a person has prepared, and what they are told.
#[derive(Resource, Debug, Default)]
pub struct Hud {
    /// What is called of the next shot.
    call: Call,
    /// Which of the [`offers`] is marked.
    marked: usize,
    /// Whether the ball in hand is being placed.
    placing: bool,
    /// Whether it is being dragged.
    dragged: bool,
    /// Whether a shot is to be set up by keys as soon as the ball in hand lies.
    sets_up: bool,
    /// Whether the keyboard is to be led to the first button.
    to_buttons: bool,
    /// Where it was to be put but may not lie, metres.
    refused_at: Option<Vec2>,
    /// Why something could not be done, and since when, real seconds.
    refusal: Option<(Refusal, f32)>,
    /// Whether the list of shots is shown.
    shows_shots: bool,
    /// Whether the keyboard is led to the list when it is shown next.
    leads_to_list: bool,
    /// Whether the match is shown in numbers.
    shows_statistics: bool,
    /// Whether there is a start page to go to.
    has_page: bool,
    /// What the person had before the match.
    before: Option<Before>,
}

#[derive(Clone, Copy, Debug)]
struct Before {
    controls: Controls,
    lock: EditLock,
    cue: Option<Cue>,
}

impl Hud {
    /// What is called of the next shot.
    #[must_use]
    pub fn call(&self) -> Call {
        self.call
    }

    /// Whether the ball in hand is being placed: a drag moves it then, and Enter puts it down.
    #[must_use]
    pub fn is_placing(&self) -> bool {
        self.placing
    }

    /// What can be chosen now, by [`Control::ChooseNext`](crate::input::actions::Control::ChooseNext) and its like;
    /// mostly nothing.
    #[must_use]
    pub fn offers(&self, live: &CurrentMatch) -> Vec<Offer> {
        offers::of(live, self)
    }

    /// Which of the [`Hud::offers`] is marked.
    #[must_use]
    pub fn marked(&self) -> usize {
        self.marked
    }

    /// Where the ball in hand was dragged to but may not lie, metres.
    #[must_use]
    pub fn refused_at(&self) -> Option<Vec2> {
        self.refused_at
    }

    /// Why what was done last could not be done, and since when that is known, real seconds; until something else is
    /// done.
    #[must_use]
    pub fn refusal(&self) -> Option<(&Refusal, f32)> {
        self.refusal.as_ref().map(|(why, since)| (why, *since))
    }

    /// Says why something cannot be done.
    fn refuse(&mut self, why: impl Into<Refusal>, now: f32) {
        self.refusal = Some((why.into(), now));
    }
}

/// How long a refusal is shown, seconds.
const REFUSAL_SECONDS: f32 = 6.0;

/// The shot that the person whose turn it is has to play, if it is one.
fn persons_stroke(live: &CurrentMatch) -> Option<&ShotConstraints> {
    match live.game().turn() {
        Some((_, Task::Shoot(stroke))) if live.waits_for_person() && !live.take_back_asked() => Some(stroke),
        _ => None,
    }
}

/// Whether Escape was pressed while something in this window of egui's had the keyboard; egui has taken that back by
/// then, and the table does not hear of it.
fn is_escaped(ui: &egui::Ui) -> bool {
    let id = ui.id().with("had the keyboard");
    let focused = ui.memory(egui::Memory::focused).and_then(|focused| ui.ctx().read_response(focused));
    let has = focused.is_some_and(|focused| focused.layer_id == ui.layer_id());
    let had: bool = ui.data_mut(|data| std::mem::replace(data.get_temp_mut_or_default(id), has));
    had && ui.input(|input| input.key_pressed(egui::Key::Escape))
}

/// Draws the letters of sentences once, before one is shown: a letter that is seen for the first time is missing in its
/// first picture, until its texture is there.
fn draw_letters(ctx: &egui::Context) {
    const SIZES: [f32; 10] = [11.5, 12.0, 12.5, 13.0, 13.5, 14.0, 15.0, 16.0, 17.0, 20.0];
    const LETTERS: &str = "abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789 .,:;()/+-\u{2013}\u{b7}'%\u{b0}\u{d7}\u{2026}";
    let (id, scale) = (egui::Id::new("letters of sentences"), ctx.pixels_per_point());
    if ctx.data(|data| data.get_temp::<f32>(id)) == Some(scale) {
        return;
    }
    ctx.data_mut(|data| data.insert_temp(id, scale));
    ctx.fonts_mut(|fonts| {
        // Letters are drawn at parts of a pixel, too.
        for (size, shift) in SIZES.into_iter().flat_map(|size| (0..4).map(move |shift| (size, shift))) {
            let text = format!("{}{LETTERS}", "i".repeat(shift));
            fonts.layout_no_wrap(text, egui::FontId::proportional(size), egui::Color32::WHITE);
        }
    });
}

/// Writes what there is to know over the picture, and the buttons, and takes the room for that.
fn show(world: &mut World) -> Result {
    let page = world.get_resource::<StartPage>().is_some_and(|page| page.open);
    if !world.contains_resource::<CurrentMatch>() {
        // The title of a scene does not stand beside the card of a page that lies over it; the table stays where it is.
        let mut insets = world.resource_mut::<Insets>();
        insets.own_words = page.then(|| insets.words());
        return Ok(());
    }
    let mut contexts = world.query_filtered::<&mut EguiContext, With<PrimaryEguiContext>>();
    let ctx = contexts.single_mut(world)?.get_mut().clone();
    draw_letters(&ctx);
    if page {
        // Two bots play behind it, of whom nobody wants to read.
        world.resource_mut::<Insets>().own_words = Some([0.0; 2]);
        return Ok(());
    }
    let area = main_view(world).map(|view| view.area).unwrap_or_default();
    let points = Points::of(&ctx);
    let Some(heights) = write(&ctx, points.part(area), world) else { return Ok(()) };
    coach::write(&ctx, world);
    world.resource_mut::<Insets>().own_words = Some(heights.map(|height| height / points.length(1.0)));
    Ok(())
}

/// Writes over a part of the window, points, and returns how much of its height that takes at the head and at the foot;
/// nothing where it is too narrow.
fn write(ctx: &egui::Context, part: egui::Rect, world: &mut World) -> Option<[f32; 2]> {
    if part.width() > 0.0 && part.width() < LEAST_WIDTH {
        return None;
    }
    let top = scoreboard::show(ctx, part, world);
    let foot = if look_back::show(ctx, part, world) { prompt::HEIGHT } else { prompt::show(ctx, part, world) };
    let head = coach::show(ctx, part, top, world);
    shot_list::show(ctx, part, top, world);
    statistics::show(ctx, part, world);
    Some([head, foot])
}

/// Less of the window than this is only there beside a panel that covers a narrow one, and nothing is written over it:
/// points.
const LEAST_WIDTH: f32 = 120.0;

/// Shows something in a bar at the foot of an area, points; `content` gets the width that there is at most.
fn foot<R>(
    ctx: &egui::Context,
    name: &'static str,
    area: egui::Rect,
    theme: &Theme,
    content: impl FnOnce(&mut egui::Ui, f32) -> R,
) -> R {
    /// From the lower edge of the area, points.
    const GAP: f32 = 8.0;
    let width = (area.width() - 40.0).clamp(120.0, 760.0);
    let frame = egui::Frame::new().fill(ink(theme.text.notice)).corner_radius(10);
    egui::Area::new(name.into())
        .fixed_pos(egui::pos2(area.center().x, area.max.y - GAP))
        .pivot(egui::Align2::CENTER_BOTTOM)
        .order(egui::Order::Middle)
        .constrain(false)
        .show(ctx, |ui| frame.inner_margin(egui::Margin::symmetric(12, 6)).show(ui, |ui| content(ui, width)).inner)
        .inner
}
