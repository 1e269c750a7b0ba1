//! The lines of a stroke that has not been played.

use bevy::math::Vec2;

use crate::games::{
    bot::{GameState, Idea, Kind},
    rules::{BallId, PocketId, Shot, ShotConstraints},
    simulator::{Simulator, Trace},
};

/// The lines of a stroke that has not been played.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sketch {
    /// The path of the cue ball, metres: to its first hit for a pot, otherwise as far as it matters.
    pub cue: Vec<Vec2>,
    /// The cue ball's place at its first hit (the ghost ball), metres.
    pub ghost: Option<Vec2>,
    /// The paths of the relevant balls, metres.
    pub balls: Vec<(BallId, Vec<Vec2>)>,
    /// The cue ball's resting place, metres, if its path is drawn that far.
    pub rests: Option<Vec2>,
}

/// The lines of a bot's idea in its position, or `None` if it cannot be played.
#[must_use]
pub fn sketch(simulator: &mut Simulator, state: &GameState, idea: &Idea) -> Option<Sketch> {
    let stroke = state.rules.turn().stroke()?;
    let (shot, trace) = state.trace(simulator, idea.from, &idea.strike)?;
    let pot = is_pot(idea.kind).then(|| meant(idea, stroke, &shot)).flatten();
    Some(Sketch::of(stroke.cue_ball, &shot, &trace, idea.kind, pot))
}

impl Sketch {
    /// The relevant lines of a shot.
    pub(super) fn of(
        cue_ball: BallId,
        shot: &Shot,
        trace: &Trace,
        kind: Kind,
        pot: Option<(BallId, PocketId)>,
    ) -> Self {
        let with_cue =
            |&(_, a, b): &(f32, BallId, Option<BallId>)| (b.is_some() && a == cue_ball) || b == Some(cue_ball);
        let mut hits = trace.hits.iter().filter(|hit| with_cue(hit));
        let first = hits.next();
        let time = first.map(|hit| hit.0);
        let ghost = time.and_then(|time| trace.way(cue_ball, Some(time)).last().copied());
        let object = first.map(|&(_, a, b)| if a == cue_ball { b.unwrap_or(a) } else { a });
        if let Some((potted, _)) = pot {
            let mut balls = Vec::new();
            if let Some(object) = object.filter(|&object| object != potted) {
                // In a combination, up to the hit that pots.
                let until = trace.hits.iter().find(|(_, a, b)| *a == potted || *b == Some(potted)).map(|hit| hit.0);
                balls.push((object, trace.way(object, until)));
            }
            balls.push((potted, trace.way(potted, None)));
            return Self { cue: trace.way(cue_ball, time), ghost, balls, rests: None };
        }
        // In carom, up to the second ball.
        let second = hits.find(|&&(_, a, b)| object != Some(if a == cue_ball { b.unwrap_or(a) } else { a }));
        if let (Kind::Sweep | Kind::Kick, Some((time, ..))) = (kind, second) {
            return Self { cue: trace.way(cue_ball, Some(*time)), ghost, balls: Vec::new(), rests: None };
        }
        if kind == Kind::Break {
            return Self { cue: trace.way(cue_ball, time), ghost, balls: Vec::new(), rests: None };
        }
        let rests = shot.end_of(cue_ball).on_table();
        Self { cue: trace.way(cue_ball, None), ghost, balls: Vec::new(), rests }
    }
}

/// The intended pot that a stroke without errors has made.
pub(super) fn meant(idea: &Idea, stroke: &ShotConstraints, shot: &Shot) -> Option<(BallId, PocketId)> {
    if let (Some(ball), Some(pocket)) = (idea.call.ball, idea.call.pocket) {
        return (shot.pocket_of(ball) == Some(pocket)).then_some((ball, pocket));
    }
    let first = shot.first_hit(stroke.cue_ball)?;
    let mut potted = shot.potted().filter(|&(ball, _)| ball != stroke.cue_ball);
    match idea.kind {
        Kind::Combination => potted.find(|&(ball, _)| ball != first),
        _ => potted.find(|&(ball, _)| ball == first),
    }
}

/// Whether the purpose of a stroke is a pot.
pub(super) fn is_pot(kind: Kind) -> bool {
    matches!(kind, Kind::Pot | Kind::Bank | Kind::Combination)
}
