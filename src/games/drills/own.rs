//! Custom drills: the files in a folder beside the saved matches.

use std::{
    io,
    path::{Path, PathBuf},
};

use super::{
    file::{Drill, DrillError},
    shipped::shipped,
};
use crate::storage::{ends_in, is_there, make_folder, newest_first, read, write_whole};

/// A custom drill.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnDrill {
    /// The name of its file without the ending.
    pub name: String,
    /// The text of its file, for the option `file` of the game.
    pub text: String,
    /// The drill.
    pub drill: Drill,
}

/// The custom drills of a folder.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OwnDrills {
    /// The drills, in the order of their names.
    pub drills: Vec<OwnDrill>,
    /// The reason for each file that is left out, with its name.
    pub invalid: Vec<String>,
}

/// The most letters of the name of a file.
const MOST_LETTERS: usize = 60;

impl OwnDrills {
    /// The folder for custom drills, beside the folder of matches.
    #[must_use]
    pub fn folder_beside(matches: &Path) -> PathBuf {
        matches.with_file_name("drills")
    }

    /// Reads all files of a folder that end in `.ron`. A file that is not a drill is left out and reported. Without the
    /// folder, there are none.
    #[must_use]
    pub fn read(folder: &Path) -> Self {
        let mut own = Self::default();
        for path in newest_first(folder).into_iter().filter(|path| ends_in(path, "ron")) {
            let Some(name) = path.file_stem().map(|name| name.to_string_lossy().into_owned()) else { continue };
            match read_drill(&path) {
                Ok((_, drill)) if [&name, &drill.title].into_iter().any(|word| is_shipped(word)) => {
                    let path = path.display();
                    own.invalid.push(format!("{path}: a shipped drill has its name or title; give it another one"));
                }
                Ok((text, drill)) => own.drills.push(OwnDrill { name, text, drill }),
                Err(reason) => own.invalid.push(reason),
            }
        }
        own.drills.sort_by(|a, b| a.name.cmp(&b.name));
        own.invalid.sort();
        own
    }

    /// The drill with this name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&OwnDrill> {
        self.drills.iter().find(|own| own.name == name)
    }

    /// Writes a drill to a new file in a folder, and returns the path. The name of the file comes from the title. If
    /// there is such a file, or a shipped drill with that name, the file and the title get a number.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(folder: &Path, drill: &Drill) -> io::Result<PathBuf> {
        make_folder(folder)?;
        let name = file_name(&drill.title);
        let numbered = |number: u32| match number {
            1 => (folder.join(format!("{name}.ron")), drill.title.clone()),
            _ => (folder.join(format!("{name}-{number}.ron")), format!("{} {number}", drill.title)),
        };
        // Results go by the names of shipped drills and the titles of others.
        let is_free = |(path, title): &(PathBuf, String)| {
            !is_there(path)
                && !is_shipped(title)
                && !path.file_stem().is_some_and(|name| is_shipped(&name.to_string_lossy()))
        };
        let free = (1..=u32::MAX).map(numbered).find(is_free);
        let (path, title) = free.ok_or(io::ErrorKind::AlreadyExists)?;
        let text = Drill { title, ..drill.clone() }.to_text().map_err(io::Error::other)?;
        write_whole(&path, text.as_bytes())?;
        Ok(path)
    }
}

/// Whether this is the name or the title of a shipped drill.
fn is_shipped(word: &str) -> bool {
    shipped().iter().any(|(name, drill)| [*name, drill.title.as_str()].contains(&word))
}

/// Reads the file of a drill, and returns its text too.
///
/// # Errors
/// The file cannot be read, or is not a drill. The message is one line with the name of the file.
pub fn read_drill(path: &Path) -> Result<(String, Drill), String> {
    let name = path.display();
    let text = read(path).map_err(|error| format!("{name}: cannot be read ({error}); give a drill"))?;
    let text = String::from_utf8(text).map_err(|_| format!("{name}: it is not text; give a drill"))?;
    let drill = Drill::parse(&text, &name.to_string()).map_err(|error: DrillError| error.to_string())?;
    Ok((text, drill))
}

/// The name of a file for a title: letters and digits in lower case, joined by hyphens.
fn file_name(title: &str) -> String {
    let words = title.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    let name: String = words.collect::<Vec<_>>().join("-").to_lowercase().chars().take(MOST_LETTERS).collect();
    if name.is_empty() { "drill".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_by_titles_and_none_is_replaced() {
        for (title, expected) in
            [("Stop shot", "stop-shot"), ("  My 2nd: try! ", "my-2nd-try"), ("../..", "drill"), ("ひねり", "ひねり")]
        {
            assert_eq!(file_name(title), expected);
        }
        let folder = tempfile::tempdir().unwrap();
        let drills = OwnDrills::folder_beside(&folder.path().join("data").join("matches"));
        assert_eq!(OwnDrills::read(&drills), OwnDrills::default());
        let [mut first, mut second] = [0, 1].map(|nth: usize| shipped()[nth].1.clone());
        (first.title, second.title) = ("Mine".to_owned(), "Mine".to_owned());
        OwnDrills::add(&drills, &first).unwrap();
        OwnDrills::add(&drills, &second).unwrap();
        let lag = Drill { title: "Lag".to_owned(), ..first.clone() };
        assert_eq!(OwnDrills::add(&drills, &lag).unwrap(), drills.join("lag-2.ron"));
        std::fs::write(drills.join("broken.ron"), "(title: 3)").unwrap();
        std::fs::write(drills.join("notes.txt"), "no drill").unwrap();
        std::fs::write(drills.join("stop-shot.ron"), first.to_text().unwrap()).unwrap();
        let own = OwnDrills::read(&drills);
        assert_eq!(own.drills.iter().map(|own| own.name.as_str()).collect::<Vec<_>>(), ["lag-2", "mine", "mine-2"]);
        assert_eq!((own.named("mine").map(|own| &own.drill), own.named("no")), (Some(&first), None));
        second.title = "Mine 2".to_owned();
        assert_eq!(own.drills[2].drill, second, "results go by titles");
        let [broken, taken] = &own.invalid[..] else { panic!("{:?}", own.invalid) };
        assert!(broken.contains("broken.ron:1:") && taken.contains("stop-shot.ron: a shipped drill"), "{taken}");
    }

    #[test]
    fn every_shipped_drill_is_written_and_read_back() {
        for (name, drill) in shipped() {
            let text = drill.to_text().unwrap();
            assert_eq!(Drill::parse(&text, name).as_ref(), Ok(drill), "{text}");
            assert!(!text.contains("enable"), "{text}");
        }
    }
}
