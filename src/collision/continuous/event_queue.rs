//! The event queue for many discs: predicted impacts, by time. The tick is divided into slots. Only the impacts of the
//! current slot are sorted, in a small heap; those of later slots are kept in lists until their turn.

use core::cmp::Ordering;
use std::collections::BinaryHeap;

use super::{
    particles::{Impact, Partner},
    tick_state::TickState,
};

/// A predicted event, valid only while no disc that takes part has been touched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    pub(super) impact: Impact,
    pub(super) stamps: [u32; 2],
}

impl Event {
    /// Whether no disc and no block that takes part has been touched since the prediction.
    #[inline(always)]
    pub(super) fn comes_true(&self, state: &TickState) -> bool {
        let Impact { disc, partner, .. } = self.impact;
        self.stamps[0] == state.particles[disc as usize].stamp
            && partner.disc().is_none_or(|j| self.stamps[1] == state.particles[j as usize].stamp)
            && partner.moving().is_none_or(|part| self.stamps[1] == state.moving.stamp(part))
    }

    /// Times are not negative, so their bits have the same order.
    fn order(&self) -> (u64, u32, Partner) {
        (self.impact.time.to_bits(), self.impact.disc, self.impact.partner)
    }
}

// The earliest event is the greatest, because a heap returns the greatest first.
impl Ord for Event {
    fn cmp(&self, other: &Self) -> Ordering {
        other.order().cmp(&self.order())
    }
}

impl PartialOrd for Event {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Event {
    fn eq(&self, other: &Self) -> bool {
        self.order() == other.order()
    }
}

impl Eq for Event {}

const NONE: u32 = u32::MAX;

#[derive(Clone, Debug, Default)]
pub(super) struct EventQueue {
    /// For each slot the last event in it, as an index into `waiting`.
    slots: Vec<u32>,
    /// Events of later slots, each with the previous event in its slot.
    waiting: Vec<(Event, u32)>,
    current: BinaryHeap<Event>,
    slot: usize,
    slots_per_second: f64,
    start: f64,
    now: f64,
}

impl EventQueue {
    /// Restarts for a span of time (seconds) with about `count` impacts.
    pub(super) fn begin(&mut self, [start, end]: [f64; 2], count: usize) {
        let slots = count.clamp(16, 1 << 16);
        self.slots.clear();
        self.slots.resize(slots, NONE);
        self.waiting.clear();
        self.current.clear();
        self.slot = 0;
        self.slots_per_second = slots as f64 / (end - start);
        (self.start, self.now) = (start, start);
    }

    #[inline(always)]
    pub(super) fn push(&mut self, event: Event) {
        let slot = (((event.impact.time - self.start) * self.slots_per_second) as usize).min(self.slots.len() - 1);
        if slot <= self.slot {
            self.current.push(event);
        } else {
            let before = std::mem::replace(&mut self.slots[slot], self.waiting.len() as u32);
            self.waiting.push((event, before));
        }
    }

    /// The time of the last returned event.
    pub(super) fn now(&self) -> f64 {
        self.now
    }

    #[inline(always)]
    pub(super) fn pop(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.current.pop() {
                self.now = event.impact.time;
                return Some(event);
            }
            if self.slot + 1 >= self.slots.len() {
                return None;
            }
            self.slot += 1;
            let mut at = std::mem::replace(&mut self.slots[self.slot], NONE);
            while at != NONE {
                let (event, before) = self.waiting[at as usize];
                self.current.push(event);
                at = before;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_gives_back_by_time_then_disc_then_partner() {
        let mut queue = EventQueue::default();
        queue.begin([0.0, 1.0], 100);
        let at = |time, disc, partner| Event {
            impact: Impact { time, disc, partner: Partner::of_disc(partner) },
            stamps: [0; 2],
        };
        let mut all = Vec::new();
        for k in 0..500_u32 {
            let time = f64::from(k * 7919 % 97) / 96.0;
            all.push(at(time, k * 31 % 5, k % 3));
        }
        for &event in &all[..400] {
            queue.push(event);
        }
        let mut given = vec![queue.pop().unwrap()];
        for event in &mut all[400..] {
            // As in a tick, predictions are in the future.
            event.impact.time = event.impact.time.max(given[0].impact.time);
            queue.push(*event);
        }
        given.extend(std::iter::from_fn(|| queue.pop()));
        assert_eq!(given.len(), 500);
        assert!(given.is_sorted_by_key(Event::order));
    }
}
