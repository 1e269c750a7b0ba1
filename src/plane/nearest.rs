//! The nearest place where a disc fits into a union of rectangles.
//!
//! The centres of all discs of one radius inside the union form a region. It is bounded by lines at one radius inside
//! the edges, and by arcs of one radius around the corners that reach in. The nearest point of the region is the foot
//! of a perpendicular on one of these, or an intersection of two of them.

use bevy::math::{DVec2, Rect, Vec2};

use super::outline::{Edge, Outline};

/// The tolerance for rounding when a place is tested, as a share of the largest coordinate.
const ROUNDING: f64 = 1e-12;

impl Outline {
    /// Whether a disc with this centre and radius (metres) is inside the union.
    #[must_use]
    pub fn fits(&self, centre: Vec2, radius: f32) -> bool {
        let room = |edge: &Edge| (edge.nearest(centre) - centre).length() >= radius;
        self.contains(centre) && self.edges().iter().all(room)
    }

    /// The centre nearest to a point at which a disc of this radius is inside the union; all in metres. `None` if it
    /// fits nowhere, or if a number is not finite.
    #[must_use]
    pub fn nearest_fit(&self, point: Vec2, radius: f32) -> Option<Vec2> {
        let makes_sense = point.is_finite() && radius >= 0.0 && radius.is_finite();
        if !makes_sense {
            return None;
        }
        if self.fits(point, radius) {
            return Some(point);
        }
        // A disc that fits into one of the rectangles fits, and nothing farther away matters.
        let within_one = self.rects().iter().filter_map(|rect| shrunk(*rect, radius));
        let known = within_one.map(|room| point.clamp(room.min, room.max)).min_by(|a, b| nearer(point, *a, *b));
        let bound = known.map_or(f32::INFINITY, |known| known.distance(point) * (1.0 + 1e-5));
        let reach = bound + radius;
        let near = |at: Vec2| at.distance(point) <= reach * (1.0 + 1e-5);
        let edges: Vec<Edge> = self.edges().iter().filter(|edge| near(edge.nearest(point))).copied().collect();
        let corners: Vec<DVec2> =
            self.reflex_corners().into_iter().filter(|corner| near(*corner)).map(Vec2::as_dvec2).collect();
        let (from, radius) = (point.as_dvec2(), f64::from(radius));
        let mut places = feet(from, radius, &edges, &corners);
        crossings(radius, &edges, &corners, &mut places);
        places.retain(|place| place.distance(from) <= f64::from(bound));
        places.sort_by(|a, b| {
            let key = |place: &DVec2| (place.distance_squared(from), place.x, place.y);
            key(a).partial_cmp(&key(b)).unwrap_or(core::cmp::Ordering::Equal)
        });
        let found = places.into_iter().find(|place| self.has_room(*place, radius, &edges));
        found.map(DVec2::as_vec2).or(known)
    }

    /// The new centre of a disc outside: [`Self::nearest_fit`]. For a disc that is too large it is the nearest place at
    /// which the disc sticks out of one of the rectangles the least. `None` without rectangles.
    #[must_use]
    pub fn nearest_place(&self, point: Vec2, radius: f32) -> Option<Vec2> {
        self.nearest_fit(point, radius).or_else(|| {
            let narrow = |rect: &Rect| rect.size().min_element();
            let widest = self.rects().iter().map(narrow).fold(0.0, f32::max);
            let rooms = self.rects().iter().filter(|rect| narrow(rect) == widest).map(|rect| {
                let margin = Vec2::splat(radius).min(rect.half_size());
                Rect { min: rect.min + margin, max: (rect.max - margin).max(rect.min + margin) }
            });
            rooms.map(|room| point.clamp(room.min, room.max)).min_by(|a, b| nearer(point, *a, *b))
        })
    }

    /// Whether a disc is inside the union, up to rounding; `edges` are those that it could touch.
    fn has_room(&self, centre: DVec2, radius: f64, edges: &[Edge]) -> bool {
        let rounding = ROUNDING * centre.abs().max_element().max(radius);
        let room = |edge: &Edge| {
            let [low, high] = [edge.from.min(edge.to), edge.from.max(edge.to)].map(Vec2::as_dvec2);
            centre.clamp(low, high).distance(centre) >= radius - rounding
        };
        let holds = |rect: &Rect| {
            let [min, max] = [rect.min, rect.max].map(Vec2::as_dvec2);
            centre.cmpge(min - rounding).all() && centre.cmple(max + rounding).all()
        };
        self.rects().iter().any(holds) && edges.iter().all(room)
    }
}

fn nearer(point: Vec2, a: Vec2, b: Vec2) -> core::cmp::Ordering {
    let key = |place: Vec2| (place.distance_squared(point), place.x, place.y);
    key(a).partial_cmp(&key(b)).unwrap_or(core::cmp::Ordering::Equal)
}

/// The centres of discs of this radius inside one rectangle.
fn shrunk(rect: Rect, radius: f32) -> Option<Rect> {
    let room = Rect { min: rect.min + radius, max: rect.max - radius };
    room.min.cmple(room.max).all().then_some(room)
}

/// The line at one radius inside an edge: its two ends, the one with the smaller coordinate first.
fn line(edge: &Edge, radius: f64) -> [DVec2; 2] {
    let shift = edge.side.inward().as_dvec2() * radius;
    [edge.from.min(edge.to), edge.from.max(edge.to)].map(|end| end.as_dvec2() + shift)
}

/// The nearest points of all lines and arcs.
fn feet(point: DVec2, radius: f64, edges: &[Edge], corners: &[DVec2]) -> Vec<DVec2> {
    let lines = edges.iter().map(|edge| {
        let [low, high] = line(edge, radius);
        point.clamp(low, high)
    });
    let arcs = corners.iter().map(|corner| corner + (point - corner).normalize_or_zero() * radius);
    lines.chain(arcs).collect()
}

/// The intersections of two of the lines and arcs.
fn crossings(radius: f64, edges: &[Edge], corners: &[DVec2], places: &mut Vec<DVec2>) {
    let lines: Vec<([DVec2; 2], bool)> =
        edges.iter().map(|edge| (line(edge, radius), edge.side.inward().x != 0.0)).collect();
    for (k, (one, upright)) in lines.iter().enumerate() {
        for (other, level) in &lines[..k] {
            if upright != level {
                let (upright, level) = if *upright { (one, other) } else { (other, one) };
                places.push(DVec2::new(upright[0].x, level[0].y));
            }
        }
        for corner in corners {
            // Along the line, at both ends of the chord.
            let away = if *upright { one[0].x - corner.x } else { one[0].y - corner.y };
            let half = (radius * radius - away * away).max(0.0).sqrt();
            if away.abs() <= radius {
                places
                    .extend([-half, half].map(|along| {
                        corner + if *upright { DVec2::new(away, along) } else { DVec2::new(along, away) }
                    }));
            }
        }
    }
    for (k, one) in corners.iter().enumerate() {
        for other in &corners[..k] {
            let apart = (other - one) / 2.0;
            let half = apart.length_squared();
            if half > 0.0 && half <= radius * radius {
                let aside = apart.perp() * ((radius * radius - half) / half).sqrt();
                places.extend([one + apart + aside, one + apart - aside]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::vec2;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_disc_comes_in_over_an_edge_a_corner_and_through_a_gap() {
        let room = Outline::of(&[Rect::new(0.0, 0.0, 4.0, 3.0)]);
        assert_eq!(room.nearest_fit(vec2(5.0, 1.0), 0.5), Some(vec2(3.5, 1.0)));
        assert_eq!(room.nearest_fit(vec2(9.0, 9.0), 0.5), Some(vec2(3.5, 2.5)));
        assert_eq!(room.nearest_fit(vec2(1.0, 1.0), 0.5), Some(vec2(1.0, 1.0)), "it is in");
        assert_eq!(room.nearest_fit(vec2(0.1, 1.0), 0.5), Some(vec2(0.5, 1.0)), "a part of it is out");
        assert_eq!(room.nearest_fit(vec2(1.0, 1.0), 2.0), None, "too large");
        assert_eq!(room.nearest_place(vec2(9.0, 2.0), 2.0), Some(vec2(2.0, 1.5)));
        assert_eq!(room.nearest_fit(Vec2::NAN, 0.5), None);
        assert_eq!(Outline::default().nearest_place(Vec2::ZERO, 0.5), None);
        // Around a corner that reaches in: on the arc, and not in either of the rectangles alone.
        let bent = Outline::of(&[Rect::new(0.0, 0.0, 4.0, 2.0), Rect::new(0.0, 0.0, 2.0, 4.0)]);
        let found = bent.nearest_fit(vec2(1.75, 1.75), 1.0).unwrap();
        let diagonal = 2.0 - 0.5_f32.sqrt();
        assert!(found.distance(Vec2::splat(diagonal)) < 1e-6, "{found}");
    }

    fn on_a_raster() -> impl Strategy<Value = Vec<Rect>> {
        let one = (0..7_i32, 0..7_i32, 1..5_i32, 1..5_i32);
        let place = |(x, y, w, h): (i32, i32, i32, i32)| Rect::new(x as f32, y as f32, (x + w) as f32, (y + h) as f32);
        proptest::collection::vec(one.prop_map(place), 1..7)
    }

    proptest! {
        #[test]
        fn nothing_that_fits_is_nearer(rects in on_a_raster(), x in -3.0..14.0_f32, y in -3.0..14.0_f32, radius in 0.05..1.6_f32) {
            let (outline, from) = (Outline::of(&rects), vec2(x, y));
            let found = outline.nearest_fit(from, radius);
            let best = found.map_or(f32::INFINITY, |found| found.distance(from));
            if let Some(found) = found {
                prop_assert!(outline.fits(found, radius - 1e-4), "{found} does not fit");
            }
            for k in 0..120 * 120 {
                let place = vec2((k % 120) as f32, (k / 120) as f32) / 10.0 + 0.03;
                if place.distance(from) < best - 1e-4 {
                    prop_assert!(!outline.fits(place, radius + 1e-4), "{place} is nearer than {found:?}");
                }
            }
            let place = outline.nearest_place(from, radius).unwrap();
            prop_assert!(outline.contains(place), "{place}");
        }
    }
}
