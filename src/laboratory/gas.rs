//! What a measurement knows about its gas: the discs, the box around them, and which theory holds for them.

use bevy::{math::DVec2, prelude::*};

use super::mixture::{Mixture, Species};
use crate::{
    collision::{CollisionSettings, PhysicsSpace, measure},
    notice::mark,
};

/// The box of a gas: along each axis either periodic edges or a wall at both ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Container {
    /// The lower left corner, metres.
    pub low: DVec2,
    /// Width and height, metres.
    pub size: DVec2,
    /// Whether each axis is periodic.
    pub periodic: [bool; 2],
}

impl Container {
    /// Whether two walls are nearer than a length, metres.
    fn is_narrower_than(&self, length: f64) -> bool {
        (0..2).any(|axis| !self.periodic[axis] && self.size[axis] < length)
    }

    /// The box of a space: periodic edges, and straight walls along the remaining axes. `None` if an axis has no ends,
    /// or if there is any other terrain.
    #[must_use]
    pub fn of(space: &PhysicsSpace) -> Option<Self> {
        let axes = [0, 1].map(|axis| space.cell.and_then(|cell| cell.axis(axis)));
        let periodic = axes.map(|ends| ends.is_some());
        let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for wall in space.walls() {
            for end in [wall.a, wall.b] {
                (low, high) = (low.min(end.as_dvec2()), high.max(end.as_dvec2()));
            }
        }
        for (axis, ends) in axes.into_iter().enumerate() {
            if let Some([first, size]) = ends {
                (low[axis], high[axis]) = (first, first + size);
            }
        }
        let container = Self { low, size: high - low, periodic };
        let is_box = (high - low).is_finite() && (high - low).min_element() > 0.0;
        (is_box && container.has_only_its_walls(space)).then_some(container)
    }

    /// Whether there is a wall on each side that is not periodic, and no other terrain.
    fn has_only_its_walls(&self, space: &PhysicsSpace) -> bool {
        if !space.moving.is_empty() || !space.pockets.circles().is_empty() {
            return false;
        }
        let high = self.low + self.size;
        // The length of the walls on each side, metres.
        let mut lengths = [[0.0; 2]; 2];
        for wall in space.walls() {
            let (a, b) = (wall.a.as_dvec2(), wall.b.as_dvec2());
            let side = (0..2).find_map(|axis| {
                let at = |place: DVec2| [self.low[axis], high[axis]].iter().position(|&end| end == place[axis]);
                let side = at(a).filter(|_| a[axis] == b[axis] && !self.periodic[axis])?;
                Some((axis, side))
            });
            let Some((axis, side)) = side.filter(|_| wall.curve.is_none()) else { return false };
            lengths[axis][side] += (b - a).length();
        }
        let is_closed = |axis: usize| {
            self.periodic[axis] || lengths[axis].iter().all(|&length| length >= 0.999_999 * self.size[1 - axis])
        };
        let is_corner = |place: Vec2| {
            let on_a_side = |axis: usize| {
                let at = f64::from(place[axis]);
                !self.periodic[axis] && (at == self.low[axis] || at == high[axis])
            };
            on_a_side(0) || on_a_side(1)
        };
        is_closed(0)
            && is_closed(1)
            && space.fixed_circles().iter().all(|circle| circle.radius == 0.0 && is_corner(circle.centre))
    }

    /// The area, m².
    #[must_use]
    pub fn area(&self) -> f64 {
        self.size.x * self.size.y
    }

    /// Whether both axes are periodic.
    #[must_use]
    pub fn is_torus(&self) -> bool {
        self.periodic == [true, true]
    }

    /// The length of its walls, metres.
    #[must_use]
    pub fn wall_length(&self) -> f64 {
        (0..2).filter(|&axis| !self.periodic[axis]).map(|axis| 2.0 * self.size[1 - axis]).sum()
    }

    /// `p / (P A)`: the pressure on the walls, as force per length of a wall, for a virial of 1 J. Centres keep a
    /// distance of half a diameter from the walls, so the virial theorem gives `F (L - s)` instead of `F L` for a wall
    /// at the ends of a length `L`. Without walls it is one over the area.
    #[must_use]
    pub fn pressure_per_virial(&self, diameter: f64) -> f64 {
        if self.is_torus() {
            return 1.0 / self.area();
        }
        let forces: f64 =
            (0..2).filter(|&axis| !self.periodic[axis]).map(|axis| 2.0 / (self.size[axis] - diameter)).sum();
        forces / self.wall_length()
    }
}

/// The facts about a gas that stay the same during a measurement.
#[derive(Clone, Debug)]
pub struct Gas {
    /// The number of discs.
    pub count: usize,
    /// Their mass, kilograms.
    pub mass: f64,
    /// Their mean radius, metres.
    pub mean_radius: f64,
    /// The kinds of discs; `None` if there are more than 64.
    pub mixture: Option<Mixture>,
    /// The box, if it is one.
    pub container: Option<Container>,
    /// The restitution between any two discs; `None` if they differ.
    pub restitution: Option<f64>,
    /// The acceleration of gravity, m/s².
    pub gravity: DVec2,
    /// Why the theory of a free gas of smooth discs does not apply, if it does not.
    no_theory: Option<&'static str>,
    /// The discs, by number.
    ids: Vec<u64>,
    settings: CollisionSettings,
    time_step: f32,
}

impl Gas {
    /// The gas of a space after a tick.
    #[must_use]
    pub fn of(space: &PhysicsSpace) -> Self {
        let discs = &space.discs;
        let settings = space.laws.settings.clone();
        let count = discs.len();
        let sum = |values: &[f32]| values.iter().copied().map(f64::from).sum::<f64>();
        let own = discs.restitution.first().copied().flatten();
        let is_common = discs.restitution.iter().all(|&other| other == own);
        let mixture = Mixture::of(discs);
        let container = Container::of(space);
        let mean_radius = sum(&discs.radius) / count.max(1) as f64;
        let no_theory = [
            (discs.spin.iter().any(Option::is_some), mark("some discs spin")),
            (!discs.kinematic.is_empty(), mark("some discs are kinematic")),
            (!space.joints.listed.is_empty(), mark("there are joints")),
            (!discs.filter.is_empty(), mark("some discs do not collide with all others")),
            (
                !discs.constant_forces.is_empty() || !discs.own_motion.is_empty(),
                mark("some discs have their own forces"),
            ),
            (mixture.is_none(), mark("there are more than 64 kinds of discs")),
            (container.is_none(), mark("the space is not a box of four walls or periodic edges without other terrain")),
            (
                container.is_some_and(|container| container.is_narrower_than(4.0 * mean_radius)),
                mark("the box is so narrow that discs cannot pass each other"),
            ),
            (!is_common, mark("the restitution differs between discs")),
        ];
        Self {
            count,
            mass: sum(&discs.mass),
            mean_radius,
            mixture,
            container,
            restitution: is_common.then(|| f64::from(settings.restitution_between(own, own))),
            gravity: space.laws.gravity.as_dvec2(),
            no_theory: no_theory.into_iter().find_map(|(holds, reason)| holds.then_some(reason)),
            ids: discs.id.clone(),
            settings,
            time_step: space.clock.time_step,
        }
    }

    /// Whether a space still holds this gas: the same discs, settings and length of a tick.
    pub(super) fn is_still_in(&self, space: &PhysicsSpace) -> bool {
        self.ids == space.discs.id
            && self.settings == space.laws.settings
            && self.time_step == space.clock.time_step
            && self.gravity == space.laws.gravity.as_dvec2()
    }

    /// The settings under which it is measured.
    #[must_use]
    pub fn settings(&self) -> &CollisionSettings {
        &self.settings
    }

    /// The kinds of discs and the box, for a theory without gravity.
    ///
    /// # Errors
    /// Why such a theory does not apply.
    pub fn free(&self) -> Result<(&Mixture, &Container), String> {
        if self.gravity != DVec2::ZERO {
            return Err(mark("gravity acts").to_owned());
        }
        self.smooth()
    }

    /// The kinds of discs and the box, for a theory that allows gravity.
    ///
    /// # Errors
    /// Why such a theory does not apply.
    pub fn smooth(&self) -> Result<(&Mixture, &Container), String> {
        match (self.no_theory, &self.mixture, &self.container) {
            (None, Some(mixture), Some(container)) => Ok((mixture, container)),
            (reason, ..) => Err(reason.unwrap_or_default().to_owned()),
        }
    }

    /// The only kind of disc and the box.
    ///
    /// # Errors
    /// As for [`Gas::free`], and if there are several kinds.
    pub fn free_and_equal(&self) -> Result<(Species, &Container), String> {
        let (mixture, container) = self.free()?;
        Ok((mixture.single().ok_or("the discs are not equal")?, container))
    }

    /// The share of the box that the discs cover; `None` without a box, or with more than 64 kinds of discs.
    #[must_use]
    pub fn packing_fraction(&self) -> Option<f64> {
        Some(self.mixture.as_ref()?.area_fraction(self.container?.area()))
    }

    /// Whether hits lose no energy.
    #[must_use]
    pub fn is_elastic(&self) -> bool {
        self.restitution == Some(1.0) && self.has_elastic_walls()
    }

    /// Whether hits on walls lose no energy.
    #[must_use]
    pub fn has_elastic_walls(&self) -> bool {
        self.container.is_some_and(|container| container.is_torus()) || self.settings.terrain_restitution == 1.0
    }

    /// Along which axes the momentum is conserved.
    fn conserved(&self) -> [bool; 2] {
        self.container.map_or([false; 2], |container| container.periodic)
    }

    /// Half of the number of independent components of velocities: the number of discs, less a half for each axis
    /// along which the momentum is conserved. The internal kinetic energy is this times kT.
    #[must_use]
    pub fn degrees(&self) -> f64 {
        let conserved = self.conserved().into_iter().filter(|conserved| *conserved).count();
        (self.count as f64 - 0.5 * conserved as f64).max(0.5)
    }

    /// The share of kT that a disc of this mass, kilograms, has as its mean kinetic energy. It is less than 1 where the
    /// momentum is conserved, because the other discs must balance its own.
    #[must_use]
    pub fn share_of_temperature(&self, mass: f64) -> f64 {
        let conserved = self.conserved().into_iter().filter(|conserved| *conserved).count();
        1.0 - 0.5 * conserved as f64 * mass / self.mass
    }

    /// The velocity of the centre of mass along the axes where the momentum is conserved, m/s; zero along others.
    #[must_use]
    pub fn drift(&self, space: &PhysicsSpace) -> DVec2 {
        let drift = measure::momentum(&space.discs) / self.mass;
        let [x, y] = self.conserved();
        DVec2::new(if x { drift.x } else { 0.0 }, if y { drift.y } else { 0.0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        collision::{DiscState, Periodic},
        components::{Position, Rotation, Terrain},
    };

    fn space(terrain: &[(Terrain, Vec2, f32)], periodic: Periodic) -> PhysicsSpace {
        let mut space = PhysicsSpace::default();
        space.discs.push(DiscState { radius: 0.1, mass: 1.0, ..DiscState::default() });
        space.laws.settings.periodic = periodic;
        for (piece, position, angle) in terrain {
            space.add_terrain(Entity::PLACEHOLDER, piece, Position(*position), Rotation(*angle), None);
        }
        space.finish_terrain();
        space.begin_cell();
        space
    }

    const ARENA: Terrain = Terrain::Arena { half_size: Vec2::new(3.0, 2.0) };

    #[test]
    fn a_box_is_four_walls_or_periodic_edges() {
        let arena = Container::of(&space(&[(ARENA, Vec2::ONE, 0.0)], Periodic::default())).unwrap();
        assert_eq!((arena.low, arena.size), (DVec2::new(-2.0, -1.0), DVec2::new(6.0, 4.0)));
        assert_eq!((arena.is_torus(), arena.wall_length()), (false, 20.0));
        let torus = Periodic { x: Some((-1.0, 2.0)), y: Some((0.0, 5.0)) };
        let torus = Container::of(&space(&[], torus)).unwrap();
        assert_eq!((torus.is_torus(), torus.area(), torus.wall_length()), (true, 15.0, 0.0));
        let floor = |y| (Terrain::Segment { a: Vec2::new(-2.0, 0.0), b: Vec2::new(2.0, 0.0) }, Vec2::new(0.0, y), 0.0);
        let strip = Periodic { x: Some((-2.0, 2.0)), y: None };
        let strip = Container::of(&space(&[floor(0.0), floor(3.0)], strip)).unwrap();
        assert_eq!((strip.size, strip.periodic), (DVec2::new(4.0, 3.0), [true, false]));
    }

    #[test]
    fn other_terrain_is_no_box() {
        let bumper = Terrain::Circle { radius: 0.3 };
        let segment = Terrain::Segment { a: Vec2::NEG_X, b: Vec2::X };
        let torus = Periodic { x: Some((-3.0, 3.0)), y: Some((-3.0, 3.0)) };
        for (terrain, periodic) in [
            (vec![], Periodic::default()),
            (vec![(ARENA, Vec2::ZERO, 0.3)], Periodic::default()),
            (vec![(ARENA, Vec2::ZERO, 0.0), (bumper, Vec2::ZERO, 0.0)], Periodic::default()),
            (vec![(ARENA, Vec2::ZERO, 0.0), (segment.clone(), Vec2::ZERO, 0.0)], Periodic::default()),
            (vec![(segment, Vec2::ZERO, 0.0)], torus),
        ] {
            assert_eq!(Container::of(&space(&terrain, periodic)), None, "{terrain:?}");
        }
    }

    #[test]
    fn the_packing_fraction_is_the_share_of_the_box_that_is_covered() {
        let in_arena = Gas::of(&space(&[(ARENA, Vec2::ZERO, 0.0)], Periodic::default()));
        let expected = std::f64::consts::PI * 0.01 / 24.0;
        assert!((in_arena.packing_fraction().unwrap() / expected - 1.0).abs() < 1e-6);
        assert_eq!(Gas::of(&space(&[], Periodic::default())).packing_fraction(), None);
    }

    #[test]
    fn conserved_momentum_takes_a_half_from_the_degrees_of_freedom() {
        let gas = |periodic| Gas::of(&space(&[], periodic));
        let torus = gas(Periodic { x: Some((-3.0, 3.0)), y: Some((-3.0, 3.0)) });
        // One disc alone keeps its velocity, so it has no thermal energy.
        assert_eq!(torus.share_of_temperature(1.0), 0.0);
        assert_eq!(Gas::of(&space(&[(ARENA, Vec2::ZERO, 0.0)], Periodic::default())).degrees(), 1.0);
    }
}
