use std::collections::BTreeMap;

use ron::extensions::Extensions;
use serde::Deserialize;

use super::*;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct Whole {
    #[serde(default)]
    list: Vec<Part>,
    #[serde(default)]
    map: BTreeMap<String, u8>,
    #[serde(default)]
    made: Vec<Maker>,
    #[serde(default)]
    words: Vec<Three>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(dead_code)]
struct Part {
    place: (f32, f32),
    turn: (f32, f32, f32),
    count: usize,
    small: Option<u8>,
    signed: i16,
    is_on: bool,
    name: String,
    letter: Option<char>,
    kind: Option<Kind>,
    ends: Option<(Kind, Kind)>,
    wrapped: Wrapped,
}

#[derive(Debug, Default, Deserialize)]
#[allow(dead_code)]
struct Wrapped(f32);

/// It is a word of three letters.
#[derive(Debug, Deserialize)]
#[serde(try_from = "String")]
struct Three;

impl TryFrom<String> for Three {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        if word.len() == 3 { Ok(Self) } else { Err(format!("`{word}` has not three letters")) }
    }
}

#[derive(Debug, Deserialize)]
#[allow(dead_code)]
enum Kind {
    Bare,
    Constant(f32),
    Pair(f32, f32),
    Circle { radius: f32 },
    Named(String),
}

#[derive(Debug, Deserialize)]
#[allow(dead_code)]
enum Maker {
    Row(Row),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct Row {
    count: u32,
    #[serde(default)]
    step: f32,
    #[serde(default)]
    first: f32,
    #[serde(default)]
    last: f32,
}

/// Compares what is said of texts with how that begins, or with a part of it after the place.
fn check(cases: &[(&str, &str)]) {
    let wrong = cases.iter().filter_map(|(text, expected)| {
        let said = said(text);
        let after_place = said.splitn(3, ':').last().unwrap_or_default().trim_start();
        let is_right = said.starts_with(expected) || after_place.starts_with(expected);
        (!is_right).then(|| format!("{text}\n  {said}\n  instead of {expected}"))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn said(text: &str) -> String {
    let dialect = Options::default()
        .with_default_extension(Extensions::IMPLICIT_SOME)
        .with_default_extension(Extensions::UNWRAP_VARIANT_NEWTYPES);
    let Mistake { at, reason, .. } = read::<Whole>(text, &dialect, "the whole").unwrap_err();
    format!("{at}: {reason}")
}

#[test]
fn a_value_that_cannot_be_is_told_with_its_field_and_what_may_be_and_where_it_begins() {
    let kinds = "Bare, Constant(number), Pair(number, number), Circle(radius: …) or Named(\"text\")";
    check(&[
        ("(list: [(), (count: -1)])", "1:21: list[1].count is -1; write a whole number from 0 to 18446744073709551615"),
        ("(list: [(small: 256)])", "1:17: list[0].small is 256; write a whole number from 0 to 255"),
        ("(list: [(small: Some(256))])", "1:22: list[0].small is 256; write a whole number from 0 to 255"),
        ("(list: [(signed: 40000)])", "1:18: list[0].signed is 40000; write a whole number from -32768 to 32767"),
        ("(list: [(is_on: 1)])", "1:17: list[0].is_on is 1; write true or false"),
        ("(list: [(name: 7)])", "1:16: list[0].name is 7; write a text in quotes"),
        ("(list: [(letter: \"x, (y\")])", "1:18: list[0].letter is \"x, (y\"; write a letter in single quotes"),
        ("(list: [(place: (nan, 0))])", "1:18: list[0].place.0 is nan; write a number"),
        ("(list: [(place: nan)])", "1:17: list[0].place is nan; write two numbers in parentheses, such as (0, 1)"),
        ("(list: [(place: (1))])", "1:17: list[0].place is (1); write two numbers in parentheses, such as (0, 1)"),
        ("(list: [(turn: (1, 2, 3, 4))])", "1:16: list[0].turn is (1, 2, 3, 4); write three numbers in parentheses"),
        ("(list: [(wrapped: (high))])", "1:20: list[0].wrapped is high; write a number"),
        ("(list: [(kind: 0.5)])", format!("1:16: list[0].kind is 0.5; write {kinds}").as_str()),
        ("(list: [(kind: -1)])", format!("1:16: list[0].kind is -1; write {kinds}").as_str()),
        ("(list: [(kind: Beer)])", format!("1:16: list[0].kind is Beer; write {kinds}").as_str()),
        ("(list: [(kind: Constant)])", format!("1:16: list[0].kind is Constant; write {kinds}").as_str()),
        ("(list: [(kind: Constant(high))])", "1:25: list[0].kind.Constant is high; write a number"),
        ("(list: [(kind: Circle(radius: \"1\"))])", "1:31: list[0].kind.radius is \"1\"; write a number"),
        ("(list: [(ends: 3)])", "1:16: list[0].ends is 3; write 2 values in parentheses"),
        ("(list: [(ends: (Bare, 3))])", format!("1:23: list[0].ends.1 is 3; write {kinds}").as_str()),
        ("(list: [5])", "1:9: list[0] is 5; write fields in parentheses, which are place, turn, count,"),
        ("(list: 5)", "1:8: list is 5; write a list in brackets, `[` and `]`"),
        ("(map: {\"a b\": 300})", "1:15: map[\"a b\"] is 300; write a whole number from 0 to 255"),
        ("(map: 3)", "1:7: map is 3; write a map in braces, `{` and `}`"),
        ("(made: [Row(count: x)])", "1:20: made[0].Row.count is x; write a whole number from 0 to 4294967295"),
        ("(made: [Row])", "1:9: made[0] is Row; write Row(count: …, step: …, first: …, …)"),
        ("(\n  list: [\n    (count: é),\n  ],\n)", "3:13: list[0].count is é; write a whole number"),
        ("5", "1:1: the whole is 5; write fields in parentheses, which are list, map, made, words"),
        ("(list: [(name: \"ab", "list[0].name: the string that begins here has no end; add a quotation mark"),
        ("(list: [(count: 1)", "the text ends before the whole does; it was cut off, so copy all of it again"),
        ("(list: [(count: )])", "1:17: list[0].count is missing; write a whole number"),
        (
            "(list: [(name: abcdefghijklmnopqrstuvwxyz)])",
            "1:16: list[0].name is abcdefghijklmnopqrstuvwx…; write a text in quotes",
        ),
    ]);
}

#[test]
fn a_number_beyond_the_range_is_told_as_it_is_written() {
    let too_large = |written: &str| format!("{written}, which is too large for a number; write a smaller one");
    let long = "9".repeat(400);
    check(&[
        ("(list: [(), (place: (0, 1e400))])", &format!("1:25: list[1].place.1 is {}", too_large("1e400"))),
        ("(list: [(wrapped: (-1e39))])", &format!("1:20: list[0].wrapped is {}", too_large("-1e39"))),
        ("(made: [Row(count: 1, step: 1E+99)])", &format!("1:29: made[0].Row.step is {}", too_large("1E+99"))),
        ("(list: [(kind: Circle(radius: 1e50))])", &format!("1:31: list[0].kind.radius is {}", too_large("1e50"))),
        (
            &format!("(list: [(kind: Constant({long}))])"),
            "1:25: list[0].kind.Constant is 999999999999999999999999…, which",
        ),
    ]);
    let reads = |text: &str| read::<Whole>(text, &Options::default(), "the whole").is_ok();
    assert!(reads("(list: [(place: (3e38, -1e-400), name: \"1e400\")])"), "in range, or no number");
    assert!(reads("(list: [(place: (inf, 0), name: \"1e400\")])"), "written as such");
}

#[test]
fn a_wrong_field_is_told_with_its_owner_and_those_there_are() {
    check(&[
        ("(lst: [])", "the whole: there is no field `lst`, did you mean `list`; the fields are list, map, made, words"),
        ("(list: [(plce: 1)])", "list[0]: there is no field `plce`, did you mean `place`; the fields are place, turn"),
        ("(made: [Row(other: 1)])", "made[0].Row: there is no field `other`; the fields are count, step, first, last"),
        ("(made: [Row()])", "made[0].Row lacks the field `count`; add it"),
        ("(list: [(kind: Circle())])", "list[0].kind lacks the field `radius`; add it"),
        ("(list: [(count: 1, count: 2)])", "list[0] has the field `count` twice; keep one of them"),
        ("(made: [Row(1)])", "made[0].Row: expected the name of a field, not 1; the fields are count, step"),
        ("(3)", "the whole: expected the name of a field, not 3; the fields are list, map, made, words"),
    ]);
}

#[test]
fn what_a_type_says_of_its_value_is_told_with_the_place_of_that() {
    assert_eq!(said("(words: [\"one\", \"four\"])"), "1:17: words[1]: `four` has not three letters");
}

#[test]
fn what_ron_did_not_expect_is_told_with_what_is_there_and_in_what() {
    check(&[
        ("(list: [(count: 1 name: \"x\")])", "Expected comma where `name: \"x\")])` stands, in list[0]"),
        (
            "(list: [(count: 1.5, small: 1)])",
            "1:17: list[0] has 1.5 where a whole number is expected; write a whole number",
        ),
        (
            "(list: [(name: \"é\"), (count: 20e-3)])",
            "1:30: list[1].count is 20e-3; write a whole number from 0 to 18446744073709551615",
        ),
        ("(list: [(count 1)])", "Expected colon where `1)])` stands, in list[0]"),
        ("(list: [()]) (", "Non-whitespace trailing characters where `(` stands"),
    ]);
}
