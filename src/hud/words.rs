//! What has happened, and what is to be done, in the words of players.

use tr::tr;

use super::remarks::remark;
use crate::{
    billiards::tables::BallName,
    games::{
        Action, BallId, Call, CallNeeded, Choice, Foul, PlayedShot, Player, PocketId, Region, Report, Stroke, Task,
        plugin::{CurrentMatch, Stage},
    },
    view::language::mark,
};

/// A ball within a sentence: `the 3`, `the cue ball`.
pub(super) fn ball(name: BallName) -> String {
    match name {
        BallName::Number(number) => number.to_string(),
        BallName::Cue => tr!("cue ball"),
        BallName::Red => tr!("red"),
        BallName::Yellow => tr!("yellow"),
        BallName::Green => tr!("green"),
        BallName::Brown => tr!("brown"),
        BallName::Blue => tr!("blue"),
        BallName::Pink => tr!("pink"),
        BallName::Black => tr!("black"),
    }
}

/// A player's name as it is shown: of a bot without the word before its level.
pub(super) fn player(live: &CurrentMatch, player: Player) -> String {
    let name = &live.game().spec().players[player.index()];
    match name.strip_prefix("bot:") {
        Some(level) => tr!("Bot ({})", level),
        None => name.clone(),
    }
}

/// What stands on the button of a choice.
pub(super) fn choice(choice: Choice) -> String {
    match choice {
        Choice::PlayOn => tr!("Play on from here"),
        Choice::PassBack => tr!("The other player shoots"),
        Choice::Break => tr!("Rack again and break"),
        Choice::LetBreak => tr!("Rack again, the other breaks"),
        Choice::SpotAndPlayOn => tr!("Spot the ball and play on"),
        Choice::BallInHand => tr!("Take the ball in hand"),
        Choice::SpotNearest => tr!("Spot the nearest ball"),
        Choice::Replay => tr!("Put the balls back, the other plays again"),
        Choice::GoFirst => tr!("Go first"),
        Choice::LetGoFirst => tr!("Let the other go first"),
        Choice::SpotTouching => tr!("Spot the balls that touch"),
    }
}

/// A foul as part of a sentence.
pub(super) fn foul(foul: Foul) -> String {
    match foul {
        Foul::NoHit => tr!("the cue ball hit no ball"),
        Foul::WrongBallFirst(name) => tr!("the {} was hit first and was not on", ball(name)),
        Foul::NoCushion => tr!("after the hit no ball was potted and none reached a cushion"),
        Foul::Scratch(_) => tr!("the cue ball was potted"),
        Foul::OffTable(name) => tr!("the {} left the table", ball(name)),
        Foul::WrongBallPotted(name) => tr!("the {} was potted and was not on", ball(name)),
        Foul::PlayedBehindHeadString(name) => {
            tr!(
                "the {} was hit first, which lies behind the head string, and the cue ball had not left there",
                ball(name)
            )
        }
        Foul::IllegalBreak => tr!("the break potted nothing that counts and drove too few balls to a cushion"),
        Foul::ThirdFoul => tr!("it was the third foul in a row"),
        Foul::OutOfOrder => tr!("the ball was out of order"),
        Foul::SnookeredByFreeBall => tr!("the other player is snookered behind the free ball"),
        Foul::OtherCueBallHit => tr!("the cue ball of the other player was hit"),
        Foul::StayedInCorner => tr!("both object balls have stayed in the corner"),
        Foul::NotNominated => tr!("no ball was nominated"),
        Foul::PushStroke(name) => tr!("the cue ball touched the {} and was played at it, not away from it", ball(name)),
    }
}

/// Several balls: `3, 7 and 9` is a matter of each language, so they are listed by commas.
fn list(names: impl Iterator<Item = BallName>) -> String {
    let mut all: Vec<String> = Vec::new();
    for name in names.map(ball) {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    all.join(", ")
}

/// What came of the last action, and whether it was a foul; none where there is nothing to say.
pub(super) fn verdict(live: &CurrentMatch) -> Option<(String, bool)> {
    let (action, report) = live.last()?;
    let who = player(live, report.player);
    let mut sentences = Vec::new();
    let Report { verdict, shot, rack, .. } = report;
    let is_foul = !verdict.fouls.is_empty();
    if is_foul {
        let fouls: Vec<String> = verdict.fouls.iter().copied().map(foul).collect();
        sentences.push(tr!("Foul by {}: {}.", who, fouls.join("; ")));
    } else if let Some(shot) = shot {
        let names = live.game().rules().balls();
        let potted = list(shot.potted().filter_map(|(ball, _)| names.get(ball.index()).copied()));
        if *action == Action::Pass {
            sentences.push(tr!("{} did not play in time.", who));
        } else if !potted.is_empty() {
            sentences.push(tr!("{} pots {}.", who, potted));
        } else if !verdict.goes_on && verdict.remarks.is_empty() && rack.is_none() {
            sentences.push(tr!("{} pots nothing.", who));
        }
    } else {
        match action {
            Action::Choose(choice_of) => sentences.push(tr!("{} chooses: {}.", who, choice(*choice_of))),
            Action::Concede => sentences.push(tr!("{} gives the rack up.", who)),
            Action::TakeBack => sentences.push(tr!("The last shot was taken back.")),
            _ => {}
        }
    }
    sentences.extend(verdict.remarks.iter().map(remark));
    if let Some(outcome) = rack {
        sentences.push(match outcome.winner {
            Some(winner) => tr!("{} wins the rack.", player(live, winner)),
            None => tr!("Nobody wins the rack."),
        });
    }
    (!sentences.is_empty()).then(|| (sentences.join(" "), is_foul))
}

/// What came of a shot, in a few words.
pub(super) fn shot(live: &CurrentMatch, shot: &PlayedShot) -> String {
    let names = live.game().rules().balls();
    let mut words = Vec::new();
    if shot.action == Action::Pass {
        words.push(tr!("not in time"));
    } else if !shot.fouls.is_empty() {
        words.push(tr!("foul"));
    }
    let potted = list(shot.potted.iter().filter_map(|ball| names.get(ball.index()).copied()));
    if !potted.is_empty() {
        words.push(tr!("pots {}", potted));
    }
    let points = shot.points[shot.player.index()];
    let of_other = shot.points[shot.player.other().index()];
    if points != 0 && shot.won.is_none() {
        words.push(format!("{points:+}"));
    }
    if of_other != 0 && shot.won.is_none() {
        words.push(tr!("{} for the other", format!("{of_other:+}")));
    }
    match shot.action {
        Action::Shoot { call, .. } if call.push_out => words.push(tr!("push-out")),
        Action::Shoot { call, .. } if call.safety => words.push(tr!("safety")),
        _ => {}
    }
    match shot.won {
        Some(winner) => words.push(tr!("{} wins the rack", player(live, winner))),
        None if shot.ends_rack => words.push(tr!("nobody wins the rack")),
        None => {}
    }
    if words.is_empty() {
        words.push(tr!("nothing"));
    }
    words.join(", ")
}

/// What the player whose turn it is has to do now.
pub(super) fn task(live: &CurrentMatch, is_placing: bool, keys: &Keys) -> String {
    if live.take_back_asked() {
        return tr!("May the last shot be taken back? Both have to agree.");
    }
    let Some((whose, task)) = live.game().turn() else {
        return live.game().winner().map_or_else(String::new, |winner| tr!("{} wins the match.", player(live, winner)));
    };
    let who = player(live, whose);
    match (live.stage(), task) {
        (Stage::Thinking(_), _) => tr!("{} is thinking.", who),
        (Stage::Acting(_), _) => tr!("{} is at the table.", who),
        (Stage::Rolling(_) | Stage::Review(_), _) | (_, Task::Over(_)) => String::new(),
        (_, Task::Choose(_)) => tr!("{} chooses how it goes on.", who),
        (_, Task::Shoot(stroke)) => shoot(live, stroke, is_placing, keys),
    }
}

/// The keys that the sentences name.
#[derive(Clone, Debug, Default)]
pub(super) struct Keys {
    pub(super) put_down: String,
    pub(super) declare: String,
}

fn shoot(live: &CurrentMatch, stroke: &Stroke, is_placing: bool, keys: &Keys) -> String {
    if is_placing {
        let whereabouts = match stroke.in_hand {
            Some(Region::BehindHeadString) => tr!("behind the head string"),
            Some(Region::D) => tr!("in the D"),
            Some(Region::Spot(_)) => tr!("on its spot"),
            _ => tr!("anywhere"),
        };
        return tr!(
            "Ball in hand, {}: drag it, or move it by the arrow keys; {} puts it down.",
            whereabouts,
            keys.put_down
        );
    }
    let mut sentences = Vec::new();
    if stroke.is_break {
        sentences.push(tr!("Break."));
    } else if stroke.is_free_ball {
        sentences.push(tr!("Free ball: nominate any ball."));
    }
    match stroke.call {
        CallNeeded::Nothing if stroke.on.is_empty() => {}
        CallNeeded::Nothing => {
            let names = live.game().rules().balls();
            let on = list(stroke.on.iter().filter_map(|ball| names.get(ball.index()).copied()));
            sentences.push(tr!("On: {}.", on));
        }
        CallNeeded::Ball => sentences.push(tr!("Nominate the ball that you play at: click it.")),
        CallNeeded::BallAndPocket => sentences.push(tr!("Call a ball and a pocket: click them.")),
    }
    if stroke.may_push_out {
        sentences.push(tr!("A push-out may be declared ({}).", keys.declare));
    }
    if sentences.is_empty() {
        sentences.push(tr!("Pull back from the cue ball and let go."));
    }
    sentences.join(" ")
}

/// What is called, in words; none while nothing is.
pub(super) fn call(live: &CurrentMatch, call: Call) -> Option<String> {
    if call.push_out {
        return Some(tr!("Push-out"));
    }
    if call.safety {
        return Some(tr!("Safety"));
    }
    let names = live.game().rules().balls();
    let of_ball = |id: BallId| names.get(id.index()).copied().map(ball);
    let pocket = call.pocket.and_then(|pocket| live.game().table().built.holes.get(usize::from(pocket.0)));
    match (call.ball.and_then(of_ball), pocket) {
        (None, None) => None,
        (Some(ball), None) => Some(tr!("Called: {}", ball)),
        (None, Some(hole)) => Some(tr!("Called: {}", pocket_name(hole.name))),
        (Some(ball), Some(hole)) => Some(tr!("Called: {} into {}", ball, pocket_name(hole.name))),
    }
}

/// A ball of the match, as [`ball`] names it.
pub(super) fn ball_of(live: &CurrentMatch, id: BallId) -> String {
    live.game().rules().balls().get(id.index()).copied().map_or_else(String::new, ball)
}

/// A pocket of the match.
pub(super) fn pocket_of(live: &CurrentMatch, pocket: PocketId) -> String {
    let hole = live.game().table().built.holes.get(usize::from(pocket.0));
    hole.map_or_else(String::new, |hole| pocket_name(hole.name))
}

/// The names of pockets, as tables have them.
const POCKETS: [&str; 6] = [
    mark("top left corner"),
    mark("top side"),
    mark("top right corner"),
    mark("bottom right corner"),
    mark("bottom side"),
    mark("bottom left corner"),
];

fn pocket_name(name: &'static str) -> String {
    match POCKETS.iter().find(|known| **known == name) {
        Some(&known) => tr!(known),
        None => name.to_owned(),
    }
}
