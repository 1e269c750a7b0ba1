//! The position on the table: the coordinates of the balls, and the position as a drill.

use bevy::prelude::*;
use bevy_egui::egui::{self, TextEdit, Ui};
use tr::tr;

use super::shot::{NO_DRILL, Shown, report};
use crate::{
    billiards::tables::BallName,
    components::{InPlay, Position, StableId},
    games::{
        BallId, GameTable, Match, Region, Task,
        drills::OwnDrills,
        place_refusal,
        plugin::{
            Beginning, CurrentMatch, CustomDrills, GameBall, MatchCommand, MatchFolder, drill_spec, drill_text_spec,
        },
    },
    notice::{NoticeText, Notices, mark},
    panel::{
        field::Field,
        widgets::{edit_component, pasted, usable},
    },
    scene::{CueBall, DiscLook, DrawnTable},
    view::Named,
};

/// The name for the next drill, and the content of the paste field.
#[derive(Resource, Default)]
struct Typed {
    name: String,
    pasted: String,
}

pub(super) fn show(ui: &mut Ui, world: &mut World) {
    let header = ui.collapsing(tr!("Position"), |ui| {
        show_coordinates(ui, world);
        show_drill(ui, world);
    });
    header.header_response.on_hover_text(tr!("The coordinates of the balls, and the position as a drill"));
}

/// The balls with their coordinates in diamonds. Those that may be moved now can be typed.
fn show_coordinates(ui: &mut Ui, world: &mut World) {
    let in_match = world.get_resource::<CurrentMatch>().map(|live| (live.game().table().clone(), in_hand(live)));
    let drawn = world.get_resource::<DrawnTable>().map(|table| table.spec.length);
    let Some(length) = in_match.as_ref().map(|(table, _)| table.spec.length).or(drawn) else {
        ui.weak(tr!("This needs one of the shipped billiard tables."));
        return;
    };
    let unit = (length / 8.0) as f32;
    let mut balls: Vec<_> = world
        .query_filtered::<(&StableId, Entity, Option<&DiscLook>, Has<CueBall>, Option<&GameBall>), InPlay>()
        .iter(world)
        .map(|(id, entity, look, is_cue, ball)| (*id, entity, name_of(*id, look, is_cue), ball.map(|ball| ball.0)))
        .collect();
    balls.sort_unstable_by_key(|(id, ..)| *id);
    ui.weak(tr!("In diamonds from the middle of the table: along it, and across it."));
    egui::ScrollArea::vertical().id_salt("coordinates").max_height(180.0).show(ui, |ui| {
        for (_, entity, name, ball) in balls {
            let free = match &in_match {
                None => Some(None),
                Some((_, Some((held, region)))) if ball == Some(*held) => Some(Some(*region)),
                Some(_) => None,
            };
            let help = tr!("The centre of the ball in diamonds, eighths of the length of the table");
            let field = Field::new(name, help).digits(3).speed(0.01);
            let Some(Position(place)) = world.get::<Position>(entity).copied() else { continue };
            let mut wanted = place / unit;
            usable(ui, free.is_some(), |ui| field.row(ui, |ui, field| field.vector(ui, &mut wanted)));
            if wanted != place / unit
                && let Some(region) = free
                && region.is_none_or(|region| may_lie(world, region, ball, wanted * unit))
            {
                edit_component(world, entity, |position: &mut Position| position.0 = wanted * unit);
            }
        }
    });
}

/// The ball in hand and where it may be placed, if a person has one.
fn in_hand(live: &CurrentMatch) -> Option<(BallId, Region)> {
    match live.game().turn() {
        Some((_, Task::Shoot(stroke))) if live.waits_for_person() => Some((stroke.cue_ball, stroke.in_hand?)),
        _ => None,
    }
}

fn may_lie(world: &World, region: Region, ball: Option<BallId>, place: Vec2) -> bool {
    let (Some(live), Some(ball)) = (world.get_resource::<CurrentMatch>(), ball) else { return false };
    let game: &Match = live.game();
    let table: &GameTable = game.table();
    place_refusal(region, game.layout(), ball, place, table).is_none()
}

/// A ball as the head of its row.
fn name_of(id: StableId, look: Option<&DiscLook>, is_cue: bool) -> String {
    match look.and_then(DiscLook::ball).or(is_cue.then_some(BallName::Cue)) {
        Some(BallName::Cue) => tr!("cue ball"),
        Some(BallName::Number(number)) => number.to_string(),
        Some(BallName::Red) => tr!("red"),
        Some(BallName::Yellow) => tr!("yellow"),
        Some(BallName::Green) => tr!("green"),
        Some(BallName::Brown) => tr!("brown"),
        Some(BallName::Blue) => tr!("blue"),
        Some(BallName::Pink) => tr!("pink"),
        Some(BallName::Black) => tr!("black"),
        None => tr!("Disc {}", id.0),
    }
}

/// The buttons that make a drill of the position, and the field to paste one.
fn show_drill(ui: &mut Ui, world: &mut World) {
    let mut typed = std::mem::take(&mut *world.get_resource_or_init::<Typed>());
    ui.horizontal_wrapped(|ui| {
        let help = tr!("Starts a drill of ten attempts from this position. The balls return after each shot.");
        if ui.button(tr!("Practise this position")).on_hover_text(help).clicked() {
            let spec = drill_now(world, &typed.name).and_then(|drill| drill_spec(&drill).map_err(NoticeText::from));
            match spec.and_then(|spec| Beginning::of(spec).map_err(NoticeText::from)) {
                Ok(beginning) => _ = world.write_message(MatchCommand::Begin(Box::new(beginning))),
                Err(why) => report(world, why),
            }
        }
        let help = tr!("Copies the position as the text of a drill file, with coordinates in diamonds");
        if ui.button(tr!("Copy the position")).on_hover_text(help).clicked() {
            let text = drill_now(world, &typed.name);
            match text.and_then(|drill| drill.to_text().map_err(|error| NoticeText::from(error.to_string()))) {
                Ok(text) => {
                    ui.ctx().copy_text(text);
                    if let Some(mut notices) = world.get_resource_mut::<Notices>() {
                        notices.info(tr!("The position is in the clipboard as a drill."));
                    }
                }
                Err(why) => report(world, why),
            }
        }
    });
    ui.horizontal(|ui| {
        let folder = world.get_resource::<MatchFolder>().and_then(|folder| folder.0.as_deref());
        let folder = folder.map(OwnDrills::folder_beside);
        let save = usable(ui, folder.is_some(), |ui| ui.button(tr!("Save as a drill")));
        let help = tr!("Saves the position as a file among your drills. Edit the file to add targets and demands.");
        if save.on_hover_text(help).clicked()
            && let Some(folder) = folder
        {
            self::save(world, &folder, &typed.name);
        }
        let hint = tr!("Name of the drill");
        let field = TextEdit::singleline(&mut typed.name).hint_text(&hint).char_limit(60);
        ui.add(field.desired_width(f32::INFINITY)).named(hint);
    });
    paste(ui, world, &mut typed.pasted);
    *world.get_resource_or_init::<Typed>() = typed;
}

/// The position that is shown as a drill of this name, or of another if the name is empty.
fn drill_now(world: &mut World, name: &str) -> Result<crate::games::drills::Drill, NoticeText> {
    let shown = Shown::now(world)?;
    let name = name.trim();
    Ok(shown.position.drill(if name.is_empty() { "My position" } else { name }))
}

/// Saves the position as a drill, and reports where.
fn save(world: &mut World, folder: &std::path::Path, name: &str) {
    let drill = match drill_now(world, name) {
        Ok(drill) => drill,
        Err(why) => return report(world, why),
    };
    match OwnDrills::add(folder, &drill) {
        Ok(path) => {
            world.get_resource_or_init::<CustomDrills>().0 = OwnDrills::read(folder);
            if let Some(mut notices) = world.get_resource_mut::<Notices>() {
                notices.info(NoticeText::new(mark("The drill was saved to {}."), [path.display().to_string()]));
            }
        }
        Err(error) => {
            let values = [folder.display().to_string(), error.to_string()];
            report(world, NoticeText::new(mark("{} cannot be written: {}"), values));
        }
    }
}

/// A field that starts a pasted drill at once.
fn paste(ui: &mut Ui, world: &mut World, typed: &mut String) {
    let hint = tr!("Paste a drill");
    let field = TextEdit::singleline(typed).hint_text(&hint);
    let help = tr!("A pasted drill starts at once. It is not saved.");
    let field = ui.add(field.desired_width(f32::INFINITY)).named(hint).on_hover_text(help);
    let Some(text) = pasted(ui).filter(|_| field.changed()) else { return };
    typed.clear();
    let spec = drill_text_spec(&text).map_err(|error| error.to_string());
    match spec.and_then(Beginning::of) {
        Ok(beginning) => _ = world.write_message(MatchCommand::Begin(Box::new(beginning))),
        Err(why) => report(world, NoticeText::new(NO_DRILL, [why])),
    }
}
