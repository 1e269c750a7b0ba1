//! Events and tasks in players' words.

use tr::tr;

use super::{ball_name::ball, remarks::said};
use crate::{
    billiards::tables::BallName,
    games::{
        Action, BallId, Call, CallNeeded, Choice, Foul, PlayedShot, Player, PlayerSpec, PocketId, Region, Remark,
        Report, Shot, ShotConstraints, Task,
        plugin::{CurrentMatch, Phase},
    },
    notice::mark,
};

/// Whether a player is the person addressed as "you".
fn is_you(live: &CurrentMatch, player: Player) -> bool {
    live.game().spec().players[player.index()].is_you()
}

/// The displayed name of a player.
pub(super) fn player(live: &CurrentMatch, player: Player) -> String {
    name(&live.game().spec().players[player.index()])
}

/// The displayed name of a player: for a bot, its level.
pub(super) fn name(player: &PlayerSpec) -> String {
    match player {
        PlayerSpec::Bot(level) => tr!("Bot ({})", level_in_words(level)),
        you if you.is_you() => tr!("You"),
        other => other.to_string(),
    }
}

/// The displayed level of a bot, or `None` for other players.
pub(super) fn level(live: &CurrentMatch, player: Player) -> Option<String> {
    match &live.game().spec().players[player.index()] {
        PlayerSpec::Bot(level) => Some(level_in_words(level)),
        _ => None,
    }
}

fn level_in_words(level: &str) -> String {
    match level.split_once('@') {
        Some((level, noise)) => format!("{}@{noise}", tr!(level)),
        None => tr!(level),
    }
}

/// The sentence that a player has won the match, or the result of a drill.
pub(super) fn wins_match(live: &CurrentMatch, winner: Player) -> String {
    let remarks = || live.last().map_or(&[][..], |(_, report)| &report.verdict.remarks);
    if let Some(drill) = remarks().iter().find(|remark| matches!(remark, Remark::DrillOver(..))) {
        return said(drill.sentence());
    }
    if is_you(live, winner) { tr!("You win the match.") } else { tr!("{} wins the match.", player(live, winner)) }
}

/// Whether the game uses flat stones instead of balls. It then has no cue ball and no break.
pub(super) fn plays_stones(live: &CurrentMatch) -> bool {
    live.game().table().plays_stones()
}

/// The text of a choice's button in a match, where it may be more specific.
pub(super) fn choice_in(live: &CurrentMatch, chosen: Choice) -> String {
    let game = live.game();
    let cue_ball = game.rules().balls().iter().position(|name| *name == BallName::Cue);
    let is_in_hand = match game.turn() {
        Some((_, Task::Shoot(stroke))) => stroke.in_hand.is_some(),
        Some((_, Task::Choose(_))) => cue_ball.is_some_and(|ball| !game.layout().is_on_table(BallId(ball as u8))),
        _ => false,
    };
    if chosen == Choice::PlayOn && is_in_hand { tr!("Play on, ball in hand") } else { said(chosen.sentence()) }
}

/// A list of balls. It uses commas, as `3, 7 and 9` would depend on the language.
fn list(names: impl Iterator<Item = BallName>) -> String {
    let mut all: Vec<String> = Vec::new();
    for name in names.map(ball) {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    all.join(", ")
}

/// The result of the last action, and whether it was a foul, or `None` if there is nothing to say.
pub(super) fn verdict(live: &CurrentMatch) -> Option<(String, bool)> {
    let (action, report) = live.last()?;
    let (you, who) = (is_you(live, report.player), player(live, report.player));
    let mut sentences = Vec::new();
    let Report { verdict, shot, rack, .. } = report;
    let is_foul = !verdict.fouls.is_empty();
    let has_passed = *action == Action::Pass;
    if is_foul {
        let fouls: Vec<String> = verdict
            .fouls
            .iter()
            .map(|&each| match each {
                Foul::NoHit if has_passed && live.game().spec().shot_clock.is_some() => {
                    tr!("the shot clock ran out")
                }
                Foul::NoHit if has_passed => tr!("no shot was played"),
                each => said(each.sentence()),
            })
            .collect();
        let fouls = fouls.join("; ");
        sentences.push(if you { tr!("Your foul: {}.", fouls) } else { tr!("Foul by {}: {}.", who, fouls) });
    } else if has_passed {
        sentences.push(if you { tr!("You did not play in time.") } else { tr!("{} did not play in time.", who) });
    } else if let Some(shot) = shot {
        sentences.extend(played(live, report, shot));
    } else {
        match action {
            Action::Choose(chosen) if you => sentences.push(tr!("You choose: {}.", choice_in(live, *chosen))),
            Action::Choose(chosen) => sentences.push(tr!("{} chooses: {}.", who, choice_in(live, *chosen))),
            Action::Concede if you => sentences.push(tr!("You concede the rack.")),
            Action::Concede => sentences.push(tr!("{} concedes the rack.", who)),
            Action::TakeBack => sentences.push(tr!("The last shot was taken back.")),
            _ => {}
        }
    }
    sentences.extend(verdict.remarks.iter().map(|remark| said(remark.sentence())));
    if let Some(outcome) = rack {
        sentences.push(match outcome.winner {
            Some(winner) if is_you(live, winner) => tr!("You win the rack."),
            Some(winner) => tr!("{} wins the rack.", player(live, winner)),
            None => tr!("Nobody wins the rack."),
        });
    }
    (!sentences.is_empty()).then(|| (sentences.join(" "), is_foul))
}

/// The result of a shot without a foul: potted balls, or points in games without pockets. Empty if other text covers
/// it.
fn played(live: &CurrentMatch, Report { player: whose, verdict, rack, .. }: &Report, shot: &Shot) -> Option<String> {
    let (you, who) = (is_you(live, *whose), player(live, *whose));
    let names = live.game().rules().balls();
    // In games in which potting the cue ball is not a foul, it does not count as a potted ball either.
    let cue_ball = live.game().shots().last().map(|played| played.cue_ball);
    let object_balls = shot.potted().filter(|&(ball, _)| Some(ball) != cue_ball);
    let potted = list(object_balls.filter_map(|(ball, _)| names.get(ball.index()).copied()));
    if !potted.is_empty() {
        return Some(if you { tr!("You pot {}.", potted) } else { tr!("{} pots {}.", who, potted) });
    }
    let has_pockets = !live.game().table().built.holes.is_empty();
    let points = if has_pockets { 0 } else { verdict.points[whose.index()] };
    let says_nothing = !verdict.goes_on && verdict.remarks.is_empty() && rack.is_none();
    match points {
        _ if plays_stones(live) && !says_nothing => None,
        _ if plays_stones(live) && you => Some(tr!("You delivered a stone.")),
        _ if plays_stones(live) => Some(tr!("{} delivered a stone.", who)),
        1 if you => Some(tr!("You score a point.")),
        1 => Some(tr!("{} scores a point.", who)),
        2.. if you => Some(tr!("You score {} points.", points)),
        2.. => Some(tr!("{} scores {} points.", who, points)),
        _ if !says_nothing => None,
        _ => Some(match (has_pockets, you) {
            (true, true) => tr!("You pot nothing."),
            (true, false) => tr!("{} pots nothing.", who),
            (false, true) => tr!("You score no points."),
            (false, false) => tr!("{} scores no points.", who),
        }),
    }
}

/// The result of a shot, in a few words.
pub(super) fn shot(live: &CurrentMatch, shot: &PlayedShot) -> String {
    let names = live.game().rules().balls();
    let mut words = Vec::new();
    if shot.action == Action::Pass {
        words.push(tr!("not in time"));
    } else if !shot.fouls.is_empty() {
        let fouls: Vec<String> = shot.fouls.iter().map(|foul| said(foul.sentence())).collect();
        words.push(tr!("foul: {}", fouls.join("; ")));
    }
    // A potted cue ball is shown as a foul.
    let object_balls = shot.potted.iter().filter(|&&ball| ball != shot.cue_ball);
    let potted = list(object_balls.filter_map(|ball| names.get(ball.index()).copied()));
    if !potted.is_empty() {
        words.push(tr!("pots {}", potted));
    }
    let points = shot.points[shot.player.index()];
    let of_other = shot.points[shot.player.other().index()];
    if points != 0 && shot.won.is_none() {
        words.push(format!("{points:+}"));
    }
    if of_other != 0 && shot.won.is_none() {
        words.push(tr!("{} for {}", format!("{of_other:+}"), player(live, shot.player.other())));
    }
    match shot.action {
        Action::Shoot { call, .. } if call.push_out => words.push(tr!("push-out")),
        Action::Shoot { call, .. } if call.safety => words.push(tr!("safety")),
        _ => {}
    }
    match shot.won {
        Some(winner) if is_you(live, winner) => words.push(tr!("you win the rack")),
        Some(winner) => words.push(tr!("{} wins the rack", player(live, winner))),
        // A person alone wins no rack.
        None if shot.ends_rack && !live.game().game().solo => words.push(tr!("nobody wins the rack")),
        None => {}
    }
    if words.is_empty() {
        words.push(match live.game().table().built.holes.is_empty() {
            _ if plays_stones(live) => tr!("stone delivered"),
            true => tr!("no points"),
            false => tr!("no ball potted"),
        });
    }
    words.join(", ")
}

/// The task of the player to act. `keys` is `None` for touch input.
pub(super) fn task(live: &CurrentMatch, is_placing: bool, keys: Option<&Keys>) -> String {
    if live.take_back_asked() {
        return tr!("Take back the last shot? Both players must agree.");
    }
    let Some((whose, task)) = live.game().turn() else {
        return live.game().winner().map_or_else(String::new, |winner| wins_match(live, winner));
    };
    let who = player(live, whose);
    match (live.phase(), task) {
        (Phase::Thinking, _) => tr!("{} is thinking.", who),
        (Phase::Acting(_), _) => tr!("{} is at the table.", who),
        (Phase::Rolling(_) | Phase::Review(_), _) | (_, Task::Over(_)) => String::new(),
        (_, Task::Choose(_)) if is_you(live, whose) => tr!("Choose how to continue."),
        (_, Task::Choose(_)) => tr!("{} chooses how to continue.", who),
        (_, Task::Shoot(stroke)) => shoot(live, stroke, is_placing, keys),
    }
}

/// The keys named in the sentences.
#[derive(Clone, Debug, Default)]
pub(super) struct Keys {
    pub(super) put_down: String,
    pub(super) set_up: String,
    pub(super) declare: String,
    pub(super) call_ball: String,
    pub(super) call_pocket: String,
}

/// After this many shots in a match, a person knows how to play one.
const KNOWN_AFTER: usize = 2;

fn shoot(live: &CurrentMatch, stroke: &ShotConstraints, is_placing: bool, keys: Option<&Keys>) -> String {
    let stones = plays_stones(live);
    let whose = live.game().turn().map(|(whose, _)| whose);
    let is_new = live.game().shots().iter().filter(|shot| Some(shot.player) == whose).count() < KNOWN_AFTER;
    if is_placing {
        let whereabouts = match stroke.in_hand {
            Some(Region::BehindHeadString) if stones => tr!("behind the line"),
            Some(Region::BehindHeadString) => tr!("behind the head string"),
            Some(Region::D) => tr!("in the D"),
            _ => tr!("anywhere"),
        };
        return match keys {
            Some(Keys { put_down, set_up, .. }) if stones => tr!(
                "Stone in hand, {}: drag it or use the arrow keys. {} places it, {} sets up the shot.",
                whereabouts,
                put_down,
                set_up
            ),
            Some(Keys { put_down, set_up, .. }) => tr!(
                "Ball in hand, {}: drag it or use the arrow keys. {} places it, {} sets up the shot.",
                whereabouts,
                put_down,
                set_up
            ),
            None if stones => tr!("Stone in hand, {}: drag it, then place it.", whereabouts),
            None => tr!("Ball in hand, {}: drag it, then place it.", whereabouts),
        };
    }
    let mut sentences = Vec::new();
    if stroke.is_break && !stones {
        sentences.push(tr!("Break."));
    } else if stroke.is_free_ball {
        sentences.push(tr!("Free ball: nominate any ball."));
    }
    match stroke.call {
        _ if stones => sentences.push(tr!("Deliver a stone.")),
        CallNeeded::Nothing if stroke.on.is_empty() => {}
        CallNeeded::Nothing => {
            let names = live.game().rules().balls();
            let on = list(stroke.on.iter().filter_map(|ball| names.get(ball.index()).copied()));
            sentences.push(tr!("On: {}.", on));
        }
        CallNeeded::Ball => {
            sentences.push(match keys {
                Some(keys) => tr!("Click the ball you nominate ({}).", keys.call_ball),
                None => tr!("Tap the ball you nominate."),
            });
        }
        CallNeeded::BallAndPocket => {
            sentences.push(match keys {
                Some(keys) => {
                    tr!("Click a ball ({}) and a pocket ({}) to call them.", keys.call_ball, keys.call_pocket)
                }
                None => tr!("Tap a ball and a pocket to call them."),
            });
        }
    }
    if stroke.may_push_out {
        sentences.push(match keys {
            Some(keys) => tr!("You may declare a push-out ({}).", keys.declare),
            None => tr!("You may declare a push-out."),
        });
    }
    if is_new || sentences.is_empty() {
        sentences.push(match keys {
            Some(keys) if stones => tr!("Pull back from the stone and release, or press {}.", keys.set_up),
            Some(keys) => tr!("Pull back from the cue ball and release, or press {}.", keys.set_up),
            None if stones => tr!("Pull back from the stone and release."),
            None => tr!("Pull back from the cue ball and release."),
        });
    }
    sentences.join(" ")
}

/// The call in words, or `None` without a call.
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
        (Some(ball), Some(hole)) => Some(tr!("Called: {} into the {} pocket", ball, pocket_name(hole.name))),
    }
}

/// A ball of the match, named as by [`ball`].
pub(super) fn ball_of(live: &CurrentMatch, id: BallId) -> String {
    live.game().rules().balls().get(id.index()).copied().map_or_else(String::new, ball)
}

/// A pocket of the match.
pub(super) fn pocket_of(live: &CurrentMatch, pocket: PocketId) -> String {
    let hole = live.game().table().built.holes.get(usize::from(pocket.0));
    hole.map_or_else(String::new, |hole| pocket_name(hole.name))
}

/// The names of pockets, as in table files.
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
