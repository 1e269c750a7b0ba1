//! Impulse: two approaching discs in contact get new speeds along the line of centres (one-dimensional restitution).
//! The component across that line does not change, as discs are smooth, unless they spin on a table.

use bevy::prelude::*;

use crate::collision::{
    discs::Discs,
    hit::{
        Contact, Hit, HitTarget, VelocityChange,
        on_table::{TableDisc, hit_pair},
        response::speed_changes,
        rub_pair,
    },
    resting::state::Resting,
    spin::TablePhysics,
    tick::{Laws, Report},
};

/// Resolves every contact whose discs approach, in the order in which `PushApart` recorded them.
pub(crate) fn impulse(
    discs: &mut Discs,
    contacts: &[Contact],
    resting: &mut Resting,
    laws: &Laws,
    now: f32,
    report: &mut Report,
) {
    let Laws { settings, table, answers, .. } = laws;
    // Slower contacts are at rest, and `Settle` resolves them.
    let slowest = if resting.acts { settings.resting_speed } else { 0.0 };
    for contact in contacts {
        let (i, j) = (contact.a as usize, contact.b as usize);
        let n = contact.normal;
        let (speed_a, speed_b) = (discs.velocity[i].dot(n), discs.velocity[j].dot(n));
        let approach = speed_a - speed_b;
        if approach <= slowest {
            continue;
        }
        let before = [discs.velocity[i], discs.velocity[j]];
        let relative_velocity = before[0] - before[1];
        let answer = answers.of_discs(settings, [i, j].map(|i| discs.side(i)), || discs.encounter([i, j], n));
        let e = answer.restitution_at(f64::from(approach), settings.resting_speed) as f32;
        let spins = discs.spin_of(i).is_some() || discs.spin_of(j).is_some();
        let impulse = if let Some(table) = table.as_ref().filter(|_| spins) {
            rub(discs, [i, j], n, e, table)
        } else {
            let (mass_a, mass_b) = (discs.mass[i], discs.mass[j]);
            let (change_a, change_b) = speed_changes(mass_a, mass_b, approach, e);
            discs.velocity[i] += n * change_a;
            discs.velocity[j] += n * change_b;
            if answer.friction > 0.0 {
                let relative = (discs.velocity[i] - discs.velocity[j]).as_dvec2();
                let lightness = [mass_a, mass_b].map(|mass| 1.0 / f64::from(mass));
                let most = f64::from(answer.friction * mass_b * change_b);
                let rubs = rub_pair(relative, n.as_dvec2(), most, lightness);
                discs.velocity[i] += (rubs / f64::from(mass_a)).as_vec2();
                discs.velocity[j] -= (rubs / f64::from(mass_b)).as_vec2();
            }
            mass_b * change_b
        };
        if resting.acts {
            resting.wake(i);
            resting.wake(j);
        }
        let [velocity, other_velocity] =
            [(before[0], i), (before[1], j)].map(|(before, i)| VelocityChange { before, after: discs.velocity[i] });
        let hit = Hit {
            disc: contact.a,
            target: HitTarget::Disc(contact.b),
            point: discs.position[i] + n * discs.radius[i],
            normal: n,
            approach_speed: approach,
            relative_velocity,
            impulse,
            time: now,
            velocity,
            other_velocity: Some(other_velocity),
        };
        report.record(hit, settings);
    }
}

/// The hit of two discs on a table, with friction if both spin; returns the impulse along the normal, N s.
fn rub(discs: &mut Discs, pair: [usize; 2], normal: Vec2, e: f32, table: &TablePhysics) -> f32 {
    let sides = pair.map(|i| TableDisc::of(discs, i));
    let Some(hit) = hit_pair(sides, normal.as_dvec2(), table, |_| f64::from(e)) else { return 0.0 };
    for (i, motion) in pair.into_iter().zip(hit.after) {
        discs.set_motion(i, &motion);
    }
    hit.impulse as f32
}
