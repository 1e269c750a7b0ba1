//! Terrain with a mass: its mass, moment of inertia, centre of mass, and locked axes.
//!
//! A piece of [`Terrain`] with a [`Mass`] is a dynamic block: discs, walls and other blocks push and turn it.
//! Properties that you leave out follow from its shape.

use bevy::{math::DVec2, prelude::*};
use serde::{Deserialize, Serialize};

use super::{
    ClothFriction, ConstantForce, ConstantTorque, GravityScale, LinearDamping, Mass, Terrain,
    description::{Described, Description, EntityKind, EntityKinds},
    invalid::InvalidValue,
};
use crate::notice::mark;

const ON_BLOCKS: EntityKinds = EntityKinds::of(&[EntityKind::DynamicTerrain]);

/// The moment of inertia of a piece of [`Terrain`] with a [`Mass`], about its centre of mass, in kg m², above zero.
/// Optional: by default it follows from shape and mass, see [`MassProperties::of`].
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[type_path = "carom::components"]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(transparent)]
pub struct MomentOfInertia(pub f32);

impl Described for MomentOfInertia {
    const DESCRIPTION: Description = Description::new(mark("inertia"))
        .in_field("moment_of_inertia")
        .offered(
            mark("Inertia"),
            mark("Moment of inertia of a block, kg m². Without it, shape and mass determine the inertia."),
            " kg m²",
        )
        .on(ON_BLOCKS, "it works only on terrain with a Mass; add one")
        .rejecting(ON_BLOCKS);

    fn first(entity: EntityRef, is_terrain: bool) -> Option<Self> {
        let per_mass = entity.get().map_or(1.0, |shape| MassProperties::of(shape).inertia_per_mass);
        let mass = entity.get::<Mass>().map_or(1.0, |mass| mass.0);
        is_terrain.then_some(Self(mass * per_mass as f32))
    }

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check_positive("", self.0, "kg m²")
    }
}

/// The locked axes of a piece of [`Terrain`] with a [`Mass`]. Optional; the default locks nothing.
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::prelude::*;
/// fn spawn(mut commands: Commands) {
///     // A spinner: a bar of 2 kg that turns freely about its middle.
///     commands.spawn((Terrain::Block { half_size: vec2(1.0, 0.1) }, Mass(2.0), LockedAxes::TRANSLATION));
/// }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[type_path = "carom::components"]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct LockedAxes {
    /// Whether it is pinned at its [`Position`](super::Position) and only turns about that point, as a spinner or a
    /// see-saw does. With its centre of mass elsewhere it is a pendulum. Default: no.
    pub translation: bool,
    /// Whether it cannot turn. Default: no.
    pub rotation: bool,
}

impl Described for LockedAxes {
    const DESCRIPTION: Description = Description::new(mark("locked axes"))
        .in_field("locked_axes")
        .offered(
            mark("Locked axes"),
            mark("Locks a block. Pinned: it only turns, like a spinner. Or it never turns."),
            "",
        )
        .on(ON_BLOCKS, "they lock only terrain with a Mass; add one, or make a disc Kinematic");

    fn first(_: EntityRef, is_terrain: bool) -> Option<Self> {
        is_terrain.then_some(Self::TRANSLATION)
    }
}

impl LockedAxes {
    /// Pinned at its position, and free to turn about it.
    pub const TRANSLATION: Self = Self { translation: true, rotation: false };
    /// Free to move, without turning.
    pub const ROTATION: Self = Self { translation: false, rotation: true };
}

/// The distribution of the mass of a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// Its centre of mass, in the frame of the shape, metres.
    pub centre: DVec2,
    /// Its moment of inertia about that centre per kilogram, m²: the square of its radius of gyration.
    pub inertia_per_mass: f64,
}

impl MassProperties {
    /// The properties of a shape with uniform density. The mass is spread over the area of a
    /// [`Circle`](Terrain::Circle), a [`Block`](Terrain::Block) and a [`Polygon`](Terrain::Polygon), and along the
    /// walls of any other shape. Per kilogram, about the centre of mass:
    ///
    /// | shape | moment of inertia |
    /// |---|---|
    /// | circle of radius `r` | `r² / 2` |
    /// | block of half size `(a, b)` | `(a² + b²) / 3` |
    /// | segment of length `l` | `l² / 12` |
    /// | polygon of corners `p` | `Σ c (pᵢ·pᵢ + pᵢ·pⱼ + pⱼ·pⱼ) / (6 Σ c)`, `c = pᵢ × pⱼ`, `j = i + 1`, about the origin of `p`; less the square of the centre's distance from there |
    /// | chain of walls | `Σ l (l² / 12 + d²) / Σ l`, where the middle of a wall is `d` from the centre |
    ///
    /// The formula of the polygon follows from the second moments of area by Green's theorem, as in C. Steger, "On the
    /// calculation of arbitrary moments of polygons" (1996).
    #[must_use]
    pub fn of(terrain: &Terrain) -> Self {
        match terrain {
            Terrain::Circle { radius } => {
                Self { centre: DVec2::ZERO, inertia_per_mass: f64::from(*radius) * f64::from(*radius) / 2.0 }
            }
            Terrain::Block { half_size } => {
                Self { centre: DVec2::ZERO, inertia_per_mass: half_size.as_dvec2().length_squared() / 3.0 }
            }
            Terrain::Polygon { points } => of_area(points).unwrap_or_else(|| of_walls(points, true)),
            Terrain::Segment { .. } | Terrain::Polyline { .. } | Terrain::Arena { .. } | Terrain::Arc { .. } => {
                let (points, closed) = terrain.outline();
                of_walls(&points, closed)
            }
        }
    }
}

/// The point that a block turns about, and its inertia.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bearings {
    /// The point that it turns about, in the frame of the shape, metres: its centre of mass, or the pin.
    pub(crate) centre: DVec2,
    /// The vector from there to its centre of mass, metres; zero unless it is pinned elsewhere.
    pub(crate) lever: DVec2,
    /// The square of its radius of gyration about that point, m²; zero if it does not turn.
    pub(crate) gyration: f64,
    /// Whether it is pinned in place.
    pub(crate) is_pinned: bool,
}

impl Bearings {
    /// The bearings of a shape. `own` is the square of its radius of gyration about its centre of mass (m²), if that
    /// does not follow from the shape.
    pub(crate) fn of(terrain: &Terrain, own: Option<f64>, locked: Option<&LockedAxes>) -> Self {
        let LockedAxes { translation: is_pinned, rotation } = locked.copied().unwrap_or_default();
        let MassProperties { centre, inertia_per_mass } = MassProperties::of(terrain);
        let (centre, lever) = if is_pinned { (DVec2::ZERO, centre) } else { (centre, DVec2::ZERO) };
        let gyration = own.unwrap_or(inertia_per_mass) + lever.length_squared();
        Self { centre, lever, gyration: if !rotation && gyration > 0.0 { gyration } else { 0.0 }, is_pinned }
    }
}

/// Pairs of consecutive corners, relative to the first, so that a shape far from its origin loses no digits.
fn sides(points: &[Vec2], closed: bool) -> impl Iterator<Item = [DVec2; 2]> + '_ {
    let first = points.first().copied().unwrap_or_default().as_dvec2();
    let count = if closed { points.len() } else { points.len().saturating_sub(1) };
    (0..count).map(move |k| [k, (k + 1) % points.len()].map(|k| points[k].as_dvec2() - first))
}

/// None for a polygon without an area.
fn of_area(points: &[Vec2]) -> Option<MassProperties> {
    let (mut doubled, mut first, mut second, mut size) = (0.0, DVec2::ZERO, 0.0, 0.0_f64);
    for [a, b] in sides(points, true) {
        let cross = a.perp_dot(b);
        doubled += cross;
        first += (a + b) * cross;
        second += cross * (a.length_squared() + a.dot(b) + b.length_squared());
        size = size.max(a.length_squared());
    }
    let centre = first / (3.0 * doubled);
    let inertia_per_mass = second / (6.0 * doubled) - centre.length_squared();
    let has_area = doubled.abs() > 1e-9 * size && inertia_per_mass > 0.0;
    has_area.then(|| MassProperties { centre: centre + points[0].as_dvec2(), inertia_per_mass })
}

fn of_walls(points: &[Vec2], closed: bool) -> MassProperties {
    let first = points.first().copied().unwrap_or_default().as_dvec2();
    let (mut total, mut moment) = (0.0, DVec2::ZERO);
    for [a, b] in sides(points, closed) {
        let length = (b - a).length_squared().sqrt();
        total += length;
        moment += (a + b) * (0.5 * length);
    }
    if !(total > 0.0) {
        return MassProperties { centre: first, inertia_per_mass: 0.0 };
    }
    let centre = moment / total;
    let inertia: f64 = sides(points, closed)
        .map(|[a, b]| {
            let squared = (b - a).length_squared();
            squared.sqrt() * (squared / 12.0 + ((a + b) * 0.5 - centre).length_squared())
        })
        .sum();
    MassProperties { centre: centre + first, inertia_per_mass: inertia / total }
}

/// The components of a block besides those of any terrain.
pub(crate) type BlockComponents<'a> = (Option<&'a Mass>, Option<&'a MomentOfInertia>, Option<&'a LockedAxes>);

/// The components that change how a single block moves.
pub(crate) type BlockMotionComponents<'a> = (
    Option<&'a GravityScale>,
    Option<&'a LinearDamping>,
    Option<&'a ClothFriction>,
    Option<&'a ConstantForce>,
    Option<&'a ConstantTorque>,
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_polygon_is_the_block_that_it_looks_like_wherever_its_origin_is() {
        let (half, at) = (Vec2::new(2.0, 0.5), Vec2::new(100.0, -30.0));
        let block = MassProperties::of(&Terrain::Block { half_size: half });
        assert!((block.inertia_per_mass - (4.0 + 0.25) / 3.0).abs() < 1e-12);
        let mut points: Vec<Vec2> = Terrain::Block { half_size: half }.outline().0;
        for point in &mut points {
            *point += at;
        }
        for _ in 0..2 {
            let polygon = MassProperties::of(&Terrain::Polygon { points: points.clone() });
            assert!(polygon.centre.distance(at.as_dvec2()) < 1e-9, "{polygon:?}");
            assert!((polygon.inertia_per_mass - block.inertia_per_mass).abs() < 1e-9, "{polygon:?}");
            points.reverse();
        }
    }

    #[test]
    fn thin_shapes_have_their_mass_along_their_walls() {
        let rod = MassProperties::of(&Terrain::Segment { a: Vec2::X, b: Vec2::new(4.0, 0.0) });
        assert!(rod.centre.distance(DVec2::new(2.5, 0.0)) < 1e-12 && (rod.inertia_per_mass - 0.75).abs() < 1e-12);
        // Four walls of a square of side 2: each 4/12 + 1.
        let arena = MassProperties::of(&Terrain::Arena { half_size: Vec2::ONE });
        assert!(arena.centre.length() < 1e-12 && (arena.inertia_per_mass - 4.0 / 3.0).abs() < 1e-12);
        // A triangle with an area: legs 3 and 6 from the origin.
        let points = vec![Vec2::ZERO, Vec2::new(3.0, 0.0), Vec2::new(0.0, 6.0)];
        let triangle = MassProperties::of(&Terrain::Polygon { points });
        assert!(triangle.centre.distance(DVec2::new(1.0, 2.0)) < 1e-12);
        assert!((triangle.inertia_per_mass - (9.0 + 36.0) / 18.0).abs() < 1e-12, "(a² + b²) / 18");
        let flat = MassProperties::of(&Terrain::Polygon { points: vec![Vec2::ZERO, Vec2::X, Vec2::X * 2.0] });
        assert!(flat.inertia_per_mass.is_finite() && flat.inertia_per_mass > 0.0, "{flat:?}");
    }
}
