//! Building blocks of all sections besides [fields](super::Field): editing a resource or a component, and readings.

use core::fmt::Debug;

use bevy::{
    ecs::component::{Component, Mutable},
    prelude::*,
};
use bevy_egui::egui::{self, Align, Layout, Response, Ui};
use egui_plot::Plot;

use crate::editor::is_same;

pub(crate) use crate::shell::widgets::pasted;
pub use crate::{
    number::measured,
    shell::widgets::{tip, usable},
};

/// A plot of this height, points, that shows all and cannot be moved or zoomed.
pub(crate) fn still_plot(name: &str, height: f32) -> Plot<'static> {
    Plot::new(name)
        .height(height)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_double_click_reset(false)
        .allow_axis_zoom_drag(false)
        .show_background(false)
}

/// Lets `change` edit a copy of a resource, and writes it back only if it differs, so that an untouched resource does
/// not count as changed.
pub fn edit<R, T>(world: &mut World, change: impl FnOnce(&mut R) -> T) -> T
where
    R: Resource<Mutability = Mutable> + Clone + PartialEq + Debug,
{
    let mut copy = world.resource::<R>().clone();
    let response = change(&mut copy);
    if !is_same(world.resource::<R>(), &copy) {
        *world.resource_mut::<R>() = copy;
    }
    response
}

/// Lets `change` edit a copy of a component, if the entity has it, and writes it back only if it differs.
pub fn edit_component<C, T>(world: &mut World, entity: Entity, change: impl FnOnce(&mut C) -> T) -> Option<T>
where
    C: Component + Clone + PartialEq + Debug,
{
    let mut copy = world.get::<C>(entity)?.clone();
    let response = change(&mut copy);
    put(world, entity, Some(copy));
    Some(response)
}

/// Adds a component to an entity or removes it, only if that makes a difference. Two NaNs count as equal.
pub fn put<C>(world: &mut World, entity: Entity, value: Option<C>)
where
    C: Component + Clone + PartialEq + Debug,
{
    if is_same(&world.get::<C>(entity), &value.as_ref()) {
        return;
    }
    let mut entity = world.entity_mut(entity);
    match value {
        Some(value) => entity.insert(value),
        None => entity.remove::<C>(),
    };
}

/// A line in a table of readings: a label and its value.
pub fn reading(ui: &mut Ui, label: &str, help: &str, value: impl Into<egui::WidgetText>) -> Response {
    ui.horizontal(|ui| {
        ui.weak(label).on_hover_text(help);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| ui.label(value).on_hover_text(help)).inner
    })
    .inner
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_untouched_resource_is_not_changed() {
        use crate::timeline::Playback;
        let mut world = World::new();
        world.init_resource::<Playback>();
        world.clear_trackers();
        edit::<Playback, _>(&mut world, |_| ());
        assert!(!world.is_resource_changed::<Playback>());
        edit::<Playback, _>(&mut world, |playback| playback.paused = true);
        assert!(world.is_resource_changed::<Playback>());
    }

    #[test]
    fn a_component_is_written_only_where_it_differs() {
        use crate::components::Radius;
        let mut world = World::new();
        let disc = world.spawn(Radius(f32::NAN)).id();
        world.clear_trackers();
        let is_changed = |world: &World| world.entity(disc).get_ref::<Radius>().is_some_and(|it| it.is_changed());
        edit_component(&mut world, disc, |radius: &mut Radius| radius.0 = f32::NAN);
        assert!(!is_changed(&world), "a NaN has not changed");
        edit_component(&mut world, disc, |radius: &mut Radius| radius.0 = 1.0);
        assert!(is_changed(&world));
        put::<Radius>(&mut world, disc, None);
        assert!(!world.entity(disc).contains::<Radius>());
    }
}
