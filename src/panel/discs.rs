//! A table of all discs in a separate window. It can be sorted by any column, edited in place, and copied as CSV.
//!
//! Only the visible rows are selected and shown, so a crowd costs a pass over its discs four times a second.

use core::fmt::Debug;
use std::{ops::Range, time::Duration};

use bevy::{platform::time::Instant, prelude::*};
use bevy_egui::egui::{self, Align, Button, Layout, RichText, Ui};
use tr::tr;

use super::{
    field::{Field, heft_of, reach_of},
    widgets::{measured, put, usable},
};
use crate::{
    collision::{CollisionSettings, DiscComponents, DiscState, Discs, check_disc},
    components::{InPlay, Mass, Position, Radius, Restitution, Velocity},
    disc_table, editor,
    input::Selection,
    notice::{Notices, mark},
    view::Named,
};

/// How often the rows are sorted while discs move.
const EVERY: Duration = Duration::from_millis(250);

/// The table of all discs: its visibility and its order.
#[derive(Resource, Clone, Debug, Default)]
pub struct DiscTable {
    /// Whether its window is open. Default: no.
    pub open: bool,
    sort: Column,
    descending: bool,
    seen: Rows,
    /// The first row of a range selection.
    anchor: Option<Entity>,
}

/// The visible rows: their indices and their discs.
#[derive(Clone, Debug, Default)]
struct Rows {
    places: Range<usize>,
    discs: Vec<Entity>,
    count: usize,
    sort: Column,
    descending: bool,
    taken: Option<Instant>,
}

/// The columns, which are also the sort keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Column {
    #[default]
    Id,
    X,
    Y,
    VelocityX,
    VelocityY,
    Speed,
    Radius,
    Mass,
    Energy,
    Restitution,
}

/// The help of a disc's radius.
pub(super) const RADIUS_HELP: &str = mark("Above 0, m");

impl Column {
    /// All columns from left to right, with title and description.
    const ALL: [(Self, &str, &str); 10] = [
        (
            Self::Id,
            mark("disc"),
            mark("The disc's number. The solver resolves discs in this order. Click a row to select its disc."),
        ),
        (Self::X, "x", mark("Centre, m to the right")),
        (Self::Y, "y", mark("Centre, m upward")),
        (Self::VelocityX, "vx", mark("Velocity to the right, m/s")),
        (Self::VelocityY, "vy", mark("Velocity upward, m/s")),
        (Self::Speed, mark("speed"), mark("Magnitude of the velocity, m/s")),
        (Self::Radius, mark("radius"), RADIUS_HELP),
        (Self::Mass, mark("mass"), mark("Above 0, kg")),
        (Self::Energy, mark("energy"), mark("½ m v², J")),
        (
            Self::Restitution,
            "e",
            mark("The disc's own coefficient of restitution, 0 to 1. Faint: the scene's setting."),
        ),
    ];

    /// The sort key.
    fn value(self, disc: &DiscState) -> f64 {
        let of = f64::from;
        match self {
            // Ties are sorted by number.
            Self::Id => 0.0,
            Self::X => of(disc.position.x),
            Self::Y => of(disc.position.y),
            Self::VelocityX => of(disc.velocity.x),
            Self::VelocityY => of(disc.velocity.y),
            Self::Speed => of(disc.velocity.length()),
            Self::Radius => of(disc.radius),
            Self::Mass if disc.kinematic => f64::INFINITY,
            Self::Mass => of(disc.mass),
            Self::Energy => energy(disc),
            // Discs without a value come last.
            Self::Restitution => disc.restitution.map_or(f64::INFINITY, of),
        }
    }
}

/// Translational kinetic energy, J. A disc without a mass has none.
fn energy(disc: &DiscState) -> f64 {
    if disc.kinematic {
        return 0.0;
    }
    0.5 * f64::from(disc.mass) * disc.velocity.as_dvec2().length_squared()
}

/// The discs at these indices of the sorted table, in order, and the total number.
fn ordered(world: &mut World, (sort, descending): (Column, bool), places: Range<usize>) -> (Vec<Entity>, usize) {
    type Key = (f64, u64, Entity);
    let mut discs = world.query_filtered::<DiscComponents, InPlay>();
    let key = |disc: DiscState| (sort.value(&disc), disc.id, disc.entity);
    let mut keys: Vec<Key> = discs.iter(world).map(|components| key(components.disc())).collect();
    let compare = |a: &Key, b: &Key| {
        let order = a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2));
        if descending { order.reverse() } else { order }
    };
    let count = keys.len();
    let (first, last) = (places.start.min(count), places.end.min(count));
    // In a crowd, the visible rows are found without sorting everything.
    if first > 0 && first < count {
        keys.select_nth_unstable_by(first, compare);
    }
    let rest = &mut keys[first..];
    let shown = last.saturating_sub(first);
    if shown < rest.len() {
        rest.select_nth_unstable_by(shown, compare);
    }
    let shown = &mut rest[..shown];
    shown.sort_unstable_by(compare);
    (shown.iter().map(|key| key.2).collect(), count)
}

/// The width of a column and the space between two, points.
const WIDTH: f32 = 76.0;
const GAP: f32 = 4.0;

/// Shows the window, if it is open.
pub(super) fn show(ctx: &egui::Context, world: &mut World) {
    let Some(table) = world.get_resource::<DiscTable>().filter(|table| table.open) else { return };
    let mut table = table.clone();
    let width = Column::ALL.len() as f32 * (WIDTH + GAP);
    let mut open = true;
    egui::Window::new(tr!("All discs"))
        .open(&mut open)
        .default_pos([24.0, 120.0])
        .default_size([width + 8.0, 320.0])
        .show(ctx, |ui| show_table(ui, world, &mut table));
    table.open = open;
    world.insert_resource(table);
}

fn show_table(ui: &mut Ui, world: &mut World, table: &mut DiscTable) {
    show_buttons(ui, world, table.seen.count);
    ui.spacing_mut().item_spacing.x = GAP;
    ui.spacing_mut().interact_size.x = WIDTH;
    let height = ui.spacing().interact_size.y;
    egui::ScrollArea::horizontal().auto_shrink(false).show(ui, |ui| {
        ui.horizontal(|ui| {
            for (column, title, help) in Column::ALL {
                let (title, help) = (tr!(title), tr!(help));
                let arrow = if table.descending { " ↓" } else { " ↑" };
                let text = if column == table.sort { format!("{title}{arrow}") } else { title.clone() };
                let header = Button::new(RichText::new(text).strong()).frame(false);
                let header = ui.add_sized([WIDTH, height], header).named(tr!("Sort by {}", title));
                if header.on_hover_text(help).clicked() {
                    (table.descending, table.sort) = (column == table.sort && !table.descending, column);
                }
            }
        });
        ui.separator();
        let count = world.query_filtered::<(), InPlay>().iter(world).count();
        egui::ScrollArea::vertical().auto_shrink(false).show_rows(ui, height, count, |ui, places| {
            take_rows(ui, world, table, places, count);
            for disc in table.seen.discs.clone() {
                show_row(ui, world, table, disc, height);
            }
        });
    });
}

/// Sorts the visible rows if it is due. While a value is being edited, the rows stay where they are.
fn take_rows(ui: &Ui, world: &mut World, table: &mut DiscTable, places: Range<usize>, count: usize) {
    let Rows { sort, descending, ref taken, .. } = table.seen;
    let same =
        places == table.seen.places && (count, sort, descending) == (table.seen.count, table.sort, table.descending);
    let is_edited = ui.ctx().egui_is_using_pointer() || ui.ctx().text_edit_focused();
    if same && (is_edited || taken.is_some_and(|taken| taken.elapsed() < EVERY)) {
        return;
    }
    let (sort, descending) = (table.sort, table.descending);
    let (discs, count) = ordered(world, (sort, descending), places.clone());
    table.seen = Rows { places, discs, count, sort, descending, taken: Some(Instant::now()) };
}

fn show_buttons(ui: &mut Ui, world: &mut World, count: usize) {
    ui.horizontal(|ui| {
        let chosen = world.get_resource::<Selection>().map_or(0, |selection| selection.0.len());
        ui.label(tr!("{} discs, {} selected", count, chosen));
        let copy_all = usable(ui, count > 0, |ui| ui.button(tr!("Copy all")));
        let copy_all = copy_all.on_disabled_hover_text(tr!("There are no discs"));
        let copy_chosen = usable(ui, chosen > 0, |ui| ui.button(tr!("Copy the selected")));
        let copy_chosen = copy_chosen.on_disabled_hover_text(tr!("Nothing is selected"));
        let help = &tr!("Copies them as CSV, with the columns of carom simulate and every number at full precision");
        let (all, chosen) = (copy_all.on_hover_text(help).clicked(), copy_chosen.on_hover_text(help).clicked());
        if all || chosen {
            copy(ui, world, all);
        }
    });
}

/// Copies all discs or the selected ones.
fn copy(ui: &Ui, world: &mut World, all: bool) {
    let mut discs = Discs::of(world);
    if !all {
        let chosen: bevy::ecs::entity::EntityHashSet =
            world.get_resource::<Selection>().into_iter().flat_map(|selection| selection.0.iter().copied()).collect();
        discs = (0..discs.len()).map(|i| discs.get(i)).filter(|disc| chosen.contains(&disc.entity)).collect();
    }
    let text = disc_table::write(world, &discs);
    let mut notices = world.resource_mut::<Notices>();
    match text {
        Ok(text) => {
            ui.copy_text(text);
            notices.info(tr!("{} discs copied as CSV", discs.len()));
        }
        Err(error) => notices.error(error),
    }
}

fn show_row(ui: &mut Ui, world: &mut World, table: &mut DiscTable, entity: Entity, height: f32) {
    let mut discs = world.query_filtered::<DiscComponents, InPlay>();
    let Ok(disc) = discs.get(world, entity).map(|components| components.disc()) else {
        // The disc was removed after the rows were sorted.
        ui.allocate_exact_size(egui::vec2(WIDTH, height), egui::Sense::hover());
        return;
    };
    let common = world.resource::<CollisionSettings>().restitution;
    let reach = reach_of(disc.radius);
    let heft = heft_of(disc.mass);
    ui.horizontal(|ui| {
        show_id(ui, world, table, &disc, height);
        field(ui, world, &disc, (Column::X, reach * 0.05), |it: &mut Position| &mut it.x);
        field(ui, world, &disc, (Column::Y, reach * 0.05), |it: &mut Position| &mut it.y);
        field(ui, world, &disc, (Column::VelocityX, 0.02), |it: &mut Velocity| &mut it.x);
        field(ui, world, &disc, (Column::VelocityY, 0.02), |it: &mut Velocity| &mut it.y);
        cell(ui, height, measured(f64::from(disc.velocity.length()), ""));
        field(ui, world, &disc, (Column::Radius, reach * 0.01), |it: &mut Radius| &mut it.0);
        if disc.kinematic {
            cell(ui, height, "∞".to_owned());
            cell(ui, height, "–".to_owned());
        } else {
            field(ui, world, &disc, (Column::Mass, heft * 0.01), |it: &mut Mass| &mut it.0);
            cell(ui, height, measured(energy(&disc), ""));
        }
        if disc.restitution.is_some() {
            field(ui, world, &disc, (Column::Restitution, 0.005), |it: &mut Restitution| &mut it.0);
        } else {
            let faint = Button::new(RichText::new(format!("{common}")).weak()).frame(false);
            let faint = ui.add_sized([WIDTH, height], faint).named(tr!("{} of disc {}", "e", disc.id));
            if faint.on_hover_text(tr!("The scene's setting. Click to give this disc its own value.")).clicked() {
                select_edited(world, entity);
                put(world, entity, Some(Restitution(common)));
            }
        }
    });
}

/// A number in a column: a part of a component, which changes by `speed` per point of a drag. The physics rejects
/// invalid values with a reason.
fn field<C: Component + Clone + PartialEq + Debug>(
    ui: &mut Ui,
    world: &mut World,
    disc: &DiscState,
    (column, speed): (Column, f64),
    part: fn(&mut C) -> &mut f32,
) {
    let Some(mut now) = world.get::<C>(disc.entity).cloned() else { return };
    let (_, title, help) = Column::ALL[column as usize];
    let field = Field::new(tr!("{} of disc {}", tr!(title), disc.id), tr!(help)).digits(5).speed(speed);
    let response = field.number(ui, part(&mut now));
    if response.gained_focus() || response.drag_started() {
        select_edited(world, disc.entity);
    }
    put(world, disc.entity, Some(now));
}

/// Selects the edited disc, so that the inspector and the view show which one it is.
fn select_edited(world: &mut World, disc: Entity) {
    if let Some(mut selection) = world.get_resource_mut::<Selection>()
        && !selection.0.contains(&disc)
    {
        selection.0 = vec![disc];
        editor::watch_also(world, &[disc]);
    }
}

/// The number of a disc. Clicking it selects the row.
fn show_id(ui: &mut Ui, world: &mut World, table: &mut DiscTable, disc: &DiscState, height: f32) {
    let invalid = check_disc(disc).err();
    let is_chosen = world.get_resource::<Selection>().is_some_and(|selection| selection.0.contains(&disc.entity));
    let mut text = RichText::new(disc.id.to_string());
    if invalid.is_some() {
        text = text.color(ui.visuals().error_fg_color);
    }
    let name = tr!("Disc {}", disc.id);
    let row = ui.add_sized([WIDTH, height], Button::selectable(is_chosen, text)).named(name);
    let row = row.on_hover_text(match invalid {
        Some(invalid) => tr!("Excluded from the simulation: {}", invalid),
        None => tr!("Selects the disc. Ctrl + click adds it, Shift + click adds all discs up to it."),
    });
    if !row.clicked() {
        return;
    }
    let modifiers = ui.input(|input| input.modifiers);
    let mut chosen = vec![disc.entity];
    if modifiers.shift
        && let Some(anchor) = table.anchor
    {
        let (all, _) = ordered(world, (table.sort, table.descending), 0..usize::MAX);
        let place = |disc: Entity| all.iter().position(|&other| other == disc);
        if let (Some(a), Some(b)) = (place(anchor), place(disc.entity)) {
            chosen = all[a.min(b)..=a.max(b)].to_vec();
        }
    } else {
        table.anchor = Some(disc.entity);
    }
    if let Some(mut selection) = world.get_resource_mut::<Selection>() {
        if modifiers.command && !modifiers.shift {
            selection.choose(Some(disc.entity), true);
        } else {
            selection.0 = chosen;
        }
    }
}

/// A read-only value.
fn cell(ui: &mut Ui, height: f32, text: String) {
    ui.allocate_ui_with_layout(egui::vec2(WIDTH, height), Layout::right_to_left(Align::Center), |ui| {
        ui.set_min_width(WIDTH);
        ui.add(egui::Label::new(text).truncate());
    });
}

#[cfg(test)]
mod tests {
    use egui_kittest::{Harness, kittest::Queryable};

    use super::{super::tests::app, *};
    use crate::components::{Disc, StableId};

    #[test]
    fn the_rows_that_are_seen_are_those_of_the_whole_table_in_any_order() {
        let mut world = World::new();
        for i in 0..500_u64 {
            let mixed = (i * 7919 % 500) as f32;
            let mut disc = world.spawn((Disc, StableId(i), Position(vec2(mixed % 50.0, mixed))));
            if i % 3 == 0 {
                disc.insert(Restitution(mixed / 500.0));
            }
        }
        for (column, ..) in Column::ALL {
            for descending in [false, true] {
                let (all, count) = ordered(&mut world, (column, descending), 0..usize::MAX);
                assert_eq!((all.len(), count), (500, 500));
                for places in [0..20, 17..40, 480..500, 490..600, 700..800] {
                    let (seen, _) = ordered(&mut world, (column, descending), places.clone());
                    let expected = all.get(places.start..places.end.min(500)).unwrap_or_default();
                    assert_eq!(seen, expected, "{column:?} {places:?}");
                }
            }
        }
        let (by_y, _) = ordered(&mut world, (Column::Y, false), 0..500);
        let heights: Vec<f32> = by_y.iter().map(|&disc| world.get::<Position>(disc).unwrap().y).collect();
        assert!(heights.is_sorted());
    }

    #[test]
    fn columns_stand_in_their_order() {
        for (i, (column, ..)) in Column::ALL.into_iter().enumerate() {
            assert_eq!(column as usize, i);
        }
    }

    /// The window with three discs numbered 1, 2 and 3, with masses in that order.
    fn harness() -> Harness<'static, App> {
        let mut app = app();
        app.init_resource::<DiscTable>();
        for id in 1..=3 {
            app.world_mut().spawn((Disc, StableId(id), Position(vec2(3.0 - id as f32, 0.0)), Mass(id as f32)));
        }
        app.world_mut().resource_mut::<DiscTable>().open = true;
        let show = |ui: &mut Ui, app: &mut App| super::show(ui.ctx(), app.world_mut());
        Harness::builder().with_size([1000.0, 600.0]).build_ui_state(show, app)
    }

    fn chosen(harness: &Harness<App>) -> Vec<u64> {
        let world = harness.state().world();
        let selection = &world.resource::<Selection>().0;
        selection.iter().map(|&disc| world.get::<StableId>(disc).unwrap().0).collect()
    }

    #[test]
    fn a_value_is_edited_in_place_and_its_disc_selected() {
        let mut harness = harness();
        harness.get_by_label("mass of disc 2").click();
        harness.run_steps(2);
        harness.event(egui::Event::Text("7.5".to_owned()));
        harness.key_press(egui::Key::Enter);
        harness.run_steps(2);
        assert_eq!(chosen(&harness), [2]);
        let world = harness.state_mut().world_mut();
        let masses: Vec<f32> = world.query::<&Mass>().iter(world).map(|mass| mass.0).collect();
        assert_eq!(masses, [1.0, 7.5, 3.0]);
    }

    #[test]
    fn rows_are_selected_one_by_one_and_by_range_and_in_their_order() {
        let mut harness = harness();
        harness.get_by_label("Sort by x").click();
        harness.run_steps(2);
        harness.get_by_label("Disc 3").click();
        harness.run_steps(2);
        assert_eq!(chosen(&harness), [3]);
        harness.get_by_label("Disc 1").click_modifiers(egui::Modifiers::COMMAND);
        harness.run_steps(2);
        assert_eq!(chosen(&harness), [3, 1]);
        harness.get_by_label("Disc 3").click_modifiers(egui::Modifiers::SHIFT);
        harness.run_steps(2);
        assert_eq!(chosen(&harness), [3, 2, 1], "from the first to the third row");
    }

    #[test]
    fn what_is_copied_is_a_table_of_the_selected() {
        let mut harness = harness();
        harness.get_by_label("Disc 3").click();
        harness.run_steps(2);
        harness.get_by_label("Copy the selected").click();
        harness.step();
        let mut copied = Vec::new();
        for _ in 0..3 {
            copied.extend(harness.output().platform_output.commands.iter().filter_map(|command| match command {
                egui::OutputCommand::CopyText(text) => Some(text.clone()),
                _ => None,
            }));
            harness.step();
        }
        let text = copied.first().expect("it is copied");
        assert_eq!(text.lines().collect::<Vec<_>>(), ["id,x,y,vx,vy,r,m", "3,0.0,0.0,0.0,0.0,0.5,3.0"]);
    }
}
