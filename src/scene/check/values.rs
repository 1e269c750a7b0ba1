//! Checks each disc and each piece of terrain by itself: numbers within their ranges, and no contradictions.

use std::collections::BTreeSet;

use bevy::math::Vec2;

use crate::{
    components::{
        AngularVelocity, Density, Described, Height, Inactive, InvalidValue, Kinematic, LIMIT, LockedAxes, Mass,
        MomentOfInertia, MoveTo, OneWay, Position, Radius, Rotation, Terrain, Velocity, check_field, shortest,
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
    check_free_ids(contents, listed)
}

/// Checks that enough ids are left above the largest one for everything that has none.
fn check_free_ids(contents: &Contents, listed: Listed) -> Result<(), InvalidValue> {
    let (largest, without) = (contents.largest_id(), contents.count_without_id());
    let most = u64::MAX - 1 - without;
    let Some(largest) = largest.filter(|&largest| largest > most) else { return Ok(()) };
    let has_it = |id: Option<u64>| id == Some(largest);
    let terrain = contents.terrain.iter().position(|piece| has_it(piece.id)).map(|i| listed.terrain(i));
    let pocket = || contents.pockets.iter().position(|pocket| has_it(pocket.id)).map(|i| listed.pocket(i));
    let disc = || contents.discs.iter().position(|disc| has_it(disc.id)).map(|i| listed.disc(i));
    let place = terrain.or_else(pocket).or_else(disc).unwrap_or_default();
    let remedy = format!("entries without an id are numbered after it, {without} in all; set it to {most} at most");
    Err(InvalidValue::new("id", largest.to_string(), remedy).of(&place))
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
        InvalidValue::check_range("angular_velocity", spin, -LIMIT..=LIMIT, "rad/s")?;
    }
    if piece.mass.is_some() && matches!(piece.shape, Terrain::Arc { .. }) {
        let problem = "an Arc cannot have one; leave it out, or write a Polyline";
        return Err(InvalidValue::without_value("mass", problem));
    }
    piece.mass.map_or(Ok(()), |mass| check_field("mass", &Mass(mass)))?;
    piece.optional.check_rejecting(piece.kind())
}

/// Checks that the fields of a piece of terrain fit together.
fn check_sense(piece: &TerrainEntry) -> Result<(), InvalidValue> {
    let block = "only a block has one; give it a mass, too, or leave it out";
    if let (None, Some(inertia)) = (piece.mass, piece.get::<MomentOfInertia>()) {
        return Err(InvalidValue::new("moment_of_inertia", inertia.0, block));
    }
    let (field, problem) = if piece.mass.is_none() && piece.has::<LockedAxes>() {
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
    check_mass(disc)?;
    let spin = disc.angular_velocity.map(AngularVelocity);
    spin.map_or(Ok(()), |spin| check_field("angular_velocity", &spin))?;
    disc.optional.check_rejecting(disc.kind())
}

/// Checks the mass of a disc. If it follows from the radius, the error names the radius.
fn check_mass(disc: &DiscEntry) -> Result<(), InvalidValue> {
    if let Some(mass) = disc.mass {
        return check_field("mass", &Mass(mass));
    }
    disc.mass().check().map_err(|_| {
        let [density, mass] = [disc.density.unwrap_or(Density::default().0), disc.mass().0].map(f64::from).map(shortest);
        let remedy = format!(
            "with a density of {density} kg/m² the mass would be {mass} kg; change it, or give a mass from 1e-12 to 1e12 kg"
        );
        InvalidValue::new("radius", disc.radius, remedy)
    })
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
    let bits = |i: usize| {
        let height = contents.discs[i].get().map_or(0.0, |height: &Height| height.height);
        (contents.discs[i].start() + Vec2::ZERO).extend(height).to_array().map(f32::to_bits)
    };
    let mut order: Vec<usize> = (0..contents.discs.len()).filter(|&i| !contents.discs[i].has::<Inactive>()).collect();
    order.sort_unstable_by_key(|&i| (bits(i), i));
    let mut pairs: Vec<[usize; 2]> =
        order.windows(2).filter(|pair| bits(pair[0]) == bits(pair[1])).map(|pair| [pair[1], pair[0]]).collect();
    pairs.sort_unstable();
    first_of_many(pairs.into_iter(), |[i, other]| {
        let Vec2 { x, y } = contents.discs[i].start();
        let [disc, other] = [i, other].map(|i| listed.disc(i));
        format!("{disc}.position is ({x}, {y}), as that of {other} is; give each disc its own place")
    })
}
