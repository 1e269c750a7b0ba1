//! Describes the change from one value to another: "restitution, 0.95 → 0.5". It finds the fields with reflection, so a
//! property only provides its name.

#[cfg(test)]
use std::collections::BTreeSet;

#[cfg(test)]
use bevy::reflect::TypeInfo;
use bevy::{
    prelude::*,
    reflect::{PartialReflect, ReflectRef},
};
use tr::tr;

/// The change of a property in the language of the window. For a setting it has the field and both values; without both
/// values, it only names the property.
pub(super) fn in_words(
    name: &'static str,
    is_setting: bool,
    values: Option<(&dyn PartialReflect, &dyn PartialReflect)>,
) -> String {
    let mut path = Vec::new();
    let (from, to) = values.map_or((None, None), |(before, after)| first_difference(before, after, &mut path));
    let name = part_in_words(name, is_setting, path);
    match (from, to) {
        (Some(from), Some(to)) => tr!("{}, {} → {}", name, from, to),
        _ => name,
    }
}

/// The property, or the part of it at this path of fields.
fn part_in_words(name: &'static str, is_setting: bool, mut path: Vec<String>) -> String {
    let own = (!is_setting || path.is_empty()).then(|| tr!(name));
    let axis = path.pop_if(|field| is_axis(field));
    let fields = path.join(" ");
    let fields = fields.as_str();
    let fields = (!fields.is_empty()).then(|| tr!(fields));
    [own, fields, axis].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// Whether a field is an axis, whose name is the same in every language.
fn is_axis(field: &str) -> bool {
    field.len() == 1
}

/// Finds the first field that differs between two values: its path, and both values if they are short.
fn first_difference(
    before: &dyn PartialReflect,
    after: &dyn PartialReflect,
    path: &mut Vec<String>,
) -> (Option<String>, Option<String>) {
    if let (ReflectRef::Struct(a), ReflectRef::Struct(b)) = (before.reflect_ref(), after.reflect_ref()) {
        for index in 0..a.field_len() {
            let (Some(name), Some(a), Some(b)) = (a.name_at(index), a.field_at(index), b.field_at(index)) else {
                continue;
            };
            if a.reflect_partial_eq(b) == Some(false) {
                path.push(name.replace('_', " "));
                return first_difference(a, b, path);
            }
        }
        return (None, None);
    }
    if let (ReflectRef::TupleStruct(a), ReflectRef::TupleStruct(b)) = (before.reflect_ref(), after.reflect_ref())
        && let (1, Some(a), Some(b)) = (a.field_len(), a.field(0), b.field(0))
    {
        return first_difference(a, b, path);
    }
    (in_short(before), in_short(after))
}

fn in_short(value: &dyn PartialReflect) -> Option<String> {
    let text = if let Some(number) = value.try_downcast_ref::<f32>() {
        format!("{number}")
    } else if let Some(number) = value.try_downcast_ref::<Option<f32>>() {
        number.map_or_else(|| tr!("none"), |number| format!("{number}"))
    } else if let Some(number) = value.try_downcast_ref::<Option<f64>>() {
        number.map_or_else(|| tr!("none"), |number| format!("{number}"))
    } else if let Some(&on) = value.try_downcast_ref::<bool>() {
        if on { tr!("on") } else { tr!("off") }
    } else {
        match value.reflect_ref() {
            ReflectRef::Opaque(_) => format!("{value:?}"),
            ReflectRef::Enum(value) if value.field_len() == 0 => {
                let name = value.variant_name();
                tr!(name)
            }
            _ => return None,
        }
    };
    (text.chars().count() <= 16).then_some(text)
}

/// All texts that [`in_words`] may produce for the properties of [`UndoPlugin`](super::UndoPlugin), except names and
/// numbers. The test of the translations looks up each of them.
#[cfg(test)]
pub(crate) fn names_in_edits() -> BTreeSet<String> {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, crate::PhysicsPlugins::default(), super::UndoPlugin));
    app.register_type::<crate::scene::DiscLook>().register_type::<crate::scene::TerrainLook>();
    let types = app.world().resource::<AppTypeRegistry>().read();
    let mut found = BTreeSet::new();
    for property in &app.world().resource::<super::property::Properties>().0 {
        if let Some(info) = types.get_type_info(property.type_of_value()) {
            names(info, &[], &mut found);
        } else {
            assert!(["time scale", "tick rate"].contains(&property.in_words().as_str()), "{}", property.in_words());
        }
    }
    found
}

/// All texts that [`in_words`] may produce for a value of this type, except numbers.
#[cfg(test)]
fn names(info: &TypeInfo, path: &[String], found: &mut BTreeSet<String>) {
    let part = |name: &str| path.iter().cloned().chain([name.replace('_', " ")]).collect::<Vec<_>>();
    match info {
        TypeInfo::Struct(info) => {
            for field in info.iter() {
                let path = part(field.name());
                let axis = usize::from(path.last().is_some_and(|name| is_axis(name)));
                found.insert(path[..path.len() - axis].join(" "));
                if let Some(info) = field.type_info().filter(|_| axis == 0) {
                    names(info, &path, found);
                }
            }
        }
        TypeInfo::TupleStruct(info) if info.field_len() == 1 => {
            if let Some(info) = info.field_at(0).and_then(bevy::reflect::UnnamedField::type_info) {
                names(info, path, found);
            }
        }
        TypeInfo::Enum(info) => {
            let is_option = info.type_path().starts_with("core::option");
            let plain = info.iter().filter(|it| it.as_unit_variant().is_ok() && !is_option);
            found.extend(plain.map(|it| it.name().to_owned()));
        }
        _ => {}
    }
    // For nested structs, the first part that differs is named, not the whole.
    found.remove("");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        PhysicsPlugins,
        collision::{CollisionSettings, SolverMode},
        components::{Disc, Position, Velocity},
        editor::{self, EditHistory, UndoPlugin},
        motion::MotionSettings,
        view::words::language::in_japanese,
    };

    fn of_velocity(before: Vec2, after: Vec2) -> String {
        in_words("velocity", false, Some((&Velocity(before), &Velocity(after))))
    }

    fn of_setting<R: Reflect>(before: &R, after: &R) -> String {
        in_words("settings", true, Some((before.as_partial_reflect(), after.as_partial_reflect())))
    }

    #[test]
    fn the_names_that_reflection_finds_are_those_of_fields_parts_and_variants() {
        let names = names_in_edits();
        for name in ["restitution rule", "cloth sliding", "gravity", "Stepped", "HalfSpace", "striped"] {
            assert!(names.contains(name), "{name} is not among {names:?}");
        }
        assert!(!names.iter().any(|name| name.is_empty() || name.contains('_')), "{names:?}");
    }

    #[test]
    fn edits_are_told_in_the_language_of_the_window() {
        let words = || {
            let mut app = App::new();
            app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), UndoPlugin));
            let mut words = vec![
                of_velocity(Vec2::ZERO, Vec2::X),
                of_setting(
                    &CollisionSettings { mode: SolverMode::Stepped, ..default() },
                    &CollisionSettings { mode: SolverMode::Continuous, ..default() },
                ),
            ];
            let world = app.world_mut();
            let disc = world.spawn(Disc).id();
            let words_of_drag = editor::moves::words(world, &[disc], false);
            editor::change(world, words_of_drag, &[disc], |world| {
                world.entity_mut(disc).insert(Position(Vec2::X));
            });
            words.extend(world.resource::<EditHistory>().next_undo());
            words
        };
        assert_eq!(words(), ["velocity x, 0 → 1", "mode, Stepped → Continuous", "move a disc"]);
        in_japanese(|| {
            for words in words() {
                let english = words.split(|letter: char| !letter.is_ascii_alphabetic()).find(|word| word.len() > 1);
                assert_eq!(english, None, "{words}");
            }
        });
    }

    #[test]
    fn a_setting_is_named_by_its_field_with_both_values() {
        let words = |change: fn(&mut CollisionSettings)| {
            let before =
                CollisionSettings { restitution: 0.95, mode: SolverMode::Stepped, push_apart: true, ..default() };
            let mut after = before.clone();
            change(&mut after);
            of_setting(&before, &after)
        };
        assert_eq!(words(|settings| settings.restitution = 0.5), "restitution, 0.95 → 0.5");
        assert_eq!(words(|settings| settings.mode = SolverMode::Continuous), "mode, Stepped → Continuous");
        assert_eq!(words(|settings| settings.push_apart = false), "push apart, on → off");
        let forces = |y: f32| MotionSettings { gravity: vec2(0.0, y), ..default() };
        assert_eq!(of_setting(&forces(0.0), &forces(-9.81)), "gravity y, 0 → -9.81");
        assert_eq!(of_velocity(vec2(0.0, 1.0), vec2(2.5, 1.0)), "velocity x, 0 → 2.5");
    }
}
