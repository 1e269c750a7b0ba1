//! Friction of discs that rest on terrain in a group: for each disc by its own weight, at the start of the tick, before
//! the contacts are solved. A single resting disc has friction in its bounces.

use crate::collision::{continuous::tick_state::TickState, hit::answers::rubbed};

impl TickState<'_> {
    /// Applies the friction of terrain for a tick to the discs of pairs that rest on it.
    pub(super) fn rub_groups(&mut self, neighbours: &[[u32; 2]]) {
        if !self.laws.answers.may_rub() {
            return;
        }
        let mut last = None;
        for &[disc, _] in neighbours {
            if last.replace(disc) != Some(disc) {
                self.rub_on_ground(disc as usize);
            }
        }
    }

    fn rub_on_ground(&mut self, i: usize) {
        let particle = self.particles[i];
        let gravity = self.gravity_of(i);
        let mut pieces = self.nearby_terrain(i);
        self.for_each_moving_nearby(i, |part| pieces.push(part));
        pieces.sort_unstable();
        let most = self.touching_gap(i, particle.radius);
        for piece in pieces {
            if self.gap(i, piece).is_none_or(|gap| gap > most) {
                continue;
            }
            let Some(surface) = self.surface(i, piece) else { continue };
            let velocity = self.true_velocity(i, 0.0);
            let answer = self.answer_at(i, &surface, velocity, None);
            let n = surface.away / surface.away.length_squared().sqrt();
            let pressed = f64::from(answer.friction) * (-gravity.dot(n)).max(0.0) * self.end;
            if pressed > 0.0 {
                // The speed that gravity adds along the surface until the middle of the tick is removed too, so that
                // held discs do not creep.
                let relative = velocity + gravity * (0.5 * self.end) - surface.velocity - answer.carries(surface.away);
                self.particles[i].velocity += rubbed(relative, n, pressed);
            }
        }
    }
}
