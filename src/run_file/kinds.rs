//! How the values of each kind that a history tracks are written in a run: in the words of scene files.

use std::{any::type_name, collections::BTreeMap, time::Duration};

use bevy::{ecs::entity::EntityHashMap, prelude::*};
use serde::{
    Serialize,
    de::{DeserializeOwned, value::UnitDeserializer},
};

use crate::{
    collision::{CollidingEntities, CollisionSettings, spin::TablePhysics},
    components::{
        Ball, ComponentVisitor, Density, Described, Disc, IgnoredPairs, InPocket, Joint, JointEnd, Orientation, Pocket,
        Sensed, visit_all,
    },
    motion::MotionSettings,
    plane::{SettledRect, TableRect},
    scene::{JointEndEntry, JointEntry, RonValue, SceneRegistry, Values},
    timeline::{
        Playback,
        history::{Edit, Recorder, TICK_RATE, TIME_STEP},
    },
};

/// The names of entities in a run. An entity that has been despawned shares its name with the one that took its place.
pub(super) struct Names<'w> {
    recorder: &'w Recorder,
    all: EntityHashMap<u64>,
}

impl<'w> Names<'w> {
    pub fn new(recorder: &'w Recorder, all: EntityHashMap<u64>) -> Self {
        Self { recorder, all }
    }

    pub fn get(&self, entity: Entity) -> Option<u64> {
        self.all.get(&self.recorder.now(entity)).copied()
    }

    /// Names an entity. Returns its earlier name.
    pub fn insert(&mut self, entity: Entity, name: u64) -> Option<u64> {
        self.all.insert(self.recorder.now(entity), name)
    }

    /// All entities that exist now, or have existed last, with their names.
    pub fn iter(&self) -> impl Iterator<Item = (Entity, u64)> {
        self.all.iter().map(|(&entity, &name)| (entity, name))
    }
}

/// The entities of names in a run.
pub(super) type Entities = BTreeMap<u64, Entity>;

/// A kind of value, and how it is written.
pub(super) struct Kind {
    /// Its name in a run.
    pub name: String,
    /// Its index in the history.
    pub index: usize,
    /// How it is written.
    pub form: Form,
}

/// How a kind is written.
pub(super) enum Form {
    /// A component.
    Component(Box<dyn ComponentForm>),
    /// A setting.
    Setting { write: fn(&Edit) -> Result<RonValue, String>, read: Box<dyn Fn(&RonValue) -> Result<Edit, String>> },
}

/// Writes and reads the edits of a component.
pub(super) trait ComponentForm {
    fn write(&self, edit: &Edit, names: &Names) -> Result<Values<RonValue>, String>;

    fn read(&self, values: Values<&RonValue>, entities: &Entities) -> Result<Edit, String>;
}

/// A component of the physics.
struct OfPhysics<C> {
    write: fn(&C, &Names) -> Result<RonValue, String>,
    read: fn(&RonValue, &Entities) -> Result<C, String>,
}

impl<C: Component> ComponentForm for OfPhysics<C> {
    fn write(&self, edit: &Edit, names: &Names) -> Result<Values<RonValue>, String> {
        let values = edit.components::<C>().unwrap_or_default().iter();
        let write = |value: &C| (self.write)(value, names);
        values.map(|(entity, value)| Ok((*entity, value.as_ref().map(write).transpose()?))).collect()
    }

    fn read(&self, values: Values<&RonValue>, entities: &Entities) -> Result<Edit, String> {
        let read = |value: &RonValue| (self.read)(value, entities);
        let edits = values.into_iter().map(|(entity, value)| Ok((entity, value.map(read).transpose()?)));
        Ok(Edit::of_components::<C>(edits.collect::<Result<_, String>>()?))
    }
}

/// A component of a game, by its type path.
struct OfGame {
    path: &'static str,
    registry: SceneRegistry,
}

impl ComponentForm for OfGame {
    fn write(&self, edit: &Edit, _: &Names) -> Result<Values<RonValue>, String> {
        self.registry.write_edit(self.path, edit)
    }

    fn read(&self, values: Values<&RonValue>, _: &Entities) -> Result<Edit, String> {
        self.registry.read_edit(self.path, values)
    }
}

/// A component without a value, which is `true` in a run, as in scene files.
macro_rules! marker {
    ($component:ident) => {
        OfPhysics { write: |_: &$component, _| RonValue::of(&true), read: |_, _| Ok($component) }
    };
}

/// All kinds that can be written.
pub(super) struct Kinds(Vec<Kind>);

impl Kinds {
    /// The kinds that the history of this world tracks.
    pub fn of(world: &World) -> Self {
        let mut kinds = Adder { recorder: world.resource::<Recorder>(), kinds: Vec::new() };
        visit_all(&mut kinds);
        kinds.add("joint", OfPhysics { write: write_joint, read: read_joint });
        kinds.add("disc", marker!(Disc));
        kinds.add("ball", marker!(Ball));
        kinds.add("pocket", plain::<Pocket>());
        kinds.add("density", plain::<Density>());
        kinds.add(
            "in_pocket",
            OfPhysics {
                write: |value: &InPocket, names| RonValue::of(&name(value.pocket, names)?),
                read: |value, entities| Ok(InPocket { pocket: entity(value.read()?, entities)? }),
            },
        );
        kinds.add(
            "orientation",
            OfPhysics {
                write: |value: &Orientation, _| RonValue::of(&(value.turn, value.rolled_to)),
                read: |value, _| value.read().map(|(turn, rolled_to)| Orientation { turn, rolled_to }),
            },
        );
        kinds.add(
            "ignored_pairs",
            OfPhysics {
                write: |value: &IgnoredPairs, names| write_list(&value.0, names),
                read: |value, entities| read_list(value, entities).map(IgnoredPairs),
            },
        );
        kinds.add(
            "sensed",
            OfPhysics {
                write: |value: &Sensed, names| write_list(&value.0, names),
                read: |value, entities| read_list(value, entities).map(Sensed),
            },
        );
        kinds.add(
            "colliding_entities",
            OfPhysics {
                write: |value: &CollidingEntities, names| write_list(value, names),
                read: |value, entities| read_list(value, entities).map(CollidingEntities),
            },
        );
        kinds.add(
            "table_rect",
            OfPhysics {
                write: |value: &TableRect, _| RonValue::of(&corners(value.0)),
                read: |value, _| value.read().map(|corners| TableRect(rect(corners))),
            },
        );
        kinds.add(
            "settled_rect",
            OfPhysics {
                write: |value: &SettledRect, _| RonValue::of(&(corners(value.rect), corners(value.before))),
                read: |value, _| {
                    value.read().map(|(now, before)| SettledRect { rect: rect(now), before: rect(before) })
                },
            },
        );
        kinds.add_setting("collision", type_name::<CollisionSettings>(), |settings: &CollisionSettings| {
            settings.check().map_err(|invalid| invalid.to_string())
        });
        kinds.add_setting("motion", type_name::<MotionSettings>(), |settings: &MotionSettings| {
            settings.check().map_err(|invalid| invalid.to_string())
        });
        kinds.add_setting("table", type_name::<TablePhysics>(), |table: &TablePhysics| {
            table.check().map_err(|invalid| invalid.to_string())
        });
        kinds.add_setting("tick_rate", TICK_RATE, |rate: &Option<f64>| {
            let [slowest, fastest] = [Playback::TICK_RATES.start(), Playback::TICK_RATES.end()];
            match rate {
                Some(rate) if !Playback::TICK_RATES.contains(rate) => {
                    Err(format!("it is {rate}; it must be from {slowest} to {fastest}"))
                }
                _ => Ok(()),
            }
        });
        kinds.add_setting("time_step", TIME_STEP, |step: &Duration| {
            if step.is_zero() { Err("it is zero; it must be longer".to_owned()) } else { Ok(()) }
        });
        let registry = SceneRegistry::of(world);
        for (path, type_name) in registry.component_types() {
            let form = Box::new(OfGame { path, registry: registry.clone() });
            kinds.add_form(path, type_name, Form::Component(form));
        }
        Self(kinds.kinds)
    }

    /// The kind with this index in the history.
    pub fn at(&self, index: usize) -> Option<&Kind> {
        self.0.iter().find(|kind| kind.index == index)
    }

    /// The kind of this name in a run.
    pub fn named(&self, name: &str) -> Option<&Kind> {
        self.0.iter().find(|kind| kind.name == name)
    }

    /// The names of all components, or of all settings.
    pub fn names(&self, of_settings: bool) -> impl Iterator<Item = &str> {
        let is_one = move |kind: &&Kind| matches!(kind.form, Form::Setting { .. }) == of_settings;
        self.0.iter().filter(is_one).map(|kind| kind.name.as_str())
    }
}

struct Adder<'w> {
    recorder: &'w Recorder,
    kinds: Vec<Kind>,
}

impl Adder<'_> {
    fn add_form(&mut self, name: &str, type_name: &str, form: Form) {
        if let Some(index) = self.recorder.kind(type_name)
            && self.kinds.iter().all(|kind| kind.index != index)
        {
            self.kinds.push(Kind { name: name.to_owned(), index, form });
        }
    }

    fn add<C: Component>(&mut self, name: &str, form: OfPhysics<C>) {
        self.add_form(name, type_name::<C>(), Form::Component(Box::new(form)));
    }

    /// Adds a setting with a check of its range.
    fn add_setting<T: Serialize + DeserializeOwned + Send + Sync + 'static>(
        &mut self,
        name: &str,
        tracked: &str,
        check: fn(&T) -> Result<(), String>,
    ) {
        let form = Form::Setting {
            write: |edit| RonValue::of(edit.value::<T>().ok_or("it is of another type")?),
            read: Box::new(move |value| {
                let setting = value.read::<Option<T>>()?;
                setting.as_ref().map_or(Ok(()), check)?;
                Ok(Edit::of_value(setting))
            }),
        };
        self.add_form(name, tracked, form);
    }
}

impl ComponentVisitor for Adder<'_> {
    fn visit<C: Described>(&mut self) {
        let name = match C::DESCRIPTION.field {
            "" => in_snake_case(C::type_ident().unwrap_or_default()),
            field => field.to_owned(),
        };
        // A joint names other entities.
        if name == "joint" {
            return;
        }
        let form = if size_of::<C>() == 0 {
            OfPhysics {
                write: |_, _| RonValue::of(&true),
                read: |_, _| {
                    C::deserialize(UnitDeserializer::<serde::de::value::Error>::new()).map_err(|it| it.to_string())
                },
            }
        } else {
            plain::<C>()
        };
        self.add(&name, form);
    }
}

fn in_snake_case(name: &str) -> String {
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !words.is_empty() {
            words.push('_');
        }
        words.push(letter.to_ascii_lowercase());
    }
    words
}

fn plain<C: Serialize + DeserializeOwned>() -> OfPhysics<C> {
    OfPhysics { write: |value, _| RonValue::of(value), read: |value, _| value.read() }
}

fn corners(rect: Rect) -> (Vec2, Vec2) {
    (rect.min, rect.max)
}

fn rect((min, max): (Vec2, Vec2)) -> Rect {
    Rect { min, max }
}

/// The name of an entity.
fn name(entity: Entity, names: &Names) -> Result<u64, String> {
    names.get(entity).ok_or_else(|| format!("it names {entity}, which has no StableId; remove the reference"))
}

/// The entity of a name.
fn entity(name: u64, entities: &Entities) -> Result<Entity, String> {
    entities.get(&name).copied().ok_or_else(|| format!("no entity has the id {name}"))
}

/// Entities that are not known are gone, and mean nothing.
fn write_list(list: &[Entity], names: &Names) -> Result<RonValue, String> {
    let list: Vec<u64> = list.iter().filter_map(|&entity| names.get(entity)).collect();
    RonValue::of(&list)
}

fn read_list(value: &RonValue, entities: &Entities) -> Result<Vec<Entity>, String> {
    value.read::<Vec<u64>>()?.into_iter().map(|name| entity(name, entities)).collect()
}

fn write_joint(joint: &Joint, names: &Names) -> Result<RonValue, String> {
    let end = |end: JointEnd| match end {
        JointEnd::Disc(disc) => name(disc, names).map(JointEndEntry::Disc),
        JointEnd::Point(point) => Ok(JointEndEntry::Point(point)),
    };
    let [a, b] = joint.ends.map(end);
    RonValue::of(&JointEntry { ends: [a?, b?], kind: joint.kind, inactive: false })
}

fn read_joint(value: &RonValue, entities: &Entities) -> Result<Joint, String> {
    let JointEntry { ends, kind, .. } = value.read()?;
    let end = |end: JointEndEntry| match end {
        JointEndEntry::Disc(disc) => entity(disc, entities).map(JointEnd::Disc),
        JointEndEntry::Point(point) => Ok(JointEnd::Point(point)),
    };
    let [a, b] = ends.map(end);
    Ok(Joint { ends: [a?, b?], kind })
}
