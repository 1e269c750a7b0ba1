//! The matrix of the rods and ropes of a group, and its factors. An entry is the change of the length of one joint by
//! an impulse along another.
//!
//! Two joints have an entry if they share a disc that joints move. In the Cuthill–McKee order ("Reducing the bandwidth
//! of sparse symmetric matrices", 1969) all entries are near the diagonal. The matrix of a chain is tridiagonal, that
//! of a net as wide as its short side. The factors fill only the envelope, so the time for a chain is proportional to
//! its length. Vanishing pivots belong to redundant joints, as in a braced wheel, which get no impulse.

use std::collections::VecDeque;

use super::{JointBody, Link};

/// A pivot below this share of its diagonal entry, dimensionless, is only rounding.
const MIN_PIVOT: f64 = 1e-10;

/// The largest number of multiplications of a factorization. It bounds the time of an iteration; a net that takes more
/// is swept instead.
const MAX_WORK: usize = 4_000_000;

/// Factors of a matrix, within its envelope.
#[derive(Clone, Debug, Default)]
pub(super) struct Matrix {
    /// For each row the first column of its envelope, and its place in `lower` and `upper`.
    rows: Vec<(usize, usize)>,
    couplings: Vec<Coupling>,
    /// Row by row left of the diagonal.
    lower: Vec<f64>,
    /// Column by column above the diagonal.
    upper: Vec<f64>,
    diagonal: Vec<f64>,
    /// One over each pivot; zero where it vanishes.
    inverse: Vec<f64>,
}

/// Two joints at a disc that joints move.
#[derive(Clone, Copy, Debug)]
struct Coupling {
    row: usize,
    column: usize,
    body: usize,
    /// 1 if it is the same end of both, otherwise -1.
    sign: f64,
}

/// For each body that joints move, the joints that end at it, with their ends.
fn joints_at(links: &[[usize; 2]], moved: &[bool]) -> Vec<Vec<(usize, usize)>> {
    let mut joints = vec![Vec::new(); moved.len()];
    for (k, ends) in links.iter().enumerate() {
        for (side, &end) in ends.iter().enumerate() {
            if moved[end] {
                joints[end].push((k, side));
            }
        }
    }
    joints
}

/// An order of connected joints in which those that share a disc are near each other.
pub(super) fn narrow_order(links: &[[usize; 2]], moved: &[bool]) -> Vec<usize> {
    let joints = joints_at(links, moved);
    let degree = |k: usize| links[k].iter().map(|&end| joints[end].len()).sum::<usize>();
    let from = |first: usize| {
        let (mut seen, mut seen_body) = (vec![false; links.len()], vec![false; moved.len()]);
        let (mut order, mut queue) = (Vec::with_capacity(links.len()), VecDeque::new());
        for start in std::iter::once(first).chain(0..links.len()) {
            if !std::mem::replace(&mut seen[start], true) {
                queue.push_back(start);
            }
            while let Some(k) = queue.pop_front() {
                order.push(k);
                let mut next = Vec::new();
                for &end in &links[k] {
                    if !std::mem::replace(&mut seen_body[end], true) {
                        next.extend(
                            joints[end].iter().map(|&(j, _)| j).filter(|&j| !std::mem::replace(&mut seen[j], true)),
                        );
                    }
                }
                next.sort_by_key(|&j| (degree(j), j));
                queue.extend(next);
            }
        }
        order
    };
    // Start from an end: the farthest joint from the farthest joint from any joint.
    let farthest = |first: usize| from(first).last().copied().unwrap_or(first);
    let mut order = from(farthest(farthest(0)));
    order.reverse();
    order
}

impl Matrix {
    /// The matrix of joints in this order; `None` for a net beyond [`MAX_WORK`].
    pub(super) fn of(links: &[[usize; 2]], moved: &[bool]) -> Option<Self> {
        let joints = joints_at(links, moved);
        let mut rows = Vec::with_capacity(links.len());
        let (mut size, mut work) = (0, 0);
        for (k, ends) in links.iter().enumerate() {
            let first = ends.iter().filter_map(|&end| joints[end].first()).map(|&(j, _)| j).fold(k, usize::min);
            rows.push((first, size));
            size += k - first;
            work += (k - first) * (k - first);
        }
        if work > MAX_WORK {
            return None;
        }
        let mut couplings = Vec::new();
        for (body, joints) in joints.iter().enumerate() {
            for (i, &(row, side)) in joints.iter().enumerate() {
                for &(column, other) in &joints[..i] {
                    couplings.push(Coupling { row, column, body, sign: if side == other { 1.0 } else { -1.0 } });
                }
            }
        }
        let count = links.len();
        Some(Self {
            rows,
            couplings,
            lower: vec![0.0; size],
            upper: vec![0.0; size],
            diagonal: vec![0.0; count],
            inverse: vec![0.0; count],
        })
    }

    /// Fills it for active joints, with impulses along `toward` and lengths along `way`, and factors it.
    pub(super) fn factor(&mut self, links: &[Link], bodies: &[JointBody]) {
        self.lower.fill(0.0);
        self.upper.fill(0.0);
        for (diagonal, link) in self.diagonal.iter_mut().zip(links) {
            let [a, b] = link.ends.map(|end| bodies[end].per_mass);
            *diagonal = if link.active { (a + b) * link.way.dot(link.toward) } else { 0.0 };
        }
        for &Coupling { row, column, body, sign } in &self.couplings {
            let (a, b) = (&links[row], &links[column]);
            if a.active && b.active {
                let (first, start) = self.rows[row];
                let weight = sign * bodies[body].per_mass;
                self.lower[start + column - first] += weight * a.way.dot(b.toward);
                self.upper[start + column - first] += weight * b.way.dot(a.toward);
            }
        }
        for row in 0..self.rows.len() {
            self.eliminate(row);
        }
    }

    /// Computes a row and a column of the factors from those before.
    fn eliminate(&mut self, row: usize) {
        let (first, start) = self.rows[row];
        let whole = self.diagonal[row];
        for column in first..row {
            let (other_first, other_start) = self.rows[column];
            let from = first.max(other_first);
            let own = start + from - first..start + column - first;
            let other = other_start + from - other_first..other_start + column - other_first;
            let below = dot(&self.lower[own.clone()], &self.upper[other.clone()]);
            let above = dot(&self.upper[own.clone()], &self.lower[other]);
            self.lower[own.end] = (self.lower[own.end] - below) * self.inverse[column];
            self.upper[own.end] -= above;
        }
        let own = start..start + row - first;
        let pivot = whole - dot(&self.lower[own.clone()], &self.upper[own]);
        self.inverse[row] = if pivot.abs() > MIN_PIVOT * whole.abs() { 1.0 / pivot } else { 0.0 };
    }

    /// Whether the pivot of a row vanished in the last factorization.
    pub(super) fn is_redundant(&self, row: usize) -> bool {
        self.inverse[row] == 0.0
    }

    /// Replaces the required change of each row by the impulses that cause it.
    pub(super) fn solve(&self, values: &mut [f64]) {
        for (row, &(first, start)) in self.rows.iter().enumerate() {
            values[row] -= dot(&self.lower[start..start + row - first], &values[first..row]);
        }
        for (row, &(first, start)) in self.rows.iter().enumerate().rev() {
            values[row] *= self.inverse[row];
            let value = values[row];
            for (before, upper) in values[first..row].iter_mut().zip(&self.upper[start..]) {
                *before -= upper * value;
            }
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
