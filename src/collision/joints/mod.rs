//! Joints: springs, rods and ropes between discs, or between a disc and a point. RATTLE keeps the lengths of rods and
//! ropes, velocity Verlet moves springs, and groups that turn far take small steps.
//!
//! A step is a substep of the stepped mode, or a tick of the continuous mode. In both, discs move straight with the
//! mean velocity of the step. So joints act only by impulses at its start and its end:
//!
//! | | at the start | at the end |
//! |---|---|---|
//! | `springs` | half of their impulse | the other half: velocity Verlet |
//! | `lengths` | an impulse along the joint for the right length at the end of the step (SHAKE) | one that stops the speed along it (RATTLE) |
//!
//! The method for lengths is that of Andersen, "Rattle: a velocity version of the Shake algorithm" (1983). For a single
//! rod or rope each impulse is the root of a quadratic or a linear equation. Connected ones are solved together
//! (`direct`, with the factors of a narrow `matrix`). A group that turns far within a step moves through it in small
//! steps (`small_steps`), each of which conserves its `energy`. Separate groups do not affect each other.
//!
//! Anything that happens to a disc in between (a hit, a wall, a push) happens to that disc alone. The end of the step
//! removes the resulting speed along the joint. The error of the length is corrected in the following steps, an eighth
//! of it in each.
//!
//! A hit happens between the two impulses of a step. It uses the mean velocity of the disc and not that at its time, so
//! joints would add or remove energy in every hit. After a hit, the energy of the group is compared with its value
//! before and the changes by the hits, and the difference is corrected (`energy`). Steps without hits are not
//! corrected.
//!
//! Not supported: joints on terrain and blocks, limits of angles, motors, and breaking.
//!
//! Limits: nets too large for a matrix are swept, and may be soft for some steps. Springs too stiff for the step are
//! softened. A step is halved at most eight times; after that pulls are implicit, which damps fast oscillations.

mod direct;
mod energy;
mod lengths;
mod matrix;
mod small_steps;
mod springs;

use bevy::{math::DVec2, prelude::*};
use std::collections::BTreeMap;

use crate::{
    collision::{discs::Discs, disjoint_sets::DisjointSets, periodic::Cell},
    components::JointKind,
};
use direct::Pull;
use matrix::Matrix;

/// The rounding of positions in `f32`, with a margin, as a share of coordinates and lengths, dimensionless. A disc this
/// close to its predicted position was not hit, and a rope this close to its length is taut.
const POSITION_ROUNDING: f64 = 4e-7;

/// The end of a joint, in the arrays of a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// A disc, by its index.
    Disc(u32),
    /// A fixed point, metres.
    Point(Vec2),
}

/// All joints of a tick.
#[derive(Clone, Debug, Default)]
pub struct Joints {
    groups: Vec<Group>,
    /// All joints, in the order of [`Joints::of`].
    pub listed: Vec<PlacedJoint>,
}

/// A joint with its ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedJoint {
    pub ends: [Place; 2],
    pub kind: JointKind,
}

/// How gravity acts within a step.
#[derive(Clone, Copy, Debug)]
pub struct Fall {
    /// m/s².
    pub gravity: DVec2,
    /// The time for which it has acted before the discs move, seconds.
    pub before: f64,
    /// The time for which it acts after they have moved, seconds.
    pub after: f64,
    /// Paths fall short of the end given by the velocity by this times gravity, s².
    pub lag: f64,
}

/// Joints connected by discs that they move.
#[derive(Clone, Debug, Default)]
struct Group {
    bodies: Vec<JointBody>,
    links: Vec<Link>,
    /// The matrix of its rods and ropes, if there are several and not too many.
    matrix: Option<Matrix>,
    has_dampers: bool,
    /// Whether it has taken the current step in small ones.
    is_ahead: bool,
    /// The number of sweeps in the current step that have failed after the direct solution had failed too, for example
    /// because two rods contradict each other.
    failed_sweeps: u32,
    /// The energy that dampers have removed in the current step, joules, unless it is taken in small ones.
    damped: f64,
    /// The bodies at the start of a whole or a small step.
    saved: Vec<JointBody>,
    velocities: Vec<DVec2>,
    wanted: Vec<f64>,
}

/// A disc or a point at the end of joints.
#[derive(Clone, Copy, Debug)]
struct JointBody {
    place: Place,
    /// Metres; not finite if the disc is gone.
    at: DVec2,
    /// Metres per second.
    velocity: DVec2,
    /// 1/kg; zero if joints do not move it.
    per_mass: f64,
    /// Its acceleration by gravity, m/s².
    gravity: DVec2,
    /// The distance by which its path falls short of the end given by the velocity, metres.
    lag: DVec2,
    /// Its position at the end of the step if it is not hit, metres.
    end: DVec2,
    /// Its velocity there, m/s.
    given: DVec2,
    /// The change of its velocity after that, from small steps, m/s.
    kick: DVec2,
    /// Whether a joint has pushed it since the start of the step.
    pushed: bool,
    /// The impulse of joints on it since the start of the step or the small step, N s.
    held: DVec2,
}

/// The part of a [`JointBody`] that a joint needs at an end.
#[derive(Clone, Copy, Debug)]
struct End {
    at: DVec2,
    velocity: DVec2,
    per_mass: f64,
    gravity: DVec2,
    lag: DVec2,
}

impl End {
    #[inline(always)]
    fn of(&JointBody { at, velocity, per_mass, gravity, lag, .. }: &JointBody) -> Self {
        Self { at, velocity, per_mass, gravity, lag }
    }
}

/// A joint between two bodies of its group.
#[derive(Clone, Copy, Debug)]
struct Link {
    ends: [usize; 2],
    kind: JointKind,
    /// The cell of periodic edges, across which it takes the shorter way.
    cell: Option<Cell>,
    /// The share of its stiffness that the step can carry.
    softness: f64,
    /// The vector from the first to the second end at the start of the step, metres.
    from: DVec2,
    /// Its required length at the end of the step, metres.
    target: f64,
    /// Its impulse so far at the start of a step (N s/m) or at its end (N s); negative if it pulls.
    given: f64,
    /// The same as a vector, N s.
    impulse: DVec2,
    /// Whether it takes part in the direct solution.
    active: bool,
    /// Whether the other active ones determine its length.
    redundant: bool,
    /// The line along which its length counts, metres.
    way: DVec2,
    /// The line of its impulse, metres.
    toward: DVec2,
    /// Whether it is a slack rope at the start of the step.
    slack: bool,
    /// Whether it is a rod, or a rope that is taut, at the end of the step.
    taut: bool,
    /// The speed of approach of the ends of an elastic rope at the end of the step, m/s.
    rebound: f64,
}

impl Joints {
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Groups joints by their connections.
    pub fn of(joints: &[PlacedJoint], discs: &Discs) -> Self {
        // Each disc belongs to the group of the lowest disc that it is connected to.
        let mut connected = DisjointSets::default();
        if !joints.is_empty() {
            connected.reset(discs.len());
        }
        let moved = |place: Place| match place {
            Place::Disc(disc) => (!discs.is_kinematic(disc as usize)).then_some(disc),
            Place::Point(_) => None,
        };
        for joint in joints {
            if let [Some(a), Some(b)] = joint.ends.map(moved) {
                connected.join(a, b);
            }
        }
        let mut groups: BTreeMap<u32, Vec<PlacedJoint>> = BTreeMap::new();
        for joint in joints {
            // A joint between two ends that joints do not move has no effect.
            if let Some(disc) = joint.ends.into_iter().find_map(moved) {
                groups.entry(connected.find(disc)).or_default().push(*joint);
            }
        }
        let groups = groups.values().map(|joints| Group::of(joints, |place| moved(place).is_some()));
        Self { groups: groups.collect(), listed: joints.to_vec() }
    }

    /// The joints without a disc that has fallen into a pocket, as the next tick would gather them.
    pub fn without_fallen(self, discs: &Discs) -> Self {
        let is_there = |place: &Place| match *place {
            Place::Disc(disc) => discs.position.get(disc as usize).is_some_and(|position| position.is_finite()),
            Place::Point(_) => true,
        };
        let all = self.listed.len();
        let kept: Vec<_> = self.listed.iter().filter(|joint| joint.ends.iter().all(is_there)).copied().collect();
        if kept.len() == all { self } else { Self::of(&kept, discs) }
    }

    /// The indices of the discs at their ends, some more than once.
    pub fn discs(&self) -> impl Iterator<Item = usize> + '_ {
        self.groups.iter().flat_map(|group| &group.bodies).filter_map(JointBody::disc).map(|disc| disc as usize)
    }
}

impl Group {
    /// The group of connected joints; `moved` says which ends they move.
    fn of(joints: &[PlacedJoint], moved: impl Fn(Place) -> bool) -> Self {
        let places = joints.iter().flat_map(|joint| joint.ends);
        let mut bodies: Vec<JointBody> =
            places.filter(|place| matches!(place, Place::Disc(_))).map(JointBody::new).collect();
        bodies.sort_unstable_by_key(JointBody::disc);
        bodies.dedup_by_key(|body| body.disc());
        let discs = bodies.len();
        let mut links = Vec::with_capacity(joints.len());
        for PlacedJoint { ends, kind } in joints {
            let ends = ends.map(|place| {
                let known = bodies[..discs].binary_search_by_key(&JointBody::new(place).disc(), JointBody::disc);
                known.unwrap_or_else(|_| {
                    bodies.push(JointBody::new(place));
                    bodies.len() - 1
                })
            });
            links.push(Link::new(ends, *kind));
        }
        let mut group = Self { bodies, wanted: vec![0.0; links.len()], links, ..Self::default() };
        let is_damped = |link: &Link| matches!(link.kind, JointKind::Spring { damping, .. } if damping > 0.0);
        group.has_dampers = group.links.iter().any(is_damped);
        if group.links.len() > 1 && group.links.iter().any(Link::has_length) {
            let moved: Vec<bool> = group.bodies.iter().map(|body| moved(body.place)).collect();
            let ends = |links: &[Link]| links.iter().map(|link| link.ends).collect::<Vec<_>>();
            let order = matrix::narrow_order(&ends(&group.links), &moved);
            group.links = order.into_iter().map(|k| group.links[k]).collect();
            group.matrix = Matrix::of(&ends(&group.links), &moved);
        }
        group
    }

    /// Reads the positions and velocities of the discs.
    fn read(&mut self, discs: &Discs, cell: Option<Cell>) {
        self.links.iter_mut().for_each(|link| link.cell = cell);
        for body in &mut self.bodies {
            *body = match body.place {
                Place::Disc(disc) if (disc as usize) < discs.len() => {
                    let i = disc as usize;
                    let per_mass = if discs.is_kinematic(i) { 0.0 } else { 1.0 / f64::from(discs.mass[i]) };
                    let (at, velocity) = (discs.position[i].as_dvec2(), discs.velocity[i].as_dvec2());
                    JointBody { at, velocity, per_mass, ..*body }
                }
                // A system between the steps has removed discs.
                Place::Disc(_) => JointBody { at: DVec2::NAN, ..*body },
                Place::Point(point) => JointBody { at: point.as_dvec2(), ..*body },
            };
        }
    }

    /// Reads how gravity acts on the discs.
    fn fall(&mut self, discs: &Discs, fall: Fall) {
        for body in &mut self.bodies {
            (body.pushed, body.lag, body.kick, body.gravity) = (false, DVec2::ZERO, DVec2::ZERO, DVec2::ZERO);
            if let (Some(disc), true) = (body.disc(), body.per_mass > 0.0) {
                body.gravity = fall.gravity * f64::from(discs.gravity_scale(disc as usize));
            }
        }
    }

    /// Writes the velocities of the discs.
    fn write(&self, discs: &mut Discs) {
        for body in &self.bodies {
            if let Place::Disc(disc) = body.place
                && body.per_mass > 0.0
                && body.at.is_finite()
                && body.velocity.is_finite()
            {
                discs.velocity[disc as usize] = body.velocity.as_vec2();
            }
        }
    }
}

impl JointBody {
    fn new(place: Place) -> Self {
        let zero = DVec2::ZERO;
        Self {
            place,
            at: zero,
            velocity: zero,
            per_mass: 0.0,
            gravity: zero,
            lag: zero,
            end: zero,
            given: zero,
            kick: zero,
            pushed: false,
            held: zero,
        }
    }

    fn is_there(&self) -> bool {
        self.at.is_finite() && self.velocity.is_finite()
    }

    /// The index of its disc; `None` for a point.
    fn disc(&self) -> Option<u32> {
        match self.place {
            Place::Disc(disc) => Some(disc),
            Place::Point(_) => None,
        }
    }
}

impl Link {
    fn new(ends: [usize; 2], kind: JointKind) -> Self {
        let zero = DVec2::ZERO;
        Self {
            ends,
            kind,
            cell: None,
            softness: 1.0,
            from: zero,
            target: 0.0,
            given: 0.0,
            impulse: zero,
            active: false,
            redundant: false,
            way: zero,
            toward: zero,
            slack: false,
            taut: false,
            rebound: 0.0,
        }
    }

    /// Both ends; `None` if one of them is gone, or if joints move neither.
    fn ends(&self, bodies: &[JointBody]) -> Option<[End; 2]> {
        let [a, mut b] = self.ends.map(|end| End::of(&bodies[end]));
        if let Some(cell) = self.cell {
            b.at = a.at + cell.nearest_exactly(b.at - a.at);
        }
        (a.per_mass + b.per_mass > 0.0 && a.at.is_finite() && b.at.is_finite()).then_some([a, b])
    }

    /// Applies an impulse (N s) that separates its ends.
    fn part(&self, bodies: &mut [JointBody], impulse: DVec2) {
        let [a, b] = self.ends;
        bodies[a].velocity -= impulse * bodies[a].per_mass;
        bodies[b].velocity += impulse * bodies[b].per_mass;
        bodies[a].held -= impulse;
        bodies[b].held += impulse;
        for end in self.ends {
            bodies[end].pushed |= impulse != DVec2::ZERO;
        }
    }
}

impl Joints {
    /// The pairs of discs, the lower index first, that a rod or a rope holds closer than the sum of their radii. They
    /// do not collide: pushing them apart and pulling them together would add energy endlessly.
    pub fn held_closer_than_they_have_room(&self, radius: &[f32]) -> Vec<[u32; 2]> {
        let held = self.listed.iter().filter_map(|PlacedJoint { ends, kind }| match *ends {
            [Place::Disc(a), Place::Disc(b)] if !matches!(kind, JointKind::Spring { .. }) => {
                let room = radius[a as usize] + radius[b as usize];
                (kind.length() < room).then_some([a.min(b), a.max(b)])
            }
            _ => None,
        });
        held.collect()
    }

    /// Applies the joints before the discs move for `h` seconds.
    pub fn begin(&mut self, discs: &mut Discs, cell: Option<Cell>, h: f64, fall: Fall) {
        for group in &mut self.groups {
            group.read(discs, cell);
            group.fall(discs, fall);
            group.soften(h);
            group.failed_sweeps = 0;
            group.is_ahead = group.turns_far(h, fall);
            if group.is_ahead {
                group.go_ahead(h, fall);
            } else {
                group.bodies.iter_mut().for_each(|body| body.lag = body.gravity * fall.lag);
                group.open_account();
                group.pull(0.5 * h);
                group.damped = group.damp_by(0.5 * h);
                group.reach_lengths(h, lengths::KEPT_ERROR, Pull::AtBegin);
                group.expect(h);
            }
            group.write(discs);
        }
    }

    /// Applies the joints after the discs have moved for `h` seconds. `after_half` is whether the second half of the
    /// forces has acted since, `are_elastic` whether hits conserve energy.
    pub fn end(&mut self, discs: &mut Discs, cell: Option<Cell>, h: f64, after_half: bool, are_elastic: bool) {
        for group in &mut self.groups {
            group.read(discs, cell);
            if group.is_ahead {
                group.catch_up(after_half);
            } else {
                let by_hits = group.energy_of_hits(after_half);
                group.damped += group.damp_by(0.5 * h);
                group.pull(0.5 * h);
                group.keep_lengths();
                if let Some(by_hits) = by_hits {
                    group.settle_account(h, by_hits, are_elastic);
                }
            }
            group.write(discs);
        }
    }
}
