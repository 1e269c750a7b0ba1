//! Reads and writes entries: the fields of their structs, followed by the fields of [`OptionalComponents`].
//!
//! `#[serde(flatten)]` is not an alternative. It turns a struct into a map, which RON writes with braces, and it cannot
//! reject unknown fields.

use core::fmt;
use std::sync::OnceLock;

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{DeserializeSeed, Error, IntoDeserializer, MapAccess, Visitor},
    forward_to_deserialize_any,
    ser::{self, Impossible, SerializeStruct},
};

use super::optional::{EntryKind, OptionalComponents};

/// What is read beside the fields of an entry's struct.
#[derive(Default)]
pub(super) struct OtherFields {
    pub(super) optional: OptionalComponents,
    /// Whether the struct has a field for its position.
    pub(super) has_position: bool,
}

/// The field of the position of an entry.
const POSITION: &str = "position";

/// Reads the fields of components from a struct, and leaves the others to its own deserializer.
pub(super) struct ReadEntry<'a, D> {
    pub(super) inner: D,
    pub(super) kind: EntryKind,
    pub(super) others: &'a mut OtherFields,
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for ReadEntry<'_, D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.inner.deserialize_any(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        own: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let Self { inner, kind, others } = self;
        let all = all_fields(kind, own);
        inner.deserialize_struct(name, all, Fields { inner: visitor, kind, own, others })
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

/// All fields of an entry, for errors about unknown fields.
fn all_fields(kind: EntryKind, own: &'static [&'static str]) -> &'static [&'static str] {
    static ALL: [OnceLock<Vec<&str>>; 2] = [OnceLock::new(), OnceLock::new()];
    ALL[kind as usize].get_or_init(|| [own, kind.fields()].concat())
}

/// Reads the fields of components in passing, as a wrapper of an entry's visitor and of its map.
struct Fields<'a, T> {
    inner: T,
    kind: EntryKind,
    own: &'static [&'static str],
    others: &'a mut OtherFields,
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Fields<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(f)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        let Self { inner, kind, own, others } = self;
        inner.visit_map(Fields { inner: map, kind, own, others })
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Fields<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        while let Some(Name(name)) = self.inner.next_key()? {
            if self.own.contains(&&*name) {
                self.others.has_position |= name == POSITION;
                return seed.deserialize(name.into_deserializer()).map(Some);
            }
            let all = all_fields(self.kind, self.own);
            let Some(field) = self.kind.fields().iter().find(|field| **field == name) else {
                return Err(A::Error::unknown_field(&name, all));
            };
            if self.others.optional.has(field) {
                return Err(A::Error::duplicate_field(field));
            }
            self.others.optional.read(self.kind, field, &mut self.inner)?;
        }
        Ok(None)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, A::Error> {
        self.inner.next_value_seed(seed)
    }
}

/// The name of a field.
struct Name(String);

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NameVisitor;
        impl Visitor<'_> for NameVisitor {
            type Value = Name;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a field")
            }

            fn visit_str<E>(self, name: &str) -> Result<Name, E> {
                Ok(Name(name.to_owned()))
            }
        }
        deserializer.deserialize_identifier(NameVisitor)
    }
}

/// Writes the fields of components after the fields of a struct.
pub(super) struct WriteEntry<'a, S> {
    pub(super) inner: S,
    pub(super) optional: &'a OptionalComponents,
    /// Whether it starts on its path, so that no position is written.
    pub(super) leaves_out_position: bool,
}

impl<S: SerializeStruct> SerializeStruct for WriteEntry<'_, S> {
    type Ok = S::Ok;
    type Error = S::Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), S::Error> {
        if key == POSITION && self.leaves_out_position {
            return self.inner.skip_field(key);
        }
        self.inner.serialize_field(key, value)
    }

    fn end(mut self) -> Result<S::Ok, S::Error> {
        self.optional.write(&mut self.inner)?;
        self.inner.end()
    }
}

/// Rejects everything but structs.
macro_rules! only_a_structure {
    ($($method:ident($($argument:ty),*) $(<$t:ident>)? -> $result:ty;)*) => {
        $(fn $method $(<$t: Serialize + ?Sized>)? (self, $(_: $argument),*) -> Result<$result, S::Error> {
            Err(ser::Error::custom("an entry is a structure"))
        })*
    };
}

impl<'a, S: Serializer> Serializer for WriteEntry<'a, S> {
    type Ok = S::Ok;
    type Error = S::Error;
    type SerializeSeq = Impossible<S::Ok, S::Error>;
    type SerializeTuple = Impossible<S::Ok, S::Error>;
    type SerializeTupleStruct = Impossible<S::Ok, S::Error>;
    type SerializeTupleVariant = Impossible<S::Ok, S::Error>;
    type SerializeMap = Impossible<S::Ok, S::Error>;
    type SerializeStruct = WriteEntry<'a, S::SerializeStruct>;
    type SerializeStructVariant = Impossible<S::Ok, S::Error>;

    fn serialize_struct(self, name: &'static str, own: usize) -> Result<Self::SerializeStruct, S::Error> {
        let Self { inner, optional, leaves_out_position } = self;
        let own = own - usize::from(leaves_out_position);
        let inner = inner.serialize_struct(name, own + optional.len())?;
        Ok(WriteEntry { inner, optional, leaves_out_position })
    }

    only_a_structure! {
        serialize_bool(bool) -> S::Ok;
        serialize_i8(i8) -> S::Ok;
        serialize_i16(i16) -> S::Ok;
        serialize_i32(i32) -> S::Ok;
        serialize_i64(i64) -> S::Ok;
        serialize_u8(u8) -> S::Ok;
        serialize_u16(u16) -> S::Ok;
        serialize_u32(u32) -> S::Ok;
        serialize_u64(u64) -> S::Ok;
        serialize_f32(f32) -> S::Ok;
        serialize_f64(f64) -> S::Ok;
        serialize_char(char) -> S::Ok;
        serialize_str(&str) -> S::Ok;
        serialize_bytes(&[u8]) -> S::Ok;
        serialize_none() -> S::Ok;
        serialize_some(&T) <T> -> S::Ok;
        serialize_unit() -> S::Ok;
        serialize_unit_struct(&'static str) -> S::Ok;
        serialize_unit_variant(&'static str, u32, &'static str) -> S::Ok;
        serialize_newtype_struct(&'static str, &T) <T> -> S::Ok;
        serialize_newtype_variant(&'static str, u32, &'static str, &T) <T> -> S::Ok;
        serialize_seq(Option<usize>) -> Self::SerializeSeq;
        serialize_tuple(usize) -> Self::SerializeTuple;
        serialize_tuple_struct(&'static str, usize) -> Self::SerializeTupleStruct;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Self::SerializeTupleVariant;
        serialize_map(Option<usize>) -> Self::SerializeMap;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Self::SerializeStructVariant;
    }
}
