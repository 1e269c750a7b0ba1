//! Gather, for gravity, drag, friction and speed limits of single discs.

use bevy::{ecs::query::QueryItem, prelude::*};

use super::gather::DiscProperty;
use crate::{
    collision::{
        discs::{Discs, OwnMotion},
        validation::ignored::Values,
    },
    components::{ClothFriction, GravityScale, LinearDamping, SpeedLimit},
};

impl DiscProperty for OwnMotion {
    type Components = (
        Option<&'static GravityScale>,
        Option<&'static LinearDamping>,
        Option<&'static ClothFriction>,
        Option<&'static SpeedLimit>,
    );
    type Has = Or<(With<GravityScale>, With<LinearDamping>, With<ClothFriction>, With<SpeedLimit>)>;

    fn list(discs: &Discs) -> &Vec<Self> {
        &discs.own_motion
    }

    fn list_mut(discs: &mut Discs) -> &mut Vec<Self> {
        &mut discs.own_motion
    }

    fn of(
        disc: u32,
        (gravity, drag, friction, speed_limit): QueryItem<Self::Components>,
        values: &mut Values,
    ) -> Option<Self> {
        let gravity_scale = values.usable(gravity).map_or(1.0, |scale| scale.0);
        let drag = values.usable(drag).map(|drag| drag.0);
        let friction = values.usable(friction).map(|friction| friction.0);
        let speed_limit = values.usable(speed_limit).map(|limit| limit.0);
        let differs = gravity_scale != 1.0 || drag.is_some() || friction.is_some() || speed_limit.is_some();
        differs.then_some(Self { disc, gravity_scale, drag, friction, speed_limit })
    }
}
