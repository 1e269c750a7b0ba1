//! The values of settings, by their types: how each is read from text and described.

use std::str::FromStr;

use crate::collision::spin::{FlightPhysics, Rails};
use bevy::{
    math::Vec2,
    reflect::{
        PartialReflect, Reflect, TypeInfo,
        enums::{DynamicEnum, DynamicVariant, VariantInfo},
        tuple::DynamicTuple,
    },
};

use crate::ron_text::any_of;

/// A type of value other than an enum: its description, and how it is read.
struct Kind {
    is: fn(&TypeInfo) -> bool,
    words: &'static str,
    read: fn(&str) -> Option<Box<dyn PartialReflect>>,
}

const KINDS: [Kind; 10] = [
    Kind::single::<bool>("true or false"),
    Kind::single::<f32>("a number"),
    Kind::single::<f64>("a number"),
    Kind::single::<u32>("a whole number"),
    Kind::single::<u64>("a whole number"),
    Kind::single::<usize>("a whole number"),
    Kind {
        is: TypeInfo::is::<Vec2>,
        words: "two numbers, such as 0,-9.81",
        read: |text| boxed(Vec2::from(pair(text)?)),
    },
    Kind {
        is: TypeInfo::is::<FlightPhysics>,
        words: "a restitution of the slate, such as 0.5",
        read: |text| boxed(FlightPhysics { slate_restitution: text.trim().parse().ok()?, ..FlightPhysics::default() }),
    },
    Kind {
        is: TypeInfo::is::<Rails>,
        words: "the height of the noses, the length and width between them, and the width of a rail, such as \
            0.0363,2.54,1.27,0.165",
        read: |text| {
            let parts: Vec<f32> = text.split(',').map(|part| part.trim().parse().ok()).collect::<Option<_>>()?;
            let [nose_height, length, width, rail_width] = parts[..] else { return None };
            boxed(Rails { nose_height, length, width, rail_width })
        },
    },
    Kind { is: TypeInfo::is::<(f32, f32)>, words: "two numbers, such as -2,2", read: |text| boxed(pair(text)?) },
];

impl Kind {
    const fn single<T: Reflect + FromStr>(words: &'static str) -> Self {
        Self { is: TypeInfo::is::<T>, words, read: |text| boxed(text.trim().parse::<T>().ok()?) }
    }

    fn of(info: &TypeInfo) -> Option<&'static Self> {
        KINDS.iter().find(|kind| (kind.is)(info))
    }
}

#[allow(clippy::unnecessary_wraps)]
fn boxed<T: PartialReflect>(value: T) -> Option<Box<dyn PartialReflect>> {
    Some(Box::new(value))
}

/// Reads `x,y`, with or without parentheses.
fn pair(text: &str) -> Option<(f32, f32)> {
    let text = text.trim();
    let (x, y) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text).split_once(',')?;
    Some((x.trim().parse().ok()?, y.trim().parse().ok()?))
}

/// Reads a value of a type. For enums, case, spaces, underscores and hyphens in the name of a variant do not matter.
/// The name of a variant with a value may be omitted.
pub(super) fn read(info: &TypeInfo, text: &str) -> Option<Box<dyn PartialReflect>> {
    let TypeInfo::Enum(info) = info else { return (Kind::of(info)?.read)(text) };
    let plain = |text: &str| text.to_lowercase().replace([' ', '_', '-'], "");
    info.iter().find_map(|variant| {
        let is_named = |text: &str| plain(text) == plain(variant.name());
        let content = match content(variant) {
            None => is_named(text).then_some(DynamicVariant::Unit)?,
            Some(info) => {
                let whole = text.trim().split_once('(').filter(|(name, _)| is_named(name));
                let inside = whole.and_then(|(_, value)| value.strip_suffix(')')).unwrap_or(text);
                let mut content = DynamicTuple::default();
                content.insert_boxed(read(info, inside)?);
                DynamicVariant::Tuple(content)
            }
        };
        boxed(DynamicEnum::new(variant.name(), content))
    })
}

/// The type of the value in a variant.
pub(super) fn content(variant: &VariantInfo) -> Option<&'static TypeInfo> {
    variant.as_tuple_variant().ok()?.field_at(0)?.type_info()
}

/// Describes the values of a type.
pub(super) fn words(info: &TypeInfo) -> String {
    let TypeInfo::Enum(info) = info else { return Kind::of(info).map_or("", |kind| kind.words).to_owned() };
    let variants = info.iter().map(|variant| content(variant).map_or_else(|| variant.name().to_owned(), words));
    any_of(&variants.collect::<Vec<_>>())
}
