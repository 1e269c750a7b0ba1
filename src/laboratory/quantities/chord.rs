//! The mean way of a disc between two hits on terrain. The mean over all places and directions is `pi A / P`, with the
//! area and the boundary of the region that the centre can reach (Santaló). For hits on one component of the boundary,
//! P is the length of that component (Kac).

use std::f64::consts::PI;

use bevy::math::Vec2;

use super::{
    one_disc::{self, Event},
    virial,
};
use crate::{
    laboratory::{
        billiard::Boundary,
        measurement::{Averages, Curve, Measurement, Moment, Quantity, Value, Values},
    },
    notice::mark,
};

/// Two boundaries whose areas and lengths differ by less than this share are the same.
const SAME: f64 = 1e-6;

pub const CHORD: Quantity = Quantity {
    name: "chord",
    title: mark("Chord"),
    about: mark("mean distance that a disc moves between two hits on terrain"),
    unit: "m",
    needs: mark("one disc, or discs that do not collide, among fixed elastic walls"),
    curve: Some(Curve { x: mark("component of the boundary"), y: mark("distance between its hits (m)") }),
    begin: |moment| {
        one_disc::check(moment)?;
        let boundaries: Result<Vec<Boundary>, String> =
            (0..moment.gas.count).map(|disc| Boundary::of(moment.space, disc)).collect();
        let is_same = |a: f64, b: f64| (a / b - 1.0).abs() < SAME;
        let boundary = boundaries.and_then(|mut boundaries| {
            let first = boundaries.swap_remove(0);
            let same =
                |other: &Boundary| is_same(other.area(), first.area()) && is_same(other.length(), first.length());
            if boundaries.iter().all(same) {
                Ok(first)
            } else {
                Err(mark("the discs have different tables").to_owned())
            }
        });
        let boundary = match boundary {
            Ok(_) if moment.space.laws.gravity != Vec2::ZERO => Err(mark("gravity acts").to_owned()),
            boundary => boundary,
        };
        Ok(Box::new(Chord { boundary, changes_speed: false }))
    },
};

struct Chord {
    boundary: Result<Boundary, String>,
    changes_speed: bool,
}

impl Measurement for Chord {
    fn terms(&self) -> usize {
        // Metres, hits, and the hits on each component.
        2 + self.boundary.as_ref().map_or(0, |boundary| boundary.components().len())
    }

    fn add(&mut self, moment: &Moment, sums: &mut [f64]) {
        for disc in 0..moment.gas.count {
            let radius = f64::from(moment.space.discs.radius[disc]);
            one_disc::follow(moment, disc, |event| match event {
                Event::Flight { metres, .. } => sums[0] += metres,
                Event::Hit(hit) => {
                    sums[1] += 1.0;
                    self.changes_speed |= one_disc::changes_speed(hit);
                    if let Ok(boundary) = &self.boundary {
                        let centre = hit.point.as_dvec2() - hit.normal.as_dvec2() * radius;
                        sums[2 + boundary.closest(centre).0.component] += 1.0;
                    }
                }
            });
        }
    }

    fn values(&self, averages: &Averages, sums: &[f64]) -> Result<Values, String> {
        one_disc::check_run(averages, self.changes_speed)?;
        let [metres, hits] = [sums[0], sums[1]];
        if hits == 0.0 {
            return Err(mark("no disc hit terrain; measure for longer").to_owned());
        }
        let boundary = self.boundary.as_ref().ok();
        let components = boundary.map_or(&[][..], Boundary::components).iter();
        let curve = components.zip(&sums[2..]).enumerate().filter(|(_, (_, hits))| **hits > 0.0);
        let curve = curve.map(|(index, (component, hits))| {
            let theory = boundary.map(|boundary| PI * boundary.area() / component.length());
            ((index + 1) as f64, Value { value: metres / hits, theory })
        });
        let value = Value { value: metres / hits, theory: boundary.map(Boundary::mean_chord) };
        Ok(Values { value, curve: curve.collect() })
    }

    fn mixes_by_disc_hits(&self) -> bool {
        false
    }

    fn note(&self) -> Option<String> {
        match &self.boundary {
            Ok(_) => {
                Some(mark("the theory is the mean over all places and directions; the path must be chaotic").to_owned())
            }
            Err(reason) => virial::note(Some(reason)),
        }
    }
}
