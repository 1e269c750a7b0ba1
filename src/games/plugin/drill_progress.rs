//! Keeps the results of drills that a person plays to their ends.

use bevy::prelude::*;

use super::{CurrentMatch, MatchEvent, MatchFolder};
use crate::{
    date::now,
    games::{
        drills::{DrillResult, Progress, name_of},
        rulebooks::drill::{GAME, drill_of},
        rules::Remark,
    },
    notice::{NoticeText, Notices, mark},
};

/// The results of drills over weeks: those of the file beside the [`MatchFolder`], or of this session alone if there is
/// no folder.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq, Deref, DerefMut)]
pub struct DrillProgress(pub Progress);

/// Reads the file when the folder changes.
pub(super) fn read(
    folder: Res<MatchFolder>,
    mut progress: ResMut<DrillProgress>,
    mut notices: Option<ResMut<Notices>>,
) {
    let Some(path) = folder.0.as_ref().map(|folder| Progress::file_beside(folder)) else { return };
    match (Progress::read(&path), &mut notices) {
        (Ok(read), _) => progress.0 = read,
        (Err(error), Some(notices)) => {
            let path = path.display().to_string();
            notices.error(NoticeText::new(mark("{} cannot be read: {}"), [path, error.to_string()]));
        }
        (Err(_), None) => {}
    }
}

/// Adds the result of a drill that is over.
pub(super) fn keep(
    mut events: MessageReader<MatchEvent>,
    (live, folder): (Option<Res<CurrentMatch>>, Res<MatchFolder>),
    mut progress: ResMut<DrillProgress>,
    mut notices: Option<ResMut<Notices>>,
) {
    for event in events.read() {
        let (Some(live), MatchEvent::Done(_, report)) = (&live, event) else { continue };
        let over = report.verdict.remarks.iter().find_map(|remark| match *remark {
            Remark::DrillOver(score, pass) => Some((score, pass)),
            _ => None,
        });
        let (Some((score, pass)), true) = (over, live.seat(report.player).is_person()) else { continue };
        let game = live.game();
        if game.game().name != GAME.name {
            continue;
        }
        let Ok(laid) = drill_of(game.table(), &game.spec().options) else { continue };
        let table = game.table().spec.title.clone();
        let attempts = laid.drill.attempts;
        let result = DrillResult { at: now(), drill: name_of(&laid.drill), table, attempts, score, pass };
        if let Some(folder) = folder.0.as_ref().filter(|_| live.is_kept()) {
            let path = Progress::file_beside(folder);
            if let (Err(error), Some(notices)) = (Progress::add(&path, &result), &mut notices) {
                let path = path.display().to_string();
                notices.error(NoticeText::new(mark("{} cannot be written: {}"), [path, error.to_string()]));
            }
        }
        progress.results.push(result);
    }
}
