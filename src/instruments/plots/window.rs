//! The window of the plots: what is drawn, the plots, the cursors, and the buttons that copy and save.

use bevy::prelude::*;
use bevy_egui::egui::{self, ComboBox, DragValue, RichText, Ui};
use tr::tr;

use super::{
    Against, MOST_CURVES, Plots, cursors,
    draw::{self, colour},
    export, is_narrow,
    names::{SUBJECTS, word},
};
use crate::{
    components::{StableId, Terrain},
    editor::ChosenTerrain,
    games::plugin::CurrentMatch,
    input::Selection,
    laboratory::{Channel, Recorder, Subject, SubjectKind, VARIABLES, Variable},
    notice::Notices,
    number::measured,
    panel::widgets::usable,
    shell::files::Files,
    view::{Named, Theme},
};

/// The size of the window at first, points.
const SIZE: egui::Vec2 = egui::vec2(560.0, 460.0);

/// The largest height of a list of choices, points.
const LISTS: f32 = 440.0;

/// Whether two subjects differ only in their number.
fn is_alike(a: Subject, b: Subject) -> bool {
    std::mem::discriminant(&a) == std::mem::discriminant(&b)
}

/// The button that shows and hides the plots. In a narrow window they follow it.
pub(in crate::instruments) fn show_button(ui: &mut Ui, world: &mut World) {
    if !world.contains_resource::<Plots>() || world.contains_resource::<CurrentMatch>() {
        return;
    }
    let open = world.resource::<Plots>().open;
    let help = tr!(
        "Shows or hides plots of any quantity of a disc, of terrain or of the whole table, against the time or another \
        quantity"
    );
    let text = if open { tr!("Hide the plots") } else { tr!("Plot anything…") };
    if ui.button(text).on_hover_text(help).clicked() {
        set_open(world, !open);
    }
    if world.resource::<Plots>().open && is_narrow(ui.ctx()) {
        show_content(ui, world);
        ui.separator();
    }
}

/// Opens or closes the plots. The first time they have the energy of the table.
fn set_open(world: &mut World, open: bool) {
    world.resource_scope(|world, mut plots: Mut<Plots>| {
        plots.open = open;
        if open && plots.curves.is_empty() {
            let energy = Channel::new(Subject::Table, Variable::TotalEnergy);
            plots.add(&mut world.resource_mut::<Recorder>(), energy);
        }
    });
}

pub(super) fn show_window(ctx: &egui::Context, world: &mut World) {
    let mut open = true;
    egui::Window::new(tr!("Plots"))
        .open(&mut open)
        .default_pos([24.0, 120.0])
        .default_size(SIZE)
        .min_width(320.0)
        .show(ctx, |ui| {
            egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| show_content(ui, world));
        });
    if !open {
        world.resource_mut::<Plots>().open = false;
    }
}

pub(super) fn show_content(ui: &mut Ui, world: &mut World) {
    world.resource_scope(|world, mut plots: Mut<Plots>| {
        let before = plots.clone();
        // A plot that is only looked at has not changed.
        let plots_now = plots.bypass_change_detection();
        show_buttons(ui, world, plots_now);
        show_curves(ui, world, plots_now);
        world.resource_scope(|world, recorder: Mut<Recorder>| {
            let theme = world.resource::<Theme>();
            draw::show(ui, plots_now, &recorder, theme);
            cursors::show(ui, plots_now, &recorder, theme);
            show_cost(ui, plots_now, &recorder);
        });
        if *plots_now != before {
            plots.set_changed();
        }
    });
}

fn show_buttons(ui: &mut Ui, world: &mut World, plots: &mut Plots) {
    ui.horizontal_wrapped(|ui| {
        show_add(ui, world, plots);
        show_against(ui, world, plots);
        let mut has_cursors = plots.cursors.is_some();
        let help = tr!("Two times whose values are compared. Drag them in a plot over time, or their numbers.");
        if ui.checkbox(&mut has_cursors, tr!("Cursors")).on_hover_text(help).changed() {
            plots.cursors = has_cursors.then(|| cursors::first(plots, world.resource::<Recorder>()));
        }
        let help = tr!("Forgets all samples and records from now on");
        if ui.button(tr!("Clear")).on_hover_text(help).clicked() {
            let mut recorder = world.resource_mut::<Recorder>();
            for curve in &plots.curves {
                recorder.clear(curve.recording);
            }
        }
        let help =
            tr!("Copies all samples as a table (CSV): the curve, the time, and the value with its least and greatest");
        if ui.button(tr!("Copy CSV")).on_hover_text(help).clicked() {
            let text = export::csv(plots, world.resource::<Recorder>());
            report(world, text, |text| ui.copy_text(text));
        }
        let help = tr!("Saves the same table to a file");
        if ui.button(tr!("Save CSV…")).on_hover_text(help).clicked() {
            let text = export::csv(plots, world.resource::<Recorder>());
            save(world, "plots.csv", text);
        }
        let help = tr!("Saves a drawing of the plots (SVG)");
        if ui.button(tr!("Save SVG…")).on_hover_text(help).clicked() {
            let drawing = export::svg(plots, world.resource::<Recorder>(), world.resource::<Theme>());
            save(world, "plots.svg", Ok(drawing));
        }
    });
}

/// Hands a text on, or reports why there is none.
fn report(world: &mut World, text: Result<String, String>, hand_on: impl FnOnce(String)) {
    match text {
        Ok(text) => {
            hand_on(text);
            world.resource_mut::<Notices>().info(tr!("The plots are in the clipboard as CSV."));
        }
        Err(reason) => world.resource_mut::<Notices>().error(reason),
    }
}

fn save(world: &mut World, name: &'static str, text: Result<String, String>) {
    match text {
        Ok(text) => world.resource_mut::<Files>().export(name, text),
        Err(reason) => world.resource_mut::<Notices>().error(reason),
    }
}

fn show_add(ui: &mut Ui, world: &mut World, plots: &mut Plots) {
    let has_room = plots.curves.len() < MOST_CURVES;
    let full = tr!("There are six curves already");
    let add = usable(ui, has_room, |ui| ui.button(tr!("Add a curve")));
    let add = add.on_hover_text(tr!("Adds a curve")).on_disabled_hover_text(&full);
    if add.clicked() {
        let channel = plots.curves.last().map(|curve| curve.channel);
        let channel = channel.unwrap_or(Channel::new(Subject::Table, Variable::KineticEnergy));
        plots.add(&mut world.resource_mut::<Recorder>(), channel);
    }
    let selected = world.get_resource::<Selection>().map_or(0, |selection| selection.0.len());
    if selected > 0 {
        let add = usable(ui, has_room, |ui| ui.button(tr!("Add the selected discs")));
        let help = tr!("Adds a curve for each selected disc, with the variable of the last curve");
        if add.on_hover_text(help).on_disabled_hover_text(full).clicked() {
            add_selected(world, plots);
        }
    }
}

/// Adds a curve for each selected disc.
fn add_selected(world: &mut World, plots: &mut Plots) {
    let selected = world.resource::<Selection>().0.iter().filter_map(|&disc| world.get::<StableId>(disc));
    let selected: Vec<u64> = selected.map(|id| id.0).collect();
    let variable = plots.curves.last().map(|curve| curve.channel.variable);
    let variable = variable.filter(|variable| variable.is_of(SubjectKind::Disc)).unwrap_or(Variable::Speed);
    let mut recorder = world.resource_mut::<Recorder>();
    for id in selected {
        let channel = Channel::new(Subject::Disc(id), variable);
        if !plots.curves.iter().any(|curve| curve.channel == channel) {
            plots.add(&mut recorder, channel);
        }
    }
}

fn show_against(ui: &mut Ui, world: &mut World, plots: &mut Plots) {
    let text = |against: Against| match against {
        Against::Time => tr!("the time"),
        Against::Own(variable) => tr!("its own {}", word(variable)),
        Against::Table(variable) => tr!("{} of the table", word(variable)),
    };
    let has = |variable: &Variable| plots.curves.iter().any(|curve| variable.is_of(curve.channel.subject.kind()));
    let own = VARIABLES.iter().map(|info| info.variable).filter(has).map(Against::Own);
    let is_of_table = |variable: &Variable| variable.is_of(SubjectKind::Table);
    let of_table = VARIABLES.iter().map(|info| info.variable).filter(is_of_table).map(Against::Table);
    let all: Vec<Against> = [Against::Time].into_iter().chain(own).chain(of_table).collect();
    ui.label(tr!("against"));
    let mut now = plots.against;
    let chooser = ComboBox::from_id_salt("against").selected_text(text(now)).width(120.0).height(LISTS).truncate();
    let chooser = chooser.show_ui(ui, |ui| {
        for against in all {
            ui.selectable_value(&mut now, against, text(against));
        }
    });
    let help = tr!("The horizontal axis of all curves. Hits per disc of the table is the natural clock of a gas.");
    chooser.response.named(tr!("Against")).on_hover_text(help);
    if now != plots.against {
        plots.draw_against(&mut world.resource_mut::<Recorder>(), now);
    }
}

fn show_curves(ui: &mut Ui, world: &mut World, plots: &mut Plots) {
    let mut removed = None;
    for place in 0..plots.curves.len() {
        let before = plots.curves[place].channel;
        let mut channel = before;
        ui.horizontal_wrapped(|ui| {
            let ink = colour(world.resource::<Theme>(), place);
            let (swatch, _) = ui.allocate_exact_size(egui::vec2(10.0, 10.0), egui::Sense::hover());
            ui.painter().rect_filled(swatch, 2, ink);
            show_subject(ui, world, place, &mut channel);
            show_variable(ui, place, &mut channel);
            let remove = ui.button("✖").named(tr!("Remove curve {}", place + 1));
            if remove.on_hover_text(tr!("Removes the curve and its samples")).clicked() {
                removed = Some(place);
            }
            let recorder = world.resource::<Recorder>();
            let last = recorder.get(plots.curves[place].recording).and_then(|recording| recording.samples().last());
            match last {
                Some(last) => _ = ui.weak(measured(last.y, channel.variable.info().unit)),
                None => _ = ui.weak(tr!("no values yet")),
            }
        });
        if channel != before {
            plots.change(&mut world.resource_mut::<Recorder>(), place, channel);
        }
    }
    if let Some(place) = removed {
        plots.remove(&mut world.resource_mut::<Recorder>(), place);
    }
}

fn show_subject(ui: &mut Ui, world: &mut World, place: usize, channel: &mut Channel) {
    let word = SUBJECTS.iter().find(|(subject, _)| is_alike(*subject, channel.subject)).map_or("", |(_, word)| word);
    let chooser =
        ComboBox::from_id_salt(("subject", place)).selected_text(tr!(word)).width(110.0).height(LISTS).truncate();
    let chooser = chooser.show_ui(ui, |ui| {
        for (subject, word) in SUBJECTS {
            if ui.selectable_label(is_alike(subject, channel.subject), tr!(word)).clicked() {
                channel.subject = numbered(world, subject);
            }
        }
    });
    let help = tr!("What the curve is about. Selected: it follows the selection.");
    chooser.response.named(tr!("Subject of curve {}", place + 1)).on_hover_text(help);
    let kind = channel.subject.kind();
    if let Subject::Disc(id) | Subject::Terrain(id) = &mut channel.subject {
        let number = ui.add(DragValue::new(id).speed(0.1)).named(tr!("Number in curve {}", place + 1));
        number.on_hover_text(tr!("The number of the disc or of the piece of terrain, as in its section of the panel"));
    }
    // A variable that the new kind of subject lacks is replaced by its first one.
    if !channel.variable.is_of(kind) {
        let first = VARIABLES.iter().map(|info| info.variable).find(|variable| variable.is_of(kind));
        channel.variable = first.unwrap_or(channel.variable);
    }
}

/// A subject of a kind, with the number of the selected or of the first disc or piece of terrain.
fn numbered(world: &mut World, subject: Subject) -> Subject {
    match subject {
        Subject::Disc(_) => {
            let selected = world.get_resource::<Selection>().and_then(|selection| selection.0.first().copied());
            let of_first = || world.resource::<crate::collision::PhysicsSpace>().discs.id.first().copied();
            Subject::Disc(id_of(world, selected).or_else(of_first).unwrap_or(1))
        }
        Subject::Terrain(_) => {
            let selected = world.get_resource::<ChosenTerrain>().and_then(|chosen| chosen.0);
            let id = id_of(world, selected).or_else(|| {
                let mut pieces = world.query_filtered::<&StableId, With<Terrain>>();
                pieces.iter(world).map(|id| id.0).min()
            });
            Subject::Terrain(id.unwrap_or(1))
        }
        subject => subject,
    }
}

fn id_of(world: &World, entity: Option<Entity>) -> Option<u64> {
    world.get::<StableId>(entity?).map(|id| id.0)
}

fn show_variable(ui: &mut Ui, place: usize, channel: &mut Channel) {
    let info = channel.variable.info();
    let chooser = ComboBox::from_id_salt(("variable", place))
        .selected_text(word(info.variable))
        .width(130.0)
        .height(LISTS)
        .truncate();
    let chooser = chooser.show_ui(ui, |ui| {
        let kind = channel.subject.kind();
        for info in VARIABLES.iter().filter(|info| info.variable.is_of(kind)) {
            let item = ui.selectable_label(info.variable == channel.variable, word(info.variable));
            let help = info.help;
            if item.on_hover_text(tr!(help)).clicked() {
                channel.variable = info.variable;
            }
        }
    });
    let help = info.help;
    chooser.response.named(tr!("Variable of curve {}", place + 1)).on_hover_text(tr!(help));
}

/// What recording costs, and how dense the samples are.
fn show_cost(ui: &mut Ui, plots: &Plots, recorder: &Recorder) {
    let spacing = plots.recordings(recorder).map(|(_, recording)| recording.spacing()).fold(0.0, f64::max);
    let cost = measured(recorder.cost().as_secs_f64() * 1e6, "µs");
    let text = if spacing > 0.0 {
        tr!(
            "Recording takes {} per tick. One sample per {}; bands go from the least to the greatest value.",
            cost,
            measured(spacing, "s")
        )
    } else {
        tr!("Recording takes {} per tick. Every tick is a sample.", cost)
    };
    let help = tr!(
        "A curve has at most 4096 samples. When they are full, neighbours are merged and keep their least and greatest value, so that no spike is lost."
    );
    ui.small(RichText::new(text).weak()).on_hover_text(help);
}
