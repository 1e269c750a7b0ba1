//! The quantities, one file each.

mod chord;
mod collision_rate;
mod compression_factor;
mod contact_value;
mod cooling;
mod diffusion;
mod equipartition;
mod free_path;
mod height;
mod lyapunov;
mod one_disc;
mod pair_function;
mod pressure;
mod speeds;
mod tracks;
mod velocity_memory;
mod virial;
mod wall_pressure;
mod weight;

use super::measurement::Quantity;

/// All quantities, in the order in which they are listed.
pub static QUANTITIES: &[&Quantity] = &[
    &speeds::SPEEDS,
    &pressure::PRESSURE,
    &wall_pressure::WALL_PRESSURE,
    &compression_factor::COMPRESSION_FACTOR,
    &contact_value::CONTACT_VALUE,
    &pair_function::PAIR_FUNCTION,
    &collision_rate::COLLISION_RATE,
    &free_path::FREE_PATH,
    &diffusion::DIFFUSION,
    &velocity_memory::VELOCITY_MEMORY,
    &equipartition::EQUIPARTITION,
    &cooling::COOLING,
    &cooling::COOLING_BY_HITS,
    &height::HEIGHT,
    &weight::WEIGHT,
    &chord::CHORD,
    &lyapunov::LYAPUNOV,
    &lyapunov::LYAPUNOV_BY_TIME,
    &lyapunov::LYAPUNOV_BY_HITS,
];

/// The quantity of this name.
#[must_use]
pub fn quantity(name: &str) -> Option<&'static Quantity> {
    QUANTITIES.iter().copied().find(|quantity| quantity.name == name)
}
