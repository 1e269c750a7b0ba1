//! Small loops that several steps share.

use bevy::math::Vec2;

/// So many discs are looked at side by side.
pub(super) const WIDE: usize = 16;

/// The squared distances between points, side by side.
#[inline(always)]
pub(super) fn distances_squared(from: &[Vec2; WIDE], to: &[Vec2; WIDE]) -> [f32; WIDE] {
    // Coordinates lie by twos; in these steps each becomes an instruction.
    let from: &[f32; 2 * WIDE] = pulp::bytemuck::cast_ref(from);
    let to: &[f32; 2 * WIDE] = pulp::bytemuck::cast_ref(to);
    let mut way = [0.0; 2 * WIDE];
    for k in 0..2 * WIDE {
        let along = to[k] - from[k];
        way[k] = along * along;
    }
    let mut squared = [0.0; WIDE];
    for k in 0..WIDE {
        squared[k] = way[2 * k] + way[2 * k + 1];
    }
    squared
}

/// Which values are less than zero or no number, as bits. That there are none is found out first.
#[inline(always)]
pub(super) fn negative(values: &[f32; WIDE]) -> u32 {
    let mut any = 0;
    for k in 0..WIDE {
        any |= u32::from(!(values[k] >= 0.0));
    }
    if any == 0 {
        return 0;
    }
    let mut bits = 0;
    for k in 0..WIDE {
        bits |= u32::from(!(values[k] >= 0.0)) << k;
    }
    bits
}

/// Calls `visit` with the number of every bit that is set, in order.
#[inline(always)]
pub(super) fn each_bit(mut bits: u32, mut visit: impl FnMut(u32)) {
    while bits != 0 {
        visit(bits.trailing_zeros());
        bits &= bits - 1;
    }
}

/// Up to sixteen values, filled up with the first.
#[inline(always)]
pub(super) fn filled<T: Copy>(values: &[T]) -> [T; WIDE] {
    match values.first_chunk() {
        Some(all) => *all,
        None => std::array::from_fn(|k| *values.get(k).unwrap_or(&values[0])),
    }
}

/// Sorts by the lowest `bits` of the keys; equals keep their order. A radix sort, which takes its time by the number of entries
/// alone; `spare` is memory that it may use.
pub(super) fn radix_sort<T: Copy + Default>(entries: &mut Vec<(u32, T)>, spare: &mut Vec<(u32, T)>, bits: u32) {
    const MOST_DIGITS: usize = 1 << 11;
    let digit = if entries.len() > 4096 { 11 } else { 7 };
    let digits = 1 << digit;
    spare.resize(entries.len(), (0, T::default()));
    for pass in 0..bits.div_ceil(digit) {
        let place = |key: u32| (key >> (digit * pass)) as usize & (digits - 1);
        let mut starts = [0_u32; MOST_DIGITS];
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
