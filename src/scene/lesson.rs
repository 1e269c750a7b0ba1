//! Lessons: what a scene displays and allows in addition to other scenes.

use std::fmt;

use bevy::{ecs::intern::Interner, prelude::*};
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{DeserializeSeed, EnumAccess, VariantAccess, Visitor},
};

/// What a scene displays and allows in addition to other scenes. A scene file contains its name, such as `lesson:
/// VectorLab`.
///
/// A game registers its own with [`SceneAppExt::add_lesson`](super::SceneAppExt::add_lesson). The fields define what
/// the lesson allows. Draw it with systems that run [`in_lesson`](super::in_lesson). Explain it in a section of the
/// panel, or with systems.
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
pub struct Lesson {
    /// Its name in scene files, an identifier like the name of a type.
    pub name: &'static str,
    /// Whether it is about the first two discs of the scene. Any disc can then be dragged without Shift, and keeps its
    /// velocity.
    pub is_about_two: bool,
    /// Whether the tips of the first two discs' velocity arrows can be dragged. The arrows then show the path of one
    /// second, and the lesson draws them.
    pub has_tips: bool,
    /// Whether discs are drawn closer to the floor's colour, so that annotations over them are legible.
    pub dims_discs: bool,
}

impl Lesson {
    /// No lesson.
    pub const NONE: Self = Self { name: "None", is_about_two: false, has_tips: false, dims_discs: false };
    /// The vector laboratory for the first two discs: draggable velocity arrows, the components of the velocities
    /// before and after, and all intermediate values.
    pub const VECTOR_LAB: Self = Self { name: "VectorLab", is_about_two: true, has_tips: true, dims_discs: true };
    /// The quick check for the first two discs: the squared distances, the overlap, and the direction in which each is
    /// pushed.
    pub const QUICK_CHECK: Self = Self { name: "QuickCheck", is_about_two: true, ..Self::NONE };
    /// The precise check for the first two discs: when they touch and when they separate, draggable velocity arrows,
    /// and their positions at any time.
    pub const PRECISE_CHECK: Self = Self { name: "PreciseCheck", is_about_two: true, has_tips: true, ..Self::NONE };
    /// Galperin's billiard: every two discs are a lane, whose collisions are counted.
    pub const GALPERIN: Self = Self { name: "Galperin", ..Self::NONE };

    /// All shipped lessons.
    pub const SHIPPED: [Self; 5] =
        [Self::NONE, Self::VECTOR_LAB, Self::QUICK_CHECK, Self::PRECISE_CHECK, Self::GALPERIN];

    /// The shipped lesson of this name, or else a lesson with this name only.
    fn of_name(name: &str) -> Self {
        static NAMES: Interner<str> = Interner::new();
        let shipped = Self::SHIPPED.into_iter().find(|lesson| lesson.name == name);
        shipped.unwrap_or_else(|| Self { name: NAMES.intern(name).0, ..Self::NONE })
    }
}

/// The two discs of a lesson that [is about two](Lesson::is_about_two), or fewer if there are fewer: those with the
/// lowest `number`. At equal numbers the first counts.
#[cfg(feature = "input")]
pub(crate) fn first_two<T, N: Ord>(discs: impl IntoIterator<Item = T>, number: impl Fn(&T) -> N) -> [Option<T>; 2] {
    let mut first: [Option<T>; 2] = [None, None];
    for disc in discs {
        let comes_before = |other: &Option<T>| other.as_ref().is_none_or(|other| number(&disc) < number(other));
        if comes_before(&first[0]) {
            first = [Some(disc), first[0].take()];
        } else if comes_before(&first[1]) {
            first[1] = Some(disc);
        }
    }
    first
}

impl Default for Lesson {
    fn default() -> Self {
        Self::NONE
    }
}

impl Serialize for Lesson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_unit_variant("Lesson", 0, self.name)
    }
}

impl<'de> Deserialize<'de> for Lesson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_enum("Lesson", &[], Name)
    }
}

/// Reads the name of a lesson, known or not.
struct Name;

impl<'de> DeserializeSeed<'de> for Name {
    type Value = Lesson;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Lesson, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl<'de> Visitor<'de> for Name {
    type Value = Lesson;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("the name of a lesson")
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Lesson, E> {
        Ok(Lesson::of_name(name))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<Lesson, A::Error> {
        let (lesson, variant) = access.variant_seed(Name)?;
        variant.unit_variant()?;
        Ok(lesson)
    }
}
