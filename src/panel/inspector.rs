//! The selected disc, component by component, and adding and deleting discs.
//!
//! Typed values are written as they are. The physics, not the panel, rejects invalid ones. The disc then stops and the
//! reason is shown until the value is corrected.

use bevy::prelude::*;
use bevy_egui::egui::{self, Ui};
use tr::tr;

use super::{
    discs::{DiscTable, RADIUS_HELP},
    field::{Field, heft_of, help_of, reach_of},
    optional,
    widgets::{edit_component, measured, put, tip, usable},
};
use crate::{
    collision::{CollisionSettings, DiscComponents, DiscState, check_disc},
    components::{Kinematic, Mass, Position, Radius, Restitution, StableId, Velocity},
    editor,
    input::{Selection, actions::Control},
    scene::DiscLook,
    view::{Named, Theme, main_view, scene::discs::colour_of},
};

/// Whether a disc is selected.
pub(super) fn has_selection(world: &World) -> bool {
    world.get_resource::<Selection>().is_some_and(|selection| !selection.0.is_empty())
}

pub(super) fn show(ui: &mut Ui, world: &mut World) {
    let chosen = world.resource::<Selection>().0.clone();
    match chosen[..] {
        [] => {
            ui.weak(tr!("Click a disc to see and change its values. Drag a box to select several."));
        }
        [disc] => show_disc(ui, world, disc),
        _ => show_several(ui, world, &chosen),
    }
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        let add = ui.button(tr!("Add a disc"));
        if add.on_hover_text(tr!("Adds a disc like the others at the centre of the view")).clicked() {
            let disc = add_disc(world);
            editor::record_spawn(world, &[disc]);
            world.resource_mut::<Selection>().0 = vec![disc];
        }
        if let Some(mut table) = world.get_resource_mut::<DiscTable>() {
            let all = ui
                .button(tr!("All discs"))
                .on_hover_text(tr!("Opens a table of all discs to sort, select, edit or copy as CSV"));
            if all.clicked() {
                table.open = !table.open;
            }
        }
        let word = if chosen.len() > 1 { tr!("Delete {} discs", chosen.len()) } else { tr!("Delete") };
        let delete = usable(ui, !chosen.is_empty(), |ui| ui.button(word));
        let delete = delete.on_disabled_hover_text(tr!("Nothing is selected"));
        if delete.on_hover_text(tip(world, &tr!("Deletes the selected discs"), Control::Delete)).clicked() {
            let discs = std::mem::take(&mut world.resource_mut::<Selection>().0);
            editor::delete(world, &discs);
        }
    });
}

/// Adds a disc like the others at the centre of the view, and returns it.
fn add_disc(world: &mut World) -> Entity {
    let view = main_view(world).map(|view| view.clone()).unwrap_or_default();
    editor::add_disc(world, view.to_world(view.area.center()), None, view.px(30.0))
}

fn show_several(ui: &mut Ui, world: &mut World, chosen: &[Entity]) {
    let finite = chosen.iter().filter(|&&disc| world.get::<Kinematic>(disc).is_none());
    let mass: f64 = finite.filter_map(|&disc| world.get::<Mass>(disc)).map(|mass| f64::from(mass.0)).sum();
    ui.label(tr!("{} discs, {}", chosen.len(), measured(mass, "kg")));
    if ui.button(tr!("Stop all")).on_hover_text(tr!("Sets their velocities to zero")).clicked() {
        for &disc in chosen {
            if let Some(mut velocity) = world.get_mut::<Velocity>(disc) {
                velocity.0 = Vec2::ZERO;
            }
        }
    }
}

fn show_disc(ui: &mut Ui, world: &mut World, disc: Entity) {
    let Some(values) = values(world, disc) else { return };
    if let Err(invalid) = check_disc(&values) {
        ui.colored_label(ui.visuals().error_fg_color, tr!("Excluded from the simulation: {}", invalid));
    }
    let reach = reach_of(values.radius);
    let help = tr!("Centre, m: to the right, upward");
    let field = Field::new(tr!("Position"), help).unit(" m").speed(reach * 0.05);
    edit_component(world, disc, |it: &mut Position| field.row(ui, |ui, field| field.vector(ui, &mut it.0)));
    let help = tr!("Velocity, m/s: to the right, upward");
    let field = Field::new(tr!("Velocity"), help).unit(" m/s").speed(0.02);
    edit_component(world, disc, |it: &mut Velocity| field.row(ui, |ui, field| field.vector(ui, &mut it.0)));
    Field::new(tr!("Speed"), tr!("Magnitude of the velocity")).row(ui, |ui, _| {
        ui.label(measured(f64::from(values.velocity.length()), "m/s"));
        if ui.small_button(tr!("Stop")).on_hover_text(tr!("Sets the velocity to zero")).clicked()
            && let Some(mut velocity) = world.get_mut::<Velocity>(disc)
        {
            velocity.0 = Vec2::ZERO;
        }
    });
    let field = Field::new(tr!("Radius"), tr!(RADIUS_HELP)).unit(" m").digits(5).speed(reach * 0.01);
    edit_component(world, disc, |it: &mut Radius| field.row(ui, |ui, field| field.number(ui, &mut it.0)));
    show_mass(ui, world, disc);
    let common = world.resource::<CollisionSettings>().restitution;
    let help = optional::with_combine(&help_of::<Restitution>());
    let field = Field::new(tr!("Restitution"), help);
    optional::show_restitution(ui, world, disc, &field, &tr!("Custom restitution"), (common, &common.to_string()));
    show_colour(ui, world, disc, values.id);
    let field = Field::new(tr!("Number"), tr!("The disc's identity. The solver resolves discs in this order."));
    let field = field.speed(0.1).digits(0);
    edit_component(world, disc, |it: &mut StableId| field.row(ui, |ui, field| field.number(ui, &mut it.0)));
    optional::show(ui, world, disc);
}

/// All values that the physics checks, so that the panel reports exactly the discs that the physics leaves out.
fn values(world: &mut World, disc: Entity) -> Option<DiscState> {
    world.query::<DiscComponents>().get(world, disc).ok().map(|components| components.disc())
}

/// The mass, which is infinite for a kinematic disc.
fn show_mass(ui: &mut Ui, world: &mut World, disc: Entity) {
    let mut kinematic = world.get::<Kinematic>(disc).is_some();
    let field = Field::new(tr!("Mass"), tr!("Above 0, kg. Changing the radius does not change the mass."));
    edit_component(world, disc, |mass: &mut Mass| {
        field.unit(" kg").digits(5).speed(heft_of(mass.0) * 0.01).row(ui, |ui, field| {
            if kinematic {
                ui.weak(tr!("infinite"));
            } else {
                field.number(ui, &mut mass.0);
            }
            Field::new(tr!("Kinematic"), help_of::<Kinematic>()).tick(ui, &mut kinematic, tr!("kinematic"));
        });
    });
    put(world, disc, kinematic.then_some(Kinematic));
}

fn show_colour(ui: &mut Ui, world: &mut World, disc: Entity, id: u64) {
    let look = world.get::<DiscLook>(disc).cloned();
    let mut now = look.clone().unwrap_or_default();
    let theme = world.resource::<Theme>();
    Field::new(tr!("Appearance"), tr!("How the disc is drawn. This does not affect the simulation.")).row(
        ui,
        |ui, _| {
            let automatic = colour_of(StableId(id), Some(&DiscLook { colour: None, ..now.clone() }), theme);
            let mut colour = now.colour.map_or(automatic, Srgba::from).to_u8_array_no_alpha();
            if ui
                .color_edit_button_srgb(&mut colour)
                .named(tr!("Colour"))
                .on_hover_text(tr!("Colour of the disc"))
                .changed()
            {
                let [red, green, blue] = colour;
                now.colour = Some(Color::srgb_u8(red, green, blue));
            }
            let reset = usable(ui, now.colour.is_some(), |ui| ui.add(egui::Button::new("↺").frame(false)));
            let reset =
                reset.named(tr!("Reset colour")).on_disabled_hover_text(tr!("Already the colour of its number"));
            if reset.on_hover_text(tr!("Restores the colour of its number")).clicked() {
                now.colour = None;
            }
            Field::new(tr!("Arrow"), tr!("Shows the velocity as an arrow")).tick(ui, &mut now.arrow, tr!("arrow"));
        },
    );
    if look.is_some() || now != DiscLook::default() {
        put(world, disc, Some(now));
    }
}

#[cfg(test)]
mod tests {
    use egui_kittest::{Harness, kittest::Queryable};

    use super::{super::tests::app, *};
    use crate::{
        PhysicsPlugins,
        components::{AngularVelocity, Ball, Disc, MoveTo},
    };

    #[test]
    fn a_disc_with_any_invalid_value_is_shown_as_left_out() {
        let words = |insert: fn(&mut EntityWorldMut)| {
            let mut app = app();
            let mut disc = app.world_mut().spawn(Disc);
            insert(&mut disc);
            let disc = disc.id();
            app.world_mut().resource_mut::<Selection>().0.push(disc);
            let show = |ui: &mut Ui, app: &mut App| show(ui, app.world_mut());
            let mut harness = Harness::builder().with_size([400.0, 800.0]).build_ui_state(show, app);
            harness.run_steps(2);
            harness.query_by_label_contains("Excluded from the simulation").is_some()
        };
        assert!(!words(|_| {}));
        assert!(words(|disc| _ = disc.insert(Radius(-1.0))));
        assert!(words(|disc| _ = disc.insert(AngularVelocity(Vec3::NAN))));
        assert!(words(|disc| _ = disc.insert((Kinematic, MoveTo(Vec2::NAN)))));
    }

    #[test]
    fn among_balls_a_new_disc_is_a_ball_as_heavy_as_they() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, PhysicsPlugins::default()));
        let world = app.world_mut();
        for _ in 0..3 {
            world.spawn((Ball, Radius(0.028_575), Mass(0.17)));
        }
        let new = add_disc(world);
        assert_eq!(world.get::<Mass>(new), Some(&Mass(0.17)));
        assert_eq!(world.get::<Radius>(new), Some(&Radius(0.028_575)));
        assert!(world.get::<Ball>(new).is_some());
    }

    #[test]
    fn among_discs_a_new_one_is_none_of_the_extremes() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, PhysicsPlugins::default()));
        let world = app.world_mut();
        for radius in [0.1, 0.5, 90.0] {
            world.spawn((Disc, Radius(radius), Mass(2.0 * radius)));
        }
        let new = add_disc(world);
        assert_eq!((world.get::<Radius>(new), world.get::<Mass>(new)), (Some(&Radius(0.5)), Some(&Mass(1.0))));
        assert!(world.get::<Ball>(new).is_none());
    }
}
