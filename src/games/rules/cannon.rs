//! Counts a cue ball's cushions and hits, as carom games need them.

use super::{BallId, Remark, Shot, ShotEvent};

impl Shot {
    /// The remark on a shot whose cue ball did not hit both object balls.
    pub(in crate::games) fn no_cannon(&self, cue_ball: BallId) -> Remark {
        if self.first_hit(cue_ball).is_some() { Remark::HitOneBall } else { Remark::HitNoBall }
    }

    /// The number of cushion impacts before the cue ball first hit the second object ball, or `None` if it did not hit
    /// both.
    pub(in crate::games) fn cushions_before_second(
        &self,
        cue_ball: BallId,
        object_balls: [BallId; 2],
    ) -> Option<usize> {
        let (mut cushions, mut first) = (0, None);
        for event in &self.events {
            match *event {
                ShotEvent::Cushion(ball, _) if ball == cue_ball => cushions += 1,
                ShotEvent::Balls(a, b) if a == cue_ball || b == cue_ball => {
                    let other = if a == cue_ball { b } else { a };
                    match first {
                        _ if !object_balls.contains(&other) => {}
                        None => first = Some(other),
                        Some(first) if first != other => return Some(cushions),
                        Some(_) => {}
                    }
                }
                _ => {}
            }
        }
        None
    }
}
