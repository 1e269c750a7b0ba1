//! The section *Energy by cause*: what each cause has added to the kinetic energy, and taken from it.

use bevy::prelude::*;
use bevy_egui::egui::{self, Align, Layout, Ui};
use tr::tr;

use crate::{
    collision::Cause,
    laboratory::EnergyLedger,
    notice::mark,
    number::measured,
    panel::{InMatch, PanelAppExt, Section, widgets::reading},
    view::{Named, Theme, theme::egui as ink},
};

/// The share of the largest row below which a row is rounding, and left out.
const ROUNDING: f64 = 1e-6;

/// The width of the longest bar to either side, points.
const BAR: f32 = 40.0;

pub(super) fn plugin(app: &mut App) {
    app.add_panel_section(
        Section::new("ledger", mark("Energy by cause"), show)
            .applies(World::contains_resource::<EnergyLedger>)
            .in_match(InMatch::LeftOut)
            .before("view"),
    );
}

/// What a cause is, for its tooltip.
fn help(cause: Cause) -> String {
    match cause {
        Cause::Edits => tr!("Drags, shots, sliders, new and deleted discs"),
        Cause::Forces => tr!("Constant forces of single discs, and forces of a game"),
        Cause::Gravity => tr!("Falling discs gain kinetic energy, rising discs lose it to potential energy"),
        Cause::Drag => tr!("Drag that is proportional to the speed"),
        Cause::Friction => tr!("The constant deceleration of the cloth"),
        Cause::SpeedLimits => tr!("Discs that were faster than their limit"),
        Cause::Joints => tr!("Springs store energy, dampers and taut ropes take it"),
        Cause::DiscHits => tr!("Restitution below 1, and friction between discs"),
        Cause::TerrainHits => tr!("Restitution below 1, kicks, conveyors and friction"),
        Cause::DrivenHits => tr!("Terrain and kinematic discs that the game moves do work"),
        Cause::Cloth => tr!("Sliding and rolling of balls. A part of it goes into spin."),
        Cause::Pockets => tr!("Balls that fell into pockets"),
        Cause::Settle => tr!("Piles that the stepped mode brings to rest"),
        Cause::PushApart => tr!("Overlapping discs are separated"),
        Cause::NotSplit => {
            tr!("Blocks, slow contacts, and the error of a time step where a disc bounces under gravity")
        }
    }
}

fn show(ui: &mut Ui, world: &mut World) {
    let mut is_on = world.resource::<EnergyLedger>().is_on();
    let was_on = is_on;
    ui.horizontal(|ui| {
        ui.checkbox(&mut is_on, tr!("Keep the ledger"))
            .on_hover_text(tr!("Measures the kinetic energy after each step of the simulation. It costs time."));
        if was_on && ui.button(tr!("Restart")).named(tr!("Restart the ledger")).clicked() {
            world.resource_mut::<EnergyLedger>().start();
        }
    });
    match (was_on, is_on) {
        (false, true) => world.resource_mut::<EnergyLedger>().start(),
        (true, false) => world.resource_mut::<EnergyLedger>().stop(),
        _ => {}
    }
    let ledger = world.resource::<EnergyLedger>();
    if ledger.seconds() == 0.0 {
        ui.weak(tr!("Where does kinetic energy come from, and where does it go?"));
        return;
    }
    let rows = Cause::ALL.map(|(cause, name)| (cause, name, ledger.of(cause)));
    let most = rows.iter().map(|(.., energy)| energy.abs()).fold(0.0, f64::max);
    let colours = world.get_resource::<Theme>().map(|theme| [theme.lesson.across, theme.lesson.after].map(ink));
    for (cause, name, energy) in rows {
        if energy.abs() <= ROUNDING * most.max(ledger.energy()) {
            continue;
        }
        ui.horizontal(|ui| {
            ui.label(tr!(name)).on_hover_text(help(cause));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if let Some(colours) = colours {
                    bar(ui, (energy / most) as f32, colours);
                }
                ui.label(measured(energy, "J"));
            });
        });
    }
    ui.separator();
    let sum = tr!("The sum of all causes");
    reading(ui, &tr!("Sum"), &sum, measured(ledger.sum(), "J"));
    let change = tr!("The measured change of the kinetic energy since the ledger was started");
    reading(ui, &tr!("Measured change"), &change, measured(ledger.change(), "J"));
    if ledger.spin_change() != 0.0 {
        let spin = tr!("The change of the energy of spin, which is not part of the sum");
        reading(ui, &tr!("Spin"), &spin, measured(ledger.spin_change(), "J"));
    }
    reading(ui, &tr!("Kinetic energy"), &tr!("Of discs and blocks, now"), measured(ledger.energy(), "J"));
    ui.weak(tr!("over {}", measured(ledger.seconds(), "s")));
}

/// A bar from the middle: to the left for a loss, to the right for a gain.
fn bar(ui: &mut Ui, share: f32, [loss, gain]: [egui::Color32; 2]) {
    let size = egui::vec2(2.0 * BAR, ui.spacing().interact_size.y * 0.5);
    let (rect, _) = ui.allocate_exact_size(size, egui::Sense::hover());
    let middle = rect.center().x;
    let ends = if share < 0.0 { [middle + share * BAR, middle] } else { [middle, middle + share * BAR] };
    let filled = egui::Rect::from_x_y_ranges(ends[0]..=ends[1], rect.y_range());
    ui.painter().rect_filled(filled, 1.0, if share < 0.0 { loss } else { gain });
    let line = egui::Stroke::new(1.0, ui.visuals().weak_text_color());
    ui.painter().vline(middle, rect.y_range(), line);
}

#[cfg(test)]
mod tests {
    use egui_kittest::{Harness, kittest::Queryable};

    use super::*;
    use crate::{instruments::test_support::started, motion::MotionSettings, timeline::advance};

    #[test]
    fn a_person_sees_where_the_energy_goes() {
        let mut app = started("gas");
        advance(app.world_mut(), 5);
        let show = |ui: &mut Ui, app: &mut App| super::show(ui, app.world_mut());
        let mut harness = Harness::builder().with_size([320.0, 500.0]).build_ui_state(show, app);
        assert!(harness.query_by_label("Sum").is_none());
        harness.get_by_label("Keep the ledger").click();
        harness.run_steps(2);
        harness.state_mut().world_mut().resource_mut::<MotionSettings>().drag = 0.5;
        advance(harness.state_mut().world_mut(), 60);
        harness.run_steps(2);
        assert!(harness.query_by_label("Drag").is_some() && harness.query_by_label("Pockets").is_none());
        let ledger = harness.state().world().resource::<EnergyLedger>();
        assert!(ledger.of(Cause::Drag) < 0.0);
        let shown = measured(ledger.of(Cause::Drag), "J");
        assert!(harness.query_all_by_label(&shown).next().is_some(), "{shown}");
        harness.get_by_label("Restart the ledger").click();
        harness.run_steps(2);
        assert_eq!(harness.state().world().resource::<EnergyLedger>().sum(), 0.0);
    }
}
