//! Checks each disc and each piece of terrain by itself: numbers within their ranges, and no contradictions.

use std::collections::BTreeSet;

use bevy::math::Vec2;

use crate::{
    components::{
        AngularVelocity, Described, Inactive, InvalidValue, Kinematic, LIMIT, LockedAxes, Mass, MomentOfInertia,
        MoveTo, OneWay, Orbit, Oscillation, Position, Radius, Restitution, Rotation, Terrain, TurnTo, Velocity,
    },
    scene::{
        contents::{Contents, Listed},
        entries::{DiscEntry, PocketEntry, TerrainEntry},
        optional::EntryKind,
        registry::SceneRegistry,
        text::first_of_many,
    },
};

pub(super) fn check(contents: &Contents, listed: Listed, registry: &SceneRegistry) -> Result<(), InvalidValue> {
    let mut ids = BTreeSet::new();
    let mut check_id = |id: Option<u64>| match id {
        Some(u64::MAX) => Err(InvalidValue::new("id", u64::MAX.to_string(), "set it below 2^64 - 1")),
        Some(id) if !ids.insert(id) => {
            Err(InvalidValue::new("id", id.to_string(), "another one has it; give each its own, or none"))
        }
        _ => Ok(()),
    };
    for (i, piece) in contents.terrain.iter().enumerate() {
        let at = |invalid: InvalidValue| invalid.of(&listed.terrain(i));
        check_id(piece.id).map_err(at)?;
        check_terrain(piece).map_err(at)?;
        check_sense(piece).map_err(at)?;
        piece.optional.check(EntryKind::Terrain).map_err(at)?;
        registry.check_components(&piece.components).map_err(at)?;
    }
    for (i, pocket) in contents.pockets.iter().enumerate() {
        let at = |invalid: InvalidValue| invalid.of(&listed.pocket(i));
        check_id(pocket.id).map_err(at)?;
        check_pocket(pocket).map_err(at)?;
        registry.check_components(&pocket.components).map_err(at)?;
    }
    check_ignored(contents, listed)?;
    for (i, disc) in contents.discs.iter().enumerate() {
        let at = |invalid: InvalidValue| invalid.of(&listed.disc(i));
        if let Some(pocket) = disc.pocket.filter(|pocket| *pocket >= contents.pockets.len()) {
            let known = format!("the scene has {} pockets, counted from 0", contents.pockets.len());
            return Err(at(InvalidValue::new("pocket", pocket.to_string(), known)));
        }
        check_id(disc.id).map_err(at)?;
        disc.optional.check(EntryKind::Disc).map_err(at)?;
        registry.check_components(&disc.components).map_err(at)?;
        if let Some(density) = disc.density
            && !(density > 0.0 && density.is_finite())
        {
            return Err(at(InvalidValue::new("density", density, "set it above zero, in kg/m²")));
        }
        if let (Some(mass), Some(density)) = (disc.mass, disc.density) {
            let remedy = format!("mass is {mass} kg, too; give one of them");
            return Err(at(InvalidValue::new("density", density, remedy)));
        }
        if let (Some(MoveTo(place)), false) = (disc.get(), disc.has::<Kinematic>()) {
            let remedy = "the disc is not kinematic; add kinematic: true, or leave it out";
            return Err(at(InvalidValue::new("move_to", *place, remedy)));
        }
        check_disc(disc).map_err(at)?;
    }
    Ok(())
}

/// Checks that the solver accepts the shape, position and motion of a piece of terrain.
///
/// # Errors
/// The value for which the solver would reject it.
pub(super) fn check_terrain(piece: &TerrainEntry) -> Result<(), InvalidValue> {
    piece.shape.check().map_err(|invalid| invalid.of("shape"))?;
    check_field("position", &Position(piece.position))?;
    check_field("rotation", &Rotation(piece.rotation))?;
    piece.velocity.map_or(Ok(()), |velocity| check_field("velocity", &Velocity(velocity)))?;
    if let Some(spin) = piece.angular_velocity {
        let range = "set it to a finite number within 1e12 rad/s";
        InvalidValue::check("angular_velocity", spin, [-LIMIT, LIMIT], range)?;
    }
    if piece.mass.is_some() && matches!(piece.shape, Terrain::Arc { .. }) {
        let problem = "an Arc cannot have one; leave it out, or write a Polyline";
        return Err(InvalidValue::without_value("mass", problem));
    }
    piece.mass.map_or(Ok(()), |mass| check_field("mass", &Mass(mass)))?;
    piece.optional.check_one::<Restitution>()?;
    piece.optional.check_one::<MoveTo>()?;
    piece.optional.check_one::<TurnTo>()?;
    piece.optional.check_one::<Oscillation>()?;
    piece.optional.check_one::<Orbit>()?;
    piece.optional.check_one::<MomentOfInertia>()
}

/// Checks that the fields of a piece of terrain fit together.
fn check_sense(piece: &TerrainEntry) -> Result<(), InvalidValue> {
    let block = "only a block has one; give it a mass, too, or leave it out";
    let (field, problem) = if piece.mass.is_none() && piece.has::<MomentOfInertia>() {
        ("moment_of_inertia", block)
    } else if piece.mass.is_none() && piece.has::<LockedAxes>() {
        ("locked_axes", block)
    } else if piece.has::<OneWay>() && matches!(piece.shape, Terrain::Circle { .. }) {
        ("one_way", "a Circle has no walls to pass; leave it out")
    } else {
        return Ok(());
    };
    Err(InvalidValue::without_value(field, problem))
}

/// Checks that the solver accepts a pocket.
pub(super) fn check_pocket(pocket: &PocketEntry) -> Result<(), InvalidValue> {
    check_field("position", &Position(pocket.position))?;
    check_field("radius", &Radius(pocket.radius))
}

/// Checks that the solver accepts a disc.
pub(super) fn check_disc(disc: &DiscEntry) -> Result<(), InvalidValue> {
    check_field("position", &Position(disc.position))?;
    check_field("velocity", &Velocity(disc.velocity))?;
    check_field("radius", &Radius(disc.radius))?;
    check_field("mass", &disc.mass())?;
    let spin = disc.angular_velocity.map(AngularVelocity);
    spin.map_or(Ok(()), |spin| check_field("angular_velocity", &spin))?;
    disc.optional.check_one::<MoveTo>()?;
    disc.optional.check_one::<Restitution>()
}

fn check_field<C: Described>(field: &str, component: &C) -> Result<(), InvalidValue> {
    component.check().map_err(|invalid| invalid.of(field))
}

/// Checks that everything that discs ignore exists.
fn check_ignored(contents: &Contents, listed: Listed) -> Result<(), InvalidValue> {
    if contents.discs.iter().all(|disc| disc.ignores.is_empty()) {
        return Ok(());
    }
    let numbers = contents.numbers();
    let ids: BTreeSet<u64> = numbers.terrain.into_iter().chain(numbers.discs).collect();
    for (i, disc) in contents.discs.iter().enumerate() {
        if let Some((k, id)) = disc.ignores.iter().enumerate().find(|(_, id)| !ids.contains(id)) {
            let remedy = "no disc and no piece of terrain has this id; name one that is there";
            return Err(InvalidValue::new(format!("ignores[{k}]"), id.to_string(), remedy).of(&listed.disc(i)));
        }
    }
    Ok(())
}

/// Warns of a second disc marked as cue ball.
pub(super) fn second_cue(contents: &Contents, listed: Listed) -> Option<String> {
    let mut cues = contents.discs.iter().enumerate().filter(|(_, disc)| disc.cue).map(|(i, _)| i);
    let first = cues.next()?;
    first_of_many(cues, |i| {
        format!(
            "{}.cue is true, as that of {} is, so that it is left to the mouse which of them is shot, and --strike and \
             --aim take the one with the lower id; keep one",
            listed.disc(i),
            listed.disc(first)
        )
    })
}

/// Warns of discs in the same place, which may lack a position.
pub(super) fn coincident(contents: &Contents, listed: Listed) -> Option<String> {
    // Adding zero removes the sign of a negative zero.
    let bits = |i: usize| (contents.discs[i].position + Vec2::ZERO).to_array().map(f32::to_bits);
    let mut order: Vec<usize> = (0..contents.discs.len()).filter(|&i| !contents.discs[i].has::<Inactive>()).collect();
    order.sort_unstable_by_key(|&i| (bits(i), i));
    let mut pairs: Vec<[usize; 2]> =
        order.windows(2).filter(|pair| bits(pair[0]) == bits(pair[1])).map(|pair| [pair[1], pair[0]]).collect();
    pairs.sort_unstable();
    first_of_many(pairs.into_iter(), |[i, other]| {
        let Vec2 { x, y } = contents.discs[i].position;
        let [disc, other] = [i, other].map(|i| listed.disc(i));
        format!("{disc}.position is ({x}, {y}), as that of {other} is; give each disc its own place")
    })
}
