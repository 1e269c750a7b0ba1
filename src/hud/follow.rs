//! Adapts the controls, the cue and the overlay words to the match, and restores them when it ends.

use bevy::prelude::*;

use super::{Before, Hud, offers, persons_stroke};
use crate::{
    editor::{ChosenTerrain, Tool},
    games::{
        Call,
        plugin::{CurrentMatch, MatchEvent},
    },
    input::{Aim, Controls, CueSettings, EditLock, Selection, actions::Asked},
    notice::mark,
    shell::StartPageAsked,
};

/// Why editing is off during a match.
const LOCKED: &str = mark("Disabled during a match, which must be fair and replayable.");

/// Records the events of the match.
pub(super) fn hear(
    mut events: MessageReader<MatchEvent>,
    mut hud: ResMut<Hud>,
    live: Option<Res<CurrentMatch>>,
    (time, page): (Option<Res<Time<Real>>>, Option<Res<Messages<StartPageAsked>>>),
    mut cue: Option<ResMut<CueSettings>>,
) {
    hud.bypass_change_detection().has_page = page.is_some();
    let now = time.map_or(0.0, |time| time.elapsed_secs());
    for event in events.read() {
        // A cue raised in the match before would surprise.
        if let (MatchEvent::Begun, Some(cue)) = (event, &mut cue) {
            cue.elevation = 0.0;
        }
        match event {
            MatchEvent::Begun | MatchEvent::Left => (hud.shows_shots, hud.shows_statistics) = (false, false),
            MatchEvent::Over { .. } => hud.shows_statistics = true,
            _ => {}
        }
        match event {
            MatchEvent::Refused(why) => {
                hud.refuse(why.clone(), now);
                hud.sets_up = false;
            }
            MatchEvent::Done(action, _) if action.is_preparation() => hud.refusal = None,
            MatchEvent::Begun
            | MatchEvent::Done(..)
            | MatchEvent::ChoiceAsked(..)
            | MatchEvent::TakeBackAsked
            | MatchEvent::Over { .. } => {
                (hud.call, hud.marked, hud.refusal, hud.refused_at) = (Call::default(), 0, None, None);
                hud.sets_up = false;
                // In practice the ball lies on the table and may be moved, so the match does not wait for a placement.
                let is_to_place = |live: &Res<CurrentMatch>| {
                    let stroke = persons_stroke(live)?;
                    let is_free = live.game().game().solo && live.game().layout().is_on_table(stroke.cue_ball);
                    Some(stroke.in_hand.is_some() && !is_free)
                };
                hud.placing = live.as_ref().and_then(is_to_place).unwrap_or_default();
            }
            MatchEvent::Struck(_) | MatchEvent::Left => {
                (hud.placing, hud.refusal, hud.refused_at) = (false, None, None);
            }
        }
    }
}

/// The settings that a match overrides.
type Settings<'w> = (
    ResMut<'w, Controls>,
    ResMut<'w, EditLock>,
    ResMut<'w, Asked>,
    ResMut<'w, Selection>,
    Option<ResMut<'w, CueSettings>>,
    Option<ResMut<'w, Aim>>,
    Option<ResMut<'w, Tool>>,
    Option<ResMut<'w, ChosenTerrain>>,
);

/// Enables exactly what people may do now.
pub(super) fn follow(
    mut hud: ResMut<Hud>,
    live: Option<Res<CurrentMatch>>,
    (mut controls, mut lock, mut asked, mut selection, mut cue, mut aim, tool, terrain): Settings,
) {
    let Some(live) = live else {
        asked.set_if_neq(Asked(false));
        if let Some(before) = hud.before.take() {
            controls.set_if_neq(before.controls);
            lock.set_if_neq(before.lock);
            if let (Some(cue), Some(was)) = (&mut cue, before.cue) {
                cue.cue = was;
            }
        }
        return;
    };
    let is_new = hud.before.is_none();
    let cue_before = cue.as_ref().map(|cue| cue.cue);
    let before = *hud.before.get_or_insert(Before { controls: *controls, lock: *lock, cue: cue_before });
    if is_new {
        selection.0.clear();
        if let Some(mut terrain) = terrain {
            terrain.set_if_neq(ChosenTerrain::default());
        }
    }
    if let Some(mut tool) = tool {
        tool.set_if_neq(Tool::default());
    }
    let stroke = persons_stroke(&live);
    let may_shoot = stroke.is_some() && !hud.placing;
    lock.set_if_neq(EditLock(Some(LOCKED)));
    controls.set_if_neq(Controls {
        shoot: before.controls.shoot && may_shoot,
        move_discs: false,
        select: false,
        delete: false,
        // The digit keys make choices.
        bookmarks: false,
        hold_by_drag: hud.placing && stroke.is_some(),
        ..before.controls
    });
    asked.set_if_neq(Asked(!offers::of(&live, &hud).is_empty()));
    // The cue of the match, so that a replay gives the same shot.
    if let Some(cue) = &mut cue
        && cue.cue != live.game().cue()
    {
        cue.cue = live.game().cue();
    }
    // The ball in hand is placed, and its key also starts a shot.
    if may_shoot
        && hud.sets_up
        && let Some(aim) = &mut aim
    {
        hud.sets_up = false;
        aim.set_up();
    }
    if !may_shoot
        && live.stance().is_none()
        && let Some(aim) = &mut aim
        && aim.by_numbers.is_some()
    {
        aim.by_numbers = None;
    }
}
