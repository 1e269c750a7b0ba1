//! Links: copies the current state or the running match to the clipboard as a link, or shows it as a QR code. A pasted
//! link opens at once.

use bevy::prelude::*;
use bevy_egui::egui::{self, Color32, Rect, TextEdit, Ui, pos2, vec2};
use qrcodegen::{QrCode, QrCodeEcc};
use tr::tr;

use crate::{
    games::plugin::{Beginning, CurrentMatch, MatchCommand},
    input::keys::MATCH_RUNS,
    link::{Link, LinkKind, MOST_LETTERS, SAFE_LETTERS},
    notice::Notices,
    run_file::{self, SaveRun},
    scene::{self, SceneCommand, SceneSource},
    view::Named,
};

/// The address before the `#` of links made by the panel. Default: empty. On a web page, the page's address is used.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkAddress(pub String);

/// The content of the paste field, and the QR code shown.
#[derive(Resource, Default)]
struct Links {
    pasted: String,
    code: Option<QrCode>,
}

/// The buttons for links, and the field to paste one.
pub(crate) fn show(ui: &mut Ui, world: &mut World) {
    ui.horizontal(|ui| {
        let copy = ui.button(tr!("Copy link"));
        let help = tr!("Copies the current state, or the current match, as a link. Opening it continues from here.");
        if copy.on_hover_text(help).clicked() {
            self::copy(ui.ctx(), world);
        }
        if world.contains_resource::<Messages<SaveRun>>() && !world.contains_resource::<CurrentMatch>() {
            let copy = ui.button(tr!("Copy run"));
            let help =
                tr!("Copies everything since the start, with all your changes, as a link. Opening it repeats it.");
            if copy.on_hover_text(help).clicked() {
                let link = run_file::link(world).map_err(|error| error.to_string());
                copy_made(ui.ctx(), world, link);
            }
        }
        let code = ui.button(tr!("QR code"));
        if code.on_hover_text(tr!("Shows or hides the same link as a QR code")).clicked() {
            let shown = world.get_resource_or_init::<Links>().code.is_some();
            let code = if shown { None } else { code_of_present(world) };
            world.get_resource_or_init::<Links>().code = code;
        }
        paste(ui, world);
    });
    if let Some(code) = &world.get_resource_or_init::<Links>().code {
        draw(ui, code);
    }
}

/// Copies a link to the current state or the running match to the clipboard.
pub(crate) fn copy(ctx: &egui::Context, world: &mut World) {
    let link = made(world);
    copy_whole(ctx, world, link);
}

/// Copies a link, which starts at its `#`, to the clipboard with its address, or reports why there is none.
pub(crate) fn copy_made(ctx: &egui::Context, world: &mut World, link: Result<String, String>) {
    let link = with_address(world, link);
    copy_whole(ctx, world, link);
}

fn copy_whole(ctx: &egui::Context, world: &mut World, link: Option<String>) {
    if let Some(link) = link {
        notify_copied(world, link.len());
        ctx.copy_text(link);
    }
}

/// A field that opens a complete link at once, and reports errors in a pasted one.
fn paste(ui: &mut Ui, world: &mut World) {
    let mut pasted = std::mem::take(&mut world.get_resource_or_init::<Links>().pasted);
    let hint = tr!("Paste a link");
    let field = TextEdit::singleline(&mut pasted).hint_text(&hint).char_limit(2 * MOST_LETTERS);
    let help = tr!("A pasted link opens at once. Press Enter to open a typed link.");
    let field = ui.add(field.desired_width(f32::INFINITY)).named(hint).on_hover_text(help);
    let entered = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
    let is_pasted = field.changed() && super::widgets::pasted(ui).is_some();
    // A typed link is incomplete until its last letter, but a pasted one that does not open is wrong.
    let is_whole = field.changed() && Link::read(&pasted).is_ok() || is_pasted && Link::is_meant(pasted.trim());
    if is_whole || entered && !pasted.trim().is_empty() {
        open(world, &pasted);
        pasted.clear();
    }
    world.get_resource_or_init::<Links>().pasted = pasted;
}

/// The link to the current state or the running match, or a notice if there is none.
fn made(world: &mut World) -> Option<String> {
    let link = match world.get_resource::<CurrentMatch>() {
        Some(live) => live.game().to_link(),
        None => scene::link(world),
    };
    with_address(world, link)
}

/// A link behind its address, or a notice if there is none.
fn with_address(world: &mut World, link: Result<String, String>) -> Option<String> {
    let address = world.get_resource::<LinkAddress>().map(|address| address.0.clone()).unwrap_or_default();
    match link {
        Ok(link) => Some(address + &link),
        Err(reason) => {
            world.resource_mut::<Notices>().error(tr!("No link can be made: {}", reason));
            None
        }
    }
}

fn notify_copied(world: &mut World, letters: usize) {
    let mut notices = world.resource_mut::<Notices>();
    if letters > SAFE_LETTERS {
        notices.info(tr!(
            "The link is in the clipboard. It has {} characters, and some programs cut off links over {}. A file is \
            safer.",
            letters,
            SAFE_LETTERS
        ));
    } else {
        notices.info(tr!("The link is in the clipboard."));
    }
}

/// Opens a link, or reports why it cannot.
fn open(world: &mut World, text: &str) {
    let opened = match Link::read(text) {
        Ok(link) if link.kind == LinkKind::Match => begin(world, &link),
        Ok(_) if world.get_resource::<CurrentMatch>().is_some_and(CurrentMatch::is_kept) => Err(tr!(MATCH_RUNS)),
        Ok(link) => {
            world.write_message(SceneCommand::Load(SceneSource::Link(Box::new(link))));
            Ok(())
        }
        Err(error) => Err(error.to_string()),
    };
    if let Err(reason) = opened {
        world.resource_mut::<Notices>().error(reason);
    }
}

/// Starts the match of a link.
fn begin(world: &mut World, link: &Link) -> Result<(), String> {
    if !world.contains_resource::<Messages<MatchCommand>>() {
        return Err(tr!("This is a link to a match, and this program does not play matches."));
    }
    let beginning = Beginning::linked(link)?;
    world.write_message(MatchCommand::Begin(Box::new(beginning)));
    Ok(())
}

/// The most letters of a code that a camera can read from a screen.
const MOST_CODED: usize = 1000;

fn code_of_present(world: &mut World) -> Option<QrCode> {
    let link = made(world)?;
    let code = Some(&link).filter(|link| link.len() <= MOST_CODED);
    let code = code.and_then(|link| QrCode::encode_text(link, QrCodeEcc::Low).ok());
    if code.is_none() {
        let letters = link.len();
        world.resource_mut::<Notices>().error(tr!(
            "The link has {} characters, too many for a QR code ({} at most). Copy it instead.",
            letters,
            MOST_CODED
        ));
    }
    code
}

/// The width of the light margin around a code in modules, as its standard requires.
const QUIET: i32 = 4;

/// Draws a code as wide as the panel, dark on light in every theme.
fn draw(ui: &mut Ui, code: &QrCode) {
    let modules = code.size() + 2 * QUIET;
    // Whole pixels, so that there are no seams between modules.
    let per_point = ui.ctx().pixels_per_point();
    let module = (ui.available_width().min(320.0) * per_point / modules as f32).floor().max(1.0) / per_point;
    let size = vec2(modules as f32, modules as f32) * module;
    let (place, response) = ui.allocate_exact_size(size, egui::Sense::hover());
    let help = tr!("Link to the state when the button was pressed");
    response.named(&help).on_hover_text(help);
    let painter = ui.painter();
    let corner = (place.min.to_vec2() * per_point).round() / per_point;
    painter.rect_filled(Rect::from_min_size(corner.to_pos2(), size), 0.0, Color32::WHITE);
    for (x, y) in (0..code.size()).flat_map(|y| (0..code.size()).map(move |x| (x, y))) {
        if code.get_module(x, y) {
            let at = pos2((x + QUIET) as f32, (y + QUIET) as f32) * module + corner;
            painter.rect_filled(Rect::from_min_size(at, vec2(module, module)), 0.0, Color32::BLACK);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        PhysicsPlugins,
        components::Position,
        games::{
            MatchSpec,
            plugin::{MatchPlugin, MatchSettings},
        },
        scene::{CurrentScene, ScenePlugin},
    };

    fn started(name: &'static str) -> App {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), ScenePlugin));
        let source = SceneSource::Shipped(name);
        let file = source.load().unwrap();
        scene::spawn(app.world_mut(), source, file).unwrap();
        app
    }

    fn told(app: &App) -> String {
        app.world().resource::<Notices>().iter().next_back().map(|notice| notice.text.clone()).unwrap_or_default()
    }

    #[test]
    fn a_link_that_is_pasted_opens() {
        let mut app = started("two-discs");
        let mut discs = app.world_mut().query::<&mut Position>();
        for mut position in discs.iter_mut(app.world_mut()) {
            position.0.y += 0.01;
        }
        app.insert_resource(LinkAddress("https://example.org/carom/".to_owned()));
        let link = made(app.world_mut()).unwrap();
        assert!(link.starts_with("https://example.org/carom/#1s"), "{link}");
        let mut other = started("gas");
        open(other.world_mut(), &link);
        other.update();
        assert_eq!(made(other.world_mut()), Some(link[26..].to_owned()));
        assert!(matches!(other.world().resource::<CurrentScene>().source, SceneSource::Link(_)));
        open(other.world_mut(), &link[..link.len() - 1]);
        assert!(told(&other).starts_with("letters of the link are missing"), "{}", told(&other));
    }

    #[test]
    fn a_match_is_linked_and_begins() {
        let mut app = started("two-discs");
        app.add_plugins(MatchPlugin).insert_resource(MatchSettings::AT_ONCE);
        let practice = Beginning::of(MatchSpec::default()).unwrap();
        app.world_mut().write_message(MatchCommand::Begin(Box::new(practice)));
        app.update();
        let link = made(app.world_mut()).unwrap();
        assert!(link.starts_with("#1m"), "{link}");
        let scene = made(started("gas").world_mut()).unwrap();
        open(app.world_mut(), &scene);
        assert!(told(&app).starts_with("A match is in progress"), "{}", told(&app));
        open(app.world_mut(), &link);
        app.update();
        assert_eq!(made(app.world_mut()), Some(link.clone()));
        let mut elsewhere = started("gas");
        open(elsewhere.world_mut(), &link);
        assert!(told(&elsewhere).starts_with("This is a link to a match"), "{}", told(&elsewhere));
    }

    #[test]
    fn a_short_link_has_a_code_and_a_long_one_says_why_not() {
        let mut app = started("gas");
        let code = code_of_present(app.world_mut()).unwrap();
        let ctx = egui::Context::default();
        let mut side = 0.0;
        let mut shown = |ui: &mut Ui| {
            ui.set_max_width(300.0);
            draw(ui, &code);
            side = ui.min_rect().width();
        };
        ctx.run_ui(egui::RawInput::default(), |ui| _ = ui.scope(&mut shown)).textures_delta.clear();
        assert!((150.0..=300.5).contains(&side), "{side}");
        crate::timeline::advance(app.world_mut(), 5);
        assert!(code_of_present(app.world_mut()).is_none());
        assert!(told(&app).contains("too many for a QR code"), "{}", told(&app));
    }
}
