//! The additions of a game to scene files: generators, components, lessons and sections of the panel.

use std::{
    any::type_name,
    collections::BTreeMap,
    sync::{Arc, PoisonError, RwLock},
};

use bevy::{
    ecs::world::EntityRef,
    prelude::*,
    reflect::{
        GetTypeRegistration, TypeRegistry, TypeRegistryArc, Typed,
        serde::{TypedReflectDeserializer, TypedReflectSerializer},
    },
};
use serde::de::DeserializeOwned;

use super::{lesson::Lesson, look::PANEL_SECTIONS};
use crate::{
    components::InvalidValue,
    ron_text::{did_you_mean, nearest_name},
    scene::{
        contents::{Contents, Custom},
        ron_value::RonValue,
    },
    timeline::history::Edit,
};

/// Makes discs and terrain from parameters in a scene file, for [`SceneAppExt::add_scene_generator`].
pub trait SceneGenerator: DeserializeOwned + 'static {
    /// Adds its discs and terrain to `contents`, which already contain the listed ones and those of earlier generators.
    ///
    /// # Errors
    /// If a value is invalid, or there is not enough room. The message appears with the place in the file.
    fn run(&self, contents: &mut Contents) -> Result<(), InvalidValue>;
}

type Generate = fn(&RonValue, &mut Contents) -> Result<(), InvalidValue>;

/// How a component is read and written.
#[derive(Clone, Copy)]
struct SceneComponent {
    /// Its type path without the modules.
    short: &'static str,
    check: fn(&RonValue, &TypeRegistry) -> Result<(), String>,
    insert: fn(&RonValue, &TypeRegistry, &mut EntityWorldMut) -> Result<(), String>,
    capture: fn(EntityRef, &TypeRegistry) -> Option<Result<RonValue, String>>,
    edits: ComponentEdits,
}

/// How the edits of a component that a history tracks are written and read.
#[derive(Clone, Copy)]
struct ComponentEdits {
    /// The name of the type, under which the history tracks it.
    type_name: &'static str,
    write: fn(&Edit, &TypeRegistry) -> Result<Values<RonValue>, String>,
    read: fn(Values<&RonValue>, &TypeRegistry) -> Result<Edit, String>,
}

/// The values of entities, or none where a component is removed.
pub(crate) type Values<T> = Vec<(Entity, Option<T>)>;

#[derive(Default)]
struct Registered {
    sections: Vec<String>,
    lessons: Vec<Lesson>,
    generators: BTreeMap<String, Generate>,
    components: BTreeMap<&'static str, SceneComponent>,
    types: TypeRegistryArc,
}

/// The additions of a game to scene files, which [`SceneAppExt`] registers. Clones share their contents. In a [`World`]
/// it is a resource that is used to read scenes.
///
/// Functions without a world, such as [`SceneFile::parse`](crate::scene::format::SceneFile::parse), know only what is
/// shipped. [`SceneFile::parse_with`](crate::scene::format::SceneFile::parse_with) takes a registry.
#[derive(Resource, Clone, Default)]
pub struct SceneRegistry(Arc<RwLock<Registered>>);

impl SceneRegistry {
    /// The registry of a world, or an empty one if it has none.
    #[must_use]
    pub fn of(world: &World) -> Self {
        world.get_resource::<Self>().cloned().unwrap_or_default()
    }

    fn read<T>(&self, read: impl FnOnce(&Registered) -> T) -> T {
        read(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn write(&self, write: impl FnOnce(&mut Registered)) {
        write(&mut self.0.write().unwrap_or_else(PoisonError::into_inner));
    }

    /// Allows scene files to open a section of the panel with this name.
    pub fn add_panel_section(&self, name: &str) {
        let is_known = PANEL_SECTIONS.contains(&name);
        self.write(|registered| {
            if !is_known && registered.sections.iter().all(|other| other != name) {
                registered.sections.push(name.to_owned());
            }
        });
    }

    /// Checks that the panel has a section of this name.
    pub(super) fn check_panel_section(&self, name: &str) -> Result<(), InvalidValue> {
        self.read(|registered| {
            let mut known = PANEL_SECTIONS.to_vec();
            known.extend(registered.sections.iter().map(String::as_str));
            if known.contains(&name) {
                return Ok(());
            }
            let hint = did_you_mean(nearest_name(name, &known));
            let remedy = format!("there is no such section of the panel{hint}; the sections are {}", known.join(", "));
            Err(InvalidValue::new("", format!("`{name}`"), remedy))
        })
    }

    /// The lesson of this name, with the values of its fields.
    pub(super) fn lesson(&self, name: &str) -> Result<Lesson, InvalidValue> {
        self.read(|registered| {
            let known = || registered.lessons.iter().chain(&Lesson::SHIPPED);
            known().find(|lesson| lesson.name == name).copied().ok_or_else(|| {
                let names: Vec<&str> = known().map(|lesson| lesson.name).collect();
                InvalidValue::new("lesson", format!("`{name}`"), unknown("lesson", name, [&names, &names]))
            })
        })
    }

    /// Runs a generator of a game.
    pub(super) fn generate(&self, custom: &Custom, contents: &mut Contents) -> Result<(), InvalidValue> {
        let found = self.read(|registered| {
            let names: Vec<&str> = registered.generators.keys().map(String::as_str).collect();
            let found = registered.generators.get(&custom.name).copied();
            let name = &custom.name;
            found.ok_or_else(|| {
                InvalidValue::new("name", format!("`{name}`"), unknown("generator", name, [&names, &names]))
            })
        });
        found?(&custom.settings, contents)
    }

    /// The component with this type path, or with this short name if only one has it. Returns its full type path too.
    fn component(&self, name: &str) -> Result<(&'static str, SceneComponent, TypeRegistryArc), InvalidValue> {
        self.read(|registered| {
            let known = &registered.components;
            let short = || known.iter().filter(|(_, component)| component.short == name);
            let found = known.get_key_value(name).or_else(|| short().next().filter(|_| short().count() == 1));
            if let Some((path, component)) = found {
                return Ok((*path, *component, registered.types.clone()));
            }
            let meant: Vec<&str> = short().map(|(path, _)| *path).collect();
            if !meant.is_empty() {
                let remedy = format!("it is short for {}; write all of it", meant.join(" and for "));
                return Err(InvalidValue::without_value(format!("components `{name}`"), remedy));
            }
            let names: Vec<&str> = known.keys().copied().collect();
            // A name without modules is compared with short names.
            let of_its_kind = |path: &'static str, short| if name.contains("::") { path } else { short };
            let like = known.iter().map(|(path, component)| of_its_kind(path, component.short)).collect::<Vec<_>>();
            Err(in_component(name, unknown("component", name, [&names, &like])))
        })
    }

    /// Checks that all of these components are registered with valid values, and that none appears twice.
    pub(super) fn check_components(&self, components: &BTreeMap<String, RonValue>) -> Result<(), InvalidValue> {
        let mut seen = BTreeMap::new();
        components.iter().try_for_each(|(name, value)| {
            let (path, component, types) = self.component(name)?;
            if let Some(other) = seen.insert(path, name) {
                return Err(in_component(name, format!("`{other}` is the same; keep one of them")));
            }
            (component.check)(value, &types.read()).map_err(|problem| in_component(name, problem))
        })
    }

    /// Inserts the components of an entry in a scene file into an entity.
    pub(super) fn insert_components(
        &self,
        entity: &mut EntityWorldMut,
        components: &BTreeMap<String, RonValue>,
    ) -> Result<(), InvalidValue> {
        components.iter().try_for_each(|(name, value)| {
            let (_, component, types) = self.component(name)?;
            (component.insert)(value, &types.read(), entity).map_err(|problem| in_component(name, problem))
        })
    }

    /// The registered components of an entity. One that cannot be written is left out with a warning.
    pub(super) fn capture_components(&self, entity: EntityRef) -> BTreeMap<String, RonValue> {
        self.read(|registered| {
            let types = registered.types.read();
            let written = registered.components.iter().filter_map(|(name, component)| {
                match (component.capture)(entity, &types)? {
                    Ok(value) => Some(((*name).to_owned(), value)),
                    Err(problem) => {
                        tracing::warn!("{name} cannot be written to a scene file, and is left out: {problem}");
                        None
                    }
                }
            });
            written.collect()
        })
    }

    /// The type paths of the registered components, each with the name of its type.
    pub(crate) fn component_types(&self) -> Vec<(&'static str, &'static str)> {
        self.read(|registered| {
            registered.components.iter().map(|(path, component)| (*path, component.edits.type_name)).collect()
        })
    }

    /// The values in an edit of the component with this type path.
    pub(crate) fn write_edit(&self, path: &str, edit: &Edit) -> Result<Values<RonValue>, String> {
        let (_, component, types) = self.component(path).map_err(|invalid| invalid.to_string())?;
        (component.edits.write)(edit, &types.read())
    }

    /// The edit with these values of the component with this type path.
    pub(crate) fn read_edit(&self, path: &str, values: Values<&RonValue>) -> Result<Edit, String> {
        let (_, component, types) = self.component(path).map_err(|invalid| invalid.to_string())?;
        (component.edits.read)(values, &types.read())
    }

    pub(super) fn has_components(&self) -> bool {
        self.read(|registered| !registered.components.is_empty())
    }
}

/// The remedy for a name that is not registered: all names, and the most similar one from `like`.
fn unknown(kind: &str, name: &str, [names, like]: [&[&str]; 2]) -> String {
    if names.is_empty() {
        format!("no {kind} is registered; a game registers its own, and this program has none")
    } else {
        let hint = did_you_mean(nearest_name(name, like));
        format!("there is no such {kind}{hint}; registered are {}", names.join(", "))
    }
}

fn in_component(name: &str, problem: String) -> InvalidValue {
    InvalidValue::without_value(format!("components `{name}`"), problem)
}

fn read_component<T: Component + FromReflect + Typed>(value: &RonValue, types: &TypeRegistry) -> Result<T, String> {
    let read = value.read_seed(|| TypedReflectDeserializer::of::<T>(types))?;
    T::from_reflect(&*read).ok_or_else(|| format!("`{}` lacks a field{}", value.as_str(), value.place_in_the_file()))
}

fn write_component<T: Component + FromReflect + Typed>(
    entity: EntityRef,
    types: &TypeRegistry,
) -> Option<Result<RonValue, String>> {
    entity.get::<T>().map(|component| write_value(component, types))
}

fn write_value<T: Component + FromReflect + Typed>(component: &T, types: &TypeRegistry) -> Result<RonValue, String> {
    RonValue::of(&TypedReflectSerializer::new(component.as_partial_reflect(), types))
}

impl ComponentEdits {
    fn of<T: Component + FromReflect + Typed>() -> Self {
        Self {
            type_name: type_name::<T>(),
            write: |edit, types| {
                let values = edit.components::<T>().unwrap_or_default().iter();
                values
                    .map(|(entity, value)| Ok((*entity, value.as_ref().map(|it| write_value(it, types)).transpose()?)))
                    .collect()
            },
            read: |values, types| {
                let values = values.into_iter();
                let read = |value| read_component::<T>(value, types);
                let edits = values.map(|(entity, value)| Ok((entity, value.map(read).transpose()?)));
                Ok(Edit::of_components(edits.collect::<Result<_, String>>()?))
            },
        }
    }
}

/// Registers additions of a game to scene files, before or after [`ScenePlugin`](super::ScenePlugin) is added.
pub trait SceneAppExt {
    /// Registers a generator. Scene files name it in `generate: [Custom(name: "spiral", settings: (turns: 3))]`. It
    /// replaces a generator of the same name.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// use carom::{components::InvalidValue, prelude::*};
    /// use carom::scene::{DiscEntry, SceneAppExt, SceneFile, SceneGenerator, SceneRegistry, generate::Contents};
    ///
    /// /// Discs in a row, each half as large as the one before.
    /// #[derive(serde::Deserialize)]
    /// struct Halves { count: u32 }
    ///
    /// impl SceneGenerator for Halves {
    ///     fn run(&self, contents: &mut Contents) -> Result<(), InvalidValue> {
    ///         InvalidValue::check_range("count", self.count as f32, 0.0..=10.0, "")?;
    ///         let (mut radius, mut x) = (1.0, 0.0);
    ///         for _ in 0..self.count {
    ///             contents.discs.push(DiscEntry { position: vec2(x, 0.0), radius, ..default() });
    ///             (radius, x) = (radius / 2.0, x + 2.0 * radius);
    ///         }
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let mut app = App::new();
    /// app.add_scene_generator::<Halves>("halves");
    /// let registry = SceneRegistry::of(app.world());
    /// let text = r#"(generate: [Custom(name: "halves", settings: (count: 4))])"#;
    /// let file = SceneFile::parse_with(text, "level.ron", &registry).unwrap();
    /// assert_eq!(file.expand_with(&registry).unwrap().discs[3].radius, 0.125);
    /// ```
    fn add_scene_generator<G: SceneGenerator>(&mut self, name: &str) -> &mut Self;

    /// Registers a component. Discs, terrain and pockets in scene files have it in `components: {"my_game::Health":
    /// (5)}`, by its type path and as reflection writes it. The short name `"Health"` suffices if no other registered
    /// component has it. A saved scene contains it by its type path.
    ///
    /// All types in it must be registered for reflection. Types with derived reflection register their fields
    /// themselves.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// use carom::{prelude::*, scene::{SceneAppExt, SceneFile, ScenePlugin, SceneRegistry, SceneSource, spawn}};
    ///
    /// #[derive(Component, Reflect)]
    /// #[type_path = "my_game"]
    /// struct Health(u32);
    ///
    /// let mut app = App::new();
    /// app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), ScenePlugin)).add_scene_component::<Health>();
    /// let text = r#"(discs: [(components: {"my_game::Health": (5)})])"#;
    /// let file = SceneFile::parse_with(text, "level.ron", &SceneRegistry::of(app.world())).unwrap();
    /// spawn(app.world_mut(), SceneSource::Path("level.ron".into()), file).unwrap();
    /// app.world_mut().query::<&mut Health>().single_mut(app.world_mut()).unwrap().0 -= 1;
    /// let saved = SceneFile::capture(app.world_mut());
    /// assert_eq!(saved.discs[0].components["my_game::Health"].as_str(), "(4)");
    /// ```
    fn add_scene_component<T: Component + FromReflect + Typed + GetTypeRegistration>(&mut self) -> &mut Self;

    /// Registers a lesson. It replaces a lesson of the same name. See [`in_lesson`](super::in_lesson) for drawing it.
    fn add_lesson(&mut self, lesson: Lesson) -> &mut Self;
}

impl SceneAppExt for App {
    fn add_scene_generator<G: SceneGenerator>(&mut self, name: &str) -> &mut Self {
        let generate: Generate = |settings, contents| {
            let generator: G = settings.read().map_err(|problem| InvalidValue::without_value("settings", problem))?;
            generator.run(contents)
        };
        let registry = self.world_mut().get_resource_or_init::<SceneRegistry>();
        registry.write(|registered| _ = registered.generators.insert(name.to_owned(), generate));
        self
    }

    fn add_scene_component<T: Component + FromReflect + Typed + GetTypeRegistration>(&mut self) -> &mut Self {
        self.register_type::<T>();
        let types = self.world().resource::<AppTypeRegistry>().0.clone();
        let component = SceneComponent {
            short: T::short_type_path(),
            check: |value, types| read_component::<T>(value, types).map(drop),
            insert: |value, types, entity| read_component::<T>(value, types).map(|it| _ = entity.insert(it)),
            capture: write_component::<T>,
            edits: ComponentEdits::of::<T>(),
        };
        let registry = self.world_mut().get_resource_or_init::<SceneRegistry>();
        registry.write(|registered| {
            registered.types = types;
            registered.components.insert(T::type_path(), component);
        });
        self
    }

    fn add_lesson(&mut self, lesson: Lesson) -> &mut Self {
        let registry = self.world_mut().get_resource_or_init::<SceneRegistry>();
        registry.write(|registered| {
            registered.lessons.retain(|other| other.name != lesson.name);
            registered.lessons.push(lesson);
        });
        self
    }
}
