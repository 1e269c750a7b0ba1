//! Billiard tables: what is built has the dimensions of its file, and no ball escapes.

use std::path::Path;

use bevy::{
    math::{DVec2, dvec2},
    prelude::*,
};
use carom::{
    billiards::tables::{
        BallName, BuiltTable, Part, PocketKind, PocketSpec, Rack, ShippedTable, SightShape, TableSpec, build, shipped,
    },
    collision::{CollisionSettings, DiscState, PhysicsSpace, SolverMode, run_tick, spin::TablePhysics},
    components::Restitution,
    prelude::*,
    scene::{SceneFile, generate::Generator},
};
use proptest::prelude::*;
use ron::extensions::Extensions;

/// The shipped tables with their dimensions.
fn tables() -> impl Iterator<Item = (&'static str, TableSpec, BuiltTable)> {
    shipped().iter().map(|table| {
        let spec = table.spec().unwrap_or_else(|error| panic!("{}: {error}", table.name));
        let built = build(&spec).unwrap();
        (table.name, spec, built)
    })
}

fn pool() -> TableSpec {
    ShippedTable::named("pool-9ft").unwrap().spec().unwrap()
}

#[test]
fn every_file_in_the_folder_is_shipped_and_a_table_survives_its_text() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/tables");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<String> = files.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    let mut names: Vec<&str> = shipped().iter().map(|table| table.name).collect();
    files.sort();
    names.sort_unstable();
    assert_eq!(files, names);
    let dialect = ron::Options::default()
        .with_default_extension(Extensions::IMPLICIT_SOME)
        .with_default_extension(Extensions::UNWRAP_VARIANT_NEWTYPES);
    for (name, spec, _) in tables() {
        let text = dialect.to_string(&spec).unwrap();
        assert_eq!(TableSpec::parse(&text, name).unwrap(), spec);
    }
}

#[test]
fn mouths_and_cut_angles_of_what_is_built_are_those_of_the_file() {
    for (name, spec, table) in tables() {
        let Some(pockets) = spec.pockets else {
            assert_eq!((table.pieces.len(), table.holes.len()), (4, 0), "{name}");
            continue;
        };
        for (i, hole) in table.holes.iter().enumerate() {
            let pocket = if hole.kind == PocketKind::Corner { pockets.corner } else { pockets.side };
            let jaws = table.cushions.iter().flat_map(|cushion| cushion.jaws.unwrap());
            let tips: Vec<DVec2> = jaws.filter(|jaw| jaw.pocket == i).map(|jaw| jaw.tip).collect();
            assert_eq!(tips.len(), 2);
            assert!((tips[0].distance(tips[1]) - pocket.mouth).abs() < 1e-12, "{name}, {}", hole.name);
            assert!((0.5 * (tips[0] + tips[1])).distance(hole.mouth) < 1e-12, "{name}, {}", hole.name);
            assert!((hole.mouth.distance(hole.centre) - pocket.radius - hole.shelf).abs() < 1e-12);
        }
        // Measured on the terrain itself: between a nose and a face of the same cushion.
        let segments = |part: Part, i: usize| {
            table.pieces.iter().filter(move |piece| (piece.part, piece.index) == (part, i)).map(|piece| {
                let Terrain::Segment { a, b } = piece.terrain else { panic!("{:?}", piece.terrain) };
                [a.as_dvec2(), b.as_dvec2()]
            })
        };
        let mut measured = 0;
        for i in 0..table.cushions.len() {
            let [a, b] = segments(Part::Nose, i).next().unwrap();
            for [start, end] in segments(Part::Face, i) {
                // Along the nose, away from this face.
                let (near, far) = if start.distance(a) < start.distance(b) { (a, b) } else { (b, a) };
                let angle = (far - near).angle_to(end - start).abs().to_degrees();
                let is_corner = end.x.abs() > 0.3 * spec.length;
                let expected = if is_corner { pockets.corner.angle } else { pockets.side.angle };
                assert!((angle - expected).abs() < 2e-3, "{name}, {}: {angle}", table.cushions[i].name);
                measured += 1;
            }
        }
        // The side pockets of snooker are completely round.
        assert_eq!(measured, if name.starts_with("snooker") { 8 } else { 12 }, "{name}");
    }
}

#[test]
fn rounded_tips_are_tangent_to_nose_and_face() {
    let off = |[a, b]: [DVec2; 2], centre: DVec2| (b - a).normalize().perp_dot(centre - a).abs();
    for (name, spec, table) in tables() {
        for cushion in &table.cushions {
            for jaw in cushion.jaws.iter().flatten() {
                assert!((off(cushion.nose, jaw.centre) - jaw.radius).abs() < 1e-9, "{name}, {}", cushion.name);
                assert!((jaw.nose_tangent.distance(jaw.centre) - jaw.radius).abs() < 1e-9);
                let Some(face) = jaw.face_tangent else {
                    assert!((jaw.end.distance(jaw.centre) - jaw.radius).abs() < 1e-9);
                    continue;
                };
                assert!((off([face, jaw.end], jaw.centre) - jaw.radius).abs() < 1e-9, "{name}, {}", cushion.name);
                assert!((face.distance(jaw.centre) - jaw.radius).abs() < 1e-9);
                assert!(off([face, jaw.end], jaw.tip) < 1e-9 && off(cushion.nose, jaw.tip) < 1e-9);
            }
        }
        // The terrain, rounded to f32, stays out of the playing field.
        let (half, field) = (spec.half(), spec.half() - 1e-6);
        for piece in &table.pieces {
            let inside = |point: DVec2| point.abs().cmplt(field).all();
            let at = piece.position.as_dvec2();
            match &piece.terrain {
                Terrain::Circle { radius } => {
                    let radius = f64::from(*radius);
                    assert!((at.abs() - half).max_element() > radius - 1e-6, "{name}: {piece:?}");
                }
                shape => {
                    let (points, _) = shape.outline();
                    assert!(points.iter().all(|point| !inside(point.as_dvec2())), "{name}: {piece:?}");
                }
            }
        }
    }
}

/// Bits that identify a piece, whichever of its ends comes first.
fn bits(table: &BuiltTable, mirror: Vec2) -> Vec<(String, Vec<[u32; 2]>)> {
    let bits = |point: Vec2| (point * mirror + Vec2::ZERO).to_array().map(f32::to_bits);
    let mut all: Vec<_> = table
        .pieces
        .iter()
        .map(|piece| {
            let (mut points, _) = piece.terrain.outline();
            points.push(piece.position);
            let mut points: Vec<_> = points.into_iter().map(bits).collect();
            points.sort_unstable();
            let radius = if let Terrain::Circle { radius } = piece.terrain { radius } else { 0.0 };
            (format!("{:?} {radius}", piece.part), points)
        })
        .collect();
    all.sort();
    all
}

#[test]
fn both_halves_are_mirror_images_to_the_bit() {
    for (name, _, table) in tables() {
        let original = bits(&table, Vec2::ONE);
        for mirror in [vec2(-1.0, 1.0), vec2(1.0, -1.0), vec2(-1.0, -1.0)] {
            assert_eq!(bits(&table, mirror), original, "{name}");
        }
    }
}

/// The terrain of a table, and one ball on it.
fn space(table: &BuiltTable, spec: &TableSpec) -> PhysicsSpace {
    let mut space = PhysicsSpace::default();
    let ball = DiscState { radius: spec.ball.radius as f32, mass: spec.ball.mass as f32, ..DiscState::default() };
    space.discs.push(ball);
    for piece in &table.pieces {
        space.add_terrain(Entity::PLACEHOLDER, &piece.terrain, Position(piece.position), Rotation(0.0), None);
    }
    space.finish_terrain();
    space
}

fn settings() -> CollisionSettings {
    CollisionSettings { mode: SolverMode::Continuous, ..CollisionSettings::default() }
}

fn contains(outline: &[Vec2], point: Vec2) -> bool {
    let edges = outline.iter().zip(outline.iter().cycle().skip(1));
    let crosses = |(a, b): (&Vec2, &Vec2)| {
        (a.y <= point.y) != (b.y <= point.y) && point.x < a.x + (b.x - a.x) * (point.y - a.y) / (b.y - a.y)
    };
    edges.filter(|&edge| crosses(edge)).count() % 2 == 1
}

/// Without holes, so that only cushions, jaws and liners contain the ball. From all places, in all directions.
#[test]
fn no_ball_finds_a_gap() {
    shoot_at_everything(2_000);
}

#[test]
#[ignore = "longer than a test should take without optimisation"]
fn no_ball_of_many_finds_a_gap() {
    shoot_at_everything(10_000);
}

/// Shoots this many balls on each table, one at a time, at 20 m/s for three seconds.
fn shoot_at_everything(shots: u16) {
    for (name, spec, table) in tables() {
        let mut space = space(&table, &spec);
        let room = (spec.half() - spec.ball.radius).as_vec2();
        let in_pocket = |at: Vec2| (at.abs() - room).max_element() > 0.5 * spec.ball.radius as f32;
        let mut pocketed = 0;
        for shot in 0..shots {
            // Places that fill the field evenly, and directions that fill the circle (additive recurrence).
            let share = |step: f64| (f64::from(shot) * step).fract() as f32;
            space.discs.position[0] =
                (vec2(share(0.754_877_666_246_693), share(0.569_840_290_998_053)) * 2.0 - 1.0) * room * 0.999;
            space.discs.velocity[0] = Vec2::from_angle(share(0.618_033_988_749_895) * std::f32::consts::TAU) * 20.0;
            let mut was_in_pocket = false;
            for _ in 0..6 {
                run_tick(&mut space, &settings(), 0.5, |_| {});
                let turns = space.report.path_vertices.iter().map(|vertex| vertex.position);
                for at in turns.chain([space.discs.position[0]]) {
                    let is_on_field = (at.abs() - room).max_element() < 0.0;
                    let is_free =
                        || contains(&table.bed, at) && !table.cushions.iter().any(|c| contains(&c.outline, at));
                    assert!(is_on_field || is_free(), "{name}: shot {shot} got to {at}");
                    was_in_pocket |= in_pocket(at);
                }
            }
            assert!((space.discs.velocity[0].length() - 20.0).abs() < 1e-3, "{name}: shot {shot}");
            pocketed += u32::from(was_in_pocket);
        }
        // The pockets have been tested too.
        assert_eq!(pocketed > u32::from(shots) / 10, spec.pockets.is_some(), "{name}: {pocketed}");
    }
}

#[test]
fn a_slow_ball_straight_into_a_mouth_reaches_the_hole() {
    for (name, spec, table) in tables() {
        for (i, hole) in table.holes.iter().enumerate() {
            let outward = (hole.centre - hole.mouth).normalize();
            for aside in [-0.25, 0.0, 0.25] {
                let mut space = space(&table, &spec);
                let start = hole.mouth - outward * 0.3 + outward.perp() * aside * spec.ball.radius;
                (space.discs.position[0], space.discs.velocity[0]) = (start.as_vec2(), (outward * 0.1).as_vec2());
                let is_in =
                    |space: &PhysicsSpace| space.discs.position[0].as_dvec2().distance(hole.centre) < hole.radius;
                let ticks = (0..600).take_while(|_| {
                    run_tick(&mut space, &settings(), 1.0 / 60.0, |_| {});
                    !is_in(&space)
                });
                assert!(ticks.count() < 600, "{name}, {}", hole.name);
                assert_eq!(space.report.collisions, 0, "{name}, {}: it touched a jaw", hole.name);
            }
            // Behind the shelf there is only the hole, apart from an invisible margin.
            let liner = table.pieces.iter().find(|piece| (piece.part, piece.index) == (Part::Liner, i)).unwrap();
            let from_centre = |point: &Vec2| point.as_dvec2().distance(hole.centre);
            let (points, _) = liner.terrain.outline();
            assert!(points.iter().all(|point| from_centre(point) < hole.radius + 5e-4), "{name}, {}", hole.name);
            // The centre of the hole is drawn dark: it is inside the hole's outline and outside all cushions.
            assert!(contains(&hole.outline, hole.centre.as_vec2()), "{name} {i}");
            assert!(table.cushions.iter().all(|cushion| !contains(&cushion.outline, hole.centre.as_vec2())));
        }
    }
}

/// Whether two edges of a closed outline that are not neighbours cross.
fn crosses_itself(outline: &[Vec2]) -> bool {
    let points: Vec<DVec2> = outline.iter().map(|point| point.as_dvec2()).collect();
    let count = points.len();
    let side = |a: DVec2, b: DVec2, c: DVec2| (b - a).perp_dot(c - a);
    (0..count).any(|i| {
        let (a, b) = (points[i], points[(i + 1) % count]);
        (i + 2..count).filter(|j| (j + 1) % count != i).any(|j| {
            let (c, d) = (points[j], points[(j + 1) % count]);
            side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0
        })
    })
}

#[test]
fn outlines_run_anticlockwise_and_do_not_cross_themselves() {
    for (name, spec, table) in tables() {
        let cushions = table.cushions.iter().map(|cushion| (cushion.name, &cushion.outline));
        let holes = table.holes.iter().map(|hole| (hole.name, &hole.outline));
        for (part, outline) in cushions.chain(holes).chain([("bed", &table.bed), ("rail", &table.rail)]) {
            let ends = outline.iter().zip(outline.iter().cycle().skip(1));
            let area = ends.map(|(a, b)| 0.5 * a.perp_dot(*b)).sum::<f32>();
            assert!(area > 0.0 && !crosses_itself(outline), "{name}, {part}: {area} m²");
            let least = match part {
                "bed" => spec.length * spec.width,
                "rail" => (spec.length + spec.rail_width) * (spec.width + spec.rail_width),
                _ => 2.0 * spec.ball.radius * spec.ball.radius,
            };
            assert!(f64::from(area) > least, "{name}, {part}: {area} m²");
        }
    }
}

/// A number near that of a table, and occasionally any other.
fn near(range: std::ops::Range<f64>) -> impl Strategy<Value = f64> {
    prop_oneof![20 => range, 1 => Just(0.0), 1 => prop::num::f64::ANY]
}

fn pocket(angles: std::ops::Range<f64>) -> impl Strategy<Value = PocketSpec> {
    let sizes = (near(0.09..0.16), near(angles), near(0.02..0.1), near(0.05..0.1), near(0.0..0.04), near(0.05..0.1));
    sizes.prop_map(|(mouth, angle, depth, radius, jaw_radius, liner_radius)| PocketSpec {
        mouth,
        angle,
        depth,
        radius,
        jaw_radius,
        liner_radius,
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Varies one kind of pocket at a time, with the other as on the shipped table, so that more tables are valid.
    #[test]
    fn numbers_of_a_pocket_are_rejected_or_make_a_table_that_holds_its_balls(
        corner in pocket(120.0..155.0), side in pocket(75.0..115.0), is_corner: bool, seed: u16,
    ) {
        let mut spec = TableSpec { rail_width: 0.6, ..pool() };
        if is_corner { pockets(&mut spec).corner = corner } else { pockets(&mut spec).side = side }
        let Ok(table) = build(&spec) else { return Ok(()) };
        prop_assert!(table.holes.iter().all(|hole| hole.centre.is_finite() && hole.shelf.is_finite()));
        let mut space = space(&table, &spec);
        let hole = &table.holes[if is_corner { 2 } else { 1 }];
        for shot in 0..20_u8 {
            // From near the mouth, into the pocket.
            let outward = (hole.centre - hole.mouth).normalize().as_vec2();
            space.discs.position[0] = hole.mouth.as_vec2() - outward * 0.2;
            let angle = (f32::from(seed) * 0.618 + f32::from(shot) * 0.755).fract() - 0.5;
            space.discs.velocity[0] = Vec2::from_angle(angle).rotate(outward) * 20.0;
            run_tick(&mut space, &settings(), 0.5, |_| {});
            for at in space.report.path_vertices.iter().map(|vertex| vertex.position).chain([space.discs.position[0]]) {
                prop_assert!(contains(&table.bed, at), "{spec:?}: {at}");
            }
        }
    }
}

#[test]
fn what_makes_no_sense_is_named_with_its_value_and_the_remedy() {
    type Change = fn(&mut TableSpec);
    let bad: [(Change, &[&str]); 24] = [
        (|spec| spec.ball.radius = 0.0, &["ball.radius is 0;", "from 0.001 to 1 m"]),
        (|spec| spec.ball.mass = f64::NAN, &["ball.mass is NaN;"]),
        (|spec| spec.ball.restitution = 1.1, &["ball.restitution is 1.1;", "from 0 to 1"]),
        (|spec| spec.length = f64::INFINITY, &["length is inf;", "to 100 m"]),
        (|spec| spec.width = 0.1, &["width is 0.1;", "at least five balls"]),
        (|spec| spec.width = 3.0, &["width is 3;", "no more than length, 2.54"]),
        (|spec| spec.cushion_width = 0.0, &["cushion_width is 0;"]),
        (|spec| spec.rail_width = 0.1, &["rail_width is 0.1;", "pockets.side reaches 0.1319", "make it at least that"]),
        (|spec| spec.nose_height = 0.02, &["nose_height is 0.02;", "from 0.028575 to 0.05715 m"]),
        (|spec| spec.slate_restitution = 1.5, &["slate_restitution is 1.5;", "from 0 to 1"]),
        (|spec| spec.cloth.rolling = -0.01, &["cloth.rolling is -0.01;"]),
        (|spec| spec.cushion.restitution = 2.0, &["cushion.restitution is 2;"]),
        (|spec| pockets(spec).corner.mouth = 0.05, &["pockets.corner.mouth is 0.05;", "at least a ball"]),
        (|spec| pockets(spec).corner.mouth = 0.07, &["pockets.corner.mouth is 0.07;", "make the mouth wider"]),
        (|spec| pockets(spec).side.angle = 10.0, &["pockets.side.angle is 10;", "from 60 to 150 degrees"]),
        (|spec| pockets(spec).side.depth = 0.0, &["pockets.side.radius is 0.0645;", "make the depth larger"]),
        (|spec| pockets(spec).corner.radius = 0.02, &["pockets.corner.radius is 0.02;", "not drop; make it at least"]),
        (
            |spec| {
                spec.width = 0.4;
                let corner = &mut pockets(spec).corner;
                (corner.mouth, corner.radius, corner.liner_radius) = (0.3, 0.2, 0.145);
            },
            &["pockets.corner.jaw_radius is 0.008;", "on a short side take 0.42", "the table larger"],
        ),
        (|spec| pockets(spec).corner.jaw_radius = 1.2, &["pockets.corner.liner_radius is 0.054;", "0.283538 m apart"]),
        (|spec| pockets(spec).side.liner_radius = 0.05, &["pockets.side.liner_radius is 0.05;", "half of that"]),
        (|spec| spec.spots[0].place.x = 1.26, &["spots[0].place, x is 1.26;", "so that a ball has room"]),
        (|spec| spec.head_string = Some(2.0), &["head_string is 2;"]),
        (|spec| spec.sights.as_mut().unwrap().behind_nose = 0.01, &["sights.behind_nose is 0.01;", "on the wood"]),
        (|spec| spec.racks.push(Rack::Snooker), &["racks has `snooker`", "needs the spot `yellow`", "add it to spots"]),
    ];
    let wrong = bad.into_iter().filter_map(|(change, words)| {
        let mut spec = pool();
        change(&mut spec);
        let error = build(&spec).map_or_else(|error| error.to_string(), |_| "none".to_owned());
        (!words.iter().all(|word| error.contains(word))).then(|| format!("{error} / {words:?}"))
    });
    assert_eq!(wrong.collect::<Vec<_>>(), [""; 0]);
    let syntax = TableSpec::parse("(\n  title: \"x\",\n  lenght: 2,\n)", "mine.ron").unwrap_err().to_string();
    assert!(syntax.starts_with("mine.ron:3:") && syntax.contains("lenght"), "{syntax}");
    let rack = shipped()[0].text.replace("\"ten-ball\"", "\"tenball\"");
    let rack = TableSpec::parse(&rack, "mine.ron").unwrap_err().to_string();
    assert!(rack.contains("no rack `tenball`") && rack.contains("ten-ball"), "{rack}");
    let unknown = ShippedTable::named("pool-10ft").unwrap_err().to_string();
    assert!(unknown.contains("`pool-10ft`") && unknown.contains("pool-9ft, pool-8ft"), "{unknown}");
}

fn pockets(spec: &mut TableSpec) -> &mut carom::billiards::tables::PocketsSpec {
    spec.pockets.as_mut().unwrap()
}

#[test]
fn racked_balls_lie_on_the_table_and_apart() {
    let mut seen = Vec::new();
    for (name, spec, _) in tables() {
        for &rack in &spec.racks {
            seen.push(rack);
            let balls = rack.balls(&spec, 2e-5).unwrap();
            let count = match rack {
                Rack::NineBall => 10,
                Rack::TenBall => 11,
                Rack::EightBall | Rack::FifteenBall => 16,
                Rack::Snooker => 22,
                Rack::StraightRail | Rack::ThreeCushion => 3,
            };
            assert_eq!(balls.len(), count, "{name}, {}", rack.name());
            assert_eq!(balls[0].name, BallName::Cue);
            let mut names: Vec<_> = balls.iter().map(|ball| ball.name).filter(|name| *name != BallName::Red).collect();
            names.sort_unstable();
            assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
            let diameter = 2.0 * spec.ball.radius;
            for (i, a) in balls.iter().enumerate() {
                assert!(a.place.abs().cmplt(spec.half() - spec.ball.radius).all(), "{name}: {a:?}");
                let nearest = balls.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, b)| a.place.distance(b.place));
                let nearest = nearest.fold(f64::INFINITY, f64::min);
                assert!(nearest > diameter + 1.9e-5, "{name}, {}: {a:?}", rack.name());
                if matches!(a.name, BallName::Number(_) | BallName::Red) && balls.len() > 3 {
                    assert!(nearest < diameter + 2.1e-5, "{name}, {}: {a:?}", rack.name());
                }
            }
        }
    }
    assert!(Rack::ALL.iter().all(|rack| seen.contains(rack)));
    let at = |rack: Rack, number| {
        let balls = rack.balls(&pool(), 0.0).unwrap();
        balls.into_iter().find(|ball| ball.name == BallName::Number(number)).unwrap().place
    };
    // The ball at the apex is on the foot spot, and the game ball is in the middle behind it.
    for (rack, middle) in [(Rack::EightBall, 8), (Rack::NineBall, 9), (Rack::TenBall, 10)] {
        assert_eq!(at(rack, 1), dvec2(0.635, 0.0));
        assert!((at(rack, middle) - dvec2(0.635 + 0.05715 * 3.0_f64.sqrt(), 0.0)).length() < 1e-12, "{}", rack.name());
    }
}

#[test]
fn marks_are_where_the_rules_have_them() {
    let sights: Vec<usize> = tables().map(|(_, _, table)| table.sights.len()).collect();
    assert_eq!(sights, [18, 18, 18, 0, 20, 0]);
    let (_, spec, table) = tables().next().unwrap();
    assert!(matches!(table.sights[0].shape, SightShape::Diamond { .. }));
    assert_eq!(table.sights[0].place, (spec.half() * dvec2(-0.75, 1.0) + dvec2(0.0, 0.0936625)).as_vec2());
    assert_eq!(table.bounds().size(), dvec2(2.54 + 0.33, 1.27 + 0.33).as_vec2());
    let (_, spec, table) = tables().nth(3).unwrap();
    let [line, d] = &table.lines[..] else { panic!("{:?}", table.lines) };
    let nearest_baulk_cushion = line[0].x + 0.5 * spec.length as f32;
    assert!((nearest_baulk_cushion - 0.737).abs() < 1e-6);
    let ends = [d[0], *d.last().unwrap()];
    assert_eq!(ends, ["yellow", "green"].map(|spot| spec.spot(spot).unwrap().as_vec2()));
    assert!(d.iter().all(|point| point.x <= line[0].x));
    let (_, spec, table) = tables().nth(5).unwrap();
    let [_, _, _, back, rings @ ..] = &table.lines[..] else { panic!("{:?}", table.lines) };
    assert_eq!((f64::from(back[0].x), rings.len()), (f64::from(1.5_f32), 4));
    for (ring, circle) in rings.iter().zip(&spec.circles) {
        let off = |point: &Vec2| (point.as_dvec2().distance(circle.place) - circle.radius).abs();
        assert!(ring.first() == ring.last() && ring.iter().all(|point| off(point) < 1e-6));
    }
}

#[test]
fn a_scene_names_a_table_and_a_rack() {
    let text = "(collision: (mode: Continuous), generate: [Table(name: \"pool-8ft\", rack: \"nine-ball\")])";
    let scene = SceneFile::parse(text, "nine.ron").unwrap();
    let contents = scene.expand().unwrap();
    assert_eq!((contents.terrain.len(), contents.discs.len()), (36, 10));
    assert!(contents.warnings.is_empty(), "{:?}", contents.warnings);
    assert!(contents.discs[0].cue && contents.discs[1].number == Some(1) && !contents.discs[1].striped);
    assert!(contents.discs.iter().any(|disc| disc.striped && disc.number == Some(9)));
    let liners = contents.terrain.iter().filter(|piece| piece.get::<Restitution>() == Some(&Restitution(0.2)));
    assert_eq!(liners.count(), 6);
    let Generator::Table(table) = &scene.generate[0] else { panic!() };
    assert_eq!(table.holes().unwrap().len(), 6);
    for name in shipped().iter().map(|table| table.name) {
        let spec = ShippedTable::named(name).unwrap().spec().unwrap();
        for rack in spec.racks {
            let text = format!("(generate: [Table(name: \"{name}\", rack: \"{}\")])", rack.name());
            SceneFile::parse(&text, name).unwrap();
        }
    }
    for (text, words) in [
        ("(generate: [Table(name: \"pool-10ft\")])", "generate[0].Table.name: there is no table `pool-10ft`"),
        (
            "(generate: [Table(name: \"pool-9ft\", rack: \"snooker\")])",
            "rack is snooker; choose one of those of pool-9ft: ",
        ),
        ("(generate: [Table(rack: \"nineball\")])", "there is no rack `nineball`"),
        ("(generate: [Table(gap: -1)])", "gap is -1; set it from 0 to 0.01"),
    ] {
        let error = SceneFile::parse(text, "bad.ron").unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn balls_of_a_generated_table_fly_if_the_scene_says_so() {
    let table = |text: &str| SceneFile::parse(text, "scene.ron").unwrap().expand().unwrap().table.unwrap();
    assert_eq!(table("(generate: [Table()])").flight, None);
    assert_eq!(table("(generate: [Table(flight: true)])").flight, Some(pool().flight()));
    assert_eq!(table("(generate: [Table(name: \"curling\", flight: true)])").flight, None, "flat stones stay down");
    // Nothing else changes, and a scene without it is written as before.
    let spec = TableSpec { slate_restitution: 0.6, ..pool() };
    assert!((spec.flight().slate_restitution - 0.6).abs() < 1e-7);
    assert_eq!(TablePhysics { flight: None, ..spec.flying_physics() }, spec.physics());
    let scene = SceneFile::parse("(generate: [Table()])", "scene.ron").unwrap();
    assert!(!scene.to_text().unwrap().contains("flight"));
}
