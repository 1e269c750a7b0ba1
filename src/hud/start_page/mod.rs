//! The start page: what is played, on which table, by whom and how long. It lies over a table that plays by itself, and
//! is gone as soon as a match begins. A key or a button shows it from everywhere: over a scene, or over a match, which
//! waits and can be gone on with.

use std::{collections::BTreeMap, path::PathBuf};

use bevy::prelude::*;
use bevy_egui::{EguiContext, EguiPrimaryContextPass, PrimaryEguiContext};
use layout::lay_out;
use tr::tr;
pub(super) use widgets::said;

use super::words;
use crate::{
    games::{
        Game, Match, MatchSpec, Options, PlayerSpec,
        plugin::{
            Beginning, CurrentMatch, MATCH_SCENE, MatchCommand, MatchEvent, MatchFolder, Phase, saved_matches,
            unfinished_matches,
        },
    },
    input::{
        ControlSystems,
        actions::{Control, Inputs},
    },
    scene::{CurrentScene, SceneCommand, SceneSource, SceneStarted},
    shell::StartPageAsked,
    view::{Covered, Theme},
};

mod layout;
mod options;
mod widgets;

/// The start page: it begins matches, and goes on with one that was left. It needs [`HudPlugin`](super::HudPlugin).
pub struct StartPagePlugin;

impl Plugin for StartPagePlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<StartPage>()
            .init_resource::<Theme>()
            .add_message::<SceneCommand>()
            .add_message::<SceneStarted>()
            .init_resource::<Covered>()
            .add_message::<StartPageAsked>()
            .add_systems(PreUpdate, (come_back, cover).chain().before(ControlSystems::Read))
            .add_systems(PreUpdate, open.in_set(ControlSystems::Keys))
            .add_systems(EguiPrimaryContextPass, show.run_if(|page: Res<StartPage>| page.open));
    }

    fn finish(&self, app: &mut App) {
        let name = self.name();
        assert!(app.world().contains_resource::<super::Hud>(), "{name} needs carom::hud::HudPlugin: add it to the app");
    }
}

/// The start page, and what is chosen on it.
#[derive(Resource, Clone, Debug, PartialEq)]
pub struct StartPage {
    /// Whether it is shown. Default: no.
    pub open: bool,
    /// What would be played. Its players are those of [`StartPage::seats`].
    pub spec: MatchSpec,
    /// Who plays; the name of a person may be empty.
    pub seats: [PlayerSpec; 2],
    /// The options and the table of games that were chosen before the one that is.
    of_others: BTreeMap<String, (Options, String)>,
    /// The match that was left before its end, if there is one: its file, and a line such as `9-ball, Ada 3 – 2 bot`.
    saved: Option<(PathBuf, String)>,
    /// What it lies over.
    over: Over,
    /// Why a match could not begin.
    refusal: Option<String>,
    /// Whether the page has been shown since it was opened: the first time the keyboard is led to its first button.
    is_seen: bool,
    /// Whether the match is left for the scenes, and the page with it.
    is_leaving: bool,
}

impl Default for StartPage {
    fn default() -> Self {
        Self {
            open: false,
            spec: MatchSpec { game: "nine-ball".to_owned(), race_to: 3, ..MatchSpec::default() },
            seats: [PlayerSpec::Person(String::new()), PlayerSpec::Bot("medium".to_owned())],
            of_others: BTreeMap::new(),
            saved: None,
            over: Over::Demonstration,
            refusal: None,
            is_seen: false,
            is_leaving: false,
        }
    }
}

impl StartPage {
    /// A page that is shown.
    #[must_use]
    pub fn opened() -> Self {
        Self { open: true, ..Self::default() }
    }

    /// What is to be played, with the names of the players.
    #[must_use]
    pub fn wanted(&self) -> MatchSpec {
        let seats = &self.seats;
        let name = |place: usize| match &seats[place] {
            PlayerSpec::Person(name) if name.trim().is_empty() => {
                if seats[1 - place].is_person() {
                    PlayerSpec::person(&tr!("player {}", place + 1))
                } else {
                    PlayerSpec::you()
                }
            }
            PlayerSpec::Person(name) => PlayerSpec::person(name),
            other => other.clone(),
        };
        MatchSpec { players: [name(0), name(1)], ..self.spec.clone() }
    }

    /// Chooses what is played in a match, if the page has that game.
    fn show_match(&mut self, played: &Match) {
        let Ok(game) = Game::named(&played.spec().game) else { return };
        layout::choose(self, game);
        self.spec = played.spec().clone();
        let seat =
            |player: &PlayerSpec| if player.is_you() { PlayerSpec::Person(String::new()) } else { player.clone() };
        self.seats = played.spec().players.each_ref().map(seat);
    }
}

/// What the page lies over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Over {
    /// A table that plays by itself.
    #[default]
    Demonstration,
    /// The scene that was there.
    Scene,
    /// A match that waits, and a line about it.
    Match(String),
    /// A match that is over.
    EndedMatch,
}

/// What a person has chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Chosen {
    /// A new match.
    Begin,
    /// Back to the match that waits.
    Back,
    /// The match that was left before its end.
    GoOn,
    /// The scenes and the laboratory instead of a match.
    Scenes,
}

fn show(world: &mut World) -> Result {
    let mut contexts = world.query_filtered::<&mut EguiContext, With<PrimaryEguiContext>>();
    let ctx = contexts.single_mut(world)?.get_mut().clone();
    let mut page = world.resource::<StartPage>().clone();
    if !page.is_seen {
        page.saved = world.get_resource::<MatchFolder>().and_then(left_match);
    }
    let (chosen, _) = lay_out(&ctx, &mut page, world.resource::<Theme>());
    if let Some(chosen) = chosen {
        leave(world, &mut page, chosen);
    } else if page.over == Over::Demonstration
        && world.get_resource::<CurrentMatch>().is_none_or(|live| matches!(live.phase(), Phase::Over))
    {
        play_by_itself(world, &page);
    }
    if *world.resource::<StartPage>() != page {
        *world.resource_mut::<StartPage>() = page;
    }
    Ok(())
}

/// What Escape does on the page.
#[cfg(test)]
pub(super) fn go_back(world: &mut World) {
    let mut page = world.resource::<StartPage>().clone();
    if let Some(chosen) = escape(&page) {
        leave(world, &mut page, chosen);
    }
    *world.resource_mut::<StartPage>() = page;
}

/// What Escape chooses: what the page lies over. Nothing where that is a table that plays by itself.
fn escape(page: &StartPage) -> Option<Chosen> {
    match page.over {
        Over::Demonstration => None,
        Over::Scene => Some(Chosen::Scenes),
        Over::Match(_) | Over::EndedMatch => Some(Chosen::Back),
    }
}

/// Closes the page and does what was chosen; where that cannot be done it stays.
fn leave(world: &mut World, page: &mut StartPage, chosen: Chosen) {
    (page.open, page.is_seen, page.refusal) = (false, false, None);
    if let Err(why) = obey(world, page, chosen) {
        (page.open, page.refusal) = (true, Some(why));
    }
}

/// So many of the matches that are not known to be over are replayed, to see how they stand.
const TRIED: usize = 4;

/// The match that was left last before its end, and a line about it.
fn left_match(folder: &MatchFolder) -> Option<(PathBuf, String)> {
    let left = unfinished_matches(folder.0.as_deref()?).into_iter().take(TRIED).find_map(|(path, record)| {
        let Beginning { game, .. } = Beginning::resume(&record, Some(path.clone())).ok()?;
        game.winner().is_none().then_some((path, game))
    });
    left.map(|(path, game)| (path, line(&game)))
}

/// A match in a line.
fn line(game: &Match) -> String {
    let [first, second] = game.spec().players.each_ref().map(words::name);
    let [won, lost] = game.racks();
    format!("{}, {first} {won} \u{2013} {lost} {second}", said(game.game().title))
}

/// Does what was chosen.
fn obey(world: &mut World, page: &mut StartPage, chosen: Chosen) -> Result<(), String> {
    let beginning = match chosen {
        Chosen::Begin => {
            // When somebody clicks is left to chance.
            let seed = world.get_resource::<Time<Real>>().map_or(0, |time| time.elapsed().as_nanos() as u64);
            Beginning::of(MatchSpec { seed, ..page.wanted() })?
        }
        Chosen::GoOn => {
            let path = page
                .saved
                .as_ref()
                .map(|(path, _)| path.clone())
                .ok_or_else(|| tr!("There is no match to go on with."))?;
            let saved = path.parent().map(saved_matches).unwrap_or_default();
            let record = saved.into_iter().find(|(saved, _)| *saved == path);
            let (_, record) = record.ok_or_else(|| tr!("There is no match to go on with."))?;
            Beginning::resume(&record, Some(path))?
        }
        Chosen::Back => {
            page.over = Over::Demonstration;
            world.write_message(MatchCommand::Hold(false));
            return Ok(());
        }
        Chosen::Scenes if page.over == Over::Scene => {
            page.over = Over::Demonstration;
            return Ok(());
        }
        Chosen::Scenes => {
            (page.is_leaving, page.over) = (true, Over::Demonstration);
            if world.contains_resource::<CurrentMatch>() {
                world.write_message(MatchCommand::Leave);
            }
            world.write_message(SceneCommand::Load(SceneSource::default()));
            return Ok(());
        }
    };
    page.over = Over::Demonstration;
    world.write_message(MatchCommand::Begin(Box::new(beginning)));
    Ok(())
}

/// Two bots play behind the page, and nothing is kept of it.
fn play_by_itself(world: &mut World, page: &StartPage) {
    let seed = world.get_resource::<Time<Real>>().map_or(0, |time| time.elapsed().as_nanos() as u64);
    let bots = ["bot:medium", "bot:medium"].map(PlayerSpec::from);
    let spec = MatchSpec { game: page.spec.game.clone(), players: bots, seed, ..MatchSpec::default() };
    if let Ok(beginning) = Beginning::of(spec) {
        world.write_message(MatchCommand::Begin(Box::new(Beginning { keep: false, ..beginning })));
    }
}

/// Has the panel make room for the page, and keys be the page's.
fn cover(page: Res<StartPage>, mut covered: ResMut<Covered>) {
    covered.set_if_neq(Covered(page.open));
}

/// Opens the page by a key, or because somebody has asked for it: what is there stays, and a match waits.
fn open(
    inputs: Inputs,
    mut asked: MessageReader<StartPageAsked>,
    (mut page, live, scene): (ResMut<StartPage>, Option<Res<CurrentMatch>>, Option<Res<CurrentScene>>),
    mut commands: MessageWriter<MatchCommand>,
) {
    let is_asked = asked.read().count() > 0;
    if page.open || !(is_asked || inputs.started(Control::StartPage)) {
        return;
    }
    page.open = true;
    page.over = match (live, scene) {
        (Some(live), _) => {
            commands.write(MatchCommand::Hold(true));
            page.show_match(live.game());
            if live.game().winner().is_none() { Over::Match(line(live.game())) } else { Over::EndedMatch }
        }
        (None, Some(_)) => Over::Scene,
        (None, None) => Over::Demonstration,
    };
}

/// Opens the page again when a match has been left and its table is still there, and closes it over a match or a scene
/// that has begun from elsewhere, such as a file that was dropped.
fn come_back(
    (mut events, mut scenes): (MessageReader<MatchEvent>, MessageReader<SceneStarted>),
    mut page: ResMut<StartPage>,
    live: Option<Res<CurrentMatch>>,
    scene: Option<Res<CurrentScene>>,
) {
    let (mut is_left, mut has_begun) = (false, false);
    for event in events.read() {
        is_left |= *event == MatchEvent::Left;
        has_begun |= *event == MatchEvent::Begun;
    }
    // The scene with which the program begins is there before the page.
    let has_scene =
        scenes.read().count() > 0 && page.is_seen && scene.as_ref().is_some_and(|scene| scene.source != MATCH_SCENE);
    // Nothing is kept of what plays behind the page.
    if page.open && (has_scene || has_begun && live.as_ref().is_some_and(|live| live.is_kept())) {
        (page.open, page.is_seen, page.refusal, page.over) = (false, false, None, Over::Demonstration);
    }
    if live.is_none() && matches!(page.over, Over::Match(_) | Over::EndedMatch) {
        // Somebody has ended the match that waited.
        page.over = Over::Demonstration;
    }
    if is_left && !std::mem::take(&mut page.bypass_change_detection().is_leaving) && live.is_none() {
        page.open = scene.is_some_and(|scene| scene.source == MATCH_SCENE);
    }
}

#[cfg(test)]
mod tests;
