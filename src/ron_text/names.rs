//! Names and quotations in messages.

/// The known name that is most likely meant, if any is likely: the one with the smallest share of wrong letters.
pub(crate) fn nearest_name<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    // At least this many letters have to be added or removed. The comparison takes time in proportion to both lengths.
    let letters = name.chars().count();
    let may_be_near = |known: &&&str| letters.abs_diff(known.chars().count()) <= known.len() / 2;
    let candidates = known.iter().filter(may_be_near).map(|known| (strsim::osa_distance(name, known), *known));
    let likely = candidates.filter(|(edits, known)| *edits <= known.len() / 2);
    let shares = likely.map(|(edits, known)| (edits as f64 / known.len() as f64, known));
    shares.min_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(b.1))).map(|(_, known)| known)
}

/// The question after an unknown name, from [`nearest_name`]; empty if there is none.
pub(crate) fn did_you_mean(nearest: Option<&str>) -> String {
    nearest.map(|name| format!(", did you mean `{name}`")).unwrap_or_default()
}

/// Lists names, with an *or* before the last.
pub(crate) fn any_of(names: &[impl AsRef<str>]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => names.concat(),
    }
}

/// The number of characters quoted from a text.
pub(super) const SHOWN: usize = 24;

/// The first line of a text, as far as it is quoted.
pub(crate) fn first_line(text: &str) -> String {
    let line: String = text.chars().take(SHOWN).take_while(|letter| *letter != '\n').collect();
    line.trim().to_owned()
}
