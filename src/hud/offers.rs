//! The choices offered to the player: a list with a marked entry, controlled with keys. The buttons of the
//! [`prompt`](super::prompt) show the same list.

use bevy::prelude::*;
use tr::tr;

use super::{Hud, words};
use crate::{
    games::{
        Action, Choice, Task,
        plugin::{CurrentMatch, MatchCommand, Phase},
    },
    input::actions::{Control, Inputs},
    shell::StartPageAsked,
};

/// An entry to choose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Offer {
    /// A choice offered by the rules.
    Choice(Choice),
    /// Agree to taking the shot back.
    Agree,
    /// Do not agree.
    Decline,
    /// Start the next rack.
    NextRack,
    /// Play the same match again.
    Again,
    /// Show the statistics.
    Statistics,
    /// Go to the start page.
    StartPage,
    /// Leave the match.
    Leave,
}

impl Offer {
    /// The text of its button in a match, in the language of the window.
    #[must_use]
    pub fn words(self, live: &CurrentMatch) -> String {
        match self {
            Self::Choice(choice) => words::choice_in(live, choice),
            Self::Agree => tr!("Agree"),
            Self::Decline => tr!("Decline"),
            Self::NextRack => tr!("Next rack"),
            Self::Again => tr!("Play again"),
            Self::Statistics => tr!("Statistics"),
            Self::StartPage => tr!("Start page"),
            Self::Leave => tr!("Leave the match"),
        }
    }
}

/// The current offers; usually none.
pub(super) fn of(live: &CurrentMatch, hud: &Hud) -> Vec<Offer> {
    if live.is_held() {
        return Vec::new();
    }
    if live.take_back_asked() {
        return vec![Offer::Agree, Offer::Decline];
    }
    match (live.phase(), live.game().turn()) {
        (Phase::Person, Some((_, Task::Choose(choices)))) => choices.iter().copied().map(Offer::Choice).collect(),
        (Phase::Review(_), Some(_)) if live.last().is_some_and(|(_, report)| report.rack.is_some()) => {
            vec![Offer::NextRack]
        }
        (Phase::Over, _) => {
            vec![Offer::Again, Offer::Statistics, if hud.has_page { Offer::StartPage } else { Offer::Leave }]
        }
        _ => Vec::new(),
    }
}

/// Takes an offer.
pub(super) fn take(world: &mut World, offer: Offer) {
    let command = match offer {
        Offer::Choice(choice) => MatchCommand::Act(Action::Choose(choice)),
        Offer::Agree => MatchCommand::Answer(true),
        Offer::Decline => MatchCommand::Answer(false),
        Offer::NextRack => MatchCommand::GoOn,
        Offer::Again => match world.get_resource::<CurrentMatch>().map(CurrentMatch::again) {
            Some(Ok(again)) => MatchCommand::Begin(Box::new(again)),
            Some(Err(_)) | None => return,
        },
        Offer::Leave => MatchCommand::Leave,
        Offer::Statistics => {
            let mut hud = world.resource_mut::<Hud>();
            hud.shows_statistics = !hud.shows_statistics;
            return;
        }
        Offer::StartPage => {
            if let Some(mut pages) = world.get_resource_mut::<Messages<StartPageAsked>>() {
                pages.write(StartPageAsked);
            }
            return;
        }
    };
    world.write_message(command);
}

/// Moves through the offers, takes one, and takes a shot back, with keys.
pub(super) fn choose(
    mut hud: ResMut<Hud>,
    live: Option<Res<CurrentMatch>>,
    inputs: Inputs,
    mut orders: MessageWriter<MatchCommand>,
    mut commands: Commands,
) {
    let Some(live) = live.filter(|live| !live.is_held()) else { return };
    if inputs.started(Control::Undo) {
        orders.write(MatchCommand::TakeBack);
    }
    let offers = of(&live, &hud);
    if offers.is_empty() {
        return;
    }
    let count = offers.len();
    if inputs.started(Control::ChooseNext) {
        hud.marked = (hud.marked + 1) % count;
    }
    if inputs.started(Control::ChoosePrevious) {
        hud.marked = (hud.marked + count - 1) % count;
    }
    let numbers = [Control::Choose1, Control::Choose2, Control::Choose3, Control::Choose4];
    let by_number = numbers.iter().position(|&control| inputs.started(control));
    let taken = by_number.or(inputs.started(Control::Confirm).then_some(hud.marked));
    if let Some(&offer) = taken.and_then(|place| offers.get(place)) {
        commands.queue(move |world: &mut World| take(world, offer));
    }
}
