//! Keeps the results of finished matches.

use bevy::prelude::*;

use super::{CurrentMatch, MatchEvent, MatchFolder, drill_progress::report_file};
use crate::{
    date::now,
    games::matches::{MatchResult, MatchResults},
    notice::{Notices, mark},
};

/// The results of finished matches: those of the file beside the [`MatchFolder`], or of this session alone if there is
/// no folder.
#[derive(Resource, Clone, Debug, Default, PartialEq, Deref, DerefMut)]
pub struct KeptResults(pub MatchResults);

/// Reads the file when the folder changes.
pub(super) fn read(folder: Res<MatchFolder>, mut results: ResMut<KeptResults>, notices: Option<ResMut<Notices>>) {
    let Some(path) = folder.0.as_ref().map(|folder| MatchResults::file_beside(folder)) else { return };
    match MatchResults::read(&path) {
        Ok(read) => results.0 = read,
        Err(error) => report_file(notices, mark("{} cannot be read: {}"), &path, &error),
    }
}

/// Adds the result of a match that is over. Games for one person have none.
pub(super) fn keep(
    mut events: MessageReader<MatchEvent>,
    (live, folder): (Option<Res<CurrentMatch>>, Res<MatchFolder>),
    mut results: ResMut<KeptResults>,
    notices: Option<ResMut<Notices>>,
) {
    let is_over = events.read().filter(|event| matches!(event, MatchEvent::Over { .. })).count() > 0;
    let Some(live) = live.filter(|live| is_over && !live.game().game().solo) else { return };
    let Some(result) = MatchResult::of(live.game(), now()) else { return };
    // A finished match that is opened again is over again.
    let is_same = |known: &MatchResult| known.id == result.id && known.statistics == result.statistics;
    if results.results.iter().any(is_same) {
        return;
    }
    if let Some(folder) = folder.0.as_ref().filter(|_| live.is_kept()) {
        let path = MatchResults::file_beside(folder);
        if let Err(error) = MatchResults::add(&path, &result) {
            report_file(notices, mark("{} cannot be written: {}"), &path, &error);
        }
    }
    results.results.push(result);
}
