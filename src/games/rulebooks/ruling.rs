//! How a rule book judges a shot. [`judge`] asks the questions of [`RuleBook`] in a fixed order, and each sees the
//! previous answers. This module derives whatever does not depend on the game, such as which balls have moved and
//! whether the same player continues.

use crate::games::rules::{
    Choice, Foul, Layout, Outcome, Player, Refusal, Remark, Rules, Shot, ShotConstraints, Standing, Task, Turn, Verdict,
};

/// The decision after a shot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    /// The player continues.
    GoesOn,
    /// The turn is over. Usually the opponent is next.
    Passes,
    /// The rack, frame or game is over, and this player has won it.
    Won(Player),
    /// The game has reached its end in the turn of the player who shot. This player has won, or it is a draw.
    Ended(Option<Player>),
}

impl Decision {
    /// The player continues if this holds, otherwise the turn passes.
    pub(super) fn go_on_if(holds: bool) -> Self {
        if holds { Self::GoesOn } else { Self::Passes }
    }
}

/// A shot being judged, with the answers so far.
pub(super) struct Ruling<'a> {
    /// The player who shot.
    pub(super) player: Player,
    /// The constraints on the shot.
    pub(super) stroke: ShotConstraints,
    pub(super) shot: &'a Shot,
    pub(super) fouls: Vec<Foul>,
    pub(super) decision: Decision,
    pub(super) points: [i32; 2],
    /// The layout: as the shot left it, until balls are placed.
    pub(super) layout: Layout,
    pub(super) remarks: Vec<Remark>,
}

impl Ruling<'_> {
    /// Whether there was no foul.
    pub(super) fn is_clean(&self) -> bool {
        self.fouls.is_empty()
    }

    /// Whether the rack, frame or game is over.
    pub(super) fn is_over(&self) -> bool {
        matches!(self.decision, Decision::Won(_) | Decision::Ended(_))
    }

    /// Whether the player continues or has won.
    pub(super) fn succeeds(&self) -> bool {
        self.decision == Decision::GoesOn || self.decision == Decision::Won(self.player)
    }

    /// The next player, given the decision.
    pub(super) fn next_player(&self) -> Player {
        if self.decision == Decision::GoesOn { self.player } else { self.player.other() }
    }
}

/// The questions that a rule book answers about a shot, in this order. The first ones change nothing, and each sees the
/// answers before it in the [`Ruling`]. The steps after them act on the answers and add remarks for the display.
pub(super) trait RuleBook: Rules {
    /// The fouls. Default: none.
    fn fouls(&self, ruling: &Ruling) -> Vec<Foul> {
        let _ = ruling;
        Vec::new()
    }

    /// The points that both players gain or lose by the shot. Default: none.
    fn points(&self, ruling: &Ruling) -> [i32; 2] {
        let _ = ruling;
        [0; 2]
    }

    /// Whether the turn or the game is over, and who has won.
    fn decide(&self, ruling: &Ruling) -> Decision;

    /// The points that winning the rack adds. Default: none.
    fn points_for_rack(&self) -> i32 {
        0
    }

    /// The score with the points of the shot.
    fn score_after(&self, ruling: &Ruling) -> [i32; 2] {
        let (score, points) = (self.standing().score, ruling.points);
        [score[0] + points[0], score[1] + points[1]]
    }

    /// [`Standing::current_break`] with these points. Default: the player's points, until the turn passes or a shot
    /// scores nothing.
    fn current_break_after(&self, ruling: &Ruling) -> i32 {
        match ruling.points[ruling.player.index()] {
            points @ 1.. if ruling.decision != Decision::Passes => self.standing().current_break + points,
            _ => 0,
        }
    }

    /// Records other counts of the game, such as innings and fouls in a row.
    fn count(&mut self, ruling: &mut Ruling);

    /// Puts balls on spots, into the rack, in hand or out of play.
    fn place(&mut self, ruling: &mut Ruling);

    /// The next turn, if the game is not over.
    fn next(&mut self, ruling: &mut Ruling) -> Turn;

    /// The storage of [`Rules::standing`]. It is set last: until then it is the standing before the shot.
    fn standing_mut(&mut self) -> &mut Standing;
}

/// [`Rules::judge`] for a rule book.
pub(super) fn judge(rules: &mut impl RuleBook, shot: &Shot) -> Verdict {
    let Turn { player, task: Task::Shoot(stroke) } = rules.standing().turn.clone() else { return Verdict::default() };
    let mut ruling = Ruling {
        player,
        stroke,
        shot,
        fouls: Vec::new(),
        decision: Decision::Passes,
        points: [0; 2],
        layout: shot.after.clone(),
        remarks: Vec::new(),
    };
    ruling.fouls = rules.fouls(&ruling);
    ruling.points = rules.points(&ruling);
    ruling.decision = rules.decide(&ruling);
    if let Decision::Won(winner) = ruling.decision {
        ruling.points[winner.index()] += rules.points_for_rack();
    }
    let score = rules.score_after(&ruling);
    let current_break = rules.current_break_after(&ruling);
    rules.count(&mut ruling);
    rules.place(&mut ruling);
    let next = match ruling.decision {
        Decision::Won(winner) => Turn::won_by(winner),
        Decision::Ended(winner) => Turn { player, task: Task::Over(Outcome { winner }) },
        Decision::GoesOn | Decision::Passes => rules.next(&mut ruling),
    };
    *rules.standing_mut() = Standing { turn: next, score, current_break };
    Verdict {
        goes_on: !ruling.is_over() && rules.standing().turn.player == player,
        fouls: ruling.fouls,
        points: ruling.points,
        placed: shot.after.changes(&ruling.layout),
        remarks: ruling.remarks,
    }
}

/// A choice that a player has made.
pub(super) struct Chosen {
    /// The player who has chosen.
    pub(super) player: Player,
    pub(super) choice: Choice,
    /// Positions of the balls.
    pub(super) layout: Layout,
    pub(super) remarks: Vec<Remark>,
}

/// [`Rules::choose`]: if the choice is available, `follow` places balls and returns the next turn.
pub(super) fn choose<R: RuleBook>(
    rules: &mut R,
    choice: Choice,
    layout: &Layout,
    follow: impl FnOnce(&mut R, &mut Chosen) -> Turn,
) -> Result<Verdict, Refusal> {
    let Turn { player, .. } = rules.standing().turn;
    rules.standing().turn.offers(choice)?;
    let mut chosen = Chosen { player, choice, layout: layout.clone(), remarks: Vec::new() };
    let next = follow(rules, &mut chosen);
    let goes_on = next.player == player;
    rules.standing_mut().turn = next;
    Ok(Verdict { placed: layout.changes(&chosen.layout), remarks: chosen.remarks, goes_on, ..Verdict::default() })
}

/// Points for one player only.
pub(super) fn points_of(player: Player, points: i32) -> [i32; 2] {
    let mut both = [0; 2];
    both[player.index()] = points;
    both
}

/// The player with more points, or `None` for a level score.
pub(super) fn leader([a, b]: [i32; 2]) -> Option<Player> {
    (a != b).then_some(Player(u8::from(b > a)))
}
