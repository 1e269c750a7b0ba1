//! Impulse: two discs in contact that approach each other get new speeds along the line of centres (one-dimensional
//! restitution). What is across that line stays as it is: discs are smooth.

use crate::collision::{
    bridge::report::{Collider, Hit},
    response::{restitution_of, speed_changes},
    space::Space,
};

/// Resolves every contact whose discs approach, in the order in which `PushApart` recorded them.
pub fn impulse(space: &mut Space) {
    let Space { discs, contacts, hits, settings, collisions, resting, now, .. } = space;
    // Slower than this is at rest, and `Settle`'s to resolve.
    let slowest = if resting.acts { settings.resting_speed } else { 0.0 };
    for contact in contacts.iter() {
        let (i, j) = (contact.a as usize, contact.b as usize);
        let n = contact.normal;
        let (speed_a, speed_b) = (discs.velocity[i].dot(n), discs.velocity[j].dot(n));
        let approach = speed_a - speed_b;
        if approach <= slowest {
            continue;
        }
        let carried = (discs.restitution[i], discs.restitution[j], settings.restitution);
        let e = restitution_of(approach, carried, settings.resting_speed);
        let (mass_a, mass_b) = (discs.mass[i], discs.mass[j]);
        let (change_a, change_b) = speed_changes(mass_a, mass_b, approach, e);
        discs.velocity[i] += n * change_a;
        discs.velocity[j] += n * change_b;
        if resting.acts {
            resting.wake(i);
            resting.wake(j);
        }
        let hit = Hit {
            disc: contact.a,
            collider: Collider::Disc(contact.b),
            point: discs.position[i] + n * discs.radius[i],
            normal: n,
            approach_speed: approach,
            impulse: mass_b * change_b,
            time: *now,
        };
        hit.record(settings, collisions, hits);
    }
}
