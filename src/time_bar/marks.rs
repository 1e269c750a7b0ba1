//! Marks of edits on the bar. Those near each other are one.

use tr::tr;

use crate::timeline::history::EditKind;

/// A mark: the first and the last tick of its edits, their number, and the kind that it shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Mark {
    /// The tick after which the first edit was made.
    pub tick: u64,
    /// The same of the last one.
    pub last: u64,
    /// The number of edits.
    pub count: usize,
    /// The kind of the first edit of the highest rank: entities, settings, velocities, others.
    pub kind: EditKind,
}

/// Groups edits, in order, whose places on the bar are less than `apart` points from the last of their group.
pub(super) fn marks(edits: &[(u64, EditKind)], place: impl Fn(u64) -> f32, apart: f32) -> Vec<Mark> {
    let mut found: Vec<Mark> = Vec::new();
    for &(next, kind) in edits {
        // An edit belongs to the tick before the one that it changes.
        let tick = next.saturating_sub(1);
        match found.last_mut() {
            Some(mark) if place(tick) - place(mark.last) < apart => {
                (mark.last, mark.count, mark.kind) = (tick, mark.count + 1, mark.kind.min(kind));
            }
            _ => found.push(Mark { tick, last: tick, count: 1, kind }),
        }
    }
    found
}

/// What a kind of edit is called.
pub(super) fn name(kind: EditKind) -> String {
    match kind {
        EditKind::Presence => tr!("something added or removed"),
        EditKind::Setting => tr!("settings changed"),
        EditKind::Velocity => tr!("a shot or another velocity"),
        EditKind::Other => tr!("something edited"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_near_each_other_are_one_mark_of_the_highest_rank() {
        let edits = [
            (11, EditKind::Velocity),
            (12, EditKind::Setting),
            (15, EditKind::Other),
            (40, EditKind::Velocity),
            (41, EditKind::Velocity),
        ];
        let found = marks(&edits, |tick| tick as f32, 4.0);
        let expected = [
            Mark { tick: 10, last: 14, count: 3, kind: EditKind::Setting },
            Mark { tick: 39, last: 40, count: 2, kind: EditKind::Velocity },
        ];
        assert_eq!(found, expected);
        assert_eq!(marks(&edits, |tick| tick as f32, 0.5).len(), 5);
        assert_eq!(marks(&[], |tick| tick as f32, 4.0), []);
    }
}
