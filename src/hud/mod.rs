//! The display and the controls of a match: the scoreboard, the task, calls, the ball in hand, choices, and the cue of
//! a bot.
//!
//! [`HudPlugin`] shows the [`CurrentMatch`] of [`MatchPlugin`], and turns mouse, keyboard and gamepad input into its
//! commands. A game can add it to its view and input without the program:
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
//! [`MatchInputPlugin`] is its input alone, for a custom HUD that displays [`Hud`] and [`CurrentMatch`].
//!
//! During a match, only the cue ball of the player to act can be shot. Nothing can be moved, deleted, drawn or tuned,
//! so that a match is fair and can be replayed. [`Controls`] and [`EditLock`] are switched for this, and restored when
//! the match ends.
//!
//! | file | contents |
//! |---|---|
//! | `follow` | [`Controls`], the cue and the overlay words during a match |
//! | `shots` | turns a person's shot into an action |
//! | `call` | calls of balls and pockets |
//! | `in_hand` | placement of the ball in hand |
//! | `offers` | choices, with keys |
//! | `shot_list`, `look_back` | the list of shots, and their replay |
//! | `side_view` | the side view of a replayed shot in the air |
//! | `statistics` | the statistics of the match |
//! | `opponent` | the cue of a bot |
//! | `coach` | the best shots, the fault of a miss, and the shots that a bot considers |
//! | `draw` | rings, pockets, and the region of a ball in hand |
//! | `scoreboard`, `prompt` | text and buttons |
//! | [`StartPagePlugin`] | the page for choosing a match |
//! | `words`, `remarks` | fouls, choices and verdicts in words; other messages of rules and matches |

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
    view::{
        Canvas, DrawView, Insets, Points, Theme, main_view, sees_layer_0, theme::egui as ink,
        words::overlay::is_covered,
    },
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
mod side_view;
mod start_page;
mod statistics;
mod words;

pub use offers::Offer;
pub use start_page::{StartPage, StartPagePlugin};

#[cfg(test)]
mod tests;

/// The input of people in a match, with mouse, keyboard and gamepad: shots, calls, the ball in hand and choices. It
/// also shows the aiming cue of a bot. It writes no text, so a custom HUD reads [`Hud`] and displays it. It adds
/// [`MatchPlugin`]; [`AimPlugin`] aims the shots.
pub struct MatchInputPlugin;

/// Marks that the plugin was added.
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
                DrawView,
                (coach::draw, draw::draw).chain().run_if(sees_layer_0.and_then(resource_exists::<Canvas>)),
            )
            .add_systems(
                EguiPrimaryContextPass,
                (show, side_view::show.run_if(not(is_covered))).run_if(any_with_component::<PrimaryEguiContext>),
            );
    }

    fn finish(&self, app: &mut App) {
        require_physics(self, app);
    }
}

/// The state of a person's input in a match, and its messages.
#[derive(Resource, Debug, Default)]
pub struct Hud {
    /// The call for the next shot.
    call: Call,
    /// The index of the marked [`offers`] entry.
    marked: usize,
    /// Whether the ball in hand is being placed.
    placing: bool,
    /// Whether it is being dragged.
    dragged: bool,
    /// Whether to start a shot with keys once the ball in hand is placed.
    sets_up: bool,
    /// Whether to focus the first button.
    to_buttons: bool,
    /// The last place that was refused for the ball in hand, metres.
    refused_at: Option<Vec2>,
    /// The last refusal, and its time, real seconds.
    refusal: Option<(Refusal, f32)>,
    /// Whether the list of shots is shown.
    shows_shots: bool,
    /// Whether to focus the list when it is shown next.
    leads_to_list: bool,
    /// Whether the statistics are shown.
    shows_statistics: bool,
    /// Whether the app has a start page.
    has_page: bool,
    /// The person's settings before the match.
    before: Option<Before>,
}

#[derive(Clone, Copy, Debug)]
struct Before {
    controls: Controls,
    lock: EditLock,
    cue: Option<Cue>,
}

impl Hud {
    /// The call for the next shot.
    #[must_use]
    pub fn call(&self) -> Call {
        self.call
    }

    /// Whether the ball in hand is being placed. A drag then moves it, and Enter places it.
    #[must_use]
    pub fn is_placing(&self) -> bool {
        self.placing
    }

    /// The current choices, made with [`Control::ChooseNext`](crate::input::actions::Control::ChooseNext) and related
    /// controls. Usually empty.
    #[must_use]
    pub fn offers(&self, live: &CurrentMatch) -> Vec<Offer> {
        offers::of(live, self)
    }

    /// The index of the marked entry in [`Hud::offers`].
    #[must_use]
    pub fn marked(&self) -> usize {
        self.marked
    }

    /// The last place that was refused for the dragged ball in hand, metres.
    #[must_use]
    pub fn refused_at(&self) -> Option<Vec2> {
        self.refused_at
    }

    /// The refusal of the last input, and its time, real seconds. It is cleared by the next input.
    #[must_use]
    pub fn refusal(&self) -> Option<(&Refusal, f32)> {
        self.refusal.as_ref().map(|(why, since)| (why, *since))
    }

    /// Records a refusal.
    fn refuse(&mut self, why: impl Into<Refusal>, now: f32) {
        self.refusal = Some((why.into(), now));
    }
}

/// The display time of a refusal, seconds.
const REFUSAL_SECONDS: f32 = 6.0;

/// The shot to play, if a person is to act.
fn persons_stroke(live: &CurrentMatch) -> Option<&ShotConstraints> {
    match live.game().turn() {
        Some((_, Task::Shoot(stroke))) if live.waits_for_person() && !live.take_back_asked() => Some(stroke),
        _ => None,
    }
}

/// Whether Escape was pressed while a widget in this egui window had the focus. egui has already released the focus,
/// and the table does not get the key.
fn is_escaped(ui: &egui::Ui) -> bool {
    let id = ui.id().with("had the keyboard");
    let focused = ui.memory(egui::Memory::focused).and_then(|focused| ui.ctx().read_response(focused));
    let has = focused.is_some_and(|focused| focused.layer_id == ui.layer_id());
    let had: bool = ui.data_mut(|data| std::mem::replace(data.get_temp_mut_or_default(id), has));
    had && ui.input(|input| input.key_pressed(egui::Key::Escape))
}

/// Lays out the letters of sentences once in advance. The first frame with a new letter would miss it until its texture
/// is uploaded.
fn draw_letters(ctx: &egui::Context) {
    const SIZES: [f32; 10] = [11.5, 12.0, 12.5, 13.0, 13.5, 14.0, 15.0, 16.0, 17.0, 20.0];
    const LETTERS: &str = "abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789 .,:;()/+-\u{2013}\u{b7}'%\u{b0}\u{d7}\u{2026}";
    let (id, scale) = (egui::Id::new("letters of sentences"), ctx.pixels_per_point());
    if ctx.data(|data| data.get_temp::<f32>(id)) == Some(scale) {
        return;
    }
    ctx.data_mut(|data| data.insert_temp(id, scale));
    ctx.fonts_mut(|fonts| {
        // Letters are also rendered at fractional pixel positions.
        for (size, shift) in SIZES.into_iter().flat_map(|size| (0..4).map(move |shift| (size, shift))) {
            let text = format!("{}{LETTERS}", "i".repeat(shift));
            fonts.layout_no_wrap(text, egui::FontId::proportional(size), egui::Color32::WHITE);
        }
    });
}

/// Shows the text and the buttons over the table, and reserves room for them.
fn show(world: &mut World) -> Result {
    let page = world.get_resource::<StartPage>().is_some_and(|page| page.open);
    if !world.contains_resource::<CurrentMatch>() {
        // A page hides the title of a scene. The table stays in place.
        let mut insets = world.resource_mut::<Insets>();
        insets.own_words = page.then(|| insets.words());
        return Ok(());
    }
    let mut contexts = world.query_filtered::<&mut EguiContext, With<PrimaryEguiContext>>();
    let ctx = contexts.single_mut(world)?.get_mut().clone();
    draw_letters(&ctx);
    if page {
        // The two bots behind the page need no text.
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

/// Shows the text in a part of the window, points. Returns the heights taken at the top and at the bottom, or `None` if
/// the part is too narrow.
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

/// The narrowest part of the window for text, points. Beside a panel that covers a narrow window there is less, and
/// nothing is shown.
const LEAST_WIDTH: f32 = 120.0;

/// Shows a bar at the bottom of an area, points. `content` gets the available width.
fn foot<R>(
    ctx: &egui::Context,
    name: &'static str,
    area: egui::Rect,
    theme: &Theme,
    content: impl FnOnce(&mut egui::Ui, f32) -> R,
) -> R {
    /// The distance to the lower edge of the area, points.
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
