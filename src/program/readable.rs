//! Reads a file of settings value by value: an invalid value does not discard the others.

use ron::{error::SpannedResult, value::RawValue};
use serde::{
    Deserialize, Serialize,
    de::{DeserializeOwned, Deserializer, MapAccess, Visitor},
};

/// The readable part of a struct of structs.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Readable<T> {
    /// All values that could be read, and defaults for the rest.
    pub value: T,
    /// The fields with invalid values, such as `panel.width`.
    pub wrong: Vec<String>,
    /// Fields that the type does not have.
    pub unknown: Vec<String>,
}

/// Reads a struct whose fields may be structs. `former` lists names of fields that are read but no longer written.
///
/// # Errors
/// If the text is not a RON struct.
pub(super) fn read<T>(text: &str, former: &[&str]) -> SpannedResult<Readable<T>>
where
    T: DeserializeOwned + Serialize + Default,
{
    let (mut wrong, mut unknown) = (Vec::new(), Vec::new());
    let is_read = |text: &str| ron::from_str::<T>(text).is_ok();
    let model = ron::to_string(&T::default()).ok().and_then(|text| fields(&text));
    let find = |name: &str| model.iter().flatten().find(|(known, _)| known == name).map(|(_, text)| &text[..]);
    let mut kept = String::from("(");
    for (name, text) in ron::from_str::<Fields>(text)?.0 {
        let Some(known) = find(&name) else {
            unknown.push(name);
            continue;
        };
        let (Some(parts), Some(known)) = (fields(&text), fields(known)) else {
            if is_read(&format!("({name}: {text})")) {
                kept.extend([&name, ": ", &text, ", "]);
            } else {
                wrong.push(name);
            }
            continue;
        };
        kept.extend([&name, ": ("]);
        for (part, text) in parts {
            if !known.iter().any(|(known, _)| *known == part) && !former.contains(&&part[..]) {
                unknown.push(format!("{name}.{part}"));
            } else if is_read(&format!("({name}: ({part}: {text}))")) {
                kept.extend([&part, ": ", &text, ", "]);
            } else {
                wrong.push(format!("{name}.{part}"));
            }
        }
        kept += "), ";
    }
    kept.push(')');
    Ok(Readable { value: ron::from_str(&kept)?, wrong, unknown })
}

fn fields(text: &str) -> Option<Vec<(String, String)>> {
    ron::from_str::<Fields>(text).ok().map(|fields| fields.0)
}

/// The fields of a struct, each with the text of its value.
struct Fields(Vec<(String, String)>);

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Each;

        impl<'de> Visitor<'de> for Each {
            type Value = Fields;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a struct with named fields")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut all = Vec::new();
                while let Some((name, text)) = map.next_entry::<String, Box<RawValue>>()? {
                    all.push((name, text.get_ron().to_owned()));
                }
                Ok(Fields(all))
            }
        }

        deserializer.deserialize_struct("", &[], Each)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
    #[serde(default)]
    struct Settings {
        window: Window,
        files: Vec<String>,
    }

    #[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
    #[serde(default)]
    struct Window {
        width: f32,
        shade: Option<Shade>,
        title: String,
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    enum Shade {
        Dark,
    }

    #[test]
    fn one_bad_value_costs_itself_alone() {
        let text = "(window: (width: wide, shade: Some(Dark), title: \"a (b: c)\"), files: [\"a\", \"b\"],)";
        let read = read::<Settings>(text, &[]).unwrap();
        let window = Window { width: 0.0, shade: Some(Shade::Dark), title: "a (b: c)".to_owned() };
        assert_eq!(read.value, Settings { window, files: vec!["a".to_owned(), "b".to_owned()] });
        assert_eq!((read.wrong, read.unknown), (vec!["window.width".to_owned()], Vec::new()));
    }

    #[test]
    fn what_is_of_another_version_is_named() {
        let text = "(window: (width: 2, old: 1, new: [1]), newer: (a: 1), files: 7)";
        let read = read::<Settings>(text, &["old"]).unwrap();
        assert_eq!(read.value.window.width, 2.0);
        assert_eq!(read.unknown, ["window.new", "newer"]);
        assert_eq!(read.wrong, ["files"]);
        for broken in ["", "(window: (width: 2)", "[1]"] {
            assert!(super::read::<Settings>(broken, &[]).is_err(), "{broken}");
        }
    }
}
