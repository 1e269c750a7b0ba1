//! Which values a type accepts. A type asks its deserializer for the kind of value that it expects. The deserializer
//! here has no text: it only records what is asked for. It can ask about one variant of an enum at a time.

use std::{cell::RefCell, marker::PhantomData};

use serde::{
    Deserializer,
    de::{DeserializeSeed, EnumAccess, Error, Expected, IntoDeserializer, SeqAccess, VariantAccess, Visitor},
};

use super::names::any_of;

/// The kind of value that a type expects.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Form {
    Number,
    /// A whole number between these two.
    Whole(String, String),
    Flag,
    Text,
    Letter,
    List,
    Map,
    /// This many values in parentheses, and whether they are numbers.
    Tuple(usize, bool),
    Fields(&'static [&'static str]),
    /// One of several names.
    Names(&'static [&'static str]),
    /// A variant of an enum, as written in RON.
    Variant(String),
    /// A whole number, in the words of its type.
    Said(String),
    Other,
}

/// The number of fields of a variant that are shown.
const FIELDS_OF_VARIANT: usize = 3;

impl Form {
    /// The words after *write*.
    pub(super) fn in_words(&self) -> String {
        match self {
            Self::Number => "a number".to_owned(),
            Self::Whole(low, high) => format!("a whole number from {low} to {high}"),
            Self::Flag => "true or false".to_owned(),
            Self::Text => "a text in quotes".to_owned(),
            Self::Letter => "a letter in single quotes".to_owned(),
            Self::List => "a list in brackets, `[` and `]`".to_owned(),
            Self::Map => "a map in braces, `{` and `}`".to_owned(),
            Self::Tuple(2, true) => "two numbers in parentheses, such as (0, 1)".to_owned(),
            Self::Tuple(3, true) => "three numbers in parentheses, such as (0, 0, 1)".to_owned(),
            Self::Tuple(count, true) => format!("{count} numbers in parentheses"),
            Self::Tuple(count, false) => format!("{count} values in parentheses"),
            Self::Fields(names) => format!("fields in parentheses, which are {}", names.join(", ")),
            Self::Names(names) => any_of(names),
            Self::Variant(words) | Self::Said(words) => words.clone(),
            Self::Other => "another value".to_owned(),
        }
    }

    /// The words in the parentheses of a variant.
    fn within_variant(&self) -> String {
        match self {
            Self::Number => "number".to_owned(),
            Self::Whole(..) | Self::Said(_) => "whole number".to_owned(),
            Self::Text => "\"text\"".to_owned(),
            Self::Tuple(count, true) => vec!["number"; *count].join(", "),
            Self::Fields(names) => {
                let shown = names.iter().take(FIELDS_OF_VARIANT).map(|name| format!("{name}: …"));
                let more = (names.len() > FIELDS_OF_VARIANT).then(|| "…".to_owned());
                shown.chain(more).collect::<Vec<_>>().join(", ")
            }
            _ => "…".to_owned(),
        }
    }
}

/// Asks a type which kind of value it expects. It records the answer, and then fails.
pub(super) struct Ask<'t, E> {
    answer: &'t RefCell<Option<Form>>,
    variant: Option<&'static str>,
    error: PhantomData<E>,
}

impl<'t, E: Error> Ask<'t, E> {
    pub(super) fn new(answer: &'t RefCell<Option<Form>>, variant: Option<&'static str>) -> Self {
        Self { answer, variant, error: PhantomData }
    }

    fn note(&self, form: Form) {
        self.answer.replace(Some(form));
    }

    fn answer<R>(&self, form: Form) -> Result<R, E> {
        self.note(form);
        Err(E::custom(""))
    }

    /// Answers with a tuple, the first value of which has been asked for.
    fn answer_tuple<R>(&self, count: usize) -> Result<R, E> {
        let of_numbers = matches!(*self.answer.borrow(), Some(Form::Number | Form::Whole(..)));
        self.answer(Form::Tuple(count, of_numbers))
    }

    fn answer_whole<N: ToString, R>(&self, low: N, high: N) -> Result<R, E> {
        self.answer(Form::Whole(low.to_string(), high.to_string()))
    }
}

/// A method for each kind of value, with its answer.
macro_rules! answers {
    ($($method:ident($($argument:ident: $type:ty),*) $form:expr;)*) => {
        $(fn $method<V: Visitor<'de>>(self, $($argument: $type,)* _: V) -> Result<V::Value, E> {
            $(let _ = $argument;)*
            self.answer($form)
        })*
    };
}

/// A method for each kind of whole number.
macro_rules! whole_numbers {
    ($($method:ident($type:ty);)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
            let said = (&visitor as &dyn Expected).to_string();
            // A type with a smaller range says so.
            if said.starts_with("a whole number") {
                return self.answer(Form::Said(said));
            }
            self.answer_whole(<$type>::MIN, <$type>::MAX)
        })*
    };
}

impl<'de, E: Error> Deserializer<'de> for Ask<'_, E> {
    type Error = E;

    whole_numbers! {
        deserialize_i8(i8);
        deserialize_i16(i16);
        deserialize_i32(i32);
        deserialize_i64(i64);
        deserialize_i128(i128);
        deserialize_u8(u8);
        deserialize_u16(u16);
        deserialize_u32(u32);
        deserialize_u64(u64);
        deserialize_u128(u128);
    }

    answers! {
        deserialize_any() Form::Other;
        deserialize_bool() Form::Flag;
        deserialize_f32() Form::Number;
        deserialize_f64() Form::Number;
        deserialize_char() Form::Letter;
        deserialize_str() Form::Text;
        deserialize_string() Form::Text;
        deserialize_bytes() Form::Other;
        deserialize_byte_buf() Form::Other;
        deserialize_unit() Form::Other;
        deserialize_unit_struct(name: &'static str) Form::Other;
        deserialize_seq() Form::List;
        deserialize_map() Form::Map;
        deserialize_struct(name: &'static str, fields: &'static [&'static str]) Form::Fields(fields);
        deserialize_identifier() Form::Other;
        deserialize_ignored_any() Form::Other;
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, E> {
        self.note(Form::Other);
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, count: usize, visitor: V) -> Result<V::Value, E> {
        self.note(Form::Other);
        let _ = visitor.visit_seq(Self { ..self });
        self.answer_tuple(count)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        count: usize,
        visitor: V,
    ) -> Result<V::Value, E> {
        self.deserialize_tuple(count, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, E> {
        match self.variant {
            Some(variant) => visitor.visit_enum(AskVariant { ask: Self { variant: None, ..self }, variant }),
            None => self.answer(Form::Names(variants)),
        }
    }
}

/// The first element of a tuple stands for all.
impl<'de, E: Error> SeqAccess<'de> for Ask<'_, E> {
    type Error = E;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, E> {
        seed.deserialize(Self { ..*self }).map(Some)
    }
}

/// Asks about a variant of an enum.
struct AskVariant<'t, E> {
    ask: Ask<'t, E>,
    variant: &'static str,
}

impl<E: Error> AskVariant<'_, E> {
    /// Answers with the variant around the last answer.
    fn answer<R>(&self) -> Result<R, E> {
        let content = self.ask.answer.borrow().as_ref().map(Form::within_variant).unwrap_or_default();
        self.ask.answer(Form::Variant(format!("{}({content})", self.variant)))
    }
}

impl<'de, E: Error> EnumAccess<'de> for AskVariant<'_, E> {
    type Error = E;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), E> {
        seed.deserialize(self.variant.into_deserializer()).map(|value| (value, self))
    }
}

impl<'de, E: Error> VariantAccess<'de> for AskVariant<'_, E> {
    type Error = E;

    fn unit_variant(self) -> Result<(), E> {
        self.ask.answer(Form::Variant(self.variant.to_owned()))
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, E> {
        let _ = seed.deserialize(Ask { ..self.ask });
        self.answer()
    }

    fn tuple_variant<V: Visitor<'de>>(self, count: usize, visitor: V) -> Result<V::Value, E> {
        let _ = Ask { ..self.ask }.deserialize_tuple(count, visitor);
        self.answer()
    }

    fn struct_variant<V: Visitor<'de>>(self, fields: &'static [&'static str], _: V) -> Result<V::Value, E> {
        self.ask.note(Form::Fields(fields));
        self.answer()
    }
}
