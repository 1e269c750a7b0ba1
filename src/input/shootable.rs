//! The discs that a person can shoot.

use bevy::{ecs::system::SystemParam, prelude::*};

use crate::{
    components::{Ball, InPlay},
    scene::{CueBall, Shootable},
};

/// The discs that a person can shoot: those with [`Shootable`], or all discs if none has it.
#[derive(SystemParam)]
pub(super) struct ShootableDiscs<'w, 's> {
    marked: Query<'w, 's, (Has<CueBall>, Has<Ball>), (With<Shootable>, InPlay)>,
}

impl ShootableDiscs<'_, '_> {
    /// Whether a disc in play can be shot.
    pub(super) fn contains(&self, disc: Entity) -> bool {
        self.marked.is_empty() || self.marked.contains(disc)
    }

    /// Whether people call the shootable discs cue balls. A curling stone is none.
    pub(super) fn are_cue_balls(&self) -> bool {
        self.marked.iter().all(|(is_cue_ball, is_ball)| is_cue_ball || is_ball)
    }
}
