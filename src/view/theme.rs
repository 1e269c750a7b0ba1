//! The colours of everything that is drawn, the panel too. They stand in one file, `assets/themes.ron`: one set for dark
//! surroundings, one for light ones.

use bevy::{
    prelude::*,
    window::{PrimaryWindow, WindowTheme, WindowThemeChanged},
};
use serde::{Deserialize, Deserializer, Serialize, de::Error};

use super::ViewSettings;
use crate::scene::{Hex, Surroundings};
use crate::view::language::mark;

/// Names every colour once: in the theme, and in its file.
macro_rules! colours {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// One set of colours. As a resource, the set in which the next picture is drawn; to change single colours, change
        /// [`Themes`].
        #[derive(Resource, Deserialize, Clone, Debug, PartialEq)]
        #[serde(deny_unknown_fields)]
        pub struct Theme {
            $($(#[$doc])* #[serde(deserialize_with = "from_digits")] pub $name: Srgba,)*
            /// Discs of a laboratory, by their number in the scene.
            #[serde(deserialize_with = "all_from_digits")]
            pub discs: [Srgba; 8],
            /// Balls of a table by their number, 1 to 8; 9 to 15 repeat 1 to 7 as stripes.
            #[serde(deserialize_with = "all_from_digits")]
            pub balls: [Srgba; 8],
        }
    };
}

colours! {
    /// The room around everything, in its middle.
    room,
    /// The room around everything, at its ends.
    room_edge,
    /// The floor of a laboratory's arena, in its middle.
    floor,
    /// The floor of a laboratory's arena, at its ends.
    floor_edge,
    /// The frame of a laboratory's arena.
    frame,
    /// The cloth of a table, in its middle.
    cloth,
    /// The cloth of a table, at its ends.
    cloth_edge,
    /// The cushions of a table.
    cushion,
    /// The rails of a table, the lighter grain.
    wood,
    /// The rails of a table, the darker grain.
    wood_dark,
    /// Where the boards of a table meet.
    wood_joint,
    /// The sights on the rails.
    sight,
    /// Lines and spots on the cloth.
    cloth_mark,
    /// The lit noses of the cushions.
    nose,
    /// The shade of the cushions on the cloth.
    cushion_shade,
    /// The leather around the pockets of a table, and in them.
    leather,
    /// The depth of a pocket.
    hole,
    /// Shadows of discs and terrain.
    shadow,
    /// The shadow of a table.
    table_shadow,
    /// Blocks and the outlines of polygons.
    block,
    /// Thin walls.
    wall,
    /// The body of a bumper.
    bumper,
    /// The rings of a bumper.
    bumper_ring,
    /// The leather tip of the cue.
    cue_tip,
    /// The ferrule of the cue.
    cue_ferrule,
    /// The shaft of the cue.
    cue_shaft,
    /// The butt of the cue.
    cue_butt,
    /// The white of balls.
    ball_white,
    /// The dots on a cue ball.
    ball_dot,
    /// Numbers on the white of balls, and labels on light discs.
    number,
    /// What discs turn to for a moment when they are hit hard.
    flash,
    /// Velocity arrows.
    arrow,
    /// Momentum arrows.
    momentum,
    /// The rim around arrows, which sets them off from whatever is below.
    arrow_rim,
    /// What the pointer is over.
    hover,
    /// What is selected.
    selected,
    /// The line along which a shot goes, on a floor.
    aim_on_floor,
    /// The line along which a shot goes, on the cloth of a table.
    aim_on_cloth,
    /// The strength of a soft shot.
    aim_weak,
    /// The strength of a hard shot.
    aim_strong,
    /// Hits, along their normals.
    hit,
    /// Pairs of discs that may touch within the tick.
    pair,
    /// The cells of the broad phase.
    grid,
    /// Text that is read first.
    text,
    /// Text that is read second.
    text_soft,
    /// Text that says that something went wrong.
    text_error,
    /// Labels beside discs.
    label,
    /// Labels on dark discs.
    label_on_dark,
    /// What lies under a notice, so that it can be read over anything.
    notice,
    /// The accent of badges.
    accent,
    /// What lies under the panel's rows.
    panel,
    /// Every other row of a table in the panel.
    panel_faint,
    /// What lies under fields and bars of the panel.
    well,
    /// Buttons and slider rails at rest.
    raised,
    /// Buttons under the pointer.
    raised_hover,
    /// Buttons that are pressed.
    raised_active,
    /// Lines between sections and around windows.
    line,
    /// What is chosen, and the filled part of sliders.
    chosen,
    /// Text on what is chosen.
    on_chosen,
    /// The velocity before, whole (grey).
    lesson_before,
    /// The part of the velocity along the line of centres, before (blue).
    lesson_along,
    /// The part of the velocity across the line of centres (red).
    lesson_across,
    /// The part of the velocity along the line of centres, after (magenta).
    lesson_along_after,
    /// The velocity after, whole (green).
    lesson_after,
    /// The tip of a plain mirror reflection (a white dot).
    lesson_mirror,
    /// Helper lines of lessons.
    lesson_line,
    /// Discs where a lesson would put them.
    lesson_ghost,
}

impl Theme {
    /// The colour of a disc that asks for none, by its number in the scene.
    #[must_use]
    pub fn disc(&self, id: u64) -> Srgba {
        self.discs[(id % self.discs.len() as u64) as usize]
    }

    /// The colour of a numbered ball that asks for none.
    #[must_use]
    pub fn ball(&self, number: u8) -> Srgba {
        match number {
            0 => self.ball_white,
            number => self.balls[usize::from((number - 1) % 8)],
        }
    }

    /// The line along which a shot goes.
    #[must_use]
    pub fn aim(&self, surroundings: Surroundings) -> Srgba {
        match surroundings {
            Surroundings::Laboratory => self.aim_on_floor,
            Surroundings::Table => self.aim_on_cloth,
        }
    }

    /// Whether its ground is dark.
    #[must_use]
    pub fn is_dark(&self) -> bool {
        self.panel.luminance() < 0.5
    }
}

impl Default for Theme {
    fn default() -> Self {
        Themes::default().dark
    }
}

/// Both sets of colours. Default: those that come with the program.
#[derive(Resource, Deserialize, Clone, Debug, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Themes {
    /// For dark surroundings.
    pub dark: Theme,
    /// For light surroundings.
    pub light: Theme,
}

impl Themes {
    /// Reads both sets from the text of a file such as `assets/themes.ron`.
    ///
    /// # Errors
    /// Where in the text something is wrong, and what.
    pub fn parse(text: &str) -> Result<Self, String> {
        ron::from_str(text).map_err(|error| error.to_string())
    }
}

impl Default for Themes {
    fn default() -> Self {
        Self::parse(include_str!("../../assets/themes.ron")).expect("a test reads the file that comes with the program")
    }
}

/// Which set of colours is wanted.
#[derive(Reflect, Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum ThemeChoice {
    /// The one that suits the desktop around the window; dark where it does not say.
    #[default]
    System,
    /// Dark.
    Dark,
    /// Light.
    Light,
}

impl ThemeChoice {
    /// All of them, with the words that people read.
    pub const ALL: [(Self, &str); 3] =
        [(Self::System, mark("as the desktop")), (Self::Dark, mark("dark")), (Self::Light, mark("light"))];
}

/// Keeps the resource [`Theme`] at what is wanted.
pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Themes>().init_resource::<Theme>().add_systems(First, choose);
}

fn choose(
    settings: Res<ViewSettings>,
    (themes, mut theme): (Res<Themes>, ResMut<Theme>),
    window: Option<Single<Ref<Window>, With<PrimaryWindow>>>,
    mut changes: Option<MessageReader<WindowThemeChanged>>,
    mut desktop: Local<Option<WindowTheme>>,
) {
    if let Some(window) = window.filter(|window| window.is_changed()) {
        // The window's maker writes there what the desktop says.
        *desktop = window.window_theme.or(*desktop);
    }
    if let Some(change) = changes.as_mut().and_then(|changes| changes.read().last()) {
        *desktop = Some(change.theme);
    }
    let light = match settings.theme {
        ThemeChoice::System => *desktop == Some(WindowTheme::Light),
        ThemeChoice::Dark => false,
        ThemeChoice::Light => true,
    };
    let wanted = if light { &themes.light } else { &themes.dark };
    if *theme != *wanted {
        *theme = wanted.clone();
    }
}

fn parse_digits(text: &str) -> Option<Srgba> {
    let digits = text.strip_prefix('#').filter(|digits| matches!(digits.len(), 6 | 8))?;
    Srgba::hex(digits).ok()
}

fn from_digits<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Srgba, D::Error> {
    let text = String::deserialize(deserializer)?;
    let wrong = || D::Error::custom(format!("`{text}` is not a colour; write it as \"#rrggbb\" or \"#rrggbbaa\""));
    parse_digits(&text).ok_or_else(wrong)
}

fn all_from_digits<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[Srgba; 8], D::Error> {
    /// One colour in a list.
    #[derive(Deserialize)]
    #[serde(transparent)]
    struct One(#[serde(deserialize_with = "from_digits")] Srgba);
    <[One; 8]>::deserialize(deserializer).map(|all| all.map(|One(colour)| colour))
}

impl From<Hex> for Srgba {
    fn from(Hex([red, green, blue]): Hex) -> Self {
        Self::rgb_u8(red, green, blue)
    }
}

/// A colour as egui takes it.
#[must_use]
pub fn egui(colour: Srgba) -> bevy_egui::egui::Color32 {
    let [red, green, blue, alpha] = colour.to_u8_array();
    bevy_egui::egui::Color32::from_rgba_unmultiplied(red, green, blue, alpha)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn both() -> [(&'static str, Theme); 2] {
        let Themes { dark, light } = Themes::default();
        [("dark", dark), ("light", light)]
    }

    /// The ratio of two luminances as WCAG 2.2 defines it, from 1 to 21. What is not opaque is seen over the ground.
    fn contrast(over: Srgba, ground: Srgba) -> f32 {
        let seen = ground.mix(&over.with_alpha(1.0), over.alpha).with_alpha(1.0);
        let [a, b] = [seen, ground].map(|colour| LinearRgba::from(colour).luminance() + 0.05);
        a.max(b) / a.min(b)
    }

    #[test]
    fn text_is_read_on_its_ground() {
        for (name, theme) in both() {
            let grounds =
                [theme.room, theme.room_edge, theme.floor, theme.panel, theme.well, theme.notice.with_alpha(1.0)];
            for ground in grounds {
                for (what, text) in [("first", theme.text), ("soft", theme.text_soft), ("error", theme.text_error)] {
                    let found = contrast(text, ground);
                    // WCAG 2.2, level AA.
                    assert!(found >= 4.5, "{name}, {what} text on {}: {found}", ground.to_hex());
                }
            }
            assert!(contrast(theme.aim_on_cloth, theme.cloth) >= 3.0, "{name}: the aim on the cloth");
            assert!(contrast(theme.on_chosen, theme.chosen) >= 4.5, "{name}: on what is chosen");
            for raised in [theme.raised, theme.raised_hover, theme.raised_active] {
                assert!(contrast(theme.text, raised) >= 4.5, "{name}: on buttons");
            }
        }
    }

    #[test]
    fn what_is_drawn_stands_out_from_its_ground() {
        for (name, theme) in both() {
            let ground = theme.floor;
            let marks = [
                theme.arrow,
                theme.momentum,
                theme.aim_on_floor,
                theme.aim_strong,
                theme.hit,
                theme.wall,
                theme.selected,
            ];
            let lesson = [theme.lesson_before, theme.lesson_along, theme.lesson_across, theme.lesson_after];
            for mark in theme.discs.into_iter().chain(marks).chain(lesson) {
                let found = contrast(mark, ground);
                // WCAG 2.2 for graphics: three to one; for large surfaces a little less is seen as well.
                assert!(found >= 2.9, "{name}, {}: {found}", mark.to_hex());
            }
        }
    }

    /// What people see who lack one kind of cone (Machado, Oliveira and Fernandes 2009, severity 1.0), in linear light.
    const MISSING_CONES: [(&str, [[f32; 3]; 3]); 4] = [
        ("none missing", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
        (
            "protanopia",
            [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
        ),
        (
            "deuteranopia",
            [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
        ),
        (
            "tritanopia",
            [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
        ),
    ];

    #[test]
    fn discs_are_told_apart_by_everybody() {
        for (name, theme) in both() {
            for (kind, matrix) in MISSING_CONES {
                let seen = theme.discs.map(|colour| {
                    let LinearRgba { red, green, blue, .. } = colour.into();
                    let [r, g, b] = matrix.map(|[r, g, b]| (r * red + g * green + b * blue).clamp(0.0, 1.0));
                    Oklaba::from(LinearRgba::rgb(r, g, b))
                });
                for (k, a) in seen.iter().enumerate() {
                    for (m, b) in seen.iter().enumerate().skip(k + 1) {
                        let apart = Vec3::new(a.lightness - b.lightness, a.a - b.a, a.b - b.b).length();
                        // In Oklab a step of 0.02 is just seen side by side.
                        assert!(apart > 0.06, "{name}, {kind}: discs {k} and {m} are {apart} apart");
                    }
                }
            }
        }
    }

    #[test]
    fn a_bad_file_is_reported_where_and_what() {
        let good = include_str!("../../assets/themes.ron");
        let said = |from, to| Themes::parse(&good.replacen(from, to, 1)).unwrap_err();
        let wrong = said("\"#20262e\"", "\"20262e\"");
        assert!(wrong.starts_with("6:") && wrong.contains("#rrggbb"), "{wrong}");
        assert!(said("room:", "rooom:").contains("rooom"));
        assert!(said("floor: ", "// floor: ").contains("floor"));
    }
}
