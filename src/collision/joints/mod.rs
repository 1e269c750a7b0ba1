//! Joints, as the steps see them: springs pull before and after the discs move, rods and ropes choose velocities with
//! which their lengths are right where the step ends.
//!
//! A step is a substep of the stepped mode, or a tick of the continuous mode. In both the discs move straight with the
//! mean velocity of the step, so all that joints do are impulses where it begins and where it ends:
//!
//! | | where it begins | where it ends |
//! |---|---|---|
//! | `springs` | half of their impulse | the other half: velocity Verlet |
//! | `lengths` | an impulse along the joint that makes its length right where the step ends (SHAKE) | one that stops the speed along it (RATTLE) |
//!
//! The method for lengths is that of Andersen, "Rattle: a velocity version of the Shake algorithm" (1983). For one rod
//! or rope alone each impulse is the root of a quadratic or of a linear equation. Those that hang together are solved
//! at once (`direct`, with the factors of a narrow `matrix`), and a group that turns far within a step is taken through
//! it in small steps of its own (`small_steps`), each of which keeps its `energy`. Nets too large for a matrix are
//! swept over. Groups that do not hang together know nothing of each other.
//!
//! Whatever happens to a disc in between (a hit, a wall, a push) happens to it alone. The speed along the joint that
//! this leaves is taken where the step ends, and the length that is wrong by then comes back in the steps that follow,
//! an eighth of the error each.
//!
//! A hit comes at any time between the two impulses of a step, and finds a disc with the mean velocity of the step
//! instead of the one that it has at that time. So joints would give energy, or take some, with every hit. Where one
//! was hit, the energy of the group is compared with what it was and what the hits themselves have changed, and the
//! difference is taken or given back (`energy`). Steps without hits are as the methods make them.

mod direct;
mod energy;
mod lengths;
mod matrix;
mod small_steps;
mod springs;

use bevy::{math::DVec2, prelude::*};

use crate::{
    collision::{discs::Discs, periodic::Cell},
    joint::JointKind,
};
use direct::Pull;
use matrix::Matrix;

/// What a joint holds, in the arrays of a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// A disc, by its index.
    Disc(u32),
    /// A point that stands, metres.
    Point(Vec2),
}

/// All joints of a tick.
#[derive(Clone, Debug, Default)]
pub struct Joints {
    groups: Vec<Group>,
    /// All of them in their order, as they were given.
    listed: Vec<([Place; 2], JointKind)>,
}

/// How gravity acts within a step.
#[derive(Clone, Copy, Debug)]
pub struct Fall {
    /// m/s².
    pub gravity: DVec2,
    /// For how many seconds it has acted before the discs move, and for how many it does after.
    pub before: f64,
    pub after: f64,
    /// Paths end by so much times gravity before where the velocity says, s².
    pub lag: f64,
}

/// Joints that hang together: by discs that they move.
#[derive(Clone, Debug, Default)]
struct Group {
    bodies: Vec<Body>,
    links: Vec<Link>,
    /// Of its rods and ropes, if there are several, and few enough.
    matrix: Option<Matrix>,
    has_dampers: bool,
    /// Whether it has taken the step that is under way in small ones.
    is_ahead: bool,
    /// What dampers have taken in the step that is under way, joules, unless it is taken in small ones.
    damped: f64,
    /// The bodies where a step that is taken as a whole begins, or a small one.
    saved: Vec<Body>,
    velocities: Vec<DVec2>,
    wanted: Vec<f64>,
}

/// A disc or a point that joints hold.
#[derive(Clone, Copy, Debug)]
struct Body {
    place: Place,
    /// Metres; not finite where the disc is not there any more.
    at: DVec2,
    /// Metres per second.
    velocity: DVec2,
    /// 1/kg; zero for what joints do not move.
    per_mass: f64,
    /// What gravity does to it, m/s².
    gravity: DVec2,
    /// So far before where the velocity says its path ends, metres.
    lag: DVec2,
    /// Where small steps have brought it: where it is where the step ends if it meets nothing, the velocity that it
    /// then has there, and what it gets besides (m/s).
    end: DVec2,
    given: DVec2,
    kick: DVec2,
    /// Whether a joint has given it anything since the step began.
    pushed: bool,
    /// What joints have given it since the small step began, if they do not move it, N s.
    held: DVec2,
}

/// What a joint asks of a body at one of its ends: as in [`Body`].
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
    fn of(&Body { at, velocity, per_mass, gravity, lag, .. }: &Body) -> Self {
        Self { at, velocity, per_mass, gravity, lag }
    }
}

/// A joint between two bodies of its group.
#[derive(Clone, Copy, Debug)]
struct Link {
    ends: [usize; 2],
    kind: JointKind,
    /// Where edges are periodic: it goes the shorter way.
    cell: Option<Cell>,
    /// The share of its stiffness that the step can carry.
    softness: f64,
    /// From the first to the second end where the step begins, metres.
    from: DVec2,
    /// The length that it is to have where the step ends, metres.
    target: f64,
    /// What it has given so far where a step begins (N s/m) or ends (N s); below zero where it pulls.
    given: f64,
    /// The same as a vector, N s.
    impulse: DVec2,
    /// Whether it takes part in the solution of all at once, and how: the line along which its length counts, and that
    /// of its impulse, metres.
    active: bool,
    /// Whether the others that are active determine its length.
    superfluous: bool,
    way: DVec2,
    toward: DVec2,
    /// Whether it is a rope that hangs loose where the step begins, and whether it is taut where the step ends.
    slack: bool,
    taut: bool,
    /// The speed with which the ends of an elastic rope come together where the step ends, m/s.
    rebound: f64,
}

impl Joints {
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// These joints, in the order in which they act.
    pub fn of(joints: &[([Place; 2], JointKind)], discs: &Discs) -> Self {
        // Each disc belongs to the group of the lowest that it hangs together with.
        let mut leader: Vec<u32> = if joints.is_empty() { Vec::new() } else { (0..discs.len() as u32).collect() };
        let moved = |place: Place| match place {
            Place::Disc(disc) => (!discs.is_kinematic(disc as usize)).then_some(disc),
            Place::Point(_) => None,
        };
        for (ends, _) in joints {
            if let [Some(a), Some(b)] = ends.map(moved) {
                let [a, b] = [a, b].map(|disc| find(&mut leader, disc));
                leader[a.max(b) as usize] = a.min(b);
            }
        }
        let mut ordered = Vec::with_capacity(joints.len());
        for joint in joints {
            // What joins two that nobody moves does nothing.
            if let Some(disc) = joint.0.into_iter().find_map(moved) {
                ordered.push((find(&mut leader, disc), joint));
            }
        }
        ordered.sort_by_key(|(leader, _)| *leader);
        let groups =
            ordered.chunk_by(|a, b| a.0 == b.0).map(|joints| Group::of(joints, |place| moved(place).is_some()));
        Self { groups: groups.collect(), listed: joints.to_vec() }
    }

    /// Those that hold no disc which has fallen into a pocket: what the next tick would gather.
    pub fn without_fallen(self, discs: &Discs) -> Self {
        let is_there = |place: &Place| match *place {
            Place::Disc(disc) => discs.position.get(disc as usize).is_some_and(|position| position.is_finite()),
            Place::Point(_) => true,
        };
        let all = self.listed.len();
        let kept: Vec<_> = self.listed.iter().filter(|(ends, _)| ends.iter().all(is_there)).copied().collect();
        if kept.len() == all { self } else { Self::of(&kept, discs) }
    }

    /// The indices of the discs that they hold, some more than once.
    pub fn discs(&self) -> impl Iterator<Item = usize> + '_ {
        self.groups.iter().flat_map(|group| &group.bodies).filter_map(Body::disc).map(|disc| disc as usize)
    }
}

/// The leader of a disc's group.
fn find(leader: &mut [u32], disc: u32) -> u32 {
    let mut at = disc;
    while leader[at as usize] != at {
        leader[at as usize] = leader[leader[at as usize] as usize];
        at = leader[at as usize];
    }
    at
}

impl Group {
    /// Joints that hang together; `moved` tells which places they move.
    fn of(joints: &[(u32, &([Place; 2], JointKind))], moved: impl Fn(Place) -> bool) -> Self {
        let places = joints.iter().flat_map(|(_, (ends, _))| *ends);
        let mut bodies: Vec<Body> = places.filter(|place| matches!(place, Place::Disc(_))).map(Body::new).collect();
        bodies.sort_unstable_by_key(Body::disc);
        bodies.dedup_by_key(|body| body.disc());
        let discs = bodies.len();
        let mut links = Vec::with_capacity(joints.len());
        for (_, (ends, kind)) in joints {
            let ends = ends.map(|place| {
                let known = bodies[..discs].binary_search_by_key(&Body::new(place).disc(), Body::disc);
                known.unwrap_or_else(|_| {
                    bodies.push(Body::new(place));
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

    /// Takes over where the discs are, and how fast they move.
    fn read(&mut self, discs: &Discs, cell: Option<Cell>) {
        self.links.iter_mut().for_each(|link| link.cell = cell);
        for body in &mut self.bodies {
            *body = match body.place {
                Place::Disc(disc) if (disc as usize) < discs.len() => {
                    let i = disc as usize;
                    let per_mass = if discs.is_kinematic(i) { 0.0 } else { 1.0 / f64::from(discs.mass[i]) };
                    let (at, velocity) = (discs.position[i].as_dvec2(), discs.velocity[i].as_dvec2());
                    Body { at, velocity, per_mass, ..*body }
                }
                // A system between the steps has taken discs out.
                Place::Disc(_) => Body { at: DVec2::NAN, ..*body },
                Place::Point(point) => Body { at: point.as_dvec2(), ..*body },
            };
        }
    }

    /// Takes over what gravity does to the discs.
    fn fall(&mut self, discs: &Discs, fall: Fall) {
        for body in &mut self.bodies {
            (body.pushed, body.lag, body.kick, body.gravity) = (false, DVec2::ZERO, DVec2::ZERO, DVec2::ZERO);
            if let (Some(disc), true) = (body.disc(), body.per_mass > 0.0) {
                body.gravity = fall.gravity * f64::from(discs.gravity_scale(disc as usize));
            }
        }
    }

    /// Gives the discs the velocities that the joints have made.
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

impl Body {
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

    /// The disc that it is, by its index.
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
            superfluous: false,
            way: zero,
            toward: zero,
            slack: false,
            taut: false,
            rebound: 0.0,
        }
    }

    /// Both ends; none if one of them is not there, or nobody moves either.
    fn ends(&self, bodies: &[Body]) -> Option<[End; 2]> {
        let [a, mut b] = self.ends.map(|end| End::of(&bodies[end]));
        if let Some(cell) = self.cell {
            b.at = a.at + cell.nearest_exactly(b.at - a.at);
        }
        (a.per_mass + b.per_mass > 0.0 && a.at.is_finite() && b.at.is_finite()).then_some([a, b])
    }

    /// Gives its ends an impulse (N s) that parts them.
    fn part(&self, bodies: &mut [Body], impulse: DVec2) {
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
    /// The pairs of discs, the lower index first, that a rod or a rope holds closer than they have room. They do not
    /// collide: to be pushed apart and pulled together would give energy without an end.
    pub fn held_closer_than_they_have_room(&self, radius: &[f32]) -> Vec<[u32; 2]> {
        let held = self.listed.iter().filter_map(|(ends, kind)| match *ends {
            [Place::Disc(a), Place::Disc(b)] if !matches!(kind, JointKind::Spring { .. }) => {
                let room = radius[a as usize] + radius[b as usize];
                (kind.length() < room).then_some([a.min(b), a.max(b)])
            }
            _ => None,
        });
        held.collect()
    }

    /// Lets joints act before the discs move for `h` seconds.
    pub fn begin(&mut self, discs: &mut Discs, cell: Option<Cell>, h: f64, fall: Fall) {
        for group in &mut self.groups {
            group.read(discs, cell);
            group.fall(discs, fall);
            group.soften(h);
            group.is_ahead = group.turns_far(h, fall);
            if group.is_ahead {
                group.go_ahead(h, fall);
            } else {
                group.bodies.iter_mut().for_each(|body| body.lag = body.gravity * fall.lag);
                group.open_account();
                group.pull(0.5 * h);
                group.damped = group.damp_by(0.5 * h);
                group.reach_lengths(h, lengths::KEPT_ERROR, Pull::AsItBegins);
                group.expect(h);
            }
            group.write(discs);
        }
    }

    /// Lets joints act after the discs have moved for `h` seconds; `after_half` says whether the second half of the
    /// forces has acted since, `are_elastic` whether hits keep energy.
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
