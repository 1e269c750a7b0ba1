//! Passages between rectangles that nearly touch, such as windows with frames and title bars.

use bevy::prelude::*;

use super::outline::Side;

/// A rectangle of the table, or a passage between two of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Part {
    pub(super) rect: Rect,
    /// The rectangles with whose sides its own move, in the order of [`Side::ALL`].
    owners: [usize; 4],
}

impl Part {
    pub(super) fn owner(&self, side: Side) -> usize {
        self.owners[side as usize]
    }
}

/// The rectangles, followed by the passages between any two that face each other at a distance of at most `gap`,
/// metres.
pub(super) fn parts(rects: &[Rect], gap: Vec2) -> Vec<Part> {
    let mut parts: Vec<Part> = rects.iter().enumerate().map(|(k, &rect)| Part { rect, owners: [k; 4] }).collect();
    if !(gap.x > 0.0 || gap.y > 0.0) {
        return parts;
    }
    for (a, one) in rects.iter().enumerate() {
        for (b, other) in rects.iter().enumerate() {
            // The span over which they face each other: of two sides, the inner one.
            let inner = [
                if one.min.x >= other.min.x { a } else { b },
                if one.max.x <= other.max.x { a } else { b },
                if one.min.y >= other.min.y { a } else { b },
                if one.max.y <= other.max.y { a } else { b },
            ];
            let [left, right, bottom, top] = inner;
            let beside = other.min - one.max;
            if beside.x > 0.0 && beside.x <= gap.x {
                let rect = Rect {
                    min: Vec2::new(one.max.x, rects[bottom].min.y),
                    max: Vec2::new(other.min.x, rects[top].max.y),
                };
                parts.push(Part { rect, owners: [a, b, bottom, top] });
            }
            if beside.y > 0.0 && beside.y <= gap.y {
                let rect = Rect {
                    min: Vec2::new(rects[left].min.x, one.max.y),
                    max: Vec2::new(rects[right].max.x, other.min.y),
                };
                parts.push(Part { rect, owners: [left, right, a, b] });
            }
        }
    }
    // Removes those that do not face each other.
    parts.retain(|part| part.owners == [part.owners[0]; 4] || part.rect.min.cmplt(part.rect.max).all());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plane::Outline;

    #[test]
    fn what_is_near_enough_is_joined_where_it_faces_the_other() {
        let rects = [Rect::new(0.0, 0.0, 4.0, 3.0), Rect::new(4.1, 1.0, 8.0, 5.0), Rect::new(1.0, 3.2, 3.0, 6.0)];
        let outline = |gap: Vec2| {
            let all: Vec<Rect> = parts(&rects, gap).iter().map(|part| part.rect).collect();
            Outline::of(&all)
        };
        let loops = |gap: Vec2| outline(gap).loops().len();
        assert_eq!(loops(Vec2::ZERO), 3);
        assert_eq!(loops(vec2(0.15, 0.0)), 2);
        assert_eq!(loops(vec2(0.15, 0.25)), 1);
        assert_eq!(loops(vec2(0.05, 0.1)), 3);
        let joined = outline(vec2(0.15, 0.25));
        assert!(joined.contains(vec2(4.05, 2.0)) && !joined.contains(vec2(4.05, 0.5)), "only where both are");
        assert!(joined.contains(vec2(2.0, 3.1)) && !joined.contains(vec2(0.5, 3.1)));
        let passage = parts(&rects, vec2(0.15, 0.0))[3];
        let owners = Side::ALL.map(|side| passage.owner(side));
        assert_eq!((passage.rect, owners), (Rect::new(4.0, 1.0, 4.1, 3.0), [0, 1, 1, 0]));
        assert_eq!(parts(&[Rect::EMPTY, rects[0]], Vec2::ONE).len(), 2, "what has no area joins nothing");
    }
}
