//! A pocket in its own frame: its tips, faces, tangents and liner. Elementary geometry.
//!
//! There are two frames. The frame of a jaw, `(p, q)`, has its origin at the pocket on the nose line: at its corner, or
//! in the middle of the side. `p` is along the nose away from the pocket, and `q` outward from the nose; both jaws of a
//! pocket are the same in it. The frame of the axis, `(s, t)`, has `s` outward along the axis of the pocket and `t`
//! sideways.

use bevy::math::{
    DVec2, dvec2,
    ops::{acos, sin_cos},
};

use super::spec::PocketSpec;

/// The position of a pocket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PocketKind {
    /// In a corner of the table.
    Corner,
    /// In the middle of a long side.
    Side,
}

/// The number of straight pieces that approximate the round of a liner.
const LINER_PARTS: u32 = 24;

/// The number of straight pieces that approximate a rounded tip in drawings.
const TIP_PARTS: u32 = 8;

/// A pocket in its own frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LocalPocket {
    pub(super) kind: PocketKind,
    pub(super) jaw: LocalJaw,
    /// The distance of the centre of the liner, outward along the axis, metres. NaN if its radius is less than half the
    /// distance between the ends of the jaws.
    pub(super) liner_centre: f64,
    pub(super) spec: PocketSpec,
}

/// A jaw, `(p, q)` in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LocalJaw {
    pub(super) tip: DVec2,
    pub(super) nose_tangent: DVec2,
    pub(super) face_tangent: Option<DVec2>,
    pub(super) centre: DVec2,
    pub(super) end: DVec2,
    /// The cosine of the angle that the rounded tip covers.
    cos_round: f64,
}

impl LocalPocket {
    /// A pocket between cushions of this width, metres.
    pub(super) fn new(spec: &PocketSpec, kind: PocketKind, cushion_width: f64) -> Self {
        let half = 0.5 * spec.mouth;
        let start = match kind {
            PocketKind::Corner => half * std::f64::consts::SQRT_2,
            PocketKind::Side => half,
        };
        let jaw = LocalJaw::new(dvec2(start, 0.0), direction(spec.angle), spec.jaw_radius, cushion_width);
        let DVec2 { x: s, y: t } = kind.on_axis(jaw.end);
        let liner_centre = s + (spec.liner_radius * spec.liner_radius - t * t).sqrt();
        Self { kind, jaw, liner_centre, spec: *spec }
    }

    /// The smallest width of the pocket before the liner, metres.
    pub(super) fn throat(&self) -> f64 {
        let at_end = self.kind.on_axis(self.jaw.end).y;
        // The round of a tip is closest to the axis where it is parallel to it, if it turns that far.
        let cos_parallel = match self.kind {
            PocketKind::Corner => std::f64::consts::FRAC_1_SQRT_2,
            PocketKind::Side => 0.0,
        };
        let at_tip = self.kind.on_axis(self.jaw.centre).y - self.spec.jaw_radius;
        2.0 * if self.jaw.cos_round <= cos_parallel { at_end.min(at_tip) } else { at_end }
    }

    /// From the middle of the mouth to the hole, metres; negative if the hole reaches in front of the mouth.
    pub(super) fn shelf(&self) -> f64 {
        let mouth = self.kind.on_axis(self.jaw.tip).x;
        self.spec.depth - self.spec.radius - mouth
    }

    /// The depth of the liner behind the noses, metres.
    pub(super) fn reach(&self) -> f64 {
        let centre = match self.kind {
            PocketKind::Corner => self.liner_centre * std::f64::consts::FRAC_1_SQRT_2,
            PocketKind::Side => self.liner_centre,
        };
        centre + self.spec.liner_radius
    }

    /// The part of a side that it occupies, from the position of the pocket, metres: jaw, face and liner.
    pub(super) fn span(&self) -> f64 {
        let radius = self.spec.liner_radius;
        let liner = match self.kind {
            PocketKind::Corner => radius - self.liner_centre * std::f64::consts::FRAC_1_SQRT_2,
            PocketKind::Side => radius,
        };
        self.jaw.nose_tangent.x.max(self.jaw.end.x).max(liner)
    }

    /// The points of the liner between the ends of the jaws, `(s, t)` in metres, from positive to negative `t`.
    pub(super) fn liner(&self) -> impl Iterator<Item = DVec2> + use<> {
        let (centre, radius) = (self.liner_centre, self.spec.liner_radius);
        let half_turn = acos(((self.kind.on_axis(self.jaw.end).x - centre) / radius) as f32);
        let half = LINER_PARTS as i32 / 2;
        (1 - half..half).map(move |k| {
            let (sin, cos) = sin_cos(half_turn * -(k as f32) / half as f32);
            dvec2(centre + radius * f64::from(cos), radius * f64::from(sin))
        })
    }
}

impl PocketKind {
    /// Transforms a point from the frame of the jaw with positive `t` to the frame of the axis.
    pub(super) fn on_axis(self, DVec2 { x: p, y: q }: DVec2) -> DVec2 {
        match self {
            Self::Corner => dvec2(q - p, q + p) * std::f64::consts::FRAC_1_SQRT_2,
            Self::Side => dvec2(q, p),
        }
    }
}

impl LocalJaw {
    fn new(tip: DVec2, face: DVec2, radius: f64, cushion_width: f64) -> Self {
        let DVec2 { x: cos, y: sin } = face;
        // A circle tangent to both sides of an angle touches them at radius / tan(angle / 2) from its apex.
        let tangent = radius * (1.0 + cos) / sin;
        let nose_tangent = tip + dvec2(tangent, 0.0);
        let centre = nose_tangent + dvec2(0.0, radius);
        let face_tangent = tip + face * tangent;
        if face_tangent.y < cushion_width {
            let end = dvec2(tip.x + cushion_width * cos / sin, cushion_width);
            return Self { tip, nose_tangent, face_tangent: Some(face_tangent), centre, end, cos_round: -cos };
        }
        let below = radius - cushion_width;
        let end = dvec2(centre.x - (radius * radius - below * below).sqrt(), cushion_width);
        Self { tip, nose_tangent, face_tangent: None, centre, end, cos_round: below / radius }
    }

    /// Points of the rounded tip, from the nose to the face, for drawing; `(p, q)` in metres. The first and the last
    /// are its start and end.
    pub(super) fn round(&self) -> impl Iterator<Item = DVec2> + use<> {
        let Self { nose_tangent, centre, .. } = *self;
        let last = self.face_tangent.unwrap_or(self.end);
        let (radius, turn) = (centre.y, acos(self.cos_round as f32));
        (0..=TIP_PARTS).map(move |k| match k {
            0 => nose_tangent,
            TIP_PARTS => last,
            _ => {
                let (sin, cos) = sin_cos(turn * k as f32 / TIP_PARTS as f32);
                centre - dvec2(f64::from(sin), f64::from(cos)) * radius
            }
        })
    }
}

/// The unit vector at this angle, in degrees, from the first axis: its angle is correct to a ten-millionth, its length
/// to the last digits.
fn direction(degrees: f64) -> DVec2 {
    let (sin, cos) = sin_cos(degrees.to_radians() as f32);
    dvec2(f64::from(cos), f64::from(sin)).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn showood_corner(jaw_radius: f64) -> LocalPocket {
        let spec =
            PocketSpec { mouth: 0.118, angle: 140.3, depth: 0.0417, radius: 0.062, jaw_radius, liner_radius: 0.055 };
        LocalPocket::new(&spec, PocketKind::Corner, 0.0508)
    }

    /// pooltool's table "Showood": a mouth of 118 mm, depth 41.7 mm, radius 62 mm.
    #[test]
    fn shelf_and_tip_are_where_the_reference_says() {
        let pocket = showood_corner(0.02095);
        assert!((pocket.shelf() - 0.0387).abs() < 1e-4, "{}", pocket.shelf());
        assert!((pocket.jaw.tip.x - 0.08344).abs() < 1e-4, "{}", pocket.jaw.tip);
        // radius / tan((90° + 45° + 5.3°) / 2)
        let tangent = pocket.jaw.nose_tangent.x - pocket.jaw.tip.x;
        assert!((tangent - 0.02095 / 70.15_f64.to_radians().tan()).abs() < 1e-8, "{tangent}");
    }

    #[test]
    fn a_sharp_tip_is_where_nose_and_face_meet() {
        let LocalJaw { tip, nose_tangent, face_tangent, centre, .. } = showood_corner(0.0).jaw;
        assert_eq!([nose_tangent, face_tangent.unwrap(), centre], [tip; 3]);
    }

    /// The faces of the corner pocket of a snooker table are parallel, and its side pockets are round up to their ends.
    #[test]
    fn the_throat_is_the_narrowest_place() {
        let spec =
            PocketSpec { mouth: 0.08, angle: 135.0, depth: 0.0, radius: 0.0, jaw_radius: 0.0889, liner_radius: 0.05 };
        let pocket = LocalPocket::new(&spec, PocketKind::Corner, 0.04);
        assert!((pocket.throat() - 0.08).abs() < 1e-8, "{}", pocket.throat());
        let spec = PocketSpec { angle: 90.0, ..spec };
        let pocket = LocalPocket::new(&spec, PocketKind::Side, 0.04);
        assert_eq!(pocket.jaw.face_tangent, None);
        assert!((pocket.jaw.end.distance(pocket.jaw.centre) - 0.0889).abs() < 1e-12);
        assert!(pocket.throat() > 0.08 && pocket.throat() < 0.12, "{}", pocket.throat());
        // 45 degrees of the round come closer to the axis than the ends of faces that open out again.
        let spec = PocketSpec { angle: 120.0, ..spec };
        let pocket = LocalPocket::new(&spec, PocketKind::Corner, 0.08);
        let nearest = pocket.jaw.round().map(|point| PocketKind::Corner.on_axis(point).y).fold(f64::INFINITY, f64::min);
        assert!((2.0 * nearest - pocket.throat()).abs() < 1e-3, "{nearest} {}", pocket.throat());
    }
}
