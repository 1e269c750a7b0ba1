//! The start page: game, table, players and length. It covers a table on which two bots play, and disappears when a
//! match starts. A key or a button shows it at any time. Over a match, the match waits and can be continued.

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
        drills::OwnDrill,
        plugin::{
            Beginning, CurrentMatch, CustomDrills, MATCH_SCENE, MatchCommand, MatchEvent, MatchFolder, Phase,
            saved_matches, unfinished_matches,
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

/// The start page: it starts matches and resumes an unfinished one. It needs [`HudPlugin`](super::HudPlugin).
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

/// The state of the start page, with its settings.
#[derive(Resource, Clone, Debug, PartialEq)]
pub struct StartPage {
    /// Whether it is shown. Default: false.
    pub open: bool,
    /// The match to play. Its players come from [`StartPage::seats`].
    pub spec: MatchSpec,
    /// The players. The name of a person may be empty.
    pub seats: [PlayerSpec; 2],
    /// The last options and tables of the games that are not chosen now.
    of_others: BTreeMap<String, (Options, String)>,
    /// An unfinished match, if there is one: its file, and a line such as `9-ball, Ada 3 – 2 bot`.
    saved: Option<(PathBuf, String)>,
    /// The drills of the user's folder.
    custom_drills: Vec<OwnDrill>,
    /// What is behind the page.
    over: Over,
    /// Why a match could not start.
    refusal: Option<String>,
    /// Whether the page has been shown since it was opened. The first time, its first button gets the focus.
    is_seen: bool,
    /// Whether to leave the match, and the page with it, for the scenes.
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
            custom_drills: Vec::new(),
            over: Over::Demonstration,
            refusal: None,
            is_seen: false,
            is_leaving: false,
        }
    }
}

impl StartPage {
    /// A page that is open.
    #[must_use]
    pub fn opened() -> Self {
        Self { open: true, ..Self::default() }
    }

    /// The match to play, with the names of the players.
    #[must_use]
    pub fn wanted(&self) -> MatchSpec {
        if layout::game(self).solo {
            // The rows for two players are hidden.
            let MatchSpec { players: [_, second], race_to, breaks, shot_clock, .. } = MatchSpec::default();
            let players = [PlayerSpec::you(), second];
            return MatchSpec { players, race_to, breaks, shot_clock, ..self.spec.clone() };
        }
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

    /// Shows the settings of a match, if the page has that game.
    fn show_match(&mut self, played: &Match) {
        let Ok(game) = Game::named(&played.spec().game) else { return };
        layout::choose(self, game);
        self.spec = played.spec().clone();
        let seat =
            |player: &PlayerSpec| if player.is_you() { PlayerSpec::Person(String::new()) } else { player.clone() };
        self.seats = played.spec().players.each_ref().map(seat);
    }
}

/// What is behind the page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Over {
    /// A table on which two bots play.
    #[default]
    Demonstration,
    /// The current scene.
    Scene,
    /// A waiting match, with a line about it.
    Match(String),
    /// A finished match.
    EndedMatch,
}

/// An action chosen on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Chosen {
    /// A new match.
    Begin,
    /// Return to the waiting match.
    Back,
    /// Resume the unfinished match.
    GoOn,
    /// Show the scenes and the laboratory.
    Scenes,
}

fn show(world: &mut World) -> Result {
    let mut contexts = world.query_filtered::<&mut EguiContext, With<PrimaryEguiContext>>();
    let ctx = contexts.single_mut(world)?.get_mut().clone();
    let mut page = world.resource::<StartPage>().clone();
    if !page.is_seen {
        page.saved = world.get_resource::<MatchFolder>().and_then(left_match);
        page.custom_drills = world.get_resource::<CustomDrills>().map_or_else(Vec::new, |custom| custom.drills.clone());
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

/// The effect of Escape on the page.
#[cfg(test)]
pub(super) fn go_back(world: &mut World) {
    let mut page = world.resource::<StartPage>().clone();
    if let Some(chosen) = escape(&page) {
        leave(world, &mut page, chosen);
    }
    *world.resource_mut::<StartPage>() = page;
}

/// The choice that Escape makes: return to what is behind the page. With only the demonstration there, it does nothing.
fn escape(page: &StartPage) -> Option<Chosen> {
    match page.over {
        Over::Demonstration => None,
        Over::Scene => Some(Chosen::Scenes),
        Over::Match(_) | Over::EndedMatch => Some(Chosen::Back),
    }
}

/// Closes the page and carries out the choice. If that fails, the page stays.
fn leave(world: &mut World, page: &mut StartPage, chosen: Chosen) {
    (page.open, page.is_seen, page.refusal) = (false, false, None);
    if let Err(why) = obey(world, page, chosen) {
        (page.open, page.refusal) = (true, Some(why));
    }
}

/// The most unfinished matches to replay for their state.
const TRIED: usize = 4;

/// The most recent unfinished match, with a line about it.
fn left_match(folder: &MatchFolder) -> Option<(PathBuf, String)> {
    let left = unfinished_matches(folder.0.as_deref()?).into_iter().take(TRIED).find_map(|(path, record)| {
        let Beginning { game, .. } = Beginning::resume(&record, Some(path.clone())).ok()?;
        game.winner().is_none().then_some((path, game))
    });
    left.map(|(path, game)| (path, line(&game)))
}

/// A match in one line.
fn line(game: &Match) -> String {
    if game.game().solo {
        let names = [Some(game.game().title), game.rules().title()];
        return names.into_iter().flatten().map(said).collect::<Vec<_>>().join(", ");
    }
    let [first, second] = game.spec().players.each_ref().map(words::name);
    let [won, lost] = game.racks();
    format!("{}, {first} {won} \u{2013} {lost} {second}", said(game.game().title))
}

/// Carries out the choice.
fn obey(world: &mut World, page: &mut StartPage, chosen: Chosen) -> Result<(), String> {
    let beginning = match chosen {
        Chosen::Begin => {
            // The moment of the click is the source of randomness.
            let seed = world.get_resource::<Time<Real>>().map_or(0, |time| time.elapsed().as_nanos() as u64);
            Beginning::of(MatchSpec { seed, ..page.wanted() })?
        }
        Chosen::GoOn => {
            let path =
                page.saved.as_ref().map(|(path, _)| path.clone()).ok_or_else(|| tr!("There is no match to resume."))?;
            let saved = path.parent().map(saved_matches).unwrap_or_default();
            let record = saved.into_iter().find(|(saved, _)| *saved == path);
            let (_, record) = record.ok_or_else(|| tr!("There is no match to resume."))?;
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

/// Starts a match of two bots behind the page, which is not saved.
fn play_by_itself(world: &mut World, page: &StartPage) {
    let seed = world.get_resource::<Time<Real>>().map_or(0, |time| time.elapsed().as_nanos() as u64);
    let bots = ["bot:medium", "bot:medium"].map(PlayerSpec::from);
    let spec = MatchSpec { game: page.spec.game.clone(), players: bots, seed, ..MatchSpec::default() };
    if let Ok(beginning) = Beginning::of(spec) {
        world.write_message(MatchCommand::Begin(Box::new(Beginning { keep: false, ..beginning })));
    }
}

/// Makes the panel leave room for the page, and gives it the keys.
fn cover(page: Res<StartPage>, mut covered: ResMut<Covered>) {
    covered.set_if_neq(Covered(page.open));
}

/// Opens the page on a key or a request. The scene stays, and a match waits.
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

/// Reopens the page when a match was left and its table is still there. Closes it when a match or a scene starts from
/// elsewhere, such as a dropped file.
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
    // The first scene of the program exists before the page.
    let has_scene =
        scenes.read().count() > 0 && page.is_seen && scene.as_ref().is_some_and(|scene| scene.source != MATCH_SCENE);
    // The demonstration behind the page is never saved.
    if page.open && (has_scene || has_begun && live.as_ref().is_some_and(|live| live.is_kept())) {
        (page.open, page.is_seen, page.refusal, page.over) = (false, false, None, Over::Demonstration);
    }
    if live.is_none() && matches!(page.over, Over::Match(_) | Over::EndedMatch) {
        // Something else has ended the waiting match.
        page.over = Over::Demonstration;
    }
    if is_left && !std::mem::take(&mut page.bypass_change_detection().is_leaving) && live.is_none() {
        page.open = scene.is_some_and(|scene| scene.source == MATCH_SCENE);
    }
}

#[cfg(test)]
mod tests;
