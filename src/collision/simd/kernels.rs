//! Kernels: small loops that several steps share, and a radix sort.

use bevy::math::Vec2;

/// The number of values that kernels process at once: the width of AVX-512 in `f32`.
pub const WIDE: usize = 16;

/// The coordinates of sixteen points, x and y in turn: first eight points, then the other eight.
#[inline(always)]
pub fn halves(points: &[Vec2; WIDE]) -> [[f32; WIDE]; 2] {
    pulp::cast(*points)
}

/// Sets bit `k` if bit `2 k` or bit `2 k + 1` is set.
#[inline(always)]
pub fn any_of_two(bits: u32) -> u32 {
    let mut bits = (bits | bits >> 1) & 0x5555_5555;
    bits = (bits | bits >> 1) & 0x3333_3333;
    bits = (bits | bits >> 2) & 0x0f0f_0f0f;
    bits = (bits | bits >> 4) & 0x00ff_00ff;
    (bits | bits >> 8) & 0xffff
}

/// Calls `visit` with the number of every set bit, in order.
#[inline(always)]
pub fn each_bit(mut bits: u32, mut visit: impl FnMut(u32)) {
    while bits != 0 {
        visit(bits.trailing_zeros());
        bits &= bits - 1;
    }
}

/// Up to sixteen values, padded with the first.
#[inline(always)]
pub fn filled<T: Copy>(values: &[T]) -> [T; WIDE] {
    if let Some(all) = values.first_chunk() {
        return *all;
    }
    let mut all = [values[0]; WIDE];
    all[..values.len()].copy_from_slice(values);
    all
}

/// Sorts nearly sorted entries and returns whether they are sorted now: after `steps` moves it gives up, and leaves
/// them in some other order.
pub fn insertion_sort<T: Copy + Ord>(entries: &mut [T], mut steps: usize) -> bool {
    for next in 1..entries.len() {
        let entry = entries[next];
        let mut at = next;
        while at > 0 && entry < entries[at - 1] {
            entries[at] = entries[at - 1];
            at -= 1;
        }
        entries[at] = entry;
        let Some(left) = steps.checked_sub(next - at) else { return false };
        steps = left;
    }
    true
}

/// Sorts by the lowest `bits` of the keys; equal keys keep their order. A radix sort, whose time depends only on the
/// number of entries; `spare` is scratch memory.
pub fn radix_sort<T: Copy + Default>(entries: &mut Vec<(u32, T)>, spare: &mut Vec<(u32, T)>, bits: u32) {
    /// The number of values of a digit: a histogram of 8 kB, which stays in the first-level cache.
    const MAX_DIGITS: usize = 1 << 11;
    let digit = if entries.len() > 4096 { 11 } else { 7 };
    let digits = 1 << digit;
    spare.resize(entries.len(), (0, T::default()));
    for pass in 0..bits.div_ceil(digit) {
        let place = |key: u32| (key >> (digit * pass)) as usize & (digits - 1);
        let mut starts = [0_u32; MAX_DIGITS];
        for &(key, _) in &*entries {
            starts[place(key)] += 1;
        }
        let mut next = 0;
        for start in &mut starts[..digits] {
            (*start, next) = (next, next + *start);
        }
        for &entry in &*entries {
            let start = &mut starts[place(entry.0)];
            spare[*start as usize] = entry;
            *start += 1;
        }
        std::mem::swap(entries, spare);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_insertion_sort_sorts_or_says_that_it_did_not() {
        let nearly: Vec<u32> = (0..1000).map(|k| k ^ 3).collect();
        let mut entries = nearly.clone();
        assert!(insertion_sort(&mut entries, 4000));
        assert!(entries.is_sorted());
        let mut entries = nearly.clone();
        assert!(!insertion_sort(&mut entries, 100));
        entries.sort_unstable();
        assert_eq!(entries, (0..1000).collect::<Vec<_>>(), "none is lost");
        assert!(insertion_sort::<u32>(&mut [], 0));
    }

    #[test]
    fn bits_are_taken_together_by_twos() {
        for k in 0..32 {
            assert_eq!(any_of_two(1 << k), 1 << (k / 2));
        }
        assert_eq!([any_of_two(!0), any_of_two(0)], [0xffff, 0]);
    }

    #[test]
    fn a_radix_sort_is_a_stable_sort() {
        for count in [0_u32, 1, 2, 100, 5000, 70_000] {
            let keys = (0..count).map(|k| (k.wrapping_mul(2_654_435_761) >> 5) % 9000 * 477_218);
            let mut entries: Vec<(u32, u32)> = keys.zip(0..).collect();
            let mut expected = entries.clone();
            expected.sort_by_key(|entry| entry.0);
            radix_sort(&mut entries, &mut Vec::new(), 32);
            assert_eq!(entries, expected);
        }
    }
}
