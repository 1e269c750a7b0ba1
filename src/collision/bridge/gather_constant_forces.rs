//! Gathers the constant forces on single discs.

use bevy::{ecs::query::QueryItem, prelude::*};

use super::gather::DiscProperty;
use crate::{
    collision::{
        discs::{DiscForce, Discs},
        validation::ignored::Values,
    },
    components::{ConstantForce, ConstantTorque},
};

impl DiscProperty for DiscForce {
    type Components = (Option<&'static ConstantForce>, Option<&'static ConstantTorque>);
    type Has = Or<(With<ConstantForce>, With<ConstantTorque>)>;

    fn list(discs: &Discs) -> &Vec<Self> {
        &discs.constant_forces
    }

    fn list_mut(discs: &mut Discs) -> &mut Vec<Self> {
        &mut discs.constant_forces
    }

    fn of(disc: u32, (force, torque): QueryItem<Self::Components>, values: &mut Values) -> Option<Self> {
        let force = values.usable(force).map_or(Vec2::ZERO, |force| force.0);
        let torque = values.usable(torque).map_or(0.0, |torque| torque.0);
        (force != Vec2::ZERO || torque != 0.0).then_some(Self { disc, force, torque })
    }
}
