//! Keeps the results of drills that a person plays to their ends, and the custom drills.

use std::path::Path;

use bevy::prelude::*;

use super::{CurrentMatch, MatchEvent, MatchFolder};
use crate::{
    date::now,
    games::{
        drills::{DrillResult, OwnDrills, Progress, name_of},
        rulebooks::drill::{GAME, drill_of},
        rules::Remark,
    },
    notice::{NoticeText, Notices, mark},
};

/// The results of drills over weeks: those of the file beside the [`MatchFolder`], or of this session alone if there is
/// no folder.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq, Deref, DerefMut)]
pub struct DrillProgress(pub Progress);

/// The custom drills: those of the folder beside the [`MatchFolder`].
#[derive(Resource, Clone, Debug, Default, PartialEq, Deref, DerefMut)]
pub struct CustomDrills(pub OwnDrills);

/// Reports an error of a file. The template has a place for its path and one for the error.
pub(super) fn report_file(
    notices: Option<ResMut<Notices>>,
    template: &'static str,
    path: &Path,
    error: &dyn std::fmt::Display,
) {
    if let Some(mut notices) = notices {
        notices.error(NoticeText::new(template, [path.display().to_string(), error.to_string()]));
    }
}

/// Reads the file and the custom drills when the folder changes.
pub(super) fn read(
    folder: Res<MatchFolder>,
    (mut progress, mut custom): (ResMut<DrillProgress>, ResMut<CustomDrills>),
    mut notices: Option<ResMut<Notices>>,
) {
    let Some(folder) = &folder.0 else { return };
    custom.0 = OwnDrills::read(&OwnDrills::folder_beside(folder));
    if let Some(notices) = &mut notices {
        for reason in &custom.invalid {
            notices.error(NoticeText::new(mark("A drill was left out: {}"), [reason.clone()]));
        }
    }
    let path = Progress::file_beside(folder);
    match Progress::read(&path) {
        Ok(read) => progress.0 = read,
        Err(error) => report_file(notices, mark("{} cannot be read: {}"), &path, &error),
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
            if let Err(error) = Progress::add(&path, &result) {
                report_file(notices.take(), mark("{} cannot be written: {}"), &path, &error);
            }
        }
        progress.results.push(result);
    }
}
