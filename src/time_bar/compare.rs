//! The section *Compare* of the panel: two tracks, the difference of each disc, and how their distance grows.

use std::{collections::BTreeMap, time::Duration};

use bevy::{platform::time::Instant, prelude::*};
use bevy_egui::egui::{self, Ui};
use egui_plot::{Line, PlotPoints};
use tr::tr;

use super::{ghosts::Ghosts, keys::chosen, state::TimeBar};
use crate::{
    components::StableId,
    number::{decimals, measured},
    panel::widgets::{reading, still_plot},
    timeline::{
        History, TrackId,
        history::{Divergence, Growth},
    },
    view::{Named, Theme, theme::egui as ink},
};

/// The most points of the plot.
const MAX_POINTS: u64 = 200;

/// The time for new points in a frame.
const TIME_PER_FRAME: Duration = Duration::from_millis(2);

/// The line is fitted while the discs are apart by less than this share of the mean radius.
const ALIKE: f64 = 0.1;

/// The discs in the list of differences, if none is selected.
const LISTED: usize = 5;

/// The distances of two tracks.
#[derive(Resource, Default)]
pub struct Comparison {
    of: Option<(TrackId, TrackId)>,
    /// The number of hits when the tracks parted.
    collisions: u64,
    /// The mean radius of the discs then, metres.
    radius: f64,
    points: BTreeMap<u64, Divergence>,
}

impl Comparison {
    /// Adds points that are missing, for a limited time.
    fn go_on(&mut self, history: &History, (a, b): (TrackId, TrackId)) {
        if self.of != Some((a, b)) {
            let start = history.last_shared(a, b).and_then(|fork| history.stored(a, fork)).unwrap_or_default();
            let radii: f64 = start.discs.iter().map(|disc| f64::from(disc.radius)).sum();
            let radius = radii / start.discs.len().max(1) as f64;
            *self = Self { of: Some((a, b)), collisions: start.collisions, radius, points: BTreeMap::new() };
        }
        let begin = Instant::now();
        let ticks = history.stored_on_both(a, b);
        let span = ticks.last().zip(ticks.first()).map_or(0, |(last, first)| last - first);
        // A power of two, so that the points stay while the run continues.
        let stride = (span / MAX_POINTS + 1).next_power_of_two();
        let is_wanted = |tick: u64| tick.is_multiple_of(stride);
        self.points.retain(|tick, _| is_wanted(*tick));
        for tick in ticks.into_iter().filter(|tick| is_wanted(*tick)) {
            if begin.elapsed() > TIME_PER_FRAME {
                break;
            }
            if !self.points.contains_key(&tick)
                && let Some((a, b)) = history.stored(a, tick).zip(history.stored(b, tick))
                && let Some(point) = Divergence::of(&a, &b, self.collisions)
            {
                self.points.insert(tick, point);
            }
        }
    }
}

/// Whether there are two tracks.
pub(super) fn applies(world: &World) -> bool {
    world.get_resource::<History>().is_some_and(|history| history.tracks().count() > 1)
}

pub(super) fn show(ui: &mut Ui, world: &mut World) {
    let (bar, history) = (world.resource::<TimeBar>(), world.resource::<History>());
    let (Some(current), Some(other)) = (history.current_track(), bar.compared(history)) else { return };
    let number = |id: TrackId| history.tracks().position(|track| track.id == id).map_or(0, |place| place + 1);
    let (mut ghosts, mut chosen_track) = (bar.ghosts, other);
    ui.horizontal(|ui| {
        ui.label(tr!("Track {} with", number(current)));
        let list = egui::ComboBox::from_id_salt("other track").selected_text(tr!("Track {}", number(other)));
        let list = list.show_ui(ui, |ui| {
            for track in history.tracks().filter(|track| !track.is_current) {
                ui.selectable_value(&mut chosen_track, track.id, tr!("Track {}", number(track.id)));
            }
        });
        list.response
            .named(tr!("Compared track"))
            .on_hover_text(tr!("The track that the current one is compared with"));
    });
    ui.checkbox(&mut ghosts, tr!("Ghosts"))
        .on_hover_text(tr!("Draws the discs of the other track at the same tick, with a line from each disc"));
    let is_same = ghosts == bar.ghosts && chosen_track == other;
    if !is_same {
        let mut bar = world.resource_mut::<TimeBar>();
        (bar.ghosts, bar.other) = (ghosts, Some(chosen_track));
    }
    show_differences(ui, world);
    world.resource_scope(|world, mut comparison: Mut<Comparison>| {
        comparison.go_on(world.resource(), (current, other));
        show_growth(ui, world, &comparison);
    });
}

fn show_differences(ui: &mut Ui, world: &World) {
    let (ghosts, history) = (world.resource::<Ghosts>(), world.resource::<History>());
    let Some(tick) = ghosts.tick else { return };
    if tick != history.tick() {
        ui.weak(tr!("The ghosts are at tick {}, the nearest known one.", tick));
    }
    let own = chosen(world).and_then(|disc| world.get::<StableId>(disc));
    let is_listed = |id: StableId| own.is_none_or(|own| *own == id);
    for disc in ghosts.differences.iter().filter(|disc| is_listed(disc.id)).take(LISTED) {
        let apart = measured(f64::from(disc.apart.length()), "m");
        let faster = measured(f64::from(disc.velocity.length()), "m/s");
        let help = tr!("How far the disc and its ghost are apart, and the difference of their velocities");
        reading(ui, &tr!("Disc {}", disc.id.0), &help, format!("{apart}, {faster}"));
    }
}

fn show_growth(ui: &mut Ui, world: &World, comparison: &Comparison) {
    let points: Vec<Divergence> = comparison.points.values().copied().collect();
    let Some(last) = points.last() else { return };
    let help = tr!("Root of the mean square of the distances of all discs from their ghosts, and the largest distance");
    let values = [measured(last.rms, "m"), measured(last.largest, "m")].join(", ");
    reading(ui, &tr!("Distance: rms, largest"), &help, values);
    let growth = Growth::of(&points, ALIKE * comparison.radius);
    let slope = growth.map_or_else(|| "–".to_owned(), |it| [decimals(it.slope, 3), decimals(it.error, 3)].join(" ± "));
    let help = tr!(
        "Slope of ln distance against collisions per disc, while the rms distance is below a tenth of the mean radius. \
        In a dilute gas it is the largest Lyapunov exponent over the collision rate."
    );
    reading(ui, &tr!("Growth per collision"), &help, slope);
    let theme = world.resource::<Theme>();
    let curve = |value: fn(&Divergence) -> f64| -> Vec<[f64; 2]> {
        let of = |point: &Divergence| [point.hits_per_disc, value(point).ln()];
        points.iter().map(of).filter(|[_, value]| value.is_finite()).collect()
    };
    let (rms, largest) = (curve(|point| point.rms), curve(|point| point.largest));
    let fit = growth.map(|it| {
        let last = points.iter().filter(|point| point.rms < ALIKE * comparison.radius).map(|point| point.hits_per_disc);
        let end = last.fold(0.0, f64::max);
        vec![[0.0, it.start.ln()], [end, it.start.ln() + it.slope * end]]
    });
    still_plot("growth of the distance", 150.0).show(ui, |plot| {
        let line = |name: &'static str, points: Vec<[f64; 2]>, colour| {
            Line::new(name, PlotPoints::new(points)).color(ink(colour)).width(1.8)
        };
        plot.line(line("rms", rms, theme.lesson.after));
        plot.line(line("largest", largest, theme.lesson.across));
        if let Some(fit) = fit {
            plot.line(line("fit", fit, theme.lesson.before));
        }
    });
    ui.weak(tr!("ln of the distance in metres against collisions per disc: rms (green), largest (red), fit (grey)"));
}
