//! The language of what is written in the window.
//!
//! Texts stand in the code in English, marked by [`tr!`](tr::tr), and the English text is the key of its translation, as
//! [gettext](https://www.gnu.org/software/gettext/manual/) does it: one `.po` file a language in `assets/languages`, which the programs of translators read and
//! write. What has no translation there is written in English, and so is what the command line prints.
//!
//! The letters of a language that the common font lacks come from a font of its own, cut down to those that the translation uses, and loaded only
//! with the language.

use std::{
    borrow::Cow,
    collections::HashMap,
    sync::{
        LazyLock,
        atomic::{AtomicBool, Ordering},
    },
};

use bevy::prelude::*;
use bevy_egui::{
    EguiContexts, EguiPrimaryContextPass,
    egui::{self, epaint::text::FontPriority},
};
use polib::{message::MessageView, po_file};
use serde::{Deserialize, Serialize};
use tr::Translator;

use super::ViewSettings;
use crate::scene::Notice;

/// A language of the window.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[reflect(Default, Debug, PartialEq)]
pub enum Language {
    /// The one that the desktop speaks, if it is one of those below, and else English.
    #[default]
    System,
    /// English.
    English,
    /// Japanese.
    Japanese,
}

impl Language {
    /// All of them, with their names: each in itself.
    pub const ALL: [(Self, &str); 3] =
        [(Self::System, mark("as the desktop")), (Self::English, mark("English")), (Self::Japanese, mark("日本語"))];

    /// Whether it is Japanese that is written.
    fn is_japanese(self) -> bool {
        match self {
            Self::System => system_locale().is_some_and(|locale| locale.starts_with("ja")),
            Self::English => false,
            Self::Japanese => true,
        }
    }
}

/// The locale that the desktop is set to, or the browser.
fn system_locale() -> Option<String> {
    #[cfg(target_arch = "wasm32")]
    return web_sys::window()?.navigator().language();
    #[cfg(not(target_arch = "wasm32"))]
    sys_locale::get_locale()
}

/// The translations by their English texts, read when the language is first used.
static JAPANESE: LazyLock<HashMap<String, String>> =
    LazyLock::new(|| read(include_bytes!("../../assets/languages/ja.po")));

/// The translations of a `.po` file. Of a text with a plural it is the first form, the only one of languages that do not tell one from many.
fn read(file: &[u8]) -> HashMap<String, String> {
    let catalog = po_file::parse_from_reader(file).expect("a test reads the file that comes with the program");
    let pair = |message: &dyn MessageView| {
        let translated = message.msgstr_plural().ok().and_then(|forms| forms.first());
        (
            message.msgid().to_owned(),
            translated.map_or_else(|| message.msgstr().unwrap_or_default(), String::as_str).to_owned(),
        )
    };
    catalog.messages().map(pair).filter(|(_, translated)| !translated.is_empty()).collect()
}

/// The arrows of the keyboard, which the common font lacks: Noto Sans CJK, under the SIL Open Font Licence.
const ARROWS: &[u8] = include_bytes!("../../assets/languages/arrows.otf");

/// The letters of the translation: M PLUS 1, under the SIL Open Font Licence.
const JAPANESE_LETTERS: &[u8] = include_bytes!("../../assets/languages/m-plus-1-subset.otf");

/// Whether Japanese is written now. The texts of egui are made all over the code, so that the language is one for the whole program, as a locale is.
static IN_JAPANESE: AtomicBool = AtomicBool::new(false);

#[cfg(test)]
thread_local! {
    /// Whether this test writes Japanese, whatever others do at the same time.
    static TEST_IN_JAPANESE: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Runs a part of a test with the window in Japanese.
#[cfg(test)]
pub(crate) fn in_japanese(test: impl FnOnce()) {
    tr::set_translator!(Now);
    TEST_IN_JAPANESE.set(true);
    test();
    TEST_IN_JAPANESE.set(false);
}

fn is_japanese() -> bool {
    #[cfg(test)]
    if TEST_IN_JAPANESE.get() {
        return true;
    }
    IN_JAPANESE.load(Ordering::Relaxed)
}

/// Translates into the language of now.
struct Now;

impl Now {
    fn translated(text: &str) -> Option<&'static str> {
        if is_japanese() { JAPANESE.get(text).map(String::as_str) } else { None }
    }
}

impl Translator for Now {
    fn translate<'a>(&'a self, text: &'a str, _: Option<&'a str>) -> Cow<'a, str> {
        Cow::Borrowed(Self::translated(text).unwrap_or(text))
    }

    fn ntranslate<'a>(&'a self, n: u64, one: &'a str, many: &'a str, _: Option<&'a str>) -> Cow<'a, str> {
        Cow::Borrowed(Self::translated(one).unwrap_or(if n == 1 { one } else { many }))
    }
}

/// Lets [`ViewSettings::language`] hold.
pub(super) fn plugin(app: &mut App) {
    tr::set_translator!(Now);
    app.add_systems(PreUpdate, speak.run_if(resource_exists_and_changed::<ViewSettings>))
        .add_systems(EguiPrimaryContextPass, bring_letters);
}

fn speak(settings: Res<ViewSettings>, mut before: Local<Option<Language>>) {
    // The desktop is asked once.
    if before.replace(settings.language) != Some(settings.language) {
        IN_JAPANESE.store(settings.language.is_japanese(), Ordering::Relaxed);
    }
}

/// Gives egui the letters that it lacks: the arrows at once, those of the translation once they are needed.
fn bring_letters(mut contexts: EguiContexts, mut brought: Local<(bool, bool)>) -> Result {
    let (arrows, letters) = &mut *brought;
    if !*arrows {
        *arrows = true;
        add_font(contexts.ctx_mut()?, "arrows", ARROWS);
    }
    if !*letters && is_japanese() {
        *letters = true;
        add_font(contexts.ctx_mut()?, "M PLUS 1", JAPANESE_LETTERS);
    }
    Ok(())
}

/// Gives egui the letters of the translation.
#[cfg(test)]
pub(crate) fn add_letters(ctx: &egui::Context) {
    add_font(ctx, "M PLUS 1", JAPANESE_LETTERS);
}

fn add_font(ctx: &egui::Context, name: &str, font: &'static [u8]) {
    let families = [egui::FontFamily::Proportional, egui::FontFamily::Monospace]
        .map(|family| egui::epaint::text::InsertFontFamily { family, priority: FontPriority::Lowest });
    let data = egui::FontData::from_static(font);
    ctx.add_font(egui::epaint::text::FontInsert::new(name, data, families.to_vec()));
}

/// Names that the physics has for its own and that are written in the window.
pub const NAMES_OF_PHYSICS: [&str; 18] = [
    mark("stepped"),
    mark("continuous"),
    mark("mirror"),
    mark("half space"),
    mark("Stronge"),
    mark("Mathavan"),
    mark("Han"),
    mark("gather"),
    mark("broad phase"),
    mark("settle"),
    mark("impacts"),
    mark("integrate"),
    mark("push apart"),
    mark("impulse"),
    mark("walls"),
    mark("fixed circles"),
    mark("scatter"),
    mark("report"),
];

pub use crate::scene::mark;

/// What a notice says where there is little room, in the language of now.
#[must_use]
pub fn short_notice(notice: &Notice) -> String {
    notice.template.with_short_names().translated(|template| Now.translate(template, None))
}

/// What a notice says, in the language of now.
#[must_use]
pub fn notice(notice: &Notice) -> String {
    notice.template.translated(|template| Now.translate(template, None))
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs, path::Path};

    use super::*;
    use crate::{
        collision::{Mode, Stage, spin::cushion::CushionModel},
        scene::{SceneFile, shipped},
    };

    /// The texts of a source file that are marked, outside of its tests.
    fn marked(source: &str) -> Vec<String> {
        let source = source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        let mut found = Vec::new();
        for begin in ["tr!(", "mark("] {
            for (at, _) in source.match_indices(begin) {
                // The end of another word, such as `include_str!`, or a method.
                if source[..at].ends_with(|letter: char| letter.is_alphanumeric() || "_.".contains(letter)) {
                    continue;
                }
                let Some(literal) = source[at + begin.len()..].trim_start().strip_prefix('"') else { continue };
                let mut text = String::new();
                let mut letters = literal.chars().peekable();
                while let Some(letter) = letters.next().filter(|letter| *letter != '"') {
                    match (letter, letters.peek()) {
                        ('\\', Some('\n')) => while letters.next_if(|letter| letter.is_whitespace()).is_some() {},
                        ('\\', Some('n')) => {
                            letters.next();
                            text.push('\n');
                        }
                        ('\\', Some(_)) => text.extend(letters.next()),
                        _ => text.push(letter),
                    }
                }
                found.push(text);
            }
        }
        found
    }

    /// All texts that can be written in the window: those that the source marks, and those of the scenes and presets that come with the program.
    fn all_texts() -> BTreeSet<String> {
        fn read(folder: &Path, found: &mut BTreeSet<String>) {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    read(&path, found);
                } else if path.extension().is_some_and(|ending| ending == "rs") {
                    found.extend(marked(&fs::read_to_string(&path).unwrap()));
                }
            }
        }
        let mut found = BTreeSet::new();
        read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
        for scene in shipped() {
            let file = SceneFile::parse(scene.text, scene.name).unwrap();
            found.extend([file.title, file.description]);
        }
        #[cfg(feature = "input")]
        for info in &crate::input::actions::CONTROLS {
            found.extend([info.label, info.help].map(str::to_owned));
        }
        #[cfg(feature = "games")]
        {
            use crate::{billiards::tables::ShippedTable, games};
            for game in games::GAMES {
                found.extend([game.title, game.about].map(str::to_owned));
                found.extend(game.tables.iter().map(|table| ShippedTable::named(table).unwrap().spec().unwrap().title));
            }
            let levels = games::bot::Level::ALL.iter().map(|(name, _)| *name);
            found.extend(levels.chain(["recipe"]).map(str::to_owned));
        }
        for line in include_str!("../../assets/presets.ron").lines() {
            let value = line.trim().strip_prefix("name: \"").or(line.trim().strip_prefix("help: \""));
            found.extend(value.and_then(|value| value.strip_suffix("\",")).map(str::to_owned));
        }
        found.retain(|text| !text.is_empty());
        found
    }

    #[test]
    fn every_text_is_translated_with_all_that_is_put_into_it() {
        let holes = |text: &str| text.matches('{').count();
        for text in all_texts() {
            let Some(translated) = JAPANESE.get(&text) else { panic!("`{text}` has no translation in ja.po") };
            // Where one is told from many, the number may stand in the translation alone.
            assert_eq!(holes(&translated.replace("{n}", "")), holes(&text), "`{text}` and `{translated}`");
        }
    }

    #[test]
    fn there_are_letters_for_every_translation() {
        let ctx = egui::Context::default();
        add_font(&ctx, "arrows", ARROWS);
        add_font(&ctx, "M PLUS 1", JAPANESE_LETTERS);
        let texts: String = JAPANESE.values().map(String::as_str).chain(["←→↑↓"]).collect();
        let names: String = Language::ALL.iter().map(|(_, name)| *name).collect();
        for _ in 0..2 {
            ctx.run_ui(egui::RawInput::default(), |_| ()).textures_delta.clear();
        }
        let mut letters: Vec<char> =
            texts.chars().chain(names.chars()).filter(|letter| !letter.is_whitespace()).collect();
        letters.sort_unstable();
        letters.dedup();
        ctx.fonts_mut(|fonts| {
            let font = egui::FontId::proportional(14.0);
            let lacking: String = letters.into_iter().filter(|&letter| !fonts.has_glyph(&font, letter)).collect();
            assert!(lacking.is_empty(), "the font lacks {lacking}");
        });
    }

    #[test]
    fn the_names_of_physics_are_those_that_it_has() {
        let modes = Mode::ALL.map(|(_, name)| name);
        let models = CushionModel::ALL.map(|(_, name)| name);
        let stages = Stage::ALL.map(|(_, name)| name);
        let all: Vec<&str> = modes.into_iter().chain(models).chain(stages).collect();
        assert_eq!(all, NAMES_OF_PHYSICS);
    }

    #[test]
    fn the_source_is_read_as_the_compiler_reads_it() {
        let source = "tr!(\"one\") mark(\n  \"two \\\n   lines\") tr!(\"a \\\"word\\\"\") mark(name) a.mark(\"b\") include_str!(\"file\")";
        assert_eq!(marked(source), ["one", "a \"word\"", "two lines"]);
    }
}
