//! All colours, including the panel's. They are defined in `assets/themes.ron`, as a dark and a light set.

use bevy::{
    prelude::*,
    window::{PrimaryWindow, WindowTheme, WindowThemeChanged},
};
use serde::{Deserialize, Deserializer, Serialize, de::Error};

use super::ViewSettings;
use crate::{
    notice::mark,
    ron_text,
    scene::{BallColour, DiscColour, Surroundings},
};

/// A group of colours. The file lists each under its name.
macro_rules! group {
    ($(#[$doc:meta])* $group:ident { $($(#[$what:meta])* $name:ident,)* }) => {
        $(#[$doc])*
        #[derive(Deserialize, Clone, Debug, PartialEq)]
        #[serde(deny_unknown_fields)]
        pub struct $group {
            $($(#[$what])* #[serde(deserialize_with = "from_digits")] pub $name: Srgba,)*
        }
    };
}

group! {
    /// The background and the floor.
    GroundColours {
        /// The background, in its middle.
        room,
        /// The background, at its edges.
        room_edge,
        /// The floor of a laboratory's arena, in its middle.
        floor,
        /// The floor of a laboratory's arena, at its edges.
        floor_edge,
        /// The frame of a laboratory's arena.
        frame,
        /// Shadows of discs and terrain.
        shadow,
    }
}

group! {
    /// A billiard table.
    TableColours {
        /// The cloth of a table, in its middle.
        cloth,
        /// The cloth of a table, at its edges.
        cloth_edge,
        /// The cushions of a table.
        cushion,
        /// The rails of a table, the lighter grain.
        wood,
        /// The rails of a table, the darker grain.
        wood_dark,
        /// The joints between the boards of a table.
        wood_joint,
        /// The sights on the rails.
        sight,
        /// Lines and spots on the cloth.
        mark,
        /// The lit noses of the cushions.
        nose,
        /// The shade of the cushions on the cloth.
        cushion_shade,
        /// The leather around the pockets of a table, and in them.
        leather,
        /// The depth of a pocket.
        hole,
        /// The shadow of a table.
        shadow,
    }
}

group! {
    /// Terrain in a laboratory.
    TerrainColours {
        /// Blocks and the outlines of polygons.
        block,
        /// Thin walls.
        wall,
        /// The body of a bumper.
        bumper,
        /// The rings of a bumper.
        bumper_ring,
    }
}

group! {
    /// The cue.
    CueColours {
        /// The leather tip of the cue.
        tip,
        /// The ferrule of the cue.
        ferrule,
        /// The shaft of the cue.
        shaft,
        /// The butt of the cue.
        butt,
    }
}

group! {
    /// Marks around and on discs.
    MarkColours {
        /// The flash of discs that are hit hard.
        flash,
        /// Velocity arrows.
        arrow,
        /// Momentum arrows.
        momentum,
        /// The rim around arrows, for contrast with any background.
        arrow_rim,
        /// The hovered disc.
        hover,
        /// The selection.
        selected,
        /// Hits, along their normals.
        hit,
        /// Candidate pairs of discs.
        pair,
        /// The cells of the broad phase.
        grid,
    }
}

group! {
    /// Aiming.
    AimColours {
        /// The aim line on a floor.
        on_floor,
        /// The aim line on the cloth of a table.
        on_cloth,
        /// The strength of a soft shot.
        weak,
        /// The strength of a hard shot.
        strong,
    }
}

group! {
    /// Text over the view.
    TextColours {
        /// Primary text.
        first,
        /// Secondary text.
        soft,
        /// Error text.
        error,
        /// Labels beside discs.
        label,
        /// Labels on dark discs.
        label_on_dark,
        /// The background of notices, opaque enough to read them over anything.
        notice,
        /// The accent of badges.
        accent,
    }
}

group! {
    /// The panel.
    PanelColours {
        /// The background of the panel's rows.
        ground,
        /// Every other row of a table in the panel.
        faint,
        /// The background of the panel's fields and bars.
        well,
        /// Buttons and slider rails at rest.
        raised,
        /// Buttons under the pointer.
        raised_hover,
        /// Buttons that are pressed.
        raised_active,
        /// Lines between sections and around windows.
        line,
        /// The selection, and the filled part of sliders.
        chosen,
        /// Text on the selection.
        on_chosen,
    }
}

group! {
    /// Colours of lessons.
    LessonColours {
        /// The whole velocity before (grey).
        before,
        /// The part of the velocity along the line of centres, before (blue).
        along,
        /// The part of the velocity across the line of centres (red).
        across,
        /// The part of the velocity along the line of centres, after (magenta).
        along_after,
        /// The whole velocity after (green).
        after,
        /// The tip of a plain mirror reflection (a white dot).
        mirror,
        /// Helper lines of lessons.
        line,
        /// Discs where a lesson would place them.
        ghost,
    }
}

/// The balls of a table.
#[derive(Deserialize, Clone, Debug, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct BallColours {
    /// Balls with numbers, 1 to 8. Balls 9 to 15 repeat 1 to 7 as stripes.
    #[serde(deserialize_with = "all_from_digits")]
    pub numbered: [Srgba; 8],
    /// The white of balls, and the cue ball.
    #[serde(deserialize_with = "from_digits")]
    pub white: Srgba,
    /// The dots on a cue ball.
    #[serde(deserialize_with = "from_digits")]
    pub dot: Srgba,
    /// Numbers on the white of balls, and labels on light discs.
    #[serde(deserialize_with = "from_digits")]
    pub number: Srgba,
    /// The reds of snooker.
    #[serde(deserialize_with = "from_digits")]
    pub red: Srgba,
    /// The yellow of snooker, and the second player's cue ball in carom.
    #[serde(deserialize_with = "from_digits")]
    pub yellow: Srgba,
    /// The green of snooker.
    #[serde(deserialize_with = "from_digits")]
    pub green: Srgba,
    /// The brown of snooker.
    #[serde(deserialize_with = "from_digits")]
    pub brown: Srgba,
    /// The blue of snooker.
    #[serde(deserialize_with = "from_digits")]
    pub blue: Srgba,
    /// The pink of snooker.
    #[serde(deserialize_with = "from_digits")]
    pub pink: Srgba,
    /// The black of snooker.
    #[serde(deserialize_with = "from_digits")]
    pub black: Srgba,
}

impl BallColours {
    /// The colour of a ball without a number, by its colour name.
    #[must_use]
    pub fn of(&self, colour: BallColour) -> Srgba {
        match colour {
            BallColour::Red => self.red,
            BallColour::Yellow => self.yellow,
            BallColour::Green => self.green,
            BallColour::Brown => self.brown,
            BallColour::Blue => self.blue,
            BallColour::Pink => self.pink,
            BallColour::Black => self.black,
        }
    }
}

impl AimColours {
    /// The colour of the aim line.
    #[must_use]
    pub fn on(&self, surroundings: Surroundings) -> Srgba {
        match surroundings {
            Surroundings::Laboratory => self.on_floor,
            Surroundings::Table => self.on_cloth,
        }
    }
}

/// A set of colours. As a resource it is the set for the next frame. To change single colours, change [`Themes`].
#[derive(Resource, Deserialize, Clone, Debug, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Theme {
    /// The background and the floor.
    pub ground: GroundColours,
    /// A billiard table.
    pub table: TableColours,
    /// Terrain in a laboratory.
    pub terrain: TerrainColours,
    /// The cue.
    pub cue: CueColours,
    /// Discs of a laboratory, by their number in the scene.
    #[serde(deserialize_with = "all_from_digits")]
    pub discs: [Srgba; 8],
    /// The balls of a table.
    pub balls: BallColours,
    /// Marks around and on discs.
    pub marks: MarkColours,
    /// Aiming.
    pub aim: AimColours,
    /// Text over the view.
    pub text: TextColours,
    /// The panel.
    pub panel: PanelColours,
    /// Colours of lessons.
    pub lesson: LessonColours,
}

impl Theme {
    /// The colour of a disc.
    #[must_use]
    pub fn of_disc(&self, colour: DiscColour) -> Srgba {
        match colour {
            DiscColour::Own(colour) => colour.into(),
            DiscColour::Ball(colour) => self.balls.of(colour),
            DiscColour::Numbered(index) => self.balls.numbered[index],
            DiscColour::White => self.balls.white,
            DiscColour::ById(index) => self.discs[index],
        }
    }

    /// The opaque colour of the path of a disc with this colour, past or predicted. It is mixed with the aim colour as
    /// far as it takes to stand out from the floor and the room, or from the cloth.
    #[must_use]
    pub fn of_path(&self, colour: Srgba, surroundings: Surroundings) -> Srgba {
        let aim = self.aim.on(surroundings).with_alpha(1.0);
        let grounds = match surroundings {
            Surroundings::Laboratory => [self.ground.floor, self.ground.room],
            Surroundings::Table => [self.table.cloth; 2],
        };
        // What stands out from the ground that is closer to the aim colour stands out from the other.
        let [first, second] = grounds.map(|ground| (contrast(aim, ground), ground));
        let (of_aim, ground) = if first.0 <= second.0 { first } else { second };
        let least = PATH_CONTRAST.min(0.5 * of_aim);
        let mut mixed = (1_u8..=9).map(|tenths| colour.mix(&aim, 0.1 * f32::from(tenths)).with_alpha(1.0));
        mixed.find(|mixed| contrast(*mixed, ground) >= least).unwrap_or(aim)
    }

    /// Whether its background is dark.
    #[must_use]
    pub fn is_dark(&self) -> bool {
        self.panel.ground.luminance() < 0.5
    }
}

impl Default for Theme {
    fn default() -> Self {
        Themes::default().dark
    }
}

/// Both sets of colours. Default: the built-in ones.
#[derive(Resource, Deserialize, Clone, Debug, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Themes {
    /// The set for dark surroundings.
    pub dark: Theme,
    /// The set for light surroundings.
    pub light: Theme,
}

impl Themes {
    /// Parses both sets from the text of a file such as `assets/themes.ron`.
    ///
    /// # Errors
    /// The text is invalid. The message says where and why.
    pub fn parse(text: &str) -> Result<Self, String> {
        let read = ron_text::read(text, &ron::Options::default(), "the file of colours");
        read.map_err(|ron_text::Mistake { at, reason, .. }| format!("{at}: {reason}"))
    }
}

impl Default for Themes {
    fn default() -> Self {
        Self::parse(include_str!("../../assets/themes.ron")).expect("a test reads the file that comes with the program")
    }
}

/// The choice of colours.
#[derive(Reflect, Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum ThemeChoice {
    /// As the desktop prefers; dark if it has no preference.
    #[default]
    System,
    /// Dark.
    Dark,
    /// Light.
    Light,
}

impl ThemeChoice {
    /// All values, with their displayed words.
    pub const ALL: [(Self, &str); 3] =
        [(Self::System, mark("same as the desktop")), (Self::Dark, mark("dark")), (Self::Light, mark("light"))];
}

/// Keeps the resource [`Theme`] at the chosen set.
pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Themes>().init_resource::<Theme>().add_systems(First, choose);
}

fn choose(
    settings: Res<ViewSettings>,
    (themes, mut theme): (Res<Themes>, ResMut<Theme>),
    window: Option<Single<&Window, With<PrimaryWindow>>>,
    mut changes: Option<MessageReader<WindowThemeChanged>>,
    (mut written, mut desktop): (Local<Option<WindowTheme>>, Local<Option<WindowTheme>>),
) {
    // `bevy_winit` writes the desktop's preference there when the window opens, and does not update it.
    if let Some(window) = window.filter(|window| window.window_theme != *written) {
        *written = window.window_theme;
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
    /// A colour in a list.
    #[derive(Deserialize)]
    #[serde(transparent)]
    struct One(#[serde(deserialize_with = "from_digits")] Srgba);
    <[One; 8]>::deserialize(deserializer).map(|all| all.map(|One(colour)| colour))
}

/// The least contrast ratio between the path of a disc and a floor: what WCAG 2.2 requires of graphics. On cloth, from
/// which even white differs little more, half of the contrast of the aim colour suffices.
const PATH_CONTRAST: f32 = 3.0;

/// The contrast ratio as WCAG 2.2 defines it, from 1 to 21. A transparent colour is blended with the background.
fn contrast(over: Srgba, ground: Srgba) -> f32 {
    let seen = ground.mix(&over.with_alpha(1.0), over.alpha).with_alpha(1.0);
    let [a, b] = [seen, ground].map(|colour| LinearRgba::from(colour).luminance() + 0.05);
    a.max(b) / a.min(b)
}

/// A colour in egui's type.
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

    #[test]
    fn text_is_read_on_its_ground() {
        for (name, theme) in both() {
            let grounds = [
                theme.ground.room,
                theme.ground.room_edge,
                theme.ground.floor,
                theme.panel.ground,
                theme.panel.well,
                theme.text.notice.with_alpha(1.0),
            ];
            for ground in grounds {
                for (what, text) in
                    [("first", theme.text.first), ("soft", theme.text.soft), ("error", theme.text.error)]
                {
                    let found = contrast(text, ground);
                    // WCAG 2.2, level AA.
                    assert!(found >= 4.5, "{name}, {what} text on {}: {found}", ground.to_hex());
                }
            }
            assert!(contrast(theme.aim.on_cloth, theme.table.cloth) >= 3.0, "{name}: the aim on the cloth");
            assert!(contrast(theme.panel.on_chosen, theme.panel.chosen) >= 4.5, "{name}: on what is chosen");
            for raised in [theme.panel.raised, theme.panel.raised_hover, theme.panel.raised_active] {
                assert!(contrast(theme.text.first, raised) >= 4.5, "{name}: on buttons");
            }
        }
    }

    #[test]
    fn what_is_drawn_stands_out_from_its_ground() {
        for (name, theme) in both() {
            let ground = theme.ground.floor;
            let marks = [
                theme.marks.arrow,
                theme.marks.momentum,
                theme.aim.on_floor,
                theme.aim.strong,
                theme.marks.hit,
                theme.terrain.wall,
                theme.marks.selected,
            ];
            let lesson = [theme.lesson.before, theme.lesson.along, theme.lesson.across, theme.lesson.after];
            for mark in theme.discs.into_iter().chain(marks).chain(lesson) {
                let found = contrast(mark, ground);
                // WCAG 2.2 requires 3 : 1 for graphics. For large surfaces slightly less is also visible.
                assert!(found >= 2.9, "{name}, {}: {found}", mark.to_hex());
            }
        }
    }

    #[test]
    fn paths_of_discs_stand_out_from_their_ground() {
        for (name, theme) in both() {
            let own = [Srgba::WHITE, Srgba::BLACK, Srgba::RED, Srgba::GREEN, Srgba::BLUE, Srgba::rgb(1.0, 1.0, 0.0)];
            let balls = theme.balls.numbered.into_iter().chain([theme.balls.white, theme.balls.pink]);
            for colour in theme.discs.into_iter().chain(balls).chain(own) {
                let path = theme.of_path(colour, Surroundings::Laboratory);
                for ground in [theme.ground.floor, theme.ground.room] {
                    let found = contrast(path, ground);
                    assert!(found >= 2.99, "{name}, {} on {}: {found}", path.to_hex(), ground.to_hex());
                }
                let path = theme.of_path(colour, Surroundings::Table);
                let found = contrast(path, theme.table.cloth);
                // White on this cloth has a contrast of about 4.
                assert!(found >= 1.9, "{name}, {} on the cloth: {found}", path.to_hex());
            }
        }
    }

    /// Simulations of missing cones (Machado, Oliveira and Fernandes 2009, severity 1.0), in linear light.
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
                        // In Oklab, a step of 0.02 is just visible side by side.
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
        assert!(wrong.starts_with("8:") && wrong.contains("#rrggbb"), "{wrong}");
        assert!(said("room:", "rooom:").contains("rooom"));
        assert!(said("floor: ", "// floor: ").contains("floor"));
    }

    #[test]
    fn the_colours_follow_the_desktop_while_the_window_changes_for_other_reasons() {
        let mut app = App::new();
        app.init_resource::<ViewSettings>().add_message::<WindowThemeChanged>();
        plugin(&mut app);
        let first = Window { window_theme: Some(WindowTheme::Light), ..default() };
        let window = app.world_mut().spawn((first, PrimaryWindow)).id();
        let is_dark = |app: &mut App| {
            app.update();
            app.world().resource::<Theme>().is_dark()
        };
        assert!(!is_dark(&mut app));
        app.world_mut().write_message(WindowThemeChanged { window, theme: WindowTheme::Dark });
        assert!(is_dark(&mut app));
        // As the pointer does in every frame.
        app.world_mut().get_mut::<Window>(window).unwrap().title.push('.');
        assert!(is_dark(&mut app));
    }
}
