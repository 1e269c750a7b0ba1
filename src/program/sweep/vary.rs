//! `--vary PATH=VALUES`: a setting and the values that it takes, one after the other.

use crate::{number::trimmed, program::settings::Setting, scene::SceneFile};

use super::MOST_RUNS;

/// A setting and its values.
#[derive(Clone, Debug)]
pub struct Vary {
    /// The key as it was written.
    pub key: String,
    /// The values: as settings, and as written.
    pub values: Vec<(Setting, String)>,
}

impl Vary {
    /// Reads `PATH=A..B:STEP` or `PATH=V1,V2,…`. A value with a comma, such as a vector, goes into parentheses.
    ///
    /// # Errors
    /// If it is neither, if there is no such setting, or if there are too many values.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = |problem: String| format!("--vary {text}: {problem}");
        let Some((key, values)) = text.split_once('=') else {
            return Err(wrong("write PATH=A..B:STEP, such as restitution=0.5..1:0.05, or PATH=V1,V2".to_owned()));
        };
        let values = match values.split_once("..") {
            Some((from, rest)) => range(from, rest).map_err(wrong)?,
            None => list(values),
        };
        if let Some(value) =
            values.iter().enumerate().find_map(|(i, value)| values[..i].contains(value).then_some(value))
        {
            return Err(wrong(format!("the value {value} is there twice")));
        }
        let key = key.trim().to_owned();
        let settings: Result<Vec<(Setting, String)>, String> = values
            .into_iter()
            .map(|value| {
                let setting = Setting::parse(&format!("{key}={value}")).map_err(|error| as_vary(&error))?;
                if setting.is_seed() {
                    return Err(wrong("seeds are varied by --seeds N, from --seed K on".to_owned()));
                }
                Ok((setting, value))
            })
            .collect();
        Ok(Self { key, values: settings? })
    }
}

/// A message about `--set` as one about `--vary`.
fn as_vary(error: &str) -> String {
    error.replacen("--set", "--vary", 1)
}

/// Splits at commas outside parentheses.
fn list(values: &str) -> Vec<String> {
    let mut depth = 0;
    let parts = values.split(|letter| {
        depth += match letter {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        letter == ',' && depth == 0
    });
    parts.map(|part| part.trim().to_owned()).collect()
}

/// The values from a first to a last one, with as many decimals as were written.
fn range(from: &str, rest: &str) -> Result<Vec<String>, String> {
    let Some((to, step)) = rest.split_once(':') else {
        return Err(format!("a range needs a step, such as {from}..{rest}:0.1"));
    };
    let [first, last, length] = [from, to, step].map(|text| text.trim().parse::<f64>().ok().filter(|n| n.is_finite()));
    let (Some(first), Some(last), Some(length)) = (first, last, length) else {
        return Err("A, B and STEP of A..B:STEP must be numbers".to_owned());
    };
    if !(length > 0.0) || last < first {
        return Err("the step must be above 0, and the end not below the start".to_owned());
    }
    // A share of a step more, because 0.05 is not a binary fraction.
    let steps = (last - first) / length + 1e-6;
    if steps >= MOST_RUNS as f64 {
        return Err(format!("these are more than {MOST_RUNS} values; take a larger step"));
    }
    let decimals = |text: &str| {
        let (digits, power) = text.trim().split_once(['e', 'E']).unwrap_or((text.trim(), "0"));
        let written = digits.split_once('.').map_or(0, |(_, after)| after.len()) as i64;
        (written - power.parse::<i64>().unwrap_or(0)).clamp(0, 30) as usize
    };
    let places = decimals(from).max(decimals(step));
    Ok((0..=steps as u64).map(|number| trimmed(first + number as f64 * length, places)).collect())
}

/// Checks every value against the scene, and that no setting is changed twice.
pub(super) fn check(varied: &[Vary], settings: &[Setting], file: &SceneFile) -> Result<(), String> {
    let mut all = settings.to_vec();
    for Vary { key, values } in varied {
        if let Some((first, _)) = values.first() {
            first.clone().add_to(&mut all, &format!("--vary {key}"))?;
        }
        for (value, _) in values {
            let mut changed = settings.to_vec();
            changed.push(value.clone());
            Setting::apply_all(&changed, &mut file.clone()).map_err(|error| {
                let is_varied = error.starts_with(&format!("--set {value}:"));
                if is_varied { as_vary(&error) } else { error }
            })?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<String> {
        Vary::parse(text).unwrap().values.into_iter().map(|(_, value)| value).collect()
    }

    #[test]
    fn ranges_include_their_end_and_are_written_as_decimals() {
        assert_eq!(values("restitution=0.5..1:0.1"), ["0.5", "0.6", "0.7", "0.8", "0.9", "1"]);
        assert_eq!(values("restitution=0.5..0.95:0.05").last().unwrap(), "0.95");
        assert_eq!(values("count=100..300:100"), ["100", "200", "300"]);
        assert_eq!(values("drag=0..2.5e-3:1e-3"), ["0", "0.001", "0.002"]);
        assert_eq!(values("drag=1..1:1"), ["1"]);
    }

    #[test]
    fn lists_keep_vectors_whole() {
        assert_eq!(values("mode=stepped, continuous"), ["stepped", "continuous"]);
        assert_eq!(values("gravity=(0,-9.81),(0,-1.62)"), ["(0,-9.81)", "(0,-1.62)"]);
    }

    #[test]
    fn mistakes_are_named() {
        for (text, expected) in [
            ("restitution", "PATH=A..B:STEP"),
            ("restitution=0..1", "needs a step"),
            ("restitution=0..x:0.1", "must be numbers"),
            ("restitution=1..0:0.1", "not below the start"),
            ("restitution=0..1:0", "above 0"),
            ("restitution=0..1:1e-9", "larger step"),
            ("restitution=0.5,0.5", "twice"),
            ("restitutoin=0.5", "did you mean `restitution`"),
            ("seed=1,2", "--seeds N"),
        ] {
            let error = Vary::parse(text).unwrap_err();
            assert!(error.starts_with("--vary ") && error.contains(expected), "{text}: {error}");
        }
    }
}
