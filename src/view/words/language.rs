//! The language of the text in the window.
//!
//! The code has its texts in English, marked by [`tr!`](tr::tr). The English text is the key of its translation, as in
//! [gettext](https://www.gnu.org/software/gettext/manual/). There is one `.po` file per language in `assets/languages`,
//! which translation programs can edit. Texts without a translation stay in English. The command line prints English.
//!
//! Letters that the common font lacks come from a separate font, reduced to those that the translation uses and loaded
//! only with the language. To add a language, see `assets/languages/README.md`.

use std::{
    borrow::Cow,
    collections::HashMap,
    sync::{
        OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
};

use bevy::prelude::*;
use bevy_egui::{
    EguiContexts, EguiPrimaryContextPass,
    egui::{self, epaint::text::FontPriority},
};
use intl_pluralrules::{PluralCategory, PluralRuleType, PluralRules};
use polib::{message::MessageView, po_file};
use serde::{Deserialize, Serialize};
use tr::Translator;
use unic_langid::LanguageIdentifier;

use crate::{notice::Notice, view::ViewSettings};

/// A language besides English, with its data.
struct Catalogue {
    language: Language,
    /// The start of this language's locales, as in BCP 47.
    tag: &'static str,
    /// Its name in the language itself.
    name: &'static str,
    /// Its `.po` file.
    po: &'static [u8],
    /// The name and the file of a font with the letters that the common font lacks, if there are any.
    letters: Option<(&'static str, &'static [u8])>,
}

/// The languages besides English: the name in the program, the tag, the name in the language itself, and the font of
/// its letters.
macro_rules! languages {
    ($($(#[$doc:meta])+ $language:ident: $tag:literal, $name:expr, $letters:expr;)+) => {
        /// A language of the window.
        #[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
        #[reflect(Default, Debug, PartialEq)]
        pub enum Language {
            /// That of the desktop, if it is one of those below, otherwise English.
            #[default]
            System,
            /// English.
            English,
            $($(#[$doc])+ $language,)+
        }

        const CATALOGUES: &[Catalogue] = &[$(Catalogue {
            language: Language::$language,
            tag: $tag,
            name: $name,
            po: include_bytes!(concat!("../../../assets/languages/", $tag, ".po")),
            letters: $letters,
        }),+];
    };
}

languages! {
    /// Japanese. Its font is under the SIL Open Font Licence.
    Japanese: "ja", mark("日本語"),
        Some(("M PLUS 1", include_bytes!("../../../assets/languages/m-plus-1-subset.otf")));
}

impl Language {
    /// All languages, each with its name in the language itself.
    pub const ALL: [(Self, &str); 2 + CATALOGUES.len()] = {
        let mut all = [(Self::System, mark("same as the desktop")); 2 + CATALOGUES.len()];
        all[1] = (Self::English, mark("English"));
        let mut i = 0;
        while i < CATALOGUES.len() {
            all[2 + i] = (CATALOGUES[i].language, CATALOGUES[i].name);
            i += 1;
        }
        all
    };

    /// The index of its catalogue, or `None` for English.
    fn catalogue(self) -> Option<usize> {
        let language = match self {
            Self::System => system_locale().map_or(Self::English, |locale| Self::of_locale(&locale)),
            chosen => chosen,
        };
        CATALOGUES.iter().position(|catalogue| catalogue.language == language)
    }

    /// The language of a locale such as `ja-JP` or `ja_JP.UTF-8`, or English if it is none of these.
    fn of_locale(locale: &str) -> Self {
        let tag = locale.split(['-', '_', '.']).next().unwrap_or_default();
        let found = CATALOGUES.iter().find(|catalogue| catalogue.tag.eq_ignore_ascii_case(tag));
        found.map_or(Self::English, |catalogue| catalogue.language)
    }
}

/// The locale of the desktop or the browser.
fn system_locale() -> Option<String> {
    #[cfg(target_arch = "wasm32")]
    return web_sys::window()?.navigator().language();
    #[cfg(not(target_arch = "wasm32"))]
    sys_locale::get_locale()
}

/// The contents of a `.po` file.
struct Texts {
    /// The forms of each translation by the English text: one, or one per plural category.
    forms: HashMap<String, Vec<String>>,
    plurals: PluralRules,
    /// The plural categories of whole numbers in the language, in the order of CLDR. The forms have the same order.
    categories: Vec<PluralCategory>,
}

/// The texts of each catalogue, read when its language is first used.
static TEXTS: [OnceLock<Texts>; CATALOGUES.len()] = [const { OnceLock::new() }; CATALOGUES.len()];

fn texts(catalogue: usize) -> &'static Texts {
    TEXTS[catalogue].get_or_init(|| Texts::read(CATALOGUES[catalogue].tag, CATALOGUES[catalogue].po))
}

impl Texts {
    fn read(tag: &str, po: &[u8]) -> Self {
        use PluralCategory::{FEW, MANY, ONE, OTHER, TWO, ZERO};
        const READ_BY_A_TEST: &str = "a test reads the file that comes with the program";
        let catalog = po_file::parse_from_reader(po).expect(READ_BY_A_TEST);
        let pair = |message: &dyn MessageView| {
            let forms = message
                .msgstr_plural()
                .map_or_else(|_| vec![message.msgstr().unwrap_or_default().to_owned()], Clone::clone);
            (message.msgid().to_owned(), forms)
        };
        let is_translated = |forms: &Vec<String>| forms.iter().all(|form| !form.is_empty()) && !forms.is_empty();
        let forms = catalog.messages().map(pair).filter(|(_, forms)| is_translated(forms)).collect();
        let language: LanguageIdentifier = tag.parse().expect(READ_BY_A_TEST);
        let plurals = PluralRules::create(language, PluralRuleType::CARDINAL).expect(READ_BY_A_TEST);
        // Some rules depend on the last two digits.
        let has = |category: &PluralCategory| (0..200_usize).any(|n| plurals.select(n).as_ref() == Ok(category));
        let categories = [ZERO, ONE, TWO, FEW, MANY, OTHER].into_iter().filter(has).collect();
        Self { forms, plurals, categories }
    }

    /// The translation of a text for a number of objects.
    fn form(&self, text: &str, n: u64) -> Option<&str> {
        let forms = self.forms.get(text)?;
        let category = self.plurals.select(n).ok()?;
        let place = self.categories.iter().position(|known| *known == category);
        place.and_then(|place| forms.get(place)).or(forms.last()).map(String::as_str)
    }
}

/// The keyboard arrows, which the common font lacks: Noto Sans CJK, under the SIL Open Font Licence.
const ARROWS: &[u8] = include_bytes!("../../../assets/languages/arrows.otf");

/// One more than the index of the current catalogue; 0 for English. egui texts are made all over the code, so the
/// language is global to the program, like a locale.
static NOW: AtomicUsize = AtomicUsize::new(0);

#[cfg(test)]
thread_local! {
    /// The language of this test, independent of parallel tests.
    static LANGUAGE_OF_TEST: std::cell::Cell<Option<Language>> = const { std::cell::Cell::new(None) };
}

/// The text of a string literal in Rust source, as compiled, from the letter after its opening quote. It consumes the
/// closing quote.
#[cfg(test)]
pub(crate) fn rest_of_literal(letters: &mut core::iter::Peekable<core::str::Chars>) -> String {
    let mut text = String::new();
    while let Some(letter) = letters.next().filter(|letter| *letter != '"') {
        match letter {
            '\\' if letters.peek() == Some(&'\n') => {
                while letters.next_if(|letter| letter.is_whitespace()).is_some() {}
            }
            '\\' => text.extend(letters.next().map(|letter| if letter == 'n' { '\n' } else { letter })),
            letter => text.push(letter),
        }
    }
    text
}

/// Runs a part of a test with a Japanese window.
#[cfg(test)]
pub(crate) fn in_japanese(test: impl FnOnce()) {
    tr::set_translator!(Now);
    LANGUAGE_OF_TEST.set(Some(Language::Japanese));
    test();
    LANGUAGE_OF_TEST.set(None);
}

/// The index of the current catalogue, or `None` for English.
fn current() -> Option<usize> {
    #[cfg(test)]
    if let Some(language) = LANGUAGE_OF_TEST.get() {
        return language.catalogue();
    }
    NOW.load(Ordering::Relaxed).checked_sub(1)
}

/// Translates into the current language. Texts without a translation stay in English.
struct Now;

impl Now {
    fn translated(text: &str, n: u64) -> Option<&'static str> {
        texts(current()?).form(text, n)
    }
}

impl Translator for Now {
    fn translate<'a>(&'a self, text: &'a str, _: Option<&'a str>) -> Cow<'a, str> {
        Cow::Borrowed(Self::translated(text, 1).unwrap_or(text))
    }

    fn ntranslate<'a>(&'a self, n: u64, one: &'a str, many: &'a str, _: Option<&'a str>) -> Cow<'a, str> {
        Cow::Borrowed(Self::translated(one, n).unwrap_or(if n == 1 { one } else { many }))
    }
}

/// Applies [`ViewSettings::language`].
pub(crate) fn plugin(app: &mut App) {
    tr::set_translator!(Now);
    app.add_systems(PreUpdate, speak.run_if(resource_exists_and_changed::<ViewSettings>))
        .add_systems(EguiPrimaryContextPass, bring_letters);
}

fn speak(settings: Res<ViewSettings>, mut before: Local<Option<Language>>) {
    // The desktop is queried once.
    if before.replace(settings.language) != Some(settings.language) {
        NOW.store(settings.language.catalogue().map_or(0, |place| place + 1), Ordering::Relaxed);
    }
}

/// The fonts that egui has been given.
#[derive(Default)]
struct Brought {
    arrows: bool,
    letters: [bool; CATALOGUES.len()],
}

/// Adds the letters that egui lacks: the arrows at once, those of a translation when needed.
fn bring_letters(mut contexts: EguiContexts, mut brought: Local<Brought>) -> Result {
    if !brought.arrows {
        brought.arrows = true;
        add_font(contexts.ctx_mut()?, "arrows", ARROWS);
    }
    if let Some(place) = current()
        && !brought.letters[place]
    {
        brought.letters[place] = true;
        add_letters_of(contexts.ctx_mut()?, &CATALOGUES[place]);
    }
    Ok(())
}

fn add_letters_of(ctx: &egui::Context, catalogue: &Catalogue) {
    if let Some((name, font)) = catalogue.letters {
        add_font(ctx, name, font);
    }
}

/// Adds the letters of all translations to egui.
#[cfg(test)]
pub(crate) fn add_letters(ctx: &egui::Context) {
    for catalogue in CATALOGUES {
        add_letters_of(ctx, catalogue);
    }
}

fn add_font(ctx: &egui::Context, name: &str, font: &'static [u8]) {
    let families = [egui::FontFamily::Proportional, egui::FontFamily::Monospace]
        .map(|family| egui::epaint::text::InsertFontFamily { family, priority: FontPriority::Lowest });
    let data = egui::FontData::from_static(font);
    ctx.add_font(egui::epaint::text::FontInsert::new(name, data, families.to_vec()));
}

/// Names of the physics that the window displays.
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

pub use crate::notice::mark;

/// A notice in the current language.
#[must_use]
pub fn notice(notice: &Notice) -> String {
    notice.template.translated(|template| Now.translate(template, None))
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fmt::Write, fs, path::Path};

    use bevy::reflect::Typed;

    use super::*;
    use crate::{
        collision::{SolverMode, Stage, spin::cushion::CushionModel},
        scene::{SceneFile, shipped},
    };

    /// The marked texts of a source file, outside its tests.
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
                found.push(rest_of_literal(&mut literal.chars().peekable()));
            }
        }
        found
    }

    /// All texts of the window: those marked in the source, and those of the shipped scenes and presets.
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
        {
            for info in &crate::input::actions::CONTROLS {
                found.extend([info.label, info.help].map(str::to_owned));
            }
            found.extend(crate::editor::names_in_edits());
        }
        #[cfg(feature = "games")]
        {
            use crate::{billiards::tables::ShippedTable, games};
            for game in games::GAMES {
                found.extend([game.title, game.about].map(str::to_owned));
                found.extend(game.tables.iter().map(|table| ShippedTable::named(table).unwrap().spec().unwrap().title));
            }
            for (_, drill) in games::drills::shipped() {
                found.extend([drill.title.clone(), drill.description.clone()]);
            }
            let levels = games::bot::Level::ALL.iter().map(|(name, _)| *name);
            found.extend(levels.chain(["recipe"]).map(str::to_owned));
        }
        for line in include_str!("../../../assets/presets.ron").lines() {
            let value = line.trim().strip_prefix("name: \"").or(line.trim().strip_prefix("help: \""));
            found.extend(value.and_then(|value| value.strip_suffix("\",")).map(str::to_owned));
        }
        found.retain(|text| !text.is_empty());
        found
    }

    #[test]
    fn every_text_is_translated_with_all_that_is_put_into_it() {
        let holes = |text: &str| text.matches('{').count();
        for (place, Catalogue { tag, .. }) in CATALOGUES.iter().enumerate() {
            let texts = texts(place);
            for text in all_texts() {
                let forms = texts.forms.get(&text).map(Vec::as_slice).unwrap_or_default();
                let allowed = [1, texts.categories.len()];
                assert!(allowed.contains(&forms.len()), "`{text}` has {} translations in {tag}.po", forms.len());
                for translated in forms {
                    // Only one of the plural forms may contain the number.
                    assert_eq!(holes(&translated.replace("{n}", "")), holes(&text), "`{text}` and `{translated}`");
                }
            }
        }
    }

    #[test]
    fn every_language_besides_english_has_a_catalogue() {
        let variants = Language::type_info().as_enum().unwrap();
        assert_eq!(variants.variant_len(), Language::ALL.len());
        for (language, name) in Language::ALL {
            assert!(!name.is_empty() && Language::ALL.iter().filter(|(other, _)| *other == language).count() == 1);
        }
    }

    #[test]
    fn a_locale_means_its_language_and_no_other_that_begins_alike() {
        for locale in ["ja", "ja-JP", "ja_JP.UTF-8", "JA"] {
            assert_eq!(Language::of_locale(locale), Language::Japanese, "{locale}");
        }
        for locale in ["", "C", "en-GB", "jav-ID", "jam"] {
            assert_eq!(Language::of_locale(locale), Language::English, "{locale}");
        }
    }

    #[test]
    fn a_language_has_the_plural_forms_that_it_tells_apart() {
        let words = |tag: &str, forms: &[&str], numbers: [u64; 5]| {
            let header = "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n\n";
            let mut po = format!("{header}msgid \"a disc\"\nmsgid_plural \"{{n}} discs\"\n");
            for (i, form) in forms.iter().enumerate() {
                writeln!(po, "msgstr[{i}] \"{form}\"").unwrap();
            }
            let texts = Texts::read(tag, po.as_bytes());
            numbers.map(|n| texts.form("a disc", n).unwrap().to_owned())
        };
        let numbers = [0, 1, 2, 5, 22];
        assert_eq!(words("ja", &["any"], numbers), ["any"; 5]);
        assert_eq!(words("de", &["one", "many"], numbers), ["many", "one", "many", "many", "many"]);
        assert_eq!(words("pl", &["one", "few", "many"], numbers), ["many", "one", "few", "many", "few"]);
        // Fractions have another category, which is never requested.
        assert_eq!(words("cs", &["one", "few", "many"], numbers), ["many", "one", "few", "many", "many"]);
    }

    #[test]
    fn the_window_speaks_each_language_and_english_where_a_translation_is_missing() {
        in_japanese(|| {
            assert_eq!(Now.translate("no text of the program", None), "no text of the program");
            assert_eq!(Now.ntranslate(1, "no disc", "no discs", None), "no disc");
            assert_eq!(Now.ntranslate(2, "no disc", "no discs", None), "no discs");
        });
    }

    #[test]
    fn there_are_letters_for_every_translation() {
        let ctx = egui::Context::default();
        add_font(&ctx, "arrows", ARROWS);
        add_letters(&ctx);
        let all = (0..CATALOGUES.len()).flat_map(|place| texts(place).forms.values().flatten());
        let texts: String = all.map(String::as_str).chain(["←→↑↓"]).collect();
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
        let modes = SolverMode::ALL.map(|(_, name)| name);
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
