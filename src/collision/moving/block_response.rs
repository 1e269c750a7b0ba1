//! The response of blocks to impacts: impulses with discs, other blocks, driven pieces, kinematic discs and static
//! terrain. All without friction.
//!
//! At a point with the normal `n`, an impulse moves a block as if it had the mass `1 / (1/m + (r × n)²/I)`, where `r`
//! is the vector from its pivot (D. Baraff, "Nonconvex rigid bodies with stacking", and many others). Two that approach
//! at `u` separate at `e u`, so energy is conserved at `e = 1`, and momentum always. Edges that lie flat on each other
//! touch at two points, which are resolved together: a block that lands flat does not turn.

use bevy::math::DVec2;

use super::{
    MovingPiece, MovingTerrain,
    block_impacts::{BlockImpact, BlockPair, BlockTouch, OtherBody, Surroundings, touches_of},
    blocks::{Block, Work},
    contact_solver::{BlockContact, BlockSide, part_faster},
    islands::IslandResolved,
    parts_impact::Carried,
    tolerances::SAME_NORMAL,
};
use crate::collision::{
    discs::Discs,
    hit::{Hit, Surface, answers::Answer},
};

/// Below this share of the size of a block, dimensionless, an approach within its path is only rounding.
const STILL_DISTANCE: f64 = 1e-9;

/// Below this share of what gravity adds on a path, dimensionless, an approach is only rounding.
const STILL_FALL: f64 = 1e-6;

/// The number of impacts on a path after which a block that loses energy no longer bounces. At a restitution of one
/// half, its speed is down to rounding by then.
const MAX_LOSSY_BOUNCES: u32 = 64;

/// The smallest distance of two points of a flat contact as a share of the size, dimensionless. Closer points give
/// nearly the same equation twice.
const MIN_BASE: f64 = 1e-6;

/// The smallest determinant of the two equations of a flat contact as a share of the product of the diagonal entries,
/// dimensionless. Below it the solution is mostly rounding.
const MIN_DETERMINANT: f64 = 1e-9;

/// A disc that hits a block.
#[derive(Clone, Copy, Debug)]
pub struct HittingDisc<'a> {
    /// kg.
    pub mass: f64,
    /// m/s.
    pub velocity: DVec2,
    /// The difference of its true velocity from that, m/s.
    pub ahead: DVec2,
    /// The factor by which gravity acts on it.
    pub gravity_scale: f64,
    /// The unit vectors away from the static terrain that it touches and cannot be pushed into.
    pub held: &'a [DVec2],
}

/// The outcome of a hit of a disc and a block.
#[derive(Clone, Copy, Debug)]
pub struct DiscOnBlock {
    /// The velocity of the disc afterwards, m/s.
    pub velocity: DVec2,
    /// The speed of approach, m/s.
    pub approach: f64,
    /// The coefficient of restitution of the hit.
    pub e: f64,
    /// N s.
    pub impulse: f64,
    /// The lowest speed of a hit, m/s; below it the disc rests on the block.
    slowest: f64,
}

impl HittingDisc<'_> {
    /// A disc of the arrays.
    pub fn of(discs: &Discs, i: usize) -> Self {
        Self {
            mass: f64::from(discs.mass[i]),
            velocity: discs.velocity[i].as_dvec2(),
            ahead: DVec2::ZERO,
            gravity_scale: f64::from(discs.gravity_scale(i)),
            held: &[],
        }
    }
}

impl DiscOnBlock {
    /// The hit to record, if it was one: for a disc with this velocity before, at `time` seconds of the tick. Its true
    /// velocities differ by `ahead` from that and from [`DiscOnBlock::velocity`]; m/s.
    pub fn at(&self, surface: &Surface, disc: u32, [before, ahead]: [DVec2; 2], time: f32) -> Option<Hit> {
        let is_hit = self.approach >= self.slowest.max(2.0 * surface.leaves_at);
        is_hit.then(|| {
            let hit = surface.hit(disc, before - surface.velocity, [self.approach, self.impulse], time);
            hit.with_velocity(disc, [before, self.velocity].map(|velocity| velocity + ahead))
        })
    }
}

/// The changes of speed by which a disc and a block must separate, m/s.
#[derive(Clone, Copy, Debug)]
struct PartingSpeeds {
    /// By restitution, or at least so that they do not approach.
    change: f64,
    /// Including the hop on a turning surface, if that adds no energy.
    with_hop: f64,
}

/// An impulse at a point.
#[derive(Clone, Copy, Debug)]
pub struct Push {
    /// Metres.
    point: DVec2,
    /// N s.
    impulse: DVec2,
}

/// The impulses of an impact of two pieces, up to two, on the second piece. The first gets the opposite.
pub type Pushes = [Option<Push>; 2];

impl MovingTerrain {
    /// Resolves a hit of a disc and a block at a time of the tick, with this `answer` or without restitution; `None` if
    /// they do not approach.
    pub fn hit_block(
        &mut self,
        block: u32,
        time: f64,
        surface: &Surface,
        disc: HittingDisc,
        around: &Surroundings,
        answer: Option<&Answer>,
    ) -> Option<DiscOnBlock> {
        let HittingDisc { mass, velocity, ahead: disc_ahead, gravity_scale, .. } = disc;
        let n = surface.away.normalize_or_zero();
        let approach = -(velocity - surface.velocity).dot(n);
        if !(approach > 0.0) {
            return None;
        }
        let ahead = self.ahead_at(time);
        let arm = surface.point - self.pieces.get(block as usize)?.origin;
        let still = self.still_speed(arm.length_squared().sqrt());
        let piece = self.pieces.get(block as usize)?;
        // They may fall differently: pinned blocks do not fall, and gravity scales differ.
        let true_approach = approach - (disc_ahead - ahead * piece.falling()).dot(n);
        let slowest = around.slowest * self.weight_of(block).max(gravity_scale.abs());
        let resting_speed = around.settings.resting_speed;
        let e = answer.map_or(0.0, |answer| answer.restitution_above(slowest, true_approach.max(0.0), resting_speed));
        let change = ((1.0 + e) * true_approach).max(approach);
        // No faster than an elastic hit, so a fast turning surface adds no energy.
        let with_hop = if e < 1.0 { (approach + surface.leaves_at).min(2.0 * approach) } else { 0.0 };
        // Then only the disc stops.
        let is_still = e < 1.0 && approach < still;
        let (velocity, impulse) = if is_still {
            let change = change.max(with_hop);
            (velocity + n * change, change * mass)
        } else if e > 0.0 || piece.is_stuck() {
            let impulse = change.max(with_hop) / (1.0 / mass + piece.inverse_mass_at(time, surface.point, n));
            self.push_block(block, time, surface.point, n * -impulse);
            (velocity + n * (impulse / mass), impulse)
        } else {
            self.press_on_block(disc, PartingSpeeds { change, with_hop }, block, time, surface, around)
        };
        let work = if e > 0.0 { Work::DiscBounces } else { Work::DiscPresses };
        self.charge_hit(block, time, work, around.settings.impact_budget);
        Some(DiscOnBlock { velocity, approach, e, impulse, slowest })
    }

    /// Presses a disc on a block, and both on their supports. Returns the velocity of the disc after that, and the
    /// impulse in N s.
    fn press_on_block(
        &mut self,
        disc: HittingDisc,
        speeds: PartingSpeeds,
        block: u32,
        time: f64,
        surface: &Surface,
        around: &Surroundings,
    ) -> (DVec2, f64) {
        let HittingDisc { mass, mut velocity, held, .. } = disc;
        let side = BlockSide::of_disc(0, mass);
        let mut contacts = self.island_of(block, time, around);
        contacts.extend(held.iter().map(|&away| BlockContact::of_held_disc(side, away, velocity)));
        let n = surface.away.normalize_or_zero();
        // A held disc cannot separate any faster.
        let PartingSpeeds { change, with_hop } = if held.is_empty() {
            speeds
        } else {
            PartingSpeeds { change: -(velocity - surface.velocity).dot(n), with_hop: 0.0 }
        };
        contacts.push(self.contact_of_disc(side, block, time, surface, change));
        part_faster(&mut contacts, with_hop - change);
        let mut impulse = 0.0;
        let resolved = self.resolve_island(&contacts, time, |_, change, given| {
            velocity += change;
            if change.dot(n) > 0.0 && impulse == 0.0 {
                impulse = given;
            }
        });
        if resolved == IslandResolved::Jammed {
            // The block stops, and acts as a wall for the disc.
            self.charge_hit(block, time, Work::Jams, around.settings.impact_budget);
            return (velocity + n * change, change * mass);
        }
        (velocity, impulse)
    }

    /// The lowest speed of a hit, m/s, between two that lose energy and rest on each other: see [`STILL_DISTANCE`], for
    /// a block of this size (metres), and [`STILL_FALL`]. Slower hits would pass smaller and smaller speeds from one
    /// contact to the next without end.
    pub fn still_speed(&self, size: f64) -> f64 {
        let [from, until] = self.way;
        let seconds = (until - from).max(f64::MIN_POSITIVE);
        (STILL_DISTANCE * size / seconds).max(STILL_FALL * self.acceleration.length_squared().sqrt() * seconds)
    }

    /// Applies an impulse (N s) to a block at a point.
    pub fn push_block(&mut self, block: u32, time: f64, point: DVec2, impulse: DVec2) {
        if let Some(piece) = self.pieces.get_mut(block as usize) {
            piece.push(time, point, impulse);
        }
    }

    /// Resolves an impact of a block. [`MovingTerrain::take_changed`] then lists the blocks whose motion has changed.
    pub fn resolve_block_impact(&mut self, impact: BlockImpact, around: &Surroundings) {
        let BlockImpact { time, pair } = impact;
        self.block_impacts += 1;
        for block in self.blocks.iter_mut().filter(|block| pair.involves(block.piece)) {
            block.impacts += 1;
            block.next = None;
        }
        let (bounce, mut bounces) = (self.bounce(pair, around), true);
        let pushes = {
            let (own, other) = (&self.pieces[pair.block as usize], self.piece_of(pair.obstacle));
            let parts = self.part_pairs(own, pair.obstacle, other.as_deref(), around);
            pushes_of(&parts, time, self.ahead_of(pair, time), |approach| {
                let e = bounce(approach);
                bounces &= e > 0.0;
                e
            })
        };
        let has_moved = if bounces {
            self.push_apart(pair, time, pushes);
            pushes[0].is_some()
        } else {
            let island = self.island_of(pair.block, time, around);
            match self.resolve_island(&island, time, |_, _, _| ()) {
                IslandResolved::Pushed => true,
                IslandResolved::Unchanged => false,
                IslandResolved::Jammed => return self.charge_impact(impact, Work::Jams, around.settings.impact_budget),
            }
        };
        if !has_moved {
            // They were only close. The next search starts here.
            self.pieces[pair.block as usize].rebase(time);
        }
        let work = if bounces && has_moved { Work::Bounces } else { Work::Rests };
        self.charge_impact(impact, work, around.settings.impact_budget);
    }

    /// The number of impacts on a path after which the two no longer bounce.
    fn max_bounces(&self, pair: BlockPair, around: &Surroundings) -> u32 {
        let budget = around.settings.impact_budget;
        if self.restitution_of(pair, around) < 1.0 { budget.min(MAX_LOSSY_BOUNCES) } else { budget }
    }

    /// The restitution of a block and an obstacle as a function of the speed of approach, m/s.
    pub fn bounce(&self, pair: BlockPair, around: &Surroundings) -> impl Fn(f64) -> f64 + use<> {
        let involved = |block: &&Block| pair.involves(block.piece);
        let impacts = self.blocks.iter().filter(involved).map(|block| block.impacts).max().unwrap_or(0);
        let may_bounce = impacts <= self.max_bounces(pair, around);
        let answer = Answer::plain(None, self.restitution_of(pair, around));
        let slowest = self.slow_speed(pair, around);
        let resting_speed = around.settings.resting_speed;
        move |approach| if may_bounce { answer.restitution_above(slowest, approach, resting_speed) } else { 0.0 }
    }

    /// The difference between the true velocity of a block relative to the obstacle and that on their paths at a time
    /// of the tick, m/s.
    fn ahead_of(&self, pair: BlockPair, time: f64) -> DVec2 {
        let other = pair.other_piece().map_or(0.0, |other| self.pieces[other as usize].falling());
        self.ahead_at(time) * (self.pieces[pair.block as usize].falling() - other)
    }

    /// Below this speed, m/s, a block and an obstacle that lose energy do not bounce.
    pub fn slow_speed(&self, pair: BlockPair, around: &Surroundings) -> f64 {
        let other = pair.other_piece().map_or(0.0, |other| self.weight_of(other));
        around.slowest * self.weight_of(pair.block).max(other)
    }

    /// The magnitude of the gravity scale of a block; zero for other pieces.
    pub fn weight_of(&self, piece: u32) -> f64 {
        self.pieces[piece as usize].body.map_or(0.0, |body| body.weight())
    }

    /// Applies impulses that separate a block and the piece that it touches.
    fn push_apart(&mut self, pair: BlockPair, time: f64, pushes: Pushes) {
        for Push { point, impulse } in pushes.into_iter().flatten() {
            self.pieces[pair.block as usize].push(time, point, -impulse);
            if let Some(other) = pair.other_piece() {
                self.pieces[other as usize].push(time, point, impulse);
            }
        }
    }

    /// The restitution of a block and an obstacle at any speed: as for two discs if both are blocks, otherwise as for a
    /// disc at terrain.
    pub fn restitution_of(&self, pair: BlockPair, around: &Surroundings) -> f32 {
        let own = self.pieces[pair.block as usize].restitution;
        let other = match pair.obstacle {
            OtherBody::Static(there) => around.terrain.obstacle(there).restitution,
            OtherBody::Moving(piece) => {
                let MovingPiece { restitution, body, .. } = self.pieces[piece as usize];
                if body.is_some() {
                    return around.settings.restitution_between(own, restitution);
                }
                restitution
            }
            OtherBody::Kinematic(disc) => self.kinematic_discs[disc as usize].restitution,
        };
        around.settings.restitution_at_terrain(own, other)
    }
}

/// The impulses where two pieces touch and approach. The true velocity of the first relative to the second differs from
/// that on their paths by `ahead`, m/s.
fn pushes_of(pairs: &[[Carried; 2]], time: f64, ahead: DVec2, mut restitution: impl FnMut(f64) -> f64) -> Pushes {
    let Some([own, other]) = pairs.first() else { return [None; 2] };
    let (mut touches, size) = touches_of(pairs, time);
    touches.retain(|touch| touch.approach > 0.0);
    let fastest = touches.iter().max_by(|a, b| a.approach.total_cmp(&b.approach));
    let Some(&BlockTouch { contact: first, approach }) = fastest else { return [None; 2] };
    let n = first.normal;
    let coupling = |part: &Carried, points| part.piece.map_or(0.0, |piece| piece.coupling(time, points, n));
    let couple = |points: [DVec2; 2]| coupling(own, points) + coupling(other, points);
    let own_stiffness = couple([first.point; 2]);
    if !(own_stiffness > 0.0) {
        return [None; 2];
    }
    let mut wanted_at = |approach: f64| {
        let true_approach = (approach + ahead.dot(n)).max(0.0);
        ((1.0 + restitution(true_approach)) * true_approach).max(approach)
    };
    let wanted = wanted_at(approach);
    let apart = |touch: &BlockTouch| touch.contact.point.distance(first.point);
    let along_n = touches.iter().filter(|touch| touch.contact.normal.dot(n) > SAME_NORMAL);
    let second = along_n.filter(|touch| apart(touch) > MIN_BASE * size);
    if let Some(&BlockTouch { contact: second, approach }) = second.max_by(|a, b| apart(a).total_cmp(&apart(b))) {
        let between = couple([first.point, second.point]);
        let other_stiffness = couple([second.point; 2]);
        let determinant = own_stiffness * other_stiffness - between * between;
        let other_wanted = wanted_at(approach);
        if determinant > MIN_DETERMINANT * own_stiffness * other_stiffness {
            let one = (wanted * other_stiffness - other_wanted * between) / determinant;
            let two = (other_wanted * own_stiffness - wanted * between) / determinant;
            if one >= 0.0 && two >= 0.0 {
                return [(first, one), (second, two)]
                    .map(|(contact, impulse)| Some(Push { point: contact.point, impulse: n * impulse }));
            }
        }
    }
    [Some(Push { point: first.point, impulse: n * (wanted / own_stiffness) }), None]
}
