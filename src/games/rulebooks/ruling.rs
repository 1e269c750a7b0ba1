//! How a rule book judges a shot: [`judge`] asks the questions of [`RuleBook`] in one order, and each sees the answers
//! to those before it. What follows from the answers whatever the game, such as which balls have moved and whether the
//! same player goes on, is worked out here.

use crate::games::rules::{
    Choice, Foul, Layout, Outcome, Player, Refusal, Remark, Rules, Shot, ShotConstraints, Standing, Task, Turn, Verdict,
};

/// What a shot decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    /// The player goes on.
    GoesOn,
    /// The turn is over. Most often the other player is next.
    Passes,
    /// The rack, frame or game is over, and this player has won it.
    Won(Player),
    /// It has come to its end in the turn of the player who shot, and this player has won, or it is a draw.
    Ended(Option<Player>),
}

impl Decision {
    /// The player goes on if this holds, or else the turn passes.
    pub(super) fn go_on_if(holds: bool) -> Self {
        if holds { Self::GoesOn } else { Self::Passes }
    }
}

/// A shot that is judged, and the answers so far.
pub(super) struct Ruling<'a> {
    /// Who has played it.
    pub(super) player: Player,
    /// What was to be played.
    pub(super) stroke: ShotConstraints,
    pub(super) shot: &'a Shot,
    pub(super) fouls: Vec<Foul>,
    pub(super) decision: Decision,
    pub(super) points: [i32; 2],
    /// Where the balls are: as the shot has left them, until they are placed.
    pub(super) layout: Layout,
    pub(super) remarks: Vec<Remark>,
}

impl Ruling<'_> {
    /// Whether nothing was against the rules.
    pub(super) fn is_clean(&self) -> bool {
        self.fouls.is_empty()
    }

    /// Whether the rack, frame or game is over.
    pub(super) fn is_over(&self) -> bool {
        matches!(self.decision, Decision::Won(_) | Decision::Ended(_))
    }

    /// Whether the player goes on, or has won.
    pub(super) fn succeeds(&self) -> bool {
        self.decision == Decision::GoesOn || self.decision == Decision::Won(self.player)
    }

    /// Who is to play next, if the turn passes to the other player when it does.
    pub(super) fn next_player(&self) -> Player {
        if self.decision == Decision::GoesOn { self.player } else { self.player.other() }
    }
}

/// What a rule book answers about a shot, in this order. The questions change nothing. `decide` may ask for the points,
/// where they decide, and then `points` must not read the decision, which is still [`Decision::Passes`]. The steps after
/// them act on the answers, and add the remarks that people should read.
pub(super) trait RuleBook: Rules {
    /// What was against the rules. Default: nothing ever is.
    fn fouls(&self, ruling: &Ruling) -> Vec<Foul> {
        let _ = ruling;
        Vec::new()
    }

    /// Whether the turn is over, whether all is over, and who has won.
    fn decide(&self, ruling: &Ruling) -> Decision;

    /// What both players get for it, or lose. Default: a point for who has won the rack.
    fn points(&self, ruling: &Ruling) -> [i32; 2] {
        match ruling.decision {
            Decision::Won(winner) => points_of(winner, 1),
            _ => [0; 2],
        }
    }

    /// The score with these points.
    fn score_after(&self, ruling: &Ruling) -> [i32; 2] {
        let (score, points) = (self.standing().score, self.points(ruling));
        [score[0] + points[0], score[1] + points[1]]
    }

    /// [`Standing::current_break`] with them. Default: the points of the player, until the turn passes or a shot brings
    /// none.
    fn current_break_after(&self, ruling: &Ruling) -> i32 {
        match ruling.points[ruling.player.index()] {
            points @ 1.. if ruling.decision != Decision::Passes => self.standing().current_break + points,
            _ => 0,
        }
    }

    /// Takes down what else the game counts, such as innings and fouls in a row.
    fn count(&mut self, ruling: &mut Ruling);

    /// Puts balls on spots, into the rack, into the hand or out of play.
    fn place(&mut self, ruling: &mut Ruling);

    /// Whose turn it is now, and what is to be done, where it is not over.
    fn next(&mut self, ruling: &mut Ruling) -> Turn;

    /// Where [`Rules::standing`] is kept. It is set last: until then it is the standing before the shot.
    fn standing_mut(&mut self) -> &mut Standing;
}

/// [`Rules::judge`] by the questions of a rule book.
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
    ruling.decision = rules.decide(&ruling);
    ruling.points = rules.points(&ruling);
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

/// Something that was offered and has been chosen.
pub(super) struct Chosen {
    /// Who has chosen.
    pub(super) player: Player,
    pub(super) choice: Choice,
    /// Where the balls are.
    pub(super) layout: Layout,
    pub(super) remarks: Vec<Remark>,
}

/// [`Rules::choose`]: if this can be chosen, `follow` places balls and says whose turn it is now.
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

/// So many points for one player.
pub(super) fn points_of(player: Player, points: i32) -> [i32; 2] {
    let mut both = [0; 2];
    both[player.index()] = points;
    both
}

/// Who has more points; none where the scores are level.
pub(super) fn leader([a, b]: [i32; 2]) -> Option<Player> {
    (a != b).then_some(Player(u8::from(b > a)))
}
