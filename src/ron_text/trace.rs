//! A deserializer around RON's. It reads a text again to learn more about a mistake than the error says. It keeps the
//! path of the fields and counts the values. Its [`Goal`] says what else it does.

use std::cell::{Cell, RefCell};

use serde::{
    Deserializer,
    de::{DeserializeSeed, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor},
};

use super::forms::{Ask, Form};

/// Why a text is read again. Values are counted from 0 in their order in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// To find where reading fails.
    Find,
    /// To stop at the first number that is infinite.
    FindInfinite,
    /// To stop before this value, so that the parser is at its beginning.
    StopBefore(usize),
    /// To ask the type of this value which values it accepts, or for an enum, about one of its variants.
    Ask(usize, Option<&'static str>),
}

/// Where reading fails.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    /// The value.
    pub(super) value: usize,
    /// The path of its field.
    pub(super) path: String,
    /// The variants of its type, if that is an enum.
    pub(super) variants: &'static [&'static str],
    /// The valid names of its fields, if the name of a field cannot be read.
    pub(super) names: &'static [&'static str],
}

/// What has been learned while a text is read.
pub(super) struct Trace {
    goal: Goal,
    values: Cell<usize>,
    path: RefCell<String>,
    /// The last word that was read, such as the name of a field or a variant.
    word: RefCell<String>,
    failure: RefCell<Option<Failure>>,
    form: RefCell<Option<Form>>,
}

impl Trace {
    pub(super) fn new(goal: Goal) -> Self {
        let (values, path, word, failure, form) = Default::default();
        Self { goal, values, path, word, failure, form }
    }

    /// Wraps a seed, so that what it reads is recorded here.
    pub(super) fn watch<S>(&self, inner: S) -> Seed<'_, S> {
        Seed { inner, trace: self, is_name: false }
    }

    /// The same for a seed that reads the name of a field or a variant.
    fn watch_name<S>(&self, inner: S) -> Seed<'_, S> {
        Seed { inner, trace: self, is_name: true }
    }

    pub(super) fn failure(&self) -> Option<Failure> {
        self.failure.borrow().clone()
    }

    pub(super) fn form(&self) -> Option<Form> {
        self.form.borrow().clone()
    }

    /// Counts a value, or stops before it.
    fn begin<E: Error>(&self) -> Result<usize, E> {
        let value = self.values.get();
        self.values.set(value + 1);
        if self.goal == Goal::StopBefore(value) { Err(E::custom("")) } else { Ok(value) }
    }

    /// Stops at an infinite number, if that is the goal.
    fn check_size<E: Error>(&self, is_infinite: bool) -> Result<(), E> {
        if is_infinite && self.goal == Goal::FindInfinite { Err(E::custom("")) } else { Ok(()) }
    }

    /// Records where reading fails. The innermost value fails first; later calls change nothing.
    fn fail(&self, value: usize, variants: &'static [&'static str], names: &'static [&'static str]) {
        let path = || self.path.borrow().clone();
        self.failure.borrow_mut().get_or_insert_with(|| Failure { value, path: path(), variants, names });
    }

    /// Calls `read` with the path one step longer.
    fn within<R>(&self, step: &str, read: impl FnOnce() -> R) -> R {
        let before = self.path.borrow().len();
        self.path.borrow_mut().push_str(step);
        let read = read();
        self.path.borrow_mut().truncate(before);
        read
    }

    /// The step to a field, or to the value in a variant.
    fn step_to(&self, name: &str) -> String {
        if self.path.borrow().is_empty() { name.to_owned() } else { format!(".{name}") }
    }
}

/// A seed whose values are recorded.
pub(super) struct Seed<'t, S> {
    inner: S,
    trace: &'t Trace,
    is_name: bool,
}

/// A deserializer, or the access to an enum or its variant, whose values are recorded.
struct Traced<'t, T> {
    inner: T,
    trace: &'t Trace,
}

/// How a value consists of others.
#[derive(Clone, Copy)]
enum Shape {
    List,
    Tuple,
    Fields(&'static [&'static str]),
}

/// A visitor whose values are recorded.
struct Watched<'t, V> {
    inner: V,
    trace: &'t Trace,
    shape: Shape,
}

/// The elements of a list or a tuple.
struct Elements<'t, A> {
    inner: A,
    trace: &'t Trace,
    is_tuple: bool,
    index: usize,
}

/// The fields of a struct, or the entries of a map. A map has no `names`.
struct Members<'t, A> {
    inner: A,
    trace: &'t Trace,
    names: &'static [&'static str],
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Seed<'_, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, inner: D) -> Result<S::Value, D::Error> {
        let Self { inner: seed, trace, is_name } = self;
        let value = trace.values.get();
        let read = seed.deserialize(Traced { inner, trace });
        // A value that was read may still be invalid for its type.
        read.inspect_err(|_| {
            if !is_name {
                trace.fail(value, &[], &[]);
            }
        })
    }
}

/// A method for each kind of value, with its arguments, its [`Shape`], and the variants of its type.
macro_rules! values {
    ($($method:ident($($argument:ident: $type:ty),*), $shape:expr, $variants:expr;)*) => {
        $(fn $method<V: Visitor<'de>>(self, $($argument: $type,)* visitor: V) -> Result<V::Value, D::Error> {
            let Self { inner, trace } = self;
            let value = trace.begin()?;
            if let Goal::Ask(asked, variant) = trace.goal
                && asked == value
            {
                return Ask::new(&trace.form, variant).$method($($argument,)* visitor);
            }
            let visitor = Watched { inner: visitor, trace, shape: $shape };
            inner.$method($($argument,)* visitor).inspect_err(|_| trace.fail(value, $variants, &[]))
        })*
    };
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Traced<'_, D> {
    type Error = D::Error;

    values! {
        deserialize_any(), Shape::List, &[];
        deserialize_bool(), Shape::List, &[];
        deserialize_i8(), Shape::List, &[];
        deserialize_i16(), Shape::List, &[];
        deserialize_i32(), Shape::List, &[];
        deserialize_i64(), Shape::List, &[];
        deserialize_i128(), Shape::List, &[];
        deserialize_u8(), Shape::List, &[];
        deserialize_u16(), Shape::List, &[];
        deserialize_u32(), Shape::List, &[];
        deserialize_u64(), Shape::List, &[];
        deserialize_u128(), Shape::List, &[];
        deserialize_f32(), Shape::List, &[];
        deserialize_f64(), Shape::List, &[];
        deserialize_char(), Shape::List, &[];
        deserialize_str(), Shape::List, &[];
        deserialize_string(), Shape::List, &[];
        deserialize_bytes(), Shape::List, &[];
        deserialize_byte_buf(), Shape::List, &[];
        deserialize_option(), Shape::List, &[];
        deserialize_unit(), Shape::List, &[];
        deserialize_unit_struct(name: &'static str), Shape::List, &[];
        deserialize_newtype_struct(name: &'static str), Shape::List, &[];
        deserialize_seq(), Shape::List, &[];
        deserialize_tuple(count: usize), Shape::Tuple, &[];
        deserialize_tuple_struct(name: &'static str, count: usize), Shape::Tuple, &[];
        deserialize_map(), Shape::List, &[];
        deserialize_struct(name: &'static str, fields: &'static [&'static str]), Shape::Fields(fields), &[];
        deserialize_enum(name: &'static str, variants: &'static [&'static str]), Shape::List, variants;
        deserialize_ignored_any(), Shape::List, &[];
    }

    /// The name of a field or a variant. It does not count as a value.
    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        let Self { inner, trace } = self;
        inner.deserialize_identifier(Watched { inner: visitor, trace, shape: Shape::List })
    }

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}

/// The visits of values that contain no others.
macro_rules! visits {
    ($($method:ident($type:ty);)*) => {
        $(fn $method<E: Error>(self, value: $type) -> Result<V::Value, E> {
            self.inner.$method(value)
        })*
    };
}

/// The visits of words, which may be names.
macro_rules! visits_words {
    ($($method:ident($type:ty);)*) => {
        $(fn $method<E: Error>(self, word: $type) -> Result<V::Value, E> {
            self.trace.word.replace(word.to_owned());
            self.inner.$method(word)
        })*
    };
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Watched<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.inner.expecting(f)
    }

    visits! {
        visit_bool(bool);
        visit_i8(i8);
        visit_i16(i16);
        visit_i32(i32);
        visit_i64(i64);
        visit_i128(i128);
        visit_u8(u8);
        visit_u16(u16);
        visit_u32(u32);
        visit_u64(u64);
        visit_u128(u128);
        visit_char(char);
        visit_bytes(&[u8]);
        visit_borrowed_bytes(&'de [u8]);
        visit_byte_buf(Vec<u8>);
    }

    visits_words! {
        visit_str(&str);
        visit_borrowed_str(&'de str);
    }

    fn visit_f32<E: Error>(self, number: f32) -> Result<V::Value, E> {
        self.trace.check_size(number.is_infinite())?;
        self.inner.visit_f32(number)
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<V::Value, E> {
        self.trace.check_size(number.is_infinite())?;
        self.inner.visit_f64(number)
    }

    fn visit_string<E: Error>(self, word: String) -> Result<V::Value, E> {
        self.trace.word.replace(word.clone());
        self.inner.visit_string(word)
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_none()
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        self.inner.visit_some(Traced { inner, trace: self.trace })
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        self.inner.visit_newtype_struct(Traced { inner, trace: self.trace })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, inner: A) -> Result<V::Value, A::Error> {
        let is_tuple = matches!(self.shape, Shape::Tuple);
        self.inner.visit_seq(Elements { inner, trace: self.trace, is_tuple, index: 0 })
    }

    fn visit_map<A: MapAccess<'de>>(self, inner: A) -> Result<V::Value, A::Error> {
        let names = match self.shape {
            Shape::Fields(names) => names,
            Shape::List | Shape::Tuple => &[],
        };
        self.inner.visit_map(Members { inner, trace: self.trace, names })
    }

    fn visit_enum<A: EnumAccess<'de>>(self, inner: A) -> Result<V::Value, A::Error> {
        self.inner.visit_enum(Traced { inner, trace: self.trace })
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Elements<'_, A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        let Self { inner, trace, is_tuple, index } = self;
        let step = if *is_tuple { trace.step_to(&index.to_string()) } else { format!("[{index}]") };
        *index += 1;
        trace.within(&step, || inner.next_element_seed(trace.watch(seed)))
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Members<'_, A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        let Self { inner, trace, names } = self;
        let key = inner.next_key_seed(trace.watch_name(seed));
        key.inspect_err(|_| trace.fail(trace.values.get(), &[], names))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        let Self { inner, trace, names } = self;
        let word = trace.word.borrow().clone();
        let step = if names.is_empty() { format!("[{word:?}]") } else { trace.step_to(&word) };
        trace.within(&step, || inner.next_value_seed(trace.watch(seed)))
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'de, 't, A: EnumAccess<'de>> EnumAccess<'de> for Traced<'t, A> {
    type Error = A::Error;
    type Variant = Traced<'t, A::Variant>;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self::Variant), A::Error> {
        let Self { inner, trace } = self;
        let (value, inner) = inner.variant_seed(trace.watch_name(seed))?;
        Ok((value, Traced { inner, trace }))
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for Traced<'_, A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.inner.unit_variant()
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, A::Error> {
        let Self { inner, trace } = self;
        let step = trace.step_to(&trace.word.borrow());
        trace.within(&step, || inner.newtype_variant_seed(trace.watch(seed)))
    }

    fn tuple_variant<V: Visitor<'de>>(self, count: usize, visitor: V) -> Result<V::Value, A::Error> {
        let Self { inner, trace } = self;
        inner.tuple_variant(count, Watched { inner: visitor, trace, shape: Shape::Tuple })
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        let Self { inner, trace } = self;
        inner.struct_variant(fields, Watched { inner: visitor, trace, shape: Shape::Fields(fields) })
    }
}
