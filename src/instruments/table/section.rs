//! The section *Instruments*: adds, names, sets and removes them, and lists all of their readings.

use bevy::prelude::*;
use bevy_egui::egui::{Align, Button, ComboBox, Layout, TextEdit, Ui};
use tr::tr;

use super::draw;
use crate::{
    components::{Disc, StableId, Terrain},
    editor::ChosenTerrain,
    input::Selection,
    laboratory::instruments::{
        CentreOfMass, Counter, ForceGauge, Instrument, InstrumentEvent, InstrumentKind, InstrumentRecords, Instruments,
        MOST_INSTRUMENTS, Photogate, Stopwatch, Tracer,
    },
    notice::mark,
    panel::{
        Field, InMatch, Section,
        widgets::{edit, reading, usable},
    },
    view::{Named, main_view},
};

pub(super) const SECTION: Section = Section::new("instruments", mark("Instruments"), show)
    .applies(World::contains_resource::<Instruments>)
    .in_match(InMatch::LeftOut)
    .before("view");

/// The bodies that a person has selected, and the first ones of the scene, by their ids.
struct Bodies {
    selected: Vec<u64>,
    first_disc: Option<u64>,
    terrain: Option<u64>,
}

impl Bodies {
    fn of(world: &mut World) -> Self {
        let id = |world: &World, entity: Entity| world.get::<StableId>(entity).map(|id| id.0);
        let selection = world.get_resource::<Selection>().map(|selection| selection.0.clone()).unwrap_or_default();
        let selected = selection.into_iter().filter_map(|disc| id(world, disc)).collect();
        let chosen = world.get_resource::<ChosenTerrain>().and_then(|chosen| chosen.0);
        let first_disc = world.query_filtered::<&StableId, With<Disc>>().iter(world).min().map(|id| id.0);
        let first_piece = world.query_filtered::<&StableId, With<Terrain>>().iter(world).min().map(|id| id.0);
        Self { selected, first_disc, terrain: chosen.and_then(|piece| id(world, piece)).or(first_piece) }
    }

    fn disc(&self) -> Option<u64> {
        self.selected.first().copied().or(self.first_disc)
    }
}

/// The names of the photogates.
fn gates(instruments: &Instruments) -> Vec<String> {
    let gates = instruments.iter().filter(|it| matches!(it.kind, InstrumentKind::Photogate(_)));
    gates.map(|gate| gate.name.clone()).collect()
}

/// A new instrument of each kind with its help; `None` where the scene has nothing for it to measure.
fn offers(instruments: &Instruments, bodies: &Bodies) -> [(Option<InstrumentKind>, &'static str, String); 6] {
    let gates = gates(instruments);
    let passage = |gate: Option<&String>| gate.cloned().map(InstrumentEvent::Passage);
    let watch = match &gates[..] {
        [first, .., last] => {
            Stopwatch { start: InstrumentEvent::Passage(first.clone()), stop: InstrumentEvent::Passage(last.clone()) }
        }
        _ => Stopwatch { start: InstrumentEvent::Pause, stop: InstrumentEvent::AnyHit },
    };
    let counter = Counter { of: passage(gates.last()).unwrap_or_default() };
    [
        (
            Some(Photogate::default().into()),
            mark("Photogate"),
            tr!("Counts discs whose centres cross a line, with times and speeds"),
        ),
        (
            Some(watch.into()),
            mark("Stopwatch"),
            tr!("Is started and stopped by events, such as passages of photogates"),
        ),
        (Some(counter.into()), mark("Counter"), tr!("Counts events, such as hits of a disc")),
        (
            bodies.terrain.map(|terrain| ForceGauge { terrain, seconds: 5.0 }.into()),
            mark("Force gauge"),
            tr!("Measures the force of the hits on the selected terrain, or on the first piece"),
        ),
        (
            bodies.disc().map(|disc| Tracer { disc, every: 0.5 }.into()),
            mark("Tracer"),
            tr!("Draws the path of the selected disc, or of the first one, with marks at equal times"),
        ),
        (
            bodies.disc().map(|_| CentreOfMass { discs: bodies.selected.clone() }.into()),
            mark("Centre of mass"),
            tr!("Draws the centre of mass of the selected discs, or of all, with its path and velocity"),
        ),
    ]
}

fn show(ui: &mut Ui, world: &mut World) {
    let bodies = Bodies::of(world);
    let place = main_view(world).map_or(Vec2::ZERO, |view| view.to_world(view.area.center()));
    let instruments = world.resource::<Instruments>();
    let has_room = instruments.len() < MOST_INSTRUMENTS;
    let mut added = None;
    for row in offers(instruments, &bodies).chunks(3) {
        ui.horizontal(|ui| {
            for &(ref kind, name, ref help) in row {
                let name = tr!(name);
                let button =
                    usable(ui, has_room && kind.is_some(), |ui| ui.button(name.clone()).named(tr!("Add: {}", name)));
                if button.on_hover_text(help).clicked() {
                    added.clone_from(kind);
                }
            }
        });
    }
    if let Some(kind) = added {
        edit(world, |instruments: &mut Instruments| {
            let name = kind.name();
            let name = instruments.free_name(&tr!(name));
            // So that several do not cover each other.
            let step = instruments.len() as f32 * 0.02;
            instruments.push(Instrument::new(name, place - Vec2::splat(step), kind));
        });
    }
    if world.resource::<Instruments>().is_empty() {
        ui.weak(tr!("Click one to place it, and drag it on the table. It measures and changes nothing."));
    }
    let mut removed = None;
    for index in 0..world.resource::<Instruments>().len() {
        ui.push_id(index, |ui| {
            ui.separator();
            if show_instrument(ui, world, index, &bodies) {
                removed = Some(index);
            }
        });
    }
    if let Some(index) = removed {
        edit(world, |instruments: &mut Instruments| _ = instruments.0.remove(index));
    }
}

/// Shows an instrument, and returns whether it is to be removed.
fn show_instrument(ui: &mut Ui, world: &mut World, index: usize, bodies: &Bodies) -> bool {
    let mut is_removed = false;
    let was = world.resource::<Instruments>()[index].clone();
    ui.horizontal(|ui| {
        show_name(ui, world, index, &was.name);
        let kind = was.kind.name();
        ui.weak(tr!(kind));
        ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
            let remove = ui.add(Button::new("×").frame(false).small()).named(tr!("Remove {}", was.name));
            is_removed = remove.on_hover_text(tr!("Removes the instrument")).clicked();
            let reset = ui.add(Button::new("↺").frame(false).small()).named(tr!("Reset {}", was.name));
            if reset.on_hover_text(tr!("Forgets what it has measured")).clicked() {
                world.resource_mut::<InstrumentRecords>().reset(index);
            }
        });
    });
    let readings = world.resource::<InstrumentRecords>().readings(world.resource::<Instruments>(), index);
    for (name, value) in draw::named(&readings) {
        reading(ui, &name, &name, value);
    }
    edit(world, |instruments: &mut Instruments| {
        let gates = gates(instruments);
        let Some(Instrument { name, position, kind }) = instruments.get_mut(index) else { return };
        let before = kind.clone();
        let named = |label: String| tr!("{} of {}", label, name);
        show_settings(ui, kind, bodies, &gates, &named);
        if kind.check().is_err() {
            *kind = before;
        }
        let mut to = *position;
        Field::new(tr!("Place"), tr!("Place on the table, m: to the right, upward"))
            .named(named(tr!("Place")))
            .unit(" m")
            .row(ui, |ui, field| field.vector(ui, &mut to));
        if to.is_finite() {
            *position = to;
        }
    });
    is_removed
}

/// The name, which is changed as the field loses the focus.
fn show_name(ui: &mut Ui, world: &mut World, index: usize, name: &str) {
    let id = ui.id().with("name");
    let mut text = ui.data(|data| data.get_temp::<String>(id)).unwrap_or_else(|| name.to_owned());
    let field = ui.add(TextEdit::singleline(&mut text).desired_width(110.0)).named(tr!("Name of {}", name));
    if field.has_focus() {
        ui.data_mut(|data| data.insert_temp(id, text));
    } else if field.lost_focus() {
        ui.data_mut(|data| data.remove::<String>(id));
        if text != name {
            edit(world, |instruments: &mut Instruments| _ = instruments.rename(index, text.trim()));
        }
    }
    field.on_hover_text(tr!("Stopwatches and counters find a photogate by its name. Names must differ."));
}

fn show_settings(
    ui: &mut Ui,
    kind: &mut InstrumentKind,
    bodies: &Bodies,
    gates: &[String],
    named: &dyn Fn(String) -> String,
) {
    let seconds = |ui: &mut Ui, label: String, help: String, value: &mut f32| {
        let field = Field::new(label.clone(), help).named(named(label)).range(0.001..=10_000.0).unit(" s").digits(3);
        field.speed(0.05).row(ui, |ui, field| field.number(ui, value));
    };
    match kind {
        InstrumentKind::Photogate(gate) => {
            Field::new(tr!("Half line"), tr!("From its middle to one end, m: to the right, upward"))
                .named(named(tr!("Half line")))
                .unit(" m")
                .row(ui, |ui, field| field.vector(ui, &mut gate.half));
        }
        InstrumentKind::Stopwatch(watch) => {
            show_event(ui, tr!("Start"), &mut watch.start, (bodies, gates), named);
            show_event(ui, tr!("Stop"), &mut watch.stop, (bodies, gates), named);
        }
        InstrumentKind::Counter(counter) => show_event(ui, tr!("Counts"), &mut counter.of, (bodies, gates), named),
        InstrumentKind::ForceGauge(gauge) => {
            show_body(ui, tr!("Terrain"), &mut gauge.terrain, bodies.terrain, named);
            let help = tr!("The time over which hits are added up, s; 0.001 to 10,000");
            seconds(ui, tr!("Window"), help, &mut gauge.seconds);
        }
        InstrumentKind::Tracer(tracer) => {
            show_body(ui, tr!("Disc"), &mut tracer.disc, bodies.disc(), named);
            seconds(ui, tr!("Marks every"), tr!("The time between two marks, s; 0.001 to 10,000"), &mut tracer.every);
        }
        InstrumentKind::CentreOfMass(centre) => {
            ui.horizontal(|ui| {
                let count = centre.discs.len();
                ui.label(if count == 0 { tr!("all discs") } else { tr!("a disc" | "{n} discs" % count) });
                let selected = usable(ui, !bodies.selected.is_empty(), |ui| ui.button(tr!("Selected")));
                if selected.on_hover_text(tr!("Takes the selected discs")).clicked() {
                    centre.discs.clone_from(&bodies.selected);
                }
                if ui.button(tr!("All")).on_hover_text(tr!("Takes all discs")).clicked() {
                    centre.discs.clear();
                }
            });
        }
    }
}

/// The number of a disc or a piece of terrain, with a button for the selected one.
fn show_body(ui: &mut Ui, label: String, id: &mut u64, selected: Option<u64>, named: &dyn Fn(String) -> String) {
    let field = Field::new(label.clone(), tr!("The number of the disc or the terrain")).named(named(label)).digits(0);
    field.speed(0.1).range(0.0..=1e15).row(ui, |ui, field| {
        field.number(ui, id);
        let button = usable(ui, selected.is_some(), |ui| ui.button(tr!("Selected")));
        if let Some(selected) = selected
            && button.on_hover_text(tr!("Takes the selected one")).clicked()
        {
            *id = selected;
        }
    });
}

/// An event in words.
fn event_in_words(event: &InstrumentEvent) -> String {
    match event {
        InstrumentEvent::AnyHit => tr!("any hit"),
        InstrumentEvent::Hit(id) => tr!("hit of {}", id),
        InstrumentEvent::Passage(gate) => tr!("passage of {}", gate),
        InstrumentEvent::Rest(id) => tr!("{} comes to rest", id),
        InstrumentEvent::AllAtRest => tr!("all at rest"),
        InstrumentEvent::Pause => tr!("after a pause"),
    }
}

fn show_event(
    ui: &mut Ui,
    label: String,
    event: &mut InstrumentEvent,
    (bodies, gates): (&Bodies, &[String]),
    named: &dyn Fn(String) -> String,
) {
    let disc = bodies.disc();
    let mut offers = vec![InstrumentEvent::AnyHit, InstrumentEvent::Pause, InstrumentEvent::AllAtRest];
    offers.extend(gates.iter().cloned().map(InstrumentEvent::Passage));
    offers.extend(disc.map(InstrumentEvent::Hit));
    offers.extend(bodies.terrain.map(InstrumentEvent::Hit));
    offers.extend(disc.map(InstrumentEvent::Rest));
    let help = tr!("Select a disc or terrain to choose its hits");
    Field::new(label.clone(), &*help).row(ui, |ui, _| {
        let name = named(label.clone());
        let chooser = ComboBox::from_id_salt(&name).width(150.0).selected_text(event_in_words(event));
        let chooser = chooser.show_ui(ui, |ui| {
            for offer in offers {
                if ui.selectable_label(*event == offer, event_in_words(&offer)).clicked() {
                    *event = offer;
                }
            }
        });
        chooser.response.named(name).on_hover_text(&help);
    });
}
