//! The section *Measure*: quantities of the running simulation, with errors, the theory beside them, and their curves.

use std::time::Duration;

use bevy::{platform::time::Instant, prelude::*};
use bevy_egui::egui::{self, Button, Color32, RichText, Ui};
use egui_plot::{Line, LineStyle, PlotPoints, Points};
use tr::tr;

use super::plots;
use crate::{
    collision::PhysicsSpace,
    laboratory::{Curve, Estimate, Laboratory, Measured, Point, QUANTITIES, Quantity, Reading},
    notice::mark,
    number::{digits, measured, trimmed, with_error},
    panel::{
        Field, InMatch, PanelAppExt, Section,
        widgets::{reading, still_plot},
    },
    view::{Named, Theme, theme::egui as ink},
};

/// How often results are computed.
const EVERY: Duration = Duration::from_millis(300);

/// The results take at most one part in this many of the time.
const SHARE: u32 = 20;

/// The share of real time above which a quantity is called expensive.
const EXPENSIVE: f64 = 0.2;

/// The differences from the theory, in standard errors, up to which a value agrees with it, and up to which it may.
const AGREES: f64 = 2.0;
const MAY_AGREE: f64 = 3.0;

/// The height of a curve, points.
const HEIGHT: f32 = 150.0;

/// The latest results, which are not computed in every frame.
#[derive(Resource, Default)]
pub(super) struct Results {
    taken: Option<Instant>,
    /// How long they took.
    took: Duration,
    /// The simulated seconds and the quantities that they are about.
    seconds: f64,
    measured: Vec<Measured>,
    costs: Vec<Duration>,
    /// Whether the curves over hits per disc are shown over seconds.
    in_seconds: bool,
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Results>().add_panel_section(
        Section::new("measure", mark("Measure"), show)
            .applies(|world| world.contains_resource::<Laboratory>() && world.contains_resource::<Results>())
            .in_match(InMatch::LeftOut)
            .after("energy"),
    );
}

impl Results {
    /// Computes the results if they are due.
    fn refresh(&mut self, laboratory: &Laboratory) {
        let names = |quantities: &[&'static Quantity]| quantities.iter().map(|it| it.name).collect::<Vec<_>>();
        let of: Vec<&Quantity> = self.measured.iter().map(|measured| measured.quantity).collect();
        let is_same = names(&of) == names(laboratory.quantities());
        let pause = EVERY.max(self.took * SHARE);
        let is_due = self.taken.is_none_or(|taken| taken.elapsed() >= pause) && self.seconds != laboratory.seconds();
        if is_same && !is_due {
            return;
        }
        let start = Instant::now();
        self.measured = laboratory.results();
        self.costs = laboratory.costs();
        self.seconds = laboratory.seconds();
        (self.taken, self.took) = (Some(Instant::now()), start.elapsed());
    }
}

fn show(ui: &mut Ui, world: &mut World) {
    plots::show_button(ui, world);
    show_choice(ui, world);
    if !world.resource::<Laboratory>().is_measuring() {
        ui.weak(tr!("Choose a quantity. It is measured from then on."));
        return;
    }
    world.resource_scope(|world, mut results: Mut<Results>| {
        let laboratory = world.resource::<Laboratory>();
        results.refresh(laboratory);
        show_run(ui, laboratory);
        show_buttons(ui, world, &mut results);
        let laboratory = world.resource::<Laboratory>();
        let look = Look {
            theme: world.resource::<Theme>(),
            time_step: f64::from(world.resource::<PhysicsSpace>().clock.time_step),
            seconds_per_hit: (results.in_seconds && laboratory.hits_per_disc() > 0.0)
                .then(|| laboratory.seconds() / laboratory.hits_per_disc()),
        };
        for (place, measured) in results.measured.iter().enumerate() {
            look.show(ui, measured, results.costs.get(place).copied().unwrap_or_default());
        }
    });
}

/// The names of all quantities, each as a switch.
fn show_choice(ui: &mut Ui, world: &mut World) {
    let chosen: Vec<&'static Quantity> = world.resource::<Laboratory>().quantities().to_vec();
    let is_chosen = |quantity: &Quantity| chosen.iter().any(|other| other.name == quantity.name);
    let mut clicked = None;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::vec2(4.0, 4.0);
        for quantity in QUANTITIES {
            let Quantity { title, about, needs, .. } = **quantity;
            let button = ui.add(Button::selectable(is_chosen(quantity), tr!(title)));
            let explain = |ui: &mut Ui| {
                ui.set_max_width(300.0);
                ui.label(tr!(about));
                ui.weak(tr!("Needs: {}", tr!(needs)));
                ui.weak(tr!("A change of the choice restarts all measurements."));
            };
            if button.on_hover_ui(explain).clicked() {
                clicked = Some(*quantity);
            }
        }
    });
    if let Some(clicked) = clicked {
        let next = QUANTITIES.iter().copied().filter(|it| is_chosen(it) != (it.name == clicked.name));
        world.resource_mut::<Laboratory>().start(next);
    }
}

/// What is measured: the number of discs, how dense they are, and for how long.
fn show_run(ui: &mut Ui, laboratory: &Laboratory) {
    let Some(gas) = laboratory.gas() else { return };
    let help = tr!("Number of discs, and the share of the box that they cover. Other spaces than a box have no share.");
    let share = gas.packing_fraction().map_or_else(|| "–".to_owned(), |share| trimmed(share, 4));
    reading(ui, &tr!("Discs, packing fraction"), &help, format!("{}, {share}", gas.count));
    let help = tr!(
        "Hits with other discs that each disc has had, and the simulated time, since the measurement began. Twenty hits \
        or more give good errors."
    );
    let hits = measured(laboratory.hits_per_disc(), "");
    reading(ui, &tr!("Hits per disc, time"), &help, format!("{hits}, {}", measured(laboratory.seconds(), "s")));
}

fn show_buttons(ui: &mut Ui, world: &mut World, results: &mut Results) {
    let is_over_hits = |measured: &Measured| measured.quantity.curve.is_some_and(|curve| curve.x == HITS);
    let has_hits = results.measured.iter().any(is_over_hits);
    ui.horizontal(|ui| {
        let help = tr!("Forgets the results and measures from now on. Changes of discs, settings or gravity do the same.");
        if ui.button(tr!("Restart the measurement")).on_hover_text(help).clicked() {
            let mut laboratory = world.resource_mut::<Laboratory>();
            let same = laboratory.quantities().to_vec();
            laboratory.start(same);
        }
        if has_hits {
            let help = tr!("Draws curves over seconds instead of hits per disc. Hits are the clock of a gas: its curves over hits hardly depend on its density and temperature.");
            Field::new(tr!("Curves over seconds"), help).tick(ui, &mut results.in_seconds, tr!("seconds"));
        }
    });
}

/// The axis of curves over hits.
const HITS: &str = mark("hits per disc");

/// The looks of results.
struct Look<'a> {
    theme: &'a Theme,
    /// The length of a tick, seconds.
    time_step: f64,
    /// The factor from hits per disc to seconds, if curves are drawn over seconds.
    seconds_per_hit: Option<f64>,
}

/// How a value compares with its theory: the difference in standard errors, and what it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Agreement {
    Yes,
    Perhaps,
    No,
}

impl Agreement {
    fn of(difference: f64) -> Self {
        match difference.abs() {
            size if size <= AGREES => Self::Yes,
            size if size <= MAY_AGREE => Self::Perhaps,
            _ => Self::No,
        }
    }
}

impl Look<'_> {
    fn show(&self, ui: &mut Ui, measured: &Measured, cost: Duration) {
        let Quantity { title, about, .. } = *measured.quantity;
        ui.add_space(6.0);
        ui.strong(tr!(title)).on_hover_text(tr!(about));
        match &measured.outcome {
            Ok(reading) => self.show_reading(ui, measured.quantity, reading),
            Err(reason) => _ = ui.weak(said(reason)),
        }
        self.show_cost(ui, cost);
    }

    fn show_reading(&self, ui: &mut Ui, quantity: &'static Quantity, measured: &Reading) {
        let Quantity { about, unit, .. } = *quantity;
        let Estimate { value, error, theory } = measured.value;
        let [number, uncertainty] = with_error(value, error);
        let help = tr!("{}. Mean ± standard error.", tr!(about));
        let value_text = [&*number, &*uncertainty, unit].join(" ");
        reading(ui, &tr!("Value"), &help, RichText::new(value_text.trim_end()).strong());
        if let Some(theory) = theory {
            let help = tr!("What the theory says at the measured temperature");
            reading(ui, &tr!("Theory"), &help, [&digits(theory), unit].join(" "));
            if let Some(error) = error.filter(|error| *error > 0.0) {
                let difference = (value - theory) / error;
                let help = tr!(
                    "How far the value is above the theory. In 95 of 100 measurements it is less than two standard errors."
                );
                let text = tr!("{} standard errors", format!("{difference:+.1}"));
                let text = RichText::new(text).color(self.colour(Agreement::of(difference)));
                reading(ui, &tr!("Difference"), &help, text);
            }
        }
        for note in &measured.notes {
            ui.add(egui::Label::new(RichText::new(said(note)).small().weak()).wrap());
        }
        if let Some(axes) = quantity.curve.filter(|_| !measured.curve.is_empty()) {
            self.show_curve(ui, quantity, axes, &measured.curve);
        }
    }

    fn colour(&self, agreement: Agreement) -> Color32 {
        ink(match agreement {
            Agreement::Yes => self.theme.lesson.after,
            Agreement::Perhaps => self.theme.text.accent,
            Agreement::No => self.theme.text.error,
        })
    }

    fn show_curve(&self, ui: &mut Ui, quantity: &Quantity, axes: Curve, curve: &[Point]) {
        let Curve { x, y } = axes;
        let (scale, x_title) = match self.seconds_per_hit.filter(|_| x == HITS) {
            Some(seconds) => (seconds, tr!("time (s)")),
            None => (1.0, tr!(x)),
        };
        let curve: Vec<Point> = curve.iter().map(|&point| Point { x: point.x * scale, ..point }).collect();
        let [values, theory] = [self.theme.lesson.after, self.theme.text.soft].map(ink);
        ui.small(tr!(y));
        let plot = still_plot(quantity.name, HEIGHT).y_axis_min_width(44.0).label_formatter(|at| match at {
            egui_plot::HoverPosition::NearDataPoint { position, index, .. } => Some(told(&curve, *index, position)),
            egui_plot::HoverPosition::Elsewhere { .. } => None,
        });
        let response = plot.show(ui, |plot| {
            let with_theory = curve.iter().filter_map(|point| Some([point.x, point.estimate.theory?]));
            let line = Line::new("theory", with_theory.collect::<PlotPoints>());
            plot.line(line.color(theory).width(1.5).style(LineStyle::dashed_loose()).allow_hover(false));
            for Point { x, estimate: Estimate { value, error, .. } } in &curve {
                if let Some(error) = error.filter(|error| error.is_finite()) {
                    let bar = PlotPoints::from(vec![[*x, value - error], [*x, value + error]]);
                    plot.line(Line::new("error", bar).color(values).width(1.0).allow_hover(false));
                }
            }
            let points: PlotPoints = curve.iter().map(|point| [point.x, point.estimate.value]).collect();
            plot.points(Points::new("value", points).color(values).radius(2.0));
        });
        let title = quantity.title;
        let name = tr!("{}: points with error bars; the dashed line is the theory", tr!(title));
        response.response.named(name);
        ui.vertical_centered(|ui| ui.small(x_title));
    }

    /// The time of a tick that a quantity takes, and whether that is too much.
    fn show_cost(&self, ui: &mut Ui, cost: Duration) {
        if cost.is_zero() {
            return;
        }
        let micros = cost.as_secs_f64() * 1e6;
        ui.small(RichText::new(tr!("Takes {} per tick", measured(micros, "µs"))).weak());
        let share = cost.as_secs_f64() / self.time_step;
        if share > EXPENSIVE {
            let percent = format!("{:.0}", 100.0 * share);
            let text = tr!("This takes {} % of real time and slows the window down. carom measure is faster.", percent);
            ui.add(egui::Label::new(RichText::new(text).small().color(ui.visuals().warn_fg_color)).wrap());
        }
    }
}

/// The values at a point of a curve.
fn told(curve: &[Point], index: usize, at: &egui_plot::PlotPoint) -> String {
    let x = digits(at.x);
    let Some(Point { estimate: Estimate { value, error, theory }, .. }) = curve.get(index) else { return x };
    let theory = theory.map(|theory| tr!("theory {}", digits(theory))).unwrap_or_default();
    [x, with_error(*value, *error).join(" "), theory].join("\n")
}

/// A note or a reason of the laboratory in the language of the window. Those with numbers are in English.
fn said(text: &str) -> String {
    match text.strip_prefix("no theory: ") {
        Some(reason) => tr!("no theory: {}", tr!(reason)),
        None => tr!(text),
    }
}

#[cfg(test)]
mod tests {
    use bevy_egui::egui::accesskit::Role;
    use egui_kittest::{Harness, kittest::Queryable};

    use super::*;
    use crate::{instruments::test_support::started, timeline::advance};

    fn shown(scene: &'static str) -> Harness<'static, App> {
        let show = |ui: &mut Ui, app: &mut App| super::show(ui, app.world_mut());
        Harness::builder().with_size([300.0, 2400.0]).build_ui_state(show, started(scene))
    }

    fn names(harness: &Harness<App>) -> Vec<&'static str> {
        harness.state().world().resource::<Laboratory>().quantities().iter().map(|it| it.name).collect()
    }

    fn click(harness: &mut Harness<App>, name: &str) {
        harness.get_by_role_and_label(Role::Button, name).click();
        harness.run_steps(3);
    }

    #[test]
    fn chosen_quantities_are_measured_and_shown_beside_their_theory() {
        let mut harness = shown("torus");
        assert!(harness.query_by_label_contains("Choose a quantity").is_some());
        for title in ["Pressure of hits", "Diffusion"] {
            click(&mut harness, title);
        }
        assert_eq!(names(&harness), ["pressure", "diffusion"]);
        advance(harness.state_mut().world_mut(), 600);
        harness.state_mut().world_mut().resource_mut::<Results>().taken = None;
        harness.run_steps(3);
        assert!(harness.query_all_by_label("Theory").count() >= 1);
        assert!(harness.query_all_by_label_contains("standard errors").count() >= 1);
        assert!(harness.query_by_label_contains("240, 0.").is_some(), "the discs and their packing fraction");
        assert!(harness.query_all_by_label_contains("Takes").count() == 2, "the cost of both");
        assert!(harness.query_by_label("hits per disc").is_some());
        harness.get_by_label("Curves over seconds").click();
        harness.run_steps(3);
        assert!(harness.query_by_label("time (s)").is_some() && harness.query_by_label("hits per disc").is_none());
        click(&mut harness, "Restart the measurement");
        assert_eq!(harness.state().world().resource::<Laboratory>().seconds(), 0.0);
        click(&mut harness, "Diffusion");
        assert_eq!(names(&harness), ["pressure"]);
    }

    #[test]
    fn what_does_not_apply_says_why() {
        let mut harness = shown("two-discs");
        click(&mut harness, "Weight");
        advance(harness.state_mut().world_mut(), 2);
        harness.state_mut().world_mut().resource_mut::<Results>().taken = None;
        harness.run_steps(3);
        assert!(harness.query_by_label_contains("no gravity acts").is_some());
    }

    #[test]
    fn results_are_not_computed_in_every_frame() {
        let mut app = started("gas");
        app.world_mut().resource_mut::<Laboratory>().start(crate::laboratory::quantity("speeds"));
        let mut results = Results::default();
        advance(app.world_mut(), 2);
        results.refresh(app.world().resource::<Laboratory>());
        let taken = results.taken;
        advance(app.world_mut(), 2);
        // Results that take long are computed less often.
        results.took = Duration::from_mins(1);
        results.refresh(app.world().resource::<Laboratory>());
        assert_eq!(results.taken, taken, "the next results are not due");
        (results.took, results.taken) = (Duration::ZERO, taken.and_then(|taken| taken.checked_sub(2 * EVERY)));
        results.refresh(app.world().resource::<Laboratory>());
        assert!(results.taken > taken);
    }

    #[test]
    fn agreement_is_a_matter_of_standard_errors() {
        use Agreement::{No, Perhaps, Yes};
        let agreements = [0.0, -1.9, 2.5, -3.5, f64::NAN].map(Agreement::of);
        assert_eq!(agreements, [Yes, Yes, Perhaps, No, No]);
    }
}
