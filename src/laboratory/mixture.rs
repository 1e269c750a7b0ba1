//! Formulas for a gas of hard discs of one or several kinds, in two dimensions.
//!
//! Sources: the contact value and the equation of state of Henderson (1975), the contact value of mixtures of Jenkins
//! and Mancini (1987), which contains Henderson's, and the collision rate of Enskog's kinetic theory. They describe a
//! fluid: below an area fraction of 0.7, and best below 0.5, where Henderson's pressure is 0.4 % too high.

use std::f64::consts::PI;

use crate::collision::Discs;

/// The number of kinds up to which discs of different sizes or masses are treated as a mixture. The formulas take time
/// in proportion to its square.
const MOST_SPECIES: usize = 64;

/// Equal discs of a gas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Species {
    /// How many there are.
    pub count: usize,
    /// Their radius, metres.
    pub radius: f64,
    /// Their mass, kilograms.
    pub mass: f64,
}

/// The kinds of discs of a gas, by mass and radius.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mixture {
    /// The kinds, from the lightest to the heaviest.
    pub species: Vec<Species>,
}

impl Mixture {
    /// The kinds of these discs; `None` if there are more than 64.
    #[must_use]
    pub fn of(discs: &Discs) -> Option<Self> {
        let mut species: Vec<Species> = Vec::new();
        for (&mass, &radius) in discs.mass.iter().zip(&discs.radius) {
            let (mass, radius) = (f64::from(mass), f64::from(radius));
            match species.iter().position(|kind| kind.mass == mass && kind.radius == radius) {
                Some(kind) => species[kind].count += 1,
                None if species.len() == MOST_SPECIES => return None,
                None => species.push(Species { count: 1, radius, mass }),
            }
        }
        species.sort_by(|a, b| a.mass.total_cmp(&b.mass).then(a.radius.total_cmp(&b.radius)));
        Some(Self { species })
    }

    /// The only kind; `None` if there are several, or no discs.
    #[must_use]
    pub fn single(&self) -> Option<Species> {
        if let [only] = self.species[..] { Some(only) } else { None }
    }

    /// The number of discs.
    #[must_use]
    pub fn count(&self) -> usize {
        self.species.iter().map(|kind| kind.count).sum()
    }

    /// The share of an area, m², that the discs cover.
    #[must_use]
    pub fn area_fraction(&self, area: f64) -> f64 {
        self.species.iter().map(|kind| kind.count as f64 * PI * kind.radius * kind.radius).sum::<f64>() / area
    }

    /// How much more often discs of two kinds touch than if they were spread at random (Jenkins and Mancini).
    #[must_use]
    pub fn contact_value(&self, a: &Species, b: &Species, area: f64) -> f64 {
        let free = 1.0 - self.area_fraction(area);
        let rim: f64 = self.species.iter().map(|kind| kind.count as f64 * PI * kind.radius / 2.0).sum::<f64>() / area;
        let size = 2.0 * a.radius * b.radius / (a.radius + b.radius);
        1.0 / free + 9.0 / 8.0 * size * rim / (free * free)
    }

    /// `Z = P A / (N kT)`, without a unit. The restitution between the discs is from 0 to 1; the mean impulse of a hit
    /// is in proportion to one plus it.
    #[must_use]
    pub fn compression_factor(&self, area: f64, restitution: f64) -> f64 {
        if self.species.len() == 1 && restitution == 1.0 {
            return henderson(self.area_fraction(area));
        }
        let count = self.count() as f64;
        let mut sum = 0.0;
        for a in &self.species {
            for b in &self.species {
                let reach = a.radius + b.radius;
                let pairs = a.count as f64 * b.count as f64 / (count * area);
                sum += pairs * reach * reach * self.contact_value(a, b, area);
            }
        }
        1.0 + PI / 4.0 * (1.0 + restitution) * sum
    }

    /// The hits per second that a disc of one kind has with discs of another, at `kT = 1 J`; it grows with the square
    /// root of `kT`. A disc does not hit itself, so it has one partner fewer among its own kind.
    #[must_use]
    pub fn rate_between(&self, a: &Species, b: &Species, area: f64) -> f64 {
        let partners = b.count as f64 - if a == b { 1.0 } else { 0.0 };
        let speed = (2.0 * PI * (1.0 / a.mass + 1.0 / b.mass)).sqrt();
        partners / area * (a.radius + b.radius) * speed * self.contact_value(a, b, area)
    }

    /// The mean number of hits with other discs per disc and second, at `kT = 1 J`.
    #[must_use]
    pub fn collision_rate(&self, area: f64) -> f64 {
        let mut sum = 0.0;
        for a in &self.species {
            for b in &self.species {
                sum += a.count as f64 * self.rate_between(a, b, area);
            }
        }
        sum / self.count() as f64
    }

    /// The mean speed of the discs at `kT = 1 J`, m/s (Maxwell).
    #[must_use]
    pub fn mean_speed(&self) -> f64 {
        let sum: f64 = self.species.iter().map(|kind| kind.count as f64 * (PI / 2.0 / kind.mass).sqrt()).sum();
        sum / self.count() as f64
    }
}

/// Henderson's equation of state: `Z` of equal elastic discs that cover this share of the area.
#[must_use]
pub fn henderson(area_fraction: f64) -> f64 {
    let free = 1.0 - area_fraction;
    (1.0 + area_fraction * area_fraction / 8.0) / (free * free)
}

/// The derivative of `eta Z` by the area fraction `eta`, for Henderson's `Z`. It is the change of pressure with density
/// at a constant temperature, in units of `kT`.
#[must_use]
pub fn stiffness(area_fraction: f64) -> f64 {
    let (eta, free) = (area_fraction, 1.0 - area_fraction);
    (1.0 + 0.375 * eta * eta) / (free * free) + 2.0 * eta * (1.0 + eta * eta / 8.0) / (free * free * free)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A thousand million discs of diameter 1 and mass 1, so that one partner fewer does not show.
    fn equal(eta: f64) -> (Mixture, f64) {
        let count = 1_000_000_000;
        let mixture = Mixture { species: vec![Species { count, radius: 0.5, mass: 1.0 }] };
        (mixture, count as f64 * PI / 4.0 / eta)
    }

    fn near(value: f64, expected: f64) {
        assert!((value / expected - 1.0).abs() < 1e-4, "{value} instead of {expected}");
    }

    #[test]
    fn equal_discs_have_the_published_values() {
        let table = [
            (0.1, 1.23611, 1.18056, 0.53285, 2.35211),
            (0.3, 2.06378, 1.77296, 2.40068, 0.52207),
            (0.5, 4.12500, 3.12500, 7.05237, 0.17772),
        ];
        for (eta, z, contact, rate, path) in table {
            let (mixture, area) = equal(eta);
            let only = mixture.single().unwrap();
            near(mixture.compression_factor(area, 1.0), z);
            near(mixture.contact_value(&only, &only, area), contact);
            near(mixture.collision_rate(area), rate);
            near(mixture.mean_speed() / mixture.collision_rate(area), path);
            // The sum over pairs is Henderson's first-order form, Z = 1 + 2 eta g.
            near(mixture.compression_factor(area, 0.999_999_999), 1.0 + 2.0 * eta * contact);
        }
        for (eta, compressible) in [(0.1, 0.66055), (0.3, 0.25782), (0.5, 0.07921)] {
            near(1.0 / stiffness(eta), compressible);
        }
    }

    #[test]
    fn two_masses_hit_each_other_at_enskogs_rates() {
        let species = [1.0, 5.0].map(|mass| Species { count: 500_000_000, radius: 0.5, mass }).to_vec();
        let mixture = Mixture { species };
        let area = 1e9 * PI / 4.0 / 0.1;
        let [light, heavy] = mixture.species[..] else { panic!("two kinds") };
        // Four digits are published.
        let near = |value: f64, expected: f64, share: f64| {
            assert!((value / expected - 1.0).abs() < share, "{value} instead of {expected}");
        };
        near(mixture.rate_between(&light, &light, area), 0.2664, 3e-4);
        near(mixture.rate_between(&light, &heavy, area), 0.2064, 3e-4);
        near(mixture.rate_between(&heavy, &heavy, area), 0.1191, 5e-4);
    }

    #[test]
    fn a_disc_alone_has_no_partner() {
        let mixture = Mixture { species: vec![Species { count: 1, radius: 0.5, mass: 1.0 }] };
        assert_eq!(mixture.collision_rate(100.0), 0.0);
    }
}
