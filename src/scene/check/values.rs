//! Each disc and each piece of terrain by itself: numbers within their bounds, and nothing said twice.

use std::collections::BTreeSet;

use bevy::math::Vec2;

use crate::{
    collision::{self, DiscState, LIMIT},
    components::{LockedAxes, OneWay, Oscillation, Terrain},
    scene::{
        contact,
        contents::{Contents, Listed},
        entries::{DiscEntry, PocketEntry, TerrainEntry},
        registry::SceneRegistry,
        text::first_of_many,
    },
};

pub(super) fn check(contents: &Contents, listed: Listed, registry: &SceneRegistry) -> Result<(), String> {
    let mut ids = BTreeSet::new();
    let mut check_id = |id: Option<u64>| match id {
        Some(u64::MAX) => Err("id is the greatest number there is; choose a smaller one".to_owned()),
        Some(id) if !ids.insert(id) => Err(format!("id is {id}, which another one has; give each its own, or none")),
        _ => Ok(()),
    };
    for (i, piece) in contents.terrain.iter().enumerate() {
        let at = |problem: String| format!("{}.{problem}", listed.terrain(i));
        check_id(piece.id).map_err(at)?;
        check_terrain(piece).map_err(at)?;
        let problem = kick_problem(piece.kick).or_else(|| one_way_problem(piece));
        if let Some(problem) = problem.or_else(|| contact::terrain_problem(piece)) {
            return Err(at(problem));
        }
        registry.check_components(&piece.components).map_err(at)?;
    }
    for (i, pocket) in contents.pockets.iter().enumerate() {
        let at = |problem: String| format!("{}.{problem}", listed.pocket(i));
        check_id(pocket.id).map_err(at)?;
        check_pocket(pocket).map_err(at)?;
        registry.check_components(&pocket.components).map_err(at)?;
    }
    check_ignored(contents, listed)?;
    for (i, disc) in contents.discs.iter().enumerate() {
        let at = |problem: String| format!("{}.{problem}", listed.disc(i));
        if let Some(pocket) = disc.pocket.filter(|pocket| *pocket >= contents.pockets.len()) {
            let count = contents.pockets.len();
            return Err(at(format!("pocket is {pocket}; the scene has {count} pockets, counted from 0")));
        }
        check_id(disc.id).map_err(at)?;
        if let Some(problem) = kick_problem(disc.kick).or_else(|| contact::disc_problem(disc)) {
            return Err(at(problem));
        }
        registry.check_components(&disc.components).map_err(at)?;
        if let Some(density) = disc.density
            && !(density > 0.0 && density.is_finite())
        {
            return Err(at(format!("density is {density}; set it above zero, in kg/m²")));
        }
        if let (Some(mass), Some(density)) = (disc.mass, disc.density) {
            return Err(at(format!("density is {density} kg/m², and mass is {mass} kg; give one of them")));
        }
        if let (Some(Vec2 { x, y }), false) = (disc.move_to, disc.kinematic) {
            return Err(at(format!(
                "move_to is ({x}, {y}), and the disc is not kinematic; add kinematic: true, or leave it out"
            )));
        }
        check_disc(disc).map_err(at)?;
    }
    Ok(())
}

/// Whether the solver takes a piece of terrain, as far as its shape, place and motion go; else the value that it
/// rejects, as `field is …; set …`.
pub(super) fn check_terrain(piece: &TerrainEntry) -> Result<(), String> {
    piece.shape.check().map_err(|error| match shape_problem(&piece.shape) {
        Some(problem) => format!("shape.{problem}"),
        None => format!("shape: {error}"),
    })?;
    // A disc's rules for a place and a restitution are terrain's as well.
    check_state(&DiscState { position: piece.position, restitution: piece.restitution, ..DiscState::default() })?;
    if !piece.rotation.is_finite() {
        return Err(format!("rotation is {}; set it to a finite angle in radians", piece.rotation));
    }
    check_motion(piece)
}

/// Whether the solver takes a pocket.
pub(super) fn check_pocket(pocket: &PocketEntry) -> Result<(), String> {
    // A disc's rules for a place and a radius are a pocket's as well.
    check_state(&DiscState { position: pocket.position, radius: pocket.radius, ..DiscState::default() })
}

/// Whether the solver takes a disc.
pub(super) fn check_disc(disc: &DiscEntry) -> Result<(), String> {
    check_state(&DiscState {
        position: disc.position,
        velocity: disc.velocity,
        radius: disc.radius,
        mass: disc.mass().0,
        restitution: disc.restitution,
        spin: disc.spin(),
        kinematic: disc.kinematic,
        move_to: disc.move_to,
        ..DiscState::default()
    })
}

fn check_state(state: &DiscState) -> Result<(), String> {
    collision::check_disc(state).map_err(|invalid| field_first(&invalid.to_string()))
}

/// Why nothing kicks with a speed.
fn kick_problem(kick: f32) -> Option<String> {
    (!(0.0..=LIMIT).contains(&kick)).then(|| format!("kick is {kick}; set it from 0 to 1e12 m/s"))
}

/// Why discs cannot pass a piece one way, as `one_way is …; set …`.
fn one_way_problem(piece: &TerrainEntry) -> Option<String> {
    match (piece.one_way?, &piece.shape) {
        (_, Terrain::Circle { .. }) => {
            Some("one_way is given, and a Circle has no walls to pass; leave it out".to_owned())
        }
        (OneWay::Toward(Vec2 { x, y }), _) if !(x.is_finite() && y.is_finite()) || (x == 0.0 && y == 0.0) => {
            Some(format!("one_way is Toward({x}, {y}); set it to a direction, such as Toward(0, 1)"))
        }
        _ => None,
    }
}

/// Whether all that discs ignore is there.
fn check_ignored(contents: &Contents, listed: Listed) -> Result<(), String> {
    if contents.discs.iter().all(|disc| disc.ignores.is_empty()) {
        return Ok(());
    }
    let numbers = contents.numbers();
    let ids: BTreeSet<u64> = numbers.terrain.into_iter().chain(numbers.discs).collect();
    for (i, disc) in contents.discs.iter().enumerate() {
        if let Some((k, id)) = disc.ignores.iter().enumerate().find(|(_, id)| !ids.contains(id)) {
            return Err(format!(
                "{}.ignores[{k}] is {id}, which is the id of no disc and of no piece of terrain; name one that is there",
                listed.disc(i)
            ));
        }
    }
    Ok(())
}

/// Which number of a shape is out of range, as `half_size is …; set …`.
fn shape_problem(shape: &Terrain) -> Option<String> {
    let is_size = |size: f32| size > 0.0 && size <= LIMIT;
    let point = |field: &str, point: Vec2| {
        let is_outside = !point.abs().cmple(Vec2::splat(LIMIT)).all();
        is_outside.then(|| format!("{field} is ({}, {}); set both to numbers from -1e12 to 1e12 m", point.x, point.y))
    };
    match shape {
        Terrain::Circle { radius } => (!(*radius >= 0.0 && *radius <= LIMIT))
            .then(|| format!("radius is {radius}; set it to a number from 0 to 1e12 m")),
        Terrain::Block { half_size: Vec2 { x, y } } | Terrain::Arena { half_size: Vec2 { x, y } } => (!(is_size(*x)
            && is_size(*y)))
        .then(|| format!("half_size is ({x}, {y}); set both to numbers above 0, up to 1e12 m")),
        Terrain::Segment { a, b } => point("a", *a).or_else(|| point("b", *b)),
        Terrain::Arc { radius, .. } if !is_size(*radius) => {
            Some(format!("radius is {radius}; set it to a number above 0, up to 1e12 m"))
        }
        Terrain::Arc { start, .. } if !start.is_finite() => {
            Some(format!("start is {start}; set it to a finite angle in radians, or leave it out for 0"))
        }
        Terrain::Arc { extent, .. } => (!(*extent > 0.0 && extent.is_finite())).then(|| {
            format!("extent is {extent}; set it to an angle above 0 in radians, or leave it out for the whole circle")
        }),
        Terrain::Polygon { points } | Terrain::Polyline { points } => {
            points.iter().enumerate().find_map(|(k, at)| point(&format!("points[{k}]"), *at))
        }
    }
}

/// The solver names components (`MoveTo is …`), a file fields (`move_to is …`).
fn field_first(invalid: &str) -> String {
    let (component, rest) = invalid.split_at(invalid.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(0));
    let mut field = String::new();
    for letter in component.chars() {
        if letter.is_ascii_uppercase() && !field.is_empty() {
            field.push('_');
        }
        field.push(letter.to_ascii_lowercase());
    }
    field + rest
}

/// A second disc that is the one to be shot.
pub(super) fn second_cue(contents: &Contents, listed: Listed) -> Option<String> {
    let mut cues = contents.discs.iter().enumerate().filter(|(_, disc)| disc.cue).map(|(i, _)| i);
    let first = cues.next()?;
    first_of_many(cues, |i| {
        format!(
            "{}.cue is true, as that of discs[{first}] is, so that it is left to the mouse which of them is shot, and --strike and \
             --aim take the one with the lower id; keep one",
            listed.disc(i)
        )
    })
}

/// Discs in the very same place, as those are whose place was forgotten.
pub(super) fn coincident(contents: &Contents, listed: Listed) -> Option<String> {
    // A zero has no sign here.
    let bits = |i: usize| (contents.discs[i].position + Vec2::ZERO).to_array().map(f32::to_bits);
    let mut order: Vec<usize> = (0..contents.discs.len()).filter(|&i| !contents.discs[i].inactive).collect();
    order.sort_unstable_by_key(|&i| (bits(i), i));
    let mut pairs: Vec<[usize; 2]> =
        order.windows(2).filter(|pair| bits(pair[0]) == bits(pair[1])).map(|pair| [pair[1], pair[0]]).collect();
    pairs.sort_unstable();
    first_of_many(pairs.into_iter(), |[i, other]| {
        let Vec2 { x, y } = contents.discs[i].position;
        format!("{}.position is ({x}, {y}), as that of discs[{other}] is; give each disc its own place", listed.disc(i))
    })
}

/// Whether what moves a piece of terrain are numbers that the solver can work with.
fn check_motion(piece: &TerrainEntry) -> Result<(), String> {
    let fits = |value: f32| value.abs() <= LIMIT;
    let both_fit = |vector: Vec2| fits(vector.x) && fits(vector.y);
    let TerrainEntry { velocity, angular_velocity, move_to, turn_to, oscillation, .. } = piece;
    let written = |vector: Vec2| format!("({}, {})", vector.x, vector.y);
    if let Some(velocity) = velocity.filter(|&velocity| !both_fit(velocity)) {
        return Err(format!("velocity is {}; set it to finite components within 1e12 m/s", written(velocity)));
    }
    if let Some(angular_velocity) = angular_velocity.filter(|&angular_velocity| !fits(angular_velocity)) {
        return Err(format!("angular_velocity is {angular_velocity}; set it to a finite number within 1e12 rad/s"));
    }
    if let Some(target) = move_to.filter(|&target| !both_fit(target)) {
        return Err(format!("move_to is {}; set it to finite coordinates within 1e12 m", written(target)));
    }
    if let Some(target) = turn_to.filter(|target| !target.is_finite()) {
        return Err(format!("turn_to is {target}; set it to a finite angle in radians"));
    }
    for (field, value, unit) in [("mass", piece.mass, "kg"), ("moment_of_inertia", piece.moment_of_inertia, "kg m²")] {
        if let Some(value) = value.filter(|value| !(1.0 / LIMIT..=LIMIT).contains(value)) {
            return Err(format!("{field} is {value}; set it above zero, from 1e-12 to 1e12 {unit}"));
        }
    }
    if piece.mass.is_some() && matches!(piece.shape, Terrain::Arc { .. }) {
        return Err("mass is given, and an Arc cannot have one; leave it out, or write a Polyline".into());
    }
    if piece.mass.is_none() && (piece.moment_of_inertia.is_some() || piece.locked_axes != LockedAxes::default()) {
        return Err(
            "moment_of_inertia and locked_axes are those of a block; give it a mass, too, or leave them out".into()
        );
    }
    let Some(Oscillation { centre, amplitude, frequency, phase }) = *oscillation else { return Ok(()) };
    for (field, vector) in [("centre", centre), ("amplitude", amplitude)] {
        if !both_fit(vector) {
            return Err(format!(
                "oscillation.{field} is {}; set it to finite coordinates within 1e12 m",
                written(vector)
            ));
        }
    }
    for (field, value, unit) in [("frequency", frequency, "hertz"), ("phase", phase, "turns")] {
        if !fits(value) {
            return Err(format!("oscillation.{field} is {value}; set it to a finite number within 1e12, in {unit}"));
        }
    }
    Ok(())
}
