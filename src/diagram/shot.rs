//! The contents of the diagram of a position on a table, or of a shot from it.

use bevy::prelude::*;

use super::{Diagram, DrawnDisc, DrawnFlight, DrawnStroke, DrawnTerrain};
use crate::{
    billiards::{
        cue::{self, Cue, CueStrike},
        tables::BuiltPiece,
    },
    components::Rotation,
    games::{GameTable, ShotError, Simulator, plugin::TablePosition, simplified},
    notice::{NoticeText, mark},
    scene::{DiscColour, DiscLook},
};

impl Diagram {
    /// A position on a table.
    pub(crate) fn of_position(position: &TablePosition) -> Self {
        let table: &GameTable = &position.table;
        let built = &table.built;
        let discs = position.layout.on_table().map(|(ball, place)| {
            let name = position.balls[ball.index()];
            let DiscLook { number, striped, .. } = DiscLook::of_ball(name);
            DrawnDisc {
                colour: DiscColour::of_ball(name),
                number,
                striped,
                radius: table.ball_radius(),
                path: vec![vec![place]],
                flights: Vec::new(),
                end: Some(place),
            }
        });
        let piece = |piece: &BuiltPiece| DrawnTerrain {
            shape: piece.terrain.clone(),
            position: piece.position,
            rotation: Rotation::default(),
            colour: None,
        };
        Self {
            terrain: built.pieces.iter().map(piece).collect(),
            pockets: built.holes.iter().map(|hole| (hole.centre.as_vec2(), hole.radius as f32)).collect(),
            discs: discs.collect(),
            targets: position.targets.clone(),
            table: Some(built.clone()),
            ..Self::default()
        }
    }

    /// A shot from a position, with the paths and the places at the end.
    ///
    /// # Errors
    /// The ball to strike is not on the table, or the stroke is invalid.
    pub(crate) fn of_shot(position: &TablePosition, strike: &CueStrike, cue: &Cue) -> Result<Self, ShotError> {
        let TablePosition { table, layout, cue_ball, .. } = position;
        let mut simulator = Simulator::new(table.clone());
        let film = simulator.film(layout, *cue_ball, strike, cue)?;
        let after = film.layout(film.seconds());
        let mut diagram = Self::of_position(position);
        for ((ball, _), disc) in layout.on_table().zip(&mut diagram.discs) {
            let (points, heights) = film.path(ball);
            let way = simplified(&points);
            if !way.is_empty() {
                disc.path = vec![way];
            }
            disc.flights = DrawnFlight::all(&points, &heights);
            disc.end = after[ball].on_table();
        }
        // A cue of 1 m/s that gives the ball this speed along itself.
        let speed = strike.speed / cue::cue_speed(cue, &table.body(), strike, 1.0);
        let place = layout[*cue_ball].on_table().ok_or(ShotError::NoCueBall)?;
        diagram.stroke =
            Some(DrawnStroke { ball: (place, table.ball_radius()), half: table.half(), strike: *strike, speed });
        Ok(diagram)
    }

    /// The numbers of the stroke in words.
    pub(crate) fn words(&self) -> Vec<NoticeText> {
        let Some(DrawnStroke { strike, speed, .. }) = self.stroke else { return Vec::new() };
        let angle = bevy::math::ops::atan2(strike.direction.y as f32, strike.direction.x as f32).to_degrees();
        let number = |value: f64, digits: usize| crate::number::decimals(value, digits);
        vec![
            NoticeText::new(mark("Speed: {} m/s. Direction: {}°."), [number(speed, 2), number(angle.into(), 2)]),
            NoticeText::new(
                mark("Side: {} R. Top: {} R. Elevation: {}°."),
                [number(strike.side, 2), number(strike.top, 2), number(strike.elevation.to_degrees(), 1)],
            ),
        ]
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::DVec2;

    use super::*;
    use crate::games::{
        BallId, BallPlace, Layout,
        drills::{LaidDrill, named},
    };

    /// The first position of a drill.
    fn position_of(drill: &str) -> TablePosition {
        let drill = named(drill).unwrap();
        let (laid, table) = LaidDrill::on_usual_table(drill).unwrap();
        let first = &laid.positions[0];
        let (layout, targets) = (first.layout.clone(), first.targets.clone());
        let table_name = drill.usual_table().to_owned();
        TablePosition { table_name, table, balls: laid.balls.clone(), layout, cue_ball: BallId(0), targets }
    }

    fn position() -> TablePosition {
        position_of("wagon-wheel")
    }

    #[test]
    fn a_shot_has_balls_with_numbers_paths_the_tip_and_the_numbers_of_the_stroke() {
        let position = position();
        // From the cue ball to the 1, with follow.
        let balls: Vec<Vec2> = position.layout.on_table().map(|(_, place)| place).collect();
        let direction = (balls[1] - balls[0]).as_dvec2();
        let strike = CueStrike { speed: 2.0, direction, side: 0.0, top: 0.25, ..CueStrike::default() };
        let diagram = Diagram::of_shot(&position, &strike, &Cue::default()).unwrap();
        let words: Vec<String> = diagram.words().iter().map(ToString::to_string).collect();
        let angle = direction.y.atan2(direction.x).to_degrees();
        assert!(words[0].ends_with(&format!("Direction: {angle:.2}°.")), "{words:?}");
        assert_eq!(words[1], "Side: 0.00 R. Top: 0.25 R. Elevation: 0.0°.");
        let svg = diagram.to_svg(&words);
        // The number at the start, and at the end if it is not potted; a target of 2 points.
        assert!(svg.contains(">\n1\n<") && svg.contains(">\n2\n<"), "{svg}");
        assert!(svg.matches("<polyline").count() >= 2 && svg.contains("stroke-dasharray"), "{svg}");
        assert!(words.iter().all(|line| svg.contains(line)), "{svg}");
        let still = Diagram::of_position(&position);
        assert!(still.words().is_empty() && !still.to_svg(&[]).contains("stroke-dasharray"));
    }

    #[test]
    fn a_jump_is_dashed_where_it_is_in_the_air() {
        let position = position_of("jump-shots");
        let strike = CueStrike { speed: 3.0, direction: DVec2::X, ..CueStrike::default() };
        let dashed = |elevation: f64| {
            let strike = CueStrike { elevation: elevation.to_radians(), ..strike };
            let diagram = Diagram::of_shot(&position, &strike, &Cue::default()).unwrap();
            let cue_ball = diagram.discs[0].clone();
            (cue_ball.flights, diagram.to_svg(&[]).matches("stroke-dasharray").count())
        };
        let (flights, lines) = dashed(45.0);
        let (start, end) = (position.layout[position.cue_ball].on_table().unwrap(), *flights[0].way.last().unwrap());
        assert!(flights[0].lands && flights[0].way[0] == start && end.x - start.x > 0.2, "{flights:?}");
        // Besides the line of aim.
        assert!(lines > flights.len(), "{lines}");
        let (flights, lines) = dashed(0.0);
        assert!(flights.is_empty() && lines == 1, "{flights:?}, {lines}");
    }

    #[test]
    fn the_aim_line_ends_at_the_nose_ahead() {
        let position = position();
        let half = position.table.half();
        let strike = CueStrike { speed: 1.0, direction: DVec2::X, ..CueStrike::default() };
        let alone =
            TablePosition { layout: Layout(vec![BallPlace::Table(Vec2::new(-0.3, 0.2)), BallPlace::Off]), ..position };
        let diagram = Diagram::of_shot(&alone, &strike, &Cue::default()).unwrap();
        let svg = diagram.to_svg(&[]);
        let end = format!("x2=\"{}\" y1=\"-0.2\" y2=\"-0.2\"", crate::number::trimmed(half.x, 4));
        assert!(svg.contains(&end), "{svg}, not {end}");
    }

    #[test]
    fn a_stroke_beside_the_ball_has_no_diagram() {
        let strike = CueStrike { speed: 1.0, direction: DVec2::X, side: 0.9, ..CueStrike::default() };
        let shot = Diagram::of_shot(&position(), &strike, &Cue::default());
        assert!(matches!(shot, Err(ShotError::Miscue(_))));
    }
}
