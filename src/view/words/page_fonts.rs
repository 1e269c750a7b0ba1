//! egui's fonts for the web page, where size matters. Symbol fonts are reduced to the symbols in use, by
//! `assets/languages/cut-fonts`.

use std::sync::Arc;

use bevy_egui::egui::{FontData, FontDefinitions, FontFamily, FontTweak};

/// egui's default fonts, with egui's names and sizes. Letters come from `Ubuntu-Light`, which is complete.
fn definitions(ubuntu_light: FontData) -> FontDefinitions {
    const HACK: &[u8] = include_bytes!("../../../assets/languages/page-Hack-Regular.ttf");
    const NOTO_EMOJI: &[u8] = include_bytes!("../../../assets/languages/page-NotoEmoji-Regular.ttf");
    const EMOJI_ICON: &[u8] = include_bytes!("../../../assets/languages/page-emoji-icon-font.ttf");
    let scaled = |font, scale| FontData::from_static(font).tweak(FontTweak { scale, ..FontTweak::default() });
    let mut fonts = FontDefinitions::empty();
    for (name, data) in [
        ("Hack", FontData::from_static(HACK)),
        ("Ubuntu-Light", ubuntu_light),
        ("NotoEmoji-Regular", scaled(NOTO_EMOJI, 0.81)),
        ("emoji-icon-font", scaled(EMOJI_ICON, 0.90)),
    ] {
        fonts.font_data.insert(name.to_owned(), Arc::new(data));
    }
    let in_order = |names: &[&str]| names.iter().copied().map(str::to_owned).collect();
    let proportional = in_order(&["Ubuntu-Light", "NotoEmoji-Regular", "emoji-icon-font"]);
    let monospace = in_order(&["Hack", "Ubuntu-Light", "NotoEmoji-Regular", "emoji-icon-font"]);
    fonts.families.insert(FontFamily::Proportional, proportional);
    fonts.families.insert(FontFamily::Monospace, monospace);
    fonts
}

/// Adds them to egui, which has none on the page.
#[cfg(target_arch = "wasm32")]
pub(crate) fn plugin(app: &mut bevy::prelude::App) {
    use bevy::prelude::*;
    use bevy_egui::{EguiContext, EguiPreUpdateSet};

    fn bring(mut contexts: Query<&mut EguiContext, Added<EguiContext>>) {
        for mut context in &mut contexts {
            context.get_mut().set_fonts(definitions(FontData::from_static(epaint_default_fonts::UBUNTU_LIGHT)));
        }
    }
    app.add_systems(PreUpdate, bring.after(EguiPreUpdateSet::InitContexts).before(EguiPreUpdateSet::BeginPass));
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use std::{collections::BTreeSet, fs, path::Path};

    use bevy_egui::egui::{Context, FontId, RawInput};

    use super::*;

    /// The symbols in all sources below a folder, except those in comments.
    fn signs(folder: &Path, found: &mut BTreeSet<char>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                signs(&path, found);
            } else {
                let text = fs::read_to_string(&path).unwrap_or_default();
                let code = text.lines().filter_map(|line| line.split("//").next());
                found.extend(code.flat_map(str::chars).filter(|sign| !sign.is_control()));
            }
        }
    }

    /// The widths of these symbols, points. A missing symbol falls back to another font or to a box, with another
    /// width.
    fn widths(fonts: FontDefinitions, signs: &BTreeSet<char>) -> Vec<(char, [f32; 2])> {
        let ctx = Context::default();
        ctx.set_fonts(fonts);
        for _ in 0..2 {
            ctx.run_ui(RawInput::default(), |_| ()).textures_delta.clear();
        }
        let fonts = [FontId::proportional(14.0), FontId::monospace(14.0)];
        ctx.fonts_mut(|view| {
            signs.iter().map(|&sign| (sign, fonts.each_ref().map(|font| view.glyph_width(font, sign)))).collect()
        })
    }

    #[test]
    fn the_page_has_every_sign_that_the_program_writes() {
        let whole = FontDefinitions::default();
        let page = definitions((*whole.font_data["Ubuntu-Light"]).clone());
        assert_eq!(page.families, whole.families);
        for (name, font) in &page.font_data {
            assert_eq!(font.tweak, whole.font_data[name].tweak, "{name}");
        }
        let mut all = BTreeSet::new();
        signs(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut all);
        assert!(all.contains(&'⏵') && all.contains(&'é'), "signs are found");
        let (page, whole) = (widths(page, &all), widths(whole, &all));
        let lacking: String =
            page.iter().zip(&whole).filter(|(page, whole)| page != whole).map(|(page, _)| page.0).collect();
        assert!(lacking.is_empty(), "the page lacks {lacking}: run assets/languages/cut-fonts");
    }
}
