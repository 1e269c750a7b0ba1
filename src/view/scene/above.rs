//! Balls above the cloth, seen from above: they look larger, cover what is below them, and their shadows are farther
//! away and softer.
//!
//! The view is that of an eye straight above every ball. Its distance, [`EYE`], is closer than a person's, so that a
//! jump of a few centimetres is visible. The shadow is that of a lamp far away: its offset grows in proportion to the
//! height. `discs.wgsl` draws it.

use super::instance::Instance;

/// The distance of the eye from the centre of a ball on the cloth, in radii. `discs.wgsl` has the same number.
const EYE: f32 = 16.0;

/// The largest height that is drawn, in radii: sixteen bits hold it with eight binary places.
const HIGHEST: f32 = 255.0;

/// How far a ball's shadow moves away per height of the ball. `discs.wgsl` has the same numbers.
#[cfg(feature = "input")]
pub(crate) const SHADOW: bevy::math::Vec2 = bevy::math::Vec2::new(0.4, -0.65);

/// How many times larger a ball looks at a height of its lowest point, in radii.
fn scale(above: f32) -> f32 {
    1.0 + above / EYE
}

/// Draws a disc at a height, metres: larger, and a ball with its shadow away from it. `radius` is that of the disc,
/// metres.
pub(super) fn raise(instance: &mut [Instance], height: f32, radius: f32) {
    let above = height / radius;
    // Excludes NaN.
    if !(above > 0.0) {
        return;
    }
    let above = above.min(HIGHEST);
    let [disc, rest @ ..] = instance else { return };
    disc[2] = (f32::from_bits(disc[2]) * scale(above)).to_bits();
    if let [ball] = rest {
        ball[3] |= ((above * 256.0) as u32) << 8;
    }
}

/// Moves the discs with these indices to the end of the list, lowest first, so that they cover what is below them.
/// `halves` is the number of instances per disc, and each disc comes with its height, metres.
pub(super) fn put_above(instances: &mut Vec<Instance>, halves: usize, mut raised: Vec<(f32, usize)>) {
    if raised.is_empty() {
        return;
    }
    raised.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let on_top: Vec<Instance> =
        raised.iter().flat_map(|&(_, disc)| &instances[disc * halves..(disc + 1) * halves]).copied().collect();
    let mut discs: Vec<usize> = raised.into_iter().map(|(_, disc)| disc).collect();
    discs.sort_unstable();
    let mut k = 0;
    instances.retain(|_| {
        k += 1;
        discs.binary_search(&((k - 1) / halves)).is_err()
    });
    instances.extend(on_top);
}

#[cfg(test)]
mod tests {
    use super::*;

    const RADIUS: f32 = 0.028575;

    fn ball(radius: f32, depth: u32) -> [Instance; 2] {
        [[0, 0, radius.to_bits(), 7], [1, 2, 3, depth]]
    }

    #[test]
    fn a_higher_ball_is_larger_and_its_height_reaches_the_shader_in_radii() {
        let shown = |height: f32| {
            let mut instances = ball(10.0, 0);
            raise(&mut instances, height, RADIUS);
            (f32::from_bits(instances[0][2]), instances[1][3] >> 8, instances[1][3] & 255)
        };
        assert_eq!(shown(0.0), (10.0, 0, 0));
        let (size, height, depth) = shown(2.0 * RADIUS);
        assert!((size - 11.25).abs() < 1e-5 && height == 512 && depth == 0, "{size} {height}");
        let sizes = [0.0, 1e-4, 0.01, 0.1, 1.0].map(|height| shown(height).0);
        assert!(sizes.windows(2).all(|pair| pair[0] < pair[1]), "{sizes:?}");
        assert_eq!(shown(f32::MAX).1, 255 * 256);
        for nothing in [f32::NAN, -1.0] {
            assert_eq!(shown(nothing), (10.0, 0, 0));
        }
    }

    #[test]
    fn a_plain_disc_has_no_second_half() {
        let mut disc = [[0, 0, 4.0_f32.to_bits(), 7]];
        raise(&mut disc, 16.0 * RADIUS, RADIUS);
        assert_eq!(f32::from_bits(disc[0][2]), 8.0);
    }

    #[test]
    fn higher_balls_come_later_and_the_others_keep_their_order() {
        for halves in [1_usize, 2] {
            let mut list: Vec<Instance> = (0..6 * halves as u32).map(|k| [k / halves as u32, k, 0, 0]).collect();
            put_above(&mut list, halves, vec![(0.3, 1), (0.1, 4), (0.2, 0)]);
            let order: Vec<u32> = list.iter().step_by(halves).map(|it| it[0]).collect();
            assert_eq!(order, [2, 3, 5, 4, 0, 1], "{halves}");
            assert!(list.chunks(halves).all(|ball| ball.iter().all(|half| half[0] == ball[0][0])));
        }
    }
}
