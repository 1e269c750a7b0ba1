//! Gathers the kinematic discs that follow a periodic motion.

use bevy::{ecs::query::QueryItem, prelude::*};

use super::gather::DiscProperty;
use crate::{
    collision::{
        discs::{Discs, PeriodicDisc},
        validation::ignored::Values,
    },
    components::{Kinematic, Orbit, Oscillation, PeriodicMotion},
};

impl DiscProperty for PeriodicDisc {
    type Components = (Option<&'static Oscillation>, Option<&'static Orbit>);
    type Has = (With<Kinematic>, Or<(With<Oscillation>, With<Orbit>)>);

    fn list(discs: &Discs) -> &Vec<Self> {
        &discs.periodic
    }

    fn list_mut(discs: &mut Discs) -> &mut Vec<Self> {
        &mut discs.periodic
    }

    fn of(disc: u32, (oscillation, orbit): QueryItem<Self::Components>, values: &mut Values) -> Option<Self> {
        let motion = PeriodicMotion::of(values.usable(oscillation), values.usable(orbit))?;
        Some(Self { disc, motion })
    }
}
