//! The content of each figure.

use bevy::{
    math::{DVec2, DVec3, dvec2},
    prelude::default,
};
use carom::{
    billiards::cue::{Cue, CueStrike, cue_speed, strike},
    collision::spin::{
        Motion, TablePhysics,
        cushion::{self, Cushion, CushionModel},
        pair::{PairFriction, collide},
    },
};

use super::{
    chart::{Anchor, Axis, BLUE, Chart, FAINT, GREEN, INK, ORANGE, PURPLE, Panel},
    shots::{BALL, RADIUS, Shot, angle, direction, rolling, stun},
};

/// Every figure: its name, and the function that draws it.
pub const ALL: [(&str, fn() -> String); 5] = [
    ("throw", throw),
    ("thirty-degrees", thirty_degrees),
    ("cushions", cushions),
    ("draw-and-follow", draw_and_follow),
    ("masse", masse),
];

/// Two balls that almost touch, with the line of centres rotated to the right by a cut, degrees.
fn at_cut(cue: Motion, degrees: f64) -> [(DVec2, Motion); 2] {
    let line = direction(-degrees) * (2.0 * RADIUS * (1.0 + 1e-6));
    [(DVec2::ZERO, cue), (line, Motion::default())]
}

fn throw() -> String {
    let mut chart = Chart::new(
        720.0,
        430.0,
        "Throw is largest in slow stun shots; rolling and speed reduce it",
        "No side, restitution 1, Alciatore's friction. Lines: one hit; dots and rings: played at 120 Hz.",
    );
    let panel = Panel {
        corner: dvec2(66.0, 66.0),
        size: dvec2(500.0, 306.0),
        x: Axis { label: "cut angle, degrees", from: 0.0, to: 80.0, step: 10.0 },
        y: Axis { label: "throw of the object ball, degrees", from: 0.0, to: 6.0, step: 1.0 },
    };
    chart.axes(&panel);
    let kinds: [(bool, fn(DVec2) -> Motion); 2] = [(false, stun), (true, rolling)];
    for (speed, colour, word) in
        [(0.447, BLUE, "0.45 m/s (1 mph)"), (1.341, ORANGE, "1.3 m/s (3 mph)"), (3.129, GREEN, "3.1 m/s (7 mph)")]
    {
        for (rolls, cue) in kinds {
            let cue = cue(DVec2::X * speed);
            let thrown = |degrees: f64| {
                let hit = collide(
                    [&BALL, &BALL],
                    [&cue, &Motion::default()],
                    direction(-degrees),
                    1.0,
                    &PairFriction::Alciatore,
                );
                dvec2(degrees, hit.map_or(0.0, |hit| angle(hit.b.velocity) + degrees))
            };
            let cuts = (0..=160).map(|k| 0.5 * f64::from(k));
            chart.line(&panel, cuts.map(thrown), colour, rolls);
            let played = |degrees: f64| {
                let mut shot = Shot::new(&at_cut(cue, degrees), TablePhysics::default(), 1.0);
                shot.until_hit();
                dvec2(degrees, angle(shot.motion(1).velocity) + degrees)
            };
            chart.dots(&panel, [15.0, 30.0, 45.0, 60.0, 75.0].map(played), colour, !rolls);
            if !rolls {
                chart.note(&panel, thrown(80.0) + dvec2(1.5, -0.08), word, colour, Anchor::Start);
            }
        }
    }
    chart.note(&panel, dvec2(50.0, 5.6), "solid, dots: stun", FAINT, Anchor::Start);
    chart.note(&panel, dvec2(50.0, 5.25), "dashed, rings: rolling", FAINT, Anchor::Start);
    chart.finish()
}

/// The direction of a rolling cue ball after an elastic, smooth hit, `tan θ = sin φ cos φ / (sin² φ + 2/5)`; degrees.
fn thirty_degree_rule(cut: f64) -> f64 {
    let (sin, cos) = libm::sincos(cut.to_radians());
    libm::atan2(sin * cos, sin * sin + 0.4).to_degrees()
}

fn thirty_degrees() -> String {
    let mut chart = Chart::new(
        720.0,
        430.0,
        "The 30-degree rule: from 1/4 to 3/4 ball a rolling cue ball turns 27° to 34°",
        "It rolls at 2 m/s towards a ball 0.3 m away. Shown: its direction once it rolls again. Dots and rings: \
        played at 120 Hz.",
    );
    let panel = Panel {
        corner: dvec2(66.0, 66.0),
        size: dvec2(630.0, 306.0),
        x: Axis { label: "cut angle, degrees", from: 0.0, to: 90.0, step: 10.0 },
        y: Axis { label: "angle of the cue ball, degrees", from: 0.0, to: 40.0, step: 10.0 },
    };
    let [quarter, three_quarters] = [0.75, 0.25].map(|sin| libm::asin(sin).to_degrees());
    chart.strip(&panel, three_quarters, quarter);
    chart.axes(&panel);
    chart.note(&panel, dvec2(three_quarters, 1.2), "3/4 ball", FAINT, Anchor::Middle);
    chart.note(&panel, dvec2(30.0, 1.2), "1/2 ball", FAINT, Anchor::Middle);
    chart.note(&panel, dvec2(quarter, 1.2), "1/4 ball", FAINT, Anchor::Middle);
    chart.line(
        &panel,
        (0..=180).map(|k| 0.5 * f64::from(k)).map(|cut| dvec2(cut, thirty_degree_rule(cut))),
        INK,
        false,
    );
    let smooth = TablePhysics { balls: PairFriction::None, ..default() };
    let played = |physics: &TablePhysics, restitution: f32, cut: f64| {
        let aim = libm::asin(2.0 * RADIUS * libm::sin(cut.to_radians()) / 0.3).to_degrees();
        let cue = rolling(direction(aim) * 2.0);
        let mut shot =
            Shot::new(&[(DVec2::ZERO, cue), (DVec2::X * 0.3, Motion::default())], physics.clone(), restitution);
        shot.until_hit();
        shot.until_it_rolls(0);
        dvec2(cut, angle(shot.motion(0).velocity) - aim)
    };
    let cuts = || (1..=16).map(|k| 5.0 * f64::from(k));
    chart.dots(&panel, cuts().map(|cut| played(&smooth, 1.0, cut)), BLUE, true);
    chart.dots(&panel, cuts().map(|cut| played(&TablePhysics::default(), 0.95, cut)), ORANGE, false);
    chart.note(&panel, dvec2(53.0, 37.0), "line: closed form, no friction, restitution 1", INK, Anchor::Start);
    chart.note(&panel, dvec2(53.0, 34.8), "dots: the same, played", BLUE, Anchor::Start);
    chart.note(&panel, dvec2(53.0, 32.6), "rings: played with friction, restitution 0.95", ORANGE, Anchor::Start);
    chart.finish()
}

fn cushions() -> String {
    let mut chart = Chart::new(
        860.0,
        640.0,
        "Running side widens the rebound; check side narrows it, up to about 50 degrees",
        "A rolling ball at 1.5 m/s with side of R w = 1.25 v; pool cushion, restitution 0.85. Lines: one hit; dots: played at 120 Hz.",
    );
    for (k, (model, word)) in CushionModel::ALL.into_iter().enumerate() {
        let (row, column) = ((k / 3) as f64, (k % 3) as f64);
        let panel = Panel {
            corner: dvec2(66.0 + 278.0 * column, 92.0 + 282.0 * row),
            size: dvec2(214.0, 204.0),
            x: Axis { label: "angle of incidence, degrees", from: 0.0, to: 75.0, step: 15.0 },
            y: Axis {
                label: if column == 0.0 { "angle of rebound, degrees" } else { "" },
                from: -40.0,
                to: 80.0,
                step: 20.0,
            },
        };
        chart.axes(&panel);
        chart.note(&panel, dvec2(0.0, 84.0), word, INK, Anchor::Start);
        let equal = [0.0, 75.0].map(DVec2::splat);
        chart.line(&panel, equal, "#9aa1a8", true);
        for (side, colour) in SIDES {
            let physics = TablePhysics { cushion: Cushion { model, ..default() }, ..default() };
            let coming = |incidence: f64| {
                let motion = rolling(direction(incidence) * 1.5);
                Motion { angular_velocity: motion.angular_velocity - DVec3::Z * (side * 1.5 / RADIUS), ..motion }
            };
            let rebound = |incidence: f64| {
                let hit = cushion::rebound(&physics.cushion, &BALL, &coming(incidence), DVec2::NEG_X, 0.85);
                dvec2(incidence, hit.map_or(0.0, |hit| 180.0 - angle(hit.after.velocity).rem_euclid(360.0)))
            };
            chart.line(&panel, (0..=150).map(|k| rebound(0.5 * f64::from(k))), colour, false);
            let played = |incidence: f64| {
                let mut shot = Shot::new(&[(DVec2::ZERO, coming(incidence))], physics.clone(), 1.0);
                shot.add_cushion((RADIUS * (1.0 + 1e-5)) as f32);
                shot.until_hit();
                let leaves = shot.space.report.events.first().map_or(DVec2::ZERO, |event| event.after.velocity);
                dvec2(incidence, 180.0 - angle(leaves).rem_euclid(360.0))
            };
            chart.dots(&panel, [15.0, 30.0, 45.0, 60.0, 75.0].map(played), colour, true);
        }
    }
    let words = Panel {
        corner: dvec2(66.0 + 556.0, 374.0),
        size: dvec2(228.0, 204.0),
        x: Axis { label: "", from: 0.0, to: 1.0, step: 1.0 },
        y: Axis { label: "", from: 0.0, to: 10.0, step: 1.0 },
    };
    for (line, text, colour) in [
        (8.6, "running side widens the angle", SIDES[0].1),
        (7.6, "no side", SIDES[1].1),
        (6.6, "check side narrows it,", SIDES[2].1),
        (5.8, "or sends the ball back", SIDES[2].1),
        (4.6, "dashed: equal angles", FAINT),
        (3.2, "angles from the normal, right after", FAINT),
        (2.4, "the hit; negative: back to the side", FAINT),
        (1.6, "that it came from", FAINT),
    ] {
        chart.note(&words, dvec2(0.0, line), text, colour, Anchor::Start);
    }
    chart.finish()
}

/// Running side, none, check side, as `R w / v`, with their colours.
const SIDES: [(f64, &str); 3] = [(1.25, BLUE), (0.0, INK), (-1.25, ORANGE)];

fn draw_and_follow() -> String {
    let mut chart = Chart::new(
        720.0,
        430.0,
        "Distance kills draw: backspin fades, then turns into follow",
        "Cue ball at 2 m/s, full hit at the distance shown; restitution 0.95. Each dot is a shot played at 120 Hz.",
    );
    let panel = Panel {
        corner: dvec2(66.0, 66.0),
        size: dvec2(630.0, 306.0),
        x: Axis { label: "height of the tip above the centre of the ball, radii", from: -0.5, to: 0.5, step: 0.1 },
        y: Axis { label: "travel of the cue ball after the hit, m", from: -2.0, to: 3.0, step: 1.0 },
    };
    chart.axes(&panel);
    for (gap, colour, word, at) in [
        (0.1, BLUE, "0.1 m away", dvec2(-0.39, -1.3)),
        (0.5, ORANGE, "0.5 m", dvec2(-0.49, -0.62)),
        (1.0, GREEN, "1 m", dvec2(-0.49, 0.4)),
    ] {
        let played = |top: f64| {
            let aimed = CueStrike { top, ..default() };
            let speed = cue_speed(&Cue::default(), &BALL, &aimed, 2.0);
            let cue = strike(&Cue::default(), &BALL, &CueStrike { speed, ..aimed }).unwrap_or_default();
            let object = DVec2::X * (gap + 2.0 * RADIUS);
            let mut shot = Shot::new(&[(DVec2::ZERO, cue), (object, Motion::default())], TablePhysics::default(), 0.95);
            shot.until_rest();
            dvec2(top, shot.place(0).x - gap)
        };
        let tops = || (-10..=10).map(|k| 0.05 * f64::from(k) * 0.9999);
        let ways: Vec<DVec2> = tops().map(played).collect();
        chart.line(&panel, ways.iter().copied(), colour, false);
        chart.dots(&panel, ways.iter().copied(), colour, true);
        chart.note(&panel, at, word, colour, Anchor::Start);
    }
    chart.note(&panel, dvec2(-0.48, 2.6), "follow: it runs on", FAINT, Anchor::Start);
    chart.note(&panel, dvec2(0.2, -1.7), "draw: it comes back", FAINT, Anchor::Start);
    chart.finish()
}

fn masse() -> String {
    let mut chart = Chart::new(
        720.0,
        470.0,
        "The steeper the cue, the more the ball curves towards the side that was hit",
        "Aimed along the dashed line, 2 m/s along the cue, tip 0.3 radii to the left, no squirt; played at 120 Hz.",
    );
    let panel = Panel {
        corner: dvec2(66.0, 66.0),
        size: dvec2(630.0, 346.5),
        x: Axis { label: "along the aim, m", from: -0.4, to: 1.6, step: 0.2 },
        y: Axis { label: "to the left of it, m", from: -0.1, to: 1.0, step: 0.1 },
    };
    chart.axes(&panel);
    chart.line(&panel, [DVec2::ZERO, DVec2::X * 1.6], "#9aa1a8", true);
    let cue = Cue { end_mass: 0.0, ..Cue::default() };
    for (elevation, top, colour, word) in [
        (15.0, 0.0, INK, "15°"),
        (30.0, 0.0, BLUE, "30°"),
        (50.0, 0.0, GREEN, "50°"),
        (65.0, -0.2, PURPLE, "65°, 0.2 low"),
        (75.0, -0.38, ORANGE, "75°, 0.38 low"),
    ] {
        let aimed = CueStrike { side: -0.3, top, elevation: f64::to_radians(elevation), ..default() };
        let speed = cue_speed(&cue, &BALL, &aimed, 2.0);
        let motion = strike(&cue, &BALL, &CueStrike { speed, ..aimed }).unwrap_or_default();
        let mut shot = Shot::new(&[(DVec2::ZERO, motion)], TablePhysics::default(), 1.0);
        let mut path = vec![DVec2::ZERO];
        let inside = |at: DVec2| at.x > -0.35 && at.x < 1.5 && at.y < 0.93;
        while path.len() < 600 && inside(path[path.len() - 1]) {
            shot.tick();
            path.push(shot.place(0));
        }
        let end = path[path.len() - 1];
        chart.line(&panel, path, colour, false);
        chart.note(&panel, end + dvec2(0.01, 0.02), word, colour, Anchor::Start);
    }
    chart.finish()
}
