//! The table of fields in the book's chapter on scene files follows from the descriptions of the components.
//!
//! After a change, write it again: `CAROM_UPDATE_BOOK=1 cargo test --test guides`.

use bevy::reflect::TypeInfo;
use carom::components::{ComponentVisitor, Described, EntityKinds, visit_all};

use crate::read;

const PAGE: &str = "docs/src/scene-files.md";
const MARKS: [&str; 2] = ["<!-- fields -->\n", "<!-- /fields -->"];

struct Rows(Vec<String>);

/// How a value of a type is written.
fn form(info: &'static TypeInfo) -> String {
    let by_path = |path: &str| match path {
        "f32" | "f64" => Some("number".to_owned()),
        "u8" | "u16" | "u32" | "u64" | "usize" => Some("whole number".to_owned()),
        "bool" => Some("`true` or `false`".to_owned()),
        "glam::Vec2" => Some("`(x, y)`".to_owned()),
        "glam::Vec3" => Some("`(x, y, z)`".to_owned()),
        _ => None,
    };
    if let Some(form) = by_path(info.type_path()) {
        return form;
    }
    match info {
        TypeInfo::TupleStruct(tuple) if tuple.field_len() == 1 => {
            tuple.field_at(0).and_then(bevy::reflect::UnnamedField::type_info).map_or_else(|| "value".to_owned(), form)
        }
        TypeInfo::Struct(fields) if fields.field_len() == 0 => "`true`".to_owned(),
        TypeInfo::TupleStruct(_) => "`true`".to_owned(),
        TypeInfo::Struct(fields) => {
            let names: Vec<String> = fields.iter().map(|field| format!("{}: …", field.name())).collect();
            format!("`({})`", names.join(", "))
        }
        TypeInfo::Enum(variants) => {
            let names: Vec<String> = variants.iter().map(|variant| format!("`{}`", variant.name())).collect();
            names.join(", ")
        }
        TypeInfo::List(_) | TypeInfo::Array(_) => "list".to_owned(),
        _ => "value".to_owned(),
    }
}

impl ComponentVisitor for Rows {
    fn visit<C: Described>(&mut self) {
        let it = C::DESCRIPTION;
        if it.field.is_empty() {
            return;
        }
        let on = match (it.acts_on.overlaps(EntityKinds::DISCS), it.acts_on.overlaps(EntityKinds::TERRAIN)) {
            (true, true) => "discs, terrain",
            (true, false) => "discs",
            _ => "terrain",
        };
        let name = C::type_info().type_path_table().short_path();
        let help = if it.help.is_empty() { it.noun } else { it.help };
        // People see degrees where files have radians.
        let unit = if it.unit == "°" { "rad" } else { it.unit.trim() };
        let unit = if unit.is_empty() { String::new() } else { format!(", {unit}") };
        let help = help.replace(", degrees", "");
        self.0.push(format!("| `{}` | {on} | {}{unit} | `{name}` | {help} |\n", it.field, form(C::type_info())));
    }
}

#[test]
fn the_book_has_every_field_of_a_component() {
    let mut rows = Rows(Vec::new());
    visit_all(&mut rows);
    let mut table = "\n| field | on | value | component | meaning |\n|---|---|---|---|---|\n".to_owned();
    table.extend(rows.0);
    table.push('\n');
    let page = read(PAGE);
    let (before, after) = page.split_once(MARKS[0]).expect("the page has a table of fields");
    let (stored, after) = after.split_once(MARKS[1]).expect("the table ends");
    if std::env::var_os("CAROM_UPDATE_BOOK").is_some() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
        std::fs::write(path, format!("{before}{}{table}{}{after}", MARKS[0], MARKS[1])).expect("it can be written");
        return;
    }
    assert_eq!(stored, table, "{PAGE}: CAROM_UPDATE_BOOK=1 cargo test --test guides writes it again");
}
